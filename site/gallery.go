package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"cpsrl/core/experiment"
	"cpsrl/core/export"
	"cpsrl/core/fmdp"
	"cpsrl/render"
	"cpsrl/render/figure"
)

// card is what the page of the gallery says about a problem beside its title, question and answer.
type card struct {
	Name      string `json:"name"`      // of its preset
	Variables int    `json:"variables"` // d_X
	States    int    `json:"states"`    // S
	Actions   int    `json:"actions"`   // A
	Text      string `json:"text"`      // what its picture shows
}

// The picture of a card, in CSS px: the graph on the left, the curves on the right.
const (
	cardWidth  = 400.0
	cardHeight = 208.0
	cardMargin = 18.0
	cardGraph  = 150.0 // the width of the graph
)

// writeGallery writes gallery.json, which has a card for each problem of the gallery, and a picture of each
// as gallery-NAME.svg. The folder figures has the curves.
func writeGallery(dir, figures string) error {
	var cards []card
	for _, preset := range experiment.Gallery() {
		fail := func(err error) error { return fmt.Errorf("%s: %w", preset.Name, err) }
		e, err := experiment.New(preset.Spec)
		if err != nil {
			return fail(err)
		}
		in, err := e.Instance(preset.Spec.FirstRun)
		if err != nil {
			return fail(err)
		}
		data, err := os.ReadFile(filepath.Join(figures, preset.Name+".json"))
		if err != nil {
			return fail(err)
		}
		var f export.Figure
		if err := json.Unmarshal(data, &f); err != nil {
			return fail(err)
		}
		graph, edges, known := cardEdges(in)
		curves, err := cardCurves(&f)
		if err != nil {
			return fail(err)
		}
		space, what := &in.View.Space, "regret"
		if f.Default().OfReturn {
			what = "return"
		}
		c := card{preset.Name, space.X(), space.States(), space.Actions(), fmt.Sprintf("The true graph: %d edges, of which %d are stated. The %s of each agent over %d episodes.", edges, known, what, preset.Spec.Episodes)}
		picture := &render.Picture{Width: cardWidth, Height: cardHeight, Theme: render.Page, Title: preset.Title, Text: c.Text, Fitted: true}
		picture.Marks = append(cardPaths(graph, space), curves...)
		if err := os.WriteFile(filepath.Join(dir, "gallery-"+preset.Name+".svg"), render.SVG(picture), 0o644); err != nil {
			return err
		}
		cards = append(cards, c)
	}
	data, err := json.Marshal(cards)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "gallery.json"), data, 0o644)
}

// cardEdge is an edge that is in the true graph, or stated.
type cardEdge struct {
	from, to int
	look     int // an index of cardLooks
}

var cardLooks = []render.Path{
	{Stroke: render.Sampled, Width: 1.25},                   // not stated
	{Stroke: render.False, Width: 2, Dash: []float64{7, 4}}, // stated, but false
	{Stroke: render.Ink, Width: 2},                          // stated
}

// cardEdges returns the edges from back to front, and the numbers of true ones and of true ones that are stated.
func cardEdges(in *experiment.Instance) (list []cardEdge, edges, known int) {
	stated := in.Prior.Stated()
	for j, parents := range in.View.Graph() {
		for _, i := range parents.Union(stated[j]).Parents() {
			e := cardEdge{i, j, 0}
			switch {
			case !parents.Has(i):
				e.look = 1
			case stated[j].Has(i):
				e.look = 2
				known++
			}
			if e.look != 1 {
				edges++
			}
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b cardEdge) int { return cmp.Compare(a.look, b.look) })
	return list, edges, known
}

// cardPaths draws the graph: a dot for each variable, with actions as rings, and a curve for each edge.
func cardPaths(edges []cardEdge, space *fmdp.Space) (marks []render.Mark) {
	place := func(k, n int) float64 { return cardMargin + (cardHeight-2*cardMargin)*(float64(k)+0.5)/float64(n) }
	left, right := cardMargin, cardMargin+cardGraph
	for _, e := range edges {
		from, to := place(e.from, space.X()), place(e.to, space.Y())
		path := cardLooks[e.look]
		path.Curved, path.Points = true, []render.Point{{X: left, Y: from}, {X: left + 0.45*cardGraph, Y: from}, {X: right - 0.45*cardGraph, Y: to}, {X: right, Y: to}}
		marks = append(marks, path)
	}
	for i := range space.X() {
		dot := render.Circle{X: left, Y: place(i, space.X()), R: 4, Fill: render.Ink}
		if i >= space.Y() {
			dot.Fill, dot.Stroke, dot.Width = render.Background, render.Ink, 1.5
		}
		marks = append(marks, dot)
	}
	for j := range space.Y() {
		marks = append(marks, render.Circle{X: right, Y: place(j, space.Y()), R: 4, Fill: render.Ink})
	}
	return marks
}

// cardCurves draws the curves of a figure at the right of a card.
func cardCurves(f *export.Figure) ([]render.Mark, error) {
	measure := f.Default().Key
	c := figure.Chart{Measure: measure, Lines: figure.Lines(f.Curves(measure)), Nameless: true, Theme: render.Page, Type: 10, Height: cardHeight}
	x := 2*cardMargin + cardGraph
	c.Width = cardWidth - x
	drawn, err := c.Draw()
	if err != nil {
		return nil, err
	}
	var marks []render.Mark
	for _, mark := range drawn.Picture().Marks {
		marks = append(marks, moved(mark, x))
	}
	return marks, nil
}

// moved returns a mark so far to the right.
func moved(mark render.Mark, x float64) render.Mark {
	switch m := mark.(type) {
	case render.Rect:
		m.X += x
		return m
	case render.Circle:
		m.X += x
		return m
	case render.Text:
		m.X += x
		return m
	case render.Path:
		m.Points = slices.Clone(m.Points)
		for k := range m.Points {
			m.Points[k].X += x
		}
		return m
	default:
		panic(fmt.Sprintf("site: no picture has a %T", mark))
	}
}
