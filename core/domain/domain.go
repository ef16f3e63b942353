// Package domain holds the named problems. Each builds a true model, the order in
// which a prior reveals its graph, the prior it suggests, and a hint for drawing
// it. Comments say which choices are ours where the paper leaves them open.
//
// A kind of problem is one file with one row of [Kinds].
//
// # Goroutines and memory
//
// Functions may be called by several goroutines at once, and so may the methods of
// a [Domain] that nobody changes. [Domain.Params] points into the domain.
// A [Problem] belongs to the caller; that of a [Custom] shares the domain's model,
// which is to be read only.
package domain

import (
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// Domain is a kind of problem with its parameters. In the zero value of a domain's
// type, all parameters are absent.
type Domain interface {
	// Kind returns its row of the table.
	Kind() *Kind
	// Params returns the table of its parameters.
	Params() []param.Param
	// Sparseness returns the degree of sparseness Z that it suggests.
	Sparseness() int
	// Title names the problem and the parameters that matter. The character
	// after an underscore is a subscript.
	Title() (name string, facts []string)
	// Build draws the problem of one run from rng. Parameters must be complete. An
	// error of the model is a *fmdp.Fault, one of a parameter a *param.Error.
	Build(rng *rand.Rand, given Given) (*Problem, error)
}

// Given describes the prior, for problems that are drawn from it.
type Given struct {
	Eta         int // η, the true parents of each Y variable that are known
	MostParents int // the largest |z_j| that the prior admits
	// Own holds it for the variables, by name, for which it is another.
	Own map[string]int
	// Rewards is a random stream of its own, for rewards that are drawn independently of
	// the graph.
	Rewards *rand.Rand
	// GraphOnly says that the model need have no more than its variables and the true
	// graph: a problem that draws its graph first makes no tables then, and may be larger
	// than one that is planned in.
	GraphOnly bool
}

// of returns what is given of the variable of that name.
func (g Given) of(name string) Given {
	if most, own := g.Own[name]; own {
		g.MostParents = most
	}
	return g
}

// Kind is a kind of problem: one row of [Kinds].
type Kind struct {
	Key    string `json:"key"`    // its name in a spec: "taxi"
	Label  string `json:"label"`  // its name in a menu
	Phrase string `json:"phrase"` // its name in a sentence
	// PerRun says that each run has a true graph of its own. Otherwise all runs
	// have the same.
	PerRun bool `json:"perRun"`
	// Mixes says that rows are random, so that backward induction stops early.
	Mixes bool `json:"-"`
	// Reward says in a sentence what a step pays, and so in which units regret is.
	Reward string `json:"-"`
	// FrozenSparseness is the Z that links of version 1 leave out; 0 stands for
	// the Z that the domain suggests.
	FrozenSparseness int `json:"-"`
	// Picture names the scene of package render that draws the problem; with ""
	// only the graphs are drawn.
	Picture string `json:"picture,omitempty"`
	// New returns a problem whose parameters are absent.
	New func() Domain `json:"-"`
}

var kinds = param.NewRegistry(func(k *Kind) string { return k.Key }, &randomKind, &taxiKind, &figure1Kind, &modelKind)

// Kinds returns every kind of problem, in the order of a menu.
func Kinds() []*Kind { return kinds.Rows() }

// Register adds a kind of problem, and returns a function that takes it away
// again. Neither may be called while anything else uses the package. A second
// kind of one key panics.
func Register(k *Kind) (remove func()) { return kinds.Add(k) }

// Keys lists the keys of the kinds, in their order.
func Keys() []string { return kinds.Keys() }

// Lookup returns the kind of that key. The error of an unknown key is one
// sentence that lists those there are.
func Lookup(key string) (*Kind, error) { return kinds.Lookup(key) }

// Problem is what [Domain.Build] returns: the true FMDP ℱ_* and what may be known of its graph.
type Problem struct {
	Model *fmdp.Model
	// Suggested is the domain's own prior z_0 ⊆ z_*.
	Suggested bigraph.Bigraph
	// Reveal lists the true parents of each Y variable in the order in which
	// G_0(η) reveals them.
	Reveal [][]int
	Grid   *record.Grid // how to draw it; nil if it is not a grid
}

// Revealed returns G_0(η): the first η parents of each Y variable, or all of them.
// The graphs are nested.
func (p *Problem) Revealed(eta int) bigraph.Bigraph {
	g := make(bigraph.Bigraph, len(p.Reveal))
	for j, order := range p.Reveal {
		g[j] = bigraph.Of(order[:min(eta, len(order))]...)
	}
	return g
}

// horizon is the row of the horizon H.
func horizon(h *int, standard string) param.Param {
	return param.Param{
		Name: "horizon", Key: "horizon", Section: param.Domain, Label: "Horizon", Symbol: "H", Phrase: "H = _",
		Int: h, Low: 1, High: fmdp.MaxHorizon, Default: standard,
	}
}

// trueRows is the row of the concentration of the true tables, where these are random.
func trueRows(rows *dirichlet.Concentration) param.Param {
	return param.Param{
		Name: "rows", Key: "rows", Section: param.Domain, Label: "True rows", Symbol: "α⋆", Phrase: "true rows Dirichlet(_)",
		Written: rows, Words: dirichlet.Offered(), Default: "1", Since: 2,
	}
}
