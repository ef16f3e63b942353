// Package export writes tables, figures, graphs in other programs' languages,
// citations and command lines as text. The command and the page write the same
// bytes.
//
// [Results] and [Long] belong to one goroutine at a time; functions and the methods
// of a [Graph] may be called by several goroutines at once. Returned bytes belong to the
// caller.
package export

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/cells"
	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// Results is the summary of records with their provenance.
type Results struct {
	*results.Summary
	Engine      int    // the engine version of the records
	Fingerprint string // SHA-256 of the record lines
	Whole       bool   // whether the records are all of the experiment's, in order; the fingerprint is then a receipt
	Base        string // the address of the page, with which links begin, or ""
	// Others are the results of other programs to compare with. They are never a part of the receipt. No
	// two have a label in common.
	Others []*results.Foreign
}

// Receipt returns the receipt of the results, or nil if they are not whole.
func (r *Results) Receipt() *spec.Receipt {
	if !r.Whole {
		return nil
	}
	return &spec.Receipt{Engine: r.Engine, Fingerprint: r.Fingerprint}
}

// URL returns the link with that fragment at a base address. If base is "", it returns
// the fragment.
func URL(base, fragment string) string {
	if base == "" {
		return fragment
	}
	base, _, _ = strings.Cut(base, "#")
	return base + "#" + fragment
}

// interval describes every interval of a mean.
const interval = "mean ± t(0.975, n−1)·s/√n, Student's t over n runs"

// address returns the link of the results at the base, or "" if no link can hold them.
func (r *Results) address() string {
	link := linkOf(r.Experiment, r.Receipt())
	if link == "" {
		return ""
	}
	return URL(r.Base, link)
}

// comments returns the comment lines before a table. The first lines are what, a
// description of the table.
func (r *Results) comments(what string) []byte {
	b := cells.AppendComment(nil, fmt.Sprintf("%s\nengine %d\nfingerprint %s", what, r.Engine, r.Fingerprint))
	if n := r.Added(); n < r.Experiment.Records() {
		b = cells.AppendComment(b, fmt.Sprintf("incomplete: %d of %d records", n, r.Experiment.Records()))
	}
	if link := r.address(); link != "" {
		b = cells.AppendLink(b, "link", link)
	}
	return cells.AppendJSON(b, "spec", spec.Encode(r.Experiment.Spec()))
}

// CSV returns the curves of a measure as a table with the columns agent,
// episode, mean, lo, hi, n; lo and hi are empty for one run.
func (r *Results) CSV(of *results.Measure) []byte {
	curves := r.Curves(of)
	conclusion := r.Conclude(of, curves)
	if said := r.aboutOthers(of); said != "" {
		conclusion += "\n" + said
	}
	curves = append(curves, named(curve.Means(r.OtherRuns(of)))...)
	if warning := r.Warn(); warning != "" {
		conclusion += "\n" + warning + " What helps is in the guide, under “When an agent is trapped”."
	}
	return r.table(of.Key, of, conclusion, curves...)
}

// PairedCSV returns the difference of two agents, taken run by run, in the
// columns of CSV.
func (r *Results) PairedCSV(of *results.Measure, pair experiment.Pair) []byte {
	c := r.Paired(of, pair, r.Summary)
	what := fmt.Sprintf("%s of %s minus %s by run", of.Key, pair.Agent, pair.Base)
	return r.table(what, of, results.ConcludePair(r.Experiment, of, c), c)
}

func (r *Results) table(what string, of *results.Measure, conclusion string, curves ...curve.Curve) []byte {
	b := r.comments(fmt.Sprintf("%s: lo and hi are the 95%% confidence interval %s\n%s\n%s", what, interval, of.Definition, conclusion))
	return appendCurves(b, curves)
}

// appendCurves appends curves as a table.
func appendCurves(b []byte, curves []curve.Curve) []byte {
	t := &cells.Table{Bytes: append(b, "agent,episode,mean,lo,hi,n\n"...)}
	for _, c := range curves {
		for _, p := range c.Points {
			t.Text(c.Agent).Int(p.Episode).Number(p.Mean, p.Lo, p.Hi).Int(p.N).End()
		}
	}
	return t.Bytes
}

// Long is a table with one line for each record and every scalar measure.
type Long struct {
	Depth bool // whether the spec makes records hold the depth of the trap; set before the first record
	rows  cells.Table
	sums  map[played]float64
}

type played struct {
	run   int
	agent string
}

// longColumn is a column of a [Long]. The function of returns nil if a record lacks the number.
type longColumn struct {
	name string
	of   func(l *Long, r *record.Record) *float64
}

// longColumns are the columns after run, agent and episode. The last one is there only if records hold the depth.
var longColumns = []longColumn{
	{"optimal", ofValued(func(_ *Long, r *record.Record) float64 { return r.Optimal })},
	{"value", ofValued(func(_ *Long, r *record.Record) float64 { return r.Value })},
	{"regret", ofValued(func(_ *Long, r *record.Record) float64 { return r.Regret })},
	{"cumulative-regret", ofValued(func(l *Long, r *record.Record) float64 { return l.sums[played{r.Run, r.Agent}] })},
	{"return", func(_ *Long, r *record.Record) *float64 { return &r.Return }},
	{"model-error", func(_ *Long, r *record.Record) *float64 { return r.ModelError }},
	{"promise", func(_ *Long, r *record.Record) *float64 { return r.Promise }},
	{"superset", ofScored(func(s *record.Scored) float64 {
		if s.Superset {
			return 1
		}
		return 0
	})},
	{"recall", ofScored(func(s *record.Scored) float64 { return s.Recall })},
	{"precision", ofScored(func(s *record.Scored) float64 { return s.Precision })},
	{"parents", ofScored(func(s *record.Scored) float64 { return s.Parents })},
	{"entropy", ofBelief(func(b *record.Belief) *float64 {
		if b.Updated == nil {
			return nil // the agent has a graph and no belief about it
		}
		return &b.Entropy
	})},
	{"log-truth", ofBelief(func(b *record.Belief) *float64 { return b.LogTruth })},
	{"value-recall", ofBelief(func(b *record.Belief) *float64 { return b.ValueRecall })},
	{"depth", ofBelief(results.MeanDepth)},
}

// ofValued returns a column of what policies are worth.
func ofValued(of func(*Long, *record.Record) float64) func(*Long, *record.Record) *float64 {
	return func(l *Long, r *record.Record) *float64 {
		if r.Valued == nil {
			return nil
		}
		return new(of(l, r))
	}
}

// ofBelief returns a column of what a record says about the graph.
func ofBelief(of func(*record.Belief) *float64) func(*Long, *record.Record) *float64 {
	return func(_ *Long, r *record.Record) *float64 {
		if r.Belief == nil {
			return nil
		}
		return of(r.Belief)
	}
}

// ofScored returns a column of the graph of an agent's model.
func ofScored(of func(*record.Scored) float64) func(*Long, *record.Record) *float64 {
	return ofBelief(func(b *record.Belief) *float64 {
		if b.Scored == nil {
			return nil // the agent has a belief about the graph and plans without one
		}
		return new(of(b.Scored))
	})
}

// columns returns the columns of the table.
func (l *Long) columns() []longColumn {
	if l.Depth {
		return longColumns
	}
	return longColumns[:len(longColumns)-1]
}

// Add appends the line of a record. The episodes of one agent in one run must come in
// their order.
func (l *Long) Add(r *record.Record) {
	if l.sums == nil {
		l.sums = map[played]float64{}
	}
	if r.Valued != nil {
		l.sums[played{r.Run, r.Agent}] += r.Regret
	}
	l.rows.Int(r.Run).Text(r.Agent).Int(r.Episode)
	for _, c := range l.columns() {
		value := math.NaN()
		if v := c.of(l, r); v != nil {
			value = *v
		}
		l.rows.Number(value)
	}
	l.rows.End()
}

// CSV returns the table under the header of the results.
func (l *Long) CSV(r *Results) []byte {
	b := r.comments(`one line for each run, agent and episode; superset is 1 if the sampled graph contains the true one, entropy is of the hyper-posterior in bits`)
	t := &cells.Table{Bytes: b}
	t.Text("run", "agent", "episode")
	for _, c := range l.columns() {
		t.Text(c.name)
	}
	t.End()
	return append(t.Bytes, l.rows.Bytes...)
}

// Figure is the curves of a records file in the format cpsrl/figure, version 1, which the page
// shows before anything has run.
type Figure struct {
	Format      string            `json:"format"`
	Version     int               `json:"version"`
	Engine      int               `json:"engine"`
	Fingerprint string            `json:"fingerprint"`
	Link        string            `json:"link,omitempty"` // absent if no link can hold the experiment
	Title       string            `json:"title"`
	Runs        int               `json:"runs"`
	Regret      string            `json:"regret,omitempty"` // why the records have no regret, or ""
	Conclusion  string            `json:"conclusion"`
	Conclusions map[string]string `json:"conclusions"`
	Episodes    []int             `json:"episodes"` // the episodes that the series show
	Series      []Series          `json:"series"`
	Final       []Final           `json:"final"`
}

// Series is one agent's curve of one measure or, with a base, of the difference
// agent − base by run. An agent without the measure has no series.
type Series struct {
	Agent   string        `json:"agent"`
	Base    string        `json:"base,omitempty"`
	Measure string        `json:"measure"`
	Mean    curve.Numbers `json:"mean"`
	Lo      curve.Numbers `json:"lo"` // null if n = 1
	Hi      curve.Numbers `json:"hi"` // null if n = 1
	// A figure leaves these out:
	N          []int  `json:"n,omitempty"`
	Conclusion string `json:"conclusion,omitempty"` // of a difference
	Verdict    string `json:"verdict,omitempty"`    // of a difference of cumulative regrets, in plain words
}

// Final is the last point of a series.
type Final struct {
	Agent   string       `json:"agent"`
	Base    string       `json:"base,omitempty"`
	Measure string       `json:"measure"`
	Mean    curve.Number `json:"mean"`
	Lo      curve.Number `json:"lo"`
	Hi      curve.Number `json:"hi"`
	N       int          `json:"n"`
}

// NewSeries returns the series of a curve.
func NewSeries(measure *results.Measure, c curve.Curve) Series {
	s := Series{Agent: c.Agent, Base: c.Base, Measure: measure.Key}
	for _, p := range c.Points {
		s.Mean, s.Lo, s.Hi, s.N = append(s.Mean, p.Mean), append(s.Lo, p.Lo), append(s.Hi, p.Hi), append(s.N, p.N)
	}
	return s
}

// Round4 returns the curve with means and intervals of 4 significant digits.
func Round4(c curve.Curve) curve.Curve {
	c.Points = slices.Clone(c.Points)
	for k := range c.Points {
		for _, v := range []*float64{&c.Points[k].Mean, &c.Points[k].Lo, &c.Points[k].Hi} {
			// A value out of range becomes an infinity, which is written as null.
			*v, _ = strconv.ParseFloat(strconv.FormatFloat(*v, 'e', 3, 64), 64)
		}
	}
	return c
}

// Points is the largest number of episodes that a figure shows.
const Points = 120

// Figure returns the figure of the results: every measure, but returns only if there is no regret, and the difference of
// the default pair.
func (r *Results) Figure() *Figure {
	s := r.Experiment.Spec()
	f := &Figure{
		Format: "cpsrl/figure", Version: 1, Engine: r.Engine, Fingerprint: r.Fingerprint,
		Link: r.address(), Title: r.Experiment.Title(), Runs: s.Runs, Regret: r.Experiment.Unvalued(), Conclusion: r.Conclusion(),
		Conclusions: map[string]string{}, Episodes: thinned(s.Episodes, Points),
	}
	measures := slices.DeleteFunc(slices.Clone(results.Measures()), func(of *results.Measure) bool {
		return of.OfReturn && r.Experiment.Unvalued() == "" // regret is less noisy, and figures are to be small
	})
	for _, of := range measures {
		curves := r.Curves(of)
		if text := r.Conclude(of, curves); text != "" {
			f.Conclusions[of.Key] = text
		}
		f.add(of, curves...)
	}
	if pair, ok := r.Experiment.DefaultPair(); ok {
		for _, of := range measures {
			f.add(of, r.Paired(of, pair, r.Summary))
		}
	}
	return f
}

// add adds the curves that have points.
func (f *Figure) add(measure *results.Measure, curves ...curve.Curve) {
	for _, c := range curves {
		if len(c.Points) == 0 {
			continue
		}
		c = Round4(c)
		last, shown := c.Last(), []curve.Point(nil)
		for _, k := range f.Episodes {
			if k <= len(c.Points) { // the records may end before the spec does
				shown = append(shown, c.Points[k-1])
			}
		}
		c.Points = shown
		s := NewSeries(measure, c)
		s.N = nil
		f.Series = append(f.Series, s)
		f.Final = append(f.Final, Final{c.Agent, c.Base, measure.Key, curve.Number(last.Mean), curve.Number(last.Lo), curve.Number(last.Hi), last.N})
	}
}

// Curves returns the curves of a measure in the figure.
func (f *Figure) Curves(measure string) (curves []curve.Curve) {
	for _, s := range f.Series {
		if s.Measure != measure || s.Base != "" {
			continue
		}
		c := curve.Curve{Agent: s.Agent}
		for k, mean := range s.Mean {
			c.Points = append(c.Points, curve.Point{Episode: f.Episodes[k], Mean: mean, Lo: s.Lo[k], Hi: s.Hi[k]})
		}
		curves = append(curves, c)
	}
	return curves
}

// Default returns the measure that is shown if none is named: see [results.Default].
func (f *Figure) Default() *results.Measure {
	if f.Regret == "" {
		return results.CumulativeRegret()
	}
	of, _ := results.LookupMeasure("return")
	return of
}

// thinned returns at most n of the episodes 1 … K: the first, the last, and evenly spaced
// ones between them.
func thinned(episodes, n int) []int {
	list := make([]int, min(n, episodes))
	for k := range list {
		list[k] = 1 + k*(episodes-1)/max(len(list)-1, 1)
	}
	return list
}

// JSON returns the figure as one line.
func (f *Figure) JSON() []byte { return strict.AppendLine(nil, f) }
