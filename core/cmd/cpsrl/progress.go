package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/cheggaaa/pb/v3"
	"github.com/mattn/go-isatty"
)

// progress is a bar on a terminal, and nothing anywhere else.
type progress struct {
	w    io.Writer
	bar  *pb.ProgressBar // nil: not on a terminal
	once sync.Once
}

const barTemplate = `{{counters . }} records {{bar . "[" "=" ">" " " "]"}} {{percent . }} {{rtime . "ETA %s" "%s" "ETA …"}}`

// newProgress starts a bar on standard error if that is a terminal that the
// output does not share.
func (h *host) newProgress(out *output, total int) *progress {
	p := &progress{w: h.stderr}
	if !isTerminal(h.stderr) || isTerminal(out.w) {
		return p
	}
	p.bar = pb.New(total).SetTemplateString(barTemplate).SetMaxWidth(100).SetWriter(h.stderr)
	p.bar.SetRefreshRate(200 * time.Millisecond)
	p.bar.Set(pb.CleanOnFinish, true)
	p.bar.Start()
	h.bar.Store(p)
	return p
}

// tick counts one record. Several goroutines may call it at once.
func (p *progress) tick() {
	if p.bar != nil {
		p.bar.Increment()
	}
}

// finish takes the bar away.
func (p *progress) finish() {
	p.once.Do(func() {
		if p.bar != nil {
			p.bar.Finish()
		}
	})
}

// report prints a line where the bar was.
func (p *progress) report(format string, args ...any) {
	if p.bar != nil {
		fmt.Fprintf(p.w, format, args...)
	}
}

// isTerminal reports whether w is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
