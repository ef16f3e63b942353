package evidence_test

import (
	"bytes"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// Oracle: the documented shape, by hand.
func TestPosterior(t *testing.T) {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "side", Size: 2}, {Name: "b", Size: 2}},
		Action: []fmdp.Variable{{Name: "flip", Size: 2}},
	}
	var out bytes.Buffer
	// The most probable set is first; ties keep their order.
	beliefs := []posterior.Weights{
		{Sets: []bigraph.Scope{bigraph.Of(), bigraph.Of(0), bigraph.Of(2)}, P: []float64{0.25, 0.5, 0.25}, LogEvidence: []float64{-3, -3, -3}, LogWeight: []float64{-2, -1, -2}, Edges: []float64{0.5, 0, 0.25}},
		{Sets: []bigraph.Scope{bigraph.Of()}, P: []float64{1}, LogEvidence: []float64{0}, LogWeight: []float64{0}, Edges: []float64{0, 0, 0}},
	}
	if err := (&evidence.Answer{PriorFile: &document.PriorFile{Space: space}, Beliefs: beliefs}).Write(&out, 0); err != nil {
		t.Fatal(err)
	}
	want := `{"variables":{"side":[{"parents":["side"],"p":0.5,"logEvidence":-3},{"parents":[],"p":0.25,"logEvidence":-3},{"parents":["flip"],"p":0.25,"logEvidence":-3}],` +
		`"b":[{"parents":[],"p":1,"logEvidence":0}]},"edges":[` +
		`{"from":"side","to":"side","p":0.5},{"from":"b","to":"side","p":0},{"from":"flip","to":"side","p":0.25},` +
		`{"from":"side","to":"b","p":0},{"from":"b","to":"b","p":0},{"from":"flip","to":"b","p":0}]}` + "\n"
	if out.String() != want {
		t.Errorf("\n got %s\nwant %s", out.String(), want)
	}
}
