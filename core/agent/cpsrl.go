package agent

import (
	"cmp"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
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
	known    []fmdp.Reward      // as in Task.Rewards
	tables   [][]float64        // the factors' tables of the last sample, to be reused
	joint    []float64          // nil if S²A exceeds fmdp.MaxJoint
	joiner   *fmdp.Joiner       // of joint
	model    Model              // the last sample or mean
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
	c := &Causal{task: t, untied: &payoffs{task: t}, known: t.Rewards(), tables: make([][]float64, t.Space.Y())}
	for _, f := range t.Learned(-1) {
		c.untied.append(f, t.Payoffs[f].Given)
	}
	if prior.Payoffs == nil { // the agent is told the scopes
		for _, f := range t.Unscoped() {
			c.untied.append(f, t.Payoffs[f].Given)
		}
	}
	candidates, err := t.candidates(prior)
	if err != nil {
		return nil, err
	}
	law := t.Law
	law.Tables = new(posterior.Tables)
	if law.Lean, err = t.lean(law, candidates); err != nil {
		return nil, err
	}
	for j, sets := range candidates[:t.Space.Y()] {
		if told := t.told(j); told != nil {
			c.locals, c.beliefs = append(c.locals, nil), append(c.beliefs, newKnown(t.Space, j, told))
			continue
		}
		law.Sets = prior.LogWeights(j, sets)
		local := posterior.NewLocal(t.Space, j, sets, t.Learned(j), law)
		c.locals, c.beliefs = append(c.locals, local), append(c.beliefs, local)
	}
	if prior.Payoffs != nil {
		for k, f := range t.Unscoped() {
			sets := candidates[t.Space.Y()+k]
			law.Sets = prior.Payoffs.LogWeights(k, sets)
			c.scopes, c.unscoped = append(c.scopes, posterior.NewPayoff(t.Space, f, sets, law)), append(c.unscoped, f)
		}
	}
	if t.Space.Joint() <= fmdp.MaxJoint {
		c.joint, c.joiner = make([]float64, t.Space.Joint()), fmdp.NewJoiner(t.Space)
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

// candidates returns the parent sets of each Y variable, none if its law is told, and then those of the payoffs whose scopes are
// hidden and learned.
func (t *Task) candidates(prior *bigraph.Prior) ([][]bigraph.Scope, error) {
	list, lists := make([][]bigraph.Scope, t.Space.Y()), bigraph.NewLists(prior)
	for j := range list {
		if t.told(j) != nil {
			continue
		}
		var err error
		if list[j], err = lists.Of(j); err != nil {
			return nil, err
		}
	}
	if prior.Payoffs == nil {
		return list, nil
	}
	lists = bigraph.NewLists(prior.Payoffs)
	for k := range t.Unscoped() {
		sets, err := lists.Of(k)
		if err != nil {
			return nil, ofPayoff(err, t.Space.Y())
		}
		list = append(list, sets)
	}
	return list, nil
}

// lean reports whether beliefs about these parent sets have no tables, because they would be too large.
func (t *Task) lean(law posterior.Law, candidates [][]bigraph.Scope) (bool, error) {
	held, at := t.cells(law, candidates)
	if law.Lean = held > posterior.MaxTables; law.Lean {
		held, at = t.cells(law, candidates)
	}
	if held > posterior.MaxCells {
		return false, &posterior.TooLargeError{Y: at, Sets: len(candidates[at])}
	}
	return law.Lean, nil
}

// cells returns the memory of beliefs about these parent sets, in counts, and the first node with which it exceeds
// posterior.MaxCells.
func (t *Task) cells(law posterior.Law, candidates [][]bigraph.Scope) (held, at int) {
	const most = max(posterior.MaxCells, posterior.MaxTables) + 1 // so that the sum does not overflow
	at = -1
	for j, sets := range candidates {
		if sets == nil {
			continue
		}
		var cells int
		if j < t.Space.Y() {
			cells = law.Cells(t.Space, j, sets, len(t.Learned(j)))
		} else {
			cells = law.PayoffCells(t.Space, sets)
		}
		if held = min(held+min(cells, most)+perSet*len(sets), most); held > posterior.MaxCells && at < 0 {
			at = j
		}
	}
	return held, at
}

// PayoffBeliefs implements [PayoffBeliever].
func (c *Causal) PayoffBeliefs() (list []Belief) {
	for _, local := range c.scopes {
		list = append(list, local)
	}
	return list
}

// scope returns the k-th factor whose scope is learned. The law has, for each row, the probabilities that
// the factor is unpaid and paid.
func (c *Causal) scope(k int, law *fmdp.Factor) fmdp.Reward {
	chances := make([]float64, len(law.P)/law.Size)
	for row := range chances {
		chances[row] = law.Row(row)[1]
	}
	return c.task.paid(c.unscoped[k], law.Given, chances)
}

// paid returns reward factor f over the given variables, as it is if it is seen to be paid with those
// probabilities. It overwrites them.
func (t *Task) paid(f int, given []int, chances []float64) fmdp.Reward {
	of := &t.Payoffs[f]
	return fmdp.Reward{Given: given, Mean: of.Means(chances), Kind: of.Kind, Scale: of.Scale, Of: -1}
}

// Model implements [Agent]: z ~ P_k, variable by variable, then p ~ P_k(·|z).
func (c *Causal) Model(rng *posterior.Stream) *Model {
	t, s := c.task, c.begin()
	for j, local := range c.locals {
		if told := t.told(j); told != nil {
			s.Graph, s.Transition = append(s.Graph, told.Scope()), append(s.Transition, *told)
			continue
		}
		set := local.SampleSet(rng.Rand)
		s.Graph = append(s.Graph, local.Sets()[set])
		factor := local.SampleFactor(rng.Rand, set, c.tables[j])
		c.tables[j] = factor.P
		s.Transition = append(s.Transition, factor)
		for k, f := range t.Learned(j) {
			given, means := local.SampleReward(rng.Rand, k, set)
			s.Reward = append(s.Reward, t.paid(f, given, means))
		}
	}
	for k, local := range c.scopes {
		set := local.SampleSet(rng.Rand)
		s.Payoffs = append(s.Payoffs, local.Sets()[set])
		law := local.SampleFactor(rng.Rand, set, nil)
		s.Reward = append(s.Reward, c.scope(k, &law))
	}
	s.Reward = append(s.Reward, c.untied.sample(rng)...)
	if s.Joint != nil {
		c.joiner.Joint(s.Joint, s.Transition)
	}
	return s
}

// begin returns the model to fill, which has the memory of the last one but for its rewards.
func (c *Causal) begin() *Model {
	c.model = Model{Graph: c.model.Graph[:0], Transition: c.model.Transition[:0], Joint: c.joint, Reward: c.known}
	return &c.model
}

// Observe implements [Agent].
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
		if slices.ContainsFunc(p.given[k], func(i int) bool { return i >= p.task.Space.X() && step.Next[i-p.task.Space.X()] == fmdp.Unseen }) {
			continue
		}
		p.counts[k][2*p.task.Space.RowAt(p.given[k], step.Point, step.Next)+int(step.Paid[f])]++
	}
}

// sample draws the means and returns the factors.
func (p *payoffs) sample(rng *posterior.Stream) (list []fmdp.Reward) {
	for k, f := range p.factors {
		list = append(list, p.task.paid(f, p.given[k], p.counts[k].SampleMeans(rng.Rand)))
	}
	return list
}

// mean returns the factors with the means that are expected.
func (p *payoffs) mean() (list []fmdp.Reward) {
	for k, f := range p.factors {
		list = append(list, p.task.paid(f, p.given[k], p.counts[k].Means()))
	}
	return list
}
