package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

// MaxTrace is the largest S·H of a trace: it lists V_h(s) and π_h(s).
const MaxTrace = 1 << 20

// Trace plays one agent of a complete spec in one run up to the given episode,
// from 1, and returns the moments of that episode: exactly what Run played. When
// ctx ends, Trace plays no further episode on the way and returns ctx's cause.
func Trace(ctx context.Context, spec *record.Spec, run int, label string, episode int) (*record.Trace, error) {
	switch {
	case run < spec.FirstRun || run >= spec.FirstRun+spec.Runs:
		return nil, &fmdp.InvalidError{Place: "/runs", Reason: fmt.Sprintf("there is no run %d; runs are %d to %d", run, spec.FirstRun, spec.FirstRun+spec.Runs-1)}
	case !slices.Contains(spec.Agents, label):
		return nil, &fmdp.InvalidError{Place: "/agents", Reason: fmt.Sprintf("there is no agent %q", label)}
	case episode < 1 || episode > spec.Episodes:
		return nil, &fmdp.InvalidError{Place: "/episodes", Reason: fmt.Sprintf("there is no episode %d; episodes are 1 to %d", episode, spec.Episodes)}
	}
	in, err := Problem(spec, run)
	if err != nil {
		return nil, err
	}
	if n := in.Model.States() * in.Model.Horizon; n > MaxTrace {
		return nil, fmdp.Invalid("/domain/horizon", "a trace would list the values of %d states at %d steps, %d in all (S·H), more than %d", in.Model.States(), in.Model.Horizon, n, MaxTrace)
	}
	truth, err := newTruth(in)
	if err != nil {
		return nil, err
	}
	p, err := newPlay(truth, run, label)
	if err != nil {
		return nil, err
	}
	for p.next < episode {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := p.skip(); err != nil {
			return nil, err
		}
	}
	before := p.beliefs()
	policy, values, err := p.sampleAndPlan()
	if err != nil {
		return nil, err
	}
	sampled := p.traceModel(p.sample.Reward, policy, values)
	if p.sample.Transition != nil {
		sampled.SetTransition(&in.Model.Space, p.sample.Transition)
	}
	t := record.NewTrace(&in.Model.Space, in.Model.Horizon, p.finish(policy))
	t.Sampled = sampled
	t.True = p.traceModel(p.mdp.Reward, p.policy, p.values)
	t.True.SetTransition(&in.Model.Space, in.Model.Transition)
	for h := range p.steps {
		t.Steps = append(t.Steps, record.TraceStep{X: p.steps[h].Point, Y: p.steps[h].Next, Reward: p.rewards[h]})
	}
	if before != nil {
		t.Before, t.After = before, p.beliefs()
		t.Prior = record.NewGraph(in.Prior(p.parsed).Known)
		if p.parsed.Algorithm == "f-psrl" {
			t.Prior = t.Sampled.Graph
		}
	}
	if g := in.Grid; g != nil {
		grid := record.Grid(*g)
		t.Grid = &grid
	}
	return t, nil
}

func (p *play) traceModel(reward []float64, policy *planning.Policy, values *planning.Values) record.TraceModel {
	m := record.TraceModel{Reward: slices.Clone(reward), Value: values.Value(p.Model.Initial)}
	for h := 1; h <= p.Model.Horizon; h++ {
		m.V = append(m.V, values.At(make([]float64, p.Model.States()), h))
		m.Policy = append(m.Policy, policy.Rule(h))
	}
	return m
}

// beliefs describes the hyper-posterior of each Y variable; nil without a graph.
func (p *play) beliefs() []record.TraceBelief {
	var list []record.TraceBelief
	for _, local := range p.agent.Beliefs() {
		sets := local.Sets()
		probabilities := local.Probabilities(make([]float64, len(sets)))
		b := record.TraceBelief{
			Count:   len(sets),
			Edges:   local.Edges(make([]float64, p.Model.X()), probabilities),
			Entropy: posterior.Entropy(probabilities),
		}
		for _, k := range Ranked(probabilities)[:min(record.TopSets, len(sets))] {
			b.Sets = append(b.Sets, record.NewTraceSet(sets[k], probabilities[k], local.LogEvidence()[k]))
		}
		list = append(list, b)
	}
	return list
}

// Ranked returns the indices of the probabilities, the largest first, ties in
// their order.
func Ranked(probabilities []float64) []int {
	order := make([]int, len(probabilities))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(probabilities[b], probabilities[a]) })
	return order
}
