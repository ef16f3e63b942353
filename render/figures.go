package render

import "math"

// cab draws a taxi from above.
func (d *draft) cab(at Point, size, turn float64, full bool) {
	sin, cos := math.Sincos(turn)
	unit := size * 0.36
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
	if full {
		p := put(Point{-0.1, 0})[0]
		d.add(Circle{X: p.X, Y: p.Y, R: unit * 0.34, Fill: Missed, Stroke: MapPaper, Width: 2})
		return
	}
	for k := range 3 {
		x, y := -0.28+0.18*float64(k), -0.18+0.18*float64(k%2)
		closed(CabInk, "", 0, put(Point{x, y}, Point{x + 0.18, y}, Point{x + 0.18, y + 0.18}, Point{x, y + 0.18}))
	}
}

// person draws a head over shoulders.
func (d *draft) person(at Point, size float64, fill Color) {
	r, w, y := size*0.24, size*0.36, at.Y+size*0.5
	shoulders := []Point{{at.X - w, y}, {at.X - w, y - size*0.58}, {at.X + w, y - size*0.58}, {at.X + w, y}}
	d.halo(Path{Points: shoulders, Curved: true, Closed: true, Fill: fill, Stroke: MapInk, Width: 1}, MapPaper)
	d.add(
		Circle{X: at.X, Y: at.Y - size*0.22, R: r + 1.75, Fill: MapPaper},
		Circle{X: at.X, Y: at.Y - size*0.22, R: r, Fill: fill, Stroke: MapInk, Width: 1},
	)
}
