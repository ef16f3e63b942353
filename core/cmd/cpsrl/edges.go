package main

import (
	"cmp"
	"flag"

	"cpsrl/core/experiment"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/core/worth"
)

var edgesCommand = command{
	name: "edges", args: "-model FILE [-normalise] | -model FILE -agent LABEL | -preset NAME | -spec FILE | -link URL [-run I] [-agent LABEL] [-episode K] [-samples M] [-average uniform|occupancy]",
	short: "say what each edge of a graph is worth",
	long: `Prints the value of every edge, the most valuable first: what planning without the edge costs. For an edge
from X to Y, the law of Y is averaged over the values of X, the best policy of that model is played in the
whole one, and its loss there is the value. It is 0 for an edge that matters to nothing.

With -model and no flag but -average and -normalise, of the model itself: {"value":…,"average":"uniform","edges":[{"from":"flip","to":"side","value":…},…]}.

Of an experiment, which may be that of a model: what one agent believes in one run after K episodes, 0 before the first. "p" is the probability of
the edge, "value" its value on average over models sampled from the belief, "true" its value in the true model
if the edge is true: {"run":0,"agent":"c-psrl","episode":50,"samples":20,"average":"uniform","value":…,
"edges":[{"from":"flip","to":"side","p":…,"value":…,"true":…},…]}.`,
	setup: func(flags *flag.FlagSet) action {
		label := flags.String("agent", "", "the agent's `LABEL` (default: the spec's last that samples graphs)")
		episode := wholeNumber(flags, "episode", 0, 0, spec.MaxEpisodes, "the `K` episodes that the agent has learned from (default: 0, the prior)")
		samples := wholeNumber(flags, "samples", 20, 1, experiment.MaxEdgeSamples, "the number `M` of models sampled from the belief")
		by := oneOf(flags, "average", worth.Averagings(),
			"`HOW` the values of the parent that is dropped weigh: uniform, or occupancy, as often as the best policy meets them")
		believed := onRun(flags, func(h *host, s *spec.Spec, run int) ([]byte, error) {
			e, err := experiment.NewContext(h.ctx, s)
			if err != nil {
				return nil, err
			}
			standard := s.Agents[len(s.Agents)-1]
			for _, arm := range e.Arms() {
				if arm.Graph {
					standard = arm.Label()
				}
			}
			player, err := e.Label(cmp.Or(*label, standard))
			if err != nil {
				return nil, in("flag -agent", err)
			}
			doc, err := e.Edges(h.ctx, run, player, *episode, *samples, worth.Averaging(*by))
			if err != nil {
				return nil, err
			}
			return strict.Encode(doc), nil
		})
		return func(h *host, args []string) error {
			value := func(name string) string { return flags.Lookup(name).Value.String() }
			of, asks := map[string]bool{"model": true, "average": true, "normalise": true}, value("model") == ""
			flags.Visit(func(f *flag.Flag) { asks = asks || !of[f.Name] })
			if asks {
				return believed(h, args)
			}
			m, name, err := readModel(h, value("model"), value("normalise") == "true")
			if err != nil {
				return err
			}
			doc, err := worth.Model(h.ctx, m, worth.Averaging(*by))
			if err != nil {
				return in(name, err)
			}
			return h.print(strict.AppendLine(nil, doc))
		}
	},
}
