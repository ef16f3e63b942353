package main

import (
	"flag"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/spec"
)

var citeCommand = command{
	name: "cite", args: "FILE | -preset NAME | -spec FILE | -link URL [-methods [-as text|tex]] [-base URL]",
	short: "print the citations of an experiment, or a methods text for a paper",
	long: specHelp + `

Prints the BibTeX entries of the paper and of the experiment. With -methods, prints a paragraph for a paper that says
how the results were computed: the problem, the priors, the agents with their parameters, the runs, and the
assumptions; with -as tex, for LaTeX, with citations of these entries. FILE holds records ("cpsrl run" writes
them): the text then names their receipt, if the file holds all of them. A link may have a receipt, too.`,
	operands: []string{"FILE"}, optional: true,
	setup: func(flags *flag.FlagSet) action {
		source := newSpecFlags(flags)
		methods := flags.Bool("methods", false, "print a methods text instead of BibTeX")
		as := oneOf(flags, "as", []string{"text", "tex"}, "with -methods, the `FORMAT`: text or tex")
		base := baseFlag(flags)
		return func(h *host, args []string) error {
			if *as != "text" && !*methods {
				return badf("flag -as", "it is for -methods; the entries are BibTeX")
			}
			e, receipt, err := h.cited(args, source)
			if err != nil {
				return err
			}
			switch {
			case !*methods:
				return h.print([]byte(export.BibTeX(*base, e, receipt)))
			case *as == "tex":
				return h.print([]byte(export.MethodsLaTeX(e, receipt) + "\n"))
			}
			return h.print([]byte(export.Methods(e, receipt) + "\n"))
		}
	},
}

// cited returns the experiment of a records file or of the flags, with its receipt if there is one.
func (h *host) cited(args []string, source *specFlags) (*experiment.Experiment, *spec.Receipt, error) {
	if len(args) > 0 {
		if source.chosen() > 0 || len(source.given) > 0 {
			return nil, nil, badf("arguments", "a records file has an experiment of its own; the flags of another one exclude FILE")
		}
		r, err := h.results(args, nil)
		if err != nil {
			return nil, nil, err
		}
		return r.Experiment, r.Receipt(), nil
	}
	e, _, err := source.experiment(h)
	if err != nil {
		return nil, nil, err
	}
	if l := source.opened; l != nil && len(source.given) == 0 {
		return e, l.Receipt, nil
	}
	return e, nil, nil
}
