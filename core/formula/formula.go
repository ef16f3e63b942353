// Package formula reads formulas that stand for tables of a model, and tabulates them:
//
//	next stock = min(3, stock + 2*order - demand)   the next value, for certain
//	next = stock with 0.9, max(0, stock - 1)        one of several, each with a probability
//	p = 0.45 + 0.5*regime                           the probabilities of the next value
//	3*min(stock, demand) - order                    a payoff
//	wear = 3 and not repaired                       a condition
//
// # The language
//
// A name is that of a variable and stands for its value, a whole number from 0. A name with other
// characters than letters, digits and _ stands in backquotes; with a prime behind it, it is the next
// value. Numbers are decimal. The operators are, from the loosest to the tightest,
//
//	or   and   not   = == != < <= > >=   + -   * / %   - (of one operand)
//
// and comparisons do not chain. A condition is 1 or 0; every number but 0 counts as true. x % y has
// the sign of y. The functions are min, max (of one or more), abs, floor, ceil, round (halves up) and
// if(condition, then, else), which computes only the branch that it takes; so do "and" and "or". A label in
// double quotes is the value that has it, and stands where that value's variable is compared with it
// or is what a law gives. There are no loops, names of one's own or powers, and all of it has the same bits
// on every machine.
//
// A law of a variable of n values is "next" with values or "p" with probabilities. The last of the
// values needs no probability: it has the rest. Of the probabilities there are n, or the n−1 of the
// values from 1, and value 0 has the rest: so one is that of value 1 of a variable of two.
//
// # Limits
//
// A formula has at most [MaxLength] bytes and is nested at most [maxDepth] deep; the tables of one model
// take at most [MaxWork] steps.
//
// A [Tabulator] belongs to one goroutine. [Rename] and [Quote] may be called by several.
package formula

import (
	"fmt"
	"math"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// Limits.
const (
	MaxLength = 1000    // bytes of a formula
	MaxWork   = 1 << 25 // nodes and results of a row, times rows, of the formulas of one model
	maxDepth  = 50
)

// Error says what is wrong with a formula, and where.
type Error struct {
	Column int    // from 1, in characters; 0 if the reason is of the whole formula
	Reason string // one sentence
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return e.Reason
	}
	return fmt.Sprintf("column %d: %s", e.Column, e.Reason)
}

func fault(column int, format string, args ...any) error {
	return &Error{column, fmt.Sprintf(format, args...)}
}

// Tabulator tabulates the formulas of one model. The zero value with a Space is ready for use.
type Tabulator struct {
	Space *fmdp.Space
	spent int
}

// op is what a node computes of its arguments.
type op byte

const (
	number op = iota
	value     // of variable node.of
	label     // resolved to a number
	add
	subtract
	multiply
	divide
	modulo
	negate
	equal
	unequal
	less
	atMost
	conjunction
	disjunction
	negation
	choice
	least
	most
	absolute
	down
	up
	nearest
)

// node is a part of a formula.
type node struct {
	op     op
	column int
	number float64
	text   string // of a label
	of     int    // the variable: i of X, or d_X + j
	args   []*node
}

// resolve gives labels their values. Target is the variable whose labels may stand here, or −1.
func (t *Tabulator) resolve(n *node, target int) error {
	switch n.op {
	case label:
		if target < 0 {
			return fault(n.column, "the label %q stands for no number here; it is compared with its variable, by =", param.Clip(n.text))
		}
		v := t.Space.Var(target)
		k := slices.Index(v.Values, n.text)
		if k < 0 {
			return fault(n.column, "%q has no value %q", param.Clip(v.Name), param.Clip(n.text))
		}
		n.number = float64(k)
		return nil
	case equal, unequal:
		for k, side := range n.args {
			target := -1
			if other := n.args[1-k]; other.op == value {
				target = other.of
			}
			if err := t.resolve(side, target); err != nil {
				return err
			}
		}
		return nil
	}
	for k, arg := range n.args {
		inner := -1
		if n.op == choice && k > 0 {
			inner = target
		}
		if err := t.resolve(arg, inner); err != nil {
			return err
		}
	}
	return nil
}

// visit calls do for the node and all below it.
func (n *node) visit(do func(*node)) {
	do(n)
	for _, arg := range n.args {
		arg.visit(do)
	}
}

// eval computes the node at a point, which has the values of X and then of Y. A number that is not
// finite is an error.
func (n *node) eval(x []int) (float64, error) {
	switch n.op {
	case number, label:
		return n.number, nil
	case value:
		return float64(x[n.of]), nil
	case choice:
		is, err := n.args[0].eval(x)
		if err != nil {
			return 0, err
		}
		if is != 0 {
			return n.args[1].eval(x)
		}
		return n.args[2].eval(x)
	}
	a, err := n.args[0].eval(x)
	if err != nil {
		return 0, err
	}
	switch n.op {
	case conjunction, disjunction:
		if (a != 0) == (n.op == disjunction) {
			return truth(a != 0), nil
		}
		b, err := n.args[1].eval(x)
		return truth(b != 0), err
	case negate:
		return -a, nil
	case negation:
		return truth(a == 0), nil
	case absolute:
		return math.Abs(a), nil
	case down:
		return math.Floor(a), nil
	case up:
		return math.Ceil(a), nil
	case nearest:
		return math.Floor(a + 0.5), nil
	case least, most:
		for _, arg := range n.args[1:] {
			b, err := arg.eval(x)
			if err != nil {
				return 0, err
			}
			if n.op == least && b < a || n.op == most && b > a {
				a = b
			}
		}
		return a, nil
	}
	b, err := n.args[1].eval(x)
	if err != nil {
		return 0, err
	}
	switch n.op {
	case add:
		a += b
	case subtract:
		a -= b
	case multiply:
		a = float64(a * b)
	case divide, modulo:
		if b == 0 {
			return 0, fault(n.column, "this divides by 0")
		}
		q := a / b
		if n.op == modulo {
			q = a - float64(b*math.Floor(q))
		}
		a = q
	case equal:
		return truth(a == b), nil
	case unequal:
		return truth(a != b), nil
	case less:
		return truth(a < b), nil
	case atMost:
		return truth(a <= b), nil
	default:
		panic("formula: no such operator")
	}
	if math.IsInf(a, 0) || math.IsNaN(a) {
		return 0, fault(n.column, "the result is not finite")
	}
	return a, nil
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Law tabulates the law of Y_j. Its parents are the variables that the formula names, in
// ascending order. The error is an *[Error].
func (t *Tabulator) Law(text string, j int) (fmdp.Factor, error) {
	p, err := newParser(text, t.Space)
	if err != nil {
		return fmdp.Factor{}, err
	}
	l, err := p.law(&t.Space.State[j])
	if err != nil {
		return fmdp.Factor{}, err
	}
	size := t.Space.State[j].Size
	target := -1
	if l.values {
		target = j
	}
	for _, e := range l.exprs {
		if err := t.resolve(e, target); err != nil {
			return fmdp.Factor{}, err
		}
	}
	for _, e := range l.chances {
		if e == nil {
			continue
		}
		if err := t.resolve(e, -1); err != nil {
			return fmdp.Factor{}, err
		}
	}
	if !l.values && len(l.exprs) != size && len(l.exprs) != size-1 {
		return fmdp.Factor{}, fault(l.exprs[0].column, "the formula has %d of the probabilities of the %d values of %q; %d are needed, or those of the %d values from 1", len(l.exprs), size, param.Clip(t.Space.State[j].Name), size, size-1)
	}
	f := fmdp.Factor{Size: size}
	err = t.rows(slices.Concat(l.exprs, l.chances), size, t.Space.X(), "a law is given the variables of this step", &f.Given, func(x []int) error {
		if f.P == nil {
			f.P = make([]float64, 0, t.Space.Rows(f.Given)*size)
		}
		from := len(f.P)
		f.P = f.P[:from+size]
		return l.row(f.P[from:], x, &t.Space.State[j])
	})
	return f, err
}

// Payoffs tabulates the means of a payoff, which may be given variables of the next state. The
// error is an *[Error].
func (t *Tabulator) Payoffs(text string) (given []int, mean []float64, err error) {
	e, err := t.expression(text)
	if err != nil {
		return nil, nil, err
	}
	err = t.rows([]*node{e}, 1, t.Space.X()+t.Space.Y(), "", &given, func(x []int) error {
		v, err := e.eval(x)
		mean = append(mean, v)
		return err
	})
	return given, mean, err
}

// Condition tabulates a condition on the state variables: the given variables, and the rows of their table in which it
// holds. The error is an *[Error].
func (t *Tabulator) Condition(text string) (given []int, holds []bool, err error) {
	return t.condition(text, t.Space.Y(), t.Space.Y(), "state variables")
}

// condition tabulates a condition on the variables before last, of whose rows each takes width numbers. Kind names these
// variables in the error.
func (t *Tabulator) condition(text string, last, width int, kind string) (given []int, holds []bool, err error) {
	e, err := t.expression(text)
	if err != nil {
		return nil, nil, err
	}
	err = t.rows([]*node{e}, width, last, "this is a condition on "+kind, &given, func(x []int) error {
		v, err := e.eval(x)
		holds = append(holds, v != 0)
		return err
	})
	return given, holds, err
}

// Tuples returns the values of the given variables in the rows of their table in which a condition holds.
func Tuples(space *fmdp.Space, given []int, holds []bool) (is [][]int) {
	count := 0
	for _, holds := range holds {
		if holds {
			count++
		}
	}
	n := len(given)
	values := make([]int, count*n)
	is = make([][]int, 0, count)
	for row, tuple := range fmdp.Tuples(space.Sizes(given)) {
		if row == len(holds) { // of a condition with an error
			break
		}
		if holds[row] {
			is = append(is, values[:n:n])
			copy(values, tuple)
			values = values[n:]
		}
	}
	return is
}

// Actions returns the joint actions that a condition on state and action variables allows. The error is an *[Error] or,
// if there are none in some state or too many, a *[fmdp.Fault].
func (t *Tabulator) Actions(text string) (*fmdp.Legal, error) {
	all := 1
	for _, v := range t.Space.Action {
		if v.Size > fmdp.MaxPoints/all {
			return nil, fault(0, "the action variables have more than %d joint actions, legal or not", fmdp.MaxPoints)
		}
		all *= v.Size
	}
	given, holds, err := t.condition(text, t.Space.X(), len(t.Space.Action), "the state and the action")
	if err != nil {
		return nil, err
	}
	return fmdp.LegalIn(t.Space, given, holds, text)
}

func (t *Tabulator) expression(text string) (*node, error) {
	p, err := newParser(text, t.Space)
	if err != nil {
		return nil, err
	}
	e, err := p.whole()
	if err != nil {
		return nil, err
	}
	return e, t.resolve(e, -1)
}

// rows calls visit at each row of the table of the expressions, after it has written the given variables,
// which must be below last. A row takes width numbers. A nil expression is passed over.
func (t *Tabulator) rows(exprs []*node, width, last int, of string, given *[]int, visit func(x []int) error) error {
	size, seen := width, make([]bool, t.Space.X()+t.Space.Y())
	var wrong *node
	for _, e := range exprs {
		if e == nil {
			continue
		}
		e.visit(func(n *node) {
			size++
			if n.op == value {
				seen[n.of] = true
				if n.of >= last && wrong == nil {
					wrong = n
				}
			}
		})
	}
	if wrong != nil {
		return fault(wrong.column, "%q cannot stand here: %s", t.Space.NameOf(wrong.of), of)
	}
	*given = []int{}
	for i, is := range seen {
		if is {
			*given = append(*given, i)
		}
	}
	if len(*given) > bigraph.MaxX {
		return fault(0, "the formula names %d variables, more than %d", len(*given), bigraph.MaxX)
	}
	rows := t.Space.Rows(*given)
	if rows > (MaxWork-t.spent)/max(size, 1) {
		return fault(0, "the formula has %d parts and results for each of %s rows; the formulas of a model may have %d in all", size, fmdp.Saturated(rows), MaxWork)
	}
	t.spent += rows * size
	x := make([]int, len(seen))
	for _, values := range fmdp.Tuples(t.Space.Sizes(*given)) {
		for k, i := range *given {
			x[i] = values[k]
		}
		if err := visit(x); err != nil {
			return t.at(err, *given, x)
		}
	}
	return nil
}

// at says in an error for which values it is.
func (t *Tabulator) at(err error, given, x []int) error {
	e := err.(*Error)
	for k, i := range given {
		sign := ", "
		if k == 0 {
			sign = " (for "
		}
		e.Reason += fmt.Sprintf("%s%s = %s", sign, param.Clip(t.Space.NameOf(i)), param.Clip(t.Space.Var(i).Label(x[i])))
	}
	if len(given) > 0 {
		e.Reason += ")"
	}
	return e
}

// law is a parsed law.
type law struct {
	values  bool    // exprs are values; else they are probabilities
	exprs   []*node // of each branch
	chances []*node // of each branch; nil for one that has the rest
}

// row computes a row of the table, which is 0 so far.
func (l *law) row(row []float64, x []int, v *fmdp.Variable) error {
	if !l.values {
		sum := 0.0
		first := len(row) - len(l.exprs)
		for k, e := range l.exprs {
			p, err := chance(e, x)
			if err != nil {
				return err
			}
			row[first+k] = p
			sum += p
		}
		return settle(row, sum, first, l.exprs[0].column)
	}
	sum, rest := 0.0, -1
	for k, e := range l.exprs {
		next, err := e.eval(x)
		if err != nil {
			return err
		}
		to := int(next)
		if !(next >= 0 && next < float64(v.Size)) || float64(to) != next {
			return fault(e.column, "the next value is %v; %q has the whole values 0 to %d", next, param.Clip(v.Name), v.Size-1)
		}
		if l.chances[k] == nil {
			rest = to
			continue
		}
		p, err := chance(l.chances[k], x)
		if err != nil {
			return err
		}
		row[to] += p
		sum += p
	}
	if rest < 0 {
		return settle(row, sum, 0, l.exprs[0].column)
	}
	left := 1 - sum
	if left < -fmdp.Tolerance(len(row)) {
		return fault(l.chances[0].column, "the probabilities sum to %v, more than 1", sum)
	}
	row[rest] += max(left, 0)
	return nil
}

// settle gives value 0 the rest if its probability is not stated, and else checks the sum.
func settle(row []float64, sum float64, unstated, column int) error {
	switch within := fmdp.Tolerance(len(row)); {
	case unstated == 1 && sum <= 1+within:
		row[0] = max(1-sum, 0)
	case unstated == 1:
		return fault(column, "the probabilities sum to %v, more than 1", sum)
	case math.Abs(sum-1) > within:
		return fault(column, "the probabilities sum to %v, not to 1", sum)
	}
	return nil
}

func chance(e *node, x []int) (float64, error) {
	p, err := e.eval(x)
	if err == nil && !(p >= -fmdp.SumTolerance && p <= 1+fmdp.SumTolerance) {
		err = fault(e.column, "the probability is %v; it must be from 0 to 1", p)
	}
	return min(max(p, 0), 1), err
}
