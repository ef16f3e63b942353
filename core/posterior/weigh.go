package posterior

import (
	"fmt"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Transition is one observed transition: the index of its point x and that of its
// next state y.
type Transition struct{ X, Y int32 }

// Weights is the hyper-posterior over all parent sets of one variable Y_j.
type Weights struct {
	Sets        []bigraph.Scope // 𝒵_j, in the order of bigraph.Prior.Enumerate
	P           []float64       // P(z | data), of each set
	LogEvidence []float64       // ln P(data | z), of each set, as Local has it
	Edges       []float64       // P(X_i → Y_j), for each X_i
}

// Weigh returns the hyper-posterior of each Y variable after the transitions. It
// gives the evidence that one [Local] over all parent sets gives, but takes the sets
// in groups of at most MaxCells counts, so that memory bounds only the single set: a
// set with more counts is an error.
func Weigh(space *fmdp.Space, prior *bigraph.Prior, data []Transition, update Update) ([]Weights, error) {
	return weigh(space, prior, data, update, MaxCells)
}

func weigh(space *fmdp.Space, prior *bigraph.Prior, data []Transition, update Update, cells int) ([]Weights, error) {
	list := make([]Weights, space.Y())
	for j := range list {
		w := &list[j]
		var err error
		if w.Sets, err = prior.Enumerate(j); err != nil {
			return nil, err
		}
		for rest := w.Sets; len(rest) > 0; {
			n := fitting(space, j, rest, cells)
			if n == 0 {
				return nil, &SetTooLargeError{j, rest[0].Len(), cells}
			}
			local := NewLocal(space, j, rest[:n], nil, update)
			local.observeAll(data)
			w.LogEvidence = append(w.LogEvidence, local.logEvidence...)
			rest = rest[n:]
		}
		w.P = Normalise(make([]float64, len(w.Sets)), w.LogEvidence)
		w.Edges = edges(make([]float64, space.X()), w.Sets, w.P)
		for i, p := range w.Edges {
			w.Edges[i] = min(1, p) // the sum may round to more
		}
	}
	return list, nil
}

// fitting returns how many of the first sets have that many counts together.
func fitting(space *fmdp.Space, j int, sets []bigraph.Scope, cells int) int {
	for k := range sets {
		if cells -= Cells(space, j, sets[k:k+1], 0); cells < 0 {
			return k
		}
	}
	return len(sets)
}

// observeAll observes the transitions in pieces.
func (l *Local) observeAll(data []Transition) {
	steps := make([]Step, min(len(data), 1<<14))
	for i := range steps {
		steps[i] = Step{Point: make([]int, l.space.X()), Next: make([]int, l.space.Y())}
	}
	for len(data) > 0 {
		n := min(len(data), len(steps))
		for i, t := range data[:n] {
			l.space.Point(steps[i].Point, int(t.X))
			l.space.Point(steps[i].Next, int(t.Y))
		}
		l.Observe(steps[:n])
		data = data[n:]
	}
}

// SetTooLargeError says that the counts of one parent set of Y_j alone are past
// the limit.
type SetTooLargeError struct{ Y, Parents, Limit int }

func (e *SetTooLargeError) Error() string {
	return fmt.Sprintf("a belief about Y_%d given %d variables takes more than %d counts", e.Y, e.Parents, e.Limit)
}
