package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// summaryOfShop returns the summary of runs of a problem: a season that changes by itself, a stock that follows the order
// if that matters, and a payoff. Raw is the largest regret of a record.
func summaryOfShop(t *testing.T, payoff, stock string, agents string) (s *Summary, raw float64) {
	t.Helper()
	text := fmt.Sprintf(`{"format":"cpsrl/spec","version":4,"episodes":6,"runs":2,"agents":[%s],"domain":{"name":"model","model":
 {"format":"cpsrl/model","version":3,"name":"shop","horizon":17,
 "state":[{"name":"season","size":3},{"name":"stock","size":3}],"action":[{"name":"order","size":2}],
 "initial":{"formula":"season = 0 and stock = 0"},
 "transition":[{"of":"season","formula":"next = season with 0.3, min(2, season + 1) with 0.6, 0"},{"of":"stock","formula":%q}],
 "reward":[{"formula":%q,"kind":"fixed"}]}}}`, agents, stock, payoff)
	sp, err := spec.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.New(sp)
	if err != nil {
		t.Fatal(err)
	}
	s = NewSummary(e)
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
		raw = max(raw, math.Abs(r.Regret))
	}
	return s, raw
}

const (
	still   = "next = stock with 0.9, 0"
	follows = "next = min(2, stock + order) with 0.9, 0"
	pointed = "Every policy pays the same here: change what a step pays."
)

// Differences of values up to rounding are 0 in what is drawn and told, for problems of any size, and only they.
func TestRounding(t *testing.T) {
	noise := 0.0
	for _, c := range []struct {
		payoff, stock string
		same          bool // whether every policy pays the same
	}{
		{"season/3", still, true},
		{"0.1*season + 0.7", still, true},
		{"1000000*season/3", still, true},
		{"0.000001*season/3", still, true},
		{"season/3 - 0.7*stock", still, true},
		{"season/3", follows, true},
		{"0.7", follows, true},
		{"season/3 + 0.000001*stock", follows, false},
		{"0.000001*stock/3", follows, false},
		{"1000000 + stock", follows, false},
	} {
		s, raw := summaryOfShop(t, c.payoff, c.stock, `"psrl","f-psrl","c-psrl"`)
		paid := 0.0
		for _, measure := range Measures() {
			if !measure.Values {
				continue
			}
			for _, of := range s.Curves(measure) {
				for _, p := range of.Points {
					if measure.OfRegret {
						paid = max(paid, math.Abs(p.Mean))
					}
					if p.Mean != 0 && math.Abs(p.Mean) < 1e-15*raw {
						t.Errorf("%s, %s: %s of %s is %v", c.payoff, c.stock, measure.Key, of.Agent, p.Mean)
					}
				}
			}
		}
		words := s.Conclude(CumulativeRegret(), s.Curves(CumulativeRegret()))
		if (paid == 0) != c.same || strings.HasSuffix(words, pointed) != c.same || s.Experiment.Indifferent() != c.same {
			t.Errorf("%s, %s: %v, %s", c.payoff, c.stock, paid, words)
		}
		if c.same {
			noise = max(noise, raw)
			if !strings.Contains(words, " 0 ± 0, ") {
				t.Errorf("%s", words)
			}
			if words := s.Conclude(CumulativeRegret(), nil); words != "" {
				t.Errorf("no curve, and %q", words)
			}
		}
	}
	if noise == 0 {
		t.Error("no problem has rounding in its records, so nothing was tried")
	}
	// An agent that plays best from the start pays nothing, though others would.
	s, _ := summaryOfShop(t, "order", still, `"f-psrl"`)
	if words := s.Conclude(CumulativeRegret(), s.Curves(CumulativeRegret())); strings.Contains(words, "Every policy") {
		t.Error(words)
	}
	// The difference of two agents that pay the same, in sums of unequal rounding, is 0.
	one, two := NewSummary(s.Experiment), NewSummary(s.Experiment)
	for k, regret := range []float64{0.1, 0.2, 0.3} {
		for _, of := range []*Summary{one, two} {
			if of == two {
				regret += 1e-13
			}
			if err := of.Add(&record.Record{Agent: "f-psrl", Episode: k + 1, Valued: &record.Valued{Optimal: 1, Value: 1 - regret, Regret: regret}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, run := range one.PairedRunCurves(CumulativeRegret(), experiment.Pair{Agent: "f-psrl", Base: "f-psrl"}, two) {
		if !slices.Equal(run.Values, []float64{0, 0, 0}) {
			t.Errorf("%v", run.Values)
		}
	}
	// The ends of runs are told in the same way.
	s, _ = summaryOfShop(t, "season/3", still, `"psrl","c-psrl"`)
	f := NewAgentEnds(s.Experiment, CumulativeRegret())
	for r, err := range s.Experiment.Run() {
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, of := range f.All() {
		if of.Point.Mean != 0 {
			t.Errorf("%+v", of)
		}
	}
}
