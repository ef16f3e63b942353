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
	"cpsrl/wasm/web"
)

var serveCommand = command{
	name: "serve", args: "[-port N]",
	short: "answer the engine's requests on this machine",
	long: `Serves the engine of the page on the loopback interface until Ctrl-C, for curl and scripts:

  curl http://127.0.0.1:8081/v1/presets
  cpsrl presets fig1-quick | curl --data-binary @- http://127.0.0.1:8081/v1/run

A body is of at most 128 MiB, and may pause for a minute; so may the reading of an answer. At most 16 agents and
worlds are lent at a time (/v1/agent, /v1/world); there both may pause for ten minutes, and a session ends after six hours.`,
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
		Handler:           guard(web.Handler(engine.Handler()), listener.Addr()),
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

// silence is the longest time between two parts of a body, and that a part of an answer waits for its reader; idle is that
// between two requests on a connection. Tests change them.
var silence, idle = time.Minute, time.Minute

// guard refuses requests from pages of other origins, also by names that lead to this
// machine (DNS rebinding), and bodies that are too large or do not end. It ends answers that are not read.
func guard(next http.Handler, address net.Addr) http.Handler {
	lent := make(chan struct{}, mostLent)
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &punctual{w, silence}
		defer answer.hurry() // the server sends what is left
		if !local(r.Host, address) {
			http.Error(answer, fmt.Sprintf("the host %.100q is not this server; ask http://%s", r.Host, address), http.StatusMisdirectedRequest)
			return
		}
		if advice, lends := advices[r.URL.Path]; lends {
			lend(lent, next, answer, r, advice)
			return
		}
		r.Body = http.MaxBytesReader(w, &patient{ReadCloser: r.Body, answer: w, silence: silence}, maxBody)
		next.ServeHTTP(answer, r)
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

// advices say for the paths of sessions what to do against an end for length.
var advices = map[string]string{
	"/v1/agent": "save it in time and load it again",
	"/v1/world": "begin one for each run",
}

// mostLent is how many sessions of agents and worlds there may be at a time.
const mostLent = 16

// wait is the longest time between two parts of the body of a session, and that an answer waits for its reader; term is
// the longest time of a session. Tests change them.
var wait, term = 10 * time.Minute, 6 * time.Hour

// lend serves a session of an agent or a world, if there is room for one more.
func lend(lent chan struct{}, next http.Handler, answer *punctual, r *http.Request, advice string) {
	select {
	case lent <- struct{}{}:
		defer func() { <-lent }()
	default:
		answer.Header().Set("Connection", "close") // its body is not read
		answer.Header().Set("Content-Type", "application/problem+json")
		answer.WriteHeader(http.StatusServiceUnavailable)
		answer.Write(strict.AppendLine(nil, engine.Details{
			Type: "about:blank", Title: http.StatusText(http.StatusServiceUnavailable), Status: http.StatusServiceUnavailable,
			Detail: fmt.Sprintf("%d agents and worlds are lent, as many as may be at a time; end one of these sessions first", mostLent),
		}))
		return
	}
	answer.silence = wait
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	messages := readAhead(r.Body, answer, time.Now().Add(term), advice, cancel)
	defer messages.end()
	r = r.WithContext(ctx)
	r.Body = &bounded{ReadCloser: messages, left: maxBody, advice: advice}
	next.ServeHTTP(answer, r)
}

// bounded is a body that fails after a number of bytes, in words for the one who sends it.
type bounded struct {
	io.ReadCloser
	left   int
	advice string
}

func (b *bounded) Read(data []byte) (int, error) {
	n, err := b.ReadCloser.Read(data[:min(len(data), b.left+1)])
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the messages have more than %d MiB, which ends the session; %s", maxBody>>20, b.advice)
	}
	return n, err
}

// punctual is an answer with a limit on the time that each part of it waits for its reader. There is no limit between two
// parts, so an answer may take any time.
type punctual struct {
	http.ResponseWriter
	silence time.Duration
}

// mostPart is the size of a part in bytes, which any reader takes in time.
const mostPart = 64 << 10

// hurry sets the time by which the next part must be read.
func (p *punctual) hurry() {
	http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.silence))
}

func (p *punctual) Write(data []byte) (n int, err error) {
	for {
		p.hurry()
		m, err := p.ResponseWriter.Write(data[n:min(n+mostPart, len(data))])
		if n += m; err != nil || n == len(data) {
			return n, err
		}
	}
}

// FlushError sends what has been written.
func (p *punctual) FlushError() error {
	p.hurry()
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// Unwrap lets a [http.ResponseController] find the server's own answer.
func (p *punctual) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// patient is a body with a limit on the time of each Read. There is no limit between two
// Reads and after the last one, so an answer may take any time. If a Read fails, the
// connection is closed, because the rest of the body could pass for the next request.
type patient struct {
	io.ReadCloser
	answer  http.ResponseWriter
	silence time.Duration
}

func (p *patient) Read(data []byte) (int, error) {
	connection := http.NewResponseController(p.answer)
	connection.SetReadDeadline(time.Now().Add(p.silence))
	n, err := p.ReadCloser.Read(data)
	if err == nil || err == io.EOF { // after another error the server must not wait for more
		connection.SetReadDeadline(time.Time{})
	} else {
		p.answer.Header().Set("Connection", "close")
	}
	return n, err
}

// ahead is the body of a session. It is read before it is asked for, because only then a client that goes away is noticed
// while its agent plans. Only what is asked for must come in time.
type ahead struct {
	answer *punctual
	until  time.Time // when the session must end
	advice string
	parts  chan []byte
	rest   []byte        // of the last part
	ended  chan struct{} // closed when nothing more is asked for
	err    error         // why there are no more parts; set before parts is closed
}

// Parts of a body that are read ahead.
const (
	partsAhead = 16
	partAhead  = 4 << 10 // bytes
)

// readAhead begins to read a body. It calls gone if the body fails, as it does when its client goes away.
func readAhead(body io.Reader, answer *punctual, until time.Time, advice string, gone func()) *ahead {
	a := &ahead{answer: answer, until: until, advice: advice, parts: make(chan []byte, partsAhead), ended: make(chan struct{})}
	go func() {
		defer close(a.parts)
		for {
			part := make([]byte, partAhead)
			n, err := body.Read(part)
			if n > 0 {
				select {
				case a.parts <- part[:n]:
				case <-a.ended:
					return
				}
			}
			if err != nil {
				if a.err = err; err != io.EOF {
					gone()
				}
				return
			}
		}
	}()
	return a
}

func (a *ahead) Read(data []byte) (int, error) {
	if len(a.rest) == 0 {
		connection := http.NewResponseController(a.answer)
		deadline := time.Now().Add(a.answer.silence)
		if a.until.Before(deadline) {
			deadline = a.until
		}
		connection.SetReadDeadline(deadline)
		part, more := <-a.parts
		if !more {
			return 0, a.why()
		}
		connection.SetReadDeadline(time.Time{})
		a.rest = part
	}
	n := copy(data, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// why says in words why no more of the body comes.
func (a *ahead) why() error {
	switch {
	case !errors.Is(a.err, os.ErrDeadlineExceeded):
		return a.err
	case !time.Now().Before(a.until):
		return fmt.Errorf("the session has lasted %v, as long as it may; %s", term, a.advice)
	}
	return fmt.Errorf("nothing has come for %v, which ends the session", a.answer.silence)
}

// end waits until nothing reads the body any more.
func (a *ahead) end() {
	close(a.ended)
	http.NewResponseController(a.answer).SetReadDeadline(time.Unix(1, 0))
	for range a.parts {
	}
	if a.err == io.EOF { // the connection may have another request
		http.NewResponseController(a.answer).SetReadDeadline(time.Time{})
	}
}

// Close implements [io.Closer]. The server closes the body.
func (a *ahead) Close() error { return nil }
