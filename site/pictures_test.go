package main

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cpsrl/core/experiment"
	"cpsrl/render"
	"cpsrl/render/chart"
	"cpsrl/wasm/engine"
)

// TestPictures checks that the build gets the catalogue and four pictures of each figure, with a
// curve for every agent in those for the page.
func TestPictures(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{"-figures", "figures", "-out", dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var catalogue engine.Catalog
	if err := json.Unmarshal(read("presets.json"), &catalogue); err != nil || len(catalogue.Presets) != len(experiment.Presets()) {
		t.Errorf("%v, %d presets", err, len(catalogue.Presets))
	}
	var cards []card
	if err := json.Unmarshal(read("gallery.json"), &cards); err != nil || len(cards) != len(experiment.Gallery()) {
		t.Errorf("%v, %d cards", err, len(cards))
	}
	for _, c := range cards {
		if !strings.HasPrefix(string(read("gallery-"+c.Name+".svg")), "<svg") || c.States < 2 || c.Variables < 2 {
			t.Errorf("card %+v", c)
		}
	}
	figures, err := filepath.Glob("figures/*.json")
	if err != nil || len(figures) == 0 {
		t.Fatal(figures, err)
	}
	for _, path := range figures {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		k := slices.IndexFunc(experiment.Presets(), func(p experiment.Preset) bool { return p.Name == name })
		agents := len(experiment.Presets()[k].Spec.Agents)
		for _, ending := range []string{".svg", ".still.svg"} {
			var svg struct {
				Facts string   `xml:"data-facts,attr"`
				Texts []string `xml:"text"`
				Style string   `xml:"style"`
				Paths []struct {
					Width string `xml:"stroke-width,attr"`
					Class string `xml:"class,attr"`
				} `xml:"path"`
			}
			document := read(name + ending)
			if err := xml.Unmarshal(document, &svg); err != nil {
				t.Fatal(err)
			}
			curves := 0
			for _, path := range svg.Paths {
				if path.Class == "curve" {
					curves++
				}
			}
			var facts chart.Facts
			if ending == ".svg" {
				if !strings.Contains(svg.Style, "prefers-color-scheme:dark") {
					t.Errorf("%s%s follows no theme", name, ending)
				}
			} else if err := json.Unmarshal([]byte(svg.Facts), &facts); err != nil || curves != agents || svg.Style != "" || facts.Last <= 1 {
				t.Errorf("%s%s: %d curves of %d agents, %+v, %v", name, ending, curves, agents, facts, err)
			}
		}
		card, err := png.DecodeConfig(bytes.NewReader(read(name + ".png")))
		if err != nil || card.Width != 1200 || card.Height != 630 {
			t.Errorf("%s.png: %v×%v, %v", name, card.Width, card.Height, err)
		}
	}
}

// TestPageFonts checks that a picture in the colours of the page has the page's own fonts, so that the page has one sans.
func TestPageFonts(t *testing.T) {
	css, err := os.ReadFile("page.css")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`--sans: (.*);`).FindSubmatch(css)
	if list == nil {
		t.Fatal("page.css names no --sans")
	}
	want := strings.ReplaceAll(strings.ReplaceAll(string(list[1]), `"`, ""), "'", "")
	svg := render.SVG(&render.Picture{Width: 1, Height: 1, Theme: render.Page})
	got := regexp.MustCompile(`font-family="(.*?)"`).FindSubmatch(svg)
	if got == nil || strings.ReplaceAll(string(got[1]), "'", "") != want {
		t.Errorf("a picture has the fonts %s, the page %s", got[1], want)
	}
}
