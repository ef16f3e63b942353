package format

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
)

// Graph is a bigraph to write. Known edges are solid, all others dashed. Edges with a
// probability have it as a label.
type Graph struct {
	Space *fmdp.Space
	Edges bigraph.Bigraph // nil for the edges that the prior states
	Prior *bigraph.Prior  // nil if nothing is known
}

// drawn is an edge with its probability in the prior: 1 if it is known, 0 if forbidden.
type drawn struct {
	x, y int
	said bool // whether the prior states the edge
	p    float64
}

// text formats the probability of a likely edge. For other edges it returns "".
func (e drawn) text(format string) string {
	if !e.said || e.p == 0 || e.p == 1 {
		return ""
	}
	return fmt.Sprintf(format, document.FormatP(e.p))
}

// edges returns the edges by Y variable, then X variable. If the graph is the prior's, it
// includes the forbidden edges.
func (g *Graph) edges() []drawn {
	said := map[[2]int]float64{}
	if g.Prior != nil {
		for _, e := range g.Prior.Likely {
			said[[2]int{e.X, e.Y}] = e.P
		}
		for p, edges := range []bigraph.Bigraph{g.Prior.Forbidden, g.Prior.Known} {
			for j, z := range edges {
				for i := range z.All() {
					said[[2]int{i, j}] = float64(p)
				}
			}
		}
	}
	var list []drawn
	for j := range g.Space.State {
		for i := range g.Space.X() {
			e := drawn{x: i, y: j}
			e.p, e.said = said[[2]int{i, j}]
			if g.Edges == nil && e.said || g.Edges != nil && g.Edges[j].Has(i) {
				list = append(list, e)
			}
		}
	}
	return list
}

// comments writes the forbidden edges of a prior as comment lines.
func (g *Graph) comments(b *strings.Builder, format string) {
	for _, e := range g.edges() {
		if e.said && e.p == 0 && g.Edges == nil {
			fmt.Fprintf(b, format, e.x, e.y)
		}
	}
}

// present returns the edges without those that a prior forbids.
func (g *Graph) present() []drawn {
	return slices.DeleteFunc(g.edges(), func(e drawn) bool { return g.Edges == nil && e.p == 0 })
}

// printable replaces control characters by spaces: no graph language allows them.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
