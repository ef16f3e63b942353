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
// model's law and joint. The MDP may keep joint. The error is that of [fmdp.Model.CheckListed] or of Choose.
func FromModel(m *fmdp.Model, joint []float64) (*MDP, error) {
	if err := m.CheckListed(); err != nil {
		return nil, err
	}
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
		Reward: reward, Next: next, Ended: m.Ended(), Legal: m.LegalPoints(),
	}, nil
}

// Rewards is [Reward], unless payoffs on arrival cost too much to average. Then the error is a
// *[TooCostlyError].
func Rewards(m *fmdp.Model) ([]float64, error) {
	if err := CheckPayoffs(&m.Space, m.Reward, m.Transition); err != nil {
		return nil, err
	}
	return Reward(m), nil
}

// CheckPayoffs returns the first error of [CheckPayoff] of a list of reward factors.
func CheckPayoffs(space *fmdp.Space, rewards []fmdp.Reward, transition []fmdp.Factor) error {
	for f := range rewards {
		if err := CheckPayoff(space, rewards[f].Given, transition); err != nil {
			return err
		}
	}
	return nil
}

// CheckPayoff returns a *[TooCostlyError] if averaging a reward factor over that law takes more than
// MaxCost multiplications.
func CheckPayoff(space *fmdp.Space, given []int, transition []fmdp.Factor) error {
	if next, scope := arrival(space, given); !next.Empty() && transition != nil {
		if _, cost := greedyOrderOf(space, transition, scope, next); cost > MaxCost {
			return &TooCostlyError{cost, MaxCost}
		}
	}
	return nil
}

// Reward returns R(x), the expected payoff at every x. It adds the factors in their order.
func Reward(m *fmdp.Model) []float64 {
	reward := make([]float64, m.Points())
	Pay(reward, &m.Space, m.Reward, Law{Transition: m.Transition})
	return reward
}

// Pay adds the expected payoffs of reward factors to dst, for every x, factor by factor.
func Pay(dst []float64, space *fmdp.Space, rewards []fmdp.Reward, law Law) {
	for f := range rewards {
		r := &rewards[f]
		AddPayoffs(dst, space, r.Given, r.Mean, r.Scale, law)
	}
}

// AddPayoffs adds the expected payoffs of a reward factor with those means to dst, for every x. A
// factor that is given variables of the next state is averaged over their law.
func AddPayoffs(dst []float64, space *fmdp.Space, given []int, means []float64, scale float64, law Law) {
	next, scope := arrival(space, given)
	switch {
	case next.Empty():
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

// arrival splits the given variables of a reward factor into those of the next state, and the others.
func arrival(space *fmdp.Space, given []int) (next, scope bigraph.Scope) {
	for _, i := range given {
		if i >= space.X() {
			next = next.With(i - space.X())
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
	if cost > MaxCost {
		_, _, cost = actionLaws(space, transition)
	}
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
		if next, scope := arrival(&m.Space, m.Reward[f].Given); !next.Empty() {
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
			return nil, &TooCostlyError{cost, MaxCost}
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

// Lump returns the MDP of those who see only the class of a state. The states of a class differ in noise:
// as often as the process enters the class, it is in each of them with its weight, whatever happened before.
// The classes are 0, 1, … and have equally many states, which all are ends or none is. The
// MDP keeps both arguments and the law of m.
func (m *MDP) Lump(class []int32, weights []float64) *MDP {
	classes := int(slices.Max(class)) + 1
	each := m.States / classes
	next := &lumped{
		of: m.Next, class: class, weights: weights, actions: m.Actions, each: each, states: make([]int32, m.States),
		v: make([]float64, m.States), points: make([]int32, len(m.Reward)), expected: make([]float64, len(m.Reward)),
	}
	filled := make([]int, classes)
	for s, c := range class {
		next.states[int(c)*each+filled[c]] = int32(s)
		filled[c]++
	}
	lump := &MDP{States: classes, Actions: m.Actions, Horizon: m.Horizon, Reward: make([]float64, classes*m.Actions), Next: next}
	for x := range lump.Reward {
		for _, s := range next.members(x / m.Actions) {
			lump.Reward[x] += float64(weights[s] * m.Reward[int(s)*m.Actions+x%m.Actions])
		}
	}
	if m.Legal != nil { // equally in all states of a class, which agents cannot tell apart
		lump.Legal = make([]bool, len(lump.Reward))
		for s, c := range class {
			copy(lump.Legal[int(c)*m.Actions:][:m.Actions], m.Legal[s*m.Actions:])
		}
	}
	if m.Ended != nil {
		lump.Ended = make([]uint8, classes)
		for s, c := range class {
			lump.Ended[c] = m.Ended[s]
		}
	}
	return lump
}

// lumped is the [Operator] of classes of states.
type lumped struct {
	of       Operator // of the states
	class    []int32
	weights  []float64
	actions  int
	each     int     // the number of states of a class
	states   []int32 // by class, ascending
	v        []float64
	points   []int32
	expected []float64
}

// members returns the states of a class.
func (l *lumped) members(class int) []int32 { return l.states[class*l.each:][:l.each] }

// Apply implements [Operator]. It adds the states of a class in ascending order.
func (l *lumped) Apply(dst, v []float64, points []int32) {
	for s, c := range l.class {
		l.v[s] = v[c]
	}
	wide := l.points[:0]
	for _, x := range points {
		for _, s := range l.members(int(x) / l.actions) {
			wide = append(wide, s*int32(l.actions)+x%int32(l.actions))
		}
	}
	expected := l.expected[:len(wide)]
	l.of.Apply(expected, l.v, wide)
	for i := range points {
		dst[i] = 0
		for k, e := range expected[i*l.each:][:l.each] {
			dst[i] += float64(l.weights[int(wide[i*l.each+k])/l.actions] * e)
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
