package answer_test

import (
	"bytes"
	"fmt"
	"testing"

	"cpsrl/core/answer"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

// Oracle: the documented shapes, by hand.
func TestAnswers(t *testing.T) {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "side", Size: 2}, {Name: "b", Size: 2}},
		Action: []fmdp.Variable{{Name: "flip", Size: 2}},
	}
	p := &bigraph.Prior{X: 3, Known: bigraph.Bigraph{bigraph.Of(0), bigraph.Of(1, 2)}, Sparseness: 2}
	var out bytes.Buffer
	if err := answer.WriteFactorizations(&out, space, p); err != nil {
		t.Fatal(err)
	}
	want := `{"eta":1,"variables":{"side":{"count":3,"sets":[["side"],["side","b"],["side","flip"]]},"b":{"count":1,"sets":[["b","flip"]]}}}` + "\n"
	if out.String() != want {
		t.Errorf("\n got %s\nwant %s", out.String(), want)
	}
	// The most probable set is first; ties keep their order.
	out.Reset()
	beliefs := []posterior.Weights{
		{Sets: []bigraph.Scope{0, bigraph.Of(0), bigraph.Of(2)}, P: []float64{0.25, 0.5, 0.25}, LogEvidence: []float64{-3, -3, -3}, LogWeight: []float64{-2, -1, -2}, Edges: []float64{0.5, 0, 0.25}},
		{Sets: []bigraph.Scope{0}, P: []float64{1}, LogEvidence: []float64{0}, LogWeight: []float64{0}, Edges: []float64{0, 0, 0}},
	}
	if err := answer.WritePosterior(&out, space, beliefs, 0); err != nil {
		t.Fatal(err)
	}
	want = `{"variables":{"side":[{"parents":["side"],"p":0.5,"logEvidence":-3},{"parents":[],"p":0.25,"logEvidence":-3},{"parents":["flip"],"p":0.25,"logEvidence":-3}],` +
		`"b":[{"parents":[],"p":1,"logEvidence":0}]},"edges":[` +
		`{"from":"side","to":"side","p":0.5},{"from":"b","to":"side","p":0},{"from":"flip","to":"side","p":0.25},` +
		`{"from":"side","to":"b","p":0},{"from":"b","to":"b","p":0},{"from":"flip","to":"b","p":0}]}` + "\n"
	if out.String() != want {
		t.Errorf("\n got %s\nwant %s", out.String(), want)
	}
	if got, want := string(strict.Encode(&answer.Plan{Value: 1.5, Values: []float64{1, 2}, Policy: []int32{0, 3}})), `{"value":1.5,"values":[1,2],"policy":[0,3]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// With too many sets nothing is written, and the error names the variable and the count.
func TestTooManySets(t *testing.T) {
	space := &fmdp.Space{Action: []fmdp.Variable{{Name: "a", Size: 1}}}
	for i := range 63 {
		space.State = append(space.State, fmdp.Variable{Name: fmt.Sprint("s", i), Size: 1})
	}
	p := &bigraph.Prior{X: 64, Known: make(bigraph.Bigraph, 63), Sparseness: 64}
	p.Known[0] = bigraph.First(60)
	var out bytes.Buffer
	err := answer.WriteFactorizations(&out, space, p)
	formattest.WantError(t, "2^64", err, "/sparseness", `"s1" has 18446744073709551616 consistent parent sets, more than the 65536 that can be listed`)
	if out.Len() > 0 {
		t.Errorf("%q was written", out.String())
	}
}
