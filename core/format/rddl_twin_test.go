package format_test

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
)

// twin interprets a problem in RDDL as it is written: it keeps the expressions as they stand, and computes each of them
// in one state under one action. It grounds nothing, knows no scopes and refuses nothing.
type twin struct {
	words []string
	at    int

	types    map[string][]string // the objects of each type
	enums    map[string]string   // the type of each object and value
	kinds    map[string]string   // of fluents
	ranges   map[string]string
	params   map[string][]string
	defaults map[string]float64
	given    map[string]string // the defaults as they are written
	laws     map[string]twinLaw
	reward   *twinNode
	must     []*twinNode
	final    []*twinNode
	set      map[string]float64 // non-fluents and the first state
	horizon  int
	most     int
}

type twinLaw struct {
	params []string
	body   *twinNode
}

// twinNode is an expression: its head, and what stands in it.
type twinNode struct {
	head string
	vars [][2]string
	keys []string
	args []*twinNode
}

var twinWord = regexp.MustCompile(`\?[A-Za-z0-9_-]*[A-Za-z0-9]|[@$][A-Za-z0-9_-]*[A-Za-z0-9]|[A-Za-z]([A-Za-z0-9_-]*[A-Za-z0-9])?'?|[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?|<=>|=>|~=|<=|>=|==|[^\s]`)

func newTwin(texts ...string) *twin {
	w := &twin{
		types: map[string][]string{}, enums: map[string]string{}, kinds: map[string]string{}, ranges: map[string]string{}, params: map[string][]string{},
		defaults: map[string]float64{}, given: map[string]string{}, laws: map[string]twinLaw{}, set: map[string]float64{}, most: -1,
	}
	for _, text := range texts {
		w.words, w.at = twinWord.FindAllString(regexp.MustCompile(`//[^\n]*`).ReplaceAllString(text, ""), -1), 0
		for w.at < len(w.words) {
			switch w.next() {
			case "domain", "instance", "non-fluents":
				w.next()
				w.want("{")
				for !w.is("}") {
					w.section()
				}
			}
		}
	}
	for f, word := range w.given {
		w.defaults[f] = w.id(word)
	}
	return w
}

func (w *twin) next() string { w.at++; return w.words[w.at-1] }

func (w *twin) is(word string) bool {
	if w.at < len(w.words) && w.words[w.at] == word {
		w.at++
		return true
	}
	return false
}

func (w *twin) want(word string) {
	if got := w.next(); got != word {
		panic("twin: " + got + " where " + word + " was expected")
	}
}

// id is the number that stands for a value: objects and values of types are numbered within their type.
func (w *twin) id(word string) float64 {
	if word == "-" {
		return -w.id(w.next())
	}
	if v, err := strconv.ParseFloat(word, 64); err == nil {
		return v
	}
	if word == "true" || word == "false" {
		return map[string]float64{"true": 1}[word]
	}
	word = strings.TrimLeft(word, "@$")
	return float64(slices.Index(w.types[w.enums[word]], word))
}

func (w *twin) section() {
	switch name := w.next(); name {
	case "domain":
		w.want("=")
		w.next()
	case "requirements":
		for !w.is("}") {
			w.at++
		}
	case "types", "objects":
		w.want("{")
		for !w.is("}") {
			of := w.next()
			w.want(":")
			if !w.is("object") {
				w.want("{")
				for !w.is("}") {
					if !w.is(",") {
						value := strings.TrimLeft(w.next(), "@$")
						w.types[of], w.enums[value] = append(w.types[of], value), of
					}
				}
			}
			w.is(";")
		}
	case "pvariables":
		w.want("{")
		for !w.is("}") {
			f := w.next()
			if w.is("(") {
				for !w.is(")") {
					if !w.is(",") {
						w.params[f] = append(w.params[f], w.next())
					}
				}
			}
			w.want(":")
			w.want("{")
			w.kinds[f] = w.next()
			w.want(",")
			w.ranges[f] = w.next()
			if w.is(",") {
				if w.next() == "default" {
					w.want("=")
					w.given[f] = w.next()
					if w.given[f] == "-" {
						w.given[f] += w.next()
					}
				} else {
					w.want("=")
					w.next()
				}
			}
			w.want("}")
			w.is(";")
		}
	case "cpfs":
		w.want("{")
		for !w.is("}") {
			f, l := strings.TrimSuffix(w.next(), "'"), twinLaw{}
			if w.is("(") {
				for !w.is(")") {
					if !w.is(",") {
						l.params = append(l.params, w.next())
					}
				}
			}
			w.want("=")
			l.body = w.expr(0)
			w.want(";")
			w.laws[f] = l
		}
	case "reward":
		w.want("=")
		w.reward = w.expr(0)
	case "state-action-constraints", "action-preconditions", "termination", "state-invariants":
		w.want("{")
		for !w.is("}") {
			e := w.expr(0)
			w.is(";")
			if name == "termination" {
				w.final = append(w.final, e)
			} else if name != "state-invariants" {
				w.must = append(w.must, e)
			}
		}
	case "non-fluents", "init-state":
		if w.is("=") {
			w.next()
			break
		}
		w.want("{")
		for !w.is("}") {
			value := 1.0
			if w.is("~") {
				value = 0
			}
			f := w.next()
			if w.is("(") {
				f += "("
				for !w.is(")") {
					f += strings.TrimLeft(w.next(), "$@")
				}
				f += ")"
			}
			if w.is("=") {
				value = w.id(w.next())
			}
			w.want(";")
			w.set[f] = value
		}
	case "horizon", "max-nondef-actions", "discount":
		w.want("=")
		n, err := strconv.ParseFloat(w.next(), 64)
		if err != nil { // pos-inf
			n = -1
		}
		if name == "horizon" {
			w.horizon = int(n)
		} else if name == "max-nondef-actions" {
			w.most = int(n)
		}
	default:
		panic("twin: section " + name)
	}
	w.is(";")
}

// The operators of each level.
var twinLevels = [][]string{{"<=>"}, {"=>"}, {"|"}, {"^", "&"}, nil, {"==", "~=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "/"}}

func (w *twin) expr(level int) *twinNode {
	if level == 4 && w.is("~") {
		return &twinNode{head: "~", args: []*twinNode{w.expr(4)}}
	}
	if level == len(twinLevels) {
		return w.primary()
	}
	left := w.expr(level + 1)
	for w.at < len(w.words) && slices.Contains(twinLevels[level], w.words[w.at]) {
		op := w.next()
		left = &twinNode{head: op, args: []*twinNode{left, w.expr(level + 1)}}
	}
	return left
}

func (w *twin) list() (args []*twinNode) {
	closing := map[string]string{"(": ")", "[": "]"}[w.next()]
	for !w.is(closing) {
		if !w.is(",") {
			args = append(args, w.expr(0))
		}
	}
	return args
}

func (w *twin) primary() *twinNode {
	word := w.next()
	n := &twinNode{head: word}
	switch {
	case word == "(" || word == "[":
		n = w.expr(0)
		w.next()
	case word == "~":
		n.args = []*twinNode{w.expr(5)}
	case word == "-":
		n.head, n.args = "minus", []*twinNode{w.primary()}
	case word == "if":
		n.args = []*twinNode{w.primary()}
		w.want("then")
		n.args = append(n.args, w.expr(0))
		w.want("else")
		n.args = append(n.args, w.expr(0))
	case word == "switch":
		n.args = w.list()
		w.want("{")
		for !w.is("}") {
			key := ""
			if w.next() == "case" {
				key = w.next()
			}
			w.want(":")
			n.keys, n.args = append(n.keys, key), append(n.args, w.expr(0))
			w.is(",")
		}
	case word == "Discrete":
		w.want("(")
		w.next()
		for w.is(",") {
			n.keys = append(n.keys, w.next())
			w.want(":")
			n.args = append(n.args, w.expr(0))
		}
		w.want(")")
	case w.is("_"):
		w.want("{")
		for !w.is("}") {
			if !w.is(",") {
				v := w.next()
				w.want(":")
				n.vars = append(n.vars, [2]string{v, w.next()})
			}
		}
		n.args = []*twinNode{w.expr(0)}
	case w.at < len(w.words) && (w.words[w.at] == "(" || w.words[w.at] == "[") && word[0] != '?':
		n.args = w.list()
	}
	return n
}

// world is a state with an action, and perhaps the next state.
type world struct {
	now  map[string]float64 // of state and action fluents
	next map[string]float64
}

// groundings calls do with the name of each grounding of a fluent and its objects.
func (w *twin) groundings(f string, do func(name string, objects []string)) {
	var from func(objects []string)
	from = func(objects []string) {
		if k := len(objects); k < len(w.params[f]) {
			for _, o := range w.types[w.params[f][k]] {
				from(append(slices.Clone(objects), o))
			}
			return
		}
		name := f
		if len(objects) > 0 {
			name += "(" + strings.Join(objects, ",") + ")"
		}
		do(name, objects)
	}
	from(nil)
}

func holds(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// eval computes an expression. Env has the objects of variables.
func (w *twin) eval(n *twinNode, env map[string]string, in *world) float64 {
	arg := func(k int) float64 { return w.eval(n.args[k], env, in) }
	if n.vars != nil {
		var values []float64
		var from func(k int, env map[string]string)
		from = func(k int, env map[string]string) {
			if k == len(n.vars) {
				values = append(values, w.eval(n.args[0], env, in))
				return
			}
			for _, o := range w.types[n.vars[k][1]] {
				inner := maps.Clone(env)
				inner[n.vars[k][0]] = o
				from(k+1, inner)
			}
		}
		from(0, env)
		sum, product := 0.0, 1.0
		for _, v := range values {
			sum += v
			product *= v
		}
		switch n.head {
		case "sum":
			return sum
		case "avg":
			return sum / float64(len(values))
		case "prod":
			return product
		case "forall":
			return holds(!slices.Contains(values, 0))
		case "exists":
			return holds(slices.ContainsFunc(values, func(v float64) bool { return v != 0 }))
		case "min":
			return slices.Min(values)
		case "max":
			return slices.Max(values)
		}
	}
	switch n.head {
	case "~":
		return holds(arg(0) == 0)
	case "minus":
		return -arg(0)
	case "^", "&":
		return holds(arg(0) != 0 && arg(1) != 0)
	case "|":
		return holds(arg(0) != 0 || arg(1) != 0)
	case "=>":
		return holds(arg(0) == 0 || arg(1) != 0)
	case "<=>":
		return holds((arg(0) != 0) == (arg(1) != 0))
	case "==":
		return holds(arg(0) == arg(1))
	case "~=":
		return holds(arg(0) != arg(1))
	case "<":
		return holds(arg(0) < arg(1))
	case "<=":
		return holds(arg(0) <= arg(1))
	case ">":
		return holds(arg(0) > arg(1))
	case ">=":
		return holds(arg(0) >= arg(1))
	case "+":
		return arg(0) + arg(1)
	case "-":
		return arg(0) - arg(1)
	case "*":
		return arg(0) * arg(1)
	case "/":
		return arg(0) / arg(1)
	case "if":
		if arg(0) != 0 {
			return arg(1)
		}
		return arg(2)
	case "switch":
		of := arg(0)
		for k, key := range n.keys {
			if key == "" || w.id(key) == of {
				return arg(k + 1)
			}
		}
	case "KronDelta":
		return arg(0)
	case "abs":
		return math.Abs(arg(0))
	case "exp":
		return math.Exp(arg(0))
	case "min":
		return min(arg(0), arg(1))
	case "max":
		return max(arg(0), arg(1))
	case "pow":
		return math.Pow(arg(0), arg(1))
	case "mod":
		return math.Mod(arg(0), arg(1))
	}
	head, primed := strings.CutSuffix(n.head, "'")
	kind, fluent := w.kinds[head]
	switch {
	case n.head[0] == '?':
		return w.id(env[n.head])
	case !fluent:
		return w.id(n.head)
	}
	var objects []string
	for k := range n.args {
		objects = append(objects, w.types[w.params[head][k]][int(arg(k))])
	}
	name := head
	if len(objects) > 0 {
		name += "(" + strings.Join(objects, ",") + ")"
	}
	switch {
	case kind == "non-fluent":
		if v, has := w.set[name]; has {
			return v
		}
		return w.defaults[head]
	case kind == "interm-fluent" || kind == "derived-fluent":
		inner := map[string]string{}
		for k, p := range w.laws[head].params {
			inner[p] = objects[k]
		}
		return w.eval(w.laws[head].body, inner, in)
	case primed:
		return in.next[name]
	}
	return in.now[name]
}

// draws returns the law of a value.
func (w *twin) draws(n *twinNode, env map[string]string, in *world) map[float64]float64 {
	switch n.head {
	case "if":
		if w.eval(n.args[0], env, in) != 0 {
			return w.draws(n.args[1], env, in)
		}
		return w.draws(n.args[2], env, in)
	case "switch":
		of := w.eval(n.args[0], env, in)
		for k, key := range n.keys {
			if key == "" || w.id(key) == of {
				return w.draws(n.args[k+1], env, in)
			}
		}
	case "Bernoulli":
		p := w.eval(n.args[0], env, in)
		return map[float64]float64{0: 1 - p, 1: p}
	case "Discrete":
		law := map[float64]float64{}
		for k, key := range n.keys {
			law[w.id(key)] += w.eval(n.args[k], env, in)
		}
		return law
	}
	return map[float64]float64{w.eval(n, env, in): 1}
}

// twinSolver knows all states and actions of a twin.
type twinSolver struct {
	*twin
	names   []string // of the state fluents' groundings
	fluents []string
	objects [][]string
	actions []map[string]float64
	seen    map[string]float64
	steps   map[string]*twinStep
}

// twinStep is a state in which an action is legal, and what follows.
type twinStep struct {
	state, action map[string]float64
	laws          []map[float64]float64
	legal         bool
	reward        float64 // expected
}

func solver(w *twin) *twinSolver {
	s := &twinSolver{twin: w, seen: map[string]float64{}, steps: map[string]*twinStep{}}
	acts, values := []string{}, map[string][]float64{}
	defaults := map[string]float64{}
	for _, f := range slices.Sorted(maps.Keys(w.kinds)) {
		w.groundings(f, func(name string, objects []string) {
			switch w.kinds[f] {
			case "state-fluent":
				s.names, s.fluents, s.objects = append(s.names, name), append(s.fluents, f), append(s.objects, objects)
			case "action-fluent":
				acts = append(acts, name)
				defaults[name] = w.defaults[f]
				values[name] = []float64{0, 1}
				if t := w.types[w.ranges[f]]; t != nil {
					values[name] = nil
					for v := range t {
						values[name] = append(values[name], float64(v))
					}
				}
			}
		})
	}
	var from func(k, left int, action map[string]float64)
	from = func(k, left int, action map[string]float64) {
		if k == len(acts) {
			s.actions = append(s.actions, maps.Clone(action))
			return
		}
		for _, v := range values[acts[k]] {
			rest := left
			if v != defaults[acts[k]] {
				rest--
			}
			if rest >= 0 {
				action[acts[k]] = v
				from(k+1, rest, action)
			}
		}
	}
	if w.most < 0 {
		w.most = len(acts)
	}
	from(0, w.most, map[string]float64{})
	return s
}

// value is the value of a state with that many steps left, by the best action or, if mean is set, by actions drawn uniformly.
func (s *twinSolver) value(left int, state map[string]float64, mean bool) float64 {
	for _, e := range s.final {
		if s.eval(e, nil, &world{now: state}) != 0 {
			return 0
		}
	}
	if left == 0 {
		return 0
	}
	key := ""
	for _, name := range s.names {
		key += fmt.Sprint(" ", state[name])
	}
	at := fmt.Sprint(left, mean, key)
	if v, has := s.seen[at]; has {
		return v
	}
	best, sum, count := math.Inf(-1), 0.0, 0.0
	for k := range s.actions {
		step := s.step(key+fmt.Sprint(" by ", k), state, s.actions[k])
		if !step.legal {
			continue
		}
		v := step.reward
		s.each(step.laws, func(p float64, next map[string]float64) { v += p * s.value(left-1, maps.Clone(next), mean) })
		best = max(best, v)
		sum, count = sum+v, count+1
	}
	v := best
	if mean {
		v = sum / count
	}
	s.seen[at] = v
	return v
}

// each calls do with each next state and its probability.
func (s *twinSolver) each(laws []map[float64]float64, do func(p float64, next map[string]float64)) {
	next := map[string]float64{}
	var from func(k int, p float64)
	from = func(k int, p float64) {
		if k == len(laws) {
			do(p, next)
			return
		}
		for value, q := range laws[k] {
			if q > 0 {
				next[s.names[k]] = value
				from(k+1, p*q)
			}
		}
	}
	from(0, 1)
}

// step returns what an action does in a state.
func (s *twinSolver) step(key string, state, action map[string]float64) *twinStep {
	if step, has := s.steps[key]; has {
		return step
	}
	in := &world{now: maps.Clone(state)}
	maps.Copy(in.now, action)
	step := &twinStep{state: state, action: action}
	s.steps[key] = step
	if slices.ContainsFunc(s.must, func(e *twinNode) bool { return s.eval(e, map[string]string{}, in) == 0 }) {
		return step
	}
	step.legal = true
	for k, f := range s.fluents {
		env := map[string]string{}
		for i, p := range s.laws[f].params {
			env[p] = s.objects[k][i]
		}
		step.laws = append(step.laws, s.draws(s.laws[f].body, env, in))
	}
	s.each(step.laws, func(p float64, next map[string]float64) {
		in.next = next
		step.reward += p * s.eval(s.reward, map[string]string{}, in)
	})
	return step
}

func (s *twinSolver) start() map[string]float64 {
	state := map[string]float64{}
	for k, name := range s.names {
		state[name] = s.defaults[s.fluents[k]]
		if v, has := s.set[name]; has {
			state[name] = v
		}
	}
	return state
}

// slot returns the value of a state variable of a model for a value of the twin.
func slotOf(t *testing.T, v *fmdp.Variable, value float64, objects bool) int {
	if len(v.Values) == 0 || objects {
		return int(value)
	}
	k := slices.Index(v.Values, fmt.Sprint(value))
	if k < 0 {
		t.Fatalf("%s has no value %v", v.Name, value)
	}
	return k
}
