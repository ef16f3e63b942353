//go:build js && kernel

// Command agent lends agents in a Web Worker. An instance is one session, which ends with its request.
package main

import (
	"net/http"

	"github.com/syumai/workers"

	"cpsrl/core/session"
)

func main() {
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/jsonl")
		session.Serve(r.Body, w, http.NewResponseController(w).Flush)
	}))
}
