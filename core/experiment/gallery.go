package experiment

import (
	"slices"

	"cpsrl/core/arm"
	"cpsrl/core/concentration"
	"cpsrl/core/domain"
	"cpsrl/core/gallery"
	"cpsrl/core/spec"
)

// problems returns a preset for each problem of the gallery, with the domain's own prior and the agents
// that fit: F-PSRL, C-PSRL, C-PSRL with no edge stated (η = 0), which shows what the stated edges add, and one that plays at
// random. Without a stated edge, Navigation and SysAdmin with bits have more parent sets than a browser can hold.
// PSRL plays where its table fits. Its rows have an α of about 1/S, because sparse rows are what the others assume, too, and it is
// told the laws that they are told.
func problems() []Preset {
	with := func(labels string) []string { return arm.Split(labels) }
	stated, factored := with("f-psrl,c-psrl,random"), with("f-psrl,c-psrl,c-psrl:eta=0,random")
	tabular := func(alpha string) []string {
		return append(with("psrl:dirichlet="+alpha), factored...)
	}
	rare := concentration.Concentration{}
	if err := rare.Parse("0.1"); err != nil {
		panic("experiment: " + err.Error())
	}
	eta := func(n int) *int { return &n }
	trust := 0.9
	type row struct {
		name, title, question string
		spec                  spec.Spec
		runs                  int
	}
	rows := []row{
		{"sepsis", "Sepsis: a patient and three treatments", "Can C-PSRL learn to treat sepsis?", spec.Spec{
			Domain: &domain.Sepsis{}, Episodes: 200, Agents: append(tabular("0.011,laws=told"), "constant"),
		}, 6},
		{"sysadmin", "SysAdmin: ten machines and one administrator", "Can C-PSRL learn to keep machines running?", spec.Spec{
			Domain: &domain.SysAdmin{}, Episodes: 150, Agents: factored,
		}, 6},
		{"sysadmin-bits", "SysAdmin with a bit for each reboot", "Can C-PSRL learn which machine a bit reboots?", spec.Spec{
			Domain: &domain.SysAdmin{Reboots: "bits"}, Episodes: 150, Agents: stated,
		}, 6},
	}
	for _, e := range gallery.Entries() {
		if p := e.Preset; p != nil {
			kind, err := domain.Lookup(e.Name)
			if err != nil {
				panic("experiment: " + err.Error())
			}
			s := spec.Spec{Domain: kind.New(), Episodes: p.Episodes, Agents: slices.Clone(p.Agents)}
			if p.Planner != "" {
				if err := s.Planner.Parse(p.Planner); err != nil {
					panic("experiment: " + e.Name + ": " + err.Error())
				}
			}
			rows = append(rows, row{e.Name, e.Title, p.Question, s, p.Runs})
		}
	}
	rows = append(rows, []row{
		{"river-swim", "RiverSwim: three rivers at once", "Do stated edges tell rivers apart?", spec.Spec{
			Domain: &domain.RiverSwim{}, Episodes: 150, Agents: tabular("0.005"),
		}, 10},
		{"inventory", "Inventory: two products and a season", "Do stated edges help to order stock?", spec.Spec{
			Domain: &domain.Inventory{}, Episodes: 200, Agents: tabular("0.014"),
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
			Agents: with("f-psrl,c-psrl,c-psrl:eta=0,c-psrl:prior=sure,c-psrl:prior=guess"),
		}, 10},
	}...)
	var presets []Preset
	for _, r := range rows {
		r.spec.Runs, r.spec.Seed = r.runs, 1
		presets = append(presets, Preset{Name: r.name, Title: r.title, Question: r.question, Spec: mustComplete(r.spec), Gallery: true})
	}
	return presets
}
