//go:build !js

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const coinHello = `{"hello":{"format":"cpsrl/agent","version":1,"horizon":3,"seed":1,"payoffs":[{"given":["side"]}],"prior":` + coinPriorLine + `}}` + "\n"

const coinPriorLine = `{"format":"cpsrl/prior","version":1,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"sparseness":2,"edges":[["side","side"]]}`

const coinSteps = `{"transitions":[{"x":[0,1],"y":[1],"paid":[0]},{"x":[1,0],"y":[1],"paid":[1]}]}` + "\n"

// The command answers each line of a file or of standard input. What it answers after load is what it would have
// answered without.
func TestAgent(t *testing.T) {
	whole := ok(t, "agent", file(t, "messages.jsonl", coinHello+`{"episode":{}}`+"\n"+coinSteps+"\n"+`{"save":{}}`+"\n"+`{"episode":{"policy":true}}`))
	lines := strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], `{"ready":`) || !strings.HasPrefix(lines[4], `{"episode":{"number":2,`) {
		t.Fatalf("the answers are %s", whole)
	}
	load := `{"load":` + strings.TrimPrefix(lines[3], `{"saved":`) + "\n"
	rest := ok(t, "agent", file(t, "rest.jsonl", "no JSON\n"+load+`{"episode":{"policy":true}}`))
	if again := strings.Split(strings.TrimSuffix(rest, "\n"), "\n"); len(again) != 3 || !strings.HasPrefix(again[0], `{"error":"malformed JSON`) || again[2] != lines[4] {
		t.Errorf("after load, the answers are %s", rest)
	}
}

// conversation is a session on a server.
type conversation struct {
	send    *io.PipeWriter
	answers *bufio.Reader
	status  int
	close   func()
}

func converse(t *testing.T, address string) *conversation {
	t.Helper()
	return converseAt(t, address+"/v1/agent")
}

func converseAt(t *testing.T, path string) *conversation {
	t.Helper()
	body, send := io.Pipe()
	response, err := (&http.Client{Timeout: patienceOfServe}).Post(path, "application/jsonl", body)
	if err != nil {
		t.Fatal(err)
	}
	c := &conversation{send, bufio.NewReader(response.Body), response.StatusCode, func() { send.Close(); response.Body.Close() }}
	t.Cleanup(c.close)
	return c
}

const patienceOfServe = time.Minute

func (c *conversation) ask(t *testing.T, message string) string {
	t.Helper()
	if _, err := io.WriteString(c.send, message); err != nil {
		t.Fatal(err)
	}
	line, err := c.answers.ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", message, err)
	}
	return line
}

// Oracle: the command. The server answers a message before the next one is sent, in the same bytes.
func TestServeAgent(t *testing.T) {
	address, _, _ := serving(t)
	messages := []string{coinHello, "{}\n", `{"episode":{"policy":true}}` + "\n", coinSteps, `{"save":{}}` + "\n"}
	want := ok(t, "agent", file(t, "messages.jsonl", strings.Join(messages, "")))
	c, got := converse(t, address), ""
	for _, message := range messages {
		got += c.ask(t, message)
	}
	if got != want {
		t.Errorf("the server answers\n%s\nwant\n%s", got, want)
	}
	c.send.Close()
	if rest, err := io.ReadAll(c.answers); err != nil || len(rest) > 0 {
		t.Errorf("at the end %q, %v", rest, err)
	}
}

// There is room for a number of sessions; one that ends makes room for another.
func TestServeAgents(t *testing.T) {
	address, _, _ := serving(t)
	var list []*conversation
	for range mostLent {
		c := converse(t, address)
		c.ask(t, coinHello)
		list = append(list, c)
	}
	full := converse(t, address)
	var problem struct{ Detail string }
	data, _ := io.ReadAll(full.answers)
	if json.Unmarshal(data, &problem); full.status != http.StatusServiceUnavailable || !strings.Contains(problem.Detail, fmt.Sprint(mostLent, " agents and worlds are lent")) {
		t.Errorf("%d: %s", full.status, data)
	}
	list[3].send.Close()
	io.ReadAll(list[3].answers)
	begun := time.Now()
	for converse(t, address).status != http.StatusOK { // the server ends the other one soon
		if time.Since(begun) > patienceOfServe {
			t.Fatal("there is no room")
		}
	}
	for _, k := range []int{0, mostLent - 1} {
		if got := list[k].ask(t, `{"belief":{}}`+"\n"); !strings.HasPrefix(got, `{"belief":`) {
			t.Errorf("session %d answers %s", k, got)
		}
	}
}

// A session says why it ends: after silence, after its term, and after too many bytes.
func TestServeAgentEnds(t *testing.T) {
	wait0, term0 := wait, term
	defer func() { wait, term = wait0, term0 }()
	for _, c := range []struct {
		says       string
		wait, term time.Duration
		more       string
	}{
		{"nothing has come for 300ms, which ends the session", 300 * time.Millisecond, time.Hour, ""},
		{"the session has lasted 300ms, as long as it may", time.Minute, 300 * time.Millisecond, ""},
		{"the messages have more than 128 MiB", time.Minute, time.Hour, strings.Repeat(strings.Repeat(" ", 1<<20)+"\n", maxBody>>20)},
	} {
		wait, term = c.wait, c.term
		address, cancel, done := serving(t)
		s := converse(t, address)
		s.ask(t, coinHello)
		go io.WriteString(s.send, c.more)
		text, err := io.ReadAll(s.answers)
		if !strings.Contains(string(text), c.says) {
			t.Errorf("it ends with %q, %v; want %q", text, err, c.says)
		}
		s.close()
		cancel()
		<-done
	}
}

// The help of the command shows messages that are valid.
func TestAgentHelp(t *testing.T) {
	for line := range strings.Lines(agentCommand.long) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") {
			line = strings.ReplaceAll(line, "{…}", "{}")
			if !json.Valid([]byte(line)) {
				t.Errorf("%s is no message", line)
			}
		}
	}
	if !slices.ContainsFunc(commands(), func(c command) bool { return c.name == "agent" }) {
		t.Error("there is no command agent")
	}
}
