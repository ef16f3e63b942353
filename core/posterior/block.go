package posterior

import (
	"math"
	"math/rand/v2"
	"slices"

	"cpsrl/core/internal/loops"
)

// mass is the positive number factor·2^exp with a factor in [1, 2), so that products, quotients and
// sums of evidence need no logarithm.
type mass struct {
	factor float64
	exp    int
}

// massCells is the memory of a mass in counts.
const massCells = 4

// one is the mass 1.
var one = mass{1, 0}

// newMass returns factor·2^exp for a positive normal factor.
func newMass(factor float64, exp int) mass {
	b := math.Float64bits(factor)
	k := int(b>>52) - 1023
	return mass{math.Float64frombits(b - uint64(k)<<52), exp + k}
}

// ln returns the natural logarithm.
func (m mass) ln() float64 { return float64(float64(m.exp)*math.Ln2) + math.Log(m.factor) }

// ofLog returns the mass e^log.
func ofLog(log float64) mass {
	k := math.Floor(float64(log * math.Log2E))
	return newMass(exp(log-float64(k*math.Ln2)), int(k))
}

// over returns m/n.
func (m mass) over(n mass) mass { return newMass(m.factor/n.factor, m.exp-n.exp) }

// times returns m·n.
func (m mass) times(n mass) mass { return newMass(m.factor*n.factor, m.exp+n.exp) }

// power returns 2^k for k ≤ 0, or 0 if that is no normal number.
func power(k int) float64 {
	if k < -1022 {
		return 0
	}
	return math.Float64frombits(uint64(1023+k) << 52)
}

// quotient is a product of masses over a product of masses.
type quotient struct {
	above, below float64
	exp          int
}

// replace multiplies q by after and divides it by before.
func (q *quotient) replace(before, after mass) {
	q.above *= after.factor
	q.below *= before.factor
	q.exp += after.exp - before.exp
	if q.above > 0x1p500 || q.below > 0x1p500 {
		q.reduce()
	}
}

// reduce makes the factors small.
func (q *quotient) reduce() {
	m := newMass(q.above/q.below, q.exp)
	*q = quotient{m.factor, 1, m.exp}
}

// settle multiplies m by q.
func (m *mass) settle(q quotient) { *m = newMass(m.factor*(q.above/q.below), m.exp+q.exp) }

// rule gives the evidence of a block: of one row of probabilities, which one or several rows of a
// table share. A block has one α of a list, each as likely as the others, so its evidence m(n)
// is the mean of m_α(n) = Γ(Nα)/Γ(Nα + Σn) ∏_y Γ(α + n_y)/Γ(α) over the list. With equation (4)
// as printed, each factor of m_α has one more in its numerator and in its denominator.
type rule struct {
	list   []predictive // one for each α
	tables *riseTables  // nil if there are none
	logged []loggedRises
	logs   []float64 // scratch of logsOf
}

// riseTables holds rising factorials of n factors for each count n. They grow with the largest count that is asked for.
type riseTables struct{ seen, total riseTable }

// riseTable holds, for each count, the rising factorial of the first α of the list: of seen, or the
// inverse of that of total.
type riseTable struct {
	from    []float64 // seen or total of each α of the list
	inverse bool
	of      []rising
	more    []float64 // the ratios of the α after the third, for each count in turn
}

// rising is a rising factorial, and the ratios of those of the second and third α to it.
type rising struct {
	mass
	ratios [2]float64
}

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
	t := &riseTables{total: riseTable{inverse: true}}
	for _, p := range list {
		t.seen.from, t.total.from = append(t.seen.from, p.seen), append(t.total.from, p.total)
	}
	// The farthest from 1 are those of the largest count. Their logarithms tell, unless they are close to the bound.
	const close, last = 1, loops.LogTableLen - 1
	for a := range len(list) - 1 {
		bound := 0.0
		for _, side := range []struct {
			of    *riseTable
			times float64
		}{{&t.seen, float64(size)}, {&t.total, 1}} {
			bound += float64(side.times * math.Abs(logRise(side.of.from[1+a], last)-logRise(side.of.from[0], last)))
		}
		if !(bound <= mostRise+close) {
			return nil
		}
		if bound > mostRise-close {
			t.grow(last)
			seen, total := *t.seen.ratio(last, a), *t.total.ratio(last, a)
			if !(float64(float64(size)*math.Abs(math.Log(seen)))+math.Abs(math.Log(total)) < mostRise) {
				return nil
			}
		}
	}
	return t
}

// leastRise is the least number of counts that tables hold.
const leastRise = 1 << 7

// grow makes the tables hold a count below loops.LogTableLen.
func (t *riseTables) grow(count int) {
	n := min(max(leastRise, 2*len(t.seen.of), count+1), loops.LogTableLen)
	t.seen.grow(n)
	t.total.grow(n)
}

// grow makes the table hold n counts.
func (t *riseTable) grow(n int) {
	from, others := len(t.of), len(t.from)-1
	t.of = append(t.of, make([]rising, n-from)...)
	t.more = append(t.more, make([]float64, n*max(0, others-2)-len(t.more))...)
	for k := from; k < n; k++ {
		first := float64(k-1) + t.from[0]
		switch {
		case k == 0:
			t.of[0].mass = one
		case t.inverse:
			t.of[k].mass = t.of[k-1].over(newMass(first, 0))
		default:
			t.of[k].mass = t.of[k-1].times(newMass(first, 0))
		}
		for a := range others {
			ratio := 1.0
			if k > 0 {
				if ratio = (float64(k-1) + t.from[1+a]) / first; t.inverse {
					ratio = 1 / ratio
				}
				ratio *= *t.ratio(k-1, a)
			}
			*t.ratio(k, a) = ratio
		}
	}
}

// ratio returns the ratio of the α of index 1 + a, for that count.
func (t *riseTable) ratio(count, a int) *float64 {
	if a < 2 {
		return &t.of[count].ratios[a]
	}
	return &t.more[count*(len(t.from)-3)+a-2]
}

// loggedRise is logRise of a number. It keeps its values, so that each is computed once.
type loggedRise struct {
	of   float64
	kept []float64 // by count, up to the largest that was asked for; NaN: not computed
	most uint32    // counts from this one on are not kept
}

// loggedRises are those of an α.
type loggedRises struct{ seen, total loggedRise }

// newRule returns the rule of blocks with these rules of prediction for rows of size outcomes. It keeps tables if tabled
// is set.
func newRule(list []predictive, size int, tabled bool) *rule {
	r, most := &rule{list: list, logs: make([]float64, len(list))}, uint32(0)
	if tabled {
		r.tables, most = rise(list, size), loops.LogTableLen
	}
	for _, p := range list {
		r.logged = append(r.logged, loggedRises{loggedRise{of: p.seen, most: most}, loggedRise{of: p.total, most: most}})
	}
	return r
}

// at returns logRise of a count.
func (l *loggedRise) at(n uint32) float64 {
	if n >= l.most {
		return logRise(l.of, int(n))
	}
	for len(l.kept) <= int(n) {
		l.kept = append(l.kept, slices.Repeat([]float64{math.NaN()}, max(leastRise, len(l.kept)))...)
	}
	if math.IsNaN(l.kept[n]) {
		l.kept[n] = logRise(l.of, int(n))
	}
	return l.kept[n]
}

// ratio returns m_α(n)/m_β(n) for the α of index 1 + a and the first, β.
func (t *riseTables) ratio(counts []uint32, sum uint32, a int) float64 {
	ratio := *t.total.ratio(int(sum), a)
	for _, c := range counts {
		ratio *= *t.seen.ratio(int(c), a)
	}
	return ratio
}

// mass returns m(n) of a block with these counts and their sum.
func (r *rule) mass(counts []uint32, sum uint32) mass {
	t := r.tables
	if t == nil || sum >= loops.LogTableLen {
		return r.exactly(counts, sum)
	}
	if int(sum) >= len(t.total.of) {
		t.grow(int(sum))
	}
	all := &t.total.of[sum]
	if len(r.list) == 3 && len(counts) == 2 {
		a, b := &t.seen.of[counts[0]], &t.seen.of[counts[1]]
		factor := 1 + float64(float64(a.ratios[0]*b.ratios[0])*all.ratios[0]) + float64(float64(a.ratios[1]*b.ratios[1])*all.ratios[1])
		return newMass(all.factor*float64(a.factor*b.factor)*(factor/3), all.exp+a.exp+b.exp)
	}
	factor := 1.0
	for a := range len(r.list) - 1 {
		factor += t.ratio(counts, sum, a)
	}
	m := newMass(all.factor*(factor/float64(len(r.list))), all.exp)
	for _, c := range counts {
		if c > 0 {
			m = m.times(t.seen.of[c].mass)
		}
	}
	return m
}

// exactly is mass without tables.
func (r *rule) exactly(counts []uint32, sum uint32) mass {
	logs := r.logsOf(counts, sum)
	return ofLog(logSum(logs) - math.Log(float64(len(logs))))
}

// logsOf returns ln m_α(n) of each α of the list. The next call overwrites it.
func (r *rule) logsOf(counts []uint32, sum uint32) []float64 {
	for a := range r.logged {
		l := &r.logged[a]
		log := -l.total.at(sum)
		for _, c := range counts {
			log += l.seen.at(c)
		}
		r.logs[a] = log
	}
	return r.logs
}

// weights writes the probability of each α of the list, given the counts of a block, into weights,
// which has one entry for each, and returns weights.
func (r *rule) weights(weights []float64, counts []uint32, sum uint32) []float64 {
	t := r.tables
	switch {
	case sum == 0:
		for a := range weights {
			weights[a] = 1 / float64(len(weights))
		}
		return weights
	case t == nil || sum >= loops.LogTableLen:
		return normalise(weights, r.logsOf(counts, sum))
	}
	if int(sum) >= len(t.total.of) {
		t.grow(int(sum))
	}
	all := 0.0
	for a := range weights {
		weights[a] = 1
		if a > 0 {
			weights[a] = t.ratio(counts, sum, a-1)
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
		alpha = r.list[pick(rng, r.weights(make([]float64, len(r.list)), counts, counts.sum()))].alpha
	}
	counts.Sample(rng, alpha, dst)
}

// addMean adds the mean of the row of a block, times weight, to dst.
func (r *rule) addMean(dst []float64, counts Counts, weight float64) {
	for a, w := range r.weights(make([]float64, len(r.list)), counts, counts.sum()) {
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
