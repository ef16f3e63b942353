package loops

import "math"

// Table is the law of one variable given a point: a table of rows of probabilities,
// and the row that each point selects.
type Table struct {
	P     []float64 // row-major
	Size  int       // columns
	RowOf []int32   // one row for each point
}

// at returns the law at point x.
func (t *Table) at(x int) []float64 { return t.P[int(t.RowOf[x])*t.Size:][:t.Size] }

// Joint writes the products of the laws of several independent variables into dst,
// row-major in the point, then the values of the variables in their order. There is
// at least one variable; all have the same points.
func Joint(dst []float64, law []Table) {
	if kernelJoint(dst, law) {
		return
	}
	points := len(law[0].RowOf)
	states := len(dst) / points
	for x := range points {
		joint := dst[x*states : (x+1)*states]
		joint[0] = 1
		for j, n := 0, 1; j < len(law); j++ {
			p := law[j].at(x)
			if j+1 < len(law) && len(p) == 2 && law[j+1].Size == 2 {
				j++
				expandTwo(joint, n, p, law[j].at(x))
				n *= 4
				continue
			}
			expand(joint, n, p)
			n *= len(p)
		}
	}
}

// expandTwo expands by p and then by q, which both have two entries.
func expandTwo(law []float64, n int, p, q []float64) {
	p0, p1, q0, q1 := p[0], p[1], q[0], q[1]
	for i := n - 1; i >= 0; i-- {
		out := law[4*i:][:4]
		a := law[i]
		b := a * p1
		a *= p0
		out[0], out[1], out[2], out[3] = a*q0, a*q1, b*q0, b*q1
	}
}

// expand replaces each of the first n entries of law by its products with p, in
// place and therefore from the back.
func expand(law []float64, n int, p []float64) {
	if len(p) == 2 {
		p0, p1 := p[0], p[1]
		pairs := law[:2*n]
		for i := n - 1; i >= 0; i-- {
			q := law[i]
			pairs[2*i], pairs[2*i+1] = q*p0, q*p1
		}
		return
	}
	for i := n - 1; i >= 0; i-- {
		q := law[i]
		for v := len(p) - 1; v >= 0; v-- {
			law[i*len(p)+v] = q * p[v]
		}
	}
}

// Distance returns Σ |p[i] − q[i]|, added in four lanes: lane l adds the terms
// i ≡ l (mod 4) in ascending order, and lane 0 the last n mod 4 terms. It ends as
// (lane 0 + lane 2) + (lane 1 + lane 3). The slices p and q have the same length.
func Distance(p, q []float64) float64 {
	if sum, ok := kernelDistance(p, q); ok {
		return sum
	}
	var l0, l1, l2, l3 float64
	i := 0
	for ; i+4 <= len(p) && i+4 <= len(q); i += 4 {
		a, b := p[i:i+4:i+4], q[i:i+4:i+4]
		l0 += math.Abs(a[0] - b[0])
		l1 += math.Abs(a[1] - b[1])
		l2 += math.Abs(a[2] - b[2])
		l3 += math.Abs(a[3] - b[3])
	}
	for ; i < len(p); i++ {
		l0 += math.Abs(p[i] - q[i])
	}
	return (l0 + l2) + (l1 + l3)
}
