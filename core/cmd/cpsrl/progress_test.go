//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// terminal opens a pseudo terminal: the end of a program, and what the program has written once it is closed.
func terminal(t *testing.T) (slave *os.File, written func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	var locked, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &locked, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Skip(errno)
		}
	}
	if slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Skip(err)
	}
	content := make(chan string)
	go func() {
		data, _ := io.ReadAll(master) // ends with an error when the slave is closed
		content <- string(data)
	}()
	return slave, func() string {
		slave.Close()
		return <-content
	}
}

// On a terminal a run shows how many runs are done, its speed and the time left, and its fingerprint at the end. With
// -quiet and into a pipe it shows nothing.
func TestProgress(t *testing.T) {
	program := build(t)
	path := filepath.Join(t.TempDir(), "r.jsonl")
	for _, flags := range []string{"", "-quiet"} {
		slave, written := terminal(t)
		c := exec.CommandContext(t.Context(), program, strings.Fields("run -preset fig1-quick -runs 30 -o "+path+" "+flags)...)
		c.Stderr = slave
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
		text := written()
		if flags == "-quiet" {
			if text != "" {
				t.Errorf("-quiet: %q", text)
			}
			continue
		}
		if !regexp.MustCompile(`\d+ of 30 runs \[[=> ]*\].*%.* records/s.*left`).MatchString(text) || !strings.Contains(text, "5400 records, fingerprint ") {
			t.Errorf("the terminal shows %q", text)
		}
	}
	var stderr bytes.Buffer
	c := exec.CommandContext(t.Context(), program, "run", "-preset", "fig1-quick", "-o", path)
	c.Stderr = &stderr
	if err := c.Run(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v, and %q into a pipe", err, stderr.String())
	}
}
