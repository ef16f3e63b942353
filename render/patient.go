package render

import (
	"fmt"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// Sizes of a patient's chart, in CSS px.
const (
	vitalRow     = 46.0
	treatmentRow = 22.0
	chartGap     = 12.0
	stopBand     = 8.0 // above the rows
	mostSteps    = 96  // columns
	mostStepGap  = 64.0
	normalBand   = Color("#009e7330") // Sampled, translucent
)

func (d *draft) charted() *document.ChartPicture {
	return d.trace.Picture().(*document.ChartPicture)
}

// chartHeight returns the least height of the panel of a chart.
func (d *draft) chartHeight(width float64) float64 {
	c := d.charted()
	own := titleBand + stopBand + vitalRow*float64(len(c.Vitals)) + chartGap + treatmentRow*float64(len(c.Treatments)) + axisBand + keyBand
	return max(own, d.trajectoryHeight(width))
}

// vital is a row of a chart.
type vital struct {
	index  int
	normal []int // empty: every value is
}

func (v *vital) isNormal(value int) bool {
	return len(v.normal) == 0 || slices.Contains(v.normal, value)
}

func (d *draft) vitals() []vital {
	var list []vital
	for _, v := range d.charted().Vitals {
		list = append(list, vital{d.space.Lookup(v.Of), v.Normal})
	}
	return list
}

// chart draws a patient's chart: a column for the state before each step and after the last one.
func (d *draft) chart(b Box) {
	if d.view.Moment == Plan {
		d.policyTable(b)
		return
	}
	c := d.charted()
	name, about := "The patient", "up to "+param.Count(d.trace.Horizon, "step")
	switch d.view.Moment {
	case Act:
		name = fmt.Sprintf("Step %d", d.current()+1)
		about = "collected " + decimal(d.collected(), 2)
	case Update:
		about = fmt.Sprintf("collected %s in %s", decimal(d.trace.Record.Return, 2), param.Count(len(d.trace.Steps), "step"))
	}
	if rest := d.background(); rest != "" {
		about += " · " + rest
	}
	b = d.panel(b, name, about)
	b.Y, b.H = b.Y+stopBand, b.H-stopBand

	labels := 56.0
	for i := range d.space.X() {
		labels = max(labels, widthOf(d.xName(i), small, false))
	}
	labels = min(labels, b.W*0.3)
	left := b.X + labels + 18
	all := d.trace.Horizon + 1
	columns := min(all, mostSteps, max(2, int((b.right()-left)/7)))
	first := max(0, min(d.steps-columns/2, all-columns))
	step := min(mostStepGap, (b.right()-left-14)/float64(max(1, columns-1)))
	at := func(k int) float64 { return left + 7 + step*float64(k-first) }
	right := at(first+columns-1) + 7

	height := min((b.H-chartGap-axisBand-keyBand-treatmentRow*float64(len(c.Treatments)))/float64(len(c.Vitals)), 84)
	y := b.Y
	for _, v := range d.vitals() {
		d.vitalLine(v, Box{left, y + 5, right - left, height - 12}, b.X, first, columns, at)
		y += height
	}
	y += chartGap
	for _, name := range c.Treatments {
		d.treatmentLine(d.space.Lookup(name), Box{left, y, right - left, treatmentRow}, b.X, labels, first, columns, at)
		y += treatmentRow
	}
	// The steps.
	every := 1
	for _, n := range []int{1, 2, 5, 10, 20, 50, 100} {
		if every = n; step*float64(n) >= 24 {
			break
		}
	}
	for k := first; k < first+columns; k++ {
		if k%every == 0 {
			d.text(at(k), y+14, Middle, tiny, false, Muted, fmt.Sprint(k))
		}
	}
	d.text(left-10, y+14, End, tiny, false, Muted, "step")
	d.chartKey(Box{b.X, y + axisBand, b.W, keyBand})

	last := first + columns - 1
	if now := d.steps; now >= first && now <= last && d.view.Moment != Sample {
		x := at(now) + d.progress*step
		ending, over := d.over()
		line := Path{Points: []Point{{x, b.Y}, {x, y}}, Stroke: Ink, Width: 1, Dash: []float64{2, 3}}
		if over {
			line.Width, line.Dash = 3, nil
			line.Points[0].X, line.Points[1].X = x+6, x+6
		}
		d.add(line)
		if over {
			d.stop(Point{x, b.Y - 4}, ending, Box{b.X, b.Y - stopBand - 6, b.W, 20})
		}
	}
}

// background writes the variables with several values that the chart does not draw, unless there are many.
func (d *draft) background() string {
	c, parts := d.charted(), []string(nil)
	for i, value := range d.state() {
		v := d.space.Var(i)
		drawn := slices.Contains(c.Treatments, v.Name) || slices.ContainsFunc(c.Vitals, func(o document.Vital) bool { return o.Of == v.Name })
		if v.Size > 1 && !drawn {
			parts = append(parts, v.Name+" "+v.Label(value))
		}
	}
	if len(parts) > 2 {
		return ""
	}
	return strings.Join(parts, ", ")
}

// vitalLine draws one vital: its normal band, its course, and a triangle for each value out of the band.
func (d *draft) vitalLine(v vital, b Box, names float64, first, columns int, at func(int) float64) {
	size := d.space.Var(v.index).Size
	unit := b.H / float64(size)
	level := func(value int) float64 { return b.bottom() - unit*(float64(value)+0.5) }
	d.add(Rect{X: b.X, Y: b.Y, W: b.W, H: b.H, Radius: 3, Fill: Surface})
	for k := 0; k < len(v.normal); {
		run := 1
		for k+run < len(v.normal) && v.normal[k+run] == v.normal[k]+run {
			run++
		}
		top := level(v.normal[k+run-1]) - unit/2
		d.add(Rect{X: b.X, Y: top, W: b.W, H: unit * float64(run), Fill: normalBand})
		for _, y := range []float64{top, top + unit*float64(run)} {
			d.add(Path{Points: []Point{{b.X, y}, {b.right(), y}}, Stroke: Sampled, Width: 1})
		}
		k += run
	}
	d.add(Rect{X: names, Y: b.Y + b.H/2 - 12, W: 3, H: 24, Radius: 1.5, Fill: Missed})
	d.text(names+8, b.Y+b.H/2-1, Start, small, false, Ink, fitName(d.xName(v.index), d.fronts[v.index], small, false, b.X-names-16))
	now := d.state()[v.index]
	heavy := !v.isNormal(now)
	d.text(names+8, b.Y+b.H/2+13, Start, tiny, heavy, Muted, fit(d.space.Var(v.index).Label(now), tiny, heavy, b.X-names-16))

	var course []Point
	for k := first; k <= d.steps && k < first+columns; k++ {
		course = append(course, Point{at(k), level(d.trace.StateAfter(k)[v.index])})
	}
	if len(course) > 1 {
		d.add(Path{Points: course, Stroke: Ink, Width: 1.75})
	}
	r := max(1.5, min(4, (at(first+1)-at(first))*0.4))
	for k, p := range course {
		value := d.trace.StateAfter(first + k)[v.index]
		if v.isNormal(value) {
			d.add(Circle{X: p.X, Y: p.Y, R: r, Fill: Sampled, Stroke: Background, Width: 1})
			continue
		}
		d.wedge(p, r*1.35, value < v.normal[0])
	}
}

// wedge draws a triangle that points down or up.
func (d *draft) wedge(p Point, r float64, down bool) {
	if down {
		r = -r
	}
	side := r
	if side < 0 {
		side = -side
	}
	d.add(Path{Points: []Point{{p.X, p.Y - r}, {p.X + side, p.Y + r*0.8}, {p.X - side, p.Y + r*0.8}}, Closed: true, Fill: False, Stroke: Background, Width: 1})
}

// treatmentLine draws when a treatment was on: a bar, and a thin line when it was off.
func (d *draft) treatmentLine(i int, b Box, names, labels float64, first, columns int, at func(int) float64) {
	d.add(Rect{X: names, Y: b.Y + b.H/2 - 7, W: 3, H: 14, Radius: 1.5, Fill: d.accent(i)})
	d.text(names+8, b.Y+b.H/2+4, Start, small, false, Ink, fitName(d.xName(i), d.fronts[i], small, false, labels+4))
	y := b.Y + b.H/2
	d.add(Path{Points: []Point{{b.X, y}, {b.right(), y}}, Stroke: Faint, Width: 1})
	half := (at(first+1) - at(first)) / 2
	isOn := func(k int) bool {
		if i < d.space.Y() {
			return d.trace.StateAfter(k)[i] > 0
		}
		return k < len(d.trace.Steps) && k <= d.current() && d.trace.Steps[k].X[i] > 0
	}
	for k := first; k <= d.steps && k < first+columns; {
		run := 1
		for k+run <= d.steps && k+run < first+columns && isOn(k+run) == isOn(k) {
			run++
		}
		if isOn(k) {
			from, to := max(b.X, at(k)-half+1), min(b.right(), at(k+run-1)+half-1)
			d.add(Rect{X: from, Y: y - 6, W: to - from, H: 12, Radius: 3, Fill: d.accent(i)})
		}
		k += run
	}
}

// chartKey explains the marks.
func (d *draft) chartKey(b Box) {
	x, y := b.X, b.Y+20
	entry := func(width float64, name string, draw func(at Point)) {
		if x+width+6+widthOf(name, tiny, false) > b.right() {
			return
		}
		draw(Point{x, y - 4})
		x += width + 6
		x += d.text(x, y, Start, tiny, false, Muted, name) + 16
	}
	entry(18, "normal", func(at Point) {
		d.add(Rect{X: at.X, Y: at.Y - 6, W: 18, H: 12, Fill: normalBand})
		d.add(Circle{X: at.X + 9, Y: at.Y, R: 4, Fill: Sampled, Stroke: Background, Width: 1})
	})
	entry(12, "above", func(at Point) { d.wedge(Point{at.X + 6, at.Y}, 5, false) })
	entry(12, "below", func(at Point) { d.wedge(Point{at.X + 6, at.Y}, 5, true) })
	if len(d.charted().Treatments) > 0 {
		entry(18, "on", func(at Point) {
			d.add(Rect{X: at.X, Y: at.Y - 5, W: 18, H: 10, Radius: 3, Fill: d.accent(d.space.Lookup(d.charted().Treatments[0]))})
		})
	}
}

// chartStep describes a step: what was out of its normal band before it, and the action.
func (d *draft) chartStep(step record.TraceStep) string {
	var parts []string
	known := false
	for _, v := range d.vitals() {
		known = known || len(v.normal) > 0
		if value := step.X[v.index]; !v.isNormal(value) {
			parts = append(parts, d.xName(v.index)+" "+d.space.Var(v.index).Label(value))
		}
	}
	s := "with every vital normal"
	switch {
	case !known:
		s = "in " + d.point(step.X[:d.space.Y()], 0)
	case parts != nil:
		s = "with " + strings.Join(parts, ", ")
	}
	return s + " it plays " + d.actionName(d.actionOf(step.X))
}
