package main

import (
	"strings"
	"testing"
)

// Every command line of the page about sweeps has flags and operands that the command takes.
func TestDocumentedCommands(t *testing.T) {
	lines := 0
	for line := range strings.Lines(read(t, "../../../site/docs/cluster.md")) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " > ")
		args := strings.Fields(line)
		if len(args) < 2 || args[0] != "cpsrl" {
			continue
		}
		lines++
		c, err := lookup(args[1])
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		flags, _ := c.flags()
		rest, err := parse(flags, args[2:])
		if err != nil || len(rest) > len(c.operands) && !c.many || len(rest) < len(c.operands) && !c.optional {
			t.Errorf("%s: %v, operands %q", line, err, rest)
		}
	}
	if lines < 9 {
		t.Errorf("the page has %d command lines", lines)
	}
}
