package domain_test

import (
	"math"
	"slices"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// confounded returns a world in which two variables that agents see depend on one that they do not:
// noise, or a variable that keeps its value with probability stays.
func confounded(t *testing.T, noise bool, stays float64) *fmdp.Model {
	t.Helper()
	m := &fmdp.Model{
		Space: fmdp.Space{
			State:  []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 3}, {Name: "u", Size: 2}},
			Action: []fmdp.Variable{{Name: "act", Size: 2}},
		},
		Horizon: 6, Hidden: 1,
		Reward: []fmdp.Reward{{Given: []int{0, 4 + 1}, Mean: []float64{0, 1, 3, 2, 0, 5}, Scale: 1, Of: -1}},
	}
	const a, b, u, act = 0, 1, 2, 3
	m.Transition = []fmdp.Factor{
		{Given: []int{u, act}, Size: 2, P: []float64{.9, .1, .2, .8, .3, .7, .6, .4}},
		{Given: []int{b, u}, Size: 3, P: []float64{.8, .1, .1, .1, .1, .8, .2, .6, .2, .5, .25, .25, .1, .1, .8, .7, .2, .1}},
		{Given: []int{u}, Size: 2, P: []float64{stays, 1 - stays, 1 - stays, stays}},
	}
	start := []float64{.5, 0, .1, .2, .15, .05}
	if noise {
		m.Noise, m.Start = 1, start
		m.Transition[u] = fmdp.Factor{Size: 2, P: []float64{.25, .75}}
		m.Spread()
	} else {
		for _, p := range start {
			m.Initial = append(m.Initial, .4*p, .6*p)
		}
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// What agents see of a world with noise has the marginal law, by enumeration of the noise by hand, and
// by simulation; the view's tables are its marginals. A hidden variable that keeps its value makes the
// view no MDP.
func TestView(t *testing.T) {
	world := confounded(t, true, 0)
	p := domain.FromModel(world, stream(1))
	if p.Sight != domain.Noisy || p.View.X() != 3 || p.View.Hidden != 0 {
		t.Fatalf("sight %v, %d variables", p.Sight, p.View.X())
	}
	if want := []int{0, 3 + 1}; !slices.Equal(p.View.Reward[0].Given, want) {
		t.Errorf("the reward is given %v, want %v", p.View.Reward[0].Given, want)
	}
	joint := make([]float64, p.View.Joint())
	domain.SeenJoint(joint, world, p.View)
	states := p.View.States()
	for x := range p.View.Points() {
		point := p.View.Point(make([]int, 3), x)
		var first, second [3]float64 // marginals
		for y := range states {
			next := p.View.Point(make([]int, 2), y)
			want := 0.0
			for u, weight := range []float64{.25, .75} {
				want += weight * world.Transition[0].Row(2*u + point[2])[next[0]] * world.Transition[1].Row(2*point[1] + u)[next[1]]
			}
			if got := joint[x*states+y]; math.Abs(got-want) > 1e-15 {
				t.Fatalf("p(%v|%v) = %v, want %v", next, point, got, want)
			}
			first[next[0]] += want
			second[next[1]] += want
		}
		for j, marginal := range [][]float64{first[:2], second[:]} {
			f := &p.View.Transition[j]
			for v, want := range marginal {
				if got := f.Row(p.View.Row(f.Given, point))[v]; math.Abs(got-want) > 1e-15 {
					t.Errorf("the law of %d at %v: %v, want %v", j, point, got, want)
				}
			}
		}
	}
	// By simulation: counts of steps, each within 4.5 standard errors.
	w := agent.NewSimulation(world, stream(2))
	rule := make([]int32, states)
	for s := range rule {
		rule[s] = int32(s % 2)
	}
	policy := agent.NewTable(&p.View.Space, planning.NewPolicy(world.Horizon, [][]int32{rule}), nil)
	counts, visits := make([]float64, len(joint)), make([]float64, p.View.Points())
	for range 20000 {
		steps, err := w.Play(t.Context(), policy)
		if err != nil || len(steps) != world.Horizon {
			t.Fatal(len(steps), err)
		}
		for _, s := range steps {
			x := p.View.Index(s.Point)
			counts[x*states+p.View.Index(s.Next)]++
			visits[x]++
		}
	}
	for i, q := range joint {
		if n := visits[i/states]; n > 0 && math.Abs(counts[i]-n*q) > 4.5*math.Sqrt(n*q*(1-q))+1e-9 {
			t.Errorf("entry %d was seen %v times of %v, want %v", i, counts[i], n, n*q)
		}
	}
	// Planning in the view is planning under the average. Oracle: the value of a policy by simulation of
	// the noise in the average operator, against the dense marginal.
	laws, weights := domain.SeenLaws(world)
	average, err := planning.NewAveraged(&p.View.Space, laws, weights)
	if err != nil {
		t.Fatal(err)
	}
	v, points := make([]float64, states), make([]int32, p.View.Points())
	for s := range v {
		v[s] = math.Sqrt(float64(s + 1))
	}
	for x := range points {
		points[x] = int32(x)
	}
	one, two := make([]float64, len(points)), make([]float64, len(points))
	average.Apply(one, v, points)
	planning.NewDense(joint).Apply(two, v, points)
	for x := range one {
		if math.Abs(one[x]-two[x]) > 1e-12 {
			t.Errorf("E[v|%d] = %v, want %v", x, one[x], two[x])
		}
	}

	for stays, want := range map[float64]domain.Sight{1: domain.Blind, .7: domain.Blind} {
		if p := domain.FromModel(confounded(t, false, stays), stream(1)); p.Sight != want {
			t.Errorf("a variable that stays with %v: sight %v", stays, p.Sight)
		}
	}
}

// A hidden variable without parents is noise if it follows its law at the start, whatever the others are; else
// it is memory. Noise may stand before memory.
func TestNoiseOf(t *testing.T) {
	const u, v = 2, 3 // v remembers
	world := func(start func(a, u int) float64) *fmdp.Model {
		m := confounded(t, false, 1)
		m.Hidden, m.State = 2, append(m.State, fmdp.Variable{Name: "v", Size: 2})
		for j := range m.Transition {
			for k, i := range m.Transition[j].Given {
				if i > u { // the action
					m.Transition[j].Given[k] = i + 1
				}
			}
		}
		m.Reward[0].Given[1]++ // b'
		m.Transition[u] = fmdp.Factor{Size: 2, P: []float64{.25, .75}}
		m.Transition = append(m.Transition, fmdp.Factor{Given: []int{v, u}, Size: 2, P: []float64{.5, .5, .9, .1, .2, .8, 0, 1}})
		m.Initial = nil
		at := make([]int, m.Y())
		for s := range m.States() {
			m.Point(at, s)
			m.Initial = append(m.Initial, start(at[0], at[u])*[]float64{.1, .9}[at[v]]/3)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		return m
	}
	law := func(_, u int) float64 { return .5 * []float64{.25, .75}[u] }
	for name, test := range map[string]struct {
		start func(a, u int) float64
		want  bigraph.Scope
	}{
		"its law":        {law, bigraph.Of(u)},
		"rounded":        {func(a, u int) float64 { return law(a, u) + 1e-11*float64(1-2*u) }, bigraph.Of(u)},
		"another law":    {func(a, u int) float64 { return .25 }, bigraph.Of()},
		"always 0":       {func(a, u int) float64 { return .5 * float64(1-u) }, bigraph.Of()},
		"a law given a":  {func(a, u int) float64 { return .5 * [][]float64{{.5, .5}, {0, 1}}[a][u] }, bigraph.Of()}, // on average its law
		"only if a is 0": {func(a, u int) float64 { return float64(1-a) * 2 * law(a, u) }, bigraph.Of(u)},
	} {
		m := world(test.start)
		if got := domain.NoiseOf(m); got != test.want {
			t.Errorf("%s: the noise is %v, want %v", name, got.Parents(), test.want.Parents())
		}
		if p := domain.FromModel(m, stream(1)); p.Sight != domain.Blind {
			t.Errorf("%s: sight %v", name, p.Sight)
		}
		class, weights := domain.Informed(m)
		if test.want.Empty() {
			if class != nil || weights != nil {
				t.Errorf("%s: without noise, no states are alike", name)
			}
			continue
		}
		for s := range m.States() { // a, b, u, v
			at := m.Point(make([]int, 4), s)
			if want := (at[0]*3+at[1])*2 + at[v]; int(class[s]) != want || weights[s] != []float64{.25, .75}[at[u]] {
				t.Errorf("%s: state %v is in class %d with %v, want %d", name, at, class[s], weights[s], want)
			}
		}
	}
}

// In a world with a hidden variable, the value of a policy of the view is that of simulated episodes,
// and no policy of the view is better than the world's best. Oracle: 40,000 episodes, 4.5 standard errors.
func TestHiddenValue(t *testing.T) {
	world := confounded(t, false, .9)
	p := domain.FromModel(world, stream(1))
	mdp, err := planning.FromModel(world, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, best := planning.Solve(mdp)
	seen, err := planning.FromModel(p.View, nil)
	if err != nil {
		t.Fatal(err)
	}
	policy, _ := planning.Solve(seen)
	value := planning.Return(mdp, policy.Spread(2), world.Initial)
	if value > best.Value(world.Initial)+1e-9 {
		t.Errorf("a policy of the view is worth %v, the best of the world %v", value, best.Value(world.Initial))
	}
	w, n := agent.NewSimulation(world, stream(4)), 40000.0
	table := agent.NewTable(&p.View.Space, policy, nil)
	sum, squares := 0.0, 0.0
	for range int(n) {
		steps, err := w.Play(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		paid := 0.0
		for _, s := range steps {
			paid += s.Reward
		}
		sum, squares = sum+paid, squares+paid*paid
	}
	mean := sum / n
	if se := math.Sqrt((squares/n - mean*mean) / n); math.Abs(mean-value) > 4.5*se {
		t.Errorf("episodes paid %v ± %v, want %v", mean, se, value)
	}
}

// Tables that are drawn anew make a world and a view of their own. Oracle: the problem of the drawn world.
func TestResampledView(t *testing.T) {
	world := confounded(t, false, 0)
	world.Transition[2] = fmdp.Factor{Size: 2, P: []float64{.4, .6}} // at the start, its law is that of noise
	if domain.FromModel(world, stream(1)).Sight != domain.Noisy {
		t.Fatal("the world is not noisy")
	}
	d := domain.NewCustom(world)
	d.Tables = "resampled"
	p, err := d.Build(stream(3), domain.Given{})
	if err != nil {
		t.Fatal(err)
	}
	want := domain.FromModel(p.World, stream(1))
	if p.Sight != want.Sight || p.Sight != domain.Blind || !slices.Equal(p.View.Transition[0].P, want.View.Transition[0].P) || p.World == world {
		t.Errorf("sight %v, want %v", p.Sight, want.Sight)
	}
}

// A world whose first state is a law, not a list, has the view of the listed one. Oracle: the list.
func TestLawfulView(t *testing.T) {
	for _, noise := range []bool{false, true} {
		listed := confounded(t, noise, .8)
		law, hidden := *listed, []float64{.4, .6}
		if noise {
			hidden = listed.Transition[2].P
		}
		first := &fmdp.Start{Each: [][]float64{hidden}}
		for s, p := range []float64{.5, 0, .1, .2, .15, .05} {
			first.States, first.P = append(first.States, []int{s / 3, s % 3}), append(first.P, p)
		}
		law.Initial, law.First = nil, first
		if err := law.Validate(); err != nil {
			t.Fatal(err)
		}
		got, want := domain.FromModel(&law, stream(1)), domain.FromModel(listed, stream(1))
		if err := got.View.List(); err != nil {
			t.Fatal(err)
		}
		if got.Sight != want.Sight || domain.NoiseOf(&law) != domain.NoiseOf(listed) {
			t.Errorf("noise %v: sight %v, want %v", noise, got.Sight, want.Sight)
		}
		for s, p := range want.View.Initial {
			if math.Abs(got.View.Initial[s]-p) > 1e-12 {
				t.Errorf("noise %v: μ(%d) is %v, want %v", noise, s, got.View.Initial[s], p)
			}
		}
		for j := range want.View.Transition {
			for k, p := range want.View.Transition[j].P {
				if math.Abs(got.View.Transition[j].P[k]-p) > 1e-12 {
					t.Fatalf("noise %v: the law of Y%d is %v, want %v", noise, j, got.View.Transition[j].P, want.View.Transition[j].P)
				}
			}
		}
	}
}
