package offline_test

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/offline"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// does returns what rules do in a state.
func does(stage *offline.Stage, state []int) int {
	for _, r := range stage.Rules {
		holds := true
		for _, c := range r.If {
			holds = holds && c.Least <= state[c.Variable] && state[c.Variable] <= c.Most
		}
		if holds {
			return r.Then
		}
	}
	return stage.Otherwise
}

// TestRules: rules say what the policy does, and where a policy is simple, they are.
func TestRules(t *testing.T) {
	var b strings.Builder
	b.WriteString("episode,a,b,c,u,r\n")
	rng := posterior.NewStream(3)
	for e := range 60 {
		fmt.Fprintf(&b, "%d,%d,%d,%s,%d,%d\n", e/6, rng.IntN(2), rng.IntN(5), []string{"low", "mid", "high"}[rng.IntN(3)], rng.IntN(3), rng.IntN(2))
	}
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 5}, {Name: "c", Size: 3, Values: []string{"low", "mid", "high"}}}, Action: []fmdp.Variable{{Name: "u", Size: 3}}}
	p := problem(t, b.String(), space, nil, offline.Options{Horizon: 4})
	m := p.Mean()
	check := func(name string, policy *planning.Policy, most int) {
		t.Helper()
		stages, n, h := p.Rules(policy), 0, 0
		for _, stage := range stages {
			if stage.From != h+1 {
				t.Fatalf("%s: a stage begins at step %d behind step %d", name, stage.From, h)
			}
			n += len(stage.Rules)
			for h = stage.From; h <= stage.To; h++ {
				for s := range m.States() {
					if got, want := does(&stage, m.Point(make([]int, m.Y()), s)), policy.Action(h, s); got != want {
						t.Errorf("%s: the rules do %d at step %d in state %d, the policy %d", name, got, h, s, want)
					}
				}
			}
			h--
		}
		if h != m.Horizon || n > most {
			t.Errorf("%s: %d rules up to step %d, want at most %d up to step %d", name, n, h, most, m.Horizon)
		}
	}
	// u = 2 where b ≥ 3 and a = 1, u = 1 where c is high, else 0.
	simple := make([]int32, m.States())
	for s := range simple {
		switch x := m.Point(make([]int, m.Y()), s); {
		case x[1] >= 3 && x[0] == 1:
			simple[s] = 2
		case x[2] == 2:
			simple[s] = 1
		}
	}
	check("simple", planning.NewPolicy(4, [][]int32{simple}), 3)
	text := ""
	for _, r := range p.Rules(planning.NewPolicy(4, [][]int32{simple}))[0].Rules {
		for _, c := range r.If {
			text += c.Text(&m.Space) + "; "
		}
		text += offline.ActionText(&m.Space, r.Then) + "\n"
	}
	if !strings.Contains(text, "a = 1; b ≥ 3; u = 2") || !strings.Contains(text, "c = high") {
		t.Errorf("the rules are\n%s", text)
	}
	for k := range 20 {
		var rules [][]int32
		for range 4 {
			rule := make([]int32, m.States())
			for s := range rule {
				rule[s] = int32(rng.IntN(3))
			}
			rules = append(rules, rule)
		}
		check(fmt.Sprint("random ", k), planning.NewPolicy(4, rules), 4*m.States())
	}
	mdp, err := planning.FromModel(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	best, _ := planning.Solve(mdp)
	check("best", best, 4*m.States())
}
