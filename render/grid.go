package render

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// event is the outcome of a step of the taxi.
type event int

const (
	moved event = iota
	blocked
	pickedUp
	delivered
	illegal
)

// events describes outcomes: in short, with the action, and in a clause, with the action
// and the cell where the step ends.
var events = [...]struct{ label, words string }{
	moved:     {"%s", "the taxi drives %s to row %d, column %d"},
	blocked:   {"%s, a wall", "the taxi drives %s against a wall at row %d, column %d"},
	pickedUp:  {"%s", "the taxi picks up the passenger at row %[2]d, column %[3]d"},
	delivered: {"%s, delivered", "the taxi delivers the passenger at row %[2]d, column %[3]d"},
	illegal:   {"illegal %s", "an illegal %s at row %d, column %d"},
}

// actionOf returns the action of a step.
func actionOf(step record.TraceStep) int { return step.X[len(step.X)-1] }

// eventOf returns the outcome of a step from the states before and after it.
func eventOf(step record.TraceStep) event {
	action := actionOf(step)
	switch {
	case action == document.PickUp && step.X[2] == 0 && step.Y[2] == 1:
		return pickedUp
	case action == document.DropOff && step.X[2] == 1 && step.Y[2] == 0:
		return delivered
	case action == document.PickUp, action == document.DropOff:
		return illegal
	case step.X[0] == step.Y[0] && step.X[1] == step.Y[1]:
		return blocked
	}
	return moved
}

// taxiStep describes a step in a clause.
func (d *draft) taxiStep(step record.TraceStep) string {
	action := strings.ReplaceAll(d.actionLabel(step), " ", "-")
	return fmt.Sprintf(events[eventOf(step)].words, action, step.Y[0], step.Y[1])
}

func (d *draft) actionLabel(step record.TraceStep) string {
	return d.space.Action[0].Label(step.X[len(d.space.State)])
}

// ahead returns the unit vector of a move.
func ahead(action int) Point {
	return [...]Point{document.South: {0, 1}, document.North: {0, -1}, document.East: {1, 0}, document.West: {-1, 0}}[action]
}

// Sizes of the grid, in CSS px.
const (
	mostGrid   = 420.0
	mostCell   = 116.0
	legendBand = 36.0
	actionBand = 46.0
)

// board is a grid with the place and the size of its cells.
type board struct {
	x, y, cell float64
	document.Grid
}

// at returns a place in a cell: with within = 0 the top left, with 0.5 the middle.
func (g board) at(row, column int, within float64) Point {
	return Point{g.x + (float64(column)+within)*g.cell, g.y + (float64(row)+within)*g.cell}
}

// of returns the middle of the cell of a state.
func (g board) of(state []int) Point { return g.at(state[0], state[1], 0.5) }

// gridHeight returns the height of the panel of a grid.
func (d *draft) gridHeight(width float64) float64 {
	g := d.trace.Grid
	cell := math.Floor(min(mostCell, min(mostGrid, width)/float64(g.Columns)))
	return titleBand + cell*float64(g.Rows) + legendBand + actionBand
}

// grid draws the taxi's world.
func (d *draft) grid(b Box) {
	var name, about string
	steps := param.Count(len(d.trace.Steps), "step")
	switch d.view.Moment {
	case Sample:
		name, about = "Before the shift", steps+", from R to Y as often as it can"
	case Plan:
		name, about = "The plan", "worth "+decimal(d.model().Value, 2)
		if values, policy := d.view.overlays(); !values && !policy { // else the legend names the model
			about += fmt.Sprintf(" in the %s model", d.view.Model)
		}
	case Act:
		name = fmt.Sprintf("Driving: step %d", d.current()+1)
		about = "collected " + decimal(d.collected(), 2)
		if k := d.current(); k >= 0 {
			step := d.trace.Steps[k]
			about += " · " + fmt.Sprintf(events[eventOf(step)].label, d.actionLabel(step))
		}
	case Update:
		name, about = "The trip", fmt.Sprintf("collected %s in %s", decimal(d.trace.Record.Return, 2), steps)
	}
	b = d.panel(b, name, about)

	g := board{Grid: *d.trace.Grid}
	room := b.H - legendBand - actionBand
	g.cell = math.Floor(min(mostCell, min(mostGrid, b.W)/float64(g.Columns), max(24, room/float64(g.Rows))))
	g.x = math.Round(b.X + (b.W-g.cell*float64(g.Columns))/2)
	if d.Width >= wide {
		g.x = b.X
	}
	g.y = b.Y

	states := d.layer()
	low, high := d.valueRange(slices.Values(states))
	d.cells(g, states, low, high)
	d.walls(g)
	d.trail(g)
	d.taxi(g)
	d.outcomes(g)

	below := Box{g.x, g.at(g.Rows, 0, 0).Y, b.right() - g.x, legendBand}
	d.valueLegend(below, low, high)
	d.actions(Box{below.X, below.bottom(), below.W, actionBand})
}

// aboard returns the value of the passenger for which values and policy are shown.
func (d *draft) aboard() int {
	switch d.view.Passenger {
	case "waiting":
		return 0
	case "aboard":
		return 1
	}
	return d.state()[2]
}

// layer returns the state of each cell, row by row, with the passenger that is shown and
// the other variables as at the start.
func (d *draft) layer() []int {
	g := d.trace.Grid
	state := slices.Clone(d.trace.Steps[0].X[:d.space.Y()])
	state[2] = d.aboard()
	states := make([]int, g.Rows*g.Columns)
	for k := range states {
		state[0], state[1] = k/g.Columns, k%g.Columns
		states[k] = d.space.Index(state)
	}
	return states
}

// valueRange returns the range of V_h over the states in both models, so that the two can
// be compared.
func (d *draft) valueRange(states iter.Seq[int]) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	h := d.shownStep() - 1
	for s := range states {
		for _, m := range []*record.TraceModel{&d.trace.Sampled, &d.trace.True} {
			low, high = min(low, m.V[h][s]), max(high, m.V[h][s])
		}
	}
	return low, high
}

// share returns where v lies between low and high, from 0 to 1.
func share(v, low, high float64) float64 {
	if !(high > low) {
		return 0.5
	}
	return (v - low) / (high - low)
}

// among returns where index k of n lies, from 0 to 1.
func among(k, n int) float64 { return share(float64(k), 0, float64(n-1)) }

func (d *draft) cells(g board, states []int, low, high float64) {
	values, policy := d.view.overlays()
	h, m := d.shownStep()-1, d.model()
	numbered := values && g.cell >= 46
	var numbers []Mark
	for k, s := range states {
		at, v := g.at(k/g.Columns, k%g.Columns, 0), m.V[h][s]
		cell := Rect{X: at.X + 1, Y: at.Y + 1, W: g.cell - 2, H: g.cell - 2, Radius: 3, Fill: Surface}
		if values {
			t := share(v, low, high)
			cell.Fill = mapped(t)
			if numbered {
				numbers = append(numbers, Text{X: at.X + g.cell - 6, Y: at.Y + g.cell - 7, Anchor: End, Size: tiny, Color: onMap(t), Value: decimal(v, 2)})
			}
		}
		d.add(cell)
	}
	for k, s := range states {
		if !policy {
			break
		}
		color := Ink
		if values {
			color = onMap(share(m.V[h][s], low, high))
		}
		// The action is above the number, or beside it if a mark is above it.
		row, column := k/g.Columns, k%g.Columns
		cell := [2]int{row, column}
		marked := cell == g.PickUp || cell == g.Destination
		at, size := g.at(row, column, 0.5), g.cell*0.42
		switch {
		case marked && numbered:
			at, size = Point{at.X - g.cell*0.25, at.Y + g.cell*0.25}, g.cell*0.3
		case marked:
			at.Y, size = at.Y+g.cell*0.1, g.cell*0.34
		case numbered:
			at.Y -= 5.5
		}
		d.glyph(at, size, int(m.Policy[h][s]), color, max(1.75, g.cell/30))
	}
	d.add(numbers...)
	d.place(g, g.PickUp, "R")
	d.place(g, g.Destination, "Y")
}

// place marks the pick-up cell or the destination with its letter.
func (d *draft) place(g board, cell [2]int, letter string) {
	const size = 19.0
	corner := g.at(cell[0], cell[1], 0)
	x, y := corner.X+5, corner.Y+5
	d.add(Rect{X: x, Y: y, W: size, H: size, Radius: 5, Fill: MapPaper, Stroke: MapInk, Width: 1.5})
	d.text(x+size/2, y+14, Middle, small, true, MapInk, letter)
	if letter == "Y" {
		// A flag.
		fx, fy := x+size+7, y+1.0
		d.halo(Path{Points: []Point{{fx, fy}, {fx, fy + size - 1}}, Stroke: MapInk, Width: 2}, MapPaper)
		d.halo(Path{Points: []Point{{fx, fy}, {fx + 11, fy + 4.5}, {fx, fy + 9}}, Closed: true, Fill: False, Stroke: MapInk, Width: 1}, MapPaper)
		return
	}
	if !d.inside() {
		d.person(Point{x + size + 13, y + size/2}, size*0.95)
	}
}

// inside reports whether the passenger is in the taxi. That changes halfway through a step.
func (d *draft) inside() bool {
	if d.progress >= 0.5 {
		return d.trace.Steps[d.steps].Y[2] == 1
	}
	return d.state()[2] == 1
}

// person draws a head over shoulders.
func (d *draft) person(at Point, size float64) {
	r, w, y := size*0.24, size*0.36, at.Y+size*0.5
	shoulders := []Point{{at.X - w, y}, {at.X - w, y - size*0.58}, {at.X + w, y - size*0.58}, {at.X + w, y}}
	d.halo(Path{Points: shoulders, Curved: true, Closed: true, Fill: Missed, Stroke: MapInk, Width: 1}, MapPaper)
	d.add(
		Circle{X: at.X, Y: at.Y - size*0.22, R: r + 1.75, Fill: MapPaper},
		Circle{X: at.X, Y: at.Y - size*0.22, R: r, Fill: Missed, Stroke: MapInk, Width: 1},
	)
}

// glyph draws an action: an arrow for a move, an arrow up from a line for a
// pick-up, one down to a line for a drop-off.
func (d *draft) glyph(at Point, size float64, action int, color Color, width float64) {
	half := size / 2
	head := size * 0.36
	if action <= document.West {
		v := ahead(action)
		d.arrow(Point{at.X - v.X*half, at.Y - v.Y*half}, Point{at.X + v.X*half, at.Y + v.Y*half}, color, width, head)
		return
	}
	from, to := Point{at.X, at.Y + half*0.35}, Point{at.X, at.Y - half}
	if action == document.DropOff {
		from, to = to, from
	}
	d.arrow(from, to, color, width, head)
	base := at.Y + half*0.85
	d.add(Path{Points: []Point{{at.X - half*0.75, base}, {at.X + half*0.75, base}}, Stroke: color, Width: width})
}

func (d *draft) walls(g board) {
	w, h := g.cell*float64(g.Columns), g.cell*float64(g.Rows)
	d.add(Rect{X: g.x - 1, Y: g.y - 1, W: w + 2, H: h + 2, Radius: 4, Stroke: Ink, Width: 3})
	for _, line := range []Path{{Stroke: Background, Width: 8}, {Stroke: Ink, Width: 5}} {
		for _, wall := range g.Walls {
			line.Points = []Point{g.at(wall[0], wall[1]+1, 0), g.at(wall[0]+1, wall[1]+1, 0)}
			d.add(line)
		}
	}
}

// trail draws where the taxi has been.
func (d *draft) trail(g board) {
	points := []Point{g.of(d.trace.Steps[0].X)}
	for _, step := range d.trace.Steps[:d.steps] {
		if eventOf(step) == moved {
			points = append(points, g.of(step.Y))
		}
	}
	if d.progress > 0 {
		points = append(points, d.taxiAt(g))
	}
	if len(points) > 1 {
		d.halo(Path{Points: points, Stroke: Cab, Width: 3.5}, CabInk)
	}
}

// outcomes marks the cells of deliveries and illegal actions with their numbers.
func (d *draft) outcomes(g board) {
	type outcome struct {
		row, column int
		event
	}
	times := map[outcome]int{}
	for _, step := range d.trace.Steps[:d.steps] {
		times[outcome{step.X[0], step.X[1], eventOf(step)}]++
	}
	for row := range g.Rows {
		for column := range g.Columns {
			at := g.at(row+1, column, 0)
			at.X, at.Y = at.X+13, at.Y-13
			at.X += d.badge(at, Sampled, times[outcome{row, column, delivered}])
			d.badge(at, False, times[outcome{row, column, illegal}])
		}
	}
}

// badge draws a tick or a cross with the number n, and returns its width.
func (d *draft) badge(at Point, color Color, n int) float64 {
	const r = 8.0
	width, label := 2*r, ""
	switch {
	case n == 0:
		return 0
	case n > 1:
		label = fmt.Sprintf("×%d", n)
		width += widthOf(label, tiny, true) + 5
	}
	d.add(Rect{X: at.X - r - 1.5, Y: at.Y - r - 1.5, W: width + 3, H: 2*r + 3, Radius: r + 1.5, Fill: MapPaper})
	d.add(Circle{X: at.X, Y: at.Y, R: r, Fill: color})
	d.sign(at, color == Sampled, MapPaper, 4)
	if label != "" {
		d.text(at.X+r+2, at.Y+4, Start, tiny, true, MapInk, label)
	}
	return width + 5
}

// sign draws a tick or a cross.
func (d *draft) sign(at Point, tick bool, color Color, size float64) {
	if tick {
		d.add(Path{Points: []Point{{at.X - size, at.Y + size*0.1}, {at.X - size*0.25, at.Y + size*0.8}, {at.X + size, at.Y - size*0.7}}, Stroke: color, Width: 2})
		return
	}
	s := size * 0.75
	d.add(
		Path{Points: []Point{{at.X - s, at.Y - s}, {at.X + s, at.Y + s}}, Stroke: color, Width: 2},
		Path{Points: []Point{{at.X - s, at.Y + s}, {at.X + s, at.Y - s}}, Stroke: color, Width: 2},
	)
}

// ease maps [0,1] to itself, slow at both ends.
func ease(t float64) float64 { return t * t * (3 - 2*t) }

// taxiAt returns the place of the taxi, between two cells while a move is under way.
func (d *draft) taxiAt(g board) Point {
	from := g.of(d.state())
	if d.progress == 0 {
		return from
	}
	step := d.trace.Steps[d.steps]
	switch eventOf(step) {
	case moved:
		return between(from, g.of(step.Y), ease(d.progress))
	case blocked:
		// The taxi runs against the wall and rolls back.
		v, push := ahead(actionOf(step)), 0.13*g.cell*math.Sin(math.Pi*d.progress)
		return Point{from.X + v.X*push, from.Y + v.Y*push}
	}
	return from
}

// bearing returns the angle that the taxi faces. The taxi turns at the start of a move.
func (d *draft) bearing() float64 {
	facing, before := 0.0, 0.0
	for _, step := range d.trace.Steps[:d.current()+1] {
		before = facing
		if action := actionOf(step); action <= document.West {
			v := ahead(action)
			facing = math.Atan2(v.Y, v.X)
		}
	}
	if d.progress > 0 {
		turn := math.Remainder(facing-before, 2*math.Pi)
		return before + turn*ease(min(1, d.progress/0.35))
	}
	return facing
}

// taxi draws the cab from above.
func (d *draft) taxi(g board) {
	at, turn := d.taxiAt(g), d.bearing()
	sin, cos := math.Sincos(turn)
	unit := g.cell * 0.36
	put := func(points ...Point) []Point {
		for k, p := range points {
			p.X, p.Y = p.X*unit, p.Y*unit
			points[k] = Point{at.X + p.X*cos - p.Y*sin, at.Y + p.X*sin + p.Y*cos}
		}
		return points
	}
	// box returns a rectangle around (x, y) with rounded corners.
	box := func(x, y, w, h, r float64) []Point { return put(rounded(x-w, y-h, x+w, y+h, r, 4)...) }
	closed := func(fill, stroke Color, width float64, points []Point) {
		d.add(Path{Points: points, Closed: true, Fill: fill, Stroke: stroke, Width: width})
	}
	closed(MapPaper, MapPaper, 4.5, box(0, 0, 1, 0.6, 0.26))
	for _, x := range []float64{-0.56, 0.56} {
		for _, y := range []float64{-0.54, 0.54} {
			closed(CabInk, "", 0, box(x, y, 0.2, 0.09, 0.06))
		}
	}
	closed(Cab, CabInk, 1.75, box(0, 0, 1, 0.52, 0.26))
	closed(CabInk, "", 0, put(Point{0.28, -0.36}, Point{0.52, -0.42}, Point{0.52, 0.42}, Point{0.28, 0.36})) // windscreen
	closed(CabInk, "", 0, put(Point{-0.5, -0.34}, Point{-0.66, -0.4}, Point{-0.66, 0.4}, Point{-0.5, 0.34})) // rear window
	for _, y := range []float64{-0.34, 0.34} {
		closed(MapPaper, "", 0, box(0.9, y, 0.05, 0.1, 0.04)) // lamps
	}
	// The roof shows a chequer if the taxi is free, else the passenger.
	if d.inside() {
		p := put(Point{-0.1, 0})[0]
		d.add(Circle{X: p.X, Y: p.Y, R: unit * 0.34, Fill: Missed, Stroke: MapPaper, Width: 2})
		return
	}
	for k := range 3 {
		x, y := -0.28+0.18*float64(k), -0.18+0.18*float64(k%2)
		closed(CabInk, "", 0, put(Point{x, y}, Point{x + 0.18, y}, Point{x + 0.18, y + 0.18}, Point{x, y + 0.18}))
	}
}

// valueLegend explains the colours of the cells.
func (d *draft) valueLegend(b Box, low, high float64) {
	values, policy := d.view.overlays()
	passenger := [...]string{"waiting", "aboard"}[d.aboard()]
	about := fmt.Sprintf("%s model, passenger %s", d.view.Model, passenger)
	h := subscript(d.shownStep())
	x, y := b.X+2, b.Y+22
	switch {
	case values:
		x += d.text(x, y, Start, small, true, Ink, "V"+h) + 8
		x += d.text(x, y, Start, tiny, false, Ink, decimal(low, 2)) + 6
		x = math.Round(x)
		x += d.ramp(x, y-9) + 6
		x += d.text(x, y, Start, tiny, false, Ink, decimal(high, 2)) + 14
		if widthOf(about, small, false) > b.right()-x {
			about = fmt.Sprintf("%s, %s", d.view.Model, passenger)
		}
		d.text(x, y, Start, small, false, Muted, fit(about, small, false, b.right()-x))
	case policy:
		d.text(b.X, y, Start, small, false, Muted, fit("π"+h+": "+about, small, false, b.W))
	}
}

// ramp draws the colours of the map from the least to the greatest value, and returns the
// width.
func (d *draft) ramp(x, y float64) float64 {
	const width, pieces = 80.0, 40
	for k := range pieces {
		d.add(Rect{X: x + width/pieces*float64(k), Y: y, W: width / pieces, H: 10, Fill: mapped((float64(k) + 0.5) / pieces)})
	}
	return width
}

// subscript returns a number in subscript digits.
func subscript(n int) string {
	return strings.Map(func(r rune) rune { return r + '₀' - '0' }, strconv.Itoa(n))
}

// actions draws the steps of the episode in a row, with their outcomes.
func (d *draft) actions(b Box) {
	const least, most = 15.0, 28.0
	shown := min(len(d.trace.Steps), int(b.W/least)) // all, or a window around the present
	w, first := min(most, b.W/float64(shown)), d.window(shown)
	y := b.Y + 16
	for k := first; k < first+shown; k++ {
		at := Point{b.X + (float64(k-first)+0.5)*w, y}
		if k > d.current() {
			d.add(Circle{X: at.X, Y: at.Y, R: 2, Fill: Muted})
			continue
		}
		step := d.trace.Steps[k]
		if k == d.current() && d.view.Moment == Act {
			d.add(Rect{X: at.X - w/2 + 1, Y: y - 14, W: w - 2, H: 42, Radius: 6, Fill: Surface, Stroke: Ink, Width: 1.5})
		}
		d.glyph(at, min(14, w*0.7), actionOf(step), Ink, 1.75)
		under := Point{at.X, y + 19}
		switch eventOf(step) {
		case illegal:
			d.sign(under, false, False, 4.5)
		case delivered:
			d.sign(under, true, Sampled, 4.5)
		case pickedUp:
			d.add(Circle{X: under.X, Y: under.Y, R: 4, Fill: Missed})
		case blocked:
			d.add(Path{Points: []Point{{under.X - 4, under.Y}, {under.X + 4, under.Y}}, Stroke: Muted, Width: 2})
		}
	}
}
