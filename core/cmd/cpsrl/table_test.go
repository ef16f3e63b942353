//go:build unix

package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cpsrl/core/results"
)

// rowsOf reads a table after its comments.
func rowsOf(t *testing.T, text string) [][]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Each row of the table is what cpsrl summary prints of the setting's file.
func TestTable(t *testing.T) {
	dir := t.TempDir()
	swept(t, append(strings.Fields(sixSettings), "-o", dir)...)
	files := settings(t, dir)
	for _, of := range []string{"cumulative-regret", "recall", "regret"} {
		text := ok(t, "table", dir, "-of", of)
		rows := rowsOf(t, text)
		if got := strings.Join(rows[0], ","); got != "sparseness,prior.eta,agent,measure,mean,lo,hi,n,learned" {
			t.Fatalf("the header is %s", got)
		}
		if len(rows)-1 != 3*len(content(t, dir)) || !strings.Contains(text, "# left out: 1 of 6 settings cannot run\n") {
			t.Errorf("%d rows after %s", len(rows)-1, text)
		}
		for _, row := range rows[1:] {
			path := files[row[0]+","+row[1]]
			want := []string{"", "", "", "0"}
			for _, line := range rowsOf(t, ok(t, "summary", path, "-of", of)) {
				if line[0] == row[2] && line[1] == "3" {
					want = line[2:]
				}
			}
			learned := 0
			for _, line := range rowsOf(t, ok(t, "summary", path, "-endings")) {
				if line[0] == row[2] && line[4] != "" {
					learned++
				}
			}
			if got := strings.Join(row[3:], ","); got != of+","+strings.Join(want, ",")+","+fmt.Sprint(learned) {
				t.Errorf("%q, want %s,%d", row, want, learned)
			}
		}
	}
	// With -band final, each row has what the summary says of the ends, and the interval of the share that has learned.
	ends := rowsOf(t, ok(t, "table", dir, "-band", "final"))
	if got := strings.Join(ends[0], ","); got != "sparseness,prior.eta,agent,measure,mean,mean_lo,mean_hi,median,median_lo,median_hi,iqm,iqm_lo,iqm_hi,n,learned,learned_lo,learned_hi" {
		t.Fatalf("the header is %s", got)
	}
	for _, row := range ends[1:] {
		text := ok(t, "summary", files[row[0]+","+row[1]], "-band", "final")
		for _, line := range rowsOf(t, text) {
			if line[0] == row[2] && strings.Join(line[1:], ",") != strings.Join(row[4:14], ",") {
				t.Errorf("%q, want %q", row, line)
			}
		}
		var learned, n int
		var lo, hi float64
		fmt.Sscan(strings.Join(row[13:], " "), &n, &learned, &lo, &hi)
		if words := results.OfRuns(learned, n); !strings.Contains(text, words) || !strings.Contains(words, fmt.Sprintf("(%.0f–%.0f%%)", 100*lo, 100*hi)) {
			t.Errorf("%q: %q is not in %s", row, words, text)
		}
	}
	// What is not there is counted; what is damaged or foreign is refused.
	os.Remove(files["2,2"])
	if text := ok(t, "table", dir); !strings.Contains(text, "# incomplete: 1 of 6 settings are not there\n") {
		t.Errorf("without a file: %s", text)
	}
	for says, damage := range map[string]string{
		"the file is not whole":                                  read(t, files["2,1"])[:2000],
		"the file holds other records than those of its setting": read(t, files["3,1"]),
		"line 1: a header":                                       "",
		"line 2":                                                 read(t, files["2,1"])[:strings.Index(read(t, files["2,1"]), "\n")+1] + "{}\n",
	} {
		if err := os.WriteFile(files["2,1"]+".new", []byte(damage), 0o666); err != nil {
			t.Fatal(err)
		}
		whole := read(t, files["2,1"])
		os.Rename(files["2,1"]+".new", files["2,1"])
		if says == "the file is not whole" && !strings.HasSuffix(damage, "\n") {
			says = files["2,1"]
		}
		if r := cpsrl(t, "table", dir); r.status != statusInvalid || !strings.Contains(r.stderr, says) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q", says, r.status, r.stderr)
		}
		os.WriteFile(files["2,1"], []byte(whole), 0o666)
	}
	for args, says := range map[string]string{
		"table nosuch":                     "there is no sweep in this folder",
		"table " + files["2,1"]:            "the folder of a sweep was expected",
		"plot DIR -o x.tex":                "the figure of a sweep can be an svg, pdf or png",
		"plot DIR -o x.svg -x seed":        `"seed" does not vary; it must be one of sparseness, prior.eta`,
		"plot DIR -o x.svg -band runs":     "the figure of a sweep has intervals",
		"plot DIR -o x.svg -heat z -x z":   "sparseness and sparseness vary together",
		"plot FILE -o x.svg -x z":          "-x and -heat are for the folder of a sweep",
		"plot DIR -o x.svg -of depth":      "there is no ln odds of the true parents to show: no record has it; records have it if -depth yes is set",
		"plot DIR -o x.svg -without names": "the curves of a sweep have no names",
	} {
		args = strings.NewReplacer("DIR", dir, "FILE", files["2,1"]).Replace(args)
		if r := cpsrl(t, strings.Fields(args)...); r.status != statusInvalid || !strings.Contains(r.stderr, says) {
			t.Errorf("%s: status %d, %q", args, r.status, r.stderr)
		}
	}
}

// The figures hold the table's means, as words and as numbers, and are the same twice.
func TestPlotSweep(t *testing.T) {
	dir := t.TempDir()
	swept(t, append(strings.Fields(sixSettings), "-o", dir)...)
	rows := rowsOf(t, ok(t, "table", dir))
	curves := ok(t, "plot", dir, "-o", "-")
	heat := ok(t, "plot", dir, "-heat", "eta", "-o", "-")
	for _, row := range rows[1:] {
		var mean float64
		fmt.Sscan(row[4], &mean)
		if want := fmt.Sprintf("%.4g at %s", mean, row[0]); !strings.Contains(curves, want) || !strings.Contains(heat, want) {
			t.Errorf("a figure does not say %q", want)
		}
		if number := fmt.Sprintf(">%.3g<", mean); !strings.Contains(heat, number) {
			t.Errorf("the heat map does not show %s", number)
		}
	}
	if again := ok(t, "plot", dir, "-x", "sparseness", "-o", "-"); again != curves {
		t.Error("the figure differs")
	}
	if n := strings.Count(curves, `stroke-width="1.75"`); n != 6 { // two panels of three agents
		t.Errorf("the figure has %d curves", n)
	}
	for _, name := range []string{"f.pdf", "f.png"} {
		path := filepath.Join(t.TempDir(), name)
		ok(t, "plot", dir, "-heat", "prior.eta", "-o", path)
		if info, err := os.Stat(path); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
