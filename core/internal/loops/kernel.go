//go:build js && wasm && kernel

package loops

import (
	"runtime"
	"unsafe"
)

// The host binds the kernel (wasm/kernel/kernel.wat) to this program's memory. The
// kernel checks few bounds, so the functions of this file check them. They return false
// if the kernel cannot do the work. This is the only file with unsafe pointers.

//go:wasmimport kernel available
func available() uint32

// lean is true in the build for the kernel: its loops in Go, which run only without SIMD, have no
// code whose sole purpose is speed.
const lean = true

// inUse says whether the host has a kernel.
var inUse = available() != 0

//go:wasmimport kernel mul
//go:noescape
func mulAll(dst, matrix, v, rows unsafe.Pointer, count, n uint32)

//go:wasmimport kernel tally
//go:noescape
func tallyAll(evidence unsafe.Pointer, sets, stride uint32, counts, totals unsafe.Pointer, height uint32, rows, points, outcomes unsafe.Pointer, steps uint32, outcome, row unsafe.Pointer, size uint32)

//go:wasmimport kernel fill
//go:noescape
func fillFrom(dst, counts unsafe.Pointer, n uint32, state, layers unsafe.Pointer) uint32

//go:wasmimport kernel scale
//go:noescape
func scaleAll(dst unsafe.Pointer, count, size uint32)

//go:wasmimport kernel joint
//go:noescape
func jointFrom(dst unsafe.Pointer, points uint32, factors, end unsafe.Pointer)

//go:wasmimport kernel distance
//go:noescape
func distanceOf(p, q unsafe.Pointer, n uint32) float64

//go:wasmimport kernel improve
//go:noescape
func improveAll(rule, v, q, last unsafe.Pointer, states, actions uint32, growth unsafe.Pointer)

//go:wasmimport kernel contend
//go:noescape
func contendAll(points, q, v unsafe.Pointer, states, actions uint32, lo, hi float64) uint32

//go:wasmimport kernel halve
//go:noescape
func halveAll(after, before, p, source, row unsafe.Pointer, count, rest, lastBlock, lastRow uint32)

// few is the number of multiplications below which a call of the kernel costs more than
// it saves.
const few = 64

func kernelMulVec(dst, matrix, v []float64, rows []int32) bool {
	n := len(v)
	if !inUse || len(rows)*n < few {
		return false
	}
	checkRows(rows, len(matrix)/n)
	_ = dst[len(rows)-1]
	mulAll(unsafe.Pointer(&dst[0]), unsafe.Pointer(&matrix[0]), unsafe.Pointer(&v[0]), unsafe.Pointer(&rows[0]), uint32(len(rows)), uint32(n))
	return true
}

// checkRows panics if a row is not one of the height rows of a table.
func checkRows(rows []int32, height int) {
	for _, r := range rows {
		if uint(r) >= uint(height) {
			panic("loops: row out of range")
		}
	}
}

// kernelTally does not check the rows; the kernel does.
func kernelTally(evidence []float64, counts, totals []uint32, rows []int32, stride int, points, outcomes []int32, logs *Logs, size int) bool {
	if !inUse || len(points) == 0 {
		return false
	}
	n := len(evidence)
	for t, x := range points {
		if y := outcomes[t]; int(x)*stride+n > len(rows) || x < 0 || y < 0 || int(y) >= size {
			panic("loops: step out of range")
		}
	}
	_ = counts[len(totals)*size-1]
	tallyAll(unsafe.Pointer(&evidence[0]), uint32(n), uint32(stride), unsafe.Pointer(&counts[0]), unsafe.Pointer(&totals[0]), uint32(len(totals)),
		unsafe.Pointer(&rows[0]), unsafe.Pointer(&points[0]), unsafe.Pointer(&outcomes[0]), uint32(len(points)),
		unsafe.Pointer(&logs.Outcome[logs.Seen]), unsafe.Pointer(&logs.Row[logs.Total]), uint32(size))
	return true
}

// kernelFill draws variates of every shape. The kernel decides most exponentials at the
// edge of their layer by two bounds on the density, and stops at the others.
func kernelFill(state *Xoshiro, dst []float64, counts []uint32, layers *Layers) (int, bool) {
	if !inUse || len(dst) == 0 {
		return 0, false
	}
	_ = counts[len(dst)-1]
	return int(fillFrom(unsafe.Pointer(&dst[0]), unsafe.Pointer(&counts[0]), uint32(len(dst)), unsafe.Pointer(state), unsafe.Pointer(layers))), true
}

func kernelScaleRows(dst []float64, size int) bool {
	if !inUse || size%2 != 0 || len(dst) == 0 || len(dst)%size != 0 {
		return false
	}
	scaleAll(unsafe.Pointer(&dst[0]), uint32(len(dst)/size), uint32(size))
	return true
}

// kernelJoint does the work if every variable has two values.
func kernelJoint(dst []float64, law []Table) bool {
	if !inUse {
		return false
	}
	points, states := len(law[0].RowOf), 1<<len(law)
	var tables [2 * 32]uint32 // where each table and its rows are
	if 2*len(law) > len(tables) {
		return false
	}
	for j := range law {
		f := &law[j]
		if f.Size != 2 || len(f.RowOf) != points {
			return false
		}
		checkRows(f.RowOf, len(f.P)/2)
		tables[2*j] = uint32(uintptr(unsafe.Pointer(&f.P[0])))
		tables[2*j+1] = uint32(uintptr(unsafe.Pointer(&f.RowOf[0])))
	}
	_ = dst[points*states-1]
	first := unsafe.Pointer(&tables)
	jointFrom(unsafe.Pointer(&dst[0]), uint32(points), first, unsafe.Add(first, 8*len(law)))
	runtime.KeepAlive(law)
	return true
}

func kernelDistance(p, q []float64) (float64, bool) {
	n := len(p)
	if !inUse || n%4 != 0 || n == 0 {
		return 0, false
	}
	_ = q[n-1]
	return distanceOf(unsafe.Pointer(&p[0]), unsafe.Pointer(&q[0]), uint32(n)), true
}

func kernelImprove(rule []int32, v, q, last []float64) (lo, hi float64, ok bool) {
	states := len(v)
	actions := len(q) / states
	if !inUse || actions%2 != 0 || actions > 32 || actions == 0 {
		return 0, 0, false
	}
	_, _ = rule[states-1], last[states-1]
	var growth [2]float64
	improveAll(unsafe.Pointer(&rule[0]), unsafe.Pointer(&v[0]), unsafe.Pointer(&q[0]), unsafe.Pointer(&last[0]),
		uint32(states), uint32(actions), unsafe.Pointer(&growth))
	return growth[0], growth[1], true
}

func kernelContend(points []int32, q, v []float64, lo, hi float64) (int, bool) {
	states := len(v)
	actions := len(q) / states
	if !inUse || actions%2 != 0 || actions == 0 {
		return 0, false
	}
	_ = points[states*actions-1]
	return int(contendAll(unsafe.Pointer(&points[0]), unsafe.Pointer(&q[0]), unsafe.Pointer(&v[0]), uint32(states), uint32(actions), lo, hi)), true
}

// kernelHalve does not check sources and rows; the kernel does.
func kernelHalve(after, before, p []float64, source, row []int32) bool {
	if !inUse {
		return false
	}
	count := len(source)
	rest := len(after) / count
	if rest == 0 || len(before) < 2*rest || len(p) < 2 {
		panic("loops: tables too short")
	}
	_ = row[count-1]
	halveAll(unsafe.Pointer(&after[0]), unsafe.Pointer(&before[0]), unsafe.Pointer(&p[0]), unsafe.Pointer(&source[0]), unsafe.Pointer(&row[0]),
		uint32(count), uint32(rest), uint32(len(before)-2*rest), uint32(len(p)-2))
	return true
}
