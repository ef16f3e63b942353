package formula

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// kind is a kind of token.
type kind byte

const (
	end   kind = iota
	word       // a name without quotes
	name       // a name in backquotes
	text       // a label
	digit      // a number
	mark       // an operator or a bracket, in its first spelling
)

// token is a part of a formula's text.
type token struct {
	kind   kind
	text   string // without quotes
	prime  bool   // of a name: it is the next value
	number float64
	column int
	from   int // the byte where it begins
	to     int // and the one behind its end, without the prime
}

// marks are the operators and brackets, the longer ones first, with their first spelling.
var marks = [...][2]string{
	{"==", "="}, {"!=", "!="}, {"<=", "<="}, {">=", ">="},
	{"≠", "!="}, {"≤", "<="}, {"≥", ">="}, {"−", "-"}, {"–", "-"}, {"·", "*"}, {"×", "*"},
	{"=", "="}, {"<", "<"}, {">", ">"}, {"+", "+"}, {"-", "-"}, {"*", "*"}, {"/", "/"}, {"%", "%"}, {"(", "("}, {")", ")"}, {",", ","},
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// scan divides a formula into tokens, the last of which is the end.
func scan(source string) ([]token, error) {
	if len(source) > MaxLength {
		return nil, fault(0, "the formula has %d bytes, more than %d", len(source), MaxLength)
	}
	var tokens []token
	column := 1
	for at := 0; ; {
		blank := len(source[at:]) - len(strings.TrimLeftFunc(source[at:], unicode.IsSpace))
		column += len([]rune(source[at : at+blank]))
		at += blank
		t := token{column: column, from: at}
		rest := source[at:]
		if rest == "" {
			t.to = at
			return append(tokens, t), nil
		}
		first := []rune(rest)[0]
		length := 0
		switch {
		case first == '`' || first == '"':
			k := strings.IndexByte(rest[1:], byte(first))
			if k < 0 {
				return nil, fault(column, "the quote does not end")
			}
			t.kind, t.text, length = name, rest[1:1+k], k+2
			if first == '"' {
				t.kind = text
			}
		case first >= '0' && first <= '9' || first == '.':
			for length < len(rest) && (strings.IndexByte("0123456789.", rest[length]) >= 0 ||
				(rest[length] == 'e' || rest[length] == 'E') && length+1 < len(rest) && (rest[length+1] >= '0' && rest[length+1] <= '9' || rest[length+1] == '-' || rest[length+1] == '+') ||
				(rest[length] == '-' || rest[length] == '+') && (rest[length-1] == 'e' || rest[length-1] == 'E')) {
				length++
			}
			v, err := strconv.ParseFloat(rest[:length], 64)
			if err != nil {
				return nil, fault(column, "%q is no number", param.Clip(rest[:length]))
			}
			t.kind, t.number, t.text = digit, v, rest[:length]
		case inWord(first):
			if length = strings.IndexFunc(rest, func(r rune) bool { return !inWord(r) }); length < 0 {
				length = len(rest)
			}
			t.kind, t.text = word, rest[:length]
		default:
			for _, m := range marks {
				if strings.HasPrefix(rest, m[0]) {
					t.kind, t.text, length = mark, m[1], len(m[0])
					break
				}
			}
			if length == 0 {
				return nil, fault(column, "a formula has no %q", string(first))
			}
		}
		t.to = at + length
		column += len([]rune(rest[:length]))
		at += length
		if (t.kind == word || t.kind == name) && strings.HasPrefix(source[at:], fmdp.Prime) {
			t.prime = true
			at, column = at+len(fmdp.Prime), column+1
		}
		tokens = append(tokens, t)
	}
}

// is reports whether the token is that operator, bracket or word.
func (t token) is(text string) bool {
	return (t.kind == mark || t.kind == word && !t.prime) && t.text == text
}

// shown returns a token as a message has it.
func (t token) shown() string {
	if t.kind == end {
		return "the end"
	}
	return strconv.Quote(param.Clip(t.text))
}

// parser reads tokens.
type parser struct {
	space  *fmdp.Space
	tokens []token
	depth  int
}

func newParser(source string, space *fmdp.Space) (*parser, error) {
	tokens, err := scan(source)
	return &parser{space: space, tokens: tokens}, err
}

func (p *parser) next() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

// take passes over a token if it is that one.
func (p *parser) take(text string) bool {
	if !p.tokens[0].is(text) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(text string) error {
	if t := p.tokens[0]; !p.take(text) {
		return fault(t.column, "%q was expected, found %s", text, t.shown())
	}
	return nil
}

// whole reads an expression up to the end.
func (p *parser) whole() (*node, error) {
	e, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	if t := p.tokens[0]; t.kind != end {
		return nil, fault(t.column, "an operator or the end was expected, found %s", t.shown())
	}
	return e, nil
}

// law reads the law of a variable up to the end.
func (p *parser) law(v *fmdp.Variable) (*law, error) {
	l := &law{}
	switch t := p.next(); {
	case t.is("next"):
		l.values = true
		if n := p.tokens[0]; !n.is("=") {
			if p.next(); n.kind != word && n.kind != name || n.text != v.Name || n.prime {
				return nil, fault(n.column, "this is the law of %q, found %s", param.Clip(v.Name), n.shown())
			}
		}
	case !t.is("p"):
		return nil, fault(t.column, `a law begins with "next =", or with "p =" for probabilities, found %s`, t.shown())
	}
	if err := p.expect("="); err != nil {
		return nil, err
	}
	for {
		e, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		l.exprs = append(l.exprs, e)
		if l.values {
			var chance *node
			if t := p.tokens[0]; p.take("with") {
				if chance, err = p.expression(0); err != nil {
					return nil, err
				}
			} else if !t.is(",") && t.kind != end {
				return nil, fault(t.column, `an operator, "with", "," or the end was expected, found %s`, t.shown())
			} else if t.is(",") {
				return nil, fault(t.column, `"with" and a probability were expected: only the last value has the rest`)
			}
			l.chances = append(l.chances, chance)
		}
		if t := p.tokens[0]; t.kind == end {
			return l, nil
		} else if !p.take(",") {
			return nil, fault(t.column, `an operator, "," or the end was expected, found %s`, t.shown())
		}
	}
}

// binary is an operator between two operands.
type binary struct {
	text  string
	level int // a higher one binds more tightly
	op    op
	swap  bool // of the operands
}

var binaries = [...]binary{
	{"or", 1, disjunction, false}, {"and", 2, conjunction, false},
	{"=", 4, equal, false}, {"!=", 4, unequal, false}, {"<", 4, less, false}, {"<=", 4, atMost, false}, {">", 4, less, true}, {">=", 4, atMost, true},
	{"+", 5, add, false}, {"-", 5, subtract, false}, {"*", 6, multiply, false}, {"/", 6, divide, false}, {"%", 6, modulo, false},
}

const (
	levelNot     = 3
	levelCompare = 4
	levelMinus   = 7
)

func (p *parser) binary() *binary {
	for k := range binaries {
		if p.tokens[0].is(binaries[k].text) {
			return &binaries[k]
		}
	}
	return nil
}

// expression reads an expression of operators of at least that level.
func (p *parser) expression(level int) (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fault(p.tokens[0].column, "the formula is nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	for b := p.binary(); b != nil && b.level >= level; b = p.binary() {
		t := p.next()
		right, err := p.expression(b.level + 1)
		if err != nil {
			return nil, err
		}
		if n := p.tokens[0]; b.level == levelCompare {
			if other := p.binary(); other != nil && other.level == levelCompare {
				return nil, fault(n.column, `comparisons do not chain; "and" joins two`)
			}
		}
		if b.swap {
			left, right = right, left
		}
		left = &node{op: b.op, column: t.column, args: []*node{left, right}}
	}
	return left, nil
}

// operand reads a number, a name, a label, a call, a bracket, or an operator of one operand.
func (p *parser) operand() (*node, error) {
	switch t := p.next(); {
	case t.is("-"):
		arg, err := p.expression(levelMinus)
		return &node{op: negate, column: t.column, args: []*node{arg}}, err
	case t.is("not"):
		arg, err := p.expression(levelNot)
		return &node{op: negation, column: t.column, args: []*node{arg}}, err
	case t.is("("):
		e, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		return e, p.expect(")")
	case t.kind == digit:
		return &node{op: number, column: t.column, number: t.number}, nil
	case t.kind == text:
		return &node{op: label, column: t.column, text: t.text}, nil
	case t.kind == word && !t.prime && p.tokens[0].is("("):
		return p.call(t)
	case t.kind == word && reserved(t) || t.kind == mark || t.kind == end:
		return nil, fault(t.column, "a number, a variable or a bracket was expected, found %s", t.shown())
	default:
		return p.variable(t)
	}
}

// reserved reports whether a word is an operator.
func reserved(t token) bool {
	return t.is("and") || t.is("or") || t.is("not") || t.is("with")
}

func (p *parser) variable(t token) (*node, error) {
	full := t.text
	if t.prime {
		full += fmdp.Prime
	}
	i := p.space.LookupNext(full)
	if i < 0 {
		return nil, fault(t.column, "there is no variable %q", param.Clip(full))
	}
	return &node{op: value, column: t.column, of: i}, nil
}

// function is a function of from min to max arguments.
type function struct {
	name     string
	op       op
	min, max int
}

var functions = [...]function{
	{"min", least, 1, MaxLength}, {"max", most, 1, MaxLength}, {"if", choice, 3, 3},
	{"abs", absolute, 1, 1}, {"floor", down, 1, 1}, {"ceil", up, 1, 1}, {"round", nearest, 1, 1},
}

// call reads the arguments of a function.
func (p *parser) call(t token) (*node, error) {
	var f *function
	names := make([]string, len(functions))
	for k := range functions {
		if names[k] = functions[k].name; t.text == names[k] {
			f = &functions[k]
		}
	}
	if f == nil {
		return nil, fault(t.column, "there is no function %s; there are %s", t.shown(), strings.Join(names, ", "))
	}
	p.next() // the bracket
	n := &node{op: f.op, column: t.column}
	for {
		arg, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		if n.args = append(n.args, arg); !p.take(",") {
			break
		}
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	if len(n.args) < f.min || len(n.args) > f.max {
		return nil, fault(t.column, "%q has %s here; it takes %d", f.name, param.Count(len(n.args), "argument"), f.min)
	}
	return n, nil
}

// Rename returns a formula, which may be the law of a variable, with another name in place of a
// variable's. What is no formula stays as it is.
func Rename(source, from, to string, law bool) string {
	tokens, err := scan(source)
	if err != nil {
		return source
	}
	var b strings.Builder
	done := 0
	for k, t := range tokens {
		if !names(tokens, k, from, law) {
			continue
		}
		b.WriteString(source[done:t.from])
		b.WriteString(Quote(to))
		done = t.to
	}
	return b.String() + source[done:]
}

// Relabel returns a formula with another label in place of a label of the variable: where it is compared
// with the variable and, in the variable's own law, where it is compared with none. What is no formula
// stays as it is.
func Relabel(source, variable, from, to string, own bool) string {
	tokens, err := scan(source)
	if err != nil {
		return source
	}
	at := func(k int) token {
		if k < 0 || k >= len(tokens) {
			return token{}
		}
		return tokens[k]
	}
	compares := func(t token) bool { return t.kind == mark && (t.text == "=" || t.text == "!=") }
	named := func(t token) bool { return (t.kind == word || t.kind == name) && t.text == variable }
	var b strings.Builder
	done := 0
	for k, t := range tokens {
		before, after := compares(at(k-1)) && !(own && k == 2), compares(at(k+1))
		is := before && named(at(k-2)) || after && named(at(k+2)) || own && !before && !after
		if t.kind != text || t.text != from || !is {
			continue
		}
		b.WriteString(source[done:t.from] + `"` + to + `"`)
		done = t.to
	}
	return b.String() + source[done:]
}

// Clip returns a law of values whose branches give the last value of Y_j where they would give a larger one. A law
// that is valid, or that this does not make valid, stays as it is.
func (t *Tabulator) Clip(text string, j int) string {
	clipped := text
	for done := map[int]bool{}; ; {
		_, err := t.Law(clipped, j)
		if err == nil {
			return clipped
		}
		column := 0
		if e, ok := err.(*Error); ok {
			column = e.Column
		}
		branch, from, to := branchAt(clipped, column)
		if branch < 0 || done[branch] {
			return text
		}
		done[branch] = true
		clipped = fmt.Sprintf("%smin(%d, %s)%s", clipped[:from], t.Space.State[j].Size-1, clipped[from:to], clipped[to:])
	}
}

// branchAt returns the number of the value of a law that is written at a column, and the bytes that it takes; −1 if
// none is.
func branchAt(source string, column int) (branch, from, to int) {
	tokens, err := scan(source)
	if err != nil || !tokens[0].is("next") {
		return -1, 0, 0
	}
	first := slices.IndexFunc(tokens, func(t token) bool { return t.is("=") }) + 1
	depth, begin := 0, first // of the present branch; 0: in its probability
	for k := first; first > 0 && k < len(tokens); k++ {
		switch t := tokens[k]; {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth == 0 && (t.is("with") || t.is(",") || t.kind == end):
			if begin > 0 && begin < k && tokens[begin].column <= column && column < t.column {
				return branch, tokens[begin].from, tokens[k-1].to
			}
			if begin = 0; t.is(",") {
				begin = k + 1
				branch++
			}
		}
	}
	return -1, 0, 0
}

// Names reports whether a formula, which may be the law of a variable, names a variable.
func Names(source, variable string, law bool) bool {
	tokens, err := scan(source)
	if err != nil {
		return false
	}
	for k := range tokens {
		if names(tokens, k, variable, law) {
			return true
		}
	}
	return false
}

// names reports whether token k is the name of that variable.
func names(tokens []token, k int, variable string, law bool) bool {
	t := tokens[k]
	called := k+1 < len(tokens) && t.kind == word && !t.prime && tokens[k+1].is("(")
	return t.text == variable && (t.kind == word || t.kind == name) && !called && !(law && k == 0) && !reserved(t)
}

// Quote returns the name of a variable as a formula has it.
func Quote(of string) string {
	tokens, err := scan(of)
	if err == nil && len(tokens) == 2 && tokens[0].kind == word && !tokens[0].prime && !reserved(tokens[0]) {
		return of
	}
	return "`" + of + "`"
}
