package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/session"
)

// machines is a hello of a ring of n machines, one of which may be restarted in a step. No list holds the states of 30.
func machines(n int, label string, more object) object {
	var state []object
	var edges [][2]string
	var payoffs []object
	for i := range n {
		name := fmt.Sprint("m", i)
		state = append(state, object{"name": name, "size": 2})
		edges = append(edges, [2]string{"restart", name}, [2]string{name, name})
		payoffs = append(payoffs, object{"given": []string{name}, "mean": []float64{0, 1}})
		if len(payoffs) > session.MaxPayoffs {
			payoffs = payoffs[:session.MaxPayoffs]
		}
	}
	hello := object{
		"format": session.Format, "version": session.Version, "horizon": 20, "agent": label, "seed": 3, "run": 1,
		"state": state, "action": []object{{"name": "restart", "size": n + 1}}, "reward": payoffs,
		"prior": object{"sparseness": 3, "edges": edges},
	}
	for name, value := range more {
		hello[name] = value
	}
	return hello
}

// driven returns a step of the ring from a state, which it changes. It restarts machines at random.
func driven(rng *rand.Rand, state []int) document.Transition {
	n := len(state)
	t := document.Transition{X: append(slices.Clone(state), rng.IntN(n+1)), Y: make([]int, n)}
	for i := range n {
		switch p := .9 - .5*float64(1-state[(i+n-1)%n]); {
		case t.X[n] == i+1, state[i] == 1 && rng.Float64() < p, state[i] == 0 && rng.Float64() < .1:
			t.Y[i] = 1
		}
	}
	copy(state, t.Y)
	return t
}

const beyond = 30

// An agent believes what a belief that was fed by hand does, bit for bit, and it samples from it. Oracle: package posterior.
func TestBeyondBelief(t *testing.T) {
	s := new(session.Session)
	if ready := ask(t, s, "hello", machines(beyond, "c-psrl", nil)).Ready; ready.States != 1<<beyond || ready.Table {
		t.Errorf("ready: %+v", ready)
	}
	space := &fmdp.Space{Action: []fmdp.Variable{{Name: "restart", Size: beyond + 1}}}
	for i := range beyond {
		space.State = append(space.State, fmdp.Variable{Name: fmt.Sprint("m", i), Size: 2})
	}
	prior := &bigraph.Prior{X: beyond + 1, Sparseness: 3}
	for j := range beyond {
		prior.Known = append(prior.Known, bigraph.Of(j, beyond))
	}
	var locals []*posterior.Local
	for j := range beyond {
		sets, err := prior.Enumerate(j)
		if err != nil {
			t.Fatal(err)
		}
		locals = append(locals, posterior.NewLocal(space, j, sets, nil, posterior.Law{Update: posterior.Exact}))
	}
	rng, state := rand.New(rand.NewPCG(1, 2)), make([]int, beyond)
	var got told
	for range 12 {
		var steps []posterior.Step
		var sent []document.Transition
		for range 25 {
			one := driven(rng, state)
			sent, steps = append(sent, one), append(steps, posterior.Step{Point: one.X, Next: one.Y})
		}
		got = ask(t, s, "transitions", sent)
		for _, local := range locals {
			local.Observe(steps)
		}
	}
	at := 0
	for j, local := range locals {
		probabilities := local.Probabilities(make([]float64, len(local.Sets())))
		for i, p := range local.Edges(make([]float64, beyond+1), probabilities) {
			if e := got.Belief.Edges[at]; e.From != space.Var(i).Name || e.To != space.State[j].Name || e.P != p {
				t.Fatalf("edge %d is %+v; from %d to %d there is one with %v", at, e, i, j, p)
			}
			at++
		}
	}
	if at != len(got.Belief.Edges) {
		t.Errorf("%d edges, not %d", len(got.Belief.Edges), at)
	}
	// The sampled model, by hand from the stream of the agent.
	stream := posterior.NewNamedStream(3, 1, "c-psrl belief")
	var sampled struct {
		Episode struct {
			Graph [][2]string
			Model struct {
				Transition []struct {
					Of    string
					Given []string
					P     [][]float64
				}
				Reward []struct {
					Given []string
					Mean  []float64
				}
			}
		}
	}
	if err := json.Unmarshal(s.Answer([]byte(`{"episode":{"model":true}}`)), &sampled); err != nil {
		t.Fatal(err)
	}
	model := sampled.Episode.Model
	edges := 0
	for j, local := range locals {
		set := local.SampleSet(stream.Rand)
		factor := local.SampleFactor(stream.Rand, set, nil)
		f := model.Transition[j]
		if f.Of != space.State[j].Name || !slices.Equal(f.Given, space.Names(factor.Given)) || !slices.Equal(slices.Concat(f.P...), factor.P) {
			t.Fatalf("the law of %d is %+v, not %+v", j, f, factor)
		}
		edges += len(f.Given)
	}
	if len(sampled.Episode.Graph) != edges || len(model.Reward) != session.MaxPayoffs || !slices.Equal(model.Reward[3].Mean, []float64{0, 1}) || model.Reward[3].Given[0] != "m3" {
		t.Errorf("%d edges, not %d; the rewards are %v", len(sampled.Episode.Graph), edges, model.Reward)
	}
	if reply := say(t, s, encode(object{"act": object{"h": 1, "state": state}})); reply.At != "/act" || !strings.Contains(reply.Error, "begun with its model only") {
		t.Errorf("act: %+v", reply)
	}
	for line, want := range map[string]string{
		`{"episode":{}}`:                           `/episode: 33285996544 state-action pairs (S·A), more than 1048576; agents that search do without lists (planner=uct), and {"episode":{"model":true}} does not plan`,
		`{"episode":{"policy":true}}`:              `/episode/policy: a table of 1073741824 states over 20 steps has more than 131072 entries; ask for actions by act`,
		`{"episode":{"policy":true,"model":true}}`: `/episode/policy: a model is asked for, in which the agent does not plan; ask for one of the two`,
		`{"episode":{"model":1}}`:                  ``,
	} {
		if reply := say(t, s, []byte(line)); reply.Error == "" || want != "" && reply.At+": "+reply.Error != want {
			t.Errorf("%s: %+v", line, reply)
		}
	}
}

// A session goes on from what was saved as if nothing had been, whether its agent searches or gives its model only.
func TestBeyondKept(t *testing.T) {
	for _, label := range []string{"c-psrl:planner=uct:20:4", "c-psrl:planner=rollout:40:3", "c-psrl"} {
		for _, more := range []object{nil, {"terminal": []object{{"given": []string{"m0", "m1", "m2"}, "is": [][]int{{1, 0, 1}}}}}} {
			var s, other *session.Session = new(session.Session), nil
			ask(t, s, "hello", machines(beyond, label, more))
			rng, state := rand.New(rand.NewPCG(1, 2)), make([]int, beyond)
			both := func(line []byte) {
				t.Helper()
				if want := s.Answer(line); other != nil {
					if got := other.Answer(line); !bytes.Equal(got, want) {
						t.Fatalf("%s: %.200s: %.300s, not %.300s", label, line, got, want)
					}
				}
			}
			for k := range 6 {
				asked := object{}
				if label == "c-psrl" || k%2 == 1 {
					asked["model"] = true
				}
				both(encode(object{"episode": asked}))
				for h := range 2 {
					if label != "c-psrl" {
						if reply := ask(t, s, "act", object{"h": h + 1, "state": state}); len(reply.Action) != 1 && !slices.Equal(state[:3], []int{1, 0, 1}) {
							t.Fatalf("no action: %+v", reply)
						}
						both(encode(object{"act": object{"h": h + 1, "state": state}}))
					}
					one := driven(rng, state)
					both(encode(object{"transitions": []object{{"x": one.X, "y": one.Y, "ended": h == 1 && k == 2 && more == nil}}}))
					if h == 1 && k == 2 && more == nil { // where an episode has ended, none goes on
						both(encode(object{"transitions": []object{{"x": append(slices.Clone(one.Y), 0), "y": one.Y}}}))
						if reply := say(t, s, encode(object{"transitions": []object{{"x": append(slices.Clone(one.Y), 0), "y": one.Y}}})); !strings.Contains(reply.Error, "has ended in this state before") {
							t.Errorf("%+v", reply)
						}
					}
					if k == 3 && h == 0 {
						other = new(session.Session)
						ask(t, other, "load", saved(t, s))
					}
				}
			}
			if got, want := encode(saved(t, other)), encode(saved(t, s)); !bytes.Equal(got, want) {
				t.Errorf("%s: saved as\n%.500s\nnot\n%.500s", label, got, want)
			}
		}
	}
}

// Nothing that an agent does is as long as a list of states: of 30 machines there are 2³⁰, of 12 few. An allocation for each would
// show in both numbers.
func TestBeyondMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	allocations := func(n int) float64 {
		s := new(session.Session)
		ask(t, s, "hello", machines(n, "c-psrl:planner=rollout:8:2", nil))
		rng, state := rand.New(rand.NewPCG(1, 2)), make([]int, n)
		return testing.AllocsPerRun(5, func() {
			ask(t, s, "episode", object{})
			ask(t, s, "act", object{"h": 1, "state": state})
			ask(t, s, "transitions", []document.Transition{driven(rng, state)})
		})
	}
	few, many := allocations(12), allocations(beyond)
	runtime.ReadMemStats(&after)
	if perEdge := many / few; perEdge > 2*float64(beyond*(beyond+1))/(12*13) {
		t.Errorf("%v allocations in a step of %d machines, %v of 12", many, beyond, few)
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<28 {
		t.Errorf("%d bytes in all", bytes)
	}
}

// A version of saved sessions has its own members.
func TestBeyondWrong(t *testing.T) {
	s := new(session.Session)
	ask(t, s, "hello", machines(beyond, "c-psrl", nil))
	rng, state := rand.New(rand.NewPCG(1, 2)), make([]int, beyond)
	ask(t, s, "transitions", []document.Transition{driven(rng, state)})
	doc := saved(t, s)
	for _, test := range []struct {
		more       object
		at, reason string
	}{
		{object{"version": 1}, "/load/version", "this is for version 2"},
		{object{"x": []int{0}, "y": []int{0}}, "/load/x", "indices are for version 1"},
		{object{"transitions": []object{}}, "/load/flags", "1 flags of 0 transitions"},
		{object{"transitions": []object{{"x": []int{1}, "y": state}}}, "/load/transitions/0/x", "1 values for 31"},
		{object{"flags": []int{2}}, "/load/flags/0", "flags 2"},
	} {
		other := object{}
		for name, value := range doc {
			other[name] = value
		}
		for name, value := range test.more {
			other[name] = value
		}
		if reply := say(t, s, encode(object{"load": other})); reply.At != test.at || !strings.Contains(reply.Error, test.reason) {
			t.Errorf("%v: %+v", test.more, reply)
		}
	}
}

// A refused episode leaves the plan of the present one as it was, though a model was sampled before it was refused.
func TestRefusedEpisode(t *testing.T) {
	const n = 1 << 9 // 4 n² entries of a table, and those of payoffs
	s, other := new(session.Session), new(session.Session)
	for _, each := range []*session.Session{s, other} {
		ready := ask(t, each, "hello", object{
			"format": session.Format, "version": session.Version, "horizon": 8, "agent": "c-psrl:planner=rollout:8:2",
			"state": []object{{"name": "at", "size": n}}, "action": []object{{"name": "go", "size": 4}}, "reward": []object{{"given": []string{"at", "go"}}},
			"prior": object{"sparseness": 2, "edges": [][2]string{{"at", "at"}, {"go", "at"}}},
		}).Ready
		if ready.Table {
			t.Errorf("a search has a table: %+v", ready)
		}
		ask(t, each, "episode", object{})
	}
	if reply := say(t, s, []byte(`{"episode":{"model":true}}`)); reply.At != "/episode/model" || !strings.Contains(reply.Error, "have 1050624 entries, more than 1048576") {
		t.Fatalf("%+v", reply)
	}
	for h := range 8 {
		line := encode(object{"act": object{"h": h + 1, "state": []int{50 * h}}})
		if got, want := s.Answer(line), other.Answer(line); !bytes.Equal(got, want) {
			t.Errorf("step %d: %s, not %s", h+1, got, want)
		}
	}
}

// Baselines act where no list holds the states, and have no belief. A saved one plays the same actions.
func TestBeyondBaselines(t *testing.T) {
	played := map[string]map[int]bool{}
	for _, label := range []string{"random", "constant:action=7"} {
		s, other := new(session.Session), new(session.Session)
		ask(t, s, "hello", machines(beyond, label, nil))
		state, seen := make([]int, beyond), map[int]bool{}
		for range 5 {
			ask(t, s, "episode", object{})
			ask(t, other, "load", saved(t, s))
			for h := range 20 {
				line := encode(object{"act": object{"h": h + 1, "state": state}})
				if got, want := other.Answer(line), s.Answer(line); !bytes.Equal(got, want) {
					t.Fatalf("%s: %s, not %s", label, got, want)
				}
				seen[ask(t, s, "act", object{"h": h + 1, "state": state}).Action[0]] = true
			}
		}
		played[label] = seen
	}
	if n := len(played["random"]); n < 20 {
		t.Errorf("random plays %d of %d actions in 100 steps", n, beyond+1)
	}
	if seen := played["constant:action=7"]; len(seen) != 1 || !seen[7] {
		t.Errorf("the constant agent plays %v", seen)
	}
}
