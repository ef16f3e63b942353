package main

import (
	"flag"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/record"
)

var planCommand = command{
	name: "plan", args: "-model FILE",
	short: "solve a model exactly",
	long: `Solves a model by backward induction and prints {"value":…,"values":[…],"policy":[…]}: the optimal value
under the initial distribution, and for each state the optimal value and action of the first step.
States and actions are numbered row-major over their variables, the last varying fastest; ties go to the
lowest action.`,
	setup: func(flags *flag.FlagSet) action {
		path := flags.String("model", "", "a `FILE` that holds a model")
		return func(h *host, args []string) error {
			if err := exactly(args); err != nil {
				return err
			}
			model, _, err := h.model(*path)
			if err != nil {
				return err
			}
			plan, err := solve(model)
			if err != nil {
				return err
			}
			return h.print(append(record.EncodePlan(plan), '\n'))
		}
	},
}

// solve plans in the model.
func solve(m *fmdp.Model) (*record.Plan, error) {
	next, err := planning.Choose(&m.Space, m.Transition, nil)
	if err != nil {
		return nil, err
	}
	mdp := &planning.MDP{
		States: m.States(), Actions: m.Actions(), Horizon: m.Horizon,
		Reward: make([]float64, m.Points()),
		Next:   next,
	}
	m.Rewards(mdp.Reward)
	policy, values := planning.Solve(mdp)
	return &record.Plan{
		Value:  values.Value(m.Initial),
		Values: values.At(make([]float64, m.States()), 1),
		Policy: policy.Rule(1),
	}, nil
}
