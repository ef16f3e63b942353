// Package results reads the records of an experiment and says what they show: means and
// intervals, quantiles, endings, paired differences, the discovery of the graph, and sentences.
// A measure is a row of [Measures].
//
// # Goroutines and memory
//
// A [Reader] and a [Summary] belong to one goroutine at a time. Records belong to the caller. A
// Reader reuses the memory of a [Line] for the next line. A Summary keeps the graphs of the
// records added to it.
package results

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// Summary computes means and confidence intervals of records over runs. Unlike records,
// these numbers may differ in their last bits between platforms.
type Summary struct {
	Experiment *experiment.Experiment
	added      int
	plays      map[playKey]*played
	rounding   float64
	truths     truths
	// indifferent says whether every policy has the same value, once that was asked.
	indifferent *bool
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
	optimal  float64 // V_*(π_*), if valued
	valued   bool    // whether the records have it
	bits     float64 // entropy per Y variable of the belief after the last episode
	weighs   bool    // whether that entropy was ever above 0
}

// NewSummary returns a summary of no records of an experiment.
func NewSummary(e *experiment.Experiment) *Summary {
	return &Summary{Experiment: e, plays: map[playKey]*played{}, rounding: e.Rounding(), truths: newTruths(e)}
}

// Empty returns a summary of no records of the same experiment, which shares what is known of its true models.
func (s *Summary) Empty() *Summary {
	empty := NewSummary(s.Experiment)
	empty.truths = s.truths
	return empty
}

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
	case !slices.Contains(s.Experiment.Spec().Agents, r.Agent):
		return fmt.Errorf("the agent %q is not in the spec", r.Agent)
	case r.Run < s.Experiment.Spec().FirstRun || r.Run >= s.Experiment.Spec().FirstRun+s.Experiment.Spec().Runs:
		return fmt.Errorf("run %d is not in the spec", r.Run)
	case r.Episode != p.episodes+1 || r.Episode > s.Experiment.Spec().Episodes:
		return fmt.Errorf("episode %d of %q in run %d is out of order; episode %d is next", r.Episode, r.Agent, r.Run, p.episodes+1)
	}
	ends := len(s.Experiment.Ends())
	all := slices.DeleteFunc(slices.Clone(Measures()), func(m *Measure) bool { return m.End > ends })
	truth := s.truths.of(r.Run)
	for _, m := range all {
		_, has := m.Of(r, truth)
		if _, had := p.measures[m]; p.episodes > 0 && had != has {
			return fmt.Errorf("episode %d of %q in run %d differs from those before it in whether it has a %s", r.Episode, r.Agent, r.Run, m.Key)
		}
	}
	for _, m := range all {
		past := p.measures[m]
		value, has := m.valueIn(r, truth, s.rounding)
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
	if r.Valued != nil {
		p.optimal, p.valued = r.Optimal, true
	}
	if r.Belief != nil && r.Belief.Updated != nil {
		p.bits = r.Belief.Entropy / float64(max(1, len(r.Belief.Best)))
		p.weighs = p.weighs || p.bits > 0
	}
	p.graphs.add(s.Experiment.Spec().Seed, r)
	return nil
}

// Truth returns the true model of a run, as measures are given it.
func (s *Summary) Truth(run int) *Truth { return s.truths.of(run) }

// Added returns the number of records added.
func (s *Summary) Added() int { return s.added }

// Curves returns the means of a measure over runs, by agent in the spec's order. Agents without
// the measure have no curve.
func (s *Summary) Curves(measure *Measure) []curve.Curve { return curve.Means(s.RunCurves(measure)) }

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
		for run := s.Experiment.Spec().FirstRun; run < s.Experiment.Spec().FirstRun+s.Experiment.Spec().Runs && yield(run); run++ {
		}
	}
}

// Paired returns the curve of the difference of two agents, taken run by run because
// both meet the same true model in a run. It covers the runs and episodes that both have
// played. If an agent lacks the measure, there are no points. The base is in the summary other,
// whose experiment passes [experiment.Experiment.CheckPaired].
func (s *Summary) Paired(measure *Measure, pair experiment.Pair, other *Summary) curve.Curve {
	c := curve.Curve{Agent: pair.Agent, Base: pair.Base}
	for _, means := range curve.Means(s.PairedRunCurves(measure, pair, other)) {
		c.Points = means.Points
	}
	return c
}

// Conclusion compares the agents by the default measure in one sentence.
func (s *Summary) Conclusion() string {
	if s.added == 0 {
		return "There are no results yet."
	}
	of := Default(s.Experiment)
	return s.Conclude(of, s.Curves(of))
}

// Conclude says in one sentence what the curves of a measure of an experiment show. Without
// curves it returns "".
func Conclude(e *experiment.Experiment, measure *Measure, curves []curve.Curve) string {
	if len(curves) == 0 {
		return ""
	}
	first := curves[0] // the first agent without factors, if there is one
	for _, c := range slices.Backward(curves) {
		if arm, ok := e.Arm(c.Agent); ok && !arm.Factored {
			first = c
		}
	}
	base := first.Last()
	parts := make([]string, 0, len(curves))
	for _, c := range curves {
		p := c.Last()
		text := e.NameOf(c.Agent) + " " + band(p)
		switch {
		case p.Episode != base.Episode || p.N != base.N: // the records end before the spec does
			text += " (" + after(p) + ")"
		case measure.Sums && !measure.Signed && measure.End == 0 && c.Agent != first.Agent && base.Mean > 0:
			text += fmt.Sprintf(" (%.0f%% of %s)", 100*p.Mean/base.Mean, e.NameOf(first.Agent))
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%s %s: %s.", measure.nounIn(e), after(base), strings.Join(parts, ", "))
}

// Conclude is the function [Conclude], followed by a sentence about the runs that lack the
// measure and so are not in the means, if there are any.
func (s *Summary) Conclude(measure *Measure, curves []curve.Curve) string {
	text := Conclude(s.Experiment, measure, curves)
	most, of := 0, 0
	for _, c := range curves {
		lacking, runs := 0, 0
		for run := range s.runs() {
			if p := s.plays[playKey{run, c.Agent}]; p != nil {
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
	if measure == CumulativeRegret() && s.pointless(curves) {
		text += " Every policy pays the same here: change what a step pays."
	}
	if caveat := s.Experiment.Caveat(); caveat != "" && text != "" {
		text += " " + caveat
	}
	return text
}

// pointless reports whether curves of regret are 0 because every policy has the same value.
func (s *Summary) pointless(curves []curve.Curve) bool {
	for _, c := range curves {
		if p := c.Last(); p.Mean != 0 {
			return false
		}
	}
	if len(curves) > 0 && s.indifferent == nil {
		s.indifferent = new(s.Experiment.Indifferent())
	}
	return len(curves) > 0 && *s.indifferent
}

// ConcludePair says in one sentence what the difference of two agents of an experiment shows.
// Without points it returns "".
func ConcludePair(e *experiment.Experiment, measure *Measure, difference curve.Curve) string {
	return ConcludeDifference(measure, e.NameOf(difference.Agent), e.NameOf(difference.Base), difference)
}

// ConcludeDifference is [ConcludePair] for agents of these names.
func ConcludeDifference(measure *Measure, agent, base string, difference curve.Curve) string {
	if len(difference.Points) == 0 {
		return ""
	}
	r := difference.Last()
	return fmt.Sprintf("%s %s, %s minus %s by run: %s%s.", measure.Noun, after(r), agent, base, band(r), verdictOf(r))
}

// verdictOf says where the interval of a difference lies.
func verdictOf(r curve.Point) string {
	switch {
	case r.N == 1: // one run shows nothing
		return ""
	case r.Hi < 0:
		return "; the interval is below zero"
	case r.Lo > 0:
		return "; the interval is above zero"
	}
	return "; the interval holds zero"
}

// Verdict says in plain words, after the cumulative regrets of two agents or where they have none, their returns, whether one
// is more: "no difference that 20 runs can see (0.2 ± 1.3)". Of other measures it returns "".
func Verdict(e *experiment.Experiment, measure *Measure, difference curve.Curve) string {
	if measure != Default(e) || len(difference.Points) == 0 {
		return ""
	}
	r := difference.Last()
	less := r
	less.Mean, less.Lo, less.Hi = -r.Mean, -r.Hi, -r.Lo
	switch {
	case r.Mean == 0 && (r.N == 1 || r.Lo == 0 && r.Hi == 0):
		return "the same in every run"
	case r.N == 1:
		return "one run tells little"
	case r.Lo <= 0 && r.Hi >= 0:
		return fmt.Sprintf("no difference that %s can see (%s)", param.Count(r.N, "run"), band(r))
	case r.Mean > 0:
		return fmt.Sprintf("%s more, run by run", band(r))
	}
	return fmt.Sprintf("%s less, run by run", band(less))
}

// after describes a point: "after 60 episodes, mean over 4 runs".
func after(r curve.Point) string {
	over := "mean"
	if r.N > 1 {
		over = "mean ± 95% c.i."
	}
	return fmt.Sprintf("after %s, %s over %s", param.Count(r.Episode, "episode"), over, param.Count(r.N, "run"))
}

// band formats a mean and half the width of its interval. The half width has two
// significant digits, and the mean has as many decimals. A width that only comes from the
// rounding of equal values is 0.
func band(r curve.Point) string {
	if r.N == 1 {
		return digits(r.Mean)
	}
	half := r.Hi - r.Mean
	if half <= 1e-12*math.Abs(r.Mean) {
		return digits(r.Mean) + " ± 0"
	}
	// The exponent is that after rounding: 0.996 becomes 1.0.
	_, exponent, _ := strings.Cut(strconv.FormatFloat(half, 'e', 1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	decimals := max(0, 1-power)
	return fmt.Sprintf("%.*f ± %.*f", decimals, r.Mean, decimals, half)
}

// digits formats a value with three significant digits, or from ±100 on as a whole number.
func digits(v float64) string {
	if math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
