package main

import (
	"flag"
	"slices"
	"strings"

	"cpsrl/core/experiment"
	"cpsrl/core/record"
)

// specFlags are the flags that say which experiment is meant: a preset or a
// file, and what to change in it.
type specFlags struct {
	preset, file, link, agents string
	episodes, runs, seed       number
}

const specHelp = `The experiment is a preset ("cpsrl presets" lists them), a file in the format cpsrl/spec or a link of the page;
-agents, -episodes, -runs and -seed replace what it says.`

func newSpecFlags(flags *flag.FlagSet) *specFlags {
	s := &specFlags{
		episodes: number{low: 1, high: record.MaxEpisodes},
		runs:     number{low: 1, high: record.MaxRuns},
		seed:     number{low: 0, high: record.MaxSeed},
	}
	flags.StringVar(&s.preset, "preset", "", "the `NAME` of a preset")
	flags.StringVar(&s.file, "spec", "", "a `FILE` that holds a spec")
	flags.StringVar(&s.link, "link", "", "a `URL` of the page that holds an experiment, or what follows its #")
	flags.StringVar(&s.agents, "agents", "", "a comma-separated `LIST` of agents, such as psrl,f-psrl,c-psrl:eta=1")
	flags.Var(&s.episodes, "episodes", "`K`, the number of episodes")
	flags.Var(&s.runs, "runs", "`N`, the number of runs")
	flags.Var(&s.seed, "seed", "the `SEED`, below 2^53")
	return s
}

// load returns the complete spec, and its name for messages.
func (s *specFlags) load(h *host) (spec *record.Spec, name string, err error) {
	given := 0
	for _, flag := range []string{s.preset, s.file, s.link} {
		if flag != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, "", badf("flags", "-preset, -spec and -link exclude each other")
	case s.link != "":
		l, err := h.readLink(s.link)
		if err != nil {
			return nil, linkName, err
		}
		spec, name = l.Spec, linkName
	case s.preset != "":
		name = "preset " + s.preset
		preset, ok := experiment.LookupPreset(s.preset)
		if !ok {
			return nil, name, badf(name, "there is no such preset; known are %s", strings.Join(presetNames(), ", "))
		}
		spec = &preset.Spec
		spec.Agents = slices.Clone(spec.Agents)
	case s.file != "":
		var data []byte
		if data, name, err = h.document(s.file, "a spec"); err != nil {
			return nil, name, err
		}
		if spec, err = record.DecodeSpec(data); err != nil {
			return nil, name, in(name, err)
		}
	default:
		return nil, "", badf("flags", "-preset NAME, -spec FILE or -link URL was expected")
	}
	if err := s.override(spec); err != nil {
		return nil, name, err
	}
	return spec, name, in(name, spec.Complete())
}

// override replaces what the flags give.
func (s *specFlags) override(spec *record.Spec) error {
	if s.agents != "" {
		spec.Agents = strings.Split(s.agents, ",")
		for k, label := range spec.Agents {
			agent, err := record.ParseAgent(strings.TrimSpace(label))
			if err != nil {
				return in("flag -agents", err)
			}
			spec.Agents[k] = agent.Label()
		}
	}
	if s.episodes.given {
		spec.Episodes = s.episodes.value
	}
	if s.runs.given {
		spec.Runs = s.runs.value
	}
	if s.seed.given {
		spec.Seed = int64(s.seed.value)
	}
	return nil
}

// presetNames lists the presets.
func presetNames() []string {
	var names []string
	for _, p := range experiment.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// runFlag adds the flag that picks one run of an experiment.
func runFlag(flags *flag.FlagSet) *number {
	n := &number{high: record.MaxRuns - 1}
	flags.Var(n, "run", "the index `I` of the run, from 0 (default: the spec's first)")
	return n
}

// of returns the run picked, or the first.
func (n *number) of(spec *record.Spec) int {
	if n.given {
		return n.value
	}
	return spec.FirstRun
}
