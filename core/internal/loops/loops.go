// Package loops holds the inner loops of planning, posterior and fmdp: what an
// experiment spends its time in.
//
// Each loop stands here in Go, below its contract. A program built for js and wasm
// with the tag "kernel" imports the module "kernel" of its host (wasm/kernel), which
// has the same loops in SIMD; where the host has none, the program runs those in
// Go. Both give the same bits.
//
// The callers keep the contracts: a loop checks only what keeps it within its
// slices. No loop keeps a slice.
package loops
