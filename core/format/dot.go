package format

import (
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// entities reads what Graphviz reads in a label as one letter. Our own labels have only &amp;.
var entities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'")

// dot is the language of Graphviz. A label is the probability of an edge, or else a weight of at
// most 1: a larger one is a matter of drawing. A comment may forbid an edge. Subgraphs named x and y hold the variables now and the next values, in their
// order.
var dot = language{
	match: func(text string) bool { return begins(text, "digraph", "graph") },
	read: func(text string, space *fmdp.Space) ([]document.Edge, []export.TextError) {
		g := &graph{space: space, words: true, shown: printable}
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
		g.says = func(e *edge, with attributes) {
			style, label, weight := with["style"].text, with["label"], with["weight"]
			dir, directed := with["dir"]
			w, _ := numberOf(weight.text)
			switch {
			case strings.Contains(style, "invis"):
				e.hidden = true
			case directed && dir.text != "forward":
				g.fail(dir, "an edge leads forward, not %q", dir.text)
			case label.kind == name && strings.TrimSpace(label.text) != "":
				g.probability(e, label)
			case w > 0 && w <= 1:
				g.probability(e, weight)
			case weight.kind == name && w == 0:
				g.fail(weight, "a weight of %q is a matter of drawing or forbids the edge; a label says which", param.Clip(weight.text))
			case strings.Contains(style, "dashed"), strings.Contains(style, "dotted"):
				g.fail(e.from, "a dashed edge is not known; a label says how probable it is")
			}
		}
		return g.read(text)
	},
}
