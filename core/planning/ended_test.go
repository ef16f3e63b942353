package planning_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// endingModel draws a model over variables of two and three values with ends, payoffs on arrival and,
// if bits is set, three binary actions of which at most one is on.
func endingModel(t testing.TB, rng *rand.Rand, horizon int, bits bool) *fmdp.Model {
	t.Helper()
	m := &fmdp.Model{Horizon: horizon}
	for j, size := range []int{2, 3, 2} {
		m.State = append(m.State, fmdp.Variable{Name: fmt.Sprint("s", j), Size: size})
	}
	m.Action = []fmdp.Variable{{Name: "a", Size: 4}}
	if bits {
		m.Action = nil
		for k := range 3 {
			m.Action = append(m.Action, fmdp.Variable{Name: fmt.Sprint("b", k), Size: 2})
		}
		var err error
		if m.Legal, err = fmdp.NewAtMost(m.Action, 1, make([]int, 3)); err != nil {
			t.Fatal(err)
		}
	}
	m.Initial = fmdp.Uniform(m.States())
	for _, v := range m.State {
		f := fmdp.Factor{Given: rng.Perm(m.X())[:1+rng.IntN(m.X())], Size: v.Size}
		for range m.Rows(f.Given) {
			row := make([]float64, v.Size)
			sum := 0.0
			for k := range row {
				row[k] = rng.ExpFloat64()
				sum += row[k]
			}
			for k := range row {
				row[k] /= sum
			}
			f.P = append(f.P, row...)
		}
		m.Transition = append(m.Transition, f)
	}
	for range 3 {
		r := fmdp.Reward{Given: rng.Perm(m.X() + m.Y())[:1+rng.IntN(4)], Scale: 1, Of: -1}
		for range m.Rows(r.Given) {
			r.Mean = append(r.Mean, 2*rng.Float64()-1)
		}
		m.Reward = append(m.Reward, r)
	}
	m.Ends = []fmdp.Ending{{Name: "lost", Given: []int{1, 0}, Is: [][]int{{2, 1}}}, {Name: "won", Given: []int{0, 1}, Is: [][]int{{1, 2}, {0, 0}}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// explicit returns the joint law and R(x) of a model by enumeration of the next states.
func explicit(m *fmdp.Model) (joint, reward []float64) {
	point, next := make([]int, m.X()), make([]int, m.Y())
	for x := range m.Points() {
		m.Point(point, x)
		expected := 0.0
		for y := range m.States() {
			m.Point(next, y)
			p := 1.0
			for j := range m.Transition {
				f := &m.Transition[j]
				p *= f.Row(m.Row(f.Given, point))[next[j]]
			}
			paid := 0.0
			for _, r := range m.Reward {
				row := 0
				for _, i := range r.Given {
					v := 0
					if i < m.X() {
						v = point[i]
					} else {
						v = next[i-m.X()]
					}
					row = row*m.Var(i).Size + v
				}
				paid += r.Scale * r.Mean[row]
			}
			joint, expected = append(joint, p), expected+p*paid
		}
		reward = append(reward, expected)
	}
	return joint, reward
}

func closeTo(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Fatalf("%s: entry %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// Payoffs on arrival. Oracle: the expectation by enumeration of the next states, for a factored and for a
// dense law, with and without legal actions.
func TestArrival(t *testing.T) {
	for seed := range uint64(40) {
		m := endingModel(t, stream(seed), 3, seed%2 == 1)
		joint, want := explicit(m)
		closeTo(t, "factored", planning.Reward(m), want)
		dense := make([]float64, m.Points())
		for _, r := range m.Reward {
			planning.AddPayoffs(dense, &m.Space, r.Given, r.Mean, r.Scale, planning.Law{Joint: joint})
		}
		closeTo(t, "dense", dense, want)
	}
}

// Ends. Oracle: backward induction by hand in a model that has, instead of ends, a further state that
// pays nothing and stays: whoever enters an end is there from then on. (That is the variable "alive".)
func TestEnds(t *testing.T) {
	for seed := range uint64(40) {
		m := endingModel(t, stream(seed), 1+int(seed)*3, seed%2 == 1)
		joint, reward := explicit(m)
		ended := m.Ended()
		states, actions := m.States(), m.Actions()
		last := make([]float64, states+1) // the value of the further state is 0
		var rules [][]int32
		for range m.Horizon {
			v, rule := make([]float64, states+1), make([]int32, states)
			for s := range states {
				if ended[s] != 0 {
					continue
				}
				v[s] = math.Inf(-1)
				for a := range actions {
					x := s*actions + a
					q := reward[x]
					for y, p := range joint[x*states:][:states] {
						to := y
						if ended[y] != 0 {
							to = states
						}
						q += p * last[to]
					}
					if q > v[s] {
						v[s], rule[s] = q, int32(a)
					}
				}
			}
			last, rules = v, append(rules, rule)
		}
		full := make([]float64, m.Joint())
		fmdp.Joint(full, &m.Space, m.Transition)
		closeTo(t, "joint", full, joint)
		for name, table := range map[string][]float64{"dense": full, "factored": nil} {
			mdp, err := planning.FromModel(m, table)
			if err != nil {
				t.Fatal(err)
			}
			twin, values := planning.Induction(mdp)
			closeTo(t, name+" induction", values.At(make([]float64, states), 1), last[:states])
			policy, solved := planning.Solve(mdp)
			for h := 1; h <= m.Horizon; h++ {
				got, want := solved.At(make([]float64, states), h), values.At(make([]float64, states), h)
				for s := range got {
					if math.Abs(got[s]-want[s]) > planning.Tolerance || ended[s] != 0 && got[s] != 0 {
						t.Fatalf("seed %d, %s: V_%d(%d) = %v, want %v", seed, name, h, s, got[s], want[s])
					}
				}
			}
			for _, p := range []*planning.Policy{policy, twin, planning.NewPolicy(m.Horizon, rules)} {
				got, want := planning.Return(mdp, p, m.Initial), values.Value(m.Initial)
				if exact := planning.Evaluate(mdp, p).Value(m.Initial); math.Abs(got-want) > 2*planning.Tolerance || math.Abs(exact-want) > 2*planning.Tolerance {
					t.Errorf("seed %d, %s: the policy is worth %v and %v, not %v", seed, name, got, exact, want)
				}
			}
		}
	}
}

// With a long horizon and an end that is reached for sure, planning stops early; oracle: Induction.
func TestEndsStop(t *testing.T) {
	m := endingModel(t, stream(5), 4000, false)
	mdp, err := planning.FromModel(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, want := planning.Induction(mdp)
	_, got := planning.Solve(mdp)
	if steps := planning.Steps(mdp, m.Horizon); steps > 2000 {
		t.Errorf("planning took %d steps", steps)
	}
	if a, b := got.Value(m.Initial), want.Value(m.Initial); math.Abs(a-b) > planning.Tolerance {
		t.Errorf("the value is %v, want %v", a, b)
	}
}

// Legal actions. Oracle: the same model with one action variable, whose values are the joint actions that
// are legal.
func TestLegalActions(t *testing.T) {
	for seed := range uint64(20) {
		m := endingModel(t, stream(seed), 20, true)
		joint := *m
		joint.Legal, joint.Action = nil, []fmdp.Variable{{Name: "all", Size: m.Actions()}}
		one := m.Y()
		merge := func(given []int, each func(row int)) []int {
			var kept []int
			for _, i := range given {
				if i < m.Y() {
					kept = append(kept, i)
				} else if i >= m.X() {
					kept = append(kept, i-m.X()+joint.X())
				}
			}
			kept = append(kept, one)
			values := make([]int, joint.X()+joint.Y())
			for range joint.Rows(kept) {
				// The row of the old table that these values select.
				row := 0
				for _, i := range given {
					v := 0
					switch {
					case i < m.Y():
						v = values[i]
					case i < m.X():
						v = m.Legal.List()[values[one]][i-m.Y()]
					default:
						v = values[i-m.X()+joint.X()]
					}
					row = row*m.Var(i).Size + v
				}
				each(row)
				for k := len(kept) - 1; k >= 0; k-- {
					if values[kept[k]]++; values[kept[k]] < joint.Var(kept[k]).Size {
						break
					}
					values[kept[k]] = 0
				}
			}
			return kept
		}
		joint.Transition, joint.Reward = nil, nil
		for j := range m.Transition {
			f := fmdp.Factor{Size: m.Transition[j].Size}
			f.Given = merge(m.Transition[j].Given, func(row int) { f.P = append(f.P, m.Transition[j].Row(row)...) })
			joint.Transition = append(joint.Transition, f)
		}
		for _, r := range m.Reward {
			merged := fmdp.Reward{Scale: 1, Of: -1}
			merged.Given = merge(r.Given, func(row int) { merged.Mean = append(merged.Mean, r.Mean[row]) })
			joint.Reward = append(joint.Reward, merged)
		}
		if err := joint.Validate(); err != nil {
			t.Fatal(err)
		}
		var values []float64
		for _, of := range []*fmdp.Model{m, &joint} {
			mdp, err := planning.FromModel(of, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, v := planning.Solve(mdp)
			values = append(values, v.Value(of.Initial))
		}
		if math.Abs(values[0]-values[1]) > 1e-12 {
			t.Errorf("seed %d: V* = %v with legal bits, %v with one action", seed, values[0], values[1])
		}
		if slices.Max(values) == 0 {
			t.Error("nothing is paid")
		}
	}
}

// restrict lets chance say in which states which actions of a model are legal: at least one, and as a function of some state
// variables and, if chance wants, of the state and one action variable only.
func restrict(t *testing.T, rng *rand.Rand, m *fmdp.Model) {
	t.Helper()
	m.Legal = nil
	given := slices.Sorted(slices.Values(rng.Perm(m.Y())[:1+rng.IntN(m.Y())]))
	given = append(given, m.Y()+rng.IntN(len(m.Action)))
	if rng.IntN(2) == 0 {
		given = given[:len(given)-1]
		for k := range m.Action {
			given = append(given, m.Y()+k)
		}
	}
	holds := make([]bool, m.Rows(given))
	columns := m.Rows(given[len(given)-1:])
	for row := range holds {
		holds[row] = rng.IntN(3) > 0 || row%columns == 1 // so that each state has one
	}
	var err error
	if m.Legal, err = fmdp.LegalIn(&m.Space, given, holds, ""); err != nil || !m.Legal.ByState() {
		t.Fatal(err)
	}
	allowed := m.LegalPoints()
	point := make([]int, m.X())
	for x := range m.Points() {
		if m.Point(point, x); allowed[x] != m.Allows(point) || allowed[x] != holds[m.Row(given, point)] {
			t.Fatalf("point %v is legal: %v, %v, want %v", point, allowed[x], m.Allows(point), holds[m.Row(given, point)])
		}
		if listed := slices.Contains(m.Choices(point[:m.Y()]), int32(x%m.Actions())); listed != allowed[x] {
			t.Fatalf("point %v is in the list: %v", point, listed)
		}
	}
}

// Legal actions that depend on the state, with ends and payoffs on arrival. Oracle: backward induction by hand that tries the
// legal actions only, and for the uniform policy their mean.
func TestLegalByState(t *testing.T) {
	for seed := range uint64(40) {
		rng := stream(seed)
		m := endingModel(t, rng, 1+int(seed)%7*2, seed%2 == 1)
		restrict(t, rand.New(rand.NewPCG(seed, 7)), m)
		joint, reward := explicit(m)
		ended, states, actions := m.Ended(), m.States(), m.Actions()
		best, mean := make([]float64, states), make([]float64, states)
		point := make([]int, m.X())
		for range m.Horizon {
			v, u := make([]float64, states), make([]float64, states)
			for s := range states {
				if ended[s] != 0 {
					continue
				}
				v[s] = math.Inf(-1)
				n := 0.0
				for a := range actions {
					x := s*actions + a
					if !m.Allows(m.Point(point, x)) {
						continue
					}
					q, w := reward[x], reward[x]
					for y, p := range joint[x*states:][:states] {
						if ended[y] == 0 {
							q, w = q+p*best[y], w+p*mean[y]
						}
					}
					v[s], u[s], n = max(v[s], q), u[s]+w, n+1
				}
				u[s] /= n
			}
			best, mean = v, u
		}
		full := make([]float64, m.Joint())
		fmdp.Joint(full, &m.Space, m.Transition)
		for name, table := range map[string][]float64{"dense": full, "factored": nil} {
			mdp, err := planning.FromModel(m, table)
			if err != nil {
				t.Fatal(err)
			}
			policy, solved := planning.Solve(mdp)
			twin, values := planning.Induction(mdp)
			closeTo(t, name+" induction", values.At(make([]float64, states), 1), best)
			closeTo(t, name, solved.At(make([]float64, states), 1), best)
			want := 0.0
			for s, p := range m.Initial {
				want += p * mean[s]
			}
			if got := planning.Uniform(mdp, m.Initial); math.Abs(got-want) > 2*planning.Tolerance {
				t.Errorf("seed %d, %s: the uniform policy is worth %v, want %v", seed, name, got, want)
			}
			for _, p := range []*planning.Policy{policy, twin} {
				if got := planning.Return(mdp, p, m.Initial); math.Abs(got-solved.Value(m.Initial)) > 2*planning.Tolerance {
					t.Errorf("seed %d, %s: the policy is worth %v, not %v", seed, name, got, solved.Value(m.Initial))
				}
				for h := 1; h <= m.Horizon; h++ {
					for s := range states {
						if a := p.Action(h, s); !m.Allows(m.Point(point, s*actions+a)) {
							t.Fatalf("seed %d, %s: action %d in state %d is not legal", seed, name, a, s)
						}
					}
				}
			}
		}
	}
}
