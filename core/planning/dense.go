package planning

// Product is a matrix-vector product: dst[i] = Σ_k matrix[i·n+k]·v[k] with
// n = len(v), for every i. All implementations add in the order of [MulVec], so
// that they agree bit for bit.
type Product func(dst, matrix, v []float64)

// Dense is an Operator as a table p(y|x), row-major in x then y.
type Dense struct {
	states, actions int
	p               []float64
	product         Product
}

// NewDense returns the operator of a table of length S·A·S, which it keeps.
func NewDense(states, actions int, p []float64, product Product) *Dense {
	if len(p) != states*actions*states {
		panic("planning: table has the wrong length")
	}
	return &Dense{states, actions, p, product}
}

// Apply implements Operator.
func (d *Dense) Apply(dst, v []float64) { d.product(dst, d.p, v) }

// ApplyRule implements Operator.
func (d *Dense) ApplyRule(dst, v []float64, rule []int32) {
	for s, a := range rule {
		x := s*d.actions + int(a)
		MulVec(dst[s:s+1], d.p[x*d.states:(x+1)*d.states], v)
	}
}

// MulVec is the Product in Go. Each inner product runs in four lanes, lane l
// adding the terms k ≡ l (mod 4) in ascending order, and ends as
// (lane 0 + lane 2) + (lane 1 + lane 3).
func MulVec(dst, matrix, v []float64) {
	n := len(v)
	for i := range dst {
		row := matrix[i*n : (i+1)*n]
		var l0, l1, l2, l3 float64
		k := 0
		for ; k+4 <= len(row) && k+4 <= len(v); k += 4 {
			r, u := row[k:k+4:k+4], v[k:k+4:k+4]
			l0 += float64(r[0] * u[0])
			l1 += float64(r[1] * u[1])
			l2 += float64(r[2] * u[2])
			l3 += float64(r[3] * u[3])
		}
		if k < n {
			l0 += float64(row[k] * v[k])
		}
		if k+1 < n {
			l1 += float64(row[k+1] * v[k+1])
		}
		if k+2 < n {
			l2 += float64(row[k+2] * v[k+2])
		}
		dst[i] = (l0 + l2) + (l1 + l3)
	}
}
