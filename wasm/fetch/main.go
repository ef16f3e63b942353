//go:build js

// Command fetch serves the engine by github.com/syumai/workers, in a host that has a server's requests as Request and
// Response, such as Cloudflare Workers. An instance answers one request and then ends. Records are the same as in a browser,
// but it has no SIMD kernel.
package main

import (
	"github.com/syumai/workers"

	"cpsrl/wasm/engine"
	"cpsrl/wasm/web"
)

func main() {
	workers.Serve(web.Handler(engine.Handler()))
}
