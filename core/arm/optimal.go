package arm

import (
	"context"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/search"
)

var optimalKind = Kind{
	Key: "optimal", Gloss: "knows the model, plays π*",
	Graph: true, Factored: true, Source: document.Told, Plans: true, Baseline: 1, Since: 2,
	New: func() Config { return new(optimal) },
}

// optimal is told the true model and plays its optimal policy π_*, so its regret is 0; or, with a planner that
// searches, the policy of that planner in the true model.
type optimal struct{ Planner search.Choice }

func (o *optimal) Params() []param.Param { return []param.Param{plannerRow(&o.Planner)} }

func (o *optimal) Names() (string, string) {
	if words := plannerWords(o.Planner); words != nil {
		return "Optimal (" + words[0] + ")", "Optimal, " + words[0]
	}
	return "Optimal", "Optimal"
}

// OwnPlanner implements [Planning].
func (o *optimal) OwnPlanner() search.Choice { return o.Planner }

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
	planner, err := t.Planner()
	return &knowing{planner: planner, model: &m}, err
}

// knowing is the agent of optimal.
type knowing struct {
	planner agent.Planner
	model   *agent.Model
	table   *agent.Table // nil before the first episode
}

func (k *knowing) Model(*posterior.Stream) *agent.Model { return k.model }
func (k *knowing) Observe([]posterior.Step)             {}

// Plan implements [agent.Planner]. A table is planned once.
func (k *knowing) Plan(ctx context.Context, rng *agent.Draws, model *agent.Model) (agent.Policy, error) {
	if k.table != nil {
		return k.table, nil
	}
	policy, err := k.planner.Plan(ctx, rng, model)
	k.table, _ = policy.(*agent.Table)
	return policy, err
}
