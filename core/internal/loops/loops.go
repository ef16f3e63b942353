// Package loops holds the inner loops of planning, posterior and fmdp: what an
// experiment spends its time in.
//
// Each loop is written here in Go, below its contract. A program built for js and wasm
// with the tag "kernel" imports the module "kernel" of its host (wasm/kernel), which
// has the same loops in SIMD. If the host has no such module, the program runs the loops
// in Go. Both give the same bits.
//
// Exp2 is no loop, but its bits are the same everywhere, too, which those of the standard
// library's are not.
//
// Callers must keep the contracts: a loop only checks that it stays within its slices.
// No loop keeps a slice after it returns.
package loops
