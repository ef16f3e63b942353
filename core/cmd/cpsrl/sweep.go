package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cheggaaa/pb/v3"

	"cpsrl/core/experiment"
	"cpsrl/core/jobs"
	"cpsrl/core/param"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/sweep"
)

// vary is the help of what varies.
const varyHelp = `What varies is a file in the format cpsrl/sweep, or the flags of an experiment ("cpsrl help run") with -vary:
-vary z=2,3,4 -vary false=0,1 crosses two fields, and -vary false=0,1~trust=1,.9 takes two side by side.`

var sweepCommand = command{
	name: "sweep", args: "FILE | -preset NAME … -vary KEY=VALUE,… [flags] -o DIR; -missing DIR; -list FILE|DIR",
	short: "run an experiment with many settings",
	long: varyHelp + `

Each setting's records get a file of their own in DIR, named by the digest of its spec, when they are whole. What is there
and whole is not computed again: after Ctrl-C, a crash or a loss of power the same command goes on, and so it does with a
longer list. Settings that are impossible are named in DIR/shard-0.json with the reason. "cpsrl table DIR" and "cpsrl plot
DIR" show the results.

With -shard I/N the command computes only its part of the settings, I from 0 to N−1, so that many machines can share a
folder: -shard $SLURM_ARRAY_TASK_ID/8 ("cpsrl slurm" writes such jobs). A part of a setting is never shared, and a longer list
moves no setting to another shard. A shard writes DIR/shard-I.json when it is whole. -missing DIR prints the flags of sbatch
that run the shards which are not whole, a line for each array, and nothing if all are. -list prints the files and values
of all settings as CSV. Files .cpsrl.*.tmp in DIR are what a killed command has left; they may be removed.`,
	operands: []string{"FILE"}, optional: true,
	setup: func(flags *flag.FlagSet) action {
		source := newSweepFlags(flags)
		dir := flags.String("o", "", "write the records into the folder `DIR`")
		shard := shardFlag(flags)
		workers := workersFlag(flags)
		quiet := quietFlag(flags)
		missing := flags.Bool("missing", false, "print the shards of DIR that are not whole")
		most := mostFlag(flags)
		list := flags.Bool("list", false, "print the files and values of the settings")
		return func(h *host, args []string) error {
			h.quiet = *quiet
			switch {
			case *missing && (len(args) == 0 || *list):
				return badf("flags", "-missing takes one folder")
			case *missing:
				return h.missing(args[0], *most)
			case *list && len(args) > 0 && isFolder(args[0]):
				f, err := h.openFolder(args[0])
				if err != nil {
					return err
				}
				return h.print(f.list())
			}
			s, name, err := source.sweep(h, args)
			if err != nil {
				return err
			}
			if *list {
				return h.print((&folder{path: *dir, run: &sweep.Run{Sweep: s}}).list())
			}
			if *dir == "" || *dir == "-" {
				return badf("flag -o", "a folder was expected")
			}
			f := &folder{path: *dir, run: &sweep.Run{Engine: record.Engine, Shards: shard.of, Sweep: s}}
			return h.sweep(f, name, shard.index, *workers)
		}
	},
}

// sweepFlags holds the flags that choose a sweep.
type sweepFlags struct {
	*specFlags
	vary []string
}

func newSweepFlags(flags *flag.FlagSet) *sweepFlags {
	s := &sweepFlags{specFlags: newSpecFlags(flags)}
	flags.Func("vary", "a field and its `VALUES`, key=value,value; fields joined by ~ vary together, and the flag may be repeated", func(text string) error {
		s.vary = append(s.vary, text)
		return nil
	})
	return s
}

// sweep returns the sweep that the operand or the flags choose, and its name for messages.
func (s *sweepFlags) sweep(h *host, args []string) (*sweep.Sweep, string, error) {
	if len(args) > 0 {
		if s.chosen() > 0 || len(s.given) > 0 || s.vary != nil {
			return nil, "", badf("flags", "FILE and the flags of an experiment exclude each other")
		}
		return readDocument(h, "sweep", args[0], sweep.Decode)
	}
	base, name, err := s.load(h)
	if err != nil {
		return nil, name, err
	}
	vary := s.vary
	if l := s.opened; l != nil {
		of, err := sweep.OfLink(l)
		if err != nil {
			return nil, name, in(linkName, err)
		}
		if of != nil {
			vary = append([]string{of.Vary}, vary...)
			h.notice = mended(l)
		}
	}
	if vary == nil {
		return nil, name, badf("flags", "FILE or -vary KEY=VALUE,… was expected")
	}
	of, err := sweep.New(base, vary...)
	return of, name, in("flag -vary", err)
}

// shard is the part of a sweep that a command computes.
type shard struct{ index, of int }

func shardFlag(flags *flag.FlagSet) *shard {
	s := &shard{0, 1}
	flags.Func("shard", "compute only the part `I/N` of the settings, I from 0 to N−1", func(text string) error {
		first, second, _ := strings.Cut(text, "/")
		index, wrong := strconv.Atoi(first)
		of, too := strconv.Atoi(second)
		if wrong != nil || too != nil || text != fmt.Sprintf("%d/%d", index, of) || index < 0 || index >= of || of > sweep.MaxShards {
			return fmt.Errorf("expected I/N, such as 0/8, with I from 0 to N−1; a variable such as $SLURM_ARRAY_TASK_ID may not be set")
		}
		*s = shard{index, of}
		return nil
	})
	return s
}

// mostFlag adds the flag for the bound of arrays. The default is that of Slurm.
func mostFlag(flags *flag.FlagSet) *int {
	return wholeNumber(flags, "max-array", 1001, 1, 1<<30, "the cluster's MaxArraySize, `M`: indices of an array are less")
}

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

// work is a setting that a shard computes.
type work struct {
	*sweep.Setting
	file string
	e    *experiment.Experiment // nil if it must be made again
	cost float64
	hash string // of its file; "" if that is not whole
	err  error  // why it is impossible
}

// sweeper computes a shard.
type sweeper struct {
	h       *host
	f       *folder
	name    string // of the sweep, for messages
	shard   int
	workers int
	works   []*work

	mu   sync.Mutex
	torn []string // files that are computed again
}

// sweep computes a shard of a sweep.
func (h *host) sweep(f *folder, name string, index, workers int) error {
	s := &sweeper{h: h, f: f, name: name, shard: index, workers: workers}
	ids := map[string]bool{}
	var first error
	possible := 0
	settings := make([]*sweep.Setting, f.run.Sweep.Len())
	each(h.ctx, workers, len(settings), func(k int) { settings[k] = f.run.Sweep.Setting(k) })
	if h.ctx.Err() != nil {
		return context.Cause(h.ctx)
	}
	for _, t := range settings {
		if t.Err == nil {
			possible++
		}
		if first == nil {
			first = t.Err
		}
		if !ids[t.ID] && sweep.Shard(t.ID, f.run.Shards) == index {
			s.works = append(s.works, &work{Setting: t, file: f.file(t), err: t.Err})
		}
		ids[t.ID] = true
	}
	if possible == 0 {
		return in(name, fmt.Errorf("no setting is possible; the first: %w", first))
	}
	if err := h.hold(); err != nil {
		return err
	}
	if err := h.begin(f, ids); err != nil {
		return err
	}
	if err := s.known(); err != nil {
		return s.ended(err)
	}
	if err := s.prepare(); err != nil {
		return s.ended(err)
	}
	if err := s.compute(); err != nil {
		return s.ended(err)
	}
	return s.ended(s.finish())
}

// ended returns the error of a shard with how much of it is whole, and tells what was computed again.
func (s *sweeper) ended(err error) error {
	whole, impossible := 0, 0
	for _, w := range s.works {
		switch {
		case w.err != nil:
			impossible++
		case w.hash != "":
			whole++
		}
	}
	if n := len(s.torn); n > 0 {
		slices.Sort(s.torn)
		s.h.remark(fmt.Sprintf("%s was not whole and is computed again", s.torn[0]))
		if n > 1 {
			s.h.notice = fmt.Sprintf("%s and %d more were not whole and are computed again", s.torn[0], n-1)
		}
	}
	if _, bad := errors.AsType[badInput](err); err != nil && !bad {
		if errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%s: %w", s.f.path, err)
		}
		return fmt.Errorf("%w; %d of %s are whole", err, whole, param.Count(len(s.works), "setting"))
	}
	if err == nil && impossible > 0 {
		s.h.remark(fmt.Sprintf("%d of %s cannot run; %s names them", impossible, param.Count(len(s.works), "setting"), s.f.name(shardName(s.shard))))
	}
	return err
}

// known finds the settings whose records are there and whole.
func (s *sweeper) known() error {
	hashes := map[string]string{} // by ID
	if data, err := os.ReadFile(s.f.name(shardName(s.shard))); err == nil {
		if c, err := sweep.DecodeCompletion(data); err == nil { // else it is written again
			for _, done := range c.Settings {
				hashes[done.ID] = done.Hash
			}
		}
	}
	errs := make([]error, len(s.works))
	each(s.h.ctx, s.workers, len(s.works), func(k int) {
		if w := s.works[k]; w.err == nil {
			errs[k] = w.check(hashes[w.ID], s)
		}
	})
	return cmp.Or(context.Cause(s.h.ctx), cmp.Or(errs...))
}

// each calls do for the numbers below n on that many workers, until all are done or ctx ends.
func each(ctx context.Context, workers, n int, do func(k int)) {
	next := make(chan int)
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for k := range next {
				do(k)
			}
		})
	}
	for k := range n {
		if ctx.Err() != nil {
			break
		}
		next <- k
	}
	close(next)
	group.Wait()
}

// check sets the hash of a work whose file is there and whole. A file of something else is refused.
func (w *work) check(hash string, s *sweeper) error {
	f, err := os.Open(w.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return unreadable(w.file, "a records file", err)
	}
	defer f.Close()
	sum := sha256.New()
	if hash != "" {
		if _, err := io.Copy(sum, f); err == nil && hex.EncodeToString(sum.Sum(nil)) == hash {
			w.hash = hash
			return nil
		}
		sum.Reset()
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return unreadable(w.file, "a records file", err)
		}
	}
	part, err := results.ReadPart(w.file, io.TeeReader(f, sum))
	switch {
	case err == nil && (part.Engine != record.Engine || !bytes.Equal(spec.Encode(part.Spec), spec.Encode(w.Spec))):
		return badf(w.file, "the file holds other records than those of its setting; remove it or choose another folder")
	case err == nil && part.Whole:
		w.hash = hex.EncodeToString(sum.Sum(nil))
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.torn = append(s.torn, w.file)
	}
	return nil
}

// mostKept is the number of entries of tables beyond which experiments are made again instead of being kept.
const mostKept = 1 << 23

// prepare makes the experiments that are to be computed, and puts those that take longest first.
func (s *sweeper) prepare() error {
	var mu sync.Mutex
	kept := 0
	each(s.h.ctx, s.workers, len(s.works), func(k int) {
		w := s.works[k]
		if w.err != nil || w.hash != "" {
			return
		}
		e, err := experiment.NewContext(s.h.ctx, w.Spec)
		if s.h.ctx.Err() != nil {
			return
		}
		if err != nil {
			w.err = err
			return
		}
		w.cost = e.Cost()
		in, err := e.Instance(w.Spec.FirstRun)
		if err != nil {
			panic("cpsrl: the first run is built") // NewContext has built it
		}
		size := in.View.Points()
		for j := range in.View.Transition {
			size += len(in.View.Transition[j].P)
		}
		mu.Lock()
		defer mu.Unlock()
		if kept += size; kept <= mostKept {
			w.e = e
		}
	})
	return context.Cause(s.h.ctx)
}

// compute computes the settings that are not whole. One that fails is impossible, and the others go on.
func (s *sweeper) compute() error {
	var rest []*work
	cost, records, most := 0.0, 0, 0
	for _, w := range s.works {
		if w.err == nil && w.hash == "" {
			rest = append(rest, w)
			cost += w.cost
			records += w.Spec.Runs * len(w.Spec.Agents) * w.Spec.Episodes
			most += w.Spec.Runs * len(w.Spec.Agents)
		}
	}
	if rest == nil {
		return nil
	}
	slices.SortStableFunc(rest, func(a, b *work) int { return cmp.Compare(b.cost, a.cost) })
	s.h.foretell(cost, min(s.workers, runtime.NumCPU(), most))
	bar := s.h.newBar(io.Discard, records, s.done(0))
	defer bar.Finish()
	for len(rest) > 0 {
		if err := s.pass(rest, bar); err != nil {
			return err
		}
		rest = slices.DeleteFunc(rest, func(w *work) bool { return w.err != nil || w.hash != "" })
	}
	return nil
}

func (s *sweeper) done(n int) string {
	return fmt.Sprintf("%d of %s", n, param.Count(len(s.works), "setting"))
}

// pass computes settings until one fails. A setting whose file another command has written meanwhile is not computed
// again.
func (s *sweeper) pass(rest []*work, bar *pb.ProgressBar) error {
	var mu sync.Mutex
	of := map[*experiment.Experiment]*work{} // those that have begun
	var there []*work                        // whose file has appeared
	all := func(yield func(jobs.Job) bool) {
		for _, w := range rest {
			if _, err := os.Lstat(w.file); err == nil && !slices.Contains(s.torn, w.file) {
				mu.Lock()
				there = append(there, w)
				mu.Unlock()
				continue
			}
			e := w.e
			if e == nil {
				var err error
				if e, err = experiment.NewContext(s.h.ctx, w.Spec); err != nil {
					return // the context has ended: the experiment was made before
				}
			}
			mu.Lock()
			of[e] = w
			mu.Unlock()
			for j := range jobs.Of(e) {
				if !yield(j) {
					return
				}
			}
		}
	}
	var out *output
	defer func() {
		if out != nil {
			out.discard()
		}
	}()
	var now *work
	left, hash, buffer := 0, sha256.New(), bufio.NewWriterSize(nil, 64<<10)
	to := io.MultiWriter(buffer, hash)
	for line, err := range jobs.Lines(s.h.ctx, all, s.workers, jobs.MaxWaiting, func() { bar.Increment() }) {
		if err != nil && (line.Job == nil || s.h.ctx.Err() != nil) {
			return err
		}
		e := line.Job.Experiment
		mu.Lock()
		w := of[e]
		mu.Unlock()
		if err != nil {
			w.err = err
			return nil
		}
		if w != now {
			if out, err = s.h.create(w.file); err != nil {
				return err
			}
			now, left = w, e.Records()
			hash.Reset()
			buffer.Reset(out)
			to.Write(experiment.AppendHeader(nil, e.Header())) // the next Write returns the error
		}
		if _, err := to.Write(line.Bytes); err != nil {
			return err
		}
		if left--; left > 0 {
			continue
		}
		if err := cmp.Or(buffer.Flush(), out.commit()); err != nil {
			return err
		}
		out, now, w.e, w.hash = nil, nil, nil, hex.EncodeToString(hash.Sum(nil))
		mu.Lock()
		delete(of, e)
		mu.Unlock()
		whole := 0
		for _, w := range s.works {
			if w.hash != "" {
				whole++
			}
		}
		bar.Set(doneKey, s.done(whole))
	}
	for _, w := range there {
		if err := w.check("", s); err != nil {
			return err
		}
	}
	return nil
}

// finish writes the manifest of the shard, last.
func (s *sweeper) finish() error {
	syncFolder(s.f.path)
	c := &sweep.Completion{Sweep: s.f.run.Sweep.Digest(), Shard: s.shard, Shards: s.f.run.Shards}
	for _, w := range s.works {
		if w.err != nil {
			c.Impossible = append(c.Impossible, sweep.Impossible{ID: w.ID, Setting: w.Texts, Reason: printable(w.err.Error())})
		} else {
			c.Settings = append(c.Settings, sweep.Done{ID: w.ID, Hash: w.hash})
		}
	}
	name, data := s.f.name(shardName(s.shard)), c.Encode()
	if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, data) {
		return nil
	}
	return s.h.write(name, data)
}

// syncFolder makes the names of a folder last when the power fails. Some systems cannot.
func syncFolder(path string) {
	if f, err := os.Open(path); err == nil {
		f.Sync()
		f.Close()
	}
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
