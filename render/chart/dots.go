package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/render"
)

// median returns the median of the dots and the number of dots with a value. Dots without a
// value count as above all others; the median is NaN if it falls on one of these.
func (c *Curve) median() (median float64, held int) {
	if len(c.Points) == 0 {
		return math.NaN(), 0
	}
	sorted := make([]float64, len(c.Points))
	for k, p := range c.Points {
		if sorted[k] = infinite(p.Mean); p.Mean == sorted[k] {
			held++
		}
	}
	slices.Sort(sorted)
	n := len(sorted)
	if median = (sorted[(n-1)/2] + sorted[n/2]) / 2; math.IsInf(median, 0) {
		median = math.NaN()
	}
	return median, held
}

// inWords says in a few words how many of the dots of a row have a value, if not all, and what
// their median is.
func (c *Curve) inWords() string {
	var list []string
	median, held := c.median()
	if n := len(c.Points); held < n {
		list = append(list, fmt.Sprintf("%d of %d", held, n))
	}
	if !math.IsNaN(median) {
		list = append(list, "median "+number(median))
	}
	return strings.Join(list, ", ")
}

// afterName returns what follows the name of a row in a figure of dots; in another figure, "".
func (d *draft) afterName(c *Curve) string {
	if !d.Dots {
		return ""
	}
	return ": " + c.inWords()
}

// Sizes of a figure of dots, in CSS px.
const (
	rowHeight = 40.0
	dot       = 6.0 // diameter of a dot
	smallDot  = 3.5
	manyDots  = 60   // with more dots in a row they are small
	beside    = 60.0 // width of the place for runs without a value
)

// spacing returns the least distance of the names of curves.
func (d *draft) spacing() float64 {
	if d.Dots {
		return rowHeight
	}
	return gap
}

// valueScale sets the axis of the values.
func (d *draft) valueScale() {
	least, greatest := math.Inf(1), math.Inf(-1)
	x := scale{log: d.LogX}
	for k := range d.Curves {
		for _, p := range d.Curves[k].Points {
			switch v := p.Mean; {
			case math.IsNaN(v):
				d.lacking = true
			case x.holds(v):
				least, greatest = min(least, v), max(greatest, v)
			default:
				d.hidden = "Left out: runs at zero, for which a logarithmic axis has no place."
			}
		}
	}
	if d.Episodes > 0 {
		greatest = float64(d.Episodes)
	}
	if d.LogX {
		x.low, x.high = d.logExtent(least, greatest, greatest)
	} else {
		x.low, x.high = d.extent(least, greatest, least, greatest)
	}
	d.x, d.y = x, scale{0, 1, false}
}

// rowRoom returns the room that the names of the rows need to the right of the plot.
func (d *draft) rowRoom() float64 {
	room := 0.0
	for k := range d.Curves {
		c := &d.Curves[k]
		room = max(room, d.words(c.label(d.brief), d.em).Width(), d.words(c.inWords(), d.small()).Width())
	}
	return d.px(34) + room*slack
}

// rows draws the axis of the values and the rows above it, the first at the top.
func (d *draft) rows() {
	end := d.right // the end of a row with its runs without a value
	if d.lacking {
		d.right -= d.px(beside)
		d.text(d.None, d.small(), end, d.bottom+d.px(17), render.End)
	}
	for _, t := range d.x.ticks(d.few(), 0) {
		p := d.at(t.value, 0)
		d.line(render.Faint, 0.75, nil, d.at(t.value, 1), p)
		d.text(t.label, d.small(), p.X, p.Y+d.px(17), render.Middle)
	}
	d.text(d.X, d.em, max(end, d.margin+d.words(d.X, d.em).Width()*slack), d.bottom+d.px(35), render.End)
	d.Text = d.X + ", " + d.Y + ". "
	height := (d.bottom - d.top) / float64(len(d.Curves))
	for k := range d.Curves {
		c := &d.Curves[k]
		y := d.top + (float64(k)+0.5)*height
		d.dots(c, y, height)
		if median, _ := c.median(); d.x.holds(median) {
			x := d.at(median, 0).X
			d.line(render.Ink, 2, nil, render.Point{X: x, Y: y - 0.4*height}, render.Point{X: x, Y: y + 0.4*height})
		}
		d.Text += c.label(false) + d.afterName(c) + ". "
		if d.Nameless {
			continue
		}
		x := end + d.px(18)
		d.line(c.Color, dot, nil, render.Point{X: x, Y: y - d.px(5)}, render.Point{X: x + 0.1, Y: y - d.px(5)})
		d.text(c.label(d.brief), d.em, x+d.px(10), y-d.px(1), render.Start)
		d.text(c.inWords(), d.small(), x+d.px(10), y+d.px(14), render.Start)
	}
}

// dots draws the runs of a row around its middle y, each as near to it as there is room.
func (d *draft) dots(r *Curve, y, height float64) {
	size := d.px(dot)
	if len(r.Points) > manyDots {
		size = d.px(smallDot)
	}
	ends := make([]float64, max(1, int(0.9*height/size))) // where the last dot of each lane is; lane 0 is the middle
	for k := range ends {
		ends[k] = math.Inf(-1)
	}
	order := make([]int, len(r.Points))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infinite(r.Points[a].Mean), infinite(r.Points[b].Mean)) })
	for _, k := range order {
		v := r.Points[k].Mean
		x := d.right + d.px(20)
		if d.x.holds(v) {
			x = d.at(v, 0).X
		} else if !math.IsNaN(v) {
			continue
		}
		lane := 0 // the first lane with room, or else the one that ends first
		for k, end := range ends {
			if end < ends[lane] {
				lane = k
			}
			if x-end >= size {
				lane = k
				break
			}
		}
		if math.IsNaN(v) {
			x = max(x, ends[lane]+size)
		}
		ends[lane] = x
		at := y + float64((lane+1)/2*(1-lane%2*2))*size
		d.Marks = append(d.Marks, render.Path{Class: "dot", Points: []render.Point{{X: x, Y: at}, {X: x + 0.1, Y: at}}, Stroke: r.Color + "b0", Width: 0.9 * size})
	}
}

// infinite returns a value, or +Inf for NaN, so that dots without a value are the last.
func infinite(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}
