package results

import (
	"fmt"
	"math"
	"strings"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/param"
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
// the summary other, in every run and episode that both have, as runs of the agent. Differences up to rounding are 0.
func (s *Summary) PairedRunCurves(measure *Measure, pair experiment.Pair, other *Summary) []curve.Run {
	var runs []curve.Run
	for run := range s.runs() {
		if values := s.less(measure, s.values(run, pair.Agent, measure), other.values(run, pair.Base, measure)); len(values) > 0 {
			runs = append(runs, curve.Run{Agent: pair.Agent, Run: run, Values: values})
		}
	}
	return runs
}

// less returns x − y in the episodes that both have. Differences up to rounding are 0.
func (s *Summary) less(measure *Measure, x, y []float64) []float64 {
	values := make([]float64, min(len(x), len(y)))
	for k := range values {
		values[k] = x[k] - y[k]
		most := s.rounding
		if measure.Sums {
			most *= float64(k + 1)
		}
		if measure.Values && math.Abs(values[k]) <= most {
			values[k] = 0
		}
	}
	return values
}

// MetRunCurves is [Summary.PairedRunCurves] of curves of which some are another program's that met our worlds. Each side is of
// one label.
func (s *Summary) MetRunCurves(measure *Measure, x, y []curve.Run) (runs []curve.Run) {
	for _, a := range x {
		for _, b := range y {
			if values := s.less(measure, a.Values, b.Values); a.Run == b.Run && len(values) > 0 {
				runs = append(runs, curve.Run{Agent: a.Agent, Run: a.Run, Values: values})
			}
		}
	}
	return runs
}

// An agent has learned when the mean regret over a window of episodes is at most LearnedShare of
// V_*(π_*) − V_*(random): from then on its policies recover the rest of it, whoever else plays.
// The window has one LearnedWindow-th of all episodes.
const (
	LearnedShare  = 0.05
	LearnedWindow = 10
)

// learnedSlack keeps rounding from deciding whether equal numbers are within the share.
const learnedSlack = 1 + 1e-9

// WindowOf returns the number of episodes in a window, w = ⌈K/10⌉.
func WindowOf(episodes int) int { return (episodes + LearnedWindow - 1) / LearnedWindow }

// RunEnd is the end of one agent's run.
type RunEnd struct {
	Agent    string       `json:"agent"`
	Run      int          `json:"run"`
	Episodes int          `json:"-"`                // the number of episodes played
	Final    curve.Number `json:"final"`            // the measure after the last episode; null if the agent lacks it
	Learned  int          `json:"learned,omitzero"` // the number of episodes until the agent has learned; absent if it has not
}

// RunEnds returns the end of every run, by agent in the spec's order, then by run.
func (s *Summary) RunEnds(measure *Measure) []RunEnd {
	var list []RunEnd
	for _, label := range s.Experiment.Spec().Agents {
		for run := range s.runs() {
			p := s.plays[playKey{run, label}]
			if p == nil {
				continue
			}
			e := RunEnd{Agent: label, Run: run, Episodes: p.episodes, Final: curve.Number(math.NaN())}
			if values := p.measures[measure]; len(values) > 0 {
				e.Final = curve.Number(values[len(values)-1])
			}
			if limit, known := s.truths.of(run).tolerated(p.optimal); known { // else there may be no regret
				e.Learned = learned(p.measures[CumulativeRegret()], WindowOf(s.Experiment.Spec().Episodes), limit)
			}
			list = append(list, e)
		}
	}
	return list
}

// Learned says in how many of its whole runs an agent has learned.
type Learned struct {
	Agent string `json:"agent"`
	Runs  int    `json:"runs"`  // how many runs have learned
	Of    int    `json:"of"`    // of so many
	Words string `json:"words"` // "15 of 20 runs (51–91%)"
}

// Learned counts the runs that have learned, by agent in the spec's order. Agents without a whole run are left out, and so
// are all if the records have no regret.
func (s *Summary) Learned() (list []Learned) {
	for _, e := range s.RunEnds(CumulativeRegret()) {
		if e.Episodes < s.Experiment.Spec().Episodes || math.IsNaN(float64(e.Final)) {
			continue
		}
		if len(list) == 0 || list[len(list)-1].Agent != e.Agent {
			list = append(list, Learned{Agent: e.Agent})
		}
		of := &list[len(list)-1]
		of.Of++
		if e.Learned > 0 {
			of.Runs++
		}
	}
	for k := range list {
		list[k].Words = OfRuns(list[k].Runs, list[k].Of)
	}
	return list
}

// HaveLearned says in one sentence in how many runs each agent has learned. Without a whole run it returns "".
func (s *Summary) HaveLearned() string {
	var parts []string
	for _, of := range s.Learned() {
		parts = append(parts, s.Experiment.NameOf(of.Agent)+" in "+of.Words)
	}
	if parts == nil {
		return ""
	}
	return "Learned: " + strings.Join(parts, ", ") + "."
}

// OfRuns is [Of] for runs.
func OfRuns(k, n int) string { return Of(k, n, "run") }

// Of says how many of all runs, or of what the noun says, something is true of, with the 95% interval of the share by Clopper and
// Pearson: "15 of 20 runs (51–91%)".
func Of(k, n int, noun string) string {
	_, lo, hi := curve.Share(k, n)
	percent := func(share float64) int { return int(100*share + 0.5 + 1e-9) } // 2.5% is 3%, whatever its last bits are
	return fmt.Sprintf("%d of %s (%d–%d%%)", k, param.Count(n, noun), percent(lo), percent(hi))
}

// learned returns the number of episodes until an agent has learned: the first k ≥ w such that
// from k on the mean of the last w regrets never exceeds the limit, or 0 if there is none. The regrets are given by
// their cumulative sums.
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
