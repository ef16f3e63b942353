package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/param"
)

// Kind is a kind of agent: one row of [Kinds].
type Kind struct {
	Key   string // the beginning of its labels: "c-psrl"
	Gloss string // what it knows, in a few words
	// Graph says that it samples graphs: its agents are [Believer]s, and its
	// records have a belief.
	Graph bool
	// Baseline ranks the kinds that others are compared with: the highest is
	// taken; 0 is compared itself.
	Baseline int
	// New returns the configuration whose parameters are not given.
	New func() Config
	// Variants are the labels that a form offers beside the key.
	Variants []string
}

// Config is a kind of agent with its parameters.
type Config interface {
	// Params is the table of its parameters.
	Params() []param.Param
	// Names returns what people call it: "C-PSRL (η = 1)", and where the kind is
	// plain and room is short, "η = 1".
	Names() (long, short string)
	// Look is how its curves are drawn.
	Look() Look
	// Prior returns G_0 as the agent is told it: t.Prior itself if that is the
	// spec's, nil if it is told no graph.
	Prior(t *Task) *bigraph.Prior
	// Build returns an agent that has seen nothing.
	Build(t *Task) (Agent, error)
	// Cost is how many operations an episode takes beside planning, acting and
	// scoring.
	Cost(t *Task, s *Size) float64
}

// Look is how an agent's curves are drawn. Colours pass 3:1 on white and on
// #121212; colour is never alone.
type Look struct {
	Color string    `json:"color"` // #RRGGBB
	Dash  []float64 `json:"dash"`  // lengths of strokes and gaps at a line of width 2; none is solid
}

var kinds = []*Kind{&psrlKind, &fpsrlKind, &cpsrlKind}

// Kinds returns every kind of agent, in the order of a legend.
func Kinds() []*Kind { return slices.Clone(kinds) }

// Register adds a kind of agent, and returns a function that takes it away again.
// Neither may be called while anything else uses the package. A second kind of
// one key panics.
func Register(k *Kind) (remove func()) {
	if lookup(k.Key) != nil {
		panic("agent: a second kind is named " + k.Key)
	}
	before := kinds
	kinds = append(slices.Clone(kinds), k)
	return func() { kinds = before }
}

func lookup(key string) *Kind {
	for _, k := range kinds {
		if k.Key == key {
			return k
		}
	}
	return nil
}

// Arm is one agent of an experiment: a kind with its parameters.
type Arm struct {
	*Kind
	Config
}

// Parse reads a label: a kind's key, and after a colon its parameters, name=value
// with commas between. The error is one sentence.
func Parse(label string) (Arm, error) {
	key, list, has := strings.Cut(label, ":")
	k := lookup(key)
	if k == nil {
		var keys []string
		for _, k := range kinds {
			keys = append(keys, k.Key)
		}
		return Arm{}, fmt.Errorf("%q is unknown; it must be %s", param.Clip(key), param.OneOf(keys))
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
		if at < 0 || seen[name] {
			return Arm{}, fmt.Errorf("%q has no such parameter; known are %s", param.Clip(label), known())
		}
		seen[name] = true
		p := &params[at]
		if n, err := strconv.ParseUint(value, 10, 53); err == nil && p.Int != nil {
			value = strconv.FormatUint(n, 10) // without leading zeros
		}
		if p.SetString(value) != nil || p.Check() != nil {
			return Arm{}, fmt.Errorf("the %s of %q must be %s", name, param.Clip(label), p.Range())
		}
	}
	return a, nil
}

// known lists the parameters of every kind.
func known() string {
	var list []string
	for _, k := range kinds {
		for _, p := range k.New().Params() {
			list = append(list, fmt.Sprintf("the %s of %s (%s)", p.Name, k.Key, p.Range()))
		}
	}
	return strings.Join(list, ", ")
}

// Label returns the canonical label, which Parse reads back: parameters in the
// order of their table, without those that are not given.
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

// Name is what people call the agent: "C-PSRL (η = 1)".
func (a Arm) Name() string {
	long, _ := a.Names()
	return long
}

// Size is what the cost of an episode depends on.
type Size struct {
	Horizon float64 // H
	Points  float64 // S·A
	Joint   float64 // S²A
	Dense   bool    // whether the joint law is formed
	Cells   float64 // the entries of the true transition tables
	Learned float64 // 1 and the learned reward factors of a Y variable
}

// What the parts of an episode take, in operations: about a nanosecond each, by
// BenchmarkEpisode and the paper's presets.
const (
	CostDraw   = 12  // a Dirichlet weight of a full row
	CostFactor = 25  // one of a factor's row, which has seen more
	CostJoint  = 2   // an entry of the joint law: to form it, or to compare it
	costSet    = 50  // a parent set: its noise, its probability, its edges
	costWeigh  = 3   // one transition under one parent set
	costEntry  = 100 // an entry of the matrix in its records
)
