package posterior

import (
	"math"
	"math/rand/v2"

	"cpsrl/core/internal/loops"
)

// Counts holds how often each outcome was seen in one row of probabilities, or in the
// rows of a table one after the other. The prior of a row is Dirichlet(α, …, α).
type Counts []uint32

// Sample draws a row of probabilities from Dirichlet(α + counts) into dst, which has
// the length of c, as normalised gamma variates. If all variates are 0, the row is
// uniform; with α = 1 and n outcomes that has a chance of 2⁻⁵³ⁿ. An entry below 2⁻¹⁰⁰⁰
// times the largest may become 0.
func (c Counts) Sample(rng *rand.Rand, alpha float64, dst []float64) {
	if alpha != 1 {
		c.sampleReal(rng, alpha, dst)
		return
	}
	sum := 0.0
	for i, n := range c {
		g := 0.0
		if n == 0 { // most rows of a large table
			g = Exponential(rng)
		} else {
			g = Gamma(rng, int(n)+1)
		}
		dst[i] = g
		sum += g
	}
	loops.Scale(dst, sum)
}

// sampleReal is Sample for any α. If α < 1, the gamma variate of an unseen outcome is
// G·U^(1/α) with G of shape α + 1 (Marsaglia and Tsang, section 6), which may be smaller
// than every positive float64. A row with such an outcome is therefore normalised by
// logarithms to base 2: that of U^(1/α) is minus an exponential variate over α ln 2.
func (c Counts) sampleReal(rng *rand.Rand, alpha float64, dst []float64) {
	largest, sum, small := math.Inf(-1), 0.0, false
	for i, n := range c {
		if n == 0 && alpha < 1 {
			small = true
			dst[i] = math.Log2(gammaReal(rng, alpha+1))
			dst[i] -= float64(Exponential(rng) * (math.Log2E / alpha))
		} else if small {
			dst[i] = math.Log2(gammaReal(rng, float64(n)+alpha))
		} else {
			dst[i] = gammaReal(rng, float64(n)+alpha)
			sum += dst[i]
			continue
		}
		if largest == math.Inf(-1) { // the first small one: turn the entries before it into logarithms
			for k := range i {
				dst[k] = math.Log2(dst[k])
				largest = max(largest, dst[k])
			}
		}
		largest = max(largest, dst[i])
	}
	if small {
		sum = 0
		for i, log := range dst {
			dst[i] = 0
			if log -= largest; log > -1000 {
				dst[i] = loops.Exp2(log)
			}
			sum += dst[i]
		}
	}
	loops.Scale(dst, sum)
}

// SampleMeans draws the mean payoff of each row of a table with two outcomes, unpaid and
// paid. The law of a mean is Beta(1 + paid, 1 + unpaid).
func (c Counts) SampleMeans(rng *rand.Rand) []float64 {
	means := make([]float64, len(c)/2)
	var p [2]float64
	for row := range means {
		c[2*row:2*row+2].Sample(rng, 1, p[:])
		means[row] = p[1]
	}
	return means
}

// positive draws uniformly from (0, 1].
func positive(rng *rand.Rand) float64 { return 1 - rng.Float64() }

// Gamma draws from the gamma law of integer shape n ≥ 1 and scale 1: for small
// n as a sum of exponentials, else by the method of Marsaglia and Tsang, "A simple
// method for generating gamma variables", TOMS 26(3), 2000.
func Gamma(rng *rand.Rand, n int) float64 {
	if n <= loops.LargestSum {
		sum := Exponential(rng)
		for range n - 1 {
			sum += Exponential(rng)
		}
		return sum
	}
	return gammaReal(rng, float64(n))
}

// gammaReal draws from the gamma law of a shape of at least 1 and scale 1 by the method
// of Marsaglia and Tsang.
func gammaReal(rng *rand.Rand, shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := normal(rng)
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		u := positive(rng)
		x2 := x * x
		if u < 1-float64(0.0331*float64(x2*x2)) ||
			math.Log(u) < float64(0.5*x2)+float64(d*(1-v+math.Log(v))) {
			return d * v
		}
	}
}

// normal draws from the standard normal law by Marsaglia's polar method.
func normal(rng *rand.Rand) float64 {
	for {
		x, y := float64(2*rng.Float64())-1, float64(2*rng.Float64())-1
		if s := float64(x*x) + float64(y*y); s > 0 && s < 1 {
			return x * math.Sqrt(-2*math.Log(s)/s)
		}
	}
}

// Gumbel draws from the standard Gumbel law: the arg max of log weights plus
// independent Gumbel variates is distributed as the weights.
func Gumbel(rng *rand.Rand) float64 { return -math.Log(Exponential(rng)) }
