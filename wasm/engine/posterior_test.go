package engine_test

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/evidence"
	"cpsrl/wasm/engine"
	"cpsrl/wasm/web"
)

// asked returns the answer to a prior and transitions.
func asked(query, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	web.Handler(engine.Handler()).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/posterior"+query, strings.NewReader(body)))
	return w
}

const coinPrior = `{"format":"cpsrl/prior","version":1,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"sparseness":1,"edges":[]}` + "\n"

// By hand, as TestPosteriorCoin of the command: P = 4/11, 4/11, 3/11 for {}, {side}, {flip}.
func TestPosterior(t *testing.T) {
	w := asked("?top=2", coinPrior+"{\"x\":[0,0],\"y\":[0]}\n\n{\"x\":[0,1],\"y\":[0]}\n")
	var got evidence.Posterior
	if err := json.Unmarshal(w.Body.Bytes(), &got, json.RejectUnknownMembers(true)); w.Code != http.StatusOK || err != nil {
		t.Fatalf("%d, %v: %s", w.Code, err, w.Body)
	}
	sets := got.Variables["side"]
	if len(sets) != 2 || fmt.Sprint(sets[0].Parents, sets[1].Parents) != "[] [side]" || math.Abs(sets[0].P-4./11) > 1e-12 || math.Abs(sets[1].LogEvidence-math.Log(1./3)) > 1e-12 {
		t.Errorf("%+v", sets)
	}
	if e := got.Edges; len(e) != 2 || e[0].From != "side" || e[1].From != "flip" || e[1].To != "side" || math.Abs(e[1].P-3./11) > 1e-12 {
		t.Errorf("%+v", e)
	}
	for query, want := range map[string]int{"": 3, "?bound=below": 1, "?update=printed": 3} {
		w := asked(query, coinPrior)
		if n := strings.Count(w.Body.String(), `"logEvidence"`); w.Code != http.StatusOK || n != want {
			t.Errorf("%s: %d sets, want %d: %s", query, n, want, w.Body)
		}
	}
}

// A query replaces the concentration and the tables of the prior. Oracle: the answer to the prior
// that says so itself.
func TestPosteriorQuery(t *testing.T) {
	const steps = "{\"x\":[0,0],\"y\":[0]}\n{\"x\":[0,1],\"y\":[0]}\n{\"x\":[1,1],\"y\":[1]}\n"
	with := func(members string) string {
		return strings.NewReplacer(`"version":1`, `"version":3`, `"edges":[]`, `"edges":[]`+members).Replace(coinPrior) + steps
	}
	for _, c := range []struct{ query, members, same string }{
		{"?dirichlet=.1", ``, `,"dirichlet":0.1`},
		{"?dirichlet=1", `,"dirichlet":{"ess":1}`, ``},
		{"?dirichlet=mix:0.01:1", `,"dirichlet":0.1`, `,"dirichlet":{"mix":[0.01,1]}`},
		{"?tables=tied", ``, `,"tables":"tied"`},
		{"?tables=rows", `,"tables":"tied"`, ``},
		{"?tables=&dirichlet=", `,"tables":"tied","dirichlet":2`, `,"tables":"tied","dirichlet":2`},
	} {
		got, want := asked(c.query, with(c.members)), asked("", with(c.same))
		if got.Code != http.StatusOK || got.Body.String() != want.Body.String() {
			t.Errorf("%s: %d, %s\nwant %s", c.query, got.Code, got.Body, want.Body)
		}
	}
}

// A prior may have 2^40 states, more than a model, because nothing plans.
func TestPosteriorWide(t *testing.T) {
	var state []string
	for k := range 40 {
		state = append(state, fmt.Sprintf(`{"name":"s%d","size":2}`, k))
	}
	prior := `{"format":"cpsrl/prior","version":1,"state":[` + strings.Join(state, ",") + `],"action":[{"name":"a","size":2}],"sparseness":1,"edges":[]}` + "\n"
	x, y := strings.Repeat("1,", 40)+"0", strings.Repeat("1,", 39)+"0"
	if w := asked("", prior+`{"x":[`+x+`],"y":[`+y+`]}`); w.Code != http.StatusOK || strings.Count(w.Body.String(), `"logEvidence"`) != 40*42 {
		t.Errorf("%d: %.300s", w.Code, w.Body)
	}
}

// An error is one sentence that names its place.
func TestPosteriorRefusals(t *testing.T) {
	wide := strings.Replace(coinPrior, `"sparseness":1`, `"sparseness":3`, 1)
	var state []string
	for k := range 63 {
		state = append(state, fmt.Sprintf(`{"name":"s%d","size":3}`, k))
	}
	wide = strings.Replace(wide, `{"name":"side","size":2}`, strings.Join(state, ","), 1)
	for _, c := range []struct {
		query, body string
		status      int
		says        string
	}{
		{"", "", 400, "line 1: a prior in the format cpsrl/prior was expected"},
		{"", "{}", 400, "line 1"},
		{"", coinPrior + `{"x":[0,2],"y":[0]}`, 400, "line 2, /x/1: "},
		{"", coinPrior + "\n" + `{"x":[0,0],"y":[0]`, 400, "line 3"},
		{"", strings.Replace(coinPrior, `"sparseness":1`, `"sparseness":-1`, 1), 400, "line 1, /sparseness"},
		{"?top=0", coinPrior, 400, "the top is 0"},
		{"?top=x", coinPrior, 400, "whole number"},
		{"?update=Exact", coinPrior, 400, `the update "Exact" must be one of exact, printed`},
		{"?dirichlet=0", coinPrior, 400, `the dirichlet "0" must be a number from 0.000001 to 1000000, ess:NUMBER`},
		{"?dirichlet=0,5", coinPrior, 400, "; write 0.5 with a point"},
		{"?tables=Tied", coinPrior, 400, `the tables "Tied" must be one of rows, tied, trees`},
		{"?bound=under", coinPrior, 400, `the bound "under" must be one of at-most, below`},
		{"", wide, 413, "read 4 times"},
	} {
		w := asked(c.query, c.body)
		var d engine.Details
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != c.status || !strings.Contains(d.Detail, c.says) {
			t.Errorf("%s %.80s: %d %+v, want %q", c.query, c.body, w.Code, d, c.says)
		}
	}
}

// If the prior is not from the same file, lines of transitions count from 1, and an error
// in the prior is not in one of them.
func TestPosteriorApart(t *testing.T) {
	var state []string
	for k := range 63 {
		state = append(state, fmt.Sprintf(`{"name":"s%d","size":2}`, k))
	}
	manyBits := `{"format":"cpsrl/prior","version":1,"state":[` + strings.Join(state, ",") + `],"action":[{"name":"a","size":2}],"sparseness":4,"edges":[]}` + "\n"
	for _, test := range []struct{ query, body, want string }{
		{"?prior=apart", coinPrior + "{\"x\":[0,0],\"y\":[0]}\n{\"x\":[0,2],\"y\":[0]}\n", `"line 2, /x/1: `},
		{"", coinPrior + "{\"x\":[0,0],\"y\":[0]}\n{\"x\":[0,2],\"y\":[0]}\n", `"line 3, /x/1: `},
		{"?prior=apart", strings.Replace(coinPrior, `"sparseness":1`, `"sparseness":-1`, 1), `"pointer":"/prior/sparseness"`},
		{"?prior=apart", manyBits, `"pointer":"/prior/sparseness"`},
		{"?prior=second", coinPrior, "must be one of apart, first"},
	} {
		w := asked(test.query, test.body)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: %d: %s, want %s", test.query, w.Code, w.Body, test.want)
		}
	}
}

// pairs is a table of transitions of the coin, whose actions are the column without a next value.
const pairs = "side,flip,side'\nheads,yes,tails\ntails,no,tails\nheads,?,tails\ntails,yes,heads\n"

// A table needs no prior. Oracle: the same transitions as JSON Lines, with the prior by hand.
func TestPosteriorOfTable(t *testing.T) {
	lines := `{"x":[0,1],"y":[1]}` + "\n" + `{"x":[1,0],"y":[1]}` + "\n" + `{"x":[1,1],"y":[0]}`
	read := func(w *httptest.ResponseRecorder) (p evidence.Posterior) {
		t.Helper()
		if err := json.Unmarshal(w.Body.Bytes(), &p, json.RejectUnknownMembers(true)); w.Code != http.StatusOK || err != nil {
			t.Fatalf("%d, %v: %s", w.Code, err, w.Body)
		}
		return p
	}
	want := read(asked("", strings.Replace(coinPrior, `"sparseness":1`, `"sparseness":2`, 1)+lines))
	got := read(asked("?prior=none", pairs))
	if fmt.Sprint(got.Variables, got.Edges) != fmt.Sprint(want.Variables, want.Edges) || got.Transitions != 3 {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if s := fmt.Sprint(*got.Table); s != "{[{side 2 [heads tails]}] [{flip 2 [no yes]}] [{side state   [] []} {flip action   [] []} {side' next side  [] []}] 3 1 []}" {
		t.Error(s)
	}
	if c := got.Caution; c == nil || c.Of != "side" || c.Rows != 4 || c.Visited != 3 || c.Imagined != 8 || !strings.Contains(c.Text, "visit 3 of them") {
		t.Errorf("%+v", c)
	}
	if again := read(asked("?prior=none&action=flip&z=2&tables=rows", pairs)); fmt.Sprint(again.Edges) != fmt.Sprint(want.Edges) {
		t.Errorf("%+v", again)
	}
	if small := read(asked("?prior=none&z=1", pairs)); len(small.Variables["side"]) != 3 {
		t.Errorf("z=1: %+v", small.Variables)
	}
	// With a prior, the columns have the names and values of its variables.
	labels := strings.NewReplacer(`"sparseness":1`, `"sparseness":2`, `{"name":"side","size":2}`, `{"name":"side","size":2,"values":["heads","tails"]}`, `{"name":"flip","size":2}`, `{"name":"flip","size":2,"values":["no","yes"]}`).Replace(coinPrior)
	for _, query := range []string{"", "?prior=apart"} {
		if with := read(asked(query, labels+pairs)); fmt.Sprint(with.Edges) != fmt.Sprint(want.Edges) || with.Table == nil {
			t.Errorf("%s: %+v", query, with)
		}
	}
	// What a column is taken for can be changed, also of a table that is refused.
	const odd = "day;x;site;done\n1;a;A;0\n1;b;A;1\n2;b;A;1\n2;a;A;0\n"
	if got := read(asked("?prior=none&column=day=episode&column=done=action&column=site=state", odd)); fmt.Sprint(got.Table.Columns) != "[{day episode   [] []} {x state   [] []} {site state   [] []} {done action   [] []}]" || got.Transitions != 2 || len(got.Table.Notes) != 1 {
		t.Errorf("%+v, %+v", got.Table, got)
	}
	var wrong engine.Details
	w := asked("?prior=none&column=done=nothing", odd)
	if err := json.Unmarshal(w.Body.Bytes(), &wrong); err != nil || w.Code != http.StatusBadRequest || fmt.Sprint(wrong.Columns) != "[{day state   [] []} {x state   [] []} {site state   [] []} {done nothing   [] []}]" {
		t.Errorf("%d, %v: %s", w.Code, err, w.Body)
	}
	if c := read(asked("?dirichlet=0.1&prior=none", pairs)).Caution; c == nil || c.Imagined != 0.8 {
		t.Errorf("%+v", c)
	}
	// The other forms are those of the command, whose tests read them back.
	for as, begins := range map[string]string{"csv": "from,to,p\nside,side,0.555", "dot": "digraph {", "json": `{"variables":{"side":[`} {
		if text := asked("?prior=none&as="+as, pairs).Body.String(); !strings.HasPrefix(text, begins) || strings.Contains(text, "caution") {
			t.Errorf("as %s: %s", as, text)
		}
	}
	for query, body := range map[string][2]string{
		"?prior=none":               {lines, "JSON Lines name no variables; a prior, a model or a table with a header was expected"},
		"?prior=none&action=toss":   {pairs, `there is no column "toss" to be an action`},
		"?prior=none&action=":       {pairs, `the column "flip" has no next value`},
		"?prior=none&z=0":           {pairs, "the z is 0; it must be at least 1"},
		"?prior=none&tables=rows":   {"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", "this file is not UTF-8; save it as UTF-8"},
		"?prior=none&column=flip":   {pairs, `the column "flip" must be a name, = and one of episode, step,`},
		"?prior=none&column=q=end":  {pairs, `there is no column "q" to be the end`},
		"?prior=apart":              {coinPrior + "side,side'\n0,0\n", `there is no column of the variable "flip"`},
		"?prior=none&dirichlet=1":   {"a,a'\n0,1\n0.5,1\n", "cut points say how to divide them"},
		"?prior=none&update=exact":  {"", "JSON Lines name no variables"},
		"?prior=none&bound=at-most": {"a,a'\n0,1\n\"0,1\n", "line 3"},
	} {
		w := asked(query, body[0])
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), strings.ReplaceAll(body[1], `"`, `\"`)) {
			t.Errorf("%s: %d %s, want %s", query, w.Code, w.Body, body[1])
		}
	}
}

// A row with a fault hides neither what the columns are taken for nor itself, wherever the table is opened.
func TestFaultyRowOfTable(t *testing.T) {
	const table = "episode,t,x,action\n1,0,0,1\n1,1,1,0\n1,2,0\n"
	for path, says := range map[string]string{
		"/v1/posterior?prior=none": `"detail":"line 4, column 1: the row has 3 cells, and the header in line 1 has 4"`,
		"/v1/convert":              `"detail":"the file is in none of the formats`,
	} {
		if _, got := ask(path, table); !strings.Contains(got, says) || !strings.Contains(got, `{"name":"x","role":"state"}`) {
			t.Errorf("%s: %s", path, got)
		}
	}
}
