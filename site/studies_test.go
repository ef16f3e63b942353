package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// study reads the numbers that a script of studies has written, each with the link of its
// experiment. It checks that each link has a receipt of this engine and asks for the experiment
// of its row. Anyone who doubts a number can check it by cpsrl verify -link.
func study(t *testing.T, name string, of func(row []string, s *spec.Spec) bool) [][]string {
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
			t.Errorf("%s: %q is of engine %d; run studies/%s.sh again", name, row, link.Receipt.Engine, name)
		case link.Spec.Episodes != 300 || link.Spec.Runs != 20 || link.Spec.Seed != 1 || !of(row, link.Spec):
			t.Errorf("%s: %q is of another experiment: %s", name, row, spec.Encode(link.Spec))
		}
	}
	return rows[1:]
}

// readme returns the README with each run of white space as one space.
func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(data)), " ")
}

// TestStudies checks the README's tables against the numbers of the studies.
func TestStudies(t *testing.T) {
	text := readme(t)
	says := func(row ...string) {
		if line := "| " + strings.Join(row, " | ") + " |"; !strings.Contains(text, strings.Join(strings.Fields(line), " ")) {
			t.Errorf("the README has no row %s", line)
		}
	}

	cells := map[string]string{}
	var alphas []string
	for _, row := range study(t, "concentration", func(row []string, s *spec.Spec) bool {
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

	found := map[string]string{}
	for _, row := range study(t, "false-edges", func(row []string, s *spec.Spec) bool {
		asked := ""
		if p := s.Prior; p != nil && p.Eta != nil {
			asked = fmt.Sprint("-eta ", *p.Eta)
			if p.False > 0 {
				asked += fmt.Sprint(" -false ", p.False, " -trust ", record.FormatP(p.P()))
			} else if p.Trust != nil {
				asked += " -trust " + record.FormatP(p.P())
			}
		}
		return fmt.Sprint(s.Sparseness) == row[0] && asked == row[1]
	}) {
		found[row[0]+row[1]] = row[2]
	}
	for words, asked := range map[string]string{
		"nothing": "-eta 0", "one true edge each, certain": "-eta 1", "one true edge each, trust 0.9": "-eta 1 -trust .9",
		"one true and one false edge each, certain": "-eta 1 -false 1 -trust 1", "the same, trust 0.999": "-eta 1 -false 1 -trust .999",
		"the same, trust 0.99": "-eta 1 -false 1 -trust .99", "the same, trust 0.9": "-eta 1 -false 1 -trust .9",
	} {
		says(words, found["3"+asked], found["4"+asked])
	}
}

// TestStudyOfEdges checks the README's table of the values of true edges. It computes the values
// again, which takes a second.
func TestStudyOfEdges(t *testing.T) {
	text := readme(t)
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
			doc, err := experiment.ModelEdges(t.Context(), in.Model, experiment.ByNumber)
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
			t.Errorf("the README has no row %s", row)
		}
	}
}
