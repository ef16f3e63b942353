package results

import (
	"fmt"
	"io"
	"math"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/strict"
)

// Times are the seconds that agents took for the episodes of an experiment, on one machine. They are no part of its records, whose
// bytes are the same everywhere, and name these by their fingerprint. The format cpsrl/times, version 1, is JSON Lines: a
// [TimesHeader], then a [TimesOf] for each run and agent, in the order of the records.
type Times struct {
	TimesHeader
	Of []TimesOf
}

// TimesHeader is the first line of a file of times.
type TimesHeader struct {
	strict.Heading
	Engine      int    `json:"engine"`
	Fingerprint string `json:"fingerprint"` // that of the records
	Clock       string `json:"clock"`       // [ProcessorTime] or [WallTime]
	Machine     string `json:"machine"`     // as the user names it
}

// TimesOf are the times of an agent in a run.
type TimesOf struct {
	Run     int       `json:"run"`
	Agent   string    `json:"agent"`
	Seconds []float64 `json:"seconds"` // by episode
}

// The clocks of times.
const (
	ProcessorTime = "processor" // what the processor worked for the agent
	WallTime      = "wall"      // what went by while the agent worked
)

// MaxMachine is the length of the longest name of a machine in bytes.
const MaxMachine = 100

var _ = strict.Know(TimesHeader{}, TimesOf{})

const (
	timesFormat  = "cpsrl/times"
	timesVersion = 1
)

// Microseconds returns seconds rounded to the sixth decimal, as files of times have them. What a clock's rounding makes negative is 0.
func Microseconds(seconds float64) float64 { return max(0, math.Round(seconds*1e6)/1e6) }

// Encode returns the file of times.
func (t *Times) Encode() []byte {
	t.Heading = strict.Heading{Format: timesFormat, Version: timesVersion}
	b := strict.AppendLine(nil, t.TimesHeader)
	for k := range t.Of {
		b = strict.AppendLine(b, &t.Of[k])
	}
	return b
}

// ReadTimes reads a file of times of these records: those of an experiment, with a fingerprint. An error in the contents is a
// *[strict.LineError].
func ReadTimes(r io.Reader, e *experiment.Experiment, fingerprint string) (*Times, error) {
	lines, t, s := strict.NewLines(r), new(Times), e.Spec()
	line, err := lines.Next(strict.MaxHeader, false)
	switch {
	case err == io.EOF:
		return nil, &strict.LineError{Number: 1, Err: fmt.Errorf("a header in the format %s was expected, but the file is empty", timesFormat)}
	case err != nil:
		return nil, err
	}
	if err := strict.DecodeDocument(line, &t.TimesHeader, timesFormat, timesVersion); err != nil {
		return nil, lines.Wrong(err)
	}
	switch {
	case t.Clock != ProcessorTime && t.Clock != WallTime:
		return nil, lines.Wrong(strict.Invalid("/clock", "%s or %s was expected", ProcessorTime, WallTime))
	case t.Machine == "" || len(t.Machine) > MaxMachine:
		return nil, lines.Wrong(strict.Invalid("/machine", "a name of at most %d bytes was expected", MaxMachine))
	case t.Fingerprint != fingerprint:
		return nil, lines.Wrong(strict.Invalid("/fingerprint", "these are the times of other records: their fingerprint is %.12s, not %.12s", t.Fingerprint, fingerprint))
	}
	for run := s.FirstRun; run < s.FirstRun+s.Runs; run++ {
		for _, agent := range s.Agents {
			var of TimesOf
			line, err := lines.Next(strict.MaxHeader, false)
			switch {
			case err == io.EOF:
				return nil, &strict.LineError{Number: lines.Number() + 1, Err: fmt.Errorf("the times of %s in run %d are missing", agent, run)}
			case err != nil:
				return nil, err
			}
			if err := strict.Decode(line, &of); err != nil {
				return nil, lines.Wrong(err)
			}
			if of.Run != run || of.Agent != agent || len(of.Seconds) != s.Episodes {
				return nil, lines.Wrong(fmt.Errorf("the times of %s in run %d in %d episodes were expected", agent, run, s.Episodes))
			}
			for k, v := range of.Seconds {
				if !(v >= 0 && v <= 1e9) {
					return nil, lines.Wrong(strict.Invalid(fmt.Sprintf("/seconds/%d", k), "%v is no time", v))
				}
			}
			t.Of = append(t.Of, of)
		}
	}
	if _, err := lines.Next(strict.MaxHeader, false); err != io.EOF {
		return nil, lines.Wrong(fmt.Errorf("the times end after those of %d runs", s.Runs))
	}
	return t, nil
}

// Sums returns the seconds of an agent until the end of each episode, as means over runs.
func (t *Times) Sums(agent string) []float64 {
	var runs []curve.Run
	for _, of := range t.Of {
		if of.Agent != agent {
			continue
		}
		run, sum := curve.Run{Agent: agent, Run: of.Run}, 0.0
		for _, v := range of.Seconds {
			sum += v
			run.Values = append(run.Values, sum)
		}
		runs = append(runs, run)
	}
	var sums []float64
	for _, c := range curve.Means(runs) {
		for _, p := range c.Points {
			sums = append(sums, p.Mean)
		}
	}
	return sums
}
