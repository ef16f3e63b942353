package agent_test

import (
	"slices"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// twoForms returns a model whose action is one of four, as three bits of which at most one is on and as
// one variable, with the joint actions in the same order.
func twoForms(t *testing.T, seed uint64) (bits, one *fmdp.Model) {
	t.Helper()
	const horizon = 12
	rng := stream(seed)
	state := []fmdp.Variable{{Name: "a", Size: 3}, {Name: "b", Size: 2}}
	bits = &fmdp.Model{Horizon: horizon, Space: fmdp.Space{State: state, Action: []fmdp.Variable{{Name: "x", Size: 2}, {Name: "y", Size: 2}, {Name: "z", Size: 2}}}}
	one = &fmdp.Model{Horizon: horizon, Space: fmdp.Space{State: state, Action: []fmdp.Variable{{Name: "act", Size: 4}}}}
	var err error
	if bits.Legal, err = fmdp.NewAtMost(bits.Action, 1, []int{0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	for j, v := range state {
		f, g := fmdp.Factor{Given: []int{j, 2, 3, 4}, Size: v.Size}, fmdp.Factor{Given: []int{j, 2}, Size: v.Size}
		g.P = make([]float64, v.Size*4*v.Size)
		f.P = make([]float64, v.Size*8*v.Size)
		for value := range v.Size {
			for all := range 8 {
				row := make([]float64, v.Size)
				make(posterior.Counts, v.Size).Sample(rng.Rand, 1, row)
				copy(f.Row(value*8+all), row)
				if a := slices.IndexFunc(bits.Legal.List(), func(l []int) bool { return l[0]*4+l[1]*2+l[2] == all }); a >= 0 {
					copy(g.Row(value*4+a), row)
				}
			}
		}
		bits.Transition, one.Transition = append(bits.Transition, f), append(one.Transition, g)
	}
	reward := fmdp.Reward{Given: []int{0, 1}, Mean: []float64{0, .1, .3, .2, .9, 1}, Scale: 1, Of: -1}
	bits.Reward, one.Reward = []fmdp.Reward{reward}, []fmdp.Reward{reward}
	bits.Initial, one.Initial = fmdp.Uniform(6), fmdp.Uniform(6)
	for _, m := range []*fmdp.Model{bits, one} {
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	return bits, one
}

// PSRL and an agent that is told the model do the same with legal bits as with one action variable, to
// the last bit: they know no factors of the action. Oracle: the other form.
func TestLegalForms(t *testing.T) {
	for seed := range uint64(5) {
		bits, one := twoForms(t, seed)
		var returns [2][]float64
		for k, m := range []*fmdp.Model{bits, one} {
			task := &agent.Task{Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Known: true, Truth: m.Graph()}
			a, err := agent.NewPSRL(task, task.Law.Rows)
			if err != nil {
				t.Fatal(err)
			}
			mdp, err := planning.FromModel(m, nil)
			if err != nil {
				t.Fatal(err)
			}
			for e, err := range agent.Episodes(t.Context(), a, agent.NewSimulation(m, stream(seed+100).Rand), task.Exact(), stream(seed+200), nil) {
				if err != nil {
					t.Fatal(err)
				}
				returns[k] = append(returns[k], e.Return(), planning.Return(mdp, e.Policy.(*agent.Table).Policy, m.Initial))
				if e.Number == 40 {
					break
				}
			}
		}
		for i := range returns[0] {
			if d := returns[0][i] - returns[1][i]; d > 1e-12 || d < -1e-12 {
				t.Fatalf("seed %d, episode %d: %v with bits, %v with one action", seed, i/2+1, returns[0][i], returns[1][i])
			}
		}
	}
}
