package experiment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/strict"
	"cpsrl/internal/small"
)

const ringAgents = `"c-psrl","f-psrl","greedy","optimal","random","constant"`

func ringOf(t *testing.T, n int, agents, more string) *experiment.Experiment {
	t.Helper()
	return ready(t, small.Decode(t, small.Ring(n, agents, more)))
}

// Where no list holds the states, agents play, and records have a return and no regret. The header says why. The true model
// is not solved, and who asks what policies are worth is told so.
func TestVast(t *testing.T) {
	e := ringOf(t, 20, ringAgents, small.RingPlanner)
	const why = "not computed: S·A is 22020096, above 1048576"
	if got := e.Unvalued(); got != why {
		t.Error(got)
	}
	header := experiment.AppendHeader(nil, e.Header())
	if h, err := experiment.DecodeHeader(bytes.TrimSpace(header)); err != nil || h.Version != 3 || h.Regret != why || h.ModelError != why || !bytes.Equal(experiment.AppendHeader(nil, h), header) {
		t.Errorf("%v: %.200s", err, header)
	}
	records := small.Run(t, e.Spec())
	if len(records) != e.Records() {
		t.Fatalf("%d records", len(records))
	}
	for _, r := range records {
		line := record.AppendRecord(nil, r)
		var members map[string]any
		if json.Unmarshal(line, &members) != nil || members["optimal"] != nil || members["value"] != nil || members["regret"] != nil || members["modelError"] != nil || members["promise"] != nil {
			t.Errorf("%.300s", line)
		}
		if again, err := record.DecodeRecord(line); err != nil || !bytes.Equal(record.AppendRecord(nil, again), line) {
			t.Errorf("%v: %.300s", err, line)
		}
		if r.Return < 0 || r.Return > 20*8 {
			t.Errorf("a return of %v", r.Return)
		}
	}
	for name, ask := range map[string]func() error{
		"optimum": func() error { _, err := e.Optimum(); return err },
		"random":  func() error { _, err := e.Random(0); return err },
		"edges":   func() error { _, err := e.Edges(context.Background(), 0, "c-psrl", 1, 2, "number"); return err },
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "values of policies are "+why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if e.Indifferent() {
		t.Error("all policies pay the same")
	}
	if pair, ok := e.DefaultPair(); !ok || pair != (experiment.Pair{Agent: "c-psrl", Base: "optimal"}) {
		t.Errorf("the reference is %v", pair)
	}
}

// Leaving an agent out changes no byte of the records of others, though all meet the same luck: two agents that act alike
// collect the same returns.
func TestVastLuck(t *testing.T) {
	all := small.Run(t, ringOf(t, 20, ringAgents+`,"constant:action=3"`, small.RingPlanner).Spec())
	alone := small.Run(t, ringOf(t, 20, `"f-psrl","constant:action=3"`, small.RingPlanner).Spec())
	all = slices.DeleteFunc(all, func(r *record.Record) bool { return r.Agent != "f-psrl" && r.Agent != "constant:action=3" })
	if !bytes.Equal(small.Encoded(all), small.Encoded(alone)) {
		t.Error("the records of an agent depend on others")
	}
	returns := map[string][]float64{}
	// One step ahead all actions pay the same, and the first is that of constant.
	for _, r := range small.Run(t, ringOf(t, 20, `"optimal:planner=rollout:1:1","constant","constant:action=3"`, "").Spec()) {
		returns[r.Agent] = append(returns[r.Agent], r.Return)
	}
	if does := returns["constant"]; !slices.Equal(does, returns["optimal:planner=rollout:1:1"]) || slices.Equal(does, returns["constant:action=3"]) || does[0] == does[1] && does[1] == does[2] {
		t.Error(returns)
	}
}

// Who knows the true model and searches in it collects more than who plays at random.
func TestVastReference(t *testing.T) {
	sums := map[string]float64{}
	for _, r := range small.Run(t, ringOf(t, 30, `"optimal","random"`, `,"planner":"rollout:8:5"`).Spec()) {
		sums[r.Agent] += r.Return / 6
	}
	if !(sums["optimal"] > sums["random"]+5) {
		t.Error(sums)
	}
}

// What cannot be is refused in one sentence that names the agent and what helps.
func TestVastRefused(t *testing.T) {
	const list = " plans exactly, but no list holds the states: S·A is 22020096, above 1048576; let it search: "
	for _, test := range []struct{ agents, more, want string }{
		{`"random","c-psrl"`, "", "/agents/1: C-PSRL" + list + "c-psrl:planner=uct:600:10"},
		{`"c-psrl:eta=1"`, "", "/agents/0: C-PSRL (η = 1)" + list + "c-psrl:eta=1,planner=uct:600:10"},
		{`"optimal:planner=exact"`, small.RingPlanner, "/agents/0: Optimal (planner exact)" + list + "optimal:planner=uct:600:10"},
		{`"greedy"`, `,"planner":"exact"`, "/agents/0: Greedy (ε = 0.1)" + list},
		{`"psrl"`, small.RingPlanner, "/agents/0: PSRL learns a table over all states, but no list holds them: S·A is 22020096, above 1048576; leave it out"},
		{`"f-psrl"`, `,"planner":"rollout:100000:1000"`, "/planner: an episode of 9999 steps by rollout:100000:1000 takes 2e+13 simulated steps, more than 4.3e+09"},
		{`"f-psrl:planner=rollout:100000:1000"`, "", "/agents/0: an episode"},
	} {
		long := strings.Replace(small.Ring(20, test.agents, test.more), `"horizon":8`, `"horizon":9999`, 1)
		_, err := experiment.New(small.Decode(t, long))
		if refusal, is := errors.AsType[*experiment.Refusal](err); !is || !strings.Contains(strict.Located(refusal.Err).Error(), test.want) {
			t.Errorf("%s%s: %v, want %s", test.agents, test.more, err, test.want)
		}
	}
}

// A trace says what the search of each step made of its actions, and lists no policy; an episode in short form has values, not numbers,
// of its states. Both tell the episode of the records.
func TestVastTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	e := ringOf(t, 20, ringAgents+`,"optimal:planner=rollout:3:3"`, small.RingPlanner)
	returns := map[string]float64{}
	for _, r := range small.Run(t, e.Spec()) {
		if r.Run == 1 && r.Episode == 3 {
			returns[r.Agent] = r.Return
		}
	}
	for _, agent := range e.Spec().Agents {
		trace, err := e.Trace(t.Context(), 1, agent, 3)
		if err != nil {
			t.Fatal(err)
		}
		text := record.EncodeTrace(trace)
		again, err := record.DecodeTrace(text)
		if err != nil || !bytes.Equal(record.EncodeTrace(again), text) || trace.Version != 2 || trace.Sampled.Solved != nil || trace.True.Solved != nil {
			t.Errorf("%s: %v", agent, err)
		}
		sum, searches := 0.0, 0
		for h, step := range trace.Steps {
			sum += step.Reward
			trials := 0
			for k, tried := range step.Tried {
				if trials += tried.Trials; k > 0 && tried.Value > step.Tried[k-1].Value {
					t.Errorf("%s, step %d: %+v", agent, h+1, step.Tried)
				}
			}
			if step.Tried != nil {
				searches++
				if played := step.X[20:]; agent != "greedy" && !slices.Equal(step.Tried[0].Action, played) {
					t.Errorf("%s, step %d: %v is played, and %v best", agent, h+1, played, step.Tried)
				}
				if trials > 20 && agent != "optimal:planner=rollout:3:3" {
					t.Errorf("%s, step %d: %d trials", agent, h+1, trials)
				}
			}
		}
		if blind := agent == "random" || agent == "constant"; blind != (searches == 0) || sum != returns[agent] || trace.Record.Return != sum {
			t.Errorf("%s: %d searches, a return of %v, want %v", agent, searches, sum, returns[agent])
		}
		episodes, err := e.Episodes(t.Context(), 1, agent, 3)
		if err != nil {
			t.Fatal(err)
		}
		for k, err := range episodes {
			if err != nil {
				t.Fatal(err)
			}
			read, err := record.DecodeEpisode(strict.Encode(k), trace.Space(), trace.Horizon)
			if err != nil {
				t.Fatalf("%s: %v", agent, err)
			}
			if k.Record.Episode != 3 {
				continue
			}
			for h, step := range read.Steps(trace.Space()) {
				if of := trace.Steps[h]; !slices.Equal(step.X, of.X) || !slices.Equal(step.Y, of.Y) || step.Reward != of.Reward {
					t.Errorf("%s, step %d: %v, want %v", agent, h+1, step, of)
				}
			}
		}
	}
}

// The cost of who searches grows with the trials, and that of who does not search does not.
func TestVastCost(t *testing.T) {
	cost := func(agent, planner string) float64 {
		c := ringOf(t, 20, `"`+agent+`"`, `,"planner":"`+planner+`"`).Cost()
		if !(c > 0 && c < 1e15) {
			t.Errorf("%s, %s: %v", agent, planner, c)
		}
		return c
	}
	for agent, most := range map[string]float64{"optimal": 11, "random": 1, "constant": 1, "c-psrl": 11} {
		if ratio := cost(agent, "uct:6000:10") / cost(agent, "uct:600:10"); ratio > most || most > 1 && ratio < 2 {
			t.Errorf("%s: ten times the trials cost %v as much", agent, ratio)
		}
	}
	if e := ringOf(t, 20, `"c-psrl"`, `,"planner":"uct:100000:10","episodes":1000`); e.Cost() < experiment.AutoRun {
		t.Error("a long search runs by itself")
	}
}
