package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// TestGraphStudy holds the findings' table and verdict to the numbers of studies/graph.sh, whose links have receipts.
func TestGraphStudy(t *testing.T) {
	s, err := readGraphStudy(filepath.Join("..", "studies", "graph.csv"))
	if err != nil {
		t.Fatal(err)
	}
	text := prose(t, findings)
	tables := map[string]string{"α = 1": `"dirichlet":1,"tables":"rows"`, "tied": `"dirichlet":{"mix":[0.01,0.1,1]},"tables":"tied"`, "trees": `"dirichlet":{"mix":[0.01,0.1,1]},"tables":"trees"`}
	little, seen, harm := map[string]int{}, map[string]int{}, 0
	of := func(problem, law, agent string) saving { return s.saved[[3]string{problem, law, agent}] }
	paid := func(problem, law, agent string) string {
		return s.regret[[3]string{problem, law, agent}] + " ± " + s.half[[3]string{problem, law, agent}]
	}
	for _, problem := range s.problems {
		line := fmt.Sprintf("| %s | %d |", problem, s.runs[problem])
		for _, law := range s.laws {
			link, err := spec.DecodeLink(s.links[[2]string{problem, law}])
			if err != nil || link.Receipt == nil || link.Receipt.Engine != record.Engine || link.Spec.Runs != s.runs[problem] || link.Spec.Seed != 8 || !strings.Contains(string(spec.Encode(link.Spec)), tables[law]) {
				t.Fatalf("%s, %s: no receipt of this engine, or another experiment: %v", problem, law, err)
			}
			v := s.saved[[3]string{problem, law, statedEdges}]
			line += fmt.Sprintf(" %s (%s to %s) |", percent(v.share), percent(v.low), percent(v.high))
			if v.share < 0.1 {
				little[law]++
			}
			if v.low > 0 {
				seen[law]++
			}
			if v.high < 0 {
				harm++
			}
		}
		if !strings.Contains(text, line) {
			t.Errorf("the findings have no row\n%s", line)
		}
	}
	n := len(s.problems)
	for _, words := range []string{
		fmt.Sprintf("With α = 1 the stated edges save less than a tenth on %d of %d problems, with tied rows on %d, with trees on %d.", little["α = 1"], n, little["tied"], little["trees"]),
		fmt.Sprintf("An interval is above zero on %d, %d and %d of them, and below zero on none.", seen["α = 1"], seen["tied"], seen["trees"]),
		fmt.Sprintf("the stated edges save much on both taxis, %s and %s.", percent(of("taxi 3×3", "α = 1", statedEdges).share), percent(of("taxi 5×5", "α = 1", statedEdges).share)),
		fmt.Sprintf("(from %s to %s and from %s to %s)", s.regret[[3]string{"taxi 3×3", "α = 1", noEdges}], s.regret[[3]string{"taxi 3×3", "tied", noEdges}],
			s.regret[[3]string{"taxi 5×5", "α = 1", noEdges}], s.regret[[3]string{"taxi 5×5", "tied", noEdges}]),
		fmt.Sprintf("On the coffee robot and SysAdmin a part of the graph is not enough: *all* true edges (the rings) save %s and %s.", percent(of("coffee robot", "α = 1", allEdges).share), percent(of("SysAdmin", "α = 1", allEdges).share)),
		fmt.Sprintf("whatever the tables are: %s, %s and %s.", percent(of("16 variables", "α = 1", statedEdges).share), percent(of("16 variables", "tied", statedEdges).share), percent(of("16 variables", "trees", statedEdges).share)),
		fmt.Sprintf("all true edges cost %s on CliffWalking. With trees, which can leave a parent out of a branch, they cost %s.", percent(-of("CliffWalking", "tied", allEdges).share), percent(-of("CliffWalking", "trees", allEdges).share)),
		fmt.Sprintf("the coffee robot (%s in place of %s), RiverSwim (%s in place of %s) and the inventory (%s in place of %s)",
			paid("coffee robot", "trees", noEdges), paid("coffee robot", "tied", noEdges), paid("RiverSwim", "trees", noEdges), paid("RiverSwim", "tied", noEdges), paid("inventory", "trees", noEdges), paid("inventory", "tied", noEdges)),
		fmt.Sprintf("(F-PSRL %s in place of %s)", paid("SysAdmin", "trees", "f-psrl"), paid("SysAdmin", "tied", "f-psrl")),
	} {
		if !strings.Contains(text, words) {
			t.Errorf("the findings do not say %q", words)
		}
	}
	for _, problem := range s.problems {
		if large := of(problem, "tied", statedEdges).share >= 0.1; large != (strings.HasPrefix(problem, "taxi 5×5") || problem == "16 variables") {
			t.Errorf("with tied rows the stated edges save %v on %s", of(problem, "tied", statedEdges).share, problem)
		}
	}
	if harm > 0 {
		t.Errorf("stated edges cost something that an interval shows in %d settings, and the findings say in none", harm)
	}
	for _, words := range []string{
		fmt.Sprintf("the stated edges save %s and %s of the regret", percent(of("taxi 3×3", "α = 1", statedEdges).share), percent(of("taxi 5×5", "α = 1", statedEdges).share)),
		fmt.Sprintf("With tied rows they save less than a tenth on %d of %d problems", little["tied"], n),
	} {
		if !strings.Contains(prose(t, "../README.md"), words) {
			t.Errorf("README does not say %q", words)
		}
	}
}

// TestSepsisStudy holds what is said of the physician's edges to the numbers of studies/sepsis.sh, whose links have receipts.
func TestSepsisStudy(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "studies", "sepsis.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	text := prose(t, findings)
	excludes := map[string]bool{} // whether the interval of the deaths does not hold zero
	for k := 1; k < len(rows); k += 2 {
		with, none := rows[k], rows[k+1]
		for _, row := range rows[k : k+2] {
			link, err := spec.DecodeLink(row[6])
			if err != nil || link.Receipt == nil || link.Receipt.Engine != record.Engine || link.Spec.Runs != 50 || link.Spec.Episodes != 200 || link.Spec.Tables != "tied" || link.Spec.Domain.Kind().Key != "sepsis" {
				t.Fatalf("%q: no receipt of this engine, or another experiment: %v", row, err)
			}
		}
		if line := "| " + strings.Join([]string{with[0], with[2], none[2], with[3], with[4], none[4], with[5]}, " | ") + " |"; with[1] != statedEdges || none[1] != noEdges || !strings.Contains(text, line) {
			t.Errorf("the findings have no row\n%s", line)
		}
		var more, half float64
		if _, err := fmt.Sscanf(with[3], "+%g ± %g", &more, &half); err != nil {
			t.Fatalf("%q: %v", with[3], err)
		}
		excludes[with[0]] = more > half
	}
	if !excludes["absent"] || excludes["hidden"] || excludes["observed"] || !strings.Contains(text, "where some do, these runs see no difference in deaths") {
		t.Errorf("differences of deaths are seen: %v, and the findings say otherwise", excludes)
	}
	if words := "Without the physician's edges " + strings.TrimPrefix(rows[1][3], "+") + " more die (50 paired runs)"; !strings.Contains(prose(t, "../README.md"), words) {
		t.Errorf("README does not say %q", words)
	}
}

// The picture of the study has a bar for each problem in each panel, and its words say every number.
func TestGraphPicture(t *testing.T) {
	s, err := readGraphStudy(filepath.Join("..", "studies", "graph.csv"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeGraphStudy(dir, "figures"); err != nil {
		t.Fatal(err)
	}
	svg, err := os.ReadFile(filepath.Join(dir, "poster-graph.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range s.problems {
		if !strings.Contains(string(svg), ">"+problem+"<") {
			t.Errorf("the picture does not name %s", problem)
		}
		for _, law := range s.laws {
			v := s.saved[[3]string{problem, law, statedEdges}]
			if words := fmt.Sprintf("%s, %s: %s (%s to %s)", problem, law, percent(v.share), percent(v.low), percent(v.high)); !strings.Contains(string(svg), words) {
				t.Errorf("the picture does not say %q", words)
			}
		}
	}
	for _, m := range s.picture().Marks {
		if text := fmt.Sprint(m); strings.Contains(text, "NaN") {
			t.Errorf("a mark has no place: %s", text)
		}
	}
	if strings.Count(string(svg), `height="11"`) != len(s.problems)*len(s.laws) {
		t.Error("a bar is missing")
	}
	if data, err := os.ReadFile(filepath.Join("..", "studies", "graph.csv")); err != nil || !slices.Equal(s.laws, []string{"α = 1", "tied", "trees"}) || strings.Count(string(data), "\n") != 1+4*len(s.laws)*len(s.problems) {
		t.Errorf("the laws are %q, or an agent is missing: %v", s.laws, err)
	}
}
