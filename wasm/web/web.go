// Package web serves handlers of package wire by net/http.
package web

import (
	"errors"
	"io"
	"net/http"

	"cpsrl/wasm/wire"
)

// Handler returns an http.Handler that answers as h does. A cut answer ends its connection.
func Handler(h wire.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch reason := recover(); reason {
			case nil:
			case wire.ErrCut:
				panic(http.ErrAbortHandler)
			default:
				panic(reason)
			}
		}()
		h.Serve(&answer{w}, &wire.Request{Context: r.Context(), Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Body: &body{r.Body}})
	})
}

type answer struct{ http.ResponseWriter }

func (w *answer) Begin(head wire.Head) {
	if head.Kind != "" {
		w.Header().Set("Content-Type", head.Kind)
	}
	if head.Allow != "" {
		w.Header().Set("Allow", head.Allow)
	}
	w.WriteHeader(head.Status)
}

func (w *answer) Flush() error { return http.NewResponseController(w.ResponseWriter).Flush() }

// Duplex is for HTTP/1, whose server else first reads the rest of the body, and gives up if that is long.
func (w *answer) Duplex() { http.NewResponseController(w.ResponseWriter).EnableFullDuplex() }

// body is a body whose limit is told in wire's words.
type body struct{ io.Reader }

func (b *body) Read(data []byte) (int, error) {
	n, err := b.Reader.Read(data)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		err = &wire.TooLargeError{Limit: large.Limit}
	}
	return n, err
}
