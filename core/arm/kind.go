// Package arm is what an experiment compares: agents with labels, parameters, names, looks
// and costs. (The arms of a trial are what it compares.) The algorithms of the paper are
// in package agent; each kind of agent has a file and a row of [Kinds] here. The baselines,
// which the paper does not define, are whole in their files here.
//
// # Goroutines
//
// [Kinds], [Parse] and the methods of an [Arm] may be called by several goroutines at once.
package arm

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/search"
)

// Kind is a kind of agent: one row of [Kinds].
type Kind struct {
	Key   string // the beginning of its labels: "c-psrl"
	Gloss string // what its agents know, in a few words
	// Graph says that the models of the agents have a graph z_k, which records hold and
	// score.
	Graph bool
	// Factored says that the models of the agents have a table for each variable.
	Factored bool
	// Source says how the agents come to their models.
	Source document.Source
	// Believes says that the agents are [agent.Believer]s, and records hold their belief.
	Believes bool
	// Plans says that the agents plan by themselves, and that their Cost includes planning.
	Plans bool
	// Baseline ranks the kinds that others are compared with; the highest rank is
	// preferred. A kind of rank 0 is no baseline.
	Baseline int
	// Since is the first version of the formats with the kind; 0 means 1.
	Since int
	// New returns a configuration with no parameter given.
	New func() Config
}

// Config is a kind of agent with its parameters.
type Config interface {
	// Params returns the table of its parameters.
	Params() []param.Param
	// Names returns the name of the agent, "C-PSRL (η = 1)", and a short one,
	// "η = 1", for places that already show the kind.
	Names() (long, short string)
	// Look returns how the agent's curves are drawn.
	Look() Look
	// Needs returns what the agent must be told. Prior, Build and Cost may rely on it.
	Needs() []Need
	// Prior returns the G_0 that the agent is told: t.Prior itself if the agent has
	// the task's prior, nil if it is told no graph.
	Prior(t *agent.Task) *bigraph.Prior
	// Build returns an agent that has not seen a step.
	Build(t *agent.Task) (agent.Agent, error)
	// Cost estimates the number of operations that an episode takes apart from acting,
	// scoring and, unless the kind Plans, planning.
	Cost(t *agent.Task, s *Size) float64
}

// Learner is implemented by a [Config] whose agents learn a table for each variable.
type Learner interface {
	// Law returns what the agents assume of these tables: the task's law or their own.
	Law(t *agent.Task) posterior.Law
}

// Planning is implemented by a [Config] whose agents may have a planner of their own.
type Planning interface {
	// OwnPlanner returns that planner, or none.
	OwnPlanner() search.Choice
}

var kinds = param.NewRegistry(
	func(k *Kind) string { return k.Key }, check,
	&psrlKind, &fpsrlKind, &cpsrlKind, &randomKind, &greedyKind, &optimalKind, &constantKind,
)

// check returns an error of one sentence if a row of [Kinds] has a source or parameters that cannot
// be, or if New does not begin with their defaults.
func check(k *Kind) error {
	if err := k.Source.Check("/source"); err != nil {
		return err
	}
	table := k.New().Params()
	for _, p := range table {
		if text := p.String(); p.Default != "" && text != p.Default {
			return fmt.Errorf("the parameter %q of %s begins with %q, not with its default, %q", p.Name, k.Key, text, p.Default)
		}
	}
	return param.CheckTable(table, false)
}

// Kinds returns every kind of agent, in the order of a legend.
func Kinds() []*Kind { return kinds.Rows() }

// Register adds a kind of agent and returns a function that removes it. Neither may be
// called while anything else uses the package. Register panics if the key is
// in use, if the key or the name of a parameter is none, or if New does not begin with the
// default of a parameter.
func Register(k *Kind) (remove func()) { return kinds.Add(k) }

// Arm is one agent of an experiment: a kind with its parameters.
type Arm struct {
	*Kind
	Config
}

// Parse reads a label: the key of a kind, optionally followed by a colon and parameters
// of the form name=value, separated by commas. The error is one sentence.
func Parse(label string) (Arm, error) {
	key, list, has := strings.Cut(label, ":")
	k, err := kinds.Lookup(key)
	if err != nil {
		return Arm{}, err
	}
	a := Arm{k, k.New()}
	if !has {
		return a, nil
	}
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(pair, "=")
		params := a.Params()
		at := slices.IndexFunc(params, func(p param.Param) bool { return p.Name == name })
		switch {
		case at < 0:
			return Arm{}, fmt.Errorf("%q has no such parameter; known are %s", param.Clip(label), k.known())
		case seen[name]:
			return Arm{}, fmt.Errorf("%q has its %s twice", param.Clip(label), name)
		}
		seen[name] = true
		p := &params[at]
		if n, err := strconv.ParseUint(value, 10, 53); err == nil && p.Int != nil {
			value = strconv.FormatUint(n, 10) // without leading zeros
		}
		if p.SetString(value) != nil || p.Check() != nil {
			return Arm{}, fmt.Errorf("the %s of %q must be %s%s", name, param.Clip(label), p.Range(), param.Hint(value, p.Int != nil))
		}
	}
	return a, nil
}

// Canonical returns the canonical label of the agent that a text names, in any form that [Parse] reads, or
// else the text. White space around the text is left out.
func Canonical(text string) string {
	text = strings.TrimSpace(text)
	if a, err := Parse(text); err == nil {
		return a.Label()
	}
	return text
}

// Split splits a list of labels at its commas. A piece that is a parameter without a
// kind belongs to the label before it. Split does not check the labels; [Parse] does.
func Split(text string) []string {
	var labels []string
	for piece := range strings.SplitSeq(text, ",") {
		name, _, parameter := strings.Cut(piece, "=")
		if n := len(labels); n > 0 && parameter && !strings.Contains(name, ":") {
			labels[n-1] += "," + piece
			continue
		}
		labels = append(labels, strings.TrimSpace(piece))
	}
	return labels
}

// known lists the parameters of the kind.
func (k *Kind) known() string {
	var list []string
	for _, p := range k.New().Params() {
		list = append(list, fmt.Sprintf("the %s of %s (%s)", p.Name, k.Key, p.Range()))
	}
	if list == nil {
		return "none of " + k.Key
	}
	return strings.Join(list, ", ")
}

// Label returns the canonical label, which [Parse] reads back. It lists the parameters
// that differ from those of a new configuration, in the order of their table.
func (a Arm) Label() string {
	var list []string
	standard := a.New().Params()
	for k, p := range a.Params() {
		if text := p.String(); text != standard[k].String() {
			list = append(list, p.Name+"="+text)
		}
	}
	if len(list) == 0 {
		return a.Key
	}
	return a.Key + ":" + strings.Join(list, ",")
}

// Planner returns the planner of an agent that has none itself: its own or the task's. The error is that of
// [search.Choice.Planner].
func (a Arm) Planner(t *agent.Task) (agent.Planner, error) { return a.planned(t).Planner() }

// planned returns the task with the agent's own planner, if it has one.
func (a Arm) planned(t *agent.Task) *agent.Task {
	if own := a.PlannerOr(search.Choice{}); own.Given() {
		mine := *t
		mine.NewPlanner = own.Planner
		return &mine
	}
	return t
}

// PlannerOr returns the planner that the agent has of its own, or else another.
func (a Arm) PlannerOr(other search.Choice) search.Choice {
	if of, may := a.Config.(Planning); may && of.OwnPlanner().Given() {
		return of.OwnPlanner()
	}
	return other
}

// Lists reports whether the agent plans by a planner that lists all states, where agents without a planner of their own
// have the given one.
func (a Arm) Lists(planner search.Choice) bool {
	_, may := a.Config.(Planning)
	return (may || !a.Plans) && a.PlannerOr(planner).Lists()
}

// Searching returns the label of the agent with a planner that searches.
func (a Arm) Searching() string {
	searching, err := Parse(a.Label())
	if err != nil {
		panic("arm: " + err.Error()) // Parse reads canonical labels
	}
	for _, p := range searching.Params() {
		if p.Name == "planner" && p.SetString("uct") != nil {
			panic("arm: uct is no planner")
		}
	}
	return searching.Label()
}

// Told reports whether the agent is told the edges of the task's prior. What another agent does
// depends on no edge of that prior.
func (a Arm) Told() bool { return slices.Contains(a.Needs(), GivenPrior) }

// Build returns an agent that has not seen a step. If the task lacks what the agent must be
// told, the error is an *[UntoldError]. If the agent is not what its kind says, the error is one
// sentence.
func (a Arm) Build(t *agent.Task) (agent.Agent, error) {
	for _, need := range a.Needs() {
		if !need.met(t) {
			return nil, &UntoldError{a.Label(), need, a.Name()}
		}
	}
	t = a.planned(t)
	if _, err := t.Planner(); err != nil {
		return nil, err
	}
	built, err := a.Config.Build(t)
	if err != nil {
		return nil, err
	}
	_, believes := built.(agent.Believer)
	_, plans := built.(agent.Planner)
	if err := cmp.Or(a.agree("Believes", a.Believes, believes), a.agree("Plans", a.Plans, plans)); err != nil {
		return nil, err
	}
	return built, nil
}

// CheckModel returns an error of one sentence if a model of an agent is not what the kind says.
func (k *Kind) CheckModel(m *agent.Model) error {
	return cmp.Or(k.agree("Graph", k.Graph, m.Graph != nil), k.agree("Factored", k.Factored, m.Transition != nil))
}

func (k *Kind) agree(fact string, said, is bool) error {
	if said != is {
		return fmt.Errorf("the row of %q has %s: %v; its agent needs %s: %v", k.Key, fact, said, fact, is)
	}
	return nil
}

// Name returns the long name: "C-PSRL (η = 1)".
func (a Arm) Name() string {
	long, _ := a.Names()
	return long
}
