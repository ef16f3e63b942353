package agent

import (
	"math/rand/v2"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// Simulation is the world of a model that is known: it draws every step from it.
type Simulation struct {
	model   *fmdp.Model
	movesIn [][]int32 // for each Y variable, by point: the row of its table
	paysIn  [][]int32 // for each reward factor, likewise
	rng     *rand.Rand
	steps   []posterior.Step
	rewards []float64
}

// NewSimulation returns the world of a valid model.
func NewSimulation(m *fmdp.Model, rng *rand.Rand) *Simulation {
	s := &Simulation{model: m}
	for j := range m.Transition {
		s.movesIn = append(s.movesIn, m.RowOf(m.Transition[j].Given))
	}
	for f := range m.Reward {
		s.paysIn = append(s.paysIn, m.RowOf(m.Reward[f].Given))
	}
	return s.With(rng)
}

// With returns another world of the same model, which draws from rng. The two may
// play at the same time: they share the model and its row indices, and change neither.
func (s *Simulation) With(rng *rand.Rand) *Simulation {
	m, other := s.model, *s
	other.rng, other.steps, other.rewards = rng, make([]posterior.Step, m.Horizon), make([]float64, m.Horizon)
	for h := range other.steps {
		other.steps[h] = posterior.Step{
			Point: make([]int, m.X()), Next: make([]int, m.Y()), Paid: make([]uint8, len(m.Reward)),
		}
	}
	return &other
}

// Play implements [World].
func (s *Simulation) Play(policy *planning.Policy) ([]posterior.Step, []float64) {
	m := s.model
	actions := m.Actions()
	state := fmdp.Draw(s.rng, m.Initial)
	for h := range s.steps {
		step := &s.steps[h]
		x := state*actions + int(policy.Rule(h + 1)[state])
		m.Point(step.Point, x)
		for j := range m.Transition {
			step.Next[j] = fmdp.Draw(s.rng, m.Transition[j].Row(int(s.movesIn[j][x])))
		}
		s.rewards[h] = s.pay(step, x)
		state = m.Index(step.Next)
	}
	return s.steps, s.rewards
}

// pay draws the payoffs of one step, at the point of index x.
func (s *Simulation) pay(step *posterior.Step, x int) float64 {
	reward := 0.0
	for f := range s.model.Reward {
		r := &s.model.Reward[f]
		mean := r.Mean[s.paysIn[f][x]]
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
