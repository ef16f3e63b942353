package domain_test

import (
	"math"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
)

// outcome is one thing that may happen after an action, by the rules of a problem.
type outcome struct {
	p    float64
	next string // the values of the state variables
	pays float64
	ends bool
}

// rules are those of a problem over explicit states, without tables or factors. A state is a string of
// its values, one byte each.
type rules struct {
	starts  map[string]float64
	actions []string // the values of the action variables
	step    func(state, action string) []outcome
}

// value returns the largest expected sum of rewards over that many steps, by value iteration over the
// states that can be reached.
func (r *rules) value(horizon int) float64 {
	outcomes := map[[2]string][]outcome{}
	var states []string
	seen := map[string]bool{}
	meet := func(s string) {
		if !seen[s] {
			seen[s] = true
			states = append(states, s)
		}
	}
	for s := range r.starts {
		meet(s)
	}
	for k := 0; k < len(states); k++ {
		for _, a := range r.actions {
			list := r.step(states[k], a)
			outcomes[[2]string{states[k], a}] = list
			for _, o := range list {
				if !o.ends {
					meet(o.next)
				}
			}
		}
	}
	value := map[string]float64{}
	for range horizon {
		longer := map[string]float64{}
		for _, s := range states {
			best := math.Inf(-1)
			for _, a := range r.actions {
				sum := 0.0
				for _, o := range outcomes[[2]string{s, a}] {
					sum += o.p * o.pays
					if !o.ends {
						sum += o.p * value[o.next]
					}
				}
				best = max(best, sum)
			}
			longer[s] = best
		}
		value = longer
	}
	sum := 0.0
	for s, p := range r.starts {
		sum += p * value[s]
	}
	return sum
}

// text returns values as a state or an action of rules.
func text(values ...int) string {
	b := make([]byte, len(values))
	for i, v := range values {
		b[i] = byte(v)
	}
	return string(b)
}

// all returns the assignments of variables of these sizes.
func all(sizes ...int) []string {
	list := []string{""}
	for _, n := range sizes {
		var longer []string
		for _, s := range list {
			for v := range n {
				longer = append(longer, s+text(v))
			}
		}
		list = longer
	}
	return list
}

func build(t testing.TB, d domain.Domain) *domain.Problem {
	t.Helper()
	p, err := d.Build(stream(11), domain.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// planned returns V⋆ of a model by our planner.
func planned(t testing.TB, m *fmdp.Model) float64 {
	t.Helper()
	mdp, err := planning.FromModel(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, values := planning.Solve(mdp)
	return values.Value(m.Initial)
}

// checkProblem compares a problem with the rules, its graph with that by hand, and V⋆ with a number. Every
// parent in the graph must matter.
func checkProblem(t *testing.T, d domain.Domain, r rules, graph bigraph.Bigraph, want float64) {
	t.Helper()
	m := build(t, d).View
	checkLaw(t, m, &r)
	if got := m.Graph(); !slices.Equal(got, graph) {
		t.Errorf("%+v: the graph is %v, want %v", d, got, graph)
	}
	most := 2
	for j := range m.Transition {
		f := &m.Transition[j]
		most = max(most, len(f.Given))
		for k := range f.Given {
			if !matters(m, f, k) {
				t.Errorf("%+v: %s does not depend on %s", d, m.State[j].Name, m.NameOf(f.Given[k]))
			}
		}
	}
	if d.Sparseness() != most {
		t.Errorf("%+v: Z = %d, want %d", d, d.Sparseness(), most)
	}
	if got, iterated := planned(t, m), r.value(m.Horizon); math.Abs(got-iterated) > 1e-9 || math.Abs(got-want) > 1e-8 {
		t.Errorf("%+v: V⋆ = %.10f, by value iteration %.10f, want %.9f", d, got, iterated, want)
	}
}

// checkLaw compares the law, the rewards and the ends at every state in which an episode has not ended
// with the rules.
func checkLaw(t *testing.T, m *fmdp.Model, r *rules) {
	t.Helper()
	joint, reward, ended := make([]float64, m.Joint()), planning.Reward(m), m.Ended()
	fmdp.Joint(joint, &m.Space, m.Transition)
	point, want := make([]int, m.X()), make([]float64, m.States())
	for x := range m.Points() {
		m.Point(point, x)
		if ended != nil && ended[m.Index(point[:m.Y()])] != 0 {
			continue
		}
		clear(want)
		pays := 0.0
		for _, o := range r.step(text(point[:m.Y()]...), text(point[m.Y():]...)) {
			state := make([]int, m.Y())
			for i := range state {
				state[i] = int(o.next[i])
			}
			y := m.Index(state)
			want[y] += o.p
			pays += o.p * o.pays
			if o.ends != (ended != nil && ended[y] != 0) {
				t.Fatalf("an episode ends in %v: %v", state, !o.ends)
			}
		}
		for y, p := range joint[x*m.States():][:m.States()] {
			if math.Abs(p-want[y]) > 1e-12 {
				t.Fatalf("p(%d|%v) = %v, want %v", y, point, p, want[y])
			}
		}
		if math.Abs(reward[x]-pays) > 1e-12 {
			t.Fatalf("R(%v) = %v, want %v", point, reward[x], pays)
		}
	}
	for s, p := range m.Initial {
		if state := text(m.Point(make([]int, m.Y()), s)...); math.Abs(p-r.starts[state]) > 1e-12 {
			t.Errorf("μ(%v) = %v, want %v", []byte(state), p, r.starts[state])
		}
	}
}
