package format

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
)

// dagitty is the language of dagitty.net. The coefficient beta is the probability of an edge.
// Nodes whose position is 0 to the right and a number down are the variables now; those that
// are 1 to the right are the next values.
var dagitty = Language{
	Name:  "DAGitty",
	Match: func(text string) bool { return begins(text, "dag", "pdag", "mag", "pag") },
	Read: func(text string, space *fmdp.Space) ([]document.Edge, []Error, string) {
		g := &statedGraph{space: space, keys: []string{"beta"}}
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
		g.says = func(_ token, with attributes) *edge {
			e := &edge{p: 1}
			if beta, has := with["beta"]; has {
				g.probability(e, beta)
			}
			return e
		}
		return g.read(text)
	},
}

// DAGitty returns the graph for dagitty.net, which has no dashed edges. A probability
// becomes the edge's coefficient, beta. A variable whose name is reserved or has other characters
// than letters, digits and _ gets an identifier with its number, and its name as a label.
func (g *Graph) DAGitty() string {
	var b strings.Builder
	b.WriteString("dag {\n")
	taken := map[string]bool{}
	node := func(side string, x, i int, name, suffix string) (id string) {
		id = name + suffix
		if !bareName(name) || utf8.RuneCountInString(name) < len(name) || taken[id] || reserved[strings.ToLower(id)] { // plain ASCII only
			for id = fmt.Sprintf("%s%d", side, i); taken[id]; {
				id += "_"
			}
		}
		taken[id] = true
		fmt.Fprintf(&b, "%s [pos=\"%d,%d\"", id, x, i)
		if id != name+suffix {
			fmt.Fprintf(&b, ",label=\"%s\"", strings.NewReplacer(`\`, "/", `"`, `\"`).Replace(printable(name+suffix)))
		}
		b.WriteString("]\n")
		return id
	}
	xs, ys := make([]string, g.Space.X()), make([]string, g.Space.Y())
	for i := range xs {
		xs[i] = node("x", 0, i, g.Space.Var(i).Name, "")
	}
	for j := range ys {
		ys[j] = node("y", 1, j, g.Space.State[j].Name, "_next")
	}
	for _, e := range g.present() {
		fmt.Fprintf(&b, "%s -> %s%s\n", xs[e.x], ys[e.y], e.text(` [beta="%s"]`))
	}
	b.WriteString("}\n")
	return b.String()
}

// reserved holds, in lower case, the names that no variable may have in DAGitty or DOT: the words of
// the two languages, and the members of every JavaScript object, because DAGitty looks variables up
// in such an object.
var reserved = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq("graph digraph subgraph node edge strict dag pdag mag pag " +
		"constructor __proto__ hasownproperty isprototypeof propertyisenumerable tolocalestring tostring valueof " +
		"__definegetter__ __definesetter__ __lookupgetter__ __lookupsetter__") {
		names[name] = true
	}
	return names
}()
