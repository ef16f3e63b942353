package agent

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// Simulation is a world that draws every step from a known model. Agents see the state without the
// variables that the model hides. It lists no states, except for models that are small.
type Simulation struct {
	model   *fmdp.Model
	hidden  int        // the number of assignments of the hidden variables, which are the last of a state
	actions int        // the number of joint actions
	acts    [][]int    // the values of each joint action; nil if there are too many to list
	ends    *fmdp.Ends // of the states of the model
	movesIn []rows     // for each Y variable, in its transition table
	paysIn  []rows     // for each reward factor, in its table of means
	tabled  bool       // whether these are tabulated by the index of a point
	rng     *rand.Rand
	steps   []posterior.Step
	point   []int // values of all variables of the model, seen or not
	next    []int // the state; after an episode, its last one
	state   int   // its index, where rows are tabulated
	played  int   // the number of steps of the episode
	ending  int   // see Ending
}

// NewSimulation returns the world of a valid model.
func NewSimulation(m *fmdp.Model, rng *rand.Rand) *Simulation {
	s := &Simulation{model: m, hidden: 1, actions: m.Actions(), ends: m.Endings()}
	for _, v := range m.State[m.Y()-m.Hidden:] {
		s.hidden *= v.Size
	}
	if s.actions <= maxActs {
		s.acts = m.JointActions()
	}
	s.tabled = m.Points() <= maxRows/(m.Y()+len(m.Reward))
	for j := range m.Transition {
		s.movesIn = append(s.movesIn, rowsOf(&m.Space, m.Transition[j].Given, s.tabled))
	}
	for f := range m.Reward {
		r := &m.Reward[f]
		s.paysIn = append(s.paysIn, rowsOf(&m.Space, r.Given, s.tabled && !r.Arrives(&m.Space)))
	}
	return s.With(rng)
}

// maxRows is the largest number of rows that a Simulation tabulates. If there are more,
// it computes each row when it needs it.
const maxRows = 1 << 24

// maxActs is the largest number of joint actions whose values a Simulation lists.
const maxActs = 1 << 12

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
func (s *Simulation) Ending() int { return s.ending }

// LastState returns the state after the last step of the last episode, without the variables that the
// model hides.
func (s *Simulation) LastState() []int {
	return slices.Clone(s.State())
}

// IllegalActionError says that a policy plays an action that is not legal in the state.
type IllegalActionError struct{ Action, Step int }

func (e *IllegalActionError) Error() string {
	return fmt.Sprintf("the policy plays action %d at step %d, which is not legal in the state", e.Action, e.Step)
}

// State returns the present state without the variables that the model hides. It is valid until the next step.
func (s *Simulation) State() []int { return s.next[:s.model.Y()-s.model.Hidden] }

// Play implements [World]. An episode has as many steps as the model's horizon, or fewer if it enters
// a state in which it ends. It fails only if the policy does.
func (s *Simulation) Play(ctx context.Context, policy Policy) ([]posterior.Step, error) {
	table, _ := policy.(*Table) // it may be asked for the number of a state
	for s.Begin(); !s.Over(); {
		action, h := 0, s.played+1
		if table != nil {
			state := s.state
			if !s.tabled {
				state = s.model.Index(s.next)
			}
			action = table.Action(h, state/s.hidden)
		} else {
			var err error
			if action, err = policy.Act(ctx, h, s.State()); err != nil {
				return nil, err
			}
		}
		if _, err := s.Act(action); err != nil {
			return nil, err
		}
	}
	return s.steps[:s.played], nil
}

// Begin begins an episode: it draws the first state.
func (s *Simulation) Begin() {
	s.model.DrawStart(s.rng, s.next)
	s.played = 0
	s.arrive()
}

// arrive notes where the episode is.
func (s *Simulation) arrive() {
	if s.ending = s.ends.At(s.next); s.tabled {
		s.state = s.model.Index(s.next)
	}
}

// Over reports whether the episode has no more steps.
func (s *Simulation) Over() bool { return s.ending != 0 || s.played == len(s.steps) }

// Act makes the next step of an episode that is not over, by the number of an action, and returns it; the same step of the
// next episode overwrites it. The error is an *[IllegalActionError], and nothing has changed.
func (s *Simulation) Act(action int) (*posterior.Step, error) {
	m := s.model
	if !m.May(s.next, action) {
		return nil, &IllegalActionError{action, s.played + 1}
	}
	step, x := &s.steps[s.played], s.state*s.actions+action
	copy(s.point, s.next)
	if s.acts != nil {
		copy(s.point[m.Y():], s.acts[action])
	} else {
		m.JointAction(s.point[m.Y():], action)
	}
	for j := range m.Transition {
		s.next[j] = fmdp.Draw(s.rng, m.Transition[j].Row(s.movesIn[j].at(s.point, nil, x)))
	}
	step.Reward = s.pay(step, x)
	seen := m.Y() - m.Hidden
	copy(step.Point, s.point[:seen])
	copy(step.Point[seen:], s.point[m.Y():])
	copy(step.Next, s.next)
	s.played++
	s.arrive()
	return step, nil
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
