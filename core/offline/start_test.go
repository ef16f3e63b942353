package offline_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/offline"
	"cpsrl/core/planning"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// An agent that starts from the data of a problem, with its prior, believes before its first episode what the log says: of what
// happens next, of what is paid and of the end of episodes. Oracle: the problem, which weighs the log itself.
func TestStart(t *testing.T) {
	const done = `episode,soil,sun,water,reward,done
1,dry,no,yes,0,False
1,wet,no,no,1,False
1,wet,yes,,1,True
2,wet,no,no,1,False
2,dry,yes,yes,0,False
2,wet,yes,no,0,True
3,dry,no,no,0,False
3,dry,yes,yes,,False
3,wet,no,yes,1,True
4,wet,no,yes,1,False
4,,no,yes,0,False
4,wet,no,no,1,False
`
	for name, p := range map[string]*offline.Problem{
		"ends":  problem(t, done, nil, nil, offline.Options{Horizon: 3}),
		"known": problem(t, done, nil, nil, offline.Options{Horizon: 3, Reward: "`soil` == 1"}),
	} {
		file, err := p.Document(p.Mean(), true)
		if err != nil {
			t.Fatal(err)
		}
		rewards := "learned"
		if name == "known" {
			rewards = "known"
		}
		data, err := spec.NewData(p.Data())
		if err != nil {
			t.Fatal(err)
		}
		raw := strict.Encode(data.Steps())
		s, err := spec.Decode([]byte(`{"format":"cpsrl/spec","version":7,"domain":{"name":"model","model":` + string(file.Encode()) + `},"prior":{"data":` + string(raw) + `},` +
			`"agents":["greedy","psrl","c-psrl"],"episodes":1,"runs":1,"dirichlet":1,"tables":"rows","rewards":"` + rewards + `"}`))
		if err != nil {
			t.Fatal(err)
		}
		e, err := experiment.New(s)
		if err != nil {
			t.Fatal(err)
		}
		want := p.Mean()
		for _, label := range []string{"greedy", "c-psrl", "psrl"} {
			player, err := e.Label(label)
			if err != nil {
				t.Fatal(err)
			}
			trace, err := e.Trace(context.Background(), 0, player, 1)
			if err != nil {
				t.Fatal(err)
			}
			for j := range trace.Before {
				edges := make([]float64, want.X())
				if j < len(p.Answer.Beliefs) {
					for i, q := range p.Answer.Beliefs[j].Edges {
						if i >= p.Log.Space.Y() {
							i += want.Y() - p.Log.Space.Y()
						}
						edges[i] = q
					}
					if !near(trace.Before[j].Edges, edges, 1e-4) {
						t.Errorf("%s, %s: the edges into %s are %v, by the log %v", name, label, want.State[j].Name, trace.Before[j].Edges, edges)
					}
				}
			}
			if label != "greedy" {
				continue
			}
			for j, f := range trace.Sampled.Transition {
				var law struct {
					Given []string
					P     [][]float64
				}
				raw := strict.Encode(f)
				if err := json.Unmarshal(raw, &law); err != nil {
					t.Fatalf("%v: %s", err, raw)
				}
				if of := want.Transition[j]; !slices.Equal(law.Given, want.Names(of.Given)) || !near(slices.Concat(law.P...), of.P, 1e-12) {
					t.Errorf("%s: the law of %s is %+v, by the log %v", name, want.State[j].Name, law, of)
				}
			}
			paid := make([]float64, want.Points())
			planning.AddPayoffs(paid, &want.Space, want.Reward[0].Given, want.Reward[0].Mean, 1, planning.Law{})
			for x, is := range trace.Sampled.Reward {
				if ended := want.Ended()[x/want.Actions()] != 0; !ended && math.Abs(is-paid[x]) > 1e-12 {
					t.Errorf("%s: point %d pays %v, by the log %v", name, x, is, paid[x])
				}
			}
		}
	}
}

// near reports whether numbers differ by at most so much.
func near(a, b []float64, by float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Abs(a-b) <= by })
}
