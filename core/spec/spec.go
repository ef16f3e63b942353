// Package spec holds everything that an experiment depends on: a [Spec] as a value,
// as JSON, as a link and as the fields of a form. All four are made from
// [Spec.Params] and the tables of the domains' and the agents' parameters.
//
// Functions may be called by several goroutines at once. While a Spec or its domain
// changes, it belongs to one goroutine. Any number of goroutines may read a complete
// Spec. [Spec.Clone] shares nothing that changes; [Decode] and [DecodeLink] keep nothing
// of their arguments.
//
// # Spec, version 7
//
// A spec holds everything that a run depends on:
//
//	{"format":"cpsrl/spec","version":7,
//	 "domain":{"name":"taxi","grid":"5x5","horizon":15},
//	 "prior":{"eta":2,"data":"9f86d081…"},"sparseness":5,
//	 "agents":["psrl","f-psrl","c-psrl"],
//	 "episodes":400,"firstRun":0,"runs":20,"seed":1,
//	 "bound":"at-most","update":"exact","rewards":"known","dirichlet":1,"tables":"trees","depth":"no","planner":"uct:600:10"}
//
// Only format, version and domain are required; [Spec.Complete] fills in the
// rest. [domain.Kinds] lists the domains, and [arm.Parse] reads the agents.
//
// The data of a prior are the SHA-256 of their transitions; a document may also hold the list of the
// transitions, which is written as the SHA-256.
//
// Version 6 has no planner. Version 5 has no tables of trees, either. Version 4 has no data, either.
//
// Version 3 has only the domains random, taxi, figure1, sysadmin and model, and the model's tables are
// always those of the file. Where it says no sparseness of a model, it is the most parents that a
// variable of the model has.
//
// Version 2 has no tied tables, no mixed concentrations, no depth and no domain sysadmin. Where it says neither tables nor
// dirichlet, the tables have independent rows with α = 1, whatever the domain.
//
// Version 1 has, besides, no concentrations, no probabilities of edges, no trust, no false edges,
// no named priors and no sparseness of single variables. Its agents have only the
// parameters eta and graph, and its random FMDP has the reward scopes "tied". Specs are
// written in version 3, or in a later one if they need it.
package spec

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/search"
	"cpsrl/core/strict"
)

// Format and Version begin the JSON of a spec. Version is the newest.
const (
	Format  = "cpsrl/spec"
	Version = 7
)

// Limits of a spec.
const (
	MaxEpisodes = 100_000
	MaxRuns     = 10_000
	MaxAgents   = 12
	MaxSeed     = param.Max
)

// Spec holds everything that a run depends on. The same spec gives the same records. A
// zero field is absent; Complete gives it its default.
type Spec struct {
	Domain     domain.Domain
	Prior      *Prior                   // nil for the domain's suggestion
	Priors     []NamedPrior             // the priors that agents choose by name, sorted by name
	Sparseness int                      // Z
	Own        []document.OwnSparseness // the Y variables with a Z of their own
	Agents     []string                 // their labels
	Episodes   int                      // K
	FirstRun   int                      // the index of the first run, from 0
	Runs       int
	Seed       int    // from 0 to 2^53−1
	Bound      string // the word of a [bigraph.Bound]
	Update     string // the word of a [posterior.Update]
	Rewards    string // "known" or "learned"
	Dirichlet  concentration.Optional
	Tables     string // the word of [document.Tables]
	Depth      string // "yes" if records hold how deep agents are in the trap, else "no"
	Planner    search.Choice
	listed     []string // what the sparseness was read with, for [document.Sparseness.Each]
}

// rows returns the parameters of a spec other than its domain, prior and agents, in the
// order of a form. To add a switch of the spec, add a row.
var rows = func(s *Spec) []param.Param {
	suggested, frozen, changed := "0", "", 0
	independent, one := concentration.Rows.String(), concentration.Concentration{}.String()
	tables, alpha := independent, one
	if s.Domain != nil {
		suggested = strconv.Itoa(s.Domain.Sparseness())
		frozen = number(s.Domain.Kind().FrozenSparseness)
		if own, has := s.Domain.(domain.OwnSparse); has {
			// Up to version 3, all variables of a model had the same Z.
			suggested, frozen, changed = own.OwnSparseness().String(), suggested, 4
		}
		if s.Domain.Kind().Tied {
			tables, alpha = concentration.Tied.String(), concentration.Mix().String()
		}
	}
	return []param.Param{{
		Name: "sparseness", Key: "z", Section: param.Prior, Label: "Sparseness", Symbol: "Z", Phrase: "Z = _",
		Written: (*sparseness)(s), Low: 1, High: fmdp.MaxVariables, Default: suggested, Frozen: frozen, DefaultSince: changed,
	}, {
		Name: "episodes", Key: "episodes", Section: param.Size, Label: "Episodes", Symbol: "K", Phrase: "K = _",
		Int: &s.Episodes, Low: 1, High: MaxEpisodes, Default: "100", Frozen: "400",
	}, {
		Name: "firstRun", Key: "first", Section: param.Size, Label: "First run", Phrase: "first run _",
		Int: &s.FirstRun, Low: 0, High: MaxRuns - 1, Default: "0",
	}, {
		Name: "runs", Key: "runs", Section: param.Size, Label: "Runs", Phrase: "_ runs",
		Int: &s.Runs, Low: 1, High: MaxRuns - s.FirstRun, Default: "1", Frozen: "20",
	}, {
		Name: "seed", Key: "seed", Section: param.Size, Label: "Seed", Phrase: "seed _",
		Int: &s.Seed, Low: 0, High: MaxSeed, Default: "0", Frozen: "1",
	}, {
		Name: "bound", Key: "bound", Section: param.Switches, Label: "Parents allowed", Phrase: "bound _",
		Help: "Algorithm 1 prints |z| < Z; the definition, the counts and we say ≤.",
		Text: &s.Bound, Default: bigraph.AtMost.String(),
		Words: []param.Word{{Value: bigraph.AtMost.String(), Label: "at most Z"}, {Value: bigraph.Below.String(), Label: "fewer than Z"}},
	}, {
		Name: "update", Key: "update", Section: param.Switches, Label: "Hyper-posterior", Phrase: "update _",
		Help: "Equation (4) prints (αᵢ + 1)/(Σα + 1); Bayes’ rule, our choice, gives αᵢ/Σα.",
		Text: &s.Update, Words: arm.UpdateWords(), Default: posterior.Exact.String(),
	}, {
		Name: "rewards", Key: "rewards", Section: param.Switches, Label: "Rewards", Phrase: "rewards _",
		Help: "Algorithm 1 samples no rewards, the analysis learns them; ours are known.",
		Text: &s.Rewards, Words: []param.Word{{Value: "known", Label: "known"}, {Value: "learned", Label: "learned"}}, Default: "known",
	}, {
		Name: "dirichlet", Key: "dirichlet", Section: param.Switches, Label: "Concentration", Symbol: "α", Phrase: "rows Dirichlet(_)",
		Help:    "Factored agents expect rows drawn from Dirichlet(α): the paper’s α is 1; a small one expects rows near certain.",
		Written: &s.Dirichlet, Words: concentration.Offered(), Default: alpha, Frozen: one, Since: 2, DefaultSince: 3,
	}, {
		Name: "tables", Key: "tables", Section: param.Switches, Label: "Tables", Phrase: "tables _",
		Help: "A tied table may repeat rows along one parent, a tree along any: parents then matter only in some contexts.",
		Text: &s.Tables, Words: arm.TableWords(), Default: tables, Frozen: independent, Since: 3,
	}, {
		Name: "depth", Key: "depth", Section: param.Switches, Label: "Depth of the trap", Phrase: "depth of the trap _",
		Help: "Records hold the odds of the parents that contain the true ones; far below 1, the agent is trapped.",
		Text: &s.Depth, Words: []param.Word{{Value: noDepth, Label: "not recorded"}, {Value: depth, Label: "recorded"}}, Default: noDepth, Since: 3,
	}, {
		Name: "planner", Key: "planner", Section: param.Switches, Label: "Planner", Phrase: "planner _",
		Help:    "How agents plan in a model: exactly, or by a search from the present state with a budget of trials and steps.",
		Written: &s.Planner, Words: search.Offered(), Default: exact, Since: search.Since,
	}}
}

// exact is the default of the row planner.
const exact = "exact"

// The values of the row depth.
const (
	noDepth = "no"
	depth   = "yes"
)

// RecordsDepth reports whether records hold how deep agents are in the trap.
func (s *Spec) RecordsDepth() bool { return s.Depth == depth }

// number returns the text of n, or "" for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Params returns the table of the parameters other than the domain, the prior and the
// agents. The rows point into the spec. Their limits and defaults depend on its present
// values.
func (s *Spec) Params() []param.Param { return rows(s) }

// Clone returns a copy. The two share only models and data, which do not change.
func (s *Spec) Clone() *Spec {
	c := *s
	if s.Domain != nil {
		c.Domain = s.Domain.Kind().New()
		param.Copy(c.Domain.Params, s.Domain.Params)
	}
	c.Own, c.Agents = slices.Clone(s.Own), slices.Clone(s.Agents)
	c.Prior, c.Priors = s.Prior.clone(), nil
	for _, p := range s.Priors {
		c.Priors = append(c.Priors, NamedPrior{p.Name, p.Prior.clone()})
	}
	return &c
}

// Complete fills in what the spec leaves out, brings labels into their canonical
// form, and checks everything that can be checked without building the problem. The
// error is a *[strict.InvalidError]. Complete does not change a complete spec.
func (s *Spec) Complete() error {
	if s.Domain == nil {
		return errNoDomain
	}
	if err := param.Complete(s.Domain.Params); err != nil {
		return strict.Within("/domain", err)
	}
	var err error
	if s.Prior, err = s.Prior.complete(s.canHold); err != nil {
		return strict.Within("/prior", err)
	}
	if err := s.completePriors(); err != nil {
		return err
	}
	if s.Agents == nil {
		if s.Agents = slices.Clone(s.Domain.Kind().Agents); s.Agents == nil {
			s.Agents = paperAgents()
		}
	}
	if len(s.Agents) == 0 || len(s.Agents) > MaxAgents {
		return strict.Invalid("/agents", "%d agents; from 1 to %d are needed", len(s.Agents), MaxAgents)
	}
	for k, label := range s.Agents {
		place := fmt.Sprintf("/agents/%d", k)
		a, err := arm.Parse(label)
		if err != nil {
			return strict.Invalid(place, "%v", err)
		}
		if err := s.CheckAgent(a); err != nil {
			return strict.Invalid(place, "%v", err)
		}
		s.Agents[k] = a.Label()
		if slices.Contains(s.Agents[:k], s.Agents[k]) {
			return strict.Invalid(place, "the agent %q is listed twice", s.Agents[k])
		}
	}
	if err := (*sparseness)(s).check(); err != nil {
		return err
	}
	return strict.Located(param.Complete(s.Params))
}

var errNoDomain = strict.Invalid("/domain", "the domain is missing")

// paperAgents returns the labels of the agents in the paper's figures.
func paperAgents() []string { return []string{"psrl", "f-psrl", "c-psrl"} }

// BoundOf returns the sparseness bound of a complete spec.
func (s *Spec) BoundOf() bigraph.Bound {
	bound, known := bigraph.BoundOf(s.Bound)
	if !known {
		panic("spec: the spec is not complete: it has no bound")
	}
	return bound
}

// UpdateOf returns the update of a complete spec.
func (s *Spec) UpdateOf() posterior.Update {
	update, known := posterior.UpdateOf(s.Update)
	if !known {
		panic("spec: the spec is not complete: it has no update")
	}
	return update
}

// Law returns what the factored agents of a complete spec assume of their tables, unless they
// have assumptions of their own.
func (s *Spec) Law() posterior.Law {
	structure, known := concentration.StructureOf(s.Tables)
	if !known {
		panic("spec: the spec is not complete: it has no tables")
	}
	return posterior.Law{Update: s.UpdateOf(), Rows: s.Dirichlet.Concentration, Structure: structure}
}

// Decode reads the JSON of a spec and completes it as [Spec.Complete] does. The error is
// a *[strict.InvalidError].
func Decode(data []byte) (*Spec, error) {
	s := &Spec{}
	names := []string{"domain", "prior", "priors", "agents"}
	for _, p := range s.Params() {
		names = append(names, p.Name)
	}
	members, version, err := strict.Members(data, Format, Version, names...)
	if err != nil {
		return nil, err
	}
	raw, has := members["domain"]
	if !has {
		return nil, strict.Invalid("/domain", `the field "domain" is missing`)
	}
	if s.Domain, err = decodeDomain(raw); err != nil {
		return nil, strict.Within("/domain", err)
	}
	delete(members, "domain")
	if raw, has := members["priors"]; has {
		if s.Priors, err = decodePriors(raw); err != nil {
			return nil, strict.Within("/priors", err)
		}
		delete(members, "priors")
	}
	if err := decodeMembers(members, map[string]any{"prior": &s.Prior, "agents": &s.Agents}, s.Params, ""); err != nil {
		return nil, err
	}
	if err := cmp.Or(fillAs(version, s.Domain.Params), fillAs(version, s.Params)); err != nil {
		return nil, err
	}
	if err := s.Complete(); err != nil {
		return nil, err
	}
	if least, place := s.least(); version < least {
		return nil, strict.Invalid(place, "this is for version %d", least)
	}
	return s, nil
}

// DecodeScaled is [Decode] for a spec of a model whose rows may have any positive sum. It
// scales them to sum to 1 and returns how much that changed.
func DecodeScaled(data []byte) (*Spec, *document.Scaled, error) {
	members, err := strict.Object(data)
	if err != nil {
		return nil, nil, err
	}
	of, err := strict.Object(members["domain"])
	if err != nil {
		return nil, nil, strict.Within("/domain", err)
	}
	const place = "/domain/model"
	model, how, err := document.ScaleModel(of["model"])
	if err == nil {
		err = model.CheckLegal()
	}
	if err != nil {
		return nil, nil, strict.Within(place, err)
	}
	how = &document.Scaled{Rows: how.Rows, By: how.By, Place: place + how.Place}
	of["model"] = model.Encode()
	members["domain"] = strict.Encode(of)
	s, err := Decode(strict.Encode(members))
	return s, how, err
}

// Scaled returns the rows of the spec's model that were scaled to sum to 1, as they are often written with few
// digits; nil if there are none.
func (s *Spec) Scaled() *document.Scaled {
	own, is := s.Domain.(*domain.Custom)
	if !is || own.File() == nil || own.File().Scaled == nil {
		return nil
	}
	how := *own.File().Scaled
	how.Place = "/domain/model" + how.Place
	return &how
}

// UnmarshalJSON reads a spec as [Decode] does.
func (s *Spec) UnmarshalJSON(data []byte) error {
	decoded, err := Decode(data)
	if err == nil {
		*s = *decoded
	}
	return err
}

// decodeDomain reads the domain of a spec.
func decodeDomain(raw jsontext.Value) (domain.Domain, error) {
	members, err := strict.Object(raw)
	if err != nil {
		return nil, err
	}
	named, has := members["name"]
	if !has {
		return nil, strict.Invalid("/name", `the field "name" is missing`)
	}
	var key string
	if err := strict.DecodeAt(named, &key, "/name"); err != nil {
		return nil, err
	}
	kind, err := domain.Lookup(key)
	if err != nil {
		return nil, strict.Invalid("/name", "%v", err)
	}
	d := kind.New()
	return d, decodeMembers(members, map[string]any{"name": &key}, d.Params, key)
}

// decodeMembers reads the members of an object in the order of their names. The map variables
// holds pointers to the variables of some members; the other members are parameters of the
// table, which is that of the kind of domain or, if the kind is "", of the spec.
func decodeMembers(members map[string]jsontext.Value, variables map[string]any, table func() []param.Param, kind string) error {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		rows := table()
		at := slices.IndexFunc(rows, func(p param.Param) bool { return p.Name == name })
		var err error
		switch variable, known := variables[name]; {
		case known:
			err = strict.DecodeAt(members[name], variable, "/"+name)
		case at >= 0:
			err = decodeRow(&rows[at], members[name])
		default:
			err = strict.Invalid(strict.Place(name), "the domain %q has no parameter %q", kind, param.Clip(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decodeRow reads the member of an object into the value of a row.
func decodeRow(p *param.Param, raw jsontext.Value) error {
	place := "/" + p.Name
	var word string
	var n int
	switch {
	case p.Document != nil:
		return strict.Within(place, p.Document.Decode(raw))
	case p.Written != nil:
		return within(place, p.Written.(param.Coded).Decode(raw))
	case p.Text != nil, raw.Kind() == '"':
		if err := strict.DecodeAt(raw, &word, place); err != nil {
			return err
		}
		return strict.Located(p.SetWord(word))
	}
	if err := strict.DecodeAt(raw, &n, place); err != nil {
		return err
	}
	return strict.Located(p.SetInt(n))
}

// within turns the error of a value with its own notation into one at place.
func within(place string, err error) error {
	if _, located := err.(*strict.InvalidError); err == nil || located {
		return strict.Within(place, err)
	}
	return strict.Invalid(place, "%v", err)
}

// MarshalJSONTo writes the spec as one object, without absent fields and in the version that
// [Spec.written] returns.
func (s *Spec) MarshalJSONTo(enc *jsontext.Encoder) error {
	version := s.written()
	object := strict.Ordered{{Name: "format", Value: Format}, {Name: "version", Value: version}}
	if s.Domain != nil {
		key := strict.Member{Name: "name", Value: s.Domain.Kind().Key}
		object = append(object, strict.Member{Name: "domain", Value: append(strict.Ordered{key}, members(s.Domain.Params(), version)...)})
	}
	if s.Prior != nil {
		object = append(object, strict.Member{Name: "prior", Value: s.Prior})
	}
	if len(s.Priors) > 0 {
		var priors strict.Ordered
		for _, p := range s.Priors {
			priors = append(priors, strict.Member{Name: p.Name, Value: p.Prior})
		}
		object = append(object, strict.Member{Name: "priors", Value: priors})
	}
	table := s.Params()
	size := slices.IndexFunc(table, func(p param.Param) bool { return p.Section != param.Prior })
	object = append(object, members(table[:size], version)...)
	if len(s.Agents) > 0 {
		object = append(object, strict.Member{Name: "agents", Value: s.Agents})
	}
	return append(object, members(table[size:], version)...).MarshalJSONTo(enc)
}

// members returns the members of an object of a spec of that version, for the rows of a table that are
// neither absent nor zero.
func members(table []param.Param, version int) (list strict.Ordered) {
	for _, p := range table {
		switch {
		case p.Absent(), p.Since > version:
		case p.Document != nil:
			list = append(list, strict.Member{Name: p.Name, Value: jsontext.Value(p.Document.Encode())})
		case p.Written != nil:
			list = append(list, strict.Member{Name: p.Name, Value: jsontext.Value(p.Written.(param.Coded).Encode())})
		case p.Int != nil && *p.Int != 0, p.Text != nil && *p.Text != "":
			list = append(list, strict.Member{Name: p.Name, Value: p.Value()})
		}
	}
	return list
}

// Encode returns the spec as one JSON object.
func Encode(s *Spec) []byte { return strict.Encode(s) }

// Set sets the parameter with that key from its canonical text in links and flags. The
// key "domain" replaces the domain by one with all parameters absent. The error is a
// *[strict.InvalidError]; Complete checks the limits.
func (s *Spec) Set(key, text string) error {
	switch key {
	case "domain":
		kind, err := domain.Lookup(text)
		if err != nil {
			return strict.Invalid("/domain/name", "%v", err)
		}
		s.Domain = kind.New()
		return nil
	case "agents":
		s.Agents = arm.Split(text)
		return nil
	case "eta", "trust", "false", "data":
		row := s.priorRow(key)
		err := row.SetString(text)
		if s.Prior.empty() {
			s.Prior = nil // the domain's suggestion
		}
		return strict.Within("/prior", err)
	}
	named := func(p param.Param) bool { return p.Key == key }
	table, place := s.Params(), ""
	at := slices.IndexFunc(table, named)
	if at < 0 {
		if s.Domain == nil {
			return errNoDomain
		}
		table, place = s.Domain.Params(), "/domain"
		if at = slices.IndexFunc(table, named); at < 0 {
			return strict.Invalid("/domain/"+key, "the domain %q has no parameter %q", s.Domain.Kind().Key, key)
		}
	}
	return strict.Within(place, table[at].SetString(text))
}

// Keys returns the parameters that Set sets, with those of every domain: one row for each
// key. The rows describe parameters and do not point into a spec.
func Keys() []param.Param {
	list := append([]param.Param{{Key: "domain", Label: "Domain"}, {Key: "agents", Label: "Agents"}}, wholePrior(Revealed(0))...)
	for _, p := range everyDomain() {
		if p.Document == nil && !slices.ContainsFunc(list, func(q param.Param) bool { return q.Key == p.Key }) {
			list = append(list, p)
		}
	}
	return append(list, new(Spec).Params()...)
}

// everyDomain returns the parameters of every domain. Several may have the same key.
func everyDomain() []param.Param {
	var list []param.Param
	for _, kind := range domain.Kinds() {
		list = append(list, kind.New().Params()...)
	}
	return list
}
