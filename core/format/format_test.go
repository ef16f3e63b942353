package format_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
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
		g := &format.Graph{Space: odd, Prior: randomPrior(rng, odd)}
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
		"digraph { row -> col [weight=0.25, penwidth=3]; move -> col [weight=1]; move -> row [label=\"\"] }":                 `[["move","row"],["row","col",0.25],["move","col"]]`,
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
		"digraph { row [observed=no]; row -> col }":   `1:30 "row" is latent; all variables of a prior are seen`,
		"dag { u [latent] u -> col }":                 `1:18 "u" is latent; all variables of a prior are seen`,
		"digraph { row:n -> col }":                    `1:14 a port of "row" is not read`,
		"digraph {\n\trow -> x\n}":                    `2:9 there is no variable "x"`,
		"digraph {\n\trow -> move\n}":                 `2:9 "move" is an action; edges lead to state variables`,
		"digraph { row -> col [label=often] }":        `1:29 "often" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`,
		"digraph { row -> col [label=\"0,9\"] }":      `1:29 "0,9" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999; write 0.9 with a point`,
		"digraph { row -> col [style=dashed] }":       `1:11 a dashed edge is not known; a label says how probable it is`,
		"digraph { edge [style=dashed]; row -> col }": `1:32 a dashed edge is not known; a label says how probable it is`,
		"digraph { row -> col; row -> col }":          `1:23 the edge stands in line 1 already`,
		"digraph { row [label=<b] }":                  `1:22 the text in HTML does not end`,
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
		if len(errs) != 1 || fmt.Sprintf("%d:%d %s", errs[0].Line, errs[0].Column, errs[0].Reason) != want {
			t.Errorf("%q: %+v, want %s", text, errs, want)
		}
	}
	// The other edges are read.
	edges, errs, _ := format.ReadPrior("digraph {\n row -- col\n move -> row\n x -> row\n move -> col\n}", taxi)
	if string(strict.Encode(edges)) != `[["move","row"],["move","col"]]` || len(errs) != 2 {
		t.Errorf("%s, %v", strict.Encode(edges), errs)
	}
}

// told returns what a text says as a prior of the taxi: its edges, the errors and the note.
func told(text string) string {
	edges, errs, note := format.ReadPrior(text, taxi)
	all := string(strict.Encode(edges))
	for _, e := range errs {
		all += fmt.Sprintf(" %d:%d %s.", e.Line, e.Column, e.Reason)
	}
	if note != "" {
		all += " Note: " + note
	}
	return all
}

// wants compares what texts say with what they should.
func wants(t *testing.T, texts map[string]string) {
	t.Helper()
	for text, want := range texts {
		if got := told(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// A number becomes certainty only if it is 0 or 1 and says how probable an edge is. Oracle: by hand.
func TestWeights(t *testing.T) {
	const drawn = "the weights are whole numbers, which say how to draw edges and not how probable they are: an edge without a label is certain"
	wants(t, map[string]string{
		"digraph {\nrow -> col [weight=0.05]\nmove -> row [weight=\"-0.9\"]\nmove -> col [weight=12]\n}":                                                `[["row","col",0.05]] 3:21 a weight of -0.9 is below 0, and no probability of an edge. 4:21 a weight of 12 is no probability, but others of this file are.`,
		"digraph {\nmove -> col [weight=12]\nrow -> col [weight=5e-05]\n}":                                                                              `[["row","col",0.00005]] 2:21 a weight of 12 is no probability, but others of this file are.`,
		"digraph { row -> col [weight=12]; move -> col }":                                                                                               `[["row","col"],["move","col"]] Note: ` + drawn,
		"digraph { row -> col [weight=1]; move -> col [weight=12] }":                                                                                    `[["row","col"],["move","col"]] Note: ` + drawn,
		"digraph { row -> col [weight=12, label=.3]; move -> col }":                                                                                     `[["row","col",0.3],["move","col"]]`,
		"digraph { row -> col [weight=1]; move -> col [weight=0.5, label=\" \"] }":                                                                      `[["row","col"],["move","col",0.5]]`,
		"digraph { row -> col [weight=0]; move -> col [weight=.4] }":                                                                                    `[["row","col",0],["move","col",0.4]]`,
		"digraph { row -> col [weight=0]; move -> col [weight=4] }":                                                                                     `[["move","col"]] 1:30 a weight of "0" is a matter of drawing or forbids the edge; a label says which. Note: ` + drawn,
		"digraph { row -> col [weight=1.5]; move -> col [weight=-3] }":                                                                                  `[] 1:30 a weight of 1.5 is no probability of an edge. 1:56 a weight of -3 is below 0, and no probability of an edge.`,
		"digraph { row -> col [weight=strong]; row -> row [Weight=-1] }":                                                                                `[] 1:30 the weight "strong" is no number. 1:58 a weight of -1 is below 0, and no probability of an edge.`,
		"digraph { row -> col [label=.3, weight=-1]; edge [weight=-2]; row -> row }":                                                                    `[] 1:40 a weight of -1 is below 0, and no probability of an edge. 1:58 a weight of -2 is below 0, and no probability of an edge.`,
		"Strict DiGraph { Edge [label=.3]; row -> col; SubGraph s { Node [shape=box]; row -> row } }":                                                   `[["row","col",0.3],["row","row",0.3]]`,
		"digraph { row -> col [weight=7, style=dashed] }":                                                                                               `[] 1:11 a dashed edge is not known; a label says how probable it is.`,
		"digraph { row -> col [weight=.7, style=dashed] }":                                                                                              `[["row","col",0.7]]`,
		"digraph { row -> col [strength=.7, label=\"helps\"]; row -> row [xlabel=.2] }":                                                                 `[["row","col",0.7],["row","row",0.2]]`,
		"digraph { row -> col [strength=-3]; row -> row [prob=1.01] }":                                                                                  `[] 1:32 -3 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999. 1:54 1.01 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999.`,
		"digraph { row -> col [label=1e-9]; row -> row [label=0.9999999]; move -> row [label=\"1e-400\"]; move -> col [label=0.99999999999999999999] }": `[["row","col",0.000001],["row","row",0.999999],["move","row",0.000001],["move","col",0.999999]]`,
		"dag {\nrow -> col [beta=-0.3]\nmove -> col [beta=1.7]\nmove -> row [beta=.4]\n}":                                                               `[["move","row",0.4]] 2:18 -0.3 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999. 3:19 1.7 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999.`,
		"row -> col 0.99999999999999999999\nrow -> row -.4\nmove -> col 12":                                                                             `[] 1:12 "0.99999999999999999999" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999. 2:12 "-.4" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999. 3:13 12 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999.`,
		"source,target,weight\nrow,col,.4\nrow,row,-.2\nmove,col,3\nmove,row,1\n":                                                                       `[["row","col",0.4],["move","row"]] 3:9 a weight of -.2 is below 0, and no probability of an edge. 4:10 a weight of 3 is no probability, but others of this file are.`,
		"source,target,weight\nrow,col,12\nrow,row,\n":                                                                                                  `[] 2:9 a weight of 12 is no probability of an edge. 3:9 the weight "" is no number.`,
	})
}

const notP = " is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999."

const matrixNote = "rows lead to columns: a number is the trust in the edge from the variable of its row to the next value of the variable of its column; 0 forbids the edge, and an empty cell says nothing"

// A part with a fault states no edge, and what stands behind it is read. Oracle: by hand.
func TestFaults(t *testing.T) {
	for bad, want := range map[string]string{
		"[label=-0.45]":                     "3:19 -0.45" + notP,
		"[color=#00aa00]":                   `3:19 "#" has no meaning here.`,
		"[color=#00aa00, label=.9]":         `3:19 "#" has no meaning here.`,
		"[label=.9, color=#00aa00]":         `3:29 "#" has no meaning here.`,
		"[color=#00aa00; label=.9]":         `3:19 "#" has no meaning here.`,
		"[label=]":                          "3:19 a value was expected.",
		"[label=\"0\" + ]":                  `3:23 "+" has no meaning here.`,
		"[label=\"often\"]":                 `3:19 "often"` + notP,
		"[label=<often>]":                   `3:19 "often"` + notP,
		"[label=<.9<sup>1</sup>>]":          `3:19 ".9 1"` + notP,
		"[label=.9] [color=#00aa00]":        `3:30 "#" has no meaning here.`,
		"-> $ [label=.9]":                   `3:15 "$" has no meaning here.`,
		"-> [label=.9]":                     `3:15 a name was expected behind "->".`,
		":n [label=.9]":                     `3:12 a port of "col" is not read.`,
		"-- row [label=.9]":                 `3:12 "--" states no parent; an edge leads by "->" from a variable now to a next value.`,
		".9":                                "3:12 a number behind an edge is a node; in brackets, as in [label=.9], it is a probability.",
		"-.9;":                              "3:12 a number behind an edge is a node; in brackets, as in [label=.9], it is a probability.",
		"0":                                 "3:12 a number behind an edge is a node; in brackets, as in [label=.9], it is a probability.",
		"[dir=sideways]":                    `3:17 the direction "sideways" of an edge is unknown.`,
		"* 3 -> row [label=\"a;b\",\n x=y]": `3:12 "*" has no meaning here.`,
	} {
		text := "digraph {\nmove -> row [label=.2]\nrow -> col " + bad + "\nmove -> col [label=.3];}"
		if got, want := told(text), `[["move","row",0.2],["move","col",0.3]] `+want; got != want {
			t.Errorf("%s:\n got %s\nwant %s", bad, got, want)
		}
	}
	wants(t, map[string]string{
		"digraph {\nrow -> col [label=.9\nmove -> row [label=.4]\nmove -> col}": `[["move","col"]] 3:6 "]" was expected.`,
		"digraph { row -> }{":                                                                     `[] 1:18 a name was expected behind "->". 1:19 the graph ends before this.`,
		"digraph {\nrow -> col [label=\".9]\nmove -> row\n}":                                      `[["move","row"]] 2:19 the quoted name does not end.`,
		"digraph {\nedge [label=#1]\nrow -> col\nrow -> row [label=.4]}":                          `[] 2:13 "#" has no meaning here. 3:1 what line 2 says of all edges cannot be read. 4:1 what line 2 says of all edges cannot be read.`,
		"digraph {\nrow [color=#123]\nrow -> col\nmove -> col}":                                   `[["move","col"]] 2:12 "#" has no meaning here. 3:1 what line 2 says of "row" cannot be read.`,
		"digraph {\na [label=row, color=#123]\na -> col\nmove -> col}":                            `[["row","col"],["move","col"]] 2:21 "#" has no meaning here.`,
		"digraph {\nrow -> col\n$\nmove -> col}":                                                  `[["row","col"],["move","col"]] 3:1 "$" has no meaning here.`,
		"digraph { {row $ } -> col; move -> col }":                                                `[["move","col"]] 1:16 "$" has no meaning here.`,
		"digraph { subgraph s { row * \n move -> col } move -> row }":                             `[["move","col"],["move","row"]] 1:28 "*" has no meaning here.`,
		"dag {\nrow -> col [beta=-0.3]\nmove -> {row col} .5\nmove -> row\n}\ndag { row -> row }": `[["move","row"]] 2:18 -0.3` + notP + ` 3:19 a number behind an edge is a node; in brackets, as in [beta=.9], it is a probability. 6:1 a second graph begins here; only the first of a text is read.`,
		"only row -> row\nmove -> row .x\nrow -> col":                                             `[["row","col"],["col","row",0],["digraph","row",0]] 2:13 "." is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999.`,
		"move -> col .x\n* -> col .8":                                                             `[["row","col",0.8],["col","col",0.8],["digraph","col",0.8]] 1:13 "."` + notP,
		"row -> *\nmove -> row\n* -> col .5":                                                      `[["move","row"],["row","row"],["row","col"]] 3:1 line 1 states the edge from "row" to "col" already.`,
		"from,to,p\nrow,col,-.3\nmove,\"col\",\"1\nmove,row,.4\nrow,row,.5,.6":                    `[["move","row",0.4]] 2:9 -0.3` + notP + ` 3:12 the quotes of this cell do not match. 5:1 the row has 4 cells, and the header 3.`,
		",row,col\nrow,-.3,.4\nmove,7,x\ncol,nan,\n":                                              `[["row","col",0.4]] 2:5 -0.3` + notP + " 3:6 7" + notP + ` 3:8 "x"` + notP + " Note: " + matrixNote,
	})
	many := "{"
	for i := range 300 {
		many += fmt.Sprint(" n", i)
	}
	if got := told("digraph {\n" + many + "} -> " + many + "}\nrow -> col }"); got != `[["row","col"]] 2:1394 the graph has more than 65536 edges.` {
		t.Error(got)
	}
	// Faults are faults although only the first hundred are told.
	text := "digraph {\n" + strings.Repeat("row -> col [label=often]\n", 120) + "move -> col [label=.9 often]\nmove -> row [label=often]\n}"
	if edges, errs, _ := format.ReadPrior(text, taxi); len(errs) != 100 || string(strict.Encode(edges)) != `[["move","col",0.9]]` {
		t.Errorf("%s, %d errors", strict.Encode(edges), len(errs))
	}
}

// Numbers, joined texts and texts in HTML are read as Graphviz reads them. Oracle: by hand.
func TestTokens(t *testing.T) {
	wants(t, map[string]string{
		"digraph { row -> col [labelangle=-25, label=\"0\" + \".9\"] }":                         `[["row","col",0.9]]`,
		"digraph { row -> col [label=<0.9>, labelangle=-.5]; move -> row [label=<<b>.</b>4>] }": `[["row","col",0.9],["move","row",0.4]]`,
		"digraph { a [label=<<font color=\"red\">row</font>>] a->\"c\" + \"ol\"}":               `[["row","col"]]`,
		"digraph { -1 [label=row]; 2.5 [label=col] -1->2.5; row->-1[label=1.] }":                `[["row","col"],["row","row"]]`,
		"digraph { 0 [label=row]; 1 [label=\"\\N\"]; col [label=\"\\N\"]; 0 -> col }":           `[["row","col"]]`,
		"digraph { row -> col [label=\"0\" + \".9 }":                                            `[] 1:29 the quoted name does not end.`,
		"digraph { row -> col [label=<0<br/>.9>] }":                                             `[] 1:29 "0 .9"` + notP,
		"digraph { row -> col [label=-0, dir=\"\"] }":                                           `[["row","col",0]]`,
		"digraph { 1 [label=row] 0 [label=col] 1 -> 0 1 -> 1 }":                                 `[["row","col"],["row","row"]]`,
		"digraph { 1 [label=row] 0 [label=col] 1 -> 0 // 1\n 0 }":                               `[["row","col"]]`,
		"digraph { row -> -col }":                                                               `[] 1:18 a name was expected behind "->".`,
		"dag { row<-move col<-row [beta=-.1] }":                                                 `[["move","row"]] 1:32 -0.1 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999.`,
	})
}

// The ends of an edge say which way it leads. Oracle: by hand, as Graphviz draws them.
func TestDirections(t *testing.T) {
	for with, want := range map[string]string{
		"dir=both, arrowtail=none, arrowhead=normal": `[["row","col"]]`,
		"dir=both, arrowtail=none":                   `[["row","col"]]`,
		"dir=both, arrowhead=none":                   `[["col","row"]]`,
		"dir=both, arrowhead=none, arrowtail=vee":    `[["col","row"]]`,
		"dir=both": `[] 1:27 an edge with a head at both ends states no parent.`,
		"dir=both, arrowhead=none, arrowtail=none":   `[] 1:27 an edge without a head states no parent.`,
		"dir=both, arrowtail=odot, arrowhead=normal": `[] 1:43 the circle "odot" leaves open which way the edge leads.`,
		"dir=both, arrowtail=none, arrowhead=dot":    `[] 1:59 the circle "dot" leaves open which way the edge leads.`,
		"dir=back":                       `[["col","row"]]`,
		"dir=back, arrowtail=none":       `[] 1:27 an edge without a head states no parent.`,
		"dir=forward, arrowtail=odot":    `[["row","col"]]`,
		"dir=none":                       `[] 1:27 an edge without a head states no parent.`,
		"arrowhead=none":                 `[] 1:11 an edge without a head states no parent.`,
		"arrowhead=onormal, label=.2":    `[["row","col",0.2]]`,
		"arrowhead=lvee, arrowtail=odot": `[["row","col"]]`,
		"arrowhead=inv":                  `[] 1:33 the end "inv" of an edge is unknown.`,
		"dir=back, style=invis":          `[]`,
	} {
		if got := told("digraph { row -> col [" + with + "] }"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", with, got, want)
		}
	}
	wants(t, map[string]string{
		"digraph { edge [dir=both, arrowtail=none] 1 [label=row] 0 [label=col] 1 -> 0 }": `[["row","col"]]`, // as causal-learn writes it
		"digraph { edge [dir=back] row -> col -> move; {row} -> row [dir=forward] }":     `[["col","row"],["move","col"],["row","row"]]`,
	})
}

// Graphs of two slices are read by what stands behind the names. Oracle: by hand.
func TestSlices(t *testing.T) {
	for _, pair := range [][2]string{{"_0", "_1"}, {"0", "1"}, {"_t0", "_t1"}, {"_t_0", "_t_1"}, {"_t_1", "_t_0"}, {"0", "t"}, {"_t", "_t+1"}, {"_lag1", "_lag0"}} {
		text := strings.NewReplacer("@", pair[0], "%", pair[1]).Replace(`"row@" -> "col%" [label=.9]; "row@" -> "row%"; "move@" -> "row%"; move -> "col%"; "row@" -> "col@"; "row@" -> "move@"; "row%" -> "col%"`)
		got := told("digraph { " + text + " }")
		list := `[["row","col",0.9],["row","row"],["move","row"],["move","col"]]`
		if !strings.HasPrefix(got, list) || strings.Count(got, " is a next value; an edge leads from a variable now.") != 1 || !strings.HasSuffix(got, "Note: edges within the first of two slices are left out: they say nothing of next values") {
			t.Errorf("%q: %s", pair, got)
		}
		table := "from,to\nrow@,col%\nmove,row%\nrow@,col@\n"
		if got := told(strings.NewReplacer("@", pair[0], "%", pair[1]).Replace(table)); got != `[["row","col"],["move","row"]] Note: edges within the first of two slices are left out: they say nothing of next values` {
			t.Errorf("%q: %s", pair, got)
		}
		if got := told(strings.NewReplacer("@", pair[0], "%", pair[1]).Replace(",row%,row@\nrow@,.9,\nmove,.8,\nrow%,0,0\n")); !strings.HasPrefix(got, `[["row","row",0.9],["move","row",0.8]] Note`) {
			t.Errorf("%q: %s", pair, got)
		}
	}
	wants(t, map[string]string{
		"digraph { row_0 -> row_2; col -> row_1; row_1 -> row_0 }": `[["col","row"]] 1:20 there is no variable "row_2". 1:41 "row_1" is a next value; an edge leads from a variable now. 1:50 "row_0" is a variable now; an edge leads to a next value.`,
		"digraph { row_1 -> row; row' -> col' }":                   `[["row","row"]] 1:25 "row'" is a next value; an edge leads from a variable now.`,
	})
}

// What graphs are written in and what is not read is named in one sentence. Oracle: by hand.
func TestStrangers(t *testing.T) {
	for text, want := range map[string]string{
		"graph TD\n  row --> col\n":                            "Mermaid",
		"flowchart LR;\nrow-->col":                             "Mermaid",
		"graph [\n directed 1\n node [ id 0 label \"row\" ] ]": "GML",
		"graph\n[\n node\n":                                    "GML",
		"Creator \"Cytoscape\"\nVersion 1.0\ngraph\n[":         "GML",
		"<?xml version=\"1.0\"?>\n<graphml>":                   "XML",
		"# a model\ncol ~ row + move\n":                        "a formula of R or lavaan",
		"row =~ col":                                           "a formula of R or lavaan",
		"[row][col|row:move]":                                  "a model string of bnlearn",
		"[('row', 'col')]":                                     "Python or JSON",
		"[[\"row\", \"col\"]]":                                 "Python or JSON",
		"nx.DiGraph([('row', 'col')])":                         "Python or JSON",
		"{\"directed\": true, \"nodes\": [{\"id\": \"row\"}], \"links\": []}": "JSON",
		"g <- dagitty('dag { row -> col }')":                                  "a call in R",
		"@startuml\nrow --> col":                                              "PlantUML",
		"Graph Nodes:\nrow;col\n":                                             "the text of Tetrad or causal-learn",
		"\\begin{tikzpicture}":                                                "LaTeX",
	} {
		edges, errs, _ := format.ReadPrior(text, taxi)
		if len(edges) > 0 || len(errs) != 1 || !strings.HasPrefix(errs[0].Reason, "this is "+want+", which is not read as a prior; ") || errs[0].Line != 1+strings.Count(text[:strings.Index(text, "\n")+1], "#") {
			t.Errorf("%q: %v %+v, want %s", text, edges, errs, want)
		}
	}
	wants(t, map[string]string{
		"```dot\ndigraph { row -> col\n x -> row }\n```\n and so on": `[["row","col"]] 3:2 there is no variable "x".`,
		"```\nrow -> col\n```": `[["row","col"]]`,
		"```\n```":             `[]`,
	})
}

// FuzzGraph checks that every text gives edges that make a prior, and errors with a place.
func FuzzGraph(f *testing.F) {
	g := &format.Graph{Space: odd, Prior: randomPrior(rand.New(rand.NewPCG(32, 1)), odd)}
	f.Add(g.DOT())
	f.Add(g.DAGitty())
	f.Add("from,to,p\nrow,y2,.5\n\"x0\",\"graph\",1")
	f.Add(",row;y2\nrow,1\n\"x0\",0")
	f.Add("strict digraph G { a [label=\"row\"] {a b} -> c:n -- d [label=<b>, dir=back]; subgraph x {} }")
	f.Add("digraph { edge [weight=.5] {row {y1 y2} -> x0} -> subgraph q {row y2} -> row [label=.2] }")
	f.Add("digraph { a -> b [label=\"0\" + \".9\", x=<<b>1</b>>, dir=both, arrowtail=odot] edge [weight=-.5 #] row:n -> -1 .9\n y2 -> x0 [weight=12] }")
	f.Add("network n { } variable row { type discrete [2] { a, b }; } probability ( \"y2\" \"row\" ) { table .1 .9; } probability ( y2' | x0_0, x0_1 ) {")
	f.Add("from,to,strength,direction\nrow,y2,.5,1e-9\nx0,\"graph\n")
	f.Add("row,y2\ntrue,FALSE\n0,1\n")
	f.Add(",row\n0")
	f.Add("\rrow\x00,")
	f.Add("```dot\ndigraph { row_0 -> row_1 }\n```")
	f.Add("dag{bb=\"0\" row [pos=\"0,0\",exposure] row <- y2 -> row_next [beta=.5] /* */ }")
	f.Fuzz(func(t *testing.T, text string) {
		edges, errs, _ := format.ReadPrior(text, odd)
		for _, e := range errs {
			if e.Line < 1 || e.Column < 1 || e.Reason == "" || strings.Contains(e.Reason, "\n") || e.Line > 1+strings.Count(text, "\n")+strings.Count(text, "\r") {
				t.Errorf("%q: %+v", text, e)
			}
		}
		prior, err := document.DecodeEdges(edges, "", odd)
		if err != nil {
			t.Fatal(err)
		}
		if got := again(t, (&format.Graph{Space: odd, Prior: prior}).DOT(), odd); !slices.Equal(got, document.PriorEdges(prior, odd)) {
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
		g := &format.Graph{Space: space, Prior: prior}
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

// Gymnasium's table as JSON, with "format" at any place or without it, is answered by the way that there is. A model that is
// called like it is a model.
func TestGymnasiumRefused(t *testing.T) {
	for _, text := range []string{
		`{"format":"gymnasium/P","radix":[["cell",3]]}`,
		"\n{ \"P\": {\"0\": {\"0\": [[1.0, 0, 0.0, false]]}},\n \"format\" : \"gymnasium/P\"}",
		`{"0": {"0": [[1.0, 0, -1, false]]}}`,
	} {
		_, _, err := format.ReadModel("", []byte(text), format.Options{})
		if want := "this is the table P of Gymnasium, which is not read here; gymnasium_model in cpsrl.py writes it as a model"; fmt.Sprint(err) != want || !format.IsModel([]byte(text)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`{"format":"cpsrl/model","name":"\"format\":\"gymnasium/P\""}`, `{"0":1}`, `{}`} {
		if format.IsModel([]byte(text)) {
			t.Errorf("%s is a model of another program", text)
		}
	}
	if names := strings.Join(format.ModelFormats(), ", "); names != "SPUDD, Cassandra's MDP, RDDL" {
		t.Error(names)
	}
}
