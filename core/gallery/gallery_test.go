package gallery_test

import (
	"slices"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/gallery"
)

// Each document has a place of its own, and a valid model in formulas for each choice of words; a problem has all that is
// said of one, and a template nothing of it.
func TestEntries(t *testing.T) {
	orders, templates := map[int]bool{}, 0
	for _, e := range gallery.Entries() {
		if orders[e.Order] {
			t.Errorf("%s has the place of another", e.Name)
		}
		orders[e.Order] = true
		if e.Kind == nil {
			templates++
		}
		if template := e.Kind == nil; e.Title == "" || template != (e.Model.Sparseness == 0) || template && e.Preset != nil || template != (e.Variant.Name == "") || template && e.Choices != nil {
			t.Errorf("%s has only a part of what is said of a problem", e.Name)
		}
		for _, words := range combinations(e.Choices) {
			v := e.Of(words)
			f, err := document.DecodeModelFile(v.Model.Text)
			if err != nil {
				t.Errorf("%s %v: %v", e.Name, words, err)
				continue
			}
			if v.Model.Horizon != f.Model.Horizon || f.Formulas.Laws == nil || f.Model.Name == "" {
				t.Errorf("%s %v: horizon %d, formulas %v", e.Name, words, v.Model.Horizon, f.Formulas.Laws)
			}
			if e.Kind != nil && (f.Prior == nil || slices.ContainsFunc(f.Prior.Edges, func(r document.Reason) bool { return r.Why == "" })) {
				t.Errorf("%s %v has no prior, or an edge of it has no reason", e.Name, words)
			}
			if v != &e.Variant && !slices.Equal(v.When, words) {
				t.Errorf("%s %v is the variant of %v", e.Name, words, v.When)
			}
		}
		if n := len(combinations(e.Choices)); len(e.Variants) != n-1 || e.When != nil {
			t.Errorf("%s has %d variants for %d combinations of words", e.Name, len(e.Variants), n)
		}
	}
	if list := gallery.Templates(); templates == 0 || len(list) != templates || list[0].Name != "blank" {
		t.Errorf("the templates are %v", list)
	}
	if _, err := gallery.Template("chess"); err == nil {
		t.Error("there is a template chess")
	}
}

// combinations lists a word for each choice in all ways.
func combinations(choices []gallery.Choice) [][]string {
	list := [][]string{{}}
	for _, c := range choices {
		var longer [][]string
		for _, words := range list {
			for _, word := range c.Words {
				longer = append(longer, append(slices.Clip(words), word[0]))
			}
		}
		list = longer
	}
	return list
}
