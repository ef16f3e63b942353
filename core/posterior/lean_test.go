package posterior

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
)

// Oracle: a belief with tables. Without them the counts are the same, and the evidence is but for rounding; if each row is a block with
// the α of its table, to the bit.
func TestLean(t *testing.T) {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 3}, {Name: "c", Size: 1}, {Name: "d", Size: 2}},
		Action: []fmdp.Variable{{Name: "e", Size: 4}},
	}
	prior := &bigraph.Prior{X: 5, Known: make(bigraph.Bigraph, 4), Sparseness: 3, Likely: []bigraph.Edge{{X: 0, Y: 1, P: .3}}}
	sets, err := prior.Enumerate(1)
	if err != nil {
		t.Fatal(err)
	}
	close := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }
	for _, structure := range []concentration.Structure{concentration.Rows, concentration.Tied, concentration.Trees} {
		for _, text := range []string{"1", "0.3", "learn:0.1:1:2.5", "mix:0.01:0.1:1"} {
			for _, kind := range []string{"", "rewards", "payoff"} {
				law := Law{Structure: structure, Sets: prior.LogWeights(1, sets)}
				if err := law.Rows.Parse(text); err != nil {
					t.Fatal(err)
				}
				of := func(law Law) *Local {
					switch kind {
					case "rewards":
						return NewLocal(space, 1, sets, []int{1, 0}, law)
					case "payoff":
						return NewPayoff(space, 1, sets, law)
					}
					return NewLocal(space, 1, sets, nil, law)
				}
				name := structure.String() + ", α " + text + ", " + kind
				tabled := of(law)
				law.Lean = true
				lean := of(law)
				rng := rand.New(rand.NewPCG(1, 2))
				for episode := range 20 {
					steps := make([]Step, rng.IntN(60))
					for k := range steps {
						x := []int{rng.IntN(2), rng.IntN(3), 0, rng.IntN(2), rng.IntN(4)}
						steps[k] = Step{Point: x, Next: []int{0, (x[0] + rng.IntN(2)) % 3, 0, 0}}
						if episode != 2 {
							steps[k].Paid = []uint8{uint8(rng.IntN(2)), uint8(x[3])}
						}
						if episode%3 == 1 && k%2 == 0 || episode == 9 {
							steps[k].Next[1] = fmdp.Unseen
						}
					}
					tabled.Observe(steps)
					lean.Observe(steps)
					p, q := tabled.Probabilities(make([]float64, len(sets))), lean.Probabilities(make([]float64, len(sets)))
					for k := range sets {
						if math.Abs(p[k]-q[k]) > 1e-9 {
							t.Fatalf("%s, episode %d: the probabilities are %v, want %v", name, episode, q, p)
						}
					}
				}
				for k := range sets {
					if !slices.Equal(tabled.Counts(k), lean.Counts(k)) {
						t.Errorf("%s, set %d: the counts differ", name, k)
					}
					got, want := lean.LogEvidence(k), tabled.LogEvidence(k)
					if !close(got, want) || !tabled.law.blocks() && got != want {
						t.Errorf("%s, set %d: the evidence is %v, want %v", name, k, got, want)
					}
					a, b := tabled.MeanFactor(k, nil), lean.MeanFactor(k, nil)
					if !slices.Equal(a.Given, b.Given) || a.Size != b.Size || !slices.EqualFunc(a.P, b.P, close) {
						t.Errorf("%s, set %d: the mean is %v, want %v", name, k, b, a)
					}
					if !slices.EqualFunc(tabled.Matters(k), lean.Matters(k), func(a, b Matter) bool {
						return a.Parent == b.Parent && slices.Equal(a.Context, b.Context) && math.Abs(a.P-b.P) < 1e-9
					}) {
						t.Errorf("%s, set %d: what matters is %v, want %v", name, k, lean.Matters(k), tabled.Matters(k))
					}
					a, b = tabled.SampleFactor(rand.New(rand.NewPCG(3, 4)), k, nil), lean.SampleFactor(rand.New(rand.NewPCG(3, 4)), k, nil)
					if !slices.Equal(a.Given, b.Given) || !slices.EqualFunc(a.P, b.P, close) {
						t.Errorf("%s, set %d: a sample is %v, want %v", name, k, b, a)
					}
					if kind == "rewards" {
						given, means := lean.MeanReward(1, k)
						given0, means0 := tabled.MeanReward(1, k)
						if !slices.Equal(given, given0) || !slices.Equal(means, means0) {
							t.Errorf("%s, set %d: the mean payoffs are %v, want %v", name, k, means, means0)
						}
					}
				}
			}
		}
	}
}

// Points of more than one word, and of variables of one value.
func TestPack(t *testing.T) {
	var p past
	sizes := []int{1, 1 << 20, 3, 1 << 20, 1 << 20, 1 << 20, 2, 1}
	p.pack(sizes)
	if p.words != 2 {
		t.Errorf("%d words, want 2", p.words)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var steps []Step
	for range 100 {
		x := make([]int, len(sizes))
		for i, size := range sizes {
			x[i] = rng.IntN(size)
		}
		steps = append(steps, Step{Point: x})
	}
	p.add(nil, steps, call{seen: true})
	for i := range sizes {
		for t1, row := range p.rowsOf(bigraph.Of(i), sizes, 10, 5) {
			if int(row) != 5+steps[10+t1].Point[i] {
				t.Fatalf("variable %d of step %d is read as %d, want %d", i, 10+t1, row-5, steps[10+t1].Point[i])
			}
		}
	}
}
