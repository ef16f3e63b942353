package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"

	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/sweep"
)

// SweepRow is one agent in one setting of a sweep.
type SweepRow struct {
	Setting *sweep.Setting
	results.Final
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
	b := fmt.Appendf(nil, "# %s after the last episode: lo and hi are the 95%% confidence interval %s; learned: the runs that have learned\n# %s\n# engine %d\n",
		t.Measure.Key, interval, t.Measure.Definition, t.Engine)
	if t.Missing > 0 {
		b = fmt.Appendf(b, "# incomplete: %d of %d settings are not there\n", t.Missing, t.Sweep.Len())
	}
	if t.Impossible > 0 {
		b = fmt.Appendf(b, "# left out: %d of %d settings cannot run\n", t.Impossible, t.Sweep.Len())
	}
	if t.Receipt != nil {
		b = fmt.Appendf(b, "# receipt %s\n", t.Receipt)
	}
	b = fmt.Appendf(b, "# sweep %s\n", t.Sweep.Encode())
	buffer := bytes.NewBuffer(b)
	w := csv.NewWriter(buffer) // writing to a buffer does not fail
	w.Write(append(t.Sweep.Columns(), "agent", "measure", "mean", "lo", "hi", "n", "learned"))
	text := func(v float64, has bool) string {
		if !has || math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, r := range t.Rows {
		p, has := r.Point, r.Point.N > 0
		w.Write(append(slices.Clone(r.Setting.Texts), r.Agent, t.Measure.Key, text(p.Mean, has), text(p.Lo, has), text(p.Hi, has), strconv.Itoa(p.N), strconv.Itoa(r.Learned)))
	}
	w.Flush()
	return buffer.Bytes()
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
