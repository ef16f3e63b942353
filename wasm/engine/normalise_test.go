package engine

import (
	"net/http"
	"strings"
	"testing"
)

const spin = `{"format":"cpsrl/model","version":1,"horizon":3,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"initial":"uniform",` +
	`"transition":[{"of":"side","given":["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]}],"reward":[{"given":["side"],"mean":[0,1],"kind":"fixed"}]}`

// A model with rows that do not sum to 1 comes back with rows that do, in the canonical form.
func TestNormalise(t *testing.T) {
	rough := strings.Replace(spin, "[0.5,0.5]", "[0.3333,0.6666]", 1)
	got := answerOf[Normalised](t, ask("POST", "/v1/normalise", rough))
	if want := "1 row whose sum differs from 1 by 0.0001 (/transition/0/p/1)"; got.Words != want {
		t.Errorf("%q, want %q", got.Words, want)
	}
	model := string(got.Model)
	if again := ask("POST", "/v1/normalise", model).Body.String(); !strings.Contains(again, `"model":`+model+"}") || !strings.Contains(again, `{"rows":0,"words":"0 rows `) {
		t.Errorf("%s became %s", model, again)
	}
	check := func(model string) *http.Response {
		return ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":`+model+`},"agents":["c-psrl"]}`).Result()
	}
	if rough, even := check(rough).StatusCode, check(model).StatusCode; rough != 400 || even != 200 {
		t.Errorf("%d, %d", rough, even)
	}
	refused(t, ask("POST", "/v1/normalise", strings.Replace(spin, "[0.5,0.5]", "[0,0]", 1)), 400, "/transition/0/p/1", "sums to 0")
}

// Rows of six digits are scaled without being asked, and the answer says so.
func TestCheckScaled(t *testing.T) {
	spec := func(row string) string {
		return `{"format":"cpsrl/spec","version":3,"domain":{"name":"model","model":` + strings.Replace(spin, "[0.5,0.5]", row, 1) + `}}`
	}
	if got := answerOf[Checked](t, ask("POST", "/v1/check", spec("[0.333333,0.666666]"))); got.Scaled != "1 row whose sum differs from 1 by 1e-06 (/domain/model/transition/0/p/1)" {
		t.Error(got.Scaled)
	}
	if got := answerOf[Checked](t, ask("POST", "/v1/check", spec("[0.5,0.5]"))); got.Scaled != "" {
		t.Error(got.Scaled)
	}
}
