package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/param"
)

// Kind is a kind of agent: one row of [Kinds].
type Kind struct {
	Key   string // the beginning of its labels: "c-psrl"
	Gloss string // what its agents know, in a few words
	// Graph says that the agents sample graphs: they are [Believer]s, and their
	// records have a belief.
	Graph bool
	// Baseline ranks the kinds that others are compared with; the highest rank is
	// preferred. A kind of rank 0 is no baseline.
	Baseline int
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
	// Prior returns the G_0 that the agent is told: t.Prior itself if the agent has
	// the spec's prior, nil if it is told no graph.
	Prior(t *Task) *bigraph.Prior
	// Build returns an agent that has not seen a step.
	Build(t *Task) (Agent, error)
	// Cost estimates the number of operations that an episode takes apart from planning,
	// acting and scoring.
	Cost(t *Task, s *Size) float64
}

// Factored is a [Config] whose agents have a table for each variable.
type Factored interface {
	// Concentration returns the α of the rows of these tables.
	Concentration(t *Task) dirichlet.Concentration
}

// Look is how an agent's curves are drawn. Colours have a contrast of at least 3:1 on
// white and on #121212. Agents of different colours also differ in their dashes.
type Look struct {
	Color string    `json:"color"` // #RRGGBB
	Dash  []float64 `json:"dash"`  // lengths of strokes and gaps at a line of width 2; empty for a solid line
}

var kinds = param.NewRegistry(func(k *Kind) string { return k.Key }, &psrlKind, &fpsrlKind, &cpsrlKind)

// Kinds returns every kind of agent, in the order of a legend.
func Kinds() []*Kind { return kinds.Rows() }

// Register adds a kind of agent and returns a function that removes it. Neither may be
// called while anything else uses the package. Register panics if the key is in use.
func Register(k *Kind) (remove func()) { return kinds.Add(k) }

// Arm is one agent of an experiment: a kind with its parameters. (The arms of a
// trial are what it compares.)
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

// Told reports whether the agent is told the spec's prior. What another agent does depends on no edge of that prior.
func (a Arm) Told() bool {
	none := make(bigraph.Bigraph, 1)
	t := &Task{Prior: &bigraph.Prior{X: 1, Known: none}, Truth: none}
	t.Revealed = func(int) bigraph.Bigraph { return none }
	t.Named = func(string, int) *bigraph.Prior { return &bigraph.Prior{X: 1, Known: none} }
	return a.Prior(t) == t.Prior
}

// Name returns the long name: "C-PSRL (η = 1)".
func (a Arm) Name() string {
	long, _ := a.Names()
	return long
}

// Size holds the sizes that the cost of an episode depends on.
type Size struct {
	Horizon float64 // H
	Points  float64 // S·A
	Joint   float64 // S²A
	Dense   bool    // whether the joint law is formed
}

// Costs of the parts of an episode, in operations of about a nanosecond. They were
// fitted to BenchmarkEpisode, the paper's presets and models with many variables or
// reward factors.
const (
	CostDraw   = 12  // to draw an entry of the table over x and y, most of whose counts are 0
	CostFactor = 25  // to draw an entry of a factor's table, whose counts are larger
	CostReal   = 90  // to draw an entry of any table whose α is not 1
	CostJoint  = 2   // to form or to compare an entry of the joint law
	costSet    = 50  // to draw noise for a parent set, and to sum up its probability and edges
	costWeigh  = 3   // to weigh one parent set by one transition
	costFind   = 15  // to find the row of a parent set without a table of them
	costSee    = 30  // to look at the next value of a state variable
	costCount  = 12  // to count a payoff
	costMean   = 30  // to draw the mean payoff of a row of a reward factor
	costPay    = 3   // to add a reward factor to R(x)
	costEntry  = 100 // to write an entry of the matrix of edges in a record
)

// cost returns the cost of an episode for a learned reward factor with that many rows.
func (s *Size) cost(rows float64) float64 {
	return rows*costMean + s.Points*costPay + s.Horizon*costCount
}
