package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	_ "image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// table reads a summary: its comment lines and its rows.
func table(t *testing.T, text string) (comments []string, rows [][]string) {
	t.Helper()
	for strings.HasPrefix(text, "#") {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		comments = append(comments, line)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], ","); got != "agent,episode,mean,lo,hi,n" {
		t.Fatalf("the header is %q", got)
	}
	return comments, rows[1:]
}

// By hand, from records with known regrets. Two runs of PSRL
// with regrets 1, 2 and 3, 0 have cumulative regrets 1, 3 and 3, 3; the interval
// of (1, 3) is 2 ± t(0.975, 1)·√2/√2 with t = tan(0.475π) = 12.7062….
func TestSummary(t *testing.T) {
	path := file(t, "r.jsonl", `{"format":"cpsrl/records","version":1,"engine":1,"spec":{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["psrl"],"episodes":2,"runs":2}}
{"run":0,"agent":"psrl","episode":1,"optimal":5,"value":4,"regret":1,"return":0}
{"run":0,"agent":"psrl","episode":2,"optimal":5,"value":3,"regret":2,"return":0}
{"run":1,"agent":"psrl","episode":1,"optimal":5,"value":2,"regret":3,"return":0}
{"run":1,"agent":"psrl","episode":2,"optimal":5,"value":5,"regret":0,"return":0}`)
	comments, rows := table(t, ok(t, "summary", path))
	if len(rows) != 2 || rows[0][5] != "2" {
		t.Fatalf("rows %q", rows)
	}
	for k, want := range [][3]float64{{2, 2 - 12.706204736174694, 2 + 12.706204736174694}, {3, 3, 3}} {
		for c := range want {
			got, err := strconv.ParseFloat(rows[k][2+c], 64)
			if err != nil || got < want[c]-1e-9 || got > want[c]+1e-9 {
				t.Errorf("row %d is %q, want %v", k, rows[k], want)
			}
		}
	}
	all := strings.Join(comments, "\n")
	for _, part := range []string{"cumulative-regret", "t(0.975, n−1)", "engine 1", "fingerprint", `"name":"figure1"`} {
		if !strings.Contains(all, part) {
			t.Errorf("the comments do not contain %q", part)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// measured returns the number of records that have a measure, by agent.
func measured(t *testing.T, path string, of *results.Measure) map[string]int {
	t.Helper()
	n := map[string]int{}
	reader, err := results.NewReader(strings.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	truths := results.NewSummary(reader.Experiment)
	for line := range strings.Lines(strings.SplitAfterN(read(t, path), "\n", 2)[1]) {
		r, err := record.DecodeRecord([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if _, has := of.Of(r, truths.Truth(r.Run)); has {
			n[r.Agent]++
		}
	}
	return n
}

// least returns the least number of agents that have a curve of the measure: PSRL has no graph, and
// F-PSRL only one for each variable.
func least(of *results.Measure) int {
	if of.Key == "depth" {
		return 1
	}
	return 2
}

// With one run, lo and hi are empty.
func TestSummaryOfOneRun(t *testing.T) {
	records := ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "3", "-depth", "yes")
	path := file(t, "r.jsonl", records)
	for _, of := range results.Measures() {
		if of.End > 0 { // this problem has no ends
			continue
		}
		_, rows := table(t, ok(t, "summary", path, "-of", of.Key))
		agents := map[string]int{}
		for _, row := range rows {
			agents[row[0]]++
			if row[1] != strconv.Itoa(agents[row[0]]) || row[2] == "" || row[3] != "" || row[4] != "" || row[5] != "1" {
				t.Errorf("%s: row %q", of.Key, row)
			}
		}
		if want := measured(t, path, of); !maps.Equal(agents, want) || len(want) < least(of) || want["c-psrl"] != 3 {
			t.Errorf("%s: rows by agent %v, want %v", of.Key, agents, want)
		}
	}
	if r := cpsrlWith(t, records, "summary", "-"); r.status != statusOK || r.stdout != ok(t, "summary", path) {
		t.Error("standard input differs from the file")
	}
}

func TestPlot(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "-depth", "yes"))
	folder := t.TempDir()
	for ending, check := range map[string]func(*testing.T, string){".png": isPNG, ".svg": isSVG, ".pdf": isPDF, ".tex": isTeX} {
		out := filepath.Join(folder, "figure"+ending)
		ok(t, "plot", path, "-o", out)
		first := read(t, out)
		check(t, first)
		ok(t, "plot", path, "-o", out, "-of", "cumulative-regret")
		if read(t, out) != first {
			t.Errorf("the same records gave another %s", ending)
		}
		for _, of := range results.Measures()[1:] {
			if of.End > 0 { // this problem has no ends
				continue
			}
			ok(t, "plot", path, "-o", out, "-of", of.Key)
			if read(t, out) == first {
				t.Errorf("%s looks like cumulative regret", of.Key)
			}
		}
	}
	alone(t, folder, "figure.pdf", "figure.png", "figure.svg", "figure.tex")
}

// On standard output a figure has the bytes of the file; -as names its format there.
func TestPlotToStandardOutput(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "-runs", "2", "-episodes", "3"))
	folder := t.TempDir()
	for format := range painters {
		out, other := filepath.Join(folder, "f."+format), filepath.Join(folder, "f.data")
		ok(t, "plot", path, "-o", out)
		ok(t, "plot", path, "-o", other, "-as", format)
		want := read(t, out)
		if ok(t, "plot", path, "-o", "-", "-as", format) != want || read(t, other) != want {
			t.Errorf("%s differs from the file", format)
		}
		if svg := ok(t, "plot", path, "-o", "-"); (svg == want) != (format == "svg") {
			t.Errorf("without a format, standard output is a %.20q", svg)
		}
	}
	if figure := ok(t, "figure", path); figure != ok(t, "figure", path, "-o", "-") {
		t.Error("figure -o - differs")
	}
	if records := ok(t, "run", "-preset", "fig1-quick", "-runs", "2", "-episodes", "3", "-o", "-"); records != read(t, path) {
		t.Error("run -o - differs")
	}
	if _, err := os.Stat("-"); err == nil {
		t.Error(`there is a file "-"`)
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil || !isTerminal(terminal) {
		t.Skip("there is no terminal here")
	}
	defer terminal.Close()
	for _, format := range []string{"pdf", "png"} {
		var stderr bytes.Buffer
		status := run(context.Background(), []string{"plot", path, "-o", "-", "-as", format}, nil, terminal, &stderr)
		refused(t, result{status, "", stderr.String()}, "flag -o: a terminal cannot show a "+format)
	}
}

// A figure whose letters the fonts of PDF and PNG lack is refused in words; SVG and LaTeX have it.
func TestPlotOfLetters(t *testing.T) {
	model := change(coin, `"name":"coin"`, `"name":"محطة"`)
	spec := `{"format":"cpsrl/spec","version":2,"domain":{"name":"model","model":` + model + `},"agents":["psrl"],"episodes":2,"runs":2,"seed":1}`
	path := file(t, "r.jsonl", ok(t, "run", "-spec", file(t, "s.json", spec)))
	folder := t.TempDir()
	for _, ending := range []string{"pdf", "png"} {
		refused(t, cpsrl(t, "plot", path, "-o", filepath.Join(folder, "f."+ending)), "flag -o: the font of PDF and PNG lacks محطة, as in ", "SVG can show them")
	}
	ok(t, "plot", path, "-o", filepath.Join(folder, "f.svg"))
	ok(t, "plot", path, "-o", filepath.Join(folder, "f.tex"))
	ok(t, "plot", path, "-o", filepath.Join(folder, "f.pdf"), "-without", "title")
	alone(t, folder, "f.pdf", "f.svg", "f.tex")
}

// By hand, from the runs of two agents with known regrets, of which one learns. Some flags
// exclude each other.
func TestBands(t *testing.T) {
	lines := `{"format":"cpsrl/records","version":2,"engine":2,"spec":{"format":"cpsrl/spec","version":2,"domain":{"name":"figure1"},"agents":["psrl","psrl:dirichlet=2"],"episodes":2,"firstRun":7,"runs":3}}`
	for run, regrets := range [][4]int{{1, 2, 2, 0}, {3, 1, 0, 0}, {1, 3, 1, 2}} {
		for k, v := range regrets {
			lines += fmt.Sprintf("\n"+`{"run":%d,"agent":"%s","episode":%d,"optimal":5,"value":%d,"regret":%d,"return":0,"promise":0}`, 7+run, []string{"psrl", "psrl:dirichlet=2"}[k/2], k%2+1, 5-v, v)
		}
	}
	path := file(t, "r.jsonl", lines)
	for _, test := range []struct{ flags, want string }{
		{"-band quantiles", "agent,episode,median,q25,q75,least,most,n\npsrl,1,1,1,2,1,3,3\npsrl,2,4,3.5,4,3,4,3\npsrl:dirichlet=2,1,1,0.5,1.5,0,2,3\npsrl:dirichlet=2,2,2,1,2.5,0,3,3\n"},
		{"-band quantiles -of regret -paired psrl:dirichlet=2,psrl", "agent,episode,median,q25,q75,least,most,n\npsrl:dirichlet=2,1,0,-1.5,0.5,-3,1,3\npsrl:dirichlet=2,2,-1,-1.5,-1,-2,-1,3\n"},
		{"-band runs -of regret -paired psrl:dirichlet=2,psrl", "agent,run,episode,value\npsrl:dirichlet=2,7,1,1\npsrl:dirichlet=2,7,2,-2\npsrl:dirichlet=2,8,1,-3\npsrl:dirichlet=2,8,2,-1\npsrl:dirichlet=2,9,1,0\npsrl:dirichlet=2,9,2,-1\n"},
		{"-endings", "agent,run,episodes,final,learned\npsrl,7,2,3,\npsrl,8,2,4,\npsrl,9,2,4,\npsrl:dirichlet=2,7,2,2,2\npsrl:dirichlet=2,8,2,0,1\npsrl:dirichlet=2,9,2,3,\n"},
	} {
		text := ok(t, append([]string{"summary", path}, strings.Fields(test.flags)...)...)
		_, rows, _ := strings.Cut(text, "\nagent,")
		if rows = "agent," + rows; rows != test.want {
			t.Errorf("%s: %s, want %s", test.flags, text, test.want)
		}
	}
	// t(0.975, 2) = 4.302653: 11/3 ± 4.302653·(1/√3)/√3; the median of three draws of (3, 4, 4) is 3 in 7 of 27.
	final := ok(t, "summary", path, "-band", "final")
	for _, part := range []string{
		"\nagent,mean,mean_lo,mean_hi,median,median_lo,median_hi,iqm,iqm_lo,iqm_hi,n\npsrl,3.66666667,2.2324", ",5.1008", ",4,3,4,3.66666667,3,4,3\npsrl:dirichlet=2,1.66666667,",
		"\n# Learned: PSRL in 0 of 3 runs (0–71%), PSRL (α = 2) in 2 of 3 runs (9–99%).\n",
	} {
		if !strings.Contains(final, part) {
			t.Errorf("-band final: %s, want %q", final, part)
		}
	}
	if text := ok(t, "summary", path, "-endings"); !strings.Contains(text, "\n# Learned: PSRL in 0 of 3 runs (0–71%)") {
		t.Errorf("-endings: %s", text)
	}
	if text := ok(t, "summary", path, "-band", "final", "-of", "regret", "-paired", "psrl:dirichlet=2,psrl"); !strings.Contains(text, "\npsrl:dirichlet=2,-1.33333333,") || strings.Contains(text, "Learned") {
		t.Errorf("-band final -paired: %s", text)
	}
	for flags, says := range map[string]string{
		"-band quantiles -long":   "-band excludes -long and -endings",
		"-band runs -endings":     "-band excludes -long and -endings",
		"-endings -long":          "-endings excludes -long and -paired",
		"-endings -paired a,b":    "-endings excludes -long and -paired",
		"-band sd":                "expected one of interval, quantiles, runs",
		"-band quantiles -of hue": "-of",
		"-band learned":           "only figures have learned (cpsrl plot); -endings prints the numbers",
	} {
		refused(t, cpsrl(t, append([]string{"summary", path}, strings.Fields(flags)...)...), says)
	}
	// Dots are whole runs, and the caption says that records are missing.
	svg := filepath.Join(t.TempDir(), "f.svg")
	part := file(t, "part.jsonl", strings.Join(strings.Split(lines, "\n")[:10], "\n"))
	ok(t, "plot", part, "-band", "final", "-o", svg)
	if text := strings.ReplaceAll(read(t, svg), "\u00a0", " "); !strings.Contains(text, "Each dot is a run, n = 2, after its last episode") || !strings.Contains(text, "Incomplete: 9 of 12 records.") {
		t.Error(text)
	}
	refused(t, cpsrl(t, "plot", file(t, "one.jsonl", strings.Join(strings.Split(lines, "\n")[:2], "\n")), "-band", "final", "-o", svg), "no run is whole")
	for band, says := range map[string]string{"quantiles": "Lines are medians over n = 3 runs", "runs": "Each thin line is a run, n = 3", "final": "Each dot is a run, n = 3, after its last episode; bars are medians.", "learned": "bars are medians. An agent has learned after k episodes if"} {
		ok(t, "plot", path, "-band", band, "-o", svg)
		if text := strings.ReplaceAll(read(t, svg), "\u00a0", " "); !strings.Contains(text, says) {
			t.Errorf("%s: %s", band, text)
		}
		if lines := strings.Count(read(t, svg), `stroke-opacity="0.5"`); band == "runs" && lines != 6 || band != "runs" && lines != 0 {
			t.Errorf("%s: %d lines of runs", band, lines)
		}
	}
}

// With one run there are no bands, and the caption says so.
func TestPlotOfOneRun(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "-runs", "1", "-episodes", "1"))
	out := filepath.Join(t.TempDir(), "f.svg")
	ok(t, "plot", path, "-o", out)
	if !strings.Contains(read(t, out), "no bands") {
		t.Error("the caption does not say that there is one run")
	}
}

// isPNG looks for the three colours of the curves.
func isPNG(t *testing.T, content string) {
	img, _, err := image.Decode(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[color.NRGBA]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			seen[color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)] = true
		}
	}
	for _, c := range []color.NRGBA{{0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xff, 0xff, 0xff, 0xff}} {
		if !seen[c] {
			t.Errorf("there is no %v in the picture", c)
		}
	}
	if w := img.Bounds().Dx(); w < 1800 || w > 2000 {
		t.Errorf("the picture is %d wide", w)
	}
}

func isTeX(t *testing.T, content string) {
	if !strings.HasPrefix(content, "% Lines are means") || !strings.HasSuffix(content, "\\end{axis}\n\\end{tikzpicture}\n") || strings.Count(content, "\\addlegendentry{") < 1 {
		t.Errorf("%.200s", content)
	}
}

func isSVG(t *testing.T, content string) {
	d := xml.NewDecoder(strings.NewReader(content))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{`role="img"`, `<title>The example of Figure 1`, "n = 4", "t(0.975,", "#D55E00", "#0072B2", "#009E73"} {
		if !strings.Contains(strings.ReplaceAll(content, "\u00a0", " "), part) {
			t.Errorf("there is no %q in it", part)
		}
	}
	if !strings.Contains(content, `sans-serif"`) || strings.Contains(content, "NaN") {
		t.Error("its text names no generic font, or there is no number")
	}
}

func isPDF(t *testing.T, content string) {
	if !strings.HasPrefix(content, "%PDF-") || !bytes.Contains([]byte(content[len(content)-16:]), []byte("%%EOF")) {
		t.Error("no PDF")
	}
}

// Above the limit there is no model error, and the message says why.
func TestModelErrorSaysWhyNot(t *testing.T) {
	e, err := experiment.New(&spec.Spec{Domain: &domain.Figure1{}, Agents: []string{"psrl"}, Episodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	h := e.Header()
	h.ModelError = "S²A is too large"
	records := experiment.AppendHeader(nil, h)
	records = record.AppendRecord(records, &record.Record{Agent: "psrl", Episode: 1, Valued: &record.Valued{}})
	path := file(t, "r.jsonl", string(records))
	refused(t, cpsrl(t, "summary", path, "-of", "model-error"), path, "S²A is too large")
}
