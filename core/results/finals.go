package results

import (
	"fmt"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// AgentEnds computes what [Summary] says of the ends of runs from records that come by run, agent and
// episode. It keeps the regrets of one run and, of each run, one number: its memory does not grow with the
// number of episodes.
type AgentEnds struct {
	measure  *Measure
	episodes int
	agents   []string
	first    int // the first run
	runs     int
	rounding float64
	truths   truths

	records  int
	unvalued bool    // a record has no regret
	value    float64 // the measure of the agent whose run is read
	has      bool
	sums     [][]float64 // of the run that is read: cumulative regrets by agent and episode
	optimal  []float64   // V_*(π_*) by agent
	values   []curve.Run // by agent; the measure at the end of each run that has it
	learned  []int       // by agent, how many runs have learned
}

// NewAgentEnds returns the ends of no records of an experiment.
func NewAgentEnds(e *experiment.Experiment, of *Measure) *AgentEnds {
	s := e.Spec()
	f := &AgentEnds{measure: of, episodes: s.Episodes, agents: s.Agents, first: s.FirstRun, runs: s.Runs, rounding: e.Rounding(), truths: newTruths(e)}
	f.sums, f.optimal, f.learned = make([][]float64, len(s.Agents)), make([]float64, len(s.Agents)), make([]int, len(s.Agents))
	for _, agent := range s.Agents {
		f.values = append(f.values, curve.Run{Agent: agent})
	}
	return f
}

// Add adds the next record in the order run, agent, episode. The error says that it is another one.
func (f *AgentEnds) Add(r *record.Record) error {
	perRun := len(f.agents) * f.episodes
	run, agent, episode := f.first+f.records/perRun, f.records%perRun/f.episodes, f.records%f.episodes+1
	if r.Run != run || r.Agent != f.agents[agent] || r.Episode != episode || f.records == f.runs*perRun {
		return fmt.Errorf("run %d, agent %.40q, episode %d is out of order; records come by run, agent and episode", r.Run, r.Agent, r.Episode)
	}
	f.records++
	if episode == 1 {
		f.value, f.has, f.sums[agent] = 0, true, f.sums[agent][:0]
	}
	truth := f.truths.of(run)
	value, has := f.measure.valueIn(r, truth, f.rounding)
	if f.measure.Sums {
		value += f.value
	}
	f.value, f.has = value, f.has && has
	if sum, has := CumulativeRegret().valueIn(r, truth, f.rounding); has {
		if n := len(f.sums[agent]); n > 0 {
			sum += f.sums[agent][n-1]
		}
		f.sums[agent] = append(f.sums[agent], sum)
		f.optimal[agent] = r.Optimal
	}
	if episode == f.episodes && f.has {
		f.values[agent].Values = append(f.values[agent].Values, f.value)
	}
	if f.records%perRun == 0 {
		for k, sums := range f.sums {
			if len(sums) < f.episodes {
				f.unvalued = true
			} else if limit, known := truth.tolerated(f.optimal[k]); known && learned(sums, WindowOf(f.episodes), limit) > 0 {
				f.learned[k]++
			}
		}
	}
	return nil
}

// AgentEnd is the end of an agent's runs.
type AgentEnd struct {
	Agent   string
	Point   curve.Point // the mean of the measure after the last episode, with its interval; N is 0 if the agent lacks it
	Values  []float64   // the measure after the last episode of each run that has it
	Learned int         // how many runs have learned; −1 if the records have no regret, which would tell
	Runs    int         // of so many
}

// All returns the ends of all whole runs, by agent in the spec's order.
func (f *AgentEnds) All() []AgentEnd {
	list := make([]AgentEnd, len(f.agents))
	for k, of := range f.values {
		list[k] = AgentEnd{Agent: of.Agent, Values: of.Values, Learned: f.learned[k], Runs: f.records / (len(f.agents) * f.episodes)}
		if f.unvalued {
			list[k].Learned = -1
		}
		runs := make([]curve.Run, len(of.Values))
		for i := range runs {
			runs[i] = curve.Run{Agent: of.Agent, Values: of.Values[i : i+1]}
		}
		for _, c := range curve.Means(runs) {
			list[k].Point = c.Last()
			list[k].Point.Episode = f.episodes
		}
	}
	return list
}
