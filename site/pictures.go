package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"cpsrl/core/document"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/spec"
	"cpsrl/render"
	"cpsrl/render/chart"
	"cpsrl/render/figure"
	"cpsrl/render/film"
	"cpsrl/render/print"
	"cpsrl/wasm/engine"
)

// writePictures writes what the build needs from the core into a folder: presets.json, which is
// the answer to GET /v1/presets; answers.json, which has the answer to the question of each preset
// that has a figure in the folder of figures; the pictures of the article and of each kind of problem; the cards of the gallery;
// the icons; and for each such preset:
//
//	NAME.svg                       the figure by itself
//	NAME.still.svg                 the figure that the page shows until it draws its own
//	NAME.png                       the card that other sites show beside a link
//	NAME.film.json                 a few episodes of one run
//	NAME.film.svg                  the film's first picture
//	NAME.graph.json                the problem's variables, the known edges, and whether it says why it suggests them
func writePictures(dir, figures string) error {
	catalogue, err := json.Marshal(engine.Catalogue(), json.Deterministic(true))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "presets.json"), catalogue, 0o644); err != nil {
		return err
	}
	if err := writePosters(dir, figures); err != nil {
		return err
	}
	if err := writeAgents(dir, figures); err != nil {
		return err
	}
	if err := writeGraphStudy(dir, figures); err != nil {
		return err
	}
	if err := writeSearch(dir, figures); err != nil {
		return err
	}
	if err := writeProblems(dir); err != nil {
		return err
	}
	if err := writeGallery(dir, figures); err != nil {
		return err
	}
	if err := writeIcons(dir); err != nil {
		return err
	}
	answers := map[string]string{}
	for _, preset := range experiment.Presets() {
		data, err := os.ReadFile(filepath.Join(figures, preset.Name+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var f export.Figure
		if err == nil {
			err = json.Unmarshal(data, &f)
		}
		if err != nil {
			return err
		}
		if answers[preset.Name], err = answerOf(preset.Name, &f); err != nil {
			return err
		}
		path := filepath.Join(dir, preset.Name)
		if err := writeFigure(path, preset.Title, &f); err != nil {
			return err
		}
		if err := writeFilm(path, preset.Spec); err != nil {
			return err
		}
	}
	data, err := json.Marshal(answers, json.Deterministic(true))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "answers.json"), data, 0o644)
}

// writeFigure writes the pictures of a figure to a path, to which it adds their endings.
func writeFigure(path, title string, f *export.Figure) error {
	measure := f.Default().Key
	c := figure.Chart{Measure: measure, Lines: figure.Lines(f.Curves(measure))}
	sized := func(c figure.Chart, width, height, letters float64) *figure.Chart {
		c.Width, c.Height, c.Type = width, height, letters
		return &c
	}
	card := sized(c, 1200, 630, 24)
	card.Title = title
	card.Notes = []chart.Note{
		{Text: f.Conclusion},
		{Text: "C-PSRL playground: posterior sampling with a causal graph prior, in a browser tab"},
	}
	c.Theme = render.Page
	poster := sized(c, 720, 405, 14)
	c.Inline = true
	for ending, c := range map[string]*figure.Chart{
		".svg": poster, ".still.svg": sized(c, 480, 280, 13), ".png": card,
	} {
		drawn, err := c.Draw()
		if err != nil {
			return err
		}
		p := drawn.Picture()
		p.Title, p.Text = title, f.Conclusion
		document := render.SVG(p)
		switch {
		case c.Inline:
			document = render.Inline(p)
		case ending == ".png":
			if document, err = print.PNG(p, 96); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path+ending, document, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeFilm writes the film of a spec's first run, its first picture and the graph beside it to a path, to which it adds their endings.
func writeFilm(path string, s *spec.Spec) error {
	e, err := experiment.New(s)
	if err != nil {
		return err
	}
	f, err := film.Of(context.Background(), e, s.FirstRun, film.Subject(e), film.Learning(s.Episodes, film.Smooth))
	if err != nil {
		return err
	}
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".film.json", data, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(path+".film.svg", render.SVG(f.First()), 0o644); err != nil {
		return err
	}
	p, err := e.Instance(s.FirstRun)
	if err != nil {
		return err
	}
	variables := document.NewVariables(&p.View.Space)
	graph, err := json.Marshal(map[string]any{
		"state": variables.State, "action": variables.Action, "edges": document.PriorEdges(p.Prior, &p.View.Space), "why": len(p.Suggestions) > 0,
	}, json.Deterministic(true))
	if err != nil {
		return err
	}
	return os.WriteFile(path+".graph.json", graph, 0o644)
}
