// Package experiment runs specs: it builds the problems and the agents, plays
// the episodes, and turns them into records, traces and summaries.
//
// Run index i meets the same true model under every agent (common random
// numbers), and every agent draws from its own streams, named by its label: to
// leave an agent out changes no byte of the others' records.
package experiment

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

// Instance is the problem of one run: a true model and the spec's prior on it.
type Instance struct {
	*domain.Problem
	Known bigraph.Bigraph // G_0
	spec  *record.Spec
}

// Problem builds the problem of the given run of a complete spec, with its
// prior. The prior is checked against the problem's variables.
func Problem(spec *record.Spec, run int) (*Instance, error) {
	p, err := build(spec, run)
	if err != nil {
		return nil, err
	}
	in := &Instance{Problem: p, spec: spec, Known: p.Suggested}
	if known := spec.Prior; known != nil {
		if known.Eta != nil {
			in.Known = p.Revealed(*known.Eta)
		} else if in.Known, err = record.Edges(known.Edges, "/prior/edges", &p.Model.Space); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func build(spec *record.Spec, run int) (*domain.Problem, error) {
	d := &spec.Domain
	rng := posterior.NewNamedStream(spec.Seed, run, "domain").Rand
	switch d.Name {
	case "random-fmdp":
		r := domain.Random{
			StateVariables: d.StateVariables, ActionVariables: d.ActionVariables, Values: d.Values,
			Parents: max(0, int(d.Parents)), MostParents: spec.Sparseness, Eta: suggestedEta, Horizon: d.Horizon,
		}
		if spec.BoundOf() == bigraph.Below {
			r.MostParents--
		}
		if spec.Prior != nil && spec.Prior.Eta != nil {
			r.Eta = *spec.Prior.Eta
		}
		p, err := domain.NewRandom(r, rng)
		return p, inDomain(err)
	case "taxi":
		return domain.NewTaxi(d.Grid, d.Horizon)
	case "figure1":
		return domain.NewFigure1(d.Horizon, rng)
	case "model":
		m, err := record.DecodeModel(d.Model)
		if err != nil {
			return nil, err
		}
		return domain.FromModel(m, rng), nil
	}
	panic("experiment: the spec is not complete")
}

// suggestedEta is the degree of prior knowledge in the paper's experiments.
const suggestedEta = 2

// inDomain moves the place of an error in the built model to the parameters.
func inDomain(err error) error {
	if e, ok := err.(*fmdp.InvalidError); ok {
		place := "/domain/stateVariables"
		switch e.Place {
		case "/horizon":
			place = "/domain/horizon"
		case "/transition":
			place = "/domain/parents"
		}
		return &fmdp.InvalidError{Place: place, Reason: e.Reason}
	}
	return err
}

// Prior returns the agent's prior G_0 with the spec's sparseness and bound.
func (in *Instance) Prior(a record.Agent) *bigraph.Prior {
	known := in.Known
	if a.Eta >= 0 {
		known = in.Revealed(a.Eta)
	}
	return &bigraph.Prior{
		X: in.Model.X(), Known: known, Sparseness: in.spec.Sparseness,
		Bound: in.spec.BoundOf(), Trivial: in.Model.Trivial(),
	}
}

// newAgent builds the agent of that label.
func (in *Instance) newAgent(a record.Agent) (agent.Agent, error) {
	p := &agent.Problem{Space: &in.Model.Space, Reward: in.Model.Reward}
	if in.spec.Update == "printed" {
		p.Update = posterior.Printed
	}
	if in.spec.Rewards == "learned" {
		if err := agent.Learnable(p.Reward); err != nil {
			return nil, err
		}
	} else {
		p.Rewards = make([]float64, in.Model.Points())
		in.Model.Rewards(p.Rewards)
	}
	switch a.Algorithm {
	case "psrl":
		return agent.NewPSRL(p)
	case "f-psrl":
		if a.Prior {
			return agent.NewFactored(p, in.Known)
		}
		return agent.NewFactored(p, in.Model.Graph())
	}
	prior := in.Prior(a)
	if err := record.CheckPrior(prior, &in.Model.Space); err != nil {
		e := err.(*fmdp.InvalidError)
		if in.spec.Prior != nil && in.spec.Prior.Edges != nil && a.Eta < 0 {
			return nil, &fmdp.InvalidError{Place: "/prior/edges", Reason: e.Reason}
		}
		return nil, &fmdp.InvalidError{Place: "/sparseness", Reason: e.Reason}
	}
	return agent.NewCausal(p, prior)
}

// Check says whether the runs of a complete spec can start: it builds the
// problem and the agents of the first.
func Check(spec *record.Spec) error {
	in, err := Problem(spec, spec.FirstRun)
	if err != nil {
		return err
	}
	if in.Model.Joint() > fmdp.MaxJoint {
		if _, err := planning.Choose(&in.Model.Space, in.Model.Transition, nil); err != nil {
			return err
		}
	}
	for _, label := range spec.Agents {
		a, err := record.ParseAgent(label)
		if err != nil {
			return err
		}
		if _, err := in.newAgent(a); err != nil {
			return err
		}
	}
	return nil
}

// Header returns the header of the spec's records.
func Header(spec *record.Spec) *record.Header {
	h := record.NewHeader(spec)
	if in, err := Problem(spec, spec.FirstRun); err == nil && in.Model.Joint() > fmdp.MaxJoint {
		h.ModelError = fmt.Sprintf("not computed: S²A is %s, above %d", fmdp.Saturated(in.Model.Joint()), fmdp.MaxJoint)
	}
	return h
}

// Run yields the records of the runs FirstRun, …, FirstRun+Runs−1 of a complete
// spec, in the order run, agent, episode. An error ends it.
func Run(spec *record.Spec) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for run := spec.FirstRun; run < spec.FirstRun+spec.Runs; run++ {
			in, err := Problem(spec, run)
			if err != nil {
				yield(nil, err)
				return
			}
			truth, err := newTruth(in)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, label := range spec.Agents {
				p, err := newPlay(truth, run, label)
				if err != nil {
					yield(nil, err)
					return
				}
				for range spec.Episodes {
					r, err := p.episode()
					if !yield(r, err) || err != nil {
						return
					}
				}
			}
		}
	}
}

// truth is the true model of a run, solved.
type truth struct {
	*Instance
	graph   bigraph.Bigraph
	movesIn [][]int32 // for each Y variable, the row of its table that every point selects
	paysIn  [][]int32 // for each reward factor, likewise
	mdp     *planning.MDP
	joint   []float64 // p_*, or nil where it is too large
	policy  *planning.Policy
	values  *planning.Values
	optimal float64 // V_*(π_*)
}

func newTruth(in *Instance) (*truth, error) {
	m := in.Model
	t := &truth{Instance: in, graph: m.Graph()}
	if m.Joint() <= fmdp.MaxJoint {
		t.joint = make([]float64, m.Joint())
		fmdp.Joint(t.joint, &m.Space, m.Transition)
	}
	var err error
	if t.mdp, err = planning.FromModel(m, t.joint); err != nil {
		return nil, err
	}
	for j := range m.Transition {
		t.movesIn = append(t.movesIn, m.RowOf(m.Transition[j].Given))
	}
	for f := range m.Reward {
		t.paysIn = append(t.paysIn, m.RowOf(m.Reward[f].Given))
	}
	t.policy, t.values = planning.Solve(t.mdp)
	t.optimal = t.values.Value(m.Initial)
	return t, nil
}

// play is one agent in one run.
type play struct {
	*truth
	run    int
	label  string
	parsed record.Agent
	agent  agent.Agent
	belief *posterior.Stream // what the agent samples
	world  *rand.Rand        // what the true model draws
	next   int               // the next episode, from 1

	steps   []posterior.Step // of the last episode
	rewards []float64
	sample  *agent.Sample
}

func newPlay(t *truth, run int, label string) (*play, error) {
	parsed, err := record.ParseAgent(label)
	if err != nil {
		return nil, err
	}
	a, err := t.newAgent(parsed)
	if err != nil {
		return nil, err
	}
	p := &play{
		truth: t, run: run, label: label, parsed: parsed, agent: a, next: 1,
		belief:  posterior.NewNamedStream(t.spec.Seed, run, label+" belief"),
		world:   posterior.NewNamedStream(t.spec.Seed, run, label+" world").Rand,
		steps:   make([]posterior.Step, t.Model.Horizon),
		rewards: make([]float64, t.Model.Horizon),
	}
	for h := range p.steps {
		p.steps[h] = posterior.Step{
			Point: make([]int, t.Model.X()), Next: make([]int, t.Model.Y()), Paid: make([]uint8, len(t.Model.Reward)),
		}
	}
	return p, nil
}

// sampleAndPlan is the first half of an episode (lines 5 and 6).
func (p *play) sampleAndPlan() (*planning.Policy, *planning.Values, error) {
	p.sample = p.agent.Sample(p.belief)
	mdp, err := p.sample.MDP(p.Model.Horizon, &p.Model.Space)
	if err != nil {
		return nil, nil, err
	}
	policy, values := planning.Solve(mdp)
	return policy, values, nil
}

// act rolls the policy out in the true model and returns the reward collected.
func (p *play) act(policy *planning.Policy) float64 {
	m := p.Model
	actions := m.Actions()
	total := 0.0
	state := fmdp.Draw(p.world, m.Initial)
	for h := range p.steps {
		step := &p.steps[h]
		x := state*actions + int(policy.Rule(h + 1)[state])
		m.Point(step.Point, x)
		for j := range m.Transition {
			step.Next[j] = fmdp.Draw(p.world, m.Transition[j].Row(int(p.movesIn[j][x])))
		}
		p.rewards[h] = p.pay(step, x)
		total += p.rewards[h]
		state = m.Index(step.Next)
	}
	return total
}

// pay draws the payoffs of one step, at the point of index x.
func (p *play) pay(step *posterior.Step, x int) float64 {
	reward := 0.0
	for f := range p.Model.Reward {
		r := &p.Model.Reward[f]
		mean := r.Mean[p.paysIn[f][x]]
		step.Paid[f] = 0
		if p.world.Float64() < mean {
			step.Paid[f] = 1
		}
		if r.Kind == fmdp.Bernoulli {
			reward += float64(r.Scale * float64(step.Paid[f]))
		} else {
			reward += mean
		}
	}
	return reward
}

// skip plays an episode without computing its record.
func (p *play) skip() error {
	policy, _, err := p.sampleAndPlan()
	if err != nil {
		return err
	}
	p.act(policy)
	p.agent.Observe(p.steps)
	p.next++
	return nil
}

// episode plays an episode and returns its record.
func (p *play) episode() (*record.Record, error) {
	policy, _, err := p.sampleAndPlan()
	if err != nil {
		return nil, err
	}
	return p.finish(policy), nil
}

// finish acts, scores and updates.
func (p *play) finish(policy *planning.Policy) *record.Record {
	r := &record.Record{Run: p.run, Agent: p.label, Episode: p.next, Optimal: p.optimal}
	r.Return = p.act(policy)
	r.Value = planning.Evaluate(p.mdp, policy).Value(p.Model.Initial)
	r.Regret = r.Optimal - r.Value
	if p.joint != nil {
		e := fmdp.Distance(p.joint, p.sample.Joint) / float64(p.Model.Points())
		r.ModelError = &e
	}
	p.agent.Observe(p.steps)
	if p.sample.Graph != nil {
		r.Belief = p.describe()
	}
	p.next++
	return r
}

// describe is the sampled graph and the belief after the update.
func (p *play) describe() *record.Belief {
	trivial := p.Model.Trivial()
	scores := bigraph.Compare(p.sample.Graph, p.graph, trivial)
	b := &record.Belief{
		Graph: record.NewGraph(p.sample.Graph), Superset: scores.Superset,
		Recall: scores.Recall, Precision: scores.Precision, Parents: scores.Parents,
	}
	for _, local := range p.agent.Beliefs() {
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
