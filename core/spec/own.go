package spec

import (
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/domain"
)

// WithModel returns the spec of another model, in its place in all else. The function to returns the new name
// of a variable, or "" for one that is gone; edges, degrees of sparseness and named priors follow.
// Where the sparseness was the domain's own, it is that of the new model. The result is not complete.
func (s *Spec) WithModel(f *document.ModelFile, to func(name string) string) *Spec {
	c := s.Clone()
	own := domain.NewCustomFile(f)
	if before, custom := s.Domain.(*domain.Custom); custom {
		own.Tables = before.Tables
	}
	c.Domain = own
	if before, has := s.Domain.(domain.OwnSparse); has && s.Z().String() == before.OwnSparseness().String() {
		c.Sparseness, c.Own = 0, nil
	}
	var kept []document.OwnSparseness
	for _, o := range c.Own {
		if o.Of = to(o.Of); o.Of != "" {
			kept = append(kept, o)
		}
	}
	slices.SortFunc(kept, func(a, b document.OwnSparseness) int { return strings.Compare(a.Of, b.Of) })
	c.Own, c.listed = kept, nil // Z stands for new variables
	c.Prior.rename(to)
	for _, p := range c.Priors {
		p.Prior.rename(to)
	}
	return c
}

// rename renames the variables of the listed edges. An edge of a variable that is gone is left out.
func (p *Prior) rename(to func(name string) string) {
	if p == nil || p.Edges == nil {
		return
	}
	edges := []document.Edge{}
	for _, e := range p.Edges {
		if e.From != document.Others {
			e.From = to(e.From)
		}
		if e.To = to(e.To); e.From != "" && e.To != "" {
			edges = append(edges, e)
		}
	}
	p.Edges = edges
}
