package results

import (
	"math"
	"testing"

	"cpsrl/core/curve"
)

// An interval has two significant digits, and its mean as many decimals.
func TestBand(t *testing.T) {
	for want, p := range map[string]curve.Point{
		"189.9 ± 4.4":       {N: 20, Mean: 189.88, Hi: 194.29},
		"57.53 ± 0.18":      {N: 20, Mean: 57.531, Hi: 57.708},
		"410 ± 5108":        {N: 2, Mean: 410, Hi: 5518},
		"2.0 ± 1.0":         {N: 2, Mean: 2, Hi: 2.996},
		"0.00010 ± 0.00012": {N: 2, Mean: 0.0001, Hi: 0.00022},
		"1 ± 0":             {N: 2, Mean: 1, Hi: 1},
		"2.67 ± 0":          {N: 20, Mean: 8. / 3, Hi: 8./3 + 4e-16},
		"0.333":             {N: 1, Mean: 1. / 3, Hi: math.NaN()},
		"-3.0 ± 1.0":        {N: 9, Mean: -3, Hi: -2},
	} {
		if got := band(p); got != want {
			t.Errorf("%+v: %s, want %s", p, got, want)
		}
	}
}
