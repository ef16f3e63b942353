package edit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/edit"
)

// chain is a model of three variables in a ring, each of which takes the value of the one before.
const chain = `{"format":"cpsrl/model","version":3,"name":"ring","horizon":5,
 "state":[{"name":"x","size":2},{"name":"y","size":2},{"name":"z","size":2}],"action":[{"name":"a","size":2}],
 "initial":{"formula":"x = 0"},
 "transition":[{"of":"x","formula":"next = z"},{"of":"y","formula":"next = x"},{"of":"z","formula":"next = y"}],
 "reward":[{"formula":"x","kind":"fixed"},{"formula":"y","kind":"fixed"}]}`

func modelOf(t *testing.T, text string) *document.ModelFile {
	t.Helper()
	f, err := document.DecodeModelFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func anything(*document.ModelFile, func(string) string) error { return nil }

// together applies an edit and those that wait. It returns the model and what still waits, as "edit of at row to".
func together(t *testing.T, f *document.ModelFile, e edit.Edit, waiting ...edit.Edit) (*document.ModelFile, []edit.Edit, *edit.Outcome) {
	t.Helper()
	done, err := edit.Together(f, &e, waiting, anything)
	if err != nil {
		t.Fatalf("%+v: %v", e, err)
	}
	left := []edit.Edit{}
	for _, w := range done.Waiting {
		left = append(left, w.Edit)
	}
	return done.File, left, done
}

func sameEdits(a, b []edit.Edit) bool {
	return slices.EqualFunc(a, b, func(a, b edit.Edit) bool {
		return a.Edit == b.Edit && a.Of == b.Of && a.At == b.At && a.Row == b.Row && a.To == b.To
	})
}

// Edits that are valid only together are accepted together, whatever else waits and in whatever order they come.
func TestTogether(t *testing.T) {
	f := modelOf(t, chain)
	ring := []edit.Edit{{Edit: "values", Of: "x", To: "3"}, {Edit: "values", Of: "y", To: "3"}, {Edit: "values", Of: "z", To: "3"}}
	broken := edit.Edit{Edit: "horizon", To: "many"}
	for _, e := range ring { // each is refused alone, and with each other
		for _, w := range ring {
			if _, err := edit.Together(f, &e, []edit.Edit{w}, anything); err == nil {
				t.Errorf("%v with %v is accepted", e, w)
			}
		}
	}
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		g, left, done := together(t, f, ring[order[2]], ring[order[0]], broken, ring[order[1]])
		if sizes := []int{g.Model.State[0].Size, g.Model.State[1].Size, g.Model.State[2].Size}; !slices.Equal(sizes, []int{3, 3, 3}) {
			t.Errorf("%v: %v", order, sizes)
		}
		if !sameEdits(left, []edit.Edit{broken}) || !strings.Contains(done.Waiting[0].Err.Error(), `"many" is no whole number`) {
			t.Errorf("%v: %+v", order, done.Waiting)
		}
		if len(done.Notes) != 1 || done.Notes[0] != "What was refused before is accepted now in 2 cells" {
			t.Errorf("%q", done.Notes)
		}
	}
	// What is refused with what waits, and alone, changes nothing and has its own reason.
	if _, err := edit.Together(f, &ring[0], []edit.Edit{broken}, anything); err == nil || !strings.Contains(err.Error(), `the next value is 2; "y" has the whole values 0 to 1`) {
		t.Errorf("%v", err)
	}
	// Older edits than the newest few are tried as well.
	waiting := []edit.Edit{{Edit: "law", Of: "x", To: "next = w"}}
	for k := range 7 {
		waiting = append(waiting, edit.Edit{Edit: "payoff-name", At: 2 + k, To: "none"})
	}
	g, left, _ := together(t, f, edit.Edit{Edit: "add-state", To: "w"}, waiting...)
	if g.Formulas.Law(0) != "next = w" || len(left) != 7 {
		t.Errorf("%q, %+v", g.Formulas.Law(0), left)
	}
	// A model that is not wanted is not taken with what waits.
	no := errors.New("too long")
	done, err := edit.Together(f, &edit.Edit{Edit: "name", To: "Ring"}, []edit.Edit{{Edit: "horizon", To: "9"}}, func(f *document.ModelFile, _ func(string) string) error {
		if f.Model.Horizon == 9 {
			return no
		}
		return nil
	})
	if err != nil || done.File.Model.Name != "Ring" || done.File.Model.Horizon != 5 || len(done.Waiting) != 1 || done.Waiting[0].Err != no {
		t.Errorf("%+v, %v", done, err)
	}
}

// Edits that wait follow the names, numbers and tables of the others.
func TestWaitingFollows(t *testing.T) {
	f := modelOf(t, chain)
	law := edit.Edit{Edit: "law", Of: "x", To: "next = x + y + w"}
	late := edit.Edit{Edit: "payoff", At: 1, To: "w"}
	labels := modelOf(t, strings.Replace(chain, `{"name":"x","size":2}`, `{"name":"x","size":2,"values":["no","yes"]}`, 1))
	row := func(of string, row int) edit.Edit { return edit.Edit{Edit: "row", Of: of, Row: row, To: "0.5 much"} }
	mean := func(at int) edit.Edit { return edit.Edit{Edit: "mean", At: at, Row: 1, To: "a lot"} }
	for _, c := range []struct {
		f        *document.ModelFile
		e        edit.Edit
		waiting  []edit.Edit
		want     []edit.Edit
		accepted bool // those that are gone
	}{
		{f, edit.Edit{Edit: "rename", Of: "x", To: "held"}, []edit.Edit{law, {Edit: "values", Of: "x", To: "0"}}, []edit.Edit{{Edit: "law", Of: "held", To: "next = held + y + w"}, {Edit: "values", Of: "held", To: "0"}}, false},
		{f, edit.Edit{Edit: "rename", Of: "y", To: "w"}, []edit.Edit{law, late}, []edit.Edit{{Edit: "law", Of: "x", To: "next = x + w + w"}}, true}, // the payoff is valid, then
		{f, edit.Edit{Edit: "remove-payoff", At: 0}, []edit.Edit{late, {Edit: "payoff", At: 0, To: "w"}, {Edit: "payoff-name", At: 1, To: strings.Repeat("long", 99)}}, []edit.Edit{{Edit: "payoff", At: 0, To: "w"}, {Edit: "payoff-name", At: 0, To: strings.Repeat("long", 99)}}, false},
		{labels, edit.Edit{Edit: "values", Of: "x", To: "no, yea"}, []edit.Edit{{Edit: "law", Of: "y", To: `next = if(x = "yes", w, 0)`}}, []edit.Edit{{Edit: "law", Of: "y", To: `next = if(x = "yea", w, 0)`}}, false},
		{f, edit.Edit{Edit: "name", To: "Other"}, []edit.Edit{law, row("x", 1), mean(0)}, []edit.Edit{law, row("x", 1), mean(0)}, false},
		{f, edit.Edit{Edit: "law", Of: "x", To: "next = y"}, []edit.Edit{law, row("x", 1), row("y", 1)}, []edit.Edit{row("y", 1)}, false},
		{f, edit.Edit{Edit: "fill", Of: "x", To: "uniform"}, []edit.Edit{law, row("x", 1), row("y", 1)}, []edit.Edit{row("y", 1)}, false},
		{f, edit.Edit{Edit: "row", Of: "x", Row: 0, To: "0.25 0.75"}, []edit.Edit{law, row("x", 0), row("x", 1)}, []edit.Edit{row("x", 1)}, false},
		{f, edit.Edit{Edit: "values", Of: "a", To: "3"}, []edit.Edit{law, row("x", 1)}, []edit.Edit{law, row("x", 1)}, false},
		{modelOf(t, strings.Replace(chain, "next = y", "next = if(x = 1, y, 0)", 1)), edit.Edit{Edit: "law", Of: "x", To: "next = x"}, []edit.Edit{row("x", 0), row("z", 3)}, []edit.Edit{row("z", 3)}, false},
		{f, edit.Edit{Edit: "payoff", At: 0, To: "2*x"}, []edit.Edit{mean(0), mean(1)}, []edit.Edit{mean(1)}, false},
	} {
		_, left, done := together(t, c.f, c.e, c.waiting...)
		if !sameEdits(left, c.want) {
			t.Errorf("%+v: %+v wait, want %+v", c.e, left, c.want)
		}
		if c.accepted != (len(done.Notes) == 1) {
			t.Errorf("%+v: %q", c.e, done.Notes)
		}
	}
	// What waits for a variable, a row or an end that is gone goes with it.
	loose := modelOf(t, `{"format":"cpsrl/model","version":3,"name":"loose","horizon":5,
 "state":[{"name":"x","size":2},{"name":"y","size":2}],"action":[{"name":"a","size":2}],
 "initial":{"formula":"x = 0"},"terminal":[{"name":"one","given":["y"],"is":[[1]]},{"formula":"x = 1"}],
 "transition":[{"of":"x","given":["x","y"],"p":[[1,0],[1,0],[0,1],[0,1]]},{"of":"y","given":["y"],"p":[[1,0],[0,1]]}],
 "reward":[{"formula":"x","kind":"fixed"}]}`)
	_, left, _ := together(t, loose, edit.Edit{Edit: "remove", Of: "y"}, row("x", 3), row("y", 1), edit.Edit{Edit: "values", Of: "y", To: "0"}, edit.Edit{Edit: "end", At: 1, To: "w"}, edit.Edit{Edit: "end-name", At: 0, To: strings.Repeat("long", 99)})
	if !sameEdits(left, []edit.Edit{{Edit: "end", At: 0, To: "w"}}) {
		t.Errorf("%+v", left)
	}
	// A formula that waits is none of the problem: it does not hold a variable that it names.
	if g, _, _ := together(t, loose, edit.Edit{Edit: "remove", Of: "y"}, edit.Edit{Edit: "law", Of: "x", To: "next = y + 5"}); len(g.Model.State) != 1 {
		t.Error("y stays")
	}
	for _, word := range edit.Words() {
		e := edit.Edit{Edit: word}
		if typed := slices.Contains(strings.Fields("name horizon rename values law row payoff payoff-name mean start end end-name legal"), word); typed != (e.Waits() == nil) {
			t.Errorf("%s: %v", word, e.Waits())
		}
	}
}

// Names are those after all edits that were applied.
func TestTogetherNames(t *testing.T) {
	f := modelOf(t, chain)
	_, left, done := together(t, f, edit.Edit{Edit: "rename", Of: "z", To: "v"}, edit.Edit{Edit: "rename", Of: "y", To: "z"}, edit.Edit{Edit: "rename", Of: "x", To: "y"})
	if len(left) > 0 || done.Name("x") != "y" || done.Name("y") != "z" || done.Name("z") != "v" || done.Name("a") != "a" {
		t.Errorf("%+v: %s %s %s %s", left, done.Name("x"), done.Name("y"), done.Name("z"), done.Name("a"))
	}
}

// A variable that loses values keeps its law, which gives the last value in place of those that are gone.
func TestClippedLaw(t *testing.T) {
	for _, c := range []struct{ law, to, want string }{
		{"next = min(3, x + 1)", "3", "next = min(2, min(3, x + 1))"},
		{"next = x with 0.5, 3", "3", "next = x with 0.5, min(2, 3)"},
		{"next = min(3, (x + y)) with 0.2 + 0.1*y, max(0, x - 1) with 0.25, 3", "2", "next = min(1, min(3, (x + y))) with 0.2 + 0.1*y, max(0, x - 1) with 0.25, min(1, 3)"},
		{"next x = min(3, x + 1)", "low, mid, high", "next x = min(2, min(3, x + 1))"},
		{"next = x", "3", "next = x"},
		{"next = max(0, x - 1)", "3", "next = max(0, x - 1)"},
		{"next = x", "9", "next = x"},
	} {
		text := strings.NewReplacer(`{"name":"x","size":2}`, `{"name":"x","size":4}`, "next = z", c.law, `"next = x"`, `"next = y"`).Replace(chain)
		g, _, done := together(t, modelOf(t, text), edit.Edit{Edit: "values", Of: "x", To: c.to})
		if got := g.Formulas.Law(0); got != c.want || strings.Contains(strings.Join(done.Notes, "\n"), "Where the law of") != (c.want != c.law) {
			t.Errorf("%s with %s values: %s, %q", c.law, c.to, got, done.Notes)
		}
	}
	// What clipping does not make valid is refused as it is written.
	text := strings.NewReplacer(`{"name":"x","size":2}`, `{"name":"x","size":4}`, "next = z", "p = 0.1, 0.2, 0.3", `"next = x"`, `"next = y"`).Replace(chain)
	if _, _, err := edit.Apply(modelOf(t, text), &edit.Edit{Edit: "values", Of: "x", To: "2"}); err == nil || !strings.Contains(err.Error(), "the formula has 3 of the probabilities of the 2 values") {
		t.Errorf("%v", err)
	}
}

// The first variable that a person changes in a blank problem may have any number of values, or labels.
func TestBlankGrows(t *testing.T) {
	f := template(t, "blank")
	for _, to := range []string{"1", "3", "4", "12", "low, high", "low, middle, high"} {
		if _, _, err := edit.Apply(f, &edit.Edit{Edit: "values", Of: "x1", To: to}); err != nil {
			t.Errorf("the values %s: %v", to, err)
		}
	}
}
