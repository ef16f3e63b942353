// Package render turns a moment of an episode into a picture: the world on one
// side, the causal graph on the other. A [Picture] is plain data; package canvas
// paints it, and [SVG] writes it.
//
// A scene draws the world. The picture in the trace says which: a grid of cells, a patient's chart or
// nodes that light up. Without a picture it is a table of the variables, whose columns are the steps of
// the episode or, while planning, the states.
//
// The graph has X on its left and Y on its right. Known edges are solid and heavy; the
// width of any other edge shows its posterior probability. If the view has values of
// edges, the width of every edge shows its value, what planning without it costs.
package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"cpsrl/core/document"
	"cpsrl/core/fmdp"
	"cpsrl/core/record"
)

// draft is a picture that is being drawn.
type draft struct {
	*Picture
	trace *record.Trace
	space *fmdp.Space
	view  *StageView
	scene *scene
	board *board // nil unless the picture of the trace is a grid
	brief bool   // the trace has only what DrawEpisode shows

	fronts []int // for each X, the length of what gives way first if its name is cut

	searched bool // the trace lists no policy

	steps    int     // the number of steps that are over
	progress float64 // the fraction of the next step that is over, below 1
}

// Sizes of the layout, in CSS px.
const (
	margin    = 16.0
	gutter    = 32.0
	wide      = 600.0 // the least width with world and graph side by side
	heading   = 15.0  // font sizes
	title     = 13.0
	small     = 12.0
	tiny      = 11.0
	titleBand = 44.0 // a panel's title and subtitle
	mostGraph = 900.0
	// leastWorld is the least share of the width for the world, beside a graph with long
	// names.
	leastWorld = 0.45
)

// Draw returns the picture of a view of a trace.
func Draw(t *record.Trace, view StageView) (*Picture, error) { return compose(t, view, false) }

// compose is Draw. If brief is set, the trace has only the parts that DrawEpisode shows.
func compose(t *record.Trace, view StageView, brief bool) (*Picture, error) {
	if err := view.complete(); err != nil {
		return nil, err
	}
	if err := view.suit(t); err != nil {
		return nil, err
	}
	world := sceneOf(t)
	searched := t.Sampled.Solved == nil
	if off := false; searched { // there is nothing to overlay
		view.Values, view.Policy = &off, &off
	}
	if searched && view.Moment == Plan {
		world = searching
	}
	d := &draft{
		Picture: &Picture{Width: view.Width, Theme: view.Theme},
		trace:   t, space: t.Space(), view: &view, scene: world, brief: brief, searched: searched,
	}
	if g, ok := t.Picture().(*document.GridPicture); ok {
		d.board = newBoard(g, d.space)
	}
	var names []string
	for i := range d.space.X() {
		names = append(names, d.xName(i))
	}
	d.fronts = fronts(names)
	d.steps, d.progress = view.passed(len(t.Steps))
	d.Title = fmt.Sprintf("Episode %d · %s", t.Episode, d.agent())
	d.Text = d.sentence()

	top := d.header()
	inner := view.Width - 2*margin
	if view.World {
		width := min(inner, cmp.Or(world.widest, inner))
		least := world.height(d, width)
		d.Least = top + least + margin
		world.draw(d, Box{margin, top, width, max(least, min(view.Height-top-margin, least*1.35))})
	} else if view.Width >= wide {
		left := math.Round(min((inner-gutter)/2, max(leastWorld*(inner-gutter), inner-gutter-d.graphWidth())))
		left = min(left, cmp.Or(world.widest, left))
		right := min(inner-gutter-left, mostGraph)
		least := max(world.height(d, left), d.graphHeight())
		d.Least = top + least + margin
		height := max(least, min(view.Height-top-margin, least*1.35))
		world.draw(d, Box{margin, top, left, height})
		d.graph(Box{margin + left + gutter, top, right, height})
	} else {
		height := world.height(d, inner)
		world.draw(d, Box{margin, top, inner, height})
		below := top + height + gutter
		d.graph(Box{margin, below, inner, d.graphHeight()})
		d.Least = below + d.graphHeight() + margin
	}
	d.Height = max(d.Least, view.Height)
	return d.Picture, nil
}

// header draws the episode and the line of its moments, and returns where the
// panels begin.
func (d *draft) header() float64 {
	const y = 30
	d.text(margin, y, Start, heading, true, Ink, fit(d.Title, heading, true, d.Width-2*margin))
	// The moments are at the right if there is room, else below.
	const gap = 26
	names := []string{"Sample", "Plan", "Act", "Update"}
	length := -float64(gap)
	for _, name := range names {
		length += widthOf(name, small, true) + gap
	}
	x, at := d.Width-margin-length, float64(y)
	if margin+widthOf(d.Title, heading, true)+gap > x {
		x, at = margin, y+26
	}
	for k, name := range names {
		w := widthOf(name, small, true) // also if the name is not bold
		now := Moments[k] == d.view.Moment
		color := Muted
		if now {
			color = Ink
			d.add(Rect{X: x, Y: at + 7, W: w, H: 3, Radius: 1.5, Fill: Sampled})
		}
		d.text(x, at, Start, small, now, color, name)
		if k < len(names)-1 {
			d.arrow(Point{x + w + 8, at - 4}, Point{x + w + gap - 8, at - 4}, Faint, 1.5, 3.5)
		}
		x += w + gap
	}
	d.add(Path{Points: []Point{{margin, at + 18.5}, {d.Width - margin, at + 18.5}}, Stroke: Faint, Width: 1})
	return at + 34
}

// panel writes a title and, unless it is empty, a subtitle, and returns the rest of the box.
func (d *draft) panel(b Box, name, about string) Box {
	d.text(b.X, b.Y+12, Start, title, true, Ink, fit(name, title, true, b.W))
	if about != "" {
		d.text(b.X, b.Y+29, Start, small, false, Muted, fit(about, small, false, b.W))
	}
	return Box{b.X, b.Y + titleBand, b.W, b.H - titleBand}
}

func (d *draft) add(marks ...Mark) { d.Marks = append(d.Marks, marks...) }

// text writes a text and returns its width.
func (d *draft) text(x, y float64, anchor Anchor, size float64, heavy bool, color Color, value string) float64 {
	t := Text{X: x, Y: y, Anchor: anchor, Size: size, Bold: heavy, Color: color, Value: value}
	d.add(t)
	return t.Width()
}

// arrow draws a line with an open head.
func (d *draft) arrow(from, to Point, color Color, width, head float64) {
	angle := math.Atan2(to.Y-from.Y, to.X-from.X)
	side := func(turn float64) Point {
		return Point{to.X - head*math.Cos(angle+turn), to.Y - head*math.Sin(angle+turn)}
	}
	d.add(
		Path{Points: []Point{from, to}, Stroke: color, Width: width},
		Path{Points: []Point{side(0.7), to, side(-0.7)}, Stroke: color, Width: width},
	)
}

// halo draws a path over a wider one of the colour around.
func (d *draft) halo(p Path, around Color) {
	under := p
	under.Stroke, under.Width, under.Dash = around, p.Width+2.5, nil
	if p.Fill != "" {
		under.Fill = around
	}
	d.add(under, p)
}

// model returns the model whose values and policy are shown.
func (d *draft) model() *record.TraceModel {
	if d.view.Model == "true" {
		return &d.trace.True
	}
	return &d.trace.Sampled
}

// shownStep returns the step h whose values and policy are shown.
func (d *draft) shownStep() int { return cmp.Or(d.view.H, min(d.steps+1, d.trace.Horizon)) }

// state returns the state before the step that is next or under way, or the state after the
// last step.
func (d *draft) state() []int { return d.trace.StateAfter(d.steps) }

// over returns the name of the ending of an episode that is over and ended early, or "the end".
func (d *draft) over() (ending string, over bool) {
	t := d.trace
	if d.steps < len(t.Steps) || d.view.Moment != Act && d.view.Moment != Update || t.Ending == nil && len(t.Steps) == t.Horizon {
		return "", false
	}
	if t.Ending != nil {
		ending = *t.Ending
	}
	return cmp.Or(ending, "the end"), true
}

// stop draws the sign of an early end in the box: a bar before a word, around a place.
func (d *draft) stop(at Point, word string, within Box) {
	const height = 20.0
	word = fit(word, small, true, within.W-24)
	w := widthOf(word, small, true) + 22
	x := max(within.X, min(at.X-w/2, within.right()-w))
	y := max(within.Y, min(at.Y-height/2, within.bottom()-height))
	d.add(Rect{X: x, Y: y, W: w, H: height, Radius: 3, Fill: Background, Stroke: Ink, Width: 1.5})
	d.add(Rect{X: x + 6, Y: y + 4, W: 5, H: height - 8, Fill: Ink})
	d.text(x+16, y+14.5, Start, small, true, Ink, word)
}

// window returns the first of the given number of steps around the present.
func (d *draft) window(shown int) int { return max(0, min(d.steps-shown/2, len(d.trace.Steps)-shown)) }

// current returns the index of the step that is under way, or of the last that is over, or
// -1 before the first.
func (d *draft) current() int {
	if d.progress > 0 {
		return d.steps
	}
	return d.steps - 1
}

// collected returns the reward up to the current step.
func (d *draft) collected() float64 {
	sum := 0.0
	for _, step := range d.trace.Steps[:d.current()+1] {
		sum += step.Reward
	}
	return sum
}

// belief returns P_k, or P_{k+1} in the moment update. It is nil without a graph.
func (d *draft) belief() []record.TraceBelief {
	if d.view.Moment == Update {
		return d.trace.After
	}
	return d.trace.Before
}

// has reports whether a graph has the edge i → j.
func has(g document.Graph, i, j int) bool {
	return g != nil && slices.Contains(g[j], i)
}
