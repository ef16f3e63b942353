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

// oldest is the version in which specs are written that need no later one. Links are written in the
// least version that can express them.
const oldest = 3

// written returns the version in which the spec is written, which need not be complete.
func (s *Spec) written() int {
	version := oldest
	later := func(table []param.Param) {
		for _, p := range table {
			if !p.Absent() && p.String() != p.Link() {
				version = max(version, p.Version())
			}
		}
	}
	if s.Domain != nil {
		version = max(version, s.Domain.Kind().Since)
		later(s.Domain.Params())
	}
	later(s.Params())
	if s.Prior != nil {
		later(wholePrior(s.Prior))
	}
	for _, label := range s.Agents {
		if a, err := arm.Parse(label); err == nil {
			version = max(version, a.Since)
			for _, p := range a.Params() {
				if !p.Absent() {
					version = max(version, p.Version())
				}
			}
		}
	}
	return version
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
		differs("/prior", wholePrior(s.Prior))
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
