package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// The link of every preset is short, opens to the same spec, and gives the same records.
func TestShareLink(t *testing.T) {
	for _, p := range experiment.Presets() {
		link := strings.TrimSpace(ok(t, "link", "-preset", p.Name))
		if len(link) > 220 || len(link) > 120 && !p.Gallery && p.Name != "eta" && p.Name != "eta-quick" {
			t.Errorf("%s: %d characters", p.Name, len(link))
		}
		url := strings.TrimSpace(ok(t, "link", "-preset", p.Name, "-base", "https://example.org/x/?embed=1#old"))
		if url != "https://example.org/x/?embed=1#"+link {
			t.Errorf("%s: %s", p.Name, url)
		}
		l, err := spec.ReadLink(url)
		if err != nil || string(spec.Encode(l.Spec)) != string(spec.Encode(p.Spec)) {
			t.Errorf("%s: the link opens to something else: %v", p.Name, err)
		}
		if again := ok(t, "link", "-link", url); again != link+"\n" {
			t.Errorf("%s: not canonical: %s", p.Name, again)
		}
	}
	if r := cpsrl(t, "prior", "-preset", "fig1", "-bound", "below"); r.status != statusOK || !strings.Contains(r.stderr, "need -bound below again") {
		t.Errorf("a prior with a bound: status %d, %q", r.status, r.stderr)
	}
	// A link keeps its receipt, its view and what this version does not know.
	receipt := "receipt=2-" + strings.Repeat("ab", 32)
	for args, want := range map[string]string{
		"":             "https://a.b/#v=1&" + receipt + "&later=1&domain=figure1&episodes=60&runs=4&measure=recall&log=y",
		" -episodes 9": "https://a.b/#v=1&later=1&domain=figure1&episodes=9&runs=4&measure=recall&log=y",
	} {
		r := cpsrl(t, append([]string{"link", "-base", "https://a.b/", "-link", "v=1&" + receipt + "&domain=figure1&episodes=60&runs=4&log=y&measure=recall&later=1"}, strings.Fields(args)...)...)
		if r.stdout != want+"\n" || strings.Contains(r.stderr, "the receipt is left out") != (args != "") {
			t.Errorf("%s: %s%s", args, r.stdout, r.stderr)
		}
	}
	// What does not suit the new parameters is left out.
	if got := ok(t, "link", "-link", "v=1&domain=figure1&episodes=60&runs=4&watch=0,50", "-episodes", "9"); got != "v=1&domain=figure1&episodes=9&runs=4\n" {
		t.Error(got)
	}
	url := strings.TrimSpace(ok(t, "link", "-preset", "fig1-quick", "-base", "https://example.org/"))
	if ok(t, "run", "-link", url) != ok(t, "run", "-preset", "fig1-quick") {
		t.Error("the link runs to something else than the preset")
	}
	if ok(t, "trace", "-link", url, "-episode", "2") != ok(t, "trace", "-preset", "fig1-quick", "-episode", "2") {
		t.Error("the link's trace is not the preset's")
	}
	r := cpsrl(t, "run", "-link", url+"&later=1", "-episodes", "1", "-runs", "1")
	if r.status != statusOK || !strings.Contains(r.stderr, "does not know of the link: later") {
		t.Errorf("unknown keys: status %d, %q", r.status, r.stderr)
	}
	refused(t, cpsrl(t, "trace", "-link", url+"&later=1", "-agent", "c-psrl:eta=1"), "none of the agents", "does not know of the link: later")
	for _, bad := range []string{"https://example.org/", "v=8&domain=taxi", "v=1&domain=taxi&runs=1000000000"} {
		refused(t, cpsrl(t, "run", "-link", bad), "flag -link")
	}
	refused(t, cpsrl(t, "run", "-link", url, "-preset", "fig1"), "exclude each other")
	// What programs did to a link on its way is undone and said, also beside other remarks.
	canonical := strings.TrimSpace(ok(t, "link", "-link", url))
	for _, c := range []struct{ args, link, out, says string }{
		{"link -link", strings.ReplaceAll(url, "&", "&amp;") + ").", canonical, "cpsrl: the link was changed on its way: &amp; is read as &; what stands behind it is left out\n"},
		{"link -link", strings.Replace(url, "#", "?", 1), canonical, "cpsrl: the link was changed on its way: the query is read as the fragment\n"},
		{"verify -link", strings.ReplaceAll(url, "&", "&amp;"), "", "the link has no receipt"},
		{"model -link", url + "&amp;later=1", ok(t, "model", "-link", url), "&amp; is read as &; this version passes over what it does not know of the link: later\n"},
	} {
		r := cpsrl(t, append(strings.Fields(c.args), c.link)...)
		if !strings.Contains(r.stderr, c.says) || strings.TrimSpace(r.stdout) != strings.TrimSpace(c.out) {
			t.Errorf("cpsrl %s %q: %+v", c.args, c.link, r)
		}
	}
}

// Every field of a spec has a flag. Oracle: the links of version 1, by hand.
func TestFlagsOfEveryField(t *testing.T) {
	help := ok(t, "help", "run")
	for _, p := range spec.Keys() {
		if !strings.Contains(help, "\n  -"+p.Key+" ") {
			t.Errorf("cpsrl help run has no flag -%s", p.Key)
		}
	}
	for flags, want := range map[string]string{
		"-domain random-fmdp -states 3 -actions 2 -values 4 -parents uniform -horizon 7 -scopes tied -eta 1 -z 2 -agents psrl,c-psrl:eta=1 " +
			"-episodes 9 -first 3 -runs 2 -seed 5 -bound below -update printed -rewards learned": "v=1&agents=psrl,c-psrl:eta=1&domain=random-fmdp&eta=1&" +
			"states=3&actions=2&values=4&parents=uniform&horizon=7&z=2&episodes=9&first=3&runs=2&seed=5&bound=below&update=printed&rewards=learned",
		"-domain taxi -grid 3x3 -episodes 400 -runs 20 -seed 1":            "v=1&domain=taxi&grid=3x3",
		"-seed 1 -runs 20 -episodes 400 -horizon 7 -domain figure1 -eta 0": "v=1&domain=figure1&eta=0&horizon=7",
		"-domain taxi -tables tied -dirichlet mix:1:.1 -seed 1 -runs 1":    "v=3&domain=taxi&episodes=100&runs=1&dirichlet=mix:0.1:1&tables=tied",
		"-preset fig2c -horizon 11":                                        "v=1&domain=taxi&grid=3x3&horizon=11",
	} {
		if got := ok(t, append([]string{"link"}, strings.Fields(flags)...)...); got != want+"\n" {
			t.Errorf("%s\n got %swant %s", flags, got, want)
		}
	}
}

// Verify reproduces the records of a file and of a link with a receipt, and says how other
// records differ.
func TestVerify(t *testing.T) {
	records := ok(t, "run", "-preset", "fig1-quick", "-runs", "2", "-episodes", "4")
	path := file(t, "r.jsonl", records)
	link := strings.TrimSpace(ok(t, "link", "-receipt", path))
	if link != strings.TrimSpace(ok(t, "link", "-preset", "fig1-quick", "-runs", "2", "-episodes", "4", "-receipt", path)) {
		t.Error("the file's link is not that of its spec")
	}
	for _, args := range [][]string{{path}, {"-link", link}, {"-link", "https://example.org/#" + link, "-workers", "1"}} {
		if out := ok(t, append([]string{"verify"}, args...)...); !strings.HasPrefix(out, "reproduced bit for bit: 24 records, fingerprint ") || !strings.Contains(link, strings.Fields(out)[7]) {
			t.Errorf("verify %q: %q", args, out)
		}
	}
	lines := strings.SplitAfter(records, "\n")
	if out := ok(t, "verify", file(t, "part.jsonl", strings.Join(lines[:8], ""))); !strings.HasPrefix(out, "reproduced bit for bit: the first 7 of 24 records") {
		t.Errorf("of a part: %q", out)
	}
	changed := func(at int, old, new string) string {
		list := append([]string(nil), lines...)
		if list[at] = strings.Replace(list[at], old, new, 1); list[at] == lines[at] {
			t.Fatalf("no %s in %s", old, lines[at])
		}
		return file(t, "changed.jsonl", strings.Join(list, ""))
	}
	other := strings.Replace(link, "receipt=2-", "receipt=2-"+strings.Repeat("0", 64)+"&domain=figure1&x=", 1)
	other = other[:strings.Index(other, "&domain")] + "&domain=figure1&episodes=4&runs=2"
	// The same records are reproduced even if the engine version differs.
	for _, args := range [][]string{{changed(0, `"engine":2`, `"engine":7`)}, {"-link", strings.Replace(link, "receipt=2-", "receipt=7-", 1)}} {
		if out := ok(t, append([]string{"verify"}, args...)...); !strings.HasPrefix(out, "reproduced bit for bit: 24 records, fingerprint ") || !strings.HasSuffix(out, ", although they are of engine version 7 and this is version 2\n") {
			t.Errorf("verify %q: %q", args, out)
		}
	}
	// Records that the file writes in another way are the same, for summaries, receipts and here.
	plain := ok(t, "verify", path)
	for name, c := range map[string]struct {
		records string
		first   int // the line
	}{
		"carriage returns":     {strings.ReplaceAll(records, "\n", "\r\n"), 2},
		"a space":              {strings.Join(lines[:3], "") + strings.Replace(strings.Join(lines[3:], ""), `"run":0`, `"run": 0`, 1), 4},
		"spaces and tabs":      {strings.ReplaceAll(strings.ReplaceAll(records, `":`, `" :  `), `,"`, ",\t\""), 2},
		"blank lines":          {strings.ReplaceAll(records, "\n", "\n\n \n"), 0},
		"no last newline":      {strings.TrimSuffix(records, "\n"), 0},
		"an order of fields":   {strings.ReplaceAll(records, `"run":0,"agent":"psrl"`, `"agent":"psrl","run":0`), 2},
		"digits":               {regexp.MustCompile(`("optimal":\d+\.\d+)`).ReplaceAllString(records, "${1}0"), 2},
		"an escaped character": {strings.ReplaceAll(records, `"agent":"psrl"`, `"agent":"\u0070srl"`), 2},
	} {
		want := plain
		if c.first > 0 {
			want = fmt.Sprintf("%s; the file writes them in another way, first in line %d\n", strings.TrimSuffix(plain, "\n"), c.first)
		}
		other := file(t, "other.jsonl", c.records)
		piped := cpsrlWith(t, c.records, "verify", "-")
		if out := ok(t, "verify", other); out != want || piped != (result{statusOK, want, ""}) {
			t.Errorf("%s: %q and %+v, want %q", name, out, piped, want)
		}
		if got := strings.TrimSpace(ok(t, "link", "-receipt", other)); got != link {
			t.Errorf("%s: the link is %s", name, got)
		}
	}
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"a regret":       {[]string{changed(6, `"regret":`, `"regret":1`)}, "line 7: run 0, f-psrl, episode 2 differs in /regret: it is "},
		"an edge":        {[]string{changed(24, `"edges":[[`, `"edges":[[0.5,`)}, "line 25: run 1, c-psrl, episode 4 differs in /belief/edges/0"},
		"an edge less":   {[]string{changed(24, `"edges":[[1,`, `"edges":[[`)}, "line 25: run 1, c-psrl, episode 4 differs in /belief/edges/0/"},
		"an agent":       {[]string{changed(6, `"agent":"f-psrl"`, `"agent":"psrl"`)}, "line 7: run 0, f-psrl, episode 2 differs in /agent: it is f-psrl here, psrl there\n"},
		"no belief":      {[]string{changed(24, `,"belief":`+belief(lines[24]), ``)}, "line 25: run 1, c-psrl, episode 4 differs in /belief: it is missing there\n"},
		"a belief":       {[]string{changed(1, "}\n", `,"belief":`+belief(lines[24])+"}\n")}, "line 2: run 0, psrl, episode 1 differs in /belief: it is missing here\n"},
		"a longer list":  {[]string{changed(24, `]],"entropy"`, `,0]],"entropy"`)}, "episode 4 differs in /belief/edges/1/4: it is missing here\n"},
		"an unknown":     {[]string{changed(3, `"run":0`, `"ran":0`)}, "the line is not a record: /ran: unknown field"},
		"a seed":         {[]string{changed(0, `"seed":1`, `"seed":2`)}, "line 2: run 0, psrl, episode 1 differs in "},
		"a torn line":    {[]string{changed(3, `}`, ``)}, "the line is not a record"},
		"one more":       {[]string{file(t, "more.jsonl", records+lines[24])}, "line 26: the experiment ends before this line"},
		"a receipt":      {[]string{"-link", other}, "not reproduced: the fingerprint is "},
		"another engine": {[]string{"-link", strings.Replace(other, "receipt=2-", "receipt=7-", 1)}, "the engine version is 7, this is version 2, and the records of two versions may differ; the fingerprint is "},
	} {
		r := cpsrl(t, append([]string{"verify"}, test.args...)...)
		if r.status != statusFailed || r.stdout != "" || !strings.HasPrefix(r.stderr, "cpsrl verify: not reproduced: ") || !strings.Contains(r.stderr, test.says) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q, want %q", name, r.status, r.stderr, test.says)
		}
	}
	bare := strings.TrimSpace(ok(t, "link", "-preset", "fig1-quick"))
	refused(t, cpsrl(t, "verify", "-link", bare), "no receipt")
	refused(t, cpsrl(t, "verify"), "FILE or -link URL")
	refused(t, cpsrl(t, "verify", file(t, "empty.jsonl", "")), "empty")
	refused(t, cpsrl(t, "verify", file(t, "header.jsonl", lines[0])), "no records")
	refused(t, cpsrl(t, "link", "-receipt", file(t, "part.jsonl", strings.Join(lines[:8], ""))), "there are 7")
	refused(t, cpsrl(t, "link", "-preset", "fig1", "-receipt", path), "another experiment")
}

// belief is the belief of a record line.
func belief(line string) string {
	_, rest, _ := strings.Cut(line, `"belief":`)
	return strings.TrimSuffix(rest, "}\n")
}

// The long table agrees with the records and with the table of means.
func TestSummaryLong(t *testing.T) {
	records := ok(t, "run", "-preset", "fig1-quick", "-runs", "2", "-episodes", "3")
	path := file(t, "r.jsonl", records)
	text := ok(t, "summary", path, "-long", "-base", "https://example.org/")
	link := strings.TrimSpace(ok(t, "link", "-receipt", path, "-base", "https://example.org/"))
	if !strings.Contains(text, "# link "+link+"\n") || !strings.Contains(text, "# engine 2\n# fingerprint ") {
		t.Errorf("the header is %.400s", text)
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(records), "\n")[1:]
	if len(rows) != len(lines)+1 {
		t.Fatalf("%d rows", len(rows))
	}
	sums := map[string]float64{}
	for k, line := range lines {
		rec, err := record.DecodeRecord([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint(rec.Run, rec.Agent)
		sums[key] += rec.Regret
		want := []float64{float64(rec.Run), float64(rec.Episode), rec.Optimal, rec.Value, rec.Regret, sums[key], rec.Return, *rec.ModelError, *rec.Promise}
		if b := rec.Belief; b != nil {
			superset := 0.0
			if b.Superset {
				superset = 1
			}
			want = append(want, superset, b.Recall, b.Precision, b.Parents, b.Entropy, *b.LogTruth, *b.ValueRecall)
		}
		row := append([]string{rows[k+1][0]}, rows[k+1][2:]...)
		for c, v := range want {
			if got, err := strconv.ParseFloat(row[c], 64); err != nil || got != v {
				t.Errorf("row %d, column %d: %q, want %v", k, c, row[c], v)
			}
		}
		if rows[k+1][1] != rec.Agent || rec.Belief == nil && row[9] != "" {
			t.Errorf("row %d is %q", k, row)
		}
	}
	refused(t, cpsrl(t, "summary", path, "-long", "-paired", "c-psrl,psrl"), "exclude each other")
}

// By hand, from records like those of TestSummary. Runs differ by −1 and −3 in the first
// episode: −2 ± 12.706….
func TestSummaryPaired(t *testing.T) {
	path := file(t, "r.jsonl", `{"format":"cpsrl/records","version":1,"engine":1,"spec":{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["psrl","c-psrl"],"episodes":1,"runs":3}}
{"run":0,"agent":"psrl","episode":1,"optimal":5,"value":3,"regret":2,"return":0}
{"run":0,"agent":"c-psrl","episode":1,"optimal":5,"value":4,"regret":1,"return":0,`+aBelief+`}
{"run":1,"agent":"psrl","episode":1,"optimal":5,"value":2,"regret":3,"return":0}
{"run":1,"agent":"c-psrl","episode":1,"optimal":5,"value":5,"regret":0,"return":0,`+aBelief+`}
{"run":2,"agent":"psrl","episode":1,"optimal":100,"value":1,"regret":99,"return":0}
`)
	comments, rows := table(t, ok(t, "summary", path, "-paired", "c-psrl,psrl"))
	if len(rows) != 1 || rows[0][0] != "c-psrl" || rows[0][2] != "-2" || !strings.HasPrefix(rows[0][3], "-14.706") || !strings.HasPrefix(rows[0][4], "10.706") || rows[0][5] != "2" {
		t.Errorf("rows %q", rows)
	}
	if all := strings.Join(comments, "\n"); !strings.Contains(all, "C-PSRL minus PSRL by run: -2 ± 13; the interval holds zero.") || !strings.Contains(all, "# incomplete: 5 of 6 records") {
		t.Error(all)
	}
	refused(t, cpsrl(t, "summary", path, "-paired", "c-psrl,f-psrl"), "none of the agents")
	refused(t, cpsrl(t, "summary", path, "-paired", "c-psrl"), "not two agents")
}

const aBelief = `"belief":{"graph":[[0,1],[1,3]],"superset":true,"recall":1,"precision":1,"parents":2,"best":[[0,1],[1,3]],"edges":[[1,1,0,0],[0,1,0,1]],"entropy":0}`

// Records with a belief of another problem or without a belief are refused.
func TestHostileRecords(t *testing.T) {
	header := `{"format":"cpsrl/records","version":1,"engine":1,"spec":{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["c-psrl"],"episodes":1,"runs":1}}` + "\n"
	line := `{"run":0,"agent":"c-psrl","episode":1,"optimal":5,"value":4,"regret":1,"return":0,` + aBelief + "}\n"
	ok(t, "summary", file(t, "r.jsonl", header+line))
	for old, new := range map[string]string{
		"," + aBelief:         "",
		`"graph":[[0,1]`:      `"graph":[[1,0]`,
		`"best":[[0,1],[1,3]`: `"best":[[0,1]`,
		`[0,1,0,1]`:           `[0,1,0,2]`,
		`[1,1,0,0]`:           `[1,1,0]`,
		`"recall":1`:          `"recall":2`,
	} {
		changed := strings.Replace(line, old, new, 1)
		if changed == line {
			t.Fatalf("no %s", old)
		}
		refused(t, cpsrl(t, "summary", file(t, "r.jsonl", header+changed)), "line 2: /belief")
	}
}

// A run that fails keeps the records before, which verify takes for the first ones.
func TestVerifyFailed(t *testing.T) {
	spec := `{"format":"cpsrl/spec","version":2,"domain":{"name":"random-fmdp","stateVariables":1,"actionVariables":3,"parents":"uniform","horizon":3},
		"prior":{"eta":0},"priors":{"bad":{"eta":2,"false":1}},"sparseness":2,"agents":["c-psrl:prior=bad"],"episodes":2,"runs":10,"seed":3}`
	path := filepath.Join(t.TempDir(), "r.jsonl")
	r := cpsrl(t, "run", "-spec", file(t, "s.json", spec), "-o", path)
	refused(t, r, "/priors/bad: ", path+" holds the first 2 records, each whole")
	if out := ok(t, "verify", path); !strings.HasPrefix(out, "reproduced bit for bit: the first 2 of 20 records") {
		t.Error(out)
	}
	records := read(t, path)
	_, line, _ := strings.Cut(records, "\n")
	longer := file(t, "longer.jsonl", records+strings.ReplaceAll(line[:strings.Index(line, "\n")+1], `"run":0`, `"run":1`))
	if r := cpsrl(t, "verify", longer); r.status != statusFailed || !strings.Contains(r.stderr, "line 4: the experiment fails before this line: /priors/bad: ") {
		t.Errorf("%+v", r)
	}
}

// Flags and files that would have no effect are refused.
func TestNothingIsIgnored(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick", "-runs", "2", "-episodes", "2"))
	refused(t, cpsrl(t, "link", "-receipt", path, "-runs", "7"), "-preset NAME, -spec FILE, -link URL, -domain NAME or -model FILE")
	refused(t, cpsrl(t, "summary", path, "-of", "recall", "-paired", "f-psrl,psrl"), "no run has it of both f-psrl and psrl")
	prior := ok(t, "prior", "-preset", "fig1-quick")
	refused(t, cpsrlWith(t, prior, "posterior", "-prior", "-", "-transitions", "-"), "standard input holds the prior")
}

// The precomputed figures of the page are of this engine, and their links open the presets
// with the names of the files.
func TestFigures(t *testing.T) {
	folder := "../../../site/figures"
	if _, err := os.Stat(folder); err != nil {
		t.Skip(err)
	}
	for _, p := range experiment.Presets() {
		if strings.HasSuffix(p.Name, "-quick") {
			continue
		}
		text := read(t, filepath.Join(folder, p.Name+".json"))
		f := decode[struct {
			Format            string
			Version, Engine   int
			Fingerprint, Link string
			Conclusion, Title string
			Runs              int
			Episodes          []int
			Series            []struct {
				Agent, Base, Measure string
				Mean, Lo, Hi         []float64
			}
			Final []struct{ Agent string }
		}](t, text)
		if f.Format != "cpsrl/figure" || f.Version != 1 || f.Engine != record.Engine {
			t.Errorf("%s is %s version %d of engine %d; ./build.sh figures makes it anew", p.Name, f.Format, f.Version, f.Engine)
		}
		l, err := spec.DecodeLink(f.Link)
		if err != nil {
			t.Fatal(err)
		}
		if string(spec.Encode(l.Spec)) != string(spec.Encode(p.Spec)) || *l.Receipt != (spec.Receipt{Engine: f.Engine, Fingerprint: f.Fingerprint}) {
			t.Errorf("%s: the link opens something else: %s", p.Name, f.Link)
		}
		if n := len(f.Episodes); n > 120 || f.Episodes[0] != 1 || f.Episodes[n-1] != p.Spec.Episodes || f.Runs != p.Spec.Runs {
			t.Errorf("%s: episodes %v of %d runs", p.Name, f.Episodes, f.Runs)
		}
		for _, s := range f.Series {
			if len(s.Mean) != len(f.Episodes) || len(s.Lo) != len(s.Mean) || len(s.Hi) != len(s.Mean) {
				t.Errorf("%s: %s of %s has %d points", p.Name, s.Measure, s.Agent, len(s.Mean))
			}
		}
		if len(f.Series) == 0 || len(f.Final) != len(f.Series) || f.Conclusion == "" {
			t.Errorf("%s: %d series, %d last points, %q", p.Name, len(f.Series), len(f.Final), f.Conclusion)
		}
		if !testing.Short() && (p.Name == "fig1" || p.Name == "fig2c") { // those that take seconds
			if out := ok(t, "verify", "-link", f.Link); !strings.HasPrefix(out, "reproduced bit for bit") {
				t.Errorf("%s: %s", p.Name, out)
			}
		}
	}
	isSVGFile(t, read(t, filepath.Join(folder, "fig2d.svg")))
}

func isSVGFile(t *testing.T, content string) {
	t.Helper()
	if !strings.Contains(content, "<svg") || !strings.Contains(content, "Taxi") || len(content) > 120_000 {
		t.Errorf("fig2d.svg: %d bytes", len(content))
	}
}

// TestFigureCommand holds the file of a run to the CSV of the same.
func TestFigureCommand(t *testing.T) {
	path := file(t, "r.jsonl", ok(t, "run", "-preset", "fig1-quick"))
	out := filepath.Join(t.TempDir(), "f.json")
	ok(t, "figure", path, "-o", out)
	text := read(t, out)
	if ok(t, "figure", path) != text {
		t.Error("standard output differs from the file")
	}
	f := decode[struct {
		Final []struct {
			Agent, Base, Measure string
			Mean, Lo, Hi         float64
			N                    int
		}
	}](t, text)
	_, rows := table(t, ok(t, "summary", path))
	last := rows[len(rows)-1]
	found := false
	for _, p := range f.Final {
		if p.Measure != "cumulative-regret" || p.Agent != last[0] || p.Base != "" {
			continue
		}
		found = true
		mean, _ := strconv.ParseFloat(last[2], 64)
		if d := p.Mean/mean - 1; d > 5e-4 || d < -5e-4 || p.N != 4 {
			t.Errorf("%+v, the table says %q", p, last)
		}
	}
	if !found {
		t.Error("the agent's last point is missing")
	}
}
