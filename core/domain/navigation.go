package domain

import (
	"math/rand/v2"
	"slices"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var navigationKind = Kind{
	Key: "navigation", Label: "Navigation", Phrase: "Navigation",
	Reward: "A step costs 1 until the robot is at the goal.",
	Since:  4, Tied: true,
	Agents: []string{"f-psrl", "c-psrl"}, // PSRL's table is too large for a browser
	New:    func() Domain { return new(Navigation) },
}

// Navigation is instance 1 of Navigation of the planning competition IPPC 2011. A robot moves on a
// grid, and a cell that it enters may swallow it. Then each step that is left costs 1. As in the
// competition there is a variable for each cell, which says whether a robot is there, so most of the
// 4,096 states have several robots and never occur. While a robot is at the goal, it stays there, and
// any other robot disappears.
type Navigation struct{ Horizon int }

// navigationTraps holds the probability that a cell swallows the robot, by row, southernmost first.
var navigationTraps = [][]float64{
	{0, 0, 0, 0},
	{.04896671138703823, .34543713989357155, .6369951789577802, .928158446525534},
	{0, 0, 0, 0},
}

// navigationStart and navigationGoal are a column and a row, from 0 in the west and the south.
var navigationStart, navigationGoal = [2]int{3, 0}, [2]int{3, 2}

// navigationMoves lists what a move adds to the column and the row. Move 0 is to stay.
var navigationMoves = []struct {
	name        string
	column, row int
}{{"stay", 0, 0}, {"north", 0, 1}, {"south", 0, -1}, {"east", 1, 0}, {"west", -1, 0}}

func (*Navigation) Kind() *Kind { return &navigationKind }

func (n *Navigation) Params() []param.Param { return []param.Param{horizon(&n.Horizon, "40")} }

// Sparseness implements Domain: the true parents of a cell are itself, at most four cells around it,
// the goal and the move. Without the edges that the suggested prior forbids, the counts of tied tables
// for so many parents do not fit in memory.
func (*Navigation) Sparseness() int { return 7 }

func (*Navigation) Title() (string, []string) {
	return "Navigation", []string{"instance 1 of IPPC 2011"}
}

// Build implements Domain. The suggested prior knows how a robot moves, and not what the goal does. It forbids
// edges from cells that are too far away.
func (n *Navigation) Build(rng *rand.Rand, _ Given) (*Problem, error) {
	h, w := len(navigationTraps), len(navigationTraps[0])
	m := &fmdp.Model{Name: "Navigation", Horizon: n.Horizon}
	for i := range w * h {
		m.State = append(m.State, binary(cellName(i/h, i%h)))
	}
	move := fmdp.Variable{Name: "move", Size: len(navigationMoves)}
	for _, by := range navigationMoves {
		move.Values = append(move.Values, by.name)
	}
	m.Action = []fmdp.Variable{move}
	goal := navigationGoal[0]*h + navigationGoal[1]
	for i := range w * h {
		m.Transition = append(m.Transition, roomFactor(m, i, goal, w, h))
	}
	m.Reward = []fmdp.Reward{pays(goal, -1, 0)}
	start := make([]int, w*h)
	start[navigationStart[0]*h+navigationStart[1]] = 1
	m.Initial = make([]float64, m.States())
	m.Initial[m.Index(start)] = 1
	p, err := generated(m, rng)
	if err != nil {
		return nil, err
	}
	p.rooms(h, w, navigationStart, navigationGoal)
	for i := range w * h {
		name, near := m.State[i].Name, around(i, w, h, false)
		p.suggest(name, name, .95, "A robot that stays is still there.")
		p.suggest("move", name, .95, "The move decides where the robot is next.")
		for k := range w * h {
			switch {
			case slices.Contains(near, k):
				p.suggest(m.State[k].Name, name, .9, "A robot comes from a cell beside, above or below.")
			case k != i && k != goal:
				p.suggest(m.State[k].Name, name, 0, "A robot moves one cell in a step.")
			}
		}
	}
	return p, nil
}

// roomFactor tabulates the law of cell i over itself, the cells beside, above and below, the goal and
// the move.
func roomFactor(m *fmdp.Model, i, goal, w, h int) fmdp.Factor {
	move, trap := m.Y(), navigationTraps[i%h][i/h]
	cell := func(column, row int) (k int, there bool) {
		return column*h + row, column >= 0 && column < w && row >= 0 && row < h
	}
	given := append([]int{i}, around(i, w, h, false)...)
	if !slices.Contains(given, goal) {
		given = append(given, goal)
	}
	return factor(m, append(given, move), 2, func(point []int) []float64 {
		by := navigationMoves[point[move]]
		_, leads := cell(i/h+by.column, i%h+by.row)
		from, comes := cell(i/h-by.column, i%h-by.row)
		switch here := point[i] == 1; {
		case i == goal && here:
			return chance(1)
		case point[goal] == 1:
			return chance(0)
		case point[move] == 0:
			return certainly(here)
		case here && leads:
			return chance(0)
		case comes && point[from] == 1:
			return chance(1 - trap)
		default:
			return certainly(here)
		}
	})
}
