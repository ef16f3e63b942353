package engine

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
)

// Snapshot is the summary of the records so far. It counts whole runs only: an
// unfinished run is shown while it is the first, and dropped at the end.
type Snapshot struct {
	Records     int               `json:"records"` // of whole runs
	Runs        int               `json:"runs"`    // whole ones
	Final       bool              `json:"final"`
	Fingerprint string            `json:"fingerprint,omitempty"` // of the whole runs, at the end
	Conclusion  string            `json:"conclusion"`            // on cumulative regret; empty before the first whole run
	Conclusions map[string]string `json:"conclusions"`           // one sentence for each measure that there is
	Series      []Series          `json:"series"`
	// At the end, if there is a whole run:
	Paired    []Series               `json:"paired,omitempty"` // the difference of two agents by run
	Discovery []experiment.Discovery `json:"discovery,omitempty"`
}

// Series is one agent's curve of one measure. Index k is episode k+1. An agent
// without the measure has no series. With a base it is the curve of the
// difference agent − base.
type Series struct {
	Agent      string  `json:"agent"`
	Base       string  `json:"base,omitempty"`
	Measure    string  `json:"measure"`
	Mean       numbers `json:"mean"`
	Lo         numbers `json:"lo"` // null where n = 1
	Hi         numbers `json:"hi"`
	N          []int   `json:"n"`
	Conclusion string  `json:"conclusion,omitempty"` // of a difference
}

// numbers are written as JSON numbers, NaN as null: in full at the end, before
// with few digits, since there are many and the page draws them only.
type numbers struct {
	values []float64
	digits int
}

// MarshalJSONTo writes the array.
func (v numbers) MarshalJSONTo(e *jsontext.Encoder) error {
	data := []byte{'['}
	for k, x := range v.values {
		if k > 0 {
			data = append(data, ',')
		}
		data = export.AppendNumber(data, x, v.digits)
	}
	return e.WriteValue(append(data, ']'))
}

const (
	inFull  = -1
	drawing = 4
)

// snapshotTime is the least time between two snapshots; tests change it. After a
// snapshot that took long, the next waits snapshotRest times as long.
var snapshotTime = 200 * time.Millisecond

const snapshotRest = 20

func serveSummary(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	strict := query.Get("strict") == "true"
	sent, rest, begun := time.Now(), snapshotTime, false
	send := func(s *Snapshot) {
		if !begun {
			w.Header().Set("Content-Type", "application/jsonl")
			begun = true
		}
		writeJSON(w, s)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		sent = time.Now()
	}
	t, err := newTally(r.Body, strict)
	if err != nil {
		return err
	}
	pair, err := pairOf(query.Get("paired"), t.Experiment)
	if err != nil {
		return err
	}
	for line, err := range t.All() {
		if err == nil {
			err = t.add(line)
		}
		if err != nil && begun {
			panic(http.ErrAbortHandler) // too late for a status: the stream is cut off
		}
		if err != nil {
			return err
		}
		// Of a file that may yet be refused nothing is shown.
		if now := time.Now(); t.changed && !strict && now.Sub(sent) >= rest {
			send(t.snapshot(false))
			rest = max(snapshotTime, snapshotRest*sent.Sub(now))
		}
	}
	s := t.snapshot(true)
	t.conclude(s, pair)
	send(s)
	return nil
}

// tally counts records by whole runs.
type tally struct {
	*experiment.Reader
	summary *experiment.Summary // of whole runs
	changed bool                // since the last snapshot
}

// newTally reads the header of records of this engine version, in the order run,
// agent, episode. Strict, they are anyone's: the experiment must be able to run,
// and the last line is whole; else they are the engine's own, and a last line
// that was torn off is passed over.
func newTally(body io.Reader, strict bool) (*tally, error) {
	reader, err := experiment.NewReader(body)
	if err != nil {
		return nil, inHeader(err)
	}
	if engine := reader.Header.Engine; engine != record.Engine {
		return nil, refuse(http.StatusBadRequest, "/engine", "the records are of engine version %d; this is version %d", engine, record.Engine)
	}
	if strict {
		if err := reader.Ready(); err != nil {
			return nil, within("/spec", err)
		}
	}
	reader.Ordered, reader.DropTorn = true, !strict
	return &tally{reader, reader.Summary(), false}, nil
}

// inHeader leaves out that the header is the first line.
func inHeader(err error) error {
	var line *experiment.LineError
	if errors.As(err, &line) {
		return line.Err
	}
	return err
}

// add counts a record.
func (t *tally) add(line *experiment.Line) error {
	t.changed = t.changed || t.Runs() == 0
	if line.Run == nil {
		return nil
	}
	t.changed = true
	if err := addAll(t.summary, line.Run); err != nil {
		return &experiment.LineError{Number: line.Number, Err: err}
	}
	return nil
}

func addAll(s *experiment.Summary, records []*record.Record) error {
	for _, rec := range records {
		if err := s.Add(rec); err != nil {
			return err
		}
	}
	return nil
}

func (t *tally) snapshot(final bool) *Snapshot {
	t.changed = false
	s := &Snapshot{
		Records: t.Runs() * t.PerRun(), Runs: t.Runs(), Final: final,
		Conclusions: map[string]string{}, Series: []Series{},
	}
	if final {
		s.Fingerprint = t.Fingerprint()
	}
	summary, digits := t.summary, drawing
	switch {
	case final && t.Runs() == 0:
		return s
	case final:
		digits = inFull
	case t.Runs() == 0:
		summary = t.Summary()
		_ = addAll(summary, t.Pending()) // what is wrong is refused with the whole run
	}
	for _, measure := range experiment.Measures() {
		rows := summary.Rows(measure)
		s.Series = appendSeries(s.Series, measure, rows, digits)
		if t.Runs() > 0 && len(rows) > 0 {
			s.Conclusions[measure.Key] = t.Conclude(measure, rows)
		}
	}
	s.Conclusion = s.Conclusions[experiment.CumulativeRegret().Key]
	return s
}

// conclude adds what only the last snapshot carries.
func (t *tally) conclude(s *Snapshot, pair experiment.Pair) {
	s.Discovery = t.summary.Discovery()
	if pair.Agent == "" {
		return
	}
	for _, measure := range experiment.Measures() {
		rows := t.summary.Paired(measure, pair)
		first := len(s.Paired)
		s.Paired = appendSeries(s.Paired, measure, rows, inFull)
		for k := range s.Paired[first:] {
			d := &s.Paired[first+k]
			d.Base, d.Conclusion = pair.Base, t.ConcludePair(measure, pair, rows)
		}
	}
}

// appendSeries appends one series for each agent of the rows.
func appendSeries(list []Series, measure *experiment.Measure, rows []experiment.Row, digits int) []Series {
	first := len(list)
	for _, row := range rows {
		if len(list) == first || list[len(list)-1].Agent != row.Agent {
			none := numbers{digits: digits}
			list = append(list, Series{Agent: row.Agent, Measure: measure.Key, Mean: none, Lo: none, Hi: none})
		}
		s := &list[len(list)-1]
		s.Mean.values, s.Lo.values, s.Hi.values = append(s.Mean.values, row.Mean), append(s.Lo.values, row.Lo), append(s.Hi.values, row.Hi)
		s.N = append(s.N, row.N)
	}
	return list
}
