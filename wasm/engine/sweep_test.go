package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/core/sweep"
	"cpsrl/render"
	"cpsrl/render/figure"
)

// aSweep is the body of a small sweep.
const aSweep = `{"spec":` + small + `,"vary":"z=1,2"}`

// twoEnds asks for its figure.
const twoEnds = `{"spec":` + small + `,"vary":"z=1,2","measure":"cumulative-regret","ends":[{"setting":0,"agent":"psrl","mean":3,"lo":2,"hi":4,"n":5,"learned":0},{"setting":1,"agent":"psrl","mean":4,"n":1,"learned":1}]}`

// Oracle: core/sweep and core/experiment, which the command uses. What cannot run has the sentence of the command.
func TestSweepPlan(t *testing.T) {
	base, err := spec.Decode([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	const vary = "z=1,2,8;false=0,1~trust=1,.9"
	s, err := sweep.New(base, vary)
	if err != nil {
		t.Fatal(err)
	}
	var p SweepPlan
	body := fmt.Sprintf(`{"spec":%s,"vary":%q}`, small, vary)
	asked(t, "/v1/sweep", body, &p)
	if len(p.Settings) != 6 || p.Vary != vary || len(p.Columns) != 3 || p.Columns[1] != (SweepColumn{"prior.false", s.Title(1), 1}) {
		t.Fatalf("%+v", p)
	}
	if again, err := sweep.Decode([]byte(p.Document)); err != nil || again.Digest() != s.Digest() {
		t.Errorf("%v, or the document is another sweep", err)
	}
	if want, has := sweep.EncodeLink(s, nil); !has || p.Link != want || p.Command != "cpsrl sweep -link '"+want+"' -o sweep" {
		t.Errorf("%s\n%s", p.Link, p.Command)
	}
	var opened Opened
	asked(t, "/v1/open", fmt.Sprintf(`{"link":%q}`, p.Link), &opened)
	if of := opened.Sweep; of == nil || of.Vary != p.Vary || of.Receipt != nil || !slices.Equal(of.Pairs, []string{"vary=" + vary}) || len(opened.Unknown) > 0 || opened.Link != p.Link {
		t.Errorf("%+v", opened)
	}
	impossible := 0
	for k, got := range p.Settings {
		of := s.Setting(k)
		e, err := (*experiment.Experiment)(nil), of.Err
		if err == nil {
			e, err = experiment.New(of.Spec)
		}
		seconds, reason := 0.0, ""
		if err != nil {
			reason = asDetails(err).Detail
			impossible++
		} else {
			seconds = e.Cost() / experiment.Browser
		}
		if got.ID != of.ID || (err == nil) != (got.Runs == 3) || !slices.Equal(got.Values, of.Texts) || got.Seconds != seconds || got.Reason != reason {
			t.Errorf("setting %d: %+v, not %v %g %q", k, got, of.Texts, seconds, reason)
		}
		checked := ask("POST", fmt.Sprintf("/v1/sweep?as=setting&setting=%d", k), body)
		if err != nil {
			if checked.Code != http.StatusBadRequest {
				t.Errorf("setting %d cannot run: %d", k, checked.Code)
			}
		} else if alone := ask("POST", "/v1/check", string(spec.Encode(of.Spec))); checked.Body.String() != alone.Body.String() {
			t.Errorf("setting %d: %.300s, not %.300s", k, checked.Body, alone.Body)
		}
	}
	if impossible == 0 || impossible == 6 {
		t.Errorf("%d settings cannot run", impossible)
	}
}

// Oracle: `cpsrl table` and `cpsrl plot`, which make their answers of results.AgentEnds (core/export, render/figure). What a
// page knows of a setting is its summary.
func TestSweepEnds(t *testing.T) {
	base, err := spec.Decode([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	const vary = "z=2,3;false=0,1~trust=1,.9"
	s, err := sweep.New(base, vary)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []*results.Measure{results.CumulativeRegret(), measure(t, "model-error"), measure(t, "recall")} {
		table := &export.SweepTable{Sweep: s, Engine: record.Engine, Measure: of}
		body := Sweep{Spec: base, Vary: vary, Measure: of.Key}
		var ids []string
		for setting := range s.Settings() {
			k := len(ids)
			ids = append(ids, setting.ID)
			e, err := experiment.New(setting.Spec)
			if err != nil {
				t.Fatal(err)
			}
			finals := results.NewAgentEnds(e, of)
			for r, err := range e.Run() {
				if err != nil {
					t.Fatal(err)
				}
				if err := finals.Add(r); err != nil {
					t.Fatal(err)
				}
			}
			for _, final := range finals.All() {
				table.Rows = append(table.Rows, export.SweepRow{Setting: setting, AgentEnd: final})
			}
			lines := strings.Split(strings.TrimSpace(ask("POST", "/v1/summary", ask("POST", "/v1/run", string(spec.Encode(setting.Spec))).Body.String()).Body.String()), "\n")
			var last struct {
				Fingerprint string
				Series      []struct {
					Agent, Measure string
					Mean, Lo, Hi   []*float64
					N              []int
				}
				Learned []results.Learned
			}
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
				t.Fatal(err)
			}
			body.Fingerprints = append(body.Fingerprints, last.Fingerprint)
			for _, learned := range last.Learned {
				end := SweepEnd{Setting: k, Agent: learned.Agent, Learned: learned.Runs}
				for _, c := range last.Series {
					if at := len(c.Mean) - 1; c.Measure == of.Key && c.Agent == learned.Agent {
						end.Mean, end.Lo, end.Hi, end.N = *c.Mean[at], c.Lo[at], c.Hi[at], c.N[at]
					}
				}
				body.Ends = append(body.Ends, end)
			}
		}
		table.Receipt = sweep.Receipt(record.Engine, ids, body.Fingerprints)
		post := func(as string, body Sweep) string {
			got := ask("POST", "/v1/sweep?as="+as, string(strict.Encode(body)))
			if got.Code != http.StatusOK {
				t.Fatalf("%s: %d, %s", as, got.Code, got.Body)
			}
			return got.Body.String()
		}
		if got, want := post("csv", body), string(table.CSV()); got != want || !strings.Contains(got, "\n# receipt 2-") {
			t.Errorf("%s: the table is\n%s\nnot\n%s", of.Key, got, want)
		}
		var receipt SweepReceipt
		if err := json.Unmarshal([]byte(post("receipt", body)), &receipt); err != nil {
			t.Fatal(err)
		}
		if *receipt.Receipt != *table.Receipt || !strings.Contains(receipt.Link, "&swept="+table.Receipt.String()) {
			t.Errorf("the receipt is %+v, not %s", receipt, table.Receipt)
		}
		var opened Opened
		asked(t, "/v1/open", fmt.Sprintf(`{"link":%q}`, receipt.Link), &opened)
		if of := opened.Sweep; of == nil || of.Receipt == nil || *of.Receipt != *table.Receipt || opened.Receipt != nil {
			t.Errorf("%+v", opened)
		}
		body.Theme, body.Width, body.Type = render.Page, 600, 13
		for _, heat := range []int{-1, 1} {
			if heat >= 0 {
				body.Heat = &heat
			}
			c, err := figure.OfSweep(table, 0, heat)
			if err != nil {
				t.Fatal(err)
			}
			c.Theme, c.Width, c.Type = render.Page, 600, 13
			for inline, want := range map[bool][]byte{true: render.Inline(c.Picture()), false: render.SVG(c.Picture())} {
				body.Inline = inline
				if got := post("svg", body); got != string(want) {
					t.Errorf("heat %d, inline %t: %.300s", heat, inline, got)
				}
			}
		}
	}
}

func measure(t *testing.T, key string) *results.Measure {
	of, ok := results.LookupMeasure(key)
	if !ok {
		t.Fatalf("there is no measure %s", key)
	}
	return of
}

// asked asks and decodes the answer.
func asked(t *testing.T, path, body string, into any) {
	t.Helper()
	got := ask("POST", path, body)
	if got.Code != http.StatusOK {
		t.Fatalf("%s: %d, %s", path, got.Code, got.Body)
	}
	if err := json.Unmarshal(got.Body.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

// Oracle: by hand. What may come from anyone gets a sentence and its place.
func TestSweepRefusals(t *testing.T) {
	if got := ask("POST", "/v1/sweep?as=svg", twoEnds); got.Code != http.StatusOK || !strings.Contains(got.Body.String(), "1 to 5") {
		t.Errorf("%d, %s", got.Code, got.Body)
	}
	zeros := strings.Repeat("0", 64)
	one := strings.Replace(twoEnds, `"vary":"z=1,2"`, `"vary":"z=1,2","fingerprints":["","`+zeros+`"]`, 1)
	if got := ask("POST", "/v1/sweep?as=receipt", one); got.Code != http.StatusOK {
		t.Errorf("%d, %s", got.Code, got.Body)
	}
	for _, c := range []struct{ as, old, new, pointer, says string }{
		{"plan", `"vary":"z=1,2"`, `"vary":""`, "/vary", "is not key=value,value"},
		{"plan", `"vary":"z=1,2"`, `"vary":"beauty=1"`, "/vary", `"beauty" is no field that can vary`},
		{"plan", `"vary":"z=1,2"`, `"vary":"z=1;z=2"`, "/vary", "varies twice"},
		{"plan", `"z=1,2"`, `"seed=` + strings.Join(slices.Collect(maps.Keys(numbers(MostSettings+1))), ",") + `"`, "/vary", "the sweep has 501 settings; at most 500 are computed here"},
		{"dance", "", "", "", `the as "dance" must be one of csv, plan, `},
		{"setting", "", "", "", "is not a whole number"},
		{"setting&setting=2", "", "", "", "there is no setting 2"},
		{"setting&setting=-1", "", "", "", "there is no setting -1"},
		{"receipt", "", "", "/fingerprints", "was expected"},
		{"receipt", `"measure"`, `"fingerprints":[""],"measure"`, "/fingerprints", "there are 1, and 2 settings"},
		{"receipt", `"measure"`, `"fingerprints":["","x"],"measure"`, "/fingerprints/1", "hexadecimal"},
		{"receipt", `"measure"`, `"fingerprints":["",""],"measure"`, "/fingerprints/1", "the setting can run"},
		{"receipt", `"measure"`, `"fingerprints":["` + zeros + `","` + zeros + `"],"measure"`, "/fingerprints/0", "the setting cannot run"},
		{"csv", `"ends":[{"setting":0,"agent":"psrl","mean":3,"lo":2,"hi":4,"n":5,"learned":0},{"setting":1,"agent":"psrl","mean":4,"n":1,"learned":1}]`, `"fingerprints":["","` + zeros + `"],"ends":[]`, "/fingerprints", "while settings are missing"},
		{"svg", `"cumulative-regret"`, `"beauty"`, "/measure", `there is no measure "beauty"`},
		{"svg", `"ends"`, `"x":1,"ends"`, "/x", "there is no column 1"},
		{"svg", `"ends"`, `"x":-1,"ends"`, "/x", "there is no column -1"},
		{"svg", `"ends"`, `"heat":1,"ends"`, "/heat", "there is no column 1"},
		{"svg", `"ends"`, `"heat":0,"ends"`, "", "vary together"},
		{"svg", `"ends"`, `"width":1e9,"ends"`, "/width", "it must be from 100 to 4000"},
		{"svg", `"ends"`, `"theme":"pink","ends"`, "/theme", `there is no theme "pink"`},
		{"csv", `"setting":0`, `"setting":2`, "/ends/0/setting", "the number of a setting"},
		{"csv", `"setting":1`, `"setting":-1`, "/ends/1/setting", "the number of a setting"},
		{"csv", `"setting":1`, `"setting":0`, "/ends/1/agent", "an end of \"psrl\" already"},
		{"csv", `"n":1`, `"n":-1`, "/ends/1", "not negative"},
		{"csv", `"learned":1`, `"learned":2`, "/ends/1", "not negative"},
		{"csv", `"lo":2,`, ``, "/ends/0", "begins below its end"},
		{"csv", `"lo":2`, `"lo":5`, "/ends/0", "begins below its end"},
		{"csv", `"agent":"psrl","mean":4`, `"agent":"nobody","mean":4`, "/ends/1/agent", `the sweep has no agent "nobody"`},
		{"csv", `"ends"`, `"impossible":1,"ends"`, "/impossible", "that cannot run"},
		{"svg", `"mean":4`, `"mean":1e308`, "", "numbers from -1e+100 to 1e+100"},
		{"csv", `"measure"`, `"colour":1,"measure"`, "/colour", ""},
	} {
		body := strings.Replace(twoEnds, c.old, c.new, 1)
		if body == twoEnds && c.old != "" {
			t.Fatalf("no %s", c.old)
		}
		refused(t, ask("POST", "/v1/sweep?as="+c.as, body), http.StatusBadRequest, c.pointer, c.says)
	}
	large := strings.Replace(twoEnds, `"mean":4`, `"mean":-1e100`, 1)
	if got := ask("POST", "/v1/sweep?as=svg", large); got.Code != http.StatusOK || strings.Contains(got.Body.String(), "NaN") || strings.Contains(got.Body.String(), "Inf") {
		t.Errorf("%d, %.500s", got.Code, got.Body)
	}
	for link, says := range map[string]string{"v=1&domain=figure1&vary=%zz": "percent-encoded", "v=1&domain=figure1&vary=z=2&swept=3": "an engine version and a fingerprint"} {
		refused(t, ask("POST", "/v1/open", fmt.Sprintf(`{"link":%q}`, link)), http.StatusBadRequest, "/link", says)
	}
}

// numbers are the texts of so many numbers.
func numbers(n int) map[string]bool {
	of := map[string]bool{}
	for k := range n {
		of[fmt.Sprint(k)] = true
	}
	return of
}
