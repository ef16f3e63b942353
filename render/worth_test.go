package render

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// valued returns a view of a trace's graph with three values: the largest, half of it, and
// a hundredth for an edge that is not drawn otherwise.
func valued(x, y int, most float64) [][]float64 {
	worth := make([][]float64, y)
	for j := range worth {
		worth[j] = make([]float64, x)
	}
	worth[0][0], worth[y-1][x-1], worth[y-1][0] = most, most/2, most/100
	return worth
}

// With values, the width of an edge shows its share of the largest value, whatever else is
// known of it. The most valuable edges have labels, and the legend, the focus and the
// targets have the values, too. All values may be 0.
func TestWorth(t *testing.T) {
	trace := episode(t, domains["figure1"], "c-psrl", 3)
	view := StageView{Agent: "C-PSRL", Moment: Update, Truth: true, Worth: valued(4, 2, 0.5)}
	p := draw(t, trace, view)
	widths := map[string]float64{}
	for _, target := range p.Targets {
		for _, m := range p.Marks {
			if path, ok := m.(Path); ok && path.Curved && path.Stroke != Background && target.Line != nil && slices.Equal(path.Flat(), target.Line) {
				widths[target.Name[strings.LastIndex(target.Name, " ")+1:]] = path.Width
			}
		}
	}
	if got := fmt.Sprint(widths); got != "map[0.000:0.75 0.005:0.8025 0.250:3.375 0.500:6]" {
		t.Errorf("the widths by value are %s", got)
	}
	texts := func(p *Picture) (list []string) {
		for _, m := range p.Marks {
			if text, ok := m.(Text); ok {
				list = append(list, text.Value)
			}
		}
		return list
	}
	for _, want := range []string{"0.500", "0.250", "0.005", "width: value, at most 0.500"} {
		if n := len(slices.DeleteFunc(texts(p), func(s string) bool { return s != want })); n != 1 {
			t.Errorf("%q is written %d times", want, n)
		}
	}
	x, y := 0, 0
	view.Focus = &Focus{X: &x, Y: &y}
	if list := texts(draw(t, trace, view)); !slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, "value 0.500, P = ") }) {
		t.Errorf("the focus says %q", list)
	}
	view.Focus, view.Worth = nil, valued(4, 2, 0)
	if p := draw(t, trace, view); !slices.Contains(texts(p), "width: value, at most 0.000") || strings.Contains(listing(p), "NaN") {
		t.Errorf("no edge has a value: %s", listing(p))
	}

	// The golden of the whole picture.
	view.Worth = valued(4, 2, 0.5)
	const file = "testdata/figure1-worth.txt"
	got := listing(draw(t, trace, view))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || got != string(want) {
		t.Errorf("%s: the picture has changed; look at it, then go test ./render -update\n%s", file, firstDifference(got, string(want)))
	}
}

// Wrong values and values of another graph are refused. An episode of the fast forward has
// its own belief and no values.
func TestWorthRefused(t *testing.T) {
	c, flat := episode(t, domains["figure1"], "c-psrl", 1), episode(t, domains["figure1"], "psrl", 1)
	for document, place := range map[string]string{
		`{"worth":[[0,0,0,0],[0,-1,0,0]]}`: "/worth/1/1",
		`{"worth":[[0,0,0,0]]}`:            "/worth",
		`{"worth":[[0,0,0,0],[0]]}`:        "/worth/1",
		`{"worth":[]}`:                     "/worth",
		`{"worth":[[0,0,0,0],["0"]]}`:      "/worth/1/0",
	} {
		v, err := DecodeStageView([]byte(document))
		if err == nil {
			_, err = Draw(c, *v)
		}
		if err == nil || !strings.HasPrefix(err.Error(), place) {
			t.Errorf("%s: %v; want %s", document, err, place)
		}
	}
	if _, err := Draw(flat, StageView{Worth: valued(4, 2, 1)}); err == nil || !strings.HasPrefix(err.Error(), "/worth: psrl has no graph") {
		t.Errorf("%v", err)
	}
}
