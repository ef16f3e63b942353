package experiment

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/spec"
)

// V(random) in worlds with ends, illegal actions, payoffs on arrival, hidden noise and hidden memory. Oracle: the
// probability of each state at each step, when every legal action is played equally often.
func TestRandomValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 53))
	for n := range 40 {
		m, of := partlyHidden(t, rng, false)
		if n%4 == 0 { // all is seen
			m.Hidden = 0
		}
		world, want := enumerate(m, of), 0.0
		now := world.Initial
		for range world.Horizon {
			later := make([]float64, len(world.states))
			for s, state := range world.states {
				if ends(world.Model, state) {
					continue
				}
				var legal []int
				for a, action := range world.actions {
					if m.Allows(slices.Concat(state, action)) {
						legal = append(legal, a)
					}
				}
				for _, a := range legal {
					share := now[s] / float64(len(legal))
					for y, step := range world.steps[s*len(world.actions)+a] {
						want += share * step.p * step.paid
						later[y] += share * step.p
					}
				}
			}
			now = later
		}
		e, err := New(&spec.Spec{Domain: domain.NewCustom(m), Agents: []string{"psrl"}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Random(0)
		if err != nil || math.Abs(got-want) > 1e-10 {
			t.Errorf("problem %d: V(random) is %v, want %v, %v", n, got, want, err)
		}
		if best, err := e.Optimum(); err != nil || best < got-1e-10 {
			t.Errorf("problem %d: V⋆ %v is below V(random) %v, %v", n, best, got, err)
		}
	}
}

// The agent that plays at random has the mean value V(random), also where each run has a true model of its own.
// Tolerance: five standard errors.
func TestRandomAgent(t *testing.T) {
	for _, name := range []string{"fig1-quick", "fig2c-quick", "river-swim", "frozen-lake"} {
		p, known := LookupPreset(name)
		if !known {
			t.Fatal(name)
		}
		s := p.Spec.Clone()
		s.Agents, s.Prior, s.Priors, s.Episodes, s.Runs = []string{"random"}, nil, nil, 400, 2
		e, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		for run := range 2 {
			want, err := e.Random(run)
			if err != nil {
				t.Fatal(err)
			}
			sum, squares, k := 0.0, 0.0, 0.0
			for r, err := range e.Play(run, e.Arms()[0]) {
				if err != nil {
					t.Fatal(err)
				}
				sum, squares, k = sum+r.Value, squares+r.Value*r.Value, k+1
			}
			mean := sum / k
			if apart, se := math.Abs(mean-want), math.Sqrt(max(0, squares/k-mean*mean)/k); apart > 5*se+1e-9 {
				t.Errorf("%s, run %d: the mean value is %v ± %v, V(random) %v", name, run, mean, se, want)
			}
		}
	}
}
