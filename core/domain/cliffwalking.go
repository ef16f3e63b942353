package domain

import (
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
)

var cliffWalkingKind = Kind{
	Key: "cliff-walking", Label: "CliffWalking", Phrase: "CliffWalking",
	Reward: "A step pays −1, and a step off the cliff −100.",
	Since:  4, Tied: true,
	Agents: []string{"psrl", "f-psrl", "c-psrl"},
	New:    func() Domain { return new(CliffWalking) },
}

// CliffWalking is Gymnasium's CliffWalking, Example 6.6 of Sutton and Barto (2018). The walker starts in
// the last row, and the goal is at the other end of it. All cells between are the cliff, from which he
// falls back to the start. The episode ends at the goal.
//
// The start is in the row of the cliff, so a fall changes only the column: the next row does not depend
// on the column, but the next column depends on the row.
//
// A slip changes either the row or the column, so slippery cliffs have no factored form, and are left out.
type CliffWalking struct{ Horizon int }

const cliffRows, cliffColumns = 4, 12

func (*CliffWalking) Kind() *Kind { return &cliffWalkingKind }

// Params implements Domain. Gymnasium has no limit of steps, so the horizon is ours: whoever stands still
// must lose far more than the 13 steps of the best way.
func (c *CliffWalking) Params() []param.Param { return []param.Param{horizon(&c.Horizon, "100")} }

// Sparseness implements Domain: the column has three parents.
func (*CliffWalking) Sparseness() int { return 3 }

func (*CliffWalking) Title() (string, []string) { return "CliffWalking", nil }

// The variables of a walk.
const (
	walkRow = iota
	walkColumn
	walkMove
)

// Build implements Domain. It draws nothing.
func (c *CliffWalking) Build(*rand.Rand, Given) (*Problem, error) {
	m := &fmdp.Model{Name: "CliffWalking", Horizon: c.Horizon}
	m.State = []fmdp.Variable{walkRow: {Name: "row", Size: cliffRows}, walkColumn: {Name: "col", Size: cliffColumns}}
	m.Action = []fmdp.Variable{{Name: "move", Size: 4, Values: []string{"up", "right", "down", "left"}}}
	nextRow := func(x []int) int { return min(max(x[walkRow]+compass[3-x[walkMove]][0], 0), cliffRows-1) }
	nextColumn := func(x []int) int { return min(max(x[walkColumn]+compass[3-x[walkMove]][1], 0), cliffColumns-1) }
	falls := func(x []int) bool {
		col := nextColumn(x)
		return nextRow(x) == cliffRows-1 && col > 0 && col < cliffColumns-1
	}
	m.Transition = []fmdp.Factor{
		walkRow: tabulate(&m.Space, []int{walkRow, walkMove}, cliffRows, func(row []float64, x []int) { row[nextRow(x)] = 1 }),
		walkColumn: tabulate(&m.Space, []int{walkRow, walkColumn, walkMove}, cliffColumns, func(row []float64, x []int) {
			if falls(x) {
				row[0] = 1
			} else {
				row[nextColumn(x)] = 1
			}
		}),
	}
	m.Reward = []fmdp.Reward{payoff(&m.Space, []int{walkRow, walkColumn, walkMove}, func(x []int) float64 {
		if falls(x) {
			return -100
		}
		return -1
	})}
	m.Initial = make([]float64, m.States())
	m.Initial[m.Index([]int{cliffRows - 1, 0})] = 1
	m.Ends = []fmdp.Ending{{Name: "goal", Given: []int{walkRow, walkColumn}, Is: [][]int{{cliffRows - 1, cliffColumns - 1}}}}
	p := problem(m)
	p.Suggested = make(bigraph.Bigraph, m.Y())
	p.Reveal = [][]int{{walkRow, walkMove}, {walkColumn, walkMove, walkRow}}
	p.Picture = cliffPicture()
	p.suggest("row", "row", .95, "A step leads to the same row or the next.")
	p.suggest("move", "row", .95, "Up and down change the row.")
	p.suggest("col", "col", .95, "A step leads to the same column or the next.")
	p.suggest("move", "col", .95, "Left and right change the column.")
	return p, m.Validate()
}

func cliffPicture() *document.GridPicture {
	const last = cliffRows - 1
	g := &document.GridPicture{Rows: cliffRows, Columns: cliffColumns, Agent: document.Agent{Row: "row", Column: "col"}, Marks: []document.Mark{
		{At: document.At(last, 0), Text: "start", Tone: document.Start},
		{At: document.At(last, cliffColumns-1), Text: "goal", Tone: document.Goal},
	}}
	for column := 1; column < cliffColumns-1; column++ {
		g.Marks = append(g.Marks, document.Mark{At: document.At(last, column), Text: "cliff", Tone: document.Cliff})
	}
	return g
}
