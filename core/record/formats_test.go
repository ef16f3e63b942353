package record_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
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
		{Files: []string{"trace-v1.json", "trace-psrl-v1.json", "trace-v2.json"}, Again: againTrace},
		{Files: []string{"records-v1.jsonl", "records-v2.jsonl", "records-v3.jsonl"}, Again: func(data []byte) ([]byte, error) {
			head, rest, _ := bytes.Cut(data, []byte("\n"))
			if _, _, err := strict.Members(head, record.RecordFormat, 3, "engine", "spec", "modelError", "regret"); err != nil {
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
		{`"version":1`, `"version":3`, "/version", "version 3 of cpsrl/trace is unknown"},
		{`"version":1`, `"version":2`, "/version", "a trace of version 1 lists policies, and one of version 2 does not"},
		{`"horizon":2`, `"horizon":3`, "/true/v", "2 rows of values for 3 steps"},
		{`"pickUp":[0,0]`, `"pickUp":[0]`, "/grid/pickUp", "expected an array of 2"},
		{`"pickUp":[0,0]`, `"pickUp":[0,3]`, "/grid", "there is no cell at row 0, column 3"},
		{`"rows":3`, `"rows":4`, "/grid", "the variables are not those of a taxi"},
	}...))
}

// A trace may say where the parents of its tables matter, of edges of the graph, in their order
// and briefly.
func TestTraceWhere(t *testing.T) {
	const where = `"where":[{"x":1,"y":0,"text":"does not matter"},{"x":1,"y":1,"text":"matters only where X4 is 1"}],`
	old := strings.TrimSpace(string(formattest.Read(t, "trace-v1.json")))
	at := strings.Index(old, `"sampled":`)
	at += strings.Index(old[at:], `"reward":`)
	text := old[:at] + where + old[at:]
	if again, err := againTrace([]byte(text)); err != nil || string(again) != text {
		t.Errorf("%s, %v", again, err)
	}
	for _, edit := range []formattest.Edit{
		{`"x":1,"y":0`, `"x":1,"y":1`, "/sampled/where/1", "not in their order"},
		{`"x":1,"y":0`, `"x":4,"y":0`, "/sampled/where/0", "the graph has no edge from 4 to 0"},
		{`"x":1,"y":0`, `"x":1,"y":2`, "/sampled/where/0", "the graph has no edge from 1 to 2"},
		{`"x":1,"y":0`, `"x":-1,"y":-1`, "/sampled/where/0", "the graph has no edge from -1 to -1"},
		{`does not matter`, ``, "/sampled/where/0/text", "0 bytes"},
		{`does not matter`, strings.Repeat("x", record.MaxWhere+1), "/sampled/where/0/text", "301 bytes; there are 1 to 300"},
		{`"text":"does not matter"`, `"text":null`, "/sampled/where/0/text", "null is not allowed here"},
		{`,"text":"does not matter"`, ``, "/sampled/where/0/text", "missing"},
	} {
		_, err := record.DecodeTrace([]byte(strings.Replace(text, edit[0], edit[1], 1)))
		formattest.WantError(t, edit[0]+" as "+edit[1], err, edit[2], edit[3])
	}
	whole := strings.Replace(string(formattest.Read(t, "trace-psrl-v1.json")), `"sampled":{`, `"sampled":{"where":[{"x":0,"y":0,"text":"does not matter"}],`, 1)
	_, err := record.DecodeTrace([]byte(whole))
	formattest.WantError(t, "an edge of a model without a graph", err, "/sampled/where/0", "the graph has no edge from 0 to 0")
}

// A trace may have a picture, legal actions, and an episode that ended early, even where it began. It is
// written as it was read.
func TestTraceView(t *testing.T) {
	old := strings.TrimSpace(string(formattest.Read(t, "trace-v1.json")))
	put := func(text, before, part string) string {
		at := strings.Index(text, before)
		if at < 0 {
			t.Fatalf("%s is not in the trace", before)
		}
		return text[:at] + part + text[at:]
	}
	const view = `"view":{"kind":"nodes","nodes":["X1","X2"],"links":[["X1","X2"]]},`
	viewed := put(old, `"true":`, view)
	all := put(viewed, `"view":`, `"legal":[[0,0],[0,1],[1,0],[1,1]],`)
	allowed := put(viewed, `"view":`, `"allowed":{"given":["X2"],"actions":[[0,1,2,3],[0,1,2,3]]},`)
	if _, err := record.DecodeTrace([]byte(strings.ReplaceAll(allowed, `[0,1,2,3]`, `[0]`))); err == nil || !strings.Contains(err.Error(), "not legal in this state") {
		t.Errorf("a step with an action that is not legal in its state: %v", err)
	}
	for _, text := range []string{viewed, all, allowed, put(all, `"prior":`, `"ending":"death",`), put(all, `"prior":`, `"ending":"",`)} {
		if again, err := againTrace([]byte(text)); err != nil || string(again) != text {
			t.Errorf("%v: %.300s", err, text)
		}
	}
	trace, err := record.DecodeTrace([]byte(all))
	if err != nil {
		t.Fatal(err)
	}
	trace.Steps, trace.End = nil, []int{1, 0}
	text := string(record.EncodeTrace(trace))
	again, err := record.DecodeTrace([]byte(text))
	if err != nil || !slices.Equal(again.StateAfter(0), []int{1, 0}) {
		t.Errorf("an episode without a step: %v", err)
	}
	for _, edit := range []formattest.Edit{
		{`"X2"],"links"`, `"X3"],"links"`, "/view/nodes/1", `there is no state variable "X3"`},
		{`"kind":"nodes"`, `"kind":"tree"`, "/view/kind", "it must be grid, chart or nodes"},
		{`[1,0],[1,1]]`, `[1,0]]`, "/true/reward", "16 rewards for 12 state-action pairs"},
		{`[1,0],[1,1]]`, `[1,1],[1,0]]`, "/legal", "the actions are not ascending"},
		{`[1,0],[1,1]]`, `[1,0],[1,0]]`, "/legal/3", "listed twice"},
		{`[1,0],[1,1]]`, `[1,0],[1]]`, "/legal/3", "1 values for 2 action variables"},
		{`[[0,0],[0,1],[1,0],[1,1]]`, `[]`, "/legal", "there is no legal action"},
		{`"sampled":{`, `"allowed":{"given":["X2"],"actions":[[0,1]]},"sampled":{`, "/allowed/actions", "1 lists of actions; the given variables have 2 assignments"},
		{`"sampled":{`, `"allowed":{"given":["X2"],"actions":[[0,1],[3,2]]},"sampled":{`, "/allowed/actions/1/1", "there is no action 2, or it is not in its order"},
		{`"sampled":{`, `"allowed":{"given":["X2"],"actions":[[0,1],[4]]},"sampled":{`, "/allowed/actions/1/0", "there is no action 4"},
		{`"sampled":{`, `"allowed":{"given":["X2"],"actions":[[0,1],[]]},"sampled":{`, "/legal", "no action is legal where X2 = 1"},
		{`"sampled":{`, `"allowed":{"given":["X2","X1"],"actions":[[0],[0],[0],[0]]},"sampled":{`, "/allowed/given/1", "not in the order of the state"},
		{`"sampled":{`, `"allowed":{"given":[],"actions":[[0]]},"sampled":{`, "/allowed/actions", "1 lists"},
		{`"end":[1,0]`, `"end":[1]`, "/end", "1 values for 2 state variables"},
		{`"end":[1,0]`, `"end":[1,2]`, "/end/1", `"X2" has no value 2`},
		{`"end":[1,0],`, ``, "/end", "the episode has no step"},
	} {
		if !strings.Contains(text, edit[0]) {
			t.Fatalf("%s is not in %.900s", edit[0], text)
		}
		_, err := record.DecodeTrace([]byte(strings.Replace(text, edit[0], edit[1], 1)))
		formattest.WantError(t, edit[0]+" as "+edit[1], err, edit[2], edit[3])
	}
}

// SetWhere has the edges of the model's graph, by Y variable, then X variable. Oracle: tables by
// hand, with the parents in another order and one that is not in the graph.
func TestSetWhere(t *testing.T) {
	two := func(name string) fmdp.Variable { return fmdp.Variable{Name: name, Size: 2} }
	space := &fmdp.Space{State: []fmdp.Variable{two("a"), two("b")}, Action: []fmdp.Variable{two("c")}}
	m := record.TraceModel{Graph: document.Graph{{0, 2}, {0, 1}}}
	m.SetWhere(space, []fmdp.Factor{
		{Given: []int{2, 0}, Size: 2, P: []float64{0, 1, 0, 1, 0, 1, 1, 0}}, // c and a
		{Given: []int{0, 1, 2}, Size: 2, P: []float64{0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1}},
	})
	want := []record.TraceWhere{
		{X: 0, Y: 0, Text: "matters only where c is 1"}, {X: 2, Y: 0, Text: "matters only where a is 1"},
		{X: 0, Y: 1, Text: "matters only where b is 1"}, {X: 1, Y: 1, Text: "matters only where a is 0"},
	}
	if !slices.Equal(m.Where, want) {
		t.Errorf("%v, want %v", m.Where, want)
	}
	m.SetWhere(space, []fmdp.Factor{{Given: []int{2}, Size: 2, P: []float64{0.5, 0.5, 1, 0}}, {Size: 2, P: []float64{1, 0}}})
	if m.Where != nil {
		t.Error(m.Where)
	}
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
