// Package domain holds the named problems: each builds a true model, the order
// in which a prior reveals its graph, the prior it suggests, and a hint of how
// to draw it. What the paper leaves open is chosen here and said so.
package domain

import (
	"math/rand/v2"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Problem is one instance: the true FMDP ℱ_* and what may be known of its graph.
type Problem struct {
	Model *fmdp.Model
	// Suggested is the domain's own prior z_0 ⊆ z_*.
	Suggested bigraph.Bigraph
	// Reveal lists the true parents of each Y variable in the order in which
	// G_0(η) reveals them.
	Reveal [][]int
	Grid   *Grid // how to draw it; nil if it is not a grid
}

// Revealed returns G_0(η): the first η parents of each Y variable, or all of them.
// The graphs are nested.
func (p *Problem) Revealed(eta int) bigraph.Bigraph {
	g := make(bigraph.Bigraph, len(p.Reveal))
	for j, order := range p.Reveal {
		g[j] = bigraph.Of(order[:min(eta, len(order))]...)
	}
	return g
}

// Grid is the picture of a taxi problem.
type Grid struct {
	Rows, Columns       int
	Walls               [][2]int // {row, column}: a wall east of that cell
	PickUp, Destination [2]int   // {row, column}
}

// FromModel returns the problem of a given model: nothing is suggested, and
// parents are revealed in a random order.
func FromModel(m *fmdp.Model, rng *rand.Rand) *Problem {
	p := &Problem{Model: m, Suggested: make(bigraph.Bigraph, m.Y())}
	for _, z := range m.Graph() {
		order := z.Parents()
		rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		p.Reveal = append(p.Reveal, order)
	}
	return p
}
