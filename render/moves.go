package render

import (
	"slices"
	"strings"

	"cpsrl/core/fmdp"
)

// ways are the directions of moves, by the words for them in names.
var ways = map[string]way{
	"south": {1, 0}, "down": {1, 0},
	"north": {-1, 0}, "up": {-1, 0},
	"east": {0, 1}, "right": {0, 1},
	"west": {0, -1}, "left": {0, -1},
}

// movers are the words that may stand before a direction.
var movers = []string{"move", "go", "drive", "walk", "step", "run", "head"}

// words returns the words of a name in small letters: "move_North" has "move" and "north".
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-(),./", r) })
}

// played yields the names by which a joint action may be known: the label of each value and, unless
// the value is the first, the name of its variable.
func played(space *fmdp.Space, action []int) (names []string) {
	for k, value := range action {
		v := &space.Action[k]
		if len(v.Values) > 0 {
			names = append(names, v.Values[value])
		}
		if value > 0 {
			names = append(names, v.Name)
		}
	}
	return names
}

// wayOf returns where a joint action points and the word for it, which is "" if its names have no
// direction or two.
func wayOf(space *fmdp.Space, action []int) (to way, by string) {
	for _, name := range played(space, action) {
		list := words(name)
		if len(list) == 2 && slices.Contains(movers, list[0]) {
			list = list[1:]
		}
		if len(list) != 1 {
			continue // "pick up" is no move
		}
		w, is := ways[list[0]]
		switch {
		case !is:
		case by != "" && w != to:
			return way{}, ""
		default:
			to, by = w, list[0]
		}
	}
	return to, by
}

// actionName names a joint action: the label of its only variable, or else the variables that do not
// have their first values.
func (d *draft) actionName(action []int) string {
	if len(action) == 1 {
		return d.space.Action[0].Label(action[0])
	}
	var parts []string
	for k, value := range action {
		v := &d.space.Action[k]
		switch {
		case value == 0:
		case v.Size == 2:
			parts = append(parts, v.Name)
		default:
			parts = append(parts, v.Name+" = "+v.Label(value))
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, " and ")
}

// actionOf returns the values of the action of a step.
func (d *draft) actionOf(x []int) []int { return x[d.space.Y():] }

// waits reports whether the names of a joint action say that it does nothing.
func waits(space *fmdp.Space, action []int) bool {
	for _, name := range played(space, action) {
		if list := words(name); len(list) == 0 || !slices.Contains([]string{"none", "noop", "nothing", "stay", "wait"}, list[0]) {
			return false
		}
	}
	return slices.ContainsFunc(action, func(value int) bool { return value > 0 }) || len(action) > 1 || len(space.Action[0].Values) > 0
}

// glyph draws an action: an arrow for a move, an arrow up from a line for a pick-up, one down to a line
// for a drop-off, and a ring or a letter for any other.
func (d *draft) glyph(at Point, size float64, action []int, color Color, width float64) {
	half := size / 2
	head := size * 0.36
	if to, by := wayOf(d.space, action); by != "" {
		x, y := float64(to.columns)*half, float64(to.rows)*half
		d.arrow(Point{at.X - x, at.Y - y}, Point{at.X + x, at.Y + y}, color, width, head)
		return
	}
	if waits(d.space, action) {
		d.add(Circle{X: at.X, Y: at.Y, R: half * 0.4, Stroke: color, Width: width})
		return
	}
	first, name := "", d.actionName(action)
	if list := words(name); len(list) > 0 {
		first = list[0]
	}
	from, to := Point{at.X, at.Y + half*0.35}, Point{at.X, at.Y - half}
	switch first {
	case "drop", "dropoff", "put":
		from, to = to, from
	case "pick", "pickup", "take":
	default:
		d.text(at.X, at.Y+4, Middle, tiny, true, color, string([]rune(name)[:1]))
		return
	}
	d.arrow(from, to, color, width, head)
	base := at.Y + half*0.85
	d.add(Path{Points: []Point{{at.X - half*0.75, base}, {at.X + half*0.75, base}}, Stroke: color, Width: width})
}
