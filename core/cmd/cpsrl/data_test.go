package main

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
)

// stockModel has two stocks that an order each and a demand decide; the supplier delays order A.
var stockModel = func() string {
	m := &fmdp.Model{Horizon: 10, Space: fmdp.Space{
		State:  []fmdp.Variable{{Name: "stockA", Size: 3}, {Name: "stockB", Size: 3}, {Name: "regime", Size: 2}, {Name: "supplier", Size: 2}},
		Action: []fmdp.Variable{{Name: "orderA", Size: 2}, {Name: "orderB", Size: 2}},
	}}
	stock := func(j, order int, delayed bool) fmdp.Factor {
		given := []int{j, 2, order}
		if delayed {
			given = []int{j, 2, 3, order}
		}
		f := fmdp.Factor{Given: given, Size: 3}
		for row := range m.Rows(given) {
			v := make([]int, len(given))
			for k, r := len(given)-1, row; k >= 0; k-- {
				v[k], r = r%m.Var(given[k]).Size, r/m.Var(given[k]).Size
			}
			more := v[len(v)-1]
			if delayed && v[2] == 1 {
				more = 0
			}
			next := min(2, max(0, v[0]+2*more-1-v[1]))
			p := []float64{0.1, 0.1, 0.1}
			p[next] = 0.8
			f.P = append(f.P, p...)
		}
		return f
	}
	m.Transition = []fmdp.Factor{
		stock(0, 4, true), stock(1, 5, false),
		{Given: []int{2}, Size: 2, P: []float64{0.8, 0.2, 0.3, 0.7}}, {Given: []int{3}, Size: 2, P: []float64{0.7, 0.3, 0.4, 0.6}},
	}
	m.Reward = []fmdp.Reward{{Given: []int{0}, Of: -1, Mean: []float64{0, 1, 1}, Kind: fmdp.Fixed, Scale: 1}}
	m.Initial = make([]float64, m.States())
	m.Initial[0] = 1
	return string(document.EncodeModel(m))
}()

// logOf returns n transitions of the model as JSON Lines and as the two kinds of tables.
func logOf(t *testing.T, n int) (lines, pairs, steps string) {
	t.Helper()
	m, err := document.DecodeModel([]byte(stockModel))
	if err != nil {
		t.Fatal(err)
	}
	rng := posterior.NewNamedStream(3, 0, "log of a test").Rand
	pairs, steps = "stockA,stockB,regime,supplier,orderA,orderB,stockA',stockB',regime',supplier'\n", "episode,t,stockA,stockB,regime,supplier,orderA,orderB,reward\n"
	x, y := make([]int, m.X()), make([]int, m.Y())
	for k := range n {
		m.DrawTransition(rng, x, y)
		lines += fmt.Sprintf("{\"x\":%s,\"y\":%s}\n", strings.ReplaceAll(fmt.Sprint(x), " ", ","), strings.ReplaceAll(fmt.Sprint(y), " ", ","))
		cells := func(v []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ","), "[]") }
		pairs += cells(x) + "," + cells(y) + "\n"
		steps += fmt.Sprintf("%d,0,%s,1\n%d,1,%s,,,\n", k, cells(x), k, cells(y))
	}
	return lines, pairs, steps
}

// Without a prior, the variables are those of the table, and its actions are found. Oracle: the same
// transitions as JSON Lines with a prior by hand.
func TestPosteriorOfTable(t *testing.T) {
	lines, pairs, steps := logOf(t, 500)
	prior := file(t, "prior.json", `{"format":"cpsrl/prior","version":1,"state":[{"name":"stockA","size":3},{"name":"stockB","size":3},{"name":"regime","size":2},{"name":"supplier","size":2}],"action":[{"name":"orderA","size":2},{"name":"orderB","size":2}],"sparseness":5,"edges":[]}`)
	want := ok(t, "posterior", "-prior", prior, "-transitions", file(t, "t.jsonl", lines))
	for _, table := range []string{pairs, steps} {
		path := file(t, "log.csv", table)
		r := cpsrl(t, "posterior", "-transitions", path)
		if r.status != statusOK || r.stdout != want || !strings.HasPrefix(r.stderr, "cpsrl: "+path+": 500 transitions of ") || !strings.Contains(r.stderr, "\ncpsrl: taken for a state: stockA, stockB, regime, supplier\ncpsrl: taken for an action: orderA, orderB\n") {
			t.Fatalf("%s\n%s\nwant\n%s", r.stderr, r.stdout, want)
		}
		if said := cpsrl(t, "posterior", "-transitions", path, "-action", "orderA,orderB", "-z", "5"); said.stdout != want {
			t.Errorf("with -action: %+v", said)
		}
	}
	path := file(t, "log.csv", pairs)
	if r := cpsrl(t, "posterior", "-transitions", path, "-z", "2"); strings.Contains(r.stdout, `["stockA","regime","supplier"]`) || !strings.Contains(r.stdout, `["stockA","regime"]`) {
		t.Errorf("-z 2: %.300s", r.stdout)
	}
	refused(t, cpsrl(t, "posterior", "-transitions", file(t, "t.jsonl", lines)), "t.jsonl: JSON Lines name no variables; a prior, a model or a table with a header was expected")
	refused(t, cpsrl(t, "posterior", "-transitions", file(t, "picture.png", "\x89PNG\r\n\x1a\n\x00\x00")), "picture.png: this file is not UTF-8; save it as UTF-8")
	refused(t, cpsrl(t, "posterior", "-transitions", path, "-prior", prior, "-action", "orderA"), "flag -action: ", "says which variables are actions")
	refused(t, cpsrl(t, "posterior", "-transitions", path, "-as", "xml"), "expected one of json, csv, dot, prior, transitions")
}

// A table without episodes says where they begin, and a role of its steps changes it. Oracle: by hand.
func TestEpisodesBySteps(t *testing.T) {
	path := file(t, "leaps.csv", "t,wet,water,reward\n0,0,1,0\n1,1,0,1\n2,0,1,0\n9,0,1,0\n10,1,0,1\n")
	for _, c := range []struct {
		args []string
		says []string
	}{
		{nil, []string{"3 transitions of 5 rows", `no column tells episodes: a new one begins where "t" falls, repeats or leaps`, "an episode has 3 steps"}},
		{[]string{"-column", "t=nothing"}, []string{"4 transitions of 5 rows", "no column tells episodes or steps: the rows follow each other, in one episode", "an episode has 5 steps"}},
	} {
		r := cpsrl(t, append([]string{"problem", path, "-action", "water"}, c.args...)...)
		for _, says := range c.says {
			if r.status != statusOK || !strings.Contains(r.stderr, says) {
				t.Errorf("%v: status %d, %s, want %s", c.args, r.status, r.stderr, says)
			}
		}
	}
}

// What columns are taken for is told, and can be changed; where no transition is known, there is no answer.
// Oracle: the table in which the columns have the usual names, and nothing that is no variable.
func TestPosteriorColumns(t *testing.T) {
	var plain, odd strings.Builder
	plain.WriteString("episode,t,stock,order\n")
	odd.WriteString("#,Reward,level,Day,hour,order,site,stock,Done\n")
	for k := range 200 {
		e, at := k/5, k%5
		stock, order := k*7%3, k*k%2
		fmt.Fprintf(&plain, "%d,%d,%d,%d\n", e, at, stock, order)
		fmt.Fprintf(&odd, "%d,.5,%d,d%d,%d,%d,A,%d,%t\n", k+1, k%4, e, 2*at, order, stock, at == 4)
	}
	want := cpsrl(t, "posterior", "-transitions", file(t, "plain.csv", plain.String()), "-action", "order").stdout
	path := file(t, "odd.csv", odd.String())
	r := cpsrl(t, "posterior", "-transitions", path, "-action", "order", "-without", "level", "-column", "Day=episode", "-column", "hour=step")
	if r.status != statusOK || r.stdout != want {
		t.Fatalf("%+v\nwant %s", r, want)
	}
	for _, says := range []string{"taken for the episode: Day\ncpsrl: taken for the step: hour\ncpsrl: taken for a state: stock\ncpsrl: taken for an action: order\ncpsrl: taken for a reward: Reward\ncpsrl: taken for an end: Done\n", "left out: \"\" (has no name), level, site (has one value, “A”)", `"hour" grows by 2 from step to step`} {
		if !strings.Contains(r.stderr, says) {
			t.Errorf("%s, want %s", r.stderr, says)
		}
	}
	for _, args := range [][]string{{"-column", "hour"}, {"-column", "hour=time"}} {
		refused(t, cpsrl(t, append([]string{"posterior", "-transitions", path}, args...)...), "expected a name and a role, as in day=episode")
	}
	refused(t, cpsrl(t, "posterior", "-transitions", path, "-without", "rain"), `there is no column "rain" to leave out`)
	// The transitions are those that an experiment starts from, for which no flag says what a column is.
	lines, pairs, _ := logOf(t, 50)
	model := file(t, "stock.json", stockModel)
	named := file(t, "named.csv", strings.Replace(pairs, "stockA,", "STOCKA,", 1))
	if r := cpsrl(t, "posterior", "-prior", model, "-transitions", named, "-as", "transitions"); r.stdout != lines || !strings.Contains(r.stderr, "50 transitions of 50 rows") {
		t.Errorf("%+v", r)
	}
	refused(t, cpsrl(t, "posterior", "-prior", model, "-transitions", file(t, "t.jsonl", lines), "-as", "transitions"), "t.jsonl: these transitions are JSON Lines already")
	// No transition is no answer, and no prior.
	for _, as := range []string{"json", "csv", "dot", "prior"} {
		r := cpsrl(t, "posterior", "-transitions", file(t, "none.csv", "episode,t,x,a\n1,0,0,1\n2,0,1,0\n"), "-as", as)
		refused(t, r, "none.csv: there is no transition: each of the 2 episodes has one row")
		if r.stdout != "" || !strings.Contains(r.stderr, "taken for a state: x") {
			t.Errorf("%s: %+v", as, r)
		}
	}
}

// A model gives the variables and marks the table of edges; edges in another format are a prior over the
// variables of the table.
func TestPosteriorPriors(t *testing.T) {
	lines, pairs, _ := logOf(t, 500)
	model, log := file(t, "stock.json", stockModel), file(t, "log.csv", pairs)
	marked := ok(t, "posterior", "-prior", model, "-transitions", file(t, "t.jsonl", lines), "-z", "5", "-as", "csv")
	bare := cpsrl(t, "posterior", "-transitions", log, "-as", "csv").stdout
	rows := strings.Split(strings.TrimSpace(marked), "\n")
	if rows[0] != "from,to,p,true" || len(rows) != 1+6*4 {
		t.Fatalf("%s", marked)
	}
	truth := map[string]bool{"stockA,stockA": true, "regime,stockA": true, "supplier,stockA": true, "orderA,stockA": true, "stockB,stockB": true,
		"regime,stockB": true, "orderB,stockB": true, "regime,regime": true, "supplier,supplier": true}
	group, before := 0, 2.0 // uncertain, certain, excluded; each falls
	for k, row := range rows[1:] {
		cells := strings.Split(row, ",")
		p, err := strconv.ParseFloat(cells[2], 64)
		now := 0
		if p > evidence.MostTrust {
			now = 1
		} else if p < evidence.LeastTrust {
			now = 2
		}
		if now < group || now == group && p > before || err != nil {
			t.Errorf("row %d, %s, is out of order", k, row)
		}
		group, before = now, p
		if cells[3] != fmt.Sprint(truth[cells[0]+","+cells[1]]) {
			t.Errorf("%s: the truth is another", row)
		}
		if !strings.Contains(bare, strings.Join(cells[:3], ",")+"\n") {
			t.Errorf("%s is not in the table without a model", row)
		}
	}
	// The table, the graph and the prior read back: as edges of another posterior and of an experiment.
	for form, name := range map[string]string{"csv": "e.csv", "dot": "e.dot", "prior": "e.json"} {
		path := file(t, name, cpsrl(t, "posterior", "-transitions", log, "-as", form).stdout)
		if r := cpsrl(t, "posterior", "-prior", path, "-transitions", log); r.status != statusOK {
			t.Errorf("%s as a prior: %s", form, r.stderr)
		}
		if r := cpsrl(t, "link", "-model", model, "-prior", path, "-z", "5"); r.status != statusOK || !strings.Contains(r.stdout, "prior=") {
			t.Errorf("%s as an experiment's prior: %s", form, r.stderr)
		}
	}
	if marks := file(t, "m.csv", marked); cpsrl(t, "link", "-model", model, "-prior", marks, "-z", "5").status != statusOK {
		t.Error("the marked table is no prior")
	}
	dot := cpsrl(t, "posterior", "-transitions", log, "-as", "dot").stdout
	if !strings.HasPrefix(dot, "digraph {") || !strings.Contains(dot, "x0 -> y0;") {
		t.Errorf("%s", dot)
	}
	trusts := decode[struct{ Edges [][]any }](t, cpsrl(t, "posterior", "-transitions", log, "-as", "prior").stdout)
	for _, e := range trusts.Edges {
		if p, is := e[2].(float64); !is || p < evidence.LeastTrust || p > evidence.MostTrust {
			t.Errorf("the trust of %v", e)
		}
	}
}

// The caution counts what is there: rows of the widest table and those that the transitions are in. It is
// right to warn: at α = 1 a true edge is uncertain that α = 0.1 is certain of. Oracle: rows counted by hand.
func TestCaution(t *testing.T) {
	_, pairs, _ := logOf(t, 500)
	path := file(t, "log.csv", pairs)
	seen := map[string]bool{}
	for _, row := range strings.Split(strings.TrimSpace(pairs), "\n")[1:] {
		cells := strings.Split(row, ",")
		seen[strings.Join(append(cells[:4:4], cells[4]), ",")] = true // stockA, stockB, regime, supplier, orderA: the first of the widest
	}
	want := fmt.Sprintf("the widest table that was weighed, of stockA′ given stockA, stockB, regime, supplier and orderA, has 72 rows, and the 500 transitions visit %d of them; with α = 1 it weighs as much as 216 imagined transitions, so a true parent may be missed", len(seen))
	if r := cpsrl(t, "posterior", "-transitions", path); !strings.Contains(r.stderr, want) {
		t.Errorf("%s\nwant %s", r.stderr, want)
	}
	for _, args := range []string{"-dirichlet 0.1", "-tables tied", "-dirichlet mix:0.1:1", "-dirichlet learn:0.1:1"} {
		if r := cpsrl(t, append([]string{"posterior", "-transitions", path}, strings.Fields(args)...)...); r.status != statusOK || strings.Contains(r.stderr, "may be missed") {
			t.Errorf("%s: %s", args, r.stderr)
		}
	}
	_, few, _ := logOf(t, 60)
	p := func(args ...string) float64 {
		r := cpsrl(t, append([]string{"posterior", "-transitions", file(t, "few.csv", few), "-as", "csv", "-z", "4"}, args...)...)
		for row := range strings.Lines(r.stdout) {
			if v, is := strings.CutPrefix(strings.TrimSpace(row), "supplier,stockA,"); is {
				q, _ := strconv.ParseFloat(v, 64)
				return q
			}
		}
		t.Fatalf("no edge in %s", r.stdout)
		return 0
	}
	if strict, loose := p(), p("-dirichlet", "0.1"); strict > evidence.MostTrust || loose <= evidence.MostTrust {
		t.Errorf("P(supplier → stockA) is %v at α = 1 and %v at α = 0.1", strict, loose)
	}
}

// started returns an experiment that starts from one transition.
func started(t *testing.T) *experiment.Experiment {
	t.Helper()
	s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":5,"domain":{"name":"figure1"},"prior":{"data":[{"x":[0,0,0,0],"y":[1,0]}]},"episodes":2}`))
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// An experiment starts from a file of transitions, in whatever form: its records name them by their
// SHA-256, and are reproduced with the file only. Oracle: the hash by hand, and the three forms.
func TestStartFromData(t *testing.T) {
	lines, pairs, steps := logOf(t, 200)
	model := file(t, "stock.json", stockModel)
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(lines)))
	args := []string{"run", "-model", model, "-agents", "psrl,f-psrl,c-psrl", "-eta", "1", "-z", "4", "-episodes", "3", "-runs", "2", "-data"}
	want := ok(t, append(args, file(t, "t.jsonl", lines))...)
	if !strings.Contains(strings.SplitN(want, "\n", 2)[0], `"prior":{"eta":1,"data":"`+hash+`"}`) || !strings.Contains(want, `"version":5`) {
		t.Fatalf("%.400s", want)
	}
	for _, table := range []string{pairs, steps} {
		if r := cpsrl(t, append(args, file(t, "log.csv", table))...); r.stdout != want || !strings.Contains(r.stderr, "200 transitions of ") {
			t.Errorf("%s: other records than of JSON Lines", r.stderr)
		}
	}
	cold := ok(t, args[:len(args)-1]...)
	if strings.SplitN(cold, "\n", 2)[1] == strings.SplitN(want, "\n", 2)[1] {
		t.Error("the data change nothing")
	}
	records, log, other := file(t, "r.jsonl", want), file(t, "log.csv", pairs), file(t, "other.csv", pairs[:len(pairs)-21])
	needed := "the experiment starts from data with the SHA-256 " + hash + ", which are not at hand: open that file (-data FILE gives the transitions)"
	refused(t, cpsrl(t, "verify", records), needed)
	if r := cpsrl(t, "verify", records, "-data", log); !strings.HasPrefix(r.stdout, "reproduced bit for bit: 18 records") {
		t.Errorf("%+v", r)
	}
	refused(t, cpsrl(t, "verify", records, "-data", other), "other.csv: the SHA-256 of the transitions is ", "; the experiment starts from "+hash)
	refused(t, cpsrl(t, "verify", file(t, "cold.jsonl", cold), "-data", log), "flag -data: the experiment starts from no data")
	link := strings.TrimSpace(ok(t, "link", "-receipt", records))
	if !strings.Contains(link, "&data="+hash+"&") || !strings.HasPrefix(link, "v=5&") {
		t.Errorf("%.80s", link)
	}
	refused(t, cpsrl(t, "verify", "-link", link), needed)
	refused(t, cpsrl(t, "run", "-link", link), needed)
	refused(t, cpsrl(t, "trace", "-link", link), needed)
	if r := cpsrl(t, "verify", "-link", link, "-data", log); !strings.HasPrefix(r.stdout, "reproduced bit for bit") {
		t.Errorf("%+v", r)
	}
	// With the file, the link is the same and keeps its receipt; without the transitions, it loses it.
	if r := cpsrl(t, "link", "-link", link, "-data", log); strings.TrimSpace(r.stdout) != link {
		t.Errorf("%+v", r)
	}
	bare := strings.Replace(strings.Replace(link, "&data="+hash, "", 1), "v=5&", "v=3&", 1)
	if r := cpsrl(t, "link", "-link", bare, "-data", log); strings.Contains(r.stdout, "receipt=") || !strings.Contains(r.stderr, "the receipt is left out") {
		t.Errorf("%+v", r)
	}
	// The command that the page shows runs as it stands, given the file.
	shown := strings.Fields(strings.ReplaceAll(strings.TrimSpace(export.Command(started(t))), "'", ""))
	if at := slices.Index(shown, "cpsrl"); at < 0 || shown[0] != "#" || cpsrl(t, append(shown[at+1:len(shown)-1:len(shown)-1], file(t, "data.jsonl", "{\"x\":[0,0,0,0],\"y\":[1,0]}\n"))...).status != statusOK {
		t.Errorf("%q", shown)
	}
	if got := ok(t, "summary", records); !strings.Contains(got, "c-psrl") && !strings.Contains(got, "C-PSRL") {
		t.Errorf("%s", got)
	}
	// What is not a file of transitions of this problem is one sentence.
	for name, content := range map[string]string{"empty.jsonl": "", "short.jsonl": "{\"x\":[0],\"y\":[0]}\n", "stranger.csv": "a,a'\n0,1\n", "stock.json": stockModel} {
		refused(t, cpsrl(t, append(args, file(t, name, content))...), name)
	}
}

// A model, of ours or of another program, is an experiment; a file is its prior.
func TestModelAndPriorFlags(t *testing.T) {
	model := file(t, "coin.json", coin)
	embedded := strings.TrimSpace(ok(t, "run", "-model", model, "-episodes", "2", "-seed", "4"))
	whole := file(t, "spec.json", `{"format":"cpsrl/spec","version":5,"domain":{"name":"model","model":`+coin+`},"episodes":2,"seed":4}`)
	if want := strings.TrimSpace(ok(t, "run", "-spec", whole)); embedded != want {
		t.Errorf("%.300s\nwant\n%.300s", embedded, want)
	}
	foreign := file(t, "coin.spudd", change(coinSpudd, "horizon 3", ""))
	if r := cpsrl(t, "run", "-model", foreign, "-horizon", "3", "-episodes", "2"); r.status != statusOK || !strings.Contains(r.stdout, `"horizon":3`) {
		t.Errorf("%+v", r)
	}
	refused(t, cpsrl(t, "run", "-model", foreign), "the file states no horizon")
	refused(t, cpsrl(t, "run", "-model", model, "-horizon", "7"), "7")
	refused(t, cpsrl(t, "run", "-model", model, "-domain", "taxi"), "exclude each other")
	for name, text := range map[string]string{"p.txt": "flip -> side", "p.csv": "from,to\nflip,side\n", "p.dot": `digraph { flip -> "side'" }`,
		"p.json": `{"format":"cpsrl/prior","version":1,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"sparseness":2,"edges":[["flip","side"]]}`} {
		got := ok(t, "prior", "-model", model, "-prior", file(t, name, text))
		if !strings.Contains(got, `"edges":[["flip","side"]]`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	given := file(t, "p.json", `{"format":"cpsrl/prior","version":3,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"sparseness":1,"edges":[["flip","side",0.9]],"dirichlet":0.5,"tables":"tied"}`)
	if got := ok(t, "prior", "-model", model, "-prior", given); !strings.Contains(got, `"sparseness":1`) || !strings.Contains(got, `0.9`) || !strings.Contains(got, `"dirichlet":0.5,"tables":"tied"`) {
		t.Errorf("what the prior says: %s", got)
	}
	if got := ok(t, "prior", "-model", model, "-prior", given, "-z", "2", "-tables", "rows"); !strings.Contains(got, `"sparseness":2`) || strings.Contains(got, "tied") {
		t.Errorf("flags win: %s", got)
	}
	refused(t, cpsrl(t, "run", "-model", model, "-prior", model), "this is a model; -model takes it")
	refused(t, cpsrl(t, "run", "-model", model, "-prior", file(t, "bad.txt", "flip -> edge")), "bad.txt: line 1, column ")
	refused(t, cpsrl(t, "run", "-model", model, "-prior", file(t, "other.json", change(coinPrior, "flip", "toss"))), `other.json: the problem has no variable "toss"`)
	refused(t, cpsrl(t, "run", "-model", model, "-prior", given, "-eta", "1"), "-prior and -eta exclude each other")
	// Without a flag about agents, edges is about the model; with one, about what an agent believes.
	if got := ok(t, "edges", "-model", model, "-agent", "c-psrl", "-samples", "2"); !strings.HasPrefix(got, `{"run":0,"agent":"c-psrl"`) {
		t.Errorf("%s", got)
	}
	if got := ok(t, "plan", "-model", file(t, "coin.spudd", coinSpudd)); got != ok(t, "plan", "-model", model) {
		t.Errorf("plan of another program's model: %s", got)
	}
}
