// Package posterior holds the beliefs of C-PSRL (Appendix "Parametric priors
// and posterior updates"): Dirichlet counts over the rows of a factor, and above
// them a hyper-posterior over the parent sets of each variable, in log weights.
//
// Bits are promised: sums run in the order of the data, weights are natural
// logarithms, and exp is taken as math.Exp2 of a multiple.
package posterior

import (
	"math"
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// MaxCells is the largest number of counts that an agent's beliefs hold.
const MaxCells = 1 << 24

// maxRowOf is the largest number of entries of the row look-up tables.
const maxRowOf = 1 << 20

// Update is the factor by which an observation weighs a parent set.
type Update int

const (
	// Exact multiplies by B(α+e_i)/B(α) = α_i/Σα, the predictive probability.
	Exact Update = iota
	// Printed multiplies by (α_i+1)/(Σα+1), as equation (4) of the paper prints.
	Printed
)

// Step is one observed transition.
type Step struct {
	Point []int   // x, one value for each X variable
	Next  []int   // y, one value for each Y variable
	Paid  []uint8 // for each reward factor 0 or 1: its Bernoulli payoff; nil if not observed
}

// Local is the belief about one variable Y_j: the hyper-posterior P_k,j over
// its candidate parent sets 𝒵_j, uniform at first, and for each z ∈ 𝒵_j the
// Dirichlet counts of each row of p_j(·|x[z]). Reward factors that share Y_j's
// scope are further tables of two outcomes, and their evidence counts too.
type Local struct {
	y           int
	sets        []bigraph.Scope
	given       [][]int   // the parents of each set, ascending
	rowOf       [][]int32 // by set, then point x: the row it selects; nil if that were too large
	logEvidence []float64
	channels    []channel
	update      Update
	space       *fmdp.Space
	strides     []int // of the values of a point in its index
	seen        int   // steps observed

	points, selected []int32 // of the steps being observed
}

// channel is one observed outcome that depends on x[z_j]: the next value of Y_j
// (reward < 0), or the payoff of a reward factor.
type channel struct {
	reward   int
	size     int
	tables   []table // one for each set
	outcomes []int32 // of the steps being observed
}

type table struct {
	counts Counts   // row-major, size columns
	totals []uint32 // the row sums; nil for two outcomes, which are as quickly added
}

// Cells returns how many counts a Local over these sets holds, saturating at
// math.MaxInt.
func Cells(space *fmdp.Space, j int, sets []bigraph.Scope, rewards int) int {
	columns := space.State[j].Size + 1 + rewards*3
	cells := 0
	for _, z := range sets {
		rows := space.Rows(z.Parents())
		if rows > (math.MaxInt-cells)/columns {
			return math.MaxInt
		}
		cells += rows * columns
	}
	return cells
}

// NewLocal returns the prior belief about Y_j: uniform over the sets. The
// rewards are the indices of the reward factors tied to Y_j that are learned.
// Cells must be within MaxCells.
func NewLocal(space *fmdp.Space, j int, sets []bigraph.Scope, rewards []int, update Update) *Local {
	if Cells(space, j, sets, len(rewards)) > MaxCells {
		panic("posterior: belief too large")
	}
	l := &Local{
		y: j, sets: sets, update: update, space: space, strides: space.Strides(),
		given:       make([][]int, len(sets)),
		logEvidence: make([]float64, len(sets)),
		channels:    []channel{{reward: -1, size: space.State[j].Size}},
	}
	for _, f := range rewards {
		l.channels = append(l.channels, channel{reward: f, size: 2})
	}
	for k, z := range sets {
		l.given[k] = z.Parents()
		if len(sets)*space.Points() <= maxRowOf {
			l.rowOf = append(l.rowOf, space.RowOf(l.given[k]))
		}
		rows := space.Rows(l.given[k])
		for c := range l.channels {
			ch := &l.channels[c]
			t := table{counts: make(Counts, rows*ch.size)}
			if ch.size != 2 {
				t.totals = make([]uint32, rows)
			}
			ch.tables = append(ch.tables, t)
		}
	}
	return l
}

// Sets returns the candidate parent sets, in the order given to NewLocal.
func (l *Local) Sets() []bigraph.Scope { return l.sets }

// LogEvidence returns ln P(data | z) for each set; with the printed update, the
// logarithm of what stands in its place.
func (l *Local) LogEvidence() []float64 { return l.logEvidence }

// Observe updates the hyper-posterior and the counts with an episode. It is
// prequential: each transition weighs with the counts before it.
func (l *Local) Observe(steps []Step) {
	l.points = l.points[:0]
	for t := range steps {
		x := 0
		for i, stride := range l.strides {
			x += stride * steps[t].Point[i]
		}
		l.points = append(l.points, int32(x))
	}
	for c := range l.channels {
		ch := &l.channels[c]
		ch.outcomes = ch.outcomes[:0]
		for t := range steps {
			y := steps[t].Next[l.y]
			if ch.reward >= 0 {
				y = int(steps[t].Paid[ch.reward])
			}
			ch.outcomes = append(ch.outcomes, int32(y))
		}
	}
	// The predictive probability of an outcome seen n times in a row seen m
	// times is (n+1)/(m+size); equation (4) prints one more in both.
	more := uint32(0)
	if l.update == Printed {
		more = 1
	}
	for k := range l.sets {
		rowOf, points := l.rows(k, steps)
		for c := range l.channels {
			ch := &l.channels[c]
			if ch.size == 2 && l.seen+len(steps)+4 <= len(logs) {
				l.logEvidence[k] = observeTwo(l.logEvidence[k], ch.tables[k].counts, rowOf, points, ch.outcomes, more)
			} else {
				l.logEvidence[k] = ch.observe(l.logEvidence[k], k, rowOf, points, more)
			}
		}
	}
	l.seen += len(steps)
}

// rows returns how to find the row of the k-th set's tables that each step
// selects: it is rowOf[points[t]].
func (l *Local) rows(k int, steps []Step) (rowOf, points []int32) {
	if l.rowOf != nil {
		return l.rowOf[k], l.points
	}
	l.selected, l.points = l.selected[:0], l.points[:0]
	for t := range steps {
		l.selected = append(l.selected, int32(l.space.Row(l.given[k], steps[t].Point)))
		l.points = append(l.points, int32(t))
	}
	return l.selected, l.points
}

// observe counts the outcomes and returns the log evidence of the k-th set with
// theirs added.
func (ch *channel) observe(evidence float64, k int, rowOf, points []int32, more uint32) float64 {
	counts, totals := ch.tables[k].counts, ch.tables[k].totals
	size := uint32(ch.size)
	for t, x := range points {
		row := counts[int(rowOf[x])*ch.size:][:ch.size]
		n := &row[ch.outcomes[t]]
		var m uint32
		if totals == nil {
			m = row[0] + row[1]
		} else {
			m = totals[rowOf[x]]
			totals[rowOf[x]]++
		}
		evidence += logOf(*n+1+more) - logOf(m+size+more)
		*n++
	}
	return evidence
}

// observeTwo is observe for two outcomes while all counts are within the table
// of logarithms: the loop that an experiment spends most of its time in. In
// WebAssembly a function that calls nothing is compiled to better code, hence
// not inlined.
//
//go:noinline
func observeTwo(evidence float64, counts Counts, rowOf, points, outcomes []int32, more uint32) float64 {
	for t, x := range points {
		at := uint32(2*rowOf[x] + outcomes[t])
		n := counts[at]
		counts[at] = n + 1
		m := n + counts[at^1]
		evidence += logs[(n+1+more)%uint32(len(logs))] - logs[(m+2+more)%uint32(len(logs))]
	}
	return evidence
}

// logs holds the natural logarithms of the integers from 0.
var logs = func() (table [1 << 15]float64) {
	for n := range table {
		table[n] = math.Log(float64(n))
	}
	return table
}()

// logOf returns ln n.
func logOf(n uint32) float64 {
	if n < uint32(len(logs)) {
		return logs[n]
	}
	return math.Log(float64(n))
}

// SampleSet draws the index of a parent set z ~ P_k,j, as the arg max of log
// weight plus Gumbel noise. It draws one variate for each set, or none if there
// is one set only.
func (l *Local) SampleSet(rng *rand.Rand) int {
	if len(l.sets) == 1 {
		return 0
	}
	best, at := math.Inf(-1), 0
	for k, w := range l.logEvidence {
		if w += Gumbel(rng); w > best {
			best, at = w, k
		}
	}
	return at
}

// SampleFactor draws the rows of p_j(·|x[z]) ~ P_k,j(·|z) for the set of that
// index. The factor's table is dst's if it is large enough.
func (l *Local) SampleFactor(rng *rand.Rand, set int, dst []float64) fmdp.Factor {
	size := l.channels[0].size
	f := fmdp.Factor{Given: l.given[set], Size: size, P: l.sample(rng, &l.channels[0], set, dst)}
	if l.rowOf != nil {
		f.RowOf = l.rowOf[set]
	}
	return f
}

// SampleReward draws the mean payoffs of the c-th learned reward factor given
// the set of that index, one for each row of the set.
func (l *Local) SampleReward(rng *rand.Rand, c, set int) (given []int, means []float64) {
	p := l.sample(rng, &l.channels[1+c], set, nil)
	means = make([]float64, len(p)/2)
	for row := range means {
		means[row] = p[2*row+1]
	}
	return l.given[set], means
}

func (l *Local) sample(rng *rand.Rand, ch *channel, set int, dst []float64) []float64 {
	counts := ch.tables[set].counts
	if cap(dst) < len(counts) {
		dst = make([]float64, len(counts))
	}
	dst = dst[:len(counts)]
	for at := 0; at < len(counts); at += ch.size {
		counts[at:at+ch.size].Sample(rng, dst[at:at+ch.size])
	}
	return dst
}

// Probabilities writes the hyper-posterior P_k,j(z) of each set into dst, which
// has their number, and returns it.
func (l *Local) Probabilities(dst []float64) []float64 { return Normalise(dst, l.logEvidence) }

// Normalise writes the probabilities of log weights into dst, which has their
// length, and returns it.
func Normalise(dst, logWeights []float64) []float64 {
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
	for k, w := range l.logEvidence {
		if w > l.logEvidence[best] {
			best = k
		}
	}
	return best
}

// Edges writes P(X_i → Y_j) = Σ_{z∋i} P_k,j(z) into dst, one for each X
// variable, given the probabilities of the sets.
func (l *Local) Edges(dst, probabilities []float64) []float64 {
	clear(dst)
	for k, z := range l.sets {
		for i := range z.All() {
			dst[i] += probabilities[k]
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
