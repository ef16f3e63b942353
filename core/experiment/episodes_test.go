package experiment_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/strict"
	"cpsrl/internal/small"
)

// Oracle: Trace, which plays the run again for each episode.
func TestEpisodes(t *testing.T) {
	for name, sp := range small.All(t) {
		e, run := ready(t, sp), sp.FirstRun+sp.Runs-1
		for _, label := range sp.Agents {
			episodes, err := e.Episodes(t.Context(), run, label, sp.Episodes)
			if err != nil {
				t.Fatal(err)
			}
			k := 0
			for got, err := range episodes {
				if err != nil {
					t.Fatal(err)
				}
				k++
				at := fmt.Sprintf("%s, %s, episode %d", name, label, k)
				trace, err := e.Trace(t.Context(), run, label, k)
				if err != nil {
					t.Fatal(err)
				}
				if again, err := record.DecodeEpisode(strict.AppendLine(nil, got), trace.Space(), trace.Horizon); err != nil || !reflect.DeepEqual(again, got) {
					t.Fatalf("%s does not read back: %v", at, err)
				}
				checkEpisode(t, at, got, trace)
			}
			if k != sp.Episodes {
				t.Errorf("%s, %s: %d episodes, want %d", name, label, k, sp.Episodes)
			}
		}
	}
}

// Oracle: Trace. The traces are compared at the end, so that a trace that the next episode changes is found.
func TestTell(t *testing.T) {
	for name, sp := range small.All(t) {
		e := ready(t, sp)
		for _, label := range sp.Agents {
			odd := func(k int) bool { return k%2 == 1 }
			told, err := e.Tell(t.Context(), sp.FirstRun, label, sp.Episodes, odd)
			if err != nil {
				t.Fatal(err)
			}
			var traces []*record.Trace
			k := 0
			for got, err := range told {
				if err != nil {
					t.Fatal(err)
				}
				if k++; (got.Trace != nil) != odd(k) {
					t.Errorf("%s, %s, episode %d: a trace: %v", name, label, k, got.Trace != nil)
				}
				if got.Trace != nil {
					traces = append(traces, got.Trace)
				}
			}
			for _, got := range traces {
				want, err := e.Trace(t.Context(), sp.FirstRun, label, got.Episode)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(strict.AppendLine(nil, got), strict.AppendLine(nil, want)) {
					t.Errorf("%s, %s, episode %d: the trace differs from that of a run of its own", name, label, got.Episode)
				}
			}
		}
	}
}

func checkEpisode(t *testing.T, at string, got *record.Episode, want *record.Trace) {
	t.Helper()
	if steps := got.Steps(want.Space()); !reflect.DeepEqual(steps, want.Steps) {
		t.Errorf("%s: the steps are\n%v, traced\n%v", at, steps, want.Steps)
	}
	if !reflect.DeepEqual(got.Record, want.Record) {
		t.Errorf("%s: the record is\n%+v, traced\n%+v", at, got.Record, want.Record)
	}
	if len(got.Before) != len(want.Before) {
		t.Fatalf("%s: the belief before is of %d variables, traced %d", at, len(got.Before), len(want.Before))
	}
	for j, edges := range got.Before {
		for i, p := range edges {
			if math.Abs(p-want.Before[j].Edges[i]) > 0.5e-4+1e-12 {
				t.Errorf("%s: edge %d→%d is %v before, traced %v", at, i, j, p, want.Before[j].Edges[i])
			}
		}
	}
}

// Episodes has the errors of Trace, and refuses too many numbers before it plays.
func TestEpisodesErrors(t *testing.T) {
	sp := small.All(t)["taxi"] // runs 7 and 8
	for _, c := range []struct {
		run         int
		agent       string
		last        int
		place, says string
	}{
		{6, "psrl", 1, "/runs", "there is no run 6; runs are 7 to 8"},
		{7, "q-learning", 1, "/agents", `there is no agent "q-learning"`},
		{7, "psrl", 0, "/episodes", "there is no episode 0; episodes are 1 to 2"},
		{7, "psrl", 3, "/episodes", "there is no episode 3; episodes are 1 to 2"},
	} {
		_, err := ready(t, sp).Episodes(t.Context(), c.run, c.agent, c.last)
		wantInvalid(t, "episodes", err, c.place, c.says)
	}
	long := ready(t, specOf(t, `{"name":"figure1","horizon":8192}`, `,"agents":["psrl"],"episodes":2000`))
	_, err := long.Episodes(t.Context(), 0, "psrl", 2000)
	wantInvalid(t, "episodes", err, "/episodes", "2000 episodes would list 16408 numbers each, steps and edges, more than 16777216 in all")
	if _, err := long.Episodes(t.Context(), 0, "psrl", experiment.MaxTold/16408); err != nil {
		t.Errorf("as many as may be told: %v", err)
	}
}

// With a context that ends after three checks, Episodes yields three episodes and then the
// error of the context.
func TestEpisodesEnd(t *testing.T) {
	e := ready(t, specOf(t, `{"name":"figure1"}`, `,"agents":["psrl"],"episodes":100`))
	episodes, err := e.Episodes(&leaving{t.Context(), 3}, 0, "psrl", 100)
	if err != nil {
		t.Fatal(err)
	}
	k := 0
	for _, err = range episodes {
		if err == nil {
			k++
		}
	}
	if k != 3 || err != context.Canceled {
		t.Errorf("%d episodes, then %v", k, err)
	}
}
