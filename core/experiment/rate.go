package experiment

import (
	"math"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
)

// Term is one term of the rate of Theorem 1.
type Term struct {
	Name    string  `json:"name"` // the source of the regret, in the paper's words
	Formula string  `json:"formula"`
	Value   float64 `json:"value"`
}

// Rate returns the two terms of Theorem 1's bound on the Bayesian regret, without
// constants and logarithms: the regret of learning the transition model given the
// factorization, and that of learning the factorization. N is the size of the
// largest variable; a Z above d_X counts as d_X.
func Rate(space *fmdp.Space, prior *bigraph.Prior, horizon, episodes int) []Term {
	n := 1
	for i := range space.X() {
		n = max(n, space.Var(i).Size)
	}
	h, k := float64(horizon), float64(episodes)
	z := float64(min(prior.Sparseness, space.X()))
	power := math.Exp2(2.5*math.Log2(h) + (1+z/2)*math.Log2(float64(n)))
	return []Term{
		{"learning the transition model", "H^(5/2) N^(1+Z/2) d_Y √K", power * float64(space.Y()) * math.Sqrt(k)},
		{"learning the factorization", "√(H 2^(d_X−η) K)", math.Sqrt(h * math.Exp2(float64(space.X()-prior.Degree())) * k)},
	}
}
