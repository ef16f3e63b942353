package results_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/internal/small"
)

// Oracle: the records themselves, and their differences.
func TestRunCurves(t *testing.T) {
	for name, sp := range small.All(t) {
		records := run(t, sp)
		s := results.NewSummary(ready(t, sp))
		for _, r := range records {
			if err := s.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		for _, m := range results.Measures() {
			at := map[[2]string]int{}
			for _, c := range s.RunCurves(m) {
				at[[2]string{c.Agent, ""}]++
				for k, got := range c.Values {
					want, has := measure(records, m, c.Run, c.Agent, k+1)
					if !has || !small.Close(got, want) {
						t.Fatalf("%s, %s: %v of %s in run %d, want %v", name, m.Key, got, c.Agent, c.Run, want)
					}
				}
			}
			for _, label := range sp.Agents {
				runs := 0
				for i := range sp.Runs {
					if _, has := measure(records, m, sp.FirstRun+i, label, 1); has {
						runs++
					}
				}
				if got := at[[2]string{label, ""}]; got != runs {
					t.Errorf("%s, %s: %d curves of %s, want %d", name, m.Key, got, label, runs)
				}
			}
		}
		pair, m := experiment.Pair{Agent: sp.Agents[0], Base: sp.Agents[len(sp.Agents)-1]}, results.CumulativeRegret()
		for _, c := range s.PairedRunCurves(m, pair, s) {
			for k, got := range c.Values {
				x, _ := measure(records, m, c.Run, pair.Agent, k+1)
				y, _ := measure(records, m, c.Run, pair.Base, k+1)
				if !small.Close(got, x-y) {
					t.Fatalf("%s: %v, want %v − %v", name, got, x, y)
				}
			}
		}
	}
}

// Oracle: a naive twin that averages every window of every regret, for records with and
// without learning, and runs that end early.
func TestLearned(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	none, some := 0, 0
	for range 300 {
		sp := small.All(t)["taxi"]
		sp.Agents, sp.Episodes, sp.Runs = []string{"psrl", "c-psrl"}, 1+rng.IntN(60), 2
		e := ready(t, sp)
		s := results.NewSummary(e)
		regrets := map[string][][]float64{}
		worst := []float64{0, 0}
		for i := range sp.Runs {
			for _, label := range sp.Agents {
				end := sp.Episodes - rng.IntN(2)*rng.IntN(sp.Episodes)
				until := rng.IntN(sp.Episodes + 10)
				var list []float64
				for k := range end {
					v := 0.0
					switch {
					case k < until:
						v = float64(rng.IntN(8)) / 4
					case rng.IntN(12) == 0:
						v = 0.25
					}
					list, worst[i] = append(list, v), max(worst[i], v)
					if err := s.Add(&record.Record{Run: sp.FirstRun + i, Agent: label, Episode: k + 1, Optimal: 2, Value: 2 - v, Regret: v}); err != nil {
						t.Fatal(err)
					}
				}
				regrets[label] = append(regrets[label], list)
			}
		}
		at := 0
		endings := s.Endings(results.CumulativeRegret())
		for _, label := range sp.Agents {
			for i := range sp.Runs {
				list, want := regrets[label][i], 0
				w := int(math.Ceil(float64(sp.Episodes) / 10))
				for k := w; k <= len(list) && want == 0; k++ {
					good := true
					for last := k; last <= len(list); last++ {
						sum := 0.0
						for _, v := range list[last-w : last] {
							sum += v
						}
						good = good && sum/float64(w) <= max(0.05*worst[i], 2e-9)+1e-9
					}
					if good {
						want = k
					}
				}
				final := 0.0
				for _, v := range list {
					final += v
				}
				got := endings[at]
				at++
				if got.Agent != label || got.Run != sp.FirstRun+i || got.Learned != want || got.Episodes != len(list) || !small.Close(float64(got.Final), final) {
					t.Fatalf("%+v, want learned %d, final %v of %v", got, want, final, list)
				}
				if want == 0 {
					none++
				} else {
					some++
				}
			}
		}
	}
	if none < 100 || some < 100 {
		t.Errorf("%d have learned, %d have not: the test needs some of each", some, none)
	}
}

// An agent without the measure still has an ending, which says when it has learned.
func TestEndingWithoutMeasure(t *testing.T) {
	sp := small.All(t)["taxi"]
	s := results.NewSummary(ready(t, sp))
	for _, r := range run(t, sp) {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range s.Endings(named(t, "recall")) {
		if math.IsNaN(float64(e.Final)) != (e.Agent == "psrl") {
			t.Errorf("%+v", e)
		}
	}
}
