package agent

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

var cpsrlKind = Kind{
	Key: "c-psrl", Gloss: "knows a part, learns the rest",
	Graph: true,
	New:   func() Config { return &cpsrl{Eta: noEta} },
}

// cpsrl is C-PSRL with the prior and the switches of the spec, or with its own.
type cpsrl struct {
	Eta int
	own
}

// noEta is the Eta of an agent without an η of its own.
const noEta = -1

func (c *cpsrl) Params() []param.Param {
	return append([]param.Param{{
		Name: "eta", Section: param.Agents, Label: "Degree of prior knowledge", Symbol: "η", Phrase: "η = _", Int: &c.Eta, Low: 0, High: bigraph.MaxX,
	}}, c.rows()...)
}

func (c *cpsrl) Names() (string, string) {
	list := c.words()
	if c.Eta != noEta {
		list = append([]string{fmt.Sprintf("η = %d", c.Eta)}, list...)
	}
	if list == nil {
		return "C-PSRL", "C-PSRL"
	}
	short := strings.Join(list, ", ")
	return "C-PSRL (" + short + ")", short
}

// byEta holds the looks for η = 0, 1, …; after the last they repeat.
var byEta = []Look{
	{"#7B68C8", []float64{4, 3}},
	{"#CC79A7", []float64{14, 4}},
	{"#009E73", []float64{10, 3, 2, 3, 2, 3}},
	{"#D55E00", []float64{6, 3, 1, 3}},
	{"#8C6D1F", []float64{1, 3}},
}

func (c *cpsrl) Look() Look {
	if c.Eta == noEta {
		return Look{"#009E73", []float64{10, 4, 2, 4}}
	}
	return byEta[c.Eta%len(byEta)]
}

func (c *cpsrl) PriorName() (string, bool) { return string(c.Named), c.Eta != noEta }

func (c *cpsrl) Prior(t *Task) *bigraph.Prior {
	switch {
	case c.Named != "":
		return t.Named(string(c.Named), c.Eta)
	case c.Eta == noEta:
		return t.Prior
	}
	return t.Prior.Of(t.Revealed(c.Eta))
}

func (c *cpsrl) Build(t *Task) (Agent, error) { return NewCausal(c.task(t), c.Prior(t)) }

func (c *cpsrl) Cost(t *Task, s *Size) float64 {
	return causalCost(c.task(t), s, c.Prior(t), t.Truth)
}

// causalCost returns the cost of an episode with the given prior in which that graph is
// sampled.
func causalCost(t *Task, s *Size, prior *bigraph.Prior, graph bigraph.Bigraph) float64 {
	cost := costEntry * float64(t.Space.X()*t.Space.Y())
	draw, weights := float64(CostFactor), 1.0
	if !t.Law.Rows.One() {
		draw, weights = CostReal, float64(len(t.Law.Rows.Alphas(1, 1)))
	}
	for j, z := range graph {
		sets, _ := new(big.Float).SetInt(prior.Count(j)).Float64()
		rows := float64(t.Space.Rows(z.Parents()))
		weigh := sets * costWeigh
		cost += sets*costSet + rows*float64(t.Space.State[j].Size)*draw + s.Horizon*(weigh*weights+costSee)
		if !posterior.Tabled(sets * s.Points) {
			cost += s.Horizon * sets * costFind
		}
		cost += float64(len(t.learned(j))) * (s.cost(rows) + s.Horizon*weigh)
	}
	for _, f := range t.learned(-1) {
		cost += s.cost(float64(len(t.Payoffs[f].Mean)))
	}
	if s.Dense {
		cost += s.Joint * CostJoint
	}
	return cost
}

// perSet is the memory of a parent set in addition to its counts, in counts.
const perSet = 64

// Causal is C-PSRL: a hyper-posterior over the parent sets of each Y variable, and
// Dirichlet posteriors given a parent set. With one candidate set for each variable it
// is F-PSRL.
type Causal struct {
	task   *Task
	locals []*posterior.Local
	untied *payoffs    // about the factors that are tied to no Y variable
	tables [][]float64 // the factors' tables of the last sample, to be reused
	joint  []float64   // nil if S²A exceeds fmdp.MaxJoint
}

// NewCausal returns C-PSRL with the prior G_0 (lines 1 to 3). The hyper-prior is
// uniform over the consistent factorizations, or weighs them by the probabilities of
// edges. If there is no consistent factorization, the error is a
// *[bigraph.InconsistentError]; if a variable has too many parent sets, a
// *[bigraph.TooManyError]; if their tables are too large, a *[posterior.TooLargeError];
// if a reward factor cannot be learned, an *[UnlearnableError].
func NewCausal(t *Task, prior *bigraph.Prior) (*Causal, error) {
	if err := cmp.Or(prior.Check(), t.learnable()); err != nil {
		return nil, err
	}
	c := &Causal{task: t, untied: &payoffs{task: t}, tables: make([][]float64, t.Space.Y())}
	for _, f := range t.learned(-1) {
		c.untied.append(f, t.Payoffs[f].Given)
	}
	held, candidates := 0, make([][]bigraph.Scope, t.Space.Y())
	for j := range candidates {
		sets, err := prior.Enumerate(j)
		if err != nil {
			return nil, err
		}
		cells := min(posterior.Cells(t.Space, j, sets, len(t.learned(j))), posterior.MaxCells+1) // so that the sum does not overflow
		if held += cells + perSet*len(sets); held > posterior.MaxCells {
			return nil, &posterior.TooLargeError{Y: j, Sets: len(sets)}
		}
		candidates[j] = sets
	}
	law := t.Law
	law.Tables = new(posterior.Tables)
	for j, sets := range candidates {
		law.Sets = prior.LogWeights(j, sets)
		c.locals = append(c.locals, posterior.NewLocal(t.Space, j, sets, t.learned(j), law))
	}
	if t.Space.Joint() <= fmdp.MaxJoint {
		c.joint = make([]float64, t.Space.Joint())
	}
	return c, nil
}

// Sample implements [Agent]: z ~ P_k, variable by variable, then p ~ P_k(·|z).
func (c *Causal) Sample(rng *posterior.Stream) *Sample {
	t := c.task
	s := &Sample{Graph: make(bigraph.Bigraph, len(c.locals)), Reward: t.reward(), Joint: c.joint}
	for j, local := range c.locals {
		set := local.SampleSet(rng.Rand)
		s.Graph[j] = local.Sets()[set]
		factor := local.SampleFactor(rng.Rand, set, c.tables[j])
		c.tables[j] = factor.P
		s.Transition = append(s.Transition, factor)
		for k, f := range t.learned(j) {
			given, means := local.SampleReward(rng.Rand, k, set)
			t.Space.AddPayoffs(s.Reward, given, means, t.Payoffs[f].Scale)
		}
	}
	c.untied.add(rng, s.Reward)
	if s.Joint != nil {
		fmdp.Joint(s.Joint, t.Space, s.Transition)
	}
	return s
}

func (c *Causal) Observe(episode []posterior.Step) {
	for _, local := range c.locals {
		local.Observe(episode)
	}
	for t := range episode {
		c.untied.observe(&episode[t])
	}
}

func (c *Causal) Beliefs() []*posterior.Local { return c.locals }

// payoffs is the belief about learned reward factors whose scopes are given.
type payoffs struct {
	task    *Task
	factors []int
	given   [][]int            // the scope of each factor
	counts  []posterior.Counts // of each factor, unpaid and paid in each row
}

// append adds factor f with its prior belief.
func (p *payoffs) append(f int, given []int) {
	p.factors, p.given = append(p.factors, f), append(p.given, given)
	p.counts = append(p.counts, make(posterior.Counts, 2*p.task.Space.Rows(given)))
}

func (p *payoffs) observe(step *posterior.Step) {
	for k, f := range p.factors {
		p.counts[k][2*p.task.Space.Row(p.given[k], step.Point)+int(step.Paid[f])]++
	}
}

// add draws the means and adds the expected payoffs at every x to dst.
func (p *payoffs) add(rng *posterior.Stream, dst []float64) {
	for k, f := range p.factors {
		p.task.Space.AddPayoffs(dst, p.given[k], p.counts[k].SampleMeans(rng.Rand), p.task.Payoffs[f].Scale)
	}
}
