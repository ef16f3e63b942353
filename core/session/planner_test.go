package session_test

import (
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/session"
	"cpsrl/internal/small"
)

// An agent that searches has no table, and says so. It acts as in an experiment, and after it was saved as before.
// Oracle: the trace of the experiment's agent.
func TestPlanner(t *testing.T) {
	const label = "c-psrl:planner=uct:20:3"
	e := small.Ready(t, decode(t, `{"format":"cpsrl/spec","version":7,"domain":{"name":"figure1","horizon":3},"agents":["`+label+`"],"episodes":3,"runs":1,"seed":4}`))
	in, err := e.Instance(0)
	if err != nil {
		t.Fatal(err)
	}
	s := new(session.Session)
	ask(t, s, "hello", helloOf(in, e.Spec(), label))
	if reply := say(t, s, encode(object{"episode": object{"policy": true}})); reply.Error == "" || reply.At != "/episode/policy" {
		t.Errorf("a table: %+v", reply)
	}
	world := agent.NewSimulation(in.World, posterior.NewNamedStream(4, 0, label+" world").Rand)
	m := in.View
	acted := func(s *session.Session, trace *record.Trace) {
		t.Helper()
		for h := range m.Horizon {
			for state := range m.States() {
				values := m.Point(make([]int, m.Y()), state)
				got := ask(t, s, "act", object{"h": h + 1, "state": values}).Action
				if want := m.JointAction(make([]int, len(m.Action)), int(trace.Sampled.Policy[h][state])); len(got) != len(want) || got[0] != want[0] {
					t.Fatalf("episode %d, step %d, state %v: %v, want %v", trace.Episode, h+1, values, got, want)
				}
			}
		}
	}
	for k := 1; k <= 3; k++ {
		trace, err := e.Trace(t.Context(), 0, label, k)
		if err != nil {
			t.Fatal(err)
		}
		ask(t, s, "episode", object{})
		acted(s, trace)
		other := new(session.Session)
		ask(t, other, "load", saved(t, s))
		acted(other, trace)
		steps, err := world.Play(t.Context(), agent.NewTable(&m.Space, policyOf(trace.Sampled.Policy), nil))
		if err != nil {
			t.Fatal(err)
		}
		ask(t, s, "transitions", stepsOf(steps, m.Reward, false))
	}
}
