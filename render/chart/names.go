package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cpsrl/render"
)

// end is a curve and the point where it ends.
type end struct {
	Curve
	render.Point
}

// name stands beside the end of a curve. It names the curve and has the marks of those ghosts of
// the curve that end nearby.
type name struct {
	end
	marks []string
	at    float64 // how high it stands
}

// label returns the name of a curve with its mark.
func (c Curve) label(short bool) string {
	value := c.Name
	if short && c.Short != "" {
		value = c.Short
	}
	switch {
	case c.Mark == "":
		return value
	case short:
		return c.Mark
	}
	return value + ", " + c.Mark
}

// sample returns the length of the piece of line before a name.
func (d *draft) sample() float64 {
	if d.short {
		return d.px(10)
	}
	return d.px(28)
}

// nameRoom returns the room that the names need to the right of the plot, also in another
// font.
func (d *draft) nameRoom() float64 {
	if d.Nameless {
		return d.px(8)
	}
	if d.Dots {
		return d.rowRoom()
	}
	room := 0.0
	marks := map[string]float64{}
	for _, c := range d.Curves {
		if c.Mark != "" && !d.brief {
			marks[c.Row] += d.words(", "+c.Mark, d.em).Width()
		}
	}
	for _, c := range d.Curves {
		if c.Run {
			continue
		}
		c.Mark = "" // a ghost has its mark or, if it stands alone, its name
		room = max(room, d.px(22)+d.sample()+(d.words(c.label(d.brief), d.em).Width()+marks[c.Row])*slack)
	}
	return room
}

// names writes a sample of each line and its name beside the ends. A curve that ends far from the right side has
// its name in the plot, at its end.
func (d *draft) names(ends []end) {
	var side, inside []end
	for _, e := range ends {
		if e.X+d.px(8)+d.words(e.label(true), d.em).Width()*slack < d.right {
			inside = append(inside, e)
		} else {
			side = append(side, e)
		}
	}
	for _, n := range d.beside(inside) {
		d.text(d.nameOf(n, false), d.em, n.X+d.px(8), n.at-d.px(4), render.Start) // above a ghost that goes on there
	}
	for _, n := range d.beside(side) {
		x, y := d.right+d.px(16), n.at
		width := 2.0
		switch {
		case n.Mark != "":
			width = 1
		case n.Foreign:
			width = foreignWidth
		}
		if math.Abs(y-n.Y) > 1 {
			d.line(n.Color, 0.75, nil, render.Point{X: x - d.px(10), Y: n.Y}, render.Point{X: x - d.px(2), Y: y})
		}
		d.line(n.Color, width, d.dash(n.Curve), render.Point{X: x, Y: y}, render.Point{X: x + d.sample(), Y: y})
		alone := !slices.ContainsFunc(side, func(e end) bool { return e.Mark != n.Mark && e.Color == n.Color && slices.Equal(e.Dash, n.Dash) })
		d.text(d.nameOf(n, alone), d.em, x+d.sample()+d.px(6), y+d.px(4), render.Start)
	}
}

// nameOf returns a name with its marks. Where names are short, a ghost that is the only line of its look there has the name of the line.
func (d *draft) nameOf(n name, alone bool) string {
	if alone && d.brief {
		n.Mark = ""
	}
	return strings.Join(append([]string{n.label(d.brief)}, n.marks...), ", ")
}

// beside returns the names of curves, and how high they stand.
func (d *draft) beside(ends []end) []name {
	list := d.gathered(ends)
	places := make([]float64, len(list))
	for k, n := range list {
		places[k] = n.Y
	}
	spread(places, d.px(gap), d.top, d.bottom)
	for k := range list {
		list[k].at = places[k]
	}
	return list
}

// gathered gives one name to a curve and the ghosts of its row that end beside it:
// "C-PSRL, A, B". Where names are short, each keeps its own.
func (d *draft) gathered(ends []end) []name {
	var list []name
	for _, ghosts := range []bool{false, true} {
		for _, e := range ends {
			if ghosts != (e.Mark != "") {
				continue
			}
			k := -1
			if ghosts && !d.brief {
				k = slices.IndexFunc(list, func(n name) bool { return n.Row == e.Row && math.Abs(n.Y-e.Y) < d.px(gap) })
			}
			if k < 0 {
				list = append(list, name{end: e})
			} else {
				list[k].marks = append(list[k].marks, e.Mark)
			}
		}
	}
	return list
}

// spread moves positions apart, as little as possible, until neighbours are at least gap
// apart. Positions that would touch are placed around their mean. They keep their order and,
// if there is room, stay between low and high.
func spread(at []float64, gap, low, high float64) {
	order := make([]int, len(at))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	// With the gaps subtracted, the result is the nearest ascending sequence: neighbours
	// that descend are pooled at their mean.
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
