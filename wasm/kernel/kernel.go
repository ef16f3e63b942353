//go:build js && wasm

// Package kernel calls the WebAssembly SIMD kernel that the host of the tab
// binds to this program's memory: Go's own WebAssembly has no SIMD. The host
// provides two imports of the module "kernel": available, which tells whether
// there is a kernel, and mul, which kernel.wat describes. This is the only
// package with unsafe pointers.
package kernel

import (
	"unsafe"

	"cpsrl/core/planning"
)

//go:wasmimport kernel available
func available() uint32

//go:wasmimport kernel mul
//go:noescape
func mul(dst, matrix, v, rows unsafe.Pointer, count, n uint32)

// Product returns the fastest product there is, with the bits of
// planning.MulVec: the kernel's, or MulVec where the host has none.
func Product() planning.Product {
	if available() == 0 {
		return planning.MulVec
	}
	return multiply
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
