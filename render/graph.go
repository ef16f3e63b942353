package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cpsrl/core/param"
	"cpsrl/core/record"
)

// Sizes of the graph, in CSS px.
const (
	pill       = 26.0  // height of a node
	pitch      = 36.0  // distance from node to node
	tightPitch = 28.0  // the same with many nodes
	pillStart  = 13.0  // from the left of a node to its name
	pillGap    = 5.0   // from the name to the value
	pillEnd    = 7.0   // from the value to the right of the node
	pillShare  = 0.4   // largest share of the graph's width that a node takes
	leastValue = 0.35  // least share of a node's room that a value has
	caption    = 22.0  // height of the text above a column of nodes
	groupGap   = 14.0  // between state and action
	detail     = 116.0 // height of the legend or of the focus
	likely     = 0.02  // edges of less probability are drawn only if they are in a graph
)

// edge is the edge X_i → Y_j.
type edge struct {
	i, j           int
	p, was         float64 // posterior probability, and the one before the update
	worth, share   float64 // value, if the view has values, and its share of the largest
	known, sampled bool
	truth, trivial bool   // in the true graph; of a variable with one value, where no data can tell
	where          string // in which contexts it matters in the sampled table, unless everywhere
	look           *look
	curve          Path // if the edge is shown
}

// moved returns by how much the update has changed the probability.
func (e edge) moved() float64 { return math.Abs(e.p - e.was) }

// look is the look of an edge. Looks differ in dash and weight as well as in colour.
type look struct {
	name  string // _ stands for "sampled"; see nameOf
	color Color
	dash  []float64
	least float64 // least width
	rank  int     // from back to front
}

var (
	lookKnown      = &look{"known", Ink, nil, 3.75, 5}
	lookKnownFalse = &look{"known, but false", False, []float64{14, 4}, 3.75, 5}
	lookSampled    = &look{"_", Sampled, nil, 1.5, 4}
	lookTrue       = &look{"_, true", Sampled, nil, 1.5, 4}
	lookFalse      = &look{"_, false", False, []float64{7, 4}, 1.5, 3}
	lookUntold     = &look{"_, no data can tell", Muted, []float64{7, 3, 2, 3}, 1.5, 3} // beside the truth
	lookMissed     = &look{"missed", Missed, []float64{2, 4}, 2, 2}
	lookOther      = &look{"not _", Thin, nil, 0.75, 1}
	lookNoGraph    = &look{"any dependence", Faint, nil, 1, 0}
	lookOnlyTrue   = &look{"true", Missed, nil, 2, 2}
)

// lookOf returns the look of an edge.
func (d *draft) lookOf(e edge) *look {
	revealed := d.view.Truth && !e.trivial
	switch {
	case d.trace.Sampled.Graph == nil && revealed && e.truth:
		return lookOnlyTrue
	case d.trace.Sampled.Graph == nil:
		return lookNoGraph
	case e.known && revealed && !e.truth:
		return lookKnownFalse
	case e.known:
		return lookKnown
	case e.sampled && !d.view.Truth:
		return lookSampled
	case e.sampled && e.trivial:
		return lookUntold
	case e.sampled && e.truth:
		return lookTrue
	case e.sampled:
		return lookFalse
	case revealed && e.truth:
		return lookMissed
	}
	return lookOther
}

// width returns the width of an edge. It shows the probability or, if the view has values,
// the share of the largest value.
func (d *draft) width(e edge) float64 {
	if d.view.Worth == nil {
		return e.look.width(e.p)
	}
	return leastWidth + (mostWidth-leastWidth)*e.share
}

// mostWorth returns the value of the most valuable edge.
func (d *draft) mostWorth() float64 {
	most := 0.0
	for _, row := range d.view.Worth {
		most = max(most, slices.Max(row))
	}
	return most
}

// The widths of the least and of the most valuable edge.
const leastWidth, mostWidth = 0.75, 6.0

// width returns the width of an edge of that probability.
func (l *look) width(p float64) float64 {
	if l == lookOther {
		return 0.75 + 1.75*p
	}
	return max(l.least, 1.25+2.5*p)
}

// edges returns every edge, by Y variable, then X variable.
func (d *draft) edges() []edge {
	var list []edge
	trivial := d.space.Trivial()
	belief, most := d.belief(), d.mostWorth()
	for j := range d.space.Y() {
		for i := range d.space.X() {
			e := edge{
				i: i, j: j,
				known: has(d.trace.Prior, i, j), sampled: has(d.trace.Sampled.Graph, i, j),
				truth: has(d.trace.True.Graph, i, j), trivial: trivial.Has(i) || trivial.Has(j),
			}
			if belief != nil {
				e.p, e.was = belief[j].Edges[i], d.trace.Before[j].Edges[i]
			}
			if most > 0 {
				e.worth, e.share = d.view.Worth[j][i], d.view.Worth[j][i]/most
			}
			e.look = d.lookOf(e)
			list = append(list, e)
		}
	}
	for _, w := range d.trace.Sampled.Where {
		list[w.Y*d.space.X()+w.X].where = w.Text
	}
	return list
}

// graphHeight returns the least height of the panel.
func (d *draft) graphHeight() float64 {
	step := pitch
	if d.space.X() > 10 {
		step = tightPitch
	}
	return titleBand + caption + step*float64(d.space.X()) + groupGap + 16 + detail
}

// graph draws the bigraph.
func (d *draft) graph(b Box) {
	about := map[Moment]string{
		Sample: d.source().about,
		Plan:   "the planner uses it",
	}[d.view.Moment]
	name := d.source().graph
	switch {
	case d.trace.Sampled.Graph == nil && d.trace.Sampled.Transition != nil:
		name, about = "No graph", d.agent()+" has no graph"
	case d.trace.Sampled.Graph == nil:
		name, about = "No graph", d.agent()+" lets every X influence every Y"
	case d.view.Moment == Update:
		name = "Updated belief"
	}
	b = d.panel(b, name, about)
	area := Box{b.X, b.Y, b.W, b.H - detail - 16}
	xs, ys := d.nodes(area)

	edges := d.edges()
	var shown []edge
	for _, e := range edges {
		if e.look != lookOther || e.p >= likely || e.worth > 0 {
			e.curve = d.curve(e, xs[e.i], ys[e.j])
			shown = append(shown, e)
		}
	}
	focus := d.view.Focus
	rank := func(e edge) float64 {
		r := 10*float64(e.look.rank) + e.p
		if d.view.Worth != nil {
			r = 100*e.share + float64(e.look.rank)
		}
		if focus != nil && focus.covers(e.i, e.j) {
			r += 1000
		}
		return r
	}
	order := func(a, b edge) int { return cmp.Compare(rank(a), rank(b)) }
	for _, e := range slices.SortedStableFunc(slices.Values(shown), order) {
		p := e.curve
		p.Stroke, p.Width, p.Dash = e.look.color, d.width(e), e.look.dash
		switch {
		case focus != nil && !focus.covers(e.i, e.j):
			p.Stroke, p.Width, p.Dash = Faint, min(p.Width, 1.5), nil
			d.add(p)
		case e.look.rank >= 2:
			d.halo(p, Background)
		default:
			d.add(p)
		}
	}
	d.pills(xs, ys)
	switch {
	case focus != nil:
	case d.view.Worth != nil:
		d.worths(shown)
	case d.view.Moment == Update:
		d.changes(shown)
	}
	for j := range ys {
		for _, e := range shown {
			if e.j == j {
				name := fmt.Sprintf("%s to %s, %s", d.xName(e.i), d.yName(j), d.nameOf(e.look))
				if d.view.Worth != nil {
					name += ", worth " + amount(e.worth)
				}
				if e.where != "" {
					name += ", " + e.where
				}
				d.Targets = append(d.Targets, Target{Focus: Focus{X: &e.i, Y: &j}, Line: e.curve.Flat(), Name: name})
			}
		}
		d.Targets = append(d.Targets, Target{Focus: Focus{Y: &j}, Box: ys[j], Name: d.yName(j)})
	}
	for i := range xs {
		d.Targets = append(d.Targets, Target{Focus: Focus{X: &i}, Box: xs[i], Name: d.xName(i)})
	}

	below := Box{b.X, b.bottom() - detail, b.W, detail}
	if focus != nil {
		d.focused(below, edges)
	} else {
		d.legend(below)
	}
}

func (d *draft) xName(i int) string { return d.space.Var(i).Name }
func (d *draft) yName(j int) string { return d.space.State[j].Name + "′" }

// nodes lays out the two columns.
func (d *draft) nodes(b Box) (xs, ys []Box) {
	n, m := d.space.X(), d.space.Y()
	width := math.Ceil(min(d.pillWidth(), b.W*pillShare))
	step := min((b.H-caption-groupGap-pill)/float64(n-1), 64)
	top := b.Y + caption
	for i := range n {
		y := top + step*float64(i)
		if i >= m {
			y += groupGap
		}
		xs = append(xs, Box{b.X, math.Round(y), width, pill})
	}
	// Y is spread over the height of X.
	first, last := xs[0].Y, xs[n-1].Y
	for j := range m {
		y := (first + last) / 2
		if m > 1 {
			y = first + (last-first)*float64(j)/float64(m-1)
		}
		ys = append(ys, Box{b.right() - width, math.Round(y), width, pill})
	}
	d.text(b.X, top-9, Start, tiny, false, Muted, "X: now")
	d.text(b.right(), top-9, End, tiny, false, Muted, "Y: next")
	return xs, ys
}

// pillWidth returns the width of nodes in which no name or value is cut.
func (d *draft) pillWidth() float64 {
	width := 64.0
	for i := range d.space.X() {
		name := d.xName(i)
		if i < d.space.Y() {
			name = d.yName(i)
		}
		width = max(width, pillStart+widthOf(name, small, false)+pillGap+d.valueWidth(i)+pillEnd)
	}
	return width
}

// graphWidth returns the width of a graph with nodes of pillWidth.
func (d *draft) graphWidth() float64 { return math.Ceil(d.pillWidth() / pillShare) }

// valueWidth returns the room for the values of X_i.
func (d *draft) valueWidth(i int) float64 {
	v := d.space.Var(i)
	width := 0.0
	for k := range min(v.Size, 64) {
		width = max(width, min(widthOf(v.Label(k), small, true), 64))
	}
	return width
}

// pills draws the nodes with their values.
func (d *draft) pills(xs, ys []Box) {
	at := d.current()
	var x, y []int
	switch {
	case at >= 0:
		x, y = d.trace.Steps[at].X, d.trace.Steps[at].Y
	case d.view.Moment == Act:
		x = d.trace.StateAfter(0)
	}
	var texts []Mark
	draw := func(b Box, i int, name string, value []int, accent Color, in bool) {
		stroke, width := Muted, 1.0
		if in {
			stroke, width = Ink, 2
		}
		d.add(Rect{X: b.X, Y: b.Y, W: b.W, H: b.H, Radius: 7, Fill: Surface, Stroke: stroke, Width: width})
		d.add(Rect{X: b.X + 5, Y: b.Y + 6, W: 3, H: b.H - 12, Radius: 1.5, Fill: accent})
		// The name comes first. If it leaves too little room, the value is smaller or cut.
		room := b.W - pillStart - pillEnd
		size, heavy, ink, label := tiny, false, Muted, ""
		if i < len(value) {
			size, heavy, ink, label = small, true, Ink, d.space.Var(i).Label(value[i])
		}
		if label != "" {
			room -= pillGap
			left := max(room-widthOf(name, small, false), room*leastValue)
			if widthOf(label, size, heavy) > left {
				size = tiny
			}
			label = fit(label, size, heavy, left)
			texts = append(texts, Text{X: b.right() - pillEnd, Y: b.Y + 17.5, Anchor: End, Size: size, Bold: heavy, Color: ink, Value: label})
			room -= widthOf(label, size, heavy)
		}
		texts = append(texts, Text{X: b.X + pillStart, Y: b.Y + 17.5, Size: small, Color: Ink, Value: fitName(name, d.fronts[i], small, false, room)})
	}
	f := d.view.Focus
	for i, b := range xs {
		draw(b, i, d.xName(i), x, d.accent(i), f != nil && same(f.X, &i))
	}
	for j, b := range ys {
		draw(b, j, d.yName(j), y, Missed, f != nil && same(f.Y, &j))
	}
	d.add(texts...)
}

// curve returns the path of an edge. Edges leave and reach a node side by side.
func (d *draft) curve(e edge, x, y Box) Path {
	port := func(k, n int) float64 { return (among(k, n) - 0.5) * (pill - 10) }
	a := Point{x.right() + 1, x.Y + pill/2 + port(e.j, d.space.Y())}
	b := Point{y.X - 1, y.Y + pill/2 + port(e.i, d.space.X())}
	bend := (b.X - a.X) * 0.45
	return Path{Points: []Point{a, {a.X + bend, a.Y}, {b.X - bend, b.Y}, b}, Curved: true}
}

// changes labels the edges whose probability the update has changed most.
func (d *draft) changes(shown []edge) {
	const least = 0.05
	d.labels(shown, edge.moved, least, func(e edge, room float64) (string, Color) {
		stroke := Sampled
		if e.p < e.was {
			stroke = False
		}
		label := probability(e.was) + " → " + probability(e.p)
		if labelWidth(label) > room {
			label = "→ " + probability(e.p)
		}
		return label, stroke
	})
}

// worths labels the most valuable edges.
func (d *draft) worths(shown []edge) {
	d.labels(shown, func(e edge) float64 { return e.worth }, math.SmallestNonzeroFloat64, func(e edge, _ float64) (string, Color) {
		return amount(e.worth), e.look.color
	})
}

// labelWidth returns the width of the label of an edge.
func labelWidth(label string) float64 { return widthOf(label, tiny, true) + 14 }

// labels writes the labels of edges between the columns of nodes. The function value ranks the
// edges: the first three have a label, if their value is at least least. The function label
// returns the text for an edge, given the room for it, and its colour.
func (d *draft) labels(shown []edge, value func(edge) float64, least float64, label func(e edge, room float64) (string, Color)) {
	const most = 3
	list := slices.SortedStableFunc(slices.Values(shown), func(a, b edge) int { return cmp.Compare(value(b), value(a)) })
	var taken []Box
	for _, e := range list[:min(most, len(list))] {
		if value(e) < least {
			break
		}
		flat := e.curve.Flat()
		left, right := flat[0].X, flat[len(flat)-1].X
		label, stroke := label(e, right-left)
		w := labelWidth(label)
		for _, n := range []int{12, 8, 16, 5, 19} {
			b := Box{max(left, min(flat[n].X-w/2, right-w)), flat[n].Y - 10, w, 20}
			if slices.ContainsFunc(taken, func(t Box) bool {
				return b.X < t.right() && t.X < b.right() && b.Y < t.bottom() && t.Y < b.bottom()
			}) {
				continue
			}
			taken = append(taken, b)
			d.add(Rect{X: b.X, Y: b.Y, W: b.W, H: b.H, Radius: 10, Fill: Background, Stroke: stroke, Width: 1.5})
			d.text(b.X+w/2, b.Y+14, Middle, tiny, true, Ink, label)
			break
		}
	}
}

// legend explains the looks of the edges.
func (d *draft) legend(b Box) {
	looks := []*look{lookKnown, lookSampled, lookOther}
	switch {
	case d.trace.Sampled.Graph == nil && d.view.Truth:
		looks = []*look{lookOnlyTrue, lookNoGraph}
	case d.trace.Sampled.Graph == nil:
		looks = []*look{lookNoGraph}
	case d.view.Truth:
		looks = []*look{lookKnown, lookTrue, lookFalse, lookMissed, lookOther}
		for _, l := range []*look{lookUntold, lookKnownFalse} {
			if slices.ContainsFunc(d.edges(), func(e edge) bool { return e.look == l }) {
				looks = append(looks, l)
			}
		}
	}
	x, y := b.X, b.Y+16
	entry := func(name string, width float64, sample func() Path) {
		whole := width + 8 + widthOf(name, small, false)
		if x > b.X && x+whole > b.right() {
			x, y = b.X, y+24
		}
		d.add(sample())
		d.text(x+width+8, y, Start, small, false, Ink, name)
		x += whole + 18
	}
	width, wide := func(l *look) float64 { return l.width(0.5) }, "width: probability"
	if d.view.Worth != nil {
		width, wide = func(*look) float64 { return 2 }, "width: value, at most "+amount(d.mostWorth())
	}
	for _, l := range looks {
		entry(d.nameOf(l), 30, func() Path {
			return Path{Points: []Point{{x, y - 4}, {x + 30, y - 4}}, Stroke: l.color, Width: width(l), Dash: l.dash}
		})
	}
	if d.trace.Before != nil {
		entry(wide, 44, func() Path {
			return Path{Points: []Point{{x, y - 4.3}, {x + 44, y - 6}, {x + 44, y - 2}, {x, y - 3.7}}, Closed: true, Fill: Muted}
		})
	}
}

// focused shows the numbers of the focus.
func (d *draft) focused(b Box, edges []edge) {
	d.add(Rect{X: b.X, Y: b.Y, W: b.W, H: b.H, Radius: 8, Fill: Surface})
	const pad = 12.0
	in := Box{b.X + pad, b.Y + pad, b.W - 2*pad, b.H - 2*pad}
	f := d.view.Focus
	name, about, value, where := "", "", "", ""
	switch {
	case f.X != nil && f.Y != nil:
		e := edges[*f.Y*d.space.X()+*f.X]
		name = d.xName(*f.X) + " → " + d.yName(*f.Y)
		about, where = d.status(e), e.where
		if d.belief() != nil {
			value = "P = " + probability(e.p)
		}
		if d.view.Worth != nil {
			value = "value " + amount(e.worth) + ", " + value
		}
	case f.Y != nil:
		name = "Parents of " + d.yName(*f.Y)
		if belief := d.belief(); belief != nil {
			about = fmt.Sprintf("%s, %.2f bits", param.Count(belief[*f.Y].Count, "possible set"), belief[*f.Y].Entropy)
		}
	default:
		name = "Children of " + d.xName(*f.X)
	}
	w := widthOf(value, title, true)
	nameWidth := d.text(in.X, in.Y+11, Start, title, true, Ink, fit(name, title, true, in.W-w-10))
	d.text(in.right(), in.Y+11, End, title, true, Ink, value)
	if room := in.W - nameWidth - w - 24; room > 60 {
		d.text(in.X+nameWidth+12, in.Y+11, Start, small, false, Muted, fit(about, small, false, room))
	}
	list := Box{in.X, in.Y + 22, in.W, in.H - 22}
	first, rest := split(where, small, false, in.W)
	for _, line := range []string{first, rest} {
		if line != "" {
			d.text(list.X, list.Y+7, Start, small, false, Ink, fit(line, small, false, in.W))
			list.Y, list.H = list.Y+17, list.H-17
		}
	}
	switch {
	case d.belief() == nil:
		d.text(list.X, list.Y+14, Start, small, false, Muted, fit(d.agent()+" holds no belief about the graph.", small, false, list.W))
	case f.Y != nil:
		d.sets(list, d.belief()[*f.Y], f.X)
	default:
		d.children(list, *f.X)
	}
}

// sets lists the most probable parent sets with their log evidence.
func (d *draft) sets(b Box, belief record.TraceBelief, with *int) {
	const row = 17.0
	const bar, number, evidence = 44.0, 40.0, 66.0
	d.text(b.X, b.Y+8, Start, tiny, false, Muted, "most probable parents")
	d.text(b.right(), b.Y+8, End, tiny, false, Muted, "ln evidence")
	y := b.Y + 24
	for _, set := range belief.Sets {
		if y > b.bottom()+2 {
			break
		}
		d.add(
			Rect{X: b.X, Y: y - 8, W: bar, H: 8, Radius: 2, Fill: Faint},
			Rect{X: b.X, Y: y - 8, W: max(1, bar*set.P), H: 8, Radius: 2, Fill: Sampled},
		)
		d.text(b.X+bar+number-6, y, End, tiny, false, Ink, probability(set.P))
		label := cmp.Or(strings.Join(d.space.Names(set.Parents), ", "), "none")
		heavy := with != nil && slices.Contains(set.Parents, *with)
		d.text(b.X+bar+number+4, y, Start, tiny, heavy, Ink, fit(label, tiny, heavy, b.W-bar-number-evidence-8))
		d.text(b.right(), y, End, tiny, false, Ink, decimal(set.LogEvidence, 1))
		y += row
	}
}

// children lists the edges that leave a variable.
func (d *draft) children(b Box, i int) {
	const row, cell = 18.0, 118.0
	x, y := b.X, b.Y+14
	for j, belief := range d.belief() {
		if x+cell > b.right()+1 && x > b.X {
			x, y = b.X, y+row
		}
		if y > b.bottom()+2 {
			break
		}
		value := probability(belief.Edges[i])
		d.text(x+cell-14, y, End, tiny, true, Ink, value)
		d.text(x, y, Start, tiny, false, Ink, fitName(d.yName(j), d.fronts[j], tiny, false, cell-20-widthOf(value, tiny, true)))
		x += cell
	}
}
