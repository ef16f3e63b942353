package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"runtime"

	"cpsrl/core/experiment"
)

var runCommand = command{
	name: "run", args: "-preset NAME | -spec FILE | -link URL [flags]",
	short: "run an experiment and write its records",
	long: specHelp + `

The records are JSON Lines: a header with the spec, then one line for each run, agent and episode.
A regular file appears under its name when all is done, or at Ctrl-C, SIGTERM or SIGHUP with the whole records so far;
a device, a pipe or a link is written as the records come. The number of workers changes no byte.`,
	setup: func(flags *flag.FlagSet) action {
		source := newSpecFlags(flags)
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		workers := &number{value: runtime.NumCPU(), low: 1, high: 1024}
		flags.Var(workers, "workers", "`N`, how many agents' runs to compute at the same time")
		return func(h *host, args []string) error {
			e, name, err := source.experiment(h)
			if err != nil {
				return err
			}
			out, err := h.create(*path)
			if err != nil {
				return err
			}
			return h.writeRecords(e, name, out, workers.value)
		}
	},
}

// interrupted says which records a file holds after a signal.
type interrupted struct {
	name    string
	records int
}

func (e *interrupted) Error() string {
	return fmt.Sprintf("%s: interrupted; it holds the first %d records, each whole", e.name, e.records)
}

func (e *interrupted) Unwrap() error { return context.Canceled }

// writeRecords runs the experiment and writes its records to out. If an error or a
// signal ends the run, out keeps the whole records so far.
func (h *host) writeRecords(e *experiment.Experiment, name string, out *output, workers int) error {
	defer out.discard()
	if err := h.hold(); err != nil {
		return err
	}
	bar := h.newProgress(out, e.Records())
	defer bar.finish()
	if _, err := out.Write(experiment.AppendHeader(nil, e.Header())); err != nil {
		return err
	}
	fingerprint, records := sha256.New(), 0
	var ended error
	for line, err := range merge(h.ctx, e, workers, maxWaiting, bar.tick) {
		if err != nil {
			ended = err
			break
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		fingerprint.Write(line)
		records++
	}
	if err := out.commit(); err != nil {
		return err
	}
	bar.finish()
	switch {
	case errors.Is(ended, context.Canceled):
		return &interrupted{out.name, records}
	case ended != nil:
		return in(name, ended)
	}
	bar.report("%s: %d records, fingerprint %x\n", out.name, records, fingerprint.Sum(nil))
	return nil
}
