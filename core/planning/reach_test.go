package planning_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
)

// within reports whether two values differ by rounding only.
func within(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b)) }

// planned are the values of the best policy, of the uniform one and of some other.
type planned struct{ best, uniform, other float64 }

// checkReached compares the values of what can occur with those of all states, which are those of the textbook's recursion
// or, for a long one, of Solve.
func checkReached(t *testing.T, name string, m *fmdp.Model, textbook bool) *planning.Reached {
	t.Helper()
	all, err := planning.FromModel(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := planning.Reach(m)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	solve, room := planning.Induction, 0.0
	if !textbook {
		solve, room = planning.Solve, planning.Tolerance
	}
	best, values := solve(all)
	_, own := solve(r.MDP)
	// Some other policy is the best of a shorter episode, shifted.
	other := func(h, s int) int {
		a := (best.Action(h, s) + h) % all.Actions
		for all.Legal != nil && !all.Legal[s*all.Actions+a] {
			a = (a + 1) % all.Actions
		}
		return a
	}
	rules := make([][]int32, m.Horizon)
	for h := 1; h <= m.Horizon; h++ {
		rule := make([]int32, all.States)
		for s := range rule {
			rule[s] = int32(other(h, s))
		}
		rules[m.Horizon-h] = rule
	}
	want := planned{values.Value(m.Initial), planning.Uniform(all, m.Initial), planning.Evaluate(all, planning.NewPolicy(m.Horizon, rules)).Value(m.Initial)}
	got := planned{best: own.Value(r.Initial), uniform: planning.Uniform(r.MDP, r.Initial)}
	asked := map[string]bool{}
	got.other, err = r.Value(func(h int, state []int) (int, error) {
		key := fmt.Sprint(h, state)
		if s := r.Index(state); asked[key] || s < 0 || r.Ended != nil && r.Ended[s] != 0 {
			t.Fatalf("%s: asked at step %d in %v, state %d, once more: %v", name, h, state, s, asked[key])
		}
		asked[key] = true
		return other(h, m.Index(state)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !within(got.best, want.best) && math.Abs(got.best-want.best) > room || math.Abs(got.uniform-want.uniform) > planning.Tolerance || !within(got.other, want.other) {
		t.Errorf("%s: the values are %+v, want %+v", name, got, want)
	}
	mine, err := r.Value(func(h int, state []int) (int, error) { return best.Action(h, m.Index(state)), nil })
	if err != nil || !within(mine, want.best) && math.Abs(mine-want.best) > room {
		t.Errorf("%s: the best policy is worth %v, want %v (%v)", name, mine, want.best, err)
	}
	state := make([]int, m.Y())
	for s := range r.Len() {
		if got := r.Index(r.State(state, s)); got != s {
			t.Fatalf("%s: state %d is %v, which is %d", name, s, state, got)
		}
	}
	return r
}

// Oracle: the plan of all states, for every problem of the project whose states can be listed and that is not too large.
func TestReachedProblems(t *testing.T) {
	few := 0
	for _, kind := range domain.Kinds() {
		if kind.Key == "model" { // it has no default
			continue
		}
		p, err := complete(kind.New())
		if err != nil {
			t.Fatal(err)
		}
		m := *p.World
		if m.CheckListed() != nil {
			continue
		}
		var many *planning.TooManyError
		if _, err := planning.Reach(&m); errors.As(err, &many) {
			t.Logf("%s: %v", kind.Key, err)
			continue
		}
		r := checkReached(t, kind.Key, &m, false)
		if r.Len() < m.States() {
			few++
			t.Logf("%s: %d of %d states can occur", kind.Key, r.Len(), m.States())
		}
		m.Horizon = min(m.Horizon, 3)
		checkReached(t, kind.Key+" for 3 steps", &m, true)
	}
	if few < 3 {
		t.Errorf("in %d problems some states cannot occur", few)
	}
}

// Oracle: textbook induction over all states of random models, in which much is impossible, with ends, payoffs on arrival
// and joint actions that are not legal.
func TestReachedRandom(t *testing.T) {
	rng := stream(56)
	fewer, cut := 0, 0
	for round := range 300 {
		m := endingModel(t, rng, 1+rng.IntN(5), round%2 == 0)
		for j := range m.Transition {
			f := &m.Transition[j]
			for row := range m.Rows(f.Given) {
				p := f.Row(row)
				if at := rng.IntN(len(p)); rng.IntN(4) > 0 { // certain
					clear(p)
					p[at] = 1
				}
			}
		}
		if round%4 == 0 {
			restrict(t, rng, m)
		}
		clear(m.Initial)
		m.Initial[rng.IntN(m.States())] += .25
		m.Initial[rng.IntN(m.States())] += .75
		if round%3 == 0 { // the same law, as a list of the first variable with laws of the others
			m.Initial = nil
			m.First = &fmdp.Start{States: [][]int{{0}, {1}, {0}}, P: []float64{.5, .25, .25}, Each: [][]float64{{.5, 0, .5}, {0, 1}}}
			if err := m.List(); err != nil {
				t.Fatal(err)
			}
			listed := m.Initial
			m.Initial = nil
			r, err := planning.Reach(m)
			if err != nil {
				t.Fatal(err)
			}
			state := make([]int, m.Y())
			for s := range r.Len() {
				if !within(r.Initial[s], listed[m.Index(r.State(state, s))]) {
					t.Fatalf("round %d: μ(%v) = %v, want %v", round, state, r.Initial[s], listed[m.Index(state)])
				}
			}
			m.Initial = listed
		}
		r := checkReached(t, fmt.Sprint("round ", round), m, true)
		if r.Len() < m.States() {
			fewer++
		}
		if r.Len() < r.States {
			cut++
		}
	}
	if fewer < 100 || cut < 100 {
		t.Errorf("%d of 300 models have states that cannot occur, %d end before the search", fewer, cut)
	}
}

// corridor is a walk east along that many cells, a bit each, from the first to the last. A step may move the robot or
// leave it; on its way into a cell it vanishes with that probability. A step pays −1 until the robot is in the last cell.
func corridor(t *testing.T, cells, horizon int, vanishes float64) *fmdp.Model {
	t.Helper()
	m := &fmdp.Model{Horizon: horizon, First: &fmdp.Start{}}
	m.Action = []fmdp.Variable{{Name: "move", Size: 2}}
	for j := range cells {
		m.State = append(m.State, fmdp.Variable{Name: fmt.Sprint("x", j), Size: 2})
		at := 0.0
		if j == 0 {
			at = 1
		}
		m.First.Each = append(m.First.Each, []float64{1 - at, at})
	}
	for j := range cells {
		f := fmdp.Factor{Given: []int{j, cells}, Size: 2, P: []float64{1, 0, 1, 0, 0, 1, 1, 0}}
		if j > 0 { // given x(j−1), xj, move
			f.Given = []int{j - 1, j, cells}
			f.P = []float64{1, 0, 1, 0, 0, 1, 1, 0, 1, 0, vanishes, 1 - vanishes, 0, 1, vanishes, 1 - vanishes}
		}
		if j == cells-1 { // it stays in the last one
			f.P[6], f.P[7] = 0, 1
		}
		m.Transition = append(m.Transition, f)
	}
	m.Reward = []fmdp.Reward{{Given: []int{cells - 1}, Mean: []float64{-1, 0}, Scale: 1, Of: -1}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// By hand: a robot that walks without a stop is in the last of n cells after n−1 steps unless it has vanished, so it pays
// n−1, and then the rest of the horizon with probability 1 − (1−p)^(n−1). To stay pays the horizon.
func TestReachedCorridor(t *testing.T) {
	const cells, horizon, p = 60, 100, .001
	m := corridor(t, cells, horizon, p)
	if m.CheckListed() == nil {
		t.Fatal("a list holds the states")
	}
	r, err := planning.Reach(m)
	if err != nil {
		t.Fatal(err)
	}
	if r.Len() != cells+1 || r.States != r.Len() {
		t.Errorf("%d states can occur, and the MDP has %d; want one for each cell and one without a robot", r.Len(), r.States)
	}
	_, values := planning.Solve(r.MDP)
	lost := 1 - math.Pow(1-p, cells-1)
	want := -(cells - 1) - lost*(horizon-cells+1)
	if got := values.Value(r.Initial); math.Abs(got-want) > 1e-10 {
		t.Errorf("V⋆ = %v, want %v", got, want)
	}
	questions := 0
	stay, err := r.Value(func(int, []int) (int, error) { questions++; return 0, nil })
	if err != nil || stay != -horizon || questions != horizon {
		t.Errorf("to stay is worth %v after %d questions (%v)", stay, questions, err)
	}
	if m = corridor(t, cells, 20, p); err == nil {
		if r, err = planning.Reach(m); err != nil || r.Len() != 21 || r.States != 22 {
			t.Errorf("in 20 steps %d states can occur (%v)", r.Len(), err)
		}
	}
	wrong := errors.New("no action")
	if _, err := r.Value(func(int, []int) (int, error) { return 0, wrong }); err != wrong {
		t.Errorf("the error is %v", err)
	}
}

// What is too much to list is refused at once, in one sentence.
func TestReachedTooMany(t *testing.T) {
	coins := corridor(t, 40, 10, 0)
	for j := range coins.Transition {
		f := &coins.Transition[j]
		for k := range f.P {
			f.P[k] = .5
		}
	}
	moves := corridor(t, 25, 100, 0) // the last 25 moves
	for j := range moves.Transition {
		f := &moves.Transition[j]
		f.Given, f.P = []int{(j + 25) % 26}, []float64{1, 0, 0, 1}
	}
	start := corridor(t, 40, 10, 0)
	start.First = fmdp.UniformStart(&start.Space)
	for name, c := range map[string]struct {
		model *fmdp.Model
		what  string
	}{"coins": {coins, "transitions"}, "moves": {moves, "state-action pairs"}, "start": {start, "state-action pairs"}} {
		var many *planning.TooManyError
		_, err := planning.Reach(c.model)
		if !errors.As(err, &many) || many.What != c.what || strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// Too many states to begin in are refused before one is met. A state that is listed twice is one state.
func TestReachedStart(t *testing.T) {
	m := corridor(t, 40, 10, 0)
	m.First = fmdp.UniformStart(&m.Space)
	if n := testing.AllocsPerRun(1, func() {
		if _, err := planning.Reach(m); err == nil {
			t.Error("2⁴⁰ states have been listed")
		}
	}); n > 1000 {
		t.Errorf("%v allocations before the refusal", n)
	}
	m = corridor(t, 18, 1, 0)
	m.First = &fmdp.Start{States: [][]int{{0}, {0}, {0}}, P: []float64{.5, .25, .25}}
	for range 17 {
		m.First.Each = append(m.First.Each, []float64{.5, .5})
	}
	r, err := planning.Reach(m)
	if err != nil {
		t.Fatal(err)
	}
	if begin := slices.IndexFunc(r.Initial, func(p float64) bool { return p != 0x1p-17 }); begin != 1<<17 {
		t.Errorf("an episode may begin in %d states", begin)
	}
}

func BenchmarkReach(b *testing.B) {
	d, err := domain.Lookup("navigation")
	if err != nil {
		b.Fatal(err)
	}
	p, err := complete(d.New())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := planning.Reach(p.World)
		if err != nil {
			b.Fatal(err)
		}
		planning.Solve(r.MDP)
	}
}

// complete returns a problem with its defaults.
func complete(d domain.Domain) (*domain.Problem, error) {
	if err := param.Complete(d.Params); err != nil {
		return nil, err
	}
	return d.Build(rand.New(rand.NewPCG(3, 4)), domain.Given{MostParents: d.Sparseness(), Eta: 2, Rewards: stream(4)})
}
