package experiment

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/planning"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// counted counts the numbers that are drawn from a source.
type counted struct {
	rand.Source
	n int
}

func (c *counted) Uint64() uint64 { c.n++; return c.Source.Uint64() }

// backups counts the multiplications of an operator, and the points that it is applied to.
type backups struct {
	planning.Operator
	each             float64 // multiplications for one point, or for all if it is Factored
	products, points float64
}

func (b *backups) Apply(dst, v []float64, points []int32) {
	if b.points += float64(len(points)); b.each > 0 {
		b.products += b.each * float64(len(points))
	} else {
		b.products -= b.each
	}
	b.Operator.Apply(dst, v, points)
}

// operator returns an operator that counts.
func operator(of planning.Operator, p *play, law *agent.Model) *backups {
	b := &backups{Operator: of, each: float64(p.View.States()) / planning.DenseAdvantage}
	if _, dense := of.(*planning.Dense); !dense {
		b.each = -planning.Cost(&p.View.Space, law.Transition)
	}
	return b
}

// workOf plays the first episodes of an experiment's only agent, and returns the work of
// one episode in nanoseconds of a core. It counts each kind of work and weighs it by its
// own benchmark.
func workOf(t *testing.T, e *Experiment, episodes int) float64 {
	t.Helper()
	truth, err := e.truth(e.first.Run)
	if err != nil {
		t.Fatal(err)
	}
	p, err := truth.enter(e.arms[0])
	if err != nil {
		t.Fatal(err)
	}
	m, task := p.View, p.Task()
	points := float64(m.Points())
	learns, mixed := p.arm.Key != "random", p.arm.Key == "random" || p.arm.Key == "greedy"
	source := &counted{Source: rand.NewPCG(1, 2)}
	p.world.Simulation = truth.world.With(rand.New(source))
	work := 0.0
	for episode, err := range p.episodes(t.Context(), episodes) {
		if err != nil {
			t.Fatal(err)
		}
		// Line 5, the sample: entries of its tables, and rows and points of the learned rewards.
		sample := episode.Model
		switch {
		case !learns: // its model is made once
		case sample.Transition == nil:
			work += 12 * float64(len(sample.Joint))
		default:
			work += 2 * float64(len(sample.Joint))
			for _, f := range sample.Transition {
				work += 25 * float64(len(f.P))
			}
		}
		for _, r := range m.Reward {
			if task.Known || !learns {
				break
			}
			rows := float64(len(r.Mean))
			if sample.Transition == nil {
				rows = points
			}
			work += 30*rows + 3*points + 12*float64(len(episode.Steps))
		}
		// Line 6, the plan, and its value in the true model.
		mdp := &planning.MDP{States: m.States(), Actions: m.Actions(), Horizon: m.Horizon, Reward: task.Exact().Reward(sample)}
		next := planning.Operator(planning.NewDense(sample.Joint))
		if sample.Transition != nil {
			if next, err = planning.Choose(&m.Space, sample.Transition, sample.Joint); err != nil {
				t.Fatal(err)
			}
		}
		plan := operator(next, p, sample)
		mdp.Next = plan
		if learns {
			planning.Solve(mdp)
		}
		if mixed { // an action is drawn for each step and state
			planning.Evaluate(mdp, p.plan.Policy)
			work += 10 * float64(m.Horizon*m.States())
		}
		mdp = &planning.MDP{States: m.States(), Actions: m.Actions(), Horizon: m.Horizon, Reward: p.mdp.Reward}
		value := operator(p.mdp.Next, p, &agent.Model{Transition: m.Transition})
		mdp.Next = value
		planning.Return(mdp, p.plan.Policy, m.Initial)
		for _, b := range []*backups{plan, value} {
			work += 1.5*b.products + 4*b.points
		}
		work += 2 * float64(len(p.joint)) // the model error
		// Line 7, the belief.
		if believer, ok := p.agent.(agent.Believer); ok {
			for _, local := range believer.Beliefs() {
				sets := float64(len(local.Sets()))
				work += 50*sets + float64(len(episode.Steps))*(30+3*sets)
			}
		}
		// The record.
		r, err := p.score(t.Context(), episode)
		if err != nil {
			t.Fatal(err)
		}
		line := record.AppendRecord(nil, r)
		work += 3000 + 20*float64(len(line))
	}
	// The world: the numbers that it draws, and the values that it reads and skips.
	values := 0.0
	for j := range m.State {
		values += float64(m.State[j].Size)
	}
	steps := float64(episodes * m.Horizon)
	return (work + 12*float64(source.n) + steps*(25+10*float64(m.X())+2*values)) / float64(episodes)
}

// modelOf returns a spec whose model has a state variable of that many values with a
// uniform law, trivial state variables, and equal reward factors over the given variables.
func modelOf(values, actions, horizon, trivial, rewards int, given, rest string) string {
	rows := values * actions
	means := map[string]int{"": 1, `"s","a"`: rows}[given]
	list := func(n int, text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	states, tables := fmt.Sprintf(`{"name":"s","size":%d}`, values), fmt.Sprintf(`{"of":"s","given":["s","a"],"p":[%s]}`, list(rows, "["+list(values, fmt.Sprint(1/float64(values)))+"]"))
	for i := range trivial {
		states += fmt.Sprintf(`,{"name":"t%d","size":1}`, i)
		tables += fmt.Sprintf(`,{"of":"t%d","given":[],"p":[[1]]}`, i)
	}
	return fmt.Sprintf(`"domain":{"name":"model","model":{"format":"cpsrl/model","version":1,"name":"m","horizon":%d,`+
		`"state":[%s],"action":[{"name":"a","size":%d}],"initial":"uniform","transition":[%s],"reward":[%s]}}%s`,
		horizon, states, actions, tables, list(rewards, fmt.Sprintf(`{"given":[%s],"mean":[%s],"kind":"bernoulli"}`, given, list(means, "0.5"))), rest)
}

// Oracle: the work of the first episodes, counted as it is done. The estimate is within a
// factor of 3 of it for the paper's presets and for specs that are hard to estimate.
func TestCostOfWork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	specs := map[string]string{
		"known rewards":       modelOf(2, 2, 1000, 0, 1024, "", ""),
		"learned rewards":     modelOf(2, 2, 100, 0, 1024, "", `,"rewards":"learned"`),
		"learned over x":      modelOf(8, 16, 10, 0, 1024, `"s","a"`, `,"rewards":"learned"`),
		"learned over points": modelOf(8, 16, 10, 0, 1024, "", `,"rewards":"learned"`),
		"trivial variables":   modelOf(1, 1, 1000, 62, 1, "", `,"sparseness":1,"prior":{"eta":0}`),
		"many values":         modelOf(128, 2, 100, 0, 1, "", ""),
		"many and long":       modelOf(128, 2, 4000, 0, 1, "", ""),
		"little at all":       modelOf(1, 1, 1, 0, 1, "", ""),
		"one parent":          `"domain":{"name":"random-fmdp","parents":1},"prior":{"eta":0}`,
		"many actions":        `"domain":{"name":"random-fmdp","stateVariables":4,"actionVariables":6}`,
		"long":                `"domain":{"name":"random-fmdp","horizon":2000}`,
	}
	for _, p := range Presets() {
		if !strings.HasSuffix(p.Name, "-quick") && !p.Gallery { // those of the gallery take long
			_, members, _ := strings.Cut(string(spec.Encode(p.Spec)), `"version":3,`)
			specs[p.Name] = strings.TrimSuffix(members, "}")
		}
	}
	for name, members := range specs {
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,` + members + "}"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, label := range []string{"psrl", "f-psrl", "c-psrl", "random", "greedy"} {
			const episodes = 6
			costs := map[int]float64{}
			var e *Experiment
			for _, s.Episodes = range []int{2 * episodes, episodes} {
				s.Agents, s.Runs = []string{label}, 1
				if e, err = New(s); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				costs[s.Episodes] = e.Cost() // with the values of edges at the start of a run
			}
			work, cost := workOf(t, e, episodes), (costs[2*episodes]-costs[episodes])/episodes
			if work > 3*cost || cost > 3*work {
				t.Errorf("%s, %s: the work of an episode is %.3g operations, the estimate %.3g", name, label, work, cost)
			}
		}
	}
}
