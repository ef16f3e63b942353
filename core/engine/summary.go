package engine

import (
	"bufio"
	"bytes"
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
	Records     int                           `json:"records"` // of whole runs
	Runs        int                           `json:"runs"`    // whole ones
	Final       bool                          `json:"final"`
	Fingerprint string                        `json:"fingerprint,omitempty"` // of the whole runs, at the end
	Conclusion  string                        `json:"conclusion"`            // on cumulative regret; empty before the first whole run
	Conclusions map[experiment.Measure]string `json:"conclusions"`           // one sentence for each measure that there is
	Series      []Series                      `json:"series"`
	// At the end, if there is a whole run:
	Paired    []Series               `json:"paired,omitempty"` // the difference of two agents by run
	Discovery []experiment.Discovery `json:"discovery,omitempty"`
}

// Series is one agent's curve of one measure. Index k is episode k+1. An agent
// without the measure has no series. With a base it is the curve of the
// difference agent − base.
type Series struct {
	Agent      string             `json:"agent"`
	Base       string             `json:"base,omitempty"`
	Measure    experiment.Measure `json:"measure"`
	Mean       numbers            `json:"mean"`
	Lo         numbers            `json:"lo"` // null where n = 1
	Hi         numbers            `json:"hi"`
	N          []int              `json:"n"`
	Conclusion string             `json:"conclusion,omitempty"` // of a difference
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
		if math.IsNaN(x) || math.IsInf(x, 0) {
			data = append(data, "null"...)
		} else {
			data = strconv.AppendFloat(data, x, 'g', v.digits, 64)
		}
	}
	return e.WriteValue(append(data, ']'))
}

const (
	inFull  = -1
	drawing = 4
)

// snapshotTime is the least time between two snapshots; tests change it. A
// snapshot that takes long is followed by a rest of so many times as long.
var snapshotTime = 200 * time.Millisecond

const snapshotRest = 20

func serveSummary(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	strict := query.Get("strict") == "true"
	var t *tally
	var pair experiment.Pair
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
	err := readRecords(r.Body, strict, func(header *record.Header) (err error) {
		t = newTally(header)
		pair, err = pairOf(query.Get("paired"), t.spec)
		return err
	}, func(line []byte) error {
		if err := t.add(line, strict); err != nil {
			return err
		}
		// Of a file that may yet be refused nothing is shown.
		if now := time.Now(); t.changed && !strict && now.Sub(sent) >= rest {
			send(t.snapshot(false))
			rest = max(snapshotTime, snapshotRest*sent.Sub(now))
		}
		return nil
	})
	switch {
	case err != nil && begun:
		panic(http.ErrAbortHandler) // too late for a status: cut the stream off
	case err != nil:
		return err
	}
	s := t.snapshot(true)
	t.conclude(s, pair)
	send(s)
	return nil
}

// maxLine is the length in bytes of the longest record line that is read.
const maxLine = 1 << 20

// readRecords reads a records file of this engine version: the header, then line
// by line. A last line without its newline was torn off and is passed over;
// strict, it is a line like any other, blank lines do not count, the spec must
// be able to run, and an error names its line.
func readRecords(r io.Reader, strict bool, begin func(*record.Header) error, add func(line []byte) error) error {
	b := bufio.NewReaderSize(r, 64<<10)
	var buffer []byte
	for number := 1; ; number++ {
		most := maxLine
		if number == 1 {
			most = MaxSpec
		}
		line, err := readLine(b, buffer[:0], most)
		buffer = line
		if err != nil && err != io.EOF {
			return atLine(number, err)
		}
		ended := err == io.EOF
		switch {
		case number == 1:
			header, err := record.DecodeHeader(line)
			if err != nil {
				return err
			}
			if header.Engine != record.Engine {
				return problem(http.StatusBadRequest, "/engine", "the records are of engine version %d; this is version %d", header.Engine, record.Engine)
			}
			if strict {
				if err := experiment.Check(&header.Spec); err != nil {
					return within("/spec", err)
				}
			}
			if err := begin(header); err != nil {
				return err
			}
		case ended && !strict, len(bytes.TrimSpace(line)) == 0 && strict:
		default:
			if ended {
				line = append(line, '\n')
			}
			if err := add(line); err != nil {
				return atLine(number, err)
			}
		}
		if ended {
			return nil
		}
	}
}

// readLine appends one line to dst, its newline included.
func readLine(b *bufio.Reader, dst []byte, most int) ([]byte, error) {
	for {
		part, err := b.ReadSlice('\n')
		dst = append(dst, part...)
		if len(dst) > most {
			return dst, problem(http.StatusRequestEntityTooLarge, "", "the line is longer than %d bytes", most)
		}
		if err != bufio.ErrBufferFull {
			return dst, err
		}
	}
}

// atLine says in which line of a file something is wrong.
func atLine(number int, err error) error {
	p := asProblem(err)
	if p.Pointer != "" {
		return problem(p.Status, "", "line %d, %s: %s", number, p.Pointer, p.Detail)
	}
	return problem(p.Status, "", "line %d: %s", number, p.Detail)
}

// tally takes record lines in the order run, agent, episode and counts them by
// whole runs.
type tally struct {
	header  *record.Header
	spec    *record.Spec
	checker *experiment.Checker
	summary *experiment.Summary // of whole runs
	runs    int
	hash    hash.Hash
	pending []*record.Record // of the unfinished run
	bytes   []byte           // and their lines
	changed bool             // since the last snapshot

	wholeRun func(records []*record.Record, lines []byte) // if set, is given each whole run
}

func newTally(header *record.Header) *tally {
	spec := &header.Spec
	return &tally{header: header, spec: spec, checker: experiment.NewChecker(spec), summary: experiment.NewSummary(spec), hash: sha256.New()}
}

func (t *tally) perRun() int { return len(t.spec.Agents) * t.spec.Episodes }

// fingerprint is of the whole runs.
func (t *tally) fingerprint() string { return hex.EncodeToString(t.hash.Sum(nil)) }

func (t *tally) add(line []byte, strict bool) error {
	decode := t.scores
	if strict {
		decode = t.checked
	}
	rec, err := decode(line)
	if err != nil {
		return err
	}
	k := len(t.pending)
	run, agent, episode := t.spec.FirstRun+t.runs, t.spec.Agents[k/t.spec.Episodes], k%t.spec.Episodes+1
	if t.runs == t.spec.Runs || rec.Run != run || rec.Agent != agent || rec.Episode != episode {
		return problem(http.StatusBadRequest, "", "run %d, agent %.40q, episode %d is out of order; records come by run, agent and episode", rec.Run, rec.Agent, rec.Episode)
	}
	t.pending, t.bytes = append(t.pending, rec), append(t.bytes, line...)
	t.changed = t.changed || t.runs == 0
	if len(t.pending) == t.perRun() {
		if err := addAll(t.summary, t.pending); err != nil {
			return err
		}
		t.hash.Write(t.bytes)
		if t.wholeRun != nil {
			t.wholeRun(t.pending, t.bytes)
		}
		t.runs++
		t.pending, t.bytes, t.changed = t.pending[:0], t.bytes[:0], true
	}
	return nil
}

// checked reads a record line of anyone.
func (t *tally) checked(line []byte) (*record.Record, error) {
	rec, err := record.DecodeRecord(line)
	if err != nil {
		return nil, err
	}
	return rec, t.checker.Check(rec)
}

// scores reads what a summary needs of a record line and passes over the rest,
// ten times as fast as checked: the lines are the engine's own. The most
// probable graph counts after a run's last episode only.
func (t *tally) scores(line []byte) (*record.Record, error) {
	var r struct {
		Run        int      `json:"run"`
		Agent      string   `json:"agent"`
		Episode    int      `json:"episode"`
		Regret     float64  `json:"regret"`
		ModelError *float64 `json:"modelError"`
		Belief     *struct {
			Superset  bool           `json:"superset"`
			Recall    float64        `json:"recall"`
			Precision float64        `json:"precision"`
			Parents   float64        `json:"parents"`
			Best      jsontext.Value `json:"best"`
		} `json:"belief"`
	}
	if err := json.Unmarshal(line, &r, jsontext.AllowDuplicateNames(true)); err != nil {
		return nil, err
	}
	rec := &record.Record{Run: r.Run, Agent: r.Agent, Episode: r.Episode, Regret: r.Regret, ModelError: r.ModelError}
	if b := r.Belief; b != nil {
		rec.Belief = &record.Belief{Superset: b.Superset, Recall: b.Recall, Precision: b.Precision, Parents: b.Parents}
		if r.Episode == t.spec.Episodes {
			if err := json.Unmarshal(b.Best, &rec.Belief.Best); err != nil {
				return nil, err
			}
		}
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
	s := &Snapshot{
		Records: t.runs * t.perRun(), Runs: t.runs, Final: final,
		Conclusions: map[experiment.Measure]string{}, Series: []Series{},
	}
	if final {
		s.Fingerprint = t.fingerprint()
	}
	summary, digits := t.summary, drawing
	switch {
	case final && t.runs == 0:
		return s
	case final:
		digits = inFull
	case t.runs == 0:
		summary = experiment.NewSummary(t.spec)
		_ = addAll(summary, t.pending) // what is wrong is refused with the whole run
	}
	for _, measure := range experiment.Measures() {
		rows := summary.Rows(measure)
		s.Series = appendSeries(s.Series, measure, rows, digits)
		if t.runs > 0 && len(rows) > 0 {
			s.Conclusions[measure] = experiment.Conclude(measure, rows)
		}
	}
	s.Conclusion = s.Conclusions[experiment.CumulativeRegret]
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
			d.Base, d.Conclusion = pair.Base, experiment.ConcludePair(measure, pair, rows)
		}
	}
}

// appendSeries appends one series for each agent of the rows.
func appendSeries(list []Series, measure experiment.Measure, rows []experiment.Row, digits int) []Series {
	first := len(list)
	for _, row := range rows {
		if len(list) == first || list[len(list)-1].Agent != row.Agent {
			none := numbers{digits: digits}
			list = append(list, Series{Agent: row.Agent, Measure: measure, Mean: none, Lo: none, Hi: none})
		}
		s := &list[len(list)-1]
		s.Mean.values, s.Lo.values, s.Hi.values = append(s.Mean.values, row.Mean), append(s.Lo.values, row.Lo), append(s.Hi.values, row.Hi)
		s.N = append(s.N, row.N)
	}
	return list
}
