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

// Lines that name several edges. Oracle: the long form, by hand.
func TestGroups(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "hr", Size: 2}, {Name: "bp", Size: 2}}, Action: []fmdp.Variable{{Name: "move", Size: 4}, {Name: "*", Size: 2}}}
	for text, want := range map[string]string{
		"move -> *":                               `[["move","hr"],["move","bp"]]`,
		"!move -> hr, bp'":                        `[["move","hr",0],["move","bp",0]]`,
		"hr , move->bp .9":                        `[["hr","bp",0.9],["move","bp",0.9]]`,
		"* -> hr .9\nmove -> hr":                  `[["hr","hr",0.9],["bp","hr",0.9],["move","hr",1],["*","hr",0.9]]`,
		"!* -> hr\nmove, hr -> hr .5\nbp -> hr":   `[["bp","hr",1],["*","hr",0]]`,
		"!* -> *\nmove -> *\n!move -> bp":         `[["hr","hr",0],["bp","hr",0],["move","hr",1],["*","hr",0],["hr","bp",0],["bp","bp",0],["move","bp",0],["*","bp",0]]`,
		"only move, hr -> *":                      `[["bp","hr",0],["*","hr",0],["bp","bp",0],["*","bp",0]]`,
		"only * -> hr":                            `[]`,
		"\"*\" -> *′ .9":                          `[["*","hr",0.9],["*","bp",0.9]]`,
		"only move -> hr\nmove -> *\nhr -> hr .5": `[["move","hr"],["bp","hr",0],["*","hr",0],["move","bp"]]`,
	} {
		edges, errs := export.ParseText(text, space)
		prior, err := document.DecodeEdges(edges, "", space)
		if err != nil || len(errs) > 0 || string(strict.Encode(document.PriorEdges(prior, space))) != string(strict.Encode(document.PriorEdges(mustDecode(t, want, space), space))) {
			t.Errorf("%q: %s, %v, %v; want %s", text, strict.Encode(edges), errs, err, want)
		}
	}
	for text, want := range map[string]export.TextError{
		"move -> *\n* -> hr .9":          {Line: 2, Column: 1, Detail: `line 1 states the edge from "move" to "hr" already`},
		"move, hr -> hr\nmove, bp -> hr": {Line: 2, Column: 1, Detail: "the edge stands in line 1 already"},
		"move, move -> hr":               {Line: 1, Column: 7, Detail: `"move" stands there twice`},
		"hr -> hr, move":                 {Line: 1, Column: 11, Detail: `"move" is an action; edges lead to state variables`},
		"*, hr -> hr":                    {Line: 1, Column: 2, Detail: `"->" was expected, as in "row -> col"`},
		"!* -> hr\nonly hr -> bp, hr":    {Line: 2, Column: 1, Detail: "line 1 says already which variables may be parents"},
		`"" -> hr`:                       {Line: 1, Column: 1, Detail: `there is no variable ""`},
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
