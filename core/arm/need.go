package arm

import (
	"fmt"

	"cpsrl/core/agent"
)

// Need is something that an agent must be told of its [agent.Task].
type Need int

const (
	// Sparse is the degree of sparseness of the task's prior.
	Sparse Need = iota
	// GivenPrior is the task's prior with its edges.
	GivenPrior
	// NamedPrior is a prior that the agent names.
	NamedPrior
	// Revealed is a part of the true graph.
	Revealed
	// TrueGraph is the true graph.
	TrueGraph
	// TrueModel is the true model.
	TrueModel
)

var needs = []struct {
	words string
	met   func(t *agent.Task) bool
}{
	Sparse:     {"a degree of sparseness", func(t *agent.Task) bool { return t.Prior != nil }},
	GivenPrior: {"a prior", func(t *agent.Task) bool { return t.Prior != nil }},
	NamedPrior: {"a named prior", func(t *agent.Task) bool { return t.Named != nil }},
	Revealed:   {"edges of the true graph", func(t *agent.Task) bool { return t.Revealed != nil }},
	TrueGraph:  {"the true graph", func(t *agent.Task) bool { return t.Truth != nil }},
	TrueModel:  {"the true model", func(t *agent.Task) bool { return t.Model != nil }},
}

// String returns the need in words.
func (n Need) String() string { return needs[n].words }

func (n Need) met(t *agent.Task) bool { return needs[n].met(t) }

// UntoldError says that a task lacks what an agent must be told.
type UntoldError struct {
	Label string // of the agent
	Need  Need
	name  string // of the agent, as figures have it
}

func (e *UntoldError) Error() string {
	return fmt.Sprintf("%s must be told %s, which is not known here", e.name, e.Need)
}
