package main

import (
	"flag"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

var summaryCommand = command{
	name: "summary", args: "FILE… [-with FILE] [-of MEASURE] [-band BAND] [-paired AGENT,BASE | -long | -endings | -reliability]",
	short: "print means and confidence intervals of records as CSV",
	long: `Reads records ("cpsrl run" writes them) and prints a CSV table with the columns agent,episode,mean,lo,hi,n
after comment lines that begin with #: the mean over runs and its 95% confidence interval by Student's t,
which is empty for one run. With -paired, of the difference of two agents run by run. With -band quantiles
the columns are agent,episode,median,q25,q75,least,most,n, quantiles over runs by linear interpolation (type 7 of
Hyndman and Fan); with -band runs they are agent,run,episode,value. With -band final the table has a line for each agent,
of the values after the last episode: the columns are agent,mean,mean_lo,mean_hi,median,median_lo,median_hi,iqm,iqm_lo,iqm_hi,n.
The interval of the mean is Student's t; those of the median and of the interquartile mean are by a stratified bootstrap of
10,000 samples, the same each time (Agarwal et al., NeurIPS 2021). With -long, the table has one line for each
run, agent and episode instead, and every measure. With -endings it has one line for each run,
agent,run,episodes,final,learned: the measure at its end, and the episodes until the agent has learned.
A comment says in how many runs each agent has learned, with Clopper and Pearson's 95% interval of the share.
With -reliability the columns are agent,episode,from,to,p,share,lo,hi,true,n: how many of the n edges whose probability by the
agent is in a bin are true, with the interval of Clopper and Pearson (cpsrl plot draws it). Several files are read as "cpsrl
merge" joins them.

With -with, the table also has the results of other programs, as "LABEL (other program)". They are no part of the
fingerprint. -paired then takes a label of theirs, too ("other:LABEL" if an agent has the same label). Unless
it met our true models run by run (cpsrl world), that difference is one of means, not paired, with Welch's interval and the
columns agent,episode,mean,lo,hi,n,m for n runs and m runs.`,
	operands: []string{"FILE"}, many: true,
	setup: func(flags *flag.FlagSet) action {
		of := newMeasureFlag(flags)
		with := newWithFlag(flags)
		paired := flags.String("paired", "", "two agents, `AGENT,BASE`: the difference AGENT − BASE")
		band := bandFlag(flags)
		endings := flags.Bool("endings", false, "one line for each run: its last value, and the episodes until the agent has learned")
		long := flags.Bool("long", false, "one line for each record")
		reliability := newReliabilityFlags(flags)
		base := baseFlag(flags)
		return func(h *host, args []string) error {
			banded := spec.Band(*band) != spec.Interval
			switch {
			case *long && *paired != "":
				return badf("flags", "-long and -paired exclude each other")
			case *endings && (*long || *paired != ""):
				return badf("flags", "-endings excludes -long and -paired")
			case len(*with) > 0 && (*long || *endings):
				return badf("flags", "-with excludes -long and -endings")
			case banded && (*long || *endings):
				return badf("flags", "-band excludes -long and -endings")
			case spec.Band(*band) == spec.Learned:
				return badf("flag -band", "only figures have %s (cpsrl plot); -endings prints the numbers", *band)
			}
			if err := reliability.check(); err != nil {
				return err
			}
			if *reliability.asked {
				if *long || *endings || banded || *paired != "" || len(*with) > 0 {
					return badf("flag -reliability", "it excludes -long, -endings, -band, -paired and -with")
				}
				r, rel, err := reliability.of(h, args)
				if err != nil {
					return err
				}
				r.Base = *base
				return h.print(r.ReliabilityCSV(rel))
			}
			var table export.Long
			var see func(*record.Record)
			if *long {
				see = table.Add
			}
			r, err := h.results(args, see)
			if err != nil {
				return err
			}
			r.Base = *base
			if err := with.read(h, r); err != nil {
				return err
			}
			if *long {
				return h.print(table.CSV(&r.Results))
			}
			of := of.in(r)
			if err := r.check(of); err != nil {
				return err
			}
			if *endings {
				return h.print(r.EndingsCSV(of))
			}
			if *paired != "" && len(r.Others) > 0 {
				agent, base, err := r.ParseSides(*paired)
				switch {
				case err != nil:
					return badf("flag -paired", "two labels were expected; %w", err)
				case !agent.Other && !base.Other: // the difference of two of ours, by run
				case banded:
					return badf("flags", "-band excludes -paired with another program: there is no difference by run")
				default:
					table, err := r.ApartCSV(of, agent, base)
					if err != nil {
						return badf("flag -paired", "%w", err)
					}
					return h.print(table)
				}
			}
			var pair experiment.Pair
			if *paired != "" {
				pair, err = r.Experiment.ParsePair(*paired)
				if err != nil {
					return badf("flag -paired", "AGENT,BASE was expected; %w", err)
				}
				if len(r.PairedRunCurves(of, pair, r.Summary)) == 0 && r.Added() > 0 {
					return badf("flag -paired", "there is no %s to compare: no run has it of both %s and %s", of.Axis, pair.Agent, pair.Base)
				}
			}
			switch spec.Band(*band) {
			case spec.Quantiles:
				return h.print(r.QuantilesCSV(of, pair))
			case spec.EachRun:
				return h.print(r.RunsCSV(of, pair))
			case spec.Final:
				return h.print(r.EndsCSV(of, pair))
			}
			if *paired != "" {
				return h.print(r.PairedCSV(of, pair))
			}
			return h.print(r.CSV(of))
		}
	},
}

var figureCommand = command{
	name: "figure", args: "FILE… [-o FILE]",
	short: "write the curves of a records file as the page shows them",
	long: `Reads records ("cpsrl run" writes them) and writes the means and bands of every measure at 120 episodes at
most, to 4 digits, with their link, receipt and conclusions, in the format cpsrl/figure: what the page shows
before anything has run.`,
	operands: []string{"FILE"}, many: true,
	setup: func(flags *flag.FlagSet) action {
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			r, err := h.results(args, nil)
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

// bandFlag adds the flag for the band of the runs.
func bandFlag(flags *flag.FlagSet) *string {
	return oneOf(flags, "band", spec.Bands(), "what is shown of the runs, the `BAND`: interval, quantiles, runs, final; in figures also learned")
}

// baseFlag adds the flag for the address of the page.
func baseFlag(flags *flag.FlagSet) *string {
	return flags.String("base", "", "the `URL` of a page that links begin with")
}
