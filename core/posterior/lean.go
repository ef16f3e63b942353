package posterior

import (
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// lean is what a belief without tables keeps: the steps. Its memory grows with the data and the number of sets, not with the
// product of the parents' sizes. A set is counted anew when its weight may matter or someone asks for it, in tables that it
// shares with all sets whose parents have the same numbers of values. As with blocks, sets far below the largest are passed over.
type lean struct {
	past
	now  int32
	at   []int32 // of each set, the update after which it was weighed
	law  Law     // of tables
	ones map[string]*Local
	rows int // of all ones
	name []byte

	set int    // one more than the set that is counted in one; 0 if there is none
	one *Local // a belief about a single set

	evidence [][]float64 // that of each hypothesis and set, if each row is a block with the α of its table; else nil
	paid     []float64   // that of the payoffs, if it is apart

	prefix []int     // the variables of
	along  [][]int32 // the rows of the steps in tables over the first variables of prefix
}

// mostOnes is the largest number of rows for which tables are kept to be used again.
const mostOnes = 1 << 18

// newLean returns what is kept of a belief before the first step.
func newLean(l *Local) *lean {
	n := &lean{at: make([]int32, len(l.sets)), law: l.law, ones: map[string]*Local{}}
	n.law.Sets, n.law.Lean = nil, false
	n.pack(l.sizes)
	return n
}

// observeLean adds the steps, whose outcomes the channels hold, and weighs the sets that may matter.
func (l *Local) observeLean(steps []Step, told call) {
	n := l.lean
	n.add(l.channels, steps, told)
	n.now++
	n.set, n.prefix = 0, n.prefix[:0]
	best := slices.Index(l.logWeights, slices.Max(l.logWeights))
	l.counted(best)
	least := l.logWeights[best] - far
	for k := range l.sets {
		if l.logWeights[k] >= least {
			l.counted(k)
			least = max(least, l.logWeights[k]-far)
		}
	}
}

// counted returns a belief about the set of that index alone, which has its counts and its evidence. It is valid until the next
// call.
func (l *Local) counted(set int) *Local {
	n := l.lean
	if n.set == set+1 {
		return n.one
	}
	one := n.single(l, set)
	rows, from := n.rowsAlong(l.sets[set], l.sizes), n.steps()
	if !one.law.blocks() {
		from = n.begin(int(n.at[set])) // what follows is weighed step by step
	}
	for c := range one.channels {
		ch := &one.channels[c]
		clear(ch.counts)
		clear(ch.totals)
		for t, row := range rows[:from] {
			if y := n.outcomes[t*len(l.channels)+c]; y >= 0 {
				ch.counts[int(row)*ch.size+int(y)]++
				ch.totals[row]++
			}
		}
	}
	if one.law.blocks() {
		one.weighAnew()
	} else {
		n.weighOn(one, set, rows[from:], from)
	}
	n.set, n.one, n.at[set] = set+1, one, n.now
	l.logEvidence[set] = one.logEvidence[0]
	l.logWeights[set] = l.times(set, one.logEvidence[0])
	return one
}

// weighOn shows the steps from one on, which select these rows, to a belief about one set that has the counts of those before.
func (n *lean) weighOn(one *Local, set int, rows []int32, from int) {
	for a := len(n.evidence); a < len(one.hypotheses); a++ {
		n.evidence = append(n.evidence, make([]float64, len(n.at)))
	}
	for a := range one.hypotheses {
		one.hypotheses[a].evidence[0] = n.evidence[a][set]
	}
	if one.paid != nil {
		if n.paid == nil {
			n.paid = make([]float64, len(n.at))
		}
		one.paid[0] = n.paid[set]
	}
	one.show(0, n.calls[n.at[set]:], rows, n.outcomes[from*len(one.channels):], from)
	one.average()
	for a := range one.hypotheses {
		n.evidence[a][set] = one.hypotheses[a].evidence[0]
	}
	if one.paid != nil {
		n.paid[set] = one.paid[0]
	}
}

// single returns a belief about one set whose parents have as many values as those of the set of that index.
func (n *lean) single(l *Local, set int) *Local {
	name := n.name[:0]
	for i := range l.sets[set].All() {
		size := l.sizes[i]
		name = append(name, byte(size), byte(size>>8), byte(size>>16))
	}
	n.name = name
	if one, has := n.ones[string(name)]; has {
		return one
	}
	space := &fmdp.Space{}
	for i := range l.sets[set].All() {
		space.State = append(space.State, fmdp.Variable{Size: l.sizes[i]})
	}
	if len(name) == 0 {
		space.State = []fmdp.Variable{{Size: 1}} // no parent of the set
	}
	var rewards []int
	for _, ch := range l.channels[1:] {
		rewards = append(rewards, ch.reward)
	}
	first := l.channels[0]
	first.outcomes = nil
	one := newLocal(space, l.y, first, []bigraph.Scope{bigraph.First(l.sets[set].Len())}, rewards, n.law)
	if n.rows += one.height(0); n.rows > mostOnes {
		clear(n.ones)
		n.rows = one.height(0)
	}
	n.ones[string(name)] = one
	return one
}

// rowsAlong returns the row of each step in the table of a set. What the set before had in common with it is not computed again.
func (n *lean) rowsAlong(z bigraph.Scope, sizes []int) []int32 {
	if len(n.along) == 0 {
		n.along = [][]int32{nil}
	}
	steps := n.steps()
	if len(n.along[0]) < steps {
		n.along[0] = make([]int32, max(steps, 2*len(n.along[0])))
	}
	depth := 0
	for i := range z.All() {
		if depth++; depth <= len(n.prefix) && n.prefix[depth-1] == i {
			continue
		}
		n.prefix = append(n.prefix[:depth-1], i)
		if depth == len(n.along) {
			n.along = append(n.along, nil)
		}
		in, size, points := n.places[i], int32(sizes[i]), n.points[min(n.places[i].word, len(n.points)):]
		before, rows := n.along[depth-1][:steps], slices.Grow(n.along[depth][:0], steps)[:steps]
		for t := range rows {
			rows[t] = before[t]*size + int32(points[t*n.words]>>in.shift&in.mask)
		}
		n.along[depth] = rows
	}
	return n.along[depth][:steps]
}

// weighAnew computes the evidence of a belief about one set from the counts alone, for laws of blocks.
func (l *Local) weighAnew() {
	l.paid[0] = 0
	for c := range l.channels[1:] {
		l.paid[0] += l.payoffs.batch(l.counts(1+c, 0), 2)
	}
	for a := range l.hypotheses {
		h := &l.hypotheses[a]
		h.family.forget(&l.changes)
		h.evidence[0] = h.family.refresh(l, 0)
	}
	l.average()
}
