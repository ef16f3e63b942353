package results_test

import (
	"math"
	"math/rand/v2"
	"slices"
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
					want, has := measure(s, records, m, c.Run, c.Agent, k+1)
					if !has || !small.Close(got, want) {
						t.Fatalf("%s, %s: %v of %s in run %d, want %v", name, m.Key, got, c.Agent, c.Run, want)
					}
				}
			}
			for _, label := range sp.Agents {
				runs := 0
				for i := range sp.Runs {
					if _, has := measure(s, records, m, sp.FirstRun+i, label, 1); has {
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
				x, _ := measure(s, records, m, c.Run, pair.Agent, k+1)
				y, _ := measure(s, records, m, c.Run, pair.Base, k+1)
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
		random, err := e.Random(sp.FirstRun)
		if err != nil {
			t.Fatal(err)
		}
		optimal := random + 2 // so that a regret of 0.1 is 5%
		s := results.NewSummary(e)
		regrets := map[string][][]float64{}
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
						v = []float64{0.1, 0.25}[rng.IntN(2)]
					}
					list = append(list, v)
					if err := s.Add(&record.Record{Run: sp.FirstRun + i, Agent: label, Episode: k + 1, Valued: &record.Valued{Optimal: optimal, Value: optimal - v, Regret: v}}); err != nil {
						t.Fatal(err)
					}
				}
				regrets[label] = append(regrets[label], list)
			}
		}
		at := 0
		endings := s.RunEnds(results.CumulativeRegret())
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
						good = good && sum/float64(w) <= 0.1+1e-9
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

// Who else plays changes neither when an agent has learned nor its normalised value.
func TestLearnedInCompany(t *testing.T) {
	for _, name := range []string{"fig1-quick", "fig2a-quick", "river-swim", "frozen-lake"} {
		p, known := experiment.LookupPreset(name)
		if !known {
			t.Fatal(name)
		}
		var alone []results.RunEnd
		for _, agents := range [][]string{{"c-psrl"}, {"c-psrl", "random"}} {
			sp := p.Spec.Clone()
			sp.Agents, sp.Episodes, sp.Runs = agents, 60, 3
			s := results.NewSummary(ready(t, sp))
			for _, r := range run(t, sp) {
				if err := s.Add(r); err != nil {
					t.Fatal(err)
				}
			}
			of := named(t, "normalised-value")
			got := slices.DeleteFunc(s.RunEnds(of), func(e results.RunEnd) bool { return e.Agent != "c-psrl" })
			if alone == nil {
				alone = got
			} else if !slices.Equal(got, alone) {
				t.Errorf("%s: %v with random, %v alone", name, got, alone)
			}
			// Oracle of the rule: the mean of the last w normalised values is at least 95% from then on.
			curves, w := s.RunCurves(of), results.WindowOf(sp.Episodes)
			for k, e := range s.RunEnds(of) {
				want := 0
				for at := w; at <= sp.Episodes && want == 0; at++ {
					good := true
					for last := at; last <= sp.Episodes; last++ {
						mean := 0.0
						for _, v := range curves[k].Values[last-w : last] {
							mean += v / float64(w)
						}
						good = good && mean >= 0.95-1e-9
					}
					if good {
						want = at
					}
				}
				if e.Learned != want {
					t.Errorf("%s, %s, run %d: learned after %d, want %d", name, e.Agent, e.Run, e.Learned, want)
				}
			}
		}
	}
}

// The words of a share are those of its interval: published values, and the ends of all shares.
func TestOfRuns(t *testing.T) {
	for want, of := range map[string][2]int{
		"15 of 20 runs (51–91%)": {15, 20}, "5 of 6 runs (36–100%)": {5, 6}, "6 of 6 runs (54–100%)": {6, 6},
		"0 of 4 runs (0–60%)": {0, 4}, "0 of 80 runs (0–5%)": {0, 80}, "1 of 1 run (3–100%)": {1, 1}, "1 of 10 runs (0–45%)": {1, 10},
	} {
		if got := results.OfRuns(of[0], of[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Where every policy pays the same, there is no normalised value, and every agent has learned.
func TestNothingAtStake(t *testing.T) {
	sp := small.All(t)["model"]
	sp.Agents = []string{"c-psrl"}
	s := results.NewSummary(ready(t, sp))
	random, known := s.Truth(sp.FirstRun).Random()
	if !known {
		t.Fatal("V(random) is not known")
	}
	for run := range sp.Runs {
		for k := range sp.Episodes {
			if err := s.Add(&record.Record{Run: sp.FirstRun + run, Agent: "c-psrl", Episode: k + 1, Valued: &record.Valued{Optimal: random, Value: random}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if curves := s.Curves(named(t, "normalised-value")); curves != nil {
		t.Errorf("%v", curves)
	}
	if got := s.HaveLearned(); got != "Learned: C-PSRL in 2 of 2 runs (16–100%)." {
		t.Errorf("%q", got)
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
	for _, e := range s.RunEnds(named(t, "recall")) {
		if math.IsNaN(float64(e.Final)) != (e.Agent == "psrl") {
			t.Errorf("%+v", e)
		}
	}
}
