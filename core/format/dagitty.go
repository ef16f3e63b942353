package format

import (
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
)

// dagitty is the language of dagitty.net. The coefficient beta is the probability of an edge.
// Nodes whose position is 0 to the right and a number down are the variables now; those that
// are 1 to the right are the next values.
var dagitty = language{
	match: func(text string) bool { return begins(text, "dag", "pdag", "mag", "pag") },
	read: func(text string, space *fmdp.Space) ([]document.Edge, []export.TextError) {
		g := &graph{space: space}
		g.shown = func(name string) string { return strings.ReplaceAll(printable(name), `\`, "/") }
		g.own = func(n *node, id string) (x, y int) {
			side, number, _ := strings.Cut(n.attributes["pos"].text, ",")
			label := n.attributes["label"].text
			switch side {
			case "0":
				return g.indexed(number, space.X(), "", label, id), -1
			case "1":
				return -1, g.indexed(number, space.Y(), "_next", label, id)
			}
			return -1, -1
		}
		g.says = func(e *edge, with attributes) {
			if beta, has := with["beta"]; has {
				g.probability(e, beta)
			}
		}
		return g.read(text)
	},
}
