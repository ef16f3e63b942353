package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// maxDocument is the size in bytes of the largest spec, model or prior that is read.
const maxDocument = 32 << 20

// The names of the standard streams in messages.
const (
	standardInput  = "standard input"
	standardOutput = "standard output"
)

// open opens a file for reading; "-" is standard input. It returns the file's name for
// messages. Its error says that what, such as "a spec", was expected.
func (h *host) open(path, what string) (r io.ReadCloser, name string, err error) {
	if path == "-" {
		h.reads(h.stdin, standardInput)
		return io.NopCloser(h.stdin), standardInput, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, path, unreadable(path, what, err)
	}
	h.reads(f, path)
	return f, path, nil
}

// input is a regular file that the command reads.
type input struct {
	os.FileInfo
	name string // for messages
}

// reads remembers what the command reads, if it is a regular file.
func (h *host) reads(r io.Reader, name string) {
	if info := regular(r); info != nil {
		h.inputs = append(h.inputs, input{info, name})
	}
}

// regular describes a regular file. It returns nil for anything else.
func regular(v any) os.FileInfo {
	f, ok := v.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return info
	}
	return nil
}

// spare returns an error if an output is a file that the command reads, under whatever
// name: writing would destroy it.
func (h *host) spare(info os.FileInfo, name string) error {
	for _, in := range h.inputs {
		switch {
		case info == nil || !os.SameFile(info, in.FileInfo):
		case in.name == name:
			return badf(name, "the file is read; the output must be another one")
		default:
			return badf(name, "this is the file that is read as %s; the output must be another one", in.name)
		}
	}
	return nil
}

// unreadable returns the error of a file that cannot be read. It removes the path from err,
// because the message begins with the name.
func unreadable(name, what string, err error) error {
	if in, ok := errors.AsType[*fs.PathError](err); ok {
		err = in.Err
	}
	return badf(name, "%s was expected, but the file cannot be read: %w", what, err)
}

// readDocument reads a file with one JSON value, such as a model. The kind of the value is also the
// name of its flag. readDocument returns the value, and the file's name for messages.
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

// place returns the name of a line of a file.
func place(name string, number int) string { return fmt.Sprintf("%s: line %d", name, number) }

// output is the destination of a command's data. A regular file is written under
// another name in its folder and renamed by commit, so a reader never finds a part of it.
// Standard output and special files are written directly.
type output struct {
	w     io.Writer
	name  string   // for messages
	file  *os.File // nil for standard output
	temp  string   // the path to rename from, or ""
	whole int64    // the bytes of the writes without an error
	err   error    // the first error of writing
}

// create opens an output; "" and "-" are standard output. It refuses a file that the command
// reads; a command therefore opens all its inputs first.
func (h *host) create(path string) (*output, error) {
	if path == "" || path == "-" {
		return &output{w: h.stdout, name: standardOutput}, h.spare(regular(h.stdout), standardOutput)
	}
	if info, err := os.Stat(path); err == nil {
		if err := h.spare(info, path); err != nil {
			return nil, err
		}
	}
	mode, replaced := fs.FileMode(0o666), false
	if info, err := os.Lstat(path); err == nil {
		how := os.O_WRONLY // to check: a file that may not be written must not be replaced
		if !info.Mode().IsRegular() {
			how |= os.O_CREATE | os.O_TRUNC
		}
		f, err := os.OpenFile(path, how, mode)
		if err != nil {
			return nil, unwritable(path, err)
		}
		if !info.Mode().IsRegular() {
			return &output{w: f, name: path, file: f}, nil
		}
		f.Close()
		mode, replaced = info.Mode().Perm(), true
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, unwritable(path, err)
	}
	if err := h.hold(); err != nil { // a temporary file must not be left behind
		return nil, err
	}
	for {
		temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".cpsrl.%08x.tmp", rand.Uint32()))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		switch {
		case err == nil:
			if replaced {
				f.Chmod(mode) // whatever the umask is; some file systems cannot, and have no modes to keep
			}
			return &output{w: f, name: path, file: f, temp: temp}, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, unwritable(path, err)
		}
	}
}

// unwritable returns the error of a file that cannot be written.
func unwritable(name string, err error) error {
	if in, ok := errors.AsType[*fs.PathError](err); ok {
		err = in.Err
	}
	return badf(name, "the file cannot be written: %w", err)
}

// Write implements io.Writer. It does not buffer: each call is one write to the
// file. After an error it writes nothing more.
func (o *output) Write(p []byte) (n int, err error) {
	if o.err == nil {
		if n, err = o.w.Write(p); err == nil {
			o.whole += int64(n)
		}
		o.fail(err)
	}
	return n, o.err
}

// fail keeps the first error of writing.
func (o *output) fail(err error) {
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("%s: writing failed: %w", o.name, err)
	}
}

// commit closes the output and returns the first error. If there is none, a regular file
// gets its name.
func (o *output) commit() error {
	if o.file == nil || o.err != nil {
		return o.err
	}
	if o.temp != "" {
		o.fail(o.file.Sync())
	}
	o.fail(o.file.Close())
	if o.temp != "" && o.err == nil {
		o.fail(os.Rename(o.temp, o.name))
	}
	if o.err == nil {
		o.file = nil
	}
	return o.err
}

// keep closes an output that has ended too early, and returns the name of the file that
// holds its whole writes. A regular file does not replace another one; it gets the first free
// name of those with .partial, .partial2 and so on behind it.
func (o *output) keep() string {
	if o.temp == "" {
		o.commit()
		return o.name
	}
	name, taken := o.name, func(name string) bool {
		_, err := os.Lstat(name)
		return err == nil
	}
	for k := 1; taken(name); k++ {
		name = partialName(o.name, k)
	}
	o.file.Truncate(o.whole) // a full disk may have torn the last write
	o.file.Sync()
	o.file.Close()
	o.file = nil
	if os.Rename(o.temp, name) != nil {
		return o.temp
	}
	return name
}

// discard closes and removes an output that was neither committed nor kept. After commit or
// keep it does nothing.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	o.file.Close()
	if o.temp != "" {
		os.Remove(o.temp)
	}
	o.file = nil
}

// print writes one document to standard output.
func (h *host) print(document []byte) error { return h.write("-", document) }

// stream writes to standard output what the function writes, piece by piece.
func (h *host) stream(write func(io.Writer) error) error {
	out, err := h.create("-")
	if err != nil {
		return err
	}
	buffer := bufio.NewWriterSize(out, 64<<10)
	if err := write(buffer); err != nil {
		return err
	}
	return cmp.Or(buffer.Flush(), out.commit())
}
