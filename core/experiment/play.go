package experiment

import (
	"iter"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

// truth is the true model of a run with its solution. Episodes are scored against it.
type truth struct {
	*Instance
	graph   bigraph.Bigraph // z_*
	world   *agent.Simulation
	mdp     *planning.MDP
	joint   []float64        // p_*; nil if it is too large
	best    *planning.Policy // π_*
	values  *planning.Values // V_*
	optimal float64          // V_*(π_*)
}

func (e *Experiment) truth(run int) (*truth, error) {
	in, err := e.Instance(run)
	if err != nil {
		return nil, err
	}
	m := in.Model
	t := &truth{Instance: in, graph: m.Graph(), world: agent.NewSimulation(m, nil)}
	if m.Joint() <= fmdp.MaxJoint {
		t.joint = make([]float64, m.Joint())
		fmdp.Joint(t.joint, &m.Space, m.Transition)
	}
	if t.mdp, err = planning.FromModel(m, t.joint); err != nil {
		return nil, in.refusal(err, agent.Arm{}, nil)
	}
	t.best, t.values = planning.Solve(t.mdp)
	t.optimal = t.values.Value(m.Initial)
	return t, nil
}

// play is one agent in one run.
type play struct {
	*truth
	label string
	agent agent.Agent
	world agent.World
	rng   *posterior.Stream // the agent draws from it
}

// enter returns the play of an agent that has seen nothing.
func (t *truth) enter(arm agent.Arm) (*play, error) {
	a, err := t.build(arm)
	if err != nil {
		return nil, err
	}
	label := arm.Label()
	stream := func(purpose string) *posterior.Stream {
		return posterior.NewNamedStream(int64(t.spec.Seed), t.Run, label+" "+purpose)
	}
	return &play{t, label, a, t.world.With(stream("world").Rand), stream("belief")}, nil
}

// episodes plays without end.
func (p *play) episodes() iter.Seq2[*agent.Episode, error] {
	return agent.Episodes(p.agent, p.world, &agent.Exact{Space: &p.Model.Space, Horizon: p.Model.Horizon}, p.rng)
}

// score returns the record of an episode that the agent has just learned from.
func (p *play) score(e *agent.Episode) *record.Record {
	r := &record.Record{Run: p.Run, Agent: p.label, Episode: e.Number, Optimal: p.optimal}
	for _, reward := range e.Rewards {
		r.Return += reward
	}
	r.Value = planning.Evaluate(p.mdp, e.Policy).Value(p.Model.Initial)
	r.Regret = r.Optimal - r.Value
	if p.joint != nil && e.Sample.Joint != nil {
		distance := fmdp.Distance(p.joint, e.Sample.Joint) / float64(p.Model.Points())
		r.ModelError = &distance
	}
	if believer, ok := p.agent.(agent.Believer); ok {
		r.Belief = p.recordBelief(e.Sample.Graph, believer)
	}
	return r
}

// recordBelief describes the sampled graph, its scores, and the belief after the
// update.
func (p *play) recordBelief(sampled bigraph.Bigraph, a agent.Believer) *record.Belief {
	b := &record.Belief{Graph: record.NewGraph(sampled), Scores: bigraph.Compare(sampled, p.graph, p.Model.Trivial())}
	for _, local := range a.Beliefs() {
		probabilities := local.Probabilities(make([]float64, len(local.Sets())))
		edges := local.Edges(make([]float64, p.Model.X()), probabilities)
		for i := range edges {
			edges[i] = record.Round4(edges[i])
		}
		b.Best = append(b.Best, local.Sets()[local.Best()].Parents())
		b.Edges = append(b.Edges, edges)
		b.Entropy += posterior.Entropy(probabilities)
	}
	return b
}
