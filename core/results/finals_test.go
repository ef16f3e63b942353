package results_test

import (
	"math"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/results"
)

// The ends of runs, read one record after the other, are those of the summary of all.
func TestFinals(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where it says the same")
	}
	for _, name := range []string{"fig1-quick", "fig2c-quick", "river-swim"} {
		preset, _ := experiment.LookupPreset(name)
		s := preset.Spec.Clone()
		s.Episodes, s.Runs, s.FirstRun = 40, 5, 2
		e, err := experiment.New(s)
		if err != nil {
			t.Fatal(err)
		}
		var records []*record.Record
		for r, err := range e.Run() {
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		}
		whole := results.NewSummary(e)
		for _, r := range records {
			if err := whole.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		for _, of := range results.Measures() {
			finals := results.NewAgentEnds(e, of)
			for _, r := range records {
				if err := finals.Add(r); err != nil {
					t.Fatal(err)
				}
			}
			learned := map[string]int{}
			for _, end := range whole.RunEnds(of) {
				if end.Learned > 0 {
					learned[end.Agent]++
				}
			}
			curves := whole.Curves(of)
			for k, f := range finals.All() {
				if f.Agent != s.Agents[k] || f.Learned != learned[f.Agent] {
					t.Errorf("%s, %s: %s has learned %d times, want %d", name, of.Key, f.Agent, f.Learned, learned[f.Agent])
				}
				n := 0
				for _, c := range curves {
					if c.Agent == f.Agent {
						n++
						if want := c.Last(); f.Point != want && !(math.IsNaN(want.Lo) && f.Point.Mean == want.Mean) {
							t.Errorf("%s, %s, %s: %v, want %v", name, of.Key, f.Agent, f.Point, want)
						}
					}
				}
				if (n > 0) != (f.Point.N > 0) {
					t.Errorf("%s, %s: %s has %d runs", name, of.Key, f.Agent, f.Point.N)
				}
			}
		}
		finals := results.NewAgentEnds(e, results.CumulativeRegret())
		if err := finals.Add(records[1]); err == nil {
			t.Error("a record out of order is taken")
		}
		for _, r := range records {
			if err := finals.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := finals.Add(records[0]); err == nil {
			t.Error("a record after the last is taken")
		}
	}
}
