package planning

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
)

func spaceOf(state, action []int) *fmdp.Space {
	s := &fmdp.Space{}
	for i, n := range state {
		s.State = append(s.State, fmdp.Variable{Name: fmt.Sprint("s", i), Size: n})
	}
	for i, n := range action {
		s.Action = append(s.Action, fmdp.Variable{Name: fmt.Sprint("a", i), Size: n})
	}
	return s
}

// randomLaw draws a law whose scopes have at most parents variables, in any order.
func randomLaw(rng *rand.Rand, s *fmdp.Space, parents int) []fmdp.Factor {
	law := make([]fmdp.Factor, s.Y())
	for j := range law {
		f := fmdp.Factor{Given: rng.Perm(s.X())[:rng.IntN(min(parents, s.X())+1)], Size: s.State[j].Size}
		f.P = make([]float64, s.Rows(f.Given)*f.Size)
		for row := range s.Rows(f.Given) {
			sum := 0.0
			for v := range f.Row(row) {
				f.Row(row)[v] = rng.ExpFloat64()
				sum += f.Row(row)[v]
			}
			for v := range f.Row(row) {
				f.Row(row)[v] /= sum
			}
		}
		law[j] = f
	}
	return law
}

func randomVector(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.Float64() // positive: no cancellation hides an error
	}
	return v
}

func allPoints(n int) []int32 {
	points := make([]int32, n)
	for x := range points {
		points[x] = int32(x)
	}
	return points
}

func checkEqual(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-12*math.Abs(want[i])) {
			t.Fatalf("%s: entry %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}

// Oracle: Dense over the joint law, within 1e-12 relative, for variables of 1,
// 2, 3 and 5 values and scopes from empty to everything.
func TestFactoredAgainstDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := []int{1, 2, 3, 5}
	for k := range 150 {
		var state, action []int
		for range 1 + rng.IntN(4) {
			state = append(state, sizes[rng.IntN(4)])
		}
		for range 1 + rng.IntN(2) {
			action = append(action, sizes[rng.IntN(4)])
		}
		s := spaceOf(state, action)
		if s.Joint() > 1<<18 {
			continue
		}
		law := randomLaw(rng, s, k%(s.X()+1))
		joint := make([]float64, s.Joint())
		fmdp.Joint(joint, s, law)
		dense, factored := NewDense(joint), factoredOf(t, s, law)
		name := fmt.Sprintf("states %v, actions %v, law %d", state, action, k)
		for range 3 { // again, because scratch tables are reused
			v := randomVector(rng, s.States())
			points := allPoints(s.Points())
			want, got := make([]float64, len(points)), make([]float64, len(points))
			dense.Apply(want, v, points)
			factored.Apply(got, v, points)
			checkEqual(t, name, got, want)
			// Any points, in any order, twice or not at all.
			rng.Shuffle(len(points), func(a, b int) { points[a], points[b] = points[b], points[a] })
			points = append(points[:rng.IntN(len(points)+1)], points[0])
			want, got = want[:0], make([]float64, len(points))
			for _, x := range points {
				one := make([]float64, 1)
				dense.Apply(one, v, []int32{x})
				want = append(want, one[0])
			}
			factored.Apply(got, v, points)
			checkEqual(t, name+", some points", got, want)
		}
		// The operator that Choose returns gives the same values.
		v := randomVector(rng, s.States())
		want, got := make([]float64, s.Points()), make([]float64, s.Points())
		dense.Apply(want, v, allPoints(s.Points()))
		for _, table := range [][]float64{joint, nil} {
			op, err := Choose(s, law, table)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := op.(*Dense); ok && table == nil {
				t.Fatalf("%s: a dense operator without a table", name)
			}
			op.Apply(got, v, allPoints(s.Points()))
			checkEqual(t, name+", Choose", got, want)
		}
	}
}

// Oracle: Choose, which remembers no graph.
func TestChooser(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	s := spaceOf([]int{2, 3, 2, 2}, []int{3})
	chooser, kinds := NewChooser(s), map[string]int{}
	first := randomLaw(rng, s, 2)
	for k := range 60 {
		law := randomLaw(rng, s, k%s.X())
		if k%3 == 0 {
			law = first // the graph of an earlier law
		}
		joint := make([]float64, s.Joint())
		if fmdp.Joint(joint, s, law); k%2 == 0 {
			joint = nil
		}
		v, points := randomVector(rng, s.States()), allPoints(s.Points())
		got, want := make([]float64, len(points)), make([]float64, len(points))
		of, err := chooser.Choose(law, joint)
		other, wrong := Choose(s, law, joint)
		if err != nil || wrong != nil {
			t.Fatal(err, wrong)
		}
		kind := fmt.Sprintf("%T", of)
		of.Apply(got, v, points)
		if other.Apply(want, v, points); kind != fmt.Sprintf("%T", other) || !slices.Equal(got, want) {
			t.Fatalf("law %d: %s gives %v, want %T and %v", k, kind, got, other, want)
		}
		kinds[kind]++
	}
	if len(kinds) != 2 {
		t.Errorf("chosen: %v, want both kinds", kinds)
	}
}

// Beyond the exhaustive search the order is greedy, and the result the same.
// Oracle: Σ_y ∏_j p_j(y[j]|x[z_j]) v(y) at some points, by the definition.
func TestFactoredGreedy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := spaceOf(slices.Repeat([]int{2}, exhaustive+1), []int{2})
	law := randomLaw(rng, s, 2)
	v := randomVector(rng, s.States())
	points := []int32{0, 1, 17, int32(s.Points() - 1), int32(rng.IntN(s.Points()))}
	got := make([]float64, len(points))
	factoredOf(t, s, law).Apply(got, v, points)
	want := make([]float64, len(points))
	point, next := make([]int, s.X()), make([]int, s.Y())
	for i, x := range points {
		s.Point(point, int(x))
		for y := range s.States() {
			s.Point(next, y)
			p := 1.0
			for j := range law {
				p *= law[j].Row(s.Row(law[j].Given, point))[next[j]]
			}
			want[i] += p * v[y]
		}
	}
	checkEqual(t, "greedy", got, want)
	order, cost := eliminationOrder(s, law)
	if sorted := slices.Sorted(slices.Values(order)); len(sorted) != s.Y() || sorted[0] != 0 || sorted[s.Y()-1] != s.Y()-1 {
		t.Errorf("the order %v is no permutation", order)
	}
	if want := orderCost(s, law, order); cost != want {
		t.Errorf("cost %v, want %v", cost, want)
	}
}

// factoredOf returns the operator by elimination: without a table there is no other.
func factoredOf(t testing.TB, s *fmdp.Space, law []fmdp.Factor) Operator {
	op, err := Choose(s, law, nil)
	if err != nil {
		t.Fatal(err)
	}
	return op
}

// Without a dense table, Choose refuses eliminations that cost more than MaxCost for an action and
// names the cost.
func TestChooseTooCostly(t *testing.T) {
	s := spaceOf(slices.Repeat([]int{2}, 18), []int{2})
	law := make([]fmdp.Factor, s.Y())
	for j := range law {
		law[j] = fmdp.Factor{Given: []int{j, (j + 5) % 18, (j + 9) % 18, (j + 2) % 18, 18}, Size: 2}
		for row := range 32 {
			p := float64(row+1) / 64
			law[j].P = append(law[j].P, p, 1-p)
		}
	}
	op, err := Choose(s, law, nil)
	var costly *TooCostlyError
	if op != nil || !errors.As(err, &costly) || costly.Cost <= MaxCost || !strings.Contains(err.Error(), "multiplications a step, more than 67108864") {
		t.Errorf("%v, %v", op, err)
	}
}

// orderCost counts the multiplications of an order by following the tables: to
// eliminate Y_j takes one for every assignment of the scopes so far and of the
// variables Y that remain, Y_j among them.
func orderCost(s *fmdp.Space, law []fmdp.Factor, order []int) float64 {
	inScope, remains := map[int]bool{}, map[int]bool{}
	for j := range law {
		remains[j] = true
	}
	total := 0.0
	for _, j := range order {
		for _, i := range law[j].Given {
			inScope[i] = true
		}
		cost := 1.0
		for i := range inScope {
			cost *= float64(s.Var(i).Size)
		}
		for k := range remains {
			cost *= float64(s.State[k].Size)
		}
		total += cost
		delete(remains, j)
	}
	return total
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for at := 0; at <= len(p); at++ {
			all = append(all, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return all
}

// Oracle: the cost of every permutation.
func TestEliminationOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		state := make([]int, 1+rng.IntN(6))
		for j := range state {
			state[j] = []int{1, 2, 3, 5}[rng.IntN(4)]
		}
		s := spaceOf(state, []int{2, 3})
		law := make([]fmdp.Factor, s.Y())
		for j := range law {
			law[j] = fmdp.Factor{Given: rng.Perm(s.X())[:rng.IntN(s.X()+1)], Size: state[j]}
		}
		order, cost := eliminationOrder(s, law)
		if got := orderCost(s, law, order); got != cost {
			t.Errorf("%v costs %v, not %v", order, got, cost)
		}
		for _, p := range permutations(s.Y()) {
			if c := orderCost(s, law, p); c < cost {
				t.Errorf("states %v: %v costs %v, less than %v of %v", state, p, c, cost, order)
			}
		}
	}
	// Variables of equal cost are eliminated in ascending order.
	s := spaceOf([]int{2, 2, 2}, []int{2})
	if order, _ := eliminationOrder(s, []fmdp.Factor{{Size: 2}, {Size: 2}, {Size: 2}}); !slices.Equal(order, []int{0, 1, 2}) {
		t.Errorf("order %v", order)
	}
}

func BenchmarkFactored(b *testing.B) {
	for d := 6; d <= 12; d += 2 {
		b.Run(fmt.Sprint("dY=", d), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(7, 8))
			s := spaceOf(slices.Repeat([]int{2}, d), []int{2, 2, 2})
			op := factoredOf(b, s, randomLaw(rng, s, 3))
			v, dst := randomVector(rng, s.States()), make([]float64, s.Points())
			points := allPoints(s.Points())
			b.ReportAllocs()
			for b.Loop() {
				op.Apply(dst, v, points)
			}
		})
	}
}

// FuzzFactored: variable elimination and the dense table, as TestFactoredAgainstDense holds
// them, for any shape; rows may be deterministic or have entries of 1e-300. What is solved with
// either has the same values, and they are those of the full recursion.
func FuzzFactored(f *testing.F) {
	f.Add(uint64(1), []byte{1, 2, 2}, uint8(2), uint8(7), uint8(0))
	f.Add(uint64(2), []byte{4, 1, 0, 2}, uint8(3), uint8(30), uint8(1))
	f.Add(uint64(3), []byte{2}, uint8(0), uint8(1), uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, shape []byte, parents, horizon, rows uint8) {
		if len(shape) == 0 || len(shape) > 6 {
			return
		}
		var state []int
		for _, n := range shape {
			state = append(state, 1+int(n)%5)
		}
		s := spaceOf(state, []int{1 + int(seed%3)})
		if s.Joint() > 1<<10 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 3))
		law := randomLaw(rng, s, int(parents)%(s.X()+1))
		for _, factor := range law {
			for row := range s.Rows(factor.Given) {
				p, v := factor.Row(row), rng.IntN(factor.Size)
				switch rows % 3 {
				case 1: // deterministic
					clear(p)
					p[v] = 1
				case 2:
					for k := range p {
						p[k] = 1e-300
					}
					p[v] = 1
				}
			}
		}
		joint := make([]float64, s.Joint())
		fmdp.Joint(joint, s, law)
		m := &MDP{States: s.States(), Actions: s.Actions(), Horizon: 1 + int(horizon)%32, Reward: randomVector(rng, s.Points()), Next: NewDense(joint)}
		v, points := randomVector(rng, s.States()), allPoints(s.Points())
		want, got := make([]float64, s.Points()), make([]float64, s.Points())
		m.Next.Apply(want, v, points)
		factored := factoredOf(t, s, law)
		factored.Apply(got, v, points)
		checkEqual(t, "Apply", got, want)
		_, whole := Induction(m)
		_, dense := Solve(m)
		m.Next = factored
		policy, values := Solve(m)
		for h := 1; h <= m.Horizon; h++ {
			at := func(v *Values) []float64 { return slices.Clone(v.At(make([]float64, m.States), h)) }
			for i, want := range at(whole) {
				for name, got := range map[string]float64{"dense": at(dense)[i], "factored": at(values)[i], "its policy": at(Evaluate(m, policy))[i]} {
					if !(math.Abs(got-want) <= 1e-9*(1+want)) {
						t.Fatalf("%s: V_%d(%d) = %v, want %v", name, h, i, got, want)
					}
				}
			}
		}
	})
}
