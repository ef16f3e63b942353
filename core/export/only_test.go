package export_test

import (
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Oracle: the long form, by hand.
func TestOnly(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "row", Size: 5}, {Name: "only", Size: 5}, {Name: "only it", Size: 2}}, Action: []fmdp.Variable{{Name: "move", Size: 4}}}
	for text, want := range map[string]string{
		"only row, move -> row":                         `[["only","row",0],["only it","row",0]]`,
		" only  row ,move→row'  # all":                  `[["only","row",0],["only it","row",0]]`,
		"only row -> row\nrow -> row\nonly -> row .9":   `[["row","row",1],["only","row",0.9],["only it","row",0],["move","row",0]]`,
		"only only -> only\n":                           `[["row","only",0],["only it","only",0],["move","only",0]]`,
		"only \"only it\" -> only":                      `[["row","only",0],["only","only",0],["move","only",0]]`,
		"only -> only":                                  `[["only","only",1]]`,
		"!only -> row":                                  `[["only","row",0]]`,
		"only row, only, move, \"only it\" -> row":      `[]`,
		"only row -> row\nonly row, only, move -> only": `[["only","row",0],["only it","row",0],["move","row",0],["only it","only",0]]`,
	} {
		edges, errs := export.ParseText(text, space)
		prior, err := document.DecodeEdges(edges, "", space)
		wanted := mustDecode(t, want, space)
		if err != nil || len(errs) > 0 || string(strict.Encode(document.PriorEdges(prior, space))) != string(strict.Encode(document.PriorEdges(wanted, space))) {
			t.Errorf("%q: %s, %v, %v; want %s", text, strict.Encode(edges), errs, err, want)
		}
		if again, errs := export.ParseText((&export.Graph{Space: space, Prior: prior}).Text(), space); len(errs) > 0 || string(strict.Encode(again)) != string(strict.Encode(document.PriorEdges(prior, space))) {
			t.Errorf("%q, written and read: %s, %v", text, strict.Encode(again), errs)
		}
	}
	for text, want := range map[string]export.TextError{
		"only row, x -> row":                {Line: 1, Column: 11, Detail: `there is no variable "x"`},
		"only row, -> row":                  {Line: 1, Column: 11, Detail: "a variable's name was expected; other than letters, digits and _ it is quoted"},
		"only row move -> row":              {Line: 1, Column: 10, Detail: `"->" was expected, as in "row -> col"`},
		"only row -> move":                  {Line: 1, Column: 13, Detail: `"move" is an action; edges lead to state variables`},
		"only row -> row .9":                {Line: 1, Column: 17, Detail: "the line should end here; it says which variables may be parents, and other lines say how probable they are"},
		"only row -> row\nonly only -> row": {Line: 2, Column: 1, Detail: "line 1 says already which variables may be parents"},
	} {
		if edges, errs := export.ParseText(text, space); len(errs) != 1 || errs[0] != want {
			t.Errorf("%q: %+v, %s; want %+v", text, errs, strict.Encode(edges), want)
		}
	}
}

// mustDecode returns the prior of a list of edges in JSON.
func mustDecode(t *testing.T, list string, space *fmdp.Space) *bigraph.Prior {
	t.Helper()
	var edges []document.Edge
	err := strict.Decode([]byte(list), &edges)
	if err != nil {
		t.Fatal(err)
	}
	prior, err := document.DecodeEdges(edges, "", space)
	if err != nil {
		t.Fatal(err)
	}
	return prior
}
