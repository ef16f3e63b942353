package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/arm"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// NamedPrior is a prior that agents choose by its name, as in "c-psrl:prior=expert".
type NamedPrior struct {
	Name  string
	Prior *Prior
}

// MostPriors is the largest number of named priors.
const MostPriors = MaxAgents

// completePriors checks the named priors, brings them into canonical form, and sorts them
// by name.
func (s *Spec) completePriors() error {
	if len(s.Priors) > MostPriors {
		return strict.Invalid("/priors", "%d priors, more than %d", len(s.Priors), MostPriors)
	}
	slices.SortStableFunc(s.Priors, func(a, b NamedPrior) int { return strings.Compare(a.Name, b.Name) })
	for k := range s.Priors {
		p := &s.Priors[k]
		if err := arm.CheckName(p.Name); err != nil {
			return strict.Invalid("/priors"+strict.Place(p.Name), "%v", err)
		}
		place := "/priors/" + p.Name
		if k > 0 && p.Name == s.Priors[k-1].Name {
			return strict.Invalid(place, "two priors have this name")
		}
		var err error
		if p.Prior == nil {
			p.Prior = new(Prior)
		}
		if p.Prior, err = p.Prior.complete(s.canHold); err != nil {
			return strict.Within(place, err)
		}
		if p.Prior != nil && p.Prior.Data != nil {
			return strict.Invalid(place+"/data", "all agents start from the same data, which only the spec's own prior names")
		}
		if p.Prior == nil {
			return strict.Invalid(place, "the prior says nothing beside the domain's suggestion; it needs an η, edges, a trust or false edges")
		}
	}
	return nil
}

// Named returns the prior of that name, or nil if there is none.
func (s *Spec) Named(name string) *Prior {
	for _, p := range s.Priors {
		if p.Name == name {
			return p.Prior
		}
	}
	return nil
}

// CheckAgent returns an error of one sentence if an agent names a prior that the spec does
// not have, or has an η of its own although its prior lists edges.
func (s *Spec) CheckAgent(a arm.Arm) error {
	namer, is := a.Config.(arm.PriorNamer)
	if !is {
		return nil
	}
	name, eta := namer.PriorName()
	if name == "" {
		return nil
	}
	switch p := s.Named(name); {
	case p == nil && len(s.Priors) == 0:
		return fmt.Errorf("there is no prior %q; the spec has no named priors", name)
	case p == nil:
		var names []string
		for _, p := range s.Priors {
			names = append(names, p.Name)
		}
		return fmt.Errorf("there is no prior %q; it must be %s", name, param.OneOf(names))
	case eta && p.Edges != nil:
		return fmt.Errorf("the prior %q lists its edges, so that the agent can have no eta of its own", name)
	}
	return nil
}

// decodePriors reads the object of named priors.
func decodePriors(raw jsontext.Value) ([]NamedPrior, error) {
	members, err := strict.Object(raw)
	if err != nil {
		return nil, err
	}
	list := []NamedPrior{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		p := NamedPrior{name, new(Prior)}
		if err := strict.DecodeAt(members[name], p.Prior, strict.Place(name)); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// priorPrefix begins the keys of named priors in a link.
const priorPrefix = "prior."

// statedMark begins a named prior in a link that does not list edges.
const statedMark = "*"

// linkPrior writes a named prior: its edges, or a * and its parameters, as in
// "*eta:2,trust:.9,false:1".
func linkPrior(s *Spec, p *Prior) string {
	if p.Edges != nil {
		return linkEdges(s, p.Edges)
	}
	var list []string
	for _, row := range priorRows(p) {
		if row.String() != row.Link() {
			list = append(list, row.Key+":"+row.String())
		}
	}
	return statedMark + strings.Join(list, ",")
}

// parsePrior is the inverse of linkPrior.
func parsePrior(key, text string, s *Spec) (*Prior, error) {
	list, stated := strings.CutPrefix(text, statedMark)
	if !stated {
		edges, err := parseEdges(key, text, s)
		return &Prior{Edges: edges}, err
	}
	of := &Spec{}
	var seen []string
	for pair := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(pair, ":")
		if slices.Contains(seen, name) {
			return nil, strict.Invalid(key, "%q is given twice", param.Clip(name))
		}
		seen = append(seen, name)
		if !slices.ContainsFunc(priorRows(Revealed(0)), func(p param.Param) bool { return p.Key == name }) {
			return nil, strict.Invalid(key, "%q is none of eta:NUMBER, trust:NUMBER and false:NUMBER", param.Clip(pair))
		}
		row := of.priorRow(name)
		if err := row.SetString(value); err != nil {
			return nil, atKey(key, err)
		}
	}
	return of.Prior, nil
}
