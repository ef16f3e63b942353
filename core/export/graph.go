package export

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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

// appendEdges writes the edges, by Y variable, then X variable. The format takes X, Y
// and the style, which is that of a known edge or of another.
func (g *Graph) appendEdges(b *strings.Builder, format, known, other string) {
	for j, z := range g.Edges {
		for i := range z.All() {
			style := other
			if g.Known != nil && g.Known[j].Has(i) {
				style = known
			}
			fmt.Fprintf(b, format, i, j, style)
		}
	}
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

// DOT returns the graph for Graphviz: X on the left, Y on the right.
func (g *Graph) DOT() string {
	escapes := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
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
	g.appendEdges(&b, "\tx%d -> y%d%s;\n", "", " [style=dashed]")
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
	g.appendEdges(&b, "\t\\draw[%[3]s] (x%[1]d.east) -- (y%[2]d.west);\n", "->", "->, dashed")
	b.WriteString("\\end{tikzpicture}\n")
	return b.String()
}

// DAGitty returns the graph for dagitty.net, which has no dashed edges. A variable
// whose name has other characters than letters, digits and _ gets an identifier
// made of its number, and its name as a label.
func (g *Graph) DAGitty() string {
	var b strings.Builder
	b.WriteString("dag {\n")
	taken := map[string]bool{}
	node := func(side string, x, i int, name, suffix string) (id string) {
		id = name + suffix
		if !plain(name) || utf8.RuneCountInString(name) < len(name) || taken[id] { // plain ASCII only
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
	for j, z := range g.Edges {
		for i := range z.All() {
			fmt.Fprintf(&b, "%s -> %s\n", xs[i], ys[j])
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// plain reports whether a name needs no quotes in the text form: it has only letters,
// digits and _, and does not begin with a digit.
func plain(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return name != "" && !unicode.IsDigit(first) && strings.TrimLeftFunc(name, inName) == ""
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

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
	var errors []TextError
	lines := map[[2]int]int{} // where each edge stands
	number := 0
	for line := range strings.Lines(text) {
		number++
		p := &textLine{rest: strings.TrimRight(line, "\r\n"), column: 1}
		edge, ok := p.edge(space)
		switch first := lines[edge]; {
		case ok && first > 0:
			p.fail(1, "the edge stands in line %d already", first)
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

// fail keeps the first error.
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
	if !strings.HasPrefix(p.rest, "->") {
		p.fail(p.column, `"->" was expected, as in "row -> col"`)
	}
	if p.failed != "" {
		return edge, false
	}
	p.skip(len("->"))
	p.space()
	to, toAt := p.name()
	if p.rest != "" {
		p.fail(p.column, "the line should end here; one edge stands in each")
	}
	i, j := space.Lookup(from), space.Lookup(to)
	switch {
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
		after := strings.TrimLeftFunc(p.rest, inName)
		if after == p.rest {
			p.fail(at, `a variable's name was expected; other than letters, digits and _ it is quoted`)
		}
		name = p.rest[:len(p.rest)-len(after)]
		p.skip(len(name))
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
