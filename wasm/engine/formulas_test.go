package engine

import (
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/export"
	"cpsrl/core/format"
	"cpsrl/core/results"
	"cpsrl/core/sweep"
)

// evil is a name that a spreadsheet would compute.
const evil = "=cmd|'/C calc'!A0"

// noFormula fails the test if a cell of a table would be a formula, wherever a spreadsheet divides its lines.
func noFormula(t *testing.T, name, table string) {
	t.Helper()
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		for _, by := range ",;\t" {
			r := csv.NewReader(strings.NewReader(line))
			r.Comma, r.LazyQuotes = by, true
			row, err := r.Read()
			if err != nil && line != "" {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			for _, cell := range append(row, strings.Split(line, string(by))...) {
				cell = strings.Trim(cell, ` "`)
				number, _, _ := strings.Cut(cell, ",")
				if _, err := strconv.ParseFloat(strings.TrimRight(number, "]}"), 64); cell != "" && strings.ContainsAny(cell[:1], "=+-@") && err != nil {
					t.Errorf("%s has the cell %q in %.300q", name, cell, line)
				}
			}
		}
	}
}

// No table of the engine has a formula, whatever the names in it are.
func TestNoFormulas(t *testing.T) {
	spec := `{"format":"cpsrl/spec","version":5,"domain":{"name":"model","model":{"format":"cpsrl/model","version":3,"name":"@a","horizon":2,` +
		`"state":[{"name":"` + evil + `","size":3,"values":["a","` + evil + `","c"]},{"name":"x,-y","size":2}],"action":[{"name":"+flip","size":2}],"initial":"uniform",` +
		`"transition":[{"of":"` + evil + `","given":["+flip"],"p":[[1,0,0],[0,0.5,0.5]]},{"of":"x,-y","given":["x,-y"],"p":[[0.5,0.5],[0,1]]}],"reward":[{"given":["` + evil + `"],"mean":[0,-1,1],"kind":"fixed"}]}},` +
		`"prior":{"edges":[["` + evil + `","` + evil + `",0.5],["+flip","x,-y"]]},"agents":["psrl","c-psrl"],"episodes":3,"runs":2}`
	foreign := `{"label":"` + evil + `","run":0,"episode":1,"regret":3}` + "\n" + `{"label":"x;` + evil + `","run":0,"episode":1,"regret":-3}` + "\n"
	records := ask("POST", "/v1/run", spec).Body.String()
	prior := strings.TrimSpace(ask("POST", "/v1/export?as=prior", `{"spec":`+spec+`}`).Body.String())
	tables := 0
	check := func(path, body string) string {
		t.Helper()
		w := ask("POST", path, body)
		if w.Code == http.StatusOK && strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
			tables++
			noFormula(t, path, w.Body.String())
		}
		return w.Body.String()
	}
	for path, e := range Handler().(endpoints) {
		for _, as := range e.as {
			for _, body := range []string{records, spec, spec + "\n" + foreign, prior + "\n" + `{"x":[1,0,1],"y":[1,1]}`} {
				check(path+"?base=http://a/%3Bx,-b,%3Dc&as="+as, body)
			}
		}
	}
	of := check("/v1/sweep?as=csv", `{"spec":`+spec+`,"vary":"seed=1,2","measure":"regret","ends":[{"setting":0,"agent":"c-psrl","mean":-1,"n":3,"learned":0}]}`)
	s, err := sweep.Decode([]byte(`{"format":"cpsrl/sweep","version":1,"spec":` + spec + `,"vary":[{"seed":[1,2],"label.pick":["` + evil + `","b;-c"],"label.@x":["+1+2","-5"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	table := &export.SweepTable{Sweep: s, Engine: 2, Measure: results.CumulativeRegret()}
	for of := range s.Settings() {
		table.Rows = append(table.Rows, export.SweepRow{Setting: of, AgentEnd: results.AgentEnd{Agent: "c-psrl"}})
	}
	noFormula(t, "a sweep with labels", string(table.CSV()))
	if tables < 6 {
		t.Errorf("%d tables", tables)
	}
	// What the comments hold is still the same.
	for text, name := range map[string]string{check("/v1/export?as=csv", records): "# spec ", of: "# sweep "} {
		_, after, _ := strings.Cut(text, name)
		line, _, _ := strings.Cut(after, "\n")
		var err error
		if name == "# sweep " {
			_, err = sweep.Decode([]byte(line))
		} else if w := ask("POST", "/v1/check", line); w.Code != http.StatusOK || ask("POST", "/v1/run", line).Body.String() != records {
			t.Errorf("%s: %s", line, w.Body)
		}
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	// The table of edges reads back as a prior.
	file, err := document.DecodePrior([]byte(prior))
	if err != nil {
		t.Fatal(err)
	}
	edges, wrong, _ := format.ReadPrior(check("/v1/posterior?as=csv", prior+"\n"), file.Space)
	if len(edges) != 6 || len(wrong) > 0 {
		t.Errorf("%v, %v", edges, wrong)
	}
}
