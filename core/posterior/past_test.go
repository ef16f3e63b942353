package posterior

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Oracle: a belief that passes over no set, to the bit. First y follows a, so that sets without a are passed over; then the opposite, so that
// they come near again.
func TestPassOver(t *testing.T) {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 3}},
		Action: []fmdp.Variable{{Name: "c", Size: 2}, {Name: "d", Size: 2}},
	}
	prior := &bigraph.Prior{X: 4, Known: make(bigraph.Bigraph, 2), Sparseness: 3, Likely: []bigraph.Edge{{X: 0, Y: 0, P: .3}}}
	sets, err := prior.Enumerate(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"1", "0.3", "ess:1", "learn:0.1:1:2.5"} {
		for _, update := range []Update{Exact, Printed} {
			for _, rewards := range [][]int{nil, {0}} {
				rng := rand.New(rand.NewPCG(1, 2))
				law := Law{Update: update}
				if len(rewards) > 0 {
					law.Sets = prior.LogWeights(0, sets)
				}
				if err := law.Rows.Parse(text); err != nil {
					t.Fatal(err)
				}
				quick, slow := NewLocal(space, 0, sets, rewards, law), NewLocal(space, 0, sets, rewards, law)
				begun, recalled := 0, 0
				for episode := range 60 {
					steps := make([]Step, 900)
					for k := range steps {
						x := []int{rng.IntN(2), rng.IntN(3), rng.IntN(2), rng.IntN(2)}
						y := x[0]
						if episode >= 30 {
							y = 1 - x[0]
						}
						if rng.IntN(20) == 0 {
							y = rng.IntN(2)
						}
						steps[k] = Step{Point: x, Next: []int{y, 0}}
						if episode%7 != 3 {
							steps[k].Paid = []uint8{uint8(rng.IntN(2))}
						}
						if episode%7 == 5 {
							steps[k].Next[0] = fmdp.Unseen
						}
					}
					for k := 1; k < len(steps); k++ { // payoffs are observed in all steps or in none
						if steps[0].Paid == nil {
							steps[k].Paid = nil
						}
					}
					on := quick.past.on
					quick.Observe(steps)
					slow.observe(steps, false)
					if quick.past.on && !on {
						begun++
					}
					if !quick.past.on && on {
						recalled++
					}
					got, want := quick.Probabilities(make([]float64, len(sets))), slow.Probabilities(make([]float64, len(sets)))
					if !slices.Equal(got, want) || quick.Best() != slow.Best() {
						t.Fatalf("α %s, %v, episode %d: %v, want %v", text, update, episode, got, want)
					}
					belongs := func(z bigraph.Scope) bool { return z.Has(1) }
					if got, want := quick.LogShare(belongs), slow.LogShare(belongs); got != want {
						t.Errorf("α %s, %v, episode %d: the share %v, want %v", text, update, episode, got, want)
					}
					got0, _ := quick.LogOdds(belongs)
					if want0, _ := slow.LogOdds(belongs); got0 != want0 {
						t.Errorf("α %s, %v, episode %d: the odds %v, want %v", text, update, episode, got0, want0)
					}
					if quick.past.on {
						for k := range sets {
							exact := slow.logWeights[k]
							if bound := quick.bound(k); !(bound >= exact && bound <= exact+1+1e-6*math.Abs(exact)) {
								t.Fatalf("α %s, %v, set %d: the bound is %v, the weight %v", text, update, k, bound, exact)
							}
						}
					}
				}
				for k := range sets {
					if !slices.Equal(quick.Counts(k), slow.Counts(k)) || quick.LogEvidence(k) != slow.LogEvidence(k) ||
						!slices.Equal(quick.MeanFactor(k, nil).P, slow.MeanFactor(k, nil).P) {
						t.Errorf("α %s, %v, set %d: the counts, the evidence or the mean differ", text, update, k)
					}
				}
				if begun == 0 || recalled == 0 {
					t.Errorf("α %s, %v: sets were passed over %d times and recalled %d times", text, update, begun, recalled)
				}
			}
		}
	}
}
