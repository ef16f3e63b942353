package format

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/internal/loops"
	"cpsrl/core/param"
)

// groundOp is what a grounded expression computes.
type groundOp byte

const (
	opConst groundOp = iota
	opSlot           // the value of a fluent
	opAdd            // of any number
	opMul
	opDiv
	opAnd
	opOr
	opNot
	opEqual
	opUnequal
	opLess
	opAtMost
	opIf
	opMin
	opMax
	opCall
	opBernoulli
	opDiscrete
)

// ground is an expression in which objects and all that does not change are filled in. Parts are shared.
type ground struct {
	op    groundOp
	drawn bool // it is the law of a value, not a value
	slot  int
	value float64
	args  []*ground
	of    *rddlExpr
	level int  // of what stands in it
	truth bool // its value is 0 or 1 for certain
}

// grounder fills in objects.
type grounder struct {
	frame    int // slots of variables over objects
	inReward bool
	grounds  int // parts that were made: see mostGrounds
	nodes    int // see mostNodes
	steps    int // of making tables
	nesting  int // of the expression that is filled in
	zero     *ground
	one      *ground
	slots    []*ground

	rddlSpace
}

// resolve finds what all names of the file stand for.
func (r *rddlReader) resolve() {
	if r.failed() {
		return
	}
	domain := r.heads["domain"]
	for _, block := range []string{"non-fluents", "instance"} {
		if of, has := r.of[block]; has && of.text != domain.text {
			r.fail(of, "this is of the domain %q; the domain is %q", param.Clip(of.text), param.Clip(domain.text))
		}
	}
	if of, has := r.of["non-fluents of instance"]; has && !r.failed() {
		if named, is := r.heads["non-fluents"]; !is || named.text != of.text {
			r.fail(of, "there are no non-fluents named %q", param.Clip(of.text))
		}
	}
	for _, list := range r.lists {
		t := r.types[list.of.text]
		switch {
		case r.failed():
			return
		case t == nil || t.enum:
			r.fail(list.of, "there is no type of objects %q", param.Clip(list.of.text))
			return
		}
		for _, value := range list.values {
			t.add(r.constant(value))
			r.room(value, len(t.values))
		}
	}
	r.among = map[string][]*rddlType{}
	for _, t := range r.order {
		for _, value := range t.values {
			r.among[value] = append(r.among[value], t)
		}
	}
	r.zero, r.one = &ground{truth: true}, &ground{value: 1, truth: true}
	for _, f := range r.declared {
		r.resolveDeclaration(f)
	}
	for _, l := range r.laws {
		r.attach(l)
	}
	r.give(r.fixed, nonFluent)
	r.give(r.initial, stateFluent)
	if r.failed() {
		return
	}
	for _, f := range r.declared {
		if f.law == nil && (f.kind == stateFluent || f.kind == intermFluent) {
			r.fail(f.at, "%q has no law in cpfs", param.Clip(f.name))
			return
		}
		if f.law != nil {
			var scope rddlScope
			for k, p := range f.names {
				scope = append(scope, rddlVar{name: p, typ: f.types[k], slot: k})
			}
			r.frame = max(r.frame, len(scope))
			r.resolveExpr(f.law, scope, f.object)
			if !r.failed() && f.law.object != f.object {
				r.fail(f.law.at, "the law of %q gives a value of %s; it must be of %s", param.Clip(f.name), typeName(f.law.object), typeName(f.object))
			}
		}
	}
	for _, list := range [][]*rddlExpr{r.must, r.final} {
		for _, e := range list {
			r.resolveExpr(e, nil, nil)
		}
	}
	if r.reward == nil {
		r.fail(domain, "the domain has no reward")
		return
	}
	r.inReward = true
	r.resolveExpr(r.reward, nil, nil)
	r.inReward = false
}

// resolveDeclaration finds the types of a fluent.
func (r *rddlReader) resolveDeclaration(f *rddlFluent) {
	if r.failed() {
		return
	}
	f.total = 1
	for _, of := range f.params {
		t := r.types[of.text]
		if t == nil {
			r.fail(of, "there is no type %q", param.Clip(of.text))
			return
		}
		f.types = append(f.types, t)
		if f.total *= int64(len(t.values)); f.total > 1<<40 {
			r.fail(f.at, "%q has more than 2⁴⁰ groundings", param.Clip(f.name))
			return
		}
	}
	switch {
	case f.of.is("bool"):
	case f.of.is("int"):
		f.whole = true
	case f.of.is("real"):
		if f.real = true; f.kind == stateFluent || f.kind == actionFluent {
			r.fail(f.of, "%q has real values; the fluents of a model that change have few values", param.Clip(f.name))
		}
	default:
		if f.object = r.types[f.of.text]; f.object == nil {
			r.fail(f.of, "there is no type %q", param.Clip(f.of.text))
			return
		}
	}
	if f.hasValue {
		f.value = r.valueFor(f.given, f)
	}
	if f.kind == actionFluent && f.whole {
		r.fail(f.of, "the action %q is a whole number without bounds; actions are Boolean or have listed values", param.Clip(f.name))
	}
}

// valueFor returns a constant as a value of a fluent.
func (r *rddlReader) valueFor(v rddlValue, f *rddlFluent) float64 {
	if f.object == nil && !f.real && !f.whole && !r.failed() {
		if x := r.valueOf(v, nil); x == 0 || x == 1 {
			return x
		}
		r.fail(v.at, "%q is not true or false, as %q is", param.Clip(v.text), param.Clip(f.name))
		return 0
	}
	x := r.valueOf(v, f.object)
	if f.whole && x != math.Trunc(x) {
		r.fail(v.at, "%v is no whole number, as %q is", x, param.Clip(f.name))
	}
	return x
}

// valueOf returns a constant as an object of a type or, if that is nil, as a number or a truth value.
func (r *rddlReader) valueOf(v rddlValue, t *rddlType) float64 {
	if r.failed() {
		return 0
	}
	if t != nil {
		k, has := t.index[strings.TrimLeft(v.text, "@$")]
		if !has {
			r.fail(v.at, "there is no %q among the objects of %s", param.Clip(v.text), typeName(t))
		}
		return float64(k)
	}
	x, is := numberOf(v.text)
	switch {
	case v.text == "true" || v.text == "false":
		if v.text == "true" {
			x = 1
		}
	case !is:
		r.fail(v.at, "%q is no number", param.Clip(v.text))
	}
	if v.minus {
		x = -x
	}
	return x
}

// attach gives a law to its fluent.
func (r *rddlReader) attach(l rddlLaw) {
	f := r.fluents[l.at.text]
	switch {
	case r.failed():
	case f == nil:
		r.fail(l.at, "there is no fluent %q", param.Clip(l.at.text))
	case f.kind != stateFluent && f.kind != intermFluent:
		r.fail(l.at, "%q is a %s, which has no law", param.Clip(f.name), f.kind)
	case f.law != nil:
		r.fail(l.at, "a second law of %q", param.Clip(f.name))
	case len(l.names) != len(f.params):
		r.fail(l.at, "%q has %s here; it takes %d", param.Clip(f.name), param.Count(len(l.names), "parameter"), len(f.params))
	default:
		for k, p := range l.names {
			if slices.ContainsFunc(l.names[:k], func(q token) bool { return q.text == p.text }) {
				r.fail(p, "a second parameter is named %q", param.Clip(p.text))
			}
		}
		f.law, f.names = l.body, l.names
	}
}

// give gives fluents of a kind the values of the instance.
func (r *rddlReader) give(list []assigned, kind string) {
	for _, a := range list {
		f := r.fluents[a.at.text]
		switch {
		case r.failed():
			return
		case f == nil:
			r.fail(a.at, "there is no fluent %q", param.Clip(a.at.text))
			return
		case f.kind != kind:
			r.fail(a.at, "%q is a %s; a %s was expected", param.Clip(f.name), f.kind, kind)
			return
		case len(a.args) != len(f.types):
			r.fail(a.at, "%q has %s here; it takes %d", param.Clip(f.name), param.Count(len(a.args), "argument"), len(f.types))
			return
		case a.plain && (f.object != nil || f.whole || f.real):
			r.fail(a.at, "%q has no value here", param.Clip(f.name))
			return
		}
		index := int64(0)
		for k, arg := range a.args {
			index = index*int64(len(f.types[k].values)) + int64(r.valueOf(rddlValue{at: arg, text: arg.text}, f.types[k]))
		}
		value := 1.0
		if a.off {
			value = 0
		}
		if !a.plain {
			value = r.valueFor(a.value, f)
		}
		f.set[index] = value
	}
}

// valueAt returns the value of grounding k as the instance says it.
func (f *rddlFluent) valueAt(k int64) float64 {
	if v, has := f.set[k]; has {
		return v
	}
	return f.value
}

// label returns the name of grounding k: running(c1).
func (f *rddlFluent) label(k int64, open, between, closed string) string {
	if len(f.types) == 0 {
		return f.name
	}
	args := make([]string, len(f.types))
	for i := len(args) - 1; i >= 0; i-- {
		n := int64(len(f.types[i].values))
		args[i], k = f.types[i].values[k%n], k/n
	}
	return f.name + open + strings.Join(args, between) + closed
}

// made counts parts that are made when objects are filled in. It reports whether there may be more.
func (r *rddlReader) made(parts int, at token) bool {
	if parts > mostGrounds-r.grounds {
		r.fail(at, "the expressions have more than %d parts when objects are filled in", mostGrounds)
		return false
	}
	r.grounds += parts
	return !r.failed()
}

// computed counts steps of making tables. It reports whether there may be more.
func (r *rddlReader) computed(steps int, at token) bool {
	if steps > mostSteps-r.steps {
		r.fail(at, "the tables of this problem take more than %d steps", mostSteps)
		return false
	}
	r.steps += steps
	return !r.failed()
}

// node keeps a new part.
func (r *rddlReader) node(n ground) *ground {
	switch n.op {
	case opAnd, opOr, opNot, opEqual, opUnequal, opLess, opAtMost:
		n.truth = true
	case opIf:
		n.truth = n.args[1].truth && n.args[2].truth
	}
	for _, arg := range n.args {
		n.level = max(n.level, arg.level+1)
		if arg.drawn && n.op != opIf && !r.failed() {
			r.fail(arg.of.at, "this draws a value inside of an expression; the branches of a law draw, and nothing computes with what they drew")
		}
	}
	if r.nodes++; r.nodes > mostNodes {
		r.fail(n.of.at, "the expressions over all objects have more than %d parts", mostNodes)
		return r.zero
	}
	if n.level > mostLevel {
		r.fail(n.of.at, "more than %d expressions stand in each other, with objects filled in", mostLevel)
		return r.zero
	}
	return &n
}

// mostLevel is how deep expressions may stand in each other when objects and intermediate fluents are filled in.
const mostLevel = 2000

func (r *rddlReader) constNode(v float64) *ground {
	switch {
	case v == 0:
		return r.zero
	case v == 1:
		return r.one
	}
	return &ground{value: v} // neither 0 nor 1
}

func (n *ground) is(v float64) bool { return n.op == opConst && n.value == v }

func truthNumber(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// fold returns a part whose arguments are grounded, as short as what is constant in it makes it.
func (r *rddlReader) fold(op groundOp, of *rddlExpr, args ...*ground) *ground {
	if r.failed() {
		return r.zero
	}
	constant := true
	for _, arg := range args {
		constant = constant && arg.op == opConst
	}
	switch op {
	case opIf:
		if args[0].op == opConst {
			if args[0].value != 0 {
				return args[1]
			}
			return args[2]
		}
		if args[1] == args[2] || args[1].op == opConst && args[2].is(args[1].value) {
			return args[1]
		}
		if args[0].drawn {
			r.fail(of.at, "the condition of this if draws a value")
		}
		return r.node(ground{op: op, of: of, args: args, drawn: args[1].drawn || args[2].drawn})
	case opAdd, opMul, opAnd, opOr, opMin, opMax:
		return r.foldMany(op, of, args)
	}
	n := r.node(ground{op: op, of: of, args: args})
	if constant && !r.failed() {
		return r.constNode(r.eval(n, nil))
	}
	return n
}

// foldMany is fold for an operator of any number of arguments in any order.
func (r *rddlReader) foldMany(op groundOp, of *rddlExpr, args []*ground) *ground {
	var rest []*ground
	neutral := map[groundOp]float64{opMul: 1, opAnd: 1}[op]
	total, constant := neutral, false
	add := func(arg *ground) {
		if arg.op != opConst {
			rest = append(rest, arg)
			return
		}
		v := arg.value
		switch op {
		case opAdd:
			total += v
		case opMul:
			total = float64(total * v)
		case opAnd:
			total = truthNumber(total != 0 && v != 0)
		case opOr:
			total = truthNumber(total != 0 || v != 0)
		case opMin:
			if !constant || v < total {
				total = v
			}
		case opMax:
			if !constant || v > total {
				total = v
			}
		}
		constant = true
	}
	for _, arg := range args {
		if arg.op != op || op == opMin || op == opMax {
			add(arg)
			continue
		}
		if !r.made(len(arg.args), of.at) {
			return r.zero
		}
		for _, inner := range arg.args {
			add(inner)
		}
	}
	switch {
	case !finite(total):
		r.fail(of.at, notFinite)
		return r.zero
	case len(rest) == 0, op == opMul && total == 0, op == opAnd && constant && total == 0, op == opOr && constant && total != 0:
		return r.constNode(total)
	case constant && (op == opMin || op == opMax) || total != neutral && (op == opAdd || op == opMul):
		rest = append(rest, r.constNode(total))
	}
	if len(rest) == 1 {
		if op == opAnd || op == opOr {
			return r.truth(of, rest[0])
		}
		return rest[0]
	}
	return r.node(ground{op: op, of: of, args: rest})
}

// notFinite refuses what is computed from numbers that are.
const notFinite = "the result is not finite"

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// ground fills in the objects of an expression.
func (r *rddlReader) ground(e *rddlExpr, env []int) *ground {
	if r.nesting++; r.nesting > mostLevel {
		r.fail(e.at, "more than %d expressions stand in each other, with objects filled in", mostLevel)
	}
	defer func() { r.nesting-- }()
	if !r.made(1, e.at) {
		return r.zero
	}
	list := func() []*ground {
		args := make([]*ground, len(e.args))
		for k, arg := range e.args {
			args[k] = r.ground(arg, env)
		}
		return args
	}
	switch e.op {
	case exprNumber, exprObject:
		return r.constNode(e.value)
	case exprVariable:
		return r.constNode(float64(env[e.vars[0].slot]))
	case exprFluent:
		return r.groundFluent(e, env)
	case exprMinus:
		return r.fold(opMul, e, r.constNode(-1), r.ground(e.args[0], env))
	case "+":
		return r.fold(opAdd, e, list()...)
	case "*", "^", "|":
		op := map[string]groundOp{"*": opMul, "^": opAnd, "|": opOr}[e.op]
		var args []*ground
		for _, arg := range e.args {
			n := r.ground(arg, env)
			if n.op == opConst && (n.value != 0) == (op == opOr) { // what follows makes no difference
				return r.fold(op, e, n)
			}
			args = append(args, n)
		}
		return r.fold(op, e, args...)
	case "/":
		return r.fold(opDiv, e, list()...)
	case "~":
		return r.not(e, r.ground(e.args[0], env))
	case "=>":
		a := r.not(e, r.ground(e.args[0], env))
		if a.is(1) {
			return a
		}
		return r.fold(opOr, e, a, r.ground(e.args[1], env))
	case "<=>":
		a, b := r.truth(e, r.ground(e.args[0], env)), r.truth(e, r.ground(e.args[1], env))
		return r.fold(opEqual, e, a, b)
	case "==":
		return r.fold(opEqual, e, list()...)
	case "~=", "!=":
		return r.fold(opUnequal, e, list()...)
	case "<":
		return r.fold(opLess, e, list()...)
	case "<=":
		return r.fold(opAtMost, e, list()...)
	case ">":
		return r.fold(opLess, e, r.ground(e.args[1], env), r.ground(e.args[0], env))
	case ">=":
		return r.fold(opAtMost, e, r.ground(e.args[1], env), r.ground(e.args[0], env))
	case exprBinaryIf:
		is := r.ground(e.args[0], env)
		if is.op == opConst {
			if is.value != 0 {
				return r.ground(e.args[1], env)
			}
			return r.ground(e.args[2], env)
		}
		return r.fold(opIf, e, is, r.ground(e.args[1], env), r.ground(e.args[2], env))
	case "switch":
		return r.groundSwitch(e, env)
	case "KronDelta", "DiracDelta":
		return r.ground(e.args[0], env)
	case "Bernoulli":
		p := r.ground(e.args[0], env)
		if p.is(0) || p.is(1) {
			return p
		}
		return r.node(ground{op: opBernoulli, of: e, args: []*ground{p}, drawn: true})
	case "Discrete":
		return r.groundDiscrete(e, list())
	case "min", "max":
		return r.fold(map[string]groundOp{"min": opMin, "max": opMax}[e.op], e, list()...)
	}
	if strings.HasSuffix(e.op, "_") {
		return r.quantified(e, env)
	}
	return r.fold(opCall, e, list()...)
}

func (r *rddlReader) not(e *rddlExpr, n *ground) *ground {
	if n.op == opNot && n.args[0].truth {
		return n.args[0]
	}
	return r.fold(opNot, e, n)
}

// truth returns a part as 0 or 1.
func (r *rddlReader) truth(e *rddlExpr, n *ground) *ground {
	if n.truth {
		return n
	}
	return r.fold(opUnequal, e, n, r.zero)
}

// quantified fills in the objects of a sum or the like.
func (r *rddlReader) quantified(e *rddlExpr, env []int) *ground {
	total := 1
	for _, v := range e.vars {
		total = fmdp.Times(total, len(v.typ.values))
	}
	if total > mostGrounds-r.grounds {
		r.fail(e.at, "%q is over %s groundings; all of a problem may have %d", e.at.text, fmdp.Saturated(total), mostGrounds)
		return r.zero
	}
	var op groundOp
	stop := math.NaN()
	switch e.at.text {
	case "sum", "avg":
		op = opAdd
	case "prod":
		op, stop = opMul, 0
	case "forall":
		op, stop = opAnd, 0
	case "exists":
		op, stop = opOr, 1
	case "min":
		op = opMin
	case "max":
		op = opMax
	}
	var args []*ground
	for _, v := range e.vars {
		env[v.slot] = 0
	}
	for range total {
		arg := r.ground(e.args[0], env)
		if r.failed() {
			return r.zero
		}
		if arg.is(stop) {
			return arg
		}
		args = append(args, arg)
		for k := len(e.vars) - 1; k >= 0; k-- {
			v := &e.vars[k]
			if env[v.slot]++; env[v.slot] < len(v.typ.values) {
				break
			}
			env[v.slot] = 0
		}
	}
	if len(args) == 0 && (op == opMin || op == opMax || e.at.text == "avg") {
		r.fail(e.at, "there is no object over which %q could be", e.at.text)
		return r.zero
	}
	n := r.fold(op, e, args...)
	if e.at.text == "avg" {
		n = r.fold(opDiv, e, n, r.constNode(float64(total)))
	}
	return n
}

// groundSwitch makes a switch a chain of ifs.
func (r *rddlReader) groundSwitch(e *rddlExpr, env []int) *ground {
	of := r.ground(e.args[0], env)
	if !r.made(len(e.cases), e.at) {
		return r.zero
	}
	n, last := r.zero, e.rest
	switch t := e.args[0].object; {
	case last >= 0:
	case t != nil && len(e.values) == len(t.values), of.truth && len(e.values) == 2 && slices.Contains(e.values, 0) && slices.Contains(e.values, 1):
		last = len(e.values) - 1 // the cases are all that there are
	case of.op != opConst || !slices.Contains(e.values, of.value):
		r.fail(e.at, "the switch has no case for some value, and no default")
		return r.zero
	}
	if last >= 0 {
		n = r.ground(e.args[last+1], env)
	}
	for k := len(e.values) - 1; k >= 0; k-- {
		if k != last {
			if is := r.fold(opEqual, e, of, r.constNode(e.values[k])); !is.is(0) {
				n = r.fold(opIf, e, is, r.ground(e.args[k+1], env), n)
			}
		}
	}
	return n
}

// groundDiscrete makes the law of a value that is drawn: its arguments are values, each before its probability.
func (r *rddlReader) groundDiscrete(e *rddlExpr, p []*ground) *ground {
	args := make([]*ground, 0, 2*len(p))
	for k := range p {
		args = append(args, r.constNode(e.values[k]), p[k])
	}
	return r.node(ground{op: opDiscrete, of: e, args: args, drawn: true})
}

// groundFluent returns the value of a fluent: a constant, a slot, or what an intermediate fluent is.
func (r *rddlReader) groundFluent(e *rddlExpr, env []int) *ground {
	f := e.of
	index := int64(0)
	for k, arg := range e.args {
		n := r.ground(arg, env)
		if n.op != opConst && !r.failed() {
			r.fail(arg.at, "the argument of %q depends on the state; objects and what does not change are read there", param.Clip(f.name))
		}
		index = index*int64(len(f.types[k].values)) + int64(n.value)
	}
	if index >= f.total {
		r.fail(e.at, "there is no object for %q", param.Clip(f.name))
	}
	switch {
	case r.failed():
		return r.zero
	case f.kind == nonFluent:
		return r.constNode(f.valueAt(index))
	case f.kind == intermFluent:
		return r.intermediate(e, f, index)
	}
	slot := f.first + int(index)
	if e.primed {
		slot += len(r.bools) - r.states // behind the actions
	}
	if r.slots[slot] == nil {
		r.slots[slot] = &ground{op: opSlot, slot: slot, of: e, truth: r.bools[slot]}
	}
	return r.slots[slot]
}

// intermediate returns an intermediate fluent as an expression of others.
func (r *rddlReader) intermediate(e *rddlExpr, f *rddlFluent, index int64) *ground {
	switch n, begun := f.grown[index]; {
	case n != nil:
		return n
	case begun:
		r.fail(e.at, "%s depends on itself", param.Clip(f.label(index, "(", ",", ")")))
		return r.zero
	case f.grown == nil:
		f.grown = map[int64]*ground{}
	}
	f.grown[index] = nil
	n := r.ground(f.law, r.envOf(f, index))
	if n.drawn && !r.failed() {
		r.fail(f.law.at, "the intermediate fluent %q is drawn; only what is certain can be filled in, because next values are independent in a model", param.Clip(f.name))
	}
	f.grown[index] = n
	return n
}

// envOf returns the objects of a grounding.
func (r *rddlReader) envOf(f *rddlFluent, index int64) []int {
	env := make([]int, r.frame)
	for k := len(f.types) - 1; k >= 0; k-- {
		n := int64(len(f.types[k].values))
		env[k], index = int(index%n), index/n
	}
	return env
}

// eval computes a part at the values of the slots.
func (r *rddlReader) eval(n *ground, x []float64) float64 {
	if n.op == opConst {
		return n.value
	}
	if !r.computed(1, n.of.at) {
		return 0
	}
	switch n.op {
	case opSlot:
		return x[n.slot]
	case opIf:
		if r.eval(n.args[0], x) != 0 {
			return r.eval(n.args[1], x)
		}
		return r.eval(n.args[2], x)
	case opAnd, opOr:
		for _, arg := range n.args {
			if (r.eval(arg, x) != 0) == (n.op == opOr) {
				return truthNumber(n.op == opOr)
			}
		}
		return truthNumber(n.op == opAnd)
	case opNot:
		return truthNumber(r.eval(n.args[0], x) == 0)
	}
	a := r.eval(n.args[0], x)
	switch n.op {
	case opAdd, opMul, opMin, opMax:
		for _, arg := range n.args[1:] {
			switch b := r.eval(arg, x); {
			case n.op == opAdd:
				a += b
			case n.op == opMul:
				a = float64(a * b)
			case n.op == opMin && b < a, n.op == opMax && b > a:
				a = b
			}
		}
	case opCall:
		b := 0.0
		if len(n.args) > 1 {
			b = r.eval(n.args[1], x)
		}
		a = call(n.of.op, a, b)
	default:
		b := r.eval(n.args[1], x)
		switch n.op {
		case opDiv:
			if b == 0 {
				r.fail(n.of.at, "this divides by 0")
				return 0
			}
			a /= b
		case opEqual:
			return truthNumber(a == b)
		case opUnequal:
			return truthNumber(a != b)
		case opLess:
			return truthNumber(a < b)
		case opAtMost:
			return truthNumber(a <= b)
		}
	}
	if !finite(a) {
		r.fail(n.of.at, notFinite)
		return 0
	}
	return a
}

// call computes a function of numbers.
func call(of string, a, b float64) float64 {
	switch of {
	case "abs":
		return math.Abs(a)
	case "floor":
		return math.Floor(a)
	case "ceil":
		return math.Ceil(a)
	case "round":
		return math.Floor(a + 0.5)
	case "exp":
		return loops.Exp2(float64(a * math.Log2E))
	case "ln":
		return math.Log(a)
	case "log":
		return math.Log(a) / math.Log(b)
	case "sqrt":
		return math.Sqrt(a)
	case "sgn":
		return truthNumber(a > 0) - truthNumber(a < 0)
	case "pow":
		if b == math.Trunc(b) && math.Abs(b) <= 64 {
			p := 1.0
			for range int(math.Abs(b)) {
				p = float64(p * a)
			}
			if b < 0 {
				return 1 / p
			}
			return p
		}
		if a == 0 && b > 0 {
			return 0
		}
		return loops.Exp2(float64(b * math.Log2(a)))
	case "mod", "fmod":
		return a - float64(b*math.Floor(a/b))
	case "div":
		return math.Floor(a / b)
	}
	panic(fmt.Sprintf("format: no function %q", of))
}
