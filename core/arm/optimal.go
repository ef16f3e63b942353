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

var optimalKind = Kind{
	Key: "optimal", Gloss: "knows the model, plays π*",
	Graph: true, Factored: true, Source: document.Told, Plans: true, Baseline: 1, Since: 2,
	New: func() Config { return new(optimal) },
}

// optimal is told the true model and plays its optimal policy π_*, so its regret is 0.
type optimal struct{}

func (*optimal) Params() []param.Param            { return nil }
func (*optimal) Names() (string, string)          { return "Optimal", "Optimal" }
func (*optimal) Look() Look                       { return Look{"#6A6A6A", []float64{1, 4}} }
func (*optimal) Needs() []Need                    { return []Need{TrueModel} }
func (*optimal) Prior(*agent.Task) *bigraph.Prior { return nil }

// Cost is 0, because it plans once.
func (*optimal) Cost(*agent.Task, *Size) float64 { return 0 }

func (*optimal) Build(t *agent.Task) (agent.Agent, error) {
	m := *t.Model
	if n := t.Space.Joint(); m.Joint == nil && n <= fmdp.MaxJoint {
		m.Joint = make([]float64, n)
		fmdp.Joint(m.Joint, t.Space, m.Transition)
	}
	return &knowing{task: t, model: &m}, nil
}

// knowing is the agent of optimal.
type knowing struct {
	task   *agent.Task
	model  *agent.Model
	policy *planning.Policy // nil before the first episode
	values *planning.Values
}

func (k *knowing) Model(*posterior.Stream) *agent.Model { return k.model }
func (k *knowing) Observe([]posterior.Step)             {}

// Plan implements [agent.Planner]. It plans once.
func (k *knowing) Plan(rng *posterior.Stream, model *agent.Model) (*planning.Policy, *planning.Values, error) {
	if k.policy == nil {
		var err error
		if k.policy, k.values, err = k.task.Exact().Plan(rng, model); err != nil {
			return nil, nil, err
		}
	}
	return k.policy, k.values, nil
}
