package agent_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

func stream(seed uint64) *posterior.Stream { return posterior.NewStream(0xa6e<<32 + seed) }

// truth is a random FMDP with 4 state and 2 action variables of 2 values, 3
// true parents each; and one reward factor that is tied to no variable.
func truth(t testing.TB) *domain.Problem {
	random := &domain.Random{StateVariables: 4, ActionVariables: 2, Values: 2, Parents: 3, Horizon: 10}
	p, err := random.Build(stream(1).Rand, domain.Given{Eta: 1, MostParents: 3})
	if err != nil {
		t.Fatal(err)
	}
	p.View.Reward = append(p.View.Reward, fmdp.Reward{
		Given: []int{5, 0}, Mean: []float64{0.1, 0.9, 0.4, 0.7}, Kind: fmdp.Bernoulli, Scale: 0.5, Of: -1,
	})
	if err := p.View.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

// taskOf is what the agents are told of a problem: its rewards, if known, and
// its suggested prior, with this Z.
func taskOf(d *domain.Problem, known bool, sparseness int) *agent.Task {
	m := d.View
	task := &agent.Task{
		Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward,
		Prior: &bigraph.Prior{X: m.X(), Known: d.Suggested, Sparseness: sparseness},
		Truth: m.Graph(), Revealed: d.Revealed,
	}
	task.Model = &agent.Model{Graph: task.Truth, Transition: m.Transition, Reward: m.Reward}
	task.Known = known
	return task
}

// What was paid is learned where the next value of the variable is not known whose parents the payoff shares. Oracle: the mean of
// Beta(1 + paid, 1 + unpaid), by hand.
func TestPaidUnseen(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "s", Size: 2}}, Action: []fmdp.Variable{{Name: "a", Size: 2}}}
	task := &agent.Task{Space: space, Horizon: 2, Payoffs: []fmdp.Reward{{Given: []int{0}, Kind: fmdp.Bernoulli, Scale: 1, Of: 0}}}
	c, err := agent.NewFactored(task, bigraph.Bigraph{bigraph.Of(0)})
	if err != nil {
		t.Fatal(err)
	}
	step := func(s, next int, paid uint8) posterior.Step {
		return posterior.Step{Point: []int{s, 0}, Next: []int{next}, Paid: []uint8{paid}}
	}
	c.Observe([]posterior.Step{step(0, 1, 1), step(0, fmdp.Unseen, 1), step(0, fmdp.Unseen, 1), step(1, fmdp.Unseen, 0)})
	m := c.MeanModel()
	if got := m.Reward[0].Mean; !slices.Equal(got, []float64{4.0 / 5, 1.0 / 3}) {
		t.Errorf("the payoffs are %v", got)
	}
	if got := m.Transition[0].P; !slices.Equal(got, []float64{1.0 / 3, 2.0 / 3, 0.5, 0.5}) {
		t.Errorf("the law is %v", got)
	}
}

// suite lists agents of every kind. The belief of those that learn concentrates on the truth.
var suite = []entry{
	{"psrl", 4, true}, {"f-psrl", 3, true}, {"c-psrl", 4, true}, {"c-psrl:eta=0", 6, true},
	{"greedy", 4, true}, {"greedy:graph=true", 3, true}, {"random", 4, false}, {"optimal", 4, false}, {"constant", 4, false},
}

type entry struct {
	label      string
	sparseness int
	learns     bool
}

func TestSuiteHasEveryKind(t *testing.T) {
	for _, k := range arm.Kinds() {
		if !slices.ContainsFunc(suite, func(e entry) bool { return e.label == k.Key }) {
			t.Errorf("no test builds an agent of the kind %q", k.Key)
		}
	}
}

// conform runs a test for every agent, with known and with learned rewards.
func conform(t *testing.T, test func(t *testing.T, c *conformer)) {
	for _, e := range suite {
		for _, learned := range []bool{false, true} {
			name := e.label
			if learned {
				name += " learned rewards"
			}
			t.Run(name, func(t *testing.T) {
				arm, err := arm.Parse(e.label)
				if err != nil {
					t.Fatal(err)
				}
				d := truth(t)
				task := taskOf(d, !learned, e.sparseness)
				test(t, &conformer{arm, d, task, e.learns, learned, func() agent.Agent {
					a, err := arm.Build(task)
					if err != nil {
						t.Fatal(err)
					}
					return a
				}})
			})
		}
	}
}

// conformer is an agent to test, and its problem.
type conformer struct {
	arm.Arm
	truth   *domain.Problem
	task    *agent.Task
	learns  bool               // whether the agent learns anything
	learned bool               // whether the rewards are learned
	build   func() agent.Agent // one that has seen nothing
}

// beliefs returns the hyper-posteriors of an agent that has some.
func beliefs(a agent.Agent) []agent.Belief {
	if b, ok := a.(agent.Believer); ok {
		return b.Beliefs()
	}
	return nil
}

// data draws steps from the true model at uniform points x.
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

// copied returns a copy of a sample, which the next call does not overwrite.
type copied struct {
	graph  bigraph.Bigraph
	tables [][]float64
	joint  []float64
	reward []fmdp.Reward
}

// rewardOf returns R(x) of a model over the variables of m.
func rewardOf(m *fmdp.Model, s *agent.Model) []float64 {
	return (&agent.Exact{Space: &m.Space}).Reward(s)
}

func copyOf(s *agent.Model) copied {
	c := copied{slices.Clone(s.Graph), nil, slices.Clone(s.Joint), slices.Clone(s.Reward)}
	for k := range c.reward {
		c.reward[k].Mean = slices.Clone(c.reward[k].Mean)
	}
	for _, f := range s.Transition {
		c.tables = append(c.tables, slices.Clone(f.P))
	}
	return c
}

func (c copied) equal(d copied) bool {
	return slices.Equal(c.graph, d.graph) && slices.Equal(c.joint, d.joint) && reflect.DeepEqual(c.reward, d.reward) &&
		slices.EqualFunc(c.tables, d.tables, slices.Equal[[]float64])
}

// Rows are distributions; the joint law is the product of the factors; the graph
// is theirs and consistent with the prior; rewards are what they can be.
func TestSample(t *testing.T) {
	conform(t, func(t *testing.T, c *conformer) {
		m := c.truth.View
		known := planning.Reward(m)
		a := c.build()
		rng := stream(2)
		for round := range 4 {
			s := a.Model(rng)
			if len(s.Joint) != m.Joint() {
				t.Fatalf("%d entries", len(s.Joint))
			}
			reward := rewardOf(m, s)
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
				if r := reward[x]; !(r >= 0 && r <= 1.5) || !c.learned && r != known[x] {
					t.Fatalf("R(%d) = %v", x, r)
				}
			}
			prior := c.Prior(c.task)
			if (s.Graph != nil) != c.Graph || (s.Transition != nil) != c.Factored || (beliefs(a) != nil) != c.Believes || (prior != nil) != c.Believes {
				t.Fatalf("graph %v, %d tables, %d beliefs, prior %v", s.Graph, len(s.Transition), len(beliefs(a)), prior)
			}
			if c.Graph && !slices.Equal(fmdp.Graph(s.Transition), s.Graph) {
				t.Errorf("tables over %v, graph %v", fmdp.Graph(s.Transition), s.Graph)
			}
			if c.Believes {
				for j, z := range s.Graph {
					if !z.Contains(prior.Known[j]) || z.Len() > prior.Sparseness {
						t.Errorf("Y_%d ← %v is not consistent with the prior", j, z.Parents())
					}
				}
			}
			if c.Factored {
				joint := make([]float64, m.Joint())
				fmdp.Joint(joint, &m.Space, s.Transition)
				if !slices.Equal(joint, s.Joint) {
					t.Error("the joint law is not the product of the factors")
				}
			}
			planned(t, m, s)
			a.Observe(data(rng, m, 20*round))
		}
	})
}

// planned holds the planner to the sampled model. Oracle: backward induction over
// the joint law, as a textbook has it.
func planned(t *testing.T, m *fmdp.Model, s *agent.Model) {
	t.Helper()
	plan, err := (&agent.Exact{Space: &m.Space, Horizon: m.Horizon}).Plan(t.Context(), nil, s)
	if err != nil {
		t.Fatal(err)
	}
	table := plan.(*agent.Table)
	states, actions, reward := m.States(), m.Actions(), rewardOf(m, s)
	next, v, got := make([]float64, states), make([]float64, states), make([]float64, states)
	for h := m.Horizon; h >= 1; h-- {
		table.Values.At(got, h)
		for state := range v {
			best, own := math.Inf(-1), math.NaN()
			for action := range actions {
				x := state*actions + action
				q := reward[x]
				for y, p := range s.Joint[x*states:][:states] {
					q += p * next[y]
				}
				best = max(best, q)
				if action == int(table.Rule(h)[state]) {
					own = q
				}
			}
			v[state] = best
			if !(math.Abs(got[state]-best) <= 1e-9 && math.Abs(own-best) <= 1e-9) {
				t.Fatalf("V_%d(%d) = %v, of the policy's action %v, want %v", h, state, got[state], own, best)
			}
		}
		copy(next, v)
	}
}

// The same evidence and stream give the same bits, whatever else was sampled.
func TestDeterminism(t *testing.T) {
	conform(t, func(t *testing.T, c *conformer) {
		one, two := c.build(), c.build()
		steps := data(stream(3), c.truth.View, 60)
		for round := range 3 {
			for i := range 3 { // only one of the two agents draws extra samples
				s := one.Model(stream(uint64(100 + i)))
				// Overwriting the model of an agent that learns does not change the belief.
				if !c.learns {
					continue
				}
				for _, f := range s.Transition {
					clear(f.P)
				}
				clear(s.Joint)
				if c.learned {
					for _, r := range s.Reward {
						clear(r.Mean)
					}
				}
			}
			a, b := copyOf(one.Model(stream(4))), copyOf(two.Model(stream(4)))
			if !a.equal(b) {
				t.Fatalf("round %d: two samples of one belief differ", round)
			}
			one.Observe(steps[20*round : 20*round+20])
			two.Observe(steps[20*round : 20*round+10])
			two.Observe(steps[20*round+10 : 20*round+20])
		}
		// The caller reuses the steps, so an agent keeps no reference to them.
		before := copyOf(one.Model(stream(5)))
		for t := range steps {
			clear(steps[t].Point)
			clear(steps[t].Next)
			clear(steps[t].Paid)
		}
		if !before.equal(copyOf(one.Model(stream(5)))) {
			t.Error("the belief changed with the caller's steps")
		}
	})
}

// modelError is the mean ℓ1 distance of the joint laws, and of the rewards.
func modelError(d *domain.Problem, s *agent.Model) (law, reward float64) {
	m := d.View
	joint, r := make([]float64, m.Joint()), make([]float64, m.Points())
	fmdp.Joint(joint, &m.Space, m.Transition)
	copy(r, planning.Reward(m))
	for i := range joint {
		law += math.Abs(joint[i] - s.Joint[i])
	}
	for x, sampled := range rewardOf(m, s) {
		reward += math.Abs(r[x] - sampled)
	}
	return law / float64(m.Points()), reward / float64(m.Points())
}

// The posterior concentrates on the truth: the model error falls with the data
// as 1/√n, and the most probable graph is the true one.
func TestConcentration(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where the same numbers are drawn")
	}
	conform(t, func(t *testing.T, c *conformer) {
		if !c.learns {
			return
		}
		a := c.build()
		rng := stream(6)
		var law, reward [3]float64
		for stage, n := range []int{0, 1000, 99000} {
			for range n / 1000 {
				a.Observe(data(rng, c.truth.View, 1000))
			}
			for range 5 {
				l, r := modelError(c.truth, a.Model(rng))
				law[stage] += l / 5
				reward[stage] += r / 5
			}
		}
		// From 1000 to 100 000 steps: a tenth, allowing for chance a quarter.
		if !(law[1] < law[0] && law[2] < law[1]/4 && law[2] < 0.12) {
			t.Errorf("model error %v", law)
		}
		if c.learned {
			if !(reward[1] < reward[0] && reward[2] < reward[1]/4 && reward[2] < 0.06) {
				t.Errorf("reward error %v", reward)
			}
		} else if reward != [3]float64{} {
			t.Errorf("known rewards are off by %v", reward)
		}
		for j, local := range beliefs(a) {
			best := local.Sets()[local.Best()]
			if want := c.truth.View.Graph()[j]; best != want {
				t.Errorf("Y_%d: the most probable parents are %v, the true ones %v", j, best.Parents(), want.Parents())
			}
		}
	})
}

// F-PSRL is C-PSRL whose prior leaves one factorization: bit for bit.
func TestFactoredIsCausal(t *testing.T) {
	d := truth(t)
	for _, learned := range []bool{false, true} {
		task := taskOf(d, !learned, 3)
		factored, err := agent.NewFactored(task, d.View.Graph())
		if err != nil {
			t.Fatal(err)
		}
		// All 3 true parents are known and Z = 3 admits no more.
		causal, err := agent.NewCausal(task, &bigraph.Prior{X: d.View.X(), Known: d.Revealed(3), Sparseness: 3})
		if err != nil {
			t.Fatal(err)
		}
		one, two := stream(7), stream(7)
		for range 5 {
			if !copyOf(factored.Model(one)).equal(copyOf(causal.Model(two))) {
				t.Fatal("the samples differ")
			}
			steps := data(stream(8), d.View, 30)
			factored.Observe(steps)
			causal.Observe(steps)
		}
	}
}

// PSRL's belief, by hand: Dirichlet(1) over the next states; after n visits to
// one pair that always led to one state its probability is about (n+1)/(n+S).
func TestPSRLCounts(t *testing.T) {
	d := truth(t)
	a, err := agent.NewPSRL(taskOf(d, true, 3), concentration.Concentration{})
	if err != nil {
		t.Fatal(err)
	}
	step := data(stream(9), d.View, 1)
	for range 84 {
		a.Observe(step)
	}
	x, y := d.View.Index(step[0].Point), d.View.Index(step[0].Next)
	rng, mean := stream(10), 0.0
	const n = 400
	for range n {
		mean += a.Model(rng).Joint[x*d.View.States()+y] / n
	}
	if want := 85.0 / 100; math.Abs(mean-want) > 5*math.Sqrt(want*(1-want)/101/n) {
		t.Errorf("mean %v, want %v", mean, want)
	}
}

// PSRL that is told a law samples that law, and learns the rest as by hand: Dirichlet(α) over the next values of the other
// variables. After n visits to one pair that always led to one state, the probability of its values is about (n+α)/(n+kα).
func TestPSRLTold(t *testing.T) {
	d := truth(t)
	m := d.View
	for j := range m.Y() {
		task := taskOf(d, true, 3)
		task.Told = make([]*fmdp.Factor, m.Y())
		task.Told[j] = &m.Transition[j]
		ess := concentration.Concentration{}
		if err := ess.Parse(fmt.Sprint("ess:", m.Points())); err != nil {
			t.Fatal(err)
		}
		a, err := agent.NewPSRL(task, ess)
		if err != nil {
			t.Fatal(err)
		}
		step := data(stream(9), m, 1)
		const visits, n = 3, 300
		for range visits {
			a.Observe(step)
		}
		rest := m.States() / m.State[j].Size
		seen, rng, mean := m.Index(step[0].Point), stream(10), 0.0
		for range n {
			joint := a.Model(rng).Joint
			for x := range m.Points() {
				law := m.Transition[j].Row(m.Row(m.Transition[j].Given, m.Point(make([]int, m.X()), x)))
				sums, others := make([]float64, len(law)), map[string]float64{}
				for y := range m.States() {
					next := m.Point(make([]int, m.Y()), y)
					sums[next[j]] += joint[x*m.States()+y]
					next[j] = 0
					others[fmt.Sprint(next)] += joint[x*m.States()+y]
				}
				for v, p := range law {
					if math.Abs(sums[v]-p) > 1e-12 {
						t.Fatalf("Y%d at x = %d: the law of its value %d is %v, and %v was told", j, x, v, sums[v], p)
					}
				}
				if x == seen {
					next := slices.Clone(step[0].Next)
					next[j] = 0
					mean += others[fmt.Sprint(next)] / n
				}
			}
		}
		want := (visits + 1/float64(rest)) / (visits + 1) // ess is that of the table, and so 1 of each row
		if math.Abs(mean-want) > 5*math.Sqrt(want*(1-want)/(visits+2)/n) {
			t.Errorf("Y%d told: the mean is %v, want %v", j, mean, want)
		}
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

// Tables that are too large and priors without or with too many parent sets are errors.
func TestErrors(t *testing.T) {
	none := func(n int) bigraph.Bigraph { return make(bigraph.Bigraph, n) }
	s := binary(13, 1) // S²A = 2^27
	_, err := agent.NewPSRL(&agent.Task{Space: s}, concentration.Concentration{})
	if table, ok := err.(*fmdp.TooLargeError); !ok || *table != (fmdp.TooLargeError{Entries: 1 << 27, Limit: fmdp.MaxTabular}) {
		t.Errorf("PSRL of 2^27 entries: %v", err)
	}
	free := make([]fmdp.Reward, 4*fmdp.MaxTabular>>18) // of 2^17 entries each, whatever they depend on
	for f := range free {
		free[f] = fmdp.Reward{Mean: []float64{0.5}, Kind: fmdp.Bernoulli, Scale: 1}
	}
	flat := &fmdp.Space{State: []fmdp.Variable{{Name: "s0", Size: 1}}, Action: slices.Repeat([]fmdp.Variable{{Name: "a0", Size: 2}}, 17)}
	_, err = agent.NewPSRL(&agent.Task{Space: flat, Payoffs: free}, concentration.Concentration{})
	if table, ok := err.(*fmdp.TooLargeError); !ok || table.Entries != 4*fmdp.MaxTabular {
		t.Errorf("learned rewards with four times the limit: %v", err)
	}
	wide := &fmdp.Space{State: slices.Repeat([]fmdp.Variable{{Name: "s0", Size: 1}}, 17), Action: []fmdp.Variable{{Name: "a0", Size: 1}}}
	_, err = agent.NewCausal(&agent.Task{Space: wide}, &bigraph.Prior{X: 18, Known: none(17), Sparseness: 18})
	if many, ok := err.(*bigraph.TooManyError); !ok || many.Y != 0 || many.Count.Int64() != 1<<18 {
		t.Errorf("2^18 parent sets: %v", err)
	}
	_, err = agent.NewCausal(&agent.Task{Space: s}, &bigraph.Prior{X: 14, Known: none(13), Sparseness: -1})
	if no, ok := err.(*bigraph.InconsistentError); !ok || *no != (bigraph.InconsistentError{Y: 0, Known: 0, Most: -1}) {
		t.Errorf("no parent set: %v", err)
	}
	_, err = agent.NewCausal(&agent.Task{Space: binary(62, 1)}, &bigraph.Prior{X: 63, Known: none(62), Sparseness: 3})
	if beliefs, ok := err.(*posterior.TooLargeError); !ok || beliefs.Y == 0 || beliefs.Sets != 41728 {
		t.Errorf("41,728 parent sets of each of 62 variables: %v", err)
	}
	large := binary(15, 1)
	full := bigraph.Bigraph(slices.Repeat([]bigraph.Scope{bigraph.First(16)}, 15)) // 2^17 counts each, up to 2^24
	if _, err = agent.NewFactored(&agent.Task{Space: large, Known: true}, full); err != nil {
		t.Errorf("15 full tables: %v", err)
	}
	huge := bigraph.Bigraph(slices.Repeat([]bigraph.Scope{bigraph.First(21)}, 20)) // 2^22 each
	_, err = agent.NewFactored(&agent.Task{Space: binary(20, 1)}, huge)
	if beliefs, ok := err.(*posterior.TooLargeError); !ok || beliefs.Y == 0 || beliefs.Sets != 1 {
		t.Errorf("20 full tables of 2^22 counts: %v", err)
	}
}

// Rewards that are learned are means of Bernoulli trials. Agents that learn nothing do not mind.
func TestUnlearnable(t *testing.T) {
	task := &agent.Task{Space: binary(1, 1), Horizon: 1, Prior: &bigraph.Prior{X: 2, Known: make(bigraph.Bigraph, 1), Sparseness: 2}, Truth: bigraph.Bigraph{bigraph.Of()}}
	task.Payoffs = []fmdp.Reward{{Given: []int{0}, Mean: []float64{0, 1}, Of: -1}}
	want := agent.UnlearnableError{Factor: 1, Row: 1, Mean: 1.5}
	for _, k := range arm.Kinds() {
		if !slices.ContainsFunc(suite, func(e entry) bool { return e.label == k.Key && e.learns }) {
			continue
		}
		a := arm.Arm{Kind: k, Config: k.New()}
		task.Payoffs, task.Known = task.Payoffs[:1], false
		if _, err := a.Build(task); err != nil {
			t.Errorf("%s: %v", k.Key, err)
		}
		task.Payoffs = append(task.Payoffs, fmdp.Reward{Given: []int{0}, Mean: []float64{0.5, 1.5}, Of: -1})
		_, err := a.Build(task)
		if got, ok := err.(*agent.UnlearnableError); !ok || *got != want || !strings.Contains(err.Error(), "factor 1 has mean 1.5 in row 1") {
			t.Errorf("%s: %v, want %v", k.Key, err, &want)
		}
		task.Known = true // what is known need not be learned
		if _, err := a.Build(task); err != nil {
			t.Errorf("%s, rewards known: %v", k.Key, err)
		}
	}
}

func BenchmarkSample(b *testing.B) {
	random := &domain.Random{StateVariables: 6, ActionVariables: 3, Values: 2, Parents: 5, Horizon: 100}
	d, err := random.Build(stream(11).Rand, domain.Given{Eta: 2, MostParents: 5})
	if err != nil {
		b.Fatal(err)
	}
	task := taskOf(d, true, 5)
	for _, k := range arm.Kinds() {
		a := arm.Arm{Kind: k, Config: k.New()}
		b.Run(a.Name(), func(b *testing.B) {
			a, err := a.Build(task)
			if err != nil {
				b.Fatal(err)
			}
			a.Observe(data(stream(12), d.View, 1000))
			rng := stream(13)
			b.ReportAllocs()
			for b.Loop() {
				a.Model(rng)
			}
		})
	}
}
