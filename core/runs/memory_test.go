package runs_test

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"

	"cpsrl/core/runs"
)

// memory is a folder in memory that has some steps left: when none is, the power is gone.
type memory struct {
	files map[string][]byte
	steps int // how many have been made
	most  int
	made  []string // the names that were created, in their order
}

func newMemory() *memory { return &memory{files: map[string][]byte{}, most: 1 << 30} }

// powerLoss is what step panics with.
type powerLoss struct{}

func (m *memory) step() {
	if m.steps == m.most {
		panic(powerLoss{})
	}
	m.steps++
}

// withPower calls do with so many steps, and reports whether they were enough.
func (m *memory) withPower(steps int, do func()) (enough bool) {
	m.steps, m.most, m.made = 0, steps, nil
	defer func() {
		if failed := recover(); failed != nil && failed != (powerLoss{}) {
			panic(failed)
		}
	}()
	do()
	return true
}

func (m *memory) Name(of string) string { return "folder/" + of }
func (m *memory) Make() error           { m.step(); return nil }
func (m *memory) Sync()                 { m.step() }

func (m *memory) Has(name string) bool {
	_, is := m.files[name]
	return is
}

func (m *memory) Target(name string) (string, error) { return m.Name(name), nil }

func (m *memory) Open(name, _ string) (runs.File, error) {
	if !m.Has(name) {
		return nil, nil
	}
	return &memoryFile{bytes.NewReader(m.files[name]), m, name}, nil
}

func (m *memory) Create(name string) (runs.Output, error) {
	m.step()
	m.made = append(m.made, name)
	return &memoryOutput{m: m, name: name}, nil
}

// names returns the names of the files.
func (m *memory) names() []string { return slices.Sorted(maps.Keys(m.files)) }

// memoryFile is a file that is read.
type memoryFile struct {
	*bytes.Reader
	m    *memory
	name string
}

func (f *memoryFile) Name() string { return f.m.Name(f.name) }
func (f *memoryFile) Close() error { return nil }

func (f *memoryFile) Remove(bool) bool {
	f.m.step()
	delete(f.m.files, f.name)
	return true
}

// memoryOutput is a file that is written.
type memoryOutput struct {
	bytes.Buffer
	m    *memory
	name string
}

func (o *memoryOutput) Write(p []byte) (int, error) {
	o.m.step()
	return o.Buffer.Write(p)
}

func (o *memoryOutput) Commit() error {
	o.m.step()
	o.m.files[o.name] = bytes.Clone(o.Bytes())
	return nil
}

func (o *memoryOutput) CommitNew() error {
	if o.m.Has(o.name) {
		return fs.ErrExist
	}
	return o.Commit()
}

func (o *memoryOutput) Discard() {}
