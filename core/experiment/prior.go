package experiment

import (
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
)

// prior returns the G_0 of the run for a prior of the spec, with Z and the bound. The
// prior nil stands for the domain's suggestion.
func (in *Instance) prior(asked *spec.Prior) (*bigraph.Prior, error) {
	space := &in.Model.Space
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
		p = stated(in.withFalse(known, asked.False), asked.P(), space.X())
	}
	p.Sparseness, p.Bound, p.Trivial = in.spec.Sparseness, in.spec.BoundOf(), space.Trivial()
	p.Each = in.each
	return p, nil
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
	trivial, x := in.Model.Trivial(), bigraph.First(in.Model.X())
	all := make(bigraph.Bigraph, len(edges))
	for j, z := range in.Revealed(in.Model.X()) { // the true graph
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
