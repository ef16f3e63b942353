package loops

import "math/bits"

// LogTableLen is the length of the tables of logarithms that Tally reads.
const LogTableLen = 1 << 15

// MostOutcomes is the largest number of outcomes that Tally takes.
const MostOutcomes = 1 << 10

// Logs holds the logarithms of predictive probabilities: that of an outcome seen c times
// in a row seen m times is Outcome[c+Seen] − Row[m+Total].
type Logs struct {
	Outcome, Row *[LogTableLen]float64
	Seen, Total  int
}

// Tally counts the outcomes of steps in the tables of several parent sets, and adds
// the logarithm of each outcome's predictive probability to the evidence of each
// set. There are len(evidence) sets. Step t selects row rows[points[t]·stride+k] for set k
// and has outcome outcomes[t]. A row has size counts, from counts[row·size] on, and
// totals[row] is their sum.
//
// Every index into logs stays below LogTableLen, and size is at most MostOutcomes.
func Tally(evidence []float64, counts, totals []uint32, rows []int32, stride int, points, outcomes []int32, logs *Logs, size int) {
	if kernelTally(evidence, counts, totals, rows, stride, points, outcomes, logs, size) {
		return
	}
	// Steps are outside and sets inside: the sums run in the order of the data, and
	// the sum of one set does not wait for that of another.
	for t, x := range points {
		selected := rows[int(x)*stride:][:len(evidence)]
		if !lean && logs.Outcome == logs.Row { // as for α = 1
			tallyStepOfOne(evidence, counts[outcomes[t]:], totals, selected, logs, size)
		} else {
			tallyStep(evidence, counts[outcomes[t]:], totals, selected, logs, size)
		}
	}
}

// tallyStep is one step of Tally. The slice counts begins at the step's outcome. As a
// separate function it keeps most of its variables in registers.
//
//go:noinline
func tallyStep(evidence []float64, counts, totals []uint32, selected []int32, logs *Logs, size int) {
	selected = selected[:len(evidence)]
	outcome, row, seen, total := logs.Outcome, logs.Row, uint32(logs.Seen), uint32(logs.Total)
	_, _ = outcome[0], row[0]
	for k := range evidence {
		r := selected[k]
		at := int(r) * size
		n, m := counts[at], totals[r]
		counts[at], totals[r] = n+1, m+1
		evidence[k] += outcome[(n+seen)%LogTableLen] - row[(m+total)%LogTableLen]
	}
}

// tallyStepOfOne is tallyStep with one table for outcomes and rows, which needs one
// register less.
//
//go:noinline
func tallyStepOfOne(evidence []float64, counts, totals []uint32, selected []int32, logs *Logs, size int) {
	selected = selected[:len(evidence)]
	table, seen, total := logs.Row, uint32(logs.Seen), uint32(logs.Total)
	_ = table[0]
	for k := range evidence {
		r := selected[k]
		at := int(r) * size
		n, m := counts[at], totals[r]
		counts[at], totals[r] = n+1, m+1
		evidence[k] += table[(n+seen)%LogTableLen] - table[(m+total)%LogTableLen]
	}
}

// Xoshiro is the state of xoshiro256** by Blackman and Vigna. The kernel knows its
// layout.
type Xoshiro struct{ s0, s1, s2, s3 uint64 }

// NewXoshiro returns the state that splitmix64 derives from a seed.
func NewXoshiro(seed uint64) *Xoshiro {
	mix := func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	return &Xoshiro{mix(), mix(), mix(), mix()}
}

// Words returns the state.
func (x Xoshiro) Words() [4]uint64 { return [4]uint64{x.s0, x.s1, x.s2, x.s3} }

// FromWords returns the state with these words, which are not all 0.
func FromWords(w [4]uint64) Xoshiro { return Xoshiro{w[0], w[1], w[2], w[3]} }

// Uint64 implements rand.Source.
func (x *Xoshiro) Uint64() uint64 {
	u := x.number()
	*x = x.after()
	return u
}

// number returns the random number of the state.
func (x Xoshiro) number() uint64 { return bits.RotateLeft64(x.s1*5, 7) * 9 }

// after returns the next state.
func (x Xoshiro) after() Xoshiro {
	s2, s3 := x.s2^x.s0, x.s3^x.s1
	return Xoshiro{x.s0 ^ s3, x.s1 ^ s2, s2 ^ x.s1<<17, bits.RotateLeft64(s3, 45)}
}

// Layer is one layer of a ziggurat for the exponential law: equal areas under the
// density e⁻ˣ. The kernel knows its layout.
type Layer struct {
	Width     float64 // the layer's width over 2⁵³
	Inside    uint64  // 53-bit numbers below Inside lie under the density throughout
	Low, High float64 // the density at the outer and at the inner edge
}

// Layers is a whole ziggurat. A random number chooses the layer by its low 8 bits
// and the place in the layer by its high 53.
type Layers = [256]Layer

// LargestSum is the shape up to which a gamma variate is a sum of exponentials.
const LargestSum = 4

// Fill writes gamma variates of shape 1 + counts[i] and scale 1 into dst[i], for
// i = 0, 1, …, as posterior.Gamma draws them. It may stop before any entry, without
// drawing a number for that entry. It returns how many entries it wrote.
//
// The loop in Go stops before a shape above LargestSum and before a sum with an
// exponential outside the inner rectangle of its layer. The kernel stops less often.
func Fill(state *Xoshiro, dst []float64, counts []uint32, layers *Layers) int {
	if n, ok := kernelFill(state, dst, counts, layers); ok {
		return n
	}
	next := *state
	for i, n := range counts[:len(dst)] {
		if n >= LargestSum {
			*state = next
			return i
		}
		before, sum := next, 0.0
		for ; ; n-- {
			u := next.number()
			next = next.after()
			layer := &layers[u&0xff]
			if u>>11 >= layer.Inside {
				*state = before
				return i
			}
			sum += float64(float64(int64(u>>11)) * layer.Width)
			if n == 0 {
				break
			}
		}
		dst[i] = sum
	}
	*state = next
	return len(dst)
}

// ScaleRows divides each row of a table with size columns by the sum of the row, added
// from left to right. A row of zeros becomes uniform. No entry is negative.
func ScaleRows(dst []float64, size int) {
	if kernelScaleRows(dst, size) {
		return
	}
	for at := 0; at < len(dst); at += size {
		row := dst[at : at+size]
		sum := 0.0
		for _, g := range row {
			sum += g
		}
		Scale(row, sum)
	}
}

// Scale divides the entries of a row by the sum of the row. If sum is 0, the row becomes
// uniform.
func Scale(row []float64, sum float64) {
	for i := range row {
		if sum > 0 {
			row[i] /= sum
		} else {
			row[i] = 1 / float64(len(row))
		}
	}
}
