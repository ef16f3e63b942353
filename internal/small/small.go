// Package small holds small experiments for tests of the packages that run and read them.
//
// # Goroutines
//
// Its functions belong to the goroutine of a test.
package small

import (
	"math"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// Spec completes a spec whose fields after the domain are given.
func Spec(t testing.TB, domain, rest string) *spec.Spec {
	t.Helper()
	s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":` + domain + rest + `}`))
	if err != nil {
		t.Fatalf("%s%s: %v", domain, rest, err)
	}
	return s
}

// Ready returns the experiment of a spec.
func Ready(t testing.TB, s *spec.Spec) *experiment.Experiment {
	t.Helper()
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// EveryAgent lists agents of every kind of the paper, as a member of a spec.
const EveryAgent = `,"agents":["psrl","f-psrl","f-psrl:graph=prior","c-psrl","c-psrl:eta=0","c-psrl:eta=64"]`

// All returns a spec of each kind of problem that is small enough to run completely.
func All(t testing.TB) map[string]*spec.Spec {
	m := `{"format":"cpsrl/model","version":1,"horizon":4,"state":[{"name":"a","size":2},{"name":"b","size":3}],"action":[{"name":"c","size":2}],` +
		`"initial":"uniform","transition":[{"of":"b","given":["c","a"],"p":[[0.5,0.25,0.25],[0,0,1],[0.1,0.2,0.7],[1,0,0]]},{"of":"a","given":["b"],"p":[[1,0],[0.5,0.5],[0.25,0.75]]}],` +
		`"reward":[{"given":["a","c"],"mean":[0,1,0.5,0.25],"kind":"fixed"},{"of":"a","given":["b"],"mean":[0.1,0.2,0.9],"kind":"bernoulli","scale":2}]}`
	return map[string]*spec.Spec{
		"random":  Spec(t, `{"name":"random-fmdp","stateVariables":3,"actionVariables":2,"parents":3,"horizon":6}`, EveryAgent+`,"sparseness":4,"episodes":4,"runs":3,"seed":5`),
		"uniform": Spec(t, `{"name":"random-fmdp","stateVariables":2,"actionVariables":1,"values":3,"parents":"uniform","horizon":5}`, EveryAgent+`,"prior":{"eta":1},"sparseness":3,"episodes":3,"runs":3,"seed":6,"rewards":"learned"`),
		"taxi":    Spec(t, `{"name":"taxi","grid":"3x3","horizon":5}`, EveryAgent+`,"episodes":2,"firstRun":7,"runs":2,"update":"printed"`),
		"figure1": Spec(t, `{"name":"figure1"}`, EveryAgent+`,"episodes":3,"runs":2,"rewards":"learned"`),
		"model":   Spec(t, `{"name":"model","model":`+m+`}`, EveryAgent+`,"sparseness":3,"prior":{"edges":[["a","a"],["c","b"]]},"episodes":5,"runs":2,"seed":9007199254740991`),
	}
}

// Run returns the records of a spec.
func Run(t testing.TB, sp *spec.Spec) []*record.Record {
	t.Helper()
	var list []*record.Record
	for r, err := range Ready(t, sp).Run() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// Decode reads a spec.
func Decode(t testing.TB, text string) *spec.Spec {
	t.Helper()
	s, err := spec.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Encoded returns the lines of records.
func Encoded(records []*record.Record) []byte {
	var data []byte
	for _, r := range records {
		data = record.AppendRecord(data, r)
	}
	return data
}

// Close reports whether two numbers are equal up to rounding.
func Close(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b))
}
