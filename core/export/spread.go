package export

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/cells"
	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/results"
)

// quantiles defines every median and quantile.
const quantiles = "interpolated linearly at (n−1)p of the ascending values (Hyndman and Fan's type 7)"

// bootstrap describes the intervals of medians and interquartile means.
const bootstrap = "95% percentile intervals by a stratified bootstrap of 10,000 samples of the runs"

// Learning returns a sentence that says when an agent has learned.
func Learning(episodes int) string {
	w := results.WindowOf(episodes)
	last := fmt.Sprintf("the regrets of the last %d episodes average", w)
	if w == 1 {
		last = "the regret of an episode is"
	}
	return fmt.Sprintf("An agent has learned after k episodes if, from the k-th on, %s at most %.0f%% of V* − V(random), so that its policies recover the other %.0f%%; random plays every action equally often.",
		last, 100*results.LearnedShare, 100-100*results.LearnedShare)
}

// QuantilesCSV returns the spread of the runs of every agent as a table with the columns
// agent, episode, median, q25, q75, least, most, n. If pair is not zero, the table is of
// the difference of the two agents.
func (r *Results) QuantilesCSV(of *results.Measure, pair experiment.Pair) []byte {
	what, runs := r.runs(of, pair)
	b := r.comments(fmt.Sprintf("%s: median, 25%% and 75%% quantiles over n runs, %s, and the least and the greatest value\n%s", what, quantiles, of.Definition))
	t := &cells.Table{Bytes: append(b, "agent,episode,median,q25,q75,least,most,n\n"...)}
	for _, c := range curve.Quantiles(runs) {
		for _, p := range c.Points {
			t.Text(c.Agent).Int(p.Episode).Number(p.Mean, p.Lo, p.Hi, p.Least, p.Greatest).Int(p.N).End()
		}
	}
	return t.Bytes
}

// RunsCSV returns the curve of every run as a table with the columns agent, run, episode,
// value. If pair is not zero, the table is of the difference of the two agents.
func (r *Results) RunsCSV(of *results.Measure, pair experiment.Pair) []byte {
	what, runs := r.runs(of, pair)
	t := &cells.Table{Bytes: append(r.comments(fmt.Sprintf("%s of each run\n%s", what, of.Definition)), "agent,run,episode,value\n"...)}
	for _, run := range runs {
		for k, v := range run.Values {
			t.Text(run.Agent).Int(run.Run, k+1).Number(v).End()
		}
	}
	return t.Bytes
}

// EndsCSV returns where the runs of every agent ended as a table with one line an agent and the columns agent, mean,
// mean_lo, mean_hi, median, median_lo, median_hi, iqm, iqm_lo, iqm_hi, n. Only runs that an agent has played to the end
// count. If pair is not zero, the table is of the difference of the two agents. Intervals are empty for one run.
func (r *Results) EndsCSV(of *results.Measure, pair experiment.Pair) []byte {
	what, runs := r.runs(of, pair)
	runs = slices.DeleteFunc(runs, func(run curve.Run) bool {
		_, ours := r.Experiment.Arm(run.Agent)
		return ours && len(run.Values) < r.Experiment.Spec().Episodes
	})
	b := r.comments(fmt.Sprintf("%s after the last episode: mean with %s; median and interquartile mean (iqm) with %s\n%s",
		what, "the 95% confidence interval "+interval, bootstrap, of.Definition))
	if pair == (experiment.Pair{}) {
		b = cells.AppendComment(b, Learning(r.Experiment.Spec().Episodes))
		b = r.appendLearned(b)
	}
	t := &cells.Table{Bytes: append(b, "agent,"+endColumns+"\n"...)}
	for _, e := range curve.Ends(runs) {
		addEnd(t.Text(e.Agent), e).End()
	}
	return t.Bytes
}

// endColumns are the columns of an end.
const endColumns = "mean,mean_lo,mean_hi,median,median_lo,median_hi,iqm,iqm_lo,iqm_hi,n"

// addEnd adds a cell for each column of an end. Numbers have 9 digits, so that every machine prints the same.
func addEnd(t *cells.Table, e curve.End) *cells.Table {
	for _, of := range []curve.Estimate{e.Mean, e.Median, e.IQM} {
		t.Rounded(9, float64(of.Value), float64(of.Lo), float64(of.Hi))
	}
	return t.Int(e.N)
}

// appendLearned appends a comment that says in how many runs each agent has learned.
func (r *Results) appendLearned(b []byte) []byte {
	if words := r.HaveLearned(); words != "" {
		return cells.AppendComment(b, words)
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
	b := r.comments(fmt.Sprintf("%s after the last episode of each run, and the episodes until the agent has learned; empty if it has not\n%s\n%s",
		of.Key, of.Definition, Learning(r.Experiment.Spec().Episodes)))
	b = r.appendLearned(b)
	t := &cells.Table{Bytes: append(b, "agent,run,episodes,final,learned\n"...)}
	for _, e := range r.RunEnds(of) {
		if t.Text(e.Agent).Int(e.Run, e.Episodes).Number(float64(e.Final)); e.Learned > 0 {
			t.Int(e.Learned).End()
		} else {
			t.Text("").End()
		}
	}
	return t.Bytes
}

// Limits of the lines of single runs in a figure.
const (
	RunLines  = 300   // lines
	runPoints = 30000 // points of all lines together
	runMost   = 400   // points of one line
)

// DrawnRuns returns how many runs of each agent a figure draws, the first ones, and at which episodes: all, or the first,
// the last, and between them some that are evenly spaced on a linear axis and some that are on a logarithmic one.
func DrawnRuns(agents, runs, episodes int) (drawn int, at []int) {
	drawn = min(runs, max(1, RunLines/max(1, agents)))
	most := max(4, min(runMost, runPoints/max(1, agents*drawn)))
	if at = thinned(episodes, most); len(at) == episodes {
		return drawn, at
	}
	at = append(thinned(episodes, most/2), growing(episodes, most/2)...)
	slices.Sort(at)
	return drawn, slices.Compact(at)
}

// growing returns at most n of the episodes 1 … K, the first ones and then each by the same share above the one before, as small
// as n allows. (In whole numbers, they are the same on every machine.)
func growing(episodes, n int) (list []int) {
	for part := n; part > 0; part-- {
		list = list[:0]
		for at := 1; at < episodes && len(list) < n; at += max(1, at/part) {
			list = append(list, at)
		}
		if last := list[len(list)-1]; last+max(1, last/part) >= episodes {
			break
		}
	}
	return list
}
