package planning

import "cpsrl/core/internal/loops"

// Dense is an [Operator] given by a table p(y|x), row-major in x, then y.
type Dense struct{ p []float64 }

// NewDense returns the operator of a table of length S·A·S. It keeps the table.
func NewDense(p []float64) *Dense { return &Dense{p} }

// Apply implements [Operator]. Each expectation is added in four lanes, lane l adding
// the terms y ≡ l (mod 4) in ascending order, and then as (lane 0 + lane 2) +
// (lane 1 + lane 3).
func (d *Dense) Apply(dst, v []float64, points []int32) { loops.MulVec(dst, d.p, v, points) }
