package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
)

// results is what a records file says, summed up.
type results struct {
	export.Results
	name string // of the file, for messages
}

var newline = []byte{'\n'}

// results reads a records file. What is to see every record, if anything is,
// sees them as they come.
func (h *host) results(path string, see func(*record.Record)) (*results, error) {
	r, name, err := h.open(path, "a records file")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	res := &results{name: name}
	var checker *experiment.Checker
	hash := sha256.New()
	for l, err := range lines(r, name, "a record") {
		if err != nil {
			return nil, err
		}
		if res.Header == nil {
			if res.Header, err = record.DecodeHeader(l.bytes); err != nil {
				return nil, in(place(name, l.number), err)
			}
			res.Summary, checker = experiment.NewSummary(&res.Header.Spec), experiment.NewChecker(&res.Header.Spec)
			continue
		}
		rec, err := record.DecodeRecord(l.bytes)
		if err == nil {
			err = checker.Check(rec)
		}
		at := res.Summary.Records()
		if err == nil {
			err = res.Summary.Add(rec)
		}
		if err != nil {
			return nil, in(place(name, l.number), err)
		}
		if run, agent := order(&res.Header.Spec, at); rec.Run != run || rec.Agent != agent {
			res.Shuffled = true
		}
		hash.Write(bytes.TrimSuffix(l.bytes, newline))
		hash.Write(newline)
		if see != nil {
			see(rec)
		}
	}
	if res.Header == nil {
		return nil, badf(name, "line 1: a header in the format %s was expected, but the file is empty", record.RecordFormat)
	}
	res.Fingerprint = fmt.Sprintf("%x", hash.Sum(nil))
	return res, nil
}

// order returns the run and the agent of the record of that index, from 0, in
// the order run, agent, episode.
func order(s *record.Spec, index int) (run int, agent string) {
	index /= s.Episodes
	return s.FirstRun + index/len(s.Agents), s.Agents[index%len(s.Agents)]
}

// rows returns the curves of a measure; none at all is an error that says why.
func (r *results) rows(of experiment.Measure) ([]experiment.Row, error) {
	rows := r.Summary.Rows(of)
	switch {
	case len(rows) > 0 || r.Summary.Records() == 0:
		return rows, nil
	case of == experiment.ModelError:
		reason := r.Header.ModelError
		if reason == "" {
			reason = "no record has it"
		}
		return nil, badf(r.name, "there is no model error to show: %s", reason)
	}
	return nil, badf(r.name, "there is no %s to show: none of %s samples graphs", of, strings.Join(r.Header.Spec.Agents, ", "))
}

// pair reads the value of a -paired flag.
func (r *results) pair(text string) (experiment.Pair, error) {
	agent, base, _ := strings.Cut(text, ",")
	for _, label := range []*string{&agent, &base} {
		if a, err := record.ParseAgent(strings.TrimSpace(*label)); err == nil {
			*label = a.Label()
		}
		if !slices.Contains(r.Header.Spec.Agents, *label) {
			return experiment.Pair{}, badf("flag -paired", "AGENT,BASE was expected; %q is none of the agents of %s: %s", *label, r.name, strings.Join(r.Header.Spec.Agents, ", "))
		}
	}
	return experiment.Pair{Agent: agent, Base: base}, nil
}

// newMeasure is the value of an -of flag.
func newMeasure() *choice {
	c := &choice{}
	for _, m := range experiment.Measures() {
		c.choices = append(c.choices, string(m))
	}
	c.value = c.choices[0]
	return c
}
