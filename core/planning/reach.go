package planning

import (
	"fmt"
	"math"
	"math/bits"

	"cpsrl/core/fmdp"
)

// MaxSuccessors is the largest number of entries of the laws of all points that can occur, as [Reach] lists them.
const MaxSuccessors = 1 << 22

// mostTerms is the largest number of products that Reach adds up for the payoffs on arrival.
const mostTerms = 1 << 26

// TooManyError says that more can occur in a model than Reach lists.
type TooManyError struct {
	What  string // "state-action pairs"
	Limit int
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("more than %d %s can occur within the horizon, so no policy can be valued exactly", e.Limit, e.What)
}

// Reached is the part of a model that can occur: the states to which legal actions lead from the initial law within the
// horizon. It is an MDP over these states, by which [Solve], [Uniform] and [Return] plan and value exactly, however many
// states the model has. A state has the number in which a breadth-first search first meets it, so equal models have equal
// numbers. If there are states in which only the last step can be taken, then nothing follows them, and the MDP has one
// more state, an end that never occurs: it keeps what is said of stopping early true.
//
// Several goroutines may read it at once.
type Reached struct {
	*MDP
	Initial []float64 // μ by state
	set     *stateSet
	law     *sparse
}

// Reach returns what can occur in a valid model. If that is too much to list, the error is a *[TooManyError].
func Reach(m *fmdp.Model) (*Reached, error) {
	actions := m.Actions()
	if actions > fmdp.MaxPoints {
		return nil, (*reaching)(nil).full()
	}
	b := &reaching{
		model: m, ends: m.Endings(), acts: m.JointActions(), set: newStateSet(&m.Space), law: &sparse{},
		point: make([]int, m.X()), next: make([]int, m.Y()), most: fmdp.MaxPoints / actions,
	}
	r := &Reached{set: b.set, law: b.law}
	if err := b.begin(r); err != nil {
		return nil, err
	}
	for togo := m.Horizon; togo > 0 && b.listed < b.set.len(); togo-- {
		for level := b.set.len(); b.listed < level; b.listed++ {
			if err := b.leave(togo); err != nil {
				return nil, err
			}
		}
	}
	states := b.set.len()
	if b.cut {
		states++
		b.ended, b.reward = append(b.ended, 1), append(b.reward, make([]float64, actions)...)
		for range actions {
			b.law.end()
			if b.legal != nil {
				b.legal = append(b.legal, true)
			}
		}
	}
	if fmdp.Times(states, m.Horizon) > fmdp.MaxPolicy {
		return nil, &TooManyError{"pairs of a state and a step", fmdp.MaxPolicy}
	}
	r.Initial = append(r.Initial, make([]float64, states-len(r.Initial))...)
	r.MDP = &MDP{States: states, Actions: actions, Horizon: m.Horizon, Reward: b.reward, Next: b.law, Legal: b.legal}
	if b.cut || m.Ends != nil {
		r.Ended = b.ended
	}
	return r, nil
}

// Len returns the number of states that can occur.
func (r *Reached) Len() int { return r.set.len() }

// Work returns the multiplications of a recursion that does not stop early.
func (r *Reached) Work() float64 { return float64(len(r.law.p)) * float64(r.Horizon) }

// State writes the values of a state that can occur into dst, which has length d_Y, and returns dst.
func (r *Reached) State(dst []int, s int) []int { return r.set.state(dst, s) }

// Index returns the number of a state, or −1 if it cannot occur.
func (r *Reached) Index(state []int) int {
	set := *r.set
	set.key = make([]uint64, set.words) // others may look, too
	return set.find(state)
}

// Value returns the expected return of a policy. It asks for the action only where the policy leads, once in each state
// and step. The error is that of act.
func (r *Reached) Value(act func(h int, state []int) (int, error)) (float64, error) {
	// The probabilities of the states at a step and at the next, and the states in which they may not be 0.
	p, after := append([]float64(nil), r.Initial...), make([]float64, r.States)
	var here, there []int32
	for s, q := range p {
		if q > 0 {
			here = append(here, int32(s))
		}
	}
	value, state := 0.0, make([]int, len(r.set.at))
	for h := 1; h <= r.Horizon; h++ {
		there = there[:0]
		for _, s := range here {
			q := p[s]
			p[s] = 0
			if q == 0 || r.Ended != nil && r.Ended[s] != 0 {
				continue
			}
			a, err := act(h, r.State(state, int(s)))
			if err != nil {
				return 0, err
			}
			x := int(s)*r.Actions + a
			value += float64(q * r.Reward[x])
			for k := r.law.first(x); k < r.law.ends[x]; k++ {
				y := r.law.next[k]
				if after[y] == 0 {
					there = append(there, y)
				}
				after[y] += float64(q * r.law.p[k])
			}
		}
		p, after, here, there = after, p, there, here
	}
	return value, nil
}

// sparse is the [Operator] of laws of which only the possible next states are listed, point after point.
type sparse struct {
	ends []int32 // by point, where its entries end
	next []int32
	p    []float64
}

// end ends the entries of a point.
func (l *sparse) end() { l.ends = append(l.ends, int32(len(l.next))) }

// first returns where the entries of a point begin.
func (l *sparse) first(x int) int32 {
	if x == 0 {
		return 0
	}
	return l.ends[x-1]
}

// Apply implements [Operator]. It adds the next states in the order in which they are listed.
func (l *sparse) Apply(dst, v []float64, points []int32) {
	for i, x := range points {
		from, to := l.first(int(x)), l.ends[x]
		p, sum := l.p[from:to], 0.0
		for k, y := range l.next[from:to] {
			sum += float64(p[k] * v[y])
		}
		dst[i] = sum
	}
}

// reaching is a breadth-first search.
type reaching struct {
	model  *fmdp.Model
	ends   *fmdp.Ends
	acts   [][]int // the values of each joint action
	set    *stateSet
	most   int // the most states
	law    *sparse
	reward []float64
	ended  []uint8
	legal  []bool // by point; nil if all joint actions are legal in each state
	listed int    // the number of states whose points are listed
	cut    bool   // a state has no next states because the horizon ends

	point []int
	next  []int
	open  []int // the variables of the next state that are not certain
	rows  [][]float64
	terms int
}

// begin meets the states in which an episode may begin.
func (b *reaching) begin(r *Reached) error {
	m := b.model
	if m.Initial != nil {
		for s, p := range m.Initial {
			if p > 0 {
				if err := b.meet(m.Point(b.next, s)); err != nil {
					return err
				}
				r.Initial = append(r.Initial, p)
			}
		}
		return nil
	}
	// A state that is listed twice counts twice among those that are possible.
	if m.First.Possible()/max(1, len(m.First.States)) > b.most {
		return b.full()
	}
	for state, p := range m.First.All() {
		s := b.set.len()
		if k := b.set.find(state); k >= 0 {
			s = k
		} else if err := b.meet(state); err != nil {
			return err
		} else {
			r.Initial = append(r.Initial, 0)
		}
		r.Initial[s] += p
	}
	return nil
}

// full returns the error of more states than are listed.
func (b *reaching) full() error { return &TooManyError{"state-action pairs", fmdp.MaxPoints} }

// meet adds a new state.
func (b *reaching) meet(state []int) error {
	if b.set.len() == b.most {
		return b.full()
	}
	b.set.add(state)
	b.ended = append(b.ended, uint8(b.ends.At(state)))
	return nil
}

// leave lists the points of the first state that has none, in which that many steps can be taken.
func (b *reaching) leave(togo int) error {
	m := b.model
	b.set.state(b.point[:m.Y()], b.listed)
	for a, values := range b.acts {
		may := m.May(b.point[:m.Y()], a)
		if m.Legal.ByState() {
			b.legal = append(b.legal, may)
		}
		if b.ended[b.listed] != 0 || !may {
			b.reward = append(b.reward, 0)
			b.law.end()
			continue
		}
		copy(b.point[m.Y():], values)
		pays, err := b.pays()
		if err != nil {
			return err
		}
		b.reward = append(b.reward, pays)
		if togo > 1 {
			if err := b.follow(); err != nil {
				return err
			}
		} else {
			b.cut = true
		}
		b.law.end()
	}
	return nil
}

// follow lists the states that may follow the present point.
func (b *reaching) follow() error {
	m := b.model
	b.open, b.rows = b.open[:0], b.rows[:0]
	certain, count := 1.0, 1
	for j := range m.Transition {
		row := m.Transition[j].Row(m.Row(m.Transition[j].Given, b.point))
		possible := 0
		for v, p := range row {
			if p > 0 {
				possible++
				b.next[j] = v
			}
		}
		if possible == 1 {
			certain = float64(certain * row[b.next[j]])
			continue
		}
		b.open, b.rows = append(b.open, j), append(b.rows, row)
		count = fmdp.Times(count, possible)
	}
	if count > MaxSuccessors-len(b.law.next) {
		return &TooManyError{"transitions", MaxSuccessors}
	}
	return b.spread(0, certain)
}

// spread lists the next states whose uncertain variables up to one are set and have that probability.
func (b *reaching) spread(k int, p float64) error {
	if k == len(b.open) {
		s := b.set.find(b.next)
		if s < 0 {
			s = b.set.len()
			if err := b.meet(b.next); err != nil {
				return err
			}
		}
		b.law.next, b.law.p = append(b.law.next, int32(s)), append(b.law.p, p)
		return nil
	}
	for v, q := range b.rows[k] {
		if q > 0 {
			b.next[b.open[k]] = v
			if err := b.spread(k+1, float64(p*q)); err != nil {
				return err
			}
		}
	}
	return nil
}

// pays returns the expected payoff at the present point. It adds the factors in their order.
func (b *reaching) pays() (float64, error) {
	sum := 0.0
	for f := range b.model.Reward {
		r := &b.model.Reward[f]
		mean := 0.0
		if r.Arrives(&b.model.Space) {
			mean = b.arrive(r, 0, 0)
		} else {
			mean = r.Mean[b.model.Row(r.Given, b.point)]
		}
		sum += float64(r.Scale * mean)
	}
	if b.terms > mostTerms {
		return 0, &TooManyError{"payoffs on arrival", mostTerms}
	}
	return sum, nil
}

// arrive returns the mean payoff of a factor on arrival, where its given variables up to one select a part of the row.
func (b *reaching) arrive(r *fmdp.Reward, k, row int) float64 {
	if k == len(r.Given) {
		b.terms++
		return r.Mean[row]
	}
	m := b.model
	i := r.Given[k]
	row *= m.Var(i).Size
	if i < m.X() {
		return b.arrive(r, k+1, row+b.point[i])
	}
	law := &m.Transition[i-m.X()]
	sum := 0.0
	for v, p := range law.Row(m.Row(law.Given, b.point)) {
		if p > 0 && b.terms <= mostTerms {
			sum += float64(p * b.arrive(r, k+1, row+v))
		}
	}
	return sum
}

// stateSet numbers states in the order in which they are added. A state takes a few words, a few bits for each variable.
type stateSet struct {
	at    []bitField // by variable
	words int        // of a state
	keys  []uint64   // the states
	table []int32    // 1 more than the number of a state, or 0, by hash; its length is a power of two
	key   []uint64
}

// bitField is where the value of a variable is in the words of a state.
type bitField struct{ word, shift, width int }

func newStateSet(space *fmdp.Space) *stateSet {
	t, used := &stateSet{table: make([]int32, 1<<6)}, 0
	for _, v := range space.State {
		width := bits.Len(uint(v.Size - 1))
		if t.words == 0 || used+width > 64 {
			t.words, used = t.words+1, 0
		}
		t.at = append(t.at, bitField{t.words - 1, used, width})
		used += width
	}
	t.key = make([]uint64, t.words)
	return t
}

// len returns the number of states.
func (t *stateSet) len() int { return len(t.keys) / t.words }

// pack writes the words of a state into key.
func (t *stateSet) pack(state []int) {
	clear(t.key)
	for j, f := range t.at {
		t.key[f.word] |= uint64(state[j]) << f.shift
	}
}

// state writes the values of a state into dst and returns it.
func (t *stateSet) state(dst []int, s int) []int {
	key := t.keys[s*t.words:]
	for j, f := range t.at {
		dst[j] = int(key[f.word] >> f.shift & (1<<f.width - 1))
	}
	return dst
}

// slot returns the entry of the table with the state of the words in key, or that where it would be.
func (t *stateSet) slot() int {
	h := uint64(math.MaxUint32)
	for _, word := range t.key {
		h = (h ^ word) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
search:
	for at := int(h) & (len(t.table) - 1); ; at = (at + 1) & (len(t.table) - 1) {
		s := int(t.table[at]) - 1
		if s < 0 {
			return at
		}
		for k, word := range t.keys[s*t.words:][:t.words] {
			if word != t.key[k] {
				continue search
			}
		}
		return at
	}
}

// find returns the number of a state, or −1 if it is not in the set.
func (t *stateSet) find(state []int) int {
	t.pack(state)
	return int(t.table[t.slot()]) - 1
}

// add adds a state that is not in the set.
func (t *stateSet) add(state []int) {
	if 2*t.len() >= len(t.table) {
		t.table = make([]int32, 2*len(t.table))
		for s := range t.len() {
			copy(t.key, t.keys[s*t.words:])
			t.table[t.slot()] = int32(s + 1)
		}
	}
	t.pack(state)
	at := t.slot()
	t.keys = append(t.keys, t.key...)
	t.table[at] = int32(t.len())
}
