package main

import "fmt"

// The probe's operands are variables, so that the compiler does not compute the sum.
// x·x = 1 + 2^-29 + 2^-60 does not fit a float64.
var (
	probeX = 1 + 0x1p-30
	probeZ = -(1 + 0x1p-29)
)

// fuses reports whether this build computes x*y + z with one rounding. The probe is then
// 2^-60, otherwise 0. The records of such a build may differ: the core prevents fusing,
// but the standard library does not.
func fuses() bool { return probeX*probeX+probeZ != 0 }

// warnOfFusing warns that the records of this build may differ from those of other builds.
func (h *host) warnOfFusing() {
	if fuses() {
		fmt.Fprintln(h.stderr, "cpsrl: this build fuses multiplications and additions, so its records may differ in their last bits; build with -gcflags=all=-d=fmahash=n (./build.sh does), and with GOAMD64=v1 on amd64")
	}
}
