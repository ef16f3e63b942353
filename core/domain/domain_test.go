package domain_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"cpsrl/core/bigraph"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
)

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0xd0)) }

// problems builds problems from one seed: one of each kind with its defaults, one of a model,
// and some with the paper's or the least parameters.
func problems(t testing.TB, seed uint64) map[string]*domain.Problem {
	t.Helper()
	list := map[string]*domain.Problem{}
	type problem struct {
		domain domain.Domain
		given  domain.Given
	}
	cases := map[string]problem{
		"random, the paper's": {&domain.Random{StateVariables: 6, ActionVariables: 3, Values: 2, Parents: 5, Horizon: 100}, domain.Given{MostParents: 5, Eta: 2}},
		"random, uniform":     {&domain.Random{StateVariables: 4, ActionVariables: 1, Values: 3, Parents: domain.UniformParents, Horizon: 5}, domain.Given{MostParents: 3, Eta: 1}},
		"random, one value":   {&domain.Random{StateVariables: 2, ActionVariables: 2, Values: 1, Parents: 4, Horizon: 1}, domain.Given{MostParents: 4, Eta: 2}},
		"random, 64 trivial":  {&domain.Random{StateVariables: 63, ActionVariables: 1, Values: 1, Parents: domain.UniformParents, Horizon: 1}, domain.Given{MostParents: 64, Eta: 64}},
		"taxi 3x3":            {&domain.Taxi{Grid: "3x3", Horizon: 12}, domain.Given{}},
		"taxi 5x5":            {&domain.Taxi{Grid: "5x5", Horizon: 12}, domain.Given{}},
	}
	for _, kind := range domain.Kinds() {
		if kind.Key == "model" { // it has no default; FromModel is below
			continue
		}
		d := kind.New()
		if err := param.Complete(d.Params); err != nil {
			t.Fatal(err)
		}
		cases[kind.Key] = problem{d, domain.Given{MostParents: d.Sparseness(), Eta: 2, Rewards: stream(seed + 1)}}
	}
	for name, c := range cases {
		p, err := c.domain.Build(stream(seed), c.given)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list[name] = p
	}
	list["a model"] = domain.FromModel(list["random, the paper's"].View, stream(seed))
	return list
}

// ranges are what a step may pay, by kind, if it is not 0 to 1. A document of the gallery says it by itself.
var ranges = map[string][2]float64{
	"sysadmin":   {-0.75, 10},
	"sepsis":     {-1, 1},
	"inventory":  {-28, 80},
	"river-swim": {0, 3},
}

// Every domain builds a valid model, an order of its true parents, nested graphs
// G_0(η) ⊆ z_*, rewards in their range, suggestions with reasons that are neither certain
// nor Suggested and forbid no true edge, and the same problem from the same seed.
func TestConformance(t *testing.T) {
	again := problems(t, 1)
	for name, p := range problems(t, 1) {
		t.Run(name, func(t *testing.T) {
			m := p.View
			if err := m.Validate(); err != nil {
				t.Fatal(err)
			}
			truth := m.Graph()
			if len(p.Reveal) != m.Y() || len(p.Suggested) != m.Y() {
				t.Fatalf("%d orders, %d suggestions for %d variables", len(p.Reveal), len(p.Suggested), m.Y())
			}
			for j, order := range p.Reveal {
				if !slices.Equal(slices.Sorted(slices.Values(order)), truth[j].Parents()) {
					t.Errorf("Y_%d: the order %v is not one of the true parents %v", j, order, truth[j].Parents())
				}
			}
			if !truth.Contains(p.Suggested) {
				t.Error("the suggested prior is not part of the truth")
			}
			edges := map[[2]int]bool{}
			for _, s := range p.Suggestions {
				edge := [2]int{s.X, s.Y}
				if edges[edge] || p.Suggested[s.Y].Has(s.X) || s.P < 0 || s.P >= 1 || s.P == 0 && truth[s.Y].Has(s.X) || !strings.HasSuffix(s.Why, ".") {
					t.Errorf("suggestion %+v", s)
				}
				edges[edge] = true
			}
			for eta := range m.X() + 2 {
				g := p.Revealed(eta)
				for j, z := range g {
					if z.Len() != min(eta, truth[j].Len()) {
						t.Errorf("G_0(%d) has %d parents of Y_%d", eta, z.Len(), j)
					}
				}
				if !p.Revealed(eta+1).Contains(g) || !truth.Contains(g) {
					t.Errorf("G_0(%d) is not part of G_0(%d) or of the truth", eta, eta+1)
				}
			}
			if !slices.Equal(p.Revealed(bigraph.MaxX), truth) {
				t.Error("G_0(64) is not the truth")
			}
			pays, known := ranges[name]
			switch {
			case p.File != nil:
				pays, known = [2]float64{math.Inf(-1), math.Inf(1)}, true
			case !known:
				pays = [2]float64{0, 1}
			}
			least, most := pays[0], pays[1]
			for f, r := range m.Reward {
				for row, mean := range r.Mean {
					if !known && (mean < 0 || mean > 1) {
						t.Errorf("reward factor %d has mean %v in row %d", f, mean, row)
					}
				}
			}
			if m.Initial != nil { // else no list holds R
				for x, r := range planning.Reward(m) {
					if r < least || r > most+1e-12 {
						t.Errorf("R(%d) = %v is not in [%v,%v]", x, r, least, most)
					}
				}
			}
			if other := again[name]; !reflect.DeepEqual(other.View, m) || fmt.Sprint(other.Reveal) != fmt.Sprint(p.Reveal) {
				t.Error("the same seed gave another problem")
			}
		})
	}
}

// gymnasium is the map of Gymnasium's Taxi-v3, as it prints it: a cell stands at
// column 2c+1, and ':' lets the taxi pass from cell to cell where '|' does not.
var gymnasium = []string{
	"|R: | : :G|",
	"| : | : : |",
	"| : : : : |",
	"| | : | : |",
	"|Y| : |B: |",
}

// open is the 3×3 grid without walls.
var open = []string{
	"| : : |",
	"| : : |",
	"| : : |",
}

const (
	row = iota
	col
	passenger
	destination
	move
)

// Oracle: the printed map and Gymnasium's rules, cell by cell and move by move, for the
// whole deterministic law and the reward.
func TestTaxi(t *testing.T) {
	for _, c := range []struct {
		grid            string
		picture         []string
		pickUp, deliver [2]int
	}{
		{"5x5", gymnasium, [2]int{0, 0}, [2]int{4, 0}},
		{"3x3", open, [2]int{0, 0}, [2]int{2, 2}},
	} {
		p, err := (&domain.Taxi{Grid: c.grid, Horizon: 15}).Build(nil, domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		m := p.View
		n := len(c.picture)
		if m.Horizon != 15 || m.State[row].Size != n || m.State[col].Size != n || m.State[passenger].Size != 2 || m.State[destination].Size != 1 || m.Actions() != 6 {
			t.Fatalf("%s: %+v", c.grid, m.Space)
		}
		joint, reward := make([]float64, m.Joint()), make([]float64, m.Points())
		fmdp.Joint(joint, &m.Space, m.Transition)
		copy(reward, planning.Reward(m))
		x := make([]int, m.X())
		for i := range m.Points() {
			m.Point(x, i)
			at := [2]int{x[row], x[col]}
			to, aboard, r := at, x[passenger], -1.0
			switch m.Var(move).Label(x[move]) {
			case "south":
				to[0] = min(at[0]+1, n-1)
			case "north":
				to[0] = max(at[0]-1, 0)
			case "east":
				if c.picture[at[0]][2*at[1]+2] == ':' {
					to[1]++
				}
			case "west":
				if c.picture[at[0]][2*at[1]] == ':' {
					to[1]--
				}
			case "pick up":
				if aboard == 0 && at == c.pickUp {
					aboard = 1
				} else {
					r = -10
				}
			case "drop off":
				if aboard == 1 && at == c.deliver {
					aboard, r = 0, 20
				} else {
					r = -10
				}
			default:
				t.Fatalf("move %d is %q", x[move], m.Var(move).Label(x[move]))
			}
			y := m.Index([]int{to[0], to[1], aboard, 0})
			if got := joint[i*m.States()+y]; got != 1 {
				t.Errorf("%s: %v does not lead to %v with passenger %d", c.grid, x, to, aboard)
			}
			if want := (r + 10) / 30; math.Abs(reward[i]-want) > 1e-15 {
				t.Errorf("%s: R(%v) = %v, want %v", c.grid, x, reward[i], want)
			}
		}
		// The numbers of the moves are Gymnasium's.
		if got := m.Action[0].Values; !slices.Equal(got, []string{"south", "north", "east", "west", "pick up", "drop off"}) {
			t.Errorf("moves %v", got)
		}
		// μ: any cell, the passenger waiting.
		for s, q := range m.Initial {
			state := m.Point(make([]int, m.Y()), s)
			want := 0.0
			if state[passenger] == 0 {
				want = 1 / float64(n*n)
			}
			if math.Abs(q-want) > 1e-15 {
				t.Errorf("μ(%v) = %v, want %v", state, q, want)
			}
		}
		if p.Grid.PickUp != c.pickUp || p.Grid.Destination != c.deliver || p.Grid.Rows != n || p.Grid.Columns != n {
			t.Errorf("%s: drawn as %+v", c.grid, p.Grid)
		}
		for _, w := range p.Grid.Walls {
			if c.picture[w[0]][2*w[1]+2] != '|' {
				t.Errorf("%s: no wall east of %v", c.grid, w)
			}
		}
	}
	// The grid has as many walls as the printed map has inside.
	p, _ := (&domain.Taxi{Grid: "5x5", Horizon: 15}).Build(nil, domain.Given{})
	if len(p.Grid.Walls) != 6 {
		t.Errorf("%d walls", len(p.Grid.Walls))
	}
}

// Oracle: the graphs by hand, from Gymnasium's rules.
func TestTaxiGraphs(t *testing.T) {
	for _, c := range []struct {
		grid             string
		truth, suggested bigraph.Bigraph
	}{
		{"5x5",
			bigraph.Bigraph{bigraph.Of(row, move), bigraph.Of(row, col, move), bigraph.First(5), bigraph.Of(destination)},
			bigraph.Bigraph{bigraph.Of(row, move), bigraph.Of(row, col, move), bigraph.Of(passenger, move), bigraph.Of(destination)}},
		{"3x3",
			bigraph.Bigraph{bigraph.Of(row, move), bigraph.Of(col, move), bigraph.First(5), bigraph.Of(destination)},
			bigraph.Bigraph{bigraph.Of(row, move), bigraph.Of(col, move), bigraph.Of(passenger, move), bigraph.Of(destination)}},
	} {
		p, err := (&domain.Taxi{Grid: c.grid, Horizon: 10}).Build(nil, domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.View.Graph(); !slices.Equal(got, c.truth) {
			t.Errorf("%s: truth %v", c.grid, got)
		}
		if !slices.Equal(p.Suggested, c.suggested) {
			t.Errorf("%s: suggested %v", c.grid, p.Suggested)
		}
		prior := bigraph.Prior{X: 5, Known: p.Suggested, Sparseness: 5, Trivial: p.View.Trivial()}
		if prior.Degree() != 2 {
			t.Errorf("%s: η = %d", c.grid, prior.Degree())
		}
		// The true graph is minimal: every parent of more than one value matters.
		for j := range p.View.Transition {
			f := &p.View.Transition[j]
			for k, i := range f.Given {
				if size := p.View.Var(i).Size; size > 1 && !matters(p.View, f, k) {
					t.Errorf("%s: %q does not depend on %q", c.grid, p.View.State[j].Name, p.View.Var(i).Name)
				}
			}
		}
	}
}

// matters reports whether the table has two different rows for assignments that differ
// only in the k-th given variable.
func matters(m *fmdp.Model, f *fmdp.Factor, k int) bool {
	stride := 1
	for _, i := range f.Given[k+1:] {
		stride *= m.Var(i).Size
	}
	size := m.Var(f.Given[k]).Size
	for r := range m.Rows(f.Given) {
		if r/stride%size > 0 && !slices.Equal(f.Row(r), f.Row(r-stride)) {
			return true
		}
	}
	return false
}

// Oracle: the paper's Figure 1.
func TestFigure1(t *testing.T) {
	p, err := (&domain.Figure1{Horizon: 10}).Build(stream(2), domain.Given{})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.View.Graph(); !slices.Equal(got, bigraph.Bigraph{bigraph.Of(0, 1, 2), bigraph.Of(1, 3)}) {
		t.Errorf("truth %v", got)
	}
	if !slices.Equal(p.Suggested, bigraph.Bigraph{bigraph.Of(0, 1), bigraph.Of(1, 3)}) {
		t.Errorf("known %v", p.Suggested)
	}
	prior := bigraph.Prior{X: 4, Known: p.Suggested, Sparseness: 3}
	if got := prior.CountAll().Int64(); got != 9 {
		t.Errorf("|𝒵| = %d", got)
	}
}

// chi tests counts against probabilities by Pearson's χ² at 1 in 10⁶.
func chi(t *testing.T, name string, count, p []float64) {
	t.Helper()
	n, stat := 0.0, 0.0
	for _, c := range count {
		n += c
	}
	for i := range p {
		d := count[i] - n*p[i]
		stat += d * d / (n * p[i])
	}
	if limit := (distuv.ChiSquared{K: float64(len(p) - 1)}).Quantile(1 - 1e-6); stat > limit {
		t.Errorf("%s: χ² = %.1f, above %.1f: %v", name, stat, limit, count)
	}
}

// subsets returns the 15 sets of at most 3 of 4 variables, the empty one first.
func subsets(t *testing.T) []bigraph.Scope {
	t.Helper()
	sets, err := (&bigraph.Prior{X: 4, Known: make(bigraph.Bigraph, 1), Sparseness: 3}).Enumerate(0)
	if err != nil {
		t.Fatal(err)
	}
	return sets
}

// Oracle: with d_X = 4, η = 1 and Z = 3, z_0 is one of 4 parents and z_* one of
// the 7 sets of at most 3 that contain it, so P(z_*) = |z_*|/28. (The variables
// of one problem are independent draws.)
func TestRandomUniformParents(t *testing.T) {
	rng := stream(3)
	r := domain.Random{StateVariables: 3, ActionVariables: 1, Values: 2, Horizon: 1, Parents: domain.UniformParents}
	sets := subsets(t)[1:]
	count, p := make([]float64, 14), make([]float64, 14)
	first := make([]float64, 4)
	for range 3000 {
		problem, err := r.Build(rng, domain.Given{MostParents: 3, Eta: 1})
		if err != nil {
			t.Fatal(err)
		}
		for j, z := range problem.View.Graph() {
			if z.Empty() || z.Len() > 3 {
				t.Fatalf("Y_%d ← %v", j, z.Parents())
			}
			count[slices.Index(sets, z)]++
			first[problem.Reveal[j][0]]++
			if problem.Suggested[j] != bigraph.Of(problem.Reveal[j][0]) {
				t.Fatal("the suggestion is not the first parent")
			}
		}
	}
	for z := range p {
		p[z] = float64(sets[z].Len()) / 28
	}
	chi(t, "true sets", count, p)
	chi(t, "known parents", first, []float64{0.25, 0.25, 0.25, 0.25})
}

// Own reward scopes do not change transitions. They have the law of parent sets with no
// known parents, are independent of the true parent sets, and come from the stream of
// rewards alone. Oracles: the same draw with tied scopes; with d_X = 4 and Z = 3 the 15
// sets of at most 3 are equally likely, whatever the true set is.
func TestRewardScopes(t *testing.T) {
	tied := domain.Random{StateVariables: 3, ActionVariables: 1, Values: 2, Horizon: 1, Parents: domain.UniformParents, RewardScopes: "tied"}
	own := tied
	own.RewardScopes = "own"
	sets, count, pairs := subsets(t), make([]float64, 15), make([]float64, 4)
	for seed := range uint64(3000) {
		given := domain.Given{MostParents: 3, Eta: 1}
		want, err := tied.Build(stream(seed), given)
		if err != nil {
			t.Fatal(err)
		}
		given.Rewards = stream(1 << 32)
		given.Rewards.Uint64()
		for range seed {
			given.Rewards.Uint64()
		}
		got, err := own.Build(stream(seed), given)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.View.Transition, want.View.Transition) || !reflect.DeepEqual(got.Reveal, want.Reveal) {
			t.Fatal("the transitions differ")
		}
		for j, r := range got.View.Reward {
			z := bigraph.Of(r.Given...)
			if r.Of != -1 || r.Scale != 1./3 || z.Len() > 3 || !slices.IsSorted(r.Given) {
				t.Fatalf("%+v", r)
			}
			if j == 0 {
				count[slices.Index(sets, z)]++
				at := 0
				if z.Has(0) {
					at = 1
				}
				if got.View.Graph()[j].Has(0) {
					at += 2
				}
				pairs[at]++
			}
		}
	}
	chi(t, "scopes", count, slices.Repeat([]float64{1. / 15}, 15))
	// Of the 15 sets 7 hold X1; of the 28 weights |z_*| of the true sets, 16 are of sets with X1:
	// 1 + 3·2 + 3·3.
	p, q := 7./15, 16./28
	chi(t, "scopes and true parents", pairs, []float64{(1 - p) * (1 - q), p * (1 - q), (1 - p) * q, p * q})
}

// Oracle: all pairs of 4 variables are equally likely; entries of a row of 3 are Beta(1,2)
// and mean rewards U(0,1), by Kolmogorov-Smirnov (2.72 is exceeded once in 10⁶).
func TestRandomLaw(t *testing.T) {
	rng := stream(4)
	r := domain.Random{StateVariables: 2, ActionVariables: 2, Values: 3, Parents: 2, Horizon: 7}
	pairs := map[bigraph.Scope]float64{}
	var entries, means []float64
	for range 600 {
		p, err := r.Build(rng, domain.Given{MostParents: 2, Eta: 2})
		if err != nil {
			t.Fatal(err)
		}
		m := p.View
		for j, f := range m.Transition {
			pairs[f.Scope()]++
			entries = append(entries, f.P[3])
			reward := m.Reward[j]
			means = append(means, reward.Mean[1])
			if reward.Of != j || reward.Scale != 0.5 || reward.Kind != fmdp.Bernoulli || !slices.Equal(reward.Given, f.Given) {
				t.Fatalf("reward %+v of %v", reward, f.Given)
			}
		}
		for _, q := range m.Initial {
			if q != 1.0/9 {
				t.Fatalf("μ = %v", m.Initial)
			}
		}
		if m.Horizon != 7 || len(m.Reward) != 2 {
			t.Fatalf("%+v", m)
		}
	}
	var count []float64
	for _, c := range pairs {
		count = append(count, c)
	}
	chi(t, "pairs of parents", count, slices.Repeat([]float64{1.0 / 6}, 6))
	for name, c := range map[string]struct {
		sample []float64
		cdf    func(float64) float64
	}{
		"row entries": {entries, distuv.Beta{Alpha: 1, Beta: 2}.CDF},
		"means":       {means, distuv.Uniform{Max: 1}.CDF},
	} {
		slices.Sort(c.sample)
		worst, n := 0.0, float64(len(c.sample))
		for i, x := range c.sample {
			worst = max(worst, c.cdf(x)-float64(i)/n, float64(i+1)/n-c.cdf(x))
		}
		if worst*math.Sqrt(n) > 2.72 {
			t.Errorf("%s: Kolmogorov-Smirnov statistic %.2f", name, worst*math.Sqrt(n))
		}
	}
}

// A problem beyond the limits is refused, and the error names the parameter to change.
func TestRandomTooLarge(t *testing.T) {
	for _, c := range []struct {
		r     domain.Random
		given domain.Given
		name  string
	}{
		{domain.Random{StateVariables: 63, ActionVariables: 1, Values: 1024, Horizon: 16384, Parents: domain.UniformParents}, domain.Given{MostParents: 5, Eta: 2}, "stateVariables"},
		{domain.Random{StateVariables: 19, ActionVariables: 2, Values: 2, Parents: 5, Horizon: 1}, domain.Given{}, "stateVariables"},
		{domain.Random{StateVariables: 1, ActionVariables: 1, Values: 512, Parents: 2, Horizon: 1}, domain.Given{}, "parents"},
		{domain.Random{StateVariables: 13, ActionVariables: 1, Values: 2, Parents: 2, Horizon: 16384}, domain.Given{}, "horizon"},
		{domain.Random{StateVariables: 2, ActionVariables: 1, Values: 2, Parents: 2}, domain.Given{}, "horizon"},
	} {
		_, err := c.r.Build(stream(5), c.given)
		if wrong, ok := err.(*param.Error); !ok || wrong.Name != c.name {
			t.Errorf("%+v: %v, want %s", c.r, err, c.name)
		}
	}
}

// A problem from a model suggests no edges and reveals parents in a uniformly random order.
func TestFromModel(t *testing.T) {
	p, err := (&domain.Random{StateVariables: 2, ActionVariables: 1, Values: 2, Parents: 3, Horizon: 1}).Build(stream(6), domain.Given{})
	if err != nil {
		t.Fatal(err)
	}
	rng, count := stream(7), make([]float64, 3)
	for range 2000 {
		q := domain.FromModel(p.View, rng)
		if q.Suggested.Edges() != 0 || q.View != p.View || q.Grid != nil {
			t.Fatalf("%+v", q)
		}
		count[q.Reveal[0][0]]++
	}
	chi(t, "first parents", count, slices.Repeat([]float64{1.0 / 3}, 3))
}

// Every picture suits the variables that agents see.
func TestPictures(t *testing.T) {
	drawn := 0
	for name, p := range problems(t, 1) {
		if p.Picture == nil {
			continue
		}
		drawn++
		if err := p.Picture.Check("", &p.View.Space); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if p.Grid != nil {
			t.Errorf("%s has a grid, too", name)
		}
	}
	if drawn == 0 {
		t.Error("no problem has a picture")
	}
}

func BenchmarkRandom(b *testing.B) {
	rng := stream(8)
	r := domain.Random{StateVariables: 6, ActionVariables: 3, Values: 2, Parents: 5, Horizon: 100}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Build(rng, domain.Given{MostParents: 5, Eta: 2}); err != nil {
			b.Fatal(err)
		}
	}
}

// The taxi's true graph: what the next value of each variable depends on.
func ExampleTaxi() {
	p, _ := (&domain.Taxi{Grid: "5x5", Horizon: 15}).Build(nil, domain.Given{})
	for j, z := range p.View.Graph() {
		fmt.Print(p.View.State[j].Name, " ←")
		for i := range z.All() {
			fmt.Print(" ", p.View.Var(i).Name)
		}
		fmt.Println()
	}
	// Output:
	// row ← row move
	// col ← row col move
	// passenger ← row col passenger destination move
	// destination ← destination
}

// A title cuts a long name between characters and has no subscripts.
func TestTitleOfModel(t *testing.T) {
	for name, want := range map[string]string{
		"":                             "A model",
		"my_coin":                      "my coin",
		strings.Repeat("é", 400):       strings.Repeat("é", 50) + "…",
		"x" + strings.Repeat("é", 400): "x" + strings.Repeat("é", 49) + "…",
	} {
		p, err := (&domain.Figure1{Horizon: 3}).Build(stream(1), domain.Given{})
		if err != nil {
			t.Fatal(err)
		}
		p.View.Name = name
		if got, _ := domain.NewCustom(p.View).Title(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A spec refuses a model whose canonical form is too long for a header. The sum of these rows is
// not quite 1, so each number becomes one of 20 digits.
func TestModelTooLarge(t *testing.T) {
	decode := func(size int) error {
		p := fmt.Sprint(1 / float64(size))
		row := "[" + strings.Repeat(p+",", size-1) + p + "0000001]"
		text := `{"format":"cpsrl/model","version":1,"horizon":1,"state":[{"name":"s","size":` + fmt.Sprint(size) + `}],"action":[{"name":"a","size":2}],` +
			`"initial":"uniform","transition":[{"of":"s","given":["s","a"],"p":[` + strings.Repeat(row+",", 2*size-1) + row + `]}],"reward":[]}`
		for _, p := range new(domain.Custom).Params() {
			if p.Document != nil {
				return p.Document.Decode([]byte(text))
			}
		}
		return errors.New("no parameter holds a model")
	}
	if err := decode(500); err != nil {
		t.Error(err)
	}
	if err := decode(1000); err == nil || !strings.Contains(err.Error(), "in canonical form, more than 24") {
		t.Error(err)
	}
}
