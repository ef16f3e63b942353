package edit_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/edit"
	"cpsrl/core/fmdp"
	"cpsrl/core/gallery"
	"cpsrl/core/strict"
)

// point holds the values of variables by name; those of the next state have a prime.
type point map[string]int

// points calls visit with each assignment of the variables of X, and of Y with primes.
func points(m *fmdp.Model, visit func(x point)) {
	all := m.X() + m.Y()
	values := make([]int, all)
	for {
		x := point{}
		for i, v := range values {
			x[m.NameOf(i)] = v
		}
		visit(x)
		i := all - 1
		for ; i >= 0; i-- {
			if values[i]++; values[i] < m.Var(i).Size {
				break
			}
			values[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

func row(m *fmdp.Model, given []int, x point) int {
	k := 0
	for _, i := range given {
		k = k*m.Var(i).Size + x[m.NameOf(i)]
	}
	return k
}

// facts returns all that a model says at a point, by names: the laws, the payoff, the start, whether the state is an end, and whether the action is legal.
func facts(m *fmdp.Model, x point) map[string]float64 {
	f := map[string]float64{}
	s, a := make([]int, m.Y()), make([]int, len(m.Action))
	for j := range s {
		s[j] = x[m.State[j].Name]
	}
	for k := range a {
		a[k] = x[m.Action[k].Name]
	}
	for j := range m.Transition {
		t := &m.Transition[j]
		f["p of "+m.State[j].Name] = t.Row(row(m, t.Given, x))[x[m.State[j].Name+"'"]]
	}
	for k, r := range m.Reward {
		f[fmt.Sprint("payoff ", k)] = r.Mean[row(m, r.Given, x)]
	}
	f["start"] = m.Initial[m.Index(s)]
	if ended := m.Ended(); ended != nil {
		f["end"] = float64(ended[m.Index(s)])
	}
	f["legal"] = 1
	if m.Legal != nil && !slices.ContainsFunc(m.Legal.List(), func(b []int) bool { return slices.Equal(a, b) }) || !m.Allows(append(s, a...)) {
		f["legal"] = 0
	}
	return f
}

// random draws a small model with tables only.
func random(rng *rand.Rand) *document.ModelFile {
	m := &fmdp.Model{Name: "random", Horizon: 3}
	for j := range 2 + rng.IntN(2) {
		m.State = append(m.State, fmdp.Variable{Name: fmt.Sprintf("s%d", j+1), Size: 2 + rng.IntN(2)})
	}
	for k := range 1 + rng.IntN(2) {
		m.Action = append(m.Action, fmdp.Variable{Name: fmt.Sprintf("a%d", k+1), Size: 2 + rng.IntN(2)})
	}
	if rng.IntN(3) == 0 {
		m.Hidden = 1
	}
	distribution := func(n int) []float64 {
		p := make([]float64, n)
		for k := range p {
			p[k] = float64(1 + rng.IntN(8))
		}
		sum := 0.0
		for _, v := range p {
			sum += v
		}
		for k := range p {
			p[k] /= sum
		}
		return p
	}
	m.Initial = distribution(m.States())
	seen := m.Y() - m.Hidden
	for j, v := range m.State {
		f := fmdp.Factor{Size: v.Size}
		f.Given = append(f.Given, rng.Perm(m.X())[:rng.IntN(m.X())]...)
		if m.Hidden > 0 && j == 0 && !slices.Contains(f.Given, seen) {
			f.Given = append(f.Given, seen)
		}
		for range m.Rows(f.Given) {
			f.P = append(f.P, distribution(v.Size)...)
		}
		m.Transition = append(m.Transition, f)
	}
	paid := func(given ...int) {
		r := fmdp.Reward{Given: given, Kind: fmdp.Fixed, Scale: 1, Of: -1}
		for range m.Rows(given) {
			r.Mean = append(r.Mean, float64(rng.IntN(100)))
		}
		m.Reward = append(m.Reward, r)
	}
	paid(m.Y(), 0, m.X())
	paid(0)
	m.Ends = []fmdp.Ending{{Name: "over", Given: []int{0}, Is: [][]int{{1}}}}
	if rng.IntN(2) == 0 {
		list := [][]int{}
		for v := range m.Action[0].Size {
			list = append(list, make([]int, len(m.Action)))
			list[v][0] = v
		}
		m.Legal, _ = fmdp.NewLegal(m.Action, list)
	}
	f, err := document.DecodeModelFile(document.EncodeModel(m))
	if err != nil {
		panic(err)
	}
	return f
}

func apply(t *testing.T, f *document.ModelFile, e edit.Edit) *document.ModelFile {
	t.Helper()
	g, _, err := edit.Apply(f, &e)
	if err != nil {
		t.Fatalf("%+v: %v", e, err)
	}
	return g
}

func same(t *testing.T, what string, got, want map[string]float64) {
	t.Helper()
	if !maps.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Fatalf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// TestTablesFollow compares all that a model says before and after an edit, point by point and by
// names. Oracle: the model before, read by names.
func TestTablesFollow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		f := random(rng)
		m := f.Model
		before := string(f.Encode())

		// Moved: the same by names. Moved back: the same bytes.
		for _, of := range []string{m.State[0].Name, m.Action[0].Name} {
			if of == m.State[0].Name && m.Y()-m.Hidden < 2 || of == m.Action[0].Name && len(m.Action) < 2 {
				continue
			}
			g := apply(t, f, edit.Edit{Edit: "move", Of: of, To: "1"})
			if g.Model.Lookup(of) != m.Lookup(of)+1 {
				t.Fatalf("%s is at %d", of, g.Model.Lookup(of))
			}
			points(m, func(x point) { same(t, "moved "+of, facts(g.Model, x), facts(m, x)) })
			if back := apply(t, g, edit.Edit{Edit: "move", Of: of, To: "-1"}); string(back.Encode()) != before {
				t.Fatalf("moved there and back:\n%s\n%s", back.Encode(), before)
			}
		}

		// Renamed: the same under the other name.
		g := apply(t, f, edit.Edit{Edit: "rename", Of: "s1", To: "other name"})
		points(m, func(x point) {
			y := maps.Clone(x)
			y["other name"], y["other name'"] = x["s1"], x["s1'"]
			want := facts(m, x)
			want["p of other name"] = want["p of s1"]
			delete(want, "p of s1")
			same(t, "renamed", facts(g.Model, y), want)
		})

		// A variable more: the same, whatever its value; its own law is to stay, and it begins with its first value.
		for _, kind := range []string{"add-state", "add-action"} {
			g := apply(t, f, edit.Edit{Edit: kind, To: "new"})
			points(g.Model, func(x point) {
				want := facts(m, x)
				if kind == "add-state" {
					want["p of new"] = 0
					if x["new"] == x["new'"] {
						want["p of new"] = 1
					}
					if x["new"] != 0 {
						want["start"] = 0
					}
				}
				same(t, kind, facts(g.Model, x), want)
			})
			// Taken out again, it leaves the same bytes.
			if back := apply(t, g, edit.Edit{Edit: "remove", Of: "new"}); string(back.Encode()) != before {
				t.Fatalf("%s and removed:\n%s\n%s", kind, back.Encode(), before)
			}
		}

		// Removed: what was said for its first value. The start is its marginal.
		for _, of := range []string{"s2", "a1"} {
			if of == "s2" && m.Y()-m.Hidden < 2 || of == "a1" && len(m.Action) < 2 {
				continue
			}
			g := apply(t, f, edit.Edit{Edit: "remove", Of: of})
			points(g.Model, func(x point) {
				y := maps.Clone(x)
				y[of] = 0
				want := facts(m, y)
				delete(want, "p of "+of)
				if of == "s2" {
					want["start"] = 0
					for v := range m.State[m.Lookup(of)].Size {
						y[of] = v
						want["start"] += facts(m, y)["start"]
					}
				}
				if of == "a1" {
					want["legal"] = 0
					for v := range m.Var(m.Lookup(of)).Size {
						y[of] = v
						want["legal"] = max(want["legal"], facts(m, y)["legal"])
					}
				}
				same(t, "removed "+of, facts(g.Model, x), want)
			})
		}

		// More values: tables have the last value's rows for them, and nothing leads there.
		g = apply(t, f, edit.Edit{Edit: "values", Of: "s1", To: "5"})
		size := m.State[0].Size
		points(g.Model, func(x point) {
			y := maps.Clone(x)
			y["s1"], y["s1'"] = min(x["s1"], size-1), min(x["s1'"], size-1)
			want := facts(m, y)
			if x["s1'"] >= size {
				want["p of s1"] = 0
			}
			if x["s1"] >= size {
				want["start"], want["end"] = 0, 0
			}
			same(t, "more values", facts(g.Model, x), want)
		})
		if back := apply(t, g, edit.Edit{Edit: "values", Of: "s1", To: fmt.Sprint(size)}); string(back.Encode()) != before {
			t.Fatalf("values there and back:\n%s\n%s", back.Encode(), before)
		}
		// Fewer values: the last has what those had that are gone.
		g = apply(t, f, edit.Edit{Edit: "values", Of: "s2", To: "only"})
		points(g.Model, func(x point) {
			want := facts(m, x)
			want["p of s2"], want["start"] = 0, 0
			for v := range m.State[1].Size {
				y := maps.Clone(x)
				y["s2'"] = v
				want["p of s2"] += facts(m, y)["p of s2"]
				y["s2"] = v
				want["start"] += facts(m, y)["start"]
			}
			same(t, "fewer values", facts(g.Model, x), want)
		})

		// A parent more changes no law; taken away, it leaves that for its first value.
		has := slices.Contains(m.Transition[1].Given, 0)
		g = apply(t, f, edit.Edit{Edit: "parent", Of: "s2", To: "s1"})
		if slices.Contains(g.Model.Transition[1].Given, 0) == has {
			t.Fatal("the parent has not changed")
		}
		points(m, func(x point) {
			y := maps.Clone(x)
			if has {
				y["s1"] = 0
			}
			want := facts(m, x)
			want["p of s2"] = facts(m, y)["p of s2"]
			same(t, "parent", facts(g.Model, x), want)
		})
		if string(f.Encode()) != before {
			t.Fatal("an edit has changed its argument")
		}
	}
}

// shop is the model of formulas.
func shop(t testing.TB) *document.ModelFile {
	t.Helper()
	return template(t, "inventory")
}

// template returns a document of the gallery.
func template(t testing.TB, name string) *document.ModelFile {
	t.Helper()
	text, err := gallery.Template(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := document.DecodeModelFile(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// TestFormulas edits a model of formulas.
func TestFormulas(t *testing.T) {
	f := apply(t, shop(t), edit.Edit{Edit: "rename", Of: "stock", To: "on hand"})
	if text := f.Formulas.Laws[0]; !strings.Contains(text, "`on hand`") || strings.Contains(text, "stock") {
		t.Errorf("renamed in %q", text)
	}
	// A formula is replaced by its table with a row of one's own.
	n := f.Model.State[0].Size
	p := make([]float64, n)
	p[n-1] = 1
	g := apply(t, f, edit.Edit{Edit: "row", Of: "on hand", Row: 0, P: p})
	if g.Formulas.Laws != nil && g.Formulas.Laws[0] != "" || !slices.Equal(g.Model.Transition[0].Row(0), p) || !slices.Equal(g.Model.Transition[0].Row(1), f.Model.Transition[0].Row(1)) {
		t.Error("the row is not the new one, or others are not the old ones")
	}
	// Fills.
	for _, c := range []struct {
		e    edit.Edit
		want func(row int, p []float64) bool
	}{
		{edit.Edit{Edit: "fill", Of: "on hand", To: "uniform"}, func(_ int, p []float64) bool { return p[0] == 1/float64(n) && p[n-1] == 1/float64(n) }},
		{edit.Edit{Edit: "fill", Of: "on hand", To: "deterministic"}, func(row int, p []float64) bool {
			old := f.Model.Transition[0].Row(row)
			return p[slices.Index(old, slices.Max(old))] == 1
		}},
		{edit.Edit{Edit: "fill", Of: "on hand", To: "stay", P: []float64{.75}}, func(row int, p []float64) bool {
			before := f.Model.Transition[0]
			k := slices.Index(before.Given, 0)
			after := 1
			for _, i := range before.Given[k+1:] {
				after *= f.Model.Var(i).Size
			}
			return p[row/after%n] == .75
		}},
	} {
		g := apply(t, f, c.e)
		for row := range len(g.Model.Transition[0].P) / n {
			if !c.want(row, g.Model.Transition[0].Row(row)) {
				t.Fatalf("%+v, row %d: %v", c.e, row, g.Model.Transition[0].Row(row))
			}
		}
	}
	drawn := func(seed int) []float64 {
		return apply(t, f, edit.Edit{Edit: "fill", Of: "on hand", To: "dirichlet", P: []float64{.5}, Seed: seed}).Model.Transition[0].P
	}
	if !slices.Equal(drawn(1), drawn(1)) || slices.Equal(drawn(1), drawn(2)) {
		t.Error("a seed does not decide what is drawn")
	}
}

// TestRefused demands one sentence with its place, and the model as it was.
func TestRefused(t *testing.T) {
	f := shop(t)
	before := f.Encode()
	for _, c := range []struct {
		e           edit.Edit
		place, says string
	}{
		{edit.Edit{Edit: "renam"}, "/edit", "there is no edit"},
		{edit.Edit{Edit: "rename", Of: "stock", To: "order"}, "/state/0/name", "a second variable"},
		{edit.Edit{Edit: "rename", Of: "stock", To: " "}, "/state/0/name", "no name"},
		{edit.Edit{Edit: "rename", Of: "stok", To: "x"}, "/of", "there is no variable"},
		{edit.Edit{Edit: "remove", Of: "season"}, "/transition/0/formula", "change the formula first"},
		{edit.Edit{Edit: "remove", Of: "order"}, "/action/0", "at least one action"},
		{edit.Edit{Edit: "values", Of: "stock", To: "2"}, "/initial/formula", "no state is like this"},
		{edit.Edit{Edit: "values", Of: "stock", To: "a, ,b"}, "/state/0/values", "no label"},
		{edit.Edit{Edit: "values", Of: "stock", To: "a, b, a"}, "/state/0/values", "two values"},
		{edit.Edit{Edit: "values", Of: "stock", To: "9999999"}, "/state/0/size", "from 1 to"},
		{edit.Edit{Edit: "values", Of: "stock", To: "1000000"}, "/state/0/size", "more than"},
		{edit.Edit{Edit: "move", Of: "stock", To: "9"}, "/to", "no such place"},
		{edit.Edit{Edit: "parent", Of: "stock", To: "season"}, "/transition/0/formula", "formula"},
		{edit.Edit{Edit: "parent", Of: "order", To: "season"}, "/of", "is an action"},
		{edit.Edit{Edit: "law", Of: "stock", To: "next = stock + 9"}, "/transition/0/formula", "column 14: the next value is 9"},
		{edit.Edit{Edit: "row", Of: "stock", Row: 0, P: []float64{1}}, "/transition/0/p/0", "1 probabilities"},
		{edit.Edit{Edit: "row", Of: "stock", Row: -1}, "/row", "no row"},
		{edit.Edit{Edit: "row", Of: "season", Row: 0, P: []float64{1, 1}}, "/transition/1/p/0", "sum"},
		{edit.Edit{Edit: "fill", Of: "stock", To: "chaos"}, "/to", "there is no fill"},
		{edit.Edit{Edit: "fill", Of: "stock", To: "stay", P: []float64{2}}, "/p", "from 0 to 1"},
		{edit.Edit{Edit: "fill", Of: "stock", To: "dirichlet", P: []float64{0}}, "/p", "concentration"},
		{edit.Edit{Edit: "horizon", To: "soon"}, "/horizon", "no whole number"},
		{edit.Edit{Edit: "horizon", To: "0"}, "/horizon", "must be from 1"},
		{edit.Edit{Edit: "payoff", At: 7, To: "1"}, "/at", "no payoff 7"},
		{edit.Edit{Edit: "payoff", At: 0, To: "demand"}, "/reward/0/formula", "there is no variable"},
		{edit.Edit{Edit: "payoff-kind", At: 0, To: "often"}, "/to", "the kind is"},
		{edit.Edit{Edit: "start", To: "stock = 99"}, "/initial/formula", "no state is like this"},
		{edit.Edit{Edit: "end", At: 0, To: "1"}, "/at", "no end 0"},
		{edit.Edit{Edit: "legal", To: "stock = 1"}, "/legal", "no action is legal where stock = 0"},
		{edit.Edit{Edit: "legal", To: "stock' = 1"}, "/legal/formula", "cannot stand here"},
		{edit.Edit{Edit: "add-end", To: "order = 1"}, "/terminal/0/formula", "cannot stand here"},
	} {
		_, _, err := edit.Apply(f, &c.e)
		invalid, is := errors.AsType[*strict.InvalidError](err)
		if !is || invalid.Place != c.place || !strings.Contains(invalid.Reason, c.says) {
			t.Errorf("%+v: %v, want %s: %s", c.e, err, c.place, c.says)
		}
	}
	if !bytes.Equal(f.Encode(), before) {
		t.Error("a refused edit has changed the model")
	}
}

// level is a variable with labels, a payoff and an end on it, one tied to its law, a hidden second variable, and any start.
const level = `{"format":"cpsrl/model","version":3,"horizon":3,"state":[{"name":"w","size":3,"values":["low","mid","high"]},{"name":"y","size":2}],"action":[{"name":"a","size":2}],
"initial":"uniform","transition":[{"of":"w","given":["w"],"p":[[0.5,0.25,0.25],[0,1,0],[0,0,1]]},{"of":"y","formula":"next = if(w = \"high\", 1, 0)"}],
"reward":[{"given":["w"],"mean":[0,5,10],"kind":"fixed"},{"of":"w","given":["w"],"mean":[1,2,3],"kind":"fixed"}],"terminal":[{"given":["y"],"is":[[1]]},{"given":["w"],"is":[[2]]}]}`

// TestLabels keeps tables with their labels. Oracle: by hand.
func TestLabels(t *testing.T) {
	f, err := document.DecodeModelFile([]byte(level))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		values string
		mean   []float64
		first  []float64 // the row of the first value
		end    int       // the value of the second end
		law    string
	}{
		{"low, mid, top", []float64{0, 5, 10}, []float64{.5, .25, .25}, 2, `next = if(w = "top", 1, 0)`},
		{"high, low, mid", []float64{10, 0, 5}, []float64{1, 0, 0}, 0, `next = if(w = "high", 1, 0)`},
		{"none, low, mid, high", []float64{10, 0, 5, 10}, []float64{0, 0, 0, 1}, 3, `next = if(w = "high", 1, 0)`},
		{"low, high", []float64{0, 10}, []float64{.5, .5}, 1, `next = if(w = "high", 1, 0)`},
	} {
		g := apply(t, f, edit.Edit{Edit: "values", Of: "w", To: c.values})
		m := g.Model
		if !slices.Equal(m.Reward[0].Mean, c.mean) || !slices.Equal(m.Transition[0].Row(0), c.first) || m.Ends[1].Is[0][0] != c.end || g.Formulas.Laws[1] != c.law {
			t.Errorf("%s: %v, %v, %v, %s", c.values, m.Reward[0].Mean, m.Transition[0].Row(0), m.Ends[1].Is, g.Formulas.Laws[1])
		}
		if p := m.Initial[0]; p != 1/float64(m.States()) {
			t.Errorf("%s: the start is no longer uniform: %v", c.values, m.Initial)
		}
	}
}

// TestConsequences: what an edit changes besides is said. Oracle: by hand.
func TestConsequences(t *testing.T) {
	f, err := document.DecodeModelFile([]byte(level))
	if err != nil {
		t.Fatal(err)
	}
	said := func(e edit.Edit) (*document.ModelFile, string) {
		t.Helper()
		g, notes, err := edit.Apply(f, &e)
		if err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		return g, strings.Join(notes, "; ")
	}
	for _, e := range []edit.Edit{{Edit: "parent", Of: "w", To: "a"}, {Edit: "law", Of: "w", To: "next = y"}} {
		if g, notes := said(e); g.Model.Reward[1].Of >= 0 || !strings.Contains(notes, `Payoff 2 is no longer tied to the parents of "w"`) {
			t.Errorf("%+v: %q", e, notes)
		}
	}
	if g, notes := said(edit.Edit{Edit: "fill", Of: "w", To: "uniform"}); g.Model.Reward[1].Of != 0 || notes != "" {
		t.Errorf("the tie is gone: %q", notes)
	}
	if g, notes := said(edit.Edit{Edit: "remove", Of: "y"}); len(g.Model.Ends) != 1 || !strings.Contains(notes, `End 1 was only about "y" and is gone`) {
		t.Errorf("%+v: %q", g.Model.Ends, notes)
	}
	if g, _ := said(edit.Edit{Edit: "add-state", To: "z"}); g.Model.Initial[0] != 1./12 {
		t.Errorf("the start is no longer uniform: %v", g.Model.Initial)
	}
	for _, e := range []edit.Edit{{Edit: "rename", Of: "y", To: "w'"}, {Edit: "add-action", To: "w'"}} {
		if _, _, err := edit.Apply(f, &e); err == nil || !strings.Contains(err.Error(), "could not be told from the next value") {
			t.Errorf("%+v: %v", e, err)
		}
	}
	// A valid model with few legal actions among many can have fewer values.
	bits := `{"format":"cpsrl/model","version":2,"horizon":2,"state":[{"name":"w","size":64}],"action":[` + strings.Repeat(`{"name":"b0","size":2},`, 16)
	for k := range 16 {
		bits = strings.Replace(bits, `"b0"`, fmt.Sprintf(`"b%d"`, k+1), 1)
	}
	bits = strings.TrimSuffix(bits, ",") + `],"legal":{"maxNonDefault":1,"default":[` + strings.TrimSuffix(strings.Repeat("0,", 16), ",") + `]},"initial":[{"state":[0],"p":1}],"transition":[{"of":"w","given":[],"p":[[1` + strings.Repeat(",0", 63) + `]]}],"reward":[]}`
	many, err := document.DecodeModelFile([]byte(bits))
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"32", "65"} {
		apply(t, many, edit.Edit{Edit: "values", Of: "w", To: to})
	}
}

// TestTemplates demands that each document of the gallery is a valid model with a form.
func TestTemplates(t *testing.T) {
	for _, of := range gallery.Entries() {
		f := template(t, of.Name)
		view := edit.FormOf(f)
		if len(view.State) != f.Model.Y() || len(view.Laws) != f.Model.Y() || view.Laws[0].Formula != f.Formulas.Laws[0] {
			t.Errorf("%s: the form %+v", of.Name, view)
		}
	}
}

// FuzzEdits applies edits to a template: a result is what its document says, and a refusal has a place.
func FuzzEdits(f *testing.F) {
	for _, text := range []string{
		`{"edit":"rename","of":"stock","to":"x"}`, `{"edit":"values","of":"season","to":"a,b,c"}`, `{"edit":"fill","of":"stock","to":"stay","p":[0.5]}`,
		`{"edit":"law","of":"stock","to":"next = stock"}` + "\n" + `{"edit":"remove","of":"season"}`, `{"edit":"move","of":"stock","to":"1"}`, `{"edit":"add-state"}` + "\n" + `{"edit":"parent","of":"x1","to":"order"}`,
		`{"edit":"legal","to":"stock + order <= 3"}` + "\n" + `{"edit":"rename","of":"stock","to":"x"}` + "\n" + `{"edit":"move","of":"x","to":"1"}`,
		`{"edit":"legal","to":"order < 2"}` + "\n" + `{"edit":"add-action","to":"price"}` + "\n" + `{"edit":"legal"}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := shop(t)
		var waiting []edit.Edit
		for line := range strings.SplitSeq(text, "\n") {
			e, err := edit.Decode([]byte(line))
			if err != nil {
				continue
			}
			done, err := edit.Together(g, e, waiting, anything)
			if err != nil {
				if _, is := errors.AsType[*strict.InvalidError](err); !is {
					t.Fatalf("%s: %v", line, err)
				}
				if e.Waits() == nil && len(waiting) < 3 {
					waiting = append(waiting, *e)
				}
				continue
			}
			next := done.File
			waiting = nil
			for _, w := range done.Waiting {
				if _, _, err := edit.Apply(next, &w.Edit); err == nil {
					t.Fatalf("%s: %+v waits, and is valid", line, w.Edit)
				}
				waiting = append(waiting, w.Edit)
			}
			again, err := document.DecodeModelFile(next.Encode())
			if err != nil || !bytes.Equal(again.Encode(), next.Encode()) {
				t.Fatalf("%s: %v\n%s", line, err, next.Encode())
			}
			g = next
		}
	})
}

// The rule that says in which states which actions are legal follows renames, new variables, other labels and another order, and
// means the same. Oracle: the rule, by hand.
func TestLegalByState(t *testing.T) {
	f, err := document.DecodeModelFile(template(t, "inventory").Encode())
	if err != nil {
		t.Fatal(err)
	}
	do := func(e edit.Edit, says string) {
		t.Helper()
		var notes []string
		if f, notes, err = edit.Apply(f, &e); err != nil || len(notes) > 0 {
			t.Fatalf("%+v: %v, %v", e, err, notes)
		}
		if got := edit.FormOf(f); got.Legal != says {
			t.Errorf("%+v: the rule is %q, want %q", e, got.Legal, says)
		}
		order := "order"
		if f.Model.Lookup(order) < 0 {
			order = "buy"
		}
		points(f.Model, func(x point) {
			want := 0.0
			if x["stock"]+x[order] <= 3 && (x["season"] == 1 || x[order] < 2) {
				want = 1
			}
			if got := facts(f.Model, x)["legal"]; got != want {
				t.Fatalf("%+v: at %v it is legal: %v", e, x, got)
			}
		})
	}
	do(edit.Edit{Edit: "legal", To: `stock + order <= 3 and (season = "high" or order < 2)`}, `stock + order <= 3 and (season = "high" or order < 2)`)
	if got := edit.FormOf(f).Legals; got != "3 joint actions, of which 1 to 3 may be played in a state." {
		t.Error(got)
	}
	if text := string(f.Encode()); !strings.Contains(text, `"version":4`) {
		t.Errorf("%.100s", text)
	}
	do(edit.Edit{Edit: "rename", Of: "order", To: "buy"}, `stock + buy <= 3 and (season = "high" or buy < 2)`)
	do(edit.Edit{Edit: "add-state", To: "day"}, `stock + buy <= 3 and (season = "high" or buy < 2)`)
	do(edit.Edit{Edit: "add-action", To: "price"}, `stock + buy <= 3 and (season = "high" or buy < 2)`)
	do(edit.Edit{Edit: "move", Of: "stock", To: "2"}, `stock + buy <= 3 and (season = "high" or buy < 2)`)
	do(edit.Edit{Edit: "move", Of: "price", To: "-1"}, `stock + buy <= 3 and (season = "high" or buy < 2)`)
	do(edit.Edit{Edit: "values", Of: "season", To: "low, peak"}, `stock + buy <= 3 and (season = "peak" or buy < 2)`)
	do(edit.Edit{Edit: "remove", Of: "day"}, `stock + buy <= 3 and (season = "peak" or buy < 2)`)
	for _, c := range []struct {
		e           edit.Edit
		place, says string
	}{
		{edit.Edit{Edit: "legal", To: "stock > buy"}, "/legal", "no action is legal where stock = 0; at least one is needed in each state"},
		{edit.Edit{Edit: "legal", To: "stock' > buy"}, "/legal/formula", "a condition on the state and the action"},
		{edit.Edit{Edit: "legal", To: "stock + by < 3"}, "/legal/formula", `there is no variable "by"`},
		{edit.Edit{Edit: "remove", Of: "buy"}, "/transition/1/formula", `names "buy"`},
		{edit.Edit{Edit: "values", Of: "stock", To: "5"}, "/legal", "no action is legal where season = low and stock = 4"},
	} {
		_, _, err := edit.Apply(f, &c.e)
		invalid, is := errors.AsType[*strict.InvalidError](err)
		if !is || invalid.Place != c.place || !strings.Contains(invalid.Reason, c.says) {
			t.Errorf("%+v: %v, want %s: %s", c.e, err, c.place, c.says)
		}
	}
	if f, _, err = edit.Apply(f, &edit.Edit{Edit: "legal"}); err != nil || f.Model.Legal != nil || edit.FormOf(f).Legals != "All 6 joint actions." {
		t.Errorf("%v, %s", err, edit.FormOf(f).Legals)
	}
}

// The prior of a model follows its variables. Oracle: by hand.
func TestPriorFollows(t *testing.T) {
	f := template(t, "coffee-robot")
	f = apply(t, f, edit.Edit{Edit: "rename", Of: "umbrella", To: "coat"})
	f = apply(t, f, edit.Edit{Edit: "law", Of: "wet", To: "p = wet"})
	before := len(f.Prior.Edges)
	f = apply(t, f, edit.Edit{Edit: "remove", Of: "rain"})
	var why []string
	for _, r := range f.Prior.Edges {
		for _, e := range r.Edges {
			if slices.Contains(e[:], "rain") || slices.Contains(e[:], "umbrella") {
				t.Errorf("an edge of %v remains", e)
			}
			if slices.Contains(e[:], "coat") {
				why = append(why, r.Why)
			}
		}
	}
	if len(f.Prior.Edges) != before-2 || f.Prior.Sparseness.Z != 4 || len(why) != 3 || why[1] != "An umbrella keeps dry." {
		t.Errorf("%d of %d groups of edges, of the coat %q", len(f.Prior.Edges), before, why)
	}
}

// So it does with payoffs whose parents are hidden.
func TestPriorFollowsPayoffs(t *testing.T) {
	f, err := document.DecodeModelFile([]byte(`{"format":"cpsrl/model","version":4,"horizon":3,"state":[{"name":"s","size":2}],"action":[{"name":"a","size":2}],"initial":"uniform",
		"transition":[{"of":"s","given":["s"],"p":[[1,0],[0,1]]}],"reward":[{"given":["s"],"mean":[0,1],"kind":"fixed","name":"bonus","scope":"hidden"}],"prior":{"edges":[["s","bonus",0.9],["a","s",0.9]]}}`))
	if err != nil {
		t.Fatal(err)
	}
	f = apply(t, f, edit.Edit{Edit: "payoff-name", To: "profit"})
	if got := f.Prior.Edges; len(got) != 2 || got[0].Edges[0] != [2]string{"s", "profit"} {
		t.Errorf("renamed: %v", got)
	}
	f = apply(t, f, edit.Edit{Edit: "remove-payoff"})
	if got := f.Prior.Edges; len(got) != 1 || got[0].Edges[0] != [2]string{"a", "s"} {
		t.Errorf("removed: %v", got)
	}
}

// The editor lists states: it refuses a model that grows beyond lists, and to change one that is beyond them, which it shows.
func TestBeyondLists(t *testing.T) {
	var state, transition string
	for i := range 20 {
		state += fmt.Sprintf(`{"name":"m%d","size":2},`, i)
		transition += fmt.Sprintf(`{"of":"m%d","given":["m%d"],"p":[[1,0],[0.5,0.5]]},`, i, i)
	}
	text := fmt.Sprintf(`{"format":"cpsrl/model","version":1,"horizon":5,"state":[%s],"action":[{"name":"push","size":2}],"initial":"uniform","transition":[%s],"reward":[]}`,
		strings.TrimSuffix(state, ","), strings.TrimSuffix(transition, ","))
	f, err := document.DecodeModelFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if form := edit.FormOf(f); form.Start != "uniform" || form.Starts != 1<<20 {
		t.Errorf("the form has the start %q of %d states", form.Start, form.Starts)
	}
	const want = "/state: 2097152 state-action pairs (S·A), more than 1048576"
	e := &edit.Edit{Edit: "horizon", To: "7"}
	if _, _, err := edit.Apply(f, e); err == nil || err.Error() != want {
		t.Errorf("an edit: %v", err)
	}
	if _, err := edit.Together(f, e, nil, func(*document.ModelFile, func(string) string) error { return nil }); err == nil || err.Error() != want {
		t.Errorf("an edit with others: %v", err)
	}
}
