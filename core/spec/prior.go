package spec

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Prior is the prior of a spec. It either lists edges with their probabilities, or
// reveals η true parents of each Y variable. If Eta and Edges are nil, it reveals the
// domain's suggestion. Edges that are empty but not nil are a list: no edge is known.
type Prior struct {
	Eta *int `json:"eta,omitzero"`
	// Trust is the probability with which each revealed or false edge is stated. With 1,
	// or if Trust is nil, these edges are known.
	Trust *float64 `json:"trust,omitzero"`
	// False is the number of wrong edges that are stated for each Y variable: variables
	// that are not its parents, drawn anew in each run.
	False int             `json:"false,omitzero"`
	Edges []document.Edge `json:"edges,omitzero"`
	// Data are transitions that every agent has observed before the first episode, whatever it is told
	// of the graph. They say nothing about payoffs. Named priors have none.
	Data *Data `json:"data,omitzero"`
}

// Revealed returns the prior that reveals η true parents of each Y variable.
func Revealed(eta int) *Prior { return &Prior{Eta: &eta} }

// P returns the probability of each revealed or false edge.
func (p *Prior) P() float64 {
	if p.Trust == nil {
		return 1
	}
	return *p.Trust
}

// clone returns a copy. The copy of nil is nil.
func (p *Prior) clone() *Prior {
	if p == nil {
		return nil
	}
	c := &Prior{False: p.False, Edges: slices.Clone(p.Edges), Data: p.Data}
	if p.Eta != nil {
		c.Eta = new(int)
		*c.Eta = *p.Eta
	}
	if p.Trust != nil {
		c.Trust = new(float64)
		*c.Trust = *p.Trust
	}
	return c
}

// UnmarshalJSON reads a prior. Its numbers may be texts, as a form has them.
func (p *Prior) UnmarshalJSON(data []byte) error {
	members, err := strict.Object(data)
	if err != nil {
		return err
	}
	var of Spec
	for _, name := range slices.Sorted(maps.Keys(members)) {
		known := slices.ContainsFunc(wholePrior(Revealed(0)), func(p param.Param) bool { return p.Name == name })
		switch {
		case name == "edges":
		case known:
			row := of.priorRow(name)
			err = decodeRow(&row, members[name])
		default:
			err = strict.Invalid(strict.Place(name), "unknown field")
		}
		if err != nil {
			return err
		}
	}
	*p = Prior{}
	if of.Prior != nil {
		*p = *of.Prior
	}
	if raw, has := members["edges"]; has {
		return strict.DecodeAt(raw, &p.Edges, "/edges")
	}
	return nil
}

// complete checks a prior and returns its canonical form, which is nil for the domain's
// suggestion. CanHold reports whether links can hold a name in its edges.
func (p *Prior) complete(canHold func(name string) bool) (*Prior, error) {
	if p == nil {
		return nil, nil
	}
	stated := p.Trust != nil || p.False != 0
	switch {
	case p.Edges != nil && p.Eta != nil, p.Edges == nil && p.Eta == nil && !stated && p.Data == nil:
		return p, strict.Invalid("", `the prior needs either "eta" or "edges"`)
	case p.Edges != nil && stated:
		return p, strict.Invalid("", `"trust" and "false" are for revealed edges; listed edges have probabilities of their own`)
	case len(p.Edges) > fmdp.MaxVariables*fmdp.MaxVariables:
		return p, strict.Invalid("/edges", "too many edges")
	}
	for k, e := range p.Edges {
		if err := document.CheckP(e.P); err != nil {
			return p, strict.Invalid(fmt.Sprintf("/edges/%d/2", k), "%v", err)
		}
		for end, name := range []string{e.From, e.To} {
			if !canHold(name) && (end > 0 || name != document.Others) {
				return p, strict.Invalid(fmt.Sprintf("/edges/%d/%d", k, end), "there is no variable %q", param.Clip(name))
			}
		}
	}
	for _, row := range priorRows(p) {
		if err := row.Check(); err != nil {
			return p, strict.Located(err)
		}
	}
	if err := checkTrust(p.P()); err != nil {
		return p, strict.Invalid("/trust", "%v", err)
	}
	others := map[string]bool{} // the variables into which all edges that are not listed are forbidden
	for _, e := range p.Edges {
		others[e.To] = others[e.To] || e.From == document.Others
	}
	silent := func(e document.Edge) bool { return unknown(e) && !others[e.To] }
	if slices.ContainsFunc(p.Edges, silent) && !document.Repeats(p.Edges) { // else they would hide a contradiction
		p.Edges = slices.DeleteFunc(slices.Clone(p.Edges), silent)
	}
	if p.P() == 1 {
		p.Trust = nil
	}
	if p.empty() {
		return nil, nil
	}
	return p, nil
}

// empty reports whether the prior says nothing beside the domain's suggestion.
func (p *Prior) empty() bool {
	return p.Eta == nil && p.Edges == nil && p.Trust == nil && p.False == 0 && p.Data == nil
}

// unknown reports whether a listed edge has the probability of edges that are not listed.
func unknown(e document.Edge) bool { return e.P == 0.5 }

// priorRows returns the rows of a prior's parameters: η if the prior has one, trust, and
// the number of false edges.
func priorRows(p *Prior) []param.Param {
	var rows []param.Param
	if p.Eta != nil {
		rows = append(rows, param.Param{
			Name: "eta", Key: "eta", Section: param.Prior, Label: "Degree of prior knowledge", Symbol: "η", Phrase: "η = _",
			Int: p.Eta, Low: 0, High: fmdp.MaxVariables,
		})
	}
	return append(rows, param.Param{
		Name: "trust", Key: "trust", Section: param.Prior, Label: "Trust in the prior’s edges", Phrase: "trust _",
		Help:    "The probability of a stated edge; 1 makes it certain.",
		Written: (*trust)(p), Default: "1", Since: 2,
	}, param.Param{
		Name: "false", Key: "false", Section: param.Prior, Label: "False edges per variable", Phrase: "_ false edges per variable",
		Help: "Edges stated though not true; drawn anew in each run.",
		Int:  &p.False, Low: 0, High: fmdp.MaxVariables, Default: "0", Since: 2,
	})
}

// wholePrior returns the rows of a prior's parameters and that of its data.
func wholePrior(p *Prior) []param.Param {
	return append(priorRows(p), param.Param{
		Name: "data", Key: "data", Section: param.Prior, Label: "Data to start from", Phrase: "data _",
		Help:    "Every agent has observed these transitions before its first episode.",
		Written: (*data)(p), Since: 5,
	})
}

// priorRow returns the row of the spec's prior with that key. It makes a prior if there is
// none. If the key is "eta", it removes a list of edges.
func (s *Spec) priorRow(key string) param.Param {
	if s.Prior = s.Prior.clone(); s.Prior == nil {
		s.Prior = new(Prior)
	}
	if key == "eta" {
		s.Prior.Eta, s.Prior.Edges = new(int), nil
	}
	rows := wholePrior(s.Prior)
	return rows[slices.IndexFunc(rows, func(p param.Param) bool { return p.Key == key })]
}

// data are the data of a prior as a parameter.
type data Prior

func (d *data) String() string {
	if d.Data == nil {
		return ""
	}
	return d.Data.Name()
}

func (d *data) Range() string { return "the SHA-256 of transitions" }

func (d *data) Parse(text string) error {
	named, err := NamedData(text)
	if err == nil {
		d.Data = named
	}
	return err
}

func (d *data) Encode() []byte { return strict.Encode(d.Data) }

func (d *data) Decode(raw []byte) error {
	read, err := DecodeData(raw)
	if err == nil {
		d.Data = read
	}
	return err
}

// Data returns the data that the agents start from, or nil if there are none.
func (s *Spec) Data() *Data {
	if s.Prior == nil {
		return nil
	}
	return s.Prior.Data
}

// Start makes the agents start from data. The error, one sentence, says that the spec names others.
func (s *Spec) Start(from *Data) error {
	if has := s.Data(); has != nil && has.Name() != from.Name() {
		return fmt.Errorf("the SHA-256 of the transitions is %s; the experiment starts from %s", from.Name(), has.Name())
	}
	if s.Prior = s.Prior.clone(); s.Prior == nil {
		s.Prior = new(Prior)
	}
	s.Prior.Data = from
	return nil
}

// formRows returns the rows of a prior in a form: always that of η, and the others unless
// the prior lists its edges.
func formRows(p *Prior) []param.Param {
	eta := priorRows(Revealed(0))[:1]
	if p == nil {
		p = new(Prior)
	}
	if p.Edges != nil {
		return eta
	}
	rows := priorRows(p)
	return append(eta, rows[len(rows)-2:]...)
}

// trust is the trust of a prior as a parameter.
type trust Prior

func (t *trust) String() string { return document.FormatP((*Prior)(t).P()) }
func (t *trust) Range() string  { return "1, or a number from 0.000001 to 0.999999" }

func (t *trust) Parse(text string) error {
	p, err := document.ParseP(text)
	if err != nil {
		return err
	}
	return t.set(p)
}

func (t *trust) Encode() []byte { return strict.Encode((*Prior)(t).P()) }

func (t *trust) Decode(data []byte) error {
	if jsontext.Value(data).Kind() == '"' {
		var text string
		if err := strict.Decode(data, &text); err != nil {
			return err
		}
		return t.Parse(text)
	}
	var p float64
	if err := strict.Decode(data, &p); err != nil {
		return err
	}
	return t.set(p)
}

func (t *trust) set(p float64) error {
	err := checkTrust(p)
	if err == nil {
		t.Trust = &p
	}
	return err
}

// checkTrust returns an error unless p is a possible trust: the probability of an edge
// other than 0.
func checkTrust(p float64) error {
	if p == 0 || document.CheckP(p) != nil {
		return fmt.Errorf("%v is not a trust; it must be %s", p, new(trust).Range())
	}
	return nil
}
