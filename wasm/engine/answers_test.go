package engine_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/export"
	"cpsrl/wasm/engine"
	"cpsrl/wasm/web"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const answersFile = "testdata/answers.json"

// answered are specs of every domain, with own models, odd labels and every
// switch; and what looks like a spec but is refused.
var answered = []struct{ name, spec string }{
	{"taxi", `"domain":{"name":"taxi"},"episodes":2`},
	{"taxi, η", `"domain":{"name":"taxi","grid":"3x3"},"prior":{"eta":1},"episodes":2,"bound":"below","update":"printed"`},
	{"taxi, edges and labels", `"domain":{"name":"taxi","grid":"3x3","horizon":7},"prior":{"edges":[["row","destination"],["col","row"],["move","row"]]},"sparseness":4,
		"agents":["c-psrl:eta=01","f-psrl:graph=true","psrl","f-psrl:graph=prior","c-psrl"],"episodes":3,"runs":2,"seed":9007199254740991,"rewards":"learned"`},
	{"random", `"domain":{"name":"random-fmdp"},"agents":["c-psrl","f-psrl"],"episodes":1,"seed":4`},
	{"random, every field", `"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"values":3,"parents":2,"horizon":4},"prior":{"eta":1},"sparseness":3,
		"agents":["psrl","f-psrl","f-psrl:graph=prior","c-psrl","c-psrl:eta=0","c-psrl:eta=64"],"episodes":3,"firstRun":2,"runs":2,"seed":6,"bound":"below","update":"printed","rewards":"learned"`},
	{"random, uniform", `"domain":{"name":"random-fmdp","stateVariables":4,"actionVariables":1,"parents":"uniform","horizon":5},"agents":["f-psrl","c-psrl"],"episodes":4,"firstRun":5,"runs":3,"seed":7,"bound":"below"`},
	{"random, large", `"domain":{"name":"random-fmdp","stateVariables":11,"actionVariables":2,"parents":2,"horizon":2},"agents":["f-psrl","c-psrl:eta=1"],"sparseness":2,"episodes":1`},
	{"figure1", `"domain":{"name":"figure1"},"prior":{"eta":1},"episodes":5,"runs":2,"seed":8`},
	{"figure1, no edge", `"domain":{"name":"figure1","horizon":3},"prior":{"edges":[]},"sparseness":4,"agents":["c-psrl","c-psrl:eta=2"],"episodes":3,"runs":2`},
	{"model", `"domain":{"name":"model","model":` + coin + `},"prior":{"eta":1},"agents":["psrl","f-psrl","c-psrl"],"episodes":3,"runs":2,"seed":9,"update":"printed"`},
	{"model, odd names", `"domain":{"name":"model","horizon":5,"model":` + odd + `},"prior":{"edges":[["the side","the side"],["7: flip, or not","the side"]]},"sparseness":1,"bound":"at-most",
		"agents":["f-psrl:graph=prior","c-psrl:eta=1"],"episodes":2,"firstRun":1,"runs":2`},

	{"refused: too sparse", `"domain":{"name":"model","model":` + odd + `},"prior":{"edges":[["7: flip, or not","the side"],["the side","the side"]]},"sparseness":1,"agents":["c-psrl"]`},
	{"refused: no domain", `"episodes":1`},
	{"refused: an unknown domain", `"domain":{"name":"Taxi"}`},
	{"refused: an unknown grid", `"domain":{"name":"taxi","grid":"3×3"}`},
	{"refused: an unknown bound", `"domain":{"name":"taxi"},"bound":"Below"`},
	{"refused: an unknown update", `"domain":{"name":"taxi"},"update":"Printed"`},
	{"refused: an unknown reward", `"domain":{"name":"taxi"},"rewards":"Known"`},
	{"refused: an unknown agent", `"domain":{"name":"taxi"},"agents":["q-learning"]`},
	{"refused: an unknown parameter", `"domain":{"name":"taxi"},"agents":["psrl:eta=1"]`},
	{"refused: an unknown member", `"domain":{"name":"taxi"},"horizon":10`},
	{"refused: another domain's parameter", `"domain":{"name":"figure1","values":2}`},
	{"refused: no run", `"domain":{"name":"taxi"},"runs":0`},
	{"refused: too many parents", `"domain":{"name":"random-fmdp","stateVariables":2,"actionVariables":1,"parents":4}`},
	{"refused: two priors", `"domain":{"name":"taxi"},"prior":{"eta":1,"edges":[]}`},
	{"refused: no such edge", `"domain":{"name":"taxi"},"prior":{"edges":[["row","move"]]}`},
	{"refused: too much known", `"domain":{"name":"taxi"},"sparseness":2`},
	{"refused: too large", `"domain":{"name":"random-fmdp","stateVariables":40}`},
	{"refused: another horizon", `"domain":{"name":"model","horizon":4,"model":` + coin + `}`},
}

const (
	coin = `{"format":"cpsrl/model","version":1,"name":"a_coin","horizon":3,"state":[{"name":"side","size":2,"values":["heads","tails"]}],"action":[{"name":"flip","size":2}],
		"initial":[{"state":[0],"p":1}],"transition":[{"of":"side","given":["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]}],"reward":[{"given":["side"],"mean":[0,1],"kind":"fixed"}]}`
	odd = `{"format":"cpsrl/model","version":1,"horizon":5,"state":[{"name":"the side","size":2},{"name":"wear & tear","size":3}],"action":[{"name":"7: flip, or not","size":2}],
		"initial":"uniform","transition":[{"of":"the side","given":["the side"],"p":[[0.25,0.75],[0.5,0.5]]},{"of":"wear & tear","given":["7: flip, or not"],"p":[[0.5,0.25,0.25],[0,0,1]]}],
		"reward":[{"of":"wear & tear","given":["7: flip, or not"],"mean":[0.1,0.9],"kind":"bernoulli","scale":-2}]}`
)

// golden holds the answers about one spec: short answers in full, long ones by their
// SHA-256.
type golden map[string]jsontext.Value

// The answers of the engine do not change by a byte when the code behind the handler is
// refactored.
func TestAnswersStay(t *testing.T) {
	got, figures := map[string]golden{}, map[string]jsontext.Value{}
	for _, a := range answered {
		if got[a.name] != nil {
			t.Fatalf("two specs are named %q", a.name)
		}
		got[a.name], figures[a.name] = answersTo(t, `{"format":"cpsrl/spec","version":1,`+a.spec+`}`, strings.HasPrefix(a.name, "refused"))
	}
	if *update {
		write(t, got)
	}
	data, err := os.ReadFile(answersFile)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]golden
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Errorf("the golden file has %d specs, want %d", len(want), len(got))
	}
	if *update {
		return
	}
	frozen := map[string]bool{} // the measures that the golden file knows
	for _, answers := range want {
		var by map[string]string
		if answers["conclusions"] != nil && json.Unmarshal(answers["conclusions"], &by) != nil {
			t.Fatalf("%s", answers["conclusions"])
		}
		for measure := range by {
			frozen[measure] = true
		}
	}
	for name, answers := range got {
		if answers["figure"] != nil {
			answers["conclusions"], answers["figure"] = asFrozen(t, frozen, answers["conclusions"], figures[name])
		}
		answers["detail"] = asListed(t, answers["detail"], want[name]["detail"])
		if answers["detail"] == nil {
			delete(answers, "detail")
		}
		if len(answers) != len(want[name]) {
			t.Errorf("%s: %d answers, want %d", name, len(answers), len(want[name]))
		}
		for what, text := range answers {
			if !bytes.Equal(text, want[name][what]) {
				t.Errorf("%s, %s:\n got %s\nwant %s", name, what, text, want[name][what])
			}
		}
	}
}

// asFrozen leaves the measures that the golden file does not know, because they are younger,
// out of conclusions and a figure, and returns the conclusions and the digest of the figure.
func asFrozen(t *testing.T, frozen map[string]bool, conclusions, figure jsontext.Value) (jsontext.Value, jsontext.Value) {
	t.Helper()
	var by map[string]string
	var f export.Figure
	if err := cmp.Or(json.Unmarshal(conclusions, &by), json.Unmarshal(figure, &f)); err != nil {
		t.Fatal(err)
	}
	younger := func(measure string) bool { return !frozen[measure] }
	for _, m := range []map[string]string{by, f.Conclusions} {
		maps.DeleteFunc(m, func(measure, _ string) bool { return younger(measure) })
	}
	f.Series = slices.DeleteFunc(f.Series, func(s export.Series) bool { return younger(s.Measure) })
	f.Final = slices.DeleteFunc(f.Final, func(s export.Final) bool { return younger(s.Measure) })
	return text(t, by), text(t, fmt.Sprintf("%x", sha256.Sum256(f.JSON())))
}

// asListed returns the golden refusal of an unknown word for one that differs only in that its
// list of known words goes on.
func asListed(t *testing.T, got, want jsontext.Value) jsontext.Value {
	t.Helper()
	if list, is := strings.CutSuffix(string(want), `"`); is && strings.Contains(list, " must be one of ") && strings.HasPrefix(string(got), list+", ") {
		return want
	}
	return got
}

// write writes one line for each answer.
func write(t *testing.T, all map[string]golden) {
	t.Helper()
	b := []byte("{")
	for k, a := range answered {
		if k > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "\n%s: {", text(t, a.name))
		var names []string
		for what := range all[a.name] {
			names = append(names, what)
		}
		slices.Sort(names)
		for n, what := range names {
			if n > 0 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, "\n\t%s: %s", text(t, what), all[a.name][what])
		}
		b = append(b, "\n}"...)
	}
	if err := os.WriteFile(answersFile, append(b, "\n}\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
}

// text returns a value as one line of JSON.
func text(t *testing.T, value any) jsontext.Value {
	t.Helper()
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func ask(path, body string) (status int, answer string) {
	w := httptest.NewRecorder()
	web.Handler(engine.Handler()).ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

// answersTo makes every possible request about a spec. It returns the figure whole, too.
func answersTo(t *testing.T, spec string, refused bool) (answers golden, whole jsontext.Value) {
	t.Helper()
	g := golden{}
	must := func(path, body string) string {
		t.Helper()
		status, answer := ask(path, body)
		if status != http.StatusOK {
			t.Fatalf("%s of %s: status %d, %s", path, spec, status, answer)
		}
		return answer
	}
	digest := func(answer string) jsontext.Value { return text(t, fmt.Sprintf("%x", sha256.Sum256([]byte(answer)))) }
	members := func(document string) (m map[string]jsontext.Value) {
		t.Helper()
		if err := json.Unmarshal([]byte(document), &m); err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		return m
	}

	status, answer := ask("/v1/check", spec)
	checked := members(answer)
	if (status != http.StatusOK) != refused {
		t.Errorf("%s: status %d, %s", spec, status, answer)
	}
	if status != http.StatusOK {
		for _, what := range []string{"status", "detail", "pointer", "problem"} {
			if checked[what] != nil {
				g[what] = checked[what]
			}
		}
		return g, nil
	}
	g["header"], g["link"], g["problem"] = checked["header"], checked["link"], checked["problem"]

	opened := members(must("/v1/open", `{"link":`+string(checked["link"])+`}`))
	if complete := members(string(checked["header"]))["spec"]; !bytes.Equal(opened["spec"], complete) || !bytes.Equal(opened["link"], checked["link"]) {
		t.Errorf("the link of %s opens to %s", complete, opened["spec"])
	}
	if string(opened["checked"]) != strings.TrimSpace(answer) {
		t.Errorf("with the link of %s comes another answer than that of /v1/check: %s", checked["link"], opened["checked"])
	}

	records := must("/v1/run", spec)
	header, lines, _ := strings.Cut(records, "\n")
	if header != string(checked["header"]) {
		t.Errorf("the records begin with %s, not with %s", header, checked["header"])
	}
	g["records"] = digest(lines) // the fingerprint
	var of struct {
		Spec struct {
			Agents             []string
			FirstRun, Episodes int
			Runs               int
		}
	}
	if err := json.Unmarshal([]byte(header), &of, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	const base = "https://example.org/x/?embed=1"
	for _, agent := range of.Spec.Agents {
		query := url.Values{"agent": {agent}, "run": {fmt.Sprint(of.Spec.FirstRun + of.Spec.Runs - 1)}, "episode": {fmt.Sprint(of.Spec.Episodes)}}
		g["trace "+agent] = digest(must("/v1/trace?"+query.Encode(), spec))
	}
	g["csv"] = text(t, must("/v1/export?as=csv&base="+url.QueryEscape(base), records))
	g["csv recall"] = digest(must("/v1/export?as=csv&of=recall", records))
	g["long"] = digest(must("/v1/export?as=long", records))
	pair := of.Spec.Agents[0] + "," + of.Spec.Agents[len(of.Spec.Agents)-1]
	g["paired"] = digest(must("/v1/export?as=paired&of=parents&paired="+url.QueryEscape(pair), records))
	if again := must("/v1/export?as=jsonl", records); again != records {
		t.Errorf("exported records are not those put in: %s", again)
	}
	figure := must("/v1/export?as=figure&base="+url.QueryEscape(base), records)
	g["figure"], g["title"] = digest(figure), members(figure)["title"]

	// The last snapshot is the same for the engine's own records and for strict ones.
	snapshots := strings.SplitAfter(strings.TrimSpace(must("/v1/summary", records)), "\n")
	last := members(snapshots[len(snapshots)-1])
	if strict := must("/v1/summary?strict=true", records); strings.TrimSpace(strict) != snapshots[len(snapshots)-1] {
		t.Errorf("the strict summary differs:\n%s\n%s", strict, snapshots[len(snapshots)-1])
	}
	if !bytes.Equal(last["fingerprint"], g["records"]) {
		t.Errorf("the fingerprint of %s is %s, not %s", spec, last["fingerprint"], g["records"])
	}
	for _, what := range []string{"conclusions", "discovery"} {
		if last[what] != nil {
			g[what] = last[what]
		}
	}

	receipt := `"receipt":{"engine":1,"fingerprint":` + string(last["fingerprint"]) + `}`
	g["link with receipt"] = members(must("/v1/link", `{"spec":`+spec+`,`+receipt+`,"unknown":["later=x%20y"]}`))["link"]
	for _, as := range []string{"bibtex", "cli"} {
		g[as] = text(t, must("/v1/export?as="+as, `{"spec":`+spec+`,`+receipt+`,"base":"`+base+`"}`))
	}
	for _, as := range []string{"dot", "tikz", "dagitty", "text", "model", "prior"} {
		one := must("/v1/export?as="+as, `{"spec":`+spec+`}`)
		ofTruth := must("/v1/export?as="+as, `{"spec":`+spec+`,"graph":"true","agent":"c-psrl:eta=1","run":`+fmt.Sprint(of.Spec.FirstRun+of.Spec.Runs-1)+`}`)
		g[as] = digest(one + ofTruth)
	}
	// /v1/prior reads back what it writes.
	known := must("/v1/export?as=text", `{"spec":`+spec+`}`)
	g["prior editor"] = digest(must("/v1/prior", `{"spec":`+spec+`,"text":`+string(text(t, known))+`}`))
	return g, jsontext.Value(figure)
}

// /v1/prior does not use the spec's own prior, so that a prior with which the spec cannot
// run can be mended.
func TestPriorEditorMendsPriors(t *testing.T) {
	const start = `{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"}`
	const text = `,"text":"row -> col"}`
	status, want := ask("/v1/prior", `{"spec":`+start+`}`+text)
	if status != http.StatusOK || !strings.Contains(want, `[["row","col"]]`) {
		t.Fatalf("status %d, %s", status, want)
	}
	for _, prior := range []string{`{"edges":[["row","no such variable"]]}`, `{"edges":[["row","row"],["row","row"]]}`, `{"edges":[["col","col"]]}`, `{"eta":1}`} {
		if status, got := ask("/v1/prior", `{"spec":`+start+`,"prior":`+prior+`}`+text); status != http.StatusOK || got != want {
			t.Errorf("%s: status %d, %s", prior, status, got)
		}
	}
}

// A citation has the engine version of the receipt and the degree of prior knowledge of
// the first run, even if run 0 cannot start.
func TestCitation(t *testing.T) {
	receipt := `"receipt":{"engine":7,"fingerprint":"` + strings.Repeat("0a", 32) + `"}`
	_, cited := ask("/v1/export?as=bibtex", `{"spec":{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"}},`+receipt+`}`)
	if !strings.Contains(cited, "Engine version 7, fingerprint 0a0a") || !strings.Contains(cited, "receipt=7-0a0a") {
		t.Errorf("the receipt is of engine version 7: %s", cited)
	}
	started := map[int]bool{}
	for first := range 6 {
		spec := fmt.Sprintf(`{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":1,"actionVariables":1,"values":300,"parents":"uniform","horizon":1},
			"prior":{"eta":0},"sparseness":2,"agents":["f-psrl:graph=prior"],"episodes":1,"firstRun":%d,"runs":1,"seed":4}`, first)
		status, cited := ask("/v1/export?as=bibtex", `{"spec":`+spec+`}`)
		if status != http.StatusOK {
			continue
		}
		started[first] = true
		if !strings.Contains(cited, `$\eta$ = 0`) {
			t.Errorf("the title of first run %d has no degree of prior knowledge: %s", first, cited)
		}
	}
	if started[0] || len(started) == 0 {
		t.Errorf("the runs that can start are %v; run 0 should not", started)
	}
}
