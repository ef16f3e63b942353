package experiment

import (
	"iter"
	"math"
	"slices"

	"cpsrl/core/planning"
)

// RunCurve is a measure of one agent in one run.
type RunCurve struct {
	Agent  string
	Run    int
	Values []float64 // entry k is that of episode k+1; the slice belongs to the summary
}

// RunCurves returns a measure in every run, by agent in the spec's order, then by run.
// Runs without records and agents without the measure have no curve.
func (s *Summary) RunCurves(measure *Measure) []RunCurve {
	var curves []RunCurve
	for _, label := range s.spec.Agents {
		for run := range s.runs() {
			if values := s.values(run, label, measure); len(values) > 0 {
				curves = append(curves, RunCurve{label, run, values})
			}
		}
	}
	return curves
}

// PairedRunCurves returns the difference of two agents in every run and episode that both
// have played, as curves of the pair's agent.
func (s *Summary) PairedRunCurves(measure *Measure, pair Pair) []RunCurve {
	return s.differences(measure, pair, s)
}

// across holds the values of a measure for one agent at one episode: one value for each run that
// has the episode.
type across struct {
	agent   string
	episode int
	values  []float64
}

// byEpisode yields the values of curves, which are sorted by agent, by agent and then by
// episode. The next values overwrite the last ones.
func byEpisode(curves []RunCurve) iter.Seq[across] {
	return func(yield func(across) bool) {
		var values []float64
		for rest := curves; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Agent == rest[0].Agent {
				n++
			}
			for episode := 1; ; episode++ {
				values = values[:0]
				for _, c := range rest[:n] {
					if episode <= len(c.Values) {
						values = append(values, c.Values[episode-1])
					}
				}
				if len(values) == 0 {
					break
				}
				if !yield(across{rest[0].Agent, episode, values}) {
					return
				}
			}
			rest = rest[n:]
		}
	}
}

// QuantileRow is the spread of an agent's runs at one episode: the median, the 25% and 75%
// quantiles, the least and the greatest value of N runs. With one run all five are equal.
type QuantileRow struct {
	Agent                         string
	Episode                       int
	Median, Q25, Q75, Least, Most float64
	N                             int
}

// Quantiles returns the spread of curves, which are sorted by agent, by agent and then by
// episode. The quantile p of n ascending values x_0 … x_{n−1} is interpolated linearly at
// index (n−1)p (type 7 of Hyndman and Fan, "Sample quantiles in statistical packages",
// 1996). The median of two values is their mean; equal values have equal quantiles.
func Quantiles(curves []RunCurve) []QuantileRow {
	var rows []QuantileRow
	for at := range byEpisode(curves) {
		values := at.values
		slices.Sort(values)
		rows = append(rows, QuantileRow{
			at.agent, at.episode, sampleQuantile(values, 0.5), sampleQuantile(values, 0.25), sampleQuantile(values, 0.75),
			values[0], values[len(values)-1], len(values),
		})
	}
	return rows
}

// sampleQuantile returns the quantile p, from 0 to 1, of ascending values.
func sampleQuantile(ascending []float64, p float64) float64 {
	place := p * float64(len(ascending)-1)
	k := int(place)
	if k == len(ascending)-1 || ascending[k] == ascending[k+1] {
		return ascending[k]
	}
	share := place - float64(k)
	return (1-share)*ascending[k] + share*ascending[k+1]
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
	Agent    string
	Run      int
	Episodes int     // the number of episodes played
	Final    float64 // the measure after the last of these; NaN if the agent lacks the measure
	// Learned is the number of episodes until the agent has learned, or 0 if it has not. Take the
	// mean regret of the last w episodes. Learned is the first k ≥ w from which on this mean is at
	// most 5% of the run's largest regret, over all its agents and episodes.
	Learned int
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
	for _, label := range s.spec.Agents {
		for run := range s.runs() {
			p := s.plays[playKey{run, label}]
			if p == nil {
				continue
			}
			e := Ending{Agent: label, Run: run, Episodes: p.episodes, Final: math.NaN()}
			if values := p.measures[measure]; len(values) > 0 {
				e.Final = values[len(values)-1]
			}
			e.Learned = learned(p.measures[CumulativeRegret()], WindowOf(s.spec.Episodes), max(LearnedShare*worst[run], planning.NoDifference*max(1, p.optimal, -p.optimal)))
			list = append(list, e)
		}
	}
	return list
}

// learned returns the first k ≥ w such that from k on the mean of the last w regrets never
// exceeds the limit, or 0 if there is none. The regrets are given by their cumulative sums.
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
