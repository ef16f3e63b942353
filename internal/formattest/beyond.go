package formattest

import (
	"fmt"
	"strings"
)

// Beyond is a model that no reader takes, with the place and the beginning of what is said of it.
type Beyond struct {
	Name, Model, Place, Says string
}

// Machines is a model of n machines and that many switches, each a bit, in the format cpsrl/model. Other parts stand in place of
// those of the same name; they are written as in "legal":….
func Machines(version, n, switches int, other map[string]string) string {
	var state, action, laws []string
	for i := range n {
		state = append(state, fmt.Sprintf(`{"name":"m%d","size":2}`, i+1))
		laws = append(laws, fmt.Sprintf(`{"of":"m%d","given":["m%d"],"p":[[0.9,0.1],[0.1,0.9]]}`, i+1, i+1))
	}
	for k := range switches {
		action = append(action, fmt.Sprintf(`{"name":"a%d","size":2}`, k+1))
	}
	parts := []string{`"format":"cpsrl/model"`, fmt.Sprintf(`"version":%d`, version), `"horizon":20`, `"state":[` + strings.Join(state, ",") + "]", `"action":[` + strings.Join(action, ",") + "]"}
	law, formula := other["law"]
	if formula { // of the first machine
		laws[0] = law
	}
	for _, part := range [][2]string{{"legal", ""}, {"initial", `"uniform"`}, {"transition", "[" + strings.Join(laws, ",") + "]"}, {"reward", `[{"given":["m1"],"mean":[0,1],"kind":"fixed"}]`}, {"terminal", ""}} {
		text, has := other[part[0]]
		if !has {
			text = part[1]
		}
		if text != "" {
			parts = append(parts, fmt.Sprintf("%q:%s", part[0], text))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// Sum is a formula that names the variables of that letter up to n.
func Sum(letter string, n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(letter, i+1)
	}
	return strings.Join(names, " + ")
}

// BeyondAll returns models of too many variables and with formulas of too many.
func BeyondAll() []Beyond {
	const rows = "results for each of 1152921504606846976 rows"
	sum := Sum("m", 60)
	of := func(part, text string) map[string]string { return map[string]string{part: text} }
	return []Beyond{
		{"300 state variables", Machines(1, 300, 1, nil), "/state", "301 state and action variables, more than 256"},
		{"300 action variables", Machines(1, 2, 300, nil), "/state", "302 state and action variables, more than 256"},
		{"a law", Machines(3, 60, 1, of("law", `{"of":"m1","formula":"p = min(1, (`+sum+`)/60)"}`)), "/transition/0/formula", rows},
		{"a payoff", Machines(3, 60, 1, of("reward", `[{"formula":"`+sum+`","kind":"fixed"}]`)), "/reward/0/formula", rows},
		{"an end", Machines(3, 60, 1, of("terminal", `[{"formula":"`+sum+` > 55"}]`)), "/terminal/0/formula", rows},
		{"a start", Machines(3, 60, 1, of("initial", `{"formula":"`+sum+` > 55"}`)), "/initial/formula", rows},
		{"legal actions by state", Machines(4, 60, 1, of("legal", `{"formula":"a1 = 1 or `+sum+` > 3"}`)), "/legal/formula", "results for each of 2305843009213693952 rows"},
		{"legal actions", Machines(3, 2, 60, of("legal", `{"formula":"`+Sum("a", 60)+` < 2"}`)), "/legal/formula", "the action variables have more than 1048576 joint actions"},
		{"too many of few", Machines(2, 2, 60, of("legal", `{"maxNonDefault":9,"default":[`+strings.Repeat("0,", 59)+`0]}`)), "/legal", "joint actions of 60 variables are legal, more than"},
	}
}
