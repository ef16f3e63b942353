package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/bigraph"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// tourStep is the part of a step of the tour that the test reads.
type tourStep struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Link  string `json:"link"`
}

// TestTour checks what the tour says about runs against the records of its links.
func TestTour(t *testing.T) {
	data, err := os.ReadFile("tour.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []tourStep
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	step := func(title string, says ...string) *experiment.Experiment {
		t.Helper()
		for _, s := range list {
			if s.Title != title {
				continue
			}
			for _, words := range says {
				if !strings.Contains(s.Text, words) {
					t.Errorf("%s does not say %q", title, words)
				}
			}
			link, err := spec.DecodeLink(s.Link)
			if err != nil {
				t.Fatalf("%s: %v", title, err)
			}
			e, err := experiment.New(link.Spec)
			if err != nil {
				t.Fatalf("%s: %v", title, err)
			}
			return e
		}
		t.Fatalf("there is no step %q", title)
		return nil
	}
	edges := func(prior bigraph.Bigraph) (n int) {
		for _, z := range prior {
			n += z.Len()
		}
		return n
	}
	first := func(e *experiment.Experiment) *experiment.Instance {
		t.Helper()
		in, err := e.Instance(0)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}

	known := first(step("An edge says what matters", "C-PSRL (causal PSRL) knows 8 edges"))
	if n := edges(known.Prior.Known); n != 8 {
		t.Errorf("%d edges are known", n)
	}

	// The belief about col → row′ before and after episode 3 of the first run.
	e := step("Update", "In episode 3 the edge from the column to the next row falls from 0.50 to 0.07")
	arm, _ := e.Arm("c-psrl")
	var beliefs []*record.Belief
	for r, err := range e.Play(0, arm) {
		if err != nil {
			t.Fatal(err)
		}
		if beliefs = append(beliefs, r.Belief); r.Episode == 3 {
			break
		}
	}
	if got := fmt.Sprintf("%.2f %.2f", beliefs[1].Edges[0][1], beliefs[2].Edges[0][1]); got != "0.50 0.07" {
		t.Errorf("the edge goes from %s", got)
	}

	// ended returns the interval of the last regret of the experiment's only agent.
	ended := func(e *experiment.Experiment) (lo, hi float64) {
		t.Helper()
		s := results.NewSummary(e)
		for r, err := range e.Run() {
			if err == nil {
				err = s.Add(r)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		last := s.Curves(results.Measures()[0])[0].Last()
		return last.Lo, last.Hi
	}
	var figure export.Figure
	if data, err = os.ReadFile("figures/fig2d.json"); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &figure); err != nil {
		t.Fatal(err)
	}
	told := figures{"fig2d": &figure}
	_, _, knowing := told.last("fig2d", regret, "c-psrl")
	flat, _, _ := told.last("fig2d", regret, "psrl")

	none := step("Take the edges away", "pays nearly as much as PSRL", "which knows the 8 edges")
	if lo, hi := ended(none); lo <= knowing || (lo+hi)/2 < 0.85*flat {
		t.Errorf("without edges it pays %.0f to %.0f, PSRL %.0f", lo, hi, flat)
	}
	all := step("Claim false edges", "every edge is marked. Three of the new edges are false, and seven say nothing, because the destination never changes", "about half of what PSRL pays: a row of its tables has at most 5 entries, one of PSRL’s has 50")
	in := first(all)
	if n := edges(in.Prior.Known); n != in.View.X()*in.View.Y() {
		t.Errorf("%d edges are marked", n)
	}
	claimed, trivial := known.Prior.Known, in.View.Trivial()
	false, nothing := 0, 0
	for j, z := range in.Prior.Known {
		for i := range z.Without(claimed[j]).All() {
			switch {
			case trivial.Has(j) || trivial.Has(i):
				nothing++
			case !in.View.Graph()[j].Has(i):
				false++
			}
		}
	}
	if false != 3 || nothing != 7 {
		t.Errorf("%d new edges are false, %d say nothing", false, nothing)
	}
	if lo, hi := ended(all); lo <= knowing || lo < 0.4*flat || hi > 0.6*flat {
		t.Errorf("with false edges it pays %.0f to %.0f, without up to %.0f, PSRL %.0f", lo, hi, knowing, flat)
	}
	most := 0
	for _, v := range in.View.State {
		most = max(most, v.Size)
	}
	if most != 5 || in.View.States() != 50 {
		t.Errorf("a row of a factor has up to %d entries, one of a whole table %d", most, in.View.States())
	}
}
