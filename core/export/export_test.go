package export_test

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/internal/formattest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	formattest.Golden(t, name, got, *update)
}

// asFrozen leaves out the measures that the golden figure does not have, because they are
// younger. Every other change of a figure shows.
func asFrozen(t *testing.T, f *export.Figure) *export.Figure {
	t.Helper()
	if *update {
		return f
	}
	var frozen export.Figure
	if data, err := os.ReadFile("testdata/figure.json"); err != nil || json.Unmarshal(data, &frozen) != nil || len(frozen.Conclusions) < 2 {
		t.Fatalf("%v: %+v", err, frozen)
	}
	younger := func(measure string) bool { return frozen.Conclusions[measure] == "" }
	maps.DeleteFunc(f.Conclusions, func(measure, _ string) bool { return younger(measure) })
	f.Series = slices.DeleteFunc(f.Series, func(s export.Series) bool { return younger(s.Measure) })
	f.Final = slices.DeleteFunc(f.Final, func(s export.Final) bool { return younger(s.Measure) })
	return f
}

func specOf(t testing.TB, text string) *spec.Spec {
	t.Helper()
	s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,` + text + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func experimentOf(t testing.TB, text string) *experiment.Experiment {
	t.Helper()
	e, err := experiment.New(specOf(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// measure returns the measure of that key.
func measure(t testing.TB, key string) *results.Measure {
	t.Helper()
	of, ok := results.LookupMeasure(key)
	if !ok {
		t.Fatalf("there is no measure %q", key)
	}
	return of
}

// byHand returns the results of records with simple regrets.
func byHand(t testing.TB, runs int) (*export.Results, *export.Long) {
	of := experimentOf(t, `"domain":{"name":"figure1"},"agents":["psrl","c-psrl"],"episodes":3,"runs":2,"seed":1`)
	r := &export.Results{Summary: results.NewSummary(of), Engine: 1, Fingerprint: strings.Repeat("0123456789abcdef", 4), Whole: runs == 2}
	long := &export.Long{}
	e := 0.25
	for run := range runs {
		for a, agent := range of.Spec().Agents {
			for k := 1; k <= 3; k++ {
				rec := &record.Record{Run: run, Agent: agent, Episode: k, Valued: &record.Valued{Optimal: 5, Value: 4, Regret: float64(k*(2-a) + run*k)}, Return: 1.0 / 3, ModelError: &e}
				if agent == "c-psrl" {
					rec.Belief = &record.Belief{
						Scored:  &record.Scored{Scores: bigraph.Scores{Superset: k == 3, Recall: 0.75, Precision: 1, Parents: 1.5}},
						Updated: &record.Updated{Entropy: 2, Best: document.Graph{{0}, {1}}},
					}
				}
				if err := r.Add(rec); err != nil {
					t.Fatal(err)
				}
				long.Add(rec)
			}
		}
	}
	return r, long
}

func TestTables(t *testing.T) {
	r, long := byHand(t, 2)
	r.Base = "https://example.org/cpsrl/"
	golden(t, "summary.csv", string(r.CSV(results.CumulativeRegret())))
	golden(t, "paired.csv", string(r.PairedCSV(measure(t, "regret"), experiment.Pair{Agent: "c-psrl", Base: "psrl"})))
	golden(t, "long.csv", string(long.CSV(r)))
	golden(t, "figure.json", string(asFrozen(t, r.Figure()).JSON()))
	// With one run of two there are no intervals and no receipt.
	r, _ = byHand(t, 1)
	golden(t, "incomplete.csv", string(r.CSV(measure(t, "recall"))))
	r, _ = byHand(t, 2)
	if r.Whole = false; r.Receipt() != nil || strings.Contains(r.Figure().Link, "receipt") {
		t.Error("records in another order have a receipt")
	}
	// A hostile base does not end a comment line.
	r.Base = "x\nagent,1\r"
	if text := string(r.CSV(measure(t, "regret"))); strings.Contains(text, "\nagent,1") {
		t.Error(text)
	}
}

func TestCite(t *testing.T) {
	taxi := experimentOf(t, `"domain":{"name":"taxi"},"agents":["psrl","c-psrl"],"prior":{"edges":[["row","row"]]}`)
	receipt := &spec.Receipt{Engine: 1, Fingerprint: strings.Repeat("0123456789abcdef", 4)}
	golden(t, "taxi.bib", export.BibTeX("https://example.org/a%20b/", taxi, receipt))
	golden(t, "random.bib", export.BibTeX("", experimentOf(t, `"domain":{"name":"random-fmdp"}`), nil))
	if got, want := export.Command(taxi), "cpsrl run -link 'v=1&prior=row:row&agents=psrl,c-psrl&domain=taxi&episodes=100&runs=1&seed=0'"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// A model that no link can hold is named without a link.
func TestCiteWithoutLink(t *testing.T) {
	const n = 100
	var rows []string
	for row := range n {
		rest := 1.0
		var p []string
		for k := range n - 1 {
			x := rest * math.Abs(math.Sin(float64(n*row+k))) / n
			p, rest = append(p, fmt.Sprint(x)), rest-x
		}
		rows = append(rows, strings.Join(append(p, fmt.Sprint(rest)), ","))
	}
	large := experimentOf(t, `"domain":{"name":"model","model":{"format":"cpsrl/model","version":1,"horizon":2,"state":[{"name":"a","size":100}],"action":[{"name":"b","size":1}],
		"initial":"uniform","transition":[{"of":"a","given":["a"],"p":[[`+strings.Join(rows, "],[")+`]]}],"reward":[]}}`)
	if got := export.Command(large); !strings.HasSuffix(got, "\ncpsrl run -spec spec.json") {
		t.Errorf("%.200s", got)
	}
	for base, want := range map[string]int{"": 0, "https://example.org/": 1} {
		if got := export.BibTeX(base, large, nil); strings.Count(got, "howpublished") != want || strings.Contains(got, "v=1") {
			t.Errorf("base %q: %.900s", base, got)
		}
	}
}

// entry returns the fields of an entry as BibTeX reads them, without the address.
func entry(t *testing.T, text string) map[string]string {
	t.Helper()
	fields := map[string]string{}
	_, text, _ = strings.Cut(text, "@misc{")
	text, url, ok := strings.Cut(text, `\href{`)
	_, after, ok2 := strings.Cut(url, `}{\texttt{`)
	if !ok || !ok2 {
		t.Fatalf("there is no address in %s", text)
	}
	text += "{{" + after
	address := url[:len(url)-len(after)-len(`}{\texttt{`)]
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(line, " = {"); ok {
			fields[strings.TrimSpace(name)] = strings.TrimRight(value, "},\n")
		}
	}
	if reason := formattest.Compiles("{" + text); reason != "" {
		t.Errorf("%s:\n%s", reason, text)
	}
	if strings.Trim(address, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?@!$&'()*+,;=[]\\%#") != "" {
		t.Errorf("the address is %s", address)
	}
	// What is printed without hyperref is the address, too.
	printed := strings.NewReplacer(`\allowbreak{}`, "", `\textasciitilde{}`, "~", "{}", "", `\`, "").Replace(strings.TrimLeft(fields["howpublished"], "{"))
	if printed != strings.ReplaceAll(address, `\`, "") {
		t.Errorf("%q is printed as %q", address, printed)
	}
	return fields
}

// named returns an experiment in a model of that name.
func named(name string) (*experiment.Experiment, error) {
	m := &fmdp.Model{
		Name: name, Horizon: 2, Space: fmdp.Space{State: []fmdp.Variable{{Name: "s", Size: 1}}, Action: []fmdp.Variable{{Name: "a", Size: 1}}},
		Initial: []float64{1}, Transition: []fmdp.Factor{{Size: 1, P: []float64{1}}},
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return experiment.New(&spec.Spec{Domain: domain.NewCustom(m), Agents: []string{"c-psrl"}})
}

// FuzzCite checks that no name of a model and no address breaks out of its entry.
func FuzzCite(f *testing.F) {
	for _, name := range []string{"{", "}", "dag {", `\`, `\}`, `"`, "100% $x_1^2 ~ #&", "η × 2 → état, ÿ ő ş", "名 😀", "a\nb\x7f", "` ''", "@misc{x,"} {
		f.Add(name, "https://example.org/"+name)
	}
	f.Fuzz(func(t *testing.T, name, base string) {
		e, err := named(strings.ToValidUTF8(name, "?"))
		if err != nil || len(name) > 1000 || len(base) > 1000 {
			t.Skip()
		}
		fields := entry(t, export.BibTeX(base, e, nil))
		if fields["year"] == "" || fields["author"] == "" || !strings.HasPrefix(fields["title"], "{C-PSRL playground. ") {
			t.Errorf("%q", fields)
		}
	})
}

// A citation describes the prior by its degree or by its numbers of edges.
func TestCitePrior(t *testing.T) {
	for prior, want := range map[string]string{
		``:                      `{C-PSRL playground. Taxi 5$\times$5: $\eta$ = 2, Z = 5, H = 15`,
		`"prior":{"eta":1},`:    `{C-PSRL playground. Taxi 5$\times$5: $\eta$ = 1, Z = 5, H = 15`,
		`"prior":{"edges":[]},`: `{C-PSRL playground. Taxi 5$\times$5: known edges: 0, Z = 5, H = 15`,
		`"prior":{"edges":[["row","row",0.9],["move","row"],["col","row",0]]},`: `{C-PSRL playground. Taxi 5$\times$5: known edges: 1, likely: 1, forbidden: 1, Z = 5, H = 15`,
		`"prior":{"eta":1,"trust":0.9,"false":2},`:                              `{C-PSRL playground. Taxi 5$\times$5: $\eta$ = 1 at trust .9, 2 false, Z = 5, H = 15`,
		`"prior":{"edges":[["row","row"],["move","row"],["col","col"],["move","col"],["passenger","passenger"],["move","passenger"],["destination","destination"],["move","destination"]]},`: `{C-PSRL playground. Taxi 5$\times$5: known edges: 8, Z = 5, H = 15`,
	} {
		e := experimentOf(t, prior+`"domain":{"name":"taxi"}`)
		if got := entry(t, export.BibTeX("", e, nil))["title"]; got != want {
			t.Errorf("%s: %s, want %s", prior, got, want)
		}
	}
}
