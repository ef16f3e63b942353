// Command cpsrl is C-PSRL without a page: it runs experiments, summarises and draws
// their records, and answers questions about models and priors.
//
// Only data goes to standard output and files. An error is one line on standard
// error that names the file, the place in it and what was expected there. The exit
// status is 0 for success, 2 for bad input (flags and files), 1 if work that had begun
// could not be finished, and after a signal 128 plus its number: 130 after Ctrl-C
// (SIGINT), 143 after SIGTERM, 129 after SIGHUP (the terminal is gone).
//
// Each of these three signals ends every command at once, whether it reads or
// computes. A command that writes a file finishes the file first: "run" keeps the
// whole records so far. "serve" runs until a signal and then returns 0. A second
// signal has its usual effect.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/cheggaaa/pb/v3"

	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Exit statuses.
const (
	statusOK          = 0
	statusFailed      = 1
	statusInvalid     = 2
	statusInterrupted = 130 // by Ctrl-C
)

func main() {
	ignoreLimit()
	os.Exit(run(untilSignal(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// host gives a command its input, its outputs and the context that a signal ends.
type host struct {
	ctx    context.Context // ends at Ctrl-C
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	decide sync.Once                      // decides between hold and leave
	held   bool                           // whether hold came first
	bar    atomic.Pointer[pb.ProgressBar] // the last bar that was started
	quiet  bool                           // whether nothing but errors goes to standard error
	notice string                         // a remark for standard error
	told   []string                       // what was read of a table, a line each for standard error
	inputs []input                        // the regular files that were opened
	timing *timing                        // what measures agents; nil if nothing does
}

// run runs a command and returns the exit status. When ctx ends, run does not wait
// for a command that has not called hold: its goroutine may go on until the program
// ends.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	h := &host{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr}
	done := make(chan error, 1)
	go func() { done <- h.addNotice(h.dispatch(args)) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		if err = context.Cause(ctx); !h.leave() {
			err = <-done
		}
	}
	if err == nil {
		return statusOK
	}
	fmt.Fprintf(stderr, "%s: %s\n", nameOf(args), param.Printable(err.Error()))
	return status(ctx, err)
}

// status returns the exit status of an error. What the end of ctx cut short is no fault of the input, also where the
// error names a place in the input.
func status(ctx context.Context, err error) int {
	_, bad := errors.AsType[*strict.InputError](err)
	_, invalid := errors.AsType[*strict.InvalidError](err)
	end, signalled := context.Cause(ctx).(caught)
	switch {
	case errors.Is(err, context.Canceled) && signalled:
		return 128 + int(end.signal)
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	case bad || invalid:
		return statusInvalid
	}
	return statusFailed
}

// remark adds words to the notice.
func (h *host) remark(words string) {
	if h.notice != "" {
		h.notice += "; "
	}
	h.notice += words
}

// addNotice prints what was read of a table, and the notice. It adds them to an error, so that a command that
// fails prints one line on standard error.
func (h *host) addNotice(err error) error {
	if err != nil {
		for _, words := range h.told {
			h.remark(words)
		}
		if h.notice != "" {
			err = fmt.Errorf("%w (%s)", err, h.notice)
		}
		return err
	}
	for _, words := range h.told {
		fmt.Fprintf(h.stderr, "cpsrl: %s\n", param.Printable(words))
	}
	if h.notice == "" {
		return nil
	}
	fmt.Fprintf(h.stderr, "cpsrl: %s\n", param.Printable(h.notice))
	return nil
}

// in adds the place of an error in the input, such as a flag, a file or a line. The error nil stays nil.
func in(where string, err error) error {
	if err == nil {
		return nil
	}
	return &strict.InputError{Name: where, Err: err}
}

// badf returns a *[strict.InputError] with the given reason.
func badf(where, format string, args ...any) error { return strict.Input(where, format, args...) }
