package main

import (
	"flag"
	"fmt"
	"strings"

	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/param"
	"cpsrl/core/spec"
)

// specFlags holds the flags that choose an experiment – a preset, a file, a link or a
// domain – and those that change its parameters.
type specFlags struct {
	preset, file, link string
	given              map[string]string // the texts of the parameters, by key
	opened             *spec.Link        // the link, once it has been read
	normalise          func() bool
}

const specHelp = `The experiment is a preset ("cpsrl presets" lists them), a file in the format cpsrl/spec, a link of the page or
a domain with its defaults; the other flags replace its parameters.`

func newSpecFlags(flags *flag.FlagSet) *specFlags {
	s := &specFlags{given: map[string]string{}}
	flags.StringVar(&s.preset, "preset", "", "the `NAME` of a preset")
	flags.StringVar(&s.file, "spec", "", "a `FILE` that holds a spec")
	s.normalise = normaliseFlag(flags)
	flags.StringVar(&s.link, "link", "", "a `URL` of the page that holds an experiment, or what follows its #")
	for _, p := range spec.Keys() {
		flags.Func(p.Key, usage(&p), func(text string) error {
			if (p.Int != nil || p.Written != nil) && p.SetString(text) != nil {
				return fmt.Errorf("expected %s%s", p.Range(), param.Hint(text, p.Int != nil))
			}
			if p.Key == "agents" {
				text = strings.ReplaceAll(text, ", ", ",")
			}
			s.given[p.Key] = text
			return nil
		})
	}
	return s
}

// usage returns the help text of a parameter's flag.
func usage(p *param.Param) string {
	switch p.Key {
	case "domain":
		return "the `NAME` of a domain, with its defaults: " + strings.Join(domain.Keys(), ", ")
	case "agents":
		return "a comma-separated `LIST` of agents, such as psrl,f-psrl,c-psrl:eta=1 (\"cpsrl help agents\" lists them)"
	}
	return fmt.Sprintf("%s: the `VALUE` is %s", strings.TrimSpace(p.Label+" "+p.Symbol), p.Range())
}

// chosen returns the number of experiments that the flags choose.
func (s *specFlags) chosen() (n int) {
	for _, text := range []string{s.preset, s.file, s.link, s.given["domain"]} {
		if text != "" {
			n++
		}
	}
	return n
}

// load returns the complete spec, and its name for messages.
func (s *specFlags) load(h *host) (sp *spec.Spec, name string, err error) {
	switch {
	case s.chosen() > 1:
		err = badf("flags", "-preset, -spec, -link and -domain exclude each other")
	case s.file == "" && s.normalise():
		err = badf("flags", "-normalise is for a model in a file; -spec FILE was expected")
	case s.link != "":
		var l *spec.Link
		if l, err = h.readLink(s.link); err == nil {
			s.opened, sp, name = l, l.Spec, linkName
		}
	case s.preset != "":
		name = "preset " + s.preset
		sp, err = presetSpec(s.preset)
	case s.file != "":
		sp, name, err = readDocument(h, "spec", s.file, h.decodeSpec(s.normalise()))
	case s.chosen() == 1:
		sp, name = new(spec.Spec), "flags"
	default:
		err = badf("flags", "-preset NAME, -spec FILE, -link URL or -domain NAME was expected")
	}
	for _, p := range spec.Keys() {
		if text, given := s.given[p.Key]; given && err == nil {
			err = in("flag -"+p.Key, sp.Set(p.Key, text))
		}
	}
	if err == nil {
		err = in(name, sp.Complete())
	}
	return sp, name, err
}

// experiment returns the experiment, and its name for messages.
func (s *specFlags) experiment(h *host) (*experiment.Experiment, string, error) {
	sp, name, err := s.load(h)
	if err != nil {
		return nil, name, err
	}
	e, err := experiment.NewContext(h.ctx, sp)
	return e, name, in(name, err)
}

// presetSpec returns the spec of a preset.
func presetSpec(name string) (*spec.Spec, error) {
	if preset, ok := experiment.LookupPreset(name); ok {
		return preset.Spec, nil
	}
	var known []string
	for _, p := range experiment.Presets() {
		known = append(known, p.Name)
		if p.Alias != "" {
			known = append(known, p.Alias)
		}
	}
	return nil, badf("preset "+name, "there is no such preset; known are %s", strings.Join(known, ", "))
}
