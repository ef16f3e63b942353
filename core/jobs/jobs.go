// Package jobs computes the record lines of experiments on several workers. A [Job] is one
// agent in one run. [Of] lists the jobs of an experiment, a [Seen] leaves out those whose
// records have been read, and [Lines] computes the rest. Lists of jobs may be joined, also
// those of several experiments.
//
// # Goroutines and memory
//
// [Lines] starts the workers. When its sequence ends early, each worker ends after its present
// episode, and may call tick once more. A list of jobs is read by one goroutine at a time, and only
// as far as jobs begin. A [Seen] belongs to one goroutine at a time. Lines belong to the caller.
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

// Seen holds which records of one experiment have been read. The zero value holds none.
type Seen struct {
	episodes map[seenJob]int // how many, from the first on
}

type seenJob struct {
	run   int
	agent string // its label
}

// Add adds a record. Records of different jobs may come in any order; those of a job count
// only in the order of their episodes, beginning with the first.
func (s *Seen) Add(r *record.Record) {
	if s.episodes == nil {
		s.episodes = map[seenJob]int{}
	}
	if j := (seenJob{r.Run, r.Agent}); r.Episode == s.episodes[j]+1 {
		s.episodes[j]++
	}
}

// Rest yields the jobs of the experiment that have not been seen from the first episode to
// the last.
func (s *Seen) Rest(jobs iter.Seq[Job]) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for j := range jobs {
			if s.episodes[seenJob{j.Run, j.Arm.Label()}] != j.Experiment.Spec().Episodes && !yield(j) {
				return
			}
		}
	}
}

// MaxWaiting is a budget for [Lines] that keeps many workers busy: 64 MiB.
const MaxWaiting = 64 << 20

// Line is a record line of a job, with a newline.
type Line struct {
	Job   *Job
	Bytes []byte
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
			go q.work(tick)
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
	line []byte
	err  error
}

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
		for r, err := range j.Experiment.Play(j.Run, j.Arm) {
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
			return Line{&j.Job, it.line}, it.err
		}
		q.open = q.open[1:] // the next job has its turn
	}
	return Line{}, context.Cause(ctx)
}
