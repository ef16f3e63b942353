package planning

// Product is a matrix-vector product over chosen rows: dst[i] = Σ_k
// matrix[rows[i]·n+k]·v[k] with n = len(v), for every i. All implementations add
// in the order of [MulVec], so that they agree bit for bit.
type Product func(dst, matrix, v []float64, rows []int32)

// Dense is an Operator as a table p(y|x), row-major in x then y.
type Dense struct {
	p       []float64
	product Product
}

// NewDense returns the operator of a table of length S·A·S, which it keeps.
func NewDense(p []float64, product Product) *Dense { return &Dense{p, product} }

// Apply implements Operator.
func (d *Dense) Apply(dst, v []float64, points []int32) { d.product(dst, d.p, v, points) }

// MulVec is the Product in Go. Each inner product runs in four lanes, lane l
// adding the terms k ≡ l (mod 4) in ascending order, and ends as
// (lane 0 + lane 2) + (lane 1 + lane 3).
func MulVec(dst, matrix, v []float64, rows []int32) {
	n := len(v)
	whole := n &^ 3
	for i, r := range rows {
		row := matrix[int(r)*n:][:n]
		var l0, l1, l2, l3 float64
		for k := 0; k < whole; k += 4 {
			m, u := row[k:k+4:k+4], v[k:k+4:k+4]
			l0 += float64(m[0] * u[0])
			l1 += float64(m[1] * u[1])
			l2 += float64(m[2] * u[2])
			l3 += float64(m[3] * u[3])
		}
		if whole < n {
			l0 += float64(row[whole] * v[whole])
		}
		if whole+1 < n {
			l1 += float64(row[whole+1] * v[whole+1])
		}
		if whole+2 < n {
			l2 += float64(row[whole+2] * v[whole+2])
		}
		dst[i] = (l0 + l2) + (l1 + l3)
	}
}
