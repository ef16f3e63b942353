package engine

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// batched is one request of a batch, a POST request.
type batched struct {
	Path string `json:"path"` // with its query
	Body string `json:"body"`
}

// serveBatch answers a request for each line of the body. Each answer is its status, a space, its
// body and a zero byte. In a worker the instance stays warm and keeps its memory that way.
func serveBatch(all endpoints, w http.ResponseWriter, r *http.Request) error {
	return eachLine(w, r, "there is no request", func(line []byte) error {
		var one batched
		if err := strict.Decode(line, &one); err != nil {
			return err
		}
		part, err := http.NewRequestWithContext(r.Context(), http.MethodPost, one.Path, strings.NewReader(one.Body))
		if err != nil {
			return refuse(http.StatusBadRequest, "/path", "%q is not a path", param.Clip(one.Path))
		}
		reply := held{status: http.StatusOK, header: http.Header{}}
		if e, known := all[part.URL.Path]; known && !e.document {
			fail(&reply, refuse(http.StatusBadRequest, "/path", "%s cannot be part of a batch", part.URL.Path))
		} else {
			all.ServeHTTP(&reply, part)
		}
		if _, err := fmt.Fprintf(w, "%d %s\x00", reply.status, reply.body.Bytes()); err != nil {
			return errGone
		}
		http.NewResponseController(w).Flush()
		return nil
	})
}

// held is an answer that is kept until it is complete.
type held struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (h *held) Header() http.Header            { return h.header }
func (h *held) WriteHeader(status int)         { h.status = status }
func (h *held) Write(data []byte) (int, error) { return h.body.Write(data) }
