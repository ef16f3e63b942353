package engine

import (
	"slices"
	"strings"

	"cpsrl/core/arm"
	"cpsrl/core/domain"
	"cpsrl/core/edit"
	"cpsrl/core/experiment"
	"cpsrl/core/gallery"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
)

// Catalog lists the presets and the rows of every registry with their names, colours and
// words. Fields are the parameters that every spec has, without largest values and
// defaults, which depend on other parameters.
type Catalog struct {
	Engine   int                `json:"engine"`
	Spec     int                `json:"spec"` // the newest version of specs, in which a form is checked
	Presets  []PresetEntry      `json:"presets"`
	Fields   []spec.Field       `json:"fields"`
	Domains  []DomainEntry      `json:"domains"`
	Kinds    []AgentKind        `json:"kinds"`
	Agents   []AgentEntry       `json:"agents"` // one of each kind, and the agents of the presets
	Measures []*results.Measure `json:"measures"`
	// Templates are models to begin with, and Fills the ways to fill a table, for /v1/edit.
	Templates []gallery.StartingPoint `json:"templates"`
	Fills     []edit.Fill             `json:"fills"`
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

// AgentKind is a kind of agent. A label of that kind is the key, or the key with
// parameters.
type AgentKind struct {
	Key string `json:"key"`
	// Fields are the kind's parameters. The place of a field is / and the parameter's name.
	// A parameter without a default is the spec's if it is not given.
	Fields []spec.Field `json:"fields"`
}

// AgentEntry is an agent with its names and its look.
type AgentEntry struct {
	Label    string   `json:"label"` // as in a spec
	Kind     string   `json:"kind"`
	Name     string   `json:"name"`
	Short    string   `json:"short"` // a short name
	Gloss    string   `json:"gloss"`
	Look     arm.Look `json:"look"`
	Graph    bool     `json:"graph"`              // whether it samples graphs
	Baseline int      `json:"baseline,omitempty"` // the rank among baselines; 0 for an agent that is not one
	Told     bool     `json:"told,omitzero"`      // whether it is told the spec's prior; what another agent does depends on no edge of that prior
}

// Catalogue returns the catalogue of this engine.
func Catalogue() *Catalog {
	c := &Catalog{Engine: record.Engine, Spec: spec.Version, Measures: results.Measures(), Templates: gallery.Templates(), Fills: edit.Fills()}
	labels := offered()
	for _, p := range experiment.Presets() {
		labels = append(labels, p.Spec.Agents...)
		c.Presets = append(c.Presets, PresetEntry{p, spec.EncodeLink(&spec.Link{Spec: p.Spec})})
	}
	c.Agents = agentEntries(labels, nil)
	for _, k := range arm.Kinds() {
		kind := AgentKind{Key: k.Key, Fields: []spec.Field{}}
		for _, p := range k.New().Params() {
			kind.Fields = append(kind.Fields, spec.FieldOf("/", &p))
		}
		c.Kinds = append(c.Kinds, kind)
	}
	for _, k := range domain.Kinds() {
		entry := DomainEntry{Kind: k}
		var common []spec.Field // the fields that every spec has, the same for each kind
		for _, f := range spec.Fields(&spec.Spec{Domain: k.New()}) {
			f.Max, f.Default = nil, nil
			if strings.HasPrefix(f.Place, "/domain/") && f.Place != "/domain/name" {
				entry.Fields = append(entry.Fields, f)
			} else {
				common = append(common, f)
			}
		}
		c.Fields = common
		c.Domains = append(c.Domains, entry)
	}
	return c
}

// offered returns the labels of the agents that every form offers: first the kinds without
// parameters, then the agents of the paper’s presets, in alphabetical order. A label may occur twice.
func offered() []string {
	var labels, paper []string
	for _, k := range arm.Kinds() {
		labels = append(labels, k.Key)
	}
	for _, p := range experiment.Presets() {
		if !p.Gallery { // else agents with priors of their own
			paper = append(paper, p.Spec.Agents...)
		}
	}
	slices.Sort(paper)
	return append(labels, paper...)
}

// entries returns the agents that every form offers, and those of the spec.
func entries(s *spec.Spec) []AgentEntry {
	return agentEntries(append(offered(), s.Agents...), s.Agents)
}

// agentEntries returns the agents with these labels, each once. Those in together have
// different looks.
func agentEntries(labels, together []string) []AgentEntry {
	looks := arm.Looks(together)
	var list []AgentEntry
	for k, label := range labels {
		if slices.Contains(labels[:k], label) {
			continue
		}
		arm, err := arm.Parse(label)
		if err != nil {
			panic("engine: " + err.Error())
		}
		look, drawn := looks[label]
		if !drawn {
			look = arm.Look()
		}
		long, short := arm.Names()
		list = append(list, AgentEntry{label, arm.Key, long, short, arm.Gloss, look, arm.Graph, arm.Baseline, arm.Told()})
	}
	return list
}
