//go:build js && wasm

package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"cpsrl/core/planning"
)

// Oracle: planning.MulVec, bit for bit.
func TestMultiply(t *testing.T) {
	if available() == 0 {
		t.Fatal("the host of this test provides no kernel")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 130; n++ {
		height := 1 + rng.IntN(20)
		matrix, v := make([]float64, height*n), make([]float64, n)
		for i := range matrix {
			matrix[i] = rng.NormFloat64()
		}
		for i := range v {
			v[i] = rng.NormFloat64() * math.Exp2(float64(rng.IntN(40)-20))
		}
		rows := make([]int32, 1+rng.IntN(40))
		for i := range rows {
			rows[i] = int32(rng.IntN(height))
		}
		got, want := make([]float64, len(rows)+1), make([]float64, len(rows))
		got[len(rows)] = 7 // must stay
		Product()(got[:len(rows)], matrix, v, rows)
		planning.MulVec(want, matrix, v, rows)
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("n=%d row %d: %v, want %v", n, rows[i], got[i], want[i])
			}
		}
		if got[len(rows)] != 7 {
			t.Fatalf("n=%d: wrote past the destination", n)
		}
	}
}

func TestMultiplyRefusesRows(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row out of range was taken")
		}
	}()
	multiply(make([]float64, 2), make([]float64, 64), make([]float64, 64), []int32{0, 1})
}

func BenchmarkProduct(b *testing.B) {
	matrix, v, dst := make([]float64, 512*64), make([]float64, 64), make([]float64, 512)
	rows := make([]int32, 512)
	for i := range rows {
		rows[i] = int32(i)
	}
	b.Run("kernel", func(b *testing.B) {
		for b.Loop() {
			multiply(dst, matrix, v, rows)
		}
	})
	b.Run("go", func(b *testing.B) {
		for b.Loop() {
			planning.MulVec(dst, matrix, v, rows)
		}
	})
}
