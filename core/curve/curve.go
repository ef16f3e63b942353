// Package curve holds curves by episode: a measure in each run, its means over runs with
// their confidence intervals, and its quantiles. Unlike records, these numbers may differ in
// their last bits between platforms.
//
// Values are plain data, and functions change none: several goroutines may use them at once.
package curve

import (
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Curve is a measure of one agent or, with a base, its difference agent − base by run.
type Curve struct {
	Agent, Base string
	Points      []Point // by episode
}

// Last returns the last point. The curve must have one.
func (c *Curve) Last() Point { return c.Points[len(c.Points)-1] }

// Point is a mean over N runs with its 95% confidence interval
// mean ± t(0.975, n−1)·sd/√n, or a median with the 25% and 75% quantiles. Lo and Hi are NaN if
// there are none.
type Point struct {
	Episode      int
	Mean, Lo, Hi float64
	// Least and Greatest are the range of all runs. If they are equal, there is no range.
	Least, Greatest float64
	N               int
}

// Single returns the point of one value, without an interval.
func Single(episode int, v float64) Point {
	return Point{Episode: episode, Mean: v, Lo: math.NaN(), Hi: math.NaN(), N: 1}
}

// Run is a measure of one agent in one run. Entry k of the values is that of episode k+1 or, if
// they are fewer, of the k-th episode that they are at.
type Run struct {
	Agent  string  `json:"agent"`
	Run    int     `json:"run"`
	Values Numbers `json:"values"`
}

// At returns the values at those of the ascending episodes that the run has.
func (r *Run) At(episodes []int) (values Numbers) {
	for _, episode := range episodes {
		if episode <= len(r.Values) {
			values = append(values, r.Values[episode-1])
		}
	}
	return values
}

// over returns a curve for each agent of runs, which are sorted by agent. The function point
// summarises the values of an episode in every run that has it.
func over(runs []Run, point func(values []float64) Point) (curves []Curve) {
	var values []float64
	for of := range byAgent(runs) {
		c := Curve{Agent: of[0].Agent}
		for k := 0; ; k++ {
			values = values[:0]
			for _, r := range of {
				if k < len(r.Values) {
					values = append(values, r.Values[k])
				}
			}
			if len(values) == 0 {
				break
			}
			p := point(values)
			p.Episode, p.N = k+1, len(values)
			c.Points = append(c.Points, p)
		}
		curves = append(curves, c)
	}
	return curves
}

// byAgent yields the runs of one agent after another.
func byAgent(runs []Run) iter.Seq[[]Run] {
	return func(yield func([]Run) bool) {
		for rest := runs; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Agent == rest[0].Agent {
				n++
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// Means returns the means of runs, which are sorted by agent, by agent.
func Means(runs []Run) []Curve {
	n, t := 0, 0.0
	return over(runs, func(values []float64) (p Point) {
		if len(values) != n { // to compute a quantile takes as long as the sums of a hundred runs
			n, t = len(values), student(float64(len(values)-1))
		}
		p.Mean, p.Lo, p.Hi = interval(values, t)
		return p
	})
}

// interval returns the mean of the values and its 95% confidence interval
// mean ± t·sd/√n, where t is the quantile t(0.975, n−1) of Student's law. The interval of
// one value is NaN. (gonum's stat computes the same and is the oracle of the test; it
// would add 30 KB to every tab.)
func interval(values []float64, t float64) (mean, lo, hi float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v
	}
	mean /= n
	if len(values) == 1 {
		return mean, math.NaN(), math.NaN()
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	half := t * math.Sqrt(squares/(n-1)/n)
	return mean, mean - half, mean + half
}

// Apart returns the difference of the means of two agents whose runs are not paired, with Welch's
// 95% interval
//
//	mean x − mean y ± t(0.975, ν)·√(s_x²/n + s_y²/m),  ν = (s_x²/n + s_y²/m)² / ((s_x²/n)²/(n−1) + (s_y²/m)²/(m−1))
//
// (Welch, Biometrika 34, 1947). It covers the episodes that runs of both have. If one of them has a
// single run there, there is no interval. N of a point is the number of runs of both.
func Apart(x, y []Run) Curve {
	var c Curve
	means := [2][]Curve{Means(x), Means(y)}
	if len(means[0]) == 0 || len(means[1]) == 0 {
		return c
	}
	p, q := means[0][0], means[1][0]
	c.Agent, c.Base = p.Agent, q.Agent
	for k := range min(len(p.Points), len(q.Points)) {
		a, b := p.Points[k], q.Points[k]
		point := Single(k+1, a.Mean-b.Mean)
		point.N = a.N + b.N
		if a.N > 1 && b.N > 1 {
			u, v := squaredError(x, k, a), squaredError(y, k, b)
			half := 0.0
			if u+v > 0 {
				half = student((u+v)*(u+v)/(u*u/float64(a.N-1)+v*v/float64(b.N-1))) * math.Sqrt(u+v)
			}
			point.Lo, point.Hi = point.Mean-half, point.Mean+half
		}
		c.Points = append(c.Points, point)
	}
	return c
}

// squaredError returns s²/n of the values of an episode, k from 0, whose mean is that of p.
func squaredError(runs []Run, k int, p Point) (sum float64) {
	for _, r := range runs {
		if k < len(r.Values) {
			sum += (r.Values[k] - p.Mean) * (r.Values[k] - p.Mean)
		}
	}
	return sum / float64(p.N-1) / float64(p.N)
}

// student returns the 0.975 quantile of Student's t with ν degrees of freedom,
// √(ν(1/x − 1)) where x is the 0.05 quantile of the Beta(ν/2, 1/2) law.
func student(nu float64) float64 {
	if !(nu >= 1) {
		return math.NaN()
	}
	return math.Sqrt(nu * (1/mathext.InvRegIncBeta(nu/2, 0.5, 0.05) - 1))
}

// Quantiles returns the medians of runs, which are sorted by agent, with their quantiles and
// ranges, by agent. The quantile p of n ascending values x_0 … x_{n−1} is interpolated linearly
// at index (n−1)p (type 7 of Hyndman and Fan, "Sample quantiles in statistical packages",
// 1996). The median of two values is their mean; equal values have equal quantiles.
func Quantiles(runs []Run) []Curve {
	return over(runs, func(values []float64) Point {
		slices.Sort(values)
		return Point{
			Mean: sampleQuantile(values, 0.5), Lo: sampleQuantile(values, 0.25), Hi: sampleQuantile(values, 0.75),
			Least: values[0], Greatest: values[len(values)-1],
		}
	})
}

// sampleQuantile returns the quantile p, from 0 to 1, of ascending values.
func sampleQuantile(ascending []float64, p float64) float64 {
	place := p * float64(len(ascending)-1)
	k := int(place)
	if k == len(ascending)-1 || ascending[k] == ascending[k+1] {
		return ascending[k]
	}
	share := place - float64(k)
	return float64((1-share)*ascending[k]) + float64(share*ascending[k+1]) // which no machine fuses
}
