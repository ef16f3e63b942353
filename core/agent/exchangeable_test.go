package agent_test

import (
	"flag"
	"math"
	"slices"
	"strconv"
	"testing"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
)

var exchangeable = flag.Int("exchangeable", 400, "the runs of each row of TestExchangeableSoft")

// drawGraph draws each z_j by the prior's weights, by inversion.
func drawGraph(t *testing.T, prior *bigraph.Prior, space *fmdp.Space, rng *posterior.Stream) (g bigraph.Bigraph) {
	t.Helper()
	for j := range space.Y() {
		sets, err := prior.Enumerate(j)
		if err != nil {
			t.Fatal(err)
		}
		weights, sum := make([]float64, len(sets)), 0.0
		for k, z := range sets {
			weights[k] = 1
			for _, e := range prior.Likely { // by the definition, not by LogWeights
				if e.Y == j && z.Has(e.X) {
					weights[k] *= e.P
				} else if e.Y == j {
					weights[k] *= 1 - e.P
				}
			}
			sum += weights[k]
		}
		for k := range weights {
			weights[k] /= sum
		}
		g = append(g, sets[fmdp.Draw(rng.Rand, weights)])
	}
	return g
}

// drawTruth draws a model from a prior: its graph, and rows from Dirichlet(α). The rewards do not
// depend on the graph.
func drawTruth(t *testing.T, prior *bigraph.Prior, space *fmdp.Space, alpha float64, rng *posterior.Stream) *fmdp.Model {
	t.Helper()
	m := &fmdp.Model{Space: *space, Horizon: 15, Initial: fmdp.Uniform(space.States())}
	for _, z := range drawGraph(t, prior, space, rng) {
		f := fmdp.Factor{Given: z.Parents(), Size: 2}
		f.P = make([]float64, 2*space.Rows(f.Given))
		for row := range space.Rows(f.Given) {
			make(posterior.Counts, 2).Sample(rng.Rand, alpha, f.Row(row))
		}
		m.Transition = append(m.Transition, f)
	}
	m.Reward = []fmdp.Reward{{Given: []int{0, 1, 2}, Mean: []float64{0, 0.2, 0.9, 0.4, 0.1, 1, 0.3, 0.6}, Kind: fmdp.Bernoulli, Scale: 1, Of: -1}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// softPrior returns a prior with a known edge, a forbidden edge and likely edges, whose
// probabilities are told(p).
func softPrior(dX int, told func(p float64) float64) *bigraph.Prior {
	p := &bigraph.Prior{X: dX, Known: bigraph.Bigraph{bigraph.Of(0), bigraph.Of(), bigraph.Of()}, Forbidden: bigraph.Bigraph{bigraph.Of(), bigraph.Of(4), bigraph.Of()}, Sparseness: 3}
	for _, e := range []bigraph.Edge{{X: 1, Y: 0, P: 0.9}, {X: 3, Y: 0, P: 0.1}, {X: 0, Y: 1, P: 0.8}, {X: 1, Y: 1, P: 0.8}, {X: 2, Y: 2, P: 0.95}, {X: 3, Y: 2, P: 0.2}, {X: 4, Y: 2, P: 0.05}} {
		e.P = told(e.P)
		p.Likely = append(p.Likely, e)
	}
	return p
}

// Posterior sampling with probabilities of edges is exact: with truths drawn from the
// prior, the sampled and the true model have one law given the history. Oracle: the
// identities of exchangeability, to 4 standard errors; an agent that is told other
// probabilities, or of another α, fails them. (Package experiment tests priors without
// probabilities.)
//
//	go test ./core/agent -run TestExchangeableSoft -v -exchangeable 6000
func TestExchangeableSoft(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where the same numbers are drawn")
	}
	runs := *exchangeable
	space := binary(3, 2)
	for _, c := range []struct {
		name        string
		told        func(p float64) float64
		rows, alpha float64 // α of the true rows, and the agent's
		holds       bool
	}{
		{"the prior's", func(p float64) float64 { return p }, 1, 1, true},
		{"the prior's, with α = 0.2", func(p float64) float64 { return p }, 0.2, 0.2, true},
		{"the prior's, with α = 1 where 0.2 is true", func(p float64) float64 { return p }, 0.2, 1, false},
		{"nothing", func(float64) float64 { return 0.5 }, 1, 1, false},
		{"too sure", func(p float64) float64 { return p * p * p / (p*p*p + (1-p)*(1-p)*(1-p)) }, 1, 1, false},
	} {
		law := softPrior(5, func(p float64) float64 { return p })
		var alpha concentration.Concentration
		if err := alpha.Parse(strconv.FormatFloat(c.alpha, 'g', -1, 64)); err != nil {
			t.Fatal(err)
		}
		worst := missed(t, runs, false, func(run uint64) (*fmdp.Model, *agent.Task) {
			m := drawTruth(t, law, space, c.rows, stream(1<<20+run))
			return m, &agent.Task{Prior: softPrior(5, c.told), Law: posterior.Law{Rows: alpha}}
		})
		t.Logf("told %s: missed by up to %.1f standard errors", c.name, worst)
		if (worst < 4) != c.holds {
			t.Errorf("told %s: the identities are missed by up to %.1f standard errors; they hold: %v", c.name, worst, c.holds)
		}
	}
}

// missed plays C-PSRL, which may have to learn the rewards, in models with its tasks, and returns by how many standard errors an identity
// of exchangeability is missed at most.
func missed(t *testing.T, runs int, learned bool, draw func(run uint64) (*fmdp.Model, *agent.Task), change ...func(*agent.Task)) float64 {
	t.Helper()
	episodes := []int{1, 2, 4, 8, 16}
	differences := make([][]float64, 3*len(episodes))
	for run := range uint64(runs) {
		m, task := draw(run)
		task.Space, task.Horizon, task.Payoffs, task.Truth, task.Ends = &m.Space, m.Horizon, m.Reward, m.Graph(), m.Endings()
		if !learned {
			task.Known = true
		}
		for _, f := range change {
			f(task)
		}
		a, err := agent.NewCausal(task, task.Prior)
		if err != nil {
			t.Fatal(err)
		}
		mdp, err := planning.FromModel(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, best := planning.Solve(mdp)
		for e, err := range agent.Episodes(t.Context(), a, agent.NewSimulation(m, stream(2<<20+run).Rand), task.Exact(), stream(3<<20+run), nil) {
			if err != nil {
				t.Fatal(err)
			}
			at := slices.Index(episodes, e.Number)
			if at < 0 {
				continue
			}
			s := bigraph.Compare(e.Model.Graph, m.Graph(), bigraph.Of())
			for k, d := range []float64{s.Recall - s.Precision, float64(e.Model.Graph.Edges() - m.Graph().Edges()), e.Policy.(*agent.Table).Values.Value(m.Initial) - best.Value(m.Initial)} {
				differences[3*at+k] = append(differences[3*at+k], d)
			}
			if at == len(episodes)-1 {
				break
			}
		}
	}
	worst := 0.0
	for _, list := range differences {
		mean, squares := 0.0, 0.0
		n := float64(len(list))
		for _, d := range list {
			mean += d / n
		}
		for _, d := range list {
			squares += (d - mean) * (d - mean)
		}
		worst = max(worst, math.Abs(mean)/math.Sqrt(squares/(n-1)/n))
	}
	return worst
}

// drawTied draws the table of a set from the prior of tied rows with a mixed α, by the definition.
func drawTied(space *fmdp.Space, j int, given []int, rng *posterior.Stream) fmdp.Factor {
	f := fmdp.Factor{Given: given, Size: space.State[j].Size}
	f.P = make([]float64, f.Size*space.Rows(given))
	draw := func(rows ...int) {
		row := make([]float64, f.Size)
		make(posterior.Counts, f.Size).Sample(rng.Rand, []float64{0.01, 0.1, 1}[rng.IntN(3)], row)
		for _, r := range rows {
			copy(f.Row(r), row)
		}
	}
	if len(given) == 0 || rng.IntN(2) == 0 { // τ = ½
		for row := range space.Rows(given) {
			draw(row)
		}
		return f
	}
	var weighted []int // each parent as often as its weight V − 1
	for _, i := range given {
		weighted = append(weighted, slices.Repeat([]int{i}, space.Var(i).Size-1)...)
	}
	i := weighted[rng.IntN(len(weighted))]
	point := make([]int, space.X())
	for x := range space.Points() {
		first := true // whether x is the first point of a context
		for k, v := range space.Point(point, x) {
			first = first && (v == 0 || k != i && slices.Contains(given, k))
		}
		if !first {
			continue
		}
		var rows []int
		for v := range space.Var(i).Size {
			point[i] = v
			rows = append(rows, space.Row(given, point))
		}
		switch {
		case rng.IntN(2) == 0: // 1 − w = ½
			draw(rows...)
		case len(rows) == 2 || rng.IntN(2) == 0:
			for _, r := range rows {
				draw(r)
			}
		default:
			a := rng.IntN(len(rows))
			draw(rows[a])
			draw(slices.Delete(rows, a, a+1)...)
		}
	}
	return f
}

// drawTree draws the table of a set from the prior of decision trees with a mixed α, by the definition.
func drawTree(space *fmdp.Space, j int, given []int, rng *posterior.Stream) fmdp.Factor {
	f := fmdp.Factor{Given: given, Size: space.State[j].Size}
	f.P = make([]float64, f.Size*space.Rows(given))
	point := make([]int, space.X())
	var each func(box [][]int, do func(row int))
	each = func(box [][]int, do func(row int)) {
		if len(box) == 0 {
			do(space.Row(given, point))
			return
		}
		for _, v := range box[0] {
			point[given[len(given)-len(box)]] = v
			each(box[1:], do)
		}
	}
	var grow func(box [][]int, free []int)
	grow = func(box [][]int, free []int) {
		kind := 0 // a leaf
		if len(free) > 0 {
			kind = rng.IntN(3)
		}
		with := func(k int, values ...int) [][]int {
			box := slices.Clone(box)
			box[k] = values
			return box
		}
		var split func(box [][]int, along []int)
		split = func(parts [][]int, along []int) {
			if len(along) == 0 {
				grow(parts, nil)
				return
			}
			for _, v := range parts[along[0]] {
				next := slices.Clone(parts)
				next[along[0]] = []int{v}
				split(next, along[1:])
			}
		}
		switch kind {
		case 0:
			row := make([]float64, f.Size)
			make(posterior.Counts, f.Size).Sample(rng.Rand, []float64{0.01, 0.1, 1}[rng.IntN(3)], row)
			each(box, func(r int) { copy(f.Row(r), row) })
		case 1:
			split(box, free)
		case 2:
			at := rng.IntN(len(free))
			k := free[at]
			rest := slices.Delete(slices.Clone(free), at, at+1)
			if values := box[k]; len(values) > 2 && rng.IntN(2) == 0 {
				a := rng.IntN(len(values))
				grow(with(k, values[a]), rest)
				grow(with(k, slices.Delete(slices.Clone(values), a, a+1)...), rest)
			} else {
				for _, v := range values {
					grow(with(k, v), rest)
				}
			}
		}
	}
	var box [][]int
	var free []int
	for k, i := range given {
		box, free = append(box, nil), append(free, k)
		for v := range space.Var(i).Size {
			box[k] = append(box[k], v)
		}
	}
	grow(box, free)
	return f
}

// Posterior sampling with tied rows or with trees, and a mixed α, is exact. Variables have two or three values, so
// that parents have different shares of the ties. Oracle: the identities of exchangeability, to 4
// standard errors. An agent without ties, one with ties where there are trees, and truths from
// Dirichlet(1) fail them.
//
//	go test ./core/agent -run TestExchangeableTied -v -exchangeable 6000
func TestExchangeableTied(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where the same numbers are drawn")
	}
	mix := concentration.Mix()
	for _, c := range []struct {
		name  string
		truth func(space *fmdp.Space, j int, given []int, rng *posterior.Stream) fmdp.Factor // nil: its rows are Dirichlet(1)
		law   posterior.Law
		holds bool
	}{
		{"tied rows", drawTied, posterior.Law{Rows: mix, Structure: concentration.Tied}, true},
		{"rows without ties where they are tied", drawTied, posterior.Law{Rows: mix}, false},
		{"tied rows where all are Dirichlet(1)", nil, posterior.Law{Rows: mix, Structure: concentration.Tied}, false},
		{"trees", drawTree, posterior.Law{Rows: mix, Structure: concentration.Trees}, true},
		{"tied rows where there are trees", drawTree, posterior.Law{Rows: mix, Structure: concentration.Tied}, false},
	} {
		prior := softPrior(5, func(p float64) float64 { return p })
		worst := missed(t, *exchangeable, false, func(run uint64) (*fmdp.Model, *agent.Task) {
			rng := stream(4<<20 + run)
			space := binary(3, 2)
			space.State[1].Size, space.Action[0].Size = 3, 3
			m := &fmdp.Model{Space: *space, Horizon: 15, Initial: fmdp.Uniform(space.States())}
			for j, z := range drawGraph(t, prior, space, rng) {
				f := fmdp.Factor{Given: z.Parents(), Size: space.State[j].Size}
				if f.P = make([]float64, f.Size*space.Rows(f.Given)); c.truth != nil {
					f = c.truth(space, j, f.Given, rng)
				} else {
					for row := range space.Rows(f.Given) {
						make(posterior.Counts, f.Size).Sample(rng.Rand, 1, f.Row(row))
					}
				}
				m.Transition = append(m.Transition, f)
			}
			mean := make([]float64, 12)
			for k := range mean {
				mean[k] = float64(k*7%12) / 11
			}
			m.Reward = []fmdp.Reward{{Given: []int{0, 1, 2}, Mean: mean, Kind: fmdp.Bernoulli, Scale: 1, Of: -1}}
			if err := m.Validate(); err != nil {
				t.Fatal(err)
			}
			return m, &agent.Task{Prior: prior, Law: c.law}
		})
		t.Logf("%s: missed by up to %.1f standard errors", c.name, worst)
		if (worst < 4) != c.holds {
			t.Errorf("%s: the identities are missed by up to %.1f standard errors; they hold: %v", c.name, worst, c.holds)
		}
	}
}

// Posterior sampling with ends and payoffs that are learned on arrival is exact, and so it is with a law
// that is told. Oracle: the identities of exchangeability, to 4 standard errors. An agent that does not
// know the ends fails them.
//
//	go test ./core/agent -run TestExchangeableEnds -v -exchangeable 6000
func TestExchangeableEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where the same numbers are drawn")
	}
	for _, c := range []struct {
		name        string
		told, knows bool
		holds       bool
	}{
		{"the ends", false, true, true},
		{"the ends and a law", true, true, true},
		{"no ends", false, false, false},
	} {
		space := binary(3, 2)
		prior := softPrior(5, func(p float64) float64 { return p })
		worst := missed(t, *exchangeable, true, func(run uint64) (*fmdp.Model, *agent.Task) {
			rng := stream(5<<20 + run)
			m := drawTruth(t, prior, space, 1, rng)
			m.Ends = []fmdp.Ending{{Given: []int{0, 2}, Is: [][]int{{1, 1}}}}
			mean := make([]float64, 8)
			for k := range mean {
				mean[k] = rng.Float64() // Beta(1, 1)
			}
			m.Reward = []fmdp.Reward{{Given: []int{1, m.X(), m.X() + 2}, Mean: mean, Kind: fmdp.Bernoulli, Scale: 1, Of: -1}}
			if err := m.Validate(); err != nil {
				t.Fatal(err)
			}
			task := &agent.Task{Prior: prior}
			if c.told {
				task.Told = []*fmdp.Factor{nil, &m.Transition[1], nil}
			}
			return m, task
		}, func(task *agent.Task) {
			if !c.knows {
				task.Ends = nil
			}
		})
		t.Logf("told %s: missed by up to %.1f standard errors", c.name, worst)
		if (worst < 4) != c.holds {
			t.Errorf("told %s: the identities are missed by up to %.1f standard errors; they hold: %v", c.name, worst, c.holds)
		}
	}
}

// Posterior sampling is exact for payoffs whose parents are learned, with a declared range. Oracle: the
// identities of exchangeability, to 4 standard errors. An agent that is told wrong parents fails them.
//
//	go test ./core/agent -run TestExchangeablePayoffs -v -exchangeable 6000
func TestExchangeablePayoffs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where the same numbers are drawn")
	}
	for _, c := range []struct {
		name  string
		wrong bool
		holds bool
	}{
		{"a prior over the parents of the payoff", false, true},
		{"wrong parents", true, false},
	} {
		space := binary(3, 2)
		prior := softPrior(5, func(p float64) float64 { return p })
		prior.Payoffs = &bigraph.Prior{X: 5, Known: bigraph.Bigraph{bigraph.Of(1)}, Likely: []bigraph.Edge{{X: 0, Y: 0, P: .8}, {X: 4, Y: 0, P: .3}}, Sparseness: 3}
		worst := missed(t, *exchangeable, true, func(run uint64) (*fmdp.Model, *agent.Task) {
			rng := stream(6<<20 + run)
			m := drawTruth(t, prior, space, 1, rng)
			one := *space
			one.State = one.State[:1]
			z := drawGraph(t, prior.Payoffs, &one, rng)[0]
			r := fmdp.Reward{Name: "profit", Hidden: true, Given: z.Parents(), Kind: fmdp.Fixed, Scale: 1, Of: -1, Lo: -3, Hi: 5}
			for range m.Rows(r.Given) {
				r.Mean = append(r.Mean, r.Lo+(r.Hi-r.Lo)*rng.Float64()) // Beta(1, 1) in the range
			}
			m.Reward = []fmdp.Reward{r}
			if err := m.Validate(); err != nil {
				t.Fatal(err)
			}
			told := *prior
			if c.wrong {
				told.Payoffs = &bigraph.Prior{X: 5, Known: bigraph.Bigraph{bigraph.Of(3)}, Sparseness: 1}
			}
			return m, &agent.Task{Prior: &told}
		})
		t.Logf("told %s: missed by up to %.1f standard errors", c.name, worst)
		if (worst < 4) != c.holds {
			t.Errorf("told %s: the identities are missed by up to %.1f standard errors; they hold: %v", c.name, worst, c.holds)
		}
	}
}
