package main

import (
	"cmp"
	"flag"
	"fmt"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

var modelCommand = command{
	name: "model", args: "-preset NAME | -spec FILE | -link URL | -model FILE [-run I] [-expand]",
	short: "print the true model of a run",
	long:  specHelp + "\n\nPrints the true model of one run in the format cpsrl/model.",
	setup: func(flags *flag.FlagSet) action {
		expand := flags.Bool("expand", false, "write a table in place of each formula, unless no list holds what it says, and no prior, for programs that read neither")
		return onRun(flags, func(h *host, s *spec.Spec, run int) ([]byte, error) {
			p, err := experiment.NewInstance(s, run)
			if err != nil {
				return nil, err
			}
			model := p.Document()
			if *expand {
				file, err := document.DecodeModelFile(model)
				if err != nil {
					return nil, err
				}
				start := file.Formulas.Initial
				file.Formulas, file.Prior = document.Formulas{}, nil
				if law := file.Model.First; law != nil && law.Possible() > fmdp.MaxPoints {
					file.Formulas.Initial = start // no list holds the states
				}
				model = file.Encode()
			}
			if len(model) > domain.MaxModel {
				h.remark(fmt.Sprintf("no spec can hold this model: it has more than %d MiB", domain.MaxModel>>20))
			}
			return model, nil
		})
	},
}

var priorCommand = command{
	name: "prior", args: "-preset NAME | -spec FILE | -link URL | -model FILE [-run I]",
	short: "print the prior of a run, G_0 with its degree of sparseness",
	long:  specHelp + "\n\nPrints what is known of one run's true graph before the first episode, in the format cpsrl/prior.",
	setup: func(flags *flag.FlagSet) action {
		return onRun(flags, func(h *host, s *spec.Spec, run int) ([]byte, error) {
			space, prior, err := experiment.NewPrior(s, run)
			if err != nil {
				return nil, err
			}
			if prior.Bound == bigraph.Below {
				h.remark("a prior file has no bound; factorizations and posterior need -bound below again")
			}
			if prior.Payoffs != nil {
				h.remark("a prior file has only variables; edges into payoffs are left out")
			}
			law := s.Law()
			return document.EncodePrior(&document.PriorFile{Space: space, Prior: prior, Rows: law.Rows, Structure: law.Structure}), document.CheckPrior(prior, space)
		})
	},
}

var traceCommand = command{
	name: "trace", args: "-preset NAME | -spec FILE | -link URL | -model FILE [-run I] [-agent LABEL] [-episode K]",
	short: "recompute one episode's moments",
	long: specHelp + `

Prints one episode of one agent in the format cpsrl/trace: the sampled and the true model, values and
policies, the trajectory, and the belief before and after.`,
	setup: func(flags *flag.FlagSet) action {
		label := flags.String("agent", "", "the agent's `LABEL` (default: the spec's last)")
		episode := wholeNumber(flags, "episode", 1, 1, spec.MaxEpisodes, "the episode `K`, from 1")
		return onRun(flags, func(h *host, s *spec.Spec, run int) ([]byte, error) {
			e, err := experiment.NewContext(h.ctx, s)
			if err != nil {
				return nil, err
			}
			player, err := e.Label(cmp.Or(*label, s.Agents[len(s.Agents)-1]))
			if err != nil {
				return nil, in("flag -agent", err)
			}
			trace, err := e.Trace(h.ctx, run, player, *episode)
			if err != nil {
				return nil, err
			}
			return record.EncodeTrace(trace), nil
		})
	},
}

// onRun adds the flags that choose a spec and a run, by default the first. It returns the
// action that prints a document about that run.
func onRun(flags *flag.FlagSet, document func(h *host, s *spec.Spec, run int) ([]byte, error)) action {
	source := newSpecFlags(flags)
	run := wholeNumber(flags, "run", -1, 0, spec.MaxRuns-1, "the index `I` of the run, from 0 (default: the spec's first)")
	return func(h *host, args []string) error {
		s, name, err := source.load(h)
		if err != nil {
			return err
		}
		if *run < 0 {
			*run = s.FirstRun
		}
		data, err := document(h, s, *run)
		if err != nil {
			return h.hint(s, in(name, err))
		}
		return h.print(append(data, '\n'))
	}
}
