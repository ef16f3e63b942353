package bigraph

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// MaxSets is the largest |𝒵_j| that Enumerate lists.
const MaxSets = 1 << 16

// Bound says whether a parent set may have Z variables or only fewer.
type Bound int

const (
	// AtMost reads |z_j| ≤ Z, as the definition of Z-sparse, Theorem 1's count
	// and the appendix do.
	AtMost Bound = iota
	// Below reads |z_j| < Z, as line 2 of Algorithm 1 prints.
	Below
)

// bounds are the words of the bounds in specs, flags and queries.
var bounds = []string{AtMost: "at-most", Below: "below"}

// Bounds returns the words of all bounds, the default first.
func Bounds() []string { return slices.Clone(bounds) }

// String returns the word for the bound.
func (b Bound) String() string { return bounds[b] }

// BoundOf returns the bound of a word, and whether the word is known.
func BoundOf(word string) (bound Bound, known bool) {
	k := slices.Index(bounds, word)
	return Bound(k), k >= 0
}

// Prior is a partial causal graph G_0 with a degree of sparseness: what is
// known of the true graph before the first episode. An edge is known, forbidden, likely
// with a probability, or unknown. No edge is in two of Known, Forbidden and Likely.
type Prior struct {
	X          int     // d_X, at most MaxX
	Known      Bigraph // z_0, one scope for each Y variable
	Forbidden  Bigraph // the edges that do not exist; nil if no edge is forbidden
	Likely     []Edge  // the edges with probabilities, by Y, then X
	Sparseness int     // Z; a value above d_X sets no limit
	Each       []int   // the Z of each Y variable; if nil, it is Sparseness for all
	Bound      Bound
	// Payoffs is the prior of the payoffs whose parents are to be learned: further right-hand nodes, with
	// the same limits. It is nil if there are none.
	Payoffs *Prior
	// Trivial holds the variables with one value. They count in 𝒵_j like any
	// other, but carry no information: Degree ignores them.
	Trivial Scope
}

// Edge is an edge X → Y with a prior probability P between 0 and 1. The prior probability
// of a parent set z ∈ 𝒵_j is proportional to the product of P over the edges from z and
// 1 − P over the other edges into Y_j; an unknown edge has P = ½.
type Edge struct {
	X, Y int
	P    float64
}

// Certain reports whether every edge is known, forbidden or unknown.
func (p *Prior) Certain() bool { return len(p.Likely) == 0 }

// Of returns a prior with the limits of p in which these edges are known and all others
// unknown.
func (p *Prior) Of(known Bigraph) *Prior {
	return &Prior{X: p.X, Known: known, Sparseness: p.Sparseness, Each: p.Each, Bound: p.Bound, Trivial: p.Trivial, Payoffs: p.Payoffs}
}

// Telling returns the prior without the variables that have one value as parents: the prior
// over what data can tell. Without such a variable it is p itself.
func (p *Prior) Telling() *Prior {
	if p.Trivial.Empty() {
		return p
	}
	q := *p
	q.Known, q.Forbidden = make(Bigraph, len(p.Known)), make(Bigraph, len(p.Known))
	for j, z := range p.Known {
		q.Known[j], q.Forbidden[j] = z.Without(p.Trivial), p.Trivial
		if p.Forbidden != nil {
			q.Forbidden[j] = q.Forbidden[j].Union(p.Forbidden[j])
		}
	}
	q.Likely = slices.DeleteFunc(slices.Clone(p.Likely), func(e Edge) bool { return p.Trivial.Has(e.X) })
	return &q
}

// Stated returns the graph of the known edges and the edges with a probability above ½.
func (p *Prior) Stated() Bigraph {
	g := slices.Clone(p.Known)
	for _, e := range p.Likely {
		if e.P > 0.5 {
			g[e.Y] = g[e.Y].With(e.X)
		}
	}
	return g
}

// Split splits a prior whose right-hand nodes are y variables and then n payoffs. Among its X, the payoffs stand behind these
// variables, too, and are no parents: if an edge starts from one, from is its number, and else −1. The prior q is that of
// the variables, with the one of the payoffs.
func (p *Prior) Split(y, n int) (q *Prior, from int) {
	if len(p.Known) == y { // nothing is said of payoffs
		return &Prior{X: p.X, Known: p.Known, Forbidden: p.Forbidden, Likely: p.Likely, Payoffs: &Prior{X: p.X, Known: make(Bigraph, n)}}, -1
	}
	x := p.X - n
	q, from = &Prior{X: x, Known: make(Bigraph, y), Payoffs: &Prior{X: x, Known: make(Bigraph, n)}}, -1
	index := func(i int) int {
		if i >= y && i < y+n {
			from = i - y
		}
		if i >= y+n {
			i -= n
		}
		return i
	}
	at := func(j int) (*Prior, int) {
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
			of.Forbidden = make(Bigraph, len(of.Known))
		}
		for i := range p.Forbidden[j].All() {
			if i < y || i >= y+n { // what forbids all edges forbids those from payoffs, too
				of.Forbidden[k] = of.Forbidden[k].With(index(i))
			}
		}
	}
	for _, e := range p.Likely {
		of, k := at(e.Y)
		of.Likely = append(of.Likely, Edge{X: index(e.X), Y: k, P: e.P})
	}
	return q, from
}

// free returns the variables that are neither known nor forbidden as parents of Y_j.
func (p *Prior) free(j int) Scope {
	z := First(p.X).Without(p.Known[j])
	if p.Forbidden != nil {
		z = z.Without(p.Forbidden[j])
	}
	return z
}

// LogWeights returns the logarithm of the prior probability of each of the sets, up to a
// constant: the sum over the likely edges into Y_j, by X, of ln P or ln(1 − P). Without
// such an edge the sets are equally likely and the result is nil.
func (p *Prior) LogWeights(j int, sets []Scope) []float64 {
	var weights []float64
	for _, e := range p.Likely {
		if e.Y != j {
			continue
		}
		if weights == nil {
			weights = make([]float64, len(sets))
		}
		in, out := math.Log(e.P), math.Log(1-e.P)
		for k, z := range sets {
			if z.Has(e.X) {
				weights[k] += in
			} else {
				weights[k] += out
			}
		}
	}
	return weights
}

// Z returns the degree of sparseness of Y_j.
func (p *Prior) Z(j int) int {
	if p.Each != nil {
		return p.Each[j]
	}
	return p.Sparseness
}

// MostZ returns the largest degree of sparseness of a Y variable.
func (p *Prior) MostZ() int {
	if p.Each != nil {
		return slices.Max(p.Each)
	}
	return p.Sparseness
}

// MostParents returns the largest |z_j| that Z, the bound and d_X allow.
func (p *Prior) MostParents(j int) int {
	z := p.Z(j)
	if p.Bound == Below {
		z--
	}
	return min(z, p.X)
}

// InconsistentError says that no parent set of Y_j is consistent with the prior:
// it has more known parents than a set may have.
type InconsistentError struct {
	Y     int // j
	Known int // |z_0,j|
	Most  int // the largest |z_j| allowed
}

func (e *InconsistentError) Error() string {
	return fmt.Sprintf("Y_%d has %d known parents, but a parent set may have %d at most", e.Y, e.Known, e.Most)
}

// Check returns an *[InconsistentError] for the first Y variable without a consistent
// parent set, or nil if there is a consistent factorization. It panics if a known edge
// leaves a variable that is not in X.
func (p *Prior) Check() error {
	for j, z := range p.Known {
		if !First(p.X).Contains(z) {
			panic("bigraph: known edge from outside X")
		}
		if z.Len() > p.MostParents(j) {
			return &InconsistentError{j, z.Len(), p.MostParents(j)}
		}
	}
	return nil
}

// Degree returns η, the degree of prior knowledge: the least number of known
// parents over the Y variables. Variables with one value count neither as
// child nor as parent. If every variable has one value, η is 0.
func (p *Prior) Degree() int {
	eta, seen := 0, false
	for j, z := range p.Known {
		if p.Trivial.Has(j) {
			continue
		}
		if n := z.Without(p.Trivial).Len(); !seen || n < eta {
			eta, seen = n, true
		}
	}
	return eta
}

// Count returns |𝒵_j| = Σ_{i=0}^{m−|z_0,j|} C(n, i) in closed form, where m is
// MostParents(j) and n the number of variables that are neither known nor forbidden as
// parents: d_X−|z_0,j| if none is forbidden.
func (p *Prior) Count(j int) *big.Int {
	known, free := p.Known[j].Len(), p.free(j).Len()
	sum, term := new(big.Int), new(big.Int)
	for i := 0; i <= p.MostParents(j)-known; i++ {
		sum.Add(sum, term.Binomial(int64(free), int64(i)))
	}
	return sum
}

// CountParents returns Σ |z| over the sets z of 𝒵_j.
func (p *Prior) CountParents(j int) *big.Int {
	known, free := p.Known[j].Len(), p.free(j).Len()
	sum, term := new(big.Int), new(big.Int)
	for i := 0; i <= p.MostParents(j)-known; i++ {
		term.Binomial(int64(free), int64(i))
		sum.Add(sum, term.Mul(term, big.NewInt(int64(known+i))))
	}
	return sum
}

// CountAll returns |𝒵| = ∏_j |𝒵_j|.
func (p *Prior) CountAll() *big.Int {
	product := big.NewInt(1)
	for j := range p.Known {
		product.Mul(product, p.Count(j))
	}
	return product
}

// TooManyError says that 𝒵_j is too large to list.
type TooManyError struct {
	Y     int
	Count *big.Int
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("%v consistent parent sets, more than the %d that can be listed", e.Count, MaxSets)
}

// Enumerate lists 𝒵_j: the sets of at most MostParents(j) variables that contain z_0,j
// and no forbidden parent. Smaller sets come first; sets of one size are in
// lexicographic order of their added parents. If there are more than MaxSets, the error
// is a *[TooManyError].
func (p *Prior) Enumerate(j int) ([]Scope, error) {
	count := p.Count(j)
	if !count.IsInt64() || count.Int64() > MaxSets {
		return nil, &TooManyError{Y: j, Count: count}
	}
	known := p.Known[j]
	free := p.free(j).Parents()
	sets := make([]Scope, 0, count.Int64())
	for size := range min(p.MostParents(j)-known.Len(), len(free)) + 1 {
		chosen := make([]int, size)
		for g := combin.NewCombinationGenerator(len(free), size); g.Next(); {
			z := known
			for _, k := range g.Combination(chosen) {
				z = z.With(free[k])
			}
			sets = append(sets, z)
		}
	}
	return sets, nil
}

// Lists lists 𝒵_j of several variables. Variables of which the prior says the same have one list together, so that the lists of
// many variables of which nothing is known take the memory of one. Nobody may change a list.
type Lists struct {
	prior *Prior
	made  map[kind][]Scope
}

// kind is what 𝒵_j depends on.
type kind struct {
	known, forbidden Scope
	most             int
}

// NewLists returns the lists of a prior, none of which is made yet.
func NewLists(p *Prior) *Lists { return &Lists{p, map[kind][]Scope{}} }

// Of returns 𝒵_j, as [Prior.Enumerate] does.
func (l *Lists) Of(j int) ([]Scope, error) {
	of := kind{known: l.prior.Known[j], most: l.prior.MostParents(j)}
	if l.prior.Forbidden != nil {
		of.forbidden = l.prior.Forbidden[j]
	}
	if sets, has := l.made[of]; has {
		return sets, nil
	}
	sets, err := l.prior.Enumerate(j)
	if err == nil {
		l.made[of] = sets
	}
	return sets, err
}

// Scores compares a sampled graph with the true one, over the edges between
// variables that have more than one value.
type Scores struct {
	Superset  bool    `json:"superset"`  // truth ⊆ sampled
	Recall    float64 `json:"recall"`    // true edges found / true edges; 1 if there are none
	Precision float64 `json:"precision"` // true edges found / edges sampled; 1 if there are none
	Parents   float64 `json:"parents"`   // mean |z_j| over the Y variables that count
}

// Compare scores sampled against truth without the variables in trivial.
func Compare(sampled, truth Bigraph, trivial Scope) Scores {
	var found, want, have, children int
	for j := range truth {
		if trivial.Has(j) {
			continue
		}
		children++
		s, t := sampled[j].Without(trivial), truth[j].Without(trivial)
		found += s.Both(t).Len()
		want += t.Len()
		have += s.Len()
	}
	scores := Scores{Superset: found == want, Recall: 1, Precision: 1}
	if want > 0 {
		scores.Recall = float64(found) / float64(want)
	}
	if have > 0 {
		scores.Precision = float64(found) / float64(have)
	}
	if children > 0 {
		scores.Parents = float64(have) / float64(children)
	}
	return scores
}
