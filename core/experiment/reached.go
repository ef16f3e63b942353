package experiment

import (
	"context"

	"cpsrl/core/agent"
	"cpsrl/core/domain"
	"cpsrl/core/planning"
)

// reached is a valuer that lists the states that can occur, where no list holds all states.
type reached struct {
	*planning.Reached
	optimum float64
	asked   int // in how many states, over all steps, π_* is asked to value it
}

// reach solves the true model over the states that can occur. It returns nil if these are too many to list, or if agents do
// not see everything.
func (in *Instance) reach() *reached {
	if in.Sight != domain.Full {
		return nil
	}
	of, err := planning.Reach(in.World)
	if err != nil {
		return nil
	}
	r := &reached{Reached: of}
	best, values := planning.Solve(of.MDP)
	r.optimum = values.Value(of.Initial)
	r.Value(func(h int, state []int) (int, error) { // it does not fail
		r.asked++
		return best.Action(h, of.Index(state)), nil
	})
	return r
}

// Optimal implements valuer.
func (r *reached) Optimal() float64 { return r.optimum }

// ValueOf implements valuer. It asks the policy only where it leads.
func (r *reached) ValueOf(ctx context.Context, policy agent.Policy) (float64, error) {
	return r.Value(func(h int, state []int) (int, error) { return policy.Act(ctx, h, state) })
}

// Random implements valuer.
func (r *reached) Random() float64 { return planning.Uniform(r.MDP, r.Initial) }
