package main

import (
	"flag"

	"cpsrl/core/planning"
	"cpsrl/core/strict"
)

var planCommand = command{
	name: "plan", args: "-model FILE [-normalise]",
	short: "solve a model exactly",
	long: `Solves a model by backward induction and prints {"value":…,"values":[…],"policy":[…]}: the optimal value
under the initial distribution, and for each state the optimal value and action of the first step.
States and actions are numbered row-major over their variables, the last varying fastest; ties, up to
rounding, go to the lowest action. The plan sees hidden variables and noise, too, which the V⋆ of an
experiment does not: see docs/choices.html.`,
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
			return h.print(strict.AppendLine(nil, &plan{
				Value:  values.Value(model.Initial),
				Values: values.At(make([]float64, mdp.States), 1),
				Policy: policy.Rule(1),
			}))
		}
	},
}

// plan holds the optimal values and actions of a model at the first step. States and
// actions are numbered row-major.
type plan struct {
	Value  float64   `json:"value"`  // V_1 under μ
	Values []float64 `json:"values"` // V_1(s)
	Policy []int32   `json:"policy"` // π_1(s)
}
