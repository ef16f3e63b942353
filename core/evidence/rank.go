package evidence

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"cpsrl/core/bigraph"
	"cpsrl/core/cells"
	"cpsrl/core/document"
	"cpsrl/core/format"
)

// An edge whose probability is from LeastTrust to MostTrust is uncertain. MostTrust is also how far a prior trusts what was learned,
// unless something else is said.
const (
	LeastTrust = 0.01
	MostTrust  = 0.99
)

// Rank returns edges in the order of a reader: the uncertain ones, then the certain ones, then those
// that are all but excluded, each with the most probable first. Ties keep their order.
func Rank(edges []document.RankedEdge) (uncertain, certain, excluded []document.RankedEdge) {
	order := slices.Clone(edges)
	slices.SortStableFunc(order, func(a, b document.RankedEdge) int { return cmp.Compare(b.P, a.P) })
	for _, e := range order {
		switch {
		case e.P > MostTrust:
			certain = append(certain, e)
		case e.P < LeastTrust:
			excluded = append(excluded, e)
		default:
			uncertain = append(uncertain, e)
		}
	}
	return uncertain, certain, excluded
}

// Edges returns every edge from a variable with more than one value, by Y variable, then X variable.
func (a *Answer) Edges() []document.RankedEdge {
	edges, trivial := []document.RankedEdge{}, a.Space.Trivial()
	for j, v := range a.Space.State {
		for i, p := range a.Beliefs[j].Edges {
			if !trivial.Has(i) {
				edges = append(edges, document.RankedEdge{From: a.Space.Var(i).Name, To: v.Name, P: p})
			}
		}
	}
	return edges
}

// CSV returns the edges as a table in the order of [Rank], with the columns from, to and p and, if a true
// graph is given, true. It reads back as a prior: only 0 and 1 themselves, which are edges that no or
// every candidate set has, are written as such.
func (a *Answer) CSV(truth bigraph.Bigraph) []byte {
	uncertain, certain, excluded := Rank(a.Edges())
	header := "from,to,p"
	if truth != nil {
		header += ",true"
	}
	table := &cells.Table{Bytes: []byte(header + "\n")}
	for _, e := range slices.Concat(uncertain, certain, excluded) {
		i, j := a.Space.Lookup(e.From), a.Space.Lookup(e.To)
		p := e.P
		if in, of := held(a.Beliefs[j].Sets, i); in > 0 && in < of {
			p = min(max(p, document.LeastLikely), document.MostLikely)
		}
		table.Text(e.From, e.To, strconv.FormatFloat(p, 'f', -1, 64))
		if truth != nil {
			table.Text(strconv.FormatBool(truth[j].Has(i)))
		}
		table.End()
	}
	return table.Bytes
}

// held returns how many of the sets have the variable, and how many there are.
func held(sets []bigraph.Scope, i int) (in, of int) {
	for _, z := range sets {
		if z.Has(i) {
			in++
		}
	}
	return in, len(sets)
}

// Stated returns the probabilities of edges as a prior with the Z and the laws of the one that was weighed, as [Trusted] does.
func (a *Answer) Stated(trust float64) *document.PriorFile {
	edges := make([][]float64, len(a.Beliefs))
	for j := range a.Beliefs {
		edges[j] = a.Beliefs[j].Edges
	}
	return Trusted(a.PriorFile, edges, trust)
}

// Trusted returns a prior with the Z and the laws of another that states what was learned of edges: their probabilities, by Y
// variable, then X variable, each with 4 decimals and from 1 − trust to trust. The trust, from 0.5 to less than 1, discounts what
// was learned; with 0.5 nothing of it is left. Edges from variables with one value are unknown.
func Trusted(of *document.PriorFile, edges [][]float64, trust float64) *document.PriorFile {
	space, from := of.Space, of.Prior
	p := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Sparseness: from.Sparseness, Each: from.Each, Bound: from.Bound, Trivial: space.Trivial()}
	least := math.Round((1-trust)*1e6) / 1e6 // as a person writes it
	for j := range space.State {
		for i, q := range edges[j] {
			q = min(max(math.Round(q*1e4)/1e4, least), trust)
			if !p.Trivial.Has(i) && q != 0.5 {
				p.Likely = append(p.Likely, bigraph.Edge{X: i, Y: j, P: q})
			}
		}
	}
	stated := *of
	stated.Prior = p
	return &stated
}

// DOT returns the probabilities of edges as a graph, with 3 decimals: an edge that rounds to 1 is known, and one
// below LeastTrust is left out, as are edges from variables with one value.
func (a *Answer) DOT() string {
	p := &bigraph.Prior{X: a.Space.X(), Known: make(bigraph.Bigraph, a.Space.Y())}
	for j := range a.Space.State {
		for i, q := range a.Beliefs[j].Edges {
			switch q3 := math.Round(q*1e3) / 1e3; {
			case a.Space.Trivial().Has(i) || q < LeastTrust:
			case q3 == 1:
				p.Known[j] = p.Known[j].With(i)
			default:
				p.Likely = append(p.Likely, bigraph.Edge{X: i, Y: j, P: q3})
			}
		}
	}
	return (&format.Graph{Space: a.Space, Prior: p}).DOT()
}
