package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"cpsrl/core/session"
)

// saved returns what a session saves.
func saved(t *testing.T, s *session.Session) object {
	t.Helper()
	var doc struct{ Saved object }
	if err := json.Unmarshal(s.Answer([]byte(`{"save":{}}`)), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Saved
}

// move is a transition of gridworld to the right.
func move(more object) object {
	one := object{"x": []int{0, 0, 2}, "y": []int{0, 1}, "paid": []float64{-1, 4}}
	for name, value := range more {
		one[name] = value
	}
	return one
}

// What is drawn for a message that turns out to be wrong is given back. Oracle: the session that has not got it.
func TestWrongDrawsNothing(t *testing.T) {
	s := new(session.Session)
	ask(t, s, "hello", gridworld("c-psrl", nil))
	before := saved(t, s)
	for _, wrong := range []object{{"y": []int{0, 7}}, {"paid": []float64{-1, 11}}, {"paid": []float64{-1}}, {"x": []int{0}}} {
		if reply := say(t, s, encode(object{"transitions": []object{move(nil), move(nil), move(wrong)}})); reply.Error == "" {
			t.Errorf("%v is taken", wrong)
		}
		if after := saved(t, s); !bytes.Equal(encode(after), encode(before)) {
			t.Errorf("%v: afterwards the session is %v, not %v", wrong, after, before)
		}
	}
	ask(t, s, "transitions", []object{move(nil)})
	if after := saved(t, s); after["payoffs"] == before["payoffs"] {
		t.Error("a payoff within its range draws nothing")
	}
}

// Payoffs at the ends of their range draw nothing.
func TestEndsOfRangesDrawNothing(t *testing.T) {
	s := new(session.Session)
	ask(t, s, "hello", gridworld("c-psrl", nil))
	before := saved(t, s)["payoffs"]
	for _, paid := range [][]float64{{-1, 0}, {0, 0}, {-1, 10}, {0, 10}} {
		ask(t, s, "transitions", []object{move(object{"paid": paid})})
		if after := saved(t, s)["payoffs"]; after != before {
			t.Errorf("%v: the stream of payoffs has moved", paid)
		}
	}
}

// No transition of a saved session begins where an episode has ended before, or ends where none does.
func TestSavedEnds(t *testing.T) {
	for name, hello := range map[string]object{
		"learned": gridworld("c-psrl", nil),
		"told":    gridworld("c-psrl", object{"terminal": []object{{"given": []string{"row", "col"}, "is": [][]int{{0, 1}}}}}),
	} {
		s := new(session.Session)
		ask(t, s, "hello", hello)
		ask(t, s, "transitions", []object{move(object{"ended": true}), move(nil)})
		doc := saved(t, s)
		if reply := say(t, new(session.Session), encode(object{"load": doc})); reply.Error != "" {
			t.Errorf("%s: %s", name, reply.Error)
		}
		const moves = 4
		for from, flags := range map[int][]any{1: {1, 0}, 0: {0, 1}} { // the second transition, from state 0 or 1 to state 1 or 2
			doc["x"].([]any)[1], doc["flags"] = from*moves+2, flags
			doc["y"].([]any)[1] = from + 1
			wrong := from == 1
			if from == 0 && name == "told" { // an end that the hello does not tell
				doc["y"].([]any)[1], wrong = 0, true
			}
			if reply := say(t, new(session.Session), encode(object{"load": doc})); (reply.Error != "") != wrong || wrong && (reply.At != "/load/x/1" || !strings.Contains(reply.Error, "where an episode has ended")) {
				t.Errorf("%s: from %d with %v: %q at %s", name, from, flags, reply.Error, reply.At)
			}
		}
	}
}

// An agent whose client has gone stops planning, and the session is as it was before. Oracle: the session that has not been
// asked.
func TestPlanEnds(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, label := range []string{"c-psrl", "psrl", "greedy", "greedy:epsilon=0.5", "random"} {
		one, other := new(session.Session), new(session.Session)
		for _, s := range []*session.Session{one, other} {
			ask(t, s, "hello", gridworld(label, nil))
			ask(t, s, "transitions", []object{move(nil)})
		}
		if answer := one.AnswerContext(gone, []byte(`{"episode":{}}`)); !bytes.Contains(answer, []byte(context.Canceled.Error())) {
			t.Errorf("%s: %s", label, answer)
		}
		for _, message := range []string{`{"save":{}}`, `{"episode":{"policy":true}}`} {
			if got, want := one.Answer([]byte(message)), other.Answer([]byte(message)); !bytes.Equal(got, want) {
				t.Errorf("%s, %s: %s\nwant %s", label, message, got, want)
			}
		}
	}
}
