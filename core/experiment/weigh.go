package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"cpsrl/core/answer"
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
	lines *lines
}

// NewPriorReader reads the first line, a prior in the format cpsrl/prior. An error in its
// contents is a *[LineError].
func NewPriorReader(r io.Reader, bound bigraph.Bound) (*PriorReader, error) {
	p := &PriorReader{lines: newLines(r)}
	line, err := p.lines.next(MaxHeader, false)
	switch {
	case err == io.EOF:
		return nil, &LineError{1, errors.New("a prior in the format " + document.PriorFormat + " was expected, but there is nothing")}
	case err != nil:
		return nil, err
	}
	if p.PriorFile, err = document.DecodePrior(line); err == nil {
		p.Prior.Bound = bound
		err = document.CheckPrior(p.Prior, p.Space)
	}
	if err != nil {
		return nil, p.lines.wrong(err)
	}
	return p, nil
}

// CountAgain makes the line after the prior line 1. It is for transitions that were put after
// a prior from elsewhere: an error then has the number of the line in the file of transitions.
func (p *PriorReader) CountAgain() { p.lines.number = 0 }

// Transitions yields the transitions after the prior, as the function [Transitions] does.
func (p *PriorReader) Transitions(ctx context.Context) iter.Seq2[posterior.Step, error] {
	return p.lines.transitions(ctx, p.Space)
}

// Transitions yields the transitions of a file of JSON Lines and skips blank lines. An
// error ends the sequence: an error in the contents of a line is a *[LineError], and if
// ctx ends, the error is that of ctx.
func Transitions(ctx context.Context, r io.Reader, space *fmdp.Space) iter.Seq2[posterior.Step, error] {
	return newLines(r).transitions(ctx, space)
}

func (l *lines) transitions(ctx context.Context, space *fmdp.Space) iter.Seq2[posterior.Step, error] {
	return func(yield func(posterior.Step, error) bool) {
		for n := 0; ; n++ {
			line, err := l.next(MaxLine, false)
			var t document.Transition
			switch {
			case err == io.EOF:
				return
			case err != nil:
			case ctx.Err() != nil:
				err = ctx.Err()
			case n == MaxTransitions:
				err = l.wrong(fmt.Errorf("there are more than %d transitions", MaxTransitions))
			default:
				if t, err = document.DecodeTransition(line, space); err != nil {
					err = l.wrong(err)
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
	w, err := posterior.NewWeighing(space, file.Prior.Telling(), posterior.Law{Update: update, Rows: file.Rows})
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

// WritePosterior writes the result of a [posterior.Weighing] as [answer.WritePosterior]
// does.
func WritePosterior(w io.Writer, space *fmdp.Space, weights []posterior.Weights, top int) error {
	beliefs := make([]answer.SetBelief, len(weights))
	for j, of := range weights {
		beliefs[j] = answer.SetBelief(of)
	}
	return answer.WritePosterior(w, space, beliefs, top)
}
