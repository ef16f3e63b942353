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
	Color  string    // #RRGGBB
	Dash   []float64 // lengths of strokes and gaps; none is solid
	Points []Point   // by episode
}

// Point is a mean with its confidence interval. Lo and Hi are NaN where there is
// none.
type Point struct {
	Episode      int
	Mean, Lo, Hi float64
}

// Sizes of the layout, in CSS px: 605 are 16 cm, a full column of text.
const (
	width    = 605.0
	height   = 260.0 // of the plot, at least
	least    = 240.0 // the plot's width, at least, however long names are
	margin   = 12.0
	heading  = 15.0 // font sizes
	label    = 12.0
	small    = 11.0
	gap      = 16.0 // between the baselines of names
	leader   = 10.0 // from the end of a curve to the sample of its line
	sample   = 28.0
	slack    = 1.15 // how much wider the letters of another font may be
	leading  = 1.4
	tick     = 4.0
	stroke   = 2.0
	dot      = 5.0
	bandEdge = "70"
	most     = 1200 // points of a curve; more cannot be seen
)

// Picture draws the chart.
func (c *Chart) Picture() *render.Picture {
	d := &draft{Chart: c, Picture: &render.Picture{Theme: render.Light, Title: c.Title}}
	d.extent()
	xs, ys := ticks(0, d.episodes, 1), ticks(d.low, d.high, 0)
	scale, names := 0.0, 0.0
	for _, t := range ys {
		scale = max(scale, text(t.label, small).Width())
	}
	for _, curve := range c.Curves {
		names = max(names, text(curve.Name, label).Width()*slack)
	}
	names += 6 + leader + sample + 6
	d.left = margin + scale + 8
	d.right = max(width-margin-names, d.left+least)
	d.Width = d.right + names + margin

	title := text(c.Title, heading)
	title.Bold = true
	y := d.paragraph(title, margin, (d.Width-2*margin)/slack)
	d.top = d.paragraph(text(c.Y, label), y+2, d.right-margin) + 10
	d.bottom = d.top + max(height, gap*float64(len(c.Curves)))
	for _, t := range ys {
		y := d.y(t.value)
		d.line(render.Faint, 0.75, nil, render.Point{X: d.left, Y: y}, render.Point{X: d.right, Y: y})
		d.text(t.label, small, d.left-8, y+4, render.End)
	}
	for _, curve := range c.Curves {
		d.bands(curve)
	}
	d.line(render.Muted, 1, nil, render.Point{X: d.left, Y: d.y(max(d.low, 0))}, render.Point{X: d.right, Y: d.y(max(d.low, 0))})
	for _, t := range xs {
		x := d.x(t.value)
		d.line(render.Muted, 1, nil, render.Point{X: x, Y: d.bottom}, render.Point{X: x, Y: d.bottom + tick})
		d.text(t.label, small, x, d.bottom+tick+13, render.Middle)
	}
	d.text(c.X, label, d.right, d.bottom+tick+31, render.End)
	d.lines()
	caption := text(c.Caption+d.cut(), small)
	caption.Color = render.Muted
	d.Height = d.paragraph(caption, d.bottom+tick+44, d.right-margin) + margin - 4
	d.Least = d.Height
	d.Text = fmt.Sprintf("%s by %s. %s%s", c.Y, c.X, d.ends(), caption.Value)
	return d.Picture
}

// draft is a chart that is being drawn.
type draft struct {
	*Chart
	*render.Picture
	episodes, low, high      float64 // the ranges of the axes
	left, right, top, bottom float64 // of the plot
	cutLow, cutHigh          bool
}

func (d *draft) x(episode float64) float64 { return d.left + episode/d.episodes*(d.right-d.left) }
func (d *draft) y(value float64) float64 {
	return d.bottom - (value-d.low)/(d.high-d.low)*(d.bottom-d.top)
}

// extent sets the ranges of the axes: they hold zero and every mean, and the
// bands too unless they reach past zero or past the largest value there can be.
func (d *draft) extent() {
	lo, hi := 0.0, 0.0
	for _, c := range d.Curves {
		for _, p := range c.Points {
			d.episodes = max(d.episodes, float64(p.Episode))
			d.low, d.high = min(d.low, p.Mean), max(d.high, p.Mean)
			if !math.IsNaN(p.Lo) && !math.IsNaN(p.Hi) {
				lo, hi = min(lo, p.Lo), max(hi, p.Hi)
			}
		}
	}
	switch {
	case d.low > -1e-6*d.high: // exact values differ from the optimum by rounding
		d.low = 0
	default:
		d.low = min(d.low, lo)
	}
	d.high = max(d.high, d.Most)
	if d.Most == 0 {
		d.high = max(d.high, hi)
	}
	if d.high == d.low {
		d.high++
	}
	d.cutLow, d.cutHigh = lo < d.low, hi > d.high
}

// cut says where bands are cut off.
func (d *draft) cut() string {
	switch at := []string{number(d.low), number(d.high)}; {
	case d.cutLow && d.cutHigh:
		return " Bands are cut off at " + at[0] + " and " + at[1] + "."
	case d.cutLow:
		return " Bands are cut off at " + at[0] + "."
	case d.cutHigh:
		return " Bands are cut off at " + at[1] + "."
	}
	return ""
}

// bands draws the stretches of points that have an interval, within the plot.
func (d *draft) bands(c Curve) {
	fill := fmt.Sprintf("%s%02x", c.Color, 150/max(3, len(d.Curves)))
	inside := func(v float64) float64 { return d.y(min(max(v, d.low), d.high)) }
	var upper, lower []render.Point
	for _, p := range append(thin(c.Points), Point{Lo: math.NaN()}) {
		if !math.IsNaN(p.Lo) && !math.IsNaN(p.Hi) {
			x := d.x(float64(p.Episode))
			upper, lower = append(upper, render.Point{X: x, Y: inside(p.Hi)}), append(lower, render.Point{X: x, Y: inside(p.Lo)})
		} else if upper != nil {
			ring := slices.Clone(lower)
			slices.Reverse(ring)
			d.Marks = append(d.Marks, render.Path{Points: slices.Concat(upper, ring), Closed: true, Fill: render.Color(fill)})
			d.line(render.Color(c.Color+bandEdge), 0.5, nil, upper...)
			d.line(render.Color(c.Color+bandEdge), 0.5, nil, lower...)
			upper, lower = nil, nil
		}
	}
}

// lines draws the means, and beside their ends a sample of each line with its
// name, in ink.
func (d *draft) lines() {
	ends := make([]float64, len(d.Curves))
	for k, c := range d.Curves {
		var points []render.Point
		for _, p := range thin(c.Points) {
			points = append(points, render.Point{X: d.x(float64(p.Episode)), Y: d.y(p.Mean)})
		}
		end := points[len(points)-1]
		d.line(render.Color(c.Color), stroke, c.Dash, points...)
		d.line(render.Color(c.Color), dot, nil, render.Point{X: end.X - 0.1, Y: end.Y}, end)
		ends[k] = end.Y
	}
	places := slices.Clone(ends)
	spread(places, gap, d.top, d.bottom)
	for k, c := range d.Curves {
		x, y := d.right+6, places[k]
		if math.Abs(y-ends[k]) > 1 {
			d.line(render.Color(c.Color), 0.75, nil, render.Point{X: x, Y: ends[k]}, render.Point{X: x + leader - 2, Y: y})
		}
		d.line(render.Color(c.Color), stroke, c.Dash, render.Point{X: x + leader, Y: y}, render.Point{X: x + leader + sample, Y: y})
		d.text(c.Name, label, x+leader+sample+6, y+4, render.Start)
	}
}

// ends says where the curves end.
func (d *draft) ends() string {
	s := ""
	for _, c := range d.Curves {
		last := c.Points[len(c.Points)-1]
		s += fmt.Sprintf("%s: %s at %d. ", c.Name, number(last.Mean), last.Episode)
	}
	return s
}

func (d *draft) line(c render.Color, width float64, dash []float64, points ...render.Point) {
	d.Marks = append(d.Marks, render.Path{Points: points, Stroke: c, Width: width, Dash: dash})
}

func (d *draft) text(value string, size, x, y float64, anchor render.Anchor) {
	t := text(value, size)
	t.X, t.Y, t.Anchor = x, y, anchor
	d.Marks = append(d.Marks, t)
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
func thin(points []Point) []Point {
	stride := (len(points) + most - 1) / most
	var kept []Point
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
