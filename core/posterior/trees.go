package posterior

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// trees is the evidence of tables that are averaged over all decision trees on the variables of z.
//
// # The prior
//
// A tree divides the values of x[z] into boxes. A box leaves a parent free, gives it one value, or
// gives it all values but one. At the root all parents of more than one value are free. In a box with
// free parents, each of these has the probability ⅓:
//
//   - the box is a leaf: all of it shares one row;
//   - its rows are apart: each value of the free parents has a row of its own;
//   - it is split along a free parent X_i, each as likely: by one box for each value or, if X_i has V > 2
//     values, with probability ½ by one value against the rest, each value as likely. Then X_i is no longer free.
//
// A box without free parents is a leaf. Given the tree, rows are independent, each with its α as
// without trees. Since a parent is split at most once on a path, a table has ∏ n_i boxes, where n_i is 1, 3 or 2V + 1 for
// V = 1, V = 2 and more values, and the sum over all trees is a recursion over boxes: context-tree
// weighting (Willems, Shtarkov and Tjalkens, IEEE Trans. Inf. Theory 41, 1995). A tree is context-specific independence
// (Boutilier, Friedman, Goldszmidt and Koller, UAI 1996), learned with a prior on structures (Friedman and Goldszmidt, UAI
// 1996; Chickering, Heckerman and Meek, UAI 1997; Buntine, Statistics and Computing 2, 1992).
//
// # No trap
//
// Let |z| < Z, i ∉ z, z' = z ∪ {i}, and let no step have had X_i = a. For V values let v = 1 if V = 2, and
// v = 1/(2V) if V > 2. Then, whatever the data,
//
//	P(data | z') ≥ v/(3|z'|) · P(data | z), and at least that share of P(data | z) is of tables of z' whose rows
//	with X_i = a have no data.
//
// Proof. With probability at least v/(3|z'|), the root of z' is split along X_i by a against the rest. (If V = 2, the rest is
// one value.) The box of a has no data, so its evidence is 1. The box of the rest has all data. Its free parents are those of
// z, and its boxes, their counts and their probabilities are those of z; so its evidence is P(data | z). ∎
//
// So the odds of z' against z are bounded below by a number that depends neither on the data nor on the other
// parents, and given z' a fresh row for a has a probability that is bounded below too: every sampled model holds the untried value
// open. With independent rows the odds fall without limit. The same proof holds inside a box of z in which a
// was not met, with the probability of the path to the box as another factor.
//
// What stays outside: |z| = Z, where no parent can be added; and a value a that was met with the common law. Then
// splitting it off costs about ½ ln m for each free outcome where m steps had a, and not ½ ln n of all n steps: it grows with the
// tries of a alone. Default tables, in which any set of rows may share a row, would not lower that cost, and
// their sum has no recursion.
type trees struct {
	of     []*rule  // of each set
	shapes []*shape // of each set, without the parents of one value
	at     []int    // the update after which the evidence of each set was computed
	logs   []float64
	now    int // the number of updates
	size   int

	// The boxes of one set.
	grown              int // one more than the set; 0 if there is none
	counts             Counts
	sums               []uint32
	visited            []int32 // how many rows have data
	leaf, apart, whole []mass  // the evidence of the box as a leaf, with its rows apart, and in all

	// Scratch.
	weights, row, reach, reachApart []float64
	rows                            []int32
}

// third is the probability that a box is a leaf, that its rows are apart, and that it is split.
const third = 1.0 / 3

// shape is what the boxes of a table have in common with those of all tables with as many values of each
// parent, of which there are at most 64. A box is an index of mixed radix; digit i is a < V for the value a, V + a for all values but a (if V > 2), and the
// last digit for a free parent. So a box comes after all boxes that it can be split into.
type shape struct {
	values  []int // of each parent
	digits  []int // how many digits each parent has
	strides []int // what a digit of each parent adds to the index of a box
	below   []int // what a value of each parent adds to the index of a row
	boxes   []box
}

// box is one box of a shape.
type box struct {
	free  uint64 // the free parents
	row   int32  // the row, if the box is one; else −1
	along int8   // a parent by which it is the sum of smaller boxes: a free one of the fewest values, if there is one
	first int32  // the box in which that parent has the value 0
	but   int32  // the value that is left out of the sum, or −1
}

// boxDigits returns the number of digits of a parent with that many values.
func boxDigits(values int) int {
	switch values {
	case 1:
		return 1
	case 2:
		return 3
	}
	return 2*values + 1
}

// boxCells is the memory of a box in counts, beside its own counts: its shape, its evidence, and two sums.
const boxCells = 6 + 3*massCells + 2

// treeCells returns the memory that the boxes of a table take, in counts. It saturates at math.MaxInt.
func treeCells(space *fmdp.Space, size int, z bigraph.Scope) int {
	cells := size + boxCells
	for i := range z.All() {
		digits := boxDigits(space.Var(i).Size)
		if cells > math.MaxInt/digits {
			return math.MaxInt
		}
		cells *= digits
	}
	return cells
}

// Boxes returns the number of boxes of a table over z that is averaged over trees.
func Boxes(space *fmdp.Space, z bigraph.Scope) float64 {
	n := 1.0
	for i := range z.All() {
		n *= float64(boxDigits(space.Var(i).Size))
	}
	return n
}

// newShape returns the shape of tables whose parents have these numbers of values.
func newShape(values []int) *shape {
	s := &shape{values: values, digits: make([]int, len(values)), strides: make([]int, len(values)), below: make([]int, len(values))}
	boxes, rows := 1, 1
	for i := len(values) - 1; i >= 0; i-- {
		s.digits[i], s.strides[i], s.below[i] = boxDigits(values[i]), boxes, rows
		boxes, rows = boxes*s.digits[i], rows*values[i]
	}
	s.boxes = make([]box, boxes)
	for b := range s.boxes {
		x := box{along: -1, but: -1}
		for i, v := range values {
			d := s.digit(b, i)
			switch {
			case d < v:
				x.row += int32(d * s.below[i])
				continue
			case d == s.digits[i]-1:
				first := x.free == 0
				if x.free |= 1 << i; !first && v > values[x.along] {
					continue // the sum of fewer boxes is quicker
				}
				x.but = -1
			case x.free != 0:
				continue
			default:
				x.but = int32(d - v)
			}
			x.along, x.first = int8(i), int32(b-d*s.strides[i])
		}
		if x.along >= 0 {
			x.row = -1
		}
		s.boxes[b] = x
	}
	return s
}

// digit returns the digit of a parent in the index of a box.
func (s *shape) digit(b, i int) int { return b / s.strides[i] % s.digits[i] }

// split returns the box in which a free parent of a box has the value 0. The values follow at distances of the parent's
// stride, and then, if there are more than two, the rests.
func (s *shape) split(b, i int) int { return b - (s.digits[i]-1)*s.strides[i] }

// rowsOf appends the rows of a box, in ascending order.
func (s *shape) rowsOf(dst []int32, b int) []int32 {
	dst = append(dst, 0)
	for i, v := range s.values {
		d, n := s.digit(b, i), len(dst)
		if d < v {
			for k := range dst {
				dst[k] = dst[k]*int32(v) + int32(d)
			}
			continue
		}
		for k := n - 1; k >= 0; k-- { // each row becomes several
			for a := range v {
				if d < s.digits[i]-1 && a == d-v {
					continue
				}
				dst = append(dst, dst[k]*int32(v)+int32(a))
			}
		}
		dst = dst[:copy(dst, dst[n:])]
	}
	slices.Sort(dst)
	return dst
}

// newTrees returns the evidence before the first step of tables with these rules.
func newTrees(l *Local, of []*rule) *trees {
	t := &trees{of: of, size: l.channels[0].size, at: make([]int, len(l.sets)), logs: make([]float64, len(l.sets))}
	t.row = make([]float64, t.size)
	named, most := map[string]*shape{}, 0
	for _, z := range l.sets {
		var values []int
		var name []byte
		for i := range z.All() {
			if size := l.sizes[i]; size > 1 {
				values, name = append(values, size), append(name, byte(size), byte(size>>8), byte(size>>16))
			}
		}
		s, has := named[string(name)]
		if !has {
			s = newShape(values)
			named[string(name)] = s
		}
		t.shapes = append(t.shapes, s)
		most = max(most, len(s.boxes))
	}
	t.counts, t.sums, t.visited = make(Counts, most*t.size), make([]uint32, most), make([]int32, most)
	t.leaf, t.apart, t.whole = make([]mass, most), make([]mass, most), make([]mass, most)
	return t
}

func (t *trees) update(*changes) {
	t.now++
	t.grown = 0
}

func (t *trees) forget(c *changes) { t.update(c) }

func (t *trees) current(set int) bool { return t.at[set] == t.now }

func (t *trees) refresh(l *Local, set int) float64 {
	if t.at[set] < t.now {
		t.logs[set], t.at[set] = t.batch(l, set), t.now
	}
	return t.logs[set]
}

func (t *trees) batch(l *Local, set int) float64 {
	t.grow(l, set)
	return t.whole[len(t.shapes[set].boxes)-1].ln()
}

// plus returns the sum of factor·2^exp and more·2^at, as a factor and an exponent.
func plus(factor float64, exp int, more float64, at int) (float64, int) {
	if at > exp {
		return float64(factor*power(exp-at)) + more, at
	}
	return factor + float64(more*power(at-exp)), exp
}

// grow computes the boxes of a set.
func (t *trees) grow(l *Local, set int) {
	if t.grown == set+1 {
		return
	}
	t.grown = set + 1
	s, rule, size := t.shapes[set], t.of[set], t.size
	rows, totals := l.counts(0, set), l.channels[0].totals[l.first[set]:l.first[set+1]]
	n := len(s.boxes)
	counts, sums, visited, leaf, apart, whole := t.counts, t.sums[:n], t.visited[:n], t.leaf[:n], t.apart[:n], t.whole[:n]
	for b := range s.boxes {
		x := &s.boxes[b]
		own := counts[b*size:][:size]
		if x.row >= 0 {
			copy(own, rows[int(x.row)*size:][:size])
			sum, m := totals[x.row], one
			if visited[b] = 0; sum > 0 {
				visited[b], m = 1, rule.mass(own, sum)
			}
			sums[b], leaf[b], apart[b], whole[b] = sum, m, m, m
			continue
		}
		stride, values, child := s.strides[x.along], s.values[x.along], int(x.first)
		if values == 2 {
			other := child + stride
			for y, k := range counts[child*size:][:size] {
				own[y] = k + counts[other*size+y]
			}
			sums[b], visited[b] = sums[child]+sums[other], visited[child]+visited[other]
			apart[b] = apart[child].times(apart[other])
		} else {
			clear(own)
			sum, some, all := uint32(0), int32(0), one
			for a := range values {
				if sums[child] > 0 && a != int(x.but) {
					for y, k := range counts[child*size:][:size] {
						own[y] += k
					}
					sum += sums[child]
					some += visited[child]
					all = all.times(apart[child])
				}
				child += stride
			}
			sums[b], visited[b], apart[b] = sum, some, all
		}
		if visited[b] <= 1 { // all trees give the same
			leaf[b], whole[b] = apart[b], apart[b]
			continue
		}
		leaf[b] = rule.mass(own, sums[b])
		if x.free == 0 {
			apart[b], whole[b] = leaf[b], leaf[b]
			continue
		}
		factor, exp := plus(leaf[b].factor, leaf[b].exp, apart[b].factor, apart[b].exp)
		share := 1 / float64(bits.OnesCount64(x.free))
		for free := x.free; free != 0; free &= free - 1 {
			i := bits.TrailingZeros64(free)
			if s.values[i] == 2 { // as splits, without calls
				p, q := &whole[b-2*s.strides[i]], &whole[b-s.strides[i]]
				factor, exp = plus(factor, exp, float64(p.factor*q.factor)*share, p.exp+q.exp)
				continue
			}
			t.splits(s, b, i, func(_ int, prior float64, m mass) {
				factor, exp = plus(factor, exp, float64(share*prior)*m.factor, m.exp)
			})
		}
		whole[b] = newMass(factor*third, exp)
	}
}

// splits calls do for each way to split a box along a free parent: −1 for a box for each value, else the value that is
// against the rest; with its probability given the parent, and its evidence.
func (t *trees) splits(s *shape, b, i int, do func(against int, prior float64, evidence mass)) {
	stride, values, first := s.strides[i], s.values[i], s.split(b, i)
	if values == 2 {
		p, q := &t.whole[first], &t.whole[first+stride]
		do(-1, 1, mass{p.factor * q.factor, p.exp + q.exp})
		return
	}
	all := one
	for a := range values {
		all = all.times(t.whole[first+a*stride])
	}
	do(-1, 0.5, all)
	for a := range values {
		p, q := &t.whole[first+a*stride], &t.whole[first+(values+a)*stride]
		do(a, 0.5/float64(values), mass{p.factor * q.factor, p.exp + q.exp})
	}
}

// given returns a/b, for an a that is not much larger than b.
func given(a, b mass) float64 {
	if k := a.exp - b.exp; k > 0 {
		return a.factor / b.factor / power(-k)
	}
	return a.factor / b.factor * power(a.exp-b.exp)
}

// option is what a box is: a leaf, its rows apart, or split along a parent.
type option struct {
	along   int // the parent, or isLeaf or isApart
	against int // the value against the rest, or −1
}

const (
	isLeaf  = -1
	isApart = -2
)

// options calls do for each option of a box with free parents, with its probability given the data.
func (t *trees) options(s *shape, b int, do func(o option, p float64)) {
	free, whole := s.boxes[b].free, t.whole[b]
	do(option{isLeaf, -1}, third*given(t.leaf[b], whole))
	do(option{isApart, -1}, third*given(t.apart[b], whole))
	share := third / float64(bits.OnesCount64(free))
	for ; free != 0; free &= free - 1 {
		i := bits.TrailingZeros64(free)
		t.splits(s, b, i, func(against int, prior float64, m mass) {
			do(option{i, against}, share*prior*given(m, whole))
		})
	}
}

// parts calls do for the boxes that a box is divided into.
func (s *shape) parts(b int, o option, do func(part int)) {
	along := o.along
	if along == isApart {
		along = int(s.boxes[b].along)
	}
	first, stride := s.split(b, along), s.strides[along]
	if o.against >= 0 {
		do(first + o.against*stride)
		do(first + (s.values[along]+o.against)*stride)
		return
	}
	for a := range s.values[along] {
		do(first + a*stride)
	}
}

// sample draws the table of a set: from the root on, in each box with free parents what the box is, and for each leaf α and the row;
// the parts of a box one after the other.
func (t *trees) sample(l *Local, rng *rand.Rand, set int, dst []float64) {
	t.grow(l, set)
	s := t.shapes[set]
	var draw func(b int, apart bool)
	draw = func(b int, apart bool) {
		what := option{isLeaf, -1}
		switch {
		case s.boxes[b].free == 0:
		case apart:
			what = option{isApart, -1}
		default:
			list, all := t.weights[:0], make([]option, 0, 8)
			t.options(s, b, func(o option, p float64) { list, all = append(list, p), append(all, o) })
			t.weights = list
			what = all[pick(rng, list)]
		}
		if what.along == isLeaf {
			t.of[set].sample(rng, t.counts[b*t.size:][:t.size], t.row)
			t.rows = s.rowsOf(t.rows[:0], b)
			for _, r := range t.rows {
				copy(dst[int(r)*t.size:], t.row)
			}
			return
		}
		s.parts(b, what, func(part int) { draw(part, what.along == isApart) })
	}
	draw(len(s.boxes)-1, false)
}

// addMean adds the mean of a set's table, times weight, to dst.
func (t *trees) addMean(l *Local, set int, weight float64, dst []float64) {
	t.grow(l, set)
	s := t.shapes[set]
	n := len(s.boxes)
	// The probability of coming to a box, and of coming to it with its rows apart.
	reach, apart := slices.Grow(t.reach[:0], n)[:n], slices.Grow(t.reachApart[:0], n)[:n]
	clear(reach)
	clear(apart)
	t.reach, t.reachApart = reach, apart
	reach[n-1] = weight
	for b := n - 1; b >= 0; b-- {
		if reach[b] == 0 && apart[b] == 0 {
			continue
		}
		leaf := reach[b] + apart[b]
		if s.boxes[b].free != 0 {
			aside := apart[b]
			t.options(s, b, func(o option, p float64) {
				switch p *= reach[b]; o.along {
				case isLeaf:
					leaf = p
				case isApart:
					aside += p
				default:
					s.parts(b, o, func(part int) { reach[part] += p })
				}
			})
			s.parts(b, option{isApart, -1}, func(part int) { apart[part] += aside })
		}
		clear(t.row)
		t.of[set].addMean(t.row, t.counts[b*t.size:][:t.size], leaf)
		t.rows = s.rowsOf(t.rows[:0], b)
		for _, r := range t.rows {
			for y, m := range t.row {
				dst[int(r)*t.size+y] += m
			}
		}
	}
}

func (t *trees) matters(l *Local, set, parent int, do func(context int, p float64)) {
	parents, before := l.sets[set].Parents(), parent
	if l.sizes[parents[parent]] == 1 {
		for c := range l.height(set) {
			do(c, 0)
		}
		return
	}
	for _, i := range parents[:before] {
		if l.sizes[i] == 1 { // the shape is without it
			parent--
		}
	}
	t.grow(l, set)
	s := t.shapes[set]
	values := make([]int, len(s.values))
	contexts := 1
	for i, v := range s.values {
		if i != parent {
			contexts *= v
		}
	}
	together := map[int]float64{} // the probability that a box has all rows of the context in one leaf
	var of func(b int) float64
	of = func(b int) float64 {
		if p, has := together[b]; has {
			return p
		}
		sum := 0.0
		t.options(s, b, func(o option, p float64) {
			switch o.along {
			case isLeaf:
				sum += p
			case isApart, parent:
			default:
				digit := values[o.along]
				if o.against >= 0 && o.against != digit {
					digit = s.values[o.along] + o.against
				}
				sum += float64(p * of(s.split(b, o.along)+digit*s.strides[o.along]))
			}
		})
		together[b] = sum
		return sum
	}
	for c := range contexts {
		rest := c
		for i := len(values) - 1; i >= 0; i-- {
			if i != parent {
				values[i], rest = rest%s.values[i], rest/s.values[i]
			}
		}
		clear(together)
		do(c, 1-of(len(s.boxes)-1))
	}
}
