package runs

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"cpsrl/core/cells"
	"cpsrl/core/experiment"
	"cpsrl/core/jobs"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/core/sweep"
)

// Folder is a folder with the records of a sweep: a file for each setting, and manifests.
type Folder struct {
	Run    *sweep.Run
	files  Files
	shards map[int]*manifest // that have been read
}

// manifest is what the manifest of a shard says. One that is not there says nothing.
type manifest struct {
	current    bool              // whether it is of this sweep, and not of one that was shorter
	hash       map[string]string // of the files, by the ID of their setting
	impossible map[string]bool   // the IDs of settings that cannot run
	wrong      bool              // whether there is a file that is no manifest of this shard
	err        error             // why it cannot be read
}

// The names of the files in a folder.
const runFile = "run.json"

func shardFile(index int) string          { return fmt.Sprintf("shard-%d.json", index) }
func recordsFile(t *sweep.Setting) string { return t.ID + ".jsonl" }

// NewFolder returns a folder for the records of a sweep. It reads and writes nothing.
func NewFolder(files Files, run *sweep.Run) *Folder {
	return &Folder{Run: run, files: files, shards: map[int]*manifest{}}
}

// OpenFolder reads the manifests of a folder, or of several that have parts of one sweep: a file is the first folder's that has it.
func OpenFolder(folders ...Files) (*Folder, error) {
	files, data, err := joined(folders)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, strict.Input(files.Name(""), `there is no sweep in this folder ("cpsrl sweep" computes one)`)
	}
	run, err := sweep.DecodeRun(data)
	if err == nil && run.Engine > record.Engine {
		err = strict.Invalid("/engine", "the records are of engine version %d; this is version %d", run.Engine, record.Engine)
	}
	if err != nil {
		return nil, named(files.Name(runFile), err)
	}
	f := NewFolder(files, run)
	for shard := range run.Shards {
		f.read(shard)
	}
	return f, nil
}

// read reads the manifest of a shard.
func (f *Folder) read(shard int) {
	data, err := readManifest(f.files, shardFile(shard))
	if err != nil {
		f.shards[shard] = &manifest{err: err}
	}
	if data == nil {
		return
	}
	m := &manifest{hash: map[string]string{}, impossible: map[string]bool{}}
	f.shards[shard] = m
	c, err := sweep.DecodeCompletion(data)
	if m.wrong = err != nil || c.Shard != shard || c.Shards != f.Run.Shards; m.wrong {
		return
	}
	m.current = c.Sweep == f.Run.Sweep.Digest()
	for _, t := range c.Settings {
		m.hash[t.ID] = t.Hash
	}
	for _, t := range c.Impossible {
		m.impossible[t.ID] = true
	}
}

// of returns the manifest of a setting's shard, and its name for messages.
func (f *Folder) of(t *sweep.Setting) (*manifest, string) {
	shard := sweep.Shard(t.ID, f.Run.Shards)
	m := f.shards[shard]
	if m == nil {
		m = &manifest{}
	}
	return m, f.files.Name(shardFile(shard))
}

// hash returns the SHA-256 of a setting's file by the manifest of its shard, or "".
func (f *Folder) hash(t *sweep.Setting) string {
	m, _ := f.of(t)
	return m.hash[t.ID]
}

// vouched reports whether the manifest of a setting's shard is one of the whole sweep that names the setting's file or, if
// it has none, says that it cannot run.
func (f *Folder) vouched(t *sweep.Setting, there bool) bool {
	m, _ := f.of(t)
	return m.current && (there && m.hash[t.ID] != "" || !there && m.impossible[t.ID])
}

// name returns the name of a setting's records for messages and lists.
func (f *Folder) name(t *sweep.Setting) string { return f.files.Name(recordsFile(t)) }

// other is what is wrong with the records of something else in the place of a setting's.
const other = "the file holds other records than those of its setting"

// holds reports whether records are those of a setting in the folder, by their header.
func (f *Folder) holds(h *experiment.Header, t *sweep.Setting) bool {
	return h.Engine == f.Run.Engine && bytes.Equal(spec.Encode(h.Spec), spec.Encode(t.Spec))
}

// found is what a folder holds in the place of a setting's records.
type found struct {
	hash  string // of the file as the engine writes it, if it is whole
	wrong string // what is wrong with it, or ""
	err   error
}

// find looks for the records of a setting. If the manifest of its shard names their file, they must be those, but they
// may be written in another way. Records of something else are an error.
func (f *Folder) find(ctx context.Context, t *sweep.Setting) found {
	const torn, damaged = "was not whole", "was damaged"
	name, hash := f.name(t), f.hash(t)
	file, err := f.files.Open(recordsFile(t), aRecordsFile)
	if file == nil || err != nil {
		return found{err: err}
	}
	defer file.Close()
	sum := sha256.New()
	again := func() error {
		sum.Reset()
		_, err := file.Seek(0, io.SeekStart)
		return err
	}
	if hash != "" {
		if _, err := io.Copy(sum, file); err != nil {
			return found{err: strict.Unreadable(name, aRecordsFile, err)}
		}
		if hex.EncodeToString(sum.Sum(nil)) == hash {
			return found{hash: hash}
		}
		if err := again(); err != nil {
			return found{err: strict.Unreadable(name, aRecordsFile, err)}
		}
	}
	reader, err := results.NewReader(file)
	if err == nil && !f.holds(reader.Header, t) {
		// It may still be this setting's, with a damaged header.
		e, err := experiment.Open(t.Spec)
		if err == nil {
			err = again()
		}
		if err == nil && hash != "" {
			sum.Write(f.header(e))
			rest := bufio.NewReader(file)
			for err = bufio.ErrBufferFull; err == bufio.ErrBufferFull; {
				_, err = rest.ReadSlice('\n')
			}
			io.Copy(sum, rest)
		}
		if err == nil && hex.EncodeToString(sum.Sum(nil)) == hash {
			return found{wrong: damaged}
		}
		return found{err: strict.Input(name, other+"; remove it or choose another folder")}
	}
	if err == nil {
		sum.Write(experiment.AppendHeader(nil, reader.Header))
		for line, wrong := range reader.All() {
			if err = cmp.Or(wrong, context.Cause(ctx)); err != nil {
				break
			}
			sum.Write(line.Lines)
		}
	}
	_, malformed := errors.AsType[*strict.LineError](err)
	written := hex.EncodeToString(sum.Sum(nil))
	switch {
	case ctx.Err() != nil:
		return found{err: context.Cause(ctx)}
	case malformed || err == nil && !reader.Whole():
		return found{wrong: torn}
	case err != nil:
		return found{err: strict.Unreadable(name, aRecordsFile, err)}
	case hash != "" && written != hash, hash == "" && !bytes.Equal(experiment.AppendHeader(nil, reader.Header), f.header(reader.Experiment)):
		return found{wrong: damaged}
	}
	return found{hash: written}
}

// header returns the header of an experiment's records in the folder.
func (f *Folder) header(e *experiment.Experiment) []byte {
	h := *e.Header()
	h.Engine = f.Run.Engine
	return experiment.AppendHeader(nil, &h)
}

// List returns the files and values of all settings as CSV.
func (f *Folder) List() []byte {
	var list cells.Table
	list.Text("file").Text(f.Run.Sweep.Columns()...).End()
	for t := range f.Run.Sweep.Settings() {
		file := ""
		if t.Err == nil {
			file = f.name(t)
		}
		list.Text(file).Text(t.Texts...).End()
	}
	return list.Bytes
}

// begin makes the folder and its manifest, or checks the one that is there. A manifest of fewer settings is replaced: ids are
// those of all settings.
func (f *Folder) begin(ids map[string]bool) error {
	if err := f.files.Make(); err != nil {
		return err
	}
	data, name := f.Run.Encode(), f.files.Name(runFile)
	for {
		have, err := readManifest(f.files, runFile)
		if err != nil {
			return err
		}
		if have == nil {
			out, err := f.files.Create(runFile)
			if err != nil {
				return err
			}
			out.Write(data) // CommitNew returns the error
			if err := out.CommitNew(); !errors.Is(err, fs.ErrExist) {
				return err
			}
			continue // another shard was first
		}
		if bytes.Equal(have, data) {
			return nil
		}
		before, err := sweep.DecodeRun(have)
		switch {
		case err != nil:
			return named(name, err)
		case before.Engine != f.Run.Engine:
			return strict.Input(name, "the folder holds records of engine %d, and this is engine %d; choose another folder", before.Engine, f.Run.Engine)
		case before.Shards != f.Run.Shards:
			return strict.Input(name, "the folder's sweep is in %s, and not in %d; choose another folder", param.Count(before.Shards, "shard"), f.Run.Shards)
		}
		for t := range before.Sweep.Settings() {
			if !ids[t.ID] {
				return strict.Input(name, "the folder is of another sweep: its setting %s is not in this one; choose another folder", strings.Join(t.Texts, ", "))
			}
		}
		return write(f.files, runFile, data)
	}
}

// seen is a setting and what is found of it.
type seen struct {
	*sweep.Setting
	found
}

// look yields each setting and what is found of it, in no order.
func (f *Folder) look(ctx context.Context, workers int) iter.Seq2[int, seen] {
	return jobs.Each(ctx, workers, f.Run.Sweep.Len(), func(ctx context.Context, k int) seen {
		t := f.Run.Sweep.Setting(k)
		if t.Err != nil {
			return seen{t, found{}}
		}
		return seen{t, f.find(ctx, t)}
	})
}

// Missing returns the shards that are not whole, ascending.
func (f *Folder) Missing(ctx context.Context, workers int) ([]int, error) {
	lacks := map[int]bool{}
	for _, of := range f.look(ctx, workers) {
		if of.err != nil || !f.vouched(of.Setting, of.hash != "") {
			lacks[sweep.Shard(of.ID, f.Run.Shards)] = true
		}
	}
	return slices.Sorted(maps.Keys(lacks)), context.Cause(ctx)
}

// Wrong says what is wrong with the files of settings, in their order, a text for each that is not what it should be.
func (f *Folder) Wrong(ctx context.Context, workers int) ([]string, error) {
	words := make([]string, f.Run.Sweep.Len())
	for k, of := range f.look(ctx, workers) {
		switch {
		case of.err != nil:
			words[k] = of.err.Error()
		case of.wrong != "":
			words[k] = f.name(of.Setting) + " " + of.wrong
		}
	}
	return slices.DeleteFunc(words, func(text string) bool { return text == "" }), context.Cause(ctx)
}
