package planning

import (
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Law is the law of the next state given x: factored, or joint. If both are there, Joint is the
// table of Transition.
type Law struct {
	Transition []fmdp.Factor // nil if it has no factors
	Joint      []float64     // p(y|x), row-major; nil if it is not tabulated
}

// FromModel returns the MDP of a model, with the operator that [Choose] returns for the
// model's law and joint. The MDP may keep joint. The error is that of Choose.
func FromModel(m *fmdp.Model, joint []float64) (*MDP, error) {
	next, err := Choose(&m.Space, m.Transition, joint)
	if err != nil {
		return nil, err
	}
	reward, err := Rewards(m)
	if err != nil {
		return nil, err
	}
	return &MDP{
		States: m.States(), Actions: m.Actions(), Horizon: m.Horizon,
		Reward: reward, Next: next, Ended: m.Ended(),
	}, nil
}

// Rewards is [Reward], unless payoffs on arrival cost too much to average. Then the error is a
// *[TooCostlyError].
func Rewards(m *fmdp.Model) ([]float64, error) {
	for f := range m.Reward {
		if err := CheckPayoff(&m.Space, m.Reward[f].Given, m.Transition); err != nil {
			return nil, err
		}
	}
	return Reward(m), nil
}

// CheckPayoff returns a *[TooCostlyError] if averaging a reward factor over that law takes more than
// MaxCost multiplications.
func CheckPayoff(space *fmdp.Space, given []int, transition []fmdp.Factor) error {
	if next, scope := arrival(space, given); next != 0 && transition != nil {
		if _, cost := greedyOrderOf(space, transition, scope, next); cost > MaxCost {
			return &TooCostlyError{cost}
		}
	}
	return nil
}

// Reward returns R(x), the expected payoff at every x. It adds the factors in their order.
func Reward(m *fmdp.Model) []float64 {
	reward := make([]float64, m.Points())
	for f := range m.Reward {
		r := &m.Reward[f]
		AddPayoffs(reward, &m.Space, r.Given, r.Mean, r.Scale, Law{Transition: m.Transition})
	}
	return reward
}

// AddPayoffs adds the expected payoffs of a reward factor with those means to dst, for every x. A
// factor that is given variables of the next state is averaged over their law.
func AddPayoffs(dst []float64, space *fmdp.Space, given []int, means []float64, scale float64, law Law) {
	next, scope := arrival(space, given)
	switch {
	case next == 0:
		space.AddPayoffs(dst, given, means, scale)
	case law.Transition != nil:
		order, _ := greedyOrderOf(space, law.Transition, scope, next)
		f := expectation(space, law.Transition, given, scope, order)
		last := f.average(means)
		for x, row := range f.last {
			dst[x] += float64(scale * last[row])
		}
	default:
		addJoint(dst, space, given, means, scale, law.Joint)
	}
}

// arrival splits the given variables of a reward factor into those of the next state, as bits, and
// the others.
func arrival(space *fmdp.Space, given []int) (next uint64, scope bigraph.Scope) {
	for _, i := range given {
		if i >= space.X() {
			next |= 1 << (i - space.X())
		} else {
			scope = scope.With(i)
		}
	}
	return next, scope
}

// expectation returns the elimination of the next-state variables out of a table over the given
// ones.
func expectation(space *fmdp.Space, transition []fmdp.Factor, given []int, scope bigraph.Scope, order []int) *Factored {
	f := &Factored{}
	f.eliminate(space, transition, scope, order)
	// The first table is over the scope, then the variables of the next state in their order.
	blocks := space.Assignments(scope).Rows(given, 1)
	next := make([]int, len(order))
	for k, j := range order {
		next[k] = space.X() + j
	}
	within := space.Project(next, given, 1)
	f.order = make([]int32, 0, len(blocks)*len(within))
	for _, block := range blocks {
		for _, row := range within {
			f.order = append(f.order, block+row)
		}
	}
	return f
}

// addJoint is AddPayoffs by a dense law: for each assignment of the given variables of x, the
// payoffs are a function of the next state.
func addJoint(dst []float64, space *fmdp.Space, given []int, means []float64, scale float64, joint []float64) {
	points := make(map[int32][]int32) // by the part of the row that the point selects
	var parts []int32
	for x, row := range space.RowOf(given) {
		if points[row] == nil {
			parts = append(parts, row)
		}
		points[row] = append(points[row], int32(x))
	}
	slices.Sort(parts)
	all := make([]int, space.Y())
	for j := range all {
		all[j] = space.X() + j
	}
	rowOf := space.Project(all, given, 1)
	next := NewDense(joint)
	v, expected := make([]float64, space.States()), make([]float64, space.Points())
	for _, part := range parts {
		for y, row := range rowOf {
			v[y] = means[part+row]
		}
		next.Apply(expected, v, points[part])
		for i, x := range points[part] {
			dst[x] += float64(scale * expected[i])
		}
	}
}

// Cost returns the cost of one backup of every point with the operator that Choose
// returns, in multiplications of Factored.
func Cost(space *fmdp.Space, transition []fmdp.Factor) float64 {
	_, cost := eliminationOrder(space, transition)
	if joint := space.Joint(); joint <= fmdp.MaxJoint {
		cost = min(cost, float64(joint)/DenseAdvantage)
	}
	return cost
}

// PayoffCost returns the cost of averaging the reward factors that are paid on arrival, in
// multiplications of Factored.
func PayoffCost(m *fmdp.Model) float64 {
	total := 0.0
	for f := range m.Reward {
		if next, scope := arrival(&m.Space, m.Reward[f].Given); next != 0 {
			_, cost := greedyOrderOf(&m.Space, m.Transition, scope, next)
			total += cost
		}
	}
	return total
}

// Averaged is the [Operator] of a law that depends on a hidden cause, which is drawn anew at each
// step: the average of the laws given the cause.
type Averaged struct {
	given   []Operator
	weights []float64 // the probability of each value of the cause
	one     []float64
}

// NewAveraged returns the operator of laws over the same space with those probabilities. The error is
// that of [Choose].
func NewAveraged(space *fmdp.Space, laws [][]fmdp.Factor, weights []float64) (*Averaged, error) {
	a := &Averaged{weights: weights, one: make([]float64, space.Points())}
	cost := 0.0
	for _, law := range laws {
		_, each := eliminationOrder(space, law)
		if cost += each; cost > MaxCost {
			return nil, &TooCostlyError{cost}
		}

		next, err := Choose(space, law, nil)
		if err != nil {
			return nil, err
		}
		a.given = append(a.given, next)
	}
	return a, nil
}

// Apply implements [Operator]. It adds the laws in their order.
func (a *Averaged) Apply(dst, v []float64, points []int32) {
	clear(dst[:len(points)])
	one := a.one[:len(points)]
	for k, next := range a.given {
		next.Apply(one, v, points)
		for i, value := range one {
			dst[i] += float64(a.weights[k] * value)
		}
	}
}

// Spread returns the policy on states each of which stands for n states of a larger model, which
// follow each other: in all of them it plays the same action.
func (p *Policy) Spread(n int) *Policy {
	wide := &Policy{horizon: p.horizon}
	for _, rule := range p.bytes {
		wide.bytes = append(wide.bytes, spread(rule, n))
	}
	for _, rule := range p.words {
		wide.words = append(wide.words, spread(rule, n))
	}
	return wide
}

func spread[T any](rule []T, n int) []T {
	wide := make([]T, 0, n*len(rule))
	for _, a := range rule {
		for range n {
			wide = append(wide, a)
		}
	}
	return wide
}
