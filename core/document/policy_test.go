package document

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
)

// A policy says for which variables it is: their names, sizes and labels, in their order. Where it says nothing, they are the problem's.
// Oracle: by hand.
func TestDecodePolicy(t *testing.T) {
	space := &fmdp.Space{
		State:  []fmdp.Variable{{Name: "soil", Size: 2, Values: []string{"dry", "wet"}}, {Name: "n", Size: 2}},
		Action: []fmdp.Variable{{Name: "water", Size: 2, Values: []string{"no", "yes"}}},
	}
	const soil, n, water = `{"name":"soil","size":2,"values":["dry","wet"]}`, `{"name":"n","size":2}`, `{"name":"water","size":2,"values":["no","yes"]}`
	for _, c := range []struct{ members, want string }{
		{``, ""},
		{`"state":[` + soil + `,` + n + `],"action":[` + water + `],`, ""},
		{`"state":[` + soil + `,{"name":"n","size":2,"values":["0","1"]}],`, ""},
		{`"state":[` + n + `,` + soil + `],`, "/state: the policy is for other state variables than the problem has"},
		{`"state":[` + soil + `],`, "/state: the policy is for other state variables than the problem has"},
		{`"state":[{"name":"soil","size":2,"values":["wet","dry"]},` + n + `],`, `/state/0: the policy is for "soil" whose value 0 is "wet"; in the problem it is "dry"`},
		{`"state":[{"name":"soil","size":2,"values":["dry"]},` + n + `],`, `/state/0: the policy is for "soil" whose value 1 is "1"; in the problem it is "wet"`},
		{`"state":[` + soil + `,{"name":"n","size":2,"values":["1","2"]}],`, `/state/1: the policy is for "n" whose value 0 is "1"; in the problem it is "0"`},
		{`"action":[{"name":"water","size":2,"values":["yes","no"]}],`, `/action/0: the policy is for "water" whose value 0 is "yes"; in the problem it is "no"`},
	} {
		p, err := DecodePolicy([]byte(`{`+c.members+`"rules":[{"from":1,"to":2,"rules":[{"if":[{"variable":"soil","least":0,"most":0}],"then":[1]}],"otherwise":[0]}]}`), space, 2)
		if c.want != "" || err != nil {
			if fmt.Sprint(err) != c.want {
				t.Errorf("%s: %v, want %s", c.members, err, c.want)
			}
			continue
		}
		if dry, wet := p.Action(1, []int{0, 1}), p.Action(2, []int{1, 1}); dry != 1 || wet != 0 {
			t.Errorf("%s: the policy plays %d and %d", c.members, dry, wet)
		}
	}
}

// The joint actions of a policy are numbered, and not listed: there may be very many of them.
func TestPolicyOfManyActions(t *testing.T) {
	for _, c := range []struct {
		variables int
		otherwise []int
		want      string
	}{
		{30, append(make([]int, 29), 1), ""},
		{30, append(make([]int, 29), 2), "/rules/0/otherwise: there is no such joint action"},
		{30, append(make([]int, 29), -1), "/rules/0/otherwise: there is no such joint action"},
		{30, make([]int, 29), "/rules/0/otherwise: there is no such joint action"},
		{200, make([]int, 200), "the problem has more joint actions than can be numbered, so no rules can name them"},
	} {
		space := &fmdp.Space{State: []fmdp.Variable{{Name: "s", Size: 2}}}
		for k := range c.variables {
			space.Action = append(space.Action, fmdp.Variable{Name: fmt.Sprint("a", k), Size: 2})
		}
		values := strings.ReplaceAll(fmt.Sprint(c.otherwise), " ", ",")
		p, err := DecodePolicy([]byte(`{"rules":[{"from":1,"to":1,"rules":[],"otherwise":`+values+`}]}`), space, 1)
		switch {
		case c.want != "":
			if fmt.Sprint(err) != c.want {
				t.Errorf("%d variables: %v, want %s", c.variables, err, c.want)
			}
		case err != nil || p.Action(1, []int{0}) != 1:
			t.Errorf("%d variables: %v", c.variables, err)
		}
	}
}
