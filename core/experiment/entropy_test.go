package experiment

import (
	"math"
	"testing"

	"cpsrl/core/bigraph"
)

// Oracle: by hand. X_2 has one value, so sets that differ only in it count as one.
func TestGraphEntropy(t *testing.T) {
	sets := []bigraph.Scope{bigraph.Of(), bigraph.Of(0), bigraph.Of(2), bigraph.Of(0, 2)}
	trivial := bigraph.Of(2)
	for _, c := range []struct {
		y    int
		p    []float64
		want float64
	}{
		{0, []float64{0.25, 0.25, 0.25, 0.25}, 1},
		{0, []float64{0.5, 0, 0.5, 0}, 0},
		{1, []float64{0.125, 0.25, 0.125, 0.5}, 0.25*2 + 0.75*math.Log2(4.0/3)},
		{2, []float64{0.25, 0.25, 0.25, 0.25}, 0},
	} {
		if got := graphEntropy(c.y, sets, c.p, trivial); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Y_%d, %v: %v bits, want %v", c.y, c.p, got, c.want)
		}
	}
	if got := graphEntropy(0, sets, []float64{0.25, 0.25, 0.25, 0.25}, bigraph.Of()); got != 2 {
		t.Errorf("without a trivial variable %v bits, want 2", got)
	}
}
