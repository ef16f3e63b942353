package format

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/formula"
	"cpsrl/core/param"
)

// rddlSpace says which variable each slot is. The slots are the groundings of state fluents, of action fluents, and of
// the next values of state fluents.
type rddlSpace struct {
	space   fmdp.Space
	states  int
	actions int
	values  [][]float64 // by slot
	bools   []bool      // by slot: whether the values are false and true
	labels  []string    // by slot, as the file writes it
	owner   []*rddlFluent
	index   []int64 // of the grounding

	// joint says that one variable holds the action: its values are no action, and one for each action that differs from its default.
	joint bool
	doing []int // by value of that variable: the slot that differs, or −1
	rows  int   // entries that tables have taken
	work  int   // of the formulas
}

// mostWork is what the formulas of a model may take of what a document allows.
const mostWork = 1 << 24

// model makes the model of what was read.
func (r *rddlReader) model(o Options) (*document.ModelFile, []string) {
	if r.failed() {
		return nil, nil
	}
	h, err := o.Steps(r.horizon)
	if err != nil {
		if r.endless.line > 0 {
			r.fail(r.endless, `the horizon is not a number of steps; the option "horizon" gives it`)
		} else {
			r.failure = err.(*Error)
		}
		return nil, nil
	}
	laws := r.lay()
	if r.failed() {
		return nil, nil
	}
	must, notes := r.act(r.holding(r.must))
	if r.failed() || !r.checked(token{}, r.space.Validate()) || !r.checked(token{}, r.space.CheckSizes()) {
		return nil, nil
	}
	r.integers(laws)
	r.naming()
	if !r.checked(token{}, r.space.Validate()) || !r.checked(token{}, r.space.CheckSizes()) {
		return nil, nil
	}
	m := &fmdp.Model{Name: r.heads["instance"].text, Horizon: h}
	f := &document.ModelFile{Model: m}
	r.restrict(must)
	m.Space = r.space
	for j, law := range laws {
		f.Formulas.Laws = append(f.Formulas.Laws, "")
		m.Transition = append(m.Transition, r.law(j, law, &f.Formulas.Laws[j]))
		if r.failed() {
			return nil, nil
		}
	}
	r.begin(m)
	r.pay(f)
	r.end(m)
	if r.failed() {
		return nil, nil
	}
	f.Picture, f.Prior = r.picture(m), r.offer(m)
	return f, notes
}

// lay gives each grounding its slot, and returns the laws of the state fluents.
func (r *rddlReader) lay() (laws []*ground) {
	for _, kind := range []string{stateFluent, actionFluent} {
		for _, f := range r.declared {
			if f.kind != kind {
				continue
			}
			most := int64(fmdp.MaxVariables)
			if kind == actionFluent {
				most = fmdp.MaxPoints
			}
			if f.total > most-int64(len(r.owner)) {
				r.fail(f.at, "%q has %s and there are %d before; a model has up to %d variables", param.Clip(f.name), param.Count(int(min(f.total, math.MaxInt32)), "grounding"), len(r.owner), fmdp.MaxVariables)
				return nil
			}
			f.first = len(r.owner)
			for k := range f.total {
				r.owner, r.index = append(r.owner, f), append(r.index, k)
			}
		}
		if kind == stateFluent {
			r.states = len(r.owner)
		}
	}
	r.actions = len(r.owner) - r.states
	switch {
	case r.states == 0:
		r.fail(r.heads["domain"], "there is no state fluent")
		return nil
	case r.actions == 0:
		r.fail(r.heads["domain"], "there is no action fluent")
		return nil
	}
	for slot, f := range r.owner {
		r.labels = append(r.labels, f.label(r.index[slot], "(", ",", ")"))
		r.bools = append(r.bools, f.object == nil && !f.whole)
		switch {
		case f.object != nil && len(f.object.values) == 0:
			r.fail(f.at, "there is no object of the type of %q", param.Clip(f.name))
			return nil
		case f.object != nil && r.index[slot] > 0:
			r.values = append(r.values, r.values[slot-1])
		case f.object != nil:
			r.values = append(r.values, firstNumbers(len(f.object.values)))
		case f.whole:
			r.values = append(r.values, []float64{f.valueAt(r.index[slot])})
		default:
			r.values = append(r.values, []float64{0, 1})
		}
	}
	r.bools = append(r.bools, r.bools[:r.states]...)
	r.slots = make([]*ground, len(r.bools))
	for slot := range r.states {
		f := r.owner[slot]
		laws = append(laws, r.ground(f.law, r.envOf(f, r.index[slot])))
		if r.failed() {
			return nil
		}
	}
	return laws
}

// condition is a constraint that is no constant, so it names a slot.
type condition struct {
	is    *ground
	slots []int // its support
}

// holding grounds constraints, of which each part that is joined by "and" stands alone. What is true always is left out.
func (r *rddlReader) holding(list []*rddlExpr) (conditions []condition) {
	for _, e := range list {
		n := r.ground(e, make([]int, r.frame))
		parts := []*ground{n}
		if n.op == opAnd {
			parts = n.args
		}
		for _, part := range parts {
			switch {
			case r.failed():
				return nil
			case part.drawn:
				r.fail(e.at, "the constraint draws a value")
			case part.is(0):
				r.fail(e.at, "the constraint never holds")
			case part.op != opConst:
				conditions = append(conditions, condition{part, r.support(part)})
			}
		}
	}
	return conditions
}

// act makes the action variables. It returns the constraints that are still to be kept.
func (r *rddlReader) act(must []condition) (kept []condition, notes []string) {
	if r.failed() {
		return nil, nil
	}
	plain := true
	for slot := r.states; slot < r.states+r.actions; slot++ {
		plain = plain && r.bools[slot]
	}
	r.joint = plain && r.most == 1
	byAction := func(c condition) bool { return c.slots[0] >= r.states } // alone
	var actions []condition
	for _, c := range must {
		if c.slots[len(c.slots)-1] >= r.states {
			kept = append(kept, c)
		}
		if byAction(c) {
			actions = append(actions, c)
		}
	}
	if idle := len(must) - len(kept); idle > 0 {
		notes = append(notes, fmt.Sprintf("what %s of states alone is left out: the laws say what can occur", param.Count(idle, "constraint")+map[bool]string{true: " says", false: " say"}[idle == 1]))
	}
	if r.states+1 > fmdp.MaxVariables || !r.joint && r.states+r.actions > fmdp.MaxVariables {
		n := r.states + 1
		if !r.joint {
			n += r.actions - 1
		}
		r.fail(r.heads["instance"], "the problem has %d variables, more than %d", n, fmdp.MaxVariables)
		return nil, nil
	}
	for slot := range r.states {
		r.space.State = append(r.space.State, fmdp.Variable{Name: r.labels[slot], Size: 1})
	}
	if !r.joint {
		for slot := r.states; slot < r.states+r.actions; slot++ {
			r.space.Action = append(r.space.Action, fmdp.Variable{Name: r.labels[slot], Size: len(r.values[slot])})
		}
		return kept, notes
	}
	if !r.computed(fmdp.Times(len(actions), r.actions+1), r.heads["instance"]) {
		return nil, nil
	}
	// An action that is legal in no state is no value of the variable.
	x := r.defaults()
	v := fmdp.Variable{Name: actionName}
	for slot := r.states - 1; slot < r.states+r.actions; slot++ {
		label, of := "none", -1
		if slot >= r.states {
			label, of = r.labels[slot], slot
			x[slot] = 1 - x[slot]
		}
		may := !slices.ContainsFunc(actions, func(c condition) bool { return r.eval(c.is, x) == 0 })
		if of >= 0 {
			x[slot] = 1 - x[slot]
		}
		if may {
			v.Values, r.doing = append(v.Values, label), append(r.doing, of)
		}
	}
	if v.Size = len(v.Values); v.Size == 0 {
		r.fail(r.heads["domain"], "the constraints allow no action")
	}
	r.space.Action = []fmdp.Variable{v}
	return slices.DeleteFunc(kept, byAction), notes
}

// defaults returns values of all slots, of which those of the actions are their defaults.
func (r *rddlReader) defaults() []float64 {
	x := make([]float64, len(r.bools))
	for slot := r.states; slot < r.states+r.actions; slot++ {
		x[slot] = r.owner[slot].value
	}
	return x
}

// support returns the slots that a part names, ascending.
func (r *rddlReader) support(n *ground) (slots []int) {
	seen, named := map[*ground]bool{}, map[int]bool{}
	var visit func(n *ground)
	visit = func(n *ground) {
		if n.op == opSlot && !named[n.slot] {
			named[n.slot] = true
			slots = append(slots, n.slot)
		}
		for _, arg := range n.args {
			if arg.op == opSlot || len(arg.args) > 0 && !seen[arg] && r.computed(len(arg.args), arg.of.at) {
				seen[arg] = true
				visit(arg)
			}
		}
	}
	visit(n)
	slices.Sort(slots)
	return slots
}

// variable returns the variable of a slot, as in the scope of a payoff.
func (r *rddlReader) variable(slot int) int {
	switch {
	case slot < r.states:
		return slot
	case slot >= r.states+r.actions:
		return slot - r.states - r.actions + r.space.X()
	case r.joint:
		return r.states
	}
	return slot
}

// set gives the slots of a variable its value v in place of the value was, which is −1 while they have their defaults.
func (r *rddlReader) set(x []float64, i, was, v int) {
	switch {
	case i < r.states:
		x[i] = r.values[i][v]
	case i >= r.space.X():
		x[i-r.space.X()+r.states+r.actions] = r.values[i-r.space.X()][v]
	case !r.joint:
		x[i] = r.values[i][v]
	default:
		for _, v := range []int{was, v} {
			if v >= 0 && r.doing[v] >= 0 {
				x[r.doing[v]] = 1 - x[r.doing[v]]
			}
		}
	}
}

// tabulate fills a table over the variables that a part names: width numbers for each row. Variables that make no difference are
// removed from the scope.
func (r *rddlReader) tabulate(n *ground, width int, what string, at token, fill func(x, row []float64)) (given []int, table []float64) {
	slots := r.support(n)
	same := map[int]bool{}
	for _, slot := range slots {
		if i := r.variable(slot); !same[i] {
			same[i] = true
			given = append(given, i)
		}
	}
	slices.Sort(given)
	rows := 1
	sizes := make([]int, len(given))
	for k, i := range given {
		sizes[k] = r.space.Var(i).Size
		rows = fmdp.Times(rows, sizes[k])
	}
	if r.failed() {
		return nil, nil
	}
	if rows > fmdp.MaxTable/width {
		r.fail(at, "%s depends on %d variables, whose table has %s rows; the tables of a model have up to %d entries", what, len(given), fmdp.Saturated(rows), fmdp.MaxTable)
		return nil, nil
	}
	if !r.computed(rows*width, at) {
		return nil, nil
	}
	table = make([]float64, rows*width)
	x := r.defaults()
	// A value of the variable that holds the action is like the first other one that names no slot of the part.
	var like []int
	stride, place := 1, -1
	if r.joint {
		if place = slices.Index(given, r.states); place >= 0 {
			like = make([]int, sizes[place])
			first := -1
			for v, slot := range r.doing {
				like[v] = v
				if _, named := slices.BinarySearch(slots, slot); named {
					continue
				}
				if first < 0 {
					first = v
				}
				like[v] = first
			}
			for _, size := range sizes[place+1:] {
				stride *= size
			}
		}
	}
	before := make([]int, len(given))
	for k := range before {
		before[k] = -1
	}
	for row, values := range fmdp.Tuples(sizes) {
		if place >= 0 {
			if v := values[place]; like[v] != v {
				from := row - (v-like[v])*stride
				copy(table[row*width:(row+1)*width], table[from*width:])
				continue
			}
		}
		for k, v := range values {
			if v != before[k] {
				r.set(x, given[k], before[k], v)
				before[k] = v
			}
		}
		if fill(x, table[row*width:(row+1)*width]); r.failed() {
			for k, i := range given {
				if k < 4 {
					r.failure.Reason += fmt.Sprintf("%s%s = %s", map[bool]string{true: " (where ", false: ", "}[k == 0], param.Clip(r.called(i)), r.shown(i, values[k]))
				}
			}
			if len(given) > 0 {
				r.failure.Reason += ")"
			}
			return nil, nil
		}
	}
	for k := len(given) - 1; k >= 0; k-- {
		inner := width
		for _, size := range sizes[k+1:] {
			inner *= size
		}
		if shorter, is := without(table, sizes[k], inner); is {
			table = shorter
			given, sizes = slices.Delete(given, k, k+1), slices.Delete(sizes, k, k+1)
		}
	}
	if r.rows += len(table); r.rows > fmdp.MaxTable {
		r.fail(at, "the tables of this problem, up to %s, have more than %d entries", what, fmdp.MaxTable)
	}
	return given, table
}

// called returns the name of a variable as the file writes it.
func (r *rddlReader) called(i int) string {
	switch {
	case i >= r.space.X():
		return r.labels[i-r.space.X()] + "'"
	case i < r.states || !r.joint:
		return r.labels[i]
	}
	return actionName
}

// shown returns a value of a variable as the file writes it.
func (r *rddlReader) shown(i, v int) string {
	slot := i
	switch {
	case i >= r.space.X():
		slot = i - r.space.X()
	case i >= r.states && r.joint:
		return param.Clip(r.space.Action[0].Values[v])
	}
	if f := r.owner[slot]; f.object != nil {
		return param.Clip(f.object.values[v])
	}
	if r.bools[slot] {
		return fmt.Sprint(v != 0)
	}
	return fmt.Sprint(r.values[slot][v])
}

// without returns a table without a variable of that size, of which each value has blocks of inner numbers, if it makes no
// difference.
func without(table []float64, size, inner int) ([]float64, bool) {
	block := size * inner
	for at := 0; at < len(table); at += block {
		for v := 1; v < size; v++ {
			if !slices.Equal(table[at:at+inner], table[at+v*inner:at+(v+1)*inner]) {
				return nil, false
			}
		}
	}
	shorter := make([]float64, 0, len(table)/size)
	for at := 0; at < len(table); at += block {
		shorter = append(shorter, table[at:at+inner]...)
	}
	return shorter, true
}

// outcomes calls add with each value that a part can have, its probability, and the part that gives it.
func (r *rddlReader) outcomes(n *ground, x []float64, add func(value, p float64, of *ground)) {
	switch n.op {
	case opIf:
		if n.drawn {
			if r.eval(n.args[0], x) != 0 {
				r.outcomes(n.args[1], x, add)
			} else {
				r.outcomes(n.args[2], x, add)
			}
			return
		}
	case opBernoulli:
		p := r.chance(n, n.args[0], x)
		add(0, 1-p, n)
		add(1, p, n)
		return
	case opDiscrete:
		if !r.computed(len(n.args), n.of.at) {
			return
		}
		sum := 0.0
		for k := 0; k < len(n.args); k += 2 {
			p := r.chance(n, n.args[k+1], x)
			sum += p
			add(n.args[k].value, p, n)
		}
		if within := fmdp.Tolerance(len(n.args) / 2); math.Abs(sum-1) > within && !r.failed() {
			r.fail(n.of.at, "the probabilities sum to %v, not to 1", sum)
		}
		return
	}
	add(r.eval(n, x), 1, n)
}

// chance returns a probability.
func (r *rddlReader) chance(n, of *ground, x []float64) float64 {
	p := r.eval(of, x)
	if !(p >= -fmdp.SumTolerance && p <= 1+fmdp.SumTolerance) && !r.failed() {
		r.fail(n.of.at, "the probability is %v; it must be from 0 to 1", p)
	}
	return min(max(p, 0), 1)
}

// integers finds the values that whole numbers can have: those of the first state, and then what the laws make of all values
// found so far, until there are no more.
func (r *rddlReader) integers(laws []*ground) {
	sizes := func() {
		for slot := range r.states {
			r.space.State[slot].Size = len(r.values[slot])
		}
	}
	sizes()
	for grows := true; grows && !r.failed(); sizes() {
		grows = false
		for slot := range r.states {
			if !r.owner[slot].whole || r.failed() {
				continue
			}
			found := map[float64]bool{}
			for _, v := range r.values[slot] {
				found[v] = true
			}
			r.tabulate(laws[slot], 1, "the law of "+param.Clip(r.labels[slot]), r.owner[slot].law.at, func(x, _ []float64) {
				r.outcomes(laws[slot], x, func(value, p float64, of *ground) {
					if p > 0 && !r.failed() {
						if value != math.Trunc(value) {
							r.fail(r.placeOf(of, slot), "the next value of %s is %v, no whole number", param.Clip(r.labels[slot]), value)
						}
						if found[value] = true; len(found) > mostInteger {
							r.fail(r.owner[slot].at, "%s can have more than %d values; the laws must bound a whole number", param.Clip(r.labels[slot]), mostInteger)
						}
					}
				})
			})
			r.rows = 0
			if len(found) > len(r.values[slot]) {
				r.values[slot] = slices.Sorted(maps.Keys(found))
				grows = true
			}
		}
	}
}

// placeOf returns where a value comes from.
func (r *rddlReader) placeOf(n *ground, slot int) token {
	if n.of != nil {
		return n.of.at
	}
	return r.owner[slot].law.at
}

// naming gives the variables names that formulas have without quotes, where these are different.
func (r *rddlReader) naming() {
	if r.failed() {
		return
	}
	taken := map[string]int{}
	short := make([]string, r.states+r.actions)
	for slot := range short {
		short[slot] = strings.ReplaceAll(r.owner[slot].label(r.index[slot], "_", "_", ""), "-", "_")
		taken[short[slot]]++
	}
	if r.joint {
		taken[actionName]++
	}
	called := func(slot int) string {
		if n := short[slot]; taken[n] == 1 && len(n) <= fmdp.MaxName && formula.Quote(n) == n {
			return n
		}
		return r.labels[slot]
	}
	for slot := range r.states {
		v := &r.space.State[slot]
		v.Name = called(slot)
		v.Values = r.labelled(slot)
	}
	if r.joint {
		for slices.ContainsFunc(r.space.State, func(v fmdp.Variable) bool { return v.Name == r.space.Action[0].Name }) {
			r.space.Action[0].Name += "_"
		}
		return
	}
	for k := range r.space.Action {
		r.space.Action[k].Name = called(r.states + k)
		r.space.Action[k].Values = r.labelled(r.states + k)
	}
}

// labelled returns the labels of the values of a slot, or nil if these are the numbers from 0.
func (r *rddlReader) labelled(slot int) (labels []string) {
	f := r.owner[slot]
	if f.object != nil {
		return f.object.values
	}
	if !f.whole || slices.Equal(r.values[slot], firstNumbers(len(r.values[slot]))) {
		return nil
	}
	for _, v := range r.values[slot] {
		labels = append(labels, fmt.Sprint(v))
	}
	return labels
}

func firstNumbers(n int) (list []float64) {
	for v := range n {
		list = append(list, float64(v))
	}
	return list
}

// law makes the law of state variable j, and its formula if the table is not small.
func (r *rddlReader) law(j int, n *ground, formula *string) fmdp.Factor {
	size := r.space.State[j].Size
	what := "the law of " + param.Clip(r.labels[j])
	at := r.owner[j].law.at
	given, p := r.tabulate(n, size, what, at, func(x, row []float64) {
		r.outcomes(n, x, func(value, p float64, of *ground) {
			k := slices.Index(r.values[j], value)
			if k < 0 {
				if p > 0 && !r.failed() {
					r.fail(r.placeOf(of, j), "the next value of %s is %v, which it cannot have", param.Clip(r.labels[j]), value)
				}
				return
			}
			row[k] += p
		})
	})
	if given == nil {
		given = []int{}
	}
	if len(p) > smallTable*size {
		*formula = r.lawText(j, n, given, len(p)/size)
	}
	return fmdp.Factor{Given: given, Size: size, P: p}
}

// smallTable is how many rows a table has at most that stands in the document although a formula could.
const smallTable = 16

// begin makes the first state.
func (r *rddlReader) begin(m *fmdp.Model) {
	m.First = &fmdp.Start{}
	for slot := range r.states {
		p := make([]float64, len(r.values[slot]))
		p[slices.Index(r.values[slot], r.owner[slot].valueAt(r.index[slot]))] = 1
		m.First.Each = append(m.First.Each, p)
	}
	if n := m.Points(); n <= fmdp.MaxPoints {
		state := make([]int, r.states)
		for slot, p := range m.First.Each {
			state[slot] = slices.Index(p, 1)
		}
		m.First, m.Initial = nil, make([]float64, m.States())
		m.Initial[m.Index(state)] = 1
	}
}

// pay makes the reward factors: the terms of the sum, of which those over the same variables are one.
func (r *rddlReader) pay(f *document.ModelFile) {
	if r.failed() {
		return
	}
	r.inReward = true
	n := r.ground(r.reward, make([]int, r.frame))
	r.inReward = false
	if n.drawn {
		r.fail(r.reward.at, "the reward draws a value")
	}
	groups := map[string][]*ground{}
	var order []string // of the groups
	for _, term := range r.terms(n, 1, nil) {
		scope := map[int]bool{}
		var given []int
		for _, slot := range r.support(term) {
			if i := r.variable(slot); !scope[i] {
				scope[i] = true
				given = append(given, i)
			}
		}
		slices.Sort(given)
		key := fmt.Sprint(given)
		if groups[key] == nil {
			if order = append(order, key); len(order) > fmdp.MaxRewards {
				r.fail(r.reward.at, "the reward has more than %d parts over different variables", fmdp.MaxRewards)
				return
			}
		}
		groups[key] = append(groups[key], term)
	}
	m := f.Model
	var formulas []string
	for _, key := range order {
		sum := r.fold(opAdd, r.reward, groups[key]...)
		given, mean := r.tabulate(sum, 1, "a part of the reward", r.reward.at, func(x, row []float64) { row[0] = r.eval(sum, x) + 0 }) // no −0
		switch {
		case r.failed():
			return
		case !slices.ContainsFunc(mean, func(v float64) bool { return v != 0 }):
			continue
		}
		if given == nil {
			given = []int{}
		}
		text := ""
		if len(mean) > smallTable {
			text = r.valueText(sum, given, len(mean))
		}
		formulas = append(formulas, text)
		m.Reward = append(m.Reward, fmdp.Reward{Given: given, Mean: mean, Scale: 1, Of: -1})
	}
	f.Formulas.Payoffs = formulas
}

// terms appends the terms of a sum, times a factor.
func (r *rddlReader) terms(n *ground, by float64, list []*ground) []*ground {
	switch {
	case !r.made(1, r.reward.at):
		return list
	case n.op == opAdd:
		for _, arg := range n.args {
			list = r.terms(arg, by, list)
		}
		return list
	case n.op == opMul && len(n.args) == 2 && n.args[1].op == opConst && n.args[0].op == opAdd:
		return r.terms(n.args[0], float64(by*n.args[1].value), list)
	}
	return append(list, r.fold(opMul, r.reward, r.constNode(by), n))
}

// end makes the kinds of ends.
func (r *rddlReader) end(m *fmdp.Model) {
	if r.failed() {
		return
	}
	var room budget
	for _, e := range r.final {
		n := r.truth(e, r.ground(e, make([]int, r.frame)))
		given, holds := r.tabulate(n, 1, "the condition of an end", e.at, func(x, row []float64) { row[0] = r.eval(n, x) })
		if r.failed() {
			return
		}
		if slices.ContainsFunc(given, func(i int) bool { return i >= r.states }) {
			r.fail(e.at, "an episode ends in a state; this condition is about an action")
			return
		}
		if len(given) == 0 {
			if holds[0] != 0 {
				r.fail(e.at, "this condition of an end holds in every state, so no episode would begin")
				return
			}
			continue
		}
		states := 0
		for _, is := range holds {
			states += int(is)
		}
		if !room.take(states, len("[],")+len("0,")*len(given)) {
			r.fail(e.at, "the states in which an episode ends take more than %d MiB", document.MaxModel>>20)
			return
		}
		end := fmdp.Ending{Given: given}
		for row, values := range fmdp.Tuples(r.space.Sizes(given)) {
			if holds[row] != 0 {
				end.Is = append(end.Is, slices.Clone(values))
			}
		}
		if len(end.Is) > 0 {
			m.Ends = append(m.Ends, end)
		}
	}
}
