package experiment

import (
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// checkData returns an *[strict.InvalidError] if the transitions that the agents start from are missing or
// cannot be of the problem: other variables or values, an action that is not legal, or a next value to
// which a law that agents are told gives no probability.
func (in *Instance) checkData() error {
	from := in.spec.Data()
	if from == nil {
		return nil
	}
	const place = "/prior/data"
	if from.Steps() == nil {
		return strict.Invalid(place, "the experiment starts from data with the SHA-256 %s, which are not at hand: open that file", from.Name())
	}
	return from.Check(place, in.View)
}

// before returns the data: first the steps of which it is not known what they paid, then the others. What was paid is a trial, as in
// package session, and the same for all agents.
func (in *Instance) before() (steps [2][]posterior.Step) {
	from := in.spec.Data()
	if from == nil {
		return steps
	}
	rng := posterior.NewNamedStream(int64(in.spec.Seed), in.Run, "data payoffs")
	for _, t := range from.Steps() {
		step := posterior.Step{Point: t.X, Next: t.Y}
		if t.Paid == nil {
			steps[0] = append(steps[0], step)
			continue
		}
		step.Paid = make([]uint8, len(t.Paid))
		for f, paid := range t.Paid {
			step.Reward += paid
			if chance := in.View.Reward[f].Trial(paid); chance == 1 || chance > 0 && rng.Float64() < chance {
				step.Paid[f] = 1
			}
		}
		steps[1] = append(steps[1], step)
	}
	return steps
}
