package experiment

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"cpsrl/core/agent"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

// MaxTold is the largest count of numbers that [Experiment.Episodes] may return: in each
// episode, a point and a reward for each step, and three numbers for each edge.
const MaxTold = 1 << 24

// player returns the agent with that label, or an error if there is no such agent or run.
func (e *Experiment) player(run int, label string) (agent.Arm, error) {
	s := e.spec
	arm, known := e.Arm(label)
	switch {
	case run < s.FirstRun || run >= s.FirstRun+s.Runs:
		return arm, record.Invalid("/runs", "there is no run %d; runs are %d to %d", run, s.FirstRun, s.FirstRun+s.Runs-1)
	case !known:
		return arm, record.Invalid("/agents", "there is no agent %q", param.Clip(label))
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

// Tell is [Experiment.Episodes] with the traces of the episodes that inFull names. Each trace is the one
// that Trace returns, without playing the run again.
func (e *Experiment) Tell(ctx context.Context, run int, label string, last int, inFull func(episode int) bool) (iter.Seq2[Told, error], error) {
	arm, err := e.player(run, label)
	if err != nil {
		return nil, err
	}
	if last < 1 || last > e.spec.Episodes {
		return nil, record.Invalid("/episodes", "there is no episode %d; episodes are 1 to %d", last, e.spec.Episodes)
	}
	t, err := e.truth(run)
	if err != nil {
		return nil, err
	}
	if each := 2*t.Model.Horizon + 3*t.Model.X()*t.Model.Y(); each > MaxTold/last {
		return nil, record.Invalid("/episodes", "%d episodes would list %d numbers each, steps and edges, more than %d in all", last, each, MaxTold)
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
		var before [][]float64 // nil for an agent without a graph
		if believer, ok := p.agent.(agent.Believer); ok {
			for _, local := range believer.Beliefs() {
				before = append(before, p.roundedEdges(local, local.Probabilities(make([]float64, len(local.Sets())))))
			}
		}
		var beliefs []record.TraceBelief // before an episode in full
		if inFull(1) {
			beliefs = p.traceBeliefs()
		}
		for k, err := range p.episodes(last) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				yield(Told{}, err)
				return
			}
			told := Told{Episode: &record.Episode{Before: before, Record: *p.score(k), Rewards: slices.Clone(k.Rewards)}}
			space := &p.Model.Space
			for h := range k.Steps {
				told.Points = append(told.Points, space.Index(k.Steps[h].Point))
				told.End = space.Index(k.Steps[h].Next)
			}
			if told.Record.Belief != nil {
				before = told.Record.Belief.Edges
			}
			if inFull(k.Number) {
				told.Trace = p.trace(k, &told.Record, beliefs)
			}
			if inFull(k.Number + 1) {
				beliefs = p.traceBeliefs()
			}
			if !yield(told, nil) {
				return
			}
		}
	}, nil
}

// roundedEdges returns P(X_i → Y_j) for each X_i, rounded as in records, given the
// probabilities of the parent sets.
func (p *play) roundedEdges(local *posterior.Local, probabilities []float64) []float64 {
	edges := local.Edges(make([]float64, p.Model.X()), probabilities)
	for i := range edges {
		edges[i] = record.Round4(edges[i])
	}
	return edges
}
