package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/bigraph"
	"cpsrl/core/concentration"
	"cpsrl/core/document"
	"cpsrl/core/evidence"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
	"cpsrl/core/offline"
	"cpsrl/core/param"
	"cpsrl/core/posterior"
	"cpsrl/core/results"
	"cpsrl/core/spec"
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
				err := document.WriteFactorizations(w, p.Space, p.Prior)
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
		p, name, err := readDocument(h, "prior", *file, func(data []byte) (*document.PriorFile, error) {
			if format.IsGraph(data) {
				return nil, errors.New("a prior in the format cpsrl/prior was expected: this graph does not say which values the variables have")
			}
			return document.DecodePrior(data)
		})
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
var posteriorKinds = []string{"json", "csv", "dot", "prior", "transitions"}

var posteriorCommand = command{
	name: "posterior", args: "-transitions FILE | -records FILE [-agent LABEL] [-run I] [-prior FILE] [-action NAMES] [-without NAMES] [-column NAME=ROLE …] [-z N] [-cut NAME=POINTS …] [-lag N] [-update exact|printed] [-dirichlet VALUE] [-tables rows|tied|trees] [-bound at-most|below] [-as json|csv|dot|prior|transitions] [-trust T] [-top N]",
	short: "weigh the parent sets of a prior by transitions",
	long: `Prints the hyper-posterior over the parent sets of each variable, the most probable first, and the
probability of every edge:
{"variables":{"side":[{"parents":[…],"p":…,"logEvidence":…},…]},"edges":[{"from":"flip","to":"side","p":…},…]}.
With -as csv, it is a table of the edges: from,to,p, the uncertain ones (p from 0.01 to 0.99) first. With -as dot, it is
a graph of those with at least 0.01; with -as prior, a prior that trusts each edge that much, but from 1 − T to T with
-trust T (0.99): "cpsrl run -prior" starts the next problem with it, and a smaller T discounts what was learned. With
-records FILE -as prior, what was learned is what an agent believes at the end of a run in a file of records. With
-as transitions, it is the transitions themselves as JSON Lines, as "run -data" takes them: -prior gives the variables.
Transitions are JSON Lines {"x":[…],"y":[…]}, read one at a time; an empty file is no evidence. Or they are a table
(CSV) whose columns have the names of the variables: with columns such as episode and t, the next state is in the next
row of the episode; else it is in the columns x', y', …. If no column tells episodes, a new one begins where the step
falls, repeats or leaps. A row with a missing cell is left out, and counted.
-prior takes a prior; a model, whose variables it takes and whose true graph is marked in the table of edges; or edges
in a format of another program. Without it, the variables and their values are those of the table. Standard error says
what was read, what each column was taken for, and whether that is little. -action says which columns are actions,
-without which to leave out, and -column day=episode what any one is: episode, step, state, action, next or nothing.
Nothing plans here, so the variables may have any number of states and actions. What bounds them is memory:
all sets of at most 3 parents of 64 binary variables take 400 MB. If more is needed, the file is read several times.`,
	setup: func(flags *flag.FlagSet) action {
		path := flags.String("transitions", "", "a `FILE` that holds transitions")
		learned := newLearnedFlags(flags)
		ask := questionFlags(flags)
		as := oneOf(flags, "as", posteriorKinds, "the `FORM`: json, csv, dot, prior or transitions")
		top := wholeNumber(flags, "top", 0, 1, bigraph.MaxSets, "print the `N` most probable parent sets of each variable (default: all)")
		return func(h *host, args []string) error {
			if learned.trust > 0 && *as != "prior" {
				return badf("flags", "-trust is for -as prior")
			}
			trust := cmp.Or(learned.trust, evidence.MostTrust)
			if learned.records != "" {
				prior, err := learned.prior(h, flags, *as, trust)
				if err != nil {
					return err
				}
				return h.print(append(document.EncodePrior(prior), '\n'))
			}
			if err := learned.check(); err != nil {
				return err
			}
			if *path == "" {
				return badf("flags", "-transitions FILE or -records FILE was expected")
			}
			q, err := ask(h, *path)
			if err != nil {
				return err
			}
			if *as == "transitions" {
				return q.lines()
			}
			a, _, err := q.weigh(false)
			if err != nil {
				return err
			}
			switch *as {
			case "csv":
				return h.print(a.CSV(q.truth))
			case "dot":
				return h.print([]byte(a.DOT()))
			case "prior":
				return h.print(append(document.EncodePrior(a.Stated(trust)), '\n'))
			}
			return h.stream(func(out io.Writer) error { return a.Write(out, *top) })
		}
	},
}

// learnedFlags holds the flags that take what was learned to the next problem.
type learnedFlags struct {
	trust          float64 // 0 if it is not said
	records, agent string
	run            *int
}

func newLearnedFlags(flags *flag.FlagSet) *learnedFlags {
	f := &learnedFlags{}
	flags.Func("trust", "for -as prior, trust no edge more than `T`, nor its absence (default 0.99)", func(text string) (err error) {
		if f.trust, err = strconv.ParseFloat(text, 64); err != nil || !(f.trust >= 0.5 && f.trust <= document.MostLikely) {
			return fmt.Errorf("expected a number from 0.5 to %v%s", document.MostLikely, param.Hint(text, false))
		}
		return nil
	})
	flags.StringVar(&f.records, "records", "", "for -as prior, a `FILE` of records in place of transitions")
	flags.StringVar(&f.agent, "agent", "", "for -records, the `LABEL` of the agent (default: the first that is uncertain of an edge)")
	f.run = wholeNumber(flags, "run", -1, 0, spec.MaxRuns-1, "for -records, the index `I` of the run, from 0 (default: the first)")
	return f
}

// check refuses flags of -records without it.
func (f *learnedFlags) check() error {
	if f.agent != "" || *f.run >= 0 {
		return badf("flags", "-agent and -run are for -records")
	}
	return nil
}

// prior returns what an agent has learned in a run, as a prior.
func (f *learnedFlags) prior(h *host, flags *flag.FlagSet, as string, trust float64) (prior *document.PriorFile, err error) {
	if as != "prior" {
		return nil, badf("flags", "-records is for -as prior")
	}
	flags.Visit(func(given *flag.Flag) {
		if !slices.Contains([]string{"records", "agent", "run", "as", "trust"}, given.Name) {
			err = badf("flags", "-%s is for transitions, and -records takes what a run has weighed", given.Name)
		}
	})
	if err != nil {
		return nil, err
	}
	var beliefs results.EdgeBeliefs
	r, err := h.results([]string{f.records}, beliefs.Add)
	if err != nil {
		return nil, err
	}
	if f.agent != "" {
		if f.agent, err = r.Experiment.Label(f.agent); err != nil {
			return nil, in("flag -agent", err)
		}
	}
	if *f.run < 0 {
		*f.run = r.Experiment.Spec().FirstRun
	}
	from, edges, err := results.LearnedEdges(r.Experiment, &beliefs, f.agent, *f.run)
	if err != nil {
		return nil, in(r.name, err)
	}
	return evidence.Trusted(from, edges, trust), nil
}

// questionFlags adds the flags that say how transitions are read and weighed. The function ask returns the question to those of
// a file.
func questionFlags(flags *flag.FlagSet) (ask func(h *host, path string) (*question, error)) {
	file := flags.String("prior", "", "a `FILE` that holds a prior or a model (default: the variables of the table, and no edge)")
	bound := boundFlag(flags)
	actions := namesFlag(flags, "action", "the `NAMES` of the columns that are actions, joined by commas (default: those that the table tells)")
	roles := rolesFlags(flags)
	z := wholeNumber(flags, "z", 0, 1, fmdp.MaxVariables, "the most parents of a variable, `N` (default: the prior's; without one, up to 5)")
	update := oneOf(flags, "update", posterior.Updates(),
		"the `RULE` by which a transition weighs a set: exact, or printed as equation (4) of the paper")
	cuts := cutsFlag(flags)
	lag := wholeNumber(flags, "lag", 0, 1, fmdp.MaxVariables, "on the values of how many steps, `N`, of a table it depends what happens next: with 2, those of the step before are variables, too (default 1)")
	rows, tables := lawFlags(flags)
	return func(h *host, path string) (*question, error) {
		q := &question{host: h, path: path, options: format.LogOptions{Actions: *actions, Roles: roles, Cuts: cuts, Lag: *lag}}
		q.Bound, _ = bigraph.BoundOf(*bound)
		q.Update, _ = posterior.UpdateOf(*update)
		q.Z, q.Rows, q.Tables = *z, *rows, *tables
		if *file == "" {
			return q, nil
		}
		if *lag > 1 {
			return nil, badf("flag -lag", "-prior says which variables there are")
		}
		return q, q.told(*file)
	}
}

// question is what the transitions of a file are asked.
type question struct {
	*host
	evidence.Question
	path    string
	options format.LogOptions
	name    string          // of the file of the prior, or ""
	truth   bigraph.Bigraph // nil if it is not known
	model   *fmdp.Model     // of the file, or nil
}

// told takes what a file says of variables and edges.
func (q *question) told(path string) error {
	k, name, err := q.readKnown(path)
	if err != nil {
		return err
	}
	if q.path == "-" && name == standardInput {
		return badf("flag -transitions", "standard input holds the prior; a file was expected")
	}
	q.name, q.Prior = name, k.prior
	switch {
	case k.model != nil:
		q.model = k.model
		q.Prior, q.truth, err = ofModel(k.model)
	case k.text != nil:
		q.Edges = func(space *fmdp.Space) ([]document.Edge, error) { return q.edgesOf(*k.text, space) }
	}
	if q.Prior != nil {
		if q.options.Space = q.Prior.Space; q.options.Actions != nil {
			return badf("flag -action", "%s says which variables are actions", name)
		}
	}
	return in(name, err)
}

// read opens the transitions and reads a table of them.
func (q *question) read() (from io.Closer, data *evidence.Data, name string, err error) {
	r, name, err := q.open(q.path, transitionsFile)
	if err != nil {
		return nil, nil, name, err
	}
	data, err = q.transitions(r, name, q.options)
	return r, data, name, err
}

// lines prints the transitions of a table as JSON Lines.
func (q *question) lines() error {
	from, data, name, err := q.read()
	switch {
	case from == nil:
		return err
	case err == nil && data.Log == nil:
		err = badf(name, "these transitions are JSON Lines already")
	}
	from.Close()
	if err != nil {
		return err
	}
	q.tell(name, data.Log)
	return q.stream(func(out io.Writer) (err error) {
		for _, t := range data.Log.Transitions {
			err = cmp.Or(err, strict.WriteLine(out, t))
		}
		return err
	})
}

// weigh asks the transitions, which it returns, too. Keep: they are there after it, also those of JSON Lines.
func (q *question) weigh(keep bool) (*evidence.Answer, *evidence.Data, error) {
	// Transitions and counts take nearly all the memory, and garbage must not double it.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	from, data, name, err := q.read()
	if from != nil {
		defer from.Close()
	}
	if err != nil {
		return nil, nil, err
	}
	table := data.Log != nil
	if keep {
		if err := data.Keep(q.ctx, offline.MaxTransitions); err != nil {
			return nil, nil, q.badTransition(name, err)
		}
	}
	if rereadable(q.path) {
		q.Again = func() (io.ReadCloser, error) {
			r, _, err := q.open(q.path, transitionsFile)
			return r, err
		}
	}
	a, err := q.Ask(q.ctx, data)
	if of, is := errors.AsType[*evidence.PriorError](err); is {
		return nil, nil, in(cmp.Or(q.name, name), of.Err)
	}
	if again, is := errors.AsType[*evidence.AgainError](err); is {
		return nil, nil, badf(name, "the transitions have to be read %d times; a regular file was expected", again.Passes)
	}
	if err != nil {
		return nil, nil, q.badTransition(name, err)
	}
	if table {
		q.tell(name, data.Log)
		if a.Caution != nil {
			q.remark(a.Caution.Text + " (-dirichlet 0.1 and -tables tied weigh such tables less strictly)")
		}
	}
	return a, data, nil
}

// lawFlags adds the flags of what is assumed of tables, in place of what a prior says.
func lawFlags(flags *flag.FlagSet) (rows *concentration.Optional, tables *string) {
	rows, tables = new(concentration.Optional), new(string)
	flags.Func("dirichlet", "the concentration α of the rows: the `VALUE` is "+rows.Range()+" (default: the prior's)", func(text string) error {
		if rows.Parse(text) != nil {
			return fmt.Errorf("expected %s%s", rows.Range(), param.Hint(text, false))
		}
		return nil
	})
	flags.Func("tables", "`HOW` the rows of a table hang together: rows (they are independent), tied (along one parent, they may be) or trees (they may be as in a decision tree) (default: the prior's)", func(text string) error {
		if _, known := concentration.StructureOf(text); !known {
			return fmt.Errorf("expected %s", param.OneOf(concentration.Structures()))
		}
		*tables = text
		return nil
	})
	return rows, tables
}

// rereadable reports whether every reading of a file can give the same: standard input and
// pipes are read once. A file that does not exist is not refused here.
func rereadable(path string) bool {
	info, err := os.Stat(path)
	return path != "-" && (err != nil || info.Mode().IsRegular())
}

// cutsFlag adds the flag of the cut points of columns of numbers, which may be given several times.
func cutsFlag(flags *flag.FlagSet) map[string][]float64 {
	cuts := map[string][]float64{}
	flags.Func("cut", "the cut points of a column of numbers in a table: `NAME=POINTS`, as in glucose=70,100,140; a cut point is in the upper part; may be given again for another column", func(text string) error {
		name, points, ok := format.ParseCuts(text)
		switch {
		case !ok:
			return errors.New("expected a name and numbers, as in glucose=70,100,140")
		case cuts[name] != nil:
			return fmt.Errorf("a second list of cut points of %q", name)
		}
		cuts[name] = points
		return nil
	})
	return cuts
}

// rolesFlags adds the flags that say what columns of a table are taken for.
func rolesFlags(flags *flag.FlagSet) map[string]string {
	roles := map[string]string{}
	flags.Func("without", "the `NAMES` of the columns to leave out, joined by commas", func(text string) error {
		for name := range strings.SplitSeq(text, ",") {
			roles[name] = format.AsNothing
		}
		return nil
	})
	flags.Func("column", "what a column of a table is taken for: `NAME=ROLE`, as in day=episode; a role is "+param.OneOf(format.Roles())+"; may be given again for another column", func(text string) error {
		name, role, ok := format.ParseRole(text)
		if !ok {
			return fmt.Errorf("expected a name and a role, as in day=episode; a role is %s", param.OneOf(format.Roles()))
		}
		roles[name] = role
		return nil
	})
	return roles
}

// tell says what was read of a table.
func (h *host) tell(name string, log *format.Log) {
	line := fmt.Sprintf("%s: %s of %s", name, param.Count(len(log.Transitions), "transition"), param.Count(log.Read, "row"))
	if log.Refused > 0 {
		line += "; " + param.Count(log.Refused, "row") + " with a missing cell left out"
	}
	h.told = slices.Concat([]string{line}, log.Told(), log.Notes)
}
