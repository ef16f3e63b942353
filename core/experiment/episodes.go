package experiment

import (
	"context"
	"iter"
	"slices"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// MaxTold is the largest count of numbers that [Experiment.Episodes] may return: in each
// episode, a point and a reward for each step, and three numbers for each edge.
const MaxTold = 1 << 24

// player returns the agent with that label, in any form that [Experiment.Label] reads, or an error if there
// is no such agent or run.
func (e *Experiment) player(run int, label string) (arm.Arm, error) {
	s := e.spec
	arm, known := e.Arm(arm.Canonical(label))
	switch {
	case run < s.FirstRun || run >= s.FirstRun+s.Runs:
		return arm, strict.Invalid("/runs", "there is no run %d; runs are %d to %d", run, s.FirstRun, s.FirstRun+s.Runs-1)
	case !known:
		return arm, strict.Invalid("/agents", "there is no agent %q", param.Clip(label))
	}
	return arm, nil
}

// Told is an episode in short form and, if it was asked for, in full.
type Told struct {
	*record.Episode
	Trace *record.Trace
}

// Episodes yields the episodes of one agent in one run, from the first to the given last
// one, in short form. They are the episodes that Run plays; Trace returns one of them in
// full. An error ends the sequence; if ctx ends, it is that of ctx. The sequence can be
// read once.
func (e *Experiment) Episodes(ctx context.Context, run int, label string, last int) (iter.Seq2[*record.Episode, error], error) {
	told, err := e.Tell(ctx, run, label, last, func(int) bool { return false })
	if err != nil {
		return nil, err
	}
	return func(yield func(*record.Episode, error) bool) {
		for t, err := range told {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(t.Episode, nil) {
				return
			}
		}
	}, nil
}

// Tell is [Experiment.Episodes] with the traces of the episodes that inFull names. Each trace is the
// one that Trace returns, without playing the run again. An episode's Before is the memory of the
// edges in the record before it.
func (e *Experiment) Tell(ctx context.Context, run int, label string, last int, inFull func(episode int) bool) (iter.Seq2[Told, error], error) {
	arm, err := e.player(run, label)
	if err != nil {
		return nil, err
	}
	if last < 1 || last > e.spec.Episodes {
		return nil, strict.Invalid("/episodes", "there is no episode %d; episodes are 1 to %d", last, e.spec.Episodes)
	}
	t, err := e.truth(run)
	if err != nil {
		return nil, err
	}
	numbered := t.View.CheckPoints() == nil // else points are told by their values
	each := 2*t.View.Horizon + 3*t.View.X()*t.View.Y()
	if !numbered {
		each += t.View.Horizon * t.View.X()
	}
	if each > MaxTold/last {
		return nil, strict.Invalid("/episodes", "%d episodes would list %d numbers each, steps and edges, more than %d in all", last, each, MaxTold)
	}
	for k := 1; k <= last; k++ {
		if inFull(k) {
			if err := t.checkTrace(); err != nil {
				return nil, err
			}
			break
		}
	}
	p, err := t.enter(arm)
	if err != nil {
		return nil, err
	}
	return func(yield func(Told, error) bool) {
		before := p.edges()
		for k, err := range p.episodes(ctx, last) {
			if err != nil {
				yield(Told{}, err)
				return
			}
			var beliefs []record.TraceBelief // before an episode in full
			if inFull(k.Number) {
				beliefs = p.traceBeliefs()
			}
			r, err := p.score(ctx, k)
			if err != nil {
				yield(Told{}, err)
				return
			}
			space := &p.View.Space
			told := Told{Episode: &record.Episode{Rewards: make([]float64, 0, len(k.Steps)), Ending: p.ending(), Before: before, Record: *r}}
			if numbered {
				told.Points, told.End = make([]int, 0, len(k.Steps)), space.Index(p.world.LastState())
			}
			for _, step := range k.Steps {
				if numbered {
					told.Points = append(told.Points, space.Index(step.Point))
				} else {
					told.Path = append(told.Path, slices.Clone(step.Point))
				}
				told.Rewards = append(told.Rewards, step.Reward)
			}
			if !numbered {
				told.Path = append(told.Path, p.world.LastState())
			}
			if belief := told.Record.Belief; before != nil {
				before = belief.Edges
			}
			if inFull(k.Number) {
				if told.Trace, err = p.trace(ctx, k, &told.Record, beliefs); err != nil {
					yield(Told{}, err)
					return
				}
			}
			if !yield(told, nil) {
				return
			}
		}
	}, nil
}

// edges returns P(X_i → Y_j) by the present belief, one row for each Y_j, rounded as in
// records; nil if the agent has no belief.
func (p *play) edges() (list [][]float64) {
	for _, belief := range p.beliefs {
		list = append(list, roundedEdges(belief, make([]float64, p.View.X()), belief.Probabilities(make([]float64, len(belief.Sets())))))
	}
	return list
}

// roundedEdges writes P(X_i → Y_j) for each X_i into dst, rounded as in records, given the
// probabilities of the parent sets, and returns dst.
func roundedEdges(belief agent.Belief, dst, probabilities []float64) []float64 {
	edges := belief.Edges(dst, probabilities)
	for i := range edges {
		edges[i] = record.Round4(edges[i])
	}
	return edges
}
