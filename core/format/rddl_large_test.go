package format_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"cpsrl/core/fmdp"
	"cpsrl/core/format"
)

// smallRDDL is a problem with two bits and an action for each thing. FLUENTS, LAWS and RULES are more of the domain.
const smallRDDL = `domain small {
	types { thing : object; };
	pvariables {
		a : { state-fluent, bool, default = false };
		b : { state-fluent, bool, default = false };
		do(thing) : { action-fluent, bool, default = false };
		FLUENTS
	};
	cpfs {
		a' = Bernoulli(0.5 * b);
		b' = exists_{?t : thing} do(?t);
		LAWS
	};
	reward = REWARD;
	RULES
}
instance two { domain = small; objects { thing : {t1, t2}; }; max-nondef-actions = 1; horizon = 2; discount = 1; }`

// small returns smallRDDL with these parts.
func small(fluents, laws, reward, rules string) string {
	return strings.NewReplacer("FLUENTS", fluents, "LAWS", laws, "REWARD", reward, "RULES", rules).Replace(smallRDDL)
}

// doubled returns the fluents and laws of f0, f1, …, f64, of which each is the law of twice the one before: {} in it.
func doubled(kind, first, law string) (fluents, laws string) {
	for k := range 65 {
		fluents += fmt.Sprintf("f%d : { interm-fluent, %s };", k, kind)
		body := first
		if k > 0 {
			body = strings.ReplaceAll(law, "{}", fmt.Sprintf("f%d", k-1))
		}
		laws += fmt.Sprintf("f%d = %s;", k, body)
	}
	return fluents, laws
}

// What a file says with many parts, or with few that stand for many, is read or refused in one sentence, on a small stack. Of 2⁶⁴
// parts, none could be made one after another.
func TestRDDLLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	defer debug.SetMaxStack(debug.SetMaxStack(16 << 20))
	const many = 100_000
	double := func(kind, first, law, laws, reward, rules string) string {
		f, l := doubled(kind, first, law)
		return small(f, l+laws, reward, rules)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a sum":            {small("", "", "a"+strings.Repeat(" + 1", many)+strings.Repeat(" - 1", many), ""), ""},
		"a conjunction":    {small("", "", "a"+strings.Repeat(" ^ b & a", many), ""), ""},
		"a product":        {small("", "", "a"+strings.Repeat(" * 1", many), ""), ""},
		"divisions":        {small("", "", "a"+strings.Repeat(" / 1", many), ""), "more than 200 expressions stand in each other"},
		"implications":     {small("", "", "a"+strings.Repeat(" => b", many), ""), "more than 200 expressions stand in each other"},
		"sums of products": {small("", "", "a"+strings.Repeat(" * 1 / 1", many), ""), "more than 200 expressions stand in each other"},
		"never read":       {small("", "", "a", "state-invariants { a"+strings.Repeat(" / 1", many)+"; };"), "more than 200 expressions stand in each other"},

		"doubled sums":        {double("real", "a + b", "{} + {}", "", "f64", ""), "the expressions have more than 4194304 parts when objects are filled in"},
		"doubled terms":       {double("real", "a + b", "2*{} + 3*{} + a", "", "f64", ""), "the expressions over all objects have more than 1048576 parts"},
		"doubled choices":     {double("bool", "a ^ b", "if (a) then {} else if (b) then {} else a", "", "a <=> f64", ""), ""},
		"doubled constraints": {double("bool", "a", "if (do(t1)) then {} else if (b) then {} else a", "", "a", "action-preconditions { f64; };"), ""},
	} {
		_, _, err := format.ReadModelFile("", []byte(c.text), format.Options{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Constraints that name the state and hold under each action that there is leave all actions legal.
func TestRDDLHoldsAlways(t *testing.T) {
	for _, rule := range []string{"(do(t1) ^ do(t2)) => a", "do(t1) => (a | ~a)"} {
		f, _ := readRDDL(t, small("", "", "a", "action-preconditions { "+rule+"; };"))
		for state := range fmdp.Tuples([]int{2, 2}) {
			if m := f.Model; m.Actions() != 3 || m.Legal.ByState() && len(m.Choices([]int{state / 2, state % 2})) != 3 {
				t.Errorf("%s: %v in %d", rule, m.Legal, state)
			}
		}
	}
}

// What few groundings need takes little room, however many a fluent has. Oracle: 100 tables of 2²⁸ entries are no 64 MiB.
func TestRDDLSparse(t *testing.T) {
	fluents, laws, sum, objects := "", "", "a", "o1"
	for k := 2; k <= 1<<11; k++ {
		objects += fmt.Sprintf(", o%d", k)
	}
	for k := range 100 {
		fluents += fmt.Sprintf("f%d(big, big) : { interm-fluent, real };", k)
		laws += fmt.Sprintf("f%d(?x, ?y) = if (?x == ?y) then a else b;", k)
		sum += fmt.Sprintf(" + f%d($o1, $o2)", k)
	}
	text := strings.NewReplacer("thing : object;", "thing : object; big : object;", "objects {", "objects { big : {"+objects+"};").Replace(small(fluents, laws, sum, ""))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	readRDDL(t, text)
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 64<<20 {
		t.Errorf("it takes %d MiB", (after.TotalAlloc-before.TotalAlloc)>>20)
	}
}

// Many constraints over many actions are refused before each is asked for each.
func TestRDDLManyConstraints(t *testing.T) {
	things := "t1"
	for k := 2; k <= 1<<13; k++ {
		things += fmt.Sprintf(", t%d", k)
	}
	text := strings.Replace(small("", "", "a", "action-preconditions { forall_{?t : thing} [do(?t) | ~do(?t) | ~do($t1)]; };"), "t1, t2", things, 1)
	if _, _, err := format.ReadModelFile("", []byte(text), format.Options{}); fmt.Sprint(err) != "line 17, column 10: the tables of this problem take more than 67108864 steps" {
		t.Error(err)
	}
}
