package loops_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"cpsrl/core/internal/loops"
)

// Oracle: math.Exp2, to the bit where it is the same method in Go, and within a unit in the last
// place elsewhere.
func TestExp2(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(x float64) {
		got, want := loops.Exp2(x), math.Exp2(x)
		same := math.Float64bits(got) == math.Float64bits(want) || math.IsNaN(got) && math.IsNaN(want)
		if runtime.GOARCH == "arm64" || runtime.GOARCH == "s390x" {
			same = same || math.Abs(got-want) <= 1.2*(math.Nextafter(want, math.Inf(1))-want)
		}
		if !same {
			t.Errorf("2^%v: %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, -1.5, 1023, 1023.9999999999999, 1024, 1025, -1022, -1022.5, -1074, -1074.5, -1075, -2000, 1e-300, -1e-300, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64} {
		check(x)
	}
	for range 500_000 {
		check(rng.Float64()*2 - 1)
		check(rng.NormFloat64() * 30)
		check(rng.Float64()*2200 - 1100)
	}
	for k := -1074; k <= 1023; k++ {
		if got := loops.Exp2(float64(k)); got != math.Ldexp(1, k) {
			t.Errorf("2^%d = %v", k, got)
		}
	}
}

// The bits are the same on every platform.
func TestExp2Bits(t *testing.T) {
	hash := sha256.New()
	for k := range 1 << 19 {
		x := float64(k-1<<18) / 4099
		binary.Write(hash, binary.LittleEndian, math.Float64bits(loops.Exp2(x)))
	}
	const want = "f61c0b6eeffa812bb6dfd27abd23f48ec2e86af6a0f41188678224b73189ed3b"
	if got := fmt.Sprintf("%x", hash.Sum(nil)); got != want {
		t.Errorf("the bits have the hash %s, want %s", got, want)
	}
}
