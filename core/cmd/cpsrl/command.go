package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/arm"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// command is one of the commands of cpsrl.
type command struct {
	name  string
	args  string // the usage after the name
	short string // one line
	long  string // the text of the command's help
	// operands names the arguments that are not flags.
	operands []string
	optional bool // whether the operands may be left out
	many     bool // whether more may follow the last operand
	// setup adds the command's flags and returns its action.
	setup func(flags *flag.FlagSet) action
}

// action runs a command with its operands.
type action func(h *host, args []string) error

// commands returns all commands but help, in the order in which a session uses them.
func commands() []command {
	return []command{
		runCommand, mergeCommand, sweepCommand, slurmCommand, summaryCommand, tableCommand, plotCommand, figureCommand,
		linkCommand, verifyCommand, citeCommand,
		presetsCommand, galleryCommand, newCommand, modelCommand, convertCommand, priorCommand, traceCommand,
		transitionsCommand, planCommand, factorizationsCommand, posteriorCommand, edgesCommand, problemCommand, policyCommand, calibrationCommand,
		agentCommand, worldCommand, serveCommand, versionCommand,
	}
}

// nameOf returns the name of the command in the arguments, for messages.
func nameOf(args []string) string {
	if len(args) > 0 {
		if c, err := lookup(args[0]); err == nil {
			return "cpsrl " + c.name
		}
	}
	return "cpsrl"
}

// dispatch runs the command in the arguments.
func (h *host) dispatch(args []string) error {
	if len(args) == 0 {
		return badf("arguments", `a command was expected; "cpsrl help" lists them`)
	}
	word, args := args[0], args[1:]
	switch word {
	case "help", "-h", "-help", "--help":
		return h.help(args)
	case "-version", "--version":
		word = versionCommand.name
	}
	c, err := lookup(word)
	if err != nil {
		return err
	}
	flags, act := c.flags()
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return h.print(c.help())
	}
	if err != nil {
		return badf("flags", `%w ("cpsrl help %s" explains them)`, err, c.name)
	}
	h.warnOfFusing()
	switch n := len(rest); {
	case n > len(c.operands) && !c.many:
		return badf("arguments", "nothing was expected where %q stands", rest[len(c.operands)])
	case n < len(c.operands) && !c.optional:
		return badf("arguments", "%s was expected", c.operands[n])
	}
	return act(h, rest)
}

func lookup(name string) (command, error) {
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
	}
	return command{}, badf(strconv.Quote(name), `there is no such command; "cpsrl help" lists them`)
}

// flags returns the command's flags and its action.
func (c *command) flags() (*flag.FlagSet, action) {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags, c.setup(flags)
}

// parse reads flags before, between and after the other arguments and returns these. After
// "--" nothing is a flag.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		after := flags.Args()
		ended := len(after) < len(args) && args[len(args)-len(after)-1] == "--"
		if ended || len(after) == 0 {
			return append(rest, after...), nil
		}
		rest, args = append(rest, after[0]), after[1:]
	}
	return rest, nil
}

// help prints the help of a command, or the list of commands.
func (h *host) help(args []string) error {
	if len(args) == 0 {
		return h.print(overview())
	}
	if args[0] == agentsTopic {
		return h.print(agentsHelp())
	}
	c, err := lookup(args[0])
	if err != nil {
		return err
	}
	return h.print(c.help())
}

// agentsTopic is the topic of the help about agents.
const agentsTopic = "agents"

// agentsHelp lists the kinds of agents and their parameters.
func agentsHelp() []byte {
	var b bytes.Buffer
	b.WriteString(`An agent is a kind and, after a colon, its parameters: c-psrl:eta=1,update=printed. Commas join agents, as in
-agents psrl,c-psrl:eta=1.
`)
	for _, k := range arm.Kinds() {
		fmt.Fprintf(&b, "\n%s: %s\n", k.Key, k.Gloss)
		for _, p := range k.New().Params() {
			fmt.Fprintf(&b, "  %-10s %s: %s", p.Name, strings.TrimSpace(p.Label+" "+p.Symbol), p.Range())
			if p.Default != "" {
				fmt.Fprintf(&b, " (default %s)", p.Default)
			}
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func overview() []byte {
	b := []byte(`cpsrl runs C-PSRL: posterior sampling for reinforcement learning with a partial causal graph as the prior.

usage: cpsrl COMMAND [flags]

`)
	for _, c := range commands() {
		b = fmt.Appendf(b, "  %-15s %s\n", c.name, c.short)
	}
	return fmt.Appendf(b, `  %-15s this list, the flags of a command, or the agents: cpsrl help run, cpsrl help agents

The paper's Figure 2(a) and (b), in two commands:

  cpsrl run -preset fig2a -o fig2a.jsonl
  cpsrl plot fig2a.jsonl -o fig2a.svg

Flags take one dash or two, before or after files; "-" is standard input or output.
The exit status is 2 for bad input, 1 for work that failed, 130 after Ctrl-C (143 after SIGTERM).
The same spec and seed give the same bytes everywhere: engine version %d.
`, "help", record.Engine)
}

func (c *command) help() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "usage: cpsrl %s\n\n%s\n", strings.TrimSpace(c.name+" "+c.args), strings.TrimSpace(c.long))
	flags, _ := c.flags()
	any := false
	flags.VisitAll(func(*flag.Flag) { any = true })
	if any {
		b.WriteString("\nflags:\n")
		flags.SetOutput(&b)
		flags.PrintDefaults()
	}
	return b.Bytes()
}

// wholeNumber adds a flag that takes a whole number from low to high. The help shows the
// default only if it is positive.
func wholeNumber(flags *flag.FlagSet, name string, standard, low, high int, usage string) *int {
	n := standard
	if n > 0 {
		usage += fmt.Sprintf(" (default %d)", n)
	}
	flags.Func(name, usage, func(text string) error {
		v, err := strconv.Atoi(text)
		if err != nil || v < low || v > high || strconv.Itoa(v) != text {
			return fmt.Errorf("expected a whole number from %d to %d%s", low, high, param.Hint(text, true))
		}
		n = v
		return nil
	})
	return &n
}

// size adds a flag that takes a number from low to high, or 0, the default.
func size(flags *flag.FlagSet, name string, low, high float64, usage string) *float64 {
	var size float64
	flags.Func(name, usage, func(text string) error {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v != 0 && !(v >= low && v <= high) {
			return fmt.Errorf("expected a number from %v to %v, or 0%s", low, high, param.Hint(text, false))
		}
		size = v
		return nil
	})
	return &size
}

// oneOf adds a flag that takes one of a few words, by default the first.
func oneOf(flags *flag.FlagSet, name string, words []string, usage string) *string {
	word := words[0]
	flags.Func(name, fmt.Sprintf("%s (default %s)", usage, word), func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("expected %s", param.OneOf(words))
		}
		word = text
		return nil
	})
	return &word
}
