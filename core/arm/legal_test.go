package arm_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// tanks returns a model of n tanks, whose first drives: to move takes fuel, and only a tank that is not full can be filled.
// Tanks leak, and what is driven pays.
func tanks(t *testing.T, n int) *fmdp.Model {
	t.Helper()
	state, laws := []string{}, []string{}
	for k := range n {
		state = append(state, fmt.Sprintf(`{"name":"fuel%d","size":4}`, k))
		more := ""
		if k == 0 {
			more = " - move"
		}
		laws = append(laws, fmt.Sprintf(`{"of":"fuel%d","formula":"next = max(0, fuel%d%s) with 0.7, max(0, min(3, fuel%d + fill)%s)"}`, k, k, more, k, more))
	}
	m, err := document.DecodeModel([]byte(`{"format":"cpsrl/model","version":4,"horizon":6,"state":[` + strings.Join(state, ",") + `],
 "action":[{"name":"move","size":4},{"name":"fill","size":3}],"legal":{"formula":"move <= fuel0 and (fill = 0 or fuel1 < 3 and move = 0)"},
 "initial":"uniform","transition":[` + strings.Join(laws, ",") + `],"reward":[{"formula":"move","kind":"fixed"}],"terminal":[{"formula":"fuel0 = 0 and fuel1 = 3"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Every kind of agent, with every kind of planner that it may have, plays only actions that are legal in the state. Oracle: the
// rule, by hand. Nine tanks are more than a list holds.
func TestLegalAgents(t *testing.T) {
	labels := map[string][]string{
		"psrl":     {"psrl"},
		"f-psrl":   {"f-psrl", "f-psrl:planner=uct:12:3", "f-psrl:planner=rollout:3:3"},
		"c-psrl":   {"c-psrl", "c-psrl:planner=uct:12:3", "c-psrl:planner=rollout:3:3", "c-psrl:tables=tied"},
		"random":   {"random"},
		"greedy":   {"greedy", "greedy:epsilon=1", "greedy:epsilon=0.7,planner=uct:12:3"},
		"optimal":  {"optimal", "optimal:planner=uct:12:3", "optimal:planner=rollout:3:3"},
		"constant": {"constant", "constant:action=5", "constant:action=1"},
	}
	few, many := tanks(t, 2), tanks(t, 9)
	for _, kind := range arm.Kinds() {
		if labels[kind.Key] == nil {
			t.Errorf("no agent of the kind %s plays here", kind.Key)
		}
		for _, label := range labels[kind.Key] {
			for _, m := range []*fmdp.Model{few, many} {
				if lists := !strings.Contains(label, "planner=") && kind.Key != "random" && kind.Key != "constant"; m == many && lists {
					continue
				}
				if steps := legalSteps(t, label, m, 30); steps < 60 {
					t.Errorf("%s: %d steps", label, steps)
				}
			}
		}
	}
}

// legalSteps plays episodes of an agent and returns the number of their steps.
func legalSteps(t *testing.T, label string, m *fmdp.Model, episodes int) (steps int) {
	t.Helper()
	prior := func() *bigraph.Prior {
		return &bigraph.Prior{X: m.X(), Known: make(bigraph.Bigraph, m.Y()), Sparseness: 2}
	}
	task := &agent.Task{
		Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Known: true, Truth: m.Graph(), Ends: m.Endings(),
		Model: &agent.Model{Graph: m.Graph(), Transition: m.Transition, Reward: m.Reward}, Prior: prior(),
		Revealed: func(int) bigraph.Bigraph { return prior().Known }, Named: func(string, int) *bigraph.Prior { return prior() },
	}
	a, err := arm.Parse(label)
	if err != nil {
		t.Fatal(err)
	}
	built, err := a.Build(task)
	if err != nil {
		t.Fatal(err)
	}
	planner, err := a.Planner(task)
	if err != nil {
		t.Fatal(err)
	}
	streams := agent.NewStepStreams(3, 0, label)
	for e, err := range agent.Episodes(t.Context(), built, agent.NewSimulation(m, posterior.NewStream(1).Rand), planner, posterior.NewStream(2), streams) {
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		for _, step := range e.Steps {
			move, fill := step.Point[m.Y()], step.Point[m.Y()+1]
			if move > step.Point[0] || fill > 0 && (step.Point[1] == 3 || move > 0) {
				t.Fatalf("%s: in episode %d, move %d and fill %d are played in %v", label, e.Number, move, fill, step.Point[:m.Y()])
			}
		}
		if steps += len(e.Steps); e.Number == episodes {
			break
		}
	}
	return steps
}

// What an own agent plays is checked, too.
func TestIllegalPolicy(t *testing.T) {
	m := tanks(t, 2)
	_, err := agent.NewSimulation(m, posterior.NewStream(1).Rand).Play(t.Context(), greediest{m.Horizon})
	if want := "the policy plays action 5 at step"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

type greediest struct{ horizon int }

func (g greediest) Horizon() int                               { return g.horizon }
func (greediest) Act(context.Context, int, []int) (int, error) { return 5, nil }
