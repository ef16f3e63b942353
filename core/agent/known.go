package agent

import (
	"math"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
)

// known is the belief about a Y variable whose law the agent is told.
type known struct {
	space       *fmdp.Space
	y           int
	law         *fmdp.Factor
	sets        []bigraph.Scope // the parents of the law
	logEvidence float64
}

func newKnown(space *fmdp.Space, y int, law *fmdp.Factor) *known {
	return &known{space: space, y: y, law: law, sets: []bigraph.Scope{law.Scope()}}
}

// Observe adds the logarithms of the probabilities of what was seen.
func (k *known) Observe(steps []posterior.Step) {
	for t := range steps {
		if steps[t].Next[k.y] == fmdp.Unseen {
			continue
		}
		k.logEvidence += math.Log(k.law.Row(k.space.Row(k.law.Given, steps[t].Point))[steps[t].Next[k.y]])
	}
}

func (k *known) Sets() []bigraph.Scope { return k.sets }

func (k *known) Probabilities(dst []float64) []float64 {
	dst[0] = 1
	return dst
}

func (k *known) Edges(dst, _ []float64) []float64 {
	for i := range dst {
		dst[i] = 0
		if k.sets[0].Has(i) {
			dst[i] = 1
		}
	}
	return dst
}

func (k *known) Best() int               { return 0 }
func (k *known) LogEvidence(int) float64 { return k.logEvidence }

func (k *known) LogShare(belongs func(z bigraph.Scope) bool) float64 {
	if belongs(k.sets[0]) {
		return 0
	}
	return math.Inf(-1)
}

func (k *known) LogOdds(func(z bigraph.Scope) bool) (odds float64, ok bool) { return 0, false }

func (k *known) MeanFactor(int, []float64) fmdp.Factor { return *k.law }
