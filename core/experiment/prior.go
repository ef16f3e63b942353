package experiment

import (
	"cmp"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
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
		if asked.Eta == nil {
			in.suggest(p, asked)
		}
	}
	if p, err = in.split(p); err != nil {
		return nil, err
	}
	p.Sparseness, p.Bound, p.Trivial = in.spec.Sparseness, in.spec.BoundOf(), in.View.Trivial()
	p.Each = in.each
	if p.Payoffs != nil {
		p.Payoffs.Sparseness, p.Payoffs.Bound, p.Payoffs.Trivial = p.Sparseness, p.Bound, p.Trivial
	}
	in.tell(p)
	return p, nil
}

// unscoped returns the payoffs whose scopes are hidden, by name.
func (in *Instance) unscoped() (names []string) {
	for _, r := range in.View.Reward {
		if r.Hidden {
			names = append(names, r.Name)
		}
	}
	return names
}

// nodes returns the space in which edges of priors are named: that of the view and, after its state
// variables, a node for each payoff whose scope is hidden.
func (in *Instance) nodes() *fmdp.Space {
	unscoped := in.unscoped()
	if len(unscoped) == 0 {
		return &in.View.Space
	}
	space := in.View.Space
	space.State, space.Legal = slices.Clone(space.State), nil
	for _, name := range unscoped {
		space.State = append(space.State, fmdp.Variable{Name: name, Size: 2})
	}
	return &space
}

// split splits a prior over nodes into those of the Y variables and of the payoffs.
func (in *Instance) split(p *bigraph.Prior) (*bigraph.Prior, error) {
	n, y := len(in.unscoped()), in.View.Y()
	if n == 0 {
		return p, nil
	}
	q := &bigraph.Prior{X: in.View.X(), Known: make(bigraph.Bigraph, y), Payoffs: &bigraph.Prior{X: in.View.X(), Known: make(bigraph.Bigraph, n)}}
	if len(p.Known) == y { // nothing is said of payoffs
		q.Known, q.Forbidden, q.Likely = p.Known, p.Forbidden, p.Likely
		return q, nil
	}
	var err error
	index := func(i int) int {
		if i >= y && i < y+n {
			err = strict.Invalid("/edges", "%q is a payoff; no edge starts from it", in.unscoped()[i-y])
		}
		if i >= y+n {
			i -= n
		}
		return i
	}
	at := func(j int) (*bigraph.Prior, int) {
		if j < y {
			return q, j
		}
		return q.Payoffs, j - y
	}
	for j := range p.Known {
		of, k := at(j)
		for i := range p.Known[j].All() {
			of.Known[k] = of.Known[k].With(index(i))
		}
		if p.Forbidden == nil {
			continue
		}
		if of.Forbidden == nil {
			of.Forbidden = make(bigraph.Bigraph, len(of.Known))
		}
		for i := range p.Forbidden[j].All() {
			if i < y || i >= y+n { // "*" forbids the payoffs, too, which are no parents anyway
				of.Forbidden[k] = of.Forbidden[k].With(index(i))
			}
		}
	}
	for _, e := range p.Likely {
		of, k := at(e.Y)
		of.Likely = append(of.Likely, bigraph.Edge{X: index(e.X), Y: k, P: e.P})
	}
	return q, err
}

// suggest adds the domain's suggestions to a prior. If the spec states a trust, edges that are
// more probable than not have that probability.
func (in *Instance) suggest(p *bigraph.Prior, asked *spec.Prior) {
	for _, s := range in.Suggestions {
		probability := s.P
		if asked.Trust != nil && s.P > 0.5 {
			probability = *asked.Trust
		}
		if p.Known[s.Y].Has(s.X) || slices.ContainsFunc(p.Likely, func(e bigraph.Edge) bool { return e.X == s.X && e.Y == s.Y }) {
			continue // a false edge of the spec
		}
		switch {
		case probability == 1:
			p.Known = slices.Clone(p.Known)
			p.Known[s.Y] = p.Known[s.Y].With(s.X)
		case probability == 0:
			if p.Forbidden == nil {
				p.Forbidden = make(bigraph.Bigraph, in.View.Y())
			}
			p.Forbidden[s.Y] = p.Forbidden[s.Y].With(s.X)
		case probability != 0.5:
			p.Likely = append(p.Likely, bigraph.Edge{X: s.X, Y: s.Y, P: probability})
		}
	}
	slices.SortFunc(p.Likely, func(a, b bigraph.Edge) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
}

// tell makes the prior certain of the parents of each variable whose law agents are told.
func (in *Instance) tell(p *bigraph.Prior) {
	told := func(j int) bool { return in.View.Transition[j].Known }
	for j := range in.View.Transition {
		if !told(j) {
			continue
		}
		if p.Each = slices.Clone(p.Each); p.Each == nil {
			p.Each = slices.Repeat([]int{p.Sparseness}, in.View.Y())
		}
		p.Known, p.Forbidden = slices.Clone(p.Known), slices.Clone(p.Forbidden)
		p.Known[j] = in.View.Transition[j].Scope()
		if p.Each[j] = p.Known[j].Len(); p.Bound == bigraph.Below {
			p.Each[j]++
		}
		if p.Forbidden != nil {
			p.Forbidden[j] = 0
		}
		p.Likely = slices.DeleteFunc(p.Likely, func(e bigraph.Edge) bool { return e.Y == j })
	}
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
