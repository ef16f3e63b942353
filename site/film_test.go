package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/render"
)

// TestFilm checks that the frames of a film, put together from its marks, are the pictures
// that render draws of the same moments.
func TestFilm(t *testing.T) {
	for _, name := range []string{"fig1-quick", "fig2c-quick"} {
		p, _ := experiment.LookupPreset(name)
		f, err := shoot(p.Spec, parts)
		if err != nil {
			t.Fatal(err)
		}
		e, err := experiment.New(p.Spec)
		if err != nil {
			t.Fatal(err)
		}
		if f.Agent != "C-PSRL" || f.Width != filmWidth {
			t.Errorf("%s: %s, %v wide", name, f.Agent, f.Width)
		}
		if got := f.Frames[0].Time; got != 1000 {
			t.Errorf("%s: the first picture stays for %d ms", name, got)
		}
		for _, mark := range f.Marks {
			if name == "fig2c-quick" && strings.Contains(mark, "…") {
				t.Errorf("%s: a name or a value is cut: %s", name, mark)
			}
		}
		rest := f.Frames
		for _, k := range filmEpisodes {
			trace, err := e.Trace(context.Background(), 0, "c-psrl", min(k, p.Spec.Episodes))
			if err != nil {
				t.Fatal(err)
			}
			for _, view := range takes(trace, parts) {
				view.Scene = p.Spec.Domain.Kind().Picture
				picture, err := f.draw(trace, view)
				if err != nil {
					t.Fatal(err)
				}
				next := rest[0]
				rest = rest[1:]
				var b strings.Builder
				for i := 0; i < len(next.Marks); i += 2 {
					for _, mark := range f.Marks[next.Marks[i] : next.Marks[i]+next.Marks[i+1]] {
						b.WriteString(mark + "\n")
					}
				}
				if want := string(render.Inline(picture)); !strings.HasSuffix(want, ">\n"+b.String()+"</svg>\n") {
					t.Fatalf("%s, episode %d, %s %v: the frame differs from the picture", name, trace.Episode, view.Moment, view.Step)
				}
				if next.Episode != trace.Episode || next.Text != picture.Text || next.Time <= 0 || picture.Height > f.Height {
					t.Errorf("%s: %+v", name, next)
				}
			}
		}
		if len(rest) > 0 {
			t.Errorf("%s: %d frames too many", name, len(rest))
		}
	}
}

// TestReadmeFilm checks that the README's picture is the film that the program draws now.
func TestReadmeFilm(t *testing.T) {
	f, err := readmeFilm()
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

// TestSubject checks that a baseline is shown only if no other agent samples graphs.
func TestSubject(t *testing.T) {
	p, _ := experiment.LookupPreset("fig1-quick")
	e, err := experiment.New(p.Spec)
	if err != nil {
		t.Fatal(err)
	}
	for want, labels := range map[string][]string{
		"c-psrl": {"psrl", "f-psrl", "c-psrl"},
		"f-psrl": {"psrl", "f-psrl"},
		"psrl":   {"psrl"},
	} {
		if got, _ := subject(e, labels); got != want {
			t.Errorf("of %v: %s, want %s", labels, got, want)
		}
	}
}
