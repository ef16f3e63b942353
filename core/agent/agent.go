// Package agent is the paper's algorithms: C-PSRL (Algorithm 1), F-PSRL, which knows
// the graph, and PSRL, which knows no factors. All use posterior sampling: in
// every episode an agent samples a model ℱ_k from its belief, plays a policy that
// is optimal in ℱ_k, and updates the belief with the steps it saw. [Episodes] is
// that loop.
//
// A researcher's own algorithm is an [Agent]; it may also be a [Planner] and a [Believer].
// A researcher's own environment is a [World]. Package arm gives agents labels, parameters,
// names and looks.
//
// # Goroutines and memory
//
// An agent, a world and the values they return belong to one goroutine at a time.
// Agents of one [Task] may play at the same time: they only read it.
//
// An [Episode], its slices and its policy are valid until the next episode begins, because the agent
// and the world reuse their memory. A [Table] is valid for ever.
package agent

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// Agent learns from episodes. Line numbers are Algorithm 1's.
type Agent interface {
	// Model returns the model ℱ_k of the next episode (line 5). Posterior sampling draws it
	// from the belief. The caller must not change it, and the next call overwrites it.
	Model(rng *posterior.Stream) *Model
	// Observe updates the belief with the steps of an episode (line 7). It keeps
	// no reference to them. Before the first episode it may get transitions from elsewhere. In all of
	// a call or in none, Paid is nil: no payoff was observed. A next value may be [fmdp.Unseen].
	Observe(episode []posterior.Step)
}

// Planner plans in a model (line 6). If an agent is itself a Planner, for example an
// optimistic one, [Episodes] uses the agent's plans.
type Planner interface {
	// Plan returns the policy to play in the next episode. If ctx ends, Plan may return its error.
	Plan(ctx context.Context, rng *Draws, model *Model) (Policy, error)
}

// Believer is an agent with a belief about the graph.
type Believer interface {
	Agent
	// Beliefs returns the agent's own belief about each Y variable, the same values at each
	// call. The caller must not change them; Observe does.
	Beliefs() []Belief
}

// PayoffBeliever is a [Believer] with beliefs about the parents of payoffs whose scopes are hidden.
type PayoffBeliever interface {
	Believer
	// PayoffBeliefs returns the beliefs in the order of [Task.Unscoped], as Beliefs does.
	PayoffBeliefs() []Belief
}

// Belief is a belief about the parents of one variable Y_j: the hyper-posterior P_k,j over
// the candidate parent sets 𝒵_j. A *[posterior.Local] is one, and has counts, too.
type Belief interface {
	// Sets returns the candidate parent sets 𝒵_j.
	Sets() []bigraph.Scope
	// Probabilities writes P_k,j(z) of each set into dst and returns dst.
	Probabilities(dst []float64) []float64
	// Edges writes P(X_i → Y_j) for each X variable into dst, given the probabilities of
	// the sets, and returns dst.
	Edges(dst, probabilities []float64) []float64
	// Best returns the index of the most probable set; ties go to the first.
	Best() int
	// LogEvidence returns ln P(data | z) of the set of that index.
	LogEvidence(set int) float64
	// LogShare returns the logarithm of the probability that a set belongs.
	LogShare(belongs func(z bigraph.Scope) bool) float64
	// LogOdds returns ln of the odds of the most probable set that belongs against the most
	// probable other. If all sets belong or none does, ok is false.
	LogOdds(belongs func(z bigraph.Scope) bool) (odds float64, ok bool)
	// MeanFactor returns the mean of p_j(·|x[z]) for the set of that index. It may use the
	// memory of dst.
	MeanFactor(set int, dst []float64) fmdp.Factor
}

// World is the environment that an agent acts in.
type World interface {
	// Play follows the policy for one episode, which has as many steps as the policy's horizon or,
	// if it ends early, fewer, and returns its steps; the next call overwrites them. If the
	// episode or the policy fails or ctx ends, Play returns an error.
	Play(ctx context.Context, policy Policy) ([]posterior.Step, error)
}

// Model is a model ℱ_k. Graph, Transition and Joint are independent of each other, but at
// least one of Transition and Joint is there.
type Model struct {
	Graph      bigraph.Bigraph // z_k; nil if the agent plans with no graph
	Transition []fmdp.Factor   // p_k, factored; nil if the agent has no factors
	Joint      []float64       // p_k(y|x), row-major; nil if there are factors and S²A is above fmdp.MaxJoint
	// Reward holds the factors whose expected payoffs add up to R_k(x), in this order. Models of known rewards
	// share one list, which does not change.
	Reward  []fmdp.Reward
	Payoffs []bigraph.Scope // the parents of the payoffs whose scopes are hidden; nil if there are none
}

// Law returns the law of the next state.
func (m *Model) Law() planning.Law { return planning.Law{Transition: m.Transition, Joint: m.Joint} }

// Episode is one episode of Algorithm 1. It is valid until the next one begins.
type Episode struct {
	Number int    // k, from 1
	Model  *Model // ℱ_k
	Policy Policy // π_k
	Steps  []posterior.Step

	agent   Agent
	learned bool
}

// Learn makes the agent learn from the episode (line 7) now, and not when the next episode
// begins. Until then the belief is still P_k, from which ℱ_k was drawn. Only the first call has an
// effect.
func (e *Episode) Learn() {
	if !e.learned {
		e.agent.Observe(e.Steps)
		e.learned = true
	}
}

// Return returns the reward collected in the episode.
func (e *Episode) Return() float64 {
	sum := 0.0
	for h := range e.Steps {
		sum += e.Steps[h].Reward
	}
	return sum
}

// Episodes runs Algorithm 1, lines 4 to 8. It yields each episode before the agent learns
// from it, and goes on until the caller stops reading. If planning or the world fails or
// ctx ends, the sequence ends with the error. Policies that draw take the stream of a step from
// steps, which may be nil if there are none.
func Episodes(ctx context.Context, a Agent, w World, p Planner, rng *posterior.Stream, steps StepStreams) iter.Seq2[*Episode, error] {
	if own, plans := a.(Planner); plans {
		p = own
	}
	return func(yield func(*Episode, error) bool) {
		for k := 1; ; k++ {
			e, err := Play(ctx, a, w, p, steps.Of(rng, k))
			if err != nil {
				yield(nil, err)
				return
			}
			if e.Number = k; !yield(e, nil) {
				return
			}
			e.Learn() // line 7
		}
	}
}

// Play plays one episode: lines 5 and 6, and what happens between line 6 and line 7.
func Play(ctx context.Context, a Agent, w World, p Planner, rng *Draws) (*Episode, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	model := a.Model(rng.Stream)           // line 5
	policy, err := p.Plan(ctx, rng, model) // line 6
	if err != nil {
		return nil, err
	}
	steps, err := w.Play(ctx, policy)
	if err != nil {
		return nil, err
	}
	return &Episode{Model: model, Policy: policy, Steps: steps, agent: a}, nil
}

// Exact plans by backward induction over the whole horizon. It lists all states. An Exact belongs to one goroutine
// at a time.
type Exact struct {
	Space   *fmdp.Space
	Horizon int
	Ended   []uint8 // as in a [planning.MDP]

	rewards []fmdp.Reward // of the last model, those before the first that is paid on arrival
	reward  []float64     // their R(x)
	legal   []bool        // as in a [planning.MDP], once there has been one
	chooser *planning.Chooser
	solver  planning.Solver
}

// Planner returns a planner of the task. The error is that of NewPlanner.
func (t *Task) Planner() (Planner, error) {
	if t.NewPlanner == nil {
		return t.Exact(), nil
	}
	return t.NewPlanner(t)
}

// Exact returns the exact planner of the task.
func (t *Task) Exact() *Exact {
	return &Exact{Space: t.Space, Horizon: t.Horizon, Ended: t.Ends.List()}
}

// Plan implements [Planner] and draws nothing. The policy is a *[Table]. The error is that of [planning.Choose] or, if
// ctx ends, that of ctx.
func (e *Exact) Plan(ctx context.Context, _ *Draws, model *Model) (Policy, error) {
	mdp, err := e.MDP(ctx, model)
	if err != nil {
		return nil, err
	}
	policy, values := e.solver.Solve(mdp)
	if policy == nil {
		return nil, ctx.Err()
	}
	return NewTable(e.Space, policy, values), nil
}

// Reward returns R(x) of a model, which the caller must not change. If the next model has the same payoffs, as where
// rewards are known, it lists only those on arrival anew.
func (e *Exact) Reward(model *Model) []float64 {
	n := slices.IndexFunc(model.Reward, func(r fmdp.Reward) bool { return r.Arrives(e.Space) })
	if n < 0 {
		n = len(model.Reward)
	}
	leave := model.Reward[:n]
	if e.reward == nil || len(leave) != len(e.rewards) || n > 0 && &leave[0] != &e.rewards[0] {
		e.rewards, e.reward = leave, make([]float64, e.Space.Points())
		planning.Pay(e.reward, e.Space, leave, planning.Law{})
	}
	if n == len(model.Reward) {
		return e.reward
	}
	reward := slices.Clone(e.reward)
	planning.Pay(reward, e.Space, model.Reward[n:], model.Law())
	return reward
}

// MDP returns a model as a decision problem, whose recursions stop when ctx ends. The error is that of
// [fmdp.Space.CheckPoints], of [planning.CheckPayoff] or of [planning.Choose].
func (e *Exact) MDP(ctx context.Context, model *Model) (*planning.MDP, error) {
	if err := cmp.Or(e.Space.CheckPoints(), planning.CheckPayoffs(e.Space, model.Reward, model.Transition)); err != nil {
		return nil, err
	}
	if e.chooser == nil {
		e.chooser = planning.NewChooser(e.Space)
	}
	if e.legal == nil {
		e.legal = e.Space.LegalPoints()
	}
	mdp := &planning.MDP{States: e.Space.States(), Actions: e.Space.Actions(), Horizon: e.Horizon, Reward: e.Reward(model), Ended: e.Ended, Legal: e.legal}
	if done := ctx.Done(); done != nil {
		mdp.Stop = func() bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		}
	}
	if model.Transition == nil {
		mdp.Next = planning.NewDense(model.Joint)
		return mdp, nil
	}
	var err error
	mdp.Next, err = e.chooser.Choose(model.Transition, model.Joint)
	return mdp, err
}

// Task holds what agents may be told of a problem. A kind of agent uses only the fields
// that its prior knowledge covers.
type Task struct {
	Space   *fmdp.Space
	Horizon int // H
	// Payoffs holds the reward factors. Agents know their kinds and scales, and the
	// scopes of those that are not tied to a Y variable. If rewards are learned,
	// agents do not use the means.
	Payoffs []fmdp.Reward
	// Known says that the payoffs are known. Else they are learned.
	Known bool
	// Ends tells in which states an episode has ended; nil if there are none.
	Ends *fmdp.Ends
	// Told holds the laws of the Y variables whose laws agents are told; the others are nil. It is nil if
	// there is no such law.
	Told []*fmdp.Factor
	// Law is the prior of the factors given the graph, and the update of the
	// hyper-posterior.
	Law posterior.Law
	// NewPlanner returns the planner of agents that have none of their own; nil for exact planning.
	NewPlanner func(t *Task) (Planner, error)
	// Prior is G_0 with the degree of sparseness.
	Prior *bigraph.Prior
	// Truth is the true graph z_*, for agents that are told it; nil if it is unknown.
	Truth bigraph.Bigraph
	// Model is the true model ℱ_*, for agents that are told it; nil if it is unknown.
	Model *Model
	// Named returns the prior of that name. An eta other than −1 replaces the η of that
	// prior. Nil if there are no named priors.
	Named func(name string, eta int) *bigraph.Prior
	// Revealed returns G_0(η), for agents with a degree of prior knowledge of
	// their own; nil if the true graph is unknown.
	Revealed func(eta int) bigraph.Bigraph
}

// told returns the law of Y_j, or nil if agents are not told it.
func (t *Task) told(j int) *fmdp.Factor {
	if t.Told == nil || j < 0 {
		return nil
	}
	return t.Told[j]
}

// Learned returns the indices of the learned reward factors whose scope is that of Y_j; for
// j = −1, of those whose scope is known, since they are tied to no Y variable or its law is told. Those
// whose scope is hidden are in neither.
func (t *Task) Learned(j int) []int {
	if t.Known {
		return nil
	}
	var list []int
	for f := range t.Payoffs {
		of := t.Payoffs[f].Of
		if t.told(of) != nil {
			of = -1
		}
		if of == j && !t.Payoffs[f].Hidden {
			list = append(list, f)
		}
	}
	return list
}

// Unscoped returns the indices of the learned reward factors whose scopes are hidden.
func (t *Task) Unscoped() (list []int) {
	for f := range t.Payoffs {
		if !t.Known && t.Payoffs[f].Hidden {
			list = append(list, f)
		}
	}
	return list
}

// Rewards returns the factors of the rewards that are known, those that are paid on arrival last; nil if the rewards
// are learned.
func (t *Task) Rewards() []fmdp.Reward {
	arrives := func(r fmdp.Reward) bool { return r.Arrives(t.Space) }
	switch {
	case !t.Known:
		return nil
	case !slices.ContainsFunc(t.Payoffs, arrives):
		return t.Payoffs
	}
	list := slices.DeleteFunc(slices.Clone(t.Payoffs), arrives)
	for _, r := range t.Payoffs {
		if arrives(r) {
			list = append(list, r)
		}
	}
	return list
}

// UnlearnableError says that a reward factor cannot be learned. Payoffs are observed as
// Bernoulli trials, so every mean must be in [0,1] or in a declared range.
type UnlearnableError struct {
	Factor, Row int
	Mean        float64
}

func (e *UnlearnableError) Error() string {
	return fmt.Sprintf("reward factor %d has mean %v in row %d; rewards can be learned only if every mean is in [0,1] or in a range that the factor declares", e.Factor, e.Mean, e.Row)
}

// learnable returns an *[UnlearnableError] if a reward is to be learned but cannot be.
func (t *Task) learnable() error {
	if t.Known {
		return nil
	}
	for f := range t.Payoffs {
		for row, mean := range t.Payoffs[f].Mean {
			if chance := t.Payoffs[f].Chance(mean); !(chance >= 0 && chance <= 1) {
				return &UnlearnableError{f, row, mean}
			}
		}
	}
	return nil
}
