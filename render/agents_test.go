package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

var moments = []Moment{Sample, Plan, Act, Update}

// Every moment of an episode of every kind of agent is drawn and told, whatever of a graph,
// tables and a belief its trace has; so is its short form.
func TestAgents(t *testing.T) {
	var labels []string
	for _, k := range arm.Kinds() {
		labels = append(labels, k.Key)
	}
	e, err := experiment.New(&spec.Spec{Domain: &domain.Taxi{Grid: "3x3", Horizon: 3}, Agents: labels, Episodes: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range e.Arms() {
		trace := episode(t, &domain.Taxi{Grid: "3x3", Horizon: 3}, a.Key, 2)
		if (trace.Sampled.Graph != nil) != a.Graph || (trace.Sampled.Transition != nil) != a.Factored || (trace.Before != nil) != a.Believes {
			t.Errorf("%s: a trace with graph %v, %d tables, %d beliefs", a.Key, trace.Sampled.Graph, len(trace.Sampled.Transition), len(trace.Before))
		}
		for _, truth := range []bool{false, true} {
			for _, moment := range moments {
				p, err := Draw(trace, StageView{Moment: moment, Truth: truth, Agent: a.Name()})
				if err != nil || len(p.Marks) == 0 || !strings.HasPrefix(p.Text, "Episode 2, ") {
					t.Errorf("%s, %s: %q, %v", a.Key, moment, p.Text, err)
				}
			}
		}
		told, err := e.Episodes(t.Context(), 0, a.Key, 2)
		if err != nil {
			t.Fatal(err)
		}
		for short, err := range told {
			if err != nil {
				t.Fatal(err)
			}
			read, err := record.DecodeEpisode(strict.AppendLine(nil, short), trace.Space(), trace.Horizon)
			if err != nil {
				t.Fatalf("%s: %v", a.Key, err)
			}
			if _, err := DrawEpisode(trace, read, StageView{}); err != nil {
				t.Errorf("%s: %v", a.Key, err)
			}
		}
	}
}

// The words for a model say how the agent comes to it. Without a source, a model is sampled.
func TestSources(t *testing.T) {
	const known = `^Episode 2, sample: the agent %s a graph of \d+ edges, \d+ of them known, and a model over it\.$`
	for label, want := range map[string]struct{ sample, adjective, learned string }{
		"psrl":    {`psrl samples a whole transition table, without a graph\.$`, "sampled", " and counts 3 transitions"},
		"f-psrl":  {fmt.Sprintf(known, "samples"), "sampled", "; its uncertainty about the graph goes"},
		"c-psrl":  {fmt.Sprintf(known, "samples"), "sampled", "; its uncertainty about the graph goes"},
		"random":  {`random assumes a model without a graph\.$`, "assumed", " and learns nothing."},
		"greedy":  {fmt.Sprintf(known, "estimates"), "estimated", "; its uncertainty about the graph goes"},
		"optimal": {`^Episode 2, sample: the agent is told a graph of \d+ edges and a model over it\.$`, "told", " and learns nothing."},
	} {
		trace := episode(t, &domain.Taxi{Grid: "3x3", Horizon: 3}, label, 2)
		read, err := record.DecodeTrace(record.EncodeTrace(trace))
		if err != nil {
			t.Fatal(err)
		}
		text := func(m Moment) string { return draw(t, read, StageView{Moment: m}).Text }
		if got := text(Sample); !regexp.MustCompile(want.sample).MatchString(got) {
			t.Errorf("%s: %s", label, got)
		}
		if got := text(Plan); !strings.Contains(got, "in the "+want.adjective+" model and ") {
			t.Errorf("%s: %s", label, got)
		}
		if got := text(Update); !strings.Contains(got, want.learned) {
			t.Errorf("%s: %s", label, got)
		}
		graph := "not " + want.adjective
		if trace.Sampled.Graph == nil {
			graph = "any dependence"
		}
		if got := listing(draw(t, read, StageView{Moment: Sample})); !strings.Contains(got, graph) {
			t.Errorf("%s: the legend has no %q", label, graph)
		}
	}
	trace := episode(t, &domain.Taxi{Grid: "3x3", Horizon: 3}, "psrl", 2)
	trace.Source = "guessed"
	if _, err := record.DecodeTrace(record.EncodeTrace(trace)); err == nil || err.Error() != `/source: "guessed" is unknown; it must be estimated, told or assumed, or absent for a sampled model` {
		t.Error(err)
	}
}

// An episode may end before the horizon: its last step is the last that pictures show and
// sentences count. Oracle: the same trace with fewer steps.
func TestShortEpisode(t *testing.T) {
	for name, d := range map[string]domain.Domain{"taxi": &domain.Taxi{Grid: "3x3", Horizon: 6}, "figure 1": &domain.Figure1{Horizon: 6}} {
		trace := episode(t, d, "c-psrl", 2)
		trace.Steps = trace.Steps[:2]
		trace, err := record.DecodeTrace(record.EncodeTrace(trace))
		if err != nil {
			t.Fatal(name, err)
		}
		for _, moment := range moments {
			for step := range 3 {
				view := StageView{Moment: moment}
				if moment == Act {
					view.Step = float64(step)
				}
				if _, err := Draw(trace, view); err != nil {
					t.Errorf("%s, %s, step %d: %v", name, moment, step, err)
				}
			}
		}
		p, err := Draw(trace, StageView{Moment: Act, Step: 2})
		if err != nil || !strings.Contains(p.Text, "step 2 of 2") {
			t.Errorf("%s: %q, %v", name, p.Text, err)
		}
		if _, err := Draw(trace, StageView{Moment: Act, Step: 3}); err == nil || !strings.Contains(fmt.Sprint(err), "the step is 3; the episode has 2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
