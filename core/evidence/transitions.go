package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// MaxTransitions is the largest number of transitions in JSON Lines.
const MaxTransitions = 1 << 26

// ReadPrior reads the next line, a prior in the format cpsrl/prior. An error in its contents is a
// *[strict.LineError].
func ReadPrior(lines *strict.Lines, bound bigraph.Bound) (*document.PriorFile, error) {
	line, err := lines.Next(strict.MaxHeader, false)
	switch {
	case err == io.EOF:
		return nil, &strict.LineError{Number: 1, Err: errors.New("a prior in the format " + document.PriorFormat + " was expected, but there is nothing")}
	case err != nil:
		return nil, err
	}
	file, err := document.DecodePrior(line)
	if err == nil {
		file.Prior.Bound = bound
		err = document.CheckPrior(file.Prior, file.Space)
	}
	if err != nil {
		return nil, lines.Wrong(err)
	}
	return file, nil
}

// Data are transitions: those of a table, or of JSON Lines, which are read one at a time.
type Data struct {
	Space *fmdp.Space
	Log   *format.Log // how the table was read; nil for JSON Lines
	lines *strict.Lines
}

// tableBegins is how many bytes tell a table from JSON Lines.
const tableBegins = 256

// Read begins to read the transitions in the remaining lines, of which a table may have so many bytes. They are over the
// variables of the options; without these, a table says its own. If a table has a fault, the data say how it was read so far.
func Read(lines *strict.Lines, o format.LogOptions, most int) (*Data, error) {
	d := &Data{Space: o.Space, lines: lines}
	rest := lines.Rest()
	if begins, err := rest.Peek(tableBegins); !format.IsTable(begins) || err != nil && err != io.EOF {
		if o.Space == nil {
			return d, strict.Invalid("", "JSON Lines name no variables; a prior, a model or a table with a header was expected")
		}
		return d, nil
	}
	data, err := io.ReadAll(io.LimitReader(rest, int64(most)+1))
	switch {
	case err != nil:
		return d, err
	case len(data) > most:
		return d, &LongTableError{most}
	}
	if d.Log, err = format.ReadLog(data, o); err == nil {
		d.Space = d.Log.Space
	}
	return d, err
}

// LongTableError says that a table is too long.
type LongTableError struct{ Limit int }

func (e *LongTableError) Error() string {
	return fmt.Sprintf("the table is larger than %d MiB", e.Limit>>20)
}

// Steps yields the transitions; those of JSON Lines only once. An error ends the sequence: an error in the contents of
// a line is a *[strict.LineError], and if ctx ends, the error is that of ctx.
func (d *Data) Steps(ctx context.Context) iter.Seq2[posterior.Step, error] {
	if d.Log == nil {
		return steps(transitions(ctx, d.lines, d.Space, document.Transition.Check))
	}
	return func(yield func(posterior.Step, error) bool) {
		for _, t := range d.Log.Transitions {
			err := ctx.Err()
			if !yield(posterior.Step{Point: t.X, Next: t.Y}, err) || err != nil {
				return
			}
		}
	}
}

// Keep reads what is left of JSON Lines, so that the transitions are there as often as those of a table. If there are more than so
// many, the error says so.
func (d *Data) Keep(ctx context.Context, most int) error {
	if d.Log != nil {
		return nil
	}
	list, err := d.list(ctx, most, document.Transition.Check)
	if err == nil && len(list) > most {
		err = fmt.Errorf("there are more than %d transitions", most)
	}
	d.Log = &format.Log{Space: d.Space, Transitions: list, Read: len(list)}
	return err
}

// List returns the transitions for agents that start from them: next values may be [fmdp.Unseen], and those of JSON Lines may say
// what was paid. It stops after more than so many lines.
func (d *Data) List(ctx context.Context, most int) ([]document.Transition, error) {
	return d.list(ctx, most, document.Transition.CheckKnown)
}

// checker says what is wrong with a transition.
type checker func(t document.Transition, place string, space *fmdp.Space) error

func (d *Data) list(ctx context.Context, most int, check checker) (list []document.Transition, err error) {
	if d.Log != nil {
		return d.Log.Transitions, nil
	}
	for t, err := range transitions(ctx, d.lines, d.Space, check) {
		if err != nil {
			return nil, err
		}
		if list = append(list, t); len(list) > most {
			break
		}
	}
	return list, nil
}

// steps yields transitions as steps. Beliefs about variables learn nothing from what was paid.
func steps(transitions iter.Seq2[document.Transition, error]) iter.Seq2[posterior.Step, error] {
	return func(yield func(posterior.Step, error) bool) {
		for t, err := range transitions {
			if !yield(posterior.Step{Point: t.X, Next: t.Y}, err) {
				return
			}
		}
	}
}

// transitions yields the transitions of JSON Lines and skips blank lines.
func transitions(ctx context.Context, l *strict.Lines, space *fmdp.Space, check checker) iter.Seq2[document.Transition, error] {
	return func(yield func(document.Transition, error) bool) {
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
				if err = strict.Decode(line, &t); err == nil {
					err = check(t, "", space)
				}
				if err != nil {
					err = l.Wrong(err)
				}
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}
