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

// gridWords are the words for an agent of that look and for its episodes.
type gridWords struct{ who, goes, before, during, after string }

var gridWordsOf = map[document.Look]gridWords{
	document.Walker: {"the agent", "goes", "Before the episode", "Acting", "The episode"},
	document.Cab:    {"the taxi", "drives", "Before the shift", "Driving", "The trip"},
}

// events describes what a step did: in short, with the action; and in a clause, with the agent, its
// verb, the action, the direction or the mark, and the cell where the step ends.
var events = [...]struct{ label, words string }{
	moved:    {"%s", "%[1]s %[2]s %[4]s to %[5]s"},
	drifted:  {"%s, and elsewhere", "%[1]s plays %[3]s and comes to %[5]s"},
	blocked:  {"%s, a wall", "%[1]s %[2]s %[4]s against a wall at %[5]s"},
	stayed:   {"%s, in place", "%[1]s plays %[3]s and stays at %[5]s"},
	vanished: {"%s, gone", "%[1]s plays %[3]s and is gone"},
	tookUp:   {"%s", "%[1]s picks up the %[4]s at %[5]s"},
	putDown:  {"%s, done", "%[1]s sets down the %[4]s at %[5]s"},
	changed:  {"%s", "%[1]s plays %[3]s at %[5]s"},
	waited:   {"%s", "%[1]s waits at %[5]s"},
	idle:     {"%s, in vain", "%[1]s plays %[3]s in vain at %[5]s"},
}

// gridStep describes a step in a clause.
func (d *draft) gridStep(step record.TraceStep) string {
	b := d.board
	what, of := b.eventOf(step)
	switch what {
	case tookUp:
		of = b.aboard(step.Y).Text
	case putDown:
		of = b.aboard(step.X).Text
	}
	w := gridWordsOf[b.Agent.Look]
	return fmt.Sprintf(events[what].words, w.who, w.goes, d.actionName(d.actionOf(step.X)), of, d.cellName(b.cellOf(step.Y), step.Y))
}

// cellName names a cell and the marks of it that have more than a letter.
func (d *draft) cellName(cell int, state []int) string {
	b := d.board
	if cell < 0 {
		return "no cell"
	}
	s := fmt.Sprintf("row %d, column %d", cell/b.Columns, cell%b.Columns)
	for k := range b.marks {
		if m := &b.marks[k]; m.cell == cell && m.there(state) && m.Tone != document.Passenger && len([]rune(m.Text)) > mostLetters {
			s += " (" + m.Text + ")"
		}
	}
	return s
}

// Sizes of the grid, in CSS px.
const (
	mostGrid   = 420.0
	mostCell   = 116.0
	legendBand = 36.0
	actionBand = 46.0
	// leastGlyph and leastNumber are the least cells with an action and with a value.
	leastGlyph  = 16.0
	leastNumber = 46.0
	mostLetters = 2 // of a mark's text that is shown whole
)

// plot is a board with the place and the size of its cells.
type plot struct {
	x, y, cell float64
	*board
}

// at returns a place in a cell: with within = 0 the top left, with 0.5 the middle.
func (g plot) at(row, column int, within float64) Point {
	return Point{g.x + (float64(column)+within)*g.cell, g.y + (float64(row)+within)*g.cell}
}

// middle returns the middle of a cell.
func (g plot) middle(cell int) Point { return g.at(cell/g.Columns, cell%g.Columns, 0.5) }

// fitting returns the size of the cells in a panel of that width.
func (b *board) fitting(width float64) float64 {
	return max(1, math.Floor(min(mostCell, min(mostGrid, width)/float64(b.Columns), mostGrid/float64(b.Rows))))
}

// gridHeight returns the height of the panel of a grid.
func (d *draft) gridHeight(width float64) float64 {
	return titleBand + d.board.fitting(width)*float64(d.board.Rows) + legendBand + actionBand
}

// grid draws a problem on a grid of cells.
func (d *draft) grid(b Box) {
	w := gridWordsOf[d.board.Agent.Look]
	var name, about string
	switch d.view.Moment {
	case Sample:
		name, about = w.before, "up to "+param.Count(d.trace.Horizon, "step")
	case Plan:
		name, about = "The plan", "worth "+decimal(d.model().Value, 2)
		if values, policy := d.view.overlays(); !values && !policy { // else the legend names the model
			about += fmt.Sprintf(" in the %s model", d.view.Model)
		}
	case Act:
		name = fmt.Sprintf("%s: step %d", w.during, d.current()+1)
		about = "collected " + decimal(d.collected(), 2)
		if k := d.current(); k >= 0 {
			step := d.trace.Steps[k]
			what, _ := d.board.eventOf(step)
			about += " · " + fmt.Sprintf(events[what].label, d.actionName(d.actionOf(step.X)))
		}
	case Update:
		name, about = w.after, fmt.Sprintf("collected %s in %s", decimal(d.trace.Record.Return, 2), param.Count(len(d.trace.Steps), "step"))
	}
	b = d.panel(b, name, about)

	g := plot{board: d.board}
	room := b.H - legendBand - actionBand
	g.cell = min(g.fitting(b.W), max(math.Floor(room/float64(g.Rows)), min(24, g.fitting(b.W))))
	g.x = math.Round(b.X + (b.W-g.cell*float64(g.Columns))/2)
	if d.Width >= wide {
		g.x = b.X
	}
	g.y = b.Y

	states := d.layer()
	low, high := d.valueRange(func(yield func(int) bool) {
		for _, s := range states {
			if s >= 0 && !yield(s) {
				return
			}
		}
	})
	d.cells(g, states, low, high)
	d.walls(g)
	d.trail(g)
	d.traveller(g)
	d.outcomes(g)

	below := Box{g.x, g.at(g.Rows, 0, 0).Y, b.right() - g.x, legendBand}
	d.valueLegend(below, low, high)
	d.actions(Box{below.X, below.bottom(), below.W, actionBand})
	if ending, over := d.over(); over {
		at := Point{g.x + g.cell*float64(g.Columns)/2, g.y + g.cell*float64(g.Rows)/2}
		if cell := g.cellOf(d.state()); cell >= 0 {
			at = g.middle(cell)
		}
		d.stop(Point{at.X, at.Y + g.cell*0.36}, ending, Box{b.X, b.Y, b.W, below.Y - b.Y})
	}
}

// shown returns the state whose values and policy are shown, but for the agent's place.
func (d *draft) shown() []int {
	state := slices.Clone(d.state())
	if d.trace.Grid != nil { // of a taxi
		switch d.view.Passenger {
		case "waiting":
			state[2] = 0
		case "aboard":
			state[2] = 1
		}
	}
	return state
}

// layer returns the state with the agent in each cell, row by row, or −1 if it cannot be there. The
// other variables are as they are shown.
func (d *draft) layer() []int {
	state := d.shown()
	states := make([]int, d.board.Rows*d.board.Columns)
	for k := range states {
		states[k] = -1
		if d.board.put(state, k) {
			if states[k] = 0; !d.searched {
				states[k] = d.space.Index(state)
			}
		}
	}
	return states
}

// valueRange returns the range of V_h over the states in both models, so that the two can
// be compared.
func (d *draft) valueRange(states iter.Seq[int]) (low, high float64) {
	if low, high = math.Inf(1), math.Inf(-1); d.searched {
		return 0, 0
	}
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

// present returns the state in which marks are shown. It changes halfway through a step.
func (d *draft) present() []int {
	if d.progress >= 0.5 {
		return d.trace.Steps[d.steps].Y
	}
	return d.state()
}

// inside holds what the marks of a cell change in the drawing of it.
type inside struct{ marked, bare bool }

// insides returns them for each cell.
func (d *draft) insides(g plot) []inside {
	list := make([]inside, g.Rows*g.Columns)
	state := d.present()
	for k := range g.marks {
		m := &g.marks[k]
		switch {
		case m.cell < 0:
		case m.Tone == document.Hole, m.Tone == document.Cliff:
			list[m.cell].bare = list[m.cell].bare || m.there(state)
		default: // also if the mark is not there now, so that arrows keep their places
			list[m.cell].marked = true
		}
	}
	return list
}

func (d *draft) cells(g plot, states []int, low, high float64) {
	values, policy := d.view.overlays()
	h, m := d.shownStep()-1, d.model()
	numbered := values && g.cell >= leastNumber
	in := d.insides(g)
	var numbers []Mark
	gap := min(1, g.cell/16)
	for k, s := range states {
		at := g.at(k/g.Columns, k%g.Columns, 0)
		cell := Rect{X: at.X + gap, Y: at.Y + gap, W: g.cell - 2*gap, H: g.cell - 2*gap, Radius: min(3, g.cell/8), Fill: Surface}
		if s < 0 {
			cell.Fill = Faint
		}
		if values && s >= 0 {
			v := m.V[h][s]
			t := share(v, low, high)
			cell.Fill = mapped(t)
			if numbered && !in[k].bare {
				numbers = append(numbers, Text{X: at.X + g.cell - 6, Y: at.Y + g.cell - 7, Anchor: End, Size: tiny, Color: onMap(t), Value: decimal(v, 2)})
			}
		}
		d.add(cell)
	}
	point := make([]int, d.space.X())
	for k, s := range states {
		if !policy || s < 0 || in[k].bare || g.cell < leastGlyph {
			continue
		}
		color := Ink
		if values {
			color = onMap(share(m.V[h][s], low, high))
		}
		// The action is above the number, or beside it if a mark is above it.
		at, size := g.middle(k), g.cell*0.42
		switch {
		case in[k].marked && numbered:
			at, size = Point{at.X - g.cell*0.25, at.Y + g.cell*0.25}, g.cell*0.3
		case in[k].marked:
			at.Y, size = at.Y+g.cell*0.1, g.cell*0.34
		case numbered:
			at.Y -= 5.5
		}
		d.space.Point(point, s*d.space.Actions()+int(m.Policy[h][s]))
		d.glyph(at, size, d.actionOf(point), color, max(1.25, min(1.75, g.cell/20), g.cell/30))
	}
	d.add(numbers...)
	d.marks(g)
}

// marks draws what is in the cells, side by side from the top left.
func (d *draft) marks(g plot) {
	state := d.present()
	left := map[int]float64{} // where the next mark of a cell begins
	for k := range g.marks {
		m := &g.marks[k]
		if m.cell < 0 || !m.there(state) {
			continue
		}
		corner := g.at(m.cell/g.Columns, m.cell%g.Columns, 0)
		switch m.Tone {
		case document.Hole:
			middle := g.middle(m.cell)
			d.add(Circle{X: middle.X, Y: middle.Y, R: g.cell * 0.34, Fill: MapInk, Stroke: MapPaper, Width: min(2, g.cell/8)})
		case document.Cliff:
			d.hatch(Box{corner.X, corner.Y, g.cell, g.cell})
		default:
			from := left[m.cell]
			if from == 0 {
				from = corner.X + min(5, g.cell*0.1)
			}
			left[m.cell] = d.place(from, corner.Y+min(5, g.cell*0.1), min(19, g.cell*0.42), m)
		}
	}
}

// hatch draws lines across a cell.
func (d *draft) hatch(b Box) {
	const inset = 2.0
	side, pieces := b.W-2*inset, 4.0
	if side < 12 {
		pieces = 2
	}
	for k := 1.0; k < 2*pieces; k++ {
		t := k * side / pieces
		from, to := Point{b.X + inset + min(t, side), b.Y + inset + max(0, t-side)}, Point{b.X + inset + max(0, t-side), b.Y + inset + min(t, side)}
		d.halo(Path{Points: []Point{from, to}, Stroke: MapInk, Width: min(2, side/10)}, MapPaper)
	}
}

// place draws a mark of that size and returns where the next one begins.
func (d *draft) place(x, y, size float64, m *placed) float64 {
	if m.Tone == document.Passenger {
		d.person(Point{x + size*13/19, y + size/2}, size*0.95, Missed)
		return x + size*1.2
	}
	radius := size * 5 / 19
	if m.Tone == document.Start {
		radius = size / 2
	}
	d.add(Rect{X: x, Y: y, W: size, H: size, Radius: radius, Fill: MapPaper, Stroke: MapInk, Width: min(1.5, size/8)})
	letter := m.Text
	if runes := []rune(letter); len(runes) > mostLetters {
		letter = strings.ToUpper(string(runes[:1]))
	}
	if size >= 12 {
		d.text(x+size/2, y+size/2+4.5, Middle, max(tiny, min(small, size*0.64)), true, MapInk, fit(letter, small, true, size))
	}
	x += size
	if m.Tone == document.Goal { // a flag
		unit := size / 19
		fx, fy := x+7*unit, y+unit
		d.halo(Path{Points: []Point{{fx, fy}, {fx, fy + size - unit}}, Stroke: MapInk, Width: 2 * unit}, MapPaper)
		d.halo(Path{Points: []Point{{fx, fy}, {fx + 11*unit, fy + 4.5*unit}, {fx, fy + 9*unit}}, Closed: true, Fill: False, Stroke: MapInk, Width: unit}, MapPaper)
		x += 18 * unit
	}
	return x
}

func (d *draft) walls(g plot) {
	w, h := g.cell*float64(g.Columns), g.cell*float64(g.Rows)
	d.add(Rect{X: g.x - 1, Y: g.y - 1, W: w + 2, H: h + 2, Radius: 4, Stroke: Ink, Width: 3})
	width := min(5, g.cell/5)
	for _, line := range []Path{{Stroke: Background, Width: width * 1.6}, {Stroke: Ink, Width: width}} {
		for _, wall := range g.Walls {
			line.Points = []Point{g.at(wall[0], wall[1]+1, 0), g.at(wall[0]+1, wall[1]+1, 0)}
			d.add(line)
		}
		for _, wall := range g.SouthWalls {
			line.Points = []Point{g.at(wall[0]+1, wall[1], 0), g.at(wall[0]+1, wall[1]+1, 0)}
			d.add(line)
		}
	}
}

// trail draws where the agent has been. A dashed line is a jump over cells.
func (d *draft) trail(g plot) {
	width := min(3.5, g.cell/6)
	var points []Point
	flush := func() {
		if len(points) > 1 {
			d.halo(Path{Points: points, Stroke: Cab, Width: width}, CabInk)
		}
		points = nil
	}
	before := -1
	visit := func(cell int, at Point) {
		if before >= 0 && !g.neighbours(before, cell) {
			flush()
			d.halo(Path{Points: []Point{g.middle(before), at}, Stroke: Cab, Width: width, Dash: []float64{2 * width, 1.5 * width}}, CabInk)
		}
		points, before = append(points, at), cell
	}
	for k := range d.steps + 1 {
		cell := g.cellOf(d.trace.StateAfter(k))
		switch {
		case cell < 0:
			flush()
			before = -1
		case cell != before:
			visit(cell, g.middle(cell))
		}
	}
	if d.progress > 0 && before >= 0 {
		if to := g.cellOf(d.trace.Steps[d.steps].Y); to >= 0 {
			at, _ := d.agentAt(g)
			visit(to, at)
		}
	}
	flush()
}

// neighbours reports whether two cells are the same or share a side.
func (b *board) neighbours(one, other int) bool {
	rows, columns := one/b.Columns-other/b.Columns, one%b.Columns-other%b.Columns
	return rows*rows+columns*columns <= 1
}

// outcomes marks the cells of what was set down and of what was in vain with their numbers.
func (d *draft) outcomes(g plot) {
	if g.cell < leastNumber {
		return
	}
	type outcome struct {
		cell int
		event
	}
	times := map[outcome]int{}
	for _, step := range d.trace.Steps[:d.steps] {
		what, _ := g.eventOf(step)
		times[outcome{g.cellOf(step.X), what}]++
	}
	for cell := range g.Rows * g.Columns {
		at := g.at(cell/g.Columns+1, cell%g.Columns, 0)
		at.X, at.Y = at.X+13, at.Y-13
		at.X += d.badge(at, Sampled, times[outcome{cell, putDown}])
		d.badge(at, False, times[outcome{cell, idle}])
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

// agentAt returns the place of the agent, between two cells while a move is under way, and whether it
// is on the board.
func (d *draft) agentAt(g plot) (Point, bool) {
	cell := g.cellOf(d.present())
	if d.progress == 0 || cell < 0 {
		if cell < 0 {
			return Point{}, false
		}
		return g.middle(cell), true
	}
	step := d.trace.Steps[d.steps]
	from, to := g.cellOf(step.X), g.cellOf(step.Y)
	what, _ := g.eventOf(step)
	switch {
	case from < 0:
		return g.middle(cell), true
	case to >= 0 && to != from:
		return between(g.middle(from), g.middle(to), ease(d.progress)), true
	case what == blocked:
		// The agent runs against the wall and back.
		v, _ := wayOf(d.space, d.actionOf(step.X))
		push, at := 0.13*g.cell*math.Sin(math.Pi*d.progress), g.middle(from)
		return Point{at.X + float64(v.columns)*push, at.Y + float64(v.rows)*push}, true
	}
	return g.middle(from), true
}

// bearing returns the angle that the agent faces. It turns at the start of a move.
func (d *draft) bearing() float64 {
	facing, before := 0.0, 0.0
	for _, step := range d.trace.Steps[:d.current()+1] {
		before = facing
		if v, by := wayOf(d.space, d.actionOf(step.X)); by != "" {
			facing = math.Atan2(float64(v.rows), float64(v.columns))
		}
	}
	if d.progress > 0 {
		turn := math.Remainder(facing-before, 2*math.Pi)
		return before + turn*ease(min(1, d.progress/0.35))
	}
	return facing
}

// traveller draws the agent with what is with it.
func (d *draft) traveller(g plot) {
	at, there := d.agentAt(g)
	if !there {
		return
	}
	full := g.aboard(d.present()) != nil
	if g.Agent.Look == document.Cab {
		d.cab(at, g.cell, d.bearing(), full)
		return
	}
	d.person(at, g.cell*0.62, Cab)
	if full {
		d.add(Circle{X: at.X + g.cell*0.2, Y: at.Y + g.cell*0.2, R: g.cell * 0.11, Fill: Missed, Stroke: MapPaper, Width: min(2, g.cell/12)})
	}
}

// valueLegend explains the colours of the cells.
func (d *draft) valueLegend(b Box, low, high float64) {
	values, policy := d.view.overlays()
	named, labels := d.others()
	forms := []string{d.view.Model + " model"}
	if named != "" {
		forms = []string{d.view.Model + " model, " + named, d.view.Model + ", " + named, d.view.Model + ", " + labels}
	}
	h := subscript(d.shownStep())
	x, y := b.X+2, b.Y+22
	switch {
	case values:
		x += d.text(x, y, Start, small, true, Ink, "V"+h) + 8
		x += d.text(x, y, Start, tiny, false, Ink, decimal(low, 2)) + 6
		x = math.Round(x)
		x += d.ramp(x, y-9) + 6
		x += d.text(x, y, Start, tiny, false, Ink, decimal(high, 2)) + 14
		about := forms[len(forms)-1]
		if k := slices.IndexFunc(forms, func(s string) bool { return widthOf(s, small, false) <= b.right()-x }); k >= 0 {
			about = forms[k]
		}
		d.text(x, y, Start, small, false, Muted, fit(about, small, false, b.right()-x))
	case policy:
		d.text(b.X, y, Start, small, false, Muted, fit("π"+h+": "+forms[0], small, false, b.W))
	}
}

// others writes the variables that are shown beside the agent's place, with their names and without,
// unless there are many.
func (d *draft) others() (named, labels string) {
	const most = 2
	var names, values []string
	for i, value := range d.shown() {
		if v := d.space.Var(i); v.Size > 1 && !d.board.tells(i) {
			names, values = append(names, v.Name+" "+v.Label(value)), append(values, v.Label(value))
		}
	}
	if len(names) > most {
		return "", ""
	}
	return strings.Join(names, ", "), strings.Join(values, ", ")
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
	w, first := min(most, b.W/float64(max(1, shown))), d.window(shown)
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
		d.glyph(at, min(14, w*0.7), d.actionOf(step.X), Ink, 1.75)
		under := Point{at.X, y + 19}
		switch what, _ := d.board.eventOf(step); what {
		case idle:
			d.sign(under, false, False, 4.5)
		case putDown:
			d.sign(under, true, Sampled, 4.5)
		case tookUp:
			d.add(Circle{X: under.X, Y: under.Y, R: 4, Fill: Missed})
		case blocked, stayed:
			d.add(Path{Points: []Point{{under.X - 4, under.Y}, {under.X + 4, under.Y}}, Stroke: Muted, Width: 2})
		case drifted: // a ring
			d.add(Circle{X: under.X, Y: under.Y, R: 3.5, Stroke: Muted, Width: 1.5})
		case vanished:
			d.sign(under, false, Muted, 4.5)
		}
	}
}
