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
			w := l.exactly(k)
			if l.law.Sets != nil {
				w += l.law.Sets[k]
			}
			some = append(some, w)
		}
	}
	return min(0, logSum(some)-logSum(l.logWeights)) // rounding may give more than 0
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
