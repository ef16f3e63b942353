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
	"strings"

	"cpsrl/core/strict"
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
		return nil, path, strict.Unreadable(path, what, err)
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
		return value, name, strict.Unreadable(name, "a "+kind, err)
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
// another name in its folder and renamed by commit, so a reader never finds a part of it; if the
// file has other names (hard links), these keep what it was. A symbolic link stays, and the file
// to which it leads is written so. Standard output and special files are written directly.
type output struct {
	w     io.Writer
	name  string   // for messages
	path  string   // the file that commit makes: the name, or where its links lead
	file  *os.File // nil for standard output
	temp  string   // the path to rename from, or ""
	whole int64    // the bytes of the writes without an error
	err   error    // the first error of writing
}

// create opens an output; "" and "-" are standard output. It refuses a file that the command
// reads; a command therefore opens all its inputs first.
func (h *host) create(path string) (*output, error) { return h.createAs(path, hiddenName) }

// createRecords is create for records, which take long to compute. Until a regular file is whole, it
// has the first free name of those with .partial, .partial2 and so on behind its own, so that they are found whatever
// ends the program.
func (h *host) createRecords(path string) (*output, error) { return h.createAs(path, partialName) }

// hiddenName returns a name in the folder of a file that is whole soon.
func hiddenName(path string, _ int) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".cpsrl.%08x.tmp", rand.Uint32()))
}

// partialName returns the name of records beside a file that is not whole yet, the k-th from 1.
func partialName(path string, k int) string {
	if k == 1 {
		return path + ".partial"
	}
	return fmt.Sprintf("%s.partial%d", path, k)
}

// createAs is create with the k-th name that a regular file may have until it is whole.
func (h *host) createAs(path string, naming func(path string, k int) string) (*output, error) {
	if path == "" || path == "-" {
		return &output{w: h.stdout, name: standardOutput}, h.spare(regular(h.stdout), standardOutput)
	}
	info, err := os.Stat(path)
	if err == nil {
		err = h.spare(info, path)
	} else if errors.Is(err, fs.ErrNotExist) {
		info, err = nil, nil
	} else {
		err = unwritable(path, path, err)
	}
	if err != nil {
		return nil, err
	}
	target, opened, err := aim(path)
	if err != nil {
		return nil, unwritable(path, path, err)
	}
	mode := fs.FileMode(0o666)
	if info != nil {
		how := os.O_WRONLY // to check: a file that may not be written must not be replaced
		if opened {
			how |= os.O_APPEND // what it holds, others have written
		}
		f, err := os.OpenFile(path, how, mode)
		if err != nil {
			return nil, unwritable(path, target, err)
		}
		if opened || !info.Mode().IsRegular() {
			return &output{w: f, name: path, path: path, file: f}, nil
		}
		f.Close()
		mode = info.Mode().Perm()
	}
	if err := h.hold(); err != nil { // a temporary file must not be left behind
		return nil, err
	}
	for k := 1; ; k++ {
		temp := naming(target, k)
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		switch {
		case err == nil:
			// Where the file system has locks, others see that the file is in use, and they may have been faster.
			if held, _ := tryLock(f); held || !named(f, temp) {
				f.Close()
				continue
			}
			if info != nil {
				f.Chmod(mode) // whatever the umask is; some file systems cannot, and have no modes to keep
			}
			return &output{w: f, name: path, path: target, file: f, temp: temp}, nil
		case errors.Is(err, fs.ErrExist):
		case k == 1 && len(filepath.Base(temp)) > len(filepath.Base(hiddenName(target, k))):
			naming = hiddenName // the name may be too long
		default:
			return nil, unwritable(path, target, err)
		}
	}
}

// named reports whether a file has the name.
func named(f *os.File, name string) bool {
	a, err := f.Stat()
	b, wrong := os.Stat(name)
	return err == nil && wrong == nil && os.SameFile(a, b)
}

// aim follows the symbolic links of an output to the file to write, which need not be there: a link that leads nowhere
// leads to the file that will be there. Opened says that this is a file which a process has open, as /dev/stdout leads
// to one, so that it must not be replaced.
func aim(path string) (target string, opened bool, err error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, false, nil // no link; else opening it says what is wrong
		}
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		switch {
		case err != nil:
			return "", false, err
		case strings.HasPrefix(folder, "/proc/"):
			return path, true, nil
		case !filepath.IsAbs(to):
			to = folder + string(filepath.Separator) + to
		}
		path = to
	}
	return "", false, errors.New("too many links lead to each other")
}

// unwritable returns the error of a file that cannot be written, or of a link to it.
func unwritable(name, target string, err error) error {
	if in, ok := errors.AsType[*fs.PathError](err); ok {
		err = in.Err
	}
	if target != name {
		return badf(name, "the file cannot be written, because the link leads to %s: %w", target, err)
	}
	return badf(name, "the file cannot be written: %w", err)
}

// claim renames a file unless the name is taken. The error is then fs.ErrExist.
func claim(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		os.Remove(from)
	} else if _, taken := os.Lstat(to); taken == nil {
		err = fs.ErrExist
	} else if !errors.Is(err, fs.ErrExist) { // a file system without links
		err = os.Rename(from, to)
	}
	return err
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

// Commit closes the output and returns the first error. If there is none, a regular file
// gets its name.
func (o *output) Commit() error {
	if o.file == nil || o.err != nil {
		return o.err
	}
	if o.temp == "" {
		o.fail(o.file.Close())
	} else if o.fail(o.file.Sync()); renamesOpen {
		// The file stays locked until it has its name.
		if o.err == nil {
			o.fail(os.Rename(o.temp, o.path))
		}
		if o.err == nil {
			o.file.Close()
		}
	} else {
		o.fail(o.file.Close())
		if o.err == nil {
			o.fail(os.Rename(o.temp, o.path))
		}
	}
	if o.err == nil {
		o.file = nil
	}
	return o.err
}

// CommitNew is Commit for a file that must not replace another: the error is then fs.ErrExist.
func (o *output) CommitNew() error {
	defer o.Discard()
	if o.temp == "" {
		return o.Commit()
	}
	if o.fail(o.file.Sync()); o.err != nil {
		return o.err
	}
	return claim(o.temp, o.path)
}

// keep closes an output that has ended too early, and returns the name of the file that
// holds its whole writes. A regular file does not replace another one; if its name is taken, it has the name that it
// had while it was written.
func (o *output) keep() string {
	if o.temp == "" {
		o.Commit()
		return o.name
	}
	o.file.Truncate(o.whole) // a full disk may have torn the last write
	o.file.Sync()
	o.file.Close()
	o.file = nil
	if claim(o.temp, o.path) != nil {
		return o.temp
	}
	return o.name
}

// Discard closes and removes an output that was neither committed nor kept. After Commit or
// keep it does nothing.
func (o *output) Discard() {
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
	return cmp.Or(buffer.Flush(), out.Commit())
}
