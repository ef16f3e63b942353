package export

import (
	"fmt"
	"math"
	"strings"

	"cpsrl/core/cells"
	"cpsrl/core/curve"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/sweep"
)

// SweepRow is one agent in one setting of a sweep.
type SweepRow struct {
	Setting *sweep.Setting
	results.AgentEnd
}

// SweepTable holds the ends of all runs of a sweep by one measure.
type SweepTable struct {
	Sweep   *sweep.Sweep
	Engine  int
	Measure *results.Measure
	Rows    []SweepRow // by setting, then agent
	// Impossible and Missing are how many settings cannot run, and how many are not there yet.
	Impossible, Missing int
	Receipt             *spec.Receipt // of the whole sweep; nil while a setting is missing
}

// CSV returns the table with a column for each field that varies and the columns agent, measure, mean, lo, hi, n
// and learned, after comment lines that begin with #. Lo and hi are empty for one run, and so are the numbers of an
// agent without the measure.
func (t *SweepTable) CSV() []byte {
	b := t.comments(fmt.Sprintf("lo and hi are the 95%% confidence interval %s; learned: the runs that have learned", interval))
	table := &cells.Table{Bytes: b}
	table.Text(t.Sweep.Columns()...).Text("agent", "measure", "mean", "lo", "hi", "n", "learned").End()
	for _, r := range t.Rows {
		p := r.Point
		if p.N == 0 {
			p.Mean, p.Lo, p.Hi = math.NaN(), math.NaN(), math.NaN()
		}
		table.Text(r.Setting.Texts...).Text(r.Agent, t.Measure.Key).Number(p.Mean, p.Lo, p.Hi).Int(p.N)
		if r.Learned < 0 { // the records do not tell
			table.Text("").End()
		} else {
			table.Int(r.Learned).End()
		}
	}
	return table.Bytes
}

// EndsCSV returns the table with a column for each field that varies and the columns agent, measure, those of
// [Results.EndsCSV], and learned, learned_lo, learned_hi: how many runs have learned, and the interval of their share by
// Clopper and Pearson. The rows must have their values.
func (t *SweepTable) EndsCSV() []byte {
	b := t.comments(fmt.Sprintf("mean with the 95%% confidence interval %s; median and interquartile mean (iqm) with %s; learned: the runs that have learned, with Clopper and Pearson's 95%% interval of their share", interval, bootstrap))
	table := &cells.Table{Bytes: b}
	table.Text(t.Sweep.Columns()...).Text("agent", "measure").Text(strings.Split(endColumns, ",")...).Text("learned", "learned_lo", "learned_hi").End()
	for _, r := range t.Rows {
		if table.Text(r.Setting.Texts...).Text(r.Agent, t.Measure.Key); len(r.Values) == 0 {
			table.Text(make([]string, 9)...).Int(0)
		} else {
			addEnd(table, curve.EndOf(r.Values))
		}
		if r.Learned < 0 {
			table.Text("", "", "").End()
			continue
		}
		_, lo, hi := curve.Share(r.Learned, r.Runs)
		table.Int(r.Learned).Text(fmt.Sprintf("%.4f", lo), fmt.Sprintf("%.4f", hi)).End()
	}
	return table.Bytes
}

// comments returns the comment lines before a table, which say what its columns are.
func (t *SweepTable) comments(columns string) []byte {
	b := cells.AppendComment(nil, fmt.Sprintf("%s after the last episode: %s\n%s\nengine %d", t.Measure.Key, columns, t.Measure.Definition, t.Engine))
	if t.Missing > 0 {
		b = cells.AppendComment(b, fmt.Sprintf("incomplete: %d of %d settings are not there", t.Missing, t.Sweep.Len()))
	}
	if t.Impossible > 0 {
		b = cells.AppendComment(b, fmt.Sprintf("left out: %d of %d settings cannot run", t.Impossible, t.Sweep.Len()))
	}
	if t.Receipt != nil {
		b = cells.AppendComment(b, fmt.Sprintf("receipt %s", t.Receipt))
	}
	return cells.AppendJSON(b, "sweep", t.Sweep.Encode())
}

// SweepCommand returns the command line that computes a sweep in a POSIX shell. If no link can hold the sweep, the
// command reads a file with its document, as a comment says.
func SweepCommand(s *sweep.Sweep) string {
	remark, data := dataFlag(s.Data())
	if link, has := sweep.EncodeLink(s, nil); has {
		return remark + "cpsrl sweep -link " + quoted(link) + data + " -o sweep"
	}
	return "# No link can hold this sweep. Save it as sweep.json first.\n" + remark + "cpsrl sweep sweep.json" + data + " -o sweep"
}
