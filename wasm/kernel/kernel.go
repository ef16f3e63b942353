//go:build js && wasm

// Package kernel calls the WebAssembly kernel that the host of the tab binds to
// this program's memory: Go's own WebAssembly has no SIMD and is slow in tight
// loops. The host provides the module "kernel": available, which tells whether
// there is a kernel, and the functions that kernel.wat describes. They check few
// bounds, so the functions here do. This is the only package with unsafe pointers.
package kernel

import (
	"runtime"
	"unsafe"

	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

//go:wasmimport kernel available
func available() uint32

//go:wasmimport kernel mul
//go:noescape
func mul(dst, matrix, v, rows unsafe.Pointer, count, n uint32)

//go:wasmimport kernel tally
//go:noescape
func tallyAll(evidence unsafe.Pointer, sets uint32, counts, totals unsafe.Pointer, height uint32, rows, points, outcomes unsafe.Pointer, steps uint32, logs unsafe.Pointer, sizes uint32)

//go:wasmimport kernel fill
//go:noescape
func fillFrom(dst, counts unsafe.Pointer, n uint32, state, layers unsafe.Pointer) uint32

//go:wasmimport kernel scale
//go:noescape
func scaleFrom(dst unsafe.Pointer, count, size uint32)

//go:wasmimport kernel joint
//go:noescape
func jointFrom(dst unsafe.Pointer, points uint32, factors, end unsafe.Pointer)

//go:wasmimport kernel distance
//go:noescape
func distanceFrom(p, q unsafe.Pointer, n uint32) float64

//go:wasmimport kernel improve
//go:noescape
func improveAll(rule, v, q, last unsafe.Pointer, states, actions uint32, growth unsafe.Pointer)

//go:wasmimport kernel contend
//go:noescape
func contendAll(points, q, v unsafe.Pointer, states, actions uint32, lo, hi float64) uint32

//go:wasmimport kernel halve
//go:noescape
func halveAll(after, before, p, source, row unsafe.Pointer, count, rest, lastBlock, lastRow uint32)

// Use replaces the inner loops of core by the kernel's, where the host has it.
func Use() {
	if available() != 0 {
		experiment.Product = multiply
		planning.Improve, planning.Contend, planning.Halve = improve, contend, halve
		posterior.Tally, posterior.Fill, posterior.ScaleRows = tally, fill, scaleRows
		fmdp.Expand, fmdp.Distance = expand, distance
	}
}

// few is the number of products from which a call of the host pays.
const few = 64

func multiply(dst, matrix, v []float64, rows []int32) {
	n := len(v)
	if len(rows)*n < few {
		planning.MulVec(dst, matrix, v, rows)
		return
	}
	// The kernel checks no bounds: check them here.
	height := len(matrix) / n
	for _, r := range rows {
		if uint(r) >= uint(height) {
			panic("kernel: row out of range")
		}
	}
	_ = dst[len(rows)-1]
	mul(unsafe.Pointer(&dst[0]), unsafe.Pointer(&matrix[0]), unsafe.Pointer(&v[0]), unsafe.Pointer(&rows[0]), uint32(len(rows)), uint32(n))
}

// tally is posterior.Tally. The kernel holds the rows to their number, the caller
// the counts to the table of logarithms; the rest is checked here.
func tally(evidence []float64, counts posterior.Counts, totals []uint32, rows, points, outcomes []int32, logs []float64, size, more int) {
	if len(points) == 0 {
		return
	}
	n := len(evidence)
	for t, x := range points {
		if y := outcomes[t]; (int(x)+1)*n > len(rows) || x < 0 || y < 0 || int(y) >= size {
			panic("kernel: step out of range")
		}
	}
	_ = counts[len(totals)*size-1]
	tallyAll(unsafe.Pointer(&evidence[0]), uint32(n), unsafe.Pointer(&counts[0]), unsafe.Pointer(&totals[0]), uint32(len(totals)),
		unsafe.Pointer(&rows[0]), unsafe.Pointer(&points[0]), unsafe.Pointer(&outcomes[0]), uint32(len(points)), unsafe.Pointer(&logs[0]), uint32(more<<16|size))
}

// fill is posterior.Fill, but gets further: most exponentials from the edge of
// their layer are decided by two bounds of the density.
func fill(rng *posterior.Stream, dst []float64, counts posterior.Counts, layers []posterior.Layer) int {
	if len(dst) == 0 {
		return 0
	}
	_, _ = counts[len(dst)-1], layers[255]
	return int(fillFrom(unsafe.Pointer(&dst[0]), unsafe.Pointer(&counts[0]), uint32(len(dst)), unsafe.Pointer(rng.State), unsafe.Pointer(&layers[0])))
}

// scaleRows is posterior.ScaleRows.
func scaleRows(dst []float64, size int) {
	if size%2 != 0 || len(dst) == 0 || len(dst)%size != 0 {
		scaleRowsInGo(dst, size)
		return
	}
	scaleFrom(unsafe.Pointer(&dst[0]), uint32(len(dst)/size), uint32(size))
}

var scaleRowsInGo = posterior.ScaleRows

// expand is fmdp.Expand, in the kernel where all variables have two values.
func expand(dst []float64, transition []fmdp.Factor, rows [][]int32) {
	points := len(rows[0])
	states := 1 << len(rows)
	var factors [2 * fmdp.MaxVariables]uint32 // where each table and its rows are
	for j := range transition {
		f := &transition[j]
		if f.Size != 2 || len(rows[j]) != points {
			expandInGo(dst, transition, rows)
			return
		}
		height := len(f.P) / 2
		for _, row := range rows[j] {
			if uint(row) >= uint(height) {
				panic("kernel: row out of range")
			}
		}
		factors[2*j] = uint32(uintptr(unsafe.Pointer(&f.P[0])))
		factors[2*j+1] = uint32(uintptr(unsafe.Pointer(&rows[j][0])))
	}
	_, _ = dst[points*states-1], transition[len(rows)-1]
	first := unsafe.Pointer(&factors)
	jointFrom(unsafe.Pointer(&dst[0]), uint32(points), first, unsafe.Add(first, 8*len(rows)))
	runtime.KeepAlive(transition)
	runtime.KeepAlive(rows)
}

var expandInGo = fmdp.Expand

// distance is fmdp.Distance.
func distance(p, q []float64) float64 {
	n := len(p)
	if n%4 != 0 || n == 0 {
		return distanceInGo(p, q)
	}
	_ = q[n-1]
	return distanceFrom(unsafe.Pointer(&p[0]), unsafe.Pointer(&q[0]), uint32(n))
}

var distanceInGo = fmdp.Distance

// improve is planning.Improve.
func improve(rule []int32, v, q, last []float64) (lo, hi float64) {
	states := len(v)
	actions := len(q) / states
	if actions%2 != 0 || actions > 32 || actions == 0 {
		return improveInGo(rule, v, q, last)
	}
	_, _ = rule[states-1], last[states-1]
	var growth [2]float64
	improveAll(unsafe.Pointer(&rule[0]), unsafe.Pointer(&v[0]), unsafe.Pointer(&q[0]), unsafe.Pointer(&last[0]),
		uint32(states), uint32(actions), unsafe.Pointer(&growth))
	return growth[0], growth[1]
}

var improveInGo = planning.Improve

// contend is planning.Contend.
func contend(points []int32, q, v []float64, lo, hi float64) int {
	states := len(v)
	actions := len(q) / states
	if actions%2 != 0 || actions == 0 {
		return contendInGo(points, q, v, lo, hi)
	}
	_ = points[states*actions-1]
	return int(contendAll(unsafe.Pointer(&points[0]), unsafe.Pointer(&q[0]), unsafe.Pointer(&v[0]), uint32(states), uint32(actions), lo, hi))
}

var contendInGo = planning.Contend

// halve is planning.Halve. The kernel holds sources and rows to the tables.
func halve(after, before, p []float64, source, row []int32) {
	count := len(source)
	rest := len(after) / count
	if rest == 0 || len(before) < 2*rest || len(p) < 2 {
		panic("kernel: tables too short")
	}
	_ = row[count-1]
	halveAll(unsafe.Pointer(&after[0]), unsafe.Pointer(&before[0]), unsafe.Pointer(&p[0]), unsafe.Pointer(&source[0]), unsafe.Pointer(&row[0]),
		uint32(count), uint32(rest), uint32(len(before)-2*rest), uint32(len(p)-2))
}
