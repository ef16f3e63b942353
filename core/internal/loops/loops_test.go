package loops_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"cpsrl/core/internal/loops"
)

// Oracle: the documented order of additions, term by term: lane l adds the
// terms k ≡ l (mod 4) in ascending order; (0 + 2) + (1 + 3). Bit for bit.
func TestMulVec(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0x9a))
	for n := range 18 {
		const rows = 9
		matrix, v := make([]float64, rows*n), make([]float64, n)
		for i := range matrix {
			matrix[i] = rng.NormFloat64() * math.Exp2(float64(rng.IntN(40)-20))
		}
		for i := range v {
			v[i] = rng.NormFloat64() * math.Exp2(float64(rng.IntN(40)-20))
		}
		for _, points := range [][]int32{{}, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {8, 0, 3, 3}, {5}} {
			dst := make([]float64, len(points))
			for i := range dst {
				dst[i] = math.NaN()
			}
			loops.MulVec(dst, matrix, v, points)
			for i, r := range points {
				var lane [4]float64
				for k := range n {
					product := matrix[int(r)*n+k] * v[k]
					lane[k%4] += float64(product)
				}
				want := (lane[0] + lane[2]) + (lane[1] + lane[3])
				if math.Float64bits(dst[i]) != math.Float64bits(want) {
					t.Errorf("n=%d, row %d: %v, want %v", n, r, dst[i], want)
				}
			}
		}
	}
}

// Oracle: the documented order of additions, as in TestMulVec. Bit for bit.
func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0x9a))
	for n := range 18 {
		p, q := make([]float64, n), make([]float64, n)
		var lane [4]float64
		for i := range p {
			p[i], q[i] = rng.NormFloat64(), rng.NormFloat64()*math.Exp2(float64(rng.IntN(40)-20))
			if i < n&^3 {
				lane[i%4] += math.Abs(p[i] - q[i])
			} else {
				lane[0] += math.Abs(p[i] - q[i])
			}
		}
		if got, want := loops.Distance(p, q), (lane[0]+lane[2])+(lane[1]+lane[3]); got != want {
			t.Errorf("n=%d: %v, want %v", n, got, want)
		}
	}
}
