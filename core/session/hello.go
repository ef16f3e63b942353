package session

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// helloDoc says what an agent is told of a problem.
type helloDoc struct {
	strict.Heading
	Prior    jsontext.Value `json:"prior"` // a document cpsrl/prior: variables, sparseness, edges, α, tables
	Horizon  int            `json:"horizon"`
	Payoffs  []payoffDoc    `json:"payoffs"`
	Terminal []endDoc       `json:"terminal,omitzero"`
	Graph    []edge         `json:"graph,omitzero"` // the true graph, for agents that are told it
	Agent    *string        `json:"agent,omitzero"`
	Seed     int            `json:"seed,omitzero"`
	Run      int            `json:"run,omitzero"`
	Bound    *string        `json:"bound,omitzero"`
	Update   *string        `json:"update,omitzero"`
}

// payoffDoc is a part of the reward. What is paid adds up.
type payoffDoc struct {
	Name  string          `json:"name,omitzero"`
	Range [2]float64      `json:"range,omitzero"` // the least and the largest payoff, by default 0 and 1
	Given *[]string       `json:"given,omitzero"` // what it depends on; by default all of X
	Of    *string         `json:"of,omitzero"`    // or the state variable whose parents it shares
	Scope *string         `json:"scope,omitzero"` // or "hidden": the agent learns its parents
	Edges []document.Edge `json:"edges,omitzero"` // the prior of these parents
	Mean  []float64       `json:"mean,omitzero"`  // the agent is told what is paid on average, by row
}

// endDoc is a kind of states in which an episode ends.
type endDoc struct {
	Given []string `json:"given"`
	Is    [][]int  `json:"is"`
}

// edge is an edge without a probability.
type edge [2]string

var _ = strict.Know(helloDoc{}, payoffDoc{}, endDoc{}, transition{})

const (
	hidden       = "hidden"
	defaultAgent = "c-psrl"
)

// hear makes a new agent.
func (s *Session) hear(raw jsontext.Value) (any, error) {
	l, err := greet(raw)
	if err != nil {
		return nil, err
	}
	s.lent = l
	return l.ready(), nil
}

// greet returns the agent of a hello.
func greet(raw jsontext.Value) (*lent, error) {
	var doc helloDoc
	if err := strict.DecodeDocument(raw, &doc, Format, Version); err != nil {
		return nil, err
	}
	l := &lent{hello: bytes.Clone(raw)}
	prior, err := document.DecodePrior(doc.Prior)
	if err != nil {
		return nil, strict.Within("/prior", err)
	}
	t := &agent.Task{Space: prior.Space, Horizon: doc.Horizon, Prior: prior.Prior}
	l.task = t
	var known bool
	if t.Prior.Bound, known = bigraph.BoundOf(word(doc.Bound, bigraph.Bounds())); !known {
		return nil, strict.Invalid("/bound", "%q is unknown; it must be %s", clip(*doc.Bound), param.OneOf(bigraph.Bounds()))
	}
	update, known := posterior.UpdateOf(word(doc.Update, posterior.Updates()))
	if !known {
		return nil, strict.Invalid("/update", "%q is unknown; it must be %s", clip(*doc.Update), param.OneOf(posterior.Updates()))
	}
	t.Law = posterior.Law{Update: update, Rows: prior.Rows, Tied: prior.Tied}
	if err := document.CheckPrior(t.Prior, t.Space); err != nil {
		return nil, strict.Within("/prior", err)
	}
	if err := t.Space.CheckPoints(); err != nil {
		return nil, strict.Within("/prior", err)
	}
	switch states := t.Space.States(); {
	case t.Horizon < 1 || t.Horizon > fmdp.MaxHorizon:
		return nil, strict.Invalid("/horizon", "the horizon is %d; it must be from 1 to %d", t.Horizon, fmdp.MaxHorizon)
	case states > fmdp.MaxPolicy/t.Horizon:
		return nil, strict.Invalid("/horizon", "%d states over %d steps, a policy of more than %d entries (S·H)", states, t.Horizon, fmdp.MaxPolicy)
	case doc.Seed < 0 || doc.Seed > param.Max:
		return nil, strict.Invalid("/seed", "the seed is %d; it must be from 0 to %d", doc.Seed, param.Max)
	case doc.Run < 0 || doc.Run > param.Max:
		return nil, strict.Invalid("/run", "the run is %d; it must be from 0 to %d", doc.Run, param.Max)
	}
	if err := l.ends(doc.Terminal); err != nil {
		return nil, err
	}
	if err := l.rewards(doc.Payoffs); err != nil {
		return nil, err
	}
	if doc.Graph != nil {
		if err := l.graph(doc.Graph); err != nil {
			return nil, err
		}
	}
	if l.arm, err = arm.Parse(word(doc.Agent, []string{defaultAgent})); err != nil {
		return nil, strict.Invalid("/agent", "%v", err)
	}
	if l.agent, err = l.arm.Build(t); err != nil {
		return nil, l.named(err)
	}
	stream := func(purpose string) *posterior.Stream {
		return posterior.NewNamedStream(int64(doc.Seed), doc.Run, l.arm.Label()+" "+purpose)
	}
	l.belief, l.payoffs = stream("belief"), stream("payoffs")
	l.before = l.belief.State()
	return l, nil
}

// word returns a word of a hello or, if it is absent, the first of a list.
func word(of *string, list []string) string {
	if of == nil {
		return list[0]
	}
	return *of
}

// ends reads the states in which an episode ends. If there are none, the agent learns them.
func (l *lent) ends(docs []endDoc) error {
	l.told = docs != nil
	space := l.task.Space
	m := &fmdp.Model{Space: *space}
	if len(docs) > fmdp.MaxEnds {
		return strict.Invalid("/terminal", "%d kinds of ends, more than %d", len(docs), fmdp.MaxEnds)
	}
	for k, doc := range docs {
		given, err := document.Given(doc.Given, fmt.Sprintf("/terminal/%d/given", k), space, false)
		if err != nil {
			return err
		}
		end := fmdp.Ending{Given: given, Is: doc.Is}
		if err := space.CheckEnding(&end, fmdp.Path{"terminal", strconv.Itoa(k)}); err != nil {
			return strict.Located(err)
		}
		m.Ends = append(m.Ends, end)
	}
	if l.task.Ended = m.Ended(); l.task.Ended == nil {
		l.task.Ended = make([]uint8, space.States())
	}
	return nil
}

// rewards reads the payoffs: all are learned, or all are known.
func (l *lent) rewards(docs []payoffDoc) error {
	t := l.task
	space := t.Space
	known := func(d payoffDoc) bool { return d.Mean != nil }
	l.learned = !slices.ContainsFunc(docs, known)
	switch mixed := slices.IndexFunc(docs, func(d payoffDoc) bool { return !known(d) }); {
	case len(docs) == 0 || len(docs) > MaxPayoffs:
		return strict.Invalid("/payoffs", "%s; from 1 to %d are needed", param.Count(len(docs), "payoff"), MaxPayoffs)
	case !l.learned && mixed >= 0:
		return strict.Invalid(fmt.Sprintf("/payoffs/%d", mixed), "this payoff has no mean, but others have; all payoffs are known, or all are learned")
	}
	rows, unscoped := 0, &bigraph.Prior{X: space.X(), Sparseness: t.Prior.Sparseness, Bound: t.Prior.Bound, Trivial: t.Prior.Trivial}
	for f, d := range docs {
		place := fmt.Sprintf("/payoffs/%d", f)
		r, err := l.payoff(d, place)
		if err != nil {
			return err
		}
		if n := space.Rows(r.Given); n > fmdp.MaxTable || rows+n > fmdp.MaxTable {
			return strict.Invalid(place+"/given", "the payoffs have more than %d rows up to this one", fmdp.MaxTable)
		} else {
			rows += n
		}
		if r.Hidden {
			if space.Lookup(r.Name) >= 0 || slices.ContainsFunc(t.Payoffs, func(o fmdp.Reward) bool { return o.Hidden && o.Name == r.Name }) {
				return strict.Invalid(place+"/name", "a payoff whose parents are hidden has a name that no variable and no other payoff has")
			}
			if err := hiddenPrior(unscoped, d, r.Name, place+"/edges", space); err != nil {
				return err
			}
		}
		t.Payoffs = append(t.Payoffs, r)
	}
	if len(unscoped.Known) > 0 {
		t.Prior.Payoffs = unscoped
	}
	if space.X()+len(unscoped.Known) > fmdp.MaxVariables {
		return strict.Invalid("/payoffs", "more than %d variables and payoffs whose parents are hidden", fmdp.MaxVariables)
	}
	if !l.learned {
		t.Reward = make([]float64, space.Points())
		for f := range t.Payoffs {
			if r := &t.Payoffs[f]; !r.Arrives(space) {
				planning.AddPayoffs(t.Reward, space, r.Given, r.Mean, r.Scale, planning.Law{})
			}
		}
	}
	return nil
}

// payoff reads one payoff.
func (l *lent) payoff(d payoffDoc, place string) (fmdp.Reward, error) {
	space := l.task.Space
	r := fmdp.Reward{Kind: fmdp.Fixed, Scale: 1, Of: -1, Name: d.Name, Lo: d.Range[0], Hi: d.Range[1], Mean: d.Mean}
	if d.Range == [2]float64{} {
		r.Hi = 1
	}
	stated := 0
	for _, is := range []bool{d.Given != nil, d.Of != nil, d.Scope != nil} {
		if is {
			stated++
		}
	}
	var err error
	switch {
	case len(d.Name) > fmdp.MaxName:
		return r, strict.Invalid(place+"/name", "the name has %d bytes, more than %d", len(d.Name), fmdp.MaxName)
	case !r.Ranged() || r.Lo < -fmdp.MaxPay || r.Hi > fmdp.MaxPay:
		return r, strict.Invalid(place+"/range", "from %v to %v; a range has a least and a larger payoff within ±%g", r.Lo, r.Hi, fmdp.MaxPay)
	case stated > 1:
		return r, strict.Invalid(place, `a payoff has one of "given", "of" and "scope"`)
	case d.Of != nil:
		if r.Of = space.Lookup(*d.Of); r.Of < 0 || r.Of >= space.Y() {
			return r, strict.Invalid(place+"/of", "there is no state variable %q", clip(*d.Of))
		}
	case d.Scope != nil && *d.Scope != hidden:
		return r, strict.Invalid(place+"/scope", "%q is unknown; it must be %s", clip(*d.Scope), hidden)
	case d.Scope != nil && d.Name == "":
		return r, strict.Invalid(place+"/name", "a payoff whose parents are hidden needs a name")
	case d.Scope != nil:
		r.Hidden = true
	case d.Given != nil:
		r.Given, err = document.Given(*d.Given, place+"/given", space, true)
	default:
		r.Given = bigraph.First(space.X()).Parents()
	}
	if err != nil {
		return r, err
	}
	if d.Edges != nil && !r.Hidden {
		return r, strict.Invalid(place+"/edges", "only a payoff whose parents are hidden has edges")
	}
	if d.Mean == nil {
		return r, nil
	}
	switch want := space.Rows(r.Given); {
	case d.Of != nil || d.Scope != nil:
		return r, strict.Invalid(place+"/mean", "a payoff that is known is given its variables")
	case len(d.Mean) != want:
		return r, strict.Invalid(place+"/mean", "%d means; the given variables have %d assignments", len(d.Mean), want)
	}
	for k, mean := range d.Mean {
		if !(mean >= -fmdp.MaxPay && mean <= fmdp.MaxPay) {
			return r, strict.Invalid(fmt.Sprintf("%s/mean/%d", place, k), "%v is out of range; it must be within ±%g", mean, fmdp.MaxPay)
		}
	}
	return r, nil
}

// hiddenPrior adds a payoff whose parents are hidden to the prior of the payoffs.
func hiddenPrior(of *bigraph.Prior, d payoffDoc, name, place string, space *fmdp.Space) error {
	// The names of edges are those of a space in which the payoff is the only state variable besides X.
	nodes := &fmdp.Space{State: append(slices.Clone(space.State), fmdp.Variable{Name: name, Size: 2}), Action: space.Action}
	for k, e := range d.Edges {
		if e.To != name {
			return strict.Invalid(fmt.Sprintf("%s/%d/1", place, k), "the edge leads to %q, not to the payoff %q", clip(e.To), clip(name))
		}
		if e.From == name {
			return strict.Invalid(fmt.Sprintf("%s/%d/0", place, k), "%q is a payoff; no edge starts from it", clip(name))
		}
	}
	p, err := document.DecodeEdges(d.Edges, place, nodes)
	if err != nil {
		return err
	}
	y, last := space.Y(), len(of.Known)
	index := func(i int) int { // without the payoff
		if i > y {
			i--
		}
		return i
	}
	var known, forbidden bigraph.Scope
	for i := range p.Known[y].All() {
		known = known.With(index(i))
	}
	if p.Forbidden != nil {
		for i := range p.Forbidden[y].All() {
			if i != y { // "*" forbids the payoff, too
				forbidden = forbidden.With(index(i))
			}
		}
	}
	of.Known, of.Forbidden = append(of.Known, known), append(of.Forbidden, forbidden)
	for _, e := range p.Likely {
		of.Likely = append(of.Likely, bigraph.Edge{X: index(e.X), Y: last, P: e.P})
	}
	return nil
}

// graph reads the true graph: all edges to variables, and to payoffs whose parents are hidden.
func (l *lent) graph(edges []edge) error {
	t := l.task
	t.Truth = make(bigraph.Bigraph, t.Space.Y())
	for k, e := range edges {
		i, j := t.Space.Lookup(e[0]), t.Space.Lookup(e[1])
		f := slices.IndexFunc(t.Payoffs, func(r fmdp.Reward) bool { return r.Hidden && r.Name == e[1] })
		switch place := fmt.Sprintf("/graph/%d", k); {
		case i < 0:
			return strict.Invalid(place+"/0", "there is no variable %q for the edge to start from", clip(e[0]))
		case f >= 0 && slices.Contains(t.Payoffs[f].Given, i), f < 0 && j >= 0 && j < t.Space.Y() && t.Truth[j].Has(i):
			return strict.Invalid(place, "the edge from %q to %q is listed twice", clip(e[0]), clip(e[1]))
		case f >= 0:
			t.Payoffs[f].Given = append(t.Payoffs[f].Given, i)
		case j < 0 || j >= t.Space.Y():
			return strict.Invalid(place+"/1", "there is no state variable %q for the edge to lead to", clip(e[1]))
		default:
			t.Truth[j] = t.Truth[j].With(i)
		}
	}
	for f := range t.Payoffs {
		if t.Payoffs[f].Hidden {
			slices.Sort(t.Payoffs[f].Given)
		}
	}
	return strict.Located(t.Space.CheckTables(t.Truth))
}
