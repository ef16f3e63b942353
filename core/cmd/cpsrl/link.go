package main

import (
	"flag"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/spec"
)

// linkName is the name of a link in messages.
const linkName = "flag -link"

var linkCommand = command{
	name: "link", args: "-preset NAME | -spec FILE | -link URL | -model FILE | -receipt FILE [-base URL] [-prior FILE] [-data FILE]",
	short: "print the link that opens an experiment in the page",
	long: specHelp + `

Prints what follows the # of a link to the page; with -base, the whole link. With -receipt, the link also says
which records that file holds (engine version and fingerprint), so that the page and "cpsrl verify" can tell whether
they compute the same. Without another experiment, the link is that of the file's. With -link, the view of the link is
kept, and its receipt if no other flag replaces a parameter.`,
	setup: func(flags *flag.FlagSet) action {
		source := newSpecFlags(flags)
		receipt := flags.String("receipt", "", "a `FILE` of records, all that the experiment asks for")
		base := baseFlag(flags)
		return func(h *host, args []string) error {
			var e *experiment.Experiment
			var err error
			if *receipt == "" || source.asks() {
				if e, _, err = source.experiment(h); err != nil {
					return err
				}
			}
			var stamp *spec.Receipt
			if *receipt != "" {
				r, err := h.results([]string{*receipt}, nil)
				switch {
				case err != nil:
					return err
				case !r.Whole:
					return badf(r.name, "all the records of the experiment, in their order, were expected; there are %d", r.Added())
				case e != nil && string(spec.Encode(e.Spec())) != string(spec.Encode(r.Experiment.Spec())):
					return badf(r.name, "the records are those of another experiment")
				}
				e, stamp = r.Experiment, r.Receipt()
			}
			whole := &spec.Link{Spec: e.Spec(), Receipt: stamp}
			if l := source.opened; l != nil {
				whole.View, whole.Unknown, h.notice = l.View, l.Unknown, mended(l)
				switch {
				case stamp != nil || l.Receipt == nil:
				case !source.changed:
					whole.Receipt = l.Receipt
				default:
					h.remark("the receipt is left out, because the settings may be others")
				}
			}
			again, err := spec.DecodeLink(spec.EncodeLink(whole))
			if err != nil {
				return badf(linkName, "there is no link of this experiment: %w", err)
			}
			whole.View = again.View // without what does not suit the parameters
			return h.print([]byte(export.URL(*base, spec.EncodeLink(whole)) + "\n"))
		}
	},
}

// mended says how a mail or a chat had changed the link, and what ReadLink made of it. For an
// unchanged link it returns "".
func mended(l *spec.Link) string {
	if l.Repaired == "" {
		return ""
	}
	return "the link was changed on its way: " + l.Repaired
}

// readLink reads a link. A notice lists the keys that this version does not know, and says
// what was done to the link on its way.
func (h *host) readLink(text string) (*spec.Link, error) {
	l, err := spec.ReadLink(text)
	if err != nil {
		return nil, in(linkName, err)
	}
	var keys []string
	for _, pair := range l.Unknown {
		key, _, _ := strings.Cut(pair, "=")
		keys = append(keys, key)
	}
	h.notice = mended(l)
	if keys != nil {
		h.remark("this version passes over what it does not know of the link: " + strings.Join(keys, ", "))
	}
	return l, nil
}
