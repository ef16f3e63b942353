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
	"slices"

	"cpsrl/core/experiment"
	"cpsrl/core/jobs"
	"cpsrl/core/param"
	"cpsrl/core/strict"
	"cpsrl/core/sweep"
)

// Shard is the part of a sweep's settings that one program computes.
type Shard struct {
	f     *Folder
	index int
	works []*work
	ids   map[string]bool // of all settings of the sweep
	watch Watch
}

// Watch is told how a shard goes on.
type Watch struct {
	Remark func(words string)                    // a sentence for the user
	Begin  func(cost float64, records, jobs int) // what is to be computed
	Tick   func()                                // a record; several goroutines call it
	Whole  func(settings int)                    // so many settings are whole
}

// work is a setting that a shard computes.
type work struct {
	*sweep.Setting
	name   string                 // of its file, for messages
	e      *experiment.Experiment // nil if it must be made again
	cost   float64
	hash   string // of its file; "" if that is not whole
	wrong  string // what was wrong with the file that was there
	err    error  // why it is impossible
	target string // the full name of the file that is to be written
}

// Shard returns the shard of that index. The error, of the sweep, says that no setting is possible.
func (f *Folder) Shard(ctx context.Context, index, workers int) (*Shard, error) {
	s := &Shard{f: f, index: index, ids: map[string]bool{}}
	settings := make([]*sweep.Setting, f.Run.Sweep.Len())
	for k, t := range jobs.Each(ctx, workers, len(settings), func(_ context.Context, k int) *sweep.Setting { return f.Run.Sweep.Setting(k) }) {
		settings[k] = t
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var first error
	possible := 0
	for _, t := range settings {
		if t.Err == nil {
			possible++
		}
		first = cmp.Or(first, t.Err)
		if !s.ids[t.ID] && sweep.Shard(t.ID, f.Run.Shards) == index {
			s.works = append(s.works, &work{Setting: t, name: f.name(t), err: t.Err})
		}
		s.ids[t.ID] = true
	}
	if possible == 0 {
		return nil, fmt.Errorf("no setting is possible; the first: %w", first)
	}
	return s, nil
}

// Len returns the number of settings.
func (s *Shard) Len() int { return len(s.works) }

// Begin makes the folder and its manifest, or checks those that are there.
func (s *Shard) Begin() error { return s.f.begin(s.ids) }

// Compute computes the settings that are not whole, and writes the manifest of the shard. It must have begun.
func (s *Shard) Compute(ctx context.Context, workers int, watch Watch) error {
	s.watch = watch
	for _, step := range []func(context.Context, int) error{s.known, s.prepare, s.compute, s.finish} {
		if err := step(ctx, workers); err != nil {
			return s.ended(err)
		}
	}
	return s.ended(nil)
}

// ended returns the error of a shard with how much of it is whole, and tells what was computed again.
func (s *Shard) ended(err error) error {
	whole, impossible := 0, 0
	var bad []*work
	for _, w := range s.works {
		switch {
		case w.err != nil:
			impossible++
		case w.hash != "":
			whole++
		}
		if w.wrong != "" {
			bad = append(bad, w)
		}
	}
	if bad != nil {
		slices.SortFunc(bad, func(a, b *work) int { return cmp.Compare(a.name, b.name) })
		words := fmt.Sprintf("%s %s and is computed again", bad[0].name, bad[0].wrong)
		if bad[0].hash == "" {
			words = fmt.Sprintf("%s %s and is not computed again yet", bad[0].name, bad[0].wrong)
		}
		if n := len(bad) - 1; n > 0 {
			words += ", and there is more of this kind: " + param.Count(n, "file")
		}
		s.watch.Remark(words)
	}
	if _, bad := errors.AsType[*strict.InputError](err); err != nil && !bad {
		if errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%s: %w", s.f.files.Name(""), err)
		}
		return fmt.Errorf("%w; %d of %s are whole", err, whole, param.Count(len(s.works), "setting"))
	}
	if err == nil && impossible > 0 {
		s.watch.Remark(fmt.Sprintf("%d of %s cannot run; %s names them", impossible, param.Count(len(s.works), "setting"), s.f.files.Name(shardFile(s.index))))
	}
	return err
}

// known finds the settings whose records are there and whole.
func (s *Shard) known(ctx context.Context, workers int) error {
	s.f.read(s.index)
	if m := s.f.shards[s.index]; m != nil && m.err != nil {
		return m.err
	} else if m != nil && m.wrong {
		s.watch.Remark(s.f.files.Name(shardFile(s.index)) + " was damaged, so records that looked whole were taken as they were")
	}
	errs := make([]error, len(s.works))
	for k, err := range jobs.Each(ctx, workers, len(s.works), func(ctx context.Context, k int) error {
		if s.works[k].err != nil {
			return nil
		}
		return s.check(ctx, s.works[k])
	}) {
		errs[k] = err
	}
	return cmp.Or(context.Cause(ctx), cmp.Or(errs...), s.apart())
}

// check sets the hash of a work whose file is there and whole, or says what is wrong with it. A file of something else is
// refused.
func (s *Shard) check(ctx context.Context, w *work) error {
	is := s.f.find(ctx, w.Setting)
	if is.err != nil {
		return is.err
	}
	w.hash, w.wrong = is.hash, cmp.Or(is.wrong, w.wrong)
	if w.hash != "" {
		return nil
	}
	var err error // now, and not when it is computed
	w.target, err = s.f.files.Target(recordsFile(w.Setting))
	return err
}

// apart returns an error if links lead two settings that are to be computed to one file: it would hold the records of one.
func (s *Shard) apart() error {
	by := map[string]string{}
	for _, w := range s.works {
		switch {
		case w.err != nil || w.hash != "":
		case by[w.target] != "":
			return strict.Input(w.name, "a link leads to %s, as for %s; remove it or choose another folder", w.target, by[w.target])
		default:
			by[w.target] = w.name
		}
	}
	return nil
}

// mostKept is the number of entries of tables beyond which experiments are made again instead of being kept.
const mostKept = 1 << 23

// prepare makes the experiments that are to be computed.
func (s *Shard) prepare(ctx context.Context, workers int) error {
	type made struct {
		e    *experiment.Experiment
		cost float64
		size int // the entries of its tables
		err  error
	}
	kept := 0
	for k, is := range jobs.Each(ctx, workers, len(s.works), func(ctx context.Context, k int) (is made) {
		w := s.works[k]
		if w.err != nil || w.hash != "" {
			return is
		}
		if is.e, is.err = experiment.NewContext(ctx, w.Spec); is.err != nil {
			return is
		}
		in, err := is.e.Instance(w.Spec.FirstRun)
		if err != nil {
			panic("runs: the first run is built") // NewContext has built it
		}
		is.cost, is.size = is.e.Cost(), in.View.Points()
		for j := range in.View.Transition {
			is.size += len(in.View.Transition[j].P)
		}
		return is
	}) {
		w := s.works[k]
		switch {
		case ctx.Err() != nil:
		case is.err != nil:
			w.err = is.err
		case is.e != nil:
			w.cost = is.cost
			if kept += is.size; kept <= mostKept {
				w.e = is.e
			}
		}
	}
	return context.Cause(ctx)
}

// compute computes the settings that are not whole, those that take longest first. One that fails is impossible, and the others
// go on.
func (s *Shard) compute(ctx context.Context, workers int) error {
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
	s.watch.Begin(cost, records, most)
	for len(rest) > 0 {
		if err := s.pass(ctx, workers, rest); err != nil {
			return err
		}
		rest = slices.DeleteFunc(rest, func(w *work) bool { return w.err != nil || w.hash != "" })
	}
	return nil
}

// pass computes settings until one fails. A setting whose file another program has written meanwhile is not computed
// again.
func (s *Shard) pass(ctx context.Context, workers int, rest []*work) error {
	begun := make(chan *work, len(rest)) // those whose lines come, in their order
	var there []*work                    // whose file has appeared
	all := func(yield func(jobs.Job) bool) {
		for _, w := range rest {
			if w.wrong == "" && s.f.files.Has(recordsFile(w.Setting)) {
				there = append(there, w)
				continue
			}
			e := w.e
			if e == nil {
				var err error
				if e, err = experiment.NewContext(ctx, w.Spec); err != nil {
					return // the context has ended: the experiment was made before
				}
			}
			begun <- w
			for j := range jobs.Of(e) {
				if !yield(j) {
					return
				}
			}
		}
	}
	var out Output
	defer func() {
		if out != nil {
			out.Discard()
		}
	}()
	var e *experiment.Experiment // whose lines come
	var w *work
	left, hash, buffer := 0, sha256.New(), bufio.NewWriterSize(nil, 64<<10)
	to := io.MultiWriter(buffer, hash)
	for line, err := range jobs.Lines(ctx, all, workers, jobs.MaxWaiting, s.watch.Tick) {
		if err != nil && (line.Job == nil || ctx.Err() != nil) {
			return err
		}
		first := line.Job.Experiment != e
		if first {
			e, w = line.Job.Experiment, <-begun
		}
		if err != nil {
			w.err = err
			return nil
		}
		if first {
			if out, err = s.f.files.Create(recordsFile(w.Setting)); err != nil {
				return err
			}
			left = e.Records()
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
		if err := cmp.Or(buffer.Flush(), out.Commit()); err != nil {
			return err
		}
		out, w.e, w.hash = nil, nil, hex.EncodeToString(hash.Sum(nil))
		whole := 0
		for _, w := range s.works {
			if w.hash != "" {
				whole++
			}
		}
		s.watch.Whole(whole)
	}
	for _, w := range there {
		if err := s.check(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// finish writes the manifest of the shard, last.
func (s *Shard) finish(context.Context, int) error {
	s.f.files.Sync()
	c := &sweep.Completion{Sweep: s.f.Run.Sweep.Digest(), Shard: s.index, Shards: s.f.Run.Shards}
	for _, w := range s.works {
		if w.err != nil {
			c.Impossible = append(c.Impossible, sweep.Impossible{ID: w.ID, Setting: w.Texts, Reason: param.Printable(w.err.Error())})
		} else {
			c.Settings = append(c.Settings, sweep.Done{ID: w.ID, Hash: w.hash})
		}
	}
	name, data := shardFile(s.index), c.Encode()
	if have, err := readManifest(s.f.files, name); err != nil || bytes.Equal(have, data) {
		return err
	}
	return write(s.f.files, name, data)
}
