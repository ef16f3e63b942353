package render

import (
	"fmt"
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
				p, err := Draw(trace, View{Moment: moment, Truth: truth, Agent: a.Name()})
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
			if _, err := DrawEpisode(trace, read, View{}); err != nil {
				t.Errorf("%s: %v", a.Key, err)
			}
		}
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
				view := View{Moment: moment}
				if moment == Act {
					view.Step = float64(step)
				}
				if _, err := Draw(trace, view); err != nil {
					t.Errorf("%s, %s, step %d: %v", name, moment, step, err)
				}
			}
		}
		p, err := Draw(trace, View{Moment: Act, Step: 2})
		if err != nil || !strings.Contains(p.Text, "step 2 of 2") {
			t.Errorf("%s: %q, %v", name, p.Text, err)
		}
		if _, err := Draw(trace, View{Moment: Act, Step: 3}); err == nil || !strings.Contains(fmt.Sprint(err), "the step is 3; the episode has 2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
