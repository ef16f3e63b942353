package document

import (
	"fmt"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Stated is the prior of a task, by the names of its variables. Programs that draw traces know the type, so it has no exported
// methods, which they would link.
type Stated struct {
	Sparseness *Sparseness `json:"sparseness,omitzero"` // Z
	Edges      []Reason    `json:"edges"`
}

// Reason is edges with one reason. With P = 1 they are certain, with P = 0 forbidden. In JSON it is an object or, if it is one
// edge without a reason, an [Edge].
type Reason struct {
	Why   string // one sentence, or ""
	P     float64
	Edges [][2]string // X name, Y name
}

// group is the object of a Reason.
type group struct {
	Why   string      `json:"why,omitempty"`
	P     float64     `json:"p"`
	Edges [][2]string `json:"edges"`
}

// Alone returns the edges, each without a reason.
func Alone(edges ...Edge) []Reason {
	list := make([]Reason, len(edges))
	for k, e := range edges {
		list[k] = Reason{P: e.P, Edges: [][2]string{{e.From, e.To}}}
	}
	return list
}

// MarshalJSONTo implements json.MarshalerTo.
func (r Reason) MarshalJSONTo(enc *jsontext.Encoder) error {
	if r.Why == "" && len(r.Edges) == 1 {
		return Edge{r.Edges[0][0], r.Edges[0][1], r.P}.MarshalJSONTo(enc)
	}
	return enc.WriteValue(strict.Encode(group(r)))
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Reason) UnmarshalJSON(data []byte) error { return strict.Read(data, r.DecodeStrict) }

// DecodeStrict implements [strict.Decoder].
func (r *Reason) DecodeStrict(from *strict.Reader) error {
	if from.PeekKind() == '[' {
		var e Edge
		err := e.DecodeStrict(from)
		*r = Alone(e)[0]
		return err
	}
	err := from.Value((*group)(r))
	if err == nil && from.Null() == nil {
		if wrong := CheckP(r.P); wrong != nil {
			err = strict.Invalid(from.Place()+"/p", "%v", wrong)
		}
	}
	return err
}

// edges returns the edges in their order, and the place of each.
func (s *Stated) edges() (list []Edge, place func(k int) string) {
	var places []string
	for k, r := range s.Edges {
		for n, e := range r.Edges {
			at := fmt.Sprintf("/edges/%d", k)
			if r.Why != "" || len(r.Edges) > 1 {
				at += fmt.Sprintf("/edges/%d", n)
			}
			list, places = append(list, Edge{e[0], e[1], r.P}), append(places, at)
		}
	}
	return list, func(k int) string { return places[k] }
}

// check returns an *[strict.InvalidError] unless the prior is one over what agents see.
func (s *Stated) check(seen *fmdp.Model) error {
	if s == nil {
		return nil
	}
	list, place := s.edges()
	p, err := decodeEdges(list, place, NodesOf(seen))
	if err == nil {
		_, err = Limit(p, seen, Limits{})
	}
	if err != nil || s.Sparseness == nil {
		return err
	}
	for _, o := range append([]OwnSparseness{{Z: s.Sparseness.Z}}, s.Sparseness.Own...) {
		if o.Z < 1 || o.Z > fmdp.MaxVariables {
			return strict.Invalid("/sparseness", "the degree of sparseness Z is %d; it must be from 1 to %d", o.Z, fmdp.MaxVariables)
		}
	}
	_, err = s.Sparseness.Each("/sparseness", &seen.Space)
	return err
}

// Rename returns the prior in which each variable has its new name. Where the function to returns "", the variable is gone, and
// its edges are, too.
func Rename(s *Stated, to func(name string) string) *Stated {
	if s == nil {
		return nil
	}
	c := &Stated{Edges: []Reason{}}
	if s.Sparseness != nil {
		var own []OwnSparseness
		for _, o := range s.Sparseness.Own {
			if o.Of = to(o.Of); o.Of != "" {
				own = append(own, o)
			}
		}
		if z, err := newSparseness(s.Sparseness.Z, own); err == nil { // else a variable has the name that stands for all
			c.Sparseness = &z
		}
	}
	for _, r := range s.Edges {
		var kept [][2]string
		for _, e := range r.Edges {
			if e[0] != Others {
				e[0] = to(e[0])
			}
			if e[1] = to(e[1]); e[0] != "" && e[1] != "" {
				kept = append(kept, e)
			}
		}
		if r.Edges = kept; kept != nil {
			c.Edges = append(c.Edges, r)
		}
	}
	return c
}

// Suggestion is an edge X → Y with its probability. An edge of probability 0 is forbidden, and one of probability 1 certain.
type Suggestion struct {
	X, Y int // behind the Y variables, Y counts the payoffs whose parents are hidden
	P    float64
	Why  string // one sentence, or ""
}

// Suggestions yields the edges of a prior over what agents see; none if s is nil. What stands for all other variables is an edge from each
// of them.
func Suggestions(s *Stated, seen *fmdp.Model) iter.Seq[Suggestion] {
	return func(yield func(Suggestion) bool) {
		if s == nil {
			return
		}
		nodes := NodesOf(seen)
		listed := make([]bigraph.Scope, nodes.Y())
		for _, r := range s.Edges {
			for _, e := range r.Edges {
				if i := seen.Lookup(e[0]); i >= 0 {
					j := nodes.Lookup(e[1])
					listed[j] = listed[j].With(i)
				}
			}
		}
		for _, r := range s.Edges {
			for _, e := range r.Edges {
				from, j := []int{seen.Lookup(e[0])}, nodes.Lookup(e[1])
				if from[0] < 0 {
					from = bigraph.First(seen.X()).Without(listed[j]).Parents()
				}
				for _, i := range from {
					if !yield(Suggestion{i, j, r.P, r.Why}) {
						return
					}
				}
			}
		}
	}
}

// PriorOf returns the G_0 that is stated of a problem, whose edges may also lead to the payoffs whose parents are hidden. The
// error is an *[strict.InvalidError].
func PriorOf(s *Stated, seen *fmdp.Model, bound bigraph.Bound) (*bigraph.Prior, error) {
	list, place := s.edges()
	p, err := decodeEdges(list, place, NodesOf(seen))
	if err != nil {
		return nil, err
	}
	if s.Sparseness == nil {
		return nil, strict.Invalid("/sparseness", missing, "sparseness")
	}
	each, err := s.Sparseness.Each("/sparseness", &seen.Space)
	if err != nil {
		return nil, err
	}
	return Limit(p, seen, Limits{s.Sparseness.Z, each, bound})
}

// Limits say which parent sets a prior considers.
type Limits struct {
	Sparseness int   // Z
	Each       []int // the Z of each Y variable; nil if all have the same
	Bound      bigraph.Bound
}

// Unscoped returns the payoffs whose scopes are hidden, by name.
func Unscoped(m *fmdp.Model) (names []string) {
	for _, r := range m.Reward {
		if r.Hidden {
			names = append(names, r.Name)
		}
	}
	return names
}

// NodesOf returns the [Nodes] of what agents see.
func NodesOf(seen *fmdp.Model) *fmdp.Space { return Nodes(&seen.Space, Unscoped(seen)...) }

// Limit makes a prior over nodes one over the variables that agents see and, in its Payoffs, over the payoffs whose scopes are
// hidden, with these limits. It is certain of the parents of each variable whose law agents are told. An edge from a payoff is an
// *[strict.InvalidError].
func Limit(p *bigraph.Prior, seen *fmdp.Model, limits Limits) (*bigraph.Prior, error) {
	if payoffs := Unscoped(seen); payoffs != nil {
		var from int
		if p, from = p.Split(seen.Y(), len(payoffs)); from >= 0 {
			return nil, strict.Invalid("/edges", "%q is a payoff; no edge starts from it", payoffs[from])
		}
	}
	p.Sparseness, p.Each, p.Bound, p.Trivial = limits.Sparseness, limits.Each, limits.Bound, seen.Trivial()
	if p.Payoffs != nil {
		p.Payoffs.Sparseness, p.Payoffs.Bound, p.Payoffs.Trivial = p.Sparseness, p.Bound, p.Trivial
	}
	for j := range seen.Transition {
		if !seen.Transition[j].Known {
			continue
		}
		if p.Each = slices.Clone(p.Each); p.Each == nil {
			p.Each = slices.Repeat([]int{p.Sparseness}, seen.Y())
		}
		p.Known, p.Forbidden = slices.Clone(p.Known), slices.Clone(p.Forbidden)
		p.Known[j] = seen.Transition[j].Scope()
		if p.Each[j] = p.Known[j].Len(); p.Bound == bigraph.Below {
			p.Each[j]++
		}
		if p.Forbidden != nil {
			p.Forbidden[j] = bigraph.Of()
		}
		p.Likely = slices.DeleteFunc(p.Likely, func(e bigraph.Edge) bool { return e.Y == j })
	}
	return p, nil
}
