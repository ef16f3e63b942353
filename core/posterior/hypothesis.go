package posterior

import (
	"math"
	"math/rand/v2"
	"slices"

	"cpsrl/core/concentration"
	"cpsrl/core/internal/loops"
)

// hypothesis is one choice of α for the table of each set.
type hypothesis struct {
	evidence []float64 // ln P(data | z, α) of each set
	runs     []run     // the runs of sets with the same α, in the order of the sets; nil if there is a family
	family   family    // nil if each row is a block with that α
}

// family is the evidence of tables of which not each row is a block with the α of its table.
type family interface {
	// update takes note of new counts.
	update(*changes)
	// forget takes note that all counts may have changed, and keeps nothing.
	forget(*changes)
	// current reports whether the evidence of a set is that of all data.
	current(set int) bool
	// refresh brings the evidence of a set up to date and returns it: ln P(data | z).
	refresh(l *Local, set int) float64
	// batch returns ln P(data | z) of a set. It changes nothing that is kept.
	batch(l *Local, set int) float64
	// sample draws the table of a set that is up to date.
	sample(l *Local, rng *rand.Rand, set int, dst []float64)
	// addMean adds the mean of the table of a set that is up to date, times weight, to dst.
	addMean(l *Local, set int, weight float64, dst []float64)
	// matters calls do for each context of a parent of a set that is up to date, with the
	// probability that not all rows of the context are one. The parent is a place in the set.
	matters(l *Local, set, parent int, do func(context int, p float64))
}

// run is a run of consecutive sets whose tables have the same α. It ends before set end.
type run struct {
	end int
	predictive
}

// predictive is a rule of prediction: an outcome seen n times in a row seen m times has
// the probability (n + seen)/(m + total). For a row of r outcomes seen = α and
// total = α·r; equation (4) of the paper prints one more in both.
type predictive struct {
	alpha       float64
	seen, total float64
	logs        *loops.Logs   // tables of the logarithms; nil if there are too many tables
	long        *[2]longTable // tables of more counts: plus seen, plus total; nil with logs
}

// log returns the logarithm of the predictive probability.
func (p *predictive) log(n, m uint32) float64 {
	if p.long == nil {
		return math.Log(float64(n)+p.seen) - math.Log(float64(m)+p.total)
	}
	return p.long[0].log(n) - p.long[1].log(m)
}

// longTable holds the logarithms of counts plus a number, and grows with the counts.
type longTable struct {
	more  float64
	of    []float64
	rises []float64 // the sums of those before
}

// mostLong is the largest length of a longTable.
const mostLong = 1 << 20

// grow makes the table hold a count below mostLong.
func (t *longTable) grow(count uint32) {
	n := min(max(int(count)+1, 2*len(t.of), 1<<10), mostLong)
	t.of, t.rises = slices.Grow(t.of, n-len(t.of)), slices.Grow(t.rises, n-len(t.of))
	for k := len(t.of); k < n; k++ {
		sum := 0.0
		if k > 0 {
			sum = t.rises[k-1] + t.of[k-1]
		}
		t.of, t.rises = append(t.of, math.Log(float64(k)+t.more)), append(t.rises, sum)
	}
}

// log returns the logarithm of n + more.
func (t *longTable) log(n uint32) float64 {
	if int(n) >= len(t.of) {
		if n >= mostLong {
			return math.Log(float64(n) + t.more)
		}
		t.grow(n)
	}
	return t.of[n]
}

// rise returns the logarithm of the product of k + more over k < n, as logRise does, but for rounding.
func (t *longTable) rise(n uint32) float64 {
	if int(n) >= len(t.of) {
		if n >= mostLong {
			return logRise(t.more, int(n))
		}
		t.grow(n)
	}
	return t.rises[n]
}

// Tables holds tables of the logarithms of counts plus a number. It belongs to one
// goroutine at a time.
type Tables struct {
	of    map[float64]*[loops.LogTableLen]float64 // by the number that is added to the counts
	long  map[[2]float64]*[2]longTable            // by the numbers that are added to counts and sums
	rules map[ruleOf]*rule
}

// ruleOf names a rule.
type ruleOf struct {
	alphas [concentration.MostListed]float64
	size   int
	update Update
}

// mostTables is the largest number of tables of logarithms, of 2¹⁸ bytes each, and of rules that keep tables, of at
// most 2²³ bytes each.
const mostTables = 32

// ones holds the natural logarithms of the integers from 0.
var ones = func() (table [loops.LogTableLen]float64) {
	for n := range table {
		table[n] = math.Log(float64(n))
	}
	return table
}()

// table returns the logarithms of n + more for n = 0, 1, …, or nil if there are already
// mostTables other tables.
func (t *Tables) table(more float64) *[loops.LogTableLen]float64 {
	if table, has := t.of[more]; has {
		return table
	}
	if len(t.of) == mostTables {
		return nil
	}
	if t.of == nil {
		t.of = map[float64]*[loops.LogTableLen]float64{}
	}
	table := new([loops.LogTableLen]float64)
	for n := range table {
		table[n] = math.Log(float64(n) + more)
	}
	t.of[more] = table
	return table
}

// plain returns the rule of prediction for a row of size outcomes, without tables.
func (law *Law) plain(alpha float64, size int) predictive {
	more := law.more()
	return predictive{alpha: alpha, seen: alpha + float64(more), total: float64(alpha*float64(size)) + float64(more)}
}

// more returns what is added to α and to Σα in the predictive probability.
func (law *Law) more() int {
	if law.Update == Printed {
		return 1
	}
	return 0
}

// predictive returns the rule of prediction for a row of size outcomes.
func (law *Law) predictive(alpha float64, size int) predictive {
	p, more := law.plain(alpha, size), law.more()
	if alpha == 1 {
		p.logs = &loops.Logs{Outcome: &ones, Row: &ones, Seen: 1 + more, Total: size + more}
	} else if outcome, row := law.Tables.table(p.seen), law.Tables.table(p.total); outcome != nil && row != nil {
		p.logs = &loops.Logs{Outcome: outcome, Row: row}
	}
	if p.logs != nil {
		p.long = law.Tables.longTables(p.seen, p.total)
	}
	return p
}

// longTables returns the tables of counts plus seen and plus total.
func (t *Tables) longTables(seen, total float64) *[2]longTable {
	pair, has := t.long[[2]float64{seen, total}]
	if !has {
		if pair = &[2]longTable{{more: seen}, {more: total}}; t.long == nil {
			t.long = map[[2]float64]*[2]longTable{}
		}
		t.long[[2]float64{seen, total}] = pair
	}
	return pair
}

// rule returns the rule of blocks of size outcomes with one of these α.
func (law *Law) rule(alphas []float64, size int) *rule {
	name := ruleOf{size: size, update: law.Update}
	copy(name.alphas[:], alphas)
	if r, has := law.Tables.rules[name]; has {
		return r
	}
	var list []predictive
	for _, alpha := range alphas {
		list = append(list, law.plain(alpha, size))
	}
	r := newRule(list, size, len(law.Tables.rules) < mostTables)
	if law.Tables.rules == nil {
		law.Tables.rules = map[ruleOf]*rule{}
	}
	law.Tables.rules[name] = r
	return r
}

// Tabled reports whether tables hold the evidence of a block of rows of size outcomes, whose α is one of a list.
// Without them it takes longer: the α are too far apart.
func (law *Law) Tabled(alphas []float64, size int) bool {
	var list []predictive
	for _, alpha := range alphas {
		list = append(list, law.plain(alpha, size))
	}
	return rise(list, size) != nil
}

// suppose sets up the hypotheses of a belief before the first step.
func (l *Local) suppose() {
	if l.law.Tables == nil {
		l.law.Tables = new(Tables)
	}
	size, mixed := l.channels[0].size, l.law.Rows.Mixes()
	var rules [][]*rule // of each hypothesis and set
	for k := range l.sets {
		alphas := l.law.Rows.Alphas(size, l.height(k))
		blocks := [][]float64{alphas} // the α of a block, for each hypothesis
		if !mixed {
			blocks = slices.Collect(slices.Chunk(alphas, 1))
		}
		for a, list := range blocks {
			alpha := list[0]
			if a == len(l.hypotheses) {
				l.hypotheses, rules = append(l.hypotheses, hypothesis{}), append(rules, nil)
			}
			if l.law.blocks() {
				rules[a] = append(rules[a], l.law.rule(list, size))
				continue
			}
			h := &l.hypotheses[a]
			if n := len(h.runs); n > 0 && h.runs[n-1].alpha == alpha {
				h.runs[n-1].end = k + 1
			} else {
				h.runs = append(h.runs, run{k + 1, l.law.predictive(alpha, size)})
			}
		}
	}
	l.payoffs = l.law.predictive(1, 2)
	if len(l.hypotheses) == 1 && !l.law.blocks() {
		l.hypotheses[0].evidence = l.logEvidence
		return
	}
	for a := range l.hypotheses {
		h := &l.hypotheses[a]
		h.evidence = make([]float64, len(l.sets))
		if l.law.blocks() {
			h.family = l.law.family(l, rules[a])
		}
	}
	l.paid = make([]float64, len(l.sets))
}

// family returns the evidence before the first step of tables with these rules.
func (law *Law) family(l *Local, rules []*rule) family {
	if law.Structure == concentration.Trees {
		return newTrees(l, rules)
	}
	return newBlocks(l, law.ties(), rules)
}

// blocks reports whether a block is not just a row whose α is that of its table.
func (law *Law) blocks() bool {
	return law.Structure == concentration.Trees || law.ties().tie > 0 || law.Rows.Mixes() && len(law.Rows.Alphas(1, 1)) > 1
}

// ties returns the prior of tied rows.
func (law *Law) ties() ties {
	switch {
	case law.Structure != concentration.Tied:
		return untied
	case law.own != nil:
		return *law.own
	}
	return tied
}

// untabled reports whether a run of h has no tables of logarithms.
func untabled(h hypothesis) bool {
	return slices.ContainsFunc(h.runs, func(r run) bool { return r.logs == nil })
}

// tally counts the outcomes of steps and weighs the sets with loops.Tally.
func (h *hypothesis) tally(ch *channel, rows, points, outcomes []int32) {
	from := 0
	for _, r := range h.runs {
		loops.Tally(h.evidence[from:r.end], ch.counts, ch.totals, rows[from:], len(h.evidence), points, outcomes, r.logs, ch.size)
		from = r.end
	}
}

// tallyEach is tally for several hypotheses, each with one run of all sets.
func tallyEach(hypotheses []hypothesis, ch *channel, rows, points, outcomes []int32) {
	type weigher struct {
		evidence     []float64
		outcome, row *[loops.LogTableLen]float64
		seen, total  uint32
	}
	sets := len(hypotheses[0].evidence)
	list := make([]weigher, len(hypotheses))
	for a, h := range hypotheses {
		logs := h.runs[0].logs
		list[a] = weigher{h.evidence, logs.Outcome, logs.Row, uint32(logs.Seen), uint32(logs.Total)}
	}
	for t, x := range points {
		counts := ch.counts[outcomes[t]:]
		for k, row := range rows[int(x)*sets:][:sets] {
			at := int(row) * ch.size
			n, m := counts[at], ch.totals[row]
			counts[at], ch.totals[row] = n+1, m+1
			for a := range list {
				w := &list[a]
				w.evidence[k] += w.outcome[(n+w.seen)%loops.LogTableLen] - w.row[(m+w.total)%loops.LogTableLen]
			}
		}
	}
}

// observe is loops.Tally without its limits and for several hypotheses: it counts the
// outcomes of steps and adds the logarithm of each outcome's predictive probability to
// the evidence of each set under each hypothesis.
func (ch *channel) observe(hypotheses []hypothesis, rows, points, outcomes []int32) {
	sets := len(hypotheses[0].evidence)
	at := make([]int, len(hypotheses)) // the run of each hypothesis
	for t, x := range points {
		clear(at)
		for k, row := range rows[int(x)*sets:][:sets] {
			n, m := &ch.counts[int(row)*ch.size+int(outcomes[t])], &ch.totals[row]
			for a := range hypotheses {
				h := &hypotheses[a]
				if k == h.runs[at[a]].end {
					at[a]++
				}
				h.evidence[k] += h.runs[at[a]].log(*n, *m)
			}
			*n++
			*m++
		}
	}
}

// shared returns the evidence to which payoffs add. It does not depend on α.
func (l *Local) shared() []float64 {
	if l.paid != nil {
		return l.paid
	}
	return l.logEvidence
}

// average computes the evidence of each set: its mean over the hypotheses, times the
// evidence of the payoffs.
func (l *Local) average() {
	if l.paid == nil {
		return
	}
	count := math.Log(float64(len(l.hypotheses)))
	for k := range l.sets {
		l.logEvidence[k] = l.paid[k] + l.mean(k, count)
	}
}

// mean returns the logarithm of the mean over the hypotheses of the evidence of a set, given the
// logarithm of the number of hypotheses.
func (l *Local) mean(set int, count float64) float64 {
	if len(l.hypotheses) == 1 {
		return l.hypotheses[0].evidence[set]
	}
	largest := math.Inf(-1)
	for a := range l.hypotheses {
		largest = max(largest, l.hypotheses[a].evidence[set])
	}
	sum := 0.0
	for a := range l.hypotheses {
		sum += exp(l.hypotheses[a].evidence[set] - largest)
	}
	return largest + math.Log(sum) - count
}

// sampleHypothesis draws α given the set of that index. It draws one variate for each α of
// the list, or none if there is only one α.
func (l *Local) sampleHypothesis(rng *rand.Rand, set int) *hypothesis {
	if len(l.hypotheses) == 1 {
		return &l.hypotheses[0]
	}
	best, at := math.Inf(-1), 0
	for a := range l.hypotheses {
		if w := l.hypotheses[a].evidence[set] + Gumbel(rng); w > best {
			best, at = w, a
		}
	}
	return &l.hypotheses[at]
}
