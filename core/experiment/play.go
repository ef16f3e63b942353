package experiment

import (
	"context"
	"iter"
	"math"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/domain"
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
	mdp     *planning.MDP    // of the view; or, where agents do not see what matters, of the view's tables
	acting  *planning.MDP    // of the world, if that is no MDP of the view; else nil
	joint   []float64        // p_*; nil if it is too large or what agents see has no law
	best    *planning.Policy // π_*
	values  *planning.Values // V_*
	optimal float64          // V_*(π_*)
	weights [][]float64      // Δ_e by Y variable, then X variable; nil if records do not have the value recall
	weighed bool             // whether weights has been set; the first agent with a graph sets it
	before  []posterior.Step // what agents have observed before the first episode
}

func (e *Experiment) truth(run int) (*truth, error) {
	in, err := e.Instance(run)
	if err != nil {
		return nil, err
	}
	if err := in.checkData(); err != nil {
		return nil, err
	}
	m := in.View
	t := &truth{Instance: in, graph: m.Graph(), world: agent.NewSimulation(in.World, nil), before: in.before()}
	if m.Joint() <= fmdp.MaxJoint && in.Sight != domain.Blind {
		t.joint = make([]float64, m.Joint())
		if in.Sight == domain.Noisy {
			domain.SeenJoint(t.joint, in.World, m)
		} else {
			fmdp.Joint(t.joint, &m.Space, m.Transition)
		}
	}
	if t.mdp, err = planning.FromModel(m, t.joint); err != nil {
		return nil, in.refusal(err, arm.Arm{})
	}
	if in.Sight == domain.Noisy {
		if err := t.average(); err != nil {
			return nil, in.refusal(err, arm.Arm{})
		}
	}
	t.best, t.values = planning.Solve(t.mdp)
	t.optimal = t.values.Value(m.Initial)
	if in.Sight == domain.Blind {
		if t.acting, err = planning.FromModel(in.World, nil); err != nil {
			return nil, in.refusal(err, arm.Arm{})
		}
		_, values := planning.Solve(t.acting)
		t.optimal = values.Value(in.World.Initial)
	}
	return t, nil
}

// average replaces the law and the rewards of the view's MDP by their averages over the noise.
func (t *truth) average() error {
	m := t.View
	if t.joint != nil {
		t.mdp.Next = planning.NewDense(t.joint)
		t.mdp.Reward = make([]float64, m.Points())
		for f := range m.Reward {
			r := &m.Reward[f]
			planning.AddPayoffs(t.mdp.Reward, &m.Space, r.Given, r.Mean, r.Scale, planning.Law{Joint: t.joint})
		}
		return nil
	}
	laws, weights := domain.SeenLaws(t.World)
	next, err := planning.NewAveraged(&m.Space, laws, weights)
	if err != nil {
		return err
	}
	t.mdp.Next, t.mdp.Reward = next, make([]float64, m.Points())
	for k, law := range laws {
		for f := range m.Reward {
			r := &m.Reward[f]
			planning.AddPayoffs(t.mdp.Reward, &m.Space, r.Given, r.Mean, float64(weights[k]*r.Scale), planning.Law{Transition: law})
		}
	}
	return nil
}

// valueOf returns the value of a policy in the world.
func (t *truth) valueOf(policy *planning.Policy) float64 {
	if t.acting != nil {
		return planning.Return(t.acting, policy.Spread(t.World.States()/t.View.States()), t.World.Initial)
	}
	return planning.Return(t.mdp, policy, t.View.Initial)
}

// play is one agent in one run.
type play struct {
	*truth
	arm     arm.Arm
	label   string // that of the arm
	agent   agent.Agent
	beliefs []agent.Belief // nil if the agent has none
	world   *agent.Simulation
	rng     *posterior.Stream // the stream of the agent
}

// enter returns the play of an agent before the first episode.
func (t *truth) enter(arm arm.Arm) (*play, error) {
	a, err := t.build(arm)
	if err != nil {
		return nil, err
	}
	if len(t.before) > 0 {
		a.Observe(t.before)
	}
	label := arm.Label()
	stream := func(purpose string) *posterior.Stream {
		return posterior.NewNamedStream(int64(t.spec.Seed), t.Run, label+" "+purpose)
	}
	if arm.Graph && !t.weighed {
		t.weights, t.weighed = t.edgeWeights(), true
	}
	p := &play{truth: t, arm: arm, label: label, agent: a, world: t.world.With(stream("world").Rand), rng: stream("belief")}
	if believer, ok := a.(agent.Believer); ok {
		p.beliefs = believer.Beliefs()
	}
	return p, nil
}

// logTruth returns ln P(z_*) by the present belief; nil if it excludes z_* or there is none.
func (p *play) logTruth() *float64 {
	if p.beliefs == nil {
		return nil
	}
	trivial, sum := p.View.Trivial(), 0.0
	for j, belief := range p.beliefs {
		if !trivial.Has(j) {
			want := p.graph[j].Without(trivial)
			sum += belief.LogShare(func(z bigraph.Scope) bool { return z.Without(trivial) == want })
		}
	}
	if math.IsInf(sum, -1) {
		return nil
	}
	return &sum
}

// depth returns how deep each variable is in the trap, by the present belief; nil if the spec does not
// ask for it or there is no belief.
func (p *play) depth() (list []record.Depth) {
	if !p.spec.RecordsDepth() {
		return nil
	}
	trivial := p.View.Trivial()
	for j, belief := range p.beliefs {
		want := p.graph[j].Without(trivial)
		odds, ok := belief.LogOdds(func(z bigraph.Scope) bool { return z&want == want })
		if ok && !trivial.Has(j) {
			list = append(list, record.Depth{Of: j, LogOdds: odds})
		}
	}
	return list
}

// episodes plays the episodes up to the last one, each before the agent learns from it. An
// error of the planner, which is placed in the spec, or the end of ctx ends the sequence.
func (p *play) episodes(ctx context.Context, last int) iter.Seq2[*agent.Episode, error] {
	return func(yield func(*agent.Episode, error) bool) {
		if last == 0 {
			return
		}
		planner := p.Task().Exact()
		for k, err := range agent.Episodes(ctx, p.agent, p.world, planner, p.rng) {
			if err == nil {
				err = p.arm.CheckModel(k.Model)
			}
			if err != nil {
				yield(nil, p.refusal(err, p.arm))
				return
			}
			if !yield(k, nil) {
				return
			}
			if k.Number == last {
				k.Learn()
				return
			}
		}
	}
}

// score makes the agent learn from an episode and returns its record.
func (p *play) score(e *agent.Episode) *record.Record {
	before, depth := p.logTruth(), p.depth()
	e.Learn()
	r := &record.Record{Run: p.Run, Agent: p.label, Episode: e.Number, Optimal: p.optimal, Return: e.Return()}
	if p.ended != nil {
		end := p.world.Ending()
		r.End = &end
	}
	r.Value = p.valueOf(e.Policy)
	r.Regret = r.Optimal - r.Value
	if p.joint != nil && e.Model.Joint != nil {
		distance := fmdp.Distance(p.joint, e.Model.Joint) / float64(p.View.Points())
		r.ModelError = &distance
	}
	promise := e.Values.Value(p.View.Initial)
	r.Promise = &promise
	if e.Model.Graph == nil && p.beliefs == nil {
		return r
	}
	r.Belief = &record.Belief{LogTruth: before, Depth: depth, Updated: p.updated()}
	if graph := e.Model.Graph; graph != nil {
		r.Belief.Scored = &record.Scored{Graph: document.NewGraph(graph), Scores: bigraph.Compare(graph, p.graph, p.View.Trivial())}
		r.Belief.ValueRecall = valueRecall(p.weights, graph)
	}
	r.Belief.Payoffs = p.payoffs(e.Model)
	return r
}

// payoffs returns the belief about each payoff whose scope is hidden and learned.
func (p *play) payoffs(of *agent.Model) (list []record.Payoff) {
	believer, ok := p.agent.(agent.PayoffBeliever)
	if !ok {
		return nil
	}
	names := p.unscoped()
	for k, belief := range believer.PayoffBeliefs() {
		probabilities := belief.Probabilities(make([]float64, len(belief.Sets())))
		list = append(list, record.Payoff{
			Of: names[k], Parents: of.Payoffs[k].Parents(), Best: belief.Sets()[belief.Best()].Parents(),
			Edges: p.roundedEdges(belief, probabilities), Entropy: posterior.Entropy(probabilities),
		})
	}
	return list
}

// updated returns the present belief, or nil if the agent has none.
func (p *play) updated() *record.Updated {
	if p.beliefs == nil {
		return nil
	}
	u := &record.Updated{}
	for j, belief := range p.beliefs {
		probabilities := belief.Probabilities(make([]float64, len(belief.Sets())))
		u.Best = append(u.Best, belief.Sets()[belief.Best()].Parents())
		u.Edges = append(u.Edges, p.roundedEdges(belief, probabilities))
		u.Entropy += graphEntropy(j, belief.Sets(), probabilities, p.View.Trivial())
	}
	return u
}

// graphEntropy returns the entropy in bits of the parents of Y_j without the trivial
// variables, because no data can tell whether they are parents. The entropy of a trivial Y_j is 0.
func graphEntropy(j int, sets []bigraph.Scope, probabilities []float64, trivial bigraph.Scope) float64 {
	if trivial.Has(j) {
		return 0
	}
	return posterior.ParentEntropy(sets, probabilities, trivial)
}
