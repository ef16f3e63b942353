package format_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/planning"
)

// cassandraOf writes a flat model in one of the notations of each entry.
func cassandraOf(rng *rand.Rand, m *fmdp.Model) string {
	var b strings.Builder
	n, actions := m.States(), m.Actions()
	fmt.Fprintf(&b, "# a test\ndiscount: 1\nvalues: cost\nstates: %s\nactions: %d\nstart:", strings.Join(m.State[0].Values, " "), actions)
	for _, p := range m.Initial {
		fmt.Fprintf(&b, " %v", p)
	}
	joint, pay := make([]float64, m.Joint()), planning.Reward(m)
	fmdp.Joint(joint, &m.Space, m.Transition)
	row := func(a, s int) []float64 { return joint[(s*actions+a)*n:][:n] }
	b.WriteString("\n\nT: * : * : * 0.5\n") // all is replaced
	for a := range actions {
		how := rng.IntN(3)
		if how == 0 {
			fmt.Fprintf(&b, "T: %d\n", a)
		}
		for s := range n {
			switch how {
			case 1:
				fmt.Fprintf(&b, "T : %d : %s\n", a, m.State[0].Values[s])
			case 2:
				for y, p := range row(a, s) {
					fmt.Fprintf(&b, "T: %d:%d:%s %v\n", a, s, m.State[0].Values[y], p)
				}
				continue
			}
			fmt.Fprintln(&b, strings.Trim(fmt.Sprint(row(a, s)), "[]"))
		}
	}
	for s := range n {
		for a := range actions {
			fmt.Fprintf(&b, "R: %d : %d : * : * %v\n", a, s, -pay[s*actions+a])
		}
	}
	return b.String()
}

// A flat model that is written in Cassandra's format is read as the same model. Oracle: the model.
func TestCassandra(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 1))
	for range 300 {
		want := randomModel(rng)
		for want.Y() > 1 {
			want = randomModel(rng)
		}
		want.State[0].Name, want.Action[0].Values = "state", nil
		text := cassandraOf(rng, want)
		got, notes, err := format.ReadModel("", []byte(text), format.Options{Horizon: want.Horizon})
		if err != nil || len(notes) > 0 {
			t.Fatalf("%v, %q in\n%s", err, notes, text)
		}
		alike(t, got, want, text)
	}
}

const walkMDP = `discount: 0.95
values: reward
states: left right
actions: stay walk
start: uniform
T: stay
identity
T: walk : left
0.25 0.75 # against the wind
T: walk : right
uniform
R: walk : * : right 4
R: walk : right : * : * 1
`

// A payoff that depends on the next state is paid on arrival. Oracle: by hand.
func TestCassandraTables(t *testing.T) {
	for text, want := range map[string]string{
		walkMDP: "[0.5 0.5] p[0 1] [1 0 0.25 0.75 0 1 0.5 0.5] r[0 1 2] [0 0 0 4 0 0 1 1]",
		strings.Replace(walkMDP, "uniform", "right", 1):                   "[0 1] p[0 1] [1 0 0.25 0.75 0 1 0.5 0.5] r[0 1 2] [0 0 0 4 0 0 1 1]",
		strings.Replace(walkMDP, "start: uniform", "start include: *", 1): "[0.5 0.5] p[0 1] [1 0 0.25 0.75 0 1 0.5 0.5] r[0 1 2] [0 0 0 4 0 0 1 1]",
		strings.Replace(walkMDP, "start: uniform", "start exclude: 0", 1): "[0 1] p[0 1] [1 0 0.25 0.75 0 1 0.5 0.5] r[0 1 2] [0 0 0 4 0 0 1 1]",
		"states: 2\nactions: 2\nstart: .25 .75\nT: * uniform":             "[0.25 0.75] p[] [0.5 0.5]",
		"states: 2\nactions: 2\nT: *\nidentity\nR: * : 1\n2 2":            "[0.5 0.5] p[0] [1 0 0 1] r[0] [0 2]",
	} {
		m, _, err := format.ReadModel("", []byte(text), format.Options{Horizon: 5})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := parts(m); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	_, notes, _ := format.ReadModel("", []byte(walkMDP), format.Options{Horizon: 5})
	if got := strings.Join(notes, "; "); got != "the discount 0.95 is left out: values are sums over the horizon, without a discount" {
		t.Error(got)
	}
}

// What a model cannot have, and what the format has not, is refused at its place.
func TestCassandraRefused(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"", "", `the file states no horizon; the option "horizon" gives the number of steps of an episode`},
		{"start: uniform", "observations: 2", `line 5, column 1: the file has observations: it is a POMDP, and every variable of a model is seen`},
		{"R: walk : right : * : *", "R: walk : right : * : 0", `line 13, column 23: nothing more was expected; the file has no observations`},
		{"states: left right", "", `line 5, column 1: the states of the file are not known; states: says them first`},
		{"left right", "left left", `line 3, column 14: the name "left" stands there twice`},
		{"left right", "99999", `line 5, column 1: the law of the next state has 19999600002 entries (S²A), more than 16777216`},
		{"left right", "99999999999999999999", `line 3, column 9: the number of states, a whole number from 1 to 1048576, was expected, not "99999999999999999999"`},
		{"values: reward", "values: money", `line 2, column 9: values are reward or cost, not "money"`},
		{"0.25 0.75", "0.25 0.7", `line 8, column 1: in the state left with the action walk, the row of "state" given nothing sums to 0.95; it must sum to 1`},
		{"0.25 0.75", "0.25", `line 10, column 1: a number was expected, not "T"`},
		{"T: walk : right\nuniform", "", `in the state right with the action walk, the row of "state" given nothing sums to 0; it must sum to 1`},
		{"walk : left", "walk : up", `line 8, column 11: there is no state "up"`},
		{"walk : left", "walk : 2", `line 8, column 11: there is no state "2"`},
		{"walk : left", "run : left", `line 8, column 4: there is no action "run"`},
		{"T: walk : left", "O: walk : left", `line 8, column 1: the file has observations: it is a POMDP, and every variable of a model is seen`},
		{"T: walk : left", "reset: walk : left", `line 8, column 1: "reset" is not read; an entry begins with one of start, T, R, O, discount, values, states, actions, observations`},
		{"start: uniform", "start: left\nstart: right", `line 6, column 1: a second "start"`},
		{"start: uniform", "start: .5 .6", `line 5, column 8: the initial distribution sums to 1.1; it must sum to 1`},
		{"start: uniform", "start exclude: *", `line 5, column 16: no state is left to start in`},
		{"R: walk : right : * : * 1", "R: walk : right\n1 2 3", `line 14, column 5: "3" is not read; an entry begins with one of start, T, R, O, discount, values, states, actions, observations`},
		{"R: walk : * : right 4", "states: 3", `line 12, column 1: a second "states"`},
	} {
		text := strings.Replace(walkMDP, test.old, test.new, 1)
		o := format.Options{Horizon: 5}
		if test.old == "" {
			o.Horizon = 0
		}
		_, _, err := format.ReadModel("", []byte(text), o)
		if fmt.Sprint(err) != test.want {
			t.Errorf("%q for %q: %v, want %s", test.new, test.old, err, test.want)
		}
	}
	// Entries for all states take bounded time.
	text := "states: 2000\nactions: 4\n" + strings.Repeat("T: * uniform\n", 1000)
	if _, _, err := format.ReadModel("", []byte(text), format.Options{Horizon: 5}); err == nil || !strings.Contains(err.Error(), "the entries set more than") {
		t.Error(err)
	}
}

// What programs write beside the grammar's own words. Oracle: the same files in these words.
func TestCassandraWords(t *testing.T) {
	read := func(text string) string {
		m, _, err := format.ReadModel("", []byte(text), format.Options{Horizon: 5})
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%s %v %v", parts(m), m.State[0], m.Action[0])
	}
	for _, test := range []struct{ old, new string }{
		{"values: reward", "values: rewards"},
		{"values: reward", ""},
		{"T: walk : left\n0.25 0.75", "T: walk : left : left : 0.25\nT: walk : left : right: .75"},
		{"R: walk : right : * : * 1", "R: walk : right : * : 1"},
		{"T: walk : right\nuniform", "T: walk : right\nreset"}, // the start is uniform
		{"T: stay\nidentity", "T: stay : left reset\nT: stay\n1 0 0 1"},
	} {
		if text := strings.Replace(walkMDP, test.old, test.new, 1); text == walkMDP || read(text) != read(walkMDP) {
			t.Errorf("%q: %s, want %s", test.new, read(text), read(walkMDP))
		}
	}
	if got, want := read("states: 0 1 2\nactions: 0 1\nT: * : 1 reset\nT: * : 0\nuniform\nT: * : 2 : 0 1\nstart: 0 1 0\nR: 1 : 2 : * : * 4"), "[0 1 0] p[0] [0.3333333333333333 0.3333333333333333 0.3333333333333333 0 1 0 1 0 0] r[0 1] [0 0 0 0 0 4] {state 3 []} {action 2 []}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for text, want := range map[string]string{
		"states: 1 0\nactions: 1":               `line 1, column 11: "0" is not read; an entry begins with one of start, T, R, O, discount, values, states, actions, observations`,
		"states: 0 2\nactions: 1":               `line 1, column 11: "2" cannot be a name`,
		"states: 0 a\nactions: 1":               `line 1, column 11: "a" cannot be a name`,
		"states: a 1\nactions: 2 b":             `line 2, column 12: "b" is not read; an entry begins with one of start, T, R, O, discount, values, states, actions, observations`,
		"states: 0\nactions: 1":                 "line 1, column 1: there are no states",
		walkMDP + "R: walk : left : left : 0 1": "line 14, column 25: nothing more was expected; the file has no observations",
	} {
		if got := read(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Costs are negative payoffs, also on arrival and in means. Oracle: the file with rewards, whose signs are turned.
func TestCassandraCosts(t *testing.T) {
	want := "[0.5 0.5] p[0 1] [1 0 0.25 0.75 0 1 0.5 0.5] r[0 1 2] [0 0 0 -4 0 0 -1 -1]"
	m, _, err := format.ReadModel("", []byte(strings.Replace(walkMDP, "values: reward", "values: costs", 1)), format.Options{Horizon: 5})
	if err != nil || parts(m) != want {
		t.Errorf("%s, %v, want %s", parts(m), err, want)
	}
}

// Rows of six digits are scaled, with a word, and any row on request. Oracle: the quotients.
func TestRounded(t *testing.T) {
	dice := "states: 6\nactions: 1\nT: *" + strings.Repeat("\n0.166667 0.166667 0.166667 0.166667 0.166667 0.166667", 6)
	rough := "states: 2\nactions: 1\nstart: 0.3 0.3\nT: * : 0\n.33 .33\nT: * : 1\n1 0"
	thirds := "(variables (x a b c))\naction go x (x' (a (.333333)) (b (.333333)) (c (.333333))) endaction\nhorizon 3"
	for _, test := range []struct {
		text      string
		normalise bool
		want      float64
		note      string
	}{
		{dice, false, 1. / 6, "rows whose sums differ from 1 by up to 2e-06 are scaled to sum to 1"},
		{thirds, false, 1. / 3, "rows whose sums differ from 1 by up to 1e-06 are scaled to sum to 1"},
		{rough, true, 0.5, "rows whose sums differ from 1 by up to 0.4 are scaled to sum to 1"},
	} {
		m, notes, err := format.ReadModel("", []byte(test.text), format.Options{Horizon: 3, Normalise: test.normalise})
		if err != nil || notes[0] != test.note || math.Abs(m.Transition[0].P[0]-test.want) > 1e-15 || test.normalise && m.Initial[1] != 0.5 {
			t.Errorf("%v, %q", err, notes)
		}
	}
	for _, text := range []string{rough, strings.Replace(rough, "start: 0.3 0.3", "", 1), strings.Replace(thirds, "(c (.333333))", "(c (.33333))", 1)} {
		if _, _, err := format.ReadModel("", []byte(text), format.Options{Horizon: 3}); err == nil || !strings.Contains(err.Error(), "it must sum to 1") {
			t.Error(err)
		}
	}
}

// A small file takes little memory, whatever it says; what no spec can hold is refused in one sentence, before
// it is made. The bound is eight times what a spec holds.
func TestSmallFiles(t *testing.T) {
	var wide strings.Builder // payoffs over 19 variables
	wide.WriteString("(variables")
	for j := range 19 {
		fmt.Fprintf(&wide, " (x%d a b)", j)
	}
	wide.WriteString(")\n")
	tree := func(leaf string) string {
		text := leaf
		for j := range 19 {
			text = fmt.Sprintf("(x%d (a %s) (b (%s)))", j, text, "0")
		}
		return text
	}
	wide.WriteString("action go\n")
	for j := range 19 {
		fmt.Fprintf(&wide, " x%d (x%d' (a (0.3)) (b (0.7)))\n", j, j)
	}
	fmt.Fprintf(&wide, "endaction\nreward [+ %s]\nhorizon 2", strings.Repeat(" "+tree("(1)"), 3))
	laws := func(p string) string { // nineteen laws over all variables
		text := wide.String()
		for j := range 19 {
			text = strings.Replace(text, fmt.Sprintf(" x%d (x%d' (a (0.3)) (b (0.7)))", j, j), fmt.Sprintf(" x%d %s", j, tree(fmt.Sprintf("(x%d' (a (%s)) (b (%s)))", j, p, "1"))), 1)
			text = strings.ReplaceAll(text, "(b (0)))", fmt.Sprintf("(b (x%d' (a (0)) (b (1)))))", j))
		}
		return text
	}
	for _, test := range []struct{ text, says string }{
		{laws("0"), "the tables of this model, up to this one, take more than the 24 MiB of a spec"},
		{"states: 4000\nactions: 1\nT: * uniform\nR: * : 0 : 1 : * 2", ""}, // its payoff is a mean
		{"states: 2896\nactions: 2\nT: * identity\nR: * : 0 : 0 : * 1", ""},
		{"states: 4000\nactions: 1\nT: * identity", "the law of the next state takes 4000 rows of 4000 numbers, more than the 24 MiB of a spec hold"},
		{"states: 2048\nactions: 4\nT: * uniform\nT: 0 : 1 : * 0.00048828125\nT: 1 identity\nT: 2 : 2 : * 0.00048828125", "the law of the next state takes 8192 rows of 2048 numbers, more than the 24 MiB of a spec hold"},
		{"states: 2048\nactions: 1\nT: * uniform\nT: * : 1 : 1 1\nT: * : 1 : 0 0\n", "sums to"},
		{wide.String(), ""},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, _, err := format.ReadModel("", []byte(test.text), format.Options{Horizon: 2})
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 8*document.MaxModel {
			t.Errorf("%.50q takes %d MiB", test.text, took>>20)
		}
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%.50q: %v, want %s", test.text, err, test.says)
		}
		if err == nil {
			if text := document.EncodeModel(m); len(text) > document.MaxModel {
				t.Errorf("%.50q: a model of %d bytes", test.text, len(text))
			}
		}
	}
}

// A payoff by next state that takes too large a table is its mean, with the same values. Oracle: the smaller table, which is
// kept, and the mean by hand.
func TestCassandraMean(t *testing.T) {
	const text = "states: %d\nactions: 2\nT: * : * : 0 0.25\nT: * : * : 1 0.75\nR: * : * : 0 : * 8\nR: 1 : * : 1 : * 4\nR: 1 : 2 : 1 : * 1"
	values := []float64{}
	for _, n := range []int{3, 2600} {
		m, notes, err := format.ReadModel("", fmt.Appendf(nil, text, n), format.Options{Horizon: 2})
		if err != nil {
			t.Fatal(err)
		}
		mean := n > 3
		if m.Reward[0].Arrives(&m.Space) == mean || strings.Contains(strings.Join(notes, "\n"), "a payoff by next state would take") != mean {
			t.Errorf("%d states: %q", n, notes)
		}
		r := planning.Reward(m)
		for x, want := range map[int]float64{0: 2, 1: 5, 4: 2, 5: 2.75} {
			if r[x] != want {
				t.Errorf("%d states: a step from %d pays %v, want %v", n, x, r[x], want)
			}
		}
		mdp, err := planning.FromModel(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, v := planning.Solve(mdp)
		values = append(values, v.At(make([]float64, mdp.States), 1)[:3]...)
	}
	if !slices.Equal(values[:3], values[3:]) {
		t.Errorf("%v", values)
	}
}
