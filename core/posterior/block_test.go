package posterior

import (
	"math/rand/v2"
	"testing"

	"cpsrl/core/internal/loops"
)

// The evidence of blocks is the same, bit for bit, whatever tables have kept before. Oracles: tables that held every count
// from the beginning, and the sums of logarithms, computed anew.
func TestKeptRises(t *testing.T) {
	for name, alphas := range map[string][]float64{
		"one": {0.3}, "near": {0.01, 0.1, 1}, "five": {0.1, 0.2, 0.5, 1, 2}, "far": {1, 1e6}, "very far": {1e-6, 1e-3, 1, 1e3, 1e6},
	} {
		for _, size := range []int{2, 5} {
			for _, update := range Updates() {
				of, _ := UpdateOf(update)
				law := &Law{Update: of}
				var list []predictive
				for _, alpha := range alphas {
					list = append(list, law.plain(alpha, size))
				}
				kept, whole, bare := newRule(list, size, true), newRule(list, size, true), newRule(list, size, false)
				if whole.tables != nil {
					whole.tables.grow(loops.LogTableLen - 1)
				} else {
					whole = bare
				}
				if tabled := law.Tabled(alphas, size); tabled != (kept.tables != nil) || tabled != (name != "far" && name != "very far") {
					t.Errorf("%s, %d outcomes: tables %v, %v", name, size, kept.tables != nil, tabled)
				}
				rng := rand.New(rand.NewPCG(1, 2))
				counts, weights, want := make([]uint32, size), make([]float64, len(alphas)), make([]float64, len(alphas))
				for range 300 {
					sum := uint32(0)
					for y := range counts {
						counts[y] = uint32(rng.IntN(1 << rng.IntN(15)))
						sum += counts[y]
					}
					if got, want := kept.mass(counts, sum), whole.mass(counts, sum); got != want {
						t.Fatalf("%s: m(%v) = %v, want %v", name, counts, got, want)
					}
					if got, want := kept.exactly(counts, sum), bare.exactly(counts, sum); got != want {
						t.Fatalf("%s: by logarithms m(%v) = %v, want %v", name, counts, got, want)
					}
					kept.weights(weights, counts, sum)
					whole.weights(want, counts, sum)
					for a := range weights {
						if weights[a] != want[a] {
							t.Fatalf("%s: P(α | %v) = %v, want %v", name, counts, weights, want)
						}
					}
				}
				// What an episode asks for again is not computed again.
				if kept.tables == nil {
					for _, l := range kept.logged {
						if len(l.seen.kept) == 0 || l.seen.kept[counts[0]] != logRise(l.seen.of, int(counts[0])) {
							t.Errorf("%s: ln Γ(%v + %d) is not kept", name, l.seen.of, counts[0])
						}
					}
				}
			}
		}
	}
}
