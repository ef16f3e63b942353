package experiment

import (
	"math"
	"sort"
)

// RunCurve is a measure of one agent in one run.
type RunCurve struct {
	Agent  string
	Run    int
	Values []float64 // index k is episode k+1; they belong to the summary
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

// PairedRunCurves returns the difference of two agents in every run that both have
// played, over the episodes that both have played, as curves of the pair's agent.
func (s *Summary) PairedRunCurves(measure *Measure, pair Pair) []RunCurve {
	var curves []RunCurve
	for run := range s.runs() {
		if values := s.differences(run, measure, pair, s); len(values) > 0 {
			curves = append(curves, RunCurve{pair.Agent, run, values})
		}
	}
	return curves
}

// QuantileRow says how the runs of an agent are spread at one episode: their median, the
// 25% and 75% quantiles, the least and the greatest value. With one run all five are the value of that run.
type QuantileRow struct {
	Agent                         string
	Episode                       int
	Median, Q25, Q75, Least, Most float64
	N                             int
}

// Quantiles returns how the curves are spread, by agent in their order, then by episode.
// A quantile p of n ascending values x_0 … x_{n−1} is interpolated linearly at the place
// (n−1)p (type 7 of Hyndman and Fan, "Sample quantiles in statistical packages", 1996):
// the median of two values is their mean, and equal values have equal quantiles.
func Quantiles(curves []RunCurve) []QuantileRow {
	var rows []QuantileRow
	var values []float64
	for len(curves) > 0 {
		n := 1
		for n < len(curves) && curves[n].Agent == curves[0].Agent {
			n++
		}
		for k := 0; ; k++ {
			values = values[:0]
			for _, c := range curves[:n] {
				if k < len(c.Values) {
					values = append(values, c.Values[k])
				}
			}
			if len(values) == 0 {
				break
			}
			sort.Slice(values, func(a, b int) bool { return values[a] < values[b] }) // slices.Sort costs the engine 3 KB: see build.sh
			rows = append(rows, QuantileRow{
				curves[0].Agent, k + 1, sampleQuantile(values, 0.5), sampleQuantile(values, 0.25), sampleQuantile(values, 0.75),
				values[0], values[len(values)-1], len(values),
			})
		}
		curves = curves[n:]
	}
	return rows
}

// sampleQuantile returns the quantile p of ascending values, from 0 to 1.
func sampleQuantile(ascending []float64, p float64) float64 {
	place := p * float64(len(ascending)-1)
	k := int(place)
	if k == len(ascending)-1 || ascending[k] == ascending[k+1] {
		return ascending[k]
	}
	share := place - float64(k)
	return (1-share)*ascending[k] + share*ascending[k+1]
}

// An agent has learned when it regrets little: LearnedShare of the largest regret that an
// episode of any agent had in the same run, on average over the last episodes, of which
// there are as many as one LearnedWindow-th of all.
const (
	LearnedShare  = 0.05
	LearnedWindow = 10
)

// learnedSlack keeps sums of equal numbers on the same side of the share.
const learnedSlack = 1 + 1e-9

// WindowOf returns how many episodes are averaged, w = ⌈K/10⌉.
func WindowOf(episodes int) int { return (episodes + LearnedWindow - 1) / LearnedWindow }

// Ending is how one agent's run ended.
type Ending struct {
	Agent    string
	Run      int
	Episodes int     // that were played
	Final    float64 // the measure after the last of them; NaN if the agent lacks it
	// Learned is the number of episodes until the agent has learned, 0 if it has not. It is
	// the first k ≥ w such that, from k to the last episode, the regrets of the last w
	// episodes average at most 5% of the largest regret that any agent had in an episode of
	// the run.
	Learned int
}

// Endings returns how every run ended, by agent in the spec's order, then by run.
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
			e.Learned = learned(p.measures[CumulativeRegret()], WindowOf(s.spec.Episodes), max(LearnedShare*worst[run], noDifference*max(1, p.optimal, -p.optimal)))
			list = append(list, e)
		}
	}
	return list
}

// learned returns the first k ≥ w from which on windows of w episodes average at most so
// much regret; 0 if there is none. The regrets come as their sums.
func learned(sums []float64, w int, most float64) int {
	first := 0
	for k := len(sums); k >= w; k-- {
		sum := sums[k-1]
		if k > w {
			sum -= sums[k-1-w]
		}
		if sum > most*float64(w)*learnedSlack {
			break
		}
		first = k
	}
	return first
}
