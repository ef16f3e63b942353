package results

import (
	"fmt"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

// Discovery is the report on weak causal discovery (Corollary 1) for one agent: how much
// of the true graph the agent's graphs contain.
type Discovery struct {
	Agent    string  `json:"agent"`
	Runs     int     `json:"runs"`
	Episodes int     `json:"episodes"` // over all runs
	Superset float64 `json:"superset"` // the share of episodes with z_k ⊇ z_*
	// Random scores one sampled graph of each run, drawn uniformly from its episodes.
	Random DiscoveryScores `json:"random"`
	// Best scores the most probable graph after the last episode of each run.
	Best DiscoveryScores `json:"best"`
}

// DiscoveryScores are means over runs.
type DiscoveryScores struct {
	Superset  float64 `json:"superset"` // share of runs in which the graph contains the true one
	Recall    float64 `json:"recall"`
	Precision float64 `json:"precision"`
	Parents   float64 `json:"parents"`
}

// discovered is what the report needs of one agent in one run.
type discovered struct {
	episodes, supersets int
	drawn               *record.Scored
	last                document.Graph // the most probable graph or, without a belief, the graph
}

func (d *discovered) add(seed int, r *record.Record) {
	d.episodes++
	if r.Belief == nil || r.Belief.Scored == nil {
		return
	}
	if r.Belief.Superset {
		d.supersets++
	}
	// Reservoir sampling: after k episodes each of them is kept with probability 1/k.
	// Each episode has its own stream, so other records do not change the draw.
	if posterior.NewNamedStream(int64(seed), r.Run, fmt.Sprintf("%s discovery %d", r.Agent, d.episodes)).IntN(d.episodes) == 0 {
		d.drawn = r.Belief.Scored
	}
	if d.last = r.Belief.Graph; r.Belief.Updated != nil {
		d.last = r.Belief.Best
	}
}

// Discovery returns the report for every agent that samples graphs. If a most probable
// graph is not over the problem's variables, its scores are 0. The error is that of a problem that
// cannot be built.
func (s *Summary) Discovery() ([]Discovery, error) {
	reports := make([]Discovery, len(s.Experiment.Spec().Agents))
	for run := range s.runs() {
		var truth *fmdp.Model // built once for all the agents of a run
		for k, label := range s.Experiment.Spec().Agents {
			p := s.plays[playKey{run, label}]
			if p == nil || p.graphs.drawn == nil {
				continue
			}
			if truth == nil {
				var err error
				if truth, err = s.truths.of(run).outline(); err != nil {
					return nil, err
				}
			}
			reports[k].Agent = label
			reports[k].add(&p.graphs, truth)
		}
	}
	reports = slices.DeleteFunc(reports, func(d Discovery) bool { return d.Runs == 0 })
	for k := range reports {
		d := &reports[k]
		d.Superset /= float64(d.Episodes)
		d.Random.divide(d.Runs)
		d.Best.divide(d.Runs)
	}
	return reports, nil
}

// add adds the graphs of a run. Scores are sums until divide makes them means.
func (d *Discovery) add(g *discovered, truth *fmdp.Model) {
	d.Runs++
	d.Episodes += g.episodes
	d.Superset += float64(g.supersets)
	d.Random.add(g.drawn.Scores)
	if best, err := g.last.Bigraph(truth.X()); err == nil && len(best) == truth.Y() {
		d.Best.add(bigraph.Compare(best, truth.Graph(), truth.Trivial()))
	}
}

// add adds the scores of one graph.
func (d *DiscoveryScores) add(s bigraph.Scores) {
	if s.Superset {
		d.Superset++
	}
	d.Recall += s.Recall
	d.Precision += s.Precision
	d.Parents += s.Parents
}

// divide turns sums over runs into means.
func (d *DiscoveryScores) divide(runs int) {
	for _, sum := range []*float64{&d.Superset, &d.Recall, &d.Precision, &d.Parents} {
		*sum /= float64(runs)
	}
}
