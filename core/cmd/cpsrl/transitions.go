package main

import (
	"context"
	"flag"
	"math"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

var transitionsCommand = command{
	name: "transitions", args: "-model FILE [-normalise] [-n N] [-seed S]",
	short: "draw transitions from a model",
	long: `Draws independent transitions, x uniform over states and actions and y from the model, and prints them
as JSON Lines {"x":[…],"y":[…]} for "cpsrl posterior". Variables that agents do not see are drawn as at the start of
an episode, and left out.`,
	setup: func(flags *flag.FlagSet) action {
		_, load := modelFlags(flags)
		n := wholeNumber(flags, "n", 1000, 0, math.MaxInt32, "the number `N` of transitions")
		seed := wholeNumber(flags, "seed", 0, 0, spec.MaxSeed, "the `SEED`, below 2^53")
		return func(h *host, args []string) error {
			model, _, err := load(h)
			if err != nil {
				return err
			}
			return h.drawTransitions(model, *n, int64(*seed))
		}
	},
}

// drawTransitions prints n transitions from the stream of that seed.
func (h *host) drawTransitions(m *fmdp.Model, n int, seed int64) error {
	rng := posterior.NewNamedStream(seed, 0, "transitions").Rand
	laws, weights, seen := [][]fmdp.Factor{m.Transition}, []float64{1}, m
	if m.Hidden > 0 {
		laws, weights = domain.SeenLaws(m)
		seen = domain.FromModel(m, rng).View
	}
	t := document.Transition{X: make([]int, seen.X()), Y: make([]int, seen.Y())}
	const batch = 1 << 15
	buffer := make([]byte, 0, 2*batch)
	for k := range n {
		of := *seen
		if len(laws) > 1 {
			of.Transition = laws[fmdp.Draw(rng, weights)]
		}
		of.DrawTransition(rng, t.X, t.Y)
		buffer = strict.AppendLine(buffer, t)
		if len(buffer) < batch && k < n-1 {
			continue
		}
		if err := h.print(buffer); err != nil {
			return err
		}
		buffer = buffer[:0]
		if h.ctx.Err() != nil {
			return context.Cause(h.ctx)
		}
	}
	return nil
}
