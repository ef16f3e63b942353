package posterior_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"cpsrl/core/posterior"
)

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5eed)) }

// kolmogorov tests a sample against a distribution function: the statistic
// √n·sup|F_n − F| is above 2.72 once in 10⁶ samples (its limit law,
// 2·exp(−2·2.72²) ≈ 7.5e-7).
func kolmogorov(t *testing.T, name string, sample []float64, cdf func(float64) float64) {
	t.Helper()
	slices.Sort(sample)
	n := float64(len(sample))
	worst := 0.0
	for i, x := range sample {
		p := cdf(x)
		worst = max(worst, p-float64(i)/n, float64(i+1)/n-p)
	}
	if d := worst * math.Sqrt(n); !(d < 2.72) {
		t.Errorf("%s: Kolmogorov-Smirnov statistic %.2f, above 2.72", name, d)
	}
}

// moments tests the mean and the variance of a sample within 5 standard errors;
// excess is the excess kurtosis of the law.
func moments(t *testing.T, name string, sample []float64, mean, variance, excess float64) {
	t.Helper()
	n := float64(len(sample))
	m, v := stat.MeanVariance(sample, nil)
	if se := math.Sqrt(variance / n); !(math.Abs(m-mean) < 5*se) {
		t.Errorf("%s: mean %v, want %v ± %v", name, m, mean, 5*se)
	}
	if se := variance * math.Sqrt((excess+2)/n); !(math.Abs(v-variance) < 5*se) {
		t.Errorf("%s: variance %v, want %v ± %v", name, v, variance, 5*se)
	}
}

func sample(n int, draw func() float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw()
	}
	return xs
}

// Oracle: gonum's gamma law, at shapes on both sides of where the method changes.
func TestGamma(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where the same numbers are drawn")
	}
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 30, 200, 5000, 1000000} {
		rng := stream(uint64(n))
		count := 50000
		if n <= 12 { // where an approximation would show
			count = 300000
		}
		xs := sample(count, func() float64 { return posterior.Gamma(rng, n) })
		name := fmt.Sprintf("Gamma(%d)", n)
		law := distuv.Gamma{Alpha: float64(n), Beta: 1}
		moments(t, name, xs, float64(n), float64(n), 6/float64(n))
		kolmogorov(t, name, xs, law.CDF)
		if xs[0] <= 0 {
			t.Errorf("%s: %v", name, xs[0])
		}
	}
}

// Oracle: gonum's exponential law.
func TestExponential(t *testing.T) {
	rng := stream(1)
	xs := sample(200000, func() float64 { return posterior.Exponential(rng) })
	law := distuv.Exponential{Rate: 1}
	moments(t, "Exponential", xs, 1, 1, law.ExKurtosis())
	kolmogorov(t, "Exponential", xs, law.CDF)
}

// A ziggurat goes wrong at its seams: the top, the layers' edges, the tail. So
// the counts in 4000 bins of equal probability, and in unit bins of the tail,
// are held to Pearson's χ² (1 in 10⁶).
func TestExponentialBins(t *testing.T) {
	rng := stream(2)
	const n, bins = 1000000, 4000
	count := make([]float64, bins)
	var tail [4]float64 // beyond 7, 8, 9, 10
	for range n {
		x := posterior.Exponential(rng)
		if x < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("drew %v", x)
		}
		count[min(bins-1, int(-math.Expm1(-x)*bins))]++
		for k := range tail {
			if x > float64(7+k) {
				tail[k]++
			}
		}
	}
	expected := make([]float64, bins)
	for i := range expected {
		expected[i] = n / bins
	}
	limit := distuv.ChiSquared{K: bins - 1}.Quantile(1 - 1e-6)
	if got := stat.ChiSquare(count, expected); got > limit {
		t.Errorf("χ² = %.0f over %d bins, above %.0f", got, bins, limit)
	}
	for k, got := range tail {
		p := math.Exp(-float64(7 + k))
		if want, sd := n*p, math.Sqrt(n*p*(1-p)); math.Abs(got-want) > 5*sd {
			t.Errorf("%v draws beyond %d, want %.0f ± %.0f", got, 7+k, want, 5*sd)
		}
	}
}

// The tail beyond 7.697 has a method of its own: what exceeds 7.7 is again
// exponential, in number and in its mean, within 5 standard errors.
func TestExponentialTail(t *testing.T) {
	rng := stream(9)
	const n, from = 10000000, 7.7
	count, excess := 0.0, 0.0
	for range n {
		if x := posterior.Exponential(rng); x > from {
			count++
			excess += x - from
		}
	}
	p := math.Exp(-from)
	if want, sd := n*p, math.Sqrt(n*p); math.Abs(count-want) > 5*sd {
		t.Errorf("%v draws beyond %v, want %.0f ± %.0f", count, from, want, 5*sd)
	}
	if mean, se := excess/count, 1/math.Sqrt(count); math.Abs(mean-1) > 5*se {
		t.Errorf("mean excess %v, want 1 ± %v", mean, 5*se)
	}
}

// Oracle: gonum's Gumbel law.
func TestGumbel(t *testing.T) {
	rng := stream(3)
	xs := sample(100000, func() float64 { return posterior.Gumbel(rng) })
	law := distuv.GumbelRight{Mu: 0, Beta: 1}
	moments(t, "Gumbel", xs, law.Mean(), law.Variance(), law.ExKurtosis())
	kolmogorov(t, "Gumbel", xs, law.CDF)
}

// Oracle: the marginals of Dirichlet(1+counts) are Beta(1+c_i, 1+Σ_{l≠i} c_l)
// (gonum), and its covariances are −a_i a_l / (a²(a+1)).
func TestDirichlet(t *testing.T) {
	for _, counts := range []posterior.Counts{
		{0, 0}, {3, 0}, {0, 0, 0}, {2, 7, 0, 1}, {100, 3, 20}, {0, 9, 8, 7, 6},
	} {
		name := fmt.Sprint("Dirichlet 1+", counts)
		rng := stream(uint64(len(name)))
		const n = 20000
		total := float64(len(counts))
		for _, c := range counts {
			total += float64(c)
		}
		columns := make([][]float64, len(counts))
		for i := range columns {
			columns[i] = make([]float64, n)
		}
		dst := make([]float64, len(counts))
		for k := range n {
			counts.Sample(rng, 1, dst)
			sum := 0.0
			for i, p := range dst {
				columns[i][k] = p
				sum += p
			}
			if math.Abs(sum-1) > 1e-14 {
				t.Fatalf("%s: sums to %v", name, sum)
			}
		}
		for i, c := range counts {
			a := float64(c) + 1
			law := distuv.Beta{Alpha: a, Beta: total - a}
			moments(t, name, columns[i], law.Mean(), law.Variance(), law.ExKurtosis())
			for l := range i {
				b := float64(counts[l]) + 1
				want := -a * b / (total * total * (total + 1))
				se := math.Sqrt((law.Variance()*distuv.Beta{Alpha: b, Beta: total - b}.Variance() + want*want) / n)
				if got := stat.Covariance(columns[i], columns[l], nil); math.Abs(got-want) > 7*se {
					t.Errorf("%s: covariance of %d and %d is %v, want %v ± %v", name, i, l, got, want, 7*se)
				}
			}
		}
		for i, c := range counts { // last, since it sorts
			law := distuv.Beta{Alpha: float64(c) + 1, Beta: total - float64(c) - 1}
			kolmogorov(t, name, columns[i], law.CDF)
		}
	}
}

// Oracle: the marginals of Dirichlet(1, …, 1) over n outcomes are Beta(1, n−1).
func TestUniformRow(t *testing.T) {
	for _, n := range []int{2, 3, 5} {
		rng := stream(uint64(n))
		dst := make([]float64, n)
		xs := sample(20000, func() float64 {
			make(posterior.Counts, n).Sample(rng, 1, dst)
			sum := 0.0
			for _, p := range dst {
				sum += p
			}
			if math.Abs(sum-1) > 1e-14 {
				t.Fatalf("%v sums to %v", dst, sum)
			}
			return dst[n-1]
		})
		law := distuv.Beta{Alpha: 1, Beta: float64(n - 1)}
		kolmogorov(t, fmt.Sprintf("Dirichlet(1) over %d", n), xs, law.CDF)
	}
}

// A variable with one value has rows of one entry, which is 1.
func TestOneOutcome(t *testing.T) {
	rng := stream(4)
	dst := make([]float64, 1)
	posterior.Counts{17}.Sample(rng, 1, dst)
	if dst[0] != 1 {
		t.Errorf("%v", dst)
	}
}

// Oracle: Beta(1+paid, 1+unpaid), row by row.
func TestMeans(t *testing.T) {
	counts := posterior.Counts{0, 0, 9, 3, 0, 1} // unpaid and paid of each row
	rng := stream(5)
	const n = 20000
	columns := [3][]float64{}
	for range n {
		for row, p := range counts.SampleMeans(rng) {
			columns[row] = append(columns[row], p)
		}
	}
	for row, law := range []distuv.Beta{{Alpha: 1, Beta: 1}, {Alpha: 4, Beta: 10}, {Alpha: 2, Beta: 1}} {
		kolmogorov(t, fmt.Sprint("row ", row), columns[row], law.CDF)
	}
}

func BenchmarkGamma(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8, 64, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := stream(6)
			b.ReportAllocs()
			for b.Loop() {
				posterior.Gamma(rng, n)
			}
		})
	}
}

func BenchmarkGumbel(b *testing.B) {
	rng := stream(7)
	b.ReportAllocs()
	for b.Loop() {
		posterior.Gumbel(rng)
	}
}

// The most common row of PSRL at S = 64 has no counts yet.
func BenchmarkDirichlet(b *testing.B) {
	rng := stream(8)
	counts, dst := make(posterior.Counts, 64), make([]float64, 64)
	b.ReportAllocs()
	for b.Loop() {
		counts.Sample(rng, 1, dst)
	}
}
