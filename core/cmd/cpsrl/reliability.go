package main

import (
	"flag"

	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// reliabilityFlags holds the flags that ask for the reliability of an agent's probabilities of edges.
type reliabilityFlags struct {
	asked   *bool
	agent   *string
	beliefs results.EdgeBeliefs
	episode *int
}

func newReliabilityFlags(flags *flag.FlagSet) *reliabilityFlags {
	return &reliabilityFlags{
		asked:   flags.Bool("reliability", false, "how often edges are true, by the probability that an agent gives them"),
		agent:   flags.String("agent", "", "for -reliability, the `LABEL` of the agent (default: the first that is uncertain of an edge)"),
		episode: wholeNumber(flags, "episode", 0, 1, spec.MaxEpisodes, "for -reliability, the `K` episodes that the agent has learned from (default: all)"),
	}
}

// check refuses flags of -reliability without it.
func (f *reliabilityFlags) check() error {
	if !*f.asked && (*f.agent != "" || *f.episode != 0) {
		return badf("flags", "-agent and -episode are for -reliability")
	}
	return nil
}

// of reads records and returns the reliability that the flags ask for.
func (f *reliabilityFlags) of(h *host, paths []string) (*recordsFile, *results.Reliability, error) {
	f.beliefs.Episode = *f.episode
	r, err := h.results(paths, f.beliefs.Add)
	if err != nil {
		return nil, nil, err
	}
	label := *f.agent
	if label != "" {
		if label, err = r.Experiment.Label(label); err != nil {
			return nil, nil, badf("flag -agent", "%w", err)
		}
	}
	rel, err := results.NewReliability(r.Experiment, &f.beliefs, label)
	if err != nil {
		return nil, nil, in(r.name, err)
	}
	return r, rel, nil
}
