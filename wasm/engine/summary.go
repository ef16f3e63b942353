package engine

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"cpsrl/core/export"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/strict"
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
	Learned   []Learned           `json:"learned,omitempty"`
}

// Learned says how many runs of an agent have learned.
type Learned struct {
	Agent string `json:"agent"`
	Runs  int    `json:"runs"`
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

func serveSummary(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	foreign := query.Get("strict") == "true"
	fullDuplex(w)
	lastSent, next, begun := time.Now(), pace{wait: snapshotTime}, false
	send := func(s *Snapshot) {
		w.Header().Set("Content-Type", "application/jsonl")
		w.Write(strict.AppendLine(nil, s))
		http.NewResponseController(w).Flush()
		lastSent, begun = time.Now(), true
	}
	t, err := newTally(r.Context(), r.Body, foreign)
	if err != nil {
		return err
	}
	pair, err := pairOf(query.Get("paired"), t.Experiment)
	if err != nil {
		return err
	}
	refuse := func(err error) error {
		if begun {
			panic(http.ErrAbortHandler) // it is too late for a status
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
			send(t.snapshot(false))
			next.made(lastSent.Sub(now), t.Runs())
		}
	}
	last := t.snapshot(true)
	if last.Discovery, err = t.summary.Discovery(); err != nil {
		return refuse(err)
	}
	last.Warning = t.summary.Warn()
	last.Learned = t.learned()
	for _, measure := range results.Measures() {
		if c := t.summary.Paired(measure, pair, t.summary); len(c.Points) > 0 {
			difference := export.NewSeries(measure, c)
			difference.Conclusion = results.ConcludePair(t.Experiment, measure, c)
			last.Paired = append(last.Paired, difference)
		}
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
		return nil, refuse(http.StatusBadRequest, "/engine", "the records are of engine version %d; this is version %d", engine, record.Engine)
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

// learned counts the runs that have learned, by agent.
func (t *tally) learned() (list []Learned) {
	for _, agent := range t.Experiment.Spec().Agents {
		list = append(list, Learned{Agent: agent})
	}
	for _, end := range t.summary.Endings(results.CumulativeRegret()) {
		if k := slices.IndexFunc(list, func(of Learned) bool { return of.Agent == end.Agent }); end.Learned > 0 {
			list[k].Runs++
		}
	}
	return list
}

func (t *tally) snapshot(final bool) *Snapshot {
	t.changed = false
	s := &Snapshot{
		Records: t.Runs() * t.Experiment.PerRun(), Runs: t.Runs(), Final: final,
		Conclusions: map[string]string{},
	}
	if final {
		s.Fingerprint = t.Fingerprint()
	}
	summary := t.summary
	switch {
	case final && t.Runs() == 0:
		return s
	case t.Runs() == 0:
		summary = results.NewSummary(t.Experiment)
		for _, rec := range t.Pending() {
			_ = summary.Add(rec) // add reports an error when the run is whole
		}
	}
	for _, measure := range results.Measures() {
		curves := summary.Curves(measure)
		if t.Runs() > 0 && len(curves) > 0 {
			s.Conclusions[measure.Key] = summary.Conclude(measure, curves)
		}
		for _, c := range curves {
			if !final {
				c = export.Round4(c)
			}
			s.Series = append(s.Series, export.NewSeries(measure, c))
		}
	}
	s.Conclusion = s.Conclusions[results.CumulativeRegret().Key]
	return s
}
