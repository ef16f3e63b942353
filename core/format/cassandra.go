package format

import (
	"slices"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// cassandra is the MDP format of Cassandra's pomdp-solve. Its one state variable is named
// "state" and its action variable "action". Later entries replace earlier ones. The format has
// no horizon.
var cassandra = modelFormat{
	"Cassandra's MDP",
	func(text string) bool {
		s := newCassandra(text)
		word := s.take().text
		return slices.Contains(preamble, word) && s.now.is(":")
	},
	func(text string, o Options) (*fmdp.Model, []string, error) {
		s := newCassandra(text)
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
	space    fmdp.Space // the states and the actions, when both are known
	lookup   [2]map[string]int
	law      []float64 // by action, state and next state
	pay      []float64 // the same
	lines    []token   // the last entry of a row of the law
	discount float64
	sign     float64 // −1 if values are costs
	steps    int
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
	var initial []float64
	for !s.failed() && s.now.kind != end {
		t := s.take()
		if t.text != "T" && t.text != "R" {
			if seen[t.text] {
				s.fail(t, "a second %q", param.Clip(t.text))
			}
			seen[t.text] = true
		}
		switch known := len(s.lines) > 0; {
		case !slices.Contains(sections, t.text):
			s.fail(t, "%q is not read; an entry begins with one of %s", param.Clip(t.text), strings.Join(sections, ", "))
		case t.text == "observations" || t.text == "O":
			s.fail(t, "the file has observations: it is a POMDP, and every variable of a model is seen")
		case slices.Contains(preamble, t.text) && known:
			s.fail(t, "%q stands before the entries", t.text)
		case slices.Contains(preamble, t.text):
			s.expect(":")
			s.begin(t)
		case !s.sized(t):
		case t.text == "start":
			initial = s.start()
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
	h, err := o.horizon(0)
	if err != nil {
		s.failure = err.(*Error)
		return nil, nil
	}
	m := &fmdp.Model{Space: s.space, Horizon: h, Initial: initial}
	notes := undiscounted(s.discount)
	if initial == nil {
		m.Initial = fmdp.Uniform(s.space.States())
		notes = append(notes, "the file has no start: all states are equally likely at first")
	}
	if m.Transition = s.transition(); s.failed() {
		return nil, nil
	}
	m.Reward = s.rewards()
	return m, notes
}

// begin reads a part of the preamble behind its colon.
func (s *cassandraReader) begin(of token) {
	switch of.text {
	case "discount":
		s.discount, _ = s.number("a discount")
	case "values":
		switch t, _ := s.name("reward or cost"); t.text {
		case "reward":
		case "cost":
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
		if v.Size = len(s.now.text); strings.Trim(s.now.text, "0123456789") == "" && s.now.kind == name {
			v.Size, _ = s.whole("the number of "+of.text, 1, fmdp.MaxPoints)
		} else {
			for s.now.kind == name && !slices.Contains(sections, s.now.text) {
				t := s.take()
				switch _, has := s.lookup[k][t.text]; {
				case has:
					s.fail(t, "the name %q stands there twice", param.Clip(t.text))
				case t.text == every || strings.Trim(t.text, "0123456789") == "":
					s.fail(t, "%q cannot be a name", param.Clip(t.text))
				}
				s.lookup[k][t.text] = len(v.Values)
				v.Values = append(v.Values, t.text)
			}
			if v.Size = len(v.Values); v.Size == 0 {
				s.unexpected("the number of " + of.text + " or their names")
			}
		}
		if k == 0 {
			s.space.State = []fmdp.Variable{v}
		} else {
			s.space.Action = []fmdp.Variable{v}
		}
	}
}

// sized makes the tables, once the states and the actions are known.
func (s *cassandraReader) sized(at token) bool {
	switch {
	case s.failed():
	case len(s.lines) > 0:
	case s.space.State == nil:
		s.fail(at, "the states of the file are not known; states: says them first")
	case s.space.Action == nil:
		s.fail(at, "the actions of the file are not known; actions: says them first")
	case s.space.Joint() > fmdp.MaxTable:
		s.fail(at, "the law of the next state has %s entries (S²A), more than %d", fmdp.Saturated(s.space.Joint()), fmdp.MaxTable)
	default:
		s.law, s.pay = make([]float64, s.space.Joint()), make([]float64, s.space.Joint())
		s.lines = make([]token, s.space.Points())
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
	case strings.Trim(t.text, "0123456789") == "" && len(t.text) < 9:
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

// start reads the initial distribution.
func (s *cassandraReader) start() []float64 {
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
		s.checked(at, (&fmdp.Scaling{}).Initial(p))
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
func (s *cassandraReader) entry(at token, table []float64, law bool) {
	n := s.space.States()
	action, lastAction := s.one(1)
	from, lastFrom, to, lastTo := 0, n-1, 0, n-1
	parts := 1
	for s.now.is(":") && !s.failed() {
		s.take()
		switch parts++; parts {
		case 2:
			from, lastFrom = s.one(0)
		case 3:
			to, lastTo = s.one(0)
		case 4:
			if s.now.is(every) && !law {
				s.take()
				break
			}
			fallthrough
		default:
			s.fail(s.now, "nothing more was expected; the file has no observations")
		}
	}
	if s.failed() {
		return
	}
	var values []float64
	word := s.now.text
	switch {
	case parts > 2:
		v, _ := s.number("a number")
		values = []float64{v}
	case law && (word == "uniform" || word == "identity" && parts == 1):
		s.take()
	default:
		word = ""
		for range []int{0, n * n, n}[parts] {
			if s.failed() {
				return
			}
			v, _ := s.number("a number")
			values = append(values, v)
		}
	}
	for a := action; a <= lastAction; a++ {
		for i := from; i <= lastFrom; i++ {
			if !s.spend(lastTo-to+1, at) {
				return
			}
			if law {
				s.lines[a*n+i] = at
			}
			for k := to; k <= lastTo; k++ {
				v := 0.0
				switch {
				case parts > 2:
					v = values[0]
				case word == "uniform":
					v = 1 / float64(n)
				case word == "identity" && i != k:
				case word == "identity":
					v = 1
				case parts == 2:
					v = values[k]
				default:
					v = values[i*n+k]
				}
				table[(a*n+i)*n+k] = v
			}
		}
	}
}

// transition returns the law of the next state.
func (s *cassandraReader) transition() []fmdp.Factor {
	n, actions := s.space.States(), s.space.Actions()
	f := fmdp.Factor{Given: []int{0, 1}, Size: n, P: make([]float64, len(s.law))}
	for i := range n {
		for a := range actions {
			row := fmdp.Factor{Size: n, P: f.P[(i*actions+a)*n:][:n]}
			copy(row.P, s.law[(a*n+i)*n:][:n])
			if err := (&fmdp.Scaling{}).Rows(&row, &s.space, "state", nil); err != nil {
				s.fail(s.lines[a*n+i], "in the state %s with the action %s, %v", param.Clip(s.space.State[0].Label(i)), param.Clip(s.space.Action[0].Label(a)), err)
				return nil
			}
		}
	}
	t := reduction{given: f.Given, size: s.size, width: n, table: f.P}
	t.reduce()
	f.Given, f.P = t.given, t.table
	return []fmdp.Factor{f}
}

// size returns the number of states (0), actions (1) or next states (2).
func (s *cassandraReader) size(i int) int {
	if i == 1 {
		return s.space.Actions()
	}
	return s.space.States()
}

// rewards returns the payoff, one factor over the state and the action. It is paid on arrival, and
// has the next state among its variables, if a next state that can be reached matters.
func (s *cassandraReader) rewards() []fmdp.Reward {
	n, actions := s.space.States(), s.space.Actions()
	mean, arrives := make([]float64, n*actions), false
	for i := range n {
		for a := range actions {
			law, pay := s.law[(a*n+i)*n:][:n], s.pay[(a*n+i)*n:][:n]
			first := slices.IndexFunc(law, func(p float64) bool { return p > 0 })
			mean[i*actions+a] = s.sign * pay[first]
			for k, p := range law {
				arrives = arrives || p > 0 && pay[k] != pay[first]
			}
		}
	}
	r := fmdp.Reward{Given: []int{0, 1}, Mean: mean, Scale: 1, Of: -1}
	if arrives {
		r.Given, r.Mean = []int{0, 1, 2}, make([]float64, len(s.pay))
		for i := range n {
			for a := range actions {
				for k, v := range s.pay[(a*n+i)*n:][:n] {
					r.Mean[(i*actions+a)*n+k] = s.sign * v
				}
			}
		}
	}
	for k, v := range r.Mean {
		if v == 0 {
			r.Mean[k] = 0 // not −0
		}
	}
	t := reduction{given: r.Given, size: s.size, width: 1, table: r.Mean}
	t.reduce()
	r.Given, r.Mean = t.given, t.table
	if len(r.Given) == 0 && r.Mean[0] == 0 {
		return nil
	}
	return []fmdp.Reward{r}
}
