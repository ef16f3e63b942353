package posterior

import (
	"math"
	"math/bits"
	"slices"

	"cpsrl/core/bigraph"
)

// past is what sets that are passed over have yet to see.
//
// If the weight of a set is farther below the largest than never, its share is 0 exactly, and no noise makes up for
// the distance. Such a set is passed over until it comes near again or someone asks for it. Then it sees what it has missed in the
// order of the data, so all numbers have the same bits. Meanwhile its weight is an upper bound: the evidence only falls, and the
// formula of all counts tells how far. Laws of blocks have another way: see far.
type past struct {
	on    bool
	few   weighed  // the sets that are not passed over
	at    []int32  // of each set, how many calls of observe it has seen
	calls []call   // those since a set was first passed over
	all   []Counts // of each channel, all outcomes by point; nil if no set is ever passed over

	places   []place // where a point holds the value of each variable
	words    int     // of a point
	points   []uint64
	outcomes []int32 // of each step, of each channel; −1 if not observed

	// Scratch.
	rows   []int32
	counts Counts
	logs   []float64
}

// call is one call of observe.
type call struct {
	end        int  // the number of steps until then
	seen, paid bool // whether the next values of Y_j and the payoffs were observed
}

// has reports whether the outcomes of a channel were observed.
func (c *call) has(ch *channel) bool {
	if ch.reward < 0 {
		return c.seen
	}
	return c.paid
}

// place is where a point holds the value of a variable.
type place struct {
	word, shift int
	mask        uint64
}

// never is the distance from the largest log weight beyond which exp returns 0, and more for rounding.
const never = 760

// Among fewer than fewSets none is passed over, and the past has at most about mostPast steps.
const (
	fewSets  = 8
	mostPast = 1 << 20
)

// weighed holds sets that are weighed together.
type weighed struct {
	sets       []int32 // in ascending order; nil for all
	rows       []int32 // as Local.rows, of these sets
	hypotheses []hypothesis
	shared     []float64 // the evidence to which payoffs add
}

// all returns all sets.
func (l *Local) all() *weighed {
	l.whole = weighed{rows: l.rows, hypotheses: l.hypotheses, shared: l.shared()}
	return &l.whole
}

// pack lays out points of variables of these sizes.
func (p *past) pack(sizes []int) {
	used := 0
	p.words = 1
	for _, size := range sizes {
		n := bits.Len(uint(size - 1))
		if used+n > 64 {
			p.words, used = p.words+1, 0
		}
		p.places = append(p.places, place{p.words - 1, used, 1<<n - 1})
		used += n
	}
}

// steps returns the number of steps.
func (p *past) steps() int { return p.begin(len(p.calls)) }

// begin returns the first step of a call.
func (p *past) begin(call int) int {
	if call == 0 {
		return 0
	}
	return p.calls[call-1].end
}

// current reports whether a set has seen everything.
func (p *past) current(set int) bool { return !p.on || int(p.at[set]) == len(p.calls) }

// add adds a call of observe, whose outcomes the channels hold.
func (p *past) add(channels []channel, steps []Step, told call) {
	p.points, p.outcomes = room(p.points, len(steps)*p.words), room(p.outcomes, len(steps)*len(channels))
	for t := range steps {
		at := len(p.points)
		p.points = p.points[:at+p.words]
		clear(p.points[at:])
		for i, in := range p.places {
			p.points[at+in.word] |= uint64(steps[t].Point[i]) << in.shift
		}
		for c := range channels {
			y := int32(-1)
			if told.has(&channels[c]) {
				y = channels[c].outcomes[t]
			}
			p.outcomes = append(p.outcomes, y)
		}
	}
	told.end = p.steps() + len(steps)
	p.calls = append(p.calls, told)
}

// room returns the list with room for n more. It doubles, so that there is little garbage.
func room[T any](list []T, n int) []T {
	if cap(list)-len(list) >= n {
		return list
	}
	return slices.Grow(list, max(n, len(list)))
}

// rowsOf returns the rows that the steps after the first ones select in the table of a set whose own first row is given. The next
// call overwrites them.
func (p *past) rowsOf(z bigraph.Scope, sizes []int, from int, first int32) []int32 {
	n := p.steps() - from
	p.rows = slices.Grow(p.rows[:0], n)[:n]
	if n == 0 {
		return nil
	}
	clear(p.rows)
	for i := range z.All() {
		in, size, points := p.places[i], int32(sizes[i]), p.points[from*p.words+p.places[i].word:]
		for t := range p.rows {
			p.rows[t] = p.rows[t]*size + int32(points[t*p.words]>>in.shift&in.mask)
		}
	}
	for t := range p.rows {
		p.rows[t] += first
	}
	return p.rows
}

// weigher adds to the evidence of one set.
type weigher struct {
	evidence *float64
	predictive
}

// catchUp shows a set the steps that it has not seen. It does for one set what observe does for all.
func (l *Local) catchUp(set int) {
	p := &l.past
	from := p.begin(int(p.at[set]))
	l.show(set, p.calls[p.at[set]:], p.rowsOf(l.sets[set], l.sizes, from, l.first[set]), p.outcomes[from*len(l.channels):], from)
	p.at[set] = int32(len(p.calls))
}

// show shows the steps of calls, which begin with the step from, to a set.
func (l *Local) show(set int, calls []call, rows, outcomes []int32, from int) {
	by := make([]weigher, len(l.hypotheses), 8)
	for a := range l.hypotheses {
		h := &l.hypotheses[a]
		by[a] = weigher{&h.evidence[set], h.runs[h.run(set)].predictive}
	}
	for _, call := range calls {
		n := call.end - from
		for c := range l.channels {
			switch ch := &l.channels[c]; {
			case !call.has(ch):
			case c == 0:
				ch.observeIn(by, rows[:n], outcomes, len(l.channels))
			default:
				ch.observeIn([]weigher{{&l.shared()[set], l.payoffs}}, rows[:n], outcomes[c:], len(l.channels))
			}
		}
		rows, outcomes, from = rows[n:], outcomes[n*len(l.channels):], call.end
	}
}

// observeIn is observe for the rows of one set. The outcome of step t is outcomes[t·stride].
func (ch *channel) observeIn(by []weigher, rows, outcomes []int32, stride int) {
	for t, row := range rows {
		n, m := &ch.counts[int(row)*ch.size+int(outcomes[t*stride])], &ch.totals[row]
		for a := range by {
			*by[a].evidence += by[a].log(*n, *m)
		}
		*n++
		*m++
	}
}

// settleFew takes the evidence of the sets that are not passed over, which have seen everything.
func (l *Local) settleFew() {
	p := &l.past
	for i, k := range p.few.sets {
		p.at[k] = int32(len(p.calls))
		for a := range l.hypotheses {
			l.hypotheses[a].evidence[k] = p.few.hypotheses[a].evidence[i]
		}
		l.shared()[k] = p.few.shared[i]
		l.settle(int(k))
	}
}

// bound returns an upper bound of the weight of a set, which is 1 above it but for rounding, from the counts of all data.
func (l *Local) bound(set int) float64 {
	n, height := len(l.sets), l.height(set)
	evidence, logs := 0.0, append(l.past.logs[:0], make([]float64, len(l.hypotheses))...)
	for c := range l.channels {
		size, all := l.channels[c].size, l.past.all[c]
		counts := slices.Grow(l.past.counts[:0], height*size)[:height*size]
		clear(counts)
		l.past.counts = counts
		for x := range len(all) / size {
			at := int(l.rows[x*n+set]-l.first[set]) * size
			for y, times := range all[x*size:][:size] {
				counts[at+y] += times
			}
		}
		if c > 0 {
			evidence += l.payoffs.batch(counts, size)
			continue
		}
		for a := range l.hypotheses {
			h := &l.hypotheses[a]
			logs[a] = h.runs[h.run(set)].batch(counts, size)
		}
	}
	l.past.logs = logs
	return 1 + l.times(set, evidence+(logSum(logs)-math.Log(float64(len(logs)))))
}

// batch returns the logarithm of the product of the predictive probabilities that led to the counts of a table, but for rounding.
func (p *predictive) batch(counts Counts, size int) float64 {
	sum := 0.0
	for at := 0; at < len(counts); at += size {
		all := uint32(0)
		for _, n := range counts[at : at+size] {
			sum += p.rise(0, n)
			all += n
		}
		sum -= p.rise(1, all)
	}
	return sum
}

// rise returns the logarithm of the product of k + seen over k < n, or of k + total.
func (p *predictive) rise(of int, n uint32) float64 {
	if p.long == nil {
		return logRise([2]float64{p.seen, p.total}[of], int(n))
	}
	return p.long[of].rise(n)
}

// countAll counts the last call in past.all.
func (l *Local) countAll(points []int32, told call) {
	for c := range l.past.all {
		if ch := &l.channels[c]; told.has(ch) {
			for t, x := range points {
				l.past.all[c][int(x)*ch.size+int(ch.outcomes[t])]++
			}
		}
	}
}

// passOver decides which sets are weighed from now on. If at least a quarter of those that are lie so far below the largest that
// it will take long until their bounds must be looked at again, they are passed over.
func (l *Local) passOver() {
	p := &l.past
	largest, weighed, matter := math.Inf(-1), len(l.sets), 0
	if p.on {
		weighed = len(p.few.sets)
	}
	for k, w := range l.logWeights {
		if p.current(k) {
			largest = max(largest, w)
		}
	}
	for k, w := range l.logWeights {
		if p.current(k) {
			if w >= largest-2*never {
				matter++
			}
		} else if w >= largest-never {
			if l.logWeights[k] = l.bound(k); l.logWeights[k] >= largest-never {
				l.recall()
				return
			}
		}
	}
	switch {
	case p.steps() >= mostPast:
		l.recall()
	case 4*matter <= 3*weighed:
		l.only(largest - 2*never)
	}
}

// only passes over the sets with a smaller weight.
func (l *Local) only(least float64) {
	p := &l.past
	if !p.on {
		p.on = true
		p.at = slices.Grow(p.at[:0], len(l.sets))[:len(l.sets)]
		clear(p.at)
	}
	few := &p.few
	few.sets = few.sets[:0]
	for k, w := range l.logWeights {
		if w >= least && p.current(k) {
			few.sets = append(few.sets, int32(k))
		}
	}
	some := func(of []float64) []float64 {
		list := make([]float64, 0, len(few.sets))
		for _, k := range few.sets {
			list = append(list, of[k])
		}
		return list
	}
	few.hypotheses = few.hypotheses[:0]
	for a := range l.hypotheses {
		h, last := hypothesis{evidence: some(l.hypotheses[a].evidence)}, -1
		for i, k := range few.sets {
			r := l.hypotheses[a].run(int(k))
			if r != last {
				h.runs, last = append(h.runs, l.hypotheses[a].runs[r]), r
			}
			h.runs[len(h.runs)-1].end = i + 1
		}
		few.hypotheses = append(few.hypotheses, h)
	}
	if few.shared = few.hypotheses[0].evidence; l.paid != nil {
		few.shared = some(l.paid)
	}
	if l.rows == nil {
		return
	}
	few.rows = slices.Grow(few.rows[:0], len(l.rows)/len(l.sets)*len(few.sets))
	for at := 0; at < len(l.rows); at += len(l.sets) {
		for _, k := range few.sets {
			few.rows = append(few.rows, l.rows[at+int(k)])
		}
	}
}

// recall shows everything to all sets.
func (l *Local) recall() {
	p := &l.past
	if !p.on {
		return
	}
	for k := range l.sets {
		l.ready(k)
	}
	p.on, p.calls, p.points, p.outcomes = false, p.calls[:0], p.points[:0], p.outcomes[:0]
	l.room = -1
}
