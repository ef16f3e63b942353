package main

import (
	"cmp"
	"flag"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/format"
)

var convertCommand = command{
	name: "convert", args: "FILE... [-horizon H] [-normalise] [-o FILE]",
	short: "read a model in the format of another program",
	long: `Reads a model in the format of another program and writes it in the format cpsrl/model, for "cpsrl plan" and for
specs. The text of the file tells its format: ` + strings.Join(format.ModelFormats(), ", ") + `. A problem in RDDL may
stand in several files, in any order: a domain and an instance.
The page "File formats" says what is read of each. What a format has and a model has not is refused, with its
line, or left out with a word on standard error.`,
	operands: []string{"FILE"}, many: true,
	setup: func(flags *flag.FlagSet) action {
		horizon := wholeNumber(flags, "horizon", 0, 1, fmdp.MaxHorizon, "the number `H` of steps of an episode (default: the file's, if it states one)")
		normalise := normaliseFlag(flags)
		path := flags.String("o", "", "write to `FILE` instead of standard output")
		return func(h *host, args []string) error {
			f, err := h.convert(args, format.Options{Horizon: *horizon, Normalise: normalise()})
			if err != nil {
				return err
			}
			return h.write(*path, append(f.Encode(), '\n'))
		}
	},
}

// convert reads a model that stands in one file or several.
func (h *host) convert(paths []string, o format.Options) (*document.ModelFile, error) {
	if len(paths) == 1 {
		f, _, err := readDocument(h, "model", paths[0], func(data []byte) (*document.ModelFile, error) { return h.foreignModel(paths[0], data, o) })
		return f, err
	}
	var names []string
	var files [][]byte
	for _, path := range paths {
		data, name, err := readDocument(h, "model", path, func(data []byte) ([]byte, error) { return data, nil })
		if err != nil {
			return nil, err
		}
		names, files = append(names, name), append(files, data)
	}
	f, err := h.foreignModel(paths[0], format.Join(names, files), o)
	if at, is := err.(*format.Error); is {
		of := *at
		of.File = ""
		return nil, in(cmp.Or(at.File, strings.Join(names, ", ")), &of)
	}
	return f, err
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
