package experiment

import (
	"fmt"
	"math"
	"math/big"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/internal/loops"
)

// Term is one term of a bound on the Bayesian regret.
type Term struct {
	Name    string  `json:"name"` // the source of the regret, in the paper's words
	Formula string  `json:"formula"`
	Value   float64 `json:"value"`
	Printed bool    `json:"printed"` // whether Theorem 1 prints the term; the others are from its proof
}

// Rate returns the terms of Theorem 1's bound on the Bayesian regret, without constants
// and logarithms. The Bayesian regret is the mean over truths drawn from the prior; the
// regret of one truth can grow faster. The first two terms are printed: the regret of
// learning the transition model given the factorization, and the regret of learning the
// factorization. The others are from the proof. The theorem bounds C̄ = max_j |𝒵_j| by
// 2^(d_X−η), which is far more if Z is small, and leaves out two terms that do not grow
// with K. Variables Y with one value count neither in C̄ nor in η. N is the size of the
// largest variable; a Z above d_X counts as d_X. A term that no float64 can hold is the
// largest float64.
func Rate(space *fmdp.Space, prior *bigraph.Prior, horizon, episodes int) []Term {
	n := 1
	for i := range space.X() {
		n = max(n, space.Var(i).Size)
	}
	h, k, dY := float64(horizon), float64(episodes), float64(space.Y())
	z := float64(min(prior.MostZ(), space.X()))
	power := loops.Exp2(2.5*math.Log2(h) + (1+z/2)*math.Log2(float64(n)))
	most := 1.0
	for j := range space.Y() {
		if prior.Trivial.Has(j) {
			continue
		}
		sets, _ := new(big.Float).SetInt(prior.Count(j)).Float64()
		most = max(most, sets)
	}
	return []Term{
		{"learning the transition model", "H^(5/2) N^(1+Z/2) d_Y √K", min(power*dY*math.Sqrt(k), math.MaxFloat64), true},
		{"learning the factorization", "√(H 2^(d_X−η) K)", math.Sqrt(h * loops.Exp2(float64(space.X()-prior.Degree())) * k), true},
		{"the same by the proof", "√(H C̄ K), C̄ = max |𝒵_j|", math.Sqrt(h * most * k), false},
		{"left out: the transition model at first", "H² N^Z d_Y", min(h*h*loops.Exp2(z*math.Log2(float64(n)))*dY, math.MaxFloat64), false},
		{"left out: the factorization at first", "H² C̄ d_Y", h * h * most * dY, false},
	}
}

// Rate returns the terms of the bound for an agent with the spec's prior. The theorem
// assumes that the truth is drawn from the prior and that all consistent factorizations
// are equally likely. If the instance contradicts that, there are no terms, and silent is
// a sentence that says why.
func (in *Instance) Rate(episodes int) (terms []Term, silent string) {
	if silent = in.silence(); silent != "" {
		return []Term{}, silent
	}
	return Rate(&in.View.Space, in.Prior, in.View.Horizon, episodes), ""
}

// silence returns a sentence that says why Theorem 1 does not apply to the instance, or "".
func (in *Instance) silence() string {
	name := func(i, j int) string { return in.View.Var(i).Name + " → " + in.View.State[j].Name }
	if !in.Prior.Certain() {
		return "Theorem 1 says nothing here: the prior gives edges a probability, and the theorem takes consistent factorizations that are equally likely."
	}
	trivial := in.View.Trivial() // no data can tell whether their edges exist
	for j, z := range in.View.Graph() {
		if trivial.Has(j) {
			continue
		}
		for i := range in.Prior.Known[j].Without(z).Without(trivial).All() {
			return "Theorem 1 says nothing here: the prior knows the edge " + name(i, j) + ", which is not true."
		}
		if in.Prior.Forbidden != nil {
			for i := range z.Both(in.Prior.Forbidden[j]).Without(trivial).All() {
				return "Theorem 1 says nothing here: the prior forbids the edge " + name(i, j) + ", which is true."
			}
		}
		if most := in.Prior.MostParents(j); z.Without(trivial).Len() > most {
			return fmt.Sprintf("Theorem 1 says nothing here: %s has %d parents, and the prior admits %d at most.", in.View.State[j].Name, z.Without(trivial).Len(), most)
		}
	}
	return ""
}
