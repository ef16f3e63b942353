package engine

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/format"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// quote returns a JSON string.
func quote(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// refused checks that a request is answered by a problem with that status,
// pointer and a part of its sentence.
func refused(t *testing.T, w *httptest.ResponseRecorder, status int, pointer, detail string) {
	t.Helper()
	var p Details
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%v in %.200s", err, w.Body)
	}
	if w.Code != status || p.Status != status || p.Pointer != pointer || !strings.Contains(p.Detail, detail) {
		t.Errorf("status %d, pointer %q, %q; want %d, %q, %q", w.Code, p.Pointer, p.Detail, status, pointer, detail)
	}
}

const fingerprint = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// What a physician says of sepsis is the domain's own prior, with reasons, and the kinds of ends have names.
func TestCheckOfSuggestions(t *testing.T) {
	p := answerOf[checked](t, ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":4,"domain":{"name":"sepsis","diabetic":"hidden"}}`)).Problem
	vaso := Reason{From: "vaso", To: "pressure", P: .95, Why: "Vasopressors raise blood pressure."}
	if !slices.Contains(p.Suggestions, vaso) || !slices.Contains(p.Suggested, document.Edge{From: "vaso", To: "pressure", P: .95}) {
		t.Errorf("%v, %v", p.Suggested, p.Suggestions)
	}
	if !slices.Equal(p.Ends, []string{"death", "discharge"}) || p.Caveat == "" {
		t.Errorf("ends %v, caveat %q", p.Ends, p.Caveat)
	}
	// Whoever writes the same edges as a list has the same prior.
	edges, _ := json.Marshal(p.Suggested)
	again := answerOf[checked](t, ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":4,"domain":{"name":"sepsis","diabetic":"hidden"},"prior":{"edges":`+string(edges)+`}}`)).Problem
	if !reflect.DeepEqual(again.Parents, p.Parents) {
		t.Errorf("%v, %v", again.Parents, p.Parents)
	}
}

// The numbers of the prior editor, by hand: taxi 5×5 has d_X = 5, all ≤ Z = 5,
// so |𝒵_j| = 2^(5−|z_0,j|).
func TestCheckOfPrior(t *testing.T) {
	got := answerOf[checked](t, ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"},
		"prior":{"edges":[["row","row"],["move","row"],["col","row"]]},"episodes":400,"runs":20,"seed":1}`))
	p := got.Problem
	if p.Parents[0].Count != "4" || p.Parents[0].CountWithoutPrior != "32" || p.Parents[1].Count != "32" {
		t.Errorf("counts %+v", p.Parents)
	}
	if p.Eta != 0 || p.Sparseness != 5 || p.Consistent != fmt.Sprint(4*32*32*32) || p.ConsistentWithoutPrior != fmt.Sprint(32*32*32*32) {
		t.Errorf("η %d, Z %d, %s, %s", p.Eta, p.Sparseness, p.Consistent, p.ConsistentWithoutPrior)
	}
	if want := [][2]string{{"col", "row"}}; !reflect.DeepEqual(p.Misspecified, want) {
		t.Errorf("misspecified %v", p.Misspecified)
	}
	if len(p.Truth) != 2+3+5+1 || len(p.Suggested) != 2+3+2+1 || !slices.Contains(p.Truth, [2]string{"row", "col"}) || !slices.Contains(p.Suggested, document.Edge{From: "row", To: "col", P: 1}) || p.Suggestions != nil {
		t.Errorf("truth %v, suggested %v", p.Truth, p.Suggested)
	}
	// At η = 1 the first parent of each; at 5 all.
	if len(p.Revealed) != 6 || len(p.Revealed[0]) != 0 || len(p.Revealed[1]) != 4 || !reflect.DeepEqual(p.Revealed[5], p.Truth) {
		t.Errorf("revealed %v", p.Revealed)
	}
	if len(p.Rate) != 0 || p.RateSilent != "Theorem 1 says nothing here: the prior knows the edge col → row, which is not true." {
		t.Errorf("rate %v, %q", p.Rate, p.RateSilent)
	}
	// N = 6: 15^2.5 · 6^3.5 · 4 · √400 and √(15 · 2^5 · 400).
	rate := answerOf[checked](t, ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"},"prior":{"edges":[]},"episodes":400}`)).Problem.Rate
	if got := fmt.Sprintf("%.6g %.6g", rate[0].Value, rate[1].Value); got != "3.68848e+07 438.178" {
		t.Errorf("rate %s", got)
	}
	if got.Link != "v=1&prior=row:col,move,row&domain=taxi" {
		t.Errorf("link %s", got.Link)
	}
	if c := got.Cost; !c.AutoRun || c.Operations <= 0 || c.Seconds != c.Operations/experiment.Browser || len(c.Episodes) != len(got.Header.Spec.Agents) || c.Episodes[0] <= 0 {
		t.Errorf("cost %+v", c)
	}
	at := slices.IndexFunc(got.Fields, func(f spec.Field) bool { return f.Place == "/domain/horizon" })
	if f := got.Fields[at]; *f.Min != 1 || *f.Max != 16384 || f.Default != 15.0 {
		t.Errorf("horizon %+v", f)
	}
}

func TestLinkAndOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	type opened struct {
		Spec    *spec.Spec    `json:"spec"`
		Link    string        `json:"link"`
		Receipt *spec.Receipt `json:"receipt"`
		View    spec.View     `json:"view"`
		Unknown []string      `json:"unknown"`
		Cost    Cost          `json:"cost"`
		Checked *Checked      `json:"checked"`
	}
	type linked struct {
		Link string `json:"link"`
	}
	for _, p := range experiment.Presets() {
		body := `{"spec":` + string(spec.Encode(p.Spec)) + `,"receipt":{"engine":1,"fingerprint":"` + fingerprint + `"},"unknown":["later=x"]}`
		link := answerOf[linked](t, ask("POST", "/v1/link", body)).Link
		for _, text := range []string{link, "#" + link, "https://example.org/play/?embed=1#" + link, " " + link + "\n"} {
			got := answerOf[opened](t, ask("POST", "/v1/open", `{"link":`+quote(t, text)+`}`))
			if got.Link != link || !reflect.DeepEqual(got.Spec, p.Spec) || *got.Receipt != (spec.Receipt{Engine: 1, Fingerprint: fingerprint}) || !slices.Equal(got.Unknown, []string{"later=x"}) || !got.Cost.AutoRun && !p.Gallery {
				t.Errorf("%s: %q opens as %+v", p.Name, text, got)
			}
		}
	}
	mended := answerOf[Opened](t, ask("POST", "/v1/open", `{"link":"v=1&domain=taxi&grid=3x3&z=1"}`))
	if mended.Checked != nil || mended.Cost.Operations != 0 {
		t.Errorf("a spec that a form can mend opens as %+v", mended)
	}
	for _, c := range [][2]string{{"v=1&domain=taxi", ""}, {"#v=1&amp;domain=taxi).", "The link was changed on its way: &amp; is read as &; what stands behind it is left out."}} {
		if got := answerOf[Opened](t, ask("POST", "/v1/open", `{"link":`+quote(t, c[0])+`}`)); got.Link != "v=1&domain=taxi" || got.Repaired != c[1] {
			t.Errorf("%s opens as %+v", c[0], got)
		}
	}
	got := answerOf[opened](t, ask("POST", "/v1/open", `{"link":"v=1&domain=random-fmdp&episodes=100000&runs=10000"}`))
	if got.Cost.AutoRun || got.Receipt != nil || got.Unknown == nil {
		t.Errorf("%+v", got)
	}
}

// A view goes through a link and back. An unknown measure is reported as unknown, and the
// experiment opens.
func TestLinkAndOpenView(t *testing.T) {
	view := spec.View{Measure: "model-error", LogY: true, Watched: &spec.Watched{Run: 3, Episode: 40}}
	link := answerOf[Linked](t, ask("POST", "/v1/link", `{"spec":{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"runs":4,"seed":1},"view":{"measure":"model-error","logY":true,"watched":{"run":3,"episode":40}}}`)).Link
	if want := "v=1&domain=figure1&episodes=100&runs=4&measure=model-error&log=y&watch=3,40"; link != want {
		t.Errorf("got %s, want %s", link, want)
	}
	for _, test := range []struct {
		link, canonical string
		view            spec.View
		unknown         []string
	}{
		{link, link, view, nil},
		{"v=1&domain=taxi&measure=beauty&log=x", "v=1&measure=beauty&domain=taxi&log=x", spec.View{LogX: true}, []string{"measure=beauty"}},
		{"v=1&heading=a%E2%80%AEb&note=%20One%0Aof%20three?&domain=taxi", "v=1&heading=ab&note=One%20of%20three%3F&domain=taxi", spec.View{Heading: "ab", Note: "One of three?"}, nil},
		{"v=1&heading=" + strings.Repeat("a", 81) + "&domain=taxi", "v=1&heading=" + strings.Repeat("a", 81) + "&domain=taxi", spec.View{}, []string{"heading=" + strings.Repeat("a", 81)}},
		{"v=1&domain=taxi&measure=" + results.CumulativeRegret().Key, "v=1&domain=taxi", spec.View{}, nil},
	} {
		got := answerOf[Opened](t, ask("POST", "/v1/open", `{"link":`+quote(t, test.link)+`}`))
		if got.Link != test.canonical || !reflect.DeepEqual(got.View, test.view) || !slices.Equal(got.Unknown, test.unknown) {
			t.Errorf("%s opens as %+v", test.link, got)
		}
	}
}

func TestLinkRefusals(t *testing.T) {
	figure1 := `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"}}`
	for _, test := range []struct{ path, body, pointer, detail string }{
		{"/v1/open", `{"link":"https://example.org/"}`, "/link", "no fragment"},
		{"/v1/open", `{"link":"v=8&domain=taxi"}`, "/link", "version"},
		{"/v1/open", `{"link":"v=1&domain=taxi&runs=1000000000"}`, "/link", "runs: 1000000000 is out of range"},
		{"/v1/open", `{"link":"v=1&domain=random-fmdp&states=40&values=1000"}`, "/link", "state-action pairs"},
		{"/v1/open", `{"link":"v=1&x=` + strings.Repeat("a", spec.MaxLink) + `"}`, "/link", "more than"},
		{"/v1/open", `{"link":"v=1","x":1}`, "/x", "unknown field"},
		{"/v1/open", `{}`, "/link", "missing"},
		{"/v1/link", `{"spec":{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi","horizon":-1}}}`, "/spec/domain/horizon", "out of range"},
		{"/v1/link", `{"spec":` + figure1 + `,"receipt":{"engine":0,"fingerprint":"` + fingerprint + `"}}`, "/receipt/engine", "at least 1"},
		{"/v1/link", `{"spec":` + figure1 + `,"receipt":{"engine":1,"fingerprint":"xyz"}}`, "/receipt/fingerprint", "hexadecimal"},
		{"/v1/link", `{"spec":` + figure1 + `,"unknown":["no pair"]}`, "", "no link"},
		{"/v1/link", `{"spec":` + figure1 + `,"unknown":["domain=taxi"]}`, "", "no link"},
		{"/v1/link", `{"spec":` + figure1 + `,"view":{"measure":"beauty"}}`, "/view/measure", "\"beauty\" is not the key of a measure"},
		{"/v1/link", `{"spec":` + figure1 + `,"view":{"watched":{"run":7,"episode":1}}}`, "/view", "does not suit the spec"},
		{"/v1/link", `{"spec":` + figure1 + `,"view":{"heading":"` + strings.Repeat("é", 81) + `"}}`, "/view/heading", "the heading has 81 characters, more than 80"},
		{"/v1/link", `{"spec":` + figure1 + `,"view":{"note":"a\u202eb"}}`, "/view/note", "the note has the character U+202E, which cannot be seen"},
		{"/v1/link", `{"spec":` + figure1 + `,"view":{"size":1}}`, "/view/size", "unknown field"},
	} {
		t.Run(test.detail, func(t *testing.T) {
			refused(t, ask("POST", test.path, test.body), http.StatusBadRequest, test.pointer, test.detail)
		})
	}
}

// A pair that an earlier spec could not hold is left out once the spec can: the link is of what is
// shown.
func TestLinkOfOutgrownPair(t *testing.T) {
	const figure1 = `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"seed":1,"episodes":EPISODES,"runs":1}`
	for episodes, want := range map[string]string{
		"4":  "v=1&measure=beauty&watch=0,9&zest=1&domain=figure1&episodes=4&runs=1",
		"20": "v=1&measure=beauty&zest=1&domain=figure1&episodes=20&runs=1",
	} {
		body := `{"spec":` + strings.Replace(figure1, "EPISODES", episodes, 1) + `,"unknown":["measure=beauty","watch=0,9","zest=1"]}`
		if got := answerOf[Linked](t, ask("POST", "/v1/link", body)); got.Link != want {
			t.Errorf("%s episodes: %s", episodes, got.Link)
		}
	}
	body := `{"spec":` + strings.Replace(figure1, "EPISODES", "4", 1) + `,"unknown":["seed=7"]}`
	if got := answerOf[Linked](t, ask("POST", "/v1/link", body)); got.Link != "v=1&domain=figure1&episodes=4&runs=1" {
		t.Error(got.Link)
	}
}

// For each cell of the prior, /v1/check says whether the edge is known, likely with a
// probability, forbidden or, if it is in no list, unknown.
func TestCheckOfSoftPrior(t *testing.T) {
	checked := answerOf[Checked](t, ask("POST", "/v1/check", `{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi","grid":"3x3"},
		"prior":{"edges":[["row","row"],["move","row",0.9],["col","row",0],["move","col",0]]}}`))
	p := checked.Problem
	if got, want := fmt.Sprintf("%+v %+v %v", p.Parents[:2], p.Excluded, p.Misspecified),
		"[{Of:row Sparseness:0 Known:[row] Likely:[{Name:move P:0.9}] Forbidden:[col] Count:8 CountWithoutPrior:32} {Of:col Sparseness:0 Known:[] Likely:[] Forbidden:[move] Count:16 CountWithoutPrior:32}] [[move col]] []"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if want := "v=2&prior=col:!move;row:!col,move~.9,row&domain=taxi&grid=3x3&episodes=100&runs=1&seed=0"; checked.Link != want {
		t.Errorf("the link is %s, want %s", checked.Link, want)
	}
}

func TestPrior(t *testing.T) {
	type priors struct {
		Edges   [][2]string    `json:"edges"`
		Errors  []format.Error `json:"errors"`
		Text    string         `json:"text"`
		DOT     string         `json:"dot"`
		TikZ    string         `json:"tikz"`
		DAGitty string         `json:"dagitty"`
	}
	// The spec's own prior is not used, although it is inconsistent.
	spec := `"spec":{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"},"sparseness":1,"prior":{"edges":[["row","row"],["col","row"]]}}`
	want := [][2]string{{"row", "row"}, {"move", "row"}, {"col", "col"}}
	const canonical = "row -> row\nmove -> row\ncol -> col\n"
	prior := `{"format":"cpsrl/prior","version":1,"state":[{"name":"row","size":2},{"name":"col","size":2}],"action":[{"name":"move","size":2}],"sparseness":2,
		"edges":[["row","row"],["move","row"],["col","col"]]}`
	for _, with := range []string{
		`"text":` + quote(t, "# mine\ncol->col\n\n  move -> row # known\nrow -> row"),
		`"edges":[["row","row"],["move","row"],["col","col"]]`,
		`"prior":` + prior,
	} {
		got := answerOf[priors](t, ask("POST", "/v1/prior", `{`+spec+`,`+with+`}`))
		if !reflect.DeepEqual(got.Edges, want) || len(got.Errors) != 0 || got.Text != canonical {
			t.Errorf("%.30s: %+v", with, got)
		}
		if !strings.HasPrefix(got.DOT, "digraph") || !strings.Contains(got.TikZ, "tikzpicture") || !strings.HasPrefix(got.DAGitty, "dag {") {
			t.Errorf("%.30s: %+v", with, got)
		}
	}
	type softPriors struct {
		Edges   []document.Edge `json:"edges"`
		Errors  []format.Error  `json:"errors"`
		Text    string          `json:"text"`
		DOT     string          `json:"dot"`
		TikZ    string          `json:"tikz"`
		DAGitty string          `json:"dagitty"`
	}
	soft := answerOf[softPriors](t, ask("POST", "/v1/prior", `{`+spec+`,"edges":[["col","row",0],["row","row",0.9],["move","row",0.5]]}`))
	if !reflect.DeepEqual(soft.Edges, []document.Edge{{From: "row", To: "row", P: 0.9}, {From: "col", To: "row", P: 0}}) || soft.Text != "row -> row .9\n!col -> row\n" ||
		!strings.Contains(soft.DOT, `label=".9"`) || !strings.Contains(soft.TikZ, "{.9}") || !strings.Contains(soft.DAGitty, `beta=".9"`) {
		t.Errorf("%+v", soft)
	}
	// A graph that the page shows can be pasted back. DAGitty states no forbidden edge.
	for text, edges := range map[string]int{soft.DOT: 2, soft.DAGitty: 1} {
		back := answerOf[softPriors](t, ask("POST", "/v1/prior", `{`+spec+`,"text":`+quote(t, text)+`}`))
		if !reflect.DeepEqual(back.Edges, soft.Edges[:edges]) || len(back.Errors) != 0 {
			t.Errorf("%s was read as %+v", text, back)
		}
	}
	refused(t, ask("POST", "/v1/prior", `{`+spec+`,"edges":[["row","row",2]]}`), 400, "/edges/0/2", "not a probability")
	got := answerOf[priors](t, ask("POST", "/v1/prior", `{`+spec+`,"text":`+quote(t, "row -> row\nrow > col\ncol -> move\n")+`}`))
	if len(got.Edges) != 1 || !reflect.DeepEqual(got.Errors, []format.Error{
		{Line: 2, Column: 5, Reason: `"->" was expected, as in "row -> col"`},
		{Line: 3, Column: 8, Reason: `"move" is an action; edges lead to state variables`},
	}) {
		t.Errorf("%+v", got)
	}
	// A part of a graph with a fault states no edge, and the rest is read.
	for text, want := range map[string]string{
		"digraph {\nmove -> row [label=-0.45]\nrow -> row [color=#00aa00]\ncol -> col [label=\"0\" + \".9\"]\n}": `[["col","col",0.9]] 2 3 `,
		"digraph {\nmove -> row [weight=0.05]\nrow -> row [weight=\"-0.9\"]\ncol -> col [weight=12]\n}":          `[["move","row",0.05]] 3 4 `,
		"digraph { move -> row [weight=12] }":             `[["move","row"]] the weights are whole numbers, which say how to draw edges and not how probable they are: an edge without a label is certain`,
		"dag {\nmove -> row [beta=-0.3]\nrow -> row\n}":   `[["row","row"]] 2 `,
		"network n { }\nprobability ( row | move ) { }":   `[["move","row"]] the tables of the network are left out: each parent that it names is certain`,
		",row,col\nmove,-1,.4":                            `[["move","col",0.4]] 2 rows lead`,
		"from,to,weight\nmove,row,12\nrow,row,.4":         `[["row","row",0.4]] 2 `,
		"only row -> row\nmove -> row -.9\nrow -> row .8": `[["row","row",0.8],["col","row",0],["passenger","row",0],["destination","row",0]] 2 `,
	} {
		read := answerOf[Reading](t, ask("POST", "/v1/prior", `{`+spec+`,"text":`+quote(t, text)+`}`))
		got := string(strict.Encode(read.Edges)) + " "
		for _, e := range read.Errors {
			got += fmt.Sprint(e.Line, " ")
		}
		if !strings.HasPrefix(got+read.Note, want) {
			t.Errorf("%q: %s%s, want %s", text, got, read.Note, want)
		}
	}
	refused(t, ask("POST", "/v1/prior", `{`+spec+`}`), 400, "", "one of")
	refused(t, ask("POST", "/v1/prior", `{`+spec+`,"text":"","edges":[]}`), 400, "", "one of")
	refused(t, ask("POST", "/v1/prior", `{`+spec+`,"edges":[["row","x"]]}`), 400, "/edges/0/1", "no state variable")
	refused(t, ask("POST", "/v1/prior", `{`+spec+`,"prior":`+strings.ReplaceAll(prior, "col", "column")+`}`), 400, "/prior/edges/2/0", "no variable")
	refused(t, ask("POST", "/v1/prior", `{`+spec+`,"prior":{}}`), 400, "/prior/format", "")
}

// Oracle: package export on the same records.
func TestExportRecords(t *testing.T) {
	file := ask("POST", "/v1/run", small).Body.Bytes()
	header, records := cut(t, file)
	lines := bytes.SplitAfter(records, []byte("\n"))
	for _, runs := range []int{3, 2} {
		// The last run may be unfinished, and its last line without a newline.
		body := slices.Concat(header, bytes.Join(lines[:10*runs], nil))
		if runs == 2 {
			body = append(body, bytes.TrimSuffix(lines[20], []byte("\n"))...)
		}
		e := ready(t, specOf(t, small)).First(runs) // of those that are whole
		summary, long := results.NewSummary(e), &export.Long{}
		for _, line := range lines[:10*runs] {
			rec, err := record.DecodeRecord(line)
			if err == nil {
				err = summary.Add(rec)
			}
			if err != nil {
				t.Fatal(err)
			}
			long.Add(rec)
		}
		r := &export.Results{
			Summary: summary, Engine: record.Engine, Whole: true, Base: "https://example.org/",
			Fingerprint: fmt.Sprintf("%x", sha256.Sum256(bytes.Join(lines[:10*runs], nil))),
		}
		measure := func(key string) *results.Measure {
			m, _ := results.LookupMeasure(key)
			return m
		}
		pair := experiment.Pair{Agent: "psrl", Base: "c-psrl"}
		for query, want := range map[string]struct {
			kind string
			text []byte
		}{
			"as=csv":                                 {"text/csv; charset=utf-8", r.CSV(results.CumulativeRegret())},
			"as=csv&of=recall":                       {"text/csv; charset=utf-8", r.CSV(measure("recall"))},
			"as=paired&of=regret&paired=psrl,c-psrl": {"text/csv; charset=utf-8", r.PairedCSV(measure("regret"), pair)},
			"as=endings&of=recall":                   {"text/csv; charset=utf-8", r.EndingsCSV(measure("recall"))},
			"as=long":                                {"text/csv; charset=utf-8", long.CSV(r)},
			"as=jsonl":                               {"application/jsonl", slices.Concat(experiment.AppendHeader(nil, e.Header()), bytes.Join(lines[:10*runs], nil))},
			"as=figure":                              {"application/json", r.Figure().JSON()},
		} {
			w := ask("POST", "/v1/export?base=https://example.org/&"+query, string(body))
			if w.Code != 200 || w.Header().Get("Content-Type") != want.kind || !bytes.Equal(w.Body.Bytes(), want.text) {
				t.Errorf("%d runs, %s: status %d, %s:\n%s\nwant %s", runs, query, w.Code, w.Header().Get("Content-Type"), w.Body, want.text)
			}
		}
	}
	// Bytes of a query that are not UTF-8 are replaced.
	for _, path := range []string{"/v1/export?as=csv&base=%FF", "/v1/export?as=figure&base=%FF", "/v1/difference?agent=psrl&base=c-psrl&agentMark=%FF"} {
		if w := ask("POST", path, string(file)); w.Code != 200 || !utf8.Valid(w.Body.Bytes()) || !strings.Contains(w.Body.String(), "\uFFFD") {
			t.Errorf("%s: status %d\n%.300q", path, w.Code, w.Body)
		}
	}
	for query, detail := range map[string]string{
		"as=pdf":                   `the as "pdf" must be one of bibtex, cli, `,
		"of=regret":                "the as is missing; it must be ",
		"as=csv&of=luck":           "no measure",
		"as=paired&paired=psrl,me": "none of the agents",
	} {
		refused(t, ask("POST", "/v1/export?"+query, string(file)), 400, "", detail)
	}
}

func TestExportSpec(t *testing.T) {
	for query, test := range map[string]struct{ rest, want string }{
		"as=cli":     {``, "cpsrl run -link 'v=1&agents=psrl,c-psrl&domain=figure1&horizon=3&episodes=5&first=2&runs=3&seed=7'\n"},
		"as=bibtex":  {`,"base":"https://example.org/","receipt":{"engine":1,"fingerprint":"` + fingerprint + `"}`, `https://example.org/\#v=1&agents=psrl,c-psrl&receipt=1-` + fingerprint},
		"as=text":    {``, "X1 -> X1\nX2 -> X1\nX2 -> X2\nX4 -> X2\n"},
		"as=dot":     {`,"graph":"true"`, "x2 -> y0 [style=dashed];\n"},
		"as=tikz":    {`,"graph":[[0],[2]]`, "\\draw[->] (x0.east) -- (y0.west);\n\t\\draw[->, dashed] (x2.east) -- (y1.west);"},
		"as=dagitty": {`,"agent":"c-psrl:eta=1"`, "X1 -> X1_next\nX2 -> X2_next\n}"},
		"as=model":   {`,"run":4`, `"format":"cpsrl/model"`},
		"as=prior":   {`,"run":4`, `"format":"cpsrl/prior"`},
	} {
		w := ask("POST", "/v1/export?"+query, `{"spec":`+small+test.rest+`}`)
		if w.Code != 200 || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: status %d\n%s\nwant %s", query, w.Code, w.Body, test.want)
		}
	}
	// The prior of an agent has the agent's own α.
	own := strings.NewReplacer(`"version":1`, `"version":2`, `"agents":["psrl"`, `"agents":["c-psrl:dirichlet=0.1","psrl"`).Replace(small)
	if w := ask("POST", "/v1/export?as=prior", `{"spec":`+own+`,"agent":"c-psrl:dirichlet=0.1"}`); !strings.Contains(w.Body.String(), `"dirichlet":0.1`) {
		t.Errorf("status %d\n%s", w.Code, w.Body)
	}
	// And its own tables, which a prior has from version 3 on.
	own = strings.NewReplacer(`"version":1`, `"version":3`, `"agents":["psrl"`, `"tables":"tied","agents":["c-psrl:tables=rows","psrl"`).Replace(small)
	for agent, want := range map[string]string{`c-psrl`: `"version":3,`, `c-psrl:tables=rows`: `"version":1,`} {
		w := ask("POST", "/v1/export?as=prior", `{"spec":`+own+`,"agent":"`+agent+`"}`)
		if tied := strings.Contains(w.Body.String(), `"tables":"tied"`); !strings.Contains(w.Body.String(), want) || tied != (agent == "c-psrl") {
			t.Errorf("%s: status %d\n%s", agent, w.Code, w.Body)
		}
	}
	for rest, pointer := range map[string]string{
		`,"run":1`:           "/run",
		`,"run":5`:           "/run",
		`,"agent":"q"`:       "/agent",
		`,"graph":"best"`:    "/graph",
		`,"graph":[[0]]`:     "/graph",
		`,"graph":[[9],[]]`:  "/graph/0",
		`,"graph":[[0],"x"]`: "/graph/1",
	} {
		refused(t, ask("POST", "/v1/export?as=dot", `{"spec":`+small+rest+`}`), 400, pointer, "")
	}
}

// A strict file is accepted or refused as a whole, and the error names the line.
func TestSummaryOfUpload(t *testing.T) {
	file := ask("POST", "/v1/run", small).Body.String()
	lines := strings.SplitAfter(file, "\n")
	want := ask("POST", "/v1/summary", file).Body.String()
	for _, same := range []string{file, strings.TrimSuffix(file, "\n"), file + "\n\n"} {
		if got := ask("POST", "/v1/summary?strict=true", same).Body.String(); got != want[strings.LastIndex(strings.TrimSuffix(want, "\n"), "\n")+1:] {
			t.Errorf("another summary of the same records: %.200s", got)
		}
	}
	belief := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"belief"`) })
	replaced := func(at int, old, new string) string {
		changed := slices.Clone(lines)
		if changed[at] = strings.Replace(changed[at], old, new, 1); changed[at] == lines[at] {
			t.Fatalf("there is no %s in %s", old, lines[at])
		}
		return strings.Join(changed, "")
	}
	for name, test := range map[string]struct{ file, detail string }{
		"unknown field":     {replaced(3, `"run"`, `"x":1,"run"`), "line 4, /x: unknown field"},
		"missing field":     {replaced(3, `"optimal"`, `"run"`), "line 4"},
		"a huge number":     {replaced(3, `"regret":`, `"regret":1e300,"x":`), "line 4"},
		"another graph":     {replaced(belief, `"best":[[`, `"best":[[77,`), "/belief/best/0"},
		"not a probability": {replaced(belief, `"edges":[[`, `"edges":[[7,`), "/belief/edges/0"},
		"no belief":         {strings.Join(lines[:6], "") + strings.Replace(lines[1], `"psrl"`, `"c-psrl"`, 1), "has no belief"},
		"a torn line":       {file + `{"run":`, "line 32"},
		"no such grid":      {replaced(0, `"figure1","horizon":3`, `"figure1","horizon":-1`), "/spec/domain/horizon"},
	} {
		w := ask("POST", "/v1/summary?strict=true", test.file)
		if w.Code != 400 || !strings.Contains(w.Body.String(), test.detail) {
			t.Errorf("%s: status %d: %.200s", name, w.Code, w.Body)
		}
	}
	w := ask("POST", "/v1/summary?strict=true", replaced(0, `"engine":2`, `"engine":1`))
	refused(t, w, 400, "/engine", "engine version 1; this is version 2")
	refused(t, ask("POST", "/v1/summary?paired=psrl,x", file), 400, "", "none of the agents")
}

// FuzzUpload checks that any results file gives a summary or an error.
func FuzzUpload(f *testing.F) {
	file := ask("POST", "/v1/run", strings.NewReplacer(`"runs":3`, `"runs":2`, `"episodes":5`, `"episodes":1`).Replace(small)).Body.String()
	f.Add(file)
	f.Add(file[:len(file)/2])
	f.Add(strings.Replace(file, "figure1", "taxi", 1))
	f.Add(strings.Replace(file, `"episodes":1`, `"episodes":100000`, 1))
	f.Fuzz(func(t *testing.T, file string) {
		first, _, _ := strings.Cut(file, "\n")
		if h, err := experiment.DecodeHeader([]byte(first)); err == nil {
			if e, err := experiment.New(h.Spec); err == nil && e.Cost() > 1e7*float64(h.Spec.Runs*h.Spec.Episodes) {
				t.Skip("a large problem")
			}
		}
		for _, path := range []string{"/v1/summary?strict=true", "/v1/export?as=long", "/v1/export?as=figure"} {
			w := ask("POST", path, file)
			if w.Code != 200 && (w.Code < 400 || w.Code >= 500 || w.Header().Get("Content-Type") != "application/problem+json") {
				t.Errorf("%s: status %d", path, w.Code)
			}
			if strings.Contains(w.Body.String(), "NaN") && !strings.Contains(file, "NaN") {
				t.Errorf("%s answers NaN", path)
			}
		}
	})
}
