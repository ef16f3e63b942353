package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// hangup is what a terminal sends when it closes: SIGHUP, which package syscall
// does not name on every system.
const hangup = syscall.Signal(1)

// caught is the cause of a context that a signal has ended.
type caught struct{ signal syscall.Signal }

func (caught) Error() string { return "interrupted" }

// Is says that this is how a context is cancelled.
func (caught) Is(err error) bool { return err == context.Canceled }

// untilSignal returns a context that ends at the first Ctrl-C, SIGTERM or SIGHUP.
// The second ends the program as if nobody caught it. A signal that the program
// was started to ignore, as nohup does, stays ignored.
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

// hold says that the command has something to finish: from here on the program
// waits for it when ctx has ended. If the program has already ended the command,
// hold returns the reason.
func (h *host) hold() error {
	h.decide.Do(func() { h.held = true })
	if !h.held {
		return context.Cause(h.ctx)
	}
	return nil
}

// leave ends the command where it stands, whatever it reads or computes, and
// reports whether it may: not after hold.
func (h *host) leave() bool {
	h.decide.Do(func() {
		if bar := h.bar.Load(); bar != nil {
			bar.finish()
		}
	})
	return !h.held
}
