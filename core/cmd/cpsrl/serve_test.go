//go:build !js

package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestServe asks the engine on loopback, as curl would, and ends it as Ctrl-C
// does.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	done := make(chan int)
	go func() {
		var stderr strings.Builder
		done <- run(ctx, []string{"serve", "-port", "0"}, nil, w, &stderr)
	}()
	address, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	host, _, err := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	if err != nil || !net.ParseIP(host).IsLoopback() {
		t.Fatalf("the address is %q", address)
	}
	response, err := http.Get(address + "/v1/presets")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"fig2a-quick"`) {
		t.Errorf("%s: %.80s", response.Status, body)
	}
	response, err = http.Post(address+"/v1/run", "application/json", strings.NewReader(ok(t, "presets", "fig1-quick")))
	if err != nil {
		t.Fatal(err)
	}
	body, _ = io.ReadAll(response.Body)
	response.Body.Close()
	if string(body) != ok(t, "run", "-preset", "fig1-quick") {
		t.Error("the engine's records are not those of cpsrl run")
	}
	foreign, _ := http.NewRequest(http.MethodPost, address+"/v1/run", strings.NewReader(small))
	foreign.Header.Set("Origin", "https://example.org")
	if response, err = http.DefaultClient.Do(foreign); err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("another origin's page got %s", response.Status)
	}
	cancel()
	select {
	case status := <-done:
		if status != statusOK {
			t.Errorf("status %d", status)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it does not end")
	}
}
