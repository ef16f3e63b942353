package arm

import (
	"context"
	"slices"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/planning"
)

// Given returns an agent that plays a policy that is given and learns nothing. It is of no kind that a label names.
func Given(policy *document.Policy) Arm {
	kind := &Kind{
		Key: "policy", Gloss: "plays a policy that is given, learns nothing",
		Factored: true, Source: document.Assumed, Plans: true, Baseline: 1,
		New: func() Config { return &given{policy} },
	}
	return Arm{kind, kind.New()}
}

type given struct{ *document.Policy }

func (*given) Params() []param.Param { return nil }

func (*given) Names() (string, string) { return "A given policy", "given" }

func (*given) Look() Look                          { return Look{"#595959", nil} }
func (*given) Needs() []Need                       { return nil }
func (*given) Prior(*agent.Task) *bigraph.Prior    { return nil }
func (*given) Cost(t *agent.Task, s *Size) float64 { return s.Horizon * s.Backup }

func (g *given) Build(t *agent.Task) (agent.Agent, error) {
	model := ignorant(t)
	if t.Space.CheckPoints() != nil {
		return &still{model, &blind{t.Horizon, g.Action}}, nil
	}
	rules, err := g.Listed(func(s int) bool { return t.Ends.At(t.Space.Point(make([]int, t.Space.Y()), s)) != 0 })
	if err != nil {
		return nil, err
	}
	mdp, err := t.Exact().MDP(context.Background(), model)
	if err != nil {
		return nil, err
	}
	slices.Reverse(rules) // by steps to go
	policy := planning.NewPolicy(t.Horizon, rules)
	return &still{model, agent.NewTable(t.Space, policy, planning.Evaluate(mdp, policy))}, nil
}
