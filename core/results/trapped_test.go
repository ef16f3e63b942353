package results_test

import (
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/gallery"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// Oracle: by hand, from regrets and entropies that are given.
func TestTraps(t *testing.T) {
	const episodes = 100
	flat := func(int) float64 { return 2 }
	falls := func(k int) float64 { return 2 / float64(k) }
	late := func(k int) float64 { // half as much in the last tenth as around the middle
		if k > 90 {
			return 1
		}
		return 2
	}
	still := func(k int) float64 { // a little less than a tenth of the first regret
		if k > 10 {
			return 0.199
		}
		return 2
	}
	settled := func(k int) float64 { return 2 / float64(k) } // bits of the whole belief over 4 variables
	for _, c := range []struct {
		name    string
		regret  func(k int) float64
		entropy func(k int) float64
		want    int
	}{
		{"flat and certain", flat, settled, 3},
		{"uncertain", flat, func(int) float64 { return 4.1 }, 0},
		{"as uncertain as may be", flat, func(int) float64 { return 4 }, 3},
		{"certain from the start", flat, func(int) float64 { return 0 }, 0},
		{"learns", falls, settled, 0},
		{"has just begun to learn", late, settled, 0},
		{"has nearly learned", still, settled, 0},
	} {
		e := ready(t, specOf(t, `{"name":"taxi","grid":"3x3"}`, `,"agents":["psrl","c-psrl"],"episodes":100,"runs":3`))
		s := results.NewSummary(e)
		add := func(run int, agent string, k int, belief *record.Belief) {
			r := &record.Record{Run: run, Agent: agent, Episode: k, Valued: &record.Valued{Optimal: 3, Value: 3 - c.regret(k), Regret: c.regret(k)}, Belief: belief}
			if err := s.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		for run := range 3 {
			for k := 1; k <= episodes; k++ {
				add(run, "psrl", k, nil)
				add(run, "c-psrl", k, &record.Belief{Updated: &record.Updated{Best: make(document.Graph, 4), Entropy: c.entropy(k)}})
			}
		}
		traps := s.Traps()
		switch {
		case c.want == 0 && len(traps) > 0, c.want > 0 && len(traps) != 1:
			t.Errorf("%s: %v", c.name, traps)
		case c.want > 0 && (traps[0].Agent != "c-psrl" || traps[0].Runs != c.want || traps[0].Of != 3 || traps[0].Share != 1):
			t.Errorf("%s: %v", c.name, traps)
		}
		want := "C-PSRL is trapped in 3 of 3 runs (29–100%): it is nearly certain of its graph, and its last 10 episodes still pay 100% of the regret of its first."
		if c.want == 0 {
			want = ""
		}
		if got := s.Warn(); got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// C-PSRL is trapped on the coffee robot with Dirichlet(1) rows, and not with a small α, nor on the
// taxi, where it learns. F-PSRL and PSRL are never trapped. Short runs do not speak of traps.
func TestTrapsOfRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds under Node")
	}
	coffee, err := gallery.Template("coffee-robot")
	if err != nil {
		t.Fatal(err)
	}
	robot := `{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":` + string(coffee) + `},"sparseness":4,"prior":{"edges":[]},"runs":4,"seed":1,`
	for rest, want := range map[string]string{
		robot + `"episodes":150}`:                  "C-PSRL is trapped in 2 of 4 runs",
		robot + `"episodes":150,"dirichlet":0.01}`: "",
		robot + `"episodes":99}`:                   "",
		`{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi","grid":"3x3"},"episodes":150,"runs":3,"seed":1}`: "",
	} {
		s, err := spec.Decode([]byte(rest))
		if err != nil {
			t.Fatal(err)
		}
		e := ready(t, s)
		summary := results.NewSummary(e)
		for r, err := range e.Run() {
			if err == nil {
				err = summary.Add(r)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := summary.Warn(); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%.150s: %q, want %q", rest, got, want)
		}
	}
}
