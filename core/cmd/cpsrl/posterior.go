package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"cpsrl/core/answer"
	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/strict"
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
			p, name, err := load(h)
			if err != nil {
				return err
			}
			return h.stream(func(w io.Writer) error {
				err := answer.WriteFactorizations(w, p.Space, p.Prior)
				if _, invalid := errors.AsType[*strict.InvalidError](err); invalid {
					return in(name, err)
				}
				return err
			})
		}
	},
}

// priorFlags adds the flags that choose a prior and its bound. The function load reads the
// prior and checks that every variable has a consistent parent set.
func priorFlags(flags *flag.FlagSet) (load func(h *host) (*document.PriorFile, string, error)) {
	file := flags.String("prior", "", "a `FILE` that holds a prior")
	bound := oneOf(flags, "bound", bigraph.Bounds(),
		"`HOW` the sparseness Z bounds a parent set: at-most (|z| ≤ Z) or below (|z| < Z)")
	return func(h *host) (*document.PriorFile, string, error) {
		p, name, err := readDocument(h, "prior", *file, document.DecodePrior)
		if err != nil {
			return nil, name, err
		}
		p.Prior.Bound, _ = bigraph.BoundOf(*bound)
		return p, name, in(name, document.CheckPrior(p.Prior, p.Space))
	}
}

var posteriorCommand = command{
	name: "posterior", args: "-prior FILE -transitions FILE [-update exact|printed] [-dirichlet VALUE] [-tables rows|tied] [-bound at-most|below] [-top N]",
	short: "weigh the parent sets of a prior by transitions",
	long: `Prints the hyper-posterior over the parent sets of each variable, the most probable first, and the
probability of every edge:
{"variables":{"side":[{"parents":[…],"p":…,"logEvidence":…},…]},"edges":[{"from":"flip","to":"side","p":…},…]}.
Transitions are JSON Lines {"x":[…],"y":[…]}, read one at a time; an empty file is no evidence.
Nothing plans here, so the variables may have any number of states and actions. What bounds them is memory:
all sets of at most 3 parents of 64 binary variables take 400 MB. If more is needed, the file is read several times.`,
	setup: func(flags *flag.FlagSet) action {
		load := priorFlags(flags)
		path := flags.String("transitions", "", "a `FILE` that holds transitions")
		update := oneOf(flags, "update", posterior.Updates(),
			"the `RULE` by which a transition weighs a set: exact, or printed as equation (4) of the paper")
		replace := lawFlags(flags)
		top := wholeNumber(flags, "top", 0, 1, bigraph.MaxSets, "print the `N` most probable parent sets of each variable (default: all)")
		return func(h *host, args []string) error {
			if *path == "" {
				return badf("flags", "-transitions FILE was expected")
			}
			p, name, err := load(h)
			if err != nil {
				return err
			}
			if *path == "-" && name == standardInput {
				return badf("flag -transitions", "standard input holds the prior; a file was expected")
			}
			replace(p)
			rule, _ := posterior.UpdateOf(*update)
			w, err := answer.NewWeighing(p, rule)
			if err != nil {
				return in(name, err)
			}
			if n := w.Passes(); n > 1 && !rereadable(*path) {
				from := *path
				if from == "-" {
					from = standardInput
				}
				return badf(from, "the transitions have to be read %d times; a regular file was expected", n)
			}
			// Counts take nearly all the memory, and garbage must not double it.
			defer debug.SetGCPercent(debug.SetGCPercent(10))
			for w.Passes() > 0 {
				if err := h.weigh(w, *path, p.Space); err != nil {
					return err
				}
			}
			return h.stream(func(out io.Writer) error { return answer.WritePosterior(out, p.Space, w.Weights(), *top) })
		}
	},
}

// lawFlags adds the flags of what is assumed of tables. The function replace puts those that are given
// in place of what a prior says.
func lawFlags(flags *flag.FlagSet) (replace func(p *document.PriorFile)) {
	var rows dirichlet.Optional
	var tables string
	flags.Func("dirichlet", "the concentration α of the rows: the `VALUE` is "+rows.Range()+" (default: the prior's)", func(text string) error {
		if rows.Parse(text) != nil {
			return fmt.Errorf("expected %s%s", rows.Range(), param.Hint(text, false))
		}
		return nil
	})
	flags.Func("tables", "`HOW` the rows of a table hang together: rows (they are independent) or tied (along one parent, they may be) (default: the prior's)", func(text string) error {
		if _, known := document.TiedOf(text); !known {
			return fmt.Errorf("expected %s", param.OneOf(document.Tables()))
		}
		tables = text
		return nil
	})
	return func(p *document.PriorFile) {
		if rows.Given {
			p.Rows = rows.Concentration
		}
		if tied, given := document.TiedOf(tables); given {
			p.Tied = tied
		}
	}
}

// rereadable reports whether every reading of a file can give the same: standard input and
// pipes are read once. A file that does not exist is not refused here.
func rereadable(path string) bool {
	info, err := os.Stat(path)
	return path != "-" && (err != nil || info.Mode().IsRegular())
}

// weigh reads a transitions file once.
func (h *host) weigh(w *posterior.Weighing, path string, space *fmdp.Space) error {
	r, name, err := h.open(path, "a transitions file")
	if err != nil {
		return err
	}
	defer r.Close()
	err = w.Read(answer.Transitions(h.ctx, r, space))
	line, bad := errors.AsType[*strict.LineError](err)
	_, changed := errors.AsType[*posterior.ChangedError](err)
	long, tooLong := errors.AsType[*strict.LongLineError](err)
	switch {
	case err == nil || h.ctx.Err() != nil:
		return err
	case tooLong:
		return badf(place(name, line.Number), "a transition was expected, but %w", long)
	case bad:
		return in(place(name, line.Number), line.Err)
	case changed:
		return in(name, err)
	}
	return unreadable(name, "a transition", err)
}
