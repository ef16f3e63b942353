package spec

import (
	"fmt"

	"cpsrl/core/arm"
	"cpsrl/core/param"
)

// fillAs completes a table of a document of that version: each absent parameter, whose default is
// that of a later version, gets the value that the version always used.
func fillAs(version int, table func() []param.Param) error {
	return param.Each(table, func(p *param.Param) error {
		if max(p.Since, p.DefaultSince) <= version || !p.Absent() {
			return nil
		}
		return p.SetString(p.Link())
	})
}

// least returns the least version of specs and links that can express a complete spec. If it is
// not 1, place is that of the first part that needs it.
func (s *Spec) least() (version int, place string) {
	version = 1
	part := func(needs int, at string) {
		if needs > version {
			version, place = needs, at
		}
	}
	differs := func(above string, table []param.Param) {
		for _, p := range table {
			if needs := p.Version(); needs > version && p.String() != p.Link() {
				part(needs, above+"/"+p.Name)
			}
		}
	}
	part(s.Domain.Kind().Since, "/domain/name")
	differs("/domain", s.Domain.Params())
	if s.Prior != nil {
		for k, e := range s.Prior.Edges {
			if e.P != 1 {
				part(2, fmt.Sprintf("/prior/edges/%d", k))
			}
		}
		differs("/prior", priorRows(s.Prior))
	}
	if len(s.Priors) > 0 {
		part(2, "/priors")
	}
	if len(s.Own) > 0 {
		part(2, "/sparseness")
	}
	for k, label := range s.Agents {
		a, err := arm.Parse(label)
		if err != nil {
			panic("spec: " + err.Error()) // the spec is complete
		}
		at := fmt.Sprintf("/agents/%d", k)
		part(a.Since, at)
		standard := a.New().Params()
		for i, p := range a.Params() {
			if p.String() != standard[i].String() {
				part(p.Version(), at)
			}
		}
	}
	differs("", s.Params())
	return version, place
}
