package runs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"cpsrl/core/export"
	"cpsrl/core/jobs"
	"cpsrl/core/results"
	"cpsrl/core/strict"
	"cpsrl/core/sweep"
)

// ends is what the records of a setting say after their last episode.
type ends struct {
	*sweep.Setting
	finals      []results.AgentEnd // nil if the records are not there
	fingerprint string             // of the records
	err         error
}

// Table reads the ends of all settings by a measure, several files at once. If the measure is nil, it is the cumulative regret
// or, if records of a setting have no regret, the return of an episode. No records are kept. The table has a receipt if
// each shard is whole.
func (f *Folder) Table(ctx context.Context, workers int, of *results.Measure) (*export.SweepTable, error) {
	if of != nil {
		return f.table(ctx, workers, of)
	}
	t, err := f.table(ctx, workers, results.CumulativeRegret())
	if err == nil && slices.ContainsFunc(t.Rows, func(r export.SweepRow) bool { return r.Learned < 0 }) {
		returned, _ := results.LookupMeasure("return")
		return f.table(ctx, workers, returned)
	}
	return t, err
}

func (f *Folder) table(ctx context.Context, workers int, of *results.Measure) (*export.SweepTable, error) {
	t := &export.SweepTable{Sweep: f.Run.Sweep, Engine: f.Run.Engine, Measure: of}
	n := f.Run.Sweep.Len()
	all, vouched := make([]ends, n), true
	for k, of := range jobs.Each(ctx, workers, n, func(ctx context.Context, k int) ends { return f.ends(ctx, f.Run.Sweep.Setting(k), of) }) {
		if of.err != nil {
			return nil, of.err
		}
		all[k] = of
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	ids, fingerprints := make([]string, n), make([]string, n)
	for k, of := range all {
		ids[k], fingerprints[k] = of.ID, of.fingerprint
		vouched = vouched && f.vouched(of.Setting, of.finals != nil)
		m, _ := f.of(of.Setting)
		switch {
		case of.finals != nil:
		case of.Err != nil || m.impossible[of.ID]:
			t.Impossible++
		default:
			t.Missing++
		}
		for _, final := range of.finals {
			t.Rows = append(t.Rows, export.SweepRow{Setting: of.Setting, AgentEnd: final})
		}
	}
	if t.Missing == 0 && vouched {
		t.Receipt = sweep.Receipt(t.Engine, ids, fingerprints)
	}
	if len(t.Rows) == 0 {
		return nil, strict.Input(f.files.Name(""), "no setting of the sweep is whole; there is nothing to show")
	}
	return t, nil
}

// ends reads the records of a setting, which then has no spec: it takes more room than the rest.
func (f *Folder) ends(ctx context.Context, t *sweep.Setting, of *results.Measure) (e ends) {
	e.Setting = t
	if t.Err == nil {
		e.finals, e.fingerprint, e.err = f.finals(ctx, t, of)
	}
	t.Spec = nil
	return e
}

// finals reads the records of a setting and returns their ends and their fingerprint. It returns nil if they are not there.
func (f *Folder) finals(ctx context.Context, t *sweep.Setting, of *results.Measure) (list []results.AgentEnd, fingerprint string, err error) {
	name, sum := f.name(t), sha256.New()
	file, err := f.files.Open(recordsFile(t), aRecordsFile)
	if file == nil || err != nil {
		return nil, "", err
	}
	defer file.Close()
	reader, err := results.NewReader(io.TeeReader(file, sum))
	if err != nil {
		return nil, "", strict.Unreadable(name, aRecordsFile, err)
	}
	if !f.holds(reader.Header, t) {
		return nil, "", strict.Input(name, other)
	}
	finals := results.NewAgentEnds(reader.Experiment, of)
	for line, err := range reader.All() {
		if err == nil {
			err = finals.Add(line.Record)
		}
		if err != nil {
			return nil, "", strict.Unreadable(name, aRecordsFile, err)
		}
		if line.Number%1000 == 0 && ctx.Err() != nil {
			return nil, "", context.Cause(ctx)
		}
	}
	if !reader.Whole() {
		return nil, "", strict.Input(name, `the file is not whole; "cpsrl sweep" computes it again`)
	}
	if hash := f.hash(t); hash != "" && hash != hex.EncodeToString(sum.Sum(nil)) {
		// Only what is written in another way is still what the manifest names.
		if is := f.find(ctx, t); is.err != nil || is.wrong != "" {
			_, manifest := f.of(t)
			return nil, "", cmp.Or(is.err, strict.Input(name, `the file is damaged: its SHA-256 is not that in %s; "cpsrl sweep" computes it again`, manifest))
		}
	}
	return finals.All(), reader.Fingerprint(), nil
}
