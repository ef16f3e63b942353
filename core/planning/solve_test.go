package planning

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/fmdp"
)

// skipping counts the backups that a recursion asks for.
type skipping struct {
	Operator
	backups int
}

func (s *skipping) Apply(dst, v []float64, points []int32) {
	s.backups += len(points)
	s.Operator.Apply(dst, v, points)
}

// Oracle: Induction, bit for bit in every step. If payoffs have one sign, passing over
// actions changes nothing.
func TestPassingOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 21))
	backups, all := 0, 0
	for round := range 120 {
		states, actions := 1+rng.IntN(30), 1+rng.IntN(9)
		sign := float64(1 - 2*(round%2))
		m := &MDP{States: states, Actions: actions, Horizon: 1 + rng.IntN(60), Reward: randomVector(rng, states*actions)}
		for x := range m.Reward {
			m.Reward[x] *= sign
		}
		p := make([]float64, states*actions*states)
		for x := range m.Reward {
			row, sum := p[x*states:][:states], 0.0
			for y := range row {
				row[y] = rng.ExpFloat64()
				if rng.IntN(3) > 0 && y > 0 { // sparse, so that the values differ
					row[y] = 0
				}
				sum += row[y]
			}
			for y := range row {
				row[y] /= sum
			}
		}
		op := &skipping{Operator: NewDense(p)}
		m.Next = op
		policy, values := new(Solver).solve(m, -1, m.Horizon) // never stops early
		backups += op.backups
		all += states * actions * (m.Horizon - 1)
		want, wantValues := Induction(m)
		for h := 1; h <= m.Horizon; h++ {
			if !slices.Equal(policy.Rule(h), want.Rule(h)) {
				t.Fatalf("round %d: π_%d = %v, want %v", round, h, policy.Rule(h), want.Rule(h))
			}
			if got, want := values.At(make([]float64, states), h), wantValues.At(make([]float64, states), h); !slices.Equal(got, want) {
				t.Fatalf("round %d: V_%d = %v, want %v", round, h, got, want)
			}
		}
	}
	if backups > all/2 {
		t.Errorf("%d backups of %d: too few actions were passed over to test it", backups, all)
	}
}

// Oracle: Induction over the joint law by fmdp, with rewards point by point.
// Oracle: Solve and Return, which begin without memory. A Solver leaves what it has returned, and what it was given, alone.
func TestSolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 23))
	type solved struct {
		*MDP
		reward []float64
		policy *Policy
		values *Values
	}
	var of Solver
	var list []solved
	for range 40 { // in turn larger and smaller, with illegal actions, with ends, with long and with short recursions
		states, actions := 1+rng.IntN(70), 1+rng.IntN(5)
		p := make([]float64, states*actions*states)
		for x := range states * actions {
			p[x*states+rng.IntN(states)] += 0.5
			p[x*states+rng.IntN(states)] += 0.5
		}
		m := &MDP{States: states, Actions: actions, Horizon: 1 + rng.IntN(90), Reward: randomVector(rng, states*actions), Next: NewDense(p)}
		if rng.IntN(2) == 0 {
			m.Legal = make([]bool, len(m.Reward))
			for x := range m.Legal {
				m.Legal[x] = x%actions == actions-1 || rng.IntN(2) == 0
			}
		}
		if rng.IntN(2) == 0 {
			m.Ended = make([]uint8, states)
			m.Ended[rng.IntN(states)] = 1
		}
		s := solved{MDP: m, reward: slices.Clone(m.Reward)}
		s.policy, s.values = of.Solve(m)
		initial := randomVector(rng, states)
		if got, want := of.Return(m, s.policy, initial), Return(m, s.policy, initial); got != want {
			t.Fatalf("Return = %v, want %v", got, want)
		}
		list = append(list, s)
	}
	for k, s := range list {
		policy, values := Solve(s.MDP)
		if !slices.Equal(s.Reward, s.reward) || s.policy.Rules() != policy.Rules() {
			t.Fatalf("problem %d: %d rules, want %d; rewards are unchanged: %v", k, s.policy.Rules(), policy.Rules(), slices.Equal(s.Reward, s.reward))
		}
		for h := 1; h <= s.MDP.Horizon; h++ {
			got, want := s.values.At(make([]float64, s.States), h), values.At(make([]float64, s.States), h)
			if !slices.Equal(s.policy.Rule(h), policy.Rule(h)) || !slices.Equal(got, want) {
				t.Fatalf("problem %d: π_%d = %v with values %v, want %v with %v", k, h, s.policy.Rule(h), got, policy.Rule(h), want)
			}
		}
	}
}

func TestFromModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 23))
	for round := range 20 {
		space := spaceOf([]int{2, 3}, []int{2})
		if round%2 == 1 { // Factored is cheaper
			space = spaceOf([]int{2, 2, 2, 2, 2}, []int{2, 2})
		}
		m := &fmdp.Model{
			Space: *space, Horizon: 1 + rng.IntN(20), Initial: fmdp.Uniform(space.States()), Transition: randomLaw(rng, space, 1),
			Reward: []fmdp.Reward{{Given: []int{1}, Mean: randomVector(rng, space.State[1].Size), Scale: 2, Of: -1}},
		}
		joint := make([]float64, m.Joint())
		fmdp.Joint(joint, space, m.Transition)
		reward, point := make([]float64, m.Points()), make([]int, m.X())
		for x := range reward {
			reward[x] = 2 * m.Reward[0].Mean[space.Point(point, x)[1]]
		}
		_, want := Induction(&MDP{States: m.States(), Actions: m.Actions(), Horizon: m.Horizon, Reward: reward, Next: NewDense(joint)})
		for _, table := range [][]float64{joint, nil} {
			mdp, err := FromModel(m, table)
			if err != nil {
				t.Fatal(err)
			}
			_, values := Solve(mdp)
			checkEqual(t, fmt.Sprint("round ", round), []float64{values.Value(m.Initial)}, []float64{want.Value(m.Initial)})
		}
	}
}
