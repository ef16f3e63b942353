package posterior

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// weighed is a small problem: variables of 2, 3 and 1 values with all parent sets of
// at most three, and transitions that leave some rows unseen.
func weighed(n int) (*fmdp.Space, *bigraph.Prior, []Transition) {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 3}, {Name: "c", Size: 1}},
		Action: []fmdp.Variable{{Name: "d", Size: 2}, {Name: "e", Size: 2}},
	}
	prior := &bigraph.Prior{X: space.X(), Known: bigraph.Bigraph{0, bigraph.Of(3), 0}, Sparseness: 3}
	rng := rand.New(rand.NewPCG(60, 61))
	data := make([]Transition, n)
	for t := range data {
		x := rng.IntN(1 + rng.IntN(space.Points()))
		y := (x/2 + rng.IntN(1+rng.IntN(3))) % space.States()
		data[t] = Transition{int32(x), int32(y)}
	}
	return space, prior, data
}

// Oracles: one Local over all sets, bit for bit, however the sets are grouped; and
// for the exact update the Dirichlet–multinomial evidence ∏ B(1+counts)/B(1), by log
// gammas of counts that are taken by hand.
func TestWeigh(t *testing.T) {
	space, prior, data := weighed(40_000) // more than one piece
	for _, update := range []Update{Exact, Printed} {
		var groups [3][]Weights
		for g, cells := range []int{MaxCells, 150, 48} { // the largest set of b takes 48
			var err error
			if groups[g], err = weigh(space, prior, data, update, cells); err != nil {
				t.Fatal(err)
			}
		}
		for j, got := range groups[0] {
			local := NewLocal(space, j, got.Sets, nil, update)
			local.observeAll(data)
			p := local.Probabilities(make([]float64, len(got.Sets)))
			edges := local.Edges(make([]float64, space.X()), p)
			for g := range groups {
				w := &groups[g][j]
				if !slices.Equal(w.Sets, got.Sets) || !slices.Equal(w.LogEvidence, local.logEvidence) || !slices.Equal(w.P, p) {
					t.Fatalf("Y%d in groups %d: %v, want %v", j, g, w.LogEvidence, local.logEvidence)
				}
				for i, q := range w.Edges {
					if q > 1 || math.Abs(q-edges[i]) > 1e-12 {
						t.Errorf("Y%d: P(X%d →) = %v, want %v", j, i, q, edges[i])
					}
				}
			}
			for cells := range 200 { // a group is as large as its counts allow, and no larger
				n := fitting(space, j, got.Sets, cells)
				if Cells(space, j, got.Sets[:n], 0) > cells || n < len(got.Sets) && Cells(space, j, got.Sets[:n+1], 0) <= cells {
					t.Errorf("Y%d: %d sets in a group of at most %d counts", j, n, cells)
				}
			}
			if want, err := prior.Enumerate(j); err != nil || !slices.Equal(got.Sets, want) {
				t.Errorf("Y%d: the sets are %v, want %v", j, got.Sets, want)
			}
			for k, z := range got.Sets {
				if want := byLogGammas(space, j, z, data); update == Exact && math.Abs(got.LogEvidence[k]-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("Y%d ← %v: ln P = %v, want %v", j, z.Parents(), got.LogEvidence[k], want)
				}
			}
		}
	}
}

// byLogGammas is the evidence of a parent set from its counts.
func byLogGammas(space *fmdp.Space, j int, z bigraph.Scope, data []Transition) float64 {
	x, y := make([]int, space.X()), make([]int, space.Y())
	counts := map[int][]float64{}
	for _, d := range data {
		space.Point(x, int(d.X))
		space.Point(y, int(d.Y))
		row := 0
		for i := range z.All() {
			row = row*space.Var(i).Size + x[i]
		}
		if counts[row] == nil {
			counts[row] = make([]float64, space.State[j].Size)
		}
		counts[row][y[j]]++
	}
	logGamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	sum := 0.0
	for _, row := range counts {
		total := 0.0
		for _, c := range row {
			sum += logGamma(1 + c)
			total += c
		}
		n := float64(len(row))
		sum += logGamma(n) - logGamma(n+total)
	}
	return sum
}

// Without transitions the sets are uniform; a set with too many counts, and too many
// sets, are errors.
func TestWeighEdges(t *testing.T) {
	space, prior, _ := weighed(0)
	list, err := Weigh(space, prior, nil, Exact)
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
	_, err = weigh(space, prior, nil, Exact, 20)
	var invalid *fmdp.InvalidError
	if !errors.As(err, &invalid) || !strings.Contains(invalid.Reason, `"a" given 3 variables takes more than 20 counts`) {
		t.Errorf("%v", err)
	}
	many := &bigraph.Prior{X: 40, Known: make(bigraph.Bigraph, 3), Sparseness: 40}
	var tooMany *bigraph.TooManyError
	if _, err := Weigh(space, many, nil, Exact); !errors.As(err, &tooMany) {
		t.Errorf("%v", err)
	}
}
