//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for a program before it fails.
const patience = 2 * time.Minute

// process is a program that runs.
type process struct {
	*exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
}

// start starts the program.
func start(t *testing.T, program string, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	p := &process{Cmd: exec.CommandContext(ctx, program, args...)}
	p.Stderr = &p.stderr
	var stdout io.Reader
	var err error
	if p.stdin, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if stdout, err = p.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	p.stdout = bufio.NewReader(stdout)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// ends sends the signal and checks the status and the one line.
func (p *process) ends(t *testing.T, signal syscall.Signal, want int, says string) {
	t.Helper()
	p.Process.Signal(signal)
	if got := statusOf(p.Wait()); got != want {
		t.Errorf("%v: status %d, want %d", signal, got, want)
	}
	if line := p.stderr.String(); says == "" && line != "" || says != "" && (!strings.Contains(line, says) || strings.Count(line, "\n") != 1) {
		t.Errorf("%v: %q on standard error, want one line with %q", signal, line, says)
	}
}

// fifo makes a named pipe.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

// until waits until a condition holds.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for begun := time.Now(); !so(); time.Sleep(time.Millisecond) {
		if time.Since(begun) > patience {
			t.Fatal("not seen: " + what)
		}
	}
}

// feed writes the content into the named pipe and waits until the program has read all of
// it and closed the pipe. The program then works on the content.
func feed(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0); err != nil {
		t.Fatal(err)
	}
	until(t, "the program has read its input", func() bool {
		fd, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			syscall.Close(fd)
		}
		return err == syscall.ENXIO // nobody has it open for reading
	})
}

var signals = []struct {
	signal syscall.Signal
	status int
}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}}

// A signal ends every command that waits for its input.
func TestSignalWhileReading(t *testing.T) {
	program := build(t)
	prior := file(t, "prior.json", coinPrior)
	waits := []string{
		"run -spec FIFO", "run -model FIFO", "run -preset fig1-quick -prior FIFO", "run -preset fig1-quick -data FIFO", "trace -spec FIFO", "model -spec FIFO", "prior -spec FIFO", "edges -spec FIFO", "edges -model FIFO", "link -spec FIFO", "link -receipt FIFO",
		"summary FIFO", "summary FIFO -long", "merge FIFO", "sweep FIFO -o x", "slurm FIFO -shards 2 -o x", "plot FIFO -o x.svg", "figure FIFO", "verify FIFO",
		"agent FIFO", "world FIFO", "cite -spec FIFO", "cite FIFO", "convert FIFO", "plan -model FIFO", "transitions -model FIFO", "factorizations -prior FIFO",
		"posterior -transitions x -prior FIFO", "problem FIFO -prior " + prior, "policy FIFO -prior " + prior, "calibration FIFO -prior " + prior, "posterior -transitions FIFO -prior " + prior,
	}
	for _, c := range commands() {
		reads := !slices.Contains([]string{"gallery", "new", "presets", "serve", "table", "version"}, c.name)
		if reads != slices.ContainsFunc(waits, func(args string) bool { return strings.HasPrefix(args, c.name+" ") }) {
			t.Errorf("the list must have exactly the commands that read something: %s", c.name)
		}
	}
	for k, args := range waits {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			path, s := fifo(t), signals[k%len(signals)]
			p := start(t, program, strings.Fields(strings.ReplaceAll(args, "FIFO", path))...)
			f, err := os.OpenFile(path, os.O_WRONLY, 0) // waits until the program has opened it
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			p.ends(t, s.signal, s.status, "cpsrl "+strings.Fields(args)[0]+": interrupted\n")

			// More than a pipe holds, so the program has begun to read standard input.
			p = start(t, program, strings.Fields(strings.ReplaceAll(args, "FIFO", "-"))...)
			if _, err := p.stdin.Write(bytes.Repeat([]byte{' '}, 1<<20)); err != nil {
				t.Fatal(err)
			}
			p.ends(t, s.signal, s.status, "cpsrl "+strings.Fields(args)[0]+": interrupted\n")
		})
	}
	t.Run("verify within the records", func(t *testing.T) {
		records := ok(t, "run", "-preset", "fig1-quick", "-runs", "1")
		p := start(t, program, "verify", "-")
		io.WriteString(p.stdin, strings.Join(strings.SplitAfter(records, "\n")[:100], ""))
		p.stdin.Write(bytes.Repeat([]byte{'\n'}, 1<<20)) // passed over
		p.ends(t, syscall.SIGINT, 130, "cpsrl verify: interrupted\n")
	})
}

// A signal ends every command that may take long while it computes.
func TestSignalWhileComputing(t *testing.T) {
	program := build(t)
	long := ok(t, "presets", "fig2a")
	// 512 states and 32 actions over 16384 steps.
	large := ok(t, "model", "-spec", file(t, "s.json", `{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":9,"actionVariables":5,"horizon":16384}}`))
	for k, test := range []struct{ args, content string }{
		{"run -episodes 100000 -runs 1 -agents psrl -workers 1 -o /dev/null -spec FIFO", long},
		{"trace -episodes 100000 -episode 100000 -spec FIFO", long},
		{"plan -model FIFO", large},
		{"edges -model FIFO", large},
	} {
		t.Run(test.args, func(t *testing.T) {
			path := fifo(t)
			s := signals[k%len(signals)]
			p := start(t, program, strings.Fields(strings.ReplaceAll(test.args, "FIFO", path))...)
			feed(t, path, test.content)
			p.ends(t, s.signal, s.status, "interrupted")
		})
	}
	t.Run("posterior", func(t *testing.T) {
		// The command weighs each transition after it has read it. Input beyond what the pipe
		// and the reader hold, 64 KB each, is being weighed.
		p := start(t, program, "posterior", "-transitions", "-", "-prior", file(t, "prior.json", space(16, 2, 4)))
		line := `{"x":[0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0],"y":[0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1]}` + "\n"
		if _, err := io.WriteString(p.stdin, strings.Repeat(line, 200_000/len(line))); err != nil {
			t.Fatal(err)
		}
		p.ends(t, syscall.SIGTERM, 143, "cpsrl posterior: interrupted\n")
	})
	t.Run("transitions", func(t *testing.T) {
		p := start(t, program, "transitions", "-n", "2147483647", "-model", file(t, "m.json", coin))
		if _, err := p.stdout.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		p.ends(t, syscall.SIGTERM, 143, "interrupted")
	})
	t.Run("verify", func(t *testing.T) {
		records := ok(t, "run", "-preset", "fig2a", "-episodes", "30", "-runs", "1", "-agents", "psrl", "-workers", "1")
		header, rest, _ := strings.Cut(strings.Replace(records, `"episodes":30,"runs":1`, `"episodes":100000,"runs":1`, 1), "\n")
		p := start(t, program, "verify", "-", "-workers", "1")
		io.WriteString(p.stdin, header+"\n")
		io.WriteString(p.stdin, rest)
		p.stdin.Write(bytes.Repeat([]byte{'\n'}, 1<<20)) // the records before are compared
		p.ends(t, syscall.SIGINT, 130, "cpsrl verify: interrupted\n")
	})
	t.Run("serve", func(t *testing.T) {
		for _, s := range signals {
			p := start(t, program, "serve", "-port", "0")
			if _, err := p.stdout.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			p.ends(t, s.signal, 0, "")
		}
	})
}

// A run that any of the signals ends leaves the whole records so far and no other file.
func TestSignalKeepsRecords(t *testing.T) {
	program := build(t)
	for _, s := range signals {
		folder := t.TempDir()
		path := filepath.Join(folder, "r.jsonl")
		p := start(t, program, "run", "-preset", "fig2c", "-runs", "1000", "-o", path)
		until(t, "some records are out", func() bool { return unnamed(folder) > 20_000 })
		p.ends(t, s.signal, s.status, "interrupted; it holds the first ")
		alone(t, folder, "r.jsonl")
		if n := whole(t, read(t, path)); !strings.Contains(p.stderr.String(), fmt.Sprintf("the first %d records", n)) {
			t.Errorf("%d records, and %q", n, p.stderr.String())
		}
	}
}

// A run that cannot finish a line, because nobody reads it, waits after the first signal
// and dies from the second.
func TestSecondSignal(t *testing.T) {
	program := build(t)
	row := strings.Repeat("[0.5,0.5],", 1<<17)
	spec := file(t, "s.json", change(change(`{"format":"cpsrl/spec","version":1,"domain":{"name":"model","model":`+coin+`},"runs":1}`,
		`"name":"flip","size":2`, `"name":"flip","size":65536`), `"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]`, `"p":[`+strings.TrimSuffix(row, ",")+`]`))
	path := fifo(t)
	p := start(t, program, "run", "-agents", "f-psrl", "-spec", spec, "-o", path)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// The header is longer than a pipe holds, so a reader of only its first byte keeps the
	// program from writing all of it.
	if _, err := io.ReadFull(f, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	p.Process.Signal(syscall.SIGINT)
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	for {
		select {
		case <-ended:
			if status := p.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM || p.stderr.Len() > 0 {
				t.Errorf("%v, %q", p.ProcessState, p.stderr.String())
			}
			return
		case <-time.After(time.Millisecond): // until the first has been taken
			p.Process.Signal(syscall.SIGTERM)
		}
	}
}

// A signal that was ignored when the program started, as with nohup, does not end it.
func TestIgnoredSignal(t *testing.T) {
	program := build(t)
	path := fifo(t)
	p := start(t, "/bin/sh", "-c", `trap "" HUP; exec "$0" "$@"`, program, "summary", path)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p.Process.Signal(syscall.SIGHUP)
	p.ends(t, syscall.SIGTERM, 143, "interrupted")
}
