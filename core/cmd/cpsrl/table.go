package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
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
	name: "table", args: "DIR [-of MEASURE] [-o FILE]",
	short: "print what a sweep has found as CSV",
	long: `Reads the records of a sweep ("cpsrl sweep" writes them) and prints a CSV table with a column for each field that varies
and the columns agent, measure, mean, lo, hi, n, learned after comment lines that begin with #: the mean of the measure after
the last episode over n runs, its 95% confidence interval by Student's t, and how many runs have learned. Settings that cannot run
or are not there yet are left out; a comment counts them. When all are there, a comment has the receipt of the sweep, which the
playground's page gives, too.`,
	operands: []string{"DIR"},
	setup: func(flags *flag.FlagSet) action {
		of := newMeasureFlag(flags)
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			t, err := h.sweepTable(args[0], of.Measure)
			if err != nil {
				return err
			}
			return h.write(*path, t.CSV())
		}
	},
}

// sweepTable reads the records of a sweep, several files at once. No records are kept.
func (h *host) sweepTable(path string, of *results.Measure) (*export.SweepTable, error) {
	f, err := h.openFolder(path)
	if err != nil {
		return nil, err
	}
	t := &export.SweepTable{Sweep: f.run.Sweep, Engine: f.run.Engine, Measure: of}
	n := f.run.Sweep.Len()
	settings, finals, errs := make([]*sweep.Setting, n), make([][]results.Final, n), make([]error, n)
	ids, fingerprints := make([]string, n), make([]string, n)
	ctx, cancel := context.WithCancel(h.ctx)
	defer cancel()
	each(ctx, runtime.NumCPU(), n, func(k int) {
		t := f.run.Sweep.Setting(k)
		if t.Err == nil {
			if finals[k], fingerprints[k], errs[k] = h.finals(ctx, f, t, of); errs[k] != nil {
				cancel()
			}
		}
		ids[k] = t.ID
		t.Spec = nil // which takes more room than the rest
		settings[k] = t
	})
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
	}
	if h.ctx.Err() != nil {
		return nil, context.Cause(h.ctx)
	}
	impossible := f.impossible(settings)
	for k, setting := range settings {
		switch {
		case setting.Err != nil || impossible[setting.ID]:
			t.Impossible++
		case finals[k] == nil:
			t.Missing++
		}
		for _, final := range finals[k] {
			t.Rows = append(t.Rows, export.SweepRow{Setting: setting, Final: final})
		}
	}
	if t.Missing == 0 {
		t.Receipt = sweep.Receipt(t.Engine, ids, fingerprints)
	}
	if len(t.Rows) == 0 {
		return nil, badf(path, "no setting of the sweep is whole; there is nothing to show")
	}
	return t, nil
}

// finals reads the records of a setting and returns their ends and their fingerprint. It returns nil if they are not there.
func (h *host) finals(ctx context.Context, f *folder, t *sweep.Setting, of *results.Measure) (ends []results.Final, fingerprint string, err error) {
	name := f.file(t)
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	} else if err != nil {
		return nil, "", unreadable(name, "a records file", err)
	}
	defer file.Close()
	reader, err := results.NewReader(file)
	if err != nil {
		return nil, "", inRecords(name, err)
	}
	if reader.Header.Engine != f.run.Engine || !bytes.Equal(spec.Encode(reader.Header.Spec), spec.Encode(t.Spec)) {
		return nil, "", badf(name, "the file holds other records than those of its setting")
	}
	finals := results.NewFinals(reader.Experiment, of)
	for line, err := range reader.All() {
		if err == nil {
			err = finals.Add(line.Record)
		}
		if err != nil {
			return nil, "", inRecords(name, err)
		}
		if line.Number%1000 == 0 && ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
	}
	if !reader.Whole() {
		return nil, "", badf(name, `the file is not whole; "cpsrl sweep" computes it again`)
	}
	return finals.All(), reader.Fingerprint(), nil
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
func (h *host) plotSweep(path, x, heat string, of *results.Measure, width, letters float64, paint painter, without []string) ([]byte, error) {
	if paint.picture == nil {
		return nil, badf("flag -o", "the figure of a sweep can be an svg, pdf or png")
	}
	t, err := h.sweepTable(path, of)
	if err != nil {
		return nil, err
	}
	if len(t.Sweep.Columns()) == 0 {
		return nil, badf(path, "nothing varies in the sweep; there is nothing to draw")
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
		return nil, in(path, err)
	}
	c.Title = fmt.Sprintf("%s after the last episode", of.Noun)
	c.Width, c.Type = width, letters
	for _, part := range without {
		switch part {
		case "title":
			c.Title = ""
		case "caption":
			c.Notes = nil
		case "names":
			return nil, badf("flag -without", "the curves of a sweep have no names beside their ends")
		}
	}
	return paint.picture(c.Picture())
}
