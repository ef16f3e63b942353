package engine_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/offline"
	"cpsrl/core/strict"
	"cpsrl/wasm/engine"
	"cpsrl/wasm/web"
)

// A table becomes a problem that the engine takes, and a policy with its worth.
func TestLogProblem(t *testing.T) {
	const log = "episode,soil,water,reward,done\n1,0,1,0,0\n1,1,0,2,0\n1,1,1,2,1\n2,0,0,0,0\n2,0,1,0,0\n2,1,0,2,1\n3,0,1,1,0\n3,1,1,2,0\n3,1,0,2,1\n"
	const query = "?prior=none&action=water"
	w := asked(query+"&as=problem&name=garden&horizon=3", log)
	file, err := document.DecodeModelFile(w.Body.Bytes())
	if err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if m := file.Model; m.Name != "garden" || m.Horizon != 3 || m.Y() != 2 || file.Prior == nil {
		t.Errorf("the problem is %+v", m)
	}
	check := httptest.NewRecorder()
	spec := `{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":` + strings.TrimSpace(w.Body.String()) + `},"prior":{"edges":[]},"agents":["c-psrl"]}`
	web.Handler(engine.Handler()).ServeHTTP(check, httptest.NewRequest("POST", "/v1/check", strings.NewReader(spec)))
	if check.Code != http.StatusOK {
		t.Errorf("the engine does not take the problem: %s", check.Body)
	}
	var p offline.Proposal
	w = asked(query+"&as=policy&models=20&reward=soil", log)
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Models != 20 || p.Proposed.Lo > p.Proposed.Hi || len(p.Rules) == 0 || p.Coverage.Pairs != 4 {
		t.Errorf("%v: %s", err, w.Body)
	}
	for query, want := range map[string]string{
		query + "&as=policy&models=0":               "the models is 0",
		query + "&as=problem&horizon=x":             "horizon",
		query + "&as=problem&reward=moon":           "moon",
		query + "&as=problem&column=reward=nothing": "no column says what was paid",
	} {
		if w := asked(query, log); w.Code/100 != 4 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %q", query, w.Code, w.Body, want)
		}
	}
	// A problem comes with the log, from which its agents start, unless the log is too long.
	var s engine.Started
	w = asked(query+"&as=start&name=garden&horizon=3", log)
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || len(s.Steps) != 9 || len(s.SHA256) != 64 || !s.Learned || !strings.Contains(string(s.Model), `"edges":[["over","soil",0],["over","over",0],["over","reward",0]]`) {
		t.Errorf("%v: %s", err, w.Body)
	}
	check = httptest.NewRecorder()
	spec = `{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":` + string(s.Model) + `},"prior":{"data":` + string(strict.Encode(s.Steps)) + `},"agents":["c-psrl"],"rewards":"learned"}`
	web.Handler(engine.Handler()).ServeHTTP(check, httptest.NewRequest("POST", "/v1/check", strings.NewReader(spec)))
	if check.Code != http.StatusOK || !strings.Contains(check.Body.String(), s.SHA256) {
		t.Errorf("the engine does not take the problem with its data: %s", check.Body)
	}
	// The values of the step before are variables, too.
	if w := asked(query+"&as=problem&lag=2", log); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"name":"soil 1 before"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for query, want := range map[string]string{query + "&lag=3": "there is no transition with 2 steps before it", query + "&lag=0": "the lag is 0", "?lag=2": "a prior says which variables there are"} {
		if w := asked(query, log); w.Code/100 != 4 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %q", query, w.Code, w.Body, want)
		}
	}
	// Numbers are refused with cut points that would do, and read with them.
	const numbers = "episode,temp,water\n1,36.5,1\n1,37.5,0\n1,38.5,1\n2,36.5,0\n2,37.1,0\n2,38.5,1\n"
	w = asked(query, numbers)
	if w.Code/100 != 4 || !strings.Contains(w.Body.String(), `"cuts":[37.1,38.5],"rows":[2,2,2]`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := asked(query+"&cut=temp=37.1,38.5", numbers); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"from 37.1 to 38.5"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := asked(query+"&cut=temp=warm", numbers); w.Code/100 != 4 || !strings.Contains(w.Body.String(), "glucose=70,100,140") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	prior := `{"format":"cpsrl/prior","version":1,"state":[{"name":"a","size":2}],"action":[{"name":"b","size":2}],"sparseness":2,"edges":[]}` + "\n"
	if w := asked("?as=policy", prior+`{"x":[0,0],"y":[1]}`); w.Code/100 != 4 || !strings.Contains(w.Body.String(), "a table was expected") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
