package experiment_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/jobs"
	"cpsrl/core/record"
	"cpsrl/internal/small"
)

func walkOf(t *testing.T, agents, more string) *experiment.Experiment {
	t.Helper()
	return ready(t, small.Decode(t, small.Walk(30, agents, more)))
}

// walked returns the value of a walk that moves at the first steps only, or at random.
func walked(moves int) (best, random float64) {
	alive := 1.0
	v := make([]float64, 31) // by cell; that of a robot that is gone is 0
	for h := range 8 {
		if best += alive * float64(min(h, moves)); h < moves {
			alive *= .9
		}
		after := make([]float64, 31)
		for cell := range 30 {
			after[cell] = float64(cell) + (v[cell]+.9*v[min(cell+1, 30)])/2
		}
		v = after
	}
	return best, v[0]
}

// Where no list holds the states but few can occur, the true model is solved and records have an exact regret, whatever
// plans. Oracle: how far to walk is all there is to decide.
func TestReached(t *testing.T) {
	e := walkOf(t, `"optimal","f-psrl","c-psrl","greedy","random","constant","constant:action=1"`, `,"planner":"uct:100:8"`)
	if h := e.Header(); e.Unvalued() != "" || h.Version != 2 || h.Regret != "" || !strings.HasPrefix(h.ModelError, "not computed: S·A is 2147483648") {
		t.Errorf("%q, version %d: %q", e.Unvalued(), h.Version, h.ModelError)
	}
	optimum := math.Inf(-1)
	for moves := range 9 {
		value, _ := walked(moves)
		optimum = max(optimum, value)
	}
	all, random := walked(8)
	best, err := e.Optimum()
	if err != nil || math.Abs(best-optimum) > 1e-12 {
		t.Errorf("V⋆ = %v, want %v (%v)", best, optimum, err)
	}
	if v, err := e.Random(1); err != nil || math.Abs(v-random) > 1e-12 {
		t.Errorf("V(random) = %v, want %v (%v)", v, random, err)
	}
	sums := map[string]float64{}
	records := small.Run(t, e.Spec())
	for _, r := range records {
		if r.Valued == nil || r.Optimal != best || r.Regret != best-r.Value || r.Regret < -e.Rounding() || r.Value < 0 || r.Promise != nil || r.ModelError != nil {
			t.Fatalf("%s", record.AppendRecord(nil, r))
		}
		switch r.Agent {
		case "constant":
			if r.Value != 0 || r.Return != 0 {
				t.Errorf("to stay is worth %v and pays %v", r.Value, r.Return)
			}
		case "constant:action=1":
			if math.Abs(r.Value-all) > 1e-12 {
				t.Errorf("to walk is worth %v, want %v", r.Value, all)
			}
		}
		sums[r.Agent] += r.Regret
	}
	if len(records) != e.Records() || !(sums["optimal"] < .1*sums["random"]) {
		t.Errorf("%d records, regrets %v", len(records), sums)
	}
}

// Regret is exact: with more trials, the search in the true model comes as near to V⋆ as a policy can.
func TestReachedTrials(t *testing.T) {
	sums := map[string]float64{}
	for _, r := range small.Run(t, walkOf(t, `"optimal:planner=uct:3:8","optimal:planner=uct:2000:8"`, "").Spec()) {
		sums[r.Agent] += r.Regret
	}
	if few, many := sums["optimal:planner=uct:3:8"], sums["optimal:planner=uct:2000:8"]; !(few > 1 && many < .05) {
		t.Errorf("the regrets are %v", sums)
	}
}

// Any number of workers writes the same bytes, those of one.
func TestReachedWorkers(t *testing.T) {
	e := walkOf(t, `"f-psrl","c-psrl"`, `,"planner":"uct:20:8"`)
	for _, workers := range []int{1, 4} {
		var lines []byte
		for line, err := range jobs.Lines(context.Background(), jobs.Of(e), workers, 1<<20, func() {}) {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line.Bytes...)
		}
		if len(lines) == 0 || !bytes.Equal(lines, small.Encoded(small.Run(t, e.Spec()))) {
			t.Errorf("%d workers write other bytes", workers)
		}
	}
}

// A policy is asked only where it leads, so the cost is that of few decisions. What can occur is solved, however short the
// list of agents.
func TestReachedCost(t *testing.T) {
	e, vast := walkOf(t, `"f-psrl"`, `,"planner":"uct:100:8"`), ringOf(t, 30, `"f-psrl"`, `,"planner":"uct:100:8","episodes":3`)
	if vast.Unvalued() == "" || !(e.Cost() < 5*vast.Cost()) {
		t.Errorf("a cost of %v, and %v without values", e.Cost(), vast.Cost())
	}
}

// The problems of the gallery that no list holds are played by the agents of a spec that names none, which search. Only on
// the navigation is there a regret.
func TestLargeProblems(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	for key, valued := range map[string]bool{"sysadmin-20": false, "sysadmin-30": false, "game-of-life-4x4": false, "navigation-30": true} {
		e := ready(t, small.Decode(t, `{"format":"cpsrl/spec","version":7,"domain":{"name":"`+key+`"},"episodes":1,"runs":1}`))
		if got := e.Unvalued() == ""; got != valued {
			t.Errorf("%s: values are %q", key, e.Unvalued())
		}
		records := small.Run(t, e.Spec())
		if len(records) != 2 || records[1].Belief == nil || (records[0].Valued != nil) != valued {
			t.Errorf("%s: %d records", key, len(records))
		}
	}
}
