package engine

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/results"
)

// difference asks for the difference of two agents; the base may be in a second file.
func difference(t *testing.T, agent, base, first, second string) (list []seriesJSON) {
	t.Helper()
	query := url.Values{"agent": {agent}, "base": {base}}
	if second != "" {
		query.Set("split", fmt.Sprint(len(first)))
		query.Set("baseMark", "A")
	}
	w := ask("POST", "/v1/difference?"+query.Encode(), first+second)
	if err := json.Unmarshal(w.Body.Bytes(), &list); w.Code != 200 || err != nil {
		t.Fatalf("status %d, %v: %.300s", w.Code, err, w.Body)
	}
	return list
}

// Oracles: the paired rows of the summary, and the mean difference of the two agents'
// records.
func TestDifference(t *testing.T) {
	file := ask("POST", "/v1/run", small).Body.String()
	all := snapshots(t, ask("POST", "/v1/summary?paired=psrl,c-psrl", file))
	want := all[len(all)-1].Paired
	got := difference(t, "psrl", "c-psrl", file, "")
	if fmt.Sprint(got[0].Mean, got[0].Conclusion) != fmt.Sprint(want[0].Mean, want[0].Conclusion) || len(got) != len(want) || got[0].N[0] != 3 {
		t.Errorf("%+v\nwant %+v", got, want)
	}

	// The second file has another prior, other runs of which two are common, and an agent that
	// the first lacks, as the first has one that the second lacks.
	other := strings.NewReplacer(`"firstRun":2`, `"firstRun":3`, `"runs":3`, `"runs":3,"prior":{"eta":0}`, `"psrl","c-psrl"`, `"c-psrl","f-psrl"`).Replace(small)
	second := ask("POST", "/v1/run", other).Body.String()
	for _, test := range []struct{ agent, base, says string }{
		{"c-psrl", "c-psrl", "C-PSRL minus C-PSRL, A by run"},
		{"psrl", "c-psrl", "PSRL minus C-PSRL, A by run"},
		{"c-psrl", "f-psrl", "C-PSRL minus F-PSRL, A by run"},
	} {
		mean := 0.0
		for r := range ready(t, specOf(t, small)).Run() {
			if r.Agent == test.agent && r.Run >= 3 {
				mean += r.Regret / 2
			}
		}
		for r := range ready(t, specOf(t, other)).Run() {
			if r.Agent == test.base && r.Run < 5 {
				mean -= r.Regret / 2
			}
		}
		s := difference(t, test.agent, test.base, file, second)[0]
		if s.N[0] != 2 || s.Measure != results.CumulativeRegret().Key || math.Abs(s.Mean[4]-mean) > 1e-12 {
			t.Errorf("%s − %s: %+v, want %v at the end", test.agent, test.base, s, mean)
		}
		if !strings.Contains(s.Conclusion, test.says) || !strings.Contains(s.Verdict, "run") {
			t.Errorf("%s − %s: %s %s", test.agent, test.base, s.Conclusion, s.Verdict)
		}
	}
}

func TestDifferenceRefuses(t *testing.T) {
	file := ask("POST", "/v1/run", small).Body.String()
	with := func(old, new string) string {
		return ask("POST", "/v1/run", strings.Replace(small, old, new, 1)).Body.String()
	}
	split := func(query string) string { return fmt.Sprintf("%s&split=%d", query, len(file)) }
	for _, test := range []struct{ query, body, detail string }{
		{"agent=psrl&base=chess", file, "the base: \"chess\" is none of the agents"},
		{"base=psrl", file, "the agent: \"\" is none of the agents"},
		{"agent=psrl&base=psrl", file, "the difference of \"psrl\" and itself is 0"},
		{"agent=psrl&base=c-psrl&split=0", file, "the split is 0"},
		{"agent=psrl&base=c-psrl&agentMark=" + strings.Repeat("A", 21), file, "the mark of the agent is longer than 20 bytes"},
		{split("agent=psrl&base=psrl"), file, "the second file: a header in the format cpsrl/records was expected"},
		{split("agent=psrl&base=psrl"), file + "{\n", "the second file: "},
		{split("agent=psrl&base=psrl"), file + with(`"firstRun":2`, `"firstRun":5`), "no whole run in common"},
		{split("agent=psrl&base=psrl"), file + with(`"horizon":3`, `"horizon":4`), "run 2 has another true model"},
		{split("agent=psrl&base=f-psrl"), file + with(`"psrl","c-psrl"`, `"f-psrl"`) + "{}\n", "the second file: "},
		{split("agent=f-psrl&base=f-psrl"), file + with(`"psrl","c-psrl"`, `"f-psrl"`), "the agent: \"f-psrl\" is none of the agents"},
		{split("agent=psrl&base=psrl"), file + with(`"psrl","c-psrl"`, `"f-psrl"`), "the base: \"psrl\" is none of the agents"},
	} {
		w := ask("POST", "/v1/difference?"+test.query, test.body)
		if w.Code != 400 || !strings.Contains(strings.ReplaceAll(w.Body.String(), `\"`, `"`), test.detail) {
			t.Errorf("%s: status %d, %.300s; want %s", test.query, w.Code, w.Body, test.detail)
		}
	}
}

// The tables of Figure 1 are drawn anew in each run, so a model that is the same in run 0 is not
// paired with it. Files without a whole run are not compared.
func TestDifferenceOfAnotherModel(t *testing.T) {
	spec := `{"format":"cpsrl/spec","version":2,"domain":{"name":"figure1"},"agents":["c-psrl"],"episodes":2,"runs":3,"seed":1}`
	first := ask("POST", "/v1/run", spec).Body.String()
	model := strings.TrimSpace(ask("POST", "/v1/export?as=model", `{"spec":`+spec+`}`).Body.String())
	second := ask("POST", "/v1/run", strings.Replace(spec, `"name":"figure1"`, `"name":"model","model":`+model, 1)).Body.String()
	query := fmt.Sprintf("/v1/difference?agent=c-psrl&base=c-psrl&split=%d", len(first))
	if w := ask("POST", query, first+second); w.Code == 200 || !strings.Contains(w.Body.String(), "run 1 has another true model in each experiment") {
		t.Errorf("%d %.300s", w.Code, w.Body)
	}
	header, _, _ := strings.Cut(second, "\n")
	if w := ask("POST", query, first+header+"\n"); w.Code != 200 || strings.TrimSpace(w.Body.String()) != "[]" {
		t.Errorf("%d %.300s", w.Code, w.Body)
	}
}

// A conclusion of the page says what the tables say: which runs lack the measure.
func TestConclusionOfMissingRuns(t *testing.T) {
	records := ask("POST", "/v1/run", `{"format":"cpsrl/spec","version":2,"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"parents":2},"prior":{"edges":[["X1","X1"]]},"sparseness":2,"agents":["c-psrl"],"episodes":2,"runs":6,"seed":1}`).Body.String()
	all := snapshots(t, ask("POST", "/v1/summary", records))
	if got := all[len(all)-1].Conclusions["log-truth"]; !strings.Contains(got, "Runs without the measure are left out") {
		t.Errorf("%q", got)
	}
}
