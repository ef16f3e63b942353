package experiment

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// dataSpecs are experiments with agents of every kind that learns, with each law of tables.
var dataSpecs = []string{
	`"domain":{"name":"taxi","grid":"3x3","horizon":5},"agents":["psrl","f-psrl","c-psrl","greedy","c-psrl:tables=tied,dirichlet=mix:0.1:1","c-psrl:dirichlet=learn:0.1:1"],"episodes":3,"runs":2`,
	`"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"parents":3,"horizon":6,"rewardScopes":"tied"},"agents":["psrl","f-psrl","c-psrl","c-psrl:update=printed","greedy","random"],"rewards":"learned","sparseness":3,"episodes":4,"runs":2,"seed":5`,
	`"domain":{"name":"figure1"},"prior":{"eta":1,"trust":0.9},"agents":["psrl","f-psrl:graph=prior","c-psrl","c-psrl:eta=0"],"episodes":3,"runs":2,"tables":"tied","depth":"yes"`,
	`"domain":{"name":"sepsis","diabetic":"hidden","horizon":3},"agents":["c-psrl"],"prior":{"eta":2},"sparseness":4,"episodes":2,"runs":1,"tables":"rows"`,
}

// experienced returns n transitions of the problem of a spec's run 0, by an agent that acts at random
// in episodes of at most H steps.
func experienced(t testing.TB, s *spec.Spec, n int) []document.Transition {
	t.Helper()
	in, err := NewInstance(s, s.FirstRun)
	if err != nil {
		t.Fatal(err)
	}
	rng := posterior.NewNamedStream(7, 0, "data of a test").Rand
	w, list := in.World, []document.Transition{}
	for len(list) < n {
		x, y := make([]int, w.X()), make([]int, w.Y())
		w.Space.Point(x, rng.IntN(w.Points()))
		for j := range w.Transition {
			row := w.Transition[j].Row(w.RowAt(w.Transition[j].Given, x, y))
			u, v := rng.Float64(), 0
			for u -= row[v]; u > 0 && v < len(row)-1; u -= row[v] {
				v++
			}
			y[j] = v
		}
		seen := w.Y() - w.Hidden
		list = append(list, document.Transition{X: append(x[:seen:seen], x[w.Y():]...), Y: y[:seen]})
	}
	return list
}

// An experiment that starts from data gives the records, bit for bit, of agents that have observed the
// transitions before their first episode, all at once. Oracle: [agent.Agent.Observe] on agents of the
// experiment without data. The belief of rows that do not share anything is also that of agents that
// observed one transition after the other, so nothing depends on where episodes ended.
func TestWarmStart(t *testing.T) {
	for k, members := range dataSpecs {
		bare, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":5,` + members + `}`))
		if err != nil {
			t.Fatal(err)
		}
		steps := experienced(t, bare, 500)
		data, err := spec.NewData(steps)
		if err != nil {
			t.Fatal(err)
		}
		warm := bare.Clone()
		if err := warm.Start(data); err != nil {
			t.Fatal(err)
		}
		e, err := New(warm)
		if err != nil {
			t.Fatalf("%d: %v", k, err)
		}
		cold, err := New(bare)
		if err != nil {
			t.Fatal(err)
		}
		differs := false
		for run := bare.FirstRun; run < bare.FirstRun+bare.Runs; run++ {
			for _, of := range cold.Arms() {
				var want []byte
				once := twin(t, cold, run, of.Label(), steps, len(steps))
				for r, err := range e.Play(run, of) {
					if err != nil {
						t.Fatal(err)
					}
					want = record.AppendRecord(want, r)
				}
				if !bytes.Equal(want, once) {
					t.Errorf("%d: run %d, %s:\n%s\nwant\n%s", k, run, of.Label(), want, once)
				}
				// Where rows share something, sets that are far from the best are weighed only now and then.
				shares := strings.Contains(members, `"tables":"tied"`) || strings.Contains(of.Label(), "tied") || bare.Dirichlet.Mixes()
				if !shares && !bytes.Equal(twin(t, cold, run, of.Label(), steps, 1), once) {
					t.Errorf("%d: run %d, %s: transitions one by one give other records", k, run, of.Label())
				}
				differs = differs || !bytes.Equal(once, twin(t, cold, run, of.Label(), nil, 1))
			}
		}
		if !differs {
			t.Errorf("%d: the data change nothing", k)
		}
	}
}

// twin returns the record lines of an agent in a run of an experiment without data, after the agent has
// observed steps, so many at once.
func twin(t testing.TB, e *Experiment, run int, label string, steps []document.Transition, together int) (lines []byte) {
	t.Helper()
	of, _ := e.Arm(label)
	truth, err := e.truth(run)
	if err != nil {
		t.Fatal(err)
	}
	p, err := truth.enter(of)
	if err != nil {
		t.Fatal(err)
	}
	for chunk := range slices.Chunk(steps, max(1, together)) {
		var seen []posterior.Step
		for _, s := range chunk {
			seen = append(seen, posterior.Step{Point: s.X, Next: s.Y})
		}
		p.agent.Observe(seen)
	}
	for episode, err := range p.episodes(context.Background(), e.spec.Episodes) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.score(t.Context(), episode)
		if err != nil {
			t.Fatal(err)
		}
		lines = record.AppendRecord(lines, r)
	}
	return lines
}

// After data, the belief of an agent about each variable is that of an agent that observed them: every
// number of every parent set. Oracle: the agent of package agent, without an experiment.
func TestWarmBelief(t *testing.T) {
	bare, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":5,"domain":{"name":"random-fmdp","stateVariables":4,"actionVariables":2,"parents":2},"sparseness":3,"episodes":2}`))
	if err != nil {
		t.Fatal(err)
	}
	steps := experienced(t, bare, 500)
	data, _ := spec.NewData(steps)
	warm := bare.Clone()
	if err := warm.Start(data); err != nil {
		t.Fatal(err)
	}
	e, err := New(warm)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := e.truth(0)
	if err != nil {
		t.Fatal(err)
	}
	of, _ := e.Arm("c-psrl")
	p, err := truth.enter(of)
	if err != nil {
		t.Fatal(err)
	}
	in, _ := NewInstance(bare, 0)
	other, err := agent.NewCausal(in.Task(), in.Prior)
	if err != nil {
		t.Fatal(err)
	}
	other.Observe(truth.before[0])
	for j, belief := range p.beliefs {
		for set := range belief.Sets() {
			if got, want := belief.LogEvidence(set), other.Beliefs()[j].LogEvidence(set); got != want || got == 0 && in.View.State[j].Size > 1 {
				t.Errorf("Y_%d, set %d: ln P(data | z) = %v, want %v", j, set, got, want)
			}
		}
	}
	// It rises with the data: the true graph is more probable than before them.
	cold, _ := New(bare)
	if before, after := edgesOf(t, cold), edgesOf(t, e); after <= before {
		t.Errorf("ln P(z_*) is %v with the data and %v without", after, before)
	}
}

// edgesOf returns ln P(z_*) of C-PSRL before the first episode.
func edgesOf(t testing.TB, e *Experiment) float64 {
	t.Helper()
	of, _ := e.Arm("c-psrl")
	for r, err := range e.Play(0, of) {
		if err != nil || r.Belief.LogTruth == nil {
			t.Fatal(err)
		}
		return *r.Belief.LogTruth
	}
	panic("no episode")
}

// Bad data are refused in one sentence with a place. Oracle: by hand.
func TestBadData(t *testing.T) {
	hash := strings.Repeat("ab", 32)
	for _, c := range []struct{ prior, want string }{
		{`{"data":"` + hash + `"}`, "/prior/data: the experiment starts from data with the SHA-256 " + hash + ", which are not at hand: open that file"},
		{`{"data":"AB"}`, "/prior/data: the name of data is the SHA-256 of their transitions, 64 lower-case hexadecimal digits"},
		{`{"data":7}`, "/prior/data: expected a string, found a number"},
		{`{"data":[]}`, "/prior/data: there is no transition to start from"},
		{`{"data":[{"x":[0]}]}`, `/prior/data/0/y: the field "y" is missing`},
		{`{"data":[{"x":[0,0,0],"y":[0,0]}]}`, "/prior/data/0/x: 3 values for 5 state and action variables"},
		{`{"data":[{"x":[0,0,0,0,0],"y":[0,0,0,0]},{"x":[0,0,0,0,9],"y":[0,0,0,0]}]}`, `/prior/data/1/x/4: "move" has no value 9; its values are 0 to 5`},
	} {
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":5,"domain":{"name":"taxi","grid":"3x3"},"prior":` + c.prior + `}`))
		if err == nil {
			_, err = New(s)
		}
		if fmt.Sprint(err) != c.want {
			t.Errorf("%s: %v, want %s", c.prior, err, c.want)
		}
	}
	// A law that agents are told excludes what cannot happen.
	s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":5,"domain":{"name":"model","model":{"format":"cpsrl/model","version":2,"horizon":3,` +
		`"state":[{"name":"day","size":2}],"action":[{"name":"a","size":2}],"initial":"uniform","legal":[[0]],"transition":[{"of":"day","given":["day"],"p":[[0,1],[1,0]],"known":true}],"reward":[]}},` +
		`"prior":{"data":[{"x":[0,0],"y":[0]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = New(s); fmt.Sprint(err) != `/prior/data/0/y/0: the law of "day", which agents are told, excludes this value` {
		t.Error(err)
	}
	for _, c := range []struct {
		step document.Transition
		want string
	}{
		{document.Transition{X: []int{0, 1}, Y: []int{1}}, "/prior/data/0/x: this joint action is not legal in the problem"},
		{document.Transition{X: []int{0, 1}, Y: []int{fmdp.Unseen}}, "/prior/data/0/x: this joint action is not legal in the problem"},
		{document.Transition{X: []int{9, 0}, Y: []int{fmdp.Unseen}}, `/prior/data/0/x/0: "day" has no value 9; its values are 0 to 1`},
		{document.Transition{X: []int{-1, 0}, Y: []int{fmdp.Unseen}}, `/prior/data/0/x/0: "day" has no value -1; its values are 0 to 1`},
		{document.Transition{X: nil, Y: []int{fmdp.Unseen}}, "/prior/data/0/x: 0 values for 2 state and action variables"},
		{document.Transition{X: []int{0, 0}, Y: []int{fmdp.Unseen, fmdp.Unseen}}, "/prior/data/0/y: 2 values for 1 state variables"},
		{document.Transition{X: []int{0, 0}, Y: []int{fmdp.Unseen}, Paid: []float64{1}}, "/prior/data/0/paid: 1 number for 0 payoffs"},
		{document.Transition{X: []int{0, 0}, Y: []int{fmdp.Unseen}}, "<nil>"},
	} {
		s.Prior.Data, _ = spec.NewData([]document.Transition{c.step})
		if _, err = New(s); fmt.Sprint(err) != c.want {
			t.Errorf("%+v: %v, want %s", c.step, err, c.want)
		}
	}
}
