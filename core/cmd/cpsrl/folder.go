package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cpsrl/core/param"
	"cpsrl/core/sweep"
)

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// folder is a folder with the records of a sweep.
type folder struct {
	path string
	run  *sweep.Run
}

// The names of the manifests.
const runName = "run.json"

func shardName(index int) string { return fmt.Sprintf("shard-%d.json", index) }

func (f *folder) name(of string) string { return filepath.Join(f.path, of) }

// file returns the name of a setting's records.
func (f *folder) file(t *sweep.Setting) string { return f.name(t.ID + ".jsonl") }

// openFolder reads the manifest of a folder.
func (h *host) openFolder(path string) (*folder, error) {
	name := filepath.Join(path, runName)
	if _, err := os.Stat(path); err == nil && !isFolder(path) {
		return nil, badf(path, "the folder of a sweep was expected")
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, badf(path, `there is no sweep in this folder ("cpsrl sweep" computes one)`)
	} else if err != nil {
		return nil, unreadable(name, "the manifest of a sweep", err)
	}
	run, err := sweep.DecodeRun(data)
	return &folder{path, run}, in(name, err)
}

// list returns the files and values of all settings as CSV.
func (f *folder) list() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(append([]string{"file"}, f.run.Sweep.Columns()...))
	for t := range f.run.Sweep.Settings() {
		file := ""
		if t.Err == nil {
			file = f.file(t)
		}
		w.Write(append([]string{file}, t.Texts...))
	}
	w.Flush()
	return b.Bytes()
}

// begin makes the folder and its manifest, or checks the one that is there. A manifest of fewer settings is replaced.
func (h *host) begin(f *folder, ids map[string]bool) error {
	if err := os.MkdirAll(f.path, 0o777); err != nil {
		return unwritable(f.path, err)
	}
	data, name := f.run.Encode(), f.name(runName)
	for {
		have, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			out, err := h.create(name)
			if err != nil {
				return err
			}
			out.Write(data) // commitNew returns the error
			if err := out.commitNew(); !errors.Is(err, fs.ErrExist) {
				return err
			}
			continue // another shard was first
		}
		if err != nil {
			return unreadable(name, "the manifest of a sweep", err)
		}
		if bytes.Equal(have, data) {
			return nil
		}
		before, err := sweep.DecodeRun(have)
		switch {
		case err != nil:
			return in(name, err)
		case before.Engine != f.run.Engine:
			return badf(name, "the folder holds records of engine %d, and this is engine %d; choose another folder", before.Engine, f.run.Engine)
		case before.Shards != f.run.Shards:
			return badf(name, "the folder's sweep is in %s, and not in %d; choose another folder", param.Count(before.Shards, "shard"), f.run.Shards)
		}
		for t := range before.Sweep.Settings() {
			if !ids[t.ID] {
				return badf(name, "the folder is of another sweep: its setting %s is not in this one; choose another folder", strings.Join(t.Texts, ", "))
			}
		}
		return h.write(name, data)
	}
}

// commitNew is commit for a file that must not replace another: the error is then fs.ErrExist.
func (o *output) commitNew() error {
	defer o.discard()
	if o.err != nil {
		return o.err
	}
	o.fail(o.file.Sync())
	if o.err != nil {
		return o.err
	}
	err := os.Link(o.temp, o.name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return o.commit() // a file system without links
}

// missing prints the arrays of the shards that are not whole.
func (h *host) missing(path string, most int) error {
	f, err := h.openFolder(path)
	if err != nil {
		return err
	}
	digest := f.run.Sweep.Digest()
	ids := map[int][]string{} // by shard
	for t := range f.run.Sweep.Settings() {
		k := sweep.Shard(t.ID, f.run.Shards)
		ids[k] = append(ids[k], t.ID)
	}
	var shards []int
	for k, of := range ids {
		if !f.whole(k, digest, of) {
			shards = append(shards, k)
		}
	}
	slices.Sort(shards)
	text := ""
	for _, array := range sweep.Arrays(shards, most) {
		text += array + "\n"
	}
	return h.print([]byte(text))
}

// whole reports whether a shard has written its manifest and its files are there.
func (f *folder) whole(shard int, digest string, ids []string) bool {
	data, err := os.ReadFile(f.name(shardName(shard)))
	if err != nil {
		return false
	}
	c, err := sweep.DecodeCompletion(data)
	if err != nil || c.Sweep != digest || c.Shard != shard || c.Shards != f.run.Shards {
		return false
	}
	settled := map[string]bool{}
	for _, t := range c.Impossible {
		settled[t.ID] = true
	}
	for _, t := range c.Settings {
		info, err := os.Stat(f.name(t.ID + ".jsonl"))
		settled[t.ID] = err == nil && info.Mode().IsRegular() && info.Size() > 0
	}
	return !slices.ContainsFunc(ids, func(id string) bool { return !settled[id] })
}

// impossible returns the IDs of the settings that shards could not run.
func (f *folder) impossible(settings []*sweep.Setting) map[string]bool {
	shards, ids := map[int]bool{}, map[string]bool{}
	for _, t := range settings {
		k := sweep.Shard(t.ID, f.run.Shards)
		if shards[k] {
			continue
		}
		shards[k] = true
		data, err := os.ReadFile(f.name(shardName(k)))
		if err != nil {
			continue
		}
		if c, err := sweep.DecodeCompletion(data); err == nil {
			for _, t := range c.Impossible {
				ids[t.ID] = true
			}
		}
	}
	return ids
}
