package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/formula"
	"cpsrl/core/param"
)

// restrict says which joint actions are legal: at most so many that differ from their defaults, and what the constraints
// allow, which may be by state.
func (r *rddlReader) restrict(must []condition) {
	if r.failed() {
		return
	}
	byState := slices.ContainsFunc(must, func(c condition) bool { return c.slots[0] < r.states })
	at := r.heads["instance"]
	bounded := !r.joint && r.most >= 0 && r.most < r.actions
	switch {
	case byState:
		r.byState(must, bounded)
	case bounded || len(must) > 0:
		defaults := make([]int, r.actions)
		for k := range defaults {
			defaults[k] = slices.Index(r.values[r.states+k], r.owner[r.states+k].value)
		}
		most := r.actions
		if bounded {
			most = r.most
		}
		legal, err := fmdp.NewAtMost(r.space.Action, most, defaults)
		if !r.checked(at, err) {
			return
		}
		if len(must) > 0 {
			var list [][]int
			x := r.defaults()
			for _, values := range legal.List() {
				for k, v := range values {
					x[r.states+k] = r.values[r.states+k][v]
				}
				if !slices.ContainsFunc(must, func(c condition) bool { return r.eval(c.is, x) == 0 }) {
					list = append(list, values)
				}
			}
			if legal, err = fmdp.NewLegal(r.space.Action, list); !r.checked(at, err) {
				return
			}
		}
		if !legal.All() {
			r.space.Legal = legal
		}
	}
}

// byState is restrict for constraints that depend on the state. The document says them by a formula.
func (r *rddlReader) byState(must []condition, bounded bool) {
	at := r.heads["instance"]
	var rules []string
	length := 0
	if r.joint {
		// For each action, what it needs.
		x := r.defaults()
		for v, slot := range r.doing {
			if slot >= 0 {
				x[slot] = 1 - x[slot]
			}
			var needs []*ground
			done := map[*ground]*ground{}
			for _, c := range must {
				needs = append(needs, r.doingIs(c.is, x, done))
			}
			if slot >= 0 {
				x[slot] = 1 - x[slot]
			}
			if n := r.fold(opAnd, r.reward, needs...); !n.is(1) {
				w := &groundText{r: r}
				w.write(n, textOr)
				rules = append(rules, fmt.Sprintf("(%s != %d or %s)", formula.Quote(r.space.Action[0].Name), v, w.String()))
				if length += len(rules[len(rules)-1]); length > formula.MaxLength {
					break
				}
			}
		}
	} else {
		for _, c := range must {
			w := &groundText{r: r}
			w.write(c.is, textAnd)
			rules = append(rules, w.String())
		}
		if bounded {
			var parts []string
			for k := range r.space.Action {
				if slot := r.states + k; r.bools[slot] && r.owner[slot].value == 0 {
					parts = append(parts, formula.Quote(r.space.Action[k].Name))
				} else {
					parts = append(parts, fmt.Sprintf("(%s != %d)", formula.Quote(r.space.Action[k].Name), slices.Index(r.values[slot], r.owner[slot].value)))
				}
			}
			rules = append(rules, strings.Join(parts, " + ")+" <= "+strconv.Itoa(r.most))
		}
	}
	if len(rules) == 0 || r.failed() { // under each action the constraints always hold
		return
	}
	rule := strings.Join(rules, " and ")
	if strings.Contains(rule, unwritten) || len(rule) > formula.MaxLength {
		r.fail(must[0].is.of.at, "which actions are legal depends on the state in a way that takes more than %d bytes as a formula", formula.MaxLength)
		return
	}
	legal, err := (&formula.Tabulator{Space: &r.space}).Actions(rule)
	if err != nil {
		r.fail(at, "%s", param.Cut(err.Error(), 300))
		return
	}
	r.space.Legal = legal
}

// doingIs returns a part in which the actions have their values. What is done already is kept in done.
func (r *rddlReader) doingIs(n *ground, x []float64, done map[*ground]*ground) *ground {
	switch {
	case n.op == opSlot && n.slot >= r.states && n.slot < r.states+r.actions:
		return r.constNode(x[n.slot])
	case len(n.args) == 0:
		return n
	case done[n] != nil:
		return done[n]
	case !r.made(1+len(n.args), n.of.at):
		return r.zero
	}
	args := make([]*ground, len(n.args))
	for k, arg := range n.args {
		args[k] = r.doingIs(arg, x, done)
	}
	done[n] = r.fold(n.op, n.of, args...)
	return done[n]
}

// groundText writes a part as a formula of a document.
type groundText struct {
	r *rddlReader
	strings.Builder
	parts int // nodes of the formula
}

// unwritten stands for what no formula says.
const unwritten = "\x00"

// add writes text, unless the formula is too long already.
func (w *groundText) add(text ...string) {
	for _, t := range text {
		if w.Len() <= formula.MaxLength {
			w.WriteString(t)
		}
	}
}

// text returns the formula, or "" if there is none.
func (w *groundText) text() string {
	if w.Len() > formula.MaxLength || strings.Contains(w.String(), unwritten) {
		return ""
	}
	return w.String()
}

// Levels of the operators of formulas.
const (
	textOr = iota + 1
	textAnd
	textNot
	textCompare
	textAdd
	textMul
	textAtom
)

// write writes a part where an operator of at least that level may stand.
func (w *groundText) write(n *ground, level int) {
	if w.Len() > formula.MaxLength {
		return
	}
	w.parts++
	own := map[groundOp]int{opAdd: textAdd, opMul: textMul, opDiv: textMul, opAnd: textAnd, opOr: textOr, opNot: textNot, opEqual: textCompare, opUnequal: textCompare, opLess: textCompare, opAtMost: textCompare}[n.op]
	if n.op == opConst && n.value < 0 {
		own = textAdd
	}
	if n.op == opSlot && w.r.isJoint(n.slot) {
		own = textCompare
	}
	if own > 0 && own < level {
		w.add("(")
		defer w.add(")")
	}
	infix := func(by string, levels ...int) {
		for k, arg := range n.args {
			if k > 0 {
				w.add(by)
			}
			w.write(arg, levels[min(k, len(levels)-1)])
		}
	}
	called := func(name string) {
		w.add(name, "(")
		infix(", ", textOr)
		w.add(")")
	}
	switch n.op {
	case opConst:
		w.add(strconv.FormatFloat(n.value, 'g', -1, 64))
	case opSlot:
		w.slot(n.slot)
	case opAdd:
		for k, arg := range n.args {
			switch last := len(arg.args) - 1; {
			case k == 0:
				w.write(arg, textAdd)
			case arg.op == opConst && arg.value < 0:
				w.add(" - ", strconv.FormatFloat(-arg.value, 'g', -1, 64))
			case arg.op == opMul && last == 1 && arg.args[last].is(-1):
				w.add(" - ")
				w.write(arg.args[0], textMul)
			default:
				w.add(" + ")
				w.write(arg, textMul)
			}
		}
	case opMul:
		if last := len(n.args) - 1; last == 1 && n.args[last].is(-1) {
			w.add("-")
			w.write(n.args[0], textAtom)
			return
		}
		infix("*", textMul, textAtom)
	case opDiv:
		infix("/", textMul, textAtom)
	case opAnd:
		infix(" and ", textAnd, textNot)
	case opOr:
		infix(" or ", textOr, textAnd)
	case opNot:
		w.add("not ")
		w.write(n.args[0], textCompare)
	case opEqual, opUnequal, opLess, opAtMost:
		infix(map[groundOp]string{opEqual: " = ", opUnequal: " != ", opLess: " < ", opAtMost: " <= "}[n.op], textAdd)
	case opIf:
		called("if")
	case opMin:
		called("min")
	case opMax:
		called("max")
	case opCall:
		if !slices.Contains([]string{"abs", "floor", "ceil", "round"}, n.of.op) {
			w.add(unwritten)
			return
		}
		called(n.of.op)
	default:
		w.add(unwritten)
	}
}

// isJoint reports whether a slot is one of the actions that one variable holds.
func (r *rddlReader) isJoint(slot int) bool {
	return r.joint && slot >= r.states && slot < r.states+r.actions
}

// slot writes the value of a fluent.
func (w *groundText) slot(slot int) {
	r := w.r
	if r.isJoint(slot) {
		v := slices.Index(r.doing, slot)
		v0 := " = "
		if r.owner[slot].value != 0 {
			v0 = " != "
		}
		w.parts += 2
		if v < 0 {
			w.add(unwritten)
			return
		}
		w.add(formula.Quote(r.space.Action[0].Name), v0, `"`, r.space.Action[0].Values[v], `"`)
		return
	}
	of, prime := slot, ""
	if slot >= r.states+r.actions {
		of, prime = slot-r.states-r.actions, fmdp.Prime
	}
	if !slices.Equal(r.values[of], firstNumbers(len(r.values[of]))) {
		w.add(unwritten)
		return
	}
	i := r.variable(of)
	w.add(formula.Quote(r.space.Var(i).Name), prime)
}

// spend counts what a formula takes of what the formulas of a model may take.
func (r *rddlReader) spend(w *groundText, n *ground, given []int, rows, size int) string {
	text := w.text()
	var named []int
	for _, slot := range r.support(n) {
		if i := r.variable(slot); !slices.Contains(named, i) {
			named = append(named, i)
		}
	}
	if text == "" || len(named) != len(given) {
		return ""
	}
	if work := fmdp.Times(rows, 2*w.parts+size); work <= mostWork-r.work {
		r.work += work
		return text
	}
	return ""
}

// valueText returns the formula of a payoff, or "".
func (r *rddlReader) valueText(n *ground, given []int, rows int) string {
	w := &groundText{r: r}
	w.write(n, textOr)
	return r.spend(w, n, given, rows, 1)
}

// lawText returns the formula of the law of state variable j, or "".
func (r *rddlReader) lawText(j int, n *ground, given []int, rows int) string {
	w := &groundText{r: r}
	size := len(r.values[j])
	switch {
	case !slices.Equal(r.values[j], firstNumbers(size)):
		return ""
	case size == 2:
		w.add("p = ")
		w.chance(n, 1)
	case !n.drawn:
		w.add("next = ")
		w.write(n, textOr)
	default:
		w.add("p = ")
		for v := 1; v < size; v++ {
			if v > 1 {
				w.add(", ")
			}
			w.chance(n, float64(v))
		}
	}
	return r.spend(w, n, given, rows, size)
}

// chance writes the probability of a value.
func (w *groundText) chance(n *ground, value float64) {
	if w.Len() > formula.MaxLength {
		return
	}
	w.parts++
	switch {
	case n.op == opIf && n.drawn:
		w.add("if(")
		w.write(n.args[0], textOr)
		w.add(", ")
		w.chance(n.args[1], value)
		w.add(", ")
		w.chance(n.args[2], value)
		w.add(")")
	case n.op == opBernoulli && value == 1:
		w.write(n.args[0], textOr)
	case n.op == opDiscrete:
		for k := 0; k < len(n.args); k += 2 {
			if n.args[k].value == value {
				w.write(n.args[k+1], textOr)
				return
			}
		}
		w.add("0")
	case n.op == opConst:
		w.add(strconv.FormatFloat(truthNumber(n.value == value), 'g', -1, 64))
	case value == 1 && n.truth:
		w.write(n, textOr)
	default:
		w.write(n, textAdd)
		w.add(" = ", strconv.FormatFloat(value, 'g', -1, 64))
	}
}
