//go:build !js

package engine

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"cpsrl/wasm/web"
)

// Over HTTP/1 the first snapshot arrives while records are still being sent, and the last
// one counts all records.
func TestSummaryBegins(t *testing.T) {
	defer func(d time.Duration) { snapshotTime = d }(snapshotTime)
	snapshotTime = 0
	server := httptest.NewServer(web.Handler(Handler()))
	defer server.Close()
	records := ask("POST", "/v1/run", small).Body.String()
	half := strings.LastIndex(records[:len(records)/2], "\n") + 1
	body, send := io.Pipe()
	defer send.Close() // a server that waits for the body would never end
	go io.WriteString(send, records[:half])
	response, err := (&http.Client{Timeout: time.Minute}).Post(server.URL+"/v1/summary", "application/jsonl", body)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer := bufio.NewReader(response.Body)
	if line, err := answer.ReadString('\n'); err != nil || !strings.Contains(line, `"final":false`) {
		t.Fatalf("at first %.100q, %v", line, err)
	}
	go func() {
		// More than a server reads before it answers.
		padding := strings.Repeat(" ", 1<<19)
		for line := range strings.Lines(records[half:]) {
			io.WriteString(send, strings.TrimSuffix(line, "}\n")+padding+"}\n")
		}
		send.Close()
	}()
	rest, err := io.ReadAll(answer)
	if last := string(rest[strings.LastIndexByte(strings.TrimSuffix(string(rest), "\n"), '\n')+1:]); err != nil || !strings.Contains(last, `"final":true`) {
		t.Errorf("at last %.100q, %v", last, err)
	}
}

// Over HTTP/1 each message of a session is answered before the next one is sent.
func TestAgentAnswers(t *testing.T) {
	server := httptest.NewServer(web.Handler(Handler()))
	defer server.Close()
	body, send := io.Pipe()
	defer send.Close()
	response, err := (&http.Client{Timeout: time.Minute}).Post(server.URL+"/v1/agent", "application/jsonl", body)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answers := bufio.NewReader(response.Body)
	for _, c := range [][2]string{{agentHello, `{"ready":`}, {`{"episode":{}}`, `{"episode":{"number":1`}, {`[]`, `{"error":"expected an object`}, {`{"episode":{}}`, `{"episode":{"number":2`}} {
		io.WriteString(send, c[0]+"\n")
		if line, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(line, c[1]) {
			t.Fatalf("%s: %q, %v", c[0], line, err)
		}
	}
}
