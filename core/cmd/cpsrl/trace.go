package main

import (
	"flag"
	"slices"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
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
		episode := &number{value: 1, low: 1, high: record.MaxEpisodes}
		flags.Var(episode, "episode", "the episode `K`, from 1")
		return func(h *host, args []string) error {
			if err := exactly(args); err != nil {
				return err
			}
			spec, name, err := source.load(h)
			if err != nil {
				return err
			}
			agent := spec.Agents[len(spec.Agents)-1]
			if *label != "" {
				parsed, err := record.ParseAgent(*label)
				if err != nil {
					return in("flag -agent", err)
				}
				agent = parsed.Label()
			}
			if !slices.Contains(spec.Agents, agent) {
				return badf("flag -agent", "%q is none of the spec's agents: %s", agent, strings.Join(spec.Agents, ", "))
			}
			if episode.value > spec.Episodes {
				return badf("flag -episode", "%d is past the last of %d episodes", episode.value, spec.Episodes)
			}
			trace, err := experiment.Trace(h.ctx, spec, run.of(spec), agent, episode.value)
			if err != nil {
				return in(name, err)
			}
			return h.print(append(record.EncodeTrace(trace), '\n'))
		}
	},
}
