package posterior_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/posterior"
)

// concentrations holds examples of each kind and the least and largest numbers.
var concentrations = []string{"1", "0.1", "0.01", "2.5", "3", "0.000001", "1000000", "ess:1", "ess:30", "learn:0.01:0.1:1", "learn:2:0.5", "learn:0.3"}

func parsedRows(text string) (c concentration.Concentration) {
	if err := c.Parse(text); err != nil {
		panic(err)
	}
	return c
}

// evidenceOf is the batch Dirichlet–multinomial evidence ∏_rows B(α+counts)/B(α) of
// outcomes with n values given the row each fell in, by log gammas.
func evidenceOf(rows, outcomes []int, n int, alpha float64) float64 {
	counts := map[int][]float64{}
	for t, row := range rows {
		if counts[row] == nil {
			counts[row] = make([]float64, n)
		}
		counts[row][outcomes[t]]++
	}
	lgamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	sum := 0.0
	for _, c := range counts {
		total := 0.0
		for _, k := range c {
			sum += lgamma(alpha+k) - lgamma(alpha)
			total += k
		}
		sum += lgamma(alpha*float64(n)) - lgamma(alpha*float64(n)+total)
	}
	return sum
}

// alphasOf returns the values of α by the definition of each kind.
func alphasOf(text string, values, rows int) []float64 {
	var s float64
	if n, _ := fmt.Sscanf(text, "ess:%g", &s); n == 1 {
		return []float64{s / float64(values*rows)}
	}
	return parsedRows(text).Alphas(0, 0)
}

// Oracle: brute force over the sets and the α's by math.Lgamma, with variables of 1, 2 and
// 3 values, with and without rewards, whose means are Beta(1, 1) whatever α is.
func TestConcentration(t *testing.T) {
	steps := randomSteps(stream(30), space, 300)
	for _, text := range concentrations {
		for j := range space.Y() {
			for _, rewards := range [][]int{nil, {0, 1}} {
				local := posterior.NewLocal(space, j, subsets(space), rewards, posterior.Law{Rows: parsedRows(text)})
				for at := 0; at < len(steps); at += 100 {
					local.Observe(steps[at : at+100])
				}
				size := space.State[j].Size
				want := make([]float64, len(local.Sets()))
				joint := make([][]float64, len(want)) // ln P(data, α | z)
				for k, z := range local.Sets() {
					rows := rowsOf(z, steps)
					alphas := alphasOf(text, size, space.Rows(z.Parents()))
					sum := 0.0
					for _, alpha := range alphas {
						e := evidenceOf(rows, outcomes(steps, func(s *posterior.Step) int { return s.Next[j] }), size, alpha)
						for _, f := range rewards {
							e += evidenceOf(rows, outcomes(steps, func(s *posterior.Step) int { return int(s.Paid[f]) }), 2, 1)
						}
						joint[k] = append(joint[k], e)
						sum += math.Exp(e-joint[k][0]) / float64(len(alphas))
					}
					want[k] = joint[k][0] + math.Log(sum)
					tolerance := 1e-8 // Lgamma loses digits where its values are large
					if text == "1000000" {
						tolerance = 1e-4
					}
					if got := local.LogEvidence(k); math.Abs(got-want[k]) > tolerance*(1+math.Abs(want[k])) {
						t.Errorf("α %s, Y_%d ← %v, rewards %v: ln P = %v, want %v", text, j, z.Parents(), rewards, got, want[k])
					}
				}
				if text == "1000000" {
					continue
				}
				// The hyper-posterior and that of α.
				largest, total := slices.Max(want), 0.0
				for _, w := range want {
					total += math.Exp(w - largest)
				}
				p := local.Probabilities(make([]float64, len(want)))
				q := make([]float64, len(joint[0]))
				for k := range want {
					if math.Abs(p[k]-math.Exp(want[k]-largest)/total) > 1e-7 {
						t.Errorf("α %s, Y_%d: P(z_%d) = %v, want %v", text, j, k, p[k], math.Exp(want[k]-largest)/total)
					}
					for a := range q {
						q[a] += math.Exp(joint[k][a]-largest) / total / float64(len(q))
					}
				}
				for a, got := range local.Concentrations(make([]float64, len(q)), p) {
					if math.Abs(got-q[a]) > 1e-7 {
						t.Errorf("α %s, Y_%d: P(α_%d) = %v, want %v", text, j, a, got, q[a])
					}
				}
			}
		}
	}
}

// Oracle: equation (4) as printed, transcribed: ω_i ← ω_i·(α_i+1)/(Σ_t α_t+1), where α_i
// begins at α. If α is learned, ω is the mean over the list.
func TestConcentrationPrinted(t *testing.T) {
	steps := randomSteps(stream(31), space, 60)
	for _, text := range []string{"0.1", "2.5", "ess:1", "learn:0.01:0.1:1"} {
		for j := range space.Y() {
			n := space.State[j].Size
			local := posterior.NewLocal(space, j, subsets(space), nil, posterior.Law{Update: posterior.Printed, Rows: parsedRows(text)})
			local.Observe(steps)
			for k, z := range local.Sets() {
				mean := 0.0
				alphas := alphasOf(text, n, space.Rows(z.Parents()))
				for _, start := range alphas {
					omega, alpha := 1.0, map[int][]float64{}
					for t, row := range rowsOf(z, steps) {
						if alpha[row] == nil {
							alpha[row] = slices.Repeat([]float64{start}, n)
						}
						i, sum := steps[t].Next[j], 0.0
						for _, a := range alpha[row] {
							sum += a
						}
						omega *= (alpha[row][i] + 1) / (sum + 1)
						alpha[row][i]++
					}
					mean += omega / float64(len(alphas))
				}
				if got, want := local.LogEvidence(k), math.Log(mean); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("α %s, Y_%d ← %v: ln ω = %v, want %v", text, j, z.Parents(), got, want)
				}
			}
		}
	}
}

// Oracle: P(z | data) ∝ P(z)·P(data | z) by brute force over the sets, with the evidence
// by math.Lgamma, for edges of different probabilities and α = 1, another α or a learned
// one. Local and Weighing are both tested.
func TestSoftSets(t *testing.T) {
	steps := randomSteps(stream(36), space, 60)
	prior := &bigraph.Prior{
		X: space.X(), Known: bigraph.Bigraph{bigraph.Of(), bigraph.Of(4), bigraph.Of()}, Forbidden: bigraph.Bigraph{bigraph.Of(1), bigraph.Of(), bigraph.Of(0)}, Sparseness: 3,
		Likely: []bigraph.Edge{{X: 0, Y: 0, P: 0.9}, {X: 3, Y: 0, P: 0.001}, {X: 0, Y: 1, P: 0.02}, {X: 1, Y: 1, P: 0.7}},
	}
	w := func(j, i int) float64 {
		switch {
		case prior.Known[j].Has(i):
			return 1
		case prior.Forbidden[j].Has(i):
			return 0
		}
		for _, e := range prior.Likely {
			if e.Y == j && e.X == i {
				return e.P
			}
		}
		return 0.5
	}
	for _, text := range []string{"1", "0.1", "learn:0.1:1"} {
		weighed := weigh(t, prior, posterior.Law{Rows: parsedRows(text)}, posterior.MaxWeighed, steps)
		for j := range space.Y() {
			size := space.State[j].Size
			want, total := map[bigraph.Scope]float64{}, 0.0
			for _, z := range subsets(space) {
				p := 0.0
				for _, alpha := range alphasOf(text, size, space.Rows(z.Parents())) {
					p += math.Exp(evidenceOf(rowsOf(z, steps), outcomes(steps, func(s *posterior.Step) int { return s.Next[j] }), size, alpha))
				}
				for i := range space.X() {
					if z.Has(i) {
						p *= w(j, i)
					} else {
						p *= 1 - w(j, i)
					}
				}
				if z.Len() > 3 {
					p = 0
				}
				want[z] = p
				total += p
			}
			sets, err := prior.Enumerate(j)
			if err != nil {
				t.Fatal(err)
			}
			local := posterior.NewLocal(space, j, sets, nil, posterior.Law{Rows: parsedRows(text), Sets: prior.LogWeights(j, sets)})
			local.Observe(steps[:30])
			local.Observe(steps[30:])
			for name, p := range map[string][]float64{"belief": local.Probabilities(make([]float64, len(sets))), "file": weighed[j].P} {
				sum, best := 0.0, 0
				for k, z := range sets {
					if math.Abs(p[k]-want[z]/total) > 1e-9 {
						t.Errorf("α %s, %s of Y_%d: P(%v) = %v, want %v", text, name, j, z.Parents(), p[k], want[z]/total)
					}
					sum += want[z] / total
					if p[k] > p[best] {
						best = k
					}
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Errorf("sets are missing: they have %v together", sum)
				}
				if local.Best() != best {
					t.Errorf("the best set is %d, want %d", local.Best(), best)
				}
			}
			if !slices.Equal(evidence(local), weighed[j].LogEvidence) && text == "1" {
				t.Errorf("the prior is in the evidence")
			}
			rng, count := stream(37), make([]float64, len(sets))
			const n = 20000
			for range n {
				count[local.SampleSet(rng)]++
			}
			for k, z := range sets {
				p := want[z] / total
				if se := math.Sqrt(n*p*(1-p)) + 1; math.Abs(count[k]-n*p) > 5*se {
					t.Errorf("α %s, Y_%d: %v was drawn %v times, want %v ± %v", text, j, z.Parents(), count[k], n*p, 5*se)
				}
			}
		}
	}
}

// Oracle: the marginals of Dirichlet(α + counts) are Beta(α+c_i, Σ_l≠i α+c_l): mean and
// variance within 5 standard errors, and the whole law by Kolmogorov and Smirnov.
func TestDirichletOfAlpha(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js, where the same numbers are drawn")
	}
	for _, alpha := range []float64{0.01, 0.1, 0.5, 0.9, 1.5, 3, 40} {
		for _, counts := range []posterior.Counts{{0, 0}, {0, 3}, {0, 0, 0}, {2, 0, 1}, {7, 1, 20}, {0, 5, 0, 0, 2}} {
			name := fmt.Sprint("Dirichlet ", alpha, "+", counts)
			rng := stream(uint64(len(name)))
			const n = 20000
			total := 0.0
			for _, c := range counts {
				total += float64(c) + alpha
			}
			columns := make([][]float64, len(counts))
			dst := make([]float64, len(counts))
			for range n {
				counts.Sample(rng, alpha, dst)
				sum := 0.0
				for i, p := range dst {
					columns[i] = append(columns[i], p)
					sum += p
				}
				if !(math.Abs(sum-1) <= 1e-14) {
					t.Fatalf("%s: %v sums to %v", name, dst, sum)
				}
			}
			for i, c := range counts {
				a := float64(c) + alpha
				law := distuv.Beta{Alpha: a, Beta: total - a}
				moments(t, name, columns[i], law.Mean(), law.Variance(), law.ExKurtosis())
				for l := range i {
					b := float64(counts[l]) + alpha
					want := -a * b / (total * total * (total + 1))
					se := math.Sqrt((law.Variance()*distuv.Beta{Alpha: b, Beta: total - b}.Variance() + want*want) / n)
					if got := stat.Covariance(columns[i], columns[l], nil); math.Abs(got-want) > 7*se {
						t.Errorf("%s: covariance of %d and %d is %v, want %v ± %v", name, i, l, got, want, 7*se)
					}
				}
			}
			if alpha < 0.5 { // near 0 and 1 the law has atoms at the precision of a float64
				continue
			}
			for i, c := range counts {
				a := float64(c) + alpha
				kolmogorov(t, name, columns[i], distuv.Beta{Alpha: a, Beta: total - a}.CDF)
			}
		}
	}
}

// With the smallest α a row is a single outcome, and all outcomes are equally frequent:
// no variate underflows.
func TestTinyAlpha(t *testing.T) {
	for _, alpha := range []float64{1e-6, 1e-14} {
		rng := stream(33)
		count := make([]float64, 4)
		dst := make([]float64, 4)
		const n = 20000
		for range n {
			make(posterior.Counts, 4).Sample(rng, alpha, dst)
			for i, p := range dst {
				if p > 0.5 {
					count[i]++
				}
			}
		}
		want := slices.Repeat([]float64{n / 4}, 4)
		if chi := stat.ChiSquare(count, want); chi > (distuv.ChiSquared{K: 3}).Quantile(1-1e-6) {
			t.Errorf("α = %v: %v", alpha, count)
		}
	}
}

// Pairs (z, α) are drawn from their joint posterior. Oracle: the mean of a row's entry is
// Σ_α P(α | z) (α + c)/(2α + m).
func TestLearnedSample(t *testing.T) {
	s := newSpace([]int{2}, []int{1})
	local := posterior.NewLocal(s, 0, []bigraph.Scope{bigraph.Of()}, nil, posterior.Law{Rows: parsedRows("learn:0.01:0.1:1")})
	var steps []posterior.Step
	for k := range 7 {
		steps = append(steps, posterior.Step{Point: []int{0, 0}, Next: []int{k / 6}}) // six times 0, once 1
	}
	local.Observe(steps)
	p := local.Concentrations(make([]float64, 3), []float64{1})
	mean, square := 0.0, 0.0
	for a, alpha := range []float64{0.01, 0.1, 1} {
		law := distuv.Beta{Alpha: 1 + alpha, Beta: 6 + alpha}
		mean += p[a] * law.Mean()
		square += p[a] * (law.Variance() + law.Mean()*law.Mean())
	}
	rng := stream(34)
	const n = 40000
	sum := 0.0
	for range n {
		sum += local.SampleFactor(rng, 0, nil).P[1]
	}
	if se := math.Sqrt((square - mean*mean) / n); math.Abs(sum/n-mean) > 5*se {
		t.Errorf("mean %v, want %v ± %v", sum/n, mean, 5*se)
	}
}

// A given α draws random numbers only for the rows; a list draws α first.
func TestConcentrationDraws(t *testing.T) {
	for _, c := range []struct {
		text string
		same bool
	}{{"0.125", true}, {"ess:0.75", true}, {"learn:0.125", true}, {"learn:0.125:2", false}} {
		s := newSpace([]int{2}, []int{3})
		local := posterior.NewLocal(s, 0, []bigraph.Scope{bigraph.Of(1)}, nil, posterior.Law{Rows: parsedRows(c.text)})
		rng, twin := stream(35), stream(35)
		got := local.SampleFactor(rng, local.SampleSet(rng), nil).P
		want := make([]float64, 6)
		for at := 0; at < 6; at += 2 {
			make(posterior.Counts, 2).Sample(twin, 0.125, want[at:at+2])
		}
		if slices.Equal(got, want) != c.same {
			t.Errorf("%s: %v, and rows of α = 0.125 are %v", c.text, got, want)
		}
	}
}

func BenchmarkSampleRowsOfAlpha(b *testing.B) {
	for _, alpha := range []float64{1, 0.1, 2.5} {
		b.Run(fmt.Sprint(alpha), func(b *testing.B) {
			rng := posterior.NewStream(42)
			counts, dst := make(posterior.Counts, 512*64), make([]float64, 512*64)
			for i := range counts {
				if rng.IntN(10) == 0 {
					counts[i] = uint32(rng.IntN(4))
				}
			}
			for b.Loop() {
				posterior.SampleRows(rng, counts, 64, alpha, dst)
			}
		})
	}
}

func BenchmarkObserveOfAlpha(b *testing.B) {
	for _, text := range []string{"1", "0.1", "ess:1", "learn:0.01:0.1:1"} {
		b.Run(text, func(b *testing.B) {
			s := newSpace(slices.Repeat([]int{2}, 6), slices.Repeat([]int{2}, 3))
			sets, _ := (&bigraph.Prior{X: 9, Known: bigraph.Bigraph{bigraph.Of(0, 1)}, Sparseness: 5}).Enumerate(0)
			law := posterior.Law{Rows: parsedRows(text), Tables: new(posterior.Tables)}
			steps := randomSteps(stream(23), s, 100)
			local := posterior.NewLocal(s, 0, sets, nil, law)
			for n := 0; b.Loop(); n++ {
				if n%200 == 199 {
					b.StopTimer()
					local = posterior.NewLocal(s, 0, sets, nil, law)
					b.StartTimer()
				}
				local.Observe(steps)
			}
		})
	}
}

// FuzzEvidence checks that the evidence after any batches of steps is the batch evidence by
// Lgamma, for any shape, concentration and rewards.
func FuzzEvidence(f *testing.F) {
	f.Add(uint64(1), []byte{2, 1}, uint8(0), []byte{10, 3, 0, 40})
	f.Add(uint64(2), []byte{0, 2, 3}, uint8(7), []byte{1})
	f.Add(uint64(3), []byte{4}, uint8(9), []byte{255, 255})
	f.Fuzz(func(t *testing.T, seed uint64, shape []byte, which uint8, batches []byte) {
		if len(shape) == 0 || len(shape) > 3 || len(batches) > 4 {
			return
		}
		state := make([]int, len(shape))
		for i, n := range shape {
			state[i] = 1 + int(n)%5
		}
		s, rng := newSpace(state, []int{1 + int(seed%4)}), stream(seed)
		text := concentrations[int(which)%len(concentrations)]
		rewards := [][]int{nil, {0}, {0, 1}}[seed%3]
		j := int(seed>>8) % s.Y()
		local := posterior.NewLocal(s, j, subsets(s), rewards, posterior.Law{Rows: parsedRows(text)})
		var steps []posterior.Step
		for _, n := range batches {
			more := randomSteps(rng, s, int(n)%64)
			steps = append(steps, more...)
			local.Observe(more)
		}
		for k, z := range local.Sets() {
			rows := rowsOf(z, steps)
			given := 0.0
			for _, r := range rewards {
				given += evidenceOf(rows, outcomes(steps, func(s *posterior.Step) int { return int(s.Paid[r]) }), 2, 1)
			}
			var each []float64
			for _, alpha := range alphasOf(text, s.State[j].Size, s.Rows(z.Parents())) {
				each = append(each, given+evidenceOf(rows, outcomes(steps, func(s *posterior.Step) int { return s.Next[j] }), s.State[j].Size, alpha))
			}
			largest, sum := slices.Max(each), 0.0
			for _, e := range each {
				sum += math.Exp(e-largest) / float64(len(each))
			}
			want := largest + math.Log(sum)
			tolerance := 1e-8 // Lgamma loses digits where its values are large
			if text == "1000000" {
				tolerance = 1e-4
			}
			if got := local.LogEvidence(k); !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
				t.Errorf("α %s, Y_%d ← %v, rewards %v: ln P = %v, want %v", text, j, z.Parents(), rewards, got, want)
			}
		}
	})
}
