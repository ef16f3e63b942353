package main

import (
	"bytes"
	"flag"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

var posteriorCommand = command{
	name: "posterior", args: "-prior FILE -transitions FILE [-update exact|printed] [-bound at-most|below]",
	short: "weigh the parent sets of a prior by transitions",
	long: `Prints the hyper-posterior over the parent sets of each variable, the most probable first, and the
probability of every edge:
{"variables":{"side":[{"parents":[…],"p":…,"logEvidence":…},…]},"edges":[{"from":"flip","to":"side","p":…},…]}.
Transitions are JSON Lines {"x":[…],"y":[…]}; an empty file is no evidence.`,
	setup: func(flags *flag.FlagSet) action {
		prior := newPriorFlags(flags)
		path := flags.String("transitions", "", "a `FILE` that holds transitions")
		update := &choice{"exact", []string{"exact", "printed"}}
		flags.Var(update, "update", "the `RULE` by which a transition weighs a set: exact, or printed as equation (4) of the paper")
		return func(h *host, args []string) error {
			if err := exactly(args); err != nil {
				return err
			}
			if *path == "" {
				return badf("flags", "-transitions FILE was expected")
			}
			space, p, name, err := prior.load(h)
			if err != nil {
				return err
			}
			if err := record.CheckSets(space, p); err != nil {
				return in(name, err)
			}
			data, err := h.transitions(*path, space)
			if err != nil {
				return err
			}
			rule := posterior.Exact
			if update.value == "printed" {
				rule = posterior.Printed
			}
			beliefs, err := weigh(space, p, data, rule)
			if err != nil {
				return in(name, err)
			}
			var b bytes.Buffer
			if err := record.WritePosterior(&b, space, beliefs); err != nil {
				return err
			}
			return h.print(b.Bytes())
		}
	},
}

// maxTransitions is how many transitions are read.
const maxTransitions = 1 << 26

// indexed is a transition as the indices of its point and its next state.
type indexed struct{ x, y int32 }

// transitions reads a transitions file.
func (h *host) transitions(path string, space *fmdp.Space) ([]indexed, error) {
	r, name, err := h.open(path, "a transitions file")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var data []indexed
	for l, err := range lines(r, name, "a transition") {
		if err != nil {
			return nil, err
		}
		t, err := record.DecodeTransition(l.bytes, space)
		if err != nil {
			return nil, in(place(name, l.number), err)
		}
		if len(data) == maxTransitions {
			return nil, badf(place(name, l.number), "there are more than %d transitions", maxTransitions)
		}
		data = append(data, indexed{int32(space.Index(t.X)), int32(space.Index(t.Y))})
	}
	return data, nil
}

// weigh returns the hyper-posterior of each variable after the transitions. The
// sets are taken in groups whose counts fit in memory: each weighs by itself.
func weigh(space *fmdp.Space, prior *bigraph.Prior, data []indexed, update posterior.Update) ([]record.SetBelief, error) {
	beliefs := make([]record.SetBelief, space.Y())
	for j := range beliefs {
		b := &beliefs[j]
		var err error
		if b.Sets, err = prior.Enumerate(j); err != nil {
			return nil, err
		}
		for rest := b.Sets; len(rest) > 0; {
			n := fitting(space, j, rest)
			if n == 0 {
				return nil, badf("/state", "a belief about %q given %d variables takes more than %d counts", space.State[j].Name, rest[0].Len(), posterior.MaxCells)
			}
			local := posterior.NewLocal(space, j, rest[:n], nil, update)
			observe(local, space, data)
			b.LogEvidence = append(b.LogEvidence, local.LogEvidence()...)
			rest = rest[n:]
		}
		b.P = posterior.Normalise(make([]float64, len(b.LogEvidence)), b.LogEvidence)
		b.Edges = make([]float64, space.X())
		for k, z := range b.Sets {
			for i := range z.All() {
				b.Edges[i] = min(1, b.Edges[i]+b.P[k])
			}
		}
	}
	return beliefs, nil
}

// fitting returns how many of the first sets have counts within the cap.
func fitting(space *fmdp.Space, j int, sets []bigraph.Scope) int {
	cells := 0
	for k := range sets {
		if cells += posterior.Cells(space, j, sets[k:k+1], 0); cells > posterior.MaxCells {
			return k
		}
	}
	return len(sets)
}

// observe passes the transitions on in pieces.
func observe(local *posterior.Local, space *fmdp.Space, data []indexed) {
	steps := make([]posterior.Step, min(len(data), 1<<14))
	for i := range steps {
		steps[i] = posterior.Step{Point: make([]int, space.X()), Next: make([]int, space.Y())}
	}
	for len(data) > 0 {
		n := min(len(data), len(steps))
		for i, t := range data[:n] {
			space.Point(steps[i].Point, int(t.x))
			space.Point(steps[i].Next, int(t.y))
		}
		local.Observe(steps[:n])
		data = data[n:]
	}
}
