package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"cpsrl/internal/formattest"
)

// refuses calls the program with -o, where it has that flag, and demands one sentence, no answer and no file.
func refuses(t *testing.T, says string, args ...string) {
	t.Helper()
	folder := t.TempDir()
	if args[0] == "run" {
		args = append(args, "-o", filepath.Join(folder, "records.jsonl"))
	}
	got := cpsrl(t, args...)
	if got.status == statusOK || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || len(got.stderr) > 600 || !strings.Contains(got.stderr, says) {
		t.Errorf("%.200s: status %d, %.200q, want one sentence with %q on standard error, found\n%.900s", strings.Join(args, " "), got.status, got.stdout, says, got.stderr)
	}
	alone(t, folder)
}

// Models of 300 variables, and formulas of 60: every command that reads a model refuses them in one sentence with the place.
func TestBeyondAll(t *testing.T) {
	for _, c := range formattest.BeyondAll() {
		path := file(t, "model.json", c.Model)
		for _, args := range [][]string{{"plan"}, {"model"}, {"run", "-runs", "1"}, {"run", "-agents", "c-psrl:planner=uct:9:2"}, {"edges"}, {"trace"}, {"prior"}, {"transitions", "-n", "3"}} {
			refuses(t, path+": "+c.Place+": ", append(args, "-model", path)...)
			refuses(t, c.Says, append(args, "-model", path)...)
		}
	}
}

// Laws that no list holds: exact planning refuses them in one sentence, in plan as in what plans to act.
func TestNoList(t *testing.T) {
	many := formattest.Machines(1, 30, 1, nil)
	start := formattest.Machines(3, 30, 1, map[string]string{"initial": `{"formula":"m3 = 1"}`})
	legal := formattest.Machines(4, 30, 2, map[string]string{"legal": `{"formula":"a1 = 0 or m4 = 1"}`})
	few := formattest.Machines(2, 2, 60, map[string]string{"legal": `{"maxNonDefault":1,"default":[` + strings.Repeat("0,", 59) + `0]}`})
	steps := strings.Replace(formattest.Machines(1, 19, 1, nil), `"horizon":20`, `"horizon":16384`, 1)
	for model, says := range map[string]string{
		many:  "2147483648",
		start: "2147483648",
		legal: "4294967296",
		steps: "8589934592",
	} {
		path := file(t, "model.json", model)
		for _, args := range [][]string{{"plan"}, {"edges"}, {"trace"}, {"run", "-agents", "optimal", "-runs", "1"}} {
			refuses(t, says, append(args, "-model", path)...)
		}
	}
	var plan struct{ Policy []int }
	if err := json.Unmarshal([]byte(ok(t, "plan", "-model", file(t, "few.json", few))), &plan); err != nil || len(plan.Policy) != 4 {
		t.Errorf("the 61 actions of 60 bits, at most one on: %v, %v", plan, err)
	}
}

// Budgets of 0 and 10⁹, of planners, runs, episodes and steps.
func TestBudgets(t *testing.T) {
	ring := file(t, "ring.json", ring(30))
	const range9 = "uct:TRIALS:DEPTH, from 1:1 to 100000:1000"
	for _, of := range []string{"uct:0:10", "uct:1000000000:10", "uct:600:0", "uct:600:1000000000", "rollout:0:10", "rollout:1000000000:1", "rollout:30:0", "rollout:30:1000000000", "uct:99999999999999999999:1", "uct:-1:1"} {
		for _, problem := range [][]string{{"-preset", "fig1-quick"}, {"-model", ring}} {
			refuses(t, range9, append([]string{"run", "-planner", of}, problem...)...)
			refuses(t, range9, append([]string{"run", "-agents", "c-psrl:planner=" + of}, problem...)...)
		}
		hello := strings.NewReplacer("\n", "", "AGENT", "c-psrl:planner="+of).Replace(`{"hello":{"format":"cpsrl/agent","version":2,"horizon":4,
"state":[{"name":"s","size":2}],"action":[{"name":"a","size":2}],"reward":[{"range":[0,1]}],"prior":{"sparseness":1,"edges":[]},"agent":"AGENT"}}`)
		got := cpsrlWith(t, hello+"\n", "agent")
		if want := `"at":"/hello/agent"}` + "\n"; !strings.Contains(got.stdout, range9) || !strings.HasSuffix(got.stdout, want) || strings.Count(got.stdout, "\n") != 1 {
			t.Errorf("%s: %+v", of, got)
		}
	}
	for flag, says := range map[string]string{"-episodes": "from 1 to 100000", "-runs": "from 1 to 10000"} {
		for _, n := range []string{"0", "1000000000"} {
			refuses(t, says, "run", "-preset", "fig1-quick", flag, n)
			if got := cpsrl(t, "run", "-preset", "fig1-quick", flag, n); strings.Contains(got.stderr, "zeros before it") {
				t.Errorf("%s %s: %s", flag, n, got.stderr)
			}
		}
	}
	for _, n := range []string{"0", "1000000000"} {
		refuses(t, "from 1 to", "trace", "-preset", "fig1-quick", "-episode", n)
	}
}
