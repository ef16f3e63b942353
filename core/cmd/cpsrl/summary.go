package main

import (
	"flag"

	"cpsrl/core/export"
	"cpsrl/core/record"
)

var summaryCommand = command{
	name: "summary", args: "FILE [-of MEASURE] [-paired AGENT,BASE | -long]",
	short: "print means and confidence intervals of a records file as CSV",
	long: `Reads records ("cpsrl run" writes them) and prints a CSV table with the columns agent,episode,mean,lo,hi,n
after comment lines that begin with #: the mean over runs and its 95% confidence interval by Student's t,
which is empty for one run. With -paired, of the difference of two agents run by run; with -long, the table
has one line for each run, agent and episode instead, and every measure.`,
	operands: []string{"FILE"},
	setup: func(flags *flag.FlagSet) action {
		of := newMeasureFlag(flags)
		paired := flags.String("paired", "", "two agents, `AGENT,BASE`: the difference AGENT − BASE")
		long := flags.Bool("long", false, "one line for each record")
		base := baseFlag(flags)
		return func(h *host, args []string) error {
			if *long && *paired != "" {
				return badf("flags", "-long and -paired exclude each other")
			}
			var table export.Long
			var see func(*record.Record)
			if *long {
				see = table.Add
			}
			r, err := h.results(args[0], see)
			if err != nil {
				return err
			}
			r.Base = *base
			if *long {
				return h.print(table.CSV(&r.Results))
			}
			if _, err := r.rows(of.Measure); err != nil {
				return err
			}
			if *paired != "" {
				pair, err := r.ParsePair(*paired)
				if err != nil {
					return badf("flag -paired", "AGENT,BASE was expected; %w", err)
				}
				return h.print(r.PairedCSV(of.Measure, pair))
			}
			return h.print(r.CSV(of.Measure))
		}
	},
}

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

// baseFlag adds the flag that says where the page is.
func baseFlag(flags *flag.FlagSet) *string {
	return flags.String("base", "", "the `URL` of a page that links begin with")
}
