package format

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cpsrl/core/param"
)

// rddlExpr is a part of an expression.
type rddlExpr struct {
	at    token
	op    string // an operator or a word; or one of those below
	value float64
	args  []*rddlExpr
	vars  []rddlVar // of a quantifier, or the slot of the variable

	cases  []token   // of switch and Discrete, as they are written; without text for the rest
	values []float64 // of the cases
	rest   int       // which of the cases is the rest, or −1
	object *rddlType // the type of the value, if it is an object
	of     *rddlFluent
	primed bool
}

// Kinds of expressions that no operator of the language names.
const (
	exprNumber   = "number"
	exprVariable = "variable"
	exprFluent   = "fluent"
	exprObject   = "object"
	exprMinus    = "minus"
	exprBinaryIf = "if"
)

// rddlVar is a variable over the objects of a type.
type rddlVar struct {
	name token
	of   token
	typ  *rddlType
	slot int
}

// rddlLevels are the operators between two operands; a higher level binds more tightly.
var rddlLevels = map[string]int{
	"<=>": 1, "=>": 2, "|": 3, "^": 4, "&": 4,
	"==": 6, "~=": 6, "!=": 6, "<": 6, "<=": 6, ">": 6, ">=": 6,
	"+": 7, "-": 7, "*": 8, "/": 8,
}

const (
	rddlCompare = 6
	rddlUnary   = 9
)

// rddlChains are the operators of which a chain is one expression with many operands, with that expression's operator. In a
// sum, what is subtracted has a minus.
var rddlChains = map[string]string{"+": "+", "-": "+", "*": "*", "^": "^", "&": "^", "|": "|"}

// mostScope is how many variables over objects an expression may name: those of a fluent's law and of the quantifiers around it.
const mostScope = 32

// quantifiers are what may stand before _{?x : type}.
var quantifiers = []string{"sum", "prod", "forall", "exists", "min", "max", "avg"}

// rddlFunctions are the functions of numbers, with the number of their arguments.
var rddlFunctions = map[string]int{
	"abs": 1, "floor": 1, "ceil": 1, "round": 1, "exp": 1, "ln": 1, "log": 2, "sqrt": 1, "sgn": 1, "pow": 2, "min": 2, "max": 2, "mod": 2, "fmod": 2, "div": 2,
}

// notRead are words of the language that make what no model has.
var notRead = []string{
	"Normal", "Poisson", "Exponential", "Weibull", "Gamma", "Uniform", "Binomial", "NegativeBinomial", "Beta", "Geometric", "Pareto", "Student", "Gumbel", "Laplace", "Cauchy",
	"Gompertz", "ChiSquare", "Kumaraswamy", "MultivariateNormal", "MultivariateStudent", "Dirichlet", "Multinomial", "UnnormDiscrete", "argmin", "argmax", "det", "inverse",
}

// expression reads an expression of operators of at least that level.
func (r *rddlReader) expression(level int) *rddlExpr {
	before := r.depth
	defer func() { r.depth = before }()
	r.deeper()
	left := r.operand()
	for !r.failed() && (r.now.kind == name || r.now.kind == mark) {
		of, is := rddlLevels[r.now.text]
		if !is || of < level {
			break
		}
		t := r.take()
		right := r.expression(of + 1)
		if next := rddlLevels[r.now.text]; of == rddlCompare && next == rddlCompare {
			r.fail(r.now, "comparisons do not chain; ^ joins two")
		}
		if t.is("-") {
			right = &rddlExpr{at: t, op: exprMinus, args: []*rddlExpr{right}}
		}
		if op := cmp.Or(rddlChains[t.text], t.text); op == left.op && rddlChains[t.text] != "" {
			left.args = append(left.args, right)
		} else {
			r.deeper()
			left = &rddlExpr{at: t, op: op, args: []*rddlExpr{left, right}}
		}
	}
	return left
}

// deeper counts an expression around the next one.
func (r *rddlReader) deeper() {
	if r.depth++; r.depth > mostDepth {
		r.fail(r.now, "more than %d expressions stand in each other", mostDepth)
	}
}

// operand reads an expression without an operator between two.
func (r *rddlReader) operand() *rddlExpr {
	t := r.now
	e := &rddlExpr{at: t, op: exprNumber}
	if r.failed() || t.kind == end {
		r.unexpected("an expression")
		return e
	}
	if v, is := numberOf(t.text); is && t.kind == name {
		r.take()
		e.value = v
		return e
	}
	switch r.take(); {
	case t.is("("), t.is("["):
		e = r.expression(0)
		r.expect(closing(t))
	case t.is("-"):
		e.op, e.args = exprMinus, []*rddlExpr{r.expression(rddlUnary)}
	case t.is("+"):
		return r.expression(rddlUnary)
	case t.is("~"):
		e.op, e.args = "~", []*rddlExpr{r.expression(rddlCompare)}
	case t.is("true"), t.is("false"):
		if t.is("true") {
			e.value = 1
		}
	case t.is("if"):
		e.op = exprBinaryIf
		last := closing(r.now)
		if !r.now.is("(") && !r.now.is("[") {
			r.unexpected(`"("`)
			return e
		}
		r.take()
		is := r.expression(0)
		r.expect(last)
		r.expect("then")
		then := r.expression(0)
		r.expect("else")
		e.args = []*rddlExpr{is, then, r.expression(0)}
	case t.is("switch"):
		r.choice(e)
	case t.text[0] == '?' && len(t.text) > 1:
		e.op = exprVariable
	case (t.text[0] == '@' || t.text[0] == '$') && len(t.text) > 1:
		e.op = exprObject
	case !isLetter(t.text[0]):
		r.fail(t, "an expression was expected, not %q", param.Clip(t.text))
	case r.now.is("_"):
		r.quantifier(e)
	case slices.Contains(notRead, t.text):
		r.fail(t, "%q is not read; a law gives a certain value, KronDelta, Bernoulli or Discrete", t.text)
	case t.is("Bernoulli"), t.is("KronDelta"), t.is("DiracDelta"):
		e.op = t.text
		if e.args = r.arguments(); len(e.args) != 1 {
			r.fail(t, "%q has %s here; it takes 1", t.text, param.Count(len(e.args), "argument"))
		}
	case t.is("Discrete"):
		r.discrete(e)
	case r.now.is("[") && !strings.HasSuffix(t.text, "'") && rddlFunctions[t.text] > 0:
		e.op = t.text
		if e.args = r.arguments(); len(e.args) != rddlFunctions[t.text] {
			r.fail(t, "%q has %s here; it takes %d", t.text, param.Count(len(e.args), "argument"), rddlFunctions[t.text])
		}
	default:
		e.op = exprFluent
		if e.at.text, e.primed = strings.CutSuffix(t.text, "'"); r.now.is("(") {
			e.args = r.arguments()
		}
	}
	return e
}

// arguments reads expressions in brackets.
func (r *rddlReader) arguments() (args []*rddlExpr) {
	if !r.now.is("(") && !r.now.is("[") {
		r.unexpected(`"("`)
		return nil
	}
	last := closing(r.take())
	for r.more(last) {
		args = append(args, r.expression(0))
		if !r.now.is(last) {
			r.expect(",")
		}
	}
	return args
}

// quantifier reads what stands behind sum, forall and so on.
func (r *rddlReader) quantifier(e *rddlExpr) {
	if e.op = e.at.text + "_"; !slices.Contains(quantifiers, e.at.text) {
		r.fail(e.at, "%q is not read before variables; %s are", param.Clip(e.at.text), strings.Join(quantifiers, ", "))
	}
	r.expect("_")
	r.expect("{")
	for r.more("}") {
		v := rddlVar{name: r.variableName()}
		r.expect(":")
		v.of, _ = r.ident("a type")
		if e.vars = append(e.vars, v); !r.now.is("}") {
			r.expect(",")
		}
	}
	e.args = []*rddlExpr{r.expression(0)}
}

// choice reads what stands behind switch.
func (r *rddlReader) choice(e *rddlExpr) {
	e.op = "switch"
	r.expect("(")
	e.args = []*rddlExpr{r.expression(0)}
	r.expect(")")
	r.expect("{")
	for r.more("}") {
		of, _ := r.ident("case or default")
		if of.is("case") {
			of, _ = r.name("a value")
		} else {
			if !of.is("default") && !of.is("otherwise") {
				r.fail(of, "%q was found where case or default was expected", param.Clip(of.text))
			}
			of.text = ""
		}
		r.expect(":")
		e.cases = append(e.cases, of)
		if e.args = append(e.args, r.expression(0)); !r.now.is("}") {
			r.expect(",")
		}
	}
}

// discrete reads what stands behind Discrete: the type, and the probability of each of its values.
func (r *rddlReader) discrete(e *rddlExpr) {
	e.op = "Discrete"
	last := closing(r.now)
	if !r.now.is("[") {
		r.expect("(")
	} else {
		r.take()
	}
	of, _ := r.ident("a type")
	e.vars = []rddlVar{{of: of}}
	r.expect(",")
	braced := r.now.is("{")
	r.optional("{")
	for !r.failed() && !r.now.is(last) && !r.now.is("}") {
		value, _ := r.name("a value")
		if value.is("otherwise") || value.is("default") {
			value.text = ""
		}
		r.expect(":")
		e.cases = append(e.cases, value)
		if e.args = append(e.args, r.expression(0)); !r.now.is(last) && !r.now.is("}") {
			r.expect(",")
		}
	}
	if braced {
		r.expect("}")
	}
	r.expect(last)
}

// rddlScope are the variables over objects that an expression may name.
type rddlScope []rddlVar

// resolveExpr finds what the names of an expression stand for. Want is the type of object that is expected, or nil.
func (r *rddlReader) resolveExpr(e *rddlExpr, scope rddlScope, want *rddlType) {
	if r.failed() {
		return
	}
	each := func(want *rddlType) {
		for _, arg := range e.args {
			r.resolveExpr(arg, scope, want)
		}
	}
	switch e.op {
	case exprNumber:
	case exprVariable:
		k := len(scope) - 1
		for ; k >= 0 && scope[k].name.text != e.at.text; k-- {
		}
		if k < 0 {
			r.fail(e.at, "there is no variable %q here", param.Clip(e.at.text))
			return
		}
		e.vars, e.object = []rddlVar{scope[k]}, scope[k].typ
	case exprObject:
		r.resolveObject(e, want)
	case exprFluent:
		if f := r.fluents[e.at.text]; f != nil {
			r.resolveFluent(e, f, scope)
			return
		}
		if e.args == nil && !e.primed {
			r.resolveObject(e, want)
			return
		}
		r.fail(e.at, "there is no fluent %q", param.Clip(e.at.text))
	case "==", "~=", "!=":
		a, b := e.args[0], e.args[1]
		if bare := a.op == exprObject || a.op == exprFluent && r.fluents[a.at.text] == nil; bare {
			a, b = b, a
		}
		r.resolveExpr(a, scope, nil)
		r.resolveExpr(b, scope, a.object)
		if a.object != b.object && !r.failed() {
			r.fail(e.at, "%q compares a value of %s with one of %s", e.op, typeName(a.object), typeName(b.object))
		}
	case exprBinaryIf:
		r.resolveExpr(e.args[0], scope, nil)
		r.resolveExpr(e.args[1], scope, want)
		r.resolveExpr(e.args[2], scope, want)
		e.object = e.args[1].object
		if e.object != e.args[2].object && !r.failed() {
			r.fail(e.at, "the branches of this if are of %s and of %s", typeName(e.object), typeName(e.args[2].object))
		}
	case "switch":
		of := e.args[0]
		r.resolveExpr(of, scope, nil)
		for _, arg := range e.args[1:] {
			r.resolveExpr(arg, scope, want)
			if e.object = e.args[1].object; e.object != arg.object && !r.failed() {
				r.fail(arg.at, "the cases of this switch are of %s and of %s", typeName(e.object), typeName(arg.object))
			}
		}
		r.resolveCases(e, of.object)
		if len(e.args) == 1 && !r.failed() {
			r.fail(e.at, "the switch has no case")
		}
	case "Discrete":
		of := e.vars[0].of
		t := r.types[of.text]
		if t == nil && !of.is("int") && !of.is("bool") && !r.failed() {
			r.fail(of, "there is no type %q", param.Clip(of.text))
		}
		e.object = t
		each(nil)
		r.resolveRest(e, r.resolveCases(e, t))
	case "KronDelta", "DiracDelta":
		each(want)
		e.object = e.args[0].object
	default:
		if len(scope)+len(e.vars) > mostScope {
			r.fail(e.at, "%q makes more than %d variables over objects", e.at.text, mostScope)
			return
		}
		for k, v := range e.vars {
			if v.typ = r.types[v.of.text]; v.typ == nil {
				r.fail(v.of, "there is no type %q", param.Clip(v.of.text))
				return
			}
			v.slot = len(scope)
			r.frame = max(r.frame, v.slot+1)
			e.vars[k] = v
			scope = append(scope[:len(scope):len(scope)], v)
		}
		each(nil)
		for _, arg := range e.args {
			if arg.object != nil && !r.failed() {
				r.fail(arg.at, "%q computes with numbers and truth values, not with one of %s", e.at.text, typeName(arg.object))
			}
		}
	}
}

func typeName(t *rddlType) string {
	if t == nil {
		return "numbers"
	}
	return param.Clip(t.name)
}

// resolveCases finds the values of the cases of a switch or Discrete over a type, and returns those that a case names.
func (r *rddlReader) resolveCases(e *rddlExpr, t *rddlType) (seen map[float64]bool) {
	e.rest, seen = -1, map[float64]bool{}
	for k, of := range e.cases {
		v := math.NaN() // of the rest
		switch {
		case of.text != "":
			if v = r.valueOf(rddlValue{at: of, text: of.text}, t); seen[v] && !r.failed() {
				r.fail(of, "the value %q stands twice in this %s", param.Clip(of.text), e.op)
			}
			seen[v] = true
		case e.rest >= 0:
			r.fail(of, "this is the second default of this %s", e.op)
		default:
			e.rest = k
		}
		e.values = append(e.values, v)
	}
	return seen
}

// resolveRest finds the value that the rest of a Discrete is: the only one that no case names.
func (r *rddlReader) resolveRest(e *rddlExpr, seen map[float64]bool) {
	if e.rest < 0 || r.failed() {
		return
	}
	if e.object == nil {
		r.fail(e.at, "only a Discrete over a type has a rest")
		return
	}
	if left := len(e.object.values) - len(seen); left != 1 {
		r.fail(e.at, "%s of %s are left for the rest; one is needed", param.Count(left, "value"), typeName(e.object))
		return
	}
	for v := range e.object.values {
		if !seen[float64(v)] {
			e.values[e.rest] = float64(v)
		}
	}
}

// resolveObject finds the object that an expression names.
func (r *rddlReader) resolveObject(e *rddlExpr, want *rddlType) {
	text := strings.TrimLeft(e.at.text, "@$")
	t := want
	if t == nil {
		switch among := r.among[text]; len(among) {
		case 0:
			r.fail(e.at, "there is neither a fluent nor an object %q", param.Clip(e.at.text))
			return
		case 1:
			t = among[0]
		default:
			r.fail(e.at, "%q is an object of %s and of %s", param.Clip(e.at.text), typeName(among[0]), typeName(among[1]))
			return
		}
	}
	k, has := t.index[text]
	if !has {
		r.fail(e.at, "there is no %q among the objects of %s", param.Clip(e.at.text), typeName(t))
	}
	e.op, e.object, e.value = exprObject, t, float64(k)
}

// resolveFluent checks the arguments of a fluent.
func (r *rddlReader) resolveFluent(e *rddlExpr, f *rddlFluent, scope rddlScope) {
	e.of, e.object = f, f.object
	if len(e.args) != len(f.types) {
		r.fail(e.at, "%q has %s here; it takes %d", param.Clip(f.name), param.Count(len(e.args), "argument"), len(f.types))
		return
	}
	for k, arg := range e.args {
		if r.resolveExpr(arg, scope, f.types[k]); arg.object != f.types[k] && !r.failed() {
			r.fail(arg.at, "argument %d of %q is of %s; it must be of %s", k+1, param.Clip(f.name), typeName(arg.object), typeName(f.types[k]))
		}
	}
	switch {
	case e.primed && f.kind != stateFluent:
		r.fail(e.at, "%q has no next value; state fluents have", param.Clip(f.name))
	case e.primed && !r.inReward:
		r.fail(e.at, "this law depends on the next value of %q; next values are independent of each other in a model", param.Clip(f.name))
	}
}
