package planning

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/internal/loops"
)

// Factored is an [Operator] that never forms the joint law. It eliminates the
// next-state variables one by one (sum-product) and keeps a table over the
// remaining variables Y and the scope in X of the eliminated ones. Its cost is
// proportional to the size of these tables.
type Factored struct {
	order  []int32   // for each entry of the first table, its index in what is averaged: that of its state
	first  []float64 // the first table: v in that order
	steps  []step
	tables [2][]float64 // the tables after the steps 0, 2, … and after the steps 1, 3, …
	last   []int32      // for each x, its entry in the last table
}

// step eliminates one Y variable. The table before the step has one block for each
// assignment of the scope so far. A block has size·rest entries; the variable to
// eliminate varies slowest.
type step struct {
	p      []float64
	size   int     // number of values of the variable
	rest   int     // number of entries of a block after the step
	source []int32 // for each assignment of the new scope, where its block starts in the table before
	row    []int32 // for each assignment of the new scope, where its row starts in p
}

// exhaustive is the largest number of Y variables for which the best order of
// elimination is searched. With more variables the order is greedy.
const exhaustive = 10

// newFactored returns the operator of a factored transition law that eliminates the
// variables in that order.
func newFactored(space *fmdp.Space, transition []fmdp.Factor, order []int) *Factored {
	f := &Factored{order: space.Project(order, bigraph.First(space.Y()).Parents(), 1)}
	f.eliminate(space, transition, bigraph.Of(), order)
	return f
}

// eliminate adds a step for each variable of the order. The first table has a block for each
// assignment of the scope.
func (f *Factored) eliminate(space *fmdp.Space, transition []fmdp.Factor, scope bigraph.Scope, order []int) {
	from, rest := space.Assignments(scope), 1
	for _, j := range order {
		rest *= space.State[j].Size
	}
	f.first = make([]float64, from.Len()*rest)
	var longest [2]int
	for k, j := range order {
		factor := &transition[j]
		before := rest
		rest /= factor.Size
		scope = scope.Union(factor.Scope())
		to := space.Assignments(scope)
		s := step{p: factor.P, size: factor.Size, rest: rest}
		s.source = to.Within(from, before)
		s.row = to.Rows(factor.Given, factor.Size)
		f.steps = append(f.steps, s)
		longest[k%2] = max(longest[k%2], len(s.source)*rest)
		from = to
	}
	for k, n := range longest {
		f.tables[k] = make([]float64, n)
	}
	f.last = from.Of()
}

// eliminationOrder returns an order of elimination and its cost in multiplications. Up
// to exhaustive variables the cost is the least; ties go to the lower variable first.
// The cost of eliminating Y_j depends only on the set of variables eliminated before,
// so a search over sets is exhaustive.
func eliminationOrder(space *fmdp.Space, transition []fmdp.Factor) ([]int, float64) {
	d := len(transition)
	if d > exhaustive {
		return greedyOrder(space, transition)
	}
	// For each set of eliminated variables, as bits: the number of entries that a block
	// still has, and the number of assignments of the union of the scopes.
	full := 1<<d - 1
	assignments := counting(space)
	rest, points := make([]float64, full+1), make([]float64, full+1)
	scopes := make([]bigraph.Scope, full+1)
	rest[0], points[0] = float64(space.States()), 1
	for done := 1; done <= full; done++ {
		j := bits.TrailingZeros(uint(done))
		before := done & (done - 1)
		rest[done] = rest[before] / float64(space.State[j].Size)
		scopes[done] = scopes[before].Union(transition[j].Scope())
		points[done] = points[before]
		if more := scopes[done].Without(scopes[before]); space.Legal != nil && !more.Empty() {
			points[done] = float64(assignments(scopes[done]))
			continue
		}
		for i := range scopes[done].Without(scopes[before]).All() {
			points[done] *= float64(space.Var(i).Size)
		}
	}
	best, pick := make([]float64, full+1), make([]int8, full+1)
	for done := full - 1; done >= 0; done-- {
		best[done] = math.Inf(1)
		for j := range d {
			if done>>j&1 == 1 {
				continue
			}
			after := done | 1<<j
			if c := rest[done]*points[after] + best[after]; c < best[done] {
				best[done], pick[done] = c, int8(j)
			}
		}
	}
	order := make([]int, 0, d)
	for done := 0; done != full; done |= 1 << order[len(order)-1] {
		order = append(order, int(pick[done]))
	}
	return order, best[0]
}

// counting returns a function that counts the assignments of a scope.
func counting(space *fmdp.Space) func(scope bigraph.Scope) int {
	if space.Legal == nil {
		return func(scope bigraph.Scope) int { return space.Rows(scope.Parents()) }
	}
	states, projections := bigraph.First(space.Y()), map[bigraph.Scope]int{}
	return func(scope bigraph.Scope) int {
		actions := scope.Without(states)
		n, counted := projections[actions]
		if !counted {
			n = space.Assignments(actions).Len()
			projections[actions] = n
		}
		return n * space.Rows(scope.Both(states).Parents())
	}
}

// greedyOrder eliminates the variable of least cost next, the lowest in a tie.
func greedyOrder(space *fmdp.Space, transition []fmdp.Factor) ([]int, float64) {
	return greedyOrderOf(space, transition, bigraph.Of(), bigraph.First(len(transition)))
}

// greedyOrderOf eliminates some variables Y from a table that has a block for each assignment of a
// scope in X.
func greedyOrderOf(space *fmdp.Space, transition []fmdp.Factor, scope, some bigraph.Scope) ([]int, float64) {
	order, left, total := make([]int, 0, some.Len()), some, 0.0
	assignments := counting(space)
	for !left.Empty() {
		least, at := math.Inf(1), -1
		for j := range left.All() {
			if c := stepCost(space, transition, scope, some, left, j, assignments); c < least || at < 0 {
				least, at = c, j
			}
		}
		order, left, total = append(order, at), left.Without(bigraph.Of(at)), total+least
	}
	return order, total
}

// stepCost returns the number of multiplications that eliminate Y_j of the variables that are left of
// those in some.
func stepCost(space *fmdp.Space, transition []fmdp.Factor, scope, some, left bigraph.Scope, j int, assignments func(bigraph.Scope) int) float64 {
	scope = scope.Union(transition[j].Scope())
	cost := 1.0
	for i := range some.All() {
		if left.Has(i) {
			cost *= float64(space.State[i].Size)
		} else {
			scope = scope.Union(transition[i].Scope())
		}
	}
	return cost * float64(assignments(scope))
}

// Apply implements [Operator]. Its cost does not depend on the number of points.
func (f *Factored) Apply(dst, v []float64, points []int32) {
	before := f.average(v)
	for i, x := range points {
		dst[i] = before[f.last[x]]
	}
}

// average returns the last table, of the expectations of v.
func (f *Factored) average(v []float64) []float64 {
	for i, s := range f.order {
		f.first[i] = v[s]
	}
	before := f.first
	for k := range f.steps {
		s := &f.steps[k]
		after := f.tables[k%2][:len(s.source)*s.rest]
		s.eliminate(after, before)
		before = after
	}
	return before
}

// eliminate sums the slowest variable of every block out of before:
// after[u, r] = Σ_v p[row(u), v] · before[source(u), v, r], v ascending.
func (s *step) eliminate(after, before []float64) {
	if s.size == 2 { // the common case
		loops.Halve(after, before, s.p, s.source, s.row)
		return
	}
	for u, source := range s.source {
		p := s.p[s.row[u]:][:s.size]
		block := before[source:]
		out := after[u*s.rest:][:s.rest]
		for r := range out {
			out[r] = float64(p[0] * block[r])
		}
		for v := 1; v < s.size; v++ {
			q, in := p[v], block[v*s.rest:][:s.rest]
			for r := range out {
				out[r] += float64(q * in[r])
			}
		}
	}
}

// DenseAdvantage is the number of multiplications that Dense does in the time of one
// multiplication of Factored.
const DenseAdvantage = 4

// TooCostlyError says that one backup by elimination would take more multiplications than a limit.
type TooCostlyError struct{ Cost, Limit float64 }

func (e *TooCostlyError) Error() string {
	return fmt.Sprintf("planning would take %.2g multiplications a step, more than %.0f; fewer or smaller state variables, or fewer parents, would do", e.Cost, e.Limit)
}

// MaxCost is the largest number of multiplications allowed in one elimination of a backup.
// The tables have at most half as many entries.
const MaxCost = 1 << 26

// Choose returns the cheaper operator for a factored law: Factored, or Dense over joint,
// the table of length S·A·S that [fmdp.Joint] filled. If joint is nil, the operator is
// Factored or, where that costs more than MaxCost, one that eliminates action by action. If
// that costs too much as well, the error is a *[TooCostlyError].
func Choose(space *fmdp.Space, transition []fmdp.Factor, joint []float64) (Operator, error) {
	return NewChooser(space).Choose(transition, joint)
}

// Chooser is [Choose] for one law after another. It seeks an order of elimination only if the graph is not that of the last law.
type Chooser struct {
	space *fmdp.Space
	graph bigraph.Bigraph // of the last law
	order []int           // for it
	cost  float64         // of that order
}

// NewChooser returns a chooser for laws over a space.
func NewChooser(space *fmdp.Space) *Chooser { return &Chooser{space: space} }

// Choose is the function Choose.
func (c *Chooser) Choose(transition []fmdp.Factor, joint []float64) (Operator, error) {
	if !slices.EqualFunc(c.graph, transition, func(z bigraph.Scope, f fmdp.Factor) bool { return z == f.Scope() }) {
		c.graph = c.graph[:0]
		for j := range transition {
			c.graph = append(c.graph, transition[j].Scope())
		}
		c.order, c.cost = eliminationOrder(c.space, transition)
	}
	switch {
	case joint != nil && c.cost*DenseAdvantage >= float64(c.space.Joint()):
		return NewDense(joint), nil
	case c.cost > MaxCost:
		return newByAction(c.space, transition)
	}
	return newFactored(c.space, transition, c.order), nil
}
