package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// results is what a records file says, summed up.
type results struct {
	name        string // of the file, for messages
	header      *record.Header
	summary     *experiment.Summary
	fingerprint string // SHA-256 of the record lines
}

var newline = []byte{'\n'}

// results reads a records file.
func (h *host) results(path string) (*results, error) {
	r, name, err := h.open(path, "a records file")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	res := &results{name: name}
	hash := sha256.New()
	for l, err := range lines(r, name, "a record") {
		if err != nil {
			return nil, err
		}
		if res.header == nil {
			if res.header, err = record.DecodeHeader(l.bytes); err != nil {
				return nil, in(place(name, l.number), err)
			}
			res.summary = experiment.NewSummary(&res.header.Spec)
			continue
		}
		rec, err := record.DecodeRecord(l.bytes)
		if err == nil {
			err = res.summary.Add(rec)
		}
		if err != nil {
			return nil, in(place(name, l.number), err)
		}
		hash.Write(bytes.TrimSuffix(l.bytes, newline))
		hash.Write(newline)
	}
	if res.header == nil {
		return nil, badf(name, "line 1: a header in the format %s was expected, but the file is empty", record.RecordFormat)
	}
	res.fingerprint = fmt.Sprintf("%x", hash.Sum(nil))
	return res, nil
}

// rows returns the curves of a measure; none at all is an error that says why.
func (r *results) rows(of experiment.Measure) ([]experiment.Row, error) {
	rows := r.summary.Rows(of)
	switch {
	case len(rows) > 0 || r.summary.Records() == 0:
		return rows, nil
	case of == experiment.ModelError:
		reason := r.header.ModelError
		if reason == "" {
			reason = "no record has it"
		}
		return nil, badf(r.name, "there is no model error to show: %s", reason)
	}
	return nil, badf(r.name, "there is no %s to show: none of %s samples graphs", of, strings.Join(r.header.Spec.Agents, ", "))
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
