package posterior

import "math/rand/v2"

// Means is a belief about the mean payoffs of one reward factor whose scope is
// known: a Beta(1+paid, 1+unpaid) for each row.
type Means struct {
	counts Counts // unpaid and paid of each row
}

// NewMeans returns the prior belief, Beta(1,1) for each row.
func NewMeans(rows int) *Means { return &Means{make(Counts, 2*rows)} }

// Observe counts one payoff, 0 or 1, at row.
func (m *Means) Observe(row int, paid uint8) { m.counts[2*row+int(paid)]++ }

// Sample draws the mean of each row into dst.
func (m *Means) Sample(rng *rand.Rand, dst []float64) {
	var p [2]float64
	for row := range dst {
		m.counts[2*row:2*row+2].Sample(rng, p[:])
		dst[row] = p[1]
	}
}
