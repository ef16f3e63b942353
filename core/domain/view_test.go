package domain_test

import (
	"math"
	"slices"
	"testing"

	"cpsrl/core/agent"
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
	policy := planning.NewPolicy(world.Horizon, [][]int32{rule})
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
	sum, squares := 0.0, 0.0
	for range int(n) {
		steps, err := w.Play(t.Context(), policy)
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
