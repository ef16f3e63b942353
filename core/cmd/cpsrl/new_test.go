package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cpsrl/core/document"
	"cpsrl/core/gallery"
)

// Each template is written as it stands, and is a model that can be planned in.
func TestNew(t *testing.T) {
	list := ok(t, "new")
	for _, of := range gallery.Entries() {
		if !strings.Contains(string(list), of.Name+" ") || !strings.Contains(string(list), of.Title) {
			t.Errorf("%s is not in the list", of.Name)
		}
		path := filepath.Join(t.TempDir(), "model.json")
		ok(t, "new", of.Name, "-o", path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := document.DecodeModelFile(data)
		want, _ := gallery.Template(of.Name)
		if err != nil || string(data) != string(want)+"\n" || f.Formulas.Laws == nil {
			t.Errorf("%s: %v", of.Name, err)
		}
		if f.Model.Initial != nil { // else no list holds the states
			ok(t, "plan", "-model", path)
		}
	}
	if r := cpsrl(t, "new", "chess"); r.status != statusInvalid || !strings.Contains(r.stderr, `there is no template "chess"; it must be one of blank, inventory,`) {
		t.Errorf("%d %s", r.status, r.stderr)
	}
}
