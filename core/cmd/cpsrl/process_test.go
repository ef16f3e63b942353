//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/spec"
)

// bin is the folder of the built program, or "" before a test builds it.
var bin string

// TestMain catches SIGHUP. If the tests were started with nohup, which ignores SIGHUP, the
// programs that they start would ignore it, too.
func TestMain(m *testing.M) {
	signal.Notify(make(chan os.Signal, 1), hangup)
	status := m.Run()
	os.RemoveAll(bin)
	os.Exit(status)
}

var built = sync.OnceValues(func() (path string, err error) {
	if bin, err = os.MkdirTemp("", "cpsrl"); err != nil {
		return "", err
	}
	path = filepath.Join(bin, "cpsrl")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// build builds the program, once for all tests.
func build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program")
	}
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func statusOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// TestProcess checks the exit statuses of the built program.
func TestProcess(t *testing.T) {
	program := build(t)
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"help"}, 0},
		{[]string{"presets"}, 0},
		{[]string{"run"}, 2},
		{[]string{"plan", "-model", file(t, "m.json", "{")}, 2},
		{[]string{"run", "-preset", "fig1-quick", "-o", "/dev/null"}, 0},
	} {
		c := exec.Command(program, test.args...)
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		if got := statusOf(c.Run()); got != test.want {
			t.Errorf("cpsrl %q: status %d, want %d", test.args, got, test.want)
		}
		if test.want == 2 && (stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1) {
			t.Errorf("cpsrl %q: %q and %q", test.args, stdout.String(), stderr.String())
		}
	}
}

// Records go into a named pipe as they come, and the pipe is not replaced.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	content := make(chan string)
	go func() {
		data, _ := os.ReadFile(pipe)
		content <- string(data)
	}()
	ok(t, "run", "-preset", "fig1-quick", "-o", pipe)
	if <-content != ok(t, "run", "-preset", "fig1-quick") {
		t.Error("the bytes from the pipe are not the records")
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Error("the pipe was replaced")
	}
}

// A full device ends the run with status 1 and is not replaced.
func TestDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	r := cpsrl(t, "run", "-preset", "fig1-quick", "-o", "/dev/full")
	if r.status != statusFailed || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "/dev/full") {
		t.Errorf("status %d and %q", r.status, r.stderr)
	}
	if info, err := os.Lstat("/dev/full"); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Error("/dev/full was replaced")
	}
}

// The exported command line, run in a shell, gives the same records.
func TestCommandLine(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	program := build(t)
	path := file(t, "s.json", `{"format":"cpsrl/spec","version":1,"domain":{"name":"model","model":`+strings.TrimSpace(strings.ReplaceAll(aModel, "flip", "it's $HOME"))+`},"episodes":2}`)
	link := strings.TrimSpace(ok(t, "link", "-spec", path))
	l, err := spec.ReadLink(link)
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.New(l.Spec)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(shell, "-c", strings.Replace(export.Command(e), "cpsrl", program, 1))
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != ok(t, "run", "-spec", path) {
		t.Error("the shell ran something else")
	}
}

const aModel = `{"format":"cpsrl/model","version":1,"name":"coin","horizon":3,
 "state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"initial":"uniform",
 "transition":[{"of":"side","given":["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]}],
 "reward":[{"given":["side"],"mean":[0,1],"kind":"fixed"}]}`

// A file that replaces another has its permissions, also those that the umask takes from new
// files, and so has what an interrupted run keeps beside it.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	records := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2"))
	for _, permissions := range []os.FileMode{0o664, 0o666, 0o600, 0o755, 0o204} {
		folder := t.TempDir()
		for out, args := range map[string][]string{
			"r.jsonl": {"run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "1"},
			"f.json":  {"figure", records},
			"f.svg":   {"plot", records},
		} {
			path := filepath.Join(folder, out)
			ok(t, append(args, "-o", path)...)
			if got := mode(path); got != 0o640 {
				t.Errorf("a new %s has the permissions %v", out, got)
			}
			if err := os.Chmod(path, permissions); err != nil {
				t.Fatal(err)
			}
			ok(t, append(args, "-o", path)...)
			if got := mode(path); got != permissions {
				t.Errorf("%s had the permissions %v and now %v", out, permissions, got)
			}
		}
		path := filepath.Join(folder, "r.jsonl")
		if interruptedRun(t, path, func() int64 { return unnamed(folder) }); mode(path+".partial") != permissions {
			t.Errorf("the part of a file with %v has %v", permissions, mode(path+".partial"))
		}
	}
}
