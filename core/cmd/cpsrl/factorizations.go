package main

import (
	"bytes"
	"flag"

	"cpsrl/core/bigraph"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
)

var factorizationsCommand = command{
	name: "factorizations", args: "-prior FILE [-bound at-most|below]",
	short: "list the parent sets consistent with a prior",
	long: `Prints the degree of prior knowledge η and, for each variable, how many parent sets are consistent with
the prior, and which: {"eta":2,"variables":{"side":{"count":64,"sets":[["side"],…]}}}.
Smaller sets come first, sets of one size in lexicographic order of the added parents.`,
	setup: func(flags *flag.FlagSet) action {
		prior := newPriorFlags(flags)
		return func(h *host, args []string) error {
			space, p, name, err := prior.load(h)
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

// priorFlags are the flags that choose a prior and its bound.
type priorFlags struct {
	file  string
	bound *string
}

func newPriorFlags(flags *flag.FlagSet) *priorFlags {
	const usage = "`HOW` the sparseness Z bounds a parent set: at-most (|z| ≤ Z) or below (|z| < Z)"
	p := &priorFlags{bound: oneOf(flags, "bound", []string{"at-most", "below"}, usage)}
	flags.StringVar(&p.file, "prior", "", "a `FILE` that holds a prior")
	return p
}

// load reads the prior and checks that every variable has a consistent parent
// set.
func (f *priorFlags) load(h *host) (space *fmdp.Space, prior *bigraph.Prior, name string, err error) {
	prior, name, err = readDocument(h, "prior", f.file, func(data []byte) (prior *bigraph.Prior, err error) {
		space, prior, err = record.DecodePrior(data)
		return prior, err
	})
	if err != nil {
		return nil, nil, name, err
	}
	if *f.bound == "below" {
		prior.Bound = bigraph.Below
	}
	return space, prior, name, in(name, record.CheckPrior(prior, space))
}
