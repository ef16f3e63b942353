package record_test

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/record"
	"cpsrl/core/strict"
	"cpsrl/internal/formattest"
)

// An episode of two steps over the variables of formattest.Space: S = 6, A = 2.
const told = `{"points":[0,11],"end":5,"rewards":[0,0.5],"before":[[0.5,0.5,1],[0,1,0.25]],` +
	`"record":{"run":0,"agent":"c-psrl","episode":4,"optimal":1,"value":0.5,"regret":0.5,"return":0.5,` +
	`"belief":{"graph":[[0],[1,2]],"superset":true,"recall":1,"precision":1,"parents":1.5,"best":[[0],[1]],"edges":[[1,0,1],[0,1,0.25]],"entropy":1}}}`

func againEpisode(data []byte) ([]byte, error) {
	e, err := record.DecodeEpisode(data, formattest.Space, 2)
	if err != nil {
		return nil, err
	}
	return strict.AppendLine(nil, e), nil
}

func TestEpisodeStrict(t *testing.T) {
	formattest.Strict(t, "episode", told, againEpisode, append(formattest.Common("end", "/end"), []formattest.Edit{
		{`"points":[0,11]`, `"points":[0]`, "/rewards", "2 rewards for 1 steps"},
		{`"points":[0,11]`, `"points":[0,11,0]`, "/points", "3 steps in an episode of at most 2"},
		{`"points":[0,11]`, `"points":[]`, "/rewards", "2 rewards for 0 steps"},
		{`"best":[[0],[1]],"edges":[[1,0,1],[0,1,0.25]],"entropy":1`, `"logTruth":-1`, "/before", "on one side"},
		{`"best":[[0],[1]],`, ``, "/record/belief/best", "is missing"},
		{`"superset":true,`, ``, "/record/belief/superset", "is missing"},
		{`"points":[0,11]`, `"points":[0,12]`, "/points/1", "there is no point 12; points are 0 to 11"},
		{`"points":[0,11]`, `"points":[-1,11]`, "/points/0", "there is no point -1"},
		{`"rewards":[0,0.5]`, `"rewards":[]`, "/rewards", "0 rewards for 2 steps"},
		{`"end":5`, `"end":6`, "/end", "there is no state 6; states are 0 to 5"},
		{`"before":[[0.5,0.5,1],[0,1,0.25]],`, ``, "/before", "on one side"},
		{`"before":[[0.5,0.5,1],[0,1,0.25]]`, `"before":[[0.5,0.5,1]]`, "/before", "1 variables; there are 2"},
		{`"before":[[0.5,0.5,1]`, `"before":[[0.5,0.5]`, "/before/0", "2 probabilities for 3 variables"},
		{`"before":[[0.5,0.5,1]`, `"before":[[0.5,2,1]`, "/before/0/1", "2 is not a probability"},
		{`"episode":4`, `"episode":0`, "/record/episode", "episodes count from 1"},
		{`"graph":[[0],[1,2]]`, `"graph":[[0],[1,3]]`, "/record/belief/graph/1", "parents are ascending, from 0 to 2"},
		{`"edges":[[1,0,1]`, `"edges":[[1,0]`, "/record/belief/edges/0", "2 probabilities"},
	}...))
}

// The steps by hand: x = (side, weather, flip), the last variable changing fastest.
func TestEpisodeSteps(t *testing.T) {
	e, err := record.DecodeEpisode([]byte(told), formattest.Space, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []record.TraceStep{
		{X: []int{0, 0, 0}, Y: []int{1, 2}, Reward: 0},
		{X: []int{1, 2, 1}, Y: []int{1, 2}, Reward: 0.5},
	}
	for h, step := range e.Steps(formattest.Space) {
		if string(strict.AppendLine(nil, step)) != string(strict.AppendLine(nil, want[h])) {
			t.Errorf("step %d is %v, want %v", h+1, step, want[h])
		}
	}
}

func FuzzEpisode(f *testing.F) { formattest.Fuzz(f, []string{told}, againEpisode) }

// Where no list holds the states, an episode has the values of its points, and never none.
func TestPath(t *testing.T) {
	space := &fmdp.Space{Action: []fmdp.Variable{{Name: "a", Size: 2}}}
	for i := range 21 {
		space.State = append(space.State, fmdp.Variable{Name: fmt.Sprint("s", i), Size: 2})
	}
	zeros := func(n int) string { return "[" + strings.Repeat("0,", n-1) + "0]" }
	of := func(path, rewards, more string) string {
		return `{` + more + `"end":0,"path":` + path + `,"rewards":` + rewards + `,"record":{"run":0,"agent":"random","episode":1,"return":0}}`
	}
	whole := of("["+zeros(22)+","+zeros(21)+"]", "[0]", "")
	e, err := record.DecodeEpisode([]byte(whole), space, 3)
	if err != nil || len(e.Steps(space)) != 1 || len(e.Last(space)) != 21 {
		t.Errorf("%+v, %v", e, err)
	}
	for text, place := range map[string]string{
		of("[]", "[]", ""):                                                                "/points",
		of("["+zeros(21)+"]", "[0]", ""):                                                  "/rewards",
		of("["+zeros(21)+","+zeros(21)+"]", "[0]", ""):                                    "/path/0",
		of("["+zeros(22)+","+zeros(22)+"]", "[0]", ""):                                    "/path/1",
		strings.Replace(whole, "[[0,", "[[2,", 1):                                         "/path/0/0",
		of("["+zeros(22)+","+zeros(21)+"]", "[0]", `"points":[0],`):                       "/points",
		strings.Replace(whole, `"path":[`+zeros(22)+`,`+zeros(21)+`]`, `"points":[0]`, 1): "/points",
	} {
		if _, err := record.DecodeEpisode([]byte(text), space, 3); err == nil || !strings.HasPrefix(err.Error(), place+":") {
			t.Errorf("%s: %v, want %s", text, err, place)
		}
	}
}
