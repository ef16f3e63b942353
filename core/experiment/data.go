package experiment

import (
	"fmt"

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
	if err := from.Check(place, &in.View.Space); err != nil {
		return err
	}
	for j := range in.View.Transition {
		told := &in.View.Transition[j]
		if !told.Known {
			continue
		}
		for k, t := range from.Steps() {
			if told.Row(in.View.Row(told.Given, t.X))[t.Y[j]] == 0 {
				return strict.Invalid(fmt.Sprintf("%s/%d/y/%d", place, k, j), "the law of %q, which agents are told, excludes this value", in.View.State[j].Name)
			}
		}
	}
	return nil
}

// before returns the data as steps without payoffs.
func (in *Instance) before() []posterior.Step {
	from := in.spec.Data()
	if from == nil {
		return nil
	}
	steps := make([]posterior.Step, len(from.Steps()))
	for k, t := range from.Steps() {
		steps[k] = posterior.Step{Point: t.X, Next: t.Y}
	}
	return steps
}
