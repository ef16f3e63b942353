package jobs_test

import (
	"bytes"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/jobs"
	"cpsrl/core/posterior"
	"cpsrl/internal/small"
)

// The number of workers changes no byte where variables are more than a machine word has bits: 100 machines and an action of 101
// values, or what a browser has room for.
func TestWide(t *testing.T) {
	machines := 100
	if posterior.MaxCells < 1<<26 {
		machines = 66
	}
	e, err := experiment.New(small.Decode(t, small.Ring(machines, `"c-psrl","f-psrl","optimal"`, `,"planner":"rollout:2:3","sparseness":2,"episodes":2`)))
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, workers := range []int{1, 4} {
		var got []byte
		for line, err := range jobs.Lines(t.Context(), jobs.Of(e), workers, jobs.MaxWaiting, func() {}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, line.Bytes...)
		}
		if want == nil {
			want = got
		}
		if records := bytes.Count(got, []byte("\n")); !bytes.Equal(got, want) || records != e.Records() {
			t.Errorf("%d workers: %d records, and the bytes are not those of one worker, or there should be %d", workers, records, e.Records())
		}
	}
}
