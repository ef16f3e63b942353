package main

import (
	"flag"
	"fmt"
	"runtime"
	"slices"

	"cpsrl/core/export"
	"cpsrl/core/param"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/sweep"
	"cpsrl/render/figure"
)

var tableCommand = command{
	name: "table", args: "DIR… [-of MEASURE] [-band BAND] [-o FILE]",
	short: "print what a sweep has found as CSV",
	long: `Reads the records of a sweep ("cpsrl sweep" writes them) and prints a CSV table with a column for each field that varies
and the columns agent, measure, mean, lo, hi, n, learned after comment lines that begin with #: the mean of the measure after
the last episode over n runs, its 95% confidence interval by Student's t, and how many runs have learned. With -band final
the columns after measure are mean,mean_lo,mean_hi,median,median_lo,median_hi,iqm,iqm_lo,iqm_hi,n as in "cpsrl summary", and
learned,learned_lo,learned_hi with Clopper and Pearson's 95% interval of the share. Settings that cannot run or are not there yet are left out; a comment counts them. Records that are not those which their shard has written are refused.
When all shards are whole, a comment has the receipt of the sweep, which the playground's page gives, too. Several folders are
read as one: those of machines that share no disk.`,
	operands: []string{"DIR"}, many: true,
	setup: func(flags *flag.FlagSet) action {
		of := newMeasureFlag(flags)
		band := oneOf(flags, "band", []string{string(spec.Interval), string(spec.Final)}, "what is shown of the ends of runs, the `BAND`: interval; final, with medians and interquartile means")
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			t, err := h.sweepTable(args, of.Measure)
			if err != nil {
				return err
			}
			if spec.Band(*band) == spec.Final {
				return h.write(*path, t.EndsCSV())
			}
			return h.write(*path, t.CSV())
		}
	},
}

// sweepTable reads the ends of a sweep.
func (h *host) sweepTable(paths []string, of *results.Measure) (*export.SweepTable, error) {
	f, err := h.openFolder(paths...)
	if err != nil {
		return nil, err
	}
	t, err := f.Table(h.ctx, runtime.NumCPU(), of)
	if err == nil && t.Missing == 0 && t.Receipt == nil {
		h.remark(`there is no receipt, because a shard is not whole; "cpsrl sweep" computes it`)
	}
	return t, err
}

// column returns the index of a column by the name of its field, or by its key in links.
func column(of *sweep.Sweep, flag, name string) (int, error) {
	columns := of.Columns()
	if at := slices.Index(columns, name); at >= 0 {
		return at, nil
	}
	for _, v := range spec.VariedRows(nil) {
		if at := slices.Index(columns, v.Name); at >= 0 && v.Key == name {
			return at, nil
		}
	}
	return 0, badf("flag -"+flag, "%q does not vary; it must be %s", param.Clip(name), param.OneOf(columns))
}

// plotSweep draws the figure of a sweep by the field x, or by two fields as a heat map.
func (h *host) plotSweep(paths []string, x, heat string, of *results.Measure, width, letters float64, paint painter, without []string) ([]byte, error) {
	if paint.picture == nil {
		return nil, badf("flag -o", "the figure of a sweep can be an svg, pdf or png")
	}
	t, err := h.sweepTable(paths, of)
	if err != nil {
		return nil, err
	}
	if len(t.Sweep.Columns()) == 0 {
		return nil, badf(paths[0], "nothing varies in the sweep; there is nothing to draw")
	}
	at, second := 0, -1
	if x != "" {
		if at, err = column(t.Sweep, "x", x); err != nil {
			return nil, err
		}
	}
	if heat != "" {
		if second, err = column(t.Sweep, "heat", heat); err != nil {
			return nil, err
		}
		if x == "" && at == second && len(t.Sweep.Columns()) > 1 {
			at = 1
		}
	}
	c, err := figure.OfSweep(t, at, second)
	if err != nil {
		return nil, in(paths[0], err)
	}
	c.Title = fmt.Sprintf("%s after the last episode", t.Measure.Noun)
	c.Width, c.Type = width, letters
	if slices.Contains(without, "names") {
		return nil, badf("flag -without", "the curves of a sweep have no names beside their ends")
	}
	leaveOut(without, &c.Title, &c.Notes)
	return paint.picture(c.Picture())
}
