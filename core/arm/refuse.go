package arm

import (
	"fmt"

	"cpsrl/core/agent"
	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/search"
)

// Part is a part of what is said of an experiment or of a session.
type Part int

const (
	OfAgent      Part = iota // what the agent is
	OfAgents                 // which agents there are
	OfSparseness             // the Z of the prior
	OfRewards                // whether rewards are learned
	OfProblem                // the problem itself
)

// Refuse says in a sentence why an agent cannot be built or cannot plan, and which part of what was said is at fault, if the
// error is one of the typed errors of the mathematics. The function name has the names of Y variables and, behind these, of
// payoffs whose parents are to be learned.
func Refuse(err error, of Arm, prior *bigraph.Prior, name func(y int) string) (at Part, reason string, ok bool) {
	switch err := err.(type) {
	case *bigraph.TooManyError:
		return OfSparseness, fmt.Sprintf("%q has %v; lower its Z, or let the prior know or forbid more edges into it", name(err.Y), err), true
	case *posterior.TooLargeError:
		if err.Sets == 1 { // the agent is given its graph, so a smaller Z does not help
			return OfAgents, fmt.Sprintf("an agent would keep more than %d counts for the parents of %q and the variables before it; leave out the agents that are told the graph", posterior.MaxCells, name(err.Y)), true
		}
		most := 0 // the variable with the most candidate sets up to that of the error
		for j := range min(err.Y+1, len(prior.Known)) {
			if prior.Count(j).Cmp(prior.Count(most)) > 0 {
				most = j
			}
		}
		return OfSparseness, fmt.Sprintf("%q has %d candidate parent sets (Z = %d), and an agent would keep more than %d counts for all variables; lower the Z of %[1]q, or let the prior know or forbid more edges into it", name(most), prior.Count(most), prior.Z(most), posterior.MaxCells), true
	case *fmdp.TooLargeError:
		return OfAgent, fmt.Sprintf("%s would hold tables of %s entries (S²A, or 2SA for each learned reward factor), more than %d", of.Name(), fmdp.Saturated(err.Entries), err.Limit), true
	case *agent.LearnedTableError, *UntoldError, *LongPolicyError, *NoActionError, *search.TooManyActionsError:
		return OfAgent, err.Error(), true
	case *agent.UnlearnableError:
		return OfRewards, err.Error(), true
	case *planning.TooCostlyError:
		return OfProblem, err.Error(), true
	}
	return 0, "", false
}
