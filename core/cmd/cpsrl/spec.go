package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/format"
	"cpsrl/core/param"
	"cpsrl/core/spec"
)

// specFlags holds the flags that choose an experiment – a preset, a file, a link, a
// domain or a model – and those that change its parameters.
type specFlags struct {
	preset, file, link string
	model              string            // the file of a model
	prior, data        string            // files that the agents are told
	given              map[string]string // the texts of the parameters, by key
	opened             *spec.Link        // the link, once it has been read
	changed            bool              // whether what was loaded may be another experiment than the one that was chosen
	normalise          func() bool
}

const specHelp = `The experiment is a preset ("cpsrl presets" lists them), a file in the format cpsrl/spec, a link of the page,
a domain with its defaults, or a model with the defaults of a model; the other flags replace its parameters.

-prior takes a prior in the format cpsrl/prior, or edges in a format of another program (DOT, DAGitty, BIF, a table). With
-data, every agent has observed the transitions of a file before its first episode. If lines have no "paid", learned
rewards start from nothing. The spec, and so each record file, link and receipt, names the transitions by the
SHA-256 of their JSON Lines; they are needed again to run it.`

func newSpecFlags(flags *flag.FlagSet) *specFlags {
	s := &specFlags{given: map[string]string{}}
	flags.StringVar(&s.preset, "preset", "", "the `NAME` of a preset")
	flags.StringVar(&s.file, "spec", "", "a `FILE` that holds a spec")
	flags.StringVar(&s.model, "model", "", "a `FILE` that holds a model")
	flags.StringVar(&s.prior, "prior", "", "a `FILE` that holds a prior, in place of the experiment's")
	s.normalise = normaliseFlag(flags)
	flags.StringVar(&s.link, "link", "", "a `URL` of the page that holds an experiment, or what follows its #")
	flags.StringVar(&s.data, "data", "", "a `FILE` of transitions that every agent has observed before the first episode: JSON Lines or a table")
	for _, p := range spec.Keys() {
		if p.Key == "data" {
			continue // the flag names the file
		}
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
	for _, text := range []string{s.preset, s.file, s.link, s.given["domain"], s.model} {
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
		err = badf("flags", "-preset, -spec, -link, -domain and -model exclude each other")
	case s.file == "" && s.model == "" && s.normalise():
		err = badf("flags", "-normalise is for a model in a file; -spec FILE or -model FILE was expected")
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
	case s.model != "":
		sp, name, err = s.ofModel(h)
	case s.chosen() == 1:
		sp, name = new(spec.Spec), "flags"
	default:
		err = badf("flags", "-preset NAME, -spec FILE, -link URL, -domain NAME or -model FILE was expected")
	}
	set := func(key string) {
		if text, given := s.given[key]; given && err == nil {
			err = in("flag -"+key, sp.Set(key, text))
		}
	}
	for _, p := range spec.Keys() {
		set(p.Key)
	}
	if s.prior != "" && err == nil {
		for _, key := range []string{"eta", "trust", "false"} {
			if s.given[key] != "" {
				return sp, name, badf("flags", "-prior and -%s exclude each other", key)
			}
		}
		if err = in(name, sp.Complete()); err == nil {
			err = h.takePrior(sp, s.prior)
		}
		for _, p := range sp.Params() { // what the file says of these, a flag replaces
			set(p.Key)
		}
	}
	if err == nil {
		err = in(name, sp.Complete())
	}
	s.changed = len(s.given) > 0 || s.prior != ""
	if s.data != "" && err == nil {
		s.changed = s.changed || sp.Data() == nil
		err = h.takeData(sp, s.data)
	}
	return sp, name, err
}

// asks reports whether a flag chooses an experiment or changes it.
func (s *specFlags) asks() bool {
	return s.chosen() > 0 || len(s.given) > 0 || s.prior != "" || s.data != ""
}

// ofModel returns the spec of the model, with its defaults.
func (s *specFlags) ofModel(h *host) (*spec.Spec, string, error) {
	sp := new(spec.Spec)
	_, name, err := readDocument(h, "model", s.model, func(data []byte) (*document.ModelFile, error) {
		horizon := 0
		if format.IsModel(data) { // else the horizon is that of the file
			horizon, _ = strconv.Atoi(s.given["horizon"])
			delete(s.given, "horizon")
		}
		f, err := h.decodeModel(s.model, data, s.normalise(), horizon)
		if err == nil {
			sp.Domain = domain.NewCustomFile(f)
		}
		return f, err
	})
	return sp, name, err
}

// experiment returns the experiment, and its name for messages.
func (s *specFlags) experiment(h *host) (*experiment.Experiment, string, error) {
	sp, name, err := s.load(h)
	if err != nil {
		return nil, name, err
	}
	e, err := experiment.NewContext(h.ctx, sp)
	return e, name, h.hint(sp, in(name, err))
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
