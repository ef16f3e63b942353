package experiment

import (
	"fmt"
	"slices"

	"cpsrl/core/agent"
	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
)

// The packages of the mathematics return typed errors. This file turns them into errors
// at places in a spec.

// refusal turns an error of building an agent or of planning into one at its place in the
// spec. The arm has no Config if the error is of no agent.
func (in *Instance) refusal(err error, of arm.Arm) error {
	name := func(j int) string { return in.nodes().State[j].Name }
	switch err := err.(type) {
	case *bigraph.InconsistentError:
		return in.inconsistent(err, of)
	case *bigraph.TooManyError:
		return strict.Invalid("/sparseness", "%q has %v", name(err.Y), err)
	case *posterior.TooLargeError:
		if err.Sets == 1 { // the agent is given its graph, so a smaller Z does not help
			return strict.Invalid("/agents", "an agent would keep more than %d counts for the parents of %q and the variables before it; leave out the agents that are told the graph", posterior.MaxCells, name(err.Y))
		}
		most, z := in.mostSets(err)
		return strict.Invalid("/sparseness", "%q has %d candidate parent sets (Z = %d), and an agent would keep more than %d counts for all variables; lower the Z of %[1]q, or let the prior know or forbid more edges into it", name(most), in.Prior.Count(most), z, posterior.MaxCells)
	case *fmdp.TooLargeError:
		return strict.Invalid("/agents", "%s would hold tables of %s entries (S²A, or 2SA for each learned reward factor), more than %d", of.Key, fmdp.Saturated(err.Entries), err.Limit)
	case *agent.LearnedTableError, *arm.UntoldError, *arm.LongPolicyError, *arm.NoActionError:
		return strict.Invalid(fmt.Sprintf("/agents/%d", slices.Index(in.spec.Agents, of.Label())), "%v", err)
	case *agent.UnlearnableError:
		return strict.Invalid("/rewards", "%v", err)
	case *planning.TooCostlyError:
		return strict.Invalid("/domain", "%v", err)
	}
	return err
}

// mostSets returns the Y variable with the most candidate parent sets up to that of an error, and its Z.
func (in *Instance) mostSets(err *posterior.TooLargeError) (most, z int) {
	for j := range min(err.Y+1, in.View.Y()) {
		if in.Prior.Count(j).Cmp(in.Prior.Count(most)) > 0 {
			most = j
		}
	}
	return most, in.Prior.Z(most)
}

// inconsistent places the error of a prior that no graph meets.
func (in *Instance) inconsistent(err *bigraph.InconsistentError, of arm.Arm) error {
	if of.Config == nil {
		return err
	}
	prior := of.Prior(in.Task())
	if prior == nil {
		return err // of an agent from outside, about a prior of its own
	}
	place := "/sparseness"
	if in.spec.Prior != nil && in.spec.Prior.Edges != nil && prior == in.Prior {
		place = "/prior/edges"
	}
	if namer, is := of.Config.(arm.PriorNamer); is {
		if name, _ := namer.PriorName(); name != "" {
			place = "/priors/" + name
		}
	}
	if y := in.View.Y(); err.Y >= y { // a payoff; its prior counts from 0
		own, space := *err, *in.nodes()
		own.Y -= y
		space.State = space.State[y:]
		return strict.Within(place, document.Inconsistent(&own, prior.Payoffs, &space))
	}
	return strict.Within(place, document.Inconsistent(err, prior, &in.View.Space))
}
