package engine

import (
	"net/http"
	"strings"
	"testing"

	"cpsrl/internal/formattest"
)

// agentHello begins a session with an agent.
const agentHello = `{"hello":{"format":"cpsrl/agent","version":1,"horizon":2,"payoffs":[{}],"prior":{"format":"cpsrl/prior","version":1,"state":[{"name":"a","size":2}],"action":[{"name":"b","size":2}],"sparseness":1,"edges":[]}}}`

// worldHello begins a session with a world.
const worldHello = `{"hello":{"format":"cpsrl/world","version":1,"preset":"fig1-quick","label":"q"}}`

// Every endpoint skips a byte order mark before its body, and names other encodings.
func TestEncodings(t *testing.T) {
	timeless(t)
	spec := strings.NewReplacer(`"runs":3`, `"runs":2`, `"episodes":5`, `"episodes":2`).Replace(small)
	records := ask("POST", "/v1/run", spec).Body.String()
	const prior = `{"format":"cpsrl/prior","version":1,"state":[{"name":"a","size":2}],"action":[{"name":"b","size":2}],"sparseness":1,"edges":[]}` + "\n"
	bodies := map[string]string{
		"/v1/check":                              spec,
		"/v1/link":                               `{"spec":` + spec + `}`,
		"/v1/open":                               `{"link":"#v=1&domain=taxi"}`,
		"/v1/run":                                spec,
		"/v1/runs":                               oneLine(spec) + "\n",
		"/v1/summary":                            records,
		"/v1/difference?agent=c-psrl&base=psrl":  records,
		"/v1/spread":                             records,
		"/v1/foreign":                            oneLine(spec) + "\n" + otherRuns,
		"/v1/trace?run=0&agent=psrl&episode=1":   spec,
		"/v1/episodes?run=0&agent=psrl&last=1":   spec,
		"/v1/film?run=0&agent=c-psrl":            spec,
		"/v1/play?run=0&agent=c-psrl":            spec,
		"/v1/edges?run=0&agent=c-psrl&episode=1": spec,
		"/v1/export?as=csv":                      records,
		"/v1/export?as=text":                     `{"spec":` + spec + `}`,
		"/v1/prior":                              `{"spec":` + spec + `,"text":"X1 -> Y1"}`,
		"/v1/posterior":                          prior + `{"x":[0,0],"y":[1]}` + "\n",
		"/v1/posterior?prior=none":               "a,b,a'\n0,1,1\n1,0,0\n",
		"/v1/data":                               `{"spec":` + spec + `,"text":"{\"x\":[0,0,0,0],\"y\":[0,0]}"}`,
		"/v1/normalise":                          spin,
		"/v1/convert":                            mdp,
		"/v1/edit":                               `{"spec":` + spec + `,"template":"blank"}`,
		"/v1/chart":                              twoLines,
		"/v1/sweep":                              aSweep,
		"/v1/batch":                              batch("/v1/chart", twoLines),
		"/v1/agent":                              agentHello,
		"/v1/world":                              worldHello,
	}
	covered := map[string]bool{"/v1/merge": true, "/v1/kind": true} // by TestMerge, whose query says how long each file is, and TestKind
	for path, body := range bodies {
		name, _, _ := strings.Cut(path, "?")
		if _, known := Handler().(endpoints)[name]; name == "/v1/agent" && !known {
			continue // in a browser
		}
		covered[name] = true
		session := name == "/v1/agent" || name == "/v1/world" // which goes on
		want := ask("POST", path, body)
		if got := ask("POST", path, "\ufeff"+body); got.Code != want.Code || got.Body.String() != want.Body.String() {
			t.Errorf("%s: after a byte order mark: %d, %.200s\nwant %d, %.200s", path, got.Code, got.Body, want.Code, want.Body)
		}
		for encoding, wide := range formattest.Wide(body) {
			if says := "this file is " + encoding[:6] + "; save it as UTF-8"; session {
				if got := ask("POST", path, string(wide)); got.Code != http.StatusOK || !strings.HasPrefix(got.Body.String(), `{"error":"`+says) {
					t.Errorf("%s in %s: %d, %s", path, encoding, got.Code, got.Body)
				}
				continue
			}
			refused(t, ask("POST", path, string(wide)), http.StatusBadRequest, "", "this file is "+encoding[:6]+"; save it as UTF-8")
		}
		for says, broken := range formattest.Broken(body) {
			got := ask("POST", path, string(broken))
			if session && got.Code == http.StatusOK && strings.HasPrefix(got.Body.String(), `{"error":"`+says) {
				continue
			}
			refused(t, got, http.StatusBadRequest, "", says)
		}
	}
	for path, e := range Handler().(endpoints) {
		if e.method == http.MethodPost && !covered[path] {
			t.Errorf("%s is not tested", path)
		}
	}
	// A file of transitions behind a prior from elsewhere has a mark of its own, and a body in
	// a batch, too.
	if got, want := ask("POST", "/v1/posterior?prior=apart", prior+"\ufeff"+`{"x":[0,0],"y":[1]}`), ask("POST", "/v1/posterior", bodies["/v1/posterior"]); got.Body.String() != want.Body.String() {
		t.Errorf("transitions after a mark: %s\nwant %s", got.Body, want.Body)
	}
	if got, want := ask("POST", "/v1/batch", batch("/v1/chart", "\ufeff"+twoLines)), ask("POST", "/v1/batch", bodies["/v1/batch"]); got.Body.String() != want.Body.String() {
		t.Errorf("a mark within a batch: %.200s\nwant %.200s", got.Body, want.Body)
	}
}
