package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/record"
	"cpsrl/core/search"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

func plannedSpec(agents, planner string) string {
	return `{"format":"cpsrl/spec","version":7,"domain":{"name":"figure1","horizon":4},"agents":[` + agents + `],"episodes":3,"runs":2,"seed":5,"planner":"` + planner + `"}`
}

func recordsOf(t *testing.T, e *Experiment) (list []string) {
	t.Helper()
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(record.AppendRecord(nil, r)))
	}
	return list
}

// Every agent that plans plays with every planner. The records are the same again, and without the other agents;
// none is better than V⋆; with the true model, the promise is the value. A trace has the table of the policy.
func TestPlanners(t *testing.T) {
	for _, planner := range []string{"uct:20:3", "rollout:4:3"} {
		agents := `"psrl","f-psrl","c-psrl","greedy","greedy:epsilon=0","optimal","random","c-psrl:planner=exact"`
		e := decoded(t, plannedSpec(agents, planner))
		list := recordsOf(t, e)
		if again := recordsOf(t, e); !slices.Equal(list, again) {
			t.Errorf("%s: the records differ", planner)
		}
		alone := recordsOf(t, decoded(t, plannedSpec(`"c-psrl"`, planner)))
		mine := slices.DeleteFunc(slices.Clone(list), func(line string) bool { return !strings.Contains(line, `"agent":"c-psrl",`) })
		if !slices.Equal(alone, mine) {
			t.Errorf("%s: the records of an agent depend on others", planner)
		}
		exact := recordsOf(t, decoded(t, strings.Replace(plannedSpec(`"c-psrl:planner=exact"`, planner), `"planner":"`+planner+`"`, `"planner":"exact"`, 1)))
		own := slices.DeleteFunc(slices.Clone(list), func(line string) bool { return !strings.Contains(line, `"c-psrl:planner=exact"`) })
		if !slices.Equal(exact, own) {
			t.Errorf("%s: an agent with a planner of its own depends on the spec's", planner)
		}
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			if r.Regret < -1e-9 || r.Agent == "optimal" && (*r.Promise != r.Value || r.Regret > .3) {
				t.Errorf("%s: %+v", planner, r)
			}
		}
		trace, err := e.Trace(t.Context(), 1, "f-psrl", 3)
		if err != nil {
			t.Fatal(err)
		}
		m := e.first.View
		for h, step := range trace.Steps {
			if x := m.Index(step.X); int(trace.Sampled.Policy[h][x/m.Actions()]) != x%m.Actions() {
				t.Errorf("%s: step %d is not of the policy", planner, h+1)
			}
		}
	}
}

// With four times the trials, a search in the true model loses less, and in the end less than a thousandth of V⋆. Oracle: the exact regret of its policies, over 20 runs of one seed.
func TestPlannersConverge(t *testing.T) {
	const runs = 20
	s := strings.Replace(plannedSpec(`"optimal"`, "uct:4:4"), `"episodes":3,"runs":2`, fmt.Sprintf(`"episodes":1,"runs":%d`, runs), 1)
	last := math.Inf(1)
	for _, trials := range []int{4, 16, 64, 256, 1024, 4096} {
		regret, best := 0.0, 0.0
		for r, err := range decoded(t, strings.Replace(s, "uct:4:4", fmt.Sprintf("uct:%d:4", trials), 1)).Run() {
			if err != nil {
				t.Fatal(err)
			}
			regret, best = regret+r.Regret/runs, r.Optimal
		}
		if regret >= last {
			t.Errorf("%d trials: a regret of %v, with a quarter of them %v", trials, regret, last)
		}
		if last = regret; trials == 4096 && last > best/1000 {
			t.Errorf("a regret of %v is left of %v", last, best)
		}
	}
}

// What cannot be planned is refused in one sentence, with the place.
func TestPlannersRefused(t *testing.T) {
	for text, want := range map[string]string{
		plannedSpec(`"c-psrl"`, "mcts"):                                  `/planner: "mcts" is unknown; it must be one of exact, rollout:TRIALS:DEPTH, uct:TRIALS:DEPTH`,
		plannedSpec(`"c-psrl"`, "uct:0:10"):                              "/planner: the trials of uct must be from 1 to 100000",
		plannedSpec(`"c-psrl"`, "uct:600:1000000000"):                    "/planner: the depth of uct must be from 1 to 1000",
		plannedSpec(`"c-psrl","c-psrl:planner=uct:1000000000:1"`, ""):    "/agents/1: the planner of",
		plannedSpec(`"random:planner=uct"`, ""):                          "/agents/0: ",
		strings.Replace(plannedSpec(`"c-psrl"`, "uct"), ":7,", ":6,", 1): "/planner: this is for version 7",
		strings.Replace(plannedSpec(`"optimal:planner=uct:100000:1000"`, "exact"), `"name":"figure1"`, `"name":"sysadmin"`, 1): "/agents/0: the value of a policy of uct:100000:1000 takes a decision in each of 1024 states at 4 steps",
		strings.Replace(plannedSpec(`"optimal"`, "rollout:100000:1000"), `"name":"figure1"`, `"name":"sysadmin"`, 1):           "/planner: the value of a policy of rollout:100000:1000",
	} {
		text = strings.Replace(text, `,"planner":""`, "", 1)
		s, err := spec.Decode([]byte(text))
		if err == nil {
			_, err = New(s)
		}
		if err == nil || !strings.Contains(strict.Located(err).Error(), want) && !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// first is a planner from outside: it plays action 0.
type first struct{ task *agent.Task }

func (f *first) Plan(context.Context, *agent.Draws, *agent.Model) (agent.Policy, error) {
	return f, nil
}
func (f *first) Horizon() int                                 { return f.task.Horizon }
func (f *first) Act(context.Context, int, []int) (int, error) { return 0, nil }

// A planner that is registered from outside is a word of specs and labels. Oracle: the agent that always plays action 0.
func TestPlannerFromOutside(t *testing.T) {
	defer search.Register(&search.Kind{
		Key: "first", Label: "the first action",
		New: func(t *agent.Task, _ search.Budget) (agent.Planner, error) { return &first{t}, nil },
	})()
	value := map[string]float64{}
	for r, err := range decoded(t, plannedSpec(`"constant","c-psrl","optimal:planner=first","psrl:planner=rollout:2:2"`, "first")).Run() {
		if err != nil {
			t.Fatal(err)
		}
		value[r.Agent] = r.Value
	}
	if want := value["constant"]; value["c-psrl"] != want || value["optimal:planner=first"] != want || value["psrl:planner=rollout:2:2"] == want {
		t.Errorf("%v", value)
	}
}
