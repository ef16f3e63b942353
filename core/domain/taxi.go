package domain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var taxiKind = Kind{
	Key: "taxi", Label: "Taxi", Phrase: "taxi",
	Reward: "A step pays 0.3, an illegal pick-up or drop-off 0, a delivery 1: Gymnasium’s −1, −10 and 20, rescaled to 0…1.",
	New:    func() Domain { return new(Taxi) },
}

// Taxi is Gymnasium's Taxi with one pick-up cell and one destination. A delivery
// puts the next passenger at the pick-up cell, so an episode is a shift of H
// steps. An illegal pick-up or drop-off changes nothing. At first the taxi is in a
// uniformly random cell and the passenger waits.
type Taxi struct {
	Grid    string // "3x3" or "5x5"
	Horizon int
}

// Kind implements [Domain].
func (*Taxi) Kind() *Kind { return &taxiKind }

// Params implements [Domain].
func (t *Taxi) Params() []param.Param {
	steps := "15"
	if t.Grid == "3x3" {
		steps = "10"
	}
	return []param.Param{{
		Name: "grid", Key: "grid", Section: param.Domain, Label: "Grid", Phrase: "grid _",
		Text: &t.Grid, Words: []param.Word{{Value: "3x3", Label: "3 × 3"}, {Value: "5x5", Label: "5 × 5"}}, Default: "5x5", Restarts: true,
	}, horizon(&t.Horizon, steps)}
}

// Sparseness implements [Domain].
func (t *Taxi) Sparseness() int { return 5 }

// Title implements [Domain].
func (t *Taxi) Title() (string, []string) {
	return "Taxi " + strings.ReplaceAll(t.Grid, "x", "×"), nil
}

// The variables of a taxi problem. These and the moves are those of Gymnasium's Taxi.
const (
	taxiRow = iota
	taxiColumn
	taxiPassenger
	taxiDestination
	taxiMove
)

// Rewards of a step, of an illegal pick-up or drop-off, and of a delivery, each
// rescaled to [0,1] by (r+10)/30.
const (
	stepReward     = (-1.0 + 10) / 30
	illegalReward  = 0.0
	deliveryReward = 1.0
)

// taxiGrids holds the maps. The larger is Gymnasium's, with one pick-up cell, R, and
// one destination, Y.
var taxiGrids = map[string]document.Grid{
	"3x3": {Rows: 3, Columns: 3, PickUp: [2]int{0, 0}, Destination: [2]int{2, 2}},
	"5x5": {
		Rows: 5, Columns: 5,
		Walls:       [][2]int{{0, 1}, {1, 1}, {3, 0}, {4, 0}, {3, 2}, {4, 2}},
		PickUp:      [2]int{0, 0},
		Destination: [2]int{4, 0},
	},
}

// taxiMoves returns the action variable of a taxi problem.
func taxiMoves() []fmdp.Variable {
	return []fmdp.Variable{
		{Name: "move", Size: 6, Values: []string{document.South: "south", document.North: "north", document.East: "east", document.West: "west", document.PickUp: "pick up", document.DropOff: "drop off"}},
	}
}

// Build implements Domain. It draws nothing.
func (t *Taxi) Build(*rand.Rand, Given) (*Problem, error) {
	g, known := taxiGrids[t.Grid]
	if !known {
		return nil, &param.Error{Name: "grid", Reason: fmt.Sprintf("there is no grid %q", t.Grid)}
	}
	m := &fmdp.Model{
		Name:    "taxi " + t.Grid,
		Horizon: t.Horizon,
		Space: fmdp.Space{
			State: []fmdp.Variable{
				{Name: "row", Size: g.Rows},
				{Name: "col", Size: g.Columns},
				{Name: "passenger", Size: 2, Values: []string{"waiting", "in taxi"}},
				{Name: "destination", Size: 1, Values: []string{"Y"}},
			},
			Action: taxiMoves(),
		},
	}
	p := problem(m)
	p.Grid, p.Reveal = &g, [][]int{
		taxiRow:         {taxiRow, taxiMove},
		taxiColumn:      {taxiColumn, taxiMove},
		taxiPassenger:   {taxiPassenger, taxiMove, taxiRow, taxiColumn, taxiDestination},
		taxiDestination: {taxiDestination},
	}
	if len(g.Walls) > 0 {
		p.Reveal[taxiColumn] = append(p.Reveal[taxiColumn], taxiRow)
	}
	p.Suggested = p.Revealed(2)
	// The walls are common knowledge.
	p.Suggested[taxiColumn] = bigraph.Of(p.Reveal[taxiColumn]...)

	for j, order := range p.Reveal {
		m.Transition = append(m.Transition, taxiFactor(m, &g, j, bigraph.Of(order...).Parents()))
	}
	m.Reward = []fmdp.Reward{taxiReward(m, &g)}
	m.Initial = make([]float64, m.States())
	for row := range g.Rows {
		for col := range g.Columns {
			m.Initial[m.Index([]int{row, col, 0, 0})] = 1 / float64(g.Rows*g.Columns)
		}
	}
	return p, m.Validate()
}

// taxiStep returns the next state and the reward at a point x.
func taxiStep(g *document.Grid, x []int) (y [4]int, reward float64) {
	y, reward = [4]int(x), stepReward
	row, col, aboard := x[taxiRow], x[taxiColumn], x[taxiPassenger] == 1
	switch move, at := x[taxiMove], [2]int{row, col}; {
	case move == document.South:
		y[taxiRow] = min(row+1, g.Rows-1)
	case move == document.North:
		y[taxiRow] = max(row-1, 0)
	case move == document.East && col+1 < g.Columns && !wall(g, row, col):
		y[taxiColumn]++
	case move == document.West && col > 0 && !wall(g, row, col-1):
		y[taxiColumn]--
	case move == document.PickUp && !aboard && at == g.PickUp:
		y[taxiPassenger] = 1
	case move == document.DropOff && aboard && at == g.Destination:
		y[taxiPassenger], reward = 0, deliveryReward
	case move == document.PickUp, move == document.DropOff:
		reward = illegalReward
	}
	return y, reward
}

// wall reports whether there is a wall east of the cell.
func wall(g *document.Grid, row, col int) bool { return slices.Contains(g.Walls, [2]int{row, col}) }

// taxiFactor tabulates the law of Y_j over its true parents. If Y_j depended on another
// variable, a row would sum to more than 1 and the model would not be valid.
func taxiFactor(m *fmdp.Model, g *document.Grid, j int, given []int) fmdp.Factor {
	f := fmdp.Factor{Given: given, Size: m.State[j].Size}
	f.P = make([]float64, m.Rows(given)*f.Size)
	point := make([]int, m.X())
	for x := range m.Points() {
		y, _ := taxiStep(g, m.Point(point, x))
		f.Row(m.Row(given, point))[y[j]] = 1
	}
	return f
}

func taxiReward(m *fmdp.Model, g *document.Grid) fmdp.Reward {
	given := bigraph.First(m.X()).Parents()
	r := fmdp.Reward{Given: given, Mean: make([]float64, m.Rows(given)), Kind: fmdp.Fixed, Scale: 1, Of: -1}
	point := make([]int, m.X())
	for x := range m.Points() {
		_, r.Mean[x] = taxiStep(g, m.Point(point, x))
	}
	return r
}
