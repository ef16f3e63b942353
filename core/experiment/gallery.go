package experiment

import (
	"cpsrl/core/arm"
	"cpsrl/core/dirichlet"
	"cpsrl/core/domain"
	"cpsrl/core/spec"
)

// gallery returns a preset for each problem of the gallery, with the domain's own prior and the agents
// that fit: those that are told the graph, or no graph, beside C-PSRL, and one that plays at random.
func gallery() []Preset {
	with := func(labels string) []string { return arm.Split(labels) }
	factored, tabular := with("f-psrl,c-psrl,random"), with("psrl,f-psrl,c-psrl,random")
	rare := dirichlet.Concentration{}
	if err := rare.Parse("0.1"); err != nil {
		panic("experiment: " + err.Error())
	}
	eta := func(n int) *int { return &n }
	trust := 0.9
	rows := []struct {
		name, title, question string
		spec                  spec.Spec
		runs                  int
	}{
		{"sepsis", "Sepsis: a patient and three treatments", "Does a physician’s graph help to treat sepsis?", spec.Spec{
			Domain: &domain.Sepsis{}, Episodes: 200, Agents: with("psrl,f-psrl,c-psrl,random,constant"),
		}, 6},
		{"sysadmin", "SysAdmin: ten machines and one administrator", "Can C-PSRL learn to keep machines running?", spec.Spec{
			Domain: &domain.SysAdmin{}, Episodes: 150, Agents: factored,
		}, 6},
		{"sysadmin-bits", "SysAdmin with a bit for each reboot", "Does it help to name the actions?", spec.Spec{
			Domain: &domain.SysAdmin{Reboots: "bits"}, Episodes: 150, Agents: factored,
		}, 6},
		{"game-of-life", "Game of Life: a world that dies out", "Can C-PSRL learn Conway’s rules?", spec.Spec{
			Domain: &domain.GameOfLife{}, Episodes: 300, Agents: tabular,
		}, 4},
		{"skill-teaching", "Skill Teaching: a student and a tutor", "Can C-PSRL learn to teach?", spec.Spec{
			Domain: &domain.SkillTeaching{}, Episodes: 100, Agents: factored,
		}, 6},
		{"navigation", "Navigation: a robot that may vanish", "Can C-PSRL find a safe way?", spec.Spec{
			Domain: &domain.Navigation{}, Episodes: 100, Agents: factored,
		}, 4},
		{"taxi-v3", "Taxi-v3: Gymnasium’s taxi in full", "Does a causal graph help with 500 states?", spec.Spec{
			Domain: &domain.TaxiV3{}, Episodes: 600, Agents: tabular,
		}, 4},
		{"frozen-lake", "FrozenLake: one variable, no graph", "Does a graph help where there is only one variable?", spec.Spec{
			Domain: &domain.FrozenLake{}, Episodes: 400, Agents: tabular,
		}, 10},
		{"cliff-walking", "CliffWalking: a shortest way along a cliff", "Does a causal graph keep a walker from a cliff?", spec.Spec{
			Domain: &domain.CliffWalking{}, Episodes: 150, Agents: tabular,
		}, 10},
		{"coffee-robot", "Coffee robot: a textbook’s errand", "Can C-PSRL learn an errand of four steps?", spec.Spec{
			Domain: &domain.CoffeeRobot{}, Episodes: 150, Agents: tabular,
		}, 10},
		{"river-swim", "RiverSwim: three rivers at once", "Does a causal graph tell rivers apart?", spec.Spec{
			Domain: &domain.RiverSwim{}, Episodes: 150, Agents: tabular,
		}, 10},
		{"inventory", "Inventory: two products and a season", "Does a causal graph help to order stock?", spec.Spec{
			Domain: &domain.Inventory{}, Episodes: 200, Agents: tabular,
		}, 10},
		{"random-16", "A random FMDP of 16 variables", "When does it matter how many edges are known?", spec.Spec{
			Domain:     &domain.Random{StateVariables: 10, ActionVariables: 6, Parents: 3, Horizon: 5, Rows: rare},
			Sparseness: 3, Episodes: 100, Agents: with("f-psrl,c-psrl:eta=0,c-psrl:eta=1,c-psrl:eta=2,random"),
		}, 10},
		{"wrong-edge", "A wrong edge into every variable", "What does a wrong edge cost?", spec.Spec{
			Domain: &domain.Random{StateVariables: 5, ActionVariables: 2, Parents: 3}, Sparseness: 3, Episodes: 400,
			Prior: &spec.Prior{Eta: eta(1)},
			Priors: []spec.NamedPrior{
				{Name: "sure", Prior: &spec.Prior{Eta: eta(1), False: 1}},
				{Name: "guess", Prior: &spec.Prior{Eta: eta(1), False: 1, Trust: &trust}},
			},
			Agents: with("f-psrl,c-psrl,c-psrl:prior=sure,c-psrl:prior=guess"),
		}, 10},
	}
	var presets []Preset
	for _, r := range rows {
		r.spec.Runs, r.spec.Seed = r.runs, 1
		presets = append(presets, Preset{Name: r.name, Title: r.title, Question: r.question, Spec: mustComplete(r.spec), Gallery: true})
	}
	return presets
}
