package render

import (
	"slices"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
)

// board is the picture of a grid over the variables of a space, which it suits.
type board struct {
	*document.GridPicture
	space               *fmdp.Space
	row, column, single int   // the variables of the agent's place, or −1
	cells               []int // the variable of each cell, or −1; nil if the place is in others
	marks               []placed
	walled              map[[3]int]bool // {row, column, 0}: a wall east of the cell; 1: south of it
}

// placed is a mark of a board.
type placed struct {
	document.Mark
	cell int      // −1: with the agent
	when [][2]int // {variable, value}
}

func newBoard(g *document.GridPicture, space *fmdp.Space) *board {
	b := &board{GridPicture: g, space: space, row: -1, column: -1, single: -1, walled: map[[3]int]bool{}}
	switch a := &g.Agent; {
	case a.Cell != "":
		b.single = space.Lookup(a.Cell)
	case a.Cells != nil:
		for _, name := range a.Cells {
			b.cells = append(b.cells, space.Lookup(name))
		}
	default:
		b.row, b.column = space.Lookup(a.Row), space.Lookup(a.Column)
	}
	for _, m := range g.Marks {
		p := placed{Mark: m, cell: -1}
		if m.At != nil {
			p.cell = m.At[0]*g.Columns + m.At[1]
		}
		for name, value := range m.When {
			p.when = append(p.when, [2]int{space.Lookup(name), value})
		}
		b.marks = append(b.marks, p)
	}
	for side, walls := range [][][2]int{g.Walls, g.SouthWalls} {
		for _, w := range walls {
			b.walled[[3]int{w[0], w[1], side}] = true
		}
	}
	return b
}

// cellOf returns the cell of the agent in a state, or −1 if it is gone.
func (b *board) cellOf(state []int) int {
	switch {
	case b.cells != nil:
		return slices.IndexFunc(b.cells, func(i int) bool { return i >= 0 && state[i] > 0 })
	case b.single >= 0:
		return state[b.single]
	}
	return state[b.row]*b.Columns + state[b.column]
}

// put changes a state so that the agent is in a cell. It reports whether it can be there.
func (b *board) put(state []int, cell int) bool {
	switch {
	case b.cells != nil:
		for k, i := range b.cells {
			if i >= 0 {
				state[i] = 0
				if k == cell {
					state[i] = 1
				}
			}
		}
		return b.cells[cell] >= 0
	case b.single >= 0:
		state[b.single] = cell
	default:
		state[b.row], state[b.column] = cell/b.Columns, cell%b.Columns
	}
	return true
}

// tells reports whether a variable is a part of the agent's place.
func (b *board) tells(i int) bool {
	return i == b.row || i == b.column || i == b.single || slices.Contains(b.cells, i)
}

// there reports whether a mark is there in a state.
func (m *placed) there(state []int) bool {
	return !slices.ContainsFunc(m.when, func(w [2]int) bool { return state[w[0]] != w[1] })
}

// aboard returns the first mark that is with the agent in a state, or nil.
func (b *board) aboard(state []int) *placed {
	for k := range b.marks {
		if m := &b.marks[k]; m.cell < 0 && m.there(state) {
			return m
		}
	}
	return nil
}

// way is the direction of a move: rows and columns.
type way struct{ rows, columns int }

// next returns the cell that a move of one cell leads to, or −1 if a wall or the edge is in the way.
func (b *board) next(cell int, by way) int {
	row, column := cell/b.Columns, cell%b.Columns
	to := way{row + by.rows, column + by.columns}
	if to.rows < 0 || to.rows >= b.Rows || to.columns < 0 || to.columns >= b.Columns {
		return -1
	}
	side := 0
	if by.rows != 0 {
		side = 1
	}
	if b.walled[[3]int{min(row, to.rows), min(column, to.columns), side}] {
		return -1
	}
	return to.rows*b.Columns + to.columns
}

// event is what a step did to the agent.
type event int

const (
	moved    event = iota // it went where its action points
	drifted               // it came somewhere else
	blocked               // a wall was in the way
	stayed                // it did not move, though nothing was in the way
	vanished              // it is gone
	tookUp                // something is with it now
	putDown               // something no longer is
	changed               // an action that is no move changed the state
	idle                  // an action that is no move changed nothing
	waited                // so did an action that is to do nothing
)

// eventOf returns what a step did, and the word for where its action points; "" if it is no move.
func (b *board) eventOf(step record.TraceStep) (event, string) {
	states := b.space.Y()
	x, y := step.X[:states], step.Y
	to, by := wayOf(b.space, step.X[states:])
	from, at := b.cellOf(x), b.cellOf(y)
	before, after := b.aboard(x), b.aboard(y)
	switch {
	case at < 0 && from >= 0:
		return vanished, by
	case at != from && by != "" && from >= 0 && b.next(from, to) == at:
		return moved, by
	case at != from:
		return drifted, by
	case by != "" && at >= 0 && b.next(at, to) < 0:
		return blocked, by
	case by != "":
		return stayed, by
	case before == nil && after != nil:
		return tookUp, ""
	case before != nil && after == nil:
		return putDown, ""
	case slices.Equal(x, y) && waits(b.space, step.X[states:]):
		return waited, ""
	case slices.Equal(x, y):
		return idle, ""
	}
	return changed, ""
}
