package spec

import (
	"cpsrl/core/domain"
	"cpsrl/core/param"
)

// Field is one parameter of a spec in a form. Whole numbers have Min and Max,
// words have Choices. A value with a notation of its own has Notation, Text and
// Choices; it may have other values than these choices.
type Field struct {
	Place   string        `json:"pointer"` // a JSON pointer into the spec
	Key     string        `json:"key"`     // in links and flags
	Section param.Section `json:"section"`
	Label   string        `json:"label"`
	Symbol  string        `json:"symbol,omitempty"`
	Phrase  string        `json:"phrase"` // the words for its value in a sentence: "_ runs"
	Help    string        `json:"help,omitempty"`
	Min     *int          `json:"min,omitzero"`
	Max     *int          `json:"max,omitzero"`
	Choices []string      `json:"choices,omitempty"`
	Labels  []string      `json:"labels,omitempty"` // the labels of the choices
	Default any           `json:"default,omitzero"` // an int or a string: the value that Complete fills in

	Notation string `json:"notation,omitempty"` // a description of the possible texts
	Text     string `json:"text,omitempty"`     // the text of the spec's value
	Named    bool   `json:"named,omitzero"`     // the value is the name of one of the spec's priors
	Restarts bool   `json:"restarts,omitzero"`  // another choice starts the domain again, with its defaults
}

// Fields returns the fields of a complete spec in the order of a form, with the
// limits that Complete checks. Agents, edges and documents have no field. A prior that
// lists its edges has only the field of η; a value for it replaces the list.
func Fields(s *Spec) []Field {
	name := Field{Place: "/domain/name", Key: "domain", Section: param.Domain, Label: "Domain", Phrase: "domain _"}
	for _, kind := range domain.Kinds() {
		name.Choices, name.Labels = append(name.Choices, kind.Key), append(name.Labels, kind.Label)
	}
	list := []Field{name}
	for _, p := range s.Domain.Params() {
		if p.Document == nil {
			list = append(list, FieldOf("/domain/", &p))
		}
	}
	for _, p := range formRows(s.Prior) {
		list = append(list, FieldOf("/prior/", &p))
	}
	for _, p := range s.Params() {
		list = append(list, FieldOf("/", &p))
	}
	return list
}

// FieldOf returns the field of a parameter. Its place is the given one followed by the
// parameter's name.
func FieldOf(place string, p *param.Param) Field {
	f := Field{
		Place: place + p.Name, Key: p.Key, Section: p.Section, Label: p.Label, Symbol: p.Symbol, Phrase: p.Phrase, Help: p.Help,
		Default: p.Standard(), Named: p.Named, Restarts: p.Restarts,
	}
	for _, w := range p.Words {
		f.Choices, f.Labels = append(f.Choices, w.Value), append(f.Labels, w.Label)
	}
	if p.Written != nil {
		f.Notation, f.Text = p.Range(), p.String()
	}
	if p.Whole() {
		low, high := p.Low, p.High
		f.Min, f.Max = &low, &high
	}
	return f
}
