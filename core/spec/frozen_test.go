package spec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cpsrl/core/spec"
	"cpsrl/internal/formattest"
)

// spinModel has one variable with two parents.
const spinModel = formattest.Model

// oddModel has names that links do not write, and one parent for each variable.
const oddModel = `{"format":"cpsrl/model","version":1,"horizon":5,"state":[{"name":"the side","size":2},{"name":"wear & tear","size":3}],"action":[{"name":"7: flip, or not","size":2}],` +
	`"initial":"uniform","transition":[{"of":"the side","given":["the side"],"p":[[0.25,0.75],[0.5,0.5]]},{"of":"wear & tear","given":["7: flip, or not"],"p":[[0.5,0.25,0.25],[0,0,1]]}],` +
	`"reward":[{"of":"wear & tear","given":["7: flip, or not"],"mean":[0.1,0.9],"kind":"bernoulli","scale":-2}]}`

// asVersion1 and asVersion2 write the JSON of a spec as these versions did, if they can hold it.
var (
	asVersion1 = strings.NewReplacer(`"cpsrl/spec","version":3`, `"cpsrl/spec","version":1`, `,"rows":1`, "", `,"rewardScopes":"tied"`, "", `,"dirichlet":1`, "", `,"tables":"rows"`, "", `,"depth":"no"`, "")
	asVersion2 = strings.NewReplacer(`"cpsrl/spec","version":3`, `"cpsrl/spec","version":2`, `,"tables":"rows"`, "", `,"depth":"no"`, "")
)

// TestFrozenLinks checks that links never change. The files testdata/links-v1.json to
// links-v7.json list specs with every field, and models with every member, each with its
// link of that version. Every link must open to its spec, and every spec must give its
// link. Add lines to the files; change none.
func TestFrozenLinks(t *testing.T) {
	type frozenLink struct {
		Name string         `json:"name"`
		Spec jsontext.Value `json:"spec"` // complete
		Link string         `json:"link"`
	}
	keys := map[string]bool{}
	check := func(frozen frozenLink, as *strings.Replacer) {
		encode := func(s *spec.Spec) string { return as.Replace(string(spec.Encode(s))) }
		s, err := spec.Decode(frozen.Spec)
		if err != nil {
			t.Errorf("%s: %v", frozen.Name, err)
			return
		}
		if got := encode(s); got != string(frozen.Spec) {
			t.Errorf("%s: the spec is not complete\n got %s\nwant %s", frozen.Name, got, frozen.Spec)
		}
		if got := spec.EncodeLink(&spec.Link{Spec: s}); got != frozen.Link {
			t.Errorf("%s: the link changed\n got %s\nwant %s", frozen.Name, got, frozen.Link)
		}
		if got := encode(s); got != string(frozen.Spec) {
			t.Errorf("%s: EncodeLink changed the spec: %s", frozen.Name, got)
		}
		l, err := spec.DecodeLink(frozen.Link)
		if err != nil {
			t.Errorf("%s: %v", frozen.Name, err)
			return
		}
		if got := encode(l.Spec); got != string(frozen.Spec) {
			t.Errorf("%s: the link opens to another spec\n got %s\nwant %s", frozen.Name, got, frozen.Spec)
		}
		for pair := range strings.SplitSeq(frozen.Link, "&") {
			key, _, _ := strings.Cut(pair, "=")
			keys[s.Domain.Kind().Key+" "+key] = true
		}
	}
	for k, as := range []*strings.Replacer{asVersion1, asVersion2, strings.NewReplacer(), strings.NewReplacer(), strings.NewReplacer(), strings.NewReplacer(), strings.NewReplacer()} {
		var list []frozenLink
		name, start := fmt.Sprintf("links-v%d.json", k+1), fmt.Sprintf("v=%d&", k+1)
		if err := json.Unmarshal(formattest.Read(t, name), &list); err != nil {
			t.Fatal(err)
		}
		for _, frozen := range list {
			check(frozen, as)
			if !strings.HasPrefix(frozen.Link, start) {
				t.Errorf("%s of %s is no link of that version", frozen.Name, name)
			}
		}
	}
	// Every key of a domain is in some link of that domain.
	common := []string{"v", "prior", "agents", "domain", "eta", "trust", "false", "z", "episodes", "first", "runs", "seed", "bound", "update", "rewards", "dirichlet", "tables", "depth"}
	if !keys["taxi data"] || !keys["figure1 planner"] { // both are the same for every domain
		t.Error(`no link has the key "data", or none "planner"`)
	}
	for domain, own := range map[string][]string{
		"random-fmdp":    {"states", "actions", "values", "parents", "horizon", "rows", "scopes"},
		"taxi":           {"grid", "horizon"},
		"figure1":        {"horizon", "rows"},
		"sysadmin":       {"topology", "machines", "horizon", "reboots"},
		"sepsis":         {"diabetic", "glucose", "horizon"},
		"game-of-life":   {"horizon"},
		"skill-teaching": {"horizon"},
		"navigation":     {"horizon"},
		"taxi-v3":        {"horizon"},
		"frozen-lake":    {"map", "slippery", "horizon"},
		"cliff-walking":  {"horizon"},
		"coffee-robot":   {"horizon"},
		"river-swim":     {"rivers", "length", "horizon"},
		"inventory":      {"products", "stock", "horizon"},
		"model":          {"model", "true-tables"},
	} {
		for _, key := range slices.Concat(common, own) {
			if !keys[domain+" "+key] {
				t.Errorf("no link of the domain %q has the key %q", domain, key)
			}
		}
	}
}

// Different specs have different links, and each link opens to its spec, also at values
// that are defaults of another domain or depend on other fields.
func TestLinkOfEveryField(t *testing.T) {
	common := []string{
		``, `"prior":{"eta":0}`, `"prior":{"eta":1}`, `"prior":{"eta":64}`, `"prior":{"edges":[]}`,
		`"prior":{"data":"` + strings.Repeat("0a", 32) + `"}`, `"prior":{"eta":1,"data":"` + strings.Repeat("1b", 32) + `"}`, `"prior":{"edges":[],"data":[{"x":[0,1],"y":[1]}]}`,
		`"prior":{"eta":1,"trust":0.99}`, `"prior":{"eta":1,"false":2}`, `"prior":{"trust":0.000001,"false":64}`,
		`"sparseness":1`, `"sparseness":2`, `"sparseness":3`, `"sparseness":4`, `"sparseness":5`, `"sparseness":64`, `"sparseness":{"*":5,"row":4}`, `"sparseness":{"*":4,"the side":3,"row":64}`,
		`"agents":["c-psrl"]`, `"agents":["f-psrl","psrl","c-psrl"]`, `"agents":["psrl","f-psrl:graph=prior","c-psrl:eta=0"]`,
		`"episodes":1`, `"episodes":400`, `"firstRun":1`, `"firstRun":9999`, `"runs":20`, `"runs":10000`, `"seed":1`, `"seed":9007199254740991`,
		`"priors":{"a":{"eta":1,"trust":0.9},"b":{"edges":[]}},"agents":["c-psrl:prior=a","c-psrl:prior=b"]`, `"agents":["c-psrl:dirichlet=0.1","c-psrl:update=printed"]`,
		`"bound":"below"`, `"update":"printed"`, `"rewards":"learned"`,
		`"dirichlet":1`, `"dirichlet":0.1`, `"dirichlet":{"ess":1}`, `"dirichlet":{"learn":[1]}`, `"dirichlet":{"learn":[0.01,1]}`,
		`"dirichlet":{"mix":[0.01,0.1,1]}`, `"dirichlet":{"mix":[1]}`, `"tables":"rows"`, `"tables":"tied"`, `"tables":"tied","dirichlet":1`, `"tables":"trees"`, `"agents":["c-psrl:tables=trees"]`,
		`"agents":["c-psrl:dirichlet=mix:0.1:1","f-psrl:tables=tied"]`, `"agents":["greedy:tables=rows"]`,
	}
	seen := map[string]string{} // the spec of each link
	for _, domain := range []string{
		`{"name":"random-fmdp"}`,
		`{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"values":3,"parents":2,"horizon":10}`,
		`{"name":"random-fmdp","stateVariables":1,"actionVariables":1,"values":1,"parents":1,"horizon":1}`,
		`{"name":"random-fmdp","stateVariables":5,"actionVariables":6,"values":1024,"parents":"uniform","horizon":16384}`,
		`{"name":"random-fmdp","rewardScopes":"tied"}`, `{"name":"random-fmdp","rewardScopes":"own"}`,
		`{"name":"random-fmdp","rows":0.1}`, `{"name":"figure1","rows":{"ess":2}}`, `{"name":"figure1","rows":{"mix":[0.1,1]}}`,
		`{"name":"taxi"}`, `{"name":"taxi","horizon":10}`, `{"name":"taxi","grid":"3x3"}`, `{"name":"taxi","grid":"3x3","horizon":15}`,
		`{"name":"figure1"}`, `{"name":"figure1","horizon":100}`,
		`{"name":"sysadmin"}`, `{"name":"sysadmin","horizon":10}`, `{"name":"sysadmin","topology":"ring"}`, `{"name":"sysadmin","topology":"star","machines":3}`,
		`{"name":"sepsis"}`, `{"name":"sepsis","diabetic":"observed","glucose":"corrected"}`, `{"name":"sepsis","diabetic":"hidden","horizon":7}`,
		`{"name":"frozen-lake"}`, `{"name":"frozen-lake","map":"8x8"}`, `{"name":"frozen-lake","map":"8x8","slippery":"no","horizon":100}`,
		`{"name":"river-swim"}`, `{"name":"river-swim","rivers":1,"length":16}`, `{"name":"inventory","products":3,"stock":2}`,
		`{"name":"model","model":` + spinModel + `}`, `{"name":"model","model":` + spinModel + `,"tables":"resampled"}`,
		`{"name":"model","model":` + oddModel + `}`,
		`{"name":"model","model":` + strings.NewReplacer(`"horizon":3`, `"horizon":10`, `["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]`, `[],"p":[[0.5,0.5]]`).Replace(spinModel) + `}`,
	} {
		for _, rest := range common {
			document := `{"format":"cpsrl/spec","version":6,"domain":` + domain
			if rest != "" {
				document += "," + rest
			}
			s, err := spec.Decode([]byte(document + "}"))
			if err != nil {
				t.Fatalf("%s: %v", document, err)
			}
			text := string(spec.Encode(s))
			link := spec.EncodeLink(&spec.Link{Spec: s})
			if other, has := seen[link]; has && other != text {
				t.Errorf("one link, %s, is of\n%s and\n%s", link, text, other)
			}
			seen[link] = text
			l, err := spec.DecodeLink(link)
			if err != nil {
				t.Errorf("%s: %v", link, err)
				continue
			}
			if got := string(spec.Encode(l.Spec)); got != text {
				t.Errorf("%s opens to\n%s, not\n%s", link, got, text)
			}
		}
	}
}

// A zero in a link does not stand for the default of an absent field, whatever the key.
func TestLinkOfZero(t *testing.T) {
	for _, key := range []string{"states", "actions", "values", "parents", "horizon", "z", "episodes", "runs"} {
		if l, err := spec.DecodeLink("v=1&domain=random-fmdp&" + key + "=0"); err == nil || !strings.HasPrefix(err.Error(), key+": 0 is out of range") {
			t.Errorf("%s=0: %v, %v", key, l, err)
		}
	}
}
