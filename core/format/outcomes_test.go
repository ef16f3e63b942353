package format_test

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/format"
)

func TestOutcomes(t *testing.T) {
	for _, c := range []struct{ name, table, want string }{
		{"gym", "episode,obs,action,reward,done\n0,0,1,0.5,False\n0,1,0,2,True\n1,1,1,,False\n1,0,1,3,False\n",
			"paid [0.5 NaN] over [false false] last [{[1 0] 2 true false 0} {[0 1] 3 false false 1}] starts [[0] [1]] longest 2"},
		{"a last row without an action", "episode,t,s,a,reward,terminated\n0,0,0,1,1,0\n0,1,1,0,2,0\n0,2,1,,,1\n1,0,1,0,5,0\n1,1,0,1,6,0\n",
			"paid [1 2 5] over [false true false] last [{[0 1] 6 false false 2}] starts [[0] [1]] longest 2"},
		{"the last action ends the episode, and a row without one follows", "episode,t,s,a,reward,done\n0,0,0,1,1,False\n0,1,1,0,2,True\n0,2,0,,,\n1,0,1,0,5,False\n1,1,0,1,6,False\n",
			"paid [1 2 5] over [false true false] last [{[0 1] 6 false false 2}] starts [[0] [1]] longest 2"},
		{"a gap, and an end that only cuts off", "episode,t,s,a,reward,truncated\n0,0,0,1,1,0\n0,2,1,0,2,0\n0,3,1,1,3,1\n",
			"paid [2] over [] last [{[0 1] 1 false true -1} {[1 1] 3 false false 0}] starts [[0]] longest 3"},
		{"rows are transitions", "s,a,s',reward,done\n0,1,1,0.5,0\n1,0,0,1,1\n1,1,0,2,0\n0,0,0,3,0\n",
			"paid [0.5 1 2 3] over [false true false false] last [] starts [[0] [1]] longest 2"},
		{"sums are no payoffs", "episode,t,s,a,total_reward,return\n0,0,0,1,1,1\n0,1,1,0,2,1\n",
			"paid [] over [] last [{[1 0] NaN false false 0}] starts [[0]] longest 2"},
		{"two payoffs", "episode,t,s,a,reward_a,reward_b\n0,0,0,1,1,10\n0,1,1,0,2,20\n",
			"paid [11] over [] last [{[1 0] 22 false false 0}] starts [[0]] longest 2"},
		{"no actions", "episode,t,s,done\n0,0,0,0\n0,1,1,1\n1,0,1,0\n1,1,0,0\n",
			"paid [] over [true false] last [] starts [[0] [1]] longest 1"},
	} {
		log, err := format.ReadLog([]byte(c.table), format.LogOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := fmt.Sprintf("paid %v over %v last %v starts %v longest %d", log.Paid, log.Over, log.Last, log.Starts, log.Longest)
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// With a lag, the values of the steps before are variables, and what has too few steps before it is left out.
func TestLag(t *testing.T) {
	const steps = "episode,s,a,reward,done\n0,0,1,1,0\n0,1,0,2,0\n0,2,1,3,0\n0,1,1,4,1\n1,2,0,5,0\n1,0,1,6,0\n1,,0,7,0\n1,1,1,8,0\n1,2,0,9,0\n1,0,0,9,0\n"
	for _, c := range []struct {
		table, want string
		lag         int
	}{
		{steps, "[s s 1 before a] [{[1 0 0] [2 1]} {[2 1 1] [1 2]} {[2 1 0] [0 2]}] paid [2 3 9] last [{[1 2 1] 4 true false 1} {[0 2 1] 6 false true -1} {[0 2 0] 9 false false 2}] starts [[1 0]]", 2},
		{steps, "[s s 1 before s 2 before a] [{[2 1 0 1] [1 2 1]}] paid [3] last [{[1 2 1 1] 4 true false 0} {[0 2 1 0] 9 false false -1}] starts [[2 1 0]]", 3},
		{"s,a,s'\n0,1,1\n1,0,2\n2,1,0\n1,1,0\n0,0,1\n", "[s s 1 before a] [{[1 0 0] [2 1]} {[2 1 1] [0 2]} {[0 1 0] [1 0]}] paid [] last [] starts [[1 0] [0 1]]", 2},
	} {
		log, err := format.ReadLog([]byte(c.table), format.LogOptions{Lag: c.lag, Actions: []string{"a"}})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range log.Space.X() {
			names = append(names, log.Space.Var(i).Name)
		}
		if got := fmt.Sprintf("%v %v paid %v last %v starts %v", names, points(log.Transitions), log.Paid, log.Last, log.Starts); got != c.want {
			t.Errorf("lag %d:\n got %s\nwant %s", c.lag, got, c.want)
		}
	}
	if _, err := format.ReadLog([]byte(steps), format.LogOptions{Lag: 5, Actions: []string{"a"}}); err == nil || !strings.Contains(err.Error(), "no transition with 4 steps before it") {
		t.Error(err)
	}
	if _, err := format.ReadLog([]byte(steps), format.LogOptions{Lag: 256, Actions: []string{"a"}}); err == nil || !strings.Contains(err.Error(), "variables") {
		t.Error(err)
	}
}

// Numbers that are not whole get cut points that divide the rows, with how many there are in each part, as it is said.
func TestProposedCuts(t *testing.T) {
	text := "episode,glucose,dose\n"
	for n := range 30 {
		text += fmt.Sprintf("%d,%d.5,%d\n", n/10, 70+n*n%40, n%2)
	}
	log, err := format.ReadLog([]byte(text), format.LogOptions{})
	if err == nil || len(log.Columns) != 3 {
		t.Fatalf("%v, %+v", err, log)
	}
	c := log.Columns[1]
	said := fmt.Sprintf("cut points say how to divide them, as %s does into parts of %v rows", format.WriteCuts("glucose", c.Cuts), c.Rows)
	if len(c.Cuts) != 2 || len(c.Rows) != 3 || c.Rows[0]+c.Rows[1]+c.Rows[2] != 30 || !strings.Contains(err.Error(), said) {
		t.Errorf("%v, want %q", err, said)
	}
	name, points, ok := format.ParseCuts(format.WriteCuts("glucose", c.Cuts))
	if !ok || name != "glucose" || fmt.Sprint(points) != fmt.Sprint(c.Cuts) {
		t.Error(name, points, ok)
	}
	if log, err = format.ReadLog([]byte(text), format.LogOptions{Cuts: map[string][]float64{name: points}}); err != nil || log.Space.State[0].Size != 3 || log.Columns[1].Cuts != nil {
		t.Errorf("%v, %+v", err, log.Columns)
	}
	for _, bad := range []string{"glucose", "=1", "a=", "a=1,x", "a=NaN", "a=1,Inf"} {
		if name, points, ok := format.ParseCuts(bad); ok && bad != "=1" {
			t.Errorf("%q: %q, %v", bad, name, points)
		}
	}
}

// The returns of episodes of which the table has all that was paid.
func TestReturns(t *testing.T) {
	const table = "episode,s,a,reward,done\n" +
		"0,0,0,1,0\n0,1,1,2,0\n0,0,1,4,1\n" + // over after three steps, in the table's last row of it
		"1,0,0,8,0\n1,1,0,16,0\n1,0,0,32,0\n1,1,1,64,0\n" + // goes on
		"2,0,0,,0\n2,1,0,1,1\n" + // what a step paid is missing
		"3,0,1,128,0\n3,1,0,256,1\n3,0,,,\n" + // over after two, and the last state is there
		"4,1,1,512,0\n4,0,0,1024,0\n" + // cut off after two
		"5,1,1,2048,1\n6,1,1,4096,0\n" // over after one, and cut off after one
	log, err := format.ReadLog([]byte(table), format.LogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{1: "[2048 4096 1 8 128 512]", 2: "[2048 3 24 384 1536]", 3: "[2048 7 56 384]", 4: "[2048 7 120 384]", 5: "[2048 7 384]"} {
		if got := fmt.Sprint(log.Returns(n)); got != want {
			t.Errorf("of %d steps: %s, want %s", n, got, want)
		}
	}
}
