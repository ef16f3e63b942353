package domain

import (
	"fmt"

	"cpsrl/core/document"
)

// namesOf returns the names of the first state variables of the view.
func (p *Problem) namesOf(n int) (names []string) {
	for _, v := range p.View.State[:n] {
		names = append(names, v.Name)
	}
	return names
}

// nodes draws all state variables as nodes without links.
func (p *Problem) nodes() { p.Picture = &document.NodesPicture{Nodes: p.namesOf(p.View.Y())} }

// cells draws state variables as nodes on a grid. They are listed column by column, the southernmost
// of each first.
func (p *Problem) cells(rows int) {
	n := &document.NodesPicture{Nodes: p.namesOf(p.View.Y())}
	for i := range n.Nodes {
		n.Places = append(n.Places, [2]int{rows - 1 - i%rows, i / rows})
	}
	p.Picture = n
}

// rooms draws a robot that is in at most one of the cells, which are listed as for cells. The start
// and the goal are a column and a row, from 0 in the west and the south.
func (p *Problem) rooms(rows, columns int, start, goal [2]int) {
	names := p.namesOf(rows * columns)
	g := &document.GridPicture{Rows: rows, Columns: columns}
	for row := range rows {
		for col := range columns {
			g.Agent.Cells = append(g.Agent.Cells, names[col*rows+rows-1-row])
		}
	}
	for row, line := range navigationTraps {
		for col, chance := range line {
			if chance > 0 {
				g.Marks = append(g.Marks, document.Mark{At: document.At(rows-1-row, col), Text: fmt.Sprintf("takes %.0f%%", 100*chance), Tone: document.Hole})
			}
		}
	}
	g.Marks = append(g.Marks, []document.Mark{
		{At: document.At(rows-1-start[1], start[0]), Text: "start", Tone: document.Start},
		{At: document.At(rows-1-goal[1], goal[0]), Text: "goal", Tone: document.Goal},
	}...)
	p.Picture = g
}
