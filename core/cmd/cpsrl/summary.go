package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"strconv"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

var summaryCommand = command{
	name: "summary", args: "FILE [-of MEASURE]",
	short: "print means and confidence intervals of a records file as CSV",
	long: `Reads records ("cpsrl run" writes them) and prints a CSV table with the columns agent,episode,mean,lo,hi,n
after comment lines that begin with #: the mean over runs and its 95% confidence interval by Student's t,
which is empty for one run.`,
	setup: func(flags *flag.FlagSet) action {
		of := newMeasure()
		flags.Var(of, "of", "the `MEASURE`: cumulative-regret, regret, model-error, recall, precision or parents")
		return func(h *host, args []string) error {
			if err := exactly(args, "FILE"); err != nil {
				return err
			}
			r, err := h.results(args[0])
			if err != nil {
				return err
			}
			table, err := r.csv(experiment.Measure(of.value))
			if err != nil {
				return err
			}
			return h.print(table)
		}
	},
}

// interval is the formula behind every band.
const interval = "mean ± t(0.975, n−1)·s/√n, Student's t over n runs"

// csv returns the table of a measure.
func (r *results) csv(of experiment.Measure) ([]byte, error) {
	rows, err := r.rows(of)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: lo and hi are the 95%% confidence interval %s\n", of, interval)
	fmt.Fprintf(&b, "# %s\n", r.summary.Conclusion())
	fmt.Fprintf(&b, "# engine %d\n", r.header.Engine)
	fmt.Fprintf(&b, "# fingerprint %s\n", r.fingerprint)
	fmt.Fprintf(&b, "# spec %s\n", record.EncodeSpec(&r.header.Spec))
	w := csv.NewWriter(&b)
	w.Write([]string{"agent", "episode", "mean", "lo", "hi", "n"})
	for _, row := range rows {
		w.Write([]string{row.Agent, strconv.Itoa(row.Episode), cell(row.Mean), cell(row.Lo), cell(row.Hi), strconv.Itoa(row.N)})
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// cell is a number in full, or nothing for NaN.
func cell(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
