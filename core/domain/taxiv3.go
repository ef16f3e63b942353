package domain

import (
	"math/rand/v2"
	"slices"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var taxiV3Kind = Kind{
	Key: "taxi-v3", Label: "Taxi-v3", Phrase: "Taxi-v3",
	Reward: "A step pays −1, an illegal pick-up or drop-off −10, and the delivery, which ends the episode, 20.",
	Since:  4, Tied: true,
	Agents: []string{"psrl", "f-psrl", "c-psrl"},
	New:    func() Domain { return new(TaxiV3) },
}

// TaxiV3 is Gymnasium's Taxi-v3 in full, in Gymnasium's units. The passenger waits at one of four
// stands and wants to go to another. A drop-off at a stand that is not the destination puts him down
// there and pays −1; anywhere else it is illegal and changes nothing. The episode ends when he is at
// his destination. At first the taxi is anywhere, and passenger and destination are at two different
// stands: 300 states, equally likely. (T. Dietterich, JAIR 13, 2000.)
//
// The rain of later versions moves the taxi sideways. Then row and column are not independent given the
// state and the move, so it has no factored form, and is left out.
type TaxiV3 struct{ Horizon int }

func (*TaxiV3) Kind() *Kind { return &taxiV3Kind }

// Params implements Domain. The horizon is Gymnasium's limit.
func (t *TaxiV3) Params() []param.Param { return []param.Param{horizon(&t.Horizon, "200")} }

// Sparseness implements Domain: the passenger has four parents.
func (*TaxiV3) Sparseness() int { return 4 }

func (*TaxiV3) Title() (string, []string) { return "Taxi-v3", nil }

// taxiStands are the cells of Gymnasium's letters R, G, Y and B.
var taxiStands = [][2]int{{0, 0}, {0, 4}, {4, 0}, {4, 3}}

// aboard is the value of the passenger in the taxi; before it are the stands.
const aboard = 4

// Build implements Domain. It draws nothing.
func (t *TaxiV3) Build(*rand.Rand, Given) (*Problem, error) {
	g, letters := taxiGrids["5x5"], []string{"R", "G", "Y", "B"}
	m := &fmdp.Model{Name: "Taxi-v3", Horizon: t.Horizon}
	m.State = []fmdp.Variable{
		taxiRow:         {Name: "row", Size: g.Rows},
		taxiColumn:      {Name: "col", Size: g.Columns},
		taxiPassenger:   {Name: "passenger", Size: 5, Values: append(slices.Clone(letters), "in taxi")},
		taxiDestination: {Name: "destination", Size: 4, Values: letters},
	}
	m.Action = taxiMoves()
	for j, given := range [][]int{
		taxiRow:         {taxiRow, taxiMove},
		taxiColumn:      {taxiRow, taxiColumn, taxiMove},
		taxiPassenger:   {taxiRow, taxiColumn, taxiPassenger, taxiMove},
		taxiDestination: {taxiDestination},
	} {
		m.Transition = append(m.Transition, tabulate(&m.Space, given, m.State[j].Size, func(row []float64, x []int) {
			row[taxiV3Next(&g, j, x)] = 1
		}))
	}
	m.Reward = []fmdp.Reward{payoff(&m.Space, bigraph.First(m.X()).Parents(), taxiV3Pay)}
	m.Initial = make([]float64, m.States())
	delivered := fmdp.Ending{Name: "delivered", Given: []int{taxiPassenger, taxiDestination}}
	starts := float64(g.Rows * g.Columns * len(letters) * (len(letters) - 1))
	state := make([]int, m.Y())
	for s := range m.Initial {
		if m.Point(state, s); state[taxiPassenger] != aboard && state[taxiPassenger] != state[taxiDestination] {
			m.Initial[s] = 1 / starts
		}
	}
	for stand := range letters {
		delivered.Is = append(delivered.Is, []int{stand, stand})
	}
	m.Ends = []fmdp.Ending{delivered}

	p := problem(m)
	p.Reveal = [][]int{
		taxiRow:         {taxiRow, taxiMove},
		taxiColumn:      {taxiColumn, taxiMove, taxiRow},
		taxiPassenger:   {taxiPassenger, taxiMove, taxiRow, taxiColumn},
		taxiDestination: {taxiDestination},
	}
	// The walls are common knowledge, as in Taxi.
	p.Suggested = p.Revealed(2)
	p.Suggested[taxiColumn] = bigraph.Of(p.Reveal[taxiColumn]...)
	p.Picture = taxiV3Picture(&g, letters)
	p.suggest("row", "passenger", .9, "A passenger can only get in where the taxi is.")
	p.suggest("col", "passenger", .9, "A passenger can only get in where the taxi is.")
	return p, m.Validate()
}

// taxiV3Next returns the next value of state variable j.
func taxiV3Next(g *document.Grid, j int, x []int) int {
	row, col, move := x[taxiRow], x[taxiColumn], x[taxiMove]
	switch {
	case j == taxiRow && move == document.South:
		return min(row+1, g.Rows-1)
	case j == taxiRow && move == document.North:
		return max(row-1, 0)
	case j == taxiColumn && move == document.East && col+1 < g.Columns && !wall(g, row, col):
		return col + 1
	case j == taxiColumn && move == document.West && col > 0 && !wall(g, row, col-1):
		return col - 1
	}
	if j == taxiPassenger {
		here := slices.Index(taxiStands, [2]int{row, col})
		switch passenger := x[taxiPassenger]; {
		case move == document.PickUp && here >= 0 && passenger == here:
			return aboard
		case move == document.DropOff && here >= 0 && passenger == aboard:
			return here
		}
	}
	return x[j]
}

// taxiV3Pay returns what a step pays.
func taxiV3Pay(x []int) float64 {
	here := slices.Index(taxiStands, [2]int{x[taxiRow], x[taxiColumn]})
	switch passenger := x[taxiPassenger]; {
	case x[taxiMove] == document.DropOff && passenger == aboard && here == x[taxiDestination]:
		return 20
	case x[taxiMove] == document.PickUp && (here < 0 || passenger != here),
		x[taxiMove] == document.DropOff && (here < 0 || passenger != aboard):
		return -10
	}
	return -1
}

// taxiV3Picture draws the stands, of which the destination has a flag, and the passenger.
func taxiV3Picture(of *document.Grid, letters []string) *document.GridPicture {
	g := &document.GridPicture{Rows: of.Rows, Columns: of.Columns, Walls: of.Walls, Agent: document.Agent{Look: document.Cab, Row: "row", Column: "col"}}
	for stand, cell := range taxiStands {
		at := document.At(cell[0], cell[1])
		for destination := range letters {
			m := document.Mark{At: at, Text: letters[stand], Tone: document.Place, When: document.When{"destination": destination}}
			if stand == destination {
				m.Tone = document.Goal
			}
			g.Marks = append(g.Marks, m)
		}
		g.Marks = append(g.Marks, document.Mark{At: at, Text: "passenger", Tone: document.Passenger, When: document.When{"passenger": stand}})
	}
	g.Marks = append(g.Marks, document.Mark{Text: "passenger", Tone: document.Passenger, When: document.When{"passenger": aboard}})
	return g
}
