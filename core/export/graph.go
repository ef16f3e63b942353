package export

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Graph is a bigraph to write. Edges that are also in Known are solid, others
// dashed. If Known is nil, all are dashed.
type Graph struct {
	Space *fmdp.Space
	Edges bigraph.Bigraph
	Known bigraph.Bigraph
}

func (g *Graph) known(i, j int) bool { return g.Known != nil && g.Known[j].Has(i) }

// printable replaces control characters by spaces: no graph language allows them.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// DOT returns the graph for Graphviz: X on the left, Y on the right.
func (g *Graph) DOT() string {
	quote := func(text string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable(text)) + `"`
	}
	var b strings.Builder
	b.WriteString("digraph {\n\trankdir=LR;\n\tranksep=1.5;\n\tnode [shape=box, style=rounded];\n")
	side := func(name string, n int, label func(int) string) {
		fmt.Fprintf(&b, "\tsubgraph %s {\n\t\trank=same;\n", name)
		for i := range n {
			fmt.Fprintf(&b, "\t\t%s%d [label=%s];\n", name, i, quote(label(i)))
		}
		for i := range n - 1 { // invisible edges keep the order of the nodes
			fmt.Fprintf(&b, "\t\t%s%d -> %s%d [style=invis];\n", name, i, name, i+1)
		}
		b.WriteString("\t}\n")
	}
	side("x", g.Space.X(), func(i int) string { return g.Space.Var(i).Name })
	side("y", g.Space.Y(), func(j int) string { return g.Space.State[j].Name + "′" })
	for j, z := range g.Edges {
		for i := range z.All() {
			style := " [style=dashed]"
			if g.known(i, j) {
				style = ""
			}
			fmt.Fprintf(&b, "\tx%d -> y%d%s;\n", i, j, style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// TikZ returns the graph as a LaTeX picture.
func (g *Graph) TikZ() string {
	var b strings.Builder
	b.WriteString("% \\usepackage{tikz}; known edges are solid, others dashed\n\\begin{tikzpicture}[every node/.style={draw, rounded corners}]\n")
	for i := range g.Space.X() {
		fmt.Fprintf(&b, "\t\\node (x%d) at (0, %d) {%s};\n", i, -i, latex(g.Space.Var(i).Name))
	}
	for j, v := range g.Space.State {
		fmt.Fprintf(&b, "\t\\node (y%d) at (4, %d) {%s$'$};\n", j, -j, latex(v.Name))
	}
	for j, z := range g.Edges {
		for i := range z.All() {
			style := "->, dashed"
			if g.known(i, j) {
				style = "->"
			}
			fmt.Fprintf(&b, "\t\\draw[%s] (x%d.east) -- (y%d.west);\n", style, i, j)
		}
	}
	b.WriteString("\\end{tikzpicture}\n")
	return b.String()
}

// DAGitty returns the graph for dagitty.net, which has no dashed edges. A variable
// whose name has other characters than letters, digits and _ gets an identifier
// made of its number, and its name as a label.
func (g *Graph) DAGitty() string {
	taken := map[string]bool{}
	id := func(side string, i int, name, suffix string) string {
		call := name + suffix
		if !plain(name) || !ascii(name) || taken[call] {
			for call = fmt.Sprintf("%s%d", side, i); taken[call]; {
				call += "_"
			}
		}
		taken[call] = true
		return call
	}
	var b strings.Builder
	b.WriteString("dag {\n")
	node := func(call, label string, x, y int) {
		fmt.Fprintf(&b, "%s [pos=\"%d,%d\"", call, x, y)
		if call != label {
			fmt.Fprintf(&b, ",label=\"%s\"", strings.NewReplacer(`\`, "/", `"`, `\"`).Replace(printable(label)))
		}
		b.WriteString("]\n")
	}
	xs, ys := make([]string, g.Space.X()), make([]string, g.Space.Y())
	for i := range xs {
		name := g.Space.Var(i).Name
		xs[i] = id("x", i, name, "")
		node(xs[i], name, 0, i)
	}
	for j, v := range g.Space.State {
		ys[j] = id("y", j, v.Name, "_next")
		node(ys[j], v.Name+"_next", 1, j)
	}
	for j, z := range g.Edges {
		for i := range z.All() {
			fmt.Fprintf(&b, "%s -> %s\n", xs[i], ys[j])
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func ascii(name string) bool {
	return strings.IndexFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// plain reports whether a name needs no quotes in the text form: it has only letters,
// digits and _, and does not begin with a digit.
func plain(name string) bool {
	for k, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (k == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

// Text returns the text form, by Y variable, then X variable: one edge a line,
//
//	row -> col
//	"the \"move\"" -> col
//
// from the X variable to the state variable whose next value is Y. Names that
// are not letters, digits and _ are quoted as in Go.
func (g *Graph) Text() string {
	name := func(v *fmdp.Variable) string {
		if plain(v.Name) {
			return v.Name
		}
		return strconv.Quote(v.Name)
	}
	var b strings.Builder
	for j, z := range g.Edges {
		for i := range z.All() {
			fmt.Fprintf(&b, "%s -> %s\n", name(g.Space.Var(i)), name(g.Space.Var(j)))
		}
	}
	return b.String()
}

// TextError is what is wrong with a line of the text form.
type TextError struct {
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in characters
	Detail string `json:"detail"` // one sentence
}

// MaxText is the length in bytes of the longest text that ParseText reads.
const MaxText = 1 << 20

// maxTextErrors is the largest number of errors that ParseText returns.
const maxTextErrors = 100

// ParseText reads the text form: one edge a line. It ignores blank lines and the text
// after a #. The graph holds the edges of the lines without errors.
func ParseText(text string, space *fmdp.Space) (bigraph.Bigraph, []TextError) {
	g := make(bigraph.Bigraph, space.Y())
	if len(text) > MaxText {
		return g, []TextError{{1, 1, fmt.Sprintf("the text has %d bytes, more than %d", len(text), MaxText)}}
	}
	errors := []TextError{}
	lines := map[[2]int]int{} // where each edge stands
	number := 0
	for line := range strings.Lines(text) {
		number++
		p := &textLine{rest: strings.TrimRight(line, "\r\n"), column: 1}
		edge, ok := p.edge(space)
		switch first := lines[edge]; {
		case p.failed != "":
		case ok && first > 0:
			p.at, p.failed = 1, fmt.Sprintf("the edge stands in line %d already", first)
		case ok:
			lines[edge] = number
			g[edge[1]] = g[edge[1]].With(edge[0])
		}
		if p.failed != "" && len(errors) < maxTextErrors {
			errors = append(errors, TextError{number, p.at, p.failed})
		}
	}
	return g, errors
}

// textLine is what is left of a line, and the column where it begins.
type textLine struct {
	rest   string
	column int
	at     int    // the column of the error
	failed string // the error; "" if there is none
}

func (p *textLine) skip(n int) {
	p.column += len([]rune(p.rest[:n]))
	p.rest = p.rest[n:]
}

func (p *textLine) space() {
	p.skip(len(p.rest) - len(strings.TrimLeftFunc(p.rest, unicode.IsSpace)))
	if strings.HasPrefix(p.rest, "#") {
		p.rest = ""
	}
}

func (p *textLine) fail(at int, format string, args ...any) {
	if p.failed == "" {
		p.at, p.failed = at, fmt.Sprintf(format, args...)
	}
}

// edge reads a line. If the line is empty or wrong, ok is false.
func (p *textLine) edge(space *fmdp.Space) (edge [2]int, ok bool) {
	if p.space(); p.rest == "" {
		return edge, false
	}
	from, fromAt := p.name()
	if p.failed == "" && !strings.HasPrefix(p.rest, "->") {
		p.fail(p.column, `"->" was expected, as in "row -> col"`)
	}
	if p.failed != "" {
		return edge, false
	}
	p.skip(len("->"))
	p.space()
	to, toAt := p.name()
	if p.failed == "" && p.rest != "" {
		p.fail(p.column, "the line should end here; one edge stands in each")
	}
	i, j := space.Lookup(from), space.Lookup(to)
	switch {
	case p.failed != "":
	case i < 0:
		p.fail(fromAt, "there is no variable %s", clip(from))
	case j < 0:
		p.fail(toAt, "there is no variable %s", clip(to))
	case j >= space.Y():
		p.fail(toAt, "%s is an action; edges lead to state variables", clip(to))
	}
	return [2]int{i, j}, p.failed == ""
}

// name reads a name and the space after it.
func (p *textLine) name() (name string, at int) {
	at = p.column
	if strings.HasPrefix(p.rest, `"`) {
		quoted, err := strconv.QuotedPrefix(p.rest)
		if err == nil {
			name, err = strconv.Unquote(quoted)
		}
		if err != nil {
			p.fail(at, "the quoted name does not end, or has an unknown escape")
			return "", at
		}
		p.skip(len(quoted))
	} else {
		end := strings.IndexFunc(p.rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end < 0 {
			end = len(p.rest)
		}
		if end == 0 {
			p.fail(at, `a variable's name was expected; other than letters, digits and _ it is quoted`)
		}
		name = p.rest[:end]
		p.skip(end)
	}
	p.space()
	return name, at
}

// clip quotes an excerpt of hostile text.
func clip(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "…"
	}
	return strconv.Quote(text)
}
