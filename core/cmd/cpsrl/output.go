package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// output is the destination of a command's data. A regular file is written under
// another name in its folder and renamed by commit, so that a reader always finds
// it whole. Standard output and special files are written directly.
type output struct {
	w    io.Writer
	name string   // for messages
	file *os.File // nil for standard output
	temp string   // the path to rename from, if there is one
}

// create opens an output; "" and "-" are standard output.
func (h *host) create(path string) (*output, error) {
	if path == "" || path == "-" {
		return &output{w: h.stdout, name: "standard output"}, nil
	}
	mode := fs.FileMode(0o666)
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
		if err != nil {
			return nil, unwritable(path, err)
		}
		return &output{w: f, name: path, file: f}, nil
	case err == nil:
		// A file that may not be written must not be replaced either.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, unwritable(path, err)
		}
		f.Close()
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return nil, unwritable(path, err)
	}
	if err := h.hold(); err != nil { // a temporary file must not be left behind
		return nil, err
	}
	for {
		temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".cpsrl.%08x.tmp", rand.Uint32()))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, unwritable(path, err)
		}
		return &output{w: f, name: path, file: f, temp: temp}, nil
	}
}

// unwritable says that a file the user named cannot be written.
func unwritable(name string, err error) error {
	var in *fs.PathError
	if errors.As(err, &in) {
		err = in.Err
	}
	return badf(name, "the file cannot be written: %w", err)
}

// Write implements io.Writer. It does not buffer: each call is one write of the file.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		err = &writeError{o.name, err}
	}
	return n, err
}

// writeError is an error of writing.
type writeError struct {
	name string
	err  error
}

func (e *writeError) Error() string { return fmt.Sprintf("%s: writing failed: %v", e.name, e.err) }
func (e *writeError) Unwrap() error { return e.err }

// commit closes the output; a regular file gets its name.
func (o *output) commit() error {
	if o.file == nil {
		return nil
	}
	var err error
	if o.temp != "" {
		err = o.file.Sync()
	}
	if e := o.file.Close(); err == nil {
		err = e
	}
	o.file = nil
	if err == nil && o.temp != "" {
		err = os.Rename(o.temp, o.name)
	}
	if err != nil {
		o.remove()
		return &writeError{o.name, err}
	}
	return nil
}

// discard closes and removes an output that was not committed. After commit it does
// nothing.
func (o *output) discard() {
	if o.file != nil {
		o.file.Close()
		o.file = nil
		o.remove()
	}
}

func (o *output) remove() {
	if o.temp != "" {
		os.Remove(o.temp)
	}
}

// print writes one document to standard output, all of it or none.
func (h *host) print(document []byte) error {
	_, err := h.stdout.Write(document)
	if err != nil {
		return &writeError{"standard output", err}
	}
	return nil
}
