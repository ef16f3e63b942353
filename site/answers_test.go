package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/results"
)

// TestAnswers holds the answers to the precomputed figures of the paper. Those of the gallery have a verdict and numbers.
func TestAnswers(t *testing.T) {
	want := map[string]string{
		"fig1":  "Nearly: it samples 91% of the true edges, and 93% of what it samples is true.",
		"fig2a": "Yes: C-PSRL pays 11, PSRL 99.",
		"fig2c": "Yes: C-PSRL pays 41, PSRL 190.",
		"fig2d": "Yes: C-PSRL pays 86, PSRL 280; without the walls (η = 2) it pays 211.",
		"eta":   "Little: with one edge into each variable the regret is 11, with all edges 11.",
	}
	for _, preset := range experiment.Presets() {
		data, err := os.ReadFile(filepath.Join("figures", preset.Name+".json"))
		if os.IsNotExist(err) {
			continue
		}
		var figure export.Figure
		if err == nil {
			err = json.Unmarshal(data, &figure)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := answerOf(preset.Name, &figure)
		if length := utf8.RuneCountInString(preset.Question + " " + got); length > 2*60 {
			t.Errorf("%s: %d characters do not fit into the line above the chart: %s %s", preset.Name, length, preset.Question, got)
		}
		if preset.Gallery {
			if err != nil || !verdict.MatchString(got) {
				t.Errorf("%s %q, %v", preset.Name, got, err)
			}
			continue
		}
		if err != nil || got != want[preset.Name] {
			t.Errorf("%s %q, %v; want %q", preset.Name, got, err, want[preset.Name])
		}
		delete(want, preset.Name)
	}
	if len(want) > 0 {
		t.Errorf("no figures for %v", want)
	}
}

var verdict = regexp.MustCompile(`^(Yes|No|A little|Seldom|These runs do not tell|Not here|It does here|Much if it is certain)(, [^:]+)?: [^:]*\d[^:]*\.$`)

// TestAnswersFollowResults gives a question other results.
func TestAnswersFollowResults(t *testing.T) {
	series := func(agent string, mean, lo, hi float64) export.Series {
		return export.Series{Agent: agent, Measure: results.CumulativeRegret().Key, Mean: curve.Numbers{0, mean}, Lo: curve.Numbers{0, lo}, Hi: curve.Numbers{0, hi}}
	}
	ended := func(agent string, died, discharged float64) []export.Series {
		first, second := series(agent, died, died-1, died+1), series(agent, discharged, discharged-1, discharged+1)
		first.Measure, second.Measure = "first-end", "second-end"
		return []export.Series{first, second}
	}
	for _, c := range []struct {
		preset string
		series []export.Series
		want   string
	}{
		{"fig2c", []export.Series{series("psrl", 8, 7, 9), series("c-psrl", 6.5, 6, 7.5)}, "These runs do not tell: C-PSRL pays 6.5, PSRL 8.0."},
		{"fig2c", []export.Series{series("psrl", 8, 7, 9), series("c-psrl", 20, 19, 21)}, "No: C-PSRL pays 20, PSRL 8.0."},
		{"eta", []export.Series{series("f-psrl", 10, 9, 11), series("c-psrl:eta=1", 20, 19, 21)}, "More than one edge into each variable: with one"},
		{"sysadmin", []export.Series{series("f-psrl", 10, 9, 11), series("c-psrl", 20, 19, 21), series(nothing, 22, 20, 24), series("random", 60, 50, 70)}, "Yes, though the whole graph helps more: C-PSRL pays 20, 22 if no edge is stated, at random 60."},
		{"sysadmin", []export.Series{series("f-psrl", 20, 19, 21), series("c-psrl", 20, 19, 21), series("random", 30, 29, 31)}, "A little: C-PSRL pays 20, at random 30."},
		{"sysadmin", []export.Series{series("f-psrl", 20, 19, 21), series("c-psrl", 20, 19, 31), series("random", 30, 29, 31)}, "These runs do not tell: "},
		{"inventory", []export.Series{series("psrl:dirichlet=0.1", 8, 7, 9), series("f-psrl", 20, 19, 21), series("c-psrl", 20, 19, 21), series(nothing, 30, 29, 31), series("random", 30, 29, 31)}, "Yes: C-PSRL pays 20, and 30 if no edge is stated."},
		{"inventory", []export.Series{series("psrl", 8, 7, 9), series("f-psrl", 20, 19, 21), series("c-psrl", 20, 19, 21), series(nothing, 21, 20, 22), series("random", 30, 29, 31)}, "These runs do not tell: C-PSRL pays 20, and 21 if"},
		{"sepsis", slices.Concat(ended("c-psrl", 41, 100), ended(nothing, 42, 99), ended("f-psrl", 39, 110), ended("psrl:laws=told", 90, 50), ended("random", 118, 60), ended("constant", 97, 2)),
			"Yes: of 2 patients 41 die, 42 if no edge is stated, 118 treated at random."},
		{"wrong-edge", []export.Series{series("c-psrl", 6, 5, 7), series("c-psrl:prior=sure", 263, 60, 460), series("c-psrl:prior=guess", 6, 5, 7)}, "Much if it is certain, little if it is likely: C-PSRL pays 263, at .9 6.0, without 6.0."},
		{"wrong-edge", []export.Series{series("c-psrl", 6, 5, 7), series("c-psrl:prior=sure", 9, 6, 12), series("c-psrl:prior=guess", 6, 5, 7)}, "These runs do not tell: "},
	} {
		got, err := answerOf(c.preset, &export.Figure{Episodes: []int{1, 2}, Series: c.series})
		if err != nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, %v; want %q", got, err, c.want)
		}
	}
	for _, preset := range []string{"fig2c", "taxi", "sepsis", "sysadmin"} {
		if got, err := answerOf(preset, &export.Figure{}); err == nil {
			t.Errorf("%s: an empty figure answers %q", preset, got)
		}
	}
}
