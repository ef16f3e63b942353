package format_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
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
		edges, errs, _ := format.ReadPrior(text, space)
		prior, err := document.DecodeEdges(edges, "", space)
		wanted := mustDecode(t, want, space)
		if err != nil || len(errs) > 0 || string(strict.Encode(document.PriorEdges(prior, space))) != string(strict.Encode(document.PriorEdges(wanted, space))) {
			t.Errorf("%q: %s, %v, %v; want %s", text, strict.Encode(edges), errs, err, want)
		}
		if again, errs, _ := format.ReadPrior((&format.Graph{Space: space, Prior: prior}).Text(), space); len(errs) > 0 || string(strict.Encode(again)) != string(strict.Encode(document.PriorEdges(prior, space))) {
			t.Errorf("%q, written and read: %s, %v", text, strict.Encode(again), errs)
		}
	}
	for text, want := range map[string]format.Error{
		"only row, x -> row":                {Line: 1, Column: 11, Reason: `there is no variable "x"`},
		"only row, -> row":                  {Line: 1, Column: 11, Reason: "a variable's name was expected; other than letters, digits and _ it is quoted"},
		"only row move -> row":              {Line: 1, Column: 10, Reason: `"->" was expected, as in "row -> col"`},
		"only row -> move":                  {Line: 1, Column: 13, Reason: `"move" is an action; edges lead to state variables`},
		"only row -> row .9":                {Line: 1, Column: 17, Reason: "the line should end here; it says which variables may be parents, and other lines say how probable they are"},
		"only row -> row\nonly only -> row": {Line: 2, Column: 1, Reason: "line 1 says already which variables may be parents"},
	} {
		if edges, errs, _ := format.ReadPrior(text, space); len(errs) != 1 || errs[0] != want {
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
		edges, errs, _ := format.ReadPrior(text, space)
		prior, err := document.DecodeEdges(edges, "", space)
		if err != nil || len(errs) > 0 || string(strict.Encode(document.PriorEdges(prior, space))) != string(strict.Encode(document.PriorEdges(mustDecode(t, want, space), space))) {
			t.Errorf("%q: %s, %v, %v; want %s", text, strict.Encode(edges), errs, err, want)
		}
	}
	for text, want := range map[string]format.Error{
		"move -> *\n* -> hr .9":          {Line: 2, Column: 1, Reason: `line 1 states the edge from "move" to "hr" already`},
		"move, hr -> hr\nmove, bp -> hr": {Line: 2, Column: 1, Reason: "the edge stands in line 1 already"},
		"move, move -> hr":               {Line: 1, Column: 7, Reason: `"move" stands there twice`},
		"hr -> hr, move":                 {Line: 1, Column: 11, Reason: `"move" is an action; edges lead to state variables`},
		"*, hr -> hr":                    {Line: 1, Column: 2, Reason: `"->" was expected, as in "row -> col"`},
		"!* -> hr\nonly hr -> bp, hr":    {Line: 2, Column: 1, Reason: "line 1 says already which variables may be parents"},
		`"" -> hr`:                       {Line: 1, Column: 1, Reason: `there is no variable ""`},
	} {
		if edges, errs, _ := format.ReadPrior(text, space); len(errs) != 1 || errs[0] != want {
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

// The text of a prior of 256 variables, from and to every part of them, is read as it was.
func TestWideText(t *testing.T) {
	space := &fmdp.Space{Action: []fmdp.Variable{{Name: "act", Size: 3}}}
	for j := range fmdp.MaxVariables - 1 {
		space.State = append(space.State, fmdp.Variable{Name: fmt.Sprint("b", j), Size: 2})
	}
	prior := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Forbidden: make(bigraph.Bigraph, space.Y())}
	for j := range prior.Known {
		at := func(by int) int { return (j + by) % space.Y() }
		prior.Known[j] = bigraph.Of(at(64), at(128), space.X()-1)
		prior.Forbidden[j] = bigraph.Of(at(1), at(200))
		prior.Likely = append(prior.Likely, bigraph.Edge{X: at(63), Y: j, P: 0.25})
	}
	back, errs, _ := format.ReadPrior((&format.Graph{Space: space, Prior: prior}).Text(), space)
	got, err := document.DecodeEdges(back, "", space)
	if err != nil || len(errs) > 0 || !slices.Equal(got.Known, prior.Known) || !slices.Equal(got.Forbidden, prior.Forbidden) || !slices.Equal(got.Likely, prior.Likely) {
		t.Errorf("%d edges, %v, %v", len(back), errs, err)
	}
}

// Reading the text form is the inverse of writing it.
func TestText(t *testing.T) {
	g := peculiarGraph()
	g.Prior = nil
	back, errs, _ := format.ReadPrior(g.Text(), peculiar)
	if prior, err := document.DecodeEdges(back, "", peculiar); err != nil || len(errs) > 0 || !slices.Equal(prior.Known, g.Edges) {
		t.Errorf("%v, %v, %v", back, errs, err)
	}
	soft := &format.Graph{Space: peculiar, Prior: softPrior()}
	back, errs, _ = format.ReadPrior(soft.Text(), peculiar)
	if prior, err := document.DecodeEdges(back, "", peculiar); err != nil || len(errs) > 0 || !slices.Equal(prior.Known, soft.Prior.Known) || !slices.Equal(prior.Forbidden, soft.Prior.Forbidden) || !slices.Equal(prior.Likely, soft.Prior.Likely) {
		t.Errorf("%s, %v, %v", edgeTexts(back), errs, err)
	}
	for text, want := range map[string]string{
		"":                               "",
		"\n  # nothing\n\t\n":            "",
		"row->row":                       "row -> row\n",
		"\trow  ->\u00a0\"row\" # known": "row -> row\n",
		"état -> état\r\nrow -> row\r\n": "row -> row\nétat -> état\n",
		"row -> row .9 # trust":          "row -> row .9\n",
		"row->row 0.90":                  "row -> row .9\n",
		`"row"->"row".9`:                 "row -> row .9\n",
		"row -> row 1\n y2 -> row 1.0":   "row -> row\ny2 -> row\n",
		"row -> row 0\n! y2 -> row":      "!row -> row\n!y2 -> row\n",
		"row -> row 0.5":                 "",
		"row → row′\ny2->\"row\"'.9":     "row -> row\ny2 -> row .9\n",
	} {
		got, errs, _ := format.ReadPrior(text, peculiar)
		prior, err := document.DecodeEdges(got, "", peculiar)
		if err != nil {
			t.Fatal(err)
		}
		if out := (&format.Graph{Space: peculiar, Prior: prior}).Text(); len(errs) > 0 || out != want {
			t.Errorf("%q: %q, %v", text, out, errs)
		}
	}
	for text, want := range map[string]format.Error{
		"row":                        {Line: 1, Column: 4, Reason: `"->" was expected, as in "row -> col"`},
		"\nrow >":                    {Line: 2, Column: 5, Reason: `"->" was expected, as in "row -> col"`},
		"row' -> row":                {Line: 1, Column: 4, Reason: "the prime marks a next value; an edge leads from a variable now to a next value"},
		"row -> row''":               {Line: 1, Column: 12, Reason: "the line should end here; commas join several names"},
		"row ->":                     {Line: 1, Column: 7, Reason: `a variable's name was expected; other than letters, digits and _ it is quoted`},
		"row -> # row":               {Line: 1, Column: 8, Reason: `a variable's name was expected; other than letters, digits and _ it is quoted`},
		"-> row":                     {Line: 1, Column: 1, Reason: `a variable's name was expected; other than letters, digits and _ it is quoted`},
		"état -> col":                {Line: 1, Column: 9, Reason: `there is no variable "col"`},
		`"état" -> row y2`:           {Line: 1, Column: 15, Reason: "the line should end here; commas join several names"},
		"x -> row":                   {Line: 1, Column: 1, Reason: `there is no variable "x"`},
		"row -> y1":                  {Line: 1, Column: 8, Reason: `"y1" is an action; edges lead to state variables`},
		"row -> row\n\nrow -> row ":  {Line: 3, Column: 1, Reason: "the edge stands in line 1 already"},
		`row -> "row`:                {Line: 1, Column: 8, Reason: "the quoted name does not end, or has an unknown escape"},
		`"\q" -> row`:                {Line: 1, Column: 1, Reason: "the quoted name does not end, or has an unknown escape"},
		"row -> row 2":               {Line: 1, Column: 12, Reason: "2 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999"},
		"row -> row .9.9":            {Line: 1, Column: 12, Reason: `".9.9" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`},
		"row -> row 0,9":             {Line: 1, Column: 12, Reason: `"0,9" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999; write 0.9 with a point`},
		"row -> row -1":              {Line: 1, Column: 12, Reason: `"-1" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`},
		"!row -> row .9":             {Line: 1, Column: 13, Reason: "the line should end here; commas join several names"},
		"row -> row .5\n!row -> row": {Line: 2, Column: 1, Reason: "the edge stands in line 1 already"},
		"row -> row\n!row -> row":    {Line: 2, Column: 1, Reason: "the edge stands in line 1 already"},
		strings.Repeat("x", 99):      {Line: 1, Column: 100, Reason: `"->" was expected, as in "row -> col"`},
	} {
		if _, errs, _ := format.ReadPrior(text, peculiar); len(errs) != 1 || errs[0] != want {
			t.Errorf("%q: %+v, want %+v", text, errs, want)
		}
	}
	if _, errs, _ := format.ReadPrior(strings.Repeat("?\n", 1000), peculiar); len(errs) != 100 {
		t.Errorf("%d errors", len(errs))
	}
	if _, errs, _ := format.ReadPrior(strings.Repeat(" ", format.MaxText+1), peculiar); len(errs) != 1 {
		t.Errorf("%v", errs)
	}
}

// FuzzText checks that the graph of any text is written in a form that is read back
// without an error.
func FuzzText(f *testing.F) {
	f.Add(peculiarGraph().Text())
	f.Add("row -> row # x\n\"a -> b # c\" -> y2\r\n")
	f.Add("row -> \"\\x\"\n-> ->")
	f.Add("!* -> row, y2\n* -> * .9\nrow, y1 -> row")
	f.Add("only row, y1 -> row\nonly -> row\n\ufeff")
	f.Fuzz(func(t *testing.T, text string) {
		edges, errs, _ := format.ReadText(text, peculiar)
		for _, e := range errs {
			if e.Line < 1 || e.Column < 1 || e.Reason == "" || e.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%+v", e)
			}
		}
		prior, err := document.DecodeEdges(edges, "", peculiar)
		if err != nil {
			t.Fatal(err)
		}
		again, errs, _ := format.ReadText((&format.Graph{Space: peculiar, Prior: prior}).Text(), peculiar)
		if want := document.PriorEdges(prior, peculiar); len(errs) > 0 || !slices.Equal(again, want) {
			t.Errorf("%s became %s, %v", edgeTexts(want), edgeTexts(again), errs)
		}
	})
}
