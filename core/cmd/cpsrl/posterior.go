package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"cpsrl/core/answer"
	"cpsrl/core/bigraph"
	"cpsrl/core/dirichlet"
	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
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
	name: "posterior", args: "-prior FILE -transitions FILE [-cut NAME=POINTS …] [-update exact|printed] [-dirichlet VALUE] [-tables rows|tied] [-bound at-most|below] [-top N]",
	short: "weigh the parent sets of a prior by transitions",
	long: `Prints the hyper-posterior over the parent sets of each variable, the most probable first, and the
probability of every edge:
{"variables":{"side":[{"parents":[…],"p":…,"logEvidence":…},…]},"edges":[{"from":"flip","to":"side","p":…},…]}.
Transitions are JSON Lines {"x":[…],"y":[…]}, read one at a time; an empty file is no evidence. Or they are a table
(CSV) whose columns have the names of the variables: behind the columns episode and t, the next state is in the next
row of the episode; else it is in the columns x', y', …. A row with a missing cell is left out, and counted.
Nothing plans here, so the variables may have any number of states and actions. What bounds them is memory:
all sets of at most 3 parents of 64 binary variables take 400 MB. If more is needed, the file is read several times.`,
	setup: func(flags *flag.FlagSet) action {
		load := priorFlags(flags)
		path := flags.String("transitions", "", "a `FILE` that holds transitions")
		update := oneOf(flags, "update", posterior.Updates(),
			"the `RULE` by which a transition weighs a set: exact, or printed as equation (4) of the paper")
		cuts := cutsFlag(flags)
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
			from, file, err := h.open(*path, "a transitions file")
			if err != nil {
				return err
			}
			defer from.Close()
			first := bufio.NewReader(from)
			table, err := h.table(first, file, format.LogOptions{Space: p.Space, Cuts: cuts})
			if err != nil {
				return err
			}
			if n := w.Passes(); table == nil && n > 1 && !rereadable(*path) {
				return badf(file, "the transitions have to be read %d times; a regular file was expected", n)
			}
			// Counts take nearly all the memory, and garbage must not double it.
			defer debug.SetGCPercent(debug.SetGCPercent(10))
			for again := false; w.Passes() > 0; again = true {
				switch {
				case table != nil:
					err = w.Read(table)
				case again:
					err = h.weighAgain(w, *path, p.Space)
				default:
					err = h.weigh(w, first, file, p.Space)
					from.Close() // a pipe is free again
				}
				if err != nil {
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

// weighAgain opens a transitions file and reads it once more.
func (h *host) weighAgain(w *posterior.Weighing, path string, space *fmdp.Space) error {
	r, name, err := h.open(path, "a transitions file")
	if err != nil {
		return err
	}
	defer r.Close()
	return h.weigh(w, r, name, space)
}

// weigh reads a transitions file once.
func (h *host) weigh(w *posterior.Weighing, r io.Reader, name string, space *fmdp.Space) error {
	err := w.Read(answer.Transitions(h.ctx, r, space))
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

// cutsFlag adds the flag of the cut points of columns of numbers, which may be given several times.
func cutsFlag(flags *flag.FlagSet) map[string][]float64 {
	cuts := map[string][]float64{}
	flags.Func("cut", "the cut points of a column of numbers in a table: `NAME=POINTS`, as in glucose=70,100,140; a cut point is in the upper part; may be given again for another column", func(text string) error {
		name, list, _ := strings.Cut(text, "=")
		if cuts[name] != nil {
			return fmt.Errorf("a second list of cut points of %q", name)
		}
		for part := range strings.SplitSeq(list, ",") {
			point, err := strconv.ParseFloat(part, 64)
			if err != nil || math.IsNaN(point) || math.IsInf(point, 0) {
				return errors.New("expected a name and numbers, as in glucose=70,100,140")
			}
			cuts[name] = append(cuts[name], point)
		}
		return nil
	})
	return cuts
}

// table returns the transitions of a file that is a table, and a remark says how many they are. For
// JSON Lines, of which nothing is then read, it returns nil.
func (h *host) table(r *bufio.Reader, name string, o format.LogOptions) (iter.Seq2[posterior.Step, error], error) {
	begins, err := r.Peek(256)
	if begins, _ = strict.UTF8(bytes.TrimSpace(begins)); len(begins) == 0 || begins[0] == '{' || err != nil && err != io.EOF {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(r, format.MaxLog+1))
	if err != nil {
		return nil, unreadable(name, "a transitions file", err)
	}
	log, err := format.ReadLog(data, o)
	if err != nil {
		return nil, in(name, err)
	}
	h.remark(fmt.Sprintf("%s: %s of %s", name, param.Count(len(log.Transitions), "transition"), param.Count(log.Read, "row")))
	if log.Refused > 0 {
		h.remark(param.Count(log.Refused, "row") + " with a missing cell left out")
	}
	for _, note := range log.Notes {
		h.remark(note)
	}
	return func(yield func(posterior.Step, error) bool) {
		for _, t := range log.Transitions {
			if err := h.ctx.Err(); err != nil {
				yield(posterior.Step{}, err)
				return
			}
			if !yield(posterior.Step{Point: t.X, Next: t.Y}, nil) {
				return
			}
		}
	}, nil
}
