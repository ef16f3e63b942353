// Package experiment runs specs. [New] turns a spec into an [Experiment], which is
// ready to run: its methods return its records, traces, problems, cost, title and
// link. Package results reads records.
//
// In run i all agents meet the same true model (common random numbers). Every agent
// draws from its own streams, named by its label, so leaving an agent out changes no
// byte of the other agents' records.
//
// # Goroutines and memory
//
// An Experiment does not change: its methods may be called by several goroutines
// at once, and several sequences may be read at once. A sequence belongs to one goroutine
// at a time. Records belong to the caller. Specs, arms, instances and traces share memory
// with the experiment; the caller must not change them.
package experiment

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Experiment is a spec that has been completed and checked, and can run.
type Experiment struct {
	spec  *spec.Spec // complete
	arms  []arm.Arm
	first *Instance // the problem of the first run
}

// New completes a copy of the spec and returns its experiment. If the spec cannot be
// completed, the error is a *[strict.InvalidError]; if the problem or an agent cannot be
// built, a *[Refusal]. It names the place in the spec.
func New(s *spec.Spec) (*Experiment, error) { return NewContext(context.Background(), s) }

// NewContext is [New] with a context, because a large experiment takes seconds to check.
// If ctx ends, it returns the error of ctx before the next agent.
func NewContext(ctx context.Context, s *spec.Spec) (*Experiment, error) {
	e, err := parse(s)
	if err != nil {
		return nil, err
	}
	if e.first, err = e.build(e.spec.FirstRun); err != nil {
		return nil, &Refusal{Spec: e.spec, Err: err}
	}
	switch err := e.Ready(ctx); {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, &Refusal{Spec: e.spec, Instance: e.first, Err: err}
	}
	return e, nil
}

// Open is [New] without the check that the agents can play: the experiment of a file of records
// may be too large for this engine, and Ready says so.
func Open(s *spec.Spec) (*Experiment, error) {
	e, err := parse(s)
	if err != nil {
		return nil, err
	}
	if e.first, err = e.build(e.spec.FirstRun); err != nil {
		return nil, err
	}
	return e, nil
}

// Outline returns the variables and the true graph of a run. The tables of the model may be
// missing, so the problem may be too large to plan in.
func (e *Experiment) Outline(run int) (*fmdp.Model, error) {
	if run == e.first.Run {
		return e.first.View, nil
	}
	in, err := e.outline(run, true)
	if err != nil {
		return nil, err
	}
	return in.View, nil
}

// Uncertain returns the model of a run, and the edges of which an agent is uncertain before its first step: some of the
// parent sets that it believes possible have them, and others do not. They are nil if it has no belief.
func (e *Experiment) Uncertain(run int, of arm.Arm) (*fmdp.Model, bigraph.Bigraph, error) {
	in, err := e.Instance(run)
	if err != nil {
		return nil, nil, err
	}
	a, err := in.build(of)
	if err != nil {
		return nil, nil, err
	}
	believer, ok := a.(agent.Believer)
	if !ok {
		return in.View, nil, nil
	}
	var open bigraph.Bigraph
	for _, belief := range believer.Beliefs() {
		sets := belief.Sets()
		some, all := sets[0], sets[0]
		for _, z := range sets {
			some, all = some.Union(z), all.Both(z)
		}
		open = append(open, some.Without(all))
	}
	return in.View, open, nil
}

// Ready returns an error if the experiment cannot run. An experiment from [New] can
// begin to run; one from [Open] may be too large for this engine. A later
// run, or a graph that an agent samples, may still be too costly to plan in: then Run ends
// with an error. If ctx ends, the error is that of ctx.
func (e *Experiment) Ready(ctx context.Context) error { return e.first.check(ctx, e.arms) }

// First returns the experiment with only that number of runs, the first ones.
func (e *Experiment) First(runs int) *Experiment {
	s := e.spec.Clone()
	s.Runs = runs
	return &Experiment{s, e.arms, e.first}
}

// Alone returns the experiment with only one agent in one of its runs.
func (e *Experiment) Alone(run int, label string) (*Experiment, error) {
	of, err := e.player(run, label)
	if err != nil {
		return nil, err
	}
	s := e.spec.Clone()
	s.Agents, s.FirstRun, s.Runs = []string{of.Label()}, run, 1
	return &Experiment{s, []arm.Arm{of}, e.first}, nil
}

// parse returns the experiment of a completed copy of a spec, without its first instance.
func parse(s *spec.Spec) (*Experiment, error) {
	e := &Experiment{spec: s.Clone()}
	if err := e.spec.Complete(); err != nil {
		return nil, err
	}
	for _, label := range e.spec.Agents {
		arm, err := arm.Parse(label)
		if err != nil {
			panic("experiment: " + err.Error()) // a complete spec has canonical labels, which Parse reads back
		}
		e.arms = append(e.arms, arm)
	}
	return e, nil
}

// Refusal says why a complete spec cannot run.
type Refusal struct {
	Spec     *spec.Spec // complete
	Instance *Instance  // the problem of the first run; nil if it cannot be built
	Err      error
}

func (r *Refusal) Error() string { return r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }

// Spec returns the complete spec, which the caller must not change.
func (e *Experiment) Spec() *spec.Spec { return e.spec }

// Arms returns the agents in the spec's order. The caller must not change them.
func (e *Experiment) Arms() []arm.Arm { return e.arms }

// Arm returns the agent with that canonical label, and whether there is one.
func (e *Experiment) Arm(label string) (arm.Arm, bool) {
	if k := slices.Index(e.spec.Agents, label); k >= 0 {
		return e.arms[k], true
	}
	return arm.Arm{}, false
}

// Label returns the canonical label of the agent that a text names, in any form that
// [arm.Parse] reads. The error is one sentence.
func (e *Experiment) Label(text string) (string, error) {
	label := arm.Canonical(text)
	if !slices.Contains(e.spec.Agents, label) {
		return "", fmt.Errorf("%q is none of the agents: %s", param.Clip(label), strings.Join(e.spec.Agents, ", "))
	}
	return label, nil
}

// Records returns the number of records of the experiment.
func (e *Experiment) Records() int { return e.spec.Runs * e.PerRun() }

// PerRun returns the number of records of a run.
func (e *Experiment) PerRun() int { return len(e.arms) * e.spec.Episodes }

// Link returns the fragment of the experiment's link, without the #. The receipt may be
// nil.
func (e *Experiment) Link(receipt *spec.Receipt) string {
	return spec.EncodeLink(&spec.Link{Spec: e.spec, Receipt: receipt})
}

// Title names the problem and the parameters that matter. The character after an
// underscore is a subscript.
func (e *Experiment) Title() string {
	asked := e.spec.Prior
	if asked == nil || asked.Trust == nil && asked.False == 0 {
		return e.TitleWith(fmt.Sprintf("η = %d", e.first.Prior.Degree()))
	}
	revealed := e.first.Suggested
	if asked.Eta != nil {
		revealed = e.first.Revealed(*asked.Eta)
	}
	prior := fmt.Sprintf("η = %d", e.first.Prior.Of(revealed).Degree())
	if asked.Trust != nil {
		prior += " at trust " + document.FormatP(*asked.Trust)
	}
	if asked.False > 0 {
		prior += fmt.Sprintf(", %d false", asked.False)
	}
	return e.TitleWith(prior)
}

// TitleWith is [Experiment.Title] with the given words for the spec's prior, which the
// title names if an agent is told it.
func (e *Experiment) TitleWith(prior string) string {
	name, facts := e.spec.Domain.Title()
	if e.Told() {
		facts = append(facts, prior)
	}
	facts = append(facts, "Z = "+strings.ReplaceAll(e.spec.Z().String(), "_", " "), fmt.Sprintf("H = %d", e.first.View.Horizon))
	if from := e.spec.Data(); from != nil {
		facts = append(facts, "data "+from.Name()[:8])
	}
	return name + ": " + strings.Join(facts, ", ")
}

// Told reports whether an agent is told the spec's prior. The others have a prior of their
// own or none.
func (e *Experiment) Told() bool { return slices.ContainsFunc(e.arms, arm.Arm.Told) }

// Leaks reports whether the rewards that agents know reveal something of the graph: the
// rewards are known, and the scope of one of them is the true parents of a variable. Then
// z_k does not have the law of z_* given the history, even if truths are drawn from the
// prior.
func (e *Experiment) Leaks() bool {
	return e.spec.Rewards == "known" && slices.ContainsFunc(e.first.View.Reward, func(r fmdp.Reward) bool { return r.Of >= 0 })
}

// SharesTruth reports whether all runs have the same true model.
func (e *Experiment) SharesTruth() bool { return !domain.Drawn(e.spec.Domain) }

// Unvalued says why the true model is not solved, so that records have no regret: "not computed: S·A is 2147483648, above
// 1048576". It is "" if they have one.
func (e *Experiment) Unvalued() string {
	if e.first.valued() {
		return ""
	}
	return e.first.vastness()
}

// SharesLuck reports whether the world has the same random numbers in episodes of one number, whoever plays in a run. Else
// each agent has its own.
func (e *Experiment) SharesLuck() bool { return e.first.vast }

// Optimum returns V_*(π_*) of the first run, as its records have it. The error says why there is none.
func (e *Experiment) Optimum() (float64, error) {
	t, err := e.truth(e.spec.FirstRun)
	if err == nil && t.values == nil {
		err = t.unvalued()
	}
	if err != nil {
		return 0, err
	}
	return t.values.Optimal(), nil
}

// Random returns V_*(random) of a run: the value, by dynamic programming, of the policy that plays every legal action
// equally often at each step. It takes about as long as an episode's planning.
func (e *Experiment) Random(run int) (float64, error) {
	if e.SharesTruth() {
		run = e.spec.FirstRun
	}
	t, err := e.unsolved(run)
	if err == nil && t.values == nil {
		err = t.unvalued()
	}
	if err != nil {
		return 0, err
	}
	return t.values.Random(), nil
}

// Rounding returns the size up to which a difference of two values, such as a regret, is rounding: a billionth of
// the range of an episode's payoffs, of their size what sums of so many floating-point numbers lose, or what planning
// may lose.
func (e *Experiment) Rounding() float64 { return e.first.rounding }

func roundingOf(reward []float64, horizon int) float64 {
	low, high := reward[0], reward[0]
	for _, r := range reward {
		low, high = min(low, r), max(high, r)
	}
	h := float64(horizon)
	return max(2*planning.Tolerance, h*planning.NoDifference*(high-low), 0x1p-52*h*h*max(high, -low))
}

// Indifferent reports whether every policy has the same value in the problem that all runs share. If each run draws
// its own, or the problem is too large to plan in, it reports false.
func (e *Experiment) Indifferent() bool {
	if !e.SharesTruth() || e.first.vast {
		return false
	}
	t, err := e.truth(e.spec.FirstRun)
	if err != nil {
		return false
	}
	worst, initial := *t.mdp, t.View.Initial
	if t.acting != nil {
		worst, initial = *t.acting, t.World.Initial
	}
	worst.Reward = slices.Clone(worst.Reward)
	for x, r := range worst.Reward {
		worst.Reward[x] = -r
	}
	_, values := planning.Solve(&worst)
	return t.optimum+values.Value(initial) <= e.Rounding()
}

// Instance is the problem of one run, with the prior that the spec asks for.
type Instance struct {
	*domain.Problem
	Prior *bigraph.Prior // G_0 of the spec, with Z and the bound
	Run   int

	spec     *spec.Spec
	vast     bool                      // no list holds the states of the world
	reached  *reached                  // if vast, the states that can occur; nil if these are too many to list, too
	rounding float64                   // differences of values up to this are rounding
	residual residual                  // of the first run; of the others, not computed
	ends     *fmdp.Ends                // the states in which an episode has ended; nil if there are none
	each     []int                     // the Z of each Y variable; nil if all have the same
	named    map[string]*bigraph.Prior // the spec's named priors
}

// NewInstance builds the problem of a run of a spec. It does not check whether the agents
// can play it.
func NewInstance(s *spec.Spec, run int) (*Instance, error) {
	e, err := parse(s)
	if err != nil {
		return nil, err
	}
	return e.build(run)
}

// Instance returns the problem of a run, which the caller must not change.
func (e *Experiment) Instance(run int) (*Instance, error) {
	if run == e.first.Run {
		return e.first, nil
	}
	return e.build(run)
}

// suggestedEta is the degree of prior knowledge in the paper's experiments.
const suggestedEta = 2

// NewPrior returns the variables of the problem of a run and the spec's prior, which has what is said of
// payoffs in its Payoffs. It makes
// tables only if the problem cannot be built without them, so the problem may be too large
// to plan in.
func NewPrior(s *spec.Spec, run int) (*fmdp.Space, *bigraph.Prior, error) {
	e, err := parse(s)
	if err != nil {
		return nil, nil, err
	}
	in, err := e.outline(run, true)
	if err != nil {
		return nil, nil, err
	}
	return &in.View.Space, in.Prior, nil
}

// Nodes returns the space in which the edges of a spec's priors are named: the variables that agents see
// and, after the state variables, the payoffs whose parents are hidden. Like [NewPrior], it makes no tables.
func Nodes(s *spec.Spec, run int) (*fmdp.Space, error) {
	e, err := parse(s)
	if err != nil {
		return nil, err
	}
	in, err := e.outline(run, true)
	if err != nil {
		return nil, err
	}
	return in.nodes(), nil
}

// build returns the problem of a run.
func (e *Experiment) build(run int) (*Instance, error) {
	in, err := e.outline(run, false)
	if err != nil {
		return in, err
	}
	in.ends = in.View.Endings()
	if in.World.Initial == nil {
		in.vast, in.rounding = true, roundingOf(extremes(in.View), in.View.Horizon)
		in.residual.computed = in.Sight == domain.Full
		in.reached = in.reach()
		return in, nil
	}
	reward, err := planning.Rewards(in.View)
	if err != nil {
		return nil, in.refusal(err, arm.Arm{})
	}
	in.rounding = roundingOf(reward, in.View.Horizon)
	if run == e.spec.FirstRun {
		in.residual = residualOf(in.Problem)
	}
	return in, nil
}

// extremes returns two payoffs of a step between which all are.
func extremes(m *fmdp.Model) []float64 {
	low, high := 0.0, 0.0
	for _, r := range m.Reward {
		least, most := math.Inf(1), math.Inf(-1)
		for _, mean := range r.Mean {
			least, most = min(least, float64(r.Scale*mean)), max(most, float64(r.Scale*mean))
		}
		low, high = low+least, high+most
	}
	return []float64{low, high}
}

const notComputed = "not computed: "

// vastness says why the true model of a vast problem is not solved.
func (in *Instance) vastness() string {
	pairs := float64(in.World.Actions())
	for _, v := range in.World.State {
		pairs *= float64(v.Size)
	}
	if pairs > fmdp.MaxPoints {
		return fmt.Sprintf(notComputed+"S·A is %.10g, above %d", pairs, fmdp.MaxPoints)
	}
	err, _ := strict.Located(in.World.CheckListed()).(*strict.InvalidError)
	return notComputed + err.Reason
}

// unvalued returns an error that says why the problem has no V_*.
func (in *Instance) unvalued() error {
	return strict.Invalid("/domain", "values of policies are %s", in.vastness())
}

// outline builds the problem and the priors of a run. If graphOnly is set, the model may
// have only its variables and its graph.
func (e *Experiment) outline(run int, graphOnly bool) (*Instance, error) {
	s := e.spec
	given := domain.Given{GraphOnly: graphOnly, Eta: suggestedEta, MostParents: s.Sparseness, Own: map[string]int{}}
	if s.BoundOf() == bigraph.Below {
		given.MostParents--
	}
	for _, own := range s.Own {
		given.Own[own.Of] = own.Z - (s.Sparseness - given.MostParents)
	}
	if s.Prior != nil && s.Prior.Eta != nil {
		given.Eta = *s.Prior.Eta
	}
	stream := func(label string) *rand.Rand { return posterior.NewNamedStream(int64(s.Seed), run, label).Rand }
	given.Rewards = stream("domain rewards")
	p, err := s.Domain.Build(stream("domain"), given)
	if err != nil {
		return nil, strict.Within("/domain", err)
	}
	in := &Instance{Problem: p, Run: run, spec: s}
	if in.each, err = s.Z().Each("/sparseness", &p.View.Space); err != nil {
		return nil, err
	}
	if in.Prior, err = in.prior(s.Prior); err != nil {
		return nil, strict.Within("/prior", err)
	}
	in.named = map[string]*bigraph.Prior{}
	for _, p := range s.Priors {
		if in.named[p.Name], err = in.prior(p.Prior); err != nil {
			return nil, strict.Within("/priors/"+p.Name, err)
		}
	}
	return in, nil
}

// Task returns what agents may be told of the instance.
func (in *Instance) Task() *agent.Task {
	m := in.View
	t := &agent.Task{
		Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Known: in.spec.Rewards == "known", Law: in.spec.Law(), Ends: in.ends, NewPlanner: in.spec.Planner.Planner,
		Prior: in.Prior, Truth: m.Graph(), Revealed: in.Revealed, Named: in.namedPrior, Told: document.ToldLaws(m),
	}
	if in.Sight == domain.Full { // else the law of what agents see is not a product of tables
		t.Model = &agent.Model{Graph: t.Truth, Transition: m.Transition, Reward: m.Reward}
	}
	return t
}

// build returns the agent before its first step and before it has observed data.
func (in *Instance) build(arm arm.Arm) (agent.Agent, error) {
	a, err := arm.Build(in.Task())
	if err != nil {
		return nil, in.refusal(err, arm)
	}
	return a, nil
}

// check returns an error if the agents cannot play.
func (in *Instance) check(ctx context.Context, arms []arm.Arm) error {
	if err := in.checkData(); err != nil {
		return err
	}
	if in.vast {
		return in.checkVast(ctx, arms)
	}
	if in.View.Joint() > fmdp.MaxJoint {
		if _, err := planning.Choose(&in.View.Space, in.View.Transition, nil); err != nil {
			return in.refusal(err, arm.Arm{})
		}
	}
	switch in.Sight {
	case domain.Blind:
		if _, err := planning.Choose(&in.World.Space, in.World.Transition, nil); err != nil {
			return in.refusal(err, arm.Arm{})
		}
	case domain.Noisy:
		if in.View.Joint() > fmdp.MaxJoint {
			laws, weights := domain.SeenLaws(in.World)
			if _, err := planning.NewAveraged(&in.View.Space, laws, weights); err != nil {
				return in.refusal(err, arm.Arm{})
			}
		}
	}
	for _, arm := range arms {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := in.checkSearch(arm); err != nil {
			return err
		}
		if _, err := in.build(arm); err != nil {
			return err
		}
	}
	return nil
}

// Run yields the records of the runs FirstRun, …, FirstRun+Runs−1 in the order
// run, agent, episode. An error ends the sequence.
func (e *Experiment) Run() iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for run := e.spec.FirstRun; run < e.spec.FirstRun+e.spec.Runs; run++ {
			for r, err := range e.playAll(run, e.arms, nil) {
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// Play yields the records of one agent in one run, the same as in [Experiment.Run].
func (e *Experiment) Play(run int, of arm.Arm) iter.Seq2[*record.Record, error] {
	return e.playAll(run, []arm.Arm{of}, nil)
}

// PlayTimed is [Experiment.Play] with a stopwatch, whose lap is that of the record's episode whenever a record is yielded.
func (e *Experiment) PlayTimed(run int, of arm.Arm, watch *Stopwatch) iter.Seq2[*record.Record, error] {
	return e.playAll(run, []arm.Arm{of}, watch)
}

// playAll yields the records of one agent after another in one run. The watch may be nil.
func (e *Experiment) playAll(run int, arms []arm.Arm, watch *Stopwatch) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		t, err := e.truth(run)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, arm := range arms {
			watch.start()
			p, err := t.enter(arm)
			if err != nil {
				yield(nil, err)
				return
			}
			p.watch = watch
			for episode, err := range p.episodes(context.Background(), e.spec.Episodes) {
				watch.stop()
				if err != nil {
					yield(nil, err)
					return
				}
				r, err := p.score(context.Background(), episode)
				if !yield(r, err) || err != nil {
					return
				}
				watch.start()
			}
		}
	}
}
