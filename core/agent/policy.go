package agent

import (
	"context"
	"fmt"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// Policy is the policy π_k of an episode. It is asked what to do where the episode is, so it need not
// know what it would do elsewhere. Whoever needs all of it asks whether it is a *[Table].
type Policy interface {
	// Horizon returns H.
	Horizon() int
	// Act returns the number of the action at step h = 1 … H in the state in which the variables that the agent sees
	// have those values. The same question has the same answer. If ctx ends, Act may return its error.
	Act(ctx context.Context, h int, state []int) (action int, err error)
}

// Weigher is a [Policy] that can say what it made of each action.
type Weigher interface {
	Policy
	// Weigh returns what Act makes of each action at that step in that state, by the number of the action. It is nil if
	// Act chooses without trying. The error is that of ctx.
	Weigh(ctx context.Context, h int, state []int) ([]Weight, error)
}

// Weight is what a search made of an action.
type Weight struct {
	Value  float64 // the mean of what its trials paid, as far as they looked ahead
	Trials int
}

// Draws are the random streams from which an episode's plan may draw.
type Draws struct {
	*posterior.Stream // the one that drew the model
	// Step returns the stream of a step h = 1 … H of the episode, at its beginning. Nothing else draws from it, so a
	// policy that draws when it is asked shifts no other numbers. It is nil if the plan has no such streams.
	Step func(h int) *posterior.Stream
}

// StepStreams returns the stream of a step of an episode, both from 1, at its beginning.
type StepStreams func(episode, h int) *posterior.Stream

// Of returns the streams of an episode.
func (s StepStreams) Of(rng *posterior.Stream, episode int) *Draws {
	if s == nil {
		return &Draws{Stream: rng}
	}
	return &Draws{rng, func(h int) *posterior.Stream { return s(episode, h) }}
}

// Table is a [Policy] that lists its actions in all states: the policy of exact planning, with its values.
type Table struct {
	*planning.Policy
	Values *planning.Values // in the model that it was made for

	space *fmdp.Space
}

// NewTable returns the policy over the states of the space, with its values in a model.
func NewTable(space *fmdp.Space, policy *planning.Policy, values *planning.Values) *Table {
	return &Table{policy, values, space}
}

// Act implements [Policy]. Who knows the number of the state asks for the Action.
func (t *Table) Act(_ context.Context, h int, state []int) (int, error) {
	return t.Action(h, t.space.Index(state)), nil
}

// NewStepStreams returns the streams of the steps of an agent of that label in a run of that seed.
func NewStepStreams(seed int64, run int, label string) StepStreams {
	return func(episode, h int) *posterior.Stream {
		return posterior.NewNamedStream(seed, run, fmt.Sprintf("%s step %d %d", label, episode, h))
	}
}

// Tabulate asks for the action of each step and state, by step h = 1 … H, then by state, and returns the table of the
// answers with its values in a model. If ctx ends, the error is that of ctx; else it is that of action or of [Exact.MDP].
func (e *Exact) Tabulate(ctx context.Context, model *Model, action func(h, s int) (int, error)) (*Table, error) {
	mdp, err := e.MDP(ctx, model)
	if err != nil {
		return nil, err
	}
	rules := make([][]int32, e.Horizon) // by steps to go
	for h := 1; h <= e.Horizon; h++ {
		rule := make([]int32, mdp.States)
		for s := range rule {
			a, err := action(h, s)
			if err != nil {
				return nil, err
			}
			rule[s] = int32(a)
		}
		rules[e.Horizon-h] = rule
	}
	policy := planning.NewPolicy(e.Horizon, rules)
	values := planning.Evaluate(mdp, policy)
	if values == nil {
		return nil, ctx.Err()
	}
	return NewTable(e.Space, policy, values), nil
}

// TableOf returns the table of a policy that was planned in a model: the policy itself, or its answers in all states.
// The error is that of the policy or of [Exact.Tabulate].
func (e *Exact) TableOf(ctx context.Context, model *Model, policy Policy) (*Table, error) {
	if table, is := policy.(*Table); is {
		return table, nil
	}
	state := make([]int, e.Space.Y())
	return e.Tabulate(ctx, model, func(h, s int) (int, error) { return policy.Act(ctx, h, e.Space.Point(state, s)) })
}
