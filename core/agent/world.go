package agent

import (
	"context"
	"math/rand/v2"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// Simulation is a world that draws every step from a known model.
type Simulation struct {
	model   *fmdp.Model
	movesIn []rows // for each Y variable, in its transition table
	paysIn  []rows // for each reward factor, in its table of means
	rng     *rand.Rand
	steps   []posterior.Step
}

// NewSimulation returns the world of a valid model.
func NewSimulation(m *fmdp.Model, rng *rand.Rand) *Simulation {
	s := &Simulation{model: m}
	tabled := (m.Y()+len(m.Reward))*m.Points() <= maxRows
	for j := range m.Transition {
		s.movesIn = append(s.movesIn, rowsOf(&m.Space, m.Transition[j].Given, tabled))
	}
	for f := range m.Reward {
		s.paysIn = append(s.paysIn, rowsOf(&m.Space, m.Reward[f].Given, tabled))
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

// at returns the row that the point of index x selects.
func (r *rows) at(point []int, x int) int {
	if r.by != nil {
		return int(r.by[x])
	}
	return r.space.Row(r.given, point)
}

// With returns another world of the same model that draws from rng. The two worlds may
// play at the same time: they share only data that neither changes.
func (s *Simulation) With(rng *rand.Rand) *Simulation {
	m, other := s.model, *s
	other.rng, other.steps = rng, make([]posterior.Step, m.Horizon)
	for h := range other.steps {
		other.steps[h] = posterior.Step{
			Point: make([]int, m.X()), Next: make([]int, m.Y()), Paid: make([]uint8, len(m.Reward)),
		}
	}
	return &other
}

// Play implements [World]. An episode has as many steps as the model's horizon, and does not
// fail.
func (s *Simulation) Play(_ context.Context, policy *planning.Policy) ([]posterior.Step, error) {
	m := s.model
	actions := m.Actions()
	state := fmdp.Draw(s.rng, m.Initial)
	for h := range s.steps {
		step := &s.steps[h]
		x := state*actions + policy.Action(h+1, state)
		m.Point(step.Point, x)
		for j := range m.Transition {
			step.Next[j] = fmdp.Draw(s.rng, m.Transition[j].Row(s.movesIn[j].at(step.Point, x)))
		}
		step.Reward = s.pay(step, x)
		state = m.Index(step.Next)
	}
	return s.steps, nil
}

// pay draws the payoffs of one step at the point of index x, and returns its reward.
func (s *Simulation) pay(step *posterior.Step, x int) float64 {
	reward := 0.0
	for f := range s.model.Reward {
		r := &s.model.Reward[f]
		mean := r.Mean[s.paysIn[f].at(step.Point, x)]
		step.Paid[f] = 0
		if s.rng.Float64() < mean {
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
