// Package engine serves the core as a [wire.Handler]. The same endpoints answer in a
// Web Worker, on loopback and in tests.
//
// This is the list of the endpoints: body → answer. Parameters in brackets may be absent.
// site/docs/engine.md describes the bodies, the answers and the parameters.
//
//	GET  /v1/presets → [Catalog]
//	POST /v1/check: a spec → [Checked]
//	POST /v1/link: a spec and what else its link shows → [Linked]
//	POST /v1/open: a link → [Opened]
//	POST /v1/run: a spec → its records
//	POST /v1/runs: specs as JSON Lines → the answer of /v1/run and an empty line for each spec
//	POST /v1/summary[?paired=AGENT,BASE][&strict=true]: records → JSON Lines of [Snapshot]
//	POST /v1/merge?size=BYTES&name=NAME[&size=…&name=…]: files of records, one after the other → the records of all
//	POST /v1/difference?agent=LABEL&base=LABEL[&split=BYTES][&agentMark=][&baseMark=]: records → [[export.Series]…]
//	POST /v1/spread[?of=MEASURE]: records → [Spread]
//	POST /v1/foreign[?as=json|csv][&of=MEASURE]: a spec, then results of another program → [Foreign] or CSV
//	POST /v1/trace?run=&agent=&episode=: a spec → [record.Trace]
//	POST /v1/episodes?run=&agent=&last=: a spec → JSON Lines of [record.Episode]
//	POST /v1/film?run=&agent=[&last=]: a spec → JSON Lines of [film.Film]
//	POST /v1/play?run=&agent=: a spec → JSON Lines of [Played]
//	POST /v1/edges?run=&agent=&episode=[&samples=20][&average=uniform|occupancy]: a spec → [worth.BeliefEdges]
//	POST /v1/export?as=csv|paired|final|endings|long|jsonl|figure[&of=MEASURE][&paired=AGENT,BASE][&base=URL]: records → text
//	POST /v1/export?as=reliability[&form=csv|svg|pgfplots|sheet][&agent=LABEL][&episode=K][&width=][&type=][&theme=][&title=no][&caption=no]: records → a table or a figure
//	POST /v1/export?as=cli|bibtex|methods|dot|tikz|dagitty|text|model|prior: a spec and what to write of it → text
//	POST /v1/prior: a spec and a text (also in DOT, DAGitty or BIF, or a table), edges or a prior → the prior as edges, as text and as graphs
//	POST /v1/normalise: a model → the model with rows that sum to 1, and how far they were from it
//	POST /v1/edit: a spec and an edit of its model, or a template → [Edited]
//	POST /v1/kind: the beginning of a file → [Kind]
//	POST /v1/convert: a model in the format of another program → the model, and what it does not keep
//	POST /v1/posterior[?update=exact|printed][&dirichlet=][&tables=rows|tied|trees][&bound=at-most|below][&top=N][&z=N][&as=full|json|csv|dot][&prior=first|apart]: a prior, then transitions → [evidence.Posterior]
//	POST /v1/posterior?prior=none[&action=NAME …][&column=NAME=ROLE …][&cut=NAME=POINTS …][&lag=N]: transitions as a table → [evidence.Posterior]
//	POST /v1/posterior?…&as=problem[&name=][&reward=FORMULA][&horizon=N]: a table → a model
//	POST /v1/posterior?…&as=start[&name=][&reward=FORMULA][&horizon=N]: a table → [Started]
//	POST /v1/posterior?…&as=policy[&reward=FORMULA][&horizon=N][&models=N]: a table → [offline.Proposal]
//	POST /v1/data: a spec and transitions → the transitions that its agents can start from
//	POST /v1/chart[?as=svg|pgfplots|sheet]: [figure.Chart] → the figure
//	POST /v1/sweep[?as=plan|receipt|csv|svg]: [Sweep] → [SweepPlan], [SweepReceipt], its table or its figure
//	POST /v1/sweep?as=setting&setting=: [Sweep] → [Checked] of one setting
//	POST /v1/agent: messages to an agent, as JSON Lines → an answer for each (package session); not in a browser, where wasm/agent answers
//	POST /v1/world: messages to a world, as JSON Lines → an answer for each (package worlds)
//	POST /v1/batch: requests as JSON Lines → for each its status, its answer and a zero byte
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
	"net/url"
	"slices"
	"strconv"

	"cpsrl/core/experiment"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
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

	Lacked *Lacked `json:"lacked,omitzero"` // what the request could say so that /v1/convert reads its text

	// What the columns of a refused table were taken for, for a form to change it.
	Columns []format.Column `json:"columns,omitempty"`
}

// Error returns the detail.
func (p *Details) Error() string { return p.Detail }

// refuse returns an error at a place in the request, or at none if pointer is "".
func refuse(status int, pointer, format string, args ...any) *Details {
	return &Details{
		Type: "about:blank", Title: wire.Title(status), Status: status,
		Detail: fmt.Sprintf(format, args...), Pointer: pointer,
	}
}

// asDetails describes an error of a request.
func asDetails(err error) *Details {
	if own, ok := errors.AsType[*Details](err); ok {
		return own
	}
	if line, ok := errors.AsType[*strict.LineError](err); ok {
		d := asDetails(line.Err)
		place := fmt.Sprintf("line %d", line.Number)
		if d.Pointer != "" {
			place += ", " + strict.Shown(d.Pointer)
		}
		return refuse(d.Status, "", "%s: %s", place, d.Detail)
	}
	if invalid, ok := errors.AsType[*strict.InvalidError](err); ok {
		return refuse(wire.BadRequest, invalid.Place, "%s", invalid.Reason)
	}
	if tooLong, ok := errors.AsType[*strict.LongLineError](err); ok {
		return refuse(wire.TooLarge, "", "%v", tooLong)
	}
	if tooLarge, ok := errors.AsType[*wire.TooLargeError](err); ok {
		return refuse(wire.TooLarge, "", "%v", tooLarge)
	}
	return refuse(wire.BadRequest, "", "%v", err)
}

// endpoint answers one path. The function serve may return an error only before it writes.
type endpoint struct {
	method   string
	serve    func(wire.Answer, *wire.Request) error
	document bool     // whether the answer is one text without zero bytes, so that a batch may ask for it
	as       []string // what the parameter as may be; absent, it is the first, but for /v1/export, which needs it
}

// endpoints are the endpoints by their paths.
type endpoints map[string]endpoint

// Handler returns the engine.
func Handler() wire.Handler {
	all := endpoints{
		"/v1/presets": {"GET", servePresets, false, nil},
		"/v1/check":   {"POST", serveCheck, true, nil},
		"/v1/link":    {"POST", serveLink, true, nil},
		"/v1/open":    {"POST", serveOpen, true, nil},
		"/v1/prior":   {"POST", servePrior, true, nil},
		"/v1/chart":   {"POST", serveChart, true, []string{"svg", "pgfplots", "sheet"}},

		"/v1/data":      {"POST", serveData, true, nil},
		"/v1/normalise": {"POST", serveNormalise, true, nil},
		"/v1/convert":   {"POST", serveConvert, true, nil},
		"/v1/kind":      {"POST", serveKind, true, nil},
		"/v1/edit":      {"POST", serveEdit, true, nil},
		"/v1/sweep":     {"POST", serveSweep, true, []string{"plan", "setting", "receipt", "csv", "svg"}},

		"/v1/run":     {"POST", serveRun, false, nil},
		"/v1/runs":    {"POST", serveRuns, false, nil},
		"/v1/summary": {"POST", serveSummary, false, nil},
		"/v1/merge":   {"POST", serveMerge, false, nil},
		"/v1/trace":   {"POST", serveTrace, false, nil},
		"/v1/export":  {"POST", serveExport, false, slices.Concat(recordExports, specExports)},

		"/v1/edges":     {"POST", serveEdges, false, nil},
		"/v1/episodes":  {"POST", serveEpisodes, false, nil},
		"/v1/film":      {"POST", serveFilm, false, nil},
		"/v1/play":      {"POST", servePlay, false, nil},
		"/v1/posterior": {"POST", servePosterior, false, []string{"full", "json", "csv", "dot", "problem", "start", "policy"}},

		"/v1/difference": {"POST", serveDifference, false, nil},
		"/v1/spread":     {"POST", serveSpread, false, nil},
		"/v1/foreign":    {"POST", serveForeign, false, []string{"json", "csv"}},
		"/v1/world":      {"POST", serveWorld, false, nil},
	}
	lend(all)
	all["/v1/batch"] = endpoint{"POST", func(w wire.Answer, r *wire.Request) error { return serveBatch(all, w, r) }, false, nil}
	return all
}

// Serve answers a request by its endpoint.
func (all endpoints) Serve(w wire.Answer, r *wire.Request) {
	e, known := all[r.Path]
	var err error
	switch {
	case !known:
		err = refuse(wire.NotFound, "", "there is nothing at %q", param.Clip(r.Path))
	case r.Method != e.method:
		err = refuse(wire.MethodNotAllowed, "", "%s takes %s, not %q", r.Path, e.method, param.Clip(r.Method))
	default:
		if e.as != nil {
			_, err = oneOf(r.Query, "as", e.as...)
		}
		if err == nil {
			err = e.serve(w, r)
		}
	}
	if err != nil {
		fail(w, e.method, err)
	}
}

// fail answers with an error of a path that takes a method.
func fail(w wire.Answer, method string, err error) {
	p := asDetails(err)
	head := wire.Head{Status: p.Status, Kind: "application/problem+json"}
	if p.Status == wire.MethodNotAllowed {
		head.Allow = method
	}
	w.Begin(head)
	w.Write(strict.AppendLine(nil, p))
}

func servePresets(w wire.Answer, _ *wire.Request) error { return writeAnswer(w, Catalogue()) }

// writeAnswer writes one JSON document.
func writeAnswer(w wire.Answer, value any) error {
	return send(w, "application/json", strict.AppendLine(nil, value))
}

// send writes a whole body. It ignores errors of writing, which say that the client has
// gone.
func send(w wire.Answer, kind string, data []byte) error {
	w.Begin(wire.Head{Status: wire.OK, Kind: kind})
	w.Write(data)
	return nil
}

// body reads the whole body of a request.
func body(r *wire.Request) ([]byte, error) { return wire.ReadAll(r.Body, MaxSpec) }

// readBody reads the body of a request, one JSON object, into value.
func readBody(r *wire.Request, value any) error {
	data, err := body(r)
	if err != nil {
		return err
	}
	return strict.Decode(data, value)
}

// readExperiment reads the body as the spec of an experiment.
func readExperiment(r *wire.Request) (*experiment.Experiment, error) {
	data, err := body(r)
	if err != nil {
		return nil, err
	}
	s, err := spec.Decode(data)
	if err != nil {
		return nil, err
	}
	return experiment.NewContext(r.Context, s)
}

func serveRun(w wire.Answer, r *wire.Request) error {
	e, err := readExperiment(r)
	if err != nil {
		return err
	}
	b := newBatches(w)
	switch err := b.run(e); {
	case err == errGone:
		return nil
	case err != nil:
		return err
	}
	b.flush()
	return nil
}

// run appends the records of an experiment and sends batches that are due. Its error is
// errGone, or that of a run that failed before anything was sent.
func (b *batches) run(e *experiment.Experiment) error {
	b.bytes = experiment.AppendHeader(b.bytes, e.Header())
	for rec, err := range e.Run() {
		if err != nil {
			return b.fail(err)
		}
		b.bytes = record.AppendRecord(b.bytes, rec)
		if b.next() != nil {
			return errGone
		}
	}
	return nil
}

// serveRuns runs a spec for each line of the body. In a worker the instance stays warm and
// keeps its memory that way.
func serveRuns(w wire.Answer, r *wire.Request) error {
	var b *batches
	return eachLine(w, r, "there is no spec", func(line []byte) error {
		s, err := spec.Decode(line)
		if err != nil {
			return err
		}
		e, err := experiment.NewContext(r.Context, s)
		if err != nil {
			return err
		}
		if b == nil {
			b = newBatches(w)
		}
		if err := b.run(e); err != nil {
			return err
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
func eachLine(w wire.Answer, r *wire.Request, none string, serve func(line []byte) error) error {
	w.Duplex()
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, MaxSpec)
	begun := false
	for ; lines.Scan(); begun = true {
		switch err := serve(bytes.Clone(lines.Bytes())); {
		case err == errGone:
			return nil
		case err != nil && begun:
			panic(wire.ErrCut) // it is too late for a status
		case err != nil:
			return err
		}
	}
	switch err := lines.Err(); {
	case err != nil && begun:
		panic(wire.ErrCut)
	case errors.Is(err, bufio.ErrTooLong):
		return &strict.LongLineError{Limit: MaxSpec}
	case err != nil:
		return err
	case !begun:
		return refuse(wire.BadRequest, "", "%s", none)
	}
	return nil
}

func serveTrace(w wire.Answer, r *wire.Request) error {
	e, err := readExperiment(r)
	if err != nil {
		return err
	}
	query := r.Query
	run, noRun := wholeNumber(query, "run")
	episode, noEpisode := wholeNumber(query, "episode")
	if err := cmp.Or(noRun, noEpisode); err != nil {
		return err
	}
	trace, err := e.Trace(r.Context, run, query.Get("agent"), episode)
	if err != nil {
		return err
	}
	return send(w, "application/json", append(record.EncodeTrace(trace), '\n'))
}

// wholeNumber reads a parameter of a query that is a whole number.
func wholeNumber(query url.Values, name string) (int, error) {
	text := query.Get(name)
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text {
		return 0, refuse(wire.BadRequest, "", "the %s %q is not a whole number%s", name, param.Clip(text), param.Hint(text, true))
	}
	return n, nil
}
