package agent_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// room is a custom environment. A switch toggles the lamp nine times in ten, and a
// draught sometimes moves the door, whatever the agent does.
type room struct {
	space *fmdp.Space
	rng   *rand.Rand
}

// Play implements agent.World. It follows the policy for an episode: the reward
// of a step is 1 if the lamp is on when it begins.
func (r *room) Play(ctx context.Context, policy agent.Policy) (steps []posterior.Step, err error) {
	lamp, door := 0, 0
	for h := 1; h <= policy.Horizon(); h++ {
		action, err := policy.Act(ctx, h, []int{lamp, door})
		if err != nil {
			return nil, err
		}
		step := posterior.Step{Point: []int{lamp, door, action}, Reward: float64(lamp)}
		if r.rng.Float64() < 0.9 {
			lamp ^= action
		}
		if r.rng.Float64() < 0.2 {
			door = 1 - door
		}
		step.Next = []int{lamp, door}
		steps = append(steps, step)
	}
	return steps, nil
}

// C-PSRL learns in a custom environment which variables each variable depends on. It is
// told the variables, the payoffs, and that no variable has more than two parents.
func ExampleEpisodes() {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "lamp", Size: 2}, {Name: "door", Size: 2}},
		Action: []fmdp.Variable{{Name: "switch", Size: 2}},
	}
	task := &agent.Task{
		Space: space, Horizon: 10,
		Payoffs: []fmdp.Reward{{Given: []int{0}, Mean: []float64{0, 1}, Scale: 1, Of: -1}}, // a step in the light pays 1
		Known:   true,
	}
	prior := &bigraph.Prior{X: space.X(), Known: make(bigraph.Bigraph, space.Y()), Sparseness: 2}
	causal, err := agent.NewCausal(task, prior)
	if err != nil {
		fmt.Println(err)
		return
	}
	world := &room{space, rand.New(rand.NewPCG(1, 2))}
	planner := &agent.Exact{Space: space, Horizon: task.Horizon}
	collected := 0.0
	for episode, err := range agent.Episodes(context.Background(), causal, world, planner, posterior.NewStream(3), nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		collected += episode.Return()
		if episode.Learn(); episode.Number == 50 {
			break
		}
	}
	fmt.Printf("%.1f of 10 steps with light\n", collected/50)
	for j, belief := range causal.Beliefs() {
		fmt.Print(space.State[j].Name, " ←")
		for i := range belief.Sets()[belief.Best()].All() {
			fmt.Print(" ", space.Var(i).Name)
		}
		fmt.Println()
	}
	// Output:
	// 8.7 of 10 steps with light
	// lamp ← lamp switch
	// door ← door
}
