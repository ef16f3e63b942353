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
	b := fmt.Appendf(nil, "# %s\n# engine %d\n# fingerprint %s\n", what, r.Engine, r.Fingerprint)
	if n := r.Added(); n < r.Experiment.Records() {
		b = fmt.Appendf(b, "# incomplete: %d of %d records\n", n, r.Experiment.Records())
	}
	if link := r.address(); link != "" {
		b = fmt.Appendf(b, "# link %s\n", oneLine(link))
	}
	return fmt.Appendf(b, "# spec %s\n", spec.Encode(r.Experiment.Spec()))
}

// oneLine replaces white space, also line breaks, which would end a comment, by single
// spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// CSV returns the curves of a measure as a table with the columns agent,
// episode, mean, lo, hi, n; lo and hi are empty for one run.
func (r *Results) CSV(of *results.Measure) []byte {
	curves := r.Curves(of)
	conclusion := r.Conclude(of, curves)
	if said := r.aboutOthers(of); said != "" {
		conclusion += "\n# " + said
	}
	curves = append(curves, named(curve.Means(r.OtherRuns(of)))...)
	if warning := r.Warn(); warning != "" {
		conclusion += "\n# " + warning + " What helps is in the guide, under “When an agent is trapped”."
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
	b := r.comments(fmt.Sprintf("%s: lo and hi are the 95%% confidence interval %s\n# %s\n# %s", what, interval, of.Definition, conclusion))
	return appendCurves(b, curves)
}

// appendCurves appends curves as a table.
func appendCurves(b []byte, curves []curve.Curve) []byte {
	b = append(b, "agent,episode,mean,lo,hi,n\n"...)
	for _, c := range curves {
		for _, p := range c.Points {
			b = fmt.Appendf(b, "%s,%d", cell(c.Agent), p.Episode)
			b = fmt.Appendf(appendCells(b, p.Mean, p.Lo, p.Hi), ",%d\n", p.N)
		}
	}
	return b
}

// cell returns the cell of a label, in quotes if the label has a comma or a quote.
func cell(label string) string {
	if strings.ContainsAny(label, `,"`) {
		return `"` + strings.ReplaceAll(label, `"`, `""`) + `"`
	}
	return label
}

// appendCells appends a comma and the number in full for each value. NaN is an empty cell.
func appendCells(b []byte, values ...float64) []byte {
	for _, v := range values {
		b = append(b, ',')
		if !math.IsNaN(v) {
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		}
	}
	return b
}

// Long is a table with one line for each record and every scalar measure.
type Long struct {
	Depth bool // whether the spec makes records hold the depth of the trap; set before the first record
	rows  []byte
	sums  map[played]float64
}

type played struct {
	run   int
	agent string
}

// Add appends the line of a record. The episodes of one agent in one run must come in
// their order.
func (l *Long) Add(r *record.Record) {
	if l.sums == nil {
		l.sums = map[played]float64{}
	}
	l.sums[played{r.Run, r.Agent}] += r.Regret
	orNaN := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	graph := slices.Repeat([]float64{math.NaN()}, 7)
	if g := r.Belief; g != nil {
		graph = []float64{0, g.Recall, g.Precision, g.Parents, g.Entropy, orNaN(g.LogTruth), orNaN(g.ValueRecall)}
		if g.Superset {
			graph[0] = 1
		}
	}
	l.rows = fmt.Appendf(l.rows, "%d,%s,%d", r.Run, cell(r.Agent), r.Episode)
	l.rows = appendCells(l.rows, r.Optimal, r.Value, r.Regret, l.sums[played{r.Run, r.Agent}], r.Return, orNaN(r.ModelError), orNaN(r.Promise))
	if l.Depth {
		depth := math.NaN()
		if r.Belief != nil {
			depth = orNaN(results.MeanDepth(r.Belief))
		}
		graph = append(graph, depth)
	}
	l.rows = append(appendCells(l.rows, graph...), '\n')
}

// CSV returns the table under the header of the results.
func (l *Long) CSV(r *Results) []byte {
	b := r.comments(`one line for each run, agent and episode; superset is 1 if the sampled graph contains the true one, entropy is of the hyper-posterior in bits`)
	b = append(b, "run,agent,episode,optimal,value,regret,cumulative-regret,return,model-error,promise,superset,recall,precision,parents,entropy,log-truth,value-recall"...)
	if l.Depth {
		b = append(b, ",depth"...)
	}
	b = append(b, '\n')
	return append(b, l.rows...)
}

// Figure is the curves of a records file in the format cpsrl/figure, which the page
// shows before anything has run.
type Figure struct {
	Format      string            `json:"format"`
	Version     int               `json:"version"`
	Engine      int               `json:"engine"`
	Fingerprint string            `json:"fingerprint"`
	Link        string            `json:"link,omitempty"` // absent if no link can hold the experiment
	Title       string            `json:"title"`
	Runs        int               `json:"runs"`
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

// Figure returns the figure of the results: every measure, and the difference of
// the default pair.
func (r *Results) Figure() *Figure {
	s := r.Experiment.Spec()
	f := &Figure{
		Format: "cpsrl/figure", Version: 1, Engine: r.Engine, Fingerprint: r.Fingerprint,
		Link: r.address(), Title: r.Experiment.Title(), Runs: s.Runs, Conclusion: r.Conclusion(),
		Conclusions: map[string]string{}, Episodes: thinned(s.Episodes, Points),
	}
	for _, of := range results.Measures() {
		curves := r.Curves(of)
		if text := r.Conclude(of, curves); text != "" {
			f.Conclusions[of.Key] = text
		}
		f.add(of, curves...)
	}
	if pair, ok := r.Experiment.DefaultPair(); ok {
		for _, of := range results.Measures() {
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
