package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// helloDoc says what an agent is told of a problem.
type helloDoc struct {
	strict.Heading
	document.Task
	Priors    jsontext.Value `json:"priors,omitzero"`    // by name, for agents that name one
	Dirichlet jsontext.Value `json:"dirichlet,omitzero"` // α
	Tables    *string        `json:"tables,omitzero"`
	arrangement
}

// arrangement is what a hello of any version says beside the task.
type arrangement struct {
	Graph []edge  `json:"graph,omitzero"` // the true graph, for agents that are told it
	Agent *string `json:"agent,omitzero"`
	// Policy is one to play in place of an agent, as rules: see [document.DecodePolicy].
	Policy jsontext.Value `json:"policy,omitzero"`
	Seed   int            `json:"seed,omitzero"`
	Run    int            `json:"run,omitzero"`
	Bound  *string        `json:"bound,omitzero"`
	Update *string        `json:"update,omitzero"`
}

// edge is an edge without a probability.
type edge [2]string

var _ = strict.Know(helloDoc{}, hello1{}, payoff1{}, transition{})

const defaultAgent = "c-psrl"

// hear makes a new agent.
func (s *Session) hear(_ context.Context, raw jsontext.Value) (any, error) {
	l, err := greet(raw)
	if err != nil {
		return nil, err
	}
	s.lent = l
	return l.ready(), nil
}

// greet returns the agent of a hello.
func greet(raw jsontext.Value) (*lent, error) {
	l := &lent{hello: bytes.Clone(raw)}
	members, err := strict.Object(raw)
	if err != nil {
		return nil, err
	}
	if strict.Decode(members["version"], &l.version) == nil && l.version == 1 {
		return l, l.greet1(raw)
	}
	var doc helloDoc
	if err := strict.DecodeDocument(raw, &doc, Format, Version); err != nil {
		return nil, err
	}
	l.version = doc.Version
	return l, l.greet(&doc)
}

func (l *lent) greet(doc *helloDoc) (err error) {
	m, err := doc.Tell()
	if err != nil {
		return err
	}
	ends := m.Endings()
	if l.told = doc.Terminal != nil; ends == nil {
		ends = fmdp.LearnEnds(&m.Space)
	}
	t := &agent.Task{Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Ends: ends, Told: document.ToldLaws(m)}
	l.task, l.problem = t, m
	bound, known := bigraph.BoundOf(word(doc.Bound, bigraph.Bounds()))
	if !known {
		return strict.Invalid("/bound", "%q is unknown; it must be %s", clip(*doc.Bound), param.OneOf(bigraph.Bounds()))
	}
	if t.Law.Update, known = posterior.UpdateOf(word(doc.Update, posterior.Updates())); !known {
		return strict.Invalid("/update", "%q is unknown; it must be %s", clip(*doc.Update), param.OneOf(posterior.Updates()))
	}
	if t.Law.Rows, t.Law.Structure, err = document.Tables(doc.Dirichlet, doc.Tables); err != nil {
		return err
	}
	switch {
	case doc.Seed < 0 || doc.Seed > param.Max:
		return strict.Invalid("/seed", "the seed is %d; it must be from 0 to %d", doc.Seed, param.Max)
	case doc.Run < 0 || doc.Run > param.Max:
		return strict.Invalid("/run", "the run is %d; it must be from 0 to %d", doc.Run, param.Max)
	case doc.Prior == nil:
		return strict.Invalid("/prior", "the agent is told no prior, which has at least a degree of sparseness")
	}
	if err := l.rewards(doc.Reward); err != nil {
		return err
	}
	read := func(p *document.Stated) (*bigraph.Prior, error) {
		prior, err := document.PriorOf(p, m, bound)
		if err != nil {
			return nil, err
		}
		return prior, document.CheckPrior(prior, t.Space)
	}
	if t.Prior, err = read(doc.Prior); err != nil {
		return strict.Within("/prior", err)
	}
	priors, err := named(doc.Priors, doc.Prior.Sparseness, read)
	if err != nil {
		return strict.Within("/priors", err)
	}
	if priors != nil {
		t.Named = func(name string, _ int) *bigraph.Prior { return priors[name] }
	}
	if doc.Graph != nil {
		if err := l.graph(doc.Graph); err != nil {
			return err
		}
	}
	switch {
	case doc.Policy != nil && doc.Agent != nil:
		return strict.Invalid("/policy", "there are an agent and a policy to play; a hello has one of them")
	case doc.Policy != nil:
		policy, err := document.DecodePolicy(doc.Policy, t.Space, t.Horizon)
		if err != nil {
			return strict.Within("/policy", err)
		}
		l.arm = arm.Given(policy)
	default:
		if l.arm, err = arm.Parse(word(doc.Agent, []string{defaultAgent})); err != nil {
			return strict.Invalid("/agent", "%v", err)
		}
	}
	if namer, is := l.arm.Config.(arm.PriorNamer); is && priors != nil {
		if name, _ := namer.PriorName(); name != "" && priors[name] == nil {
			return strict.Invalid("/agent", "there is no prior %q; it must be %s", clip(name), param.OneOf(slices.Sorted(maps.Keys(priors))))
		}
	}
	if l.agent, err = l.arm.Build(t); err != nil && doc.Policy != nil {
		return strict.Within("/policy", err)
	} else if err != nil {
		return l.named(err)
	}
	if l.planner, err = l.arm.Planner(t); err != nil {
		return l.named(err)
	}
	stream := func(purpose string) *posterior.Stream {
		return posterior.NewNamedStream(int64(doc.Seed), doc.Run, l.arm.Label()+" "+purpose)
	}
	l.belief, l.payoffs = stream("belief"), stream("payoffs")
	l.steps = agent.NewStepStreams(int64(doc.Seed), doc.Run, l.arm.Label())
	l.before = l.belief.State()
	return nil
}

// named reads the named priors, whose degree of sparseness is z if they say none; nil if there are none.
func named(raw jsontext.Value, z *document.Sparseness, read func(*document.Stated) (*bigraph.Prior, error)) (map[string]*bigraph.Prior, error) {
	if raw == nil {
		return nil, nil
	}
	members, err := strict.Object(raw)
	priors := map[string]*bigraph.Prior{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if err := arm.CheckName(name); err != nil {
			return nil, strict.Invalid(strict.Place(name), "%v", err)
		}
		var doc document.Stated
		err := strict.Decode(members[name], &doc)
		if err == nil {
			doc.Sparseness = cmp.Or(doc.Sparseness, z)
			priors[name], err = read(&doc)
		}
		if err != nil {
			return nil, strict.Within(strict.Place(name), err)
		}
	}
	return priors, err
}

// word returns a word of a hello or, if it is absent, the first of a list.
func word(of *string, list []string) string {
	if of == nil {
		return list[0]
	}
	return *of
}

// rewards says whether payoffs are learned: all are, or all are known.
func (l *lent) rewards(docs []document.Payoff) error {
	tells := func(p document.Payoff) bool { return p.Tells() }
	l.learned = !slices.ContainsFunc(docs, tells)
	switch mixed := slices.IndexFunc(docs, func(p document.Payoff) bool { return !tells(p) }); {
	case len(docs) == 0 || l.learned && len(docs) > MaxPayoffs:
		return strict.Invalid("/reward", "%s; from 1 to %d are needed", param.Count(len(docs), "payoff"), MaxPayoffs)
	case !l.learned && mixed >= 0:
		return strict.Invalid(fmt.Sprintf("/reward/%d", mixed), "this payoff has no mean, but others have; all payoffs are known, or all are learned")
	}
	l.task.Known = !l.learned
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
	for j := range t.Truth {
		if told := t.Told; told != nil && told[j] != nil && t.Truth[j] != told[j].Scope() {
			return strict.Invalid("/graph", "the parents of %q are others than those of its law, which the agent is told", t.Space.State[j].Name)
		}
	}
	return strict.Located(t.Space.CheckTables(t.Truth))
}

// hello1 is a hello of version 1: its variables are those of its prior, whose α and tables are the agent's.
type hello1 struct {
	strict.Heading
	Prior    jsontext.Value `json:"prior"` // a document cpsrl/prior
	Horizon  int            `json:"horizon"`
	Payoffs  []payoff1      `json:"payoffs"`
	Terminal []document.End `json:"terminal,omitzero"`
	arrangement
}

// payoff1 is a payoff with its part of the prior.
type payoff1 struct {
	document.Payoff
	Edges []document.Edge `json:"edges,omitzero"`
}

// greet1 is greet for version 1, which it turns into the newest.
func (l *lent) greet1(raw jsontext.Value) error {
	var old hello1
	if err := strict.DecodeDocument(raw, &old, Format, 1); err != nil {
		return err
	}
	prior, err := document.DecodePrior(old.Prior)
	if err != nil {
		return strict.Within("/prior", err)
	}
	z := document.SparsenessOf(prior.Prior, prior.Space)
	edges := document.PriorEdges(prior.Prior, prior.Space)
	places := make([]string, len(edges)) // of those of payoffs
	doc := helloDoc{arrangement: old.arrangement, Dirichlet: prior.Rows.Encode()}
	doc.Setting = document.Setting{Horizon: old.Horizon, Variables: document.NewVariables(prior.Space)}
	doc.Terminal = old.Terminal
	tables := prior.Structure.String()
	doc.Tables = &tables
	for k, e := range old.Terminal {
		if e.Name != "" || e.Formula != "" {
			return strict.Invalid(fmt.Sprintf("/terminal/%d", k), "names and formulas of ends are for version 2")
		}
	}
	for f, p := range old.Payoffs {
		place := fmt.Sprintf("/payoffs/%d", f)
		switch {
		case p.Formula != "" || p.Kind != "" || p.Scale != nil:
			return strict.Invalid(place, "formulas, kinds and scales of payoffs are for version 2")
		case p.Edges != nil && p.Scope == "":
			return strict.Invalid(place+"/edges", "only a payoff whose parents are hidden has edges")
		case p.Tells() || slices.Equal(p.Range, []float64{0, 0}):
			p.Range = nil
		}
		for k, e := range p.Edges {
			at := fmt.Sprintf("%s/edges/%d", place, k)
			switch {
			case e.To != p.Name:
				return strict.Invalid(at+"/1", "the edge leads to %q, not to the payoff %q", clip(e.To), clip(p.Name))
			case e.From == p.Name:
				return strict.Invalid(at+"/0", "%q is a payoff; no edge starts from it", clip(p.Name))
			}
			edges, places = append(edges, e), append(places, at)
		}
		doc.Reward = append(doc.Reward, p.Payoff)
	}
	doc.Prior = &document.Stated{Sparseness: &z, Edges: document.Alone(edges...)}
	return placed1(l.greet(&doc), places)
}

// placed1 turns the place of an error into that of version 1. The places are those of the edges of the prior.
func placed1(err error, edges []string) error {
	e, is := errors.AsType[*strict.InvalidError](strict.Located(err))
	if !is {
		return err
	}
	place := e.Place
	for k, at := range edges {
		if rest, is := strings.CutPrefix(place+"/", fmt.Sprintf("/prior/edges/%d/", k)); is {
			return strict.Invalid(strings.TrimSuffix(at+"/"+rest, "/"), "%s", e.Reason)
		}
	}
	for _, moved := range [][2]string{{"/state", "/prior/state"}, {"/action", "/prior/action"}, {"/reward", "/payoffs"}} {
		if rest, is := strings.CutPrefix(place, moved[0]); is {
			place = moved[1] + rest
			break
		}
	}
	return strict.Invalid(place, "%s", e.Reason)
}
