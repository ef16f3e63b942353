//go:build !js

package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

const coinWorld = `{"hello":{"format":"cpsrl/world","version":1,"label":"mine","model":{"format":"cpsrl/model","version":1,"horizon":2,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"initial":"uniform",` +
	`"transition":[{"of":"side","given":["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]}],"reward":[{"given":["side"],"mean":[0,1],"kind":"fixed"}]}}}` + "\n"

// The command answers each line of a file or of standard input, and the server the same before the next one is sent. The
// policy that always flips is worth ½ + ½ in any world, and the best, which flips zero alone, ½ + ¾.
func TestWorld(t *testing.T) {
	messages := []string{
		coinWorld, `{"task":{}}` + "\n", `{"step":{"action":[1]}}` + "\n", `{"reset":{}}` + "\n", `{"step":{"action":[1]}}` + "\n", `{"step":{"action":[1]}}` + "\n",
		`{"policy":{"table":[[1,1]]}}` + "\n", `{"reset":{"run":0}}` + "\n",
	}
	whole := ok(t, "world", file(t, "messages.jsonl", strings.Join(messages, "")))
	lines := strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
	if len(lines) != len(messages) {
		t.Fatalf("the answers are %s", whole)
	}
	for k, want := range []string{`{"ready":{"format":"cpsrl/world","version":1,`, `{"task":{"format":"cpsrl/agent","version":2,`, `{"error":"no episode has begun; a reset begins one","at":"/step"}`, `{"episode":{"run":0,"number":1,`, `{"step":`, `{"step":`, `{"scored":{"record":{"label":"mine","run":0,"episode":1,"regret":0.25,"world":"`, `{"episode":{"run":0,"number":1,`} {
		if !strings.HasPrefix(lines[k], want) {
			t.Errorf("%s is answered by %s, want %s", messages[k], lines[k], want)
		}
	}
	if got := cpsrlWith(t, strings.Join(messages, ""), "world"); got.stdout != whole {
		t.Errorf("of standard input, the answers are %s", got.stdout)
	}
	address, _, _ := serving(t)
	c, got := converseAt(t, address+"/v1/world"), ""
	for _, message := range messages {
		got += c.ask(t, message)
	}
	if got != whole {
		t.Errorf("the server answers\n%s\nwant\n%s", got, whole)
	}
	c.send.Close()
	if rest, err := io.ReadAll(c.answers); err != nil || len(rest) > 0 {
		t.Errorf("at last %q, %v", rest, err)
	}
}

// The help of the command shows messages that are valid.
func TestWorldHelp(t *testing.T) {
	lines := ""
	for line := range strings.Lines(worldCommand.long) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") {
			lines += line + "\n"
		}
	}
	for answer := range strings.Lines(ok(t, "world", file(t, "help.jsonl", lines))) {
		if !json.Valid([]byte(answer)) || strings.Contains(answer, "there is no such message") {
			t.Error(answer)
		}
	}
}

// Results of a program that met our worlds are compared run by run. Oracle: the difference of two of our own agents, one of
// which is told as another program's. With another fingerprint, the difference is not paired, and the words say so.
func TestWorldPaired(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-domain", "figure1", "-agents", "psrl,c-psrl", "-episodes", "3", "-runs", "3"))
	var header struct{ Spec json.RawMessage }
	records := strings.Split(strings.TrimSuffix(read(t, path), "\n"), "\n")
	if err := json.Unmarshal([]byte(records[0]), &header); err != nil {
		t.Fatal(err)
	}
	var ready struct{ Ready struct{ World string } }
	hello := `{"hello":{"format":"cpsrl/world","version":1,"label":"q","spec":` + string(header.Spec) + `}}`
	if err := json.Unmarshal([]byte(ok(t, "world", file(t, "hello.jsonl", hello))), &ready); err != nil || ready.Ready.World == "" {
		t.Fatal(err)
	}
	lines := func(world string) (text string) {
		for _, line := range records[1:] {
			var r struct {
				Run, Episode int
				Agent        string
				Regret       float64
			}
			if json.Unmarshal([]byte(line), &r); r.Agent == "c-psrl" {
				data, _ := json.Marshal(map[string]any{"label": "q", "run": r.Run, "episode": r.Episode, "regret": r.Regret, "world": world})
				text += string(data) + "\n"
			}
		}
		return text
	}
	rows := func(text string) string {
		_, rest, _ := strings.Cut(text, "\nagent,episode,")
		return rest
	}
	want := rows(ok(t, "summary", path, "-paired", "c-psrl,psrl"))
	got := ok(t, "summary", path, "-with", file(t, "q.jsonl", lines(ready.Ready.World)), "-paired", "q,psrl")
	if rows(got) != strings.ReplaceAll(want, "C-PSRL,", "q (other program),") && rows(got) != strings.ReplaceAll(want, "c-psrl,", "q (other program),") || !strings.Contains(got, "q (3 runs; it met our true models, run by run)") || !strings.Contains(got, "q (other program) minus PSRL by run") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	other := ok(t, "summary", path, "-with", file(t, "q.jsonl", lines("1-0")), "-paired", "q,psrl")
	if !strings.Contains(other, "not this one") || !strings.Contains(other, "Welch") {
		t.Error(other)
	}
	two := lines(ready.Ready.World) + strings.Split(strings.ReplaceAll(lines("1-0"), `"run":2`, `"run":3`), "\n")[6]
	refused(t, cpsrl(t, "summary", path, "-with", file(t, "two.jsonl", two)), "another world")
}
