package experiment

import (
	"errors"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

// The packages of the mathematics return typed errors. This file puts them at their
// places in a spec.

// inDomain puts an error of building a domain at its place in the spec.
func inDomain(err error) error {
	if wrong, ok := err.(*param.Error); ok {
		return record.Invalid("/domain/"+wrong.Name, "%s", wrong.Reason)
	}
	return record.Within("/domain", err)
}

// refusal puts an error of building an agent, or of planning, at its place in
// the spec.
func (in *Instance) refusal(err error, arm agent.Arm, t *agent.Task) error {
	var (
		inconsistent *bigraph.InconsistentError
		tooMany      *bigraph.TooManyError
		beliefs      *posterior.TooLargeError
		table        *fmdp.TooLargeError
		unlearnable  *agent.UnlearnableError
		tooCostly    *planning.TooCostlyError
	)
	name := func(j int) string { return in.Model.State[j].Name }
	switch {
	case errors.As(err, &inconsistent):
		place, prior := "/sparseness", arm.Prior(t)
		if in.spec.Prior != nil && in.spec.Prior.Edges != nil && prior == t.Prior {
			place = "/prior/edges"
		}
		return record.Within(place, record.Inconsistent(inconsistent, prior, &in.Model.Space))
	case errors.As(err, &tooMany):
		return record.Invalid("/sparseness", "%q has %v", name(tooMany.Y), tooMany)
	case errors.As(err, &beliefs):
		place := "/sparseness"
		if beliefs.Sets == 1 { // the agent takes one graph: a smaller Z would not help
			place = "/agents"
		}
		return record.Invalid(place, "the beliefs about the parent sets up to those of %q would hold more than %d counts", name(beliefs.Y), posterior.MaxCells)
	case errors.As(err, &table):
		return record.Invalid("/agents", "%s would hold a table of %s entries (S²A), more than %d", arm.Key, fmdp.Saturated(table.Entries), table.Limit)
	case errors.As(err, &unlearnable):
		return record.Invalid("/rewards", "%v", unlearnable)
	case errors.As(err, &tooCostly):
		return record.Invalid("/domain", "%v", tooCostly)
	}
	return err
}
