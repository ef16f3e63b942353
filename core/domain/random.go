package domain

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// Random are the parameters of a random FMDP.
type Random struct {
	StateVariables, ActionVariables int
	Values                          int // N
	// Parents is |z_*,j|, at most d_X. If it is 0, z_*,j is uniform over the
	// sets of at most MostParents parents that contain the Eta known ones.
	Parents     int
	MostParents int
	Eta         int
	Horizon     int
}

// NewRandom draws an FMDP from the prior of the paper's first experiment. Every
// z_*,j is the beginning of a random order of X, so that G_0(η) is η random
// parents; rows are Dirichlet(1); reward factor j is tied to Y_j and pays
// 1/d_Y with a probability drawn from U(0,1); μ is uniform. Variables, tables
// or a horizon past the limits of fmdp are a *fmdp.InvalidError in the place of
// the model; no table is made that would be too large.
func NewRandom(r Random, rng *rand.Rand) (*Problem, error) {
	m := &fmdp.Model{Name: "random FMDP", Horizon: r.Horizon}
	for i := range r.StateVariables + r.ActionVariables {
		v := fmdp.Variable{Name: fmt.Sprintf("X%d", i+1), Size: r.Values}
		if i < r.StateVariables {
			m.State = append(m.State, v)
		} else {
			m.Action = append(m.Action, v)
		}
	}
	if err := m.Space.Validate(); err != nil {
		return nil, err
	}
	p := &Problem{Model: m}
	for range r.StateVariables {
		order := rng.Perm(m.X())
		n := r.Parents
		if n == 0 {
			n = uniformSize(r, m.X(), rng)
		}
		p.Reveal = append(p.Reveal, order[:n])
	}
	if err := m.CheckTables(p.Revealed(m.X())); err != nil {
		return nil, err
	}
	p.Suggested = p.Revealed(r.Eta)
	randomTables(p, rng)
	m.Initial = fmdp.Uniform(m.States())
	return p, m.Validate()
}

// uniformSize draws |z_*,j| such that the set is uniform over the consistent
// ones: with η known, i more parents have weight C(d_X−η, i).
func uniformSize(r Random, dX int, rng *rand.Rand) int {
	eta := min(r.Eta, dX)
	most := max(min(r.MostParents, dX), eta)
	weights := []float64{1}
	sum := 1.0
	for i := 1; i <= most-eta; i++ {
		w := weights[i-1] * float64(dX-eta-i+1) / float64(i)
		weights = append(weights, w)
		sum += w
	}
	for i := range weights {
		weights[i] /= sum
	}
	return eta + fmdp.Draw(rng, weights)
}

// randomTables fills in the transition and reward tables over the true graph.
func randomTables(p *Problem, rng *rand.Rand) {
	m := p.Model
	for j, order := range p.Reveal {
		given := slices.Sorted(slices.Values(order))
		f := fmdp.Factor{Given: given, Size: m.State[j].Size}
		f.P = make([]float64, m.Rows(given)*f.Size)
		for row := range m.Rows(given) {
			posterior.SampleUniform(rng, f.Row(row))
		}
		m.Transition = append(m.Transition, f)
	}
	for j, f := range m.Transition {
		mean := make([]float64, m.Rows(f.Given))
		for row := range mean {
			mean[row] = rng.Float64()
		}
		m.Reward = append(m.Reward, fmdp.Reward{
			Given: f.Given, Mean: mean, Kind: fmdp.Bernoulli, Scale: 1 / float64(m.Y()), Of: j,
		})
	}
}

// NewFigure1 returns an instance of the paper's Figure 1: binary X1, X2 (state)
// and X3, X4 (action), Y1 ← {X1, X2} and Y2 ← {X2, X4} known, and the hidden
// edge X3 → Y1. Tables, rewards and μ are drawn as NewRandom's.
func NewFigure1(horizon int, rng *rand.Rand) (*Problem, error) {
	m := &fmdp.Model{Name: "Figure 1", Horizon: horizon}
	m.State = []fmdp.Variable{{Name: "X1", Size: 2}, {Name: "X2", Size: 2}}
	m.Action = []fmdp.Variable{{Name: "X3", Size: 2}, {Name: "X4", Size: 2}}
	p := &Problem{
		Model:     m,
		Suggested: bigraph.Bigraph{bigraph.Of(0, 1), bigraph.Of(1, 3)},
		Reveal:    [][]int{{0, 1, 2}, {1, 3}},
	}
	randomTables(p, rng)
	m.Initial = fmdp.Uniform(m.States())
	return p, m.Validate()
}
