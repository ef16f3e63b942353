package agent

import (
	"context"
	"math/rand/v2"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// Simulation is a world that draws every step from a known model. Agents see the state without the
// variables that the model hides.
type Simulation struct {
	model   *fmdp.Model
	hidden  int     // the number of assignments of the hidden variables, which are the last of a state
	ended   []uint8 // of the states of the model; nil if no episode ends early
	movesIn []rows  // for each Y variable, in its transition table
	paysIn  []rows  // for each reward factor, in its table of means
	rng     *rand.Rand
	steps   []posterior.Step
	point   []int // values of all variables of the model, seen or not
	next    []int
	state   int   // the last one of the last episode
	ending  uint8 // see Ending
}

// NewSimulation returns the world of a valid model.
func NewSimulation(m *fmdp.Model, rng *rand.Rand) *Simulation {
	s := &Simulation{model: m, hidden: 1, ended: m.Ended()}
	for _, v := range m.State[m.Y()-m.Hidden:] {
		s.hidden *= v.Size
	}
	tabled := (m.Y()+len(m.Reward))*m.Points() <= maxRows
	for j := range m.Transition {
		s.movesIn = append(s.movesIn, rowsOf(&m.Space, m.Transition[j].Given, tabled))
	}
	for f := range m.Reward {
		r := &m.Reward[f]
		s.paysIn = append(s.paysIn, rowsOf(&m.Space, r.Given, tabled && !r.Arrives(&m.Space)))
	}
	return s.With(rng)
}

// maxRows is the largest number of rows that a Simulation tabulates. If there are more,
// it computes each row when it needs it.
const maxRows = 1 << 24

// rows tells which row of a table over the given variables a point selects.
type rows struct {
	space *fmdp.Space
	given []int
	by    []int32 // the row by the index of the point; nil if rows are not tabulated
}

func rowsOf(space *fmdp.Space, given []int, tabled bool) rows {
	r := rows{space: space, given: given}
	if tabled {
		r.by = space.RowOf(given)
	}
	return r
}

// at returns the row that the point of index x and the next state select.
func (r *rows) at(point, next []int, x int) int {
	if r.by != nil {
		return int(r.by[x])
	}
	return r.space.RowAt(r.given, point, next)
}

// With returns another world of the same model that draws from rng. The two worlds may
// play at the same time: they share only data that neither changes.
func (s *Simulation) With(rng *rand.Rand) *Simulation {
	m, other := s.model, *s
	other.rng, other.steps = rng, make([]posterior.Step, m.Horizon)
	for h := range other.steps {
		other.steps[h] = posterior.Step{
			Point: make([]int, m.X()-m.Hidden), Next: make([]int, m.Y()-m.Hidden), Paid: make([]uint8, len(m.Reward)),
		}
	}
	other.point, other.next = make([]int, m.X()), make([]int, m.Y())
	return &other
}

// Ending returns 0 if the last episode ended at the horizon, or else 1 more than the index of the
// kind of ending in the model.
func (s *Simulation) Ending() int { return int(s.ending) }

// LastState returns the state after the last step of the last episode, without the variables that the
// model hides.
func (s *Simulation) LastState() []int {
	m := s.model
	return m.Point(make([]int, m.Y()), s.state)[:m.Y()-m.Hidden]
}

// Play implements [World]. An episode has as many steps as the model's horizon, or fewer if it enters
// a state in which it ends, and does not fail.
func (s *Simulation) Play(_ context.Context, policy *planning.Policy) ([]posterior.Step, error) {
	m := s.model
	actions := m.Actions()
	state := fmdp.Draw(s.rng, m.Initial)
	seen := m.Y() - m.Hidden
	defer func() { s.state = state }()
	for h := range s.steps {
		if s.ending = 0; s.ended != nil {
			if s.ending = s.ended[state]; s.ending != 0 {
				return s.steps[:h], nil
			}
		}
		step := &s.steps[h]
		x := state*actions + policy.Action(h+1, state/s.hidden)
		m.Point(s.point, x)
		for j := range m.Transition {
			s.next[j] = fmdp.Draw(s.rng, m.Transition[j].Row(s.movesIn[j].at(s.point, nil, x)))
		}
		step.Reward = s.pay(step, x)
		copy(step.Point, s.point[:seen])
		copy(step.Point[seen:], s.point[m.Y():])
		copy(step.Next, s.next)
		state = m.Index(s.next)
	}
	if s.ending = 0; s.ended != nil {
		s.ending = s.ended[state]
	}
	return s.steps, nil
}

// pay draws the payoffs of one step at the point of index x, and returns its reward.
func (s *Simulation) pay(step *posterior.Step, x int) float64 {
	reward := 0.0
	for f := range s.model.Reward {
		r := &s.model.Reward[f]
		mean := r.Mean[s.paysIn[f].at(s.point, s.next, x)]
		step.Paid[f] = 0
		if s.rng.Float64() < r.Chance(mean) {
			step.Paid[f] = 1
		}
		if r.Kind == fmdp.Bernoulli {
			reward += float64(r.Scale * float64(step.Paid[f]))
		} else {
			reward += mean
		}
	}
	return reward
}
