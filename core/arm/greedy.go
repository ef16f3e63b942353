package arm

import (
	"fmt"
	"strconv"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

var greedyKind = Kind{
	Key: "greedy", Gloss: "believes as C-PSRL, plans in the mean model, explores by chance",
	Graph: true, Factored: true, Source: document.Estimated, Believes: true, Plans: true, Baseline: 1, Since: 2,
	New: func() Config { return &greedy{Graph: onBest, Epsilon: standardEpsilon} },
}

// greedy is ε-greedy certainty equivalence. It plans in the posterior mean of the model; the graph
// of that model is the most probable one or one that greedy is told. In each step it plays a
// uniformly random action with probability ε.
type greedy struct {
	Epsilon probability
	Graph   string
	own
}

const (
	onBest          = "best"
	standardEpsilon = probability(0.1)
)

func (g *greedy) Params() []param.Param {
	return append([]param.Param{{
		Name: "epsilon", Section: param.Agents, Label: "Exploration", Symbol: "ε", Phrase: "ε = _",
		Written: &g.Epsilon, Default: standardEpsilon.String(),
	}, {
		Name: "graph", Section: param.Agents, Label: "Graph", Phrase: "graph _", Text: &g.Graph, Default: onBest,
		Words: []param.Word{{Value: onBest, Label: "the most probable"}, {Value: onTruth, Label: "the true one"}, {Value: onPrior, Label: "the prior’s"}},
	}}, g.rows()...)
}

func (g *greedy) Names() (string, string) {
	list := []string{"ε = " + g.Epsilon.String()}
	switch g.Graph {
	case onTruth:
		list = append(list, "true graph")
	case onPrior:
		list = append(list, "on G₀")
	}
	list = append(list, g.words()...)
	return "Greedy (" + strings.Join(list, ", ") + ")", "Greedy, " + strings.Join(list, ", ")
}

func (g *greedy) PriorName() (string, bool) { return string(g.Named), false }
func (g *greedy) Look() Look                { return Look{"#A6761D", []float64{7, 2, 1, 2}} }

func (g *greedy) Needs() []Need {
	switch {
	case g.Named != "":
		return []Need{NamedPrior}
	case g.Graph == onTruth:
		return []Need{Sparse, TrueGraph}
	}
	return []Need{GivenPrior}
}

func (g *greedy) Prior(t *agent.Task) *bigraph.Prior {
	switch {
	case g.Named != "": // as with F-PSRL, the prior in place of the true graph
		return t.Named(string(g.Named), noEta)
	case g.Graph == onTruth:
		return t.Prior.Of(t.Truth)
	}
	return t.Prior
}

// learned returns the prior of the belief. If the agent is told its graph, this prior leaves only
// that graph; otherwise it is the agent's prior.
func (g *greedy) learned(t *agent.Task) *bigraph.Prior {
	prior := g.Prior(t)
	if g.Graph == onBest {
		return prior
	}
	if g.Graph == onTruth && g.Named == "" { // the agent is told the parents of payoffs, too
		return agent.Certain(prior.Stated(), t.Space.X())
	}
	return agent.Stated(prior, t.Space.X())
}

func (g *greedy) Build(t *agent.Task) (agent.Agent, error) {
	if err := mixable(t); g.Epsilon > 0 && err != nil { // else the policy is that of the plan
		return nil, err
	}
	task := g.task(t)
	causal, err := agent.NewCausal(task, g.learned(t))
	if err != nil {
		return nil, err
	}
	return &exploring{causal, task, float64(g.Epsilon)}, nil
}

func (g *greedy) Cost(t *agent.Task, s *Size) float64 {
	graph := t.Truth
	if g.Graph == onPrior {
		graph = g.Prior(t).Stated()
	}
	cost := causalCost(g.task(t), s, g.learned(t), graph) + s.Plan
	if g.Epsilon > 0 {
		cost += mixedCost(t, s, s.Backup)
	}
	return cost
}

// exploring is the agent of greedy. Its belief is that of C-PSRL.
type exploring struct {
	*agent.Causal
	task    *agent.Task
	epsilon float64
}

// Model returns the posterior mean model and draws nothing.
func (e *exploring) Model(*posterior.Stream) *agent.Model { return e.MeanModel() }

// Plan implements [agent.Planner]: the optimal policy in the model, in which each action, by
// step and then by state, is replaced by a uniformly random one with probability ε.
func (e *exploring) Plan(rng *posterior.Stream, model *agent.Model) (*planning.Policy, *planning.Values, error) {
	best, values, err := e.task.Exact().Plan(rng, model)
	if err != nil || e.epsilon == 0 {
		return best, values, err
	}
	actions := e.task.Space.Actions()
	return mixed(e.task, model, func(h, s int) int32 {
		if rng.Float64() < e.epsilon {
			return int32(rng.IntN(actions))
		}
		return int32(best.Action(h, s))
	})
}

// probability is a number from 0 to 1 with a notation.
type probability float64

func (p probability) String() string { return strconv.FormatFloat(float64(p), 'f', -1, 64) }
func (probability) Range() string    { return "a number from 0 to 1" }

// mostDigits is the length of the longest canonical text of a probability.
const mostDigits = 12

func (p *probability) Parse(text string) error {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 1) || len(probability(value).String()) > mostDigits || strings.Trim(text, "0123456789.") != "" {
		return fmt.Errorf("%q is not %s", param.Clip(text), p.Range())
	}
	*p = probability(value)
	return nil
}
