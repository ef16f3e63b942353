package experiment_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/spec"
	"cpsrl/internal/small"
)

func costOf(t *testing.T, s *spec.Spec) float64 {
	t.Helper()
	return ready(t, s).Cost()
}

// Oracle: the times of single runs of the presets on one core (2.5 GHz Xeon, one
// worker, milliseconds). The estimates are proportional to them within a factor of 3.
func TestCostOfPresets(t *testing.T) {
	measured := map[string]float64{
		"fig2a psrl": 385, "fig2a f-psrl": 220, "fig2a c-psrl": 360,
		"fig2d psrl": 125, "fig2d f-psrl": 115, "fig2d c-psrl": 175,
		"eta c-psrl:eta=1": 465, "eta c-psrl:eta=4": 165,
	}
	sum, n := 0.0, 0.0
	ratios := map[string]float64{}
	for name, ms := range measured {
		preset, agent, _ := strings.Cut(name, " ")
		p, _ := experiment.LookupPreset(preset)
		p.Spec.Agents, p.Spec.Runs = []string{agent}, 1
		ratios[name] = math.Log(costOf(t, p.Spec) / ms)
		sum, n = sum+ratios[name], n+1
	}
	for name, r := range ratios {
		if d := math.Exp(math.Abs(r - sum/n)); d > 3 {
			t.Errorf("%s: a factor %.1f off", name, d)
		}
	}
}

// What one more episode of all agents costs is the sum of what one episode of each costs.
func TestCostOfEpisodes(t *testing.T) {
	with := func(episodes int) (float64, []float64) {
		rest := fmt.Sprintf(`,"agents":["psrl","f-psrl","c-psrl"],"episodes":%d,"runs":1`, episodes)
		return ready(t, specOf(t, `{"name":"taxi"}`, rest)).Costs()
	}
	all, each := with(100)
	more, same := with(101)
	if !slices.Equal(each, same) || len(each) != 3 {
		t.Fatalf("the episodes cost %v and %v", each, same)
	}
	if sum := each[0] + each[1] + each[2]; math.Abs(more-all-sum) > 1e-9*all || each[2] <= each[1] {
		t.Errorf("one more episode costs %v, those of the agents %v", more-all, each)
	}
}

// The cost is a sum over runs, agents and, apart from the start of a run, episodes. It
// grows with the work.
func TestCostRelations(t *testing.T) {
	base := `,"agents":["psrl"],"episodes":100,"runs":2`
	of := func(domain, rest string) float64 { return costOf(t, specOf(t, domain, rest)) }
	random := `{"name":"random-fmdp"}`
	one := of(random, base)
	if twice := of(random, strings.Replace(base, `"runs":2`, `"runs":4`, 1)); twice != 2*one {
		t.Errorf("twice the runs cost %v, not %v", twice, 2*one)
	}
	if twice := of(random, strings.Replace(base, "100", "200", 1)) / one; twice < 1.9 || twice > 2 {
		t.Errorf("twice the episodes cost %v times as much", twice)
	}
	last := 0.0
	for _, eta := range []int{4, 3, 2, 1, 0} { // more parent sets
		c := of(random, fmt.Sprintf(`,"agents":["c-psrl:eta=%d"]`, eta))
		if c <= last {
			t.Errorf("η = %d costs no more than η = %d", eta, eta+1)
		}
		last = c
	}
	// PSRL samples and plans over S²A, so one more state variable costs four times as much.
	if r := of(`{"name":"random-fmdp","stateVariables":7}`, `,"agents":["psrl"]`) / of(random, `,"agents":["psrl"]`); r < 3 || r > 4.5 {
		t.Errorf("one state variable more costs %v times as much", r)
	}
	// Induction stops early in a random FMDP and in Figure 1, whose tables have the same
	// law, but not in a taxi. After the stop, steps are cheaper.
	for _, c := range []struct {
		domain string
		mixes  bool
	}{{`"random-fmdp"`, true}, {`"figure1"`, true}, {`"taxi"`, false}} {
		at := func(horizon int) float64 {
			return of(fmt.Sprintf(`{"name":%s,"horizon":%d}`, c.domain, horizon), `,"agents":["psrl"]`)
		}
		if early, late := at(11)-at(10), at(101)-at(100); (late < 0.9*early) != c.mixes {
			t.Errorf("%s: an early step costs %v, a late one %v", c.domain, early, late)
		}
	}
	// Rewards that are learned are sampled too.
	for _, label := range []string{"psrl", "f-psrl", "c-psrl"} {
		known := of(random, `,"agents":["`+label+`"]`)
		if learned := of(random, `,"agents":["`+label+`"],"rewards":"learned"`); learned <= known {
			t.Errorf("%s: learned rewards cost %v, known ones %v", label, learned, known)
		}
	}
	// The cost of the longest possible experiment is finite.
	huge := of(`{"name":"random-fmdp","stateVariables":8,"actionVariables":5}`, `,"agents":["c-psrl:eta=0"],"sparseness":6,"episodes":100000,"runs":10000`)
	if math.IsInf(huge, 0) || math.IsNaN(huge) || huge < experiment.AutoRun {
		t.Errorf("a huge spec costs %v", huge)
	}
	for _, p := range experiment.Presets() {
		most := float64(experiment.AutoRun)
		if p.Gallery {
			most = 35 * 60 * experiment.Browser // of one worker, when a visitor asks for it; several share it
		}
		if c := costOf(t, p.Spec); c > most {
			t.Errorf("%s may not run by itself: %v s", p.Name, c/experiment.Browser)
		}
	}
}

// By hand: Figure 1 has d_X = 4, d_Y = 2, N = 2, η = 2.
func TestRate(t *testing.T) {
	s := specOf(t, `{"name":"figure1","horizon":4}`, `,"sparseness":2`)
	in, err := experiment.NewInstance(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	prior := in.Prior
	for z, want := range map[int]float64{2: 32 * 4 * 2 * 10, 4: 32 * 8 * 2 * 10, 64: 32 * 8 * 2 * 10} {
		prior.Sparseness = z
		terms := experiment.Rate(&in.View.Space, prior, 4, 100)
		if len(terms) != 5 || !terms[1].Printed || terms[2].Printed || math.Abs(terms[0].Value-want) > 1e-9*want || math.Abs(terms[1].Value-40) > 1e-9 {
			t.Errorf("Z = %d: %+v, want %v and 40", z, terms, want)
		}
		// With η = 2 of 4, 𝒵_j has Σ_{i ≤ Z−2} C(2,i) sets; N^Z is 4 or 16.
		sets, tables := map[int]float64{2: 1, 4: 4, 64: 4}[z], map[int]float64{2: 4, 4: 16, 64: 16}[z]
		for k, want := range []float64{math.Sqrt(4 * sets * 100), 16 * tables * 2, 16 * sets * 2} {
			if got := terms[2+k].Value; math.Abs(got-want) > 1e-9*want {
				t.Errorf("Z = %d: the term %q is %v, want %v", z, terms[2+k].Formula, got, want)
			}
		}
	}
}

// The theorem bounds C̄ from above, so the second printed term is at least the one of the proof,
// also on the taxi, where the destination has one value.
func TestRateBoundsTheProof(t *testing.T) {
	for _, p := range experiment.Presets() {
		in, err := experiment.NewInstance(p.Spec, 0)
		if err != nil {
			t.Fatal(err)
		}
		terms, silent := in.Rate(p.Spec.Episodes)
		if silent != "" && p.Gallery { // its prior has probabilities
			continue
		}
		if silent != "" {
			t.Fatalf("%s: %s", p.Name, silent)
		}
		if printed, proof := terms[1], terms[2]; printed.Value < proof.Value*(1-1e-9) {
			t.Errorf("%s: %s is %v, but %s is %v", p.Name, printed.Formula, printed.Value, proof.Formula, proof.Value)
		}
	}
}

// N^Z may be larger than any float64.
func TestRateIsFinite(t *testing.T) {
	space := &fmdp.Space{State: []fmdp.Variable{{Name: "s", Size: 1 << 30}}}
	for i := range 63 {
		space.Action = append(space.Action, fmdp.Variable{Name: fmt.Sprint("a", i), Size: 1})
	}
	prior := &bigraph.Prior{Known: make(bigraph.Bigraph, 1), X: space.X(), Sparseness: 64}
	for _, term := range experiment.Rate(space, prior, 10, 100) {
		if math.IsInf(term.Value, 0) || math.IsNaN(term.Value) {
			t.Errorf("%s: %v", term.Formula, term.Value)
		}
	}
}

// The theorem says nothing if the prior excludes the truth.
func TestRateSilence(t *testing.T) {
	for patch, says := range map[string]string{
		`{}`: "", `{"prior":{"eta":0}}`: "", `{"bound":"below","sparseness":4}`: "",
		`{"prior":{"edges":[["X4","X1",0]]}}`:   "",
		`{"prior":{"edges":[["X3","X1",0]]}}`:   "forbids the edge X3 → X1, which is true",
		`{"prior":{"edges":[["X3","X1",0.9]]}}`: "gives edges a probability",
		`{"prior":{"edges":[["X4","X1"]]}}`:     "knows the edge X4 → X1, which is not true",
		`{"bound":"below"}`:                     "X1 has 3 parents, and the prior admits 2 at most",
		`{"prior":{"eta":0},"sparseness":1}`:    "X1 has 3 parents, and the prior admits 1 at most",
	} {
		in, err := experiment.NewInstance(small.Decode(t, patched(t, `{"format":"cpsrl/spec","version":2,"domain":{"name":"figure1"}}`, patch)), 0)
		if err != nil {
			t.Fatal(err)
		}
		terms, silent := in.Rate(10)
		if (silent == "") != (says == "") || !strings.Contains(silent, says) || (len(terms) == 0) != (says != "") {
			t.Errorf("%s: %q, %d terms", patch, silent, len(terms))
		}
	}
}

func TestDefaultPair(t *testing.T) {
	for agents, want := range map[string]string{
		`"psrl","f-psrl","c-psrl"`:               "c-psrl psrl true",
		`"f-psrl","c-psrl:eta=1","c-psrl:eta=2"`: "c-psrl:eta=1 f-psrl true",
		`"c-psrl"`:                               "  false",
		`"psrl"`:                                 "  false",
		`"f-psrl:graph=prior","psrl","c-psrl:eta=0"`: "c-psrl:eta=0 psrl true",
		`"f-psrl:graph=prior","f-psrl","c-psrl"`:     "c-psrl f-psrl:graph=prior true", // the first of equals
	} {
		pair, ok := ready(t, specOf(t, `{"name":"figure1"}`, `,"agents":[`+agents+`]`)).DefaultPair()
		if got := fmt.Sprint(pair.Agent, " ", pair.Base, " ", ok); got != want {
			t.Errorf("%s: %q, want %q", agents, got, want)
		}
	}
}
