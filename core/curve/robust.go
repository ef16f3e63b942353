package curve

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Share returns k/n with its 95% interval by Clopper and Pearson (Biometrika 26, 1934): the shares that a binomial law
// of n tries would not refuse, at 2.5% on each side. It panics unless 0 ≤ k ≤ n and n > 0.
func Share(k, n int) (share, lo, hi float64) {
	if k < 0 || k > n || n == 0 {
		panic("curve: a share of no tries, or of more than all")
	}
	share, lo, hi = float64(k)/float64(n), 0, 1
	if k > 0 {
		lo = mathext.InvRegIncBeta(float64(k), float64(n-k+1), 0.025)
	}
	if k < n {
		hi = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 0.975)
	}
	return share, lo, hi
}

// Median returns the median of sorted values: the middle one, or the mean of the two in the middle.
func Median(sorted []float64) float64 { return sampleQuantile(sorted, 0.5) }

// InterquartileMean returns the mean of sorted values without the ⌊n/4⌋ least and as many greatest (IQM; Agarwal,
// Schwarzer, Castro, Courville and Bellemare, NeurIPS 2021).
func InterquartileMean(sorted []float64) float64 {
	cut := len(sorted) / 4
	sum := 0.0
	for _, v := range sorted[cut : len(sorted)-cut] {
		sum += v
	}
	return sum / float64(len(sorted)-2*cut)
}

// resamples is the number of samples of a bootstrap.
const resamples = 10_000

// Bootstrap returns a statistic of the values of all strata together, with its 95% interval by the stratified percentile
// bootstrap: in each of 10,000 samples, as many values are drawn from each stratum, with replacement, as it has; the
// interval has the statistic's 2.5% and 97.5% quantiles (linear interpolation at (m−1)p). A stratum is a task, and its values are those of runs, as in
// rliable. The statistic gets sorted values. The draws are the same on every machine. With one value in each stratum there
// is no interval: lo and hi are NaN.
func Bootstrap(strata [][]float64, statistic func(sorted []float64) float64) (value, lo, hi float64) {
	all := slices.Sorted(slices.Values(slices.Concat(strata...)))
	value = statistic(all)
	if len(all) == len(strata) {
		return value, math.NaN(), math.NaN()
	}
	ranks := make([][]int, len(strata)) // of each value among all, so that a sample need not be sorted
	for i, of := range strata {
		for _, v := range of {
			rank, _ := slices.BinarySearch(all, v)
			ranks[i] = append(ranks[i], rank)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	drawn, sample, values := make([]int, len(all)), make([]float64, len(all)), make([]float64, resamples)
	for k := range values {
		for _, of := range ranks {
			for range of {
				drawn[of[rng.IntN(len(of))]]++
			}
		}
		sample = sample[:0]
		for rank, times := range drawn {
			for range times {
				sample = append(sample, all[rank])
			}
		}
		clear(drawn)
		values[k] = statistic(sample)
	}
	slices.Sort(values)
	return value, sampleQuantile(values, 0.025), sampleQuantile(values, 0.975)
}
