package main

import (
	"bufio"
	"cmp"
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
	bound := boundFlag(flags)
	return func(h *host) (*document.PriorFile, string, error) {
		p, name, err := readDocument(h, "prior", *file, document.DecodePrior)
		if err != nil {
			return nil, name, err
		}
		p.Prior.Bound, _ = bigraph.BoundOf(*bound)
		return p, name, in(name, document.CheckPrior(p.Prior, p.Space))
	}
}

// boundFlag adds the flag of the bound of parent sets.
func boundFlag(flags *flag.FlagSet) *string {
	return oneOf(flags, "bound", bigraph.Bounds(),
		"`HOW` the sparseness Z bounds a parent set: at-most (|z| ≤ Z) or below (|z| < Z)")
}

// posteriorKinds are the forms in which a posterior is written.
var posteriorKinds = []string{"json", "csv", "dot", "prior"}

var posteriorCommand = command{
	name: "posterior", args: "-transitions FILE [-prior FILE] [-action NAMES] [-z N] [-cut NAME=POINTS …] [-update exact|printed] [-dirichlet VALUE] [-tables rows|tied] [-bound at-most|below] [-as json|csv|dot|prior] [-top N]",
	short: "weigh the parent sets of a prior by transitions",
	long: `Prints the hyper-posterior over the parent sets of each variable, the most probable first, and the
probability of every edge:
{"variables":{"side":[{"parents":[…],"p":…,"logEvidence":…},…]},"edges":[{"from":"flip","to":"side","p":…},…]}.
With -as csv, it is a table of the edges: from,to,p, the uncertain ones (p from 0.01 to 0.99) first. With -as dot, it is
a graph of those with at least 0.01; with -as prior, a prior that trusts each edge that much, from 0.01 to 0.99.
Transitions are JSON Lines {"x":[…],"y":[…]}, read one at a time; an empty file is no evidence. Or they are a table
(CSV) whose columns have the names of the variables: behind the columns episode and t, the next state is in the next
row of the episode; else it is in the columns x', y', …. A row with a missing cell is left out, and counted.
-prior takes a prior; a model, whose variables it takes and whose true graph is marked in the table of edges; or edges
in a format of another program. Without it, the variables and their values are those of the table, and -action says
which are actions. For a table, standard error says what was read, and whether that is little.
Nothing plans here, so the variables may have any number of states and actions. What bounds them is memory:
all sets of at most 3 parents of 64 binary variables take 400 MB. If more is needed, the file is read several times.`,
	setup: func(flags *flag.FlagSet) action {
		file := flags.String("prior", "", "a `FILE` that holds a prior or a model (default: the variables of the table, and no edge)")
		bound := boundFlag(flags)
		path := flags.String("transitions", "", "a `FILE` that holds transitions")
		actions := namesFlag(flags, "action", "the `NAMES` of the columns that are actions, joined by commas (default: those that the table tells)")
		z := wholeNumber(flags, "z", 0, 1, fmdp.MaxVariables, "the most parents of a variable, `N` (default: the prior's; without one, up to 5)")
		update := oneOf(flags, "update", posterior.Updates(),
			"the `RULE` by which a transition weighs a set: exact, or printed as equation (4) of the paper")
		cuts := cutsFlag(flags)
		replace := lawFlags(flags)
		as := oneOf(flags, "as", posteriorKinds, "the `FORM`: json, csv, dot or prior")
		top := wholeNumber(flags, "top", 0, 1, bigraph.MaxSets, "print the `N` most probable parent sets of each variable (default: all)")
		return func(h *host, args []string) error {
			if *path == "" {
				return badf("flags", "-transitions FILE was expected")
			}
			q := &question{host: h, cuts: cuts, actions: *actions, z: *z}
			q.bound, _ = bigraph.BoundOf(*bound)
			q.rule, _ = posterior.UpdateOf(*update)
			q.replace = replace
			if *file != "" {
				k, name, err := h.readKnown(*file)
				if err != nil {
					return err
				}
				if *path == "-" && name == standardInput {
					return badf("flag -transitions", "standard input holds the prior; a file was expected")
				}
				q.known, q.name = k, name
			}
			if err := q.weigh(*path); err != nil {
				return err
			}
			beliefs, space := q.weighing.Weights(), q.prior.Space
			switch *as {
			case "csv":
				return h.print(answer.EdgeTable(space, beliefs, q.truth))
			case "dot":
				return h.print(drawn(space, answer.Drawn(space, beliefs)))
			case "prior":
				stated := *q.prior
				stated.Prior = answer.Stated(space, beliefs, q.prior.Prior)
				return h.print(append(document.EncodePrior(&stated), '\n'))
			}
			return h.stream(func(out io.Writer) error { return answer.WritePosterior(out, space, beliefs, *top) })
		}
	},
}

// question is what transitions are asked.
type question struct {
	*host
	known   known  // what is known of variables and edges; nothing if all three are nil
	name    string // of the file that says it
	cuts    map[string][]float64
	actions []string
	z       int // 0 if it is not given
	bound   bigraph.Bound
	rule    posterior.Update
	replace func(p *document.PriorFile)

	prior    *document.PriorFile
	truth    bigraph.Bigraph // nil if it is not known
	weighing *posterior.Weighing
}

// weigh reads the transitions as often as needed.
func (q *question) weigh(path string) error {
	h := q.host
	from, name, err := h.open(path, "a transitions file")
	if err != nil {
		return err
	}
	defer from.Close()
	first := bufio.NewReader(from)
	var space *fmdp.Space // of what is known; nil if the table says it
	if q.known.text == nil {
		if err := q.begin(nil); err != nil {
			return in(q.name, err)
		}
		if q.prior != nil {
			space = q.prior.Space
		}
	}
	log, err := h.log(first, name, func(data []byte) format.LogOptions {
		if space == nil && q.actions == nil {
			if q.actions = format.GuessActions(data); len(q.actions) > 0 {
				h.remark("taken for an action: " + strings.Join(q.actions, ", "))
			}
		}
		return format.LogOptions{Space: space, Actions: q.actions, Cuts: q.cuts}
	})
	switch {
	case err != nil:
		return err
	case log == nil && space == nil:
		return badf(name, "JSON Lines name no variables; -prior FILE was expected, with a prior or a model, or a table with a header")
	case space == nil:
		if err := q.begin(log.Space); err != nil {
			return in(cmp.Or(q.name, name), err)
		}
	case q.actions != nil:
		return badf("flag -action", "%s says which variables are actions", q.name)
	}
	if q.weighing, err = answer.NewWeighing(q.prior, q.rule); err != nil {
		return in(cmp.Or(q.name, name), err)
	}
	w, space := q.weighing, q.prior.Space
	if n := w.Passes(); log == nil && n > 1 && !rereadable(path) {
		return badf(name, "the transitions have to be read %d times; a regular file was expected", n)
	}
	visits := answer.NewVisits(q.prior, w)
	// Counts take nearly all the memory, and garbage must not double it.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	for again := false; w.Passes() > 0; again = true {
		switch {
		case log != nil && !again:
			err = w.Read(visits.Watch(h.steps(log)))
		case log != nil:
			err = w.Read(h.steps(log))
		case again:
			err = h.weighAgain(w, path, space)
		default:
			err = h.weigh(w, first, name, space)
			from.Close() // a pipe is free again
		}
		if err != nil {
			return err
		}
	}
	if log != nil {
		h.tell(name, log)
		if c := visits.Caution(); c != nil {
			h.remark(c.Text + " (-dirichlet 0.1 and -tables tied weigh such tables less strictly)")
		}
	}
	return nil
}

// begin takes the prior from what is known or, if nothing is, from the variables of a table; without
// them it stays nil.
func (q *question) begin(found *fmdp.Space) (err error) {
	switch k := q.known; {
	case k.prior != nil:
		q.prior = k.prior
	case k.model != nil:
		if q.prior, q.truth, err = ofModel(k.model); err != nil {
			return err
		}
	case found == nil:
		return nil
	default:
		file := document.PriorFile{}
		q.replace(&file)
		q.prior = answer.Unstated(found, q.z, file)
		if k.text != nil {
			edges, err := q.edgesOf(*k.text, found)
			if err != nil {
				return err
			}
			said, err := document.DecodeEdges(edges, "", found)
			if err != nil {
				return err
			}
			said.Sparseness = q.prior.Prior.Sparseness
			for _, z := range said.Known {
				said.Sparseness = max(said.Sparseness, z.Len())
			}
			q.prior.Prior = said
		}
	}
	q.replace(q.prior)
	if q.prior.Prior.Bound = q.bound; q.z > 0 {
		q.prior.Prior.Sparseness, q.prior.Prior.Each = q.z, nil
	}
	return document.CheckPrior(q.prior.Prior, q.prior.Space)
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
	if _, changed := errors.AsType[*posterior.ChangedError](err); changed {
		return in(name, err)
	}
	if err != nil {
		return h.badTransition(name, err)
	}
	return nil
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

// tell says what was read of a table.
func (h *host) tell(name string, log *format.Log) {
	h.remark(fmt.Sprintf("%s: %s of %s", name, param.Count(len(log.Transitions), "transition"), param.Count(log.Read, "row")))
	if log.Refused > 0 {
		h.remark(param.Count(log.Refused, "row") + " with a missing cell left out")
	}
	for _, note := range log.Notes {
		h.remark(note)
	}
}

// steps yields the transitions of a table until h.ctx ends.
func (h *host) steps(log *format.Log) iter.Seq2[posterior.Step, error] {
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
	}
}
