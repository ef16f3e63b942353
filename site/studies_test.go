package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/gallery"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/worth"
)

// study reads the numbers that a script of studies has written, each with the link of its
// experiment. It checks that each link has a receipt of this engine and asks for the experiment
// of its row, with so many episodes and runs. Anyone who doubts a number can check it by cpsrl
// verify -link.
func study(t *testing.T, name string, episodes, runs, seed int, of func(row []string, s *spec.Spec) bool) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "studies", name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		link, err := spec.DecodeLink(row[len(row)-1])
		switch {
		case err != nil || link.Receipt == nil:
			t.Fatalf("%s: %q has no receipt: %v", name, row, err)
		case link.Receipt.Engine != record.Engine:
			t.Errorf("%s: %q is of engine %d; run ./build.sh studies %s", name, row, link.Receipt.Engine, name)
		case episodes > 0 && link.Spec.Episodes != episodes || link.Spec.Runs != runs || link.Spec.Seed != seed || !of(row, link.Spec):
			t.Errorf("%s: %q is of another experiment: %s", name, row, spec.Encode(link.Spec))
		}
	}
	return rows[1:]
}

// findings is the document with the tables of the studies.
const findings = "docs/findings.md"

// prose returns a file with each run of white space as one space.
func prose(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(data)), " ")
}

// regretOf and lateOf read a cell such as "418 ± 38 (0.18)": the regret, and that of a late episode.
func regretOf(cell string) (regret float64) {
	fmt.Sscanf(cell, "%g", &regret)
	return regret
}

func lateOf(cell string) (late float64) {
	_, after, _ := strings.Cut(cell, "(")
	fmt.Sscanf(after, "%g", &late)
	return late
}

// overBest returns the regret with a learned α, which is the last cell, as a share of the least in the row.
func overBest(row []string) float64 {
	least := math.Inf(1)
	for _, cell := range row {
		least = min(least, regretOf(cell))
	}
	return regretOf(row[len(row)-1]) / least
}

// planned returns the value of the best policy of an example model.
func planned(t *testing.T, name string) float64 {
	t.Helper()
	data, err := gallery.Template(name)
	if err != nil {
		t.Fatal(err)
	}
	model, err := document.DecodeModel(data)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := worth.Model(t.Context(), model, worth.ByNumber)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Value
}

// TestStudies checks the findings' tables against the numbers of the studies.
func TestStudies(t *testing.T) {
	text := prose(t, findings)
	says := func(row ...string) {
		if line := "| " + strings.Join(row, " | ") + " |"; !strings.Contains(text, strings.Join(strings.Fields(line), " ")) {
			t.Errorf("the findings have no row %s", line)
		}
	}

	cells := map[string]string{}
	var alphas []string
	for _, row := range study(t, "concentration", 300, 20, 1, func(row []string, s *spec.Spec) bool {
		problem := map[string]string{"coffee": "model", "taxi5": "taxi", "taxi5-eta0": "taxi", "fig2a": "random-fmdp"}[row[0]]
		none := s.Prior != nil && s.Prior.Eta != nil && *s.Prior.Eta == 0
		return s.Dirichlet.String() == row[1] && slices.Contains(s.Agents, row[2]) && s.Domain.Kind().Key == problem && none == (row[0] == "taxi5-eta0")
	}) {
		cells[fmt.Sprint(row[:3])] = row[3]
		if !slices.Contains(alphas, row[1]) {
			alphas = append(alphas, row[1])
		}
	}
	of := func(problem, agent string) (list []string) {
		for _, alpha := range alphas {
			list = append(list, cells[fmt.Sprint([]string{problem, alpha, agent})])
		}
		return list
	}
	for problem, words := range map[string]string{"coffee": "coffee robot, no prior", "taxi5-eta0": "taxi 5×5, η = 0", "fig2a": "random FMDP of Figure 2 (a)"} {
		says(append([]string{words + "; PSRL " + of(problem, "psrl")[0], "F-PSRL"}, of(problem, "f-psrl")...)...)
		says(append([]string{"", "C-PSRL"}, of(problem, "c-psrl")...)...)
	}
	says(append([]string{"taxi 5×5, the prior of Figure 2 (d)", "C-PSRL"}, of("taxi5", "c-psrl")...)...)

	// What the findings say about the table; README says some of it, too.
	inShort := map[string]bool{
		"does worse than PSRL: to the end it loses more than half of the best value in every episode": true,
		"α = 0.01 frees the robot": true,
	}
	for sentence, holds := range map[string]bool{
		"does worse than PSRL: to the end it loses more than half of the best value in every episode": regretOf(of("coffee", "c-psrl")[0]) > regretOf(of("coffee", "psrl")[0]) &&
			lateOf(of("coffee", "c-psrl")[0]) > planned(t, "coffee-robot")/2,
		"α = 0.01 frees the robot":                                  lateOf(of("coffee", "c-psrl")[3]) < 0.1,
		"α = 0.1 does not always":                                   lateOf(of("coffee", "c-psrl")[2]) > 1,
		"a small α costs up to 1.8 times as much regret":            math.Abs(regretOf(of("fig2a", "c-psrl")[3])/regretOf(of("fig2a", "c-psrl")[0])-1.8) < 0.05,
		"That does well on the four problems of the table, and not": slices.Max([]float64{overBest(of("coffee", "c-psrl")), overBest(of("taxi5-eta0", "c-psrl")), overBest(of("taxi5", "c-psrl")), overBest(of("fig2a", "c-psrl"))}) < 1.2,
	} {
		if !strings.Contains(text, sentence) {
			t.Errorf("the findings do not say %q", sentence)
		}
		if inShort[sentence] && !strings.Contains(prose(t, "../README.md"), sentence) {
			t.Errorf("the README does not say %q", sentence)
		}
		if !holds {
			t.Errorf("the findings say %q, but the table does not", sentence)
		}
	}

	found := map[string]string{}
	for _, row := range study(t, "false-edges", 300, 200, 1, func(row []string, s *spec.Spec) bool {
		asked := ""
		if p := s.Prior; p != nil && p.Eta != nil {
			asked = fmt.Sprint("-eta ", *p.Eta)
			if p.False > 0 {
				asked += fmt.Sprint(" -false ", p.False, " -trust ", document.FormatP(p.P()))
			} else if p.Trust != nil {
				asked += " -trust " + document.FormatP(p.P())
			}
		}
		return fmt.Sprint(s.Sparseness) == row[0] && asked == row[1]
	}) {
		found[row[0]+row[1]] = row[2] + " | " + row[3]
	}
	for words, asked := range map[string]string{
		"nothing": "-eta 0", "one true edge each, certain": "-eta 1", "one true edge each, trust 0.9": "-eta 1 -trust .9",
		"one true and one false edge each, certain": "-eta 1 -false 1 -trust 1", "the same, trust 0.999": "-eta 1 -false 1 -trust .999",
		"the same, trust 0.99": "-eta 1 -false 1 -trust .99", "the same, trust 0.9": "-eta 1 -false 1 -trust .9",
	} {
		says(words, found["3"+asked], found["4"+asked])
	}
	// The heading: what a false edge costs more, as a share of the regret without a prior.
	for _, c := range []struct {
		words, asked string
		holds        func(z3, z4, lo3, lo4 float64) bool
	}{
		{"A certain false edge can cost ten times the regret, and goes on costing, if Z leaves no room for a true one.", "-eta 1 -false 1 -trust 1",
			func(z3, z4, lo3, _ float64) bool { return z3 > 9 && lo3 > 8 && z4 < 1 }},
		{"With a trust of 0.999 it costs about a tenth more;", "-eta 1 -false 1 -trust .999",
			func(z3, z4, lo3, lo4 float64) bool {
				return z3 > 0.08 && z3 < 0.15 && z4 > 0.08 && z4 < 0.15 && lo3 > 0 && lo4 > 0
			}},
		{"with 0.9 it costs nothing that 200 paired runs can see.", "-eta 1 -false 1 -trust .9",
			func(_, _, lo3, lo4 float64) bool { return lo3 < 0 && lo4 < 0 }},
	} {
		var share, low [2]float64
		for k, z := range []string{"3", "4"} {
			_, more, _ := strings.Cut(found[z+c.asked], " | ")
			var half float64
			fmt.Sscanf(more, "+%g ± %g", &share[k], &half)
			nothing := regretOf(found[z+"-eta 0"])
			share[k], low[k] = share[k]/nothing, (share[k]-half)/nothing
		}
		if !strings.Contains(text, c.words) {
			t.Errorf("the findings do not say %q", c.words)
		}
		if !c.holds(share[0], share[1], low[0], low[1]) {
			t.Errorf("the findings say %q, but the difference is %v of the regret without a prior, from %v on", c.words, share, low)
		}
	}
}

// TestStudyOfEdges checks the findings' table of the values of true edges. It computes the values
// again, which takes a second.
func TestStudyOfEdges(t *testing.T) {
	text := prose(t, findings)
	for _, c := range []struct {
		words, link string
		runs        int
	}{
		{"random FMDP, 5 parents", "v=1&domain=random-fmdp", 20},
		{"random FMDP, 2 parents", "v=1&domain=random-fmdp&parents=2", 20},
		{"taxi 5×5", "v=1&domain=taxi", 1},
	} {
		link, err := spec.DecodeLink(c.link)
		if err != nil {
			t.Fatal(err)
		}
		var shares []float64
		for run := range c.runs {
			in, err := experiment.NewInstance(link.Spec, run)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := worth.Model(t.Context(), in.View, worth.ByNumber)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range doc.Edges {
				shares = append(shares, e.Value/doc.Value)
			}
		}
		slices.Sort(shares)
		n, nothing, much := len(shares), 0.0, 0.0
		for _, share := range shares {
			if share == 0 {
				nothing++
			}
			if share > 0.01 {
				much++
			}
		}
		row := fmt.Sprintf("| %s | %d | %.2f%% | %.1f%% | %.0f%% | %.0f%% |", c.words, n, 50*(shares[(n-1)/2]+shares[n/2]), 100*shares[n-1], 100*nothing/float64(n), 100*much/float64(n))
		if !strings.Contains(text, row) {
			t.Errorf("the findings have no row %s", row)
		}
	}
}

// TestSearchStudy checks the table of what a search loses in the true model, and what is said of it, against the numbers of
// studies/search.sh.
func TestSearchStudy(t *testing.T) {
	text := prose(t, findings)
	trials := []string{"4", "16", "64", "256", "1024", "4096"}
	names := map[string]string{"figure1": "Figure 1", "ring": "ring of four machines", "coffee": "coffee robot"}
	regret, half := map[[2]string]float64{}, map[[2]string]float64{}
	for _, row := range study(t, "search", 1, 20, 8, func(row []string, s *spec.Spec) bool {
		horizon := map[string]string{"figure1": `"horizon":4`, "ring": `"horizon":10`, "coffee": `"horizon":6`}[row[0]]
		return s.Planner.String() == "uct:"+row[1]+":10" && slices.Contains(s.Agents, row[2]) && strings.Contains(string(spec.Encode(s)), horizon)
	}) {
		key := [2]string{row[0], row[1]}
		if row[2] == "random" {
			key[1] = "random"
		}
		for k, into := range []map[[2]string]float64{regret, half} {
			v, err := strconv.ParseFloat(row[3+k], 64)
			if err != nil {
				t.Fatal(err)
			}
			into[key] = v
		}
	}
	for key, name := range names {
		decimals := 2
		if key == "figure1" {
			decimals = 4
		}
		line := "| " + name + " |"
		for _, by := range append([]string{"random"}, trials...) {
			of := [2]string{key, by}
			line += fmt.Sprintf(" %.*f ± %.*f |", decimals, regret[of], decimals, half[of])
		}
		if !strings.Contains(text, line) {
			t.Errorf("the findings have no row %s", line)
		}
	}
	for key, name := range names {
		for k, more := range trials[1:] {
			if regret[[2]string{key, more}] >= regret[[2]string{key, trials[k]}] {
				t.Errorf("%s: %s trials lose as much as %s", name, more, trials[k])
			}
		}
		left := regret[[2]string{key, "4096"}] / regret[[2]string{key, "random"}]
		if key == "coffee" && !strings.Contains(text, fmt.Sprintf("and %.0f%% on the coffee robot", 100*left)) || key != "coffee" && left >= .001 {
			t.Errorf("%s: %v of the regret of random play is left", name, left)
		}
	}
}

// TestLargeStudy checks the tables of SysAdmin with 20 and 30 machines, and the answer, against the numbers of studies/large.sh.
func TestLargeStudy(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "studies", "large.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	text := prose(t, findings)
	names := map[string]string{"optimal": "told the true model", "f-psrl": "F-PSRL", "c-psrl": "C-PSRL", "c-psrl:eta=0": "C-PSRL, no edge stated", "random": "random", "constant": "no action"}
	near := map[[2]string]string{}
	for _, row := range rows[1:] {
		problem, planner, agent, episodes, runs, every, late, close, share := row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8]
		l, err := spec.DecodeLink(row[9])
		if err != nil || l.Receipt == nil || l.Receipt.Engine != record.Engine {
			t.Fatalf("%q has no receipt of this engine: %v", row, err)
		}
		s := l.Spec
		kind := map[string]string{"sysadmin-20": "sysadmin-20", "sysadmin-30": "sysadmin-30", "true-10": "sysadmin"}[problem]
		if s.Domain.Kind().Key != kind || s.Planner.String() != planner || !slices.Contains(s.Agents, agent) || fmt.Sprint(s.Episodes) != episodes || fmt.Sprint(s.Runs) != runs || s.Seed != 8 {
			t.Errorf("%q is of another experiment: %s", row, spec.Encode(s))
		}
		machines := problem[len(problem)-2:] + " machines"
		line := fmt.Sprintf("`%s` %s%%", planner, strings.Replace(share, " ", "% ", 1))
		if share == "" {
			first := ""
			if agent == "optimal" {
				first = machines + ", " + runs + " runs "
			}
			line = fmt.Sprintf("| %s| %s | %s | %s | %s of %s |", first, names[agent], every, late, close, runs)
			near[[2]string{problem, agent}] = close + " of " + runs
		}
		if !strings.Contains(text, line) {
			t.Errorf("the findings have no row %s", line)
		}
		if share, _, _ := strings.Cut(share, " "); problem == "true-10" && planner == "uct:600:5" {
			if v, err := strconv.ParseFloat(share, 64); err != nil || v < 97 {
				t.Errorf("with ten machines the search is worth %q %% of V⋆", share)
			}
		}
	}
	for problem, words := range map[string]string{"sysadmin-20": "twenty", "sysadmin-30": "thirty"} {
		for agent, with := range map[string]string{"c-psrl": "with the suggested edges", "c-psrl:eta=0": "with no edge stated"} {
			if want := fmt.Sprintf("%s machines %s: %s", words, with, near[[2]string{problem, agent}]); !strings.Contains(text, want) {
				t.Errorf("the findings do not say %q", want)
			}
		}
	}
}

// TestTiedStudy checks what is said of tied rows against the numbers of studies/tied.sh.
func TestTiedStudy(t *testing.T) {
	type cell struct {
		text    string
		regret  float64
		half    float64
		learned string
	}
	laws := map[string]string{
		"α = 1": `"dirichlet":1,"tables":"rows"`, "α = 0.01": `"dirichlet":0.01,"tables":"rows"`, "ess 1": `"dirichlet":{"ess":1},"tables":"rows"`,
		"learned": `"dirichlet":{"learn":[0.01,0.1,1]},"tables":"rows"`, "tied": `"dirichlet":{"mix":[0.01,0.1,1]},"tables":"tied"`,
	}
	problems := map[string]struct {
		kind     string
		episodes int
		words    string
	}{
		"sysadmin": {"sysadmin", 150, "SysAdmin, 150 episodes"}, "coffee": {"model", 300, "coffee robot, 300"},
		"taxi5": {"taxi", 300, "taxi 5×5, 300"}, "fig2a": {"random-fmdp", 300, "random FMDP of Figure 2 (a), 300"},
	}
	certain := map[string]float64{"likely": 0.9, "very": 0.99, "certain": 1}
	all, prior := [][]string{}, [][]string{}
	file, err := os.ReadFile(filepath.Join("..", "studies", "tied.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(file))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if row[0] == "fig2a-prior" {
			prior = append(prior, row)
		} else {
			all = append(all, row)
		}
	}
	check := func(row []string, runs int, of func(s *spec.Spec) bool) {
		link, err := spec.DecodeLink(row[len(row)-1])
		switch {
		case err != nil || link.Receipt == nil || link.Receipt.Engine != record.Engine:
			t.Fatalf("%q has no receipt of this engine: %v", row, err)
		case link.Spec.Runs != runs || link.Spec.Seed != 8 || !of(link.Spec):
			t.Errorf("%q is of another experiment: %s", row, spec.Encode(link.Spec))
		}
	}
	cells := map[[3]string]cell{}
	for _, row := range all {
		p, known := problems[row[0]]
		check(row, 20, func(s *spec.Spec) bool {
			for _, named := range s.Priors {
				for _, e := range named.Prior.Edges {
					if e.P != certain[named.Name] {
						return false
					}
				}
			}
			empty := s.Prior != nil && s.Prior.Eta == nil && len(s.Prior.Edges) == 0
			return known && s.Domain.Kind().Key == p.kind && s.Episodes == p.episodes && empty && slices.Contains(s.Agents, row[2]) && strings.Contains(string(spec.Encode(s)), laws[row[1]])
		})
		c := cell{text: row[3] + " (" + row[4] + ")", learned: row[4]}
		fmt.Sscanf(row[3], "%g ± %g", &c.regret, &c.half)
		cells[[3]string(row[:3])] = c
	}
	text := prose(t, findings)
	agents := []string{"f-psrl", "c-psrl", "c-psrl:prior=likely", "c-psrl:prior=very", "c-psrl:prior=certain"}
	for problem, p := range problems {
		for law, words := range map[string]string{"α = 1": "α = 1", "learned": "α learned", "tied": "tied, α mixed", "α = 0.01": "α = 0.01", "ess 1": "ess 1"} {
			if _, has := cells[[3]string{problem, law, "c-psrl"}]; !has {
				continue
			}
			line := []string{"", words}
			if law == "α = 1" {
				line[0] = p.words
			}
			for _, a := range agents {
				if c, has := cells[[3]string{problem, law, a}]; has {
					line = append(line, c.text)
				} else {
					line = append(line, "–")
				}
			}
			if want := "| " + strings.Join(line, " | ") + " |"; !strings.Contains(text, strings.Join(strings.Fields(want), " ")) {
				t.Errorf("the findings have no row %s", want)
			}
		}
	}

	of := func(problem, law, agent string) cell { return cells[[3]string{problem, law, agent}] }
	tied, never := of("sysadmin", "tied", "c-psrl"), 0
	for law := range laws {
		if law != "tied" && of("sysadmin", law, "c-psrl").learned == "0" {
			never++
		}
	}
	about := func(a, b cell, ratio float64) bool { return math.Abs(a.regret/b.regret-ratio) < 0.05 }
	apart := func(a, b cell) bool { return math.Abs(a.regret-b.regret) > a.half+b.half }
	var paid [3]cell // with the prior of Figure 2 (a): α = 1, tied, and the difference
	for k, row := range prior {
		check(row, 100, func(s *spec.Spec) bool {
			return s.Domain.Kind().Key == "random-fmdp" && s.Episodes == 500 && s.Prior == nil && slices.Equal(s.Agents, []string{"c-psrl", "c-psrl:dirichlet=mix:0.01:0.1:1,tables=tied"})
		})
		paid[k].text = row[3]
		fmt.Sscanf(row[3], "%g ± %g", &paid[k].regret, &paid[k].half)
	}
	page := prose(t, "../index.html")
	guide, readme, article := prose(t, "docs/guide.md"), prose(t, "../README.md"), prose(t, "docs/paper.md")
	for _, c := range []struct {
		sentence string
		in       []string
		holds    bool
	}{
		{"learned in none of 80 runs", []string{text, readme, article}, never == 4},
		{"in 15 of 20 runs", []string{text, readme, article}, tied.learned == "15"},
		{"1.2 times as much as F-PSRL, which knows the graph, pays with α = 1", []string{text, readme}, about(tied, of("sysadmin", "α = 1", "f-psrl"), 1.2)},
		{"1.7 times as much as F-PSRL pays with tied rows", []string{text}, about(tied, of("sysadmin", "tied", "f-psrl"), 1.72)},
		{"tied rows paid " + paid[1].text + " in 500 episodes and α = 1 paid " + paid[0].text + ", over 100 runs: a fifth more, " + paid[2].text + " run by run", []string{text}, about(paid[1], paid[0], 1.2)},
		{"costs a fifth more than α = 1 (100 runs)", []string{readme}, about(paid[1], paid[0], 1.2)},
		{"C-PSRL without a prior pays the same with a learned α and with tied rows, as far as 20 runs can tell", []string{text}, !apart(of("coffee", "learned", "c-psrl"), of("coffee", "tied", "c-psrl")) && !apart(of("taxi5", "learned", "c-psrl"), of("taxi5", "tied", "c-psrl"))},
		{"an action edge at .9 frees SysAdmin in 19 of 20 runs, nearly as a certain one does", []string{text}, of("sysadmin", "tied", "c-psrl:prior=likely").learned == "19" && !apart(of("sysadmin", "tied", "c-psrl:prior=likely"), of("sysadmin", "tied", "c-psrl:prior=certain"))},
		{"With α = 1, an edge at .9 or at .99 frees it in no run, and a certain edge in every run", []string{text}, of("sysadmin", "α = 1", "c-psrl:prior=likely").learned == "0" && of("sysadmin", "α = 1", "c-psrl:prior=very").learned == "0" && of("sysadmin", "α = 1", "c-psrl:prior=certain").learned == "20"},
		{"with α = 1 no run learns then", []string{text}, of("coffee", "α = 1", "c-psrl:prior=certain").learned == "0"},
		{"cost seven to eight times the regret, whatever the rows; at .9 and .99 they cost nothing that 20 runs can see", []string{text}, func() bool {
			for _, law := range []string{"α = 1", "learned", "tied"} {
				none := of("fig2a", law, "c-psrl")
				if more := of("fig2a", law, "c-psrl:prior=certain").regret / none.regret; more < 6.5 || more > 8.5 || apart(none, of("fig2a", law, "c-psrl:prior=likely")) || apart(none, of("fig2a", law, "c-psrl:prior=very")) {
					return false
				}
			}
			return true
		}()},
		{fmt.Sprintf("C-PSRL paid %.0f without an edge, %.0f with edges from the action at .9, and %.0f with the same edges as certain", tied.regret, of("sysadmin", "tied", "c-psrl:prior=likely").regret, of("sysadmin", "tied", "c-psrl:prior=certain").regret), []string{guide}, true},
		{fmt.Sprintf("edges from the action at .9 cut the regret from %.0f to %.0f, certain ones to %.0f (20 runs)", tied.regret, of("sysadmin", "tied", "c-psrl:prior=likely").regret, of("sysadmin", "tied", "c-psrl:prior=certain").regret), []string{page}, true},
		{fmt.Sprintf("helped little at .9 (%.0f against %.0f) and a lot as certain (%.0f)", of("sysadmin", "α = 1", "c-psrl:prior=likely").regret, of("sysadmin", "α = 1", "c-psrl").regret, of("sysadmin", "α = 1", "c-psrl:prior=certain").regret), []string{guide}, true},
		{fmt.Sprintf("made things worse (%.0f against %.0f; no run learned)", of("coffee", "α = 1", "c-psrl:prior=certain").regret, of("coffee", "α = 1", "c-psrl").regret), []string{guide}, true},
		{"At .9 and .99 they cost nothing that 20 runs can see; as certain they cost seven to eight times the regret", []string{guide}, about(of("fig2a", "α = 1", "c-psrl:prior=certain"), of("fig2a", "α = 1", "c-psrl"), 8)},
	} {
		for k, in := range c.in {
			if !strings.Contains(in, c.sentence) {
				t.Errorf("document %d does not say %q", k, c.sentence)
			}
		}
		if !c.holds {
			t.Errorf("%q is not what the table shows", c.sentence)
		}
	}
}

// TestShares checks the interval of each share of runs that a document tells.
func TestShares(t *testing.T) {
	all := 0
	share := regexp.MustCompile(`\b(all|none|\d+) of (\d+)(?: runs)?(?: \(| are (?:a share of )?)(\d+–\d+%)`)
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, name := range []string{"../README.md", findings, "docs/gallery.md", "docs/choices.md", "docs/paper.md", "docs/guide.md"} {
		for _, m := range share.FindAllStringSubmatch(prose(t, name), -1) {
			n := number(m[2])
			k := map[string]int{"all": n}[m[1]]
			if m[1] != "all" && m[1] != "none" {
				k = number(m[1])
			}
			if words := results.OfRuns(k, n); !strings.Contains(words, "("+m[3]+")") {
				t.Errorf("%s says %q, but it is %s", name, m[0], words)
			}
			all++
		}
	}
	if all < 14 {
		t.Errorf("only %d shares have been found", all)
	}
}

// meanOf returns a mean with half its 95% interval over 30 graphs, by Student's t, as the findings have it; with a sign if asked.
func meanOf(list []float64, sign bool) string {
	mean, square := 0.0, 0.0
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		square += (v - mean) * (v - mean)
	}
	half := 2.0452 * math.Sqrt(square/float64(len(list)-1)/float64(len(list)))
	text := fmt.Sprintf("%.2f ± %.2f", mean, half)
	if sign {
		text = fmt.Sprintf("%+.2f ± %.2f", mean, half)
	}
	return strings.ReplaceAll(text, "-", "−")
}

// rowsOf reads a table of studies, which has so many rows below its header.
func rowsOf(t *testing.T, name string, want int) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "studies", name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1+want {
		t.Fatalf("%s.csv has %d lines, want %d", name, len(rows), 1+want)
	}
	return rows[1:]
}

// TestLearnedStudies checks what is said of transfer, calibration and confounding against the numbers of their scripts. That the
// program still gives these numbers, a test of package main of cpsrl checks.
func TestLearnedStudies(t *testing.T) {
	text := prose(t, findings)
	says := func(row ...string) {
		t.Helper()
		if line := "| " + strings.Join(row, " | ") + " |"; !strings.Contains(text, line) {
			t.Errorf("the findings have no row %s", line)
		}
	}
	const graphs, other = 30, 10
	regret := map[string][][]float64{} // by agent, then environment, then graph
	for _, row := range rowsOf(t, "transfer", 150) {
		if regret[row[1]] == nil {
			regret[row[1]] = make([][]float64, 12) // the last one is the mean of the 2nd to 10th
		}
		mean := 0.0
		for k, cell := range row[2:13] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			regret[row[1]][k] = append(regret[row[1]][k], v)
			if k > 0 && k < other {
				mean += v / 9
			}
		}
		regret[row[1]][11] = append(regret[row[1]][11], mean)
	}
	less := func(a, b []float64) string {
		list := slices.Clone(a)
		for k := range list {
			list[k] -= b[k]
		}
		return meanOf(list, true)
	}
	none, truth := regret["no prior"], regret["the true graph"]
	for agent, of := range regret {
		if len(of[0]) != graphs {
			t.Fatalf("%s has %d graphs", agent, len(of[0]))
		}
		row := []string{agent}
		for _, k := range []int{0, 1, 2, 9, 11} {
			row = append(row, meanOf(of[k], false))
		}
		row = append(row, less(of[11], none[11]), less(of[11], truth[11]), less(of[other], none[other]))
		switch agent {
		case "no prior":
			row[6], row[8] = "–", "–"
		case "the true graph":
			row[7] = "–"
		}
		says(row...)
	}
	learned := regret["learned, t = 0.99"]
	average := func(list []float64) (mean float64) {
		for _, v := range list {
			mean += v / float64(len(list))
		}
		return mean
	}
	if s := average(learned[1]) / average(none[1]); math.Abs(s-0.65) > 0.04 {
		t.Errorf("the second environment costs %v of what it costs without a prior", s)
	}
	if s := 1 - average(regret["learned, t = 0.9"][11])/average(none[11]); math.Abs(s-0.3) > 0.02 {
		t.Errorf("t = 0.9 saves %v", s)
	}

	cells, settings := map[string]string{}, []string{}
	least, most := 1.0, 0.0
	for _, row := range rowsOf(t, "calibration", 63) {
		var held, logs float64
		if _, err := fmt.Sscanf(row[3], "%f of %f logs", &held, &logs); err != nil || logs < 990 {
			t.Fatalf("%q: %v", row, err)
		}
		if row[2] == "90%" {
			least, most = min(least, held/logs), max(most, held/logs)
		}
		cells[row[0]+row[1]+row[2]] = strings.Replace(row[3], " logs", "", 1)
		if !slices.Contains(settings, row[0]) {
			settings = append(settings, row[0])
		}
	}
	for _, s := range settings {
		says(s, cells[s+"proposed50%"], cells[s+"proposed80%"], cells[s+"proposed90%"], cells[s+"logged90%"], cells[s+"gain90%"])
	}
	if sentence := fmt.Sprintf("All bands of 90%% hold in %.0f to %.0f of 100 logs", 100*least, 100*most); !strings.Contains(text, sentence) {
		t.Errorf("the findings do not say %q", sentence)
	}

	minus := strings.NewReplacer("-", "−")
	warned := map[string]string{}
	for _, r := range rowsOf(t, "confounding", 10) {
		if r[9] != "0" {
			warned[r[0]+", "+r[1]] = r[9]
		}
		says(r[0], r[1], r[3], r[4], r[5]+" of "+r[2], minus.Replace(r[6]), minus.Replace(r[7]), r[8]+" of "+r[2])
	}
	sentence := fmt.Sprintf("in %s and %s of 100 logs of two effects, where no table says what happens, in %s of 100 of the ward that acts by what the log has, and in none of the other rows",
		warned["3: two effects, random"], warned["3: two effects, world"], warned["2: a cause and an effect, view"])
	if len(warned) != 3 || !strings.Contains(text, sentence) {
		t.Errorf("the findings do not say %q", sentence)
	}
}

// TestCompetitionStudy checks the table of the planning competition, and what is said of it, against the numbers of studies/ippc.sh.
func TestCompetitionStudy(t *testing.T) {
	text := prose(t, findings)
	names := map[string]string{"SysAdmin": "SysAdmin", "GameOfLife": "Game of Life", "Navigation": "Navigation", "SkillTeaching": "Skill Teaching", "Elevators": "Elevators", "CrossingTraffic": "Crossing Traffic"}
	agents := []string{"optimal", "f-psrl", "c-psrl", "c-psrl:eta=0", "random", "constant"}
	minus := strings.NewReplacer("-", "−")
	apart := func(one, two string) bool { // the interval of one lies above that of two
		var m, h, n, k float64
		if _, err := fmt.Sscanf(one+" "+two, "%f ± %f %f ± %f", &m, &h, &n, &k); err != nil {
			t.Fatal(one, two, err)
		}
		return m-h > n+k
	}
	beaten := map[string][]string{}
	for rows := range slices.Chunk(rowsOf(t, "ippc", 12*len(agents)), len(agents)) {
		first := rows[0]
		planner := first[5]
		if planner != "exact" {
			planner = "`" + planner + "`"
		}
		line, instance := "| "+names[first[0]]+" "+first[1]+" | "+first[2]+" | "+first[3]+" | "+planner, names[first[0]]+" "+first[1]
		for k, row := range rows {
			if row[7] != agents[k] {
				t.Fatalf("%q is not of %s", row, agents[k])
			}
			line += " | " + minus.Replace(row[9])
			if agents[k] != "optimal" && apart(row[9], rows[4][9]) {
				beaten[agents[k]] = append(beaten[agents[k]], instance)
			}
		}
		best := minus.Replace(first[10])
		if best == "" {
			best = "–"
		}
		if line += " | " + minus.Replace(first[11]) + " | " + best + " |"; !strings.Contains(text, line) {
			t.Errorf("the findings have no row %s", line)
		}
	}
	for agent, words := range map[string]string{"f-psrl": "F-PSRL", "c-psrl": "C-PSRL", "c-psrl:eta=0": "C-PSRL with no edge stated"} {
		list := beaten[agent]
		sentence := fmt.Sprintf("%s on %d of 12 (%s)", words, len(list), strings.Join(list, ", "))
		if !strings.Contains(text, sentence) {
			t.Errorf("the findings do not say %q", sentence)
		}
	}
}

// TestWorldStudy checks the table of the page about agents of others against the numbers of studies/world.sh, and those against the
// fingerprint of the figure.
func TestWorldStudy(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "studies", "world.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatal(rows, err)
	}
	figure, err := os.ReadFile(filepath.Join("figures", "fig2c.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := prose(t, filepath.Join("docs", "world.md"))
	names := map[string]string{"psrl": "PSRL", "f-psrl": "F-PSRL, which knows the graph", "c-psrl": "C-PSRL", "q-learning (other program)": "Q-learning, above"}
	for _, row := range rows[1:] {
		less := strings.Replace(row[2], "-", "−", 1)
		if line := strings.TrimRight(fmt.Sprintf("| %s | %s | %s", names[row[0]], row[1], less), " "); !strings.Contains(text, line+" |") {
			t.Errorf("the page has no row %s", line)
		}
		if ours := row[2] != ""; ours && !strings.Contains(string(figure), row[3]) {
			t.Errorf("%s: the figure has other records than %s", row[0], row[3])
		}
	}
}
