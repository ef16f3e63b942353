package edit

import (
	"embed"
	"slices"

	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// StartingPoint is a model to begin with.
type StartingPoint struct {
	Name  string `json:"name"`
	Title string `json:"title"` // as a menu has it
}

// Templates returns the models to begin with, in the order of a menu.
func Templates() []StartingPoint {
	return []StartingPoint{
		{"blank", "A blank problem"},
		{"inventory", "Inventory: stock, season and orders"},
		{"gridworld", "Gridworld: a walker and a goal"},
		{"treatment", "Treatment: a patient and a drug"},
		{"network", "Network: machines and reboots"},
	}
}

//go:embed templates
var templates embed.FS

// Template returns the model of that name.
func Template(name string) (*document.ModelFile, error) {
	text, err := Text(name)
	if err != nil {
		return nil, err
	}
	return document.DecodeModelFile(text)
}

// Text returns the document of the template of that name, as a person would write it.
func Text(name string) ([]byte, error) {
	all := Templates()
	if !slices.ContainsFunc(all, func(s StartingPoint) bool { return s.Name == name }) {
		names := make([]string, len(all))
		for k, s := range all {
			names[k] = s.Name
		}
		return nil, strict.Invalid("", "there is no template %q; it must be %s", param.Clip(name), param.OneOf(names))
	}
	text, err := templates.ReadFile("templates/" + name + ".json")
	if err != nil {
		panic("edit: " + err.Error())
	}
	return text, nil
}
