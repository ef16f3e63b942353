package render

import (
	"image/color"
	"math"
	"slices"
)

// Mesh holds shapes as triangles in device pixels. Edges fade out over one pixel,
// half of it on either side. That is enough smoothing, because no shape is translucent and
// filled shapes are convex.
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

// Add appends a mark that is not a text. The scale is the number of pixels in a CSS px.
func (m *Mesh) Add(mark Mark, theme Theme, scale float64) {
	pixel := 1 / scale
	edge := pixel / 2               // how far the edges of filled shapes fade
	pieces := func(r float64) int { // pieces of a corner, so that none is off by more than a tenth of a pixel
		return max(2, int(math.Ceil(math.Pi/4/math.Acos(max(0, 1-0.1*pixel/r)))))
	}
	var p Path
	switch mark := mark.(type) {
	case Rect:
		// Sharp edges lie on whole pixels.
		whole := func(x float64) float64 { return math.Round(x*scale) * pixel }
		x0, y0 := whole(mark.X), whole(mark.Y)
		x1, y1 := max(x0+pixel, whole(mark.X+mark.W)), max(y0+pixel, whole(mark.Y+mark.H))
		r := min(mark.Radius, (x1-x0)/2, (y1-y0)/2)
		if r <= 0 && mark.Stroke == "" {
			edge = 0
		}
		outline := rounded(x0, y0, x1, y1, r, pieces(r))
		p = Path{Points: outline, Closed: true, Fill: mark.Fill, Stroke: mark.Stroke, Width: mark.Width}
	case Circle:
		x, y, r := mark.X, mark.Y, mark.R
		outline := rounded(x-r, y-r, x+r, y+r, r, pieces(r))
		p = Path{Points: outline, Closed: true, Fill: mark.Fill, Stroke: mark.Stroke, Width: mark.Width}
	case Path:
		p = mark
	default:
		panic("render: no mesh of such a mark")
	}
	b := brush{Mesh: m, scale: scale}
	if p.Fill != "" {
		b.color = theme.RGBA(p.Fill)
		b.fill(p.Flat(), edge)
	}
	if p.Stroke != "" {
		b.color = theme.RGBA(p.Stroke)
		for _, piece := range p.Dashes() {
			b.stroke(piece, p.Closed && p.Dash == nil, p.Dash == nil, p.Width)
		}
	}
}

// rounded returns the outline of a rectangle, clockwise. Each of its rounded corners has
// that number of pieces.
func rounded(x0, y0, x1, y1, r float64, pieces int) []Point {
	var outline []Point
	for k, c := range []Point{{x1 - r, y1 - r}, {x0 + r, y1 - r}, {x0 + r, y0 + r}, {x1 - r, y0 + r}} {
		for i := range pieces + 1 {
			sin, cos := math.Sincos((float64(k) + float64(i)/float64(pieces)) * math.Pi / 2)
			outline = append(outline, Point{c.X + r*cos, c.Y + r*sin})
		}
	}
	return outline
}

// brush appends triangles of a colour.
type brush struct {
	*Mesh
	scale float64
	color color.RGBA
}

// fill fills a convex outline. Its edges fade over the distance edge on either side.
func (b *brush) fill(outline []Point, edge float64) {
	outline = distinct(outline, true)
	area := 0.0
	for k, p := range outline {
		q := outline[(k+1)%len(outline)]
		area += p.X*q.Y - p.Y*q.X
	}
	out := math.Copysign(edge, area)
	rows := follow(outline, true, false, edge)
	first := b.band(rows, true, fade{-out, 1}, fade{out, 0})
	for k := 2; k < len(rows); k++ {
		b.Indices = append(b.Indices, first, first+2*uint32(k-1), first+2*uint32(k))
	}
}

// stroke draws a line along points. Its ends are round if round is set, else flat.
func (b *brush) stroke(points []Point, closed, round bool, width float64) {
	points = distinct(points, closed)
	if len(points) < 2 {
		return
	}
	half := 0.5 / b.scale
	core, cover := width/2-half, 1.0
	if core < 0 {
		core, cover = 0, width*b.scale // a line thinner than a pixel is paler
	}
	rows := follow(points, closed, round && core > half/2, half)
	b.band(rows, closed, fade{core + 2*half, 0}, fade{core, cover}, fade{-core, cover}, fade{-core - 2*half, 0})
}

// distinct drops points that repeat the one before.
func distinct(points []Point, closed bool) []Point {
	near := func(p, q Point) bool { return math.Hypot(p.X-q.X, p.Y-q.Y) < 1e-3 }
	points = slices.CompactFunc(slices.Clone(points), near)
	if n := len(points); closed && n > 1 && near(points[0], points[n-1]) {
		points = points[:n-1]
	}
	return points
}

// row is a place on a line, the unit vector to its left, and the coverage there.
type row struct {
	at, left Point
	cover    float64
}

// follow returns rows along a line. If round is set, the rows turn on the spot at the ends
// and at sharp corners. Otherwise the ends fade out like the edges.
func follow(points []Point, closed, round bool, edge float64) []row {
	n := len(points)
	ahead := func(k int) float64 { // the direction from point k to the next
		p, q := points[(k+n)%n], points[(k+1)%n]
		return math.Atan2(q.Y-p.Y, q.X-p.X)
	}
	var rows []row
	add := func(p Point, direction, along, length, cover float64) {
		sin, cos := math.Sincos(direction)
		rows = append(rows, row{Point{p.X + along*cos, p.Y + along*sin}, Point{length * sin, -length * cos}, cover})
	}
	for k, p := range points {
		before, after := ahead(k-1), ahead(k)
		switch {
		case !closed && k == 0 && round:
			before = after - math.Pi
		case !closed && k == n-1 && round:
			after = before + math.Pi
		case !closed && k == 0:
			add(p, after, -edge, 1, 0)
			add(p, after, edge, 1, 1)
			continue
		case !closed && k == n-1:
			add(p, before, -edge, 1, 1)
			add(p, before, edge, 1, 0)
			continue
		}
		turn := math.Remainder(after-before, 2*math.Pi)
		if !round || math.Abs(turn) < 0.6 {
			add(p, before+turn/2, 0, min(4, 1/math.Cos(turn/2)), 1) // a mitre
			continue
		}
		steps := math.Ceil(math.Abs(turn) / 0.4)
		for i := range int(steps) + 1 {
			add(p, before+turn*float64(i)/steps, 0, 1, 1)
		}
	}
	return rows
}

// fade is the coverage at an offset to the left of a line.
type fade struct{ offset, cover float64 }

// band appends the strip of triangles along rows, whose cross-section is across. It returns
// the index of its first vertex.
func (b *brush) band(rows []row, closed bool, across ...fade) uint32 {
	share := func(v uint8, cover float64) float32 { return float32(float64(v) / 255 * cover) }
	first, wide := uint32(len(b.Vertices)), uint32(len(across))
	for k, r := range rows {
		last := first + wide*uint32((k+len(rows)-1)%len(rows))
		for i, f := range across {
			x, y, cover := r.at.X+f.offset*r.left.X, r.at.Y+f.offset*r.left.Y, r.cover*f.cover
			b.Vertices = append(b.Vertices, Vertex{
				float32(x * b.scale), float32(y * b.scale),
				share(b.color.R, cover), share(b.color.G, cover), share(b.color.B, cover), share(b.color.A, cover),
			})
			if i > 0 && (closed || k > 0) {
				p, q := last+uint32(i), uint32(len(b.Vertices)-1)
				b.Indices = append(b.Indices, p-1, p, q, p-1, q, q-1)
			}
		}
	}
	return first
}
