package format_test

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/format"
)

// walk returns a table of three episodes of four steps, which are always the same: the header, and the rows as they are
// written.
func walk(header string, row func(episode, t, x int, action string) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for k := range 12 {
		episode, t := k/4+1, k%4
		action := []string{"go", "stay", "go", ""}[t]
		b.WriteString(row(episode, t, k*5%3, action) + "\n")
	}
	return b.String()
}

// What a table holds is told by its names, whatever they are called and wherever they stand. Oracle: the table with
// episode and t in front, whose transitions are those by hand.
func TestColumns(t *testing.T) {
	plain := walk("episode,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%d,%d,%s", e, t, x, a) })
	want, err := format.ReadLog([]byte(plain), format.LogOptions{})
	if err != nil || len(want.Transitions) != 9 || fmt.Sprint(points(want.Transitions[:3])) != "[{[0 0] [2]} {[2 1] [1]} {[1 0] [0]}]" {
		t.Fatalf("%+v, %v", want, err)
	}
	for _, c := range []struct{ text, says, notes string }{
		{plain, "episode episode, t step, x state, action action", ""},
		{walk("x,action,episode,t", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%s,%d,%d", x, a, e, t) }), "x state, action action, episode episode, t step", ""},
		{walk("Episode_ID,TimeStep,x,Action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%d,%d,%s", e, t, x, a) }), "Episode_ID episode, TimeStep step, x state, Action action", ""},
		{walk("step;trial;x;act", func(e, t, x int, a string) string { return fmt.Sprintf("%d;%d;%d;%s", t, e, x, a) }), "step step, trial episode, x state, act action", ""},
		{walk("time\ttrajectory\tx\ta", func(e, t, x int, a string) string {
			return fmt.Sprintf("%d\t%d\t%d\t%s", 1700000000000+300000*int64(t), e, x, a)
		}), "time step, trajectory episode, x state, a action", "\"time\" grows by 300000 from step to step"},
		{walk("timestamp,ep,x,a", func(e, t, x int, a string) string {
			return fmt.Sprintf("2026-02-28T22:%02d:30Z,%d,%d,%s", 10+5*t, e, x, a)
		}), "timestamp step, ep episode, x state, a action", "\"timestamp\" grows by 300 from step to step"},
		{walk("date,ep,x,a", func(e, t, x int, a string) string {
			return fmt.Sprintf("%s,%d,%d,%s", []string{"2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"}[t], e, x, a)
		}), "date step, ep episode, x state, a action", "\"date\" grows by 86400 from step to step"},
		{walk("timestamp,episode,step,x,action,reward,done", func(e, t, x int, a string) string {
			return fmt.Sprintf("2026-02-28 20:%02d:%02d,%d,%d,%d,%s,1,%t", e, 6*t*t, e, t, x, a, t == 3)
		}), "timestamp nothing (the steps are in “step”), episode episode, step step, x state, action action, reward reward, done end", ""},
		{walk(",episode,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%d,%d,%d,%s", 4*e+t, e, t, x, a) }), " nothing (has no name), episode episode, t step, x state, action action", ""},
		{walk("Unnamed: 0,episode,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%d,%d,%d,%s", 4*e+t, e, t, x, a) }), "Unnamed: 0 nothing (has no name), episode episode, t step, x state, action action", ""},
		{walk(`"episode";"t";"x";"action"`, func(e, t, x int, a string) string { return fmt.Sprintf(`"%d";%d;%d;%d;"%s"`, 4*e+t, e, t, x, a) }), " nothing (has no name), episode episode, t step, x state, action action", ""},
		{walk(`episode,t,x,action`, func(e, t, x int, a string) string { return fmt.Sprintf(`%d,%d,%d,%s,`, e, t, x, a) }), "episode episode, t step, x state, action action,  nothing (has no name)", ""},
		{walk("id,episode,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%d,%d,%d,%s", 4*e+t, e, t, x, a) }), "id nothing (counts the rows), episode episode, t step, x state, action action", ""},
		{walk("id,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("P%d,%d,%d,%s", e, t, x, a) }), "id episode, t step, x state, action action", ""},
		{walk("key,episode,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("k%d,%d,%d,%d,%s", (4*e+t)*7%16, e, t, x, a) }), "key nothing (has another value in each row), episode episode, t step, x state, action action", ""},
		{walk("site,episode,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("A,%d,%d,%d,%s", e, t, x, a) }), "site nothing (has one value, “A”), episode episode, t step, x state, action action", ""},
		{walk("patient,visit,episode,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%t,%d,%d,%d,%s", e/2, true, e, t, x, a) }), "patient episode, visit nothing (has one value, “true”), episode episode, t step, x state, action action", ""},
		{walk("patient,visit,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("P%d,%d,%d,%s", e, t, x, a) }), "patient episode, visit step, x state, action action", ""},
		{walk("x,day,case_id,action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%d,%d,%s", x, 7*t, e, a) }), "x state, day step, case_id episode, action action", "\"day\" grows by 7 from step to step"},
		{walk("run,episode,t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,1,%d,%d,%s", e, t, x, a) }), "run episode, episode episode, t step, x state, action action", ""},
		{walk("episode,x,action,rewards,terminated,truncated", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%d,%s,1,%t,false", e, x, a, t == 3) }), "episode episode, x state, action action, rewards reward, terminated end, truncated end", "no column counts steps: the rows of an episode follow each other"},
		{walk("t,x,action", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%d,%s", t, x, a) }), "t step, x state, action action", "no column tells episodes: a new one begins where \"t\" falls, repeats or leaps"},
		{walk("x,action,r,done", func(e, t, x int, a string) string { return fmt.Sprintf("%d,%s,.5,%d", x, a, t/3) }), "x state, action action, r reward, done end", "no column tells episodes: one ends where \"done\" is true"},
		{"sep=;\n" + strings.ReplaceAll(plain, ",", ";"), "episode episode, t step, x state, action action", ""},
		{strings.ReplaceAll(plain, ",", "|"), "episode episode, t step, x state, action action", ""},
		{strings.ReplaceAll(strings.ReplaceAll(plain, ",\n", ",NA\n"), ",", "   "), "episode episode, t step, x state, action action", ""},
		{strings.ReplaceAll(plain, "\n", "\r"), "episode episode, t step, x state, action action", ""},
		{"# made by hand\n# episode,t,x,action\n" + strings.SplitN(plain, "\n", 2)[1], "episode episode, t step, x state, action action", ""},
		{"#episode,t,x,action\n" + strings.SplitN(plain, "\n", 2)[1], "episode episode, t step, x state, action action", ""},
		{"# episode t x action\n" + strings.ReplaceAll(strings.ReplaceAll(strings.SplitN(plain, "\n", 2)[1], ",\n", ",NA\n"), ",", " "), "episode episode, t step, x state, action action", ""},
		{"# a, b, c, d\n" + plain + "# the end\n#\"\n", "episode episode, t step, x state, action action", "2 lines with # in front left out, with another number of cells than the header"},
	} {
		log, err := format.ReadLog([]byte(c.text), format.LogOptions{})
		if err != nil || fmt.Sprint(points(log.Transitions)) != fmt.Sprint(points(want.Transitions)) {
			t.Errorf("%s\n%s: %v, %v", c.text, roles(log), log.Transitions, err)
			continue
		}
		if got := roles(log); got != c.says || strings.Join(log.Notes, "; ") != c.notes {
			t.Errorf("%s\n%s; %q, want %s; %s", c.text, got, log.Notes, c.says, c.notes)
		}
	}
}

// Each row is a transition if the table has next values, in whatever way they are called. Oracle: by hand.
func TestNextColumns(t *testing.T) {
	for header, says := range map[string]string{
		"x,drug,x'":                           "x state, drug action, x' next",
		"x,action,next_x":                     "x state, action action, next_x next",
		"next x,x,a":                          "next x next, x state, a action",
		"State,action,nextState":              "State state, action action, nextState next",
		"s,a,s_":                              "s state, a action, s_ next",
		"x_t,a,x_t+1":                         "x_t state, a action, x_t+1 next",
		"X,A,x'":                              "X state, A action, x' next",
		"state,action,reward,next_state,done": "state state, action action, reward reward, next_state next, done end",
		"s,a,reward,s',done":                  "s state, a action, reward reward, s' next, done end",
		"timestamp,episode,step,state,action,reward,next_state,done": "timestamp nothing (the steps are in “step”), episode episode, step step, state state, action action, reward reward, next_state next, done end",
		"patient_id,x,drug,x'":                "patient_id episode, x state, drug action, x' next",
		",x,action,x',action',reward,reward'": " nothing (has no name), x state, action action, x' next, action' nothing (the next value of “action”, which is no state), reward reward, reward' nothing (the next value of “reward”, which is no state)",
	} {
		var b strings.Builder
		b.WriteString(header + "\n")
		columns := strings.Split(header, ",")
		for k := range 4 {
			var row []string
			for _, name := range columns {
				lower := strings.ToLower(name)
				switch {
				case strings.HasPrefix(lower, "next") || strings.HasSuffix(lower, "'") || strings.HasSuffix(lower, "_") || lower == "sp" || strings.HasSuffix(lower, "+1"):
					row = append(row, fmt.Sprint((k+1)%2))
				case lower == "timestamp":
					row = append(row, fmt.Sprint(1700000000+k))
				case lower == "step":
					row = append(row, fmt.Sprint(k%2))
				case lower == "episode", lower == "patient_id":
					row = append(row, fmt.Sprint(k/2))
				case strings.HasPrefix(lower, "a"), lower == "drug":
					row = append(row, fmt.Sprint(k/2))
				case lower == "":
					row = append(row, fmt.Sprint(k))
				default:
					row = append(row, fmt.Sprint(k%2))
				}
			}
			b.WriteString(strings.Join(row, ",") + "\n")
		}
		log, err := format.ReadLog([]byte(b.String()), format.LogOptions{})
		if err != nil || roles(log) != says || fmt.Sprint(points(log.Transitions)) != "[{[0 0] [1]} {[1 0] [0]} {[0 1] [1]} {[1 1] [0]}]" {
			t.Errorf("%s\n%s: %v, %v, want %s", b.String(), roles(log), log.Transitions, err, says)
		}
	}
}

// What a column is taken for can be said, whatever it is called. Oracle: by hand.
func TestColumnRoles(t *testing.T) {
	const text = "block,moment,done,x,pick,t\n1,0,0,5,a,1.5\n1,1,1,6,b,2.5\n2,0,1,5,b,1.5\n2,1,0,6,a,7\n"
	log, err := format.ReadLog([]byte(text), format.LogOptions{Roles: map[string]string{"block": "episode", "moment": "step", "done": "state", "pick": "action", "t": "nothing"}})
	if err != nil || roles(log) != "block episode, moment step, done state, x state, pick action, t nothing" || fmt.Sprint(points(log.Transitions)) != "[{[0 0 0] [1 1]} {[1 0 1] [0 1]}]" {
		t.Errorf("%s, %v, %v", roles(log), log.Transitions, err)
	}
	for _, c := range []struct{ name, role, want string }{
		{"night", "nothing", `there is no column "night" to leave out`},
		{"night", "action", `there is no column "night" to be an action`},
		{"night", "step", `there is no column "night" to be the step`},
		{"x", "variable", `the column "x" is taken for "variable"; it must be one of episode, step, state, action, next, reward, end, nothing`},
		{"x", "next", `line 1, column 19: "x" is called the next value of no column; the next value of x is called x'`},
	} {
		if _, err := format.ReadLog([]byte(text), format.LogOptions{Roles: map[string]string{c.name: c.role}}); fmt.Sprint(err) != c.want {
			t.Errorf("%s for %s: %v, want %s", c.name, c.role, err, c.want)
		}
	}
	// An error does not take away what the columns were taken for.
	log, err = format.ReadLog([]byte("episode,t,site,done\n1,0,A,0\n1,1,A,1\n"), format.LogOptions{})
	if fmt.Sprint(err) != `the table has no column of a state variable; "site" has one value, “A”` || roles(log) != "episode episode, t step, site nothing (has one value, “A”), done end" {
		t.Errorf("%s, %v", roles(log), err)
	}
	// Of a known problem, the names of its variables win, and its columns may be left out of nothing else.
	log, err = format.ReadLog([]byte("Episode,step,Glucose,pain,dose,drug,done\n1,0,1,no,0,a,0\n1,5,2,TRUE,1,b,1"), format.LogOptions{Space: ward})
	if err != nil || roles(log) != "Episode episode, step step, Glucose state, pain state, dose action, drug action, done end" || fmt.Sprint(points(log.Transitions)) != "[{[1 0 1 0] [2 1]}]" {
		t.Errorf("%s, %+v, %v", roles(log), log.Transitions, err)
	}
}

// points returns the points of transitions without what was paid.
func points(list []document.Transition) (all []struct{ X, Y []int }) {
	for _, t := range list {
		all = append(all, struct{ X, Y []int }{t.X, t.Y})
	}
	return all
}
