package film_test

import (
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/internal/small"
	"cpsrl/render"
	"cpsrl/render/film"
)

// Where no list holds the states, each moment of each agent is drawn, and says nothing of values that nobody knows.
func TestVast(t *testing.T) {
	e, err := experiment.New(small.Decode(t, small.Ring(20, `"c-psrl","optimal","random"`, small.RingPlanner)))
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range e.Spec().Agents {
		trace, err := e.Trace(t.Context(), 0, agent, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, moment := range render.Moments {
			for _, world := range []bool{true, false} {
				for _, model := range []string{"sampled", "true"} {
					on := true
					p, err := render.Draw(trace, render.StageView{Moment: moment, Model: model, World: world, Truth: true, Values: &on, Policy: &on})
					if err != nil {
						t.Fatal(err)
					}
					if text := string(render.SVG(p)); strings.Contains(text, "worth") || strings.Contains(text, "NaN") || strings.Contains(text, "optimum") {
						t.Errorf("%s, %s: %s", agent, moment, p.Text)
					}
					searches := strings.Contains(p.Text, "the search likes ")
					if want := moment == render.Plan && agent != "random"; searches != want {
						t.Errorf("%s, %s: %s", agent, moment, p.Text)
					}
				}
			}
		}
		shots, err := film.Shoot(t.Context(), e, 0, agent, film.Learning(3, film.Smooth))
		if err != nil {
			t.Fatal(err)
		}
		pieces := 0
		for shot, err := range shots {
			if err != nil {
				t.Fatal(err)
			}
			if shot.Piece != nil {
				pieces++
			}
		}
		if pieces != 3 {
			t.Errorf("%s: %d pieces", agent, pieces)
		}
		episodes, err := e.Episodes(t.Context(), 0, agent, 1)
		if err != nil {
			t.Fatal(err)
		}
		var first *record.Episode
		for k, err := range episodes {
			if first = k; err != nil {
				t.Fatal(err)
			}
		}
		p, err := render.DrawEpisode(trace, first, render.StageView{})
		if err != nil || strings.Contains(p.Text, "worth") || !strings.Contains(p.Text, " collects ") {
			t.Errorf("%v: %+v", err, p)
		}
	}
}
