package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Oracle: the checks themselves. A value within a field's limits is accepted, a value one
// step beyond is refused at the field's place, and Complete fills in the default.
func TestFields(t *testing.T) {
	for _, domain := range []string{
		`{"name":"random-fmdp"}`, `{"name":"random-fmdp","stateVariables":3,"actionVariables":2}`, `{"name":"random-fmdp","parents":"uniform","values":3}`,
		`{"name":"taxi"}`, `{"name":"taxi","grid":"3x3","horizon":99}`, `{"name":"figure1"}`, `{"name":"model","model":` + coinModel + `}`,
		`{"name":"sysadmin"}`, `{"name":"sysadmin","topology":"ring","machines":4}`,
	} {
		text := `{"format":"cpsrl/spec","version":3,"domain":` + domain + `,"firstRun":7}`
		spec, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Fields(spec) {
			with := func(value any) error {
				s := spec.Clone()
				if err := set(t, s, f.Place, value); err != nil {
					return err
				}
				return s.Complete()
			}
			var values, beyond []any
			for _, word := range f.Choices {
				values, beyond = append(values, word), []any{"?"}
			}
			if f.Min != nil {
				values = append(values, *f.Min, *f.Max)
				beyond = []any{*f.Max + 1, -2}
			}
			if f.Default != nil {
				values = append(values, f.Default)
			}
			if f.Place == "/domain/name" || f.Place == "/domain/grid" && f.Default != "5x5" || f.Place == "/domain/topology" {
				continue // the domain's fields depend on it
			}
			for _, v := range values {
				// Fewer variables leave less room for parents.
				if err := with(v); err != nil && !strings.HasPrefix(err.Error(), "/domain/parents") && !strings.HasPrefix(err.Error(), "/domain/actionVariables") && !strings.HasPrefix(err.Error(), "/runs") {
					t.Errorf("%s: %s = %v: %v", domain, f.Place, v, err)
				}
			}
			for _, v := range beyond {
				if err := with(v); err == nil || !strings.HasPrefix(err.Error(), f.Place) {
					t.Errorf("%s: %s = %v: %v", domain, f.Place, v, err)
				}
			}
		}
	}
}

// set sets the field of a spec at that place.
func set(t *testing.T, s *Spec, place string, value any) error {
	if key, of := strings.CutPrefix(place, "/prior/"); of {
		return s.Set(key, fmt.Sprint(value))
	}
	table, above := s.Params(), ""
	if strings.HasPrefix(place, "/domain/") {
		table, above = s.Domain.Params(), "/domain"
	}
	at := slices.IndexFunc(table, func(p param.Param) bool { return above+"/"+p.Name == place })
	if at < 0 {
		t.Fatalf("no field %s", place)
	}
	if n, whole := value.(int); whole {
		return strict.Within(above, table[at].SetInt(n))
	}
	return strict.Within(above, table[at].SetWord(value.(string)))
}

// The defaults, by hand.
func TestFieldDefaults(t *testing.T) {
	spec, err := Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":2,"actionVariables":1,"horizon":7,"parents":2},"episodes":9,"seed":3}`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, f := range Fields(spec) {
		got[f.Place] = f.Default
	}
	want := map[string]any{
		"/domain/name": nil, "/domain/stateVariables": 6, "/domain/actionVariables": 3, "/domain/values": 2, "/domain/parents": 3, "/domain/horizon": 100,
		"/prior/eta": nil, "/prior/trust": "1", "/prior/false": 0, "/sparseness": 5, "/episodes": 100, "/firstRun": 0, "/runs": 1, "/seed": 0, "/bound": "at-most", "/update": "exact", "/rewards": "known", "/domain/rows": "1", "/domain/rewardScopes": "own", "/dirichlet": "1", "/tables": "rows", "/depth": "no", "/planner": "exact",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
}

// The fields of a prior have its values. A prior that lists its edges has no field of
// trust.
func TestFieldsOfPrior(t *testing.T) {
	for prior, want := range map[string]string{
		``: "eta: trust:1 false:",
		`"prior":{"eta":2,"trust":0.99,"false":1},`: "eta: trust:.99 false:",
		`"prior":{"trust":0.5},`:                    "eta: trust:.5 false:",
		`"prior":{"edges":[["row","row",0.9]]},`:    "eta:",
	} {
		s, err := Decode([]byte(`{"format":"cpsrl/spec","version":2,` + prior + `"domain":{"name":"taxi"}}`))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range Fields(s) {
			if name, of := strings.CutPrefix(f.Place, "/prior/"); of {
				got = append(got, name+":"+f.Text)
				if f.Min == nil && f.Notation == "" {
					t.Errorf("%s: nothing says what %s may be", prior, name)
				}
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", prior, text, want)
		}
	}
}
