package main

import (
	"flag"
	"fmt"
	"slices"

	"cpsrl/core/gallery"
)

var newCommand = command{
	name: "new", args: "[TEMPLATE] [-o FILE]",
	short: "begin a model of your own from a template",
	long: `Writes a model in the format cpsrl/model to begin with, with formulas in place of tables; the page "File formats"
says what they may hold. Without a name, lists the templates, and the problems of the gallery that are documents, too.
The page begins from the same files. Any other problem is a beginning, too: "cpsrl model -preset NAME" prints its model.`,
	operands: []string{"TEMPLATE"}, optional: true,
	setup: func(flags *flag.FlagSet) action {
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			if len(args) == 0 {
				var list []byte
				for _, e := range gallery.Entries() {
					list = fmt.Appendf(list, "%-14s %s\n", e.Name, e.Title)
				}
				return h.print(list)
			}
			text, err := gallery.Template(args[0])
			if err != nil {
				return badf("arguments", "%w", err)
			}
			return h.write(*path, append(slices.Clip(text), '\n'))
		}
	},
}
