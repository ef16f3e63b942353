package results_test

import (
	"strings"
	"testing"

	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// The measures of ends count the episodes that reached each, for problems that have it. Oracle: the
// records.
func TestEnds(t *testing.T) {
	sp, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":4,"domain":{"name":"sepsis","horizon":8},"agents":["c-psrl","random","constant"],"episodes":30,"runs":2,"seed":5}`))
	if err != nil {
		t.Fatal(err)
	}
	s, want := results.NewSummary(ready(t, sp)), map[string][2]float64{}
	for _, r := range run(t, sp) {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
		sum := want[r.Agent]
		if *r.End > 0 {
			sum[*r.End-1]++
		}
		want[r.Agent] = sum
		if paid := r.Return; (*r.End == 1) != (paid == -1) || (*r.End == 2) != (paid == 1) {
			t.Errorf("%s ended by %d and was paid %v", r.Agent, *r.End, paid)
		}
	}
	for end, key := range []string{"first-end", "second-end"} {
		m, _ := results.LookupMeasure(key)
		curves := s.Curves(m)
		for _, c := range curves {
			if got := c.Last().Mean; got != want[c.Agent][end]/2 {
				t.Errorf("%s, %s: %v, want %v", key, c.Agent, got, want[c.Agent][end]/2)
			}
		}
		name := []string{"death", "discharge"}[end]
		if text := s.Conclude(m, curves); len(curves) != 3 || !strings.HasPrefix(text, "Episodes that ended in “"+name+"” after 30 episodes") || strings.Contains(text, "%)") {
			t.Errorf("%d curves: %s", len(curves), text)
		}
	}
	if want["constant"][0] <= want["c-psrl"][0] {
		t.Errorf("ends %v", want)
	}
	// A walker along a cliff has one end.
	sp, err = spec.Decode([]byte(`{"format":"cpsrl/spec","version":4,"domain":{"name":"cliff-walking","horizon":8},"agents":["random"],"episodes":2,"runs":1}`))
	if err != nil {
		t.Fatal(err)
	}
	s = results.NewSummary(ready(t, sp))
	for _, r := range run(t, sp) {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for key, n := range map[string]int{"first-end": 1, "second-end": 0} {
		if m, _ := results.LookupMeasure(key); len(s.Curves(m)) != n {
			t.Errorf("%s has %d curves, want %d", key, len(s.Curves(m)), n)
		}
	}
}
