package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// TestPlanCoin: by hand, with V_3(heads) = 0, V_3(tails) = 1 (the last reward):
//
//	V_2(heads) = 0 + max(V_3(heads), ½V_3(heads) + ½V_3(tails)) = ½   by flipping
//	V_2(tails) = 1 + max(V_3(tails), ½)                         = 2   by staying
//	V_1(heads) = 0 + max(½, ½·½ + ½·2)                          = 1.25 by flipping
//	V_1(tails) = 1 + max(2, 1.25)                               = 3   by staying
//
// and μ is heads.
func TestPlanCoin(t *testing.T) {
	got := ok(t, "plan", "-model", file(t, "coin.json", coin))
	if want := `{"value":1.25,"values":[1.25,3],"policy":[1,0]}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Ties go to the lowest action.
func TestPlanTies(t *testing.T) {
	indifferent := change(change(coin, `"mean":[0,1]`, `"mean":[1,1]`), `"initial":[{"state":[0],"p":1}]`, `"initial":"uniform"`)
	got := ok(t, "plan", "-model", file(t, "m.json", indifferent))
	if want := `{"value":3,"values":[3,3],"policy":[0,0]}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFactorizationsCoin(t *testing.T) {
	prior := file(t, "p.json", coinPrior)
	for bound, want := range map[string]string{
		"at-most": `{"eta":1,"variables":{"side":{"count":2,"sets":[["side"],["side","flip"]]}}}`,
		"below":   `{"eta":1,"variables":{"side":{"count":1,"sets":[["side"]]}}}`,
	} {
		if got := ok(t, "factorizations", "-prior", prior, "-bound", bound); got != want+"\n" {
			t.Errorf("%s: got %s, want %s", bound, got, want)
		}
	}
}

// A prior may have more than 2^63 states, because nothing plans. Each of 60 variables has
// the empty set and 61 others.
func TestFactorizationsWide(t *testing.T) {
	f := decode[factorizations](t, ok(t, "factorizations", "-prior", file(t, "p.json", space(60, 1000, 1))))
	if v := f.Variables["s59"]; len(f.Variables) != 60 || v.Count != 62 || len(v.Sets) != 62 {
		t.Errorf("%d variables, and %d sets of the last", len(f.Variables), v.Count)
	}
}

// A prior is printed even if its problem is too large to plan in.
func TestPriorWide(t *testing.T) {
	prior := ok(t, "prior", "-domain", "random-fmdp", "-states", "50", "-actions", "14", "-parents", "3", "-z", "3", "-eta", "1")
	if n := strings.Count(prior, `["X`); n != 50 {
		t.Errorf("%d edges, want one into each of 50 variables", n)
	}
	f := decode[factorizations](t, ok(t, "factorizations", "-prior", file(t, "p.json", strings.Replace(prior, `"sparseness":3`, `"sparseness":2`, 1))))
	if v := f.Variables["X50"]; f.Eta != 1 || v.Count != 64 {
		t.Errorf("η = %d, and %d sets of the last", f.Eta, v.Count)
	}
}

type factorizations struct {
	Eta       int
	Variables map[string]struct {
		Count int
		Sets  [][]string
	}
}

// By hand: with d_X=9, Z=5, η=2 each variable has Σ_{i≤3} C(7,i) = 64 parent sets, and
// Σ_{i≤2} C(7,i) = 29 with the bound below.
func TestFactorizationsCounts(t *testing.T) {
	prior := file(t, "p.json", ok(t, "prior", "-preset", "fig2a"))
	for bound, want := range map[string]int{"at-most": 64, "below": 29} {
		f := decode[factorizations](t, ok(t, "factorizations", "-prior", prior, "-bound="+bound))
		if f.Eta != 2 || len(f.Variables) != 6 {
			t.Errorf("%s: η = %d and %d variables", bound, f.Eta, len(f.Variables))
		}
		for name, v := range f.Variables {
			if v.Count != want || len(v.Sets) != want {
				t.Errorf("%s: %s has %d sets and a count of %d, want %d", bound, name, len(v.Sets), v.Count, want)
			}
		}
	}
}

type posteriorDoc struct {
	Variables map[string][]struct {
		Parents        []string
		P, LogEvidence float64
	}
	Edges []struct {
		From, To string
		P        float64
	}
}

// The side is heads after (heads, 0) and after (heads, 1). By hand, prequentially from
// Dirichlet(1,1): a set that does not distinguish the two points has ½·⅔ = ⅓, a set that
// does has ½·½ = ¼. With Z=1 and no known
// edge the sets are {}, {side} and {flip}, so P = 4/11, 4/11, 3/11. The printed
// factors (α_i+1)/(Σα+1) are ⅔·¾ = ½ and ⅔·⅔ = 4/9, so P = 9/26, 9/26, 8/26.
func TestPosteriorCoin(t *testing.T) {
	prior := file(t, "p.json", change(change(coinPrior, `["side","side"]`, ""), `"sparseness":2`, `"sparseness":1`))
	data := file(t, "t.jsonl", "{\"x\":[0,0],\"y\":[0]}\n{\"x\":[0,1],\"y\":[0]}\n")
	for _, test := range []struct {
		update     string
		p          [3]float64
		likelihood [3]float64
	}{
		{"exact", [3]float64{4. / 11, 4. / 11, 3. / 11}, [3]float64{1. / 3, 1. / 3, 1. / 4}},
		{"printed", [3]float64{9. / 26, 9. / 26, 8. / 26}, [3]float64{1. / 2, 1. / 2, 4. / 9}},
	} {
		doc := decode[posteriorDoc](t, ok(t, "posterior", "-prior", prior, "-transitions", data, "-update", test.update))
		sets := doc.Variables["side"]
		if len(sets) != 3 || len(doc.Edges) != 2 {
			t.Fatalf("%s: %+v", test.update, doc)
		}
		for k, parents := range []string{"[]", "[side]", "[flip]"} {
			s := sets[k]
			if fmt.Sprint(s.Parents) != parents || !near(s.P, test.p[k]) || !near(s.LogEvidence, math.Log(test.likelihood[k])) {
				t.Errorf("%s: set %d is %+v, want %s with P = %v", test.update, k, s, parents, test.p[k])
			}
		}
		for k, from := range []string{"side", "flip"} {
			if e := doc.Edges[k]; e.From != from || e.To != "side" || !near(e.P, test.p[k+1]) {
				t.Errorf("%s: edge %d is %+v", test.update, k, e)
			}
		}
	}
}

// By hand: the sets {} and {side} have both steps in one row, so P(data | z) is
// ½·(1+α)/(1+2α). The set {flip} has them in two rows, ½·½. An edge with probability w
// contributes w or 1 − w to a set; a forbidden edge excludes its sets.
func TestPosteriorSoft(t *testing.T) {
	data := file(t, "t.jsonl", "{\"x\":[0,0],\"y\":[0]}\n{\"x\":[0,1],\"y\":[0]}\n")
	for _, test := range []struct {
		edges, dirichlet string
		want             map[string]float64 // P(z | data), up to a constant
	}{
		{`["flip","side",0.9]`, `1`, map[string]float64{"[]": 4, "[side]": 4, "[flip]": 27}},
		{`["flip","side",0.9]`, `0.5`, map[string]float64{"[]": 3, "[side]": 3, "[flip]": 18}},
		{`["flip","side",0.9],["side","side",0]`, `0.5`, map[string]float64{"[]": 3, "[flip]": 18}},
		{`["flip","side",1]`, `0.5`, map[string]float64{"[flip]": 1}},
		{`["flip","side",0.2]`, `{"learn":[0.5,1]}`, map[string]float64{"[]": 4 * (3./8 + 1./3), "[side]": 4 * (3./8 + 1./3), "[flip]": 1. / 2}},
		{`["flip","side",0.2]`, `{"ess":2}`, map[string]float64{"[]": 4. / 3, "[side]": 4 * 3. / 8, "[flip]": 1. / 4}}, // α = 1 for {}, ½ for the others
	} {
		prior := file(t, "p.json", `{"format":"cpsrl/prior","version":2,"state":[{"name":"side","size":2}],"action":[{"name":"flip","size":2}],"sparseness":1,"edges":[`+
			test.edges+`],"dirichlet":`+test.dirichlet+`}`)
		sets := decode[posteriorDoc](t, ok(t, "posterior", "-prior", prior, "-transitions", data)).Variables["side"]
		total := 0.0
		for _, p := range test.want {
			total += p
		}
		if len(sets) != len(test.want) {
			t.Errorf("%s, α %s: %+v", test.edges, test.dirichlet, sets)
		}
		for _, s := range sets {
			if want := test.want[fmt.Sprint(s.Parents)] / total; !near(s.P, want) {
				t.Errorf("%s, α %s: P(%v) = %v, want %v", test.edges, test.dirichlet, s.Parents, s.P, want)
			}
		}
	}
}

// Transitions that have to be read several times are not read from a device or a pipe.
func TestPosteriorReadsRegularFiles(t *testing.T) {
	var state []string
	for k := range 17 {
		state = append(state, fmt.Sprintf(`{"name":"s%d","size":10}`, k))
	}
	prior := file(t, "prior.json", `{"format":"cpsrl/prior","version":2,"state":[`+strings.Join(state, ",")+`],"action":[{"name":"a","size":2}],"sparseness":3,"edges":[]}`)
	refused(t, cpsrl(t, "posterior", "-prior", prior, "-transitions", os.DevNull), os.DevNull+": the transitions have to be read 2 times; a regular file was expected")
	refused(t, cpsrlWith(t, "", "posterior", "-prior", prior, "-transitions", "-"), "standard input: the transitions have to be read 2 times; a regular file was expected")
}

// Without transitions the sets are equally likely and known edges are certain.
func TestPosteriorWithoutEvidence(t *testing.T) {
	prior := file(t, "p.json", coinPrior)
	got := ok(t, "posterior", "-prior", prior, "-transitions", file(t, "none", ""))
	want := `{"variables":{"side":[{"parents":["side"],"p":0.5,"logEvidence":0},{"parents":["side","flip"],"p":0.5,"logEvidence":0}]},` +
		`"edges":[{"from":"side","to":"side","p":1},{"from":"flip","to":"side","p":0.5}]}` + "\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// Flags replace the concentration and the tables of a prior. Oracle: the answer to the prior that
// says so itself.
func TestPosteriorFlags(t *testing.T) {
	data := file(t, "t.jsonl", "{\"x\":[0,0],\"y\":[0]}\n{\"x\":[0,1],\"y\":[0]}\n{\"x\":[1,1],\"y\":[1]}\n")
	answer := func(members, flags string) string {
		prior := file(t, "p.json", change(change(coinPrior, `"version":1`, `"version":3`), `"edges":`, members+`"edges":`))
		return ok(t, append([]string{"posterior", "-prior", prior, "-transitions", data}, strings.Fields(flags)...)...)
	}
	for _, c := range []struct{ members, flags, same string }{
		{``, "-dirichlet .1", `"dirichlet":0.1,`},
		{`"dirichlet":{"ess":1},`, "-dirichlet 1", ``},
		{`"dirichlet":0.1,`, "-dirichlet mix:0.01:1", `"dirichlet":{"mix":[0.01,1]},`},
		{``, "-tables tied", `"tables":"tied",`},
		{`"tables":"tied",`, "-tables rows", ``},
		{`"tables":"tied",`, "-dirichlet 2", `"tables":"tied","dirichlet":2,`},
	} {
		if got, want := answer(c.members, c.flags), answer(c.same, ""); got != want {
			t.Errorf("%s %s: %s, want %s", c.members, c.flags, got, want)
		}
	}
}

// The prior of a spec has its tables and its concentration.
func TestPriorOfTables(t *testing.T) {
	for flags, want := range map[string]string{
		"-domain taxi": `"version":1,`,
		"-domain taxi -dirichlet .1 -tables rows":           `"version":2,`,
		"-domain taxi -tables tied":                         `"version":3,`,
		"-domain taxi -dirichlet mix:0.01:0.1:1":            `"version":3,`,
		"-preset fig1 -dirichlet ess:1 -tables tied -eta 0": `"version":3,`,
	} {
		got := ok(t, append([]string{"prior"}, strings.Fields(flags)...)...)
		if tied := strings.Contains(flags, "tied"); !strings.Contains(got, want) || strings.Contains(got, `"tables":"tied"`) != tied {
			t.Errorf("%s: %s", flags, got)
		}
	}
	if got := ok(t, "prior", "-spec", file(t, "s.json", `{"format":"cpsrl/spec","version":3,"domain":{"name":"model","model":`+coin+`}}`)); !strings.HasSuffix(got, `"dirichlet":{"mix":[0.01,0.1,1]},"tables":"tied"}`+"\n") {
		t.Error(got)
	}
}

// TestChain goes from a spec to its model, to transitions and to the posterior, as
// a user does: 2 true parents of 9, η=2, Z=5 and 5000 uniform transitions. The
// exact update finds the true sets, the printed one the largest.
func TestChain(t *testing.T) {
	s := file(t, "spec.json", `{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp","parents":2},"sparseness":5}`)
	model := file(t, "model.json", ok(t, "model", "-spec", s, "-run", "3"))
	prior := file(t, "prior.json", ok(t, "prior", "-spec", s, "-run", "3"))
	drawn := ok(t, "transitions", "-model", model, "-n", "5000", "-seed", "1")
	if n := strings.Count(drawn, "\n"); n != 5000 {
		t.Fatalf("%d transitions", n)
	}
	if again := ok(t, "transitions", "-model", model, "-n", "5000", "-seed", "1"); again != drawn {
		t.Error("the same seed drew other transitions")
	}
	if other := ok(t, "transitions", "-model", model, "-n", "5000", "-seed", "2"); other == drawn {
		t.Error("another seed drew the same transitions")
	}
	if few := ok(t, "transitions", "-model", model, "-n", "10", "-seed", "1"); !strings.HasPrefix(drawn, few) {
		t.Error("fewer transitions are not the first of more")
	}
	data := file(t, "t.jsonl", drawn)

	type modelDoc struct {
		Transition []struct {
			Of    string
			Given []string
		}
	}
	truth := decode[modelDoc](t, read(t, model))
	for update, holds := range map[string]func(mean float64) bool{
		"exact":   func(p float64) bool { return p > 0.95 },
		"printed": func(p float64) bool { return p < 0.05 },
	} {
		doc := decode[posteriorDoc](t, ok(t, "posterior", "-prior", prior, "-transitions", data, "-update", update))
		mean := 0.0
		for _, f := range truth.Transition {
			sum, last := 0.0, math.Inf(1)
			for _, set := range doc.Variables[f.Of] {
				sum += set.P
				if set.P > last {
					t.Errorf("the sets of %s are not in the order of probability", f.Of)
				}
				last = set.P
				if fmt.Sprint(set.Parents) == fmt.Sprint(f.Given) {
					mean += set.P / float64(len(truth.Transition))
				}
			}
			if !near(sum, 1) {
				t.Errorf("the probabilities of %s sum to %v", f.Of, sum)
			}
		}
		if !holds(mean) {
			t.Errorf("%s: the true sets have probability %v on average", update, mean)
		}
	}
}

// A printed model as the domain of a spec gives the same model.
func TestModelIsItsOwnSpec(t *testing.T) {
	model := ok(t, "model", "-preset", "fig2d")
	s := file(t, "spec.json", `{"format":"cpsrl/spec","version":1,"domain":{"name":"model","model":`+model+`}}`)
	if got := ok(t, "model", "-spec", s); got != model {
		t.Error("the model changed on its way through a spec")
	}
}

// A model whose formulas are written as tables is the same problem: it has the same best plan.
func TestModelExpanded(t *testing.T) {
	formulas, tables := ok(t, "model", "-domain", "coffee-robot"), ok(t, "model", "-domain", "coffee-robot", "-expand")
	if !strings.Contains(formulas, `"formula"`) || strings.Contains(tables, `"formula"`) {
		t.Error("the model has no formulas, or the tables have some")
	}
	plan := func(model string) string { return ok(t, "plan", "-model", file(t, "model.json", model)) }
	if plan(formulas) != plan(tables) {
		t.Error("the plans differ")
	}
}

func TestTrace(t *testing.T) {
	type doc struct {
		Format  string
		Agent   string
		Episode int
		Steps   []struct{ X, Y []int }
	}
	text := ok(t, "trace", "-preset", "fig1-quick", "-run", "1", "-agent", "c-psrl", "-episode", "3")
	d := decode[doc](t, text)
	if d.Format != "cpsrl/trace" || d.Agent != "c-psrl" || d.Episode != 3 || len(d.Steps) != 10 {
		t.Errorf("%+v", d)
	}
	if again := ok(t, "trace", "-preset", "fig1-quick", "-run", "1", "-episode", "3"); again != text {
		t.Error("the last agent is not the default")
	}
}
