package document_test

import (
	"bytes"
	"fmt"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/internal/formattest"
)

// Oracle: the documented shape, by hand.
func TestFactorizations(t *testing.T) {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "side", Size: 2}, {Name: "b", Size: 2}},
		Action: []fmdp.Variable{{Name: "flip", Size: 2}},
	}
	p := &bigraph.Prior{X: 3, Known: bigraph.Bigraph{bigraph.Of(0), bigraph.Of(1, 2)}, Sparseness: 2}
	var out bytes.Buffer
	if err := document.WriteFactorizations(&out, space, p); err != nil {
		t.Fatal(err)
	}
	want := `{"eta":1,"variables":{"side":{"count":3,"sets":[["side"],["side","b"],["side","flip"]]},"b":{"count":1,"sets":[["b","flip"]]}}}` + "\n"
	if out.String() != want {
		t.Errorf("\n got %s\nwant %s", out.String(), want)
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
	err := document.WriteFactorizations(&out, space, p)
	formattest.WantError(t, "2^64", err, "/sparseness", `"s1" has 18446744073709551616 consistent parent sets, more than the 65536 that can be listed`)
	if out.Len() > 0 {
		t.Errorf("%q was written", out.String())
	}
}
