package format

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// begins reports whether a text begins as a graph does: with one of the words, perhaps a
// name, and a brace. No prior in the text form has a brace.
func begins(text string, words ...string) bool {
	l := newLexer(text)
	t := l.word()
	if t.keyword("strict") {
		t = l.word()
	}
	for _, word := range words {
		if t.keyword(word) {
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

// statedGraph is a graph as it is read: its nodes, and its edges between them. A statement with a fault states
// no edge, and the reading goes on behind it.
type statedGraph struct {
	lexer
	faults
	space   *fmdp.Space
	now     token // the token that is read next
	nodes   map[string]*node
	edges   []*edge
	weights weights
	failed  bool // whether the rest of a statement cannot be read
	line    int  // in which it failed
	last    int  // the line of the token that was taken last
	listed  bool // whether attributes are read
	over    bool // whether it is said that the text ends too early
	notes   []string
	strict  bool // whether other names are of the first slice, if next values have names of their own

	standard attributes // the defaults of edges

	words bool                                  // whether subgraph, graph, node and edge are no names
	keys  []string                              // the attributes of edges that have a meaning and may have a default
	shown func(name string) string              // how the language writes the name of a variable
	own   func(n *node, id string) (x, y int)   // the variable now or the next value that a node is by its place, or −1
	says  func(at token, with attributes) *edge // an edge without ends that says what the attributes of an edge do
}

// node is a node with its attributes.
type node struct {
	within string // the name of the subgraph
	fault  int    // the line of attributes that cannot be read, or 0
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
	weight   token // what states the probability once all weights are known; no name if p does
	dashed   bool  // whether it is drawn as one that is not certain
	back     bool  // whether it leads from its second end to its first
	hidden   bool  // whether it is no edge but a help for drawing
}

// stop keeps an error after which the rest of the statement cannot be read.
func (g *statedGraph) stop(at token, format string, args ...any) {
	if g.failed {
		return
	}
	g.failed, g.line, g.over = true, at.line, g.over || at.kind == end || at.kind == wrong && g.rest == ""
	if at.kind == wrong {
		format, args = "%s", []any{at.text}
	}
	g.fail(at, format, args...)
}

// abandon keeps an error after which nothing more is read.
func (g *statedGraph) abandon(at token, format string, args ...any) {
	g.stop(at, format, args...)
	g.rest, g.now, g.over = "", token{line: at.line, column: at.column}, true
}

// resume passes over the rest of a statement that cannot be read: up to the end of its attributes, or else to
// a semicolon, a brace or the end of the line.
func (g *statedGraph) resume() {
	listed := g.listed && !g.open // a text that does not end has swallowed the bracket
	g.failed, g.listed = false, false
	for {
		switch t := g.now; {
		case t.kind == end, t.is("{"), t.is("}"), !listed && t.line > g.line:
			return
		case t.is("]"), !listed && t.is(";"):
			g.take()
			return
		case t.is("["):
			listed = true
		}
		g.take()
	}
}

// take returns the next token and reads on. A comment that forbids an edge is an edge.
func (g *statedGraph) take() token {
	t := g.now
	if g.failed {
		return t
	}
	for g.html, g.last = t.is("="), t.line; ; {
		g.now = g.next()
		if g.now.kind != comment {
			return t
		}
		if words, is := strings.CutPrefix(g.now.text, "forbidden: "); is {
			l := &lexer{rest: words, line: g.now.line, column: g.now.column}
			from, to := l.next(), token{}
			if arrow := l.next(); arrow.is("->") {
				to = l.next()
			}
			if from.kind == name && to.kind == name && l.next().kind == end {
				g.link(from, to, &edge{})
			}
		}
	}
}

// read reads a graph whose first word has been matched.
func (g *statedGraph) read(text string) ([]document.Edge, []Error, string) {
	g.lexer, g.nodes = newLexer(text), map[string]*node{}
	g.take()
	for !g.now.is("{") {
		g.take()
	}
	g.statements("", 0)
	switch {
	case g.now.kind == end:
	case slices.ContainsFunc([]string{"strict", "digraph", "graph", "dag", "pdag", "mag", "pag"}, g.now.keyword):
		g.fail(g.now, "a second graph begins here; only the first of a text is read")
	default:
		g.fail(g.now, "the graph ends before this")
	}
	return g.resolved()
}

// mostNested is how deep subgraphs may be nested.
const mostNested = 20

// statements reads statements in braces, and returns the nodes that they name.
func (g *statedGraph) statements(within string, depth int) (nodes []token) {
	if open := g.take(); depth > mostNested {
		g.abandon(open, "subgraphs are nested too deeply")
	}
	before := g.standard
	defer func() { g.standard = before }()
	for {
		if g.failed {
			g.resume()
		}
		switch t := g.now; {
		case t.is("}"):
			g.take()
			return nodes
		case t.kind == end:
			if !g.over {
				g.over = true
				g.fail(t, `"}" was expected`)
			}
			return nodes
		case t.is(";"), t.is(","):
			g.take()
		case t.kind == name || t.is("{"):
			nodes = append(nodes, g.statement(within, depth)...)
		default:
			g.stop(t, "a name was expected, not %q", param.Clip(t.text))
		}
	}
}

// group reads a subgraph, if one stands there.
func (g *statedGraph) group(within string, depth int) (nodes []token, is bool) {
	if g.words && g.now.keyword("subgraph") {
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
func (g *statedGraph) ends(within string, depth int, behind string) []token {
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

// mostEdges is how many edges a text may state: groups let a short text state very many.
const mostEdges = 1 << 16

// faulty is the key of defaults that cannot be read.
const faulty = ""

// statement reads a node, a group, a chain of edges or an attribute of the graph. It returns the nodes
// that it names.
func (g *statedGraph) statement(within string, depth int) []token {
	first, before := g.now, g.found
	from, is := g.group(within, depth)
	if !is {
		g.take()
		from = []token{first}
		switch {
		case g.now.is("="):
			g.take()
			g.value()
			return nil
		case g.words && (first.keyword("edge") || first.keyword("node") || first.keyword("graph")) && g.now.is("["):
			if with := g.attributes(); first.keyword("edge") {
				if g.standard = g.inherit(with); g.failed {
					g.standard[faulty] = first
				}
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
			if g.failed {
				n.fault = first.line
			}
			return from
		}
	}
	nodes := from
	var chain [][2]token
	for g.now.kind == arrow && !g.failed {
		by := g.take()
		to := g.ends(within, depth, by.text)
		switch forward := by.text == "->"; {
		case len(from)*len(to) > mostEdges-len(g.edges)-len(chain):
			g.stop(by, "the graph has more than %d edges", mostEdges)
		case !forward && by.text != "<-":
			g.fail(by, `%q states no parent; an edge leads by "->" from a variable now to a next value`, param.Clip(by.text))
		default:
			for _, a := range from {
				for _, b := range to {
					if forward {
						chain = append(chain, [2]token{a, b})
					} else {
						chain = append(chain, [2]token{b, a})
					}
				}
			}
		}
		nodes, from = append(nodes, to...), to
	}
	if chain == nil {
		g.attributes()
		return nodes
	}
	given := g.attributes()
	with := g.inherit(given)
	e := g.says(first, with)
	if fault, is := with[faulty]; is {
		g.fail(first, "what line %d says of all edges cannot be read", fault.line)
	}
	if len(given) == 0 && g.number() {
		g.stop(g.now, "a number behind an edge is a node; in brackets, as in [%s=.9], it is a probability", g.keys[0])
	}
	if !g.failed && g.now.line == g.last && g.now.kind != name && g.now.kind != end && !strings.Contains(";,{}", g.now.text) {
		g.stop(g.now, "the edge should end here, before %q", param.Clip(g.now.text))
	}
	if g.found > before || e.hidden {
		return nodes
	}
	for k := range chain {
		if c := &chain[k]; e.back {
			g.link(c[1], c[0], e)
		} else {
			g.link(c[0], c[1], e)
		}
	}
	return nodes
}

// link keeps an edge that says the same as another one.
func (g *statedGraph) link(from, to token, says *edge) {
	e := *says
	e.from, e.to = from, to
	g.edges = append(g.edges, &e)
}

// number reports whether the next token is a number that stands behind something in its line, and that no
// edge leads from.
func (g *statedGraph) number() bool {
	line, _, _ := strings.Cut(strings.TrimLeft(g.rest, " \t"), "\n")
	return g.now.kind == name && !g.now.quoted && numeral(g.now.text) == len(g.now.text) && g.now.line == g.last &&
		(strings.ContainsAny(g.now.text, ".-") || line == "" || !strings.ContainsRune("-<@[=:→", []rune(line)[0]))
}

// inherit returns the attributes of an edge in place of the defaults.
func (g *statedGraph) inherit(with attributes) attributes {
	all := maps.Clone(g.standard)
	if all == nil {
		all = attributes{}
	}
	for _, key := range g.keys {
		if value, has := with[key]; has {
			all[key] = value
		}
	}
	return all
}

// port passes over a port of a node, which is an error.
func (g *statedGraph) port(of token) bool {
	if !g.now.is(":") {
		return false
	}
	g.stop(g.now, "a port of %q is not read", param.Clip(of.text))
	return true
}

// value reads the value of an attribute.
func (g *statedGraph) value() token {
	if g.now.kind != name {
		g.stop(g.now, "a value was expected")
	}
	return g.take()
}

// attributes reads lists of attributes in brackets. One without a value has its own name.
func (g *statedGraph) attributes() attributes {
	with := attributes{}
	for !g.failed && g.now.is("[") {
		g.listed = true
		g.take()
		for !g.failed && !g.now.is("]") {
			switch key := g.now; {
			case key.is(","), key.is(";"):
				g.take()
			case key.kind != name:
				g.stop(key, `"]" was expected`)
			default:
				value := g.take()
				if g.now.is("=") {
					g.take()
					value = g.value()
				}
				if !g.failed {
					with[strings.ToLower(key.text)] = value
				}
			}
		}
		if !g.failed {
			g.listed = false
			g.take()
		}
	}
	return with
}

// probability reads the probability of an edge.
func (g *statedGraph) probability(e *edge, at token) {
	var err error
	if e.p, err = likely(strings.TrimSpace(at.text)); err != nil {
		g.fail(at, "%v", err)
	}
}

// weigh reads the weight of an edge, once all weights of the file are seen.
func (g *statedGraph) weigh(e *edge) {
	v, ok := numberOf(strings.TrimSpace(e.weight.text))
	switch layout := ok && !g.weights.likely && v == math.Trunc(v); {
	case layout && v == 0:
		g.fail(e.weight, "a weight of %q is a matter of drawing or forbids the edge; a label says which", param.Clip(e.weight.text))
	case layout && e.dashed:
		g.fail(e.from, dashed)
	case layout:
		if e.p = 1; v > 1 {
			g.note("the weights are whole numbers, which say how to draw edges and not how probable they are: an edge without a label is certain")
		}
	default:
		var err error
		if e.p, err = g.weights.read(strings.TrimSpace(e.weight.text)); err != nil {
			g.fail(e.weight, "%v", err)
		}
	}
}

const dashed = "a dashed edge is not known; a label says how probable it is"

// note keeps a sentence on how the text is read.
func (g *statedGraph) note(text string) {
	if !slices.Contains(g.notes, text) {
		g.notes = append(g.notes, text)
	}
}

// called returns the name of a node: its label or, without one, its own.
func (g *statedGraph) called(at token) string {
	n := g.nodes[at.text]
	if n == nil {
		return at.text
	}
	label, has := n.attributes["label"]
	switch {
	case !has:
		return at.text
	case g.words:
		return strings.ReplaceAll(label.text, `\N`, at.text)
	}
	return label.text
}

// resolved returns the edges between the variables of the space, the errors in the order of the text, and
// the notes.
func (g *statedGraph) resolved() ([]document.Edge, []Error, string) {
	names := newNaming(g.space, g.shown)
	ends := make([][2]string, len(g.edges))
	for k, e := range g.edges {
		ends[k] = [2]string{g.called(e.from), g.called(e.to)}
	}
	names.divide(ends)
	for _, e := range ends {
		for _, called := range e {
			names.strict = names.strict || g.strict && names.lookup(called) < 0 && names.primed(called) >= 0
		}
	}
	list, lines := []document.Edge{}, map[[2]int]int{}
	for k, e := range g.edges {
		before := g.found
		if e.weight.kind == name {
			g.weigh(e)
		}
		if names.first(ends[k][0], ends[k][1]) {
			g.note(noteFirst)
			continue
		}
		i, j := g.variable(names, e.from, false), g.variable(names, e.to, true)
		if g.found > before {
			continue
		}
		if first := lines[[2]int{i, j}]; first > 0 {
			g.fail(e.from, "the edge stands in line %d already", first)
			continue
		}
		lines[[2]int{i, j}] = e.from.line
		list = append(list, document.Edge{From: g.space.Var(i).Name, To: g.space.State[j].Name, P: e.p})
	}
	return list, g.inOrder(), strings.Join(g.notes, "; ")
}

// variable returns the index of the variable that a node is: one now or, at the head of an
// edge, a next value. Otherwise it keeps an error and returns −1.
func (g *statedGraph) variable(names *naming, at token, head bool) int {
	n := g.nodes[at.text]
	if n == nil {
		n = &node{}
	}
	x, y := g.own(n, at.text)
	_, labelled := n.attributes["label"]
	switch {
	case n.latent():
		g.fail(at, "%q is latent; all variables of a prior are seen", param.Clip(at.text))
		return -1
	case n.fault > 0 && !labelled:
		g.fail(at, "what line %d says of %q cannot be read", n.fault, param.Clip(at.text))
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
	find := names.tail
	if head {
		find = names.head
	}
	i, why := find(g.called(at))
	if i < 0 {
		g.fail(at, "%s", why)
	}
	return i
}

// indexed returns the variable whose number is text, if a language writes its name, with the
// suffix, as one of the names. Otherwise it returns −1.
func (g *statedGraph) indexed(text string, of int, suffix string, names ...string) int {
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
