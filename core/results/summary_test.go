package results_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"cpsrl/core/bigraph"
	"cpsrl/core/curve"
	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/internal/small"
)

// Oracle: the curves by gonum over a table of the records. The order in which runs and
// agents arrive does not matter.
func TestCurves(t *testing.T) {
	for name, sp := range small.All(t) {
		records := run(t, sp)
		// Runs and agents shuffled, episodes in their order.
		shuffled := slices.Clone(records)
		rng := rand.New(rand.NewPCG(1, 1))
		key := map[string]int{}
		for _, r := range records {
			if k := fmt.Sprint(r.Run, r.Agent); key[k] == 0 {
				key[k] = 1 + rng.IntN(1000)
			}
		}
		slices.SortStableFunc(shuffled, func(a, b *record.Record) int {
			if a.Episode != b.Episode {
				return a.Episode - b.Episode
			}
			return key[fmt.Sprint(a.Run, a.Agent)] - key[fmt.Sprint(b.Run, b.Agent)]
		})
		in, out := results.NewSummary(ready(t, sp)), results.NewSummary(ready(t, sp))
		for k := range records {
			if err := in.Add(records[k]); err != nil {
				t.Fatal(err)
			}
			if err := out.Add(shuffled[k]); err != nil {
				t.Fatal(err)
			}
		}
		if in.Added() != len(records) {
			t.Errorf("%s: %d records", name, in.Added())
		}
		for _, m := range results.Measures() {
			rows, other := rowsOf(in.Curves(m)), rowsOf(out.Curves(m))
			at := 0
			for _, label := range sp.Agents {
				for k := 1; k <= sp.Episodes; k++ {
					var values []float64
					for i := range sp.Runs {
						if v, has := measure(in, records, m, sp.FirstRun+i, label, k); has {
							values = append(values, v)
						}
					}
					if len(values) == 0 {
						continue // the true graph is excluded
					}
					mean, sd := stat.MeanStdDev(values, nil)
					half := math.NaN()
					if len(values) > 1 {
						half = distuv.StudentsT{Sigma: 1, Nu: float64(len(values) - 1)}.Quantile(0.975) * sd / math.Sqrt(float64(len(values)))
					}
					got := rows[at]
					if got.Agent != label || got.Episode != k || got.N != len(values) || !small.Close(got.Mean, mean) || !small.Close(got.Lo, mean-half) || !small.Close(got.Hi, mean+half) {
						t.Fatalf("%s, %s: %+v, want %s episode %d: %v ± %v", name, m.Key, got, label, k, mean, half)
					}
					if o := other[at]; o.Agent != label || o.Episode != k || !small.Close(o.Mean, mean) || !small.Close(o.Lo, mean-half) {
						t.Fatalf("%s, %s: in another order %+v", name, m.Key, o)
					}
					at++
				}
			}
			if at != len(rows) {
				t.Errorf("%s, %s: %d rows, want %d", name, m.Key, len(rows), at)
			}
		}
	}
}

// row is a point of an agent's curve.
type row struct {
	Agent string
	curve.Point
}

func rowsOf(curves []curve.Curve) (list []row) {
	for _, c := range curves {
		for _, p := range c.Points {
			list = append(list, row{c.Agent, p})
		}
	}
	return list
}

// named returns the measure with that key.
func named(t testing.TB, key string) *results.Measure {
	t.Helper()
	m, ok := results.LookupMeasure(key)
	if !ok {
		t.Fatalf("there is no measure %q", key)
	}
	return m
}

// measure returns a measure of the records by its definition; one that it does not know, by
// the measure's row.
func measure(s *results.Summary, records []*record.Record, m *results.Measure, run int, label string, episode int) (value float64, has bool) {
	for _, r := range records {
		if r.Run != run || r.Agent != label || r.Episode > episode {
			continue
		}
		switch m.Key {
		case "cumulative-regret":
			value, has = value+r.Regret, true
			continue
		case "optimism":
			value, has = value+*r.Promise-r.Value, true
			continue
		case "unpromised":
			value, has = value+r.Optimal-*r.Promise, true
			continue
		}
		if r.Episode < episode && !m.Sums {
			continue
		}
		switch m.Key {
		case "regret":
			return r.Regret, true
		case "model-error":
			return *r.ModelError, true
		case "recall", "precision", "parents", "log-truth", "value-recall":
			if r.Belief == nil {
				return 0, false
			}
		default:
			v, is := m.Of(r, s.Truth(run))
			if !m.Sums {
				return v, is
			}
			value, has = value+v, has || is
			continue
		}
		switch m.Key {
		case "recall":
			return r.Belief.Recall, true
		case "precision":
			return r.Belief.Precision, true
		case "parents":
			return r.Belief.Parents, true
		case "log-truth":
			if r.Belief.LogTruth == nil {
				return 0, false
			}
			return *r.Belief.LogTruth, true
		case "value-recall":
			return *r.Belief.ValueRecall, true
		case "normalised-value":
			random, err := s.Experiment.Random(run)
			return (r.Value - random) / (r.Optimal - random), err == nil
		case "shd", "exact-recovery":
			if r.Belief == nil || r.Belief.Updated == nil {
				return 0, false
			}
			in, _ := s.Experiment.Instance(run)
			wrong := 0.0
			for j, z := range in.View.Graph() {
				for i := range in.View.X() {
					counts := in.View.State[j].Size > 1 && in.View.Var(i).Size > 1
					if counts && z.Has(i) != slices.Contains(r.Belief.Best[j], i) {
						wrong++
					}
				}
			}
			if m.Key == "shd" {
				return wrong, true
			}
			return map[bool]float64{true: 1}[wrong == 0], true
		}
	}
	return value, has
}

func TestSummaryErrors(t *testing.T) {
	sp := specOf(t, `{"name":"figure1"}`, `,"agents":["psrl"],"episodes":2,"firstRun":3,"runs":1`)
	s := results.NewSummary(ready(t, sp))
	add := func(run int, agent string, episode int, says string) {
		t.Helper()
		err := s.Add(&record.Record{Run: run, Agent: agent, Episode: episode, Valued: &record.Valued{Regret: 1}})
		switch {
		case says == "" && err != nil:
			t.Errorf("%v", err)
		case says != "" && (err == nil || err.Error() != says):
			t.Errorf("%v, want %s", err, says)
		}
	}
	add(3, "c-psrl", 1, `the agent "c-psrl" is not in the spec`)
	add(2, "psrl", 1, `run 2 is not in the spec`)
	add(4, "psrl", 1, `run 4 is not in the spec`)
	add(3, "psrl", 2, `episode 2 of "psrl" in run 3 is out of order; episode 1 is next`)
	add(3, "psrl", 1, "")
	add(3, "psrl", 1, `episode 1 of "psrl" in run 3 is out of order; episode 2 is next`)
	add(3, "psrl", 2, "")
	if err := s.Add(&record.Record{Run: 3, Agent: "psrl", Episode: 3}); err == nil {
		t.Error("an episode after the last was taken")
	}
	// Refused records changed nothing.
	rows := rowsOf(s.Curves(named(t, "cumulative-regret")))
	if s.Added() != 2 || len(rows) != 2 || rows[1].Mean != 2 || rows[1].N != 1 || !math.IsNaN(rows[1].Lo) {
		t.Errorf("%d records, %+v", s.Added(), rows)
	}
	if got := s.Curves(named(t, "recall")); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if len(discovery(t, s)) != 0 {
		t.Error("there is a report on graphs, but no record has a graph")
	}
}

// Records that end before the spec does are not compared with those of more episodes or runs.
// Neither are sums that may be negative: a share of a number near 0 says nothing.
func TestConclusionCompares(t *testing.T) {
	s := results.NewSummary(ready(t, specOf(t, `{"name":"figure1"}`, `,"agents":["psrl","f-psrl","c-psrl"],"episodes":3,"runs":2`)))
	add := func(run int, agent string, regrets ...float64) {
		for k, r := range regrets {
			promise := 2.0
			if err := s.Add(&record.Record{Run: run, Agent: agent, Episode: k + 1, Valued: &record.Valued{Regret: r}, Promise: &promise}); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(0, "psrl", 4, 2, 2)
	add(0, "f-psrl", 2, 1, 1)
	add(0, "c-psrl", 1, 1)
	for of, want := range map[string]string{
		"cumulative-regret": "Cumulative regret after 3 episodes, mean over 1 run: PSRL 8, F-PSRL 4 (50% of PSRL), C-PSRL 2 (after 2 episodes, mean over 1 run).",
		"optimism":          "Cumulative optimism after 3 episodes, mean over 1 run: PSRL 6, F-PSRL 6, C-PSRL 4 (after 2 episodes, mean over 1 run).",
	} {
		measure, _ := results.LookupMeasure(of)
		if got := s.Conclude(measure, s.Curves(measure)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", of, got, want)
		}
	}
}

// A conclusion says how many runs have no value of the measure.
func TestConclusionLeavesOut(t *testing.T) {
	s := results.NewSummary(ready(t, specOf(t, `{"name":"figure1"}`, `,"agents":["c-psrl"],"episodes":1,"runs":3`)))
	measure, _ := results.LookupMeasure("log-truth")
	logs := []*float64{new(float64), nil, new(float64)}
	*logs[0], *logs[2] = -1, -3
	for run, log := range logs {
		r := &record.Record{Run: run, Agent: "c-psrl", Episode: 1, Belief: &record.Belief{LogTruth: log}}
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	want := "Log-probability of the true graph after 1 episode, mean ± 95% c.i. over 2 runs: C-PSRL -2 ± 13. Runs without the measure are left out: 1 of 3."
	if got := s.Conclude(measure, s.Curves(measure)); got != want {
		t.Errorf("%q", got)
	}
}

func TestConclusion(t *testing.T) {
	sp := specOf(t, `{"name":"figure1"}`, `,"agents":["c-psrl","psrl"],"episodes":2,"runs":2`)
	s := results.NewSummary(ready(t, sp))
	if got := s.Conclusion(); got != "There are no results yet." {
		t.Errorf("%q", got)
	}
	add := func(run int, agent string, regrets ...float64) {
		for k, r := range regrets {
			if err := s.Add(&record.Record{Run: run, Agent: agent, Episode: k + 1, Valued: &record.Valued{Regret: r}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(0, "c-psrl", 1, 1)
	add(0, "psrl", 3, 5)
	if got, want := s.Conclusion(), "Cumulative regret after 2 episodes, mean over 1 run: C-PSRL 2 (25% of PSRL), PSRL 8."; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	add(1, "c-psrl", 2, 2)
	add(1, "psrl", 400, 412)
	// By hand: 2 and 4, 3 ± 12.706·√2/√2; 8 and 812, 410 ± 12.706·402.
	if got, want := s.Conclusion(), "Cumulative regret after 2 episodes, mean ± 95% c.i. over 2 runs: C-PSRL 3 ± 13 (1% of PSRL), PSRL 410 ± 5108."; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// Oracle: scores by hand. The true graph of Figure 1 is {1,2,3}, {2,4}.
func TestDiscovery(t *testing.T) {
	sp := specOf(t, `{"name":"figure1"}`, `,"agents":["psrl","c-psrl"],"episodes":2,"runs":2`)
	s := results.NewSummary(ready(t, sp))
	add := func(run, episode int, superset bool, recall float64, best document.Graph) {
		b := &record.Belief{
			Scored:  &record.Scored{Scores: bigraph.Scores{Superset: superset, Recall: recall, Precision: recall / 2, Parents: 4 * recall}},
			Updated: &record.Updated{Best: best},
		}
		if err := s.Add(&record.Record{Run: run, Agent: "c-psrl", Episode: episode, Belief: b}); err != nil {
			t.Fatal(err)
		}
	}
	truth := document.Graph{{0, 1, 2}, {1, 3}}
	add(0, 1, false, 0.25, document.Graph{{}, {}})
	add(0, 2, true, 0.25, truth)
	add(1, 1, true, 0.75, truth)
	add(1, 2, true, 0.75, document.Graph{{0, 1, 3}, {1, 3}}) // 4 of 5 found, 4 of 5 right
	got := discovery(t, s)
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	d := got[0]
	if d.Agent != "c-psrl" || d.Runs != 2 || d.Episodes != 4 || d.Superset != 0.75 {
		t.Errorf("%+v", d)
	}
	if d.Random.Recall != 0.5 || d.Random.Precision != 0.25 || d.Random.Parents != 2 || d.Random.Superset < 0.5 {
		t.Errorf("random: %+v", d.Random)
	}
	if !small.Close(d.Best.Recall, 0.9) || !small.Close(d.Best.Precision, 0.9) || d.Best.Superset != 0.5 || d.Best.Parents != 2.5 {
		t.Errorf("best: %+v", d.Best)
	}
}

func discovery(t *testing.T, s *results.Summary) []results.Discovery {
	t.Helper()
	reports, err := s.Discovery()
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// The random graph of a run is uniform over its episodes: over 3000 seeds each of 3
// episodes is drawn a third of the time, within 5 standard errors. It does not depend on
// other agents.
func TestDiscoveryDraw(t *testing.T) {
	const seeds = 3000
	count := map[float64]float64{}
	sp := specOf(t, `{"name":"figure1"}`, `,"agents":["c-psrl","f-psrl"],"episodes":3,"runs":1`)
	for seed := range seeds {
		sp.Seed = seed
		draw := func(others bool) float64 {
			s := results.NewSummary(ready(t, sp))
			for k := 1; k <= 3; k++ {
				b := &record.Belief{Scored: &record.Scored{Scores: bigraph.Scores{Recall: float64(k)}}, Updated: &record.Updated{Best: document.Graph{{}, {}}}}
				if err := s.Add(&record.Record{Agent: "c-psrl", Episode: k, Belief: b}); err != nil {
					t.Fatal(err)
				}
				if others {
					if err := s.Add(&record.Record{Agent: "f-psrl", Episode: k, Belief: b}); err != nil {
						t.Fatal(err)
					}
				}
			}
			return discovery(t, s)[0].Random.Recall
		}
		k := draw(false)
		count[k]++
		if seed < 50 && draw(true) != k {
			t.Fatal("the draw depends on another agent")
		}
	}
	for k := 1.0; k <= 3; k++ {
		if se := math.Sqrt(seeds * 1 / 3.0 * 2 / 3.0); math.Abs(count[k]-seeds/3.0) > 5*se {
			t.Errorf("episode %v was drawn %v times of %d", k, count[k], seeds)
		}
	}
}

// A graph of another problem in a hostile file has the score 0.
func TestDiscoveryHostile(t *testing.T) {
	sp := specOf(t, `{"name":"figure1"}`, `,"agents":["c-psrl"],"episodes":1,"runs":1`)
	for _, best := range []document.Graph{nil, {{0}}, {{0}, {1}, {2}}, {{99}, {}}, {{-1}, {}}} {
		s := results.NewSummary(ready(t, sp))
		if err := s.Add(&record.Record{Agent: "c-psrl", Episode: 1, Belief: &record.Belief{Scored: new(record.Scored), Updated: &record.Updated{Best: best}}}); err != nil {
			t.Fatal(err)
		}
		d := discovery(t, s)
		if len(d) != 1 || d[0].Runs != 1 {
			t.Errorf("%v: %+v", best, d)
		}
		for _, v := range []float64{d[0].Best.Recall, d[0].Best.Superset, d[0].Best.Precision, d[0].Best.Parents} {
			if math.IsNaN(v) {
				t.Errorf("%v: the report holds NaN: %+v", best, d[0])
				break
			}
		}
	}
}

// The keys of measures are in links and files, so none goes. A new measure follows them.
func TestMeasures(t *testing.T) {
	names := ""
	for _, m := range results.Measures() {
		names += m.Key + " "
	}
	if !strings.HasPrefix(names, "cumulative-regret regret model-error recall precision parents optimism unpromised log-truth value-recall depth first-end second-end normalised-value shd exact-recovery return cumulative-return ") {
		t.Error(names)
	}
}

func BenchmarkSummary(b *testing.B) {
	sp := small.All(b)["random"]
	records := run(b, sp)
	b.ReportAllocs()
	for b.Loop() {
		s := results.NewSummary(ready(b, sp))
		for _, r := range records {
			if err := s.Add(r); err != nil {
				b.Fatal(err)
			}
		}
		s.Curves(named(b, "cumulative-regret"))
	}
}

// Oracle: by hand.
func TestVerdict(t *testing.T) {
	regret, other := results.Measures()[0], results.Measures()[1]
	e := ready(t, specOf(t, `{"name":"figure1"}`, ""))
	ends := func(mean, lo, hi float64, n int) curve.Curve {
		return curve.Curve{Agent: "a", Points: []curve.Point{{Episode: 150, Mean: mean, Lo: lo, Hi: hi, N: n}}}
	}
	for _, c := range []struct {
		difference curve.Curve
		want       string
	}{
		{ends(22.94, 13.84, 32.04, 8), "22.9 ± 9.1 more, run by run"},
		{ends(-22.94, -32.04, -13.84, 8), "22.9 ± 9.1 less, run by run"},
		{ends(1.04, -2, 4.08, 8), "no difference that 8 runs can see (1.0 ± 3.0)"},
		{ends(0, 0, 0, 8), "the same in every run"},
		{ends(5, math.NaN(), math.NaN(), 1), "one run tells little"},
		{ends(0, math.NaN(), math.NaN(), 1), "the same in every run"},
		{curve.Curve{}, ""},
	} {
		if got := results.Verdict(e, regret, c.difference); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := results.Verdict(e, other, ends(1, 0.5, 1.5, 3)); got != "" {
		t.Errorf("of another measure: %q", got)
	}
}

// Oracle: the curve of the differences of the records, run by run.
func TestPaired(t *testing.T) {
	sp := small.All(t)["random"]
	sp.Depth = "yes"
	records := run(t, sp)
	e := ready(t, sp)
	s := results.NewSummary(e)
	for _, r := range records {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	pair := experiment.Pair{Agent: "c-psrl", Base: "c-psrl:eta=0"}
	for _, m := range results.Measures() {
		if m.End > 0 { // this problem has no ends
			continue
		}
		rows := s.Paired(m, pair, s).Points
		if len(rows) != sp.Episodes {
			t.Fatalf("%s: %d rows", m.Key, len(rows))
		}
		for k, row := range rows {
			var differences []float64
			for i := range sp.Runs {
				of, _ := measure(s, records, m, sp.FirstRun+i, pair.Agent, k+1)
				base, _ := measure(s, records, m, sp.FirstRun+i, pair.Base, k+1)
				differences = append(differences, of-base)
			}
			mean, sd := stat.MeanStdDev(differences, nil)
			half := distuv.StudentsT{Sigma: 1, Nu: float64(sp.Runs - 1)}.Quantile(0.975) * sd / math.Sqrt(float64(sp.Runs))
			if !small.Close(row.Mean, mean) || !small.Close(row.Lo, mean-half) || !small.Close(row.Hi, mean+half) || row.N != sp.Runs || row.Episode != k+1 {
				t.Errorf("%s: %+v, want %v ± %v", m.Key, row, mean, half)
			}
		}
	}
	if c := s.Paired(named(t, "recall"), experiment.Pair{Agent: "c-psrl", Base: "psrl"}, s); c.Points != nil {
		t.Errorf("PSRL has no recall: %+v", c)
	}
	for text, end := range map[string]curve.Point{
		": -3.0 ± 1.0; the interval is below zero.":     {Mean: -3, Lo: -4, Hi: -2, N: 9, Episode: 2},
		": 3.0 ± 1.0; the interval is above zero.":      {Mean: 3, Lo: 2, Hi: 4, N: 9, Episode: 2},
		": 1.0 ± 2.0; the interval holds zero.":         {Mean: 1, Lo: -1, Hi: 3, N: 9, Episode: 2},
		"mean over 1 run, C-PSRL minus PSRL by run: 1.": {Mean: 1, Lo: math.NaN(), Hi: math.NaN(), N: 1, Episode: 2},
	} {
		if got := results.ConcludePair(e, named(t, "regret"), curve.Curve{Agent: "c-psrl", Base: "psrl", Points: []curve.Point{end}}); !strings.HasSuffix(got, text) {
			t.Errorf("%s, want %s", got, text)
		}
	}
	if results.ConcludePair(e, named(t, "regret"), curve.Curve{}) != "" || results.Conclude(e, named(t, "regret"), nil) != "" {
		t.Error("a conclusion from nothing")
	}
}
