package experiment

import (
	"fmt"
	"slices"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// An agent with an α of its own plays by it: its records do not depend on the spec's α.
func TestOwnConcentration(t *testing.T) {
	lines := func(label, alpha string) (all []byte) {
		e := decoded(t, fmt.Sprintf(`{"format":"cpsrl/spec","version":2,"domain":{"name":"figure1"},"dirichlet":%s,"agents":[%q],"episodes":4,"runs":2,"seed":3}`, alpha, label))
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			all = record.AppendRecord(all, r)
		}
		return all
	}
	seen := 0
	for _, k := range arm.Kinds() {
		if !slices.ContainsFunc(k.New().Params(), func(p param.Param) bool { return p.Name == "dirichlet" }) {
			continue
		}
		seen++
		if own := k.Key + ":dirichlet=0.1"; string(lines(own, "1")) != string(lines(own, "0.1")) {
			t.Errorf("%s plays by the spec's α", own)
		}
	}
	if seen < 4 {
		t.Errorf("%d kinds have an α of their own", seen)
	}
}
