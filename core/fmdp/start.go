package fmdp

import (
	"encoding/binary"
	"iter"
	"math/rand/v2"
	"slices"

	"cpsrl/core/bigraph"
)

// Start is a law μ of the first state that need not list all states: it lists assignments of the first state
// variables, and the other variables are independent of them and of each other. If it lists none, μ is a product.
type Start struct {
	States [][]int     // assignments of the first variables; nil if all variables are in Each
	P      []float64   // the probability of each of these
	Each   [][]float64 // the law of each variable after these
}

// UniformStart returns the law in which all states of the space are equally likely.
func UniformStart(s *Space) *Start {
	law := &Start{}
	for _, v := range s.State {
		law.Each = append(law.Each, Uniform(v.Size))
	}
	return law
}

// listed returns the number of variables that the list is about.
func (s *Start) listed() int {
	if len(s.States) == 0 {
		return 0
	}
	return len(s.States[0])
}

// Draw draws the first state into dst, which has length d_Y: the list first, then variable by variable.
func (s *Start) Draw(rng *rand.Rand, dst []int) {
	n := 0
	if len(s.States) > 0 {
		n = copy(dst, s.States[Draw(rng, s.P)])
	}
	for k, law := range s.Each {
		dst[n+k] = Draw(rng, law)
	}
}

// At returns μ of a state.
func (s *Start) At(state []int) float64 {
	n, p := s.listed(), 1.0
	if n > 0 {
		p = 0
		for k, values := range s.States {
			if slices.Equal(values, state[:n]) {
				p += s.P[k]
			}
		}
	}
	for k, law := range s.Each {
		p = float64(p * law[state[n+k]])
	}
	return p
}

// Marginal returns the law of the variables from one up to another.
func (s *Start) Marginal(from, to int) *Start {
	listed := s.listed()
	part := &Start{Each: s.Each[max(from-listed, 0):max(to-listed, 0)]}
	if from < listed {
		part.P = s.P
		for _, values := range s.States {
			part.States = append(part.States, values[from:min(to, listed)])
		}
	}
	return part
}

// Independent returns the law of a variable that is independent of the others, or nil if the list is about it.
func (s *Start) Independent(j int) []float64 {
	if listed := s.listed(); j >= listed {
		return s.Each[j-listed]
	}
	return nil
}

// Possible returns how many states are possible, saturated. A state that is listed twice counts twice.
func (s *Start) Possible() int {
	n := 1
	if len(s.States) > 0 {
		n = possible(s.P)
	}
	for _, law := range s.Each {
		n = Times(n, possible(law))
	}
	return n
}

func possible(law []float64) (n int) {
	for _, p := range law {
		if p > 0 {
			n++
		}
	}
	return n
}

// IsUniform reports whether the law is written as that in which all states are equally likely: it lists none.
func (s *Start) IsUniform() bool {
	return len(s.States) == 0 && !slices.ContainsFunc(s.Each, func(law []float64) bool {
		return slices.ContainsFunc(law, func(p float64) bool { return p != law[0] })
	})
}

// All yields the possible states, each new, with their probabilities.
func (s *Start) All() iter.Seq2[[]int, float64] {
	return func(yield func([]int, float64) bool) {
		heads, p := s.States, s.P
		if len(heads) == 0 {
			heads, p = [][]int{nil}, []float64{1}
		}
		for k, head := range heads {
			if p[k] > 0 && !tails(append([]int{}, head...), p[k], s.Each, yield) {
				return
			}
		}
	}
}

// tails yields the states that begin so, with the probabilities of what follows under the laws.
func tails(head []int, p float64, laws [][]float64, yield func([]int, float64) bool) bool {
	if len(laws) == 0 {
		return yield(head, p)
	}
	for v, q := range laws[0] {
		if q > 0 && !tails(append(head[:len(head):len(head)], v), float64(p*q), laws[1:], yield) {
			return false
		}
	}
	return true
}

// check returns a *[Fault] if s is no law over the states of a space, and scales its probabilities.
func (s *Start) check(space *Space) error {
	if n := s.listed() + len(s.Each); n != space.Y() || len(s.P) != len(s.States) {
		return fault(at("initial"), "the initial distribution is over %d variables; the state has %d", n, space.Y())
	}
	for _, values := range s.States {
		for i, v := range values {
			if len(values) != s.listed() || v < 0 || v >= space.State[i].Size {
				return fault(at("initial"), "the initial distribution lists %v, which is no state", values)
			}
		}
	}
	laws := s.Each
	if len(s.States) > 0 {
		laws = append([][]float64{s.P}, laws...)
	}
	for k, law := range laws {
		if i := k + space.Y() - len(laws); len(s.States) == 0 || k > 0 {
			if len(law) != space.State[i].Size {
				return fault(at("initial"), "%d probabilities for the %d values of %q", len(law), space.State[i].Size, space.State[i].Name)
			}
		}
		if err := (&Scaling{}).Initial(law); err != nil {
			return err
		}
	}
	return nil
}

// DrawStart draws the first state into dst, which has length d_Y.
func (m *Model) DrawStart(rng *rand.Rand, dst []int) {
	if m.Initial == nil {
		m.First.Draw(rng, dst)
		return
	}
	m.Point(dst, Draw(rng, m.Initial))
}

// List lists μ in Initial, if it is there as a law. The error is that of [Model.CheckListed].
func (m *Model) List() error {
	if err := m.CheckListed(); err != nil || m.Initial != nil {
		return err
	}
	m.Initial = make([]float64, m.States())
	state := make([]int, m.Y())
	for s := range m.Initial {
		m.Initial[s] = m.First.At(m.Point(state, s))
	}
	return nil
}

// Ends tells in which states an episode has ended.
type Ends struct {
	space *Space
	list  []uint8 // by state; nil if the states are too many
	kinds []endTable
	added map[string]bool // the keys of the states that were added, if there is no list
}

// endTable is a kind of ending.
type endTable struct {
	given []int
	is    []bool  // by row over the given variables; nil if there are too many rows
	all   [][]int // the tuples
}

// Endings returns the ends of the model; nil if no episode ends before step H.
func (m *Model) Endings() *Ends {
	if len(m.Ends) == 0 {
		return nil
	}
	if m.States() <= MaxPoints {
		return ListEnds(&m.Space, m.Ended())
	}
	e := &Ends{space: &m.Space}
	for _, end := range m.Ends {
		kind := endTable{given: end.Given, all: end.Is}
		if rows := m.Rows(end.Given); rows <= MaxPoints {
			kind.is = m.endRows(&end)
		}
		e.kinds = append(e.kinds, kind)
	}
	return e
}

// ListEnds returns the ends that a list says by state: 0, or 1 more than the index of a kind of ending. It keeps the list.
func ListEnds(space *Space, list []uint8) *Ends { return &Ends{space: space, list: list} }

// LearnEnds returns the ends of a problem of which only Add says where they are.
func LearnEnds(space *Space) *Ends {
	if space.States() <= MaxPoints {
		return ListEnds(space, make([]uint8, space.States()))
	}
	return FewEnds(space)
}

// FewEnds is [LearnEnds] without a list, for few states.
func FewEnds(space *Space) *Ends { return &Ends{space: space} }

// Add makes a state one in which an episode has ended, if it is none.
func (e *Ends) Add(state []int) {
	switch {
	case e.At(state) != 0:
	case e.list != nil:
		e.list[e.space.Index(state)] = 1
	default:
		if e.added == nil {
			e.added = map[string]bool{}
		}
		e.added[string(appendKey(nil, state))] = true
	}
}

// appendKey appends a text that no other state of the same variables has.
func appendKey(key []byte, state []int) []byte {
	for _, v := range state {
		key = binary.AppendUvarint(key, uint64(v))
	}
	return key
}

// List returns the ends by state, or nil if there are none or the states are too many to list.
func (e *Ends) List() []uint8 {
	if e == nil {
		return nil
	}
	return e.list
}

// At returns 0, or 1 more than the index of the first kind of ending that a state is. A state that was added
// counts as the first kind.
func (e *Ends) At(state []int) int {
	if e == nil {
		return 0
	}
	if e.list != nil {
		return int(e.list[e.space.Index(state)])
	}
	for k := range e.kinds {
		if e.kinds[k].has(e.space, state) {
			return k + 1
		}
	}
	if len(e.added) > 0 {
		var room [3 * MaxVariables]byte
		if e.added[string(appendKey(room[:0], state))] {
			return 1
		}
	}
	return 0
}

func (e *endTable) has(space *Space, state []int) bool {
	if e.is != nil {
		return e.is[space.Row(e.given, state)]
	}
	return slices.ContainsFunc(e.all, func(values []int) bool {
		for g, v := range values {
			if state[e.given[g]] != v {
				return false
			}
		}
		return true
	})
}

// endRows reports for each row over the given variables of an ending whether it is one of the tuples.
func (m *Model) endRows(e *Ending) []bool {
	is := make([]bool, m.Rows(e.Given))
	for _, values := range e.Is {
		row := 0
		for g, v := range values {
			row = row*m.Var(e.Given[g]).Size + v
		}
		is[row] = true
	}
	return is
}

// Ended returns, for each state, 0 or 1 more than the index of the first kind of ending that it
// is; nil if there is none.
func (m *Model) Ended() []uint8 {
	if len(m.Ends) == 0 {
		return nil
	}
	ended := make([]uint8, m.States())
	for k := range m.Ends {
		is := m.endRows(&m.Ends[k])
		for s, row := range m.Project(bigraph.First(m.Y()).Parents(), m.Ends[k].Given, 1) {
			if is[row] && ended[s] == 0 {
				ended[s] = uint8(k + 1)
			}
		}
	}
	return ended
}

// CheckListed returns a *[Fault] if the states of the model are too many to list, as exact planning does.
func (m *Model) CheckListed() error {
	if err := m.Space.CheckPoints(); err != nil {
		return err
	}
	if entries := Times(m.States(), m.Horizon); entries > MaxPolicy {
		return fault(at("horizon"), "%d states over %d steps, a policy of %d entries (S·H), more than %d", m.States(), m.Horizon, entries, MaxPolicy)
	}
	if payoffs := Times(len(m.Reward), m.Points()); payoffs > MaxPayoffs {
		return fault(at("reward"), "%d reward factors over %d state-action pairs, %d payoffs in all, more than %d", len(m.Reward), m.Points(), payoffs, MaxPayoffs)
	}
	return nil
}
