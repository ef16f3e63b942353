package offline

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// MaxTransitions is the largest number of transitions in JSON Lines that a problem is made of.
const MaxTransitions = 1 << 22

// Limits of an appraisal.
const (
	MaxModels  = 10_000
	candidates = 20      // drawn models of which the best plans are compared, besides that of the mean model
	mostTables = 1 << 24 // entries of the policies that are kept
)

// ValueEstimate is the posterior of a number, by models that were drawn.
type ValueEstimate struct {
	Mean float64 `json:"mean"`
	// Lo, Median and Hi are the quantiles 5%, 50% and 95%.
	Lo     float64 `json:"lo"`
	Median float64 `json:"median"`
	Hi     float64 `json:"hi"`
}

// estimated returns the estimate of the numbers, which it sorts.
func estimated(list []float64) ValueEstimate {
	mean := 0.0
	for _, v := range list {
		mean += v
	}
	slices.Sort(list)
	at := func(q float64) float64 { return quantile(list, q) }
	return ValueEstimate{mean / float64(len(list)), at(0.05), at(0.5), at(0.95)}
}

// quantile returns the quantile q of sorted numbers: linear between order statistics, as type 7 of R.
func quantile(list []float64, q float64) float64 {
	place := q * float64(len(list)-1)
	k := int(place)
	if k+1 == len(list) {
		return list[k]
	}
	return list[k] + float64((place-float64(k))*(list[k+1]-list[k]))
}

// Appraisal says what a policy that a log proposes is worth, if the laws are what the log says of them.
type Appraisal struct {
	Policy *planning.Policy `json:"-"`
	Plan   string           `json:"plan"`   // in which model the policy is the best
	Models int              `json:"models"` // that were drawn for the estimates; others were drawn to choose the policy
	// Proposed is the value V^π of the policy, Logged that of the behaviour in the log, and Gain their difference, model by
	// model. Best is the value of the best policy of each model, which nobody knows.
	Proposed ValueEstimate `json:"proposed"`
	Logged   ValueEstimate `json:"logged"`
	Gain     ValueEstimate `json:"gain"`
	Better   float64       `json:"better"` // the share of the models in which the policy is worth more than the behaviour
	Best     ValueEstimate `json:"best"`
	Coverage Coverage      `json:"coverage"`
	Earned   *Earned       `json:"earned,omitzero"` // if the log says it of nine in ten of its episodes, and of at least ten
	Given    *Given        `json:"given,omitzero"`  // if a policy was given

	drawn [3][]float64 // the values of Proposed, Logged and Gain, sorted
}

// Earned is what the episodes of the log were paid.
type Earned struct {
	Episodes int     `json:"episodes"`
	Mean     float64 `json:"mean"`
	// Lo and Hi are the ends of the 90% confidence interval of the mean, by the normal distribution.
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	// Off says that the models do not explain the mean: it is more than three standard deviations away from the value of the
	// behaviour in the log, where both are uncertain.
	Off bool `json:"off"`
}

// earned compares what the episodes of the log were paid with the values of the behaviour in it, in the drawn models.
func (p *Problem) earned(logged []float64) *Earned {
	list := p.Log.Returns(p.model.Horizon)
	if len(list) < 10 || 10*len(list) < 9*len(p.Log.Starts) {
		return nil
	}
	mean, spread := moments(list)
	value, doubt := moments(logged)
	deviation := spread / math.Sqrt(float64(len(list)))
	half := float64(normal90 * deviation)
	return &Earned{
		len(list), mean, mean - half, mean + half,
		math.Abs(mean-value) > float64(3*math.Sqrt(float64(deviation*deviation)+float64(doubt*doubt)))+float64(planning.NoDifference*math.Abs(mean)),
	}
}

// normal90 is the 95% quantile of the normal distribution.
const normal90 = 1.6448536269514722

// moments returns the mean of numbers and their standard deviation, which is 0 for one number.
func moments(list []float64) (mean, deviation float64) {
	for _, v := range list {
		mean += v
	}
	mean /= float64(len(list))
	for _, v := range list {
		deviation += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(deviation / float64(max(1, len(list)-1)))
}

// Given says what a given policy is worth, in the same models.
type Given struct {
	Value  ValueEstimate `json:"value"`
	Gain   ValueEstimate `json:"gain"`   // over the behaviour in the log, model by model
	Better float64       `json:"better"` // the share of the models in which it is worth more than the behaviour
	Short  ValueEstimate `json:"short"`  // how much more the proposed policy is worth, model by model
}

// Coverage says how far a log tells what a policy would meet.
type Coverage struct {
	Pairs  int     `json:"pairs"`  // of a state and a legal action, without those in which an episode has ended
	Seen   int     `json:"seen"`   // that the log has
	Steps  float64 `json:"steps"`  // the mean number of steps of an episode of the policy, in the mean model
	Unseen float64 `json:"unseen"` // the share of these steps in pairs that the log does not have
	// Top are the pairs that the log does not have and the policy meets most often, and Others is how many more it meets, in episodes
	// that were simulated in the mean model.
	Top    []UnseenPair `json:"top"`
	Others int          `json:"others"`
}

// UnseenPair is a state and an action that the log does not have, in words.
type UnseenPair struct {
	State  string  `json:"state"`
	Action string  `json:"action"`
	Share  float64 `json:"share"` // of the policy's steps
}

// Limits of the pairs that are listed.
const (
	mostPairs = 10
	simulated = 1 << 14 // episodes
)

// Value returns the policy that a document says: see [document.DecodePolicy].
func (p *Problem) Value(rules []byte) (*planning.Policy, error) {
	read, err := document.DecodePolicy(rules, &p.model.Space, p.model.Horizon)
	if err != nil {
		return nil, err
	}
	ended := p.model.Ended()
	list, err := read.Listed(func(s int) bool { return ended != nil && ended[s] != 0 })
	if err != nil {
		return nil, err
	}
	slices.Reverse(list) // by steps to go
	return planning.NewPolicy(p.model.Horizon, list), nil
}

// Appraise proposes a policy and says what it is worth. It is the policy with the largest mean value in one half of the drawn
// models, among those that are the best in the mean model and in some of the drawn models; the estimates are of the other half, so
// that the choice does not flatter them. A policy that is given, unless it is nil, is valued in the same models. The error is that of
// planning or, if ctx ends, that of ctx.
func (p *Problem) Appraise(ctx context.Context, models int, given *planning.Policy) (*Appraisal, error) {
	a, err := p.estimate(ctx, models, given)
	if err != nil {
		return nil, err
	}
	a.Coverage, err = p.coverage(ctx, a.Policy)
	return a, err
}

// estimate is Appraise without the coverage.
func (p *Problem) estimate(ctx context.Context, models int, given *planning.Policy) (*Appraisal, error) {
	if models < 1 || models > MaxModels {
		return nil, strict.Invalid("", "%d models; they must be from 1 to %d", models, MaxModels)
	}
	mean, err := p.mdp(ctx, p.Mean())
	if err != nil {
		return nil, err
	}
	policy, _ := planning.Solve(mean)
	if policy == nil {
		return nil, ctx.Err()
	}
	list := []*planning.Policy{policy}
	few := min(candidates, models, max(0, mostTables/(p.model.States()*p.model.Horizon)))
	err = p.each(ctx, "offline plans", few, func(m *planning.MDP) error {
		policy, _ := planning.Solve(m)
		list = append(list, policy)
		return nil
	})
	if err != nil {
		return nil, err
	}
	sums := make([]float64, len(list))
	err = p.each(ctx, "offline choice", models, func(m *planning.MDP) error {
		for k, policy := range list {
			sums[k] += planning.Return(m, policy, p.model.Initial)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	chosen := 0
	for k, sum := range sums {
		if sum > sums[chosen]+float64(planning.NoDifference*math.Abs(sums[chosen])) {
			chosen = k
		}
	}
	a := &Appraisal{Policy: list[chosen], Plan: "mean", Models: models}
	if chosen > 0 {
		a.Plan = "drawn"
	}
	behaviour := p.Behaviour()
	var proposed, logged, gain, best []float64
	var theirs, ahead, short []float64
	better, also := 0, 0
	err = p.each(ctx, "offline values", models, func(m *planning.MDP) error {
		of, by := planning.Return(m, a.Policy, p.model.Initial), planning.Mixed(m, behaviour, p.model.Initial)
		_, values := planning.Solve(m)
		if values == nil {
			return ctx.Err()
		}
		if of-by > planning.NoDifference*math.Abs(by) {
			better++
		}
		if given != nil {
			value := planning.Return(m, given, p.model.Initial)
			if value-by > planning.NoDifference*math.Abs(by) {
				also++
			}
			theirs, ahead, short = append(theirs, value), append(ahead, value-by), append(short, of-value)
		}
		proposed, logged, gain, best = append(proposed, of), append(logged, by), append(gain, of-by), append(best, values.Value(p.model.Initial))
		return nil
	})
	if err != nil {
		return nil, err
	}
	a.Proposed, a.Logged, a.Gain, a.Best = estimated(proposed), estimated(logged), estimated(gain), estimated(best)
	a.drawn = [3][]float64{proposed, logged, gain}
	a.Earned = p.earned(logged)
	a.Better = float64(better) / float64(models)
	if given != nil {
		a.Given = &Given{estimated(theirs), estimated(ahead), float64(also) / float64(models), estimated(short)}
	}
	return a, ctx.Err()
}

// mdp returns a model as a decision problem.
func (p *Problem) mdp(ctx context.Context, m *fmdp.Model) (*planning.MDP, error) {
	mdp, err := planning.FromModel(m, nil)
	if err != nil {
		return nil, err
	}
	mdp.Stop = func() bool { return ctx.Err() != nil }
	return mdp, nil
}

// each draws models from the stream of a purpose, and does something with each as a decision problem.
func (p *Problem) each(ctx context.Context, purpose string, models int, do func(*planning.MDP) error) error {
	rng := posterior.NewNamedStream(p.seed, 0, purpose)
	for range models {
		m, err := p.mdp(ctx, p.Draw(rng))
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = do(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Behaviour returns how often the log has the action of each point x in its state: the policy that it was made by, whatever the
// step. In a state that the log does not have, it is how often the log has each action that is legal there.
func (p *Problem) Behaviour() []float64 {
	counts, all := p.visits()
	return behaviour(p.model, counts, all, func(s int) int { return s })
}

// behaviour is Behaviour in a model with the same joint actions, where the log has its state s as the state at(s) of the problem:
// counts are those of the points of the problem, and all those of the actions.
func behaviour(m *fmdp.Model, counts, all []int, at func(s int) int) []float64 {
	actions := m.Actions()
	chances := make([]float64, m.Points())
	for s := range m.States() {
		of, total := counts[at(s)*actions:][:actions], 0
		for _, c := range of {
			total += c
		}
		if total == 0 {
			of, total = legal(m, all, s)
		}
		for a, c := range of {
			chances[s*actions+a] = float64(c) / float64(total)
		}
	}
	return chances
}

// legal returns the counts of the actions that are legal in a state of a model, and their sum; if it is 0, each of them counts once.
func legal(m *fmdp.Model, counts []int, s int) (of []int, total int) {
	list := m.Choices(m.Point(make([]int, m.Y()), s))
	if list == nil {
		for _, c := range counts {
			total += c
		}
		return counts, total
	}
	of = make([]int, len(counts))
	for _, a := range list {
		of[a] = counts[a]
		total += counts[a]
	}
	if total == 0 {
		for _, a := range list {
			of[a] = 1
		}
		total = len(list)
	}
	return of, total
}

// visits returns how often the log has each point and each action.
func (p *Problem) visits() (points, actions []int) {
	points, actions = make([]int, p.model.Points()), make([]int, p.model.Actions())
	x := make([]int, p.model.X())
	dY := p.Log.Space.Y()
	visit := func(point []int) {
		copy(x, point[:dY])
		copy(x[p.model.Y():], point[dY:])
		at := p.model.Index(x)
		points[at]++
		actions[at%len(actions)]++
	}
	for _, t := range p.Log.Transitions {
		visit(t.X)
	}
	for _, step := range p.Log.Last {
		visit(step.X)
	}
	return points, actions
}

// coverage returns the coverage of a policy. The expected number of visits to the points that the log lacks is the
// return of the policy in the mean model if each of them pays 1. If ctx ends, the error is that of ctx.
func (p *Problem) coverage(ctx context.Context, policy *planning.Policy) (c Coverage, err error) {
	mean := p.Mean()
	m, err := p.mdp(ctx, mean)
	if err != nil {
		return c, err
	}
	counts, _ := p.visits()
	unseen, steps := *m, *m
	unseen.Reward, steps.Reward = make([]float64, len(counts)), make([]float64, len(counts))
	for x, n := range counts {
		if m.Ended != nil && m.Ended[x/m.Actions] != 0 || m.Legal != nil && !m.Legal[x] {
			continue
		}
		c.Pairs++
		steps.Reward[x] = 1
		if n > 0 {
			c.Seen++
		} else {
			unseen.Reward[x] = 1
		}
	}
	c.Steps = planning.Return(&steps, policy, p.model.Initial)
	if c.Steps > 0 {
		c.Unseen = planning.Return(&unseen, policy, p.model.Initial) / c.Steps
	}
	c.Top, c.Others, err = p.unseen(ctx, mean, counts, policy)
	return c, err
}

// unseen lists the pairs with a count of 0 that a policy meets most often in a model.
func (p *Problem) unseen(ctx context.Context, m *fmdp.Model, counts []int, policy *planning.Policy) (top []UnseenPair, others int, err error) {
	rng := posterior.NewNamedStream(p.seed, 0, "offline visits")
	ended, met, steps := m.Ended(), map[int]int{}, 0
	state, x := make([]int, m.Y()), make([]int, m.X())
	for range simulated {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		s := fmdp.Draw(rng.Rand, m.Initial)
		for h := 1; h <= m.Horizon && (ended == nil || ended[s] == 0); h++ {
			at := s*m.Actions() + policy.Action(h, s)
			if steps++; counts[at] == 0 {
				met[at]++
			}
			m.Point(x, at)
			for j := range m.Transition {
				f := &m.Transition[j]
				state[j] = fmdp.Draw(rng.Rand, f.Row(m.Row(f.Given, x)))
			}
			s = m.Index(state)
		}
	}
	list := slices.SortedFunc(maps.Keys(met), func(a, b int) int { return cmp.Or(met[b]-met[a], a-b) })
	top = []UnseenPair{}
	for _, at := range list[:min(len(list), mostPairs)] {
		top = append(top, UnseenPair{p.stateText(m, at/m.Actions()), ActionText(&m.Space, at%m.Actions()), float64(met[at]) / float64(steps)})
	}
	return top, len(list) - len(top), nil
}

// stateText returns what the log has of a state of a model that begins with its variables, in words.
func (p *Problem) stateText(m *fmdp.Model, s int) string {
	var words []string
	for j, v := range m.Point(make([]int, m.Y()), s)[:p.Log.Space.Y()] {
		words = append(words, Condition{j, v, v}.Text(&m.Space))
	}
	return strings.Join(words, ", ")
}

// Proposal is an appraisal with its problem and its policy as rules, as [Problem.Write] writes it.
type Proposal struct {
	Horizon int `json:"horizon"`
	document.Variables
	Appraisal
	Rules []document.WrittenStage `json:"rules,omitzero"` // absent if there are too many states
	Notes []string                `json:"notes"`          // what was assumed, as sentences
}

// Written returns a policy as rules with their words; nil if there are too many states.
func (p *Problem) Written(policy *planning.Policy) (stages []document.WrittenStage) {
	space := &p.model.Space
	action := func(a int) []int { return space.JointAction(make([]int, len(space.Action)), a) }
	for _, stage := range p.Rules(policy) {
		w := document.WrittenStage{From: stage.From, To: stage.To, Steps: fmt.Sprintf("Steps %d to %d", stage.From, stage.To), Rules: []document.WrittenRule{}, Otherwise: action(stage.Otherwise), Act: ActionText(space, stage.Otherwise)}
		if stage.From == stage.To {
			w.Steps = fmt.Sprintf("Step %d", stage.From)
		}
		for _, r := range stage.Rules {
			rule := document.WrittenRule{Then: action(r.Then), Act: ActionText(space, r.Then)}
			var when []string
			for _, c := range r.If {
				rule.If = append(rule.If, document.WrittenCondition{Variable: space.State[c.Variable].Name, Least: c.Least, Most: c.Most})
				when = append(when, c.Text(space))
			}
			rule.When = strings.Join(when, " and ")
			w.Rules = append(w.Rules, rule)
		}
		stages = append(stages, w)
	}
	return stages
}

// Write writes an appraisal as one line of JSON, with the policy as rules.
func (p *Problem) Write(w io.Writer, a *Appraisal) error {
	return strict.WriteLine(w, Proposal{
		Horizon: p.model.Horizon, Variables: document.NewVariables(&p.model.Space), Appraisal: *a,
		Rules: p.Written(a.Policy), Notes: append([]string{}, p.Notes...),
	})
}
