package search

import (
	"context"

	"cpsrl/core/agent"
	"cpsrl/core/posterior"
)

var rolloutKind = Kind{
	Key: "rollout", Label: "rollout: tries each action, then plays at random", Words: "rollouts of each action from the state of every step, with random actions after it", Budget: Budget{30, 10},
	Steps: func(b Budget, actions int) float64 { return float64(b.Trials) * float64(b.Depth) * float64(actions) },
	New:   deciding(rollout, weighRollout),
}

// rollout looks one ply ahead: it tries each legal action as often and plays the base policy after it (Tesauro and
// Galperin, 1996). The trials of one number have the same random numbers for all actions, so that actions are
// compared under the same luck. The largest mean wins, the lowest action in a tie.
func rollout(ctx context.Context, m *sampled, rng *posterior.Stream, b Budget, state []int, togo int) (int, error) {
	sums, err := roll(ctx, m, rng, b, state, togo)
	if err != nil {
		return 0, err
	}
	return int(m.choices(state)[best(sums)]), nil
}

// weighRollout returns the means of a rollout.
func weighRollout(ctx context.Context, m *sampled, rng *posterior.Stream, b Budget, state []int, togo int) ([]agent.Weight, error) {
	sums, err := roll(ctx, m, rng, b, state, togo)
	weights, list := make([]agent.Weight, len(m.acts)), m.choices(state)
	for k, sum := range sums {
		weights[list[k]] = agent.Weight{Value: sum / float64(b.Trials), Trials: b.Trials}
	}
	return weights, err
}

// roll returns what the trials of each legal action paid together.
func roll(ctx context.Context, m *sampled, rng *posterior.Stream, b Budget, state []int, togo int) ([]float64, error) {
	depth := min(b.Depth, togo)
	list := m.choices(state)
	sums, at := make([]float64, len(list)), make([]int, len(state))
	trial := posterior.NewStream(0)
	for range b.Trials {
		luck := posterior.NewStream(rng.Uint64()).State()
		for k, a := range list {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			trial.Restore(luck)
			sums[k] += m.step(trial.Rand, state, int(a), at)
			sums[k] += m.follow(trial.Rand, at, depth-1)
		}
	}
	return sums, nil
}
