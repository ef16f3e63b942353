package results

import (
	"fmt"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/planning"
	"cpsrl/core/record"
)

// Finals computes what [Summary] says of the ends of runs from records that come by run, agent and
// episode. It keeps the regrets of one run and, of each run, one number: its memory does not grow with the
// number of episodes.
type Finals struct {
	measure  *Measure
	episodes int
	agents   []string
	first    int // the first run
	runs     int

	records int
	value   float64 // the measure of the agent whose run is read
	has     bool
	sums    [][]float64 // of the run that is read: cumulative regrets by agent and episode
	worst   float64     // the largest regret in an episode of the run
	optimal []float64   // V_*(π_*) by agent
	values  []curve.Run // by agent; the measure at the end of each run that has it
	learned []int       // by agent, how many runs have learned
}

// NewFinals returns the ends of no records of an experiment.
func NewFinals(e *experiment.Experiment, of *Measure) *Finals {
	s := e.Spec()
	f := &Finals{measure: of, episodes: s.Episodes, agents: s.Agents, first: s.FirstRun, runs: s.Runs}
	f.sums, f.optimal, f.learned = make([][]float64, len(s.Agents)), make([]float64, len(s.Agents)), make([]int, len(s.Agents))
	for _, agent := range s.Agents {
		f.values = append(f.values, curve.Run{Agent: agent})
	}
	return f
}

// Add adds the next record in the order run, agent, episode. The error says that it is another one.
func (f *Finals) Add(r *record.Record) error {
	perRun := len(f.agents) * f.episodes
	run, agent, episode := f.first+f.records/perRun, f.records%perRun/f.episodes, f.records%f.episodes+1
	if r.Run != run || r.Agent != f.agents[agent] || r.Episode != episode || f.records == f.runs*perRun {
		return fmt.Errorf("run %d, agent %.40q, episode %d is out of order; records come by run, agent and episode", r.Run, r.Agent, r.Episode)
	}
	f.records++
	if episode == 1 {
		f.value, f.has, f.sums[agent] = 0, true, f.sums[agent][:0]
	}
	value, has := f.measure.Of(r)
	if f.measure.Sums {
		value += f.value
	}
	f.value, f.has = value, f.has && has
	sum := r.Regret
	if n := len(f.sums[agent]); n > 0 {
		sum += f.sums[agent][n-1]
	}
	f.sums[agent] = append(f.sums[agent], sum)
	f.worst, f.optimal[agent] = max(f.worst, r.Regret), r.Optimal
	if episode == f.episodes && f.has {
		f.values[agent].Values = append(f.values[agent].Values, f.value)
	}
	if f.records%perRun == 0 {
		for k, sums := range f.sums {
			if learned(sums, WindowOf(f.episodes), max(LearnedShare*f.worst, planning.NoDifference*max(1, f.optimal[k], -f.optimal[k]))) > 0 {
				f.learned[k]++
			}
		}
		f.worst = 0
	}
	return nil
}

// Final is the end of an agent's runs.
type Final struct {
	Agent   string
	Point   curve.Point // the mean of the measure after the last episode, with its interval; N is 0 if the agent lacks it
	Learned int         // how many runs have learned
}

// All returns the ends of all whole runs, by agent in the spec's order.
func (f *Finals) All() []Final {
	list := make([]Final, len(f.agents))
	for k, of := range f.values {
		list[k] = Final{Agent: of.Agent, Learned: f.learned[k]}
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
