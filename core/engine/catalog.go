package engine

import (
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
	Engine   int             `json:"engine"`
	Presets  []PresetEntry   `json:"presets"`
	Fields   []spec.Field    `json:"fields"`
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
	Key     string       `json:"key"`
	Label   string       `json:"label"`  // in a menu
	Phrase  string       `json:"phrase"` // in a sentence
	PerRun  bool         `json:"perRun"` // each run has a true graph of its own
	Picture string       `json:"picture,omitempty"`
	Fields  []spec.Field `json:"fields"` // of its own parameters
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

// MeasureEntry is a measure.
type MeasureEntry struct {
	Key        string               `json:"key"`
	Noun       string               `json:"noun"`
	Axis       string               `json:"axis"`
	Definition string               `json:"definition"`
	Formula    string               `json:"formula"`
	Caption    string               `json:"caption"`
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
		own, common := fieldsOf(k)
		c.Domains = append(c.Domains, DomainEntry{k.Key, k.Label, k.Phrase, k.PerRun, k.Picture, own})
		c.Fields = common // the same for every kind
	}
	for _, label := range offered() {
		c.Agents = append(c.Agents, agentEntry(label))
	}
	for _, m := range experiment.Measures() {
		c.Measures = append(c.Measures, &MeasureEntry{m.Key, m.Noun, m.Axis, m.Definition, m.Formula, m.Caption, m.Absent, m.Better, m.Most})
	}
	return c
}

// fieldsOf returns the fields of a kind's parameters, and those that every spec has.
func fieldsOf(k *domain.Kind) (own, common []spec.Field) {
	own = []spec.Field{}
	for _, f := range spec.Fields(&spec.Spec{Domain: k.New()}) {
		f.Max, f.Default = nil, nil
		if strings.HasPrefix(f.Place, "/domain/") && f.Place != "/domain/name" {
			own = append(own, f)
		} else {
			common = append(common, f)
		}
	}
	return own, common
}

// offered are the labels of the agents that every form offers: the kinds alone
// first, then their variants.
func offered() []string {
	var labels []string
	for _, k := range agent.Kinds() {
		labels = append(labels, k.Key)
	}
	for _, k := range agent.Kinds() {
		labels = append(labels, k.Variants...)
	}
	return labels
}

// entries describes the agents that a form offers for a problem: those of every
// form, the degrees of prior knowledge that are told apart in it, and the spec's.
func entries(e *experiment.Experiment, about *About) []AgentEntry {
	labels := offered()
	for _, k := range agent.Kinds() {
		for eta := range about.Revealed {
			if label, ok := knowing(k, eta); ok {
				labels = append(labels, label)
			}
		}
	}
	var list []AgentEntry
	seen := map[string]bool{}
	for _, label := range append(labels, e.Spec().Agents...) {
		if !seen[label] {
			list = append(list, agentEntry(label))
		}
		seen[label] = true
	}
	return list
}

// knowing returns the label of a kind's agent that is told so many true parents
// of each Y variable, if the kind has such agents.
func knowing(k *agent.Kind, eta int) (label string, ok bool) {
	a := agent.Arm{Kind: k, Config: k.New()}
	for _, p := range a.Params() {
		if p.Name == "eta" {
			ok = p.SetInt(eta) == nil && p.Check() == nil
		}
	}
	return a.Label(), ok
}

func agentEntry(label string) AgentEntry {
	arm, err := agent.Parse(label)
	if err != nil {
		panic("engine: " + err.Error())
	}
	long, short := arm.Names()
	return AgentEntry{label, arm.Key, long, short, arm.Gloss, arm.Look(), arm.Graph, arm.Baseline}
}
