package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/results"
)

// ticking is a clock that goes on by a quarter of a second at each look. Each job begins and ends.
type ticking struct{ now, open, jobs float64 }

func (c *ticking) Begin() { c.open++ }
func (c *ticking) End()   { c.open--; c.jobs++ }
func (c *ticking) Now() float64 {
	c.now += 0.25
	return c.now
}

// Times are those of the clock: an episode has two stretches of the agent's own work, of one tick each. They change no byte of the
// records, and the figure has the point of each episode at their sum.
func TestTimes(t *testing.T) {
	preset, _ := experiment.LookupPreset("fig1-quick")
	s := preset.Spec.Clone()
	s.Episodes, s.Runs = 5, 2
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path, side := filepath.Join(folder, "r.jsonl"), filepath.Join(folder, "r.times")
	clock := &ticking{}
	h := &host{ctx: context.Background(), stderr: io.Discard, stdout: io.Discard, timing: &timing{path: side, clock: clock}}
	h.timing.Engine, h.timing.Clock, h.timing.Machine = 2, results.ProcessorTime, "an abacus"
	out, err := h.createRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.writeRecords(e, "", out, 1, &kept{}); err != nil {
		t.Fatal(err)
	}
	if err := h.writeTimes(); err != nil {
		t.Fatal(err)
	}
	if clock.open != 0 || clock.jobs != 6 {
		t.Errorf("%v jobs are open, %v have ended", clock.open, clock.jobs)
	}
	if want := ok(t, "run", "-preset", "fig1-quick", "-episodes", "5", "-runs", "2"); read(t, path) != want {
		t.Error("the records differ from those without a clock")
	}
	lines := strings.Split(read(t, side), "\n")
	if len(lines) != 8 || lines[6] != `{"run":1,"agent":"c-psrl","seconds":[0.5,0.5,0.5,0.5,0.5]}` {
		t.Errorf("the times are %q", lines)
	}
	for _, logs := range []string{"", "x"} {
		tex := ok(t, "plot", path, "-times", side, "-log", logs, "-as", "tex", "-o", "-")
		for k := 1; k <= 5; k++ {
			if n := strings.Count(tex, fmt.Sprintf("\n  (%v,", 0.5*float64(k))); n != 9 { // three lines, each with the two sides of its band
				t.Errorf("%d points of episode %d, want 9", n, k)
			}
		}
		if !strings.Contains(tex, "processor seconds of an agent in a run") || !strings.Contains(tex, "on an abacus. Seed") || strings.Contains(tex, "xmode={log}") != (logs == "x") {
			t.Errorf("the figure is %s", tex)
		}
		svg := ok(t, "plot", path, "-times", side, "-log", logs, "-o", "-")
		if n := strings.Count(svg, `text-anchor="middle"`); n < 3 {
			t.Errorf("%d ticks", n)
		}
	}
	other := file(t, "other.jsonl", ok(t, "run", "-preset", "fig1-quick", "-episodes", "5", "-runs", "2", "-seed", "8"))
	for args, says := range map[string]string{
		"plot " + other + " -times " + side + " -o -":           "these are the times of other records",
		"plot " + path + " -times " + side + " -of recall -o -": "flag -times: it excludes -of, -band",
		"plot " + path + " -times " + path + " -o -":            "r.jsonl",
		"run -preset fig1-quick -times x":                       "flag -machine: the name of this machine was expected",
		"run -preset fig1-quick -machine x":                     "flag -machine: it is for -times",
		"run -preset fig1-quick -times x -machine x -resume":    "-times and -resume exclude each other",
	} {
		refused(t, cpsrl(t, strings.Fields(args)...), says)
	}
}

// With the command's own clock, the file has a line for each run and agent, and its figure can be drawn.
func TestTimesOfRun(t *testing.T) {
	folder := t.TempDir()
	path, side := filepath.Join(folder, "r.jsonl"), filepath.Join(folder, "r.times")
	ok(t, "run", "-preset", "fig1-quick", "-o", path, "-times", side, "-machine", "this one", "-workers", "3")
	text := read(t, side)
	if !strings.Contains(text, `"clock":"`+clockName+`","machine":"this one"`) || strings.Count(text, "\n") != 13 {
		t.Errorf("the times are %.300q", text)
	}
	ok(t, "plot", path, "-times", side, "-o", filepath.Join(folder, "f.svg"))
}
