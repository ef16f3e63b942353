package record_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/record"
	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

func againRecord(data []byte) ([]byte, error) {
	r, err := record.DecodeRecord(data)
	if err != nil {
		return nil, err
	}
	return record.AppendRecord(nil, r), nil
}

func againTrace(data []byte) ([]byte, error) {
	t, err := record.DecodeTrace(data)
	if err != nil {
		return nil, err
	}
	return record.EncodeTrace(t), nil
}

// A file of every version ever written is read and written back with the same bytes.
func TestTestdata(t *testing.T) {
	formattest.Testdata(t, []formattest.Format{
		{Files: []string{"trace-v1.json", "trace-psrl-v1.json"}, Again: againTrace},
		{Files: []string{"records-v1.jsonl", "records-v2.jsonl"}, Again: func(data []byte) ([]byte, error) {
			head, rest, _ := bytes.Cut(data, []byte("\n"))
			if _, _, err := strict.Members(head, record.RecordFormat, 2, "engine", "spec"); err != nil {
				return nil, err // package experiment reads the rest of the header
			}
			list, err := formattest.Lines(againRecord)(rest)
			return slices.Concat(head, []byte("\n"), list), err
		}},
	})
}

const line = `{"run":0,"agent":"c-psrl","episode":1,"optimal":2,"value":1.5,"regret":0.5,"return":1,"modelError":0.25,` +
	`"belief":{"graph":[[0]],"superset":true,"recall":1,"precision":1,"parents":1,"best":[[0]],"edges":[[1,0.5]],"entropy":0}}`

func TestStrictRecord(t *testing.T) {
	formattest.Strict(t, "record", line, againRecord, append(formattest.Common("episode", "/episode"), []formattest.Edit{
		{`"run":0,`, ``, "/run", `the field "run" is missing`},
		{`"value":1.5`, `"value":NaN`, "/value", "malformed JSON"},
		{`"value":1.5`, `"value":1e999`, "/value", "expected a number, found 1e999"},
		{`"value":1.5`, `"value":1e31`, "/value", "1e+31 is out of range; it must be within ±1e+30"},
		{`"regret":0.5`, `"regret":-1e300`, "/regret", "-1e+300 is out of range"},
		{`"modelError":0.25`, `"modelError":1e300`, "/modelError", "out of range"},
		{`"recall":1`, `"recall":1e300`, "/belief/recall", "out of range"},
		{`"value":1.5`, `"value":null`, "/value", "null is not allowed here"},
		{`"modelError":0.25`, `"modelError":null`, "/modelError", "null is not allowed here"},
		{`"superset":true`, `"superset":1`, "/belief/superset", "expected true or false, found a number"},
		{`"graph":[[0]]`, `"graph":[0]`, "/belief/graph/0", "expected an array, found a number"},
		{`"graph":[[0]]`, `"graph":[[0.5]]`, "/belief/graph/0/0", "expected a whole number, found 0.5"},
		{`"entropy":0`, `"entropy":0,"more":1`, "/belief/more", "unknown field"},
	}...))
}

func TestStrictTrace(t *testing.T) {
	text := strings.TrimSpace(string(formattest.Read(t, "trace-psrl-v1.json")))
	if testing.Short() {
		t.Skip("cuts a long document at every byte")
	}
	formattest.Strict(t, "trace", text, againTrace, append(formattest.Common("horizon", "/horizon"), []formattest.Edit{
		{"cpsrl/trace", "cpsrl/model", "/format", `"cpsrl/trace" is expected here`},
		{`"version":1`, `"version":2`, "/version", "version 2 of cpsrl/trace is unknown"},
		{`"horizon":2`, `"horizon":3`, "/true/v", "2 rows of values for 3 steps"},
		{`"pickUp":[0,0]`, `"pickUp":[0]`, "/grid/pickUp", "expected an array of 2"},
		{`"pickUp":[0,0]`, `"pickUp":[0,3]`, "/grid", "there is no cell at row 0, column 3"},
		{`"rows":3`, `"rows":4`, "/grid", "the variables are not those of a taxi"},
	}...))
}

// Deep nesting ends in an error, not in a full stack.
func FuzzRecord(f *testing.F) { formattest.Fuzz(f, []string{line}, againRecord) }

// The seeds are long. Use -fuzzminimizetime=5x as build.sh does, or go test -fuzz spends
// all its time minimising.
func FuzzTrace(f *testing.F) {
	formattest.Fuzz(f, []string{string(formattest.Read(f, "trace-v1.json")), string(formattest.Read(f, "trace-psrl-v1.json"))}, againTrace)
}

func TestRound4(t *testing.T) {
	for p, want := range map[float64]float64{0: 0, 1: 1, 1.0 / 3: 0.3333, 0.00005: 0.0001, 0.99996: 1} {
		if got := record.Round4(p); got != want {
			t.Errorf("Round4(%v) = %v, want %v", p, got, want)
		}
	}
}

func BenchmarkAppendRecord(b *testing.B) {
	r, err := record.DecodeRecord([]byte(line))
	if err != nil {
		b.Fatal(err)
	}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = record.AppendRecord(dst[:0], r)
	}
}

// Traces are written by programs, and their tables are lists.
func TestTraceNamesNoRows(t *testing.T) {
	trace := string(formattest.Read(t, "trace-v1.json"))
	at := strings.Index(trace, `"p":[[`)
	end := at + strings.Index(trace[at:], `]]`) + 2
	_, err := record.DecodeTrace([]byte(trace[:at] + `"p":{"0":[1]}` + trace[end:]))
	if err == nil || !strings.Contains(err.Error(), "/transition/0/p: expected an array, found an object") {
		t.Error(err)
	}
}
