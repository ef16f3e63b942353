package arm

import (
	"context"
	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

var randomKind = Kind{
	Key: "random", Gloss: "plays every action equally often, learns nothing",
	Factored: true, Source: document.Assumed, Plans: true, Baseline: 1, Since: 2,
	New: func() Config { return new(random) },
}

// random plays uniformly random actions. Its model, in which it does not plan, holds all
// next states equally likely and, if rewards are learned, expects half of each payoff.
type random struct{}

func (*random) Params() []param.Param            { return nil }
func (*random) Names() (string, string)          { return "Random", "Random" }
func (*random) Look() Look                       { return Look{"#767676", []float64{3, 3}} }
func (*random) Needs() []Need                    { return nil }
func (*random) Prior(*agent.Task) *bigraph.Prior { return nil }

func (*random) Cost(t *agent.Task, s *Size) float64 { return mixedCost(t, s, ignorantBackup(t)) }

func (*random) Build(t *agent.Task) (agent.Agent, error) {
	listed := t.Space.CheckPoints() == nil
	if listed {
		if err := mixable(t); err != nil {
			return nil, err
		}
	}
	return &uniform{t.Exact(), ignorant(t), listed}, nil
}

// ignorant returns the model of an agent that learns nothing: all next states are equally likely and,
// if rewards are learned, half of each payoff is expected.
func ignorant(t *agent.Task) *agent.Model {
	m := &agent.Model{}
	for _, v := range t.Space.State {
		f := fmdp.Factor{Size: v.Size, P: make([]float64, v.Size)}
		for k := range f.P {
			f.P[k] = 1 / float64(v.Size)
		}
		m.Transition = append(m.Transition, f)
	}
	if n := t.Space.Joint(); n <= fmdp.MaxJoint {
		m.Joint = make([]float64, n)
		fmdp.Joint(m.Joint, t.Space, m.Transition)
	}
	if m.Reward = t.Rewards(); !t.Known {
		for f := range t.Payoffs {
			of := &t.Payoffs[f]
			m.Reward = append(m.Reward, fmdp.Reward{Mean: of.Means([]float64{.5}), Kind: of.Kind, Scale: of.Scale, Of: -1})
		}
	}
	return m
}

// uniform is the agent of random.
type uniform struct {
	exact  *agent.Exact
	model  *agent.Model
	listed bool // the states can be listed
}

func (u *uniform) Model(*posterior.Stream) *agent.Model { return u.model }
func (u *uniform) Observe([]posterior.Step)             {}

// Plan implements [agent.Planner]. Its policy is deterministic, with an action drawn for
// each step and state or, where states cannot be listed, for each step, from its stream. An episode meets a step once, so it
// plays uniformly random actions.
func (u *uniform) Plan(ctx context.Context, rng *agent.Draws, model *agent.Model) (agent.Policy, error) {
	space := u.exact.Space
	if !u.listed {
		return &blind{u.exact.Horizon, func(h int, state []int) int { return space.DrawAction(rng.Step(h).Rand, state) }}, nil
	}
	state := make([]int, space.Y())
	return u.exact.Tabulate(ctx, model, func(_, s int) (int, error) { return space.DrawAction(rng.Rand, space.Point(state, s)), nil })
}
