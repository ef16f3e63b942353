package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"cpsrl/core/cells"
	"cpsrl/core/fmdp"
	"cpsrl/core/offline"
	"cpsrl/core/param"
	"cpsrl/core/planning"
	"cpsrl/core/posterior"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
)

// logHelp says what the commands about problems of logs share.
const logHelp = `The log is a table (CSV), as "cpsrl posterior" reads it; -action, -column, -without and -cut say what its columns are.
What is paid is learned of its columns of rewards, the parents of the payoff among it, or -reward says it as a formula
over the columns, as in "2*ripe - (water = yes)". Where a column such as done is true, the episode ends. An episode
begins as those of the log do.`

var problemCommand = command{
	name: "problem", args: "LOG [-reward FORMULA] [-horizon H] [-laws mean|drawn] [-data FILE] [-seed S] [-action NAMES] [-column NAME=ROLE …] [-cut NAME=POINTS …] [-lag N] [-prior FILE] [-z N] [-dirichlet VALUE] [-tables rows|tied|trees] [-o FILE]",
	short: "make a problem of a log",
	long: `Makes a model (cpsrl/model) of a log. Its laws are the posterior means over the most probable parents or, with
-laws drawn, a draw from the posterior: parents, then tables. Its prior is the graph as the log tells it. With
-data FILE, the log itself is written, too, with what was paid, for agents to start from ("cpsrl run -model garden.json
-data garden.jsonl -rewards learned"); the prior is then what was known before the log, so that nothing is learned twice.

` + logHelp,
	operands: []string{"LOG"},
	setup: func(flags *flag.FlagSet) action {
		load := logFlags(flags)
		laws := oneOf(flags, "laws", []string{"mean", "drawn"}, "`WHICH` laws: mean or drawn")
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		start := flags.String("data", "", "write the log as transitions, for agents to start from, to `FILE`")
		return func(h *host, args []string) error {
			p, seed, err := load(h, args[0])
			if err != nil {
				return err
			}
			model := p.Mean
			if *laws == "drawn" {
				model = func() *fmdp.Model { return p.Draw(posterior.NewNamedStream(seed, 0, "offline problem")) }
			}
			file, err := p.Document(model(), *start != "")
			if err != nil {
				return in(args[0], err)
			}
			if *start != "" {
				data, err := spec.NewData(p.Data())
				if err != nil {
					return badf("flag -data", "%v", err)
				}
				if err := h.write(*start, data.Encode()); err != nil {
					return err
				}
			}
			return h.write(*path, append(file.Encode(), '\n'))
		}
	},
}

// policyForms are the forms in which a policy is written.
var policyForms = []string{"text", "json", "csv"}

var policyCommand = command{
	name: "policy", args: "LOG [-models M] [-value FILE] [-as text|json|csv] [-truth FILE] [-reward FORMULA] [-horizon H] [-seed S] [-action NAMES] [-column NAME=ROLE …] [-cut NAME=POINTS …] [-lag N] [-prior FILE] [-z N] [-dirichlet VALUE] [-tables rows|tied|trees] [-o FILE]",
	short: "propose a policy from a log, and say what it is worth",
	long: `Proposes a policy from a log alone and says what it is worth beside the behaviour in the log: means and intervals of
90% over models that are drawn from the posterior, graphs included. The policy is the best in expectation among those
that are the best in the posterior mean and in 20 drawn models, each planned exactly; other models choose it and value it,
so that the choice does not flatter it. The intervals hold what the log leaves open if its prior is right and nothing
that moved both its actions and what came of them is missing from it.
With -as text it says the policy as rules; with -as csv, as a table: step, state, action. What -as json writes is a policy
that "cpsrl agent" plays, as the member policy of a hello, and that -value FILE values beside the proposed one. If you made the
log, -truth FILE is the model behind it, which may have hidden variables: beside the intervals stands what is true.

` + logHelp,
	operands: []string{"LOG"},
	setup: func(flags *flag.FlagSet) action {
		load := logFlags(flags)
		models := wholeNumber(flags, "models", 1000, 1, offline.MaxModels, "the number `M` of models that are drawn for the values")
		value := flags.String("value", "", "a `FILE` with a policy that is valued beside the proposed one, as -as json writes it; its member \"rules\" is enough")
		truth := flags.String("truth", "", "for -as text, a `FILE` that holds the model that the log is of")
		as := oneOf(flags, "as", policyForms, "the `FORM`: text, json or csv")
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			p, _, err := load(h, args[0])
			if err != nil {
				return err
			}
			var given *planning.Policy
			if *value != "" {
				if given, _, err = readDocument(h, "policy", *value, p.Value); err != nil {
					return err
				}
			}
			var world *fmdp.Model
			if *truth != "" {
				if *as != "text" {
					return badf("flags", "-truth is for -as text")
				}
				if world, _, err = readModel(h, *truth, false); err != nil {
					return err
				}
			}
			a, err := p.Appraise(h.ctx, *models, given)
			if err != nil {
				return in(args[0], err)
			}
			var out bytes.Buffer
			values := [2]float64{math.NaN(), math.NaN()} // of the policy and of the behaviour, in the truth
			switch *as {
			case "csv":
				err = policyTable(&out, p, a.Policy)
			case "json":
				err = p.Write(&out, a)
			default:
				if world != nil {
					if values[0], values[1], err = p.In(world, a.Policy); err != nil {
						return in(*truth, err)
					}
				}
				err = policyText(&out, p, a, values)
			}
			if err != nil {
				return err
			}
			return h.write(*path, out.Bytes())
		}
	},
}

var calibrationCommand = command{
	name: "calibration", args: "LOG [-logs N] [-models M] [-reward FORMULA] [-horizon H] [-seed S] [-action NAMES] [-column NAME=ROLE …] [-cut NAME=POINTS …] [-lag N] [-prior FILE] [-z N] [-dirichlet VALUE] [-tables rows|tied|trees]",
	short: "say how often the intervals of a policy hold what it is worth",
	long: `Draws N truths from the prior of a log's problem, parents and then tables, and of each a log like this one: as long, by
the behaviour in it, from its first states, with as many missing cells. To each it does what "cpsrl policy" does, and counts how
often the bands of 50%, 80% and 90% hold the true values of the proposed policy, of the behaviour in the log, and of the gain.
The table has, for each value and band, the logs in which it held, with Clopper and Pearson's 95% interval of the share. It
shows that the intervals are right if the prior is; what the log lacks, it cannot show.

` + logHelp,
	operands: []string{"LOG"},
	setup: func(flags *flag.FlagSet) action {
		load := logFlags(flags)
		logs := wholeNumber(flags, "logs", 100, 1, offline.MaxLogs, "the number `N` of truths, each with a log")
		models := wholeNumber(flags, "models", 1000, 1, offline.MaxModels, "the number `M` of models that are drawn for the values")
		return func(h *host, args []string) error {
			p, _, err := load(h, args[0])
			if err != nil {
				return err
			}
			c, err := p.Calibrate(h.ctx, *logs, *models)
			if err != nil {
				return in(args[0], err)
			}
			if c.Left > 0 {
				h.remark(fmt.Sprintf("%s without a transition left out", param.Count(c.Left, "log")))
			}
			table := &cells.Table{Bytes: []byte("value,band,held\n")}
			for k, held := range [][]int{c.Proposed, c.Logged, c.Gain} {
				for b, q := range offline.Bands() {
					table.Text([]string{"proposed", "logged", "gain"}[k], fmt.Sprintf("%.0f%%", 100*q), results.Of(held[b], c.Logs, "log")).End()
				}
			}
			return h.print(table.Bytes)
		}
	},
}

// logFlags adds the flags that make a problem of a log. The function load returns it, and the seed.
func logFlags(flags *flag.FlagSet) (load func(h *host, path string) (*offline.Problem, int64, error)) {
	ask := questionFlags(flags)
	reward := flags.String("reward", "", "the `FORMULA` of what is paid, over the columns (default: the columns of rewards)")
	horizon := wholeNumber(flags, "horizon", 0, 1, fmdp.MaxHorizon, "the number `H` of steps of an episode (default: the most in the log)")
	seed := wholeNumber(flags, "seed", 0, 0, spec.MaxSeed, "the `SEED`, below 2^53")
	return func(h *host, path string) (*offline.Problem, int64, error) {
		q, err := ask(h, path)
		if err != nil {
			return nil, 0, err
		}
		answer, data, err := q.weigh(true)
		if err != nil {
			return nil, 0, err
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if path == "-" {
			name = "log"
		}
		p, err := offline.New(h.ctx, data.Log, answer, offline.Options{Name: name, Horizon: *horizon, Reward: *reward, Model: q.model, Seed: int64(*seed)})
		if e, is := errors.AsType[*strict.InvalidError](strict.Located(err)); is {
			switch {
			case strings.HasPrefix(e.Place, "/reward") && *reward != "":
				return nil, 0, badf("flag -reward", "%s", e.Reason)
			case e.Place == "/horizon":
				return nil, 0, badf("flag -horizon", "%s", e.Reason)
			}
			return nil, 0, badf(path, "%s", e.Reason)
		}
		if err != nil {
			return nil, 0, in(path, err)
		}
		for _, note := range p.Notes {
			h.remark(note)
		}
		return p, int64(*seed), nil
	}
}

// policyTable writes a policy as a table of its actions in each state in which an episode goes on.
func policyTable(w io.Writer, p *offline.Problem, policy *planning.Policy) error {
	m := p.Mean()
	table := &cells.Table{}
	table.Text("step")
	for i := range m.X() {
		table.Text(m.Var(i).Name)
	}
	table.End()
	ended, state := m.Ended(), make([]int, m.Y())
	for h := 1; h <= m.Horizon; h++ {
		for s := range m.States() {
			if ended != nil && ended[s] != 0 {
				continue
			}
			table.Text(strconv.Itoa(h))
			for j, v := range m.Point(state, s) {
				table.Text(m.State[j].Label(v))
			}
			for k, v := range m.JointAction(make([]int, len(m.Action)), policy.Action(h, s)) {
				table.Text(m.Action[k].Label(v))
			}
			table.End()
		}
	}
	_, err := w.Write(table.Bytes)
	return err
}

// policyText writes what a policy is worth, and the policy as rules. The truth has the values of the policy and of the behaviour in the
// true model; they are NaN if nobody knows it.
func policyText(w io.Writer, p *offline.Problem, a *offline.Appraisal, truth [2]float64) error {
	beside := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return fmt.Sprintf("; in the truth %.4g", v)
	}
	line := func(what string, e offline.ValueEstimate, more string) {
		fmt.Fprintf(w, "%-28s %9.4g   90%%: %.4g to %.4g%s\n", what, e.Mean, e.Lo, e.Hi, more)
	}
	fmt.Fprintf(w, "Values of an episode of %d steps, over %d models drawn from the posterior:\n", p.Mean().Horizon, a.Models)
	line("the proposed policy", a.Proposed, beside(truth[0]))
	line("the behaviour in the log", a.Logged, beside(truth[1]))
	line("gain", a.Gain, beside(truth[0]-truth[1])+fmt.Sprintf(" (above 0 in %.0f%% of the models)", 100*a.Better))
	line("the best in each model", a.Best, "")
	if e := a.Earned; e != nil {
		fmt.Fprintf(w, "The %d episodes in the log were paid %.4g on average (90%%: %.4g to %.4g).\n", e.Episodes, e.Mean, e.Lo, e.Hi)
		if e.Off {
			fmt.Fprintln(w, "Caution: the values of the behaviour do not fit that, so do not trust the values above. What is paid, or where an episode ends, may depend on more than the models know, such as the next state or more than Z variables; or who acted changed, or saw more.")
		}
	}
	if g := a.Given; g != nil {
		line("the given policy", g.Value, "")
		line("its gain", g.Gain, fmt.Sprintf(" (above 0 in %.0f%% of the models)", 100*g.Better))
		line("the proposed one, beyond it", g.Short, "")
	}
	c := a.Coverage
	fmt.Fprintf(w, "The log has %d of %d pairs of state and action; %.0f%% of the policy's steps are in the others.\n", c.Seen, c.Pairs, 100*c.Unseen)
	for _, pair := range c.Top {
		fmt.Fprintf(w, "  %5.1f%% of the steps: %s where %s\n", 100*pair.Share, pair.Action, pair.State)
	}
	if c.Others > 0 {
		fmt.Fprintf(w, "  and %d more\n", c.Others)
	}
	fmt.Fprintln(w, "Caution: if something that the log lacks moved both its actions and what came of them, these numbers are off, and the log cannot show it: see “What a log lacks” in the findings.")
	stages := p.Written(a.Policy)
	if stages == nil {
		fmt.Fprintf(w, "With %d states there are no rules of the policy; -as csv lists it.\n", p.Mean().States())
		return nil
	}
	for _, stage := range stages {
		fmt.Fprintf(w, "\n%s:\n", stage.Steps)
		for _, r := range stage.Rules {
			fmt.Fprintf(w, "  if %s: %s\n", r.When, r.Act)
		}
		otherwise := "otherwise"
		if len(stage.Rules) == 0 {
			otherwise = "always"
		}
		fmt.Fprintf(w, "  %s: %s\n", otherwise, stage.Act)
	}
	return nil
}
