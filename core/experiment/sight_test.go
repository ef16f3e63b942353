package experiment

import (
	"math"
	"strings"
	"testing"

	"cpsrl/core/spec"
)

// coinsSpec has two variables that both take the value of a coin, which is noise or, if hidden, stays.
const coinsSpec = `{"format":"cpsrl/spec","version":4,"domain":{"name":"model","model":{"format":"cpsrl/model","version":2,"horizon":4,
 "state":[{"name":"a","size":2},{"name":"b","size":2}STATE],"action":[{"name":"act","size":2}],UNSEEN,"initial":INITIAL,
 "transition":[{"of":"a","given":["coin"],"p":[[1,0],[0,1]]},{"of":"b","given":["coin"],"p":[[1,0],[0,1]]}LAW],
 "reward":[{"given":["a","b"],"mean":[0,0,0,1],"kind":"fixed"}]}},"agents":["psrl","f-psrl","c-psrl"],"episodes":40,"runs":1,"seed":1}`

func coins(t *testing.T, noise bool, agents string) *spec.Spec {
	t.Helper()
	text := strings.NewReplacer("STATE", "", "UNSEEN", `"noise":[{"name":"coin","size":2,"p":[0.5,0.5]}]`, "INITIAL", `[{"state":[0,0],"p":1}]`, "LAW", "")
	if !noise {
		text = strings.NewReplacer("STATE", `,{"name":"coin","size":2}`, "UNSEEN", `"hidden":["coin"]`, "INITIAL", `[{"state":[0,0,0],"p":0.5},{"state":[0,0,1],"p":0.5}]`,
			"LAW", `,{"of":"coin","given":["coin"],"p":[[1,0],[0,1]]}`)
	}
	s, err := spec.Decode([]byte(strings.Replace(text.Replace(coinsSpec), `"psrl","f-psrl","c-psrl"`, agents, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// By hand: if both variables take the value of a fair coin, the next state is 00 or 11 with ½ each. The
// product of the marginals gives ¼ to each state, at a distance of 1. A step pays 1 in state 11, so the
// value of any policy is ¾ × 2 = 1.5: the first step starts in 00.
func TestSight(t *testing.T) {
	noisy, err := New(coins(t, true, `"psrl","f-psrl","c-psrl"`))
	if err != nil {
		t.Fatal(err)
	}
	if left, computed := noisy.first.Residual(); !computed || math.Abs(left-1) > 1e-12 {
		t.Errorf("the residual is %v, %v", left, computed)
	}
	if text := noisy.Caveat(); text != "Agents do not see coin, which is noise: it makes variables depend on each other, so an agent that knows the law of each variable still has a model error of 1." {
		t.Error(text)
	}
	for r, err := range noisy.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Optimal-1.5) > 1e-12 || math.Abs(r.Regret) > 1e-12 {
			t.Fatalf("%s: V* = %v, regret %v", r.Agent, r.Optimal, r.Regret)
		}
		if r.Agent == "f-psrl" && r.Episode == 40 && math.Abs(*r.ModelError-1) > .1 { // 160 steps: its tables are near the laws
			t.Errorf("%s: the model error is %v", r.Agent, *r.ModelError)
		}
	}
	blind, err := New(coins(t, false, `"psrl","f-psrl","c-psrl"`))
	if err != nil {
		t.Fatal(err)
	}
	if text := blind.Caveat(); text != "Agents do not see coin. Regret is against the best policy that does, so it is an upper bound." || blind.Header().ModelError == "" {
		t.Errorf("%s, %q", text, blind.Header().ModelError)
	}
	for r, err := range blind.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if r.ModelError != nil || math.Abs(r.Optimal-1.5) > 1e-12 {
			t.Fatalf("%s: V* = %v, model error %v", r.Agent, r.Optimal, r.ModelError)
		}
	}
	for _, noise := range []bool{true, false} {
		if _, err := New(coins(t, noise, `"optimal"`)); err == nil || !strings.Contains(err.Error(), "Optimal must be told the true model") {
			t.Errorf("optimal: %v", err)
		}
	}
}
