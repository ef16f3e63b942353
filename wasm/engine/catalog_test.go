package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cpsrl/core/arm"
	"cpsrl/core/spec"
)

// A form must be able to name and draw everything in a complete spec. Oracle: the JSON of
// the presets. The catalogue names every member of it apart from documents, priors and
// agents, every value that is a choice, and every agent.
func TestCatalogueNamesPresets(t *testing.T) {
	c := Catalogue()
	labels := map[string]AgentEntry{}
	for _, a := range c.Agents {
		labels[a.Label] = a
	}
	for _, p := range c.Presets {
		fields := slices.Clone(c.Fields)
		for _, d := range c.Domains {
			if d.Key == p.Spec.Domain.Kind().Key {
				fields = append(fields, d.Fields...)
			}
		}
		named := map[string][]string{}
		for _, f := range fields {
			if f.Label == "" || !strings.Contains(f.Phrase, "_") || len(f.Choices) != len(f.Labels) || f.Max != nil || f.Default != nil {
				t.Errorf("%s: %+v", p.Name, f)
			}
			named[f.Place] = f.Choices
		}
		var members map[string]any
		if err := json.Unmarshal(spec.Encode(p.Spec), &members); err != nil {
			t.Fatal(err)
		}
		for name, value := range members["domain"].(map[string]any) {
			members["domain/"+name] = value
		}
		for _, other := range []string{"format", "version", "domain", "agents", "prior", "priors"} {
			delete(members, other)
		}
		for name, value := range members {
			choices, ok := named["/"+name]
			if word, isWord := value.(string); !ok || isWord && name != "planner" && !slices.Contains(choices, word) { // a planner has a budget
				t.Errorf("%s: nothing names %s = %v", p.Name, name, value)
			}
		}
		for _, label := range p.Spec.Agents {
			if _, ok := labels[label]; !ok {
				t.Errorf("%s: nothing names %s", p.Name, label)
			}
		}
	}
}

// Oracle: the kinds, the agents of the presets, and the spec's own agents, with the names
// that their kinds give them.
func TestCheckNamesAgents(t *testing.T) {
	body := `{"format":"cpsrl/spec","version":1,"domain":{"name":"random-fmdp"},"agents":["c-psrl:eta=07","psrl"]}`
	got := answerOf[checked](t, ask("POST", "/v1/check", body))
	var labels []string
	for _, a := range got.Agents {
		labels = append(labels, a.Label)
		arm, err := arm.Parse(a.Label)
		if err != nil {
			t.Fatal(err)
		}
		if look := arm.Look(); a.Name != arm.Name() || a.Kind != arm.Key || a.Look.Color != look.Color || !slices.Equal(a.Look.Dash, look.Dash) {
			t.Errorf("%+v", a)
		}
	}
	if n := len(got.Problem.Revealed); n != 6 {
		t.Fatalf("%d graphs are revealed, want 6: no edge, and one to all five parents", n)
	}
	var want []string
	for _, k := range arm.Kinds() {
		want = append(want, k.Key)
	}
	want = append(want, "c-psrl:eta=1", "c-psrl:eta=2", "c-psrl:eta=3", "c-psrl:eta=4", "c-psrl:eta=7")
	if !slices.Equal(labels, want) {
		t.Errorf("the agents are %q, want %q", labels, want)
	}
}
