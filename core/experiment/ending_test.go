package experiment_test

import (
	"fmt"
	"slices"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// Traces and episodes tell how and where an episode ended, also if it has no step. Oracle: a model of
// one variable that counts up to an end, from a state that is the end in half of all episodes.
func TestEndingsAreTold(t *testing.T) {
	m := &fmdp.Model{Name: "count", Horizon: 2, Space: fmdp.Space{
		State: []fmdp.Variable{{Name: "s", Size: 4}}, Action: []fmdp.Variable{{Name: "a", Size: 1}, {Name: "b", Size: 3}},
	}}
	legal, err := fmdp.NewLegal(m.Action, [][]int{{0, 2}, {0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	m.Legal = legal
	m.Initial = []float64{0.25, 0, 0.25, 0.5}
	m.Transition = []fmdp.Factor{{Given: []int{0}, Size: 4, P: []float64{0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1}}}
	m.Reward = []fmdp.Reward{{Mean: []float64{1}, Scale: 1, Of: -1}}
	m.Ends = []fmdp.Ending{{Name: "the end", Given: []int{0}, Is: [][]int{{3}}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	e, err := experiment.New(&spec.Spec{Domain: domain.NewCustom(m), Agents: []string{"psrl"}, Episodes: 20, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	episodes, err := e.Episodes(t.Context(), 0, "psrl", 20)
	if err != nil {
		t.Fatal(err)
	}
	for short, err := range episodes {
		if err != nil {
			t.Fatal(err)
		}
		trace, err := e.Trace(t.Context(), 0, "psrl", short.Record.Episode)
		if err != nil {
			t.Fatal(err)
		}
		read, err := record.DecodeTrace(record.EncodeTrace(trace))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(trace.Legal, [][]int{{0, 0}, {0, 2}}, slices.Equal) {
			t.Fatal(trace.Legal)
		}
		for _, trace := range []*record.Trace{trace, read} {
			n := len(trace.Steps)
			end := trace.StateAfter(n)[0]
			said := fmt.Sprint(n, " ", end)
			if trace.Ending != nil {
				said += " " + *trace.Ending
			}
			seen[said]++
			same := trace.Ending == short.Ending || trace.Ending != nil && short.Ending != nil && *trace.Ending == *short.Ending
			if len(short.Points) != n || short.End != end || !same {
				t.Errorf("%s: the episode is %+v", said, short)
			}
		}
	}
	for said := range seen {
		if want := []string{"0 3 the end", "1 3 the end", "2 2"}; !slices.Contains(want, said) {
			t.Errorf("an episode of %s", said)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%v", seen)
	}
}

// A trace says which actions are legal in which states, the policies in it keep to that, and so does what is played. Oracle: the
// rule, by hand. The value of every arm is at most V⋆.
func TestLegalTrace(t *testing.T) {
	file, err := document.DecodeModelFile([]byte(`{"format":"cpsrl/model","version":4,"horizon":6,"state":[{"name":"fuel","size":4},{"name":"day","size":2}],
 "action":[{"name":"move","size":3},{"name":"fill","size":2}],"legal":{"formula":"if(fill = 1, move = 0 and day = 0, move <= fuel)"},"initial":"uniform",
 "transition":[{"of":"fuel","formula":"next = max(0, min(3, fuel + 3*fill) - move)"},{"of":"day","formula":"next = day with 0.4, 1 - day"}],
 "reward":[{"formula":"move - fill","kind":"fixed","range":[-1,2]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	agents := []string{"c-psrl", "f-psrl", "psrl", "random", "greedy", "optimal", "constant:action=3", "c-psrl:planner=uct:20:3", "optimal:planner=rollout:4:3"}
	e, err := experiment.New(&spec.Spec{Domain: domain.NewCustomFile(file), Agents: agents, Episodes: 4, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range agents {
		trace, err := e.Trace(t.Context(), 0, label, 4)
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		read, err := record.DecodeTrace(record.EncodeTrace(trace))
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		if trace.Record.Regret < -e.Rounding() {
			t.Errorf("%s: the regret is %v", label, trace.Record.Regret)
		}
		space := read.Space()
		for h := range read.Horizon {
			for s := range space.States() {
				for _, m := range []*record.TraceModel{&read.True, &read.Sampled} {
					x := space.Point(make([]int, 4), s*space.Actions()+int(m.Policy[h][s]))
					if fill, move := x[3] == 1, x[2]; fill && (move > 0 || x[1] == 1) || !fill && move > x[0] {
						t.Errorf("%s: %v is played in %v", label, x[2:], x[:2])
					}
				}
			}
		}
	}
}
