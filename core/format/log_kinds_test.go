package format_test

import (
	"strings"
	"testing"

	"cpsrl/core/format"
)

// Tables as programs write them: what each column is taken for, in its order (e episode, t step, s state, a action, n next,
// r reward, d end, - nothing), how many transitions there are, and what is said. Oracle: by hand.
func TestLogKinds(t *testing.T) {
	letters := map[string]string{
		format.AsEpisode: "e", format.AsStep: "t", format.AsState: "s", format.AsAction: "a", format.AsNext: "n",
		format.AsReward: "r", format.AsEnd: "d", format.AsNothing: "-", "": "?",
	}
	for _, c := range []struct{ table, roles, says string }{
		{"env_id,global_step,x,action\n1,0,0,0\n1,1,1,1\n1,2,0,0\n2,0,0,1\n2,1,1,1\n", "etsa", ""},
		{"ep_num,t_step,x,action\n1,0,0,0\n1,1,1,1\n1,2,0,0\n2,0,0,1\n2,1,1,1\n", "etsa", ""},
		{"Episode Number,Step Number,x,Action Taken\n1,0,0,0\n1,1,1,1\n1,2,0,0\n2,0,0,1\n2,1,1,1\n", "etsa", ""},
		{"episode,steps_left,x,action\n1,2,0,0\n1,1,1,1\n1,0,0,0\n", "essa", "no column counts steps"},
		{"episode,time,x,action\n1,00:30,0,0\n1,01:30,1,1\n1,03:30,0,0\n", "etsa", `"time" grows by 3600`},
		{"episode,time,x,action\n1,08:00:30,0,0\n1,08:01:00,1,1\n1,08:01:30,0,0\n", "etsa", `"time" grows by 30`},
		{"episode,time,x,action\n1,0 days 23:59:30,0,0\n1,1 day 00:00:00,1,1\n1,1 days 00:00:30.5,0,1\n", "etsa", `"time" grows by 30.5`},
		{"episode,seen,x,action\n1,03/10/2026,0,0\n1,03/11/2026 8:00,1,1\n1,3/12/26,0,1\n", "e-sa", "no column counts steps"},
		{"episode,kind,x,action\n1,1/2,0,0\n1,2/2,1,1\n1,1/2,0,1\n", "essa", ""},
		{"S_t,A_t,R_t,S_t+1\n0,1,0.5,1\n1,0,0,1\n1,1,1,0\n", "sarn", ""},
		{"episode;t;load;z\n1;0;1.200;0,0\n1;1;2.200;1,0\n1;2;1.200;1,0\n", "etss", `1.200 of "load" is 1200`},
		{"x,action,terminated,truncated\n0,0,0,0\n1,1,0,1\n1,0,0,0\n0,1,1,0\n", "sadd", `one ends where "terminated" or "truncated" is true`},
		{"episode,t,x,action\n1,0,0,1\n1,1,1,0\n1,2,0\n", "etsa", "line 4, column 1: the row has 3 cells, and the header in line 1 has 4"},
		{"My log\n\nepisode,t,x,action\n1,0,0,1\n", "ss", "line 3, column 1: the row has 1 cell, and the header in line 1 has 2"},
		{"agent,episode,t,x\nA,0,0,1\nA,0,1,0\nA,1,0,1\nB,0,0,0\n", "sets", "sort them, or say which other column tells episodes, too"},
		{"\n[\n {\"x\":[0,1],\"y\":[1]}]", "", "this is a JSON array and no table"},
		{"<table><tr><td>episode</td></tr></table>", "", "this is HTML or XML and no table"},
		{"x,a,x2\n0,1,1\n1,0,0\n@x2=next", "ssn", "the next value of x is called x'"},
		{"e,k,t,x\n0,1,0,1\n0,2,1,0\n@t=step@k=step", "", `the columns "k" and "t" are both said to be the step`},
		{"episode,t,x,y\n0,1,0,1\n0,2,1,0\n@y=nothing@-y", "", `the column "y" is said to be "action" and "nothing"`},
	} {
		table, options, _ := strings.Cut(c.table, "@")
		o := format.LogOptions{Roles: map[string]string{}}
		for option := range strings.SplitSeq(options, "@") {
			if name, is := strings.CutPrefix(option, "-"); is {
				o.Actions = append(o.Actions, name)
			} else if name, role, is := strings.Cut(option, "="); is {
				o.Roles[name] = role
			}
		}
		log, err := format.ReadLog([]byte(table), o)
		roles := ""
		for _, column := range log.Columns {
			roles += letters[column.Role]
		}
		says := strings.Join(log.Notes, "; ")
		if err != nil {
			says = err.Error()
		}
		if c.roles != "" && roles != c.roles || !strings.Contains(says, c.says) || c.says == "" && err != nil {
			t.Errorf("%q:\n%s %s\n%s %s", c.table, roles, says, c.roles, c.says)
		}
	}
}
