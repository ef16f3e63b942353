package domain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

var randomKind = Kind{
	Key: "random-fmdp", Label: "Random FMDP", Phrase: "random FMDP",
	PerRun: true, Mixes: true, FrozenSparseness: 5,
	Reward: randomReward,
	New:    func() Domain { return new(Random) },
}

// randomReward is what a step of a random FMDP pays, in words.
const randomReward = "A step pays from 0 to 1: each state variable adds an equal share or nothing, at random."

// UniformParents is the value of Random.Parents with which each true parent set is drawn
// uniformly from the consistent ones.
const UniformParents = -1

// Random is a random FMDP.
type Random struct {
	StateVariables, ActionVariables int
	Values                          int // N
	// Parents is |z_*,j|, at most d_X. If it is UniformParents, z_*,j is uniform
	// over the sets of at most Z parents that contain the η known ones.
	Parents int
	Horizon int
	Rows    concentration.Concentration // the concentration of the rows of the true tables
	// RewardScopes is TiedScopes or OwnScopes.
	RewardScopes string
}

// Scopes of reward factor j of a random FMDP.
const (
	TiedScopes = "tied" // z_*,j; known rewards then reveal something of the graph
	OwnScopes  = "own"  // drawn from the law of z_*,j, but independently of it
)

// maxValues is the largest number of values of a variable.
const maxValues = 1 << 10

// mostRandom is the largest number of state and action variables.
const mostRandom = 64

// Kind implements [Domain].
func (*Random) Kind() *Kind { return &randomKind }

// Params implements [Domain].
func (r *Random) Params() []param.Param {
	d := r.StateVariables + r.ActionVariables
	return []param.Param{
		{
			Name: "stateVariables", Key: "states", Section: param.Domain, Label: "State variables", Phrase: "_ state variables",
			Int: &r.StateVariables, Low: 1, High: mostRandom - 1, Default: "6",
		}, {
			Name: "actionVariables", Key: "actions", Section: param.Domain, Label: "Action variables", Phrase: "_ action variables",
			Int: &r.ActionVariables, Low: 1, High: mostRandom - r.StateVariables, Default: "3",
		}, {
			Name: "values", Key: "values", Section: param.Domain, Label: "Values", Symbol: "N", Phrase: "N = _",
			Int: &r.Values, Low: 1, High: maxValues, Default: "2",
		}, {
			Name: "parents", Key: "parents", Section: param.Domain, Label: "True parents", Phrase: "_ parents",
			Int: &r.Parents, Low: 1, High: d, Words: []param.Word{{Value: "uniform", Label: "uniform"}},
			Default: strconv.Itoa(min(5, max(1, d))), Frozen: "5",
		},
		horizon(&r.Horizon, "100"),
		trueRows(&r.Rows),
		{
			Name: "rewardScopes", Key: "scopes", Section: param.Domain, Label: "Reward scopes", Phrase: "reward scopes _",
			Help: "Known rewards on the true parents tell about the graph; those on scopes of their own do not.",
			Text: &r.RewardScopes, Words: []param.Word{{Value: TiedScopes, Label: "the true parents"}, {Value: OwnScopes, Label: "drawn apart"}},
			Default: OwnScopes, Frozen: TiedScopes, Since: 2,
		},
	}
}

// Sparseness implements Domain: the paper's 5, or as many as there are parents.
func (r *Random) Sparseness() int { return max(r.Parents, 5) }

// Title implements [Domain].
func (r *Random) Title() (string, []string) {
	facts := []string{
		fmt.Sprintf("d_X = %d", r.StateVariables+r.ActionVariables), fmt.Sprintf("d_Y = %d", r.StateVariables), fmt.Sprintf("N = %d", r.Values),
	}
	if r.RewardScopes == OwnScopes {
		facts = append(facts, "own reward scopes")
	}
	return "Random FMDP", facts
}

// Build implements Domain: it draws an FMDP from the prior of the paper's first
// experiment. Every z_*,j is the beginning of a random order of X, so G_0(η) is η random
// parents. Rows are Dirichlet(α) with the α of Rows. Reward factor j is tied to Y_j and
// pays 1/d_Y with a probability drawn from U(0,1). μ is uniform.
//
// With OwnScopes, reward factor j is tied to no variable. Its scope has the law of z_*,j
// with no known parents; the scope and the means are drawn from given.Rewards. The graph
// and the transition tables do not depend on RewardScopes.
//
// Build checks the limits of fmdp before it makes a table.
func (r *Random) Build(rng *rand.Rand, given Given) (*Problem, error) {
	p, err := r.draw(rng, given)
	if f, ok := err.(*fmdp.Fault); ok {
		name := "stateVariables"
		switch f.At[0] {
		case "horizon":
			name = "horizon"
		case "transition":
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
	if err := m.Space.CheckPoints(); err != nil && !given.GraphOnly {
		return nil, err
	}
	p := problem(m)
	for _, v := range m.State {
		p.Reveal = append(p.Reveal, r.drawParents(given.of(v.Name), m.X(), rng))
	}
	p.Suggested = p.Revealed(given.Eta)
	if given.GraphOnly {
		for j, z := range p.Revealed(m.X()) {
			m.Transition = append(m.Transition, fmdp.Factor{Given: z.Parents(), Size: m.State[j].Size})
		}
		return p, nil
	}
	if err := m.CheckTables(p.Revealed(m.X())); err != nil {
		return nil, err
	}
	drawTransitions(p, r.Rows, rng)
	if r.RewardScopes == OwnScopes {
		rng = given.Rewards
	}
	for j := range m.Transition {
		scope, of := m.Transition[j].Given, j
		if r.RewardScopes == OwnScopes {
			nothing := Given{MostParents: given.of(m.State[j].Name).MostParents}
			scope, of = slices.Sorted(slices.Values(r.drawParents(nothing, m.X(), rng))), -1
		}
		drawReward(m, scope, of, rng)
	}
	return p, finish(p)
}

// drawParents draws a parent set as the beginning of a random order of X.
func (r *Random) drawParents(given Given, dX int, rng *rand.Rand) []int {
	order := rng.Perm(dX)
	n := r.Parents
	if n == UniformParents {
		n = uniformSize(given, dX, rng)
	}
	return order[:n]
}

// uniformSize draws |z_*,j| such that the set is uniform over the consistent
// ones: with η known parents, i further parents have weight C(d_X−η, i).
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

// drawTransitions draws the transition tables over the true graph. If the concentration
// is a list, it first draws an α from the list for each table or, if the list is mixed, for
// each row.
func drawTransitions(p *Problem, rows concentration.Concentration, rng *rand.Rand) {
	m := p.View
	for j, order := range p.Reveal {
		given := slices.Sorted(slices.Values(order))
		f := fmdp.Factor{Given: given, Size: m.State[j].Size}
		f.P = make([]float64, m.Rows(given)*f.Size)
		alphas := rows.Alphas(f.Size, m.Rows(given))
		alpha := alphas[0]
		if rows.Learns() {
			alpha = alphas[rng.IntN(len(alphas))]
		}
		prior := make(posterior.Counts, f.Size) // Dirichlet(α, …, α)
		for row := range m.Rows(given) {
			if rows.Mixes() {
				alpha = alphas[rng.IntN(len(alphas))]
			}
			prior.Sample(rng, alpha, f.Row(row))
		}
		m.Transition = append(m.Transition, f)
	}
}

// drawReward adds a reward factor with random means. The factor is tied to Y_of or, if of
// is −1, to no variable.
func drawReward(m *fmdp.Model, given []int, of int, rng *rand.Rand) {
	mean := make([]float64, m.Rows(given))
	for row := range mean {
		mean[row] = rng.Float64()
	}
	m.Reward = append(m.Reward, fmdp.Reward{Given: given, Mean: mean, Kind: fmdp.Bernoulli, Scale: 1 / float64(m.Y()), Of: of})
}

// finish makes μ uniform and checks the model.
func finish(p *Problem) error {
	m := p.View
	m.Initial = fmdp.Uniform(m.States())
	return m.Validate()
}
