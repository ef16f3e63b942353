package formattest

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
)

// Short documents of package document, and the space of the transition.
const (
	Model = `{"format":"cpsrl/model","version":1,"name":"coin","horizon":3,` +
		`"state":[{"name":"side","size":2,"values":["heads","tails"]}],"action":[{"name":"flip","size":2}],` +
		`"initial":[{"state":[0],"p":1}],` +
		`"transition":[{"of":"side","given":["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]}],` +
		`"reward":[{"given":["side"],"mean":[0,1],"kind":"fixed"}]}`
	Prior      = `{"format":"cpsrl/prior","version":1,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"sparseness":2,"edges":[["side","side"]]}`
	Transition = `{"x":[0,2,1],"y":[1,0]}`
)

// Space is the space of Transition.
var Space = &fmdp.Space{
	State:  []fmdp.Variable{{Name: "side", Size: 2}, {Name: "weather", Size: 3}},
	Action: []fmdp.Variable{{Name: "flip", Size: 2}},
}

// Format is a document type, with the files of testdata that hold it.
type Format struct {
	Files []string // a file of each version ever written, never changed
	Again func(data []byte) ([]byte, error)
}

// Lines returns a function that reads a document in each line and writes it back.
func Lines(again func(line []byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		var all []byte
		for line := range bytes.Lines(data) {
			out, err := again(line)
			if err != nil {
				return nil, err
			}
			all = append(all, out...)
		}
		return all, nil
	}
}

// Read returns a file of testdata.
func Read(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// Golden compares a text with a file of testdata. With update, it writes the file instead.
func Golden(t *testing.T, name, got string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile("testdata/"+name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want := Read(t, name); got != string(want) {
		t.Errorf("%s:\n got %s\nwant %s", name, got, want)
	}
}

// Testdata tests that every file of testdata is read and written back with the same bytes, apart
// from white space around it. Other tests read the files of the last names. Documents that are
// nested too deep are refused.
func Testdata(t *testing.T, formats []Format, others ...string) {
	kept := slices.Clone(others)
	deep := strings.Repeat("[", 1_000_000)
	for _, f := range formats {
		kept = append(kept, f.Files...)
		for _, name := range f.Files {
			data := Read(t, name)
			switch got, err := f.Again(data); {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(data)):
				t.Errorf("%s\n got %s\nwant %s", name, got, data)
			}
		}
		for _, document := range []string{deep, `{"format":` + deep} {
			if _, err := f.Again([]byte(document)); err == nil {
				t.Errorf("%s: a deep document is accepted", f.Files)
			}
		}
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !slices.Contains(kept, e.Name()) { // a directory has inputs that fuzzing found
			t.Errorf("no test reads testdata/%s", e.Name())
		}
	}
}
