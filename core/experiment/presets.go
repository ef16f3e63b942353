package experiment

import (
	"strings"

	"cpsrl/core/domain"
	"cpsrl/core/spec"
)

// Preset is a named spec.
type Preset struct {
	Name     string     `json:"name"`
	Alias    string     `json:"alias,omitempty"` // another name, or ""
	Title    string     `json:"title"`
	Question string     `json:"question"` // the question that it answers
	Spec     *spec.Spec `json:"spec"`     // complete
	// Gallery says that the preset shows a problem, and no figure of the paper.
	Gallery bool `json:"gallery,omitzero"`
}

// Presets returns an experiment for each figure of the paper and then for each problem of the gallery.
func Presets() []Preset { return append(paper(), problems()...) }

// Gallery returns the presets of the gallery.
func Gallery() []Preset { return problems() }

// paper returns an experiment for each figure of the paper, with the settings that the
// paper prints, each followed by a quick version that takes seconds. Figure 1 is an example
// in the paper, which runs no experiment on it.
func paper() []Preset {
	tied := func() domain.Domain { return &domain.Random{RewardScopes: domain.TiedScopes} } // the paper's r_j is over x[z_j]
	figures := []struct {
		name, alias, title, question string
		spec                         spec.Spec
		quickK, quickN               int
		more                         []string // agents that the quick version leaves out
	}{
		{"fig1", "", "Figure 1: the example graph", "Does C-PSRL find the graph of Figure 1?", spec.Spec{Domain: &domain.Figure1{}, Episodes: 100}, 60, 4, nil},
		{"fig2a", "random", "Figure 2 (a, b): random FMDP", "Does C-PSRL learn a random problem sooner than PSRL?", spec.Spec{Domain: tied(), Episodes: 500}, 60, 4, nil},
		{"fig2c", "taxi3", "Figure 2 (c): taxi 3×3", "Does C-PSRL beat PSRL on a taxi?", spec.Spec{Domain: &domain.Taxi{Grid: "3x3"}, Episodes: 400}, 100, 4, nil},
		{"fig2d", "taxi5", "Figure 2 (d): taxi 5×5", "Does C-PSRL learn a larger grid sooner than PSRL?", spec.Spec{
			Domain: &domain.Taxi{Grid: "5x5"}, Episodes: 400, Agents: []string{"psrl", "f-psrl", "c-psrl"}, // the prior of c-psrl states the walls, too
		}, 120, 4, []string{"c-psrl:eta=2"}}, // what the paper prints
		{"eta", "", "Appendix: degree of prior knowledge", "How much of the graph must be known?", spec.Spec{
			Domain: tied(), Episodes: 500,
			Agents: []string{"f-psrl", "c-psrl:eta=1", "c-psrl:eta=2", "c-psrl:eta=3", "c-psrl:eta=4"},
		}, 40, 3, nil},
	}
	var presets []Preset
	for _, p := range figures {
		p.spec.Runs, p.spec.Seed = 20, 1
		quick := *p.spec.Clone()
		quick.Episodes, quick.Runs = p.quickK, p.quickN
		p.spec.Agents = append(p.spec.Agents, p.more...)
		presets = append(presets,
			Preset{Name: p.name, Alias: p.alias, Title: p.title, Question: p.question, Spec: mustComplete(p.spec)},
			Preset{Name: p.name + "-quick", Title: p.title + ", quick", Question: p.question, Spec: mustComplete(quick)})
	}
	return presets
}

func mustComplete(s spec.Spec) *spec.Spec {
	if err := s.Complete(); err != nil {
		panic("experiment: " + err.Error())
	}
	return &s
}

// LookupPreset returns the preset with that name or alias, in upper or lower case, and
// whether there is one.
func LookupPreset(name string) (Preset, bool) {
	name = strings.ToLower(name)
	for _, p := range Presets() {
		if name == p.Name || name == p.Alias && name != "" {
			return p, true
		}
	}
	return Preset{}, false
}
