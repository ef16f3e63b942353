package record

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Oracle: the checks themselves. What a field says is allowed is accepted, one
// step beyond is refused in its place, and the default is what Complete fills in.
func TestFields(t *testing.T) {
	for _, domain := range []string{
		`{"name":"random-fmdp"}`, `{"name":"random-fmdp","stateVariables":3,"actionVariables":2}`, `{"name":"random-fmdp","parents":"uniform","values":3}`,
		`{"name":"taxi"}`, `{"name":"taxi","grid":"3x3","horizon":99}`, `{"name":"figure1"}`, `{"name":"model","model":` + coinModel + `}`,
	} {
		text := `{"format":"cpsrl/spec","version":1,"domain":` + domain + `,"firstRun":7}`
		spec, err := DecodeSpec([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Fields(spec) {
			with := func(value any) error {
				s := *spec
				if !set(t, &s, f.Place, value) {
					return nil
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
			if f.Place == "/domain/name" || f.Place == "/domain/grid" && f.Default != "5x5" {
				continue // another domain has other fields
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

// set sets a field of a spec by its place.
func set(t *testing.T, s *Spec, place string, value any) bool {
	if place == "/prior/eta" {
		eta := value.(int)
		s.Prior = &Known{Eta: &eta}
		return true
	}
	fields := slices.Concat(s.domainFields(), s.runFields())
	at := slices.IndexFunc(fields, func(f field) bool { return f.place == place })
	if at < 0 {
		t.Fatalf("no field %s", place)
	}
	switch v := fields[at].value.(type) {
	case *string:
		*v = fmt.Sprint(value)
	case *int:
		*v = value.(int)
	case *int64:
		*v = int64(value.(int))
	case *Parents:
		if *v = UniformParents; value != "uniform" {
			n, ok := value.(int)
			if !ok || n < 0 {
				n = -2
			}
			*v = Parents(n)
		}
	}
	return true
}

// The defaults, by hand.
func TestFieldDefaults(t *testing.T) {
	spec, err := DecodeSpec([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":2,"actionVariables":1,"horizon":7,"parents":2},"episodes":9,"seed":3}`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, f := range Fields(spec) {
		got[f.Place] = f.Default
	}
	want := map[string]any{
		"/domain/name": nil, "/domain/stateVariables": 6, "/domain/actionVariables": 3, "/domain/values": 2, "/domain/parents": 3, "/domain/horizon": 100,
		"/prior/eta": nil, "/sparseness": 5, "/episodes": 100, "/firstRun": 0, "/runs": 1, "/seed": 0, "/bound": "at-most", "/update": "exact", "/rewards": "known",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
}
