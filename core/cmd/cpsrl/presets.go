package main

import (
	"flag"
	"fmt"

	"cpsrl/core/experiment"
	"cpsrl/core/spec"
)

var presetsCommand = command{
	name: "presets", args: "[NAME]",
	short: "list the presets, or print the spec of one",
	long: `Lists the presets, which have the settings that the paper prints, one a line; those that end in -quick take seconds.
With a name, prints the complete spec of that preset: a file to change and to give to -spec.`,
	operands: []string{"NAME"}, optional: true,
	setup: func(*flag.FlagSet) action {
		return func(h *host, args []string) error {
			if len(args) == 0 {
				var list []byte
				for _, p := range experiment.Presets() {
					also := ""
					if p.Alias != "" {
						also = " (also " + p.Alias + ")"
					}
					list = fmt.Appendf(list, "%-14s %s%s\n", p.Name, p.Title, also)
				}
				return h.print(list)
			}
			of, err := presetSpec(args[0])
			if err != nil {
				return err
			}
			return h.print(append(spec.Encode(of), '\n'))
		}
	},
}
