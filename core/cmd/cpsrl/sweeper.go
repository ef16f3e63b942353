package main

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
	"os"
	"runtime"
	"slices"
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
	defer roomy()()
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
