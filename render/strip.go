package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/core/param"
	"cpsrl/core/record"
)

// Sizes of the table, in CSS px.
const (
	rowHeight   = 22.0
	chartHeight = 92.0
	axisBand    = 26.0
	keyBand     = 34.0
	mostColumns = 128
)

// trajectoryHeight returns the least height of the panel of a table.
func (d *draft) trajectoryHeight(float64) float64 {
	return titleBand + 8 + rowHeight*float64(d.space.X()) + groupGap + chartHeight + axisBand + keyBand
}

// trajectory draws the world of any problem as a table: a row for each X variable, and a
// column for each step or, while planning, for each state with the action of the policy.
func (d *draft) trajectory(b Box) {
	if d.view.Moment == Plan {
		d.policyTable(b)
		return
	}
	name, about := "The episode", param.Count(len(d.trace.Steps), "step")
	switch d.view.Moment {
	case Act:
		name = fmt.Sprintf("Acting: step %d of %d", d.current()+1, len(d.trace.Steps))
		about = "collected " + decimal(d.collected(), 2)
	case Update:
		about = fmt.Sprintf("collected %s in %s", decimal(d.trace.Record.Return, 2), about)
	}
	b = d.panel(b, name, about)
	columns := min(len(d.trace.Steps), mostColumns)
	first := d.window(columns)
	t := d.table(b, columns, func(k, i int) int {
		switch h := first + k; {
		case h <= d.current() && h < len(d.trace.Steps), h == d.steps && i < d.space.Y():
			return d.trace.Steps[h].X[i]
		}
		return -1
	})
	t.ticks(d, func(k int) string { return fmt.Sprint(first + k + 1) }, "step")

	low, high := 0.0, 0.0
	if d.trace.True.Solved != nil {
		for _, r := range d.trace.True.Reward { // means
			low, high = min(low, r), max(high, r)
		}
	}
	for _, step := range d.trace.Steps {
		low, high = min(low, step.Reward), max(high, step.Reward)
	}
	t.frame(d, "reward", low, high)
	zero := t.level(0, low, high)
	for k := range columns {
		if h := first + k; h <= d.current() {
			y := t.level(d.trace.Steps[h].Reward, low, high)
			d.add(Rect{X: t.x + t.w*float64(k) + t.gap/2, Y: min(y, zero), W: t.w - t.gap, H: max(1, math.Abs(y-zero)), Fill: Sampled})
		}
	}
	if k := d.current() - first; d.view.Moment == Act && k >= 0 && k < columns {
		t.mark(d, k)
	}
}

// mark marks a column with a frame or, if it is narrow, with a wedge above and below.
func (t *table) mark(d *draft, k int) {
	left, right := t.x+t.w*float64(k), t.x+t.w*float64(k+1)
	if t.w >= 12 {
		d.halo(Path{Points: []Point{{left - 1, t.top - 3}, {right + 1, t.top - 3}, {right + 1, t.bottom + 3}, {left - 1, t.bottom + 3}}, Closed: true, Stroke: Ink, Width: 2}, Background)
		return
	}
	x := (left + right) / 2
	for _, v := range [][2]float64{{t.top, -1}, {t.bottom, 1}} {
		d.add(Path{Points: []Point{{x, v[0] + v[1]}, {x - 4.5, v[0] + 8*v[1]}, {x + 4.5, v[0] + 8*v[1]}}, Closed: true, Fill: Ink})
	}
}

// policyTable draws π_h and V_h over the states, or over evenly spaced ones if there are
// too many.
func (d *draft) policyTable(b Box) {
	values, policy := d.view.overlays()
	m, h := d.model(), d.shownStep()
	states := d.space.States()
	columns := min(states, mostColumns)
	about := fmt.Sprintf("policy and value in %s at step %d, %s model", param.Count(states, "state"), h, d.view.Model)
	if columns < states {
		about = fmt.Sprintf("%d of ", columns) + about
	}
	b = d.panel(b, fmt.Sprintf("The plan, worth %s", decimal(m.Value, 2)), about)
	stateOf := func(k int) int { return k * states / columns }
	point := make([]int, d.space.X())
	actions := d.space.Actions()
	t := d.table(b, columns, func(k, i int) int {
		s := stateOf(k)
		d.space.Point(point, s*actions+int(m.Policy[h-1][s]))
		if i >= d.space.Y() && !policy {
			return -1
		}
		return point[i]
	})
	t.ticks(d, func(k int) string { return fmt.Sprint(stateOf(k)) }, "state")
	if !values {
		return
	}
	low, high := d.valueRange(func(yield func(int) bool) {
		for s := 0; s < states && yield(s); s++ {
		}
	})
	t.frame(d, "V"+subscript(h), low, high)
	type series struct {
		name  string // as in StageView.Model
		words string
		model *record.TraceModel
		dot   Circle
	}
	shown := []series{
		{"true", "true", &d.trace.True, Circle{Stroke: Missed, Width: 1.5}},
		{"sampled", d.source().adjective, &d.trace.Sampled, Circle{Fill: Sampled}},
	}
	if !d.view.Truth || d.view.Model == "true" {
		shown = slices.DeleteFunc(shown, func(s series) bool { return s.name != d.view.Model })
	}
	for _, s := range shown {
		s.dot.R = max(1.75, min(4, t.w*0.4))
		for k := range columns {
			s.dot.X, s.dot.Y = t.x+t.w*(float64(k)+0.5), t.level(s.model.V[h-1][stateOf(k)], low, high)
			d.add(s.dot)
		}
	}
	if len(shown) < 2 {
		return
	}
	right := t.chart.right()
	for _, s := range shown {
		right -= d.text(right, t.chart.Y-4, End, tiny, false, Muted, s.words) + 8
		s.dot.X, s.dot.Y, s.dot.R = right, t.chart.Y-8, 3.5
		d.add(s.dot)
		right -= 14
	}
}

// table is the layout of a table and of the chart below it.
type table struct {
	x, w, gap   float64 // where the columns begin, their width and the gap between them
	columns     int
	top, bottom float64 // of the rows
	chart       Box
}

// table draws a row for each X variable. The function value returns the value of X_i in
// column k, or -1 if there is none yet.
func (d *draft) table(b Box, columns int, value func(k, i int) int) *table {
	n, m := d.space.X(), d.space.Y()
	labels := 40.0
	for i := range n {
		labels = max(labels, widthOf(d.xName(i), small, false))
	}
	labels = min(labels, b.W*0.26)
	t := &table{x: b.X + labels + 10, columns: columns, top: b.Y + 8}
	t.w = min((b.right()-t.x)/float64(columns), 56)
	if t.w >= 5 {
		t.gap = 1.5
	}
	height := min((b.H-8-chartHeight-axisBand-keyBand-groupGap)/float64(n), 34)
	gap := 1.5
	y := t.top
	var texts []Mark
	for i := range n {
		if i == m {
			y += groupGap
		}
		v := d.space.Var(i)
		d.add(Rect{X: b.X, Y: y + height/2 - 7, W: 3, H: 14, Radius: 1.5, Fill: d.accent(i)})
		texts = append(texts, Text{X: b.X + 8, Y: y + height/2 + 4, Size: small, Color: Ink, Value: fitName(v.Name, d.fronts[i], small, false, labels-4)})
		for k := 0; k < columns; {
			// If columns touch, equal neighbours are one rectangle.
			value0, run := value(k, i), 1
			for t.gap == 0 && k+run < columns && value(k+run, i) == value0 {
				run++
			}
			cell := Rect{X: t.x + t.w*float64(k) + t.gap/2, Y: y + gap/2, W: t.w*float64(run) - t.gap, H: height - gap, Fill: Surface}
			if t.w >= 9 {
				cell.Radius = 2
			}
			level := among(value0, v.Size)
			if value0 >= 0 {
				cell.Fill = mapped(level)
			}
			d.add(cell)
			if value0 >= 0 && height >= 15 {
				label := v.Label(value0)
				if widthOf(label, tiny, false) > t.w-4 {
					label = fmt.Sprint(value0)
				}
				if widthOf(label, tiny, false) <= t.w-4 {
					texts = append(texts, Text{X: t.x + t.w*(float64(k)+0.5), Y: y + height/2 + 4, Anchor: Middle, Size: tiny, Color: onMap(level), Value: label})
				}
			}
			k += run
		}
		y += height
	}
	d.add(texts...)
	t.bottom = y
	t.chart = Box{t.x, y + 26, t.w * float64(columns), chartHeight - 26}
	d.valueKey(t.x, t.chart.bottom()+axisBand+22)
	return t
}

// frame draws the axes of the chart below the rows.
func (t *table) frame(d *draft, name string, low, high float64) {
	c := t.chart
	ends, middle := []float64{low, high}, c.Y+c.H/2
	if low == high { // the only value is in the middle, below the name
		ends, middle = ends[:1], middle-14
	}
	for _, v := range ends {
		y := t.level(v, low, high)
		d.add(Path{Points: []Point{{c.X, y}, {c.right(), y}}, Stroke: Faint, Width: 1})
		d.text(c.X-8, y+4, End, tiny, false, Muted, axisLabel(v))
	}
	d.text(c.X-8, middle+4, End, small, false, Ink, name)
}

// axisLabel writes a value that has about 60 px. A large one has three digits and a power of ten.
func axisLabel(v float64) string {
	if math.Abs(v) < 1e5 {
		return decimal(v, 2)
	}
	digits, power, _ := strings.Cut(fmt.Sprintf("%.2e", v), "e+")
	return strings.Replace(digits, "-", "−", 1) + "e" + strings.TrimLeft(power, "0")
}

// level returns the vertical place of a value in the chart.
func (t *table) level(v, low, high float64) float64 {
	return t.chart.bottom() - share(v, low, high)*t.chart.H
}

// ticks numbers some columns below the chart.
func (t *table) ticks(d *draft, label func(k int) string, name string) {
	every := 1
	for _, n := range []int{1, 2, 5, 10, 20, 25, 50} {
		if every = n; t.w*float64(n) >= 30 {
			break
		}
	}
	y := t.chart.bottom() + 19
	for k := range t.columns {
		n := k
		if name == "step" {
			n = k + 1
		}
		if n%every == 0 || k == 0 {
			d.text(t.x+t.w*(float64(k)+0.5), y, Middle, tiny, false, Muted, label(k))
		}
	}
	d.text(t.chart.X-8, y, End, tiny, false, Muted, name)
}

// valueKey explains the colours of values.
func (d *draft) valueKey(x, y float64) {
	size, same := 1, true
	for i := range d.space.X() {
		if n := d.space.Var(i).Size; n > 1 {
			same = same && (size == 1 || size == n)
			size = n
		}
	}
	d.text(x-8, y, End, tiny, false, Muted, "value")
	if !same || size > 8 {
		x += d.ramp(x, y-9) + 6
		d.text(x, y, Start, tiny, false, Ink, "the first to the last")
		return
	}
	for v := range size {
		d.add(Rect{X: x, Y: y - 9, W: 11, H: 11, Radius: 2, Fill: mapped(among(v, size))})
		x += 22 + d.text(x+16, y, Start, tiny, false, Ink, fmt.Sprint(v)) + 8
	}
}

// accent returns the colour that tells state variables from actions.
func (d *draft) accent(i int) Color {
	if i < d.space.Y() {
		return Missed
	}
	return Action
}
