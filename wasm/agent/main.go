//go:build js && kernel

// Command agent lends agents in a Web Worker. An instance is one session, which ends with its request.
package main

import (
	"cpsrl/core/session"
	"cpsrl/core/talk"
	"cpsrl/wasm/wire"
)

func main() {
	wire.Serve(wire.HandlerFunc(func(w wire.Answer, r *wire.Request) {
		w.Begin(wire.Head{Status: wire.OK, Kind: "application/jsonl"})
		talk.Serve(r.Context, new(session.Session), r.Body, w, w.Flush)
	}))
}
