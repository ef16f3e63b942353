//go:build js && kernel

// Command main serves the engine in a Web Worker. An instance answers one request and then
// ends.
package main

import (
	"github.com/syumai/workers"

	"cpsrl/wasm/engine"
)

func main() {
	workers.Serve(engine.Handler())
}
