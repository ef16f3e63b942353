package arm

import (
	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/param"
)

var psrlKind = Kind{
	Key: "psrl", Gloss: "knows no graph",
	Baseline: 2,
	New:      func() Config { return new(psrl) },
}

// psrl is PSRL. Its rows are over whole next states, so its concentration does not default
// to the spec's.
type psrl struct{ Dirichlet dirichlet.Concentration }

func (p *psrl) Params() []param.Param {
	return []param.Param{concentration(&p.Dirichlet)}
}

func (p *psrl) Names() (string, string) {
	if p.Dirichlet.One() {
		return "PSRL", "PSRL"
	}
	return "PSRL (" + p.Dirichlet.Name() + ")", p.Dirichlet.Name()
}

func (*psrl) Needs() []Need                              { return nil }
func (*psrl) Look() Look                                 { return Look{Color: "#D55E00"} }
func (*psrl) Prior(*agent.Task) *bigraph.Prior           { return nil }
func (p *psrl) Build(t *agent.Task) (agent.Agent, error) { return agent.NewPSRL(t, p.Dirichlet) }

func (p *psrl) Cost(t *agent.Task, s *Size) float64 {
	cost := s.Joint * CostDraw
	if !p.Dirichlet.One() {
		cost = s.Joint * CostReal
	}
	if t.Reward == nil {
		cost += float64(len(t.Payoffs)) * s.cost(s.Points)
	}
	return cost
}
