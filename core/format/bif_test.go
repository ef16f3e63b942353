package format_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/format"
)

// bifOf writes a model as a network of two slices, without its rewards.
func bifOf(rng *rand.Rand, m *fmdp.Model, first []fmdp.Factor) string {
	var b strings.Builder
	names := [][2]string{}
	for _, v := range m.State {
		names = append(names, [][2]string{{v.Name, v.Name + "'"}, {v.Name, v.Name + "_next"}, {v.Name + "_0", v.Name + "_1"}}[rng.IntN(3)])
	}
	b.WriteString("// a test\nnetwork \"a test\" {\n property made by hand;\n}\n")
	for i := range m.X() {
		v, list := m.Var(i), []string{m.Var(i).Name}
		if i < m.Y() {
			list = names[i][:]
		}
		for _, name := range list {
			fmt.Fprintf(&b, "variable %s {\n  type discrete [ %d ] { %s };\n}\n", name, v.Size, strings.Join(v.Values, ", "))
		}
	}
	table := func(name string, f *fmdp.Factor) {
		parents := []string{}
		for _, i := range f.Given {
			parents = append(parents, m.Var(i).Name)
			if i < m.Y() {
				parents[len(parents)-1] = names[i][0]
			}
		}
		bar := ""
		if len(parents) > 0 {
			bar = " | "
		}
		fmt.Fprintf(&b, "probability ( %s%s%s ) {\n", name, bar, strings.Join(parents, ", "))
		rows := m.Rows(f.Given)
		if rng.IntN(2) == 0 || len(parents) == 0 {
			b.WriteString("  table")
			for v := range f.Size {
				for row := range rows {
					fmt.Fprintf(&b, " %v", f.Row(row)[v])
				}
			}
			b.WriteString(";\n}\n")
			return
		}
		for _, row := range rng.Perm(rows) {
			values, rest := make([]string, len(f.Given)), row
			for k, i := range slices.Backward(f.Given) {
				values[k] = m.Var(i).Label(rest % m.Var(i).Size)
				rest /= m.Var(i).Size
			}
			fmt.Fprintf(&b, "  (%s) %s;\n", strings.Join(values, ", "), strings.ReplaceAll(strings.Trim(fmt.Sprint(f.Row(row)), "[]"), " ", ", "))
		}
		b.WriteString("}\n")
	}
	for j := range m.Transition {
		table(names[j][0], &first[j])
		table(names[j][1], &m.Transition[j])
	}
	return b.String()
}

// A model that is written as a network of two slices is read as the same model, without its
// rewards. Oracle: the model.
func TestBIF(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 1))
	for range 300 {
		want := randomModel(rng)
		first := make([]fmdp.Factor, want.Y())
		want.Reward, want.Initial = nil, []float64{1}
		for j, v := range want.State {
			first[j] = fmdp.Factor{Size: v.Size, P: want.Transition[j].Row(0)}
			var longer []float64
			for _, p := range want.Initial {
				for _, q := range first[j].P {
					longer = append(longer, p*q)
				}
			}
			want.Initial = longer
		}
		text := bifOf(rng, want, first)
		got, notes, err := format.ReadModel("", []byte(text), format.Options{Horizon: want.Horizon, Actions: []string{"action"}})
		if err != nil || fmt.Sprint(notes) != "[the format has no rewards: the model pays nothing]" {
			t.Fatalf("%v, %q in\n%s", err, notes, text)
		}
		alike(t, got, want, text)
		if fmt.Sprint(got.Graph()) != fmt.Sprint(want.Graph()) {
			t.Fatalf("%v, want %v", got.Graph(), want.Graph())
		}
	}
}

const rainBIF = `network rain {
}
variable rain { type discrete [ 2 ] { yes, no }; }
variable walk_0 { type discrete [ 2 ] { yes, no }; }
variable rain' { type discrete [ 2 ] { yes, no }; /* tomorrow */ }
probability ( rain ) { table 0.25, 0.75; }
probability ( rain' | rain, walk_0 ) {
  (yes, no) 0.5, 0.5;
  (yes, yes) 1, 0;
  default 0, 1;
}
probability ( walk_0 ) { table 0.5, 0.5; }
`

// What a model cannot have, and what the format has not, is refused at its place.
func TestBIFRefused(t *testing.T) {
	o := format.Options{Horizon: 4, Actions: []string{"walk"}}
	m, notes, err := format.ReadModel("", []byte(rainBIF), o)
	if got := fmt.Sprint(m.Names([]int{0, 1}), parts(m), notes, err); got != `[rain walk][0.25 0.75] p[0 1] [1 0 0.5 0.5 0 1 0 1][the format has no rewards: the model pays nothing the table of "walk_0" is left out: an agent chooses the action] <nil>` {
		t.Error(got)
	}
	for _, test := range []struct{ old, new, want string }{
		{"variable rain' ", "variable tomorrow ", `line 7, column 15: there is no variable "rain'"`},
		{"rain'", "tomorrow", `the network has one slice; a model needs two, in which the next value of x is named x' or x_next, or the two are x_0 and x_1`},
		{"walk_0", "go", `there is no variable "walk" to be an action`},
		{"variable walk_0", "variable wind { type discrete [ 1 ] { yes }; } variable walk_0", `line 4, column 10: "wind" has no next value and is no action; the option "action" names the actions`},
		{"{ yes, no }; /*", "{ no, yes }; /*", `line 5, column 10: "rain" and "rain'" do not have the same values`},
		{"[ 2 ]", "[ 3 ]", `line 3, column 10: "rain" has 3 values, but the names of 2`},
		{"[ 2 ]", "[ two ]", `line 3, column 33: the number of values, a whole number from 1 to 1048576, was expected, not "two"`},
		{"discrete", "continuous", `line 3, column 22: "discrete" was expected, not "continuous"`},
		{"default 0, 1;", "", `line 7, column 15: the table of "rain'" has no row for (no, yes)`},
		{"default 0, 1;", "(no, no) 0, 1; (no, no) 0, 1;", `line 10, column 18: a second row for (no, no)`},
		{"default 0, 1;", "(no, maybe) 0, 1;", `line 10, column 8: "walk_0" has no value "maybe"`},
		{"default 0, 1;", "default 0, .9;", `line 7, column 15: the row of "rain'" given (no, yes) sums to 0.9; it must sum to 1`},
		{"default 0, 1;", "default 0, 1", `line 11, column 1: ";" was expected, not "}"`},
		{"(yes, no) 0.5, 0.5;\n  (yes, yes) 1, 0;\n  default 0, 1;", "table 1 0 .5 .5 0 1 0 1;", `line 8, column 3: the row of "rain'" given (no, yes) sums to 0.5; it must sum to 1; a table lists the values of the variable itself slowest`},
		{"( rain ) {", "( rain | walk_0 ) {", `line 6, column 49: a probability was expected, not ";"`},
		{"probability ( rain ) { table 0.25, 0.75; }", "probability ( rain | walk_0 ) { default 0.25, 0.75; }", `line 6, column 15: "rain" has parents in the first slice; only initial distributions without parents are read`},
		{"probability ( rain' |", "probability ( rain |", `line 7, column 15: a second table of "rain"`},
		{"probability ( walk_0 )", "utility ( walk_0 )", `line 12, column 1: "utility" is not read; network, variable and probability are`},
		{"/* tomorrow */", "/* tomorrow", `line 5, column 51: the comment does not end`},
	} {
		text := strings.ReplaceAll(rainBIF, test.old, test.new)
		if strings.Count(test.old, "[")+strings.Count(test.old, "discrete") > 0 || strings.HasPrefix(test.old, "variable rain'") {
			text = strings.Replace(rainBIF, test.old, test.new, 1)
		}
		_, _, err := format.ReadModel("", []byte(text), o)
		if fmt.Sprint(err) != test.want {
			t.Errorf("%q for %q: %v, want %s", test.new, test.old, err, test.want)
		}
	}
	alone := "variable a { type discrete [1] { x }; } variable a' { type discrete [1] { x }; } probability (a' | a) { (x) 1; }"
	if _, _, err := format.ReadModel("", []byte(alone), format.Options{Horizon: 4}); fmt.Sprint(err) != `no variable is an action; the option "action" names the actions` {
		t.Error(err)
	}
	for want, o := range map[string]format.Options{
		`the file states no horizon; the option "horizon" gives the number of steps of an episode`:              {Actions: []string{"walk"}},
		`line 3, column 10: "rain" has a next value, "rain'", so it is no action`:                               {Horizon: 4, Actions: []string{"rain"}},
		`the action "walk_0" is named twice`:                                                                    {Horizon: 4, Actions: []string{"walk", "walk_0"}},
		`line 4, column 10: "walk_0" has no next value and is no action; the option "action" names the actions`: {Horizon: 4},
	} {
		if _, _, err := format.ReadModel("", []byte(rainBIF), o); fmt.Sprint(err) != want {
			t.Errorf("%v: %v, want %s", o, err, want)
		}
	}
}
