package main

import (
	"flag"
	"fmt"

	"cpsrl/core/edit"
)

var newCommand = command{
	name: "new", args: "[TEMPLATE] [-o FILE]",
	short: "begin a model of your own from a template",
	long: `Writes a model in the format cpsrl/model to begin with, with formulas in place of tables; the page "File formats"
says what they may hold. Without a name, lists the templates. The page begins from the same files. A problem of the
gallery is another beginning: "cpsrl model -preset NAME" prints its model.`,
	operands: []string{"TEMPLATE"}, optional: true,
	setup: func(flags *flag.FlagSet) action {
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			if len(args) == 0 {
				var list []byte
				for _, t := range edit.Templates() {
					list = fmt.Appendf(list, "%-10s %s\n", t.Name, t.Title)
				}
				return h.print(list)
			}
			text, err := edit.Text(args[0])
			if err != nil {
				return badf("arguments", "%w", err)
			}
			return h.write(*path, text)
		}
	},
}
