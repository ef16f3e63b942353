package main

import "flag"

var figureCommand = command{
	name: "figure", args: "FILE [-o FILE]",
	short: "write the curves of a records file as the page shows them",
	long: `Reads records ("cpsrl run" writes them) and writes the means and bands of every measure at 120 episodes at
most, to 4 digits, with their link, receipt and conclusions, in the format cpsrl/figure: what the page shows
before anything has run.`,
	operands: []string{"FILE"},
	setup: func(flags *flag.FlagSet) action {
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			r, err := h.results(args[0], nil)
			if err != nil {
				return err
			}
			if r.Added() == 0 {
				return badf(r.name, "the file holds no records; there is nothing to show")
			}
			return h.write(*path, r.Figure().JSON())
		}
	},
}
