package spec

import (
	"fmt"

	"cpsrl/core/arm"
	"cpsrl/core/param"
)

// fillAsVersion1 completes a table of a document of version 1: each absent parameter of version 2
// gets the value that version 1 always used.
func fillAsVersion1(table func() []param.Param) error {
	return param.Each(table, func(p *param.Param) error {
		if p.Since < 2 || !p.Absent() {
			return nil
		}
		return p.SetString(p.Link())
	})
}

// beyondVersion1 returns the place of a part of a complete spec that version 1 of specs
// and links cannot express. It returns "" if version 1 can express all of it.
func (s *Spec) beyondVersion1() string {
	differs := func(table []param.Param) (name string) {
		for _, p := range table {
			if p.Since >= 2 && p.String() != p.Link() {
				return "/" + p.Name
			}
		}
		return ""
	}
	if s.Domain.Kind().Since >= 2 {
		return "/domain/name"
	}
	if name := differs(s.Domain.Params()); name != "" {
		return "/domain" + name
	}
	if s.Prior != nil {
		for k, e := range s.Prior.Edges {
			if e.P != 1 {
				return fmt.Sprintf("/prior/edges/%d", k)
			}
		}
		if name := differs(priorRows(s.Prior)); name != "" {
			return "/prior" + name
		}
	}
	if len(s.Priors) > 0 {
		return "/priors"
	}
	if len(s.Own) > 0 {
		return "/sparseness"
	}
	for k, label := range s.Agents {
		a, err := arm.Parse(label)
		if err != nil {
			panic("spec: " + err.Error()) // the spec is complete
		}
		if a.Since >= 2 {
			return fmt.Sprintf("/agents/%d", k)
		}
		standard := a.New().Params()
		for i, p := range a.Params() {
			if p.Since >= 2 && p.String() != standard[i].String() {
				return fmt.Sprintf("/agents/%d", k)
			}
		}
	}
	return differs(s.Params())
}
