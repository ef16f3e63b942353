package posterior

import (
	"math"

	"cpsrl/core/bigraph"
)

// LogShare returns the logarithm of P_k,j(belongs(z)), which is −∞ if no set belongs. It
// does not underflow if the probability is small.
func (l *Local) LogShare(belongs func(z bigraph.Scope) bool) float64 {
	var some []float64
	for k, z := range l.sets {
		if belongs(z) {
			some = append(some, l.exactWeight(k))
		}
	}
	return min(0, logSum(some)-logSum(l.logWeights)) // rounding may give more than 0
}

// LogOdds returns ln of the odds of the most probable set that belongs against the most probable
// other, by P_k,j. If all sets belong or none does, ok is false.
func (l *Local) LogOdds(belongs func(z bigraph.Scope) bool) (odds float64, ok bool) {
	best := [2]float64{math.Inf(-1), math.Inf(-1)} // of those that belong, and of the others
	for _, current := range []bool{true, false} {
		for k, z := range l.sets {
			side := &best[1]
			if belongs(z) {
				side = &best[0]
			}
			switch {
			case l.current(k) != current:
			case current:
				*side = max(*side, l.logWeights[k])
			case l.logWeights[k] > *side: // it bounds the exact one
				*side = max(*side, l.exactWeight(k))
			}
		}
	}
	return best[0] - best[1], !math.IsInf(best[0], -1) && !math.IsInf(best[1], -1)
}

// logSum returns ln Σ exp(w) over the log weights w. The sum over none is −∞.
func logSum(logWeights []float64) float64 {
	largest := math.Inf(-1)
	for _, w := range logWeights {
		largest = max(largest, w)
	}
	if math.IsInf(largest, -1) {
		return largest
	}
	sum := 0.0
	for _, w := range logWeights {
		sum += exp(w - largest)
	}
	return largest + math.Log(sum)
}
