package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// scribe is an agent, a world and a planner that write down which method is called with
// which arguments.
type scribe struct {
	log    []string
	sample *agent.Model
	policy agent.Policy
	steps  []posterior.Step
	fails  int // the episode whose planning fails
	breaks int // the episode in which the world fails
	rng    *posterior.Stream
}

func (s *scribe) note(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

func (s *scribe) Model(rng *posterior.Stream) *agent.Model {
	s.note("sample %v", rng == s.rng)
	s.sample = &agent.Model{}
	return s.sample
}

func (s *scribe) Observe(episode []posterior.Step) {
	s.note("observe %v", &episode[0] == &s.steps[0])
}

func (s *scribe) Play(ctx context.Context, policy agent.Policy) ([]posterior.Step, error) {
	s.note("play %v", policy == s.policy)
	if s.breaks--; s.breaks == 0 {
		return nil, errPlay
	}
	s.steps = []posterior.Step{{Reward: 3}, {Reward: 4}}
	return s.steps, nil
}

var errPlan, errPlay = errors.New("the plan failed"), errors.New("the world failed")

// plan is the Plan method of a scribe's planner of that name.
func (s *scribe) plan(name string, rng *agent.Draws, model *agent.Model) (agent.Policy, error) {
	s.note("%s %v", name, model == s.sample && rng.Stream == s.rng)
	if s.fails--; s.fails == 0 {
		return nil, errPlan
	}
	s.policy = agent.NewTable(nil, planning.NewPolicy(1, [][]int32{{0}}), &planning.Values{})
	return s.policy, nil
}

type given struct{ *scribe }

func (p given) Plan(ctx context.Context, rng *agent.Draws, model *agent.Model) (agent.Policy, error) {
	return p.plan("plan", rng, model)
}

// own is an agent that plans by itself.
type own struct{ *scribe }

func (p own) Plan(ctx context.Context, rng *agent.Draws, model *agent.Model) (agent.Policy, error) {
	return p.plan("own plan", rng, model)
}

// Oracle: Algorithm 1, lines 5 to 7, as printed: sample, plan in the sample, play
// the plan, learn from what was played. An episode is yielded before the agent learns from
// it; a caller may make the agent learn at once.
func TestEpisodes(t *testing.T) {
	for _, c := range []struct {
		name          string
		fails, breaks int
		at            bool // whether the caller makes the agent learn
		agent         func(*scribe) agent.Agent
		want          string
	}{
		{"two", 0, 0, false, func(s *scribe) agent.Agent { return s }, "sample true, plan true, play true, episode 1, observe true, " +
			"sample true, plan true, play true, episode 2"},
		{"an agent that learns at once", 0, 0, true, func(s *scribe) agent.Agent { return s }, "sample true, plan true, play true, episode 1, observe true, learned, " +
			"sample true, plan true, play true, episode 2, observe true, learned"},
		{"an agent that plans", 0, 0, false, func(s *scribe) agent.Agent { return own{s} }, "sample true, own plan true, play true, episode 1, observe true, " +
			"sample true, own plan true, play true, episode 2"},
		{"a plan that fails", 2, 0, false, func(s *scribe) agent.Agent { return s }, "sample true, plan true, play true, episode 1, observe true, " +
			"sample true, plan true, the plan failed"},
		{"a world that fails", 0, 2, false, func(s *scribe) agent.Agent { return s }, "sample true, plan true, play true, episode 1, observe true, " +
			"sample true, plan true, play true, the world failed"},
	} {
		s := &scribe{fails: c.fails, breaks: c.breaks, rng: stream(20)}
		for e, err := range agent.Episodes(t.Context(), c.agent(s), s, given{s}, s.rng, nil) {
			if err != nil {
				s.note("%v", err)
				continue
			}
			s.note("episode %d", e.Number)
			if e.Model != s.sample || e.Policy != s.policy || &e.Steps[0] != &s.steps[0] || e.Return() != 7 {
				t.Errorf("%s: %+v is not what was done", c.name, e)
			}
			if c.at {
				e.Learn()
				e.Learn() // once only
				s.note("learned")
			}
			if e.Number == 2 {
				break
			}
		}
		if got := strings.Join(s.log, ", "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The loop ends when its context does, before another episode is played.
func TestEpisodesEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &scribe{rng: stream(20)}
	var ended error
	for _, err := range agent.Episodes(ctx, s, s, given{s}, s.rng, nil) {
		cancel()
		ended = err
	}
	if ended != context.Canceled || len(s.log) != 4 {
		t.Errorf("%v after %q", ended, s.log)
	}
}

// Oracle: the model's own law, with the same random numbers: μ, then step by step
// the next state and the payoffs. Worlds of one model do not disturb each other.
func TestSimulation(t *testing.T) {
	m := truth(t).View
	m.Reward = append(m.Reward, fmdp.Reward{Given: []int{1}, Mean: []float64{-3, 0.25}, Kind: fmdp.Fixed, Scale: 1, Of: -1})
	rules := make([][]int32, m.Horizon) // another in every state, at every step
	for h := range rules {
		for s := range m.States() {
			rules[h] = append(rules[h], int32((s+h)%m.Actions()))
		}
	}
	policy := agent.NewTable(&m.Space, planning.NewPolicy(m.Horizon, rules), nil)
	slow, world := stream(21), agent.NewSimulation(m, stream(21).Rand)
	other := world.With(stream(22).Rand)
	for range 20 {
		steps, err := world.Play(t.Context(), policy)
		if _, also := other.Play(t.Context(), policy); err != nil || also != nil {
			t.Fatal(err, also)
		}
		state := fmdp.Draw(slow.Rand, m.Initial)
		point, next := make([]int, m.X()), make([]int, m.Y())
		for h := range m.Horizon {
			m.Point(point, state*m.Actions()+int(policy.Rule(h + 1)[state]))
			m.Next(slow.Rand, point, next)
			reward := 0.0
			paid := make([]uint8, len(m.Reward))
			for f, r := range m.Reward {
				mean := r.Mean[m.Row(r.Given, point)]
				if slow.Float64() < mean {
					paid[f] = 1
				}
				switch r.Kind {
				case fmdp.Bernoulli:
					reward += r.Scale * float64(paid[f])
				case fmdp.Fixed:
					reward += mean
				}
			}
			if s := steps[h]; !slices.Equal(s.Point, point) || !slices.Equal(s.Next, next) || !slices.Equal(s.Paid, paid) || s.Reward != reward {
				t.Fatalf("step %d: %v, reward %v; want %v → %v, paid %v, reward %v", h+1, s, s.Reward, point, next, paid, reward)
			}
			state = m.Index(next)
		}
	}
}
