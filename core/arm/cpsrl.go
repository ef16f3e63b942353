package arm

import (
	"fmt"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/param"
)

var cpsrlKind = Kind{
	Key: "c-psrl", Gloss: "knows a part, learns the rest",
	Graph: true, Factored: true, Believes: true,
	New: func() Config { return &cpsrl{Eta: noEta} },
}

// cpsrl is C-PSRL with the prior and the switches of the spec, or with its own.
type cpsrl struct {
	Eta int
	own
}

// noEta is the Eta of an agent without an η of its own.
const noEta = -1

func (c *cpsrl) Params() []param.Param {
	return append([]param.Param{{
		Name: "eta", Section: param.Agents, Label: "Degree of prior knowledge", Symbol: "η", Phrase: "η = _", Int: &c.Eta, Low: 0, High: bigraph.MaxX,
	}}, c.rows()...)
}

func (c *cpsrl) Names() (string, string) {
	list := c.words()
	if c.Eta != noEta {
		list = append([]string{fmt.Sprintf("η = %d", c.Eta)}, list...)
	}
	if list == nil {
		return "C-PSRL", "C-PSRL"
	}
	short := strings.Join(list, ", ")
	return "C-PSRL (" + short + ")", short
}

// byEta holds the looks for η = 0, 1, …; after the last they repeat.
var byEta = []Look{
	{"#7B68C8", []float64{4, 3}},
	{"#CC79A7", []float64{14, 4}},
	{"#009E73", []float64{10, 3, 2, 3, 2, 3}},
	{"#D55E00", []float64{6, 3, 1, 3}},
	{"#8C6D1F", []float64{1, 3}},
}

func (c *cpsrl) Look() Look {
	if c.Eta == noEta {
		return Look{"#009E73", []float64{10, 4, 2, 4}}
	}
	return byEta[c.Eta%len(byEta)]
}

func (c *cpsrl) PriorName() (string, bool) { return string(c.Named), c.Eta != noEta }

func (c *cpsrl) Needs() []Need {
	switch {
	case c.Named != "" && c.Eta == noEta:
		return []Need{NamedPrior}
	case c.Named != "":
		return []Need{NamedPrior, Revealed}
	case c.Eta == noEta:
		return []Need{GivenPrior}
	}
	return []Need{Sparse, Revealed}
}

func (c *cpsrl) Prior(t *agent.Task) *bigraph.Prior {
	switch {
	case c.Named != "":
		return t.Named(string(c.Named), c.Eta)
	case c.Eta == noEta:
		return t.Prior
	}
	return t.Prior.Of(t.Revealed(c.Eta))
}

func (c *cpsrl) Build(t *agent.Task) (agent.Agent, error) {
	return agent.NewCausal(c.task(t), c.Prior(t))
}

func (c *cpsrl) Cost(t *agent.Task, s *Size) float64 {
	return causalCost(c.task(t), s, c.Prior(t), t.Truth)
}
