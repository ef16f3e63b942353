package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
)

// Limits on what is read.
const (
	maxDocument = 32 << 20 // bytes of a spec, a model, a prior or the header of a records file
	maxLine     = 1 << 20  // bytes of any other line
)

// open opens a file for reading; "-" is standard input. What it should hold and
// the name are for messages.
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

// unreadable says why a file cannot be read, without naming it twice.
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

// line is one line of a JSON Lines file, with its newline if it has one.
type line struct {
	number int
	bytes  []byte // valid until the next
}

// lines yields the lines of a JSON Lines file that are not blank. The first may
// be as long as a document, the others have at most maxLine bytes.
func lines(r io.Reader, name, what string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		b := bufio.NewReaderSize(r, 1<<16)
		var buffer []byte
		for number := 1; ; number++ {
			most := maxLine
			if number == 1 {
				most = maxDocument
			}
			var err error
			buffer, err = readLine(b, buffer[:0], most)
			switch {
			case errors.Is(err, errLong):
				yield(line{}, badf(place(name, number), "%s was expected, but the line is longer than %d MiB", what, most>>20))
				return
			case err != nil && err != io.EOF:
				yield(line{}, unreadable(name, what, err))
				return
			}
			if len(bytes.TrimSpace(buffer)) > 0 && !yield(line{number, buffer}, nil) || err == io.EOF {
				return
			}
		}
	}
}

var errLong = errors.New("line too long")

// readLine appends one line to dst, its newline included.
func readLine(b *bufio.Reader, dst []byte, most int) ([]byte, error) {
	for {
		part, err := b.ReadSlice('\n')
		dst = append(dst, part...)
		if len(dst) > most {
			return dst, errLong
		}
		if err != bufio.ErrBufferFull {
			return dst, err
		}
	}
}

// place names a line of a file.
func place(name string, number int) string { return fmt.Sprintf("%s: line %d", name, number) }
