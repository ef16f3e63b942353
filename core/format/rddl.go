package format

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// rddl is the language RDDL (Sanner, 2010), in which planning competitions since 2011 published their problems: a domain says
// how fluents change, an instance which objects there are. Of it is read what makes a factored model: fluents are
// Boolean, of an enumerated or object type, or whole numbers of which few can occur. Each is grounded over the objects, and what does not
// change is filled in. A variable's parents are the fluents that are left in its law and make a difference there.
var rddl = ModelFormat{
	Name:  "RDDL",
	Match: func(text string) bool { return newRDDL(text).begins() },
	file: func(text string, o Options) (*document.ModelFile, []string, error) {
		r := newRDDL(text)
		r.blocks()
		r.resolve()
		f, notes := r.model(o)
		if r.failed() {
			return nil, nil, r.placed()
		}
		return f, notes, nil
	},
}

// FileMark begins a line of a text that joins files, behind which stands the name of the file that follows. Errors then name
// the file.
const FileMark = "//# file "

// Join returns the text of a model that stands in several files, in any order.
func Join(names []string, files [][]byte) []byte {
	var text []byte
	for k, file := range files {
		name := strings.Map(func(r rune) rune {
			if r < ' ' {
				return '_'
			}
			return r
		}, names[k])
		text = append(text, FileMark+name+"\n"...)
		text = append(text, strings.TrimPrefix(string(file), "\ufeff")...)
		text = append(text, '\n')
	}
	return text
}

// Limits of a file in RDDL.
const (
	mostObjects  = 1 << 14 // objects and values of types
	mostFluents  = 1 << 10 // declarations
	mostGrounds  = 1 << 22 // parts of expressions that are made when objects are filled in
	mostNodes    = 1 << 20 // those of them that are no constants
	mostInteger  = 64      // values of a whole number
	mostInitials = 1 << 20 // assignments of the instance
)

// What a fluent is.
const (
	nonFluent    = "non-fluent"
	stateFluent  = "state-fluent"
	actionFluent = "action-fluent"
	intermFluent = "interm-fluent"
)

// rddlType is an object type, or an enumerated one.
type rddlType struct {
	name   string
	enum   bool
	values []string
	index  map[string]int
}

// add adds an object or a value, and reports whether it is new.
func (t *rddlType) add(value string) bool {
	if _, has := t.index[value]; has {
		return false
	}
	t.index[value] = len(t.values)
	t.values = append(t.values, value)
	return true
}

// rddlFluent is a declaration.
type rddlFluent struct {
	at       token
	name     string
	kind     string
	params   []token
	of       token     // the name of the range
	given    rddlValue // the default
	hasValue bool      // whether there is one

	types  []*rddlType
	object *rddlType         // the range, if it is a type
	whole  bool              // the range are whole numbers
	real   bool              // or real ones
	value  float64           // the default
	set    map[int64]float64 // by grounding, what the instance says
	law    *rddlExpr
	names  []token           // of the parameters of the law
	total  int64             // groundings
	first  int               // the slot of the first grounding
	grown  map[int64]*ground // by grounding, what an intermediate fluent is; nil while it is found
}

// rddlValue is a constant of a file.
type rddlValue struct {
	at    token
	text  string
	minus bool
}

// assigned is a line of an instance, such as connected(c1, c2) or rate = 0.3.
type assigned struct {
	at    token
	args  []token
	value rddlValue
	off   bool // ~running(c1)
	plain bool // without a value
}

// rddlObjects are objects of a type.
type rddlObjects struct {
	of     token
	values []token
}

// rddlReader reads a problem.
type rddlReader struct {
	scanner
	files []fileMark

	types    map[string]*rddlType
	order    []*rddlType
	among    map[string][]*rddlType // the types of which a name is an object
	fluents  map[string]*rddlFluent
	declared []*rddlFluent
	laws     []rddlLaw
	reward   *rddlExpr
	must     []*rddlExpr // constraints on actions
	final    []*rddlExpr // when an episode ends
	lists    []rddlObjects
	fixed    []assigned // non-fluents
	initial  []assigned
	horizon  int
	endless  token
	most     int              // actions that are not the default; −1 without a limit
	depth    int              // of the expression that is read
	heads    map[string]token // the name of each block
	of       map[string]token // the domain that a block names, by block

	grounder
}

// rddlLaw is a line of cpfs.
type rddlLaw struct {
	at    token
	names []token
	body  *rddlExpr
}

// fileMark says in which line a file begins.
type fileMark struct {
	line int
	name string
}

func newRDDL(text string) *rddlReader {
	r := &rddlReader{
		scanner: scanner{marks: "{}()[];:,+*/^|&_-", remark: "//", length: rddlWord},
		types:   map[string]*rddlType{}, fluents: map[string]*rddlFluent{}, heads: map[string]token{}, of: map[string]token{}, most: -1,
	}
	if strings.Contains(text, FileMark) {
		line := 0
		for l := range strings.Lines(text) {
			line++
			if name, is := strings.CutPrefix(l, FileMark); is {
				r.files = append(r.files, fileMark{line, param.Cut(strings.TrimSpace(name), 100)})
			}
		}
	}
	r.scan(text)
	return r
}

// placed returns the error, with its place in the file that it is in.
func (r *rddlReader) placed() error {
	e := *r.failure
	for _, m := range r.files {
		if m.line < r.failure.Line {
			e.File, e.Line = m.name, r.failure.Line-m.line
		}
	}
	return &e
}

// begins reports whether the text begins with a block of RDDL.
func (r *rddlReader) begins() bool {
	if !r.now.is("domain") && !r.now.is("non-fluents") && !r.now.is("instance") {
		return false
	}
	r.take()
	_, ok := r.ident("a name")
	return ok && r.now.is("{")
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// rddlWord returns the length of the word with which a text begins: a name, a number or an operator.
func rddlWord(rest string) int {
	named := func(n int) int {
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n]) || rest[n] == '-' || rest[n] == '_') {
			n++
		}
		for n > 1 && (rest[n-1] == '-' || rest[n-1] == '_') {
			n--
		}
		return n
	}
	digits := func(n int) int {
		for n < len(rest) && isDigit(rest[n]) {
			n++
		}
		return n
	}
	switch c := rest[0]; {
	case isLetter(c):
		n := named(1)
		if n < len(rest) && rest[n] == '\'' {
			n++
		}
		return n
	case c == '?' || c == '@' || c == '$':
		return named(1)
	case isDigit(c) || c == '.':
		n := digits(0)
		if n < len(rest) && rest[n] == '.' {
			n = digits(n + 1)
		}
		if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
			sign := n + 1
			if sign < len(rest) && (rest[sign] == '-' || rest[sign] == '+') {
				sign++
			}
			if after := digits(sign); after > sign {
				n = after
			}
		}
		return n
	}
	for _, op := range [...]string{"<=>", "=>", "~=", "!=", "<=", ">=", "=="} {
		if strings.HasPrefix(rest, op) {
			return len(op)
		}
	}
	_, n := utf8.DecodeRuneInString(rest)
	return n
}

// ident returns the name that the next token is.
func (r *rddlReader) ident(expected string) (token, bool) {
	if r.now.kind != name || !isLetter(r.now.text[0]) {
		r.unexpected(expected)
		return r.now, false
	}
	return r.take(), true
}

// more reports whether the block or list has more, up to the mark that ends it, which it passes over.
func (r *rddlReader) more(last string) bool {
	if r.failed() {
		return false
	}
	if r.now.is(last) {
		r.take()
		return false
	}
	if r.now.kind == end {
		r.unexpected(strconv.Quote(last))
		return false
	}
	return true
}

// optional passes over a mark if it is there.
func (r *rddlReader) optional(text string) {
	if r.now.is(text) {
		r.take()
	}
}

// blocks reads all that the text has.
func (r *rddlReader) blocks() {
	for !r.failed() && r.now.kind != end {
		kind, _ := r.ident("domain, non-fluents or instance")
		of, _ := r.ident("the name of the " + kind.text)
		if before, has := r.heads[kind.text]; has && !r.failed() {
			r.fail(kind, "a second %q; the first is named %q", kind.text, param.Clip(before.text))
		}
		r.heads[kind.text] = of
		switch {
		case r.failed():
		case kind.is("domain"):
			r.domain()
		case kind.is("non-fluents"), kind.is("instance"):
			r.instance(kind)
		default:
			r.fail(kind, "%q is not read; domain, non-fluents and instance are", param.Clip(kind.text))
		}
		r.optional(";")
	}
	for _, kind := range []string{"domain", "instance"} {
		if _, has := r.heads[kind]; !has {
			r.fail(r.now, "there is no %s; a problem in RDDL is a domain and an instance, in one file or in two", kind)
		}
	}
}

// domain reads a domain behind its name.
func (r *rddlReader) domain() {
	r.expect("{")
	for r.more("}") {
		at, _ := r.ident("a section of the domain")
		switch at.text {
		case "requirements":
			r.optional("=")
			r.expect("{")
			for r.more("}") {
				r.take()
			}
		case "types":
			r.expect("{")
			for r.more("}") {
				r.declareType()
			}
		case "objects":
			r.listObjects()
		case "pvariables":
			r.expect("{")
			for r.more("}") {
				r.declare()
			}
		case "cpfs", "cdfs":
			r.expect("{")
			for r.more("}") {
				r.rule()
			}
		case "reward":
			r.expect("=")
			if r.reward != nil {
				r.fail(at, "a second reward")
			}
			r.reward = r.expression(0)
		case "state-action-constraints", "action-preconditions":
			r.must = append(r.must, r.conditions()...)
		case "termination":
			r.final = append(r.final, r.conditions()...)
		case "state-invariants":
			r.conditions()
		default:
			r.fail(at, "the section %q is not read", param.Clip(at.text))
		}
		r.optional(";")
	}
}

// conditions reads a section of expressions.
func (r *rddlReader) conditions() (list []*rddlExpr) {
	r.expect("{")
	for r.more("}") {
		list = append(list, r.expression(0))
		if !r.now.is("}") {
			r.expect(";")
		}
	}
	return list
}

// declareType reads a line of types.
func (r *rddlReader) declareType() {
	of, _ := r.ident("the name of a type")
	r.expect(":")
	t := &rddlType{name: of.text, index: map[string]int{}}
	if r.now.is("{") {
		t.enum = true
		r.take()
		for r.more("}") {
			value, ok := r.name("a value")
			if ok && !t.add(r.constant(value)) {
				r.fail(value, "the value %q stands there twice", param.Clip(value.text))
			}
			r.room(value, len(t.values))
			if !r.now.is("}") {
				r.expect(",")
			}
		}
	} else {
		r.expect("object")
	}
	r.expect(";")
	if r.types[of.text] != nil || slices.Contains([]string{"bool", "int", "real"}, of.text) {
		r.fail(of, "a second type is named %q", param.Clip(of.text))
	}
	r.types[of.text] = t
	r.order = append(r.order, t)
}

// room fails if there are too many objects.
func (r *rddlReader) room(at token, n int) {
	if n > mostObjects {
		r.fail(at, "a type has more than %d objects", mostObjects)
	}
}

// constant returns the name of an object or value without its sign.
func (r *rddlReader) constant(t token) string {
	text := strings.TrimLeft(t.text, "@$")
	if text == "" || !isLetter(text[0]) && !isDigit(text[0]) {
		r.fail(t, "%q names no object", param.Clip(t.text))
	}
	return text
}

// declare reads a line of pvariables.
func (r *rddlReader) declare() {
	at, ok := r.ident("the name of a fluent")
	f := &rddlFluent{at: at, name: at.text, set: map[int64]float64{}}
	if strings.HasSuffix(at.text, "'") {
		r.fail(at, "the name of a fluent has no prime")
	}
	if r.now.is("(") {
		r.take()
		for r.more(")") {
			t, _ := r.ident("a type")
			f.params = append(f.params, t)
			if !r.now.is(")") {
				r.expect(",")
			}
		}
	}
	r.expect(":")
	r.expect("{")
	kind, _ := r.ident("what the fluent is")
	switch f.kind = kind.text; f.kind {
	case nonFluent, stateFluent, actionFluent, intermFluent:
	case "derived-fluent":
		f.kind = intermFluent
	case "observ-fluent":
		r.fail(kind, "%q is observed; observations are not read, because every variable of a model is seen", param.Clip(f.name))
	default:
		r.fail(kind, "%q is no kind of fluents that is read; there are %s, %s, %s, %s and derived-fluent", param.Clip(kind.text), nonFluent, stateFluent, actionFluent, intermFluent)
	}
	r.expect(",")
	f.of, _ = r.ident("a type")
	for r.now.is(",") {
		r.take()
		switch word, _ := r.ident("default or level"); {
		case word.is("default"):
			r.expect("=")
			f.given, f.hasValue = r.value(), true
		case word.is("level"):
			r.expect("=")
			r.value()
		default:
			r.fail(word, "%q is not read; default and level are", param.Clip(word.text))
		}
	}
	r.expect("}")
	r.optional(";")
	switch {
	case !ok || r.failed():
		return
	case r.fluents[f.name] != nil:
		r.fail(at, "a second fluent is named %q", param.Clip(f.name))
	case len(r.declared) == mostFluents:
		r.fail(at, "there are more than %d fluents", mostFluents)
	case len(f.params) > 8:
		r.fail(at, "%q has %d parameters, more than 8", param.Clip(f.name), len(f.params))
	}
	r.fluents[f.name] = f
	r.declared = append(r.declared, f)
}

// value reads a constant.
func (r *rddlReader) value() rddlValue {
	v := rddlValue{at: r.now}
	if r.now.is("-") {
		r.take()
		v.minus = true
	}
	t, _ := r.name("a value")
	v.text = t.text
	return v
}

// rule reads a line of cpfs.
func (r *rddlReader) rule() {
	at, _ := r.ident("the name of a fluent")
	var l rddlLaw
	at.text = strings.TrimSuffix(at.text, "'")
	l.at = at
	if r.now.is("(") {
		r.take()
		for r.more(")") {
			l.names = append(l.names, r.variableName())
			if !r.now.is(")") {
				r.expect(",")
			}
		}
	}
	r.expect("=")
	l.body = r.expression(0)
	r.expect(";")
	r.laws = append(r.laws, l)
}

// variableName reads the name of a variable over objects, such as ?x.
func (r *rddlReader) variableName() token {
	if r.now.kind != name || r.now.text[0] != '?' {
		r.unexpected("a variable, such as ?x,")
		return r.now
	}
	return r.take()
}

// listObjects reads a section of objects.
func (r *rddlReader) listObjects() {
	r.expect("{")
	for r.more("}") {
		of, _ := r.ident("a type")
		list := rddlObjects{of: of}
		r.expect(":")
		r.expect("{")
		for r.more("}") {
			value, ok := r.name("an object")
			if ok {
				r.constant(value)
			}
			list.values = append(list.values, value)
			r.room(value, len(list.values))
			if !r.now.is("}") {
				r.expect(",")
			}
		}
		r.optional(";")
		r.lists = append(r.lists, list)
	}
}

// instance reads an instance, or its non-fluents, behind the name.
func (r *rddlReader) instance(kind token) {
	r.expect("{")
	for r.more("}") {
		at, _ := r.ident("a section of the " + kind.text)
		switch at.text {
		case "domain":
			r.expect("=")
			r.of[kind.text], _ = r.ident("the name of a domain")
		case "objects":
			r.listObjects()
		case "non-fluents":
			if r.now.is("=") {
				r.take()
				r.of["non-fluents of instance"], _ = r.ident("the name of non-fluents")
				break
			}
			r.fixed = append(r.fixed, r.assignments(len(r.fixed))...)
		case "init-state":
			r.initial = append(r.initial, r.assignments(len(r.initial))...)
		case "max-nondef-actions":
			r.expect("=")
			if r.now.is("pos-inf") {
				r.take()
				break
			}
			r.most, _ = r.wholeNumber("a number of actions", 0, 1<<30)
		case "horizon":
			r.expect("=")
			if r.now.is("pos-inf") || r.now.is("terminate-when") {
				r.endless = at
				for !r.failed() && !r.now.is(";") && r.now.kind != end {
					r.take()
				}
				break
			}
			r.horizon, _ = r.wholeNumber("the number of steps", 1, fmdp.MaxHorizon)
		case "discount":
			r.expect("=")
			value := r.now
			if d, ok := r.number("a discount"); ok && d != 1 {
				r.fail(value, "the discount is %v; only 1 is read, because values are sums over the horizon", d)
			}
		default:
			r.fail(at, "the section %q is not read", param.Clip(at.text))
		}
		r.optional(";")
	}
}

// wholeNumber reads a whole number, which may be written as 40.0.
func (r *rddlReader) wholeNumber(expected string, low, high int) (int, bool) {
	if v, ok := numberOf(r.now.text); ok && v == float64(int(v)) && int(v) >= low && int(v) <= high {
		r.take()
		return int(v), true
	}
	return r.whole(expected, low, high)
}

// assignments reads the lines of a section that gives values to fluents.
func (r *rddlReader) assignments(before int) (list []assigned) {
	r.expect("{")
	for r.more("}") {
		var a assigned
		if r.now.is("~") {
			r.take()
			a.off = true
		}
		a.at, _ = r.ident("the name of a fluent")
		if r.now.is("(") || r.now.is("[") {
			last := closing(r.take())
			for r.more(last) {
				arg, ok := r.name("an object")
				if ok {
					a.args = append(a.args, arg)
				}
				if !r.now.is(last) {
					r.expect(",")
				}
			}
		}
		if a.plain = !r.now.is("="); !a.plain {
			if a.off {
				r.fail(a.at, `%q has "~" and "=" here; either gives its value`, param.Clip(a.at.text))
			}
			r.take()
			a.value = r.value()
		}
		r.expect(";")
		if list = append(list, a); before+len(list) > mostInitials {
			r.fail(a.at, "the instance gives more than %d values", mostInitials)
		}
	}
	return list
}

// closing returns the mark that ends what a bracket begins.
func closing(t token) string {
	if t.is("[") {
		return "]"
	}
	return ")"
}
