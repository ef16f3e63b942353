package main

import (
	"bytes"
	"context"
	"iter"
	"sync"

	"cpsrl/core/agent"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// maxWaiting is how many bytes of records may wait for their turn.
const maxWaiting = 64 << 20

// merge runs an experiment on that many workers, each of which takes one agent's one
// run at a time, and yields the record lines in the order run, agent, episode. The
// workers call tick for each record, at the same time if they like. When ctx ends,
// the sequence ends with its cause.
//
// The lines that wait for their turn have no more bytes than the budget and one
// line; besides, each worker has one in hand. When the budget is used up, the
// workers wait, except the one whose job has its turn: that job may always have
// one line ready, and so the sequence goes on.
func merge(ctx context.Context, e *experiment.Experiment, workers, budget int, tick func()) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		q := &queue{ctx: ctx, e: e, budget: budget}
		q.turn.L, q.rest.L = &q.mu, &q.mu
		defer q.end()
		stop := context.AfterFunc(ctx, q.end)
		defer stop()
		for range min(workers, q.jobs()) {
			go q.work(tick)
		}
		for {
			line, err := q.take()
			if line == nil && err == nil || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// queue holds the record lines that wait for their turn.
type queue struct {
	ctx    context.Context
	e      *experiment.Experiment
	budget int // bytes

	mu    sync.Mutex
	turn  sync.Cond // the reader waits here, and the worker of open[0]
	rest  sync.Cond // the other workers wait here
	begun int       // jobs
	open  []*job    // the jobs that began and were not read to their end, in order
	held  int       // bytes
	ended bool      // the reader has stopped
}

// job is one agent's one run.
type job struct {
	run   int
	arm   agent.Arm
	lines [][]byte // computed and not taken
	done  bool     // no more lines come
	err   error    // why, if the job failed
}

func (q *queue) jobs() int { return q.e.Spec().Runs * len(q.e.Arms()) }

// end makes all workers and the reader stop.
func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.turn.Broadcast()
	q.rest.Broadcast()
}

// work computes jobs until all have begun.
func (q *queue) work(tick func()) {
	for {
		j := q.begin()
		if j == nil {
			return
		}
		q.finish(j, q.compute(j, tick))
	}
}

// compute computes a job's lines.
func (q *queue) compute(j *job, tick func()) error {
	var buffer []byte
	for r, err := range q.e.Play(j.run, j.arm) {
		if err != nil {
			return err
		}
		buffer = record.AppendRecord(buffer[:0], r)
		if !q.put(j, bytes.Clone(buffer)) {
			return nil
		}
		tick()
	}
	return nil
}

// begin returns the next job, nil after the last.
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

// put waits until there is room for a line and adds it to those of a job. It returns
// false if the reader has stopped.
func (q *queue) put(j *job, line []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.ended && q.held+len(line) > q.budget {
		if j != q.open[0] {
			q.rest.Wait()
		} else if len(j.lines) > 0 {
			q.turn.Wait()
		} else {
			break
		}
	}
	if q.ended {
		return false
	}
	j.lines = append(j.lines, line)
	q.held += len(line)
	if j == q.open[0] {
		q.turn.Broadcast()
	}
	return true
}

// finish marks a job as done; err is nil unless it failed.
func (q *queue) finish(j *job, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.done, j.err = true, err
	if j == q.open[0] {
		q.turn.Broadcast()
	}
	q.rest.Signal() // the room that this worker leaves
}

// take returns the next line, nil after the last.
func (q *queue) take() (line []byte, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ctx.Err() == nil {
		if len(q.open) == 0 {
			if q.begun == q.jobs() {
				return nil, nil
			}
			q.turn.Wait()
			continue
		}
		switch j := q.open[0]; {
		case len(j.lines) > 0:
			line, j.lines[0] = j.lines[0], nil
			j.lines = j.lines[1:]
			q.held -= len(line)
			q.turn.Broadcast()
			q.rest.Signal()
			return line, nil
		case j.err != nil:
			return nil, j.err
		case j.done:
			q.open = q.open[1:]
			q.rest.Broadcast() // one of them has its turn
		default:
			q.turn.Wait()
		}
	}
	return nil, context.Cause(q.ctx)
}
