package format

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// spudd is the language of SPUDD (Hoey, St-Aubin, Hu and Boutilier, 1999), in which the
// planning competitions published their problems. Each action has a decision tree for the law
// of each variable. The variable "action" has the names of the actions as its values. A
// variable's parents are the variables that its trees test, and the action if the trees differ.
// A cost is a negative payoff.
var spudd = ModelFormat{
	Name: "SPUDD",
	Match: func(text string) bool {
		s := newSpudd(text)
		return s.expect("(") && s.now.is("variables")
	},
	Read: func(text string, o Options) (*fmdp.Model, []string, error) {
		s := newSpudd(text)
		s.scaling = o.Scaling
		m, notes := s.model(o)
		if s.failed() {
			return nil, nil, s.err()
		}
		return m, notes, nil
	},
}

// actionName is the name of the action variable where a format has one without a name.
const actionName = "action"

// tree is an expression: a number, a test of a variable, a sum or a product.
type tree struct {
	at    token
	op    byte    // '+' or '*', or 0
	of    int     // the variable that is tested: i of X, or d_Y + j for the next value of j; −1 for a number
	value float64 // of a number
	below []*tree // one for each value, or the terms
}

// block is what a file says of one action.
type block struct {
	name token
	law  []*tree // of each variable
	cost *tree
}

type spuddReader struct {
	scanner
	room     budget
	scaling  *fmdp.Scaling
	space    fmdp.Space
	index    map[string]int // of a variable, and of its next value under the name with a prime
	named    map[string]*tree
	blocks   []block
	actions  map[string]bool  // the names of the blocks
	values   []map[string]int // of each state variable, once asked for
	initial  *tree
	reward   *tree
	horizon  int
	discount float64
	steps    int // that tables have taken
}

func newSpudd(text string) *spuddReader {
	s := &spuddReader{scanner: scanner{marks: "()[]", remark: "//"}, index: map[string]int{}, named: map[string]*tree{}, discount: 1}
	s.scan(text)
	return s
}

// Limits of the trees of a file.
const (
	mostDepth = 200     // trees in trees
	mostSteps = 1 << 26 // of making tables
)

// model reads the whole file.
func (s *spuddReader) model(o Options) (*fmdp.Model, []string) {
	s.variables()
	seen := map[string]bool{}
	once := func(t token) {
		if seen[t.text] {
			s.fail(t, "a second %q", t.text)
		}
		seen[t.text] = true
	}
	for !s.failed() && s.now.kind != end {
		switch t := s.take(); t.text {
		case "action":
			s.block()
		case "dd":
			s.define()
		case "init":
			once(t)
			s.initial = s.expression(0)
		case "reward":
			once(t)
			s.reward = s.expression(0)
		case "discount":
			once(t)
			s.discount, _ = s.number("a discount")
		case "tolerance": // of a solver
			once(t)
			s.number("a tolerance")
		case "horizon":
			once(t)
			s.horizon, _ = s.whole("the number of steps", 1, fmdp.MaxHorizon)
		case "(":
			s.fail(t, "%q was not expected here; a POMDP is not read, because every variable of a model is seen", "("+param.Clip(s.now.text))
		default:
			s.fail(t, "%q is not read; action, dd, init, reward, discount, tolerance and horizon are", param.Clip(t.text))
		}
	}
	if !s.failed() && len(s.blocks) == 0 {
		s.fail(s.now, "the file has no action")
	}
	if s.failed() {
		return nil, nil
	}
	action := fmdp.Variable{Name: actionName, Size: len(s.blocks)}
	for _, b := range s.blocks {
		action.Values = append(action.Values, b.name.text)
	}
	s.space.Action = []fmdp.Variable{action}
	file := token{}
	h, err := o.Steps(s.horizon)
	if !s.checked(file, s.space.Validate()) || !s.checked(file, s.space.CheckSizes()) {
		return nil, nil
	}
	if err != nil {
		s.failure = err.(*Error)
		return nil, nil
	}
	m := &fmdp.Model{Space: s.space, Horizon: h, Transition: make([]fmdp.Factor, s.space.Y())}
	notes := undiscounted(s.discount)
	for j := range m.Transition {
		if m.Transition[j] = s.law(j); s.failed() {
			return nil, nil
		}
	}
	if m.Points() <= fmdp.MaxPoints {
		m.Initial = s.start()
	} else {
		m.First = s.independent()
	}
	m.Reward = s.rewards()
	if s.initial == nil {
		notes = append(notes, "the file has no init: all states are equally likely at first")
	}
	return m, notes
}

// variables reads the list of variables.
func (s *spuddReader) variables() {
	s.expect("(")
	s.expect("variables")
	for !s.failed() && !s.now.is(")") {
		s.expect("(")
		v, _ := s.name("the name of a variable")
		values, seen := []string{}, map[string]bool{}
		for s.now.kind == name {
			value := s.take()
			if seen[value.text] {
				s.fail(value, "the value %q of %q stands there twice", param.Clip(value.text), param.Clip(v.text))
			}
			seen[value.text] = true
			values = append(values, value.text)
		}
		switch _, has := s.index[v.text]; {
		case s.failed():
		case len(values) == 0:
			s.unexpected("a value of " + param.Clip(v.text))
		case has:
			s.fail(v, "a second variable is named %q", param.Clip(v.text))
		case v.text == actionName:
			s.fail(v, "a variable is named %q, which is the name of the variable that holds the action; give it another name", actionName)
		case strings.HasSuffix(v.text, "'"):
			s.fail(v, "the name of %q ends in a prime, which marks a next value", param.Clip(v.text))
		case len(s.space.State) == fmdp.MaxVariables:
			s.fail(v, "there are more than %d variables", fmdp.MaxVariables)
		}
		s.index[v.text] = len(s.space.State)
		s.space.State = append(s.space.State, fmdp.Variable{Name: v.text, Size: len(values), Values: values})
		s.expect(")")
	}
	s.expect(")")
	if !s.failed() && len(s.space.State) == 0 {
		s.fail(s.now, "the list of variables is empty")
	}
	for j, v := range s.space.State {
		s.index[v.Name+"'"] = len(s.space.State) + j
	}
}

// size returns the number of values of the variable that a tree tests, or of the action, which is
// the variable behind them.
func (s *spuddReader) size(i int) int {
	if n := len(s.space.State); i < 2*n {
		return s.space.State[i%n].Size
	}
	return len(s.blocks)
}

// define reads a tree with a name.
func (s *spuddReader) define() {
	of, _ := s.name("the name of a tree")
	if s.named[of.text] != nil {
		s.fail(of, "a second tree is named %q", param.Clip(of.text))
	}
	t := s.expression(0)
	s.named[of.text] = t
	s.expect("enddd")
}

// block reads the trees of one action.
func (s *spuddReader) block() {
	of, _ := s.name("the name of an action")
	b := block{name: of, law: make([]*tree, len(s.space.State))}
	if s.actions[of.text] {
		s.fail(of, "a second action is named %q", param.Clip(of.text))
	}
	if s.actions == nil {
		s.actions = map[string]bool{}
	}
	s.actions[of.text] = true
	if len(s.blocks) == fmdp.MaxPoints {
		s.fail(of, "there are more than %d actions", fmdp.MaxPoints)
	}
	for !s.failed() && !s.now.is("endaction") {
		t, ok := s.name("a variable, cost or endaction")
		j, has := s.index[strings.TrimSuffix(t.text, "'")]
		has = has && j < len(b.law) // else it has two primes
		switch {
		case !ok:
		case has && b.law[j] != nil:
			s.fail(t, "a second tree of %q in the action %q", param.Clip(t.text), param.Clip(of.text))
		case has:
			b.law[j] = s.expression(0)
		case t.is("cost") && b.cost != nil:
			s.fail(t, "a second cost of the action %q", param.Clip(of.text))
		case t.is("cost"):
			b.cost = s.expression(0)
		case t.is("observe"):
			s.fail(t, "observations are not read: every variable of a model is seen")
		default:
			s.fail(t, "there is no variable %q", param.Clip(t.text))
		}
	}
	for j, law := range b.law {
		if law == nil && !s.failed() {
			s.fail(of, "the action %q has no tree of %q", param.Clip(of.text), param.Clip(s.space.State[j].Name))
		}
	}
	s.expect("endaction")
	s.blocks = append(s.blocks, b)
}

// expression reads a tree, a sum or a product.
func (s *spuddReader) expression(depth int) *tree {
	t := &tree{at: s.now, of: -1}
	switch {
	case depth == mostDepth:
		s.fail(s.now, "more than %d trees stand in each other", mostDepth)
	case s.now.is("["):
		s.take()
		if op, _ := s.name("+ or *"); op.is("+") || op.is("*") {
			t.op = op.text[0]
		} else {
			s.fail(op, "the operator %q is not read; + and * are", param.Clip(op.text))
		}
		for !s.failed() && !s.now.is("]") {
			t.below = append(t.below, s.expression(depth+1))
		}
		if !s.failed() && len(t.below) == 0 {
			s.unexpected("a tree")
		}
		s.expect("]")
	case s.now.is("("):
		s.take()
		of, _ := s.name("a number or a variable")
		i, has := s.index[of.text]
		v, isNumber := numberOf(of.text)
		switch named := s.named[of.text]; {
		case s.failed():
		case s.now.is(")") && named != nil:
			t = named
		case s.now.is(")") && isNumber:
			t.value = v
		case s.now.is(")") && !has:
			s.fail(of, "%q is neither a number nor the name of a tree", param.Clip(of.text))
		case !has:
			s.fail(of, "there is no variable %q", param.Clip(of.text))
		default:
			t.of = i
			s.branches(t, of, depth)
		}
		s.expect(")")
	default:
		t.value, _ = s.number("a tree")
	}
	return t
}

// value returns the number of a value of state variable j, or −1.
func (s *spuddReader) value(j int, text string) int {
	if s.values == nil {
		s.values = make([]map[string]int, len(s.space.State))
	}
	if s.values[j] == nil {
		s.values[j] = map[string]int{}
		for k, value := range s.space.State[j].Values {
			s.values[j][value] = k
		}
	}
	if k, known := s.values[j][text]; known {
		return k
	}
	return -1
}

// branches reads the tree of each value of the variable that is tested.
func (s *spuddReader) branches(t *tree, of token, depth int) {
	v := &s.space.State[t.of%len(s.space.State)]
	t.below = make([]*tree, v.Size)
	for !s.failed() && s.now.is("(") {
		s.take()
		value, ok := s.name("a value of " + param.Clip(of.text))
		k := s.value(t.of%len(s.space.State), value.text)
		switch {
		case !ok:
		case k < 0:
			s.fail(value, "%q has no value %q", param.Clip(of.text), param.Clip(value.text))
		case t.below[k] != nil:
			s.fail(value, "a second branch for %q", param.Clip(value.text))
		default:
			t.below[k] = s.expression(depth + 1)
			s.expect(")")
		}
	}
	if k := slices.Index(t.below, nil); k >= 0 && !s.failed() {
		s.fail(of, "the test of %q has no branch for %q", param.Clip(of.text), param.Clip(v.Values[k]))
	}
}

// spend counts a step of making a table. The names of trees let a short file stand for a very
// large tree.
func (s *spuddReader) spend(n int, at token) bool {
	if s.steps += n; s.steps > mostSteps {
		s.fail(at, "the tables of the trees take more than %d steps", mostSteps)
	}
	return !s.failed()
}

// tests marks the variables that a tree tests.
func (s *spuddReader) tests(t *tree, tested []bool) {
	if !s.spend(1, t.at) {
		return
	}
	if t.of >= 0 {
		tested[t.of] = true
	}
	for _, b := range t.below {
		s.tests(b, tested)
	}
}

// What next values a tree may test, beside the number of one variable: none, or any.
const (
	noNext  = -1
	anyNext = -2
)

// given returns the variables that any of the trees tests, in the order of the space, and then, if
// it may test any, the next values. A law tests the next value of its own variable, next, which is
// not returned.
func (s *spuddReader) given(next int, trees ...*tree) []int {
	n := len(s.space.State)
	given, all := []int{}, make([]bool, 2*n)
	for _, t := range trees {
		tested := make([]bool, 2*n)
		s.tests(t, tested)
		for i, is := range tested {
			switch {
			case s.failed():
			case next == anyNext:
			case is && i >= n && next == noNext:
				s.fail(t.at, "this tests the next value of %q; that is not read here", s.space.State[i-n].Name)
			case is && i >= n && i-n != next:
				s.fail(t.at, "the law of %q tests the next value of %q; next values are independent of each other in a model", s.space.State[next].Name, s.space.State[i-n].Name)
			}
			all[i] = all[i] || is
		}
		if next >= 0 && !tested[n+next] {
			s.fail(t.at, "the law of %q does not test its next value, %s'", s.space.State[next].Name, s.space.State[next].Name)
		}
	}
	for i := range all {
		if all[i] && (i < n || next == anyNext) {
			given = append(given, i)
		}
	}
	return given
}

// rows returns the number of assignments of the variables, times the size of a row. It fails if
// that is more than a model may have, or than is left of a spec.
func (s *spuddReader) rows(given []int, size int, at token) int {
	n := size
	for _, i := range given {
		if n *= s.size(i); n > fmdp.MaxTable || 2*n > document.MaxModel-s.room.spent {
			s.tooLarge(at)
			return 0
		}
	}
	return n
}

func (s *spuddReader) tooLarge(at token) {
	s.fail(at, "the tables of this model, up to this one, take more than the %d MiB of a spec", document.MaxModel>>20)
}

// keep counts a table of the model.
func (s *spuddReader) keep(entries, size int, at token) {
	if !s.room.take(entries/size, len("[],")+len("0,")*size-1) {
		s.tooLarge(at)
	}
}

// table returns the values of a tree for all assignments of the given variables, among which
// are all that it tests; the last one varies fastest.
func (s *spuddReader) table(t *tree, given []int) []float64 {
	n := s.rows(given, 1, t.at)
	if s.failed() || !s.spend(n, t.at) {
		return nil
	}
	dst := make([]float64, n)
	if t.op != 0 {
		for k, term := range t.below {
			more := s.table(term, given)
			for row := range more {
				switch {
				case k == 0:
					dst[row] = more[row]
				case t.op == '+':
					dst[row] += more[row]
				default:
					dst[row] *= more[row]
				}
			}
		}
		return dst
	}
	fixed := make([]int, 2*len(s.space.State)) // 1 + the value of a variable, or 0
	s.fill(dst, t, given, fixed)
	return dst
}

// fill writes the values of a tree into the rows of the assignments in which some variables are
// fixed.
func (s *spuddReader) fill(dst []float64, t *tree, given, fixed []int) {
	switch {
	case !s.spend(1, t.at):
	case t.op != 0:
		s.fail(t.at, "an operator inside of a test is not read")
	case t.of < 0:
		s.spread(dst, t.value, given, fixed)
	case fixed[t.of] > 0:
		s.fill(dst, t.below[fixed[t.of]-1], given, fixed)
	default:
		for v, b := range t.below {
			fixed[t.of] = v + 1
			s.fill(dst, b, given, fixed)
		}
		fixed[t.of] = 0
	}
}

// spread writes a value into all rows in which the fixed variables have their values.
func (s *spuddReader) spread(dst []float64, value float64, given, fixed []int) {
	if len(given) == 0 {
		dst[0] = value
		return
	}
	i := given[0]
	part := len(dst) / s.size(i)
	for v := range s.size(i) {
		if fixed[i] == 0 || fixed[i] == v+1 {
			s.spread(dst[v*part:(v+1)*part], value, given[1:], fixed)
		}
	}
}

// law returns the law of a variable. Its trees differ if their tables do.
func (s *spuddReader) law(j int) fmdp.Factor {
	var trees []*tree
	for _, b := range s.blocks {
		trees = append(trees, b.law[j])
	}
	given := s.given(j, trees...)
	f := fmdp.Factor{Given: given, Size: s.size(j)}
	of := func(t *tree, action string) []float64 {
		one := fmdp.Factor{Given: given, Size: f.Size, P: s.table(t, append(slices.Clone(given), len(s.space.State)+j))}
		if !s.failed() {
			if err := s.scaling.Rows(&one, &s.space, s.space.State[j].Name, nil); err != nil {
				s.fail(t.at, "after the action %q, %v", param.Clip(action), err)
			}
		}
		return one.P
	}
	f.P = of(trees[0], s.blocks[0].name.text)
	differ := false
	for a, t := range trees {
		differ = differ || a > 0 && t != trees[0] && !s.failed() && !slices.Equal(f.P, of(t, s.blocks[a].name.text))
	}
	if !differ || s.failed() {
		s.keep(len(f.P), f.Size, trees[0].at)
		return f
	}
	f.Given = append(slices.Clone(given), len(s.space.State))
	f.P = make([]float64, s.rows(given, f.Size*len(trees), trees[0].at))
	s.keep(len(f.P), f.Size, trees[0].at)
	for a, t := range trees {
		p := of(t, s.blocks[a].name.text)
		for row := 0; !s.failed() && row*f.Size < len(p); row++ {
			copy(f.P[(row*len(trees)+a)*f.Size:], p[row*f.Size:(row+1)*f.Size])
		}
	}
	return f
}

// start returns the initial distribution.
func (s *spuddReader) start() []float64 {
	states := s.space.States()
	if s.initial == nil || s.failed() {
		return fmdp.Uniform(states)
	}
	terms := []*tree{s.initial}
	if s.initial.op == '*' {
		terms = s.initial.below
	}
	all := make([]int, s.space.Y())
	for j := range all {
		all[j] = j
	}
	p := make([]float64, states)
	for k := range p {
		p[k] = 1
	}
	for _, t := range terms {
		given := s.given(noNext, t)
		table := s.table(t, given)
		if s.failed() || !s.spend(states, t.at) {
			return nil
		}
		for state, row := range s.space.Project(all, given, 1) {
			p[state] *= table[row]
		}
	}
	s.checked(s.initial.at, s.scaling.Initial(p))
	return p
}

// independent returns the initial distribution where the states are too many to list: each factor of init is about one variable.
func (s *spuddReader) independent() *fmdp.Start {
	law := fmdp.UniformStart(&s.space)
	if s.initial == nil || s.failed() {
		return law
	}
	terms := []*tree{s.initial}
	if s.initial.op == '*' {
		terms = s.initial.below
	}
	told := make([]bool, s.space.Y())
	for _, t := range terms {
		given := s.given(noNext, t)
		if len(given) != 1 {
			s.fail(t.at, "the states are too many to list, so each factor of init is about one variable; this one is about %d of them", len(given))
		}
		if s.failed() {
			return nil
		}
		table := s.table(t, given)
		for _, j := range given {
			if !told[j] {
				told[j], law.Each[j] = true, slices.Clone(table)
				continue
			}
			for v, p := range table {
				law.Each[j][v] *= p
			}
		}
	}
	for _, each := range law.Each {
		s.checked(s.initial.at, s.scaling.Initial(each))
	}
	if !law.IsUniform() && law.Possible() > fmdp.MaxPoints {
		s.fail(s.initial.at, "an episode may begin in %s states, more than %d, which no list holds, and they are not equally likely", fmdp.Saturated(law.Possible()), fmdp.MaxPoints)
	}
	return law
}

// rewards returns the payoffs, one factor for each set of variables that a term tests. The
// factor has the action among its variables if the actions differ.
func (s *spuddReader) rewards() []fmdp.Reward {
	type factor struct {
		given []int
		every []float64   // of all actions
		own   [][]float64 // of an action that has a cost over these variables; else nil
	}
	var list []*factor
	by := map[string]*factor{}
	add := func(t *tree, sign float64, action int) { // −1 for all
		terms := []*tree{t}
		if t.op == '+' {
			terms = t.below
		}
		for _, term := range terms {
			given := s.given(anyNext, term)
			table := s.table(term, given)
			if s.failed() {
				return
			}
			key := fmt.Sprint(given)
			f := by[key]
			if f == nil {
				f = &factor{given, make([]float64, len(table)), make([][]float64, len(s.blocks))}
				by[key], list = f, append(list, f)
				if !s.room.take(len(table), len("0,")) {
					s.tooLarge(term.at)
					return
				}
			}
			if len(list) > fmdp.MaxRewards {
				s.fail(term.at, "there are more than %d terms of the reward", fmdp.MaxRewards)
				return
			}
			sums := f.every
			if action >= 0 {
				if f.own[action] == nil {
					if !s.room.take(len(table), len("0,")) {
						s.tooLarge(term.at)
						return
					}
					f.own[action] = slices.Clone(f.every)
				}
				sums = f.own[action]
			}
			if !s.spend(len(table), term.at) {
				return
			}
			for row, v := range table {
				sums[row] += float64(sign * v)
			}
		}
	}
	if s.reward != nil && !s.failed() {
		add(s.reward, 1, -1)
	}
	for a, b := range s.blocks {
		if b.cost != nil && !s.failed() {
			add(b.cost, -1, a)
		}
	}
	var rewards []fmdp.Reward
	n := len(s.space.State)
	for _, f := range list {
		// The action stands between the variables now and the next values.
		tables := slices.Clone(f.own)
		for a := range tables {
			if tables[a] == nil {
				tables[a] = f.every
			}
		}
		r, inner := fmdp.Reward{Mean: tables[0], Scale: 1, Of: -1}, 1
		var next []int
		for _, i := range f.given {
			if i < n {
				r.Given = append(r.Given, i)
			} else {
				next, inner = append(next, s.space.X()+i-n), inner*s.size(i)
			}
		}
		if slices.ContainsFunc(tables, func(t []float64) bool { return !slices.Equal(t, tables[0]) }) {
			if s.rows(f.given, len(s.blocks), token{}) == 0 {
				return nil
			}
			r.Given, r.Mean = append(r.Given, n), nil
			for row := 0; row < len(f.every); row += inner {
				for a := range tables {
					r.Mean = append(r.Mean, tables[a][row:row+inner]...)
				}
			}
		}
		r.Given = append(r.Given, next...)
		if slices.ContainsFunc(r.Mean, func(v float64) bool { return v != 0 }) {
			rewards = append(rewards, r)
		}
	}
	return rewards
}
