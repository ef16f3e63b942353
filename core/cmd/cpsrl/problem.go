package main

import (
	"cmp"
	"flag"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
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

var traceCommand = command{
	name: "trace", args: "-preset NAME | -spec FILE | -link URL [-run I] [-agent LABEL] [-episode K]",
	short: "recompute one episode's moments",
	long: specHelp + `

Prints one episode of one agent in the format cpsrl/trace: the sampled and the true model, values and
policies, the trajectory, and the belief before and after.`,
	setup: func(flags *flag.FlagSet) action {
		source := newSpecFlags(flags)
		run := runFlag(flags)
		label := flags.String("agent", "", "the agent's `LABEL` (default: the spec's last)")
		episode := wholeNumber(flags, "episode", 1, 1, spec.MaxEpisodes, "the episode `K`, from 1")
		return func(h *host, args []string) error {
			e, name, err := source.experiment(h)
			if err != nil {
				return err
			}
			s := e.Spec()
			player, err := e.Label(cmp.Or(*label, s.Agents[len(s.Agents)-1]))
			if err != nil {
				return in("flag -agent", err)
			}
			trace, err := e.Trace(h.ctx, runOf(*run, s), player, *episode)
			if err != nil {
				return in(name, err)
			}
			return h.print(append(record.EncodeTrace(trace), '\n'))
		}
	},
}
