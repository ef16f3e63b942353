package posterior

import (
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
)

// ties is the prior of tied rows. With probability tie, the table of a set z ≠ ∅ ties its rows
// along one parent i ∈ z, drawn with probability v_i = max(V_i − 1, 1)/Σ_q max(V_q − 1, 1), where X_q
// has V_q values. For each context, an assignment of the other parents, the values of X_i are
// then partitioned into blocks, and all values of a block share one row. The partitions have these
// probabilities:
//
//	                    1 value   2 values     more values
//	one block           1         1 − matter   1 − matter
//	a block each        –         matter       matter/2
//	one value, the rest –         –            matter/(2V_i) for each value
//
// A table without ties has a block for each row. This is context-specific independence (Boutilier,
// Friedman, Goldszmidt and Koller, UAI 1996).
type ties struct{ tie, matter float64 }

// tied is τ = w = ½.
var tied = ties{0.5, 0.5}

// untied is the prior without ties.
var untied = ties{}

// shares writes the probabilities of the partitions of v values into dst: of one block, of all
// single and, for more than two values, of each value as the exception.
func (t ties) shares(dst []float64, v int) []float64 {
	switch v {
	case 1:
		return append(dst[:0], 1)
	case 2:
		return append(dst[:0], 1-t.matter, t.matter)
	}
	dst = append(dst[:0], 1-t.matter, t.matter/2)
	for range v {
		dst = append(dst, t.matter/float64(2*v))
	}
	return dst
}

// blocks is the evidence of tables whose rows may be tied or have an α each. It keeps each number.
// After new data, a set's numbers are computed again when they are needed: those whose counts have
// changed or, if the data of the time before was not needed, all.
type blocks struct {
	ties
	of     []*rule   // of each set
	rows   []mass    // m(n) of each row
	sets   []mass    // the product over the rows of each set
	sum    []float64 // its logarithm
	pairs  []pair    // of each set and parent, by set, then parent
	begin  []int     // the first pair of each set, and at the end the number of all pairs
	groups []mass    // of each pair and context
	size   int

	now      int      // the number of updates
	changes  *changes // of the last update
	rowsAt   []int    // the update after which the rows of each set were computed
	groupsAt []int    // the same for the groups

	// Scratch.
	merged, rest Counts
	row, share   []float64
	logs         []float64 // of along
	list         []mass    // of partitions
	weights      []float64 // of each
	all          []int32   // the rows of a table
}

// pair is a set z with one of its parents i. The context c = h·stride + l has the rows
// (h·values + a)·stride + l, for a = 0, 1, …, values − 1.
type pair struct {
	values, stride int
	shift          int // the logarithm of stride to base 2, or −1 if stride is no power of 2
	parent         int // the index of the set z∖i if it has the same rule, else −1
	first          int // of the pair's groups
	logShare       float64
	// product is that of the groups. A group is Σ over partitions of their shares and of the
	// evidence of their blocks. If the set z∖i is there, the group is divided by the evidence of
	// the row of z∖i, so that the groups only need looking at where X_i was seen to vary.
	product mass
}

// pairCells is the memory of a pair without its groups, in counts.
const pairCells = 20

// row returns the first row of a context.
func (p *pair) row(context int) int {
	if p.shift >= 0 {
		return context>>p.shift*p.stride*p.values + context&(p.stride-1)
	}
	h := context / p.stride
	return h*p.stride*p.values + (context - h*p.stride)
}

// context returns the context of a row, and the value of X_i in it.
func (p *pair) context(row int) (context, value int) {
	if p.values == 2 && p.shift >= 0 {
		return row>>(p.shift+1)<<p.shift | row&(p.stride-1), row >> p.shift & 1
	}
	rest := row / p.stride
	h := rest / p.values
	return h*p.stride + row - rest*p.stride, rest - h*p.values
}

// contexts returns the number of contexts of a pair of a set of that many rows.
func (p *pair) contexts(rows int) int { return rows / p.values }

// newBlocks returns the evidence before the first step of tables with these rules.
func newBlocks(l *Local, t ties, of []*rule) *blocks {
	b := &blocks{ties: t, of: of, size: l.channels[0].size, sum: make([]float64, len(l.sets))}
	b.rows, b.sets = masses(int(l.first[len(l.sets)])), masses(len(l.sets))
	b.rowsAt, b.groupsAt = make([]int, len(l.sets)), make([]int, len(l.sets))
	b.merged, b.rest, b.row = make(Counts, b.size), make(Counts, b.size), make([]float64, b.size)
	index, groups := map[bigraph.Scope]int{}, 0
	for k, z := range l.sets {
		index[z] = k
	}
	for k, z := range l.sets {
		b.begin = append(b.begin, len(b.pairs))
		if t.tie == 0 {
			continue
		}
		stride, all, from := l.height(k), 0, len(b.pairs)
		for i := range z.All() {
			p := pair{values: l.sizes[i], stride: stride / l.sizes[i], first: groups, product: one, parent: -1}
			stride = p.stride
			if p.shift = -1; stride&(stride-1) == 0 {
				p.shift = bits.TrailingZeros(uint(stride))
			}
			if parent, has := index[z.Without(bigraph.Of(i))]; has && of[parent] == of[k] {
				p.parent = parent
			}
			groups += p.contexts(l.height(k))
			all += max(p.values-1, 1)
			b.pairs = append(b.pairs, p)
		}
		for at := from; at < len(b.pairs); at++ {
			b.pairs[at].logShare = math.Log(float64(max(b.pairs[at].values-1, 1)) / float64(all))
		}
	}
	b.begin = append(b.begin, len(b.pairs))
	b.groups = masses(groups)
	return b
}

// masses returns n masses of 1.
func masses(n int) []mass {
	list := make([]mass, n)
	for k := range list {
		list[k] = one
	}
	return list
}

// height returns the number of rows of the table of a set.
func (l *Local) height(set int) int { return int(l.first[set+1] - l.first[set]) }

// pairsOf returns the pairs of a set.
func (b *blocks) pairsOf(set int) []pair { return b.pairs[b.begin[set]:b.begin[set+1]] }

func (b *blocks) update(c *changes) {
	b.now++
	b.changes = c
}

func (b *blocks) forget(c *changes) {
	for k := range b.rows {
		b.rows[k] = one
	}
	for k := range b.sets {
		b.sets[k] = one
	}
	b.changes = c
	b.now += 2 // so that nothing is brought up to date from the time before
}

func (b *blocks) current(set int) bool { return b.groupsAt[set] == b.now }

// refresh brings the numbers of a set up to date and returns its evidence.
func (b *blocks) refresh(l *Local, set int) float64 {
	b.refreshRows(l, set)
	if b.groupsAt[set] < b.now {
		for _, p := range b.pairsOf(set) {
			if p.parent >= 0 {
				b.refreshRows(l, p.parent)
			}
		}
		if b.groupsAt[set] == b.now-1 {
			b.updateGroups(l, set, b.changes.of(l, set))
		} else {
			b.computeGroups(l, set)
		}
		b.groupsAt[set] = b.now
	}
	return b.evidence(set)
}

func (b *blocks) refreshRows(l *Local, set int) {
	if b.rowsAt[set] == b.now {
		return
	}
	ch, rule, first := &l.channels[0], b.of[set], int(l.first[set])
	product := quotient{1, 1, 0}
	replace := func(at int) {
		after := rule.mass(ch.counts[at*b.size:][:b.size], ch.totals[at])
		product.replace(b.rows[at], after)
		b.rows[at] = after
	}
	if b.rowsAt[set] == b.now-1 {
		for _, r := range b.changes.of(l, set) {
			replace(first + int(r))
		}
	} else {
		for r := range l.height(set) {
			if ch.totals[first+r] > 0 {
				replace(first + r)
			}
		}
	}
	b.sets[set].settle(product)
	b.sum[set] = b.sets[set].ln()
	b.rowsAt[set] = b.now
}

// computeGroups computes the evidence of all groups of a set.
func (b *blocks) computeGroups(l *Local, set int) {
	height := l.height(set)
	for at := b.begin[set]; at < b.begin[set+1]; at++ {
		p := &b.pairs[at]
		p.product = one
		for c := range p.contexts(height) {
			b.groups[p.first+c] = one
		}
	}
	b.all = b.all[:0]
	for r := range height {
		b.all = append(b.all, int32(r))
	}
	b.updateGroups(l, set, b.all)
}

// updateGroups computes the evidence of the groups of a set that these rows belong to.
func (b *blocks) updateGroups(l *Local, set int, changed []int32) {
	marks := b.changes.marked(changed, l.height(set))
	for at := b.begin[set]; at < b.begin[set+1]; at++ {
		p := &b.pairs[at]
		if p.values == 1 && p.parent >= 0 {
			continue // the groups are 1
		}
		groups := b.groups[p.first:][:p.contexts(l.height(set))]
		product := quotient{1, 1, 0}
		if p.values == 2 && p.shift >= 0 {
			b.updateHalves(l, set, p, changed, marks, groups, &product)
			p.product.settle(product)
			continue
		}
		for _, r := range changed {
			c, a := p.context(int(r))
			if p.visited(marks, int(r), a) {
				continue
			}
			after := b.group(l, set, p, c)
			product.replace(groups[c], after)
			groups[c] = after
		}
		p.product.settle(product)
	}
	b.changes.unmark(changed)
}

// updateHalves is the loop of updateGroups where X_i has two values and the stride is a power of 2. It
// computes what group computes, without calls.
func (b *blocks) updateHalves(l *Local, set int, p *pair, changed []int32, marks []bool, groups []mass, product *quotient) {
	first, last := l.first[set], l.first[set+1]
	rows, totals := b.rows[first:last], l.channels[0].totals[first:last]
	counts, rule, size := l.counts(0, set), b.of[set], b.size
	var wholes []mass // nil if z∖i is not there
	if p.parent >= 0 {
		wholes = b.rows[l.first[p.parent]:][:len(groups)]
	}
	shift, stride, matter := p.shift, p.stride, b.matter
	q := *product
	for _, r := range changed {
		row := int(r)
		if row&stride != 0 {
			if row -= stride; marks[row] {
				continue // the other row of the context has been here
			}
		}
		c := row>>(shift+1)<<shift | row&(stride-1)
		after, both := one, totals[row] > 0 && totals[row+stride] > 0
		var whole mass
		switch {
		case wholes == nil:
			for y := range b.merged {
				b.merged[y] = counts[row*size+y] + counts[(row+stride)*size+y]
			}
			whole = rule.mass(b.merged, totals[row]+totals[row+stride])
			after = whole
		case both:
			whole = wholes[c]
		}
		if both {
			u, v := &rows[row], &rows[row+stride]
			apart, k := matter*float64(u.factor*v.factor)/whole.factor, u.exp+v.exp-whole.exp
			if k > 0 {
				after = newMass(after.factor*(apart+float64((1-matter)*power(-k))), after.exp+k)
			} else {
				after = newMass(after.factor*((1-matter)+float64(apart*power(k))), after.exp)
			}
		}
		q.replace(groups[c], after)
		groups[c] = after
	}
	*product = q
}

// visited reports whether one of the marked rows is in the context of row r, which has the value a
// of X_i, with a smaller value.
func (p *pair) visited(marks []bool, r, a int) bool {
	for ; a > 0; a-- {
		if r -= p.stride; marks[r] {
			return true
		}
	}
	return false
}

// group returns the evidence of a group.
func (b *blocks) group(l *Local, set int, p *pair, context int) mass {
	whole, given := b.whole(l, set, p, context)
	list := b.partitions(l, set, p, context, whole)
	largest := list[0].exp
	for _, m := range list {
		largest = max(largest, m.exp)
	}
	sum := 0.0
	b.share = b.shares(b.share, p.values)
	for k, m := range list {
		sum += float64(float64(b.share[k]*m.factor) * power(m.exp-largest))
	}
	return newMass(given.factor*sum, given.exp+largest)
}

// whole returns the evidence of a context's rows as one block, and that of a group if all
// partitions have the same evidence.
func (b *blocks) whole(l *Local, set int, p *pair, context int) (whole, given mass) {
	if p.parent >= 0 {
		return b.rows[int(l.first[p.parent])+context], one
	}
	whole = b.of[set].mass(b.merge(l, set, p, context))
	return whole, whole
}

// merge adds the counts of a context's rows, into memory that the next call overwrites.
func (b *blocks) merge(l *Local, set int, p *pair, context int) (counts Counts, sum uint32) {
	ch, counts := &l.channels[0], b.merged
	row := int(l.first[set]) + p.row(context)
	copy(counts, ch.counts[row*b.size:][:b.size])
	sum = ch.totals[row]
	for range p.values - 1 {
		row += p.stride
		for y, n := range ch.counts[row*b.size:][:b.size] {
			counts[y] += n
		}
		sum += ch.totals[row]
	}
	return counts, sum
}

// partitions returns the evidence of each partition of a context, divided by the whole, in the order
// of ties.shares.
func (b *blocks) partitions(l *Local, set int, p *pair, context int, whole mass) []mass {
	list := append(b.list[:0], one)
	if p.values == 1 {
		return list
	}
	rows := b.rows[int(l.first[set])+p.row(context):]
	apart := quotient{1, whole.factor, -whole.exp}
	for a := range p.values {
		apart.replace(one, rows[a*p.stride])
	}
	list = append(list, newMass(apart.above/apart.below, apart.exp))
	if b.list = list; p.values == 2 {
		return list
	}
	all, sum := b.merge(l, set, p, context)
	ch, row := &l.channels[0], int(l.first[set])+p.row(context)
	for a := range p.values {
		alone := ch.totals[row+a*p.stride]
		if alone == 0 || alone == sum {
			list = append(list, one)
			continue
		}
		for y, n := range ch.counts[(row+a*p.stride)*b.size:][:b.size] {
			b.rest[y] = all[y] - n
		}
		m, rest := rows[a*p.stride], b.of[set].mass(b.rest, sum-alone)
		list = append(list, m.times(rest).over(whole))
	}
	b.list = list
	return list
}

// batch uses the formula, from the counts alone.
func (b *blocks) batch(l *Local, set int) float64 {
	rule, counts, height := b.of[set], l.counts(0, set), l.height(set)
	mass := func(rows iter.Seq[int]) mass {
		n := b.counts(l, set, rows)
		return rule.mass(n, n.sum())
	}
	sum := 0.0
	for at := 0; at < len(counts); at += b.size {
		row := counts[at : at+b.size]
		sum += rule.mass(row, row.sum()).ln()
	}
	if b.begin[set] == b.begin[set+1] {
		return sum
	}
	along := []float64{math.Log(1-b.tie) + sum}
	var shares, logs []float64
	for k := range b.pairsOf(set) {
		p := &b.pairsOf(set)[k]
		sum = math.Log(b.tie) + p.logShare
		for c := range p.contexts(height) {
			shares, logs = b.shares(shares, p.values), logs[:0]
			for partition, share := range shares {
				log := math.Log(share)
				p.blocksOf(partition, func(of block) { log += mass(p.rowsOf(c, of)).ln() })
				logs = append(logs, log)
			}
			sum += logSum(logs)
		}
		along = append(along, sum)
	}
	return logSum(along)
}

// evidence returns ln P(data | z) of a set whose numbers are up to date.
func (b *blocks) evidence(set int) float64 {
	if b.begin[set] == b.begin[set+1] {
		return b.sum[set]
	}
	return logSum(b.along(set))
}

// along returns the logarithms of the evidence of a set's table without ties and with ties along
// each parent, each times its prior probability. The next call overwrites them.
func (b *blocks) along(set int) []float64 {
	pairs, dst := b.pairsOf(set), b.logs[:0]
	if len(pairs) == 0 {
		dst = append(dst, b.sum[set])
		b.logs = dst
		return dst
	}
	tie := math.Log(b.tie)
	dst = append(dst, math.Log(1-b.tie)+b.sum[set])
	for k := range pairs {
		p := &pairs[k]
		w := tie + p.logShare + p.product.ln()
		if p.parent >= 0 {
			w += b.sum[p.parent]
		}
		dst = append(dst, w)
	}
	b.logs = dst
	return dst
}

// each calls do for the partitions of each context of a set's table tied along a parent, with
// their probabilities given the data.
func (b *blocks) each(l *Local, set int, p *pair, do func(context int, probabilities []float64)) {
	for c := range p.contexts(l.height(set)) {
		whole, _ := b.whole(l, set, p, c)
		b.weights = b.shares(b.weights, p.values)
		weights := b.weights
		for k, m := range b.partitions(l, set, p, c, whole) {
			weights[k] = math.Log(weights[k]) + m.ln()
		}
		do(c, normalise(weights, weights))
	}
}

// block is a block of the rows of a context: that of one value of X_i, or those of all values but
// one, which is −1 if there is none.
type block struct {
	value int
	rest  bool
}

// blocksOf calls do for the blocks of a partition of a context.
func (p *pair) blocksOf(partition int, do func(block)) {
	switch partition {
	case 0:
		do(block{-1, true})
	case 1:
		for a := range p.values {
			do(block{a, false})
		}
	default:
		do(block{partition - 2, false})
		do(block{partition - 2, true})
	}
}

// rowsOf yields the rows of a block of a context.
func (p *pair) rowsOf(context int, of block) iter.Seq[int] {
	return func(yield func(int) bool) {
		first := p.row(context)
		if !of.rest {
			yield(first + of.value*p.stride)
			return
		}
		for a := range p.values {
			if a != of.value && !yield(first+a*p.stride) {
				return
			}
		}
	}
}

// sample draws the table of a set: no ties or the parent to tie along, the partition of each
// context, and for each block α and the row. Where there is one possibility, it draws nothing.
func (b *blocks) sample(l *Local, rng *rand.Rand, set int, dst []float64) {
	along := b.along(set)
	tied := pick(rng, normalise(along, along))
	counts := l.counts(0, set)
	if tied == 0 {
		for at := 0; at < len(counts); at += b.size {
			b.of[set].sample(rng, counts[at:at+b.size], dst[at:at+b.size])
		}
		return
	}
	p := &b.pairsOf(set)[tied-1]
	b.each(l, set, p, func(c int, probabilities []float64) {
		p.blocksOf(pick(rng, probabilities), func(of block) {
			b.of[set].sample(rng, b.counts(l, set, p.rowsOf(c, of)), b.row)
			for row := range p.rowsOf(c, of) {
				copy(dst[row*b.size:], b.row)
			}
		})
	})
}

// counts returns the sum of the counts of rows, in memory that the next call overwrites.
func (b *blocks) counts(l *Local, set int, rows iter.Seq[int]) Counts {
	counts := l.counts(0, set)
	clear(b.rest)
	for row := range rows {
		for y, n := range counts[row*b.size:][:b.size] {
			b.rest[y] += n
		}
	}
	return b.rest
}

func (b *blocks) addMean(l *Local, set int, weight float64, dst []float64) {
	along := b.along(set)
	counts := l.counts(0, set)
	for tied, w := range normalise(along, along) {
		w *= weight
		if tied == 0 {
			for at := 0; at < len(counts); at += b.size {
				b.of[set].addMean(dst[at:at+b.size], counts[at:at+b.size], w)
			}
			continue
		}
		p := &b.pairsOf(set)[tied-1]
		b.each(l, set, p, func(c int, probabilities []float64) {
			for partition, q := range probabilities {
				p.blocksOf(partition, func(of block) {
					clear(b.row)
					b.of[set].addMean(b.row, b.counts(l, set, p.rowsOf(c, of)), float64(w*q))
					for row := range p.rowsOf(c, of) {
						for y, m := range b.row {
							dst[row*b.size+y] += m
						}
					}
				})
			}
		})
	}
}

// Matter is the probability that the parent X_i of a set matters in a context: that not all rows of
// the context are one.
type Matter struct {
	Parent  int   // i
	Context []int // the values of the set's other parents, in their order
	P       float64
}

// Matters returns, for the set of that index, the probability that each parent matters in each
// context, given the set. It is nil if tables have no ties: then every parent matters everywhere.
func (l *Local) Matters(set int) []Matter {
	var list []Matter
	if l.law.ties().tie == 0 && l.law.Structure != concentration.Trees {
		return nil
	}
	if l.lean != nil {
		list, parents := l.counted(set).Matters(0), l.sets[set].Parents()
		for k := range list {
			list[k].Parent = parents[list[k].Parent]
		}
		return list
	}
	l.ready(set)
	for a, weight := range l.alphaWeights(set) {
		at := 0
		for k, i := range l.sets[set].Parents() {
			l.hypotheses[a].family.matters(l, set, k, func(c int, p float64) {
				if a == 0 {
					list = append(list, Matter{i, l.context(set, i, c), 0})
				}
				list[at].P += float64(weight * p)
				at++
			})
		}
	}
	for k := range list {
		list[k].P = min(1, max(0, list[k].P)) // rounding may give more or less
	}
	return list
}

func (b *blocks) matters(l *Local, set, parent int, do func(context int, p float64)) {
	along := b.along(set)
	p := normalise(along, along)[1+parent]
	b.each(l, set, &b.pairsOf(set)[parent], func(c int, probabilities []float64) {
		do(c, 1-float64(p*probabilities[0]))
	})
}

// context returns the values of the parents of a set without X_i in the context of that index.
func (l *Local) context(set, i, c int) []int {
	others := l.sets[set].Without(bigraph.Of(i)).Parents()
	values := make([]int, len(others))
	for k := len(others) - 1; k >= 0; k-- {
		size := l.sizes[others[k]]
		values[k], c = c%size, c/size
	}
	return values
}
