package fmdp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"cpsrl/core/bigraph"
)

// space returns a space of variables s0, s1, … and a0, a1, … of those sizes.
func space(state, action []int) Space {
	var s Space
	for i, n := range state {
		s.State = append(s.State, Variable{Name: fmt.Sprint("s", i), Size: n})
	}
	for i, n := range action {
		s.Action = append(s.Action, Variable{Name: fmt.Sprint("a", i), Size: n})
	}
	return s
}

var spaces = []Space{
	space([]int{2}, []int{2}),
	space([]int{1}, []int{1}),
	space([]int{2, 3}, []int{2}),
	space([]int{3, 1, 2}, []int{2, 2}),
	space([]int{5, 5, 2, 1}, []int{6}),
	space([]int{1, 4}, []int{1, 3}),
}

// Oracle: counting through all assignments, the last variable fastest.
func TestIndexPoint(t *testing.T) {
	for _, s := range spaces {
		point := make([]int, s.X())
		for x := range s.Points() {
			if got := s.Point(make([]int, s.X()), x); !slices.Equal(got, point) {
				t.Fatalf("%v: Point(%d) = %v, want %v", s, x, got, point)
			}
			if got := s.Index(point); got != x {
				t.Fatalf("%v: Index(%v) = %d, want %d", s, point, got, x)
			}
			// index(x) = index(s)·A + index(a)
			state := s.Point(make([]int, s.Y()), x/s.Actions())
			if !slices.Equal(state, point[:s.Y()]) || s.Index(state) != x/s.Actions() {
				t.Fatalf("%v: the state of %d is %v, want %v", s, x, state, point[:s.Y()])
			}
			for i := s.X() - 1; i >= 0; i-- {
				if point[i]++; point[i] < s.Var(i).Size {
					break
				}
				point[i] = 0
			}
		}
	}
}

func FuzzIndexPoint(f *testing.F) {
	f.Add([]byte{2, 3, 1}, uint8(1), uint32(4))
	f.Fuzz(func(t *testing.T, sizes []byte, actions uint8, at uint32) {
		if len(sizes) < 2 || len(sizes) > MaxVariables {
			return
		}
		var all []int
		for _, n := range sizes {
			all = append(all, int(n)+1)
		}
		cut := 1 + int(actions)%(len(all)-1)
		s := space(all[:cut], all[cut:])
		if s.Validate() != nil {
			return
		}
		x := int(at) % s.Points()
		point := s.Point(make([]int, s.X()), x)
		for i, v := range point {
			if v < 0 || v >= s.Var(i).Size {
				t.Fatalf("value %d of variable %d", v, i)
			}
		}
		if got := s.Index(point); got != x {
			t.Errorf("Index(Point(%d)) = %d", x, got)
		}
	})
}

func TestSaturation(t *testing.T) {
	huge := space([]int{math.MaxInt / 2, math.MaxInt / 2}, []int{2})
	if huge.States() != math.MaxInt || huge.Points() != math.MaxInt || huge.Joint() != math.MaxInt {
		t.Errorf("S = %d, S·A = %d, S²A = %d: not saturated", huge.States(), huge.Points(), huge.Joint())
	}
	if huge.Rows([]int{0, 1}) != math.MaxInt {
		t.Error("Rows is not saturated")
	}
	if got := Saturated(math.MaxInt); got != "at least 2^63-1" {
		t.Error(got)
	}
	if got := Saturated(12); got != "12" {
		t.Error(got)
	}
}

// Oracle: Row, point by point.
func TestRowOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, s := range spaces {
		for range 20 {
			given := rng.Perm(s.X())[:rng.IntN(s.X()+1)]
			rows := s.RowOf(given)
			if len(rows) != s.Points() {
				t.Fatalf("%d rows", len(rows))
			}
			point := make([]int, s.X())
			for x := range s.Points() {
				want := s.Row(given, s.Point(point, x))
				if int(rows[x]) != want {
					t.Fatalf("%v given %v: row of %d is %d, want %d", s, given, x, rows[x], want)
				}
				if want < 0 || want >= s.Rows(given) {
					t.Fatalf("row %d of %d", want, s.Rows(given))
				}
			}
		}
	}
}

// Oracle: every assignment of the variables to, extended by zeros, through Row.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, s := range spaces {
		for range 30 {
			to := rng.Perm(s.X())[:rng.IntN(s.X()+1)]
			from := rng.Perm(s.X())[:rng.IntN(s.X()+1)]
			scale := 1 + rng.IntN(4)
			got := s.Project(to, from, scale)
			if len(got) != s.Rows(to) {
				t.Fatalf("%d entries, want %d", len(got), s.Rows(to))
			}
			for at := range got {
				point, rest := make([]int, s.X()), at
				for k := len(to) - 1; k >= 0; k-- {
					n := s.Var(to[k]).Size
					point[to[k]] = rest % n
					rest /= n
				}
				if want := scale * s.Row(from, point); int(got[at]) != want {
					t.Fatalf("to %v from %v ×%d: entry %d is %d, want %d", to, from, scale, at, got[at], want)
				}
			}
		}
	}
}

func TestSpaceNames(t *testing.T) {
	s := Space{
		State:  []Variable{{Name: "side", Size: 2, Values: []string{"heads", "tails"}}},
		Action: []Variable{{Name: "flip", Size: 1}},
	}
	if s.Lookup("side") != 0 || s.Lookup("flip") != 1 || s.Lookup("Side") != -1 {
		t.Error("Lookup")
	}
	if s.Var(0).Label(1) != "tails" || s.Var(1).Label(0) != "0" {
		t.Error("Label")
	}
	if s.Trivial() != bigraph.Of(1) {
		t.Errorf("Trivial = %v", s.Trivial().Parents())
	}
}

// randomModel draws tables over random scopes.
func randomModel(rng *rand.Rand, s Space) *Model {
	m := &Model{Space: s, Horizon: 3, Initial: make([]float64, s.States())}
	m.Initial[rng.IntN(s.States())] = 1
	for j := range s.Y() {
		f := Factor{Given: rng.Perm(s.X())[:rng.IntN(s.X()+1)], Size: s.State[j].Size}
		for range s.Rows(f.Given) {
			row := make([]float64, f.Size)
			sum := 0.0
			for v := range row {
				row[v] = rng.Float64()
				sum += row[v]
			}
			for v := range row {
				row[v] /= sum
			}
			f.P = append(f.P, row...)
		}
		m.Transition = append(m.Transition, f)
	}
	for f := range 3 {
		r := Reward{Given: rng.Perm(s.X())[:rng.IntN(s.X()+1)], Kind: Bernoulli, Scale: float64(f) - 0.5, Of: -1}
		for range s.Rows(r.Given) {
			r.Mean = append(r.Mean, rng.Float64())
		}
		m.Reward = append(m.Reward, r)
	}
	return m
}

// Oracle: the product formula p(y|x) = ∏_j p_j(y[j] | x[z_j]) at every x and y.
func TestJoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, s := range spaces {
		m := randomModel(rng, s)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		joint := make([]float64, s.Joint())
		for i := range joint {
			joint[i] = math.NaN() // what was there must not matter
		}
		Joint(joint, &m.Space, m.Transition)
		x, y := make([]int, s.X()), make([]int, s.Y())
		for i := range s.Points() {
			s.Point(x, i)
			sum := 0.0
			for k := range s.States() {
				s.Point(y, k)
				want := 1.0
				for j := range m.Transition {
					f := &m.Transition[j]
					row := 0
					for _, g := range f.Given {
						row = row*s.Var(g).Size + x[g]
					}
					want *= f.P[row*f.Size+y[j]]
				}
				got := joint[i*s.States()+k]
				if math.Abs(got-want) > 1e-15 {
					t.Fatalf("p(%v|%v) = %v, want %v", y, x, got, want)
				}
				sum += got
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("the law at %v sums to %v", x, sum)
			}
		}
	}
}

// Oracle: Joint, which remembers no law.
func TestJoiner(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, s := range spaces {
		joiner, law := NewJoiner(&s), randomModel(rng, s).Transition
		for range 20 {
			for j, f := range randomModel(rng, s).Transition { // some tables change, or all parents, in the same memory
				switch rng.IntN(3) {
				case 0:
					law[j] = f
				case 1:
					slices.Reverse(law[j].Given)
					law[j].P = make([]float64, len(law[j].P))
					for k := range law[j].P {
						law[j].P[k] = rng.Float64()
					}
				}
			}
			got, want := make([]float64, s.Joint()), make([]float64, s.Joint())
			joiner.Joint(got, law)
			if Joint(want, &s, law); !slices.Equal(got, want) {
				t.Fatalf("%v: %v, want %v", s, got, want)
			}
		}
	}
}

func TestJointLength(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a short destination did not panic")
		}
	}()
	s := spaces[0]
	Joint(make([]float64, 3), &s, nil)
}

// Oracle: the sum of scale·mean at every point.
func TestRewards(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, s := range spaces {
		m := randomModel(rng, s)
		got := make([]float64, s.Points())
		for _, r := range m.Reward {
			s.AddPayoffs(got, r.Given, r.Mean, r.Scale)
		}
		point := make([]int, s.X())
		for x := range got {
			s.Point(point, x)
			want := 0.0
			for _, r := range m.Reward {
				want += r.Scale * r.Mean[s.Row(r.Given, point)]
			}
			if math.Abs(got[x]-want) > 1e-14 {
				t.Fatalf("R(%v) = %v, want %v", point, got[x], want)
			}
		}
	}
}

func TestGraph(t *testing.T) {
	m := &Model{Transition: []Factor{{Given: []int{3, 1}}, {}}}
	if got := m.Graph(); !slices.Equal(got, bigraph.Bigraph{bigraph.Of(1, 3), bigraph.Of()}) {
		t.Errorf("%v", got)
	}
}

// Oracle: Pearson's χ² against the row of the joint law, at the 1 in 10⁶ level
// (gonum's χ² law), with a fixed seed.
func TestNext(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	s := space([]int{3, 2, 2}, []int{2})
	m := randomModel(rng, s)
	joint := make([]float64, s.Joint())
	Joint(joint, &s, m.Transition)
	const n = 20000
	for _, x := range []int{0, 7, s.Points() - 1} {
		point, y := s.Point(make([]int, s.X()), x), make([]int, s.Y())
		count := make([]int, s.States())
		for range n {
			m.Next(rng, point, y)
			count[s.Index(y)]++
		}
		checkLaw(t, count, joint[x*s.States():][:s.States()])
	}
}

// Oracle: Pearson's χ² against p(y|x)/(S·A) over all x and y, as in TestNext.
func TestDrawTransition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	s := space([]int{3, 2}, []int{2})
	m := randomModel(rng, s)
	law := make([]float64, s.Joint())
	Joint(law, &s, m.Transition)
	for i := range law {
		law[i] /= float64(s.Points())
	}
	point, next, count := make([]int, s.X()), make([]int, s.Y()), make([]int, len(law))
	for range 60000 {
		m.DrawTransition(rng, point, next)
		count[s.Index(point)*s.States()+s.Index(next)]++
	}
	checkLaw(t, count, law)
}

// checkLaw tests counts against probabilities by Pearson's χ².
func checkLaw(t *testing.T, count []int, p []float64) {
	t.Helper()
	n := 0
	for _, c := range count {
		n += c
	}
	stat, free := 0.0, -1.0
	for i, q := range p {
		if q == 0 {
			if count[i] > 0 {
				t.Errorf("outcome %d of probability 0 was drawn", i)
			}
			continue
		}
		e := float64(n) * q
		d := float64(count[i]) - e
		stat += d * d / e
		free++
	}
	if free < 1 {
		return
	}
	if limit := (distuv.ChiSquared{K: free}).Quantile(1 - 1e-6); stat > limit {
		t.Errorf("χ² = %.1f with %v degrees of freedom, above %.1f: %v against %v", stat, free, limit, count, p)
	}
}

func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, p := range [][]float64{{1}, {0.25, 0.75}, {0, 1, 0}, {0.1, 0, 0.2, 0.7}, {0.5, 0.5, 0}} {
		count := make([]int, len(p))
		for range 5000 {
			count[Draw(rng, p)]++
		}
		checkLaw(t, count, p)
	}
}

// Draw must not fall into a value of probability 0 when rounding leaves a
// remainder, and takes exactly one number.
func TestDrawRemainder(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	twin := rand.New(rand.NewPCG(8, 1))
	for range 100 {
		if got := Draw(rng, []float64{0, 1e-300, 0}); got != 1 {
			t.Fatalf("drew %d", got)
		}
		twin.Float64()
	}
	if rng.Uint64() != twin.Uint64() {
		t.Error("Draw does not take one number")
	}
}

func coin() *Model {
	return &Model{
		Space: Space{
			State:  []Variable{{Name: "side", Size: 2, Values: []string{"heads", "tails"}}},
			Action: []Variable{{Name: "flip", Size: 2}},
		},
		Horizon:    3,
		Initial:    []float64{1, 0},
		Transition: []Factor{{Given: []int{0, 1}, Size: 2, P: []float64{1, 0, 0.5, 0.5, 0, 1, 0.5, 0.5}}},
		Reward:     []Reward{{Given: []int{0}, Mean: []float64{0, 1}, Scale: 1, Of: -1}},
	}
}

// Every error names its place and says one sentence.
func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		break_ func(*Model)
		place  string
		says   string
	}{
		{"no state", func(m *Model) { m.State = nil }, "state", "no state variable"},
		{"no action", func(m *Model) { m.Action = nil }, "action", "no action variable"},
		{"257 variables", func(m *Model) { m.Action = space(nil, slices.Repeat([]int{1}, 256)).Action }, "state", "257 state and action variables, more than 256"},
		{"no name", func(m *Model) { m.State[0].Name = "" }, "state 0 name", "no name"},
		{"long name", func(m *Model) { m.State[0].Name = strings.Repeat("é", MaxName/2) + "e" }, "state 0 name", "the name has 129 bytes, more than 128"},
		{"same name", func(m *Model) { m.Action[0].Name = "side" }, "action 0 name", `a second variable is named "side"`},
		{"size 0", func(m *Model) { m.Action[0].Size = 0 }, "action 0 size", `variable "flip" has size 0`},
		{"negative size", func(m *Model) { m.Action[0].Size = -3 }, "action 0 size", `size -3`},
		{"labels", func(m *Model) { m.State[0].Values = []string{"heads"} }, "state 0 values", "1 labels for 2 values"},
		{"too large", func(m *Model) { m.Action[0].Size = MaxPoints }, "state", "2097152 state-action pairs (S·A), more than 1048576"},
		{"overflow", func(m *Model) { m.State[0].Values, m.State[0].Size, m.Action[0].Size = nil, math.MaxInt/2, 4 }, "state", Saturated(math.MaxInt) + " state-action pairs"},
		{"horizon 0", func(m *Model) { m.Horizon = 0 }, "horizon", "the horizon is 0"},
		{"horizon", func(m *Model) { m.Horizon = MaxHorizon + 1 }, "horizon", "from 1 to 16384"},
		{"initial length", func(m *Model) { m.Initial = []float64{1} }, "initial", "1 probabilities for 2 states"},
		{"initial sum", func(m *Model) { m.Initial = []float64{0.5, 0.4} }, "initial", "sums to 0.9"},
		{"initial NaN", func(m *Model) { m.Initial[0] = nan }, "initial", "entry 0 = NaN"},
		{"no table", func(m *Model) { m.Transition = nil }, "transition", "0 transition tables for 1 state variables"},
		{"columns", func(m *Model) { m.Transition[0].Size = 3 }, "transition 0", `the table of "side" has 3 columns for 2 values`},
		{"entries", func(m *Model) { m.Transition[0].P = m.Transition[0].P[:6] }, "transition 0 p", "6 entries; 4 rows of 2 are needed"},
		{"row sum", func(m *Model) { m.Transition[0].P[5] = 0.9 }, "transition 0 p 2", `the row of "side" given side=tails, flip=0 sums to 0.9`},
		{"row sum, barely", func(m *Model) { m.Transition[0].P[4] = 2e-6 }, "transition 0 p 2", "sums to 1.000002"},
		{"negative", func(m *Model) { m.Transition[0].P[0] = -1 }, "transition 0 p 0", "entry 0 = -1"},
		{"infinite", func(m *Model) { m.Transition[0].P[3] = inf }, "transition 0 p 1", "entry 1 = +Inf"},
		{"given", func(m *Model) { m.Transition[0].Given[1] = 2 }, "transition 0 given 1", "no such variable"},
		{"given negative", func(m *Model) { m.Transition[0].Given[1] = -1 }, "transition 0 given 1", "no such variable"},
		{"given twice", func(m *Model) { m.Transition[0].Given[1] = 0 }, "transition 0 given 1", `"side" is given twice`},
		{"means", func(m *Model) { m.Reward[0].Mean = []float64{1} }, "reward 0 mean", "1 means; 2 are needed"},
		{"mean NaN", func(m *Model) { m.Reward[0].Mean[1] = nan }, "reward 0 mean 1", "given side=tails is not a finite number"},
		{"mean huge", func(m *Model) { m.Reward[0].Mean[1] = -1e300 }, "reward 0 mean 1", "-1e+300"},
		{"mean above 1", func(m *Model) { m.Reward[0].Kind, m.Reward[0].Mean[0] = Bernoulli, 1.5 }, "reward 0 mean 0", "1.5, outside [0,1]"},
		{"scale NaN", func(m *Model) { m.Reward[0].Kind, m.Reward[0].Scale = Bernoulli, nan }, "reward 0 scale", "finite"},
		{"scale huge", func(m *Model) { m.Reward[0].Kind, m.Reward[0].Scale = Bernoulli, 1e300 }, "reward 0 scale", "1e+300"},
		{"scale of fixed", func(m *Model) { m.Reward[0].Scale = 2 }, "reward 0 scale", `"bernoulli" only`},
		{"of", func(m *Model) { m.Reward[0].Of = 1 }, "reward 0 of", "tied to no state variable"},
		{"of, other scope", func(m *Model) { m.Reward[0].Of = 0 }, "reward 0 given", `tied to "side" and must be given the same variables`},
		{"reward given", func(m *Model) { m.Reward[0].Given[0] = 9 }, "reward 0 given 0", "no such variable"},
		{"rewards", func(m *Model) { m.Reward = slices.Repeat(m.Reward, MaxRewards+1) }, "reward", "more than 1024"},
	} {
		m := coin()
		c.break_(m)
		err := m.Validate()
		wantFault(t, err, c.place, c.says)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q is not one line", c.name, err)
		}
	}
	if err := coin().Validate(); err != nil {
		t.Error(err)
	}
}

// A table, a policy or a value function that would not fit is refused.
func TestValidateLimits(t *testing.T) {
	m := coin()
	m.State[0] = Variable{Name: "s", Size: 1 << 17}
	m.Horizon = MaxHorizon
	wantFault(t, m.Validate(), "horizon", "S·H")

	m = coin()
	m.State[0] = Variable{Name: "s", Size: 1 << 16}
	m.Initial = make([]float64, 1<<16)
	m.Initial[0] = 1
	m.Transition[0] = Factor{Size: 1 << 16, P: m.Initial}
	m.Reward = slices.Repeat([]Reward{{Mean: []float64{1}, Scale: 1, Of: -1}}, 300)
	wantFault(t, m.Validate(), "reward", "300 reward factors over 131072 state-action pairs")
}

func wantFault(t *testing.T, err error, place, says string) {
	t.Helper()
	var fault *Fault
	if !errors.As(err, &fault) {
		t.Errorf("%v; want %s", err, place)
		return
	}
	if at := strings.Join(fault.At, " "); at != place || !strings.Contains(fault.Reason, says) {
		t.Errorf("%s: %v; want %s: …%s…", at, err, place, says)
	}
}

// Tables of programs in single precision are normalised, and the initial law, too.
func TestSinglePrecision(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for range 1000 {
		m := randomModel(rng, space([]int{2, 9}, []int{3}))
		single := func(p []float64) {
			sum := float32(0)
			for _, q := range p {
				sum += float32(q)
			}
			for i, q := range p {
				p[i] = float64(float32(q) / sum)
			}
		}
		single(m.Initial)
		for j := range m.Transition {
			f := &m.Transition[j]
			for row := range len(f.P) / f.Size {
				single(f.Row(row))
			}
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
	}
}

// Rows that are written with six digits are scaled and counted, whatever their size. Oracle: rounding moves each of k values by
// at most ½·10⁻⁶. What is further from 1 is refused.
func TestSixDigits(t *testing.T) {
	for _, row := range [][]float64{
		slices.Repeat([]float64{0.333333}, 3), slices.Repeat([]float64{0.166667}, 6), slices.Repeat([]float64{0.142857}, 7),
		slices.Repeat([]float64{0.002004}, 499), {0.333334, 0.666667}, {0.000001, 1},
	} {
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		want, counted := row[0]/sum, math.Abs(sum-1) > SumTolerance
		k := len(row)
		m := &Factor{Size: k, P: slices.Clone(row)}
		s := &Scaling{}
		if err := s.Rows(m, &coin().Space, "side", nil); err != nil || m.P[0] != want || s.Scaled > 0 != counted {
			t.Errorf("%v of %v: %v, %+v, want %v", row[0], k, err, s, want)
		}
	}
	rng := rand.New(rand.NewPCG(17, 1))
	for range 2000 { // any row, rounded
		p := make([]float64, 1+rng.IntN(300))
		sum := 0.0
		for i := range p {
			p[i] = rng.ExpFloat64()
			sum += p[i]
		}
		for i := range p {
			p[i] = math.Round(p[i]/sum*1e6) / 1e6
		}
		if err := (&Scaling{}).Initial(p); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range [][]float64{{0.333331, 0.333333, 0.333333}, {0.333333, 0.666665}, slices.Repeat([]float64{0.16666}, 6)} {
		if err := (&Scaling{}).Initial(row); err == nil {
			t.Errorf("%v is taken", row)
		}
	}
}

// A row of any positive sum is scaled on request, and the largest difference is kept. Other
// rows are refused as ever.
func TestScaling(t *testing.T) {
	rows := func(p ...float64) *Factor { return &Factor{Given: []int{0}, Size: 2, P: p} }
	s := &Scaling{Any: true}
	f, in := rows(0.3333, 0.6666, 2, 6), Path{"transition", "4"}
	if err := s.Rows(f, &coin().Space, "side", in); err != nil || !slices.Equal(f.P, []float64{0.3333 / 0.9999, 0.6666 / 0.9999, 0.25, 0.75}) {
		t.Errorf("%v, %v", f.P, err)
	}
	if initial := []float64{1, 1, 2}; s.Initial(initial) != nil || !slices.Equal(initial, []float64{0.25, 0.25, 0.5}) {
		t.Error(initial)
	}
	if s.Scaled != 3 || s.By != 7 || !slices.Equal(s.At, Path{"transition", "4", "p", "1"}) {
		t.Errorf("%+v", s)
	}
	inf, nan := math.Inf(1), math.NaN()
	for says, f := range map[string]*Factor{
		"sums to 0": rows(0.5, 0.5, 0, 0), "= -0.5": rows(0.5, 0.5, -0.5, 1.5), "= +Inf": rows(0.5, 0.5, inf, 1), "= NaN": rows(0.5, 0.5, nan, 1),
		"sums to +Inf": rows(0.5, 0.5, math.MaxFloat64, math.MaxFloat64),
	} {
		err := (&Scaling{Any: true}).Rows(f, &coin().Space, "side", in)
		var fault *Fault
		if !errors.As(err, &fault) || !strings.Contains(fault.Reason, says) || !slices.Equal(fault.At, Path{"transition", "4", "p", "1"}) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// Rows within SumTolerance of 1 are normalised; a second reading changes no bit.
func TestNormalise(t *testing.T) {
	m := coin()
	m.Transition[0].P[2], m.Transition[0].P[3] = 0.3333333333, 0.6666666667-5e-10
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	row := m.Transition[0].Row(1)
	if got := row[0] + row[1]; math.Abs(got-1) > 1e-15 {
		t.Errorf("sums to %v", got)
	}
	before := slices.Clone(m.Transition[0].P)
	if err := m.Validate(); err != nil || !slices.Equal(before, m.Transition[0].P) {
		t.Errorf("a second reading changed %v to %v (%v)", before, m.Transition[0].P, err)
	}
}

func BenchmarkJoint(b *testing.B) {
	s := space(slices.Repeat([]int{2}, 6), slices.Repeat([]int{2}, 3))
	m := randomModel(rand.New(rand.NewPCG(9, 1)), s)
	joint := make([]float64, s.Joint())
	b.ReportAllocs()
	for b.Loop() {
		Joint(joint, &s, m.Transition)
	}
}

func BenchmarkNext(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 1))
	s := space(slices.Repeat([]int{2}, 6), slices.Repeat([]int{2}, 3))
	m := randomModel(rng, s)
	x, y := make([]int, s.X()), make([]int, s.Y())
	b.ReportAllocs()
	for b.Loop() {
		m.Next(rng, x, y)
	}
}

func TestCheckTables(t *testing.T) {
	// One state variable and one action variable of 512 values: 2^27 entries.
	s := space([]int{512}, []int{512})
	wantFault(t, s.CheckTables(bigraph.Bigraph{bigraph.Of(0, 1)}), "transition", "more than 16777216 entries")
	if err := s.CheckTables(bigraph.Bigraph{bigraph.Of(0)}); err != nil {
		t.Error(err)
	}
}

// Legal actions are those for which a condition holds. Oracle: the list, which is written out. If all are legal, nothing is listed.
func TestLegal(t *testing.T) {
	action := []Variable{{Name: "a", Size: 3}, {Name: "b", Size: 2}, {Name: "c", Size: 4}}
	rng := rand.New(rand.NewPCG(19, 1))
	for round := range 60 {
		holds, list := map[string]bool{}, [][]int{}
		for a := range 3 {
			for b := range 2 {
				for c := range 4 {
					if round == 0 || rng.IntN(2) == 0 {
						holds[fmt.Sprint([]int{a, b, c})] = true
						list = append(list, []int{a, b, c})
					}
				}
			}
		}
		if len(list) == 0 {
			continue
		}
		where, err := LegalWhere(action, func(values []int) bool { return holds[fmt.Sprint(values)] })
		if err != nil {
			t.Fatal(err)
		}
		mixed := slices.Clone(list)
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		listed, err := NewLegal(action, mixed)
		if err != nil || !slices.EqualFunc(where.List(), list, slices.Equal) || !slices.EqualFunc(listed.List(), list, slices.Equal) || where.Len() != len(list) || where.All() != (len(list) == 24) {
			t.Fatalf("%v, %v, %v, want %v", where.List(), listed.List(), err, list)
		}
		s := &Space{State: []Variable{{Name: "x", Size: 2}}, Action: action, Legal: where}
		all := s.Assignments(bigraph.Of(0, 1, 3))
		if got := len(all.Of()); got != s.Points() {
			t.Errorf("%d of %d points", got, s.Points())
		}
		for x := range s.Points() {
			point := s.Point(make([]int, 4), x)
			if s.Index(point) != x || !s.Allows(point) || !slices.Equal(point[1:], list[x%len(list)]) {
				t.Fatalf("point %d is %v", x, point)
			}
		}
	}
	// All actions as a rule of each kind: no list is made.
	bits := slices.Repeat([]Variable{{Name: "bit", Size: 2}}, 20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 4 {
		one, err := LegalWhere(bits, func([]int) bool { return true })
		two, err2 := NewAtMost(bits, 20, make([]int, 20))
		if err != nil || err2 != nil || one.Len() != 1<<20 || !two.All() || two.find(one.Values(make([]int, 20), 54321)) != 54321 {
			t.Fatal(err, err2)
		}
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
		t.Errorf("all of 2²⁰ actions take %d bytes, eight times", took)
	}
	if _, err := LegalWhere(action, func([]int) bool { return false }); err == nil {
		t.Error("no action")
	}
}

// The mean of a payoff with a declared range may be an end up to rounding. Oracle: the end.
func TestNearest(t *testing.T) {
	tenth := 0.1
	m := coin()
	m.Reward = []Reward{{Given: []int{0}, Mean: []float64{tenth * 3, 1e-12}, Scale: 1, Of: -1, Lo: 0, Hi: 0.3}}
	if err := m.Validate(); err != nil || !slices.Equal(m.Reward[0].Mean, []float64{0.3, 1e-12}) { // within the range, nothing changes
		t.Errorf("%v, %v", m.Reward[0].Mean, err)
	}
	m.Reward[0].Mean[0] = 0.3 + 1e-9
	wantFault(t, m.Validate(), "reward 0 mean 0", "outside the range 0 to 0.3")
}

// Oracle: the row of each tuple.
func TestTuples(t *testing.T) {
	s := space([]int{2, 1, 3}, []int{4})
	for _, given := range [][]int{{}, {1}, {0, 2, 3}, {0, 1, 2, 3}} {
		rows, point := 0, make([]int, s.X())
		for row, values := range Tuples(s.Sizes(given)) {
			for k, i := range given {
				point[i] = values[k]
			}
			if row != rows || s.Row(given, point) != row {
				t.Fatalf("%v: row %d of %v is %d", given, row, values, s.Row(given, point))
			}
			rows++
		}
		if rows != s.Rows(given) {
			t.Errorf("%v: %d rows", given, rows)
		}
	}
	for range Tuples([]int{2, 0}) {
		t.Error("a variable without values has a row")
	}
}
