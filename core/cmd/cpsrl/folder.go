package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/cheggaaa/pb/v3"

	"cpsrl/core/param"
	"cpsrl/core/runs"
	"cpsrl/core/sweep"
)

// openFolder reads the manifests of the folder of a sweep, or of the folders of its parts.
func (h *host) openFolder(paths ...string) (*runs.Folder, error) {
	folders := make([]runs.Files, len(paths))
	for i, path := range paths {
		if _, err := os.Stat(path); err == nil && !isFolder(path) {
			return nil, badf(path, "the folder of a sweep was expected")
		}
		folders[i] = &disk{h, path}
	}
	return runs.OpenFolder(folders...)
}

// beginSweep begins a folder, or goes on with one, and returns a shard of it. The name is that of the sweep, for messages.
func (h *host) beginSweep(d *disk, of *sweep.Run, name string, index, workers int) (*runs.Shard, error) {
	shard, err := runs.NewFolder(d, of).Shard(h.ctx, index, workers)
	if err != nil && h.ctx.Err() == nil {
		err = in(name, err)
	}
	if err == nil {
		err = h.hold()
	}
	if err == nil {
		err = shard.Begin()
	}
	return shard, err
}

// sweep computes a shard of a sweep into a folder.
func (h *host) sweep(path string, of *sweep.Run, name string, index, workers int) error {
	d := &disk{h, path}
	shard, err := h.beginSweep(d, of, name, index, workers)
	if err != nil {
		return err
	}
	d.sweepUp()
	done := func(n int) string { return fmt.Sprintf("%d of %s", n, param.Count(shard.Len(), "setting")) }
	var bar *pb.ProgressBar
	defer func() {
		if bar != nil {
			bar.Finish()
		}
	}()
	return shard.Compute(h.ctx, workers, runs.Watch{
		Remark: h.remark,
		Begin: func(cost float64, records, jobs int) {
			h.foretell(cost, min(workers, runtime.NumCPU(), jobs))
			bar = h.newBar(io.Discard, records, done(0))
		},
		Tick:  func() { bar.Increment() },
		Whole: func(n int) { bar.Set(doneKey, done(n)) },
	})
}

// missing prints the arrays of the shards that are not whole.
func (h *host) missing(path string, most int) error {
	f, err := h.openFolder(path)
	if err != nil {
		return err
	}
	shards, err := f.Missing(h.ctx, runtime.NumCPU())
	if err != nil {
		return err
	}
	text := ""
	for _, array := range sweep.Arrays(shards, most) {
		text += array + "\n"
	}
	return h.print([]byte(text))
}

// checked remarks how many files of a folder are not what they should be.
func (h *host) checked(f *runs.Folder) error {
	words, err := f.Wrong(h.ctx, runtime.NumCPU())
	if err != nil {
		return err
	}
	if n := len(words); n == 1 {
		h.remark(words[0])
	} else if n > 1 {
		h.remark(fmt.Sprintf("%s; and %s", words[0], param.Count(n-1, "other file")))
	}
	return nil
}
