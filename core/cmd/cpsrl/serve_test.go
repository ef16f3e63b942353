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

// serving starts the server. It returns the address, a function that ends the server as
// Ctrl-C does, and a channel for its status.
func serving(t *testing.T) (address string, cancel func(), done chan int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r, w := io.Pipe()
	done = make(chan int, 1)
	go func() {
		var stderr strings.Builder
		done <- run(ctx, []string{"serve", "-port", "0"}, nil, w, &stderr)
	}()
	address, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address), cancel, done
}

// A request by the name of another machine (DNS rebinding), or by a name of this machine
// with another port, is refused.
func TestServeHost(t *testing.T) {
	address, _, _ := serving(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200, "localhost:" + port: 200, "[::1]:" + port: 200,
		"evil.example:" + port: 421, "localhost.evil.example:" + port: 421, "127.0.0.1:1": 421, "localhost": 421, "127.0.0.1": 421, ":" + port: 421, "0.0.0.0:" + port: 421,
	} {
		request, _ := http.NewRequest(http.MethodGet, address+"/v1/presets", nil)
		request.Host = host
		request.Header.Set("Origin", "http://"+host)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != want || want == 421 && !strings.Contains(string(text), "ask "+address) {
			t.Errorf("%s: %s: %.200s", host, response.Status, text)
		}
	}
}

// A body that stops is cut off on every path; an answer may take longer than the limit.
func TestServeSlowBody(t *testing.T) {
	before := silence
	silence = 300 * time.Millisecond
	defer func() { silence = before }()
	address, _, _ := serving(t)
	for _, path := range []string{"/v1/check", "/v1/summary"} {
		connection, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		connection.SetDeadline(time.Now().Add(20 * time.Second))
		io.WriteString(connection, "POST "+path+" HTTP/1.1\r\nHost: "+strings.TrimPrefix(address, "http://")+"\r\nContent-Length: 1000\r\n\r\n{")
		if _, err := io.ReadAll(connection); err != nil {
			t.Errorf("%s: after %v the server still waits: %v", path, silence, err)
		}
	}
	response, err := http.Post(address+"/v1/run", "application/json", strings.NewReader(ok(t, "presets", "fig2c-quick")))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<12))
	time.Sleep(2 * silence)
	rest, err2 := io.ReadAll(response.Body)
	if string(body)+string(rest) != ok(t, "run", "-preset", "fig2c-quick") {
		t.Errorf("the answer was cut off: %v, %v", err, err2)
	}
}

// A connection without a further request is closed.
func TestServeIdle(t *testing.T) {
	before := idle
	idle = 300 * time.Millisecond
	defer func() { idle = before }()
	address, _, _ := serving(t)
	connection, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(20 * time.Second))
	io.WriteString(connection, "GET /v1/presets HTTP/1.1\r\nHost: "+strings.TrimPrefix(address, "http://")+"\r\n\r\n")
	answer, err := io.ReadAll(connection)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200 OK") {
		t.Errorf("after %v the connection is still open: %v", idle, err)
	}
}

// Records with much space between them are held until their run is whole.
func TestServeLargeBody(t *testing.T) {
	address, _, _ := serving(t)
	lines := strings.SplitAfter(ok(t, "run", "-preset", "fig1-quick"), "\n")
	space := strings.Repeat(" ", 2*maxBody/len(lines))
	var parts []io.Reader
	for _, line := range lines[:len(lines)-1] {
		parts = append(parts, strings.NewReader(strings.TrimSuffix(line, "\n")), strings.NewReader(space), strings.NewReader("\n"))
	}
	response, err := http.Post(address+"/v1/summary", "application/jsonl", io.MultiReader(parts...))
	if err != nil {
		return // the body was cut off
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); response.StatusCode == http.StatusOK && err == nil {
		t.Errorf("the server reads %d bytes: %.200s", 2*maxBody, text)
	} else if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%s: %.200s", response.Status, text)
	}
}

// TestServe asks the engine on loopback as curl does, and ends it as Ctrl-C does.
func TestServe(t *testing.T) {
	address, cancel, done := serving(t)
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
		t.Fatal("the server does not end")
	}
}
