// Package offline makes a problem, a policy and its value of a log: reinforcement learning from data, without a
// simulator. The laws of the problem are what the log says of them: a hyper-posterior over the parents of each variable and a
// posterior over the rows of its table given its parents. Models drawn from it carry all that is not known into the
// value of a policy.
//
// # What is learned of what
//
// The laws of state variables are learned of the transitions. A column such as done becomes one more state variable, with which an
// episode ends; its law, and what is paid, are learned of last steps, too, whose next states the table does not have.
//
// # Randomness
//
// Each use of random numbers has a stream of its own, named by the seed: the same log, question and seed give the same bytes.
//
// # Goroutines and memory
//
// A Problem belongs to one goroutine at a time. It keeps the log.
package offline

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Options say what problem a log is to be.
type Options struct {
	Name    string
	Horizon int // 0: the most steps of an episode of the log
	// Reward is a formula over the variables. If it is "", what is paid is learned of the log's columns of rewards or, if it has
	// none, known of the Model.
	Reward string
	// Model has the variables of the log. If neither Reward nor the log says what is paid, its payoffs, ends, legal actions, first
	// states and, unless Horizon says it, its horizon are the problem's. It may be nil.
	Model *fmdp.Model
	Seed  int64
}

// Problem is a problem whose laws are believed.
type Problem struct {
	// Log and Answer are what it was made of.
	Log    *format.Log
	Answer *evidence.Answer
	// Notes are sentences on what was assumed.
	Notes []string

	seed    int64
	options Options
	model   *fmdp.Model      // its laws and what is learned of payoffs are replaced
	formula string           // of the payoff, or ""
	stated  *document.Stated // the graph as the log tells it, as the prior of agents that play the problem
	known   bool             // the payoffs
	over    int              // the variable that says that the episode is over, or −1
	laws    []*law           // of the Y variables
	paid    *law             // of what is paid, or nil if it is known
	pays    []float64        // what each value of paid stands for
}

// Names of what columns of a log become.
const (
	overName = "over"
	paidName = "reward"
)

// New returns the problem of a log whose graph was weighed. The error is an *[strict.InvalidError] about the options if it has a
// place; else about the log.
func New(ctx context.Context, log *format.Log, answer *evidence.Answer, o Options) (*Problem, error) {
	p := &Problem{Log: log, Answer: answer, seed: o.Seed, options: o, over: -1}
	stated := answer.Stated(evidence.MostTrust)
	z := document.SparsenessOf(stated.Prior, stated.Space)
	p.stated = &document.Stated{Sparseness: &z, Edges: document.Alone(document.PriorEdges(stated.Prior, stated.Space)...)}
	if o.Model != nil && o.Reward == "" && !p.sayPaid() {
		return p, p.take(ctx, o)
	}
	space := &fmdp.Space{State: slices.Clone(log.Space.State), Action: log.Space.Action}
	if len(space.Action) == 0 {
		return nil, strict.Invalid("", "the log has no column of an action, so there is nothing to decide")
	}
	if slices.Contains(log.Over, true) || slices.ContainsFunc(log.Last, func(s format.LastStep) bool { return s.Over }) {
		p.over = len(space.State)
		space.State = append(space.State, fmdp.Variable{Name: unused(space, overName), Size: 2, Values: []string{"no", "yes"}})
	}
	task := &document.Task{Setting: document.Setting{Horizon: o.Horizon, Variables: document.NewVariables(space)}}
	if task.Horizon == 0 {
		task.Horizon = min(max(log.Longest, 1), fmdp.MaxHorizon)
		p.note("an episode has %s, as the longest in the log", param.Count(task.Horizon, "step"))
	}
	if p.over >= 0 {
		task.Terminal = []document.End{{Name: "the log says so", Given: []string{space.State[p.over].Name}, Is: [][]int{{1}}}}
	}
	payoff, err := p.payoff(space, o.Reward)
	if err != nil {
		return nil, err
	}
	task.Reward, p.formula = []document.Payoff{*payoff}, payoff.Formula
	if p.model, err = task.Tell(); err != nil {
		return nil, err
	}
	p.model.Name, p.known = o.Name, p.formula != ""
	if err := p.begin(); err != nil {
		return nil, err
	}
	return p, p.learn(ctx)
}

// note keeps a sentence.
func (p *Problem) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// unused returns a name that no variable has, which begins with that.
func unused(space *fmdp.Space, name string) string {
	for space.Lookup(name) >= 0 {
		name += "_"
	}
	return name
}

// payoff returns what is known of what is paid.
func (p *Problem) payoff(space *fmdp.Space, formula string) (*document.Payoff, error) {
	if formula != "" {
		return &document.Payoff{Formula: formula}, nil
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, paid := range p.payments() {
		lo, hi = min(lo, paid), max(hi, paid)
	}
	switch {
	case !p.sayPaid():
		return nil, strict.Invalid("", "no column says what was paid; name one as the reward, or give a formula over the variables")
	case lo == hi:
		p.note("every step paid %v", lo)
		return &document.Payoff{Formula: fmt.Sprintf("%v", lo)}, nil
	}
	return &document.Payoff{Name: unused(space, paidName), Scope: "hidden", Range: []float64{lo, hi}}, nil
}

// sayPaid reports whether the log says of a step what was paid.
func (p *Problem) sayPaid() bool {
	for range p.payments() {
		return true
	}
	return false
}

// payments yields every step of the log of which it says what was paid.
func (p *Problem) payments() iter.Seq2[[]int, float64] {
	return func(yield func([]int, float64) bool) {
		for k, paid := range p.Log.Paid {
			if !math.IsNaN(paid) && !yield(p.Log.Transitions[k].X, paid) {
				return
			}
		}
		for _, step := range p.Log.Last {
			if !math.IsNaN(step.Paid) && !yield(step.X, step.Paid) {
				return
			}
		}
	}
}

// take makes the problem that of a model, but for its laws.
func (p *Problem) take(ctx context.Context, o Options) error {
	m := *o.Model
	if m.Hidden > 0 {
		return strict.Invalid("", "the model has variables that agents do not see, so the log has not all that its laws are about")
	}
	if m.Name = o.Name; o.Horizon > 0 {
		m.Horizon = o.Horizon
	}
	if m.Horizon > fmdp.MaxHorizon {
		return strict.Invalid("/horizon", "the horizon is %d; it must be from 1 to %d", m.Horizon, fmdp.MaxHorizon)
	}
	if err := m.List(); err != nil {
		return strict.Located(err)
	}
	p.model, p.known = &m, true
	p.note("payoffs, ends and first states are those of the model")
	return p.learn(ctx)
}

// begin sets the law of the first state: each state in which an episode of the log began, as often as it did.
func (p *Problem) begin() error {
	m := p.model
	starts := p.Log.Starts
	if len(starts) == 0 {
		p.note("the log does not tell where episodes begin: they begin in its states, each as often as it has it")
		for _, t := range p.Log.Transitions {
			starts = append(starts, t.X[:p.Log.Space.Y()])
		}
	}
	if err := m.CheckListed(); err != nil {
		return strict.Invalid("", "%v; exact planning lists them", err)
	}
	m.Initial, m.First = make([]float64, m.States()), nil
	counts := make([]int, m.States())
	state := make([]int, m.Y())
	for _, s := range starts {
		copy(state, s)
		counts[m.Index(state)]++
	}
	for s, n := range counts {
		m.Initial[s] = float64(n) / float64(len(starts))
	}
	return nil
}

// lift returns a set of variables of the log as one of the problem's.
func (p *Problem) lift(z bigraph.Scope) (given []int) {
	for _, i := range z.Parents() {
		if p.over >= 0 && i >= p.Log.Space.Y() {
			i++
		}
		given = append(given, i)
	}
	return given
}
