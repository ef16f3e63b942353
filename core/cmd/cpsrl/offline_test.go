package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cpsrl/core/posterior"
)

// gardenLog is a log of a gardener, with names of two words and missing cells.
func gardenLog() string {
	rng := posterior.NewStream(11)
	var b strings.Builder
	b.WriteString("day no,soil moisture,sun,water it,grown,done\n")
	for e := range 40 {
		soil, sun := rng.IntN(3), rng.IntN(2)
		for k := range 6 {
			water, grown := rng.IntN(2), 0
			if soil == 1 && sun == 1 {
				grown = 2
			}
			cell := []string{"dry", "moist", "wet"}[soil]
			if rng.IntN(20) == 0 {
				cell = ""
			}
			fmt.Fprintf(&b, "%d,%s,%s,%s,%d,%t\n", e, cell, []string{"no", "yes"}[sun], []string{"no", "yes"}[water], grown, k == 5)
			if soil = max(soil-sun, 0); water == 1 {
				soil = min(soil+1, 2)
			}
			sun = rng.IntN(2)
		}
	}
	return b.String()
}

// Three logs, as newcomers have them, each become a problem, a policy and an interval.
func TestLogs(t *testing.T) {
	works := func(args ...string) string {
		t.Helper()
		r := cpsrl(t, args...)
		if r.status != statusOK {
			t.Fatalf("cpsrl %v: %+v", args, r)
		}
		return r.stdout
	}
	garden := []string{file(t, "garden.csv", gardenLog()), "-column", "day no=episode", "-column", "grown=reward", "-action", "water it"}
	var pandas strings.Builder
	pandas.WriteString(",obs,action,reward,done\n")
	rng := posterior.NewStream(5)
	for at, obs := 0, 0; at < 300; at++ {
		action, reward := rng.IntN(2), 0.0
		next := min(max(obs+2*action-1, 0), 4)
		done := obs == 4 && action == 1
		if done {
			reward, next = 1, 0
		}
		fmt.Fprintf(&pandas, "%d,%d,%d,%.1f,%t\n", at, obs, action, reward, done)
		obs = next
	}
	model := file(t, "sepsis.json", ok(t, "model", "-preset", "sepsis"))
	sepsis := file(t, "sepsis.jsonl", ok(t, "transitions", "-model", model, "-n", "2000"))
	for _, c := range []struct {
		name  string
		args  []string
		state int
		rules string // one that a person would expect
	}{
		{"garden", garden, 2, "soil moisture"},
		{"pandas", []string{file(t, "frame.csv", pandas.String()), "-horizon", "10"}, 2, "otherwise: action = 1"},
		{"sepsis", []string{sepsis, "-prior", model, "-tables", "tied"}, 4, "antibiotic"},
	} {
		dir := t.TempDir()
		problem := filepath.Join(dir, "p.json")
		works(append(append([]string{"problem"}, c.args...), "-o", problem)...)
		text, err := os.ReadFile(problem)
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			State []struct{ Name string } `json:"state"`
			Prior struct{ Edges []any }   `json:"prior"`
		}
		if err := json.Unmarshal(text, &m); err != nil || len(m.Prior.Edges) == 0 {
			t.Errorf("%s: %v, the problem is %s", c.name, err, text)
		}
		if n := len(m.State) - strings.Count(string(text), `"name":"over"`); n < c.state-1 {
			t.Errorf("%s: %d state variables", c.name, n)
		}
		// It runs: an experiment, a plan.
		works("run", "-model", problem, "-episodes", "2", "-runs", "1", "-agents", "c-psrl")
		r := cpsrl(t, append(append([]string{"policy"}, c.args...), "-models", "40")...)
		if r.status != statusOK || !strings.Contains(r.stdout, c.rules) || !strings.Contains(r.stdout, "gain") {
			t.Errorf("%s: %+v", c.name, r)
		}
		var a struct {
			Gain struct{ Mean, Lo, Hi float64 }
		}
		said := works(append(append([]string{"policy"}, c.args...), "-models", "40", "-as", "json")...)
		if err := json.Unmarshal([]byte(said), &a); err != nil || a.Gain.Lo > a.Gain.Mean || a.Gain.Mean > a.Gain.Hi || a.Gain.Mean <= 0 {
			t.Errorf("%s: the gain is %+v, %v", c.name, a.Gain, err)
		}
		if csv := works(append(append([]string{"policy"}, c.args...), "-models", "1", "-as", "csv")...); !strings.HasPrefix(csv, "step,") {
			t.Errorf("%s: the table is %.80q", c.name, csv)
		}
	}
	// JSON Lines are read once, so they may come from standard input; an action that is not legal counts nowhere.
	fuel := file(t, "fuel.json", `{"format":"cpsrl/model","version":4,"horizon":5,"state":[{"name":"fuel","size":3}],"action":[{"name":"move","size":2}],"legal":{"formula":"move <= fuel"},"initial":"uniform","transition":[{"of":"fuel","formula":"next = max(0, fuel - move)"}],"reward":[{"formula":"move","kind":"fixed"}]}`)
	lines := ok(t, "transitions", "-model", fuel, "-n", "50")
	want := works("policy", file(t, "log.jsonl", lines), "-prior", fuel, "-models", "20")
	if got := cpsrlWith(t, lines, "policy", "-", "-prior", fuel, "-models", "20"); got.stdout != want || !strings.Contains(want, "5 of 5 pairs") || !strings.Contains(want, "if fuel = 0: move = 0\n  otherwise: move = 1") {
		t.Errorf("%+v\nwant %s", got, want)
	}
	if problem := cpsrlWith(t, lines, "problem", "-", "-prior", fuel); problem.stdout != works("problem", file(t, "log.jsonl", lines), "-prior", fuel) || !strings.Contains(problem.stdout, `"legal":{"formula":"move <= fuel"}`) {
		t.Errorf("%+v", problem)
	}
	// What is always the same is no gain.
	if same := works("policy", file(t, "same.csv", "episode,s,a,reward\n1,0,1,1e-9\n1,1,0,1e-9\n1,0,1,1e-9\n"), "-action", "a", "-models", "20"); !strings.Contains(same, "above 0 in 0% of the models") {
		t.Error(same)
	}
	// The step before may matter, too.
	if problem := works(append([]string{"problem", "-lag", "2"}, garden...)...); !strings.Contains(problem, `"name":"soil moisture 1 before"`) {
		t.Errorf("%.300s", problem)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-lag", "9"}, "8 steps before it"},
		{[]string{"-reward", "moon == 1"}, "flag -reward"},
		{[]string{"-horizon", "100000"}, "horizon"},
		{[]string{"-column", "grown=nothing"}, "no column says what was paid"},
	} {
		args := append(append([]string{"problem"}, garden[:3]...), "-action", "water it")
		if r := cpsrl(t, append(args, c.args...)...); r.status == statusOK || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: %+v, want %q", c.args, r, c.want)
		}
	}
}

// A calibration says of each value and band in how many logs it held, and says the same again.
func TestCalibration(t *testing.T) {
	args := []string{"calibration", file(t, "garden.csv", gardenLog()), "-column", "day no=episode", "-column", "grown=reward", "-action", "water it", "-logs", "4", "-models", "20"}
	r := cpsrl(t, args...)
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	if r.status != statusOK || len(lines) != 10 || lines[0] != "value,band,held" || !strings.HasPrefix(lines[3], "proposed,90%,") || !strings.Contains(lines[9], " of 4 logs (") {
		t.Fatalf("%+v", r)
	}
	if again := cpsrl(t, args...); again.stdout != r.stdout {
		t.Errorf("%s, then %s", r.stdout, again.stdout)
	}
	refused(t, cpsrl(t, "calibration", file(t, "none.csv", "episode,s,a\n0,0,1\n0,1,0\n0,1,1\n"), "-action", "a"), "no column says what was paid")
}

// A proposal is played by an agent as its table says, in every state; it is worth as much as a given policy as it is as the proposed one,
// and another one is worth less. Data of a problem are what an experiment starts from.
func TestPolicyPlays(t *testing.T) {
	works := func(args ...string) string {
		t.Helper()
		r := cpsrl(t, args...)
		if r.status != statusOK {
			t.Fatalf("cpsrl %v: %+v", args, r)
		}
		return r.stdout
	}
	log := []string{file(t, "garden.csv", gardenLog()), "-column", "day no=episode", "-column", "grown=reward", "-action", "water it"}
	with := func(command string, more ...string) []string {
		return append(append([]string{command}, log...), more...)
	}
	proposal := works(with("policy", "-models", "30", "-as", "json")...)
	var p struct {
		Horizon int
		State   []struct {
			Name string
			Size int
		}
		Action []any
		Rules  any
	}
	if err := json.Unmarshal([]byte(proposal), &p); err != nil {
		t.Fatal(err)
	}
	var raw struct{ State, Action json.RawMessage }
	if err := json.Unmarshal([]byte(proposal), &raw); err != nil {
		t.Fatal(err)
	}
	hello := fmt.Sprintf(`{"hello":{"format":"cpsrl/agent","version":2,"horizon":%d,"state":%s,"action":%s,"reward":[{"name":"pay","scope":"hidden","range":[0,2]}],"terminal":[{"given":["over"],"is":[[1]]}],"prior":{"sparseness":3,"edges":[]},"policy":%s}}`, p.Horizon, raw.State, raw.Action, strings.TrimSpace(proposal))
	var messages, want strings.Builder
	messages.WriteString(hello + "\n{\"episode\":{}}\n")
	labels := [][]string{{"dry", "moist", "wet"}, {"no", "yes"}, {"no"}}
	want.WriteString("step,soil moisture,sun,over,water it\n")
	var asked []string
	for h := 1; h <= p.Horizon; h++ {
		for soil := range 3 {
			for sun := range 2 {
				fmt.Fprintf(&messages, "{\"act\":{\"h\":%d,\"state\":[%d,%d,0]}}\n", h, soil, sun)
				asked = append(asked, fmt.Sprintf("%d,%s,%s,%s,", h, labels[0][soil], labels[1][sun], labels[2][0]))
			}
		}
	}
	answers := strings.Split(strings.TrimSpace(ok(t, "agent", file(t, "messages.jsonl", messages.String()))), "\n")
	if len(answers) != len(asked)+2 || !strings.Contains(answers[0], `"agent":"policy"`) {
		t.Fatalf("the answers are %.400s", answers)
	}
	for k, answer := range answers[2:] {
		label := map[string]string{`{"action":[0]}`: "no", `{"action":[1]}`: "yes"}[answer]
		want.WriteString(asked[k] + label + "\n")
	}
	if table := works(with("policy", "-models", "30", "-as", "csv")...); table != want.String() {
		t.Errorf("the agent plays\n%s\nthe table is\n%s", want.String(), table)
	}
	type estimate struct{ Mean, Lo, Hi float64 }
	valued := func(policy string) (a struct {
		Proposed, Gain estimate
		Given          struct{ Value, Gain, Short estimate }
	}) {
		t.Helper()
		if err := json.Unmarshal([]byte(works(with("policy", "-models", "30", "-as", "json", "-value", file(t, "given.json", policy))...)), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := valued(proposal); a.Given.Value != a.Proposed || a.Given.Gain != a.Gain || a.Given.Short != (estimate{}) {
		t.Errorf("the proposal as a given policy: %+v", a)
	}
	if a := valued(`{"rules":[{"from":1,"to":6,"rules":[],"otherwise":[0]}]}`); a.Given.Short.Mean <= 0 || a.Given.Value.Mean >= a.Proposed.Mean {
		t.Errorf("never to water: %+v", a)
	}
	for policy, want := range map[string]string{
		`{}`:                       `the policy has no member "rules"`,
		`{"horizon":5,"rules":[]}`: "/horizon: the policy is for 5 steps; the problem has 6",
		`{"rules":[{"from":1,"to":5,"rules":[],"otherwise":[0]}]}`:                                                           "/rules: the policy says nothing for step 6",
		`{"rules":[{"from":2,"to":6,"rules":[],"otherwise":[0]}]}`:                                                           "/rules/0: these are the steps 2 to 6; stages follow each other from step 1 to step 6",
		`{"rules":[{"from":1,"to":6,"rules":[],"otherwise":[2]}]}`:                                                           "/rules/0/otherwise: there is no such joint action",
		`{"state":[{"name":"x","size":2}],"rules":[]}`:                                                                       "/state: the policy is for other state variables than the problem has",
		`{"rules":[{"from":1,"to":6,"otherwise":[0],"rules":[{"if":[{"variable":"moon","least":0,"most":1}],"then":[1]}]}]}`: `/rules/0/rules/0/if/0/variable: there is no state variable "moon"`,
		`{"rules":[{"from":1,"to":6,"otherwise":[0],"rules":[{"if":[{"variable":"sun","least":1,"most":2}],"then":[1]}]}]}`:  `/rules/0/rules/0/if/0: "sun" has no values 1 to 2`,
	} {
		if r := cpsrl(t, with("policy", "-value", file(t, "wrong.json", policy))...); r.status == statusOK || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %+v, want %q", policy, r, want)
		}
	}
	dir := t.TempDir()
	model, data := filepath.Join(dir, "garden.json"), filepath.Join(dir, "garden.jsonl")
	works(with("problem", "-o", model, "-data", data)...)
	if told := works("run", "-model", model, "-data", data, "-rewards", "learned", "-dirichlet", "1", "-tables", "rows", "-episodes", "1", "-runs", "1", "-agents", "c-psrl"); !strings.Contains(told, `"data":"`) {
		t.Errorf("the records are %s", told)
	}
}

// No single edge shows that the light of the template xor depends on both switches; the posterior finds both. Oracle: χ² of two
// by two tables, by hand; the guide has the numbers.
func TestXor(t *testing.T) {
	model := file(t, "xor.json", ok(t, "new", "xor"))
	lines := ok(t, "transitions", "-model", model, "-n", "200", "-seed", "1")
	counts := [2][2][2]float64{} // by switch, its value, whether the light is on next
	for line := range strings.Lines(lines) {
		var step struct{ X, Y []int }
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			t.Fatal(err)
		}
		for i := range counts {
			counts[i][step.X[i]][step.Y[2]]++
		}
	}
	var chi [2]float64
	for i, n := range counts {
		off, on := n[0][0]+n[0][1], n[1][0]+n[1][1]
		chi[i] = (off + on) * (n[0][0]*n[1][1] - n[0][1]*n[1][0]) * (n[0][0]*n[1][1] - n[0][1]*n[1][0]) / (off * on * (n[0][0] + n[1][0]) * (n[0][1] + n[1][1]))
	}
	if chi[0] > 3.84 || chi[1] > 3.84 {
		t.Errorf("a test of single edges finds one: %v", chi)
	}
	edges := ok(t, "posterior", "-prior", model, "-transitions", file(t, "xor.jsonl", lines), "-as", "csv")
	for _, edge := range []string{"\nleft,light,0.999999,true\n", "\nright,light,0.999999,true\n", "\nbet,light,0.000001,false\n"} {
		if !strings.Contains(edges, edge) {
			t.Errorf("the edges are %s, without %q", edges, edge)
		}
	}
	guide, err := os.ReadFile("../../../site/docs/guide.md")
	if err != nil {
		t.Fatal(err)
	}
	left := counts[0]
	for _, says := range []string{
		fmt.Sprintf("the light is on after %v of %v with `left` off and %v of %v with it on", left[0][1], left[0][0]+left[0][1], left[1][1], left[1][0]+left[1][1]),
		fmt.Sprintf("χ² is %.2f, and %.2f for `right`", chi[0], chi[1]),
	} {
		if !strings.Contains(string(guide), says) {
			t.Errorf("the guide does not say %q", says)
		}
	}
}
