package arm

import (
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/param"
	"cpsrl/core/search"
)

var psrlKind = Kind{
	Key: "psrl", Gloss: "knows no graph",
	Baseline: 2,
	New:      func() Config { return new(psrl) },
}

// psrl is PSRL. Its rows are over whole next states, so its concentration does not default
// to the spec's. Only a problem with told laws tells PSRL that there are variables, so PSRL learns them unless it is to be told.
type psrl struct {
	Dirichlet concentration.Concentration
	Laws      string // toldLaws or, if not given, ""
	Planner   search.Choice
}

// toldLaws is the word for laws that the agent is told, as the others are.
const toldLaws = "told"

func (p *psrl) Params() []param.Param {
	return []param.Param{alphaRow(&p.Dirichlet), {
		Name: "laws", Section: param.Agents, Label: "Laws that the problem tells", Phrase: "laws _",
		Text: &p.Laws, Words: []param.Word{{Value: toldLaws, Label: "told, as the other agents are"}}, Since: 6,
	}, plannerRow(&p.Planner)}
}

// OwnPlanner implements [Planning].
func (p *psrl) OwnPlanner() search.Choice { return p.Planner }

func (p *psrl) Names() (string, string) {
	var list []string
	if !p.Dirichlet.One() {
		list = append(list, p.Dirichlet.Name())
	}
	if p.Laws == toldLaws {
		list = append(list, "told laws")
	}
	if list = append(list, plannerWords(p.Planner)...); list == nil {
		return "PSRL", "PSRL"
	}
	short := strings.Join(list, ", ")
	return "PSRL (" + short + ")", short
}

func (*psrl) Needs() []Need                    { return nil }
func (*psrl) Look() Look                       { return Look{Color: "#D55E00"} }
func (*psrl) Prior(*agent.Task) *bigraph.Prior { return nil }

func (p *psrl) Build(t *agent.Task) (agent.Agent, error) {
	mine := *t
	if p.Laws != toldLaws {
		mine.Told = nil
	}
	return agent.NewPSRL(&mine, p.Dirichlet)
}

func (p *psrl) Cost(t *agent.Task, s *Size) float64 {
	cost := s.Joint * CostDraw
	if !p.Dirichlet.One() {
		cost = s.Joint * CostReal
	}
	if !t.Known {
		cost += float64(len(t.Payoffs)) * s.cost(s.Points)
	}
	return cost
}
