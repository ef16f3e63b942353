//go:build js && wasm

package kernel

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

// The twins in Go, as core has them before Use.
var (
	halveInGo = planning.Halve
	tallyInGo = posterior.Tally
	fillInGo  = posterior.Fill
)

func TestMain(m *testing.M) {
	if available() == 0 {
		panic("the host of this test provides no kernel")
	}
	os.Exit(m.Run())
}

// equal says whether two slices agree bit for bit.
func equal(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// Oracle: planning.MulVec, bit for bit.
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
		multiply(got[:len(rows)], matrix, v, rows)
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

// Oracle: planning.Improve and planning.Contend in Go, bit for bit, with ties and
// with numbers of actions that are not for the kernel.
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
		improved := func(improve func([]int32, []float64, []float64, []float64) (float64, float64)) ([]int32, []float64) {
			rule, v := make([]int32, states+1), make([]float64, states+1)
			rule[states], v[states] = 7, 7 // must stay
			lo, hi := improve(rule[:states], v[:states], q, last)
			return rule, append(v, lo, hi)
		}
		rule, v := improved(improve)
		wantRule, wantV := improved(improveInGo)
		if !slices.Equal(rule, wantRule) || !equal(v, wantV) {
			t.Fatalf("%d states, %d actions: %v %v, want %v %v", states, actions, rule, v, wantRule, wantV)
		}
		lo, hi := v[states+1], v[states+2]
		contended := func(contend func([]int32, []float64, []float64, float64, float64) int) ([]int32, []float64) {
			points, bounds := make([]int32, len(q)+1), slices.Clone(q)
			points[len(q)] = 7 // must stay
			n := contend(points[:len(q)], bounds, v[:states], lo, hi)
			return append(points[:n], points[len(q)]), bounds
		}
		points, bounds := contended(contend)
		wantPoints, wantBounds := contended(contendInGo)
		if !slices.Equal(points, wantPoints) || !equal(bounds, wantBounds) {
			t.Fatalf("%d states, %d actions: %v, want %v", states, actions, points, wantPoints)
		}
	}
}

// Oracle: planning.Halve in Go, bit for bit.
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
		run := func(halve func(after, before, p []float64, source, row []int32)) []float64 {
			after := make([]float64, count*rest+1)
			after[count*rest] = 7 // must stay
			halve(after[:count*rest], before, p, source, row)
			return after
		}
		if got, want := run(halve), run(halveInGo); !equal(got, want) {
			t.Fatalf("round %d: %v, want %v", round, got, want)
		}
	}
}

// Oracle: posterior.Tally in Go, bit for bit.
func TestTally(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	logs := make([]float64, 1<<15)
	for n := range logs {
		logs[n] = math.Log(float64(n))
	}
	for round := range 60 {
		sets, size, height, more := 1+rng.IntN(9), 1+rng.IntN(5), 1+rng.IntN(30), round%2
		points, outcomes := make([]int32, rng.IntN(200)), make([]int32, 200)
		rows := make([]int32, 10*sets)
		for i := range rows {
			rows[i] = int32(rng.IntN(height))
		}
		for i := range points {
			points[i], outcomes[i] = int32(rng.IntN(10)), int32(rng.IntN(size))
		}
		run := func(tally func([]float64, posterior.Counts, []uint32, []int32, []int32, []int32, []float64, int, int)) ([]float64, posterior.Counts, []uint32) {
			evidence, counts, totals := make([]float64, sets), make(posterior.Counts, height*size), make([]uint32, height)
			tally(evidence, counts, totals, rows, points, outcomes, logs, size, more)
			return evidence, counts, totals
		}
		evidence, counts, totals := run(tally)
		wantEvidence, wantCounts, wantTotals := run(tallyInGo)
		if !equal(evidence, wantEvidence) || !slices.Equal(counts, wantCounts) || !slices.Equal(totals, wantTotals) {
			t.Fatalf("round %d: %v %v %v, want %v %v %v", round, evidence, counts, totals, wantEvidence, wantCounts, wantTotals)
		}
	}
}

// Oracle: posterior.Fill and posterior.ScaleRows in Go, bit for bit: the gammas of
// all small shapes and of some large ones, by logarithms of the kernel's own.
func TestSampleRows(t *testing.T) {
	defer func() { posterior.Fill, posterior.ScaleRows = fillInGo, scaleRowsInGo }()
	rng := rand.New(rand.NewPCG(5, 6))
	for _, size := range []int{1, 2, 5, 64} {
		counts := make(posterior.Counts, 4000*size)
		for i := range counts {
			if rng.IntN(2) == 0 {
				counts[i] = uint32(rng.IntN(1 << rng.IntN(24)))
			}
		}
		type filler = func(*posterior.Stream, []float64, posterior.Counts, []posterior.Layer) int
		run := func(fill filler) (samples []float64, next uint64, left int) {
			posterior.Fill = func(rng *posterior.Stream, dst []float64, counts posterior.Counts, layers []posterior.Layer) int {
				left++
				return fill(rng, dst, counts, layers)
			}
			stream, dst := posterior.NewStream(7), make([]float64, len(counts))
			posterior.SampleRows(stream, counts, size, dst)
			return dst, stream.Uint64(), left
		}
		posterior.ScaleRows = scaleRowsInGo
		want, wantNext, all := run(fillInGo)
		posterior.ScaleRows = scaleRows
		got, next, left := run(fill)
		if !equal(got, want) || next != wantNext {
			t.Errorf("size %d: the samples differ", size)
		}
		if 4*left > all {
			t.Errorf("size %d: the kernel left %d edges of %d to Go", size, left, all)
		}
	}
	zeros := make([]float64, 8) // a row that drew nothing but zeros is uniform
	scaleRows(zeros, 4)
	if !equal(zeros, []float64{.25, .25, .25, .25, .25, .25, .25, .25}) {
		t.Errorf("rows of zeros became %v", zeros)
	}
}

// Oracle: fmdp.Expand and fmdp.Distance in Go, bit for bit.
func TestJoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for round := range 40 {
		size := 2 + round%10/9 // once in ten not for the kernel
		d, points := 1+rng.IntN(6), 1+rng.IntN(20)
		transition, rows := make([]fmdp.Factor, d), make([][]int32, d)
		states := 1
		for j := range transition {
			height := 1 + rng.IntN(8)
			transition[j] = fmdp.Factor{Size: size, P: make([]float64, height*size)}
			for i := range transition[j].P {
				transition[j].P[i] = rng.Float64()
			}
			rows[j] = make([]int32, points)
			for x := range rows[j] {
				rows[j][x] = int32(rng.IntN(height))
			}
			states *= size
		}
		got, want := make([]float64, points*states), make([]float64, points*states)
		expand(got, transition, rows)
		expandInGo(want, transition, rows)
		if !equal(got, want) {
			t.Fatalf("round %d: the laws differ", round)
		}
		other := make([]float64, len(got))
		for i := range other {
			other[i] = rng.Float64()
		}
		if got, want := distance(got, other), distanceInGo(want, other); got != want {
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
	b.Run("kernel", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			multiply(dst, matrix, v, rows)
		}
	})
	b.Run("go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			planning.MulVec(dst, matrix, v, rows)
		}
	})
}
