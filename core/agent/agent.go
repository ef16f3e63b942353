// Package agent holds the algorithms: C-PSRL (Algorithm 1), F-PSRL, which knows
// the graph, and PSRL, which knows no factors. All use posterior sampling: in
// every episode an agent samples a model ℱ_k from its belief, plays a policy that
// is optimal in ℱ_k, and updates the belief with the steps it saw. [Episodes] is
// that loop.
//
// Each kind of agent has a file of its own and a row in [Kinds].
//
// # Goroutines and memory
//
// An agent, a world and the values they return belong to one goroutine at a time.
// Agents of one [Task] may play at the same time: they only read it. [Kinds],
// [Parse] and the methods of an [Arm] may be called by several goroutines at once.
//
// An [Episode] and its slices are valid until the next episode begins, because the agent
// and the world reuse their memory. Policies and values are new in each episode.
package agent

import (
	"fmt"
	"iter"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// Agent learns from episodes. Line numbers are Algorithm 1's.
type Agent interface {
	// Sample draws the model ℱ_k of the next episode (line 5). The caller must not
	// change it, and the next call overwrites it.
	Sample(rng *posterior.Stream) *Sample
	// Observe updates the belief with the steps of an episode (line 7). It keeps
	// no reference to them.
	Observe(episode []posterior.Step)
}

// Believer is an agent that samples graphs.
type Believer interface {
	Agent
	// Beliefs returns the agent's own belief about each Y variable. The caller must not
	// change them; Observe does.
	Beliefs() []*posterior.Local
}

// Planner plans in a sampled model (line 6). If an agent is itself a Planner, for example
// an optimistic one, [Episodes] uses the agent's plans.
type Planner interface {
	// Plan returns the policy to play and its values in the model.
	Plan(model *Sample) (*planning.Policy, *planning.Values, error)
}

// World is the environment that an agent acts in.
type World interface {
	// Play follows the policy for one episode. It returns the H steps and the
	// reward of each; the next call overwrites both.
	Play(policy *planning.Policy) (steps []posterior.Step, rewards []float64)
}

// Sample is a sampled model ℱ_k.
type Sample struct {
	Graph      bigraph.Bigraph // z_k; nil if the agent has no graph
	Transition []fmdp.Factor   // p_k, factored according to z_k; nil without a graph
	Joint      []float64       // p_k(y|x), row-major; nil if the agent has a graph and S²A is above fmdp.MaxJoint
	Reward     []float64       // R_k(x)
}

// Episode is one episode of Algorithm 1. It is valid until the next one begins.
type Episode struct {
	Number  int              // k, from 1
	Sample  *Sample          // ℱ_k
	Policy  *planning.Policy // π_k
	Values  *planning.Values // the values of π_k in ℱ_k
	Steps   []posterior.Step
	Rewards []float64 // the reward of each step
}

// Episodes runs Algorithm 1, lines 4 to 8. It yields each episode after the agent has
// learned from it, and goes on until the caller stops reading. An error of the planner
// ends the sequence.
func Episodes(a Agent, w World, p Planner, rng *posterior.Stream) iter.Seq2[*Episode, error] {
	if own, plans := a.(Planner); plans {
		p = own
	}
	return func(yield func(*Episode, error) bool) {
		for k := 1; ; k++ {
			model := a.Sample(rng)               // line 5
			policy, values, err := p.Plan(model) // line 6
			if err != nil {
				yield(nil, err)
				return
			}
			steps, rewards := w.Play(policy)
			a.Observe(steps) // line 7
			if !yield(&Episode{k, model, policy, values, steps, rewards}, nil) {
				return
			}
		}
	}
}

// Exact plans by backward induction over the whole horizon.
type Exact struct {
	Space   *fmdp.Space
	Horizon int
}

// Plan implements [Planner]. The error is that of [planning.Choose].
func (e *Exact) Plan(model *Sample) (*planning.Policy, *planning.Values, error) {
	mdp := &planning.MDP{States: e.Space.States(), Actions: e.Space.Actions(), Horizon: e.Horizon, Reward: model.Reward}
	if model.Transition == nil {
		mdp.Next = planning.NewDense(model.Joint)
	} else {
		var err error
		if mdp.Next, err = planning.Choose(e.Space, model.Transition, model.Joint); err != nil {
			return nil, nil, err
		}
	}
	policy, values := planning.Solve(mdp)
	return policy, values, nil
}

// Task holds what agents may be told of a problem. A kind of agent uses only the fields
// that its prior knowledge covers.
type Task struct {
	Space *fmdp.Space
	// Payoffs holds the reward factors. Agents know their kinds and scales, and the
	// scopes of those that are not tied to a Y variable. If rewards are learned,
	// agents do not use the means.
	Payoffs []fmdp.Reward
	// Reward is R(x), or nil if the rewards are learned.
	Reward []float64
	// Law is the prior of the factors given the graph, and the update of the
	// hyper-posterior.
	Law posterior.Law
	// Prior is G_0 with the degree of sparseness.
	Prior *bigraph.Prior
	// Truth is the true graph z_*, for agents that are told it.
	Truth bigraph.Bigraph
	// Named returns the spec's prior of that name. An eta other than −1 replaces the η of
	// that prior.
	Named func(name string, eta int) *bigraph.Prior
	// Revealed returns G_0(η), for agents with a degree of prior knowledge of
	// their own.
	Revealed func(eta int) bigraph.Bigraph
}

// learned returns the indices of the learned reward factors that are tied to Y_j; for
// j = −1, of those that are tied to no Y variable.
func (t *Task) learned(j int) []int {
	if t.Reward != nil {
		return nil
	}
	var list []int
	for f := range t.Payoffs {
		if t.Payoffs[f].Of == j {
			list = append(list, f)
		}
	}
	return list
}

// reward returns R(x) or, if rewards are learned, new zeros to add payoffs to.
func (t *Task) reward() []float64 {
	if t.Reward != nil {
		return t.Reward
	}
	return make([]float64, t.Space.Points())
}

// UnlearnableError says that a reward factor cannot be learned. Payoffs are observed as
// Bernoulli trials, so every mean must be in [0,1].
type UnlearnableError struct {
	Factor, Row int
	Mean        float64
}

func (e *UnlearnableError) Error() string {
	return fmt.Sprintf("reward factor %d has mean %v in row %d; rewards can be learned only if every mean is in [0,1]", e.Factor, e.Mean, e.Row)
}

// learnable returns an *[UnlearnableError] if a reward is to be learned but cannot be.
func (t *Task) learnable() error {
	if t.Reward != nil {
		return nil
	}
	for f := range t.Payoffs {
		for row, mean := range t.Payoffs[f].Mean {
			if !(mean >= 0 && mean <= 1) {
				return &UnlearnableError{f, row, mean}
			}
		}
	}
	return nil
}
