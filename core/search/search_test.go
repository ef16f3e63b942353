package search_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/search"
	"cpsrl/internal/small"
)

// steps are the streams of a test's decisions.
func steps(h int) *posterior.Stream { return agent.NewStepStreams(1, 0, "test")(1, h) }

func choose(t testing.TB, text string) search.Choice {
	t.Helper()
	var c search.Choice
	if err := c.Parse(text); err != nil {
		t.Fatal(err)
	}
	return c
}

// told returns what agents are told of a model with known rewards, and the model as an agent that knows it has it.
func told(m *fmdp.Model) (*agent.Task, *agent.Model) {
	return &agent.Task{Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Known: true, Ends: m.Endings()},
		&agent.Model{Graph: m.Graph(), Transition: m.Transition, Reward: m.Reward}
}

// policyOf returns the policy of a planner in a true model.
func policyOf(t testing.TB, m *fmdp.Model, text string) agent.Policy {
	t.Helper()
	task, model := told(m)
	planner, err := choose(t, text).Planner(task)
	if err != nil {
		t.Fatal(err)
	}
	policy, err := planner.Plan(t.Context(), &agent.Draws{Step: steps}, model)
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// regretOf returns V⋆ and the exact regret of a planner's policy in a true model.
func regretOf(t testing.TB, m *fmdp.Model, text string) (best, regret float64) {
	t.Helper()
	task, model := told(m)
	table, err := task.Exact().TableOf(t.Context(), model, policyOf(t, m, text))
	if err != nil {
		t.Fatal(err)
	}
	mdp, err := planning.FromModel(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, values := planning.Solve(mdp)
	best = values.Value(m.Initial)
	return best, best - planning.Return(mdp, table.Policy, m.Initial)
}

func build(t testing.TB, d domain.Domain) *fmdp.Model {
	t.Helper()
	p, err := d.Build(posterior.NewStream(1).Rand, domain.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return p.View
}

// A text is read in any form, and written in one. What is no planner is refused in one sentence.
func TestChoice(t *testing.T) {
	for text, want := range map[string]string{"exact": "exact", "uct": "uct:600:10", "rollout:05:2": "rollout:5:2", "uct:100000:1000": "uct:100000:1000"} {
		if c := choose(t, text); c.String() != want || string(c.Encode()) != `"`+want+`"` {
			t.Errorf("%s is %s", text, c)
		}
	}
	for text, want := range map[string]string{
		"":                 `"" is unknown; it must be one of exact, rollout:TRIALS:DEPTH, uct:TRIALS:DEPTH`,
		"mcts":             `"mcts" is unknown`,
		"exact:1:1":        `is not one of exact, rollout:TRIALS:DEPTH, uct:TRIALS:DEPTH`,
		"uct:600":          `is not one of`,
		"uct:0:10":         "the trials of uct must be from 1 to 100000",
		"uct:1000000000:1": "the trials of uct must be from 1 to 100000",
		"rollout:30:0":     "the depth of rollout must be from 1 to 1000",
		"uct:1:1000000000": "the depth of uct must be from 1 to 1000",
		"uct:1:1:1":        `is not one of`,
		"uct:-1:2":         `is not one of`,
	} {
		c := choose(t, "exact")
		if err := c.Parse(text); err == nil || !strings.Contains(err.Error(), want) || c.String() != "exact" {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	var c search.Choice
	if c.Given() || c.String() != "" || c.Decode([]byte("7")) == nil || c.Decode([]byte(`"uct:1:1"`)) != nil || c.String() != "uct:1:1" {
		t.Errorf("%s", c)
	}
}

// With growing budgets the exact regret of a search goes to that of its horizon: for uct to 0, and for a rollout to
// that of one step of policy improvement. Oracle: backward induction in the true model.
func TestConverges(t *testing.T) {
	m := build(t, &domain.Random{StateVariables: 3, ActionVariables: 1, Values: 2, Parents: 2, Horizon: 5})
	last := math.Inf(1)
	for _, text := range []string{"uct:2:5", "uct:20:5", "uct:200:5", "uct:20000:5"} {
		best, regret := regretOf(t, m, text)
		t.Logf("%s: regret %.5f of %.5f", text, regret, best)
		if regret < -1e-9 || regret > last {
			t.Errorf("%s: regret %v after %v", text, regret, last)
		}
		last = regret
	}
	if last > 1e-4 {
		t.Errorf("a regret of %v remains", last)
	}
	if _, regret := regretOf(t, m, "rollout:2000:5"); regret > .02 {
		t.Errorf("rollout has a regret of %v", regret)
	}
}

// The same question has the same answer, whatever was asked before.
func TestAnswers(t *testing.T) {
	m := build(t, &domain.Random{StateVariables: 4, ActionVariables: 2, Values: 2, Parents: 2, Horizon: 4})
	for _, text := range []string{"uct:30:3", "rollout:3:3"} {
		one, two := policyOf(t, m, text), policyOf(t, m, text)
		state := make([]int, m.Y())
		var first []int
		for s := range m.States() {
			a, _ := one.Act(t.Context(), 1+s%4, m.Point(state, s))
			first = append(first, a)
		}
		for s := m.States() - 1; s >= 0; s-- {
			if a, err := two.Act(t.Context(), 1+s%4, m.Point(state, s)); err != nil || a != first[s] {
				t.Fatalf("%s: action %d in state %d, before %d (%v)", text, a, s, first[s], err)
			}
		}
	}
}

// A search respects ends, legal actions and payoffs on arrival: only action 2 of the legal three wins, since it alone
// enters the room that pays, and the end of the episode there costs what staying would pay.
func TestRespects(t *testing.T) {
	m := &fmdp.Model{
		Horizon: 4, Initial: []float64{1, 0, 0},
		Space: fmdp.Space{State: []fmdp.Variable{{Name: "room", Size: 3}}, Action: []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 2}}},
		// Room 1 ends the episode and pays 5 on arrival; room 2 pays 2 on each arrival and stays.
		Reward: []fmdp.Reward{{Given: []int{3}, Mean: []float64{0, 5, 2}, Scale: 1, Of: -1}},
		Ends:   []fmdp.Ending{{Given: []int{0}, Is: [][]int{{1}}}},
	}
	m.Legal, _ = fmdp.NewLegal(m.Action, [][]int{{0, 0}, {0, 1}, {1, 0}}) // not {1, 1}, which would pay most
	f := fmdp.Factor{Given: []int{0, 1, 2}, Size: 3, P: make([]float64, 36)}
	for room := range 3 {
		for act := range 4 {
			next := room
			if room == 0 {
				next = []int{0, 1, 2, 1}[act]
			}
			f.Row(room*4 + act)[next] = 1
		}
	}
	m.Transition = []fmdp.Factor{f}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"uct:60:4", "rollout:5:4"} {
		policy := policyOf(t, m, text)
		for h, want := range []int{2, 2, 1, 1} { // 2·4 and 2·3 against 5; then 5 against 2·2 and 2
			if a, err := policy.Act(t.Context(), h+1, []int{0}); err != nil || a != want {
				t.Errorf("%s: action %d at step %d, want %d (%v)", text, a, h+1, want, err)
			}
		}
		if a, _ := policy.Act(t.Context(), 1, []int{1}); a != 0 {
			t.Errorf("%s: action %d where the episode has ended", text, a)
		}
	}
}

// If the context ends, a decision does.
func TestEnds(t *testing.T) {
	m := build(t, &domain.Random{StateVariables: 4, ActionVariables: 2, Values: 2, Parents: 2, Horizon: 4})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{"uct", "rollout"} {
		if _, err := policyOf(t, m, text).Act(ctx, 1, make([]int, m.Y())); err != context.Canceled {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Too many actions are refused with their number.
func TestManyActions(t *testing.T) {
	task := &agent.Task{Space: &fmdp.Space{State: []fmdp.Variable{{Name: "s", Size: 2}}, Action: []fmdp.Variable{{Name: "a", Size: 5000}}}, Horizon: 1}
	if _, err := choose(t, "uct").Planner(task); err == nil || !strings.Contains(err.Error(), "5000 joint actions, more than 4096") {
		t.Error(err)
	}
	task.Space.Action[0].Size = 1000
	if _, err := choose(t, "uct:100000:2").Planner(task); err == nil || !strings.Contains(err.Error(), "a tree of 100000 trials holds 1000 joint actions") {
		t.Error(err)
	}
}

// play returns the mean return of a policy in the world over episodes.
func play(t testing.TB, m *fmdp.Model, text string, episodes int) float64 {
	t.Helper()
	task, model := told(m)
	planner, err := choose(t, text).Planner(task)
	if err != nil {
		t.Fatal(err)
	}
	world, streams, sum := agent.NewSimulation(m, posterior.NewStream(7).Rand), agent.NewStepStreams(1, 0, "test"), 0.0
	for k := range episodes {
		policy, err := planner.Plan(t.Context(), streams.Of(nil, k+1), model)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := world.Play(t.Context(), policy)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			sum += s.Reward
		}
	}
	return sum / float64(episodes)
}

func sysadmin(t testing.TB) *fmdp.Model {
	return build(t, &domain.SysAdmin{Topology: "instance", Machines: 10, Reboots: "one", Horizon: 40})
}

// SysAdmin with 10 machines, by a small budget: the numbers are those of every platform.
func TestSysAdmin(t *testing.T) {
	m := sysadmin(t)
	for text, want := range map[string]float64{"uct:60:5": 336.25, "rollout:5:5": 336} {
		if got := play(t, m, text, 2); got != want {
			t.Errorf("%s is paid %v, want %v", text, got, want)
		}
	}
}

// What planners are paid in SysAdmin with 10 machines and the true model, as a share of V⋆ = 342.68:
//
//	go test ./core/search -bench SysAdmin -benchtime 1x
func BenchmarkSysAdmin(b *testing.B) {
	m, best := sysadmin(b), 342.68
	for _, text := range []string{"rollout:30:10", "uct:600:10", "uct:2000:10"} {
		b.Run(text, func(b *testing.B) {
			const episodes = 100
			for b.Loop() {
				b.ReportMetric(play(b, m, text, episodes)/best, "of-V⋆")
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*episodes*m.Horizon), "ms/decision")
		})
	}
}

// ring returns [small.SysAdmin] over 20 steps, where a reboot costs something.
func ring(n int) *fmdp.Model {
	m := small.SysAdmin(n)
	m.Horizon = 20
	price := make([]float64, n+1)
	for a := 1; a <= n; a++ {
		price[a] = -.75
	}
	m.Reward = append(m.Reward, fmdp.Reward{Given: []int{n}, Mean: price, Scale: 1, Of: -1})
	return m
}

// A problem of 24 machines (S·A = 4·10⁸) is built, validated and simulated, and C-PSRL with uct plays in it and learns.
// Exact planning refuses it with the number.
func TestUnlisted(t *testing.T) {
	m := ring(24)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	task, _ := told(m)
	task.Prior = &bigraph.Prior{X: m.X(), Known: make(bigraph.Bigraph, m.Y()), Sparseness: 2}
	causal, err := agent.NewCausal(task, agent.Certain(m.Graph(), m.X()))
	if err != nil {
		t.Fatal(err)
	}
	planner, err := choose(t, "uct:30:4").Planner(task)
	if err != nil {
		t.Fatal(err)
	}
	world := agent.NewSimulation(m, posterior.NewStream(3).Rand)
	for e, err := range agent.Episodes(t.Context(), causal, world, planner, posterior.NewStream(4), agent.NewStepStreams(1, 0, "c")) {
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Steps) != m.Horizon || e.Return() < 100 || e.Return() > 24*20 {
			t.Errorf("%d steps are paid %v", len(e.Steps), e.Return())
		}
		if e.Learn(); e.Number == 2 {
			break
		}
	}
	for _, err := range agent.Episodes(t.Context(), causal, world, task.Exact(), posterior.NewStream(5), nil) {
		if err == nil || !strings.Contains(err.Error(), "419430400 state-action pairs (S·A), more than 1048576") {
			t.Error(err)
		}
	}
}

// Oracle: the sum over the steps of an episode.
func TestAhead(t *testing.T) {
	for _, depth := range []int{1, 3, 10} {
		for _, horizon := range []int{1, 2, 3, 9, 10, 11, 40} {
			var c search.Choice
			if err := c.Parse(fmt.Sprintf("uct:5:%d", depth)); err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for togo := 1; togo <= horizon; togo++ {
				want += float64(min(depth, togo)) / float64(depth*horizon)
			}
			if got := c.Ahead(horizon); math.Abs(got-want) > 1e-12 {
				t.Errorf("depth %d, horizon %d: %v, want %v", depth, horizon, got, want)
			}
		}
	}
}

// A decision with 50 variables and 51 actions, in the true model.
func BenchmarkDecision(b *testing.B) {
	m := ring(50)
	state := make([]int, m.Y())
	for i := range state {
		state[i] = i % 2
	}
	for _, text := range []string{"rollout:30:10", "uct:600:10"} {
		b.Run(text, func(b *testing.B) {
			policy := policyOf(b, m, text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := policy.Act(b.Context(), 1, state); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
