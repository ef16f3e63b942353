package agent_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

func stream(seed uint64) *posterior.Stream { return posterior.NewStream(0xa6e<<32 + seed) }

// truth is a random FMDP with 4 state and 2 action variables of 2 values, 3
// true parents each; and one reward factor that is tied to no variable.
func truth(t testing.TB) *domain.Problem {
	p, err := domain.NewRandom(domain.Random{
		StateVariables: 4, ActionVariables: 2, Values: 2, Parents: 3, MostParents: 3, Eta: 1, Horizon: 10,
	}, stream(1).Rand)
	if err != nil {
		t.Fatal(err)
	}
	p.Model.Reward = append(p.Model.Reward, fmdp.Reward{
		Given: []int{5, 0}, Mean: []float64{0.1, 0.9, 0.4, 0.7}, Kind: fmdp.Bernoulli, Scale: 0.5, Of: -1,
	})
	if err := p.Model.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

// kind is one entry of the conformance suite.
type kind struct {
	name  string
	graph bool // it samples a graph
	prior func(*domain.Problem) *bigraph.Prior
	build func(*agent.Problem, *domain.Problem, *bigraph.Prior) (agent.Agent, error)
}

func causalKind(name string, known func(*domain.Problem) bigraph.Bigraph, sparseness int) kind {
	return kind{name, true,
		func(p *domain.Problem) *bigraph.Prior {
			return &bigraph.Prior{X: p.Model.X(), Known: known(p), Sparseness: sparseness}
		},
		func(p *agent.Problem, _ *domain.Problem, prior *bigraph.Prior) (agent.Agent, error) {
			return agent.NewCausal(p, prior)
		}}
}

var kinds = []kind{
	{"PSRL", false, nil, func(p *agent.Problem, _ *domain.Problem, _ *bigraph.Prior) (agent.Agent, error) {
		return agent.NewPSRL(p)
	}},
	{"F-PSRL", true,
		func(p *domain.Problem) *bigraph.Prior {
			return &bigraph.Prior{X: p.Model.X(), Known: p.Model.Graph(), Sparseness: 3}
		},
		func(p *agent.Problem, d *domain.Problem, _ *bigraph.Prior) (agent.Agent, error) {
			return agent.NewFactored(p, d.Model.Graph())
		}},
	causalKind("C-PSRL", func(p *domain.Problem) bigraph.Bigraph { return p.Suggested }, 4),
	causalKind("C-PSRL η=0", func(p *domain.Problem) bigraph.Bigraph { return p.Revealed(0) }, 6),
}

// conform runs a test for every agent, with known and with learned rewards.
func conform(t *testing.T, test func(t *testing.T, k kind, p *domain.Problem, build func() agent.Agent)) {
	for _, k := range kinds {
		for _, learned := range []bool{false, true} {
			name := k.name
			if learned {
				name += " learned rewards"
			}
			t.Run(name, func(t *testing.T) {
				d := truth(t)
				p := &agent.Problem{Space: &d.Model.Space, Reward: d.Model.Reward}
				if !learned {
					p.Rewards = make([]float64, d.Model.Points())
					d.Model.Rewards(p.Rewards)
				}
				test(t, k, d, func() agent.Agent {
					var prior *bigraph.Prior
					if k.prior != nil {
						prior = k.prior(d)
					}
					a, err := k.build(p, d, prior)
					if err != nil {
						t.Fatal(err)
					}
					return a
				})
			})
		}
	}
}

// data draws steps from the true model, x uniform.
func data(rng *posterior.Stream, m *fmdp.Model, n int) []posterior.Step {
	steps := make([]posterior.Step, n)
	for t := range steps {
		s := posterior.Step{Point: make([]int, m.X()), Next: make([]int, m.Y()), Paid: make([]uint8, len(m.Reward))}
		m.Point(s.Point, rng.IntN(m.Points()))
		m.Next(rng.Rand, s.Point, s.Next)
		for f := range m.Reward {
			if rng.Float64() < m.Reward[f].Mean[m.Row(m.Reward[f].Given, s.Point)] {
				s.Paid[f] = 1
			}
		}
		steps[t] = s
	}
	return steps
}

// copied is a sample that outlives the next call.
type copied struct {
	graph         bigraph.Bigraph
	tables        [][]float64
	joint, reward []float64
}

func copyOf(s *agent.Sample) copied {
	c := copied{slices.Clone(s.Graph), nil, slices.Clone(s.Joint), slices.Clone(s.Reward)}
	for _, f := range s.Transition {
		c.tables = append(c.tables, slices.Clone(f.P))
	}
	return c
}

func (c copied) equal(d copied) bool {
	return slices.Equal(c.graph, d.graph) && slices.Equal(c.joint, d.joint) && slices.Equal(c.reward, d.reward) &&
		slices.EqualFunc(c.tables, d.tables, slices.Equal[[]float64])
}

// Rows are distributions; the joint law is the product of the factors; the graph
// is theirs and consistent with the prior; rewards are what they can be.
func TestSample(t *testing.T) {
	conform(t, func(t *testing.T, k kind, d *domain.Problem, build func() agent.Agent) {
		m := d.Model
		known := make([]float64, m.Points())
		m.Rewards(known)
		a := build()
		rng := stream(2)
		for round := range 4 {
			s := a.Sample(rng)
			if len(s.Joint) != m.Joint() || len(s.Reward) != m.Points() {
				t.Fatalf("%d entries, %d rewards", len(s.Joint), len(s.Reward))
			}
			for x := range m.Points() {
				sum := 0.0
				for _, p := range s.Joint[x*m.States():][:m.States()] {
					if !(p >= 0) {
						t.Fatalf("probability %v", p)
					}
					sum += p
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("the row of %d sums to %v", x, sum)
				}
				if r := s.Reward[x]; !(r >= 0 && r <= 1.5) || !strings.Contains(t.Name(), "learned") && r != known[x] {
					t.Fatalf("R(%d) = %v", x, r)
				}
			}
			if (s.Graph != nil) != k.graph || (s.Transition != nil) != k.graph || (a.Beliefs() != nil) != k.graph {
				t.Fatalf("graph %v, %d tables, %d beliefs", s.Graph, len(s.Transition), len(a.Beliefs()))
			}
			if k.graph {
				prior := k.prior(d)
				if !slices.Equal(fmdp.Graph(s.Transition), s.Graph) {
					t.Errorf("tables over %v, graph %v", fmdp.Graph(s.Transition), s.Graph)
				}
				for j, z := range s.Graph {
					if !z.Contains(prior.Known[j]) || z.Len() > prior.Sparseness {
						t.Errorf("Y_%d ← %v is not consistent with the prior", j, z.Parents())
					}
				}
				joint := make([]float64, m.Joint())
				fmdp.Joint(joint, &m.Space, s.Transition)
				if !slices.Equal(joint, s.Joint) {
					t.Error("the joint law is not the product of the factors")
				}
			}
			// The operator planning gets is the same law.
			v, got := make([]float64, m.States()), make([]float64, m.Points())
			points := make([]int32, m.Points())
			for i := range v {
				v[i] = rng.Float64()
			}
			for x := range points {
				points[x] = int32(x)
			}
			mdp, err := s.MDP(m.Horizon, &m.Space)
			if err != nil {
				t.Fatal(err)
			}
			mdp.Next.Apply(got, v, points)
			for x := range got {
				want := 0.0
				for y, p := range s.Joint[x*m.States():][:m.States()] {
					want += p * v[y]
				}
				if math.Abs(got[x]-want) > 1e-12 {
					t.Fatalf("E[v|%d] = %v, want %v", x, got[x], want)
				}
			}
			a.Observe(data(rng, m, 20*round))
		}
	})
}

// The same evidence and stream give the same bits, whatever else was sampled.
func TestDeterminism(t *testing.T) {
	conform(t, func(t *testing.T, k kind, d *domain.Problem, build func() agent.Agent) {
		one, two := build(), build()
		steps := data(stream(3), d.Model, 60)
		for round := range 3 {
			for i := range 3 { // idle samples of one agent only
				s := one.Sample(stream(uint64(100 + i)))
				// What a sample holds may be scribbled on: the belief is elsewhere.
				for _, f := range s.Transition {
					clear(f.P)
				}
				clear(s.Joint)
				if strings.Contains(t.Name(), "learned") {
					clear(s.Reward)
				}
			}
			a, b := copyOf(one.Sample(stream(4))), copyOf(two.Sample(stream(4)))
			if !a.equal(b) {
				t.Fatalf("round %d: two samples of one belief differ", round)
			}
			one.Observe(steps[20*round : 20*round+20])
			two.Observe(steps[20*round : 20*round+10])
			two.Observe(steps[20*round+10 : 20*round+20])
		}
		// An agent keeps no hold of the steps: the caller reuses them.
		before := copyOf(one.Sample(stream(5)))
		for t := range steps {
			clear(steps[t].Point)
			clear(steps[t].Next)
			clear(steps[t].Paid)
		}
		if !before.equal(copyOf(one.Sample(stream(5)))) {
			t.Error("the belief changed with the caller's steps")
		}
	})
}

// modelError is the mean ℓ1 distance of the joint laws, and of the rewards.
func modelError(d *domain.Problem, s *agent.Sample) (law, reward float64) {
	m := d.Model
	joint, r := make([]float64, m.Joint()), make([]float64, m.Points())
	fmdp.Joint(joint, &m.Space, m.Transition)
	m.Rewards(r)
	for i := range joint {
		law += math.Abs(joint[i] - s.Joint[i])
	}
	for x := range r {
		reward += math.Abs(r[x] - s.Reward[x])
	}
	return law / float64(m.Points()), reward / float64(m.Points())
}

// The posterior concentrates on the truth: the model error falls with the data
// as 1/√n, and the most probable graph is the true one.
func TestConcentration(t *testing.T) {
	conform(t, func(t *testing.T, k kind, d *domain.Problem, build func() agent.Agent) {
		a := build()
		rng := stream(6)
		var law, reward [3]float64
		for stage, n := range []int{0, 1000, 99000} {
			for range n / 1000 {
				a.Observe(data(rng, d.Model, 1000))
			}
			for range 5 {
				l, r := modelError(d, a.Sample(rng))
				law[stage] += l / 5
				reward[stage] += r / 5
			}
		}
		// From 1000 to 100 000 steps: a tenth, allowing for chance a quarter.
		if !(law[1] < law[0] && law[2] < law[1]/4 && law[2] < 0.12) {
			t.Errorf("model error %v", law)
		}
		if strings.Contains(t.Name(), "learned") {
			if !(reward[1] < reward[0] && reward[2] < reward[1]/4 && reward[2] < 0.06) {
				t.Errorf("reward error %v", reward)
			}
		} else if reward != [3]float64{} {
			t.Errorf("known rewards are off by %v", reward)
		}
		for j, local := range a.Beliefs() {
			best := local.Sets()[local.Best()]
			if want := d.Model.Graph()[j]; best != want {
				t.Errorf("Y_%d: the most probable parents are %v, the true ones %v", j, best.Parents(), want.Parents())
			}
		}
	})
}

// F-PSRL is C-PSRL whose prior leaves one factorization: bit for bit.
func TestFactoredIsCausal(t *testing.T) {
	d := truth(t)
	for _, learned := range []bool{false, true} {
		p := &agent.Problem{Space: &d.Model.Space, Reward: d.Model.Reward}
		if !learned {
			p.Rewards = make([]float64, d.Model.Points())
		}
		factored, err := agent.NewFactored(p, d.Model.Graph())
		if err != nil {
			t.Fatal(err)
		}
		// All 3 true parents are known and Z = 3 admits no more.
		causal, err := agent.NewCausal(p, &bigraph.Prior{X: d.Model.X(), Known: d.Revealed(3), Sparseness: 3})
		if err != nil {
			t.Fatal(err)
		}
		one, two := stream(7), stream(7)
		for range 5 {
			if !copyOf(factored.Sample(one)).equal(copyOf(causal.Sample(two))) {
				t.Fatal("the samples differ")
			}
			steps := data(stream(8), d.Model, 30)
			factored.Observe(steps)
			causal.Observe(steps)
		}
	}
}

// PSRL's belief, by hand: Dirichlet(1) over the next states; after n visits to
// one pair that always led to one state its probability is about (n+1)/(n+S).
func TestPSRLCounts(t *testing.T) {
	d := truth(t)
	p := &agent.Problem{Space: &d.Model.Space, Reward: d.Model.Reward, Rewards: make([]float64, d.Model.Points())}
	a, err := agent.NewPSRL(p)
	if err != nil {
		t.Fatal(err)
	}
	step := data(stream(9), d.Model, 1)
	for range 84 {
		a.Observe(step)
	}
	x, y := d.Model.Index(step[0].Point), d.Model.Index(step[0].Next)
	rng, mean := stream(10), 0.0
	const n = 400
	for range n {
		mean += a.Sample(rng).Joint[x*d.Model.States()+y] / n
	}
	if want := 85.0 / 100; math.Abs(mean-want) > 5*math.Sqrt(want*(1-want)/101/n) {
		t.Errorf("mean %v, want %v", mean, want)
	}
}

func wantInvalid(t *testing.T, err error, place, says string) {
	t.Helper()
	var invalid *fmdp.InvalidError
	if !errors.As(err, &invalid) || invalid.Place != place || !strings.Contains(invalid.Reason, says) {
		t.Errorf("%v; want %s: …%s…", err, place, says)
	}
}

func binary(states, actions int) *fmdp.Space {
	s := &fmdp.Space{}
	for i := range states {
		s.State = append(s.State, fmdp.Variable{Name: fmt.Sprint("s", i), Size: 2})
	}
	for i := range actions {
		s.Action = append(s.Action, fmdp.Variable{Name: fmt.Sprint("a", i), Size: 2})
	}
	return s
}

func TestErrors(t *testing.T) {
	none := func(n int) bigraph.Bigraph { return make(bigraph.Bigraph, n) }
	s := binary(12, 1) // S²A = 2^25
	_, err := agent.NewPSRL(&agent.Problem{Space: s})
	wantInvalid(t, err, "/agents", "33554432 entries (S²A), more than 8388608")
	wide := &fmdp.Space{State: slices.Repeat([]fmdp.Variable{{Name: "s0", Size: 1}}, 17), Action: []fmdp.Variable{{Name: "a0", Size: 1}}}
	_, err = agent.NewCausal(&agent.Problem{Space: wide}, &bigraph.Prior{X: 18, Known: none(17), Sparseness: 18})
	wantInvalid(t, err, "/sparseness", `"s0" has 262144 consistent parent sets, more than the 65536 that can be listed`)
	_, err = agent.NewCausal(&agent.Problem{Space: s}, &bigraph.Prior{X: 13, Known: none(12), Sparseness: -1})
	wantInvalid(t, err, "/sparseness", `"s0" has no consistent parent set`)
	large := binary(15, 1)
	_, err = agent.NewCausal(&agent.Problem{Space: large}, &bigraph.Prior{X: 16, Known: none(15), Sparseness: 16})
	wantInvalid(t, err, "/sparseness", `"s0"`)
}

func TestLearnable(t *testing.T) {
	rewards := []fmdp.Reward{{Mean: []float64{0, 1}}, {Mean: []float64{0.5, 0.25, 1.5}}}
	if err := agent.Learnable(rewards[:1]); err != nil {
		t.Error(err)
	}
	wantInvalid(t, agent.Learnable(rewards), "/rewards", "factor 1 has mean 1.5 in row 2")
}

func BenchmarkSample(b *testing.B) {
	d, err := domain.NewRandom(domain.Random{
		StateVariables: 6, ActionVariables: 3, Values: 2, Parents: 5, MostParents: 5, Eta: 2, Horizon: 100,
	}, stream(11).Rand)
	if err != nil {
		b.Fatal(err)
	}
	p := &agent.Problem{Space: &d.Model.Space, Reward: d.Model.Reward, Rewards: make([]float64, d.Model.Points())}
	for _, k := range []string{"PSRL", "F-PSRL", "C-PSRL"} {
		b.Run(k, func(b *testing.B) {
			var a agent.Agent
			switch k {
			case "PSRL":
				a, err = agent.NewPSRL(p)
			case "F-PSRL":
				a, err = agent.NewFactored(p, d.Model.Graph())
			case "C-PSRL":
				a, err = agent.NewCausal(p, &bigraph.Prior{X: 9, Known: d.Revealed(2), Sparseness: 5})
			}
			if err != nil {
				b.Fatal(err)
			}
			a.Observe(data(stream(12), d.Model, 1000))
			rng := stream(13)
			b.ReportAllocs()
			for b.Loop() {
				a.Sample(rng)
			}
		})
	}
}
