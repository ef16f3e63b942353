// Package chart turns curves by episode, with their bands, into a picture: a
// figure of a paper. The title is above, the names of the curves stand beside
// their ends, the caption is below. [render.SVG] and package print write it; the
// stage's mesh does not, because bands are translucent and not convex.
package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/render"
)

// Chart is a figure as plain data. In its texts, the character after an
// underscore is a subscript, and spaces that do not break (U+00A0) stay.
type Chart struct {
	Title, X, Y string
	Most        float64 // the largest y that values can have; 0 if there is none
	Curves      []Curve // each with a point or more
	Caption     string
}

// Curve is one line of a chart with its band.
type Curve struct {
	Name   string
	Color  render.Color // #RRGGBB
	Dash   []float64    // lengths of strokes and gaps; none is solid
	Points []Point      // by episode
}

// Point is a mean with its confidence interval. Lo and Hi are NaN if there is
// none.
type Point struct {
	Episode      int
	Mean, Lo, Hi float64
}

// Sizes of the layout, in CSS px: 605 are 16 cm, a full column of text.
const (
	width   = 605.0
	height  = 260.0 // of the plot, at least
	least   = 240.0 // the plot's width, at least, however long names are
	margin  = 12.0
	heading = 15.0 // font sizes
	label   = 12.0
	small   = 11.0
	leading = 1.4  // from one line of a paragraph to the next, in font sizes
	slack   = 1.15 // how much wider the letters of another font may be
	gap     = 16.0 // between the baselines of names
	sample  = 28.0 // of a line, before its name
	most    = 1200 // points of a curve; more cannot be seen
)

// Picture draws the chart.
func (c *Chart) Picture() *render.Picture {
	d := &draft{Chart: *c, Picture: &render.Picture{Theme: render.Light, Title: c.Title}}
	d.extent()
	xs, ys := ticks(0, d.episodes, 1), ticks(d.low, d.high, 0)
	scale, names := 0.0, 0.0
	for _, t := range ys {
		scale = max(scale, text(t.label, small).Width())
	}
	for _, curve := range c.Curves {
		names = max(names, 22+sample+text(curve.Name, label).Width()*slack)
	}
	d.left = margin + scale + 8
	d.right = max(width-margin-names, d.left+least)
	d.Width = d.right + names + margin

	title := text(c.Title, heading)
	title.Bold = true
	d.top = d.paragraph(title, margin, (d.Width-2*margin)/slack)
	d.top = d.paragraph(text(c.Y, label), d.top+2, d.right-margin) + 10
	d.bottom = d.top + max(height, gap*float64(len(c.Curves)))
	for _, t := range ys {
		p := d.at(0, t.value)
		d.line(render.Faint, 0.75, nil, p, d.at(d.episodes, t.value))
		d.text(t.label, small, p.X-8, p.Y+4, render.End)
	}
	for _, curve := range c.Curves {
		d.band(curve)
	}
	d.line(render.Muted, 1, nil, d.at(0, 0), d.at(d.episodes, 0))
	for _, t := range xs {
		p := d.at(t.value, d.low)
		d.line(render.Muted, 1, nil, p, render.Point{X: p.X, Y: p.Y + 4})
		d.text(t.label, small, p.X, p.Y+17, render.Middle)
	}
	d.text(c.X, label, d.right, d.bottom+35, render.End)
	d.lines()
	caption := text(d.Caption, small)
	caption.Color = render.Muted
	d.Height = d.paragraph(caption, d.bottom+48, d.right-margin) + margin - 4
	d.Text += d.Caption
	return d.Picture
}

// draft is a chart that is being drawn.
type draft struct {
	Chart
	*render.Picture
	episodes, low, high      float64 // the ranges of the axes
	left, right, top, bottom float64 // of the plot
}

// extent sets the ranges of the axes: they hold zero, every mean and the bands,
// but for what of a band is below zero or above the largest value there can be.
// The caption says if a band is cut off.
func (d *draft) extent() {
	lo, hi := 0.0, 0.0
	for _, c := range d.Curves {
		for _, p := range c.Points {
			d.episodes = max(d.episodes, float64(p.Episode))
			d.low, d.high = min(d.low, p.Mean), max(d.high, p.Mean, d.Most)
			if !math.IsNaN(p.Lo) {
				lo, hi = min(lo, p.Lo), max(hi, p.Hi)
			}
		}
	}
	if d.low > -1e-6*d.high { // exact values differ from the optimum by rounding
		d.low = 0
	} else {
		d.low = min(d.low, lo)
	}
	if d.Most == 0 {
		d.high = max(d.high, hi)
	}
	if d.high == d.low {
		d.high++
	}
	var cuts []string
	if lo < d.low {
		cuts = append(cuts, number(d.low))
	}
	if hi > d.high {
		cuts = append(cuts, number(d.high))
	}
	if cuts != nil {
		d.Caption += " Bands are cut off at " + strings.Join(cuts, " and ") + "."
	}
}

// at returns the place of a value at an episode.
func (d *draft) at(episode, value float64) render.Point {
	return render.Point{
		X: d.left + episode/d.episodes*(d.right-d.left),
		Y: d.bottom - (value-d.low)/(d.high-d.low)*(d.bottom-d.top),
	}
}

// band draws the stretches of points that have an interval, within the plot.
func (d *draft) band(c Curve) {
	fill := render.Color(fmt.Sprintf("%s%02x", c.Color, 150/max(3, len(d.Curves))))
	var upper, lower []render.Point
	for _, p := range append(thin(c.Points), Point{Lo: math.NaN()}) {
		if !math.IsNaN(p.Lo) {
			upper = append(upper, d.at(float64(p.Episode), min(p.Hi, d.high)))
			lower = append(lower, d.at(float64(p.Episode), max(p.Lo, d.low)))
		} else if upper != nil {
			d.line(c.Color+"70", 0.5, nil, upper...)
			d.line(c.Color+"70", 0.5, nil, lower...)
			slices.Reverse(lower)
			d.Marks = append(d.Marks, render.Path{Points: append(upper, lower...), Closed: true, Fill: fill})
			upper, lower = nil, nil
		}
	}
}

// lines draws the means, and beside their ends a sample of each line with its
// name, in ink. The text says where they end.
func (d *draft) lines() {
	d.Text = fmt.Sprintf("%s by %s. ", d.Y, d.X)
	ends, places := make([]render.Point, len(d.Curves)), make([]float64, len(d.Curves))
	for k, c := range d.Curves {
		var points []render.Point
		for _, p := range thin(c.Points) {
			ends[k] = d.at(float64(p.Episode), p.Mean)
			points = append(points, ends[k])
		}
		d.line(c.Color, 2, c.Dash, points...)
		d.line(c.Color, 5, nil, render.Point{X: ends[k].X - 0.1, Y: ends[k].Y}, ends[k]) // a dot
		places[k] = ends[k].Y
		last := c.Points[len(c.Points)-1]
		d.Text += fmt.Sprintf("%s: %s at %d. ", c.Name, number(last.Mean), last.Episode)
	}
	spread(places, gap, d.top, d.bottom)
	for k, c := range d.Curves {
		x, y := d.right+16, places[k]
		if math.Abs(y-ends[k].Y) > 1 {
			d.line(c.Color, 0.75, nil, render.Point{X: x - 10, Y: ends[k].Y}, render.Point{X: x - 2, Y: y})
		}
		d.line(c.Color, 2, c.Dash, render.Point{X: x, Y: y}, render.Point{X: x + sample, Y: y})
		d.text(c.Name, label, x+sample+6, y+4, render.Start)
	}
}

func (d *draft) line(c render.Color, width float64, dash []float64, points ...render.Point) {
	d.Marks = append(d.Marks, render.Path{Points: points, Stroke: c, Width: width, Dash: dash})
}

func (d *draft) text(value string, size, x, y float64, anchor render.Anchor) {
	d.Marks = append(d.Marks, render.Text{X: x, Y: y, Anchor: anchor, Size: size, Color: render.Ink, Value: value, Subscripts: true})
}

func text(value string, size float64) render.Text {
	return render.Text{Value: value, Size: size, Color: render.Ink, Subscripts: true}
}

// paragraph draws a text from the left margin on in lines of at most that width,
// broken at spaces, and returns where what is below begins.
func (d *draft) paragraph(t render.Text, y, width float64) float64 {
	words := strings.Split(t.Value, " ")
	for len(words) > 0 {
		n := len(words)
		for t.Value = strings.Join(words, " "); n > 1 && t.Width() > width; t.Value = strings.Join(words[:n], " ") {
			n--
		}
		t.X, t.Y = margin, y+t.Size
		d.Marks = append(d.Marks, t)
		words, y = words[n:], y+leading*t.Size
	}
	return y
}

// thin leaves out points between others; the last is kept.
func thin(points []Point) (kept []Point) {
	stride := (len(points) + most - 1) / most
	for k := 0; k < len(points)-1; k += stride {
		kept = append(kept, points[k])
	}
	return append(kept, points[len(points)-1])
}

// mark is a value on an axis.
type mark struct {
	value float64
	label string
}

// ticks marks multiples of 1, 2 or 5 times a power of ten, about five of them, no
// closer than least.
func ticks(low, high, least float64) []mark {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, factor := range []float64{5, 2} {
		if (high-low)/(step*factor) >= 4 {
			step *= factor
			break
		}
	}
	step = max(step, least)
	var list []mark
	digits := max(0, int(-math.Floor(math.Log10(step))))
	for k := int(math.Ceil(low/step - 1e-9)); float64(k)*step <= high+1e-9*step; k++ {
		value := float64(k) * step
		list = append(list, mark{value, minus(strconv.FormatFloat(value, 'f', digits, 64))})
	}
	return list
}

func number(v float64) string { return minus(strconv.FormatFloat(v, 'g', 4, 64)) }
func minus(s string) string   { return strings.ReplaceAll(s, "-", "−") }

// spread moves positions apart until neighbours are at least gap apart, and as
// little as that takes: those that would touch stand around their mean. They
// keep their order and, as far as there is room, within low and high.
func spread(at []float64, gap, low, high float64) {
	order := make([]int, len(at))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	// Without the gaps, the positions sought are the ascending ones that are nearest:
	// neighbours that descend are pooled at their mean.
	type pool struct{ sum, n float64 }
	var pools []pool
	for k, i := range order {
		p := pool{at[i] - float64(k)*gap, 1}
		for n := len(pools) - 1; n >= 0 && pools[n].sum/pools[n].n > p.sum/p.n; n-- {
			p = pool{pools[n].sum + p.sum, pools[n].n + p.n}
			pools = pools[:n]
		}
		pools = append(pools, p)
	}
	k := 0
	for _, p := range pools {
		for range int(p.n) {
			at[order[k]] = max(low, min(p.sum/p.n, high-gap*float64(len(at)-1))) + float64(k)*gap
			k++
		}
	}
}
