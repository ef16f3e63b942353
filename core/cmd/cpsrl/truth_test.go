package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
)

// A log of episodes has what agents see, and no more. Each behaviour acts by what it sees: the shares of treatment are those of the
// ward's best policies, by hand. Episodes end where the model's do.
func TestLogOfEpisodes(t *testing.T) {
	ward := "../../../studies/confounding-2.json"
	treated := func(by string) (share float64) {
		text := ok(t, "transitions", "-model", ward, "-episodes", "500", "-behaviour", by, "-seed", "3")
		rows, yes := 0.0, 0.0
		for k, line := range strings.Split(strings.TrimSpace(text), "\n") {
			cells := strings.Split(line, ",")
			if k == 0 && line != "episode,well,treat,reward,done" || len(cells) != 5 {
				t.Fatalf("%s: %s", by, line)
			}
			if k > 0 && cells[2] != "" {
				if rows++; cells[2] == "yes" {
					yes++
				}
				paid := map[string]float64{"no,no": 0, "yes,no": 1, "no,yes": -0.2, "yes,yes": 0.8}[cells[1]+","+cells[2]]
				if got, err := strconv.ParseFloat(cells[3], 64); err != nil || math.Abs(got-paid) > 1e-12 || cells[4] != "false" {
					t.Errorf("%s: %s", by, line)
				}
			}
		}
		if rows != 2000 {
			t.Errorf("%s: %v steps", by, rows)
		}
		return yes / rows
	}
	// The last step is not worth a treatment. Who sees all treats only the severe half.
	for by, want := range map[string]float64{"random": 0.5, "view": 0.75*0.75 + 0.125, "world": 0.75*0.75/2 + 0.125} {
		if got := treated(by); math.Abs(got-want) > 0.05 {
			t.Errorf("%s treats in %v of the steps, want %v", by, got, want)
		}
	}
	sepsis := ok(t, "transitions", "-model", file(t, "sepsis.json", ok(t, "model", "-domain", "sepsis")), "-episodes", "50")
	if n := strings.Count(sepsis, ",true\n"); n < 20 || n > 50 {
		t.Errorf("%d of 50 episodes of sepsis ended", n)
	}
	refused(t, cpsrl(t, "transitions", "-model", ward, "-behaviour", "view"), "-behaviour is for -episodes")
	refused(t, cpsrl(t, "transitions", "-model", ward, "-episodes", "2", "-behaviour", "all"), "expected one of random, view, world")
}

// What policy and behaviour are worth in the truth is computed in the world, hidden variables included. Oracle: every path, by hand.
func TestPolicyTruth(t *testing.T) {
	ward := "../../../studies/confounding-2.json"
	log := file(t, "w.csv", ok(t, "transitions", "-model", ward, "-episodes", "300", "-behaviour", "world", "-seed", "1"))
	args := []string{"policy", log, "-horizon", "4", "-models", "50"}
	text := cpsrl(t, append(args, "-truth", ward)...).stdout
	found := regexp.MustCompile(`the proposed policy +\S+   90%: \S+ to \S+; in the truth (\S+)\n`).FindStringSubmatch(text)
	if found == nil || !strings.Contains(text, "always: treat = no") {
		t.Fatal(text)
	}
	model, err := document.DecodeModel([]byte(read(t, ward)))
	if err != nil {
		t.Fatal(err)
	}
	if want := strconv.FormatFloat(untreated(model, 4), 'g', 4, 64); found[1] != want {
		t.Errorf("in the truth %s, want %s", found[1], want)
	}
	refused(t, cpsrl(t, append(args, "-truth", ward, "-as", "json")...), "-truth is for -as text")
	refused(t, cpsrl(t, append(args, "-truth", file(t, "coin.json", coin))...), "variable 1 of the model is")
	text = read(t, ward)
	for _, c := range []struct{ was, is, want string }{
		{`"well","size":2,"values":["no","yes"]`, `"well","size":2,"values":["yes","no"]`, `the value 0 of "well" is "yes" in the model and "no" in the log`},
		{`"well","size":2,"values":["no","yes"]`, `"well","size":2`, `the value 0 of "well" is "0" in the model and "no" in the log`},
		{`"treat","size":2,"values":["no","yes"]`, `"treat","size":2,"values":["yes","no"]`, `the value 0 of "treat" is "yes" in the model and "no" in the log`},
		{`"treat"`, `"cure"`, `action variable 1 of the model is "cure" with 2 values; in the log it is "treat" with 2`},
		{`"action":[`, `"legal":[[0]],"action":[`, "the model does not have the joint actions of the log"},
		{`"version":2`, `"version":4,"legal":{"formula":"treat >= well"}`, "the policy plays treat = no where well = yes, which is not legal in the model"},
		{`"version":2`, `"version":4,"legal":{"formula":"treat <= well"}`, "the log has treat = yes where well = no, which is not legal in the model"},
	} {
		other := strings.ReplaceAll(text, c.was, c.is)
		if other == text {
			t.Fatalf("the ward has no %s", c.was)
		}
		refused(t, cpsrl(t, append(args, "-truth", file(t, "other.json", other))...), c.want)
	}
}

// untreated returns what it is worth never to treat in the ward. Nobody is well at first.
func untreated(m *fmdp.Model, steps int) (sum float64) {
	for severe := range 2 {
		for range steps - 1 { // each later step pays if the one before has led to a well state
			sum += 0.5 * m.Transition[0].Row(m.Row(m.Transition[0].Given, []int{0, severe, 0}))[1]
		}
	}
	return sum
}
