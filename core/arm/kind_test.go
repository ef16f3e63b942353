package arm_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/param"
)

// Oracle: the table, by hand. G_0 says which prior the agent is told: the spec's,
// G_0(η), the true graph, or none.
func TestParse(t *testing.T) {
	task := &agent.Task{
		Prior: &bigraph.Prior{X: 3, Known: bigraph.Bigraph{bigraph.Of(0)}, Sparseness: 2},
		Truth: bigraph.Bigraph{bigraph.Of(0, 1, 2)},
		Named: func(name string, eta int) *bigraph.Prior {
			known := map[string]bigraph.Scope{"expert -1": bigraph.Of(1), "wrong 2": bigraph.Of(1, 2)}[fmt.Sprint(name, " ", eta)]
			return &bigraph.Prior{X: 3, Known: bigraph.Bigraph{known}, Sparseness: 2}
		},
		Revealed: func(eta int) bigraph.Bigraph { return bigraph.Bigraph{bigraph.First(min(eta, 3))} },
	}
	for label, want := range map[string]struct{ key, canonical, name, prior string }{
		"psrl":                           {"psrl", "psrl", "PSRL", "none"},
		"psrl:dirichlet=1":               {"psrl", "psrl", "PSRL", "none"},
		"psrl:dirichlet=.10":             {"psrl", "psrl:dirichlet=0.1", "PSRL (α = 0.1)", "none"},
		"psrl:dirichlet=ess:1":           {"psrl", "psrl:dirichlet=ess:1", "PSRL (ess = 1)", "none"},
		"f-psrl":                         {"f-psrl", "f-psrl", "F-PSRL", "[0 1 2]"},
		"psrl:laws=told,dirichlet=ess:1": {"psrl", "psrl:dirichlet=ess:1,laws=told", "PSRL (ess = 1, told laws)", "none"},
		"f-psrl:graph=true":              {"f-psrl", "f-psrl", "F-PSRL", "[0 1 2]"},
		"f-psrl:graph=prior":             {"f-psrl", "f-psrl:graph=prior", "F-PSRL on G₀", "[0]"},
		"c-psrl":                         {"c-psrl", "c-psrl", "C-PSRL", "[0]"},
		"c-psrl:eta=0":                   {"c-psrl", "c-psrl:eta=0", "C-PSRL (η = 0)", "[]"},
		"c-psrl:eta=2":                   {"c-psrl", "c-psrl:eta=2", "C-PSRL (η = 2)", "[0 1]"},
		"c-psrl:eta=64":                  {"c-psrl", "c-psrl:eta=64", "C-PSRL (η = 64)", "[0 1 2]"},
		"c-psrl:eta=256":                 {"c-psrl", "c-psrl:eta=256", "C-PSRL (η = 256)", "[0 1 2]"},
		"c-psrl:dirichlet=1":             {"c-psrl", "c-psrl:dirichlet=1", "C-PSRL (α = 1)", "[0]"},
		"c-psrl:prior=wrong,update=printed,eta=2,dirichlet=ess:1": {"c-psrl", "c-psrl:eta=2,dirichlet=ess:1,update=printed,prior=wrong", "C-PSRL (η = 2, ess = 1, printed, prior wrong)", "[1 2]"},
		"c-psrl:tables=rows": {"c-psrl", "c-psrl:tables=rows", "C-PSRL (independent rows)", "[0]"},
		"c-psrl:tables=tied,eta=1,dirichlet=mix:1:0.10:.01": {"c-psrl", "c-psrl:eta=1,dirichlet=mix:0.01:0.1:1,tables=tied", "C-PSRL (η = 1, α mixed, tied rows)", "[0]"},
		"f-psrl:tables=tied":              {"f-psrl", "f-psrl:tables=tied", "F-PSRL (tied rows)", "[0 1 2]"},
		"greedy:tables=tied":              {"greedy", "greedy:tables=tied", "Greedy (ε = 0.1, tied rows)", "[0]"},
		"c-psrl:prior=expert":             {"c-psrl", "c-psrl:prior=expert", "C-PSRL (prior expert)", "[1]"},
		"f-psrl:prior=expert":             {"f-psrl", "f-psrl:prior=expert", "F-PSRL (prior expert)", "[1]"},
		"f-psrl:graph=prior,dirichlet=.5": {"f-psrl", "f-psrl:graph=prior,dirichlet=0.5", "F-PSRL on G₀ (α = 0.5)", "[0]"},
		"c-psrl:eta=003":                  {"c-psrl", "c-psrl:eta=3", "C-PSRL (η = 3)", "[0 1 2]"},
	} {
		got, err := arm.Parse(label)
		if err != nil {
			t.Errorf("%q: %v", label, err)
			continue
		}
		prior := "none"
		if p := got.Prior(task); p != nil {
			prior = fmt.Sprint(p.Known[0].Parents())
			if p.X != 3 || p.Sparseness != 2 {
				t.Errorf("%q: the prior %+v has another X or Z", label, p)
			}
		}
		if got.Key != want.key || got.Label() != want.canonical || got.Name() != want.name || prior != want.prior {
			t.Errorf("%q: %s, %s, %s, %s; want %v", label, got.Key, got.Label(), got.Name(), prior, want)
		}
		again, err := arm.Parse(got.Label())
		if err != nil || again.Label() != want.canonical {
			t.Errorf("%q: its label reads back as %q, %v", label, again.Label(), err)
		}
	}
	if known := task.Prior.Known[0]; known != bigraph.Of(0) {
		t.Errorf("the spec's prior became %v", known.Parents())
	}
	for label, says := range map[string]string{
		"":                    `"" is unknown; it must be one of psrl, f-psrl, c-psrl`,
		"PSRL":                `"PSRL" is unknown`,
		"psrl:":               `"psrl:" has no such parameter; known are the dirichlet of psrl (a number from 0.000001 to 1000000, ess:NUMBER, learn:NUMBER:NUMBER or mix:NUMBER:NUMBER), the laws of psrl (told)`,
		"psrl:eta=1":          `has no such parameter`,
		"psrl:dirichlet=0":    `the dirichlet of "psrl:dirichlet=0" must be a number from`,
		"c-psrl:graph=prior":  `has no such parameter`,
		"c-psrl:eta=1,eta=1":  `"c-psrl:eta=1,eta=1" has its eta twice`,
		"c-psrl:update=Exact": `the update of "c-psrl:update=Exact" must be exact or printed`,
		"c-psrl:tables=both":  `the tables of "c-psrl:tables=both" must be rows or tied`,
		"psrl:tables=tied":    `"psrl:tables=tied" has no such parameter`,
		"c-psrl:prior=":       `must be the name of a prior`,
		"c-psrl:prior=1st":    `must be the name of a prior`,
		"c-psrl:prior=a b":    `must be the name of a prior`,
		"c-psrl:prior=" + strings.Repeat("a", 25): `must be the name of a prior`,
		"f-psrl:eta=1":          `has no such parameter; known are the graph of f-psrl (true or prior), the dirichlet of f-psrl`,
		"c-psrl:eta=1,":         `has no such parameter`,
		"c-psrl:eta":            `the eta of "c-psrl:eta" must be a whole number from 0 to 256`,
		"c-psrl:eta=":           `must be a whole number from 0 to 256`,
		"c-psrl:eta=257":        `must be a whole number from 0 to 256`,
		"c-psrl:eta=1024":       `must be a whole number from 0 to 256`,
		"c-psrl:eta=-1":         `must be a whole number from 0 to 256`,
		"c-psrl:eta=+1":         `must be a whole number from 0 to 256`,
		"c-psrl:eta=1:x=2":      `must be a whole number from 0 to 256`,
		"f-psrl:graph=both":     `the graph of "f-psrl:graph=both" must be true or prior`,
		"f-psrl:graph=":         `must be true or prior`,
		strings.Repeat("c", 50): `"` + strings.Repeat("c", 40) + `…" is unknown`,
	} {
		if _, err := arm.Parse(label); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want …%s…", label, err, says)
		}
	}
}

// Labels read back, and no two agents have the same name or look.
func TestKinds(t *testing.T) {
	variants := map[string][]string{
		"f-psrl": {"f-psrl:graph=prior"},
		"c-psrl": {"c-psrl:eta=0", "c-psrl:eta=1", "c-psrl:eta=2", "c-psrl:eta=3", "c-psrl:eta=4"},
	}
	names, looks, keys := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, k := range arm.Kinds() {
		if keys[k.Key] || k.Gloss == "" {
			t.Errorf("the kind %+v", k)
		}
		keys[k.Key] = true
		for _, label := range append([]string{k.Key}, variants[k.Key]...) {
			arm, err := arm.Parse(label)
			if err != nil || arm.Label() != label || arm.Kind != k {
				t.Errorf("%q: %q, %v", label, arm.Label(), err)
				continue
			}
			_, short := arm.Names()
			look := fmt.Sprint(arm.Look())
			if other := names[arm.Name()]; other != "" || short == "" {
				t.Errorf("%q and %q are both named %q", label, other, arm.Name())
			}
			if other := looks[look]; other != "" {
				t.Errorf("%q and %q look alike: %s", label, other, look)
			}
			names[arm.Name()], looks[look] = label, label
		}
	}
}

// An underscore in a name would stand for a subscript.
func TestNamesHaveNoUnderscore(t *testing.T) {
	for label, want := range map[string]string{"c-psrl:prior=my_expert": "C-PSRL (prior my expert)", "f-psrl:graph=prior,prior=a_b": "F-PSRL on G₀ (prior a b)"} {
		if arm, err := arm.Parse(label); err != nil || arm.Name() != want || arm.Label() != label {
			t.Errorf("%s: %q, %v", label, arm.Name(), err)
		}
	}
}

// Agents that are drawn together have different looks, whatever their parameters. Those
// of the catalogue keep the look that they have alone.
func TestLooks(t *testing.T) {
	var labels []string
	for _, text := range []string{"1", "0.1", "0.01", "ess:1", "learn:0.1:1", "2", "3", "4"} {
		labels = append(labels, "c-psrl:dirichlet="+text)
	}
	labels = append([]string{"psrl", "c-psrl", "no such agent"}, append(labels, "c-psrl", "psrl:dirichlet=0.1", "c-psrl:eta=3", "c-psrl:eta=3,update=printed")...)
	seen := map[string]string{}
	looks := arm.Looks(labels)
	for label, look := range looks {
		if other := seen[fmt.Sprint(look)]; other != "" {
			t.Errorf("%q and %q look alike: %v", label, other, look)
		}
		seen[fmt.Sprint(look)] = label
	}
	// As long as there are spare colours, agents have different colours, too.
	colors := map[string]bool{}
	for _, look := range arm.Looks([]string{"psrl", "f-psrl", "c-psrl", "c-psrl:prior=a", "c-psrl:prior=b", "c-psrl:prior=c", "c-psrl:prior=d", "c-psrl:prior=e"}) {
		colors[look.Color] = true
		for _, ground := range []string{"#FFFFFF", "#121212"} {
			if got := contrast(t, look.Color, ground); got < 3 {
				t.Errorf("%s on %s has a contrast of %.2f", look.Color, ground, got)
			}
		}
	}
	if len(colors) != 8 {
		t.Errorf("8 agents have %d colours", len(colors))
	}
	if len(looks) != 13 {
		t.Errorf("%d looks", len(looks))
	}
	for _, label := range []string{"psrl", "c-psrl", "c-psrl:eta=3"} {
		arm, _ := arm.Parse(label)
		if fmt.Sprint(looks[label]) != fmt.Sprint(arm.Look()) {
			t.Errorf("%q does not look as it does alone", label)
		}
	}
}

func TestRegisterTwice(t *testing.T) {
	before := len(arm.Kinds())
	defer func() {
		if recover() == nil || len(arm.Kinds()) != before {
			t.Error("a second kind of one key did not panic")
		}
	}()
	arm.Register(&arm.Kind{Key: "psrl"})
}

// number is an agent with one parameter, whose default is 4.
type number struct {
	arm.Config
	n int
}

func (c *number) Params() []param.Param {
	return []param.Param{{Name: "n", Int: &c.n, Low: 0, High: 9, Default: "4"}}
}

// A kind whose New does not begin with the default of a parameter would show one value and
// play with another.
func TestRegisterWithoutDefaults(t *testing.T) {
	for n, wrong := range map[int]bool{0: true, 4: false} {
		func() {
			defer func() {
				says := fmt.Sprint(recover())
				if wrong != strings.Contains(says, `the parameter "n" of number begins with "0", not with its default, "4"`) {
					t.Errorf("%d: %s", n, says)
				}
			}()
			arm.Register(&arm.Kind{Key: "number", New: func() arm.Config { return &number{n: n} }})()
		}()
	}
}

// Lines apart differ from the agents' and from each other, in colour as long as colours last.
func TestApart(t *testing.T) {
	from := arm.Looks([]string{"psrl", "f-psrl", "c-psrl", "c-psrl:prior=a"})
	seen := map[string]bool{}
	for _, look := range from {
		seen[look.Color], seen[fmt.Sprint(look)] = true, true
	}
	for k, look := range arm.Apart(from, 9) {
		if seen[fmt.Sprint(look)] || k < 4 && seen[look.Color] {
			t.Errorf("line %d apart looks like another: %v", k, look)
		}
		seen[look.Color], seen[fmt.Sprint(look)] = true, true
	}
}

// contrast is the contrast of two colours by WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(color string) (sum float64) {
		var rgb [3]int
		if _, err := fmt.Sscanf(color, "#%02X%02X%02X", &rgb[0], &rgb[1], &rgb[2]); err != nil {
			t.Fatal(color, err)
		}
		for k, weight := range []float64{0.2126, 0.7152, 0.0722} {
			c := float64(rgb[k]) / 255
			if c <= 0.03928 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// No agent has the look of another program.
func TestForeignLook(t *testing.T) {
	looks := arm.Foreign(5)
	for _, ground := range []string{"#FFFFFF", "#121212"} {
		if got := contrast(t, looks[0].Color, ground); got < 3 {
			t.Errorf("on %s it has a contrast of %.2f", ground, got)
		}
	}
	own := arm.Apart(nil, 12)
	for _, k := range arm.Kinds() {
		own = append(own, k.New().Look())
	}
	for eta := range 12 {
		of, err := arm.Parse(fmt.Sprintf("c-psrl:eta=%d", eta))
		if err != nil {
			t.Fatal(err)
		}
		own = append(own, of.Look())
	}
	for _, look := range own {
		if look.Color == looks[0].Color {
			t.Errorf("%v", look)
		}
	}
	for k := range 4 {
		for i := range k {
			if fmt.Sprint(looks[k]) == fmt.Sprint(looks[i]) {
				t.Errorf("%d and %d look the same", k, i)
			}
		}
	}
	if fmt.Sprint(looks[4]) != fmt.Sprint(looks[0]) {
		t.Error("the looks do not repeat")
	}
}
