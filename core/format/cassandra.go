package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// cassandra is the MDP format of Cassandra's pomdp-solve. Its one state variable is named
// "state" and its action variable "action". Later entries replace earlier ones. The format has
// no horizon.
var cassandra = ModelFormat{
	Name: "Cassandra's MDP",
	Match: func(text string) bool {
		s := newCassandra(text)
		word := s.take().text
		return slices.Contains(preamble, word) && s.now.is(":")
	},
	Read: func(text string, o Options) (*fmdp.Model, []string, error) {
		s := newCassandra(text)
		s.scaling = o.Scaling
		m, notes := s.model(o)
		if s.failed() {
			return nil, nil, s.err()
		}
		return m, notes, nil
	},
}

// preamble are the words with which a file begins, and sections those with which entries do.
var (
	preamble = []string{"discount", "values", "states", "actions", "observations"}
	sections = append([]string{"start", "T", "R", "O"}, preamble...)
)

type cassandraReader struct {
	scanner
	room     budget
	scaling  *fmdp.Scaling
	space    fmdp.Space // the states and the actions, when both are known
	lookup   [2]map[string]int
	law, pay cassandraTable
	begun    bool      // whether entries may come
	start    []float64 // the initial distribution
	discount float64
	sign     float64 // −1 if values are costs
	steps    int
	entries  int
}

// cassandraTable has the entries of the law, or of the payoffs, by state and action, where −1 stands for all: tables are
// made of them by row, so that a file takes no more memory than itself and its model.
type cassandraTable map[[2]int][]cassandraEntry

// cassandraEntry sets the numbers of some next states in rows.
type cassandraEntry struct {
	at       token
	order    int       // later entries replace earlier ones
	to, last int       // the next states
	values   []float64 // one for all of them, one for each, or one for each state and next state
	word     string    // or what stands for values
}

func newCassandra(text string) *cassandraReader {
	s := &cassandraReader{scanner: scanner{marks: ":", remark: "#"}, discount: 1, sign: 1}
	s.scan(text)
	return s
}

// every stands for all states or all actions.
const every = "*"

// model reads the whole file.
func (s *cassandraReader) model(o Options) (*fmdp.Model, []string) {
	seen := map[string]bool{}
	for !s.failed() && s.now.kind != end {
		t := s.take()
		if t.text != "T" && t.text != "R" {
			if seen[t.text] {
				s.fail(t, "a second %q", param.Clip(t.text))
			}
			seen[t.text] = true
		}
		switch {
		case !slices.Contains(sections, t.text):
			s.fail(t, "%q is not read; an entry begins with one of %s", param.Clip(t.text), strings.Join(sections, ", "))
		case t.text == "observations" || t.text == "O":
			s.fail(t, "the file has observations: it is a POMDP, and every variable of a model is seen")
		case slices.Contains(preamble, t.text) && s.begun:
			s.fail(t, "%q stands before the entries", t.text)
		case slices.Contains(preamble, t.text):
			s.expect(":")
			s.begin(t)
		case !s.sized(t):
		case t.text == "start":
			s.start = s.begins()
		case t.text == "T":
			s.expect(":")
			s.entry(t, s.law, true)
		default:
			s.expect(":")
			s.entry(t, s.pay, false)
		}
	}
	if s.failed() || !s.sized(token{}) {
		return nil, nil
	}
	h, err := o.Steps(0)
	if err != nil {
		s.failure = err.(*Error)
		return nil, nil
	}
	notes := undiscounted(s.discount)
	if s.start == nil {
		s.start = fmdp.Uniform(s.space.States())
		notes = append(notes, "the file has no start: all states are equally likely at first")
	}
	m := &fmdp.Model{Space: s.space, Horizon: h, Initial: s.start}
	law := s.transition()
	if s.failed() {
		return nil, nil
	}
	m.Transition = []fmdp.Factor{law}
	var more []string
	m.Reward, more = s.rewards(&law)
	return m, append(notes, more...)
}

// begin reads a part of the preamble behind its colon.
func (s *cassandraReader) begin(of token) {
	switch of.text {
	case "discount":
		s.discount, _ = s.number("a discount")
	case "values":
		switch t, _ := s.name("reward or cost"); t.text {
		case "reward", "rewards":
		case "cost", "costs":
			s.sign = -1
		default:
			s.fail(t, "values are reward or cost, not %q", param.Clip(t.text))
		}
	default:
		k, v := 0, fmdp.Variable{Name: "state"}
		if of.text == "actions" {
			k, v.Name = 1, actionName
		}
		s.lookup[k] = map[string]int{}
		if digits(s.now.text) && s.now.text != "0" {
			v.Size, _ = s.whole("the number of "+of.text, 1, fmdp.MaxPoints)
		} else if v.Values = s.names(s.lookup[k]); len(v.Values) == 0 {
			s.unexpected("the number of " + of.text + " or their names")
		} else if v.Size = len(v.Values); v.Values[0] == "0" { // numbers are no labels
			if v.Values = nil; v.Size == 1 {
				s.fail(of, "there are no %s", of.text)
			}
		}
		if k == 0 {
			s.space.State = []fmdp.Variable{v}
		} else {
			s.space.Action = []fmdp.Variable{v}
		}
	}
}

// names reads the names of states or actions, each of which has its place. Numbers are names if they are
// their places: 0 1 2.
func (s *cassandraReader) names(lookup map[string]int) (names []string) {
	for s.now.kind == name && !slices.Contains(sections, s.now.text) {
		t := s.take()
		switch _, has := lookup[t.text]; {
		case has:
			s.fail(t, "the name %q stands there twice", param.Clip(t.text))
		case t.text == every || digits(t.text) && t.text != strconv.Itoa(len(names)) || !digits(t.text) && len(names) > 0 && names[0] == "0":
			s.fail(t, "%q cannot be a name", param.Clip(t.text))
		}
		lookup[t.text] = len(names)
		names = append(names, t.text)
	}
	return names
}

// digits reports whether a text is a whole number.
func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// sized reports whether the states and the actions are known, and not too many.
func (s *cassandraReader) sized(at token) bool {
	switch {
	case s.failed():
	case s.begun:
	case s.space.State == nil:
		s.fail(at, "the states of the file are not known; states: says them first")
	case s.space.Action == nil:
		s.fail(at, "the actions of the file are not known; actions: says them first")
	case s.space.Joint() > fmdp.MaxTable:
		s.fail(at, "the law of the next state has %s entries (S²A), more than %d", fmdp.Saturated(s.space.Joint()), fmdp.MaxTable)
	default:
		s.begun, s.law, s.pay = true, cassandraTable{}, cassandraTable{}
	}
	return !s.failed()
}

// one reads a state (0) or an action (1), or *. It returns the first and the last one that is
// meant.
func (s *cassandraReader) one(k int) (first, last int) {
	t, _ := s.name([]string{"a state", "an action"}[k])
	return s.meant(k, t)
}

// meant returns the first and the last state or action that a token means.
func (s *cassandraReader) meant(k int, t token) (first, last int) {
	what, n := "state", s.space.States()
	if k == 1 {
		what, n = "action", s.space.Actions()
	}
	i, has := s.lookup[k][t.text]
	switch {
	case s.failed():
	case t.text == every:
		return 0, n - 1
	case has:
		return i, i
	case digits(t.text) && len(t.text) < 9:
		for _, digit := range t.text {
			i = 10*i + int(digit-'0')
		}
		if i < n {
			return i, i
		}
		fallthrough
	default:
		s.fail(t, "there is no %s %q", what, param.Clip(t.text))
	}
	return 0, 0
}

// begins reads the initial distribution.
func (s *cassandraReader) begins() []float64 {
	n := s.space.States()
	p := make([]float64, n)
	how := ""
	if s.now.is("include") || s.now.is("exclude") {
		how = s.take().text
	}
	s.expect(":")
	at := s.now
	if how != "" {
		for s.now.kind == name && !slices.Contains(sections, s.now.text) {
			for i, last := s.one(0); i <= last && s.spend(1, at); i++ {
				p[i] = 1
			}
		}
		few := 0.0
		for i := range p {
			if how == "exclude" {
				p[i] = 1 - p[i]
			}
			few += p[i]
		}
		if few == 0 {
			s.fail(at, "no state is left to start in")
		}
		for i := range p {
			p[i] /= few
		}
	} else if at.is("uniform") {
		s.take()
		return fmdp.Uniform(n)
	} else {
		first, _ := s.name("a state or a probability of each state")
		v, number := numberOf(first.text)
		if _, more := numberOf(s.now.text); number && more {
			p[0] = v
			for i := 1; i < n; i++ {
				p[i], _ = s.number("a probability of each state")
			}
		} else if number && n == 1 && v != 0 {
			p[0] = v
		} else if first.text == every {
			s.fail(first, "a state or a probability of each state was expected")
		} else {
			i, _ := s.meant(0, first)
			p[i] = 1
		}
	}
	if !s.failed() {
		s.checked(at, s.scaling.Initial(p))
	}
	return p
}

// spend counts steps. A short file can ask for very many with entries for every state.
func (s *cassandraReader) spend(n int, at token) bool {
	if s.steps += n; s.steps > 2*mostSteps {
		s.fail(at, "the entries set more than %d numbers", 2*mostSteps)
	}
	return !s.failed()
}

// entry reads an entry of the law, or of the payoffs, behind its first colon.
func (s *cassandraReader) entry(at token, table cassandraTable, law bool) {
	n := s.space.States()
	action, lastAction := s.one(1)
	from, lastFrom := 0, n-1
	e := cassandraEntry{at: at, last: n - 1}
	parts := 1
	for s.now.is(":") && !s.failed() && e.values == nil {
		s.take()
		switch parts++; parts {
		case 2:
			from, lastFrom = s.one(0)
		case 3:
			e.to, e.last = s.one(0)
		case 4: // some programs write one more colon before the number
			if s.now.is(every) && !law {
				s.take()
				break
			}
			t := s.now
			v, ok := s.number("a number")
			if _, more := numberOf(s.now.text); ok && more {
				s.fail(t, "nothing more was expected; the file has no observations")
			}
			e.values = []float64{v}
		default:
			s.fail(s.now, "nothing more was expected; the file has no observations")
		}
	}
	if s.failed() {
		return
	}
	switch word := s.now.text; {
	case e.values != nil:
	case parts > 2:
		v, _ := s.number("a number")
		e.values = []float64{v}
	case law && (word == "uniform" || word == "identity" && parts == 1 || word == "reset" && parts == 2):
		e.word = s.take().text
	default:
		for range []int{0, n * n, n}[parts] {
			if s.failed() {
				return
			}
			v, _ := s.number("a number")
			e.values = append(e.values, v)
		}
	}
	numbers := (lastAction - action + 1) * (lastFrom - from + 1) * (e.last - e.to + 1)
	if !s.spend(numbers, at) {
		return
	}
	key := [2]int{from, action}
	if from < lastFrom {
		key[0] = -1
	}
	if action < lastAction {
		key[1] = -1
	}
	s.entries++
	e.order = s.entries
	table[key] = append(table[key], e)
}

// row writes the numbers of a row into dst, and returns the last entry that sets some.
func (s *cassandraReader) row(dst []float64, table cassandraTable, from, action int) (last token) {
	clear(dst)
	lists := [][]cassandraEntry{table[[2]int{from, action}], table[[2]int{-1, action}], table[[2]int{from, -1}], table[[2]int{-1, -1}]}
	for {
		next := -1
		for k, list := range lists {
			if len(list) > 0 && (next < 0 || list[0].order < lists[next][0].order) {
				next = k
			}
		}
		if next < 0 {
			return last
		}
		e := &lists[next][0]
		lists[next], last = lists[next][1:], e.at
		some := dst[e.to : e.last+1]
		switch {
		case e.word == "identity":
			clear(some)
			some[from] = 1
		case e.word == "uniform":
			fill(some, 1/float64(len(dst)))
		case e.word == "reset":
			copy(some, s.start)
		case len(e.values) == 1:
			fill(some, e.values[0])
		case len(e.values) == len(dst):
			copy(some, e.values)
		default:
			copy(some, e.values[from*len(dst):])
		}
	}
}

func fill(dst []float64, v float64) {
	for k := range dst {
		dst[k] = v
	}
}

// table makes a table over the state and the action, with rows of n numbers, without the given variables on
// which no row depends. The function row writes a row. Before the table is made, take says whether it may be.
func (s *cassandraReader) table(n int, row func(dst []float64, from, action int), take func(rows int) bool) (given []int, table []float64) {
	states, actions := s.space.States(), s.space.Actions()
	now, first, base := make([]float64, n), make([]float64, n), make([]float64, actions*n)
	var on [2]bool // whether a row depends on the state, and on the action
	for from := range states {
		for a := range actions {
			row(now, from, a)
			if s.failed() {
				return nil, nil
			}
			if a == 0 {
				copy(first, now)
			}
			if from == 0 {
				copy(base[a*n:], now)
			}
			on[0] = on[0] || !slices.Equal(now, base[a*n:][:n])
			on[1] = on[1] || !slices.Equal(now, first)
		}
	}
	given, rows, count := []int{}, 1, [2]int{1, 1}
	for i, is := range on {
		if is {
			given, count[i] = append(given, i), s.size(i)
			rows *= s.size(i)
		}
	}
	if !take(rows) {
		return nil, nil
	}
	table = make([]float64, rows*n)
	for k := range rows {
		row(table[k*n:][:n], k/count[1], k%count[1])
	}
	return given, table
}

// transition returns the law of the next state.
func (s *cassandraReader) transition() fmdp.Factor {
	f := fmdp.Factor{Size: s.space.States()}
	row := fmdp.Factor{Size: f.Size}
	f.Given, f.P = s.table(f.Size, func(dst []float64, from, a int) {
		at := s.row(dst, s.law, from, a)
		row.P = dst
		if err := s.scaling.Rows(&row, &s.space, "state", nil); err != nil {
			s.fail(at, "in the state %s with the action %s, %v", param.Clip(s.space.State[0].Label(from)), param.Clip(s.space.Action[0].Label(a)), err)
		}
	}, func(rows int) bool {
		if !s.room.take(rows, len("[],")+len("0,")*f.Size-1) {
			s.fail(token{}, "the law of the next state takes %d rows of %d numbers, more than the %d MiB of a spec hold", rows, f.Size, document.MaxModel>>20)
		}
		return !s.failed()
	})
	return f
}

// size returns the number of states (0), actions (1) or next states (2).
func (s *cassandraReader) size(i int) int {
	if i == 1 {
		return s.space.Actions()
	}
	return s.space.States()
}

// rewards returns the payoff, one factor over the state and the action. It is paid on arrival, and
// has the next state among its variables, if a next state that can be reached matters. If that takes too large
// a table, it is the mean over the next states, and a note says so.
func (s *cassandraReader) rewards(law *fmdp.Factor) (rewards []fmdp.Reward, notes []string) {
	n, actions := s.space.States(), s.space.Actions()
	mean, arrives := make([]float64, n*actions), false
	paid := func(dst []float64, from, a int) {
		s.row(dst, s.pay, from, a)
		for k, v := range dst {
			if dst[k] = s.sign * v; v == 0 {
				dst[k] = 0 // not −0
			}
		}
	}
	pay := make([]float64, n)
	for from := range n {
		for a := range actions {
			paid(pay, from, a)
			v, differ := meanOf(law.Row(s.space.Row(law.Given, []int{from, a})), pay)
			mean[from*actions+a], arrives = v, arrives || differ
		}
	}
	if arrives {
		numbers := 0
		given, table := s.table(n, paid, func(rows int) bool {
			numbers = rows * n
			return s.room.take(numbers, len("0,"))
		})
		if table != nil {
			return []fmdp.Reward{{Given: append(given, 2), Mean: table, Scale: 1, Of: -1}}, nil
		}
		notes = []string{fmt.Sprintf("a payoff by next state would take %d numbers; the model pays its mean over the next states, which leaves the values of policies as they are", numbers)}
	}
	given, table := s.table(1, func(dst []float64, from, a int) { dst[0] = mean[from*actions+a] }, func(int) bool { return true })
	if len(given) == 0 && table[0] == 0 {
		return nil, notes
	}
	return []fmdp.Reward{{Given: given, Mean: table, Scale: 1, Of: -1}}, notes
}

// meanOf returns the mean of payoffs under a law, and whether two that can be paid differ.
func meanOf(law, pay []float64) (mean float64, differ bool) {
	first := slices.IndexFunc(law, func(p float64) bool { return p > 0 })
	for k, p := range law {
		mean += float64(p * pay[k])
		differ = differ || p > 0 && pay[k] != pay[first]
	}
	if !differ {
		mean = pay[first]
	}
	return mean, differ
}
