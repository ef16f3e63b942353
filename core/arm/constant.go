package arm

import (
	"context"
	"fmt"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

var constantKind = Kind{
	Key: "constant", Gloss: "plays one action always, learns nothing",
	Factored: true, Source: document.Assumed, Plans: true, Baseline: 1, Since: 4,
	New: func() Config { return new(constant) },
}

// constant plays one joint action in every state: the first one of a problem is most often to do
// nothing. Where it is not legal, constant plays the first that is. Its model, in which it does not plan, is that of random.
type constant struct{ Action int }

func (c *constant) Params() []param.Param {
	return []param.Param{{
		Name: "action", Section: param.Agents, Label: "Joint action", Phrase: "action _",
		Int: &c.Action, Low: 0, High: fmdp.MaxPoints - 1, Default: "0",
		Help: "The number of the joint action, from 0: the last action variable varies fastest.",
	}}
}

func (c *constant) Names() (string, string) {
	name := fmt.Sprintf("action %d", c.Action)
	return "Always " + name, "Always " + name
}

func (*constant) Look() Look                          { return Look{"#595959", []float64{8, 3, 1, 3, 1, 3}} }
func (*constant) Needs() []Need                       { return nil }
func (*constant) Prior(*agent.Task) *bigraph.Prior    { return nil }
func (*constant) Cost(t *agent.Task, s *Size) float64 { return s.Horizon * s.Backup }

// NoActionError says that a problem has no joint action of that number.
type NoActionError struct{ Action, Actions int }

func (e *NoActionError) Error() string {
	return fmt.Sprintf("there is no action %d; actions are 0 to %d", e.Action, e.Actions-1)
}

func (c *constant) Build(t *agent.Task) (agent.Agent, error) {
	if n := t.Space.Actions(); c.Action >= n {
		return nil, &NoActionError{c.Action, n}
	}
	model := ignorant(t)
	if t.Space.CheckPoints() != nil {
		return &still{model, &blind{t.Horizon, func(_ int, state []int) int { return c.in(t.Space, state) }}}, nil
	}
	mdp, err := t.Exact().MDP(context.Background(), model)
	if err != nil {
		return nil, err
	}
	rule, state := make([]int32, mdp.States), make([]int, t.Space.Y())
	for s := range rule {
		rule[s] = int32(c.in(t.Space, t.Space.Point(state, s)))
	}
	policy := planning.NewPolicy(t.Horizon, [][]int32{rule})
	return &still{model, agent.NewTable(t.Space, policy, planning.Evaluate(mdp, policy))}, nil
}

// in returns the action that it plays in a state.
func (c *constant) in(space *fmdp.Space, state []int) int {
	if list := space.Choices(state); list != nil && !space.May(state, c.Action) {
		return int(list[0])
	}
	return c.Action
}

// blind is the policy of a baseline where states cannot be listed: of the state, it looks at what is legal only.
type blind struct {
	horizon int
	action  func(h int, state []int) int
}

func (b *blind) Horizon() int { return b.horizon }

// Act implements [agent.Policy].
func (b *blind) Act(_ context.Context, h int, state []int) (int, error) {
	return b.action(h, state), nil
}

// still is the agent of constant.
type still struct {
	model  *agent.Model
	policy agent.Policy
}

func (s *still) Model(*posterior.Stream) *agent.Model { return s.model }
func (s *still) Observe([]posterior.Step)             {}

// Plan implements [agent.Planner]. It plans nothing.
func (s *still) Plan(context.Context, *agent.Draws, *agent.Model) (agent.Policy, error) {
	return s.policy, nil
}
