package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Limits on what is read.
const (
	maxDocument    = 32 << 20 // bytes of a spec, a model or a prior
	maxLine        = 1 << 20  // bytes of a transition
	maxTransitions = 1 << 26
)

// open opens a file for reading; "-" is standard input. Messages use what, the
// contents that were expected, and name.
func (h *host) open(path, what string) (r io.ReadCloser, name string, err error) {
	if path == "-" {
		return io.NopCloser(h.stdin), "standard input", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, path, unreadable(path, what, err)
	}
	return f, path, nil
}

// unreadable says why a file cannot be read. It removes the path from the error,
// which names the file already.
func unreadable(name, what string, err error) error {
	if in, ok := errors.AsType[*fs.PathError](err); ok {
		err = in.Err
	}
	return badf(name, "%s was expected, but the file cannot be read: %w", what, err)
}

// readDocument reads a whole file that holds one JSON value of that kind, after which
// the flag is named. It returns the value, and the file's name for messages.
func readDocument[T any](h *host, kind, path string, decode func([]byte) (T, error)) (value T, name string, err error) {
	if path == "" {
		return value, "", badf("flags", "-%s FILE was expected", kind)
	}
	r, name, err := h.open(path, "a "+kind)
	if err != nil {
		return value, name, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	switch {
	case err != nil:
		return value, name, unreadable(name, "a "+kind, err)
	case len(data) > maxDocument:
		return value, name, badf(name, "a %s was expected, but the file is longer than %d MiB", kind, maxDocument>>20)
	case len(bytes.TrimSpace(data)) == 0:
		return value, name, badf(name, "a %s was expected, but the file is empty", kind)
	}
	value, err = decode(data)
	return value, name, in(name, err)
}

// place names a line of a file.
func place(name string, number int) string { return fmt.Sprintf("%s: line %d", name, number) }
