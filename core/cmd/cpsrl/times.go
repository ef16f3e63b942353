package main

import (
	"flag"
	"strings"
	"unicode"

	"cpsrl/core/jobs"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/strict"
)

// timesFlags holds the flags that ask for the times of agents.
type timesFlags struct{ path, machine *string }

func newTimesFlags(flags *flag.FlagSet) *timesFlags {
	return &timesFlags{
		path:    flags.String("times", "", "write the seconds that agents take to `FILE`"),
		machine: flags.String("machine", "", "for -times, the `NAME` of this machine, as captions have it"),
	}
}

// timing returns what measures agents, or nil if that is not asked for.
func (f *timesFlags) timing(resume bool) (*timing, error) {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case *f.path == "" && *f.machine != "":
		return nil, badf("flag -machine", "it is for -times")
	case *f.path == "":
		return nil, nil
	case resume:
		return nil, badf("flags", "-times and -resume exclude each other: the runs that are there were not measured")
	case strings.TrimSpace(*f.machine) == "" || len(*f.machine) > results.MaxMachine || strings.ContainsFunc(*f.machine, hidden):
		return nil, badf("flag -machine", "the name of this machine was expected, of at most %d bytes: seconds mean nothing without it", results.MaxMachine)
	}
	t := &timing{path: *f.path, clock: workerClock{}}
	t.Engine, t.Clock, t.Machine = record.Engine, clockName, *f.machine
	return t, nil
}

// timing measures agents. A nil *timing measures nothing.
type timing struct {
	results.Times
	path  string
	clock jobs.Clock
}

// watched returns the clock of the workers, or nil.
func (t *timing) watched() jobs.Clock {
	if t == nil {
		return nil
	}
	return t.clock
}

// add adds the time of an episode.
func (t *timing) add(line *jobs.Line) {
	if t == nil {
		return
	}
	n := len(t.Of)
	if n == 0 || t.Of[n-1].Run != line.Job.Run || t.Of[n-1].Agent != line.Job.Arm.Label() {
		t.Of, n = append(t.Of, results.TimesOf{Run: line.Job.Run, Agent: line.Job.Arm.Label()}), n+1
	}
	t.Of[n-1].Seconds = append(t.Of[n-1].Seconds, results.Microseconds(line.Seconds))
}

// end notes the fingerprint of the records.
func (t *timing) end(fingerprint string) {
	if t != nil {
		t.Fingerprint = fingerprint
	}
}

// writeTimes writes the file of times, if they were measured.
func (h *host) writeTimes() error {
	if h.timing == nil {
		return nil
	}
	return h.write(h.timing.path, h.timing.Encode())
}

// readTimes reads the file of the times of records.
func (h *host) readTimes(path string, r *recordsFile) (*results.Times, error) {
	const what = "a file of times"
	file, name, err := h.open(path, what)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	times, err := results.ReadTimes(file, r.Experiment, r.Fingerprint)
	if err != nil {
		return nil, strict.Unreadable(name, what, err)
	}
	return times, nil
}
