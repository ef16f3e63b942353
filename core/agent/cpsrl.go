package agent

import (
	"cmp"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// perSet is the memory of a parent set in addition to its counts, in counts.
const perSet = 64

// Causal is C-PSRL: a hyper-posterior over the parent sets of each Y variable, and
// Dirichlet posteriors given a parent set. With one candidate set for each variable it
// is F-PSRL.
type Causal struct {
	task     *Task
	locals   []*posterior.Local // nil for a Y variable whose law is told
	beliefs  []Belief           // the locals, and what is told
	scopes   []*posterior.Local // about the payoffs of the factors in unscoped
	unscoped []int              // the factors whose scopes are learned, as in Task.Unscoped
	untied   *payoffs           // about the factors that are tied to no Y variable
	tables   [][]float64        // the factors' tables of the last sample, to be reused
	joint    []float64          // nil if S²A exceeds fmdp.MaxJoint
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
	if prior.Payoffs != nil {
		if err := prior.Payoffs.Check(); err != nil {
			return nil, ofPayoff(err, t.Space.Y())
		}
	}
	c := &Causal{task: t, untied: &payoffs{task: t}, tables: make([][]float64, t.Space.Y())}
	for _, f := range t.Learned(-1) {
		c.untied.append(f, t.Payoffs[f].Given)
	}
	if prior.Payoffs == nil { // the agent is told the scopes
		for _, f := range t.Unscoped() {
			c.untied.append(f, t.Payoffs[f].Given)
		}
	}
	held, candidates := 0, make([][]bigraph.Scope, t.Space.Y())
	for j := range candidates {
		if t.told(j) != nil {
			continue
		}
		sets, err := prior.Enumerate(j)
		if err != nil {
			return nil, err
		}
		cells := min(t.Law.Cells(t.Space, j, sets, len(t.Learned(j))), posterior.MaxCells+1) // so that the sum does not overflow
		if held += cells + perSet*len(sets); held > posterior.MaxCells {
			return nil, &posterior.TooLargeError{Y: j, Sets: len(sets)}
		}
		candidates[j] = sets
	}
	law := t.Law
	law.Tables = new(posterior.Tables)
	for j, sets := range candidates {
		if told := t.told(j); told != nil {
			c.locals, c.beliefs = append(c.locals, nil), append(c.beliefs, newKnown(t.Space, j, told))
			continue
		}
		law.Sets = prior.LogWeights(j, sets)
		local := posterior.NewLocal(t.Space, j, sets, t.Learned(j), law)
		c.locals, c.beliefs = append(c.locals, local), append(c.beliefs, local)
	}
	if err := c.learnScopes(prior.Payoffs, law, held); err != nil {
		return nil, err
	}
	if t.Space.Joint() <= fmdp.MaxJoint {
		c.joint = make([]float64, t.Space.Joint())
	}
	return c, nil
}

// ofPayoff makes an error about the prior of payoffs one about nodes: payoffs follow the Y variables.
func ofPayoff(err error, dY int) error {
	switch err := err.(type) {
	case *bigraph.InconsistentError:
		other := *err
		other.Y += dY
		return &other
	case *bigraph.TooManyError:
		other := *err
		other.Y += dY
		return &other
	}
	return err
}

// learnScopes begins the beliefs about payoffs whose scopes are hidden, given the counts that are held
// already.
func (c *Causal) learnScopes(prior *bigraph.Prior, law posterior.Law, held int) error {
	if prior == nil {
		return nil
	}
	for k, f := range c.task.Unscoped() {
		sets, err := prior.Enumerate(k)
		if err != nil {
			return ofPayoff(err, c.task.Space.Y())
		}
		if held += min(law.PayoffCells(c.task.Space, sets), posterior.MaxCells+1) + perSet*len(sets); held > posterior.MaxCells {
			return &posterior.TooLargeError{Y: c.task.Space.Y() + k, Sets: len(sets)}
		}
		law.Sets = prior.LogWeights(k, sets)
		c.scopes, c.unscoped = append(c.scopes, posterior.NewPayoff(c.task.Space, f, sets, law)), append(c.unscoped, f)
	}
	return nil
}

// PayoffBeliefs implements [PayoffBeliever].
func (c *Causal) PayoffBeliefs() (list []Belief) {
	for _, local := range c.scopes {
		list = append(list, local)
	}
	return list
}

// addScope adds the expected payoffs of the k-th factor whose scope is learned to dst. The law has, for
// each row, the probabilities that the factor is unpaid and paid.
func (c *Causal) addScope(dst []float64, k int, law *fmdp.Factor) {
	chances := make([]float64, len(law.P)/law.Size)
	for row := range chances {
		chances[row] = law.Row(row)[1]
	}
	of := &c.task.Payoffs[c.unscoped[k]]
	c.task.Space.AddPayoffs(dst, law.Given, of.Means(chances), of.Scale)
}

// Model implements [Agent]: z ~ P_k, variable by variable, then p ~ P_k(·|z).
func (c *Causal) Model(rng *posterior.Stream) *Model {
	t := c.task
	s := &Model{Graph: make(bigraph.Bigraph, len(c.locals)), Joint: c.joint}
	paid := c.unpaid()
	for j, local := range c.locals {
		if told := t.told(j); told != nil {
			s.Graph[j], s.Transition = told.Scope(), append(s.Transition, *told)
			continue
		}
		set := local.SampleSet(rng.Rand)
		s.Graph[j] = local.Sets()[set]
		factor := local.SampleFactor(rng.Rand, set, c.tables[j])
		c.tables[j] = factor.P
		s.Transition = append(s.Transition, factor)
		for k, f := range t.Learned(j) {
			given, means := local.SampleReward(rng.Rand, k, set)
			t.Space.AddPayoffs(paid, given, t.Payoffs[f].Means(means), t.Payoffs[f].Scale)
		}
	}
	for k, local := range c.scopes {
		set := local.SampleSet(rng.Rand)
		s.Payoffs = append(s.Payoffs, local.Sets()[set])
		law := local.SampleFactor(rng.Rand, set, nil)
		c.addScope(paid, k, &law)
	}
	if s.Err = t.checkPayoffs(s.Transition); s.Err != nil {
		return s
	}
	c.untied.add(rng, paid, planning.Law{Transition: s.Transition})
	s.Reward = c.rewards(paid, s.Transition)
	if s.Joint != nil {
		fmdp.Joint(s.Joint, t.Space, s.Transition)
	}
	return s
}

func (c *Causal) Observe(episode []posterior.Step) {
	for _, belief := range c.beliefs {
		belief.(interface{ Observe([]posterior.Step) }).Observe(episode)
	}
	for _, local := range c.scopes {
		local.Observe(episode)
	}
	for t := range episode {
		c.untied.observe(&episode[t])
	}
}

// Beliefs implements [Believer]. Each belief is a *[posterior.Local] or, for a variable whose law is
// told, has the true parents for certain.
func (c *Causal) Beliefs() []Belief { return c.beliefs }

// unpaid returns zeros to add payoffs to, or nil if rewards are known.
func (c *Causal) unpaid() []float64 {
	if c.task.Reward != nil {
		return nil
	}
	return make([]float64, c.task.Space.Points())
}

// rewards returns R(x) of a model with that law: what is known or, if rewards are learned, what is paid.
func (c *Causal) rewards(paid []float64, transition []fmdp.Factor) []float64 {
	if c.task.Reward == nil {
		return paid
	}
	return c.task.Rewards(planning.Law{Transition: transition})
}

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
	if step.Paid == nil {
		return
	}
	for k, f := range p.factors {
		p.counts[k][2*p.task.Space.RowAt(p.given[k], step.Point, step.Next)+int(step.Paid[f])]++
	}
}

// add draws the means and adds the expected payoffs at every x to dst.
func (p *payoffs) add(rng *posterior.Stream, dst []float64, law planning.Law) {
	for k, f := range p.factors {
		planning.AddPayoffs(dst, p.task.Space, p.given[k], p.task.Payoffs[f].Means(p.counts[k].SampleMeans(rng.Rand)), p.task.Payoffs[f].Scale, law)
	}
}
