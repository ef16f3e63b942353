package render

import (
	"slices"
	"strings"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/record"
)

// Oracle: the registry of domains. The scene that a domain names exists and draws the
// domain's traces.
func TestEveryPictureIsThere(t *testing.T) {
	instances := map[string]domain.Domain{"taxi": &domain.Taxi{Grid: "3x3", Horizon: 2}}
	named := 0
	for _, kind := range domain.Kinds() {
		if kind.Picture == "" {
			continue
		}
		named++
		if !slices.Contains(sceneNames(), kind.Picture) {
			t.Errorf("%s: there is no scene %q", kind.Key, kind.Picture)
			continue
		}
		d := instances[kind.Key]
		if d == nil {
			t.Errorf("%s names a scene; it needs an instance in this test", kind.Key)
			continue
		}
		draw(t, episode(t, d, "psrl", 1), View{Scene: kind.Picture, Moment: Act, Step: 1})
	}
	if named == 0 {
		t.Error("no domain names a scene")
	}
}

// The scene that a view names draws the world, and no other scene does.
func TestSceneDrawsTheWorld(t *testing.T) {
	taxi, plain := episode(t, &domain.Taxi{Grid: "3x3", Horizon: 3}, "c-psrl", 1), episode(t, &domain.Figure1{Horizon: 3}, "c-psrl", 1)
	old := scenes
	defer func() { scenes = old }()
	always := func(*record.Trace) bool { return true }
	mark := Circle{X: 1, Y: 2, R: 3, Fill: Ink}
	scenes = append([]*scene{{
		"sketch", always, 0,
		func(*draft, float64) float64 { return 100 },
		func(d *draft, _ Box) { d.add(mark) },
		func(*draft, record.TraceStep) string { return "it is sketched" },
	}}, old...)
	has := func(p *Picture) bool {
		return slices.ContainsFunc(p.Marks, func(m Mark) bool { return line(m) == line(mark) })
	}
	for _, trace := range []*record.Trace{taxi, plain} {
		p := draw(t, trace, View{Scene: "sketch", Moment: Act, Step: 2})
		if !has(p) || !strings.Contains(p.Text, "step 2 of 3, it is sketched; reward") {
			t.Errorf("the scene did not draw: %s", p.Text)
		}
	}
	if p := draw(t, taxi, View{Scene: "taxi", Moment: Act, Step: 2}); has(p) || !strings.Contains(p.Text, "the taxi ") && !strings.Contains(p.Text, "an illegal ") {
		t.Errorf("the taxi did not draw: %s", p.Text)
	}

	scenes = old
	for moment, p := range map[Moment]View{Sample: {Moment: Sample}, Act: {Moment: Act, Step: 1}} {
		named := p
		named.Scene = "taxi"
		if listing(draw(t, taxi, p)) != listing(draw(t, taxi, named)) {
			t.Errorf("%s: a trace with a grid is not drawn as a taxi", moment)
		}
	}
	for scene, words := range map[string]string{"maze": `the scene is "maze"; it must be taxi`, "Taxi": "it must be taxi"} {
		if _, err := Draw(taxi, View{Scene: scene}); err == nil || !strings.HasPrefix(err.Error(), "/scene") || !strings.Contains(err.Error(), words) {
			t.Errorf("the scene %q: %v", scene, err)
		}
	}
	if _, err := Draw(plain, View{Scene: "taxi"}); err == nil || !strings.HasPrefix(err.Error(), "/scene") {
		t.Errorf("a taxi without a grid: %v", err)
	}
}

// The picture has the name of the agent in the view, or else its label.
func TestAgentName(t *testing.T) {
	for _, agent := range []string{"psrl", "f-psrl:graph=prior"} {
		trace := episode(t, domains["figure1"], agent, 1)
		for _, moment := range Moments {
			for name, view := range map[string]View{agent: {Moment: moment}, "Ann": {Moment: moment, Agent: "Ann"}} {
				p := draw(t, trace, view)
				if p.Title != "Episode 1 · "+name {
					t.Errorf("%s: %q", moment, p.Title)
				}
				if all := listing(p); name == "Ann" && strings.Contains(all, agent) || !strings.Contains(all, name) {
					t.Errorf("%s does not call the agent %s", moment, name)
				}
			}
		}
	}
	if _, err := DecodeView([]byte(`{"agent":"` + strings.Repeat("n", 201) + `"}`)); err == nil || !strings.HasPrefix(err.Error(), "/agent") {
		t.Errorf("a long name: %v", err)
	}
}
