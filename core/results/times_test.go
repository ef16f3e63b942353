package results_test

import (
	"math"
	"strings"
	"testing"

	"cpsrl/core/results"
	"cpsrl/internal/small"
)

// What is written is read back, and the sums are those by hand. Files that are of other records, or not whole, are refused.
func TestTimes(t *testing.T) {
	sp := specOf(t, `{"name":"figure1"}`, `,"agents":["psrl","c-psrl"],"episodes":2,"firstRun":3,"runs":2`)
	e := ready(t, sp)
	times := &results.Times{TimesHeader: results.TimesHeader{Engine: 2, Fingerprint: "abc", Clock: results.ProcessorTime, Machine: "an abacus"}, Of: []results.TimesOf{
		{Run: 3, Agent: "psrl", Seconds: []float64{1, 2}}, {Run: 3, Agent: "c-psrl", Seconds: []float64{0, 0.5}},
		{Run: 4, Agent: "psrl", Seconds: []float64{3, 4}}, {Run: 4, Agent: "c-psrl", Seconds: []float64{0.25, 0.25}},
	}}
	text := string(times.Encode())
	again, err := results.ReadTimes(strings.NewReader(text), e, "abc")
	if err != nil || string(again.Encode()) != text {
		t.Fatalf("%+v, %v", again, err)
	}
	for agent, want := range map[string][2]float64{"psrl": {2, 5}, "c-psrl": {0.125, 0.5}} {
		if got := again.Sums(agent); len(got) != 2 || !small.Close(got[0], want[0]) || !small.Close(got[1], want[1]) {
			t.Errorf("%s: %v, want %v", agent, got, want)
		}
	}
	for change, says := range map[string]string{
		`"abc"→"abd"`:                                              "these are the times of other records",
		`"processor"→"sun"`:                                        "processor or wall was expected",
		`"an abacus"→""`:                                           "a name of at most 100 bytes",
		`"version":1→"version":2`:                                  "version",
		`"seconds":[1,2]→"seconds":[1,-2]`:                         "is no time",
		`"seconds":[1,2]→"seconds":[1]`:                            "the times of psrl in run 3 in 2 episodes were expected",
		`"run":4,"agent":"psrl"→"run":4,"agent":"c-psrl"`:          "the times of psrl in run 4",
		`{"run":4,"agent":"c-psrl","seconds":[0.25,0.25]}` + "\n→": "the times of c-psrl in run 4 are missing",
		`[0.25,0.25]}→[0.25,0.25]}` + "\n{}":                       "the times end after those of 2 runs",
	} {
		from, to, _ := strings.Cut(change, "→")
		if _, err := results.ReadTimes(strings.NewReader(strings.Replace(text, from, to, 1)), e, "abc"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", change, err)
		}
	}
	if results.Microseconds(1.23456789) != 1.234568 || results.Microseconds(-1e-9) != 0 || math.Signbit(results.Microseconds(-1e-9)) {
		t.Error("seconds are rounded wrongly")
	}
}
