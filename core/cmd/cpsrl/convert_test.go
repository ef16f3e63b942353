package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// coinSpudd is the coin in SPUDD.
const coinSpudd = `(variables (side heads tails))
init (side (heads (1)) (tails (0)))
action 0 side (side (heads (side' (heads (1)) (tails (0)))) (tails (side' (heads (0)) (tails (1))))) endaction
action 1 side (side' (heads (0.5)) (tails (0.5))) endaction
reward (side (heads (0)) (tails (1)))
discount 1
horizon 3
`

// A model in another format is written as a model that commands read. Oracle: the plan of the coin.
func TestConvert(t *testing.T) {
	want := ok(t, "plan", "-model", file(t, "coin.json", coin))
	in := file(t, "coin.spudd", coinSpudd)
	out := filepath.Join(t.TempDir(), "out.json")
	if text := ok(t, "convert", in, "-o", out); text != "" {
		t.Errorf("%q on standard output", text)
	}
	model := read(t, out)
	if got := ok(t, "plan", "-model", out); got != want || !strings.Contains(model, `"name":"coin"`) || !strings.HasSuffix(model, "}\n") {
		t.Errorf("%s from %s, want %s", got, model, want)
	}
	if got := ok(t, "convert", in); got != model {
		t.Errorf("%s on standard output, %s in a file", got, model)
	}
	r := cpsrlWith(t, change(coinSpudd, "discount 1", "discount .9"), "convert", "-", "-horizon", "2")
	if r.status != statusOK || r.stderr != "cpsrl: the discount 0.9 is left out: values are sums over the horizon, without a discount\n" || !strings.Contains(r.stdout, `"horizon":2`) {
		t.Errorf("%+v", r)
	}
	refused(t, cpsrlWith(t, change(coinSpudd, "horizon 3", ""), "convert", "-"), "standard input: the file states no horizon")
	refused(t, cpsrl(t, "convert", file(t, "bad.spudd", change(coinSpudd, "(tails (1)))\nd", "(tail (1)))\nd"))), `bad.spudd: line 5, column 27: "side" has no value "tail"`)
	refused(t, cpsrl(t, "convert", in, "-o", in), "is read")
}

// Rows of six digits are scaled with a word, in files of other programs, in models and in specs. Rows that are further from 1 are
// refused with the word that helps, and scaled by -normalise.
func TestRounded(t *testing.T) {
	thirds := "states: 3\nactions: 1\nT: 0\n.333333 .333333 .333333\n.333333 .333333 .333333\n1 0 0\n"
	r := cpsrlWith(t, thirds, "convert", "-", "-horizon", "2")
	if r.status != statusOK || !strings.Contains(r.stdout, "0.3333333333333333,0.3333333333333333") ||
		!strings.HasPrefix(r.stderr, "cpsrl: rows whose sums differ from 1 by up to 1e-06 are scaled to sum to 1; ") {
		t.Errorf("%+v", r)
	}
	rough := strings.ReplaceAll(thirds, "333333", "33")
	r = cpsrlWith(t, rough, "convert", "-", "-horizon", "2")
	refused(t, r, "sums to 0.99")
	if want := "(with -normalise, rows whose sums differ from 1 by up to 0.01 are scaled to sum to 1)\n"; !strings.HasSuffix(r.stderr, want) {
		t.Errorf("%+v", r)
	}
	if r = cpsrlWith(t, rough, "convert", "-", "-horizon", "2", "-normalise"); r.status != statusOK || !strings.Contains(r.stdout, "0.333333333333333") {
		t.Errorf("%+v", r)
	}
	for _, command := range [][]string{{"plan", "-model", file(t, "rough.mdp", rough), "-normalise"}, {"run", "-model", file(t, "rough.mdp", rough), "-horizon", "2", "-normalise", "-episodes", "1"}} {
		if r := cpsrl(t, command...); strings.Contains(r.stderr, "sums to") {
			t.Errorf("%+v", r)
		}
	}
	dice := `{"format":"cpsrl/model","version":1,"name":"dice","horizon":3,"state":[{"name":"x","size":3}],"action":[{"name":"a","size":1}],
 "initial":"uniform","transition":[{"of":"x","given":[],"p":[[0.333333,0.333333,0.333333]]}],"reward":[]}`
	want := "cpsrl: scaled 1 row whose sum differs from 1 by 1e-06 ("
	if r := cpsrl(t, "plan", "-model", file(t, "dice.json", dice)); r.status != statusOK || r.stderr != want+"/transition/0/p/0)\n" {
		t.Errorf("%+v", r)
	}
	spec := `{"format":"cpsrl/spec","version":3,"domain":{"name":"model","model":` + dice + `}}`
	if r := cpsrlWith(t, spec, "model", "-spec", "-"); r.status != statusOK || !strings.HasPrefix(r.stderr, want+"/domain/model/transition/0/p/0)\n") {
		t.Errorf("%+v", r)
	}
}

// Transitions as a table give the same answer as those in JSON Lines. Oracle: the JSON Lines.
func TestTransitionTables(t *testing.T) {
	prior := file(t, "prior.json", coinPrior)
	lines := file(t, "t.jsonl", `{"x":[0,1],"y":[1]}
{"x":[1,0],"y":[1]}
{"x":[1,1],"y":[0]}
`)
	want := ok(t, "posterior", "-prior", prior, "-transitions", lines)
	pairs := "side,flip,side'\n0,1,1\n1,0,1\n1,1,0\n"
	steps := "episode,t,side,flip,reward\n1,0,0,1,0\n1,1,1,0,1\n1,2,1,1,1\n1,3,0,,0\n2,0,,1,0\n"
	degrees := "side,flip,side'\n0.5,1,7\n8,0,9.5\n7,1,0\n"
	for _, test := range []struct {
		table, says string
		flags       []string
	}{
		{pairs, "3 transitions of 3 rows", nil},
		{steps, "3 transitions of 4 rows; 1 row with a missing cell left out\ncpsrl: taken for a reward: reward", nil},
		{degrees, "3 transitions of 3 rows", []string{"-cut", "side=2.5"}},
	} {
		path := file(t, "t.csv", test.table)
		args := append([]string{"posterior", "-prior", prior}, test.flags...)
		r := cpsrl(t, append(args, "-transitions", path)...)
		if r.status != statusOK || r.stdout != want || !strings.HasPrefix(r.stderr, "cpsrl: "+path+": "+test.says+"\ncpsrl: the widest table") {
			t.Errorf("%q: %+v, want %s", test.table, r, want)
		}
		if again := cpsrlWith(t, test.table, append(args, "-transitions", "-")...); again.stdout != want {
			t.Errorf("%q on standard input: %+v", test.table, again)
		}
	}
	path := file(t, "t.csv", degrees)
	refused(t, cpsrl(t, "posterior", "-prior", prior, "-transitions", path), path+`: line 2, column 1: "side" holds numbers that are not whole; cut points say how to divide them`)
}

// lampDomain and lampInstance are a lamp in RDDL, in two files.
const (
	lampDomain = "domain lamp { pvariables { on : { state-fluent, bool, default = false }; press : { action-fluent, bool, default = false }; };\n" +
		"cpfs { on' = if (press) then ~on else Bernoulli(0.5); };\nreward = on; }\n"
	lampInstance = "instance evening { domain = lamp; max-nondef-actions = 1; horizon = 2; discount = 1; }\n"
)

// A problem stands in two files, in any order, or in one. Oracle: 1 · 1 for the step after a press.
func TestConvertParts(t *testing.T) {
	domain, instance := file(t, "d.rddl", lampDomain), file(t, "i.rddl", lampInstance)
	want := ok(t, "convert", domain, instance)
	for _, args := range [][]string{{instance, domain}, {file(t, "both.rddl", lampInstance+lampDomain)}} {
		if got := ok(t, append([]string{"convert"}, args...)...); got != want || !strings.Contains(got, `"name":"evening"`) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := ok(t, "plan", "-model", file(t, "lamp.json", want)); !strings.Contains(got, `"value":1,`) {
		t.Error(got)
	}
	refused(t, cpsrl(t, "convert", domain), "d.rddl: line 4, column 1: there is no instance; a problem in RDDL is a domain and an instance, in one file or in two")
	refused(t, cpsrl(t, "convert", instance, file(t, "bad.rddl", change(lampDomain, "~on", "~off"))), `bad.rddl: line 2, column 31: there is neither a fluent nor an object "off"`)
	refused(t, cpsrl(t, "convert", instance, file(t, "no.rddl", change(lampInstance, "horizon = 2;", ""))), `a second "instance"`)
	refused(t, cpsrl(t, "convert", domain, domain+"x"), "no such file")
}
