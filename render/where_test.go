package render

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cpsrl/core/domain"
	"cpsrl/core/record"
)

// tied has an α so small that rows of sampled tables repeat.
const tied = "c-psrl:dirichlet=0.000001"

// Where the rows of a sampled table repeat along an edge, the picture says so: in the name of the
// edge, in its focus and, as a number, in its sentence. Else it does not differ from the picture of a
// trace that says nothing. Oracle: the texts of the trace, and the same trace without them.
func TestWhere(t *testing.T) {
	trace := episode(t, &domain.Taxi{Grid: "3x3", Horizon: 3}, tied, 2)
	silent := *trace
	silent.Sampled.Where, silent.True.Where = nil, nil
	where := map[[2]int]string{}
	for _, w := range trace.Sampled.Where {
		where[[2]int{w.X, w.Y}] = w.Text
	}
	if len(where) < 3 {
		t.Fatalf("the trace has %v", where)
	}
	sentence := fmt.Sprintf("; %d of its edges matter only in part.", len(where))
	if got := draw(t, trace, StageView{}).Text; !strings.HasSuffix(got, sentence) {
		t.Errorf("%q, want …%s", got, sentence)
	}
	for j := range trace.State {
		for i := range trace.Space().X() {
			view := StageView{Focus: &Focus{X: &i, Y: &j}}
			p, q := draw(t, trace, view), draw(t, &silent, view)
			text := where[[2]int{i, j}]
			if same := reflect.DeepEqual(p.Marks, q.Marks); same != (text == "") {
				t.Errorf("%d → %d, %q: the marks are the same: %v", i, j, text, same)
			}
			for k, target := range p.Targets {
				want := q.Targets[k].Name
				if f := target.Focus; f.X != nil && f.Y != nil && where[[2]int{*f.X, *f.Y}] != "" {
					want += ", " + where[[2]int{*f.X, *f.Y}]
				}
				if target.Name != want {
					t.Errorf("the target %q, want %q", target.Name, want)
				}
			}
			var lines []string
			for _, m := range p.Marks {
				if m, ok := m.(Text); ok && m.Color == Ink && m.Size == small {
					lines = append(lines, m.Value)
				}
			}
			if all := strings.Join(lines, " "); !strings.Contains(all, text) {
				t.Errorf("the focus %d → %d has %q, not %q", i, j, all, text)
			}
		}
	}
	trace.Sampled.Where = trace.Sampled.Where[:1]
	if got := draw(t, trace, StageView{}).Text; !strings.HasSuffix(got, "; 1 of its edges matters only in part.") {
		t.Errorf("%q", got)
	}
}

// A long text has two lines, of which the second may end in ….
func TestWhereIsCut(t *testing.T) {
	trace := episode(t, &domain.Figure1{}, "c-psrl", 1)
	x, y := trace.Sampled.Graph[0][0], 0
	trace.Sampled.Where = []record.TraceWhere{{X: x, Y: y, Text: "matters only " + strings.Repeat("where X1 is 1 ", 20)}}
	for _, width := range []float64{MinWidth, 960} {
		text := listing(draw(t, trace, StageView{Width: width, Focus: &Focus{X: &x, Y: &y}}))
		if !strings.Contains(text, `"matters only where X1 is 1`) || !strings.Contains(text, `…"`) || !strings.Contains(text, "most probable parents") {
			t.Errorf("%v px: %s", width, text)
		}
	}
}

// Oracle: the words of the text, counted by hand.
func TestSplit(t *testing.T) {
	const text = "one two three"
	for _, of := range []struct{ first, rest string }{{"one", "two three"}, {"one two", "three"}, {text, ""}} {
		width := widthOf(of.first, small, false) + 1
		if first, rest := split(text, small, false, width); first != of.first || rest != of.rest {
			t.Errorf("%v px: %q, %q", width, first, rest)
		}
	}
	if first, rest := split(text, small, false, 1); first != "one" || rest != "two three" {
		t.Errorf("a word that is too long: %q, %q", first, rest)
	}
}
