package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/curve"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/results"
)

// TestAnswers holds the answers to the precomputed figures.
func TestAnswers(t *testing.T) {
	want := map[string]string{
		"fig1":  "Nearly: it samples 91% of the true edges, and 93% of what it samples is true.",
		"fig2a": "Yes: C-PSRL pays 11, PSRL 99.",
		"fig2c": "Yes: C-PSRL pays 41, PSRL 190.",
		"fig2d": "Yes: C-PSRL pays 86, PSRL 280.",
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
		if got, err := answerOf(preset.Name, &figure); err != nil || got != want[preset.Name] {
			t.Errorf("%s %q, %v; want %q", preset.Name, got, err, want[preset.Name])
		}
		delete(want, preset.Name)
	}
	if len(want) > 0 {
		t.Errorf("no figures for %v", want)
	}
}

// TestAnswersFollowResults gives a question other results.
func TestAnswersFollowResults(t *testing.T) {
	series := func(agent string, mean, lo, hi float64) export.Series {
		return export.Series{Agent: agent, Measure: results.CumulativeRegret().Key, Mean: curve.Numbers{0, mean}, Lo: curve.Numbers{0, lo}, Hi: curve.Numbers{0, hi}}
	}
	for _, c := range []struct {
		preset string
		series []export.Series
		want   string
	}{
		{"fig2c", []export.Series{series("psrl", 8, 7, 9), series("c-psrl", 6.5, 6, 7.5)}, "These runs do not tell: C-PSRL pays 6.5, PSRL 8.0."},
		{"fig2c", []export.Series{series("psrl", 8, 7, 9), series("c-psrl", 20, 19, 21)}, "No: C-PSRL pays 20, PSRL 8.0."},
		{"eta", []export.Series{series("f-psrl", 10, 9, 11), series("c-psrl:eta=1", 20, 19, 21)}, "More than one edge into each variable: with one"},
	} {
		got, err := answerOf(c.preset, &export.Figure{Episodes: []int{1, 2}, Series: c.series})
		if err != nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, %v; want %q", got, err, c.want)
		}
	}
	for _, preset := range []string{"fig2c", "taxi"} {
		if got, err := answerOf(preset, &export.Figure{}); err == nil {
			t.Errorf("%s: an empty figure answers %q", preset, got)
		}
	}
}
