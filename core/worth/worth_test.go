package worth

import (
	"cmp"
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
	reward := planning.Reward(m)
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
		v, err := New(ProblemOf(m), m.Transition, ByNumber)
		if err != nil || math.Abs(v.Value-value) > 1e-9 {
			t.Fatalf("the value is %v, want %v: %v", v.Value, value, err)
		}
		single := map[string]float64{}
		every, err := (&bigraph.Prior{X: 4, Known: make(bigraph.Bigraph, 1), Sparseness: 4}).Enumerate(0)
		if err != nil {
			t.Fatal(err)
		}
		for _, z0 := range every {
			for _, z1 := range every {
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
	got, err := Model(t.Context(), m, by)
	if err != nil || math.Abs(got.Value-value) > 1e-9 || got.Average != string(by) || len(got.Edges) != len(want) {
		t.Fatalf("%+v, %v; want %v and %d edges", got, err, value, len(want))
	}
	for _, e := range got.Edges {
		if w := want[e.From+e.To]; math.Abs(e.Value-w) > 1e-9 {
			t.Errorf("%s: Δ(%s → %s) = %v, want %v", by, e.From, e.To, e.Value, w)
		}
	}
	if !slices.IsSortedFunc(got.Edges, func(a, b ValuedEdge) int { return cmp.Compare(b.Value, a.Value) }) {
		t.Errorf("the edges are not by value: %+v", got.Edges)
	}
}

// Three edges have the value 0: one whose parent does not matter, one to a variable that
// no reward depends on, and one between variables with one value.
func TestWorthlessEdges(t *testing.T) {
	m, err := document.DecodeModel([]byte(`{"format":"cpsrl/model","version":1,"horizon":5,"state":[{"name":"a","size":2},{"name":"b","size":3},{"name":"one","size":1}],"action":[{"name":"go","size":2}],
		"initial":"uniform","transition":[{"of":"a","given":["a","b","go"],"p":[[0.9,0.1],[0.2,0.8],[0.9,0.1],[0.2,0.8],[0.9,0.1],[0.2,0.8],[0.3,0.7],[0.6,0.4],[0.3,0.7],[0.6,0.4],[0.3,0.7],[0.6,0.4]]},
		{"of":"b","given":["go"],"p":[[0.5,0.25,0.25],[0,0,1]]},{"of":"one","given":["one"],"p":[[1]]}],"reward":[{"given":["a"],"mean":[0,1],"kind":"fixed"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []Averaging{ByNumber, ByOccupancy} {
		doc, err := Model(t.Context(), m, by)
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

// Without one of the five edges that a delivery needs, the coffee robot only earns 0.1 a
// step for staying dry. Oracle: by hand, 24.625 − 30·0.1.
func TestCoffeeEdges(t *testing.T) {
	data, err := gallery.Template("coffee-robot")
	if err != nil {
		t.Fatal(err)
	}
	m, err := document.DecodeModel(data)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Model(t.Context(), m, ByNumber)
	if err != nil {
		t.Fatal(err)
	}
	for k, e := range doc.Edges {
		if needed := e.From != e.To && e.To == "userCoffee" || e.From != "do" && e.To == "robotCoffee"; needed != (k < 5) || needed && math.Abs(e.Value-(doc.Value-3)) > 1e-9 {
			t.Errorf("%d: %+v of %v", k, e, doc.Value)
		}
	}
}
