package domain

import (
	"fmt"
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var riverSwimKind = Kind{
	Key: "river-swim", Label: "RiverSwim", Phrase: "RiverSwim",
	Reward: "In each river, to swim left at the left end pays 0.005, and to swim right at the right end 1.",
	Since:  4, Tied: true,
	Agents: []string{"psrl", "f-psrl", "c-psrl"},
	New:    func() Domain { return new(RiverSwim) },
}

// RiverSwim is the problem of Strehl and Littman (JCSS 74, 2008) with the numbers of TabulaRL (I. Osband,
// 2015), once or in several rivers that have nothing to do with each other. The current flows to the left:
// who swims left gets there, and who swims right mostly stays where he is. At first all swimmers are at
// the left end.
type RiverSwim struct {
	Rivers, Length int
	Horizon        int
}

// Kind implements [Domain].
func (*RiverSwim) Kind() *Kind { return &riverSwimKind }

// maxRivers and maxLength keep S·A = (2·length)^rivers within fmdp.MaxPoints.
const maxRivers, maxLength = 4, 16

// Params implements Domain. The length and the horizon are TabulaRL's.
func (r *RiverSwim) Params() []param.Param {
	return []param.Param{{
		Name: "rivers", Key: "rivers", Section: param.Domain, Label: "Rivers", Phrase: "_ rivers",
		Int: &r.Rivers, Low: 1, High: maxRivers, Default: "3",
	}, {
		Name: "length", Key: "length", Section: param.Domain, Label: "Length of a river", Phrase: "length _",
		Int: &r.Length, Low: 3, High: maxLength, Default: "6",
	}, horizon(&r.Horizon, "20")}
}

// Sparseness implements Domain: the place in a river and the swimmer's choice.
func (*RiverSwim) Sparseness() int { return 2 }

// Title implements [Domain].
func (r *RiverSwim) Title() (string, []string) {
	if r.Rivers == 1 {
		return "RiverSwim", []string{fmt.Sprintf("length %d", r.Length)}
	}
	return "RiverSwim", []string{fmt.Sprintf("%d rivers", r.Rivers), fmt.Sprintf("length %d", r.Length)}
}

// The values of a swimmer's choice.
const (
	swimLeft = iota
	swimRight
)

// Build implements Domain. It draws nothing.
func (r *RiverSwim) Build(*rand.Rand, Given) (*Problem, error) {
	n := r.Rivers
	m := &fmdp.Model{Name: "RiverSwim", Horizon: r.Horizon}
	for i := range n {
		m.State = append(m.State, fmdp.Variable{Name: fmt.Sprintf("place%d", i+1), Size: r.Length})
		m.Action = append(m.Action, fmdp.Variable{Name: fmt.Sprintf("swim%d", i+1), Size: 2, Values: []string{swimLeft: "left", swimRight: "right"}})
	}
	for i := range n {
		given := []int{i, n + i}
		m.Transition = append(m.Transition, tabulate(&m.Space, given, r.Length, func(row []float64, x []int) {
			r.swim(row, x[i], x[n+i])
		}))
		m.Reward = append(m.Reward, payoff(&m.Space, given, func(x []int) float64 {
			switch {
			case x[i] == 0 && x[n+i] == swimLeft:
				return .005
			case x[i] == r.Length-1 && x[n+i] == swimRight:
				return 1
			}
			return 0
		}))
	}
	m.Initial = make([]float64, m.States())
	m.Initial[0] = 1
	p := problem(m)
	p.Suggested = make(bigraph.Bigraph, n)
	for i := range n {
		p.Reveal = append(p.Reveal, []int{i, n + i})
		p.suggest(m.State[i].Name, m.State[i].Name, .95, "A swimmer does not get far in one step.")
		p.suggest(m.Action[i].Name, m.State[i].Name, .95, "A swimmer moves where he swims.")
	}
	err := m.Validate()
	if f, ok := err.(*fmdp.Fault); ok {
		name := "length"
		if f.At[0] == "horizon" {
			name = "horizon"
		}
		err = &param.Error{Name: name, Reason: f.Reason}
	}
	return p, err
}

// swim writes the law of the next place in a river.
func (r *RiverSwim) swim(row []float64, place, choice int) {
	switch last := r.Length - 1; {
	case choice == swimLeft:
		row[max(place-1, 0)] = 1
	case place == 0:
		row[0], row[1] = .4, .6
	case place == last:
		row[last-1], row[last] = .4, .6
	default:
		row[place-1], row[place], row[place+1] = .05, .6, .35
	}
}
