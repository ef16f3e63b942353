// Package domain holds the named problems: each builds a true model, the order
// in which a prior reveals its graph, the prior it suggests, and a hint of how
// to draw it. What the paper leaves open is chosen here and said so.
//
// A kind of problem is one file with one row of [Kinds].
package domain

import (
	"math/rand/v2"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// Domain is a problem with its parameters. The zero value of its type stands for
// parameters that are absent.
type Domain interface {
	// Kind is the kind of problem that it is.
	Kind() *Kind
	// Params is the table of its parameters.
	Params() []param.Param
	// Sparseness is the degree of sparseness Z that it suggests.
	Sparseness() int
	// Title names the problem and the parameters that matter. The character
	// after an underscore is a subscript.
	Title() (name string, facts []string)
	// Build returns the problem of one run. Errors of the model are
	// *fmdp.Fault, errors of a parameter are *param.Error.
	Build(rng *rand.Rand, given Given) (*Problem, error)
}

// Given is what a problem that is drawn from the prior must know of it.
type Given struct {
	Eta         int // η, the true parents of each Y variable that are known
	MostParents int // the largest |z_j| that the prior admits
}

// Kind is a kind of problem: one row of [Kinds].
type Kind struct {
	Key    string // its name in a spec: "taxi"
	Label  string // what a menu calls it
	Phrase string // what a sentence calls it
	// PerRun says that each run has a true model of its own; else all runs have
	// the same true graph.
	PerRun bool
	// Mixes says that rows are random, so that backward induction stops early.
	Mixes bool
	// FrozenSparseness is the Z that links of version 1 leave out, where it is not
	// what the domain suggests; 0 is none.
	FrozenSparseness int
	// Picture names what draws the problem, a scene of package render; "" is the
	// sampled graph alone.
	Picture string
	// New returns a problem whose parameters are absent.
	New func() Domain
}

var kinds = []*Kind{&randomKind, &taxiKind, &figure1Kind, &modelKind}

// Kinds returns every kind of problem, in the order of a menu.
func Kinds() []*Kind { return slices.Clone(kinds) }

// Register adds a kind of problem, and returns a function that takes it away
// again. Neither may be called while anything else uses the package. A second
// kind of one key panics.
func Register(k *Kind) (remove func()) {
	if Lookup(k.Key) != nil {
		panic("domain: a second kind is named " + k.Key)
	}
	before := kinds
	kinds = append(slices.Clone(kinds), k)
	return func() { kinds = before }
}

// Lookup returns the kind of that key, or nil.
func Lookup(key string) *Kind {
	for _, k := range kinds {
		if k.Key == key {
			return k
		}
	}
	return nil
}

// Problem is one instance: the true FMDP ℱ_* and what may be known of its graph.
type Problem struct {
	Model *fmdp.Model
	// Suggested is the domain's own prior z_0 ⊆ z_*.
	Suggested bigraph.Bigraph
	// Reveal lists the true parents of each Y variable in the order in which
	// G_0(η) reveals them.
	Reveal [][]int
	Grid   *Grid // how to draw it; nil if it is not a grid
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

// Grid is the picture of a taxi problem.
type Grid struct {
	Rows, Columns       int
	Walls               [][2]int // {row, column}: a wall east of that cell
	PickUp, Destination [2]int   // {row, column}
}

// horizon is the row of the horizon H.
func horizon(h *int, standard string) param.Param {
	return param.Param{
		Name: "horizon", Key: "horizon", Section: param.Domain, Label: "Horizon", Symbol: "H", Phrase: "H = _",
		Int: h, Low: 1, High: fmdp.MaxHorizon, Default: standard,
	}
}
