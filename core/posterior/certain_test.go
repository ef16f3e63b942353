package posterior_test

import (
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/posterior"
)

// A known edge has the probability 1 and a forbidden one 0, exactly, whatever the sums over
// the sets round to; and no other edge is more probable than 1.
func TestCertainEdges(t *testing.T) {
	every, err := (&bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, 1), Sparseness: space.X()}).Enumerate(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 7, 300} {
		steps := randomSteps(stream(61), space, n)
		for _, known := range every {
			prior := &bigraph.Prior{X: space.X(), Known: bigraph.Bigraph{known, bigraph.Of(), known}, Sparseness: space.X()}
			prior.Forbidden = bigraph.Bigraph{bigraph.Of(), known, bigraph.Of(1).Without(known)}
			prior.Likely = []bigraph.Edge{{X: 0, Y: 1, P: 0.9}}
			if known.Has(0) {
				prior.Likely = nil
			}
			for j, w := range weigh(t, prior, posterior.Law{}, posterior.MaxWeighed, steps) {
				local := posterior.NewLocal(space, j, w.Sets, nil, posterior.Law{Sets: prior.LogWeights(j, w.Sets)})
				local.Observe(steps)
				of := local.Edges(make([]float64, space.X()), local.Probabilities(make([]float64, len(w.Sets))))
				for _, edges := range [][]float64{w.Edges, of} {
					for i, p := range edges {
						switch {
						case prior.Known[j].Has(i) && p != 1, prior.Forbidden[j].Has(i) && p != 0, p > 1:
							t.Errorf("%d steps, known %b: X%d → Y%d has %v", n, known, i, j, p)
						}
					}
				}
			}
		}
	}
}
