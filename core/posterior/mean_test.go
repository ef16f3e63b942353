package posterior_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cpsrl/core/posterior"
)

// Oracle: the mean of 5000 samples, within 5 standard errors, for a fixed and for a learned
// concentration. Counts are those of the steps.
func TestMeanFactor(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under GOOS=js")
	}
	steps := randomSteps(rand.New(rand.NewPCG(7, 8)), space, 40)
	for _, text := range []string{"1", "0.3", "ess:2", "learn:0.1:1:4"} {
		law := posterior.Law{}
		if err := law.Rows.Parse(text); err != nil {
			t.Fatal(err)
		}
		sets := subsets(space)
		l := posterior.NewLocal(space, 1, sets, []int{0}, law)
		l.Observe(steps)
		for _, set := range []int{0, 3, len(sets) - 1} {
			mean := l.MeanFactor(set, nil)
			_, pays := l.MeanReward(0, set)
			const n = 5000
			sum, squares := make([]float64, len(mean.P)), make([]float64, len(mean.P))
			paid, paidSquares := make([]float64, len(pays)), make([]float64, len(pays))
			rng := rand.New(rand.NewPCG(9, uint64(set)))
			var table []float64
			for range n {
				f := l.SampleFactor(rng, set, table)
				table = f.P
				for k, p := range f.P {
					sum[k] += p / n
					squares[k] += p * p / n
				}
				_, means := l.SampleReward(rng, 0, set)
				for k, p := range means {
					paid[k] += p / n
					paidSquares[k] += p * p / n
				}
			}
			check := func(what string, got, sum, squares []float64) {
				t.Helper()
				for k := range got {
					if se := math.Sqrt(max(0, squares[k]-sum[k]*sum[k]) / n); math.Abs(got[k]-sum[k]) > 5*se+1e-12 {
						t.Errorf("%s, set %d, %s %d: %v, the mean of samples is %v", text, set, what, k, got[k], sum[k])
					}
				}
			}
			check("entry", mean.P, sum, squares)
			check("payoff", pays, paid, paidSquares)
			if !slices.Equal(mean.Given, sets[set].Parents()) || mean.Size != space.State[1].Size {
				t.Errorf("%s, set %d: a table over %v", text, set, mean.Given)
			}
		}
	}
}

// Oracle: counting.
func TestCounts(t *testing.T) {
	steps := randomSteps(rand.New(rand.NewPCG(7, 8)), space, 40)
	sets := subsets(space)
	l := posterior.NewLocal(space, 1, sets, nil, posterior.Law{})
	l.Observe(steps)
	for set, z := range sets {
		want := make(posterior.Counts, space.Rows(z.Parents())*space.State[1].Size)
		for _, s := range steps {
			want[space.Row(z.Parents(), s.Point)*space.State[1].Size+s.Next[1]]++
		}
		if got := l.Counts(set); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", z.Parents(), got, want)
		}
	}
}
