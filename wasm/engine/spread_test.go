package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/curve"
	"cpsrl/core/export"
	"cpsrl/core/results"
)

// Oracles: the summary of the same records, and their own lines.
func TestSpread(t *testing.T) {
	file := ask("POST", "/v1/run", small).Body.String()
	e := ready(t, specOf(t, small))
	s := results.NewSummary(e)
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, of := range results.Measures() {
		got := answerOf[Spread](t, ask("POST", "/v1/spread?of="+of.Key, file))
		runs := s.RunCurves(of)
		if got.Measure != of.Key || got.Runs != 3 || got.Drawn != 3 || fmt.Sprint(got.Episodes) != "[1 2 3 4 5]" || len(got.Lines) != len(runs) {
			t.Fatalf("%s: %+v", of.Key, got)
		}
		for k, c := range runs {
			if line := got.Lines[k]; line.Agent != c.Agent || line.Run != c.Run || fmt.Sprint(line.Values) != fmt.Sprint(c.Values) {
				t.Errorf("%s: %+v, want %+v", of.Key, line, c)
			}
		}
		curves := curve.Quantiles(runs)
		for k, q := range got.Quantiles {
			for i := range q.Median {
				want := curves[k].Points[i]
				if q.Agent != curves[k].Agent || fmt.Sprint(q.Median[i], q.Q25[i], q.Q75[i], q.Least[i], q.Most[i]) != fmt.Sprint(want.Mean, want.Lo, want.Hi, want.Least, want.Greatest) {
					t.Errorf("%s: %+v at %d, want %+v", of.Key, q, i, want)
				}
			}
		}
		for k, end := range s.RunEnds(of) {
			if g := got.Endings[k]; g.Agent != end.Agent || g.Run != end.Run || fmt.Sprint(g.Final) != fmt.Sprint(end.Final) || g.Learned != end.Learned {
				t.Errorf("%s: %+v, want %+v", of.Key, g, end)
			}
		}
	}
	if got := answerOf[Spread](t, ask("POST", "/v1/spread", file)); got.Measure != "cumulative-regret" || !strings.Contains(got.Learning, "the regret of an episode is at most 5% of V* − V(random)") {
		t.Errorf("%+v", got)
	}
	// The ends are those of the same numbers, and the command prints them.
	ends := answerOf[Spread](t, ask("POST", "/v1/spread", file)).Ends
	text := ask("POST", "/v1/export?as=final", file).Body.String()
	for _, e := range ends {
		if line := fmt.Sprintf("\n%s,%s,", e.Agent, strconv.FormatFloat(float64(e.Mean.Value), 'g', 9, 64)); len(ends) != 2 || !strings.Contains(text, line) {
			t.Errorf("%s has no line %q", text, line)
		}
	}
	// An unfinished run does not count.
	cut := file[:strings.LastIndex(file, `{"run":4,"agent":"c-psrl","episode":3`)]
	if got := answerOf[Spread](t, ask("POST", "/v1/spread", cut)); got.Runs != 2 || got.Drawn != 2 || len(got.Lines) != 4 || len(got.Endings) != 4 {
		t.Errorf("%+v", got)
	}
	header, _, _ := strings.Cut(file, "\n")
	if got := answerOf[Spread](t, ask("POST", "/v1/spread", header+"\n")); got.Runs != 0 || len(got.Lines)+len(got.Endings)+len(got.Quantiles) != 0 {
		t.Errorf("no run: %+v", got)
	}
	refused(t, ask("POST", "/v1/spread?of=luck", file), 400, "", `no measure "luck"`)
	refused(t, ask("POST", "/v1/spread", "{}\n"), 400, "/format", "")
}

// The numbers of lines and points are bounded, and each line has its first and its last
// episode. The steps of a line are short on a linear axis and, from the beginning on, on a logarithmic one.
func TestDrawnRuns(t *testing.T) {
	for _, test := range []struct{ agents, runs, episodes, drawn, most int }{
		{3, 20, 400, 20, 400}, {3, 20, 5000, 20, 400}, {3, 1000, 400, 100, 100}, {3, 1000, 3, 100, 3},
		{1, 1, 1, 1, 1}, {500, 4, 400, 1, 60}, {3, 0, 400, 0, 400},
	} {
		drawn, at := export.DrawnRuns(test.agents, test.runs, test.episodes)
		if all := min(test.most, test.episodes) == test.episodes; drawn != test.drawn || len(at) > test.most || all != (len(at) == test.episodes) || at[0] != 1 || at[len(at)-1] != test.episodes {
			t.Errorf("%+v: %d runs at %d episodes, %d to %d", test, drawn, len(at), at[0], at[len(at)-1])
		}
		for k := 1; k < len(at); k++ {
			linear := float64(at[k]-at[k-1]) / float64(test.episodes-1)
			log := math.Log(float64(at[k])/float64(at[k-1])) / math.Log(float64(test.episodes))
			if most := 1 / float64(test.most/2-1); at[k]-at[k-1] > 1 && (linear > most+1.5/float64(test.episodes) || log > most+1.5/float64(at[k-1])) {
				t.Errorf("%+v: from episode %d to %d", test, at[k-1], at[k])
			}
		}
	}
}

// The line of a run is thin and has no name. A range is drawn and described, and is refused
// if it ends below its beginning.
func TestChartOfRuns(t *testing.T) {
	body := `{"measure":"regret","width":700,"height":400,"inline":true,"lines":[
		{"agent":"c-psrl","points":[[1,3,2,4,1,9],[2,2,1,3,0,5]]},{"agent":"c-psrl","run":4,"points":[[1,9],[2,5]]}]}`
	w := ask("POST", "/v1/chart", body)
	if svg := w.Body.String(); w.Code != 200 || strings.Count(svg, `class="run"`) != 1 || strings.Count(svg, ">C-PSRL<") != 1 || !strings.Contains(svg, `&quot;high&quot;:9`) {
		t.Errorf("%d %s", w.Code, svg)
	}
	refused(t, ask("POST", "/v1/chart", strings.Replace(body, "1,9]", "9,1]", 1)), 400, "/lines/0/points/0", "the range must begin below its end")
	refused(t, ask("POST", "/v1/chart", strings.Replace(body, `"run":4`, `"run":-1`, 1)), 400, "/lines/1/run", "negative")
}
