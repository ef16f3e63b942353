package format

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
)

// bareName reports whether a name needs no quotes in the text form: it has only letters,
// digits and _, and does not begin with a digit.
func bareName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return name != "" && !unicode.IsDigit(first) && strings.TrimLeftFunc(name, bare) == ""
}

// bare reports whether a name in the text form may have the character without quotes.
func bare(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

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
		if bareName(v.Name) {
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

// textForm is the language of our own: one edge a line, or several that share what they say, as in
// "row, col -> row .9". A * stands for all variables, without the edges that other lines name:
//
//	move -> *
//	!patient -> hr, bp
//	!* -> row
//
// The last line forbids the edges to row that no other line states; "only move -> row" does so,
// too, but not the edge from move. Blank lines and the text after a # say nothing. The arrow
// may be → and a next value may have a prime, as on the page.
var textForm = Language{
	Match: func(string) bool { return true },
	Read:  readText,
}

func readText(text string, space *fmdp.Space) ([]document.Edge, []Error, string) {
	var wrong faults
	edges := []document.Edge{}
	lines := map[[2]int]int{} // the line of each edge
	add := func(e [2]int, number int, p float64) {
		lines[e] = number
		edges = append(edges, document.Edge{From: space.Var(e[0]).Name, To: space.State[e[1]].Name, P: p})
	}
	number, only := 0, map[int]int{} // the line that closes the list of parents of Y_j
	allowed := make(bigraph.Bigraph, space.Y())
	var wide []*textLine         // with a *
	unclear := map[[2]int]bool{} // the edges of lines with a fault, of which a * and "only" do not speak
	for line := range strings.Lines(text) {
		number++
		p := &textLine{lexer: lexer{rest: strings.TrimRight(line, "\r\n"), line: number, column: 1}, space: space}
		p.begin = p.here()
		p.read()
		closes := p.only || p.forbids && p.all
		switch {
		case p.failure != nil:
		case closes:
			for _, j := range p.to {
				if first := only[j]; first > 0 {
					p.fail(p.begin, "line %d says already which variables may be parents", first)
				}
			}
			for _, j := range p.to {
				if p.failure == nil {
					if only[j] = number; p.only {
						allowed[j] = bigraph.Of(p.from...)
					}
				}
			}
		case p.every:
			wide = append(wide, p)
		default:
			for e := range p.edges {
				if first := lines[e]; first > 0 {
					p.fail(p.begin, "the edge stands in line %d already", first)
				}
			}
			for e := range p.edges {
				if p.failure == nil {
					add(e, number, p.p)
				}
			}
		}
		if p.failure != nil {
			wrong.keep(*p.failure)
			for e := range p.edges {
				if !closes {
					unclear[e] = true
				}
			}
		}
	}
	named := maps.Clone(lines)
	for _, p := range wide {
		var list [][2]int
		for e := range p.edges {
			if named[e] > 0 || unclear[e] {
				continue
			}
			if first := lines[e]; first > 0 {
				p.fail(p.begin, "line %d states the edge from %q to %q already", first, param.Clip(space.Var(e[0]).Name), param.Clip(space.State[e[1]].Name))
			}
			list = append(list, e)
		}
		if p.failure != nil {
			wrong.keep(*p.failure)
			continue
		}
		for _, e := range list {
			add(e, p.line, p.p)
		}
	}
	for j := range space.Y() {
		for i := range space.X() {
			if e := [2]int{i, j}; only[j] > 0 && !allowed[j].Has(i) && lines[e] == 0 && !unclear[e] {
				edges = append(edges, document.Edge{From: space.Var(i).Name, To: space.State[j].Name, P: 0})
			}
		}
	}
	return edges, wrong.inOrder(), ""
}

// textLine is a line of the text form as it is read.
type textLine struct {
	lexer
	space   *fmdp.Space
	begin   token  // where the line begins
	failure *Error // the first error

	only, forbids bool    // what stands before the edges
	from, to      []int   // the indices in X and Y
	every, all    bool    // whether there is a *, and whether it stands before the arrow
	p             float64 // the probability of the edges
}

// edges yields the edges that the line states, from X to Y.
func (p *textLine) edges(yield func([2]int) bool) {
	for _, j := range p.to {
		for _, i := range p.from {
			if !yield([2]int{i, j}) {
				return
			}
		}
	}
}

// fail keeps an error at a token. Only the first error counts.
func (p *textLine) fail(at token, format string, args ...any) {
	if p.failure == nil {
		p.failure = at.fault(format, args...)
	}
}

// blank passes over white space and a comment.
func (p *textLine) blank() {
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

// pass passes over the one of the texts with which the rest begins, and the white space after it. It returns the text, or "".
func (p *textLine) pass(texts ...string) string {
	text := p.prefix(texts...)
	if text != "" {
		p.skip(len(text))
		p.blank()
	}
	return text
}

// read reads the line. A blank one states no edges.
func (p *textLine) read() {
	if p.blank(); p.rest == "" {
		return
	}
	p.p = 1
	if word := p.lexer; p.prefix("only") != "" {
		p.skip(len("only"))
		behind := p.rest
		p.blank()
		if p.only = len(p.rest) < len(behind) && p.rest != "" && p.prefix("->", "→", ",") == ""; !p.only { // else it is a variable's name
			p.lexer = word
		}
	}
	if !p.only && p.pass("!") != "" {
		p.forbids, p.p = true, 0
	}
	from := p.names()
	switch {
	case p.failure != nil:
		return
	case p.prefix(primes...) != "":
		p.fail(p.here(), "the prime marks a next value; an edge leads from a variable now to a next value")
		return
	case p.pass("->", "→") == "":
		p.fail(p.here(), `"->" was expected, as in "row -> col"`)
		return
	}
	to := p.names(primes...)
	if p.p == 1 && !p.only && strings.IndexAny(strings.TrimPrefix(p.rest, "-"), "0123456789.") == 0 {
		at, number := p.here(), p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "-0123456789.,"))]
		var err error
		if p.p, err = document.ParseP(number); err != nil {
			p.fail(at, "%v", err)
		}
		p.pass(number)
	}
	switch {
	case p.rest == "":
	case p.only:
		p.fail(p.here(), "the line should end here; it says which variables may be parents, and other lines say how probable they are")
	default:
		p.fail(p.here(), "the line should end here; commas join several names")
	}
	p.from, p.to = p.indices(from, false), p.indices(to, true)
}

// names reads names joined by commas, or a *, which is a mark. One of the suffixes may stand behind a name.
func (p *textLine) names(suffixes ...string) (list []token) {
	every := p.here()
	if p.prefix(document.Others) != "" {
		every.kind, every.text = mark, p.skip(len(document.Others))
		p.pass(suffixes...)
		p.blank()
		return []token{every}
	}
	for p.failure == nil {
		list = append(list, p.name())
		p.skip(len(p.prefix(suffixes...)))
		p.blank()
		if p.pass(",") == "" {
			break
		}
	}
	return list
}

// name reads a name and the white space after it.
func (p *textLine) name() token {
	t := p.here()
	t.kind = name
	if strings.HasPrefix(p.rest, `"`) {
		quoted, err := strconv.QuotedPrefix(p.rest)
		if err == nil {
			t.text, err = strconv.Unquote(quoted)
		}
		if err != nil {
			p.fail(t, "the quoted name does not end, or has an unknown escape")
			return t
		}
		p.skip(len(quoted))
		t.quoted = true
	} else if t.text = p.skip(len(p.rest) - len(strings.TrimLeftFunc(p.rest, bare))); t.text == "" {
		p.fail(t, `a variable's name was expected; other than letters, digits and _ it is quoted`)
	}
	p.blank()
	return t
}

// indices looks names up: in X or, for next values, in Y.
func (p *textLine) indices(list []token, next bool) []int {
	if p.failure == nil && list[0].kind == mark {
		if p.every = true; next {
			return bigraph.First(p.space.Y()).Parents()
		}
		p.all = true
		return bigraph.First(p.space.X()).Parents()
	}
	indices := []int{}
	for _, t := range list {
		i := -1 // a * of a line with a fault
		if t.kind == name {
			i = p.space.Lookup(t.text)
		}
		switch {
		case p.failure != nil:
		case i < 0:
			p.fail(t, "there is no variable %q", param.Clip(t.text))
		case next && i >= p.space.Y():
			p.fail(t, "%q is an action; edges lead to state variables", param.Clip(t.text))
		case slices.Contains(indices, i):
			p.fail(t, "%q stands there twice", param.Clip(t.text))
		}
		indices = append(indices, i)
	}
	return indices
}
