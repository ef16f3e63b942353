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

	"cpsrl/core/arm"
	"cpsrl/core/curve"
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
		for run := s.spec.FirstRun; run < s.spec.FirstRun+s.spec.Runs && yield(run); run++ {
		}
	}
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
// played. If an agent lacks the measure, there are no points. The base is in the summary other,
// whose experiment passes [Experiment.CheckPaired].
func (s *Summary) Paired(measure *Measure, pair Pair, other *Summary) curve.Curve {
	c := curve.Curve{Agent: pair.Agent, Base: pair.Base}
	for _, means := range curve.Means(s.PairedRunCurves(measure, pair, other)) {
		c.Points = means.Points
	}
	return c
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

// Conclusion compares the cumulative regrets of the agents in one sentence.
func (s *Summary) Conclusion() string {
	if s.added == 0 {
		return "There are no results yet."
	}
	return s.Conclude(CumulativeRegret(), s.Curves(CumulativeRegret()))
}

// Conclude says in one sentence what the curves of a measure show. Without curves it returns
// "".
func (e *Experiment) Conclude(measure *Measure, curves []curve.Curve) string {
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
		case measure.Sums && !measure.Signed && c.Agent != first.Agent && base.Mean > 0:
			text += fmt.Sprintf(" (%.0f%% of %s)", 100*p.Mean/base.Mean, e.NameOf(first.Agent))
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%s %s: %s.", measure.Noun, after(base), strings.Join(parts, ", "))
}

// Conclude is [Experiment.Conclude], followed by a sentence about the runs that lack the
// measure and so are not in the means, if there are any.
func (s *Summary) Conclude(measure *Measure, curves []curve.Curve) string {
	text := s.Experiment.Conclude(measure, curves)
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
	return text
}

// ConcludePair says in one sentence what the difference of two agents shows.
// Without points it returns "".
func (e *Experiment) ConcludePair(measure *Measure, difference curve.Curve) string {
	return ConcludeDifference(measure, e.NameOf(difference.Agent), e.NameOf(difference.Base), difference)
}

// ConcludeDifference is [Experiment.ConcludePair] for agents of these names.
func ConcludeDifference(measure *Measure, agent, base string, difference curve.Curve) string {
	if len(difference.Points) == 0 {
		return ""
	}
	r, verdict := difference.Last(), ""
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
func Verdict(measure *Measure, agent, base string, difference curve.Curve) string {
	if measure != CumulativeRegret() || len(difference.Points) == 0 {
		return ""
	}
	r := difference.Last()
	over := fmt.Sprintf("after %s (%s)", param.Count(r.Episode, "episode"), param.Count(r.N, "run"))
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
