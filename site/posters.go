package main

import (
	"fmt"
	"os"
	"path/filepath"

	"cpsrl/core/engine"
	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/core/spec"
	"cpsrl/render"
)

// posters are the pictures that the article's figures of priors and experiments show until a reader
// starts them. Each has a name, the link of its figure and the function that draws it.
var posters = map[string]struct {
	link string
	draw func(*experiment.Experiment) (*render.Picture, error)
}{
	"poster-prior":      {"v=1&domain=taxi&grid=5x5&prior=none", drawPrior},
	"poster-false-edge": {"v=1&domain=taxi&grid=3x3&episodes=150&runs=8", drawRegret},
}

// writePosters writes the pictures as SVG into a folder.
func writePosters(dir string) error {
	for name, poster := range posters {
		picture, err := drawPoster(poster.link, poster.draw)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), render.SVG(picture), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func drawPoster(link string, draw func(*experiment.Experiment) (*render.Picture, error)) (*render.Picture, error) {
	l, err := spec.DecodeLink(link)
	if err != nil {
		return nil, err
	}
	e, err := experiment.New(l.Spec)
	if err != nil {
		return nil, err
	}
	picture, err := draw(e)
	if err != nil {
		return nil, err
	}
	picture.Theme, picture.Fitted = render.Page, true
	return picture, nil
}

// drawPrior draws the prior of the first run as the page's matrix: a row for each X, a column
// for each Y, and a dot where an edge is known.
func drawPrior(e *experiment.Experiment) (*render.Picture, error) {
	space, prior, err := experiment.NewPrior(e.Spec(), 0)
	if err != nil {
		return nil, err
	}
	const (
		width, height = 720, 44 // the width of the picture and the height of a row
		left, top     = 170, 64 // the corner of the first cell
		column        = 112
		letters       = 16
	)
	p := &render.Picture{Width: width, Title: "Prior: edges you know"}
	name := func(x, y float64, anchor render.Anchor, color render.Color, value string) {
		p.Marks = append(p.Marks, render.Text{X: x, Y: y, Anchor: anchor, Size: letters, Color: color, Value: value})
	}
	rows := append(append([]fmdp.Variable{}, space.State...), space.Action...)
	known := 0
	name(left-16, top-16, render.End, render.Muted, "now \\ next")
	for j, y := range space.State {
		name(left+(float64(j)+.5)*column, top-16, render.Middle, render.Ink, y.Name+"′")
	}
	for i, x := range rows {
		middle := top + (float64(i)+.5)*height
		name(left-16, middle+letters/3, render.End, render.Ink, x.Name)
		for j := range space.State {
			cell := render.Rect{X: left + float64(j)*column, Y: middle - height/2, W: column, H: height, Stroke: render.Faint, Width: 1}
			dot := render.Circle{X: cell.X + column/2, Y: middle, R: 1.5, Fill: render.Muted}
			if prior.Known[j].Has(i) {
				dot.R, dot.Fill = 9, render.Ink
				known++
			}
			p.Marks = append(p.Marks, cell, dot)
		}
	}
	p.Height = top + height*float64(len(rows)) + 32
	p.Text = fmt.Sprintf("A matrix of %d causes now and %d effects at the next step, with %d known edges", len(rows), len(space.State), known)
	return p, nil
}

// drawRegret runs an experiment and draws its cumulative regret.
func drawRegret(e *experiment.Experiment) (*render.Picture, error) {
	summary := e.Summary()
	for r, err := range e.Run() {
		if err != nil {
			return nil, err
		}
		if err := summary.Add(r); err != nil {
			return nil, err
		}
	}
	of := experiment.CumulativeRegret()
	lines, _ := engine.NewLines(&export.Results{Summary: summary}, of, spec.Interval)
	chart := &engine.Chart{Measure: of.Key, Lines: lines, Width: 720, Height: 405, Type: 14, Theme: render.Page}
	p, err := chart.Picture()
	if err != nil {
		return nil, err
	}
	p.Title, p.Text = e.Title(), summary.Conclusion()
	return p, nil
}
