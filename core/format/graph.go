package format

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode"

	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// begins reports whether a text begins as a graph does: with one of the words, perhaps a
// name, and a brace. No prior in the text form has a brace.
func begins(text string, words ...string) bool {
	l := &lexer{rest: text, line: 1, column: 1}
	t := l.word()
	if t.is("strict") {
		t = l.word()
	}
	for _, word := range words {
		if t.is(word) {
			brace := l.word()
			if brace.kind == name {
				brace = l.word()
			}
			return brace.is("{")
		}
	}
	return false
}

// word returns the next token that is no comment.
func (l *lexer) word() token {
	for {
		if t := l.next(); t.kind != comment {
			return t
		}
	}
}

// graph is a graph as it is read: its nodes, and its edges between them.
type graph struct {
	lexer
	space  *fmdp.Space
	now    token // the token that is read next
	nodes  map[string]*node
	edges  []edge
	errors []export.TextError
	failed bool // whether the rest of the text cannot be read

	standard attributes // the defaults of edges

	words bool                                // whether subgraph, graph, node and edge are no names
	shown func(name string) string            // how the language writes the name of a variable
	own   func(n *node, id string) (x, y int) // the variable now or the next value that a node is by its place, or −1
	says  func(e *edge, with attributes)      // what the attributes of an edge say
}

// node is a node with its attributes.
type node struct {
	within string // the name of the subgraph
	attributes
}

type attributes map[string]token

// latent reports whether the attributes say that a node is not seen, as DAGitty and others write it.
func (a attributes) latent() bool {
	for _, key := range []string{"latent", "unobserved"} {
		if value, has := a[key]; has && value.text != "no" && value.text != "false" {
			return true
		}
	}
	observed := a["observed"].text
	return observed == "no" || observed == "false"
}

// edge is an edge as it is written, with the probability that it states.
type edge struct {
	from, to token
	p        float64
	hidden   bool // whether it is no edge but a help for drawing
}

const mostErrors = 100

// fail keeps an error at a token.
func (g *graph) fail(at token, format string, args ...any) {
	if len(g.errors) < mostErrors {
		g.errors = append(g.errors, export.TextError{Line: at.line, Column: at.column, Detail: fmt.Sprintf(format, args...)})
	}
}

// stop keeps an error after which nothing more can be read.
func (g *graph) stop(at token, format string, args ...any) {
	if !g.failed {
		g.failed = true
		if at.kind == wrong {
			format, args = "%s", []any{at.text}
		}
		g.fail(at, format, args...)
	}
	g.now = token{line: at.line, column: at.column}
}

// take returns the next token and reads on. A comment that forbids an edge is an edge.
func (g *graph) take() token {
	t := g.now
	if g.failed {
		return t
	}
	for {
		g.now = g.next()
		if g.now.kind != comment {
			break
		}
		if words, is := strings.CutPrefix(g.now.text, "forbidden: "); is {
			l := &lexer{rest: words, line: g.now.line, column: g.now.column}
			from, to := l.next(), token{}
			if arrow := l.next(); arrow.is("->") {
				to = l.next()
			}
			if from.kind == name && to.kind == name && l.next().kind == end {
				g.edges = append(g.edges, edge{from: from, to: to})
			}
		}
	}
	if g.now.kind == wrong {
		g.stop(g.now, "")
	}
	return t
}

// read reads a graph whose first word has been matched.
func (g *graph) read(text string) ([]document.Edge, []export.TextError) {
	if len(text) > export.MaxText {
		return []document.Edge{}, []export.TextError{{Line: 1, Column: 1, Detail: fmt.Sprintf("the text has %d bytes, more than %d", len(text), export.MaxText)}}
	}
	g.lexer, g.nodes = lexer{rest: text, line: 1, column: 1}, map[string]*node{}
	g.take()
	for !g.now.is("{") {
		g.take()
	}
	g.statements("", 0)
	if !g.failed && g.now.kind != end {
		g.stop(g.now, "the graph ends before this")
	}
	return g.resolved()
}

// mostNested is how deep subgraphs may be nested.
const mostNested = 20

// statements reads statements in braces, and returns the nodes that they name.
func (g *graph) statements(within string, depth int) (nodes []token) {
	if open := g.take(); depth > mostNested {
		g.stop(open, "subgraphs are nested too deeply")
	}
	before := g.standard
	for !g.failed && !g.now.is("}") {
		switch t := g.now; {
		case t.kind == end:
			g.stop(t, `"}" was expected`)
		case t.is(";"), t.is(","):
			g.take()
		case t.kind == name || t.is("{"):
			nodes = append(nodes, g.statement(within, depth)...)
		default:
			g.stop(t, "a name was expected, not %q", param.Clip(t.text))
		}
	}
	if g.standard = before; !g.failed {
		g.take()
	}
	return nodes
}

// group reads a subgraph, if one stands there.
func (g *graph) group(within string, depth int) (nodes []token, is bool) {
	if g.words && g.now.is("subgraph") {
		within = ""
		if g.take(); g.now.kind == name {
			within = g.take().text
		}
		if !g.now.is("{") {
			g.stop(g.now, `"{" was expected`)
			return nil, true
		}
	}
	if !g.now.is("{") {
		return nil, false
	}
	return g.statements(within, depth+1), true
}

// ends reads what an edge leads from or to: a node, or a group of nodes.
func (g *graph) ends(within string, depth int, behind string) []token {
	if nodes, is := g.group(within, depth); is {
		return nodes
	}
	if g.now.kind != name {
		g.stop(g.now, "a name was expected behind %q", param.Clip(behind))
		return nil
	}
	node := g.take()
	g.port(node)
	return []token{node}
}

// standards are the attributes of edges that have a meaning and may have a default.
var standards = []string{"label", "weight", "style", "dir", "beta"}

// mostEdges is how many edges a text may state: groups let a short text state very many.
const mostEdges = 1 << 16

// statement reads a node, a group, a chain of edges or an attribute of the graph. It returns the nodes
// that it names.
func (g *graph) statement(within string, depth int) []token {
	first := g.now
	from, is := g.group(within, depth)
	if !is {
		g.take()
		from = []token{first}
		switch {
		case g.now.is("="):
			g.take()
			g.value()
			return nil
		case g.words && (first.is("edge") || first.is("node") || first.is("graph")) && g.now.is("["):
			if with := g.attributes(); first.is("edge") {
				g.standard = g.over(with)
			}
			return nil
		case g.port(first):
			return nil
		case g.now.kind != arrow:
			n := g.nodes[first.text]
			if n == nil {
				n = &node{within: within, attributes: attributes{}}
				g.nodes[first.text] = n
			}
			for key, value := range g.attributes() {
				n.attributes[key] = value
			}
			return from
		}
	}
	nodes := from
	var chain []edge
	for g.now.kind == arrow && !g.failed {
		by := g.take()
		to := g.ends(within, depth, by.text)
		if len(from)*len(to) > mostEdges-len(g.edges)-len(chain) {
			g.stop(by, "the graph has more than %d edges", mostEdges)
		}
		if g.failed {
			return nil
		}
		for _, a := range from {
			for _, b := range to {
				switch by.text {
				case "->":
					chain = append(chain, edge{from: a, to: b, p: 1})
				case "<-":
					chain = append(chain, edge{from: b, to: a, p: 1})
				}
			}
		}
		if by.text != "->" && by.text != "<-" {
			g.fail(by, `%q states no parent; an edge leads by "->" from a variable now to a next value`, param.Clip(by.text))
		}
		nodes, from = append(nodes, to...), to
	}
	with := g.over(g.attributes())
	for k := range chain {
		errors := len(g.errors)
		if g.says(&chain[k], with); !chain[k].hidden && len(g.errors) == errors {
			g.edges = append(g.edges, chain[k])
		}
	}
	return nodes
}

// over returns the attributes of an edge in place of the defaults.
func (g *graph) over(with attributes) attributes {
	all := maps.Clone(g.standard)
	for _, key := range standards {
		if value, has := with[key]; has {
			if all == nil {
				all = attributes{}
			}
			all[key] = value
		}
	}
	return all
}

// port passes over a port of a node, which is an error.
func (g *graph) port(of token) bool {
	if !g.now.is(":") {
		return false
	}
	g.stop(g.now, "a port of %q is not read", param.Clip(of.text))
	return true
}

// value reads the value of an attribute.
func (g *graph) value() token {
	if g.now.kind == name {
		return g.take()
	}
	why := "a value was expected"
	if strings.HasPrefix(g.now.text, "<") {
		why = "a label in HTML is not read"
	}
	g.stop(g.now, "%s", why)
	return g.now
}

// attributes reads lists of attributes in brackets. One without a value has its own name.
func (g *graph) attributes() attributes {
	with := attributes{}
	for !g.failed && g.now.is("[") {
		g.take()
		for !g.failed && !g.now.is("]") {
			switch key := g.take(); {
			case key.is(","), key.is(";"):
			case key.kind != name:
				g.stop(key, `"]" was expected`)
			case g.now.is("="):
				g.take()
				with[key.text] = g.value()
			default:
				with[key.text] = key
			}
		}
		if !g.failed {
			g.take()
		}
	}
	return with
}

// probability reads the probability of an edge.
func (g *graph) probability(e *edge, at token) {
	p, err := document.ParseP(strings.TrimSpace(at.text))
	if err != nil {
		g.fail(at, "%v", err)
	}
	e.p = p
}

// resolved returns the edges between the variables of the space.
func (g *graph) resolved() ([]document.Edge, []export.TextError) {
	list, lines := []document.Edge{}, map[[2]int]int{}
	for _, e := range g.edges {
		i, j := g.variable(e.from, false), g.variable(e.to, true)
		if i < 0 || j < 0 {
			continue
		}
		if first := lines[[2]int{i, j}]; first > 0 {
			g.fail(e.from, "the edge stands in line %d already", first)
			continue
		}
		lines[[2]int{i, j}] = e.from.line
		list = append(list, document.Edge{From: g.space.Var(i).Name, To: g.space.State[j].Name, P: e.p})
	}
	return list, g.errors
}

// nexts may stand behind the name of a next value.
var nexts = []string{"′", "'", "’", "_next"}

// variable returns the index of the variable that a node is: one now or, at the head of an
// edge, a next value. Otherwise it keeps an error and returns −1.
func (g *graph) variable(at token, head bool) int {
	n := g.nodes[at.text]
	if n == nil {
		n = &node{}
	}
	x, y := g.own(n, at.text)
	switch {
	case n.latent():
		g.fail(at, "%q is latent; all variables of a prior are seen", param.Clip(at.text))
		return -1
	case !head && x >= 0:
		return x
	case head && y >= 0:
		return y
	case head && x >= 0:
		g.fail(at, "%q is a variable now; an edge leads to a next value", param.Clip(at.text))
		return -1
	case y >= 0:
		g.fail(at, "%q is a next value; an edge leads from a variable now", param.Clip(at.text))
		return -1
	}
	called := at.text
	if label, has := n.attributes["label"]; has {
		called = label.text
	}
	names := []string{called}
	if head {
		for _, suffix := range nexts {
			if bare, is := strings.CutSuffix(called, suffix); is {
				names = append(names, bare)
			}
		}
	}
	action := false
	for _, name := range names {
		for i := range g.space.X() {
			switch {
			case g.space.Var(i).Name != name && g.shown(g.space.Var(i).Name) != name:
			case head && i >= g.space.Y():
				action = true
			default:
				return i
			}
		}
	}
	if action {
		g.fail(at, "%q is an action; edges lead to state variables", param.Clip(called))
	} else {
		g.fail(at, "there is no variable %q", param.Clip(called))
	}
	return -1
}

// indexed returns the variable whose number is text, if a language writes its name, with the
// suffix, as one of the names. Otherwise it returns −1.
func (g *graph) indexed(text string, of int, suffix string, names ...string) int {
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i >= of {
		return -1
	}
	for _, name := range names {
		if name == g.shown(g.space.Var(i).Name+suffix) {
			return i
		}
	}
	return -1
}

// printable replaces control characters by spaces, as package export does.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
