package experiment

import (
	"cmp"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
)

// Own returns the domain's own prior: the G_0 of a spec that states none.
func (in *Instance) Own() *bigraph.Prior {
	p, err := in.prior(nil)
	if err != nil {
		panic("experiment: " + err.Error())
	}
	return p
}

// prior returns the G_0 of the run for a prior of the spec, with Z and the bound. The
// prior nil stands for the domain's suggestion.
func (in *Instance) prior(asked *spec.Prior) (*bigraph.Prior, error) {
	space := in.nodes()
	if asked == nil {
		asked = &spec.Prior{}
	}
	var p *bigraph.Prior
	var err error
	if asked.Edges != nil {
		if p, err = document.DecodeEdges(asked.Edges, "/edges", space); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(asked.Edges, func(e document.Edge) bool { return e.From == document.Others }) {
			asked.Edges = document.PriorEdges(p, space) // from here on, each forbidden edge is listed
		}
	} else {
		known := in.Suggested
		if asked.Eta != nil {
			known = in.Revealed(*asked.Eta)
		}
		p = stated(in.withFalse(known, asked.False), asked.P(), in.View.X())
	}
	suggested := asked.Edges == nil && asked.Eta == nil
	if suggested {
		in.suggest(p, asked, 0)
	}
	p, err = document.Limit(p, in.View, document.Limits{Sparseness: in.spec.Sparseness, Each: in.each, Bound: in.spec.BoundOf()})
	if err == nil && suggested && p.Payoffs != nil {
		in.suggest(p.Payoffs, asked, in.View.Y())
	}
	return p, err
}

// nodes returns the space in which edges of priors are named.
func (in *Instance) nodes() *fmdp.Space { return document.NodesOf(in.View) }

// suggest adds the domain's suggestions to a prior of Y variables or of payoffs; first is the number of the first of them. If the
// spec states a trust, edges that are more probable than not have that probability.
func (in *Instance) suggest(p *bigraph.Prior, asked *spec.Prior, first int) {
	for _, s := range in.Suggestions {
		y, probability := s.Y-first, s.P
		if asked.Trust != nil && s.P > 0.5 {
			probability = *asked.Trust
		}
		if y < 0 || y >= len(p.Known) || p.Known[y].Has(s.X) || slices.ContainsFunc(p.Likely, func(e bigraph.Edge) bool { return e.X == s.X && e.Y == y }) {
			continue // of others, or a false edge of the spec
		}
		switch {
		case probability == 1:
			p.Known = slices.Clone(p.Known)
			p.Known[y] = p.Known[y].With(s.X)
		case probability == 0:
			if p.Forbidden == nil {
				p.Forbidden = make(bigraph.Bigraph, len(p.Known))
			}
			p.Forbidden[y] = p.Forbidden[y].With(s.X)
		case probability != 0.5:
			p.Likely = append(p.Likely, bigraph.Edge{X: s.X, Y: y, P: probability})
		}
	}
	slices.SortFunc(p.Likely, func(a, b bigraph.Edge) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
}

// namedPrior returns the prior of that name. If eta is not negative, it replaces the η of
// the prior. The spec has been checked to have the prior, without a list of edges if eta
// replaces its η.
func (in *Instance) namedPrior(name string, eta int) *bigraph.Prior {
	if eta < 0 {
		return in.named[name]
	}
	asked := *in.spec.Named(name)
	asked.Eta = &eta
	p, err := in.prior(&asked)
	if err != nil {
		panic("experiment: " + err.Error())
	}
	return p
}

// stated returns the prior in which each of the edges has the probability trust.
func stated(edges bigraph.Bigraph, trust float64, dX int) *bigraph.Prior {
	if trust == 1 {
		return &bigraph.Prior{X: dX, Known: edges}
	}
	p := &bigraph.Prior{X: dX, Known: make(bigraph.Bigraph, len(edges))}
	for j, z := range edges {
		for i := range z.All() {
			if trust != 0.5 { // the probability of an edge that is not listed
				p.Likely = append(p.Likely, bigraph.Edge{X: i, Y: j, P: trust})
			}
		}
	}
	return p
}

// withFalse adds n false edges into each variable, or all if there are fewer: edges from
// variables that are not its parents. They are drawn from a stream of their own; the edges
// of a smaller n are among those of a larger. Variables with one value have no false edges.
func (in *Instance) withFalse(edges bigraph.Bigraph, n int) bigraph.Bigraph {
	if n == 0 {
		return edges
	}
	rng := posterior.NewNamedStream(int64(in.spec.Seed), in.Run, "false edges")
	trivial, x := in.View.Trivial(), bigraph.First(in.View.X())
	all := make(bigraph.Bigraph, len(edges))
	for j, z := range in.Revealed(in.View.X()) { // the true graph
		all[j] = edges[j]
		if trivial.Has(j) {
			continue
		}
		others := x.Without(z).Without(trivial).Parents()
		for _, k := range rng.Perm(len(others))[:min(n, len(others))] {
			all[j] = all[j].With(others[k])
		}
	}
	return all
}
