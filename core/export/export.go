// Package export writes what leaves the project as text: tables, figures, graphs
// in other programs' languages, citations and command lines. The command and the
// page write the same bytes.
package export

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// Results are records, summed up.
type Results struct {
	*experiment.Summary
	Engine      int    // the engine version of the records
	Fingerprint string // SHA-256 of the record lines
	Whole       bool   // they are all the experiment's, in their order: the fingerprint is a receipt
	Base        string // of a link: the address of the page, without #; may be empty
}

// Receipt returns the receipt of the results; nil if they are not whole.
func (r *Results) Receipt() *spec.Receipt {
	if !r.Whole {
		return nil
	}
	return &spec.Receipt{Engine: r.Engine, Fingerprint: r.Fingerprint}
}

// URL returns the link of that fragment below a base address; without one, the
// fragment alone.
func URL(base, fragment string) string {
	if base == "" {
		return fragment
	}
	base, _, _ = strings.Cut(base, "#")
	return base + "#" + fragment
}

// interval is the formula behind every band.
const interval = "mean ± t(0.975, n−1)·s/√n, Student's t over n runs"

// comments returns the comment lines before a table; the first says what is in
// it.
func (r *Results) comments(what string) []byte {
	b := fmt.Appendf(nil, "# %s\n", what)
	b = fmt.Appendf(b, "# engine %d\n# fingerprint %s\n", r.Engine, r.Fingerprint)
	if n := r.Added(); n < r.Records() {
		b = fmt.Appendf(b, "# incomplete: %d of %d records\n", n, r.Records())
	}
	b = fmt.Appendf(b, "# link %s\n", oneLine(URL(r.Base, r.Link(r.Receipt()))))
	return fmt.Appendf(b, "# spec %s\n", spec.Encode(r.Spec()))
}

// oneLine keeps a base address from ending a comment.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// CSV returns the curves of a measure as a table with the columns agent,
// episode, mean, lo, hi, n; lo and hi are empty for one run.
func (r *Results) CSV(of *experiment.Measure) []byte {
	rows := r.Rows(of)
	b := r.comments(fmt.Sprintf("%s: lo and hi are the 95%% confidence interval %s\n# %s\n# %s", of.Key, interval, of.Definition, r.Conclude(of, rows)))
	return appendRows(b, rows)
}

// PairedCSV returns the difference of two agents, taken run by run, in the
// columns of CSV.
func (r *Results) PairedCSV(of *experiment.Measure, pair experiment.Pair) []byte {
	rows := r.Paired(of, pair)
	b := r.comments(fmt.Sprintf("%s of %s minus %s by run: lo and hi are the 95%% confidence interval %s\n# %s\n# %s",
		of.Key, pair.Agent, pair.Base, interval, of.Definition, r.ConcludePair(of, pair, rows)))
	return appendRows(b, rows)
}

func appendRows(b []byte, rows []experiment.Row) []byte {
	b = append(b, "agent,episode,mean,lo,hi,n\n"...)
	for _, row := range rows {
		b = append(b, row.Agent...) // a label needs no quotes
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(row.Episode), 10)
		for _, v := range []float64{row.Mean, row.Lo, row.Hi} {
			b = appendCell(b, v)
		}
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(row.N), 10)
		b = append(b, '\n')
	}
	return b
}

// appendCell appends a comma and a number in full, or nothing for NaN.
func appendCell(b []byte, v float64) []byte {
	b = append(b, ',')
	if math.IsNaN(v) {
		return b
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// Long is a table with one line for each record and every scalar measure.
type Long struct {
	rows []byte
	sums map[played]float64
}

type played struct {
	run   int
	agent string
}

// Add appends the line of a record. The episodes of one agent in one run come in
// their order.
func (l *Long) Add(r *record.Record) {
	if l.sums == nil {
		l.sums = map[played]float64{}
	}
	l.sums[played{r.Run, r.Agent}] += r.Regret
	b := fmt.Appendf(l.rows, "%d,%s,%d", r.Run, r.Agent, r.Episode)
	for _, v := range []float64{r.Optimal, r.Value, r.Regret, l.sums[played{r.Run, r.Agent}], r.Return} {
		b = appendCell(b, v)
	}
	modelError := math.NaN()
	if r.ModelError != nil {
		modelError = *r.ModelError
	}
	b = appendCell(b, modelError)
	if g := r.Belief; g != nil {
		b = append(b, map[bool]string{false: ",0", true: ",1"}[g.Superset]...)
		for _, v := range []float64{g.Recall, g.Precision, g.Parents, g.Entropy} {
			b = appendCell(b, v)
		}
	} else {
		b = append(b, ",,,,,"...)
	}
	l.rows = append(b, '\n')
}

// CSV returns the table under the header of the results.
func (l *Long) CSV(r *Results) []byte {
	b := r.comments(`one line for each run, agent and episode; superset is 1 if the sampled graph contains the true one, entropy is of the hyper-posterior in bits`)
	b = append(b, "run,agent,episode,optimal,value,regret,cumulative-regret,return,model-error,superset,recall,precision,parents,entropy\n"...)
	return append(b, l.rows...)
}

// Figure is the curves of a records file as a page shows them before anything
// has run: the format cpsrl/figure.
type Figure struct {
	Format      string            `json:"format"`
	Version     int               `json:"version"`
	Engine      int               `json:"engine"`
	Fingerprint string            `json:"fingerprint"`
	Link        string            `json:"link"`
	Title       string            `json:"title"`
	Runs        int               `json:"runs"`
	Conclusion  string            `json:"conclusion"`
	Conclusions map[string]string `json:"conclusions"`
	Episodes    []int             `json:"episodes"` // those that the series show
	Series      []Series          `json:"series"`
	Final       []Final           `json:"final"`
}

// Series is one agent's curve of one measure; with a base, of the difference
// agent − base by run.
type Series struct {
	Agent   string   `json:"agent"`
	Base    string   `json:"base,omitempty"`
	Measure string   `json:"measure"`
	Mean    []Number `json:"mean"`
	Lo      []Number `json:"lo"` // null where n = 1
	Hi      []Number `json:"hi"`
}

// Final is the last point of a series.
type Final struct {
	Agent   string `json:"agent"`
	Base    string `json:"base,omitempty"`
	Measure string `json:"measure"`
	Mean    Number `json:"mean"`
	Lo      Number `json:"lo"`
	Hi      Number `json:"hi"`
	N       int    `json:"n"`
}

// Number is written with 4 significant digits, NaN as null.
type Number float64

// MarshalJSONTo implements json.MarshalerTo.
func (n Number) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(AppendNumber(nil, float64(n), 4))
}

// AppendNumber appends a JSON number of so many significant digits (−1: in
// full), or null.
func AppendNumber(b []byte, v float64, digits int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, "null"...)
	}
	if digits < 0 {
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	}
	// Through the shortest form: 1.235e+02 is longer than 123.5.
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, rounded, 'g', -1, 64)
}

// Points is how many episodes a figure shows at most.
const Points = 120

// Figure returns the figure of the results: every measure, and the difference of
// the default pair.
func (r *Results) Figure() *Figure {
	s := r.Spec()
	f := &Figure{
		Format: "cpsrl/figure", Version: 1, Engine: r.Engine, Fingerprint: r.Fingerprint,
		Link: URL(r.Base, r.Link(r.Receipt())), Title: r.Title(), Runs: s.Runs, Conclusion: r.Conclusion(),
		Conclusions: map[string]string{},
		Episodes:    thinned(s.Episodes, Points), Series: []Series{}, Final: []Final{},
	}
	for _, of := range experiment.Measures() {
		rows := r.Rows(of)
		if text := r.Conclude(of, rows); text != "" {
			f.Conclusions[of.Key] = text
		}
		f.add(of, "", rows)
	}
	if pair, ok := r.DefaultPair(); ok {
		for _, of := range experiment.Measures() {
			f.add(of, pair.Base, r.Paired(of, pair))
		}
	}
	return f
}

func (f *Figure) add(of *experiment.Measure, base string, rows []experiment.Row) {
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(row experiment.Row) bool { return row.Agent != rows[0].Agent })
		if n < 0 {
			n = len(rows)
		}
		curve, last := rows[:n], rows[n-1]
		rows = rows[n:]
		s := Series{Agent: last.Agent, Base: base, Measure: of.Key}
		for _, k := range f.Episodes {
			if k > n { // the records end before the spec does
				break
			}
			row := curve[k-1]
			s.Mean, s.Lo, s.Hi = append(s.Mean, Number(row.Mean)), append(s.Lo, Number(row.Lo)), append(s.Hi, Number(row.Hi))
		}
		f.Series = append(f.Series, s)
		f.Final = append(f.Final, Final{last.Agent, base, of.Key, Number(last.Mean), Number(last.Lo), Number(last.Hi), last.N})
	}
}

// thinned returns at most n of the episodes 1 … K, evenly, with the first and
// the last.
func thinned(episodes, n int) []int {
	if episodes <= n {
		n = episodes
	}
	list := make([]int, n)
	for k := range list {
		list[k] = 1
		if n > 1 {
			list[k] += k * (episodes - 1) / (n - 1)
		}
	}
	return list
}

// JSON returns the figure as one line.
func (f *Figure) JSON() []byte {
	data, err := json.Marshal(f, json.Deterministic(true))
	if err != nil {
		panic("export: " + err.Error())
	}
	return append(data, '\n')
}
