//go:build js

// Command main serves the engine in a Web Worker. An instance answers one
// request and ends with it.
package main

import (
	"github.com/syumai/workers"

	"cpsrl/core/engine"
	"cpsrl/wasm/kernel"
)

func main() {
	kernel.Use()
	workers.Serve(engine.Handler())
}
