package experiment

import (
	"fmt"

	"cpsrl/core/bigraph"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

// Discovery is the report on weak causal discovery (Corollary 1) for one agent:
// how far the sampled graphs contain the true one.
type Discovery struct {
	Agent    string  `json:"agent"`
	Runs     int     `json:"runs"`
	Episodes int     `json:"episodes"` // over all runs
	Superset float64 `json:"superset"` // the share of episodes with z_k ⊇ z_*: the probability for a graph drawn at random from the run
	// Of one graph drawn uniformly from the episodes of each run, by the seed:
	Random DiscoveryScores `json:"random"`
	// Of the most probable graph after the last episode of each run:
	Best DiscoveryScores `json:"best"`
}

// DiscoveryScores are means over runs.
type DiscoveryScores struct {
	Superset  float64 `json:"superset"` // share of runs in which the graph contains the true one
	Recall    float64 `json:"recall"`
	Precision float64 `json:"precision"`
	Parents   float64 `json:"parents"`
}

// discovered is what the report keeps of one agent in one run.
type discovered struct {
	episodes, supersets int
	drawn               *record.Belief
	last                *record.Belief
}

func (d *discovered) add(seed int, r *record.Record) {
	d.episodes++
	if r.Belief == nil {
		return
	}
	if r.Belief.Superset {
		d.supersets++
	}
	// Reservoir sampling: after k episodes each is kept with probability 1/k.
	// One stream an episode, so that the draw does not depend on what else ran.
	if posterior.NewNamedStream(int64(seed), r.Run, fmt.Sprintf("%s discovery %d", r.Agent, d.episodes)).IntN(d.episodes) == 0 {
		d.drawn = r.Belief
	}
	d.last = r.Belief
}

// Discovery returns the report for every agent that samples graphs.
func (s *Summary) Discovery() []Discovery {
	var reports []Discovery
	graphs := &trueGraphs{s.Experiment, map[int]*trueGraph{}}
	for _, label := range s.spec.Agents {
		d := Discovery{Agent: label}
		supersets := 0
		var drawn, best []bigraph.Scores
		for run := range s.runs() {
			p := s.plays[playKey{run, label}]
			if p == nil || p.graphs.last == nil {
				continue
			}
			g := &p.graphs
			d.Runs++
			d.Episodes += g.episodes
			supersets += g.supersets
			drawn = append(drawn, bigraph.Scores{Superset: g.drawn.Superset, Recall: g.drawn.Recall, Precision: g.drawn.Precision, Parents: g.drawn.Parents})
			if truth := graphs.of(run); truth != nil {
				if scores, err := truth.score(g.last); err == nil {
					best = append(best, scores)
				}
			}
		}
		if d.Runs == 0 {
			continue
		}
		d.Superset = float64(supersets) / float64(d.Episodes)
		d.Random, d.Best = meanScores(drawn), meanScores(best)
		reports = append(reports, d)
	}
	return reports
}

// trueGraphs are the true graphs of the runs. Unless each run has its own, all
// have that of the first.
type trueGraphs struct {
	*Experiment
	known map[int]*trueGraph
}

type trueGraph struct {
	graph   bigraph.Bigraph
	dX      int
	trivial bigraph.Scope
}

// of returns the true graph of a run, or nil if there is none.
func (t *trueGraphs) of(run int) *trueGraph {
	if !t.spec.Domain.Kind().PerRun {
		run = t.spec.FirstRun
	}
	g, have := t.known[run]
	if !have {
		if in, err := t.Problem(run); err == nil {
			g = &trueGraph{in.Model.Graph(), in.Model.X(), in.Model.Trivial()}
		}
		t.known[run] = g
	}
	return g
}

// score compares the most probable graph with the true one.
func (t *trueGraph) score(b *record.Belief) (bigraph.Scores, error) {
	best, err := b.Best.Bigraph(t.dX)
	if err != nil || len(best) != len(t.graph) {
		return bigraph.Scores{}, fmt.Errorf("a graph of another problem")
	}
	return bigraph.Compare(best, t.graph, t.trivial), nil
}

// meanScores returns the means; of none, zeros.
func meanScores(list []bigraph.Scores) DiscoveryScores {
	var m DiscoveryScores
	for _, s := range list {
		if s.Superset {
			m.Superset++
		}
		m.Recall += s.Recall
		m.Precision += s.Precision
		m.Parents += s.Parents
	}
	n := float64(max(1, len(list)))
	m.Superset /= n
	m.Recall /= n
	m.Precision /= n
	m.Parents /= n
	return m
}
