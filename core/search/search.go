// Package search plans where states cannot be listed: it asks a sampled model what may follow the present state.
// And it has the table of all planners, exact planning among them: see [Kinds].
//
// A search decides anew in each step. It simulates episodes from the present state in the model ℱ_k, in which it
// plans, and looks so many steps ahead. What it may do is counted in simulated episodes and steps, never in time.
// The random numbers of a decision come from the stream of its step ([agent.Draws]), nodes are numbered as they are
// met, and the arithmetic is that of ARCHITECTURE.md, so equal specs give equal bits.
//
// Each planner is a file and a row of [Kinds].
//
// # Goroutines
//
// [Kinds] and the methods of a [Choice] may be called by several goroutines at once, but not Parse and Decode. A planner
// and its policies belong to one goroutine at a time.
package search

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

// Limits of a search.
const (
	MaxTrials  = 100_000 // simulated episodes of a decision
	MaxDepth   = 1_000   // steps that each looks ahead
	MaxActions = 1 << 12 // joint actions: a search tries each of them
)

// Since is the first version of the formats with planners.
const Since = 7

// Budget is how much a planner may do in a decision.
type Budget struct {
	Trials int // simulated episodes
	Depth  int // steps that each looks ahead
}

// Kind is a kind of planner: one row of [Kinds].
type Kind struct {
	Key   string // its name: "uct"
	Label string // its name in a form
	Words string // what agents plan by, in a sentence: "rollouts"; "" for the label
	// Budget is what a form offers; zero for a planner without a budget.
	Budget Budget
	// Steps returns how many steps in the model a decision simulates; nil for a planner that lists all states.
	Steps func(b Budget, actions int) float64
	// New returns a planner of a task.
	New func(t *agent.Task, b Budget) (agent.Planner, error)
}

var kinds = param.NewRegistry(func(k *Kind) string { return k.Key }, check, &exactKind, &rolloutKind, &uctKind)

func check(k *Kind) error {
	if (k.Budget == Budget{}) {
		return nil
	}
	return k.Budget.check(k.Key)
}

// Kinds returns every kind of planner, in the order of a menu.
func Kinds() []*Kind { return kinds.Rows() }

// Register adds a kind of planner and returns a function that removes it. Neither may be called while anything else
// uses the package. Register panics if the key is in use or no key.
func Register(k *Kind) (remove func()) { return kinds.Add(k) }

var exactKind = Kind{
	Key: "exact", Label: "exact: backward induction", Words: "exact backward induction",
	New: func(t *agent.Task, _ Budget) (agent.Planner, error) { return t.Exact(), nil },
}

// Choice is a planner with its budget. The zero value is absent. Its texts are the key of a kind, "exact", and for a
// kind with a budget the trials and the depth, "uct:600:10".
type Choice struct {
	kind   *Kind
	budget Budget
}

// Given reports whether a planner has been chosen.
func (c Choice) Given() bool { return c.kind != nil }

// Lists reports whether the planner lists all states, as exact planning does.
func (c Choice) Lists() bool { return c.kind == nil || c.kind.Steps == nil }

// Planner returns the planner of a task. If there are more than MaxActions joint actions to search, the error is a
// *[TooManyActionsError].
func (c Choice) Planner(t *agent.Task) (agent.Planner, error) { return c.kind.New(t, c.budget) }

// Words says what agents plan by: "a tree of trials (uct, 600 trials of at most 10 steps in each decision)".
func (c Choice) Words() string {
	words := cmp.Or(c.kind.Words, c.kind.Label)
	if (c.kind.Budget == Budget{}) {
		return words
	}
	return fmt.Sprintf("%s (%s, %d trials of at most %d steps)", words, c.kind.Key, c.budget.Trials, c.budget.Depth)
}

// Steps returns how many steps in the model a decision simulates; 0 if the planner lists all states.
func (c Choice) Steps(actions int) float64 {
	if c.kind == nil || c.kind.Steps == nil {
		return 0
	}
	return c.kind.Steps(c.budget, actions)
}

// Ahead returns the share of its depth that a decision looks ahead, as a mean over the steps of an episode of that
// horizon, behind which there is nothing to see.
func (c Choice) Ahead(horizon int) float64 {
	d, h := float64(c.budget.Depth), float64(horizon)
	switch {
	case d == 0:
		return 1
	case h <= d:
		return (h + 1) / 2 / d
	}
	return 1 - (d-1)/2/h
}

// String returns the canonical text; "" if the planner is absent.
func (c Choice) String() string {
	switch {
	case c.kind == nil:
		return ""
	case c.kind.Budget == Budget{}:
		return c.kind.Key
	}
	return fmt.Sprintf("%s:%d:%d", c.kind.Key, c.budget.Trials, c.budget.Depth)
}

// Range describes the possible values in words.
func (Choice) Range() string {
	var list []string
	for _, k := range kinds.Rows() {
		if (k.Budget != Budget{}) {
			list = append(list, k.Key+":TRIALS:DEPTH")
		} else {
			list = append(list, k.Key)
		}
	}
	return fmt.Sprintf("%s, from 1:1 to %d:%d", param.OneOf(list), MaxTrials, MaxDepth)
}

// Offered returns the planners that a form offers.
func Offered() (list []param.Word) {
	for _, k := range kinds.Rows() {
		list = append(list, param.Word{Value: Choice{k, k.Budget}.String(), Label: k.Label})
	}
	return list
}

// Parse sets c from a text, which need not be the canonical one: a key alone has the budget that a form offers. If the
// text is refused, c does not change and the error is one sentence.
func (c *Choice) Parse(text string) error {
	key, rest, has := strings.Cut(text, ":")
	k, err := kinds.Lookup(key)
	if err != nil {
		return fmt.Errorf("%q is unknown; it must be %s", param.Clip(text), Choice{}.Range())
	}
	chosen := Choice{k, k.Budget}
	if has {
		trials, depth, two := strings.Cut(rest, ":")
		n, err := strconv.ParseUint(trials, 10, 53)
		d, err2 := strconv.ParseUint(depth, 10, 53)
		if (k.Budget == Budget{}) || !two || err != nil || err2 != nil {
			return fmt.Errorf("%q is not %s%s", param.Clip(text), Choice{}.Range(), param.Hint(text, false))
		}
		chosen.budget = Budget{int(min(n, MaxTrials+1)), int(min(d, MaxDepth+1))}
		if err := chosen.budget.check(key); err != nil {
			return err
		}
	}
	*c = chosen
	return nil
}

// check returns an error of one sentence if a planner cannot have the budget.
func (b Budget) check(key string) error {
	switch {
	case b.Trials < 1 || b.Trials > MaxTrials:
		return fmt.Errorf("the trials of %s must be from 1 to %d", key, MaxTrials)
	case b.Depth < 1 || b.Depth > MaxDepth:
		return fmt.Errorf("the depth of %s must be from 1 to %d", key, MaxDepth)
	}
	return nil
}

// Encode returns the canonical JSON.
func (c Choice) Encode() []byte { return strconv.AppendQuote(nil, c.String()) }

// Decode sets c from JSON, which is its text.
func (c *Choice) Decode(data []byte) error {
	text, err := strconv.Unquote(string(data))
	if err != nil {
		return fmt.Errorf("expected a text, found %s", param.Clip(string(data)))
	}
	return c.Parse(text)
}

// TooManyActionsError says that a search would have to try too many joint actions, or that a tree would hold them too
// often.
type TooManyActionsError struct {
	Actions int
	Trials  int // of a tree, or 0
}

func (e *TooManyActionsError) Error() string {
	if e.Trials > 0 {
		return fmt.Sprintf("a tree of %d trials holds %d joint actions up to as many times, more than %d in all", e.Trials, e.Actions, maxSlots)
	}
	return fmt.Sprintf("a search tries each of %d joint actions, more than %d", e.Actions, MaxActions)
}

// decide returns the action to play in a state with that many steps to go. It may draw from rng. The model is at its
// disposal. If ctx ends, it returns its error.
type decide func(ctx context.Context, m *sampled, rng *posterior.Stream, b Budget, state []int, togo int) (action int, err error)

// weigh returns what decide makes of each action, from the same draws.
type weigh func(ctx context.Context, m *sampled, rng *posterior.Stream, b Budget, state []int, togo int) ([]agent.Weight, error)

// planner is the [agent.Planner] of a search. It plans nothing before it is asked.
type planner struct {
	task   *agent.Task
	budget Budget
	acts   [][]int
	decide decide
	weigh  weigh
}

// deciding returns the New of a search.
func deciding(by decide, from weigh) func(*agent.Task, Budget) (agent.Planner, error) {
	return func(t *agent.Task, b Budget) (agent.Planner, error) {
		if n := t.Space.Actions(); n > MaxActions {
			return nil, &TooManyActionsError{Actions: n}
		}
		return &planner{t, b, t.Space.JointActions(), by, from}, nil
	}
}

// Plan implements [agent.Planner].
func (p *planner) Plan(_ context.Context, rng *agent.Draws, model *agent.Model) (agent.Policy, error) {
	return &policy{p, newSampled(p.task, model, p.acts), rng}, nil
}

// policy is the policy of an episode.
type policy struct {
	*planner
	model *sampled
	rng   *agent.Draws
}

func (p *policy) Horizon() int { return p.task.Horizon }

// Act implements [agent.Policy]. Where the episode has ended, it is the first action that is legal.
func (p *policy) Act(ctx context.Context, h int, state []int) (int, error) {
	if p.model.ended(state) {
		return int(p.model.choices(state)[0]), nil
	}
	return p.decide(ctx, p.model, p.rng.Step(h), p.budget, state, p.task.Horizon-h+1)
}

// Weigh implements [agent.Weigher].
func (p *policy) Weigh(ctx context.Context, h int, state []int) ([]agent.Weight, error) {
	if p.model.ended(state) {
		return nil, nil
	}
	return p.weigh(ctx, p.model, p.rng.Step(h), p.budget, state, p.task.Horizon-h+1)
}

// best returns the index of the largest number, the lowest in a tie.
func best(list []float64) (at int) {
	for a, v := range list {
		if v > list[at] {
			at = a
		}
	}
	return at
}
