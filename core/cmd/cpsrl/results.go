package main

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/strict"
)

// recordsFile is the summary of a records file.
type recordsFile struct {
	export.Results
	header *experiment.Header
	name   string // the name of the file, for messages
}

// results reads a records file, or several that hold the parts of one experiment. If see is not nil, it calls
// see with each record.
func (h *host) results(paths []string, see func(*record.Record)) (*recordsFile, error) {
	file, name, err := h.openRecords(paths)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, err := results.NewReader(file)
	if err != nil {
		return nil, strict.Unreadable(name, "a records file", err)
	}
	summary := results.NewSummary(reader.Experiment)
	for line, err := range reader.All() {
		if err == nil {
			if err = summary.Add(line.Record); err != nil {
				err = &strict.LineError{Number: line.Number, Err: err}
			}
		}
		if err != nil {
			return nil, strict.Unreadable(name, "a records file", err)
		}
		if see != nil {
			see(line.Record)
		}
	}
	return &recordsFile{export.Results{
		Summary: summary, Engine: reader.Header.Engine, Fingerprint: reader.Fingerprint(), Whole: reader.Whole(),
	}, reader.Header, name}, nil
}

// check returns an error that says why if records were added and none has the measure.
func (r *recordsFile) check(of *results.Measure) error {
	switch {
	case len(r.RunCurves(of)) > 0 || r.Added() == 0:
		return nil
	case of.Solved && r.header.Regret != "":
		return badf(r.name, "there is no %s to show: %s", of.Axis, r.header.Regret)
	case r.header.ModelError != "" && of.Key == "model-error":
		return badf(r.name, "there is no model error to show: %s", r.header.ModelError)
	}
	return badf(r.name, "there is no %s to show: no record of %s has it%s", of.Axis, strings.Join(r.Experiment.Spec().Agents, ", "), r.ask(of))
}

// ask returns what makes records hold a measure, unless the spec has it set.
func (r *recordsFile) ask(of *results.Measure) string {
	if r.Experiment.Spec().RecordsDepth() {
		return ""
	}
	return of.Ask()
}

// measureFlag is the value of a flag -of. The measure is nil if the flag is not given.
type measureFlag struct{ *results.Measure }

// in returns the measure for a file: that of the flag, or the default of the experiment.
func (m *measureFlag) in(r *recordsFile) *results.Measure {
	return cmp.Or(m.Measure, results.Default(r.Experiment))
}

func newMeasureFlag(flags *flag.FlagSet) *measureFlag {
	m := &measureFlag{}
	var keys []string
	for _, of := range results.Measures() {
		keys = append(keys, of.Key)
	}
	usage := fmt.Sprintf("the `MEASURE`: %s (default %s, or return where records have no regret)", strings.Join(keys, ", "), results.CumulativeRegret().Key)
	flags.Func("of", usage, func(key string) error {
		of, known := results.LookupMeasure(key)
		if !known {
			return fmt.Errorf("expected %s", param.OneOf(keys))
		}
		m.Measure = of
		return nil
	})
	return m
}

// withFlag is the value of a flag -with: files of the results of other programs.
type withFlag []string

func newWithFlag(flags *flag.FlagSet) *withFlag {
	w := new(withFlag)
	flags.Func("with", "a `FILE` of the results of another program to show beside ours: JSON Lines or CSV of label, run, episode and regret or return; may be repeated", func(path string) error {
		*w = append(*w, path)
		return nil
	})
	return w
}

// read reads the files into the results.
func (w *withFlag) read(h *host, r *recordsFile) error {
	var labels []string
	for _, path := range *w {
		other, name, err := h.foreign(path)
		if err != nil {
			return err
		}
		for _, label := range other.Labels() {
			if slices.Contains(labels, label) {
				return badf(name, "two files have results of %q", label)
			}
			labels = append(labels, label)
		}
		r.Others = append(r.Others, other)
	}
	if len(labels) > results.MostForeign {
		return badf("flag -with", "the files have %d labels, more than %d", len(labels), results.MostForeign)
	}
	return nil
}

// foreign reads a file of the results of another program.
func (h *host) foreign(path string) (*results.Foreign, string, error) {
	const what = "results of another program"
	file, name, err := h.open(path, what)
	if err != nil {
		return nil, name, err
	}
	defer file.Close()
	other, err := results.ReadForeign(file)
	if err != nil {
		return nil, name, strict.Unreadable(name, what, err)
	}
	return other, name, nil
}
