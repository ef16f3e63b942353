package runs

import (
	"bytes"
	"errors"
)

var errOther = errors.New("this folder has another sweep than the first; the parts of one are read together")

// union are the files of several folders of one sweep, as machines without a shared disk write them. A file is the first folder's
// that has it: two that are whole are the same. What is written is written into the first.
type union struct {
	Files
	all []Files
}

// with returns the first folder that has a file, or the first of all.
func (u union) with(name string) Files {
	for _, files := range u.all {
		if files.Has(name) {
			return files
		}
	}
	return u.Files
}

func (u union) Name(of string) string                { return u.with(of).Name(of) }
func (u union) Has(name string) bool                 { return u.with(name).Has(name) }
func (u union) Open(name, what string) (File, error) { return u.with(name).Open(name, what) }

// joined returns the files of folders whose sweep is the same, with what they say of it; nil if a folder has none.
func joined(folders []Files) (files Files, run []byte, err error) {
	for i, folder := range folders {
		data, err := readManifest(folder, runFile)
		if err != nil || data == nil {
			return folder, nil, err
		}
		if i > 0 && !bytes.Equal(data, run) {
			return folder, nil, named(folder.Name(runFile), errOther)
		}
		run = data
	}
	if len(folders) == 1 {
		return folders[0], run, nil
	}
	return union{folders[0], folders}, run, nil
}
