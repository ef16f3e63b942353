package jobs

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// While the reader takes nothing, any number of workers compute until the budget is used
// up, and then wait. With any budget the sequence goes on, and its bytes are those of
// experiment.Run. The test counts computed lines by ticks, when all workers wait.
func TestLinesBoundWhatWaits(t *testing.T) {
	preset, _ := experiment.LookupPreset("fig1-quick")
	s := preset.Spec
	s.Runs, s.Episodes, s.Agents = 40, 20, []string{"f-psrl", "c-psrl"}
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]byte
	shortest, longest := 1<<20, 0
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, record.AppendRecord(nil, r))
		n := len(want[len(want)-1])
		shortest, longest = min(shortest, n), max(longest, n)
	}
	for _, budget := range []int{0, longest, 10_000, 100_000, MaxWaiting} {
		for _, workers := range []int{1, 2, 7, 64} {
			synctest.Test(t, func(t *testing.T) {
				var computed atomic.Int64
				taken := 0
				for line, err := range Lines(t.Context(), Of(e), workers, budget, func() { computed.Add(1) }) {
					if err != nil || taken == len(want) || !bytes.Equal(line.Bytes, want[taken]) {
						t.Fatalf("budget %d, %d workers: line %d is %q, %v", budget, workers, taken, line.Bytes, err)
					}
					if taken++; taken%97 != 1 {
						continue
					}
					synctest.Wait()
					waiting := int(computed.Load()) - taken
					if waiting*shortest > budget+longest {
						t.Errorf("budget %d, %d workers: %d lines of at least %d bytes wait", budget, workers, waiting, shortest)
					}
					if (waiting+1)*longest <= budget && taken+waiting < len(want) {
						t.Errorf("budget %d, %d workers: only %d lines of at most %d bytes wait", budget, workers, waiting, longest)
					}
				}
				if int(computed.Load()) != taken || taken != len(want) {
					t.Errorf("budget %d, %d workers: %d records and %d ticks, want %d", budget, workers, taken, computed.Load(), len(want))
				}
			})
		}
	}
}

// FuzzLines checks that the records are those of one worker, in their order, for any number
// of workers, any budget and any experiment.
func FuzzLines(f *testing.F) {
	f.Add(uint64(1), uint8(2), uint16(0), uint8(3), uint8(5), uint8(3))
	f.Add(uint64(2), uint8(7), uint16(2000), uint8(9), uint8(1), uint8(7))
	f.Fuzz(func(t *testing.T, seed uint64, workers uint8, budget uint16, runs, episodes, agents uint8) {
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":1,"actionVariables":1,"horizon":1},"sparseness":1}`))
		if err != nil {
			t.Fatal(err)
		}
		s.Seed, s.Runs, s.Episodes, s.Agents = int(seed>>12), 1+int(runs)%8, 1+int(episodes)%4, nil
		for k, name := range []string{"psrl", "f-psrl", "c-psrl"} {
			if agents>>k&1 == 1 {
				s.Agents = append(s.Agents, name)
			}
		}
		e, err := experiment.New(s)
		if err != nil {
			return
		}
		var want, got [][]byte
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, record.AppendRecord(nil, r))
		}
		for line, err := range Lines(t.Context(), Of(e), 1+int(workers)%16, int(budget), func() {}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, line.Bytes)
		}
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%d lines, want %d with the same bytes", len(got), len(want))
		}
	})
}

// When the reader stops or the context ends, all workers end, also those that wait. (A
// synctest bubble with a remaining goroutine panics.)
func TestLinesEnd(t *testing.T) {
	preset, _ := experiment.LookupPreset("fig1-quick")
	s := preset.Spec
	s.Runs = 40
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	reason := errors.New("enough")
	for _, stop := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			var last error
			n := 0
			for _, err := range Lines(ctx, Of(e), 16, 2000, func() {}) {
				last = err
				if n++; n == 3 {
					synctest.Wait()
					if stop {
						break
					}
					cancel(reason)
				}
			}
			if !stop && (last != reason || n != 4) || stop && (last != nil || n != 3) {
				t.Errorf("%v after %d lines", last, n)
			}
			cancel(nil)
		})
	}
}

// The error of a job ends the sequence after the lines of the jobs before it. In this
// experiment the true tables of some runs are too large.
func TestLinesFail(t *testing.T) {
	s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","stateVariables":1,"actionVariables":1,"values":300,"parents":"uniform","horizon":1},
		"prior":{"eta":0},"sparseness":2,"agents":["f-psrl"],"episodes":2,"runs":20,"seed":1}`))
	if err != nil {
		t.Fatal(err)
	}
	good := func(run int) bool {
		_, err := experiment.NewInstance(s, run)
		return err == nil
	}
	for !good(s.FirstRun) {
		s.FirstRun++
	}
	runs := 0
	for good(s.FirstRun + runs) {
		runs++
	}
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var last error
	for _, err := range Lines(t.Context(), Of(e), 3, 0, func() {}) {
		if last = err; err == nil {
			n++
		}
	}
	if n != runs*s.Episodes || last == nil || !strings.Contains(last.Error(), "the transition tables have more than") {
		t.Errorf("%d lines, then %v; want %d", n, last, runs*s.Episodes)
	}
}

// small returns a small experiment whose first run is not 0.
func small(t *testing.T, change func(*spec.Spec)) *experiment.Experiment {
	t.Helper()
	preset, _ := experiment.LookupPreset("fig1-quick")
	s := preset.Spec
	s.FirstRun, s.Runs, s.Episodes, s.Agents = 4, 3, 3, []string{"c-psrl", "c-psrl:eta=0"}
	change(s)
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// records returns the records of an experiment, which are the oracle.
func records(t *testing.T, e *experiment.Experiment) []*record.Record {
	t.Helper()
	var list []*record.Record
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// One list may hold the jobs of several experiments. A line tells its job, and the list is
// read only as far as jobs begin.
func TestSeveralExperiments(t *testing.T) {
	sweep := []*experiment.Experiment{
		small(t, func(*spec.Spec) {}),
		small(t, func(s *spec.Spec) { s.Seed, s.FirstRun, s.Agents = 9, 0, []string{"f-psrl"} }),
		small(t, func(s *spec.Spec) { s.Seed, s.Runs, s.Episodes = 10, 1, 2 }),
	}
	want := map[*experiment.Experiment][]byte{}
	var order []Job
	for _, e := range sweep {
		for _, r := range records(t, e) {
			want[e] = record.AppendRecord(want[e], r)
		}
		order = slices.AppendSeq(order, Of(e))
	}
	var read atomic.Int64
	list := func(yield func(Job) bool) {
		for _, j := range order {
			if read.Add(1); !yield(j) {
				return
			}
		}
	}
	for _, workers := range []int{1, 2, 5} {
		got := map[*experiment.Experiment][]byte{}
		at, n := 0, 0
		for line, err := range Lines(t.Context(), list, workers, 500, func() {}) {
			if err != nil {
				t.Fatal(err)
			}
			if n == order[at].Experiment.Spec().Episodes {
				at, n = at+1, 0
			}
			j, is := order[at], line.Job
			if n++; is.Experiment != j.Experiment || is.Run != j.Run || is.Arm.Label() != j.Arm.Label() {
				t.Fatalf("%d workers: a line is of run %d, %s, want run %d, %s", workers, is.Run, is.Arm.Label(), j.Run, j.Arm.Label())
			}
			got[is.Experiment] = append(got[is.Experiment], line.Bytes...)
		}
		for k, e := range sweep {
			if !bytes.Equal(got[e], want[e]) {
				t.Errorf("%d workers: the lines of experiment %d are\n%swant\n%s", workers, k, got[e], want[e])
			}
		}
	}
	// With a reader that takes one line, no more jobs begin than the workers can hold.
	synctest.Test(t, func(t *testing.T) {
		read.Store(0)
		for range Lines(t.Context(), list, 2, 0, func() {}) {
			synctest.Wait()
			break
		}
		if n := read.Load(); n < 1 || n > 2 {
			t.Errorf("2 workers began %d jobs", n)
		}
	})
	for range Lines(t.Context(), func(func(Job) bool) {}, 3, 0, func() {}) {
		t.Error("a list without jobs has a line")
	}
}
