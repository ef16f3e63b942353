package planning_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9a)) }

// table is an MDP whose law is a plain table.
type table struct {
	states, actions, horizon int
	p                        [][]float64 // by point x = s·A+a
	r                        []float64
}

func (m *table) mdp() *planning.MDP {
	return &planning.MDP{
		States: m.states, Actions: m.actions, Horizon: m.horizon,
		Reward: m.r, Next: planning.NewDense(slices.Concat(m.p...)),
	}
}

// randomTable draws rows of which a share is sparse, and rewards in [low, high].
func randomTable(rng *rand.Rand, states, actions, horizon int, low, high float64) *table {
	m := &table{states: states, actions: actions, horizon: horizon}
	for range states * actions {
		row, sum := make([]float64, states), 0.0
		for s := range row {
			if rng.IntN(3) == 0 {
				row[s] = rng.ExpFloat64()
			}
			sum += row[s]
		}
		if sum == 0 {
			row[rng.IntN(states)], sum = 1, 1
		}
		for s := range row {
			row[s] /= sum
		}
		m.p = append(m.p, row)
		m.r = append(m.r, low+(high-low)*rng.Float64())
	}
	return m
}

// induction is planning.Induction as V[h] for h = 1 … H, V[H+1] = 0, and π[h].
func (m *table) induction() (v [][]float64, rule [][]int32) {
	policy, values := planning.Induction(m.mdp())
	v, rule = make([][]float64, m.horizon+2), make([][]int32, m.horizon+1)
	v[m.horizon+1] = make([]float64, m.states)
	for h := 1; h <= m.horizon; h++ {
		v[h], rule[h] = values.At(make([]float64, m.states), h), policy.Rule(h)
	}
	return v, rule
}

func (m *table) backup(s, a int, next []float64) float64 {
	x := s*m.actions + a
	sum := 0.0
	for y, p := range m.p[x] {
		sum += p * next[y]
	}
	return m.r[x] + sum
}

// follow is the value of a policy, action by action.
func (m *table) follow(action func(h, s int) int) [][]float64 {
	v := make([][]float64, m.horizon+2)
	v[m.horizon+1] = make([]float64, m.states)
	for h := m.horizon; h >= 1; h-- {
		v[h] = make([]float64, m.states)
		for s := range m.states {
			v[h][s] = m.backup(s, action(h, s), v[h+1])
		}
	}
	return v
}

func (m *table) followPolicy(p *planning.Policy) [][]float64 {
	return m.follow(func(h, s int) int { return int(p.Rule(h)[s]) })
}

// near compares within 1e-9, relative to values above 1.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func checkValues(t *testing.T, name string, got *planning.Values, want [][]float64) {
	t.Helper()
	dst := make([]float64, len(want[1]))
	for h := 1; h < len(want)-1; h++ {
		got.At(dst, h)
		for s := range dst {
			if !near(dst[s], want[h][s]) {
				t.Fatalf("%s: V_%d(%d) = %v, want %v", name, h, s, dst[s], want[h][s])
			}
		}
	}
}

// Oracle: every deterministic non-stationary policy, evaluated one by one; some
// optimal policy is among them.
func TestSolveEnumerated(t *testing.T) {
	for _, c := range []struct{ states, actions, horizon int }{
		{1, 3, 3}, {2, 2, 1}, {2, 2, 4}, {2, 3, 3}, {3, 2, 3}, {4, 2, 2},
	} {
		rng := stream(uint64(c.states*100 + c.actions*10 + c.horizon))
		for range 5 {
			m := randomTable(rng, c.states, c.actions, c.horizon, -1, 1)
			digits := c.states * c.horizon
			count := 1
			for range digits {
				count *= c.actions
			}
			best := make([]float64, c.states)
			for s := range best {
				best[s] = math.Inf(-1)
			}
			choice := make([]int, digits)
			for range count {
				v := m.follow(func(h, s int) int { return choice[(h-1)*c.states+s] })
				for s := range best {
					best[s] = max(best[s], v[1][s])
				}
				for k := range choice {
					if choice[k]++; choice[k] < c.actions {
						break
					}
					choice[k] = 0
				}
			}
			for name, solve := range map[string]func(*planning.MDP) (*planning.Policy, *planning.Values){
				"Solve": planning.Solve, "Induction": planning.Induction,
			} {
				policy, values := solve(m.mdp())
				got := values.At(make([]float64, c.states), 1)
				played := m.followPolicy(policy)[1]
				for s := range best {
					if !near(got[s], best[s]) || !near(played[s], best[s]) {
						t.Errorf("%s, %+v: V_1(%d) = %v, the policy's is %v, the best of %d policies %v", name, c, s, got[s], played[s], count, best[s])
					}
				}
			}
		}
	}
}

// counting counts the backups, to see whether the recursion stops.
type counting struct {
	planning.Operator
	calls int
}

func (c *counting) Apply(dst, v []float64, points []int32) {
	c.calls++
	c.Operator.Apply(dst, v, points)
}

// cycle is the periodic model of n states in a ring: every action moves on,
// and only leaving state 0 pays.
func cycle(n, actions, horizon int) *table {
	m := &table{states: n, actions: actions, horizon: horizon}
	for s := range n {
		for range actions {
			row := make([]float64, n)
			row[(s+1)%n] = 1
			m.p = append(m.p, row)
			m.r = append(m.r, 0)
			if s == 0 {
				m.r[len(m.r)-1] = 1
			}
		}
	}
	return m
}

// Oracle: Induction. Stopping early may cost 1e-9 and no more, in the
// values of every step and in what the policy is worth.
func TestSolveStopping(t *testing.T) {
	type model struct {
		name string
		*table
		stops bool // where it is certain
	}
	var models []model
	rng := stream(3)
	for _, h := range []int{1, 2, 3, 50, 400} {
		for _, r := range [][2]float64{{0, 1}, {-1, 0}, {-1e6, 1e6}, {1e9, 1e9 + 1}, {0, 1e-9}, {0, 0}} {
			for _, s := range []int{1, 2, 7, 20} {
				m := randomTable(rng, s, 1+rng.IntN(4), h, r[0], r[1])
				models = append(models, model{fmt.Sprintf("random S=%d H=%d R=%v", s, h, r), m, false})
			}
		}
	}
	dense := randomTable(rng, 10, 3, 1000, 0, 1)
	for x := range dense.p {
		for y := range dense.p[x] {
			dense.p[x][y] = 0.9*dense.p[x][y] + 0.01
		}
	}
	models = append(models, model{"mixing", dense, true})
	for _, n := range []int{2, 3, 5} {
		models = append(models, model{fmt.Sprint("cycle of ", n), cycle(n, 2, 201), false})
	}
	// Two ways to the same reward, one of them periodic.
	periodic := cycle(2, 2, 150)
	periodic.p[1] = []float64{1, 0}
	periodic.r[1] = 0.5
	models = append(models, model{"stay or cycle", periodic, false})

	for _, c := range models {
		v, _ := c.induction()
		m := c.mdp()
		op := &counting{Operator: m.Next}
		m.Next = op
		policy, values := planning.Solve(m)
		checkValues(t, c.name+", Solve", values, v)
		if c.stops && op.calls > c.horizon/2 {
			t.Errorf("%s: %d backups of %d, never stopped", c.name, op.calls, c.horizon)
		}
		played := c.followPolicy(policy)
		for s := range played[1] {
			if !near(played[1][s], v[1][s]) {
				t.Fatalf("%s: the policy is worth %v in state %d, the optimum is %v", c.name, played[1][s], s, v[1][s])
			}
		}
		checkValues(t, c.name+", Evaluate", planning.Evaluate(m, policy), played)
		op.calls = 0
		checkReturn(t, m, policy)
		if c.stops && op.calls > c.horizon-1+c.horizon/2*returnsChecked {
			t.Errorf("%s: %d backups for the returns, never stopped", c.name, op.calls)
		}
	}
}

// In a ring the recursion never stops early: D is always 1 in one state and 0 in the
// others. The values are whole numbers and must be exact after the backup of every step.
func TestPeriodicNeverStops(t *testing.T) {
	for _, n := range []int{2, 3, 7} {
		c := cycle(n, 2, 1000)
		m := c.mdp()
		op := &counting{Operator: m.Next}
		m.Next = op
		policy, values := planning.Solve(m)
		if op.calls != c.horizon-1 {
			t.Errorf("ring of %d: %d backups, want %d", n, op.calls, c.horizon-1)
		}
		evaluated := planning.Evaluate(m, policy)
		op.calls = 0
		dst := make([]float64, n)
		dst[0] = 1
		if got := planning.Return(m, policy, dst); got != evaluated.Value(dst) || op.calls != c.horizon-1 {
			t.Errorf("ring of %d: a return of %v after %d backups, want %v after %d", n, got, op.calls, evaluated.Value(dst), c.horizon-1)
		}
		for _, v := range []*planning.Values{values, evaluated} {
			for h := 1; h <= c.horizon; h++ {
				v.At(dst, h)
				for s := range dst {
					// Visits to state 0 in the H−h+1 steps from s.
					want := 0
					for k := range c.horizon - h + 1 {
						if (s+k)%n == 0 {
							want++
						}
					}
					if dst[s] != float64(want) {
						t.Fatalf("ring of %d: V_%d(%d) = %v, want %d", n, h, s, dst[s], want)
					}
				}
			}
		}
	}
}

// Over dyadic numbers there is no rounding, so that a tie is a tie. The lowest
// optimal action wins, at every step and in every state. Oracles: for Induction the
// backup of every action; for Solve Induction.
func TestTies(t *testing.T) {
	rng := stream(4)
	ties := 0
	for range 300 {
		m := &table{states: 1 + rng.IntN(4), actions: 2 + rng.IntN(4), horizon: 1 + rng.IntN(6)}
		for range m.states * m.actions {
			row := make([]float64, m.states)
			row[rng.IntN(m.states)] += 0.5
			row[rng.IntN(m.states)] += 0.5
			m.p = append(m.p, row)
			m.r = append(m.r, float64(rng.IntN(3)-1))
		}
		v, rule := m.induction()
		policy, values := planning.Solve(m.mdp())
		checkValues(t, "dyadic", values, v)
		for h := 1; h <= m.horizon; h++ {
			for s, want := range rule[h] {
				for a := range m.actions {
					if q := m.backup(s, a, v[h+1]); q > v[h][s] || q == v[h][s] && a < int(want) || q != v[h][s] && a == int(want) {
						t.Fatalf("Induction: π_%d(%d) = %d and V = %v, but action %d is worth %v", h, s, want, v[h][s], a, q)
					}
				}
				if got := policy.Rule(h)[s]; got != want {
					// A frozen rule may differ only where it costs nothing.
					if m.backup(s, int(got), v[h+1]) != v[h][s] {
						t.Fatalf("π_%d(%d) = %d is not optimal", h, s, got)
					}
					if h == m.horizon || got > want && m.horizon-h+1 <= 1 {
						t.Fatalf("π_%d(%d) = %d, want the lowest, %d", h, s, got, want)
					}
				}
				for a := int(want) + 1; a < m.actions; a++ {
					if m.backup(s, a, v[h+1]) == v[h][s] {
						ties++
					}
				}
			}
		}
	}
	if ties < 1000 {
		t.Errorf("only %d ties were tried", ties)
	}
	// All actions alike, for long: action 0.
	policy, _ := planning.Solve(cycle(3, 4, 100).mdp())
	for h := 1; h <= 100; h++ {
		if !slices.Equal(policy.Rule(h), []int32{0, 0, 0}) {
			t.Fatalf("π_%d = %v", h, policy.Rule(h))
		}
	}
}

// Permuting the actions permutes the policy and does not change the values.
func TestActionsRenamed(t *testing.T) {
	rng := stream(5)
	m := randomTable(rng, 6, 4, 30, 0, 1)
	order := rng.Perm(4)
	other := *m
	other.p, other.r = make([][]float64, len(m.p)), make([]float64, len(m.r))
	for s := range m.states {
		for a, b := range order {
			other.p[s*4+b], other.r[s*4+b] = m.p[s*4+a], m.r[s*4+a]
		}
	}
	one, v := planning.Solve(m.mdp())
	two, w := planning.Solve(other.mdp())
	for h := 1; h <= 30; h++ {
		if !slices.Equal(v.At(make([]float64, 6), h), w.At(make([]float64, 6), h)) {
			t.Fatalf("the values at step %d differ", h)
		}
		for s := range m.states {
			if int32(order[one.Rule(h)[s]]) != two.Rule(h)[s] {
				t.Fatalf("the actions at step %d differ", h)
			}
		}
	}
}

// Oracle: the policy evaluated action by action, for arbitrary policies: one
// rule for each step, a few, or one only.
func TestEvaluate(t *testing.T) {
	rng := stream(6)
	for _, h := range []int{1, 2, 10, 300} {
		for _, rules := range []int{1, 2, h} {
			m := randomTable(rng, 5, 3, h, -1, 2)
			list := make([][]int32, rules)
			for k := range list {
				for range m.states {
					list[k] = append(list[k], int32(rng.IntN(m.actions)))
				}
			}
			policy := planning.NewPolicy(h, list)
			if policy.Horizon() != h {
				t.Errorf("horizon %d", policy.Horizon())
			}
			for step := 1; step <= h; step++ { // by steps to go, the last for all more
				if want := list[min(h-step+1, rules)-1]; !slices.Equal(policy.Rule(step), want) {
					t.Fatalf("rule of step %d is %v, want %v", step, policy.Rule(step), want)
				}
			}
			want := m.followPolicy(policy)
			values := planning.Evaluate(m.mdp(), policy)
			checkReturn(t, m.mdp(), policy)
			checkValues(t, fmt.Sprintf("H=%d, %d rules", h, rules), values, want)
			initial := []float64{0.5, 0, 0.25, 0.125, 0.125}
			sum := 0.0
			for s, p := range initial {
				sum += p * want[1][s]
			}
			if got := values.Value(initial); !near(got, sum) {
				t.Errorf("value %v, want %v", got, sum)
			}
		}
	}
}

// Uniform play is worth the mean over all deterministic policies, which pick each state's action at each step
// independently. Oracle: each of them, by the definition; and for long horizons induction over means.
func TestUniform(t *testing.T) {
	rng := stream(12)
	for range 20 {
		m := randomTable(rng, 2, 1+rng.IntN(2), 1+rng.IntN(4), -1, 2)
		initial := []float64{0.3, 0.7}
		choices := m.states * m.horizon
		all := 1
		for range choices {
			all *= m.actions
		}
		want := 0.0
		for policy := range all {
			v := m.follow(func(h, s int) int {
				code := policy
				for range (h-1)*m.states + s {
					code /= m.actions
				}
				return code % m.actions
			})
			want += (initial[0]*v[1][0] + initial[1]*v[1][1]) / float64(all)
		}
		if got := planning.Uniform(m.mdp(), initial); !near(got, want) {
			t.Errorf("%d actions, horizon %d: %v, want %v", m.actions, m.horizon, got, want)
		}
	}
	for range 10 {
		m := randomTable(rng, 5, 3, 400, 0, 1)
		v := make([]float64, m.states)
		for range m.horizon {
			next := make([]float64, m.states)
			for s := range next {
				for a := range m.actions {
					next[s] += m.backup(s, a, v) / float64(m.actions)
				}
			}
			v = next
		}
		if got := planning.Uniform(m.mdp(), []float64{0, 0, 1, 0, 0}); !near(got, v[2]) {
			t.Errorf("horizon 400: %v, want %v", got, v[2])
		}
	}
}

// Return must not stop while the policy still changes, even if the values do not change.
// Action 1 pays 1, action 0 pays nothing, and only the last rule plays action 1.
func TestEvaluateChanging(t *testing.T) {
	m := cycle(2, 2, 9)
	copy(m.r, []float64{0, 1, 0, 1})
	policy := planning.NewPolicy(9, [][]int32{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 1}})
	values := planning.Evaluate(m.mdp(), policy)
	for h := 1; h <= 9; h++ {
		want := float64(max(0, 9-h+1-4))
		if v := values.At(make([]float64, 2), h); v[0] != want || v[1] != want {
			t.Errorf("V_%d = %v, want %v", h, v, want)
		}
	}
	checkReturn(t, m.mdp(), policy)
}

func TestEvaluateOtherHorizon(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a policy of another horizon did not panic")
		}
	}()
	planning.Return(cycle(2, 1, 3).mdp(), planning.NewPolicy(4, [][]int32{{0, 0}}), []float64{1, 0})
}

// Oracle: the mean return of 20 000 simulated episodes, within 5 standard errors.
func TestMonteCarlo(t *testing.T) {
	rng := stream(7)
	for _, horizon := range []int{3, 25} {
		m := randomTable(rng, 8, 3, horizon, -2, 5)
		policy, values := planning.Solve(m.mdp())
		returns := make([]float64, 20000)
		for k := range returns {
			s := 0
			for h := 1; h <= horizon; h++ {
				x := s*m.actions + int(policy.Rule(h)[s])
				returns[k] += m.r[x]
				u := rng.Float64()
				for s = 0; s < m.states-1 && u >= m.p[x][s]; s++ {
					u -= m.p[x][s]
				}
			}
		}
		initial := make([]float64, m.states)
		initial[0] = 1
		exact := values.Value(initial)
		mean, sd := stat.MeanStdDev(returns, nil)
		if se := sd / math.Sqrt(float64(len(returns))); math.Abs(mean-exact) > 5*se {
			t.Errorf("H=%d: exact %v, played %v ± %v", horizon, exact, mean, 5*se)
		}
	}
}

func benchmarkTable() *table { return randomTable(stream(9), 64, 8, 100, 0, 1) }

func BenchmarkSolve(b *testing.B) {
	m := benchmarkTable().mdp()
	b.ReportAllocs()
	for b.Loop() {
		planning.Solve(m)
	}
}

func BenchmarkReturn(b *testing.B) {
	m := benchmarkTable().mdp()
	policy, _ := planning.Solve(m)
	initial := make([]float64, m.States)
	b.ReportAllocs()
	for b.Loop() {
		planning.Return(m, policy, initial)
	}
}

// The value of a given policy: it waits, and turns the coin in the last step.
func ExampleEvaluate() {
	m := &planning.MDP{
		States: 2, Actions: 2, Horizon: 3, // heads, tails; wait, turn
		Reward: []float64{1, 0, 0, 0},
		Next:   planning.NewDense([]float64{1, 0, 0, 1, 0, 1, 1, 0}),
	}
	policy := planning.NewPolicy(3, [][]int32{{1, 1}, {0, 0}}) // with 1 step to go; with more
	values := planning.Evaluate(m, policy)
	_, best := planning.Induction(m)
	fair := []float64{0.5, 0.5}
	fmt.Println(values.Value(fair), "of", best.Value(fair))
	// Output: 1 of 2.5
}

// A lamp with two switches is lit in the next step if exactly one of them is on. It
// pays 1 while it is lit, and in each step the first switch may be flipped.
func ExampleFromModel() {
	m := &fmdp.Model{
		Space: fmdp.Space{
			State:  []fmdp.Variable{{Name: "first", Size: 2}, {Name: "second", Size: 2}, {Name: "lit", Size: 2}},
			Action: []fmdp.Variable{{Name: "flip", Size: 2}},
		},
		Horizon: 4,
		Initial: fmdp.Uniform(8),
		Transition: []fmdp.Factor{
			{Given: []int{0, 3}, Size: 2, P: []float64{1, 0, 0, 1, 0, 1, 1, 0}}, // first ⊕ flip
			{Given: []int{1}, Size: 2, P: []float64{1, 0, 0, 1}},                // second
			{Given: []int{0, 1}, Size: 2, P: []float64{1, 0, 0, 1, 0, 1, 1, 0}}, // first ⊕ second
		},
		Reward: []fmdp.Reward{{Given: []int{2}, Mean: []float64{0, 1}, Scale: 1, Of: -1}},
	}
	if err := m.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	mdp, err := planning.FromModel(m, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	policy, values := planning.Solve(mdp)
	fmt.Println("flip:", policy.Rule(1)) // in state (0,0,0), (0,0,1), (0,1,0), …
	fmt.Println("value:", values.Value(m.Initial))
	// Output:
	// flip: [1 1 0 0 0 0 1 1]
	// value: 3
}

// A coin to turn over: waiting pays 1 on heads, turning costs nothing.
func ExampleSolve() {
	m := &planning.MDP{
		States: 2, Actions: 2, Horizon: 3, // heads, tails; wait, turn
		Reward: []float64{1, 0, 0, 0},
		Next: planning.NewDense([]float64{
			1, 0, // heads, wait
			0, 1, // heads, turn
			0, 1, // tails, wait
			1, 0, // tails, turn
		}),
	}
	policy, values := planning.Solve(m)
	for h := 1; h <= 3; h++ {
		fmt.Println(policy.Rule(h), values.At(make([]float64, 2), h))
	}
	// Output:
	// [0 1] [3 2]
	// [0 1] [2 1]
	// [0 0] [1 0]
}

// shift is the law of a ring: from state s comes state s+1, whatever the action.
type shift struct{ states, actions int }

func (r shift) Apply(dst, v []float64, points []int32) {
	for i, x := range points {
		dst[i] = v[(int(x)/r.actions+1)%r.states]
	}
}

// returnsChecked is the number of returns that checkReturn takes.
const returnsChecked = 3

// checkReturn holds Return to Evaluate, from some states.
func checkReturn(t *testing.T, m *planning.MDP, policy *planning.Policy) {
	t.Helper()
	values := planning.Evaluate(m, policy)
	for k := range returnsChecked {
		initial := make([]float64, m.States)
		initial[k*(m.States-1)/2] = 1
		if got, want := planning.Return(m, policy, initial), values.Value(initial); !near(got, want) {
			t.Fatalf("H=%d: the return from state %d is %v, want %v", m.Horizon, k*(m.States-1)/2, got, want)
		}
	}
}

// Above MaxValues only the values of the first step are kept. Oracle: by hand. State 0 is
// reached once every S steps and pays 1 for action 1 only.
func TestLargeModel(t *testing.T) {
	const states, actions, horizon = 1024, 2, planning.MaxValues/1024 + 5
	m := &planning.MDP{States: states, Actions: actions, Horizon: horizon, Reward: make([]float64, states*actions), Next: shift{states, actions}}
	m.Reward[1] = 1
	policy, values := planning.Solve(m)
	checkReturn(t, m, policy)
	for _, v := range []*planning.Values{values, planning.Evaluate(m, policy)} {
		for s, got := range v.At(make([]float64, states), 1) {
			until := (states - s) % states // steps before state 0
			if want := float64((horizon - until + states - 1) / states); got != want {
				t.Fatalf("V_1(%d) = %v, want %v", s, got, want)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("At of values that were not kept did not panic")
		}
	}()
	values.At(make([]float64, states), 2)
}

// A policy is kept in bytes or in words. Oracle: the best action of each state is given.
func TestManyActions(t *testing.T) {
	for _, actions := range []int{1, 256, 257, 1000} {
		m := &planning.MDP{States: 2, Actions: actions, Horizon: 3, Reward: make([]float64, 2*actions), Next: shift{2, actions}}
		m.Reward[actions-1], m.Reward[actions+actions/2] = 1, 1
		policy, values := planning.Solve(m)
		want := []int32{int32(actions - 1), int32(actions / 2)}
		for h := 1; h <= 3; h++ {
			if got := policy.Rule(h); !slices.Equal(got, want) || policy.Action(h, 0) != actions-1 || policy.Action(h, 1) != actions/2 {
				t.Errorf("%d actions: π_%d = %v, want %v", actions, h, got, want)
			}
		}
		if got := planning.Return(m, planning.NewPolicy(3, [][]int32{want}), []float64{1, 0}); got != 3 || values.Value([]float64{0, 1}) != 3 {
			t.Errorf("%d actions: the value is %v, want 3", actions, got)
		}
	}
}

// States that differ only in noise are one state to those who do not see it. Oracle: the table of the classes,
// averaged by hand, by induction.
func TestLump(t *testing.T) {
	rng := stream(53)
	for n := range 30 {
		classes, each, actions, horizon := 2+rng.IntN(4), 1+rng.IntN(4), 1+rng.IntN(3), 1+rng.IntN(6)
		// Where each state of a class stands among the states, and how probable it is in the class.
		states := rng.Perm(classes * each)
		class, weights := make([]int32, len(states)), make([]float64, len(states))
		noise, sum := make([]float64, each), 0.0
		for k := range noise {
			noise[k] = rng.ExpFloat64()
			sum += noise[k]
		}
		for i, s := range states {
			class[s], weights[s] = int32(i/each), noise[i%each]/sum
		}
		known := randomTable(rng, len(states), actions, horizon, 0, 0)
		full := &table{states: len(states), actions: actions, horizon: horizon, p: make([][]float64, len(states)*actions), r: make([]float64, len(states)*actions)}
		want := &table{states: classes, actions: actions, horizon: horizon, r: make([]float64, classes*actions)}
		for range classes * actions {
			want.p = append(want.p, make([]float64, classes))
		}
		ended, endedClasses := make([]uint8, len(states)), make([]uint8, classes)
		endedClasses[rng.IntN(classes)] = uint8(rng.IntN(2))
		for s := range states {
			ended[s] = endedClasses[class[s]]
			for a := range actions {
				x, of := s*actions+a, int(class[s])*actions+a
				full.r[x] = rng.Float64()
				want.r[of] += weights[s] * full.r[x]
				// The law of the next class, times that of the noise.
				next := make([]float64, classes)
				for i, p := range known.p[x] {
					next[i/each] += p
				}
				full.p[x] = make([]float64, len(states))
				for y := range states {
					full.p[x][y] = next[class[y]] * weights[y]
				}
				for c, p := range next {
					want.p[of][c] += weights[s] * p
				}
			}
		}
		m, direct := full.mdp(), want.mdp()
		m.Ended, direct.Ended = ended, endedClasses
		lump := m.Lump(class, weights)
		if lump.States != classes || lump.Actions != actions || lump.Horizon != horizon {
			t.Fatalf("%d: %d states, %d actions, %d steps", n, lump.States, lump.Actions, lump.Horizon)
		}
		policy, values := planning.Solve(lump)
		_, induced := planning.Induction(direct)
		for h := 1; h <= horizon; h++ {
			got, right := values.At(make([]float64, classes), h), induced.At(make([]float64, classes), h)
			for c := range got {
				if math.Abs(got[c]-right[c]) > 1e-9 {
					t.Fatalf("%d: V_%d(%d) = %v, want %v", n, h, c, got[c], right[c])
				}
			}
		}
		// A policy of the classes has the same value among the states, where it does not see the noise.
		start := make([]float64, classes)
		start[rng.IntN(classes)] = 1
		among := make([]float64, len(states))
		rules := [][]int32{}
		for h := horizon; h >= 1; h-- {
			rule := make([]int32, len(states))
			for s, c := range class {
				rule[s] = int32(policy.Action(h, int(c)))
				among[s] = start[c] * weights[s]
			}
			rules = append(rules, rule)
		}
		one, two := planning.Return(lump, policy, start), planning.Return(m, planning.NewPolicy(horizon, rules), among)
		if math.Abs(one-two) > 1e-9 {
			t.Errorf("%d: the policy is worth %v and %v", n, one, two)
		}
	}
}
