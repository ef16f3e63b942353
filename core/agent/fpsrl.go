package agent

import (
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/param"
)

var fpsrlKind = Kind{
	Key: "f-psrl", Gloss: "knows the whole graph",
	Graph: true, Baseline: 1,
	New: func() Config { return &fpsrl{Graph: onTruth} },
}

// fpsrl is F-PSRL. It takes as its graph the true one, or the edges of G_0 that are known
// or have a probability above ½.
type fpsrl struct {
	Graph string
	own
}

const (
	onTruth = "true"
	onPrior = "prior"
)

func (f *fpsrl) Params() []param.Param {
	graph := param.Param{
		Name: "graph", Section: param.Agents, Label: "Graph", Phrase: "graph _",
		Text: &f.Graph, Words: []param.Word{{Value: onTruth, Label: "the true one"}, {Value: onPrior, Label: "the prior’s"}}, Default: onTruth,
	}
	return append([]param.Param{graph}, f.rows()...)
}

func (f *fpsrl) Names() (string, string) {
	long, short := "F-PSRL", "F-PSRL"
	if f.Graph == onPrior {
		long, short = "F-PSRL on G₀", "on G₀"
	}
	if list := strings.Join(f.words(), ", "); list != "" {
		long, short = long+" ("+list+")", short+", "+list
	}
	return long, short
}

func (f *fpsrl) PriorName() (string, bool) { return string(f.Named), false }

func (f *fpsrl) Look() Look {
	if f.Graph == onPrior {
		return Look{"#4B86B4", []float64{2, 3}}
	}
	return Look{"#0072B2", []float64{8, 4}}
}

func (f *fpsrl) Prior(t *Task) *bigraph.Prior {
	switch {
	case f.Named != "":
		return t.Named(string(f.Named), noEta)
	case f.Graph == onPrior:
		return t.Prior
	}
	return t.Prior.Of(t.Truth)
}

func (f *fpsrl) Build(t *Task) (Agent, error) { return NewFactored(f.task(t), f.Prior(t).Stated()) }

func (f *fpsrl) Cost(t *Task, s *Size) float64 {
	graph := f.Prior(t).Stated()
	return causalCost(f.task(t), s, certain(graph, t.Space.X()), graph)
}

// NewFactored returns F-PSRL: PSRL that takes the graph as given. That is C-PSRL if the graph
// is the only candidate. If the graph's tables are too large, the error is a
// *[posterior.TooLargeError]; if a reward factor cannot be learned, an *[UnlearnableError].
func NewFactored(t *Task, graph bigraph.Bigraph) (*Causal, error) {
	return NewCausal(t, certain(graph, t.Space.X()))
}

// certain returns the prior over dX variables in which all edges of a graph are known and no
// variable may have more parents.
func certain(graph bigraph.Bigraph, dX int) *bigraph.Prior {
	prior := &bigraph.Prior{X: dX, Known: graph}
	for _, z := range graph {
		prior.Each = append(prior.Each, z.Len())
	}
	return prior
}
