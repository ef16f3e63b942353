package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"regexp"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/render/film"
)

// TestReadmeFilm checks that the README's picture is the film that the program draws now.
func TestReadmeFilm(t *testing.T) {
	p, _ := experiment.LookupPreset("fig2c")
	e, err := experiment.New(p.Spec)
	if err != nil {
		t.Fatal(err)
	}
	f, err := film.Of(t.Context(), e, 0, film.Subject(e), film.Highlights(p.Spec.Episodes, 1))
	if err != nil {
		t.Fatal(err)
	}
	got := f.SVG("C-PSRL on the taxi", "Three episodes of one run: a first guess, one on the way, one that has learned.")
	if err := xml.Unmarshal(got, new(struct{})); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("figures/film.svg", got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile("figures/film.svg"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("figures/film.svg is out of date (%v); write it by go test ./site -run TestReadmeFilm -update", err)
	}
	if len(got) > 150_000 {
		t.Errorf("the film has %d bytes", len(got))
	}
}

// TestFilmStandsAlone checks that two films in one page share no name, and that a film has no
// custom property, which not every program knows.
func TestFilmStandsAlone(t *testing.T) {
	owner := map[string]string{}
	for _, name := range []string{"fig1-quick", "fig2c-quick"} {
		p, _ := experiment.LookupPreset(name)
		e, err := experiment.New(p.Spec)
		if err != nil {
			t.Fatal(err)
		}
		f, err := film.Of(t.Context(), e, 0, film.Subject(e), film.Highlights(p.Spec.Episodes, 1))
		if err != nil {
			t.Fatal(err)
		}
		svg := string(f.SVG(name, "a film"))
		if strings.Contains(svg, "var(") {
			t.Errorf("%s has custom properties", name)
		}
		names := 0
		for _, match := range regexp.MustCompile(`(?: id="|@keyframes |class="|[}{]\.)([^" {:]+)`).FindAllStringSubmatch(svg, -1) {
			names++
			if of := owner[match[1]]; of != "" && of != name {
				t.Fatalf("%q is a name in %s and %s", match[1], of, name)
			}
			owner[match[1]] = name
		}
		if names < 100 {
			t.Errorf("%s has %d names", name, names)
		}
	}
}
