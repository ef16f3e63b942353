package render

import (
	"image/color"
	"math"
)

// Mesh is shapes as triangles in device pixels. Edges fade out over one pixel,
// half of it on either side, which is all the smoothing it takes: no shape is
// translucent, and filled shapes are convex.
type Mesh struct {
	Vertices []Vertex
	Indices  []uint32
}

// Vertex is a corner of a triangle with its premultiplied colour, from 0 to 1.
type Vertex struct {
	X, Y       float32
	R, G, B, A float32
}

// Reset empties the mesh and keeps its memory.
func (m *Mesh) Reset() { m.Vertices, m.Indices = m.Vertices[:0], m.Indices[:0] }

// Add appends a mark that is not a text, scale pixels to a CSS px.
func (m *Mesh) Add(mark Mark, theme Theme, scale float64) {
	b := brush{Mesh: m, theme: theme}
	switch mark := mark.(type) {
	case Rect:
		// Sharp edges lie on whole pixels.
		x0, y0 := math.Round(mark.X*scale), math.Round(mark.Y*scale)
		x1, y1 := math.Round((mark.X+mark.W)*scale), math.Round((mark.Y+mark.H)*scale)
		x1, y1 = max(x1, x0+1), max(y1, y0+1)
		r := min(mark.Radius*scale, (x1-x0)/2, (y1-y0)/2)
		if r <= 0 && mark.Stroke == "" {
			b.box(x0, y0, x1, y1, mark.Fill)
			return
		}
		outline := rounded(x0, y0, x1, y1, r)
		b.fill(outline, mark.Fill)
		b.stroke(outline, true, true, mark.Stroke, mark.Width*scale)
	case Circle:
		x, y, r := mark.X*scale, mark.Y*scale, mark.R*scale
		outline := rounded(x-r, y-r, x+r, y+r, r)
		b.fill(outline, mark.Fill)
		b.stroke(outline, true, true, mark.Stroke, mark.Width*scale)
	case Path:
		scaled := mark
		scaled.Points = make([]Point, len(mark.Points))
		for k, p := range mark.Points {
			scaled.Points[k] = Point{p.X * scale, p.Y * scale}
		}
		open := scaled
		open.Closed = false
		outline := open.Flat()
		b.fill(outline, mark.Fill)
		if mark.Dash == nil {
			b.stroke(outline, mark.Closed, true, mark.Stroke, mark.Width*scale)
			return
		}
		scaled.Dash = make([]float64, len(mark.Dash))
		for k, d := range mark.Dash {
			scaled.Dash[k] = d * scale
		}
		for _, piece := range scaled.Dashes() {
			b.stroke(piece, false, false, mark.Stroke, mark.Width*scale)
		}
	default:
		panic("render: no mesh of such a mark")
	}
}

// rounded returns the outline of a rectangle with rounded corners, clockwise.
func rounded(x0, y0, x1, y1, r float64) []Point {
	if r <= 0 {
		return []Point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	}
	// A piece of an arc strays less than a tenth of a pixel from it.
	n := max(2, int(math.Ceil(math.Pi/4/math.Acos(max(0, 1-0.1/r)))))
	var outline []Point
	for k, c := range []Point{{x1 - r, y1 - r}, {x0 + r, y1 - r}, {x0 + r, y0 + r}, {x1 - r, y0 + r}} {
		for i := range n + 1 {
			sin, cos := math.Sincos((float64(k) + float64(i)/float64(n)) * math.Pi / 2)
			outline = append(outline, Point{c.X + r*cos, c.Y + r*sin})
		}
	}
	return outline
}

// brush appends triangles of a colour.
type brush struct {
	*Mesh
	theme Theme
	color color.RGBA
}

// vertex appends a vertex that is covered by so much, and returns its index.
func (b *brush) vertex(x, y, cover float64) uint32 {
	share := func(v uint8) float32 { return float32(float64(v) / 255 * cover) }
	b.Vertices = append(b.Vertices, Vertex{float32(x), float32(y), share(b.color.R), share(b.color.G), share(b.color.B), float32(cover)})
	return uint32(len(b.Vertices) - 1)
}

func (b *brush) quad(p, q, r, s uint32) { b.Indices = append(b.Indices, p, q, r, p, r, s) }

func (b *brush) box(x0, y0, x1, y1 float64, color Color) {
	if color == "" {
		return
	}
	b.color = b.theme.RGBA(color)
	b.quad(b.vertex(x0, y0, 1), b.vertex(x1, y0, 1), b.vertex(x1, y1, 1), b.vertex(x0, y1, 1))
}

// fill fills a convex outline.
func (b *brush) fill(outline []Point, color Color) {
	if color != "" {
		b.color = b.theme.RGBA(color)
		b.convex(outline)
	}
}

// convex fills a convex outline with the present colour.
func (b *brush) convex(outline []Point) {
	outline = distinct(outline, true)
	n := len(outline)
	if n < 3 {
		return
	}
	area := 0.0
	for k, p := range outline {
		q := outline[(k+1)%n]
		area += p.X*q.Y - p.Y*q.X
	}
	half := math.Copysign(0.5, area) // of the pixel over which the edge fades
	first := uint32(len(b.Vertices))
	for k, p := range outline {
		v := miter(outline[(k+n-1)%n], p, outline[(k+1)%n])
		b.vertex(p.X-half*v.X, p.Y-half*v.Y, 1)
		b.vertex(p.X+half*v.X, p.Y+half*v.Y, 0)
	}
	for k := range uint32(n) {
		in, next := first+2*k, first+2*((k+1)%uint32(n))
		b.quad(in, in+1, next+1, next)
		if k >= 2 {
			b.Indices = append(b.Indices, first, in-2, in)
		}
	}
}

// miter is the vector from p by which both its edges move out by 1, to the
// left of the way; at sharp corners it is cut short.
func miter(before, p, after Point) Point {
	a, c := left(before, p), left(p, after)
	sum := Point{a.X + c.X, a.Y + c.Y}
	square := sum.X*sum.X + sum.Y*sum.Y
	if square < 0.2 {
		return a
	}
	return Point{2 * sum.X / square, 2 * sum.Y / square}
}

// left is the unit vector to the left of the way from p to q, in a picture
// whose y grows downwards.
func left(p, q Point) Point {
	dx, dy := q.X-p.X, q.Y-p.Y
	length := math.Hypot(dx, dy)
	return Point{dy / length, -dx / length}
}

// distinct drops points that repeat the one before.
func distinct(points []Point, closed bool) []Point {
	const near = 1e-3
	var list []Point
	for _, p := range points {
		if n := len(list); n == 0 || math.Hypot(p.X-list[n-1].X, p.Y-list[n-1].Y) > near {
			list = append(list, p)
		}
	}
	if n := len(list); closed && n > 1 && math.Hypot(list[0].X-list[n-1].X, list[0].Y-list[n-1].Y) <= near {
		list = list[:n-1]
	}
	return list
}

// stroke draws a line along points. Where it turns sharply a disc makes the
// corner round.
func (b *brush) stroke(points []Point, closed, round bool, color Color, width float64) {
	points = distinct(points, closed)
	n := len(points)
	if color == "" || n < 2 {
		return
	}
	b.color = b.theme.RGBA(color)
	sharp := func(k int) bool {
		before, after := left(points[(k+n-1)%n], points[k]), left(points[k], points[(k+1)%n])
		return before.X*after.X+before.Y*after.Y < 0.8
	}
	if closed {
		start := 0
		for start < n && !sharp(start) {
			start++
		}
		if start == n { // a smooth ring
			b.strip(points, true, false, width)
			return
		}
		// Begin and end at a corner.
		turned := append(append([]Point{}, points[start:]...), points[:start+1]...)
		points, n = turned, n+1
		b.disc(points[0], width/2)
	}
	from := 0
	for k := 1; k < n; k++ {
		if k < n-1 && !sharp(k) {
			continue
		}
		b.strip(points[from:k+1], false, !round, width)
		if k < n-1 {
			b.disc(points[k], width/2)
		}
		from = k
	}
	if round && !closed && width > 1.5 {
		b.disc(points[0], width/2)
		b.disc(points[n-1], width/2)
	}
}

func (b *brush) disc(c Point, r float64) {
	if r > 0.6 {
		b.convex(rounded(c.X-r, c.Y-r, c.X+r, c.Y+r, r))
	}
}

// strip draws a line that turns gently; soft ends fade like its sides.
func (b *brush) strip(points []Point, closed, soft bool, width float64) {
	n := len(points)
	core, cover := width/2-0.5, 1.0
	if core < 0 {
		core, cover = 0, width // thinner than a pixel: paler
	}
	rim := core + 1
	first := uint32(len(b.Vertices))
	rows := uint32(0)
	row := func(p, v Point, cover float64) {
		b.vertex(p.X+rim*v.X, p.Y+rim*v.Y, 0)
		b.vertex(p.X+core*v.X, p.Y+core*v.Y, cover)
		b.vertex(p.X-core*v.X, p.Y-core*v.Y, cover)
		b.vertex(p.X-rim*v.X, p.Y-rim*v.Y, 0)
		if rows > 0 {
			at := first + 4*(rows-1)
			for k := range uint32(3) {
				b.quad(at+k, at+k+1, at+k+5, at+k+4)
			}
		}
		rows++
	}
	for k, p := range points {
		var v Point
		switch {
		case closed:
			v = miter(points[(k+n-1)%n], p, points[(k+1)%n])
		case k == 0:
			v = left(p, points[1])
		case k == n-1:
			v = left(points[n-2], p)
		default:
			v = miter(points[k-1], p, points[k+1])
		}
		along := Point{-v.Y / 2, v.X / 2} // half a pixel on
		if soft && k == 0 {
			row(Point{p.X - along.X, p.Y - along.Y}, v, 0)
			row(Point{p.X + along.X, p.Y + along.Y}, v, cover)
			continue
		}
		if soft && k == n-1 {
			row(Point{p.X - along.X, p.Y - along.Y}, v, cover)
			row(Point{p.X + along.X, p.Y + along.Y}, v, 0)
			continue
		}
		row(p, v, cover)
	}
	if closed {
		last := first + 4*(rows-1)
		for k := range uint32(3) {
			b.quad(last+k, last+k+1, first+k+1, first+k)
		}
	}
}
