package main

import (
	"strings"
	"testing"
)

// By hand: without the edge flip → side, or side → side, both actions have the same law, so
// every policy is optimal. Ties go to the lowest action, to stay, which keeps heads at the
// payoff 0. The best policy has the value 1.25.
func TestEdgesCoin(t *testing.T) {
	got := ok(t, "edges", "-model", file(t, "coin.json", coin))
	want := `{"value":1.25,"average":"uniform","edges":[{"from":"side","to":"side","value":1.25},{"from":"flip","to":"side","value":1.25}]}` + "\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEdgesOfSpec(t *testing.T) {
	got := ok(t, "edges", "-preset", "fig1-quick", "-episode", "2", "-samples", "3", "-average", "occupancy")
	if !strings.HasPrefix(got, `{"run":0,"agent":"c-psrl","episode":2,"samples":3,"average":"occupancy","value":`) || strings.Count(got, `"from"`) != 8 || strings.Count(got, `"true"`) != 5 {
		t.Errorf("%s", got)
	}
	// Without -agent, it is the last agent with a graph, which need not be the last.
	for agents, want := range map[string]string{"psrl,c-psrl": "c-psrl", "c-psrl,psrl": "c-psrl", "c-psrl,f-psrl,psrl": "f-psrl"} {
		if got := ok(t, "edges", "-preset", "fig1-quick", "-agents", agents, "-samples", "1"); !strings.HasPrefix(got, `{"run":0,"agent":"`+want+`",`) {
			t.Errorf("%s: %s", agents, got)
		}
	}
	path := file(t, "coin.json", coin)
	for _, test := range []struct{ args, says string }{
		{"edges -model " + path + " -run 1", "there is no run 1"},
		{"edges -preset fig1-quick -agent psrl", "has no belief about a graph"},
		{"edges -preset fig1-quick -average never", "expected one of uniform, occupancy"},
		{"edges", "-spec"},
	} {
		refused(t, cpsrl(t, strings.Fields(test.args)...), test.says)
	}
}
