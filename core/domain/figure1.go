package domain

import (
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var figure1Kind = Kind{
	Key: "figure1", Label: "Figure 1’s example", Phrase: "Figure 1’s example",
	Mixes:  true,
	Reward: randomReward,
	New:    func() Domain { return new(Figure1) },
}

// Figure1 is the example of the paper's Figure 1: binary X1, X2 (state) and X3,
// X4 (action), Y1 ← {X1, X2} and Y2 ← {X2, X4} known, and the hidden edge
// X3 → Y1.
type Figure1 struct {
	Horizon int
	Rows    concentration.Concentration // the concentration of the rows of the true tables
}

// Kind implements [Domain].
func (*Figure1) Kind() *Kind { return &figure1Kind }

// Params implements [Domain].
func (f *Figure1) Params() []param.Param {
	return []param.Param{horizon(&f.Horizon, "10"), trueRows(&f.Rows)}
}

// Sparseness implements [Domain].
func (f *Figure1) Sparseness() int { return 3 }

// Title implements [Domain].
func (f *Figure1) Title() (string, []string) { return "The example of Figure 1", nil }

// Build implements Domain. Tables, rewards and μ follow the laws of [Random].
func (f *Figure1) Build(rng *rand.Rand, _ Given) (*Problem, error) {
	m := &fmdp.Model{Name: "Figure 1", Horizon: f.Horizon}
	m.State = []fmdp.Variable{{Name: "X1", Size: 2}, {Name: "X2", Size: 2}}
	m.Action = []fmdp.Variable{{Name: "X3", Size: 2}, {Name: "X4", Size: 2}}
	p := problem(m)
	p.Suggested = bigraph.Bigraph{bigraph.Of(0, 1), bigraph.Of(1, 3)}
	p.Reveal = [][]int{{0, 1, 2}, {1, 3}}
	drawTransitions(p, f.Rows, rng)
	for j := range m.Transition {
		drawReward(m, m.Transition[j].Given, j, rng)
	}
	return p, finish(p)
}
