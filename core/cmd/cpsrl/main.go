// Command cpsrl is C-PSRL without a page: it runs experiments, sums them up,
// draws them, and answers questions about models and priors.
//
// Data goes to standard output or to a file, and nothing else goes there; what
// went wrong is one line on standard error that names the file, the place in it
// and what was expected. The exit status is 0 for success, 2 for bad input
// (flags and files), 1 when work that had begun could not be finished, and 130
// after Ctrl-C.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"cpsrl/core/fmdp"
)

// Exit statuses.
const (
	statusOK          = 0
	statusFailed      = 1
	statusInvalid     = 2
	statusInterrupted = 130
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// host is what a command has of the world around it.
type host struct {
	ctx    context.Context // ends at Ctrl-C
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// run does what main does, and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	h := &host{ctx, stdin, stdout, stderr}
	name, err := h.dispatch(args)
	if err == nil {
		return statusOK
	}
	fmt.Fprintf(stderr, "%s: %s\n", name, oneLine(err.Error()))
	var bad *badInput
	var invalid *fmdp.InvalidError
	switch {
	case errors.As(err, &bad), errors.As(err, &invalid):
		return statusInvalid
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	}
	return statusFailed
}

// badInput is an error in what the user gave: a flag, a file, a line of it.
type badInput struct {
	where string
	err   error
}

func (e *badInput) Error() string { return e.where + ": " + e.err.Error() }
func (e *badInput) Unwrap() error { return e.err }

// in says where an error in the input is; nil stays nil.
func in(where string, err error) error {
	if err == nil {
		return nil
	}
	return &badInput{where, err}
}

// badf returns a badInput with the given reason.
func badf(where, format string, args ...any) error {
	return &badInput{where, fmt.Errorf(format, args...)}
}

// longestMessage is how much of a message is shown: what a hostile file holds
// may have any length.
const longestMessage = 600

// oneLine makes a message fit one line of a terminal, whatever it quotes; of a
// long one the middle is left out.
func oneLine(message string) string {
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
