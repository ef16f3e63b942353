package experiment

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

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

// truth is the true model of a run, and what policies are worth in it. Episodes are scored against it.
type truth struct {
	*Instance
	*listed                 // nil if no list holds the states
	values  valuer          // nil if the truth is not solved
	graph   bigraph.Bigraph // z_*
	world   *agent.Simulation
	joint   []float64           // p_*; nil if it is too large or what agents see has no law
	weights [][]float64         // Δ_e by Y variable, then X variable; nil if records do not have the value recall
	weighed bool                // whether weights has been set; the first agent with a graph sets it
	before  [2][]posterior.Step // what agents have observed before the first episode
}

// truth returns the true model of a run, solved if it can be.
func (e *Experiment) truth(run int) (*truth, error) {
	t, err := e.unsolved(run)
	if err != nil {
		return nil, err
	}
	if t.listed != nil {
		t.solve()
	}
	return t, nil
}

// unsolved returns the true model of a run without its solution.
func (e *Experiment) unsolved(run int) (*truth, error) {
	in, err := e.Instance(run)
	if err != nil {
		return nil, err
	}
	if err := in.checkData(); err != nil {
		return nil, err
	}
	t := &truth{Instance: in, graph: in.View.Graph(), world: agent.NewSimulation(in.World, nil), before: in.before()}
	if !in.vast {
		return t, t.list()
	}
	if in.reached != nil {
		t.values = in.reached
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

// play is one agent in one run.
type play struct {
	*truth
	arm     arm.Arm
	label   string // that of the arm
	agent   agent.Agent
	beliefs []agent.Belief // nil if the agent has none
	world   *world
	rng     *posterior.Stream // the stream of the agent
	steps   agent.StepStreams // those of its policies
	plan    *agent.Table      // the policy of the present episode; nil if no list holds the states
	exact   *agent.Exact      // lists policies and rewards
	watch   *Stopwatch        // nil if nobody asks how long the agent takes
	shares  []float64         // scratch of updated
}

// enter returns the play of an agent before the first episode.
func (t *truth) enter(arm arm.Arm) (*play, error) {
	a, err := t.build(arm)
	if err != nil {
		return nil, err
	}
	for _, steps := range t.before {
		if len(steps) > 0 {
			a.Observe(steps)
		}
	}
	label := arm.Label()
	stream := func(purpose string) *posterior.Stream {
		return posterior.NewNamedStream(int64(t.spec.Seed), t.Run, label+" "+purpose)
	}
	if arm.Graph && !t.weighed {
		t.weights, t.weighed = t.edgeWeights(), true
	}
	p := &play{truth: t, arm: arm, label: label, agent: a, world: t.meet(label), rng: stream("belief")}
	p.exact = t.Task().Exact()
	p.steps = agent.NewStepStreams(int64(t.spec.Seed), t.Run, label)
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
	trivial, want, sum := p.View.Trivial(), bigraph.Of(), 0.0
	is := func(z bigraph.Scope) bool { return z.Without(trivial) == want }
	for j, belief := range p.beliefs {
		if want = p.graph[j].Without(trivial); !trivial.Has(j) {
			sum += belief.LogShare(is)
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
		odds, ok := belief.LogOdds(func(z bigraph.Scope) bool { return z.Contains(want) })
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
		planner, err := p.arm.Planner(p.Task())
		if err != nil {
			yield(nil, p.refusal(err, p.arm))
			return
		}
		for k, err := range agent.Episodes(ctx, p.agent, p.world, planner, p.rng, p.steps) {
			if err == nil {
				err = p.arm.CheckModel(k.Model)
			}
			if err == nil && p.listed != nil {
				p.plan, err = p.exact.TableOf(ctx, k.Model, k.Policy)
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

// world is the simulator of an agent. Each agent draws from a stream of its own. Only where no list holds the states,
// episodes of one number draw from one stream, whoever plays: there returns are compared, and under the same luck they
// differ less by chance.
type world struct {
	*agent.Simulation
	begin    func(episode int) // makes ready for an episode, from 1; nil if there is nothing to do
	episodes int
}

// meet returns the world as the agent of that label meets it.
func (t *truth) meet(label string) *world {
	luck := posterior.NewNamedStream(int64(t.spec.Seed), t.Run, label+" world")
	w := &world{Simulation: t.world.With(luck.Rand)}
	if t.vast {
		w.begin = func(episode int) {
			luck.Restore(posterior.NewNamedStream(int64(t.spec.Seed), t.Run, fmt.Sprint("world ", episode)).State())
		}
	}
	return w
}

// next makes ready for the next episode.
func (w *world) next() {
	if w.episodes++; w.begin != nil {
		w.begin(w.episodes)
	}
}

// Play implements [agent.World].
func (w *world) Play(ctx context.Context, policy agent.Policy) ([]posterior.Step, error) {
	w.next()
	return w.Simulation.Play(ctx, policy)
}

// value returns what the policy of an episode is worth, or nil if the truth is not solved.
func (p *play) value(ctx context.Context, e *agent.Episode) (*record.Valued, error) {
	if p.values == nil {
		return nil, nil
	}
	policy := e.Policy
	if p.plan != nil {
		policy = p.plan
	}
	value, err := p.values.ValueOf(ctx, policy)
	return record.NewValued(p.values.Optimal(), value), err
}

// score makes the agent learn from an episode and returns its record. The error is that of the policy, which is asked for
// its value, or of ctx.
func (p *play) score(ctx context.Context, e *agent.Episode) (*record.Record, error) {
	valued, err := p.value(ctx, e)
	if err != nil {
		return nil, err
	}
	before, depth := p.logTruth(), p.depth()
	p.watch.start()
	e.Learn()
	p.watch.stop()
	r := &record.Record{Run: p.Run, Agent: p.label, Episode: e.Number, Valued: valued, Return: e.Return()}
	if p.ends != nil {
		end := p.world.Ending()
		r.End = &end
	}
	if p.joint != nil && e.Model.Joint != nil {
		distance := fmdp.Distance(p.joint, e.Model.Joint) / float64(p.View.Points())
		r.ModelError = &distance
	}
	if p.plan != nil {
		r.Promise = new(p.plan.Values.Value(p.View.Initial))
	}
	if e.Model.Graph == nil && p.beliefs == nil {
		return r, nil
	}
	r.Belief = &record.Belief{LogTruth: before, Depth: depth, Updated: p.updated()}
	if graph := e.Model.Graph; graph != nil {
		r.Belief.Scored = &record.Scored{Graph: document.NewGraph(graph), Scores: bigraph.Compare(graph, p.graph, p.View.Trivial())}
		r.Belief.ValueRecall = valueRecall(p.weights, graph)
	}
	r.Belief.Payoffs = p.payoffs(e.Model)
	return r, nil
}

// payoffs returns the belief about each payoff whose scope is hidden and learned.
func (p *play) payoffs(of *agent.Model) (list []record.Payoff) {
	believer, ok := p.agent.(agent.PayoffBeliever)
	if !ok {
		return nil
	}
	names := document.Unscoped(p.View)
	for k, belief := range believer.PayoffBeliefs() {
		probabilities := belief.Probabilities(make([]float64, len(belief.Sets())))
		list = append(list, record.Payoff{
			Of: names[k], Parents: of.Payoffs[k].Parents(), Best: belief.Sets()[belief.Best()].Parents(),
			Edges: roundedEdges(belief, make([]float64, p.View.X()), probabilities), Entropy: posterior.Entropy(probabilities),
		})
	}
	return list
}

// updated returns the present belief, or nil if the agent has none.
func (p *play) updated() *record.Updated {
	if p.beliefs == nil {
		return nil
	}
	n, dX := len(p.beliefs), p.View.X()
	best, edges := make(bigraph.Bigraph, n), make([]float64, n*dX)
	u := &record.Updated{Edges: make([][]float64, n)}
	for j, belief := range p.beliefs {
		sets := len(belief.Sets())
		p.shares = slices.Grow(p.shares[:0], sets)[:sets]
		probabilities := belief.Probabilities(p.shares)
		best[j] = belief.Sets()[belief.Best()]
		u.Edges[j] = roundedEdges(belief, edges[j*dX:][:dX:dX], probabilities)
		u.Entropy += graphEntropy(j, belief.Sets(), probabilities, p.View.Trivial())
	}
	u.Best = document.NewGraph(best)
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
