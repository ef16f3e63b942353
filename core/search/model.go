package search

import (
	"math/rand/v2"

	"cpsrl/core/agent"
	"cpsrl/core/fmdp"
)

// sampled is a model ℱ_k as a search uses it: from a state and an action it draws a next state and pays what is
// expected. It lists actions, and no states.
type sampled struct {
	space *fmdp.Space
	ends  *fmdp.Ends
	acts  [][]int // the values of each joint action
	all   []int32 // the numbers of all joint actions
	laws  []table // of the state variables; nil if the law is joint
	joint []float64
	pays  []table

	point []int     // the values of X, then those of Y, of the present step
	roots []float64 // see tree.bonus
}

// table is a table over variables of X and Y.
type table struct {
	given []digit
	size  int       // columns of a law; 1 for payoffs
	p     []float64 // of payoffs, times their scale
	// Of a law of two values, by row: the value is 0 if a number that is drawn from [0, 1) is below it. Else nil.
	below []float64
}

// digit is what a variable adds to the row of a table for each unit of its value.
type digit struct{ of, stride int }

func tableOf(space *fmdp.Space, given []int, size int, p []float64) table {
	t := table{given: make([]digit, len(given)), size: size, p: p}
	for k, n := len(given)-1, 1; k >= 0; k-- {
		t.given[k] = digit{given[k], n}
		n *= space.Var(given[k]).Size
	}
	return t
}

// row returns the row of a point.
func (t *table) row(point []int) int {
	row := 0
	for _, d := range t.given {
		row += d.stride * point[d.of]
	}
	return row
}

// draw draws a value at a point, as [fmdp.Draw] does.
func (t *table) draw(rng *rand.Rand, point []int) int {
	row := t.row(point)
	if t.below == nil {
		return fmdp.Draw(rng, t.p[row*t.size:][:t.size])
	}
	if rng.Float64() < t.below[row] {
		return 0
	}
	return 1
}

// newSampled returns a model of a task. It keeps the model's tables.
func newSampled(t *agent.Task, m *agent.Model, acts [][]int) *sampled {
	s := &sampled{space: t.Space, ends: t.Ends, acts: acts, joint: m.Joint, point: make([]int, t.Space.X()+t.Space.Y())}
	for a := range acts {
		s.all = append(s.all, int32(a))
	}
	for j := range m.Transition {
		f := &m.Transition[j]
		law := tableOf(t.Space, f.Given, f.Size, f.P)
		for at := 0; f.Size == 2 && at < len(f.P); at += 2 {
			below := f.P[at]
			if f.P[at+1] <= 0 {
				below = 1
			}
			law.below = append(law.below, below)
		}
		s.laws = append(s.laws, law)
	}
	for _, r := range m.Reward {
		means := make([]float64, len(r.Mean))
		for row, mean := range r.Mean {
			means[row] = float64(r.Scale * mean)
		}
		s.pays = append(s.pays, tableOf(t.Space, r.Given, 1, means))
	}
	return s
}

// step draws the next state into next, which may be state itself, and returns the expected payoff of the step. It
// consumes a number of rng for each state variable or, if the law is joint, one.
func (s *sampled) step(rng *rand.Rand, state []int, action int, next []int) (reward float64) {
	y, x := len(s.space.State), s.space.X()
	copy(s.point, state)
	copy(s.point[y:x], s.acts[action])
	arrived := s.point[x:]
	if s.laws == nil {
		states := s.space.States()
		s.space.Point(arrived, fmdp.Draw(rng, s.joint[(s.space.Index(s.point[:y])*len(s.acts)+action)*states:][:states]))
	}
	for j := range s.laws {
		arrived[j] = s.laws[j].draw(rng, s.point)
	}
	for f := range s.pays {
		pay := &s.pays[f]
		reward += pay.p[pay.row(s.point)]
	}
	copy(next, arrived)
	return reward
}

// ended reports whether an episode has ended in a state.
func (s *sampled) ended(state []int) bool { return s.ends.At(state) != 0 }

// choices returns the numbers of the actions that are legal in a state, ascending.
func (s *sampled) choices(state []int) []int32 {
	if list := s.space.Choices(state); list != nil {
		return list
	}
	return s.all
}

// follow plays the base policy from a state, which it overwrites, for up to that many steps, and returns what they
// pay. The base policy plays each legal action equally often. It consumes one more number of rng for each step.
func (s *sampled) follow(rng *rand.Rand, state []int, steps int) (total float64) {
	for ; steps > 0 && !s.ended(state); steps-- {
		list := s.choices(state)
		action := list[min(int(rng.Float64()*float64(len(list))), len(list)-1)]
		total += s.step(rng, state, int(action), state)
	}
	return total
}
