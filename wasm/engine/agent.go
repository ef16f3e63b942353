//go:build !js

package engine

import (
	"net/http"

	"cpsrl/core/session"
)

// lend adds the endpoint of agents.
func lend(all endpoints) { all["/v1/agent"] = endpoint{http.MethodPost, serveAgent, false} }

// serveAgent answers each message of the body as soon as it is read. The session ends with the body.
func serveAgent(w http.ResponseWriter, r *http.Request) error {
	fullDuplex(w)
	w.Header().Set("Content-Type", "application/jsonl")
	flush := http.NewResponseController(w).Flush
	flush()                         // a client may wait for the head before it sends a message
	session.Serve(r.Body, w, flush) // its last answer says why it ends
	return nil
}
