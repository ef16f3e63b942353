package engine

import (
	"cpsrl/core/agent"
	"cpsrl/core/domain"
	"cpsrl/core/experiment"
	"cpsrl/core/record"
	"cpsrl/core/spec"
)

// Catalog is what there is: presets, and the rows of every registry with their
// names, colours and words.
type Catalog struct {
	Engine   int             `json:"engine"`
	Presets  []PresetEntry   `json:"presets"`
	Domains  []DomainEntry   `json:"domains"`
	Agents   []AgentEntry    `json:"agents"`
	Measures []*MeasureEntry `json:"measures"`
}

// PresetEntry is a named spec.
type PresetEntry struct {
	Name  string     `json:"name"`
	Alias string     `json:"alias,omitempty"`
	Title string     `json:"title"`
	Spec  *spec.Spec `json:"spec"`
	Link  string     `json:"link"`
}

// DomainEntry is a kind of problem.
type DomainEntry struct {
	Key     string `json:"key"`
	Label   string `json:"label"`  // in a menu
	Phrase  string `json:"phrase"` // in a sentence
	PerRun  bool   `json:"perRun"` // each run has a true graph of its own
	Picture string `json:"picture,omitempty"`
}

// AgentEntry is an agent that a form offers.
type AgentEntry struct {
	Label string     `json:"label"` // as in a spec
	Kind  string     `json:"kind"`
	Name  string     `json:"name"`
	Short string     `json:"short"` // the name where room is short
	Gloss string     `json:"gloss"`
	Look  agent.Look `json:"look"`
	Graph bool       `json:"graph"` // it samples graphs
}

// MeasureEntry is a measure.
type MeasureEntry struct {
	Key        string               `json:"key"`
	Noun       string               `json:"noun"`
	Axis       string               `json:"axis"`
	Definition string               `json:"definition"`
	Formula    string               `json:"formula"`
	Absent     string               `json:"absent,omitempty"`
	Better     experiment.Direction `json:"better,omitempty"`
	Most       float64              `json:"most,omitzero"`
}

// Catalogue returns what there is.
func Catalogue() *Catalog {
	c := &Catalog{Engine: record.Engine}
	for _, p := range experiment.Presets() {
		c.Presets = append(c.Presets, PresetEntry{p.Name, p.Alias, p.Title, p.Spec, spec.EncodeLink(&spec.Link{Spec: p.Spec})})
	}
	for _, k := range domain.Kinds() {
		c.Domains = append(c.Domains, DomainEntry{k.Key, k.Label, k.Phrase, k.PerRun, k.Picture})
	}
	// The kinds alone first, then their variants.
	for _, k := range agent.Kinds() {
		c.Agents = append(c.Agents, agentEntry(k.Key))
	}
	for _, k := range agent.Kinds() {
		for _, label := range k.Variants {
			c.Agents = append(c.Agents, agentEntry(label))
		}
	}
	for _, m := range experiment.Measures() {
		c.Measures = append(c.Measures, &MeasureEntry{m.Key, m.Noun, m.Axis, m.Definition, m.Formula, m.Absent, m.Better, m.Most})
	}
	return c
}

func agentEntry(label string) AgentEntry {
	arm, err := agent.Parse(label)
	if err != nil {
		panic("engine: " + err.Error())
	}
	long, short := arm.Names()
	return AgentEntry{label, arm.Key, long, short, arm.Gloss, arm.Look(), arm.Graph}
}
