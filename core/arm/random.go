package arm

import (
	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
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
	if err := mixable(t); err != nil {
		return nil, err
	}
	return &uniform{t, ignorant(t)}, nil
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
	m.Reward = t.Rewards(planning.Law{Transition: m.Transition})
	if t.Reward == nil {
		for f := range t.Payoffs {
			half := t.Payoffs[f].Scale * t.Payoffs[f].Means([]float64{.5})[0]
			for x := range m.Reward {
				m.Reward[x] += half
			}
		}
	}
	return m
}

// uniform is the agent of random.
type uniform struct {
	task  *agent.Task
	model *agent.Model
}

func (u *uniform) Model(*posterior.Stream) *agent.Model { return u.model }
func (u *uniform) Observe([]posterior.Step)             {}

// Plan implements [agent.Planner]. Its policy is deterministic, with an action drawn for
// each step and state. An episode meets a step once, so it plays uniformly random actions.
func (u *uniform) Plan(rng *posterior.Stream, model *agent.Model) (*planning.Policy, *planning.Values, error) {
	return mixed(u.task, model, func(_, _ int) int32 { return int32(rng.IntN(u.task.Space.Actions())) })
}
