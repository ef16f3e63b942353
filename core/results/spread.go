package results

import (
	"math"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/planning"
)

// RunCurves returns a measure in every run, by agent in the spec's order, then by run.
// Runs without records and agents without the measure are left out. The values belong to the
// summary.
func (s *Summary) RunCurves(measure *Measure) []curve.Run {
	var list []curve.Run
	for _, label := range s.Experiment.Spec().Agents {
		for run := range s.runs() {
			if values := s.values(run, label, measure); len(values) > 0 {
				list = append(list, curve.Run{Agent: label, Run: run, Values: values})
			}
		}
	}
	return list
}

// PairedRunCurves returns the values of a pair's agent minus those of its base, which are in
// the summary other, in every run and episode that both have, as runs of the agent.
func (s *Summary) PairedRunCurves(measure *Measure, pair experiment.Pair, other *Summary) []curve.Run {
	var runs []curve.Run
	for run := range s.runs() {
		x, y := s.values(run, pair.Agent, measure), other.values(run, pair.Base, measure)
		values := make([]float64, min(len(x), len(y)))
		for k := range values {
			values[k] = x[k] - y[k]
		}
		if len(values) > 0 {
			runs = append(runs, curve.Run{Agent: pair.Agent, Run: run, Values: values})
		}
	}
	return runs
}

// An agent has learned when the mean regret over a window of episodes is at most
// LearnedShare of the largest regret that any agent had in an episode of the same run.
// The window has one LearnedWindow-th of all episodes.
const (
	LearnedShare  = 0.05
	LearnedWindow = 10
)

// learnedSlack keeps rounding from deciding whether equal numbers are within the share.
const learnedSlack = 1 + 1e-9

// WindowOf returns the number of episodes in a window, w = ⌈K/10⌉.
func WindowOf(episodes int) int { return (episodes + LearnedWindow - 1) / LearnedWindow }

// Ending is the end of one agent's run.
type Ending struct {
	Agent    string       `json:"agent"`
	Run      int          `json:"run"`
	Episodes int          `json:"-"`                // the number of episodes played
	Final    curve.Number `json:"final"`            // the measure after the last episode; null if the agent lacks it
	Learned  int          `json:"learned,omitzero"` // the number of episodes until the agent has learned; absent if it has not
}

// Endings returns the end of every run, by agent in the spec's order, then by run.
func (s *Summary) Endings(measure *Measure) []Ending {
	regret, _ := LookupMeasure("regret")
	worst := map[int]float64{} // by run
	for key, p := range s.plays {
		for _, v := range p.measures[regret] {
			worst[key.run] = max(worst[key.run], v)
		}
	}
	var list []Ending
	for _, label := range s.Experiment.Spec().Agents {
		for run := range s.runs() {
			p := s.plays[playKey{run, label}]
			if p == nil {
				continue
			}
			e := Ending{Agent: label, Run: run, Episodes: p.episodes, Final: curve.Number(math.NaN())}
			if values := p.measures[measure]; len(values) > 0 {
				e.Final = curve.Number(values[len(values)-1])
			}
			e.Learned = learned(p.measures[CumulativeRegret()], WindowOf(s.Experiment.Spec().Episodes), max(LearnedShare*worst[run], planning.NoDifference*max(1, p.optimal, -p.optimal)))
			list = append(list, e)
		}
	}
	return list
}

// learned returns the number of episodes until an agent has learned: the first k ≥ w such that
// from k on the mean of the last w regrets never exceeds the limit, which is 5% of the largest
// regret that any agent had in an episode of the run; or 0 if there is none. The regrets are given by their cumulative sums.
func learned(sums []float64, w int, limit float64) int {
	first := 0
	for k := len(sums); k >= w; k-- {
		sum := sums[k-1]
		if k > w {
			sum -= sums[k-1-w]
		}
		if sum > limit*float64(w)*learnedSlack {
			break
		}
		first = k
	}
	return first
}
