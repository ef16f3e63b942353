package posterior

import (
	"math"
	"math/rand/v2"

	"cpsrl/core/internal/loops"
)

// mass is the positive number factor·e^log.
type mass struct{ log, factor float64 }

// one is the mass 1.
var one = mass{0, 1}

// ln returns the natural logarithm.
func (m mass) ln() float64 {
	if m.factor == 1 {
		return m.log
	}
	return m.log + math.Log(m.factor)
}

// replace divides m by before and multiplies it by after.
func (m *mass) replace(before, after mass) {
	m.log += after.log - before.log
	m.factor *= after.factor / before.factor
	if !(m.factor > 1e-100 && m.factor < 1e100) {
		*m = mass{m.ln(), 1}
	}
}

// rule gives the evidence of a block: of one row of probabilities, which one or several rows of a
// table share. A block has one α of a list, each as likely as the others, so its evidence m(n)
// is the mean of m_α(n) = Γ(Nα)/Γ(Nα + Σn) ∏_y Γ(α + n_y)/Γ(α) over the list. With equation (4)
// as printed, each factor of m_α has one more in its numerator and in its denominator.
type rule struct {
	list   []predictive // one for each α
	tables *riseTables  // nil if there are none
}

// riseTables holds for each count n and each of the list's α in turn, at n·len(list), the rising
// factorial of n factors: of seen, and the inverse of that of total. The first is a logarithm. The
// others are divided by the first, and are no logarithms.
type riseTables struct{ seen, total []float64 }

// logRise returns ln a(a+1)…(a+n−1) = ln Γ(a+n)/Γ(a) for a > 0: by Stirling's series, after 16
// factors.
func logRise(a float64, n int) float64 {
	const few = 16
	sum := 0.0
	for k := range min(n, few) {
		sum += math.Log(a + float64(k))
	}
	if n > few {
		x, from := a+float64(n), a+few
		sum += float64(float64(n-few)*(math.Log(x)-1)) + float64((from-0.5)*math.Log(x/from))
		sum += stirling(1/x) - stirling(1/from)
	}
	return sum
}

// stirling returns the sum of Stirling's series of ln Γ(1/y).
func stirling(y float64) float64 {
	square := float64(y * y)
	return float64(y * (1.0/12 - float64(square*(1.0/360-float64(square*(1.0/1260-square/1680))))))
}

// mostRise bounds the logarithms of the products of ratios that tables hold, so that they neither
// overflow nor vanish.
const mostRise = 600

// rise returns the tables of a list of rules of prediction for rows of size outcomes; nil if the
// ratios might overflow.
func rise(list []predictive, size int) *riseTables {
	n := len(list)
	t := &riseTables{make([]float64, loops.LogTableLen*n), make([]float64, loops.LogTableLen*n)}
	for k := range loops.LogTableLen {
		seen, total := t.seen[k*n:][:n], t.total[k*n:][:n]
		seen[0], total[0] = logRise(list[0].seen, k), -logRise(list[0].total, k)
		for a := 1; a < n; a++ {
			seen[a], total[a] = 1, 1
			if k > 0 {
				more := float64(k - 1)
				seen[a] = t.seen[k*n-n+a] * ((more + list[a].seen) / (more + list[0].seen))
				total[a] = t.total[k*n-n+a] * ((more + list[0].total) / (more + list[a].total))
			}
		}
	}
	last := len(t.seen) - n // where each ratio is the farthest from 1
	for a := 1; a < n; a++ {
		if !(float64(float64(size)*math.Abs(math.Log(t.seen[last+a])))+math.Abs(math.Log(t.total[last+a])) < mostRise) {
			return nil
		}
	}
	return t
}

// mass returns m(n) of a block with these counts and their sum.
func (r *rule) mass(counts []uint32, sum uint32) mass {
	t := r.tables
	if t == nil || sum >= loops.LogTableLen {
		return r.exactly(counts, sum)
	}
	n := len(r.list)
	total := t.total[int(sum)*n:][:n]
	if len(counts) == 2 && n == 3 {
		a, b := t.seen[int(counts[0])*3:][:3], t.seen[int(counts[1])*3:][:3]
		return mass{total[0] + (a[0] + b[0]), (1 + float64(total[1]*float64(a[1]*b[1])) + float64(total[2]*float64(a[2]*b[2]))) / 3}
	}
	log, factor := total[0], 1.0
	for _, c := range counts {
		log += t.seen[int(c)*n]
	}
	for a := 1; a < n; a++ {
		ratio := total[a]
		for _, c := range counts {
			ratio *= t.seen[int(c)*n+a]
		}
		factor += ratio
	}
	return mass{log, factor / float64(n)}
}

// exactly is mass without tables.
func (r *rule) exactly(counts []uint32, sum uint32) mass {
	logs := r.logs(counts, sum)
	if len(logs) == 1 {
		return mass{logs[0], 1}
	}
	return mass{logSum(logs) - math.Log(float64(len(logs))), 1}
}

// logs returns ln m_α(n) of each α of the list.
func (r *rule) logs(counts []uint32, sum uint32) []float64 {
	logs := make([]float64, len(r.list))
	for a, p := range r.list {
		logs[a] = -logRise(p.total, int(sum))
		for _, c := range counts {
			logs[a] += logRise(p.seen, int(c))
		}
	}
	return logs
}

// weights returns the probability of each α of the list, given the counts of a block.
func (r *rule) weights(counts []uint32, sum uint32) []float64 {
	weights := make([]float64, len(r.list))
	t := r.tables
	switch {
	case sum == 0:
		for a := range weights {
			weights[a] = 1 / float64(len(weights))
		}
		return weights
	case t == nil || sum >= loops.LogTableLen:
		return normalise(weights, r.logs(counts, sum))
	}
	n, all := len(weights), 0.0
	for a := range weights {
		weights[a] = 1
		if a > 0 {
			weights[a] = t.total[int(sum)*n+a]
			for _, c := range counts {
				weights[a] *= t.seen[int(c)*n+a]
			}
		}
		all += weights[a]
	}
	for a := range weights {
		weights[a] /= all
	}
	return weights
}

// sample draws α and then the row of a block into dst. If there is only one α, it draws only
// the row.
func (r *rule) sample(rng *rand.Rand, counts Counts, dst []float64) {
	alpha := r.list[0].alpha
	if len(r.list) > 1 {
		alpha = r.list[pick(rng, r.weights(counts, counts.sum()))].alpha
	}
	counts.Sample(rng, alpha, dst)
}

// addMean adds the mean of the row of a block, times weight, to dst.
func (r *rule) addMean(dst []float64, counts Counts, weight float64) {
	for a, w := range r.weights(counts, counts.sum()) {
		counts.addMean(dst, r.list[a].alpha, float64(weight*w))
	}
}

func (c Counts) sum() (sum uint32) {
	for _, n := range c {
		sum += n
	}
	return sum
}

// pick draws an index by its probability. It draws one number, or none if there is one index.
func pick(rng *rand.Rand, probabilities []float64) int {
	last := len(probabilities) - 1
	if last == 0 {
		return 0
	}
	u := rng.Float64()
	for k, p := range probabilities[:last] {
		if u < p {
			return k
		}
		u -= p
	}
	for probabilities[last] == 0 { // rounding left more than the sum
		last--
	}
	return last
}
