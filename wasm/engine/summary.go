package engine

import (
	"context"
	"errors"
	"io"
	"time"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// Snapshot is the summary of the records so far. It counts only whole runs; until
// the first run is whole, its series show the unfinished run.
type Snapshot struct {
	Records     int               `json:"records"` // the number of records in whole runs
	Runs        int               `json:"runs"`    // the number of whole runs
	Final       bool              `json:"final"`
	Fingerprint string            `json:"fingerprint,omitempty"` // that of the whole runs; in the last snapshot
	Conclusion  string            `json:"conclusion"`            // the one about cumulative regret; "" before the first whole run
	Conclusions map[string]string `json:"conclusions"`           // one sentence for each measure that a record has
	Warning     string            `json:"warning,omitempty"`     // a sentence for each trapped agent; in the last snapshot
	// Entry k of a series is that of episode k+1. Before the last snapshot numbers have 4
	// digits, because there are many and the page only draws them.
	Series []export.Series `json:"series"`
	// In the last snapshot, if there is a whole run:
	Paired    []export.Series     `json:"paired,omitempty"` // the difference of two agents by run
	Discovery []results.Discovery `json:"discovery,omitempty"`
	Learned   []results.Learned   `json:"learned,omitempty"`
	LearnedIn string              `json:"learnedIn,omitempty"` // one sentence on how many runs have learned
}

// snapshotTime is the least time between two snapshots. Tests change it.
var snapshotTime = 200 * time.Millisecond

// pace says when the next snapshot is due, so that snapshots do not hold up the records. The
// first wait is snapshotTime. After a snapshot that took the time t,
//
//	wait = max(snapshotTime, min(2·wait before, snapshotRest·t))
//
// A wait is at most twice the wait before, because the first snapshots may take longest: a
// browser may still compile the engine. The first whole run waits only for snapshotTime.
type pace struct {
	wait  time.Duration // between the last snapshot and the next
	whole bool          // whether the last snapshot had a whole run
}

const snapshotRest = 20

// due reports whether a snapshot is due, given the time since the last one and the number
// of whole runs.
func (p *pace) due(since time.Duration, runs int) bool {
	return since >= p.wait || !p.whole && runs > 0 && since >= snapshotTime
}

// made notes how long a snapshot took and how many whole runs it had.
func (p *pace) made(took time.Duration, runs int) {
	p.wait = max(snapshotTime, min(2*p.wait, snapshotRest*took))
	p.whole = runs > 0
}

func serveSummary(w wire.Answer, r *wire.Request) error {
	query := r.Query
	foreign := query.Get("strict") == "true"
	w.Duplex()
	lastSent, next, begun := time.Now(), pace{wait: snapshotTime}, false
	send := func(s *Snapshot) {
		if !begun {
			w.Begin(wire.Head{Status: wire.OK, Kind: "application/jsonl"})
		}
		w.Write(strict.AppendLine(nil, s))
		w.Flush()
		lastSent, begun = time.Now(), true
	}
	t, err := newTally(r.Context, r.Body, foreign)
	if err != nil {
		return err
	}
	pair, err := pairOf(query.Get("paired"), t.Experiment)
	if err != nil {
		return err
	}
	refuse := func(err error) error {
		if begun {
			panic(wire.ErrCut) // it is too late for a status
		}
		return err
	}
	for line, err := range t.All() {
		if err == nil {
			err = t.add(line)
		}
		if err != nil {
			return refuse(err)
		}
		// A foreign file may still be refused, so nothing is shown before its end.
		if now := time.Now(); t.changed && !foreign && next.due(now.Sub(lastSent), t.Runs()) {
			send(t.snapshot())
			next.made(lastSent.Sub(now), t.Runs())
		}
	}
	last, err := t.last(pair)
	if err != nil {
		return refuse(err)
	}
	send(last)
	return nil
}

// tally summarises records run by run.
type tally struct {
	*results.Reader
	summary *results.Summary // of whole runs
	changed bool             // whether a snapshot would differ from the last one
}

// newTally reads the header of records, which must be of this engine version and in
// the order run, agent, episode. Foreign records may come from anyone, and their
// experiment must be able to run. Other records come from the engine itself; a last line
// without a newline is ignored.
func newTally(ctx context.Context, body io.Reader, foreign bool) (*tally, error) {
	reader, err := results.NewReader(body)
	if line, ok := errors.AsType[*strict.LineError](err); ok {
		err = line.Err // an error in the header, whose place says more than the line
	}
	if err != nil {
		return nil, err
	}
	if engine := reader.Header.Engine; engine != record.Engine {
		return nil, refuse(wire.BadRequest, "/engine", "the records are of engine version %d; this is version %d", engine, record.Engine)
	}
	if foreign {
		if err := reader.Experiment.Ready(ctx); err != nil {
			return nil, strict.Within("/spec", err)
		}
	}
	reader.Ordered, reader.DropTorn = true, !foreign
	return &tally{reader, results.NewSummary(reader.Experiment), false}, nil
}

// add adds the run that a line ends, if it ends one.
func (t *tally) add(line *results.Line) error {
	t.changed = t.changed || t.Runs() == 0 || line.Run != nil
	for _, rec := range line.Run {
		if err := t.summary.Add(rec); err != nil {
			return &strict.LineError{Number: line.Number, Err: err}
		}
	}
	return nil
}

// snapshot returns what is known so far.
func (t *tally) snapshot() *Snapshot {
	t.changed = false
	return snapshotOf(t.summary, t.Runs(), t.Pending())
}

// last returns the last snapshot.
func (t *tally) last(pair experiment.Pair) (*Snapshot, error) {
	return lastOf(t.summary, t.Runs(), t.Fingerprint(), pair)
}

// snapshotOf returns a snapshot of a summary of whole runs. The records of an unfinished run are shown as long as
// there is no whole one.
func snapshotOf(whole *results.Summary, runs int, pending []*record.Record) *Snapshot {
	summary := whole
	if runs == 0 {
		summary = whole.Empty()
		for _, rec := range pending {
			_ = summary.Add(rec) // an error is reported when the run is whole
		}
	}
	s := startOf(summary, runs)
	for _, measure := range results.Measures() {
		s.draw(summary, measure, export.Round4)
	}
	s.Conclusion = s.Conclusions[results.Default(summary.Experiment).Key]
	return s
}

// lastOf returns the last snapshot of a summary of whole runs.
func lastOf(summary *results.Summary, runs int, fingerprint string, pair experiment.Pair) (*Snapshot, error) {
	s := startOf(summary, runs)
	s.Final, s.Fingerprint = true, fingerprint
	var err error
	if s.Discovery, err = summary.Discovery(); err != nil {
		return nil, err
	}
	s.Warning = summary.Warn()
	s.Learned, s.LearnedIn = summary.Learned(), summary.HaveLearned()
	if runs == 0 {
		return s, nil
	}
	for _, measure := range results.Measures() {
		s.draw(summary, measure, func(c curve.Curve) curve.Curve { return c })
		if c := summary.Paired(measure, pair, summary); len(c.Points) > 0 {
			difference := export.NewSeries(measure, c)
			difference.Conclusion = results.ConcludePair(summary.Experiment, measure, c)
			s.Paired = append(s.Paired, difference)
		}
	}
	s.Conclusion = s.Conclusions[results.Default(summary.Experiment).Key]
	return s, nil
}

// startOf returns a snapshot without curves.
func startOf(summary *results.Summary, runs int) *Snapshot {
	return &Snapshot{Records: runs * summary.Experiment.PerRun(), Runs: runs, Conclusions: map[string]string{}}
}

// draw appends the curves of a measure, and the sentence about those of whole runs.
func (s *Snapshot) draw(summary *results.Summary, measure *results.Measure, rounded func(curve.Curve) curve.Curve) {
	curves := summary.Curves(measure)
	if s.Runs > 0 && len(curves) > 0 {
		s.Conclusions[measure.Key] = summary.Conclude(measure, curves)
	}
	for _, c := range curves {
		s.Series = append(s.Series, export.NewSeries(measure, rounded(c)))
	}
}
