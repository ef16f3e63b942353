package posterior_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

func newSpace(state, action []int) *fmdp.Space {
	s := &fmdp.Space{}
	for i, n := range state {
		s.State = append(s.State, fmdp.Variable{Name: fmt.Sprint("s", i), Size: n})
	}
	for i, n := range action {
		s.Action = append(s.Action, fmdp.Variable{Name: fmt.Sprint("a", i), Size: n})
	}
	return s
}

var space = newSpace([]int{2, 3, 1}, []int{2, 3})

// evidence returns ln P(data | z) of each set of a belief.
func evidence(local *posterior.Local) []float64 {
	list := make([]float64, len(local.Sets()))
	for k := range list {
		list[k] = local.LogEvidence(k)
	}
	return list
}

// subsets lists all 2^d_X parent sets.
func subsets(s *fmdp.Space) []bigraph.Scope {
	sets, err := (&bigraph.Prior{X: s.X(), Known: bigraph.Bigraph{bigraph.Of()}, Sparseness: s.X()}).Enumerate(0)
	if err != nil {
		panic(err)
	}
	return sets
}

// randomSteps draws transitions in which Y_j depends on what came before; x is
// skewed so that rows are seen unequally often. Two reward factors are paid.
func randomSteps(rng *rand.Rand, s *fmdp.Space, n int) []posterior.Step {
	steps := make([]posterior.Step, n)
	for t := range steps {
		step := posterior.Step{Point: make([]int, s.X()), Next: make([]int, s.Y()), Paid: make([]uint8, 2)}
		for i := range step.Point {
			step.Point[i] = min(rng.IntN(s.Var(i).Size), rng.IntN(s.Var(i).Size+1))
		}
		for j := range step.Next {
			step.Next[j] = (step.Point[0] + rng.IntN(2)) % s.State[j].Size
		}
		step.Paid[0] = uint8(rng.IntN(2))
		step.Paid[1] = uint8(step.Point[1] & 1)
		steps[t] = step
	}
	return steps
}

// batchEvidence is the Dirichlet–multinomial evidence of outcomes with n values
// given the row each fell in: ∏_rows B(1+counts)/B(1), by log gammas.
func batchEvidence(rows, outcomes []int, n int) float64 { return evidenceOf(rows, outcomes, n, 1) }

// rowsOf returns the row of a table over z of each step, numbered arbitrarily.
func rowsOf(z bigraph.Scope, steps []posterior.Step) []int {
	names := map[string]int{}
	rows := make([]int, len(steps))
	for t, step := range steps {
		var key strings.Builder
		for i := range z.All() {
			fmt.Fprint(&key, step.Point[i], ",")
		}
		if _, ok := names[key.String()]; !ok {
			names[key.String()] = len(names)
		}
		rows[t] = names[key.String()]
	}
	return rows
}

func outcomes(steps []posterior.Step, of func(*posterior.Step) int) []int {
	list := make([]int, len(steps))
	for t := range steps {
		list[t] = of(&steps[t])
	}
	return list
}

// Oracle: the batch Dirichlet–multinomial ratio by Lgamma, for every set of
// every variable, with and without rewards that share its scope.
func TestEvidenceExact(t *testing.T) {
	rng := stream(10)
	steps := randomSteps(rng, space, 400)
	for j := range space.Y() {
		for _, rewards := range [][]int{nil, {1}, {0, 1}} {
			local := posterior.NewLocal(space, j, subsets(space), rewards, posterior.Law{})
			local.Observe(steps)
			for k, z := range local.Sets() {
				rows := rowsOf(z, steps)
				want := batchEvidence(rows, outcomes(steps, func(s *posterior.Step) int { return s.Next[j] }), space.State[j].Size)
				for _, f := range rewards {
					want += batchEvidence(rows, outcomes(steps, func(s *posterior.Step) int { return int(s.Paid[f]) }), 2)
				}
				if got := local.LogEvidence(k); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("Y_%d ← %v, rewards %v: ln P = %v, want %v", j, z.Parents(), rewards, got, want)
				}
			}
		}
	}
}

// Oracle: the paper's last line, ω_i ← ω_i·(α_i+1)/(Σ_t α_t+1), transcribed with
// α as a vector of its own for each set and row.
func TestEvidencePrinted(t *testing.T) {
	rng := stream(11)
	steps := randomSteps(rng, space, 60)
	for j := range space.Y() {
		n := space.State[j].Size
		local := posterior.NewLocal(space, j, subsets(space), nil, posterior.Law{Update: posterior.Printed})
		local.Observe(steps)
		for k, z := range local.Sets() {
			omega, alpha := 1.0, map[int][]float64{}
			for t, row := range rowsOf(z, steps) {
				if alpha[row] == nil {
					alpha[row] = make([]float64, n)
					for i := range alpha[row] {
						alpha[row][i] = 1
					}
				}
				i, sum := steps[t].Next[j], 0.0
				for _, a := range alpha[row] {
					sum += a
				}
				omega *= (alpha[row][i] + 1) / (sum + 1)
				alpha[row][i]++
			}
			if got, want := local.LogEvidence(k), math.Log(omega); math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
				t.Errorf("Y_%d ← %v: ln ω = %v, want %v", j, z.Parents(), got, want)
			}
		}
	}
}

// Where a next value is not known, what was paid weighs the sets all the same, whatever the law of the tables and wherever the rows come
// from. Oracle: a belief that has no payoffs and has seen the other steps, times the evidence of all payoffs.
func TestUnseenPaid(t *testing.T) {
	for name, s := range map[string]*fmdp.Space{"small": space, "wide": newSpace([]int{2, 3, 1}, []int{2, 3, 1 << 18})} {
		sets := subsets(space) // without the wide variable
		steps := randomSteps(stream(14), s, 300)
		var seen []posterior.Step
		for t := range steps {
			if t%3 == 0 || t > 250 {
				steps[t].Next[1] = fmdp.Unseen
			} else {
				seen = append(seen, steps[t])
			}
		}
		for _, of := range append(laws, struct {
			text      string
			structure concentration.Structure
		}{"1", concentration.Rows}) {
			for _, lean := range []bool{false, true} {
				law := posterior.Law{Rows: parsedRows(of.text), Structure: of.structure, Lean: lean}
				local, apart := posterior.NewLocal(s, 1, sets, []int{1}, law), posterior.NewLocal(s, 1, sets, nil, law)
				for at := 0; at < len(steps); at += 30 {
					local.Observe(steps[at : at+30])
				}
				apart.Observe(seen)
				for k, z := range sets {
					paid := outcomes(steps, func(s *posterior.Step) int { return int(s.Paid[1]) })
					want := apart.LogEvidence(k) + batchEvidence(rowsOf(z, steps), paid, 2)
					if got := local.LogEvidence(k); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
						t.Fatalf("%s, %+v, lean %t: ln P of %v is %v, want %v", name, of, lean, z.Parents(), got, want)
					}
				}
			}
		}
	}
}

// One batch, one by one, or in pieces: the same bits.
func TestObservePieces(t *testing.T) {
	steps := randomSteps(stream(12), space, 120)
	for _, update := range []posterior.Update{posterior.Exact, posterior.Printed} {
		build := func(cut func(k int) int) *posterior.Local {
			local := posterior.NewLocal(space, 1, subsets(space), []int{0}, posterior.Law{Update: update})
			for at := 0; at < len(steps); {
				n := min(cut(at), len(steps)-at)
				local.Observe(steps[at : at+n])
				at += n
			}
			return local
		}
		batch := build(func(int) int { return len(steps) })
		for name, cut := range map[string]func(int) int{
			"one by one": func(int) int { return 1 },
			"in pieces":  func(at int) int { return 1 + at%7 },
		} {
			other := build(cut)
			if name == "one by one" { // the same order of sums within a set and channel
				for k := range batch.Sets() {
					if d := math.Abs(batch.LogEvidence(k) - other.LogEvidence(k)); d > 1e-10 {
						t.Errorf("%s: evidence of set %d differs by %v", name, k, d)
					}
				}
			}
			for k := range batch.Sets() {
				a := batch.SampleFactor(stream(13), k, nil)
				b := other.SampleFactor(stream(13), k, nil)
				if !slices.Equal(a.P, b.P) {
					t.Errorf("%s: the counts of set %d differ", name, k)
				}
			}
		}
	}
	// With one channel the evidence agrees to the bit.
	whole := posterior.NewLocal(space, 1, subsets(space), nil, posterior.Law{})
	whole.Observe(steps)
	single := posterior.NewLocal(space, 1, subsets(space), nil, posterior.Law{})
	for t := range steps {
		single.Observe(steps[t : t+1])
	}
	if !slices.Equal(evidence(whole), evidence(single)) {
		t.Error("the evidence of a batch and of its steps differ in their bits")
	}
	whole.Observe(nil)
	if !slices.Equal(evidence(whole), evidence(single)) {
		t.Error("no evidence changed the evidence")
	}
}

// Rows from the table and rows computed point by point agree. Oracle: the same data in a
// small space, which has a table.
func TestWideSpace(t *testing.T) {
	small := newSpace([]int{2, 3}, []int{2, 2})
	wide := newSpace([]int{2, 3}, []int{2, 2, 1024})
	sets := slices.Repeat(subsets(small), 8)        // so many that the rows of so
	steps := randomSteps(stream(14), small, 10_000) // many steps are found in pieces
	a := posterior.NewLocal(small, 1, sets, []int{0}, posterior.Law{})
	b := posterior.NewLocal(wide, 1, sets, []int{0}, posterior.Law{})
	a.Observe(steps)
	for t := range steps {
		steps[t].Point = append(slices.Clone(steps[t].Point), 1000)
	}
	b.Observe(steps)
	if !slices.Equal(evidence(a), evidence(b)) {
		t.Error("evidence differs")
	}
	for k := range a.Sets() {
		if !slices.Equal(a.SampleFactor(stream(15), k, nil).P, b.SampleFactor(stream(15), k, nil).P) {
			t.Errorf("the tables of set %d differ", k)
		}
	}
}

// Oracle: normalised exponentials of the evidence, summed by edge by hand.
func TestProbabilities(t *testing.T) {
	local := posterior.NewLocal(space, 0, subsets(space), nil, posterior.Law{})
	uniform := local.Probabilities(make([]float64, len(local.Sets())))
	for _, p := range uniform {
		if p != 1.0/32 {
			t.Fatalf("the hyper-prior is not uniform: %v", uniform)
		}
	}
	if got := posterior.Entropy(uniform); math.Abs(got-5) > 1e-12 {
		t.Errorf("%v bits, want 5", got)
	}
	if local.Best() != 0 {
		t.Errorf("Best = %d, want the first of the ties", local.Best())
	}
	local.Observe(randomSteps(stream(16), space, 40))
	p := local.Probabilities(make([]float64, len(local.Sets())))
	weights, total := make([]float64, len(p)), 0.0
	for k, w := range evidence(local) {
		weights[k] = math.Exp(w)
		total += weights[k]
	}
	best, entropy := 0, 0.0
	edges := make([]float64, space.X())
	for k, z := range local.Sets() {
		want := weights[k] / total
		if math.Abs(p[k]-want) > 1e-12 {
			t.Errorf("P(%v) = %v, want %v", z.Parents(), p[k], want)
		}
		if p[k] > p[best] {
			best = k
		}
		entropy -= want * math.Log2(want)
		for i := range edges {
			if z.Has(i) {
				edges[i] += want
			}
		}
	}
	if local.Best() != best {
		t.Errorf("Best = %d, want %d", local.Best(), best)
	}
	if got := posterior.Entropy(p); math.Abs(got-entropy) > 1e-10 {
		t.Errorf("%v bits, want %v", got, entropy)
	}
	for i, got := range local.Edges(make([]float64, space.X()), p) {
		if math.Abs(got-edges[i]) > 1e-12 {
			t.Errorf("P(X_%d → Y) = %v, want %v", i, got, edges[i])
		}
	}
	if got := posterior.Entropy([]float64{0, 1, 0}); got != 0 {
		t.Errorf("the entropy of a certainty is %v", got)
	}
}

// Evidence far below the smallest float64 still gives probabilities.
func TestProbabilitiesFar(t *testing.T) {
	local := posterior.NewLocal(space, 1, subsets(space), nil, posterior.Law{})
	local.Observe(randomSteps(stream(17), space, 20000))
	p := local.Probabilities(make([]float64, len(local.Sets())))
	sum := 0.0
	for _, q := range p {
		if math.IsNaN(q) || q < 0 {
			t.Fatalf("%v", p)
		}
		sum += q
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("sums to %v", sum)
	}
	if got := local.Sets()[local.Best()]; got != bigraph.Of(0) {
		t.Errorf("the most probable parents are %v, want the true [0]", got.Parents())
	}
}

// Oracle: Pearson's χ² of the drawn sets against the probabilities, at 1 in 10⁶.
func TestSampleSet(t *testing.T) {
	local := posterior.NewLocal(space, 1, subsets(space), nil, posterior.Law{})
	local.Observe(randomSteps(stream(18), space, 25))
	p := local.Probabilities(make([]float64, len(local.Sets())))
	rng := stream(19)
	const n = 60000
	count := make([]float64, len(p))
	for range n {
		count[local.SampleSet(rng)]++
	}
	chi, free, rare, rareP := 0.0, -1.0, 0.0, 0.0
	for k, q := range p {
		if n*q < 10 { // too rare for χ² alone: together
			rare += count[k]
			rareP += q
			continue
		}
		d := count[k] - n*q
		chi += d * d / (n * q)
		free++
	}
	if n*rareP > 1 {
		d := rare - n*rareP
		chi += d * d / (n * rareP)
		free++
	}
	if limit := (distuv.ChiSquared{K: free}).Quantile(1 - 1e-6); chi > limit {
		t.Errorf("χ² = %.1f with %v degrees of freedom, above %.1f", chi, free, limit)
	}
}

// A single candidate set draws no random number.
func TestSampleSetOne(t *testing.T) {
	local := posterior.NewLocal(space, 0, []bigraph.Scope{bigraph.Of(1)}, nil, posterior.Law{})
	rng, twin := stream(20), stream(20)
	if local.SampleSet(rng) != 0 || rng.Uint64() != twin.Uint64() {
		t.Error("a number was drawn")
	}
}

// Oracle: the marginal of each row is Beta(1+c, 1+rest), by counting steps.
func TestSampleFactor(t *testing.T) {
	steps := randomSteps(stream(21), space, 100)
	z := bigraph.Of(0, 3)
	local := posterior.NewLocal(space, 1, []bigraph.Scope{bigraph.Of(), z}, []int{1}, posterior.Law{})
	local.Observe(steps)
	rng := stream(22)
	const n = 4000
	columns := make([][]float64, 4)
	means := make([][]float64, 4)
	dst := make([]float64, 0, 12)
	for range n {
		f := local.SampleFactor(rng, 1, dst)
		if !slices.Equal(f.Given, []int{0, 3}) || f.Size != 3 || len(f.P) != 12 {
			t.Fatalf("%+v", f)
		}
		if &f.P[0] != &dst[:1][0] {
			t.Fatal("the table is not dst's although it fits")
		}
		given, mean := local.SampleReward(rng, 0, 1)
		if !slices.Equal(given, f.Given) || len(mean) != 4 {
			t.Fatalf("reward given %v: %v", given, mean)
		}
		for row := range columns {
			columns[row] = append(columns[row], f.Row(row)[2])
			means[row] = append(means[row], mean[row])
		}
	}
	for row := range columns {
		seen, total, paid := 0, 0, 0
		for _, s := range steps {
			if s.Point[0]*2+s.Point[3] == row {
				total++
				if s.Next[1] == 2 {
					seen++
				}
				paid += int(s.Paid[1])
			}
		}
		law := distuv.Beta{Alpha: 1 + float64(seen), Beta: 2 + float64(total-seen)}
		kolmogorov(t, fmt.Sprint("row ", row), columns[row], law.CDF)
		law = distuv.Beta{Alpha: 1 + float64(paid), Beta: 1 + float64(total-paid)}
		kolmogorov(t, fmt.Sprint("reward row ", row), means[row], law.CDF)
	}
}

func TestCells(t *testing.T) {
	// Y_1 has 3 values: 3 counts and their sum; a reward 2 and theirs.
	sets := []bigraph.Scope{bigraph.Of(), bigraph.Of(0), bigraph.Of(0, 4)}
	if got, want := (&posterior.Law{}).Cells(space, 1, sets, 0), (1+2+6)*4; got != want {
		t.Errorf("%d cells, want %d", got, want)
	}
	if got, want := (&posterior.Law{}).Cells(space, 1, sets, 2), (1+2+6)*(4+6); got != want {
		t.Errorf("%d cells, want %d", got, want)
	}
	// Y_0 given X_0 and X_4, of 2 and 3 values, tied, with two α for the table: of each α a mass for each
	// of 6 rows and of 3 + 2 groups, and the pairs.
	tied := posterior.Law{Structure: concentration.Tied, Rows: parsedRows("learn:0.1:1")}
	if got, want := tied.Cells(space, 0, []bigraph.Scope{bigraph.Of(0, 4)}, 0), 6*3+2*(4*(6+3+2)+2*20); got != want {
		t.Errorf("%d cells with ties, want %d", got, want)
	}
	many := newSpace(slices.Repeat([]int{2}, 61), nil)
	if got := tied.Cells(many, 0, []bigraph.Scope{bigraph.First(60)}, 0); got != math.MaxInt {
		t.Errorf("%d cells with ties of 60 parents, not saturated", got)
	}
	huge := newSpace(slices.Repeat([]int{1 << 20}, 4), []int{2})
	if got := (&posterior.Law{}).Cells(huge, 0, []bigraph.Scope{bigraph.First(4), bigraph.First(4)}, 0); got != math.MaxInt {
		t.Errorf("%d cells, not saturated", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a belief that is too large did not panic")
		}
	}()
	posterior.NewLocal(huge, 0, []bigraph.Scope{bigraph.First(4)}, nil, posterior.Law{})
}

func paperLocal() (*posterior.Local, []posterior.Step) {
	s := newSpace(slices.Repeat([]int{2}, 6), slices.Repeat([]int{2}, 3))
	sets, _ := (&bigraph.Prior{X: 9, Known: bigraph.Bigraph{bigraph.Of(0, 1)}, Sparseness: 5}).Enumerate(0)
	return posterior.NewLocal(s, 0, sets, nil, posterior.Law{}), randomSteps(stream(23), s, 100)
}

func BenchmarkObserve(b *testing.B) {
	local, steps := paperLocal()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if n%200 == 199 { // as in an experiment, with counts of its size
			b.StopTimer()
			local, _ = paperLocal()
			b.StartTimer()
		}
		local.Observe(steps)
	}
}

func BenchmarkSampleFactor(b *testing.B) {
	local, steps := paperLocal()
	local.Observe(steps)
	rng := stream(24)
	var dst []float64
	b.ReportAllocs()
	for b.Loop() {
		dst = local.SampleFactor(rng, local.SampleSet(rng), dst).P
	}
}

// Y copies X_0 and X_1 is noise. By hand, the evidence of the four sets is
// 4!4!/9!, 1/5², 1/30² and 1/3⁴.
func ExampleLocal() {
	s := newSpace([]int{2, 2}, []int{1})
	sets := []bigraph.Scope{bigraph.Of(), bigraph.Of(0), bigraph.Of(1), bigraph.Of(0, 1)}
	local := posterior.NewLocal(s, 0, sets, nil, posterior.Law{})
	var steps []posterior.Step
	for k := range 8 {
		x, noise := k%2, k/2%2
		steps = append(steps, posterior.Step{Point: []int{x, noise, 0}, Next: []int{x, noise}})
	}
	local.Observe(steps)
	for k, p := range local.Probabilities(make([]float64, len(sets))) {
		fmt.Printf("%v %.3f\n", sets[k].Parents(), p)
	}
	// Output:
	// [] 0.029
	// [0] 0.727
	// [1] 0.020
	// [0 1] 0.224
}

// The side of a coin copies the flip. Which parents explain ten transitions?
func ExampleWeighing() {
	s := newSpace([]int{2}, []int{2}) // the side, and whether it is flipped
	prior := &bigraph.Prior{X: 2, Known: bigraph.Bigraph{bigraph.Of()}, Sparseness: 1}
	w, err := posterior.NewWeighing(s, prior, posterior.Law{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for w.Passes() > 0 { // once, unless the parent sets are too many
		err := w.Read(func(yield func(posterior.Step, error) bool) {
			for k := range 10 {
				flip := k % 2
				if !yield(posterior.Step{Point: []int{k / 2 % 2, flip}, Next: []int{flip}}, nil) {
					return
				}
			}
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	weights := w.Weights()
	for k, z := range weights[0].Sets {
		fmt.Printf("%v %.3f\n", z.Parents(), weights[0].P[k])
	}
	fmt.Printf("edges %.3f\n", weights[0].Edges)
	// Output:
	// [] 0.013
	// [0] 0.008
	// [1] 0.979
	// edges [0.008 0.979]
}

// The world and the belief of an agent draw from streams of their own, so the draws of
// one do not change the numbers of the other.
func ExampleNewNamedStream() {
	world := posterior.NewNamedStream(1, 0, "psrl world")
	belief := posterior.NewNamedStream(1, 0, "psrl belief")
	again := posterior.NewNamedStream(1, 0, "psrl world")
	first := world.IntN(1000)
	belief.IntN(1000)
	fmt.Println(first == again.IntN(1000), world.IntN(1000) == again.IntN(1000))
	// Output: true true
}

func TestUpdateOf(t *testing.T) {
	for k, word := range posterior.Updates() {
		if update, known := posterior.UpdateOf(word); !known || update != posterior.Update(k) || update.String() != word {
			t.Errorf("%s: %v, %v", word, update, known)
		}
	}
	if _, known := posterior.UpdateOf(""); known {
		t.Error("no word is an update")
	}
}
