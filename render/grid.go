package render

import (
	"fmt"
	"iter"
	"math"

	"cpsrl/core/record"
)

// The actions of a taxi, in their order.
const (
	south = iota
	north
	east
	west
	pickUp
	dropOff
)

// event is what a step of the taxi amounts to.
type event int

const (
	moved event = iota
	blocked
	pickedUp
	delivered
	illegal
)

// eventOf tells from the states on both sides of a step what it was.
func eventOf(actions int, step record.TraceStep) event {
	action := step.X[len(step.X)-1]
	switch {
	case action == pickUp && step.X[2] == 0 && step.Y[2] == 1:
		return pickedUp
	case action == dropOff && step.X[2] == 1 && step.Y[2] == 0:
		return delivered
	case action == pickUp, action == dropOff:
		return illegal
	case step.X[0] == step.Y[0] && step.X[1] == step.Y[1]:
		return blocked
	}
	return moved
}

// ahead is the unit vector of a move.
func ahead(action int) Point {
	return [...]Point{south: {0, 1}, north: {0, -1}, east: {1, 0}, west: {-1, 0}}[action]
}

// Sizes of the grid, in CSS px.
const (
	mostGrid   = 420.0
	mostCell   = 116.0
	legendBand = 44.0
	actionBand = 56.0
)

// board is where the cells are.
type board struct {
	x, y, cell float64
	record.Grid
}

func (g board) center(row, column float64) Point {
	return Point{g.x + (column+0.5)*g.cell, g.y + (row+0.5)*g.cell}
}

// gridHeight is how high the panel of a grid is.
func (d *draft) gridHeight(width float64) float64 {
	g := d.trace.Grid
	cell := math.Floor(min(mostCell, min(mostGrid, width)/float64(g.Columns)))
	return titleBand + cell*float64(g.Rows) + legendBand + actionBand
}

// grid draws the taxi's world.
func (d *draft) grid(b Box) {
	steps, _ := d.view.passed(d.trace.Horizon)
	values, policy := d.view.overlays()
	name, about := "", ""
	switch d.view.Moment {
	case Sample:
		name, about = "The taxi before its shift", fmt.Sprintf("%s, from R to Y as often as it can", count(d.trace.Horizon, "step"))
	case Plan:
		name, about = "The plan", fmt.Sprintf("worth %s in the sampled model", decimal(d.trace.Sampled.Value, 2))
	case Act:
		name = fmt.Sprintf("Driving: %d of %s", steps, count(d.trace.Horizon, "step"))
		about = fmt.Sprintf("collected %s", decimal(d.collected(), 2))
	case Update:
		name, about = "The trip", fmt.Sprintf("collected %s in %s", decimal(d.trace.Record.Return, 2), count(d.trace.Horizon, "step"))
	}
	if d.view.Moment == Act && d.current() >= 0 {
		about += " · " + d.stepLabel(d.trace.Steps[d.current()])
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
	board := Box{g.x, g.y, g.cell * float64(g.Columns), g.cell * float64(g.Rows)}

	low, high := d.valueRange(d.layer(d.aboard()))
	d.cells(g, values, policy, low, high)
	d.walls(g)
	d.trail(g)
	d.taxi(g)
	d.outcomes(g)

	y := board.bottom()
	d.valueLegend(Box{board.X, y, b.right() - board.X, legendBand}, values, policy, low, high)
	d.actions(Box{board.X, y + legendBand, b.right() - board.X, actionBand})
}

func (d *draft) stepLabel(step record.TraceStep) string {
	label := d.actionLabel(step)
	switch eventOf(d.space.Actions(), step) {
	case illegal:
		return "illegal " + label
	case blocked:
		return label + ", a wall"
	case delivered:
		return label + ", delivered"
	}
	return label
}

// aboard is the passenger state that values and policy are shown for.
func (d *draft) aboard() int {
	switch d.view.Passenger {
	case "waiting":
		return 0
	case "aboard":
		return 1
	}
	steps, _ := d.view.passed(d.trace.Horizon)
	if steps == d.trace.Horizon {
		return d.trace.Steps[steps-1].Y[2]
	}
	return d.trace.Steps[steps].X[2]
}

// stateAt is the state of a cell and a passenger; other variables are as they
// are at the start.
func (d *draft) stateAt(row, column, aboard int) int {
	state := append([]int{row, column, aboard}, d.trace.Steps[0].X[3:len(d.space.State)]...)
	return d.space.Index(state)
}

// valueRange is that of V_h over the states, in both models, so that these can
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

// layer yields the states of the cells, row by row.
func (d *draft) layer(aboard int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for row := range d.trace.Grid.Rows {
			for column := range d.trace.Grid.Columns {
				if !yield(d.stateAt(row, column, aboard)) {
					return
				}
			}
		}
	}
}

// share is where v lies from low to high.
func share(v, low, high float64) float64 {
	if !(high > low) {
		return 0.5
	}
	return (v - low) / (high - low)
}

func (d *draft) cells(g board, values, policy bool, low, high float64) {
	h, aboard, m := d.shownStep()-1, d.aboard(), d.model()
	var cells, numbers []Mark
	for row := range g.Rows {
		for column := range g.Columns {
			s := d.stateAt(row, column, aboard)
			x, y := g.x+float64(column)*g.cell, g.y+float64(row)*g.cell
			cell := Rect{X: x + 1, Y: y + 1, W: g.cell - 2, H: g.cell - 2, Radius: 3, Fill: Surface}
			if values {
				t := share(m.V[h][s], low, high)
				cell.Fill = mapped(t)
				if g.cell >= 46 {
					numbers = append(numbers, Text{X: x + g.cell - 6, Y: y + g.cell - 7, Anchor: End, Size: tiny, Color: onMap(t), Value: decimal(m.V[h][s], 2)})
				}
			}
			cells = append(cells, cell)
		}
	}
	d.add(cells...)
	if policy {
		for row := range g.Rows {
			for column := range g.Columns {
				s := d.stateAt(row, column, aboard)
				color := Ink
				if values {
					color = onMap(share(m.V[h][s], low, high))
				}
				at, size := g.center(float64(row), float64(column)), g.cell*0.42
				if cell := [2]int{row, column}; cell == g.PickUp || cell == g.Destination {
					at.Y, size = at.Y+g.cell*0.1, g.cell*0.34
				}
				d.glyph(at, size, int(m.Policy[h][s]), color, max(1.75, g.cell/30))
			}
		}
	}
	d.add(numbers...)
	d.place(g, g.PickUp, "R")
	d.place(g, g.Destination, "Y")
}

// place marks the pick-up cell or the destination with its letter.
func (d *draft) place(g board, cell [2]int, letter string) {
	const size = 19.0
	x, y := g.x+float64(cell[1])*g.cell+5, g.y+float64(cell[0])*g.cell+5
	d.add(Rect{X: x, Y: y, W: size, H: size, Radius: 5, Fill: MapPaper, Stroke: MapInk, Width: 1.5})
	d.text(x+size/2, y+14, Middle, small, true, MapInk, letter)
	if letter == "Y" {
		// A flag.
		fx, fy := x+size+7, y+1.0
		d.halo(Path{Points: []Point{{fx, fy}, {fx, fy + size - 1}}, Stroke: MapInk, Width: 2}, MapPaper)
		d.halo(Path{Points: []Point{{fx, fy}, {fx + 11, fy + 4.5}, {fx, fy + 9}}, Closed: true, Fill: False, Stroke: MapInk, Width: 1}, MapPaper)
		return
	}
	if waiting, _ := d.passenger(); waiting {
		d.person(Point{x + size + 13, y + size/2}, size*0.95)
	}
}

// passenger says where the passenger is: both change halfway through a step.
func (d *draft) passenger() (waiting, inside bool) {
	steps, progress := d.view.passed(d.trace.Horizon)
	aboard := 0
	switch {
	case steps == d.trace.Horizon:
		aboard = d.trace.Steps[steps-1].Y[2]
	case progress >= 0.5:
		aboard = d.trace.Steps[steps].Y[2]
	default:
		aboard = d.trace.Steps[steps].X[2]
	}
	return aboard == 0, aboard == 1
}

// person draws a head over shoulders.
func (d *draft) person(at Point, size float64) {
	r := size * 0.24
	y := at.Y + size*0.5
	w := size * 0.36
	shoulders := Path{Points: []Point{
		{at.X - w, y},
		{at.X - w, y - size*0.58}, {at.X + w, y - size*0.58}, {at.X + w, y},
	}, Curved: true, Closed: true, Fill: Missed, Stroke: MapInk, Width: 1}
	d.halo(shoulders, MapPaper)
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
	switch action {
	case pickUp, dropOff:
		up := Point{at.X, at.Y - half}
		down := Point{at.X, at.Y + half*0.35}
		if action == pickUp {
			d.arrow(down, up, color, width, head)
		} else {
			d.arrow(up, down, color, width, head)
		}
		base := at.Y + half*0.85
		d.add(Path{Points: []Point{{at.X - half*0.75, base}, {at.X + half*0.75, base}}, Stroke: color, Width: width})
	default:
		v := ahead(action)
		d.arrow(Point{at.X - v.X*half, at.Y - v.Y*half}, Point{at.X + v.X*half, at.Y + v.Y*half}, color, width, head)
	}
}

func (d *draft) walls(g board) {
	w, h := g.cell*float64(g.Columns), g.cell*float64(g.Rows)
	d.add(Rect{X: g.x - 1, Y: g.y - 1, W: w + 2, H: h + 2, Radius: 4, Stroke: Ink, Width: 3})
	for _, under := range []bool{true, false} {
		for _, wall := range g.Walls {
			x, y := g.x+float64(wall[1]+1)*g.cell, g.y+float64(wall[0])*g.cell
			p := Path{Points: []Point{{x, y}, {x, y + g.cell}}, Stroke: Ink, Width: 5}
			if under {
				p.Stroke, p.Width = Background, 8
			}
			d.add(p)
		}
	}
}

// trail draws where the taxi has been.
func (d *draft) trail(g board) {
	if d.view.Moment != Act && d.view.Moment != Update {
		return
	}
	steps, progress := d.view.passed(d.trace.Horizon)
	at := func(state []int) Point { return g.center(float64(state[0]), float64(state[1])) }
	points := []Point{at(d.trace.Steps[0].X)}
	for _, step := range d.trace.Steps[:steps] {
		if eventOf(d.space.Actions(), step) == moved {
			points = append(points, at(step.Y))
		}
	}
	if progress > 0 {
		points = append(points, d.taxiAt(g))
	}
	if len(points) > 1 {
		d.halo(Path{Points: points, Stroke: Cab, Width: 3.5}, CabInk)
	}
}

// outcomes marks the cells where things went right or wrong, and how often.
func (d *draft) outcomes(g board) {
	steps, _ := d.view.passed(d.trace.Horizon)
	right, wrong := make([]int, g.Rows*g.Columns), make([]int, g.Rows*g.Columns)
	for _, step := range d.trace.Steps[:steps] {
		cell := step.X[0]*g.Columns + step.X[1]
		switch eventOf(d.space.Actions(), step) {
		case delivered:
			right[cell]++
		case illegal:
			wrong[cell]++
		}
	}
	for cell := range right {
		x := g.x + float64(cell%g.Columns)*g.cell + 13
		y := g.y + float64(cell/g.Columns+1)*g.cell - 13
		if n := right[cell]; n > 0 {
			x += d.badge(Point{x, y}, Sampled, n, true)
		}
		if n := wrong[cell]; n > 0 {
			d.badge(Point{x, y}, False, n, false)
		}
	}
}

// badge draws a tick or a cross with how often, and returns how wide it is.
func (d *draft) badge(at Point, color Color, n int, tick bool) float64 {
	const r = 8.0
	width := 2 * r
	label := ""
	if n > 1 {
		label = fmt.Sprintf("×%d", n)
		width += widthOf(label, tiny, true) + 5
	}
	d.add(Rect{X: at.X - r - 1.5, Y: at.Y - r - 1.5, W: width + 3, H: 2*r + 3, Radius: r + 1.5, Fill: MapPaper})
	d.add(Circle{X: at.X, Y: at.Y, R: r, Fill: color})
	d.sign(at, tick, MapPaper, 4)
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

// ease is a smooth way from 0 to 1.
func ease(t float64) float64 { return t * t * (3 - 2*t) }

// taxiAt is where the taxi is, between two cells while a move is under way.
func (d *draft) taxiAt(g board) Point {
	steps, progress := d.view.passed(d.trace.Horizon)
	at := func(state []int) Point { return g.center(float64(state[0]), float64(state[1])) }
	if steps == d.trace.Horizon {
		return at(d.trace.Steps[steps-1].Y)
	}
	step := d.trace.Steps[steps]
	switch eventOf(d.space.Actions(), step) {
	case moved:
		return between(at(step.X), at(step.Y), ease(progress))
	case blocked:
		// It runs against the wall and rolls back.
		v, push := ahead(step.X[len(step.X)-1]), 0.13*g.cell*math.Sin(math.Pi*progress)
		p := at(step.X)
		return Point{p.X + v.X*push, p.Y + v.Y*push}
	}
	return at(step.X)
}

// bearing is the angle the taxi faces; it turns at the start of a move.
func (d *draft) bearing() float64 {
	facing, before := 0.0, 0.0
	steps, progress := d.view.passed(d.trace.Horizon)
	for k, step := range d.trace.Steps {
		if k > steps || k == steps && progress == 0 {
			break
		}
		before = facing
		if action := step.X[len(step.X)-1]; action <= west {
			v := ahead(action)
			facing = math.Atan2(v.Y, v.X)
		}
	}
	if progress > 0 {
		turn := math.Remainder(facing-before, 2*math.Pi)
		return before + turn*ease(min(1, progress/0.35))
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
	// box is a rectangle about (x, y) with rounded corners.
	box := func(x, y, w, h, r float64) []Point {
		var points []Point
		for k, c := range []Point{{x + w - r, y + h - r}, {x - w + r, y + h - r}, {x - w + r, y - h + r}, {x + w - r, y - h + r}} {
			for n := 0; n <= 4; n++ {
				s, o := math.Sincos((float64(k) + float64(n)/4) * math.Pi / 2)
				points = append(points, Point{c.X + r*o, c.Y + r*s})
			}
		}
		return put(points...)
	}
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
	// The roof: a chequer while it is free, the passenger while it is not.
	if _, inside := d.passenger(); inside {
		p := put(Point{-0.1, 0})[0]
		d.add(Circle{X: p.X, Y: p.Y, R: unit * 0.34, Fill: Missed, Stroke: MapPaper, Width: 2})
		return
	}
	for k := range 3 {
		for n := range 2 {
			if (k+n)%2 == 0 {
				x, y := -0.28+0.18*float64(k), -0.18+0.18*float64(n)
				closed(CabInk, "", 0, put(Point{x, y}, Point{x + 0.18, y}, Point{x + 0.18, y + 0.18}, Point{x, y + 0.18}))
			}
		}
	}
}

// valueLegend says what the colours of the cells mean.
func (d *draft) valueLegend(b Box, values, policy bool, low, high float64) {
	if !values && !policy {
		return
	}
	passenger := "waiting"
	if d.aboard() == 1 {
		passenger = "aboard"
	}
	about := fmt.Sprintf("%s model, passenger %s", d.view.Model, passenger)
	short := fmt.Sprintf("%s, %s", d.view.Model, passenger)
	h := subscript(d.shownStep())
	y := b.Y + 23
	if !values {
		d.text(b.X, y+1, Start, small, false, Muted, fit("π"+h+": "+about, small, false, b.W))
		return
	}
	left, right := decimal(low, 2), decimal(high, 2)
	const bar, pieces = 96.0, 48
	x := b.X + 2
	d.text(x, y+1, Start, small, true, Ink, "V"+h)
	x += widthOf("V"+h, small, true) + 8
	d.text(x, y+1, Start, tiny, false, Ink, left)
	x = math.Round(x + widthOf(left, tiny, false) + 6)
	for k := range pieces {
		d.add(Rect{X: x + bar/pieces*float64(k), Y: y - 8, W: bar / pieces, H: 10, Fill: mapped((float64(k) + 0.5) / pieces)})
	}
	x += bar + 6
	d.text(x, y+1, Start, tiny, false, Ink, right)
	x += widthOf(right, tiny, false) + 14
	if widthOf(about, small, false) > b.right()-x {
		about = short
	}
	d.text(x, y+1, Start, small, false, Muted, fit(about, small, false, b.right()-x))
}

// subscript writes a number below the line.
func subscript(n int) string {
	runes := []rune(fmt.Sprint(n))
	for k := range runes {
		runes[k] += '₀' - '0'
	}
	return string(runes)
}

// actions draws the steps of the episode in a row, with what came of them.
func (d *draft) actions(b Box) {
	const least, most = 15.0, 28.0
	steps, _ := d.view.passed(d.trace.Horizon)
	shown := d.trace.Horizon
	w := min(most, b.W/float64(shown))
	first := 0
	if w < least {
		// A window around the present.
		shown = int(b.W / least)
		w = b.W / float64(shown)
		first = max(0, min(steps-shown/2, d.trace.Horizon-shown))
	}
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
		d.glyph(at, min(14, w*0.7), step.X[len(step.X)-1], Ink, 1.75)
		under := Point{at.X, y + 19}
		switch eventOf(d.space.Actions(), step) {
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
