package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"cpsrl/core/bigraph"
	"cpsrl/core/record"
)

// Measure is what a curve shows, by episode.
type Measure string

const (
	CumulativeRegret Measure = "cumulative-regret" // Σ_{l≤k} V_*(π_*) − V_*(π_l)
	Regret           Measure = "regret"            // V_*(π_*) − V_*(π_k)
	ModelError       Measure = "model-error"       // mean over x of ‖p_* − p_k‖₁
	Recall           Measure = "recall"            // of the true edges in z_k
	Precision        Measure = "precision"         // of the edges of z_k
	Parents          Measure = "parents"           // mean |z_k,j|
)

// Measures returns every measure, the first by default.
func Measures() []Measure {
	return []Measure{CumulativeRegret, Regret, ModelError, Recall, Precision, Parents}
}

// of returns the measure of one record, and whether it has one.
func (m Measure) of(r *record.Record, cumulative float64) (float64, bool) {
	switch m {
	case CumulativeRegret:
		return cumulative, true
	case Regret:
		return r.Regret, true
	case ModelError:
		if r.ModelError == nil {
			return 0, false
		}
		return *r.ModelError, true
	}
	if r.Belief == nil {
		return 0, false
	}
	switch m {
	case Recall:
		return r.Belief.Recall, true
	case Precision:
		return r.Belief.Precision, true
	case Parents:
		return r.Belief.Parents, true
	}
	panic("experiment: unknown measure " + string(m))
}

// Summary gathers records into means and confidence intervals over runs. Bits
// are not promised here: gonum does the statistics.
type Summary struct {
	spec    *record.Spec
	records int
	curves  map[curve][][]float64 // by episode: one value for each run
	sums    map[playKey]float64   // cumulative regret so far
	graphs  map[playKey]*discovered
	optimal map[int]float64 // V_* of each run
}

type curve struct {
	agent string
	of    Measure
}

type playKey struct {
	run   int
	agent string
}

// NewSummary returns the summary of no records of that spec.
func NewSummary(spec *record.Spec) *Summary {
	return &Summary{
		spec: spec, curves: map[curve][][]float64{}, sums: map[playKey]float64{},
		graphs: map[playKey]*discovered{}, optimal: map[int]float64{},
	}
}

// Add takes one record. The episodes of one agent in one run come in their
// order; a record out of place is an error and changes nothing.
func (s *Summary) Add(r *record.Record) error {
	key := playKey{r.Run, r.Agent}
	d := s.graphs[key]
	if d == nil {
		d = &discovered{}
	}
	switch {
	case !slices.Contains(s.spec.Agents, r.Agent):
		return fmt.Errorf("the agent %q is not in the spec", r.Agent)
	case r.Run < s.spec.FirstRun || r.Run >= s.spec.FirstRun+s.spec.Runs:
		return fmt.Errorf("run %d is not in the spec", r.Run)
	case r.Episode != d.episodes+1 || r.Episode > s.spec.Episodes:
		return fmt.Errorf("episode %d of %q in run %d is out of order; episode %d is next", r.Episode, r.Agent, r.Run, d.episodes+1)
	}
	s.graphs[key] = d
	d.add(s.spec, r)
	s.records++
	s.optimal[r.Run] = r.Optimal
	s.sums[key] += r.Regret
	for _, m := range Measures() {
		value, ok := m.of(r, s.sums[key])
		if !ok {
			continue
		}
		c := curve{r.Agent, m}
		for len(s.curves[c]) < r.Episode {
			s.curves[c] = append(s.curves[c], nil)
		}
		s.curves[c][r.Episode-1] = append(s.curves[c][r.Episode-1], value)
	}
	return nil
}

// Records returns how many records were added.
func (s *Summary) Records() int { return s.records }

// Row is the mean of a measure over runs with its 95% confidence interval
// mean ± t(0.975, n−1)·sd/√n; Lo and Hi are NaN for n = 1.
type Row struct {
	Agent        string
	Episode      int
	Mean, Lo, Hi float64
	N            int
}

// Rows returns the curve of every agent, by agent in the spec's order, then by
// episode. Agents without the measure have no rows.
func (s *Summary) Rows(of Measure) []Row {
	var rows []Row
	for _, label := range s.spec.Agents {
		for k, values := range s.curves[curve{label, of}] {
			mean, lo, hi := Interval(values)
			rows = append(rows, Row{label, k + 1, mean, lo, hi, len(values)})
		}
	}
	return rows
}

// Interval returns the mean of the values and its 95% confidence interval by
// Student's t, NaN for one value.
func Interval(values []float64) (mean, lo, hi float64) {
	n := float64(len(values))
	if len(values) == 1 {
		return values[0], math.NaN(), math.NaN()
	}
	mean, sd := stat.MeanStdDev(values, nil)
	half := studentT(len(values)-1) * sd / math.Sqrt(n)
	return mean, mean - half, mean + half
}

// studentT returns the 0.975 quantile of Student's t.
func studentT(freedom int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile(0.975)
}

// Conclusion says in one sentence what the cumulative regrets show.
func (s *Summary) Conclusion() string {
	var last []Row
	for _, r := range s.Rows(CumulativeRegret) {
		if len(last) > 0 && last[len(last)-1].Agent == r.Agent {
			last[len(last)-1] = r
		} else {
			last = append(last, r)
		}
	}
	if len(last) == 0 {
		return "There are no results yet."
	}
	base := last[0]
	for _, r := range last {
		if r.Agent == "psrl" {
			base = r
		}
	}
	parts := make([]string, 0, len(last))
	for _, r := range last {
		text := fmt.Sprintf("%s %s", AgentName(r.Agent), figure(r.Mean))
		if r.N > 1 {
			text += fmt.Sprintf(" ± %s", figure(r.Hi-r.Mean))
		}
		if r.Agent != base.Agent && base.Mean > 0 {
			text += fmt.Sprintf(" (%.0f%% of %s)", 100*r.Mean/base.Mean, AgentName(base.Agent))
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("Cumulative regret after %s, mean%s over %s: %s.",
		count(base.Episode, "episode"), map[bool]string{true: " ± 95% c.i."}[base.N > 1], count(base.N, "run"), strings.Join(parts, ", "))
}

// figure prints three significant digits.
func figure(v float64) string {
	if math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// AgentName is how an agent's label reads in a figure: "C-PSRL (η = 1)".
func AgentName(label string) string {
	a, err := record.ParseAgent(label)
	if err != nil {
		return label
	}
	name := strings.ToUpper(a.Algorithm)
	if a.Eta >= 0 {
		return fmt.Sprintf("%s (η = %d)", name, a.Eta)
	}
	if a.Prior {
		return name + " on G₀"
	}
	return name
}

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

func (d *discovered) add(spec *record.Spec, r *record.Record) {
	d.episodes++
	if r.Belief == nil {
		return
	}
	if r.Belief.Superset {
		d.supersets++
	}
	// Reservoir sampling: after k episodes each is kept with probability 1/k.
	// One stream an episode, so that the draw does not depend on what else ran.
	if stream(spec.Seed, r.Run, fmt.Sprintf("%s discovery %d", r.Agent, d.episodes)).IntN(d.episodes) == 0 {
		d.drawn = r.Belief
	}
	d.last = r.Belief
}

// Discovery returns the report for every agent that samples graphs.
func (s *Summary) Discovery() []Discovery {
	var reports []Discovery
	for _, label := range s.spec.Agents {
		d := Discovery{Agent: label}
		supersets := 0
		var drawn, best []bigraph.Scores
		for run := s.spec.FirstRun; run < s.spec.FirstRun+s.spec.Runs; run++ {
			g := s.graphs[playKey{run, label}]
			if g == nil || g.last == nil {
				continue
			}
			d.Runs++
			d.Episodes += g.episodes
			supersets += g.supersets
			drawn = append(drawn, bigraph.Scores{Superset: g.drawn.Superset, Recall: g.drawn.Recall, Precision: g.drawn.Precision, Parents: g.drawn.Parents})
			if scores, err := scoreBest(s.spec, run, g.last); err == nil {
				best = append(best, scores)
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

// scoreBest compares the most probable graph with the true one, which the spec
// and the run determine.
func scoreBest(spec *record.Spec, run int, b *record.Belief) (bigraph.Scores, error) {
	in, err := Problem(spec, run)
	if err != nil {
		return bigraph.Scores{}, err
	}
	best, err := b.Best.Bigraph(in.Model.X())
	if err != nil || len(best) != in.Model.Y() {
		return bigraph.Scores{}, fmt.Errorf("a graph of another problem")
	}
	return bigraph.Compare(best, in.Model.Graph(), in.Model.Trivial()), nil
}

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
	n := float64(len(list))
	m.Superset /= n
	m.Recall /= n
	m.Precision /= n
	m.Parents /= n
	return m
}
