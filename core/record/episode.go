package record

import (
	"fmt"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Episode is a short form of one episode of one agent in one run: its steps and its
// record. A [Trace] also has the models, values and policies. States and points are
// indices of the space: 0 to S−1 and 0 to S·A−1.
type Episode struct {
	Points []int `json:"points,omitzero"` // x_1, x_2, …, at most H of them; absent if there is a Path
	End    int   `json:"end"`             // the state after the last step, or that in which an episode without a step began; 0 beside a Path
	// Path has, where no list holds the states, the values of x_1, x_2, … and of the last state.
	Path [][]int `json:"path,omitempty"`
	// Ending is that of [Trace].
	Ending  *string   `json:"ending,omitzero"`
	Rewards []float64 `json:"rewards"` // the reward of each step
	// Before is P_k(X_i → Y_j), one row for each Y_j, to 4 decimals; absent without a
	// belief. The belief after the episode is in the record.
	Before [][]float64 `json:"before,omitempty"`
	Record Record      `json:"record"`
}

// DecodeEpisode reads an episode over the variables and the horizon of a trace. It checks
// that all lengths and indices fit the space and the horizon.
func DecodeEpisode(data []byte, space *fmdp.Space, horizon int) (*Episode, error) {
	var e Episode
	if err := strict.Decode(data, &e); err != nil {
		return nil, err
	}
	if err := e.check(space, horizon); err != nil {
		return nil, err
	}
	return &e, nil
}

func (e *Episode) check(space *fmdp.Space, horizon int) error {
	points, states, belief := space.Points(), space.States(), e.Record.Belief
	believes := belief != nil && belief.Updated != nil
	switch {
	case (e.Path == nil) != (space.CheckPoints() == nil) || (e.Path == nil) != (e.Points != nil), e.Path != nil && len(e.Path) == 0:
		return strict.Invalid("/points", "points are numbers where a list holds the states, and else values")
	case e.length() > horizon:
		return strict.Invalid("/points", "%d steps in an episode of at most %d", e.length(), horizon)
	case e.Ending != nil && len(*e.Ending) > fmdp.MaxName:
		return strict.Invalid("/ending", "the name has %d bytes, more than %d", len(*e.Ending), fmdp.MaxName)
	case len(e.Rewards) != e.length():
		return strict.Invalid("/rewards", "%d rewards for %d steps", len(e.Rewards), e.length())
	case e.End < 0 || e.End >= states:
		return strict.Invalid("/end", "there is no state %d; states are 0 to %d", e.End, states-1)
	case e.Record.Episode < 1:
		return strict.Invalid("/record/episode", "the episode is %d; episodes count from 1", e.Record.Episode)
	case believes != (e.Before != nil):
		return strict.Invalid("/before", "a belief on one side of the episode only")
	}
	for h, x := range e.Points {
		if x < 0 || x >= points {
			return strict.Invalid(fmt.Sprintf("/points/%d", h), "there is no point %d; points are 0 to %d", x, points-1)
		}
	}
	for h, values := range e.Path {
		place := fmt.Sprintf("/path/%d", h)
		if h == e.length() {
			if err := document.CheckValues(values, space.Y(), place, space); err != nil {
				return err
			}
		} else if err := document.CheckValues(values, space.X(), place, space); err != nil {
			return err
		}
	}
	if belief == nil {
		return nil
	}
	if believes {
		if err := checkMatrix(e.Before, "/before", space); err != nil {
			return err
		}
	}
	return strict.Within("/record", CheckBelief(belief, space))
}

// Last returns the state after the last step over the variables of its space.
func (e *Episode) Last(space *fmdp.Space) []int {
	if e.Path != nil {
		return e.Path[len(e.Path)-1]
	}
	return space.Point(make([]int, space.Y()), e.End)
}

// length returns the number of steps.
func (e *Episode) length() int { return max(len(e.Points), len(e.Path)-1) }

// Steps returns the steps of the episode over the variables of its space.
func (e *Episode) Steps(space *fmdp.Space) []TraceStep {
	steps, actions := make([]TraceStep, e.length()), space.Actions()
	for h := range len(e.Path) - 1 {
		steps[h] = TraceStep{X: e.Path[h], Y: e.Path[h+1][:space.Y()], Reward: e.Rewards[h]}
	}
	for h, x := range e.Points {
		next := e.End
		if h+1 < len(e.Points) {
			next = e.Points[h+1] / actions
		}
		steps[h] = TraceStep{
			X:      space.Point(make([]int, space.X()), x),
			Y:      space.Point(make([]int, space.Y()), next),
			Reward: e.Rewards[h],
		}
	}
	return steps
}
