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

// specFlags are the flags that choose an experiment, a preset, a file, a link or a
// domain, and those that change its parameters.
type specFlags struct {
	preset, file, link string
	settings           []*setting
}

const specHelp = `The experiment is a preset ("cpsrl presets" lists them), a file in the format cpsrl/spec, a link of the page or
a domain with its defaults; the other flags replace its parameters.`

// setting is the flag of one parameter of a spec.
type setting struct {
	row   param.Param
	text  string
	given bool
}

func (s *setting) String() string { return s.text }

func (s *setting) Set(text string) error {
	if s.row.Int != nil && s.row.SetString(text) != nil {
		return fmt.Errorf("expected %s", s.row.Range())
	}
	s.text, s.given = strings.ReplaceAll(text, ", ", ","), true
	return nil
}

func newSpecFlags(flags *flag.FlagSet) *specFlags {
	s := &specFlags{}
	flags.StringVar(&s.preset, "preset", "", "the `NAME` of a preset")
	flags.StringVar(&s.file, "spec", "", "a `FILE` that holds a spec")
	flags.StringVar(&s.link, "link", "", "a `URL` of the page that holds an experiment, or what follows its #")
	for _, p := range spec.Keys() {
		set := &setting{row: p}
		s.settings = append(s.settings, set)
		flags.Var(set, p.Key, usage(&p))
	}
	return s
}

// usage describes the flag of a parameter.
func usage(p *param.Param) string {
	switch p.Key {
	case "domain":
		return "the `NAME` of a domain, with its defaults: " + strings.Join(domain.Keys(), ", ")
	case "agents":
		return "a comma-separated `LIST` of agents, such as psrl,f-psrl,c-psrl:eta=1"
	}
	label := p.Label
	if p.Symbol != "" {
		label += " " + p.Symbol
	}
	return fmt.Sprintf("%s: the `VALUE` is %s", label, p.Range())
}

// given reports whether the flags choose an experiment.
func (s *specFlags) given() bool {
	return s.preset != "" || s.file != "" || s.link != "" || s.settings[0].given
}

// load returns the complete spec, and its name for messages.
func (s *specFlags) load(h *host) (sp *spec.Spec, name string, err error) {
	given := 0
	for _, flag := range []string{s.preset, s.file, s.link, s.settings[0].text} {
		if flag != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, "", badf("flags", "-preset, -spec, -link and -domain exclude each other")
	case s.link != "":
		l, err := h.readLink(s.link)
		if err != nil {
			return nil, linkName, err
		}
		sp, name = l.Spec, linkName
	case s.preset != "":
		name = "preset " + s.preset
		if sp, err = presetSpec(s.preset); err != nil {
			return nil, name, err
		}
	case s.file != "":
		var data []byte
		if data, name, err = h.document(s.file, "a spec"); err != nil {
			return nil, name, err
		}
		if sp, err = spec.Decode(data); err != nil {
			return nil, name, in(name, err)
		}
	case given == 1:
		sp, name = new(spec.Spec), "flags"
	default:
		return nil, "", badf("flags", "-preset NAME, -spec FILE, -link URL or -domain NAME was expected")
	}
	for _, set := range s.settings {
		if set.given {
			if err := sp.Set(set.row.Key, set.text); err != nil {
				return nil, name, in("flag -"+set.row.Key, err)
			}
		}
	}
	return sp, name, in(name, sp.Complete())
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
	preset, ok := experiment.LookupPreset(name)
	if !ok {
		return nil, badf("preset "+name, "there is no such preset; known are %s", strings.Join(presetNames(), ", "))
	}
	return preset.Spec, nil
}

// presetNames lists the presets.
func presetNames() []string {
	var names []string
	for _, p := range experiment.Presets() {
		names = append(names, p.Name)
		if p.Alias != "" {
			names = append(names, p.Alias)
		}
	}
	return names
}

// runFlag adds the flag that picks one run of an experiment.
func runFlag(flags *flag.FlagSet) *number {
	n := &number{high: spec.MaxRuns - 1}
	flags.Var(n, "run", "the index `I` of the run, from 0 (default: the spec's first)")
	return n
}

// of returns the run picked, or the first.
func (n *number) of(s *spec.Spec) int {
	if n.given {
		return n.value
	}
	return s.FirstRun
}
