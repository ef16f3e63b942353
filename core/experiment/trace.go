package experiment

import (
	"context"
	"slices"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/record"
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
		return nil, record.Invalid("/episodes", "there is no episode %d; episodes are 1 to %d", episode, e.spec.Episodes)
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
	before := p.traceBeliefs()
	for k, err := range p.episodes(episode) {
		switch {
		case err != nil:
			return nil, err
		case k.Number == episode:
			return p.trace(k, p.score(k), before), nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case k.Number == episode-1:
			before = p.traceBeliefs()
			p.weighTruth()
		}
	}
	panic("experiment: episodes ended")
}

// checkTrace refuses a model whose traces would be too large.
func (t *truth) checkTrace() error {
	if n := t.Model.States() * t.Model.Horizon; n > MaxTrace {
		return record.Invalid("/domain/horizon", "a trace would list the values of %d states at %d steps, %d in all (S·H), more than %d", t.Model.States(), t.Model.Horizon, n, MaxTrace)
	}
	return nil
}

// trace returns the trace of an episode, given its record and the beliefs before it. The next
// episode does not change it.
func (p *play) trace(e *agent.Episode, r *record.Record, before []record.TraceBelief) *record.Trace {
	m := p.Model
	t := &record.Trace{
		Heading: record.Heading{Format: record.TraceFormat, Version: 1}, Engine: record.Engine,
		Run: p.Run, Agent: p.label, Episode: e.Number, Horizon: m.Horizon,
		Space: m.Space, Grid: p.Grid, Record: *r,
		Sampled: p.traceModel(e.Sample.Transition, e.Sample.Reward, e.Policy, e.Values),
		True:    p.traceModel(m.Transition, p.mdp.Reward, p.best, p.values),
	}
	for h := range e.Steps {
		t.Steps = append(t.Steps, record.TraceStep{X: slices.Clone(e.Steps[h].Point), Y: slices.Clone(e.Steps[h].Next), Reward: e.Rewards[h]})
	}
	if before != nil {
		t.Before, t.After = before, p.traceBeliefs()
		t.Prior = record.NewGraph(p.known())
	}
	return t
}

// traceModel returns a model and its policy for a trace. If the model has no graph,
// transition is nil.
func (p *play) traceModel(transition []fmdp.Factor, reward []float64, policy *planning.Policy, values *planning.Values) record.TraceModel {
	m := record.TraceModel{Reward: slices.Clone(reward), Value: values.Value(p.Model.Initial)}
	if transition != nil {
		tables := slices.Clone(transition)
		for j := range tables {
			tables[j].P = slices.Clone(tables[j].P)
		}
		m.SetTransition(&p.Model.Space, tables)
	}
	for h := 1; h <= p.Model.Horizon; h++ {
		m.V = append(m.V, values.At(make([]float64, p.Model.States()), h))
		m.Policy = append(m.Policy, slices.Clone(policy.Rule(h)))
	}
	return m
}

// known returns the edges that the agent is certain of, which are in every parent set that
// it considers.
func (p *play) known() bigraph.Bigraph {
	beliefs := p.agent.(agent.Believer).Beliefs()
	g := make(bigraph.Bigraph, len(beliefs))
	for j, local := range beliefs {
		g[j] = local.Sets()[0]
		for _, z := range local.Sets() {
			g[j] &= z
		}
	}
	return g
}

// traceBeliefs returns the hyper-posterior of each Y variable for a trace, or nil for an
// agent without a graph.
func (p *play) traceBeliefs() []record.TraceBelief {
	believer, ok := p.agent.(agent.Believer)
	if !ok {
		return nil
	}
	var list []record.TraceBelief
	for j, local := range believer.Beliefs() {
		sets := local.Sets()
		probabilities := local.Probabilities(make([]float64, len(sets)))
		b := record.TraceBelief{
			Count:   len(sets),
			Edges:   local.Edges(make([]float64, p.Model.X()), probabilities),
			Entropy: p.entropy(j, sets, probabilities),
		}
		for _, k := range record.Ranked(probabilities)[:min(record.TopSets, len(sets))] {
			b.Sets = append(b.Sets, record.TraceSet{Parents: sets[k].Parents(), P: probabilities[k], LogEvidence: local.LogEvidence()[k]})
		}
		list = append(list, b)
	}
	return list
}
