package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/export"
)

// figures are the precomputed figures by preset.
type figures map[string]*export.Figure

// series returns the curve of an agent.
func (f figures) series(preset, measure, agent string) export.Series {
	i := slices.IndexFunc(f[preset].Series, func(s export.Series) bool {
		return s.Agent == agent && s.Measure == measure && s.Base == ""
	})
	return f[preset].Series[i]
}

// last returns the last mean of an agent with its interval.
func (f figures) last(preset, measure, agent string) (mean, lo, hi float64) {
	s := f.series(preset, measure, agent)
	k := len(s.Mean) - 1
	return float64(s.Mean[k]), float64(s.Lo[k]), float64(s.Hi[k])
}

// at returns the mean of an agent at an episode or, if the figure leaves the episode out, at the last
// one before it.
func (f figures) at(preset, measure, agent string, episode int) float64 {
	k, found := slices.BinarySearch(f[preset].Episodes, episode)
	if !found {
		k--
	}
	return float64(f.series(preset, measure, agent).Mean[k])
}

// sentence returns an agent's regret as the figure's conclusion gives it, such as "86.0 ± 3.5".
func (f figures) sentence(preset, name string) string {
	m := regexp.MustCompile(regexp.QuoteMeta(name) + ` ([\d.]+ ± [\d.]+)`).FindStringSubmatch(f[preset].Conclusion)
	if m == nil {
		return name + " is missing"
	}
	return m[1]
}

const regret = "cumulative-regret"

// claims are sentences about results. Each must be in its file, and the precomputed figures must
// bear it out.
var claims = []struct {
	file, sentence string
	holds          func(f figures) bool
}{
	{"site/docs/index.md", "On the 5 × 5 taxi PSRL is a straight line for 400 episodes", straight},
	{"README.md", "On the 5×5 taxi PSRL pays 0.70 an episode from the first to the last, a straight line", straight},
	{"site/" + findings, "On the 5×5 taxi PSRL pays 0.70 an episode from the first to the last, a straight line", straight},
	{"README.md", "11 die under C-PSRL, which is told what a physician may guess, as many under F-PSRL, 133 under PSRL, 154 under random treatment and 183 without any (6 runs)", func(f figures) bool {
		for agent, deaths := range map[string]float64{"c-psrl": 11, "psrl:dirichlet=0.011,laws=told": 133, "random": 154, "constant": 183} {
			if mean, _, _ := f.last("sepsis", "first-end", agent); math.Round(mean) != deaths {
				return false
			}
		}
		c, _, _ := f.last("sepsis", "first-end", "c-psrl")
		_, lo, hi := f.last("sepsis", "first-end", "f-psrl")
		return lo < c && c < hi && strings.Contains(f["sepsis"].Conclusion, "over 6 runs")
	}},
	{"site/" + findings, "In the preset 154 die under random treatment and 133 under PSRL, which is told the same laws (6 runs)", func(f figures) bool {
		random, _, _ := f.last("sepsis", "first-end", "random")
		told, _, _ := f.last("sepsis", "first-end", "psrl:dirichlet=0.011,laws=told")
		return math.Round(random) == 154 && math.Round(told) == 133
	}},
	{"site/docs/index.md", "told two parents only (η = 2)", func(f figures) bool {
		_, lo, _ := f.last("fig2d", regret, "c-psrl:eta=2")
		_, _, hi := f.last("fig2d", regret, "c-psrl")
		return lo > hi
	}},
	{"site/docs/index.md", "On both taxis of the paper C-PSRL pays less than F-PSRL", beatsOracle},
	{"site/" + findings, "On both taxis C-PSRL pays less than F-PSRL", beatsOracle},
	{"site/docs/paper.md", "a straight line. F-PSRL has the true graph", straight},
	{"site/docs/paper.md", "Less knowledge, less regret", beatsOracle},
	{"site/docs/paper.md", "and every sampled edge is true", prunes},
	{"site/docs/index.md", "and every sampled edge is true", prunes},
	{"site/docs/index.md", "η makes no difference that 20 runs can show", func(f figures) bool {
		low, high := math.Inf(-1), math.Inf(1) // the part that all intervals share
		for eta := 1; eta <= 4; eta++ {
			_, lo, hi := f.last("eta", regret, fmt.Sprintf("c-psrl:eta=%d", eta))
			low, high = max(low, lo), min(high, hi)
		}
		return low < high
	}},
	{"site/docs/index.md", "On the random environment they do", func(f figures) bool {
		mean, _, _ := f.last("fig2a", "recall", "c-psrl")
		return mean > 0.99
	}},
	{"site/docs/index.md", "On the taxis they do not: recall stays at", func(f figures) bool {
		return settled(f, "fig2c") && settled(f, "fig2d")
	}},
	{"README.md", "C-PSRL has paid nine tenths of its regret by episode 150", bends},
	{"site/" + findings, "C-PSRL has paid nine tenths of its regret by episode 150", bends},
	{"site/tour.json", "It pays as much in the last episode as in the first, a straight line", straight},
	{"site/tour.json", "This is episode 150. By now C-PSRL has paid nine tenths of what it pays in 400 episodes", bends},
	{"site/tour.json", "F-PSRL (factored PSRL) knows the true graph and pays more", beatsOracle},
	{"site/tour.json", "C-PSRL leaves such edges out", prunes},
	{"site/" + findings, "On the random FMDP C-PSRL pays as much as F-PSRL.", func(f figures) bool {
		c, lo, high := f.last("fig2a", regret, "c-psrl")
		oracle, low, hi := f.last("fig2a", regret, "f-psrl")
		return lo < oracle && oracle < high && low < c && c < hi // each is in the interval of the other
	}},
}

// straight reports whether PSRL's regret of an episode on the 5×5 taxi is the same from the first to
// the last.
func straight(f figures) bool {
	for _, r := range f.series("fig2d", "regret", "psrl").Mean {
		if math.Abs(float64(r)-0.7) > 0.02 {
			return false
		}
	}
	return true
}

// bends reports whether C-PSRL pays nine tenths of its regret on the 5×5 taxi by episode 150.
func bends(f figures) bool {
	all, _, _ := f.last("fig2d", regret, "c-psrl")
	return math.Abs(f.at("fig2d", regret, "c-psrl", 150)/all-0.9) < 0.05
}

// beatsOracle reports whether C-PSRL pays less than F-PSRL on both taxis, with intervals that do not
// overlap.
func beatsOracle(f figures) bool {
	for _, preset := range []string{"fig2c", "fig2d"} {
		_, _, hi := f.last(preset, regret, "c-psrl")
		if _, lo, _ := f.last(preset, regret, "f-psrl"); hi >= lo {
			return false
		}
	}
	return true
}

// prunes reports whether C-PSRL's graphs on the 5×5 taxi have only true edges, but not all of them.
func prunes(f figures) bool {
	precision, _, _ := f.last("fig2d", "precision", "c-psrl")
	recall, _, _ := f.last("fig2d", "recall", "c-psrl")
	return precision == 1 && recall < 1
}

// settled reports whether the recall is below 1 and the same for the last 100 episodes.
func settled(f figures, preset string) bool {
	last, _, _ := f.last(preset, "recall", "c-psrl")
	return last < 0.95 && math.Abs(f.at(preset, "recall", "c-psrl", 300)-last) < 0.01
}

// TestClaims checks the claims, and the findings' table of results and regrets by η.
func TestClaims(t *testing.T) {
	f := figures{}
	for _, preset := range []string{"fig1", "fig2a", "fig2c", "fig2d", "eta", "sepsis"} {
		data, err := os.ReadFile(filepath.Join("figures", preset+".json"))
		if err != nil {
			t.Fatal(err)
		}
		f[preset] = new(export.Figure)
		if err := json.Unmarshal(data, f[preset]); err != nil {
			t.Fatal(err)
		}
	}
	text := func(file string) string {
		data, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(data)), " ")
	}
	for _, c := range claims {
		if !strings.Contains(text(c.file), c.sentence) {
			t.Errorf("%s does not say %q", c.file, c.sentence)
		}
		if !c.holds(f) {
			t.Errorf("%s says %q, but the figures do not", c.file, c.sentence)
		}
	}
	// The findings' table.
	found := text("site/" + findings)
	for _, preset := range []string{"fig2a", "fig2c", "fig2d"} {
		episodes := f[preset].Episodes[len(f[preset].Episodes)-1]
		c, _, _ := f.last(preset, regret, "c-psrl")
		flat, _, _ := f.last(preset, regret, "psrl")
		row := fmt.Sprintf("| `%s` | %d | %s | %s | %s | %.0f%% |", preset, episodes,
			f.sentence(preset, "PSRL"), f.sentence(preset, "F-PSRL"), f.sentence(preset, "C-PSRL"), 100*c/flat)
		if !strings.Contains(found, row) {
			t.Errorf("the findings have no row %s", row)
		}
	}
	var etas []string
	for eta := 1; eta <= 4; eta++ {
		mean, _, _ := strings.Cut(f.sentence("eta", fmt.Sprintf("C-PSRL (η = %d)", eta)), " ")
		etas = append(etas, mean)
	}
	if want := strings.Join(etas[:3], ", ") + " and " + etas[3]; !strings.Contains(found, want) {
		t.Errorf("the findings do not say %q", want)
	}
}
