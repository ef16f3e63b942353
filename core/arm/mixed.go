package arm

import (
	"fmt"

	"cpsrl/core/agent"
	"cpsrl/core/planning"
)

// MostMixed is the largest S·H for a policy of which every action is drawn.
const MostMixed = 1 << 22

// LongPolicyError says that a policy of which every action is drawn would be too long.
type LongPolicyError struct{ States, Horizon int }

func (e *LongPolicyError) Error() string {
	return fmt.Sprintf("a policy that draws its actions would hold %d of them (S·H), more than %d", e.States*e.Horizon, MostMixed)
}

// mixable returns a *LongPolicyError if mixed would make too long a policy.
func mixable(t *agent.Task) error {
	if states := t.Space.States(); states > MostMixed/max(1, t.Horizon) {
		return &LongPolicyError{states, t.Horizon}
	}
	return nil
}

// mixedCost returns the cost of mixed, and of the value of its policy in the true model: every
// step has a rule of its own, so neither backup stops early. The backup in the agent's model costs as
// much as own.
func mixedCost(t *agent.Task, s *Size, own float64) float64 {
	return s.Horizon * (costMixed*float64(t.Space.States()) + own + s.Backup)
}

// ignorantBackup is the cost of a backup in the model of ignorant, whose tables have one row.
func ignorantBackup(t *agent.Task) float64 { return costIgnorant * float64(t.Space.States()) }

// mixed returns the policy of the given actions, called by step h = 1 … H, then by state, and
// its values in the model.
func mixed(t *agent.Task, model *agent.Model, action func(h, s int) int32) (*planning.Policy, *planning.Values, error) {
	rules := make([][]int32, t.Horizon) // by steps to go
	for h := 1; h <= t.Horizon; h++ {
		rule := make([]int32, t.Space.States())
		for s := range rule {
			rule[s] = action(h, s)
		}
		rules[t.Horizon-h] = rule
	}
	policy := planning.NewPolicy(t.Horizon, rules)
	mdp, err := t.Exact().MDP(model)
	if err != nil {
		return nil, nil, err
	}
	return policy, planning.Evaluate(mdp, policy), nil
}
