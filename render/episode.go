package render

import (
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// DrawEpisode returns the picture of the end of an episode: its steps and the belief after
// it, without values and policies. The trace is of any episode of the same agent in the
// same run. The view's moment, overlays, focus and values of edges have no effect.
func DrawEpisode(t *record.Trace, e *record.Episode, view StageView) (*Picture, error) {
	if (e.Before == nil) != (t.Before == nil) {
		return nil, strict.Invalid("/before", "the episode and the trace are of two agents: one has no belief")
	}
	off := false
	view.Moment, view.Step, view.H, view.Focus = Update, 0, 0, nil
	view.Values, view.Policy, view.Worth = &off, &off, nil
	return compose(ended(t, e), view, true)
}

// ended returns a trace with the parts of an episode that DrawEpisode shows.
func ended(t *record.Trace, e *record.Episode) *record.Trace {
	u := *t
	u.Episode, u.Record, u.Steps = e.Record.Episode, e.Record, e.Steps(t.Space())
	u.Sampled.Graph, u.Sampled.Where = nil, nil // the sampled values and policy are those of t's episode, and are not drawn
	u.Ending, u.End = e.Ending, nil
	if len(u.Steps) == 0 {
		u.End = e.Last(t.Space())
	}
	belief := e.Record.Belief
	if belief != nil && belief.Scored != nil {
		u.Sampled.Graph = belief.Graph
	}
	if e.Before != nil {
		u.Before, u.After = beliefs(e.Before), beliefs(belief.Edges)
	}
	return &u
}

// beliefs returns a belief with only the probabilities of edges.
func beliefs(edges [][]float64) []record.TraceBelief {
	list := make([]record.TraceBelief, len(edges))
	for j := range list {
		list[j].Edges = edges[j]
	}
	return list
}
