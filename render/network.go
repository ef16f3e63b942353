package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/core/document"
	"cpsrl/core/param"
	"cpsrl/core/record"
)

// Sizes of a network, in CSS px.
const (
	mostNode      = 26.0 // radius
	leastNode     = 9.0
	leastNamed    = 12.0 // radius of a node with a name, and of one with a value, too
	leastLabelled = 14.0
	networkBand   = 30.0 // below the nodes, for the key
	countHeight   = 70.0 // of the chart of the lit nodes
)

func (d *draft) nodesOf() *document.NodesPicture { return d.trace.Picture().(*document.NodesPicture) }

// networkHeight returns the least height of the panel of a network.
func (d *draft) networkHeight(width float64) float64 {
	return max(titleBand+max(180, min(width, 340))+networkBand+countHeight, d.trajectoryHeight(width))
}

// lit returns the number of nodes that do not have their first value.
func (d *draft) lit(state []int) (n int) {
	for _, name := range d.nodesOf().Nodes {
		if state[d.space.Lookup(name)] > 0 {
			n++
		}
	}
	return n
}

// litWords says how many nodes are lit, in the label of the second value if all have the same two.
func (d *draft) litWords(state []int) string {
	nodes := d.nodesOf().Nodes
	word := d.space.Var(d.space.Lookup(nodes[0])).Label(1)
	for _, name := range nodes {
		if v := d.space.Var(d.space.Lookup(name)); v.Size != 2 || len(v.Values) == 0 || v.Label(1) != word {
			word = "on"
			break
		}
	}
	return fmt.Sprintf("%d of %d %s", d.lit(state), len(nodes), word)
}

// network draws nodes and links, and below them how many nodes were lit in each step.
func (d *draft) network(b Box) {
	if d.view.Moment == Plan {
		d.policyTable(b)
		return
	}
	state := d.present()
	name, about := "The nodes", d.litWords(state)
	switch d.view.Moment {
	case Act:
		name = fmt.Sprintf("Acting: step %d", d.current()+1)
		about += " · collected " + decimal(d.collected(), 2)
		if k := d.current(); k >= 0 {
			about += " · " + d.playedName(d.trace.Steps[k].X)
		}
	case Update:
		about += fmt.Sprintf(" · collected %s in %s", decimal(d.trace.Record.Return, 2), param.Count(len(d.trace.Steps), "step"))
	}
	b = d.panel(b, name, about)
	area := Box{b.X, b.Y, b.W, b.H - networkBand - countHeight}
	at, r := d.spread(area)
	p := d.nodesOf()
	place := map[string]Point{}
	for k, name := range p.Nodes {
		place[name] = at[k]
	}
	for _, link := range p.Links {
		d.link(place[link[0]], place[link[1]], r, slices.Contains(p.Links, [2]string{link[1], link[0]}))
	}
	var touched []string
	if k := d.current(); k >= 0 && d.view.Moment == Act {
		touched = d.touched(d.trace.Steps[k].X)
	}
	for k, name := range p.Nodes {
		d.node(at[k], r, name, state, slices.Contains(touched, name))
	}
	d.nodesKey(area.X, area.bottom()+20, touched != nil)
	d.counts(Box{b.X, area.bottom() + networkBand, b.W, countHeight})
	if ending, over := d.over(); over {
		d.stop(Point{area.X + area.W/2, area.Y + 10}, ending, area)
	}
}

// spread returns the places of the nodes and their radius: on the lattice of their places, or on an
// ellipse.
func (d *draft) spread(b Box) (at []Point, r float64) {
	p := d.nodesOf()
	n := float64(len(p.Nodes))
	if p.Places != nil {
		rows, columns := 0, 0
		for _, place := range p.Places {
			rows, columns = max(rows, place[0]+1), max(columns, place[1]+1)
		}
		cell := min(b.W/float64(columns), b.H/float64(rows), 3.2*mostNode)
		x, y := b.X+(b.W-cell*float64(columns))/2, b.Y+(b.H-cell*float64(rows))/2
		for _, place := range p.Places {
			at = append(at, Point{x + cell*(float64(place[1])+0.5), y + cell*(float64(place[0])+0.5)})
		}
		return at, max(2, min(mostNode, cell*0.4))
	}
	r = mostNode
	if n > 1 {
		// Neighbours on a circle of the lesser side keep a gap.
		least := min(b.W, b.H)/2 - mostNode - 10
		r = max(leastNode, min(mostNode, least*math.Sin(math.Pi/n)*0.72))
	}
	across, down := min(b.W/2, b.H*0.8)-r-12, b.H/2-r-10
	for k := range p.Nodes {
		if n == 1 {
			across, down = 0, 0
		}
		turn := 2*math.Pi*float64(k)/n - math.Pi/2
		at = append(at, Point{b.X + b.W/2 + across*math.Cos(turn), b.Y + b.H/2 + down*math.Sin(turn)})
	}
	return at, r
}

// link draws an arrow between the edges of two nodes. Two links between the same nodes are beside
// each other.
func (d *draft) link(from, to Point, r float64, both bool) {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length <= 2*r {
		return
	}
	x, y := (to.X-from.X)/length, (to.Y-from.Y)/length
	side := 0.0
	if both {
		side = min(5, r/2)
	}
	end := func(p Point, by float64) Point { return Point{p.X + x*by - y*side, p.Y + y*by + x*side} }
	d.arrow(end(from, r+3), end(to, -r-4), Thin, 1.5, min(7, r*0.5))
}

// node draws a node: its name and its value, in a disc whose colour and rim tell the value, too.
func (d *draft) node(at Point, r float64, name string, state []int, touched bool) {
	i := d.space.Lookup(name)
	v, value := d.space.Var(i), state[i]
	disc := Circle{X: at.X, Y: at.Y, R: r, Fill: Surface, Stroke: Muted, Width: 1.25}
	ink := Ink
	if value > 0 {
		t := among(value, v.Size)
		disc.Fill, disc.Stroke, disc.Width, ink = mapped(t), Ink, 2.5, onMap(t)
	}
	if touched {
		d.add(Circle{X: at.X, Y: at.Y, R: r + 6, Stroke: Action, Width: 4})
	}
	d.add(disc)
	if r < leastNamed {
		return
	}
	if r < leastLabelled { // the disc tells the value; there is room for a short name
		if name := fitName(v.Name, d.fronts[i], tiny, true, 1.8*r); strings.HasSuffix(name, v.Name[d.fronts[i]:]) {
			d.text(at.X, at.Y+4, Middle, tiny, true, ink, name)
		}
		return
	}
	label := v.Label(value)
	d.text(at.X, at.Y-1, Middle, small, true, ink, fitName(v.Name, d.fronts[i], small, true, 1.8*r))
	d.text(at.X, at.Y+12, Middle, tiny, false, ink, fit(label, tiny, false, 1.6*r))
}

// touched returns the nodes after which an action is named.
func (d *draft) touched(x []int) (list []string) {
	for _, name := range d.nodesOf().Nodes {
		own := words(name)
		if slices.ContainsFunc(played(d.space, d.actionOf(x)), func(by string) bool {
			said := words(by)
			return strings.EqualFold(by, name) || len(own) > 0 && len(said) > len(own) && slices.Equal(said[len(said)-len(own):], own)
		}) {
			list = append(list, name)
		}
	}
	return list
}

// playedName names an action with its variable: "reboot m3".
func (d *draft) playedName(x []int) string {
	action := d.actionOf(x)
	if name := d.actionName(action); len(action) > 1 {
		return name
	}
	return d.space.Action[0].Name + " " + d.actionName(action)
}

// nodesKey explains the discs.
func (d *draft) nodesKey(x, y float64, touched bool) {
	v := d.space.Var(d.space.Lookup(d.nodesOf().Nodes[0]))
	for _, name := range d.nodesOf().Nodes {
		other := d.space.Var(d.space.Lookup(name))
		if other.Size != v.Size || !slices.Equal(other.Values, v.Values) || v.Size > 5 {
			return
		}
	}
	for value := range v.Size {
		disc := Circle{X: x + 6, Y: y - 4, R: 6, Fill: Surface, Stroke: Muted, Width: 1.25}
		if value > 0 {
			disc.Fill, disc.Stroke, disc.Width = mapped(among(value, v.Size)), Ink, 2
		}
		d.add(disc)
		x += 18 + d.text(x+18, y, Start, tiny, false, Muted, v.Label(value)) + 14
	}
	if touched {
		d.add(Circle{X: x + 7, Y: y - 4, R: 6, Stroke: Action, Width: 3})
		d.text(x+20, y, Start, tiny, false, Muted, "the action")
	}
}

// counts draws how many nodes were lit before each step and after the last one.
func (d *draft) counts(b Box) {
	all := len(d.nodesOf().Nodes)
	top := fmt.Sprint(all)
	left := b.X + widthOf(top, tiny, false) + 10
	steps := d.trace.Horizon + 1
	columns := min(steps, mostColumns, int((b.right()-left)/3))
	first := max(0, min(d.steps-columns/2, steps-columns))
	w := min(16, (b.right()-left)/float64(columns))
	base, height := b.bottom()-18, b.H-30
	right := left + w*float64(columns)
	for _, level := range []float64{0, 1} {
		y := base - height*level
		d.add(Path{Points: []Point{{left, y}, {right, y}}, Stroke: Faint, Width: 1})
		d.text(left-6, y+4, End, tiny, false, Muted, fmt.Sprint(int(level)*all))
	}
	for k := first; k < first+columns && k <= d.steps; k++ {
		h := height * float64(d.lit(d.trace.StateAfter(k))) / float64(all)
		bar := Rect{X: left + w*float64(k-first) + w*0.1, Y: base - h, W: w * 0.8, H: h, Fill: Thin}
		if k == d.steps {
			bar.Fill = Ink
		}
		d.add(bar)
	}
	d.text(left, base+14, Start, tiny, false, Muted, fit("lit nodes, by step", tiny, false, b.right()-left))
}

// networkStep describes a step: how many nodes were lit before it, and the action.
func (d *draft) networkStep(step record.TraceStep) string {
	return fmt.Sprintf("with %s it plays %s", d.litWords(step.X), d.playedName(step.X))
}
