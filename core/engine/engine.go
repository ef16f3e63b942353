// Package engine is the core as an http.Handler: the same endpoints answer in a
// Web Worker, on loopback and in tests.
//
// Bodies are JSON unless said otherwise. A Spec is a cpsrl/spec, complete in
// answers. An Edge is [X name, Y name], a Receipt {"engine", "fingerprint"}.
// Fields with ? may be absent.
//
//	GET /v1/presets
//	→ [Catalog]: the engine version, presets, and the kinds of domains, agents and measures
//
//	POST /v1/check  Spec
//	→ {"header", "link", "problem", "fields", "agents", "cost"}
//	  header: of the spec's records, with the complete spec
//	  link: the canonical fragment, without #
//	  problem: [About], what the first run's problem is like
//	  fields: [{"pointer", "min"?, "max"?, "choices"?, "default"?}…], of a form ([spec.Field])
//	  agents: [{"label", "name", "look"…}…], those that a form offers, and the spec's ([AgentEntry])
//	  cost: {"operations", "seconds", "autorun"} ([Cost])
//	  a refusal of a spec that could be read has fields and, if it could be built, problem
//
//	POST /v1/link  {"spec": Spec, "receipt"?: Receipt, "unknown"?: ["key=value"…]}
//	→ {"link"}, the fragment without #
//
//	POST /v1/open  {"link": a URL or a fragment}
//	→ {"spec", "link", "receipt"?, "unknown": ["key=value"…], "cost"}
//	  link: the same in its canonical form
//	  unknown: keys of a later version, as they were
//
//	POST /v1/run  Spec
//	→ its records as JSON Lines, the header first
//
//	POST /v1/summary[?paired=AGENT,BASE][&strict=true]  records as JSON Lines
//	→ JSON Lines of [Snapshot]
//	  paired: by default C-PSRL and PSRL
//	  strict: records of anyone, checked like the command's; without it, the engine's own
//
//	POST /v1/trace?run=&agent=&episode=  Spec
//	→ a cpsrl/trace, the moments of one episode
//
//	POST /v1/export?as=csv|paired|long|jsonl|figure[&of=MEASURE][&paired=AGENT,BASE][&base=URL]  records as JSON Lines
//	→ text, as "cpsrl summary", "cpsrl run" and "cpsrl figure" write it, of as many runs as are whole
//
//	POST /v1/export?as=cli|bibtex|dot|tikz|dagitty|text|model|prior  {"spec": Spec, "receipt"?, "base"?: URL,
//	  "run"?: 0, "agent"?: whose prior is known, "graph"?: "prior", "true" or [[parents of Y_1 by index]…]}
//	→ text; model and prior are of that run
//
//	POST /v1/prior  {"spec": Spec, and one of "text", "edges": [Edge…], "prior": a cpsrl/prior}
//	→ {"edges": [Edge…], "errors": [{"line", "column", "detail"}…], "text", "dot", "tikz", "dagitty"}
//	  of the lines that are right; the spec's own prior does not matter
//
// An error is a [Details], as application/problem+json (RFC 9457). A stream that
// fails after its first byte is cut off.
package engine

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// MaxSpec is the size in bytes of the largest spec that is read.
const MaxSpec = 32 << 20

// Details is an error in the form of RFC 9457, "problem details".
type Details struct {
	Type    string `json:"type"` // always "about:blank"
	Title   string `json:"title"`
	Status  int    `json:"status"`
	Detail  string `json:"detail"`            // one sentence
	Pointer string `json:"pointer,omitempty"` // a JSON pointer to the field at fault

	// What /v1/check can say of a spec that it refuses, for a form to go on with.
	About  *About       `json:"problem,omitzero"`
	Fields []spec.Field `json:"fields,omitempty"`
}

// Error returns the detail.
func (p *Details) Error() string { return p.Detail }

func refuse(status int, pointer, format string, args ...any) *Details {
	return &Details{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Detail: fmt.Sprintf(format, args...), Pointer: pointer,
	}
}

// asProblem says what is wrong with a request.
func asDetails(err error) *Details {
	var own *Details
	var invalid *record.InvalidError
	var line *experiment.LineError
	var tooLarge *http.MaxBytesError
	var tooLong *experiment.LongLineError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &line):
		d := asDetails(line.Err)
		if d.Pointer != "" {
			return refuse(d.Status, "", "line %d, %s: %s", line.Number, d.Pointer, d.Detail)
		}
		return refuse(d.Status, "", "line %d: %s", line.Number, d.Detail)
	case errors.As(err, &invalid):
		return refuse(http.StatusBadRequest, invalid.Place, "%s", invalid.Reason)
	case errors.As(err, &tooLong):
		return refuse(http.StatusRequestEntityTooLarge, "", "%v", tooLong)
	case errors.As(err, &tooLarge):
		return refuse(http.StatusRequestEntityTooLarge, "", "the body is larger than %d bytes", tooLarge.Limit)
	}
	return refuse(http.StatusBadRequest, "", "%v", err)
}

// endpoint answers one path. It returns an error only before its first byte.
type endpoint struct {
	method string
	serve  func(http.ResponseWriter, *http.Request) error
}

// Handler returns the engine.
func Handler() http.Handler {
	endpoints := map[string]endpoint{
		"/v1/presets": {http.MethodGet, servePresets},
		"/v1/check":   {http.MethodPost, serveCheck},
		"/v1/link":    {http.MethodPost, serveLink},
		"/v1/open":    {http.MethodPost, serveOpen},
		"/v1/run":     {http.MethodPost, serveRun},
		"/v1/summary": {http.MethodPost, serveSummary},
		"/v1/trace":   {http.MethodPost, serveTrace},
		"/v1/export":  {http.MethodPost, serveExport},
		"/v1/prior":   {http.MethodPost, servePrior},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e, known := endpoints[r.URL.Path]
		var err error
		switch {
		case !known:
			err = refuse(http.StatusNotFound, "", "there is nothing at %s", r.URL.Path)
		case r.Method != e.method:
			w.Header().Set("Allow", e.method)
			err = refuse(http.StatusMethodNotAllowed, "", "%s takes %s, not %s", r.URL.Path, e.method, r.Method)
		default:
			err = e.serve(w, r)
		}
		if err != nil {
			p := asDetails(err)
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(p.Status)
			writeJSON(w, p)
		}
	})
}

// writeJSON writes one line. If the reader has gone, the answer is lost.
func writeJSON(w io.Writer, value any) {
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		panic("engine: " + err.Error())
	}
	w.Write(append(data, '\n'))
}

func servePresets(w http.ResponseWriter, _ *http.Request) error { return answer(w, Catalogue()) }

// answer writes one JSON document.
func answer(w http.ResponseWriter, value any) error {
	w.Header().Set("Content-Type", "application/json")
	writeJSON(w, value)
	return nil
}

// body reads the whole body of a request.
func body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(w, r.Body, MaxSpec))
}

// readExperiment reads the body as the spec of an experiment.
func readExperiment(w http.ResponseWriter, r *http.Request) (*experiment.Experiment, error) {
	data, err := body(w, r)
	if err != nil {
		return nil, err
	}
	s, err := spec.Decode(data)
	if err != nil {
		return nil, err
	}
	return experiment.New(s)
}

// specWithin reads the spec that is a member of a body.
func specWithin(raw jsontext.Value) (*spec.Spec, error) {
	s, err := spec.Decode(raw)
	return s, within("/spec", err)
}

// within moves the place of an error into a member of a body.
func within(member string, err error) error {
	var invalid *record.InvalidError
	if errors.As(err, &invalid) {
		return record.Within(member, invalid)
	}
	return err
}

// A run's records leave in batches: soon, but not one by one.
const (
	batchBytes = 64 << 10
	batchTime  = 100 * time.Millisecond
	batchLook  = 4 // records from one look at the clock to the next
)

func serveRun(w http.ResponseWriter, r *http.Request) error {
	e, err := readExperiment(w, r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	batch, sent := experiment.AppendHeader(nil, e.Header()), time.Now()
	flush := func() error {
		_, err := w.Write(batch)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		batch, sent = batch[:0], time.Now()
		return err
	}
	for rec, err := range e.Run() {
		if err != nil {
			panic(http.ErrAbortHandler) // too late for a status: the stream is cut off
		}
		batch = record.AppendRecord(batch, rec)
		// The clock is the host's, and takes time itself.
		if len(batch) >= batchBytes || rec.Episode%batchLook == 0 && time.Since(sent) >= batchTime {
			if flush() != nil {
				return nil // the reader has gone: stop
			}
		}
	}
	flush()
	return nil
}

func serveTrace(w http.ResponseWriter, r *http.Request) error {
	e, err := readExperiment(w, r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	run, err := strconv.Atoi(query.Get("run"))
	if err != nil {
		return refuse(http.StatusBadRequest, "", "the run %q is not a whole number", query.Get("run"))
	}
	episode, err := strconv.Atoi(query.Get("episode"))
	if err != nil {
		return refuse(http.StatusBadRequest, "", "the episode %q is not a whole number", query.Get("episode"))
	}
	trace, err := e.Trace(r.Context(), run, query.Get("agent"), episode)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(record.EncodeTrace(trace), '\n'))
	return nil
}
