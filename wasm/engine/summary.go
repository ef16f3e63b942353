package engine

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// Snapshot is the summary of the records so far. It counts whole runs only: an
// unfinished run is shown while it is the first, and dropped at the end.
type Snapshot struct {
	Records     int      `json:"records"` // of whole runs
	Runs        int      `json:"runs"`    // whole ones
	Final       bool     `json:"final"`
	Fingerprint string   `json:"fingerprint,omitempty"` // of the whole runs, at the end
	Conclusion  string   `json:"conclusion"`            // empty before the first whole run
	Series      []Series `json:"series"`
}

// Series is one agent's curve of one measure. Index k is episode k+1. An agent
// without the measure has no series.
type Series struct {
	Agent   string             `json:"agent"`
	Measure experiment.Measure `json:"measure"`
	Mean    numbers            `json:"mean"`
	Lo      numbers            `json:"lo"` // null where n = 1
	Hi      numbers            `json:"hi"`
	N       []int              `json:"n"`
}

// numbers are written as JSON numbers, NaN as null.
type numbers []float64

// MarshalJSONTo writes the array.
func (v numbers) MarshalJSONTo(e *jsontext.Encoder) error {
	data := []byte{'['}
	for k, x := range v {
		if k > 0 {
			data = append(data, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			data = append(data, "null"...)
		} else {
			data = strconv.AppendFloat(data, x, 'g', -1, 64)
		}
	}
	return e.WriteValue(append(data, ']'))
}

// snapshotTime is the least time between two snapshots.
const snapshotTime = 200 * time.Millisecond

func serveSummary(w http.ResponseWriter, r *http.Request) error {
	lines := bufio.NewReaderSize(r.Body, 64<<10)
	line, err := lines.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return err
	}
	header, err := record.DecodeHeader(line)
	if err != nil {
		return err
	}
	if header.Engine != record.Engine {
		return problem(http.StatusBadRequest, "/engine", "the records are of engine version %d; this is version %d", header.Engine, record.Engine)
	}
	t := newTally(&header.Spec)
	sent, begun := time.Now(), false
	send := func(final bool) {
		if !begun {
			w.Header().Set("Content-Type", "application/jsonl")
			begun = true
		}
		writeJSON(w, t.snapshot(final))
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		sent = time.Now()
	}
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break // a last line without its newline was torn off
		}
		if err == nil {
			err = t.add(line)
		}
		switch {
		case err != nil && begun:
			panic(err) // too late for a status: net/http cuts the stream off
		case err != nil:
			return err
		}
		if t.changed && time.Since(sent) >= snapshotTime {
			send(false)
		}
	}
	send(true)
	return nil
}

// tally takes record lines in the order run, agent, episode and counts them by
// whole runs.
type tally struct {
	spec    *record.Spec
	whole   *experiment.Summary
	runs    int
	hash    hash.Hash
	pending []*record.Record // of the unfinished run
	bytes   []byte           // and their lines
	changed bool             // since the last snapshot
}

func newTally(spec *record.Spec) *tally {
	return &tally{spec: spec, whole: experiment.NewSummary(spec), hash: sha256.New()}
}

func (t *tally) perRun() int { return len(t.spec.Agents) * t.spec.Episodes }

func (t *tally) add(line []byte) error {
	rec, err := scores(line)
	if err != nil {
		return err
	}
	k := len(t.pending)
	run, agent, episode := t.spec.FirstRun+t.runs, t.spec.Agents[k/t.spec.Episodes], k%t.spec.Episodes+1
	if t.runs == t.spec.Runs || rec.Run != run || rec.Agent != agent || rec.Episode != episode {
		return problem(http.StatusBadRequest, "", "run %d, agent %s, episode %d is out of order; records come by run, agent and episode", rec.Run, rec.Agent, rec.Episode)
	}
	t.pending, t.bytes = append(t.pending, rec), append(t.bytes, line...)
	t.changed = t.changed || t.runs == 0
	if len(t.pending) == t.perRun() {
		if err := addAll(t.whole, t.pending); err != nil {
			return err
		}
		t.hash.Write(t.bytes)
		t.runs++
		t.pending, t.bytes, t.changed = t.pending[:0], t.bytes[:0], true
	}
	return nil
}

// scores reads what a summary needs of a record line and passes over the rest,
// six times as fast as record.DecodeRecord: the lines are the engine's own.
func scores(line []byte) (*record.Record, error) {
	var r struct {
		Run        int      `json:"run"`
		Agent      string   `json:"agent"`
		Episode    int      `json:"episode"`
		Optimal    float64  `json:"optimal"`
		Regret     float64  `json:"regret"`
		ModelError *float64 `json:"modelError"`
		Belief     *struct {
			Superset  bool         `json:"superset"`
			Recall    float64      `json:"recall"`
			Precision float64      `json:"precision"`
			Parents   float64      `json:"parents"`
			Best      record.Graph `json:"best"`
		} `json:"belief"`
	}
	if err := json.Unmarshal(line, &r, jsontext.AllowDuplicateNames(true)); err != nil {
		return nil, err
	}
	rec := &record.Record{Run: r.Run, Agent: r.Agent, Episode: r.Episode, Optimal: r.Optimal, Regret: r.Regret, ModelError: r.ModelError}
	if b := r.Belief; b != nil {
		rec.Belief = &record.Belief{Superset: b.Superset, Recall: b.Recall, Precision: b.Precision, Parents: b.Parents, Best: b.Best}
	}
	return rec, nil
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
	s := &Snapshot{Records: t.runs * t.perRun(), Runs: t.runs, Final: final, Series: []Series{}}
	if final {
		s.Fingerprint = hex.EncodeToString(t.hash.Sum(nil))
	}
	summary := t.whole
	switch {
	case t.runs > 0:
		s.Conclusion = summary.Conclusion()
	case final:
		return s
	default:
		summary = experiment.NewSummary(t.spec)
		if err := addAll(summary, t.pending); err != nil {
			panic("engine: " + err.Error()) // add has checked the order
		}
	}
	for _, measure := range experiment.Measures() {
		s.Series = appendSeries(s.Series, measure, summary.Rows(measure))
	}
	return s
}

// appendSeries appends one series for each agent of the rows.
func appendSeries(list []Series, measure experiment.Measure, rows []experiment.Row) []Series {
	first := len(list)
	for _, row := range rows {
		if row.N == 0 {
			continue
		}
		if len(list) == first || list[len(list)-1].Agent != row.Agent {
			list = append(list, Series{Agent: row.Agent, Measure: measure})
		}
		s := &list[len(list)-1]
		s.Mean, s.Lo, s.Hi = append(s.Mean, row.Mean), append(s.Lo, row.Lo), append(s.Hi, row.Hi)
		s.N = append(s.N, row.N)
	}
	return list
}
