package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// others is a file of another program with two runs and known regrets.
const others = `{"label":"ucrl","run":0,"episode":1,"regret":1}
{"label":"ucrl","run":0,"episode":2,"regret":2}
{"label":"ucrl","run":1,"episode":1,"regret":3}
{"label":"ucrl","run":1,"episode":2,"regret":0}
`

// returned is a file of returns in the other notation.
const returned = "label,run,episode,return\npsrl,0,1,1\n\"a, b_c\",0,1,-1\n"

// The results of other programs stand in the table beside ours. By hand, as in TestSummary: means 2
// and 3, and the interval of (1, 3).
func TestSummaryWith(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-domain", "taxi", "-grid", "3x3", "-agents", "psrl,c-psrl", "-episodes", "3", "-runs", "2"))
	ucrl := file(t, "ucrl.jsonl", others)
	alone, _ := table(t, ok(t, "summary", path))
	comments, rows := table(t, ok(t, "summary", path, "-with", ucrl))
	got := map[string][]string{}
	for _, row := range rows {
		got[row[0]+" "+row[1]] = row
	}
	if len(rows) != 8 {
		t.Fatalf("%d rows", len(rows))
	}
	for episode, want := range []float64{2, 3} {
		row := got[fmt.Sprintf("ucrl (other program) %d", episode+1)]
		mean, _ := strconv.ParseFloat(row[2], 64)
		lo, _ := strconv.ParseFloat(row[3], 64)
		if mean != want || math.Abs(lo-[]float64{2 - 12.706204736174694, 3}[episode]) > 1e-9 || row[5] != "2" {
			t.Errorf("%q", row)
		}
	}
	if all := strings.Join(comments, "\n"); !strings.Contains(all, "Of other programs and not computed here: ucrl (2 runs).") || !strings.Contains(all, "ucrl (other program) 3") {
		t.Error(all)
	}
	// Fingerprint, link and spec are the same.
	for _, line := range alone {
		if strings.HasPrefix(line, "# fingerprint ") || strings.HasPrefix(line, "# link ") || strings.HasPrefix(line, "# spec ") {
			if !strings.Contains("\n"+strings.Join(comments, "\n")+"\n", "\n"+line+"\n") {
				t.Errorf("with another program, %q is not there", line)
			}
		}
	}
	// The regret of returns is V* − return: the taxi has one true model, whose V* the records hold.
	best := strings.Split(ok(t, "summary", path, "-long"), "\n")
	optimal := ""
	for _, line := range best {
		if strings.HasPrefix(line, "0,psrl,1,") {
			optimal = strings.Split(line, ",")[3]
		}
	}
	v, err := strconv.ParseFloat(optimal, 64)
	if err != nil {
		t.Fatal(err)
	}
	_, rows = table(t, ok(t, "summary", path, "-of", "regret", "-with", file(t, "q.csv", returned)))
	for _, row := range rows {
		want, is := map[string]float64{"psrl (other program)": v - 1, "a, b_c (other program)": v + 1}[row[0]]
		if mean, _ := strconv.ParseFloat(row[2], 64); is && mean != want {
			t.Errorf("%q, want %v", row, want)
		}
	}
	if n := len(rows); n != 8 {
		t.Errorf("%d rows", n)
	}
}

// A difference with another program is that of the means: by hand C-PSRL − ucrl from the table.
func TestSummaryApart(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-domain", "figure1", "-agents", "psrl,c-psrl", "-episodes", "3", "-runs", "3"))
	ucrl := file(t, "ucrl.jsonl", others+`{"label":"psrl","run":0,"episode":1,"regret":1}`)
	_, rows := table(t, ok(t, "summary", path, "-with", ucrl))
	mean := map[string]float64{}
	for _, row := range rows {
		mean[row[0]+" "+row[1]], _ = strconv.ParseFloat(row[2], 64)
	}
	text := ok(t, "summary", path, "-with", ucrl, "-paired", "c-psrl,ucrl")
	if !strings.Contains(text, "not paired") || !strings.Contains(text, "Welch") || !strings.Contains(text, "\nagent,episode,mean,lo,hi,n,m\nC-PSRL,1,") {
		t.Fatal(text)
	}
	_, rest, _ := strings.Cut(text, "lo,hi,n,m\n")
	lines := strings.Split(strings.TrimSpace(rest), "\n")
	if len(lines) != 2 {
		t.Fatal(rest)
	}
	for k, line := range lines {
		cells := strings.Split(line, ",")
		got, _ := strconv.ParseFloat(cells[2], 64)
		if want := mean[fmt.Sprintf("c-psrl %d", k+1)] - mean[fmt.Sprintf("ucrl (other program) %d", k+1)]; got != want || cells[5] != "3" || cells[6] != "2" {
			t.Errorf("%q, want %v", line, want)
		}
	}
	// Of two of our own, the difference is by run, as without the file. A label of both is ours, unless it says so.
	if a, b := ok(t, "summary", path, "-paired", "c-psrl,psrl"), ok(t, "summary", path, "-with", ucrl, "-paired", "c-psrl,psrl"); a != b {
		t.Errorf("%s\n%s", a, b)
	}
	if text := ok(t, "summary", path, "-with", ucrl, "-paired", "other:psrl,psrl"); !strings.Contains(text, "psrl (other program) minus PSRL") {
		t.Error(text)
	}
}

// Another program is in figures of every format and band, in words, and its look is no agent's.
func TestPlotWith(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-domain", "figure1", "-agents", "psrl,c-psrl", "-episodes", "3", "-runs", "2"))
	ucrl := file(t, "ucrl.jsonl", strings.ReplaceAll(others, "ucrl", "my_ucrl"))
	for _, band := range []string{"interval", "quantiles", "runs", "final"} {
		svg := ok(t, "plot", path, "-with", ucrl, "-band", band, "-o", "-")
		if !strings.Contains(svg, "my ucrl (other program)") || !strings.Contains(svg, "not computed here") || !strings.Contains(svg, "#707070") {
			t.Errorf("%s: %s", band, svg)
		}
	}
	tex := ok(t, "plot", path, "-with", ucrl, "-o", "-", "-as", "tex")
	if !strings.Contains(tex, `\addlegendentry{my ucrl (other program)}`) || !strings.Contains(tex, "{HTML}{707070}") || !strings.Contains(tex, "line width=0.7pt") {
		t.Error(tex)
	}
	if svg := ok(t, "plot", path, "-with", ucrl, "-of", "recall", "-o", "-"); !strings.Contains(svg, "tells only its regret") || strings.Contains(svg, "#707070") {
		t.Error("a recall of another program")
	}
	if ok(t, "plot", path, "-with", ucrl, "-as", "pdf", "-o", t.TempDir()+"/x.pdf") != "" {
		t.Error("words")
	}
	ok(t, "verify", path) // the records are the same
}

func TestWithRefused(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-domain", "figure1", "-agents", "psrl,c-psrl", "-episodes", "3", "-runs", "2"))
	drawn := file(t, "d.jsonl", ok(t, "run", "-preset", "fig2a", "-agents", "psrl", "-episodes", "2", "-runs", "2"))
	ucrl, q := file(t, "ucrl.jsonl", others), file(t, "q.csv", returned)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"summary", path, "-with", file(t, "bad.jsonl", others+"{}")}, "bad.jsonl: line 5: "},
		{[]string{"plot", path, "-with", file(t, "bad.csv", "a,b"), "-o", "-"}, "bad.csv: line 1: "},
		{[]string{"summary", path, "-with", path}, `in the format "cpsrl/records"`},
		{[]string{"summary", path, "-with", "/nowhere"}, "results of another program was expected, but the file cannot be read"},
		{[]string{"summary", path, "-with", ucrl, "-with", ucrl}, `two files have results of "ucrl"`},
		{[]string{"summary", path, "-with", ucrl, "-long"}, "-with excludes"},
		{[]string{"summary", path, "-with", ucrl, "-endings"}, "-with excludes"},
		{[]string{"summary", path, "-with", ucrl, "-paired", "psrl,q"}, `"q" is none of the agents, psrl, c-psrl, and none of the other programs, ucrl`},
		{[]string{"summary", path, "-with", ucrl, "-paired", "ucrl,ucrl"}, "itself is 0"},
		{[]string{"summary", path, "-with", ucrl, "-paired", "ucrl"}, "is not two labels"},
		{[]string{"summary", path, "-with", ucrl, "-paired", "c-psrl,ucrl", "-of", "recall"}, "there is no recall of the sampled graph"},
		{[]string{"summary", path, "-with", ucrl, "-paired", "c-psrl,ucrl", "-band", "runs"}, "no difference by run"},
		{[]string{"summary", drawn, "-with", q, "-paired", "psrl,other:psrl"}, "each run has a true model and a V* of its own"},
	} {
		refused(t, cpsrl(t, c.args...), c.says)
	}
}
