package main

import (
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
	"cpsrl/core/jobs"
)

var runCommand = command{
	name: "run", args: "-preset NAME | -spec FILE | -link URL | -model FILE [-prior FILE] [-data FILE] [flags]",
	short: "run an experiment and write its records",
	long: specHelp + `

The records are JSON Lines: a header with the spec, then one line for each run, agent and episode.
A regular file appears under its name when all is done, or at Ctrl-C, SIGTERM, SIGHUP or an error with the whole
records so far. An earlier file of that name is replaced only when all is done; until then, the records so far
get the name with .partial behind it. A device, a pipe or a link is written as the records come. A run that is
killed (SIGKILL) leaves a file .cpsrl.*.tmp, which may be removed. The number of workers changes no byte.`,
	setup: func(flags *flag.FlagSet) action {
		source := newSpecFlags(flags)
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		workers := workersFlag(flags)
		return func(h *host, args []string) error {
			e, name, err := source.experiment(h)
			if err != nil {
				return err
			}
			out, err := h.create(*path)
			if err != nil {
				return err
			}
			return h.writeRecords(e, name, out, *workers)
		}
	},
}

// workersFlag adds the flag for the number of jobs that are computed at once.
func workersFlag(flags *flag.FlagSet) *int {
	return wholeNumber(flags, "workers", runtime.NumCPU(), 1, 1024, "`N`, how many agents' runs to compute at the same time")
}

// writeRecords runs the experiment and writes its records to out. If an error or a
// signal ends the run, out keeps the whole records so far; without any, a regular file is
// not written.
func (h *host) writeRecords(e *experiment.Experiment, name string, out *output, workers int) error {
	defer out.discard()
	if err := h.hold(); err != nil {
		return err
	}
	out.Write(experiment.AppendHeader(nil, e.Header())) // the next Write, or commit, returns the error
	records, fingerprint, ended := h.play(e, workers, out.w, func(line []byte) error {
		_, err := out.Write(line)
		return err
	})
	if ended == nil {
		if err := out.commit(); err != nil && out.temp != "" {
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

// play computes the record lines of an experiment and calls each with every line until it
// returns an error. It shows a progress bar unless out is a terminal. It returns the number
// and the fingerprint of the lines for which each returned no error.
func (h *host) play(e *experiment.Experiment, workers int, out io.Writer, each func(line []byte) error) (records int, fingerprint string, ended error) {
	if words := estimate(e.Cost(), min(workers, runtime.NumCPU(), e.Spec().Runs*len(e.Arms()))); words != "" && isTerminal(h.stderr) {
		fmt.Fprintf(h.stderr, "cpsrl: %s\n", words)
	}
	bar := h.newBar(out, e.Records())
	defer bar.Finish()
	hash := sha256.New()
	for line, err := range jobs.Lines(h.ctx, jobs.Of(e), workers, jobs.MaxWaiting, func() { bar.Increment() }) {
		if err == nil {
			err = each(line.Bytes)
		}
		if ended = err; err != nil {
			break
		}
		hash.Write(line.Bytes)
		records++
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

const barTemplate = `{{counters . }} records {{bar . "[" "=" ">" " " "]"}} {{percent . }} {{rtime . "ETA %s" "%s" "ETA …"}}`

// newBar returns a progress bar on standard error if that is a terminal that the
// output does not share. Otherwise the bar only counts. Several goroutines may
// count at once.
func (h *host) newBar(out io.Writer, total int) *pb.ProgressBar {
	bar := pb.New(total)
	if isTerminal(h.stderr) && !isTerminal(out) {
		bar.SetTemplateString(barTemplate).SetMaxWidth(100).SetWriter(h.stderr).Set(pb.CleanOnFinish, true)
		h.bar.Store(bar.Start())
	}
	return bar
}

// isTerminal reports whether w is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
