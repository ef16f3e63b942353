package arm

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
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
	task := g.task(t)
	planner, err := task.Planner()
	if err != nil {
		return nil, err
	}
	if _, lists := planner.(*agent.Exact); lists && g.Epsilon > 0 { // else the policy is that of the plan, or draws by step
		if err := mixable(t); err != nil {
			return nil, err
		}
	}
	causal, err := agent.NewCausal(task, g.learned(t))
	return &exploring{causal, task.Exact(), planner, float64(g.Epsilon)}, err
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
	exact   *agent.Exact
	planner agent.Planner
	epsilon float64
}

// Model returns the posterior mean model and draws nothing.
func (e *exploring) Model(*posterior.Stream) *agent.Model { return e.MeanModel() }

// Plan implements [agent.Planner]: the optimal policy in the model, in which each action, by
// step and then by state, is replaced by a uniformly random one with probability ε.
func (e *exploring) Plan(ctx context.Context, rng *agent.Draws, model *agent.Model) (agent.Policy, error) {
	best, err := e.planner.Plan(ctx, rng, model)
	if err != nil || e.epsilon == 0 {
		return best, err
	}
	space := e.exact.Space
	table, listed := best.(*agent.Table)
	if !listed {
		return stray(rng, best, e.epsilon, space), nil
	}
	state := make([]int, space.Y())
	return e.exact.Tabulate(ctx, model, func(h, s int) (int, error) {
		if rng.Float64() < e.epsilon {
			return space.DrawAction(rng.Rand, space.Point(state, s)), nil
		}
		return table.Action(h, s), nil
	})
}

// straying is a policy in which each step has, with probability ε, an action that was drawn before the episode.
type straying struct {
	agent.Policy
	space   *fmdp.Space
	instead []int // by step, −1 for none: the action or, if it depends on the state which are legal, a number below lots
}

// lots is a number far above that of actions.
const lots = 1 << 30

func stray(rng *agent.Draws, policy agent.Policy, epsilon float64, space *fmdp.Space) *straying {
	s := &straying{policy, space, make([]int, policy.Horizon())}
	below := space.Actions()
	if space.Legal.ByState() {
		below = lots
	}
	for h := range s.instead {
		if s.instead[h] = -1; rng.Float64() < epsilon {
			s.instead[h] = rng.IntN(below)
		}
	}
	return s
}

// Act implements [agent.Policy].
func (s *straying) Act(ctx context.Context, h int, state []int) (int, error) {
	n := s.instead[h-1]
	if n < 0 {
		return s.Policy.Act(ctx, h, state)
	}
	if list := s.space.Choices(state); list != nil {
		return int(list[int64(n)*int64(len(list))/lots]), nil
	}
	return n, nil
}

// Weigh implements [agent.Weigher].
func (s *straying) Weigh(ctx context.Context, h int, state []int) ([]agent.Weight, error) {
	if of, weighs := s.Policy.(agent.Weigher); weighs && s.instead[h-1] < 0 {
		return of.Weigh(ctx, h, state)
	}
	return nil, nil
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
