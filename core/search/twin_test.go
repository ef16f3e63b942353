package search

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// tiny is a model with two actions, two variables, an end and a payoff on arrival.
func tiny(t *testing.T) *fmdp.Model {
	m := &fmdp.Model{
		Horizon: 4, Initial: fmdp.Uniform(6),
		Space: fmdp.Space{State: []fmdp.Variable{{Name: "a", Size: 2}, {Name: "b", Size: 3}}, Action: []fmdp.Variable{{Name: "act", Size: 2}}},
		Transition: []fmdp.Factor{
			{Given: []int{0, 2}, Size: 2, P: []float64{.9, .1, .4, .6, .3, .7, .2, .8}},
			{Given: []int{1, 0}, Size: 3, P: []float64{.2, .3, .5, .6, .3, .1, .1, .8, .1, .3, .3, .4, .5, .25, .25, 0, .5, .5}},
		},
		Reward: []fmdp.Reward{
			{Given: []int{0, 1}, Mean: []float64{0, .3, .8, .2, 1, .1}, Scale: 1, Of: -1},
			{Given: []int{4, 2}, Mean: []float64{0, .2, .5, .1, .9, .6}, Kind: fmdp.Bernoulli, Scale: 2, Of: -1},
		},
		Ends: []fmdp.Ending{{Given: []int{0, 1}, Is: [][]int{{1, 2}}}},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// of returns the model as a search has it; dense, by its joint law.
func of(m *fmdp.Model, dense bool) *sampled {
	task := &agent.Task{Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Known: true, Ends: m.Endings()}
	model := &agent.Model{Transition: m.Transition, Reward: m.Reward}
	if dense {
		model = &agent.Model{Joint: make([]float64, m.Joint()), Reward: m.Reward}
		fmdp.Joint(model.Joint, &m.Space, m.Transition)
	}
	return newSampled(task, model, m.JointActions())
}

// Steps have the law of the model and pay R(x): within 5 standard errors. Oracle: the joint law and planning.Reward.
func TestStep(t *testing.T) {
	m := tiny(t)
	joint, reward := make([]float64, m.Joint()), planning.Reward(m)
	fmdp.Joint(joint, &m.Space, m.Transition)
	for _, dense := range []bool{false, true} {
		s, rng := of(m, dense), posterior.NewStream(1)
		const n = 20000
		state, next := make([]int, 2), make([]int, 2)
		for x := range m.Points() {
			counts, paid := make([]float64, m.States()), 0.0
			for range n {
				m.Point(state, x/2)
				paid += s.step(rng.Rand, state, x%2, next) / n
				counts[m.Index(next)] += 1. / n
			}
			if math.Abs(paid-reward[x]) > 5*2/math.Sqrt(n) {
				t.Errorf("R(%d) is %v, want %v", x, paid, reward[x])
			}
			for y, p := range joint[x*m.States():][:m.States()] {
				if math.Abs(counts[y]-p) > 5*math.Sqrt(p*(1-p)/n) {
					t.Errorf("p(%d|%d) is %v, want %v", y, x, counts[y], p)
				}
			}
		}
	}
}

// enumerated returns what an action pays, and then the base policy in the rest of the steps, by enumeration.
func enumerated(m *fmdp.Model, joint, reward []float64, s, a, steps int) float64 {
	x := s*m.Actions() + a
	v := reward[x]
	if steps == 1 {
		return v
	}
	ended := m.Ended()
	for y, p := range joint[x*m.States():][:m.States()] {
		if ended[y] == 0 {
			for b := range m.Actions() {
				v += p * enumerated(m, joint, reward, y, b, steps-1) / float64(m.Actions())
			}
		}
	}
	return v
}

// Slow twins: rollouts and the values of uct at depth 1 by enumeration. The action is that of the largest value.
func TestEnumerated(t *testing.T) {
	m := tiny(t)
	joint, reward := make([]float64, m.Joint()), planning.Reward(m)
	fmdp.Joint(joint, &m.Space, m.Transition)
	state := make([]int, 2)
	for s := range m.States() - 1 { // the last is an end
		m.Point(state, s)
		for steps := 1; steps <= 3; steps++ {
			values := []float64{enumerated(m, joint, reward, s, 0, steps), enumerated(m, joint, reward, s, 1, steps)}
			gap, want := values[1]-values[0], best(values)
			if math.Abs(gap) < .05 {
				continue
			}
			got, err := rollout(t.Context(), of(m, false), posterior.NewStream(uint64(s)), Budget{20000, steps}, state, 4)
			if err != nil || got != want {
				t.Errorf("state %d, %d steps: rollout plays %d, but %v (%v)", s, steps, got, values, err)
			}
			if steps == 1 {
				if got, _ := uct(t.Context(), of(m, false), posterior.NewStream(uint64(s)), Budget{20000, 1}, state, 4); got != want {
					t.Errorf("state %d: uct plays %d, but %v", s, got, values)
				}
			}
		}
	}
}

// slowNode is a node of uct as a textbook has it.
type slowNode struct {
	visits  int
	returns [][]float64 // of each action's trials
}

// slow is uct with nodes that keep all returns, by recursion.
type slow struct {
	m      *sampled
	depth  int
	nodes  map[string]*slowNode
	paid   [][]float64 // by depth, all that trials were paid from there on
	random *posterior.Stream
	root   int // the first action of the present trial
}

func (s *slow) at(depth int, state []int) (*slowNode, bool) {
	key := fmt.Sprint(depth, state)
	if depth > 0 {
		key = fmt.Sprint(s.root, " ", key)
	}
	if n := s.nodes[key]; n != nil {
		return n, false
	}
	s.nodes[key] = &slowNode{returns: make([][]float64, len(s.m.acts))}
	return s.nodes[key], true
}

// mean adds the returns as the tree does.
func mean(list []float64) (m float64) {
	for k, v := range list {
		m += (v - m) / float64(k+1)
	}
	return m
}

func (s *slow) choose(n *slowNode, depth int, state []int) int {
	for a, list := range n.returns {
		if len(list) == 0 && s.m.space.May(state, a) {
			return a
		}
	}
	harmonic := 0.0
	for k := range n.visits {
		harmonic += 1 / float64(k+1)
	}
	scale := math.Sqrt2 * (slices.Max(s.paid[depth]) - slices.Min(s.paid[depth]))
	pick, largest := 0, math.Inf(-1)
	for a, list := range n.returns {
		if !s.m.space.May(state, a) {
			continue
		}
		if bound := mean(list) + scale*(root(harmonic)/root(float64(len(list)))); bound > largest || bound == largest && len(list) < len(n.returns[pick]) {
			pick, largest = a, bound
		}
	}
	return pick
}

func (s *slow) try(state []int, depth, first int) float64 {
	if depth == s.depth || s.m.ended(state) {
		return 0
	}
	n, fresh := s.at(depth, state)
	if fresh && depth > 0 {
		return s.m.follow(s.random.Rand, state, s.depth-depth)
	}
	a := first
	if depth > 0 {
		a = s.choose(n, depth, state)
	}
	paid := s.m.step(s.random.Rand, state, a, state)
	paid = s.try(state, depth+1, 0) + paid
	n.visits++
	n.returns[a] = append(n.returns[a], paid)
	s.paid[depth] = append(s.paid[depth], paid)
	return paid
}

// Slow twin of uct: the same trials by recursion, with all returns kept, the same square roots (TestRoots)
// and the same random numbers. It plays the same actions, with the same means to 10⁻⁹ and counts.
func TestSlowUCT(t *testing.T) {
	m := tiny(t)
	state, at := make([]int, 2), make([]int, 2)
	for _, kind := range []string{"", "dense", "restricted"} {
		dense := kind == "dense"
		if kind == "restricted" { // in some states, one action is legal only; payoffs let no bounds tie
			m.Reward[0].Mean = []float64{.0123, .3371, .8153, .2219, .9747, .1031}
			m.Reward[1].Mean = []float64{.0071, .2113, .5419, .1173, .9167, .6337}
			var err error
			if m.Legal, err = fmdp.LegalIn(&m.Space, []int{0, 1, 2}, []bool{true, true, false, true, true, true, true, false, true, true, true, true}, ""); err != nil {
				t.Fatal(err)
			}
		}
		for s := range m.States() - 1 {
			for trials := 1; trials < 400; trials += 37 {
				m.Point(state, s)
				model, budget := of(m, dense), Budget{trials, 3}
				twin := &slow{m: model, depth: 3, nodes: map[string]*slowNode{}, paid: make([][]float64, 3), random: posterior.NewStream(0)}
				root, _ := twin.at(0, state)
				rng, luck := posterior.NewStream(uint64(s)), []uint64{}
				for range trials {
					a := twin.choose(root, 0, state)
					if k := len(root.returns[a]); k == len(luck) {
						luck = append(luck, rng.Uint64())
					}
					twin.random.Restore(posterior.NewStream(luck[len(root.returns[a])]).State())
					copy(at, state)
					twin.root = a
					twin.try(at, 0, a)
				}
				var means []float64
				var took []int
				for a, list := range root.returns {
					if len(list) > 0 {
						means, took = append(means, mean(list)), append(took, a)
					}
				}
				tree, node, err := grow(t.Context(), of(m, dense), posterior.NewStream(uint64(s)), budget, state, m.Horizon)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := tree.recommend(node, state), took[best(means)]; got != want {
					t.Errorf("state %d, %d trials: %d, want %d of %v", s, trials, got, want, means)
				}
				for k, want := range means {
					a := took[k]
					slot := tree.slot(node, a)
					if got := tree.mean[slot]; math.Abs(got-want) > 1e-9 || int(tree.count[slot]) != len(root.returns[a]) {
						t.Errorf("state %d, %d trials: action %d has the mean %v of %d, want %v of %d", s, trials, a, got, tree.count[slot], want, len(root.returns[a]))
					}
				}
			}
		}
	}
}

// A trial never chooses by what its own random numbers have paid: trials with the same numbers, those of different first
// actions, have no node but the root in common.
func TestRoot(t *testing.T) {
	m := tiny(t)
	tree, _, err := grow(t.Context(), of(m, false), posterior.NewStream(1), Budget{200, 4}, []int{0, 0}, 4)
	if err != nil {
		t.Fatal(err)
	}
	firsts := map[byte]int{}
	for key := range tree.nodes {
		firsts[key[0]]++
	}
	if len(firsts) != 3 || firsts[0] != 1 {
		t.Errorf("nodes by first action: %v, want one for the root and some for both actions", firsts)
	}
}

// Oracle: math.Sqrt, to two ulps.
func TestRoots(t *testing.T) {
	roots, harmonic := rootsTo(5000), 0.0
	for k := 1; k <= 5000; k++ {
		harmonic += 1 / float64(k)
		for i, x := range []float64{harmonic, float64(k)} {
			if got, want := roots[2*k+i], math.Sqrt(x); math.Abs(got-want) > 4e-16*want {
				t.Fatalf("√%v is %v, want %v", x, got, want)
			}
		}
	}
}
