package main

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cpsrl/core/experiment"
	"cpsrl/core/spec"
	"cpsrl/render"
	"cpsrl/wasm/engine"
)

// TestPosters checks that each figure of the article with a link, and each step that sets one, has a
// poster of the same link.
func TestPosters(t *testing.T) {
	article, err := os.ReadFile("docs/paper.md")
	if err != nil {
		t.Fatal(err)
	}
	links := map[string]string{}
	for name, poster := range posters {
		links[name] = poster.link
	}
	for _, step := range regexp.MustCompile(`data-show="([^"]*)" data-poster="../figures/([^"]*)\.svg"`).FindAllStringSubmatch(string(article), -1) {
		if links[step[2]] != step[1] {
			t.Errorf("the step %s shows another picture, %s", step[1], step[2])
		}
	}
	found := regexp.MustCompile(`<cpsrl-playground[^>]* link="([^"]*)"[^>]*>`).FindAllStringSubmatch(string(article), -1)
	if len(found) == 0 {
		t.Error("the article has no figure with a link")
	}
	for _, element := range found {
		poster := regexp.MustCompile(` poster="../figures/([^"]*)\.svg"`).FindStringSubmatch(element[0])
		if poster == nil || links[poster[1]] != html.UnescapeString(element[1]) {
			t.Errorf("%s: the poster is %q", element[0], poster)
		}
	}
}

// TestDrawPrior checks that the picture of a prior has a large dot for each known edge and a name
// for each variable.
func TestDrawPrior(t *testing.T) {
	for link, known := range map[string]int{"v=1&domain=taxi&prior=none": 0, "v=1&domain=taxi": 8, "v=1&domain=taxi&grid=3x3": 7} {
		l, err := spec.DecodeLink(link)
		if err != nil {
			t.Fatal(err)
		}
		e, err := experiment.New(l.Spec)
		if err != nil {
			t.Fatal(err)
		}
		p, err := drawPrior(e, &l.View, "")
		if err != nil {
			t.Fatal(err)
		}
		large, cells := 0, 0
		var names []string
		for _, mark := range p.Marks {
			switch mark := mark.(type) {
			case render.Circle:
				if mark.R > 4 {
					large++
				}
			case render.Rect:
				cells++
				if mark.X+mark.W > p.Width || mark.Y+mark.H > p.Height {
					t.Errorf("%s: a cell is outside the picture: %+v", link, mark)
				}
			case render.Text:
				names = append(names, mark.Value)
			}
		}
		if large != known || cells != 20 {
			t.Errorf("%s: %d known edges in %d cells", link, large, cells)
		}
		for _, name := range []string{"row", "col", "passenger", "destination", "move", "row′", "destination′"} {
			if !strings.Contains(strings.Join(names, " ")+" ", name+" ") {
				t.Errorf("%s: no name %q in %q", link, name, names)
			}
		}
	}
}

// TestProblems checks that each kind of problem has a picture, whose names are those of its variables.
func TestProblems(t *testing.T) {
	dir := t.TempDir()
	if err := writeProblems(dir); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"random-fmdp": ">X9<", "taxi": ">passenger<", "figure1": ">X1<", "sysadmin": ">m10<", "model": "<title"}
	for _, kind := range engine.Catalogue().Domains {
		svg, err := os.ReadFile(filepath.Join(dir, "problem-"+kind.Key+".svg"))
		if err != nil || !strings.Contains(string(svg), names[kind.Key]) {
			t.Errorf("%s: %v; it has no %q", kind.Key, err, names[kind.Key])
		}
	}
}
