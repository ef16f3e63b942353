package export

import (
	"fmt"
	"math"

	"cpsrl/core/cells"
	"cpsrl/core/curve"
	"cpsrl/core/param"
	"cpsrl/core/results"
)

// ReliabilityCSV returns a reliability as a table with the columns agent, episode, from, to, p, share, lo, hi, true, n. A bin
// without an edge has empty cells.
func (r *Results) ReliabilityCSV(rel *results.Reliability) []byte {
	b := r.comments(r.AboutReliability(rel))
	t := &cells.Table{Bytes: append(b, "agent,episode,from,to,p,share,lo,hi,true,n\n"...)}
	for k, bin := range rel.Bins {
		p := ReliabilityPoint(bin)
		t.Text(rel.Agent).Int(rel.Episode).Number(float64(k)/results.Bins, float64(k+1)/results.Bins, bin.Mean, p.Mean, p.Lo, p.Hi).Int(bin.True, bin.N).End()
	}
	return t.Bytes
}

// ReliabilityPoint returns the share of a bin with its interval, which are NaN without an edge.
func ReliabilityPoint(bin results.Bin) curve.Point {
	p := curve.Single(0, math.NaN())
	if p.N = bin.N; bin.N > 0 {
		p.Mean, p.Lo, p.Hi = curve.Share(bin.True, bin.N)
	}
	return p
}

// AboutReliability says what a reliability shows.
func (r *Results) AboutReliability(rel *results.Reliability) string {
	edges := 0
	for _, bin := range rel.Bins {
		edges += bin.N
	}
	text := fmt.Sprintf("P(edge) by the belief of %s after %s of %s, against the true graphs: %s in bins of 0.1; p is the mean probability of a bin and share that of its edges which are true, "+
		"with the 95%% interval of Clopper and Pearson, which takes edges for independent.",
		r.Experiment.NameOf(rel.Agent), param.Count(rel.Episode, "episode"), param.Count(rel.Runs, "run"), param.Count(edges, "edge"))
	if rel.Certain > 0 {
		text += fmt.Sprintf(" Left out: %s of which the agent is certain from the beginning.", param.Count(rel.Certain, "edge"))
	}
	if rel.OneGraph {
		text += " The true graph is the same in all runs, so shares need not be equal to probabilities, even if the belief is exact."
	} else {
		text += " Where truths are drawn from the agent’s prior and its belief is exact, dots are on the diagonal but for chance."
	}
	if r.Experiment.Leaks() {
		text += " Known rewards depend on the true parents, so they tell about the graph."
	}
	return text
}
