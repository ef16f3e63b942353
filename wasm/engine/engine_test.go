package engine

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/wasm/web"
)

// small takes milliseconds: Figure 1's problem, two agents, the runs 2, 3 and 4.
const small = `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1","horizon":3},
	"agents":["psrl","c-psrl"],"episodes":5,"firstRun":2,"runs":3,"seed":7}`

func ask(method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	web.Handler(Handler()).ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}

// answer reads one JSON document and refuses members that the type does not have.
func answerOf[T any](t *testing.T, w *httptest.ResponseRecorder) (value T) {
	t.Helper()
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &value, json.RejectUnknownMembers(true)); err != nil {
		t.Fatal(err)
	}
	return value
}

func specOf(t *testing.T, text string) *spec.Spec {
	t.Helper()
	s, err := spec.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ready returns the experiment of a spec.
func ready(t *testing.T, s *spec.Spec) *experiment.Experiment {
	t.Helper()
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestPresets(t *testing.T) {
	got := answerOf[Catalog](t, ask("GET", "/v1/presets", ""))
	if got.Engine != record.Engine || len(got.Presets) != len(experiment.Presets()) {
		t.Errorf("engine %d with %d presets, want %d with %d", got.Engine, len(got.Presets), record.Engine, len(experiment.Presets()))
	}
	for _, p := range got.Presets {
		if w := ask("POST", "/v1/check", string(spec.Encode(p.Spec))); w.Code != http.StatusOK {
			t.Errorf("%s is refused: %s", p.Name, w.Body)
		}
	}
}

// checked is the answer of /v1/check.
type checked struct {
	Header  *experiment.Header `json:"header"`
	Link    string             `json:"link"`
	Problem About              `json:"problem"`
	Fields  []spec.Field       `json:"fields"`
	Agents  []AgentEntry       `json:"agents"`
	Told    bool               `json:"told"`
	Cost    Cost               `json:"cost"`
}

func TestCheck(t *testing.T) {
	got := answerOf[checked](t, ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"}}`))
	// Figure 1 of the paper: |Z| = 3·3 = 9.
	p := got.Problem
	if p.States != 4 || p.Actions != 4 || p.Horizon != 10 || p.Eta != 2 || p.Consistent != "9" {
		t.Errorf("problem %+v", p)
	}
	if len(p.Parents) != 2 || p.Parents[0].Count != "3" || len(p.Parents[0].Known) != 2 {
		t.Errorf("parents %+v", p.Parents)
	}
	if s := got.Header.Spec; got.Header.Engine != record.Engine || s.Episodes == 0 || s.Runs == 0 || len(s.Agents) == 0 {
		t.Errorf("the header's spec is not complete: %+v", s)
	}
}

// Operations are told in seconds of a browser, those of an episode, too.
func TestCheckOfCost(t *testing.T) {
	operations, episodes := ready(t, specOf(t, small)).Costs()
	got := answerOf[checked](t, ask("POST", "/v1/check", small)).Cost
	if got.Operations != operations || got.Seconds != operations/experiment.Browser || len(got.Episodes) != len(episodes) || len(episodes) != 2 {
		t.Fatalf("%+v, want %v operations", got, operations)
	}
	for i, n := range episodes {
		if got.Episodes[i] != n/experiment.Browser {
			t.Errorf("agent %d: %v s, want %v", i, got.Episodes[i], n/experiment.Browser)
		}
	}
}

// Agents may have a degree of prior knowledge or a prior of their own, or know a graph.
func TestTold(t *testing.T) {
	for agents, want := range map[string]bool{
		`"psrl","f-psrl"`: false, `"c-psrl"`: true, `"f-psrl:graph=prior"`: true, `"f-psrl","c-psrl:eta=1"`: false, `"c-psrl:eta=1","c-psrl:dirichlet=0.5"`: true,
	} {
		if got := answerOf[checked](t, ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":2,"domain":{"name":"figure1"},"agents":[`+agents+`]}`)); got.Told != want {
			t.Errorf("%s: told %t", agents, got.Told)
		}
	}
}

// A long name of a model is cut.
func TestCheckOfLongName(t *testing.T) {
	name := strings.Repeat("word ", 2000)
	w := ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":1,"domain":{"name":"model","model":{"format":"cpsrl/model","version":1,"name":"`+name+`","horizon":1,`+
		`"state":[{"name":"a","size":1}],"action":[{"name":"b","size":1}],"initial":"uniform","transition":[{"of":"a","given":[],"p":[[1]]}],"reward":[]}}}`)
	var got struct {
		About About `json:"problem"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.About.Name != name[:100]+"…" {
		t.Errorf("%q, %v", got.About.Name, err)
	}
}

// A refusal has what a form needs: nothing if the spec cannot be read, the fields if the
// problem cannot be built, and the problem if the spec cannot run.
func TestCheckRefusals(t *testing.T) {
	const start = `{"format":"cpsrl/spec","version":1,"domain":`
	for _, c := range []struct {
		body, pointer   string
		fields, problem bool
	}{
		{start + `{"name":"taxi"},"runs":0}`, "/runs", false, false},
		{start + `{"name":"random-fmdp","stateVariables":40}}`, "/domain/stateVariables", true, false},
		{start + `{"name":"taxi"},"sparseness":1,"prior":{"edges":[["row","col"],["move","col"]]}}`, "/prior/edges", true, true},
	} {
		w := ask("POST", "/v1/check", c.body)
		var got Details
		if err := json.Unmarshal(w.Body.Bytes(), &got, json.RejectUnknownMembers(true)); err != nil {
			t.Fatal(err)
		}
		if w.Code != http.StatusBadRequest || got.Pointer != c.pointer || (got.Fields != nil) != c.fields || (got.About != nil) != c.problem {
			t.Errorf("%s: %d %+v", c.body, w.Code, got)
		}
	}
	var got Details
	w := ask("POST", "/v1/check", start+`{"name":"taxi"},"sparseness":1,"prior":{"edges":[["row","col"],["move","col"]]}}`)
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if col := got.About.Parents[1]; col.Of != "col" || col.Count != "0" {
		t.Errorf("the parent sets of col: %+v; want none", col)
	}
}

func TestProblems(t *testing.T) {
	with := func(field string) string {
		return `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},` + field + `}`
	}
	for _, test := range []struct {
		name, method, path, body string
		status                   int
		pointer, detail          string
	}{
		{"no path", "GET", "/v1/nothing", "", 404, "", "nothing at \"/v1/nothing\""},
		{"a path that is no text", "GET", "/v1/%FF", "", 404, "", `nothing at "/v1/\xff"`},
		{"other method", "GET", "/v1/run", "", 405, "", "takes POST"},
		{"empty", "POST", "/v1/run", "", 400, "", ""},
		{"malformed", "POST", "/v1/run", "{", 400, "", "malformed JSON"},
		{"no episodes", "POST", "/v1/run", with(`"episodes":0`), 400, "/episodes", "out of range"},
		{"no specs", "POST", "/v1/runs", "", 400, "", "no spec"},
		{"no requests", "POST", "/v1/batch", "", 400, "", "no request"},
		{"no path", "POST", "/v1/batch", `{"body":"{}"}`, 400, "/path", "missing"},
		{"an address that is no path", "POST", "/v1/batch", batch(":", ""), 400, "/path", "not a path"},
		{"no episodes in the first", "POST", "/v1/runs", strings.Join(strings.Fields(with(`"episodes":0`)), " ") + "\n" + strings.Join(strings.Fields(small), " "), 400, "/episodes", "out of range"},
		{"too many runs", "POST", "/v1/check", with(`"runs":1000000000`), 400, "/runs", "out of range"},
		{"a text for a number", "POST", "/v1/check", with(`"seed":"x"`), 400, "/seed", "whole number"},
		{"unknown agent", "POST", "/v1/check", with(`"agents":["q"]`), 400, "/agents/0", "unknown"},
		{"a long text", "POST", "/v1/check", `{"format":"cpsrl/spec","version":1,"domain":{"name":"model","model":{"format":"cpsrl/model","version":1,"horizon":1,` +
			`"state":[{"name":"a","size":1}],"action":[{"name":"b","size":1}],"initial":"x` + strings.Repeat("é", 40) + `","transition":[{"of":"a","given":[],"p":[[1]]}],"reward":[]}}}`,
			400, "/domain/model/initial", "found \"x" + strings.Repeat("é", 19)},
		{"horizon", "POST", "/v1/check", `{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi","horizon":1000000}}`, 400, "/domain/horizon", "out of range"},
		{"no run", "POST", "/v1/trace?agent=psrl&episode=1", small, 400, "", "whole number"},
		{"no such episode", "POST", "/v1/trace?agent=psrl&run=2&episode=6", small, 400, "", "there is no episode 6"},
		{"not records", "POST", "/v1/summary", "{}\n", 400, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := ask(test.method, test.path, test.body)
			if got := w.Header().Get("Content-Type"); w.Code != test.status || got != "application/problem+json" {
				t.Fatalf("status %d, %s: %s", w.Code, got, w.Body)
			}
			var p Details
			if err := json.Unmarshal(w.Body.Bytes(), &p, json.RejectUnknownMembers(true)); err != nil {
				t.Fatal(err)
			}
			if p.Status != test.status || p.Title != http.StatusText(test.status) || p.Detail == "" {
				t.Errorf("problem %+v", p)
			}
			if test.pointer != "" && p.Pointer != test.pointer {
				t.Errorf("pointer %q, want %q", p.Pointer, test.pointer)
			}
			if !strings.Contains(p.Detail, test.detail) {
				t.Errorf("detail %q lacks %q", p.Detail, test.detail)
			}
		})
	}
}

// cut splits the records of a file from their header.
func cut(t *testing.T, file []byte) (header, records []byte) {
	t.Helper()
	end := bytes.IndexByte(file, '\n') + 1
	if end == 0 {
		t.Fatal("no header")
	}
	return file[:end], file[end:]
}

// Oracle: Experiment.Run. The records of single jobs, joined, are those of the whole.
func TestRun(t *testing.T) {
	w := ask("POST", "/v1/run", small)
	if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != "application/jsonl" {
		t.Fatalf("status %d, %s", w.Code, got)
	}
	s := specOf(t, small)
	header, records := cut(t, w.Body.Bytes())
	if want := experiment.AppendHeader(nil, ready(t, s).Header()); !bytes.Equal(header, want) {
		t.Errorf("header %s, want %s", header, want)
	}
	var want []byte
	for r, err := range ready(t, s).Run() {
		if err != nil {
			t.Fatal(err)
		}
		want = record.AppendRecord(want, r)
	}
	if !bytes.Equal(records, want) {
		t.Error("the records differ from Run's")
	}
	var joined []byte
	for run := range s.Runs {
		for _, agent := range s.Agents {
			job := s.Clone()
			job.FirstRun, job.Runs, job.Agents = s.FirstRun+run, 1, []string{agent}
			_, part := cut(t, ask("POST", "/v1/run", string(spec.Encode(job))).Body.Bytes())
			joined = append(joined, part...)
		}
	}
	if !bytes.Equal(joined, want) {
		t.Error("the jobs' records, joined, differ from the whole")
	}
}

// gone is a client that leaves after the first bytes.
type gone struct {
	*httptest.ResponseRecorder
	writes int
}

func (g *gone) Write([]byte) (int, error) {
	g.writes++
	return 0, io.ErrClosedPipe
}

func TestRunStopsWithItsReader(t *testing.T) {
	long := strings.Replace(small, `"episodes":5`, `"episodes":100000`, 1)
	w := &gone{ResponseRecorder: httptest.NewRecorder()}
	web.Handler(Handler()).ServeHTTP(w, httptest.NewRequest("POST", "/v1/run", strings.NewReader(long)))
	if w.writes != 1 {
		t.Errorf("%d writes to a reader that has gone", w.writes)
	}
}

// streams holds the requests that answer line by line. The answer to a line is that of a
// single request, between a begin and an end.
var streams = []struct {
	path, end string
	lines     []streamed
}{
	{"/v1/runs", "\n", []streamed{alone(oneLine(small)), alone(oneLine(strings.Replace(small, `"seed":7`, `"seed":8`, 1))), alone(oneLine(small))}},
	{"/v1/batch", "\x00", []streamed{
		part(200, "/v1/chart", twoLines),
		part(200, "/v1/check", small),
		part(400, "/v1/check", strings.Replace(small, `"episodes":5`, `"episodes":0`, 1)),
		part(200, "/v1/link", `{"spec":`+small+`}`),
		part(200, "/v1/open", `{"link":"#v=1&domain=taxi&prior=row:col&watch=0,1"}`),
		part(200, "/v1/prior", `{"spec":`+small+`,"text":"X1 -> X2"}`),
		part(200, "/v1/chart?as=pgfplots", twoLines),
		part(404, "/v1/nothing", ""),
		part(200, "/v1/chart", twoLines),
	}},
}

// streamed is a line of a stream, and the single request whose answer it gets.
type streamed struct {
	line, begin, path, body string
	status                  int
}

func alone(spec string) streamed { return streamed{spec, "", "/v1/run", spec, 200} }

func part(status int, path, body string) streamed {
	return streamed{batch(path, body), fmt.Sprintf("%d ", status), path, body, status}
}

// batch returns a line of a batch.
func batch(path, body string) string {
	line, err := json.Marshal(map[string]string{"path": path, "body": body})
	if err != nil {
		panic(err)
	}
	return string(line)
}

func oneLine(document string) string { return strings.Join(strings.Fields(document), " ") }

// Oracle: single requests. Each line is sent after the answer to the line before it has
// arrived.
func TestStreams(t *testing.T) {
	for _, stream := range streams {
		told, tell := io.Pipe()
		heard, hear := io.Pipe()
		go func() {
			w := &piped{httptest.NewRecorder(), hear}
			web.Handler(Handler()).ServeHTTP(w, httptest.NewRequest("POST", stream.path, told))
			hear.Close()
		}()
		answer := bufio.NewReader(heard)
		for i, line := range stream.lines {
			if _, err := io.WriteString(tell, line.line+"\n"); err != nil {
				t.Fatal(err)
			}
			one := ask("POST", line.path, line.body)
			if one.Code != line.status {
				t.Fatal(one.Code, one.Body)
			}
			want := line.begin + one.Body.String() + stream.end
			got := make([]byte, len(want))
			if _, err := io.ReadFull(answer, got); err != nil || string(got) != want {
				t.Fatalf("%s, line %d: %v, %.100q, which is not the answer of %s", stream.path, i, err, got, line.path)
			}
		}
		tell.Close()
		if rest, err := io.ReadAll(answer); err != nil || len(rest) > 0 {
			t.Errorf("%s: %q, %v after the last", stream.path, rest, err)
		}
	}
}

// piped is a response whose body goes into a pipe.
type piped struct {
	*httptest.ResponseRecorder
	to io.Writer
}

func (p *piped) Write(data []byte) (int, error) { return p.to.Write(data) }

// An answer is cut off if a later line is refused.
func TestStreamsRefuseLate(t *testing.T) {
	for _, stream := range streams {
		func() {
			defer func() {
				if got := recover(); got != http.ErrAbortHandler {
					t.Errorf("%s ended with %v", stream.path, got)
				}
			}()
			ask("POST", stream.path, stream.lines[0].line+"\nnonsense\n")
		}()
	}
}

// A run that fails before it has a record is refused in words. This spec can begin to run,
// but its agent samples a graph that is too costly to plan in.
func TestRunFailsInWords(t *testing.T) {
	costly := `{"format":"cpsrl/spec","version":2,"domain":{"name":"random-fmdp","stateVariables":18,"actionVariables":1,"parents":1,"horizon":1},` +
		`"sparseness":5,"prior":{"eta":1},"agents":["c-psrl"],"episodes":1,"runs":1,"seed":1}`
	if w := ask("POST", "/v1/check", costly); w.Code != http.StatusOK {
		t.Fatalf("/v1/check: %d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/v1/run", "/v1/runs", "/v1/episodes?run=0&agent=c-psrl&last=1"} {
		w := ask("POST", path, costly)
		if w.Code != http.StatusBadRequest || w.Header().Get("Content-Type") != "application/problem+json" || !strings.Contains(w.Body.String(), "multiplications a step, more than") {
			t.Errorf("%s: %d %s %.200s", path, w.Code, w.Header(), w.Body)
		}
	}
}

// A batch may not hold requests that answer for a long time, or other batches.
func TestBatchOfStreams(t *testing.T) {
	for _, path := range []string{"/v1/run", "/v1/batch", "/v1/presets"} {
		got := ask("POST", "/v1/batch", batch(path, small)).Body.String()
		if !strings.HasPrefix(got, "400 ") || !strings.Contains(got, path+" cannot be part of a batch") || !strings.HasSuffix(got, "\x00") {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// snapshots decodes the answer of /v1/summary.
func snapshots(t *testing.T, w *httptest.ResponseRecorder) []snapshotJSON {
	t.Helper()
	if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != "application/jsonl" {
		t.Fatalf("status %d, %s: %s", w.Code, got, w.Body)
	}
	var list []snapshotJSON
	for line := range strings.Lines(w.Body.String()) {
		var s snapshotJSON
		if err := json.Unmarshal([]byte(line), &s, json.RejectUnknownMembers(true)); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// snapshotJSON is the JSON of a Snapshot.
type snapshotJSON struct {
	Records     int                 `json:"records"`
	Runs        int                 `json:"runs"`
	Final       bool                `json:"final"`
	Fingerprint string              `json:"fingerprint"`
	Conclusion  string              `json:"conclusion"`
	Conclusions map[string]string   `json:"conclusions"`
	Series      []seriesJSON        `json:"series"`
	Paired      []seriesJSON        `json:"paired"`
	Discovery   []results.Discovery `json:"discovery"`
	Learned     []results.Learned   `json:"learned"`
	LearnedIn   string              `json:"learnedIn"`
}

type seriesJSON struct {
	Agent      string     `json:"agent"`
	Base       string     `json:"base"`
	Measure    string     `json:"measure"`
	Mean       []float64  `json:"mean"`
	Lo         []*float64 `json:"lo"`
	Hi         []*float64 `json:"hi"`
	N          []int      `json:"n"`
	Conclusion string     `json:"conclusion"`
	Verdict    string     `json:"verdict"`
}

// Oracle: results.Summary.
func TestSummary(t *testing.T) {
	file := ask("POST", "/v1/run", small).Body.Bytes()
	list := snapshots(t, ask("POST", "/v1/summary", string(file)))
	last := list[len(list)-1]
	_, records := cut(t, file)
	if want := fmt.Sprintf("%x", sha256.Sum256(records)); !last.Final || last.Fingerprint != want {
		t.Errorf("final %v, fingerprint %s, want %s", last.Final, last.Fingerprint, want)
	}
	if last.Runs != 3 || last.Records != 3*2*5 {
		t.Errorf("%d runs, %d records", last.Runs, last.Records)
	}
	s := specOf(t, small)
	summary := results.NewSummary(ready(t, s))
	has := map[string]map[string]bool{} // by agent, the measures that its records have
	for r := range ready(t, s).Run() {
		summary.Add(r)
		for _, m := range results.Measures() {
			if _, is := m.Of(r, summary.Truth(r.Run)); is {
				if has[r.Agent] == nil {
					has[r.Agent] = map[string]bool{}
				}
				has[r.Agent][m.Key] = true
			}
		}
	}
	if last.Conclusion != summary.Conclusion() {
		t.Errorf("conclusion %q", last.Conclusion)
	}
	got := 0
	for _, measure := range results.Measures() {
		for _, c := range summary.Curves(measure) {
			for _, s := range last.Series {
				if s.Agent != c.Agent || s.Measure != measure.Key {
					continue
				}
				for k, p := range c.Points {
					if s.Mean[k] != p.Mean || *s.Lo[k] != p.Lo || *s.Hi[k] != p.Hi || s.N[k] != p.N || p.Episode != k+1 {
						t.Errorf("%s of %s in episode %d differs", measure.Key, c.Agent, k+1)
					}
					got++
				}
			}
		}
	}
	reports, err := summary.Discovery()
	if err != nil || fmt.Sprint(last.Discovery) != fmt.Sprint(reports) || len(last.Discovery) != 1 {
		t.Errorf("discovery %+v", last.Discovery)
	}
	if len(last.Paired) != len(has["psrl"]) || len(last.Conclusions) != len(has["c-psrl"]) || len(has["psrl"]) < 5 {
		t.Errorf("%d differences, %d conclusions", len(last.Paired), len(last.Conclusions))
	}
	for _, d := range last.Paired {
		measure, _ := results.LookupMeasure(d.Measure)
		difference := summary.Paired(measure, experiment.Pair{Agent: d.Agent, Base: d.Base}, summary)
		if d.Agent != "c-psrl" || d.Base != "psrl" || len(d.Mean) != 5 || !strings.Contains(d.Conclusion, "C-PSRL minus PSRL") {
			t.Errorf("difference %+v", d)
		}
		for k, p := range difference.Points {
			if d.Mean[k] != p.Mean || *d.Lo[k] != p.Lo || *d.Hi[k] != p.Hi || d.N[k] != 3 {
				t.Errorf("the difference of %s in episode %d differs", d.Measure, k+1)
			}
		}
	}
	if want := (len(has["psrl"]) + len(has["c-psrl"])) * 5; got != want || want < 75 { // 5 episodes each
		t.Errorf("%d points, want %d", got, want)
	}
}

// A stream that is cut off anywhere counts the whole runs before the cut.
func TestSummaryWholeRuns(t *testing.T) {
	header, records := cut(t, ask("POST", "/v1/run", small).Body.Bytes())
	lines := bytes.SplitAfter(records, []byte("\n"))
	lines = lines[:len(lines)-1]
	for _, test := range []struct {
		lines, extra, runs int // whole lines, bytes of the next, runs that count
	}{
		{0, 0, 0}, {0, 9, 0}, {3, 0, 0}, {9, 50, 0}, {10, 0, 1}, {10, 20, 1}, {19, 0, 1}, {20, 1, 2}, {29, 30, 2}, {30, 0, 3},
	} {
		body := append(bytes.Clone(header), bytes.Join(lines[:test.lines], nil)...)
		if test.extra > 0 {
			body = append(body, lines[test.lines][:test.extra]...)
		}
		list := snapshots(t, ask("POST", "/v1/summary", string(body)))
		last := list[len(list)-1]
		want := fmt.Sprintf("%x", sha256.Sum256(bytes.Join(lines[:10*test.runs], nil)))
		if !last.Final || last.Runs != test.runs || last.Fingerprint != want {
			t.Errorf("cut after %d lines and %d bytes: %d runs, want %d", test.lines, test.extra, last.Runs, test.runs)
		}
		if (len(last.Series) == 0) != (test.runs == 0) || (last.Conclusion == "") != (test.runs == 0) {
			t.Errorf("cut after %d lines: %d series, conclusion %q", test.lines, len(last.Series), last.Conclusion)
		}
	}
}

func TestSummaryRefusals(t *testing.T) {
	// However slow the machine, nothing is sent before the refusal.
	defer func(d time.Duration) { snapshotTime = d }(snapshotTime)
	snapshotTime = time.Hour
	header, records := cut(t, ask("POST", "/v1/run", small).Body.Bytes())
	lines := strings.SplitAfter(string(records), "\n")
	swapped := string(header) + lines[1] + lines[0]
	for name, body := range map[string]string{
		"out of order":   swapped,
		"too many":       string(header) + string(records) + lines[0],
		"not a record":   string(header) + "[]\n",
		"other engine":   strings.Replace(string(header), `"engine":2`, `"engine":1`, 1) + string(records),
		"without header": string(records),
	} {
		if w := ask("POST", "/v1/summary", body); w.Code != http.StatusBadRequest {
			t.Errorf("%s: status %d: %.200s", name, w.Code, w.Body)
		}
	}
	long := string(header) + `{"run":` + strings.Repeat(" ", strict.MaxLine) + "0}\n"
	refused(t, ask("POST", "/v1/summary", long), http.StatusRequestEntityTooLarge, "", "line 2: the line is longer")
}

// TestPace counts the snapshots of a minute in which a run becomes whole every second, with
// a simulated clock.
func TestPace(t *testing.T) {
	for _, test := range []struct {
		name        string
		slow        int           // the number of first snapshots that take a second
		then        time.Duration // the time that the others take
		first       time.Duration // the latest time at which the first whole run is shown
		least, most int           // the number of snapshots
	}{
		{"warm from the start", 0, time.Millisecond, time.Second, 59, 59},
		{"slow at first, as in WebKit", 5, time.Millisecond, 2 * time.Second, 30, 59},
		{"slow all the time", 60, 0, 2 * time.Second, 5, 8},
	} {
		var now, sent, shown time.Duration
		p, snapshots := pace{wait: snapshotTime}, 0
		for now = 100 * time.Millisecond; now < time.Minute; now += 100 * time.Millisecond {
			runs := int(now / time.Second)
			if runs > 0 && now%time.Second >= 100*time.Millisecond && runs <= int(sent/time.Second) || !p.due(now-sent, runs) {
				continue // nothing has changed, or it is not due
			}
			took := test.then
			if snapshots < test.slow {
				took = time.Second
			}
			if runs > 0 && shown == 0 {
				shown = now
			}
			now += took.Truncate(100 * time.Millisecond)
			sent = now
			p.made(took, runs)
			if runs > 0 {
				snapshots++
			}
		}
		if shown > test.first || snapshots < test.least || snapshots > test.most {
			t.Errorf("%s: the first whole run after %v, then %d snapshots, want %d to %d", test.name, shown, snapshots, test.least, test.most)
		}
	}
}

// A snapshot shows the unfinished first run, but no later unfinished run.
func TestSnapshotOfFirstRun(t *testing.T) {
	_, records := cut(t, ask("POST", "/v1/run", small).Body.Bytes())
	lines := bytes.SplitAfter(records, []byte("\n"))
	header := experiment.AppendHeader(nil, ready(t, specOf(t, small)).Header())
	counted := func(lines [][]byte) (*tally, iter.Seq2[*results.Line, error]) {
		tally, err := newTally(t.Context(), bytes.NewReader(slices.Concat(header, bytes.Join(lines, nil))), false)
		if err != nil {
			t.Fatal(err)
		}
		return tally, tally.All()
	}
	tally, all := counted(lines[:14])
	k := 0
	for line, err := range all {
		if err == nil {
			err = tally.add(line)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := tally.snapshot()
		switch {
		case k == 3 && (s.Runs != 0 || len(s.Series[0].Mean) != 4 || !math.IsNaN(float64(s.Series[0].Lo[0])) || s.Conclusion != ""):
			t.Errorf("within the first run: %+v", s)
		case k == 13 && (s.Runs != 1 || len(s.Series[0].Mean) != 5 || s.Series[0].N[0] != 1 || s.Conclusion == ""):
			t.Errorf("within the second run: %+v", s)
		}
		k++
	}
	if k != 14 {
		t.Errorf("%d lines were read", k)
	}

	// A record without its belief is refused at its line.
	bare, _, _ := bytes.Cut(lines[6], []byte(`,"belief"`))
	_, all = counted(append(append(lines[:6:6], append(bare, "}\n"...)), lines[7:10]...))
	k = 0
	for _, err := range all {
		if k++; (err != nil) != (k == 7) {
			t.Errorf("line %d, after one without a belief: %v", k, err)
		}
	}
}

func TestTrace(t *testing.T) {
	w := ask("POST", "/v1/trace?run=3&agent=c-psrl&episode=2", small)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	want, err := ready(t, specOf(t, small)).Trace(t.Context(), 3, "c-psrl", 2)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSpace(w.Body.Bytes()), bytes.TrimSpace(record.EncodeTrace(want))) {
		t.Error("the trace differs from Experiment.Trace's")
	}
}

// No episode is played for a client that has left.
func TestTraceEndsWithItsReader(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequest("POST", "/v1/trace?run=0&agent=psrl&episode=100000", strings.NewReader(
		`{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["psrl"],"episodes":100000}`))
	leave()
	w := httptest.NewRecorder()
	web.Handler(Handler()).ServeHTTP(w, r.WithContext(ctx))
	if !strings.Contains(w.Body.String(), context.Canceled.Error()) {
		t.Errorf("status %d: %.200s", w.Code, w.Body)
	}
}

// A stream that fails after its first byte panics with http.ErrAbortHandler, so net/http
// cuts the connection off and logs nothing.
func TestCutOff(t *testing.T) {
	defer func(d time.Duration) { snapshotTime = d }(snapshotTime)
	snapshotTime = 0
	records := ask("POST", "/v1/run", small).Body.String()
	w := httptest.NewRecorder()
	defer func() {
		if reason := recover(); reason != http.ErrAbortHandler || w.Body.Len() == 0 {
			t.Errorf("after %d bytes: %v", w.Body.Len(), reason)
		}
	}()
	web.Handler(Handler()).ServeHTTP(w, httptest.NewRequest("POST", "/v1/summary", strings.NewReader(records+"[]\n")))
}
