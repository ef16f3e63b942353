package posterior_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext/prng"

	"cpsrl/core/posterior"
)

// Oracle: gonum's xoshiro256**.
func TestStream(t *testing.T) {
	for _, seed := range []uint64{0, 1, 1 << 63, 0xdeadbeef} {
		got, want := posterior.NewStream(seed), rand.New(prng.NewXoshiro256starstar(seed))
		for k := range 1000 {
			if g, w := got.Uint64(), want.Uint64(); g != w {
				t.Fatalf("seed %d, number %d is %d, want %d", seed, k, g, w)
			}
		}
	}
}

// Oracle: the documented seed, from the digest that sha256sum prints.
func TestNewNamedStream(t *testing.T) {
	// printf 'cpsrl stream 1\n7\n3\npsrl world' | sha256sum
	got, want := posterior.NewNamedStream(7, 3, "psrl world"), posterior.NewStream(0xa4acf6eab3f31129)
	for range 10 {
		if g, w := got.Uint64(), want.Uint64(); g != w {
			t.Fatalf("%d, want %d", g, w)
		}
	}
}

// Oracle: Counts.Sample, row by row, to the bit: the same numbers of the stream.
func TestSampleRows(t *testing.T) {
	rng := stream(40)
	for _, size := range []int{1, 2, 3, 64} {
		counts := make(posterior.Counts, 300*size)
		for i := range counts {
			if rng.IntN(2) == 0 {
				counts[i] = uint32(rng.IntN(1 << rng.IntN(20)))
			}
		}
		all, rows := posterior.NewStream(41), posterior.NewStream(41)
		got, want := make([]float64, len(counts)), make([]float64, len(counts))
		posterior.SampleRows(all, counts, size, 1, got)
		for at := 0; at < len(counts); at += size {
			counts[at:at+size].Sample(rows.Rand, 1, want[at:at+size])
		}
		if !slices.Equal(got, want) || all.Uint64() != rows.Uint64() {
			t.Errorf("%d outcomes: the rows differ", size)
		}
	}
}

// A whole table of PSRL at S = 64 and A = 8 with some counts.
func BenchmarkSampleRows(b *testing.B) {
	rng := posterior.NewStream(42)
	counts, dst := make(posterior.Counts, 512*64), make([]float64, 512*64)
	for range 20000 {
		counts[rng.IntN(1+rng.IntN(len(counts)))]++
	}
	b.ReportAllocs()
	for b.Loop() {
		posterior.SampleRows(rng, counts, 64, 1, dst)
	}
}
