package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cpsrl/core/record"
)

// command is one of the words that follow cpsrl.
type command struct {
	name  string
	args  string // the usage after the name
	short string // one line
	long  string // the text of the command's help
	// operands names the arguments that are not flags.
	operands []string
	optional bool // the operands may be left out
	// setup adds the command's flags and returns what the command does with its
	// operands.
	setup func(flags *flag.FlagSet) action
}

type action func(h *host, args []string) error

// commands lists all but help, in the order of a session's work.
func commands() []command {
	return []command{
		runCommand, summaryCommand, plotCommand, figureCommand,
		linkCommand, verifyCommand,
		presetsCommand, modelCommand, priorCommand, traceCommand,
		transitionsCommand, planCommand, factorizationsCommand, posteriorCommand,
		serveCommand,
	}
}

// nameOf returns the name, for messages, of the command that the arguments ask for.
func nameOf(args []string) string {
	if len(args) > 0 {
		if c, ok := lookup(args[0]); ok {
			return "cpsrl " + c.name
		}
	}
	return "cpsrl"
}

// dispatch runs the command that the arguments ask for.
func (h *host) dispatch(args []string) error {
	if len(args) == 0 {
		return badf("arguments", `a command was expected; "cpsrl help" lists them`)
	}
	word, args := args[0], args[1:]
	switch word {
	case "help", "-h", "-help", "--help":
		return h.help(args)
	}
	c, ok := lookup(word)
	if !ok {
		return badf(strconv.Quote(word), `there is no such command; "cpsrl help" lists them`)
	}
	flags := c.newFlags()
	act := c.setup(flags)
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return c.help(h.stdout)
	}
	if err != nil {
		return badf("flags", `%w ("cpsrl help %s" explains them)`, err, c.name)
	}
	h.warnOfFusing()
	if len(rest) > 0 || !c.optional {
		if err := exactly(rest, c.operands...); err != nil {
			return err
		}
	}
	return act(h, rest)
}

func lookup(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

func (c *command) newFlags() *flag.FlagSet {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	return flags
}

// parse reads flags before, between and after the other arguments, which it
// returns; after "--" nothing is a flag.
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

// exactly checks the number of arguments that are not flags.
func exactly(args []string, what ...string) error {
	if len(args) < len(what) {
		return badf("arguments", "%s was expected", what[len(args)])
	}
	if len(args) > len(what) {
		return badf("arguments", "nothing was expected where %q stands", args[len(what)])
	}
	return nil
}

// help prints the help of a command, or the list of them.
func (h *host) help(args []string) error {
	if len(args) == 0 {
		return overview(h.stdout)
	}
	c, ok := lookup(args[0])
	if !ok {
		return badf(strconv.Quote(args[0]), `there is no such command; "cpsrl help" lists them`)
	}
	return c.help(h.stdout)
}

func overview(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `cpsrl runs C-PSRL: posterior sampling for reinforcement learning with a partial causal graph as the prior.

usage: cpsrl COMMAND [flags]

`)
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-15s %s\n", c.name, c.short)
	}
	fmt.Fprintf(&b, `  %-15s this list, or the flags of a command: cpsrl help run

The paper's Figure 2(a) and (b), in two commands:

  cpsrl run -preset fig2a -o fig2a.jsonl
  cpsrl plot fig2a.jsonl -o fig2a.svg

Flags take one dash or two, before or after files; "-" is standard input or output.
The exit status is 2 for bad input, 1 for work that failed, 130 after Ctrl-C (143 after SIGTERM).
The same spec and seed give the same bytes everywhere: engine version %d.
`, "help", record.Engine)
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *command) help(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "usage: cpsrl %s\n\n%s\n", strings.TrimSpace(c.name+" "+c.args), strings.TrimSpace(c.long))
	flags := c.newFlags()
	c.setup(flags)
	any := false
	flags.VisitAll(func(*flag.Flag) { any = true })
	if any {
		b.WriteString("\nflags:\n")
		flags.SetOutput(&b)
		flags.PrintDefaults()
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// number is a flag that takes a whole number within limits.
type number struct {
	value, low, high int
	given            bool
}

func (n *number) String() string {
	if n.low == n.high { // package flag asks a zero number for its text
		return "0"
	}
	return strconv.Itoa(n.value)
}

func (n *number) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil || v < n.low || v > n.high {
		return fmt.Errorf("expected a whole number from %d to %d", n.low, n.high)
	}
	n.value, n.given = v, true
	return nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	value   string
	choices []string
}

func (c *choice) String() string { return c.value }

func (c *choice) Set(s string) error {
	for _, word := range c.choices {
		if s == word {
			c.value = s
			return nil
		}
	}
	return fmt.Errorf("expected one of %s", strings.Join(c.choices, ", "))
}
