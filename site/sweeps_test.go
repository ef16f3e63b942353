package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/spec"
	"cpsrl/core/strict"
	"cpsrl/core/sweep"
)

// studies holds the documents of sweeps behind each table of studies.
var studies = map[string][]string{
	"concentration": {"concentration"}, "graph": {"graph"}, "sepsis": {"sepsis"}, "false-edges": {"false-edges"}, "tied": {"tied", "tied-sysadmin", "tied-prior"}, "gallery": {"gallery"}, "large": {"large"}, "search": {"search"},
}

// The sweeps of a study are the experiments of its numbers: the specs of the settings are those of the links, and no other.
func TestStudySweeps(t *testing.T) {
	of := func(s *spec.Spec) string { return spec.EncodeLink(&spec.Link{Spec: s}) } // whatever the order of edges
	for table, documents := range studies {
		data, err := os.ReadFile(filepath.Join("..", "studies", table+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]bool{} // whether a setting has the spec
		for _, row := range rows[1:] {
			link, err := spec.DecodeLink(row[len(row)-1])
			if err != nil {
				t.Fatal(err)
			}
			told[of(link.Spec)] = false
		}
		for _, name := range documents {
			data, err := os.ReadFile(filepath.Join("..", "studies", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			s, err := sweep.Decode(data)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for setting := range s.Settings() {
				if setting.Err != nil {
					t.Errorf("%s %q: %v", name, setting.Texts, setting.Err)
					continue
				}
				text := of(setting.Spec)
				if _, is := told[text]; !is {
					t.Errorf("%s %q is in no row: %s", name, setting.Texts, text)
				}
				told[text] = true
			}
		}
		for text, is := range told {
			if !is {
				t.Errorf("%s: no sweep has the experiment %s", table, text)
			}
		}
	}
}

// gallerySweep returns the sweep of the presets of the gallery that plan exactly.
func gallerySweep(t *testing.T) []byte {
	t.Helper()
	fields := []string{"domain", "prior", "priors", "sparseness", "agents", "episodes", "runs", "dirichlet", "tables"}
	values := map[string][]any{}
	for _, p := range experiment.Gallery() {
		if searches(p) {
			continue
		}
		members, err := strict.Object(spec.Encode(p.Spec))
		if err != nil {
			t.Fatal(err)
		}
		values["label.problem"] = append(values["label.problem"], p.Name)
		for _, name := range fields {
			var value any = members[name]
			switch {
			case members[name] != nil:
			case name == "prior":
				value = map[string]int{"trust": 1} // the domain's suggestion
			case name == "priors":
				value = map[string]int{}
			default:
				t.Fatalf("%s has no %s", p.Name, name)
			}
			values[name] = append(values[name], value)
		}
	}
	b := bytes.NewBufferString(`{"format":"cpsrl/sweep","version":1,"spec":{"format":"cpsrl/spec","version":6,"seed":1},"vary":[{` + "\n")
	for k, name := range append([]string{"label.problem"}, fields...) {
		if k > 0 {
			b.WriteString(",\n")
		}
		b.Write(strict.Encode(name))
		b.WriteString(":[\n ")
		for i, value := range values[name] {
			if i > 0 {
				b.WriteString(",\n ")
			}
			b.Write(strict.Encode(value))
		}
		b.WriteString("]")
	}
	b.WriteString("}]}\n")
	return b.Bytes()
}

// The sweep of the gallery has its presets; "go test ./site -run TestGallerySweep -update" writes it again.
func TestGallerySweep(t *testing.T) {
	path := filepath.Join("..", "studies", "gallery.json")
	want := gallerySweep(t)
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
		t.Errorf("%s has other presets (%v); write it by go test ./site -run TestGallerySweep -update", path, err)
	}
}
