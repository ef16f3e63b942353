package main

import (
	"flag"
	"slices"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
)

// linkName is what messages call a link.
const linkName = "flag -link"

var linkCommand = command{
	name: "link", args: "-preset NAME | -spec FILE | -link URL | -receipt FILE [-base URL]",
	short: "print the link that opens an experiment in the page",
	long: specHelp + `

Prints what follows the # of a link to the page; with -base, the whole link. With -receipt, the link also says
what the records of that file are (engine version and fingerprint), so that whoever opens it, in the page or with
"cpsrl verify", learns whether they get the same; then the experiment may be left out: it is the file's.`,
	setup: func(flags *flag.FlagSet) action {
		source := newSpecFlags(flags)
		receipt := flags.String("receipt", "", "a `FILE` of records, all that the experiment asks for")
		base := baseFlag(flags)
		return func(h *host, args []string) error {
			if err := exactly(args); err != nil {
				return err
			}
			l := &record.Link{}
			if *receipt == "" || source.preset != "" || source.file != "" || source.link != "" {
				spec, name, err := source.load(h)
				if err != nil {
					return err
				}
				if err := experiment.Check(spec); err != nil {
					return in(name, err)
				}
				l.Spec = spec
			}
			if *receipt != "" {
				if err := h.addReceipt(l, *receipt); err != nil {
					return err
				}
			}
			link := export.URL(*base, l)
			if _, err := record.ReadLink(link); err != nil {
				return badf(linkName, "there is no link of this experiment: %w", err)
			}
			return h.print([]byte(link + "\n"))
		}
	},
}

// addReceipt adds the receipt of a records file, and its spec if there is none.
func (h *host) addReceipt(l *record.Link, path string) error {
	r, err := h.results(path, nil)
	switch {
	case err != nil:
		return err
	case !r.Whole():
		return badf(r.name, "all the records of the experiment, in their order, were expected; there are %d", r.Summary.Records())
	case l.Spec != nil && string(record.EncodeSpec(l.Spec)) != string(record.EncodeSpec(&r.Header.Spec)):
		return badf(r.name, "the records are those of another experiment")
	}
	l.Spec = &r.Header.Spec
	l.Receipt = &record.Receipt{Engine: r.Header.Engine, Fingerprint: r.Fingerprint}
	return nil
}

// readLink reads a link, and says which of its keys this version does not know.
func (h *host) readLink(text string) (*record.Link, error) {
	l, err := record.ReadLink(text)
	if err != nil {
		return nil, in(linkName, err)
	}
	if len(l.Unknown) > 0 {
		keys := slices.Clone(l.Unknown)
		for k := range keys {
			keys[k], _, _ = strings.Cut(keys[k], "=")
		}
		h.notice = "this version passes over what it does not know of the link: " + strings.Join(keys, ", ")
	}
	return l, nil
}
