package results

import (
	"math"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/record"
)

// Truth is the true model of a run, as far as measures ask for it. What they ask for is computed then, and kept.
type Truth struct {
	e      *experiment.Experiment
	run    int
	model  *fmdp.Model // its variables and its graph
	graph  bigraph.Bigraph
	alone  bigraph.Scope // the variables with one value, which no data can connect
	random float64       // V_*(random)
	err    error         // why there is no random
	solved bool          // whether random has been computed
}

// truths holds the true models of the runs of an experiment. Runs that share one share what is known of it.
type truths struct {
	e     *experiment.Experiment
	byRun map[int]*Truth
}

func newTruths(e *experiment.Experiment) truths { return truths{e, map[int]*Truth{}} }

func (t truths) of(run int) *Truth {
	if t.e.SharesTruth() {
		run = t.e.Spec().FirstRun
	}
	if t.byRun[run] == nil {
		t.byRun[run] = &Truth{e: t.e, run: run}
	}
	return t.byRun[run]
}

// outline returns a model with the variables and the true graph. The error is that of a problem that cannot be built.
func (t *Truth) outline() (*fmdp.Model, error) {
	if t.model == nil {
		run := t.run
		if !t.e.Spec().Domain.Kind().PerRun {
			run = t.e.Spec().FirstRun // the runs share the graph, if not the tables
		}
		m, err := t.e.Outline(run)
		if err != nil {
			return nil, err
		}
		t.model, t.graph, t.alone = m, m.Graph(), m.Trivial()
	}
	return t.model, nil
}

// differ returns the structural Hamming distance of a graph and the true graph z_*: the number of edges that one of them
// has and the other has not, between variables with more than one value. It reports false if the graph is not one over
// the problem's variables.
func (t *Truth) differ(graph document.Graph) (edges int, ok bool) {
	m, err := t.outline()
	if err != nil || len(graph) != m.Y() {
		return 0, false
	}
	for j, parents := range graph {
		var z bigraph.Scope
		for _, i := range parents {
			if i < 0 || i >= m.X() {
				return 0, false
			}
			z = z.With(i)
		}
		if !t.alone.Has(j) {
			edges += z.Without(t.graph[j]).Union(t.graph[j].Without(z)).Without(t.alone).Len()
		}
	}
	return edges, true
}

// Random returns V_*(random), the value of the policy that plays every legal action equally often. It reports false if
// this program cannot plan in the true model.
func (t *Truth) Random() (float64, bool) {
	if !t.solved {
		t.random, t.err = t.e.Random(t.run)
		t.solved = true
	}
	return t.random, t.err == nil
}

// recovered returns the share of V_*(π_*) − V_*(random) that the policy of an episode recovers. It reports false if the
// whole is not above 0 by more than rounding, or is not known.
func (t *Truth) recovered(r *record.Record) (float64, bool) {
	random, known := t.Random()
	if r.Valued == nil {
		return 0, false
	}
	whole, regret := r.Optimal-random, r.Regret
	if !known || whole <= t.e.Rounding() {
		return 0, false
	}
	if math.Abs(regret) <= t.e.Rounding() {
		regret = 0
	}
	return 1 - regret/whole, true
}

// tolerated returns the mean regret with which an agent has learned: LearnedShare of what is at stake, or what planning
// may lose. It reports false if that is not known.
func (t *Truth) tolerated(optimal float64) (float64, bool) {
	random, known := t.Random()
	return max(LearnedShare*(optimal-random), planning.NoDifference*max(1, optimal, -optimal)), known
}
