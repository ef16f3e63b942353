package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/arm"
	"cpsrl/core/bigraph"
	"cpsrl/core/document"
	"cpsrl/core/strict"
)

// refusal turns a typed error of building an agent or of planning into one at its place in the
// spec. The arm has no Config if the error is of no agent.
func (in *Instance) refusal(err error, of arm.Arm) error {
	if err, is := err.(*bigraph.InconsistentError); is {
		return in.inconsistent(err, of)
	}
	at, reason, is := arm.Refuse(err, of, in.Prior, func(y int) string { return in.nodes().State[y].Name })
	if !is {
		return err
	}
	place := map[arm.Part]string{arm.OfAgents: "/agents", arm.OfSparseness: "/sparseness", arm.OfRewards: "/rewards", arm.OfProblem: "/domain"}[at]
	if at == arm.OfAgent {
		place = in.placeOf(of)
	}
	return strict.Invalid(place, "%s", reason)
}

// checkVast is check where no list holds the states of the world: an agent must plan without one.
func (in *Instance) checkVast(ctx context.Context, arms []arm.Arm) error {
	for _, arm := range arms {
		if err := ctx.Err(); err != nil {
			return err
		}
		if in.View.CheckListed() != nil {
			why := strings.TrimPrefix(in.vastness(), notComputed)
			switch {
			case !arm.Factored:
				return strict.Invalid(in.placeOf(arm), "%s learns a table over all states, but no list holds them: %s; leave it out", arm.Name(), why)
			case arm.Lists(in.spec.Planner):
				return strict.Invalid(in.placeOf(arm), "%s plans exactly, but no list holds the states: %s; let it search: %s", arm.Name(), why, arm.Searching())
			}
		}
		if err := in.checkSearch(arm); err != nil {
			return err
		}
		if _, err := in.build(arm); err != nil {
			return err
		}
	}
	return nil
}

// placeOf returns the place of an agent in the spec.
func (in *Instance) placeOf(of arm.Arm) string {
	return fmt.Sprintf("/agents/%d", slices.Index(in.spec.Agents, of.Label()))
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
