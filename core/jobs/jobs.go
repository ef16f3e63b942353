// Package jobs computes the record lines of experiments on several workers. A [Job] is one
// agent in one run. [Of] lists the jobs of an experiment, and [Lines] computes those of a
// list: a part of the experiment's, or the jobs of several experiments. [Each] does other work on several workers.
//
// # Goroutines and memory
//
// [Lines] and [Each] start workers. When the sequence of Lines ends early, each worker ends after its present
// episode, and may call tick once more. A list of jobs is read by one goroutine at a time, and only
// as far as jobs begin. Lines belong to the caller.
package jobs

import (
	"bytes"
	"context"
	"iter"
	"sync"

	"cpsrl/core/arm"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// Each calls do for the numbers below n, on that many workers, and yields each number with what do has returned, as they come.
// It ends early if ctx ends or its reader stops, then too when each call of do has returned. The context of do ends with it.
func Each[T any](ctx context.Context, workers, n int, do func(ctx context.Context, k int) T) iter.Seq2[int, T] {
	type result struct {
		k  int
		of T
	}
	return func(yield func(int, T) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		next, results := make(chan int), make(chan result)
		var group sync.WaitGroup
		for range min(workers, n) {
			group.Go(func() {
				for k := range next {
					results <- result{k, do(ctx, k)}
				}
			})
		}
		go func() {
			for k := 0; k < n && ctx.Err() == nil; k++ {
				next <- k
			}
			close(next)
			group.Wait()
			close(results)
		}()
		more := true
		for r := range results {
			if more = more && yield(r.k, r.of); !more {
				stop()
			}
		}
	}
}

// Job is one agent in one run of an experiment.
type Job struct {
	Experiment *experiment.Experiment
	Run        int
	Arm        arm.Arm
}

// Of yields the jobs of an experiment in the order of its records: run, agent.
func Of(e *experiment.Experiment) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		s := e.Spec()
		for run := s.FirstRun; run < s.FirstRun+s.Runs; run++ {
			for _, a := range e.Arms() {
				if !yield(Job{e, run, a}) {
					return
				}
			}
		}
	}
}

// MaxWaiting is a budget for [Lines] that keeps many workers busy: 64 MiB.
const MaxWaiting = 64 << 20

// Line is a record line of a job, with a newline.
type Line struct {
	Job     *Job
	Bytes   []byte
	Seconds float64 // what the agent took for the episode, by the clock of [Timed]; else 0
}

// Lines computes jobs on that many workers and yields their record lines in the order of the
// jobs, and those of a job by episode. A worker computes one job at a time. The workers call
// tick for each record, possibly at the same time. The error of a job ends the sequence. If
// ctx ends, the sequence ends with its cause.
//
// The lines that wait for their turn take at most budget bytes and one more line; each
// worker also has a line in hand. When the budget is used up, the workers wait, except the
// one whose job has its turn: that job may always have one line ready, so the sequence
// goes on.
func Lines(ctx context.Context, jobs iter.Seq[Job], workers, budget int, tick func()) iter.Seq2[Line, error] {
	return Timed(ctx, jobs, workers, budget, tick, nil)
}

// Clock is what workers look at. A worker calls Begin before and End after each job, and Now within it.
type Clock interface {
	Begin()
	Now() float64 // seconds: what the calling goroutine has worked, if there is such a clock
	End()
}

// Timed is [Lines] with the seconds that agents take ([experiment.Stopwatch]) by a clock. If it is nil, nothing is measured.
func Timed(ctx context.Context, jobs iter.Seq[Job], workers, budget int, tick func(), clock Clock) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		next, stop := iter.Pull(jobs)
		q := &queue{next: next, budget: budget}
		q.change.L = &q.mu
		defer func() {
			q.end()
			stop() // no worker calls next after q.end
		}()
		defer context.AfterFunc(ctx, q.end)()
		for range workers {
			go q.work(tick, clock)
		}
		for {
			line, err := q.take(ctx)
			if line.Bytes == nil && err == nil || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// queue holds the record lines that wait for their turn.
type queue struct {
	budget int // bytes

	mu     sync.Mutex
	change sync.Cond // signals a change of the fields below that someone may wait for
	next   func() (Job, bool)
	last   bool     // whether the last job has begun
	open   []*begun // the jobs that have begun and have not been read to their end, in order
	held   int      // the bytes of the lines in them
	ended  bool     // whether the reader has stopped
}

// begun is a job that has begun.
type begun struct {
	Job
	items []item // the items that have been computed and not taken
}

// item is a record line or the error of a job. The zero item ends the job.
type item struct {
	line    []byte
	seconds float64
	err     error
}

// end makes all workers and the reader stop.
func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.change.Broadcast()
}

// work computes jobs until no job is left to begin.
func (q *queue) work(tick func(), clock Clock) {
	var watch *experiment.Stopwatch
	if clock != nil {
		watch = experiment.NewStopwatch(clock.Now)
	}
	for j := q.begin(); j != nil; j = q.begin() {
		if clock != nil {
			clock.Begin()
		}
		more := q.compute(j, tick, watch)
		if clock != nil {
			clock.End()
		}
		if !more {
			return
		}
	}
}

// compute computes a job. It returns false if there is an error or the reader has stopped.
func (q *queue) compute(j *begun, tick func(), watch *experiment.Stopwatch) bool {
	var buffer []byte
	for r, err := range j.Experiment.PlayTimed(j.Run, j.Arm, watch) {
		if err != nil {
			q.put(j, item{err: err})
			return false
		}
		buffer = record.AppendRecord(buffer[:0], r)
		if !q.put(j, item{line: bytes.Clone(buffer), seconds: watch.Lap()}) {
			return false
		}
		tick()
	}
	q.put(j, item{})
	return true
}

// begin begins the next job. It returns nil after the last.
func (q *queue) begin() *begun {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended || q.last {
		return nil
	}
	next, more := q.next()
	if !more {
		q.last = true
		q.change.Broadcast()
		return nil
	}
	j := &begun{Job: next}
	q.open = append(q.open, j)
	return j
}

// put waits until there is room for an item and adds it to a job. It returns false if the
// reader has stopped.
func (q *queue) put(j *begun, it item) bool {
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

// take returns the next line, or none after the last.
func (q *queue) take(ctx context.Context) (Line, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for ctx.Err() == nil {
		switch {
		case len(q.open) == 0 && q.last:
			return Line{}, nil
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
			return Line{&j.Job, it.line, it.seconds}, it.err
		}
		q.open = q.open[1:] // the next job has its turn
	}
	return Line{}, context.Cause(ctx)
}
