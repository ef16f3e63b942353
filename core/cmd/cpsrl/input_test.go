package main

import (
	"fmt"
	"strings"
	"testing"

	"cpsrl/core/strict"
)

// coin is a model: flipping a coin gives each side with probability ½.
const coin = `{"format":"cpsrl/model","version":1,"name":"coin","horizon":3,
 "state":[{"name":"side","size":2,"values":["heads","tails"]}],
 "action":[{"name":"flip","size":2}],
 "initial":[{"state":[0],"p":1}],
 "transition":[{"of":"side","given":["side","flip"],"p":[[1,0],[0.5,0.5],[0,1],[0.5,0.5]]}],
 "reward":[{"given":["side"],"mean":[0,1],"kind":"fixed"}]}`

// coinPrior knows that the side depends on itself.
const coinPrior = `{"format":"cpsrl/prior","version":1,
 "state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],
 "sparseness":2,"edges":[["side","side"]]}`

// small is a small spec, whose first run is not 0.
const small = `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"episodes":2,"firstRun":3,"runs":4}`

// change replaces one part of a document, which must be there once.
func change(document, old, new string) string {
	if strings.Count(document, old) != 1 {
		panic("not once in the document: " + old)
	}
	return strings.Replace(document, old, new, 1)
}

// space is a prior over n binary state variables and one action variable.
func space(n, size, sparseness int) string {
	var vars []string
	for i := range n {
		vars = append(vars, fmt.Sprintf(`{"name":"s%d","size":%d}`, i, size))
	}
	return fmt.Sprintf(`{"format":"cpsrl/prior","version":1,"state":[%s],"action":[{"name":"a","size":2}],"sparseness":%d,"edges":[]}`,
		strings.Join(vars, ","), sparseness)
}

// tangle is a model of 2^20 points. Each of its 19 binary state variables has 5 parents.
func tangle() string {
	var vars, laws []string
	for j := range 19 {
		var given []string
		for k := range 5 {
			given = append(given, fmt.Sprintf(`"s%d"`, (7*j+5*k)%19))
		}
		vars = append(vars, fmt.Sprintf(`{"name":"s%d","size":2}`, j))
		laws = append(laws, fmt.Sprintf(`{"of":"s%d","given":[%s],"p":[%s]}`, j, strings.Join(given, ","), "[0,1],"+strings.Repeat("[1,0],", 30)+"[1,0]"))
	}
	return fmt.Sprintf(`{"format":"cpsrl/model","version":1,"horizon":2,"state":[%s],"action":[{"name":"a","size":2}],"initial":"uniform","transition":[%s],"reward":[]}`,
		strings.Join(vars, ","), strings.Join(laws, ","))
}

// TestBadInput gives each command files and flags that are wrong in one way. The command
// must end with status 2, nothing on standard output, and one line that names
// the file, the place and what was expected.
func TestBadInput(t *testing.T) {
	records := ok(t, "run", "-preset", "fig1-quick", "-episodes", "2", "-runs", "1", "-agents", "psrl,c-psrl")
	header, rest, _ := strings.Cut(records, "\n")
	first, rest, _ := strings.Cut(rest, "\n")

	for _, test := range []struct {
		name    string
		args    string // FILE stands for the file
		content string
		want    []string // parts of the message, besides the file's name
	}{
		// Models.
		{"malformed", "plan -model FILE", coin[:100], []string{"malformed JSON at byte"}},
		{"empty", "plan -model FILE", "", []string{"a model was expected", "empty"}},
		{"trailing data", "plan -model FILE", coin + "{}", []string{"malformed JSON at byte"}},
		{"not an object", "plan -model FILE", "[1]", []string{"expected"}},
		{"not UTF-8", "plan -model FILE", change(coin, "coin", "\xff"), []string{"this file is not UTF-8; save it as UTF-8"}},
		{"unknown field", "plan -model FILE", change(coin, `"name":"coin"`, `"title":"coin"`), []string{"/title"}},
		{"other case", "plan -model FILE", change(coin, `"horizon"`, `"Horizon"`), []string{"/Horizon"}},
		{"duplicate field", "plan -model FILE", change(coin, `"horizon":3`, `"horizon":3,"horizon":3`), []string{"/horizon"}},
		{"missing field", "plan -model FILE", change(coin, `"horizon":3,`, ""), []string{"/horizon", "missing"}},
		{"null", "plan -model FILE", change(coin, `"horizon":3`, `"horizon":null`), []string{"/horizon"}},
		{"another format", "plan -model FILE", coinPrior, []string{"/format", "cpsrl/model"}},
		{"unknown version", "plan -model FILE", change(coin, `"version":1`, `"version":5`), []string{"/version", "knows up to 4"}},
		{"horizon of 0", "plan -model FILE", change(coin, `"horizon":3`, `"horizon":0`), []string{"/horizon", "1"}},
		{"horizon not whole", "plan -model FILE", change(coin, `"horizon":3`, `"horizon":3.5`), []string{"/horizon", "whole number"}},
		{"zero-size variable", "plan -model FILE", change(coin, `"name":"flip","size":2`, `"name":"flip","size":0`), []string{"/action/0/size", "at least 1"}},
		{"negative size", "plan -model FILE", change(coin, `"name":"flip","size":2`, `"name":"flip","size":-2`), []string{"/action/0/size", "at least 1"}},
		{"labels that do not fit", "plan -model FILE", change(coin, `"heads","tails"`, `"heads"`), []string{"/state/0/values", "2 values"}},
		{"two of one name", "plan -model FILE", change(coin, `"name":"flip","size"`, `"name":"side","size"`), []string{"/action/0/name", "side"}},
		{"S·A past the cap", "plan -model FILE", change(coin, `"name":"flip","size":2`, `"name":"flip","size":2},{"name":"idle","size":262145`), []string{"S·A", "1048576"}},
		{"S·A past 2^63", "plan -model FILE", change(coin, `"name":"flip","size":2`, `"name":"flip","size":9007199254740993`), []string{"/action/0/size", "1048576"}},
		{"too few rows", "plan -model FILE", change(coin, "[0,1],[0.5,0.5]]", "[0,1]]"), []string{"/transition/0/p", "3 rows", "4"}},
		{"row too short", "plan -model FILE", change(coin, "[[1,0]", "[[1]"), []string{"/transition/0/p/0", "side"}},
		{"row that sums to 1.1", "plan -model FILE", change(coin, "[[1,0]", "[[1,0.1]"), []string{"/transition/0/p/0", "side=heads, flip=0", "sum to 1"}},
		{"negative probability", "plan -model FILE", change(coin, "[[1,0]", "[[2,-1]"), []string{"/transition/0/p/0", "at least 0"}},
		{"NaN", "plan -model FILE", change(coin, "[[1,0]", "[[NaN,0]"), []string{"/transition/0/p/0/0"}},
		{"infinity", "plan -model FILE", change(coin, "[[1,0]", "[[1e999,0]"), []string{"/transition/0/p/0/0", "number"}},
		{"given nothing known", "plan -model FILE", change(coin, `"given":["side","flip"]`, `"given":["side","flop"]`), []string{"/transition/0/given/1", "flop"}},
		{"no such initial state", "plan -model FILE", change(coin, `"state":[0],"p":1`, `"state":[2],"p":1`), []string{"/initial/0/state/0", "0 to 1"}},
		{"initial of the wrong length", "plan -model FILE", change(coin, `"state":[0],"p":1`, `"state":[0,0],"p":1`), []string{"/initial/0/state"}},
		{"initial that sums to 0.5", "plan -model FILE", change(coin, `"state":[0],"p":1`, `"state":[0],"p":0.5`), []string{"/initial", "sum to 1"}},
		{"means of the wrong length", "plan -model FILE", change(coin, `"mean":[0,1]`, `"mean":[0]`), []string{"/reward/0/mean", "2"}},
		{"unknown kind", "plan -model FILE", change(coin, `"fixed"`, `"gaussian"`), []string{"/reward/0/kind", "bernoulli"}},
		{"transitions of a bad model", "transitions -model FILE -n 1", change(coin, "[[1,0]", "[[1,0.1]"), []string{"/transition/0/p/0"}},

		{"too tangled to plan in", "plan -model FILE", tangle(), []string{"planning would take", "67108864"}},
		{"edges of the same", "edges -model FILE", tangle(), []string{"planning would take", "67108864"}},
		{"its edges by occupancy", "edges -model FILE -average occupancy", tangle(), []string{"an average by occupancy takes a table of 549755813888 entries"}},

		// Priors.
		{"malformed prior", "factorizations -prior FILE", "{", []string{"malformed JSON"}},
		{"edge from nowhere", "factorizations -prior FILE", change(coinPrior, `["side","side"]`, `["flop","side"]`), []string{"/edges/0/0", "flop"}},
		{"edge to nowhere", "factorizations -prior FILE", change(coinPrior, `["side","side"]`, `["side","flip"]`), []string{"/edges/0/1", "flip"}},
		{"edge twice", "factorizations -prior FILE", change(coinPrior, `["side","side"]`, `["side","side"],["side","side"]`), []string{"/edges/1", "twice"}},
		{"edge of three", "factorizations -prior FILE", change(coinPrior, `["side","side"]`, `["side","side","side"]`), []string{"/edges/0"}},
		{"|z_0,j| > Z", "factorizations -prior FILE", change(coinPrior, `"sparseness":2`, `"sparseness":0`), []string{"side", "at most 0"}},
		{"|z_0,j| = Z, below", "factorizations -prior FILE -bound below", change(coinPrior, `"sparseness":2`, `"sparseness":1`), []string{"side", "fewer than 1"}},
		{"Z < 0", "factorizations -prior FILE", change(coinPrior, `"sparseness":2`, `"sparseness":-1`), []string{"/sparseness", "at least 0"}},
		{"|Z_j| past the cap", "factorizations -prior FILE", space(16, 2, 17), []string{"s0", "131072", "65536"}},
		{"|Z_j| past 2^53", "factorizations -prior FILE", space(63, 2, 64), []string{"s0", "18446744073709551616", "65536"}},
		{"posterior past the cap", "posterior -prior FILE -transitions /dev/null", space(63, 2, 64), []string{"s0", "18446744073709551616"}},

		// Specs.
		{"malformed spec", "run -spec FILE", "{", []string{"malformed JSON"}},
		{"no such domain", "run -spec FILE", change(small, "figure1", "figure9"), []string{"/domain/name", "figure1"}},
		{"unknown field of a spec", "run -spec FILE", change(small, `"episodes"`, `"epsiodes"`), []string{"/epsiodes"}},
		{"0 episodes", "run -spec FILE", change(small, `"episodes":2`, `"episodes":0`), []string{"/episodes", "at least 1"}},
		{"seed past 2^53", "run -spec FILE", change(small, `"episodes":2`, `"seed":9007199254740992`), []string{"/seed"}},
		{"no such agent", "run -spec FILE", change(small, `"episodes":2`, `"agents":["q-learning"]`), []string{"/agents/0", "c-psrl"}},
		{"Z too small", "run -spec FILE", change(small, `"episodes":2`, `"sparseness":1`), []string{"/sparseness"}},
		{"edge to nowhere in a spec", "run -spec FILE", change(small, `"episodes":2`, `"prior":{"edges":[["X1","X9"]]}`), []string{"/prior/edges/0/1", "X9"}},
		{"random FMDP too large", "run -spec FILE", change(small, `"name":"figure1"`, `"name":"random-fmdp","stateVariables":20`), []string{"/domain/stateVariables", "S·A"}},
		{"a bad model in a spec", "run -spec FILE", change(small, `"name":"figure1"`, `"name":"model","model":{}`), []string{"/domain/model"}},
		{"trace of no such run", "trace -spec FILE -run 7", small, []string{"run 7"}},
		{"trace of a run before the first", "trace -spec FILE -run 2", small, []string{"run 2"}},

		// Records.
		{"no records file", "summary FILE", "", []string{"line 1", "cpsrl/records"}},
		{"header of another format", "summary FILE", coin, []string{"line 1"}},
		{"header of another version", "summary FILE", change(records, `{"format":"cpsrl/records","version":2`, `{"format":"cpsrl/records","version":9`), []string{"line 1", "/version"}},
		{"torn record", "summary FILE", records[:len(records)-20], []string{"line 5", "malformed JSON"}},
		{"record of no such agent", "summary FILE", header + "\n" + change(first, `"psrl"`, `"psrl2"`) + "\n", []string{"line 2", "psrl2"}},
		{"record out of order", "summary FILE", header + "\n" + rest, []string{"line 2", "episode 2"}},
		{"record twice", "summary FILE", header + "\n" + first + "\n" + first + "\n", []string{"line 3", "episode 1"}},
		{"regret that is no number", "summary FILE", header + "\n" + change(first, `"run":0`, `"run":"0"`) + "\n", []string{"line 2", "/run", "whole number"}},
		{"plot of a torn file", "plot FILE -o x.svg", records[:len(records)-20], []string{"line 5"}},
		{"plot of no records", "plot FILE -o x.svg", header + "\n", []string{"no records"}},
		{"recall of PSRL", "summary FILE -of recall", ok(t, "run", "-preset", "fig1-quick", "-episodes", "1", "-agents", "psrl"), []string{"recall", "psrl"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := file(t, "input.json", test.content)
			args := strings.Fields(test.args)
			for k := range args {
				if args[k] == "FILE" {
					args[k] = path
				}
			}
			refused(t, cpsrl(t, args...), append(test.want, path)...)
		})
	}
}

// refused checks the status and the output of a refusal.
func refused(t *testing.T, r result, want ...string) {
	t.Helper()
	if r.status != statusInvalid {
		t.Errorf("status %d, want %d", r.status, statusInvalid)
	}
	if r.stdout != "" {
		t.Errorf("%q on standard output", r.stdout)
	}
	if strings.Count(r.stderr, "\n") != 1 || !strings.HasSuffix(r.stderr, "\n") || !strings.HasPrefix(r.stderr, "cpsrl") {
		t.Errorf("not one line on standard error: %q", r.stderr)
	}
	for _, part := range want {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("%q does not contain %q", strings.TrimSpace(r.stderr), part)
		}
	}
}

func TestBadTransitions(t *testing.T) {
	prior := file(t, "prior.json", coinPrior)
	for _, test := range []struct{ name, content, want string }{
		{"malformed", "{\"x\":[0,0],\"y\":[0]}\n{\"x\":[0,0]", "line 2: "},
		{"x too short", `{"x":[0],"y":[0]}`, "line 1: /x: "},
		{"y too long", `{"x":[0,0],"y":[0,0]}`, "line 1: /y: "},
		{"no such value", "{\"x\":[0,0],\"y\":[0]}\n\n{\"x\":[0,2],\"y\":[0]}", "line 3: /x/1: "},
		{"negative value", `{"x":[0,-1],"y":[0]}`, "line 1: /x/1: "},
		{"unknown field", `{"x":[0,0],"y":[0],"z":1}`, "line 1: /z: "},
		{"missing field", `{"x":[0,0]}`, "line 1: /y: "},
		{"line too long", "{\"x\":[0,0],\"y\":[0]}\n" + strings.Repeat(" ", strict.MaxLine+1), "line 2: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := file(t, "t.jsonl", test.content)
			refused(t, cpsrl(t, "posterior", "-prior", prior, "-transitions", path), path+": "+test.want)
		})
	}
}

func TestBadFlags(t *testing.T) {
	model := file(t, "coin.json", coin)
	missing := file(t, "x", "") + ".missing"
	folder := t.TempDir()
	for _, test := range []struct {
		args string
		want string
	}{
		{"", "command"},
		{"frobnicate", "frobnicate"},
		{"help frobnicate", "frobnicate"},
		{"run", "-preset NAME, -spec FILE, -link URL, -domain NAME or -model FILE"},
		{"run -preset nope", "fig2a-quick"},
		{"run -preset fig1 -spec x.json", "exclude"},
		{"run -preset fig1 extra", "extra"},
		{"run -preset fig1 -frob", "-frob"},
		{"run -preset fig1 -episodes", "-episodes"},
		{"run -preset fig1 -episodes 0", "1 to 100000"},
		{"run -preset fig1 -episodes 100001", "1 to 100000"},
		{"run -preset fig1 -runs ten", "1 to 10000"},
		{"run -preset fig1 -grid 3x3", `the domain "figure1" has no parameter "grid"`},
		{"run -domain chess", `"chess" is unknown`},
		{"run -domain taxi -preset fig1", "exclude"},
		{"run -preset fig1 -seed -1", "0 to 9007199254740991"},
		{"run -preset fig1 -workers 0", "-workers"},
		{"run -preset fig1 -agents psrl,dqn", "dqn"},
		{"run -preset fig1 -agents psrl,psrl", "twice"},
		{"run -preset fig1-quick -o " + folder, folder},
		{"run -preset fig1-quick -o " + missing + "/out", missing + "/out"},
		{"run -spec " + missing, missing},
		{"run -spec " + folder, folder},
		{"summary", "FILE"},
		{"summary " + missing, missing},
		{"summary " + missing + " -of fame", "cumulative-regret"},
		{"plot " + missing, ".svg"},
		{"plot " + missing + " -o x.bmp", ".svg"},
		{"plot " + missing + " -o x.svg", missing},
		{"plot " + missing + " -o x.svg -width 1", "flag -width: expected a number from 3 to 100, or 0 ("},
		{"plot " + missing + " -o x.svg -width 8,5", "flag -width: expected a number from 3 to 100, or 0; write 8.5 with a point ("},
		{"plot " + missing + " -o x.svg -width 1,5", "or 0; write 1.5 with a point ("},
		{"plot " + missing + " -o x.svg -width 8,5,1", "or 0 ("},
		{"plot " + missing + " -o x.svg -letters 10,5", "; write 10.5 with a point ("},
		{"plot " + missing + " -o x.svg -letters NaN", "flag -letters: expected a number from 5 to 40, or 0 ("},
		{"plot " + missing + " -o x -as bmp", "flag -as: svg, pdf, png or tex was expected"},
		{"plot " + missing + " -as svg", "flag -o: "},
		{"run -preset fig1 -trust 0,9", "; write 0.9 with a point ("},
		{"run -preset fig1 -dirichlet 0,5", "; write 0.5 with a point ("},
		{"plot " + missing + " -o x.svg -without title,axes", "-without"},
		{"plan", "-model FILE"},
		{"convert", "FILE was expected"},
		{"convert -horizon 0 " + model, "1 to 16384"},
		{"convert " + model, "none of the formats of models that are known: SPUDD"},
		{"posterior -prior x -transitions x -cut a", "as in glucose=70,100,140"},
		{"posterior -prior x -transitions x -cut a=1,,2", "as in glucose=70,100,140"},
		{"posterior -prior x -transitions x -cut a=1 -cut a=2", `a second list of cut points of "a"`},
		{"plan -model " + missing, missing},
		{"transitions -model " + model + " -n -1", "-n"},
		{"factorizations", "-prior FILE"},
		{"factorizations -prior " + missing + " -bound above", "at-most"},
		{"posterior -prior " + missing, "-transitions FILE"},
		{"posterior -prior " + missing + " -transitions x", missing},
		{"posterior -prior x -transitions x -update wrong", "printed"},
		{"posterior -prior x -transitions x -tables both", "flag -tables: expected one of rows, tied, trees"},
		{"posterior -prior x -transitions x -dirichlet 0,5", "; write 0.5 with a point"},
		{"run -preset fig1 -tables both", `"both" is unknown; it must be one of rows, tied, trees`},
		{"presets nope", "fig2a"},
		{"trace -preset fig1 -agent c-psrl:eta=1", "none of the agents"},
		{"trace -preset fig1 -episode 101", "100"},
		{"trace -preset fig1 -run 20", "0 to 19"},
		{"serve -port 70000", "65535"},
	} {
		t.Run(test.args, func(t *testing.T) {
			refused(t, cpsrl(t, strings.Fields(test.args)...), test.want)
		})
	}
	alone(t, folder)
}

func TestLongFiles(t *testing.T) {
	long := strings.Repeat(" ", maxDocument+1)
	refused(t, cpsrlWith(t, long, "plan", "-model", "-"), "standard input", "32 MiB")
	refused(t, cpsrlWith(t, long, "summary", "-"), "standard input: line 1", "32 MiB")
}

// FuzzReaders gives any bytes to every command that reads files. The command may refuse
// them in one line but must not panic.
func FuzzReaders(f *testing.F) {
	f.Add(coin)
	f.Add(coinPrior)
	f.Add(change(small, `"episodes":2,"firstRun":3,"runs":4`, `"episodes":1,"firstRun":3,"runs":1`))
	f.Add(ok(f, "run", "-preset", "fig1-quick", "-episodes", "2", "-runs", "2", "-agents", "psrl,c-psrl"))
	f.Add(`{"x":[0,0],"y":[0]}`)
	f.Add("side,flip,side'\n0,1,1")
	f.Add(coinSpudd)
	f.Fuzz(func(t *testing.T, content string) {
		prior := file(t, "prior.json", coinPrior)
		for _, args := range [][]string{
			{"plan", "-model", "-"},
			{"convert", "-horizon", "2", "-action", "flip", "-"},
			{"transitions", "-n", "2", "-model", "-"},
			{"factorizations", "-prior", "-"},
			{"posterior", "-prior", "-", "-transitions", prior + "none"},
			{"posterior", "-prior", prior, "-transitions", "-"},
			{"model", "-spec", "-"},
			{"prior", "-spec", "-"},
			{"summary", "-"},
			{"summary", "-", "-of", "model-error"},
		} {
			r := cpsrlWith(t, content, args...)
			if r.status != statusOK {
				refused(t, r)
			}
		}
	})
}
