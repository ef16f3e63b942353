package posterior

import (
	"math/bits"
	"math/rand/v2"
)

// Stream is a random stream whose state lies open for [Fill]: xoshiro256** by
// Blackman and Vigna, seeded by splitmix64, as in gonum's mathext/prng. (PCG's
// 128-bit products are slow in WebAssembly; xoshiro256** shifts and rotates.)
type Stream struct {
	*rand.Rand
	State *Xoshiro
}

// NewStream returns the stream of that seed.
func NewStream(seed uint64) *Stream {
	mix := func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	state := &Xoshiro{mix(), mix(), mix(), mix()}
	return &Stream{rand.New(state), state}
}

// Xoshiro is the state of xoshiro256**, laid out as the kernel of the tab knows it.
type Xoshiro struct{ s0, s1, s2, s3 uint64 }

// Uint64 implements rand.Source.
func (x *Xoshiro) Uint64() uint64 {
	u := x.number()
	*x = x.after()
	return u
}

// number is the number that the state gives.
func (x Xoshiro) number() uint64 { return bits.RotateLeft64(x.s1*5, 7) * 9 }

// after is the state after it.
func (x Xoshiro) after() Xoshiro {
	s2, s3 := x.s2^x.s0, x.s3^x.s1
	return Xoshiro{x.s0 ^ s3, x.s1 ^ s2, s2 ^ x.s1<<17, bits.RotateLeft64(s3, 45)}
}

// SampleRows draws every row of a table, of size columns, from the Dirichlet(1 +
// counts) into dst, with the numbers that [Counts.Sample] draws row by row.
func SampleRows(rng *Stream, counts Counts, size int, dst []float64) {
	for i := 0; ; i++ {
		i += Fill(rng, dst[i:], counts[i:], ziggurat[:])
		if i == len(dst) {
			break
		}
		dst[i] = Gamma(rng.Rand, int(counts[i])+1)
	}
	ScaleRows(dst, size)
}

// Fill writes the gamma variates of shape 1 + counts[i] into dst[i] for i = 0, 1, …
// as [Gamma] draws them, up to one that takes an exponential from outside the inner
// rectangle of its layer of the ziggurat. It returns the index of that one, for
// which it has drawn nothing, or the length of dst. A host may replace it, before
// anything runs, by one that gets further with the same bits.
var Fill = fill

func fill(rng *Stream, dst []float64, counts Counts, layers []Layer) int {
	next := *rng.State
	table := (*[256]Layer)(layers)
	for i, n := range counts[:len(dst)] {
		if n >= largestSum {
			*rng.State = next
			dst[i] = Gamma(rng.Rand, int(n)+1)
			next = *rng.State
			continue
		}
		before, sum := next, 0.0
		for ; ; n-- {
			u := next.number()
			next = next.after()
			layer := &table[u&0xff]
			if u>>11 >= layer.inside {
				*rng.State = before
				return i
			}
			sum += float64(float64(int64(u>>11)) * layer.width)
			if n == 0 {
				break
			}
		}
		dst[i] = sum
	}
	*rng.State = next
	return len(dst)
}

// ScaleRows divides each row of a table, of size columns, by its sum. A host may
// replace it, before anything runs, by one with the same bits.
var ScaleRows = scaleRows

func scaleRows(dst []float64, size int) {
	for at := 0; at < len(dst); at += size {
		row := dst[at : at+size]
		sum := 0.0
		for _, g := range row {
			sum += g
		}
		scale(row, sum)
	}
}
