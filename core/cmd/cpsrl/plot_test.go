package main

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// The depth of the trap is drawn against the episode on a linear or a logarithmic axis, with a line for each run if that is
// asked for. Records without it say how to get it.
func TestPlotDepth(t *testing.T) {
	deep := file(t, "deep.jsonl", ok(t, "run", "-preset", "fig1-quick", "-depth", "yes"))
	svg := ok(t, "plot", deep, "-of", "depth", "-band", "runs", "-log", "x", "-o", "-")
	for _, words := range []string{">ln odds of the true parents<", ">episode k (log)<", ">C-PSRL<"} {
		if !strings.Contains(svg, words) {
			t.Errorf("the figure has no %s", words)
		}
	}
	if n := strings.Count(ok(t, "plot", deep, "-of", "depth", "-band", "runs", "-as", "tex", "-o", "-"), "line width=0.3pt"); n != 4 {
		t.Errorf("%d lines of runs, want 4", n)
	}
	if linear := ok(t, "plot", deep, "-of", "depth", "-o", "-"); !strings.Contains(linear, ">episode k<") {
		t.Error("without -log x, the axis is not linear")
	}
	if tex := ok(t, "plot", deep, "-of", "regret", "-log", "x,y", "-as", "tex", "-o", "-"); !strings.Contains(tex, "xmode={log}") || !strings.Contains(tex, "ymode={log}") {
		t.Errorf("the axes are not logarithmic: %s", tex)
	}
	refused(t, cpsrl(t, "plot", deep, "-of", "depth", "-log", "y", "-o", "-"), "flag -log: ", "may be below 0")
	refused(t, cpsrl(t, "plot", deep, "-log", "z", "-o", "-"), "flag -log: x, y or x,y was expected")
	plain := file(t, "plain.jsonl", ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2"))
	refused(t, cpsrl(t, "plot", plain, "-of", "depth", "-o", "-"), "records have it if -depth yes is set")
	shallow := file(t, "shallow.jsonl", ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "2", "-agents", "psrl", "-depth", "yes"))
	if r := cpsrl(t, "plot", shallow, "-of", "depth", "-o", "-"); r.status != statusInvalid || strings.Contains(r.stderr, "is set") {
		t.Errorf("an agent without a graph: %q", r.stderr)
	}
}

// The diagram has a dot for each bin with edges, the counts of all bins, and a caption. Oracle: the table of the same records.
func TestPlotReliability(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick"))
	summary := csv.NewReader(strings.NewReader(ok(t, "summary", path, "-reliability", "-agent", "c-psrl", "-episode", "9")))
	summary.Comment = '#'
	rows, err := summary.ReadAll()
	if err != nil || len(rows) != 11 || strings.Join(rows[0], ",") != "agent,episode,from,to,p,share,lo,hi,true,n" {
		t.Fatalf("%v, %v", rows, err)
	}
	tex := ok(t, "plot", path, "-reliability", "-episode", "9", "-as", "tex", "-o", "-")
	dots := 0
	for _, row := range rows[1:] {
		if !strings.Contains(tex, "{"+row[9]+"};") {
			t.Errorf("the figure does not count %s edges", row[9])
		}
		if row[9] == "0" {
			if row[4]+row[5]+row[6]+row[7] != "" {
				t.Errorf("an empty bin: %q", row)
			}
			continue
		}
		dots++
		var v [4]float64
		for k := range v {
			if v[k], err = strconv.ParseFloat(row[4+k], 64); err != nil {
				t.Fatal(err)
			}
		}
		if dot := fmt.Sprintf("(%.6g,%.6g) += (0,%.6g) -= (0,%.6g)", v[0], v[1], v[3]-v[1], v[1]-v[2]); !strings.Contains(tex, dot) {
			t.Errorf("the figure has no %s", dot)
		}
	}
	if n := strings.Count(tex, "+="); n != dots || dots < 3 {
		t.Errorf("%d dots, want %d", n, dots)
	}
	svg := ok(t, "plot", path, "-reliability", "-o", "-")
	for _, words := range []string{">P(edge)<", ">share of edges in the true graph<", "after 60 episodes of 4", "Left out: 16"} {
		if !strings.Contains(strings.ReplaceAll(svg, "\u00a0", " "), words) {
			t.Errorf("the figure has no %q", words)
		}
	}
	if bare := ok(t, "plot", path, "-reliability", "-without", "title,caption", "-o", "-"); strings.Contains(bare, "Clopper") || strings.Contains(bare, "Figure 1") {
		t.Error("the figure has a title or a caption")
	}
	for args, says := range map[string]string{
		"plot FILE -o - -agent c-psrl":                    "-agent and -episode are for -reliability",
		"plot FILE -o - -reliability -log x":              "flag -reliability: it excludes -band, -log",
		"plot FILE -o - -reliability -agent psrl":         "PSRL has no belief about edges",
		"plot FILE -o - -reliability -agent f-psrl":       "f-psrl is certain of every edge",
		"plot FILE -o - -reliability -agent c-psrl:eta=3": "is none of the agents",
		"plot FILE -o - -reliability -episode 61":         "there is no episode 61; episodes are 1 to 60",
		"summary FILE -reliability -long":                 "it excludes -long",
		"summary FILE -episode 3":                         "-agent and -episode are for -reliability",
	} {
		refused(t, cpsrl(t, strings.Fields(strings.ReplaceAll(args, "FILE", path))...), says)
	}
}
