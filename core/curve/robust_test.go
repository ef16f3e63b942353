package curve_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"cpsrl/core/curve"
)

// Oracle: the tails of the binomial law. At each end of the interval, what was seen, or more, has a chance of 2.5%. And
// published values.
func TestShare(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for k := range n + 1 {
			share, lo, hi := curve.Share(k, n)
			if share != float64(k)/float64(n) || lo > share || hi < share {
				t.Fatalf("%d of %d: %v in [%v, %v]", k, n, share, lo, hi)
			}
			if k == 0 && lo != 0 || k == n && hi != 1 {
				t.Errorf("%d of %d: [%v, %v]", k, n, lo, hi)
			}
			if k > 0 {
				if tail := 1 - (distuv.Binomial{N: float64(n), P: lo}).CDF(float64(k-1)); math.Abs(tail-0.025) > 1e-9 {
					t.Errorf("%d of %d: the lower end leaves %v", k, n, tail)
				}
			}
			if k < n {
				if tail := (distuv.Binomial{N: float64(n), P: hi}).CDF(float64(k)); math.Abs(tail-0.025) > 1e-9 {
					t.Errorf("%d of %d: the upper end leaves %v", k, n, tail)
				}
			}
		}
	}
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{{15, 20, 0.509, 0.913}, {5, 6, 0.359, 0.996}, {6, 6, 0.541, 1}, {0, 4, 0, 0.602}, {0, 80, 0, 0.045}} {
		if _, lo, hi := curve.Share(c.k, c.n); math.Abs(lo-c.lo) > 5e-4 || math.Abs(hi-c.hi) > 5e-4 {
			t.Errorf("%d of %d: [%v, %v], want [%v, %v]", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
}

// Oracle: by hand; scipy.stats.trim_mean(x, 0.25) gives the same.
func TestInterquartileMean(t *testing.T) {
	for _, c := range []struct {
		sorted []float64
		want   float64
	}{{[]float64{7}, 7}, {[]float64{1, 2, 9}, 4}, {[]float64{0, 2, 4, 100}, 3}, {[]float64{-50, 1, 2, 3, 4, 500}, 2.5}, {[]float64{0, 0, 1, 2, 3, 4, 9, 9}, 2.5}} {
		if got := curve.InterquartileMean(c.sorted); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.sorted, got, c.want)
		}
	}
	if got := curve.Median([]float64{1, 2, 5, 9}); got != 3.5 {
		t.Errorf("the median is %v", got)
	}
}

// Oracle: all resamples, each as likely. The interval ends where their law has 2.5% and 97.5%, up to the error of 10,000
// draws; strata are never mixed; the draws are the same each time.
func TestBootstrap(t *testing.T) {
	strata := [][]float64{{1, 2, 4, 8}, {100, 300, 500}}
	var every []float64
	var grow func(sample []float64, stratum, left int)
	grow = func(sample []float64, stratum, left int) {
		if left == 0 {
			if stratum++; stratum == len(strata) {
				every = append(every, curve.Median(slices.Sorted(slices.Values(sample))))
				return
			}
			left = len(strata[stratum])
		}
		for _, v := range strata[stratum] {
			grow(append(slices.Clone(sample), v), stratum, left-1)
		}
	}
	grow(nil, 0, 4)
	slices.Sort(every)
	value, lo, hi := curve.Bootstrap(strata, curve.Median)
	if value != 8 {
		t.Errorf("the median of all is %v", value)
	}
	share := func(x float64) float64 { // how much of the law is at most x
		n, _ := slices.BinarySearchFunc(every, x, func(a, b float64) int {
			if a <= b {
				return -1
			}
			return 1
		})
		return float64(n) / float64(len(every))
	}
	if share(lo-1e-9) > 0.03 || share(lo) < 0.02 || share(hi-1e-9) > 0.98 || share(hi) < 0.97 {
		t.Errorf("[%v, %v]: %v and %v of the law lie below", lo, hi, share(lo), share(hi))
	}
	if again, low, high := curve.Bootstrap(strata, curve.Median); again != value || low != lo || high != hi {
		t.Error("the draws differ")
	}
	// A mean of many values has nearly the interval of the normal law.
	var many []float64
	for k := range 200 {
		many = append(many, float64(k*k%97))
	}
	mean, lo, hi := curve.Bootstrap([][]float64{many}, func(sorted []float64) float64 { return stat.Mean(sorted, nil) })
	half := 1.96 * stat.PopStdDev(many, nil) / math.Sqrt(float64(len(many)))
	if math.Abs(hi-mean-half) > 0.05*half || math.Abs(mean-lo-half) > 0.05*half {
		t.Errorf("%v in [%v, %v], want ± %v", mean, lo, hi, half)
	}
	if _, lo, _ := curve.Bootstrap([][]float64{{3}}, curve.Median); !math.IsNaN(lo) {
		t.Error("one value has an interval")
	}
}
