package main

import (
	"flag"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

var modelCommand = command{
	name: "model", args: "-preset NAME | -spec FILE | -link URL [-run I]",
	short: "print the true model of a run",
	long:  specHelp + "\n\nPrints the true model of one run in the format cpsrl/model.",
	setup: func(flags *flag.FlagSet) action {
		return onProblem(flags, func(p *experiment.Instance) ([]byte, error) {
			return record.EncodeModel(p.Model), nil
		})
	},
}

var priorCommand = command{
	name: "prior", args: "-preset NAME | -spec FILE | -link URL [-run I]",
	short: "print the prior of a run, G_0 with its degree of sparseness",
	long:  specHelp + "\n\nPrints what is known of one run's true graph before the first episode, in the format cpsrl/prior.",
	setup: func(flags *flag.FlagSet) action {
		return onProblem(flags, func(p *experiment.Instance) ([]byte, error) {
			space := &p.Model.Space
			if err := record.CheckPrior(p.Prior, space); err != nil {
				return nil, err
			}
			return record.EncodePrior(space, p.Prior), nil
		})
	},
}

// onProblem returns the action that prints a document about the problem of one
// run.
func onProblem(flags *flag.FlagSet, document func(*experiment.Instance) ([]byte, error)) action {
	source := newSpecFlags(flags)
	run := runFlag(flags)
	return func(h *host, args []string) error {
		spec, name, err := source.load(h)
		if err != nil {
			return err
		}
		problem, err := experiment.NewInstance(spec, runOf(*run, spec))
		if err != nil {
			return in(name, err)
		}
		data, err := document(problem)
		if err != nil {
			return in(name, err)
		}
		return h.print(append(data, '\n'))
	}
}
