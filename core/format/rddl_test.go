package format_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/planning"
)

// ringRDDL are machines with cables, in two files. The comment has a byte of Latin-1.
const ringRDDL = `// machines, caf` + "\xe9" + `
domain ring { requirements = { reward-deterministic };
	types { machine : object; };
	pvariables {
		CABLE(machine, machine) : { non-fluent, bool, default = false };
		RATE : { non-fluent, real, default = 0.1 }; // of coming up
		up(machine) : { state-fluent, bool, default = false };
		re-start(machine) : { action-fluent, bool, default = false };
	};
	cpfs {
		up'(?m) = if (re-start(?m)) then KronDelta(true)
			else if (up(?m)) then Bernoulli(.4 + .5*[1 + sum_{?n : machine} (CABLE(?n,?m) ^ up(?n))] / [1 + sum_{?n : machine} CABLE(?n,?m)])
			else Bernoulli(RATE);
	};
	reward = [sum_{?m : machine} [up(?m) - (0.75 * re-start(?m))]];
}
`

const ringInstance = `non-fluents nf_four { domain = ring; objects { machine : {m1, m2, m3, m4}; };
	non-fluents { RATE = 0.05; CABLE(m1,m2); CABLE(m2,m3); CABLE(m3,m4); CABLE(m4,m1); CABLE(m1,m3) = true; ~CABLE(m4,m2); }; }
instance four { domain = ring; non-fluents = nf_four; init-state { up(m1); up(m2) = false; up(m3); }; max-nondef-actions = 1; horizon = 4; discount = 1.0; }
`

// courierRDDL has what ringRDDL has not: types of values, whole numbers, intermediate fluents, conditions of actions,
// ends and payoffs on arrival.
const courierRDDL = `domain courier {
	types { place : object; weather : {@sun, @rain, @snow}; gear : {@slow, @fast}; };
	pvariables {
		NEXT(place, place) : { non-fluent, bool, default = false };
		HOME : { non-fluent, place, default = p1 };
		TANK : { non-fluent, int, default = 2 };
		at : { state-fluent, place, default = p1 };
		sky : { state-fluent, weather, default = @sun };
		fuel : { state-fluent, int, default = 2 };
		debt : { state-fluent, int, default = -1 };
		parcel(place) : { state-fluent, bool, default = false };
		wet : { derived-fluent, bool };
		cost(place) : { interm-fluent, real, level = 1 };
		go(place) : { action-fluent, bool, default = false };
		drive : { action-fluent, gear, default = @slow };
	};
	cpfs {
		wet = sky ~= @sun;
		cost(?p) = switch (sky) { case @sun : 0, case @rain : 0.5 * wet, default : if (at == ?p) then 1 else 2 };
		at' = if (exists_{?p : place} [go(?p) ^ NEXT(at2(?p), ?p)]) then at else if (go(p1) ^ fuel > 0) then $p1 else if (go(p2) ^ fuel > 0) then $p2 else if (go(p3) ^ fuel > 0) then $p3 else at;
		sky' = switch (sky) {
			case @sun : Discrete(weather, @sun : 0.6, @rain : if (drive == @fast) then 0.3 else 0.2, @snow : if (drive == @fast) then 0.1 else 0.2),
			case @rain : KronDelta(@snow),
			case @snow : Discrete(weather, @sun : 1 - 0.25*fuel/2, @rain : 0.25*fuel/2, @snow : 0) };
		fuel' = if (at == HOME) then TANK else max[0, fuel - (exists_{?p : place} go(?p)) - (drive == @fast)];
		debt' = min[1, debt + (wet => (fuel == 0))] - (debt == 1);
		parcel'(?p) = if (at == ?p) then KronDelta(false) else if (~parcel(?p)) then Bernoulli(0.2 + 0.1*avg_{?q : place} parcel(?q)) else KronDelta(true);
		at2(?p) = ?p;
	};
	reward = (sum_{?p : place} [2 * (parcel(?p) ^ ~parcel'(?p)) - 0.1*cost(?p) * parcel(?p)]) - abs[debt] - 0.3*(drive == @fast) + min_{?p : place} (parcel(?p)) * exp[-0.5*fuel] - pow[debt, 2]/4 + mod[fuel, 2] * -0.01 + [if (sky == @snow ^ at == HOME) then 1 else -(fuel - 1)*0.5];
	action-preconditions {
		forall_{?p : place} [go(?p) => (fuel > 0 | at == HOME)];
		(sum_{?p : place} go(?p)) <= 1;
		wet => (drive == @slow);
	};
	state-invariants { fuel >= 0; };
	termination { (sky == @snow) ^ (fuel == 0) ^ parcel(p2); };
}
instance three { domain = courier; objects { place : {p1, p2, p3}; }; non-fluents { NEXT(p3,p3); }; init-state { parcel(p3); }; max-nondef-actions = 2; horizon = 3; discount = 1; }`

// The interm-fluent at2 is of a type of objects.
var courier = strings.Replace(courierRDDL, "wet : { derived", "at2(place) : { interm-fluent, place };\n\t\twet : { derived", 1)

// liftRDDL has constraints on actions alone.
const liftRDDL = `instance two { domain = lift; objects { car : {a, b}; floor : {f1, f2, f3}; };
	init-state { in(a, f1); in(b, f3); wait(f2); }; max-nondef-actions = MOST; horizon = 2; discount = 1.0; }
domain lift {
	types { car : object; floor : object; };
	pvariables {
		ABOVE(floor, floor) : { non-fluent, bool, default = false };
		in(car, floor) : { state-fluent, bool, default = false };
		wait(floor) : { state-fluent, bool, default = false };
		up(car) : { action-fluent, bool, default = false };
		down(car) : { action-fluent, bool, default = false };
		brake(car) : { action-fluent, bool, default = true };
	};
	cpfs {
		in'(?c, ?f) = if (up(?c) ^ ~brake(?c) | down(?c)) then exists_{?g : floor} [in(?c, ?g) ^ (up(?c) <=> ABOVE(?f, ?g)) ^ (?f ~= ?g)] else in(?c, ?f);
		wait'(?f) = if (wait(?f) ^ forall_{?c : car} ~in(?c, ?f)) then true else Bernoulli(0.2);
	};
	reward = sum_{?f : floor} -wait(?f) + [sum_{?c : car} (prod_{?f : floor} [if (in(?c, ?f)) then 0.5 else 1]) * 0.1];
	state-action-constraints {
		forall_{?c : car} [(up(?c) + down(?c)) <= 1];
		forall_{?f : floor} [(sum_{?c : car} in(?c, ?f)) <= 2];
	};
}
non-fluents up { domain = lift; non-fluents { ABOVE(f2, f1); ABOVE(f3, f1); ABOVE(f3, f2); }; }`

// readRDDL reads a problem in one text or in several.
func readRDDL(t testing.TB, texts ...string) (*document.ModelFile, []string) {
	t.Helper()
	f, notes, err := format.ReadModelFile("", []byte(join(texts...)), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f, notes
}

func join(texts ...string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	var names []string
	var files [][]byte
	for k, text := range texts {
		names, files = append(names, fmt.Sprintf("file%d.rddl", k+1)), append(files, []byte(text))
	}
	return string(format.Join(names, files))
}

// Laws, the first state, legal actions, V⋆ and the value of random actions are those of a direct interpreter, in the model and in
// the model of its document.
func TestRDDLAgainstTwin(t *testing.T) {
	lift := func(most string) string { return strings.Replace(liftRDDL, "MOST", most, 1) }
	for name, texts := range map[string][]string{
		"ring":    {ringInstance, ringRDDL},
		"pairs":   {ringRDDL, strings.Replace(ringInstance, "max-nondef-actions = 1", "max-nondef-actions = 2", 1)},
		"free":    {ringRDDL + strings.Replace(ringInstance, "max-nondef-actions = 1", "max-nondef-actions = pos-inf", 1)},
		"courier": {courier},
		"lift 1":  {lift("1")},
		"lift 2":  {lift("2")},
		"lift":    {lift("6")},
	} {
		f, _ := readRDDL(t, texts...)
		consistent(t, f)
		again, err := document.DecodeModelFile(f.Encode())
		if err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, f.Encode())
		}
		w := newTwin(texts...)
		s := solver(w)
		best, mean := s.value(w.horizon, s.start(), false), s.value(w.horizon, s.start(), true)
		for _, m := range []*fmdp.Model{f.Model, again.Model} {
			like(t, name, m, s)
			mdp, err := planning.FromModel(m, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, values := planning.Solve(mdp)
			if got := values.Value(m.Initial); math.Abs(got-best) > 1e-9 || m.Horizon != w.horizon {
				t.Errorf("%s: V⋆ is %v, want %v", name, got, best)
			}
			if got := planning.Uniform(mdp, m.Initial); math.Abs(got-mean) > 1e-9 {
				t.Errorf("%s: random actions are worth %v, want %v", name, got, mean)
			}
		}
	}
}

// variableOf is how the model calls a grounding.
var variableOf = strings.NewReplacer("(", "_", ",", "_", ")", "", "-", "_")

// like compares a model with all that a twin has computed.
func like(t *testing.T, name string, m *fmdp.Model, s *twinSolver) {
	t.Helper()
	variable := make([]int, len(s.names))
	for k, of := range s.names {
		if variable[k] = m.Lookup(variableOf.Replace(of)); variable[k] < 0 {
			t.Fatalf("%s: no variable %q", name, variableOf.Replace(of))
		}
	}
	place := func(k int, value float64) int {
		return slotOf(t, &m.State[variable[k]], value, s.types[s.ranges[s.fluents[k]]] != nil)
	}
	point := make([]int, m.X())
	write := func(state, action map[string]float64) {
		for k, of := range s.names {
			point[variable[k]] = place(k, state[of])
		}
		does := point[m.Y():]
		if m.Action[0].Name == "action" {
			does[0] = slices.Index(m.Action[0].Values, "none")
		}
		for of, v := range action {
			base, _, _ := strings.Cut(of, "(")
			if m.Action[0].Name != "action" {
				does[m.Lookup(variableOf.Replace(of))-m.Y()] = int(v)
			} else if v != s.defaults[base] {
				does[0] = slices.Index(m.Action[0].Values, of)
			}
		}
	}
	legal, seen := map[string]int{}, map[string][]int{}
	for _, step := range s.steps {
		write(step.state, step.action)
		key := fmt.Sprint(point[:m.Y()])
		seen[key] = slices.Clone(point[:m.Y()])
		if point[m.Y()] >= 0 && m.Allows(point) != step.legal {
			t.Fatalf("%s: legal in %v under %v is %v", name, step.state, step.action, !step.legal)
		}
		if !step.legal {
			continue
		}
		legal[key]++
		for k := range s.names {
			f := &m.Transition[variable[k]]
			row, want := f.Row(m.Row(f.Given, point)), make([]float64, f.Size)
			for value, p := range step.laws[k] {
				if p > 0 {
					want[place(k, value)] += p
				}
			}
			for v := range row {
				if math.Abs(row[v]-want[v]) > 1e-12 {
					t.Fatalf("%s: the law of %s in %v under %v is %v, want %v", name, s.names[k], step.state, step.action, row, want)
				}
			}
		}
	}
	for key, state := range seen {
		choices := m.Actions()
		if m.Legal.ByState() {
			choices = len(m.Choices(state))
		}
		if choices != legal[key] {
			t.Errorf("%s: %d actions are legal in %s, want %d", name, choices, key, legal[key])
		}
	}
	write(s.start(), s.actions[0])
	if p := m.Initial[m.Index(point[:m.Y()])]; p != 1 {
		t.Errorf("%s: μ of the first state is %v", name, p)
	}
}

// What is not read is named in one sentence, with its file, line and column. Oracle: by hand.
func TestRDDLRefused(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"up(machine) : { state-fluent, bool,", "up(machine) : { state-fluent, real,", `ring.rddl, line 7, column 33: "up" has real values; the fluents of a model that change have few values`},
		{"up(machine) : { state-fluent, bool, default = false };", "up(machine) : { state-fluent, bool, default = false }; seen(machine) : { observ-fluent, bool };", `ring.rddl, line 7, column 76: "seen" is observed; observations are not read, because every variable of a model is seen`},
		{"discount = 1.0", "discount = 0.9", `four.rddl, line 3, column 151: the discount is 0.9; only 1 is read, because values are sums over the horizon`},
		{"Bernoulli(RATE)", "Normal(RATE, 1)", `ring.rddl, line 13, column 9: "Normal" is not read; a law gives a certain value, KronDelta, Bernoulli or Discrete`},
		{"Bernoulli(RATE)", "KronDelta(RATE > 0 ^ Bernoulli(RATE))", `ring.rddl, line 13, column 30: this draws a value inside of an expression; the branches of a law draw, and nothing computes with what they drew`},
		{"Bernoulli(RATE)", "Bernoulli(RATES)", `ring.rddl, line 13, column 19: there is neither a fluent nor an object "RATES"`},
		{"Bernoulli(RATE)", "Bernoulli(30*RATE)", `ring.rddl, line 13, column 9: the probability is 1.5; it must be from 0 to 1 (where up(m1) = false, up(m4) = false, action = none)`},
		{"Bernoulli(RATE)", "Bernoulli(1/(RATE*0))", `ring.rddl, line 13, column 20: this divides by 0`},
		{"Bernoulli(RATE)", "up'(?m)", `ring.rddl, line 13, column 9: this law depends on the next value of "up"; next values are independent of each other in a model`},
		{"Bernoulli(RATE)", "frobnicate(?m)", `ring.rddl, line 13, column 9: there is no fluent "frobnicate"`},
		{"if (up(?m))", "if (up(?m, ?m))", `ring.rddl, line 12, column 13: "up" has 2 arguments here; it takes 1`},
		{"if (up(?m))", "if (up(?k))", `ring.rddl, line 12, column 16: there is no variable "?k" here`},
		{"if (up(?m))", "if (up(RATE))", `ring.rddl, line 12, column 16: argument 1 of "up" is of numbers; it must be of machine`},
		{"if (up(?m))", "if (up(?m) == ?m)", `ring.rddl, line 12, column 20: "==" compares a value of numbers with one of machine`},
		{"?n : machine} CABLE", "?n : cable} CABLE", `ring.rddl, line 12, column 110: there is no type "cable"`},
		{"up(m3);", "up(m5);", `four.rddl, line 3, column 95: there is no "m5" among the objects of machine`},
		{"up(m3);", "down(m3);", `four.rddl, line 3, column 92: there is no fluent "down"`},
		{"up(m3);", "CABLE(m1,m3);", `four.rddl, line 3, column 92: "CABLE" is a non-fluent; a state-fluent was expected`},
		{"horizon = 4", "horizon = 0", `four.rddl, line 3, column 137: the number of steps, a whole number from 1 to 16384, was expected, not "0"`},
		{"horizon = 4;", "", `the file states no horizon; the option "horizon" gives the number of steps of an episode`},
		{"horizon = 4;", "horizon = pos-inf;", `four.rddl, line 3, column 127: the horizon is not a number of steps; the option "horizon" gives it`},
		{"domain = ring; non-fluents", "domain = rung; non-fluents", `four.rddl, line 3, column 26: this is of the domain "rung"; the domain is "ring"`},
		{"non-fluents = nf_four", "non-fluents = nf_five", `four.rddl, line 3, column 46: there are no non-fluents named "nf_five"`},
		{"(0.75 * re-start(?m))", "0.75 % 2", `ring.rddl, line 15, column 46: "]" was expected, not "%"`},
		{"reward = ", "regard = ", `ring.rddl, line 15, column 2: the section "regard" is not read`},
		{"RATE : { non-fluent, real, default = 0.1 };", "RATE : { interm-fluent, real };", `ring.rddl, line 6, column 3: "RATE" has no law in cpfs`},
		{"[1 + sum", strings.Repeat("(", 300) + "[1 + sum", `ring.rddl, line 12, column 239: more than 200 expressions stand in each other`},
		{"if (up(?m))", "if (switch (up(?m)) { default : true, case true : false, default : true })", `ring.rddl, line 12, column 66: this is the second default of this switch`},
		{"if (up(?m))", "if (switch (up(?m)) { case true : true, case 1 : false, default : true })", `ring.rddl, line 12, column 54: the value "1" stands twice in this switch`},
		{"Bernoulli(RATE)", "Discrete(bool, true : 0.5, false : 0.25, true : 0.25)", `ring.rddl, line 13, column 50: the value "true" stands twice in this Discrete`},
		{"Bernoulli(RATE)", "Bernoulli(1e308 * 10 * up(?m))", `ring.rddl, line 13, column 25: the result is not finite`},
		{"Bernoulli(RATE)", "Bernoulli(min[1, 1e308 + 1e308])", `ring.rddl, line 13, column 32: the result is not finite`},
		{"RATE = 0.05", "RATE = 1e999", `four.rddl, line 2, column 23: "1e999" is no number`},
		{"up(m3);", "~up(m3) = true;", `four.rddl, line 3, column 93: "up" has "~" and "=" here; either gives its value`},
		{"sum_{?n : machine} CABLE(?n,?m)]", "sum_{" + strings.Repeat("?n : machine, ", 31) + "?n : machine} 1]", `ring.rddl, line 12, column 100: "sum" makes more than 32 variables over objects`},
		{"reward = ", "termination { up(m1); true; }; reward = ", `ring.rddl, line 15, column 24: this condition of an end holds in every state, so no episode would begin`},
		{"reward = ", "termination { up(m1) | ~up(m1); }; reward = ", `ring.rddl, line 15, column 23: this condition of an end holds in every state, so no episode would begin`},
		{"up(?m) - ", "up(?m) - \xff", `ring.rddl, line 15, column 41: an expression was expected, not "ÿ"`},
	} {
		ring, four := ringRDDL, ringInstance
		if strings.Contains(ring, c.from) == strings.Contains(four, c.from) {
			t.Fatal(c.from)
		}
		if ring, four = strings.Replace(ring, c.from, c.to, 1), strings.Replace(four, c.from, c.to, 1); c.from == "RATE : { non-fluent, real, default = 0.1 };" {
			four = strings.Replace(four, "RATE = 0.05;", "", 1)
		}
		text := format.Join([]string{"ring.rddl", "four.rddl"}, [][]byte{[]byte(ring), []byte(four)})
		if _, _, err := format.ReadModel("", text, format.Options{}); fmt.Sprint(err) != c.want {
			t.Errorf("%q: %v\nwant %s", c.to, err, c.want)
		}
	}
	if _, _, err := format.ReadModel("", []byte(ringRDDL), format.Options{}); err == nil || !strings.Contains(err.Error(), "there is no instance; a problem in RDDL is a domain and an instance, in one file or in two") {
		t.Error(err)
	}
	if _, _, err := format.ReadModel("", []byte(join(ringRDDL, ringRDDL)), format.Options{}); err == nil || err.Error() != `file2.rddl, line 2, column 1: a second "domain"; the first is named "ring"` {
		t.Error(err)
	}
}

// Short files that stand for much are refused before it is made.
func TestRDDLHostile(t *testing.T) {
	many := "m1"
	for k := 2; k <= 1000; k++ {
		many += fmt.Sprintf(", m%d", k)
	}
	machines := strings.Replace(ringInstance, "m1, m2, m3, m4", many, 1)
	few := func(from, to string) string { return strings.Replace(ringRDDL, from, to, 1) + ringInstance }
	for name, c := range map[string]struct{ text, want string }{
		"machines": {ringRDDL + machines, fmt.Sprintf(`"up" has 1000 groundings and there are 0 before; a model has up to %d variables`, fmdp.MaxVariables)},
		"deep":     {few("up(?m) - ", strings.Repeat("(", 100000)), "more than 200 expressions stand in each other"},
		"itself":   {few("Bernoulli(RATE);", "loop(?m); loop(?m) = ~loop(?m);"), "there is no fluent"},
	} {
		if _, _, err := format.ReadModel("", []byte(c.text), format.Options{}); err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Sums over objects of another type: 10⁹ groundings at once, and one sum in the other.
	big := strings.NewReplacer("types {", "types { big : object;", "bool, default = false };\n\t\tRATE", "bool, default = false };\n\t\tBIG(big) : { non-fluent, bool, default = false };\n\t\tloop(machine) : { interm-fluent, bool };\n\t\tRATE")
	objects := strings.Replace(ringInstance, "machine : {", "big : {"+strings.ReplaceAll(many, "m", "b")+"}; machine : {", 1)
	for reward, want := range map[string]string{
		"sum_{?a : big, ?b : big, ?c : big} BIG(?a)":                                `line 17, column 11: "sum" is over 1000000000 groundings; all of a problem may have 4194304`,
		"sum_{?a : big} [sum_{?b : big} [sum_{?c : big} [BIG(?a) + 1]]]":            `line 17, column 67: the expressions have more than 4194304 parts when objects are filled in`,
		"sum_{?a : big, ?b : big} [sum_{?m : machine} [if (up(?m)) then 1 else 2]]": `parts when objects are filled in`,
		"loop(m1)": `line 13, column 63: loop(m1) depends on itself`,
	} {
		text := big.Replace(ringRDDL)
		text = text[:strings.Index(text, "reward = ")] + "reward = " + reward + "; }\n" + objects
		text = strings.Replace(text, "up'(?m) =", "loop(?m) = exists_{?n : machine} [CABLE(?n, ?m) ^ up(?n) ^ ~loop(?n)]; up'(?m) =", 1)
		if _, _, err := format.ReadModel("", []byte(text), format.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", reward, err)
		}
	}
	if _, _, err := format.ReadModel("", []byte(ringRDDL+strings.Repeat("// more\n", 5<<20)), format.Options{}); err == nil || !strings.Contains(err.Error(), "more than 32 MiB") {
		t.Error(err)
	}
}

// The text form of names, formulas in place of large tables, and the notes. Oracle: by hand.
func TestRDDLDocument(t *testing.T) {
	f, notes := readRDDL(t, ringRDDL, ringInstance)
	text := string(f.Encode())
	for _, want := range []string{
		`"name":"four","horizon":4,"state":[{"name":"up_m1","size":2}`,
		`"action":[{"name":"action","size":5,"values":["none","re-start(m1)","re-start(m2)","re-start(m3)","re-start(m4)"]}]`,
		`"of":"up_m1","formula":"p = if(action = \"re-start(m1)\", 1, if(up_m1, (up_m4 + 1)*0.5/2 + 0.4, 0.05))"`,
		`{"given":["action"],"mean":[0,-0.75,-0.75,-0.75,-0.75],"kind":"fixed"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if len(notes) > 0 {
		t.Error(notes)
	}
	if _, notes = readRDDL(t, strings.Replace(liftRDDL, "MOST", "1", 1)); len(notes) != 1 || notes[0] != "what 3 constraints say of states alone is left out: the laws say what can occur" {
		t.Errorf("%q", notes)
	}
	if want := `"view":{"kind":"nodes","nodes":["up_m1","up_m2","up_m3","up_m4"],"links":[["up_m4","up_m1"],["up_m1","up_m2"],["up_m1","up_m3"],["up_m2","up_m3"],["up_m3","up_m4"]]}`; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
	board := strings.NewReplacer("machine : object;", "column : object; row : object;", "machine, machine", "column, row", "(machine)", "(column, row)", "(?m)", "(?x, ?y)", "?m : machine", "?x : column, ?y : row",
		"sum_{?n : machine} (CABLE(?n,?m) ^ up(?n))", "0", "sum_{?n : machine} CABLE(?n,?m)", "0").Replace(ringRDDL)
	f, _ = readRDDL(t, board, `instance board { domain = ring; objects { column : {x9, x10}; row : {y12, y3}; }; max-nondef-actions = 1; horizon = 3; discount = 1; }`)
	if p, is := f.Picture.(*document.NodesPicture); !is || fmt.Sprint(p.Nodes, p.Places) != "[up_x9_y12 up_x9_y3 up_x10_y12 up_x10_y3] [[0 0] [1 0] [0 1] [1 1]]" {
		t.Errorf("%+v", f.Picture)
	}
	// Names that would be the same stay as they are.
	same := strings.NewReplacer("RATE :", "up-m1 : { state-fluent, bool, default = false }; RATE :", "cpfs {", "cpfs { up-m1' = up-m1;").Replace(ringRDDL)
	f, _ = readRDDL(t, same, ringInstance)
	if names := f.Model.Names([]int{0, 1, 2}); !slices.Equal(names, []string{"up-m1", "up(m1)", "up_m2"}) {
		t.Error(names)
	}
	if again, err := document.DecodeModelFile(f.Encode()); err != nil || again.Model.State[1].Name != "up(m1)" {
		t.Error(err)
	}
}

// BenchmarkRDDL reads SysAdmin with 50 machines in rings of five.
func BenchmarkRDDL(b *testing.B) {
	objects, cables := "m1", ""
	for k := 1; k <= 50; k++ {
		if k > 1 {
			objects += fmt.Sprintf(", m%d", k)
		}
		for _, step := range []int{1, 7, 19} {
			cables += fmt.Sprintf("CABLE(m%d,m%d);", k, (k-1+step)%50+1)
		}
	}
	text := []byte(ringRDDL + strings.Replace(ringInstance, "m1, m2, m3, m4", objects, 1))
	text = []byte(strings.Replace(string(text), "CABLE(m1,m2);", cables, 1))
	for b.Loop() {
		if _, _, err := format.ReadModelFile("", text, format.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
