package export_test

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
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
	"cpsrl/core/strict"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n got %s\nwant %s", name, got, want)
	}
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
				rec := &record.Record{Run: run, Agent: agent, Episode: k, Optimal: 5, Value: 4, Regret: float64(k*(2-a) + run*k), Return: 1.0 / 3, ModelError: &e}
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

func TestLaTeXSubscripts(t *testing.T) {
	if got := export.LaTeX("G₀, ℓ₁"); got != `G$_0$, $\ell$$_1$` {
		t.Error(got)
	}
}

// Signs that LaTeX joins stay apart; those that are meant stay what they are.
func TestLaTeXLigatures(t *testing.T) {
	for text, want := range map[string]string{
		"a--b":   "a-{}-b",
		"a---b":  "a-{}-{}-b",
		"–—":     "--{}---",
		"-–":     "-{}--",
		"``x''":  "`{}`x'{}'",
		"“x”":    "``x''",
		"‘‘x’'":  "`{}`x'{}'",
		"a?`!`b": "a?{}`!{}`b",
		"?‘":     "?{}`",
		"a,,b":   "a,{},b",
		"<<a>>":  `\textless{}\textless{}a\textgreater{}\textgreater{}`,
		"a-b 'c": "a-b 'c",
		"--é--":  `-{}-\'{e}-{}-`,
	} {
		if got := export.LaTeX(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// A name that DAGitty or DOT reserves, or that every object of JavaScript has, is a label, and
// the identifier is another.
func TestReservedNames(t *testing.T) {
	names := strings.Fields("graph node edge digraph subgraph strict dag pdag mag pag Graph NODE constructor __proto__ hasOwnProperty toString grapher")
	space := &fmdp.Space{Action: []fmdp.Variable{{Name: "x0", Size: 2}}}
	for _, name := range names {
		space.State = append(space.State, fmdp.Variable{Name: name, Size: 2})
	}
	text := (&export.Graph{Space: space, Edges: make(bigraph.Bigraph, len(names))}).DAGitty()
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		id, _, is := strings.Cut(line, " [pos=")
		if !is {
			continue
		}
		if seen[id] {
			t.Errorf("%s is of two variables", id)
		}
		seen[id] = true
	}
	for _, name := range names {
		if own := name == "grapher"; seen[name] != own || strings.Contains(text, `,label="`+name+`"]`) == own {
			t.Errorf("%s: %s", name, text)
		}
	}
	if !seen["graph_next"] || len(seen) != 2*len(names)+1 {
		t.Errorf("%v", seen)
	}
}

// Graphviz shows a name that looks like an entity of HTML as it is.
func TestDOTEntities(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "a&lt;b", Size: 2}, {Name: "R&D &eta;", Size: 2}}, Action: []fmdp.Variable{{Name: "&#65;", Size: 2}}}
	text := (&export.Graph{Space: space, Edges: make(bigraph.Bigraph, 2)}).DOT()
	for _, want := range []string{`"a&amp;lt;b"`, `"R&amp;D &amp;eta;"`, `"&amp;#65;"`, `"a&amp;lt;b′"`} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in %s", want, text)
		}
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

// compiles returns what LaTeX or BibTeX would refuse or misread in a text, or "". The text
// must be ASCII, braces must be balanced, also when those with a backslash are counted,
// nothing may end too early, and special characters must be in a known command, in math or
// in \url.
func compiles(text string) string {
	depth, math := 0, false
	rest := text
	for rest != "" {
		c := rest[0]
		rest = rest[1:]
		switch {
		case c >= 0x7f || c < ' ' && c != '\n' && c != '\t':
			return "it is not ASCII"
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return "a brace ends nothing"
			}
		case c == '$':
			math = !math
		case c == '\\':
			letters := len(rest) - len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
			name := rest[:max(letters, 1)]
			rest = rest[len(name):]
			switch {
			case name == "{" || name == "}":
				return `BibTeX counts \` + name
			case strings.Contains(` $ & # % _ ' " ^ ~ = . `+"` ", " "+name+" "):
			case strings.Contains(" begin end node draw allowbreak char textbackslash textbraceleft textbraceright textasciicircum textasciitilde textless textgreater textbar ss ae AE oe OE o O l L i S dots c v u H r ", " "+name+" "):
			case math && letters > 1:
			default:
				return "there is no command " + name
			}
		case strings.IndexByte("^#%", c) >= 0, c == '_' && !math, c == '&':
			return "there is a bare " + string(c)
		}
	}
	if depth != 0 || math {
		return "a brace or a formula does not end"
	}
	return ""
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
	if reason := compiles("{" + text); reason != "" {
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

// odd has variables whose names have special characters of every language.
var odd = &fmdp.Space{
	State:  []fmdp.Variable{{Name: "row", Size: 5}, {Name: `the "side" \ {of} 100% $_^~&#`, Size: 2}, {Name: "line\nbreak <b>|", Size: 2}, {Name: "état", Size: 2}, {Name: "y2", Size: 2}},
	Action: []fmdp.Variable{{Name: "a -> b # c", Size: 2}, {Name: "y1", Size: 2}, {Name: "row_next", Size: 2}},
}

func oddGraph() *export.Graph {
	return &export.Graph{
		Space: odd,
		Edges: bigraph.Bigraph{bigraph.Of(0, 1), bigraph.Of(1, 5), bigraph.Of(2), bigraph.Of(7), 0},
		Prior: &bigraph.Prior{X: 8, Known: bigraph.Bigraph{bigraph.Of(0), bigraph.Of(5), 0, bigraph.Of(1), bigraph.Of(3)}},
	}
}

// softPrior has edges of every sort.
func softPrior() *bigraph.Prior {
	return &bigraph.Prior{
		X: 8, Known: bigraph.Bigraph{bigraph.Of(0), 0, 0, bigraph.Of(1, 7), 0},
		Forbidden: bigraph.Bigraph{bigraph.Of(4), 0, bigraph.Of(0, 6), 0, 0},
		Likely:    []bigraph.Edge{{X: 1, Y: 0, P: 0.9}, {X: 5, Y: 1, P: 0.000001}, {X: 3, Y: 3, P: 0.25}},
	}
}

func edgeTexts(edges []document.Edge) string { return string(strict.Encode(edges)) }

func TestGraphs(t *testing.T) {
	taxi, err := experiment.NewInstance(specOf(t, `"domain":{"name":"taxi"}`), 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*export.Graph{
		"taxi": {Space: &taxi.View.Space, Edges: taxi.View.Graph(), Prior: taxi.Prior},
		"odd":  oddGraph(),
		"soft": {Space: odd, Prior: softPrior()},
		"true": {Space: odd, Edges: oddGraph().Edges, Prior: softPrior()},
	} {
		golden(t, name+".dot", g.DOT())
		golden(t, name+".tex", g.TikZ())
		golden(t, name+".dag", g.DAGitty())
		golden(t, name+".txt", g.Text())
	}
}

// Oracle: Graphviz reads the DOT text.
func TestDOTByGraphviz(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip(err)
	}
	c := exec.Command(dot, "-Tplain")
	c.Stdin = strings.NewReader(oddGraph().DOT())
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %s", err, &stderr)
	}
	text := string(out)
	for _, part := range []string{"\nedge x0 y0 ", "\nedge x7 y3 ", ` "the \"side\"`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
	visible := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "edge ") && !strings.Contains(line, "invis") {
			visible++
		}
	}
	if visible != oddGraph().Edges.Edges() {
		t.Errorf("%d edges", visible)
	}
}

// Reading the text form is the inverse of writing it.
func TestText(t *testing.T) {
	g := oddGraph()
	g.Prior = nil
	back, errs := export.ParseText(g.Text(), odd)
	if prior, err := document.DecodeEdges(back, "", odd); err != nil || len(errs) > 0 || !slices.Equal(prior.Known, g.Edges) {
		t.Errorf("%v, %v, %v", back, errs, err)
	}
	soft := &export.Graph{Space: odd, Prior: softPrior()}
	back, errs = export.ParseText(soft.Text(), odd)
	if prior, err := document.DecodeEdges(back, "", odd); err != nil || len(errs) > 0 || !slices.Equal(prior.Known, soft.Prior.Known) || !slices.Equal(prior.Forbidden, soft.Prior.Forbidden) || !slices.Equal(prior.Likely, soft.Prior.Likely) {
		t.Errorf("%s, %v, %v", edgeTexts(back), errs, err)
	}
	for text, want := range map[string]string{
		"":                               "",
		"\n  # nothing\n\t\n":            "",
		"row->row":                       "row -> row\n",
		"\trow  ->\u00a0\"row\" # known": "row -> row\n",
		"état -> état\r\nrow -> row\r\n": "row -> row\nétat -> état\n",
		"row -> row .9 # trust":          "row -> row .9\n",
		"row->row 0.90":                  "row -> row .9\n",
		`"row"->"row".9`:                 "row -> row .9\n",
		"row -> row 1\n y2 -> row 1.0":   "row -> row\ny2 -> row\n",
		"row -> row 0\n! y2 -> row":      "!row -> row\n!y2 -> row\n",
		"row -> row 0.5":                 "",
		"row → row′\ny2->\"row\"'.9":     "row -> row\ny2 -> row .9\n",
	} {
		got, errs := export.ParseText(text, odd)
		prior, err := document.DecodeEdges(got, "", odd)
		if err != nil {
			t.Fatal(err)
		}
		if out := (&export.Graph{Space: odd, Prior: prior}).Text(); len(errs) > 0 || out != want {
			t.Errorf("%q: %q, %v", text, out, errs)
		}
	}
	for text, want := range map[string]export.TextError{
		"row":                        {Line: 1, Column: 4, Detail: `"->" was expected, as in "row -> col"`},
		"\nrow >":                    {Line: 2, Column: 5, Detail: `"->" was expected, as in "row -> col"`},
		"row' -> row":                {Line: 1, Column: 4, Detail: "the prime marks a next value; an edge leads from a variable now to a next value"},
		"row -> row''":               {Line: 1, Column: 12, Detail: "the line should end here; commas join several names"},
		"row ->":                     {Line: 1, Column: 7, Detail: `a variable's name was expected; other than letters, digits and _ it is quoted`},
		"row -> # row":               {Line: 1, Column: 8, Detail: `a variable's name was expected; other than letters, digits and _ it is quoted`},
		"-> row":                     {Line: 1, Column: 1, Detail: `a variable's name was expected; other than letters, digits and _ it is quoted`},
		"état -> col":                {Line: 1, Column: 9, Detail: `there is no variable "col"`},
		`"état" -> row y2`:           {Line: 1, Column: 15, Detail: "the line should end here; commas join several names"},
		"x -> row":                   {Line: 1, Column: 1, Detail: `there is no variable "x"`},
		"row -> y1":                  {Line: 1, Column: 8, Detail: `"y1" is an action; edges lead to state variables`},
		"row -> row\n\nrow -> row ":  {Line: 3, Column: 1, Detail: "the edge stands in line 1 already"},
		`row -> "row`:                {Line: 1, Column: 8, Detail: "the quoted name does not end, or has an unknown escape"},
		`"\q" -> row`:                {Line: 1, Column: 1, Detail: "the quoted name does not end, or has an unknown escape"},
		"row -> row 2":               {Line: 1, Column: 12, Detail: "2 is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999"},
		"row -> row .9.9":            {Line: 1, Column: 12, Detail: `".9.9" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999`},
		"row -> row 0,9":             {Line: 1, Column: 12, Detail: `"0,9" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999; write 0.9 with a point`},
		"row -> row -1":              {Line: 1, Column: 12, Detail: "the line should end here; commas join several names"},
		"!row -> row .9":             {Line: 1, Column: 13, Detail: "the line should end here; commas join several names"},
		"row -> row .5\n!row -> row": {Line: 2, Column: 1, Detail: "the edge stands in line 1 already"},
		"row -> row\n!row -> row":    {Line: 2, Column: 1, Detail: "the edge stands in line 1 already"},
		strings.Repeat("x", 99):      {Line: 1, Column: 100, Detail: `"->" was expected, as in "row -> col"`},
	} {
		if _, errs := export.ParseText(text, odd); len(errs) != 1 || errs[0] != want {
			t.Errorf("%q: %+v, want %+v", text, errs, want)
		}
	}
	if _, errs := export.ParseText(strings.Repeat("?\n", 1000), odd); len(errs) != 100 {
		t.Errorf("%d errors", len(errs))
	}
	if _, errs := export.ParseText(strings.Repeat(" ", export.MaxText+1), odd); len(errs) != 1 {
		t.Errorf("%v", errs)
	}
}

// FuzzText checks that the graph of any text is written in a form that is read back
// without an error.
func FuzzText(f *testing.F) {
	f.Add(oddGraph().Text())
	f.Add("row -> row # x\n\"a -> b # c\" -> y2\r\n")
	f.Add("row -> \"\\x\"\n-> ->")
	f.Add("!* -> row, y2\n* -> * .9\nrow, y1 -> row")
	f.Add("only row, y1 -> row\nonly -> row\n\ufeff")
	f.Fuzz(func(t *testing.T, text string) {
		edges, errs := export.ParseText(text, odd)
		for _, e := range errs {
			if e.Line < 1 || e.Column < 1 || e.Detail == "" || e.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%+v", e)
			}
		}
		prior, err := document.DecodeEdges(edges, "", odd)
		if err != nil {
			t.Fatal(err)
		}
		again, errs := export.ParseText((&export.Graph{Space: odd, Prior: prior}).Text(), odd)
		if want := document.PriorEdges(prior, odd); len(errs) > 0 || !slices.Equal(again, want) {
			t.Errorf("%s became %s, %v", edgeTexts(want), edgeTexts(again), errs)
		}
	})
}

// FuzzNames checks that no name of a variable breaks out of its place in any language.
func FuzzNames(f *testing.F) {
	f.Add("a", "b")
	f.Add("\"];\n", "\\")
	f.Add("{", "\"the\" #1; \\end{x} 50% ~^_$&|<>")
	f.Add("état η′", "名 😀 ő")
	f.Fuzz(func(t *testing.T, a, b string) {
		space := &fmdp.Space{State: []fmdp.Variable{{Name: a, Size: 2}}, Action: []fmdp.Variable{{Name: b, Size: 2}}}
		if space.Validate() != nil || strings.ToValidUTF8(a+b, "") != a+b {
			t.Skip()
		}
		g := &export.Graph{Space: space, Edges: bigraph.Bigraph{bigraph.Of(0, 1)}}
		back, errs := export.ParseText(g.Text(), space)
		if len(errs) > 0 || len(back) != 2 || back[0] != (document.Edge{From: a, To: a, P: 1}) || back[1] != (document.Edge{From: b, To: a, P: 1}) {
			t.Errorf("%q %q: %v, %v", a, b, back, errs)
		}
		for name, text := range map[string]string{"DOT": g.DOT(), "TikZ": g.TikZ(), "DAGitty": g.DAGitty()} {
			lines := map[string]int{"DOT": 17, "TikZ": 8, "DAGitty": 7}[name]
			if reason := compiles(text[strings.Index(text, "\n"):]); name == "TikZ" && reason != "" {
				t.Errorf("%s:\n%s", reason, text)
			}
			if n := strings.Count(text, "\n"); n != lines {
				t.Errorf("%s of %q and %q has %d lines:\n%s", name, a, b, n, text)
			}
		}
	})
}
