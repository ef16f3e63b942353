package agent

import "cpsrl/core/bigraph"

// NewFactored returns F-PSRL: PSRL that takes the graph as given. That is C-PSRL if the graph
// is the only candidate. If the graph's tables are too large, the error is a
// *[posterior.TooLargeError]; if a reward factor cannot be learned, an *[UnlearnableError].
func NewFactored(t *Task, graph bigraph.Bigraph) (*Causal, error) {
	return NewCausal(t, Certain(graph, t.Space.X()))
}

// Stated returns the prior of an agent that takes the edges that a prior states as its whole graph: the
// [Certain] graph of the variables and of the payoffs whose parents are hidden.
func Stated(prior *bigraph.Prior, dX int) *bigraph.Prior {
	certain := Certain(prior.Stated(), dX)
	if prior.Payoffs != nil {
		certain.Payoffs = Certain(prior.Payoffs.Stated(), dX)
	}
	return certain
}

// Certain returns the prior over dX variables in which all edges of a graph are known and no
// variable may have more parents.
func Certain(graph bigraph.Bigraph, dX int) *bigraph.Prior {
	prior := &bigraph.Prior{X: dX, Known: graph}
	for _, z := range graph {
		prior.Each = append(prior.Each, z.Len())
	}
	return prior
}
