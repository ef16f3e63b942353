package edit

import (
	_ "embed" // for the texts
	"slices"

	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/strict"
)

// StartingPoint is a model to begin with.
type StartingPoint struct {
	Name  string `json:"name"`
	Title string `json:"title"` // as a menu has it
	text  string
}

// Templates returns the models to begin with, in the order of a menu.
func Templates() []StartingPoint {
	return []StartingPoint{
		{"blank", "A blank problem", blank},
		{"inventory", "Inventory: stock, season and orders", inventory},
		{"gridworld", "Gridworld: a walker and a goal", gridworld},
		{"treatment", "Treatment: a patient and a drug", treatment},
		{"network", "Network: machines and reboots", network},
	}
}

var (
	//go:embed templates/blank.json
	blank string
	//go:embed templates/inventory.json
	inventory string
	//go:embed templates/gridworld.json
	gridworld string
	//go:embed templates/treatment.json
	treatment string
	//go:embed templates/network.json
	network string
)

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
	k := slices.IndexFunc(all, func(s StartingPoint) bool { return s.Name == name })
	if k < 0 {
		names := make([]string, len(all))
		for k, s := range all {
			names[k] = s.Name
		}
		return nil, strict.Invalid("", "there is no template %q; it must be %s", param.Clip(name), param.OneOf(names))
	}
	return []byte(all[k].text), nil
}
