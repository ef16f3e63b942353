package engine

import (
	"bytes"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/results"
	"cpsrl/core/spec"
	rings "cpsrl/internal/small"
)

// Where no list holds the states, every request has an answer or one sentence, and every picture can be drawn.
func TestVastEverything(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	everything(t, "ring", rings.Ring(20, `"c-psrl","f-psrl","greedy","optimal","random","constant"`, rings.RingPlanner))
}

// What the page asks of such an experiment says what there is: returns, no regret, what the search made of the actions.
func TestVast(t *testing.T) {
	text := rings.Ring(20, `"c-psrl","optimal","random"`, rings.RingPlanner)
	line := string(spec.Encode(specOf(t, text)))
	checked := answerOf[Checked](t, ask("POST", "/v1/check", line))
	const why = "not computed: S·A is 22020096, above 1048576"
	if checked.Header.Regret != why || checked.Header.ModelError != why || checked.Header.Version != 3 || !(checked.Cost.Operations > 0) || len(checked.Cost.Episodes) != 3 {
		t.Errorf("%+v", checked.Header)
	}
	file := ask("POST", "/v1/run", line).Body.String()
	if runs := ask("POST", "/v1/runs", line+"\n").Body.String(); !strings.Contains(runs, `\"return\":`) && !strings.Contains(runs, `"return":`) || strings.Contains(runs, `"optimal":`) {
		t.Errorf("%.300s", runs)
	}
	lines := bytes.Split(bytes.TrimSpace(ask("POST", "/v1/summary?strict=true", file).Body.Bytes()), []byte("\n"))
	var s Snapshot
	if err := json.Unmarshal(lines[len(lines)-1], &s); err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, of := range s.Series {
		shown[of.Measure]++
		for _, v := range of.Mean {
			if math.IsNaN(float64(v)) {
				t.Errorf("%s of %s is no number", of.Measure, of.Agent)
			}
		}
	}
	for _, of := range results.Measures() {
		if of.Solved && shown[of.Key] > 0 || strings.HasSuffix(of.Key, "return") && shown[of.Key] != 3 {
			t.Errorf("%s: %d curves", of.Key, shown[of.Key])
		}
	}
	if !strings.HasPrefix(s.Conclusion, "Return of an episode after 3 episodes") || s.Conclusion != s.Conclusions["return"] || s.Warning != "" || s.LearnedIn != "" || len(s.Learned) > 0 || len(s.Paired) == 0 || s.Paired[0].Base != "optimal" {
		t.Errorf("%q, %q, %q, %+v", s.Conclusion, s.Warning, s.LearnedIn, s.Learned)
	}
	for path, want := range map[string]string{
		"/v1/export?as=csv":                       "# return: lo and hi",
		"/v1/export?as=csv&of=regret":             "there is no regret of an episode to show: " + why,
		"/v1/export?as=final&of=normalised-value": "there is no normalised value to show: " + why,
		"/v1/spread?of=cumulative-regret":         "there is no cumulative regret to show: " + why,
		"/v1/spread":                              `"measure":"return"`,
		"/v1/export?as=paired":                    "optimal",
		"/v1/export?as=long":                      ",return,",
		"/v1/export?as=figure":                    `"measure":"return"`,
		"/v1/difference?agent=c-psrl&base=random": `"verdict":`,
	} {
		if got := ask("POST", path, file).Body.String(); !strings.Contains(got, want) || strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
			t.Errorf("%s: %.600s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"/v1/edges?run=0&episode=1&agent=c-psrl": "values of policies are " + why,
		"/v1/trace?run=0&episode=2&agent=c-psrl": `"tried":[{"action":[`,
		"/v1/trace?run=0&episode=2&agent=random": `"version":2`,
		"/v1/episodes?run=0&last=2&agent=random": `"path":[[`,
		"/v1/film?run=0&agent=c-psrl":            "the search likes ",
		"/v1/play?run=1&agent=optimal":           `"measure":"cumulative-return"`,
		"/v1/play?run=1&agent=c-psrl":            "the search likes ",
	} {
		w := ask("POST", path, line)
		if got := w.Body.String(); !strings.Contains(got, want) || strings.Contains(got, "unfilmed") || strings.Contains(got, `"regret"`) && !strings.Contains(got, `"regret":"not`) {
			t.Errorf("%s: %d %.600s, want %s", path, w.Code, got, want)
		}
	}
	// A program of others is beside ours by its returns.
	if w := ask("POST", "/v1/foreign", line+"\n"+otherReturns); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask("POST", "/v1/foreign", line+"\n"+otherRuns); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "tells only its regret, so it has no return") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// An agent that cannot plan is refused at its place, and a form still has what the problem is.
func TestVastRefused(t *testing.T) {
	w := ask("POST", "/v1/check", string(spec.Encode(specOf(t, rings.Ring(30, `"random","c-psrl"`, "")))))
	var d Details
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || d.Pointer != "/agents/1" || !strings.HasSuffix(d.Detail, "let it search: c-psrl:planner=uct:600:10") || d.About == nil || len(d.Fields) == 0 {
		t.Errorf("%v: %+v", err, d)
	}
}
