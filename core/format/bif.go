package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// bif is the Bayesian network interchange format, in which bnlearn, pgmpy and others write
// networks. A network of two slices is a model without rewards: the variable x of the first
// slice and its next value are named x and x', x and x_next, or x_0 and x_1. The options name
// the variables that are actions.
var bif = modelFormat{
	"BIF of two slices",
	func(text string) bool {
		s := newBif(text)
		return s.now.is("network") || s.now.is("variable")
	},
	func(text string, o Options) (*fmdp.Model, []string, error) {
		s := newBif(text)
		m, notes := s.model(o)
		if s.failed() {
			return nil, nil, s.err()
		}
		return m, notes, nil
	},
}

// node is a variable of a network with its table.
type bifNode struct {
	at      token // its name
	values  []string
	numbers map[string]int // of the values, once asked for
	table   token          // where its table stands, or the zero token
	given   []int          // its parents, as the table lists them
	p       []float64
	written []bool // whether a row of the table is there
}

type bifReader struct {
	scanner
	nodes   []*bifNode
	index   map[string]int
	entries int // of all tables
}

func newBif(text string) *bifReader {
	s := &bifReader{scanner: scanner{marks: "{}()[];,|", remark: "//", block: true, quotes: true}, index: map[string]int{}}
	s.scan(text)
	return s
}

// read reads the whole file.
func (s *bifReader) read() {
	for !s.failed() && s.now.kind != end {
		switch t := s.take(); {
		case t.is("network"):
			for !s.failed() && !s.now.is("{") {
				s.name("{")
			}
			s.expect("{")
			s.properties()
		case t.is("variable"):
			s.variable()
		case t.is("probability"):
			s.probability()
		default:
			s.fail(t, "%q is not read; network, variable and probability are", param.Clip(t.text))
		}
	}
}

// property passes over a property, if one stands there.
func (s *bifReader) property() bool {
	if !s.now.is("property") {
		return false
	}
	for !s.failed() && !s.now.is(";") {
		if s.take(); s.now.kind == end {
			s.unexpected(`";"`)
		}
	}
	return s.expect(";")
}

// properties passes over properties up to the brace.
func (s *bifReader) properties() {
	for s.property() {
	}
	s.expect("}")
}

// mostNodes is how many variables a network may have: two slices, and actions.
const mostNodes = 2 * fmdp.MaxVariables

// variable reads a variable: { type discrete [ 2 ] { yes, no }; }.
func (s *bifReader) variable() {
	t, _ := s.name("the name of a variable")
	if _, has := s.index[t.text]; has {
		s.fail(t, "a second variable is named %q", param.Clip(t.text))
	}
	if len(s.nodes) == mostNodes {
		s.fail(t, "the network has more than %d variables", mostNodes)
	}
	n := &bifNode{at: t}
	s.expect("{")
	for s.property() {
	}
	s.expect("type")
	s.expect("discrete")
	s.expect("[")
	size, _ := s.whole("the number of values", 1, fmdp.MaxPoints)
	s.expect("]")
	s.expect("{")
	seen := map[string]bool{}
	for s.now.kind == name {
		v := s.take()
		if seen[v.text] {
			s.fail(v, "the value %q of %q stands there twice", param.Clip(v.text), param.Clip(t.text))
		}
		seen[v.text] = true
		n.values = append(n.values, v.text)
		if s.now.is(",") {
			s.take()
		}
	}
	if len(n.values) != size && !s.failed() {
		s.fail(t, "%q has %d values, but the names of %d", param.Clip(t.text), size, len(n.values))
	}
	s.expect("}")
	s.expect(";")
	s.properties()
	s.index[t.text] = len(s.nodes)
	s.nodes = append(s.nodes, n)
}

// value returns the number of a value of node i, or −1.
func (s *bifReader) value(i int, text string) int {
	n := s.nodes[i]
	if n.numbers == nil {
		n.numbers = map[string]int{}
		for k, value := range n.values {
			n.numbers[value] = k
		}
	}
	if k, known := n.numbers[text]; known {
		return k
	}
	return -1
}

// of returns the variable that the next token names.
func (s *bifReader) of() int {
	t, ok := s.name("the name of a variable")
	i, has := s.index[t.text]
	if ok && !has {
		s.fail(t, "there is no variable %q", param.Clip(t.text))
	}
	return i
}

// probability reads a table: ( x | a, b ) { (yes, no) .1, .9; default .5, .5; }, or { table …; },
// in which the values of x change slowest and those of b fastest.
func (s *bifReader) probability() {
	s.expect("(")
	at := s.now
	x := s.of()
	if s.failed() {
		return
	}
	n := s.nodes[x]
	if n.table.line > 0 {
		s.fail(at, "a second table of %q", param.Clip(at.text))
	}
	n.table = at
	rows := 1
	if s.now.is("|") {
		s.take()
		for more := true; more && !s.failed(); {
			by := s.now
			i := s.of()
			if s.failed() {
				return
			}
			if i == x || slices.Contains(n.given, i) {
				s.fail(by, "the parent %q stands there twice, or is the variable itself", param.Clip(by.text))
			}
			n.given = append(n.given, i)
			if rows *= len(s.nodes[i].values); rows*len(n.values) > fmdp.MaxTable {
				s.fail(by, "the table of %q has more than %d entries", param.Clip(at.text), fmdp.MaxTable)
			}
			if more = s.now.is(","); more {
				s.take()
			}
		}
	}
	s.expect(")")
	s.expect("{")
	if s.entries += rows * len(n.values); s.entries > fmdp.MaxTable {
		s.fail(at, "the tables have more than %d entries", fmdp.MaxTable)
	}
	if s.failed() {
		return
	}
	n.p, n.written = make([]float64, rows*len(n.values)), make([]bool, rows)
	var otherwise []float64
	for !s.failed() && !s.now.is("}") {
		switch t := s.now; {
		case s.property():
		case t.is("table"):
			s.take()
			list := s.numbers(len(n.p))
			for row := range n.written {
				if !s.failed() {
					one := make([]float64, len(n.values))
					for v := range one {
						one[v] = list[v*rows+row]
					}
					s.row(t, n, row, one)
				}
			}
		case t.is("default"):
			s.take()
			if otherwise != nil {
				s.fail(t, "a second default")
			}
			otherwise = s.numbers(len(n.values))
		case t.is("("):
			row := s.values(n)
			s.row(t, n, row, s.numbers(len(n.values)))
		default:
			s.unexpected("a row, table, default or }")
		}
	}
	s.expect("}")
	for row, is := range n.written {
		switch {
		case is || s.failed():
		case otherwise == nil:
			s.fail(at, "the table of %q has no row for %s", param.Clip(at.text), param.Clip(s.assignment(n, row)))
		default:
			s.row(at, n, row, otherwise)
		}
	}
}

// assignment names the values of the parents in a row: "(yes, no)".
func (s *bifReader) assignment(n *bifNode, row int) string {
	words := make([]string, len(n.given))
	for k := len(words) - 1; k >= 0; k-- {
		values := s.nodes[n.given[k]].values
		words[k] = values[row%len(values)]
		row /= len(values)
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// values reads the values of the parents, and returns their row.
func (s *bifReader) values(n *bifNode) (row int) {
	s.expect("(")
	for k, i := range n.given {
		if k > 0 && s.now.is(",") {
			s.take()
		}
		t, ok := s.name("a value of " + strconv.Quote(param.Clip(s.nodes[i].at.text)))
		v := s.value(i, t.text)
		if ok && v < 0 {
			s.fail(t, "%q has no value %q", param.Clip(s.nodes[i].at.text), param.Clip(t.text))
		}
		row = row*len(s.nodes[i].values) + v
	}
	s.expect(")")
	return row
}

// numbers reads numbers up to the semicolon.
func (s *bifReader) numbers(n int) []float64 {
	var list []float64
	for k := range n {
		if k > 0 && s.now.is(",") {
			s.take()
		}
		v, ok := s.number("a probability")
		if !ok {
			return nil
		}
		list = append(list, v)
	}
	s.expect(";")
	return list
}

// row keeps a row of a table.
func (s *bifReader) row(at token, n *bifNode, row int, p []float64) {
	if s.failed() {
		return
	}
	if n.written[row] {
		s.fail(at, "a second row for %s", param.Clip(s.assignment(n, row)))
		return
	}
	n.written[row] = true
	copy(n.p[row*len(n.values):], p)
	space := fmdp.Space{State: []fmdp.Variable{{Name: n.at.text, Size: len(p)}}}
	f := fmdp.Factor{Size: len(p), P: n.p[row*len(p):][:len(p)]}
	if err := (&fmdp.Scaling{}).Rows(&f, &space, n.at.text, nil); err != nil {
		reason := strings.Replace(err.Error(), "given nothing", "given "+s.assignment(n, row), 1)
		if at.is("table") && len(n.given) > 0 {
			reason += "; a table lists the values of the variable itself slowest"
		}
		s.fail(at, "%s", reason)
	}
}

// model returns the network as a model.
func (s *bifReader) model(o Options) (*fmdp.Model, []string) {
	s.read()
	if s.failed() {
		return nil, nil
	}
	// role is i for the variable now that is X_i, and its number of state variables + j for the next value of Y_j.
	next := map[string]string{} // of a variable now, its name at the next step
	for _, n := range s.nodes {
		name := n.at.text
		for _, suffix := range nexts {
			if now, is := strings.CutSuffix(name, suffix); is && s.has(now) {
				next[now] = name
			}
		}
		if now, is := strings.CutSuffix(name, "_1"); is && s.has(now+"_0") {
			next[now+"_0"] = name
		}
	}
	m := &fmdp.Model{}
	var now, then []int // the nodes of X and of Y
	var actions []int
	for _, name := range o.Actions {
		i, has := s.index[name]
		if !has {
			i, has = s.index[name+"_0"]
		}
		switch {
		case !has:
			s.fail(token{}, "there is no variable %q to be an action", param.Clip(name))
		case next[s.nodes[i].at.text] != "":
			s.fail(s.nodes[i].at, "%q has a next value, %q, so it is no action", param.Clip(name), param.Clip(next[s.nodes[i].at.text]))
		case slices.Contains(actions, i):
			s.fail(token{}, "the action %q is named twice", param.Clip(name))
		}
		actions = append(actions, i)
	}
	thens := map[string]bool{}
	for _, name := range next {
		thens[name] = true
	}
	for i, n := range s.nodes {
		called := n.at.text
		switch {
		case s.failed():
		case len(next) == 0:
			s.fail(token{}, "the network has one slice; a model needs two, in which the next value of x is named x' or x_next, or the two are x_0 and x_1")
		case next[called] != "" && thens[called]:
			s.fail(n.at, "%q is the next value of one variable and has one itself", param.Clip(called))
		case next[called] != "":
			y := s.index[next[called]]
			if !slices.Equal(n.values, s.nodes[y].values) {
				s.fail(s.nodes[y].at, "%q and %q do not have the same values", param.Clip(called), param.Clip(next[called]))
			}
			bare := called
			if strings.HasSuffix(next[called], "_1") && called == strings.TrimSuffix(next[called], "_1")+"_0" {
				bare = strings.TrimSuffix(called, "_0")
			}
			m.State = append(m.State, fmdp.Variable{Name: bare, Size: len(n.values), Values: n.values})
			now, then = append(now, i), append(then, y)
		case thens[called] || slices.Contains(actions, i):
		default:
			s.fail(n.at, `%q has no next value and is no action; the option "action" names the actions`, param.Clip(called))
		}
	}
	for k, i := range actions {
		if !s.failed() {
			n := s.nodes[i]
			m.Action = append(m.Action, fmdp.Variable{Name: strings.TrimSuffix(o.Actions[k], "_0"), Size: len(n.values), Values: n.values})
			now = append(now, i)
		}
	}
	switch {
	case s.failed():
	case len(actions) == 0:
		s.fail(token{}, `no variable is an action; the option "action" names the actions`)
	default:
		if s.checked(token{}, m.Space.Validate()) {
			s.checked(token{}, m.Space.CheckPoints())
		}
	}
	h, err := o.horizon(0)
	if err != nil && !s.failed() {
		s.failure = err.(*Error)
	}
	if s.failed() {
		return nil, nil
	}
	m.Horizon = h
	notes := []string{"the format has no rewards: the model pays nothing"}
	m.Initial = s.initial(m, now, &notes)
	for _, y := range then {
		n := s.nodes[y]
		f := fmdp.Factor{Size: len(n.values), P: n.p}
		if n.table.line == 0 {
			s.fail(n.at, "there is no table of %q", param.Clip(n.at.text))
			return nil, nil
		}
		for _, i := range n.given {
			k := slices.Index(now, i)
			if k < 0 {
				s.fail(n.table, "%q is a parent of %q in the same slice; next values are independent of each other in a model", param.Clip(s.nodes[i].at.text), param.Clip(n.at.text))
				return nil, nil
			}
			f.Given = append(f.Given, k)
		}
		m.Transition = append(m.Transition, f)
	}
	for _, i := range now[len(then):] {
		if s.nodes[i].table.line > 0 {
			notes = append(notes, fmt.Sprintf("the table of %q is left out: an agent chooses the action", param.Clip(s.nodes[i].at.text)))
		}
	}
	return m, notes
}

// has reports whether a variable has that name.
func (s *bifReader) has(name string) bool {
	_, has := s.index[name]
	return has
}

// initial returns the initial distribution, in which variables are independent.
func (s *bifReader) initial(m *fmdp.Model, now []int, notes *[]string) []float64 {
	p := []float64{1}
	for j := range m.State {
		n := s.nodes[now[j]]
		law := n.p
		switch {
		case len(n.given) > 0:
			s.fail(n.table, "%q has parents in the first slice; only initial distributions without parents are read", param.Clip(n.at.text))
			return nil
		case law == nil:
			law = fmdp.Uniform(len(n.values))
			*notes = append(*notes, fmt.Sprintf("there is no table of %q: its values are equally likely at first", param.Clip(n.at.text)))
		}
		longer := make([]float64, 0, len(p)*len(law))
		for _, before := range p {
			for _, q := range law {
				longer = append(longer, float64(before*q))
			}
		}
		p = longer
	}
	return p
}
