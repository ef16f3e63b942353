//go:build js && kernel

// Command main serves the engine in a Web Worker. An instance answers one request and then
// ends.
package main

import (
	"cpsrl/wasm/engine"
	"cpsrl/wasm/wire"
)

func main() {
	wire.Serve(engine.Handler())
}
