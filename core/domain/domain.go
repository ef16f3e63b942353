// Package domain holds the named problems. Each problem builds a true model, the order in which a
// prior reveals the graph of the model, a suggested prior, and a hint for drawing the model.
// Comments say which choices are ours where the paper leaves them open.
//
// Each kind of problem has a row in [Kinds]. It is a file of this package or, if nothing is drawn, a document of package gallery
// (see [Written]).
//
// # What agents do not see
//
// A hidden variable is noise or memory (see [NoiseOf]). If all are noise, regret is against the best policy of
// what agents see. Else it is against the best policy that sees the memory, too, and no draw of the noise
// (see [Informed]). Agents learn and plan in the view, whatever is hidden.
//
// # Goroutines and memory
//
// Functions may be called by several goroutines at once. The methods of a [Domain] may
// be called by several goroutines as long as none changes the domain; [Domain.Params]
// returns pointers into it. A [Problem] belongs to the caller. The problem of a [Custom]
// shares the domain's model, which the caller must not change.
package domain

import (
	"math/rand/v2"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

// Domain is a kind of problem with its parameters. In the zero value of a domain's
// type, all parameters are absent.
type Domain interface {
	// Kind returns the domain's row in [Kinds].
	Kind() *Kind
	// Params returns the table of the domain's parameters.
	Params() []param.Param
	// Sparseness returns the degree of sparseness Z that the domain suggests.
	Sparseness() int
	// Title names the problem and the parameters that matter. The character
	// after an underscore is a subscript.
	Title() (name string, facts []string)
	// Build draws the problem of one run from rng. Parameters must be complete. The error
	// is a *[fmdp.Fault] in the model or a *[param.Error].
	Build(rng *rand.Rand, given Given) (*Problem, error)
}

// OwnSparse is a [Domain] that suggests a degree of sparseness for each Y variable.
type OwnSparse interface {
	Domain
	OwnSparseness() document.Sparseness
}

// Given describes the prior, for problems that are drawn from it.
type Given struct {
	Eta         int // η, the true parents of each Y variable that are known
	MostParents int // the largest |z_j| that the prior allows
	// Own holds, by name, the MostParents of the Y variables that differ from it.
	Own map[string]int
	// Rewards is a separate random stream for rewards that are drawn independently of
	// the graph.
	Rewards *rand.Rand
	// GraphOnly says that the model needs only its variables and the true graph. A problem
	// that draws its graph first then makes no tables and may be too large to plan in.
	GraphOnly bool
}

// of returns g with the MostParents of the Y variable of that name.
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
	// have the same true graph.
	PerRun bool `json:"perRun"`
	// Mixes says that rows are random, so that backward induction stops early.
	Mixes bool `json:"-"`
	// Reward is a sentence that says what a step pays. Regret has the same units.
	Reward string `json:"-"`
	// FrozenSparseness is the Z that links of version 1 leave out; 0 stands for
	// the Z that the domain suggests.
	FrozenSparseness int `json:"-"`
	// Since is the first version of the formats with the kind; 0 means 1.
	Since int `json:"-"`
	// Tied says that a spec without tables and dirichlet has tied tables and a mixed α. It is for
	// models of the user's and for every kind since version 3; the kinds of the paper's figures
	// keep the paper's α = 1.
	Tied bool `json:"-"`
	// Agents holds the labels of the agents of a spec that names none. If it is nil, they are those of
	// the paper's figures.
	Agents []string `json:"-"`
	// New returns a domain with all parameters absent.
	New func() Domain `json:"-"`
}

var kinds = param.NewRegistry(
	func(k *Kind) string { return k.Key }, func(k *Kind) error { return param.CheckTable(k.New().Params(), true) },
	slices.Concat([]*Kind{&randomKind, &taxiKind, &figure1Kind, &sysadminKind, &sepsisKind}, writtenKinds(), []*Kind{&riverSwimKind, &inventoryKind, &modelKind})...,
)

// Kinds returns every kind of problem, in the order of a menu.
func Kinds() []*Kind { return kinds.Rows() }

// Register adds a kind of problem and returns a function that removes it. Neither may be
// called while anything else uses the package. Register panics if the key is in
// use, or a parameter has a key that is none or is in [param.Reserved].
func Register(k *Kind) (remove func()) { return kinds.Add(k) }

// Keys returns the keys of the kinds in the order of [Kinds].
func Keys() []string { return kinds.Keys() }

// Lookup returns the kind of that key. If there is none, the error is one sentence that
// lists the keys.
func Lookup(key string) (*Kind, error) { return kinds.Lookup(key) }

// Problem is the true FMDP ℱ_* of a run and what may be known of its graph. Truths, scores and pictures
// are of the view; the regret is that of policies of the view in the world.
type Problem struct {
	World *fmdp.Model // what acts
	View  *fmdp.Model // what agents see of it: the world itself, or the world without its hidden variables
	Sight Sight
	// Suggested is the domain's own prior z_0 ⊆ z_*, the edges that are certain.
	Suggested bigraph.Bigraph
	// Suggestions are the further edges of the domain's own prior, with a probability and a reason: what
	// somebody would say who knows the field and not the model. An edge of probability 0 is forbidden.
	Suggestions []document.Suggestion
	// Reveal lists the true parents of each Y variable in the order in which
	// G_0(η) reveals them.
	Reveal [][]int
	// Picture says how to draw the problem, over the variables of the view; nil if it is drawn as a
	// table, or by the Grid of the taxi.
	Picture document.Picture
	// File is the document of the world, if there is one, with its formulas; or nil.
	File *document.ModelFile
	Grid *document.Grid
}

// suggest adds an edge between variables of the view by their names to the domain's own prior.
func (p *Problem) suggest(from, to string, probability float64, why string) {
	x, y := p.View.Lookup(from), p.View.Lookup(to)
	if x < 0 || y < 0 || y >= p.View.Y() {
		panic("domain: no edge " + from + " → " + to)
	}
	p.Suggestions = append(p.Suggestions, document.Suggestion{X: x, Y: y, P: probability, Why: why})
}

// state makes the prior of a document, which may be nil, the domain's own.
func (p *Problem) state(prior *document.Stated) {
	p.Suggested = make(bigraph.Bigraph, p.View.Y())
	for e := range document.Suggestions(prior, p.View) {
		if e.P == 1 && e.Y < p.View.Y() {
			p.Suggested[e.Y] = p.Suggested[e.Y].With(e.X)
		} else {
			p.Suggestions = append(p.Suggestions, e)
		}
	}
}

// problem returns the problem of a world of which nothing is suggested or revealed yet.
func problem(world *fmdp.Model) *Problem {
	return &Problem{World: world, View: viewOf(world), Sight: sightOf(world)}
}

// Revealed returns G_0(η): the first η true parents of each Y variable, or all if there
// are fewer. The graphs are nested.
func (p *Problem) Revealed(eta int) bigraph.Bigraph {
	g := make(bigraph.Bigraph, len(p.Reveal))
	for j, order := range p.Reveal {
		g[j] = bigraph.Of(order[:min(eta, len(order))]...)
	}
	return g
}

// horizon returns the row of the horizon H.
func horizon(h *int, standard string) param.Param {
	return param.Param{
		Name: "horizon", Key: "horizon", Section: param.Domain, Label: "Horizon", Symbol: "H", Phrase: "H = _",
		Int: h, Low: 1, High: fmdp.MaxHorizon, Default: standard,
	}
}

// trueRows returns the row of the concentration from which the true tables are drawn.
func trueRows(rows *concentration.Concentration) param.Param {
	return param.Param{
		Name: "rows", Key: "rows", Section: param.Domain, Label: "True rows", Symbol: "α⋆", Phrase: "true rows Dirichlet(_)",
		Written: rows, Words: concentration.Offered(), Default: "1", Since: 2,
	}
}
