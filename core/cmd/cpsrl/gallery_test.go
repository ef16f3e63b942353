package main

import (
	"strings"
	"testing"

	"cpsrl/core/experiment"
)

// The list has a line for each problem, and each problem is described with its edges, their reasons and a link that opens it.
func TestGallery(t *testing.T) {
	list := ok(t, "gallery")
	if lines := strings.Count(list, "\n"); lines != len(experiment.Gallery())+1 {
		t.Errorf("%d lines:\n%s", lines, list)
	}
	// The shortest way of CliffWalking has 13 steps, each of which costs 1.
	if !strings.Contains(list, "cliff-walking            48   4  100   -13.000  ") {
		t.Error(list)
	}
	for _, p := range experiment.Gallery() {
		text := ok(t, "gallery", p.Name)
		in, err := experiment.NewInstance(p.Spec, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range in.Suggestions {
			if !strings.Contains(text, s.Why) {
				t.Errorf("%s lacks %q:\n%s", p.Name, s.Why, text)
			}
		}
		_, link, _ := strings.Cut(text, "\nlink  #")
		if strings.Count(text, " → ") != len(in.Suggestions)+in.Suggested.Edges() || link != ok(t, "link", "-preset", p.Name) {
			t.Errorf("%s:\n%s", p.Name, text)
		}
	}
	if r := cpsrl(t, "gallery", "fig1"); r.status != statusInvalid || !strings.Contains(r.stderr, `no problem "fig1"; it has sepsis, `) {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
}
