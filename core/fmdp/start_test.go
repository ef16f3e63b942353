package fmdp

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// lawful is a model of three variables whose μ is a law: a list over the first two, and the last apart.
func lawful() *Model {
	m := &Model{
		Space:   Space{State: []Variable{{Name: "a", Size: 2}, {Name: "b", Size: 3}, {Name: "c", Size: 2}}, Action: []Variable{{Name: "act", Size: 2}}},
		Horizon: 3,
		First:   &Start{States: [][]int{{0, 2}, {1, 0}}, P: []float64{.25, .75}, Each: [][]float64{{.1, .9}}},
		Ends:    []Ending{{Name: "one", Given: []int{1, 0}, Is: [][]int{{2, 1}}}, {Name: "two", Given: []int{2}, Is: [][]int{{1}}}},
	}
	for j := range m.State {
		size := m.State[j].Size
		m.Transition = append(m.Transition, Factor{Size: size, P: Uniform(size)})
	}
	return m
}

// Oracle: the list. What is drawn has it as its frequencies, within 5 standard errors.
func TestStart(t *testing.T) {
	m := lawful()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	law := *m
	if err := m.List(); err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 12)
	want[m.Index([]int{0, 2, 0})], want[m.Index([]int{0, 2, 1})] = .025, .225
	want[m.Index([]int{1, 0, 0})], want[m.Index([]int{1, 0, 1})] = .075, .675
	rng, state, counts := rand.New(rand.NewPCG(1, 2)), make([]int, 3), make([]float64, 12)
	const n = 20000
	for range n {
		law.DrawStart(rng, state)
		counts[m.Index(state)] += 1. / n
	}
	for s, p := range want {
		if math.Abs(m.Initial[s]-p) > 1e-15 || math.Abs(counts[s]-p) > 5*math.Sqrt(p*(1-p)/n) {
			t.Errorf("state %d has μ %v and is drawn %v, want %v", s, m.Initial[s], counts[s], p)
		}
	}
	last := m.First.Marginal(1, 3)
	if got := last.At([]int{2, 1}); math.Abs(got-.225) > 1e-15 || m.First.Marginal(2, 3).States != nil || m.First.Independent(1) != nil || m.First.Independent(2)[0] != .1 {
		t.Errorf("the last variables have μ %v", got)
	}
}

// Oracle: the list of ends, for both ways to tell an end without one.
func TestEnds(t *testing.T) {
	m := lawful()
	list, state := m.Ended(), make([]int, 3)
	tuples, tables := &Ends{space: &m.Space}, &Ends{space: &m.Space}
	for k := range m.Ends {
		tuples.kinds = append(tuples.kinds, endTable{given: m.Ends[k].Given, all: m.Ends[k].Is})
		tables.kinds = append(tables.kinds, endTable{given: m.Ends[k].Given, is: m.endRows(&m.Ends[k])})
	}
	for s, want := range list {
		m.Point(state, s)
		for _, e := range []*Ends{m.Endings(), tuples, tables} {
			if got := e.At(state); got != int(want) {
				t.Errorf("state %v is end %d, want %d", state, got, want)
			}
		}
	}
	if m.Ends = nil; m.Endings().At(state) != 0 || m.Endings().List() != nil {
		t.Error("no ends, but some")
	}
}

// A law of the first state is over the states, and a model without one lists it.
func TestStartRefused(t *testing.T) {
	for want, change := range map[string]func(m *Model){
		"is over 2 variables":       func(m *Model) { m.First.Each = nil },
		"which is no state":         func(m *Model) { m.First.States[1][1] = 3 },
		"sums to 0.5":               func(m *Model) { m.First.Each[0][1] = .4 },
		"3 probabilities for the 2": func(m *Model) { m.First.Each[0] = Uniform(3) },
		"0 probabilities for 12":    func(m *Model) { m.First = nil },
		"no action variable":        func(m *Model) { m.Action = nil },
	} {
		m := lawful()
		change(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A model of 80 variables of 2 values is valid, and is not listed.
func TestUnlisted(t *testing.T) {
	m := &Model{Horizon: 10, Space: Space{Action: []Variable{{Name: "act", Size: 21}}}}
	for j := range 40 {
		m.State = append(m.State, Variable{Name: "m" + string(rune('a'+j)), Size: 2})
		m.Transition = append(m.Transition, Factor{Given: []int{j, 40}, Size: 2, P: make([]float64, 84)})
		for row := range 42 {
			m.Transition[j].Row(row)[row%2] = 1
		}
	}
	m.First = UniformStart(&m.Space)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if err := m.List(); err == nil || !strings.Contains(err.Error(), "23089744183296 state-action pairs (S·A), more than 1048576") || m.Initial != nil {
		t.Error(err)
	}
}
