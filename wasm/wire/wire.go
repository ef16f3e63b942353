// Package wire has a request and its answer, as far as the engine needs them. It is all that programs in a browser know of
// HTTP, because net/http brings TLS, certificates and large numbers with it, a sixth of what a visitor would load. Package
// wasm/web serves a [Handler] by net/http, and [Serve] in a worker.
package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
)

// Request is what is asked.
type Request struct {
	Context context.Context // it ends when nobody waits for the answer any more
	Method  string
	Path    string
	Query   url.Values
	Body    io.Reader
}

// Answer is where a handler writes its answer. Without Begin it is of status OK and of no kind.
type Answer interface {
	Begin(Head) // at most once, before the first Write
	io.Writer
	Flush() error // sends what has been written
	Duplex()      // lets the answer begin before the request has ended
}

// Head is what an answer begins with.
type Head struct {
	Status int
	Kind   string // the media type
	Allow  string // the method that the path takes, if the request had another
}

// Handler answers requests.
type Handler interface {
	Serve(Answer, *Request)
}

// HandlerFunc is a function that answers requests.
type HandlerFunc func(Answer, *Request)

// Serve calls the function.
func (f HandlerFunc) Serve(w Answer, r *Request) { f(w, r) }

// ErrCut is what a handler panics with to cut its answer off, where it is too late for a status.
var ErrCut = errors.New("the answer is cut off")

// The statuses of answers.
const (
	OK               = 200
	BadRequest       = 400
	NotFound         = 404
	MethodNotAllowed = 405
	TooLarge         = 413
)

// Title returns the words for the status of a refusal.
func Title(status int) string {
	switch status {
	case BadRequest:
		return "Bad Request"
	case NotFound:
		return "Not Found"
	case MethodNotAllowed:
		return "Method Not Allowed"
	case TooLarge:
		return "Request Entity Too Large"
	}
	panic(fmt.Sprintf("wire: no handler refuses with status %d", status))
}

// TooLargeError says that a body has more than Limit bytes.
type TooLargeError struct{ Limit int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the body is larger than %d bytes", e.Limit)
}

// ReadAll reads a body of at most so many bytes.
func ReadAll(body io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, most+1))
	if err == nil && int64(len(data)) > most {
		err = &TooLargeError{most}
	}
	return data, err
}
