package main

import (
	"flag"
	"path/filepath"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
)

var convertCommand = command{
	name: "convert", args: "FILE [-horizon H] [-action NAMES] [-o FILE]",
	short: "read a model in the format of another program",
	long: `Reads a model in the format of another program and writes it in the format cpsrl/model, for "cpsrl plan" and for
specs. The text of the file tells its format: ` + strings.Join(format.ModelFormats(), ", ") + `.
The page "File formats" says what is read of each. What a format has and a model has not is refused, with its
line, or left out with a word on standard error.`,
	operands: []string{"FILE"},
	setup: func(flags *flag.FlagSet) action {
		horizon := wholeNumber(flags, "horizon", 0, 1, fmdp.MaxHorizon, "the number `H` of steps of an episode (default: the file's, if it states one)")
		actions := namesFlag(flags, "action", "the `NAMES` of the variables that are actions, joined by commas, if the format does not say it (BIF)")
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			m, _, err := readDocument(h, "model", args[0], func(data []byte) (*fmdp.Model, error) {
				name := strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
				if args[0] == "-" {
					name = ""
				}
				m, notes, err := format.ReadModel(name, data, format.Options{Horizon: *horizon, Actions: *actions})
				for _, note := range notes {
					h.remark(note)
				}
				return m, err
			})
			if err != nil {
				return err
			}
			return h.write(*path, append(document.EncodeModel(m), '\n'))
		}
	},
}

// namesFlag adds a flag that takes names joined by commas.
func namesFlag(flags *flag.FlagSet, name, usage string) *[]string {
	var names []string
	flags.Func(name, usage, func(text string) error {
		names = strings.Split(text, ",")
		return nil
	})
	return &names
}
