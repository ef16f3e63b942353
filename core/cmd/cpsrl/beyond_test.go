package main

import (
	"fmt"
	"strings"
	"testing"
)

// ring is a model of n machines, each of which is given the one before it, in the format cpsrl/model.
func ring(n int) string {
	var state, transition, reward []string
	for i := range n {
		name := fmt.Sprint("m", i+1)
		state = append(state, fmt.Sprintf(`{"name":%q,"size":2}`, name))
		transition = append(transition, fmt.Sprintf(`{"of":%q,"given":[%q,"m%d"],"p":[[0.95,0.05],[0.9,0.1],[0.5,0.5],[0.1,0.9]]}`, name, name, (i+n-1)%n+1))
		reward = append(reward, fmt.Sprintf(`{"given":[%q,"repair"],"mean":[0,-1,1,0],"kind":"fixed"}`, name))
	}
	return fmt.Sprintf(`{"format":"cpsrl/model","version":1,"horizon":20,"state":[%s],"action":[{"name":"repair","size":2}],"initial":"uniform","transition":[%s],"reward":[%s]}`,
		strings.Join(state, ","), strings.Join(transition, ","), strings.Join(reward, ","))
}

// What lists no states takes a model of 30 machines; what plans exactly refuses it in one sentence.
func TestBeyondLists(t *testing.T) {
	path := file(t, "ring.json", ring(30))
	if got := ok(t, "model", "-model", path, "-expand"); !strings.HasSuffix(strings.TrimSpace(got), strings.TrimPrefix(ring(30), `{"format":"cpsrl/model","version":1,`)) {
		t.Errorf("model: %.300s", got)
	}
	ok(t, "factorizations", "-prior", file(t, "prior.json", ok(t, "prior", "-model", path)))
	drawn := file(t, "drawn.jsonl", ok(t, "transitions", "-model", path, "-n", "3000"))
	edges := ok(t, "posterior", "-transitions", drawn, "-prior", path, "-z", "2", "-as", "csv")
	for i := range 30 {
		if line := fmt.Sprintf("\nm%d,m%d,", i+1, (i+1)%30+1); !strings.Contains(edges, line+"0.9") && !strings.Contains(edges, line+"1") {
			t.Errorf("the edge%s is not found", line)
		}
	}
	for _, args := range [][]string{{"plan"}, {"edges"}, {"trace"}, {"run", "-runs", "1"}} {
		got := cpsrl(t, append(args, "-model", path)...)
		want := "2147483648 state-action pairs (S·A), more than 1048576"
		if args[0] == "trace" || args[0] == "run" {
			want = "/agents/0: PSRL learns a table over all states, but no list holds them: S·A is 2147483648, above 1048576; leave it out"
		}
		if got.status == statusOK || got.stdout != "" || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", args[0], got)
		}
	}
}

// A start that no list holds stays a formula where tables are written.
func TestBeyondExpand(t *testing.T) {
	text := strings.NewReplacer(`"version":1`, `"version":3`, `"initial":"uniform"`, `"initial":{"formula":"m3 = 1"}`).Replace(ring(30))
	if got := ok(t, "model", "-model", file(t, "ring.json", text), "-expand"); !strings.Contains(got, `"initial":{"formula":"m3 = 1"}`) {
		t.Errorf("%.2000s", got)
	}
}

// SPUDD tells the first state of each variable alone.
func TestBeyondSpudd(t *testing.T) {
	var b strings.Builder
	b.WriteString("(variables")
	for i := range 30 {
		fmt.Fprintf(&b, " (m%d down up)", i)
	}
	b.WriteString(")\ninit [*")
	for i := range 30 {
		fmt.Fprintf(&b, " (m%d (down (0)) (up (1)))", i)
	}
	b.WriteString("]\naction wait\n")
	for i := range 30 {
		fmt.Fprintf(&b, "m%d (m%d (down (m%d' (down (.9)) (up (.1)))) (up (m%d' (down (.25)) (up (.75)))))\n", i, (i+29)%30, i, i)
	}
	b.WriteString("endaction\nreward (m0 (down (0)) (up (1)))\ndiscount 1\nhorizon 9\n")
	got := ok(t, "convert", file(t, "ring.spudd", b.String()))
	if !strings.Contains(got, `"initial":[{"state":[`+strings.Repeat("1,", 29)+`1],"p":1}]`) {
		t.Errorf("%.3000s", got)
	}
	ok(t, "model", "-model", file(t, "ring.json", got))
	tied := strings.Replace(b.String(), "init [*", "init [* (m0 (down (m1 (down (1)) (up (1)))) (up (m1 (down (1)) (up (2)))))", 1)
	if refused := cpsrl(t, "convert", file(t, "tied.spudd", tied)); refused.status != statusInvalid || !strings.Contains(refused.stderr, "each factor of init is about one variable; this one is about 2 of them") {
		t.Errorf("%+v", refused)
	}
}
