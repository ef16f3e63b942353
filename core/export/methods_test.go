package export_test

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/param"
	"cpsrl/core/spec"
	"cpsrl/internal/small"
)

// methodsOf returns the text of a spec, or "" if there is no such experiment.
func methodsOf(t *testing.T, s *spec.Spec) string {
	t.Helper()
	e, err := experiment.Open(s)
	if err != nil {
		return ""
	}
	text := export.Methods(e, nil)
	if text == "" || strings.ContainsAny(text, "\n\t") || strings.Contains(text, "  ") || strings.Contains(text, "%!") || strings.Contains(text, "..") || !strings.HasSuffix(text, ".") {
		t.Errorf("not a paragraph: %s", text)
	}
	return text
}

// written holds values of the parameters with a notation of their own, beside those that forms offer.
var written = map[string][]string{
	"sparseness": {"4", "5", "6", "5,X1:4", "5,X1:3", "5,X2:3"}, "dirichlet": {"0.2", "ess:2", "learn:0.1:1", "mix:0.1:1"}, "rows": {"0.2", "ess:2", "learn:0.1:1", "mix:0.1:1"},
	"trust": {"1", ".9", ".8"}, "epsilon": {"0", "0.2", "1"}, "prior": {"expert", "other"},
}

// values returns texts of several values of a parameter: all its words, and numbers.
func values(p *param.Param) (list []string) {
	for _, w := range p.Words {
		list = append(list, w.Value)
	}
	if p.Int != nil {
		near := p.Low
		if n, err := strconv.Atoi(p.Default); err == nil {
			near = n
		}
		for _, n := range []int{near - 1, near, near + 1, near + 2} {
			if n >= p.Low && n <= p.High {
				list = append(list, fmt.Sprint(n))
			}
		}
	}
	for _, text := range written[p.Name] {
		if p.Written != nil && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// distinct checks that each valid value of a parameter has a text of its own, and that at least two
// are valid.
func distinct(t *testing.T, what string, p *param.Param, of func(value string) *spec.Spec) {
	t.Helper()
	seen := map[string]string{}
	for _, value := range values(p) {
		text := ""
		if s := of(value); s != nil {
			text = methodsOf(t, s)
		}
		switch other, has := seen[text]; {
		case text == "": // there is no such experiment
		case has:
			t.Errorf("%s: %s and %s have the same text, %s", what, value, other, text)
		default:
			seen[text] = value
		}
	}
	if len(seen) < 2 {
		t.Errorf("%s has %d values with a text", what, len(seen))
	}
}

const methodsBase = `{"format":"cpsrl/spec","version":4,"domain":{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"parents":2,"horizon":5},` +
	`"priors":{"expert":{"eta":1},"other":{"edges":[["X1","X2"]]}},"agents":["psrl","f-psrl","c-psrl","c-psrl:prior=expert"],"sparseness":5,"episodes":7,"runs":3}`

// Every switch of a spec changes the text, with each of its words.
func TestMethodsOfRows(t *testing.T) {
	base := small.Decode(t, methodsBase)
	for _, p := range base.Params() {
		distinct(t, p.Name, &p, func(value string) *spec.Spec {
			s := base.Clone()
			if s.Set(p.Key, value) != nil || s.Complete() != nil {
				return nil
			}
			return s
		})
	}
}

// Every parameter of a prior changes the text, that of the spec and of a named one, and so do edges. A new
// field of a prior, or of a spec beside its rows, needs a sentence and a line here.
func TestMethodsOfPriors(t *testing.T) {
	var fields []string
	for of := range reflect.TypeFor[spec.Prior]().NumField() {
		fields = append(fields, reflect.TypeFor[spec.Prior]().Field(of).Name)
	}
	if !slices.Equal(fields, []string{"Eta", "Trust", "False", "Edges", "Data"}) {
		t.Errorf("the fields of a prior are %q", fields)
	}
	// Domain, Prior, Priors and Agents, the Own of the row sparseness and what it was read with, and a field for each row.
	if n, rows := reflect.TypeFor[spec.Spec]().NumField(), len(new(spec.Spec).Params()); n != rows+6 {
		t.Errorf("a spec has %d fields and %d rows", n, rows)
	}
	seen := map[string]string{}
	for _, prior := range []string{
		`{"eta":0}`, `{"eta":1}`, `{"eta":2}`, `{"eta":1,"trust":0.9}`, `{"eta":1,"trust":0.8}`, `{"eta":1,"false":1}`, `{"eta":1,"false":2}`, `{"false":1}`, `{"trust":0.7}`,
		`{"edges":[]}`, `{"edges":[["X1","X2"]]}`, `{"edges":[["X1","X2",0]]}`, `{"edges":[["X1","X2",0.3]]}`, `{"edges":[["X1","X2",0.8]]}`, `{"edges":[["X2","X2"]]}`,
		`{"edges":[["X1","X2"],["X3","X1",0]]}`, `{"edges":[["*","X1",0]]}`,
	} {
		for _, place := range []string{`"prior":` + prior + `,"priors":{"expert":{"eta":1}`, `"priors":{"expert":` + prior} {
			text := methodsOf(t, small.Decode(t, strings.Replace(methodsBase, `"priors":{"expert":{"eta":1}`, place, 1)))
			if other, has := seen[text]; has && !(prior == `{"eta":1}` && strings.HasPrefix(place, `"priors"`)) || text == "" {
				t.Errorf("%s has the text of %s: %s", place, other, text)
			}
			seen[text] = place
		}
	}
	for _, data := range []string{`[{"x":[0,0,0,0,0],"y":[0,0,0]}]`, `[{"x":[0,0,0,0,0],"y":[0,0,1]}]`, `[{"x":[0,0,0,0,0],"y":[0,0,0]},{"x":[0,0,0,0,0],"y":[0,0,0]}]`} {
		text := methodsOf(t, small.Decode(t, strings.Replace(strings.Replace(methodsBase, `"version":4`, `"version":5`, 1), `"priors"`, `"prior":{"eta":1,"data":`+data+`},"priors"`, 1)))
		if other, has := seen[text]; has || !strings.Contains(text, "has observed ") {
			t.Errorf("%s has the text of %s: %s", data, other, text)
		}
		seen[text] = data
	}
}

// Every parameter of every problem changes the text.
func TestMethodsOfDomains(t *testing.T) {
	for _, kind := range domain.Kinds() {
		if kind.Key == "model" {
			continue // TestMethodsOfModels
		}
		made := func(key, value string) *spec.Spec {
			s := &spec.Spec{Domain: kind.New(), Agents: []string{"psrl"}}
			if key != "" && s.Set(key, value) != nil || s.Complete() != nil {
				return nil
			}
			return s
		}
		base := made("", "")
		for _, p := range base.Domain.Params() {
			if p.Int != nil && p.Low == p.High {
				continue
			}
			distinct(t, kind.Key+" "+p.Name, &p, func(value string) *spec.Spec { return made(p.Key, value) })
		}
	}
}

func TestMethodsOfModels(t *testing.T) {
	all := small.All(t)
	text := string(spec.Encode(all["model"]))
	seen := map[string]bool{}
	for _, change := range [][2]string{{"", ""}, {`"mean":[0,1,0.5,0.25]`, `"mean":[0,1,0.5,0.5]`}, {`"horizon":4,"state"`, `"horizon":3,"state"`}, {`"name":"a"`, `"name":"a"`}} {
		m := strings.Replace(text, change[0], change[1], 1)
		m = strings.Replace(m, `"domain":{"name":"model","horizon":4,`, `"domain":{"name":"model",`, 1)
		seen[methodsOf(t, small.Decode(t, m))] = true
	}
	if len(seen) != 3 || seen[""] {
		t.Errorf("%d texts", len(seen))
	}
	other := strings.Replace(text, `"domain":{`, `"domain":{"tables":"resampled",`, 1)
	other = strings.NewReplacer(`"version":3`, `"version":4`, `"version":1,"domain"`, `"version":4,"domain"`, `"tables":"given",`, "").Replace(other)
	if got := methodsOf(t, small.Decode(t, other)); seen[got] || !strings.Contains(got, "each draws the tables") {
		t.Error(got)
	}
}

// Every parameter of every agent changes the text, and so does every agent.
func TestMethodsOfAgents(t *testing.T) {
	base := small.Decode(t, methodsBase)
	with := func(label string) *spec.Spec {
		s := base.Clone()
		s.Agents = []string{label}
		if s.Complete() != nil {
			return nil
		}
		return s
	}
	seen := map[string]string{}
	for _, k := range arm.Kinds() {
		text := methodsOf(t, with(k.Key))
		if other, has := seen[text]; has {
			t.Errorf("%s has the text of %s", k.Key, other)
		}
		seen[text] = k.Key
		for _, p := range k.New().Params() {
			if words := values(&p); len(words) == 1 {
				if got := methodsOf(t, with(k.Key+":"+p.Name+"="+words[0])); got == text {
					t.Errorf("%s %s=%s has the text of %[1]s alone, %s", k.Key, p.Name, words[0], got)
				}
				continue
			}
			distinct(t, k.Key+" "+p.Name, &p, func(value string) *spec.Spec { return with(k.Key + ":" + p.Name + "=" + value) })
		}
	}
}

// The suggestion of a problem is the same in all runs where the text says so.
func TestMethodsSuggestion(t *testing.T) {
	for name, sp := range small.All(t) {
		sp := sp.Clone()
		sp.Prior, sp.FirstRun, sp.Runs = nil, 0, 3
		suggested(t, name, sp)
	}
	for _, kind := range domain.Kinds() {
		if kind.Key != "model" {
			suggested(t, kind.Key, &spec.Spec{Domain: kind.New(), Runs: 3})
		}
	}
}

func suggested(t *testing.T, name string, sp *spec.Spec) {
	t.Helper()
	e, err := experiment.Open(sp)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(export.Methods(e, nil), "the same in all runs:") {
		if !sp.Domain.Kind().PerRun {
			t.Errorf("%s: the text lists no edges", name)
		}
		return
	}
	var lists []string
	for run := range 3 {
		in, err := e.Instance(run)
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, fmt.Sprint(document.PriorEdges(in.Prior, &in.View.Space)))
	}
	if lists[0] != lists[1] || lists[0] != lists[2] {
		t.Errorf("%s: %s", name, lists)
	}
}

// The assumptions and the receipt stand in the text; in LaTeX with the citations of the entries.
func TestMethodsSays(t *testing.T) {
	sp := &spec.Spec{Domain: mustDomain(t, "sepsis"), Runs: 2}
	if err := sp.Set("diabetic", "hidden"); err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Open(sp)
	if err != nil {
		t.Fatal(err)
	}
	receipt := &spec.Receipt{Engine: 1, Fingerprint: strings.Repeat("ab", 32)}
	text := export.Methods(e, receipt)
	for _, part := range []string{
		"finitely many values", "Agents do not see diabetic", "is not Markov", "no hidden cause", "certain to exist: antibiotic → on antibiotic", "stated as likely or unlikely: pulse → pulse with probability .95",
		"engine version 1,", receipt.Fingerprint, "Mutti et al., ICLR 2024", "means over n = 2 runs", "backward induction over the 20 steps", "An episode may end early, by death or discharge", "told the law of on antibiotic",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
	if other := export.Methods(e, nil); other == text || strings.Contains(other, "SHA-256 of the records") {
		t.Error(other)
	}
	tex, bib := export.MethodsLaTeX(e, receipt), export.BibTeX("", e, receipt)
	for _, r := range tex {
		if r >= 0x80 {
			t.Fatalf("%q in %s", r, tex)
		}
	}
	if strings.Contains(tex, "[U+") {
		t.Errorf("a sign without a command: %s", tex)
	}
	cites := strings.Count(tex, `\cite{`)
	for _, key := range []string{"mutti2024exploiting", "cpsrl-"} {
		_, after, _ := strings.Cut(tex, `\cite{`+key)
		end, _, found := strings.Cut(after, "}")
		if !found || !strings.Contains(bib, "{"+key+end+",") {
			t.Errorf("no citation of %s in %s", key, tex)
		}
	}
	if cites != 2 {
		t.Errorf("%d citations", cites)
	}
}

func mustDomain(t *testing.T, key string) domain.Domain {
	t.Helper()
	kind, err := domain.Lookup(key)
	if err != nil {
		t.Fatal(err)
	}
	return kind.New()
}
