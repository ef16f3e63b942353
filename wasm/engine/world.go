package engine

import (
	"cpsrl/core/talk"
	"cpsrl/core/worlds"
	"cpsrl/wasm/wire"
)

// serveWorld is a session with a world, which ends with the body.
func serveWorld(w wire.Answer, r *wire.Request) error { return converse(w, r, new(worlds.Session)) }

// converse answers each message of the body as soon as it is read.
func converse(w wire.Answer, r *wire.Request, with talk.Partner) error {
	w.Duplex()
	w.Begin(wire.Head{Status: wire.OK, Kind: "application/jsonl"})
	w.Flush()                                       // a client may wait for the head before it sends a message
	talk.Serve(r.Context, with, r.Body, w, w.Flush) // its last answer says why it ends
	return nil
}
