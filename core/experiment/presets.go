package experiment

import (
	"strings"

	"cpsrl/core/record"
)

// Preset is a named spec.
type Preset struct {
	Name  string      `json:"name"`
	Title string      `json:"title"`
	Spec  record.Spec `json:"spec"`
}

// Presets returns the paper's figures, each followed by a size that takes
// seconds. The specs are complete.
func Presets() []Preset {
	paper := []struct {
		name, title    string
		spec           record.Spec
		quickK, quickN int
	}{
		{"fig1", "Figure 1: the example graph", record.Spec{
			Domain: record.Domain{Name: "figure1"}, Episodes: 100,
		}, 60, 4},
		{"fig2a", "Figure 2 (a, b): random FMDP", record.Spec{
			Domain: record.Domain{Name: "random-fmdp"}, Episodes: 500,
		}, 60, 4},
		{"fig2c", "Figure 2 (c): taxi 3×3", record.Spec{
			Domain: record.Domain{Name: "taxi", Grid: "3x3"}, Episodes: 400,
		}, 100, 4},
		{"fig2d", "Figure 2 (d): taxi 5×5", record.Spec{
			Domain: record.Domain{Name: "taxi", Grid: "5x5"}, Episodes: 400,
		}, 120, 4},
		{"eta", "Appendix: degree of prior knowledge", record.Spec{
			Domain: record.Domain{Name: "random-fmdp"}, Episodes: 500,
			Agents: []string{"f-psrl", "c-psrl:eta=1", "c-psrl:eta=2", "c-psrl:eta=3", "c-psrl:eta=4"},
		}, 40, 3},
	}
	var presets []Preset
	for _, p := range paper {
		p.spec.Runs, p.spec.Seed = 20, 1
		quick := p.spec
		quick.Agents = append([]string(nil), p.spec.Agents...)
		quick.Episodes, quick.Runs = p.quickK, p.quickN
		presets = append(presets,
			Preset{p.name, p.title, mustComplete(p.spec)},
			Preset{p.name + "-quick", p.title + ", quick", mustComplete(quick)})
	}
	return presets
}

func mustComplete(s record.Spec) record.Spec {
	if err := s.Complete(); err != nil {
		panic("experiment: " + err.Error())
	}
	return s
}

// LookupPreset returns the preset of that name, in any case.
func LookupPreset(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == strings.ToLower(name) {
			return p, true
		}
	}
	return Preset{}, false
}
