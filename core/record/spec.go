// Package record holds the versioned formats of the project and their codecs:
// what goes into the engine (a [Spec], models, priors, transitions) and what
// comes out of it ([Record], [Trace]).
//
// Every format is JSON. A document says its format and version first; unknown
// formats, versions and fields, missing and duplicate fields, nulls and
// trailing data are refused with the place, a JSON pointer, and one sentence.
// Versions stay readable for ever: one file of each stays in testdata.
//
// # Spec, version 1
//
// A spec is everything a run depends on:
//
//	{"format":"cpsrl/spec","version":1,
//	 "domain":{"name":"taxi","grid":"5x5","horizon":15},
//	 "prior":{"eta":2},"sparseness":5,
//	 "agents":["psrl","f-psrl","c-psrl"],
//	 "episodes":400,"firstRun":0,"runs":20,"seed":1,
//	 "bound":"at-most","update":"exact","rewards":"known"}
//
// Only format, version and domain are required; [Spec.Complete] fills in the
// rest. Domains and their parameters are those of [Domain]; agents are labels
// read by [ParseAgent].
//
// # Records, version 1
//
// A records file is JSON Lines: a [Header] with the engine version and the
// spec, then one [Record] for each run, agent and episode, in that order.
// The fingerprint of an experiment is the SHA-256 of its record lines, newlines
// included, without the header.
package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Engine is the version of the arithmetic: it rises when the records of a spec
// change, and only then.
const Engine = 1

// Limits of a spec.
const (
	MaxEpisodes = 100_000
	MaxRuns     = 10_000
	MaxAgents   = 12
	MaxSeed     = 1<<53 - 1
)

// Spec is everything a run depends on. The same spec gives the same records.
type Spec struct {
	Format     string   `json:"format"`
	Version    int      `json:"version"`
	Domain     Domain   `json:"domain"`
	Prior      *Known   `json:"prior,omitzero"`      // absent: the domain's suggestion
	Sparseness int      `json:"sparseness,omitzero"` // Z; absent: the domain's
	Agents     []string `json:"agents,omitempty"`    // absent: psrl, f-psrl, c-psrl
	Episodes   int      `json:"episodes,omitzero"`   // K; absent: 100
	FirstRun   int      `json:"firstRun,omitzero"`   // the index of the first run, from 0
	Runs       int      `json:"runs,omitzero"`       // absent: 1
	Seed       int64    `json:"seed,omitzero"`       // from 0 to 2^53−1; absent: 0
	Bound      string   `json:"bound,omitempty"`     // "at-most" or "below"
	Update     string   `json:"update,omitempty"`    // "exact" or "printed"
	Rewards    string   `json:"rewards,omitempty"`   // "known" or "learned"
}

// Known is the prior of a spec: either a degree of prior knowledge, which
// reveals that many true parents of each Y variable, or a list of edges.
type Known struct {
	Eta   *int        `json:"eta,omitzero"`
	Edges [][2]string `json:"edges,omitzero"`
}

// Domain names a problem and its parameters.
//
//	random-fmdp  stateVariables (6), actionVariables (3), values (2),
//	             parents (5, or "uniform"), horizon (100)
//	taxi         grid ("3x3" or "5x5"), horizon (10 or 15)
//	figure1      horizon (10)
//	model        model, a cpsrl/model
type Domain struct {
	Name            string         `json:"name"`
	StateVariables  int            `json:"stateVariables,omitzero"`
	ActionVariables int            `json:"actionVariables,omitzero"`
	Values          int            `json:"values,omitzero"`
	Parents         Parents        `json:"parents,omitzero"`
	Grid            string         `json:"grid,omitempty"`
	Horizon         int            `json:"horizon,omitzero"`
	Model           jsontext.Value `json:"model,omitzero"`
}

// Parents is the size of the true parent sets of a random FMDP.
type Parents int

// UniformParents draws each true parent set uniformly from the consistent ones.
const UniformParents Parents = -1

// MarshalJSON writes the number, or "uniform".
func (p Parents) MarshalJSON() ([]byte, error) {
	if p == UniformParents {
		return []byte(`"uniform"`), nil
	}
	return strconv.AppendInt(nil, int64(p), 10), nil
}

// UnmarshalJSON reads a number of at least 1, or "uniform".
func (p *Parents) UnmarshalJSON(data []byte) error {
	if string(data) == `"uniform"` {
		*p = UniformParents
		return nil
	}
	n, err := strconv.Atoi(string(data))
	if err != nil || n < 1 {
		return invalid("", `expected a whole number of at least 1 or "uniform", found %s`, clip(string(data)))
	}
	*p = Parents(n)
	return nil
}

// DecodeSpec reads a spec, checks everything that can be checked without
// building its domain, and fills in what it leaves out.
func DecodeSpec(data []byte) (*Spec, error) {
	if err := sniff(data, SpecFormat, 1); err != nil {
		return nil, err
	}
	var s Spec
	if err := decode(data, &s); err != nil {
		return nil, err
	}
	if err := refuseZeros(data); err != nil {
		return nil, err
	}
	if err := s.Complete(); err != nil {
		return nil, err
	}
	return &s, nil
}

// refuseZeros refuses a zero or an empty text that is written out where
// Complete would take it for an absent field.
func refuseZeros(data []byte) error {
	var spec struct {
		Domain map[string]any `json:"domain"`
		Rest   map[string]any `json:",embed"`
	}
	if err := json.Unmarshal(data, &spec); err != nil {
		return plain(err)
	}
	for _, at := range []struct {
		place  string
		fields map[string]any
		names  []string
	}{
		{"/", spec.Rest, []string{"sparseness", "episodes", "runs", "bound", "update", "rewards"}},
		{"/domain/", spec.Domain, []string{"stateVariables", "actionVariables", "values", "horizon", "grid"}},
	} {
		for _, name := range at.names {
			switch at.fields[name] {
			case 0.0:
				return invalid(at.place+name, "0 is out of range; it must be at least 1")
			case "":
				return invalid(at.place+name, "the text is empty; leave the field out for its default")
			}
		}
	}
	return nil
}

// EncodeSpec returns the spec as one JSON object.
func EncodeSpec(s *Spec) []byte { return encode(s) }

// Complete fills in what the spec leaves out and validates it. A complete spec
// stays as it is.
func (s *Spec) Complete() error {
	if s.Format == "" && s.Version == 0 {
		s.Format, s.Version = SpecFormat, 1
	}
	if err := checkHeader(header{s.Format, s.Version}, SpecFormat, 1); err != nil {
		return err
	}
	if err := s.completeDomain(); err != nil {
		return err
	}
	if s.Agents == nil {
		s.Agents = []string{"psrl", "f-psrl", "c-psrl"}
	}
	setDefault(&s.Episodes, 100)
	setDefault(&s.Runs, 1)
	setDefault(&s.Bound, "at-most")
	setDefault(&s.Update, "exact")
	setDefault(&s.Rewards, "known")
	return s.check()
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (s *Spec) check() error {
	if err := s.checkPrior(); err != nil {
		return err
	}
	if len(s.Agents) == 0 || len(s.Agents) > MaxAgents {
		return invalid("/agents", "%d agents; from 1 to %d are needed", len(s.Agents), MaxAgents)
	}
	for k, label := range s.Agents {
		place := fmt.Sprintf("/agents/%d", k)
		a, err := ParseAgent(label)
		if err != nil {
			return within(place, err)
		}
		s.Agents[k] = a.Label()
		if slices.Contains(s.Agents[:k], s.Agents[k]) {
			return invalid(place, "the agent %q is listed twice", a.Label())
		}
	}
	return checkFields(s.runFields())
}

func (s *Spec) checkPrior() error {
	if s.Prior == nil {
		return nil
	}
	if (s.Prior.Eta == nil) == (s.Prior.Edges == nil) {
		return invalid("/prior", `the prior needs either "eta" or "edges"`)
	}
	if s.Prior.Eta != nil {
		return inRange("/prior/eta", *s.Prior.Eta, 0, fmdp.MaxVariables)
	}
	if len(s.Prior.Edges) > fmdp.MaxVariables*fmdp.MaxVariables {
		return invalid("/prior/edges", "too many edges")
	}
	return nil
}

func (s *Spec) completeDomain() error {
	d := &s.Domain
	// The parameters a domain does not have are refused, not ignored.
	extra := *d
	extra.Name, extra.Horizon = "", 0
	switch d.Name {
	case "random-fmdp":
		extra.StateVariables, extra.ActionVariables, extra.Values, extra.Parents = 0, 0, 0, 0
		setDefault(&d.StateVariables, 6)
		setDefault(&d.ActionVariables, 3)
		setDefault(&d.Values, 2)
		setDefault(&d.Horizon, 100)
		if d.Parents == 0 {
			d.Parents = Parents(min(5, max(1, d.StateVariables+d.ActionVariables)))
		}
		if s.Sparseness == 0 {
			s.Sparseness = max(int(d.Parents), 5)
		}
	case "taxi":
		extra.Grid = ""
		setDefault(&d.Grid, "5x5")
		setDefault(&s.Sparseness, 5)
		switch d.Grid {
		case "3x3":
			setDefault(&d.Horizon, 10)
		case "5x5":
			setDefault(&d.Horizon, 15)
		default:
			return invalid("/domain/grid", `the grid is %q; it must be "3x3" or "5x5"`, d.Grid)
		}
	case "figure1":
		setDefault(&d.Horizon, 10)
		setDefault(&s.Sparseness, 3)
	case "model":
		extra.Model = nil
		if d.Model == nil {
			return invalid("/domain/model", "the model is missing")
		}
		m, err := DecodeModel(d.Model)
		if err != nil {
			return within("/domain/model", err)
		}
		if d.Horizon != 0 && d.Horizon != m.Horizon {
			return invalid("/domain/horizon", "the horizon is the model's, %d", m.Horizon)
		}
		d.Horizon = m.Horizon
		d.Model = EncodeModel(m)
		if s.Sparseness == 0 {
			s.Sparseness = max(1, widest(m.Graph()))
		}
	default:
		return oneOf("/domain/name", d.Name, domainNames...)
	}
	switch {
	case extra.StateVariables != 0:
		return notOf(d.Name, "stateVariables")
	case extra.ActionVariables != 0:
		return notOf(d.Name, "actionVariables")
	case extra.Values != 0:
		return notOf(d.Name, "values")
	case extra.Parents != 0:
		return notOf(d.Name, "parents")
	case extra.Grid != "":
		return notOf(d.Name, "grid")
	case extra.Model != nil:
		return notOf(d.Name, "model")
	}
	return checkFields(s.domainFields())
}

func widest(g bigraph.Bigraph) int {
	n := 0
	for _, z := range g {
		n = max(n, z.Len())
	}
	return n
}

func notOf(domain, parameter string) error {
	return invalid("/domain/"+parameter, "the domain %q has no parameter %q", domain, parameter)
}

// inRange checks low ≤ value ≤ high.
func inRange(place string, value, low, high int) error {
	if value < low || value > high {
		return invalid(place, "%d is out of range; it must be from %d to %d", value, low, high)
	}
	return nil
}

func oneOf(place, value string, choices ...string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return invalid(place, "%q is unknown; it must be one of %s", value, strings.Join(choices, ", "))
}

// Agent is a parsed agent label.
type Agent struct {
	Algorithm string // "psrl", "f-psrl" or "c-psrl"
	Eta       int    // c-psrl: the degree of prior knowledge, or -1 for the spec's prior
	Prior     bool   // f-psrl: takes G_0 as if it were complete, not the true graph
}

// ParseAgent reads a label: an algorithm, then for c-psrl optionally
// ":eta=N" (N true parents known of each variable instead of the spec's prior),
// for f-psrl optionally ":graph=true" (the default) or ":graph=prior" (G_0 as
// if it were complete).
func ParseAgent(label string) (Agent, error) {
	a := Agent{Eta: -1}
	name, parameters, has := strings.Cut(label, ":")
	if err := oneOf("", name, "psrl", "f-psrl", "c-psrl"); err != nil {
		return a, err
	}
	a.Algorithm = name
	if !has {
		return a, nil
	}
	key, value, _ := strings.Cut(parameters, "=")
	switch name + ":" + key {
	case "c-psrl:eta":
		n, err := strconv.ParseUint(value, 10, 8)
		if err != nil || n > fmdp.MaxVariables {
			return a, invalid("", "the eta of %q must be a whole number from 0 to %d", label, fmdp.MaxVariables)
		}
		a.Eta = int(n)
	case "f-psrl:graph":
		if err := oneOf("", value, "true", "prior"); err != nil {
			return a, err
		}
		a.Prior = value == "prior"
	default:
		return a, invalid("", `%q has no such parameter; known are c-psrl:eta=N and f-psrl:graph=true or prior`, label)
	}
	return a, nil
}

// Label returns the canonical label, which ParseAgent reads back.
func (a Agent) Label() string {
	switch {
	case a.Algorithm == "c-psrl" && a.Eta >= 0:
		return fmt.Sprintf("c-psrl:eta=%d", a.Eta)
	case a.Prior:
		return "f-psrl:graph=prior"
	}
	return a.Algorithm
}

// BoundOf and the like read the switches of a complete spec.
func (s *Spec) BoundOf() bigraph.Bound {
	if s.Bound == "below" {
		return bigraph.Below
	}
	return bigraph.AtMost
}
