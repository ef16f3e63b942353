package format_test

import (
	"flag"
	"os/exec"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	formattest.Golden(t, name, got, *update)
}

// peculiar has variables whose names have special characters of every language.
var peculiar = &fmdp.Space{
	State:  []fmdp.Variable{{Name: "row", Size: 5}, {Name: `the "side" \ {of} 100% $_^~&#`, Size: 2}, {Name: "line\nbreak <b>|", Size: 2}, {Name: "état", Size: 2}, {Name: "y2", Size: 2}},
	Action: []fmdp.Variable{{Name: "a -> b # c", Size: 2}, {Name: "y1", Size: 2}, {Name: "row_next", Size: 2}},
}

func peculiarGraph() *format.Graph {
	return &format.Graph{
		Space: peculiar,
		Edges: bigraph.Bigraph{bigraph.Of(0, 1), bigraph.Of(1, 5), bigraph.Of(2), bigraph.Of(7), bigraph.Of()},
		Prior: &bigraph.Prior{X: 8, Known: bigraph.Bigraph{bigraph.Of(0), bigraph.Of(5), bigraph.Of(), bigraph.Of(1), bigraph.Of(3)}},
	}
}

// softPrior has edges of every sort.
func softPrior() *bigraph.Prior {
	return &bigraph.Prior{
		X: 8, Known: bigraph.Bigraph{bigraph.Of(0), bigraph.Of(), bigraph.Of(), bigraph.Of(1, 7), bigraph.Of()},
		Forbidden: bigraph.Bigraph{bigraph.Of(4), bigraph.Of(), bigraph.Of(0, 6), bigraph.Of(), bigraph.Of()},
		Likely:    []bigraph.Edge{{X: 1, Y: 0, P: 0.9}, {X: 5, Y: 1, P: 0.000001}, {X: 3, Y: 3, P: 0.25}},
	}
}

func edgeTexts(edges []document.Edge) string { return string(strict.Encode(edges)) }

func TestGraphs(t *testing.T) {
	s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi"}}`))
	if err != nil {
		t.Fatal(err)
	}
	taxi, err := experiment.NewInstance(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*format.Graph{
		"taxi": {Space: &taxi.View.Space, Edges: taxi.View.Graph(), Prior: taxi.Prior},
		"odd":  peculiarGraph(),
		"soft": {Space: peculiar, Prior: softPrior()},
		"true": {Space: peculiar, Edges: peculiarGraph().Edges, Prior: softPrior()},
	} {
		golden(t, name+".dot", g.DOT())
		golden(t, name+".tex", g.TikZ())
		golden(t, name+".dag", g.DAGitty())
		golden(t, name+".txt", g.Text())
	}
}

// Oracle: Graphviz reads the DOT text.
func TestDOTByGraphviz(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip(err)
	}
	c := exec.Command(dot, "-Tplain")
	c.Stdin = strings.NewReader(peculiarGraph().DOT())
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %s", err, &stderr)
	}
	text := string(out)
	for _, part := range []string{"\nedge x0 y0 ", "\nedge x7 y3 ", ` "the \"side\"`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
	visible := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "edge ") && !strings.Contains(line, "invis") {
			visible++
		}
	}
	if visible != peculiarGraph().Edges.Edges() {
		t.Errorf("%d edges", visible)
	}
}

// A name that DAGitty or DOT reserves, or that every object of JavaScript has, is a label, and
// the identifier is another.
func TestReservedNames(t *testing.T) {
	names := strings.Fields("graph node edge digraph subgraph strict dag pdag mag pag Graph NODE constructor __proto__ hasOwnProperty toString grapher")
	space := &fmdp.Space{Action: []fmdp.Variable{{Name: "x0", Size: 2}}}
	for _, name := range names {
		space.State = append(space.State, fmdp.Variable{Name: name, Size: 2})
	}
	text := (&format.Graph{Space: space, Edges: make(bigraph.Bigraph, len(names))}).DAGitty()
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		id, _, is := strings.Cut(line, " [pos=")
		if !is {
			continue
		}
		if seen[id] {
			t.Errorf("%s is of two variables", id)
		}
		seen[id] = true
	}
	for _, name := range names {
		if own := name == "grapher"; seen[name] != own || strings.Contains(text, `,label="`+name+`"]`) == own {
			t.Errorf("%s: %s", name, text)
		}
	}
	if !seen["graph_next"] || len(seen) != 2*len(names)+1 {
		t.Errorf("%v", seen)
	}
}

// Graphviz shows a name that looks like an entity of HTML as it is.
func TestDOTEntities(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "a&lt;b", Size: 2}, {Name: "R&D &eta;", Size: 2}}, Action: []fmdp.Variable{{Name: "&#65;", Size: 2}}}
	text := (&format.Graph{Space: space, Edges: make(bigraph.Bigraph, 2)}).DOT()
	for _, want := range []string{`"a&amp;lt;b"`, `"R&amp;D &amp;eta;"`, `"&amp;#65;"`, `"a&amp;lt;b′"`} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in %s", want, text)
		}
	}
}

// FuzzWritten checks that no name of a variable breaks out of its place in any language.
func FuzzWritten(f *testing.F) {
	f.Add("a", "b")
	f.Add("\"];\n", "\\")
	f.Add("{", "\"the\" #1; \\end{x} 50% ~^_$&|<>")
	f.Add("état η′", "名 😀 ő")
	f.Fuzz(func(t *testing.T, a, b string) {
		space := &fmdp.Space{State: []fmdp.Variable{{Name: a, Size: 2}}, Action: []fmdp.Variable{{Name: b, Size: 2}}}
		if space.Validate() != nil || strings.ToValidUTF8(a+b, "") != a+b {
			t.Skip()
		}
		g := &format.Graph{Space: space, Edges: bigraph.Bigraph{bigraph.Of(0, 1)}}
		back, errs, _ := format.ReadText(g.Text(), space)
		if len(errs) > 0 || len(back) != 2 || back[0] != (document.Edge{From: a, To: a, P: 1}) || back[1] != (document.Edge{From: b, To: a, P: 1}) {
			t.Errorf("%q %q: %v, %v", a, b, back, errs)
		}
		for name, text := range map[string]string{"DOT": g.DOT(), "TikZ": g.TikZ(), "DAGitty": g.DAGitty()} {
			lines := map[string]int{"DOT": 17, "TikZ": 8, "DAGitty": 7}[name]
			if reason := formattest.Compiles(text[strings.Index(text, "\n"):]); name == "TikZ" && reason != "" {
				t.Errorf("%s:\n%s", reason, text)
			}
			if n := strings.Count(text, "\n"); n != lines {
				t.Errorf("%s of %q and %q has %d lines:\n%s", name, a, b, n, text)
			}
		}
	})
}
