package posterior

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Weights is the hyper-posterior over all parent sets of one variable Y_j.
type Weights struct {
	Sets        []bigraph.Scope // 𝒵_j, in the order of bigraph.Prior.Enumerate
	P           []float64       // P(z | data) of each set
	LogEvidence []float64       // ln P(data | z) of each set, as from Local.LogEvidence
	LogWeight   []float64       // ln P(z | data) of each set, up to a constant
	Edges       []float64       // P(X_i → Y_j) for each X_i
	// Matters holds, for the most probable set, the probability that each parent matters in each
	// context; nil if rows are not tied.
	Matters []Matter
	best    float64 // the weight of that set
}

// Weighing weighs the parent sets of every variable by transitions that are read one
// at a time. The evidence is that of one [Local] over all parent sets of a variable, but
// the beliefs need not all fit into memory: the sets are divided into groups, and the
// transitions are read once for each group.
type Weighing struct {
	space  *fmdp.Space
	prior  *bigraph.Prior
	law    Law // without Sets
	list   []Weights
	groups [][]part // the groups that have not been read
	first  []byte   // the hash of the transitions of the first pass; nil before it ends
}

// part is a range of the parent sets of a variable, consecutive in 𝒵_j.
type part struct {
	y    int
	sets []bigraph.Scope
}

// ChangedError says that the transitions of a pass are not those of the first pass.
type ChangedError struct{}

func (*ChangedError) Error() string {
	return "the transitions are not the same as at the first reading"
}

// MaxWeighed is the size of the largest group of a [Weighing] in counts of 4 bytes.
// A group of that size holds 63 binary state variables, each with all 43,745 sets of at
// most 3 of 64 variables.
const MaxWeighed = 3 << 25

// perWeighed is the memory of a parent set in addition to its counts, in counts. If α is
// learned, each α of the list adds perAlpha.
const (
	perWeighed = 8
	perAlpha   = 2
)

// NewWeighing lists the parent sets and divides them into groups. If a variable has too
// many sets, the error is a *[bigraph.TooManyError]. If the counts of one set exceed
// MaxWeighed, it is a *[SetTooLargeError].
func NewWeighing(space *fmdp.Space, prior *bigraph.Prior, law Law) (*Weighing, error) {
	return newWeighing(space, prior, law, MaxWeighed)
}

func newWeighing(space *fmdp.Space, prior *bigraph.Prior, law Law, cells int) (*Weighing, error) {
	law.Tables = new(Tables)
	w := &Weighing{space: space, prior: prior, law: law, list: make([]Weights, space.Y())}
	room, perSet, lists := 0, perWeighed, bigraph.NewLists(prior)
	if law.Rows.Learns() {
		perSet += perAlpha * len(law.Rows.Alphas(1, 1))
	}
	for j := range w.list {
		sets, err := lists.Of(j)
		if err != nil {
			return nil, err
		}
		w.list[j].Sets = sets
		for len(sets) > 0 {
			n, rest := law.fitting(space, j, sets, room, perSet)
			if n == 0 {
				if n, rest = law.fitting(space, j, sets, cells, perSet); n == 0 {
					return nil, &SetTooLargeError{j, sets[0].Len(), cells}
				}
				w.groups = append(w.groups, nil)
			}
			last := len(w.groups) - 1
			w.groups[last] = append(w.groups[last], part{j, sets[:n]})
			sets, room = sets[n:], rest
		}
	}
	return w, nil
}

// fitting returns how many of the first sets fit into that many counts and how many
// counts remain. Each set takes perSet in addition to its counts.
func (law *Law) fitting(space *fmdp.Space, j int, sets []bigraph.Scope, cells, perSet int) (n, rest int) {
	boxes := 0
	for n < len(sets) {
		own, shared := law.setCells(space, space.State[j].Size, sets[n], 0)
		more := max(0, shared-boxes)
		if own > cells-perSet || more > cells-perSet-own {
			break
		}
		boxes += more
		cells -= own + more + perSet
		n++
	}
	return n, cells
}

// Widest returns the Y variable and the candidate set whose table has the most entries; of several, the
// first.
func (w *Weighing) Widest() (y int, set bigraph.Scope) {
	most := 0
	for j := range w.list {
		for _, z := range w.list[j].Sets {
			if n := w.space.Rows(z.Parents()) * w.space.State[j].Size; n > most {
				most, y, set = n, j, z
			}
		}
	}
	return y, set
}

// Passes returns how many more times the transitions must be read.
func (w *Weighing) Passes() int { return len(w.groups) }

// together is the largest number of rows that the steps observed at once select. The
// more sets there are, the fewer steps are observed at once.
const together = 1 << 16

// Read reads the transitions once, for the next group. Every Read must get the same
// transitions; otherwise its error is a *[ChangedError]. The sequence may reuse the memory
// of a step for the next one. Read returns the first error of the sequence.
func (w *Weighing) Read(data iter.Seq2[Step, error]) error {
	group := w.groups[0]
	locals, most := make([]*Local, len(group)), 1
	for k, p := range group {
		locals[k] = NewLocal(w.space, p.y, p.sets, nil, w.law)
		locals[k].past.all = nil // no set is passed over, since all are asked for
		most = max(most, len(p.sets))
	}
	steps := make([]Step, max(1, together/most))
	for k := range steps {
		steps[k] = Step{Point: make([]int, w.space.X()), Next: make([]int, w.space.Y())}
	}
	n, hash, value := 0, fnv.New64a(), make([]byte, 8)
	observe := func() {
		for _, local := range locals {
			local.Observe(steps[:n])
		}
		n = 0
	}
	for step, err := range data {
		if err != nil {
			return err
		}
		copy(steps[n].Point, step.Point)
		copy(steps[n].Next, step.Next)
		for _, v := range step.Point {
			hash.Write(binary.LittleEndian.AppendUint64(value[:0], uint64(v)))
		}
		for _, v := range step.Next {
			hash.Write(binary.LittleEndian.AppendUint64(value[:0], uint64(v)))
		}
		if n++; n == len(steps) {
			observe()
		}
	}
	observe()
	if w.first == nil {
		w.first = hash.Sum(nil)
	}
	if !bytes.Equal(w.first, hash.Sum(nil)) {
		return new(ChangedError)
	}
	for k, p := range group {
		of := &w.list[p.y]
		evidence := make([]float64, len(p.sets))
		for at := range evidence {
			evidence[at] = locals[k].LogEvidence(at)
		}
		w.matter(p, locals[k], evidence)
		of.LogEvidence = append(of.LogEvidence, evidence...)
	}
	w.groups = w.groups[1:]
	return nil
}

// matter takes the contexts of the most probable set of a part, if it is the most probable so far.
func (w *Weighing) matter(p part, local *Local, evidence []float64) {
	of := &w.list[p.y]
	weights := w.prior.LogWeights(p.y, p.sets)
	if weights == nil {
		weights = make([]float64, len(p.sets))
	}
	best := -1
	for k, e := range evidence {
		if weights[k] += e; len(of.LogEvidence) == 0 && best < 0 || weights[k] > of.best {
			best, of.best = k, weights[k]
		}
	}
	if best >= 0 {
		of.Matters = local.Matters(best)
	}
}

// Weights returns the hyper-posterior of each variable after the last pass.
func (w *Weighing) Weights() []Weights {
	for j := range w.list {
		of := &w.list[j]
		of.LogWeight = of.LogEvidence
		if prior := w.prior.LogWeights(j, of.Sets); prior != nil {
			for k, e := range of.LogEvidence {
				prior[k] += e
			}
			of.LogWeight = prior
		}
		of.P = normalise(make([]float64, len(of.Sets)), of.LogWeight)
		of.Edges = edges(make([]float64, w.space.X()), of.Sets, of.P)
	}
	return w.list
}

// SetTooLargeError says that the counts of one parent set of Y_j alone exceed the limit.
type SetTooLargeError struct{ Y, Parents, Limit int }

func (e *SetTooLargeError) Error() string {
	return fmt.Sprintf("a belief about Y_%d given %d variables takes more than %d counts", e.Y, e.Parents, e.Limit)
}

// Ranked returns the indices of the values in descending order of value. Ties keep their
// order.
func Ranked(values []float64) []int {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order
}
