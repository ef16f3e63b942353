package main

import (
	"bytes"
	"context"
	"iter"
	"sync"

	"cpsrl/core/arm"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// maxWaiting is the number of bytes of records that may wait for their turn.
const maxWaiting = 64 << 20

// merge runs an experiment on that many workers and yields the record lines in the order
// run, agent, episode. A job of a worker is one agent in one run. The workers call tick for
// each record, possibly at the same time. If ctx ends, the sequence ends with its cause.
//
// The lines that wait for their turn take at most budget bytes and one more line; each
// worker also has a line in hand. When the budget is used up, the workers wait, except the
// one whose job has its turn: that job may always have one line ready, so the sequence
// goes on.
func merge(ctx context.Context, e *experiment.Experiment, workers, budget int, tick func()) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		q := &queue{e: e, budget: budget}
		q.change.L = &q.mu
		defer q.end()
		defer context.AfterFunc(ctx, q.end)()
		for range min(workers, q.jobs()) {
			go q.work(tick)
		}
		for {
			line, err := q.take(ctx)
			if line == nil && err == nil || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// queue holds the record lines that wait for their turn.
type queue struct {
	e      *experiment.Experiment
	budget int // bytes

	mu     sync.Mutex
	change sync.Cond // signals a change of the fields below that someone may wait for
	begun  int       // the number of jobs that have begun
	open   []*job    // the jobs that have begun and have not been read to their end, in order
	held   int       // the bytes of the lines in them
	ended  bool      // whether the reader has stopped
}

// job is one agent's one run.
type job struct {
	run   int
	arm   arm.Arm
	items []item // the items that have been computed and not taken
}

// item is a record line or the error of a job. The zero item ends the job.
type item struct {
	line []byte
	err  error
}

// jobs returns the number of jobs.
func (q *queue) jobs() int { return q.e.Spec().Runs * len(q.e.Arms()) }

// end makes all workers and the reader stop.
func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.change.Broadcast()
}

// work computes jobs until no job is left to begin.
func (q *queue) work(tick func()) {
	var buffer []byte
	for j := q.begin(); j != nil; j = q.begin() {
		for r, err := range q.e.Play(j.run, j.arm) {
			if err != nil {
				q.put(j, item{err: err})
				return
			}
			buffer = record.AppendRecord(buffer[:0], r)
			if !q.put(j, item{line: bytes.Clone(buffer)}) {
				return
			}
			tick()
		}
		q.put(j, item{})
	}
}

// begin returns the next job, or nil after the last.
func (q *queue) begin() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended || q.begun == q.jobs() {
		return nil
	}
	arms := q.e.Arms()
	j := &job{run: q.e.Spec().FirstRun + q.begun/len(arms), arm: arms[q.begun%len(arms)]}
	q.begun++
	q.open = append(q.open, j)
	return j
}

// put waits until there is room for an item and adds it to a job. It returns false if the
// reader has stopped.
func (q *queue) put(j *job, it item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.ended && q.held+len(it.line) > q.budget && (j != q.open[0] || len(j.items) > 0) {
		q.change.Wait()
	}
	if q.ended {
		return false
	}
	j.items = append(j.items, it)
	q.held += len(it.line)
	if j == q.open[0] {
		q.change.Broadcast()
	}
	return true
}

// take returns the next line, or nil after the last.
func (q *queue) take(ctx context.Context) ([]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for ctx.Err() == nil {
		switch {
		case len(q.open) == 0 && q.begun == q.jobs():
			return nil, nil
		case len(q.open) == 0 || len(q.open[0].items) == 0:
			q.change.Wait()
			continue
		}
		j := q.open[0]
		it := j.items[0]
		j.items[0], j.items = item{}, j.items[1:]
		q.held -= len(it.line)
		q.change.Broadcast()
		if it.line != nil || it.err != nil {
			return it.line, it.err
		}
		q.open = q.open[1:] // the next job has its turn
	}
	return nil, context.Cause(ctx)
}
