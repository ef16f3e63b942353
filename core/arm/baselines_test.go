package arm_test

import (
	"errors"
	"math"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// toggle is a model of one switch with three actions: action 1 toggles it, and only a switch
// that is on pays.
func toggle(t *testing.T) (*fmdp.Model, *agent.Task) {
	m := &fmdp.Model{
		Name: "toggle", Horizon: 4, Initial: []float64{1, 0},
		Space:      fmdp.Space{State: []fmdp.Variable{{Name: "on", Size: 2}}, Action: []fmdp.Variable{{Name: "press", Size: 3}}},
		Transition: []fmdp.Factor{{Given: []int{0, 1}, Size: 2, P: []float64{1, 0, 0.1, 0.9, 1, 0, 0, 1, 0.9, 0.1, 0, 1}}},
		Reward:     []fmdp.Reward{{Given: []int{0}, Mean: []float64{0, 1}, Kind: fmdp.Fixed, Scale: 1, Of: -1}},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	none := make(bigraph.Bigraph, 1)
	task := &agent.Task{
		Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Known: true, Truth: m.Graph(),
		Model:    &agent.Model{Graph: m.Graph(), Transition: m.Transition, Reward: m.Reward},
		Prior:    &bigraph.Prior{X: 2, Known: none, Sparseness: 2},
		Revealed: func(int) bigraph.Bigraph { return none },
		Named:    func(string, int) *bigraph.Prior { return &bigraph.Prior{X: 2, Known: none, Sparseness: 2} },
	}
	return m, task
}

func build(t *testing.T, label string, task *agent.Task) agent.Agent {
	t.Helper()
	a, err := arm.Parse(label)
	if err != nil {
		t.Fatal(err)
	}
	built, err := a.Build(task)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// plan returns the next policy of an agent that plans, which is a table.
func plan(t *testing.T, a agent.Agent, rng *posterior.Stream) *agent.Table {
	t.Helper()
	policy, err := a.(agent.Planner).Plan(t.Context(), &agent.Draws{Stream: rng}, a.Model(rng))
	if err != nil {
		t.Fatal(err)
	}
	return policy.(*agent.Table)
}

// shares returns how often each action is planned, by step and state, over n plans of an agent.
func shares(t *testing.T, a agent.Agent, task *agent.Task, n int) (shares []float64) {
	rng := posterior.NewStream(1)
	shares = make([]float64, task.Space.Actions())
	entries := n * task.Horizon * task.Space.States()
	for range n {
		policy := plan(t, a, rng)
		if policy.Horizon() != task.Horizon || policy.Values == nil {
			t.Fatalf("a policy for %d steps", policy.Horizon())
		}
		for h := 1; h <= task.Horizon; h++ {
			for s := range task.Space.States() {
				shares[policy.Action(h, s)] += 1 / float64(entries)
			}
		}
	}
	return shares
}

// Random plays each action equally often: within 5 standard errors.
func TestRandom(t *testing.T) {
	_, task := toggle(t)
	const n = 3000
	se := math.Sqrt(1.0 / 3 * 2 / 3 / (n * 8))
	for action, share := range shares(t, build(t, "random", task), task, n) {
		if math.Abs(share-1.0/3) > 5*se {
			t.Errorf("action %d is played with frequency %v", action, share)
		}
	}
}

// Greedy replaces an action of the optimal policy of its mean model with probability ε by
// one of three: within 5 standard errors a share of 2ε/3 is others. With ε = 0 none is.
func TestGreedy(t *testing.T) {
	m, task := toggle(t)
	for label, epsilon := range map[string]float64{"greedy:epsilon=0": 0, "greedy": 0.1, "greedy:epsilon=0.6": 0.6, "greedy:epsilon=1,graph=true": 1} {
		a := build(t, label, task)
		steps, err := agent.NewSimulation(m, posterior.NewStream(2).Rand).Play(t.Context(), agent.NewTable(task.Space, planning.NewPolicy(4, [][]int32{{1, 0}}), nil))
		if err != nil {
			t.Fatal(err)
		}
		a.Observe(steps)
		optimal, err := (&agent.Exact{Space: task.Space, Horizon: task.Horizon}).Plan(t.Context(), nil, a.Model(nil))
		if err != nil {
			t.Fatal(err)
		}
		best := optimal.(*agent.Table)
		const n = 2000
		rng, others := posterior.NewStream(3), 0.0
		for range n {
			policy := plan(t, a, rng)
			for h := 1; h <= 4; h++ {
				for s := range 2 {
					if policy.Action(h, s) != best.Action(h, s) {
						others++
					}
				}
			}
		}
		want := 2 * epsilon / 3
		if got, se := others/(8*n), math.Sqrt(want*(1-want)/(8*n)); math.Abs(got-want) > 5*se {
			t.Errorf("%s: a share of %v is not optimal, want %v", label, got, want)
		}
	}
}

// Greedy's values are those of the policy it plays in its model. Oracle: planning.Evaluate.
func TestGreedyPromise(t *testing.T) {
	_, task := toggle(t)
	a, rng := build(t, "greedy:epsilon=0.5", task), posterior.NewStream(4)
	model := a.Model(rng)
	policy := plan(t, a, rng)
	mdp := &planning.MDP{States: 2, Actions: 3, Horizon: 4, Reward: task.Exact().Reward(model), Next: planning.NewDense(model.Joint)}
	initial := []float64{1, 0}
	if got, want := policy.Values.Value(initial), planning.Return(mdp, policy.Policy, initial); math.Abs(got-want) > 1e-12 {
		t.Errorf("it promises %v, and its policy is worth %v", got, want)
	}
}

// Optimal plays π_*.
func TestOptimal(t *testing.T) {
	m, task := toggle(t)
	a, rng := build(t, "optimal", task), posterior.NewStream(5)
	policy := plan(t, a, rng)
	mdp, err := planning.FromModel(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, best := planning.Solve(mdp)
	if got, want := planning.Return(mdp, policy.Policy, m.Initial), best.Value(m.Initial); math.Abs(got-want) > 1e-12 {
		t.Errorf("its policy is worth %v; the optimum is %v", got, want)
	}
}

// What an agent must be told is refused in one sentence where the task lacks it. Without the
// truth, agents that are not told it play.
func TestNeeds(t *testing.T) {
	_, whole := toggle(t)
	strip := map[string]func(*agent.Task){
		"the truth": func(t *agent.Task) { t.Truth, t.Model, t.Revealed = nil, nil, nil },
		"a prior":   func(t *agent.Task) { t.Prior = nil },
		"names":     func(t *agent.Task) { t.Named = nil },
	}
	for label, missed := range map[string]map[string]arm.Need{
		"psrl":                       {},
		"random":                     {},
		"optimal":                    {"the truth": arm.TrueModel},
		"f-psrl":                     {"the truth": arm.TrueGraph, "a prior": arm.Sparse},
		"f-psrl:graph=prior":         {"a prior": arm.GivenPrior},
		"f-psrl:prior=x":             {"names": arm.NamedPrior},
		"c-psrl":                     {"a prior": arm.GivenPrior},
		"c-psrl:eta=1":               {"the truth": arm.Revealed, "a prior": arm.Sparse},
		"c-psrl:prior=x":             {"names": arm.NamedPrior},
		"c-psrl:eta=1,prior=x":       {"names": arm.NamedPrior, "the truth": arm.Revealed},
		"greedy":                     {"a prior": arm.GivenPrior},
		"greedy:graph=true":          {"the truth": arm.TrueGraph, "a prior": arm.Sparse},
		"greedy:prior=x":             {"names": arm.NamedPrior},
		"greedy:graph=prior,prior=x": {"names": arm.NamedPrior},
	} {
		a, err := arm.Parse(label)
		if err != nil {
			t.Fatal(err)
		}
		for what, remove := range strip {
			task := *whole
			remove(&task)
			_, err := a.Build(&task)
			need, missing := missed[what]
			untold, is := errors.AsType[*arm.UntoldError](err)
			switch {
			case !missing && err != nil:
				t.Errorf("%s without %s: %v", label, what, err)
			case missing && (!is || untold.Need != need || untold.Label != label):
				t.Errorf("%s without %s: %v, want that it needs %v", label, what, err, need)
			}
		}
	}
	a, _ := arm.Parse("f-psrl")
	task := *whole
	task.Truth = nil
	if _, err := a.Build(&task); err == nil || err.Error() != "F-PSRL must be told the true graph, which is not known here" {
		t.Error(err)
	}
}

// What a row says of its agents is so, and a row that says otherwise is refused in one sentence.
func TestRowsAgree(t *testing.T) {
	_, task := toggle(t)
	for _, kind := range arm.Kinds() {
		built := build(t, kind.Key, task)
		if err := kind.CheckModel(built.Model(posterior.NewStream(6))); err != nil {
			t.Error(err)
		}
	}
	model := &agent.Model{Joint: []float64{1}}
	for fact, of := range map[string]func(k *arm.Kind) *bool{
		"Graph":    func(k *arm.Kind) *bool { return &k.Graph },
		"Factored": func(k *arm.Kind) *bool { return &k.Factored },
		"Believes": func(k *arm.Kind) *bool { return &k.Believes },
		"Plans":    func(k *arm.Kind) *bool { return &k.Plans },
	} {
		wrong := *arm.Kinds()[0] // PSRL, of which none of the four is so
		*of(&wrong) = true
		_, err := arm.Arm{Kind: &wrong, Config: wrong.New()}.Build(task)
		if err == nil {
			err = wrong.CheckModel(model)
		}
		if want := `the row of "psrl" has ` + fact + ": true; its agent needs " + fact + ": false"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A policy that would draw too many actions is refused.
func TestLongPolicy(t *testing.T) {
	_, task := toggle(t)
	task.Horizon = arm.MostMixed/2 + 1
	for _, label := range []string{"random", "greedy"} {
		a, _ := arm.Parse(label)
		if _, err := a.Build(task); err == nil || err.Error() != "a policy that draws its actions would hold 4194306 of them (S·H), more than 4194304" {
			t.Errorf("%s: %v", label, err)
		}
	}
}

// Every label that is read has a canonical label that is read back, whatever notation a
// number has.
func TestLabelsReadBack(t *testing.T) {
	for _, text := range []string{".5", "0.5", ".00000000001", "0.0000000001", "1.", "00.25", "1e-3", "0.1234567891", ".12345678912"} {
		a, err := arm.Parse("greedy:epsilon=" + text)
		if err != nil {
			continue
		}
		if again, err := arm.Parse(a.Label()); err != nil || again.Label() != a.Label() {
			t.Errorf("%s becomes %q, which reads back as %v", text, a.Label(), err)
		}
	}
}

// With a named prior, an agent on the true graph is told that prior instead, as F-PSRL is. ε = 0
// draws no action, so no policy is too long.
func TestGreedyIsTold(t *testing.T) {
	_, task := toggle(t)
	named := &bigraph.Prior{X: 2, Known: bigraph.Bigraph{bigraph.Of(1)}, Sparseness: 2}
	task.Named = func(string, int) *bigraph.Prior { return named }
	a, err := arm.Parse("greedy:graph=true,prior=x")
	if err != nil || a.Prior(task) != named {
		t.Errorf("it is told %+v, %v", a.Prior(task), err)
	}
	task.Horizon = arm.MostMixed
	if _, err := mustParse(t, "greedy:epsilon=0").Build(task); err != nil {
		t.Error(err)
	}
}

func mustParse(t *testing.T, label string) arm.Arm {
	t.Helper()
	a, err := arm.Parse(label)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
