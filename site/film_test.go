package main

import (
	"bytes"
	"encoding/xml"
	"os"
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
