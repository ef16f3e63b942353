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
package planning

import "math"

// Tolerance bounds what stopping early may cost, in units of reward.
const Tolerance = 1e-10

// Operator is the law of the next state as an operator on value functions.
type Operator interface {
	// Apply writes E[v(Y) | x] into dst for every point x.
	Apply(dst, v []float64)
	// ApplyRule writes E[v(Y) | s, rule[s]] into dst for every state s.
	ApplyRule(dst, v []float64, rule []int32)
}

// MDP is what backward induction needs of a model.
type MDP struct {
	States, Actions int
	Horizon         int
	Reward          []float64 // R(x)
	Next            Operator
}

// Policy is a deterministic non-stationary policy.
type Policy struct {
	horizon int
	rules   [][]int32 // by steps to go, from 1; the last serves for all more
}

// NewPolicy returns the policy that follows rules[m−1] with m steps to go, and
// the last rule when there are more.
func NewPolicy(horizon int, rules [][]int32) *Policy { return &Policy{horizon, rules} }

// Horizon returns H.
func (p *Policy) Horizon() int { return p.horizon }

// Rule returns π_h, the action in each state at step h = 1 … H.
func (p *Policy) Rule(h int) []int32 {
	m := p.horizon - h + 1
	return p.rules[min(m, len(p.rules))-1]
}

// Values is a value function of every step, kept like a Policy.
type Values struct {
	horizon int
	v       [][]float64 // by steps to go, from 1
	gain    float64     // added for each step beyond the last
}

// At writes V_h into dst for step h = 1 … H and returns it.
func (v *Values) At(dst []float64, h int) []float64 {
	m := v.horizon - h + 1
	last := min(m, len(v.v))
	add := float64(float64(m-last) * v.gain)
	for s, value := range v.v[last-1] {
		dst[s] = value + add
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

// Solve returns an optimal policy and its values by backward induction. Ties go
// to the lowest action.
func Solve(m *MDP) (*Policy, *Values) { return solve(m, Tolerance) }

func solve(m *MDP, tolerance float64) (*Policy, *Values) {
	policy := &Policy{horizon: m.Horizon}
	values := &Values{horizon: m.Horizon}
	q := make([]float64, m.States*m.Actions)
	last := make([]float64, m.States)
	for togo := 1; togo <= m.Horizon; togo++ {
		if togo == 1 {
			clear(q)
		} else {
			m.Next.Apply(q, last)
		}
		rule, v := make([]int32, m.States), make([]float64, m.States)
		for s := range v {
			rule[s], v[s] = greedy(m.Reward[s*m.Actions:][:m.Actions], q[s*m.Actions:][:m.Actions])
		}
		policy.rules = append(policy.rules, rule)
		values.v = append(values.v, v)
		if gain, ok := settled(last, v, m.Horizon-togo, tolerance); ok {
			values.gain = gain
			break
		}
		last = v
	}
	return policy, values
}

// greedy returns the lowest action that maximises reward + future, and the
// maximum.
func greedy(reward, future []float64) (int32, float64) {
	best, at := math.Inf(-1), int32(0)
	for a, r := range reward {
		if q := r + future[a]; q > best {
			best, at = q, int32(a)
		}
	}
	return at, best
}

// settled reports whether the value can be continued in a straight line for n
// more steps, and by how much a step.
func settled(last, v []float64, n int, tolerance float64) (gain float64, ok bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for s := range v {
		d := v[s] - last[s]
		lo, hi = min(lo, d), max(hi, d)
	}
	return lo + (hi-lo)/2, float64(n)*(hi-lo) <= tolerance
}

// Evaluate returns the values of a policy in the model, exactly.
func Evaluate(m *MDP, policy *Policy) *Values { return evaluate(m, policy, Tolerance) }

func evaluate(m *MDP, policy *Policy, tolerance float64) *Values {
	if policy.horizon != m.Horizon {
		panic("planning: policy of another horizon")
	}
	values := &Values{horizon: m.Horizon}
	last := make([]float64, m.States)
	for togo := 1; togo <= m.Horizon; togo++ {
		rule := policy.Rule(m.Horizon - togo + 1)
		v := make([]float64, m.States)
		if togo > 1 {
			m.Next.ApplyRule(v, last, rule)
		}
		for s, a := range rule {
			v[s] += m.Reward[s*m.Actions+int(a)]
		}
		values.v = append(values.v, v)
		if togo >= len(policy.rules) { // the rule stays the same from here on
			if gain, ok := settled(last, v, m.Horizon-togo, tolerance); ok {
				values.gain = gain
				break
			}
		}
		last = v
	}
	return values
}
