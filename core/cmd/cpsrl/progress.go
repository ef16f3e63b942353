package main

import (
	"io"
	"os"

	"github.com/cheggaaa/pb/v3"
	"github.com/mattn/go-isatty"
)

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
