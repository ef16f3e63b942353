package engine

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"cpsrl/core/param"
	"cpsrl/core/strict"
	"cpsrl/wasm/wire"
)

// batched is one request of a batch, a POST request.
type batched struct {
	Path string `json:"path"` // with its query
	Body string `json:"body"`
}

// serveBatch answers a request for each line of the body. Each answer is its status, a space, its
// body and a zero byte. In a worker the instance stays warm and keeps its memory that way.
func serveBatch(all endpoints, w wire.Answer, r *wire.Request) error {
	return eachLine(w, r, "there is no request", func(line []byte) error {
		var one batched
		if err := strict.Decode(line, &one); err != nil {
			return err
		}
		to, err := url.Parse(one.Path)
		if err != nil {
			return refuse(wire.BadRequest, "/path", "%q is not a path", param.Clip(one.Path))
		}
		reply := held{status: wire.OK}
		if e, known := all[to.Path]; known && !e.document {
			fail(&reply, e.method, refuse(wire.BadRequest, "/path", "%s cannot be part of a batch", to.Path))
		} else {
			all.Serve(&reply, &wire.Request{Context: r.Context, Method: "POST", Path: to.Path, Query: to.Query(), Body: strings.NewReader(one.Body)})
		}
		if _, err := fmt.Fprintf(w, "%d %s\x00", reply.status, reply.body.Bytes()); err != nil {
			return errGone
		}
		w.Flush()
		return nil
	})
}

// held is an answer that is kept until it is complete.
type held struct {
	status int
	body   bytes.Buffer
}

func (h *held) Begin(head wire.Head)           { h.status = head.Status }
func (h *held) Write(data []byte) (int, error) { return h.body.Write(data) }
func (h *held) Flush() error                   { return nil }
func (h *held) Duplex()                        {}
