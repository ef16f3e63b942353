package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/formula"
	"cpsrl/core/planning"
	"cpsrl/core/spec"
)

// unseen says which state variables of a partly hidden world are noise and which are memory.
type unseen struct{ memory, noise []int }

// partlyHidden draws a world in which agents see one or two variables, and in which noise and a variable that
// remembers are hidden, in any order. It has an end, payoffs on arrival and actions that are not
// legal, in some worlds only in some states. In some worlds a variable without parents starts by another law than its own, or starts with the
// value of another variable, so that it counts as memory.
func partlyHidden(t *testing.T, rng *rand.Rand, small bool) (*fmdp.Model, unseen) {
	t.Helper()
	m, of := &fmdp.Model{Horizon: 2 + rng.IntN(4)}, unseen{}
	m.State = []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 3}}
	m.Action = []fmdp.Variable{{Name: "left", Size: 2}, {Name: "right", Size: 2}}
	list := [][]int{{0, 0}, {0, 1}, {1, 1}}
	if small {
		m.Horizon, m.State, list = 3, m.State[:1], list[:2]
	}
	var err error
	if m.Legal, err = fmdp.NewLegal(m.Action, list); err != nil {
		t.Fatal(err)
	}
	if m.Horizon%2 == 0 { // which depends on what is seen
		rule := &formula.Tabulator{Space: &m.Space}
		if m.Legal, err = rule.Actions("left <= right and (a = 1 or right = 0) and (b < 2 or left = right)"); err != nil {
			t.Fatal(err)
		}
	}
	seen := m.Y()
	sorts := []string{"remembers", "noise"}
	if !small {
		sorts = append(sorts, []string{"noise", "noise", "starts otherwise", "starts with a", "remembers"}[rng.IntN(5)])
	}
	rng.Shuffle(len(sorts), func(i, k int) { sorts[i], sorts[k] = sorts[k], sorts[i] })
	for k, sort := range sorts {
		j := seen + k
		m.State = append(m.State, fmdp.Variable{Name: fmt.Sprint("u", k), Size: 2 + rng.IntN(2)})
		if sort == "noise" {
			of.noise = append(of.noise, j)
		} else {
			of.memory = append(of.memory, j)
		}
	}
	m.Hidden = len(sorts)
	row := func(n int) []float64 {
		p, sum := make([]float64, n), 0.0
		for k := range p {
			p[k] = rng.ExpFloat64()
			sum += p[k]
		}
		for k := range p {
			p[k] /= sum
		}
		return p
	}
	for j, v := range m.State {
		f := fmdp.Factor{Size: v.Size}
		switch {
		case j < seen: // given all that is hidden
			f.Given = append([]int{rng.IntN(seen), m.Y() + rng.IntN(2)}, slices.Concat(of.noise, of.memory)...)
		case sorts[j-seen] == "remembers": // given itself, an action, noise and what is seen
			f.Given = []int{j, m.Y() + rng.IntN(2), of.noise[rng.IntN(len(of.noise))], 0}
		}
		for range m.Rows(f.Given) {
			f.P = append(f.P, row(v.Size)...)
		}
		m.Transition = append(m.Transition, f)
	}
	m.Reward = []fmdp.Reward{{Given: []int{m.X(), m.Y(), 0}, Scale: 1, Of: -1}, {Given: []int{m.Y() + 1, 0}, Kind: fmdp.Bernoulli, Scale: 2, Of: -1}}
	for f := range m.Reward {
		r := &m.Reward[f]
		for range m.Rows(r.Given) {
			r.Mean = append(r.Mean, rng.Float64())
		}
	}
	if !small {
		m.Ends = []fmdp.Ending{{Name: "out", Given: []int{1, 0}, Is: [][]int{{2, 1}, {0, 1}}}}
	}
	// The start: any law of what is seen and of what remembers, times the laws of what has no parents.
	var rooted []int // what is seen and what remembers
	for j := range m.State {
		if j < seen || sorts[j-seen] == "remembers" {
			rooted = append(rooted, j)
		}
	}
	start, at := row(m.Rows(rooted)), make([]int, m.Y())
	for s := range m.States() {
		m.Point(at, s)
		p := start[m.Row(rooted, at)]
		for j := seen; j < m.Y(); j++ {
			switch sorts[j-seen] {
			case "noise":
				p *= m.Transition[j].P[at[j]]
			case "starts otherwise":
				p *= []float64{.25, .75, 0}[at[j]]
			case "starts with a":
				if at[j] != at[0] {
					p = 0
				}
			}
		}
		m.Initial = append(m.Initial, p)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m, of
}

// step returns the probability of the next state given a point, and what the step pays on average. Both are
// computed from the tables alone.
func step(m *fmdp.Model, point, next []int) (p, paid float64) {
	row := func(given []int) (row int) {
		for _, i := range given {
			if i < len(point) {
				row = row*m.Var(i).Size + point[i]
			} else {
				row = row*m.State[i-len(point)].Size + next[i-len(point)]
			}
		}
		return row
	}
	p = 1
	for j, f := range m.Transition {
		p *= f.P[row(f.Given)*f.Size+next[j]]
	}
	for _, r := range m.Reward {
		paid += r.Scale * r.Mean[row(r.Given)]
	}
	return p, paid
}

// enumerated is a world with its states, its joint actions, and all steps.
type enumerated struct {
	*fmdp.Model
	unseen
	states  [][]int
	actions [][]int
	steps   [][]oneStep // by point, then by next state
}

type oneStep struct{ p, paid float64 }

func enumerate(m *fmdp.Model, of unseen) *enumerated {
	w := &enumerated{Model: m, unseen: of, actions: m.Legal.List()}
	for s := range m.States() {
		w.states = append(w.states, m.Point(make([]int, m.Y()), s))
	}
	for _, state := range w.states {
		for _, action := range w.actions {
			point := slices.Concat(state, action)
			var row []oneStep
			for _, next := range w.states {
				p, paid := step(m, point, next)
				row = append(row, oneStep{p, paid})
			}
			w.steps = append(w.steps, row)
		}
	}
	return w
}

// ends reports whether an episode is over in a state.
func ends(m *fmdp.Model, state []int) bool {
	for _, e := range m.Ends {
		for _, is := range e.Is {
			all := true
			for k, i := range e.Given {
				all = all && state[i] == is[k]
			}
			if all {
				return true
			}
		}
	}
	return false
}

// bestInformed returns V⋆ by its definition: V_h(seen, memory) is the largest mean over actions of the payoff
// and V_{h+1}, where the noise has its law; at the end it is 0.
func (w *enumerated) bestInformed() float64 {
	known := make([]string, len(w.states)) // what is seen and remembered in a state
	for s, state := range w.states {
		state = slices.Clone(state)
		for _, j := range w.noise {
			state[j] = 0
		}
		known[s] = fmt.Sprint(state)
	}
	after := map[string]float64{}
	for range w.Horizon {
		q := map[string][]float64{}
		for s, state := range w.states {
			if ends(w.Model, state) {
				continue
			}
			weight := 1.0
			for _, j := range w.noise {
				weight *= w.Transition[j].P[state[j]]
			}
			now := q[known[s]]
			if now == nil {
				now = make([]float64, len(w.actions))
				q[known[s]] = now
			}
			for a, action := range w.actions {
				if !w.Allows(slices.Concat(state, action)) {
					now[a] = math.Inf(-1)
					continue
				}
				for y, step := range w.steps[s*len(w.actions)+a] {
					now[a] += weight * step.p * (step.paid + after[known[y]])
				}
			}
		}
		after = map[string]float64{}
		for k, values := range q {
			after[k] = slices.Max(values)
		}
	}
	value := 0.0
	for s := range w.states {
		value += w.Initial[s] * after[known[s]]
	}
	return value
}

// worthOf returns the value of a policy of any states, by the probability of each state at each step.
func (w *enumerated) worthOf(action func(h int, state []int) int) float64 {
	value, now := 0.0, w.Initial
	for h := 1; h <= w.Horizon; h++ {
		later := make([]float64, len(w.states))
		for s, state := range w.states {
			if now[s] == 0 || ends(w.Model, state) {
				continue
			}
			a := action(h, state)
			if !w.Allows(slices.Concat(state, w.actions[a])) {
				return math.NaN()
			}
			for y, step := range w.steps[s*len(w.actions)+a] {
				value += now[s] * step.p * step.paid
				later[y] += now[s] * step.p
			}
		}
		now = later
	}
	return value
}

// Where noise and memory are hidden, V⋆ is that of the best policy that sees the memory and no draw of the
// noise. Oracles: induction over what is seen and remembered, from the definition; the value of each policy
// played, step by step in the world with its noise. No policy of the view has a regret below 0.
func TestNoiseIsNoRegret(t *testing.T) {
	rng, sees := rand.New(rand.NewPCG(7, 53)), 0
	const problems = 40
	for n := range problems {
		m, of := partlyHidden(t, rng, false)
		if got := domain.NoiseOf(m); got != bigraph.Of(of.noise...) {
			t.Fatalf("problem %d: the noise is %v, want %v", n, got.Parents(), of.noise)
		}
		e, err := New(&spec.Spec{Domain: domain.NewCustom(m), Agents: []string{"c-psrl", "f-psrl", "psrl", "random", "constant:action=1"}, Episodes: 3, Seed: n})
		if err != nil {
			t.Fatal(err)
		}
		world := enumerate(m, of)
		want := world.bestInformed()
		if got, err := e.Optimum(); err != nil || math.Abs(got-want) > 1e-10 {
			t.Errorf("problem %d: V⋆ is %v, want %v, %v", n, got, want, err)
		}
		if mdp, err := planning.FromModel(m, nil); err != nil {
			t.Fatal(err)
		} else if _, values := planning.Induction(mdp); values.Value(m.Initial) > want+1e-6 {
			sees++
		}
		truth, err := e.truth(0)
		if err != nil {
			t.Fatal(err)
		}
		view := truth.View
		for _, arm := range e.Arms() {
			p, err := truth.enter(arm)
			if err != nil {
				t.Fatal(err)
			}
			for episode, err := range p.episodes(context.Background(), 3) {
				if err != nil {
					t.Fatal(err)
				}
				r, err := p.score(t.Context(), episode)
				if err != nil {
					t.Fatal(err)
				}
				value := world.worthOf(func(h int, state []int) int { return p.plan.Action(h, view.Index(state[:view.Y()])) })
				if !(math.Abs(r.Value-value) <= 1e-10) || r.Optimal != truth.optimum || r.Regret < -1e-10 {
					t.Errorf("problem %d, %s: a value of %v, want %v; V⋆ %v, regret %v", n, r.Agent, r.Value, value, r.Optimal, r.Regret)
				}
			}
		}
	}
	if sees < problems*3/4 {
		t.Errorf("only in %d of %d problems does it help to see the noise", sees, problems)
	}
}

// V⋆ is the largest value of all policies of what is seen and remembered. Oracle: each of them, step by step
// in the world with its noise.
func TestBestInformedPolicy(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 53))
	for n := range 3 {
		m, of := partlyHidden(t, rng, true)
		for m.State[of.memory[0]].Size > 2 { // so that there are 2¹² policies
			m, of = partlyHidden(t, rng, true)
		}
		best, world := math.Inf(-1), enumerate(m, of)
		for bits := range 1 << (4 * m.Horizon) {
			best = max(best, world.worthOf(func(h int, state []int) int {
				return bits >> (4*(h-1) + 2*state[0] + state[of.memory[0]]) & 1
			}))
		}
		e, err := New(&spec.Spec{Domain: domain.NewCustom(m), Agents: []string{"psrl"}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.Optimum(); err != nil || math.Abs(got-best) > 1e-10 {
			t.Errorf("problem %d: V⋆ is %v, the best of all policies %v, %v", n, got, best, err)
		}
	}
}

// By hand: a guess is paid if it is the coin, which agents do not see and which is tossed anew at each step.
// Whoever sees the toss is paid 1 a step, everybody else ½. A drift that agents do not see, either, stays and
// changes nothing of this; the words say what the regret is against.
func TestCoinThatNobodyKnows(t *testing.T) {
	text := strings.NewReplacer("STATE", `,{"name":"drift","size":2}`, "UNSEEN", `"hidden":["drift"],"noise":[{"name":"coin","size":2,"p":[0.5,0.5]}]`,
		"INITIAL", `[{"state":[0,0,0],"p":0.5},{"state":[0,0,1],"p":0.5}]`, "LAW", `,{"of":"drift","given":["drift"],"p":[[1,0],[0,1]]}`,
		`{"of":"a","given":["coin"],"p":[[1,0],[0,1]]}`, `{"of":"a","given":["coin","act"],"p":[[0,1],[1,0],[1,0],[0,1]]}`,
		`{"of":"b","given":["coin"],"p":[[1,0],[0,1]]}`, `{"of":"b","given":["drift"],"p":[[1,0],[0,1]]}`,
		`{"given":["a","b"],"mean":[0,0,0,1],"kind":"fixed"}`, `{"given":["a'"],"mean":[0,1],"kind":"fixed"}`,
		`"psrl","f-psrl","c-psrl"`, `"psrl","c-psrl","constant"`).Replace(coinsSpec)
	s, err := spec.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Optimal-2) > 1e-12 || math.Abs(r.Regret) > 1e-12 {
			t.Fatalf("%s: V⋆ = %v, regret %v", r.Agent, r.Optimal, r.Regret)
		}
	}
	if got, want := e.Caveat(), "Agents do not see drift, coin. Regret is against the best policy that sees drift but not the noise coin, so it is an upper bound."; got != want {
		t.Errorf("%s", got)
	}
}
