package arm

import (
	"fmt"

	"cpsrl/core/agent"
	"cpsrl/core/fmdp"
)

// MostMixed is the largest S·H for a policy of which every action is drawn.
const MostMixed = 1 << 22

// LongPolicyError says that a policy of which every action is drawn would be too long.
type LongPolicyError struct{ States, Horizon int }

func (e *LongPolicyError) Error() string {
	return fmt.Sprintf("a policy that draws its actions would hold %s of them (S·H), more than %d", fmdp.Saturated(fmdp.Times(e.States, e.Horizon)), MostMixed)
}

// mixable returns a *LongPolicyError if Tabulate would make too long a policy.
func mixable(t *agent.Task) error {
	if states := t.Space.States(); states > MostMixed/max(1, t.Horizon) {
		return &LongPolicyError{states, t.Horizon}
	}
	return nil
}

// mixedCost returns the cost of a policy of which every action is drawn, and of the value of its policy in the true model: every
// step has a rule of its own, so neither backup stops early. The backup in the agent's model costs as
// much as own.
func mixedCost(t *agent.Task, s *Size, own float64) float64 {
	if s.Vast {
		return s.Horizon * costMixed
	}
	return s.Horizon * (costMixed*float64(t.Space.States()) + own + s.Backup)
}

// ignorantBackup is the cost of a backup in the model of ignorant, whose tables have one row.
func ignorantBackup(t *agent.Task) float64 { return costIgnorant * float64(t.Space.States()) }
