package export

import (
	"fmt"
	"strconv"
	"strings"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/results"
)

// quantiles defines every median and quantile.
const quantiles = "interpolated linearly at (n−1)p of the ascending values (Hyndman and Fan's type 7)"

// Learning returns a sentence that says when an agent has learned.
func Learning(episodes int) string {
	w := results.WindowOf(episodes)
	last := fmt.Sprintf("the regrets of the last %d episodes average", w)
	if w == 1 {
		last = "the regret of an episode is"
	}
	return fmt.Sprintf("An agent has learned after k episodes if, from the k-th on, %s at most %.0f%% of the largest regret that an episode of any agent had in the same run.",
		last, 100*results.LearnedShare)
}

// QuantilesCSV returns the spread of the runs of every agent as a table with the columns
// agent, episode, median, q25, q75, least, most, n. If pair is not zero, the table is of
// the difference of the two agents.
func (r *Results) QuantilesCSV(of *results.Measure, pair experiment.Pair) []byte {
	what, runs := r.runs(of, pair)
	b := r.comments(fmt.Sprintf("%s: median, 25%% and 75%% quantiles over n runs, %s, and the least and the greatest value\n# %s", what, quantiles, of.Definition))
	b = append(b, "agent,episode,median,q25,q75,least,most,n\n"...)
	for _, c := range curve.Quantiles(runs) {
		for _, p := range c.Points {
			b = fmt.Appendf(b, "%s,%d", cell(c.Agent), p.Episode)
			b = fmt.Appendf(appendCells(b, p.Mean, p.Lo, p.Hi, p.Least, p.Greatest), ",%d\n", p.N)
		}
	}
	return b
}

// RunsCSV returns the curve of every run as a table with the columns agent, run, episode,
// value. If pair is not zero, the table is of the difference of the two agents.
func (r *Results) RunsCSV(of *results.Measure, pair experiment.Pair) []byte {
	what, runs := r.runs(of, pair)
	b := append(r.comments(fmt.Sprintf("%s of each run\n# %s", what, of.Definition)), "agent,run,episode,value\n"...)
	for _, run := range runs {
		for k, v := range run.Values {
			b = append(appendCells(fmt.Appendf(b, "%s,%d,%d", cell(run.Agent), run.Run, k+1), v), '\n')
		}
	}
	return b
}

// runs returns a measure in each run, or its difference if pair is not zero, and a description
// of it.
func (r *Results) runs(of *results.Measure, pair experiment.Pair) (what string, runs []curve.Run) {
	if pair == (experiment.Pair{}) {
		what = of.Key
		if about := r.AboutOthers(of); about != "" {
			what += " (" + strings.TrimSuffix(about, ".") + ")"
		}
		return what, append(r.RunCurves(of), namedRuns(r.OtherRuns(of))...)
	}
	return fmt.Sprintf("%s of %s minus %s by run", of.Key, pair.Agent, pair.Base), r.PairedRunCurves(of, pair, r.Summary)
}

// EndingsCSV returns the end of every run as a table with the columns agent, run, episodes,
// final, learned. The column final is the last value of the measure, or empty if the agent
// lacks it; learned is the number of episodes until the agent has learned, or empty if it
// has not.
func (r *Results) EndingsCSV(of *results.Measure) []byte {
	b := r.comments(fmt.Sprintf("%s after the last episode of each run, and the episodes until the agent has learned; empty if it has not\n# %s\n# %s",
		of.Key, of.Definition, Learning(r.Experiment.Spec().Episodes)))
	b = append(b, "agent,run,episodes,final,learned\n"...)
	for _, e := range r.Endings(of) {
		b = append(appendCells(fmt.Appendf(b, "%s,%d,%d", cell(e.Agent), e.Run, e.Episodes), float64(e.Final)), ',')
		if e.Learned > 0 {
			b = strconv.AppendInt(b, int64(e.Learned), 10)
		}
		b = append(b, '\n')
	}
	return b
}

// Limits of the lines of single runs in a figure.
const (
	RunLines  = 300   // lines
	runPoints = 30000 // points of all lines together
	runMost   = 400   // points of one line
)

// DrawnRuns returns how many runs of each agent a figure draws, the first ones, and at
// which episodes: the first, the last, and evenly spaced ones between them.
func DrawnRuns(agents, runs, episodes int) (drawn int, at []int) {
	drawn = min(runs, max(1, RunLines/max(1, agents)))
	return drawn, thinned(episodes, max(2, min(runMost, runPoints/max(1, agents*drawn))))
}
