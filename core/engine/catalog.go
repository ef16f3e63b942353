package engine

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/agent"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// Catalog is what there is: presets, and the rows of every registry with their
// names, colours and words. Fields name the parameters that every spec has; they
// have no largest values and defaults, which depend on other parameters.
type Catalog struct {
	Engine   int                   `json:"engine"`
	Presets  []PresetEntry         `json:"presets"`
	Fields   []spec.Field          `json:"fields"`
	Domains  []DomainEntry         `json:"domains"`
	Agents   []AgentEntry          `json:"agents"`
	Measures []*experiment.Measure `json:"measures"`
}

// PresetEntry is a named spec and its link.
type PresetEntry struct {
	experiment.Preset
	Link string `json:"link"`
}

// DomainEntry is a kind of problem and the fields of its own parameters.
type DomainEntry struct {
	*domain.Kind
	Fields []spec.Field `json:"fields"`
}

// AgentEntry is an agent: what it is called, and how it is drawn.
type AgentEntry struct {
	Label    string     `json:"label"` // as in a spec
	Kind     string     `json:"kind"`
	Name     string     `json:"name"`
	Short    string     `json:"short"` // the name where room is short
	Gloss    string     `json:"gloss"`
	Look     agent.Look `json:"look"`
	Graph    bool       `json:"graph"`              // it samples graphs
	Baseline int        `json:"baseline,omitempty"` // the rank among those that others are compared with; 0 is none of them
}

// Catalogue returns what there is.
func Catalogue() *Catalog {
	c := &Catalog{Engine: record.Engine, Agents: agentEntries(offered(), nil), Measures: experiment.Measures()}
	for _, p := range experiment.Presets() {
		c.Presets = append(c.Presets, PresetEntry{p, spec.EncodeLink(&spec.Link{Spec: p.Spec})})
	}
	for _, k := range domain.Kinds() {
		entry := DomainEntry{Kind: k}
		c.Fields = nil // the same for every kind
		for _, f := range spec.Fields(&spec.Spec{Domain: k.New()}) {
			f.Max, f.Default = nil, nil
			if strings.HasPrefix(f.Place, "/domain/") && f.Place != "/domain/name" {
				entry.Fields = append(entry.Fields, f)
			} else {
				c.Fields = append(c.Fields, f)
			}
		}
		c.Domains = append(c.Domains, entry)
	}
	return c
}

// offered are the labels of the agents that every form offers: the kinds alone
// first, then their variants.
func offered() []string {
	var kinds, variants []string
	for _, k := range agent.Kinds() {
		kinds = append(kinds, k.Key)
		variants = append(variants, k.Variants...)
	}
	return append(kinds, variants...)
}

// entries describes the agents that a form offers for a problem: those of every
// form, the degrees of prior knowledge that are told apart in it, and the spec's.
func entries(e *experiment.Experiment, about *About) []AgentEntry {
	labels := offered()
	for _, k := range agent.Kinds() {
		for eta := range about.Revealed {
			// Of a kind that is told no η there is no such label.
			if arm, err := agent.Parse(fmt.Sprintf("%s:eta=%d", k.Key, eta)); err == nil {
				labels = append(labels, arm.Label())
			}
		}
	}
	return agentEntries(append(labels, e.Spec().Agents...), e.Spec().Agents)
}

// agentEntries describes the agents of the labels, each once. Those that are drawn
// together look different.
func agentEntries(labels, together []string) []AgentEntry {
	looks := agent.Looks(together)
	var list []AgentEntry
	for k, label := range labels {
		if slices.Contains(labels[:k], label) {
			continue
		}
		arm, err := agent.Parse(label)
		if err != nil {
			panic("engine: " + err.Error())
		}
		look, drawn := looks[label]
		if !drawn {
			look = arm.Look()
		}
		long, short := arm.Names()
		list = append(list, AgentEntry{label, arm.Key, long, short, arm.Gloss, look, arm.Graph, arm.Baseline})
	}
	return list
}
