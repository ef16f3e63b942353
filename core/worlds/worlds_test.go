package worlds_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/jobs"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/session"
	"cpsrl/core/spec"
	"cpsrl/core/worlds"
	"cpsrl/internal/small"
)

type object = map[string]any

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// told is an answer of a world.
type told struct {
	Error, At string
	Ready     *struct {
		World, Title, Link, Regret                         string
		State, Action                                      []struct{ Name string }
		Horizon, States, Actions, FirstRun, Runs, Episodes int
		Learned, Table                                     bool
	}
	Task    json.RawMessage
	Episode *struct {
		Run, Number int
		State       []int
		Over        bool
	}
	Step *struct {
		State       []int
		Reward      float64
		Paid        []float64
		Ended, Over bool
	}
	Scored *struct {
		Record    results.ForeignRecord
		Return    float64
		Optimal   *float64
		Value     *float64
		Reference *float64
	}
}

func say(t testing.TB, s *worlds.Session, line []byte) (reply told) {
	t.Helper()
	data := s.Answer(line)
	if err := json.Unmarshal(data, &reply); err != nil || bytes.Count(data, []byte("\n")) != 1 || data[len(data)-1] != '\n' {
		t.Fatalf("%.200s → %q: %v", line, data, err)
	}
	return reply
}

// ask sends a message, which must not be refused.
func ask(t testing.TB, s *worlds.Session, name string, value any) told {
	t.Helper()
	reply := say(t, s, encode(object{name: value}))
	if reply.Error != "" {
		t.Fatalf("%s: %s %s", name, reply.At, reply.Error)
	}
	return reply
}

// lent is one of our agents, which is led from outside.
type lent struct {
	session.Session
	t testing.TB
}

func (l *lent) ask(name string, value any) (reply struct {
	Error   string
	Ready   struct{ Table bool }
	Episode struct {
		Policy [][]int32
		Rules  int
	}
	Action []int
}) {
	l.t.Helper()
	data := l.Answer(encode(object{name: value}))
	if err := json.Unmarshal(data, &reply); err != nil || reply.Error != "" {
		l.t.Fatalf("%s: %.300s, %v", name, data, err)
	}
	return reply
}

func decode(t testing.TB, text string) *spec.Spec {
	t.Helper()
	sp, err := spec.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// lead lets one of our agents play a run of an experiment from outside, and returns the scores. Where it has no table but the
// world takes one, it is asked what it would do in each state.
func lead(t testing.TB, e *experiment.Experiment, run int, label string) (list []told) {
	t.Helper()
	in, err := e.Instance(run)
	if err != nil {
		t.Fatal(err)
	}
	m, w, a := in.View, new(worlds.Session), &lent{t: t}
	ready := ask(t, w, "hello", object{"format": worlds.Format, "version": 1, "spec": json.RawMessage(spec.Encode(e.Spec())), "label": label}).Ready
	begun := ask(t, w, "reset", object{"run": run}).Episode
	hello := object{}
	if err := json.Unmarshal(ask(t, w, "task", object{"graph": true}).Task, &hello); err != nil {
		t.Fatal(err)
	}
	hello["agent"] = label
	tabled := a.ask("hello", hello).Ready.Table
	for k := 1; ; k++ {
		if begun.Run != run || begun.Number != k {
			t.Fatalf("%+v", begun)
		}
		episode := a.ask("episode", object{"policy": tabled}).Episode
		steps, state, over := []object{}, begun.State, begun.Over
		for h := 1; !over; h++ {
			action := a.ask("act", object{"h": h, "state": state}).Action
			s := ask(t, w, "step", object{"action": action}).Step
			one := object{"x": append(slices.Clone(state), action...), "y": s.State, "ended": s.Ended}
			if s.Paid != nil {
				one["paid"] = s.Paid
			}
			steps, state, over = append(steps, one), s.State, s.Over
		}
		policy := object{"played": true}
		switch {
		case ready.Table && tabled:
			policy = object{"table": episode.Policy[m.Horizon-episode.Rules:]}
		case ready.Table:
			policy = object{"table": answers(a, m)}
		}
		list = append(list, ask(t, w, "policy", policy))
		if a.ask("transitions", steps); k == ready.Episodes {
			return list
		}
		begun = ask(t, w, "reset", object{}).Episode
	}
}

// answers asks an agent what it would do at each step in each state.
func answers(a *lent, m *fmdp.Model) (table [][]int32) {
	for h := 1; h <= m.Horizon; h++ {
		rule := make([]int32, m.States())
		for k := range rule {
			rule[k] = int32(m.ActionOf(a.ask("act", object{"h": h, "state": m.Point(make([]int, m.Y()), k)}).Action))
		}
		table = append(table, rule)
	}
	return table
}

// ended has payoffs of every kind, some hidden, and an end; restricted has actions that are legal by state.
const (
	ended = `{"format":"cpsrl/model","version":2,"horizon":6,"state":[{"name":"a","size":2},{"name":"b","size":3}],"action":[{"name":"c","size":2}],
"initial":[{"state":[0,0],"p":1}],"transition":[{"of":"b","given":["c","a"],"p":[[0.5,0.25,0.25],[0.3,0.3,0.4],[0.1,0.2,0.7],[1,0,0]]},{"of":"a","given":["b"],"p":[[1,0],[0.5,0.5],[0.25,0.75]]}],
"reward":[{"given":["a","c"],"mean":[0,-3,5,0.25],"kind":"fixed","range":[-5,5]},{"of":"a","given":["b"],"mean":[0.1,0.2,0.9],"kind":"bernoulli","scale":2},
{"given":["b"],"mean":[0,1,7],"kind":"fixed","range":[0,8],"scope":"hidden","name":"bonus"},{"given":["b'"],"mean":[0.5,0.25,1],"kind":"fixed"}],
"terminal":[{"given":["a","b"],"is":[[1,2]]}]}`
	restricted = `{"format":"cpsrl/model","version":4,"horizon":5,"state":[{"name":"a","size":2},{"name":"b","size":3}],"action":[{"name":"c","size":2},{"name":"d","size":2}],
"legal":{"formula":"c = 0 or b > 0 and d = 0"},"initial":[{"state":[0,0],"p":1}],"transition":[{"of":"b","given":["c","a"],"p":[[0.5,0.25,0.25],[0.3,0.3,0.4],[0.1,0.2,0.7],[1,0,0]],"known":true},
{"of":"a","given":["b","d"],"p":[[1,0],[0.5,0.5],[0.25,0.75],[0.1,0.9],[0.6,0.4],[0.8,0.2]]}],
"reward":[{"given":["b","d"],"mean":[0,1,0.5,0.25,0.1,0.7],"kind":"bernoulli"}]}`
)

// Oracle: the records of an experiment, by one worker and by four. One of our agents that is led from outside has them again,
// bit for bit: the exact regret, or where no list holds the states the return. There the reference is the record of optimal.
func TestExperiments(t *testing.T) {
	specs := small.All(t)
	for name, text := range map[string]string{
		"ended, learned": `"domain":{"name":"model","model":` + ended + `},"rewards":"learned","sparseness":2,"prior":{"edges":[["a","a",0.9],["c","bonus",0.7]]},"episodes":8,"seed":4,"agents":["c-psrl","f-psrl","psrl","greedy","random"]`,
		"ended, known":   `"domain":{"name":"model","model":` + ended + `},"rewards":"known","sparseness":2,"episodes":8,"runs":2,"agents":["c-psrl","psrl"]`,
		"restricted":     `"domain":{"name":"model","model":` + restricted + `},"sparseness":3,"priors":{"mine":{"edges":[["b","a"]]}},"episodes":8,"agents":["c-psrl","c-psrl:prior=mine","psrl","random"]`,
		"searching":      `"domain":{"name":"figure1","horizon":3},"episodes":3,"runs":1,"seed":4,"agents":["c-psrl:planner=uct:20:3"]`,
		"long":           `"domain":{"name":"taxi","grid":"3x3","horizon":3000},"episodes":2,"runs":1,"seed":2,"agents":["c-psrl","psrl"]`,
	} {
		specs[name] = decode(t, `{"format":"cpsrl/spec","version":7,`+text+`}`)
	}
	specs["vast"] = decode(t, small.Ring(20, `"c-psrl:planner=uct:20:4","f-psrl:planner=uct:20:4","optimal"`, small.RingPlanner))
	for name, sp := range specs {
		t.Run(name, func(t *testing.T) {
			e := small.Ready(t, sp)
			type key struct {
				run, episode int
				agent        string
			}
			var all []map[key]*record.Record
			for _, workers := range []int{1, 4} {
				records := map[key]*record.Record{}
				for line, err := range jobs.Lines(t.Context(), jobs.Of(e), workers, 1<<20, func() {}) {
					if err != nil {
						t.Fatal(err)
					}
					for line := range bytes.Lines(line.Bytes) {
						r, err := record.DecodeRecord(bytes.TrimSpace(line))
						if err != nil {
							t.Fatal(err)
						}
						records[key{r.Run, r.Episode, r.Agent}] = r
					}
				}
				all = append(all, records)
			}
			played := 0
			for _, of := range e.Arms() {
				if slices.Contains(of.Needs(), arm.Revealed) || slices.Contains(of.Needs(), arm.TrueModel) {
					continue // what nobody outside is told
				}
				for run := e.Spec().FirstRun; run < e.Spec().FirstRun+min(2, e.Spec().Runs); run++ {
					for _, got := range lead(t, e, run, of.Label()) {
						for _, records := range all {
							r, want := got.Scored.Record, records[key{run, got.Scored.Record.Episode, of.Label()}]
							played++
							switch optimal := records[key{run, r.Episode, "optimal"}]; {
							case got.Scored.Return != want.Return || r.Label != of.Label() || r.World != e.World():
								t.Fatalf("%+v, want %+v", got.Scored, want)
							case want.Valued != nil && (r.Regret == nil || *r.Regret != want.Regret || *got.Scored.Optimal != want.Optimal || *got.Scored.Value != want.Value):
								t.Fatalf("%+v, want %+v", got.Scored, want.Valued)
							case want.Valued == nil && (r.Regret != nil || *r.Return != want.Return || *got.Scored.Reference != optimal.Return):
								t.Fatalf("%+v, want %+v and a reference of %v", got.Scored, want, optimal.Return)
							}
						}
					}
				}
			}
			if played == 0 {
				t.Error("nothing was played")
			}
		})
	}
}

// Oracle: V(π) by recursion over the paths of the model, step by step. A foreign agent's regret is exact, also if its table has
// few rows, and the return is what its steps were paid.
func TestValue(t *testing.T) {
	sp := decode(t, `{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":`+restricted+`},"sparseness":3,"episodes":4,"runs":1}`)
	e := small.Ready(t, sp)
	in, err := e.Instance(0)
	if err != nil {
		t.Fatal(err)
	}
	m := in.View
	var w worlds.Session
	ask(t, &w, "hello", object{"format": worlds.Format, "version": 1, "spec": json.RawMessage(spec.Encode(sp)), "label": "q"})
	for k := range 4 {
		table := make([][]int, []int{m.Horizon, 1, 3, 5}[k])
		for h := range table {
			for s := range m.States() {
				legal := m.Choices(m.Point(make([]int, m.Y()), s))
				table[h] = append(table[h], int(legal[(3*h+s+k)%len(legal)]))
			}
		}
		act := func(h int, state []int) int { return table[max(0, len(table)-(m.Horizon-h+1))][m.Index(state)] }
		var value func(h int, state []int) float64
		value = func(h int, state []int) float64 {
			if h > m.Horizon {
				return 0
			}
			x := append(slices.Clone(state), m.JointAction(make([]int, len(m.Action)), act(h, state))...)
			sum := 0.0
			for f := range m.Reward {
				sum += m.Reward[f].Scale * m.Reward[f].Mean[m.Row(m.Reward[f].Given, x)]
			}
			for next := range m.States() {
				y, p := m.Point(make([]int, m.Y()), next), 1.0
				for j := range y {
					p *= m.Transition[j].Row(m.Row(m.Transition[j].Given, x))[y[j]]
				}
				if p > 0 {
					sum += p * value(h+1, y)
				}
			}
			return sum
		}
		state, sum := ask(t, &w, "reset", object{}).Episode.State, 0.0
		for h := 1; h <= m.Horizon; h++ {
			s := ask(t, &w, "step", object{"action": m.JointAction(make([]int, len(m.Action)), act(h, state))}).Step
			state, sum = s.State, sum+s.Reward
		}
		got := ask(t, &w, "policy", object{"table": table}).Scored
		want := value(1, make([]int, m.Y()))
		optimal, err := e.Optimum()
		if err != nil || math.Abs(*got.Value-want) > 1e-12 || *got.Optimal != optimal || *got.Record.Regret != optimal-*got.Value || got.Return != sum {
			t.Errorf("%+v: value %v, want %v; %v", got, *got.Value, want, err)
		}
	}
}

// The fingerprint of a world is that of what a guest meets.
func TestFingerprint(t *testing.T) {
	of := func(domain, rest string) string {
		return small.Ready(t, decode(t, `{"format":"cpsrl/spec","version":7,"domain":`+domain+rest+`}`)).World()
	}
	const taxi = `{"name":"taxi","grid":"3x3"}`
	same := of(taxi, "")
	for _, rest := range []string{`,"agents":["psrl"],"episodes":3,"runs":2`, `,"dirichlet":0.5,"tables":"tied","update":"printed"`, `,"prior":{"edges":[]}`, `,"priors":{"mine":{"edges":[]}}`, `,"planner":"uct:20:4","agents":["c-psrl"]`, `,"firstRun":1,"runs":1`} {
		if got := of(taxi, rest); got != same {
			t.Errorf("%s: %s, want %s", rest, got, same)
		}
	}
	for _, rest := range []string{`,"seed":2`, `,"sparseness":4`} {
		if of(taxi, rest) == same {
			t.Errorf("%s is the same world", rest)
		}
	}
	if of(`{"name":"taxi","grid":"3x3","horizon":7}`, "") == same || !strings.HasPrefix(same, "2-") || len(same) != 18 {
		t.Error(same)
	}
}

// Each wrong message is answered by one sentence at its place, and changes nothing.
func TestWrong(t *testing.T) {
	hello := `{"hello":{"format":"cpsrl/world","version":1,"label":"q","spec":{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":` + strings.ReplaceAll(restricted, "\n", "") + `},"sparseness":3,"episodes":2,"runs":2,"agents":["c-psrl"]}}}`
	table := `[[` + strings.Repeat("0,", 5) + `0]]`
	vast := `{"hello":{"format":"cpsrl/world","version":1,"label":"q","spec":` + small.Ring(20, `"random"`, small.RingPlanner) + `}}`
	for _, c := range []struct{ before, line, at, says string }{
		{"", `{"reset":{}}`, "/reset", "no world yet; a hello comes first"},
		{"", `{"go":{}}`, "/go", "it must be one of hello, policy, reset, step, task"},
		{"", `[]`, "", "expected an object"},
		{"", `{"hello":{"format":"cpsrl/world","version":1,"label":"q"}}`, "/hello", "by preset, spec, link or model"},
		{"", `{"hello":{"format":"cpsrl/world","version":1,"label":"q","preset":"fig1-quick","link":"#"}}`, "/hello/link", "named by preset already"},
		{"", `{"hello":{"format":"cpsrl/world","version":1,"label":"q","preset":"fig9"}}`, "/hello/preset", `no preset "fig9"`},
		{"", `{"hello":{"format":"cpsrl/world","version":1,"label":"q","link":"#v=x"}}`, "/hello/link", `version "x"`},
		{"", `{"hello":{"format":"cpsrl/world","version":1,"label":"q","model":{"format":"cpsrl/model","version":9}}}`, "/hello/model/version", ""},
		{"", `{"hello":{"format":"cpsrl/world","version":1,"label":"q","spec":{"format":"cpsrl/spec","version":7,"domain":{"name":"taxi","grid":"9x9"}}}}`, "/hello/spec/domain/grid", ""},
		{"", `{"hello":{"format":"cpsrl/world","version":1,"label":"","preset":"fig1-quick"}}`, "/hello/label", "empty"},
		{"", `{"hello":{"format":"cpsrl/world","version":2,"label":"q","preset":"fig1-quick"}}`, "/hello/version", ""},
		{hello, `{"step":{"action":[0,0]}}`, "/step", "a reset begins one"},
		{hello, `{"policy":{"played":true}}`, "/policy", "a reset begins one"},
		{hello, `{"reset":{"run":2}}`, "/reset/run", "runs are 0 to 1"},
		{hello, `{"reset":{"run":-1}}`, "/reset/run", "runs are 0 to 1"},
		{hello + "\n" + `{"reset":{}}`, `{"step":{"action":[0]}}`, "/step/action", "1 value for 2 action variables"},
		{hello + "\n" + `{"reset":{}}`, `{"step":{"action":[0,2]}}`, "/step/action/1", `"d" has no value 2`},
		{hello + "\n" + `{"reset":{}}`, `{"step":{"action":[1,1]}}`, "/step/action", "not legal"},
		{hello + "\n" + `{"reset":{}}`, `{"step":{"action":[1,0]}}`, "/step/action", "not legal in this state"},
		{hello + "\n" + `{"reset":{}}`, `{"reset":{}}`, "/reset", `episode 1 of run 0 is not over; "leave" leaves it`},
		{hello + "\n" + `{"reset":{}}` + "\n" + `{"reset":{"leave":true}}`, `{"reset":{}}`, "/reset", "episode 2 of run 0 is not over"},
		{hello + "\n" + `{"reset":{}}`, `{"policy":{"played":true}}`, "/policy", "is not over"},
		{played(hello), `{"reset":{}}`, "/reset", "has no policy yet"},
		{played(hello), `{"step":{"action":[0,0]}}`, "/step", "episode 1 of run 0 is over"},
		{played(hello), `{"policy":{}}`, "/policy", "one of the two"},
		{played(hello), `{"policy":{"played":true,"table":` + table + `}}`, "/policy", "one of the two"},
		{played(hello), `{"policy":{"table":[]}}`, "/policy/table", "0 rows; there is one for each of the 5 steps"},
		{played(hello), `{"policy":{"table":[[0]]}}`, "/policy/table/0", "1 action for 6 states"},
		{played(hello), `{"policy":{"table":` + strings.Replace(table, "0", "3", 1) + `}}`, "/policy/table/0/0", "no action 3; actions are 0 to 2"},
		{played(hello), `{"policy":{"table":` + strings.Replace(table, "0", "2", 1) + `}}`, "/policy/table/0/0", "not legal in this state"},
		{played(hello), `{"policy":{"table":` + strings.Replace(table, "0", "1", 1) + `}}`, "/policy/table/0/0", "plays 1 here, but at step 1 the episode played 0"},
		{played(hello), `{"policy":{"table":` + table + `,"reference":false}}`, "/policy/reference", "needs no reference"},
		{played(hello) + "\n" + `{"policy":{"played":true}}`, `{"policy":{"played":true}}`, "/policy", "scored already"},
		{played(played(hello)+"\n"+`{"policy":{"played":true}}`) + "\n" + `{"policy":{"table":` + table + `}}`, `{"reset":{}}`, "/reset", "run 0 has had its 2 episodes"},
		{played(vast), `{"policy":{"table":[[0]]}}`, "/policy/table", "S·A is 22020096, above 1048576; say that the policy is what was played"},
	} {
		var s worlds.Session
		for line := range strings.SplitSeq(c.before, "\n") {
			if line == "" {
				continue
			}
			reply := say(t, &s, []byte(line))
			if reply.Error != "" {
				t.Fatalf("%s: %s", line, reply.Error)
			}
		}
		reply := say(t, &s, []byte(c.line))
		if reply.At != c.at || reply.Error == "" || !strings.Contains(reply.Error, c.says) {
			t.Errorf("%s: %q at %q, want %q at %q", c.line, reply.Error, reply.At, c.says, c.at)
		}
		// It changes nothing: what comes next is what would have come.
		var other worlds.Session
		for line := range strings.SplitSeq(c.before, "\n") {
			other.Answer([]byte(line))
		}
		for _, next := range []string{`{"task":{}}`, `{"step":{"action":[0,0]}}`, `{"policy":{"played":true}}`, `{"reset":{}}`, `{"step":{"action":[0,0]}}`} {
			if got, want := s.Answer([]byte(next)), other.Answer([]byte(next)); !bytes.Equal(got, want) {
				t.Errorf("after %s, %s is answered by %s, not %s", c.line, next, got, want)
			}
		}
	}
}

// played returns messages and an episode of the first actions.
func played(before string) string {
	steps, action := 5, "[0,0]"
	if strings.Contains(before, `"restart"`) {
		steps, action = 8, "[0]"
	}
	return before + "\n" + `{"reset":{}}` + strings.Repeat("\n"+`{"step":{"action":`+action+`}}`, steps)
}

// A task is a hello to one of our agents, in the words and the version of package session.
func TestTaskIsHello(t *testing.T) {
	var w worlds.Session
	ask(t, &w, "hello", object{"format": worlds.Format, "version": worlds.Version, "label": "q", "preset": "fig1-quick"})
	task := ask(t, &w, "task", object{"graph": true}).Task
	var heading struct {
		Format  string
		Version int
	}
	if err := json.Unmarshal(task, &heading); err != nil || heading.Format != session.Format || heading.Version != session.Version {
		t.Errorf("a task begins with %+v, a hello with %s, version %d", heading, session.Format, session.Version)
	}
	var a session.Session
	if answer := a.Answer(encode(object{"hello": task})); !bytes.HasPrefix(answer, []byte(`{"ready":`)) {
		t.Errorf("the task is answered by %s", answer)
	}
}

// A session stops when its client goes away: while it solves a problem, and while the reference plans.
func TestGone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var s worlds.Session
	line := encode(object{"hello": object{"format": worlds.Format, "version": 1, "label": "q", "preset": "fig1-quick"}})
	if got := s.AnswerContext(ctx, line); !bytes.Contains(got, []byte("context canceled")) {
		t.Errorf("%s", got)
	}
	if reply := say(t, &s, encode(object{"task": object{}})); !strings.Contains(reply.Error, "no world yet") {
		t.Errorf("after that, the session has a world: %+v", reply)
	}
	var vast worlds.Session
	var last told
	for line := range strings.SplitSeq(played(`{"hello":{"format":"cpsrl/world","version":1,"label":"q","spec":`+small.Ring(20, `"random"`, small.RingPlanner)+`}}`), "\n") {
		if last = say(t, &vast, []byte(line)); last.Error != "" {
			t.Fatal(last.Error)
		}
	}
	if last.Step == nil || !last.Step.Over {
		t.Fatalf("the episode is not over: %+v", last)
	}
	if got := vast.AnswerContext(ctx, []byte(`{"policy":{"played":true}}`)); !bytes.Contains(got, []byte("context canceled")) {
		t.Errorf("%s", got)
	}
	if got := ask(t, &vast, "policy", object{"played": true}).Scored; got.Reference == nil {
		t.Error("after that, there is no reference")
	}
}

// FuzzSession sends any lines. A session never panics, and answers each by one line.
func FuzzSession(f *testing.F) {
	hello := `{"hello":{"format":"cpsrl/world","version":1,"label":"q","spec":{"format":"cpsrl/spec","version":7,"domain":{"name":"figure1","horizon":2},"episodes":2,"runs":1}}}`
	f.Add(hello + "\n" + `{"reset":{}}` + "\n" + `{"step":{"action":[0,0]}}` + "\n" + `{"task":{"graph":true}}`)
	f.Add(hello + "\n" + `{"reset":{"run":0}}` + "\n" + `{"policy":{"table":[[0]],"played":true,"reference":true}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 || strings.Contains(text, "model") {
			t.Skip()
		}
		var s worlds.Session
		for line := range strings.SplitSeq(text, "\n") {
			if data := s.Answer([]byte(line)); !json.Valid(data) || bytes.Count(data, []byte("\n")) != 1 {
				t.Fatalf("%q → %q", line, data)
			}
		}
	})
}
