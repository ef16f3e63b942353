package arm

import (
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/param"
)

var fpsrlKind = Kind{
	Key: "f-psrl", Gloss: "knows the whole graph",
	Graph: true, Factored: true, Believes: true, Baseline: 1,
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

func (f *fpsrl) Needs() []Need {
	switch {
	case f.Named != "":
		return []Need{NamedPrior}
	case f.Graph == onPrior:
		return []Need{GivenPrior}
	}
	return []Need{Sparse, TrueGraph}
}

func (f *fpsrl) Prior(t *agent.Task) *bigraph.Prior {
	switch {
	case f.Named != "":
		return t.Named(string(f.Named), noEta)
	case f.Graph == onPrior:
		return t.Prior
	}
	return t.Prior.Of(t.Truth)
}

func (f *fpsrl) Build(t *agent.Task) (agent.Agent, error) {
	return agent.NewCausal(f.task(t), f.certain(t))
}

// certain returns the prior that leaves only the agent's graph. If that is the true graph, the agent is
// told the parents of payoffs, too.
func (f *fpsrl) certain(t *agent.Task) *bigraph.Prior {
	prior := f.Prior(t)
	if f.Named == "" && f.Graph != onPrior {
		return agent.Certain(prior.Stated(), t.Space.X())
	}
	return agent.Stated(prior, t.Space.X())
}

func (f *fpsrl) Cost(t *agent.Task, s *Size) float64 {
	return causalCost(f.task(t), s, f.certain(t), f.Prior(t).Stated())
}
