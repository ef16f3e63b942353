// Package agent holds the algorithms: C-PSRL (Algorithm 1), F-PSRL, which knows
// the graph, and PSRL, which knows no factors. All are posterior sampling: in
// every episode an agent samples a model ℱ_k from its belief, plays the policy
// that is optimal for it, and updates the belief with what it saw.
package agent

import (
	"fmt"
	"math"
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// Agent is a posterior-sampling algorithm. Line numbers are Algorithm 1's.
type Agent interface {
	// Sample draws the model ℱ_k of the next episode (line 5). It is valid
	// until the next call, and to be read only: scopes are the belief's own.
	Sample(rng *posterior.Stream) *Sample
	// Observe updates the posteriors with an episode (line 7).
	Observe(episode []posterior.Step)
	// Beliefs returns the hyper-posterior of each Y variable; nil for an agent
	// without a graph.
	Beliefs() []*posterior.Local
}

// Sample is a sampled model ℱ_k.
type Sample struct {
	Graph      bigraph.Bigraph // z_k; nil if the agent has no graph
	Transition []fmdp.Factor   // p_k, factored according to z_k; nil without a graph
	Joint      []float64       // p_k(y|x), row-major; nil where S²A is above fmdp.MaxJoint
	Reward     []float64       // R_k(x)
}

// MDP returns the sampled model as planning takes it (line 6), or the error of
// planning.Choose.
func (s *Sample) MDP(horizon int, space *fmdp.Space) (*planning.MDP, error) {
	mdp := &planning.MDP{States: space.States(), Actions: space.Actions(), Horizon: horizon, Reward: s.Reward}
	var err error
	if s.Transition != nil {
		mdp.Next, err = planning.Choose(space, s.Transition, s.Joint)
	} else {
		mdp.Next = planning.NewDense(s.Joint)
	}
	return mdp, err
}

// Problem is what an agent may know of the true model: all but its law, its
// graph and, if they are to be learned, its mean rewards.
type Problem struct {
	Space  *fmdp.Space
	Update posterior.Update
	// Rewards is R(x), or nil if the rewards are learned.
	Rewards []float64
	// Reward is the reward factors: their scopes (unless tied to a Y variable),
	// kinds and scales; their means are for Rewards to tell.
	Reward []fmdp.Reward
}

// rewardFactors returns the learned factors tied to Y_j (or to none, for −1).
func (p *Problem) rewardFactors(j int) []int {
	if p.Rewards != nil {
		return nil
	}
	var list []int
	for f := range p.Reward {
		if p.Reward[f].Of == j {
			list = append(list, f)
		}
	}
	return list
}

// untied is the belief about the learned reward factors whose scope is known.
type untied struct {
	space   *fmdp.Space
	rewards []fmdp.Reward
	factors []int
	means   []*posterior.Means
}

func newUntied(p *Problem) *untied {
	u := &untied{space: p.Space, rewards: p.Reward, factors: p.rewardFactors(-1)}
	for _, f := range u.factors {
		u.means = append(u.means, posterior.NewMeans(p.Space.Rows(p.Reward[f].Given)))
	}
	return u
}

func (u *untied) observe(step *posterior.Step) {
	for k, f := range u.factors {
		u.means[k].Observe(u.space.Row(u.rewards[f].Given, step.Point), step.Paid[f])
	}
}

// add draws the means and adds the expected payoffs to dst, for every x.
func (u *untied) add(rng *rand.Rand, dst []float64) {
	for k, f := range u.factors {
		given := u.rewards[f].Given
		means := make([]float64, u.space.Rows(given))
		u.means[k].Sample(rng, means)
		addMeans(dst, u.space, given, means, u.rewards[f].Scale)
	}
}

func addMeans(dst []float64, space *fmdp.Space, given []int, means []float64, scale float64) {
	for x, row := range space.RowOf(given) {
		dst[x] += float64(scale * means[row])
	}
}

// Causal is C-PSRL: a hyper-posterior over the parent sets of each Y variable,
// and Dirichlet posteriors below. With one candidate set for each variable it is
// F-PSRL.
type Causal struct {
	problem *Problem
	locals  []*posterior.Local
	untied  *untied
	tables  [][]float64 // of the last sample, reused
	joint   []float64
	reward  []float64
}

// NewCausal returns C-PSRL with the prior G_0 (lines 1 to 3): the hyper-prior is
// uniform over the consistent factorizations. A prior without any, or with too
// many, is an error that names the variable.
func NewCausal(p *Problem, prior *bigraph.Prior) (*Causal, error) {
	return newCausal(p, "/sparseness", func(j int) ([]bigraph.Scope, error) {
		sets, err := prior.Enumerate(j)
		switch {
		case err != nil:
			return nil, fmdp.Invalid("/sparseness", "%q has %v", p.Space.State[j].Name, err)
		case len(sets) == 0:
			return nil, fmdp.Invalid("/sparseness", "%q has no consistent parent set", p.Space.State[j].Name)
		}
		return sets, nil
	})
}

// NewFactored returns F-PSRL: PSRL that takes the graph as given. A graph whose
// tables are too large is an error.
func NewFactored(p *Problem, graph bigraph.Bigraph) (*Causal, error) {
	return newCausal(p, "/agents", func(j int) ([]bigraph.Scope, error) { return []bigraph.Scope{graph[j]}, nil })
}

// perSet is what a parent set costs beside its counts, in counts.
const perSet = 64

// newCausal builds the beliefs variable by variable, as long as they are within
// posterior.MaxCells together; place is what to change if they are not.
func newCausal(p *Problem, place string, setsOf func(j int) ([]bigraph.Scope, error)) (*Causal, error) {
	c := &Causal{problem: p, untied: newUntied(p), tables: make([][]float64, p.Space.Y())}
	held := 0
	for j := range c.tables {
		sets, err := setsOf(j)
		if err != nil {
			return nil, err
		}
		rewards := p.rewardFactors(j)
		n := posterior.Cells(p.Space, j, sets, len(rewards))
		if n <= posterior.MaxCells { // else the sum could overflow
			held += n + perSet*len(sets)
		}
		if n > posterior.MaxCells || held > posterior.MaxCells {
			return nil, fmdp.Invalid(place, "the beliefs about the parent sets up to those of %q would hold more than %d counts", p.Space.State[j].Name, posterior.MaxCells)
		}
		c.locals = append(c.locals, posterior.NewLocal(p.Space, j, sets, rewards, p.Update))
	}
	if p.Space.Joint() <= fmdp.MaxJoint {
		c.joint = make([]float64, p.Space.Joint())
	}
	c.reward = make([]float64, p.Space.Points())
	return c, nil
}

// Sample implements Agent: z ~ P_k, variable by variable, then p ~ P_k(·|z).
func (c *Causal) Sample(rng *posterior.Stream) *Sample {
	p := c.problem
	s := &Sample{Graph: make(bigraph.Bigraph, len(c.locals)), Reward: p.Rewards, Joint: c.joint}
	if p.Rewards == nil {
		clear(c.reward)
		s.Reward = c.reward
	}
	for j, local := range c.locals {
		set := local.SampleSet(rng.Rand)
		s.Graph[j] = local.Sets()[set]
		factor := local.SampleFactor(rng.Rand, set, c.tables[j])
		c.tables[j] = factor.P
		s.Transition = append(s.Transition, factor)
		for k, f := range p.rewardFactors(j) {
			given, means := local.SampleReward(rng.Rand, k, set)
			addMeans(s.Reward, p.Space, given, means, p.Reward[f].Scale)
		}
	}
	c.untied.add(rng.Rand, s.Reward)
	if s.Joint != nil {
		fmdp.Joint(s.Joint, p.Space, s.Transition)
	}
	return s
}

// Observe implements Agent.
func (c *Causal) Observe(episode []posterior.Step) {
	for _, local := range c.locals {
		local.Observe(episode)
	}
	for t := range episode {
		c.untied.observe(&episode[t])
	}
}

// Beliefs implements Agent.
func (c *Causal) Beliefs() []*posterior.Local { return c.locals }

// PSRL is posterior sampling with an uninformative prior: a Dirichlet(1) over
// the next states of every state-action pair.
type PSRL struct {
	problem *Problem
	counts  posterior.Counts   // row-major in x, then y
	means   []*posterior.Means // of each learned reward factor, one row for each x
	joint   []float64
	reward  []float64
}

// NewPSRL returns tabular PSRL. A table of more than fmdp.MaxJoint entries is an
// error.
func NewPSRL(p *Problem) (*PSRL, error) {
	if n := p.Space.Joint(); n > fmdp.MaxJoint {
		return nil, &fmdp.InvalidError{Place: "/agents", Reason: fmt.Sprintf("psrl would hold a table of %s entries (S²A), more than %d", fmdp.Saturated(n), fmdp.MaxJoint)}
	}
	a := &PSRL{
		problem: p,
		counts:  make(posterior.Counts, p.Space.Joint()),
		joint:   make([]float64, p.Space.Joint()),
		reward:  make([]float64, p.Space.Points()),
	}
	if p.Rewards == nil {
		for range p.Reward {
			a.means = append(a.means, posterior.NewMeans(p.Space.Points()))
		}
	}
	return a, nil
}

// Sample implements Agent.
func (a *PSRL) Sample(rng *posterior.Stream) *Sample {
	posterior.SampleRows(rng, a.counts, a.problem.Space.States(), a.joint)
	s := &Sample{Joint: a.joint, Reward: a.problem.Rewards}
	if a.problem.Rewards == nil {
		clear(a.reward)
		s.Reward = a.reward
		means := make([]float64, len(a.reward))
		for f, belief := range a.means {
			belief.Sample(rng.Rand, means)
			for x, mean := range means {
				a.reward[x] += float64(a.problem.Reward[f].Scale * mean)
			}
		}
	}
	return s
}

// Observe implements Agent.
func (a *PSRL) Observe(episode []posterior.Step) {
	space := a.problem.Space
	states := space.States()
	for t := range episode {
		step := &episode[t]
		x := space.Index(step.Point)
		a.counts[x*states+space.Index(step.Next)]++
		for f, belief := range a.means {
			belief.Observe(x, step.Paid[f])
		}
	}
}

// Beliefs implements Agent: there are none.
func (a *PSRL) Beliefs() []*posterior.Local { return nil }

// Learnable says whether the rewards can be learned: fixed payoffs are observed
// as Bernoulli trials, so they must be in [0,1].
func Learnable(rewards []fmdp.Reward) error {
	for f := range rewards {
		for row, mean := range rewards[f].Mean {
			if mean < 0 || mean > 1 || math.IsNaN(mean) {
				return &fmdp.InvalidError{Place: "/rewards", Reason: fmt.Sprintf("reward factor %d has mean %v in row %d; rewards can be learned only if every mean is in [0,1]", f, mean, row)}
			}
		}
	}
	return nil
}
