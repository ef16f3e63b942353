package render

import (
	"cpsrl/core/record"
)

// DrawEpisode returns the picture of the end of an episode that passes by: where it went
// and what the agent then believes, without values and policies. The trace is of any
// episode of the same agent in the same run. What the view says of moments, overlays, the
// focus and the values of edges has no effect.
func DrawEpisode(t *record.Trace, e *record.Episode, view View) (*Picture, error) {
	if (e.Record.Belief == nil) != (t.Before == nil) {
		return nil, invalid("/before", "the episode and the trace are of two agents: one has no belief")
	}
	off := false
	view.Moment, view.Step, view.H, view.Focus = Update, 0, 0, nil
	view.Values, view.Policy, view.Worth = &off, &off, nil
	return compose(ended(t, e), view, true)
}

// ended returns a trace of an episode that has what DrawEpisode shows.
func ended(t *record.Trace, e *record.Episode) *record.Trace {
	u := *t
	u.Episode, u.Record, u.Steps = e.Record.Episode, e.Record, e.Steps(&t.Space)
	u.Sampled.Graph = nil // its values and policy are of the trace's own episode, and are not drawn
	if belief := e.Record.Belief; belief != nil {
		u.Sampled.Graph = belief.Graph
		u.Before, u.After = beliefs(e.Before), beliefs(belief.Edges)
	}
	return &u
}

// beliefs returns a belief of which only the probabilities of edges are told.
func beliefs(edges [][]float64) []record.TraceBelief {
	list := make([]record.TraceBelief, len(edges))
	for j := range list {
		list[j].Edges = edges[j]
	}
	return list
}
