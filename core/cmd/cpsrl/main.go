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
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/cheggaaa/pb/v3"

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
	inputs []input                        // the regular files that were opened
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
	fmt.Fprintf(stderr, "%s: %s\n", nameOf(args), printable(err.Error()))
	_, bad := errors.AsType[badInput](err)
	_, invalid := errors.AsType[*strict.InvalidError](err)
	end, signalled := context.Cause(ctx).(caught)
	switch {
	case bad || invalid:
		return statusInvalid
	case !errors.Is(err, context.Canceled):
		return statusFailed
	case signalled:
		return 128 + int(end.signal)
	}
	return statusInterrupted
}

// remark adds words to the notice.
func (h *host) remark(words string) {
	if h.notice != "" {
		h.notice += "; "
	}
	h.notice += words
}

// addNotice prints the notice, or adds it to the error, so that a command prints at most
// one line on standard error.
func (h *host) addNotice(err error) error {
	switch {
	case h.notice == "":
		return err
	case err != nil:
		return fmt.Errorf("%w (%s)", err, h.notice)
	}
	fmt.Fprintf(h.stderr, "cpsrl: %s\n", printable(h.notice))
	return nil
}

// badInput is an error in a flag, a file or a line that the user gave.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

// in adds the place of an error in the input. The error nil stays nil.
func in(where string, err error) error {
	if err == nil {
		return nil
	}
	return badInput{fmt.Errorf("%s: %w", where, err)}
}

// badf returns a badInput with the given reason.
func badf(where, format string, args ...any) error {
	return in(where, fmt.Errorf(format, args...))
}

// longestMessage is the largest number of bytes of a message that are shown, because a
// message may quote a hostile file.
const longestMessage = 600

// printable makes a message one line of a terminal: it replaces characters that cannot be
// printed, and leaves out the middle of a long message.
func printable(message string) string {
	var b strings.Builder
	if n := len(message); n > longestMessage {
		message = message[:longestMessage/2] + " … " + message[n-longestMessage/2:]
	}
	for _, r := range message {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError:
			b.WriteByte('?')
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
