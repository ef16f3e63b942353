package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/worth"
	"cpsrl/wasm/engine"
	"cpsrl/wasm/web"
)

// The handler answers with the document of Experiment.Edges, whose values package
// experiment tests, and refuses in one sentence.
func TestEdges(t *testing.T) {
	const body = `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["psrl","c-psrl"],"episodes":3}`
	ask := func(query, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		web.Handler(engine.Handler()).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/edges?"+query, strings.NewReader(body)))
		return w
	}
	for query, want := range map[string]string{
		"run=0&agent=c-psrl&episode=0":                             "0 20 uniform",
		"run=0&agent=c-psrl&episode=3&samples=2&average=occupancy": "3 2 occupancy",
	} {
		w := ask(query, body)
		var doc worth.BeliefEdges
		if err := json.Unmarshal(w.Body.Bytes(), &doc, json.RejectUnknownMembers(true)); w.Code != http.StatusOK || err != nil || len(doc.Edges) != 8 {
			t.Fatalf("%s: %d %v %s", query, w.Code, err, w.Body)
		}
		if got := fmt.Sprint(doc.Episode, " ", doc.Samples, " ", doc.Average); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for query, says := range map[string]string{
		"run=0&agent=psrl&episode=0":                   "has no belief about a graph",
		"run=0&agent=q&episode=0":                      `there is no agent "q"`,
		"run=1&agent=c-psrl&episode=0":                 "there is no run 1",
		"run=0&agent=c-psrl&episode=4":                 "there are no 4 episodes; there are 3",
		"run=0&agent=c-psrl&episode=-1":                "there are no -1 episodes",
		"run=0&agent=c-psrl":                           `the episode "" is not a whole number`,
		"run=0&agent=c-psrl&episode=0&samples=0":       "0 samples; from 1 to 1000",
		"run=0&agent=c-psrl&episode=0&average=Uniform": `the average "Uniform" must be one of occupancy, uniform`,
	} {
		w := ask(query, body)
		var d engine.Details
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != http.StatusBadRequest || !strings.Contains(d.Detail, says) {
			t.Errorf("%s: %d %+v, want %q", query, w.Code, d, says)
		}
	}
}
