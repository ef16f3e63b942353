package document

import (
	"fmt"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/strict"
)

// Graph is a bigraph as the formats have it: the parents of each Y_j in ascending order.
type Graph [][]int

// NewGraph returns the Graph of a bigraph.
func NewGraph(g bigraph.Bigraph) Graph {
	edges := 0
	for _, z := range g {
		edges += z.Len()
	}
	list, all := make(Graph, len(g)), make([]int, 0, edges)
	for j, z := range g {
		from := len(all)
		all = z.Append(all)
		list[j] = all[from:len(all):len(all)]
	}
	return list
}

// Bigraph returns the graph as scopes. An index that is not below dX is an error.
func (g Graph) Bigraph(dX int) (bigraph.Bigraph, error) {
	b := make(bigraph.Bigraph, len(g))
	for j, parents := range g {
		for _, i := range parents {
			if i < 0 || i >= dX {
				return nil, strict.Invalid("", "there is no variable %d", i)
			}
			b[j] = b[j].With(i)
		}
	}
	return b, nil
}

// DecodeStrict implements [strict.Decoder].
func (g *Graph) DecodeStrict(r *strict.Reader) error { return strict.Rows(r, (*[][]int)(g)) }

// Grid says how to draw the taxi. The first three state variables of the problem are the taxi's row,
// its column and whether the passenger is aboard. The values of its action are the moves, from
// [South] on. It is how traces of the taxi have said it since their first version; any other problem
// has a [View].
type Grid struct {
	Rows        int      `json:"rows"`
	Columns     int      `json:"columns"`
	Walls       [][2]int `json:"walls"`       // {row, column}: a wall east of that cell
	PickUp      [2]int   `json:"pickUp"`      // {row, column}
	Destination [2]int   `json:"destination"` // {row, column}
}

// Picture returns the picture over the variables of the taxi.
func (g *Grid) Picture(space *fmdp.Space) *GridPicture {
	aboard := space.State[2].Name
	return &GridPicture{
		Rows: g.Rows, Columns: g.Columns, Walls: g.Walls,
		Agent: Agent{Look: Cab, Row: space.State[0].Name, Column: space.State[1].Name},
		Marks: []Mark{
			{At: &g.PickUp, Text: "R", Tone: Place},
			{At: &g.PickUp, Text: "passenger", Tone: Passenger, When: When{aboard: 0}},
			{At: &g.Destination, Text: "Y", Tone: Goal},
			{Text: "passenger", Tone: Passenger, When: When{aboard: 1}},
		},
	}
}

// CheckValues returns an error unless there is one value, in its range, for each of the
// first n variables of X.
func CheckValues(values []int, n int, place string, space *fmdp.Space) error {
	if len(values) != n {
		of := "state"
		if n > space.Y() {
			of = "state and action"
		}
		return strict.Invalid(place, "%d values for %d %s variables", len(values), n, of)
	}
	for i, v := range values {
		if v < 0 || v >= space.Var(i).Size {
			return strict.Invalid(fmt.Sprintf("%s/%d", place, i), "%q has no value %d; its values are 0 to %d", space.Var(i).Name, v, space.Var(i).Size-1)
		}
	}
	return nil
}

// CheckGraph returns an *[strict.InvalidError] unless the graph lists ascending parents for each
// Y variable of the space.
func CheckGraph(g Graph, place string, space *fmdp.Space) error {
	if len(g) != space.Y() {
		return strict.Invalid(place, "parents of %d variables; there are %d", len(g), space.Y())
	}
	for j, parents := range g {
		if err := CheckParents(parents, fmt.Sprintf("%s/%d", place, j), space); err != nil {
			return err
		}
	}
	return nil
}

// CheckParents returns an *[strict.InvalidError] unless the parents are ascending and are
// variables of the space.
func CheckParents(parents []int, place string, space *fmdp.Space) error {
	for k, i := range parents {
		if i < 0 || i >= space.X() || k > 0 && i <= parents[k-1] {
			return strict.Invalid(place, "parents are ascending, from 0 to %d", space.X()-1)
		}
	}
	return nil
}

// RankedEdge is an edge of a bigraph and its probability.
type RankedEdge struct {
	From string  `json:"from"` // an X variable
	To   string  `json:"to"`   // a Y variable
	P    float64 `json:"p"`
}
