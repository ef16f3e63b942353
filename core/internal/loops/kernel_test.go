//go:build js && wasm && kernel

package loops_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"cpsrl/core/internal/loops"
	"cpsrl/core/posterior"
)

// inGo returns what f returns when every loop runs in Go; inGo2 is for two results.
func inGo[T any](f func() T) (want T) {
	loops.InGo(func() { want = f() })
	return want
}

func inGo2[T, U any](f func() (T, U)) (a T, b U) {
	loops.InGo(func() { a, b = f() })
	return a, b
}

func TestMain(m *testing.M) {
	if !loops.HasKernel() {
		panic("the host of this test provides no kernel")
	}
	os.Exit(m.Run())
}

// equal says whether two slices agree bit for bit.
func equal(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// Oracle: MulVec in Go, bit for bit.
func TestMultiply(t *testing.T) {
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
		loops.MulVec(got[:len(rows)], matrix, v, rows)
		loops.InGo(func() { loops.MulVec(want, matrix, v, rows) })
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
	loops.MulVec(make([]float64, 2), make([]float64, 64), make([]float64, 64), []int32{0, 1})
}

// Oracle: Improve and Contend in Go, bit for bit, with ties and with numbers of actions
// that the kernel does not take.
func TestImprove(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for round := range 300 {
		states, actions := 1+rng.IntN(70), 1+rng.IntN(36)
		q, last := make([]float64, states*actions), make([]float64, states)
		for i := range q {
			q[i] = [...]float64{-1, math.Copysign(0, -1), 0, 1, 1, math.Inf(-1), 5e-324, 1e300}[rng.IntN(8)]
			if round%2 == 0 {
				q[i] = rng.NormFloat64()
			}
		}
		for s := range last {
			last[s] = rng.NormFloat64()
		}
		improve := func() (rule []int32, v []float64) {
			rule, v = make([]int32, states+1), make([]float64, states+1)
			rule[states], v[states] = 7, 7 // must stay
			lo, hi := loops.Improve(rule[:states], v[:states], q, last)
			return rule, append(v, lo, hi)
		}
		rule, v := improve()
		wantRule, wantV := inGo2(improve)
		if !slices.Equal(rule, wantRule) || !equal(v, wantV) {
			t.Fatalf("%d states, %d actions: %v %v, want %v %v", states, actions, rule, v, wantRule, wantV)
		}
		lo, hi := v[states+1], v[states+2]
		contend := func() (points []int32, bounds []float64) {
			points, bounds = make([]int32, len(q)+1), slices.Clone(q)
			points[len(q)] = 7 // must stay
			n := loops.Contend(points[:len(q)], bounds, v[:states], lo, hi)
			return append(points[:n], points[len(q)]), bounds
		}
		points, bounds := contend()
		wantPoints, wantBounds := inGo2(contend)
		if !slices.Equal(points, wantPoints) || !equal(bounds, wantBounds) {
			t.Fatalf("%d states, %d actions: %v, want %v", states, actions, points, wantPoints)
		}
	}
}

// Oracle: Halve in Go, bit for bit.
func TestHalve(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for round := range 300 {
		rest, count := 1+rng.IntN(9), 1+rng.IntN(40)
		before, p := make([]float64, 2*rest+rng.IntN(50)), make([]float64, 2+rng.IntN(20))
		for _, table := range [][]float64{before, p} {
			for i := range table {
				table[i] = rng.NormFloat64()
			}
		}
		source, row := make([]int32, count), make([]int32, count)
		for u := range source {
			source[u], row[u] = int32(rng.IntN(len(before)-2*rest+1)), int32(rng.IntN(len(p)-1))
		}
		halve := func() []float64 {
			after := make([]float64, count*rest+1)
			after[count*rest] = 7 // must stay
			loops.Halve(after[:count*rest], before, p, source, row)
			return after
		}
		if got, want := halve(), inGo(halve); !equal(got, want) {
			t.Fatalf("round %d: %v, want %v", round, got, want)
		}
	}
}

// Oracle: Tally in Go, bit for bit.
func TestTally(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var ones, other [loops.LogTableLen]float64
	for n := range ones {
		ones[n], other[n] = math.Log(float64(n)), math.Log(float64(n)+0.3)
	}
	for round := range 60 {
		stride, size, height := 1+rng.IntN(9), 1+rng.IntN(5), 1+rng.IntN(30)
		sets := 1 + rng.IntN(stride) // a group of them, or all
		logs := []*loops.Logs{{&ones, &ones, 1, size}, {&ones, &ones, 2, size + 1}, {&other, &ones, 0, 1}}[round%3]
		points, outcomes := make([]int32, rng.IntN(200)), make([]int32, 200)
		rows := make([]int32, 10*stride)
		for i := range rows {
			rows[i] = int32(rng.IntN(height))
		}
		for i := range points {
			points[i], outcomes[i] = int32(rng.IntN(10)), int32(rng.IntN(size))
		}
		tally := func() ([]float64, []uint32) {
			evidence, seen := make([]float64, sets), make([]uint32, height*(size+1))
			loops.Tally(evidence, seen[height:], seen[:height], rows, stride, points, outcomes, logs, size)
			return evidence, seen
		}
		evidence, seen := tally()
		wantEvidence, wantSeen := inGo2(tally)
		if !equal(evidence, wantEvidence) || !slices.Equal(seen, wantSeen) {
			t.Fatalf("round %d: %v %v, want %v %v", round, evidence, seen, wantEvidence, wantSeen)
		}
	}
}

// counting counts the numbers that are drawn from a stream.
type counting struct {
	*rand.Rand
	drawn int
}

func (c *counting) Uint64() uint64 {
	c.drawn++
	return c.Rand.Uint64()
}

// sampleRows draws a table by loops.Fill and loops.ScaleRows. It also returns the
// stream's next number, and how many numbers Fill left posterior.Gamma to draw.
func sampleRows(counts posterior.Counts, size int) (samples []float64, next uint64, left int) {
	stream := posterior.NewStream(7)
	source := &counting{Rand: stream.Rand}
	stream.Rand = rand.New(source)
	dst := make([]float64, len(counts))
	posterior.SampleRows(stream, counts, size, 1, dst)
	return dst, source.Rand.Uint64(), source.drawn
}

// Oracle: Fill and ScaleRows in Go, bit for bit: the gammas of all small shapes and
// of some large ones, by logarithms of the kernel's own.
func TestSampleRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, size := range []int{1, 2, 5, 64} {
		for _, bits := range []int{2, 24} { // of the counts; those of 2 are sums of exponentials
			counts := make(posterior.Counts, 4000*size)
			for i := range counts {
				if rng.IntN(2) == 0 {
					counts[i] = uint32(rng.IntN(1 << rng.IntN(bits+1)))
				}
			}
			got, next, left := sampleRows(counts, size)
			var want []float64
			var wantNext uint64
			var all int
			loops.InGo(func() { want, wantNext, all = sampleRows(counts, size) })
			if !equal(got, want) || next != wantNext {
				t.Errorf("size %d: the samples differ", size)
			}
			if 4*left > all {
				t.Errorf("size %d: the kernel left Go to draw %d numbers of %d", size, left, all)
			}
		}
	}
	zeros := make([]float64, 8) // a row that drew nothing but zeros is uniform
	loops.ScaleRows(zeros, 4)
	if !equal(zeros, []float64{.25, .25, .25, .25, .25, .25, .25, .25}) {
		t.Errorf("rows of zeros became %v", zeros)
	}
}

// Oracle: Joint and Distance in Go, bit for bit.
func TestJoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for round := range 40 {
		size := 2 + round%10/9 // every tenth is 3, which the kernel does not take
		d, points := 1+rng.IntN(6), 1+rng.IntN(20)
		law := make([]loops.Table, d)
		states := 1
		for j := range law {
			height := 1 + rng.IntN(8)
			law[j] = loops.Table{Size: size, P: make([]float64, height*size), RowOf: make([]int32, points)}
			for i := range law[j].P {
				law[j].P[i] = rng.Float64()
			}
			for x := range law[j].RowOf {
				law[j].RowOf[x] = int32(rng.IntN(height))
			}
			states *= size
		}
		joint := func() []float64 {
			dst := make([]float64, points*states)
			loops.Joint(dst, law)
			return dst
		}
		got, want := joint(), inGo(joint)
		if !equal(got, want) {
			t.Fatalf("round %d: the laws differ", round)
		}
		other := make([]float64, len(got))
		for i := range other {
			other[i] = rng.Float64()
		}
		distance := func() float64 { return loops.Distance(got, other) }
		if got, want := distance(), inGo(distance); got != want {
			t.Fatalf("round %d: distance %v, want %v", round, got, want)
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	matrix, v, dst := make([]float64, 512*64), make([]float64, 64), make([]float64, 512)
	rows := make([]int32, 512)
	for i := range rows {
		rows[i] = int32(i)
	}
	multiply := func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			loops.MulVec(dst, matrix, v, rows)
		}
	}
	b.Run("kernel", multiply)
	loops.InGo(func() { b.Run("go", multiply) })
}
