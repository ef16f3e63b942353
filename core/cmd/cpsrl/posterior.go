package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/posterior"
	"cpsrl/core/record"
)

var factorizationsCommand = command{
	name: "factorizations", args: "-prior FILE [-bound at-most|below]",
	short: "list the parent sets consistent with a prior",
	long: `Prints the degree of prior knowledge η and, for each variable, how many parent sets are consistent with
the prior, and which: {"eta":2,"variables":{"side":{"count":64,"sets":[["side"],…]}}}.
Smaller sets come first, sets of one size in lexicographic order of the added parents.`,
	setup: func(flags *flag.FlagSet) action {
		load := priorFlags(flags)
		return func(h *host, args []string) error {
			space, p, name, err := load(h)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := record.WriteFactorizations(&b, space, p); err != nil {
				return in(name, err)
			}
			return h.print(b.Bytes())
		}
	},
}

// priorFlags adds the flags that choose a prior and its bound. load reads the prior
// and checks that every variable has a consistent parent set.
func priorFlags(flags *flag.FlagSet) (load func(h *host) (*fmdp.Space, *bigraph.Prior, string, error)) {
	file := flags.String("prior", "", "a `FILE` that holds a prior")
	bound := oneOf(flags, "bound", []string{"at-most", "below"},
		"`HOW` the sparseness Z bounds a parent set: at-most (|z| ≤ Z) or below (|z| < Z)")
	return func(h *host) (space *fmdp.Space, prior *bigraph.Prior, name string, err error) {
		prior, name, err = readDocument(h, "prior", *file, func(data []byte) (prior *bigraph.Prior, err error) {
			space, prior, err = record.DecodePrior(data)
			return prior, err
		})
		if err != nil {
			return nil, nil, name, err
		}
		if *bound == "below" {
			prior.Bound = bigraph.Below
		}
		return space, prior, name, in(name, record.CheckPrior(prior, space))
	}
}

var posteriorCommand = command{
	name: "posterior", args: "-prior FILE -transitions FILE [-update exact|printed] [-bound at-most|below]",
	short: "weigh the parent sets of a prior by transitions",
	long: `Prints the hyper-posterior over the parent sets of each variable, the most probable first, and the
probability of every edge:
{"variables":{"side":[{"parents":[…],"p":…,"logEvidence":…},…]},"edges":[{"from":"flip","to":"side","p":…},…]}.
Transitions are JSON Lines {"x":[…],"y":[…]}; an empty file is no evidence.`,
	setup: func(flags *flag.FlagSet) action {
		load := priorFlags(flags)
		path := flags.String("transitions", "", "a `FILE` that holds transitions")
		update := oneOf(flags, "update", []string{"exact", "printed"},
			"the `RULE` by which a transition weighs a set: exact, or printed as equation (4) of the paper")
		return func(h *host, args []string) error {
			if *path == "" {
				return badf("flags", "-transitions FILE was expected")
			}
			space, p, name, err := load(h)
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
			rule := map[string]posterior.Update{"exact": posterior.Exact, "printed": posterior.Printed}[*update]
			weights, err := posterior.Weigh(space, p, data, rule)
			if tooLarge, ok := errors.AsType[*posterior.SetTooLargeError](err); ok {
				err = record.Invalid("/state", "a belief about %q given %d variables takes more than %d counts", space.State[tooLarge.Y].Name, tooLarge.Parents, tooLarge.Limit)
			}
			if err != nil {
				return in(name, err)
			}
			beliefs := make([]record.SetBelief, len(weights))
			for j, w := range weights {
				beliefs[j] = record.SetBelief(w)
			}
			var b bytes.Buffer
			if err := record.WritePosterior(&b, space, beliefs); err != nil {
				return err
			}
			return h.print(b.Bytes())
		}
	},
}

// transitions reads a transitions file: JSON Lines, of which blank ones do not
// count.
func (h *host) transitions(path string, space *fmdp.Space) ([]posterior.Transition, error) {
	r, name, err := h.open(path, "a transitions file")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var data []posterior.Transition
	number := 1
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine+1)
	for ; lines.Scan(); number++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		t, err := record.DecodeTransition(lines.Bytes(), space)
		if err != nil {
			return nil, in(place(name, number), err)
		}
		if len(data) == maxTransitions {
			return nil, badf(place(name, number), "there are more than %d transitions", maxTransitions)
		}
		data = append(data, posterior.Transition{X: int32(space.Index(t.X)), Y: int32(space.Index(t.Y))})
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, badf(place(name, number), "a transition was expected, but the line is longer than %d MiB", maxLine>>20)
	case err != nil:
		return nil, unreadable(name, "a transition", err)
	}
	return data, nil
}
