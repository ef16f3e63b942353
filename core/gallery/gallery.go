// Package gallery holds problems as documents, a file each: a model in the format cpsrl/model and what is said of it. Most
// are problems of the gallery, with their names, an experiment to begin with and, in the model, a prior with the reason of each
// edge. The others are templates, which are only a model to begin with.
//
// Functions may be called by several goroutines at once.
package gallery

import (
	"embed"
	"slices"
	"strings"

	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// Document is a file of the folder.
type Document struct {
	Order int    `json:"order"` // where it stands among the others
	Title string `json:"title"` // in a menu
	// Kind and Preset are those of a problem; a template has none of them. A problem without a Preset is in the menu of
	// problems, and not in the gallery.
	Kind *Kind `json:"kind,omitzero"`
	// Listed says that G_0(η) reveals true parents in the order in which the edges of the prior are listed, and then the others
	// in the order of the variables. Else the order is random.
	Listed bool    `json:"listed,omitzero"`
	Preset *Preset `json:"preset,omitzero"`
	// Choices are the parameters of the problem beside its horizon. The document's own variant is that of their first words.
	Choices []Choice `json:"choices,omitempty"`
	Variant
	Variants []Variant `json:"variants,omitempty"`
}

// Kind is what is said of a problem.
type Kind struct {
	Label  string   `json:"label"`  // its name in a menu of problems
	Phrase string   `json:"phrase"` // its name in a sentence
	Reward string   `json:"reward"` // a sentence that says what a step pays
	Source string   `json:"source"` // where the problem comes from, and its rules in words
	Since  int      `json:"since"`  // the first version of the formats with the kind
	Agents []string `json:"agents"` // the labels of the agents of a spec that names none
}

// Preset is an experiment to begin with.
type Preset struct {
	Question string   `json:"question"` // the question that it answers
	Agents   []string `json:"agents"`   // their labels
	Episodes int      `json:"episodes"`
	Runs     int      `json:"runs"`
	Planner  string   `json:"planner,omitempty"` // by which agents plan; exact if it is ""
}

// Choice is a parameter of a problem: one of several words, each of which says the model.
type Choice struct {
	Name     string      `json:"name"` // also in a link
	Label    string      `json:"label"`
	Phrase   string      `json:"phrase"` // the words for a value in a sentence, with _ for the value
	Restarts bool        `json:"restarts,omitzero"`
	Words    [][2]string `json:"words"` // each with its label; the first is the default
}

// Variant is a model with its name.
type Variant struct {
	When  []string `json:"when,omitempty"` // a word for each choice; none in the document's own variant
	Name  string   `json:"name,omitempty"` // the title of an experiment
	Facts []string `json:"facts,omitempty"`
	Model Written  `json:"model"`
}

// Written is a model as its author wrote it.
type Written struct {
	Text       []byte
	Horizon    int
	Sparseness int // Z of its prior; 0 if it has none
}

// DecodeStrict implements [strict.Decoder]. It reads only the horizon and the Z.
func (m *Written) DecodeStrict(r *strict.Reader) error {
	text, err := r.Raw()
	if err != nil {
		return err
	}
	members, err := strict.Object(text)
	if err != nil {
		return err
	}
	m.Text = text
	if err := strict.DecodeAt(members["horizon"], &m.Horizon, "/horizon"); err != nil || members["prior"] == nil {
		return err
	}
	if members, err = strict.Object(members["prior"]); err != nil {
		return err
	}
	return strict.DecodeAt(members["sparseness"], &m.Sparseness, "/prior/sparseness")
}

// Of returns the variant for a word of each choice. It panics if there is none.
func (d *Document) Of(words []string) *Variant {
	own := true
	for k, word := range words {
		own = own && word == d.Choices[k].Words[0][0]
	}
	if own {
		return &d.Variant
	}
	return &d.Variants[slices.IndexFunc(d.Variants, func(v Variant) bool { return slices.Equal(v.When, words) })]
}

// Entry is a document with the name of its file.
type Entry struct {
	Name string
	Document
}

//go:embed *.json
var folder embed.FS

var (
	_       = strict.Know(Document{}, Kind{}, Preset{}, Choice{}, Variant{})
	entries = read()
)

// Entries returns the documents in their order. The caller must not change them.
func Entries() []Entry { return entries }

// StartingPoint is a template in a menu.
type StartingPoint struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Templates returns the documents that are only a model to begin with.
func Templates() (list []StartingPoint) {
	for _, e := range entries {
		if e.Kind == nil {
			list = append(list, StartingPoint{e.Name, e.Title})
		}
	}
	return list
}

// Template returns the model of a document, template or problem, as its author wrote it.
func Template(name string) ([]byte, error) {
	names := make([]string, len(entries))
	for k, e := range entries {
		if names[k] = e.Name; e.Name == name {
			return e.Model.Text, nil
		}
	}
	return nil, strict.Invalid("", "there is no template %q; it must be %s", param.Clip(name), param.OneOf(names))
}

// read reads the folder. It panics if a file is no document.
func read() (list []Entry) {
	files, err := folder.ReadDir(".")
	if err != nil {
		panic("gallery: " + err.Error())
	}
	for _, file := range files {
		text, err := folder.ReadFile(file.Name())
		e := Entry{Name: strings.TrimSuffix(file.Name(), ".json")}
		if err == nil {
			err = strict.Decode(text, &e.Document)
		}
		if err != nil {
			panic("gallery: " + file.Name() + ": " + err.Error())
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return a.Order - b.Order })
	return list
}
