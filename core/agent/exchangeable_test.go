package agent_test

import (
	"flag"
	"math"
	"slices"
	"strconv"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

var exchangeable = flag.Int("exchangeable", 400, "the runs of each row of TestExchangeableSoft")

// drawTruth draws a model from a prior: each z_j by the prior's weights, by inversion, and
// rows from Dirichlet(α). The rewards do not depend on the graph.
func drawTruth(t *testing.T, prior *bigraph.Prior, space *fmdp.Space, alpha float64, rng *posterior.Stream) *fmdp.Model {
	t.Helper()
	m := &fmdp.Model{Space: *space, Horizon: 15, Initial: fmdp.Uniform(space.States())}
	for j := range space.Y() {
		sets, err := prior.Enumerate(j)
		if err != nil {
			t.Fatal(err)
		}
		weights, sum := make([]float64, len(sets)), 0.0
		for k, z := range sets {
			weights[k] = 1
			for _, e := range prior.Likely { // by the definition, not by LogWeights
				if e.Y == j && z.Has(e.X) {
					weights[k] *= e.P
				} else if e.Y == j {
					weights[k] *= 1 - e.P
				}
			}
			sum += weights[k]
		}
		for k := range weights {
			weights[k] /= sum
		}
		f := fmdp.Factor{Given: sets[fmdp.Draw(rng.Rand, weights)].Parents(), Size: 2}
		f.P = make([]float64, 2*space.Rows(f.Given))
		for row := range space.Rows(f.Given) {
			make(posterior.Counts, 2).Sample(rng.Rand, alpha, f.Row(row))
		}
		m.Transition = append(m.Transition, f)
	}
	m.Reward = []fmdp.Reward{{Given: []int{0, 1, 2}, Mean: []float64{0, 0.2, 0.9, 0.4, 0.1, 1, 0.3, 0.6}, Kind: fmdp.Bernoulli, Scale: 1, Of: -1}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// softPrior returns a prior with a known edge, a forbidden edge and likely edges, whose
// probabilities are told(p).
func softPrior(dX int, told func(p float64) float64) *bigraph.Prior {
	p := &bigraph.Prior{X: dX, Known: bigraph.Bigraph{bigraph.Of(0), 0, 0}, Forbidden: bigraph.Bigraph{0, bigraph.Of(4), 0}, Sparseness: 3}
	for _, e := range []bigraph.Edge{{X: 1, Y: 0, P: 0.9}, {X: 3, Y: 0, P: 0.1}, {X: 0, Y: 1, P: 0.8}, {X: 1, Y: 1, P: 0.8}, {X: 2, Y: 2, P: 0.95}, {X: 3, Y: 2, P: 0.2}, {X: 4, Y: 2, P: 0.05}} {
		e.P = told(e.P)
		p.Likely = append(p.Likely, e)
	}
	return p
}

// Posterior sampling with probabilities of edges is exact: with truths drawn from the
// prior, the sampled and the true model have one law given the history. Oracle: the
// identities of exchangeability, to 4 standard errors; an agent that is told other
// probabilities, or of another α, fails them. (Package experiment tests priors without
// probabilities.)
//
//	go test ./core/agent -run TestExchangeableSoft -v -exchangeable 6000
func TestExchangeableSoft(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where the same numbers are drawn")
	}
	episodes := []int{1, 2, 4, 8, 16}
	runs := *exchangeable
	space := binary(3, 2)
	for _, c := range []struct {
		name        string
		told        func(p float64) float64
		rows, alpha float64 // α of the true rows, and the agent's
		holds       bool
	}{
		{"the prior's", func(p float64) float64 { return p }, 1, 1, true},
		{"the prior's, with α = 0.2", func(p float64) float64 { return p }, 0.2, 0.2, true},
		{"the prior's, with α = 1 where 0.2 is true", func(p float64) float64 { return p }, 0.2, 1, false},
		{"nothing", func(float64) float64 { return 0.5 }, 1, 1, false},
		{"too sure", func(p float64) float64 { return p * p * p / (p*p*p + (1-p)*(1-p)*(1-p)) }, 1, 1, false},
	} {
		differences := make([][]float64, 3*len(episodes))
		law := softPrior(5, func(p float64) float64 { return p })
		var alpha dirichlet.Concentration
		if err := alpha.Parse(strconv.FormatFloat(c.alpha, 'g', -1, 64)); err != nil {
			t.Fatal(err)
		}
		for run := range uint64(runs) {
			m := drawTruth(t, law, space, c.rows, stream(1<<20+run))
			task := &agent.Task{Space: space, Payoffs: m.Reward, Prior: softPrior(5, c.told), Truth: m.Graph(), Reward: make([]float64, m.Points())}
			m.ExpectedReward(task.Reward)
			task.Law.Rows = alpha
			a, err := agent.NewCausal(task, task.Prior)
			if err != nil {
				t.Fatal(err)
			}
			mdp, err := planning.FromModel(m, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, best := planning.Solve(mdp)
			for e, err := range agent.Episodes(t.Context(), a, agent.NewSimulation(m, stream(2<<20+run).Rand), &agent.Exact{Space: space, Horizon: m.Horizon}, stream(3<<20+run)) {
				if err != nil {
					t.Fatal(err)
				}
				at := slices.Index(episodes, e.Number)
				if at < 0 {
					continue
				}
				s := bigraph.Compare(e.Model.Graph, m.Graph(), 0)
				for k, d := range []float64{s.Recall - s.Precision, float64(e.Model.Graph.Edges() - m.Graph().Edges()), e.Values.Value(m.Initial) - best.Value(m.Initial)} {
					differences[3*at+k] = append(differences[3*at+k], d)
				}
				if at == len(episodes)-1 {
					break
				}
			}
		}
		worst := 0.0
		for _, list := range differences {
			mean, squares := 0.0, 0.0
			n := float64(len(list))
			for _, d := range list {
				mean += d / n
			}
			for _, d := range list {
				squares += (d - mean) * (d - mean)
			}
			worst = max(worst, math.Abs(mean)/math.Sqrt(squares/(n-1)/n))
		}
		t.Logf("told %s: missed by up to %.1f standard errors", c.name, worst)
		if (worst < 4) != c.holds {
			t.Errorf("told %s: the identities are missed by up to %.1f standard errors; they hold: %v", c.name, worst, c.holds)
		}
	}
}
