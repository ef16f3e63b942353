package render

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// The rows are those of the page's own rule (site/src/parts/prior/names.test.mjs).
func TestFronts(t *testing.T) {
	text, err := os.ReadFile("testdata/fronts.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ Names, Fronts []string }
	if err := json.Unmarshal(text, &rows, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var got []string
		for k, front := range fronts(row.Names) {
			got = append(got, row.Names[k][:front])
		}
		if !slices.Equal(got, row.Fronts) {
			t.Errorf("%q: the fronts are %q, want %q", row.Names, got, row.Fronts)
		}
	}
}

func TestFitName(t *testing.T) {
	const size = 10
	for _, test := range []struct{ front, own, width, want string }{
		{"running_", "c1", "running_c1", "running_c1"},
		{"running_", "c10", "running_c1", "runnin…c10"},
		{"running_", "c1′", "run…c1′", "run…c1′"},
		{"running_", "c1", "…c1", "…c1"},
		{"running_", "c1", "c1", "c1"},
		{"running_", "station", "stat…", "stat…"},
		{"", "passenger", "passen…", "passen…"},
		{"blood", "", "blo…", "blo…"},
	} {
		if got := fitName(test.front+test.own, len(test.front), size, true, widthOf(test.width, size, true)+1e-9); got != test.want {
			t.Errorf("%s%s as wide as %s is %q, want %q", test.front, test.own, test.width, got, test.want)
		}
	}
}

// Nodes and variables whose names begin alike, and are too long, have labels of their own.
func TestLongNames(t *testing.T) {
	trace := episode(t, life(t, "population_c"), "c-psrl", 1)
	for _, width := range []float64{390, 900} {
		var cut []string
		for _, m := range draw(t, trace, StageView{Moment: Act, Width: width}).Marks {
			if text, is := m.(Text); is && strings.Contains(text.Value, "…") {
				cut = append(cut, text.Value)
			}
		}
		for k := range 9 {
			end := fmt.Sprintf("…c%d%d", k/3, k%3)
			if !slices.ContainsFunc(cut, func(label string) bool { return strings.HasPrefix(label, "p") && strings.HasSuffix(label, end) }) {
				t.Errorf("%v px wide: no label ends in %s: %q", width, end, cut)
			}
		}
	}
}

// Each of twenty nodes has its name in a world as wide as the page's, where a value has no room.
func TestSmallNodes(t *testing.T) {
	trace := episode(t, named(t, "sysadmin-20", map[string]string{"horizon": "2"}), "f-psrl:planner=rollout:1:1", 1)
	var texts []string
	for _, m := range draw(t, trace, StageView{Moment: Act, Width: 336, World: true}).Marks {
		if text, is := m.(Text); is {
			texts = append(texts, text.Value)
		}
	}
	for k := range 20 {
		if name := fmt.Sprintf("m%d", k+1); !slices.Contains(texts, name) {
			t.Errorf("no node is called %s: %q", name, texts)
		}
	}
}
