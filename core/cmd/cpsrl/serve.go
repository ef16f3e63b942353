package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"cpsrl/wasm/engine"
)

var serveCommand = command{
	name: "serve", args: "[-port N]",
	short: "answer the engine's requests on this machine",
	long: `Serves the engine of the page on the loopback interface until Ctrl-C, for curl and scripts:

  curl http://127.0.0.1:8081/v1/presets
  cpsrl presets fig1-quick | curl --data-binary @- http://127.0.0.1:8081/v1/run

A body is of at most 128 MiB, and may pause for a minute.`,
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
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r.Host, address) {
			http.Error(w, fmt.Sprintf("the host %.100q is not this server; ask http://%s", r.Host, address), http.StatusMisdirectedRequest)
			return
		}
		r.Body = http.MaxBytesReader(w, &patient{r.Body, w}, maxBody)
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

// patient is a body with a limit on the time of each Read. There is no limit between two
// Reads and after the last one, so an answer may take any time. If a Read fails, the
// connection is closed, because the rest of the body could pass for the next request.
type patient struct {
	io.ReadCloser
	answer http.ResponseWriter
}

func (p *patient) Read(data []byte) (int, error) {
	connection := http.NewResponseController(p.answer)
	connection.SetReadDeadline(time.Now().Add(silence))
	n, err := p.ReadCloser.Read(data)
	if err == nil || err == io.EOF { // after another error the server must not wait for more
		connection.SetReadDeadline(time.Time{})
	} else {
		p.answer.Header().Set("Connection", "close")
	}
	return n, err
}
