//go:build !js

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
)

// over fails the test if what is awaited does not happen.
func over(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patienceOfServe):
		t.Fatalf("%s goes on", what)
	}
}

// dial sends the head of a request and returns its connection, from which nothing is read.
func dial(t *testing.T, address, head string) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	fmt.Fprintf(connection, "%s HTTP/1.1\r\nHost: %s\r\n", head, strings.TrimPrefix(address, "http://"))
	return connection
}

// An answer that nobody reads ends, on every path.
func TestServeSilentReader(t *testing.T) {
	before := silence
	silence = 50 * time.Millisecond
	defer func() { silence = before }()
	done := make(chan struct{})
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: guard(endless, listener.Addr())}
	go server.Serve(listener)
	defer server.Close()
	io.WriteString(dial(t, listener.Addr().String(), "GET /v1/presets"), "\r\n")
	over(t, "an answer that nobody reads", done)
}

// A session whose answers nobody reads ends and makes room, though messages come.
func TestServeSilentAgent(t *testing.T) {
	before := wait
	wait = 50 * time.Millisecond
	defer func() { wait = before }()
	address, _, _ := serving(t)
	connection, ended := dial(t, address, "POST /v1/agent"), make(chan struct{})
	go func() {
		defer close(ended)
		io.WriteString(connection, "Transfer-Encoding: chunked\r\n\r\n")
		message := strings.Repeat("{}\n", 1<<10)
		for {
			if _, err := fmt.Fprintf(connection, "%x\r\n%s\r\n", len(message), message); err != nil {
				return
			}
		}
	}()
	over(t, "a session whose answers nobody reads", ended)
}

// written is an answer that keeps the sizes of its parts, and how many of them had a limit of their own.
type written struct {
	*httptest.ResponseRecorder
	parts  []int
	limits int
}

func (w *written) Write(data []byte) (int, error) {
	w.parts = append(w.parts, len(data))
	return w.ResponseRecorder.Write(data)
}

func (w *written) SetWriteDeadline(deadline time.Time) error {
	if deadline.IsZero() {
		return http.ErrNotSupported
	}
	w.limits++
	return nil
}

// A long answer has a limit for each part that a reader must take, and none for the whole.
func TestServeLongAnswer(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 50_000)
	w := &written{ResponseRecorder: httptest.NewRecorder()}
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 81}
	r := httptest.NewRequest("GET", "http://127.0.0.1:81/v1/presets", nil)
	guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n, err := w.Write(data); n != len(data) || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
	}), address).ServeHTTP(w, r)
	if !bytes.Equal(w.Body.Bytes(), data) || len(w.parts) != 1+(len(data)-1)/mostPart || w.limits != len(w.parts)+2 { // to flush, and for the rest
		t.Errorf("%d bytes in the parts %v with %d limits", w.Body.Len(), w.parts, w.limits)
	}
}

// sleeper is an agent that plans until its client has gone.
type sleeper struct{ begun, ended chan struct{} }

func (s *sleeper) Model(*posterior.Stream) *agent.Model { return &agent.Model{} }
func (s *sleeper) Observe([]posterior.Step)             {}
func (s *sleeper) Plan(ctx context.Context, _ *agent.Draws, _ *agent.Model) (agent.Policy, error) {
	close(s.begun)
	<-ctx.Done()
	close(s.ended)
	return nil, ctx.Err()
}
func (s *sleeper) Params() []param.Param                  { return nil }
func (s *sleeper) Names() (string, string)                { return "Sleeper", "sleeper" }
func (s *sleeper) Look() arm.Look                         { return arm.Look{Color: "#123456"} }
func (s *sleeper) Needs() []arm.Need                      { return nil }
func (s *sleeper) Prior(*agent.Task) *bigraph.Prior       { return nil }
func (s *sleeper) Cost(*agent.Task, *arm.Size) float64    { return 1 }
func (s *sleeper) Build(*agent.Task) (agent.Agent, error) { return s, nil }

// An agent stops planning when its client has gone, and makes room.
func TestServeClientGone(t *testing.T) {
	s := &sleeper{make(chan struct{}), make(chan struct{})}
	t.Cleanup(arm.Register(&arm.Kind{Key: "sleeper", Gloss: "sleeps", Plans: true, New: func() arm.Config { return s }}))
	address, _, _ := serving(t)
	connection := dial(t, address, "POST /v1/agent")
	messages := strings.Replace(coinHello, `"seed":1`, `"agent":"sleeper"`, 1) + `{"episode":{}}` + "\n"
	fmt.Fprintf(connection, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(messages), messages)
	over(t, "the hello", s.begun)
	connection.Close()
	over(t, "a plan whose client has gone", s.ended)
}
