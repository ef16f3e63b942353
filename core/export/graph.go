package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
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

// TikZ returns the graph as a LaTeX picture.
func (g *Graph) TikZ() string {
	var b strings.Builder
	b.WriteString("% \\usepackage{tikz}; known edges are solid, others dashed\n\\begin{tikzpicture}[every node/.style={draw, rounded corners}]\n")
	for i := range g.Space.X() {
		fmt.Fprintf(&b, "\t\\node (x%d) at (0, %d) {%s};\n", i, -i, LaTeX(g.Space.Var(i).Name))
	}
	for j, v := range g.Space.State {
		fmt.Fprintf(&b, "\t\\node (y%d) at (4, %d) {%s$'$};\n", j, -j, LaTeX(v.Name))
	}
	for _, e := range g.present() {
		style := "->, dashed"
		if e.p == 1 {
			style = "->"
		}
		label := e.text(" node[draw=none, above, sloped, font=\\scriptsize] {%s}")
		fmt.Fprintf(&b, "\t\\draw[%s] (x%d.east) --%s (y%d.west);\n", style, e.x, label, e.y)
	}
	g.comments(&b, "\t%% forbidden: x%d -> y%d\n")
	b.WriteString("\\end{tikzpicture}\n")
	return b.String()
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
		if !plain(name) || utf8.RuneCountInString(name) < len(name) || taken[id] || reserved[strings.ToLower(id)] { // plain ASCII only
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

// plain reports whether a name needs no quotes in the text form: it has only letters,
// digits and _, and does not begin with a digit.
func plain(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return name != "" && !unicode.IsDigit(first) && strings.TrimLeftFunc(name, inName) == ""
}

// inName reports whether a name in the text form may have the character without quotes.
func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Text returns the text form of the graph, by Y variable, then X variable: one edge a line,
//
//	row -> col
//	"the \"move\"" -> col .9
//	!passenger -> col
//
// from the X variable to the state variable whose next value is Y. A number after the edge
// is its probability; a ! before the edge forbids it. Names with other characters than
// letters, digits and _ are quoted as in Go.
func (g *Graph) Text() string {
	name := func(v *fmdp.Variable) string {
		if plain(v.Name) {
			return v.Name
		}
		return strconv.Quote(v.Name)
	}
	var b strings.Builder
	for _, e := range g.edges() {
		if e.said && e.p == 0 && g.Edges == nil {
			b.WriteByte('!')
		}
		fmt.Fprintf(&b, "%s -> %s%s\n", name(g.Space.Var(e.x)), name(g.Space.Var(e.y)), e.text(" %s"))
	}
	return b.String()
}

// TextError is an error in a line of the text form.
type TextError struct {
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in characters
	Detail string `json:"detail"` // one sentence
}

// MaxText is the length in bytes of the longest text that ParseText reads.
const MaxText = 1 << 20

// maxTextErrors is the largest number of errors that ParseText returns.
const maxTextErrors = 100

// ParseText reads the text form: one edge a line, or "only row, move -> col", which forbids
// the edges to col from all other variables that no line states. It ignores blank lines and
// the text after a #. The arrow may be → and a next value may have a prime, as on the page. The edges
// are those of the lines without errors; each is listed once.
func ParseText(text string, space *fmdp.Space) ([]document.Edge, []TextError) {
	edges := []document.Edge{}
	if len(text) > MaxText {
		return edges, []TextError{{1, 1, fmt.Sprintf("the text has %d bytes, more than %d", len(text), MaxText)}}
	}
	plain, err := strict.UTF8([]byte(text))
	if err != nil {
		return edges, []TextError{{1, 1, err.Error()}}
	}
	text = string(plain)
	var errors []TextError
	lines := map[[2]int]int{}        // the line of each edge
	number, only := 0, map[int]int{} // the line that closes the list of parents of Y_j
	allowed := make(bigraph.Bigraph, space.Y())
	for line := range strings.Lines(text) {
		number++
		p := &textLine{rest: strings.TrimRight(line, "\r\n"), column: 1}
		if j, parents, is := p.only(space); is {
			switch first := only[j]; {
			case p.failed != "": // j may be none
			case first > 0:
				p.fail(1, "line %d says already which variables may be parents", first)
			default:
				only[j], allowed[j] = number, parents
			}
		}
		edge, probability, ok := p.edge(space)
		switch first := lines[edge]; {
		case ok && first > 0:
			p.fail(1, "the edge stands in line %d already", first)
		case ok:
			lines[edge] = number
			edges = append(edges, document.Edge{From: space.Var(edge[0]).Name, To: space.Var(edge[1]).Name, P: probability})
		}
		if p.failed != "" && len(errors) < maxTextErrors {
			errors = append(errors, TextError{number, p.at, p.failed})
		}
	}
	for j := range space.Y() {
		for i := range space.X() {
			if only[j] > 0 && !allowed[j].Has(i) && lines[[2]int{i, j}] == 0 {
				edges = append(edges, document.Edge{From: space.Var(i).Name, To: space.State[j].Name, P: 0})
			}
		}
	}
	return edges, errors
}

// textLine reads a line of the text form.
type textLine struct {
	rest   string // what has not been read
	column int    // where the rest begins
	at     int    // the column of the error
	failed string // the error, or ""
}

// skip passes over n bytes.
func (p *textLine) skip(n int) {
	p.column += len([]rune(p.rest[:n]))
	p.rest = p.rest[n:]
}

// space passes over white space and a comment.
func (p *textLine) space() {
	p.skip(len(p.rest) - len(strings.TrimLeftFunc(p.rest, unicode.IsSpace)))
	if strings.HasPrefix(p.rest, "#") {
		p.rest = ""
	}
}

// primes may stand behind the name of a next value, as on the page.
var primes = []string{"'", "′", "’"}

// prefix returns the one of the texts with which the rest begins, or "".
func (p *textLine) prefix(texts ...string) string {
	for _, text := range texts {
		if strings.HasPrefix(p.rest, text) {
			return text
		}
	}
	return ""
}

// fail records an error at a column. Only the first error counts.
func (p *textLine) fail(at int, format string, args ...any) {
	if p.failed == "" {
		p.at, p.failed = at, fmt.Sprintf(format, args...)
	}
}

// only reads a line "only row, move -> col", which names the variables that may be parents. If
// the line is not of this kind, is is false, and nothing has been read.
func (p *textLine) only(space *fmdp.Space) (j int, parents bigraph.Scope, is bool) {
	line := *p
	if p.space(); strings.HasPrefix(p.rest, "only") {
		p.skip(len("only"))
		blank := p.rest
		p.space()
		is = len(p.rest) < len(blank) && p.rest != "" && p.prefix("->", "→") == "" // else it is a variable's name
	}
	if !is {
		*p = line
		return 0, 0, false
	}
	for p.failed == "" {
		name, at := p.name()
		if i := space.Lookup(name); i >= 0 {
			parents = parents.With(i)
		} else {
			p.fail(at, "there is no variable %q", param.Clip(name))
		}
		if !strings.HasPrefix(p.rest, ",") {
			break
		}
		p.skip(len(","))
		p.space()
	}
	to, at := p.arrow()
	if p.rest != "" {
		p.fail(p.column, "the line should end here; it says which variables may be parents, and other lines say how probable they are")
	}
	p.rest = ""
	return p.next(to, at, space), parents, true
}

// arrow reads an arrow and the name that it leads to. It returns the column of the name, too.
func (p *textLine) arrow() (to string, at int) {
	arrow := p.prefix("->", "→")
	switch {
	case p.failed != "":
	case p.prefix(primes...) != "":
		p.fail(p.column, "the prime marks a next value; an edge leads from a variable now to a next value")
	case arrow == "":
		p.fail(p.column, `"->" was expected, as in "row -> col"`)
	}
	if p.failed != "" {
		return "", p.column
	}
	p.skip(len(arrow))
	p.space()
	to, at = p.name()
	p.skip(len(p.prefix(primes...)))
	p.space()
	return to, at
}

// next returns the index of the state variable with the name at that column.
func (p *textLine) next(to string, at int, space *fmdp.Space) (j int) {
	switch j = space.Lookup(to); {
	case j < 0:
		p.fail(at, "there is no variable %q", param.Clip(to))
	case j >= space.Y():
		p.fail(at, "%q is an action; edges lead to state variables", param.Clip(to))
	}
	return j
}

// edge reads a line. If the line is empty or wrong, ok is false.
func (p *textLine) edge(space *fmdp.Space) (edge [2]int, probability float64, ok bool) {
	if p.space(); p.rest == "" {
		return edge, 0, false
	}
	probability = 1
	if strings.HasPrefix(p.rest, "!") {
		probability = 0
		p.skip(len("!"))
		p.space()
	}
	from, fromAt := p.name()
	to, toAt := p.arrow()
	if p.failed != "" {
		return edge, 0, false
	}
	if probability == 1 && strings.IndexAny(p.rest, "0123456789.") == 0 {
		at, number := p.column, p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789.,"))]
		var err error
		if probability, err = document.ParseP(number); err != nil {
			p.fail(at, "%v", err)
		}
		p.skip(len(number))
		p.space()
	}
	if p.rest != "" {
		p.fail(p.column, "the line should end here; one edge stands in each")
	}
	i := space.Lookup(from)
	if i < 0 {
		p.fail(fromAt, "there is no variable %q", param.Clip(from))
	}
	return [2]int{i, p.next(to, toAt, space)}, probability, p.failed == ""
}

// name reads a name and the white space after it. It returns the column of the name, too.
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
