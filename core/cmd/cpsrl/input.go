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
	var in *fs.PathError
	if errors.As(err, &in) {
		err = in.Err
	}
	return badf(name, "%s was expected, but the file cannot be read: %w", what, err)
}

// document reads a whole file that holds one JSON value.
func (h *host) document(path, what string) (data []byte, name string, err error) {
	r, name, err := h.open(path, what)
	if err != nil {
		return nil, name, err
	}
	defer r.Close()
	data, err = io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err != nil {
		return nil, name, unreadable(name, what, err)
	}
	if len(data) > maxDocument {
		return nil, name, badf(name, "%s was expected, but the file is longer than %d MiB", what, maxDocument>>20)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, name, badf(name, "%s was expected, but the file is empty", what)
	}
	return data, name, nil
}

// place names a line of a file.
func place(name string, number int) string { return fmt.Sprintf("%s: line %d", name, number) }
