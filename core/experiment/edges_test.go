package experiment

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// figure1 draws the model of Figure 1.
func figure1(t *testing.T, seed uint64) *fmdp.Model {
	t.Helper()
	p, err := (&domain.Figure1{Horizon: 6}).Build(rand.New(rand.NewPCG(seed, 1)), domain.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Model
}

// law returns P(y | x) by the product formula, where the law of Y_j is averaged over its
// parents that are not in g[j]: the points that agree with x on g[j] have these weights.
func law(m *fmdp.Model, g bigraph.Bigraph, weight func(x []int) float64, x, y []int) float64 {
	p := 1.0
	other := make([]int, m.X())
	for j := range m.Transition {
		f := &m.Transition[j]
		sum, all, plain, n := 0.0, 0.0, 0.0, 0.0
		for at := range m.Points() {
			m.Point(other, at)
			agrees := true
			for i := range m.X() {
				// A variable that is not a parent of Y_j matters only by its weight.
				agrees = agrees && (!g[j].Has(i) || other[i] == x[i])
			}
			if agrees {
				q := f.Row(m.Row(f.Given, other))[y[j]]
				sum, all = sum+weight(other)*q, all+weight(other)
				plain, n = plain+q, n+1
			}
		}
		if all > 0 {
			p *= sum / all
		} else {
			p *= plain / n
		}
	}
	return p
}

// slow is a decision process over tables that is solved and evaluated as in textbooks.
type slow struct {
	m *fmdp.Model
	p [][][]float64 // by state, action, next state
}

func slowly(m *fmdp.Model, g bigraph.Bigraph, weight func(x []int) float64) *slow {
	d := &slow{m: m}
	x, y := make([]int, m.X()), make([]int, m.Y())
	for s := range m.States() {
		var rows [][]float64
		for a := range m.Actions() {
			m.Point(x, s*m.Actions()+a)
			var row []float64
			for k := range m.States() {
				m.Point(y, k)
				row = append(row, law(m, g, weight, x, y))
			}
			rows = append(rows, row)
		}
		d.p = append(d.p, rows)
	}
	return d
}

// value returns the value under μ of a policy and the policy. If the policy is nil, it
// takes the best one.
func (d *slow) value(policy [][]int) (float64, [][]int) {
	m := d.m
	reward := make([]float64, m.Points())
	m.ExpectedReward(reward)
	v := make([]float64, m.States())
	var best [][]int
	for togo := 1; togo <= m.Horizon; togo++ {
		now, rule := make([]float64, m.States()), make([]int, m.States())
		for s := range now {
			now[s] = math.Inf(-1)
			for a := range m.Actions() {
				q := reward[s*m.Actions()+a]
				for y, p := range d.p[s][a] {
					q += p * v[y]
				}
				if policy != nil && policy[togo-1][s] == a || policy == nil && q > now[s]+1e-12 {
					now[s], rule[s] = q, a
				}
			}
		}
		v, best = now, append(best, rule)
	}
	sum := 0.0
	for s, p := range m.Initial {
		sum += p * v[s]
	}
	return sum, best
}

// often returns how often the policy is at each x in an episode.
func (d *slow) often(policy [][]int) func(x []int) float64 {
	m := d.m
	count, now := make([]float64, m.Points()), slices.Clone(m.Initial)
	for togo := m.Horizon; togo >= 1; togo-- {
		next := make([]float64, m.States())
		for s, p := range now {
			a := policy[togo-1][s]
			count[s*m.Actions()+a] += p
			for y, q := range d.p[s][a] {
				next[y] += p * q
			}
		}
		now = next
	}
	return func(x []int) float64 { return count[m.Index(x)] }
}

func alike([]int) float64 { return 1 }

// Oracle: every subgraph of Figure 1's graph by brute force, from the product formula and
// textbook induction. The value of an edge is that of the subgraph that lacks only this
// edge. Projections by number can be taken one after the other, to any subgraph.
func TestEdgesOfFigure1(t *testing.T) {
	for seed := range uint64(4) {
		m := figure1(t, seed)
		truth := slowly(m, m.Graph(), alike)
		value, best := truth.value(nil)
		reward := make([]float64, m.Points())
		m.ExpectedReward(reward)
		v, err := newValued(&m.Space, m.Horizon, m.Initial, m.Transition, reward, ByNumber)
		if err != nil || math.Abs(v.value-value) > 1e-9 {
			t.Fatalf("the value is %v, want %v: %v", v.value, value, err)
		}
		single := map[string]float64{}
		for z0 := range bigraph.Scope(1 << 4) {
			for z1 := range bigraph.Scope(1 << 4) {
				g := bigraph.Bigraph{z0, z1}
				if !m.Graph().Contains(g) {
					continue
				}
				_, policy := slowly(m, g, alike).value(nil)
				worth, _ := truth.value(policy)
				if worth > value+1e-9 {
					t.Errorf("%v: a policy of the subgraph is worth %v, more than %v", g, worth, value)
				}
				projected := slices.Clone(m.Transition)
				for j, z := range m.Graph() {
					for i := range z.Without(g[j]).All() {
						projected[j] = v.project(&projected[j], i)
						if g.Edges() == m.Graph().Edges()-1 {
							single[fmt.Sprint(m.Var(i).Name, m.State[j].Name)] = value - worth
						}
					}
				}
				x, y := make([]int, m.X()), make([]int, m.Y())
				for at := range m.Points() {
					m.Point(x, at)
					for k := range m.States() {
						m.Point(y, k)
						got := 1.0
						for j := range projected {
							got *= projected[j].Row(m.Row(projected[j].Given, x))[y[j]]
						}
						if want := law(m, g, alike, x, y); math.Abs(got-want) > 1e-12 {
							t.Fatalf("%v: p(%v|%v) = %v, want %v", g, y, x, got, want)
						}
					}
				}
			}
		}
		checkEdges(t, m, ByNumber, value, single)

		// By occupancy, rows are weighed by how often π_F meets them.
		weight := truth.often(best)
		for j, z := range m.Graph() {
			for i := range z.All() {
				g := slices.Clone(m.Graph())
				g[j] = z.Without(bigraph.Of(i))
				_, policy := slowly(m, g, weight).value(nil)
				worth, _ := truth.value(policy)
				single[fmt.Sprint(m.Var(i).Name, m.State[j].Name)] = value - worth
			}
		}
		checkEdges(t, m, ByOccupancy, value, single)
	}
}

func checkEdges(t *testing.T, m *fmdp.Model, by Averaging, value float64, want map[string]float64) {
	t.Helper()
	got, err := ModelEdges(t.Context(), m, by)
	if err != nil || math.Abs(got.Value-value) > 1e-9 || got.Average != string(by) || len(got.Edges) != len(want) {
		t.Fatalf("%+v, %v; want %v and %d edges", got, err, value, len(want))
	}
	for _, e := range got.Edges {
		if w := want[e.From+e.To]; math.Abs(e.Value-w) > 1e-9 {
			t.Errorf("%s: Δ(%s → %s) = %v, want %v", by, e.From, e.To, e.Value, w)
		}
	}
	if !slices.IsSortedFunc(got.Edges, func(a, b record.ValuedEdge) int { return cmp.Compare(b.Value, a.Value) }) {
		t.Errorf("the edges are not by value: %+v", got.Edges)
	}
}

// Three edges have the value 0: one whose parent does not matter, one to a variable that
// no reward depends on, and one between variables with one value.
func TestWorthlessEdges(t *testing.T) {
	m, err := record.DecodeModel([]byte(`{"format":"cpsrl/model","version":1,"horizon":5,"state":[{"name":"a","size":2},{"name":"b","size":3},{"name":"one","size":1}],"action":[{"name":"go","size":2}],
		"initial":"uniform","transition":[{"of":"a","given":["a","b","go"],"p":[[0.9,0.1],[0.2,0.8],[0.9,0.1],[0.2,0.8],[0.9,0.1],[0.2,0.8],[0.3,0.7],[0.6,0.4],[0.3,0.7],[0.6,0.4],[0.3,0.7],[0.6,0.4]]},
		{"of":"b","given":["go"],"p":[[0.5,0.25,0.25],[0,0,1]]},{"of":"one","given":["one"],"p":[[1]]}],"reward":[{"given":["a"],"mean":[0,1],"kind":"fixed"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []Averaging{ByNumber, ByOccupancy} {
		doc, err := ModelEdges(t.Context(), m, by)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range doc.Edges {
			if matters := e.To == "a" && e.From != "b"; (e.Value > 0) != matters || e.Value < 0 {
				t.Errorf("%s: Δ(%s → %s) = %v", by, e.From, e.To, e.Value)
			}
		}
	}
}

// Definition 2 as printed holds for no model: a model over the graph without edges whose
// next state is always the best one has at least the value of the model itself.
func TestDefinition2(t *testing.T) {
	data, err := os.ReadFile("../../models/coffee-robot.json")
	if err != nil {
		t.Fatal(err)
	}
	coffee, err := record.DecodeModel(data)
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
		models = append(models, decoded(t, document).first.Model)
	}
	for _, m := range models {
		reward := make([]float64, m.Points())
		m.ExpectedReward(reward)
		best := slices.Index(reward, slices.Max(reward)) / m.Actions()
		y := make([]int, m.X())
		m.Point(y, best*m.Actions())
		free := slices.Clone(m.Transition)
		for j := range free {
			free[j] = fmdp.Factor{Size: free[j].Size, P: make([]float64, free[j].Size)}
			free[j].P[y[j]] = 1
		}
		value := func(transition []fmdp.Factor) float64 {
			v, err := newValued(&m.Space, m.Horizon, m.Initial, transition, reward, ByNumber)
			if err != nil {
				t.Fatal(err)
			}
			return v.value
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
	truth, err := ModelEdges(t.Context(), in.Model, ByNumber)
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"f-psrl", "c-psrl"} {
		for _, episode := range []int{0, 3, 5} {
			doc, err := e.Edges(t.Context(), 0, label, episode, 4, ByNumber)
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
				if j := in.Model.Lookup(edge.To); before != nil && math.Abs(edge.P-before[j].Edges[in.Model.Lookup(edge.From)]) > 1e-12 {
					t.Errorf("%s → %s: P is %v, in the trace %v", edge.From, edge.To, edge.P, before[j].Edges)
				}
			}
			again, err := e.Edges(t.Context(), 0, label, episode, 4, ByNumber)
			if err != nil || fmt.Sprint(again.Value) != fmt.Sprint(doc.Value) {
				t.Errorf("another answer to the same question: %v, %v", again, err)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Edges(ended, 0, "c-psrl", 5, 4, ByNumber); err != context.Canceled {
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
		of, m := p.agent.Model(posterior.NewNamedStream(3, 3, "c-psrl edges")), p.Model
		want, err := newValued(&m.Space, m.Horizon, m.Initial, of.Transition, of.Reward, ByNumber)
		if err != nil {
			t.Fatal(err)
		}
		if doc, err := e.Edges(t.Context(), 3, "c-psrl", episode, 1, ByNumber); err != nil || doc.Run != 3 || doc.Value != want.value {
			t.Errorf("after %d episodes the sampled model is worth %v, want %v; %v", episode, doc.Value, want.value, err)
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
		{bigraph.Bigraph{bigraph.Of(0), 0}, 0.375}, {bigraph.Bigraph{bigraph.Of(1), bigraph.Of(0)}, 0},
		{bigraph.Bigraph{bigraph.Of(0, 2), bigraph.Of(2)}, 1}, {bigraph.Bigraph{bigraph.Of(2), bigraph.Of(2)}, 0.625},
	} {
		if got := valueRecall(weights, c.sampled); *got != c.want {
			t.Errorf("%v: %v, want %v", c.sampled, *got, c.want)
		}
	}
	if got := valueRecall([][]float64{{0}}, bigraph.Bigraph{0}); *got != 1 {
		t.Errorf("no edge has a value: %v", *got)
	}
	if valueRecall(nil, nil) != nil {
		t.Error("there is a value recall without weights")
	}
	// The values in records are those of the command.
	e := decoded(t, `{"format":"cpsrl/spec","version":1,"domain":{"name":"figure1"},"agents":["c-psrl:eta=0"],"episodes":8}`)
	truth, err := ModelEdges(t.Context(), e.first.Model, ByNumber)
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
			if slices.Contains(r.Belief.Graph[e.first.Model.Lookup(edge.To)], e.first.Model.Lookup(edge.From)) {
				found += edge.Value
			}
		}
		if got := *r.Belief.ValueRecall; math.Abs(got-found/all) > 1e-12 {
			t.Errorf("episode %d: %v, want %v", r.Episode, got, found/all)
		}
	}
}

// Without one of the five edges that a delivery needs, the coffee robot only earns 0.1 a
// step for staying dry. Oracle: by hand, 24.625 − 30·0.1.
func TestCoffeeEdges(t *testing.T) {
	data, err := os.ReadFile("../../models/coffee-robot.json")
	if err != nil {
		t.Fatal(err)
	}
	m, err := record.DecodeModel(data)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := ModelEdges(t.Context(), m, ByNumber)
	if err != nil {
		t.Fatal(err)
	}
	for k, e := range doc.Edges {
		if needed := e.From != e.To && e.To == "userCoffee" || e.From != "do" && e.To == "robotCoffee"; needed != (k < 5) || needed && math.Abs(e.Value-(doc.Value-3)) > 1e-9 {
			t.Errorf("%d: %+v of %v", k, e, doc.Value)
		}
	}
}
