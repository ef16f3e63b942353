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
	"math/bits"
	"math/rand/v2"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
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
	Rows dirichlet.Concentration
	// Tied says that a table may tie its rows along one parent.
	Tied bool
	own  *ties // replaces the prior of ties in tests
	// Sets holds ln P_0,j of each candidate parent set, up to a constant. It is nil if the
	// sets are equally likely.
	Sets []float64
	// Tables may be shared by the beliefs of one agent. If it is nil, the belief makes its
	// own.
	Tables *Tables
}

// Step is one observed transition.
type Step struct {
	Point  []int   // x, one value for each X variable
	Next   []int   // y, one value for each Y variable
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
	logEvidence []float64
	logWeights  []float64    // ln P_k,j of each set, up to a constant; logEvidence itself if the sets are equally likely a priori
	hypotheses  []hypothesis // one for each α
	payoffs     predictive   // for the learned reward factors
	paid        []float64    // ln P(payoffs | z) of each set; nil if logEvidence includes it
	channels    []channel
	law         Law
	sizes       []int       // the number of values of each X variable
	strides     []int       // what one unit of each X variable adds to the index of a point
	legal       *fmdp.Space // the space, if not all joint actions are legal; else nil
	room        int         // after this many more steps the counts are still within the tables of logarithms

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
// the number of reward factors that the Local learns. The result saturates at math.MaxInt.
func (law *Law) Cells(space *fmdp.Space, j int, sets []bigraph.Scope, rewards int) int {
	return law.cells(space, space.State[j].Size, sets, rewards)
}

// PayoffCells is Cells of the belief of [NewPayoff].
func (law *Law) PayoffCells(space *fmdp.Space, sets []bigraph.Scope) int {
	return law.cells(space, 2, sets, 0)
}

func (law *Law) cells(space *fmdp.Space, size int, sets []bigraph.Scope, rewards int) int {
	columns, copies := size+1+rewards*3, 0
	if law.blocks() {
		copies = 1
		if law.Rows.Learns() {
			copies = len(law.Rows.Alphas(1, 1))
		}
	}
	cells := 0
	for _, z := range sets {
		rows, groups := space.Rows(z.Parents()), 0
		if law.ties().tie > 0 {
			if rows > math.MaxInt/(columns+massCells*copies)/(z.Len()+1)-pairCells { // so that nothing below overflows
				return math.MaxInt
			}
			for i := range z.All() {
				groups += rows/space.Var(i).Size + pairCells/massCells
			}
		}
		if rows > math.MaxInt/(columns+massCells*copies)-groups || rows*columns+(rows+groups)*massCells*copies > math.MaxInt-cells {
			return math.MaxInt
		}
		cells += rows*columns + (rows+groups)*massCells*copies
	}
	return cells
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
	if law.cells(space, first.size, sets, len(rewards)) > math.MaxInt32 {
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
	n := int32(0)
	for i := range space.X() {
		l.sizes = append(l.sizes, space.Var(i).Size)
	}
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
	}
	if space.Legal != nil {
		l.legal = space
	}
	l.suppose()
	l.logWeights = l.logEvidence
	if law.Sets != nil {
		l.logWeights = slices.Clone(law.Sets)
	}
	return l
}

// Sets returns the candidate parent sets in the order given to [NewLocal].
func (l *Local) Sets() []bigraph.Scope { return l.sets }

// LogEvidence returns ln P(data | z) of the set of that index or, with the Printed update, the
// logarithm of the product of the printed factors. If α is learned, P(data | z) is the
// mean of P(data | z, α) over the list. The call changes nothing that is kept, and takes long for a
// tied table whose probability is too small to matter.
func (l *Local) LogEvidence(set int) float64 {
	if l.current(set) {
		return l.logEvidence[set]
	}
	logs := make([]float64, len(l.hypotheses))
	for a := range logs {
		logs[a] = l.hypotheses[a].blocks.batch(l, set)
	}
	return l.paid[set] + (logSum(logs) - math.Log(float64(len(logs))))
}

// Observe updates the hyper-posterior and the counts with an episode. It is
// prequential: the weight of a transition depends on the counts before it. Payoffs are observed in
// all of the steps or in none of them.
func (l *Local) Observe(steps []Step) { l.observe(steps, l.within(len(steps))) }

// observe counts with loops.Tally or tallyEach if quick, else with channel.observe.
func (l *Local) observe(steps []Step, quick bool) {
	unpaid := len(steps) > 0 && steps[0].Paid == nil
	if unpaid && l.y < 0 {
		return
	}
	for c := range l.channels {
		ch := &l.channels[c]
		if unpaid && ch.reward >= 0 {
			continue
		}
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
	blocks := l.law.blocks()
	var rows, points []int32
	for c := range l.channels {
		if blocks { // the first channel comes last, because it needs the evidence of the others
			c = len(l.channels) - 1 - c
		}
		ch := &l.channels[c]
		if unpaid && ch.reward >= 0 {
			continue
		}
		for at := 0; at < len(steps); at += len(points) {
			if len(points) < len(steps) { // else the channel before has found them all
				rows, points = l.rowsAt(steps[at:])
			}
			outcomes := ch.outcomes[at:][:len(points)]
			switch {
			case c == 0 && blocks:
				l.observeBlocks(rows, points, outcomes)
			case c > 0 && quick:
				loops.Tally(l.shared(), ch.counts, ch.totals, rows, len(l.sets), points, outcomes, l.payoffs.logs, ch.size)
			case c > 0:
				ch.observe([]hypothesis{{evidence: l.shared(), runs: []run{{len(l.sets), l.payoffs}}}}, rows, points, outcomes)
			case !quick || ch.size > loops.MostOutcomes || slices.ContainsFunc(l.hypotheses, untabled):
				ch.observe(l.hypotheses, rows, points, outcomes)
			case len(l.hypotheses) > 1:
				tallyEach(l.hypotheses, ch, rows, points, outcomes)
			default:
				l.hypotheses[0].tally(ch, rows, points, outcomes)
			}
		}
	}
	l.average()
	l.weigh()
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
		l.hypotheses[a].blocks.update(&l.changes)
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
		h.evidence[set] = h.blocks.refresh(l, set)
	}
	return l.weight(set)
}

// ready brings everything that is kept of a set up to date.
func (l *Local) ready(set int) {
	if !l.current(set) {
		l.refresh(set)
		l.logEvidence[set] = l.paid[set] + l.mean(set, math.Log(float64(len(l.hypotheses))))
		l.logWeights[set] = l.weight(set)
	}
}

// weight returns ln P_k,j of a set, up to a constant, by its evidence under each hypothesis.
func (l *Local) weight(set int) float64 {
	return l.times(set, l.paid[set]+l.mean(set, math.Log(float64(len(l.hypotheses)))))
}

// weigh computes the weights of the sets from their evidence, unless the two are one.
func (l *Local) weigh() {
	for k, prior := range l.law.Sets {
		l.logWeights[k] = prior + l.logEvidence[k]
	}
}

// within reports whether the counts are certain to stay within the tables of logarithms
// for that many more steps.
func (l *Local) within(steps int) bool {
	if l.room < steps {
		l.room = loops.LogTableLen - loops.MostOutcomes - 2 - int(slices.Max(l.channels[0].totals))
	}
	l.room -= steps
	return l.room >= 0
}

// rowsAt finds the rows of the sets' tables that the first len(points) steps select: step
// t selects rows[points[t]·n+k] for set k of n. It covers at least one step.
func (l *Local) rowsAt(steps []Step) (rows, points []int32) {
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
		return l.rows, l.points
	}
	l.selected = l.selected[:0]
	for t := range steps {
		if len(l.selected) > 0 && len(l.selected)+len(l.sets) > maxRows {
			break
		}
		for k, z := range l.sets {
			l.selected = append(l.selected, l.first[k]+l.row(z, steps[t].Point))
		}
		l.points = append(l.points, int32(t))
	}
	return l.selected, l.points
}

// row returns the row of the table of a set that point selects.
func (l *Local) row(z bigraph.Scope, point []int) int32 {
	row := 0
	for w := uint64(z); w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
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
	return !l.law.blocks() || l.hypotheses[0].blocks.current(set)
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
	l.ready(set)
	counts, size, h := l.counts(0, set), l.channels[0].size, l.sampleHypothesis(rng, set)
	dst = slices.Grow(dst[:0], len(counts))[:len(counts)]
	if h.blocks != nil {
		h.blocks.sample(l, rng, set, dst)
		return fmdp.Factor{Given: l.sets[set].Parents(), Size: size, P: dst}
	}
	alpha := h.alpha(set)
	for at := 0; at < len(counts); at += size {
		counts[at:at+size].Sample(rng, alpha, dst[at:at+size])
	}
	return fmdp.Factor{Given: l.sets[set].Parents(), Size: size, P: dst}
}

// SampleReward draws the mean payoffs of the c-th learned reward factor, counted from 0,
// given the set of that index: one for each row of the set's table, in a new slice.
func (l *Local) SampleReward(rng *rand.Rand, c, set int) (given []int, means []float64) {
	return l.sets[set].Parents(), l.counts(1+c, set).SampleMeans(rng)
}

// counts returns the counts of a set's table in a channel.
func (l *Local) counts(c, set int) Counts {
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
	certain := ^bigraph.Scope(0)
	for k, z := range sets {
		certain &= z
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
	if trivial == 0 {
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
