package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/spec"
	"cpsrl/render"
	"cpsrl/render/figure"
	"cpsrl/wasm/engine"
)

// posters are the pictures of the article's figures, until a reader starts a figure. Each poster has
// a name, the link of its figure and a function that draws the poster: from the experiment and the
// view of the link, or from the folder of precomputed figures.
var posters = map[string]struct {
	link string
	draw func(e *experiment.Experiment, view *spec.View, figures string) (*render.Picture, error)
}{
	"moment-sample":        {"v=1&domain=taxi&grid=3x3&watch=0,1,sample,c-psrl", drawMoment},
	"moment-plan":          {"v=1&domain=taxi&grid=3x3&watch=0,1,plan,c-psrl", drawMoment},
	"moment-act":           {"v=1&domain=taxi&grid=3x3&watch=0,1,act,c-psrl", drawMoment},
	"moment-update":        {"v=1&domain=taxi&grid=3x3&watch=0,1,update,c-psrl", drawMoment},
	"moment-learned":       {"v=1&domain=taxi&grid=3x3&watch=0,100,act,c-psrl", drawMoment},
	"poster-prior":         {"v=1&domain=taxi&grid=5x5&prior=none", drawPrior},
	"poster-regret":        {"v=1&domain=taxi", drawFigure("fig2d", "cumulative-regret")},
	"poster-recall":        {"v=1&domain=taxi&measure=recall", drawFigure("fig2d", "recall")},
	"poster-precision":     {"v=1&domain=taxi&measure=precision", drawFigure("fig2d", "precision")},
	"poster-concentration": {"v=2&agents=c-psrl,c-psrl:dirichlet=learn:0.01:0.1:1&domain=taxi&eta=0&episodes=300", drawRegret},
	"poster-false-edge":    {"v=1&domain=taxi&grid=3x3&episodes=150&runs=8", drawRegret},
}

// writePosters writes the pictures as SVG into a folder. All pictures of the stage have the height
// of the highest, so that nothing moves when one takes another's place.
func writePosters(dir, figures string) error {
	pictures, moments, height := map[string]*render.Picture{}, []*render.Picture(nil), 0.0
	for name, poster := range posters {
		l, err := spec.DecodeLink(poster.link)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		e, err := experiment.New(l.Spec)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		picture, err := poster.draw(e, &l.View, figures)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		picture.Theme, picture.Fitted = render.Page, true
		pictures[name] = picture
		if l.View.Watched != nil {
			moments, height = append(moments, picture), max(height, picture.Height)
		}
	}
	for _, picture := range moments {
		picture.Height = height
	}
	for name, picture := range pictures {
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), render.SVG(picture), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeProblems writes a picture of each kind of problem as SVG into a folder, which stands for the
// experiment of any link with that domain: the first moment of its first run. An own model has its
// variables in the link alone, so its picture is a graph without names.
func writeProblems(dir string) error {
	for _, kind := range engine.Catalogue().Domains {
		picture := unnamed()
		if kind.Key != "model" {
			s := &spec.Spec{}
			if err := s.Set("domain", kind.Key); err != nil {
				return err
			}
			e, err := experiment.New(s)
			if err != nil {
				return fmt.Errorf("%s: %w", kind.Key, err)
			}
			agents := e.Spec().Agents // C-PSRL is the last
			if picture, err = drawMoment(e, &spec.View{Watched: &spec.Watched{Agent: agents[len(agents)-1], Episode: 1}}, ""); err != nil {
				return fmt.Errorf("%s: %w", kind.Key, err)
			}
		}
		picture.Theme, picture.Fitted = render.Page, true
		if err := os.WriteFile(filepath.Join(dir, "problem-"+kind.Key+".svg"), render.SVG(picture), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// unnamed draws a graph from causes to effects without their names.
func unnamed() *render.Picture {
	const (
		width, height = 720, 360
		side, box, up = 160, 96, 36 // the margin left and right of the boxes, and their sides
	)
	p := &render.Picture{Width: width, Height: height, Title: "A model", Text: "A graph from five variables now to four at the next step"}
	middle := func(k, of int) float64 { return height * (float64(k) + .5) / float64(of) }
	for j, parents := range [][]int{{0, 1, 4}, {1, 4}, {1, 2, 4}, {3}} {
		for _, i := range parents {
			p.Marks = append(p.Marks, render.Path{
				Points: []render.Point{{X: side + box, Y: middle(i, 5)}, {X: width - side - box, Y: middle(j, 4)}}, Stroke: render.Muted, Width: 2,
			})
		}
	}
	for _, column := range []struct {
		x  float64
		of int
	}{{side, 5}, {width - side - box, 4}} {
		for k := range column.of {
			p.Marks = append(p.Marks, render.Rect{X: column.x, Y: middle(k, column.of) - up/2, W: box, H: up, Radius: 6, Fill: render.Background, Stroke: render.Ink, Width: 1.5})
		}
	}
	return p
}

// drawMoment draws the moment that a link watches.
func drawMoment(e *experiment.Experiment, of *spec.View, _ string) (*render.Picture, error) {
	w := of.Watched
	trace, err := e.Trace(context.Background(), w.Run, w.Agent, w.Episode)
	if err != nil {
		return nil, err
	}
	return drawTrace(e, trace, render.Moment(cmp.Or(w.Moment, "sample")))
}

// drawTrace draws a moment of a trace, as wide as a figure of the article. An act is drawn at its end.
func drawTrace(e *experiment.Experiment, trace *record.Trace, moment render.Moment) (*render.Picture, error) {
	view := render.StageView{Width: 900, Agent: trace.Agent, Moment: moment}
	if arm, ok := e.Arm(trace.Agent); ok {
		view.Agent, _ = arm.Names()
	}
	if view.Moment == render.Act {
		view.Step = float64(len(trace.Steps))
	}
	return render.Draw(trace, view)
}

// drawPrior draws the prior of the first run as the page's matrix: a row for each X, a column
// for each Y, and a dot where an edge is known.
func drawPrior(e *experiment.Experiment, _ *spec.View, _ string) (*render.Picture, error) {
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
	rows := slices.Concat(space.State, space.Action)
	known := 0
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
func drawRegret(e *experiment.Experiment, _ *spec.View, _ string) (*render.Picture, error) {
	summary := results.NewSummary(e)
	for r, err := range e.Run() {
		if err != nil {
			return nil, err
		}
		if err := summary.Add(r); err != nil {
			return nil, err
		}
	}
	of := results.CumulativeRegret()
	lines, _ := figure.NewLines(&export.Results{Summary: summary}, of, spec.Interval)
	return drawLines(of.Key, lines, e.Title(), summary.Conclusion())
}

// drawFigure draws a measure of a precomputed figure.
func drawFigure(preset, measure string) func(*experiment.Experiment, *spec.View, string) (*render.Picture, error) {
	return func(e *experiment.Experiment, _ *spec.View, figures string) (*render.Picture, error) {
		data, err := os.ReadFile(filepath.Join(figures, preset+".json"))
		if err != nil {
			return nil, err
		}
		var f export.Figure
		if err := json.Unmarshal(data, &f); err != nil {
			return nil, err
		}
		return drawLines(measure, figure.Lines(f.Curves(measure)), e.Title(), f.Conclusion)
	}
}

func drawLines(measure string, lines []figure.Line, title, text string) (*render.Picture, error) {
	c := &figure.Chart{Measure: measure, Lines: lines, Width: 720, Height: 405, Type: 14, Theme: render.Page}
	drawn, err := c.Draw()
	if err != nil {
		return nil, err
	}
	p := drawn.Picture()
	p.Title, p.Text = title, text
	return p, nil
}
