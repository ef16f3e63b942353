package format_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

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
