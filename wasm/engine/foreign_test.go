package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/curve"
	"cpsrl/core/export"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

const (
	taxiSpec  = `{"format":"cpsrl/spec","version":4,"domain":{"name":"taxi","grid":"3x3"}}` + "\n"
	otherRuns = `{"label":"ucrl","run":0,"episode":1,"regret":1}
{"label":"ucrl","run":0,"episode":2,"regret":2}
{"label":"ucrl","run":1,"episode":1,"regret":3}
`
	otherReturns = "label,run,episode,return\nq,0,1,1\nq,0,2,3\n"
)

// Oracle: the core's reader and means.
func TestForeign(t *testing.T) {
	for _, text := range []string{otherRuns, otherReturns} {
		other, err := results.ReadForeign(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var best *float64
		if e := ready(t, specOf(t, strings.TrimSpace(taxiSpec))); other.Returns {
			optimum, err := e.Optimum()
			if err != nil {
				t.Fatal(err)
			}
			best = &optimum
		}
		got := answerOf[Foreign](t, ask("POST", "/v1/foreign", taxiSpec+text))
		if len(got.Labels) != 1 || got.Labels[0].Name != results.ForeignName(other.Labels()[0]) || got.Labels[0].Runs != other.Runs(other.Labels()[0]) || !strings.Contains(got.About, "not computed here") {
			t.Errorf("%+v", got)
		}
		k := 0
		for _, of := range results.Measures() {
			runs := other.RunCurves(of, best)
			for i, c := range curve.Means(runs) {
				g, q := got.Curves[k], curve.Quantiles(runs)[i]
				for at, p := range c.Points {
					if r := q.Points[at]; g.Measure != of.Key || fmt.Sprint(g.Mean[at], g.Lo[at], g.Hi[at], g.Median[at], g.Q25[at], g.Q75[at], g.Least[at], g.Most[at]) !=
						fmt.Sprint(p.Mean, p.Lo, p.Hi, r.Mean, r.Lo, r.Hi, r.Least, r.Greatest) {
						t.Errorf("%+v, want %+v and %+v", g, p, r)
					}
				}
				k++
			}
			if csv := ask("POST", "/v1/foreign?as=csv&of="+of.Key, taxiSpec+text).Body.String(); csv != string(export.ForeignCSV(of, other, best, "")) || strings.Contains(csv, "fingerprint") {
				t.Error(csv)
			}
		}
		if want := map[bool]int{false: 2, true: 4}[other.Returns]; k != want || len(got.Curves) != want {
			t.Errorf("%d curves", len(got.Curves))
		}
	}
}

func TestForeignRefusals(t *testing.T) {
	drawn := `{"format":"cpsrl/spec","version":4,"domain":{"name":"random-fmdp"}}` + "\n"
	for _, c := range []struct{ path, body, says, pointer string }{
		{"/v1/foreign", "", "there is no spec", "/spec"},
		{"/v1/foreign", taxiSpec, "line 1: the file holds no results", ""},
		{"/v1/foreign", strings.TrimSpace(taxiSpec), "line 1: the file holds no results", ""},
		{"/v1/foreign", taxiSpec + otherRuns + "{}", "line 4", ""},
		{"/v1/foreign", strings.Replace(taxiSpec, "3x3", "9x9", 1) + otherRuns, "9x9", "/spec/domain/grid"},
		{"/v1/foreign", drawn + otherReturns, "each run has a true model and a V* of its own", ""},
		{"/v1/foreign?as=pdf", taxiSpec + otherRuns, "pdf", ""},
		{"/v1/foreign?of=love", taxiSpec + otherRuns, "love", ""},
	} {
		w := ask("POST", c.path, c.body)
		var d Details
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		if w.Code != 400 || !strings.Contains(d.Detail, c.says) || d.Pointer != c.pointer {
			t.Errorf("%s: %d %+v, want %q", c.path, w.Code, d, c.says)
		}
	}
	if w := ask("POST", "/v1/foreign", drawn+otherRuns); w.Code != 200 {
		t.Errorf("regrets where each run has its own truth: %s", w.Body)
	}
}

// Oracle: the core's text.
func TestExportMethods(t *testing.T) {
	e := ready(t, specOf(t, small))
	receipt := &spec.Receipt{Engine: 2, Fingerprint: strings.Repeat("0a", 32)}
	body := fmt.Sprintf(`{"spec":%s,"receipt":{"engine":2,"fingerprint":"%s"}}`, small, receipt.Fingerprint)
	if got := ask("POST", "/v1/export?as=methods", body).Body.String(); got != export.Methods(e, receipt)+"\n" {
		t.Error(got)
	}
}
