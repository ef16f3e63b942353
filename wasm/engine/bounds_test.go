package engine

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"cpsrl/internal/formattest"
)

// oneSentence demands an answer of one sentence that says something, and of nothing else.
func oneSentence(t *testing.T, says, path, body string) {
	t.Helper()
	got := ask("POST", path, body)
	var problem struct {
		Detail, Pointer string
	}
	if err := json.Unmarshal(got.Body.Bytes(), &problem); err != nil || got.Code != http.StatusBadRequest || !strings.Contains(problem.Detail, says) || strings.Contains(problem.Detail, "\n") || len(problem.Detail) > 500 {
		t.Errorf("%s of %.150s: status %d, %v, want one sentence with %q, found\n%.600s", path, body, got.Code, err, says, got.Body)
	}
}

func specOfModel(model, more string) string {
	return `{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":` + model + `},"episodes":2,"runs":1` + more + `}`
}

// asksOfSpecs are requests about a spec that read its problem.
var asksOfSpecs = []string{"/v1/check", "/v1/run", "/v1/runs", "/v1/trace?run=0&agent=c-psrl&episode=1", "/v1/play?run=0&agent=c-psrl", "/v1/episodes?run=0&agent=c-psrl&last=1",
	"/v1/film?run=0&agent=c-psrl", "/v1/edges?run=0&agent=c-psrl&episode=1"}

// Models of 300 variables, and formulas of 60: every request that has a model is refused in one sentence, and nothing is done.
func TestBeyondAll(t *testing.T) {
	for _, c := range formattest.BeyondAll() {
		oneSentence(t, c.Says, "/v1/normalise", c.Model)
		for _, path := range asksOfSpecs {
			oneSentence(t, c.Says, path, specOfModel(c.Model, ""))
		}
		for _, path := range []string{"/v1/link", "/v1/export?as=model", "/v1/export?as=methods"} {
			oneSentence(t, c.Says, path, `{"spec":`+specOfModel(c.Model, "")+`}`)
		}
		oneSentence(t, c.Says, "/v1/edit", `{"spec":`+specOfModel(c.Model, "")+`,"edit":{"edit":"name","to":"x"}}`)
	}
}

// Budgets of 0 and 10⁹.
func TestBudgets(t *testing.T) {
	model := formattest.Machines(1, 3, 1, nil)
	for _, of := range []string{"uct:0:10", "uct:1000000000:10", "uct:9:0", "rollout:1000000000:1000000000", "rollout:0:0"} {
		for _, path := range asksOfSpecs {
			oneSentence(t, "must be from 1 to 1", path, specOfModel(model, `,"planner":"`+of+`"`))
			oneSentence(t, "uct:TRIALS:DEPTH, from 1:1 to 100000:1000", path, specOfModel(model, `,"agents":["c-psrl:planner=`+of+`"]`))
		}
	}
	for _, part := range []string{`"episodes":2`, `"runs":1`} {
		for _, n := range []string{"0", "1000000000"} {
			name, _, _ := strings.Cut(part, ":")
			for _, path := range asksOfSpecs {
				oneSentence(t, " is out of range; it must be ", path, strings.Replace(specOfModel(model, ""), part, name+":"+n, 1))
			}
		}
	}
}

// A problem that no list holds is refused where it is planned in exactly.
func TestNoList(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	for _, model := range []string{
		formattest.Machines(1, 30, 1, nil),
		formattest.Machines(3, 30, 1, map[string]string{"initial": `{"formula":"m3 = 1"}`}),
		formattest.Machines(4, 30, 1, map[string]string{"legal": `{"formula":"a1 = 0 or m4 = 1"}`}),
	} {
		for _, path := range asksOfSpecs {
			oneSentence(t, "2147483648", path, specOfModel(model, `,"agents":["c-psrl"]`))
		}
	}
}
