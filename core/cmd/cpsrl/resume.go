package main

import (
	"errors"
	"io/fs"
	"os"

	"cpsrl/core/experiment"
	"cpsrl/core/runs"
	"cpsrl/core/strict"
)

// kept is what earlier runs have left of an experiment.
type kept = runs.Kept

// kept reads what a file and the partial files beside it hold of an experiment.
func (h *host) kept(path string, e *experiment.Experiment) (*kept, error) {
	const what = "a records file"
	if path == "" || path == "-" {
		return &kept{}, badf("flag -resume", "-o FILE was expected, to go on where the file ends")
	}
	target, opened, err := aim(path)
	if err != nil {
		return &kept{}, strict.Unreadable(path, what, err)
	}
	var file runs.File
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case opened || err == nil && !info.Mode().IsRegular():
		return &kept{}, badf(path, "only a regular file can be resumed")
	default:
		f, err := openFile(path)
		if err != nil {
			return &kept{}, strict.Unreadable(path, what, err)
		}
		file = f
	}
	var beside []runs.File
	for _, name := range partials(target) {
		if f, err := openFile(name); err == nil {
			beside = append(beside, f)
		}
	}
	k, err := runs.Keep(e, "the flags", file, beside)
	if err != nil {
		k.Close()
	}
	return k, err
}
