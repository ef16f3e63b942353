package format_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/strict"
)

// odd has names with all that languages reserve.
var odd = &fmdp.Space{
	State: []fmdp.Variable{
		{Name: "row", Size: 5}, {Name: `the "side" \ {of} 100% $_^~&#`, Size: 2}, {Name: "line\nbreak <b>|", Size: 2}, {Name: "line break <b>|", Size: 2},
		{Name: "état′", Size: 2}, {Name: "y2", Size: 2}, {Name: "x0", Size: 2}, {Name: "graph", Size: 2}, {Name: "subgraph", Size: 2},
	},
	Action: []fmdp.Variable{{Name: "a -> b # c", Size: 2}, {Name: "y1", Size: 2}, {Name: "row_next", Size: 2}, {Name: "edge", Size: 2}, {Name: "dag", Size: 2}, {Name: "// forbidden: x0 -> y0", Size: 2}},
}

// randomPrior returns a prior with edges of every sort.
func randomPrior(rng *rand.Rand, space *fmdp.Space) *bigraph.Prior {
	var list []document.Edge
	for j := range space.State {
		for i := range space.X() {
			if p := []float64{1, 0, 0.9, 0.000001, 0.25, 0.5, 0.5}[rng.IntN(7)]; p != 0.5 {
				list = append(list, document.Edge{From: space.Var(i).Name, To: space.State[j].Name, P: p})
			}
		}
	}
	prior, err := document.DecodeEdges(list, "", space)
	if err != nil {
		panic(err)
	}
	return prior
}

// again reads an export of a prior and returns its edges in the order of the space.
func again(t testing.TB, text string, space *fmdp.Space) []document.Edge {
	t.Helper()
	edges, errs, _ := format.ReadPrior(text, space)
	prior, err := document.DecodeEdges(edges, "", space)
	if err != nil || len(errs) > 0 {
		t.Fatalf("%v, %v in\n%s", errs, err, text)
	}
	return document.PriorEdges(prior, space)
}

// Each export of a prior that is read gives back what it states. DAGitty states no forbidden
// edges.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for range 200 {
		g := &export.Graph{Space: odd, Prior: randomPrior(rng, odd)}
		want := document.PriorEdges(g.Prior, odd)
		for name, text := range map[string]string{"text": g.Text(), "DOT": g.DOT()} {
			if got := again(t, text, odd); !slices.Equal(got, want) {
				t.Fatalf("%s: %s\nwant %s in\n%s", name, strict.Encode(got), strict.Encode(want), text)
			}
		}
		want = slices.DeleteFunc(want, func(e document.Edge) bool { return e.P == 0 })
		if got := again(t, g.DAGitty(), odd); !slices.Equal(got, want) {
			t.Fatalf("DAGitty: %s\nwant %s in\n%s", strict.Encode(got), strict.Encode(want), g.DAGitty())
		}
	}
}

var taxi = &fmdp.Space{
	State:  []fmdp.Variable{{Name: "row", Size: 5}, {Name: "col", Size: 5}},
	Action: []fmdp.Variable{{Name: "move", Size: 6}, {Name: "digraph", Size: 2}},
}

// Graphs of other programs are read as far as they state edges. Oracle: by hand.
func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"digraph { row -> col }": `[["row","col"]]`,
		"\ufeff/* a */ strict digraph \"the taxi\" {row->col;move->row[label=.9]}":                                                         `[["move","row",0.9],["row","col"]]`,
		"digraph G {\n# a line of cpp\n\tnode [shape=box]; rankdir=LR\n\t\"move\" -> \"row'\" [label=\"0.25\", color=red]; row → col′;\n}": `[["move","row",0.25],["row","col"]]`,
		"digraph { a [label=move]; b [label=\"row_next\"]; a -> b [style=bold] a -> row_next [style=\"invis\"] }":                          `[["move","row"]]`,
		"digraph { subgraph cluster_0 { row; col } subgraph { move } move -> row -> col }":                                                 `[["move","row"],["row","col"]]`,
		"digraph {}": `[]`,
		"digraph { {row move} -> {row; col} [label=.9] }":                                                                    `[["row","row",0.9],["move","row",0.9],["row","col",0.9],["move","col",0.9]]`,
		"digraph { edge [label=.9, color=red] subgraph s { edge [label=.8] row -> row } row -> col; move -> col [label=1] }": `[["row","row",0.8],["row","col",0.9],["move","col"]]`,
		"digraph { row -> col [weight=0.25, penwidth=3]; move -> col [weight=10]; move -> row [label=\"\"] }":                `[["move","row"],["row","col",0.25],["move","col"]]`,
		"digraph { subgraph cluster_1 { row } -> subgraph { col' row } }":                                                    `[["row","row"],["row","col"]]`,
		"dag { move [exposure,pos=\"0.1,-2\"]\n move -> {row col_next}\n u [pos=\"3,4\",latent] }":                           `[["move","row"],["move","col"]]`,
		"digraph -> row .5\nmove -> row": `[["move","row"]]`, // the text form: a variable named digraph
		"dag {\nbb=\"0,0,1,1\"\nrow [exposure,pos=\"-1.2,0.3\"]\nrow -> col [beta=\"0.9\"]\ncol <- move\n}": `[["row","col",0.9],["move","col"]]`,
		"dag{ row -> row_next ; digraph -> col_next }":                                                      `[["row","row"],["digraph","col"]]`,
	} {
		prior := again(t, text, taxi)
		if got := string(strict.Encode(prior)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// What is not read gets a sentence with its place.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"digraph { row -- col }":                      `1:15 "--" states no parent; an edge leads by "->" from a variable now to a next value`,
		"graph { row -- col }":                        `1:13 "--" states no parent; an edge leads by "->" from a variable now to a next value`,
		"dag { row <-> col }":                         `1:11 "<->" states no parent; an edge leads by "->" from a variable now to a next value`,
		"digraph { {row} -> move }":                   `1:20 "move" is an action; edges lead to state variables`,
		"digraph { row -> {row col} -- col }":         `1:28 "--" states no parent; an edge leads by "->" from a variable now to a next value`,
		"digraph { row -> col [weight=0] }":           `1:30 a weight of "0" is a matter of drawing or forbids the edge; a label says which`,
		"digraph { row -> }{":                         `1:18 a name was expected behind "->"`,
		"digraph { row [observed=no]; row -> col }":   `1:30 "row" is latent; all variables of a prior are seen`,
		"dag { u [latent] u -> col }":                 `1:18 "u" is latent; all variables of a prior are seen`,
		"digraph { row:n -> col }":                    `1:14 a port of "row" is not read`,
		"digraph {\n\trow -> x\n}":                    `2:9 there is no variable "x"`,
		"digraph {\n\trow -> move\n}":                 `2:9 "move" is an action; edges lead to state variables`,
		"digraph { row -> col [label=often] }":        `1:29 "often" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`,
		"digraph { row -> col [label=\"0,9\"] }":      `1:29 "0,9" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999; write 0.9 with a point`,
		"digraph { row -> col [style=dashed] }":       `1:11 a dashed edge is not known; a label says how probable it is`,
		"digraph { row -> col [dir=back] }":           `1:27 an edge leads forward, not "back"`,
		"digraph { edge [style=dashed]; row -> col }": `1:32 a dashed edge is not known; a label says how probable it is`,
		"digraph { row -> col; row -> col }":          `1:23 the edge stands in line 1 already`,
		"digraph { row [label=<b>] }":                 `1:22 a label in HTML is not read`,
		"digraph { row -> col":                        `1:21 "}" was expected`,
		"digraph { row -> \"col }":                    `1:18 the quoted name does not end`,
		"digraph { row -> }":                          `1:18 a name was expected behind "->"`,
		"digraph { } row":                             `1:13 the graph ends before this`,
		"digraph { row * col }":                       `1:15 "*" has no meaning here`,
		"digraph { /* row }":                          `1:11 the comment does not end`,
		"dag { row [pos=\"0,0\"] c [pos=\"1,1\",label=\"col_next\"] c -> col }": `1:54 "c" is a next value; an edge leads from a variable now`,
		"digraph " + strings.Repeat("{", 30):                                    `1:30 subgraphs are nested too deeply`,
	} {
		_, errs, _ := format.ReadPrior(text, taxi)
		if len(errs) != 1 || fmt.Sprintf("%d:%d %s", errs[0].Line, errs[0].Column, errs[0].Detail) != want {
			t.Errorf("%q: %+v, want %s", text, errs, want)
		}
	}
	// The other edges are read.
	edges, errs, _ := format.ReadPrior("digraph {\n row -- col\n move -> row\n x -> row\n move -> col .9\n}", taxi)
	if string(strict.Encode(edges)) != `[["move","row"],["move","col"]]` || len(errs) != 2 {
		t.Errorf("%s, %v", strict.Encode(edges), errs)
	}
}

// FuzzGraph checks that every text gives edges that make a prior, and errors with a place.
func FuzzGraph(f *testing.F) {
	g := &export.Graph{Space: odd, Prior: randomPrior(rand.New(rand.NewPCG(32, 1)), odd)}
	f.Add(g.DOT())
	f.Add(g.DAGitty())
	f.Add("from,to,p\nrow,y2,.5\n\"x0\",\"graph\",1")
	f.Add(",row;y2\nrow,1\n\"x0\",0")
	f.Add("strict digraph G { a [label=\"row\"] {a b} -> c:n -- d [label=<b>, dir=back]; subgraph x {} }")
	f.Add("digraph { edge [weight=.5] {row {y1 y2} -> x0} -> subgraph q {row y2} -> row [label=.2] }")
	f.Add("dag{bb=\"0\" row [pos=\"0,0\",exposure] row <- y2 -> row_next [beta=.5] /* */ }")
	f.Fuzz(func(t *testing.T, text string) {
		edges, errs, _ := format.ReadPrior(text, odd)
		for _, e := range errs {
			if e.Line < 1 || e.Column < 1 || e.Detail == "" || strings.Contains(e.Detail, "\n") || e.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%q: %+v", text, e)
			}
		}
		prior, err := document.DecodeEdges(edges, "", odd)
		if err != nil {
			t.Fatal(err)
		}
		if got := again(t, (&export.Graph{Space: odd, Prior: prior}).DOT(), odd); !slices.Equal(got, document.PriorEdges(prior, odd)) {
			t.Errorf("%q: %s", text, strict.Encode(got))
		}
	})
}

// FuzzNames checks that the names of variables never hide what a graph states.
func FuzzNames(f *testing.F) {
	f.Add("a", "b")
	f.Add("a_next", "a")
	f.Add("\"];\n", "\\")
	f.Add("x1", "y0")
	f.Add("// forbidden: x0 -> y0", "forbidden: x0 -> y0")
	f.Fuzz(func(t *testing.T, a, b string) {
		space := &fmdp.Space{State: []fmdp.Variable{{Name: a, Size: 2}, {Name: b, Size: 2}}, Action: []fmdp.Variable{{Name: "c", Size: 2}}}
		if space.Validate() != nil || strings.ToValidUTF8(a+b, "") != a+b {
			t.Skip()
		}
		prior := &bigraph.Prior{
			X: 3, Known: bigraph.Bigraph{bigraph.Of(0), bigraph.Of(0)}, Forbidden: bigraph.Bigraph{bigraph.Of(1), bigraph.Of(2)},
			Likely: []bigraph.Edge{{X: 2, Y: 0, P: 0.9}, {X: 1, Y: 1, P: 0.1}},
		}
		g := &export.Graph{Space: space, Prior: prior}
		want := document.PriorEdges(prior, space)
		if got := again(t, g.DOT(), space); !slices.Equal(got, want) {
			t.Errorf("DOT: %s in\n%s", strict.Encode(got), g.DOT())
		}
		want = slices.DeleteFunc(want, func(e document.Edge) bool { return e.P == 0 })
		if got := again(t, g.DAGitty(), space); !slices.Equal(got, want) {
			t.Errorf("DAGitty: %s in\n%s", strict.Encode(got), g.DAGitty())
		}
	})
}
