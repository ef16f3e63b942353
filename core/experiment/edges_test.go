package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/gallery"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/spec"
	"cpsrl/core/worth"
)

// figure1 draws the model of Figure 1.
func figure1(t *testing.T, seed uint64) *fmdp.Model {
	t.Helper()
	p, err := (&domain.Figure1{Horizon: 6}).Build(rand.New(rand.NewPCG(seed, 1)), domain.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return p.View
}

// Definition 2 as printed holds for no model: a model over the graph without edges whose
// next state is always the best one has at least the value of the model itself.
func TestDefinition2(t *testing.T) {
	data, err := gallery.Template("coffee-robot")
	if err != nil {
		t.Fatal(err)
	}
	coffee, err := document.DecodeModel(data)
	if err != nil {
		t.Fatal(err)
	}
	models := []*fmdp.Model{coffee}
	for seed := range uint64(4) {
		models = append(models, figure1(t, seed))
	}
	for _, document := range []string{
		`{"format":"cpsrl/spec","version":2,"domain":{"name":"taxi"}}`,
		`{"format":"cpsrl/spec","version":2,"domain":{"name":"random-fmdp"}}`,
		`{"format":"cpsrl/spec","version":2,"domain":{"name":"random-fmdp","parents":2,"rewardScopes":"tied"}}`,
	} {
		models = append(models, decoded(t, document).first.View)
	}
	for _, m := range models {
		reward := planning.Reward(m)
		best := slices.Index(reward, slices.Max(reward)) / m.Actions()
		y := make([]int, m.X())
		m.Point(y, best*m.Actions())
		free := slices.Clone(m.Transition)
		for j := range free {
			free[j] = fmdp.Factor{Size: free[j].Size, P: make([]float64, free[j].Size)}
			free[j].P[y[j]] = 1
		}
		value := func(transition []fmdp.Factor) float64 {
			v, err := worth.New(worth.ProblemOf(m), transition, worth.ByNumber)
			if err != nil {
				t.Fatal(err)
			}
			return v.Value
		}
		if v, w := value(m.Transition), value(free); w < v-1e-9*v || m.Graph().Edges() == 0 {
			t.Errorf("%s: %v without edges, and %v with its %d edges", m.Name, w, v, m.Graph().Edges())
		}
	}
}

// decoded reads a spec and makes its experiment.
func decoded(t *testing.T, document string) *Experiment {
	t.Helper()
	s, err := spec.Decode([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The edges of a belief have the probabilities in the trace and the values in the true
// model. An agent that knows the graph gives a value to no other edges.
func TestBelievedEdges(t *testing.T) {
	e := decoded(t, `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"prior":{"eta":1},"agents":["f-psrl","c-psrl"],"episodes":5,"seed":3}`)
	in, err := e.Instance(0)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := worth.Model(t.Context(), in.View, worth.ByNumber)
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"f-psrl", "c-psrl"} {
		for _, episode := range []int{0, 3, 5} {
			doc, err := e.Edges(t.Context(), 0, label, episode, 4, worth.ByNumber)
			if err != nil || doc.Agent != label || doc.Episode != episode || doc.Samples != 4 || len(doc.Edges) != 8 {
				t.Fatalf("%+v, %v", doc, err)
			}
			known := map[string]float64{}
			for _, edge := range truth.Edges {
				known[edge.From+edge.To] = edge.Value
			}
			var before []record.TraceBelief
			if episode < 5 {
				trace, err := e.Trace(t.Context(), 0, label, episode+1)
				if err != nil {
					t.Fatal(err)
				}
				before = trace.Before
			}
			for _, edge := range doc.Edges {
				want, true_ := known[edge.From+edge.To]
				if (edge.True != nil) != true_ || true_ && *edge.True != want {
					t.Errorf("%s → %s: the true value is %v, want %v", edge.From, edge.To, edge.True, want)
				}
				if edge.Value < 0 || edge.P == 0 && edge.Value > 0 || label == "f-psrl" && edge.P != map[bool]float64{true: 1}[true_] {
					t.Errorf("%s: %+v", label, edge)
				}
				if j := in.View.Lookup(edge.To); before != nil && math.Abs(edge.P-before[j].Edges[in.View.Lookup(edge.From)]) > 1e-12 {
					t.Errorf("%s → %s: P is %v, in the trace %v", edge.From, edge.To, edge.P, before[j].Edges)
				}
			}
			again, err := e.Edges(t.Context(), 0, label, episode, 4, worth.ByNumber)
			if err != nil || fmt.Sprint(again.Value) != fmt.Sprint(doc.Value) {
				t.Errorf("another answer to the same question: %v, %v", again, err)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Edges(ended, 0, "c-psrl", 5, 4, worth.ByNumber); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// Oracle: the value of the model that the agent samples from a stream of that name. The
// samples take no numbers from the agent's own stream, which is where its episodes left it.
func TestEdgesHaveTheirOwnStream(t *testing.T) {
	e := decoded(t, `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["c-psrl"],"episodes":5,"seed":3,"firstRun":2,"runs":2}`)
	for _, episode := range []int{0, 3} {
		truth, err := e.truth(3)
		if err != nil {
			t.Fatal(err)
		}
		p, err := truth.enter(e.Arms()[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range p.episodes(t.Context(), episode) {
			if err != nil {
				t.Fatal(err)
			}
		}
		of, m := p.agent.Model(posterior.NewNamedStream(3, 3, "c-psrl edges")), p.View
		want, err := worth.New(worth.ProblemOf(m), of.Transition, worth.ByNumber)
		if err != nil {
			t.Fatal(err)
		}
		if doc, err := e.Edges(t.Context(), 3, "c-psrl", episode, 1, worth.ByNumber); err != nil || doc.Run != 3 || doc.Value != want.Value {
			t.Errorf("after %d episodes the sampled model is worth %v, want %v; %v", episode, doc.Value, want.Value, err)
		}
	}
}

// Value recall is recall weighed by the values of the edges, and 1 where none has a value.
func TestValueRecall(t *testing.T) {
	weights := [][]float64{{3, 0, 1}, {0, 0, 4}}
	for _, c := range []struct {
		sampled bigraph.Bigraph
		want    float64
	}{
		{bigraph.Bigraph{bigraph.Of(0), bigraph.Of()}, 0.375}, {bigraph.Bigraph{bigraph.Of(1), bigraph.Of(0)}, 0},
		{bigraph.Bigraph{bigraph.Of(0, 2), bigraph.Of(2)}, 1}, {bigraph.Bigraph{bigraph.Of(2), bigraph.Of(2)}, 0.625},
	} {
		if got := valueRecall(weights, c.sampled); *got != c.want {
			t.Errorf("%v: %v, want %v", c.sampled, *got, c.want)
		}
	}
	if got := valueRecall([][]float64{{0}}, bigraph.Bigraph{bigraph.Of()}); *got != 1 {
		t.Errorf("no edge has a value: %v", *got)
	}
	if valueRecall(nil, nil) != nil {
		t.Error("there is a value recall without weights")
	}
	// The values in records are those of the command.
	e := decoded(t, `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["c-psrl:eta=0"],"episodes":8}`)
	truth, err := worth.Model(t.Context(), e.first.View, worth.ByNumber)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range e.Run() {
		if err != nil {
			t.Fatal(err)
		}
		found, all := 0.0, 0.0
		for _, edge := range truth.Edges {
			all += edge.Value
			if slices.Contains(r.Belief.Graph[e.first.View.Lookup(edge.To)], e.first.View.Lookup(edge.From)) {
				found += edge.Value
			}
		}
		if got := *r.Belief.ValueRecall; math.Abs(got-found/all) > 1e-12 {
			t.Errorf("episode %d: %v, want %v", r.Episode, got, found/all)
		}
	}
}
