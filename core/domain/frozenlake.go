package domain

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var frozenLakeKind = Kind{
	Key: "frozen-lake", Label: "FrozenLake", Phrase: "FrozenLake",
	Reward: "A step onto the goal pays 1, and any other step nothing.",
	Since:  4, Tied: true,
	Agents: []string{"psrl", "f-psrl", "c-psrl"},
	New:    func() Domain { return new(FrozenLake) },
}

// FrozenLake is Gymnasium's FrozenLake-v1. The walker starts in the first corner; an episode ends in a
// hole or at the goal. On slippery ice each step goes where the walker wants to, or to either side, with
// probability 1/3 each. At the edge of the lake he stays where he is.
//
// A slip changes either the row or the column. So the two are not independent given the cell and the
// move, and the cell is one variable.
type FrozenLake struct {
	Map      string // "4x4" or "8x8"
	Slippery string // "yes" or "no"
	Horizon  int
}

// lakes are the maps: S is the start, F ice, H a hole and G the goal.
var lakes = map[string][]string{
	"4x4": {
		"SFFF",
		"FHFH",
		"FFFH",
		"HFFG",
	},
	"8x8": {
		"SFFFFFFF",
		"FFFFFFFF",
		"FFFHFFFF",
		"FFFFFHFF",
		"FFFHFFFF",
		"FHHFFFHF",
		"FHFFHFHF",
		"FFFHFFFG",
	},
}

// compass is the four ways to walk, as a change of row and column, in an order in which neighbours are at
// right angles: Gymnasium's of FrozenLake.
var compass = [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

func (*FrozenLake) Kind() *Kind { return &frozenLakeKind }

// Params implements Domain. The horizon is Gymnasium's limit.
func (f *FrozenLake) Params() []param.Param {
	steps := "100"
	if f.Map == "8x8" {
		steps = "200"
	}
	return []param.Param{{
		Name: "map", Key: "map", Section: param.Domain, Label: "Map", Phrase: "map _",
		Text: &f.Map, Words: []param.Word{{Value: "4x4", Label: "4 × 4"}, {Value: "8x8", Label: "8 × 8"}}, Default: "4x4", Restarts: true,
	}, {
		Name: "slippery", Key: "slippery", Section: param.Domain, Label: "Slippery ice", Phrase: "slippery: _",
		Text: &f.Slippery, Words: []param.Word{{Value: "yes", Label: "yes"}, {Value: "no", Label: "no"}}, Default: "yes",
	}, horizon(&f.Horizon, steps)}
}

// Sparseness implements Domain: the cell and the move.
func (*FrozenLake) Sparseness() int { return 2 }

func (f *FrozenLake) Title() (string, []string) {
	name := "FrozenLake " + strings.ReplaceAll(f.Map, "x", "×")
	if f.Slippery == "no" {
		return name, []string{"no slips"}
	}
	return name, nil
}

// The variables of a lake, and that of the cell at the next step.
const (
	lakeCell = iota
	lakeMove
	lakeNextCell
)

// Build implements Domain. It draws nothing.
func (f *FrozenLake) Build(*rand.Rand, Given) (*Problem, error) {
	lake := lakes[f.Map]
	if lake == nil {
		return nil, &param.Error{Name: "map", Reason: fmt.Sprintf("there is no map %q", param.Clip(f.Map))}
	}
	n := len(lake)
	m := &fmdp.Model{Name: "FrozenLake " + f.Map, Horizon: f.Horizon}
	cell := fmdp.Variable{Name: "cell", Size: n * n}
	m.Initial = make([]float64, n*n)
	hole, goal := fmdp.Ending{Name: "hole", Given: []int{lakeCell}}, fmdp.Ending{Name: "goal", Given: []int{lakeCell}}
	for c := range n * n {
		cell.Values = append(cell.Values, fmt.Sprintf("%d,%d", c/n, c%n))
		switch lake[c/n][c%n] {
		case 'S':
			m.Initial[c] = 1
		case 'H':
			hole.Is = append(hole.Is, []int{c})
		case 'G':
			goal.Is = append(goal.Is, []int{c})
		}
	}
	m.State = []fmdp.Variable{cell}
	m.Action = []fmdp.Variable{{Name: "move", Size: 4, Values: []string{"left", "down", "right", "up"}}}
	m.Ends = []fmdp.Ending{hole, goal}
	slips := []int{0}
	if f.Slippery == "yes" {
		slips = []int{3, 0, 1} // to the right, none, to the left
	}
	m.Transition = []fmdp.Factor{tabulate(&m.Space, []int{lakeCell, lakeMove}, n*n, func(row []float64, x []int) {
		at := [2]int{x[lakeCell] / n, x[lakeCell] % n}
		if tile := lake[at[0]][at[1]]; tile == 'H' || tile == 'G' {
			row[x[lakeCell]] = 1
			return
		}
		for _, slip := range slips {
			way := compass[(x[lakeMove]+slip)%4]
			to := [2]int{min(max(at[0]+way[0], 0), n-1), min(max(at[1]+way[1], 0), n-1)}
			row[to[0]*n+to[1]] += 1 / float64(len(slips))
		}
	})}
	m.Reward = []fmdp.Reward{payoff(&m.Space, []int{lakeNextCell}, func(x []int) float64 {
		if c := x[lakeNextCell]; lake[c/n][c%n] == 'G' {
			return 1
		}
		return 0
	})}
	p := problem(m)
	p.Suggested, p.Reveal = make(bigraph.Bigraph, 1), [][]int{{lakeCell, lakeMove}}
	p.Picture = lakePicture(lake)
	p.suggest("cell", "cell", .95, "A step leads to a cell nearby.")
	p.suggest("move", "cell", .9, "Whoever walks goes where he wants to, unless the ice is too slippery.")
	return p, m.Validate()
}

// lakePicture draws a map.
func lakePicture(lake []string) *document.GridPicture {
	g := &document.GridPicture{Rows: len(lake), Columns: len(lake), Agent: document.Agent{Cell: "cell"}}
	tiles := map[rune]document.Mark{
		'S': {Text: "start", Tone: document.Start}, 'H': {Text: "hole", Tone: document.Hole}, 'G': {Text: "goal", Tone: document.Goal},
	}
	for row, line := range lake {
		for column, tile := range line {
			if m, there := tiles[tile]; there {
				m.At = document.At(row, column)
				g.Marks = append(g.Marks, m)
			}
		}
	}
	return g
}
