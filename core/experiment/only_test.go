package experiment_test

import (
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// "*" forbids every edge into a variable that is not listed, in documents, links and named
// priors. An experiment lists what it stands for. Oracle: the long form.
func TestOnlyTheseParents(t *testing.T) {
	const long = `[["row","row"],["col","row",0],["passenger","row",0],["destination","row",0]]`
	decode := func(prior string) *spec.Spec {
		t.Helper()
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi"},` + prior + `}`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := ready(t, decode(`"prior":{"edges":`+long+`}`))
	link := func(query string) *spec.Spec {
		t.Helper()
		l, err := spec.DecodeLink("v=2&domain=taxi&episodes=100&runs=1&seed=0&" + query)
		if err != nil {
			t.Fatal(err)
		}
		again, err := spec.DecodeLink(spec.EncodeLink(l))
		if err != nil || spec.EncodeLink(again) != spec.EncodeLink(l) {
			t.Errorf("%s became %s (%v)", query, spec.EncodeLink(l), err)
		}
		return l.Spec
	}
	for _, s := range []*spec.Spec{
		decode(`"prior":{"edges":[["row","row"],["move","row",0.5],["*","row",0]]}`),
		decode(`"prior":{"edges":[["*","row",0],["move","row",0.5],["row","row",1]]}`),
		link("prior=row:row,move~.5,!*"),
		link("prior=row:!*,!col,row,move~.5"),
	} {
		if got := ready(t, s); string(spec.Encode(got.Spec())) != string(spec.Encode(want.Spec())) || got.Link(nil) != want.Link(nil) {
			t.Errorf("%s\nwant %s", spec.Encode(got.Spec()), spec.Encode(want.Spec()))
		}
	}
	named := ready(t, decode(`"priors":{"expert":{"edges":[["row","row"],["move","row",0.5],["*","row",0]]}},"agents":["c-psrl:prior=expert"]`))
	if !slices.Equal(named.Spec().Named("expert").Edges, want.Spec().Prior.Edges) {
		t.Errorf("%v", named.Spec().Named("expert").Edges)
	}
	for prior, says := range map[string]string{
		`[["*","row"]]`:                   `/prior/edges/0/2: "*" stands for all other variables; their edges can only be forbidden, with 0`,
		`[["*","row",0.5]]`:               `/prior/edges/0/2: "*" stands for all other variables`,
		`[["*","row",0],["*","row",0]]`:   `/prior/edges/1: the edge from "*" to "row" is listed twice`,
		`[["row","*",0]]`:                 `/prior/edges/0/1: there is no`,
		`[["*","move",0]]`:                `/prior/edges/0/1: there is no state variable "move"`,
		`[["*","row",0],["x","row",0.5]]`: `/prior/edges/1/0: there is no variable "x"`,
	} {
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi"},"prior":{"edges":` + prior + `}}`))
		if err == nil {
			_, err = experiment.New(s)
		}
		if err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: %v, want %s", prior, err, says)
		}
	}
}

// A variable that is named * is meant by its name.
func TestVariableNamedStar(t *testing.T) {
	file, err := document.DecodePrior([]byte(`{"format":"cpsrl/prior","version":2,"state":[{"name":"*","size":2},{"name":"b","size":2}],"action":[{"name":"a","size":2}],"sparseness":3,"edges":[["*","b",0],["*","*",0.9]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(strict.Encode(document.PriorEdges(file.Prior, file.Space))); got != `[["*","*",0.9],["*","b",0]]` {
		t.Error(got)
	}
	other, err := document.DecodePrior([]byte(`{"format":"cpsrl/prior","version":2,"state":[{"name":"s","size":2},{"name":"b","size":2}],"action":[{"name":"a","size":2}],"sparseness":3,"edges":[["*","b",0],["a","b",0.9]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(strict.Encode(document.PriorEdges(other.Prior, other.Space))); got != `[["s","b",0],["b","b",0],["a","b",0.9]]` {
		t.Error(got)
	}
}
