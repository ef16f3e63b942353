package export

import (
	"fmt"
	"maps"
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

// ParseText reads the text form: one edge a line, or several that share what they say, as in
// "row, col -> row .9". A * stands for all variables, without the edges that other lines name:
//
//	move -> *
//	!patient -> hr, bp
//	!* -> row
//
// The last line forbids the edges to row that no other line states; "only move -> row" does so,
// too, but not the edge from move. ParseText ignores blank lines and the text after a #. The arrow
// may be → and a next value may have a prime, as on the page. The edges are those of the lines
// without errors; each is listed once.
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
	fail := func(line, column int, detail string) {
		if len(errors) < maxTextErrors {
			errors = append(errors, TextError{line, column, detail})
		}
	}
	lines := map[[2]int]int{} // the line of each edge
	add := func(e [2]int, number int, p float64) {
		lines[e] = number
		edges = append(edges, document.Edge{From: space.Var(e[0]).Name, To: space.State[e[1]].Name, P: p})
	}
	number, only := 0, map[int]int{} // the line that closes the list of parents of Y_j
	allowed := make(bigraph.Bigraph, space.Y())
	var wide []*textLine // with a *
	for line := range strings.Lines(text) {
		number++
		p := &textLine{rest: strings.TrimRight(line, "\r\n"), column: 1, number: number}
		p.read(space)
		closes := p.only || p.forbids && p.every && p.from == nil
		switch {
		case p.failed != "":
		case closes:
			for _, j := range p.to {
				if first := only[j]; first > 0 && p.failed == "" {
					p.fail(1, "line %d says already which variables may be parents", first)
				}
			}
			for _, j := range p.to {
				if p.failed == "" {
					only[j], allowed[j] = number, bigraph.Of(p.from...)
					if p.only && p.from == nil {
						allowed[j] = bigraph.First(space.X())
					}
				}
			}
		case p.every:
			wide = append(wide, p)
		default:
			for _, e := range p.edges(space) {
				if first := lines[e]; first > 0 {
					p.fail(1, "the edge stands in line %d already", first)
					break
				}
			}
			for _, e := range p.edges(space) {
				if p.failed == "" {
					add(e, number, p.p)
				}
			}
		}
		if p.failed != "" {
			fail(number, p.at, p.failed)
		}
	}
	named := maps.Clone(lines)
	for _, p := range wide {
		for _, e := range p.edges(space) {
			if named[e] > 0 {
				continue
			}
			if first := lines[e]; first > 0 {
				fail(p.number, 1, fmt.Sprintf("line %d states the edge from %q to %q already", first, param.Clip(space.Var(e[0]).Name), param.Clip(space.State[e[1]].Name)))
				break
			}
			add(e, p.number, p.p)
		}
	}
	for j := range space.Y() {
		for i := range space.X() {
			if only[j] > 0 && !allowed[j].Has(i) && lines[[2]int{i, j}] == 0 {
				edges = append(edges, document.Edge{From: space.Var(i).Name, To: space.State[j].Name, P: 0})
			}
		}
	}
	slices.SortStableFunc(errors, func(a, b TextError) int { return a.Line - b.Line })
	return edges, errors
}

// textLine reads a line of the text form.
type textLine struct {
	rest   string // what has not been read
	column int    // where the rest begins
	number int    // of the line
	at     int    // the column of the error
	failed string // the error, or ""

	only, forbids bool    // what stands before the edges
	from, to      []int   // the indices in X and Y; nil from stands for all
	every         bool    // whether there is a *
	p             float64 // the probability of the edges
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

// read reads a line. A blank line states no edges.
func (p *textLine) read(space *fmdp.Space) {
	if p.space(); p.rest == "" {
		return
	}
	p.p = 1
	if strings.HasPrefix(p.rest, "only") {
		before := *p
		p.skip(len("only"))
		blank := p.rest
		p.space()
		if p.only = len(p.rest) < len(blank) && p.rest != "" && p.prefix("->", "→", ",") == ""; !p.only { // else it is a variable's name
			*p = before
		}
	}
	if strings.HasPrefix(p.rest, "!") && !p.only {
		p.forbids, p.p = true, 0
		p.skip(len("!"))
		p.space()
	}
	from := p.names()
	arrow := p.prefix("->", "→")
	switch {
	case p.failed != "":
	case p.prefix(primes...) != "":
		p.fail(p.column, "the prime marks a next value; an edge leads from a variable now to a next value")
	case arrow == "":
		p.fail(p.column, `"->" was expected, as in "row -> col"`)
	}
	if p.failed != "" {
		return
	}
	p.skip(len(arrow))
	p.space()
	to := p.names(primes...)
	if p.p == 1 && !p.only && strings.IndexAny(p.rest, "0123456789.") == 0 {
		at, number := p.column, p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789.,"))]
		var err error
		if p.p, err = document.ParseP(number); err != nil {
			p.fail(at, "%v", err)
		}
		p.skip(len(number))
		p.space()
	}
	switch {
	case p.rest == "":
	case p.only:
		p.fail(p.column, "the line should end here; it says which variables may be parents, and other lines say how probable they are")
	default:
		p.fail(p.column, "the line should end here; commas join several names")
	}
	p.from, p.to = p.indices(from, space, false), p.indices(to, space, true)
}

// word is a name in a line, or a *, and its column.
type word struct {
	name  string
	every bool
	at    int
}

// names reads names joined by commas, or a *. One of the suffixes may stand behind a name.
func (p *textLine) names(suffixes ...string) (list []word) {
	if strings.HasPrefix(p.rest, document.Others) {
		list = []word{{every: true, at: p.column}}
		p.skip(len(document.Others))
		p.skip(len(p.prefix(suffixes...)))
		p.space()
		return list
	}
	for p.failed == "" {
		name, at := p.name()
		list = append(list, word{name: name, at: at})
		p.skip(len(p.prefix(suffixes...)))
		p.space()
		if !strings.HasPrefix(p.rest, ",") {
			break
		}
		p.skip(len(","))
		p.space()
	}
	return list
}

// indices looks the names up: in X or, for next values, in Y. It is nil for a * in X.
func (p *textLine) indices(list []word, space *fmdp.Space, next bool) []int {
	if p.failed == "" && len(list) == 1 && list[0].every {
		p.every = true
		var all []int
		for j := 0; next && j < space.Y(); j++ {
			all = append(all, j)
		}
		return all
	}
	indices := []int{}
	for _, w := range list {
		i := space.Lookup(w.name)
		switch {
		case p.failed != "":
		case i < 0:
			p.fail(w.at, "there is no variable %q", param.Clip(w.name))
		case next && i >= space.Y():
			p.fail(w.at, "%q is an action; edges lead to state variables", param.Clip(w.name))
		case slices.Contains(indices, i):
			p.fail(w.at, "%q stands there twice", param.Clip(w.name))
		}
		indices = append(indices, i)
	}
	return indices
}

// edges returns the edges that the line states.
func (p *textLine) edges(space *fmdp.Space) (list [][2]int) {
	from := p.from
	if from == nil && p.every {
		from = bigraph.First(space.X()).Parents()
	}
	for _, j := range p.to {
		for _, i := range from {
			list = append(list, [2]int{i, j})
		}
	}
	return list
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
