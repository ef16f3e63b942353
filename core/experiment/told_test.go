package experiment_test

import (
	"bytes"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/internal/small"
)

// What an agent does that is not told the spec's prior depends on no edge of that prior; the page
// relies on it when the prior has been edited. The records of an agent that is told it differ.
func TestTold(t *testing.T) {
	for domain, edges := range map[string]string{
		`{"name":"taxi","grid":"3x3","horizon":6}`:                                                      `["row","row"],["move","row",0.9],["col","passenger",0]`,
		`{"name":"random-fmdp","stateVariables":3,"actionVariables":1,"parents":"uniform","horizon":6}`: `["X1","X1"],["X2","X3",0.2]`,
		`{"name":"figure1"}`: `["X1","X1"],["X4","X2"]`,
	} {
		var records [2]map[string][]byte
		var agents []string
		for k, prior := range []string{`[]`, `[` + edges + `]`} {
			s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":2,"domain":` + domain + small.EveryAgent + `,"sparseness":5,"prior":{"edges":` + prior + `},"priors":{"a":{"eta":1}},"episodes":12,"runs":1,"seed":3}`))
			if err != nil {
				t.Fatal(err)
			}
			s.Agents = append(s.Agents, "c-psrl:prior=a", "f-psrl:graph=prior,prior=a")
			agents, records[k] = s.Agents, map[string][]byte{}
			for _, r := range run(t, s) {
				records[k][r.Agent] = record.AppendRecord(records[k][r.Agent], r)
			}
		}
		for _, label := range agents {
			arm, err := arm.Parse(label)
			if err != nil {
				t.Fatal(err)
			}
			if same := bytes.Equal(records[0][label], records[1][label]); same == arm.Told() || len(records[0][label]) == 0 {
				t.Errorf("%s: %q is told the prior: %v; its records are the same under two: %v", domain, label, arm.Told(), same)
			}
		}
	}
}
