package domain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

var randomKind = Kind{
	Key: "random-fmdp", Label: "Random FMDP", Phrase: "random FMDP",
	PerRun: true, Mixes: true, FrozenSparseness: 5,
	New: func() Domain { return new(Random) },
}

// UniformParents draws each true parent set uniformly from the consistent ones.
const UniformParents = -1

// Random are the parameters of a random FMDP.
type Random struct {
	StateVariables, ActionVariables int
	Values                          int // N
	// Parents is |z_*,j|, at most d_X. If it is UniformParents, z_*,j is uniform
	// over the sets that contain the known parents and that the prior admits.
	Parents int
	Horizon int
}

// maxValues is the largest number of values of a variable.
const maxValues = 1 << 10

// Kind implements Domain.
func (*Random) Kind() *Kind { return &randomKind }

// Params implements Domain.
func (r *Random) Params() []param.Param {
	d := r.StateVariables + r.ActionVariables
	return []param.Param{
		{
			Name: "stateVariables", Key: "states", Section: param.Domain, Label: "State variables", Phrase: "_ state variables",
			Int: &r.StateVariables, Low: 1, High: fmdp.MaxVariables - 1, Default: "6",
		}, {
			Name: "actionVariables", Key: "actions", Section: param.Domain, Label: "Action variables", Phrase: "_ action variables",
			Int: &r.ActionVariables, Low: 1, High: fmdp.MaxVariables - r.StateVariables, Default: "3",
		}, {
			Name: "values", Key: "values", Section: param.Domain, Label: "Values", Symbol: "N", Phrase: "N = _",
			Int: &r.Values, Low: 1, High: maxValues, Default: "2",
		}, {
			Name: "parents", Key: "parents", Section: param.Domain, Label: "True parents", Phrase: "_ parents",
			Int: &r.Parents, Low: 1, High: d, Words: []param.Word{{Value: "uniform", Label: "uniform"}},
			Default: strconv.Itoa(min(5, max(1, d))), Frozen: "5",
		},
		horizon(&r.Horizon, "100"),
	}
}

// Sparseness implements Domain: the paper's 5, or as many as there are parents.
func (r *Random) Sparseness() int { return max(r.Parents, 5) }

// Title implements Domain.
func (r *Random) Title() (string, []string) {
	return "Random FMDP", []string{
		fmt.Sprintf("d_X = %d", r.StateVariables+r.ActionVariables), fmt.Sprintf("d_Y = %d", r.StateVariables), fmt.Sprintf("N = %d", r.Values),
	}
}

// Build implements Domain: it draws an FMDP from the prior of the paper's first
// experiment. Every z_*,j is the beginning of a random order of X, so that G_0(η)
// is η random parents; rows are Dirichlet(1); reward factor j is tied to Y_j and
// pays 1/d_Y with a probability drawn from U(0,1); μ is uniform. No table is made
// that would be past the limits of fmdp.
func (r *Random) Build(rng *rand.Rand, given Given) (*Problem, error) {
	p, err := r.draw(rng, given)
	if f, ok := err.(*fmdp.Fault); ok {
		name := "stateVariables"
		switch f.At {
		case "/horizon":
			name = "horizon"
		case "/transition":
			name = "parents"
		}
		return nil, &param.Error{Name: name, Reason: f.Reason}
	}
	return p, err
}

func (r *Random) draw(rng *rand.Rand, given Given) (*Problem, error) {
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
		if n == UniformParents {
			n = uniformSize(given, m.X(), rng)
		}
		p.Reveal = append(p.Reveal, order[:n])
	}
	if err := m.CheckTables(p.Revealed(m.X())); err != nil {
		return nil, err
	}
	p.Suggested = p.Revealed(given.Eta)
	return p, complete(p, rng)
}

// uniformSize draws |z_*,j| such that the set is uniform over the consistent
// ones: with η known, i more parents have weight C(d_X−η, i).
func uniformSize(given Given, dX int, rng *rand.Rand) int {
	eta := min(given.Eta, dX)
	most := max(min(given.MostParents, dX), eta)
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

// complete draws the transition and reward tables over the true graph and makes μ
// uniform.
func complete(p *Problem, rng *rand.Rand) error {
	m := p.Model
	for j, order := range p.Reveal {
		given := slices.Sorted(slices.Values(order))
		f := fmdp.Factor{Given: given, Size: m.State[j].Size}
		f.P = make([]float64, m.Rows(given)*f.Size)
		prior := make(posterior.Counts, f.Size) // Dirichlet(1, …, 1)
		for row := range m.Rows(given) {
			prior.Sample(rng, f.Row(row))
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
	m.Initial = fmdp.Uniform(m.States())
	return m.Validate()
}
