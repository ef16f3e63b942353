package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"cpsrl/core/strict"
	"cpsrl/wasm/engine"
)

var serveCommand = command{
	name: "serve", args: "[-port N]",
	short: "answer the engine's requests on this machine",
	long: `Serves the engine of the page on the loopback interface until Ctrl-C, for curl and scripts:

  curl http://127.0.0.1:8081/v1/presets
  cpsrl presets fig1-quick | curl --data-binary @- http://127.0.0.1:8081/v1/run

A body is of at most 128 MiB, and may pause for a minute. At most 16 agents are lent at a time (/v1/agent); such
a body may pause for ten minutes, and ends after six hours.`,
	setup: func(flags *flag.FlagSet) action {
		port := wholeNumber(flags, "port", 8081, 0, 65535, "the `PORT`; 0 picks a free one")
		return func(h *host, args []string) error {
			return h.serve(*port)
		}
	},
}

// serve answers until h.ctx ends. Requests under way then end too.
func (h *host) serve(port int) error {
	if err := h.hold(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return badf("flag -port", "%w", err)
	}
	server := &http.Server{
		Handler:           guard(engine.Handler(), listener.Addr()),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       idle,
		BaseContext:       func(net.Listener) context.Context { return h.ctx },
	}
	fmt.Fprintf(h.stdout, "http://%s\n", listener.Addr())
	stop := context.AfterFunc(h.ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

const maxBody = 128 << 20

// silence is the longest time between two parts of a body, and idle between two requests on
// a connection. Tests change them.
var silence, idle = time.Minute, time.Minute

// guard refuses requests from pages of other origins, also by names that lead to this
// machine (DNS rebinding), and bodies that are too large or do not end.
func guard(next http.Handler, address net.Addr) http.Handler {
	lent := make(chan struct{}, mostLent)
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r.Host, address) {
			http.Error(w, fmt.Sprintf("the host %.100q is not this server; ask http://%s", r.Host, address), http.StatusMisdirectedRequest)
			return
		}
		if r.URL.Path == "/v1/agent" {
			lend(lent, next, w, r)
			return
		}
		r.Body = http.MaxBytesReader(w, &patient{ReadCloser: r.Body, answer: w, silence: silence}, maxBody)
		next.ServeHTTP(w, r)
	})
}

// local reports whether a request's host is a name of this machine and the server's port.
func local(host string, address net.Addr) bool {
	port := strconv.Itoa(address.(*net.TCPAddr).Port)
	for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
		if host == name+":"+port || host == name && port == "80" {
			return true
		}
	}
	return false
}

// mostLent is how many sessions of agents there may be at a time.
const mostLent = 16

// wait is the longest time between two parts of the body of a session, and term the longest time of a session.
// Tests change them.
var wait, term = 10 * time.Minute, 6 * time.Hour

// lend serves a session of an agent, if there is room for one more.
func lend(lent chan struct{}, next http.Handler, w http.ResponseWriter, r *http.Request) {
	select {
	case lent <- struct{}{}:
		defer func() { <-lent }()
	default:
		w.Header().Set("Connection", "close") // its body is not read
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusServiceUnavailable)
		w.Write(strict.AppendLine(nil, engine.Details{
			Type: "about:blank", Title: http.StatusText(http.StatusServiceUnavailable), Status: http.StatusServiceUnavailable,
			Detail: fmt.Sprintf("%d agents are lent, as many as may be at a time; end one of these sessions first", mostLent),
		}))
		return
	}
	r.Body = &bounded{ReadCloser: &patient{ReadCloser: r.Body, answer: w, silence: wait, until: time.Now().Add(term)}, left: maxBody}
	next.ServeHTTP(w, r)
}

// bounded is a body that fails after a number of bytes, in words for the one who sends it.
type bounded struct {
	io.ReadCloser
	left int
}

func (b *bounded) Read(data []byte) (int, error) {
	n, err := b.ReadCloser.Read(data[:min(len(data), b.left+1)])
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the messages have more than %d MiB, which ends the session; save it in time and load it again", maxBody>>20)
	}
	return n, err
}

// patient is a body with a limit on the time of each Read and, if until is set, of all of them. There is no limit between two
// Reads and after the last one, so an answer may take any time. If a Read fails, the
// connection is closed, because the rest of the body could pass for the next request.
type patient struct {
	io.ReadCloser
	answer  http.ResponseWriter
	silence time.Duration
	until   time.Time
}

func (p *patient) Read(data []byte) (int, error) {
	connection := http.NewResponseController(p.answer)
	deadline, why := time.Now().Add(p.silence), fmt.Errorf("nothing has come for %v, which ends the session", p.silence)
	if !p.until.IsZero() && p.until.Before(deadline) {
		deadline, why = p.until, fmt.Errorf("the session has lasted %v, as long as it may; save it in time and load it again", term)
	}
	connection.SetReadDeadline(deadline)
	n, err := p.ReadCloser.Read(data)
	if err == nil || err == io.EOF { // after another error the server must not wait for more
		connection.SetReadDeadline(time.Time{})
	} else {
		p.answer.Header().Set("Connection", "close")
	}
	if errors.Is(err, os.ErrDeadlineExceeded) && !p.until.IsZero() {
		err = why
	}
	return n, err
}
