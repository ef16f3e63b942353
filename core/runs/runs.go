// Package runs keeps records: it says what of earlier work stays, what is computed again, and when something is whole.
// [Kept] is what earlier runs have left of one experiment. A [Folder] holds the records of a sweep, and a [Shard] is the
// part of its settings that one program computes. Where the files are, a [Folder]'s [Files] know: on a disk, or in memory.
//
// Whatever ends a program, between any two writes, what was whole stays, and nothing is taken for whole that is not: a file
// of a sweep appears when it is whole, and the manifest of a shard, which has the SHA-256 of each, is written last. An error
// about a file is a *[strict.InputError].
//
// # Goroutines
//
// [Kept], [Folder] and [Shard] belong to one goroutine at a time. They start workers by package jobs, which call the methods
// of [Files] at the same time.
package runs

import (
	"io"

	"cpsrl/core/strict"
)

// File is a file that is read. It stays what it was when it was opened, also if another takes its name.
type File interface {
	io.ReadSeekCloser
	io.ReaderAt
	Name() string // for messages
	// Remove removes the file, unless its name is another file's by now, or another program has it in use; if it is sure,
	// also if that cannot be told. It reports whether the file is closed now, as one is that was removed.
	Remove(sure bool) (closed bool)
}

// Output is a file that is written. It has its name when it is whole, so that nobody reads a part of it.
type Output interface {
	io.Writer
	// Commit closes the file, gives it its name, and returns the first error of it or of a write. It replaces an earlier file.
	Commit() error
	// CommitNew is Commit for a file that must not replace another: the error is then fs.ErrExist.
	CommitNew() error
	// Discard removes what was written. After a commit it does nothing.
	Discard()
}

// Files are the files of a folder, by their names in it. The errors of its methods are for the user.
type Files interface {
	// Name returns the name of a file for messages and lists, or that of the folder for "".
	Name(of string) string
	// Make makes the folder, unless it is there.
	Make() error
	// Open opens a file. It returns nil if there is none. What is there and cannot be read, as a folder or a pipe, is an
	// error, which says that what was expected.
	Open(name, what string) (File, error)
	// Has reports whether there is a file of that name.
	Has(name string) bool
	// Target returns the full name of the file that Create writes: where links lead, if the name is one.
	Target(name string) (string, error)
	// Create begins to write a file.
	Create(name string) (Output, error)
	// Sync makes the names of the files last when the power fails, where that is possible.
	Sync()
}

// What is expected in messages.
const (
	aRecordsFile = "a records file"
	aManifest    = "the manifest of a sweep"
)

// write writes a whole file.
func write(files Files, name string, data []byte) error {
	out, err := files.Create(name)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := out.Write(data); err != nil {
		return err
	}
	return out.Commit()
}

// readManifest reads a manifest. It returns nil if there is none.
func readManifest(files Files, name string) ([]byte, error) {
	f, err := files.Open(name, aManifest)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, strict.Unreadable(files.Name(name), aManifest, err)
	}
	return append([]byte{}, data...), nil
}

// named adds the name of a file to an error. The error nil stays nil.
func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return &strict.InputError{Name: name, Err: err}
}
