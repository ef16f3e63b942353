package document_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/strict"
)

// bits is a model of n bits that follow the one before them, whose episodes begin as initial says. More stands before the last
// member.
func bits(version, n int, initial, more string) string {
	var state, transition []string
	for i := range n {
		state = append(state, fmt.Sprintf(`{"name":"m%d","size":2}`, i+1))
		transition = append(transition, fmt.Sprintf(`{"of":"m%d","given":["m%d"],"p":[[0.75,0.25],[0.5,0.5]]}`, i+1, (i+n-1)%n+1))
	}
	return fmt.Sprintf(`{"format":"cpsrl/model","version":%d,"horizon":5,"state":[%s],"action":[{"name":"push","size":2}],%s"initial":%s,"transition":[%s],"reward":[{"given":["m1","push"],"mean":[0,0,1,2],"kind":"fixed"}]}`,
		version, strings.Join(state, ","), more, initial, strings.Join(transition, ","))
}

// A model of 40 bits is read and written, and its μ is a law. Oracle: μ by hand.
func TestBeyondLists(t *testing.T) {
	const n = 40
	one := func(text string) string { return "[" + strings.TrimSuffix(strings.Repeat(text+",", n), ",") + "]" }
	up := make([]int, n)
	for k := range up {
		up[k] = 1
	}
	down := make([]int, n)
	for name, test := range map[string]struct {
		version  int
		initial  string
		more     string
		up, down float64 // μ
		expanded string
	}{
		"list":       {1, `[{"state":` + one("1") + `,"p":0.75},{"state":` + one("0") + `,"p":0.25}]`, "", .75, .25, ""},
		"uniform":    {1, `"uniform"`, "", math.Pow(.5, n), math.Pow(.5, n), ""},
		"product":    {3, `{"formula":"m3 = 1 and m39 = 1"}`, "", math.Pow(.5, n-2), 0, ""},
		"some":       {3, `{"formula":"m1 + m3 >= 1"}`, "", math.Pow(.5, n-3) / 6, 0, ""},
		"hidden":     {2, `[{"state":` + one("1") + `,"p":1}]`, `"hidden":["m2"],`, 1, 0, ""},
		"order kept": {3, `{"formula":"m2 < m3"}`, `"hidden":["m2"],`, 0, 0, ""},
	} {
		text := bits(test.version, n, test.initial, test.more)
		f, err := document.DecodeModelFile([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := f.Model
		if m.Initial != nil || math.Abs(m.First.At(up)-test.up) > 1e-15 || m.First.At(down) != test.down {
			t.Errorf("%s: μ is %v and %v", name, m.First.At(up), m.First.At(down))
		}
		again, err := document.DecodeModelFile(f.Encode())
		if err != nil || string(again.Encode()) != string(f.Encode()) {
			t.Errorf("%s: read again, %v", name, err)
		}
		if test.more == "" && string(f.Encode()) != text {
			t.Errorf("%s: written as\n%s\nnot\n%s", name, f.Encode(), text)
		}
		if _, err := planning.FromModel(m, nil); err == nil || !strings.Contains(err.Error(), "2199023255552 state-action pairs (S·A), more than 1048576") {
			t.Errorf("%s: planned in: %v", name, err)
		}
	}
}

// What a formula says of the first state is the same law where states are listed and where they are not.
func TestBeyondSameLaw(t *testing.T) {
	const n = 22 // beyond lists; and the same bits without some that no formula names
	for _, formula := range []string{"m1 = 1", "m2 + m4 = 1", "m1 < m3 and m5 = 1", "1"} {
		initial := fmt.Sprintf(`{"formula":%q}`, formula)
		large, err := document.DecodeModel([]byte(bits(3, n, initial, "")))
		if err != nil {
			t.Fatal(err)
		}
		small, err := document.DecodeModel([]byte(bits(3, 6, initial, "")))
		if err != nil {
			t.Fatal(err)
		}
		of := large.First.Marginal(0, 6)
		state := make([]int, 6)
		for s, p := range small.Initial {
			if got := of.At(small.Point(state, s)); math.Abs(got-p) > 1e-15 {
				t.Errorf("%s: %v has the probability %v, not %v", formula, state, got, p)
			}
		}
	}
}

// Noise is the last part of μ.
func TestBeyondNoise(t *testing.T) {
	text := bits(2, 40, `"uniform"`, `"noise":[{"name":"wind","size":2,"p":[0.25,0.75]}],`)
	text = strings.Replace(text, `{"of":"m1","given":["m40"],"p":[[0.75,0.25],[0.5,0.5]]}`, `{"of":"m1","given":["wind"],"p":[[0.75,0.25],[0.5,0.5]]}`, 1)
	f, err := document.DecodeModelFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	state := make([]int, 41)
	state[40] = 1
	if got := f.Model.First.At(state); got != math.Pow(.5, 40)*.75 {
		t.Errorf("μ is %v", got)
	}
	if got := string(f.Encode()); got != text {
		t.Errorf("written as\n%s\nnot\n%s", got, text)
	}
}

// What is too large for a law is refused in one sentence.
func TestBeyondRefused(t *testing.T) {
	for _, test := range []struct{ text, place, reason string }{
		{bits(1, 40, `[]`, ""), "/initial", "no state is listed; an episode begins in one"},
		{bits(3, 40, `{"formula":"m1 + m40 = 1"}`, ""), "/initial/formula", `549755813888 assignments of the state variables up to "m40" are like this, more than 1048576; the model's states are too many to list`},
		{bits(3, 40, `{"formula":"m1+m2+m3+m4+m5+m6+m7+m8+m9+m10+m11+m12+m13+m14+m15+m16+m17+m18+m19+m20+m21 > 0"}`, ""), "/initial/formula", ""},
		{strings.Replace(bits(1, 40, `"uniform"`, ""), `{"name":"push","size":2}`, `{"name":"push","size":1048577}`, 1), "/action/0/size", `the variables have more than 1048576 values up to those of "push"`},
		{strings.Replace(bits(1, 40, `"uniform"`, ""), `[{"name":"push","size":2}]`, `[]`, 1), "/reward/0/given/1", ""},
	} {
		_, err := document.DecodeModel([]byte(test.text))
		if err == nil {
			t.Errorf("%s: accepted", test.place)
			continue
		}
		e := wrong(t, err)
		if e.Place != test.place || test.reason != "" && e.Reason != test.reason {
			t.Errorf("%s: %s", e.Place, e.Reason)
		}
	}
}

// An agent may be told of a problem whose states no list holds.
func TestBeyondTold(t *testing.T) {
	task := document.Task{}
	task.Horizon = 5
	space := &fmdp.Space{Action: []fmdp.Variable{{Name: "push", Size: 2}}}
	for i := range 40 {
		space.State = append(space.State, fmdp.Variable{Name: fmt.Sprint("m", i), Size: 2})
	}
	task.Variables = document.NewVariables(space)
	task.Reward = []document.Payoff{{Given: []string{"m3", "push"}}}
	m, err := task.Tell()
	if err != nil || m.Initial != nil || m.States() <= fmdp.MaxPoints {
		t.Fatalf("%v, %v", m, err)
	}
}

func wrong(t *testing.T, err error) *strict.InvalidError {
	t.Helper()
	e, is := err.(*strict.InvalidError)
	if !is {
		t.Fatalf("%T: %v", err, err)
	}
	return e
}
