package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"cpsrl/core/strict"
)

// The exit status follows the error, not the moment at which the error was met: a run that ends while its input is read is
// interrupted, although the error names the input.
func TestStatus(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	signalled, signal := context.WithCancelCause(t.Context())
	signal(caught{syscall.SIGTERM})
	for _, test := range []struct {
		ctx  context.Context
		err  error
		want int
	}{
		{t.Context(), errors.New("a disk is full"), statusFailed},
		{t.Context(), badf("r.jsonl", "a number was expected"), statusInvalid},
		{t.Context(), fmt.Errorf("r.jsonl: %w", &strict.InvalidError{}), statusInvalid},
		{ended, context.Cause(ended), statusInterrupted},
		{ended, in("preset fig2c", context.Cause(ended)), statusInterrupted},
		{ended, badf("r.jsonl", "a number was expected"), statusInvalid},
		{signalled, in("preset fig2c", context.Cause(signalled)), 128 + int(syscall.SIGTERM)},
		{signalled, badf("r.jsonl", "a number was expected"), statusInvalid},
	} {
		if got := status(test.ctx, test.err); got != test.want {
			t.Errorf("%v: status %d, want %d", test.err, got, test.want)
		}
	}
}
