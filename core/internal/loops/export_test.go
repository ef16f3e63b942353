//go:build js && wasm && kernel

package loops

// InGo runs f with every loop in Go.
func InGo(f func()) {
	inUse = false
	defer func() { inUse = available() != 0 }()
	f()
}

// HasKernel reports whether the host has a kernel.
func HasKernel() bool { return inUse }
