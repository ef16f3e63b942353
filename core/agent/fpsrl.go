package agent

import (
	"cpsrl/core/bigraph"
	"cpsrl/core/param"
)

var fpsrlKind = Kind{
	Key: "f-psrl", Gloss: "knows the whole graph",
	Graph: true, Baseline: 1,
	New:      func() Config { return &fpsrl{Graph: onTruth} },
	Variants: []string{"f-psrl:graph=prior"},
}

// fpsrl is F-PSRL. It takes the true graph, or G_0 as if it were complete.
type fpsrl struct{ Graph string }

const (
	onTruth = "true"
	onPrior = "prior"
)

func (f *fpsrl) Params() []param.Param {
	return []param.Param{{Name: "graph", Text: &f.Graph, Words: []param.Word{{Value: onTruth, Label: "z⋆"}, {Value: onPrior, Label: "G₀"}}}}
}

func (f *fpsrl) Names() (string, string) {
	if f.Graph == onPrior {
		return "F-PSRL on G₀", "on G₀"
	}
	return "F-PSRL", "F-PSRL"
}

func (f *fpsrl) Look() Look {
	if f.Graph == onPrior {
		return Look{"#4B86B4", []float64{2, 3}}
	}
	return Look{"#0072B2", []float64{8, 4}}
}

func (f *fpsrl) Prior(t *Task) *bigraph.Prior {
	if f.Graph == onPrior {
		return t.Prior
	}
	prior := *t.Prior
	prior.Known = t.Truth
	return &prior
}

func (f *fpsrl) Build(t *Task) (Agent, error) { return NewFactored(t, f.Prior(t).Known) }

func (f *fpsrl) Cost(t *Task, s *Size) float64 {
	return causalCost(t, s, f.Prior(t).Known, func(int) float64 { return 1 })
}
