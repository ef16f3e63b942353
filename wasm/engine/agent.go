package engine

import (
	"net/http"

	"cpsrl/core/session"
)

// serveAgent answers each message of the body as soon as it is read. The session ends with the body.
func serveAgent(w http.ResponseWriter, r *http.Request) error {
	fullDuplex(w)
	w.Header().Set("Content-Type", "application/jsonl")
	flush := func() error {
		http.NewResponseController(w).Flush()
		return nil
	}
	flush()                                      // a client may wait for the head before it sends a message
	session.Serve(r.Context(), r.Body, w, flush) // its last answer says why it ends
	return nil
}
