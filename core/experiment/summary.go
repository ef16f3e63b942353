package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"cpsrl/core/arm"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// Summary computes means and confidence intervals of records over runs. Unlike records,
// these numbers may differ in their last bits between platforms.
type Summary struct {
	*Experiment
	added int
	plays map[playKey]*played
}

type playKey struct {
	run   int
	agent string
}

// played is what a summary keeps of one agent in one run.
type played struct {
	episodes int
	measures map[*Measure][]float64 // one value for each episode; absent if the agent lacks the measure
	graphs   discovered
	optimal  float64 // V_*(π_*)
	bits     float64 // entropy per Y variable of the belief after the last episode
	weighs   bool    // whether that entropy was ever above 0
}

// Summary returns a summary of no records.
func (e *Experiment) Summary() *Summary { return &Summary{e, 0, map[playKey]*played{}} }

// Add adds one record. The episodes of one agent in one run must come in their
// order. It returns an error if the record is out of order, is not of this experiment, or
// does not have the same measures as the agent's earlier records of the run. Then the
// summary does not change.
func (s *Summary) Add(r *record.Record) error {
	key := playKey{r.Run, r.Agent}
	p := s.plays[key]
	if p == nil {
		p = &played{measures: map[*Measure][]float64{}}
	}
	switch {
	case !slices.Contains(s.spec.Agents, r.Agent):
		return fmt.Errorf("the agent %q is not in the spec", r.Agent)
	case r.Run < s.spec.FirstRun || r.Run >= s.spec.FirstRun+s.spec.Runs:
		return fmt.Errorf("run %d is not in the spec", r.Run)
	case r.Episode != p.episodes+1 || r.Episode > s.spec.Episodes:
		return fmt.Errorf("episode %d of %q in run %d is out of order; episode %d is next", r.Episode, r.Agent, r.Run, p.episodes+1)
	}
	all := Measures()
	for _, m := range all {
		_, has := m.Of(r)
		if _, had := p.measures[m]; p.episodes > 0 && had != has {
			return fmt.Errorf("episode %d of %q in run %d differs from those before it in whether it has a %s", r.Episode, r.Agent, r.Run, m.Key)
		}
	}
	for _, m := range all {
		past := p.measures[m]
		value, has := m.Of(r)
		if m.Sums && len(past) > 0 {
			value += past[len(past)-1]
		}
		if has {
			p.measures[m] = append(past, value)
		}
	}
	s.plays[key] = p
	s.added++
	p.episodes++
	p.optimal = r.Optimal
	if r.Belief != nil && r.Belief.Updated != nil {
		p.bits = r.Belief.Entropy / float64(max(1, len(r.Belief.Best)))
		p.weighs = p.weighs || p.bits > 0
	}
	p.graphs.add(s.spec.Seed, r)
	return nil
}

// Added returns the number of records added.
func (s *Summary) Added() int { return s.added }

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
func (s *Summary) Rows(measure *Measure) []Row { return means(s.RunCurves(measure)) }

// values returns the measure of one agent in one run, by episode.
func (s *Summary) values(run int, agent string, measure *Measure) []float64 {
	if p := s.plays[playKey{run, agent}]; p != nil {
		return p.measures[measure]
	}
	return nil
}

// runs yields the runs of the spec in their order.
func (s *Summary) runs() iter.Seq[int] {
	return func(yield func(int) bool) {
		for run := s.spec.FirstRun; run < s.spec.FirstRun+s.spec.Runs && yield(run); run++ {
		}
	}
}

// means returns the means of curves, which are sorted by agent, by agent and then by episode.
func means(curves []RunCurve) []Row {
	var rows []Row
	n, t := 0, 0.0
	for at := range byEpisode(curves) {
		if len(at.values) != n { // to compute a quantile takes as long as the sums of a hundred runs
			n, t = len(at.values), quantile(len(at.values)-1)
		}
		mean, lo, hi := interval(at.values, t)
		rows = append(rows, Row{at.agent, at.episode, mean, lo, hi, n})
	}
	return rows
}

// Pair is two agents to compare by run: Agent − Base.
type Pair struct{ Agent, Base string }

// ParsePair reads "AGENT,BASE", the labels of two of the agents. The error is one sentence.
func (e *Experiment) ParsePair(text string) (p Pair, err error) {
	labels := arm.Split(text)
	if len(labels) != 2 {
		return Pair{}, fmt.Errorf("%q is not two agents", param.Clip(text))
	}
	if p.Agent, err = e.Label(labels[0]); err == nil {
		p.Base, err = e.Label(labels[1])
	}
	return p, err
}

// DefaultPair returns the first agent that is not a baseline and the first baseline of
// the highest rank: C-PSRL and PSRL or, without PSRL, F-PSRL. It returns false if
// there is no such pair.
func (e *Experiment) DefaultPair() (Pair, bool) {
	var p Pair
	rank := 0
	for k, arm := range e.arms {
		if arm.Baseline == 0 && p.Agent == "" {
			p.Agent = e.spec.Agents[k]
		}
		if arm.Baseline > rank {
			p.Base, rank = e.spec.Agents[k], arm.Baseline
		}
	}
	if p.Agent == "" || p.Base == "" {
		return Pair{}, false
	}
	return p, true
}

// NameOf returns the name of the agent with that label, or the label if there is none.
func (e *Experiment) NameOf(label string) string {
	if arm, ok := e.Arm(label); ok {
		return arm.Name()
	}
	return label
}

// Paired returns the curve of the difference of two agents, taken run by run because
// both meet the same true model in a run. It covers the runs and episodes that both have
// played. If an agent lacks the measure, there are no rows.
func (s *Summary) Paired(measure *Measure, pair Pair) []Row {
	return s.PairedWith(measure, pair, s)
}

// PairedWith is [Summary.Paired] with a base from another summary, whose experiment passes
// [Experiment.CheckPaired].
func (s *Summary) PairedWith(measure *Measure, pair Pair, other *Summary) []Row {
	return means(s.differences(measure, pair, other))
}

// differences subtracts the values of a pair's base from those of its agent, in every run and
// episode that both have. The base is an agent of the summary other. The curves are named by the
// agent.
func (s *Summary) differences(measure *Measure, pair Pair, other *Summary) []RunCurve {
	var curves []RunCurve
	for run := range s.runs() {
		x, y := s.values(run, pair.Agent, measure), other.values(run, pair.Base, measure)
		values := make([]float64, min(len(x), len(y)))
		for k := range values {
			values[k] = x[k] - y[k]
		}
		if len(values) > 0 {
			curves = append(curves, RunCurve{pair.Agent, run, values})
		}
	}
	return curves
}

// CheckPaired returns an error of one sentence unless two experiments are paired: they have
// runs in common, and each common run has the same true model in both. If ctx ends, the
// error is that of ctx.
func (e *Experiment) CheckPaired(ctx context.Context, other *Experiment) error {
	first := max(e.spec.FirstRun, other.spec.FirstRun)
	end := min(e.spec.FirstRun+e.spec.Runs, other.spec.FirstRun+other.spec.Runs)
	if first >= end {
		return errors.New("the experiments have no whole run in common, so that no difference can be taken run by run")
	}
	if bytes.Equal(problemOf(e.spec), problemOf(other.spec)) {
		return nil // a run's true model depends on nothing else
	}
	if a, b := e.spec.Domain.Kind(), other.spec.Domain.Kind(); !a.PerRun && !a.Mixes && !b.PerRun && !b.Mixes {
		end = first + 1 // all runs have the same graph and rows, and so the same model
	}
	for run := first; run < end; run++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		mine, err := e.Instance(run)
		if err != nil {
			return err
		}
		theirs, err := other.Instance(run)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(mine.Model, theirs.Model) {
			return fmt.Errorf("run %d has another true model in each experiment, so that no difference can be taken run by run", run)
		}
	}
	return nil
}

// problemOf returns the JSON of a spec without its agents and the number of its episodes and
// runs.
func problemOf(s *spec.Spec) []byte {
	of := *s
	of.Agents, of.Episodes, of.FirstRun, of.Runs = nil, 1, 0, 1
	return spec.Encode(&of)
}

// interval returns the mean of the values and its 95% confidence interval
// mean ± t·sd/√n, where t is the quantile t(0.975, n−1) of Student's law. The interval of
// one value is NaN. (gonum's stat computes the same and is the oracle of the test; it
// would add 30 KB to every tab.)
func interval(values []float64, t float64) (mean, lo, hi float64) {
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
	half := t * math.Sqrt(squares/(n-1)/n)
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

// Curves yields the rows of one agent after another.
func Curves(rows []Row) iter.Seq[[]Row] {
	return func(yield func([]Row) bool) {
		for rest := rows; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Agent == rest[0].Agent {
				n++
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// Conclusion compares the cumulative regrets of the agents in one sentence.
func (s *Summary) Conclusion() string {
	if s.added == 0 {
		return "There are no results yet."
	}
	return s.Conclude(CumulativeRegret(), s.Rows(CumulativeRegret()))
}

// Conclude says in one sentence what the rows of a measure show. Without rows it returns
// "".
func (e *Experiment) Conclude(measure *Measure, rows []Row) string {
	var last []Row // of every agent
	for curve := range Curves(rows) {
		last = append(last, curve[len(curve)-1])
	}
	if len(last) == 0 {
		return ""
	}
	base := last[0] // the first agent without factors, if there is one
	for _, r := range slices.Backward(last) {
		if arm, ok := e.Arm(r.Agent); ok && !arm.Factored {
			base = r
		}
	}
	parts := make([]string, 0, len(last))
	for _, r := range last {
		text := e.NameOf(r.Agent) + " " + band(r)
		switch {
		case r.Episode != base.Episode || r.N != base.N: // the records end before the spec does
			text += " (" + after(r) + ")"
		case measure.Sums && !measure.Signed && r.Agent != base.Agent && base.Mean > 0:
			text += fmt.Sprintf(" (%.0f%% of %s)", 100*r.Mean/base.Mean, e.NameOf(base.Agent))
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%s %s: %s.", measure.Noun, after(base), strings.Join(parts, ", "))
}

// Conclude is [Experiment.Conclude], followed by a sentence about the runs that lack the
// measure and so are not in the means, if there are any.
func (s *Summary) Conclude(measure *Measure, rows []Row) string {
	text := s.Experiment.Conclude(measure, rows)
	most, of := 0, 0
	for curve := range Curves(rows) {
		lacking, runs := 0, 0
		for run := range s.runs() {
			if p := s.plays[playKey{run, curve[0].Agent}]; p != nil {
				runs++
				if len(p.measures[measure]) == 0 {
					lacking++
				}
			}
		}
		if lacking > most {
			most, of = lacking, runs
		}
	}
	if most > 0 {
		text += fmt.Sprintf(" Runs without the measure are left out: %d of %d.", most, of)
	}
	return text
}

// ConcludePair says in one sentence what the rows of a difference of two agents show.
// Without rows it returns "".
func (e *Experiment) ConcludePair(measure *Measure, pair Pair, rows []Row) string {
	return ConcludeDifference(measure, e.NameOf(pair.Agent), e.NameOf(pair.Base), rows)
}

// ConcludeDifference is [Experiment.ConcludePair] for agents of these names.
func ConcludeDifference(measure *Measure, agent, base string, rows []Row) string {
	if len(rows) == 0 {
		return ""
	}
	r, verdict := rows[len(rows)-1], ""
	switch {
	case r.N == 1: // one run shows nothing
	case r.Hi < 0:
		verdict = "; the interval is below zero"
	case r.Lo > 0:
		verdict = "; the interval is above zero"
	default:
		verdict = "; the interval holds zero"
	}
	return fmt.Sprintf("%s %s, %s minus %s by run: %s%s.", measure.Noun, after(r), agent, base, band(r), verdict)
}

// Verdict says in plain words which of two agents pays more regret, if the measure is the cumulative regret. Else
// it returns "".
func Verdict(measure *Measure, agent, base string, rows []Row) string {
	if measure != CumulativeRegret() || len(rows) == 0 {
		return ""
	}
	r := rows[len(rows)-1]
	over := fmt.Sprintf("after %s (%s)", count(r.Episode, "episode"), count(r.N, "run"))
	less := r
	less.Mean, less.Lo, less.Hi = -r.Mean, -r.Hi, -r.Lo
	switch {
	case r.N == 1 && r.Mean == 0:
		return fmt.Sprintf("%s pays what %s pays %s.", agent, base, over)
	case r.N > 1 && r.Lo <= 0 && r.Hi >= 0:
		return fmt.Sprintf("Between %s and %s no difference can be seen: %s %s.", agent, base, band(r), over)
	case r.Mean > 0:
		return fmt.Sprintf("%s pays %s more than %s %s.", agent, band(r), base, over)
	}
	return fmt.Sprintf("%s pays %s less than %s %s.", agent, band(less), base, over)
}

// after describes a row: "after 60 episodes, mean over 4 runs".
func after(r Row) string {
	over := "mean"
	if r.N > 1 {
		over = "mean ± 95% c.i."
	}
	return fmt.Sprintf("after %s, %s over %s", count(r.Episode, "episode"), over, count(r.N, "run"))
}

// band formats a mean and half the width of its interval. The half width has two
// significant digits, and the mean has as many decimals. A width that only comes from the
// rounding of equal values is 0.
func band(r Row) string {
	if r.N == 1 {
		return figure(r.Mean)
	}
	half := r.Hi - r.Mean
	if half <= 1e-12*math.Abs(r.Mean) {
		return figure(r.Mean) + " ± 0"
	}
	// The exponent is that after rounding: 0.996 becomes 1.0.
	_, exponent, _ := strings.Cut(strconv.FormatFloat(half, 'e', 1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	decimals := max(0, 1-power)
	return fmt.Sprintf("%.*f ± %.*f", decimals, r.Mean, decimals, half)
}

// figure formats a value with three significant digits, or from ±100 on as a whole number.
func figure(v float64) string {
	if math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// count formats a number with its noun: "1 run", "2 runs".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
