package experiment

import (
	"cmp"
	"context"
	"slices"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/strict"
)

// MaxTrace is the largest S·H of a trace, which lists V_h(s) and π_h(s).
const MaxTrace = 1 << 20

// Trace plays one agent in one run up to the given episode, counted from 1, and
// returns that episode in full. It is the episode that Run plays. If ctx ends before the
// episode, the error is that of ctx.
func (e *Experiment) Trace(ctx context.Context, run int, label string, episode int) (*record.Trace, error) {
	arm, err := e.player(run, label)
	if err != nil {
		return nil, err
	}
	if episode < 1 || episode > e.spec.Episodes {
		return nil, strict.Invalid("/episodes", "there is no episode %d; episodes are 1 to %d", episode, e.spec.Episodes)
	}
	t, err := e.truth(run)
	if err != nil {
		return nil, err
	}
	if err := t.checkTrace(); err != nil {
		return nil, err
	}
	p, err := t.enter(arm)
	if err != nil {
		return nil, err
	}
	for k, err := range p.episodes(ctx, episode) {
		if err != nil {
			return nil, err
		}
		if k.Number == episode {
			before := p.traceBeliefs()
			r, err := p.score(ctx, k)
			if err != nil {
				return nil, err
			}
			return p.trace(ctx, k, r, before)
		}
	}
	panic("experiment: episodes ended")
}

// checkTrace refuses a model whose traces would be too large.
func (t *truth) checkTrace() error {
	if t.vast { // no policy is listed
		return nil
	}
	if n := t.View.States() * t.View.Horizon; n > MaxTrace {
		return strict.Invalid("/domain/horizon", "a trace would list the values of %d states at %d steps, %d in all (S·H), more than %d", t.View.States(), t.View.Horizon, n, MaxTrace)
	}
	return nil
}

// trace returns the trace of an episode, given its record and the beliefs before it. The next
// episode does not change it. The error is that of ctx.
func (p *play) trace(ctx context.Context, e *agent.Episode, r *record.Record, before []record.TraceBelief) (*record.Trace, error) {
	m := p.View
	t := &record.Trace{
		Heading: strict.Heading{Format: record.TraceFormat, Version: 1}, Engine: record.Engine,
		Run: p.Run, Agent: p.label, Source: p.arm.Source, Episode: e.Number, Horizon: m.Horizon,
		Variables: document.NewVariables(&m.Space), Grid: p.Grid, View: document.View{Picture: p.Picture}, Record: *r,
		Sampled: p.traceModel(e.Model),
		True:    p.traceModel(&agent.Model{Graph: p.graph, Transition: m.Transition}),
	}
	if p.listed != nil {
		t.Sampled.Solved = p.solved(p.exact.Reward(e.Model), p.plan.Policy, p.plan.Values)
		t.True.Solved = p.solved(p.mdp.Reward, p.best, p.table)
	} else {
		t.Version = 2
	}
	t.SetLegal(&m.Space)
	if t.Source == document.Sampled { // else rows may repeat because nothing was seen
		t.Sampled.SetWhere(&m.Space, e.Model.Transition)
		if t.Sampled.Where != nil {
			t.True.SetWhere(&m.Space, m.Transition)
		}
	}
	for h, step := range e.Steps {
		tried, err := p.tried(ctx, e.Policy, h+1, step.Point[:m.Y()])
		if err != nil {
			return nil, err
		}
		t.Steps = append(t.Steps, record.TraceStep{X: slices.Clone(step.Point), Y: slices.Clone(step.Next), Reward: step.Reward, Tried: tried})
	}
	if len(e.Steps) == 0 {
		t.End = p.world.LastState()
	}
	t.Ending = p.ending()
	if before != nil {
		t.Before, t.After = before, p.traceBeliefs()
		t.Prior = document.NewGraph(p.known())
	}
	return t, nil
}

// tried returns what the search of a step liked best; nil if states are listed or nothing is searched.
func (p *play) tried(ctx context.Context, policy agent.Policy, h int, state []int) (list []record.TraceAction, err error) {
	searching, weighs := policy.(agent.Weigher)
	if p.listed != nil || !weighs {
		return nil, nil
	}
	weights, err := searching.Weigh(ctx, h, state)
	if err != nil {
		return nil, err
	}
	order := make([]int, 0, len(weights))
	for a := range weights {
		if weights[a].Trials > 0 {
			order = append(order, a)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[b].Value, weights[a].Value) })
	for _, a := range order[:min(record.TopActions, len(order))] {
		values := p.View.JointAction(make([]int, len(p.View.Action)), a)
		list = append(list, record.TraceAction{Action: values, Value: weights[a].Value, Trials: weights[a].Trials})
	}
	return list, nil
}

// ending returns the name of the ending of the last episode, or nil if it ended at the horizon.
func (p *play) ending() *string {
	if k := p.world.Ending(); k > 0 {
		return &p.View.Ends[k-1].Name
	}
	return nil
}

// traceModel returns a model for a trace.
func (p *play) traceModel(of *agent.Model) record.TraceModel {
	m := record.TraceModel{}
	if of.Graph != nil {
		m.Graph = document.NewGraph(of.Graph)
	}
	if of.Transition != nil {
		tables := slices.Clone(of.Transition)
		for j := range tables {
			tables[j].P = slices.Clone(tables[j].P)
		}
		m.SetTransition(&p.View.Space, tables)
	}
	return m
}

// solved returns the R(x) of a model, and its policy, for a trace.
func (p *play) solved(reward []float64, policy *planning.Policy, values *planning.Values) *record.Solved {
	m := &record.Solved{Reward: slices.Clone(reward), Value: values.Value(p.View.Initial)}
	for h := 1; h <= p.View.Horizon; h++ {
		m.V = append(m.V, values.At(make([]float64, p.View.States()), h))
		m.Policy = append(m.Policy, slices.Clone(policy.Rule(h)))
	}
	return m
}

// known returns the edges that the agent is certain of: every candidate parent set has them.
func (p *play) known() bigraph.Bigraph {
	g := make(bigraph.Bigraph, len(p.beliefs))
	for j, belief := range p.beliefs {
		g[j] = belief.Sets()[0]
		for _, z := range belief.Sets() {
			g[j] = g[j].Both(z)
		}
	}
	return g
}

// traceBeliefs returns the hyper-posterior of each Y variable for a trace, or nil for an
// agent without a belief.
func (p *play) traceBeliefs() []record.TraceBelief {
	var list []record.TraceBelief
	for j, belief := range p.beliefs {
		sets := belief.Sets()
		probabilities := belief.Probabilities(make([]float64, len(sets)))
		b := record.TraceBelief{
			Count:   len(sets),
			Edges:   belief.Edges(make([]float64, p.View.X()), probabilities),
			Entropy: graphEntropy(j, sets, probabilities, p.View.Trivial()),
		}
		for _, k := range posterior.Ranked(probabilities)[:min(record.TopSets, len(sets))] {
			b.Sets = append(b.Sets, record.TraceSet{Parents: sets[k].Parents(), P: probabilities[k], LogEvidence: belief.LogEvidence(k)})
		}
		list = append(list, b)
	}
	return list
}
