package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"time"

	"cpsrl/core/engine"
)

var serveCommand = command{
	name: "serve", args: "[-port N]",
	short: "answer the engine's requests on this machine",
	long: `Serves the engine of the page on the loopback interface until Ctrl-C, for curl and scripts:

  curl http://127.0.0.1:8081/v1/presets
  cpsrl presets fig1-quick | curl --data-binary @- http://127.0.0.1:8081/v1/run`,
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
		// Pages of other origins must not use this machine's time.
		Handler:           http.NewCrossOriginProtection().Handler(engine.Handler()),
		ReadHeaderTimeout: 10 * time.Second,
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
