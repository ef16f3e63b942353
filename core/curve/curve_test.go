package curve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Oracle: the definition by brute force. In type 7 the k-th of n values is the quantile
// (k−1)/(n−1), and quantiles between two values are linear. The oracle searches for the two
// neighbours.
func TestQuantiles(t *testing.T) {
	brute := func(values []float64, p float64) float64 {
		slices.Sort(values)
		n := len(values)
		if n == 1 {
			return values[0]
		}
		for k := range n - 1 {
			low, high := float64(k)/float64(n-1), float64(k+1)/float64(n-1)
			if p >= low && p <= high {
				return values[k] + (values[k+1]-values[k])*(p-low)/(high-low)
			}
		}
		panic("no neighbours")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(12)
		var runs []Run
		for run := range n {
			c := Run{Agent: "psrl", Run: run}
			for range 1 + rng.IntN(4) { // runs may end early
				c.Values = append(c.Values, float64(rng.IntN(5))-2) // with ties
			}
			runs = append(runs, c)
		}
		runs = append(runs, Run{Agent: "c-psrl", Values: []float64{7}})
		curves := Quantiles(runs)
		if len(curves) != 2 || curves[0].Agent != "psrl" || curves[1].Agent != "c-psrl" || !slices.Equal(curves[1].Points, []Point{{1, 7, 7, 7, 7, 7, 1}}) {
			t.Fatalf("%+v", curves)
		}
		for k, p := range curves[0].Points {
			var values []float64
			for _, c := range runs[:n] {
				if k < len(c.Values) {
					values = append(values, c.Values[k])
				}
			}
			want := []float64{brute(values, 0.5), brute(values, 0.25), brute(values, 0.75), brute(values, 0), brute(values, 1)}
			for i, got := range []float64{p.Mean, p.Lo, p.Hi, p.Least, p.Greatest} {
				if math.Abs(got-want[i]) > 1e-12 {
					t.Fatalf("%v: %+v, want %v", values, p, want)
				}
			}
			if p.Episode != k+1 || p.N != len(values) || p.Lo > p.Mean || p.Mean > p.Hi {
				t.Fatalf("%+v of %v", p, values)
			}
		}
	}
	// By hand: R's quantile(c(1, 2, 3, 4), c(.25, .5, .75)) is 1.75, 2.5, 3.25.
	var runs []Run
	for _, v := range []float64{4, 2, 1, 3} {
		runs = append(runs, Run{Values: []float64{v}})
	}
	if p := Quantiles(runs)[0].Last(); p.Lo != 1.75 || p.Mean != 2.5 || p.Hi != 3.25 {
		t.Errorf("%+v", p)
	}
}

// Oracle: the printed table of Student's t, t(0.975, n−1), and by hand the mean
// and the standard deviation.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		values   []float64
		mean, sd float64
		t        float64
	}{
		{[]float64{1, 3}, 2, math.Sqrt2, 12.7062},
		{[]float64{1, 2, 3}, 2, 1, 4.3027},
		{[]float64{2, 2, 2, 2}, 2, 0, 3.1824},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 10.5, math.Sqrt(35), 2.0930},
	} {
		mean, lo, hi := interval(c.values, student(float64(len(c.values)-1)))
		half := c.t * c.sd / math.Sqrt(float64(len(c.values)))
		if mean != c.mean || math.Abs(hi-mean-half) > 1e-4*half || math.Abs(mean-lo-half) > 1e-4*half {
			t.Errorf("%v: %v [%v, %v], want %v ± %v", c.values, mean, lo, hi, c.mean, half)
		}
	}
	if mean, lo, hi := interval([]float64{7}, student(0)); mean != 7 || !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Errorf("one value: %v [%v, %v]", mean, lo, hi)
	}
}

// Oracle: the worked example of R's sleep data, t.test(extra ~ group): the difference of the means is
// −1.58, ν = 17.776, and the interval −3.3654832 to 0.2054832.
func TestApart(t *testing.T) {
	runs := func(values ...float64) (list []Run) {
		for k, v := range values {
			list = append(list, Run{Agent: "a", Run: k, Values: Numbers{v, 0}})
		}
		return list
	}
	first := runs(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0)
	second := runs(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)
	c := Apart(first, second)
	if p := c.Points[0]; len(c.Points) != 2 || math.Abs(p.Mean+1.58) > 1e-12 || math.Abs(p.Lo+3.3654832) > 1e-6 || math.Abs(p.Hi-0.2054832) > 1e-6 || p.N != 20 || p.Episode != 1 {
		t.Errorf("%+v", c)
	}
	if p := c.Points[1]; p.Mean != 0 || p.Lo != 0 || p.Hi != 0 {
		t.Errorf("equal values: %+v", p)
	}
	if p := Apart(first, second[:1]).Points[0]; !math.IsNaN(p.Lo) || p.N != 11 {
		t.Errorf("one run: %+v", p)
	}
	if c := Apart(first, nil); c.Points != nil {
		t.Errorf("nothing: %+v", c)
	}
}
