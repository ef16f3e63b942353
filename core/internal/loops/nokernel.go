//go:build !(js && wasm && kernel)

package loops

// Built without the kernel: every loop runs in Go.

const lean = false

func kernelMulVec(dst, matrix, v []float64, rows []int32) bool                  { return false }
func kernelHalve(after, before, p []float64, source, row []int32) bool          { return false }
func kernelContend([]int32, []float64, []float64, float64, float64) (int, bool) { return 0, false }
func kernelImprove(rule []int32, v, q, last []float64) (lo, hi float64, ok bool) {
	return 0, 0, false
}
func kernelTally(evidence []float64, counts, totals []uint32, rows []int32, stride int, points, outcomes []int32, logs *Logs, size int) bool {
	return false
}
func kernelFill(*Xoshiro, []float64, []uint32, *Layers) (int, bool) { return 0, false }
func kernelScaleRows(dst []float64, size int) bool                  { return false }
func kernelJoint(dst []float64, law []Table) bool                   { return false }
func kernelDistance(p, q []float64) (float64, bool)                 { return 0, false }
