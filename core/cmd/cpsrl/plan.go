package main

import (
	"flag"

	"cpsrl/core/answer"
	"cpsrl/core/planning"
	"cpsrl/core/strict"
)

var planCommand = command{
	name: "plan", args: "-model FILE [-normalise]",
	short: "solve a model exactly",
	long: `Solves a model by backward induction and prints {"value":…,"values":[…],"policy":[…]}: the optimal value
under the initial distribution, and for each state the optimal value and action of the first step.
States and actions are numbered row-major over their variables, the last varying fastest; ties, up to
rounding, go to the lowest action.`,
	setup: func(flags *flag.FlagSet) action {
		_, load := modelFlags(flags)
		return func(h *host, args []string) error {
			model, name, err := load(h)
			if err != nil {
				return err
			}
			mdp, err := planning.FromModel(model, nil)
			if err != nil {
				return in(name, err)
			}
			policy, values := planning.Solve(mdp)
			plan := &answer.Plan{
				Value:  values.Value(model.Initial),
				Values: values.At(make([]float64, mdp.States), 1),
				Policy: policy.Rule(1),
			}
			return h.print(strict.AppendLine(nil, plan))
		}
	},
}
