package format

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// entities reads what Graphviz reads in a label as one letter. Our own labels have only &amp;.
var entities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'")

// trusts are the attributes that state how probable an edge is. Programs write numbers of edges with names
// of their own, and the label is what people see.
var trusts = []string{"probability", "prob", "trust", "confidence", "strength", "label", "xlabel"}

// heads are the ends of an edge that are heads. A circle is none: it leaves open whether there is a head.
var heads = []string{"normal", "vee", "empty", "open", "halfopen", "crow", "diamond", "ediamond", "box", "tee", "curve"}

// dot is the language of Graphviz. A label is the probability of an edge, or else a weight, if the weights
// of the file are probabilities. A comment may forbid an edge. Subgraphs named x and y hold the variables
// now and the next values, in their order.
var dot = Language{
	Name:  "DOT",
	Match: func(text string) bool { return begins(text, "digraph", "graph") },
	Read: func(text string, space *fmdp.Space) ([]document.Edge, []Error, string) {
		g := &statedGraph{space: space, words: true, shown: printable}
		g.keys = slices.Concat([]string{"label", "weight", "style", "dir", "arrowhead", "arrowtail"}, trusts)
		g.own = func(n *node, id string) (x, y int) {
			label := entities.Replace(n.attributes["label"].text)
			number, ofX := strings.CutPrefix(id, "x")
			if ofX && n.within == "x" {
				return g.indexed(number, space.X(), "", label), -1
			}
			number, ofY := strings.CutPrefix(id, "y")
			if ofY && n.within == "y" {
				return -1, g.indexed(number, space.Y(), "′", label)
			}
			return -1, -1
		}
		g.says = func(at token, with attributes) *edge {
			e := &edge{p: 1}
			style, weight := with["style"].text, with["weight"]
			if strings.Contains(style, "invis") {
				e.hidden = true
				return e
			}
			e.back = g.backward(at, with)
			e.dashed = strings.Contains(style, "dashed") || strings.Contains(style, "dotted")
			stated := token{}
			for _, key := range slices.Backward(trusts) {
				if strings.TrimSpace(with[key].text) != "" {
					stated = with[key]
				}
			}
			weighed := strings.TrimSpace(weight.text) != ""
			switch v, _ := numberOf(strings.TrimSpace(weight.text)); {
			case weighed && v < 0:
				g.fail(weight, "a weight of %s is below 0, and no probability of an edge", param.Clip(weight.text))
			case stated.kind == name:
				g.probability(e, stated)
			case weighed:
				g.weights.see(strings.TrimSpace(weight.text))
				e.weight = weight
			case e.dashed:
				g.fail(at, dashed)
			}
			return e
		}
		return g.read(text)
	},
}

// backward reports whether an edge leads from its second end to its first, by its direction and its ends.
func (g *statedGraph) backward(at token, with attributes) bool {
	dir := with["dir"]
	if dir.text == "" {
		dir = at
		dir.text = "forward"
	}
	head := func(key string) bool {
		end := with[key]
		shape := strings.ToLower(end.text)
		switch {
		case shape == "" || slices.Contains(heads, strings.TrimLeft(shape, "olr")) || slices.Contains(heads, shape):
			return true
		case strings.Contains(shape, "dot"):
			g.fail(end, "the circle %q leaves open which way the edge leads", param.Clip(end.text))
		case shape != "none":
			g.fail(end, "the end %q of an edge is unknown", param.Clip(end.text))
		}
		return false
	}
	before, first, second := g.found, false, false
	switch strings.ToLower(dir.text) {
	case "forward":
		second = head("arrowhead")
	case "back":
		first = head("arrowtail")
	case "both":
		first, second = head("arrowtail"), head("arrowhead")
	case "none":
	default:
		g.fail(dir, "the direction %q of an edge is unknown", param.Clip(dir.text))
	}
	switch {
	case g.found > before:
	case first && second:
		g.fail(dir, "an edge with a head at both ends states no parent")
	case !first && !second:
		g.fail(dir, "an edge without a head states no parent")
	}
	return first
}

// DOT returns the graph for Graphviz: X on the left, Y on the right. Graphviz reads &lt; in a
// label as <, so the & of a name is written as &amp;.
func (g *Graph) DOT() string {
	escapes := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")
	var b strings.Builder
	b.WriteString("digraph {\n\trankdir=LR;\n\tranksep=1.5;\n\tnode [shape=box, style=rounded];\n")
	side := func(name string, n int, label func(int) string) {
		fmt.Fprintf(&b, "\tsubgraph %s {\n\t\trank=same;\n", name)
		for i := range n {
			fmt.Fprintf(&b, "\t\t%s%d [label=\"%s\"];\n", name, i, escapes.Replace(printable(label(i))))
		}
		for i := range n - 1 { // invisible edges keep the order of the nodes
			fmt.Fprintf(&b, "\t\t%s%d -> %s%d [style=invis];\n", name, i, name, i+1)
		}
		b.WriteString("\t}\n")
	}
	side("x", g.Space.X(), func(i int) string { return g.Space.Var(i).Name })
	side("y", g.Space.Y(), func(j int) string { return g.Space.State[j].Name + "′" })
	for _, e := range g.present() {
		style := " [style=dashed" + e.text(`, label="%s"`) + "]"
		if e.p == 1 {
			style = ""
		}
		fmt.Fprintf(&b, "\tx%d -> y%d%s;\n", e.x, e.y, style)
	}
	g.comments(&b, "\t// forbidden: x%d -> y%d\n")
	b.WriteString("}\n")
	return b.String()
}
