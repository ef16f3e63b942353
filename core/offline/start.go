package offline

import (
	"math"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
)

// Data returns the log as transitions from which agents that play the problem can start: what happened next, as far as the table has
// it, what was paid if that is learned, and whether the episode ended. An agent with the prior of [Problem.Document], and with the laws
// that the log was weighed with, then believes what the log says.
func (p *Problem) Data() (list []document.Transition) {
	log, m := p.Log, p.model
	step := func(x, y []int, paid float64, over int) {
		t := document.Transition{X: make([]int, 0, m.X()), Y: make([]int, 0, m.Y())}
		for j := range log.Space.State {
			t.X = append(t.X, x[j])
			if y == nil {
				t.Y = append(t.Y, fmdp.Unseen)
			} else {
				t.Y = append(t.Y, y[j])
			}
		}
		if p.over >= 0 {
			t.X, t.Y = append(t.X, 0), append(t.Y, over)
		}
		t.X = append(t.X, x[log.Space.Y():]...)
		if p.paid != nil && !math.IsNaN(paid) {
			t.Paid = []float64{paid}
		}
		if y != nil || t.Paid != nil || p.over >= 0 && over != fmdp.Unseen {
			list = append(list, t)
		}
	}
	for k, t := range log.Transitions {
		paid, over := math.NaN(), fmdp.Unseen
		if log.Paid != nil {
			paid = log.Paid[k]
		}
		if log.Over != nil {
			over = truth(log.Over[k])
		}
		step(t.X, t.Y, paid, over)
	}
	for _, s := range log.Last {
		over := fmdp.Unseen
		if s.Over || s.Goes {
			over = truth(s.Over)
		}
		step(s.X, nil, s.Paid, over)
	}
	return list
}

// before returns the prior by which the log was weighed, as one of the problem: of the end of an episode and of payoffs nothing is
// known, and no edge starts from the former, which no step leaves.
func (p *Problem) before() *document.Stated {
	of := p.Answer.PriorFile
	z := document.SparsenessOf(of.Prior, of.Space)
	edges := document.PriorEdges(of.Prior, of.Space)
	if p.over >= 0 {
		for _, v := range p.model.State {
			edges = append(edges, document.Edge{From: p.model.State[p.over].Name, To: v.Name, P: 0})
		}
		if p.paid != nil {
			edges = append(edges, document.Edge{From: p.model.State[p.over].Name, To: p.model.Reward[0].Name, P: 0})
		}
	}
	return &document.Stated{Sparseness: &z, Edges: document.Alone(edges...)}
}
