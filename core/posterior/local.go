// Package posterior holds the beliefs of C-PSRL (Appendix "Parametric priors
// and posterior updates"): Dirichlet counts over the rows of a factor, and above
// them a hyper-posterior over the parent sets of each variable, in log weights.
//
// Results are the same to the bit on every platform: sums run in the order of the data,
// weights are natural logarithms, and exponentials are computed by loops.Exp2.
//
// # Goroutines and memory
//
// A [Local], [Counts], [Tables], [Weighing] or [Stream] belongs to one goroutine at a
// time. Functions may be called from any number of goroutines, each with its own stream
// and destination.
//
// [Local.Observe] keeps nothing of a step. [Local.Sets] returns the belief's own slice, which
// callers must not change. [NewLocal] keeps the slice of sets. Functions with a dst argument write into it.
package posterior

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/internal/loops"
)

// TooLargeError says that the beliefs about Y_0 to Y_j would together hold more than
// MaxCells counts.
type TooLargeError struct {
	Y    int // j
	Sets int // the candidate parent sets of Y_j
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the beliefs about the parents of Y_0 to Y_%d need more than %d counts", e.Y, MaxCells)
}

// maxRows is the largest number of entries of Local.rows. Without Local.rows it is the
// largest number of rows that are looked up at once.
const maxRows = 1 << 20

// Tabled reports whether a [Local] keeps a table of rows with that many entries, one for
// each set and point. Without the table it computes each row when it needs it.
func Tabled(entries float64) bool { return entries <= maxRows }

// Update is the factor by which an observation weighs a parent set.
type Update int

const (
	// Exact multiplies by B(α+e_i)/B(α) = α_i/Σα, the predictive probability.
	Exact Update = iota
	// Printed multiplies by (α_i+1)/(Σα+1), as equation (4) of the paper prints.
	Printed
)

// updates are the words of the updates in specs, labels, flags and queries.
var updates = []string{Exact: "exact", Printed: "printed"}

// Updates returns the words of all updates, the default first.
func Updates() []string { return slices.Clone(updates) }

// String returns the word for the update.
func (u Update) String() string { return updates[u] }

// UpdateOf returns the update of a word, and whether the word is known.
func UpdateOf(word string) (update Update, known bool) {
	k := slices.Index(updates, word)
	return Update(k), k >= 0
}

// Law holds the assumptions before the first step. The zero Law is the paper's: all rows
// and all parent sets are equally likely.
type Law struct {
	Update Update
	// Rows is the concentration of the rows of Y_j's tables. The mean payoffs of reward
	// factors are always Beta(1, 1).
	Rows concentration.Concentration
	// Structure is what tables may look like.
	Structure concentration.Structure
	own       *ties // replaces the prior of ties in tests
	// Sets holds ln P_0,j of each candidate parent set, up to a constant. It is nil if the
	// sets are equally likely.
	Sets []float64
	// Lean says that a belief keeps the steps, from which it counts the sets that matter, instead of tables for all sets.
	// The evidence is the same but for rounding.
	Lean bool
	// Tables may be shared by the beliefs of one agent. If it is nil, the belief makes its
	// own.
	Tables *Tables
}

// Step is one observed transition.
type Step struct {
	Point  []int   // x, one value for each X variable
	Next   []int   // y, one value for each Y variable; [fmdp.Unseen] if it is not known
	Paid   []uint8 // the Bernoulli payoff of each reward factor, 0 or 1; nil if not observed
	Reward float64 // the reward that was collected; beliefs learn from Paid, not from it
}

// Local is the belief about one variable Y_j: the hyper-posterior P_k,j over
// its candidate parent sets 𝒵_j, and for each z ∈ 𝒵_j the Dirichlet counts of each row
// of p_j(·|x[z]). A reward factor that shares Y_j's scope adds a table of two outcomes
// to each set, and its payoffs weigh the sets as well.
//
// If the concentration α is learned, the belief is about pairs of z and α. Counts do not
// depend on α, so each α of the list only needs an evidence for each set.
//
// The tables of all sets follow each other; that of set k begins at row first[k].
type Local struct {
	y           int
	sets        []bigraph.Scope
	first       []int32 // the first row of each set's table, and at the end the number of all rows
	rows        []int32 // rows[x·n+k] is the row that point x selects for set k of n; nil if it would exceed maxRows entries
	parents     []uint8 // of each set, one after the other, if rows is nil: a list is quicker to walk than a set
	begin       []int32 // where those of each set begin, and at the end their number
	alike       []bool  // of each set, whether its parents but the last are those of the set before
	logEvidence []float64
	logWeights  []float64    // ln P_k,j of each set, up to a constant
	hypotheses  []hypothesis // one for each α
	payoffs     predictive   // for the learned reward factors
	paid        []float64    // ln P(payoffs | z) of each set; nil if logEvidence includes it
	channels    []channel
	law         Law
	sizes       []int       // the number of values of each X variable
	strides     []int       // what one unit of each X variable adds to the index of a point
	legal       *fmdp.Space // the space, if not all joint actions are legal; else nil
	room        int         // after this many more steps the counts are still within the tables of logarithms

	past past
	lean *lean // nil if there are tables; if there are none, first, rows and the counts of channels are nil, too

	given            []int   // see givenOf
	givenTo          int     // the set that given is about
	whole            weighed // scratch of all
	points, selected []int32 // scratch of rowsAt
	changes          changes
}

// channel is one observed outcome that depends on x[z_j]: the next value of Y_j
// (reward < 0), or the payoff of a reward factor.
type channel struct {
	reward   int
	size     int
	counts   Counts   // row-major, size columns
	totals   []uint32 // the sum of each row
	outcomes []int32  // the outcomes of the steps being observed
}

// Cells returns the memory of a [Local] over these sets, in counts: the counts, sums of rows and,
// if rows are tied or mixed, the numbers that are kept of each row and group. The argument rewards is
// the number of reward factors that the Local learns. The result saturates at math.MaxInt. If the law is Lean, it is that of the
// largest table alone.
func (law *Law) Cells(space *fmdp.Space, j int, sets []bigraph.Scope, rewards int) int {
	return law.cells(space, space.State[j].Size, sets, rewards)
}

// PayoffCells is Cells of the belief of [NewPayoff].
func (law *Law) PayoffCells(space *fmdp.Space, sets []bigraph.Scope) int {
	return law.cells(space, 2, sets, 0)
}

func (law *Law) cells(space *fmdp.Space, size int, sets []bigraph.Scope, rewards int) int {
	cells, boxes := 0, 0
	for _, z := range sets {
		own, shared := law.setCells(space, size, z, rewards)
		if law.Lean {
			if own > math.MaxInt-shared {
				return math.MaxInt
			}
			cells = max(cells, own+shared)
			continue
		}
		if own > math.MaxInt-cells {
			return math.MaxInt
		}
		cells, boxes = cells+own, max(boxes, shared)
	}
	if boxes > math.MaxInt-cells {
		return math.MaxInt
	}
	return cells + boxes
}

// setCells returns the memory that a set takes for itself, and what it needs of the memory that the sets share. Both
// saturate.
func (law *Law) setCells(space *fmdp.Space, size int, z bigraph.Scope, rewards int) (own, shared int) {
	columns, copies := size+1+rewards*3, 0
	if law.blocks() {
		copies = 1
		if law.Rows.Learns() {
			copies = len(law.Rows.Alphas(1, 1))
		}
	}
	if law.Structure == concentration.Trees {
		if shared = treeCells(space, size, z); shared > math.MaxInt/copies {
			shared = math.MaxInt
		} else {
			shared *= copies
		}
		copies = 0
	}
	rows, groups := space.Rows(z.Parents()), 0
	if law.ties().tie > 0 {
		if rows > math.MaxInt/(columns+massCells*copies)/(z.Len()+1)-pairCells { // so that nothing below overflows
			return math.MaxInt, shared
		}
		for i := range z.All() {
			groups += rows/space.Var(i).Size + pairCells/massCells
		}
	}
	if rows > math.MaxInt/(columns+massCells*copies)-groups {
		return math.MaxInt, shared
	}
	return rows*columns + (rows+groups)*massCells*copies, shared
}

// NewLocal returns the belief about Y_j before the first step. The slice rewards holds
// the indices of the learned reward factors that are tied to Y_j. NewLocal panics if
// [Law.Cells] exceeds math.MaxInt32.
func NewLocal(space *fmdp.Space, j int, sets []bigraph.Scope, rewards []int, law Law) *Local {
	return newLocal(space, j, channel{reward: -1, size: space.State[j].Size}, sets, rewards, law)
}

// NewPayoff returns the belief about the parents of the payoff of a reward factor, which is unpaid (0)
// or paid (1): one more right-hand node of the bigraph. The sets are the candidates.
func NewPayoff(space *fmdp.Space, factor int, sets []bigraph.Scope, law Law) *Local {
	return newLocal(space, -1, channel{reward: factor, size: 2}, sets, nil, law)
}

// newLocal returns the belief about a node with the outcomes of the first channel.
func newLocal(space *fmdp.Space, j int, first channel, sets []bigraph.Scope, rewards []int, law Law) *Local {
	if !law.Lean && law.cells(space, first.size, sets, len(rewards)) > math.MaxInt32 {
		panic("posterior: belief too large")
	}
	l := &Local{
		y: j, sets: sets, law: law, strides: space.Strides(),
		first:       make([]int32, 0, len(sets)+1),
		logEvidence: make([]float64, len(sets)),
		channels:    []channel{first},
	}
	for _, f := range rewards {
		l.channels = append(l.channels, channel{reward: f, size: 2})
	}
	for i := range space.X() {
		l.sizes = append(l.sizes, space.Var(i).Size)
	}
	l.logWeights = make([]float64, len(sets))
	copy(l.logWeights, law.Sets)
	if law.Lean {
		if law.Tables == nil {
			l.law.Tables = new(Tables)
		}
		l.lean = newLean(l)
		return l
	}
	n := int32(0)
	for _, z := range sets {
		l.first = append(l.first, n)
		n += int32(space.Rows(z.Parents()))
	}
	l.first = append(l.first, n)
	for c := range l.channels {
		ch := &l.channels[c]
		ch.counts, ch.totals = make(Counts, int(n)*ch.size), make([]uint32, n)
	}
	if points := space.Points(); Tabled(float64(len(sets)) * float64(points)) {
		l.rows = make([]int32, len(sets)*points)
		for k := range sets {
			for x, row := range space.RowOf(sets[k].Parents()) {
				l.rows[x*len(sets)+k] = l.first[k] + row
			}
		}
	} else {
		var before []uint8 // the parents of the set before but its last
		for k, z := range sets {
			from := len(l.parents)
			l.begin = append(l.begin, int32(from))
			for i := range z.All() {
				l.parents = append(l.parents, uint8(i))
			}
			these := l.parents[from:max(from, len(l.parents)-1)]
			l.alike = append(l.alike, k > 0 && !z.Empty() && !sets[k-1].Empty() && slices.Equal(these, before))
			before = these
		}
		l.begin = append(l.begin, int32(len(l.parents)))
	}
	if space.Legal != nil {
		l.legal = space
	}
	l.past.pack(l.sizes)
	l.suppose()
	if l.rows != nil && len(sets) >= fewSets && !law.blocks() {
		for c := range l.channels {
			l.past.all = append(l.past.all, make(Counts, space.Points()*l.channels[c].size))
		}
	}
	return l
}

// Sets returns the candidate parent sets in the order given to [NewLocal].
func (l *Local) Sets() []bigraph.Scope { return l.sets }

// LogEvidence returns ln P(data | z) of the set of that index or, with the Printed update, the
// logarithm of the product of the printed factors. If α is learned, P(data | z) is the
// mean of P(data | z, α) over the list. The call changes no result of another, and takes long for a
// set whose probability is too small to matter.
func (l *Local) LogEvidence(set int) float64 {
	l.see(set)
	if l.current(set) {
		return l.logEvidence[set]
	}
	logs := make([]float64, len(l.hypotheses))
	for a := range logs {
		logs[a] = l.hypotheses[a].family.batch(l, set)
	}
	return l.paid[set] + (logSum(logs) - math.Log(float64(len(logs))))
}

// Observe updates the hyper-posterior and the counts with an episode. It is
// prequential: the weight of a transition depends on the counts before it. Payoffs are observed in
// all of the steps or in none of them. Of the steps after which the value of Y_j is not known, the payoffs alone are observed, after
// the other steps.
func (l *Local) Observe(steps []Step) {
	unseen := func(s Step) bool { return l.y >= 0 && s.Next[l.y] == fmdp.Unseen }
	if !slices.ContainsFunc(steps, unseen) {
		l.observe(steps, true)
		return
	}
	l.observe(slices.DeleteFunc(slices.Clone(steps), unseen), true)
	l.observe(slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return !unseen(s) }), true)
}

// observe passes over sets and counts with loops.Tally or tallyEach if quick, else only with channel.observe. The value of Y_j is known
// after all of the steps or after none of them.
func (l *Local) observe(steps []Step, quick bool) {
	if len(steps) == 0 {
		return
	}
	told := call{seen: l.y < 0 || steps[0].Next[l.y] != fmdp.Unseen, paid: steps[0].Paid != nil}
	some := false
	for c := range l.channels {
		ch := &l.channels[c]
		if !told.has(ch) {
			continue
		}
		some = true
		ch.outcomes = ch.outcomes[:0]
		for t := range steps {
			y := 0
			if ch.reward >= 0 {
				y = int(steps[t].Paid[ch.reward])
			} else {
				y = steps[t].Next[l.y]
			}
			ch.outcomes = append(ch.outcomes, int32(y))
		}
	}
	if !some {
		return
	}
	if l.lean != nil {
		l.observeLean(steps, told)
		return
	}
	w := l.all()
	if l.past.on {
		l.past.add(l.channels, steps, told)
		w = &l.past.few
	}
	blocks, tabled := l.law.blocks(), quick && l.within(len(steps))
	var rows, points []int32
	for c := range l.channels {
		if blocks { // the first channel comes last, because it needs the evidence of the others
			c = len(l.channels) - 1 - c
		}
		ch := &l.channels[c]
		if !told.has(ch) {
			continue
		}
		for at := 0; at < len(steps); at += len(points) {
			if len(points) < len(steps) { // else the channel before has found them all
				rows, points = l.rowsAt(w, steps[at:])
			}
			outcomes := ch.outcomes[at:][:len(points)]
			switch {
			case c == 0 && blocks:
				l.observeBlocks(rows, points, outcomes)
			case c > 0 && tabled:
				loops.Tally(w.shared, ch.counts, ch.totals, rows, len(w.shared), points, outcomes, l.payoffs.logs, ch.size)
			case c > 0:
				ch.observe([]hypothesis{{evidence: w.shared, runs: []run{{len(w.shared), l.payoffs}}}}, rows, points, outcomes)
			case !tabled || ch.size > loops.MostOutcomes || slices.ContainsFunc(w.hypotheses, untabled):
				ch.observe(w.hypotheses, rows, points, outcomes)
			case len(w.hypotheses) > 1:
				tallyEach(w.hypotheses, ch, rows, points, outcomes)
			default:
				w.hypotheses[0].tally(ch, rows, points, outcomes)
			}
		}
	}
	if blocks && !told.has(&l.channels[0]) { // what was paid may bring sets near again
		l.observeBlocks(nil, nil, nil)
	}
	if l.past.on {
		l.settleFew()
	} else {
		l.average()
		l.weigh()
	}
	if l.past.all != nil && quick {
		l.countAll(l.points[:len(steps)], told)
		l.passOver()
	}
}

// far is the distance from the largest log weight beyond which a set is not weighed. The share of such a
// set is below 10⁻²⁶, which is less than the rounding of other shares. Gumbel noise cannot make up for
// the distance: it is from −4 to 40 or, with a chance of 2⁻⁵³, infinite.
const far = 60

// observeBlocks counts outcomes and brings the evidence up to date, but not that of sets whose weight
// is far below the largest. Since evidence only falls, the one from before bounds it.
func (l *Local) observeBlocks(rows, points, outcomes []int32) {
	l.count(rows, points, outcomes)
	for a := range l.hypotheses {
		l.hypotheses[a].family.update(&l.changes)
	}
	best := 0
	for k := range l.sets {
		if l.weight(k) > l.weight(best) {
			best = k
		}
	}
	least := l.refresh(best) - far
	for k := range l.sets {
		if l.weight(k) >= least {
			least = max(least, l.refresh(k)-far)
		}
	}
}

// refresh brings the evidence of a set up to date, and returns its weight.
func (l *Local) refresh(set int) float64 {
	for a := range l.hypotheses {
		h := &l.hypotheses[a]
		h.evidence[set] = h.family.refresh(l, set)
	}
	return l.weight(set)
}

// ready brings everything that is kept of a set up to date.
func (l *Local) ready(set int) {
	switch {
	case l.lean != nil:
		l.counted(set)
		return
	case l.current(set):
		return
	case l.law.blocks():
		l.refresh(set)
	default:
		l.catchUp(set)
	}
	l.settle(set)
}

// see brings the counts of a set up to date.
func (l *Local) see(set int) {
	if l.lean != nil || !l.law.blocks() { // their counts are those of all data
		l.ready(set)
	}
}

// settle computes the evidence and the weight of a set from its evidence under each hypothesis.
func (l *Local) settle(set int) {
	if l.paid != nil {
		l.logEvidence[set] = l.paid[set] + l.mean(set, math.Log(float64(len(l.hypotheses))))
	}
	l.logWeights[set] = l.times(set, l.logEvidence[set])
}

// weight returns ln P_k,j of a set, up to a constant, by its evidence under each hypothesis.
func (l *Local) weight(set int) float64 {
	return l.times(set, l.paid[set]+l.mean(set, math.Log(float64(len(l.hypotheses)))))
}

// weigh computes the weights of the sets from their evidence.
func (l *Local) weigh() {
	if l.law.Sets == nil {
		copy(l.logWeights, l.logEvidence)
	}
	for k, prior := range l.law.Sets {
		l.logWeights[k] = prior + l.logEvidence[k]
	}
}

// within reports whether the counts are certain to stay within the tables of logarithms
// for that many more steps.
func (l *Local) within(steps int) bool {
	if l.room < steps {
		most := uint32(0)
		for c := range l.channels {
			most = max(most, slices.Max(l.channels[c].totals))
		}
		l.room = loops.LogTableLen - loops.MostOutcomes - 2 - int(most)
	}
	l.room -= steps
	return l.room >= 0
}

// rowsAt finds the rows of the sets' tables that the first len(points) steps select: step
// t selects rows[points[t]·n+k] for set k of the n that are weighed. It covers at least one step.
func (l *Local) rowsAt(w *weighed, steps []Step) (rows, points []int32) {
	l.points = l.points[:0]
	if l.rows != nil {
		for t := range steps {
			if l.legal != nil {
				l.points = append(l.points, int32(l.legal.Index(steps[t].Point)))
				continue
			}
			x, point := 0, steps[t].Point[:len(l.strides)]
			for i, stride := range l.strides {
				x += stride * point[i]
			}
			l.points = append(l.points, int32(x))
		}
		return w.rows, l.points
	}
	l.selected = l.selected[:0]
	for t := range steps {
		if len(l.selected) > 0 && len(l.selected)+len(w.shared) > maxRows {
			break
		}
		if w.sets == nil {
			l.selected = l.allRows(l.selected, steps[t].Point)
		}
		for _, k := range w.sets {
			l.selected = append(l.selected, l.first[k]+l.row(int(k), steps[t].Point))
		}
		l.points = append(l.points, int32(t))
	}
	return l.selected, l.points
}

// allRows appends the row that point selects of each set. What a set has in common with the one before is not computed again.
func (l *Local) allRows(dst []int32, point []int) []int32 {
	sizes, before := l.sizes, 0
	for k, alike := range l.alike {
		parents, row := l.parents[l.begin[k]:l.begin[k+1]], 0
		if n := len(parents) - 1; n >= 0 {
			if !alike {
				before = 0
				for _, i := range parents[:n] {
					before = before*sizes[i] + point[i]
				}
			}
			row = before*sizes[parents[n]] + point[parents[n]]
		}
		dst = append(dst, l.first[k]+int32(row))
	}
	return dst
}

// row returns the row of the table of a set that point selects.
func (l *Local) row(set int, point []int) int32 {
	row := 0
	for _, i := range l.parents[l.begin[set]:l.begin[set+1]] {
		row = row*l.sizes[i] + point[i]
	}
	return int32(row)
}

// exactWeight returns ln P_k,j of a set, up to the same constant as logWeights.
func (l *Local) exactWeight(set int) float64 {
	return l.times(set, l.LogEvidence(set))
}

// times returns the logarithm of the prior of a set times its evidence.
func (l *Local) times(set int, logEvidence float64) float64 {
	if l.law.Sets == nil {
		return logEvidence
	}
	return l.law.Sets[set] + logEvidence
}

// current reports whether the evidence and the weight of a set are up to date. Otherwise they are
// upper bounds, far below the largest.
func (l *Local) current(set int) bool {
	if l.lean != nil {
		return l.lean.at[set] == l.lean.now
	}
	if l.law.blocks() {
		return l.hypotheses[0].family.current(set)
	}
	return l.past.current(set)
}

// SampleSet draws the index of a parent set z ~ P_k,j, as the arg max of log
// weight plus Gumbel noise. It draws one variate for each set, or none if there
// is only one set.
func (l *Local) SampleSet(rng *rand.Rand) int {
	if len(l.sets) == 1 {
		return 0
	}
	best, at := math.Inf(-1), 0
	for k, w := range l.logWeights {
		if w += Gumbel(rng); w > best {
			best, at = w, k
		}
	}
	return at
}

// SampleFactor draws the rows of p_j(·|x[z]) ~ P_k,j(·|z) for the set of that
// index. If rows may be tied, it draws the ties first. The factor's table uses the memory of
// dst if it is large enough.
func (l *Local) SampleFactor(rng *rand.Rand, set int, dst []float64) fmdp.Factor {
	if l.lean != nil {
		f := l.counted(set).SampleFactor(rng, 0, dst)
		f.Given = l.givenOf(set)
		return f
	}
	l.ready(set)
	counts, size, h := l.counts(0, set), l.channels[0].size, l.sampleHypothesis(rng, set)
	dst = slices.Grow(dst[:0], len(counts))[:len(counts)]
	if h.family != nil {
		h.family.sample(l, rng, set, dst)
		return fmdp.Factor{Given: l.givenOf(set), Size: size, P: dst}
	}
	alpha := h.alpha(set)
	for at := 0; at < len(counts); at += size {
		counts[at:at+size].Sample(rng, alpha, dst[at:at+size])
	}
	return fmdp.Factor{Given: l.givenOf(set), Size: size, P: dst}
}

// SampleReward draws the mean payoffs of the c-th learned reward factor, counted from 0,
// given the set of that index: one for each row of the set's table, in a new slice.
func (l *Local) SampleReward(rng *rand.Rand, c, set int) (given []int, means []float64) {
	l.see(set)
	return l.givenOf(set), l.counts(1+c, set).SampleMeans(rng)
}

// givenOf returns the variables of the set of that index. Calls about one set return one list, which does not change.
func (l *Local) givenOf(set int) []int {
	if l.given == nil || l.givenTo != set {
		l.given, l.givenTo = l.sets[set].Parents(), set
	}
	return l.given
}

// counts returns the counts of a set's table in a channel. The set is up to date.
func (l *Local) counts(c, set int) Counts {
	if l.lean != nil {
		l, set = l.counted(set), 0
	}
	ch := &l.channels[c]
	return ch.counts[int(l.first[set])*ch.size : int(l.first[set+1])*ch.size]
}

// Probabilities writes the hyper-posterior P_k,j(z) of each set into dst, which has one
// entry for each set, and returns dst.
func (l *Local) Probabilities(dst []float64) []float64 { return normalise(dst, l.logWeights) }

// normalise writes the probabilities of the log weights into dst, which has the same
// length, and returns dst.
func normalise(dst, logWeights []float64) []float64 {
	largest := math.Inf(-1)
	for _, w := range logWeights {
		largest = max(largest, w)
	}
	sum := 0.0
	for k, w := range logWeights {
		dst[k] = exp(w - largest)
		sum += dst[k]
	}
	for k := range dst {
		dst[k] /= sum
	}
	return dst
}

// Best returns the index of the most probable set; ties go to the first listed.
func (l *Local) Best() int {
	best := 0
	for k, w := range l.logWeights {
		if w > l.logWeights[best] {
			best = k
		}
	}
	return best
}

// Edges writes P(X_i → Y_j) = Σ_{z∋i} P_k,j(z) into dst, one for each X
// variable, given the probabilities of the sets, and returns dst. An edge of every set has
// exactly 1, and an edge of none has exactly 0.
func (l *Local) Edges(dst, probabilities []float64) []float64 {
	return edges(dst, l.sets, probabilities)
}

func edges(dst []float64, sets []bigraph.Scope, probabilities []float64) []float64 {
	clear(dst)
	certain := bigraph.First(len(dst))
	for k, z := range sets {
		certain = certain.Both(z)
		for i := range z.All() {
			dst[i] += probabilities[k]
		}
	}
	for i := range dst { // a sum may round to more or less than 1
		if dst[i] = min(1, dst[i]); certain.Has(i) {
			dst[i] = 1
		}
	}
	return dst
}

// Entropy returns −Σ p log₂ p in bits.
func Entropy(probabilities []float64) float64 {
	h := 0.0
	for _, p := range probabilities {
		if p > 0 {
			h -= float64(p * math.Log2(p))
		}
	}
	return h
}

// ParentEntropy returns the entropy in bits of the parents of a variable without the trivial variables,
// because no data can tell whether they are parents. Sets that differ only in trivial variables count
// as one; their probabilities are added in the order of the sets.
func ParentEntropy(sets []bigraph.Scope, probabilities []float64, trivial bigraph.Scope) float64 {
	if trivial.Empty() {
		return Entropy(probabilities)
	}
	at := map[bigraph.Scope]int{}
	var merged []float64
	for k, z := range sets {
		z = z.Without(trivial)
		i, has := at[z]
		if !has {
			i = len(merged)
			at[z], merged = i, append(merged, 0)
		}
		merged[i] += probabilities[k]
	}
	return Entropy(merged)
}
