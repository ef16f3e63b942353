package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// result is the outcome of a call of the program.
type result struct {
	status         int
	stdout, stderr string
}

// cpsrl calls the program without its process.
func cpsrl(t testing.TB, args ...string) result {
	t.Helper()
	return cpsrlWith(t, "", args...)
}

// cpsrlWith calls the program with that standard input.
func cpsrlWith(t testing.TB, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), args, strings.NewReader(stdin), &stdout, &stderr)
	return result{status, stdout.String(), stderr.String()}
}

// ok calls the program, which must succeed without a message, and returns its output.
func ok(t testing.TB, args ...string) string {
	t.Helper()
	r := cpsrl(t, args...)
	if r.status != statusOK || r.stderr != "" {
		t.Fatalf("cpsrl %s: status %d, %q on standard error", strings.Join(args, " "), r.status, r.stderr)
	}
	return r.stdout
}

// file writes a temporary file of the test and returns its path.
func file(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// read returns the content of a file.
func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// alone checks that the folder holds only the named files, and no temporary file.
func alone(t testing.TB, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if strings.Join(have, " ") != strings.Join(names, " ") {
		t.Errorf("the folder holds %q, want %q", have, names)
	}
}

func decode[T any](t testing.TB, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
		list := ok(t, args...)
		for _, c := range commands() {
			if !strings.Contains(list, "  "+c.name+" ") || !strings.Contains(list, c.short) {
				t.Errorf("cpsrl %s does not explain %q", args[0], c.name)
			}
		}
	}
	for _, c := range commands() {
		text := ok(t, "help", c.name)
		if !strings.HasPrefix(text, "usage: cpsrl "+c.name) {
			t.Errorf("cpsrl help %s begins with %.40q", c.name, text)
		}
		for _, flag := range []string{"-h", "--help"} {
			if again := ok(t, c.name, flag); again != text {
				t.Errorf("cpsrl %s %s differs from cpsrl help %s", c.name, flag, c.name)
			}
		}
	}
	if text := ok(t, "help", "run"); !strings.Contains(text, "-workers") || !strings.Contains(text, "Ctrl-C") {
		t.Errorf("the help of run is %q", text)
	}
}

func TestFlagsTakeOneDashOrTwoAnywhere(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "--episodes=2"))
	want := ok(t, "summary", "-of", "recall", path)
	for _, args := range [][]string{
		{"summary", path, "-of", "recall"},
		{"summary", path, "--of=recall"},
		{"summary", "--of", "recall", "--", path},
	} {
		if got := ok(t, args...); got != want {
			t.Errorf("cpsrl %q differs", args)
		}
	}
}

func TestBuildDoesNotFuse(t *testing.T) {
	if fuses() {
		t.Error("this build fuses x*y + z; build with -gcflags=all=-d=fmahash=n, and GOAMD64=v1")
	}
}
