package experiment

import (
	"testing"

	"cpsrl/core/spec"
	"cpsrl/internal/formattest"
)

// A spec, too, may list the Z of every state variable. Oracle: the spec with "*".
func TestSparsenessOfEachVariable(t *testing.T) {
	of := func(z string) (*Experiment, error) {
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,"domain":{"name":"figure1"},"sparseness":` + z + `,"episodes":2,"runs":1}`))
		if err != nil {
			return nil, err
		}
		return New(s)
	}
	each, err := of(`{"X1":3,"X2":2}`)
	if err != nil {
		t.Fatal(err)
	}
	other, err := of(`{"*":2,"X1":3}`)
	if err != nil || string(spec.Encode(each.Spec())) != string(spec.Encode(other.Spec())) {
		t.Errorf("%s, not %s: %v", spec.Encode(each.Spec()), spec.Encode(other.Spec()), err)
	}
	for z, wrong := range map[string][2]string{`{"X1":3}`: {"/sparseness", `"*", is missing`}, `{"X1":3,"X4":3}`: {"/sparseness/X4", "no state variable"}, `{}`: {"/sparseness", `"*", is missing`}} {
		_, err := of(z)
		formattest.WantError(t, z, err, wrong[0], wrong[1])
	}
}
