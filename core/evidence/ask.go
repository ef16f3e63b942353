package evidence

import (
	"context"
	"fmt"
	"io"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// MaxPasses is how often transitions may be read for one answer.
const MaxPasses = 1 << 10

// Question asks transitions how probable the parent sets of each variable are.
type Question struct {
	// Prior has the parent sets. Without one, they are those of the variables of a table, between which the edges are
	// known that Edges returns, or none.
	Prior *document.PriorFile
	Edges func(*fmdp.Space) ([]document.Edge, error)
	// What is said in place of the prior; the zero value leaves each to the prior. Without a prior, Z is the largest
	// that can be weighed well: see [unstated].
	Z      int
	Rows   concentration.Optional
	Tables string // one of [concentration.Structures]

	Bound  bigraph.Bound
	Update posterior.Update
	// Again opens transitions in JSON Lines once more. If it is nil, these are read once.
	Again func() (io.ReadCloser, error)
	// Once refuses what needs several readings, of a table, too: they take long.
	Once bool
}

// Answer is what transitions say.
type Answer struct {
	*document.PriorFile // that was weighed
	Beliefs             []posterior.Weights
	Transitions         int
	Caution             *Caution // nil if there is none
}

// PriorError is an error of the prior of a question, and not of the transitions.
type PriorError struct{ Err error }

func (e *PriorError) Error() string { return e.Err.Error() }
func (e *PriorError) Unwrap() error { return e.Err }

// AgainError says that transitions would have to be read several times.
type AgainError struct{ Passes int }

func (e *AgainError) Error() string {
	return fmt.Sprintf("the transitions would have to be read %d times", e.Passes)
}

// Ask weighs the parent sets by the transitions. It reads these as often as needed.
func (q *Question) Ask(ctx context.Context, data *Data) (*Answer, error) {
	file, err := q.prior(data)
	if err != nil {
		return nil, &PriorError{err}
	}
	w, err := NewWeighing(file, q.Update)
	if err != nil {
		return nil, &PriorError{err}
	}
	if n := w.Passes(); n > 1 && (q.Once || data.Log == nil && q.Again == nil) {
		return nil, &AgainError{n}
	}
	visits := newVisits(file, w)
	if err := w.Read(visits.watch(data.Steps(ctx))); err != nil {
		return nil, err
	}
	for w.Passes() > 0 {
		if err := q.readAgain(ctx, data, w); err != nil {
			return nil, err
		}
	}
	return &Answer{file, w.Weights(), visits.n, visits.caution()}, nil
}

// prior returns the prior with what is said in its place.
func (q *Question) prior(data *Data) (*document.PriorFile, error) {
	space := data.Space
	var file document.PriorFile
	if q.Prior != nil {
		file = *q.Prior
	}
	if q.Rows.Given {
		file.Rows = q.Rows.Concentration
	}
	if structure, given := concentration.StructureOf(q.Tables); given {
		file.Structure = structure
	}
	if q.Prior == nil {
		file = *unstated(space, q.Z, file, data)
		if q.Edges != nil {
			edges, err := q.Edges(space)
			if err != nil {
				return nil, err
			}
			said, err := document.DecodeEdges(edges, "", space)
			if err != nil {
				return nil, err
			}
			said.Sparseness = file.Prior.Sparseness
			for _, z := range said.Known {
				said.Sparseness = max(said.Sparseness, z.Len())
			}
			file.Prior = said
		}
	}
	prior := *file.Prior
	if prior.Bound = q.Bound; q.Z > 0 {
		prior.Sparseness, prior.Each = q.Z, nil
	}
	file.Prior = &prior
	return &file, document.CheckPrior(file.Prior, file.Space)
}

// readAgain reads the transitions once more.
func (q *Question) readAgain(ctx context.Context, data *Data, w *posterior.Weighing) error {
	if data.Log != nil {
		return w.Read(data.Steps(ctx))
	}
	from, err := q.Again()
	if err != nil {
		return err
	}
	defer from.Close()
	return w.Read(steps(transitions(ctx, strict.NewLines(from), data.Space, document.Transition.Check)))
}

// NewWeighing is [posterior.NewWeighing] for a prior document without the parents that have
// one value, as in [bigraph.Prior.Telling]. Its error is a *[strict.InvalidError] with a place
// in the document.
func NewWeighing(file *document.PriorFile, update posterior.Update) (*posterior.Weighing, error) {
	space := file.Space
	w, err := posterior.NewWeighing(space, file.Prior.Telling(), posterior.Law{Update: update, Rows: file.Rows, Structure: file.Structure})
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

// Limits of the Z of [unstated].
const (
	mostUnstated     = 5
	mostUnstatedSets = 10_000        // of a variable
	mostUnstatedWork = 3_000_000_000 // sets times transitions of a table
)

// unstated returns the prior of variables about which nothing is known. If z is 0, Z is the largest up to
// 5 for which no variable has more than 10,000 parent sets and their counts are read in one pass, and at
// least 1. A long table is weighed with a smaller one, and notes it.
func unstated(space *fmdp.Space, z int, file document.PriorFile, data *Data) *document.PriorFile {
	file.Space = space
	at := func(z int) *document.PriorFile {
		f := file
		f.Prior = &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Sparseness: z, Trivial: space.Trivial()}
		return &f
	}
	if z > 0 {
		return at(z)
	}
	long := false
	for z = min(mostUnstated, space.X()); z > 1; z-- {
		f := at(z)
		few, sets := true, int64(0)
		for j := range space.State {
			n := f.Prior.Count(j)
			few = few && n.IsInt64() && n.Int64() <= mostUnstatedSets
			sets += n.Int64()
		}
		if !few {
			continue
		}
		if w, err := NewWeighing(f, posterior.Exact); err != nil || w.Passes() > 1 {
			continue
		}
		if data.Log == nil || sets <= mostUnstatedWork/int64(max(len(data.Log.Transitions), 1)) {
			break
		}
		long = true
	}
	z = max(z, 1)
	if long {
		note := fmt.Sprintf("so many transitions are weighed with Z = %d; a Z that is said has no such limit", z)
		if !slices.Contains(data.Log.Notes, note) { // another question of the same table notes it, too
			data.Log.Notes = append(data.Log.Notes, note)
		}
	}
	return at(z)
}
