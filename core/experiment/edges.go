package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
	"cpsrl/core/worth"
)

// MaxEdgeSamples is the largest number of models that [Experiment.Edges] samples.
const MaxEdgeSamples = 1000

// Edges plays one agent in one run up to the given episode, 0 for none, and returns the
// agent's belief about every edge: its probability, and its expected value over sampled
// models, where a missing edge has the value 0. The samples have their own random stream.
// If ctx ends, the error is that of ctx.
func (e *Experiment) Edges(ctx context.Context, run int, label string, episode, samples int, by worth.Averaging) (*worth.BeliefEdges, error) {
	arm, err := e.player(run, label)
	switch {
	case err != nil:
		return nil, err
	case !arm.Believes || !arm.Factored:
		return nil, strict.Invalid("/agents", "%q has no belief about a graph, and so no edges", param.Clip(label))
	case episode < 0 || episode > e.spec.Episodes:
		return nil, strict.Invalid("/episodes", "there are no %d episodes; there are %d", episode, e.spec.Episodes)
	case samples < 1 || samples > MaxEdgeSamples:
		return nil, fmt.Errorf("%d samples; from 1 to %d may be asked for", samples, MaxEdgeSamples)
	}
	t, err := e.truth(run)
	if err == nil && t.vast {
		err = t.unvalued()
	}
	if err != nil {
		return nil, err
	}
	if n := t.View.Joint(); by == worth.ByOccupancy && n > fmdp.MaxJoint { // before any episode is played
		return nil, strict.Invalid("/domain", "%v", worth.OccupancyTooLarge(n))
	}
	p, err := t.enter(arm)
	if err != nil {
		return nil, err
	}
	for _, err := range p.episodes(ctx, episode) {
		if err != nil {
			return nil, err
		}
	}
	doc, err := p.believedEdges(ctx, samples, by)
	if err != nil {
		return nil, t.refusal(err, arm)
	}
	doc.Run, doc.Agent, doc.Episode = run, arm.Label(), episode
	return doc, nil
}

// believedEdges returns the probability and the value of every edge in the agent's belief.
func (p *play) believedEdges(ctx context.Context, samples int, by worth.Averaging) (*worth.BeliefEdges, error) {
	m := p.View
	doc := &worth.BeliefEdges{Samples: samples, Average: string(by)}
	for j, belief := range p.beliefs {
		edges := belief.Edges(make([]float64, m.X()), belief.Probabilities(make([]float64, len(belief.Sets()))))
		for i, q := range edges {
			doc.Edges = append(doc.Edges, worth.BelievedEdge{From: m.Var(i).Name, To: m.State[j].Name, P: q})
		}
	}
	at := func(i, j int) *worth.BelievedEdge { return &doc.Edges[j*m.X()+i] }
	truth, err := worth.New(worth.ProblemOf(m), m.Transition, by)
	if err == nil {
		err = truth.Edges(ctx, func(i, j int, value float64) { at(i, j).True = &value })
	}
	if err != nil {
		return nil, err
	}
	rng := posterior.NewNamedStream(int64(p.spec.Seed), p.Run, p.label+" edges")
	for range samples {
		of := p.agent.Model(rng)
		v, err := worth.New(p.sampled(of), of.Transition, by)
		if err == nil {
			err = v.Edges(ctx, func(i, j int, value float64) { at(i, j).Value += value / float64(samples) })
		}
		if err != nil {
			return nil, err
		}
		doc.Value += v.Value / float64(samples)
	}
	slices.SortStableFunc(doc.Edges, func(a, b worth.BelievedEdge) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.P, a.P))
	})
	return doc, nil
}

// sampled returns the problem of a sampled model. Learned rewards are R_k(x), whatever the law.
func (p *play) sampled(of *agent.Model) *worth.Problem {
	m, task := p.View, p.Task()
	learned := p.exact.Reward(of)
	reward := func(law planning.Law) []float64 {
		if !task.Known {
			return learned
		}
		return p.exact.Reward(&agent.Model{Transition: law.Transition, Joint: law.Joint, Reward: of.Reward})
	}
	return &worth.Problem{Space: &m.Space, Horizon: m.Horizon, Initial: m.Initial, Ended: p.ends.List(), Reward: reward}
}

// edgeWeights returns Δ_e in the true model by Y variable, then X variable, with 0 where
// there is no edge. It returns nil if that takes more than mostEdgeWork operations.
func (t *truth) edgeWeights() [][]float64 {
	m := t.View
	if t.vast || edgeWork(t.Instance) > mostEdgeWork {
		return nil
	}
	v, err := worth.New(worth.ProblemOf(m), m.Transition, worth.ByNumber)
	if err != nil {
		return nil
	}
	weights := make([][]float64, m.Y())
	for j := range weights {
		weights[j] = make([]float64, m.X())
	}
	if v.Edges(context.Background(), func(i, j int, value float64) { weights[j][i] = value }) != nil {
		return nil
	}
	return weights
}

// mostEdgeWork limits the work for the value recall, in operations. The records of a run have
// the value recall if the values of all true edges take no more work than that, a few hundredths
// of a second. The estimate assumes that planning stops early where rows are random. Where rows
// are nearly deterministic, planning does not, and takes up to a hundred times as long.
const mostEdgeWork = 6e7

// edgeWork estimates the number of operations that value the edges of the true model: a
// plan and its return for each edge.
func edgeWork(in *Instance) float64 {
	m := in.View
	steps := float64(m.Horizon)
	if in.spec.Domain.Kind().Mixes {
		steps = mixing(m.Horizon)
	}
	return float64(m.Graph().Edges()) * 2 * multiply(planning.Cost(&m.Space, m.Transition)) * steps
}

// valueRecall returns Σ Δ_e over the sampled true edges, divided by Σ Δ_e over all true
// edges. It is 1 if no edge has a value, and nil without weights.
func valueRecall(weights [][]float64, sampled bigraph.Bigraph) *float64 {
	if weights == nil {
		return nil
	}
	found, all := 0.0, 0.0
	for j, row := range weights {
		for i, w := range row {
			all += w
			if sampled[j].Has(i) {
				found += w
			}
		}
	}
	recall := 1.0
	if all > 0 {
		recall = min(1, found/all)
	}
	return &recall
}
