package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"

	"github.com/cheggaaa/pb/v3"
	"github.com/mattn/go-isatty"

	"cpsrl/core/experiment"
	"cpsrl/core/param"
)

var runCommand = command{
	name: "run", args: "-preset NAME | -spec FILE | -link URL | -model FILE [-prior FILE] [-data FILE] [flags]",
	short: "run an experiment and write its records",
	long: specHelp + `

The records are JSON Lines: a header with the spec, then one line for each run, agent and episode.
A regular file has the name with .partial behind it (.partial2, if that is taken) until all is done. What a run that is killed
(SIGKILL, a loss of power) has written is there. Ctrl-C, SIGTERM, SIGHUP or an error gives the whole records so far the
file's name, unless an earlier file has it, which is replaced only when all is done. If the name is a symbolic link, this is
about the file to which it leads. A device or a pipe is written as the records come. The number of workers changes no byte.

With -resume, runs of agents that FILE or its partial files have from the first episode to the last are not computed again.
Partial files whose records are elsewhere, too, are removed. The flags may ask for more runs and more agents than FILE has. The
result has the bytes of one undisturbed run.

With -times, a second file says how many seconds each agent took for each episode, on the machine that -machine names: to sample,
plan, act and learn, without solving the true model and scoring. On Linux it is the processor's time, elsewhere the time
that went by: there, use -workers 1. It is no part of the records; "cpsrl plot -times" draws regret against it.`,
	setup: func(flags *flag.FlagSet) action {
		source := newSpecFlags(flags)
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		workers := workersFlag(flags)
		quiet := quietFlag(flags)
		resume := flags.Bool("resume", false, "go on where FILE ends, as -o names it")
		times := newTimesFlags(flags)
		return func(h *host, args []string) (err error) {
			h.quiet = *quiet
			if h.timing, err = times.timing(*resume); err != nil {
				return err
			}
			e, name, err := source.experiment(h)
			if err != nil {
				return err
			}
			known := &kept{}
			if *resume {
				if known, err = h.kept(*path, e); err != nil {
					return err
				}
				defer known.Close()
				if known.Whole {
					return nil
				}
			}
			out, err := h.createRecords(*path)
			if err != nil {
				return err
			}
			if err := h.writeRecords(e, name, out, *workers, known); err != nil {
				return err
			}
			known.Clear()
			return h.writeTimes()
		}
	},
}

// quietFlag adds the flag that switches off what a terminal shows of the progress.
func quietFlag(flags *flag.FlagSet) *bool {
	return flags.Bool("quiet", false, "show no progress, also on a terminal")
}

// workersFlag adds the flag for the number of jobs that are computed at once.
func workersFlag(flags *flag.FlagSet) *int {
	return wholeNumber(flags, "workers", runtime.NumCPU(), 1, 1024, "`N`, how many agents' runs to compute at the same time")
}

// writeRecords runs the experiment and writes its records to out. If an error or a
// signal ends the run, out keeps the whole records so far; without any, a regular file is
// not written.
func (h *host) writeRecords(e *experiment.Experiment, name string, out *output, workers int, known *kept) error {
	defer out.Discard()
	if err := h.hold(); err != nil {
		return err
	}
	out.Write(experiment.AppendHeader(nil, e.Header())) // the next Write, or commit, returns the error
	records, fingerprint, ended := h.play(e, known, workers, out.w, func(lines []byte) error {
		_, err := out.Write(lines)
		return err
	})
	if !renamesOpen {
		known.Close()
	}
	if ended == nil {
		h.timing.end(fingerprint)
		if err := out.Commit(); err != nil && out.temp != "" {
			return fmt.Errorf("%w; %s holds the records", err, out.keep())
		} else if err != nil {
			return err
		}
		if h.bar.Load() != nil {
			fmt.Fprintf(h.stderr, "%s: %d records, fingerprint %s\n", out.name, records, fingerprint)
		}
		return nil
	}
	switch {
	case out.err != nil:
		ended = out.err
	case errors.Is(ended, context.Canceled):
		ended = fmt.Errorf("%s: %w", out.name, ended)
	default:
		ended = in(name, ended)
	}
	if records == 0 && out.temp != "" {
		return fmt.Errorf("%w; there are no records, and the file was not written", ended)
	}
	if records == 0 || out.err != nil && out.temp == "" {
		return ended
	}
	holder := out.keep()
	if holder == out.name && errors.Is(ended, context.Canceled) {
		holder = "it"
	}
	return fmt.Errorf("%w; %s holds the first %d records, each whole", ended, holder, records)
}

// play computes the record lines of an experiment, except those that are kept, and calls each with whole lines
// until it returns an error. It shows a progress bar unless out is a terminal. It returns the number and the
// fingerprint of the lines for which each returned no error.
func (h *host) play(e *experiment.Experiment, known *kept, workers int, out io.Writer, each func(lines []byte) error) (records int, fingerprint string, ended error) {
	s := e.Spec()
	plays := known.Jobs(e)
	share := 1 - float64(plays)/float64(s.Runs*len(s.Agents))
	h.foretell(share*e.Cost(), min(workers, runtime.NumCPU(), s.Runs*len(s.Agents)-plays))
	done := func(runs int) string { return fmt.Sprintf("%d of %s", runs, param.Count(s.Runs, "run")) }
	bar := h.newBar(out, e.Records()-plays*s.Episodes, done(0))
	defer bar.Finish()
	hash := sha256.New()
	take := func(lines []byte) error {
		err := each(lines)
		if err == nil {
			hash.Write(lines)
			records += bytes.Count(lines, []byte{'\n'})
		}
		return err
	}
	run := s.FirstRun
	for line, err := range known.Lines(h.ctx, e, workers, func() { bar.Increment() }, h.timing.watched()) {
		if line.Job != nil && line.Job.Run != run {
			run = line.Job.Run
			bar.Set(doneKey, done(run-s.FirstRun))
		}
		if err == nil {
			err = take(line.Bytes)
		}
		if ended = err; err != nil {
			break
		}
		h.timing.add(&line)
	}
	return records, fmt.Sprintf("%x", hash.Sum(nil)), ended
}

// native is the approximate number of operations of an experiment's cost that one worker does
// in a second.
const native = 1e9

// estimate says how long so many operations take on so many workers, or "" if that is at most
// a minute.
func estimate(operations float64, workers int) string {
	seconds := operations / native / float64(workers)
	for _, unit := range []struct {
		name    string
		seconds float64
	}{{"year", 365 * 86400}, {"day", 86400}, {"hour", 3600}, {"minute", 60}} {
		n := math.Round(seconds / unit.seconds)
		if seconds <= 60 || n < 2 && unit.name != "minute" {
			continue
		}
		if n != 1 {
			unit.name += "s"
		}
		return fmt.Sprintf("this takes roughly %.0f %s", n, unit.name)
	}
	return ""
}

// foretell says on a terminal how long so many operations take, if that is long.
func (h *host) foretell(operations float64, workers int) {
	if words := estimate(operations, max(workers, 1)); words != "" && !h.quiet && isTerminal(h.stderr) {
		fmt.Fprintf(h.stderr, "cpsrl: %s\n", words)
	}
}

const barTemplate = `{{string . "done"}} {{bar . "[" "=" ">" " " "]"}} {{percent . }} {{speed . "%s records/s" "… records/s"}} {{rtime . "%s left" "%s" "… left"}}`

// doneKey is the key of the words of a bar that say how many of what are done.
const doneKey = "done"

// newBar shows and returns a progress bar on standard error if that is a terminal that the
// output does not share. Otherwise the bar only counts. Several goroutines may
// count at once.
func (h *host) newBar(out io.Writer, total int, done string) *pb.ProgressBar {
	bar := pb.New(total)
	bar.Set(doneKey, done)
	if !h.quiet && isTerminal(h.stderr) && !isTerminal(out) {
		bar.SetTemplateString(barTemplate).SetMaxWidth(100).SetWriter(h.stderr).Set(pb.CleanOnFinish, true)
		h.bar.Store(bar.Start())
		bar.Write()
	}
	return bar
}

// isTerminal reports whether w is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
