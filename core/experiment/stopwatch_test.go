package experiment_test

import (
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/internal/small"
)

// The clock goes on by 1 at each look, so a stretch of the agent's own work takes 1. An episode has two, with the first of which
// the agent is built; what lies between them is not the agent's. The records are those without a stopwatch.
func TestStopwatch(t *testing.T) {
	sp := small.All(t)["random"]
	e, now := ready(t, sp), 0.0
	watch := experiment.NewStopwatch(func() float64 { now++; return now })
	want := small.Run(t, sp)
	at := 0
	for run := sp.FirstRun; run < sp.FirstRun+sp.Runs; run++ {
		for _, a := range e.Arms() {
			for r, err := range e.PlayTimed(run, a, watch) {
				if err != nil {
					t.Fatal(err)
				}
				now += 1000 // the caller's own time
				if lap := watch.Lap(); lap != 2 {
					t.Errorf("%s, episode %d: %v", r.Agent, r.Episode, lap)
				}
				if got := small.Encoded(want[at : at+1]); string(got) != string(small.Encoded(append(want[:0:0], r))) {
					t.Errorf("the record is %s", got)
				}
				at++
			}
		}
	}
	if at != len(want) {
		t.Errorf("%d records", at)
	}
}
