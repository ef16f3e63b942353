package record

import (
	"fmt"

	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Episode is a short form of one episode of one agent in one run: its steps and its
// record. A [Trace] also has the models, values and policies. States and points are
// indices of the space: 0 to S−1 and 0 to S·A−1.
type Episode struct {
	Points []int `json:"points"` // x_1, x_2, …, at most H of them
	End    int   `json:"end"`    // the state after the last step, or that in which an episode without a step began
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
	case len(e.Points) > horizon:
		return strict.Invalid("/points", "%d steps in an episode of at most %d", len(e.Points), horizon)
	case e.Ending != nil && len(*e.Ending) > fmdp.MaxName:
		return strict.Invalid("/ending", "the name has %d bytes, more than %d", len(*e.Ending), fmdp.MaxName)
	case len(e.Rewards) != len(e.Points):
		return strict.Invalid("/rewards", "%d rewards for %d steps", len(e.Rewards), len(e.Points))
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

// Steps returns the steps of the episode over the variables of its space.
func (e *Episode) Steps(space *fmdp.Space) []TraceStep {
	steps, actions := make([]TraceStep, len(e.Points)), space.Actions()
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
