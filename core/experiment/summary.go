package experiment

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"cpsrl/core/bigraph"
	"cpsrl/core/posterior"
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

// Definition says in one sentence what the measure is.
func (m Measure) Definition() string {
	switch m {
	case CumulativeRegret:
		return "Cumulative regret is V_*(π_*) − V_*(π_l) summed over the episodes l ≤ k, exact by dynamic programming."
	case Regret:
		return "Regret is V_*(π_*) − V_*(π_k), exact by dynamic programming."
	case ModelError:
		return "Model error is the mean over x of the ℓ_1 distance of p_*(·|x) and p_k(·|x), over joint next states."
	case Recall:
		return "Recall is the share of the edges of z_* that are in the sampled graph z_k."
	case Precision:
		return "Precision is the share of the edges of the sampled graph z_k that are in z_*."
	}
	return "Parents are counted in the sampled graph z_k and averaged over its variables."
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
	plays   map[playKey]*played
}

type playKey struct {
	run   int
	agent string
}

// played is what a summary keeps of one agent in one run.
type played struct {
	episodes int
	measures map[Measure][]float64 // by episode; of all episodes, or absent
	graphs   discovered
}

// NewSummary returns the summary of no records of that spec.
func NewSummary(spec *record.Spec) *Summary {
	return &Summary{spec: spec, plays: map[playKey]*played{}}
}

// Add takes one record. The episodes of one agent in one run come in their
// order; a record out of place, or one that lacks what the agent's other records
// have, is an error and changes nothing.
func (s *Summary) Add(r *record.Record) error {
	key := playKey{r.Run, r.Agent}
	p := s.plays[key]
	if p == nil {
		p = &played{measures: map[Measure][]float64{}}
	}
	switch {
	case !slices.Contains(s.spec.Agents, r.Agent):
		return fmt.Errorf("the agent %q is not in the spec", r.Agent)
	case r.Run < s.spec.FirstRun || r.Run >= s.spec.FirstRun+s.spec.Runs:
		return fmt.Errorf("run %d is not in the spec", r.Run)
	case r.Episode != p.episodes+1 || r.Episode > s.spec.Episodes:
		return fmt.Errorf("episode %d of %q in run %d is out of order; episode %d is next", r.Episode, r.Agent, r.Run, p.episodes+1)
	}
	cumulative := r.Regret
	if past := p.measures[CumulativeRegret]; len(past) > 0 {
		cumulative += past[len(past)-1]
	}
	for _, m := range []Measure{ModelError, Recall} {
		_, has := m.of(r, cumulative)
		if _, had := p.measures[m]; p.episodes > 0 && had != has {
			return fmt.Errorf("episode %d of %q in run %d differs from those before it in whether it has a %s", r.Episode, r.Agent, r.Run, m)
		}
	}
	for _, m := range Measures() {
		if value, has := m.of(r, cumulative); has {
			p.measures[m] = append(p.measures[m], value)
		}
	}
	s.plays[key] = p
	s.records++
	p.episodes++
	p.graphs.add(s.spec, r)
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
		var curves [][]float64
		for run := range s.runs() {
			if p := s.plays[playKey{run, label}]; p != nil && len(p.measures[of]) > 0 {
				curves = append(curves, p.measures[of])
			}
		}
		rows = appendRows(rows, label, curves)
	}
	return rows
}

// runs yields the runs of the spec in their order.
func (s *Summary) runs() iter.Seq[int] {
	return func(yield func(int) bool) {
		for run := s.spec.FirstRun; run < s.spec.FirstRun+s.spec.Runs && yield(run); run++ {
		}
	}
}

// appendRows appends the means of curves, one for each run, episode by episode.
func appendRows(rows []Row, agent string, curves [][]float64) []Row {
	var values []float64
	n, t := 0, 0.0
	for k := 0; ; k++ {
		values = values[:0]
		for _, c := range curves {
			if k < len(c) {
				values = append(values, c[k])
			}
		}
		if len(values) == 0 {
			return rows
		}
		if len(values) != n { // a quantile takes as long as the sums of a hundred runs
			n, t = len(values), quantile(len(values)-1)
		}
		mean, lo, hi := interval(values, t)
		rows = append(rows, Row{agent, k + 1, mean, lo, hi, len(values)})
	}
}

// Pair is two agents to compare by run: Agent − Base.
type Pair struct{ Agent, Base string }

// DefaultPair returns C-PSRL and PSRL; without PSRL, F-PSRL. It returns false if
// the spec has no such pair.
func DefaultPair(spec *record.Spec) (Pair, bool) {
	first := func(algorithm string) string {
		for _, label := range spec.Agents {
			if a, err := record.ParseAgent(label); err == nil && a.Algorithm == algorithm {
				return label
			}
		}
		return ""
	}
	p := Pair{first("c-psrl"), first("psrl")}
	if p.Base == "" {
		p.Base = first("f-psrl")
	}
	return p, p.Agent != "" && p.Base != ""
}

// Paired returns the curve of the difference of two agents, taken run by run:
// both have met the same true model. Runs that only one has played do not count.
// Without the measure there are no rows.
func (s *Summary) Paired(of Measure, pair Pair) []Row {
	var curves [][]float64
	for run := range s.runs() {
		a, b := s.plays[playKey{run, pair.Agent}], s.plays[playKey{run, pair.Base}]
		if a == nil || b == nil {
			continue
		}
		x, y := a.measures[of], b.measures[of]
		n := min(len(x), len(y))
		if n == 0 {
			continue
		}
		differences := make([]float64, n)
		for k := range differences {
			differences[k] = x[k] - y[k]
		}
		curves = append(curves, differences)
	}
	return appendRows(nil, pair.Agent, curves)
}

// Interval returns the mean of the values and its 95% confidence interval
// mean ± t(0.975, n−1)·sd/√n by Student's t, NaN for one value.
func Interval(values []float64) (mean, lo, hi float64) {
	return interval(values, quantile(len(values)-1))
}

// interval is Interval with the quantile at hand. (gonum's stat does the same
// sums, and is the oracle in the test; it would add 30 KB to every tab.)
func interval(values []float64, quantile float64) (mean, lo, hi float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v
	}
	mean /= n
	if len(values) == 1 {
		return mean, math.NaN(), math.NaN()
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	half := quantile * math.Sqrt(squares/(n-1)/n)
	return mean, mean - half, mean + half
}

// quantile returns the 0.975 quantile of Student's t with ν degrees of freedom,
// √(ν(1/x − 1)) where x is the 0.05 quantile of the Beta(ν/2, 1/2) law.
func quantile(freedom int) float64 {
	if freedom < 1 {
		return math.NaN()
	}
	nu := float64(freedom)
	return math.Sqrt(nu * (1/mathext.InvRegIncBeta(nu/2, 0.5, 0.05) - 1))
}

// lastRows returns the last row of every agent.
func lastRows(rows []Row) []Row {
	var last []Row
	for _, r := range rows {
		if len(last) > 0 && last[len(last)-1].Agent == r.Agent {
			last[len(last)-1] = r
		} else {
			last = append(last, r)
		}
	}
	return last
}

// Conclusion says in one sentence what the cumulative regrets show.
func (s *Summary) Conclusion() string {
	if s.records == 0 {
		return "There are no results yet."
	}
	return Conclude(CumulativeRegret, s.Rows(CumulativeRegret))
}

// Conclude says in one sentence what the rows of a measure show; nothing if there
// are none.
func Conclude(of Measure, rows []Row) string {
	last := lastRows(rows)
	if len(last) == 0 {
		return ""
	}
	base := last[0]
	for _, r := range last {
		if r.Agent == "psrl" {
			base = r
		}
	}
	parts := make([]string, 0, len(last))
	for _, r := range last {
		text := AgentName(r.Agent) + " " + band(r)
		if of == CumulativeRegret && r.Agent != base.Agent && base.Mean > 0 {
			text += fmt.Sprintf(" (%.0f%% of %s)", 100*r.Mean/base.Mean, AgentName(base.Agent))
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%s %s: %s.", of.noun(), after(base), strings.Join(parts, ", "))
}

// ConcludePair says in one sentence what the difference of two agents shows;
// nothing if there are no rows.
func ConcludePair(of Measure, pair Pair, rows []Row) string {
	last := lastRows(rows)
	if len(last) == 0 {
		return ""
	}
	r := last[0]
	verdict := ""
	switch {
	case r.N == 1: // one run shows nothing
	case r.Hi < 0:
		verdict = "; the interval is below zero"
	case r.Lo > 0:
		verdict = "; the interval is above zero"
	default:
		verdict = "; the interval holds zero"
	}
	return fmt.Sprintf("%s %s, %s minus %s by run: %s%s.", of.noun(), after(r), AgentName(pair.Agent), AgentName(pair.Base), band(r), verdict)
}

// after says when a row is from and over what it is a mean.
func after(r Row) string {
	over := "mean"
	if r.N > 1 {
		over = "mean ± 95% c.i."
	}
	return fmt.Sprintf("after %s, %s over %s", count(r.Episode, "episode"), over, count(r.N, "run"))
}

// band prints a mean and half the width of its interval.
func band(r Row) string {
	if r.N == 1 {
		return figure(r.Mean)
	}
	return fmt.Sprintf("%s ± %s", figure(r.Mean), figure(r.Hi-r.Mean))
}

// noun is how a sentence about the measure begins.
func (m Measure) noun() string {
	switch m {
	case CumulativeRegret:
		return "Cumulative regret"
	case Regret:
		return "Regret of an episode"
	case ModelError:
		return "Model error"
	case Recall:
		return "Recall of the sampled graph"
	case Precision:
		return "Precision of the sampled graph"
	}
	return "Parents of a variable in the sampled graph"
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
	if posterior.NewNamedStream(spec.Seed, r.Run, fmt.Sprintf("%s discovery %d", r.Agent, d.episodes)).IntN(d.episodes) == 0 {
		d.drawn = r.Belief
	}
	d.last = r.Belief
}

// Discovery returns the report for every agent that samples graphs.
func (s *Summary) Discovery() []Discovery {
	var reports []Discovery
	graphs := &trueGraphs{s.spec, map[int]*trueGraph{}}
	for _, label := range s.spec.Agents {
		d := Discovery{Agent: label}
		supersets := 0
		var drawn, best []bigraph.Scores
		for run := s.spec.FirstRun; run < s.spec.FirstRun+s.spec.Runs; run++ {
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

// trueGraphs are the true graphs of the runs of a spec, which the spec determines;
// but for random FMDPs all runs have the same.
type trueGraphs struct {
	spec  *record.Spec
	known map[int]*trueGraph
}

type trueGraph struct {
	graph   bigraph.Bigraph
	dX      int
	trivial bigraph.Scope
}

// of returns the true graph of a run, or nil if there is none.
func (t *trueGraphs) of(run int) *trueGraph {
	if t.spec.Domain.Name != "random-fmdp" {
		run = t.spec.FirstRun
	}
	g, have := t.known[run]
	if !have {
		if in, err := Problem(t.spec, run); err == nil {
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
