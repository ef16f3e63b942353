package posterior_test

import (
	"errors"
	"iter"
	"math"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/posterior"
)

// weighed returns a prior with parent sets of at most three variables, and n
// transitions that leave some rows unseen.
func weighed(n int) (prior *bigraph.Prior, steps []posterior.Step) {
	prior = &bigraph.Prior{X: space.X(), Known: bigraph.Bigraph{bigraph.Of(), bigraph.Of(3), bigraph.Of()}, Sparseness: 3}
	return prior, randomSteps(stream(60), space, n)
}

// once yields the steps in the same memory, like a file that is read line by line.
func once(steps []posterior.Step) iter.Seq2[posterior.Step, error] {
	return func(yield func(posterior.Step, error) bool) {
		var one posterior.Step
		for _, s := range steps {
			one.Point, one.Next = append(one.Point[:0], s.Point...), append(one.Next[:0], s.Next...)
			if !yield(one, nil) {
				return
			}
		}
	}
}

// weigh reads the steps once for each pass.
func weigh(t *testing.T, prior *bigraph.Prior, law posterior.Law, cells int, steps []posterior.Step) []posterior.Weights {
	t.Helper()
	w, err := posterior.NewWeighingWithin(space, prior, law, cells)
	if err != nil {
		t.Fatal(err)
	}
	for w.Passes() > 0 {
		if err := w.Read(once(steps)); err != nil {
			t.Fatal(err)
		}
	}
	return w.Weights()
}

// Oracles: one Local over all sets, bit for bit, however the sets are grouped; and
// for the exact update the batch Dirichlet–multinomial evidence by log gammas.
func TestWeighing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js")
	}
	prior, steps := weighed(17_000) // more than one batch
	for _, law := range []posterior.Law{
		{}, {Update: posterior.Printed}, {Rows: parsedRows("0.1")}, {Rows: parsedRows("ess:1")}, {Rows: parsedRows("learn:0.1:1")},
	} {
		var groups [3][]posterior.Weights
		for g, cells := range []int{posterior.MaxWeighed, 400, 84} { // no set of three takes more than 72 and 12
			groups[g] = weigh(t, prior, law, cells, steps)
		}
		for j, got := range groups[0] {
			local := posterior.NewLocal(space, j, got.Sets, nil, law)
			local.Observe(steps)
			p := local.Probabilities(make([]float64, len(got.Sets)))
			edges := local.Edges(make([]float64, space.X()), p)
			for g := range groups {
				w := &groups[g][j]
				if !slices.Equal(w.Sets, got.Sets) || !slices.Equal(w.LogEvidence, evidence(local)) || !slices.Equal(w.P, p) {
					t.Fatalf("Y%d in groups %d: %v, want %v", j, g, w.LogEvidence, evidence(local))
				}
				for i, q := range w.Edges {
					if q > 1 || math.Abs(q-edges[i]) > 1e-12 {
						t.Errorf("Y%d: P(X%d →) = %v, want %v", j, i, q, edges[i])
					}
				}
			}
			if want, err := prior.Enumerate(j); err != nil || !slices.Equal(got.Sets, want) {
				t.Errorf("Y%d: the sets are %v, want %v", j, got.Sets, want)
			}
			if law.Update == posterior.Printed || !law.Rows.One() {
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

// A later pass must get the transitions of the first: the same number, and the same values.
func TestWeighingRefusesOtherTransitions(t *testing.T) {
	prior, steps := weighed(50)
	other := slices.Clone(steps)
	other[7].Next = slices.Clone(other[7].Next)
	other[7].Next[0] = 1 - other[7].Next[0]
	for name, second := range map[string][]posterior.Step{"none": nil, "fewer": steps[:49], "other": other} {
		w, err := posterior.NewWeighingWithin(space, prior, posterior.Law{}, 84)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Read(once(steps)); err != nil || w.Passes() == 0 {
			t.Fatalf("%d passes are left, %v", w.Passes(), err)
		}
		if _, changed := errors.AsType[*posterior.ChangedError](w.Read(once(second))); !changed {
			t.Errorf("%s: other transitions are not noticed", name)
		}
	}
}

// Each group is as large as the limit allows, across variables too.
func TestWeighingGroups(t *testing.T) {
	prior, _ := weighed(0)
	for cells := 80; cells < 1000; cells += 7 {
		w, err := posterior.NewWeighingWithin(space, prior, posterior.Law{}, cells)
		if err != nil {
			t.Fatal(err)
		}
		groups, sets := w.Groups()
		if len(groups) != w.Passes() {
			t.Fatalf("%d groups in %d passes", len(groups), w.Passes())
		}
		for g, n := range groups {
			sum := 0
			for sum < n {
				sum, sets = sum+sets[0], sets[1:]
			}
			if n > cells || g < len(groups)-1 && n+sets[0] <= cells {
				t.Errorf("a group of %d counts, where %d fit", n, cells)
			}
		}
		if len(sets) > 0 {
			t.Errorf("%d sets are in no group", len(sets))
		}
	}
}

// Without transitions the sets are equally likely. A set with too many counts, too many
// sets and an error of the sequence are refused.
func TestWeighingEdges(t *testing.T) {
	prior, _ := weighed(0)
	list := weigh(t, prior, posterior.Law{}, posterior.MaxWeighed, nil)
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
	_, err := posterior.NewWeighingWithin(space, prior, posterior.Law{}, 28)
	var tooLarge *posterior.SetTooLargeError
	if !errors.As(err, &tooLarge) || *tooLarge != (posterior.SetTooLargeError{Y: 0, Parents: 2, Limit: 28}) {
		t.Errorf("%v", err)
	}
	many := &bigraph.Prior{X: 40, Known: make(bigraph.Bigraph, 3), Sparseness: 40}
	var tooMany *bigraph.TooManyError
	if _, err := posterior.NewWeighing(space, many, posterior.Law{}); !errors.As(err, &tooMany) {
		t.Errorf("%v", err)
	}
	w, err := posterior.NewWeighing(space, prior, posterior.Law{})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := w.Read(func(yield func(posterior.Step, error) bool) { yield(posterior.Step{}, broken) }); err != broken || w.Passes() != 1 {
		t.Errorf("%v, and %d passes are left", err, w.Passes())
	}
}

// 64 binary variables, of which one is Y. It is the parity of three of them with
// probability 0.9; each of the three alone, and each two, say nothing of it. Oracle: the
// planted set.
func TestWeighingParity(t *testing.T) {
	wide := newSpace([]int{2}, slices.Repeat([]int{2}, 63))
	prior := &bigraph.Prior{X: 64, Known: make(bigraph.Bigraph, 1), Sparseness: 3}
	w, err := posterior.NewWeighing(wide, prior, posterior.Law{})
	if err != nil {
		t.Fatal(err)
	}
	planted := []int{0, 17, 63}
	rng := stream(61)
	var steps []posterior.Step
	for range 200 {
		s := posterior.Step{Point: make([]int, 64), Next: []int{0}}
		for i := range s.Point {
			s.Point[i] = rng.IntN(2)
		}
		for _, i := range planted {
			s.Next[0] ^= s.Point[i]
		}
		if rng.IntN(10) == 0 {
			s.Next[0] ^= 1
		}
		steps = append(steps, s)
	}
	if w.Passes() != 1 {
		t.Fatalf("%d passes", w.Passes())
	}
	if err := w.Read(once(steps)); err != nil {
		t.Fatal(err)
	}
	got := w.Weights()[0]
	if n := len(got.Sets); n != 1+64+64*63/2+64*63*62/6 {
		t.Errorf("%d sets", n)
	}
	at := slices.Index(got.Sets, bigraph.Of(planted...))
	if !(got.P[at] > 0.99) {
		t.Errorf("P(planted set) = %v", got.P[at])
	}
}
