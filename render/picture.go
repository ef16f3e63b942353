package render

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Picture is a drawing as plain data. Lengths are in CSS px from the top left. Its JSON is for
// a program that writes pictures in other formats: it keeps every number bit for bit, and
// package print reads it. The JSON has no version, because the programs that write and read it
// are built together.
type Picture struct {
	Width, Height float64
	Least         float64 `json:"-"` // the least height at this width
	Theme         Theme
	Title         string   // the episode and the agent
	Text          string   // the moment in one sentence
	Marks         []Mark   // from back to front, on Background
	Targets       []Target `json:"-"` // what can be pointed at, in the order of the keyboard
	Data          string   `json:"-"` // data for the program that shows the picture, or ""
	// Fitted says that in SVG, too, texts have the widths for which they were laid out,
	// whatever the font. It is for pictures that come without their fonts.
	Fitted bool `json:"-"`
}

// Point is a place in a picture.
type Point struct{ X, Y float64 }

// Mark is a [Rect], [Circle], [Path] or [Text]. An empty colour is not painted. Strokes are
// centred on the outline.
type Mark interface{ mark() }

func (Rect) mark()   {}
func (Circle) mark() {}
func (Path) mark()   {}
func (Text) mark()   {}

// Rect is a rectangle, with rounded corners if Radius is not 0.
type Rect struct {
	X, Y, W, H   float64
	Radius       float64
	Fill, Stroke Color
	Width        float64
}

// Circle is a disc, a ring or both.
type Circle struct {
	X, Y, R      float64
	Fill, Stroke Color
	Width        float64
}

// Path joins points by straight lines. If it is curved, it joins a first point and triples
// of points by cubic Bézier curves. Corners are round; ends are round, or flat if the path
// is dashed. Dash holds the lengths of dashes and gaps in turn. Class is the class in a
// page, or "".
type Path struct {
	Class          string
	Points         []Point
	Curved, Closed bool
	Fill, Stroke   Color
	Width          float64
	Dash           []float64
}

// Text is one line. Y is its baseline.
type Text struct {
	X, Y       float64
	Anchor     Anchor
	Size       float64
	Bold       bool
	Color      Color
	Value      string
	Subscripts bool   // whether the character or the group in braces after an underscore is a subscript
	Link       string // where a click leads, or ""
}

// Anchor is the part of a text that is at its X.
type Anchor int

// Anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// String returns the word of SVG.
func (a Anchor) String() string { return [...]string{"start", "middle", "end"}[a] }

// Target is a region that can be pointed at.
type Target struct {
	Focus Focus
	Name  string  // the text of its label
	Box   Box     // the box of a node; empty for an edge
	Line  []Point // the line of an edge
}

// reach is the distance within which a pointer finds an edge: targets are 24 px wide.
const reach = 12

// At returns the focus at a place: a node, or else the nearest edge within reach, or nil.
func (p *Picture) At(at Point) *Focus {
	best, focus := math.Inf(1), (*Focus)(nil)
	for k := range p.Targets {
		t := &p.Targets[k]
		if t.Box.contains(at) {
			return &t.Focus
		}
		if d := distance(at, t.Line); d <= reach && d < best {
			best, focus = d, &t.Focus
		}
	}
	return focus
}

// Next returns the focus after from in the order of the keyboard or, with by = -1, before
// it. If from is nil, it returns the first or the last focus.
func (p *Picture) Next(from *Focus, by int) *Focus {
	n := len(p.Targets)
	if n == 0 {
		return nil
	}
	at := slices.IndexFunc(p.Targets, func(t Target) bool { return t.Focus.Equal(from) })
	if at < 0 && by < 0 {
		at = 0
	}
	return &p.Targets[(at+by+n)%n].Focus
}

// Box is a rectangle of the layout.
type Box struct{ X, Y, W, H float64 }

func (b Box) right() float64  { return b.X + b.W }
func (b Box) bottom() float64 { return b.Y + b.H }
func (b Box) contains(p Point) bool {
	return p.X >= b.X && p.X < b.right() && p.Y >= b.Y && p.Y < b.bottom()
}

// Flat returns the points of the path as a polyline.
func (p Path) Flat() []Point {
	flat := p.Points
	if p.Curved {
		const pieces = 24
		flat = p.Points[:1:1]
		for k := 1; k+2 < len(p.Points); k += 3 {
			a, b, c, d := p.Points[k-1], p.Points[k], p.Points[k+1], p.Points[k+2]
			for n := 1; n <= pieces; n++ {
				t := float64(n) / pieces
				u := 1 - t
				wa, wb, wc, wd := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
				flat = append(flat, Point{wa*a.X + wb*b.X + wc*c.X + wd*d.X, wa*a.Y + wb*b.Y + wc*c.Y + wd*d.Y})
			}
		}
	}
	if p.Closed {
		flat = append(flat[:len(flat):len(flat)], flat[0])
	}
	return flat
}

// Dashes returns the pieces of the path that are stroked.
func (p Path) Dashes() [][]Point {
	flat := p.Flat()
	if len(p.Dash) == 0 {
		return [][]Point{flat}
	}
	var pieces [][]Point
	piece, on, k, left := []Point{flat[0]}, true, 0, p.Dash[0]
	for i := 1; i < len(flat); i++ {
		from, to := flat[i-1], flat[i]
		length := math.Hypot(to.X-from.X, to.Y-from.Y)
		for done := 0.0; done < length; {
			step := min(left, length-done)
			done, left = done+step, left-step
			at := between(from, to, done/length)
			piece = append(piece, at)
			if left > 0 {
				continue
			}
			if on {
				pieces = append(pieces, piece)
			}
			on, k = !on, (k+1)%len(p.Dash)
			piece, left = []Point{at}, max(p.Dash[k], 0.5)
		}
	}
	if on && len(piece) > 1 {
		pieces = append(pieces, piece)
	}
	return pieces
}

// between returns the point from a, with t = 0, to b, with t = 1.
func between(a, b Point, t float64) Point {
	return Point{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)}
}

// distance returns the distance of a point from a polyline.
func distance(p Point, line []Point) float64 {
	best := math.Inf(1)
	for k := 1; k < len(line); k++ {
		a, b := line[k-1], line[k]
		dx, dy := b.X-a.X, b.Y-a.Y
		t := 0.0
		if square := dx*dx + dy*dy; square > 0 {
			t = max(0, min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/square))
		}
		q := between(a, b, t)
		best = min(best, math.Hypot(p.X-q.X, p.Y-q.Y))
	}
	return best
}

// nums returns lengths with spaces between them.
func nums(lengths ...float64) string {
	list := make([]string, len(lengths))
	for k, x := range lengths {
		list[k] = num(x)
	}
	return strings.Join(list, " ")
}

// num returns a length to a hundredth of a pixel.
func num(x float64) string {
	x = math.Round(x*100) / 100
	if x == 0 {
		x = 0 // not −0
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
