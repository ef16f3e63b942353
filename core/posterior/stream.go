package posterior

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"

	"cpsrl/core/internal/loops"
)

// Stream is a random stream: xoshiro256** by Blackman and Vigna, seeded by
// splitmix64, as in gonum's mathext/prng. (PCG's 128-bit products are slow in
// WebAssembly; xoshiro256** shifts and rotates.)
type Stream struct {
	*rand.Rand
	state *loops.Xoshiro // the source of Rand
}

// NewStream returns the stream of that seed.
func NewStream(seed uint64) *Stream {
	state := loops.NewXoshiro(seed)
	return &Stream{rand.New(state), state}
}

// NewNamedStream returns the stream of a seed, a run and a label. Each user of random
// numbers has a label of its own, so its draws never shift the numbers of other users.
// The stream's own seed is the first 8 bytes, big-endian, of the SHA-256 of
// "cpsrl stream 1", the seed, the run and the label, separated by newlines.
func NewNamedStream(seed int64, run int, label string) *Stream {
	sum := sha256.Sum256(fmt.Appendf(nil, "cpsrl stream 1\n%d\n%d\n%s", seed, run, label))
	return NewStream(binary.BigEndian.Uint64(sum[:8]))
}

// State is where a stream is.
type State struct{ of loops.Xoshiro }

// State returns where the stream is.
func (s *Stream) State() State { return State{*s.state} }

// Restore puts the stream where it was, or where another one was.
func (s *Stream) Restore(to State) { *s.state = to.of }

// String returns the state as 64 hexadecimal digits.
func (s State) String() string {
	w := s.of.Words()
	return fmt.Sprintf("%016x%016x%016x%016x", w[0], w[1], w[2], w[3])
}

// ParseState reads what String returns, and whether it is that. No stream has the state 0.
func ParseState(text string) (s State, ok bool) {
	var words [4]uint64
	if len(text) != 16*len(words) {
		return s, false
	}
	for k := range words {
		var err error
		if words[k], err = strconv.ParseUint(text[16*k:][:16], 16, 64); err != nil {
			return s, false
		}
	}
	s.of = loops.FromWords(words)
	return s, words != [4]uint64{} && s.String() == text
}

// SampleRows draws every row of a table with size columns from Dirichlet(α + counts)
// into dst. It draws the same numbers as [Counts.Sample] for one row after the other.
func SampleRows(rng *Stream, counts Counts, size int, alpha float64, dst []float64) {
	if alpha != 1 {
		for at := 0; at < len(dst); at += size {
			counts[at:at+size].Sample(rng.Rand, alpha, dst[at:at+size])
		}
		return
	}
	for i := 0; ; i++ {
		i += loops.Fill(rng.state, dst[i:], counts[i:], &ziggurat)
		if i == len(dst) {
			break
		}
		dst[i] = Gamma(rng.Rand, int(counts[i])+1)
	}
	loops.ScaleRows(dst, size)
}
