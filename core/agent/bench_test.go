package agent_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/internal/small"
)

// BenchmarkBeliefs is what C-PSRL takes for a step to learn from 40 episodes of random play in SysAdmin with 20 machines, and
// the memory of its beliefs then, in megabytes:
//
//	go test ./core/agent -bench Beliefs -benchtime 1x
func BenchmarkBeliefs(b *testing.B) {
	m := small.SysAdmin(20)
	for _, z := range []int{3, 5} {
		for _, tables := range []concentration.Structure{concentration.Rows, concentration.Tied, concentration.Trees} {
			b.Run(fmt.Sprintf("Z=%d,%v", z, tables), func(b *testing.B) {
				task := &agent.Task{
					Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Known: true,
					Law:   posterior.Law{Structure: tables},
					Prior: &bigraph.Prior{X: m.X(), Known: make(bigraph.Bigraph, m.Y()), Sparseness: z},
				}
				if tables != concentration.Rows {
					if err := task.Law.Rows.Parse("mix:0.01:0.1:1"); err != nil {
						b.Fatal(err)
					}
				}
				steps := 0
				var before, after runtime.MemStats
				for b.Loop() {
					b.StopTimer()
					runtime.GC()
					runtime.ReadMemStats(&before)
					causal, err := agent.NewCausal(task, task.Prior)
					if err != nil {
						b.Skip(err)
					}
					random := posterior.NewStream(1)
					world := agent.NewSimulation(m, posterior.NewStream(2).Rand)
					for range 40 {
						episode, err := world.Play(b.Context(), anyAction{m, random})
						if err != nil {
							b.Fatal(err)
						}
						b.StartTimer()
						causal.Observe(episode)
						b.StopTimer()
						steps += len(episode)
					}
					runtime.GC()
					runtime.ReadMemStats(&after)
					runtime.KeepAlive(causal)
					b.StartTimer()
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(steps), "ms/step")
				b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/1e6, "MB")
			})
		}
	}
}

// 20 machines with a bit for the reboot of each have d_X = 40. With Z = 5 and the reboots of others forbidden, each has 27,896 candidate
// sets, whose tables would need more counts than an agent has. It keeps the steps instead, and samples.
func TestLeanBeliefs(t *testing.T) {
	m := small.SysAdmin(20)
	m.Action = nil
	prior := &bigraph.Prior{Sparseness: 5, Known: make(bigraph.Bigraph, 20), Forbidden: make(bigraph.Bigraph, 20)}
	for i := range 20 {
		m.Action = append(m.Action, fmdp.Variable{Name: fmt.Sprint("reboot", i), Size: 2})
		for j := range 20 {
			if j != i {
				prior.Forbidden[j] = prior.Forbidden[j].With(20 + i)
			}
		}
	}
	prior.X = m.X()
	task := &agent.Task{Space: &m.Space, Horizon: m.Horizon, Payoffs: m.Reward, Known: true, Prior: prior, Law: posterior.Law{Structure: concentration.Tied}}
	causal, err := agent.NewCausal(task, prior)
	if posterior.MaxCells < 1<<26 { // in a browser
		if _, ok := err.(*posterior.TooLargeError); !ok {
			t.Errorf("a browser says %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, belief := range causal.Beliefs() {
		if n := len(belief.Sets()); n != 27896 {
			t.Fatalf("%d candidate sets, want 27896", n)
		}
	}
	step := posterior.Step{Point: make([]int, 40), Next: make([]int, 20)}
	step.Next[3] = 1
	causal.Observe([]posterior.Step{step})
	if model := causal.Model(posterior.NewStream(1)); len(model.Transition) != 20 {
		t.Errorf("%d laws are sampled, want 20", len(model.Transition))
	}
}

// anyAction plays a random action at each step.
type anyAction struct {
	*fmdp.Model
	rng *posterior.Stream
}

func (a anyAction) Horizon() int { return a.Model.Horizon }

func (a anyAction) Act(context.Context, int, []int) (int, error) {
	return a.rng.IntN(a.Actions()), nil
}
