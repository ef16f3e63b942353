package main

import (
	"cmp"
	"flag"

	"cpsrl/core/record"
	"cpsrl/core/spec"
)

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
