package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// TestGallery checks that the page of the gallery tells each preset: its question, its sizes, its best
// value, its episodes and its runs, and that it asks for the results of no other preset.
func TestGallery(t *testing.T) {
	text, err := os.ReadFile("docs/gallery.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	_, problems, _ := strings.Cut(page, "\n## The problems\n")
	problems, results, _ := strings.Cut(problems, "\n## What the agents pay\n")
	row := func(section, preset string) string {
		return regexp.MustCompile(`(?m)^\| \[[^]]*\]\(\.\./` + regexp.QuoteMeta(preset) + `/\) \|.*$`).FindString(section)
	}
	presets := map[string]bool{}
	for _, p := range experiment.Gallery() {
		presets[p.Name] = true
		s := p.Spec.Clone()
		s.Agents, s.Priors, s.Episodes = []string{"random"}, nil, 1
		e, err := experiment.New(s)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		in, err := e.Instance(0)
		if err != nil {
			t.Fatal(err)
		}
		low, high := math.Inf(1), math.Inf(-1)
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			if e.Unvalued() == "" {
				low, high = min(low, r.Optimal), max(high, r.Optimal)
			}
		}
		value := strings.ReplaceAll(fmt.Sprintf("%.4g", low), "-", "−")
		if e.Unvalued() != "" {
			value = "–"
		}
		if s.Domain.Kind().PerRun {
			value += fmt.Sprintf(" to %.4g", high)
		}
		m := in.View
		if got, want := row(problems, p.Name), fmt.Sprintf("| %d | %d | %d | %d | %d | %s |", m.X(), m.Y(), m.States(), m.Actions(), m.Horizon, value); !strings.HasSuffix(got, want) || !strings.Contains(got, "| "+p.Question+" |") {
			t.Errorf("%s: the row is\n%s, it should ask %q and end in\n%s", p.Name, got, p.Question, want)
		}
		if got, want := row(results, p.Name), fmt.Sprintf(" | %d | %d | ", p.Spec.Episodes, p.Spec.Runs); got != "" && !strings.Contains(got, want) {
			t.Errorf("%s: %s has not %q", p.Name, got, want)
		}
		of := p.Name
		if e.Unvalued() != "" {
			of += " cumulative-return"
		}
		if !strings.Contains(results, "{{"+of+" C-PSRL") {
			t.Errorf("%s: the page does not say what C-PSRL pays", p.Name)
		}
		want := fmt.Sprintf("](../%s/)", p.Name)
		if row(results, p.Name) == "" && (!strings.Contains(results, want) || !strings.Contains(results, fmt.Sprintf("in %d episodes", p.Spec.Episodes)) || !strings.Contains(results, fmt.Sprintf("(%d runs", p.Spec.Runs))) {
			t.Errorf("%s: the page does not tell episodes and runs", p.Name)
		}
	}
	for _, found := range regexp.MustCompile(`\{\{([\w-]+) `).FindAllStringSubmatch(page, -1) {
		if !presets[found[1]] {
			t.Errorf("there is no preset %q", found[1])
		}
	}
}

// searches reports whether the agents of a preset search: the study of the gallery is about those that plan exactly.
func searches(p experiment.Preset) bool { return !p.Spec.Planner.Lists() }

// A figure of a preset whose agents search is that of the preset, with a receipt, whose engine is this one. The page names
// the planner.
func TestGallerySearches(t *testing.T) {
	page := prose(t, "docs/gallery.md")
	all := 0
	for _, p := range experiment.Gallery() {
		if !searches(p) {
			continue
		}
		all++
		figure, err := os.ReadFile("figures/" + p.Name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var f export.Figure
		if err := json.Unmarshal(figure, &f); err != nil {
			t.Fatal(err)
		}
		l, err := spec.DecodeLink(f.Link)
		if err != nil || l.Receipt == nil || l.Receipt.Engine != record.Engine || l.Receipt.Fingerprint != f.Fingerprint || string(spec.Encode(l.Spec)) != string(spec.Encode(p.Spec)) {
			t.Errorf("%s: the figure is of another experiment, or has no receipt: %v; write it by ./build.sh figures", p.Name, err)
		}
		if !slices.Contains(p.Spec.Agents, "optimal") || !strings.Contains(page, "`"+p.Spec.Planner.String()+"`") {
			t.Errorf("%s has no reference, or the page does not name its planner", p.Name)
		}
		cost, err := experiment.New(p.Spec)
		if err != nil {
			t.Fatal(err)
		}
		if seconds := cost.Cost() / experiment.Browser; seconds > 240 {
			t.Errorf("%s takes %.0f s of a tab", p.Name, seconds)
		}
	}
	if all != 4 {
		t.Errorf("%d presets search", all)
	}
}

// TestGalleryStudy checks what the page says has been learned against the numbers of studies/gallery.sh, whose
// receipts are those of the precomputed figures.
func TestGalleryStudy(t *testing.T) {
	file, err := os.ReadFile("../studies/gallery.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("docs/gallery.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	_, learning, _ := strings.Cut(page, "\n## Does C-PSRL learn?\n")
	learned, agents := map[string]string{}, map[string]int{}
	for _, row := range rows[1:] {
		problem, agent, link := row[0], row[1], row[6]
		preset, known := experiment.LookupPreset(problem)
		l, err := spec.DecodeLink(link)
		if !known || err != nil || l.Receipt == nil || string(spec.Encode(l.Spec)) != string(spec.Encode(preset.Spec)) || fmt.Sprint(preset.Spec.Runs) != row[3] {
			t.Fatalf("%q is not of a preset: %v", row, err)
		}
		figure, err := os.ReadFile("figures/" + problem + ".json")
		if err != nil || !strings.Contains(string(figure), `"fingerprint":"`+l.Receipt.Fingerprint+`"`) {
			t.Errorf("the receipt of %q is not that of the figure: %v", row[:2], err)
		}
		agents[problem]++
		cell := row[4] + " of " + row[3]
		if row[5] != "" {
			cell += ", by " + row[5]
		}
		learned[problem+" "+agent] = cell
	}
	for _, p := range experiment.Gallery() {
		if searches(p) {
			continue
		}
		if agents[p.Name] != len(p.Spec.Agents) {
			t.Errorf("%s: %d agents in the table", p.Name, agents[p.Name])
		}
		if p.Name == "random-16" || p.Name == "wrong-edge" { // drawn anew for each run
			continue
		}
		row := regexp.MustCompile(`(?m)^\| \[[^]]*\]\(\.\./` + p.Name + `/\) \|.*$`).FindString(learning)
		if want := "| " + learned[p.Name+" f-psrl"] + " | " + learned[p.Name+" c-psrl"] + " |"; !strings.Contains(row, want) {
			t.Errorf("%s: the page says %q, want %q", p.Name, row, want)
		}
	}
	// The sentences on where C-PSRL fails.
	for sentence, of := range map[string][]string{
		"C-PSRL learned in 1 of 10 runs (0–45%), F-PSRL in 2 of 10 (3–56%) and PSRL in 7 of 10 (35–93%).": {"frozen-lake c-psrl", "1 of 10", "frozen-lake f-psrl", "2 of 10", "frozen-lake psrl:dirichlet=0.06", "7 of 10"},
		"Neither C-PSRL nor F-PSRL learned within 300 episodes in any of 4 runs":                          {"game-of-life c-psrl", "0 of 4", "game-of-life f-psrl", "0 of 4"},
		"C-PSRL learned in 5 of 6 runs (36–100%). With bits it learned in all 6":                          {"sysadmin c-psrl", "5 of 6", "sysadmin-bits c-psrl", "6 of 6"},
		"C-PSRL learned in 4 of 10 runs (12–74%) with it, and in all 10 if the same edge is stated":       {"wrong-edge c-psrl:prior=sure", "4 of 10", "wrong-edge c-psrl:prior=guess", "10 of 10"},
	} {
		if !strings.Contains(page, sentence) {
			t.Errorf("the page does not say %q", sentence)
		}
		for k := 0; k < len(of); k += 2 {
			if got := learned[of[k]]; !strings.HasPrefix(got, of[k+1]) {
				t.Errorf("%s: %s, and the page says %s", of[k], got, of[k+1])
			}
		}
	}
}
