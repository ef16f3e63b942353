package experiment_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/internal/formattest"
)

func againHeader(data []byte) ([]byte, error) {
	h, err := experiment.DecodeHeader(data)
	if err != nil {
		return nil, err
	}
	return experiment.AppendHeader(nil, h), nil
}

// The header of every version ever written is read and written in the version of its records.
// Package record tests the other lines.
func TestHeaderTestdata(t *testing.T) {
	newest := map[string]*strings.Replacer{
		"records-v1.jsonl": strings.NewReplacer(`"cpsrl/records","version":1`, `"cpsrl/records","version":2`, `"cpsrl/spec","version":1`, `"cpsrl/spec","version":3`,
			`"horizon":4}`, `"horizon":4,"rows":1}`, `"rewards":"known"}`, `"rewards":"known","dirichlet":1,"tables":"rows","depth":"no"}`),
		"records-v3.jsonl": strings.NewReplacer(),
		"records-v2.jsonl": strings.NewReplacer(`"cpsrl/spec","version":2`, `"cpsrl/spec","version":3`, `"dirichlet":1}`, `"dirichlet":1,"tables":"rows","depth":"no"}`),
	}
	for name, as := range newest {
		data, err := os.ReadFile("../record/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		head := data[:bytes.IndexByte(data, '\n')+1]
		want := as.Replace(string(head))
		if got, err := againHeader(head); err != nil || string(got) != want {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, got, want)
		}
	}
}

const header = `{"format":"cpsrl/records","version":2,"engine":1,` +
	`"spec":{"format":"cpsrl/spec","version":3,"domain":{"name":"taxi","grid":"3x3","horizon":5},"prior":{"eta":1},"sparseness":5,"agents":["psrl","c-psrl"],"episodes":4,"firstRun":0,"runs":2,"seed":1,"bound":"at-most","update":"exact","rewards":"known","dirichlet":1,"tables":"rows","depth":"no"}}`

func TestStrictHeader(t *testing.T) {
	formattest.Strict(t, "header", header, againHeader, append(formattest.Common("engine", "/engine"), []formattest.Edit{
		{"cpsrl/records", "cpsrl/spec", "/format", `"cpsrl/records" is expected here`},
		{`"version":2`, `"version":4`, "/version", "version 4 of cpsrl/records is unknown"},
		{`"version":2`, `"version":3`, "/version", "records with a regret are of version 2"},
		{`"engine":1,`, `"engine":1,"regret":"not computed",`, "/regret", "records of version 3 have no regret, and a sentence says why"},
		{`"engine":1`, `"engine":0`, "/engine", "the engine version is 0; it must be at least 1"},
		{`"engine":1,`, ``, "/engine", `the field "engine" is missing`},
		{`"cpsrl/spec","version":3`, `"cpsrl/spec","version":8`, "/spec/version", "version 8 of cpsrl/spec is unknown"},
		{`"cpsrl/spec","version":3`, `"","version":0`, "/spec/format", `the format is ""`},
		{`"spec":{`, `"spec":null,"x":{`, "/x", "unknown field"},
		{`"spec":{`, `"spec":null,"modelError":{`, "/spec", "null is not allowed here"},
		{`"runs":2`, `"runs":10001`, "/spec/runs", "out of range"},
		{`"name":"taxi"`, `"name":"chess"`, "/spec/domain/name", "is unknown"},
		{`"engine":1,`, `"engine":1,"modelError":null,`, "/modelError", "null is not allowed here"},
	}...))
}

func FuzzHeader(f *testing.F) { formattest.Fuzz(f, []string{header}, againHeader) }
