package experiment

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Guest is an agent of somebody else's in one run. It meets the true model that our agents meet there, and its world draws
// from the stream that an agent of its label has. A Guest belongs to one goroutine at a time.
type Guest struct {
	t         *truth
	world     *world
	sum       float64    // of the rewards of the episode
	reference *reference // nil before it is asked for
}

// Guest returns the guest of that label in a run before its first episode.
func (e *Experiment) Guest(ctx context.Context, run int, label string) (*Guest, error) {
	if first, last := e.spec.FirstRun, e.spec.FirstRun+e.spec.Runs-1; run < first || run > last {
		return nil, strict.Invalid("/run", "there is no run %d; runs are %d to %d", run, first, last)
	}
	if err := e.first.check(ctx, nil); err != nil {
		return nil, err
	}
	t, err := e.unsolved(run)
	if err != nil {
		return nil, err
	}
	if t.listed != nil {
		t.stop(func() bool { return ctx.Err() != nil })
		t.solve()
	}
	return &Guest{t: t, world: t.meet(label)}, ctx.Err()
}

// World is a fingerprint of what guests meet: the problem, its seed and this engine, and nothing that is only about our agents.
// Experiments that share it have the same true models and world streams, run by run.
func (e *Experiment) World() string {
	of := &spec.Spec{Domain: e.spec.Domain, Seed: e.spec.Seed, Sparseness: e.spec.Sparseness, Own: e.spec.Own, Bound: e.spec.Bound}
	if asked := e.spec.Prior; asked != nil && asked.Eta != nil {
		of.Prior = spec.Revealed(*asked.Eta) // domains may be told how much is revealed
	}
	if of = of.Clone(); of.Complete() != nil {
		of = e.spec // what it says of our agents may be needed to complete it
	}
	sum := sha256.Sum256(problemOf(of))
	return fmt.Sprintf("%d-%x", record.Engine, sum[:8])
}

// View returns the problem as agents see it, which the caller must not change.
func (g *Guest) View() *fmdp.Model { return g.t.View }

// Unvalued says why no policy has an exact value in the run, or is "".
func (g *Guest) Unvalued() string {
	if g.t.values == nil {
		return g.t.vastness()
	}
	return ""
}

// Begin begins the next episode and returns its number, from 1.
func (g *Guest) Begin() int {
	g.sum = 0
	g.world.next()
	g.world.Begin()
	return g.world.episodes
}

// State returns the present state, valid until the next step.
func (g *Guest) State() []int { return g.world.State() }

// Over reports whether the episode has no more steps.
func (g *Guest) Over() bool { return g.world.Over() }

// Ending is that of the last step: see [agent.Simulation].
func (g *Guest) Ending() int { return g.world.Ending() }

// Act makes a step; see [agent.Simulation].
func (g *Guest) Act(action int) (*posterior.Step, error) {
	step, err := g.world.Act(action)
	if err == nil {
		g.sum += step.Reward
	}
	return step, err
}

// Return returns the reward collected in the episode so far.
func (g *Guest) Return() float64 { return g.sum }

// Optimal returns V_*(π_*) of the run; nil if it is not known.
func (g *Guest) Optimal() *float64 {
	if g.t.values == nil {
		return nil
	}
	return new(g.t.values.Optimal())
}

// Value returns what a policy is worth that lists the actions in all states in each of the last steps; those before have
// the first of the rules. The true model has values, and no more states than a list holds.
func (g *Guest) Value(ctx context.Context, rules [][]int32) (*record.Valued, error) {
	rules = slices.Clone(rules)
	slices.Reverse(rules)
	view := g.t.View
	value, err := g.t.values.ValueOf(ctx, agent.NewTable(&view.Space, planning.NewPolicy(view.Horizon, rules), nil))
	return record.NewValued(g.t.values.Optimal(), value), err
}

// reference is the agent that plans in the true model.
type reference struct {
	*play
	planner agent.Planner
	number  int // of its last episode
	sum     float64
}

const referenceLabel = "optimal"

// Reference returns what the agent that plans in the true model, by the planner of the spec, is paid in the episode of that
// number: under the same luck, where our agents share it. Episodes must be asked for in their order, and may be left out. It
// is nil if that agent cannot plan here.
func (g *Guest) Reference(ctx context.Context, episode int) (*float64, error) {
	if g.reference == nil {
		of, err := arm.Parse(referenceLabel)
		if err != nil {
			panic("experiment: " + err.Error())
		}
		if g.t.View.CheckListed() != nil && of.Lists(g.t.spec.Planner) {
			return nil, nil
		}
		r := &reference{}
		if r.play, err = g.t.enter(of); err != nil {
			return nil, err
		}
		if r.planner, err = of.Planner(g.t.Task()); err != nil {
			return nil, g.t.refusal(err, of)
		}
		if own, plans := r.agent.(agent.Planner); plans {
			r.planner = own
		}
		g.reference = r
	}
	r := g.reference
	for r.number < episode {
		e, err := agent.Play(ctx, r.agent, r.world, r.planner, r.steps.Of(r.rng, r.number+1))
		if err != nil {
			g.reference = nil // it plays all of it again
			return nil, err
		}
		e.Learn()
		r.number, r.sum = r.number+1, e.Return()
	}
	return &r.sum, nil
}

// Told is what our agents are told of the run: a task with the spec's prior.
func (g *Guest) Told() document.Task {
	in := g.t.Instance
	known := in.spec.Rewards == "known"
	task := document.TaskOf(in.View, known)
	task.Prior = &document.Stated{Sparseness: new(in.spec.Z()), Edges: document.Alone(in.edges(in.Prior)...)}
	return task
}

// Named is the spec's named priors, as Told has that of the spec; nil if there are none.
func (g *Guest) Named() map[string]document.Stated {
	var list map[string]document.Stated
	for name, p := range g.t.named {
		if list == nil {
			list = map[string]document.Stated{}
		}
		list[name] = document.Stated{Edges: document.Alone(g.t.edges(p)...)}
	}
	return list
}

// edges lists the edges of a prior, those to payoffs if agents learn what is paid.
func (in *Instance) edges(p *bigraph.Prior) []document.Edge {
	if in.spec.Rewards == "known" {
		return document.PriorEdges(p, &in.View.Space)
	}
	return document.NodeEdges(p, in.View)
}

// Graph lists the true edges, those to payoffs whose parents are hidden, too, if agents learn these.
func (g *Guest) Graph() [][2]string {
	m := g.t.View
	list := document.EdgeList(g.t.graph, &m.Space)
	for _, r := range m.Reward {
		if r.Hidden && g.t.spec.Rewards != "known" {
			for _, name := range m.Names(r.Given) {
				list = append(list, [2]string{name, r.Name})
			}
		}
	}
	return list
}
