package domain

import (
	"fmt"
	"math/rand/v2"

	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var gameOfLifeKind = Kind{
	Key: "game-of-life", Label: "Game of Life", Phrase: "the Game of Life",
	Reward: "A step pays 1 for each cell that is alive, less 1 if a cell is set.",
	Since:  4, Tied: true,
	Agents: []string{"psrl", "f-psrl", "c-psrl"},
	New:    func() Domain { return new(GameOfLife) },
}

// GameOfLife is instance 1 of the Game of Life of the planning competition IPPC 2011: Conway's rules
// on a grid of 3×3 cells, with noise, and in each step one cell may be set. A cell is meant to live
// if it is alive and has two or three live neighbours, if it is dead and has three, or if it is set.
// What is meant fails with the cell's own probability.
type GameOfLife struct{ Horizon int }

// lifeNoise holds the probabilities of the instance that the rule fails, by column, then row.
var lifeNoise = [][]float64{
	{.020850267, .031577107, .02465339},
	{.017134635, .014217583, .037390165},
	{.017355671, .044999346, .049556054},
}

// lifeStart lists the cells that are alive at first: column and row, from 1.
var lifeStart = [][2]int{{1, 1}, {1, 3}, {2, 1}, {2, 2}}

func (*GameOfLife) Kind() *Kind { return &gameOfLifeKind }

func (g *GameOfLife) Params() []param.Param { return []param.Param{horizon(&g.Horizon, "40")} }

// Sparseness implements Domain. The cell in the middle has 10 true parents, one at an edge 7 and one at
// a corner 5. The counts of tied tables for Z = 7 do not fit in a browser, so of 5 cells an agent can
// only learn a part of the true parents.
func (*GameOfLife) Sparseness() int { return 6 }

func (*GameOfLife) Title() (string, []string) {
	return "Game of Life", []string{"instance 1 of IPPC 2011"}
}

// Build implements Domain. The suggested prior knows the cells beside, above and below a cell, and
// not those at its corners.
func (g *GameOfLife) Build(rng *rand.Rand, _ Given) (*Problem, error) {
	w, h := len(lifeNoise), len(lifeNoise[0])
	m := &fmdp.Model{Name: "Game of Life", Horizon: g.Horizon}
	set := fmdp.Variable{Name: "set", Size: 1 + w*h, Values: []string{"none"}}
	for i := range w * h {
		name := cellName(i/h, i%h)
		m.State = append(m.State, fmdp.Variable{Name: name, Size: 2, Values: []string{"dead", "alive"}})
		set.Values = append(set.Values, name)
	}
	m.Action = []fmdp.Variable{set}
	for i := range w * h {
		m.Transition = append(m.Transition, cellFactor(m, i, around(i, w, h, true), lifeNoise[i/h][i%h]))
		m.Reward = append(m.Reward, pays(i, 0, 1))
	}
	price := make([]float64, set.Size)
	for a := range price[1:] {
		price[1+a] = -1
	}
	m.Reward = append(m.Reward, pays(w*h, price...))
	start := make([]int, w*h)
	for _, cell := range lifeStart {
		start[(cell[0]-1)*h+cell[1]-1] = 1
	}
	m.Initial = make([]float64, m.States())
	m.Initial[m.Index(start)] = 1
	p, err := generated(m, rng)
	if err != nil {
		return nil, err
	}
	p.cells(h)
	for i := range w * h {
		name := m.State[i].Name
		p.suggest(name, name, .95, "A cell that is alive may live on.")
		p.suggest("set", name, .95, "A cell that is set should be alive.")
		for _, k := range around(i, w, h, false) {
			p.suggest(m.State[k].Name, name, .9, "The neighbours of a cell decide whether it lives.")
		}
	}
	return p, nil
}

// cellName names a cell by its column and row, which count from 0.
func cellName(column, row int) string { return fmt.Sprintf("x%dy%d", column+1, row+1) }

// around returns the cells next to cell i = column·h + row of a grid of w columns and h rows, in
// their order, with those at its corners or without.
func around(i, w, h int, corners bool) (cells []int) {
	for column := max(i/h-1, 0); column <= min(i/h+1, w-1); column++ {
		for row := max(i%h-1, 0); row <= min(i%h+1, h-1); row++ {
			k := column*h + row
			if k != i && (corners || column == i/h || row == i%h) {
				cells = append(cells, k)
			}
		}
	}
	return cells
}

// cellFactor tabulates the law of cell i over itself, its neighbours, and the cell that is set.
func cellFactor(m *fmdp.Model, i int, neighbours []int, noise float64) fmdp.Factor {
	set := m.Y()
	return factor(m, append(append([]int{i}, neighbours...), set), 2, func(point []int) []float64 {
		alive := 0
		for _, k := range neighbours {
			alive += point[k]
		}
		if alive == 3 || alive == 2 && point[i] == 1 || point[set] == 1+i {
			return chance(1 - noise)
		}
		return chance(noise)
	})
}
