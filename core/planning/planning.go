// Package planning solves finite-horizon Markov decision processes exactly: the
// policy of line 6 of Algorithm 1 and the values in the regret.
//
// States are 0 … S−1, actions 0 … A−1, a point is x = s·A + a. A policy is
// non-stationary and is kept by the number of steps to go, m = H−h+1: both
// backward induction and evaluation proceed in that order.
//
// # Stopping early
//
// Let V_m be the value with m steps to go, D = V_{m+1} − V_m, and lo and hi the
// least and the largest entry of D. Both the Bellman operator T and the operator
// T_μ of a fixed rule μ are monotone and satisfy T(V+c) = T V + c. So
// V_m + lo ≤ V_{m+1} ≤ V_m + hi gives, applying T n times more,
//
//	V_{m+1} + n·lo ≤ V_{m+1+n} ≤ V_{m+1} + n·hi.
//
// With n steps remaining and n·(hi−lo) ≤ Tolerance, V_{m+1} + n·(lo+hi)/2 is
// therefore within n·(hi−lo)/2 of V_{m+1+n}. And the rule μ that is greedy for
// V_m has T_μ V_m = V_{m+1} ≥ V_m + lo, hence T_μ^{n+1} V_m ≥ V_{m+1} + n·lo:
// followed for all the remaining steps it is within n·(hi−lo) of the optimum.
// In a periodic model hi−lo need not shrink, and the recursion then runs to its
// end.
//
// Where an episode ends, V is 0 at every step. T then is the operator of the textbook in all other
// states and 0 in those, and T(V+c) = TV + c·P(Y has not ended | x): between T V and T V + c, for c of
// either sign. D is 0 at the ends, so lo ≤ 0 ≤ hi, and monotony gives T V_m + lo ≤ T(V_m + lo) ≤
// T V_{m+1} ≤ T(V_m + hi) ≤ T V_m + hi: all that is said above holds, except that the ends stay at 0
// and n·(lo+hi)/2 is not added there. The same bounds hold for an operator that is 0 in some rows, as
// in the next section, whose difference of expectations lies between min(lo, 0) = lo and hi.
//
// # Passing over actions
//
// Let q_m(x) = R(x) + E[V_{m−1}(Y) | x], so that V_m(s) is the largest q_m(x) of the
// points x of s. An expectation lies between the least and the largest of what it is
// taken over, so with lo and hi the least and the largest entry of V_m − V_{m−1},
//
//	q_m(x) + lo ≤ q_{m+1}(x) ≤ q_m(x) + hi, and so V_m(s) + lo ≤ V_{m+1}(s).
//
// Suppose that b(x) ≥ q_m(x). If b(x) + hi < V_m(s) + lo then q_{m+1}(x) < V_{m+1}(s):
// the action of x is not greedy with m+1 steps to go, its backup need not be
// computed, and b(x) + hi is again a bound, b(x) ≥ q_{m+1}(x) with the new b. So Solve
// keeps one number for each point: q_m(x) if it is computed, and a bound if the point is
// passed over. A bound is below the largest entry of its state, so it does not change
// the maximum. Ties do not change either: an action that is passed over is worse, not
// equal.
//
// A computed q differs from the true one by the rounding of a backup, so the
// comparison leaves a margin of 10⁻⁹ of the values. If all payoffs have one sign, as in
// the paper, the margin exceeds the rounding and the result equals that of the full
// recursion to the last bit (twin: Induction). If a value is the small difference of
// huge payoffs, an action that wins by less than the rounding may be passed over.
//
// # Goroutines and memory
//
// Several goroutines may read an MDP, a Policy or Values at once. A [Factored] operator
// has scratch tables: an MDP with such an operator may be solved or evaluated by one
// goroutine at a time. A [Solver] and a [Chooser] belong to one goroutine at a time. Solve, Induction, Evaluate and Return keep
// nothing of their arguments. Operators and NewValues keep the tables they are made of. [Policy.Rule] and
// [Values.At] copy.
package planning

import (
	"math"
	"slices"

	"cpsrl/core/internal/loops"
)

// Tolerance is the largest error that stopping early may cause, in units of reward.
const Tolerance = 1e-10

// NoDifference is the relative difference of values below which they count as equal, because
// planning is exact only within Tolerance.
const NoDifference = 1e-9

// Operator is the law of the next state as an operator on value functions.
type Operator interface {
	// Apply writes E[v(Y) | x] into dst[i] for the point x = points[i], for
	// every i.
	Apply(dst, v []float64, points []int32)
}

// MDP is a finite-horizon Markov decision process.
type MDP struct {
	States, Actions int
	Horizon         int
	Reward          []float64 // R(x)
	Next            Operator  // the law of the next state
	// Ended is not 0 for the states in which an episode has ended: their value is 0. It is nil if
	// there are none.
	Ended []uint8
	// Legal says of each point whether its action is legal in its state; some action is in each. It is nil if all are.
	Legal []bool
	// Stop is asked before each step of [Solve] and [Evaluate]. Once it says true, they return nil. A nil Stop
	// never does.
	Stop func() bool
}

// stopped reports whether planning should stop.
func (m *MDP) stopped() bool { return m.Stop != nil && m.Stop() }

// rewards returns R(x), with −∞ where the action is not legal, so that another one is greedy.
func (of *Solver) rewards(m *MDP) []float64 {
	if m.Legal == nil {
		return m.Reward
	}
	of.reward = append(of.reward[:0], m.Reward...)
	for x, legal := range m.Legal {
		if !legal {
			of.reward[x] = math.Inf(-1)
		}
	}
	return of.reward
}

// end sets the values of states in which an episode has ended to 0.
func (m *MDP) end(v []float64) {
	for s, e := range m.Ended {
		if e != 0 {
			v[s] = 0
		}
	}
}

// endPoints sets the entries of the points of such states to 0, if their actions are legal.
func (m *MDP) endPoints(q []float64) {
	for s, e := range m.Ended {
		if e == 0 {
			continue
		}
		entries := q[s*m.Actions:][:m.Actions]
		if m.Legal == nil {
			clear(entries)
			continue
		}
		for a := range entries {
			if m.Legal[s*m.Actions+a] {
				entries[a] = 0
			}
		}
	}
}

// first returns the lowest action that is legal in a state.
func (m *MDP) first(s int) int32 {
	if m.Legal == nil {
		return 0
	}
	return int32(slices.Index(m.Legal[s*m.Actions:][:m.Actions], true))
}

// Policy is a deterministic non-stationary policy. If no action exceeds 255, it takes
// one byte for each entry.
type Policy struct {
	horizon int
	// The rules are in bytes or in words; the other is nil. Entry m−1 is the rule with m
	// steps to go. The last rule also applies to all larger numbers of steps.
	bytes [][]uint8
	words [][]int32
	slab  slab[uint8] // of bytes
}

// NewPolicy returns the policy that follows rules[m−1] with m steps to go. With more than
// len(rules) steps to go it follows the last rule. It copies the rules, of which there
// must be at least one.
func NewPolicy(horizon int, rules [][]int32) *Policy {
	most := int32(0)
	for _, rule := range rules {
		most = max(most, slices.Max(rule))
	}
	p := newPolicy(horizon, int(most)+1, len(rules))
	for _, rule := range rules {
		p.append(rule)
	}
	return p
}

// newPolicy returns a policy for that number of actions, with no rules yet. It makes room for some.
func newPolicy(horizon, actions, room int) *Policy {
	if actions <= 1<<8 {
		return &Policy{horizon: horizon, bytes: make([][]uint8, 0, room), slab: slab[uint8]{room: room}}
	}
	return &Policy{horizon: horizon}
}

// append adds a copy of the rule for one more step to go.
func (p *Policy) append(rule []int32) {
	if p.bytes == nil {
		p.words = append(p.words, slices.Clone(rule))
		return
	}
	packed := p.slab.take(len(rule))
	for s, a := range rule {
		packed[s] = uint8(a)
	}
	p.bytes = append(p.bytes, packed)
}

// Rules returns the number of rules.
func (p *Policy) Rules() int { return len(p.bytes) + len(p.words) }

// at returns the index of the rule of step h = 1 … H.
func (p *Policy) at(h int) int { return min(p.horizon-h+1, p.Rules()) - 1 }

// Horizon returns H.
func (p *Policy) Horizon() int { return p.horizon }

// Action returns π_h(s), the action in a state at step h = 1 … H.
func (p *Policy) Action(h, s int) int {
	if p.bytes != nil {
		return int(p.bytes[p.at(h)][s])
	}
	return int(p.words[p.at(h)][s])
}

// Rule returns π_h, the action in each state at step h = 1 … H, as a new slice.
func (p *Policy) Rule(h int) []int32 {
	if p.bytes == nil {
		return slices.Clone(p.words[p.at(h)])
	}
	packed := p.bytes[p.at(h)]
	rule := make([]int32, len(packed))
	for s, a := range packed {
		rule[s] = int32(a)
	}
	return rule
}

// follow writes the point x = s·A + π_h(s) of each state into points.
func (p *Policy) follow(points []int32, h, actions int) {
	if p.bytes == nil {
		for s, a := range p.words[p.at(h)] {
			points[s] = int32(s*actions) + a
		}
		return
	}
	for s, a := range p.bytes[p.at(h)] {
		points[s] = int32(s*actions) + int32(a)
	}
}

// MaxValues is the largest S·H for which [Values] keep the value function of every step.
// For a larger model they keep only that of the first step.
const MaxValues = 1 << 23

// Values holds the value function of every step or, if S·H exceeds [MaxValues], of the
// first step.
type Values struct {
	horizon int
	steps   int         // the largest number of steps to go that the recursion computed
	v       [][]float64 // with steps−len(v)+1, …, steps steps to go
	gain    float64     // what each step to go beyond steps adds
	ended   []uint8     // as in an MDP; the gain is not for these states
}

// NewValues returns the values that are v[m−1] with m steps to go. The horizon is len(v).
// It keeps v.
func NewValues(v [][]float64) *Values { return &Values{horizon: len(v), steps: len(v), v: v} }

// append adds the values with one more step to go, and keeps the slice. If S·H exceeds
// MaxValues, it drops the earlier ones.
func (v *Values) append(values []float64) {
	v.steps++
	if v.v = append(v.v, values); len(values)*v.horizon > MaxValues {
		v.v = v.v[len(v.v)-1:]
	}
}

// At writes V_h into dst, which has length S, and returns dst. The step h is 1 … H, or
// only 1 if S·H exceeds [MaxValues].
func (v *Values) At(dst []float64, h int) []float64 {
	m := v.horizon - h + 1
	last := min(m, v.steps)
	add := float64(float64(m-last) * v.gain)
	for s, value := range v.v[last-1-(v.steps-len(v.v))] {
		dst[s] = value + add
	}
	if v.gain != 0 {
		(&MDP{Ended: v.ended}).end(dst)
	}
	return dst
}

// Value returns V_1 under the initial distribution, Σ_s μ(s) V_1(s).
func (v *Values) Value(initial []float64) float64 {
	first := v.At(make([]float64, len(initial)), 1)
	sum := 0.0
	for s, p := range initial {
		sum += float64(p * first[s])
	}
	return sum
}

// Induction solves an MDP by backward induction as textbooks write it: with V_{H+1} = 0,
// for h = H … 1,
//
//	V_h(s) = max_a R(s,a) + Σ_y p(y|s,a) V_{h+1}(y)
//
// and π_h(s) is the lowest action that attains the maximum among those that are legal in s. Where the episode has ended, the
// value is 0 and the action is the lowest. It backs up every action of every step. [Solve] is faster; tests compare the two.
func Induction(m *MDP) (*Policy, *Values) {
	points := make([]int32, m.States*m.Actions)
	for x := range points {
		points[x] = int32(x)
	}
	future := make([]float64, len(points)) // E[V_{h+1}(Y) | x]
	var rules [][]int32
	var values [][]float64
	reward := new(Solver).rewards(m)
	for h := m.Horizon; h >= 1; h-- {
		if h < m.Horizon {
			m.Next.Apply(future, values[len(values)-1], points)
		}
		rule, v := make([]int32, m.States), make([]float64, m.States)
		for s := range v {
			v[s] = math.Inf(-1)
			for a := range m.Actions {
				x := s*m.Actions + a
				if q := reward[x] + future[x]; q > v[s] {
					rule[s], v[s] = int32(a), q
				}
			}
			if m.Ended != nil && m.Ended[s] != 0 {
				rule[s], v[s] = m.first(s), 0
			}
		}
		rules, values = append(rules, rule), append(values, v)
	}
	return NewPolicy(m.Horizon, rules), NewValues(values)
}

// Solve returns an optimal policy and its values, those of [Induction] within Tolerance,
// by a recursion that stops early and passes over actions. Ties go to the lowest action.
func Solve(m *MDP) (*Policy, *Values) { return new(Solver).Solve(m) }

// Solver is [Solve] and [Return] for one problem after another. It reuses its memory; what it returns is new. The zero Solver
// is ready.
type Solver struct {
	steps     int // those of the last recursion of Solve; 0 before the first
	reward    []float64
	q, future []float64
	points    []int32
	rule      []int32
	v, last   []float64
}

// Solve is the function Solve.
func (of *Solver) Solve(m *MDP) (*Policy, *Values) { return of.solve(m, Tolerance, m.Horizon) }

// Steps returns the number of steps after which Solve stops, or most if that is smaller.
func Steps(m *MDP, most int) int {
	policy, _ := new(Solver).solve(m, Tolerance, min(m.Horizon, most))
	return policy.Rules()
}

// usualSteps is the number of steps that a recursion makes room for, if nothing else is known.
const usualSteps = 16

func (of *Solver) solve(m *MDP, tolerance float64, most int) (*Policy, *Values) {
	room := usualSteps
	if of.steps > 0 { // the next recursion takes about as many
		room = min(of.steps+1, max(room, 1<<16/m.States))
	}
	policy := newPolicy(m.Horizon, m.Actions, room)
	values := &Values{horizon: m.Horizon, v: make([][]float64, 0, room), ended: m.Ended}
	// With one step to go, q is the reward, because the value after the last step is 0.
	reward := of.rewards(m)
	of.q, of.last = append(of.q[:0], reward...), sized(of.last, m.States)
	q, last := of.q, of.last
	clear(last)
	// The first candidates entries of points are those whose action may be greedy in the
	// next step; future holds E[v(Y) | x] of each.
	of.points, of.future = sized(of.points, len(q)), sized(of.future, len(q))
	points, future, candidates := of.points, of.future, 0
	of.rule = sized(of.rule, m.States)
	fresh := slab[float64]{room: room}
	for togo := 1; togo <= most; togo++ {
		if m.stopped() {
			return nil, nil
		}
		if togo > 1 {
			m.Next.Apply(future[:candidates], last, points[:candidates])
			for i, x := range points[:candidates] {
				q[x] = reward[x] + future[i]
			}
		}
		m.endPoints(q)
		v := fresh.take(m.States)
		lo, hi := loops.Improve(of.rule, v, q, last)
		policy.append(of.rule)
		values.append(v)
		if n := float64(m.Horizon - togo); n*(hi-lo) <= tolerance {
			values.gain = lo + (hi-lo)/2
			break
		}
		// Every entry of q becomes a bound (see "Passing over actions").
		candidates = loops.Contend(points, q, v, lo, hi)
		last = v
	}
	of.steps = policy.Rules()
	return policy, values
}

// sized returns a list of that length, which may use the memory of the given one.
func sized[T any](list []T, n int) []T { return slices.Grow(list[:0], n)[:n] }

// slab allocates slices of one length, several at a time if they are short.
type slab[T any] struct {
	free []T
	room int // for how many it allocates next
}

// take returns a slice of n zeros.
func (a *slab[T]) take(n int) []T {
	if n > 1<<12 {
		return make([]T, n)
	}
	if len(a.free) < n {
		a.free, a.room = make([]T, a.room*n), max(a.room/4, 4)
	}
	s := a.free[:n:n]
	a.free = a.free[n:]
	return s
}

// Evaluate returns the values of a policy in the model: with V_{H+1} = 0, for h = H … 1,
//
//	V_h(s) = R(s,π_h(s)) + Σ_y p(y|s,π_h(s)) V_{h+1}(y)
//
// It computes every step. [Return] is faster; tests compare the two.
func Evaluate(m *MDP, policy *Policy) *Values {
	values, last := &Values{horizon: m.Horizon}, make([]float64, m.States)
	points := make([]int32, m.States)
	for h := m.Horizon; h >= 1; h-- {
		if m.stopped() {
			return nil
		}
		v := make([]float64, m.States)
		policy.backup(m, v, last, points, h)
		values.append(v)
		last = v
	}
	return values
}

// Return returns the expected return of a policy from the initial distribution: the Value
// of [Evaluate] within Tolerance, by a recursion that stops early. It keeps no values.
func Return(m *MDP, policy *Policy, initial []float64) float64 {
	return new(Solver).Return(m, policy, initial)
}

// Return is the function Return.
func (of *Solver) Return(m *MDP, policy *Policy, initial []float64) float64 {
	of.v, of.last, of.points = sized(of.v, m.States), sized(of.last, m.States), sized(of.points, m.States)
	v, last, points := of.v, of.last, of.points
	clear(v)      // the value after the last step
	beyond := 0.0 // what the steps after the recursion has stopped add
	for togo := 1; togo <= m.Horizon; togo++ {
		v, last = last, v
		policy.backup(m, v, last, points, m.Horizon-togo+1)
		lo, hi := loops.Growth(last, v)
		// From the policy's last rule on, the rule stays the same.
		if n := float64(m.Horizon - togo); togo >= policy.Rules() && n*(hi-lo) <= Tolerance {
			beyond = float64(n * (lo + (hi-lo)/2))
			break
		}
	}
	return m.expected(v, beyond, initial)
}

// Uniform returns the expected return, from the initial distribution, of the policy that plays every action that is
// legal in a state equally often. Like [Return] it stops early, within Tolerance.
func Uniform(m *MDP, initial []float64) float64 {
	v, last := make([]float64, m.States), make([]float64, m.States)
	points, future := make([]int32, m.States*m.Actions), make([]float64, m.States*m.Actions)
	for x := range points {
		points[x] = int32(x)
	}
	beyond := 0.0 // what the steps after the recursion has stopped add
	for togo := 1; togo <= m.Horizon; togo++ {
		v, last = last, v
		if togo > 1 {
			m.Next.Apply(future, last, points)
		}
		for s := range v {
			sum, n := 0.0, 0
			for x := s * m.Actions; x < (s+1)*m.Actions; x++ {
				if m.Legal == nil || m.Legal[x] {
					sum += m.Reward[x] + future[x]
					n++
				}
			}
			v[s] = sum / float64(n)
		}
		m.end(v)
		lo, hi := loops.Growth(last, v)
		if n := float64(m.Horizon - togo); n*(hi-lo) <= Tolerance {
			beyond = float64(n * (lo + (hi-lo)/2))
			break
		}
	}
	return m.expected(v, beyond, initial)
}

// Mixed returns the expected return, from the initial distribution, of the policy that plays the action of each point x with the
// probability chances[x] in its state, whatever the step. It computes every step.
func Mixed(m *MDP, chances, initial []float64) float64 {
	v, last := make([]float64, m.States), make([]float64, m.States)
	points, future := make([]int32, m.States*m.Actions), make([]float64, m.States*m.Actions)
	for x := range points {
		points[x] = int32(x)
	}
	for togo := 1; togo <= m.Horizon; togo++ {
		if m.stopped() {
			return math.NaN()
		}
		v, last = last, v
		if togo > 1 {
			m.Next.Apply(future, last, points)
		}
		for s := range v {
			sum := 0.0
			for x := s * m.Actions; x < (s+1)*m.Actions; x++ {
				sum += float64(chances[x] * (m.Reward[x] + future[x]))
			}
			v[s] = sum
		}
		m.end(v)
	}
	return m.expected(v, 0, initial)
}

// expected returns the mean of v + beyond from the initial distribution. It overwrites v.
func (m *MDP) expected(v []float64, beyond float64, initial []float64) float64 {
	for s := range v {
		v[s] += beyond
	}
	m.end(v)
	sum := 0.0
	for s, p := range initial {
		sum += float64(p * v[s])
	}
	return sum
}

// backup writes V_h of a policy into v, given next = V_{h+1}. It overwrites points, which
// has length S.
func (p *Policy) backup(m *MDP, v, next []float64, points []int32, h int) {
	if p.horizon != m.Horizon {
		panic("planning: policy of another horizon")
	}
	p.follow(points, h, m.Actions)
	if h == m.Horizon {
		clear(v)
	} else {
		m.Next.Apply(v, next, points)
	}
	for s, x := range points {
		v[s] = m.Reward[x] + v[s]
	}
	m.end(v)
}
