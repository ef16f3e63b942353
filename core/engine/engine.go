// Package engine serves the core as an http.Handler. The same endpoints answer in a
// Web Worker, on loopback and in tests.
//
// Bodies are JSON unless the list says otherwise. A Spec is a cpsrl/spec; in answers
// it is complete. An Edge is [X name, Y name] or [X name, Y name, probability]. A Receipt is
// {"engine", "fingerprint"}. Fields with ? may be absent.
//
//	GET /v1/presets
//	→ [Catalog]: the engine version, the presets, the kinds of domains and agents with their fields, and the measures
//
//	POST /v1/check  Spec
//	→ {"header", "link", "problem", "fields", "agents", "cost"}
//	  header: that of the spec's records, with the complete spec
//	  link: the canonical fragment, without #
//	  problem: [About], a description of the first run's problem
//	  fields: [{"pointer", "min"?, "max"?, "choices"?, "default"?}…], the fields of a form ([spec.Field])
//	  agents: [{"label", "name", "look"…}…], the agents that a form offers and those of the spec ([AgentEntry])
//	  cost: {"operations", "seconds", "autorun", "budget"} ([Cost])
//	  If a spec can be read but cannot run, the error has fields, and problem if the problem can be built.
//
//	POST /v1/link  {"spec": Spec, "receipt"?: Receipt, "view"?: [spec.View], "unknown"?: ["key=value"…]}
//	→ {"link"}, the fragment without #
//
//	POST /v1/open  {"link": a URL or a fragment}
//	→ {"spec", "link", "receipt"?, "view": [spec.View], "unknown": ["key=value"…], "cost"}
//	  link: the canonical form of the link
//	  unknown: the pairs of the link with a key, or a value of the view, that this version does not know
//
//	POST /v1/run  Spec
//	→ its records as JSON Lines, the header first
//
//	POST /v1/runs  Specs as JSON Lines
//	→ for each Spec, as soon as it is read, the answer of /v1/run, then an empty line
//
//	POST /v1/summary[?paired=AGENT,BASE][&strict=true]  records as JSON Lines
//	→ JSON Lines of [Snapshot]
//	  paired: by default C-PSRL and PSRL
//	  strict: the records may come from anyone, and the experiment must be able to run;
//	  without strict, a last line that was cut off is ignored
//
//	POST /v1/difference?agent=LABEL&base=LABEL[&split=BYTES][&agentMark=&baseMark=]  records as JSON Lines
//	→ [[export.Series]…]: agent − base, taken run by run over the whole runs, for each measure that both have
//	  split: the size of the first of two records files in the body; the base is in the second.
//	  Runs with the same index must have the same true model in both
//	  agentMark, baseMark: words after the names of the agents in sentences
//
//	POST /v1/spread[?of=MEASURE]  records as JSON Lines
//	→ [Spread]: each whole run's curve of a measure, their quantiles, final values, and the episodes until learned
//
//	POST /v1/trace?run=&agent=&episode=  Spec
//	→ a cpsrl/trace, the moments of one episode
//
//	POST /v1/episodes?run=&agent=&last=  Spec
//	→ JSON Lines of [record.Episode]: one agent's episodes in one run in short form, from 1 to the last
//
//	POST /v1/edges?run=&agent=&episode=[&samples=20][&average=uniform|occupancy]  Spec
//	→ [record.BeliefEdges]: the probability and the value of each edge in the agent's belief after
//	  that episode, 0 for the prior
//
//	POST /v1/export?as=csv|paired|long|jsonl|figure[&of=MEASURE][&paired=AGENT,BASE][&base=URL]  records as JSON Lines
//	→ the text that "cpsrl summary", "cpsrl run" and "cpsrl figure" write, for only the whole runs
//
//	POST /v1/export?as=cli|bibtex|dot|tikz|dagitty|text|model|prior  {"spec": Spec, "receipt"?, "base"?: URL,
//	  "run"?: 0, "agent"?: the agent whose prior is used, "graph"?: "prior", "true" or [[parents of Y_1 by index]…]}
//	→ text; the model and the prior are those of the run
//
//	POST /v1/prior  {"spec": Spec, and one of "text", "edges": [Edge…], "prior": a cpsrl/prior}
//	→ {"edges": [Edge…], "errors": [{"line", "column", "detail"}…], "text", "dot", "tikz", "dagitty"}
//	  edges and graphs come from the lines without errors; the spec's own prior is not used
//
//	POST /v1/posterior[?update=exact|printed][&bound=at-most|below][&top=N][&prior=first|apart]  a cpsrl/prior on one line, then transitions as JSON Lines
//	→ [record.Posterior], the hyper-posterior given the transitions
//	  top: the number of parent sets listed for each variable, by default all
//	  prior: with apart, the transitions are another file, whose lines count from 1
//
//	POST /v1/chart[?as=svg|pgfplots|sheet]  [Chart]
//	→ a figure, by default as SVG; a sheet is its paths and texts as JSON
//
//	POST /v1/charts  Charts as JSON Lines
//	→ for each Chart, as soon as it is read, its figure as SVG, then a zero byte
//
// An error is a [Details], as application/problem+json (RFC 9457). If a stream fails
// after its first byte, the connection is cut off.
//
// The handler has no state: several goroutines may serve requests and call [Catalogue] at
// once.
package engine

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"cpsrl/core/experiment"
	"cpsrl/core/param"
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

	// The parts of the answer of /v1/check that a refused spec has, for a form to show.
	About  *About       `json:"problem,omitzero"`
	Fields []spec.Field `json:"fields,omitempty"`
}

// Error returns the detail.
func (p *Details) Error() string { return p.Detail }

// refuse returns an error at a place in the request, or at none if pointer is "".
func refuse(status int, pointer, format string, args ...any) *Details {
	return &Details{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Detail: fmt.Sprintf(format, args...), Pointer: pointer,
	}
}

// asDetails describes an error of a request.
func asDetails(err error) *Details {
	if own, ok := errors.AsType[*Details](err); ok {
		return own
	}
	if line, ok := errors.AsType[*experiment.LineError](err); ok {
		d := asDetails(line.Err)
		place := fmt.Sprintf("line %d", line.Number)
		if d.Pointer != "" {
			place += ", " + d.Pointer
		}
		return refuse(d.Status, "", "%s: %s", place, d.Detail)
	}
	if invalid, ok := errors.AsType[*record.InvalidError](err); ok {
		return refuse(http.StatusBadRequest, invalid.Place, "%s", invalid.Reason)
	}
	if tooLong, ok := errors.AsType[*experiment.LongLineError](err); ok {
		return refuse(http.StatusRequestEntityTooLarge, "", "%v", tooLong)
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refuse(http.StatusRequestEntityTooLarge, "", "the body is larger than %d bytes", tooLarge.Limit)
	}
	return refuse(http.StatusBadRequest, "", "%v", err)
}

// endpoint answers one path. The function serve may return an error only before it writes.
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
		"/v1/runs":    {http.MethodPost, serveRuns},
		"/v1/summary": {http.MethodPost, serveSummary},
		"/v1/trace":   {http.MethodPost, serveTrace},
		"/v1/export":  {http.MethodPost, serveExport},
		"/v1/prior":   {http.MethodPost, servePrior},
		"/v1/chart":   {http.MethodPost, serveChart},
		"/v1/charts":  {http.MethodPost, serveCharts},

		"/v1/edges":     {http.MethodPost, serveEdges},
		"/v1/episodes":  {http.MethodPost, serveEpisodes},
		"/v1/posterior": {http.MethodPost, servePosterior},

		"/v1/difference": {http.MethodPost, serveDifference},
		"/v1/spread":     {http.MethodPost, serveSpread},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e, known := endpoints[r.URL.Path]
		var err error
		switch {
		case !known:
			err = refuse(http.StatusNotFound, "", "there is nothing at %q", param.Clip(r.URL.Path))
		case r.Method != e.method:
			w.Header().Set("Allow", e.method)
			err = refuse(http.StatusMethodNotAllowed, "", "%s takes %s, not %q", r.URL.Path, e.method, param.Clip(r.Method))
		default:
			err = e.serve(w, r)
		}
		if err != nil {
			p := asDetails(err)
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(p.Status)
			w.Write(record.AppendLine(nil, p))
		}
	})
}

func servePresets(w http.ResponseWriter, _ *http.Request) error { return answer(w, Catalogue()) }

// answer writes one JSON document.
func answer(w http.ResponseWriter, value any) error {
	return send(w, "application/json", record.AppendLine(nil, value))
}

// send writes a whole body. It ignores errors of writing, which say that the client has
// gone.
func send(w http.ResponseWriter, kind string, data []byte) error {
	w.Header().Set("Content-Type", kind)
	w.Write(data)
	return nil
}

// body reads the whole body of a request.
func body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(w, r.Body, MaxSpec))
}

// readBody reads the body of a request, one JSON object, into value.
func readBody(w http.ResponseWriter, r *http.Request, value any) error {
	data, err := body(w, r)
	if err != nil {
		return err
	}
	return record.Decode(data, value)
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
	return experiment.NewContext(r.Context(), s)
}

// within puts the place of a *[record.InvalidError], also of a wrapped one, below a member
// of the body.
func within(member string, err error) error {
	if invalid, ok := errors.AsType[*record.InvalidError](err); ok {
		return record.Within(member, invalid)
	}
	return err
}

func serveRun(w http.ResponseWriter, r *http.Request) error {
	e, err := readExperiment(w, r)
	if err != nil {
		return err
	}
	b := newBatches(w)
	if b.run(e) {
		b.flush()
	}
	return nil
}

// run appends the records of an experiment and sends batches that are due. It reports
// whether the client is still there.
func (b *batches) run(e *experiment.Experiment) bool {
	b.bytes = experiment.AppendHeader(b.bytes, e.Header())
	for rec, err := range e.Run() {
		if err != nil {
			panic(http.ErrAbortHandler) // it is too late for a status
		}
		b.bytes = record.AppendRecord(b.bytes, rec)
		if b.next() != nil {
			return false
		}
	}
	return true
}

// fullDuplex allows an answer to begin before its request has ended. Without it an HTTP/1
// server first reads the rest of the body, and gives up if that is long.
func fullDuplex(w http.ResponseWriter) { http.NewResponseController(w).EnableFullDuplex() }

// serveRuns runs a spec for each line of the body. In a worker the instance stays warm and
// keeps its memory that way.
func serveRuns(w http.ResponseWriter, r *http.Request) error {
	var b *batches
	return eachLine(w, r, "there is no spec", func(line []byte) error {
		s, err := spec.Decode(line)
		if err != nil {
			return err
		}
		e, err := experiment.NewContext(r.Context(), s)
		if err != nil {
			return err
		}
		if b == nil {
			b = newBatches(w)
		}
		if !b.run(e) {
			return errGone
		}
		b.bytes = append(b.bytes, '\n')
		if b.flush() != nil {
			return errGone
		}
		return nil
	})
}

// errGone says that the client has gone.
var errGone = errors.New("the client has gone")

// eachLine calls serve with each line of the body as soon as it is read. The function serve
// answers the line; it returns an error only before it writes. If there is no line, the
// sentence none is the error.
func eachLine(w http.ResponseWriter, r *http.Request, none string, serve func(line []byte) error) error {
	fullDuplex(w)
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, MaxSpec)
	begun := false
	for ; lines.Scan(); begun = true {
		switch err := serve(bytes.Clone(lines.Bytes())); {
		case err == errGone:
			return nil
		case err != nil && begun:
			panic(http.ErrAbortHandler) // it is too late for a status
		case err != nil:
			return err
		}
	}
	switch err := lines.Err(); {
	case err != nil && begun:
		panic(http.ErrAbortHandler)
	case errors.Is(err, bufio.ErrTooLong):
		return &experiment.LongLineError{Limit: MaxSpec}
	case err != nil:
		return err
	case !begun:
		return refuse(http.StatusBadRequest, "", "%s", none)
	}
	return nil
}

func serveTrace(w http.ResponseWriter, r *http.Request) error {
	e, err := readExperiment(w, r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	run, noRun := wholeNumber(query, "run")
	episode, noEpisode := wholeNumber(query, "episode")
	if err := cmp.Or(noRun, noEpisode); err != nil {
		return err
	}
	trace, err := e.Trace(r.Context(), run, query.Get("agent"), episode)
	if err != nil {
		return err
	}
	return send(w, "application/json", append(record.EncodeTrace(trace), '\n'))
}

// wholeNumber reads a parameter of a query that is a whole number.
func wholeNumber(query url.Values, name string) (int, error) {
	n, err := strconv.Atoi(query.Get(name))
	if err != nil {
		return 0, refuse(http.StatusBadRequest, "", "the %s %q is not a whole number", name, param.Clip(query.Get(name)))
	}
	return n, nil
}
