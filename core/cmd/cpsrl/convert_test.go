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
		{steps, `3 transitions of 4 rows; 1 row with a missing cell left out; columns that are no variable are left out: "reward"`, nil},
		{degrees, "3 transitions of 3 rows", []string{"-cut", "side=2.5"}},
	} {
		path := file(t, "t.csv", test.table)
		args := append([]string{"posterior", "-prior", prior}, test.flags...)
		r := cpsrl(t, append(args, "-transitions", path)...)
		if r.status != statusOK || r.stdout != want || !strings.HasPrefix(r.stderr, "cpsrl: "+path+": "+test.says+"; the widest table") {
			t.Errorf("%q: %+v, want %s", test.table, r, want)
		}
		if again := cpsrlWith(t, test.table, append(args, "-transitions", "-")...); again.stdout != want {
			t.Errorf("%q on standard input: %+v", test.table, again)
		}
	}
	path := file(t, "t.csv", degrees)
	refused(t, cpsrl(t, "posterior", "-prior", prior, "-transitions", path), path+`: line 2, column 1: "side" holds numbers that are not whole; cut points say how to divide them`)
}
