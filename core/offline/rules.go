package offline

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// Stage is a part of an episode in which a policy does not change, as rules that a person reads. The first rule whose conditions
// all hold says the action; if none does, it is Otherwise.
type Stage struct {
	From, To  int // steps
	Rules     []Rule
	Otherwise int // the joint action
}

// Rule is an action under conditions.
type Rule struct {
	If   []Condition
	Then int // the joint action
}

// Condition is one on a state variable, of which it takes the values from Least to Most.
type Condition struct{ Variable, Least, Most int }

// MaxRuleStates is the largest number of states of a policy for which there are rules.
const MaxRuleStates = 1 << 14

// mostConditions is how many conditions are tried together; if no rule of so many is right, one names the value of each variable.
const mostConditions = 3

// Rules returns a policy as rules, stage by stage, which say what it does in each state in which an episode goes on. There are few,
// and with few conditions each, but fewer may do: a rule with the fewest conditions is taken that holds in the most states in
// which no rule before it does, and ties go to the first in the order of variables and values. It is nil if there are too many states.
func (p *Problem) Rules(policy *planning.Policy) (stages []Stage) {
	m := p.model
	if m.States() > MaxRuleStates {
		return nil
	}
	w := &ruleWriter{space: &m.Space, going: newBits(m.States())}
	ended := m.Ended()
	for s := range m.States() {
		if ended == nil || ended[s] == 0 {
			w.going.set(s)
		}
	}
	w.conditions()
	var before []int32
	for h := 1; h <= m.Horizon; h++ {
		rule := policy.Rule(h)
		if before != nil && w.same(before, rule) {
			stages[len(stages)-1].To = h
			continue
		}
		before = rule
		stage := w.stage(rule)
		stage.From, stage.To = h, h
		stages = append(stages, stage)
	}
	return stages
}

// ruleWriter finds rules.
type ruleWriter struct {
	space *fmdp.Space
	going bitset // the states in which an episode goes on
	each  [][]tried
}

// tried is a condition with the states in which it holds.
type tried struct {
	Condition
	in bitset
}

// bitset is a set of states.
type bitset []uint64

func newBits(n int) bitset { return make(bitset, (n+63)/64) }

// set adds one.
func (b bitset) set(k int) { b[k/64] |= 1 << (k % 64) }

// count returns how many there are.
func (b bitset) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// all yields them in ascending order.
func (b bitset) all(yield func(int) bool) {
	for k, word := range b {
		for ; word != 0; word &= word - 1 {
			if !yield(64*k + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

// conditions lists those on each state variable: of one value, and, of three or more, up to one and from one on.
func (w *ruleWriter) conditions() {
	state := make([]int, w.space.Y())
	for j := range w.space.State {
		size := w.space.State[j].Size
		var list []Condition
		for v := range size {
			list = append(list, Condition{j, v, v})
		}
		for v := 1; v < size-1; v++ {
			list = append(list, Condition{j, 0, v}, Condition{j, v, size - 1})
		}
		of := make([]tried, len(list))
		for k, c := range list {
			of[k] = tried{c, newBits(w.space.States())}
			for s := range w.going.all {
				if v := w.space.Point(state, s)[j]; c.Least <= v && v <= c.Most {
					of[k].in.set(s)
				}
			}
		}
		w.each = append(w.each, of)
	}
}

// same reports whether two rules do the same where an episode goes on.
func (w *ruleWriter) same(a, b []int32) bool {
	for s := range w.going.all {
		if a[s] != b[s] {
			return false
		}
	}
	return true
}

// stage writes the rules of one step.
func (w *ruleWriter) stage(rule []int32) (stage Stage) {
	of := make([]bitset, w.space.Actions()) // the states of each action
	for a := range of {
		of[a] = newBits(len(rule))
	}
	for s := range w.going.all {
		of[rule[s]].set(s)
	}
	for a := range of {
		if of[a].count() > of[stage.Otherwise].count() {
			stage.Otherwise = a
		}
	}
	left := slices.Clone(w.going)
	others := slices.Clone(w.going) // those left that have another action than the most
	for k := range others {
		others[k] &^= of[stage.Otherwise][k]
	}
	for others.count() > 0 {
		next, holds := w.best(left, of, stage.Otherwise)
		if holds == nil {
			s := 0
			for s = range others.all {
				break
			}
			next.Then, holds = int(rule[s]), newBits(len(rule))
			holds.set(s)
			for j, v := range w.space.Point(make([]int, w.space.Y()), s) {
				next.If = append(next.If, Condition{j, v, v})
			}
		}
		stage.Rules = append(stage.Rules, next)
		for k := range left {
			left[k] &^= holds[k]
			others[k] &^= holds[k]
		}
	}
	return stage
}

// best returns the rule for another action than that, with the states that are left in which it holds; nil if no rule of few
// conditions is right.
func (w *ruleWriter) best(left bitset, of []bitset, but int) (best Rule, holds bitset) {
	most := 0
	var given []Condition
	var search func(j, conditions int, in bitset)
	search = func(j, conditions int, in bitset) {
		if conditions == 0 {
			n := in.count()
			if n <= most {
				return
			}
			for a := range of {
				if a == but {
					continue
				}
				pure := true
				for k := range in {
					if in[k]&^of[a][k] != 0 {
						pure = false
						break
					}
				}
				if pure {
					most, holds = n, in
					best = Rule{slices.Clone(given), a}
					return
				}
			}
			return
		}
		for ; j < len(w.each); j++ {
			for _, c := range w.each[j] {
				both := slices.Clone(in)
				for k := range both {
					both[k] &= c.in[k]
				}
				if both.count() <= most {
					continue
				}
				given = append(given, c.Condition)
				search(j+1, conditions-1, both)
				given = given[:len(given)-1]
			}
		}
	}
	for n := 1; n <= min(mostConditions, len(w.each)) && holds == nil; n++ {
		search(0, n, left)
	}
	return best, holds
}

// Text returns a condition in words, as in sun = yes.
func (c Condition) Text(space *fmdp.Space) string {
	v := &space.State[c.Variable]
	switch {
	case c.Least == c.Most:
		return fmt.Sprintf("%s = %s", v.Name, v.Label(c.Least))
	case c.Least == 0:
		return fmt.Sprintf("%s ≤ %s", v.Name, v.Label(c.Most))
	}
	return fmt.Sprintf("%s ≥ %s", v.Name, v.Label(c.Least))
}

// ActionText returns a joint action in words, as in water = yes.
func ActionText(space *fmdp.Space, a int) string {
	var words []string
	for k, v := range space.JointAction(make([]int, len(space.Action)), a) {
		words = append(words, space.Action[k].Name+" = "+space.Action[k].Label(v))
	}
	return strings.Join(words, ", ")
}
