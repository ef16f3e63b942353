package spec_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

func again(data []byte) ([]byte, error) {
	s, err := spec.Decode(data)
	if err != nil {
		return nil, err
	}
	return spec.Encode(s), nil
}

// A file of every version ever written is read. Written back, it has the same bytes,
// apart from the version and what its version did not write.
func TestTestdata(t *testing.T) {
	formattest.Testdata(t, []formattest.Format{
		{Files: []string{"spec-v1.json", "spec-model-v1.json"}, Again: func(data []byte) ([]byte, error) {
			got, err := again(data)
			return []byte(asVersion1.Replace(string(got))), err
		}},
		{Files: []string{"spec-v2.json"}, Again: func(data []byte) ([]byte, error) {
			got, err := again(data)
			return []byte(asVersion2.Replace(string(got))), err
		}},
		{Files: []string{"spec-v3.json", "spec-v4.json", "spec-v5.json", "spec-v6.json", "spec-v7.json"}, Again: again},
	}, "links-v1.json", "links-v2.json", "links-v3.json", "links-v4.json", "links-v5.json", "links-v6.json", "links-v7.json") // TestFrozenLinks
}

const written = `{"format":"cpsrl/spec","version":3,"domain":{"name":"taxi","grid":"3x3","horizon":5},"prior":{"eta":1},"sparseness":5,"agents":["psrl","c-psrl"],"episodes":4,"firstRun":0,"runs":2,"seed":1,"bound":"at-most","update":"exact","rewards":"known","dirichlet":1,"tables":"rows","depth":"no"}`

func TestDefaults(t *testing.T) {
	for _, c := range []struct{ domain, want string }{
		{`{"name":"random-fmdp"}`, `"domain":{"name":"random-fmdp","stateVariables":6,"actionVariables":3,"values":2,"parents":5,"horizon":100,"rows":1,"rewardScopes":"own"},"sparseness":5`},
		{`{"name":"random-fmdp","stateVariables":2,"actionVariables":1}`, `"domain":{"name":"random-fmdp","stateVariables":2,"actionVariables":1,"values":2,"parents":3,"horizon":100,"rows":1,"rewardScopes":"own"},"sparseness":5`},
		{`{"name":"random-fmdp","parents":8}`, `"parents":8,"horizon":100,"rows":1,"rewardScopes":"own"},"sparseness":8`},
		{`{"name":"random-fmdp","parents":"uniform"}`, `"parents":"uniform","horizon":100,"rows":1,"rewardScopes":"own"},"sparseness":5`},
		{`{"name":"taxi"}`, `"domain":{"name":"taxi","grid":"5x5","horizon":15},"sparseness":5`},
		{`{"name":"taxi","grid":"3x3"}`, `"domain":{"name":"taxi","grid":"3x3","horizon":10},"sparseness":5`},
		{`{"name":"figure1"}`, `"domain":{"name":"figure1","horizon":10,"rows":1},"sparseness":3`},
		{`{"name":"sysadmin"}`, `"domain":{"name":"sysadmin","topology":"instance","machines":10,"horizon":40},"sparseness":5`},
		{`{"name":"sysadmin","topology":"star","machines":3}`, `"domain":{"name":"sysadmin","topology":"star","machines":3,"horizon":40},"sparseness":3`},
		{`{"name":"model","model":` + spinModel + `}`, `"sparseness":2`},
	} {
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":3,"domain":` + c.domain + `}`))
		if err != nil {
			t.Errorf("%s: %v", c.domain, err)
			continue
		}
		got := string(spec.Encode(s))
		tables := `"dirichlet":1,"tables":"rows","depth":"no"}`
		if s.Domain.Kind().Tied {
			tables = `"dirichlet":{"mix":[0.01,0.1,1]},"tables":"tied","depth":"no"}`
		}
		agents := `"agents":["psrl","f-psrl","c-psrl"]`
		if s.Domain.Kind().Key == "sysadmin" {
			agents = `"agents":["f-psrl","c-psrl"]`
		}
		if !strings.Contains(got, c.want) || !strings.HasSuffix(got, agents+`,"episodes":100,"runs":1,"bound":"at-most","update":"exact","rewards":"known",`+tables) {
			t.Errorf("%s: %s", c.domain, got)
		}
		again, err := spec.Decode([]byte(got))
		if err != nil || string(spec.Encode(again)) != got {
			t.Errorf("%s: a complete spec does not stay: %s, %v", c.domain, spec.Encode(again), err)
		}
	}
	// Complete also fills in a spec that is made in Go.
	s := &spec.Spec{Domain: new(domain.Taxi)}
	if err := s.Complete(); err != nil || s.BoundOf() != bigraph.AtMost {
		t.Errorf("%+v, %v", s, err)
	}
	got, err := again([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"}}`))
	if err != nil || !bytes.Equal(spec.Encode(s), got) {
		t.Errorf("\n got %s\nwant %s, %v", spec.Encode(s), got, err)
	}
	s.Bound = "below"
	if err := s.Complete(); err != nil || s.BoundOf() != bigraph.Below {
		t.Errorf("%+v, %v", s, err)
	}
	formattest.WantError(t, "no domain", new(spec.Spec).Complete(), "/domain", "the domain is missing")
}

// Absent fields of a version stand for what the engine did then: the reward scopes of version 1,
// and independent rows with α = 1 before version 3, whatever the domain.
func TestAbsentInVersions(t *testing.T) {
	for _, c := range []struct {
		domain string
		want   [3]string // by version
	}{
		{`{"name":"random-fmdp"}`, [3]string{`"rewardScopes":"tied"`, `"rewardScopes":"own"`, `"rewardScopes":"own"`}},
		{`{"name":"taxi"}`, [3]string{`"dirichlet":1,"tables":"rows"`, `"dirichlet":1,"tables":"rows"`, `"dirichlet":1,"tables":"rows"`}},
		{`{"name":"model","model":` + spinModel + `}`, [3]string{`"dirichlet":1,"tables":"rows"`, `"dirichlet":1,"tables":"rows"`, `"dirichlet":{"mix":[0.01,0.1,1]},"tables":"tied"`}},
		{`{"name":"model","model":` + spinModel + `},"dirichlet":1`, [3]string{`"dirichlet":1,"tables":"rows"`, `"dirichlet":1,"tables":"rows"`, `"dirichlet":1,"tables":"tied"`}},
	} {
		for k, want := range c.want {
			document := fmt.Sprintf(`{"format":"cpsrl/spec","version":%d,"domain":%s}`, k+1, c.domain)
			if got, err := again([]byte(document)); err != nil || !strings.Contains(string(got), want) {
				t.Errorf("%s: %s, %v; want %s", document, got, err, want)
			}
		}
	}
	// A link of whatever version leaves out what it left out in version 1.
	model := &spec.Spec{Domain: new(domain.Custom)}
	if err := model.Domain.Params()[1].Document.Decode([]byte(spinModel)); err != nil {
		t.Fatal(err)
	}
	if err := model.Complete(); err != nil {
		t.Fatal(err)
	}
	link := spec.EncodeLink(&spec.Link{Spec: model})
	bare, has := strings.CutSuffix(link, "&dirichlet=mix:0.01:0.1:1&tables=tied")
	if !has || !strings.HasPrefix(link, "v=3&") {
		t.Errorf("the link is %s", link)
	}
	for _, version := range []string{"v=1", "v=2", "v=3"} {
		l, err := spec.DecodeLink(version + bare[len(version):])
		if err != nil || !l.Spec.Law().Rows.One() || l.Spec.Law().Structure != concentration.Rows {
			t.Errorf("%s: %+v, %v", version, l, err)
		}
	}
}

// Earlier versions have no field and no value of a later one, in documents and in links.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		since       int
		rest, place string
	}{
		{2, `"random-fmdp","rewardScopes":"own"}`, "/domain/rewardScopes"},
		{2, `"figure1","rows":2}`, "/domain/rows"},
		{2, `"taxi"},"prior":{"edges":[["col","col"],["row","row",0.9]]}`, "/prior/edges/1"},
		{2, `"taxi"},"prior":{"trust":0.9}`, "/prior/trust"},
		{2, `"taxi"},"prior":{"eta":1,"false":1}`, "/prior/false"},
		{2, `"taxi"},"priors":{"a":{"eta":1}}`, "/priors"},
		{2, `"taxi"},"sparseness":{"*":5,"row":2}`, "/sparseness"},
		{2, `"taxi"},"agents":["psrl","psrl:dirichlet=2"]`, "/agents/1"},
		{2, `"taxi"},"agents":["psrl","random"]`, "/agents/1"},
		{2, `"taxi"},"dirichlet":2`, "/dirichlet"},
		{3, `"figure1","rows":{"mix":[0.1,1]}}`, "/domain/rows"},
		{3, `"taxi"},"dirichlet":{"mix":[0.1,1]}`, "/dirichlet"},
		{3, `"taxi"},"tables":"tied"`, "/tables"},
		{3, `"taxi"},"dirichlet":2,"tables":"tied"`, "/tables"}, // the first part that needs version 3
		{3, `"taxi"},"agents":["psrl","c-psrl:dirichlet=mix:1"]`, "/agents/1"},
		{3, `"taxi"},"agents":["random","psrl:dirichlet=mix:0.1:1"]`, "/agents/1"},
		{3, `"taxi"},"agents":["c-psrl:tables=rows"]`, "/agents/0"},
		{3, `"sysadmin"},"dirichlet":1,"tables":"rows"`, "/domain/name"},
		{6, `"taxi"},"tables":"trees"`, "/tables"},
		{6, `"taxi"},"agents":["psrl","c-psrl:tables=trees"]`, "/agents/1"},
	} {
		newest, err := spec.Decode(fmt.Appendf(nil, `{"format":"cpsrl/spec","version":%d,"domain":{"name":%s}`, max(3, c.since), c.rest))
		if err != nil {
			t.Errorf("%s: %v", c.rest, err)
			continue
		}
		link := spec.EncodeLink(&spec.Link{Spec: newest})
		if !strings.HasPrefix(link, fmt.Sprintf("v=%d&", c.since)) {
			t.Errorf("%s: the link %s is not of version %d", c.rest, link, c.since)
		}
		for version := 1; version <= spec.Version; version++ {
			_, err := spec.Decode(fmt.Appendf(nil, `{"format":"cpsrl/spec","version":%d,"domain":{"name":%s}`, version, c.rest))
			_, linked := spec.DecodeLink(fmt.Sprintf("v=%d", version) + link[len("v=1"):])
			if version >= c.since {
				if err != nil || linked != nil {
					t.Errorf("%s in version %d: %v, %v", c.rest, version, err, linked)
				}
				continue
			}
			formattest.WantError(t, c.rest, err, c.place, fmt.Sprintf("this is for version %d", c.since))
			formattest.WantError(t, link, linked, c.place, fmt.Sprintf("this is for links of version %[1]d, which begin with v=%[1]d", c.since))
		}
	}
	// What an earlier version always did may be said in it.
	if _, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"},"dirichlet":1,"tables":"rows","depth":"no"}`)); err != nil {
		t.Error(err)
	}
}

// manyPriors returns the members of an object with one prior too many.
var manyPriors = func() string {
	var list []string
	for k := range 13 {
		list = append(list, fmt.Sprintf(`"p%d":{"eta":1}`, k))
	}
	return strings.Join(list, ",")
}()

func TestStrictSpec(t *testing.T) {
	formattest.Strict(t, "spec", written, again, append(formattest.Common("episodes", "/episodes"), []formattest.Edit{
		{"cpsrl/spec", "cpsrl/records", "/format", `"cpsrl/spec" is expected here`},
		{`"version":3`, `"version":8`, "/version", "version 8 of cpsrl/spec is unknown"},
		{`"domain":{"name":"taxi","grid":"3x3","horizon":5},`, ``, "/domain", `the field "domain" is missing`},
		{`{"name":"taxi","grid":"3x3","horizon":5}`, `null`, "/domain", "null is not allowed here"},
		{`"name":"taxi"`, `"name":"Taxi"`, "/domain/name", `"Taxi" is unknown; it must be one of ` + strings.Join(domain.Keys(), ", ")},
		{`"grid":"3x3"`, `"grid":"4x4"`, "/domain/grid", `"4x4" is unknown; it must be one of 3x3, 5x5`},
		{`"grid":"3x3"`, `"grid":""`, "/domain/grid", "the text is empty"},
		{`"grid":"3x3"`, `"a/b":3`, "/domain/a~1b", `the domain "taxi" has no parameter "a/b"`},
		{`"grid":"3x3"`, `"` + strings.Repeat("u", 5000) + `":3`, "/domain", "a name of more than 1024 bytes"},
		{`"seed":1`, `"` + strings.Repeat("u", 5000) + `":3`, "", "a name of more than 1024 bytes"},
		{`"seed":1`, `"a/b":3`, "/a~1b", "unknown field"},
		{`"grid":"3x3"`, `"values":3`, "/domain/values", `the domain "taxi" has no parameter "values"`},
		{`"grid":"3x3"`, `"stateVariables":3`, "/domain/stateVariables", `has no parameter "stateVariables"`},
		{`"grid":"3x3"`, `"actionVariables":3`, "/domain/actionVariables", `has no parameter "actionVariables"`},
		{`"grid":"3x3"`, `"parents":3`, "/domain/parents", `has no parameter "parents"`},
		{`"grid":"3x3"`, `"model":{}`, "/domain/model", `has no parameter "model"`},
		{`"name":"taxi","grid":"3x3"`, `"name":"figure1","grid":"3x3"`, "/domain/grid", `has no parameter "grid"`},
		{`"name":"taxi","grid":"3x3"`, `"name":"model"`, "/domain/model", "the model is missing"},
		{`"name":"taxi","grid":"3x3"`, `"name":"model","model":null`, "/domain/model", "null is not allowed here"},
		{`"name":"taxi","grid":"3x3"`, `"name":"model","model":7`, "/domain/model", "expected an object, found a number"},
		{`"name":"taxi","grid":"3x3"`, `"name":"model","model":` + spinModel, "/domain/horizon", "5 is out of range; it must be 3"},
		{`"name":"taxi","grid":"3x3"`, `"name":"model","model":` + strings.Replace(spinModel, `[1,0]`, `[1,1]`, 1), "/domain/model/transition/0/p/0", "sums to 2"},
		{`"horizon":5`, `"horizon":0`, "/domain/horizon", "0 is out of range; it must be at least 1"},
		{`"horizon":5`, `"horizon":-5`, "/domain/horizon", "-5 is out of range; it must be from 1 to 16384"},
		{`"horizon":5`, `"horizon":16385`, "/domain/horizon", "16385 is out of range; it must be from 1 to 16384"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","stateVariables":64`, "/domain/stateVariables", "64 is out of range; it must be from 1 to 63"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","stateVariables":60,"actionVariables":5`, "/domain/actionVariables", "5 is out of range; it must be from 1 to 4"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","values":1025`, "/domain/values", "1025 is out of range; it must be from 1 to 1024"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","values":-9223372036854775808`, "/domain/values", "out of range"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","parents":10`, "/domain/parents", "10 is out of range; it must be from 1 to 9"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","parents":0`, "/domain/parents", "0 is out of range; it must be at least 1"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","parents":-1`, "/domain/parents", "-1 is out of range; it must be at least 1"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","parents":"Uniform"`, "/domain/parents", `found "Uniform"`},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","parents":"` + strings.Repeat("u", 5000) + `"`, "/domain/parents", "or uniform, found"},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","parents":null`, "/domain/parents", ""},
		{`"name":"taxi","grid":"3x3"`, `"name":"random-fmdp","stateVariables":0`, "/domain/stateVariables", "0 is out of range"},
		{`{"eta":1}`, `{}`, "/prior", `the prior needs either "eta" or "edges"`},
		{`{"eta":1}`, `{"eta":1,"edges":[]}`, "/prior", `the prior needs either "eta" or "edges"`},
		{`{"eta":1}`, `{"eta":1,"trust":0}`, "/prior/trust", "0 is not a trust; it must be 1, or a number from 0.000001 to 0.999999"},
		{`{"eta":1}`, `{"eta":1,"trust":-1}`, "/prior/trust", "-1 is not a trust"},
		{`{"eta":1}`, `{"eta":1,"trust":1e400}`, "/prior/trust", "expected a number"},
		{`{"eta":1}`, `{"eta":1,"trust":"0,9"}`, "/prior/trust", "\"0,9\" is not a probability of an edge; it must be 0, 1 or from 0.000001 to 0.999999; write 0.9 with a point"},
		{`{"eta":1}`, `{"eta":1,"false":-1}`, "/prior/false", "-1 is out of range; it must be from 0 to 256"},
		{`{"eta":1}`, `{"eta":1,"false":257}`, "/prior/false", "257 is out of range"},
		{`{"eta":1}`, `{"edges":[],"false":1}`, "/prior", `"trust" and "false" are for revealed edges`},
		{`{"eta":1}`, `{"edges":[],"trust":0.9}`, "/prior", `"trust" and "false" are for revealed edges`},
		{`{"eta":1}`, `{"edges":[["row","row",2]]}`, "/prior/edges/0/2", "2 is not a probability of an edge"},
		{`{"eta":1}`, `{"edges":[["row","col"],["row","a;b"]]}`, "/prior/edges/1/1", `there is no variable "a;b"`},
		{`{"eta":1}`, `{"edges":[["row","row",0.9,1]]}`, "/prior/edges/0", "expected an array of 2 or 3"},
		{`{"eta":1}`, `null`, "/prior", "null is not allowed here"},
		{`{"eta":1}`, `{"eta":null}`, "/prior/eta", "null is not allowed here"},
		{`{"eta":1}`, `{"eta":-1}`, "/prior/eta", "-1 is out of range; it must be from 0 to 256"},
		{`{"eta":1}`, `{"eta":257}`, "/prior/eta", "257 is out of range"},
		{`{"eta":1}`, `{"edges":[["a"]]}`, "/prior/edges/0", "expected an array of 2"},
		{`{"eta":1}`, `{"edges":[` + strings.Repeat(`["an edge of long names","an edge of long names"],`, 65536) + `["an edge of long names","an edge of long names"]]}`, "/prior/edges", "too many edges"},
		{`"sparseness":5`, `"sparseness":{}`, "/sparseness", `the Z of the other variables, "*", is missing`},
		{`"sparseness":5`, `"sparseness":{}`, "/sparseness", `"*", is missing`},
		{`"sparseness":5`, `"sparseness":{"*":4,"row":0}`, "/sparseness", "0 is out of range; it must be at least 1"},
		{`"sparseness":5`, `"sparseness":{"*":4,"row":257}`, "/sparseness", "257 is out of range; it must be from 1 to 256"},
		{`"sparseness":5`, `"sparseness":{"*":4,"row":2.5}`, "/sparseness/row", "expected a whole number, found 2.5"},
		{`"sparseness":5`, `"sparseness":{"*":4,"row":1,"row":2}`, "/sparseness/row", "duplicate"},
		{`"sparseness":5`, `"sparseness":{"*":4,"row":null}`, "/sparseness/row", "null is not allowed here"},
		{`"sparseness":5`, `"sparseness":[4]`, "/sparseness", "expected a whole number, found an array"},
		{`"sparseness":5`, `"sparseness":0`, "/sparseness", "0 is out of range; it must be at least 1"},
		{`"sparseness":5`, `"sparseness":257`, "/sparseness", "257 is out of range"},
		{`"sparseness":5`, `"sparseness":-1`, "/sparseness", "-1 is out of range"},
		{`"name":"taxi","grid":"3x3"`, `"name":"sysadmin","machines":9`, "/domain/machines", "9 is out of range; it must be 10"},
		{`"name":"taxi","grid":"3x3"`, `"name":"sysadmin","topology":"ring","machines":16`, "/domain/machines", "16 is out of range; it must be from 2 to 15"},
		{`"name":"taxi","grid":"3x3"`, `"name":"sysadmin","topology":"bus"`, "/domain/topology", `"bus" is unknown; it must be one of instance, ring, star`},
		{`["psrl","c-psrl"]`, `[]`, "/agents", "0 agents; from 1 to 12 are needed"},
		{`["psrl","c-psrl"]`, `["psrl","psrl"]`, "/agents/1", `the agent "psrl" is listed twice`},
		{`["psrl","c-psrl"]`, `["f-psrl","f-psrl:graph=true"]`, "/agents/1", `the agent "f-psrl" is listed twice`},
		{`["psrl","c-psrl"]`, `["psrl","q-learning"]`, "/agents/1", `"q-learning" is unknown`},
		{`["psrl","c-psrl"]`, `["psrl",null]`, "/agents/1", "null is not allowed here"},
		{`["psrl","c-psrl"]`, `["c-psrl:eta=257"]`, "/agents/0", "from 0 to 256"},
		{`"episodes":4`, `"episodes":0`, "/episodes", "0 is out of range; it must be at least 1"},
		{`"episodes":4`, `"episodes":-0`, "/episodes", "0 is out of range"},
		{`"episodes":4`, `"episodes":100001`, "/episodes", "100001 is out of range; it must be from 1 to 100000"},
		{`"runs":2`, `"runs":10001`, "/runs", "10001 is out of range; it must be from 1 to 10000"},
		{`"runs":2`, `"runs":0`, "/runs", "0 is out of range"},
		{`"firstRun":0,"runs":2`, `"firstRun":9999,"runs":2`, "/runs", "2 is out of range; it must be 1"},
		{`"firstRun":0`, `"firstRun":-1`, "/firstRun", "-1 is out of range"},
		{`"firstRun":0`, `"firstRun":10000`, "/firstRun", "10000 is out of range; it must be from 0 to 9999"},
		{`"seed":1`, `"seed":-1`, "/seed", "-1 is out of range"},
		{`"seed":1`, `"seed":9007199254740992`, "/seed", "9007199254740992 is out of range; it must be from 0 to 9007199254740991"},
		{`"seed":1`, `"seed":1.5`, "/seed", "expected a whole number, found 1.5"},
		{`"bound":"at-most"`, `"bound":"above"`, "/bound", `"above" is unknown; it must be one of at-most, below`},
		{`"bound":"at-most"`, `"bound":""`, "/bound", "the text is empty; leave the field out for its default"},
		{`"update":"exact"`, `"update":"Exact"`, "/update", `"Exact" is unknown; it must be one of exact, printed`},
		{`"dirichlet":1`, `"dirichlet":0`, "/dirichlet", "0 is out of range; it must be from 0.000001 to 1000000"},
		{`"dirichlet":1`, `"dirichlet":-1`, "/dirichlet", "-1 is out of range"},
		{`"dirichlet":1`, `"dirichlet":1e400`, "/dirichlet", "+Inf is out of range"},
		{`"dirichlet":1`, `"dirichlet":"NaN"`, "/dirichlet", `"NaN" is not a number from`},
		{`"dirichlet":1`, `"dirichlet":""`, "/dirichlet", `"" is not a number from`},
		{`"dirichlet":1`, `"dirichlet":true`, "/dirichlet", `expected a number, {"ess":NUMBER}, {"learn":[NUMBER,…]} or {"mix":[NUMBER,…]}`},
		{`"dirichlet":1`, `"dirichlet":[1]`, "/dirichlet", "expected a number"},
		{`"dirichlet":1`, `"dirichlet":{}`, "/dirichlet", "expected a number"},
		{`"dirichlet":1`, `"dirichlet":{"ess":0}`, "/dirichlet", "0 is out of range"},
		{`"dirichlet":1`, `"dirichlet":{"ess":[1]}`, "/dirichlet", "expected a number"},
		{`"dirichlet":1`, `"dirichlet":{"ess":1,"learn":[1]}`, "/dirichlet", "expected a number"},
		{`"dirichlet":1`, `"dirichlet":{"bdeu":1}`, "/dirichlet", "expected a number"},
		{`"dirichlet":1`, `"dirichlet":{"learn":[]}`, "/dirichlet", "0 numbers are listed; from 1 to 8 are needed"},
		{`"dirichlet":1`, `"dirichlet":{"learn":[1,1]}`, "/dirichlet", "1 is listed twice"},
		{`"dirichlet":1`, `"dirichlet":{"learn":[` + strings.Repeat("1,", 100000) + `1]}`, "/dirichlet", "100001 numbers are listed; from 1 to 8 are needed"},
		{`"dirichlet":1`, `"dirichlet":"` + strings.Repeat("9", 400) + `"`, "/dirichlet", "+Inf is out of range"},
		{`"dirichlet":1`, `"dirichlet":"learn` + strings.Repeat(":2", 100000) + `"`, "/dirichlet", "is not a number from"},
		{`"dirichlet":1`, `"dirichlet":{"mix":[]}`, "/dirichlet", "0 numbers are listed; from 1 to 8 are needed"},
		{`"tables":"rows"`, `"tables":"Tied"`, "/tables", `"Tied" is unknown; it must be one of rows, tied, trees`},
		{`"tables":"rows"`, `"tables":true`, "/tables", "expected a string, found a boolean"},
		{`"tables":"rows"`, `"tables":""`, "/tables", "the text is empty; leave the field out for its default"},
		{`["psrl","c-psrl"]`, `["c-psrl:tables=both"]`, "/agents/0", "must be rows or tied"},
		{`["psrl","c-psrl"]`, `["psrl:tables=tied"]`, "/agents/0", "has no such parameter"},
		{`"name":"taxi","grid":"3x3"`, `"name":"figure1","rows":0`, "/domain/rows", "0 is out of range"},
		{`"grid":"3x3"`, `"rows":1`, "/domain/rows", `the domain "taxi" has no parameter "rows"`},
		{`["psrl","c-psrl"]`, `["c-psrl:prior=expert"]`, "/agents/0", `there is no prior "expert"; the spec has no named priors`},
		{`["psrl","c-psrl"]`, `["c-psrl:prior=expert"],"priors":{"wrong":{"eta":1}}`, "/agents/0", `there is no prior "expert"; it must be wrong`},
		{`["psrl","c-psrl"]`, `["psrl","c-psrl:eta=1,prior=wrong"],"priors":{"wrong":{"edges":[]}}`, "/agents/1", `the prior "wrong" lists its edges, so that the agent can have no eta of its own`},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"wrong":{}}`, "/priors/wrong", `the prior needs either "eta" or "edges"`},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"wrong":{"trust":1}}`, "/priors/wrong", "the prior says nothing beside the domain's suggestion"},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"wrong":{"eta":257}}`, "/priors/wrong/eta", "257 is out of range"},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"wrong":{"edges":[["row","row",7]]}}`, "/priors/wrong/edges/0/2", "7 is not a probability"},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"wrong":{"edges":[["!row","row"]]}}`, "/priors/wrong/edges/0/0", `there is no variable "!row"`},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"wrong":{"edges":[["row","*row"]]}}`, "/priors/wrong/edges/0/1", `there is no variable "*row"`},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"wrong":{"etta":1}}`, "/priors/wrong/etta", "unknown field"},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"wrong":{"eta":1},"wrong":{"eta":1}}`, "/priors/wrong", "duplicate"},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{"1st":{"eta":1}}`, "/priors/1st", `"1st" is not the name of a prior`},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":[]`, "/priors", "expected an object"},
		{`["psrl","c-psrl"]`, `["psrl"],"priors":{` + manyPriors + `}`, "/priors", "13 priors, more than 12"},
		{`["psrl","c-psrl"]`, `["psrl:dirichlet=0"]`, "/agents/0", "must be a number from"},
		{`"rewards":"known"`, `"rewards":true`, "/rewards", "expected a string, found a boolean"},
		{`"rewards":"known"`, `"rewards":"unknown"`, "/rewards", "it must be one of known, learned"},
	}...))
}

// Deep nesting ends in an error, not in a full stack.
func TestDeep(t *testing.T) {
	deep := strings.Repeat("[", 1_000_000)
	for before, says := range map[string]string{
		``: "", `{"format":`: "", `{"format":"cpsrl/spec","version":1,"domain":{"name":"model","model":`: "malformed JSON",
	} {
		_, err := spec.Decode([]byte(before + deep))
		formattest.WantError(t, before+"[[[…", err, "", says)
	}
}

// The edges of a prior may name what the domain does not have, as long as a link can hold
// the name.
func TestNamesInLinks(t *testing.T) {
	for _, test := range []struct {
		domain, name string
		held         bool
	}{
		{`"name":"taxi"`, "col", true},
		{`"name":"taxi"`, "column", true},
		{`"name":"taxi"`, "*col", false},
		{`"name":"model","model":` + spinModel, "side", true},
		{`"name":"model","model":` + spinModel, "*side;", false},
		{`"name":"model","model":` + spinModel, "other", true},
		{`"name":"model","model":` + oddModel, "wear & tear", true},
		{`"name":"model","model":` + oddModel, "wear", false},
	} {
		for _, edges := range []string{`["%[1]s","%[1]s"]`, `["%[1]s","%[1]s",0]`, `["%[1]s","%[1]s",0.25]`} {
			s, err := spec.Decode(fmt.Appendf(nil, `{"format":"cpsrl/spec","version":2,"domain":{`+test.domain+`},"priors":{"a":{"edges":[`+edges+`]}}}`, test.name))
			if !test.held {
				if err == nil || !strings.Contains(err.Error(), "/priors/a/edges/0/0") || !strings.Contains(err.Error(), fmt.Sprintf("there is no variable %q", test.name)) {
					t.Errorf("%s, %s, %s: %v", test.domain, edges, test.name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s, %s: %v", test.domain, edges, test.name, err)
				continue
			}
			link := spec.EncodeLink(&spec.Link{Spec: s})
			again, err := spec.DecodeLink(link)
			if err != nil || string(spec.Encode(again.Spec)) != string(spec.Encode(s)) {
				t.Errorf("%s: %v", link, err)
			}
		}
	}
}

func FuzzSpec(f *testing.F) {
	formattest.Fuzz(f, []string{written, string(formattest.Read(f, "spec-v1.json")), string(formattest.Read(f, "spec-model-v1.json"))}, again)
}

// A spec needs only its domain; the rest has defaults.
func ExampleDecode() {
	s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"}}`))
	taxi := s.Domain.(*domain.Taxi)
	fmt.Println(taxi.Grid, taxi.Horizon, s.Sparseness, s.Agents, err)
	_, err = spec.Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"taxi"},"Seed":4}`))
	fmt.Println(err)
	// Output:
	// 5x5 15 5 [psrl f-psrl c-psrl] <nil>
	// /Seed: unknown field
}

// Set names the place of the parameter in the spec.
func TestSetPlace(t *testing.T) {
	for key, place := range map[string]string{"horizon": "/domain/horizon", "runs": "/runs", "eta": "/prior/eta", "values": "/domain/values"} {
		s := &spec.Spec{Domain: &domain.Taxi{}}
		err := s.Set(key, "many")
		if invalid, ok := errors.AsType[*strict.InvalidError](err); !ok || invalid.Place != place {
			t.Errorf("%s: %v, want an error at %s", key, err, place)
		}
	}
}

// Complete completes or refuses a spec that is made in Go. It does not drop a field or
// panic.
func TestSparsenessOfFields(t *testing.T) {
	own := func(list ...document.OwnSparseness) []document.OwnSparseness { return list }
	for _, test := range []struct {
		z            int
		own          []document.OwnSparseness
		want, reason string
	}{
		{0, nil, "5", ""}, // the taxi's
		{2, nil, "2", ""},
		{2, own(document.OwnSparseness{Of: "row", Z: 1}, document.OwnSparseness{Of: "col", Z: 2}), "2,row:1", ""},
		{-1, nil, "", "-1 is out of range"},
		{300, nil, "", "300 is out of range"},
		{2, own(document.OwnSparseness{Of: "row"}), "", "0 is out of range"},
		{0, own(document.OwnSparseness{Of: "row", Z: 1}), "", "0 is out of range"},
		{2, own(document.OwnSparseness{Of: "row", Z: 1}, document.OwnSparseness{Of: "row", Z: 3}), "", "given twice"},
	} {
		made := &spec.Spec{Domain: &domain.Taxi{}, Sparseness: test.z, Own: test.own}
		s := made.Clone()
		err := s.Complete()
		if test.reason == "" {
			if err != nil || s.Z().String() != test.want {
				t.Errorf("%d, %v: %s, %v; want %s", test.z, test.own, s.Z(), err, test.want)
			}
		} else if invalid, ok := errors.AsType[*strict.InvalidError](err); !ok || invalid.Place != "/sparseness" || !strings.Contains(invalid.Reason, test.reason) {
			t.Errorf("%d, %v: %v; want %s", test.z, test.own, err, test.reason)
		}
		if made.Sparseness != test.z || !slices.Equal(made.Own, test.own) {
			t.Errorf("the copy changed the original: %d, %v", made.Sparseness, made.Own)
		}
	}
}
