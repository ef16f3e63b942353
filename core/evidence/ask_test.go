package evidence_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// read begins to read transitions.
func read(t *testing.T, text string, o format.LogOptions) *evidence.Data {
	t.Helper()
	data, err := evidence.Read(strict.NewLines(strings.NewReader(text)), o, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ask returns the answer of transitions to a question, as text.
func ask(t *testing.T, q evidence.Question, data *evidence.Data) string {
	t.Helper()
	a, err := q.Ask(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := a.Write(&out, 0); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// flips are the transitions of a switch that takes the value of the action, as a table and as JSON Lines.
func flips(n int) (table, lines string) {
	table = "episode,t,on,press\n"
	on := 0
	for k := range n {
		press := k * k % 3 % 2
		table += fmt.Sprintf("0,%d,%d,%d\n", k, on, press)
		lines += fmt.Sprintf("{\"x\":[%d,%d],\"y\":[%d]}\n", on, press, press)
		on = press
	}
	return table + fmt.Sprintf("0,%d,%d,0\n", n, on), lines
}

// The same transitions get the same answer as a table and as JSON Lines, and what is said in place of the prior gets that of
// a prior that says so. A question leaves its prior as it is.
func TestAsk(t *testing.T) {
	table, lines := flips(20)
	found := read(t, table, format.LogOptions{Actions: []string{"press"}})
	space := found.Space
	prior := func(z int, rows concentration.Concentration, structure concentration.Structure, edges ...document.Edge) *document.PriorFile {
		p, err := document.DecodeEdges(edges, "", space)
		if err != nil {
			t.Fatal(err)
		}
		p.Sparseness = z
		return &document.PriorFile{Space: space, Prior: p, Rows: rows, Structure: structure}
	}
	var tenth concentration.Optional
	if err := tenth.Parse(".1"); err != nil {
		t.Fatal(err)
	}
	plain := prior(2, concentration.Concentration{}, concentration.Rows)
	of := func() *evidence.Data { return read(t, lines, format.LogOptions{Space: space}) }
	for name, c := range map[string]struct {
		q    evidence.Question
		same *document.PriorFile
	}{
		"prior":     {evidence.Question{Prior: plain}, plain},
		"Z":         {evidence.Question{Prior: plain, Z: 1}, prior(1, concentration.Concentration{}, concentration.Rows)},
		"dirichlet": {evidence.Question{Prior: plain, Rows: tenth}, prior(2, tenth.Concentration, concentration.Rows)},
		"tables":    {evidence.Question{Prior: plain, Tables: "tied"}, prior(2, concentration.Concentration{}, concentration.Tied)},
		"rows":      {evidence.Question{Prior: prior(2, concentration.Concentration{}, concentration.Tied), Tables: "rows"}, plain},
		"no prior":  {evidence.Question{}, plain},
		"edges": {evidence.Question{Z: 2, Edges: func(*fmdp.Space) ([]document.Edge, error) {
			return []document.Edge{{From: "press", To: "on", P: 1}}, nil
		}}, prior(2, concentration.Concentration{}, concentration.Rows, document.Edge{From: "press", To: "on", P: 1})},
	} {
		want := ask(t, evidence.Question{Prior: c.same}, of())
		if got := ask(t, c.q, of()); got != want {
			t.Errorf("%s: JSON Lines say\n%s, want\n%s", name, got, want)
		}
		if got := ask(t, c.q, found); got != want {
			t.Errorf("%s: the table says\n%s, want\n%s", name, got, want)
		}
	}
	if again := prior(2, concentration.Concentration{}, concentration.Rows); !reflect.DeepEqual(plain, again) {
		t.Errorf("the prior has become %+v", plain.Prior)
	}
	below := evidence.Question{Prior: plain, Bound: bigraph.Below, Update: posterior.Printed}
	if got := ask(t, below, of()); strings.Count(got, "logEvidence") != 3 {
		t.Errorf("fewer than two parents: %s", got)
	}
}

// An error says whether it is one of the prior or of the transitions. Oracle: by hand.
func TestAskRefused(t *testing.T) {
	table, _ := flips(5)
	space := read(t, table, format.LogOptions{}).Space
	known, err := document.DecodeEdges([]document.Edge{{From: "press", To: "on", P: 1}, {From: "on", To: "on", P: 1}}, "", space)
	if err != nil {
		t.Fatal(err)
	}
	known.Sparseness = 2
	file := &document.PriorFile{Space: space, Prior: known}
	_, err = (&evidence.Question{Prior: file, Z: 1}).Ask(t.Context(), read(t, "", format.LogOptions{Space: space}))
	if of, is := errors.AsType[*evidence.PriorError](err); !is || !strings.Contains(of.Err.Error(), `"on" has 2 known parents`) {
		t.Errorf("%v", err)
	}
	_, err = (&evidence.Question{Prior: file}).Ask(t.Context(), read(t, "\n{\"x\":[0,2],\"y\":[0]}", format.LogOptions{Space: space}))
	if line, is := errors.AsType[*strict.LineError](err); !is || line.Number != 2 {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{"{}\n": "JSON Lines name no variables", "": "JSON Lines name no variables", "a,b": "the table is larger than 0 MiB"} {
		if data, err := evidence.Read(strict.NewLines(strings.NewReader(text)), format.LogOptions{}, 2); err == nil || data.Log != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if data, err := evidence.Read(strict.NewLines(strings.NewReader("episode,t,x\n0,0,?\n")), format.LogOptions{}, 100); err == nil || len(data.Log.Columns) != 3 {
		t.Errorf("a table without a transition: %v", err)
	}
}

// wide is a prior over so many variables of so many values.
func wide(variables, size, z int) *document.PriorFile {
	space := &fmdp.Space{Action: []fmdp.Variable{{Name: "a", Size: size}}}
	for j := range variables {
		space.State = append(space.State, fmdp.Variable{Name: fmt.Sprint("s", j), Size: size})
	}
	return &document.PriorFile{Space: space, Prior: &bigraph.Prior{X: variables + 1, Known: make(bigraph.Bigraph, variables), Sparseness: z}}
}

// Transitions are read as often as needed, each time the same. One that would be read for hours is refused.
func TestAskAgain(t *testing.T) {
	_, err := (&evidence.Question{Prior: wide(63, 450, 2)}).Ask(t.Context(), &evidence.Data{})
	if err == nil || !strings.HasPrefix(err.Error(), "/sparseness: the transitions would have to be read ") || !strings.HasSuffix(err.Error(), " times, more than 1024") {
		t.Error(err)
	}
	file := wide(63, 3, 3)
	text := "{\"x\":[" + strings.Repeat("1,", 63) + "0],\"y\":[" + strings.TrimSuffix(strings.Repeat("2,", 63), ",") + "]}\n"
	data := func() *evidence.Data { return read(t, text, format.LogOptions{Space: file.Space}) }
	opened := 0
	again := func() (io.ReadCloser, error) {
		opened++
		return io.NopCloser(strings.NewReader(text)), nil
	}
	for _, q := range []evidence.Question{{}, {Once: true, Again: again}} {
		q.Prior = file
		if _, err := q.Ask(t.Context(), data()); err == nil || err.Error() != "the transitions would have to be read 4 times" {
			t.Errorf("%v", err)
		}
	}
	if testing.Short() {
		return
	}
	a, err := (&evidence.Question{Prior: file, Again: again}).Ask(t.Context(), data())
	if err != nil || opened != 3 || a.Transitions != 1 || slices.ContainsFunc(a.Beliefs, func(w posterior.Weights) bool { return len(w.P) == 0 }) {
		t.Errorf("%v after %d more readings", err, opened)
	}
}

// A long table is weighed with a smaller Z than a short one, and says so once, however often it is asked.
func TestLongTable(t *testing.T) {
	space := &fmdp.Space{}
	for k := range 14 {
		space.State = append(space.State, fmdp.Variable{Name: fmt.Sprint("v", k), Size: 2})
	}
	for rows, want := range map[int]int{1: 5, 1 << 20: 2} {
		log := &format.Log{Space: space, Transitions: make([]document.Transition, rows)}
		notes := 0
		if want < 5 {
			notes = 1
		}
		for range 2 {
			if got := evidence.UnstatedZ(log); got != want || len(log.Notes) != notes {
				t.Errorf("%d transitions: Z is %d, want %d; %q", rows, got, want, log.Notes)
			}
		}
	}
}
