package answer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

const (
	MaxTransitions = 1 << 26 // of a file
	MaxPasses      = 1 << 10 // through the transitions for one posterior
)

// PriorReader reads a file whose first line is a prior and whose other lines are
// transitions.
type PriorReader struct {
	*document.PriorFile
	lines *strict.Lines
}

// NewPriorReader reads the first line, a prior in the format cpsrl/prior. An error in its
// contents is a *[strict.LineError].
func NewPriorReader(r io.Reader, bound bigraph.Bound) (*PriorReader, error) {
	p := &PriorReader{lines: strict.NewLines(r)}
	line, err := p.lines.Next(strict.MaxHeader, false)
	switch {
	case err == io.EOF:
		return nil, &strict.LineError{Number: 1, Err: errors.New("a prior in the format " + document.PriorFormat + " was expected, but there is nothing")}
	case err != nil:
		return nil, err
	}
	if p.PriorFile, err = document.DecodePrior(line); err == nil {
		p.Prior.Bound = bound
		err = document.CheckPrior(p.Prior, p.Space)
	}
	if err != nil {
		return nil, p.lines.Wrong(err)
	}
	return p, nil
}

// CountAgain counts the lines after the prior from 1, for transitions that were put after a
// prior from elsewhere.
func (p *PriorReader) CountAgain() { p.lines.CountAgain() }

// Transitions yields the transitions after the prior, as the function [Transitions] does.
func (p *PriorReader) Transitions(ctx context.Context) iter.Seq2[posterior.Step, error] {
	return transitions(ctx, p.lines, p.Space)
}

// Transitions yields the transitions of a file of JSON Lines and skips blank lines. An
// error ends the sequence: an error in the contents of a line is a *[strict.LineError], and if
// ctx ends, the error is that of ctx.
func Transitions(ctx context.Context, r io.Reader, space *fmdp.Space) iter.Seq2[posterior.Step, error] {
	return transitions(ctx, strict.NewLines(r), space)
}

func transitions(ctx context.Context, l *strict.Lines, space *fmdp.Space) iter.Seq2[posterior.Step, error] {
	return func(yield func(posterior.Step, error) bool) {
		for n := 0; ; n++ {
			line, err := l.Next(strict.MaxLine, false)
			var t document.Transition
			switch {
			case err == io.EOF:
				return
			case err != nil:
			case ctx.Err() != nil:
				err = ctx.Err()
			case n == MaxTransitions:
				err = l.Wrong(fmt.Errorf("there are more than %d transitions", MaxTransitions))
			default:
				if t, err = document.DecodeTransition(line, space); err != nil {
					err = l.Wrong(err)
				}
			}
			if !yield(posterior.Step{Point: t.X, Next: t.Y}, err) || err != nil {
				return
			}
		}
	}
}

// NewWeighing is [posterior.NewWeighing] for a prior document without the parents that have
// one value, as in [bigraph.Prior.Telling]. Its error is a *[strict.InvalidError] with a place
// in the document.
func NewWeighing(file *document.PriorFile, update posterior.Update) (*posterior.Weighing, error) {
	space := file.Space
	w, err := posterior.NewWeighing(space, file.Prior.Telling(), posterior.Law{Update: update, Rows: file.Rows, Tied: file.Tied})
	switch err := err.(type) {
	case *bigraph.TooManyError:
		return nil, strict.Invalid("/sparseness", "%q has %v", space.State[err.Y].Name, err)
	case *posterior.SetTooLargeError:
		return nil, strict.Invalid("/state", "a belief about %q given %d variables takes more than %d counts", space.State[err.Y].Name, err.Parents, err.Limit)
	}
	if err == nil && w.Passes() > MaxPasses {
		return nil, strict.Invalid("/sparseness", "the transitions would have to be read %d times, more than %d", w.Passes(), MaxPasses)
	}
	return w, err
}
