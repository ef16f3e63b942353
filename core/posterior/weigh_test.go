package posterior_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/posterior"
)

// weighed returns a prior with parent sets of at most three variables, and n
// transitions that leave some rows unseen, in both forms.
func weighed(n int) (prior *bigraph.Prior, data []posterior.Transition, steps []posterior.Step) {
	prior = &bigraph.Prior{X: space.X(), Known: bigraph.Bigraph{0, bigraph.Of(3), 0}, Sparseness: 3}
	steps = randomSteps(stream(60), space, n)
	for _, s := range steps {
		data = append(data, posterior.Transition{X: int32(space.Index(s.Point)), Y: int32(space.Index(s.Next))})
	}
	return prior, data, steps
}

// Oracles: one Local over all sets, bit for bit, however the sets are grouped; and
// for the exact update the batch Dirichlet–multinomial evidence by log gammas.
func TestWeigh(t *testing.T) {
	prior, data, steps := weighed(17_000) // more than one piece
	for _, update := range []posterior.Update{posterior.Exact, posterior.Printed} {
		var groups [3][]posterior.Weights
		for g, cells := range []int{posterior.MaxCells, 150, 72} { // no set of three takes more than 72
			var err error
			if groups[g], err = posterior.WeighWithin(space, prior, data, update, cells); err != nil {
				t.Fatal(err)
			}
		}
		for j, got := range groups[0] {
			local := posterior.NewLocal(space, j, got.Sets, nil, update)
			local.Observe(steps)
			p := local.Probabilities(make([]float64, len(got.Sets)))
			edges := local.Edges(make([]float64, space.X()), p)
			for g := range groups {
				w := &groups[g][j]
				if !slices.Equal(w.Sets, got.Sets) || !slices.Equal(w.LogEvidence, local.LogEvidence()) || !slices.Equal(w.P, p) {
					t.Fatalf("Y%d in groups %d: %v, want %v", j, g, w.LogEvidence, local.LogEvidence())
				}
				for i, q := range w.Edges {
					if q > 1 || math.Abs(q-edges[i]) > 1e-12 {
						t.Errorf("Y%d: P(X%d →) = %v, want %v", j, i, q, edges[i])
					}
				}
			}
			for cells := range 200 { // a group is as large as its counts allow, and no larger
				n := posterior.Fitting(space, j, got.Sets, cells)
				if posterior.Cells(space, j, got.Sets[:n], 0) > cells || n < len(got.Sets) && posterior.Cells(space, j, got.Sets[:n+1], 0) <= cells {
					t.Errorf("Y%d: %d sets in a group of at most %d counts", j, n, cells)
				}
			}
			if want, err := prior.Enumerate(j); err != nil || !slices.Equal(got.Sets, want) {
				t.Errorf("Y%d: the sets are %v, want %v", j, got.Sets, want)
			}
			if update == posterior.Printed {
				continue
			}
			for k, z := range got.Sets {
				want := batchEvidence(rowsOf(z, steps), outcomes(steps, func(s *posterior.Step) int { return s.Next[j] }), space.State[j].Size)
				if math.Abs(got.LogEvidence[k]-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("Y%d ← %v: ln P = %v, want %v", j, z.Parents(), got.LogEvidence[k], want)
				}
			}
		}
	}
}

// Without transitions the sets are uniform; a set with too many counts, and too many
// sets, are errors.
func TestWeighEdges(t *testing.T) {
	prior, _, _ := weighed(0)
	list, err := posterior.Weigh(space, prior, nil, posterior.Exact)
	if err != nil {
		t.Fatal(err)
	}
	for j, w := range list {
		for _, p := range w.P {
			if p != 1/float64(len(w.Sets)) {
				t.Errorf("Y%d: %v, want uniform", j, w.P)
			}
		}
	}
	if list[1].Edges[3] != 1 {
		t.Errorf("a known edge has probability %v", list[1].Edges[3])
	}
	_, err = posterior.WeighWithin(space, prior, nil, posterior.Exact, 20)
	var tooLarge *posterior.SetTooLargeError
	if !errors.As(err, &tooLarge) || *tooLarge != (posterior.SetTooLargeError{Y: 0, Parents: 2, Limit: 20}) {
		t.Errorf("%v", err)
	}
	many := &bigraph.Prior{X: 40, Known: make(bigraph.Bigraph, 3), Sparseness: 40}
	var tooMany *bigraph.TooManyError
	if _, err := posterior.Weigh(space, many, nil, posterior.Exact); !errors.As(err, &tooMany) {
		t.Errorf("%v", err)
	}
}
