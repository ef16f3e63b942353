package document_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/internal/formattest"
)

// model2 reads the file of version 2 that was written first.
func model2(t testing.TB) string {
	return strings.TrimSpace(string(formattest.Read(t, "model-v2.json")))
}

// Oracle: the file, by hand.
func TestModel2Contents(t *testing.T) {
	m, err := document.DecodeModel([]byte(model2(t)))
	if err != nil {
		t.Fatal(err)
	}
	if m.Y() != 4 || m.Hidden != 2 || m.Noise != 1 || m.State[3].Name != "storm" || m.Actions() != 3 || m.Points() != 24*3 {
		t.Errorf("%d state variables, %d hidden, %d noise, %d actions", m.Y(), m.Hidden, m.Noise, m.Actions())
	}
	if at := m.Index([]int{0, 1, 1, 1}); m.Initial[at] != .125 || m.Start[at/2] != .5 {
		t.Errorf("μ = %v", m.Initial)
	}
	if !m.Transition[1].Known || m.Transition[0].Known || !slices.Equal(m.Transition[3].P, []float64{.75, .25}) {
		t.Errorf("laws %+v", m.Transition)
	}
	if r := m.Reward[0]; !slices.Equal(r.Given, []int{1, m.X()}) || !r.Arrives(&m.Space) || m.Reward[1].Arrives(&m.Space) {
		t.Errorf("rewards %+v", m.Reward)
	}
	if e := m.Ends[0]; e.Name != "broken" || !slices.Equal(e.Given, []int{0}) || len(e.Is) != 1 || e.Is[0][0] != 2 {
		t.Errorf("ends %+v", m.Ends)
	}
	f, err := document.DecodeModelFile([]byte(model2(t)))
	if got := string(f.Encode()); err != nil || got != model2(t) {
		t.Errorf("written as\n%s\nnot\n%s", got, model2(t))
	}
}

// Hidden variables may stand anywhere in a file. The rule of legal actions stands for a list.
func TestModel2Forms(t *testing.T) {
	again := func(text string) string {
		f, err := document.DecodeModelFile([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return string(f.Encode())
	}
	moved := strings.NewReplacer(
		`{"name":"clock","size":2},{"name":"damp","size":2}]`, `{"name":"damp","size":2},{"name":"clock","size":2}]`,
		`"state":[0,1,1]`, `"state":[0,1,1]`,
		`"legal":[[0,0],[0,1],[1,0]]`, `"legal":{"maxNonDefault":1,"default":[0,0]}`,
	).Replace(model2(t))
	if got := again(moved); got != model2(t) {
		t.Errorf("got  %s\nwant %s", got, model2(t))
	}
	// A model that needs nothing new is written as before.
	one := formattest.Model
	if got := again(strings.Replace(one, `"version":1`, `"version":2`, 1)); got != again(one) || !strings.Contains(got, `"version":1`) {
		t.Errorf("written as %s", got)
	}
}

func TestStrictModel2(t *testing.T) {
	formattest.Strict(t, "model 2", model2(t), againModel, []formattest.Edit{
		{`"version":2`, `"version":1`, "/legal", "this is for version 2"},
		{`"legal":[[0,0],[0,1],[1,0]]`, `"legal":[]`, "/legal", "no legal action"},
		{`[[0,0],[0,1],[1,0]]`, `[[0,0],[0,1],[0,1]]`, "/legal/2", "listed twice"},
		{`[[0,0],[0,1],[1,0]]`, `[[0,0],[0,2]]`, "/legal/1/1", `"pull" has no value 2`},
		{`[[0,0],[0,1],[1,0]]`, `[[0]]`, "/legal/0", "1 values for 2 action variables"},
		{`[[0,0],[0,1],[1,0]]`, `{"maxNonDefault":-1,"default":[0,0]}`, "/legal/maxNonDefault", "at least 0"},
		{`[[0,0],[0,1],[1,0]]`, `{"maxNonDefault":1,"default":[0]}`, "/legal/default", "1 values for 2"},
		{`[[0,0],[0,1],[1,0]]`, `{"maxNonDefault":1,"default":[0,5]}`, "/legal/default/1", "no value 5"},
		{`[[0,0],[0,1],[1,0]]`, `3`, "/legal", "expected"},
		{`"hidden":["damp"]`, `"hidden":["dump"]`, "/hidden/0", `no state variable "dump"`},
		{`"hidden":["damp"]`, `"hidden":["press"]`, "/hidden/0", `no state variable "press"`},
		{`"hidden":["damp"]`, `"hidden":["damp","damp"]`, "/hidden/1", "listed twice"},
		{`"hidden":["damp"]`, `"hidden":["lamp","clock","damp"]`, "/hidden", "agents see no state variable"},
		{`"hidden":["damp"]`, `"hidden":["lamp","damp"]`, "/reward/0/given/1", `"lamp" is hidden; rewards depend only on what agents see`},
		{`"hidden":["damp"]`, `"hidden":["clock","damp"]`, "/reward/0/given/0", `"clock" is hidden`},
		{`"p":[0.75,0.25]}]`, `"p":[0.75,0.2]}]`, "/noise/0/p", "sums to 0.95"},
		{`"p":[0.75,0.25]}]`, `"p":[1]}]`, "/noise/0/p", "1 probabilities for the 2 values"},
		{`"name":"storm"`, `"name":"lamp"`, "/noise/0/name", "a second variable"},
		{`{"of":"damp","given":["damp","storm"]`, `{"of":"storm","given":["damp","storm"]`, "/transition/2/of", `"storm" is noise`},
		{`"lamp","press","damp","storm"],"p":[[1,0,0],[0.9,0,0.1]`, `"lamp","press","damp","storm"],"known":true,"p":[[1,0,0],[0.9,0,0.1]`, "/transition/0/known", "cannot be told a law"},
		{`"known":true`, `"known":1`, "/transition/1/known", ""},
		{`"lamp'"]`, `"lump'"]`, "/reward/0/given/1", `no variable "lump'"`},
		{`"lamp'"]`, `"press'"]`, "/reward/0/given/1", `no variable "press'"`},
		{`"mean":[0,1,-1,0,2,-1]`, `"mean":[0,1,-1,0,2]`, "/reward/0/mean", "5 means; 6 are needed"},
		{`"mean":[0,1,-1,0,2,-1]`, `"mean":[0,1,-1,0,2,1e13]`, "/reward/0/mean/5", "given clock=1, lamp'=broken"},
		{`"given":["lamp"],"is"`, `"given":["press"],"is"`, "/terminal/0/given/0", "state variables only"},
		{`"given":["lamp"],"is"`, `"given":["damp"],"is"`, "/terminal/0/is/0/0", `"damp" has no value 2`},
		{`"is":[[2]]`, `"is":[[3]]`, "/terminal/0/is/0/0", "no value 3"},
		{`"is":[[2]]`, `"is":[[2,1]]`, "/terminal/0/is/0", "2 values for 1 given"},
		{`"name":"broken"`, `"name":"` + strings.Repeat("b", 129) + `"`, "/terminal/0/name", "129 bytes"},
		{`"is":[[2]]`, `"is":[[null]]`, "/terminal/0/is/0/0", ""},
	})
}

// A short text cannot make the reader work for long. Each of these took minutes or gigabytes once.
func TestModelBombs(t *testing.T) {
	bits := strings.TrimSuffix(strings.Repeat(`{"name":"NAME","size":2},`, 62), ",")
	for k := range 62 {
		bits = strings.Replace(bits, "NAME", "b"+strconv.Itoa(k), 1)
	}
	zeros := "[" + strings.TrimSuffix(strings.Repeat("0,", 62), ",") + "]"
	for action, legal := range map[string]string{
		`{"name":"a","size":4611686018427387904}`: `{"maxNonDefault":0,"default":[0]}`,
		bits: `{"maxNonDefault":62,"default":` + zeros + `}`,
	} {
		_, err := document.DecodeModel([]byte(`{"format":"cpsrl/model","version":2,"horizon":3,"state":[{"name":"s","size":2}],"action":[` + action + `],"legal":` + legal +
			`,"initial":"uniform","transition":[{"of":"s","given":["s"],"p":[[1,0],[0,1]]}],"reward":[]}`))
		formattest.WantError(t, legal, err, "/legal", "joint actions")
	}
	// A primed name that a variable has is ambiguous.
	m := &fmdp.Model{
		Space:   fmdp.Space{State: []fmdp.Variable{{Name: "a", Size: 2}, {Name: "a'", Size: 2}}, Action: []fmdp.Variable{{Name: "x", Size: 1}}},
		Horizon: 1, Initial: fmdp.Uniform(4),
		Transition: []fmdp.Factor{{Size: 2, P: []float64{.5, .5}}, {Size: 2, P: []float64{.5, .5}}},
		Reward:     []fmdp.Reward{{Given: []int{3}, Mean: []float64{0, 1}, Scale: 1, Of: -1}},
	}
	if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "rename one of them") {
		t.Errorf("an ambiguous name: %v", err)
	}
}

// A model may bring a picture of what agents see.
func TestModelPicture(t *testing.T) {
	pictured := strings.TrimSuffix(model2(t), "}") + `,"view":{"kind":"nodes","nodes":["lamp","clock"],"links":[["clock","lamp"]]}}`
	formattest.Strict(t, "picture", pictured, againModel, []formattest.Edit{
		{`"nodes":["lamp"`, `"nodes":["damp"`, "/view/nodes/0", ""},
		{`"kind":"nodes"`, `"kind":"node"`, "/view/kind", "it must be grid, chart or nodes"},
	})
	if got, err := againModel([]byte(pictured)); err != nil || string(got) != pictured {
		t.Errorf("written as %s, %v", got, err)
	}
}

// A payoff may hide its parents from agents that learn rewards, and declare its range.
func TestModelPayoff(t *testing.T) {
	payoff := strings.Replace(model2(t), `"kind":"fixed"}`, `"kind":"fixed"},{"given":["lamp"],"mean":[-1,0,4.5],"kind":"fixed","name":"profit","scope":"hidden","range":[-2,5]}`, 1)
	formattest.Strict(t, "payoff", payoff, againModel, []formattest.Edit{
		{`"name":"profit"`, `"name":"lamp"`, "/reward/1/name", "a name that no variable has"},
		{`"name":"profit",`, ``, "/reward/1/name", "needs a name"},
		{`"scope":"hidden"`, `"scope":"secret"`, "/reward/1/scope", `it must be "hidden", or absent`},
		{`"range":[-2,5]`, `"range":[5,-2]`, "/reward/1/range", "the least payoff and a larger one"},
		{`"range":[-2,5]`, `"range":[-2]`, "/reward/1/range", "two numbers"},
		{`"range":[-2,5]`, `"range":[0,5]`, "/reward/1/mean/0", "outside the range 0 to 5"},
		{`{"given":["lamp"],"mean":[-1,0,4.5]`, `{"given":["lamp'"],"mean":[-1,0,4.5]`, "/reward/1/scope", "not paid on arrival"},
	})
	if got, err := againModel([]byte(payoff)); err != nil || string(got) != payoff {
		t.Errorf("written as %s, %v", got, err)
	}
}

func FuzzModel2(f *testing.F) { formattest.Fuzz(f, []string{model2(f)}, againModel) }

// Oracle: the definition. At most one of ten bits is on, in eleven actions, whose points are numbered in
// the order of their values.
func TestLegal(t *testing.T) {
	s := fmdp.Space{State: []fmdp.Variable{{Name: "s", Size: 3}}}
	for _, name := range strings.Fields("a b c d e f g h i j") {
		s.Action = append(s.Action, fmdp.Variable{Name: name, Size: 2})
	}
	var err error
	if s.Legal, err = fmdp.NewAtMost(s.Action, 1, make([]int, 10)); err != nil {
		t.Fatal(err)
	}
	if s.Actions() != 11 || s.Points() != 33 {
		t.Fatalf("%d actions", s.Actions())
	}
	var before []int
	for x := range s.Points() {
		point := s.Point(make([]int, s.X()), x)
		on := 0
		for _, v := range point[1:] {
			on += v
		}
		if on > 1 || s.Index(point) != x || slices.Compare(before, point) >= 0 {
			t.Errorf("point %d is %v", x, point)
		}
		before = point
	}
	given := []int{4, 0, 7}
	for x, row := range s.RowOf(given) {
		if point := s.Point(make([]int, s.X()), x); int(row) != s.Row(given, point) {
			t.Errorf("row %d at %v", row, point)
		}
	}
}
