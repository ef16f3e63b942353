package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"cpsrl/core/experiment"
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
			low, high = min(low, r.Optimal), max(high, r.Optimal)
		}
		value := strings.ReplaceAll(fmt.Sprintf("%.4g", low), "-", "−")
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
		if !strings.Contains(results, "{{"+p.Name+" C-PSRL") {
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
