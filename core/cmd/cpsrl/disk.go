package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cpsrl/core/runs"
	"cpsrl/core/strict"
)

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// disk is a folder of a disk, for the records of a sweep.
type disk struct {
	h    *host
	path string
}

func (d *disk) Name(of string) string { return filepath.Join(d.path, of) }

func (d *disk) Make() error {
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return unwritable(d.path, d.path, err)
	}
	return nil
}

// Open opens a regular file. A link that leads nowhere is none. Anything else is refused: reading a pipe, for instance, need not
// end.
func (d *disk) Open(of, what string) (runs.File, error) {
	name := d.Name(of)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, badf(name, "%s was expected, and this is no file; remove it or choose another folder", what)
	}
	f, err := openFile(name)
	if err != nil {
		return nil, strict.Unreadable(name, what, err)
	}
	return f, nil
}

func (d *disk) Has(of string) bool {
	_, err := os.Stat(d.Name(of))
	return err == nil
}

func (d *disk) Target(of string) (string, error) {
	name := d.Name(of)
	target, _, err := aim(name)
	if err != nil {
		return "", unwritable(name, name, err)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(target))
	if err != nil {
		return "", unwritable(name, target, err)
	}
	return filepath.Join(folder, filepath.Base(target)), nil
}

func (d *disk) Create(of string) (runs.Output, error) {
	out, err := d.h.create(d.Name(of))
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Sync makes the names of the folder last when the power fails. Some systems cannot.
func (d *disk) Sync() {
	if f, err := os.Open(d.path); err == nil {
		f.Sync()
		f.Close()
	}
}

// sweepUp removes what commands that were killed have left: hidden files that no program has locked, and into which
// nothing was written for a day. (Some disks of clusters show locks only on the machine that has them.)
func (d *disk) sweepUp() {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if is, _ := filepath.Match(".cpsrl.????????.tmp", entry.Name()); !is {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > 24*time.Hour {
			removeUnused(d.Name(entry.Name()), info, true)
		}
	}
}

// readFile is a file that is open for reading. It remains the same if another program replaces it.
type readFile struct {
	*os.File
	info os.FileInfo
}

func openFile(name string) (*readFile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &readFile{f, info}, nil
}

func (f *readFile) Remove(sure bool) (closed bool) {
	if !renamesOpen {
		f.Close()
	}
	removed := removeUnused(f.Name(), f.info, sure)
	if removed {
		f.Close()
	}
	return removed || !renamesOpen
}

// removeUnused removes a file unless another program has it in use. Sure leaves it, too, if that cannot be told.
func removeUnused(name string, is os.FileInfo, sure bool) bool {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !os.SameFile(info, is) {
		return false // the name is another file's by now
	}
	if held, err := tryLock(f); held || sure && err != nil {
		return false
	}
	if !renamesOpen {
		f.Close()
	}
	return os.Remove(name) == nil
}

// partials returns the partial files beside a file, in the order of their numbers.
func partials(path string) (names []string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	numbers := map[string]int{}
	for _, entry := range entries {
		name := filepath.Join(filepath.Dir(path), entry.Name())
		text, is := strings.CutPrefix(entry.Name(), filepath.Base(partialName(path, 1)))
		n, err := strconv.Atoi(cmp.Or(text, "1"))
		if info, wrong := os.Stat(name); is && err == nil && filepath.Base(partialName(path, n)) == entry.Name() && wrong == nil && info.Mode().IsRegular() {
			names = append(names, name)
			numbers[name] = n
		}
	}
	slices.SortFunc(names, func(a, b string) int { return numbers[a] - numbers[b] })
	return names
}
