package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// hangup is SIGHUP, which a terminal sends when it closes. Package syscall does not
// name it on every system.
const hangup = syscall.Signal(1)

// caught is the cause of a context that a signal has ended.
type caught struct{ signal syscall.Signal }

func (caught) Error() string { return "interrupted" }

// Is makes the cause a context.Canceled for errors.Is.
func (caught) Is(err error) bool { return err == context.Canceled }

// untilSignal returns a context that ends at the first Ctrl-C, SIGTERM or SIGHUP. A
// second signal has its usual effect. A signal that was ignored when the program
// started, as nohup arranges, stays ignored.
func untilSignal() context.Context {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, hangup} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		s := <-signals
		signal.Stop(signals)
		end(caught{s.(syscall.Signal)})
	}()
	return ctx
}

// hold makes the program wait for the command when ctx ends, because the command has
// something to finish. If the program has already left the command, hold returns the cause.
func (h *host) hold() error {
	h.decide.Do(func() { h.held = true })
	if !h.held {
		return context.Cause(h.ctx)
	}
	return nil
}

// leave reports whether the program may end without waiting for the command: it may unless
// the command has called hold. It removes the progress bar.
func (h *host) leave() bool {
	h.decide.Do(func() {
		if bar := h.bar.Load(); bar != nil {
			bar.Finish()
		}
	})
	return !h.held
}
