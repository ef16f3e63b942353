//go:build !js

package engine

import (
	"cpsrl/core/session"
	"cpsrl/wasm/wire"
)

// lend adds the endpoint of agents.
func lend(all endpoints) { all["/v1/agent"] = endpoint{"POST", serveAgent, false, nil} }

// serveAgent is a session with an agent, which ends with the body.
func serveAgent(w wire.Answer, r *wire.Request) error { return converse(w, r, new(session.Session)) }
