package format_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/planning"
)

// randomModel returns a model with one action variable, named action. The entries of its tables
// are multiples of 1/64, so that they and their sums are exact.
func randomModel(rng *rand.Rand) *fmdp.Model {
	m := &fmdp.Model{Horizon: 1 + rng.IntN(9)}
	for j := range 1 + rng.IntN(4) {
		v := fmdp.Variable{Name: fmt.Sprintf("x%d", j), Size: 1 + rng.IntN(3)}
		for k := range v.Size {
			v.Values = append(v.Values, fmt.Sprintf("v%d", k))
		}
		m.State = append(m.State, v)
	}
	a := fmdp.Variable{Name: "action", Size: 1 + rng.IntN(3)}
	for k := range a.Size {
		a.Values = append(a.Values, fmt.Sprintf("do%d", k))
	}
	m.Action = []fmdp.Variable{a}
	law := func(size int) []float64 {
		p, left := make([]float64, size), 64
		for k := range p {
			part := rng.IntN(left + 1)
			if k == size-1 {
				part = left
			}
			p[k], left = float64(part)/64, left-part
		}
		return p
	}
	some := func(n int) (given []int) {
		for i := range n {
			if rng.IntN(2) == 0 {
				given = append(given, i)
			}
		}
		return given
	}
	for j := range m.Y() {
		f := fmdp.Factor{Given: some(m.X()), Size: m.State[j].Size}
		for range m.Rows(f.Given) {
			f.P = append(f.P, law(f.Size)...)
		}
		m.Transition = append(m.Transition, f)
	}
	for range rng.IntN(3) {
		r := fmdp.Reward{Given: some(m.X() + m.Y()), Scale: 1, Of: -1}
		for range m.Rows(r.Given) {
			r.Mean = append(r.Mean, float64(rng.IntN(9)-4)/4)
		}
		m.Reward = append(m.Reward, r)
	}
	m.Initial = []float64{1}
	for _, v := range m.State {
		var next []float64
		of := law(v.Size)
		for _, p := range m.Initial {
			for _, q := range of {
				next = append(next, p*q)
			}
		}
		m.Initial = next
	}
	return m
}

// parts returns the initial distribution of a model, and the given variables and the entries of each
// table.
func parts(m *fmdp.Model) string {
	text := fmt.Sprint(m.Initial)
	for _, f := range m.Transition {
		text += fmt.Sprint(" p", f.Given, f.P)
	}
	for _, r := range m.Reward {
		text += fmt.Sprint(" r", r.Given, r.Mean)
	}
	return text
}

// alike fails unless two models have the same variables, laws, expected payoffs, initial
// distribution and horizon. Their tables may be given other variables.
func alike(t *testing.T, got, want *fmdp.Model, text string) {
	t.Helper()
	if fmt.Sprint(got.Space) != fmt.Sprint(want.Space) || got.Horizon != want.Horizon {
		t.Fatalf("%v, %d, want %v, %d in\n%s", got.Space, got.Horizon, want.Space, want.Horizon, text)
	}
	dense := func(m *fmdp.Model) []float64 {
		dst := make([]float64, m.Joint())
		fmdp.Joint(dst, &m.Space, m.Transition)
		return slices.Concat(dst, planning.Reward(m), m.Initial)
	}
	a, b := dense(got), dense(want)
	for k := range a {
		if math.Abs(a[k]-b[k]) > 1e-12 {
			t.Fatalf("number %d is %v, want %v in\n%s", k, a[k], b[k], text)
		}
	}
}

// spuddOf writes a model with one action variable as SPUDD has it.
func spuddOf(rng *rand.Rand, m *fmdp.Model) string {
	var b strings.Builder
	n := m.Y()
	b.WriteString("(variables")
	for _, v := range m.State {
		fmt.Fprintf(&b, " (%s %s)", v.Name, strings.Join(v.Values, " "))
	}
	b.WriteString(")\n")
	// tree writes a tree over the given state variables, whose leaves the function writes.
	var tree func(given, point []int, leaf func(point []int)) // a value for each of X
	tree = func(given, point []int, leaf func(point []int)) {
		if len(given) == 0 {
			leaf(point)
			return
		}
		v := m.Var(given[0])
		fmt.Fprintf(&b, "(%s", m.NameOf(given[0]))
		for _, k := range rng.Perm(v.Size) {
			point[given[0]] = k
			fmt.Fprintf(&b, " (%s ", v.Values[k])
			tree(given[1:], point, leaf)
			b.WriteString(")")
		}
		b.WriteString(") // " + v.Name + "\n")
	}
	shuffled := func(given []int) []int {
		of := slices.DeleteFunc(slices.Clone(given), func(i int) bool { return i == n })
		rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		return of
	}
	b.WriteString("init [*\n")
	var all []int
	for j := range m.State {
		all = append(all, j)
	}
	tree(all, make([]int, m.X()+n), func(point []int) { fmt.Fprintf(&b, "(%v)", m.Initial[m.Index(point[:n])]) })
	b.WriteString("]\n")
	for a := range m.Action[0].Size {
		fmt.Fprintf(&b, "action do%d\n", a)
		for j, f := range m.Transition {
			fmt.Fprintf(&b, "\t%s ", m.State[j].Name)
			point := make([]int, m.X()+n)
			point[n] = a
			tree(shuffled(f.Given), point, func(point []int) {
				fmt.Fprintf(&b, "(%s'", m.State[j].Name)
				for k, p := range f.Row(m.Row(f.Given, point)) {
					fmt.Fprintf(&b, " (v%d (%v))", k, p)
				}
				b.WriteString(")")
			})
		}
		if len(m.Reward) > 0 {
			b.WriteString("\tcost [+ ")
			for _, r := range m.Reward {
				point := make([]int, m.X()+n)
				point[n] = a
				tree(shuffled(r.Given), point, func(point []int) { fmt.Fprintf(&b, "(%v)", -r.Mean[m.RowAt(r.Given, point[:m.X()], point[m.X():])]) })
			}
			b.WriteString("]\n")
		}
		b.WriteString("endaction\n")
	}
	fmt.Fprintf(&b, "discount 1.0\nhorizon %d\n", m.Horizon)
	return b.String()
}

// A model that is written in SPUDD is read as the same model, and no table is given more than the
// true parents. Oracle: the model.
func TestSpudd(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	for range 300 {
		want := randomModel(rng)
		text := spuddOf(rng, want)
		got, notes, err := format.ReadModel("", []byte(text), format.Options{})
		if err != nil || len(notes) > 0 {
			t.Fatalf("%v, %q in\n%s", err, notes, text)
		}
		alike(t, got, want, text)
		for j, z := range got.Graph() {
			if len(z.Without(want.Graph()[j]).Parents()) > 0 {
				t.Fatalf("the law of variable %d has the parents %v, of %v in\n%s", j, z.Parents(), want.Graph()[j].Parents(), text)
			}
		}
	}
}

const coinSpudd = `// a coin and a lamp
(variables (side heads tails) (lamp on off))
init [* (side (heads (1)) (tails (0))) (lamp (on (.5)) (off (.5)))]
dd fair (side' (heads (.5)) (tails (.5))) enddd
action keep
	side (side (heads (side' (heads (1)) (tails (0)))) (tails (side' (heads (0)) (tails (1)))))
	lamp (lamp' (on (.25)) (off (.75)))
	cost [+ (1) (side (heads (2)) (tails (0)))]
endaction
action flip
	side (fair)
	lamp (lamp' (on (.25)) (off (.75)))
endaction
reward (lamp (on (1)) (off (0)))
discount 0.9
tolerance 0.01
horizon 3
`

// Terms of rewards and costs are factors, and the action is among the given variables only where
// actions differ. Oracle: by hand.
func TestSpuddTerms(t *testing.T) {
	m, notes, err := format.ReadModel("coin", []byte(coinSpudd), format.Options{Horizon: 7})
	if err != nil {
		t.Fatal(err)
	}
	const law = "[0.5 0.5 0 0] p[0 2] [1 0 0.5 0.5 0 1 0.5 0.5] p[] [0.25 0.75]"
	if got := parts(m); m.Name != "coin" || m.Horizon != 7 || got != law+" r[1] [1 0] r[2] [-1 0] r[0 2] [-2 0 0 0]" {
		t.Error(got)
	}
	if fmt.Sprint(notes) != "[the discount 0.9 is left out: values are sums over the horizon, without a discount]" {
		t.Error(notes)
	}
	// A payoff may be paid on arrival.
	text := strings.NewReplacer("reward (lamp ", "reward (lamp' ", "(side (heads (2)) (tails (0)))]", "(side (heads (2)) (tails (side' (heads (3)) (tails (0)))))]").Replace(coinSpudd)
	if m, _, err = format.ReadModel("", []byte(text), format.Options{}); err != nil || parts(m) != law+" r[4] [1 0] r[2] [-1 0] r[0 2 3] [-2 -2 0 0 -3 0 0 0]" {
		t.Error(parts(m), err)
	}
}

// What a model cannot have, and what is not SPUDD, is refused at its place.
func TestSpuddRefused(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"horizon 3", "", `the file states no horizon; the option "horizon" gives the number of steps of an episode`},
		{"horizon 3", "horizon 0", `line 17, column 9: the number of steps, a whole number from 1 to 16384, was expected, not "0"`},
		{"horizon 3", "horizon 3\nhorizon 4", `line 18, column 1: a second "horizon"`},
		{"horizon 3", "unnormalized", `line 17, column 1: "unnormalized" is not read; action, dd, init, reward, discount, tolerance and horizon are`},
		{"dd fair", "(observations (o yes no))\ndd fair", `line 4, column 1: "(observations" was not expected here; a POMDP is not read, because every variable of a model is seen`},
		{"\tcost", "\tobserve endobserve\tcost", `line 8, column 2: observations are not read: every variable of a model is seen`},
		{"\tlamp (lamp' (on (.25)) (off (.75)))\n\tcost", "\tcost", `line 5, column 8: the action "keep" has no tree of "lamp"`},
		{"(tails (.5)))", ")", `line 4, column 10: the test of "side'" has no branch for "tails"`},
		{"(tails (.5))", "(tail (.5))", `line 4, column 30: "side'" has no value "tail"`},
		{"(side' (heads (.5)", "(sid' (heads (.5)", `line 4, column 10: there is no variable "sid'"`},
		{"dd fair (side' (heads (.5)) (tails (.5)))", "dd fair (lamp' (on (.5)) (off (.5)))", `line 4, column 9: the law of "side" tests the next value of "lamp"; next values are independent of each other in a model`},
		{"dd fair (side' (heads (.5)) (tails (.5)))", "dd fair (.5)", `line 4, column 9: the law of "side" does not test its next value, side'`},
		{"dd fair (side' (heads (.5)) (tails (.5)))", "dd fair (side' (heads (.5)) (tails (.6)))", `line 4, column 9: after the action "flip", the row of "side" given side=heads sums to 1.1; it must sum to 1`},
		{"dd fair", "dd fare", `line 11, column 8: "fair" is neither a number nor the name of a tree`},
		{"reward (lamp", "reward [- (1) (2)] (lamp", `line 14, column 9: the operator "-" is not read; + and * are`},
		{"(on (1))", "(on [+ (1) (2)])", `line 14, column 18: an operator inside of a test is not read`},
		{"(on (1))", "(on (1)) (on (1))", `line 14, column 24: a second branch for "on"`},
		{"(lamp on off)", "(lamp on off) (action a b)", `line 2, column 46: a variable is named "action", which is the name of the variable that holds the action; give it another name`},
		{"(lamp on off)", "(lamp on off on)", `line 2, column 44: the value "on" of "lamp" stands there twice`},
		{"(lamp on off)", "(side on off)", `line 2, column 32: a second variable is named "side"`},
		{"action flip", "action keep", `line 10, column 8: a second action is named "keep"`},
		{"init [* (side (heads (1)) (tails (0)))", "init [* (side' (heads (1)) (tails (0)))", `line 3, column 9: this tests the next value of "side"; that is not read here`},
		{"init [* (side (heads (1)) (tails (0)))", "init [*", `line 3, column 6: the initial distribution sums to 2; it must sum to 1`},
		{"endaction\nreward", "reward", `line 13, column 1: there is no variable "reward"`},
		{"horizon 3\n", "init (", `line 17, column 1: a second "init"`},
		{"horizon 3\n", "reward (", `line 17, column 1: a second "reward"`},
		{"horizon 3\n", "dd x (", `line 17, column 7: a number or a variable was expected, but the file ends`},
		{"horizon 3\n", "dd x " + strings.Repeat("[+ ", 300), `line 17, column 606: more than 200 trees stand in each other`},
	} {
		text := strings.Replace(coinSpudd, test.old, test.new, 1)
		if text == coinSpudd {
			t.Fatalf("%q does not stand in the file", test.old)
		}
		_, _, err := format.ReadModel("", []byte(text), format.Options{})
		if fmt.Sprint(err) != test.want {
			t.Errorf("%q for %q: %v, want %s", test.new, test.old, err, test.want)
		}
	}
	_, _, err := format.ReadModel("", []byte("hello"), format.Options{})
	if fmt.Sprint(err) != "the file is in none of the formats of models that are known: "+strings.Join(format.ModelFormats(), ", ") {
		t.Error(err)
	}
}

// Names of trees that stand for very large trees take bounded time.
func TestSpuddBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("(variables")
	for j := range 30 {
		fmt.Fprintf(&b, " (x%d a b)", j)
	}
	b.WriteString(")\ndd d0 (x0' (a (.5)) (b (.5))) enddd\n")
	for j := range 29 {
		fmt.Fprintf(&b, "dd d%d (x%d (a (d%d)) (b (d%d))) enddd\n", j+1, j+1, j, j)
	}
	b.WriteString("action go\n x0 (d29)\n")
	for j := range 29 {
		fmt.Fprintf(&b, " x%d (x%d' (a (.5)) (b (.5)))\n", j+1, j+1)
	}
	b.WriteString("endaction horizon 3")
	if _, _, err := format.ReadModel("", []byte(b.String()), format.Options{}); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Error(err)
	}
}

// FuzzModel checks that every text gives a valid model or an error of one line.
func FuzzModel(f *testing.F) {
	rng := rand.New(rand.NewPCG(42, 1))
	f.Add(coinSpudd, 0)
	f.Add(walkMDP, 5)
	f.Add(`{"format":"gymnasium/P"}`, 0)
	f.Add(ringRDDL+ringInstance, 0)
	f.Add(join(courier), 2)
	f.Add(join(strings.Replace(liftRDDL, "MOST", "2", 1), ringRDDL), 0)
	fluents, laws := doubled("bool", "a ^ b", "if (a) then {} else if (b) then {} else a")
	f.Add(small(fluents, laws, "a <=> f64", "action-preconditions { do(t1) => f9; }; termination { a ^ f8; };"), 0)
	f.Add(rainBIF, 5)
	f.Add(spuddOf(rng, randomModel(rng)), 3)
	f.Fuzz(func(t *testing.T, text string, horizon int) {
		f, notes, err := format.ReadModelFile("m", []byte(text), format.Options{Horizon: horizon})
		if err != nil {
			notes = []string{err.Error()}
		} else if err := f.Model.Validate(); err != nil {
			t.Error(err)
		} else {
			consistent(t, f)
		}
		for _, note := range notes {
			if note == "" || strings.Contains(note, "\n") || len(note) > 600 {
				t.Errorf("%q: %q", text, note)
			}
		}
	})
}
