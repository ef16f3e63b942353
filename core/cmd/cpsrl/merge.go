package main

import (
	"context"
	"iter"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// job is one agent's one run.
type job struct {
	spec  record.Spec
	lines chan recordLine // has room for all of them: a worker never waits
}

// recordLine is one record with its newline, or the error that ends its job.
type recordLine struct {
	bytes []byte
	err   error
}

// ahead is how many jobs for each worker may have begun before the oldest
// unfinished one has ended: it bounds the records that wait for their turn.
const ahead = 4

// merge runs the spec's jobs on that many workers and yields the record lines in
// the order run, agent, episode, whatever the order in which they come. It calls
// tick, from any worker, for each record computed. When ctx ends, so does the
// sequence, with ctx's error.
func merge(ctx context.Context, spec *record.Spec, workers int, tick func()) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		turn := make(chan *job, ahead*workers) // in order
		work := make(chan *job)
		go deal(ctx, spec, turn, work)
		for range workers {
			go func() {
				for j := range work {
					j.do(ctx, tick)
				}
			}()
		}
		for j := range turn {
			for l, err := range j.all(ctx) {
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield(l, nil) {
					return
				}
			}
		}
		if ctx.Err() != nil {
			yield(nil, context.Cause(ctx))
		}
	}
}

// deal hands every job to both channels, in order, and closes them.
func deal(ctx context.Context, spec *record.Spec, turn, work chan<- *job) {
	defer close(turn)
	defer close(work)
	for run := range spec.Runs {
		for _, agent := range spec.Agents {
			j := &job{spec: *spec, lines: make(chan recordLine, spec.Episodes+1)}
			j.spec.FirstRun, j.spec.Runs, j.spec.Agents = spec.FirstRun+run, 1, []string{agent}
			for _, to := range []chan<- *job{turn, work} {
				select {
				case to <- j:
				case <-ctx.Done():
					return
				}
			}
		}
	}
}

// do computes the job's records.
func (j *job) do(ctx context.Context, tick func()) {
	defer close(j.lines)
	for r, err := range experiment.Run(&j.spec) {
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			j.lines <- recordLine{err: err}
			return
		}
		j.lines <- recordLine{bytes: record.AppendRecord(nil, r)}
		tick()
	}
}

// all yields the job's lines as they come, until ctx ends.
func (j *job) all(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			select {
			case l, ok := <-j.lines:
				if ctx.Err() != nil {
					yield(nil, context.Cause(ctx))
					return
				}
				if !ok || !yield(l.bytes, l.err) || l.err != nil {
					return
				}
			case <-ctx.Done():
				yield(nil, context.Cause(ctx))
				return
			}
		}
	}
}
